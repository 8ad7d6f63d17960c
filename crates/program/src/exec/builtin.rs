//! Builtins: operations that C spells as functions and LLVM as intrinsics.
//!
//! Functions of the mathematical library on `f32` and `f64` are the system's own, as in the native
//! program. Imprecise: on the other formats, `pow`, `exp`, `log`, `sin`, `cos` and their like are
//! computed in `f64`.

use rustc_apfloat::{Category, Float as Soft, Round};

use super::arithmetic::{self, Computed, Trouble, signed};
use super::float::{self, with_format};
use super::violation::ViolationKind;
use crate::{Arithmetic, Builtin, CastOp, Comparison, Float, Sign, Type};

/// `ty` is the first argument's type; `result` the node's.
pub fn apply(builtin: Builtin, ty: Type, result: Type, arguments: &[u128]) -> Computed {
    let argument = |position: usize| arguments.get(position).copied().unwrap_or(0);
    let (first, second) = (argument(0), argument(1));
    match builtin {
        Builtin::ByteSwap => Ok(first.swap_bytes() >> (128 - ty.bits())),
        Builtin::BitReverse => Ok(first.reverse_bits() >> (128 - ty.bits())),
        Builtin::PopCount => Ok(u128::from(first.count_ones())),
        Builtin::LeadingZeros { zero_violates } => {
            count_zeros(zero_violates, ty, first, first.leading_zeros().wrapping_sub(128 - ty.bits()))
        }
        Builtin::TrailingZeros { zero_violates } => count_zeros(zero_violates, ty, first, first.trailing_zeros()),
        Builtin::FunnelLeft | Builtin::FunnelRight => {
            Ok(funnel(builtin == Builtin::FunnelLeft, ty, first, second, argument(2)))
        }
        Builtin::Absolute => Ok(signed(first, ty.bits()).unsigned_abs() & ty.mask()),
        Builtin::Min(sign) => Ok(lesser(sign, ty, first, second, true)),
        Builtin::Max(sign) => Ok(lesser(sign, ty, first, second, false)),
        Builtin::SaturatingAdd(sign) => Ok(saturating(Arithmetic::Add, sign, ty, first, second)),
        Builtin::SaturatingSub(sign) => Ok(saturating(Arithmetic::Sub, sign, ty, first, second)),
        _ => Ok(apply_float(builtin, ty, arguments) & result.mask()),
    }
}

fn count_zeros(zero_violates: bool, ty: Type, operand: u128, count: u32) -> Computed {
    if operand != 0 {
        return Ok(u128::from(count));
    }
    let width = u128::from(ty.bits());
    if zero_violates {
        return Err(Trouble { kind: ViolationKind::BitCountOfZero, machine: Some(width) });
    }
    Ok(width)
}

fn funnel(left: bool, ty: Type, high: u128, low: u128, amount: u128) -> u128 {
    let width = ty.bits();
    let amount = (amount % u128::from(width)) as u32;
    match (left, amount) {
        (true, 0) => high,
        (false, 0) => low,
        (true, amount) => (high << amount | low >> (width - amount)) & ty.mask(),
        (false, amount) => (high << (width - amount) | low >> amount) & ty.mask(),
    }
}

fn lesser(sign: Sign, ty: Type, first: u128, second: u128, want_lesser: bool) -> u128 {
    if arithmetic::compare(Comparison::Less(sign), ty, first, second) == want_lesser { first } else { second }
}

fn saturating(operation: Arithmetic, sign: Sign, ty: Type, first: u128, second: u128) -> u128 {
    if !arithmetic::overflows(operation, sign, ty, first, second) {
        return arithmetic::wrapping(operation, ty, first, second);
    }
    let least = 1u128 << (ty.bits() - 1);
    match (sign, operation) {
        (Sign::Unsigned, Arithmetic::Sub) => 0,
        (Sign::Unsigned, _) => ty.mask(),
        // The first operand is on the side where it overflows.
        (Sign::Signed, _) if first & least != 0 => least,
        (Sign::Signed, _) => least - 1,
    }
}

fn apply_float(builtin: Builtin, ty: Type, arguments: &[u128]) -> u128 {
    let argument = |position: usize| arguments.get(position).copied().unwrap_or(0);
    let (first, second) = (argument(0), argument(1));
    let sign = 1u128 << (ty.bits() - 1);
    match builtin {
        Builtin::FloatAbsolute => first & !sign,
        Builtin::CopySign => first & !sign | second & sign,
        Builtin::SquareRoot => float::square_root(ty, first),
        Builtin::Floor if ty == Type::F64 => native(first, f64::floor),
        Builtin::Ceiling if ty == Type::F64 => native(first, f64::ceil),
        Builtin::Truncate if ty == Type::F64 => native(first, f64::trunc),
        Builtin::Round if ty == Type::F64 => native(first, f64::round),
        Builtin::Floor => float::round(ty, first, Round::TowardNegative),
        Builtin::Ceiling => float::round(ty, first, Round::TowardPositive),
        Builtin::Truncate => float::round(ty, first, Round::TowardZero),
        Builtin::Round => float::round(ty, first, Round::NearestTiesToAway),
        Builtin::RoundEven | Builtin::NearbyInt => float::round(ty, first, Round::NearestTiesToEven),
        Builtin::MinNumber | Builtin::MaxNumber => choose_number(builtin, ty, first, second),
        Builtin::FusedMultiplyAdd => {
            with_format!(float::format(ty), F => {
                F::from_bits(first).mul_add(F::from_bits(second), F::from_bits(argument(2))).value.to_bits()
            })
        }
        Builtin::PowerInt => power_int(ty, first, second as i32),
        Builtin::IsClass(mask) => u128::from(mask >> class(ty, first) & 1),
        _ => transcendental(builtin, ty, first, second),
    }
}

fn native(operand: u128, function: fn(f64) -> f64) -> u128 {
    u128::from(function(f64::from_bits(operand as u64)).to_bits())
}

/// The number, if one operand is none.
fn choose_number(builtin: Builtin, ty: Type, first: u128, second: u128) -> u128 {
    let wanted = if builtin == Builtin::MinNumber { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less };
    let is_nan = |bits| float::order(ty, bits, bits).is_none();
    match float::order(ty, first, second) {
        Some(order) if order == wanted => second,
        Some(_) => first,
        None if is_nan(first) => second,
        None => first,
    }
}

/// By squaring, in the order of compiler-rt's `__powidf2`, whose rounding is what programs see.
fn power_int(ty: Type, base: u128, exponent: i32) -> u128 {
    let multiply = |left, right| float::binary(crate::FloatOp::Mul, ty, left, right);
    let one = float::from_integer(Sign::Signed, Type::I32, ty, 1);
    let (mut base, mut rest, mut result) = (base, exponent, one);
    loop {
        if rest & 1 != 0 {
            result = multiply(result, base);
        }
        rest /= 2;
        if rest == 0 {
            break;
        }
        base = multiply(base, base);
    }
    if exponent < 0 { float::binary(crate::FloatOp::Div, ty, one, result) } else { result }
}

/// The number of LLVM's class: signalling NaN, quiet NaN, then from -infinity to +infinity.
fn class(ty: Type, operand: u128) -> u32 {
    let (category, negative, denormal, signaling) = with_format!(float::format(ty), F => {
        let value = F::from_bits(operand);
        (value.category(), value.is_negative(), value.is_denormal(), value.is_signaling())
    });
    match (category, negative) {
        (Category::NaN, _) => u32::from(!signaling),
        (Category::Infinity, true) => 2,
        (Category::Normal, true) => 3 + u32::from(denormal),
        (Category::Zero, true) => 5,
        (Category::Zero, false) => 6,
        (Category::Normal, false) => 8 - u32::from(denormal),
        (Category::Infinity, false) => 9,
    }
}

fn transcendental(builtin: Builtin, ty: Type, first: u128, second: u128) -> u128 {
    if float::format(ty) == Float::F32 {
        let (first, second) = (f32::from_bits(first as u32), f32::from_bits(second as u32));
        let result = match builtin {
            Builtin::Power => first.powf(second),
            Builtin::Exp => first.exp(),
            Builtin::Exp2 => first.exp2(),
            Builtin::Log => first.ln(),
            Builtin::Log2 => first.log2(),
            Builtin::Log10 => first.log10(),
            Builtin::Sin => first.sin(),
            Builtin::Cos => first.cos(),
            _ => unreachable!("{builtin:?} is no function of the mathematical library"),
        };
        return u128::from(result.to_bits());
    }
    let (first, second) = (float::approximate(ty, first), float::approximate(ty, second));
    let result = match builtin {
        Builtin::Power => first.powf(second),
        Builtin::Exp => first.exp(),
        Builtin::Exp2 => first.exp2(),
        Builtin::Log => first.ln(),
        Builtin::Log2 => first.log2(),
        Builtin::Log10 => first.log10(),
        Builtin::Sin => first.sin(),
        Builtin::Cos => first.cos(),
        _ => unreachable!("{builtin:?} is no function of the mathematical library"),
    };
    let bits = u128::from(result.to_bits());
    if ty == Type::F64 {
        return bits;
    }
    arithmetic::cast(CastOp::FloatConvert, Type::F64, ty, bits).unwrap_or(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(builtin: Builtin, ty: Type, arguments: &[u128], expect: u128) {
        assert_eq!(apply(builtin, ty, ty, arguments), Ok(expect));
    }

    #[test]
    fn integer_builtins() {
        check(Builtin::ByteSwap, Type::I32, &[0x1234_5678], 0x7856_3412);
        check(Builtin::BitReverse, Type::I8, &[0b0000_0110], 0b0110_0000);
        check(Builtin::LeadingZeros { zero_violates: true }, Type::I32, &[1], 31);
        check(Builtin::LeadingZeros { zero_violates: false }, Type::I64, &[0], 64);
        check(Builtin::TrailingZeros { zero_violates: true }, Type::I16, &[8], 3);
        check(Builtin::FunnelLeft, Type::I32, &[0x8000_0001, 0x8000_0001, 33], 3);
        check(Builtin::FunnelRight, Type::I8, &[0, 0x81, 0], 0x81);
        check(Builtin::SaturatingAdd(Sign::Signed), Type::I8, &[0x7f, 1], 0x7f);
        check(Builtin::SaturatingSub(Sign::Signed), Type::I8, &[0x80, 1], 0x80);
        check(Builtin::SaturatingSub(Sign::Unsigned), Type::I8, &[1, 2], 0);
        check(Builtin::Min(Sign::Signed), Type::I8, &[0xff, 1], 0xff);
        assert!(apply(Builtin::LeadingZeros { zero_violates: true }, Type::I32, Type::I32, &[0]).is_err());
    }

    #[test]
    fn float_builtins() {
        let bits = |value: f64| u128::from(value.to_bits());
        check(Builtin::Round, Type::F64, &[bits(-2.5)], bits(-3.0));
        check(Builtin::NearbyInt, Type::F64, &[bits(2.5)], bits(2.0));
        check(Builtin::Floor, Type::F64, &[bits(-0.5)], bits(-1.0));
        check(Builtin::MinNumber, Type::F64, &[bits(f64::NAN), bits(1.0)], bits(1.0));
        check(Builtin::PowerInt, Type::F64, &[bits(2.0), (-2i32) as u32 as u128], bits(0.25));
        assert_eq!(apply(Builtin::IsClass(1 << 7), Type::F64, Type::BOOL, &[bits(5e-324)]), Ok(1));
        assert_eq!(apply(Builtin::IsClass(3), Type::F64, Type::BOOL, &[bits(f64::NAN)]), Ok(1));
    }
}
