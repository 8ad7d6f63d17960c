//! Open files: descriptors, the descriptions behind them, reading and writing at a position.
//!
//! Descriptors 0, 1 and 2 are the standard streams: input comes from the bytes of the inputs, output
//! goes to the run's sink, which is the caller's business: a write says where its bytes belong.

use std::collections::BTreeMap;

use super::files::{Creation, Entry, Errno, FileSystem, NodeId, Status};
use crate::exec::host::OutputStream;

/// An open file, shared by the descriptors that `dup` made of one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DescriptionId(usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    File(NodeId),
    Directory,
    Input,
    Output(OutputStream),
    /// `/dev/null`.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
struct Description {
    target: Target,
    position: u64,
    access: Access,
}

/// What may be done with an open file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub read: bool,
    pub write: bool,
    /// Every write goes to the end.
    pub append: bool,
}

/// Where the bytes of a write belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// They are in the file system.
    Stored,
    /// The caller hands them to the run's sink.
    Console(OutputStream),
}

/// From where a seek counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whence {
    Start,
    Current,
    End,
}

impl Whence {
    pub fn from_c(whence: i64) -> Option<Whence> {
        match i32::try_from(whence).ok()? {
            libc::SEEK_SET => Some(Whence::Start),
            libc::SEEK_CUR => Some(Whence::Current),
            libc::SEEK_END => Some(Whence::End),
            _ => None,
        }
    }
}

const DESCRIPTOR_LIMIT: i32 = 1024;

/// The file system with what is open in it.
#[derive(Clone, Debug)]
pub struct Descriptors {
    pub system: FileSystem,
    input: Vec<u8>,
    table: BTreeMap<i32, DescriptionId>,
    descriptions: Vec<Description>,
}

impl Descriptors {
    pub fn new(system: FileSystem, input: Vec<u8>) -> Self {
        let standard =
            |target, read, write| Description { target, position: 0, access: Access { read, write, append: false } };
        Descriptors {
            system,
            input,
            table: (0..3).map(|number| (number, DescriptionId(number as usize))).collect(),
            descriptions: vec![
                standard(Target::Input, true, false),
                standard(Target::Output(OutputStream::Standard), false, true),
                standard(Target::Output(OutputStream::Error), false, true),
            ],
        }
    }

    pub fn open(&mut self, name: &[u8], access: Access, creation: Creation) -> Result<i32, Errno> {
        let target = match name {
            b"/dev/null" => Target::Nothing,
            b"/dev/stdin" => Target::Input,
            b"/dev/stdout" => Target::Output(OutputStream::Standard),
            b"/dev/stderr" => Target::Output(OutputStream::Error),
            _ => match self.system.open(name, creation)? {
                Entry::File(node) => Target::File(node),
                Entry::Directory if access.write => return Err(libc::EISDIR),
                Entry::Directory => Target::Directory,
            },
        };
        self.install(target, access)
    }

    pub fn open_anonymous(&mut self) -> Result<i32, Errno> {
        let node = self.system.open_anonymous();
        self.install(Target::File(node), Access { read: true, write: true, append: false })
    }

    fn install(&mut self, target: Target, access: Access) -> Result<i32, Errno> {
        let number = self.lowest_free(0)?;
        self.descriptions.push(Description { target, position: 0, access });
        self.table.insert(number, DescriptionId(self.descriptions.len() - 1));
        Ok(number)
    }

    fn lowest_free(&self, from: i32) -> Result<i32, Errno> {
        (from.max(0)..DESCRIPTOR_LIMIT).find(|number| !self.table.contains_key(number)).ok_or(libc::EMFILE)
    }

    fn description(&mut self, number: i32) -> Result<&mut Description, Errno> {
        let id = self.table.get(&number).ok_or(libc::EBADF)?;
        Ok(&mut self.descriptions[id.0])
    }

    pub fn is_open(&self, number: i32) -> bool {
        self.table.contains_key(&number)
    }

    pub fn access(&mut self, number: i32) -> Result<Access, Errno> {
        self.description(number).map(|description| description.access)
    }

    pub fn close(&mut self, number: i32) -> Result<(), Errno> {
        self.table.remove(&number).map(|_| ()).ok_or(libc::EBADF)
    }

    /// The lowest free number from `least` on, for the same open file.
    pub fn duplicate(&mut self, number: i32, least: i32) -> Result<i32, Errno> {
        let id = *self.table.get(&number).ok_or(libc::EBADF)?;
        let copy = self.lowest_free(least)?;
        self.table.insert(copy, id);
        Ok(copy)
    }

    pub fn duplicate_to(&mut self, number: i32, copy: i32) -> Result<i32, Errno> {
        let id = *self.table.get(&number).ok_or(libc::EBADF)?;
        if !(0..DESCRIPTOR_LIMIT).contains(&copy) {
            return Err(libc::EBADF);
        }
        self.table.insert(copy, id);
        Ok(copy)
    }

    /// The next bytes, fewer at the end of the file.
    pub fn read(&mut self, number: i32, count: u64) -> Result<&[u8], Errno> {
        let description = self.description(number)?;
        let position = description.position;
        let id = self.table[&number];
        let length = self.available(number, position)?.len() as u64;
        self.descriptions[id.0].position += length.min(count);
        let bytes = self.available(number, position)?;
        Ok(&bytes[..length.min(count) as usize])
    }

    /// As `pread`: without moving the position.
    pub fn read_at(&mut self, number: i32, count: u64, position: u64) -> Result<&[u8], Errno> {
        let bytes = self.available(number, position)?;
        Ok(&bytes[..count.min(bytes.len() as u64) as usize])
    }

    fn available(&mut self, number: i32, position: u64) -> Result<&[u8], Errno> {
        let Description { target, access, .. } = *self.description(number)?;
        if !access.read {
            return Err(libc::EBADF);
        }
        let contents = match target {
            Target::File(node) => self.system.node(node),
            Target::Input => &self.input,
            Target::Directory => return Err(libc::EISDIR),
            Target::Output(_) | Target::Nothing => &[],
        };
        Ok(contents.get(usize::try_from(position).unwrap_or(usize::MAX)..).unwrap_or_default())
    }

    pub fn write(&mut self, number: i32, bytes: &[u8]) -> Result<Written, Errno> {
        let Description { target, mut position, access } = *self.description(number)?;
        if let (Target::File(node), true) = (target, access.append) {
            position = self.system.node(node).len() as u64;
        }
        let written = self.write_at(number, bytes, position)?;
        self.description(number)?.position = position + bytes.len() as u64;
        Ok(written)
    }

    /// As `pwrite`: without moving the position.
    pub fn write_at(&mut self, number: i32, bytes: &[u8], position: u64) -> Result<Written, Errno> {
        let Description { target, access, .. } = *self.description(number)?;
        if !access.write {
            return Err(libc::EBADF);
        }
        match target {
            Target::File(node) => self.system.write(node, position, bytes)?,
            Target::Output(stream) => return Ok(Written::Console(stream)),
            Target::Input | Target::Directory => return Err(libc::EBADF),
            Target::Nothing => {}
        }
        Ok(Written::Stored)
    }

    pub fn seek(&mut self, number: i32, offset: i64, whence: Whence) -> Result<u64, Errno> {
        let Description { target, position, .. } = *self.description(number)?;
        let size = match target {
            Target::File(node) => self.system.node(node).len() as u64,
            Target::Nothing | Target::Directory => 0,
            Target::Input | Target::Output(_) => return Err(libc::ESPIPE),
        };
        let base = match whence {
            Whence::Start => 0,
            Whence::Current => position,
            Whence::End => size,
        };
        let position = base.checked_add_signed(offset).filter(|&position| position <= i64::MAX as u64);
        let position = position.ok_or(libc::EINVAL)?;
        self.description(number)?.position = position;
        Ok(position)
    }

    pub fn truncate(&mut self, number: i32, size: u64) -> Result<(), Errno> {
        let Description { target, access, .. } = *self.description(number)?;
        match target {
            Target::File(node) if access.write => self.system.truncate(node, size),
            _ => Err(libc::EINVAL),
        }
    }

    /// What `fstat` tells; `None` for what is no file or directory.
    pub fn status(&mut self, number: i32) -> Result<Option<Status>, Errno> {
        let target = self.description(number)?.target;
        Ok(match target {
            Target::File(node) => Some(self.system.node_status(node)),
            Target::Directory => Some(Status { directory: true, size: 4096, number: 1 }),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: Access = Access { read: true, write: true, append: false };
    const CREATE: Creation = Creation { create: true, exclusive: false, truncate: true };

    #[test]
    fn duplicates_share_their_position() {
        let mut open = Descriptors::new(FileSystem::new(&BTreeMap::new()), b"input".to_vec());
        let number = open.open(b"f", BOTH, CREATE).unwrap();
        assert_eq!(number, 3);
        assert_eq!(open.write(number, b"hello"), Ok(Written::Stored));
        let copy = open.duplicate(number, 0).unwrap();
        assert_eq!(open.seek(copy, -4, Whence::Current), Ok(1));
        assert_eq!(open.read(number, 3), Ok(b"ell".as_slice()));
        open.close(number).unwrap();
        assert_eq!(open.read(copy, 30), Ok(b"o".as_slice()));
        assert_eq!(open.read(number, 3), Err(libc::EBADF));
    }

    #[test]
    fn standard_streams_have_one_direction() {
        let mut open = Descriptors::new(FileSystem::new(&BTreeMap::new()), b"input".to_vec());
        assert_eq!(open.read(0, 2), Ok(b"in".as_slice()));
        assert_eq!(open.read(0, 20), Ok(b"put".as_slice()));
        assert_eq!(open.read(0, 20), Ok(b"".as_slice()));
        assert_eq!(open.read(1, 20), Err(libc::EBADF));
        assert_eq!(open.write(1, b"x"), Ok(Written::Console(OutputStream::Standard)));
        assert_eq!(open.seek(0, 0, Whence::Start), Err(libc::ESPIPE));
    }
}
