//! Values for what a program leaves open, as `--nondet` takes them.
//!
//! `7`, `-1`, `0x1f`, `'a'`, `0.5`, and with the type in front `float=0.5`, `uint=3`. A number with a
//! point or an exponent is a `double` if nothing else is said.

use anyhow::{Context, Result, bail};
use program::exec::NondetValue;

/// Values separated by commas, blanks or new lines; `#` begins a comment.
pub fn parse(text: &str) -> Result<Vec<NondetValue>> {
    let mut values = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        for item in line.split([',', ' ', '\t']).filter(|item| !item.is_empty()) {
            values.push(value(item).with_context(|| format!("`{item}` is no value"))?);
        }
    }
    Ok(values)
}

fn value(item: &str) -> Result<NondetValue> {
    let (source, number) = match item.split_once('=') {
        Some((source, number)) => (Some(source), number),
        None => (None, item),
    };
    let bits = match source.map(|name| name.rsplit("nondet_").next().unwrap_or(name)) {
        Some("float") => u128::from(number.parse::<f32>().context("expected a number such as 0.5")?.to_bits()),
        Some("double") => double(number)?,
        _ if number.starts_with('\'') => character(number)?,
        _ => match integer(number) {
            Some(bits) => bits,
            None => double(number).context("expected a number such as 7, -1, 0x1f or 0.5")?,
        },
    };
    Ok(NondetValue { source: source.map(Into::into), bits })
}

fn integer(text: &str) -> Option<u128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => u128::from_str_radix(hexadecimal, 16).ok()?,
        // A second sign is none.
        None if digits.starts_with(['+', '-']) => return None,
        None => digits.parse().ok()?,
    };
    Some(if negative { magnitude.wrapping_neg() } else { magnitude })
}

fn double(text: &str) -> Result<u128> {
    // Rust reads `inf` and `nan`, too, and C's programs can get them.
    Ok(u128::from(text.parse::<f64>()?.to_bits()))
}

fn character(text: &str) -> Result<u128> {
    let mut inside = text.trim_matches('\'').chars();
    match (inside.next(), inside.next()) {
        (Some(character), None) => Ok(u128::from(character as u32)),
        _ => bail!("expected one character, as in 'a'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[u128]) {
        let bits: Vec<u128> = parse(text).unwrap().into_iter().map(|value| value.bits).collect();
        assert_eq!(bits, expected, "{text}");
    }

    #[test]
    fn values() {
        check("1,2, 3", &[1, 2, 3]);
        check("-1", &[u128::MAX]);
        check("0x1f\n'a' # comment, 7\n", &[0x1f, 97]);
        check("0.5", &[u128::from(0.5f64.to_bits())]);
        check("float=0.5", &[u128::from(0.5f32.to_bits())]);
        check("__VERIFIER_nondet_uint=4294967295", &[0xffff_ffff]);
        check("", &[]);
    }

    #[test]
    fn mistakes() {
        for wrong in ["abc", "1,abc", "--1", "0x", "'ab'", "int=", "float=x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
