//! What models share: `errno`, objects that the library owns, and the words for misuse.
//!
//! The library's objects are made when a program first asks for them, and once: programs may compare
//! the pointers.

use crate::Site;
use crate::exec::host::{Host, Returned, Stop};
use crate::exec::memory::{Address, ObjectKind};
use crate::exec::violation::ViolationKind;

/// What functions return that only can fail.
pub const SUCCESS: Returned = Returned::Bits(0);

/// A call that C leaves undefined, other than by a bad access.
pub fn misuse(message: impl Into<String>) -> Stop {
    Stop::violation(ViolationKind::StringFunction, message)
}

/// Where the program's `errno` is.
pub fn errno_address(host: &mut Host<'_>) -> Result<Address, Stop> {
    object(host, "errno", || vec![0; 4])
}

pub fn set_errno(host: &mut Host<'_>, error: i32) -> Result<(), Stop> {
    let address = errno_address(host)?;
    Ok(host.memory().write_u32(address, error as u32)?)
}

pub fn errno(host: &mut Host<'_>) -> Result<i32, Stop> {
    let address = errno_address(host)?;
    Ok(host.memory().load_u32(address)? as i32)
}

/// Sets `errno` and returns -1, as system calls do.
pub fn failure(host: &mut Host<'_>, error: i32) -> Result<Returned, Stop> {
    set_errno(host, error)?;
    Ok(Returned::signed(-1))
}

/// Sets `errno` and returns null.
pub fn null_failure(host: &mut Host<'_>, error: i32) -> Result<Returned, Stop> {
    set_errno(host, error)?;
    Ok(Returned::pointer(Address::NULL))
}

/// The result of a system call: a number, or -1 with `errno`.
pub fn outcome(host: &mut Host<'_>, result: Result<i64, i32>) -> Result<Returned, Stop> {
    match result {
        Ok(value) => Ok(Returned::signed(value)),
        Err(error) => failure(host, error),
    }
}

/// The library's object of this name; `contents` fills it when it is made.
pub fn object(host: &mut Host<'_>, name: &'static str, contents: impl FnOnce() -> Vec<u8>) -> Result<Address, Stop> {
    if let Some(&address) = host.world.library.statics.get(name) {
        return Ok(address);
    }
    let contents = contents();
    let address = host.world.memory.allocate_zeroed(ObjectKind::Library(name), contents.len() as u64, Site::NONE)?;
    host.world.memory.write(address, &contents)?;
    host.world.library.statics.insert(name, address);
    Ok(address)
}

/// A table that programs only read.
pub fn constant(host: &mut Host<'_>, name: &'static str, contents: impl FnOnce() -> Vec<u8>) -> Result<Address, Stop> {
    let address = object(host, name, contents)?;
    host.world.memory.make_constant(address.object());
    Ok(address)
}

/// A constant text of the library, such as a message of `strerror`.
pub fn text(host: &mut Host<'_>, text: &[u8]) -> Result<Address, Stop> {
    if let Some(&address) = host.world.library.texts.get(text) {
        return Ok(address);
    }
    let size = text.len() as u64 + 1;
    let address = host.world.memory.allocate_zeroed(ObjectKind::Library("text"), size, Site::NONE)?;
    host.world.memory.write_c_string(address, text)?;
    host.world.memory.make_constant(address.object());
    host.world.library.texts.insert(text.to_vec(), address);
    Ok(address)
}

/// The bytes of a string of the program.
pub fn string(host: &mut Host<'_>, address: Address) -> Result<Vec<u8>, Stop> {
    Ok(host.memory().c_string(address)?.to_vec())
}

/// The string in a new heap object, as `strdup` makes it; null if there is no memory.
pub fn heap_string(host: &mut Host<'_>, text: &[u8]) -> Result<Address, Stop> {
    let address = host.malloc(text.len() as u64 + 1);
    if address.is_null() {
        set_errno(host, libc::ENOMEM)?;
    } else {
        host.memory().write_c_string(address, text)?;
    }
    Ok(address)
}

/// Buffers that a function must not be given overlapping.
pub fn check_apart(function: &str, one: (Address, u64), other: (Address, u64)) -> Result<(), Stop> {
    let ((one, one_size), (other, other_size)) = (one, other);
    let apart = one.0 >= other.0.saturating_add(other_size) || other.0 >= one.0.saturating_add(one_size);
    if apart {
        return Ok(());
    }
    let distance = one.0.abs_diff(other.0);
    Err(misuse(format!("{function} got overlapping buffers: they are {distance} bytes apart")))
}

/// The check of a fortified function: so many bytes into an object of a size that the compiler knew.
pub fn check_room(function: &str, bytes: u64, room: u64) -> Result<(), Stop> {
    if bytes > room {
        return Err(misuse(format!("{function} writes {bytes} bytes into an object of {room} bytes")));
    }
    Ok(())
}
