//! A failing run, step by step, with what happened to memory: the input of the encoder.

use program::Program;
use program::exec::memory::Change;
use program::exec::{self, Checks, Inputs, Limits, Observer, Output, Run, Step};

/// Steps after which a run is too long to be written as a formula.
pub const MOST_STEPS: usize = 2_000_000;

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Entry {
    Step(Step),
    Changed(Change),
}

/// What happened, in order. Changes of memory stand before the step that made them, except for those of a
/// call, which come after the step that says that it begins.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub entries: Vec<Entry>,
    pub steps: usize,
}

impl Recording {
    /// The run was too long: its end is missing.
    pub fn is_truncated(&self) -> bool {
        self.steps > MOST_STEPS
    }
}

impl Observer for Recording {
    const ACTIVE: bool = true;
    const MEMORY: bool = true;

    fn step(&mut self, step: Step) {
        self.steps += 1;
        if !self.is_truncated() {
            self.entries.push(Entry::Step(step));
        }
    }

    fn changed(&mut self, change: Change) {
        if !self.is_truncated() {
            self.entries.push(Entry::Changed(change));
        }
    }
}

/// Runs a program and records it.
pub fn record(
    program: &Program,
    inputs: &Inputs,
    limits: &Limits,
    checks: Checks,
    output: &mut dyn Output,
) -> (Run, Recording) {
    let mut recording = Recording::default();
    let run = exec::run(program, inputs, limits, checks, output, &mut recording);
    (run, recording)
}
