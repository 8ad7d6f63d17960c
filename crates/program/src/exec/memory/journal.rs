//! What happens to memory beside the stores of commands, for an observer that asks for it.
//!
//! Objects that begin and end, and bytes that were written at once: initial contents, library functions,
//! copies and fills. The sized stores of the executor's fast path are not in it: those are commands, and told
//! as such. Library models therefore use [`Memory::write`].

use super::{Address, Contents, Life, Memory, MemoryResult, ObjectId, ObjectKind};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Began {
        address: Address,
        kind: ObjectKind,
        size: u64,
        contents: Contents,
    },
    Ended {
        object: ObjectId,
        life: Life,
    },
    Wrote {
        address: Address,
        bytes: Box<[u8]>,
    },
    /// What bytes hold that were never written.
    Given {
        address: Address,
        bytes: Box<[u8]>,
    },
}

impl Memory {
    /// Begins to write down what happens.
    pub fn keep_journal(&mut self) {
        self.journal.get_or_insert_default();
    }

    /// What happened since the last call; nothing if no journal is kept.
    pub fn take_journal(&mut self) -> Vec<Change> {
        self.journal.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub(super) fn note_written(&mut self, address: Address, length: u64) {
        if self.journal.is_none() {
            return;
        }
        let bytes = self.read(address, length).map(Box::from).unwrap_or_default();
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Wrote { address, bytes });
        }
    }

    pub fn write_u8(&mut self, address: Address, value: u8) -> MemoryResult<()> {
        self.write(address, &value.to_le_bytes())
    }

    pub fn write_u16(&mut self, address: Address, value: u16) -> MemoryResult<()> {
        self.write(address, &value.to_le_bytes())
    }

    pub fn write_u32(&mut self, address: Address, value: u32) -> MemoryResult<()> {
        self.write(address, &value.to_le_bytes())
    }

    pub fn write_u64(&mut self, address: Address, value: u64) -> MemoryResult<()> {
        self.write(address, &value.to_le_bytes())
    }
}
