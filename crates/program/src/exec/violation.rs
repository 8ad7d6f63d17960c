//! Violations: what went wrong in a run, where, and with which values.
//!
//! A model or an operation raises a [`Fault`]; the machine adds the place and the call stack and
//! makes a [`Violation`] of it. Violations are data; the report makes words of them.

use super::memory::{FaultKind, MemoryFault, ObjectInfo};
use crate::{BinaryOp, BlockId, ExprId, FunctionId, Sign, Site, Type};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $property:literal;)*) => {
        /// What can be wrong with an execution.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum ViolationKind {
            $($(#[$doc])* $kind,)*
        }

        impl ViolationKind {
            pub const ALL: &'static [ViolationKind] = &[$(ViolationKind::$kind),*];

            /// The name in output and options.
            pub fn name(self) -> &'static str {
                match self {
                    $(ViolationKind::$kind => $name,)*
                }
            }

            /// SV-COMP's name of the property that is violated, or our own where it has none.
            pub fn property(self) -> &'static str {
                match self {
                    $(ViolationKind::$kind => $property,)*
                }
            }
        }
    };
}

kinds! {
    /// An `assert` or a user's condition failed.
    Assert = "assert", "unreach-call";
    /// An error function was called.
    ErrorCall = "error-call", "unreach-call";
    OutOfBoundsBelow = "out-of-bounds-below", "valid-deref";
    OutOfBoundsAbove = "out-of-bounds-above", "valid-deref";
    NullDereference = "null-dereference", "valid-deref";
    UseAfterFree = "use-after-free", "valid-deref";
    UseAfterScope = "use-after-scope", "valid-deref";
    /// An access through a number that is no object's address.
    WildPointer = "wild-pointer", "valid-deref";
    WriteToConstant = "write-to-constant", "valid-deref";
    /// An index outside the declared bounds of its array.
    ArrayIndex = "array-index", "valid-deref";
    DoubleFree = "double-free", "valid-free";
    InvalidFree = "invalid-free", "valid-free";
    Uninitialized = "uninitialized", "uninitialized";
    /// A library function got a string without an end, overlapping buffers and the like.
    StringFunction = "string-function", "valid-deref";
    DivisionByZero = "division-by-zero", "division-by-zero";
    Overflow = "overflow", "no-overflow";
    /// A shift by the width or more.
    Shift = "shift", "shift";
    /// A float that does not fit the integer type that it is converted to.
    FloatConversion = "float-conversion", "float-conversion";
    /// An integer that its narrower type can hold neither as a signed nor as an unsigned number.
    ConversionOverflow = "conversion-overflow", "conversion-overflow";
    BitCountOfZero = "bit-count-of-zero", "bit-count-of-zero";
    Unreachable = "unreachable", "unreachable";
    /// A call through a bad pointer or with arguments that the callee cannot take.
    BadCall = "bad-call", "valid-deref";
    /// Heap memory that is still alive at the end.
    Leak = "leak", "valid-memcleanup";
    /// Recursion deeper than the stack.
    StackOverflow = "stack-overflow", "stack-overflow";
}

impl ViolationKind {
    pub fn from_name(name: &str) -> Option<ViolationKind> {
        ViolationKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

impl From<FaultKind> for ViolationKind {
    fn from(kind: FaultKind) -> ViolationKind {
        match kind {
            FaultKind::Null => ViolationKind::NullDereference,
            FaultKind::Wild => ViolationKind::WildPointer,
            FaultKind::Below => ViolationKind::OutOfBoundsBelow,
            FaultKind::Above => ViolationKind::OutOfBoundsAbove,
            FaultKind::Freed => ViolationKind::UseAfterFree,
            FaultKind::OutOfScope => ViolationKind::UseAfterScope,
            FaultKind::Constant => ViolationKind::WriteToConstant,
            FaultKind::Uninitialized => ViolationKind::Uninitialized,
            FaultKind::Unterminated => ViolationKind::StringFunction,
            FaultKind::DoubleFree => ViolationKind::DoubleFree,
            FaultKind::InvalidFree => ViolationKind::InvalidFree,
            FaultKind::NotAFunction => ViolationKind::BadCall,
        }
    }
}

/// The checks that are on. An execution goes on as the machine does after a violation whose check is
/// off, where the machine has a definite answer; else it ends as
/// [`Outcome::Undefined`](super::Outcome::Undefined).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks(u32);

impl Checks {
    pub const ALL: Checks = Checks(u32::MAX);
    pub const NONE: Checks = Checks(0);

    pub fn has(self, kind: ViolationKind) -> bool {
        self.0 >> kind as u8 & 1 != 0
    }

    #[must_use]
    pub const fn with(self, kind: ViolationKind) -> Checks {
        Checks(self.0 | 1 << kind as u8)
    }

    #[must_use]
    pub const fn without(self, kind: ViolationKind) -> Checks {
        Checks(self.0 & !(1 << kind as u8))
    }
}

impl Default for Checks {
    /// Everything but leaks, since most programs leave their memory to the system, and narrowing conversions, which
    /// C defines and programs mean.
    fn default() -> Checks {
        Checks::ALL.without(ViolationKind::Leak).without(ViolationKind::ConversionOverflow)
    }
}

/// A scalar with its type; the bits above the type's width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub bits: u128,
    pub ty: Type,
}

impl Value {
    pub fn new(bits: u128, ty: Type) -> Value {
        Value { bits: bits & ty.mask(), ty }
    }

    /// The bits read as a two's complement number.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.ty.bits();
        (self.bits << unused) as i128 >> unused
    }
}

/// The values that show why it is a violation.
#[derive(Clone, Debug, PartialEq)]
pub enum Detail {
    None,
    /// The assertion's text, or words of a library model.
    Message(String),
    Memory(MemoryFault),
    /// A variable was read before anything was assigned to it.
    Variable(crate::VarId),
    /// `-operand` or `|operand|` of the least number.
    Unary {
        operand: Value,
    },
    Binary {
        operation: BinaryOp,
        left: Value,
        right: Value,
        sign: Sign,
    },
    Index {
        index: i64,
        count: u64,
        dereferenced: bool,
    },
    Conversion {
        operand: Value,
        target: Type,
        sign: Sign,
    },
    Leaked {
        objects: Vec<ObjectInfo>,
    },
    StackOverflow {
        depth: u32,
        bytes: u64,
    },
    /// The called function and what did not fit.
    Call {
        function: Option<FunctionId>,
        problem: String,
    },
}

/// A violation without its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub kind: ViolationKind,
    pub detail: Detail,
}

impl Fault {
    pub fn new(kind: ViolationKind, detail: Detail) -> Box<Fault> {
        Box::new(Fault { kind, detail })
    }

    pub fn message(kind: ViolationKind, message: impl Into<String>) -> Box<Fault> {
        Fault::new(kind, Detail::Message(message.into()))
    }
}

impl From<Box<MemoryFault>> for Box<Fault> {
    fn from(fault: Box<MemoryFault>) -> Box<Fault> {
        Fault::new(fault.kind.into(), Detail::Memory(*fault))
    }
}

/// A command or, if `index` is the number of commands, the terminator of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandRef {
    pub function: FunctionId,
    pub block: BlockId,
    pub index: u32,
}

/// A call that was under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEntry {
    pub function: FunctionId,
    /// The call in this function that leads to the next entry; for the innermost, the violation.
    pub at: CommandRef,
    pub site: Site,
}

/// A violation in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    pub kind: ViolationKind,
    pub detail: Detail,
    pub at: CommandRef,
    /// The operation, where it is an expression's.
    pub expr: Option<ExprId>,
    /// Where the operation stands in the source; where it has no place, where its command stands.
    pub site: Site,
    /// Outermost first.
    pub stack: Vec<StackEntry>,
}
