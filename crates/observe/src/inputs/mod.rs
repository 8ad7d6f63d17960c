//! Inputs near a failing one: a smaller one that fails in the same way, good ones, and further bad ones.
//!
//! The paper's steps (*Using Likely Invariants for Automated Software Fault Localization*, §3.2 and §7.3): [`reduction`]
//! makes the failing input small, [`replacement`] and [`deletion`] make inputs near it, the program says which of them are
//! good and bad ([`oracle`]), and those nearest by edit distance are kept, in a [`folder`] that people can read. Same seed,
//! same inputs, unless time ends the search.
//!
//! Beyond the paper: one that cannot be smaller has neighbours that are all shorter or do something else, so inputs near the
//! one that was given are made, too, for whoever can tell which runs are alike ([`Options::spare`]). What is left of an input
//! that crashes need not make sense behind the crash, and then all that is near it is invalid: where good inputs are much nearer
//! to the one that was given, that one is the centre.

pub mod deletion;
pub mod distance;
pub mod folder;
pub mod insertion;
pub mod oracle;
pub mod reduction;
pub mod replacement;
pub mod tokens;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::Error;
use crate::detect::Verdict;

pub use deletion::Wanted;
use distance::distance;
use oracle::{Asked, Budget, Oracle, Progress};
use reduction::{Grain, Reduced};
use tokens::Specification;

/// How inputs are made.
#[derive(Clone, Debug)]
pub struct Options {
    pub wanted: Wanted,
    /// How many more good inputs to choose from are wanted, half of them near the input that was given.
    pub spare: usize,
    /// Whether the failing input is made small first.
    pub reduces: bool,
    pub specification: Specification,
    pub seed: u64,
    pub budget: Budget,
}

/// An input with its distance from the failing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    pub input: Vec<u8>,
    pub distance: usize,
    pub made_by: &'static str,
}

/// What was made.
#[derive(Clone, Debug)]
pub struct Generated {
    pub small: Reduced,
    /// The failing input that the others are near to: the small one or the given one.
    pub centre: Vec<u8>,
    /// The nearest first.
    pub good: Vec<Near>,
    pub bad: Vec<Near>,
    pub counts: Progress,
    pub time: Duration,
    /// The budget ended the search.
    pub is_exhausted: bool,
}

/// How many times nearer good inputs must be to the given one than to the small one, so that it is the centre.
const NEARER: usize = 4;
/// Of the budget, the part that reduction may spend, in percent.
const FOR_REDUCTION: u32 = 60;
/// The part of the rest that replacement may spend.
const FOR_REPLACEMENT: u32 = 50;
/// And of what is left then, deletion; the rest is for insertion.
const FOR_DELETION: u32 = 70;

pub fn generate(failing: &[u8], options: &Options, oracle: &Oracle<'_>) -> Result<Generated, Error> {
    let started = Instant::now();
    let allow = |percent: u32| {
        let runs = options.budget.runs.saturating_sub(oracle.runs()) * u64::from(percent) / 100;
        let time = options.budget.time.saturating_sub(started.elapsed()) * percent / 100;
        oracle.allow(runs, time);
    };
    let small = match options.reduces {
        true => {
            allow(FOR_REDUCTION);
            reduction::reduce(failing, Grain::Characters, oracle)?
        }
        false => Reduced { input: failing.to_vec(), is_minimal: false },
    };
    let words = replacement::Words { specification: &options.specification, text: failing };
    allow(FOR_REPLACEMENT);
    let wanted = Wanted { good: options.wanted.good + options.spare / 2, ..options.wanted };
    replacement::generate(&small.input, &words, wanted, options.seed, oracle)?;
    if options.spare > 0 && small.input != failing {
        allow(FOR_REPLACEMENT);
        let wanted = Wanted { good: options.spare / 2, bad: 0 };
        replacement::generate(failing, &words, wanted, options.seed, oracle)?;
    }
    let seen = oracle.seen();
    let count = |verdict| seen.iter().filter(|it| it.verdict == verdict && it.input != small.input).count();
    // What reduction has come by is mostly far away, and a few more cost little.
    let missing = Wanted {
        good: options.wanted.good.saturating_sub(count(Verdict::Good) / 2),
        bad: options.wanted.bad.saturating_sub(count(Verdict::Bad) / 2),
    };
    allow(FOR_DELETION);
    deletion::generate(&small.input, missing, options.seed, oracle)?;
    if options.spare > 0 {
        allow(100);
        lengthen(&small.input, options, oracle)?;
    }
    let mut seen = oracle.seen();
    seen.push(Asked { input: failing.to_vec(), verdict: Verdict::Bad, made_by: "given" });
    let near_small = nearest(&seen, Verdict::Good, &small.input, options.wanted.good + options.spare / 2, options.seed);
    let near_given = nearest(&seen, Verdict::Good, failing, options.spare / 2, options.seed);
    let reach = |near: &[Near]| near.get(options.wanted.good.saturating_sub(1)).map(|it| it.distance);
    let is_given = reach(&near_given).is_some_and(|it| reach(&near_small).is_none_or(|small| NEARER * it < small));
    let (centre, mut good, others) = match is_given {
        true => (failing.to_vec(), near_given, near_small),
        false => (small.input.clone(), near_small, near_given),
    };
    for mut other in others {
        if good.iter().all(|it| it.input != other.input) {
            other.distance = distance(&other.input, &centre);
            good.push(other);
        }
    }
    Ok(Generated {
        good,
        bad: nearest(&seen, Verdict::Bad, &centre, options.wanted.bad, options.seed),
        small,
        centre,
        counts: oracle.count(),
        time: started.elapsed(),
        is_exhausted: oracle.is_exhausted(),
    })
}

/// Good inputs near a good one: most different from it in one token, some with so many bytes.
pub fn near_good(
    good: &[u8],
    length: usize,
    wanted: usize,
    options: &Options,
    oracle: &Oracle<'_>,
) -> Result<Vec<Vec<u8>>, Error> {
    let words = replacement::Words { specification: &options.specification, text: good };
    insertion::generate(&[good.to_vec()], length, wanted.div_ceil(4), options.seed, oracle)?;
    replacement::generate(good, &words, Wanted { good: wanted, bad: 0 }, options.seed, oracle)?;
    let seen = oracle.seen().into_iter().filter(|it| it.verdict == Verdict::Good && it.input != good);
    Ok(seen.map(|it| it.input).collect())
}

/// Good inputs that are as long as the failing one, if there are few.
fn lengthen(failing: &[u8], options: &Options, oracle: &Oracle<'_>) -> Result<(), Error> {
    let good = nearest(&oracle.seen(), Verdict::Good, failing, options.wanted.good + options.spare / 2, options.seed);
    let long = good.iter().filter(|it| it.input.len() >= failing.len()).count();
    let wanted = options.wanted.good.saturating_sub(long);
    let good: Vec<Vec<u8>> = good.into_iter().map(|it| it.input).collect();
    insertion::generate(&good, failing.len(), wanted, options.seed, oracle)
}

/// Inputs whose exact distance is computed.
const MEASURED: usize = 3000;

/// The nearest of this verdict, each once; of equally near ones those by replacement, then in an order that the seed gives,
/// so that they are not all changed at the same place.
fn nearest(seen: &[Asked], verdict: Verdict, failing: &[u8], most: usize, seed: u64) -> Vec<Near> {
    let mut known = BTreeSet::from([failing]);
    let mut candidates: Vec<&Asked> =
        seen.iter().filter(|it| it.verdict == verdict && known.insert(it.input.as_slice())).collect();
    // No distance is less than that of the lengths.
    candidates.sort_by_key(|it| it.input.len().abs_diff(failing.len()));
    candidates.truncate(MEASURED);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut near: Vec<(usize, bool, u64, &Asked)> = candidates
        .into_iter()
        .map(|it| (distance(&it.input, failing), it.made_by != "replacement", random.u64(..), it))
        .collect();
    near.sort_by_key(|(distance, is_other, order, _)| (*distance, *is_other, *order));
    let near = near.into_iter().take(most);
    near.map(|(distance, _, _, it)| Near { input: it.input.clone(), distance, made_by: it.made_by }).collect()
}

#[cfg(test)]
mod tests {
    use super::oracle::tests::{By, PLENTY};
    use super::*;

    fn run(failing: &str, seed: u64, jobs: usize) -> Generated {
        with_spare(failing, seed, jobs, 0)
    }

    fn with_spare(failing: &str, seed: u64, jobs: usize, spare: usize) -> Generated {
        // Fails where a number is over 100; without any number it is invalid.
        let by = By(|input: &[u8]| {
            let text = String::from_utf8_lossy(input).into_owned();
            let numbers: Vec<u64> =
                text.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse().ok()).collect();
            match numbers.iter().max() {
                None => Verdict::Invalid,
                Some(101..) => Verdict::Bad,
                Some(_) => Verdict::Good,
            }
        });
        let budget = Budget { runs: 2000, ..PLENTY };
        let oracle = Oracle::new(&by, jobs, budget, &|_| {});
        let options = Options {
            wanted: Wanted { good: 8, bad: 8 },
            spare,
            reduces: true,
            specification: Specification::built_in("words").unwrap(),
            seed,
            budget,
        };
        generate(failing.as_bytes(), &options, &oracle).unwrap()
    }

    #[test]
    fn near_inputs_of_both_sorts() {
        let found = run("first 7\nsecond 234 x\nthird 19\n", 1, 2);
        assert_eq!(found.small.input.len(), 3, "{:?}", String::from_utf8_lossy(&found.small.input));
        assert_eq!((found.good.len(), found.bad.len()), (8, 8));
        assert!(found.good[0].distance == 1 && found.good.is_sorted_by_key(|it| it.distance));
        assert!(found.bad.iter().all(|it| it.input != found.small.input));
    }

    #[test]
    fn spare_ones_are_near_what_was_given() {
        let given = "first 7\nsecond 105 x\nthird 19\n";
        let found = with_spare(given, 1, 1, 16);
        assert!(found.good.len() > 8, "{}", found.good.len());
        let near_given = found.good.iter().filter(|it| distance(&it.input, given.as_bytes()) <= 3).count();
        assert!(near_given >= 4, "{near_given}");
        assert_eq!(found.centre, found.small.input);
        assert!(found.good.iter().all(|it| it.distance == distance(&it.input, &found.small.input)));
    }

    #[test]
    fn the_centre_is_where_good_ones_are() {
        // Whatever comes behind `!` matters only if the number before it is no failure.
        let by = By(|input: &[u8]| {
            let text = String::from_utf8_lossy(input).into_owned();
            let Some((number, rest)) = text.split_once('!') else { return Verdict::Invalid };
            match number.trim().parse::<u64>() {
                Ok(101..) => Verdict::Bad,
                Ok(_) if rest.trim_start().starts_with("the end of a rather long text") => Verdict::Good,
                _ => Verdict::Invalid,
            }
        });
        let oracle = Oracle::new(&by, 1, PLENTY, &|_| {});
        let options = Options {
            wanted: Wanted { good: 4, bad: 4 },
            spare: 16,
            reduces: true,
            specification: Specification::built_in("words").unwrap(),
            seed: 1,
            budget: PLENTY,
        };
        let given = b"105! the end of a rather long text and some more\n";
        let found = generate(given, &options, &oracle).unwrap();
        assert!(found.small.input.len() < 6);
        assert_eq!(found.centre, given);
        assert!(found.good[0].distance <= 3, "{}", found.good[0].distance);
    }

    #[test]
    fn the_same_again_whatever_the_threads() {
        let inputs = |it: &Generated| (it.good.clone(), it.bad.clone());
        let found = run("first 7\nsecond 234 x\nthird 19\n", 3, 1);
        assert_eq!(inputs(&found), inputs(&run("first 7\nsecond 234 x\nthird 19\n", 3, 1)));
        assert_eq!(found.small, run("first 7\nsecond 234 x\nthird 19\n", 3, 2).small);
    }
}
