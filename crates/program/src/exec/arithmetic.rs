//! What operators compute: the reference for every integer width, and the executor's slow path.
//!
//! Operands are bits within their type's mask. The result is bits again, or [`Trouble`]: the operation
//! is undefined in C. Trouble carries what the x86-64 machine answers, where it answers at all, for
//! runs with that check off.
//!
//! Not here: loads and addresses (the machine's), float formats ([`super::float`]).

use super::float;
use super::violation::ViolationKind;
use crate::{Arithmetic, BinaryOp, CastOp, Comparison, Overflow, Sign, Type, UnaryOp};

/// An operation that is undefined for its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub kind: ViolationKind,
    /// The machine's answer; `None` if it raises a signal.
    pub machine: Option<u128>,
}

impl Trouble {
    pub fn fatal(kind: ViolationKind) -> Trouble {
        Trouble { kind, machine: None }
    }
}

pub type Computed = Result<u128, Trouble>;

/// The bits as a signed number.
pub fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    (bits << unused) as i128 >> unused
}

pub fn unary(op: UnaryOp, ty: Type, operand: u128) -> Computed {
    match op {
        UnaryOp::Negate(overflow) => integer_arithmetic(Arithmetic::Sub, overflow, ty, 0, operand),
        UnaryOp::Not => Ok(!operand & ty.mask()),
        UnaryOp::FloatNegate => Ok(operand ^ 1 << (ty.bits() - 1)),
    }
}

/// `ty` is the operands' type.
pub fn binary(op: BinaryOp, ty: Type, left: u128, right: u128) -> Computed {
    match op {
        BinaryOp::Add(overflow) => integer_arithmetic(Arithmetic::Add, overflow, ty, left, right),
        BinaryOp::Sub(overflow) => integer_arithmetic(Arithmetic::Sub, overflow, ty, left, right),
        BinaryOp::Mul(overflow) => integer_arithmetic(Arithmetic::Mul, overflow, ty, left, right),
        BinaryOp::Div(sign) => divide(sign, ty, left, right).map(|(quotient, _)| quotient),
        BinaryOp::Rem(sign) => divide(sign, ty, left, right).map(|(_, remainder)| remainder),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight(_) => shift(op, ty, left, right),
        BinaryOp::And => Ok(left & right),
        BinaryOp::Or => Ok(left | right),
        BinaryOp::Xor => Ok(left ^ right),
        BinaryOp::Compare(comparison) => Ok(u128::from(compare(comparison, ty, left, right))),
        BinaryOp::Float(op) => Ok(float::binary(op, ty, left, right)),
        BinaryOp::FloatCompare(comparison) => Ok(u128::from(float::compare(comparison, ty, left, right))),
        BinaryOp::Overflows(operation, sign) => Ok(u128::from(overflows(operation, sign, ty, left, right))),
    }
}

pub fn cast(op: CastOp, from: Type, to: Type, operand: u128) -> Computed {
    match op {
        CastOp::Truncate | CastOp::ZeroExtend | CastOp::Reinterpret => Ok(operand & to.mask()),
        CastOp::SignExtend => Ok(signed(operand, from.bits()) as u128 & to.mask()),
        CastOp::FloatToInt(sign) => float::to_integer(sign, from, to, operand),
        CastOp::IntToFloat(sign) => Ok(float::from_integer(sign, from, to, operand)),
        CastOp::FloatConvert => Ok(float::convert(from, to, operand)),
    }
}

/// The result modulo 2^width.
pub fn wrapping(operation: Arithmetic, ty: Type, left: u128, right: u128) -> u128 {
    let bits = match operation {
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Sub => left.wrapping_sub(right),
        Arithmetic::Mul => left.wrapping_mul(right),
    };
    bits & ty.mask()
}

/// Whether the exact result does not fit.
pub fn overflows(operation: Arithmetic, sign: Sign, ty: Type, left: u128, right: u128) -> bool {
    let width = ty.bits();
    match sign {
        Sign::Signed => {
            let (left, right) = (signed(left, width), signed(right, width));
            let exact = match operation {
                Arithmetic::Add => left.checked_add(right),
                Arithmetic::Sub => left.checked_sub(right),
                Arithmetic::Mul => left.checked_mul(right),
            };
            exact.is_none_or(|exact| signed(exact as u128, width) != exact)
        }
        Sign::Unsigned => {
            let exact = match operation {
                Arithmetic::Add => left.checked_add(right),
                Arithmetic::Sub => left.checked_sub(right),
                Arithmetic::Mul => left.checked_mul(right),
            };
            exact.is_none_or(|exact| exact > ty.mask())
        }
    }
}

fn integer_arithmetic(operation: Arithmetic, overflow: Overflow, ty: Type, left: u128, right: u128) -> Computed {
    let bits = wrapping(operation, ty, left, right);
    if overflow == Overflow::Violates && overflows(operation, Sign::Signed, ty, left, right) {
        return Err(Trouble { kind: ViolationKind::Overflow, machine: Some(bits) });
    }
    Ok(bits)
}

/// Quotient and remainder. The machine traps where C has no answer.
fn divide(sign: Sign, ty: Type, left: u128, right: u128) -> Result<(u128, u128), Trouble> {
    if right == 0 {
        return Err(Trouble::fatal(ViolationKind::DivisionByZero));
    }
    if sign == Sign::Unsigned {
        return Ok((left / right, left % right));
    }
    let (dividend, divisor) = (signed(left, ty.bits()), signed(right, ty.bits()));
    if divisor == -1 && left == 1 << (ty.bits() - 1) {
        return Err(Trouble::fatal(ViolationKind::Overflow));
    }
    Ok(((dividend / divisor) as u128 & ty.mask(), (dividend % divisor) as u128 & ty.mask()))
}

fn shift(op: BinaryOp, ty: Type, left: u128, right: u128) -> Computed {
    let width = ty.bits();
    let shifted = |amount: u32| match op {
        BinaryOp::ShiftLeft => left.checked_shl(amount).unwrap_or(0) & ty.mask(),
        BinaryOp::ShiftRight(Sign::Unsigned) => left.checked_shr(amount).unwrap_or(0),
        _ => (signed(left, width) >> amount.min(127)) as u128 & ty.mask(),
    };
    if right < u128::from(width) {
        return Ok(shifted(right as u32));
    }
    // Narrow shifts are done in 32-bit registers, and the machine looks at the low bits of the amount.
    let register = width.next_power_of_two().max(32);
    let amount = right as u32 & (register - 1);
    Err(Trouble { kind: ViolationKind::Shift, machine: Some(shifted(amount)) })
}

pub fn compare(comparison: Comparison, ty: Type, left: u128, right: u128) -> bool {
    let width = ty.bits();
    let order = |sign| match sign {
        Sign::Signed => signed(left, width).cmp(&signed(right, width)),
        Sign::Unsigned => left.cmp(&right),
    };
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less(sign) => order(sign).is_lt(),
        Comparison::LessEqual(sign) => order(sign).is_le(),
        Comparison::Greater(sign) => order(sign).is_gt(),
        Comparison::GreaterEqual(sign) => order(sign).is_ge(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKED: Overflow = Overflow::Violates;

    fn check(op: BinaryOp, width: u16, left: i128, right: i128, expect: Result<i128, ViolationKind>) {
        let ty = Type::Int(width);
        let result = binary(op, ty, left as u128 & ty.mask(), right as u128 & ty.mask());
        assert_eq!(result.map(|bits| signed(bits, u32::from(width))).map_err(|trouble| trouble.kind), expect);
    }

    #[test]
    fn limits_of_signed_arithmetic() {
        let overflow = Err(ViolationKind::Overflow);
        for width in [8u16, 13, 16, 32, 64, 128] {
            let (least, most) = (i128::MIN >> (128 - width), i128::MAX >> (128 - width));
            check(BinaryOp::Add(CHECKED), width, most, 1, overflow);
            check(BinaryOp::Add(CHECKED), width, most, -1, Ok(most - 1));
            check(BinaryOp::Add(Overflow::Wraps), width, most, 1, Ok(least));
            check(BinaryOp::Sub(CHECKED), width, least, 1, overflow);
            check(BinaryOp::Mul(CHECKED), width, least, -1, overflow);
            check(BinaryOp::Div(Sign::Signed), width, least, -1, overflow);
            check(BinaryOp::Rem(Sign::Signed), width, least, -1, overflow);
            check(BinaryOp::Rem(Sign::Signed), width, -7, 3, Ok(-1));
            check(BinaryOp::Div(Sign::Unsigned), width, 1, 0, Err(ViolationKind::DivisionByZero));
            check(BinaryOp::ShiftLeft, width, 1, i128::from(width), Err(ViolationKind::Shift));
            check(BinaryOp::ShiftRight(Sign::Signed), width, least, i128::from(width) - 1, Ok(-1));
        }
    }

    #[test]
    fn the_machine_masks_shift_amounts() {
        let machine = |ty, amount| binary(BinaryOp::ShiftLeft, ty, 1, amount).unwrap_err().machine;
        assert_eq!(machine(Type::I32, 33), Some(2));
        assert_eq!(machine(Type::I64, 65), Some(2));
        assert_eq!(machine(Type::I8, 9), Some(0));
        assert_eq!(machine(Type::I8, 32), Some(1));
    }
}
