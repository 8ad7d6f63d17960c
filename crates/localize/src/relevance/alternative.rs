//! The rest of a trace after something else was written: what becomes different, and which tests notice.
//!
//! Follows only what depends on the new value, from use to use, and ends when the difference has died.

use std::collections::BTreeSet;

use logic::control_flow::ErrorTrace;
use logic::terms::{Substitution, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::unfolded::{Action, Unfolded};

/// An assumption or a check that depends on the new value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dependent {
    pub item: usize,
    /// Over symbols and the new value.
    pub condition: TermId,
    pub is_check: bool,
}

/// The trace behind a replaced statement.
pub struct Alternative<'t> {
    unfolded: &'t Unfolded,
    /// What variables hold that hold something else.
    changed: FxHashMap<TermId, TermId>,
    /// Items that read or write one of them.
    next: BTreeSet<usize>,
}

impl<'t> Alternative<'t> {
    /// The statement writes `value` instead.
    pub fn new(
        terms: &mut Terms,
        trace: &ErrorTrace,
        unfolded: &'t Unfolded,
        statement: usize,
        value: TermId,
    ) -> Alternative<'t> {
        let item = unfolded.of_statement[statement];
        let mut alternative = Alternative { unfolded, changed: FxHashMap::default(), next: BTreeSet::new() };
        let Some(command) = trace.statements[statement].writing(terms, value) else { return alternative };
        let (Some(variable), Some(written)) = (command.changed(), command.read()) else { return alternative };
        let mut current: Substitution = Substitution::default();
        for it in terms.free_variables(&[written]) {
            if it != value {
                current.insert(it, unfolded.before(it, item));
            }
        }
        let written = terms.substitute(written, &current);
        alternative.set(variable, written, item);
        alternative
    }

    fn set(&mut self, variable: TermId, value: TermId, item: usize) {
        self.changed.insert(variable, value);
        self.next.extend(self.unfolded.next_use(variable, item));
    }

    /// Follows the difference to the next test that notices it.
    pub fn advance(&mut self, terms: &mut Terms) -> Option<Dependent> {
        while let Some(number) = self.next.pop_first() {
            let item = &self.unfolded.items[number];
            let differs = item.reads.iter().any(|it| self.changed.contains_key(it));
            let mut dependent = None;
            if !differs {
                // It overwrites the variable.
                if let Some(variable) = item.action.changed() {
                    self.changed.remove(&variable);
                }
            } else {
                dependent = self.execute(terms, number);
            }
            let touched = item.reads.iter().copied().chain(item.action.changed());
            for variable in touched {
                if self.changed.contains_key(&variable) {
                    self.next.extend(self.unfolded.next_use(variable, number));
                }
            }
            if dependent.is_some() {
                return dependent;
            }
        }
        None
    }

    fn execute(&mut self, terms: &mut Terms, number: usize) -> Option<Dependent> {
        let item = &self.unfolded.items[number];
        let read = item.action.read()?;
        let current: Substitution = item
            .reads
            .iter()
            .map(|&it| (it, self.changed.get(&it).copied().unwrap_or_else(|| self.unfolded.before(it, number))))
            .collect();
        let value = terms.substitute(read, &current);
        match item.action {
            Action::Assign { variable, .. } if value == item.value => {
                self.changed.remove(&variable);
                None
            }
            Action::Assign { variable, .. } => {
                self.changed.insert(variable, value);
                None
            }
            Action::Assume { .. } | Action::Check { .. } if value == item.value => None,
            Action::Assume { .. } => Some(Dependent { item: number, condition: value, is_check: false }),
            Action::Check { .. } => Some(Dependent { item: number, condition: value, is_check: true }),
            Action::Havoc { .. } => None,
        }
    }
}
