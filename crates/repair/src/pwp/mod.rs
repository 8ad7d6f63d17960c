//! Path-based weakest preconditions: evidence for what is wrong in a failing run, and what to change.
//!
//! He and Gupta, *Automated Debugging using Path-Based Weakest Preconditions*, FASE 2004. A failing call → its
//! [`trace`] with those of the functions that it calls, the postcondition in disjunctive normal form with the call's values ([`conditions`]), the states along
//! the trace ([`states`]), the three kinds of [`evidence`], and [`modifications`] in the paper's order: points from the
//! end of the trace to its beginning, then implicit evidence; conjunction by conjunction.
//!
//! Deviations. Predicates are linear expressions, not strings: the difference of two of them is a difference of
//! cells. Non-linear terms stand with their value in the run. `return e` is part of the postcondition, as in the
//! paper's examples, where it is the variable that is returned. Modifications are candidates like others; whether one
//! helps is decided by tests and by verification.

mod calls;
pub mod conditions;
pub mod evidence;
pub mod modifications;
pub mod predicates;
pub mod states;
pub mod trace;

use std::collections::BTreeMap;

use frontend::acsl::syntax::Contract;

use crate::c::{Function, Outline};
use crate::cases::{Case, Given as CaseGiven, Value};
use crate::driver::Slot;
use conditions::{Conjunction, Given, normal_form};
use evidence::Evidence;
use modifications::{Modification, Modifier};
use predicates::{Atom, Cell};
use states::States;
use trace::{Happened, Trace};

/// Conjunctions of the postcondition that are looked at, and modifications in all.
const CONJUNCTIONS: usize = 12;
const MOST: usize = 400;

/// A function as it is written, and what it can call.
pub struct Called<'c> {
    pub function: &'c Function,
    pub outline: &'c Outline,
    pub text: &'c str,
}

/// A failing call, seen as the paper sees it.
pub struct Failing {
    pub trace: Trace,
    pub precondition: Vec<Atom>,
    /// The postcondition's conjunctions.
    pub conjunctions: Vec<Conjunction>,
    names: BTreeMap<String, i64>,
    arrays: BTreeMap<String, Vec<i64>>,
}

impl Failing {
    /// Nothing if the function or its contract is outside the paper's language.
    pub fn new(subject: &Called<'_>, contract: &Contract, slots: &[Slot], case: &Case) -> Option<Failing> {
        let CaseGiven::Call { values, .. } = &case.given else { return None };
        let (mut names, mut arrays) = (BTreeMap::new(), BTreeMap::new());
        let number = |bits: &u128| i32::try_from(*bits as i128).ok().map(i64::from);
        // Names as they are written in the text: `p->x`. Rows and arrays of structures are outside what traces follow.
        let is_followed = |slot: &Slot| !slot.is_real && !slot.is_rows && slot.selector.is_empty();
        for (slot, value) in slots.iter().zip(values).filter(|(slot, _)| is_followed(slot)) {
            match value {
                Value::Scalar(bits) => drop(names.insert(slot.target.clone(), number(bits)?)),
                Value::Array(elements) | Value::Rows { elements, .. } => {
                    let elements: Option<Vec<i64>> = elements.iter().map(number).collect();
                    arrays.insert(slot.target.clone(), elements?);
                }
            }
        }
        let trace = trace::follow(subject.function, subject.outline, subject.text, names.clone(), arrays.clone())?;
        let mut changed: Vec<String> = Vec::new();
        for step in &trace.steps {
            if let Happened::Assigned { target: Cell::Element(array, _), .. } = &step.happened {
                changed.push(array.clone());
            }
        }
        let given = |symbolic: bool| Given {
            names: &names,
            arrays: &arrays,
            returned: trace.returned.as_ref(),
            symbolic,
            changed: &changed,
        };
        let mut conjunctions: Vec<Conjunction> = vec![Vec::new()];
        for clause in &contract.ensures {
            let form = normal_form(&clause.term, &given(false))?;
            conjunctions = conjunctions
                .iter()
                .flat_map(|one| form.iter().map(move |other| one.iter().chain(other).cloned().collect()))
                .take(64)
                .collect();
        }
        let mut precondition = Vec::new();
        for clause in &contract.requires {
            for conjunct in clause.term.conjuncts() {
                let form = normal_form(conjunct, &given(true)).unwrap_or_default();
                precondition.extend(form.into_iter().next().unwrap_or_default());
            }
        }
        Some(Failing { trace, precondition, conjunctions, names, arrays })
    }

    /// The value of a cell before the call.
    fn at_start(&self, cell: &Cell) -> Option<i64> {
        match cell {
            Cell::Name(name) => self.names.get(name).copied(),
            Cell::Element(array, index) => {
                let array = array.strip_prefix("\\old(").and_then(|it| it.strip_suffix(')')).unwrap_or(array);
                self.arrays.get(array)?.get(usize::try_from(*index).ok()?).copied()
            }
        }
    }

    pub fn states(&self, conjunction: &Conjunction) -> States {
        States::along(&self.trace, &self.precondition, conjunction)
    }

    pub fn evidence(&self, states: &States) -> Vec<Evidence> {
        evidence::detect(&self.trace, states, &|cell| self.at_start(cell))
    }

    /// What would remove the evidence, in the paper's order.
    pub fn modifications(&self, function: &Function, text: &str) -> Vec<Modification> {
        let mut found: Vec<Modification> = Vec::new();
        for conjunction in self.conjunctions.iter().take(CONJUNCTIONS) {
            let states = self.states(conjunction);
            let modifier = Modifier { function, text, trace: &self.trace, states: &states };
            for evidence in self.evidence(&states) {
                for change in modifier.remove(&evidence) {
                    let is_new =
                        !found.iter().any(|it| (&it.range, &it.replacement) == (&change.range, &change.replacement));
                    if is_new {
                        found.push(change);
                    }
                    if found.len() >= MOST {
                        return found;
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
