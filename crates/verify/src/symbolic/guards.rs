//! Guards: under which condition a state is reached.
//!
//! A guard is a term that remembers which guard it came from and by which condition. Two states that meet
//! thus know the branch at which their paths parted: its condition alone tells them apart, and if nothing was
//! assumed since, the merged state has the guard from before the branch.

use logic::terms::{TermId, Terms};
use rustc_hash::FxHashMap;

/// How far up a condition is looked for that decides another one.
const LOOK_BACK: usize = 24;

#[derive(Clone, Copy)]
struct Origin {
    parent: TermId,
    condition: TermId,
    depth: u32,
}

pub struct Guards {
    origins: FxHashMap<TermId, Origin>,
    root: TermId,
}

/// Two paths that meet.
pub struct Meeting {
    pub guard: TermId,
    /// True on the first path, false on the second, wherever the guard holds.
    pub condition: TermId,
}

impl Guards {
    pub fn new(root: TermId) -> Guards {
        Guards { origins: FxHashMap::default(), root }
    }

    fn depth(&self, guard: TermId) -> u32 {
        self.origins.get(&guard).map_or(0, |origin| origin.depth)
    }

    /// Steps up; a guard without origin hangs below the root by itself.
    fn up(&self, guard: TermId) -> (TermId, TermId) {
        self.origins.get(&guard).map_or((self.root, guard), |origin| (origin.parent, origin.condition))
    }

    /// The guard together with one more condition.
    pub fn child(&mut self, terms: &mut Terms, guard: TermId, condition: TermId) -> TermId {
        if condition == terms.true_term() {
            return guard;
        }
        let term = terms.and2(guard, condition);
        if term != guard && term != terms.false_term() {
            let depth = self.depth(guard) + 1;
            self.origins.entry(term).or_insert(Origin { parent: guard, condition, depth });
        }
        term
    }

    /// Whether the condition was decided on the way here, as far as that shows.
    pub fn decided(&self, terms: &mut Terms, guard: TermId, condition: TermId) -> Option<bool> {
        if terms.is_constant(condition) {
            return Some(condition == terms.true_term());
        }
        let negation = terms.not(condition);
        let mut guard = guard;
        for _ in 0..LOOK_BACK {
            if guard == self.root {
                return None;
            }
            let (parent, known) = self.up(guard);
            if known == condition {
                return Some(true);
            }
            if known == negation {
                return Some(false);
            }
            guard = parent;
        }
        None
    }

    /// Merges two guards that exclude each other.
    pub fn meet(&mut self, terms: &mut Terms, first: TermId, second: TermId) -> Meeting {
        let (mut left, mut right) = (first, second);
        let (mut left_rest, mut right_rest) = (Vec::new(), Vec::new());
        while left != right {
            if self.depth(left) >= self.depth(right) && left != self.root {
                let (parent, condition) = self.up(left);
                left_rest.push(condition);
                left = parent;
            } else {
                let (parent, condition) = self.up(right);
                right_rest.push(condition);
                right = parent;
            }
        }
        let common = left;
        let parted = match (left_rest.last(), right_rest.last()) {
            (Some(&left), Some(&right)) => terms.not(left) == right,
            _ => false,
        };
        if parted {
            let condition = left_rest.pop().expect("both have a condition at which they parted");
            right_rest.pop();
            let (left, right) = (terms.and(&left_rest), terms.and(&right_rest));
            let rest = terms.ite(condition, left, right);
            return Meeting { guard: self.child(terms, common, rest), condition };
        }
        let (left, right) = (terms.and(&left_rest), terms.and(&right_rest));
        let either = terms.or2(left, right);
        Meeting { guard: self.child(terms, common, either), condition: left }
    }
}
