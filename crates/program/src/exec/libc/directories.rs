//! dirent.h and names of files: listing directories, `realpath`, the parts of a name.
//!
//! Entries come sorted by name after `.` and `..`; a real system's order is its own.

use std::collections::BTreeMap;

use super::statics::{self, SUCCESS, failure, misuse, null_failure, string};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, Life, ObjectKind};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("opendir", opendir),
    ("readdir", readdir),
    ("readdir64", readdir),
    ("rewinddir", rewinddir),
    ("closedir", closedir),
    ("realpath", realpath),
    ("__realpath_chk", realpath),
    ("__xpg_basename", xpg_basename),
    ("dirname", dirname),
    ("symlink", |host, _| failure(host, libc::EPERM)),
    ("link", |host, _| failure(host, libc::EPERM)),
    ("getpwuid", |_, _| Ok(Returned::pointer(Address::NULL))),
    ("getpwnam", |_, _| Ok(Returned::pointer(Address::NULL))),
    ("getlogin", |_, _| Ok(Returned::pointer(Address::NULL))),
];

/// Bytes of `struct dirent`: number, offset, length, type, 256 bytes of name.
const ENTRY_SIZE: usize = 280;
const NAME_OFFSET: usize = 19;

#[derive(Clone, Debug)]
struct Directory {
    entries: Vec<(Vec<u8>, bool)>,
    next: usize,
}

/// The directories that are open, by the addresses of their `DIR`s.
#[derive(Clone, Debug, Default)]
pub struct Directories(BTreeMap<Address, Directory>);

fn opendir(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    let mut entries = match host.world.library.open.system.list(&name) {
        Ok(entries) => entries,
        Err(error) => return null_failure(host, error),
    };
    entries.splice(0..0, [(b".".to_vec(), true), (b"..".to_vec(), true)]);
    let site = host.world.site;
    // The entry that readdir returns is a part of the object.
    let address = host.memory().allocate_zeroed(ObjectKind::Library("DIR"), ENTRY_SIZE as u64, site)?;
    host.world.library.directories.0.insert(address, Directory { entries, next: 0 });
    Ok(Returned::pointer(address))
}

fn directory<'a>(host: &'a mut Host<'_>, address: Address) -> Result<&'a mut Directory, Stop> {
    host.memory().read(address, 1)?;
    let directories = &mut host.world.library.directories.0;
    directories.get_mut(&address).ok_or_else(|| misuse("the pointer to DIR does not point to an open directory"))
}

fn readdir(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let directory = directory(host, call.pointer(0))?;
    let Some((name, is_directory)) = directory.entries.get(directory.next).cloned() else {
        return Ok(Returned::pointer(Address::NULL));
    };
    directory.next += 1;
    let number = directory.next as u64;
    let mut entry = [0u8; ENTRY_SIZE];
    entry[..8].copy_from_slice(&number.to_le_bytes());
    entry[8..16].copy_from_slice(&number.to_le_bytes());
    entry[16..18].copy_from_slice(&(ENTRY_SIZE as u16).to_le_bytes());
    entry[18] = if is_directory { libc::DT_DIR } else { libc::DT_REG };
    let length = name.len().min(255);
    entry[NAME_OFFSET..NAME_OFFSET + length].copy_from_slice(&name[..length]);
    host.memory().write(call.pointer(0), &entry)?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn rewinddir(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    directory(host, call.pointer(0))?.next = 0;
    Ok(Returned::Nothing)
}

fn closedir(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    directory(host, call.pointer(0))?;
    host.world.library.directories.0.remove(&call.pointer(0));
    let site = host.world.site;
    host.memory().end(call.pointer(0).object(), Life::Freed, site);
    Ok(SUCCESS)
}

fn realpath(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    let path = match host.world.library.open.system.real_path(&name) {
        Ok(path) => path,
        Err(error) => return null_failure(host, error),
    };
    if call.int(1) == 0 {
        return statics::heap_string(host, &path).map(Returned::pointer);
    }
    host.memory().write_c_string(call.pointer(1), &path)?;
    Ok(Returned::pointer(call.pointer(1)))
}

/// POSIX's `basename`, which may cut slashes off the end of its argument.
fn xpg_basename(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let path = call.pointer(0);
    let text = if path.is_null() { Vec::new() } else { string(host, path)? };
    let Some(end) = text.iter().rposition(|&byte| byte != b'/').map(|last| last + 1) else {
        // Nothing but slashes is the root; nothing at all is here.
        return match text.len() {
            0 => statics::text(host, b".").map(Returned::pointer),
            length => Ok(Returned::pointer(path.plus(length as i64 - 1))),
        };
    };
    if end < text.len() {
        host.memory().write_u8(path.plus(end as i64), 0)?;
    }
    let start = text[..end].iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    Ok(Returned::pointer(path.plus(start as i64)))
}

/// Cuts the last part off its argument.
fn dirname(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let path = call.pointer(0);
    let text = if path.is_null() { Vec::new() } else { string(host, path)? };
    let end_of = |text: &[u8]| text.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    let last_part = end_of(&text);
    let slash = text[..last_part].iter().rposition(|&byte| byte == b'/');
    let end = match slash {
        Some(slash) => end_of(&text[..slash]),
        None if text.first() == Some(&b'/') => 0,
        None => return statics::text(host, b".").map(Returned::pointer),
    };
    // Two leading slashes alone stay as they are: POSIX leaves them to the system.
    let end = match end {
        0 if slash == Some(1) || slash.is_none() && text.len() == 2 => 2,
        0 => 1,
        end => end,
    };
    if end < text.len() {
        host.memory().write_u8(path.plus(end as i64), 0)?;
    }
    Ok(Returned::pointer(path))
}
