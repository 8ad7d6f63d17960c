//! Bytecode: what a function becomes before it runs.
//!
//! A function is a row of operations on the slots of a frame. A slot is a 64-bit register: values of
//! up to 64 bits take one and are zero-extended in it, wider ones take two, the low half first. Thus
//! unsigned and bitwise operations do not care about widths. A frame begins with the parameters, so
//! that a caller can evaluate its arguments right where the callee finds them.
//!
//! What holds of every [`Code`]: slots lie inside the frame, targets lie inside the code, and the last operation is a jump or an end. The
//! operations that are not made for speed look up the expression or command that they stand for.

use crate::{BlockId, ExprId, FunctionId, LocalId, Site, Type, VarId};

/// A register of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

impl Slot {
    /// The upper half of a wide value, and the next parts of a row of values.
    pub fn plus(self, slots: u32) -> Slot {
        Slot(self.0 + slots)
    }
}

/// A position in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pc(pub u32);

/// An entry of one of the code's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableId(pub u32);

/// An operation. Names end in the width they work on, if they care, and in `Imm` if the right operand
/// is part of the operation. `Checked` operations are violations when the result does not fit.
// One line each: the list is a table to look things up in.
#[rustfmt::skip]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Immediate { to: Slot, value: u64 },
    Move { to: Slot, from: Slot },
    MoveIf { to: Slot, condition: Slot, from: Slot },

    Add32 { to: Slot, left: Slot, right: Slot },
    Sub32 { to: Slot, left: Slot, right: Slot },
    Mul32 { to: Slot, left: Slot, right: Slot },
    Add64 { to: Slot, left: Slot, right: Slot },
    Sub64 { to: Slot, left: Slot, right: Slot },
    Mul64 { to: Slot, left: Slot, right: Slot },
    Add32Imm { to: Slot, left: Slot, value: i32 },
    Mul32Imm { to: Slot, left: Slot, value: i32 },
    Add64Imm { to: Slot, left: Slot, value: i32 },
    Mul64Imm { to: Slot, left: Slot, value: i32 },
    CheckedAdd32 { to: Slot, left: Slot, right: Slot },
    CheckedSub32 { to: Slot, left: Slot, right: Slot },
    CheckedMul32 { to: Slot, left: Slot, right: Slot },
    CheckedAdd64 { to: Slot, left: Slot, right: Slot },
    CheckedSub64 { to: Slot, left: Slot, right: Slot },
    CheckedMul64 { to: Slot, left: Slot, right: Slot },
    CheckedAdd32Imm { to: Slot, left: Slot, value: i32 },
    CheckedSub32Imm { to: Slot, left: Slot, value: i32 },
    CheckedMul32Imm { to: Slot, left: Slot, value: i32 },
    CheckedAdd64Imm { to: Slot, left: Slot, value: i32 },
    CheckedSub64Imm { to: Slot, left: Slot, value: i32 },
    CheckedMul64Imm { to: Slot, left: Slot, value: i32 },

    DivU { to: Slot, left: Slot, right: Slot },
    RemU { to: Slot, left: Slot, right: Slot },
    DivS32 { to: Slot, left: Slot, right: Slot },
    RemS32 { to: Slot, left: Slot, right: Slot },
    DivS64 { to: Slot, left: Slot, right: Slot },
    RemS64 { to: Slot, left: Slot, right: Slot },
    /// The value is neither 0 nor -1.
    DivS32Imm { to: Slot, left: Slot, value: i32 },
    RemS32Imm { to: Slot, left: Slot, value: i32 },

    And { to: Slot, left: Slot, right: Slot },
    Or { to: Slot, left: Slot, right: Slot },
    Xor { to: Slot, left: Slot, right: Slot },
    /// The value is zero-extended.
    AndImm { to: Slot, left: Slot, value: u32 },
    OrImm { to: Slot, left: Slot, value: u32 },
    XorImm { to: Slot, left: Slot, value: u32 },
    Shl32 { to: Slot, left: Slot, right: Slot },
    Shl64 { to: Slot, left: Slot, right: Slot },
    ShrU32 { to: Slot, left: Slot, right: Slot },
    ShrU64 { to: Slot, left: Slot, right: Slot },
    ShrS32 { to: Slot, left: Slot, right: Slot },
    ShrS64 { to: Slot, left: Slot, right: Slot },
    /// The amount is less than the width.
    Shl32Imm { to: Slot, left: Slot, value: u32 },
    Shl64Imm { to: Slot, left: Slot, value: u32 },
    ShrUImm { to: Slot, left: Slot, value: u32 },
    ShrS32Imm { to: Slot, left: Slot, value: u32 },
    ShrS64Imm { to: Slot, left: Slot, value: u32 },
    SignExtend { from_bits: u8, to_bits: u8, to: Slot, from: Slot },

    Equal { to: Slot, left: Slot, right: Slot },
    NotEqual { to: Slot, left: Slot, right: Slot },
    LessU { to: Slot, left: Slot, right: Slot },
    LessEqualU { to: Slot, left: Slot, right: Slot },
    LessS32 { to: Slot, left: Slot, right: Slot },
    LessEqualS32 { to: Slot, left: Slot, right: Slot },
    LessS64 { to: Slot, left: Slot, right: Slot },
    LessEqualS64 { to: Slot, left: Slot, right: Slot },
    /// Immediates of comparisons are sign-extended to 64 bits for `S64`, else they are 32 bits.
    EqualImm { to: Slot, left: Slot, value: u32 },
    NotEqualImm { to: Slot, left: Slot, value: u32 },
    LessUImm { to: Slot, left: Slot, value: u32 },
    GreaterEqualUImm { to: Slot, left: Slot, value: u32 },
    LessS32Imm { to: Slot, left: Slot, value: i32 },
    GreaterEqualS32Imm { to: Slot, left: Slot, value: i32 },
    LessS64Imm { to: Slot, left: Slot, value: i32 },
    GreaterEqualS64Imm { to: Slot, left: Slot, value: i32 },

    AddF64 { to: Slot, left: Slot, right: Slot },
    SubF64 { to: Slot, left: Slot, right: Slot },
    MulF64 { to: Slot, left: Slot, right: Slot },
    DivF64 { to: Slot, left: Slot, right: Slot },
    AddF32 { to: Slot, left: Slot, right: Slot },
    SubF32 { to: Slot, left: Slot, right: Slot },
    MulF32 { to: Slot, left: Slot, right: Slot },
    DivF32 { to: Slot, left: Slot, right: Slot },
    /// `relations` has a bit each for less, equal, greater, unordered.
    CompareF64 { relations: u8, to: Slot, left: Slot, right: Slot },
    CompareF32 { relations: u8, to: Slot, left: Slot, right: Slot },
    /// Stops if the number fits `to_bits` neither signed nor unsigned.
    CheckFits { from_bits: u8, to_bits: u8, from: Slot },
    SignedToF64 { bits: u8, to: Slot, from: Slot },
    F32ToF64 { to: Slot, from: Slot },
    F64ToF32 { to: Slot, from: Slot },
    F64ToS32 { to: Slot, from: Slot },

    /// Unary, binary, cast or builtin of any type: the expression says which. Operands are cells of
    /// two slots each, one after the other; the result has as many slots as its type needs.
    Evaluate { to: Slot, operands: Slot },

    /// `base + index * stride`.
    Scale { stride: u16, to: Slot, base: Slot, index: Slot },
    /// The same, with a large stride, which `to` holds before.
    ScaleBy { to: Slot, base: Slot, index: Slot },
    /// A violation unless `index < count`; with `past_end`, `index <= count`.
    CheckIndex { past_end: bool, index: Slot, count: u64 },

    Load8 { to: Slot, address: Slot, offset: i32 },
    Load16 { to: Slot, address: Slot, offset: i32 },
    Load32 { to: Slot, address: Slot, offset: i32 },
    Load64 { to: Slot, address: Slot, offset: i32 },
    Load8At { stride: u16, to: Slot, base: Slot, index: Slot },
    Load16At { stride: u16, to: Slot, base: Slot, index: Slot },
    Load32At { stride: u16, to: Slot, base: Slot, index: Slot },
    Load64At { stride: u16, to: Slot, base: Slot, index: Slot },
    /// Of the global object with this number.
    Load8Global { to: Slot, object: u32, offset: u32 },
    Load16Global { to: Slot, object: u32, offset: u32 },
    Load32Global { to: Slot, object: u32, offset: u32 },
    Load64Global { to: Slot, object: u32, offset: u32 },
    Load8GlobalAt { stride: u16, to: Slot, object: u32, index: Slot },
    Load16GlobalAt { stride: u16, to: Slot, object: u32, index: Slot },
    Load32GlobalAt { stride: u16, to: Slot, object: u32, index: Slot },
    Load64GlobalAt { stride: u16, to: Slot, object: u32, index: Slot },
    /// Any size and bit-fields; the expression says which.
    LoadAny { to: Slot, address: Slot },
    /// Also gets the written-mask.
    LoadCopy { to: Slot, address: Slot, written: Slot },

    Store8 { value: Slot, address: Slot, offset: i32 },
    Store16 { value: Slot, address: Slot, offset: i32 },
    Store32 { value: Slot, address: Slot, offset: i32 },
    Store64 { value: Slot, address: Slot, offset: i32 },
    Store8At { stride: u16, value: Slot, base: Slot, index: Slot },
    Store16At { stride: u16, value: Slot, base: Slot, index: Slot },
    Store32At { stride: u16, value: Slot, base: Slot, index: Slot },
    Store64At { stride: u16, value: Slot, base: Slot, index: Slot },
    Store8Global { value: Slot, object: u32, offset: u32 },
    Store16Global { value: Slot, object: u32, offset: u32 },
    Store32Global { value: Slot, object: u32, offset: u32 },
    Store64Global { value: Slot, object: u32, offset: u32 },
    Store8GlobalAt { stride: u16, value: Slot, object: u32, index: Slot },
    Store16GlobalAt { stride: u16, value: Slot, object: u32, index: Slot },
    Store32GlobalAt { stride: u16, value: Slot, object: u32, index: Slot },
    Store64GlobalAt { stride: u16, value: Slot, object: u32, index: Slot },
    /// Any size and bit-fields; the command says which.
    StoreAny { value: Slot, address: Slot },
    /// Also stores the written-mask.
    StoreCopy { value: Slot, address: Slot, written: Slot },

    /// A violation if the flag is zero: the variable was not assigned.
    CheckAssigned { flag: Slot, variable: VarId },
    /// A violation unless all bits of the variable's mask are set.
    CheckWritten { written: Slot, variable: VarId },

    /// Jumps count the commands of their block, themselves included.
    Jump { steps: u16, target: Pc },
    JumpEqual { steps: u16, left: Slot, right: Slot, target: Pc },
    JumpNotEqual { steps: u16, left: Slot, right: Slot, target: Pc },
    JumpLessU { steps: u16, left: Slot, right: Slot, target: Pc },
    JumpLessEqualU { steps: u16, left: Slot, right: Slot, target: Pc },
    JumpLessS32 { steps: u16, left: Slot, right: Slot, target: Pc },
    JumpLessEqualS32 { steps: u16, left: Slot, right: Slot, target: Pc },
    JumpLessS64 { steps: u16, left: Slot, right: Slot, target: Pc },
    JumpLessEqualS64 { steps: u16, left: Slot, right: Slot, target: Pc },
    JumpEqualImm { steps: u16, left: Slot, value: u32, target: Pc },
    JumpNotEqualImm { steps: u16, left: Slot, value: u32, target: Pc },
    JumpLessUImm { steps: u16, left: Slot, value: u32, target: Pc },
    JumpGreaterEqualUImm { steps: u16, left: Slot, value: u32, target: Pc },
    JumpLessS32Imm { steps: u16, left: Slot, value: i32, target: Pc },
    JumpGreaterEqualS32Imm { steps: u16, left: Slot, value: i32, target: Pc },
    JumpLessS64Imm { steps: u16, left: Slot, value: i32, target: Pc },
    JumpGreaterEqualS64Imm { steps: u16, left: Slot, value: i32, target: Pc },
    Switch { steps: u16, value: Slot, table: TableId },
    IndirectGoto { steps: u16, address: Slot, table: TableId },
    /// Adds steps that do not fit a jump.
    Count { steps: u32 },

    /// Calls a function with a body; its arguments are in the window.
    Call { function: FunctionId },
    /// Any other call, described by the table.
    CallAny { call: TableId },
    /// Returns; the values are in the frame's first slots.
    Return { steps: u16 },
    /// Hands the written-mask of an argument, or of a returned value, over to the other side.
    PassWritten { wide: bool, returned: bool, position: u32, written: Slot },
    /// Takes it; all bits if nothing was handed over.
    TakeWritten { wide: bool, returned: bool, position: u32, written: Slot },

    /// Starts the life of a local object, and ends the one that is there.
    Begin { slot: Slot, local: LocalId },
    /// Starts it only if there is none.
    Ensure { slot: Slot, local: LocalId },
    End { slot: Slot, local: LocalId },
    /// Assume, Assert: the condition; the command says what to do if it is zero.
    Require { condition: Slot },
    /// Anything else. Operands are cells of two slots each; the command says what to do.
    Command { operands: Slot },
    Unreachable,

    /// Tells the observer what the command did.
    Observe { effect: ObservedEffect, value: Slot, address: Slot },
}

/// Where the observer finds the effect of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservedEffect {
    None,
    /// The value's slot.
    Assigned,
    /// The wide value's first slot.
    AssignedWide,
    Stored,
    StoredWide,
    /// `value` holds the length.
    Wrote,
    /// `value` holds the condition.
    Guard,
    /// A call begins.
    Called,
    Returned,
    ReturnedWide,
}

/// Where an operation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub block: BlockId,
    /// The number of commands in the block stands for its terminator.
    pub index: u32,
    /// Steps of blocks before this one that no jump has counted yet.
    pub before: u32,
    /// [`NO_EXPR`] if it is the command's own.
    pub expr: ExprId,
}

pub const NO_EXPR: ExprId = ExprId(u32::MAX);

/// A call that is not the plain one.
#[derive(Clone, Debug)]
pub struct CallSite {
    pub target: CallTarget,
    pub arguments: Vec<PassedArgument>,
    /// Types of the variables that take the results, which come back where temporaries begin.
    pub results: Vec<Type>,
    pub site: Site,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallTarget {
    Direct(FunctionId),
    Indirect(Slot),
    SetJump,
    LongJump,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedArgument {
    pub slot: Slot,
    pub ty: Type,
    /// Size and alignment of the object to copy.
    pub copied: Option<(u64, u32)>,
    pub written: Option<Slot>,
}

/// The ways out of a `Switch` or an indirect `goto`.
#[derive(Clone, Debug)]
pub enum JumpTable {
    /// Targets of the values from `first` on.
    Dense { first: u64, targets: Vec<Pc>, default: Pc },
    /// Sorted by value.
    Sparse { cases: Vec<(u128, Pc)>, wide: bool, default: Pc },
    /// By block; targets that the `goto` does not name are no targets.
    Labels(Vec<(BlockId, Pc)>),
}

/// A compiled function.
#[derive(Debug)]
pub struct Code {
    pub function: FunctionId,
    pub ops: Vec<Op>,
    pub origins: Vec<Origin>,
    /// Slots of the frame: variables, addresses of local objects, flags, temporaries.
    pub frame: u32,
    /// Where the temporaries begin; a callee's frame begins there, too.
    pub temporaries: u32,
    /// Where the addresses of local objects are; zero before their first life.
    pub locals: std::ops::Range<u32>,
    pub calls: Vec<CallSite>,
    pub tables: Vec<JumpTable>,
    /// The first slot of each variable.
    pub variables: Vec<Slot>,
    /// Bytes that a frame about takes on a machine's stack.
    pub stack_bytes: u64,
}

impl Code {
    /// Whether the local object whose address is in this slot is alive. The address alone does not
    /// tell: it stays behind as a dangling pointer, and its object's number may come to be used again.
    pub fn alive(&self, address: Slot) -> Slot {
        address.plus(self.locals.len() as u32)
    }

    pub fn origin(&self, pc: u32) -> Origin {
        self.origins[pc as usize]
    }
}

/// The slots that a value of this type takes.
pub fn slots_of(ty: Type) -> u32 {
    if ty.bits() > 64 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn operations_are_compact() {
        assert_eq!(std::mem::size_of::<super::Op>(), 16);
    }
}
