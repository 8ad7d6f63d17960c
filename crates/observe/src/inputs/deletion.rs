//! Inputs near a failing one, by deletion (*Using Likely Invariants for Automated Software Fault Localization*, Algorithm 1).
//!
//! Knows nothing of the input's format: pieces of 1, 2, 4, … characters are taken out, or taken alone, of the failing input
//! and again of every good input that this finds. Unlike the paper, which tries all pieces of an input before the next
//! input and sorts in the end, candidates are tried in the order of their distance from the failing input, equal ones in an
//! order that the seed gives, and the search ends when there are enough: what would come later is no nearer. Bad inputs are
//! collected on the way, where the paper runs the algorithm twice.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::Error;
use crate::detect::Verdict;

use super::oracle::Oracle;
use super::reduction::characters;

/// How many inputs of each sort are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub good: usize,
    pub bad: usize,
}

const NAME: &str = "deletion";
/// Pieces of one size that are tried of one input.
const PIECES: usize = 4000;
/// Of short inputs, small pieces are taken at every place, for they may be words of an unknown language.
const SHORT: usize = 400;
const SMALL: usize = 8;
/// Inputs that pieces are taken out of.
const BASES: usize = 40;

/// What is tried: a part of a base that is left out, or that alone is left.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// From the failing input, in bytes.
    distance: usize,
    /// Where equals stand.
    order: u64,
    base: usize,
    start: usize,
    end: usize,
    is_alone: bool,
}

/// Asks about inputs until enough are found, or nothing is left, or the budget is spent.
pub fn generate(failing: &[u8], wanted: Wanted, seed: u64, oracle: &Oracle<'_>) -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut bases = vec![failing.to_vec()];
    let mut open = BinaryHeap::new();
    push(&mut open, &bases, 0, failing.len(), &mut random);
    let (mut good, mut bad) = (0, 0);
    while good < wanted.good || bad < wanted.bad {
        let batch: Vec<Candidate> =
            std::iter::from_fn(|| open.pop()).take(2 * oracle.jobs).map(|Reverse(it)| it).collect();
        if batch.is_empty() {
            return Ok(());
        }
        let inputs: Vec<Vec<u8>> = batch.iter().map(|it| made(it, &bases)).collect();
        for (input, verdict) in inputs.iter().zip(oracle.ask_all(&inputs, NAME)?) {
            match verdict {
                None => return Ok(()),
                Some(Verdict::Bad) => bad += 1,
                Some(Verdict::Good) if bases.contains(input) => {}
                Some(Verdict::Good) => {
                    good += 1;
                    if bases.len() < BASES {
                        bases.push(input.clone());
                        push(&mut open, &bases, bases.len() - 1, failing.len(), &mut random);
                    }
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

fn made(candidate: &Candidate, bases: &[Vec<u8>]) -> Vec<u8> {
    let base = &bases[candidate.base];
    match candidate.is_alone {
        true => base[candidate.start..candidate.end].to_vec(),
        false => [&base[..candidate.start], &base[candidate.end..]].concat(),
    }
}

fn push(
    open: &mut BinaryHeap<Reverse<Candidate>>,
    bases: &[Vec<u8>],
    base: usize,
    whole: usize,
    random: &mut fastrand::Rng,
) {
    let units = characters(&bases[base]);
    let length = bases[base].len();
    let mut size = 1;
    while size < units.len().max(2) {
        let range = |units: &[Range<usize>]| Some(units.first()?.start..units.last()?.end);
        let mut pieces: Vec<Range<usize>> = match units.len() <= SHORT && size <= SMALL {
            true => units.windows(size).filter_map(range).collect(),
            false => units.chunks(size).filter_map(range).collect(),
        };
        random.shuffle(&mut pieces);
        for piece in pieces.into_iter().take(PIECES) {
            for is_alone in [false, true] {
                let left = if is_alone { piece.len() } else { length - piece.len() };
                let (start, end) = (piece.start, piece.end);
                let order = random.u64(..);
                open.push(Reverse(Candidate { distance: whole - left, order, base, start, end, is_alone }));
            }
        }
        size *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::super::distance::distance;
    use super::super::oracle::Asked;
    use super::super::oracle::tests::{By, PLENTY};
    use super::*;

    fn run(failing: &str, seed: u64, jobs: usize) -> Vec<Asked> {
        // Fails on a `(` that is not closed; letters alone are invalid.
        let by = By(|it: &[u8]| match it.iter().filter(|&&it| it == b'(').count() {
            0 if it.iter().all(u8::is_ascii_alphabetic) => Verdict::Invalid,
            opened if opened > it.iter().filter(|&&it| it == b')').count() => Verdict::Bad,
            _ => Verdict::Good,
        });
        let oracle = Oracle::new(&by, jobs, PLENTY, &|_| {});
        generate(failing.as_bytes(), Wanted { good: 5, bad: 5 }, seed, &oracle).unwrap();
        oracle.seen()
    }

    #[test]
    fn the_nearest_come_first() {
        let failing = "f(a) + g(b + (c)";
        let seen = run(failing, 1, 1);
        let of = |verdict| {
            seen.iter().filter(move |it| it.verdict == verdict).map(|it| distance(failing.as_bytes(), &it.input))
        };
        let good: Vec<usize> = of(Verdict::Good).collect();
        assert!(good.len() >= 5 && good[0] == 1 && good.is_sorted(), "{good:?}");
        assert!(of(Verdict::Bad).count() >= 5);
    }

    #[test]
    fn the_seed_says_what_is_made() {
        let failing = "f(a) + g(b + (c)";
        assert_eq!(run(failing, 7, 1), run(failing, 7, 1));
        assert_ne!(run(failing, 7, 1), run(failing, 8, 1));
    }

    #[test]
    fn small_inputs_end() {
        assert!(run("(", 1, 2).len() <= 1);
        assert!(run("", 1, 2).is_empty());
    }
}
