//! string.h on strings: length, copying, comparing, and what copies to the heap.
//!
//! A string's bytes must be written up to its end, and the end must lie inside its object. Searching
//! and splitting are in `search`.

use super::statics::{self, check_apart, check_room, string};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, FaultKind, Memory, MemoryResult};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcpy", |host, call| copy(host, call, "strcpy", None)),
    ("__strcpy_chk", |host, call| copy(host, call, "strcpy", Some(call.int(2)))),
    ("stpcpy", stpcpy),
    ("__stpcpy", stpcpy),
    ("__stpcpy_chk", stpcpy),
    ("strncpy", strncpy),
    ("__strncpy_chk", |host, call| {
        check_room("strncpy", call.int(2), call.int(3))?;
        strncpy(host, call)
    }),
    ("stpncpy", stpncpy),
    ("__stpncpy_chk", |host, call| {
        check_room("stpncpy", call.int(2), call.int(3))?;
        stpncpy(host, call)
    }),
    ("strlcpy", strlcpy),
    ("strlcat", strlcat),
    ("strcat", |host, call| append(host, call, "strcat", u64::MAX, None)),
    ("__strcat_chk", |host, call| append(host, call, "strcat", u64::MAX, Some(call.int(2)))),
    ("strncat", |host, call| append(host, call, "strncat", call.int(2), None)),
    ("__strncat_chk", |host, call| append(host, call, "strncat", call.int(2), Some(call.int(3)))),
    ("strcmp", |host, call| compare(host, call, u64::MAX, |byte| byte)),
    ("strcoll", |host, call| compare(host, call, u64::MAX, |byte| byte)),
    ("strcoll_l", |host, call| compare(host, call, u64::MAX, |byte| byte)),
    ("strncmp", |host, call| compare(host, call, call.int(2), |byte| byte)),
    ("strcasecmp", |host, call| compare(host, call, u64::MAX, |byte| byte.to_ascii_lowercase())),
    ("strncasecmp", |host, call| compare(host, call, call.int(2), |byte| byte.to_ascii_lowercase())),
    ("strverscmp", strverscmp),
    ("strxfrm", strxfrm),
    ("strdup", strdup),
    ("__strdup", strdup),
    ("strndup", strndup),
    ("__strndup", strndup),
    ("strerror", strerror),
    ("strerror_l", strerror),
    ("strerror_r", strerror_r),
    ("__xpg_strerror_r", xpg_strerror_r),
    ("strsignal", strsignal),
];

fn strlen(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    Ok(Returned::Bits(host.memory().c_string(call.pointer(0))?.len() as u64))
}

fn strnlen(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    Ok(Returned::Bits(host.memory().c_string_bounded(call.pointer(0), call.int(1))?.len() as u64))
}

/// The address of the copy's terminator.
fn copy_string(host: &mut Host<'_>, call: &Arguments, name: &str, room: Option<u64>) -> Result<Address, Stop> {
    let (destination, source) = (call.pointer(0), call.pointer(1));
    let size = host.memory().c_string(source)?.len() as u64 + 1;
    if let Some(room) = room {
        check_room(name, size, room)?;
    }
    host.memory().copy(destination, source, size)?;
    check_apart(name, (destination, size), (source, size))?;
    Ok(destination.plus(size as i64 - 1))
}

fn copy(host: &mut Host<'_>, call: &Arguments, name: &str, room: Option<u64>) -> Result<Returned, Stop> {
    copy_string(host, call, name, room)?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn stpcpy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let room = (call.len() > 2).then(|| call.int(2));
    copy_string(host, call, "stpcpy", room).map(Returned::pointer)
}

/// Copies at most so many bytes and pads with zeros; says how long the string was.
fn copy_padded(host: &mut Host<'_>, call: &Arguments, name: &str) -> Result<u64, Stop> {
    let (destination, source, size) = (call.pointer(0), call.pointer(1), call.int(2));
    let length = host.memory().c_string_bounded(source, size)?.len() as u64;
    host.memory().copy(destination, source, length)?;
    host.memory().fill(destination.plus(length as i64), 0, size - length)?;
    if size > 0 {
        check_apart(name, (destination, size), (source, (length + 1).min(size)))?;
    }
    Ok(length)
}

fn strncpy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    copy_padded(host, call, "strncpy")?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn stpncpy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let length = copy_padded(host, call, "stpncpy")?;
    Ok(Returned::pointer(call.pointer(0).plus(length as i64)))
}

fn strlcpy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(1))?;
    if let Some(most) = call.int(2).checked_sub(1) {
        let kept = text.len().min(most as usize);
        host.memory().write_c_string(call.pointer(0), &text[..kept])?;
    }
    Ok(Returned::Bits(text.len() as u64))
}

fn strlcat(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let before = host.memory().c_string_bounded(call.pointer(0), call.int(2))?.len() as u64;
    let text = string(host, call.pointer(1))?;
    if let Some(most) = (call.int(2) - before).checked_sub(1) {
        let kept = text.len().min(most as usize);
        host.memory().write_c_string(call.pointer(0).plus(before as i64), &text[..kept])?;
    }
    Ok(Returned::Bits(before + text.len() as u64))
}

fn append(host: &mut Host<'_>, call: &Arguments, name: &str, most: u64, room: Option<u64>) -> Result<Returned, Stop> {
    let (destination, source) = (call.pointer(0), call.pointer(1));
    let before = host.memory().c_string(destination)?.len() as u64;
    let text = match most {
        u64::MAX => string(host, source)?,
        most => host.memory().c_string_bounded(source, most)?.to_vec(),
    };
    let size = text.len() as u64 + 1;
    if let Some(room) = room {
        check_room(name, before + size, room)?;
    }
    let end = destination.plus(before as i64);
    host.memory().write_c_string(end, &text)?;
    check_apart(name, (end, size), (source, size.min(most)))?;
    Ok(Returned::pointer(destination))
}

/// Byte `index` of a string that was read up to there; beyond the object it has no terminator.
pub fn string_byte(memory: &Memory, string: Address, index: u64) -> MemoryResult<u8> {
    memory.load_u8(string.plus(index as i64)).map_err(|fault| match fault.kind {
        FaultKind::Above if index > 0 => memory.fault(FaultKind::Unterminated, string, index, false),
        _ => fault,
    })
}

/// The difference of the first bytes that differ, as glibc's assembly computes it.
fn compare(host: &mut Host<'_>, call: &Arguments, most: u64, fold: fn(u8) -> u8) -> Result<Returned, Stop> {
    let memory = host.memory();
    for index in 0..most {
        let left = fold(string_byte(memory, call.pointer(0), index)?);
        let right = fold(string_byte(memory, call.pointer(1), index)?);
        if left != right || left == 0 {
            return Ok(Returned::signed(i64::from(left) - i64::from(right)));
        }
    }
    Ok(Returned::signed(0))
}

/// Compares numbers inside the names by their value, with leading zeros as fractions: GNU's order.
fn strverscmp(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    unsafe extern "C" {
        fn strverscmp(left: *const libc::c_char, right: *const libc::c_char) -> libc::c_int;
    }
    let left = std::ffi::CString::new(string(host, call.pointer(0))?).unwrap_or_default();
    let right = std::ffi::CString::new(string(host, call.pointer(1))?).unwrap_or_default();
    // SAFETY: both are terminated strings of ours.
    Ok(Returned::signed(i64::from(unsafe { strverscmp(left.as_ptr(), right.as_ptr()) })))
}

/// In the C locale, a copy of at most `size` bytes.
fn strxfrm(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let mut text = string(host, call.pointer(1))?;
    let length = text.len() as u64;
    text.push(0);
    text.truncate(call.int(2) as usize);
    host.memory().write(call.pointer(0), &text)?;
    Ok(Returned::Bits(length))
}

fn strdup(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(0))?;
    statics::heap_string(host, &text).map(Returned::pointer)
}

fn strndup(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = host.memory().c_string_bounded(call.pointer(0), call.int(1))?.to_vec();
    statics::heap_string(host, &text).map(Returned::pointer)
}

/// The system's words for an error number.
pub fn error_text(error: i32) -> Vec<u8> {
    let mut buffer = [0u8; 256];
    // SAFETY: the buffer has the stated size; the POSIX variant terminates what it writes.
    unsafe { libc::strerror_r(error, buffer.as_mut_ptr().cast(), buffer.len()) };
    buffer.split(|&byte| byte == 0).next().unwrap_or_default().to_vec()
}

fn strerror(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = error_text(call.signed(0) as i32);
    statics::text(host, &text).map(Returned::pointer)
}

/// GNU's variant: the text itself, wherever it is.
fn strerror_r(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    strerror(host, call)
}

fn xpg_strerror_r(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = error_text(call.signed(0) as i32);
    if text.len() as u64 >= call.int(2) {
        return Ok(Returned::signed(i64::from(libc::ERANGE)));
    }
    host.memory().write_c_string(call.pointer(1), &text)?;
    let unknown = text.starts_with(b"Unknown error");
    Ok(Returned::signed(if unknown { i64::from(libc::EINVAL) } else { 0 }))
}

fn strsignal(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = super::signals::name(call.signed(0) as i32);
    statics::text(host, text.as_bytes()).map(Returned::pointer)
}
