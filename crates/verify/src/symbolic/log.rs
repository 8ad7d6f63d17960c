//! Large objects at computed offsets: a log of writes instead of cells at every offset.
//!
//! When an object of many elements is written at a computed offset, the write goes into the object's log, and so does
//! every later one. A read compares its offset with those of the log, the newest counts, and with the cells that
//! were there before. The cost grows with the number of accesses and not with the object.
//!
//! Imprecise: all accesses through a log must be to elements of one size, each at a multiple of it; others are not
//! supported.

use std::rc::Rc;

use imbl::OrdMap;
use logic::terms::TermId;
use program::Site;

use super::pointers::Target;
use super::state::{Cell, Contents, Initial, Scalar, State};
use super::{Engine, Flow};

/// A read at a computed offset of a large object looks at no more cells.
const MOST_CELLS: usize = 1 << 14;

/// A write where the condition holds.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub condition: TermId,
    /// A 64-bit term.
    pub offset: TermId,
    pub cell: Cell,
}

#[derive(Debug)]
struct Entry {
    write: Write,
    older: Log,
    length: usize,
}

/// Writes, the newest first; copies share what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Log(Option<Rc<Entry>>);

impl PartialEq for Log {
    /// Whether it is the same log; logs with the same writes count as different.
    fn eq(&self, other: &Log) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Log {
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn length(&self) -> usize {
        self.0.as_ref().map_or(0, |entry| entry.length)
    }

    pub fn push(&mut self, write: Write) {
        let length = self.length() + 1;
        *self = Log(Some(Rc::new(Entry { write, older: self.clone(), length })));
    }

    /// The writes down to another log that this one goes on from, the newest first.
    fn since(&self, base: &Log) -> Vec<Write> {
        let mut writes = Vec::new();
        let mut at = self;
        while let (Some(entry), true) = (&at.0, at != base) {
            writes.push(entry.write);
            at = &entry.older;
        }
        writes
    }

    /// What two logs have in common.
    fn common(&self, other: &Log) -> Log {
        let (mut one, mut other) = (self, other);
        while one != other {
            let longer = if one.length() >= other.length() { &mut one } else { &mut other };
            match &longer.0 {
                Some(entry) => *longer = &entry.older,
                None => break,
            }
        }
        one.clone()
    }
}

impl Engine<'_> {
    /// The writes of both paths, each where its path was taken.
    pub(super) fn merge_logs(&mut self, condition: TermId, first: &Log, second: &Log) -> Log {
        if first == second {
            return first.clone();
        }
        let common = first.common(second);
        let (left, right) = (first.since(&common), second.since(&common));
        let negation = self.terms.not(condition);
        let mut merged = common;
        for (side, writes) in [(condition, left), (negation, right)] {
            for write in writes.into_iter().rev() {
                let condition = self.terms.and2(side, write.condition);
                merged.push(Write { condition, ..write });
            }
        }
        merged
    }

    /// Reads from an object that has a log.
    pub(super) fn load_logged(
        &mut self,
        state: &mut State,
        target: &Target,
        contents: &Contents,
        bytes: u32,
        site: Site,
    ) -> Flow<Scalar> {
        let writes = contents.log.since(&Log::default());
        let fitting = self.is_aligned(target.offset, bytes)
            && writes.iter().all(|write| write.cell.bytes == bytes && self.is_aligned(write.offset, bytes));
        if !fitting {
            return self.too_many_offsets(state, target.condition, bytes, site);
        }
        let mut value = self.load_plain(state, target, contents, bytes, site)?;
        for write in writes.into_iter().rev() {
            let here = self.terms.eq(write.offset, target.offset);
            let here = self.terms.and2(write.condition, here);
            value = self.choose(here, write.cell.value, value);
        }
        Ok(value)
    }

    /// Reads at any of many offsets, of which few were ever written.
    pub(super) fn read_sparse(&mut self, target: &Target, cells: &OrdMap<u32, Cell>, bytes: u32) -> Option<Scalar> {
        let uniform = !matches!(self.objects[target.object as usize].initial, Initial::Bytes(_));
        let fitting = |(offset, cell): (&u32, &Cell)| cell.bytes == bytes && offset % bytes == 0;
        if !uniform || cells.len() > MOST_CELLS || !self.is_aligned(target.offset, bytes) || !cells.iter().all(fitting)
        {
            return None;
        }
        // Bytes that were never written differ from each other; one that is read stays unsupported here.
        let mut value = self.begun_with(target.object, 0, bytes);
        for (offset, cell) in cells {
            let here = self.terms.bv(64, u64::from(*offset));
            let here = self.terms.eq(target.offset, here);
            value = self.choose(here, cell.value, value);
        }
        Some(value)
    }

    fn is_aligned(&self, offset: TermId, bytes: u32) -> bool {
        let (modulus, residue) = self.congruence(offset);
        let bytes = u64::from(bytes);
        modulus % bytes == 0 && residue % bytes == 0
    }
}
