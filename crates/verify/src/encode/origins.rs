//! Where the statements of an encoded trace come from.

use logic::control_flow::Origin;
use program::exec::{CommandRef, ViolationKind};
use program::{CTypeId, ExprId, Site, Type};

use super::walk::Cause;

/// What a statement was in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An assignment to a variable.
    Assignment,
    /// A write to memory.
    Store,
    /// The value of a global before the run.
    Initial,
    /// An argument of a call.
    Argument(u32),
    /// A value that a function returns.
    Return,
    /// A call's result arrives at the caller.
    Result,
    /// A value from outside.
    Input,
    /// What a library function wrote or returned, as a constant.
    Library,
    /// A branch that was taken: because its condition held, because it did not, or one of many.
    Guard(Option<bool>),
    /// A user's assumption.
    Assumption,
    /// Something that C or the user forbids and that did not happen.
    Passed(ViolationKind),
    /// What went wrong at last.
    Failure(ViolationKind),
    /// Sizes and lifetimes of objects, copies of whole objects: nothing that a user wrote.
    Bookkeeping,
}

impl Cause {
    /// The same place, for what nobody wrote.
    pub fn bookkeeping(self) -> Cause {
        Cause { what: What::Bookkeeping, ..self }
    }
}

impl What {
    /// Whether another value could stand here in the source.
    pub fn is_replaceable(self) -> bool {
        matches!(
            self,
            What::Assignment
                | What::Store
                | What::Initial
                | What::Argument(_)
                | What::Return
                | What::Result
                | What::Input
                | What::Library
        )
    }
}

/// A statement's place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub what: What,
    /// The command; none for what happened before the run.
    pub at: Option<CommandRef>,
    pub site: Site,
    /// The expression whose value is written, tested or checked.
    pub expr: Option<ExprId>,
    /// The last operand of a condition that begins with `expr`.
    pub until: Option<ExprId>,
    /// Which call of its function this is in, counted over the run.
    pub frame: u32,
    /// The variable or object that is written, in the program's words.
    pub target: Option<Target>,
}

/// What a statement writes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub name: String,
    pub ty: Type,
    pub ctype: Option<CTypeId>,
    /// What the run wrote.
    pub value: u128,
}

/// The places of all statements of a trace.
#[derive(Clone, Debug, Default)]
pub struct Places(Vec<Place>);

impl Places {
    pub fn add(&mut self, place: Place) -> Origin {
        self.0.push(place);
        Origin(self.0.len() as u32 - 1)
    }

    pub fn get(&self, origin: Origin) -> Option<&Place> {
        self.0.get(origin.0 as usize)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
