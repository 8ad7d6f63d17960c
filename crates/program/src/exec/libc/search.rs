//! string.h's functions that search strings and split them.

use super::bytes::position_of;
use super::statics::string;
use super::string::string_byte;
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, Memory, MemoryResult};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("strchr", strchr),
    ("index", strchr),
    ("strchrnul", strchrnul),
    ("strrchr", strrchr),
    ("rindex", strrchr),
    ("strstr", strstr),
    ("strcasestr", strcasestr),
    ("strspn", strspn),
    ("strcspn", strcspn),
    ("strpbrk", strpbrk),
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("__strtok_r", strtok_r),
    ("strsep", strsep),
    ("basename", basename),
];

/// The index of the first byte that is wanted or ends the string.
fn scan(memory: &Memory, text: Address, wanted: impl Fn(u8) -> bool) -> MemoryResult<(u64, u8)> {
    let mut index = 0;
    loop {
        let byte = string_byte(memory, text, index)?;
        if byte == 0 || wanted(byte) {
            return Ok((index, byte));
        }
        index += 1;
    }
}

fn at(text: Address, index: u64) -> Returned {
    Returned::pointer(text.plus(index as i64))
}

fn or_null(text: Address, index: Option<usize>) -> Returned {
    index.map_or(Returned::pointer(Address::NULL), |index| at(text, index as u64))
}

fn strchr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let wanted = call.int(1) as u8;
    let (index, byte) = scan(host.memory(), call.pointer(0), |byte| byte == wanted)?;
    Ok(or_null(call.pointer(0), (byte == wanted).then_some(index as usize)))
}

fn strchrnul(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let wanted = call.int(1) as u8;
    let (index, _) = scan(host.memory(), call.pointer(0), |byte| byte == wanted)?;
    Ok(at(call.pointer(0), index))
}

fn strrchr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let wanted = call.int(1) as u8;
    let text = host.memory().c_string(call.pointer(0))?;
    let index = if wanted == 0 { Some(text.len()) } else { text.iter().rposition(|&byte| byte == wanted) };
    Ok(or_null(call.pointer(0), index))
}

fn strstr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let memory = host.memory();
    let index = position_of(memory.c_string(call.pointer(0))?, memory.c_string(call.pointer(1))?);
    Ok(or_null(call.pointer(0), index))
}

fn strcasestr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let haystack = string(host, call.pointer(0))?.to_ascii_lowercase();
    let needle = string(host, call.pointer(1))?.to_ascii_lowercase();
    Ok(or_null(call.pointer(0), position_of(&haystack, &needle)))
}

/// The characters of a set, as a table.
fn set(host: &mut Host<'_>, characters: Address) -> Result<[bool; 256], Stop> {
    let mut members = [false; 256];
    for &byte in host.memory().c_string(characters)? {
        members[usize::from(byte)] = true;
    }
    Ok(members)
}

fn strspn(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let members = set(host, call.pointer(1))?;
    let (index, _) = scan(host.memory(), call.pointer(0), |byte| !members[usize::from(byte)])?;
    Ok(Returned::Bits(index))
}

fn strcspn(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let members = set(host, call.pointer(1))?;
    let (index, _) = scan(host.memory(), call.pointer(0), |byte| members[usize::from(byte)])?;
    Ok(Returned::Bits(index))
}

fn strpbrk(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let members = set(host, call.pointer(1))?;
    let (index, byte) = scan(host.memory(), call.pointer(0), |byte| members[usize::from(byte)])?;
    Ok(or_null(call.pointer(0), (byte != 0).then_some(index as usize)))
}

/// A token of the rest of a text: its start, and what is left after it.
fn token(host: &mut Host<'_>, rest: Address, delimiters: Address) -> Result<(Address, Address), Stop> {
    let members = set(host, delimiters)?;
    let memory = host.memory();
    let (skipped, byte) = scan(memory, rest, |byte| !members[usize::from(byte)])?;
    let start = rest.plus(skipped as i64);
    if byte == 0 {
        return Ok((Address::NULL, start));
    }
    let (length, byte) = scan(memory, start, |byte| members[usize::from(byte)])?;
    let end = start.plus(length as i64);
    if byte == 0 {
        return Ok((start, end));
    }
    memory.write_u8(end, 0)?;
    Ok((start, end.plus(1)))
}

fn strtok(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = if call.int(0) == 0 { host.world.library.token_rest } else { call.pointer(0) };
    let (start, rest) = token(host, text, call.pointer(1))?;
    host.world.library.token_rest = rest;
    Ok(Returned::pointer(start))
}

fn strtok_r(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let place = call.pointer(2);
    let text = if call.int(0) == 0 { Address(host.memory().load_u64(place)?) } else { call.pointer(0) };
    let (start, rest) = token(host, text, call.pointer(1))?;
    host.memory().write_u64(place, rest.0)?;
    Ok(Returned::pointer(start))
}

fn strsep(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let start = Address(host.memory().load_u64(call.pointer(0))?);
    if start.is_null() {
        return Ok(Returned::pointer(start));
    }
    let members = set(host, call.pointer(1))?;
    let memory = host.memory();
    let (length, byte) = scan(memory, start, |byte| members[usize::from(byte)])?;
    let end = start.plus(length as i64);
    let rest = if byte == 0 { Address::NULL } else { end.plus(1) };
    if byte != 0 {
        memory.write_u8(end, 0)?;
    }
    memory.write_u64(call.pointer(0), rest.0)?;
    Ok(Returned::pointer(start))
}

/// GNU's variant, which leaves its argument alone.
fn basename(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = host.memory().c_string(call.pointer(0))?;
    let start = text.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    Ok(at(call.pointer(0), start as u64))
}
