//! Floating-point operators on bits.
//!
//! `f32` and `f64` are computed by the machine itself, so they agree with SSE2 code to the last bit;
//! `f16`, the 80-bit format and `f128` by `rustc_apfloat`, rounding to nearest, ties to even, which
//! is exact for these operations. A result that is not a number and had no such operand is the
//! negative one, as x86 makes it.
//!
//! Not here: functions such as `sin` ([`super::builtin`]).

use std::cmp::Ordering;

use rustc_apfloat::{Float as Soft, FloatConvert, Round, Status, StatusAnd};

use super::arithmetic::{Computed, Trouble, signed};
use super::violation::ViolationKind;
use crate::{Float, FloatComparison, FloatOp, FloatRelation, Sign, Type};

/// Runs a generic block with `$soft` being the format's type.
macro_rules! with_format {
    ($format:expr, $soft:ident => $body:expr) => {
        match $format {
            Float::F16 => {
                type $soft = rustc_apfloat::ieee::Half;
                $body
            }
            Float::F32 => {
                type $soft = rustc_apfloat::ieee::Single;
                $body
            }
            Float::F64 => {
                type $soft = rustc_apfloat::ieee::Double;
                $body
            }
            Float::X87 => {
                type $soft = rustc_apfloat::ieee::X87DoubleExtended;
                $body
            }
            Float::F128 => {
                type $soft = rustc_apfloat::ieee::Quad;
                $body
            }
        }
    };
}
pub(super) use with_format;

/// The format of a float type. Operators on floats never see another type.
pub fn format(ty: Type) -> Float {
    match ty {
        Type::Float(format) => format,
        Type::Int(_) | Type::Pointer => unreachable!("a float operator has operands of type {ty}"),
    }
}

pub fn binary(op: FloatOp, ty: Type, left: u128, right: u128) -> u128 {
    match format(ty) {
        Float::F64 => {
            let (left, right) = (f64::from_bits(left as u64), f64::from_bits(right as u64));
            let result = match op {
                FloatOp::Add => left + right,
                FloatOp::Sub => left - right,
                FloatOp::Mul => left * right,
                FloatOp::Div => left / right,
                FloatOp::Rem => left % right,
            };
            u128::from(result.to_bits())
        }
        Float::F32 => {
            let (left, right) = (f32::from_bits(left as u32), f32::from_bits(right as u32));
            let result = match op {
                FloatOp::Add => left + right,
                FloatOp::Sub => left - right,
                FloatOp::Mul => left * right,
                FloatOp::Div => left / right,
                FloatOp::Rem => left % right,
            };
            u128::from(result.to_bits())
        }
        format => with_format!(format, F => soft_binary::<F>(op, left, right)),
    }
}

fn soft_binary<F: Soft>(op: FloatOp, left: u128, right: u128) -> u128 {
    let (left, right) = (F::from_bits(left), F::from_bits(right));
    let StatusAnd { value, .. } = match op {
        FloatOp::Add => left + right,
        FloatOp::Sub => left - right,
        FloatOp::Mul => left * right,
        FloatOp::Div => left / right,
        FloatOp::Rem => left.c_fmod(right),
    };
    if value.is_nan() && !left.is_nan() && !right.is_nan() {
        return (-F::qnan(None)).to_bits();
    }
    value.to_bits()
}

/// The order of two floats; `None` if one is not a number.
pub fn order(ty: Type, left: u128, right: u128) -> Option<Ordering> {
    match format(ty) {
        Float::F64 => f64::from_bits(left as u64).partial_cmp(&f64::from_bits(right as u64)),
        Float::F32 => f32::from_bits(left as u32).partial_cmp(&f32::from_bits(right as u32)),
        format => with_format!(format, F => F::from_bits(left).partial_cmp(&F::from_bits(right))),
    }
}

/// Bits 0 to 3: the answer for less, equal, greater, unordered.
pub fn relations(comparison: FloatComparison) -> u8 {
    let ordered = match comparison.relation {
        FloatRelation::Never => 0b000,
        FloatRelation::Equal => 0b010,
        FloatRelation::NotEqual => 0b101,
        FloatRelation::Less => 0b001,
        FloatRelation::LessEqual => 0b011,
        FloatRelation::Greater => 0b100,
        FloatRelation::GreaterEqual => 0b110,
        FloatRelation::Always => 0b111,
    };
    ordered | u8::from(comparison.unordered) << 3
}

#[inline(always)]
pub fn holds(relations: u8, order: Option<Ordering>) -> bool {
    let bit = match order {
        Some(Ordering::Less) => 0,
        Some(Ordering::Equal) => 1,
        Some(Ordering::Greater) => 2,
        None => 3,
    };
    relations >> bit & 1 != 0
}

pub fn compare(comparison: FloatComparison, ty: Type, left: u128, right: u128) -> bool {
    holds(relations(comparison), order(ty, left, right))
}

/// Towards zero; a value that does not fit is a violation.
pub fn to_integer(sign: Sign, from: Type, to: Type, operand: u128) -> Computed {
    match truncated(sign, from, to.bits(), operand) {
        Some(bits) => Ok(bits & to.mask()),
        None => {
            let machine = Some(machine_conversion(sign, from, to, operand));
            Err(Trouble { kind: ViolationKind::FloatConversion, machine })
        }
    }
}

/// The integer part, if it fits the width.
fn truncated(sign: Sign, from: Type, width: u32, operand: u128) -> Option<u128> {
    // Always to 128 bits: the conversion to a signed integer of one bit fails in the library.
    let StatusAnd { status, value } = with_format!(format(from), F => {
        let value = F::from_bits(operand);
        match sign {
            Sign::Signed => value.to_i128(128).map(|value| value as u128),
            Sign::Unsigned => value.to_u128(128),
        }
    });
    let again = match sign {
        Sign::Signed => signed(value, width) as u128,
        Sign::Unsigned => value & Type::Int(width as u16).mask(),
    };
    (!status.contains(Status::INVALID_OP) && again == value).then_some(value)
}

/// What clang's code makes of a float that does not fit: `cvttsd2si` answers its "indefinite" number,
/// the least one, in the 32- or 64-bit register that the conversion goes through.
fn machine_conversion(sign: Sign, from: Type, to: Type, operand: u128) -> u128 {
    let width = to.bits();
    let through_64 = width > 32 || (width == 32 && sign == Sign::Unsigned);
    let register = if through_64 { 64 } else { 32 };
    let bits = truncated(Sign::Signed, from, register, operand).unwrap_or(1 << (register - 1));
    bits & to.mask()
}

pub fn from_integer(sign: Sign, from: Type, to: Type, operand: u128) -> u128 {
    match (format(to), sign) {
        (Float::F64, Sign::Signed) => u128::from((signed(operand, from.bits()) as f64).to_bits()),
        (Float::F64, Sign::Unsigned) => u128::from((operand as f64).to_bits()),
        (Float::F32, Sign::Signed) => u128::from((signed(operand, from.bits()) as f32).to_bits()),
        (Float::F32, Sign::Unsigned) => u128::from((operand as f32).to_bits()),
        (format, Sign::Signed) => with_format!(format, F => F::from_i128(signed(operand, from.bits())).value.to_bits()),
        (format, Sign::Unsigned) => with_format!(format, F => F::from_u128(operand).value.to_bits()),
    }
}

pub fn convert(from: Type, to: Type, operand: u128) -> u128 {
    match (format(from), format(to)) {
        (Float::F32, Float::F64) => u128::from(f64::from(f32::from_bits(operand as u32)).to_bits()),
        (Float::F64, Float::F32) => u128::from((f64::from_bits(operand as u64) as f32).to_bits()),
        (from, to) => with_format!(from, F => with_format!(to, T => soft_convert::<F, T>(operand))),
    }
}

fn soft_convert<F: FloatConvert<T>, T: Soft>(operand: u128) -> u128 {
    let value: StatusAnd<T> = F::from_bits(operand).convert(&mut false);
    value.value.to_bits()
}

/// The value as the nearest `f64`: for messages and for functions that only exist there.
pub fn approximate(ty: Type, operand: u128) -> f64 {
    f64::from_bits(convert_to_double(ty, operand) as u64)
}

fn convert_to_double(ty: Type, operand: u128) -> u128 {
    if ty == Type::F64 { operand } else { convert(ty, Type::F64, operand) }
}

/// The integer in this direction, as a float.
pub fn round(ty: Type, operand: u128, direction: Round) -> u128 {
    with_format!(format(ty), F => F::from_bits(operand).round_to_integral(direction).value.to_bits())
}

/// The correctly rounded square root: the machine's, or digit by digit.
pub fn square_root(ty: Type, operand: u128) -> u128 {
    match format(ty) {
        Float::F64 => u128::from(f64::from_bits(operand as u64).sqrt().to_bits()),
        Float::F32 => u128::from(f32::from_bits(operand as u32).sqrt().to_bits()),
        format => with_format!(format, F => soft_square_root::<F>(operand)),
    }
}

fn soft_square_root<F: Soft>(operand: u128) -> u128 {
    let value = F::from_bits(operand);
    if value.is_zero() || value.is_nan() || (value.is_infinite() && !value.is_negative()) {
        return operand;
    }
    if value.is_negative() {
        return (-F::qnan(None)).to_bits();
    }
    // value = significand * 2^exponent with an integer significand and an even exponent.
    let precision = F::PRECISION as i32;
    let mut exponent = value.ilogb() - (precision - 1);
    let mut significand = value.scalbn(-exponent).to_u128(128).value;
    if exponent % 2 != 0 {
        significand <<= 1;
        exponent -= 1;
    }
    // Two more digits than the format has and a sticky bit make the rounding of `from_u128` right.
    let (mut root, mut rest) = (0u128, 0u128);
    let mut digits = 0;
    let mut position = precision + 1;
    while digits < precision + 3 {
        let pair = if position >= 0 { significand >> (2 * (position / 2)) & 3 } else { 0 };
        rest = rest << 2 | pair;
        let candidate = root << 2 | 1;
        root <<= 1;
        if rest >= candidate {
            rest -= candidate;
            root |= 1;
        }
        if root != 0 {
            digits += 1;
        }
        position -= 2;
    }
    // The last position that was taken is `position + 2`: the root is in units of 2^(that / 2).
    let last = (position + 2 - (position + 2).rem_euclid(2)) / 2;
    let sticky = u128::from(rest != 0);
    F::from_u128(root << 1 | sticky).value.scalbn(exponent / 2 + last - 1).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    const X87: Type = Type::Float(Float::X87);
    const F128: Type = Type::Float(Float::F128);

    fn x87(value: f64) -> u128 {
        convert(Type::F64, X87, u128::from(value.to_bits()))
    }

    #[test]
    fn extended_arithmetic_keeps_64_bits() {
        let third = binary(FloatOp::Div, X87, x87(1.0), x87(3.0));
        assert_eq!(third, 0x3ffd_aaaa_aaaa_aaaa_aaab);
        let zero_by_zero = binary(FloatOp::Div, X87, x87(0.0), x87(0.0));
        assert_eq!(zero_by_zero, 0xffff_c000_0000_0000_0000);
    }

    #[test]
    fn conversions_outside_the_range_are_trouble() {
        let to = |value: f64, to, sign| to_integer(sign, Type::F64, to, u128::from(value.to_bits()));
        assert_eq!(to(-2147483648.9, Type::I32, Sign::Signed), Ok(0x8000_0000));
        assert_eq!(to(2147483648.0, Type::I32, Sign::Signed).unwrap_err().machine, Some(0x8000_0000));
        assert_eq!(to(-0.9, Type::I32, Sign::Unsigned), Ok(0));
        assert_eq!(to(-1.0, Type::I32, Sign::Unsigned).unwrap_err().machine, Some(0xffff_ffff));
        assert!(to(f64::NAN, Type::I64, Sign::Signed).is_err());
    }

    #[test]
    fn square_roots_are_exact() {
        for value in [1.0, 2.0, 0.5, 3.0, 4.0, 1e300, 7e-310, 0.1, 12345.678] {
            let bits = u128::from(f64::to_bits(value));
            let root = soft_square_root::<rustc_apfloat::ieee::Double>(bits);
            assert_eq!(f64::from_bits(root as u64), value.sqrt(), "of {value}");
        }
        assert_eq!(square_root(X87, x87(2.0)), 0x3fff_b504_f333_f9de_6484);
        let four = convert(Type::F64, F128, u128::from(4f64.to_bits()));
        assert_eq!(approximate(F128, square_root(F128, four)), 2.0);
    }
}
