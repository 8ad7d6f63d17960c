//! Merging: two states that reach the same place become one, with `ite` terms where they differ.

use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use logic::sort::Sort;
use logic::terms::TermId;
use logic::value::BitVector;
use program::exec::ViolationKind;

use super::Engine;
use super::state::{Cell, Contents, Scalar, State, VariableKey};

impl Engine<'_> {
    /// One state for all of them. Those that came last parted last, so merging begins there.
    pub(super) fn merge_all(&mut self, mut states: Vec<State>) -> Option<State> {
        let mut merged = states.pop()?;
        while let Some(state) = states.pop() {
            merged = self.merge(state, merged);
        }
        Some(merged)
    }

    fn merge(&mut self, first: State, second: State) -> State {
        let meeting = self.guards.meet(&mut self.terms, first.guard, second.guard);
        let condition = meeting.condition;
        let variables = self.merge_variables(condition, first.variables, &second.variables);
        let objects = self.merge_objects(condition, first.objects, &second.objects);
        State { guard: meeting.guard, variables, objects }
    }

    pub(super) fn choose(&mut self, condition: TermId, then: Scalar, otherwise: Scalar) -> Scalar {
        Scalar {
            term: self.terms.ite(condition, then.term, otherwise.term),
            unwritten: self.terms.ite(condition, then.unwritten, otherwise.unwritten),
        }
    }

    fn merge_variables(
        &mut self,
        condition: TermId,
        first: OrdMap<VariableKey, Scalar>,
        second: &OrdMap<VariableKey, Scalar>,
    ) -> OrdMap<VariableKey, Scalar> {
        let mut changes = Vec::new();
        for difference in first.diff(second) {
            let (key, value) = match difference {
                DiffItem::Add(key, value) => {
                    let absent = self.unassigned(self.terms.sort(value.term));
                    (*key, self.choose(condition, absent, *value))
                }
                DiffItem::Remove(key, value) => {
                    let absent = self.unassigned(self.terms.sort(value.term));
                    (*key, self.choose(condition, *value, absent))
                }
                DiffItem::Update { old: (key, old), new: (_, new) } => (*key, self.choose(condition, *old, *new)),
            };
            changes.push((key, value));
        }
        let mut merged = first;
        for (key, value) in changes {
            merged.insert(key, value);
        }
        merged
    }

    /// A variable before its first assignment: zero, and none of it written.
    pub(super) fn unassigned(&mut self, sort: Sort) -> Scalar {
        Scalar { term: self.no_bits(sort), unwritten: self.all_bits(sort) }
    }

    /// The mask with all bits of the sort.
    pub(super) fn all_bits(&mut self, sort: Sort) -> TermId {
        match sort.width() {
            None => self.terms.true_term(),
            Some(width) => self.terms.bv_value(&BitVector::ones(width)),
        }
    }

    /// The mask without any bit of the sort.
    pub(super) fn no_bits(&mut self, sort: Sort) -> TermId {
        match sort.width() {
            None => self.terms.false_term(),
            Some(width) => self.terms.bv_value(&BitVector::zero(width)),
        }
    }

    fn merge_objects(
        &mut self,
        condition: TermId,
        first: OrdMap<u32, Contents>,
        second: &OrdMap<u32, Contents>,
    ) -> OrdMap<u32, Contents> {
        let leaks = self.checks.has(ViolationKind::Leak);
        let dead = self.terms.false_term();
        let mut changes = Vec::new();
        for difference in first.diff(second) {
            match difference {
                // On the other path nothing refers to the object, but it is not lost there either.
                DiffItem::Add(key, contents) => {
                    let alive = if leaks { self.terms.ite(condition, dead, contents.alive) } else { contents.alive };
                    changes.push((*key, Contents { alive, ..contents.clone() }));
                }
                DiffItem::Remove(key, contents) => {
                    let alive = if leaks { self.terms.ite(condition, contents.alive, dead) } else { contents.alive };
                    changes.push((*key, Contents { alive, ..contents.clone() }));
                }
                DiffItem::Update { old: (key, old), new: (_, new) } => {
                    let alive = self.terms.ite(condition, old.alive, new.alive);
                    let cells = self.merge_cells(*key, condition, &old.cells, &new.cells);
                    let log = self.merge_logs(condition, &old.log, &new.log);
                    changes.push((*key, Contents { alive, cells, log }));
                }
            }
        }
        let mut merged = first;
        for (key, contents) in changes {
            merged.insert(key, contents);
        }
        merged
    }

    fn merge_cells(
        &mut self,
        object: u32,
        condition: TermId,
        first: &OrdMap<u32, Cell>,
        second: &OrdMap<u32, Cell>,
    ) -> OrdMap<u32, Cell> {
        let mut ranges = Vec::new();
        let mut merged = first.clone();
        for difference in first.diff(second) {
            match difference {
                DiffItem::Add(offset, cell) | DiffItem::Remove(offset, cell) => ranges.push((*offset, cell.bytes)),
                DiffItem::Update { old: (offset, old), new: (_, new) } if old.bytes == new.bytes => {
                    let value = self.choose(condition, old.value, new.value);
                    merged.insert(*offset, Cell { bytes: old.bytes, value });
                }
                DiffItem::Update { old: (offset, old), new: (_, new) } => {
                    ranges.push((*offset, old.bytes.max(new.bytes)));
                }
            }
        }
        for (offset, bytes) in ranges {
            let then = self.read_cells(object, first, offset, bytes);
            let otherwise = self.read_cells(object, second, offset, bytes);
            let value = self.choose(condition, then, otherwise);
            self.write_cells(&mut merged, offset, Cell { bytes, value });
        }
        merged
    }
}
