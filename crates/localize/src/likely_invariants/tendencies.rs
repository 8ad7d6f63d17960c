//! What failing runs do and few good ones: invariants that most good runs keep, but not all of them.
//!
//! The paper asks that no good run does what the failing one did (§3.1). A good run may do it, too, where nothing that is printed
//! depends on it, or where it happens to be right; such runs hide the fault. So in how many failing and in how many good runs a
//! value is as great or as small as here, a branch goes this way or a piece of code runs is counted, and ranked as coverage is
//! (Ochiai). Input: all good runs, not only those that are compared with; what the symptom of the failing run depends on, and
//! what the same output depends on in good runs: what is missing from a failing run is in no slice of it. Output:
//! candidates, which come behind those of the last stage and before all others.
//!
//! Not here: whether one follows from another. What is further on the way to the symptom comes first among equals.

use std::collections::{BTreeMap, BTreeSet};

use observe::recording::{BlockId, BranchId, Invariants, Sites, Value};
use observe::slicing::{NodeId, Slice};

use super::candidates::{Candidate, Candidates, FailingRun, Place, Shown, Stage, in_words};
use super::expression::{Below, Line, line_of, new_behind, segments_behind};
use super::training::{Reason, Share, Tendency};
use crate::spectrum::{Counts, Formula};

/// What tendencies are found in.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    pub sites: &'a Sites,
    /// The first is the one that is explained.
    pub failing: &'a [FailingRun<'a>],
    pub good: &'a [&'a Invariants],
    /// What the outputs of good runs depend on.
    pub good_slices: &'a [Slice],
}

/// Which runs do something: failing ones, then good ones.
type Doing = Vec<bool>;

struct Found {
    place: Place,
    node: NodeId,
    reason: Reason,
    doing: Doing,
    score: f64,
    /// Steps to the symptom.
    distance: usize,
}

impl Found {
    /// Ways of branches say more than values, and these more than that something runs.
    fn strength(&self) -> u8 {
        match self.place {
            Place::Branch(_) => 2,
            Place::Site(_) => 1,
            Place::Block(_) | Place::Symptom(_) => 0,
        }
    }
}

impl Candidates {
    /// Adds what is found, in its place.
    pub fn add_tendencies(&mut self, runs: &Runs<'_>) {
        let Some(first) = runs.failing.first() else { return };
        let Some(slice) = first.slice else { return };
        let shown = Shown::new(slice);
        let mut rest: Vec<Candidate> = std::mem::take(&mut self.list);
        let is_symptom = |it: &Candidate| it.reason == Reason::Symptom && !first.ends_there;
        let last = rest.iter().position(|it| it.stage != Stage::InAllInputs).unwrap_or(rest.len());
        let mut others = rest.split_off(last);
        let (symptoms, left): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_symptom);
        self.list = left;
        for found in find(runs, &shown) {
            let message = in_words(runs.sites, found.place, found.reason);
            // What a filter dropped, or another stage has.
            if self.list.iter().any(|it| it.place == found.place) {
                continue;
            }
            match others.iter().position(|it| it.place == found.place) {
                Some(at) => {
                    let mut known = others.remove(at);
                    known.why.push(message);
                    self.list.push(known);
                }
                None => self.list.push(candidate(runs, &shown, found, message)),
            }
        }
        self.list.extend(others);
        self.list.extend(symptoms);
    }
}

fn candidate(runs: &Runs<'_>, shown: &Shown<'_>, found: Found, message: String) -> Candidate {
    let mut lines: BTreeSet<Line> = line_of(runs.sites, found.node).into_iter().collect();
    match found.place {
        Place::Block(block) => {
            let block = runs.sites.block(block);
            lines.extend(block.lines.iter().map(|line| (block.file.clone(), *line)));
        }
        Place::Branch(_) => {
            lines.extend(new_behind(runs.sites, found.node, |it| doing_block(runs, it) == found.doing));
        }
        Place::Site(_) | Place::Symptom(_) => {
            let index = shown.slice.index(found.node);
            lines.extend(index.into_iter().flat_map(|it| shown.expression(runs.sites, it, Below::Value)));
        }
    }
    Candidate {
        place: found.place,
        node: found.node,
        reason: found.reason,
        stage: Stage::InSlice,
        runs: 0,
        explained_by: None,
        chain: shown.slice.index(found.node).map_or_else(Vec::new, |it| shown.chain(it)),
        expression: lines.into_iter().collect(),
        why: vec![message],
        declared: None,
        inside: Vec::new(),
    }
}

/// The best of each place and line, the best first.
fn find(runs: &Runs<'_>, shown: &Shown<'_>) -> Vec<Found> {
    let branches: BTreeMap<NodeId, BranchId> = (0..)
        .zip(&runs.sites.branches)
        .map(|(id, it)| (NodeId { unit: it.unit, function: it.function_index, node: it.node }, BranchId(id)))
        .collect();
    let nodes: BTreeSet<NodeId> =
        shown.slice.nodes.iter().chain(runs.good_slices.iter().flat_map(|it| &it.nodes)).copied().collect();
    let mut found: Vec<Found> = Vec::new();
    let mut blocks = BTreeSet::new();
    for node in nodes {
        let is_symptom = shown.slice.index(node).is_some_and(|it| shown.slice.symptom.contains(&it));
        if is_symptom || line_of(runs.sites, node).is_none() {
            continue;
        }
        let mut add = |place: Place, what: Tendency, doing: Doing| {
            let Some((score, failing, good)) = weigh(&doing, runs.failing.len()) else { return };
            let distance = shown.slice.index(node).map_or(usize::MAX, |it| shown.chain(it).len());
            found.push(Found { place, node, reason: Reason::Tends { what, failing, good }, doing, score, distance });
        };
        if let Some(block) = block_of(runs.sites, node)
            && blocks.insert(block)
        {
            add(Place::Block(block), Tendency::Runs, doing_block(runs, block));
        }
        if let Some(&branch) = branches.get(&node) {
            for way in 0..runs.sites.branch(branch).ways.len() {
                let doing = each(runs, |it| it.coverage.ways.of(branch)[way] > 0);
                add(Place::Branch(branch), Tendency::Way(way), doing);
            }
        }
        if let Some(site) = runs.sites.site_of_node(node.unit, node.function, node.node) {
            let range = |it: &Invariants| it.ranges.get(site.0 as usize).copied().flatten();
            let Some(here) = range(runs.failing[0].observed) else { continue };
            let failing = || runs.failing.iter().filter_map(|it| range(it.observed));
            let greatest: BTreeSet<Value> = failing().map(|it| it.max).filter(|it| *it <= here.max).collect();
            for bound in greatest {
                let doing = each(runs, |it| range(it).is_some_and(|it| it.max >= bound));
                add(Place::Site(site), Tendency::AtLeast { bound, here: here.max }, doing);
            }
            let least: BTreeSet<Value> = failing().map(|it| it.min).filter(|it| *it >= here.min).collect();
            for bound in least {
                let doing = each(runs, |it| range(it).is_some_and(|it| it.min <= bound));
                add(Place::Site(site), Tendency::AtMost { bound, here: here.min }, doing);
            }
        }
    }
    found.sort_by(|one, other| {
        let key = |it: &Found| (std::cmp::Reverse(it.strength()), it.distance, it.place);
        other.score.total_cmp(&one.score).then_with(|| key(one).cmp(&key(other)))
    });
    without_repetition(runs, found)
}

/// A line and a place once; code that runs because of a branch that is before it, and as often, not at all.
fn without_repetition(runs: &Runs<'_>, found: Vec<Found>) -> Vec<Found> {
    let (mut lines, mut behind) = (BTreeSet::new(), BTreeSet::new());
    let mut kept: Vec<Found> = Vec::new();
    for it in found {
        let is_behind = matches!(it.place, Place::Block(block) if !behind.insert(block));
        if is_behind || !line_of(runs.sites, it.node).is_some_and(|line| lines.insert(line)) {
            continue;
        }
        if let Place::Branch(_) = it.place {
            let segments = segments_behind(runs.sites, it.node, |block| doing_block(runs, block) == it.doing);
            behind.extend(segments.iter().filter_map(|segment| runs.sites.block_of(it.node.unit, segment.counter)));
        }
        kept.push(it);
    }
    kept
}

/// How much it is of failing runs, which come first. Nothing if the explained run does not do it, or if good runs do it as often.
fn weigh(doing: &[bool], failing: usize) -> Option<(f64, Share, Share)> {
    let count = |doing: &[bool]| doing.iter().filter(|it| **it).count() as u32;
    let share = |doing: &[bool]| Share { some: count(doing), all: doing.len() as u32 };
    let (failing, good) = doing.split_at(failing);
    let (failing, good) = (share(failing), share(good));
    if !doing[0] || good.some * failing.all >= failing.some * good.all {
        return None;
    }
    let score = Formula::Ochiai.suspiciousness(Counts {
        executed_failing: failing.some,
        executed_passing: good.some,
        other_failing: failing.all - failing.some,
        other_passing: good.all - good.some,
    });
    Some((score, failing, good))
}

fn each(runs: &Runs<'_>, does: impl Fn(&Invariants) -> bool) -> Doing {
    runs.failing.iter().map(|it| it.observed).chain(runs.good.iter().copied()).map(does).collect()
}

fn doing_block(runs: &Runs<'_>, block: BlockId) -> Doing {
    each(runs, |it| it.coverage.block(block) > 0)
}

fn block_of(sites: &Sites, node: NodeId) -> Option<BlockId> {
    let function = &sites.units[node.unit as usize].functions[node.function as usize];
    let segment = function.segment_of(node.node)?;
    sites.block_of(node.unit, function.segments[segment].counter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(failing: &[bool], good: &[bool], expected: Option<f64>) {
        let found = weigh(&[failing, good].concat(), failing.len()).map(|it| it.0);
        assert_eq!(found.map(|it| (it * 1000.0).round() / 1000.0), expected);
    }

    #[test]
    fn what_failing_runs_do_more_often() {
        check(&[true; 4], &[false; 6], Some(1.0));
        check(&[true, true, true, false], &[true, false, false, false], Some(0.75));
        // Everybody does it, or good runs more often.
        check(&[true; 4], &[true; 6], None);
        check(&[true, false], &[true, true, false], None);
        // The run that is explained does not.
        check(&[false, true, true], &[false; 6], None);
        check(&[true], &[], None);
    }
}
