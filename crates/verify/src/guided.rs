//! Guided search: whether an execution that a witness describes fails, or how far the witness can be followed.
//!
//! Products of the program with the witness ([`Carrier`]) → [`Followed`]. The product is checked like any program;
//! what makes it fail is run once more in the program itself, and only that run is reported. If nothing is found,
//! [`furthest`] looks for the first state that no execution reaches, by halving: what was reached before it is
//! where the witness goes wrong. Not here: how a product is made.

use std::time::{Duration, Instant};

use program::exec::{self, Checks, Discard, TraceRecorder, ViolationKind};
use program::{GlobalId, Program};

use crate::bmc::{self, Failure, Options, Verdict};

/// A program that carries a witness: a violation is meant where this byte of this object is not zero.
pub struct Product {
    pub program: Program,
    pub flag: (GlobalId, u64),
}

/// Makes products of one program with one witness.
pub trait Carrier {
    /// A violation that the witness leads to counts.
    fn to_violation(&self) -> Product;
    /// Reaching this state of the witness is a failed assertion.
    fn to_state(&self, state: u32) -> Product;
    /// The states on the way to the violation, the first one first.
    fn states(&self) -> Vec<u32>;
}

/// What came of following a witness to its end.
pub struct Followed {
    /// The violation that it leads to, replayed.
    pub failure: Option<Failure>,
    /// Why there is none, where the search could not tell.
    pub why: Option<String>,
    pub report: bmc::Report,
}

/// Where a witness goes wrong: an execution reaches the first state, and none was found that reaches the second;
/// without a second one, all states are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    pub reached: u32,
    pub missed: Option<u32>,
}

/// Looks for a violation that the witness leads to.
pub fn follow(program: &Program, carrier: &impl Carrier, options: &Options) -> Followed {
    let started = Instant::now();
    let product = carrier.to_violation();
    let search = Options { only_where: Some(product.flag), all_violations: false, traces: 1, ..options.clone() };
    let mut report = bmc::check(&product.program, &search);
    let found = report.failures.pop();
    let failure = found.as_ref().and_then(|found| replay(program, found, options, started));
    let why = match &report.verdict {
        _ if found.is_some() => Some("the program does not fail on the inputs that were found".to_owned()),
        Verdict::Unknown(why) => Some(why.clone()),
        Verdict::Bounded(_) => Some("the search ended before all executions were seen".to_owned()),
        Verdict::Proved | Verdict::Violated => None,
    };
    Followed { failure, why, report }
}

/// Runs the program itself on the inputs that made the product fail.
fn replay(program: &Program, found: &Failure, options: &Options, started: Instant) -> Option<Failure> {
    let inputs = found.run.replay();
    let limits = exec::Limits {
        time: left(options, started).map(|time| time.max(Duration::from_secs(1))),
        interrupt: options.interrupt.clone(),
        ..exec::Limits::default()
    };
    let mut recorder = TraceRecorder::default();
    let run = exec::run(program, &inputs, &limits, options.checks, &mut Discard, &mut recorder);
    let violation = run.violation()?.clone();
    let mut failure = found.clone();
    failure.violation = violation;
    failure.inputs = run.consumed.clone();
    failure.run = run;
    failure.trace = recorder.finish();
    Some(failure)
}

fn left(options: &Options, started: Instant) -> Option<Duration> {
    options.time.map(|time| time.saturating_sub(started.elapsed()))
}

/// Halves the way until the last state is known that an execution reaches.
pub fn furthest(carrier: &impl Carrier, options: &Options, bound: u32) -> Lost {
    let started = Instant::now();
    let states = carrier.states();
    let reaches = |state: u32| -> bool {
        let product = carrier.to_state(state);
        let search = Options {
            checks: Checks::NONE.with(ViolationKind::Assert),
            // Deeper than the search for the violation went, nothing is known either.
            max_bound: bound.max(1),
            time: Some(left(options, started).map_or(PROBE, |time| (time / 2).min(PROBE))),
            only_where: Some(product.flag),
            all_violations: false,
            traces: 1,
            ..options.clone()
        };
        !bmc::check(&product.program, &search).failures.is_empty()
    };
    let (mut reached, mut missed) = (0, states.len());
    while missed - reached > 1 {
        let middle = reached + (missed - reached) / 2;
        if reaches(states[middle]) {
            reached = middle;
        } else {
            missed = middle;
        }
    }
    Lost { reached: states.get(reached).copied().unwrap_or(0), missed: states.get(missed).copied() }
}

/// The time for looking whether one state is reached.
const PROBE: Duration = Duration::from_secs(20);
