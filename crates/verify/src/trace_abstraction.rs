//! Checks programs by trace abstraction: proves them where loops have no bound, and finds many failing runs.
//!
//! Program → [`Report`], or [`Runs`]. The program is written as a graph (`program_graph`) and searched
//! (`automata`), first for violations, and if there are none, for anything on the way whose meaning is not
//! known. An error trace is a sequence of inputs; the concrete executor replays them, and only what fails
//! there is reported.

use std::time::{Duration, Instant};

use logic::control_flow::LocationId;
use logic::solver::Interrupter;
use logic::value::Value;
use program::Program;
use program::exec::{self, Discard, Exhausted, Inputs, NondetValue, TraceRecorder};

use crate::automata::{self, Budget, ErrorTrace, Outcome};
use crate::bmc::{Failure, Options, Report, Statistics, UnsupportedPlace, Verdict};
use crate::program_graph::{self, Ending, ProgramGraph};

/// Failing runs that take different paths.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// In the order in which they were found.
    pub failures: Vec<Failure>,
    /// Error traces that were found, those included that the executor did not confirm.
    pub traces: usize,
    /// Every failing run takes one of the found paths or one that resembles it.
    pub complete: bool,
    /// Why the search ended early, and what it could not follow.
    pub notes: Vec<String>,
    pub statistics: automata::Statistics,
}

impl Runs {
    /// How many traces there are, and whether they are all.
    pub fn words(&self) -> String {
        let count = self.failures.len();
        let traces = if count == 1 { "1 trace".to_owned() } else { format!("{count} traces") };
        match self.complete {
            true => format!("violated by {traces}; every other failing run resembles one of them"),
            false => format!("violated by {traces}; there may be more"),
        }
    }

    /// The same as a report that shows each violated place once.
    pub fn report(&self) -> Report {
        let mut failures: Vec<Failure> = Vec::new();
        for failure in &self.failures {
            let place = |it: &Failure| (it.violation.kind, it.violation.site);
            if !failures.iter().any(|it| place(it) == place(failure)) {
                failures.push(failure.clone());
            }
        }
        // That no trace remains was not checked as a proof is.
        let others = Verdict::Unknown("no other failing run was found".to_owned());
        let verdict = if failures.is_empty() { others.clone() } else { Verdict::Violated };
        let statistics = Statistics {
            steps: u64::from(self.statistics.rounds),
            solver_checks: self.statistics.checks,
            time: self.statistics.time,
            ..Statistics::default()
        };
        Report { verdict, others, failures, unsupported: Vec::new(), notes: self.notes.clone(), statistics }
    }
}

/// Checks a program.
pub fn check(program: &Program, options: &Options) -> Report {
    Search::new(program, options).check()
}

/// Finds failing runs, at most so many.
pub fn failing_runs(program: &Program, options: &Options, most: usize) -> Runs {
    Search::new(program, options).many(most)
}

struct Search<'p> {
    program: &'p Program,
    options: &'p Options,
    started: Instant,
    encoded: ProgramGraph,
    statistics: Statistics,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, options: &'p Options) -> Search<'p> {
        let started = Instant::now();
        let encoded = program_graph::encode(program, options.checks);
        Search { program, options, started, encoded, statistics: Statistics::default() }
    }

    fn check(mut self) -> Report {
        let mut failures = Vec::new();
        let mut unsupported = Vec::new();
        let verdict = match self.search(|ending| matches!(ending, Ending::Violation(..))) {
            Outcome::Unknown(why) => Verdict::Unknown(why),
            Outcome::ErrorTrace(trace) => match self.replay(&trace) {
                Some(failure) => {
                    failures.push(failure);
                    Verdict::Violated
                }
                None => Verdict::Unknown("a violation was found that the executor does not confirm".to_owned()),
            },
            Outcome::Proved(_) => self.complete(&mut unsupported),
        };
        let notes: Vec<String> = self.encoded.notes.iter().cloned().collect();
        let verdict = match (verdict, notes.first()) {
            (Verdict::Proved, Some(note)) => Verdict::Unknown(note.clone()),
            (verdict, _) => verdict,
        };
        self.statistics.terms = self.encoded.terms.len();
        self.statistics.time = self.started.elapsed();
        let others = match verdict {
            Verdict::Violated => Verdict::Unknown("the search ended at the first violation".to_owned()),
            _ => verdict.clone(),
        };
        Report { verdict, others, failures, unsupported, notes, statistics: self.statistics }
    }

    /// No violation can be reached: the rest of the proof is that nothing unknown can be.
    fn complete(&mut self, unsupported: &mut Vec<UnsupportedPlace>) -> Verdict {
        match self.search(|ending| matches!(ending, Ending::Inconclusive(..))) {
            Outcome::Proved(_) => Verdict::Proved,
            Outcome::Unknown(why) => Verdict::Unknown(why),
            Outcome::ErrorTrace(trace) => {
                let last = trace.edges.last().map(|&it| self.encoded.graph.edges()[it as usize].to);
                let Some(Ending::Inconclusive(what, site)) = last.and_then(|it| self.encoded.endings.get(&it)) else {
                    return Verdict::Unknown("something on the way".to_owned());
                };
                unsupported.push(UnsupportedPlace { what: what.clone(), site: *site });
                Verdict::Unknown(format!("{what} is not supported"))
            }
        }
    }

    /// Looks for a trace to the endings that are wanted.
    fn search(&mut self, wanted: impl Fn(&Ending) -> bool) -> Outcome {
        self.select(wanted);
        let budget = self.budget();
        let (outcome, cost) = automata::prove_or_find(&mut self.encoded.terms, &self.encoded.graph, &budget);
        self.statistics.steps += u64::from(cost.rounds);
        self.statistics.solver_checks += cost.checks;
        outcome
    }

    fn select(&mut self, wanted: impl Fn(&Ending) -> bool) {
        let errors: Vec<LocationId> =
            self.encoded.endings.iter().filter(|(_, ending)| wanted(ending)).map(|(&it, _)| it).collect();
        self.encoded.graph.errors = errors;
    }

    fn budget(&self) -> Budget {
        let interrupter = self.options.interrupt.clone().map_or_else(Interrupter::new, Interrupter::from);
        Budget {
            time: self.options.time.map(|time| time.saturating_sub(self.started.elapsed())),
            memory: self.options.memory,
            interrupter,
        }
    }

    fn many(mut self, most: usize) -> Runs {
        self.select(|ending| matches!(ending, Ending::Violation(..)));
        let budget = self.budget();
        let (found, statistics) = automata::error_traces(&mut self.encoded.terms, &self.encoded.graph, &budget, most);
        let mut runs = Runs { traces: found.traces.len(), complete: found.complete, statistics, ..Runs::default() };
        for trace in &found.traces {
            runs.failures.extend(self.replay(trace));
        }
        runs.notes.extend(found.stopped);
        let mut unknown: Vec<String> = self
            .encoded
            .endings
            .values()
            .filter_map(|ending| match ending {
                Ending::Inconclusive(what, _) => Some(format!("not followed: {what}")),
                Ending::Violation(..) => None,
            })
            .collect();
        unknown.sort();
        unknown.dedup();
        runs.notes.extend(unknown);
        if runs.failures.len() < runs.traces {
            let open = runs.traces - runs.failures.len();
            runs.notes.push(format!("{open} of the traces were not confirmed by the executor"));
        }
        runs
    }

    /// Runs the program on a trace's inputs; nothing if it does not fail.
    fn replay(&self, trace: &ErrorTrace) -> Option<Failure> {
        let input = |(position, value): &(usize, Value)| {
            let source = self.encoded.inputs.get(&trace.edges[*position])?;
            Some(NondetValue { source: Some(source.clone()), bits: bits(value) })
        };
        let nondet: Vec<NondetValue> = trace.chosen.iter().filter_map(input).collect();
        let inputs = Inputs { nondet, exhausted: Exhausted::Zero, ..Inputs::default() };
        let time = self.options.time.map(|time| {
            let left = time.saturating_sub(self.started.elapsed());
            left.max(Duration::from_secs(1))
        });
        let limits = exec::Limits { time, interrupt: self.options.interrupt.clone(), ..exec::Limits::default() };
        let mut recorder = TraceRecorder::default();
        let run = exec::run(self.program, &inputs, &limits, self.options.checks, &mut Discard, &mut recorder);
        let violation = run.violation().cloned()?;
        let inputs = run.consumed.clone();
        Some(Failure::new(violation, inputs, run, recorder.finish()))
    }
}

fn bits(value: &Value) -> u128 {
    match value {
        Value::Bool(value) => u128::from(*value),
        other => other.as_bit_vector().and_then(|value| value.to_u128()).unwrap_or(0),
    }
}
