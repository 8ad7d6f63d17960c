//! The `mem` functions of string.h, and those of strings.h on bytes.
//!
//! Copies move bytes with their written-masks. Functions whose result depends on bytes want those
//! bytes written, but no more of them than decide the result.

use super::statics::{check_apart, check_room};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, Memory, MemoryResult};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("memcpy", memcpy),
    ("__memcpy_chk", |host, call| {
        check_room("memcpy", call.int(2), call.int(3))?;
        memcpy(host, call)
    }),
    ("memmove", memmove),
    ("__memmove_chk", |host, call| {
        check_room("memmove", call.int(2), call.int(3))?;
        memmove(host, call)
    }),
    ("mempcpy", mempcpy),
    ("__mempcpy", mempcpy),
    ("__mempcpy_chk", |host, call| {
        check_room("mempcpy", call.int(2), call.int(3))?;
        mempcpy(host, call)
    }),
    ("memccpy", memccpy),
    ("memset", memset),
    ("__memset_chk", |host, call| {
        check_room("memset", call.int(2), call.int(3))?;
        memset(host, call)
    }),
    ("explicit_bzero", bzero),
    ("bzero", bzero),
    ("bcopy", bcopy),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("memchr", memchr),
    ("rawmemchr", rawmemchr),
    ("memrchr", memrchr),
    ("memmem", memmem),
    ("swab", swab),
];

/// `memcpy(p, p, n)` is let pass: compilers make it for struct assignments.
fn memcpy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let (destination, source, length) = (call.pointer(0), call.pointer(1), call.int(2));
    host.memory().copy(destination, source, length)?;
    if destination != source && length > 0 {
        check_apart("memcpy", (destination, length), (source, length))?;
    }
    Ok(Returned::pointer(destination))
}

fn mempcpy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    memcpy(host, call)?;
    Ok(Returned::Bits(call.int(0).wrapping_add(call.int(2))))
}

fn memmove(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.memory().copy(call.pointer(0), call.pointer(1), call.int(2))?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn bcopy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.memory().copy(call.pointer(1), call.pointer(0), call.int(2))?;
    Ok(Returned::Nothing)
}

fn memccpy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let (destination, source) = (call.pointer(0), call.pointer(1));
    let found = find(host.memory(), source, call.int(2) as u8, call.int(3))?;
    let length = found.map_or(call.int(3), |index| index + 1);
    host.memory().copy(destination, source, length)?;
    let end = if found.is_some() { destination.plus(length as i64) } else { Address::NULL };
    Ok(Returned::pointer(end))
}

fn memset(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.memory().fill(call.pointer(0), call.int(1) as u8, call.int(2))?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn bzero(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.memory().fill(call.pointer(0), 0, call.int(1))?;
    Ok(Returned::Nothing)
}

fn memcmp(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let memory = host.memory();
    let (left, right, length) = (call.pointer(0), call.pointer(1), call.int(2));
    let (one, other) = (memory.read(left, length)?, memory.read(right, length)?);
    let difference = one.iter().zip(other).position(|(a, b)| a != b);
    let deciding = difference.map_or(length, |index| index as u64 + 1);
    memory.read_initialized(left, deciding)?;
    memory.read_initialized(right, deciding)?;
    let result = difference.map_or(0, |index| i64::from(one[index]) - i64::from(other[index]));
    Ok(Returned::signed(result))
}

/// The index of the first such byte among `length`; none need exist beyond it.
fn find(memory: &Memory, address: Address, byte: u8, length: u64) -> MemoryResult<Option<u64>> {
    if length == 0 {
        return Ok(None);
    }
    let room = memory.room(address)?.clamp(1, length);
    let position = memory.read(address, room)?.iter().position(|&one| one == byte);
    if let Some(index) = position {
        memory.read_initialized(address, index as u64 + 1)?;
        return Ok(Some(index as u64));
    }
    memory.read_initialized(address, length)?;
    Ok(None)
}

fn found(address: Address, index: Option<u64>) -> Returned {
    Returned::pointer(index.map_or(Address::NULL, |index| address.plus(index as i64)))
}

fn memchr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let index = find(host.memory(), call.pointer(0), call.int(1) as u8, call.int(2))?;
    Ok(found(call.pointer(0), index))
}

fn rawmemchr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let index = find(host.memory(), call.pointer(0), call.int(1) as u8, u64::MAX)?;
    Ok(found(call.pointer(0), index))
}

fn memrchr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let bytes = host.memory().read_initialized(call.pointer(0), call.int(2))?;
    let index = bytes.iter().rposition(|&byte| byte == call.int(1) as u8);
    Ok(found(call.pointer(0), index.map(|index| index as u64)))
}

fn memmem(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let memory = host.memory();
    let haystack = memory.read_initialized(call.pointer(0), call.int(1))?;
    let needle = memory.read_initialized(call.pointer(2), call.int(3))?;
    let index = position_of(haystack, needle);
    Ok(found(call.pointer(0), index.map(|index| index as u64)))
}

/// Where the needle first stands in the haystack.
pub fn position_of(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let Some((first, rest)) = needle.split_first() else { return Some(0) };
    let last = haystack.len().checked_sub(needle.len())?;
    (0..=last).find(|&at| haystack[at] == *first && haystack[at + 1..].starts_with(rest))
}

fn swab(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let length = call.signed(2).max(0) as u64 & !1;
    let mut bytes = host.memory().read(call.pointer(0), length)?.to_vec();
    bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    host.memory().write(call.pointer(1), &bytes)?;
    Ok(Returned::Nothing)
}
