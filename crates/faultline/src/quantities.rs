//! Sizes, times and numbers as people write them.

use std::time::Duration;

/// `1 byte`, `2 bytes`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `10s`, `500ms`, `2m`, `1h`; a bare number means seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let number: f64 = number.parse().map_err(|_| "expected a time such as 10s, 500ms or 2m".to_owned())?;
    let seconds = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit `{unit}`; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "the time is out of range".to_owned())
}

/// `4096`, `64K`, `16M`, `2G`; units are powers of 1024, with or without a `B` or `iB`.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let number: u64 = number.parse().map_err(|_| "expected a size such as 4096, 64K or 2G".to_owned())?;
    let stem = unit.strip_suffix("iB").or(unit.strip_suffix('B')).unwrap_or(unit);
    let shift = match stem {
        "" => 0,
        "k" | "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(format!("unknown unit `{unit}`; use K, M or G")),
    };
    number.checked_mul(1 << shift).ok_or_else(|| "the size is out of range".to_owned())
}

/// A count; `_` may group digits, and `1e6` is one million.
pub fn parse_number(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    let wrong = || "expected a number such as 1000000, 1_000_000 or 1e6".to_owned();
    match digits.split_once(['e', 'E']) {
        None => digits.parse().map_err(|_| wrong()),
        Some((number, zeros)) => {
            let number: u64 = number.parse().map_err(|_| wrong())?;
            let zeros: u32 = zeros.parse().map_err(|_| wrong())?;
            let factor = 10u64.checked_pow(zeros);
            factor.and_then(|it| it.checked_mul(number)).ok_or_else(|| "the number is out of range".to_owned())
        }
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    let at = text.find(|it: char| it.is_ascii_alphabetic()).unwrap_or(text.len());
    text.split_at(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse_duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("0.5s"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "-1", "1d", "nan", "1e999"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("4096"), Ok(4096));
        assert_eq!(parse_bytes("64K"), Ok(64 << 10));
        assert_eq!(parse_bytes("2GiB"), Ok(2 << 30));
        for wrong in ["", "K", "-1", "1.5G", "99999999T", "3X"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(parse_number("1_000"), Ok(1000));
        assert_eq!(parse_number("1e6"), Ok(1_000_000));
        for wrong in ["", "e6", "1e99", "-1", "x"] {
            assert!(parse_number(wrong).is_err(), "{wrong}");
        }
    }
}
