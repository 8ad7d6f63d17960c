//! Memory that is read before it is written: where a trace first shows what it holds.
//!
//! What a run's objects were given and the accesses of each step → what the step reads of it for the first time.
//! It is told once, with the first step that matters.

use std::collections::BTreeSet;

use diagnosis::Change;
use program::exec::memory::{Access, AccessKind, Address, Memory};

use crate::values::Shower;

#[derive(Debug, Default)]
pub struct FirstBytes {
    /// How many of the memory's entries were looked at.
    known: usize,
    /// Given, neither overwritten nor told since.
    untold: BTreeSet<u64>,
    /// What the current step reads.
    pub read: Vec<Change>,
    reading: Vec<u64>,
}

impl FirstBytes {
    /// Follows a step.
    pub fn follow(&mut self, accesses: &[Access], shower: &mut Shower<'_>) {
        self.read.clear();
        self.reading.clear();
        for access in accesses.iter().filter(|it| matches!(it.kind, AccessKind::Begin | AccessKind::End)) {
            let start = Address::new(access.address.object(), 0).0;
            self.remove(start, u64::from(u32::MAX));
        }
        self.look_at_new(shower.memory);
        if self.untold.is_empty() {
            return;
        }
        for access in accesses {
            match access.kind {
                AccessKind::Read => self.reads(access.address, access.length, shower),
                AccessKind::Write => self.remove(access.address.0, access.length),
                AccessKind::Copy { source } => {
                    self.reads(source, access.length, shower);
                    self.remove(access.address.0, access.length);
                }
                AccessKind::Begin | AccessKind::End => {}
            }
        }
    }

    /// The step is told, and what it reads with it.
    pub fn told(&mut self) {
        for address in self.reading.drain(..) {
            self.untold.remove(&address);
        }
    }

    fn look_at_new(&mut self, memory: &Memory) {
        for given in &memory.given()[self.known..] {
            let start = Address::new(given.object.id, given.bytes.offset as i64).0;
            self.untold.extend(start..start + given.bytes.bytes.len() as u64);
        }
        self.known = memory.given().len();
    }

    fn remove(&mut self, start: u64, length: u64) {
        let inside: Vec<u64> = self.untold.range(start..start.saturating_add(length)).copied().collect();
        for address in inside {
            self.untold.remove(&address);
        }
    }

    fn reads(&mut self, address: Address, length: u64, shower: &mut Shower<'_>) {
        let inside: Vec<u64> = self.untold.range(address.0..address.0.saturating_add(length)).copied().collect();
        let (Some(&first), Some(&last)) = (inside.first(), inside.last()) else { return };
        let (start, length) = if length <= 16 { (address, length) } else { (Address(first), last - first + 1) };
        let Some(info) = shower.memory.info(start) else { return };
        let (place, value) = shower.piece(&info, start, length);
        let change = Change { place: format!("unwritten {place}"), value };
        if !self.read.contains(&change) {
            self.read.push(change);
        }
        self.reading.extend(inside);
    }
}
