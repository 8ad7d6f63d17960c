//! Guarded commands: what happens on the way through a function.
//!
//! A block is a sequence of commands and one terminator. Each outgoing edge of a `Branch` or a
//! `Switch` is a guard: going that way means that its condition held.

use crate::{BitField, BlockId, ExprId, FunctionId, LocalId, Site, UnsupportedId, VarId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub kind: CommandKind,
    /// The place of the assignment's operator, the declaration, the call.
    pub site: Site,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    Assign {
        target: VarId,
        value: ExprId,
    },
    /// Writes a value of its own type's size; with `bits`, only these bits of the storage unit.
    Store {
        address: ExprId,
        value: ExprId,
        bits: Option<BitField>,
    },
    /// Any value of the variable's type: an input. `source` is the C function that stands for it.
    Havoc {
        target: VarId,
        source: Box<str>,
    },
    /// Executions in which the condition is false do not count.
    Assume(ExprId),
    /// A user's condition that must hold.
    Assert {
        condition: ExprId,
        message: Box<str>,
    },
    /// A failure that the program itself reports: a failed `assert`, `reach_error()`.
    /// Execution ends here.
    Fail(Failure),
    Call(Call),
    /// Copies bytes between objects as they are, written or not.
    Copy {
        destination: ExprId,
        source: ExprId,
        size: ExprId,
        may_overlap: bool,
    },
    Fill {
        destination: ExprId,
        byte: ExprId,
        size: ExprId,
    },
    /// A stack object of computed size (variable-length array, `alloca`); it lives until the stack
    /// is released below it or the function returns.
    Allocate {
        target: VarId,
        size: ExprId,
        align: u32,
    },
    /// Remembers how far the stack of computed-size objects has grown.
    StackMark {
        target: VarId,
    },
    /// Ends all computed-size objects that are younger than the mark.
    StackRelease {
        mark: ExprId,
    },
    /// The variable's scope is entered: its value is indeterminate again.
    Declare(VarId),
    /// The object's scope is entered: it is alive and its bytes are unwritten.
    Begin(LocalId),
    /// The object's scope is left: pointers to it dangle.
    End(LocalId),
    /// Prepares the `va_list` at this address for the function's unnamed arguments.
    VaStart {
        list: ExprId,
    },
    /// A construct that has no meaning here. Reaching it makes the verdict inconclusive.
    Unsupported(UnsupportedId),
}

/// A call. External functions have no body; engines know them by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// One variable per scalar that the function returns; empty if nobody wants the result.
    pub targets: Vec<VarId>,
    pub callee: Callee,
    pub arguments: Vec<Argument>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    Direct(FunctionId),
    Indirect(ExprId),
}

/// An argument: a scalar, or the address of an object of which the callee gets its own copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    Scalar(ExprId),
    Copied { address: ExprId, size: u64, align: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// The text of the failed assertion, or the name of the error function.
    pub message: Box<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    Assertion,
    ErrorCall,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminator {
    pub kind: TerminatorKind,
    pub site: Site,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminatorKind {
    Goto(BlockId),
    Branch {
        condition: ExprId,
        then: BlockId,
        otherwise: BlockId,
    },
    /// The cases' values are distinct and have the type of `value`.
    Switch {
        value: ExprId,
        cases: Vec<(u128, BlockId)>,
        default: BlockId,
    },
    /// GNU's `goto *address`; the address is that of one of the targets' labels.
    IndirectGoto {
        address: ExprId,
        targets: Vec<BlockId>,
    },
    Return(Vec<ExprId>),
    /// Control never gets here; if it does, that is a violation.
    Unreachable,
}
