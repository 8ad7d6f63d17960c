//! Evidence that the actual states are less restrictive than the hypothesized ones (§2.5).

use super::predicates::{Atom, Cell};
use super::states::States;
use super::trace::Trace;

/// A negative predicate and what it is held against; points count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Type I: it has no variables.
    Ground { point: usize, wrong: Atom },
    /// Type II: what is true has the same left side.
    Opposed { point: usize, known: Atom, wrong: Atom },
    /// Left at the top of the trace without an explicit evidence.
    Implicit { wrong: Atom },
}

impl Evidence {
    /// In one sentence.
    pub fn told(&self) -> String {
        match self {
            Evidence::Ground { point, wrong } => {
                format!("at step {} the postcondition needs {wrong}, which is false", point + 1)
            }
            Evidence::Opposed { point, known, wrong } => {
                format!("at step {} the run has {known}, the postcondition needs {wrong}", point + 1)
            }
            Evidence::Implicit { wrong } => {
                format!("nothing in the run makes {wrong} true, which the postcondition needs")
            }
        }
    }
}

/// All evidence for a conjunction, in the paper's order: from the end of the trace to its beginning, then implicit.
pub fn detect(trace: &Trace, states: &States, at_start: &impl Fn(&Cell) -> Option<i64>) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = Vec::new();
    for point in (0..=trace.steps.len()).rev() {
        let wanted = states.wanted(point);
        let known = super::states::closed(states.backward[point].clone());
        for wrong in wanted.iter().filter(|it| is_negative(trace, point, it, at_start)) {
            if wrong.is_ground() {
                found.push(Evidence::Ground { point, wrong: wrong.clone() });
                continue;
            }
            let (direction, _) = wrong.left.direction();
            let opposed = known.iter().filter(|it| it.left.direction().0 == direction);
            for known in opposed {
                found.push(Evidence::Opposed { point, known: known.clone(), wrong: wrong.clone() });
            }
        }
    }
    let explicit: Vec<Atom> = found
        .iter()
        .filter_map(|it| match it {
            Evidence::Opposed { point: 0, wrong, .. } | Evidence::Ground { point: 0, wrong } => Some(wrong.clone()),
            _ => None,
        })
        .collect();
    for wrong in states.hypothesized[0].iter().filter(|it| is_negative(trace, 0, it, at_start)) {
        if !explicit.contains(wrong) {
            found.push(Evidence::Implicit { wrong: wrong.clone() });
        }
    }
    found
}

/// Whether a predicate is false in the run at a point.
fn is_negative(trace: &Trace, point: usize, atom: &Atom, at_start: &impl Fn(&Cell) -> Option<i64>) -> bool {
    let value = |cell: &Cell| cell_at(trace, point, cell, at_start);
    match atom.left.value(&value) {
        Some(value) => !atom.relation.holds(value),
        None => false,
    }
}

/// The value of a cell at a point: what was assigned last before it.
fn cell_at(trace: &Trace, point: usize, cell: &Cell, at_start: &impl Fn(&Cell) -> Option<i64>) -> Option<i64> {
    match cell {
        Cell::Name(name) => match trace.steps.get(point) {
            Some(step) => step.before.get(name).copied(),
            None => trace.names.get(name).copied(),
        },
        Cell::Element(..) => {
            let assigned =
                trace.steps[..point].iter().enumerate().rev().find_map(|(index, step)| match &step.happened {
                    super::trace::Happened::Assigned { target, value } if target == cell => Some((index, value)),
                    _ => None,
                });
            match assigned {
                Some((index, value)) => value.value(&|it| cell_at(trace, index, it, at_start)),
                None => at_start(cell),
            }
        }
    }
}
