//! The heap: `malloc` and its relatives.
//!
//! `realloc` always moves, so that pointers into the old block are found out. Where the memory limit
//! is reached, functions return null as on a full system.

use super::statics::{null_failure, set_errno};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, ObjectKind};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("malloc", |host, call| allocate(host, call.int(0))),
    ("calloc", calloc),
    ("realloc", |host, call| reallocate(host, call.pointer(0), Some(call.int(1)))),
    ("reallocarray", |host, call| reallocate(host, call.pointer(0), call.int(1).checked_mul(call.int(2)))),
    ("free", free),
    ("cfree", free),
    ("aligned_alloc", |host, call| aligned(host, call.int(0), call.int(1))),
    ("memalign", |host, call| aligned(host, call.int(0), call.int(1))),
    ("posix_memalign", posix_memalign),
    ("valloc", |host, call| allocate(host, call.int(0))),
    ("pvalloc", |host, call| allocate(host, call.int(0).next_multiple_of(4096))),
    ("malloc_usable_size", malloc_usable_size),
    ("malloc_trim", |_, _| Ok(Returned::Bits(0))),
    ("mallopt", |_, _| Ok(Returned::Bits(1))),
];

fn allocate(host: &mut Host<'_>, size: u64) -> Result<Returned, Stop> {
    let address = host.malloc(size);
    if address.is_null() {
        return null_failure(host, libc::ENOMEM);
    }
    Ok(Returned::pointer(address))
}

fn calloc(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let site = host.world.site;
    let size = call.int(0).checked_mul(call.int(1));
    match size.and_then(|size| host.memory().allocate_zeroed(ObjectKind::Heap, size, site).ok()) {
        Some(address) => Ok(Returned::pointer(address)),
        None => null_failure(host, libc::ENOMEM),
    }
}

fn reallocate(host: &mut Host<'_>, old: Address, size: Option<u64>) -> Result<Returned, Stop> {
    let Some(size) = size else { return null_failure(host, libc::ENOMEM) };
    if old.is_null() {
        return allocate(host, size);
    }
    let old_size = host.memory().check_heap_start(old)?;
    let site = host.world.site;
    if size == 0 {
        host.memory().free(old, site)?;
        return Ok(Returned::pointer(Address::NULL));
    }
    let new = host.malloc(size);
    if new.is_null() {
        return null_failure(host, libc::ENOMEM);
    }
    host.memory().copy(new, old, size.min(old_size))?;
    host.memory().free(old, site)?;
    Ok(Returned::pointer(new))
}

fn free(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let site = host.world.site;
    host.memory().free(call.pointer(0), site)?;
    Ok(Returned::Nothing)
}

/// Every address is aligned to more than anyone asks for.
fn aligned(host: &mut Host<'_>, alignment: u64, size: u64) -> Result<Returned, Stop> {
    if !alignment.is_power_of_two() && alignment > 16 {
        return null_failure(host, libc::EINVAL);
    }
    allocate(host, size)
}

fn posix_memalign(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let alignment = call.int(1);
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(8) {
        return Ok(Returned::signed(i64::from(libc::EINVAL)));
    }
    let address = host.malloc(call.int(2));
    if address.is_null() {
        return Ok(Returned::signed(i64::from(libc::ENOMEM)));
    }
    host.memory().write_u64(call.pointer(0), address.0)?;
    Ok(Returned::signed(0))
}

/// The size that was asked for; glibc's would be larger, but the bytes beyond are not the program's.
fn malloc_usable_size(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if call.int(0) == 0 {
        return Ok(Returned::Bits(0));
    }
    Ok(Returned::Bits(host.memory().check_heap_start(call.pointer(0))?))
}

/// A heap object with these bytes, for functions that return one; null if there is no memory.
pub fn heap_bytes(host: &mut Host<'_>, bytes: &[u8]) -> Result<Address, Stop> {
    let address = host.malloc(bytes.len() as u64);
    if address.is_null() {
        set_errno(host, libc::ENOMEM)?;
        return Ok(address);
    }
    host.memory().write(address, bytes)?;
    Ok(address)
}
