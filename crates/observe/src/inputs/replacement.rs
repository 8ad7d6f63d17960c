//! Inputs near a failing one, by replacement (*Using Likely Invariants for Automated Software Fault Localization*,
//! Algorithm 2).
//!
//! Each made input differs from the failing one in one token, after a [`Specification`]. The small variations of all tokens
//! come before the large ones of any. Beyond the paper: strings are also shortened and doubled, as failures often
//! depend on a length, and symbols may be replaced by others where no alternatives are named: by those of the input that was
//! given, before it was made small.

use std::collections::BTreeSet;

use crate::Error;
use crate::detect::Verdict;

use super::deletion::Wanted;
use super::oracle::Oracle;
use super::tokens::{Kind, Specification, Token};

const NAME: &str = "replacement";
/// Variations of one token.
const MOST: usize = 48;
/// Parts that a string is divided into, as a power of two.
const PARTS: u32 = 4;

/// What tokens there are, and a text that has symbols.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    pub specification: &'a Specification,
    pub text: &'a [u8],
}

/// Asks about inputs until enough are found, or nothing is left, or the budget is spent.
pub fn generate(
    failing: &[u8],
    words: &Words<'_>,
    wanted: Wanted,
    seed: u64,
    oracle: &Oracle<'_>,
) -> Result<(), Error> {
    let inputs = inputs(failing, words, seed);
    let (mut good, mut bad) = (0, 0);
    for batch in inputs.chunks(2 * oracle.jobs) {
        for verdict in oracle.ask_all(batch, NAME)? {
            match verdict {
                None => return Ok(()),
                Some(Verdict::Good) => good += 1,
                Some(Verdict::Bad) => bad += 1,
                Some(_) => {}
            }
        }
        if good >= wanted.good && bad >= wanted.bad {
            break;
        }
    }
    Ok(())
}

/// All inputs that differ in one token, each once, small variations first.
pub fn inputs(failing: &[u8], words: &Words<'_>, seed: u64) -> Vec<Vec<u8>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let tokens = words.specification.tokens(failing);
    let known: Vec<Token> = words.specification.tokens(words.text);
    let mut rows: Vec<(Token, std::vec::IntoIter<Vec<u8>>)> = tokens
        .iter()
        .map(|token| (token.clone(), variations(failing, token, &known, words, &mut random).into_iter()))
        .collect();
    random.shuffle(&mut rows);
    let mut known = BTreeSet::from([failing.to_vec()]);
    let mut made = Vec::new();
    for _ in 0..MOST {
        for (token, values) in &mut rows {
            let Some(value) = values.next() else { continue };
            let input = [&failing[..token.range.start], &value, &failing[token.range.end..]].concat();
            if known.insert(input.clone()) {
                made.push(input);
            }
        }
    }
    made
}

fn variations(
    input: &[u8],
    token: &Token,
    known: &[Token],
    words: &Words<'_>,
    random: &mut fastrand::Rng,
) -> Vec<Vec<u8>> {
    let text = &input[token.range.clone()];
    let mut made = match words.specification.kind(token) {
        Kind::String => strings(text, random),
        Kind::Integer => integers(text),
        Kind::Float => floats(text),
        Kind::Symbol(alternatives) if alternatives.is_empty() => {
            let same = known.iter().filter(|it| it.rule == token.rule);
            let others: BTreeSet<Vec<u8>> = same.map(|it| words.text[it.range.clone()].to_vec()).collect();
            let mut others: Vec<Vec<u8>> = others.into_iter().collect();
            random.shuffle(&mut others);
            others
        }
        Kind::Symbol(alternatives) => {
            let mut others: Vec<Vec<u8>> = alternatives.iter().map(|it| it.as_bytes().to_vec()).collect();
            random.shuffle(&mut others);
            others
        }
        Kind::Fixed => Vec::new(),
    };
    made.retain(|it| it != text);
    made.truncate(MOST);
    made
}

/// mkStrVariations: in 1, 2, 4, … parts, each with other characters, left out, or twice; small parts first.
fn strings(text: &[u8], random: &mut fastrand::Rng) -> Vec<Vec<u8>> {
    let mut made = Vec::new();
    for power in (0..=PARTS).rev() {
        let size = text.len().div_ceil(1 << power).max(1);
        if power > 0 && size == text.len().div_ceil(1 << (power - 1)).max(1) {
            continue;
        }
        let mut starts: Vec<usize> = (0..text.len()).step_by(size).collect();
        random.shuffle(&mut starts);
        for start in starts.into_iter().take(12) {
            let part = start..(start + size).min(text.len());
            let others: Vec<u8> = text[part.clone()].iter().map(|&it| another(it, random)).collect();
            let twice = [&text[part.clone()], &text[part.clone()]].concat();
            for value in [others, Vec::new(), twice] {
                made.push([&text[..part.start], &value, &text[part.end..]].concat());
            }
        }
    }
    // An empty one has no parts.
    made.push([text, b"a"].concat());
    made
}

/// A character of the same sort; those that may be hexadecimal digits stay so.
fn another(byte: u8, random: &mut fastrand::Rng) -> u8 {
    let range = match byte {
        b'a'..=b'f' => b'a'..=b'f',
        b'A'..=b'F' => b'A'..=b'F',
        b'g'..=b'z' => b'a'..=b'z',
        b'G'..=b'Z' => b'A'..=b'Z',
        b'0'..=b'9' => b'0'..=b'9',
        _ => return byte,
    };
    let others: Vec<u8> = range.filter(|&it| it != byte).collect();
    others[random.usize(..others.len())]
}

/// mkIntVariations: 1, 2, 4, … more and less; written as it was, decimal or hexadecimal and as wide.
fn integers(text: &[u8]) -> Vec<Vec<u8>> {
    let Ok(text) = std::str::from_utf8(text) else { return Vec::new() };
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let hexadecimal = digits.strip_prefix("0x").or(digits.strip_prefix("0X"));
    let value = match hexadecimal {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => digits.parse::<i128>(),
    };
    // What does not fit is no number that can be counted on from.
    let Some(value) = value.ok().filter(|it| *it < 1 << 100) else { return Vec::new() };
    let write = |number: i128| {
        let minus = if number < 0 { "-" } else { "" };
        let number = number.unsigned_abs();
        let padded = digits.starts_with('0') && digits.len() > 1;
        match hexadecimal {
            Some(old) => format!("{minus}{}{number:0width$x}", &digits[..2], width = old.len()),
            None if padded => format!("{minus}{number:0width$}", width = digits.len()),
            None => format!("{minus}{number}"),
        }
    };
    let offsets = (0..63).flat_map(|power| [1i128 << power, -(1i128 << power)]);
    offsets.map(|offset| write(sign * value + offset).into_bytes()).collect()
}

/// mkFloatVariations: as for integers in the last digit, then other magnitudes and the other sign.
fn floats(text: &[u8]) -> Vec<Vec<u8>> {
    let Ok(text) = std::str::from_utf8(text) else { return Vec::new() };
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let Ok(value) = mantissa.parse::<f64>() else { return Vec::new() };
    let digits = mantissa.split_once('.').map_or(0, |(_, it)| it.len());
    let unit = 0.1f64.powi(digits as i32);
    let write = |number: f64| format!("{number:.digits$}{exponent}").into_bytes();
    let mut made: Vec<Vec<u8>> = (0..12)
        .flat_map(|power| {
            let offset = unit * f64::from(1u32 << power);
            [write(value + offset), write(value - offset)]
        })
        .collect();
    made.extend([write(value * 10.0), write(value / 10.0), write(-value), write(value * 1e6)]);
    made
}

#[cfg(test)]
mod tests {
    use super::super::distance::distance;
    use super::*;

    #[track_caller]
    fn check(variations: Vec<Vec<u8>>, beginning: &[&str]) {
        let found: Vec<String> = variations.into_iter().map(|it| String::from_utf8(it).unwrap()).collect();
        assert!(found.len() >= beginning.len(), "{found:?}");
        assert_eq!(found[..beginning.len()], *beginning);
    }

    #[test]
    fn numbers() {
        check(integers(b"12"), &["13", "11", "14", "10", "16", "8", "20", "4", "28", "-4"]);
        check(integers(b"-1"), &["0", "-2", "1", "-3"]);
        check(integers(b"0x0f"), &["0x10", "0x0e", "0x11", "0x0d"]);
        check(integers(b"007"), &["008", "006"]);
        check(integers(b"99999999999999999999999999999999999999999"), &[]);
        check(floats(b"1.50"), &["1.51", "1.49", "1.52", "1.48"]);
        check(floats(b"2.5e3"), &["2.6e3", "2.4e3"]);
    }

    #[test]
    fn strings_change_part_by_part() {
        let mut random = fastrand::Rng::with_seed(3);
        let made = strings(b"abcdefghijklmnop", &mut random);
        assert!(
            made.iter().any(|it| it.len() == 15)
                && made.iter().any(|it| it.len() == 32)
                && made.iter().any(Vec::is_empty)
        );
        assert_eq!(strings(b"", &mut random), [b"a".to_vec()]);
    }

    #[test]
    fn one_token_at_a_time_and_reproducibly() {
        let specification = Specification::built_in("sql").unwrap();
        let failing = b"SELECT MAX(a) FROM t WHERE b = 10";
        let words = Words { specification: &specification, text: b"SELECT MAX(a) FROM t, u WHERE b = 10" };
        let made = inputs(failing, &words, 5);
        assert_eq!(made, inputs(failing, &words, 5));
        assert_ne!(made, inputs(failing, &words, 6));
        // The other table was there before.
        assert!(made.iter().any(|it| it == b"SELECT MAX(a) FROM u WHERE b = 10"));
        assert!(made.iter().any(|it| it == b"SELECT MIN(a) FROM t WHERE b = 10"));
        assert!(made.iter().any(|it| it == b"SELECT MAX(a) FROM t WHERE b = 11"));
        assert!(made.iter().all(|it| distance(it, failing) > 0));
        let unique: BTreeSet<&Vec<u8>> = made.iter().collect();
        assert_eq!(unique.len(), made.len());
    }
}
