//! Values as C writes them.

use program::exec::Value;
use program::{Float, Sign, Type};

/// A value under its type; integers as numbers of this signedness.
pub fn value(value: Value, sign: Sign) -> String {
    match (value.ty, sign) {
        (Type::Int(1), _) => value.bits.to_string(),
        (Type::Int(_), Sign::Signed) => value.signed().to_string(),
        (Type::Int(_), Sign::Unsigned) => value.bits.to_string(),
        (Type::Float(float), _) => float_text(float, value.bits),
        (Type::Pointer, _) if value.bits == 0 => "a null pointer".to_owned(),
        (Type::Pointer, _) => format!("{:#x}", value.bits),
    }
}

fn float_text(float: Float, bits: u128) -> String {
    match float {
        Float::F32 => shortest(f64::from(f32::from_bits(bits as u32)), format!("{:?}", f32::from_bits(bits as u32))),
        Float::F64 => shortest(f64::from_bits(bits as u64), format!("{:?}", f64::from_bits(bits as u64))),
        Float::X87 => {
            let near = from_x87(bits);
            shortest(near, format!("{near:?}"))
        }
        Float::F16 | Float::F128 => format!("{bits:#x}"),
    }
}

fn shortest(number: f64, digits: String) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number < 0.0 { "-infinity" } else { "infinity" }.to_owned()
    } else {
        digits
    }
}

/// The nearest double of an 80-bit number: enough digits for a message.
fn from_x87(bits: u128) -> f64 {
    let mantissa = bits as u64;
    let exponent = (bits >> 64) as i32 & 0x7fff;
    let sign = if bits >> 79 & 1 == 1 { -1.0 } else { 1.0 };
    if exponent == 0x7fff {
        return if mantissa << 1 == 0 { sign * f64::INFINITY } else { f64::NAN };
    }
    sign * mantissa as f64 * 2f64.powi(exponent - 16383 - 63)
}

/// The name of the C type that has this many bits, for integers.
pub fn integer_type(ty: Type, sign: Sign) -> String {
    let unsigned = if sign == Sign::Unsigned { "unsigned " } else { "" };
    match ty {
        Type::Int(1) => "_Bool".to_owned(),
        Type::Int(8) if sign == Sign::Signed => "signed char".to_owned(),
        Type::Int(8) => "unsigned char".to_owned(),
        Type::Int(16) => format!("{unsigned}short"),
        Type::Int(32) => format!("{unsigned}int"),
        Type::Int(64) => format!("{unsigned}long"),
        Type::Int(128) => format!("{unsigned}__int128"),
        Type::Int(bits) => format!("{unsigned}_BitInt({bits})"),
        Type::Float(Float::F16) => "_Float16".to_owned(),
        Type::Float(Float::F32) => "float".to_owned(),
        Type::Float(Float::F64) => "double".to_owned(),
        Type::Float(Float::X87) => "long double".to_owned(),
        Type::Float(Float::F128) => "_Float128".to_owned(),
        Type::Pointer => "void *".to_owned(),
    }
}

/// A sentence with machine types in it, with C's names for them.
pub fn in_c_types(sentence: &str) -> String {
    let word = |word: &str| {
        let stem = word.trim_end_matches([',', ';', '.']);
        let name = match stem {
            "i8" => "char",
            "i16" => "short",
            "i32" => "int",
            "i64" => "long",
            "i128" => "__int128",
            "f32" => "float",
            "f64" => "double",
            "x87" => "long double",
            "ptr" => "void *",
            _ => return word.to_owned(),
        };
        format!("`{name}`{}", &word[stem.len()..])
    };
    sentence.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A count with its unit: `1 byte`, `12 bytes`.
pub fn count(number: u64, unit: &str) -> String {
    if number == 1 { format!("1 {unit}") } else { format!("{} {unit}s", grouped(number)) }
}

/// A number with a comma between thousands, from five digits on.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bits: u128, ty: Type, sign: Sign, expected: &str) {
        assert_eq!(value(Value::new(bits, ty), sign), expected);
    }

    #[test]
    fn integers() {
        check(0x7fff_ffff, Type::I32, Sign::Signed, "2147483647");
        check(u128::MAX, Type::I32, Sign::Signed, "-1");
        check(u128::MAX, Type::I32, Sign::Unsigned, "4294967295");
        check(1, Type::BOOL, Sign::Signed, "1");
    }

    #[test]
    fn floats() {
        check(u128::from(0.1f64.to_bits()), Type::F64, Sign::Signed, "0.1");
        check(u128::from(1e30f64.to_bits()), Type::F64, Sign::Signed, "1e30");
        check(u128::from(0.1f32.to_bits()), Type::F32, Sign::Signed, "0.1");
        check(u128::from(f64::NAN.to_bits()), Type::F64, Sign::Signed, "NaN");
        // 1.5 in the 80-bit format.
        check(0x3fff_c000_0000_0000_0000, Type::Float(Float::X87), Sign::Signed, "1.5");
    }

    #[test]
    fn machine_types() {
        assert_eq!(in_c_types("has type i32, not f64"), "has type `int`, not `double`");
    }

    #[test]
    fn counts() {
        assert_eq!(count(1, "byte"), "1 byte");
        assert_eq!(count(4096, "byte"), "4096 bytes");
        assert_eq!(count(1_234_567, "step"), "1,234,567 steps");
    }
}
