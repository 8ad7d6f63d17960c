//! Solutions become fixes, ranked as in §5 and checked.
//!
//! All solutions that change the same spots are one [`Fix`]: its [`Proposal`]s are the patches among them, best
//! first. Fixes with a checked patch come first, in the order of its weight, less up to [`SKIPPED`] for the share
//! of the run that it skips: a patch that ends the run at once also avoids the failure, and is seldom meant. For the
//! others, and among equals, the paper's order: fewer skipped steps, fewer changes, more changes outside of loops.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use logic::value::Value;
use source::{Edit, Patch};

use super::alternatives::Alternative;
use super::repair_program::{RepairProgram, Selected};
use super::search::Solution;
use super::spots::{Key, Spot};

/// What skipping the whole run costs a patch, in weight.
pub const SKIPPED: usize = 25;

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
    pub words: Vec<String>,
    /// The least of its alternatives.
    pub weight: u32,
    pub skipped: usize,
    pub judgement: Option<Judgement>,
}

impl Proposal {
    fn preference(&self, steps: usize) -> i64 {
        i64::from(self.weight) - (SKIPPED * self.skipped / steps.max(1)) as i64
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
}

impl Fix {
    /// The patch that passed its check.
    pub fn checked(&self) -> Option<&Proposal> {
        let passed = |it: &&Proposal| {
            matches!(it.judgement, Some(Judgement::Proved | Judgement::Bounded(_) | Judgement::Passes))
        };
        self.proposals.iter().find(passed)
    }

    fn rank(&self) -> impl Ord + use<> {
        let preference = self.checked().map(|it| it.preference(self.steps));
        (Reverse(preference), self.skipped, self.keys.len(), Reverse(self.outside_loops), self.statements.clone())
    }
}

/// Puts the best first.
pub fn rank(fixes: &mut [Fix]) {
    fixes.sort_by_key(Fix::rank);
}

/// The fixes of a trace of so many steps, ranked.
pub(super) fn collect(
    solutions: &[Solution],
    program: &RepairProgram,
    spots: &[Spot],
    alternatives: &[Alternative],
    length: usize,
) -> Vec<Fix> {
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
    for fix in &mut fixes {
        let textual = alternatives.iter().filter(|it| !it.has_formula());
        let here = textual.filter(|it| fix.keys.len() == 1 && fix.keys.contains(&Key::Command(it.at, it.argument)));
        let proposals: Vec<Proposal> = here.filter_map(|it| proposal(&[it], fix.skipped)).collect();
        fix.proposals.extend(proposals);
        fix.proposals.sort_by_key(|it| (Reverse(it.preference(length)), it.skipped, it.patch.clone()));
        fix.proposals.dedup_by(|one, other| one.patch == other.patch);
    }
    rank(&mut fixes);
    fixes
}

fn proposal(chosen: &[&Alternative], skipped: usize) -> Option<Proposal> {
    let mut edits: Vec<Edit> = chosen.iter().map(|it| it.edit.clone()).collect();
    edits.sort();
    edits.dedup();
    Some(Proposal {
        patch: Patch::new(edits).ok()?,
        words: chosen.iter().map(|it| it.words.clone()).collect(),
        weight: chosen.iter().map(|it| it.weight).min().unwrap_or(0),
        skipped,
        judgement: None,
    })
}

/// Without those that change more than another one.
fn minimal(fixes: BTreeMap<BTreeSet<usize>, Fix>) -> Vec<Fix> {
    let sets: Vec<BTreeSet<usize>> = fixes.keys().cloned().collect();
    let is_minimal = |set: &BTreeSet<usize>| !sets.iter().any(|other| other.len() < set.len() && other.is_subset(set));
    fixes.into_iter().filter(|(set, _)| is_minimal(set)).map(|(_, fix)| fix).collect()
}

/// Checks patches, the most promising first, at most so many; what breaks is dropped. Ranks again.
pub fn validate(fixes: &mut [Fix], validator: &mut dyn Validator, most: usize) {
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (index, fix) in fixes.iter().enumerate() {
        order.extend((0..fix.proposals.len()).map(|proposal| (index, proposal)));
    }
    order.sort_by_key(|&(fix, proposal)| {
        let it = &fixes[fix].proposals[proposal];
        (it.patch.edits().len(), Reverse(it.preference(fixes[fix].steps)), it.skipped, fix, proposal)
    });
    let mut tried = 0;
    for (index, proposal) in order {
        if fixes[index].checked().is_some() {
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
    }
    rank(fixes);
}
