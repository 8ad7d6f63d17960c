//! Symbolic execution with merging: one pass over a program whose loops and recursion are unrolled to a bound.
//!
//! [`Engine::explore`] follows all paths of `main` at once. Where paths meet, their states become one, with
//! `ite` terms where they differ, so that the work grows with the length of the unrolled program and not with
//! the number of its paths. What comes out is a [`Findings`]: formulas for everything that may go wrong, for
//! every place where paths were cut or could not be followed, and the inputs in the order of execution.
//!
//! What holds: each formula of an obligation is true of exactly those inputs for which execution gets there
//! and fails there, provided that it has not failed before. Names of inputs and numbers of objects depend on
//! the unrolled place only, so that a second pass with a higher bound yields mostly the same terms.
//!
//! The meaning of commands follows the concrete executor (`program::exec`). Imprecise: numbers of objects
//! differ from the executor's, so that programs that compute with addresses as numbers may behave otherwise;
//! such places are noted. Not here: deciding the formulas (`bmc`).

mod builtins;
mod calls;
mod commands;
mod counting;
mod expressions;
mod floats;
pub(crate) mod guards;
mod library;
mod log;
mod memory;
mod merging;
mod numbers;
mod pointers;
mod printing;
mod ranges;
mod state;
mod strings;
mod text_numbers;
mod unroll;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use program::exec::{Checks, ViolationKind};
use program::{Body, FunctionId, Program, Site, Type};
use rustc_hash::FxHashMap;

use crate::needed::Needed;
use guards::Guards;
pub use library::only_prints;
use pointers::Target;
use state::{ObjectMeta, State};
use unroll::Shape;

/// A formula that is true of the inputs for which this goes wrong.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub formula: TermId,
    pub kind: ViolationKind,
    pub site: Site,
    /// How many of the branches come before it on every way to it, and how many more do not matter.
    pub branches: usize,
}

/// An open value, and when it is asked for.
#[derive(Clone, Debug)]
pub struct Input {
    pub guard: TermId,
    pub term: TermId,
    pub source: Box<str>,
}

/// An object that begins without contents, and when.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    pub guard: TermId,
    pub object: u32,
}

/// A place where the meaning of the program is not known here.
#[derive(Clone, Debug)]
pub struct Reached {
    pub guard: TermId,
    pub what: String,
    pub site: Site,
}

/// What one pass found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub obligations: Vec<Obligation>,
    /// For each branch that the inputs decide, when it is reached and goes the first way.
    pub branches: Vec<TermId>,
    /// In the order in which every execution asks for them.
    pub inputs: Vec<Input>,
    /// In the order in which every execution begins them; only where reading what was never written is allowed.
    pub begun: Vec<Begun>,
    /// Executions that go on beyond the bound.
    pub cuts: Vec<TermId>,
    pub unsupported: Vec<Reached>,
    /// Why the findings may differ from what the program does.
    pub notes: BTreeSet<String>,
    /// The pass ended before all was explored.
    pub exhausted: Option<Exhausted>,
}

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    Time,
    Memory,
    Steps,
    Interrupted,
}

/// What a pass may use.
#[derive(Clone, Debug)]
pub struct Budget {
    pub deadline: Option<Instant>,
    /// Terms in the arena.
    pub terms: usize,
    pub steps: u64,
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Why a path is not followed any further.
#[derive(Clone, Copy, Debug)]
enum Stop {
    /// It ended, or it cannot be taken at all.
    Path,
    Budget(Exhausted),
}

type Flow<T> = Result<T, Stop>;

/// A call under way.
struct Frame<'p> {
    /// The unrolled place of the call.
    context: u32,
    function: FunctionId,
    body: &'p Body,
}

/// A call under way, as recursion and the stack's size see it.
#[derive(Clone, Copy)]
struct Activation {
    /// At the function's entry.
    guard: TermId,
    /// The activation of the same function before this one.
    previous: Option<usize>,
    /// How many there are of the same function, this one included.
    count: u64,
    /// How many of them were entered under another guard than the one before.
    parted: u64,
    /// All frames up to this one, counted as the executor does.
    bytes: u64,
}

/// The place of a command: what names inputs and objects.
#[derive(Clone, Copy)]
struct Place {
    context: u32,
    command: u32,
    site: Site,
}

/// Explores a program, once for each bound.
pub struct Engine<'p> {
    pub terms: Terms,
    program: &'p Program,
    checks: Checks,
    needed: Arc<Needed>,
    pub findings: Findings,
    /// Of all passes together.
    pub steps: u64,
    bound: u32,
    budget: Budget,
    guards: Guards,
    places: FxHashMap<(u32, Vec<(u32, u32)>), u32>,
    commands: FxHashMap<(u32, u32, u32), u32>,
    next_context: u32,
    objects: Vec<ObjectMeta>,
    object_of: FxHashMap<u32, u32>,
    /// What bytes of objects hold before they are written, where that is open.
    first_bytes: BTreeMap<(u32, u32), TermId>,
    shapes: FxHashMap<FunctionId, Rc<Shape>>,
    resolved: FxHashMap<TermId, Option<Rc<Vec<Target>>>>,
    /// Calls under way.
    stack: Vec<Activation>,
    /// The last activation of each function, as an index of `stack`.
    last_activation: FxHashMap<FunctionId, usize>,
    /// An access beyond the end of an object means a string without an end.
    inside_string: bool,
    /// Counts objects that end with their call.
    stamps: u64,
    /// Calls and the objects that end with them.
    owned: Vec<(u32, u32)>,
    /// The object and the byte that must be set where a violation counts.
    only_where: Option<(u32, u32)>,
}

impl<'p> Engine<'p> {
    pub fn new(program: &'p Program, checks: Checks, needed: Arc<Needed>, budget: Budget) -> Engine<'p> {
        let terms = Terms::new();
        let guards = Guards::new(terms.true_term());
        let mut engine = Engine {
            terms,
            program,
            checks,
            needed,
            findings: Findings::default(),
            steps: 0,
            bound: 1,
            budget,
            guards,
            places: FxHashMap::default(),
            commands: FxHashMap::default(),
            next_context: 1,
            objects: Vec::new(),
            object_of: FxHashMap::default(),
            first_bytes: BTreeMap::new(),
            shapes: FxHashMap::default(),
            resolved: FxHashMap::default(),
            stack: Vec::new(),
            last_activation: FxHashMap::default(),
            inside_string: false,
            stamps: 0,
            owned: Vec::new(),
            only_where: None,
        };
        engine.make_static_objects();
        engine
    }

    /// Follows all executions in which no loop goes back more often than `bound` times.
    pub fn explore(&mut self, bound: u32, budget: Budget) {
        self.bound = bound;
        self.budget = budget;
        self.findings = Findings::default();
        self.stack.clear();
        self.last_activation.clear();
        self.owned.clear();
        let Some(main) = self.program.find_function("main") else { return };
        let mut state = self.initial_state();
        let result = self.run_main(main, &mut state);
        if let Err(Stop::Budget(what)) = result {
            self.findings.exhausted = Some(what);
        }
    }

    fn step(&mut self) -> Flow<()> {
        self.steps += 1;
        if !self.steps.is_multiple_of(256) {
            return Ok(());
        }
        let budget = &self.budget;
        let exhausted = if budget.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Exhausted::Time
        } else if self.terms.len() >= budget.terms {
            Exhausted::Memory
        } else if self.steps >= budget.steps {
            Exhausted::Steps
        } else if budget.interrupt.as_ref().is_some_and(|it| it.load(Ordering::Relaxed)) {
            Exhausted::Interrupted
        } else {
            return Ok(());
        };
        Err(Stop::Budget(exhausted))
    }

    /// The number of an unrolled block of a call.
    fn block_context(&mut self, frame: u32, key: &[(u32, u32)]) -> u32 {
        let next = self.next_context;
        let context = *self.places.entry((frame, key.to_vec())).or_insert(next);
        self.next_context += u32::from(context == next);
        context
    }

    /// The number of something that a command does; `part` tells several things of one command apart.
    fn command_context(&mut self, place: Place, part: u32) -> u32 {
        let next = self.next_context;
        let context = *self.commands.entry((place.context, place.command, part)).or_insert(next);
        self.next_context += u32::from(context == next);
        context
    }

    /// Whether memory that was never written may be read, and may hold anything.
    fn is_memory_open(&self) -> bool {
        !self.checks.has(ViolationKind::Uninitialized)
    }

    /// The bytes of an object that matter before they are written, by their offsets.
    pub fn first_bytes(&self, object: u32) -> impl Iterator<Item = (u32, TermId)> {
        self.first_bytes.range((object, 0)..(object + 1, 0)).map(|((_, offset), byte)| (*offset, *byte))
    }

    /// A variable that belongs to this place.
    fn open_value(&mut self, name: &str, place: Place, part: u32, ty: Type) -> TermId {
        let context = self.command_context(place, part);
        let sort = sort_of(ty);
        self.terms.variable(&format!("{name}@{context}"), sort)
    }

    /// Demands that something bad does not happen; unselected checks are taken to hold.
    fn forbid(&mut self, state: &mut State, kind: ViolationKind, bad: TermId, site: Site) -> Flow<()> {
        if bad == self.terms.false_term() {
            return Ok(());
        }
        if !self.checks.has(kind) {
            let good = self.terms.not(bad);
            return self.assume(state, good);
        }
        let mut formula = self.terms.and2(state.guard, bad);
        let counts = self.counts(state);
        if let Some(counts) = counts {
            formula = self.terms.and2(formula, counts);
        }
        if formula != self.terms.false_term() {
            let branches = self.findings.branches.len();
            self.findings.obligations.push(Obligation { formula, kind, site, branches });
        }
        if counts.is_some() {
            // One that does not count ends the execution nonetheless.
            let good = self.terms.not(bad);
            return self.assume(state, good);
        }
        // What comes after the first violation on a path does not matter, so the guard may stay as it is.
        if bad == self.terms.true_term() { Err(Stop::Path) } else { Ok(()) }
    }

    fn assume(&mut self, state: &mut State, condition: TermId) -> Flow<()> {
        state.guard = self.guards.child(&mut self.terms, state.guard, condition);
        if state.guard == self.terms.false_term() { Err(Stop::Path) } else { Ok(()) }
    }

    /// Records that executions which get here under the condition cannot be followed, and drops them.
    fn unsupported(&mut self, state: &mut State, condition: TermId, what: &str, site: Site) -> Flow<()> {
        let guard = self.terms.and2(state.guard, condition);
        if guard != self.terms.false_term() {
            self.findings.unsupported.push(Reached { guard, what: what.to_owned(), site });
        }
        let other = self.terms.not(condition);
        self.assume(state, other)
    }

    /// Leaves executions under the condition to a higher bound.
    fn cut(&mut self, state: &mut State, condition: TermId) -> Flow<()> {
        let guard = self.terms.and2(state.guard, condition);
        if guard != self.terms.false_term() {
            self.findings.cuts.push(guard);
        }
        let other = self.terms.not(condition);
        self.assume(state, other)
    }

    fn stop_unsupported<T>(&mut self, state: &mut State, what: &str, site: Site) -> Flow<T> {
        let always = self.terms.true_term();
        self.unsupported(state, always, what, site)?;
        Err(Stop::Path)
    }

    /// Records that what is computed from here on may differ from what the program does, and goes on.
    fn doubt(&mut self, state: &State, what: &str, site: Site) {
        self.findings.unsupported.push(Reached { guard: state.guard, what: what.to_owned(), site });
    }

    fn note(&mut self, what: String) {
        self.findings.notes.insert(what);
    }
}

/// The sort of values of a type.
fn sort_of(ty: Type) -> Sort {
    match ty {
        Type::Int(1) => Sort::Bool,
        ty => Sort::BitVector(ty.bits()),
    }
}
