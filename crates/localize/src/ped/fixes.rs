//! Solutions become fixes, ranked as in §5 and checked.
//!
//! All solutions that change the same spots are one [`Fix`]: its [`Proposal`]s are the patches among them, best
//! first. A patch is preferred by its weight times its conduct: how much of what the program does is left with it, as
//! the [`Validator`] measures by running it. A patch that makes the failing loop do nothing also avoids the failure, and is
//! seldom meant. Fixes with a patch of some preference come first; one that was tried out but not checked counts half.
//! For the others, and among equals, the paper's
//! order: fewer skipped steps, fewer changes, more changes outside of loops.
//!
//! A patch whose effect no formula tells is tried out as well, and so is one of a condition that the failure does not
//! depend on: what it kept from being executed may be what is missing. If the failing run passes, it makes a fix of its
//! own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use logic::value::Value;
use program::Program;
use source::{Edit, Patch};
use verify::encode::EncodedTrace;

use super::alternatives::Alternative;
use super::configuration::Ranking;
use super::repair_program::{RepairProgram, Selected};
use super::search::Solution;
use super::spots::{Key, Spot};

/// A patch of less preference (of [`WHOLE`] times the weight) is no better than a change without one.
const PLAUSIBLE: u64 = 6 * WHOLE;
/// The conduct of a patch with which a program does all that it did.
pub const WHOLE: u64 = 1000;
/// Patches that are tried out for each that may be checked.
const TRIED_OUT: usize = 16;

/// What is known about a patch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// No execution of the patched program fails.
    Proved,
    /// None fails in which no loop goes back more often than this.
    Bounded(u32),
    /// The run that failed does not fail any more; others were not looked at.
    Passes,
    /// The patched program fails, or is none.
    Broken(String),
    /// Nothing is known, and why.
    Unknown(String),
}

/// Checks patches on the whole program.
pub trait Validator {
    /// Runs a patch: how much of what the program does is left, of [`WHOLE`]. What fails as before is no patch.
    fn try_out(&mut self, proposal: &Proposal) -> Result<u64, Judgement>;

    fn judge(&mut self, patch: &Patch) -> Judgement;

    /// There is no time for another one.
    fn is_exhausted(&self) -> bool {
        false
    }
}

/// A patch that avoids the failure on the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    pub patch: Patch,
    pub alternatives: Vec<Alternative>,
    pub words: Vec<String>,
    /// The least of its alternatives.
    pub weight: u32,
    pub skipped: usize,
    /// How much of what the program does is left, of [`WHOLE`]; nothing if it was not tried out.
    pub conduct: Option<u64>,
    pub judgement: Option<Judgement>,
}

impl Proposal {
    /// The program with it, without compiling it again; nothing if only the text says what it means.
    pub fn applied(&self, program: &Program) -> Option<Program> {
        if !self.alternatives.iter().all(Alternative::has_formula) {
            return None;
        }
        let mut patched = program.clone();
        self.alternatives.iter().for_each(|it| it.apply(&mut patched));
        Some(patched)
    }

    /// Before it is tried out, what it skips of the trace says what will be left.
    fn preference(&self, steps: usize) -> u64 {
        let expected = || WHOLE - WHOLE * self.skipped as u64 / steps.max(1) as u64;
        u64::from(self.weight) * self.conduct.unwrap_or_else(expected)
    }
}

/// Places that can be changed together so that the failure is avoided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    pub keys: BTreeSet<Key>,
    /// For each changed spot, a statement of the trace that comes from it: the last that is executed.
    pub statements: Vec<usize>,
    /// Steps of the failing run that are skipped, of how many.
    pub skipped: usize,
    pub steps: usize,
    /// Where the repaired run leaves the trace, and whether that is its end.
    pub leaves: usize,
    pub is_end: bool,
    pub outside_loops: usize,
    /// What the changed statements would have to write or decide, if any value is allowed.
    pub values: Vec<(usize, Value)>,
    /// Best first.
    pub proposals: Vec<Proposal>,
    /// No formula says that it helps, only a patch that was tried out.
    pub is_tentative: bool,
}

impl Fix {
    /// The patch that passed its check, if it leaves enough of what the program does.
    pub fn checked(&self) -> Option<&Proposal> {
        let passed = |it: &&Proposal| {
            matches!(it.judgement, Some(Judgement::Proved | Judgement::Bounded(_) | Judgement::Passes))
                && it.preference(self.steps) >= PLAUSIBLE
        };
        self.proposals.iter().find(passed)
    }

    /// The patch to show: the one that passed its check, or one that may still be right.
    pub fn offered(&self) -> Option<&Proposal> {
        let may_be = |it: &&Proposal| it.conduct.is_none() || it.preference(self.steps) >= PLAUSIBLE;
        self.checked().or_else(|| self.proposals.iter().find(may_be))
    }

    /// How much its best patch is preferred, if that is worth anything.
    pub fn preference(&self) -> Option<u64> {
        let checked = self.checked().map(|it| it.preference(self.steps));
        let tried_out = self.proposals.iter().filter(|it| it.conduct.is_some());
        let best = tried_out.map(|it| it.preference(self.steps) / 2).max();
        checked.max(best).filter(|it| *it >= PLAUSIBLE)
    }

    fn rank(&self, ranking: Ranking) -> impl Ord + use<> {
        let preference = match ranking {
            Ranking::Patches => self.preference(),
            Ranking::Steps => None,
        };
        let order = (self.is_tentative, self.skipped, self.keys.len(), Reverse(self.outside_loops));
        (Reverse(preference), order, self.statements.clone())
    }
}

/// Puts the best first; what names the same places again, in another round of a loop, comes behind what does not.
pub fn rank(fixes: &mut Vec<Fix>, ranking: Ranking) {
    fixes.sort_by_key(|fix| fix.rank(ranking));
    if ranking == Ranking::Patches {
        let mut seen = BTreeSet::new();
        let (first, again): (Vec<Fix>, Vec<Fix>) = fixes.drain(..).partition(|fix| seen.insert(fix.keys.clone()));
        fixes.extend(first.into_iter().chain(again));
    }
}

/// What a trace has beside its formula.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    /// Its length as the paper counts.
    pub steps: usize,
    pub encoded: &'a EncodedTrace,
    /// Alternatives for conditions that the failure does not depend on.
    pub outside: &'a [Alternative],
}

/// The fixes of a trace, in no order.
pub(super) fn collect(
    solutions: &[Solution],
    program: &RepairProgram,
    spots: &[Spot],
    alternatives: &[Alternative],
    trace: Whole<'_>,
) -> Vec<Fix> {
    let length = trace.steps;
    let mut fixes: BTreeMap<BTreeSet<usize>, Fix> = BTreeMap::new();
    for solution in solutions {
        let changed: BTreeSet<usize> = solution.choices.iter().map(|&it| program.choices[it].spot).collect();
        let exit = program.exits[solution.exit];
        let skipped = length.saturating_sub(exit.steps + usize::from(exit.is_end));
        let last = |&spot: &usize| {
            let statements = &spots[spot].statements;
            let reached = statements.iter().rfind(|&&it| it <= exit.statement).or(statements.first());
            reached.copied().unwrap_or(0)
        };
        let fix = fixes.entry(changed.clone()).or_insert_with(|| Fix {
            keys: changed.iter().map(|&spot| spots[spot].key).collect(),
            statements: changed.iter().map(last).collect(),
            skipped,
            steps: length,
            leaves: exit.statement,
            is_end: exit.is_end,
            outside_loops: changed.iter().filter(|&&spot| !spots[spot].in_loop).count(),
            values: Vec::new(),
            proposals: Vec::new(),
            is_tentative: false,
        });
        if skipped < fix.skipped {
            fix.statements = changed.iter().map(last).collect();
            (fix.skipped, fix.leaves, fix.is_end) = (skipped, exit.statement, exit.is_end);
        }
        if fix.values.is_empty() {
            fix.values.clone_from(&solution.values);
        }
        let chosen = solution.choices.iter().map(|&it| match program.choices[it].selected {
            Selected::Alternative(alternative) => Some(&alternatives[alternative]),
            Selected::Free => None,
        });
        if let Some(chosen) = chosen.collect::<Option<Vec<_>>>() {
            fix.proposals.extend(proposal(&chosen, skipped));
        }
    }
    let mut fixes = minimal(fixes);
    for alternative in alternatives.iter().filter(|it| !it.has_formula()).chain(trace.outside) {
        tentative(&mut fixes, alternative, spots, trace);
    }
    for fix in &mut fixes {
        fix.proposals.sort_by_key(|it| (Reverse(it.preference(length)), it.skipped, it.patch.clone()));
        fix.proposals.dedup_by(|one, other| one.patch == other.patch);
    }
    fixes
}

/// An alternative without a formula is a patch of the fix at its place, or makes a tentative one.
fn tentative(fixes: &mut Vec<Fix>, alternative: &Alternative, spots: &[Spot], trace: Whole<'_>) {
    let key = Key::Command(alternative.at, alternative.argument);
    let is_near = |spot: &&Spot| matches!(spot.key, Key::Command(at, _) if at == alternative.at);
    let spot = spots.iter().find(|spot| spot.key == key).or_else(|| spots.iter().find(is_near));
    let executed = |number: &usize| {
        let place = trace.encoded.places.get(trace.encoded.trace.statements[*number].origin);
        place.is_some_and(|place| place.at == Some(alternative.at))
    };
    let count = trace.encoded.trace.statements.len();
    let last = match spot {
        Some(spot) => spot.statements.last().copied(),
        None => (0..count).rfind(executed).or(count.checked_sub(1)),
    };
    let keys = BTreeSet::from([key]);
    let index = fixes.iter().position(|fix| fix.keys == keys).unwrap_or_else(|| {
        fixes.push(Fix {
            keys,
            statements: last.into_iter().collect(),
            skipped: 0,
            steps: trace.steps,
            leaves: last.unwrap_or(0),
            is_end: false,
            outside_loops: usize::from(spot.is_some_and(|spot| !spot.in_loop)),
            values: Vec::new(),
            proposals: Vec::new(),
            is_tentative: true,
        });
        fixes.len() - 1
    });
    let skipped = fixes[index].skipped;
    fixes[index].proposals.extend(proposal(&[alternative], skipped));
}

fn proposal(chosen: &[&Alternative], skipped: usize) -> Option<Proposal> {
    let mut edits: Vec<Edit> = chosen.iter().map(|it| it.edit.clone()).collect();
    edits.sort();
    edits.dedup();
    Some(Proposal {
        patch: Patch::new(edits).ok()?,
        alternatives: chosen.iter().map(|&it| it.clone()).collect(),
        words: chosen.iter().map(|it| it.words.clone()).collect(),
        weight: chosen.iter().map(|it| it.weight).min().unwrap_or(0),
        skipped,
        conduct: None,
        judgement: None,
    })
}

/// Without those that change more than another one.
fn minimal(fixes: BTreeMap<BTreeSet<usize>, Fix>) -> Vec<Fix> {
    let sets: Vec<BTreeSet<usize>> = fixes.keys().cloned().collect();
    let is_minimal = |set: &BTreeSet<usize>| !sets.iter().any(|other| other.len() < set.len() && other.is_subset(set));
    fixes.into_iter().filter(|(set, _)| is_minimal(set)).map(|(_, fix)| fix).collect()
}

/// Tries patches out and checks the most promising ones, at most so many; what breaks is dropped. Ranks again.
pub fn validate(fixes: &mut Vec<Fix>, validator: &mut dyn Validator, most: usize, ranking: Ranking) {
    for (index, proposal) in promising(fixes).into_iter().take(TRIED_OUT * most) {
        if validator.is_exhausted() {
            break;
        }
        let proposal = &mut fixes[index].proposals[proposal];
        match validator.try_out(proposal) {
            Ok(conduct) => proposal.conduct = Some(conduct.min(WHOLE)),
            Err(judgement) => proposal.judgement = Some(judgement),
        }
    }
    let mut tried = 0;
    for (index, proposal) in promising(fixes) {
        let is_open = fixes[index].checked().is_none() && fixes[index].proposals[proposal].judgement.is_none();
        if !is_open || fixes[index].proposals[proposal].conduct.is_none() {
            continue;
        }
        if tried >= most || validator.is_exhausted() {
            break;
        }
        tried += 1;
        let judgement = validator.judge(&fixes[index].proposals[proposal].patch);
        fixes[index].proposals[proposal].judgement = Some(judgement);
    }
    for fix in fixes.iter_mut() {
        fix.proposals.retain(|it| !matches!(it.judgement, Some(Judgement::Broken(_))));
        let steps = fix.steps;
        fix.proposals.sort_by_key(|it| (it.conduct.is_none(), Reverse(it.preference(steps))));
    }
    fixes.retain(|fix| !fix.is_tentative || fix.preference().is_some());
    rank(fixes, ranking);
}

/// All patches by fix and position, the most preferred first.
fn promising(fixes: &[Fix]) -> Vec<(usize, usize)> {
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (index, fix) in fixes.iter().enumerate() {
        order.extend((0..fix.proposals.len()).map(|proposal| (index, proposal)));
    }
    order.sort_by_key(|&(fix, proposal)| {
        let it = &fixes[fix].proposals[proposal];
        (it.patch.edits().len(), Reverse(it.preference(fixes[fix].steps)), it.skipped, fix, proposal)
    });
    order
}
