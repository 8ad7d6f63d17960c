//! Good inputs that are not shorter than the failing one, by insertion.
//!
//! Not in the paper. A failing input that cannot be made smaller has good neighbours that are shorter, nearly all of them;
//! then the length of the input, and every size and position that comes from it, is outside what good runs have, and hides
//! what is wrong. So pieces of good inputs are put in twice, until these are as long.

use std::collections::BTreeSet;

use crate::Error;
use crate::detect::Verdict;

use super::oracle::Oracle;
use super::reduction::characters;

const NAME: &str = "insertion";
/// Tries for each input that is wanted.
const TRIES: usize = 12;
/// Pieces that are put in twice are no longer than this, or than a line.
const PIECE: usize = 8;

/// Asks about inputs made of these good ones until so many good ones are found that are at least so long, or nothing is left,
/// or the budget is spent.
pub fn generate(good: &[Vec<u8>], length: usize, wanted: usize, seed: u64, oracle: &Oracle<'_>) -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut known: BTreeSet<Vec<u8>> = good.iter().cloned().collect();
    let bases: Vec<&Vec<u8>> = good.iter().filter(|it| !it.is_empty() && it.len() <= length).collect();
    let mut found = 0;
    let mut tries = 0;
    while !bases.is_empty() && found < wanted && tries < TRIES * wanted {
        let batch: Vec<Vec<u8>> = (0..2 * oracle.jobs)
            .map(|index| longer(bases[(tries + index) % bases.len()], length, &mut random))
            .filter(|it| known.insert(it.clone()))
            .collect();
        tries += 2 * oracle.jobs;
        for verdict in oracle.ask_all(&batch, NAME)? {
            match verdict {
                None => return Ok(()),
                Some(Verdict::Good) => found += 1,
                Some(_) => {}
            }
        }
    }
    Ok(())
}

/// With pieces twice, until it is longer than so many bytes, or as long.
fn longer(base: &[u8], length: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut made = base.to_vec();
    let least = length + random.usize(0..3);
    while made.len() < least.max(base.len() + 1) {
        let places = characters(&made);
        let first = random.usize(0..places.len());
        let missing = least.saturating_sub(made.len()).max(1);
        let end = (first + random.usize(1..=PIECE).min(missing)).min(places.len());
        let piece = made[places[first].start..places[end - 1].end].to_vec();
        let at = places[end - 1].end;
        made.splice(at..at, piece);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::super::oracle::tests::{By, PLENTY};
    use super::*;

    fn run(seed: u64) -> Vec<Vec<u8>> {
        // Fails with more than four letters.
        let by = By(|it: &[u8]| match it.iter().filter(|it| it.is_ascii_alphabetic()).count() {
            0..=4 => Verdict::Good,
            _ => Verdict::Bad,
        });
        let oracle = Oracle::new(&by, 1, PLENTY, &|_| {});
        generate(&[b"abcd 12".to_vec(), b"ab 1".to_vec(), Vec::new()], 8, 4, seed, &oracle).unwrap();
        oracle.seen().into_iter().filter(|it| it.verdict == Verdict::Good).map(|it| it.input).collect()
    }

    #[test]
    fn they_are_as_long() {
        let made = run(1);
        assert!(made.len() >= 4, "{made:?}");
        assert!(made.iter().all(|it| it.len() >= 8), "{made:?}");
        assert_eq!(made, run(1));
    }
}
