//! Constants as text, exactly.
//!
//! Integers are written as signed decimals, floats as the shortest decimals that read back to the
//! same bits; what has no such decimal (infinities, NaNs, odd x87 patterns) is written by its bits,
//! `bits.f64(0x7ff0000000000000)`. A constant shows its type as a suffix unless its context or the
//! default (`i32`, `f64`) tells it.

use std::fmt::Write;

use rustc_apfloat::ieee::{Half, Quad, X87DoubleExtended};

use crate::{Float, Type};

use super::operators::type_named;

/// Writes a constant where the context leads a reader to expect `expected`.
pub(super) fn write_constant(out: &mut String, bits: u128, ty: Type, expected: Option<Type>) {
    let result = match ty {
        Type::BOOL if bits <= 1 => write!(out, "{}", bits == 1),
        Type::Pointer if bits == 0 => write!(out, "null"),
        Type::Pointer => write!(out, "{bits}ptr"),
        Type::Int(_) if bits > ty.mask() => write!(out, "bits.{ty}({bits:#x})"),
        Type::Int(_) => {
            let suffix = if ty == expected.unwrap_or(Type::I32) { String::new() } else { ty.to_string() };
            write!(out, "{}{suffix}", signed(bits, ty))
        }
        Type::Float(float) => match decimal(bits, float) {
            Some(digits) if ty == expected.unwrap_or(Type::F64) => write!(out, "{digits}"),
            Some(digits) => write!(out, "{digits}{ty}"),
            None => write!(out, "bits.{ty}({bits:#x})"),
        },
    };
    debug_assert!(result.is_ok(), "writing to a string does not fail");
}

/// The bits of an integer read as two's complement.
pub(super) fn signed(bits: u128, ty: Type) -> i128 {
    let unused = 128 - ty.bits();
    ((bits << unused) as i128) >> unused
}

/// A decimal with a point or an exponent that reads back to the same bits.
fn decimal(bits: u128, float: Float) -> Option<String> {
    let text = match float {
        Float::F32 => format!("{:?}", f32::from_bits(u32::try_from(bits).ok()?)),
        Float::F64 => format!("{:?}", f64::from_bits(u64::try_from(bits).ok()?)),
        Float::F16 => extended::<Half>(bits),
        Float::X87 | Float::F128 if !has_few_digits(bits, float) => return None,
        Float::X87 => extended::<X87DoubleExtended>(bits),
        Float::F128 => extended::<Quad>(bits),
    };
    (float_bits(&text, float) == Some(bits)).then_some(text)
}

/// Whether the exponent is near 0. Far from it, a decimal takes milliseconds to compute, and the
/// reader gains nothing.
fn has_few_digits(bits: u128, float: Float) -> bool {
    const BIAS: i32 = 0x3fff;
    let exponent = (bits >> (float.bits() - 16)) & 0x7fff;
    bits == 0 || (exponent as i32 - BIAS).abs() <= 256
}

fn extended<F: rustc_apfloat::Float>(bits: u128) -> String {
    let mut text = F::from_bits(bits).to_string().to_ascii_lowercase();
    if !text.contains(['.', 'e']) {
        text.push_str(".0");
    }
    text
}

/// The bits of a decimal in this format.
fn float_bits(text: &str, float: Float) -> Option<u128> {
    fn parse<F: rustc_apfloat::Float>(text: &str) -> Option<u128> {
        let rounded = F::from_str_r(text, rustc_apfloat::Round::NearestTiesToEven).ok()?;
        Some(rounded.value.to_bits())
    }
    // The extended formats are read with big numbers, in quadratic time.
    const LONGEST: usize = 200;
    let extended = !matches!(float, Float::F32 | Float::F64);
    if (extended && text.len() > LONGEST) || !text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    match float {
        Float::F32 => text.parse::<f32>().ok().filter(|value| value.is_finite()).map(|value| value.to_bits().into()),
        Float::F64 => text.parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| value.to_bits().into()),
        Float::F16 => parse::<Half>(text),
        Float::X87 => parse::<X87DoubleExtended>(text),
        Float::F128 => parse::<Quad>(text),
    }
}

/// The value of decimal or `0x` digits, without sign or suffix.
pub(super) fn whole_number(text: &str) -> Option<u128> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    // `from_str_radix` would take a sign.
    if !digits.bytes().all(|digit| digit.is_ascii_alphanumeric()) {
        return None;
    }
    u128::from_str_radix(digits, radix).ok()
}

/// Why a literal is no constant.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BadLiteral {
    /// No number in any notation.
    Malformed,
    /// The suffix names no type.
    Suffix,
    /// The value has more bits than the type.
    TooLarge(Type),
    /// An integer literal for a float, or the other way round.
    Kind(Type),
}

/// Reads a number token, possibly negated, in a context that expects `expected`.
pub(super) fn constant(text: &str, negative: bool, expected: Option<Type>) -> Result<(u128, Type), BadLiteral> {
    let hexadecimal = text.starts_with("0x");
    let digits_end = if hexadecimal { text.len() } else { decimal_length(text) };
    let (digits, suffix) = text.split_at(digits_end);
    let real = !hexadecimal && digits.contains(['.', 'e']);
    let ty = match (suffix, expected) {
        ("", Some(Type::Float(float))) if real => Type::Float(float),
        ("", Some(Type::Int(width))) if !real => Type::Int(width),
        ("", Some(ty)) if real || ty.is_float() => return Err(BadLiteral::Kind(ty)),
        ("", _) if real => Type::F64,
        ("", _) => Type::I32,
        _ => type_named(suffix).ok_or(BadLiteral::Suffix)?,
    };
    match ty {
        Type::Float(float) if real => {
            let text = format!("{}{digits}", if negative { "-" } else { "" });
            let bits = float_bits(&text, float).ok_or(BadLiteral::TooLarge(ty))?;
            Ok((bits, ty))
        }
        Type::Float(_) => Err(BadLiteral::Kind(ty)),
        _ if real => Err(BadLiteral::Kind(ty)),
        _ => {
            let magnitude = whole_number(digits).ok_or(BadLiteral::Malformed)?;
            integer_bits(magnitude, negative, ty).map(|bits| (bits, ty)).ok_or(BadLiteral::TooLarge(ty))
        }
    }
}

/// The bits of an integer, if it fits the type read as signed or as unsigned.
pub(super) fn integer_bits(magnitude: u128, negative: bool, ty: Type) -> Option<u128> {
    if !negative {
        return (magnitude <= ty.mask()).then_some(magnitude);
    }
    let smallest = 1u128 << (ty.bits() - 1);
    (magnitude <= smallest).then(|| magnitude.wrapping_neg() & ty.mask())
}

/// How much of a number token is digits, point and exponent; the rest is its suffix.
pub(super) fn decimal_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits_from = |start: usize| start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits_from(0);
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end = digits_from(end + 1);
    }
    if bytes.get(end) == Some(&b'e') {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = end + 1 + sign;
        if bytes.get(exponent).is_some_and(u8::is_ascii_digit) {
            end = digits_from(exponent);
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bits: u128, ty: Type, expected: Option<Type>, text: &str) {
        let mut out = String::new();
        write_constant(&mut out, bits, ty, expected);
        assert_eq!(out, text);
        if text.starts_with("bits.") || RESERVED.contains(&text) {
            return;
        }
        let (digits, negative) = match text.strip_prefix('-') {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        assert_eq!(constant(digits, negative, expected), Ok((bits, ty)));
    }

    use super::super::names::RESERVED;

    #[test]
    fn integers() {
        check(5, Type::I32, None, "5");
        check(5, Type::I32, Some(Type::I64), "5i32");
        check(5, Type::I64, Some(Type::I64), "5");
        check(0xffff_ffff, Type::I32, None, "-1");
        check(0x8000_0000, Type::I32, None, "-2147483648");
        check(1, Type::BOOL, None, "true");
        check(u128::MAX, Type::Int(128), None, "-1i128");
        check(1 << 127, Type::Int(128), None, &format!("{}i128", i128::MIN));
        check(0, Type::Pointer, None, "null");
        check(16, Type::Pointer, Some(Type::Pointer), "16ptr");
    }

    #[test]
    fn floats() {
        check(1.5f64.to_bits().into(), Type::F64, None, "1.5");
        check(f64::MIN_POSITIVE.to_bits().into(), Type::F64, None, "2.2250738585072014e-308");
        check((-0.0f64).to_bits().into(), Type::F64, None, "-0.0");
        check(0.1f32.to_bits().into(), Type::F32, None, "0.1f32");
        check(1e30f32.to_bits().into(), Type::F32, Some(Type::F32), "1e30");
        check(f64::INFINITY.to_bits().into(), Type::F64, None, "bits.f64(0x7ff0000000000000)");
        check(0x3c00, Type::Float(Float::F16), None, "1.0f16");
        check(0x7c00, Type::Float(Float::F16), None, "bits.f16(0x7c00)");
        check(0x3fff_8000_0000_0000_0000, Type::Float(Float::X87), None, "1.0x87");
        check(0x3fff << 112, Type::Float(Float::F128), None, "1.0f128");
        // The leading bit of an x87 number is stored; without it the pattern has no decimal.
        check(0x3fff_0000_0000_0000_0001, Type::Float(Float::X87), None, "bits.x87(0x3fff0000000000000001)");
    }

    #[test]
    fn bad_literals() {
        assert_eq!(constant("300i8", false, None), Err(BadLiteral::TooLarge(Type::I8)));
        assert_eq!(constant("129i8", true, None), Err(BadLiteral::TooLarge(Type::I8)));
        assert_eq!(constant("128i8", true, None), Ok((0x80, Type::I8)));
        assert_eq!(constant("1q", false, None), Err(BadLiteral::Suffix));
        assert_eq!(constant("1f64", false, None), Err(BadLiteral::Kind(Type::F64)));
        assert_eq!(constant("1.5i32", false, None), Err(BadLiteral::Kind(Type::I32)));
        assert_eq!(constant(&"9".repeat(40), false, None), Err(BadLiteral::Malformed));
        assert_eq!(constant("1e999", false, None), Err(BadLiteral::TooLarge(Type::F64)));
    }
}
