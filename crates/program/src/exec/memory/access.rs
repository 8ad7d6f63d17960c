//! Reading, writing, copying: bytes together with their written-masks.
//!
//! The sized functions are the executor's fast path: one bounds check and, for objects that are not
//! known to be fully written, one comparison of masks. Accesses of no bytes always succeed.

use super::{AccessKind, Address, FaultKind, Memory, MemoryResult, Storage};

impl Memory {
    /// Bytes as they are: bounds and lifetime are checked, not whether they were written.
    pub fn read(&self, address: Address, length: u64) -> MemoryResult<&[u8]> {
        if length == 0 {
            return Ok(&[]);
        }
        let bytes = self.readable(address, length)?;
        self.note(AccessKind::Read, address, length);
        Ok(bytes)
    }

    /// The bytes, without noting it.
    pub(super) fn readable(&self, address: Address, length: u64) -> MemoryResult<&[u8]> {
        match self.find(address).and_then(|(storage, start)| slice(&storage.bytes, start, length)) {
            Some(bytes) => Ok(bytes),
            None => Err(self.refusal(address, length, false)),
        }
    }

    /// Bytes that are used: all their bits must have been written.
    pub fn read_initialized(&self, address: Address, length: u64) -> MemoryResult<&[u8]> {
        let bytes = self.read(address, length)?;
        match self.first_unwritten(address, length) {
            None => Ok(bytes),
            Some(distance) => Err(self.unwritten(address, length, distance)),
        }
    }

    /// The written-masks of bytes that [`Memory::read`] can read; `None` if all bits were written.
    pub fn written_masks(&self, address: Address, length: u64) -> Option<&[u8]> {
        let (storage, start) = self.find(address)?;
        slice(&storage.written, start, length)
    }

    pub fn write(&mut self, address: Address, bytes: &[u8]) -> MemoryResult<()> {
        let length = bytes.len() as u64;
        self.note(AccessKind::Write, address, length);
        let target = self.writable(address, length)?;
        target.bytes.copy_from_slice(bytes);
        target.written.fill(0xff);
        self.note_written(address, length);
        Ok(())
    }

    /// Writes the bits that the mask selects, and leaves the others as they were.
    pub fn write_bits(&mut self, address: Address, bytes: &[u8], mask: &[u8]) -> MemoryResult<()> {
        // The other bits of the bytes stay as they were.
        self.note(AccessKind::Read, address, bytes.len() as u64);
        self.note(AccessKind::Write, address, bytes.len() as u64);
        let target = self.writable(address, bytes.len() as u64)?;
        for ((old, new), mask) in target.bytes.iter_mut().zip(bytes).zip(mask) {
            *old = *old & !mask | new & mask;
        }
        for (written, mask) in target.written.iter_mut().zip(mask) {
            *written |= mask;
        }
        self.note_written(address, bytes.len() as u64);
        Ok(())
    }

    /// Writes whole bytes of which only the masked bits count as written: a value on the move.
    pub fn write_with_masks(&mut self, address: Address, bytes: &[u8], masks: &[u8]) -> MemoryResult<()> {
        self.write(address, bytes)?;
        if self.track_written && masks.iter().any(|&mask| mask != 0xff) {
            self.shadow(address);
            let target = self.writable(address, bytes.len() as u64)?;
            target.written.copy_from_slice(masks);
        }
        Ok(())
    }

    pub fn fill(&mut self, address: Address, byte: u8, length: u64) -> MemoryResult<()> {
        self.note(AccessKind::Write, address, length);
        let target = self.writable(address, length)?;
        target.bytes.fill(byte);
        target.written.fill(0xff);
        self.note_written(address, length);
        Ok(())
    }

    /// Moves bytes with their masks, as `memmove` does: the ranges may overlap.
    pub fn copy(&mut self, destination: Address, source: Address, length: u64) -> MemoryResult<()> {
        if length == 0 {
            return Ok(());
        }
        self.readable(source, length)?;
        self.writable(destination, length)?;
        self.note(AccessKind::Copy { source }, destination, length);
        let partly = self.first_unwritten(source, length).is_some();
        if partly {
            self.shadow(destination);
        }
        let (from, to) = (source.object().0 as usize, destination.object().0 as usize);
        let (start, target, length) = (source.offset() as usize, destination.offset() as usize, length as usize);
        if from == to {
            let storage = &mut self.storage[to];
            storage.bytes.copy_within(start..start + length, target);
            if !storage.written.is_empty() {
                storage.written.copy_within(start..start + length, target);
            }
            self.note_written(destination, length as u64);
            return Ok(());
        }
        let [source, written] = self
            .storage
            .get_disjoint_mut([from, to])
            .expect("both objects were just accessed and they are not the same");
        written.bytes[target..target + length].copy_from_slice(&source.bytes[start..start + length]);
        if partly {
            written.written[target..target + length].copy_from_slice(&source.written[start..start + length]);
        } else if !written.written.is_empty() {
            written.written[target..target + length].fill(0xff);
        }
        self.note_written(destination, length as u64);
        Ok(())
    }

    /// The bytes from this address to its object's end.
    pub fn room(&self, address: Address) -> MemoryResult<u64> {
        match self.find(address) {
            Some((storage, start)) if start <= storage.bytes.len() => Ok((storage.bytes.len() - start) as u64),
            _ => Err(self.refusal(address, 1, false)),
        }
    }

    /// Marks bytes as never written, as at the start of a new life.
    pub fn forget(&mut self, address: Address, length: u64) -> MemoryResult<()> {
        self.note(AccessKind::Write, address, length);
        self.writable(address, length)?;
        if self.track_written && length > 0 {
            self.shadow(address);
            self.writable(address, length)?.written.fill(0);
        }
        Ok(())
    }

    /// The distance to the first byte that is not fully written. The range must be readable.
    pub fn first_unwritten(&self, address: Address, length: u64) -> Option<u64> {
        let masks = self.written_masks(address, length)?;
        masks.iter().position(|&mask| mask != 0xff).map(|distance| distance as u64)
    }

    #[cold]
    pub(super) fn unwritten(&self, address: Address, length: u64, distance: u64) -> Box<super::MemoryFault> {
        let mut fault = self.fault(FaultKind::Uninitialized, address, length, false);
        if let Some(object) = &mut fault.object {
            object.offset += distance as i64;
        }
        fault
    }

    /// The storage of the address's slot and the offset in it; a negative offset becomes a huge one.
    #[inline(always)]
    pub(super) fn find(&self, address: Address) -> Option<(&Storage, usize)> {
        let storage = self.storage.get(address.object().0 as usize)?;
        Some((storage, address.0 as u32 as usize))
    }

    /// Gives the object masks of its own, if "all written" was how it stood. It must exist.
    fn shadow(&mut self, address: Address) {
        let storage = &mut self.storage[address.object().0 as usize];
        if storage.written.is_empty() {
            storage.written = vec![0xff; storage.bytes.len()].into_boxed_slice();
        }
    }

    fn writable(&mut self, address: Address, length: u64) -> MemoryResult<Target<'_>> {
        if length == 0 {
            return Ok(Target { bytes: &mut [], written: &mut [] });
        }
        let start = address.0 as u32 as usize;
        let fits = self
            .find(address)
            .is_some_and(|(storage, start)| !storage.constant && slice(&storage.bytes, start, length).is_some());
        if !fits {
            return Err(self.refusal(address, length, true));
        }
        let storage = &mut self.storage[address.object().0 as usize];
        let end = start + length as usize;
        let written = if storage.written.is_empty() { &mut [] } else { &mut storage.written[start..end] };
        Ok(Target { bytes: &mut storage.bytes[start..end], written })
    }
}

/// Bytes to write and their masks, which are empty if all bits of the object were written.
struct Target<'a> {
    bytes: &'a mut [u8],
    written: &'a mut [u8],
}

fn slice(bytes: &[u8], start: usize, length: u64) -> Option<&[u8]> {
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    bytes.get(start..end)
}

/// The executor's accesses: `N` bytes known at compile time.
impl Memory {
    #[inline(always)]
    pub fn load<const N: usize>(&self, address: Address) -> MemoryResult<[u8; N]> {
        if let Some((storage, start)) = self.find(address) {
            if let Some(bytes) = storage.bytes.get(start..).and_then(|rest| rest.first_chunk::<N>()) {
                if storage.written.is_empty() || storage.written[start..start + N] == [0xff; N] {
                    self.note(AccessKind::Read, address, N as u64);
                    return Ok(*bytes);
                }
            }
        }
        Err(self.load_refusal(address, N as u64))
    }

    #[inline(always)]
    pub fn store<const N: usize>(&mut self, address: Address, bytes: [u8; N]) -> MemoryResult<()> {
        let start = address.0 as u32 as usize;
        if let Some(storage) = self.storage.get_mut(address.object().0 as usize) {
            if !storage.constant {
                if let Some(target) = storage.bytes.get_mut(start..).and_then(|rest| rest.first_chunk_mut::<N>()) {
                    *target = bytes;
                    if !storage.written.is_empty() {
                        storage.written[start..start + N].fill(0xff);
                    }
                    self.note(AccessKind::Write, address, N as u64);
                    return Ok(());
                }
            }
        }
        Err(self.refusal(address, N as u64, true))
    }

    #[cold]
    #[inline(never)]
    fn load_refusal(&self, address: Address, length: u64) -> Box<super::MemoryFault> {
        match self.read_initialized(address, length) {
            Err(fault) => fault,
            Ok(_) => unreachable!("the slow path refuses what the fast path refused"),
        }
    }

    #[inline(always)]
    pub fn load_u8(&self, address: Address) -> MemoryResult<u8> {
        self.load::<1>(address).map(u8::from_le_bytes)
    }

    #[inline(always)]
    pub fn load_u16(&self, address: Address) -> MemoryResult<u16> {
        self.load::<2>(address).map(u16::from_le_bytes)
    }

    #[inline(always)]
    pub fn load_u32(&self, address: Address) -> MemoryResult<u32> {
        self.load::<4>(address).map(u32::from_le_bytes)
    }

    #[inline(always)]
    pub fn load_u64(&self, address: Address) -> MemoryResult<u64> {
        self.load::<8>(address).map(u64::from_le_bytes)
    }

    #[inline(always)]
    pub fn store_u8(&mut self, address: Address, value: u8) -> MemoryResult<()> {
        self.store(address, value.to_le_bytes())
    }

    #[inline(always)]
    pub fn store_u16(&mut self, address: Address, value: u16) -> MemoryResult<()> {
        self.store(address, value.to_le_bytes())
    }

    #[inline(always)]
    pub fn store_u32(&mut self, address: Address, value: u32) -> MemoryResult<()> {
        self.store(address, value.to_le_bytes())
    }

    #[inline(always)]
    pub fn store_u64(&mut self, address: Address, value: u64) -> MemoryResult<()> {
        self.store(address, value.to_le_bytes())
    }
}
