//! What memory holds before it is written, where reading it is no violation: an input like others.
//!
//! Objects that begin without contents (locals, variable-length arrays, what `malloc` returns) are counted as they
//! begin. The inputs of a run may name bytes of some of them; all others are zero. What was given is kept, so that
//! a run can be repeated and told. Not here: objects that begin with contents, and those of the library's own.

use std::collections::VecDeque;

use super::{Address, Change, Memory, ObjectInfo, ObjectKind, OutOfMemory};
use crate::Site;
use crate::exec::inputs::Unwritten;

/// Bytes that an object was given where it began.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    pub bytes: Unwritten,
    /// The object as it began, at the first of the bytes.
    pub object: ObjectInfo,
}

#[derive(Debug, Default)]
pub(super) struct Open {
    /// Objects that have begun so far.
    begun: u64,
    waiting: VecDeque<Unwritten>,
    given: Vec<Given>,
}

impl Memory {
    /// Says what objects hold before they are written, in ascending order.
    pub fn give(&mut self, bytes: &[Unwritten]) {
        if !self.track_written {
            self.open.waiting = bytes.iter().cloned().collect();
        }
    }

    /// A new object without contents.
    pub fn allocate_open(&mut self, kind: ObjectKind, size: u64, site: Site) -> Result<Address, OutOfMemory> {
        let address = self.allocate(kind, size, site)?;
        if !self.open.waiting.is_empty() {
            self.take_given(address);
        }
        self.open.begun += 1;
        Ok(address)
    }

    #[cold]
    fn take_given(&mut self, address: Address) {
        let number = self.open.begun;
        while self.open.waiting.front().is_some_and(|next| next.object <= number) {
            let Some(mut bytes) = self.open.waiting.pop_front() else { return };
            let at = address.plus(bytes.offset as i64);
            let (Some(object), true) = (self.info(at), bytes.object == number) else { continue };
            // The object may be smaller than it could be.
            let place = &mut self.storage[address.object().0 as usize].bytes;
            let Some(place) = place.get_mut(bytes.offset as usize..).filter(|place| !place.is_empty()) else {
                continue;
            };
            bytes.bytes.truncate(place.len());
            place[..bytes.bytes.len()].copy_from_slice(&bytes.bytes);
            if let Some(journal) = &mut self.journal {
                journal.push(Change::Given { address: at, bytes: bytes.bytes.as_slice().into() });
            }
            self.open.given.push(Given { bytes, object });
        }
    }

    /// What was given so far, in the order in which objects began.
    pub fn given(&self) -> &[Given] {
        &self.open.given
    }

    pub fn into_given(self) -> Vec<Given> {
        self.open.given
    }
}
