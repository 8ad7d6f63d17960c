//! Runs cases in the executor: as it is, or with changes made.
//!
//! A program that was instrumented, cases → who passes. A run that does not end within the steps, or that ends
//! with a violation, fails; one whose inputs the contract does not allow does not count.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use program::Program;
use program::exec::{Captured, Checks, Executor, Limits, Outcome, Unobserved, ViolationKind};

use crate::cases::{Case, Given};
use crate::driver::{REACHED, Slot};
use observe::detect::same_output;

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With a number that stands for what came out.
    Passed(i32),
    Failed(String),
    /// The inputs are not allowed.
    Void,
    /// The place that was asked for was reached.
    Reached,
}

pub struct Trial<'p> {
    executor: Executor<'p>,
    slots: &'p [Slot],
    pub steps: u64,
    pub runs: u64,
    /// Which rule of C the last run broke.
    pub broken: Option<ViolationKind>,
}

/// What a run may use, whatever is asked for.
const MEMORY: u64 = 256 << 20;
const OUTPUT: u64 = 1 << 20;

impl<'p> Trial<'p> {
    pub fn new(program: &'p Program, slots: &'p [Slot], checks: Checks, steps: u64) -> Trial<'p> {
        Trial { executor: Executor::new(program, checks), slots, steps, runs: 0, broken: None }
    }

    /// Runs one case with up to two changes.
    pub fn run(&mut self, case: &Case, choices: [(u32, u32); 2]) -> Ended {
        self.runs += 1;
        let limits = Limits { steps: self.steps, memory: MEMORY, output: OUTPUT, depth: 10_000, ..Limits::default() };
        let mut output = Captured::default();
        let run = self.executor.run(&case.inputs(self.slots, choices), &limits, &mut output, &mut Unobserved);
        self.broken = match &run.outcome {
            Outcome::Violated(violation) | Outcome::Undefined(violation) => Some(violation.kind),
            _ => None,
        };
        match run.outcome {
            Outcome::Exited(REACHED) => Ended::Reached,
            Outcome::Exited(status) => match &case.given {
                Given::Run { stdout, .. } if !same_output(&output.standard, stdout) => {
                    Ended::Failed("another output than expected".to_owned())
                }
                Given::Run { .. } => Ended::Passed(0),
                Given::Call { .. } => Ended::Passed(status),
            },
            Outcome::AssumptionFailed { .. } => Ended::Void,
            other => Ended::Failed(words(&other)),
        }
    }

    /// A number for all that can be seen of a run, whatever is expected of it.
    pub fn seen(&mut self, case: &Case, choices: [(u32, u32); 2]) -> u64 {
        self.runs += 1;
        let limits = Limits { steps: self.steps, memory: MEMORY, output: OUTPUT, depth: 10_000, ..Limits::default() };
        let mut output = Captured::default();
        let run = self.executor.run(&case.inputs(self.slots, choices), &limits, &mut output, &mut Unobserved);
        let mut hasher = DefaultHasher::new();
        match &run.outcome {
            Outcome::Exited(status) => {
                String::from_utf8_lossy(&output.standard).trim_end().hash(&mut hasher);
                if matches!(case.given, Given::Call { .. }) {
                    status.hash(&mut hasher);
                }
            }
            other => words(other).hash(&mut hasher),
        }
        hasher.finish()
    }

    /// Steps of the longest run that ends, for a limit that fits the program.
    pub fn longest(&mut self, cases: &[Case]) -> u64 {
        let limits = Limits { steps: self.steps, memory: MEMORY, output: OUTPUT, depth: 10_000, ..Limits::default() };
        let steps = |case: &Case| {
            let inputs = case.inputs(self.slots, [(0, 0); 2]);
            let run = self.executor.run(&inputs, &limits, &mut Captured::default(), &mut Unobserved);
            if matches!(run.outcome, Outcome::Exited(_)) { run.steps } else { 0 }
        };
        cases.iter().map(steps).max().unwrap_or(0)
    }

    /// Whether a change passes all cases; those that failed before come first. What came out, if it does.
    pub fn passes(&mut self, cases: &[Case], choices: [(u32, u32); 2], deadline: Instant) -> Option<Vec<i32>> {
        let mut outputs = Vec::with_capacity(cases.len());
        for (index, case) in cases.iter().enumerate() {
            if index % 64 == 63 && Instant::now() > deadline {
                return None;
            }
            match self.run(case, choices) {
                Ended::Passed(output) => outputs.push(output),
                Ended::Void => outputs.push(0),
                Ended::Failed(_) | Ended::Reached => return None,
            }
        }
        Some(outputs)
    }
}

fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violated(violation) | Outcome::Undefined(violation) => match (&violation.kind, &violation.detail) {
            (ViolationKind::Assert, program::exec::Detail::Message(message)) => format!("`{message}` does not hold"),
            (kind, _) => kind.name().replace('-', " "),
        },
        Outcome::Limit(program::exec::LimitKind::Steps) => "it does not end".to_owned(),
        Outcome::Limit(kind) => format!("it needs more than it may use ({kind:?})").to_lowercase(),
        Outcome::Aborted => "it aborts".to_owned(),
        Outcome::Unsupported { .. } => "it reaches what is not supported".to_owned(),
        other => format!("it ends otherwise ({other:?})"),
    }
}
