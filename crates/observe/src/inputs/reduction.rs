//! Makes a failing input smaller: delta debugging (Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing
//! Input*, 2002), which the paper on likely invariants uses, too.
//!
//! A failing input → one that fails in the same way and is 1-minimal: without any one of its characters it does not.
//! Unlike the original, which starts again at the front after each success, pieces are taken out in sweeps from the end to the
//! front, halved after each sweep; the last sweep takes out single characters and finds nothing. Lines come first, then
//! characters, and both again until neither finds more. While one candidate runs, the one that will probably come next runs
//! beside it; the result and the order of decisions are those of one thread. Whoever wants to read what is left may have tokens
//! stay whole ([`Grain`]): then they come in place of characters.

use std::ops::Range;

use crate::Error;
use crate::detect::Verdict;

use super::oracle::Oracle;
use super::tokens::Specification;

/// The smallest parts that are taken out.
#[derive(Clone, Copy, Debug)]
pub enum Grain<'a> {
    Characters,
    Tokens(&'a Specification),
}

impl Grain<'_> {
    fn parts(self, input: &[u8]) -> Vec<Range<usize>> {
        match self {
            Grain::Characters => characters(input),
            Grain::Tokens(specification) => specification.pieces(input),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    pub input: Vec<u8>,
    /// It is 1-minimal; otherwise the budget was spent before.
    pub is_minimal: bool,
}

const NAME: &str = "reduction";

pub fn reduce(input: &[u8], grain: Grain<'_>, oracle: &Oracle<'_>) -> Result<Reduced, Error> {
    let mut current = input.to_vec();
    let parts = |input: &[u8]| grain.parts(input);
    loop {
        let before = current.len();
        for units in [&lines, &parts] as [&dyn Fn(&[u8]) -> Vec<Range<usize>>; 2] {
            match minimize(&current, &units(&current), oracle)? {
                (smaller, true) => current = smaller,
                (input, false) => return Ok(Reduced { input, is_minimal: false }),
            }
        }
        if current.len() == before {
            return Ok(Reduced { input: current, is_minimal: true });
        }
    }
}

/// Each with the character that ends it.
fn lines(input: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let pieces = input.split_inclusive(|&it| it == b'\n');
    pieces
        .map(|line| {
            start += line.len();
            start - line.len()..start
        })
        .collect()
}

/// Of UTF-8, or else bytes.
pub fn characters(input: &[u8]) -> Vec<Range<usize>> {
    match std::str::from_utf8(input) {
        Ok(text) => text.char_indices().map(|(at, it)| at..at + it.len_utf8()).collect(),
        Err(_) => (0..input.len()).map(|at| at..at + 1).collect(),
    }
}

fn assemble(input: &[u8], units: &[Range<usize>]) -> Vec<u8> {
    units.iter().flat_map(|unit| &input[unit.clone()]).copied().collect()
}

/// Takes out what is not needed; and whether it got to the end.
fn minimize(input: &[u8], units: &[Range<usize>], oracle: &Oracle<'_>) -> Result<(Vec<u8>, bool), Error> {
    let mut units = units.to_vec();
    let mut size = units.len().div_ceil(2).max(1);
    loop {
        let before = units.len();
        // Pieces end here, from the end to the front.
        let mut end = units.len();
        let mut succeeded = false;
        while end > 0 {
            let start = end.saturating_sub(size);
            let without = |units: &[Range<usize>], cut: Range<usize>| [&units[..cut.start], &units[cut.end..]].concat();
            let candidate = without(&units, start..end);
            let next = next_cuts(start, size, oracle.jobs).into_iter().map(|cut| {
                // If the last piece could go, so can this one, probably.
                let base = if succeeded { &candidate } else { &units };
                assemble(input, &without(base, cut))
            });
            let next: Vec<Vec<u8>> = next.collect();
            match oracle.ask(&assemble(input, &candidate), &next, NAME)? {
                None => return Ok((assemble(input, &units), false)),
                verdict => succeeded = verdict == Some(Verdict::Bad),
            }
            if succeeded {
                units = candidate;
            }
            end = start;
        }
        if size == 1 && units.len() == before {
            return Ok((assemble(input, &units), true));
        }
        size = if size > 1 { (size / 2).min(units.len().div_ceil(2)).max(1) } else { 1 };
    }
}

fn next_cuts(start: usize, size: usize, jobs: usize) -> Vec<Range<usize>> {
    let ends = (0..jobs - 1).map(|it| start.saturating_sub(it * size)).take_while(|&end| end > 0);
    ends.map(|end| end.saturating_sub(size)..end).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::oracle::Budget;
    use super::super::oracle::tests::{By, PLENTY};
    use super::*;

    /// Fails if all these parts are in it, in this order.
    fn contains(input: &[u8], parts: &[&[u8]]) -> bool {
        let mut rest = input;
        parts.iter().all(|part| {
            let found = rest.windows(part.len().max(1)).position(|it| it == *part);
            rest = found.map_or(rest, |at| &rest[at + part.len()..]);
            found.is_some()
        })
    }

    fn run(input: &[u8], jobs: usize, bad: impl Fn(&[u8]) -> bool + Sync) -> (Reduced, u64) {
        let by = By(|input: &[u8]| if bad(input) { Verdict::Bad } else { Verdict::Good });
        let oracle = Oracle::new(&by, jobs, PLENTY, &|_| {});
        (reduce(input, Grain::Characters, &oracle).unwrap(), oracle.runs())
    }

    #[test]
    fn what_is_not_needed_goes() {
        let input = "first line\nsecond (line)\nthird\nfourth [é]\n".as_bytes();
        let (found, _) = run(input, 2, |it| contains(it, &[b"(", b")", "é".as_bytes()]));
        assert_eq!(String::from_utf8(found.input).unwrap(), "()é");
        assert!(found.is_minimal);
        assert_eq!(run(b"", 1, |_| true).0.input, b"");
        assert_eq!(run(b"x", 1, |_| true).0.input, b"");
    }

    #[test]
    fn tokens_stay_whole() {
        let input = b"{\"name\": [12345, \"x\"], \"other\": null}\n";
        let by = By(|it: &[u8]| if contains(it, &[b"n", b"[", b"3"]) { Verdict::Bad } else { Verdict::Good });
        let oracle = Oracle::new(&by, 1, PLENTY, &|_| {});
        let json = Specification::built_in("json").unwrap();
        let found = reduce(input, Grain::Tokens(&json), &oracle).unwrap();
        assert_eq!(String::from_utf8(found.input).unwrap(), "\"name\"[12345");
        assert!(found.is_minimal);
        assert_eq!(run(input, 1, |it| contains(it, &[b"n", b"[", b"3"])).0.input, b"n[3");
    }

    #[test]
    fn a_needle_takes_few_runs() {
        let input: Vec<u8> = (0..4096).map(|it| b'a' + (it % 23) as u8).chain(*b"#").collect();
        let (found, runs) = run(&input, 1, |it| it.contains(&b'#'));
        assert_eq!(found.input, b"#");
        assert!(runs < 40, "{runs}");
    }

    #[test]
    fn a_spent_budget_leaves_what_there_is() {
        let by = By(|input: &[u8]| if input.contains(&b'#') { Verdict::Bad } else { Verdict::Good });
        let oracle = Oracle::new(&by, 1, Budget { runs: 3, ..PLENTY }, &|_| {});
        let found = reduce(b"0123456789#abcdefghij", Grain::Characters, &oracle).unwrap();
        assert!(!found.is_minimal && found.input.len() < 21 && found.input.contains(&b'#'));
    }

    proptest! {
        #[test]
        fn the_result_is_minimal_whatever_the_threads(
            input in proptest::collection::vec(97..103u8, 1..60),
            rule in proptest::collection::vec(97..103u8, 1..4),
            modulus in 1..4usize,
        ) {
            // Not monotone: the length matters, too.
            let bad = |it: &[u8]| {
                rule.iter().all(|byte| it.contains(byte) || !input.contains(byte)) && (it.len() * 7 + it.len() / 3) % modulus != 1
            };
            prop_assume!(bad(&input));
            let (found, _) = run(&input, 1, bad);
            prop_assert!(bad(&found.input) && found.is_minimal);
            for at in 0..found.input.len() {
                let mut smaller = found.input.clone();
                smaller.remove(at);
                prop_assert!(!bad(&smaller));
            }
            prop_assert_eq!(run(&input, 3, bad).0, found);
        }
    }
}
