//! Streams: what a `FILE` is here, and reading and writing through one.
//!
//! A `FILE` is an opaque object of the library; its state is kept beside it, by its address. Buffers
//! are invisible: every write is seen at once, in the order of the calls. What holds of glibc's
//! streams: the end of the file lasts until it is cleared, and `ungetc` clears it; an operation that
//! the mode forbids sets the error flag and `EBADF`.

use std::collections::BTreeMap;

use super::descriptors::{Access, Whence, Written};
use super::files::Errno;
use super::statics::{misuse, set_errno};
use crate::Site;
use crate::exec::host::{Host, Stop, World};
use crate::exec::memory::{Address, FaultKind, Life, ObjectKind, OutOfMemory};

/// Bytes of glibc's `FILE`.
const FILE_SIZE: u64 = 216;

const KIND: ObjectKind = ObjectKind::Library("FILE");

#[derive(Clone, Debug)]
pub struct Stream {
    pub descriptor: i32,
    /// What `ungetc` put back, the next byte last.
    pushed_back: Vec<u8>,
    pub at_end: bool,
    pub error: bool,
    pub access: Access,
    /// Where `open_memstream` shows the contents: the addresses of the pointer and of the size.
    pub shown_at: Option<(Address, Address)>,
}

impl Stream {
    pub fn new(descriptor: i32, access: Access) -> Self {
        Stream { descriptor, pushed_back: Vec::new(), at_end: false, error: false, access, shown_at: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    Input = 0,
    Output = 1,
    Error = 2,
}

#[derive(Clone, Debug, Default)]
pub struct Streams {
    open: BTreeMap<Address, Stream>,
    /// The `FILE`s of the standard streams, once somebody asked for them.
    standard: [Option<Address>; 3],
}

impl Streams {
    /// All open streams, for `fflush(NULL)`.
    pub fn addresses(&self) -> Vec<Address> {
        self.open.keys().copied().collect()
    }
}

/// The `FILE` behind `stdin`, `stdout` or `stderr`.
pub fn standard(world: &mut World, which: Standard) -> Result<Address, OutOfMemory> {
    let index = which as usize;
    if let Some(address) = world.library.streams.standard[index] {
        return Ok(address);
    }
    let access = Access { read: which == Standard::Input, write: which != Standard::Input, append: false };
    let address = world.memory.allocate_zeroed(KIND, FILE_SIZE, Site::NONE)?;
    world.library.streams.standard[index] = Some(address);
    world.library.streams.open.insert(address, Stream::new(index as i32, access));
    Ok(address)
}

/// Makes a `FILE` of a descriptor.
pub fn open(host: &mut Host<'_>, stream: Stream) -> Result<Address, Stop> {
    let site = host.world.site;
    let address = host.memory().allocate_zeroed(KIND, FILE_SIZE, site)?;
    host.world.library.streams.open.insert(address, stream);
    Ok(address)
}

/// The stream at this address, or what is wrong with the pointer.
pub fn stream<'a>(host: &'a mut Host<'_>, address: Address) -> Result<&'a mut Stream, Stop> {
    let World { memory, library, .. } = &mut *host.world;
    if let Some(stream) = library.streams.open.get_mut(&address) {
        return Ok(stream);
    }
    memory.read(address, 1)?;
    if memory.info(address).is_some_and(|info| info.life == Life::Freed) {
        return Err(memory.fault(FaultKind::Freed, address, FILE_SIZE, false).into());
    }
    Err(misuse("the pointer to FILE does not point to an open stream"))
}

/// Forgets the stream; its `FILE` dies like freed memory.
pub fn close(host: &mut Host<'_>, address: Address) -> Result<Stream, Stop> {
    stream(host, address)?;
    let site = host.world.site;
    host.memory().end(address.object(), Life::Freed, site);
    let World { library, .. } = &mut *host.world;
    library.streams.open.remove(&address).ok_or_else(|| misuse("the stream is not open"))
}

fn fail(host: &mut Host<'_>, address: Address, error: Errno) -> Result<(), Stop> {
    stream(host, address)?.error = true;
    set_errno(host, error)
}

/// The next byte, or `None` at the end and on errors.
pub fn get(host: &mut Host<'_>, address: Address) -> Result<Option<u8>, Stop> {
    let stream = stream(host, address)?;
    if let Some(byte) = stream.pushed_back.pop() {
        return Ok(Some(byte));
    }
    if stream.at_end {
        return Ok(None);
    }
    let (descriptor, readable) = (stream.descriptor, stream.access.read);
    let result = match host.world.library.open.read(descriptor, 1) {
        _ if !readable => Err(libc::EBADF),
        Ok(bytes) => Ok(bytes.first().copied()),
        Err(error) => Err(error),
    };
    match result {
        Ok(None) => host.world.library.streams.open.entry(address).and_modify(|stream| stream.at_end = true),
        Ok(byte) => return Ok(byte),
        Err(error) => {
            fail(host, address, error)?;
            return Ok(None);
        }
    };
    Ok(None)
}

/// Up to `count` bytes.
pub fn read(host: &mut Host<'_>, address: Address, count: u64) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < count && !stream(host, address)?.pushed_back.is_empty() {
        bytes.extend(get(host, address)?);
    }
    let left = count - bytes.len() as u64;
    let stream = stream(host, address)?;
    let (descriptor, access, at_end) = (stream.descriptor, stream.access, stream.at_end);
    if left == 0 || at_end {
        return Ok(bytes);
    }
    if !access.read {
        fail(host, address, libc::EBADF)?;
        return Ok(bytes);
    }
    match host.world.library.open.read(descriptor, left) {
        Ok(read) => {
            let ended = (read.len() as u64) < left;
            bytes.extend_from_slice(read);
            self::stream(host, address)?.at_end |= ended;
        }
        Err(error) => fail(host, address, error)?,
    }
    Ok(bytes)
}

pub fn unget(host: &mut Host<'_>, address: Address, byte: u8) -> Result<(), Stop> {
    let stream = stream(host, address)?;
    stream.pushed_back.push(byte);
    stream.at_end = false;
    Ok(())
}

/// Writes all bytes; false if the stream does not take them.
pub fn put(host: &mut Host<'_>, address: Address, bytes: &[u8]) -> Result<bool, Stop> {
    let stream = stream(host, address)?;
    let (descriptor, writable) = (stream.descriptor, stream.access.write);
    let pending = std::mem::take(&mut stream.pushed_back).len() as i64;
    if !writable {
        fail(host, address, libc::EBADF)?;
        return Ok(false);
    }
    if pending > 0 {
        // What was put back counts as not read.
        let _ = host.world.library.open.seek(descriptor, -pending, Whence::Current);
    }
    match host.world.library.open.write(descriptor, bytes) {
        Ok(Written::Stored) => Ok(true),
        Ok(Written::Console(output)) => {
            host.write(output, bytes)?;
            Ok(true)
        }
        Err(error) => {
            fail(host, address, error)?;
            Ok(false)
        }
    }
}

/// Moves the position; what was put back is forgotten.
pub fn seek(host: &mut Host<'_>, address: Address, offset: i64, whence: Whence) -> Result<Result<u64, Errno>, Stop> {
    let stream = stream(host, address)?;
    let (descriptor, pending) = (stream.descriptor, stream.pushed_back.len() as i64);
    let offset = if whence == Whence::Current { offset.saturating_sub(pending) } else { offset };
    let result = host.world.library.open.seek(descriptor, offset, whence);
    if result.is_ok() {
        let stream = self::stream(host, address)?;
        stream.pushed_back.clear();
        stream.at_end = false;
    }
    Ok(result)
}

pub fn tell(host: &mut Host<'_>, address: Address) -> Result<Result<u64, Errno>, Stop> {
    let stream = stream(host, address)?;
    let (descriptor, pending) = (stream.descriptor, stream.pushed_back.len() as u64);
    let position = host.world.library.open.seek(descriptor, 0, Whence::Current);
    Ok(position.map(|position| position.saturating_sub(pending)))
}
