//! Hypothesized and actual program states along a trace (§2.3, §2.4), and what follows from them.
//!
//! `R` is the path-based weakest precondition of a conjunction of the postcondition: assignments substitute, branches
//! change nothing. `Q` is what is known to be true: forward by kill and gen, backward by substitution with branches
//! conjoined. Both are closed under equality and transitivity.

use std::collections::BTreeSet;

use super::predicates::{Atom, Relation};
use super::trace::{Happened, Step, Trace};

/// Predicates of a closed state at most.
const MOST: usize = 160;

/// The states at the entry of each statement instance, and at the end.
pub struct States {
    /// The hypothesized states.
    pub hypothesized: Vec<Vec<Atom>>,
    pub forward: Vec<Vec<Atom>>,
    pub backward: Vec<Vec<Atom>>,
}

impl States {
    pub fn along(trace: &Trace, precondition: &[Atom], conjunction: &[Atom]) -> States {
        let hypothesized = back(trace, conjunction.to_vec(), false);
        let backward = back(trace, Vec::new(), true);
        let mut forward = vec![precondition.to_vec()];
        for step in &trace.steps {
            let last = forward.last().cloned().unwrap_or_default();
            forward.push(after(step, last));
        }
        States { hypothesized, forward, backward }
    }

    /// What is actually true, closed.
    pub fn actual(&self, at: usize) -> Vec<Atom> {
        closed(self.forward[at].iter().chain(&self.backward[at]).cloned().collect())
    }

    /// What should be true, closed.
    pub fn wanted(&self, at: usize) -> Vec<Atom> {
        closed(self.hypothesized[at].clone())
    }
}

/// One predicate at each point: substituted by the assignments that follow.
pub fn traced(trace: &Trace, atom: &Atom) -> Vec<Atom> {
    back(trace, vec![atom.clone()], false).into_iter().filter_map(|it| it.into_iter().next()).collect()
}

fn back(trace: &Trace, end: Vec<Atom>, conjoin: bool) -> Vec<Vec<Atom>> {
    let mut states = vec![end];
    for step in trace.steps.iter().rev() {
        let below = states.last().cloned().unwrap_or_default();
        states.push(match &step.happened {
            Happened::Assigned { target, value } => below.iter().map(|it| it.replaced(target, value)).collect(),
            Happened::Decided { held, .. } if conjoin => {
                let mut all = held.clone();
                all.extend(below);
                all
            }
            Happened::Decided { .. } => below,
        });
    }
    states.reverse();
    states
}

/// Kill and gen.
fn after(step: &Step, mut state: Vec<Atom>) -> Vec<Atom> {
    match &step.happened {
        Happened::Assigned { target, value } => {
            state.retain(|it| !it.mentions(target));
            if !value.cells.contains_key(target) {
                let left = super::predicates::Linear::cell(target.clone()).plus(value, -1);
                state.push(Atom::new(left, Relation::Equal));
            }
        }
        Happened::Decided { held, .. } => {
            let new: Vec<Atom> = held.iter().filter(|it| !state.contains(it)).cloned().collect();
            state.extend(new);
        }
    }
    state
}

/// With what follows by replacing equals and by transitivity.
pub fn closed(state: Vec<Atom>) -> Vec<Atom> {
    let mut known: BTreeSet<Atom> = state.iter().cloned().collect();
    let mut all: Vec<Atom> = known.iter().cloned().collect();
    let mut index = 0;
    while index < all.len() && all.len() < MOST {
        for other in 0..index {
            let (one, two) = (all[index].clone(), all[other].clone());
            for derived in [equated(&one, &two), equated(&two, &one), chained(&one, &two)].into_iter().flatten() {
                if known.insert(derived.clone()) {
                    all.push(derived);
                }
            }
        }
        index += 1;
    }
    all
}

/// `x = e` used in another predicate.
fn equated(equality: &Atom, other: &Atom) -> Option<Atom> {
    if equality.relation != Relation::Equal || equality.left.cells.len() > 2 {
        return None;
    }
    let (cell, coefficient) = equality.left.cells.iter().find(|(cell, it)| it.abs() == 1 && other.mentions(cell))?;
    // x + rest = 0, so x = -rest.
    let rest = equality.left.plus(&super::predicates::Linear::cell(cell.clone()), -coefficient);
    Some(other.replaced(cell, &rest.times(-coefficient))).filter(|it| !it.is_ground())
}

/// `a < b` and `b <= c` give `a < c`.
fn chained(one: &Atom, other: &Atom) -> Option<Atom> {
    let upward = |atom: &Atom| match atom.relation {
        Relation::Less | Relation::LessEqual => Some((atom.left.clone(), atom.relation)),
        Relation::Greater | Relation::GreaterEqual => Some((atom.left.times(-1), atom.relation.mirrored())),
        _ => None,
    };
    let ((left, first), (right, second)) = (upward(one)?, upward(other)?);
    let sum = left.plus(&right, 1);
    let cancels = sum.cells.len() < left.cells.len() + right.cells.len() && sum.cells.len() <= 2;
    let strict = first == Relation::Less || second == Relation::Less;
    let relation = if strict { Relation::Less } else { Relation::LessEqual };
    (cancels && !sum.cells.is_empty()).then(|| Atom::new(sum, relation))
}
