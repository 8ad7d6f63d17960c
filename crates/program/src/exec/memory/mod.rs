//! Memory of a run: objects with identity, size, lifetime and bytes, and for every bit whether it
//! was ever written.
//!
//! Input: allocations, frees, reads and writes by [`Address`]. Output: bytes, or a [`MemoryFault`]
//! that says which object was missed and how.
//!
//! What holds: an access touches one object only, and all of it lies inside; a dead object's bytes
//! are gone, so an access to it fails the same bounds check and is told apart afterwards, off the
//! fast path; live bytes never exceed the limit.
//!
//! Not here: names of objects (a [`fault::ObjectKind`] refers to the program), alignment (every slot
//! is aligned to 4 GiB, the x86 machine does not care), and who may see a fault (`Checks`).

mod access;
mod accesses;
mod address;
mod fault;
mod journal;
mod open;
mod strings;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

pub use accesses::{Access, AccessKind};
pub use address::{Address, OBJECT_SIZE_LIMIT, ObjectId};
pub use fault::{FaultKind, Life, MemoryFault, ObjectInfo, ObjectKind};
pub use journal::Change;
pub use open::Given;

use crate::Site;

/// A fault is rare and large, a result is common and small.
pub type MemoryResult<T> = Result<T, Box<MemoryFault>>;

/// The limit of live bytes is reached, or one object is too large for its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("memory limit of {limit} bytes reached by a request for {requested} bytes")]
pub struct OutOfMemory {
    pub requested: u64,
    pub limit: u64,
}

/// Dead heap objects that keep their number.
const HEAP_QUARANTINE: usize = 1 << 19;
/// Dead stack objects that keep their number. Loops and calls make many of them.
const STACK_QUARANTINE: usize = 1 << 16;
/// Buffers of at most this size are kept for the next object of the same size.
const POOLED_SIZE: usize = 256;
/// Buffers kept of each size.
const POOL_DEPTH: usize = 256;

/// The bytes of an object; both parts are empty when it is dead.
#[derive(Debug, Default)]
struct Storage {
    bytes: Box<[u8]>,
    /// One mask per byte, of the bits that were written. Empty: all of them.
    written: Box<[u8]>,
    constant: bool,
}

/// What is known about an object apart from its bytes.
#[derive(Clone, Copy, Debug)]
struct Record {
    kind: ObjectKind,
    size: u32,
    life: Life,
    allocated: Site,
    ended: Site,
}

#[derive(Debug)]
pub struct Memory {
    storage: Vec<Storage>,
    records: Vec<Record>,
    live_bytes: u64,
    limit: u64,
    track_written: bool,
    dead_heap: VecDeque<ObjectId>,
    dead_stack: VecDeque<ObjectId>,
    pool: Vec<Vec<Box<[u8]>>>,
    /// What happened since it was last taken, if somebody wants to know.
    journal: Option<Vec<Change>>,
    accesses: accesses::Log,
    open: open::Open,
}

/// How a new object's bytes begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Reading them is a fault until they are written. They are zero underneath.
    Unwritten,
    Zero,
}

impl Memory {
    /// Without `track_written`, all bytes count as written.
    pub fn new(limit: u64, track_written: bool) -> Memory {
        let null = Record {
            kind: ObjectKind::Library("null"),
            size: 0,
            life: Life::Alive,
            allocated: Site::NONE,
            ended: Site::NONE,
        };
        Memory {
            storage: vec![Storage::default()],
            records: vec![null],
            live_bytes: 0,
            limit,
            track_written,
            dead_heap: VecDeque::new(),
            dead_stack: VecDeque::new(),
            pool: vec![Vec::new(); POOLED_SIZE + 1],
            journal: None,
            accesses: accesses::Log::default(),
            open: open::Open::default(),
        }
    }

    /// A new object, unwritten. Every address is aligned enough, so there is no alignment to ask for.
    pub fn allocate(&mut self, kind: ObjectKind, size: u64, site: Site) -> Result<Address, OutOfMemory> {
        self.allocate_with(kind, size, Contents::Unwritten, site)
    }

    pub fn allocate_zeroed(&mut self, kind: ObjectKind, size: u64, site: Site) -> Result<Address, OutOfMemory> {
        self.allocate_with(kind, size, Contents::Zero, site)
    }

    fn allocate_with(
        &mut self,
        kind: ObjectKind,
        size: u64,
        contents: Contents,
        site: Site,
    ) -> Result<Address, OutOfMemory> {
        if size >= OBJECT_SIZE_LIMIT || self.live_bytes + size > self.limit {
            return Err(OutOfMemory { requested: size, limit: self.limit });
        }
        self.live_bytes += size;
        let length = size as usize;
        let bytes = self.buffer(length);
        let written = match contents {
            Contents::Unwritten if self.track_written => self.buffer(length),
            _ => Box::default(),
        };
        let storage = Storage { bytes, written, constant: false };
        let record = Record { kind, size: size as u32, life: Life::Alive, allocated: site, ended: Site::NONE };
        let address = Address::new(self.place(storage, record), 0);
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Began { address, kind, size, contents });
        }
        self.note(AccessKind::Begin, address, size);
        Ok(address)
    }

    /// Puts the object under a number that has been dead for long, or under a new one.
    fn place(&mut self, storage: Storage, record: Record) -> ObjectId {
        let reused = if self.dead_stack.len() > STACK_QUARANTINE {
            self.dead_stack.pop_front()
        } else if self.dead_heap.len() > HEAP_QUARANTINE {
            self.dead_heap.pop_front()
        } else {
            None
        };
        if let Some(id) = reused {
            self.storage[id.0 as usize] = storage;
            self.records[id.0 as usize] = record;
            return id;
        }
        self.storage.push(storage);
        self.records.push(record);
        ObjectId(u32::try_from(self.records.len() - 1).expect("the memory limit keeps object numbers small"))
    }

    /// Zeroed bytes.
    fn buffer(&mut self, length: usize) -> Box<[u8]> {
        if length <= POOLED_SIZE {
            if let Some(mut buffer) = self.pool[length].pop() {
                buffer.fill(0);
                return buffer;
            }
        }
        vec![0; length].into_boxed_slice()
    }

    fn recycle(&mut self, buffer: Box<[u8]>) {
        if let Some(kept) = self.pool.get_mut(buffer.len()) {
            if kept.len() < POOL_DEPTH && !buffer.is_empty() {
                kept.push(buffer);
            }
        }
    }

    /// What `free` does: ends a heap object. Null is allowed.
    pub fn free(&mut self, address: Address, site: Site) -> MemoryResult<()> {
        if address.is_null() {
            return Ok(());
        }
        self.check_heap_start(address)?;
        self.end(address.object(), Life::Freed, site);
        Ok(())
    }

    /// The size of a live heap object that begins at this address, as `realloc` and
    /// `malloc_usable_size` need it; else what `free` would complain about.
    pub fn check_heap_start(&self, address: Address) -> MemoryResult<u64> {
        let record = self.records.get(address.object().0 as usize).filter(|_| address.object().0 != 0);
        let kind = match record {
            Some(Record { kind: ObjectKind::Heap, life, size, .. }) if address.offset() == 0 => match life {
                Life::Alive => return Ok(u64::from(*size)),
                _ => FaultKind::DoubleFree,
            },
            _ => FaultKind::InvalidFree,
        };
        Err(self.fault(kind, address, 0, true))
    }

    /// Ends an object of any kind: its bytes are gone, its record stays for messages.
    pub fn end(&mut self, object: ObjectId, life: Life, site: Site) {
        let index = object.0 as usize;
        let record = &mut self.records[index];
        if record.life != Life::Alive {
            return;
        }
        record.life = life;
        record.ended = site;
        if let Some(journal) = &mut self.journal {
            journal.push(Change::Ended { object, life });
        }
        self.live_bytes -= u64::from(record.size);
        let queue = match life {
            Life::OutOfScope => &mut self.dead_stack,
            _ => &mut self.dead_heap,
        };
        queue.push_back(object);
        self.note(AccessKind::End, Address::new(object, 0), 0);
        let Storage { bytes, written, .. } = std::mem::take(&mut self.storage[index]);
        self.recycle(bytes);
        self.recycle(written);
    }

    /// Makes all later writes to the object a fault.
    pub fn make_constant(&mut self, object: ObjectId) {
        self.storage[object.0 as usize].constant = true;
    }

    /// The object that this address belongs to, dead or alive.
    pub fn info(&self, address: Address) -> Option<ObjectInfo> {
        let id = address.object();
        let record = self.records.get(id.0 as usize).filter(|_| id.0 != 0)?;
        Some(ObjectInfo {
            id,
            kind: record.kind,
            size: u64::from(record.size),
            offset: address.offset(),
            life: record.life,
            allocated: record.allocated,
            ended: record.ended,
        })
    }

    /// The heap objects that nobody freed, oldest number first.
    pub fn live_heap(&self) -> impl Iterator<Item = ObjectInfo> {
        (0..self.records.len() as u32)
            .filter(|&index| {
                let record = &self.records[index as usize];
                record.kind == ObjectKind::Heap && record.life == Life::Alive
            })
            .filter_map(|index| self.info(Address::new(ObjectId(index), 0)))
    }

    /// Bytes of all live objects.
    pub fn live_bytes(&self) -> u64 {
        self.live_bytes
    }

    /// Makes a fault of this kind about this address. Library models use it for their own checks.
    #[cold]
    pub fn fault(&self, kind: FaultKind, address: Address, length: u64, write: bool) -> Box<MemoryFault> {
        Box::new(MemoryFault { kind, address, length, write, object: self.info(address) })
    }

    /// Why an access of at least one byte is not possible.
    #[cold]
    #[inline(never)]
    fn refusal(&self, address: Address, length: u64, write: bool) -> Box<MemoryFault> {
        let kind = match self.info(address) {
            None if address.object().0 == 0 => FaultKind::Null,
            None => FaultKind::Wild,
            Some(ObjectInfo { kind: ObjectKind::Function(_), .. }) => FaultKind::Wild,
            Some(info) => match info.life {
                Life::Freed => FaultKind::Freed,
                Life::OutOfScope => FaultKind::OutOfScope,
                Life::Alive if info.offset < 0 => FaultKind::Below,
                Life::Alive if info.offset as u64 + length > info.size => FaultKind::Above,
                Life::Alive => FaultKind::Constant,
            },
        };
        self.fault(kind, address, length, write)
    }
}
