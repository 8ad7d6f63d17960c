//! Slicing of traces: which steps of a failing run matter for the violation.
//!
//! A program and the inputs of a run that fails → a [`Slice`]: the steps on which the failing operation
//! depends, by data (variables, bytes of memory, arguments, results, an object's life) and by control (the
//! branch that led there, the call that is under way). The run is repeated in the executor, which tells what
//! each step reads and writes; step numbers are those of a [`program::exec::Trace`] of the same run.
//!
//! What holds: run along the same path, the slice's steps alone give the failing operation the same operands.
//! It is a dynamic slice (Agrawal and Horgan, *Dynamic Program Slicing*, 1990): an assignment that would have
//! happened on another path is no part of it. A library function is one step: what it writes depends on all
//! that it reads; one that keeps a state of its own (`rand`, `strtok`, input) depends on the calls before it.

mod criterion;
mod dependence;
mod library;
pub(crate) mod postdominators;

use program::Program;
use program::exec::{Checks, Discard, Executor, Inputs, Limits};

use dependence::Recorder;

/// The steps of a run that matter for its violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    relevant: Vec<bool>,
}

impl Slice {
    /// Whether the failing operation depends on the step with this number, counted from 0.
    pub fn contains(&self, step: usize) -> bool {
        self.relevant.get(step).copied().unwrap_or(false)
    }

    /// Steps of the run.
    pub fn steps(&self) -> usize {
        self.relevant.len()
    }

    /// Steps in the slice.
    pub fn len(&self) -> usize {
        self.relevant.iter().filter(|&&relevant| relevant).count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Repeats a run and slices it. `None` if the run does not end at a violation.
pub fn slice(program: &Program, inputs: &Inputs, limits: &Limits, checks: Checks) -> Option<Slice> {
    let mut recorder = Recorder::new(program);
    let run = Executor::new(program, checks).run(inputs, limits, &mut Discard, &mut recorder);
    let violation = run.violation()?;
    let roots = criterion::nodes(&recorder, violation);
    Some(Slice { relevant: recorder.reached(&roots) })
}
