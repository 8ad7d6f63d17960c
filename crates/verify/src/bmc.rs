//! Bounded model checking: whether a program can fail, with loops and recursion unrolled further and further.
//!
//! Program → [`Report`]. For the bounds 1, 2, 4, … the program is explored symbolically and a solver is asked
//! for inputs that violate a check. A model's inputs are replayed in the concrete executor, and only what
//! fails there is reported. Without a model, the verdict is *proved* if nothing goes on beyond the bound, and
//! if nothing was met on the way whose meaning is not known.
//!
//! One arena of terms and one solver serve all bounds; what was refuted once is not asked again. What no check depends
//! on is not explored ([`needed`](crate::needed)); if that leads to a violation that is none, all is explored.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use abstraction::ProvedSites;
use logic::evaluate::{Evaluator, Model};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::{Limited, Limits, Measured, Outcome, Solver, Why};
use logic::terms::{Op, TermId, Terms};
use logic::value::Value;
use program::exec::{
    self, Checks, Consumed, Discard, Exhausted as After, Inputs, NondetValue, TraceRecorder, Unwritten, Violation,
    ViolationKind,
};
use program::{GlobalId, Program, Site};
use rustc_hash::FxHashSet;

use crate::needed::Needed;
use crate::paths;
use crate::symbolic::{Budget, Engine, Exhausted, Findings};

/// Address space for the recursion over calls; only what is used takes memory.
const STACK: usize = 2 << 30;
/// Repetitions after which the search gives up.
const MOST_REPEATED: usize = 1000;
/// About what a term costs in the arena and in the solver.
const BYTES_PER_TERM: u64 = 200;

#[derive(Clone, Debug)]
pub struct Options {
    pub checks: Checks,
    /// Loops and recursion are followed at most so far.
    pub max_bound: u32,
    pub time: Option<Duration>,
    /// Of the whole process, in bytes.
    pub memory: Option<u64>,
    /// Commands that are explored, all bounds together.
    pub max_steps: u64,
    /// Go on after the first violation.
    pub all_violations: bool,
    /// So many traces for each violation, on different paths within the bound.
    pub traces: u32,
    /// Set from outside to end the search.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Only violations count where this byte of this object is not zero.
    pub only_where: Option<(GlobalId, u64)>,
    /// Checks that are known to hold and are not looked at.
    pub proved: Option<Arc<ProvedSites>>,
    /// What matters for the checks; none: that is found out, without regard to what is proved.
    pub needed: Option<Arc<Needed>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            checks: Checks::default(),
            max_bound: 1 << 20,
            time: None,
            memory: None,
            max_steps: u64::MAX,
            all_violations: false,
            traces: 1,
            interrupt: None,
            only_where: None,
            proved: None,
            needed: None,
        }
    }
}

/// What is known about the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No execution violates a check.
    Proved,
    /// An execution violates a check, and it was replayed.
    Violated,
    /// No execution violates a check in which no loop goes back more often than this.
    Bounded(u32),
    Unknown(String),
}

/// A way in which the program fails.
#[derive(Clone, Debug)]
pub struct Failure {
    pub violation: Violation,
    /// What the program was given, in order, up to the violation.
    pub inputs: Vec<Consumed>,
    pub run: exec::Run,
    pub trace: exec::Trace,
    path: paths::Path,
}

impl Failure {
    /// A run that failed in the executor, from another search than this one.
    pub(crate) fn new(violation: Violation, inputs: Vec<Consumed>, run: exec::Run, trace: exec::Trace) -> Failure {
        Failure { violation, inputs, run, trace, path: paths::Path::default() }
    }
}

/// A construct that was met and could not be followed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnsupportedPlace {
    pub what: String,
    pub site: Site,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// The last bound that was explored.
    pub bound: u32,
    pub terms: usize,
    pub steps: u64,
    /// Commands of the program on which no check depends, and all of them.
    pub left_out: usize,
    pub commands: usize,
    pub solver_checks: u64,
    pub solver_time: Duration,
    pub time: Duration,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// What is known about all other checks than those that were found violated.
    pub others: Verdict,
    pub failures: Vec<Failure>,
    /// Only those that matter for the verdict.
    pub unsupported: Vec<UnsupportedPlace>,
    pub notes: Vec<String>,
    pub statistics: Statistics,
}

/// Checks a program.
pub fn check(program: &Program, options: &Options) -> Report {
    std::thread::scope(|scope| {
        let search = || sliced(program, options);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(report)) => report,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Report::unknown(format!("no thread for the search: {error}")),
        }
    })
}

/// Searches what is needed, and everything if that leads astray.
fn sliced(program: &Program, options: &Options) -> Report {
    let started = Instant::now();
    let needed = match &options.needed {
        // Whether a violation counts may depend on anything.
        _ if options.only_where.is_some() => Arc::new(Needed::everything()),
        Some(needed) => needed.clone(),
        None => Arc::new(Needed::of(program, options.checks, &|_, _| true)),
    };
    let (report, refuted) = Search::new(program, options, needed).run();
    if !refuted {
        return report;
    }
    let time = options.time.map(|time| time.saturating_sub(started.elapsed()));
    Search::new(program, &Options { time, ..options.clone() }, Arc::new(Needed::everything())).run().0
}

impl Report {
    fn unknown(why: String) -> Report {
        Report {
            verdict: Verdict::Unknown(why.clone()),
            others: Verdict::Unknown(why),
            failures: Vec::new(),
            unsupported: Vec::new(),
            notes: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

/// Why the search ends without having decided.
enum End {
    Verdict(Verdict),
    Exhausted(String),
}

struct Search<'p> {
    program: &'p Program,
    options: &'p Options,
    started: Instant,
    engine: Engine<'p>,
    solver: Bitwuzla,
    /// Formulas that no input satisfies.
    refuted: FxHashSet<TermId>,
    failures: Vec<Failure>,
    /// Checks that failed on paths on which another check fails first.
    repeated: Vec<(ViolationKind, Site, paths::Path)>,
    unsupported: BTreeSet<UnsupportedPlace>,
    bound: u32,
    /// The last bound within which nothing can fail.
    safe: Option<u32>,
    /// Commands that were left out, of how many.
    left_out: (usize, usize),
    /// One did.
    refuted_by_replay: bool,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, options: &'p Options, needed: Arc<Needed>) -> Search<'p> {
        let left_out = needed.left_out();
        let started = Instant::now();
        let budget = Budget { deadline: None, terms: usize::MAX, steps: u64::MAX, interrupt: None };
        let mut engine = Engine::new(program, options.checks, needed, budget);
        engine.count_only_where(options.only_where);
        Search {
            program,
            options,
            started,
            engine,
            solver: Bitwuzla::new(),
            refuted: FxHashSet::default(),
            failures: Vec::new(),
            repeated: Vec::new(),
            unsupported: BTreeSet::new(),
            bound: 1,
            safe: None,
            left_out,
            refuted_by_replay: false,
        }
    }

    /// The second part: whether a violation was found that is none in the whole program.
    fn run(mut self) -> (Report, bool) {
        let verdict = match self.deepen() {
            End::Verdict(verdict) => verdict,
            End::Exhausted(why) => match self.safe {
                Some(bound) => Verdict::Bounded(bound),
                None => Verdict::Unknown(why),
            },
        };
        let others = match verdict {
            Verdict::Violated => Verdict::Unknown("the search ended at the first violation".to_owned()),
            ref other => other.clone(),
        };
        let verdict = if self.failures.is_empty() { verdict } else { Verdict::Violated };
        let measured = self.solver.statistics();
        let report = Report {
            verdict,
            others,
            failures: self.failures,
            unsupported: self.unsupported.into_iter().collect(),
            notes: self.engine.findings.notes.iter().cloned().collect(),
            statistics: Statistics {
                bound: self.bound,
                terms: self.engine.terms.len(),
                steps: self.engine.steps,
                left_out: self.left_out.0,
                commands: self.left_out.1,
                solver_checks: measured.checks,
                solver_time: measured.time,
                time: self.started.elapsed(),
            },
        };
        (report, self.left_out.0 > 0 && self.refuted_by_replay)
    }

    fn deepen(&mut self) -> End {
        if self.program.find_function("main").is_none_or(|main| self.program.function(main).body.is_none()) {
            return End::Verdict(Verdict::Unknown("the program has no `main`".to_owned()));
        }
        loop {
            let budget = self.budget();
            self.engine.explore(self.bound, budget);
            match self.decide() {
                Ok(Some(end)) => return end,
                Ok(None) => {}
                Err(why) => return End::Exhausted(why),
            }
            if self.bound >= self.options.max_bound {
                return End::Exhausted("the bound is reached".to_owned());
            }
            self.bound = self.bound.saturating_mul(2).min(self.options.max_bound);
        }
    }

    fn budget(&self) -> Budget {
        let memory = self.options.memory.unwrap_or(u64::MAX);
        Budget {
            deadline: self.options.time.map(|time| self.started + time),
            terms: (memory / BYTES_PER_TERM).min(u64::from(u32::MAX - 1)) as usize,
            steps: self.options.max_steps,
            interrupt: self.options.interrupt.clone(),
        }
    }

    /// Asks the solver about what one pass found. `None`: a higher bound may tell more.
    fn decide(&mut self) -> Result<Option<End>, String> {
        let mut findings = std::mem::take(&mut self.engine.findings);
        if let Some(proved) = &self.options.proved {
            findings.obligations.retain(|it| !proved.has(it.site, it.kind));
        }
        let result = self.decide_findings(&findings);
        self.engine.findings = findings;
        result
    }

    fn decide_findings(&mut self, findings: &Findings) -> Result<Option<End>, String> {
        self.exclude(findings)?;
        loop {
            let open = self.open(findings);
            let Some(model) = self.satisfy(&open)? else { break };
            if let Err(why) = self.replay(findings, &model) {
                return Ok(Some(End::Verdict(Verdict::Unknown(why))));
            }
            if !self.options.all_violations && self.failures.len() >= self.options.traces as usize {
                return Ok(Some(End::Verdict(Verdict::Violated)));
            }
            self.exclude(findings)?;
        }
        if !self.options.all_violations && !self.failures.is_empty() {
            return Ok(Some(End::Verdict(Verdict::Violated)));
        }
        if let Some(exhausted) = findings.exhausted {
            return Err(exhausted_words(exhausted).to_owned());
        }
        if self.satisfy(&findings.cuts)?.is_some() {
            self.safe = Some(self.bound);
            return Ok(None);
        }
        let reached: Vec<TermId> = findings.unsupported.iter().map(|it| it.guard).collect();
        if let Some(model) = self.satisfy(&reached)? {
            let mut evaluator = Evaluator::new(&self.engine.terms, &model);
            let met = findings.unsupported.iter().filter(|it| evaluator.holds(it.guard) == Ok(true));
            self.unsupported.extend(met.map(|it| UnsupportedPlace { what: it.what.clone(), site: it.site }));
            let what = self.unsupported.first().map_or("something", |it| it.what.as_str());
            return Ok(Some(End::Verdict(Verdict::Unknown(format!("{what} is not supported")))));
        }
        if let Some(note) = findings.notes.first() {
            return Ok(Some(End::Verdict(Verdict::Unknown(note.clone()))));
        }
        Ok(Some(End::Verdict(Verdict::Proved)))
    }

    /// Values of the open variables that make one of the formulas true.
    fn satisfy(&mut self, formulas: &[TermId]) -> Result<Option<Model>, String> {
        let open: Vec<TermId> = formulas.iter().copied().filter(|it| !self.refuted.contains(it)).collect();
        let terms = &mut self.engine.terms;
        let any = terms.or(&open);
        if any == terms.false_term() {
            return Ok(None);
        }
        let time = match self.options.time {
            Some(time) => match time.checked_sub(self.started.elapsed()) {
                Some(left) => Some(left),
                None => return Err("the time is up".to_owned()),
            },
            None => None,
        };
        self.solver.set_limits(Limits { time, memory: self.options.memory });
        match self.solver.check(terms, &[any]).map_err(|error| error.to_string())? {
            Outcome::Unsat => {
                self.refuted.extend(open);
                Ok(None)
            }
            Outcome::Unknown(why) => Err(why_words(&why)),
            Outcome::Sat => {
                let variables = variables_of(terms, any);
                self.solver.model(terms, &variables).map(Some).map_err(|error| error.to_string())
            }
        }
    }

    /// Runs the program on the model's inputs; it must fail.
    fn replay(&mut self, findings: &Findings, model: &Model) -> Result<(), String> {
        let mut evaluator = Evaluator::new(&self.engine.terms, model);
        let mut nondet = Vec::new();
        for input in &findings.inputs {
            if evaluator.holds(input.guard) == Ok(true) {
                let bits = evaluator.value(input.term).map_or(0, |value| bits(&value));
                nondet.push(NondetValue { source: Some(input.source.clone()), bits });
            }
        }
        let unwritten = unwritten(findings, &self.engine, model, &mut evaluator);
        let inputs = Inputs { nondet, exhausted: After::Zero, unwritten, ..Inputs::default() };
        let left = self.options.time.map(|time| time.saturating_sub(self.started.elapsed()));
        // What was left out may never end.
        let share = if self.left_out.0 > 0 { 4 } else { 1 };
        let time = left.map(|left| (left / share).max(Duration::from_secs(1)));
        let mut limits = exec::Limits { time, interrupt: self.options.interrupt.clone(), ..exec::Limits::default() };
        limits.steps /= u64::from(share * share * share);
        let mut recorder = TraceRecorder::default();
        let run = exec::run(self.program, &inputs, &limits, self.options.checks, &mut Discard, &mut recorder);
        let Some(violation) = run.violation().cloned() else {
            self.refuted_by_replay = true;
            return Err(format!("a violation was found that the executor does not confirm: {:?}", run.outcome));
        };
        let trace = recorder.finish();
        let path = paths::Path::of(findings, &mut evaluator, &violation, &trace);
        let known: Vec<&Failure> = self.failures.iter().filter(|it| same_place(&it.violation, &violation)).collect();
        let found_often = known.len() >= self.options.traces as usize;
        if found_often || self.repeated.len() >= MOST_REPEATED {
            return Err("the search found the same violation again".to_owned());
        }
        if known.iter().any(|it| it.path.repeats(&path)) {
            // Another check fails at the same place under the same conditions, such as an index and its access.
            let failing = findings.obligations.iter().filter(|it| evaluator.holds(it.formula) == Ok(true));
            self.repeated.extend(failing.map(|it| (it.kind, it.site, path.clone())));
            return Ok(());
        }
        let inputs = run.consumed.clone();
        self.failures.push(Failure { violation, inputs, run, trace, path });
        Ok(())
    }

    /// What to look for: violations that have not been found yet, or not on so many paths.
    fn open(&mut self, findings: &Findings) -> Vec<TermId> {
        let terms = &mut self.engine.terms;
        let mut open = Vec::new();
        for obligation in &findings.obligations {
            let known = |it: &&Failure| (it.violation.kind, it.violation.site) == (obligation.kind, obligation.site);
            let mut parts = vec![obligation.formula];
            parts.extend(self.failures.iter().filter(known).map(|it| it.path.left(terms)));
            let again = |it: &&(ViolationKind, Site, paths::Path)| (it.0, it.1) == (obligation.kind, obligation.site);
            parts.extend(self.repeated.iter().filter(again).map(|it| it.2.left(terms)));
            if !self.options.all_violations && !self.failures.is_empty() && parts.len() == 1 {
                continue;
            }
            open.push(terms.and(&parts));
        }
        open
    }

    /// Looks no more for the violations that were found often enough.
    fn exclude(&mut self, findings: &Findings) -> Result<(), String> {
        let found: Vec<_> = self.failures.iter().map(|it| (it.violation.kind, it.violation.site)).collect();
        for obligation in &findings.obligations {
            let count = found.iter().filter(|it| **it == (obligation.kind, obligation.site)).count();
            if count >= self.options.traces as usize {
                let not = self.engine.terms.not(obligation.formula);
                self.solver.assert(&self.engine.terms, not).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

/// What the objects of a model's execution hold before they are written: the bytes that matter.
fn unwritten(findings: &Findings, engine: &Engine<'_>, model: &Model, evaluator: &mut Evaluator<'_>) -> Vec<Unwritten> {
    let mut given: Vec<Unwritten> = Vec::new();
    let begun = findings.begun.iter().filter(|it| evaluator.holds(it.guard) == Ok(true));
    for (number, begun) in (0..).zip(begun) {
        for (offset, byte) in engine.first_bytes(begun.object) {
            let Some(value) = model.get(byte) else { continue };
            let (offset, byte) = (u64::from(offset), bits(value) as u8);
            let before =
                given.last_mut().filter(|it| (it.object, it.offset + it.bytes.len() as u64) == (number, offset));
            match before {
                Some(before) => before.bytes.push(byte),
                None => given.push(Unwritten { object: number, offset, bytes: vec![byte] }),
            }
        }
    }
    given
}

fn same_place(one: &Violation, other: &Violation) -> bool {
    (one.kind, one.at, one.expr) == (other.kind, other.at, other.expr)
}

fn exhausted_words(exhausted: Exhausted) -> &'static str {
    match exhausted {
        Exhausted::Time => "the time is up",
        Exhausted::Memory => "the memory is used up",
        Exhausted::Steps => "the number of steps is reached",
        Exhausted::Interrupted => "it was interrupted",
    }
}

fn why_words(why: &Why) -> String {
    match why {
        Why::Timeout => "the time is up".to_owned(),
        Why::Memory => "the memory is used up".to_owned(),
        Why::Interrupted => "it was interrupted".to_owned(),
        Why::Incomplete(words) => words.clone(),
    }
}

/// The variables that a term is made of.
fn variables_of(terms: &Terms, root: TermId) -> Vec<TermId> {
    let (mut open, mut seen, mut variables) = (vec![root], FxHashSet::default(), Vec::new());
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            if matches!(terms.op(term), Op::Variable(_)) {
                variables.push(term);
            }
            open.extend_from_slice(terms.arguments(term));
        }
    }
    variables.sort_unstable();
    variables
}

fn bits(value: &Value) -> u128 {
    match value {
        Value::Bool(value) => u128::from(*value),
        other => other.as_bit_vector().and_then(|value| value.to_u128()).unwrap_or(0),
    }
}
