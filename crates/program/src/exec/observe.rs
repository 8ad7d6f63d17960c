//! Watching a run command by command.
//!
//! The machine is generic over its [`Observer`]; with [`Unobserved`], nothing of it remains in the
//! compiled loop. An observer is told of a command after it was executed, with what it did; of a call
//! both when it begins and when it has returned; of a terminator with the way that is taken. The
//! command of a violation is not told: the violation names it. An observer that wants it is also told of
//! objects that begin and end and of what library functions write, before the step that follows.

use super::memory::{Access, Address, Change, Memory};
use super::violation::CommandRef;

/// A command or terminator that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub at: CommandRef,
    /// Calls under way: 0 in `main`.
    pub depth: u32,
    pub effect: Effect,
}

/// What a command did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    /// The value that a variable got; for `Begin`, the object's address.
    Assigned(u128),
    Stored {
        address: Address,
        value: u128,
    },
    /// Bytes were copied or filled.
    Wrote {
        address: Address,
        length: u64,
    },
    /// The number of the successor: of a branch 0 for `then`, 1 for `otherwise`; of a switch the
    /// position of the case, or the number of cases for the default; of an indirect `goto` the
    /// position of the target.
    Guard(u32),
    /// A call begins; if the callee has a body, its steps come next.
    Called,
    /// On a `Return`, the first value returned; on a call, the first result, after the callee's steps.
    Returned(u128),
}

pub trait Observer {
    /// Whether commands are to be told at all.
    const ACTIVE: bool;
    /// Whether changes of memory are to be told too.
    const MEMORY: bool = false;

    /// Whether accesses to memory are to be told, too.
    const ACCESSES: bool = false;

    fn wants_accesses(&self) -> bool {
        Self::ACCESSES
    }

    fn step(&mut self, step: Step);

    /// Something happened to memory that no command says. Program commands that copy or fill are told, too.
    fn changed(&mut self, change: Change) {
        drop(change);
    }

    /// A step with the memory after it, and with the accesses that belong to it.
    fn watch(&mut self, step: Step, _memory: &Memory, _accesses: &[Access]) {
        self.step(step);
    }

    /// Accesses of the call that is under way, before the steps of the function that it enters: copies of
    /// arguments, and what a library function does before it calls back.
    fn between(&mut self, _memory: &Memory, _accesses: &[Access]) {}

    /// The run is over; what was accessed after the last step.
    fn ended(&mut self, _memory: &Memory, _accesses: &[Access]) {}
}

/// What an observer is told.
pub(super) enum Told<'a> {
    Step(Step, &'a Memory, &'a [Access]),
    Changed(Change),
    Between(&'a Memory, &'a [Access]),
    Ended(&'a Memory, &'a [Access]),
}

/// Any active observer. The machine is compiled for this and for [`Unobserved`] only: its loop is large,
/// and a call per step costs little beside the step.
pub(super) struct Observed<'a> {
    pub tell: &'a mut dyn FnMut(Told<'_>),
    pub accesses: bool,
}

impl Observer for Observed<'_> {
    const ACTIVE: bool = true;

    fn step(&mut self, _: Step) {
        unreachable!("the machine tells steps with their accesses");
    }

    fn changed(&mut self, change: Change) {
        (self.tell)(Told::Changed(change));
    }

    fn watch(&mut self, step: Step, memory: &Memory, accesses: &[Access]) {
        (self.tell)(Told::Step(step, memory, accesses));
    }

    fn wants_accesses(&self) -> bool {
        self.accesses
    }

    fn between(&mut self, memory: &Memory, accesses: &[Access]) {
        (self.tell)(Told::Between(memory, accesses));
    }

    fn ended(&mut self, memory: &Memory, accesses: &[Access]) {
        (self.tell)(Told::Ended(memory, accesses));
    }
}

/// Nobody is watching.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    const ACTIVE: bool = false;

    fn step(&mut self, _: Step) {}
}
