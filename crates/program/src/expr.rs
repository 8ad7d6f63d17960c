//! Expressions: typed trees without side effects.
//!
//! Nodes live in their function's arena and are named by [`ExprId`]. A node is used by exactly one
//! parent, so every node has one place in the source. Evaluation order inside a tree does not
//! matter: nothing in it writes. Operations that C leaves undefined (signed overflow, division by
//! zero, a load through a bad pointer) are violations where they are evaluated.

use crate::{FunctionId, GlobalId, LocalId, Site, Type, VarId};

/// A node of a function's expression arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    /// The place of the operator, the variable's name or the like; [`Site::NONE`] for constants.
    pub site: Site,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// The bits of an integer, a float or a pointer (null is 0), within the type's mask.
    Constant(u128),
    Variable(VarId),
    /// The address of an object's first byte, of a function, or of a label.
    Address(Object),
    /// The value in memory at `address`.
    Load(Load),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    /// Converts to the node's own type.
    Cast(CastOp, ExprId),
    /// `condition ? then : otherwise`, with both sides evaluated.
    Select {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// The address `base + index * stride`.
    Index(Index),
    /// The address of a member: `base + offset`.
    Field(Field),
    Apply(Builtin, Box<[ExprId]>),
}

/// A read of memory; the node's type says how much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub address: ExprId,
    /// Only these bits of the storage unit, extended to the node's type.
    pub bits: Option<BitField>,
    /// An object representation on the move (a struct in registers): bytes that were never written
    /// travel on as such and are no violation here.
    pub copy: bool,
}

/// Some bits of a storage unit, counted from its least significant bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    pub offset: u8,
    pub width: u8,
    pub signed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    pub base: ExprId,
    /// A 64-bit integer, read as signed.
    pub index: ExprId,
    /// Bytes of one element; negative never, zero for empty structs.
    pub stride: u64,
    /// Elements of the array that is indexed, where its declaration bounds it (not for the last
    /// member of a struct, which programs use as an array of open length).
    pub count: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub base: ExprId,
    pub offset: u64,
    /// The member's name, where debug information tells it.
    pub name: Option<Box<str>>,
}

/// What an address constant points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    Global(GlobalId),
    /// A local object of the function that is running.
    Local(LocalId),
    Function(FunctionId),
    /// A block of a function, as GNU's `&&label` takes it.
    Label(FunctionId, crate::BlockId),
}

/// What happens when a result does not fit its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overflow {
    /// It is reduced modulo 2^width.
    Wraps,
    /// It is a violation: C's signed arithmetic.
    Violates,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    Negate(Overflow),
    /// Bitwise complement; on `i1` it is logical negation.
    Not,
    FloatNegate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    Add(Overflow),
    Sub(Overflow),
    Mul(Overflow),
    Div(Sign),
    Rem(Sign),
    /// An amount of the width or more is a violation.
    ShiftLeft,
    ShiftRight(Sign),
    And,
    Or,
    Xor,
    /// Yields `i1`; on integers and pointers.
    Compare(Comparison),
    Float(FloatOp),
    /// Yields `i1`.
    FloatCompare(FloatComparison),
    /// Yields `i1`: whether the operation's exact result does not fit.
    Overflows(Arithmetic, Sign),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less(Sign),
    LessEqual(Sign),
    Greater(Sign),
    GreaterEqual(Sign),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// A relation of two floats and what it says when one is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatComparison {
    pub relation: FloatRelation,
    /// The result when an operand is NaN. C's operators are false then, except `!=`.
    pub unordered: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatRelation {
    /// False on all numbers: with `unordered`, "one of them is NaN".
    Never,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// True on all numbers: without `unordered`, "none of them is NaN".
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CastOp {
    Truncate,
    ZeroExtend,
    SignExtend,
    /// A value outside the target's range is a violation.
    FloatToInt(Sign),
    IntToFloat(Sign),
    FloatConvert,
    /// The same bits under a type of the same width; pointers and integers included.
    Reinterpret,
}

/// Operations that C spells as a builtin function and the machine as an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    ByteSwap,
    BitReverse,
    PopCount,
    /// Of zero: the width, or a violation where `zero_violates`.
    LeadingZeros {
        zero_violates: bool,
    },
    TrailingZeros {
        zero_violates: bool,
    },
    /// Three arguments: high, low, amount (modulo the width).
    FunnelLeft,
    FunnelRight,
    Absolute,
    Min(Sign),
    Max(Sign),
    SaturatingAdd(Sign),
    SaturatingSub(Sign),
    FloatAbsolute,
    SquareRoot,
    Floor,
    Ceiling,
    Truncate,
    Round,
    RoundEven,
    /// To an integer in the current rounding mode, which is always to nearest here.
    NearbyInt,
    CopySign,
    MinNumber,
    MaxNumber,
    FusedMultiplyAdd,
    Power,
    /// The second argument is an `i32`.
    PowerInt,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Sin,
    Cos,
    /// Yields `i1`: the value is in one of LLVM's ten classes of the mask.
    IsClass(u16),
}
