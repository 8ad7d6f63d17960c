//! The typing rules that the validator checks and the text form relies on.

use crate::{BinaryOp, Builtin, Float, Type};

/// The type of a binary operation on operands of this type.
pub(crate) fn binary_result(op: BinaryOp, operand: Type) -> Type {
    match op {
        BinaryOp::Compare(_) | BinaryOp::FloatCompare(_) | BinaryOp::Overflows(..) => Type::BOOL,
        _ => operand,
    }
}

/// How many arguments a builtin takes.
pub(crate) fn builtin_arity(builtin: Builtin) -> usize {
    match builtin {
        Builtin::FunnelLeft | Builtin::FunnelRight | Builtin::FusedMultiplyAdd => 3,
        Builtin::Min(_)
        | Builtin::Max(_)
        | Builtin::SaturatingAdd(_)
        | Builtin::SaturatingSub(_)
        | Builtin::CopySign
        | Builtin::MinNumber
        | Builtin::MaxNumber
        | Builtin::Power
        | Builtin::PowerInt => 2,
        _ => 1,
    }
}

/// Whether a builtin works on floats; all others work on integers.
pub(crate) fn builtin_on_floats(builtin: Builtin) -> bool {
    !matches!(
        builtin,
        Builtin::ByteSwap
            | Builtin::BitReverse
            | Builtin::PopCount
            | Builtin::LeadingZeros { .. }
            | Builtin::TrailingZeros { .. }
            | Builtin::FunnelLeft
            | Builtin::FunnelRight
            | Builtin::Absolute
            | Builtin::Min(_)
            | Builtin::Max(_)
            | Builtin::SaturatingAdd(_)
            | Builtin::SaturatingSub(_)
    )
}

/// The type of a builtin's argument. `context` is the first argument's type or, for the first
/// argument itself, what is known of the result.
pub(crate) fn builtin_argument(builtin: Builtin, index: usize, context: Option<Type>) -> Option<Type> {
    match (builtin, index) {
        (Builtin::IsClass(_), _) => None,
        (Builtin::PowerInt, 1) => Some(Type::I32),
        _ => context,
    }
}

/// The type of a builtin's result, from its first argument's.
pub(crate) fn builtin_result(builtin: Builtin, first: Type) -> Type {
    match builtin {
        Builtin::IsClass(_) => Type::BOOL,
        _ => first,
    }
}

/// The bytes from one array element to the next.
pub(crate) fn memory_size(ty: Type) -> u64 {
    match ty {
        Type::Float(Float::X87) => 16,
        _ => u64::from(ty.bytes()).next_power_of_two(),
    }
}
