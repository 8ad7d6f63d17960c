//! Trying values: the rest of a trace executed with another value in one place, in the execution that is known.
//!
//! A value that makes an assumption fail, with all that was checked before it intact, shows that a statement is
//! relevant, without a solver and without new terms. This is for differences that are checked very often before an
//! assumption notices them, such as a sum in a long loop: their formula grows with the rest of the trace, and all of
//! them together with its square. A trial that depends on a later choice, or on a whole array, is given up.
//!
//! Where a trial comes by another assignment and only what that one writes is different, it is a trial of that
//! assignment as well. So one trial answers for all the rounds of a sum, and many statements cost what one does.

use std::collections::BTreeSet;

use logic::evaluate::{Evaluator, Model};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::{BitVector, Value};
use rustc_hash::FxHashMap;

use crate::unfolded::{Action, Unfolded};

/// A value that leaves the trace.
pub struct Blocked {
    /// The item whose assumption fails.
    pub item: usize,
    /// The assigning items on the way, from the first, with values that alone would have led there.
    pub way: Vec<(usize, Value)>,
}

/// The known execution with another value.
pub struct Trial<'t> {
    pub terms: &'t Terms,
    pub unfolded: &'t Unfolded,
    pub known: &'t Model,
}

impl Trial<'_> {
    /// What becomes of the trace if the item writes this value; nothing if no assumption fails, or something else
    /// before. `is_later` says of an original value whether it depends on a choice behind the item.
    pub fn blocks(&self, item: usize, value: Value, is_later: &mut dyn FnMut(TermId) -> bool) -> Option<Blocked> {
        let variable = self.unfolded.items[item].action.changed()?;
        let mut way = vec![(item, value.clone())];
        let mut changed: FxHashMap<TermId, Value> = FxHashMap::default();
        changed.insert(variable, value);
        let mut next: BTreeSet<usize> = self.unfolded.next_use(variable, item).into_iter().collect();
        while let Some(number) = next.pop_first() {
            let at = &self.unfolded.items[number];
            if at.reads.iter().any(|it| changed.contains_key(it)) {
                let value = self.value(number, &changed, is_later)?;
                match at.action {
                    Action::Assign { variable, .. } => {
                        changed.insert(variable, value.clone());
                        changed.retain(|&it, _| it == variable || self.is_read_behind(it, number));
                        if changed.len() == 1 {
                            way.push((number, value));
                        }
                    }
                    Action::Assume { .. } if value == Value::Bool(false) => return Some(Blocked { item: number, way }),
                    Action::Check { .. } if value == Value::Bool(false) => return None,
                    Action::Assume { .. } | Action::Check { .. } | Action::Havoc { .. } => {}
                }
            } else if let Some(variable) = at.action.changed() {
                changed.remove(&variable);
            }
            for variable in at.reads.iter().copied().chain(at.action.changed()) {
                if changed.contains_key(&variable) {
                    next.extend(self.unfolded.next_use(variable, number));
                }
            }
        }
        None
    }

    /// Whether the variable is read behind the item before it is written.
    fn is_read_behind(&self, variable: TermId, item: usize) -> bool {
        self.unfolded.next_use(variable, item).is_some_and(|it| self.unfolded.items[it].reads.contains(&variable))
    }

    /// What an item writes, assumes or checks then.
    fn value(
        &self,
        number: usize,
        changed: &FxHashMap<TermId, Value>,
        is_later: &mut dyn FnMut(TermId) -> bool,
    ) -> Option<Value> {
        let item = &self.unfolded.items[number];
        let mut state = Model::new();
        for &variable in &item.reads {
            if matches!(self.terms.sort(variable), Sort::Array(_)) {
                return None;
            }
            let value = match changed.get(&variable) {
                Some(value) => value.clone(),
                None => {
                    let original = self.unfolded.before(variable, number);
                    if is_later(original) {
                        return None;
                    }
                    Evaluator::new(self.terms, self.known).value(original).ok()?
                }
            };
            state.assign(variable, value);
        }
        Evaluator::new(self.terms, &state).value(item.action.read()?).ok()
    }
}

/// Values that are far from most others, and yet from where a number can grow or shrink.
pub fn far_values(sort: Sort) -> Vec<Value> {
    let Sort::BitVector(width) = sort else { return Vec::new() };
    let half = BitVector::ones(width).lshr(&BitVector::new(width, 2));
    vec![Value::BitVector(half.not()), Value::BitVector(half)]
}
