//! Bounded model checking of graphs of guarded commands.
//!
//! A [`Graph`] → a [`Report`]: proved, violated with error traces that were replayed concretely, open within
//! a bound, or unknown. The graph is unrolled level by level (`unroll`), all paths of a level at once; after
//! 0, 1, 3, 7, … levels a solver is asked whether an error location can be reached. Nothing that goes back
//! further: the verdict is *proved*. Bitwuzla is asked if it has all sorts, otherwise Z3.
//!
//! A model gives the choices and the values of `havoc`; the guarded commands are then executed with them
//! (`replay`), and only an execution that ends in an error location is reported.

mod replay;
mod unroll;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use logic::commands::Command;
use logic::control_flow::{Graph, LocationId, Statement};
use logic::evaluate::Model;
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::z3::Z3;
use logic::solver::{FullSolver, Limits, Outcome, Why};
use logic::sort::Sort;
use logic::terms::{Op, TermId, Terms};
use logic::value::Value;

use unroll::Unrolling;

#[derive(Clone, Debug)]
pub struct Options {
    /// Executions are followed that go back at most so often.
    pub max_bound: u32,
    pub time: Option<Duration>,
    /// Of the whole process, in bytes.
    pub memory: Option<u64>,
    /// Go on after the first violation, until every error location is decided.
    pub all_violations: bool,
    /// Set from outside to end the search.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_bound: 1 << 20, time: None, memory: None, all_violations: false, interrupt: None }
    }
}

/// What is known about the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No execution reaches an error location.
    Proved,
    /// An execution does, and it was replayed.
    Violated,
    /// No execution does that goes back at most so often.
    Bounded(u32),
    Unknown(String),
}

/// One executed statement.
#[derive(Clone, Debug)]
pub struct Step {
    pub statement: Statement,
    /// What was written, into the variable or the part of it that the statement writes.
    pub written: Option<Value>,
}

/// An execution that ends in an error location.
#[derive(Clone, Debug)]
pub struct ErrorTrace {
    /// The statements along the path; the last one leads to the error location.
    pub statements: Vec<Statement>,
    /// The same with the values that they wrote.
    pub steps: Vec<Step>,
    /// What holds in every state.
    pub axioms: Vec<TermId>,
    /// The values of variables and functions at the beginning.
    pub initial: Model,
    /// The same at the end.
    pub last: Model,
    pub error: LocationId,
    /// Conditions with quantifiers, which cannot be evaluated: that they hold, only the solver says.
    pub unevaluated: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// How often the explored executions go back at most.
    pub bound: u32,
    pub terms: usize,
    pub solver_checks: u64,
    pub solver_time: Duration,
    pub time: Duration,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    pub traces: Vec<ErrorTrace>,
    /// The stops, by their number in what was given, that can be reached: beyond them nothing is known.
    pub reached_stops: Vec<usize>,
    pub solver: &'static str,
    pub statistics: Statistics,
}

/// Checks a graph. At the `stops` the program goes on in a way that the graph does not tell.
pub fn check(terms: &mut Terms, graph: &Graph, stops: &[LocationId], options: &Options) -> Report {
    let mut solver: Box<dyn FullSolver> =
        if for_bitwuzla(terms, graph) { Box::new(Bitwuzla::new()) } else { Box::new(Z3::new()) };
    let mut search = Search {
        terms,
        graph,
        stops,
        options,
        solver: solver.as_mut(),
        started: Instant::now(),
        unrolling: Unrolling::new(graph),
        refuted: 0,
        found: BTreeSet::new(),
        traces: Vec::new(),
        reached_stops: BTreeSet::new(),
    };
    let verdict = search.run();
    let verdict = if search.traces.is_empty() { verdict } else { Verdict::Violated };
    let measured = search.solver.statistics();
    Report {
        verdict,
        reached_stops: search.reached_stops.into_iter().collect(),
        solver: search.solver.name(),
        statistics: Statistics {
            bound: search.unrolling.level,
            terms: search.terms.len(),
            solver_checks: measured.checks,
            solver_time: measured.time,
            time: search.started.elapsed(),
        },
        traces: search.traces,
    }
}

/// Whether the faster solver can take everything in the graph.
fn for_bitwuzla(terms: &Terms, graph: &Graph) -> bool {
    let mut roots = graph.axioms.clone();
    for edge in graph.edges() {
        roots.extend(edge.statement.command.changed());
        roots.extend(edge.statement.command.read());
    }
    let simple = |sort: Sort| matches!(sort, Sort::Bool | Sort::BitVector(_) | Sort::Float(_));
    terms.reachable(&roots).into_iter().all(|term| {
        let fits = match terms.sort(term) {
            sort @ Sort::Array(_) => {
                let (index, element) = terms.array_parts(sort);
                simple(index) && simple(element)
            }
            sort => simple(sort),
        };
        fits && !terms.op(term).is_quantifier()
    })
}

struct Search<'a> {
    terms: &'a mut Terms,
    graph: &'a Graph,
    stops: &'a [LocationId],
    options: &'a Options,
    solver: &'a mut dyn FullSolver,
    started: Instant,
    unrolling: Unrolling,
    /// So many of the obligations were shown to be out of reach.
    refuted: usize,
    found: BTreeSet<LocationId>,
    traces: Vec<ErrorTrace>,
    reached_stops: BTreeSet<usize>,
}

impl Search<'_> {
    fn run(&mut self) -> Verdict {
        let mut safe = None;
        match self.deepen(&mut safe) {
            Ok(verdict) => verdict,
            Err(why) => safe.map_or(Verdict::Unknown(why), Verdict::Bounded),
        }
    }

    fn deepen(&mut self, safe: &mut Option<u32>) -> Result<Verdict, String> {
        for &axiom in &self.graph.axioms {
            self.solver.assert(self.terms, axiom).map_err(|error| error.to_string())?;
        }
        let mut next_check = 0;
        loop {
            self.unroll_level()?;
            let level = self.unrolling.level;
            let last = self.unrolling.is_finished() || level >= self.options.max_bound;
            if level >= next_check || last {
                if let Some(verdict) = self.decide()? {
                    return Ok(verdict);
                }
                *safe = Some(level);
                next_check = level.saturating_mul(2).saturating_add(1);
            }
            if level >= self.options.max_bound {
                return Ok(Verdict::Bounded(level));
            }
            self.unrolling.level += 1;
        }
    }

    fn unroll_level(&mut self) -> Result<(), String> {
        let (started, options) = (self.started, self.options);
        let over = |terms: &Terms| {
            if options.time.is_some_and(|time| started.elapsed() >= time) {
                return Some("the time is up");
            }
            if options.memory.is_some_and(|memory| terms.len() as u64 > memory / BYTES_PER_TERM) {
                return Some("the memory is used up");
            }
            options.interrupt.as_ref().filter(|it| it.load(Ordering::Relaxed)).map(|_| "it was interrupted")
        };
        self.unrolling.advance(self.terms, self.graph, self.stops, over).map_err(str::to_owned)
    }

    /// Asks about what the levels so far reach. Nothing: further levels may tell more.
    fn decide(&mut self) -> Result<Option<Verdict>, String> {
        loop {
            let open: Vec<TermId> = (self.unrolling.obligations[self.refuted..].iter())
                .filter(|it| !self.found.contains(&it.location))
                .map(|it| it.guard)
                .collect();
            let Some(model) = self.satisfy(&open)? else { break };
            let trace = replay::replay(self.terms, self.graph, &self.unrolling, model)?;
            self.found.insert(trace.error);
            self.traces.push(trace);
            if !self.options.all_violations {
                return Ok(Some(Verdict::Violated));
            }
        }
        self.refuted = self.unrolling.obligations.len();
        let going_on = self.unrolling.frontier_guards();
        if !going_on.is_empty() && self.satisfy(&going_on)?.is_some() {
            return Ok(None);
        }
        self.reachable_stops()?;
        Ok(Some(match self.reached_stops.is_empty() {
            true => Verdict::Proved,
            false => Verdict::Unknown("the program goes on where it was not followed".to_owned()),
        }))
    }

    fn reachable_stops(&mut self) -> Result<(), String> {
        for index in 0..self.stops.len() {
            let guards: Vec<TermId> =
                self.unrolling.stops.iter().filter(|it| it.location == self.stops[index]).map(|it| it.guard).collect();
            if !guards.is_empty() && self.satisfy(&guards)?.is_some() {
                self.reached_stops.insert(index);
            }
        }
        Ok(())
    }

    /// Values that make one of the formulas true.
    fn satisfy(&mut self, formulas: &[TermId]) -> Result<Option<Model>, String> {
        let any = self.terms.or(formulas);
        if any == self.terms.false_term() {
            return Ok(None);
        }
        let time = match self.options.time.map(|time| time.checked_sub(self.started.elapsed())) {
            Some(None) => return Err("the time is up".to_owned()),
            Some(left) => left,
            None => None,
        };
        self.solver.set_limits(Limits { time, memory: self.options.memory });
        match self.solver.check(self.terms, &[any]).map_err(|error| error.to_string())? {
            Outcome::Unsat => Ok(None),
            Outcome::Unknown(Why::Timeout) => Err("the time is up".to_owned()),
            Outcome::Unknown(Why::Memory) => Err("the memory is used up".to_owned()),
            Outcome::Unknown(Why::Interrupted) => Err("it was interrupted".to_owned()),
            Outcome::Unknown(Why::Incomplete(words)) => Err(format!("the solver gave up: {words}")),
            Outcome::Sat => self.model(any).map(Some).map_err(|error| error.to_string()),
        }
    }

    /// The values of all variables and of the functions at the arguments that occur.
    fn model(&mut self, formula: TermId) -> Result<Model, logic::error::Error> {
        let mut roots = self.graph.axioms.clone();
        roots.push(formula);
        let variables = self.terms.free_variables(&roots);
        let mut model = self.solver.model(self.terms, &variables)?;
        for term in outside_quantifiers(self.terms, &roots) {
            if let Op::Apply(function) = self.terms.op(term) {
                let arguments = self.terms.arguments(term).to_vec();
                let values: Result<Vec<Value>, _> =
                    arguments.into_iter().map(|it| self.solver.value(self.terms, it)).collect();
                let value = self.solver.value(self.terms, term)?;
                model.define(function, values?, value);
            }
        }
        Ok(model)
    }
}

/// About what a term costs in the arena and in the solver.
const BYTES_PER_TERM: u64 = 200;

/// The terms within these, but for the bodies of quantifiers.
fn outside_quantifiers(terms: &Terms, roots: &[TermId]) -> BTreeSet<TermId> {
    let (mut seen, mut open) = (BTreeSet::new(), roots.to_vec());
    while let Some(term) = open.pop() {
        if seen.insert(term) && !terms.op(term).is_quantifier() {
            open.extend(terms.arguments(term));
        }
    }
    seen
}

/// The condition of an assumption.
fn assumed(statement: &Statement) -> Option<TermId> {
    match statement.command {
        Command::Assume { condition } => Some(condition),
        _ => None,
    }
}
