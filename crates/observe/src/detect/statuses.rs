//! Sets of exit statuses, as people write them: `0,2`, `0-3`, `any`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What a process can exit with.
const ALL: RangeInclusive<i32> = 0..=255;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statuses(Vec<RangeInclusive<i32>>);

impl Statuses {
    pub fn contains(&self, status: i32) -> bool {
        self.0.iter().any(|it| it.contains(&status))
    }
}

impl From<i32> for Statuses {
    fn from(status: i32) -> Statuses {
        Statuses(vec![status..=status])
    }
}

impl FromStr for Statuses {
    type Err = String;

    fn from_str(text: &str) -> Result<Statuses, String> {
        let number = |text: &str| match text.trim().parse() {
            Ok(status) if ALL.contains(&status) => Ok(status),
            _ => {
                Err(format!("`{}` is no exit status: expected numbers up to 255 as in 0,2 or 0-3, or any", text.trim()))
            }
        };
        let part = |part: &str| match part.split_once('-') {
            _ if part.trim() == "any" => Ok(ALL),
            Some((first, last)) => Ok(number(first)?..=number(last)?),
            None => number(part).map(|it| it..=it),
        };
        text.split(',').map(part).collect::<Result<_, _>>().map(Statuses)
    }
}

impl fmt::Display for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |it: &RangeInclusive<i32>| match it.start() == it.end() {
            true => it.start().to_string(),
            false => format!("{}-{}", it.start(), it.end()),
        };
        f.write_str(&self.0.iter().map(shown).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, inside: &[i32], outside: &[i32]) {
        let statuses: Statuses = text.parse().unwrap();
        assert!(inside.iter().all(|it| statuses.contains(*it)), "{statuses}");
        assert!(outside.iter().all(|it| !statuses.contains(*it)), "{statuses}");
    }

    #[test]
    fn lists_and_ranges() {
        check("0", &[0], &[1]);
        check("0, 2", &[0, 2], &[1, 3]);
        check("0-3,7", &[0, 3, 7], &[4]);
        check("any", &[0, 1, 255], &[]);
        for wrong in ["", "x", "1,", "-1", "256", "3-x"] {
            assert!(wrong.parse::<Statuses>().is_err(), "{wrong}");
        }
    }
}
