//! Faults: what was wrong with an access to memory, and which object it concerned.

use std::fmt;

use super::{Address, ObjectId};
use crate::{FunctionId, GlobalId, LocalId, Site};

/// What an object is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Global(GlobalId),
    Local {
        function: FunctionId,
        local: LocalId,
    },
    /// A variable-length array or `alloca` of this function.
    Computed(FunctionId),
    /// The callee's own copy of a struct argument.
    CopiedArgument(FunctionId),
    /// The arguments' areas behind a `va_list`.
    VariableArguments(FunctionId),
    Heap,
    Function(FunctionId),
    /// Memory that the C library or the system owns: `argv`, a `FILE`, the buffer of `strerror`.
    Library(&'static str),
}

/// Whether an object can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Alive,
    /// Given back with `free` or the like.
    Freed,
    /// A local whose scope or function was left.
    OutOfScope,
}

/// An access that C does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFault {
    pub kind: FaultKind,
    /// Where the access began.
    pub address: Address,
    /// The bytes that were to be accessed; 0 where that has no meaning.
    pub length: u64,
    pub write: bool,
    /// The object that the address belongs to, if there is one.
    pub object: Option<ObjectInfo>,
}

/// An object as a message shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectInfo {
    pub id: ObjectId,
    pub kind: ObjectKind,
    pub size: u64,
    /// Of the access, from the object's start; for [`FaultKind::Uninitialized`], of the first byte
    /// that was not written.
    pub offset: i64,
    pub life: Life,
    /// Where it was allocated or declared.
    pub allocated: Site,
    /// Where it was freed or left.
    pub ended: Site,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// Through null or within 2 GiB of it.
    Null,
    /// Through a number that is no object's address.
    Wild,
    /// Before the object's first byte.
    Below,
    /// Past the object's last byte.
    Above,
    Freed,
    OutOfScope,
    /// A write to an object that must not change.
    Constant,
    /// Bytes were read that nothing has written.
    Uninitialized,
    /// No terminating null up to the object's end.
    Unterminated,
    DoubleFree,
    /// Freed something else than the start of a heap object.
    InvalidFree,
    /// A call through an address that is no function's.
    NotAFunction,
}

impl FaultKind {
    /// The fault in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            FaultKind::Null => "null pointer dereferenced",
            FaultKind::Wild => "pointer to no object dereferenced",
            FaultKind::Below => "access before the start of the object",
            FaultKind::Above => "access past the end of the object",
            FaultKind::Freed => "access to freed memory",
            FaultKind::OutOfScope => "access to an object that is out of scope",
            FaultKind::Constant => "write to a constant",
            FaultKind::Uninitialized => "read of uninitialized memory",
            FaultKind::Unterminated => "string without a terminating null",
            FaultKind::DoubleFree => "memory freed twice",
            FaultKind::InvalidFree => "freed pointer is not the start of a heap object",
            FaultKind::NotAFunction => "call through a pointer that is not a function",
        }
    }
}

impl fmt::Display for MemoryFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at {}", self.kind.describe(), self.address)
    }
}

impl std::error::Error for MemoryFault {}
