//! C strings in memory: bytes up to a null, all of them written.

use super::{AccessKind, Address, FaultKind, Memory, MemoryResult};

impl Memory {
    /// The bytes of the string, without its terminating null.
    pub fn c_string(&self, address: Address) -> MemoryResult<&[u8]> {
        let room = self.room(address)?;
        let bytes = self.readable(address, room.max(1))?;
        match terminator(bytes) {
            Some(length) => {
                self.read_initialized(address, length as u64 + 1)?;
                Ok(&bytes[..length])
            }
            None => {
                self.note(AccessKind::Read, address, room);
                // Unwritten bytes are zero underneath, so all of these were written.
                Err(self.fault(FaultKind::Unterminated, address, room, false))
            }
        }
    }

    /// At most `most` bytes of the string, as `strncpy` or `%.5s` read it: a null is only needed if
    /// the object ends earlier.
    pub fn c_string_bounded(&self, address: Address, most: u64) -> MemoryResult<&[u8]> {
        if most == 0 {
            return Ok(&[]);
        }
        let room = self.room(address)?;
        if room < most {
            return self.c_string(address);
        }
        let bytes = self.readable(address, most)?;
        match terminator(bytes) {
            Some(length) => {
                self.read_initialized(address, length as u64 + 1)?;
                Ok(&bytes[..length])
            }
            None => self.read_initialized(address, most),
        }
    }

    /// The string's units of 4 bytes (`wchar_t`), without the terminating one.
    pub fn wide_string(&self, address: Address) -> MemoryResult<Vec<u32>> {
        let mut units = Vec::new();
        loop {
            let at = address.plus(4 * units.len() as i64);
            if !units.is_empty() && self.room(at).is_ok_and(|room| room < 4) {
                return Err(self.fault(FaultKind::Unterminated, address, 4 * units.len() as u64, false));
            }
            match self.load_u32(at)? {
                0 => return Ok(units),
                unit => units.push(unit),
            }
        }
    }

    /// Writes the bytes and a terminating null.
    pub fn write_c_string(&mut self, address: Address, text: &[u8]) -> MemoryResult<()> {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text);
        bytes.push(0);
        self.write(address, &bytes)
    }
}

fn terminator(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == 0)
}
