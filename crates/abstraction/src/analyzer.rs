//! The analyzer's own state: options, places, what is recorded, what must still be analysed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use graph::{Nesting, nesting};
use program::exec::{Checks, CommandRef, ViolationKind};
use program::{BlockId, Body, ExprId, ExprKind, FunctionId, Program, Site, VarId};
use rustc_hash::FxHashMap;

use crate::checks::{Check, Checked};
use crate::effects::Effects;
use crate::numeric::{Dimension, Linear, Numeric, Thresholds};
use crate::places::{ContextId, Place, Places};
use crate::state::State;

/// How much the analysis may spend and what it looks at.
#[derive(Clone, Debug)]
pub struct Options {
    pub checks: Checks,
    /// Polyhedra beside octagons.
    pub polyhedra: bool,
    /// States that are kept apart at one place, by the branches that led there.
    pub partitions: usize,
    /// Calls that are followed one inside the other.
    pub depth: u32,
    /// Commands that are executed in all, per command of the program.
    pub effort: u64,
    /// Rounds through a loop before bounds are given up.
    pub delay: u32,
    /// When the analysis gives up; then nothing is proved.
    pub deadline: Option<Instant>,
    /// Set from outside to end the analysis.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            checks: Checks::default(),
            polyhedra: false,
            partitions: 4,
            depth: 12,
            effort: 120,
            delay: 2,
            deadline: None,
            interrupt: None,
        }
    }
}

/// A call under way.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'p> {
    pub context: ContextId,
    pub function: FunctionId,
    pub body: &'p Body,
    /// The command that is executed.
    pub at: CommandRef,
}

/// What is worked out once for each function.
pub(crate) struct Shape {
    pub nesting: Nesting,
    /// Blocks in the order of the nesting.
    pub order: Vec<usize>,
    /// For each block, the blocks and ways that lead to it.
    pub predecessors: Vec<Vec<(usize, usize)>>,
    /// The constants of the function, and only the ends of the machine types.
    pub thresholds: Thresholds,
    pub coarse: Thresholds,
}

/// A call whose result is known for an entry state.
pub(crate) struct Remembered {
    pub entry: State,
    pub exits: Vec<State>,
    pub recorded: bool,
}

pub(crate) struct Analyzer<'p> {
    pub program: &'p Program,
    pub options: Options,
    pub places: Places,
    pub effects: Effects,
    pub checked: Checked,
    /// States before each block, in each context.
    pub invariants: BTreeMap<(ContextId, BlockId), Vec<State>>,
    pub recording: bool,
    /// Constraints that hold from the next command on.
    pub learned: Vec<Linear>,
    /// A check whose condition is wanted, and what must be at most 0 for it to hold.
    pub capture: Option<(Check, Vec<Linear>)>,
    pub shapes: FxHashMap<FunctionId, Rc<Shape>>,
    pub remembered: FxHashMap<ContextId, Remembered>,
    pub stack: Vec<FunctionId>,
    /// Functions that must be analysed for any call, and those that were.
    pub pending: BTreeSet<FunctionId>,
    pub analysed: BTreeSet<FunctionId>,
    pub work: u64,
    pub budget: u64,
    /// Loops start again from nothing, for precision, instead of where they were.
    pub fresh: bool,
    /// Some loop did not become stable.
    pub unstable: bool,
    /// The time is up: nothing is followed any more.
    pub exhausted: bool,
    /// What a run may meet whose meaning is not known.
    pub obstacles: BTreeSet<String>,
}

/// Thresholds of one function: more of them make loops slower.
const MOST_THRESHOLDS: usize = 48;

impl<'p> Analyzer<'p> {
    pub fn new(program: &'p Program, options: Options) -> Analyzer<'p> {
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        let commands: u64 = bodies.flat_map(|body| &body.blocks).map(|block| block.commands.len() as u64 + 1).sum();
        let budget = options.effort.saturating_mul(commands).saturating_add(50_000);
        Analyzer {
            program,
            options,
            places: Places::default(),
            effects: Effects::of(program),
            checked: Checked::default(),
            invariants: BTreeMap::new(),
            recording: false,
            learned: Vec::new(),
            capture: None,
            shapes: FxHashMap::default(),
            remembered: FxHashMap::default(),
            stack: Vec::new(),
            pending: BTreeSet::new(),
            analysed: BTreeSet::new(),
            work: 0,
            budget,
            fresh: true,
            unstable: false,
            exhausted: false,
            obstacles: BTreeSet::new(),
        }
    }

    /// Counts a command; false if the time is up.
    pub fn go_on(&mut self) -> bool {
        self.work += 1;
        if self.work.is_multiple_of(256) && !self.exhausted {
            let late = self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.exhausted =
                late || self.options.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed));
        }
        !self.exhausted
    }

    /// Records that a run may meet something whose meaning is not known.
    pub fn meet_obstacle(&mut self, what: impl FnOnce() -> String) {
        if self.recording {
            self.obstacles.insert(what());
        }
    }

    pub fn check(&mut self, frame: &Frame<'_>, expr: Option<ExprId>, kind: ViolationKind, proved: bool) {
        if self.recording {
            let own = expr.map_or(Site::NONE, |expr| frame.body.expr(expr).site);
            let site = if own == Site::NONE { self.command_site(frame) } else { own };
            self.checked.record(Check { at: frame.at, expr, kind }, site, proved);
        }
    }

    /// Tells what must be at most 0 for a check to hold, where that can be said.
    pub fn tell(&mut self, frame: &Frame<'_>, expr: Option<ExprId>, kind: ViolationKind, holds: &[Option<Linear>]) {
        let recording = self.recording;
        let Some((wanted, linears)) = self.capture.as_mut().filter(|_| recording) else { return };
        if (Check { at: frame.at, expr, kind }) == *wanted && linears.is_empty() && holds.iter().all(Option::is_some) {
            linears.extend(holds.iter().flatten().cloned());
        }
    }

    fn command_site(&self, frame: &Frame<'_>) -> Site {
        let block = frame.body.block(frame.at.block);
        block.commands.get(frame.at.index as usize).map_or(block.terminator.site, |command| command.site)
    }

    /// Runs something whose checks were made already.
    pub fn silently<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let recording = std::mem::replace(&mut self.recording, false);
        let result = run(self);
        self.recording = recording;
        result
    }

    /// Applies what the checks of a command have taught.
    pub fn settle(&mut self, state: &mut State) {
        for linear in std::mem::take(&mut self.learned) {
            state.numbers.assume(&linear);
        }
    }

    pub fn variable(&mut self, frame: &Frame<'_>, variable: VarId) -> Dimension {
        self.places.dimension(Place::Variable(frame.context, variable))
    }

    pub fn shape(&mut self, function: FunctionId, body: &Body) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&function) {
            return shape.clone();
        }
        let shape = Rc::new(shape(self.program, body));
        self.shapes.insert(function, shape.clone());
        shape
    }
}

/// The blocks that a block leads to, one for each way.
pub(crate) fn successors(body: &Body, block: usize) -> Vec<usize> {
    let mut successors = Vec::new();
    body.blocks[block].terminator.kind.successors(|next| successors.push(next.index()));
    successors
}

fn shape(program: &Program, body: &Body) -> Shape {
    let edges = body.successors();
    let nesting = nesting(&edges);
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|&block| nesting.position[block]);
    let mut predecessors = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for (way, to) in targets.iter().enumerate() {
            predecessors[*to].push((from, way));
        }
    }
    Shape { nesting, order, predecessors, thresholds: thresholds(program, body), coarse: coarse() }
}

/// The constants of a function, its objects' sizes, and the ends of the machine types.
fn thresholds(program: &Program, body: &Body) -> Thresholds {
    let mut values = BTreeSet::new();
    for expr in &body.exprs {
        match &expr.kind {
            ExprKind::Constant(bits) if expr.ty.bits() <= 64 && !expr.ty.is_float() => {
                let unused = 128 - expr.ty.bits();
                let value = (bits << unused) as i128 >> unused;
                values.extend([value - 1, value, value + 1]);
            }
            ExprKind::Address(program::Object::Global(global)) => {
                values.insert(i128::from(program.global(*global).size));
            }
            ExprKind::Index(index) => values.extend(index.count.map(i128::from)),
            _ => {}
        }
    }
    values.extend(body.locals.iter().flat_map(|local| [i128::from(local.size), i128::from(local.size) - 1]));
    // The nearest to zero are those that loops count to.
    let mut values: Vec<i128> = values.into_iter().collect();
    values.sort_by_key(|value| value.unsigned_abs());
    values.truncate(MOST_THRESHOLDS);
    values.extend(machine_ends());
    Thresholds::new(values)
}

fn coarse() -> Thresholds {
    Thresholds::new(machine_ends().collect()).last()
}

fn machine_ends() -> impl Iterator<Item = i128> {
    let ends = [7, 8, 15, 16, 31, 32, 63, 64].into_iter().flat_map(|bits| [(1i128 << bits) - 1, -(1i128 << bits)]);
    ends.chain([-1, 0, 1])
}
