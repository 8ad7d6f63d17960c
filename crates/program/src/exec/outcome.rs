//! How a run ends and what is known about it then; the limits that it has to keep.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::inputs::{Consumed, Inputs, Mismatch};
use super::memory::Given;
use super::violation::{CommandRef, Violation};
use crate::{Site, UnsupportedId};

/// What a run may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Commands and terminators.
    pub steps: u64,
    /// Bytes of live objects.
    pub memory: u64,
    /// Bytes written to standard output and standard error.
    pub output: u64,
    /// Calls under way.
    pub depth: u32,
    /// Bytes of the call stack, counted about as the machine's frames are laid out.
    pub stack: u64,
    pub time: Option<Duration>,
    /// Set from outside to end the run.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 10_000_000_000,
            memory: 1 << 30,
            output: 64 << 20,
            depth: 1 << 20,
            stack: 8 << 20,
            time: None,
            interrupt: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    Steps,
    Memory,
    /// Values that the program leaves open, which are kept.
    Values,
    Output,
    /// Of calls, with the check for stack overflow off.
    Depth,
    Time,
    Interrupted,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// `main` returned or `exit` was called.
    Exited(i32),
    /// `abort` was called, or a signal that kills.
    Aborted,
    Violated(Box<Violation>),
    /// The behaviour is undefined from here on, and the check that would report it is off.
    Undefined(Box<Violation>),
    /// The inputs do not count: an assumption does not hold.
    AssumptionFailed {
        at: CommandRef,
        site: Site,
    },
    Limit(LimitKind),
    /// A construct without a meaning here was reached.
    Unsupported {
        at: CommandRef,
        site: Site,
        what: UnsupportedReason,
    },
    /// More values were asked for than were given.
    InputExhausted {
        at: CommandRef,
        site: Site,
    },
    /// The program has no `main` that could be run.
    NoMain,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnsupportedReason {
    Construct(UnsupportedId),
    /// A library function asked for something that its model does not do.
    Library(String),
}

/// Something that weakens what the run says about the real program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// An external function without a model was called; its result came from the inputs.
    UnmodelledFunction { name: String, site: Site },
    /// An object that is defined nowhere; it began with zeros.
    UnknownObject { name: String },
    /// A model's answer differs from a real system's, in these words.
    Imprecise { what: String, site: Site },
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// Commands and terminators that were executed.
    pub steps: u64,
    /// The open values, in order.
    pub consumed: Vec<Consumed>,
    /// What memory was given that it held before it was written.
    pub unwritten: Vec<Given>,
    /// The first given value that was made for another function.
    pub mismatch: Option<Mismatch>,
    /// Each once, in order of first occurrence.
    pub notes: Vec<Note>,
    /// Where the run was when it ended.
    pub ended_at: Site,
    /// The files that it has seen or made, with their contents at the end.
    pub files: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Run {
    /// A run that could not begin.
    pub(super) fn without_steps(outcome: Outcome) -> Run {
        Run {
            outcome,
            steps: 0,
            consumed: Vec::new(),
            unwritten: Vec::new(),
            mismatch: None,
            notes: Vec::new(),
            ended_at: Site::NONE,
            files: BTreeMap::new(),
        }
    }

    /// Inputs for the same run again, if it had no other inputs than open values.
    pub fn replay(&self) -> Inputs {
        Inputs {
            nondet: self.consumed.iter().map(Consumed::replay).collect(),
            unwritten: self.unwritten.iter().map(|given| given.bytes.clone()).collect(),
            ..Inputs::default()
        }
    }

    /// The outcome may not be the real program's.
    pub fn inconclusive(&self) -> bool {
        !self.notes.is_empty() || matches!(self.outcome, Outcome::Unsupported { .. })
    }

    /// What the shell would see, where the outcome decides that.
    pub fn exit_status(&self) -> Option<i32> {
        match self.outcome {
            Outcome::Exited(status) => Some(status & 0xff),
            Outcome::Aborted => Some(134),
            _ => None,
        }
    }

    pub fn violation(&self) -> Option<&Violation> {
        match &self.outcome {
            Outcome::Violated(violation) => Some(violation),
            _ => None,
        }
    }
}
