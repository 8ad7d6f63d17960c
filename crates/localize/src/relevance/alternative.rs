//! The rest of a trace after something else was written: what becomes different, and which tests notice.
//!
//! Follows only what depends on the new value, from use to use, and ends when the difference has died. Of an array, the
//! cells are followed that differ, as long as the trace tells which they are: the rounds of a loop that write other
//! cells are not looked at.

use std::collections::{BTreeMap, BTreeSet};

use logic::control_flow::ErrorTrace;
use logic::terms::{Op, Substitution, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::unfolded::{Action, Item, Unfolded, known_index};

/// An assumption or a check that depends on the new value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dependent {
    pub item: usize,
    /// Over symbols and the new value.
    pub condition: TermId,
    pub is_check: bool,
}

/// What a variable holds instead.
enum Different {
    Whole(TermId),
    /// An array with other elements at these indices, which are constants.
    Cells(BTreeMap<TermId, TermId>),
}

/// The trace behind a replaced statement.
pub struct Alternative<'t> {
    unfolded: &'t Unfolded,
    /// The variables that hold something else.
    changed: FxHashMap<TermId, Different>,
    /// Items that read or write one of them: the next for each variable, or for each cell.
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
        match (unfolded.items[item].written, element(terms, variable, written)) {
            (Some((index, _)), Some((_, element))) => {
                let element = terms.substitute(element, &current);
                alternative.set_cell(variable, index, element, item);
            }
            _ => {
                let written = terms.substitute(written, &current);
                alternative.set(variable, written, item);
            }
        }
        alternative
    }

    fn set(&mut self, variable: TermId, value: TermId, item: usize) {
        self.changed.insert(variable, Different::Whole(value));
        self.next.extend(self.unfolded.next_use(variable, item));
    }

    /// Of an array that is not different as a whole.
    fn set_cell(&mut self, array: TermId, index: TermId, element: TermId, item: usize) {
        let different = self.changed.entry(array).or_insert_with(|| Different::Cells(BTreeMap::new()));
        if let Different::Cells(cells) = different {
            cells.insert(index, element);
        }
        self.next.extend(self.unfolded.next_cell_use(array, index, item));
    }

    fn forget_cell(&mut self, array: TermId, index: TermId) {
        if let Some(Different::Cells(cells)) = self.changed.get_mut(&array) {
            cells.remove(&index);
            if cells.is_empty() {
                self.changed.remove(&array);
            }
        }
    }

    /// Follows the difference to the next test that notices it.
    pub fn advance(&mut self, terms: &mut Terms) -> Option<Dependent> {
        while let Some(number) = self.next_reading() {
            let dependent = self.execute(terms, number);
            if dependent.is_some() {
                return dependent;
            }
        }
        None
    }

    /// The next item that reads something different; it is to be executed.
    pub fn next_reading(&mut self) -> Option<usize> {
        while let Some(number) = self.next.pop_first() {
            let item = &self.unfolded.items[number];
            if self.differs(item) {
                return Some(number);
            }
            // It overwrites what is different.
            if let Some(variable) = item.action.changed() {
                match item.written {
                    Some((index, _)) => self.forget_cell(variable, index),
                    None => drop(self.changed.remove(&variable)),
                }
            }
        }
        None
    }

    pub fn is_different(&self, variable: TermId) -> bool {
        self.changed.contains_key(&variable)
    }

    /// What a variable holds behind an item if nothing else is different that will be read.
    pub fn only(&mut self, variable: TermId, number: usize) -> Option<TermId> {
        let unfolded = self.unfolded;
        let is_read =
            |next: Option<usize>, reads: &dyn Fn(&Item) -> bool| next.is_some_and(|it| reads(&unfolded.items[it]));
        self.changed.retain(|&other, different| match different {
            _ if other == variable => true,
            Different::Whole(_) => is_read(unfolded.next_use(other, number), &|it| it.reads.contains(&other)),
            Different::Cells(cells) => {
                cells.retain(|&index, _| {
                    is_read(unfolded.next_cell_use(other, index, number), &|it| it.reads_cell(other, index))
                });
                !cells.is_empty()
            }
        });
        match (self.changed.len(), self.changed.get(&variable)) {
            (1, Some(&Different::Whole(value))) => Some(value),
            _ => None,
        }
    }

    /// Whether the item reads something that is different.
    fn differs(&self, item: &Item) -> bool {
        item.reads.iter().any(|variable| match self.changed.get(variable) {
            None => false,
            Some(Different::Whole(_)) => true,
            Some(Different::Cells(cells)) => cells.keys().any(|&index| item.reads_cell(*variable, index)),
        })
    }

    /// Finds the next uses of what this item used.
    fn go_on(&mut self, number: usize) {
        let item = &self.unfolded.items[number];
        for variable in item.reads.iter().copied().chain(item.action.changed()) {
            match self.changed.get(&variable) {
                None => {}
                Some(Different::Whole(_)) => self.next.extend(self.unfolded.next_use(variable, number)),
                Some(Different::Cells(cells)) => {
                    for &index in cells.keys().filter(|it| item.reads_cell(variable, **it)) {
                        self.next.extend(self.unfolded.next_cell_use(variable, index, number));
                    }
                }
            }
        }
    }

    /// Executes an item that reads something different. Tells of an assumption or a check that becomes another.
    pub fn execute(&mut self, terms: &mut Terms, number: usize) -> Option<Dependent> {
        let dependent = self.take_over(terms, number);
        self.go_on(number);
        dependent
    }

    fn take_over(&mut self, terms: &mut Terms, number: usize) -> Option<Dependent> {
        let item = &self.unfolded.items[number];
        let read = item.action.read()?;
        let mut current: Substitution = Substitution::default();
        for &it in &item.reads {
            let value = self.current(terms, it, number);
            current.insert(it, value);
        }
        for cell in &item.cells {
            let Some((index, read)) = cell.read else { continue };
            if let Some(index) = known_index(terms, index, &current) {
                let element = self.current_cell(terms, cell.array, index, number);
                current.insert(read, element);
            }
        }
        if let Action::Assign { variable, value } = item.action
            && let (Some(original), Some((index, element))) = (item.written, element(terms, variable, value))
            && !matches!(self.changed.get(&variable), Some(Different::Whole(_)))
        {
            let index = terms.substitute(index, &current);
            let element = terms.substitute(element, &current);
            if terms.as_value(index).is_some() {
                self.write_cell(terms, variable, original, (index, element), number);
                return None;
            }
        }
        let value = terms.substitute(read, &current);
        match item.action {
            Action::Assign { variable, .. } if value == item.value => {
                self.changed.remove(&variable);
                None
            }
            Action::Assign { variable, .. } => {
                self.changed.insert(variable, Different::Whole(value));
                None
            }
            Action::Assume { .. } | Action::Check { .. } if value == item.value => None,
            Action::Assume { .. } => Some(Dependent { item: number, condition: value, is_check: false }),
            Action::Check { .. } => Some(Dependent { item: number, condition: value, is_check: true }),
            Action::Havoc { .. } => None,
        }
    }

    /// What a variable holds before an item.
    fn current(&self, terms: &mut Terms, variable: TermId, number: usize) -> TermId {
        let original = self.unfolded.before(variable, number);
        match self.changed.get(&variable) {
            None => original,
            Some(&Different::Whole(value)) => value,
            Some(Different::Cells(cells)) => {
                cells.iter().fold(original, |array, (&index, &element)| terms.store(array, index, element))
            }
        }
    }

    /// What a cell holds before an item.
    fn current_cell(&self, terms: &mut Terms, array: TermId, index: TermId, number: usize) -> TermId {
        let different = match self.changed.get(&array) {
            None => None,
            Some(&Different::Whole(value)) => return terms.select(value, index),
            Some(Different::Cells(cells)) => cells.get(&index).copied(),
        };
        different.unwrap_or_else(|| self.unfolded.cell_before(terms, array, index, number))
    }

    /// Writes to a cell, where the original run wrote to the same or to another one.
    fn write_cell(
        &mut self,
        terms: &mut Terms,
        array: TermId,
        original: (TermId, TermId),
        (index, element): (TermId, TermId),
        number: usize,
    ) {
        let mut there = original.1;
        if index != original.0 {
            let kept = self.current_cell(terms, array, original.0, number);
            self.put(array, original, kept, number);
            there = self.unfolded.cell_before(terms, array, index, number);
        }
        self.put(array, (index, there), element, number);
    }

    /// A cell holds this behind an item, where it holds something else in the original run.
    fn put(&mut self, array: TermId, (index, original): (TermId, TermId), element: TermId, number: usize) {
        if element == original {
            self.forget_cell(array, index);
        } else {
            self.set_cell(array, index, element, number);
        }
    }
}

/// The index and the element, if a term is a variable with another element at an index.
fn element(terms: &Terms, variable: TermId, term: TermId) -> Option<(TermId, TermId)> {
    match (terms.op(term), terms.arguments(term)) {
        (Op::Store, &[array, index, element]) if array == variable => Some((index, element)),
        _ => None,
    }
}
