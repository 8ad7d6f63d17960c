//! The analysis of a program and what it says.

use std::collections::{BTreeMap, BTreeSet};

use program::exec::{Checks, CommandRef, ViolationKind};
use program::{BlockId, FunctionId, Program};

use crate::analyzer::{Analyzer, Options};
use crate::checks::{Check, Checked, Verdict};
use crate::numeric::{Constraint, Linear, Numeric, Range};
use crate::places::{ContextId, Place, Places};
use crate::stack;
use crate::state::State;

/// A kind that the analysis makes no statement about: it depends on the end of the run.
const NOT_FOLLOWED: ViolationKind = ViolationKind::Leak;

/// What holds in all runs of a program.
pub struct Analysis {
    pub(crate) places: Places,
    pub(crate) options: Options,
    pub(crate) invariants: BTreeMap<(ContextId, BlockId), Vec<State>>,
    checked: Checked,
    /// Blocks that some state reaches.
    reached: BTreeSet<(FunctionId, BlockId)>,
    /// No chain of calls is too deep for the stack.
    enough_stack: bool,
    /// What a run may meet whose meaning is not known.
    obstacles: BTreeSet<String>,
    /// Why nothing is proved, if so.
    given_up: Option<&'static str>,
}

/// Analyses a program's runs.
pub fn analyse(program: &Program, options: &Options) -> Analysis {
    let mut analyzer = Analyzer::new(program, options.clone());
    let main = program.find_function("main").filter(|main| program.function(*main).body.is_some());
    let mut given_up = match main {
        None => Some("the program has no `main`"),
        Some(main) if program.function(main).parameters.iter().any(|parameter| parameter.copied.is_some()) => {
            Some("`main` has unusual parameters")
        }
        Some(_) if analyzer.effects.jumps => Some("the program uses `setjmp`"),
        Some(main) => {
            analyzer.run_program(main);
            None
        }
    };
    if analyzer.unstable {
        given_up = Some("a loop did not become stable");
    }
    if analyzer.exhausted {
        given_up = Some("the time is up");
    }
    let enough_stack = main.is_some_and(|main| stack::is_enough(program, &analyzer.effects, main));
    let Analyzer { places, invariants, checked, obstacles, .. } = analyzer;
    let reached = invariants.keys().map(|(context, block)| (places.context(*context).function, *block)).collect();
    let options = options.clone();
    Analysis { places, options, invariants, checked, reached, enough_stack, obstacles, given_up }
}

/// Programs with more commands than this are analysed with octagons only.
const MOST_COMMANDS_FOR_POLYHEDRA: usize = 4000;

/// Analyses a program with octagons and, if that leaves checks open in a program that is not large, with
/// polyhedra too. A check is proved if one of them proves it.
pub fn analyse_in_stages(program: &Program, options: &Options) -> Analysis {
    let mut first = analyse(program, &Options { polyhedra: false, ..options.clone() });
    let open = first.checked.proved() < first.checked.len();
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let commands: usize = bodies.flat_map(|body| &body.blocks).map(|block| block.commands.len() + 1).sum();
    if !open || first.given_up.is_some() || commands > MOST_COMMANDS_FOR_POLYHEDRA {
        return first;
    }
    let mut second = analyse(program, &Options { polyhedra: true, ..options.clone() });
    if second.given_up.is_some() {
        return first;
    }
    first.checked.improve(&second.checked);
    second.reached.retain(|block| first.reached.contains(block));
    Analysis { checked: first.checked, ..second }
}

impl Analysis {
    /// All checks that can be reached, and whether each is proved.
    pub fn checks(&self) -> &Checked {
        &self.checked
    }

    pub fn places(&self) -> &Places {
        &self.places
    }

    pub fn given_up(&self) -> Option<&'static str> {
        self.given_up
    }

    /// Whether no run violates a check of this kind at this command.
    pub fn is_proved(&self, at: CommandRef, kind: ViolationKind) -> bool {
        if self.is_open(kind) {
            return false;
        }
        !self.reached.contains(&(at.function, at.block)) || self.checked.command_proved(at, kind)
    }

    /// Whether nothing at all is proved about a kind.
    pub fn is_open(&self, kind: ViolationKind) -> bool {
        self.given_up.is_some() || kind == NOT_FOLLOWED || kind == ViolationKind::StackOverflow && !self.enough_stack
    }

    /// Whether no run of the program violates any of these checks, or meets something whose meaning is not known.
    pub fn proves_all(&self, checks: Checks) -> bool {
        let followed = ViolationKind::ALL.iter().all(|kind| !checks.has(*kind) || !self.is_open(*kind));
        let open = |(check, verdict): (&Check, &Verdict)| checks.has(check.kind) && !verdict.proved;
        self.given_up.is_none() && followed && self.obstacles.is_empty() && !self.checked.iter().any(open)
    }

    /// What a run may meet whose meaning is not known.
    pub fn obstacles(&self) -> &BTreeSet<String> {
        &self.obstacles
    }

    /// Whether a run may reach this block by this chain of calls.
    pub fn is_block_reached(&self, context: ContextId, block: BlockId) -> bool {
        self.invariants.contains_key(&(context, block))
    }

    /// Whether no run reaches this block.
    pub fn is_unreachable(&self, function: FunctionId, block: BlockId) -> bool {
        self.given_up.is_none() && !self.reached.contains(&(function, block))
    }

    /// The proved checks, in the order of the program.
    pub fn proved(&self) -> impl Iterator<Item = &Check> {
        let usable = self.given_up.is_none();
        self.checked.iter().filter(move |(_, verdict)| usable && verdict.proved).map(|(check, _)| check)
    }

    /// The chains of calls in which a function is analysed.
    pub fn contexts(&self, function: FunctionId) -> Vec<ContextId> {
        self.places.contexts().filter(|(_, context)| context.function == function).map(|(id, _)| id).collect()
    }

    /// The range of a place at the start of a block: it contains the values of all runs.
    pub fn range(&self, context: ContextId, block: BlockId, place: Place) -> Option<Range> {
        let dimension = self.places.find(place)?;
        let states = self.invariants.get(&(context, block))?;
        let ranges = states.iter().map(|state| state.numbers.range(&Linear::dimension(dimension)));
        ranges.reduce(Range::join)
    }

    /// What holds at the start of a block: one conjunction for each part that is kept apart, as text.
    pub fn describe(&self, program: &Program, context: ContextId, block: BlockId) -> Vec<Vec<String>> {
        let Some(states) = self.invariants.get(&(context, block)) else { return Vec::new() };
        let name = |dimension| self.places.name(program, dimension);
        let show = |state: &State| state.numbers.constraints().iter().map(|it| it.show(&name)).collect();
        states.iter().map(show).collect()
    }

    /// What holds at the start of a block: a disjunction of conjunctions over places.
    pub fn invariant(&self, context: ContextId, block: BlockId) -> Vec<Vec<Constraint>> {
        let states = self.invariants.get(&(context, block));
        states.into_iter().flatten().map(|state| state.numbers.constraints()).collect()
    }
}
