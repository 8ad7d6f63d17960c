//! Files by descriptor and by name, as unistd.h, fcntl.h and sys/stat.h have them.

use super::descriptors::{Access, Whence, Written};
use super::files::{Creation, Errno, Status};
use super::statics::{self, SUCCESS, check_room, failure, null_failure, outcome, string};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, Life, ObjectKind};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("open", |host, call| open(host, call.pointer(0), call.signed(1) as i32)),
    ("open64", |host, call| open(host, call.pointer(0), call.signed(1) as i32)),
    ("__open_2", |host, call| open(host, call.pointer(0), call.signed(1) as i32)),
    ("creat", |host, call| open(host, call.pointer(0), libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC)),
    ("close", |host, call| {
        let result = host.world.library.open.close(call.signed(0) as i32);
        outcome(host, result.map(|()| 0))
    }),
    ("read", |host, call| read(host, call, None)),
    ("__read_chk", |host, call| {
        check_room("read", call.int(2), call.int(3))?;
        read(host, call, None)
    }),
    ("pread", |host, call| read(host, call, Some(call.int(3)))),
    ("pread64", |host, call| read(host, call, Some(call.int(3)))),
    ("write", |host, call| write(host, call, None)),
    ("pwrite", |host, call| write(host, call, Some(call.int(3)))),
    ("pwrite64", |host, call| write(host, call, Some(call.int(3)))),
    ("lseek", lseek),
    ("lseek64", lseek),
    ("ftruncate", ftruncate),
    ("ftruncate64", ftruncate),
    ("truncate", truncate),
    ("truncate64", truncate),
    ("dup", |host, call| {
        let result = host.world.library.open.duplicate(call.signed(0) as i32, 0);
        outcome(host, result.map(i64::from))
    }),
    ("dup2", |host, call| {
        let result = host.world.library.open.duplicate_to(call.signed(0) as i32, call.signed(1) as i32);
        outcome(host, result.map(i64::from))
    }),
    ("fcntl", fcntl),
    ("fcntl64", fcntl),
    ("ioctl", |host, _| failure(host, libc::ENOTTY)),
    ("isatty", isatty),
    ("fsync", |host, call| sync(host, call)),
    ("fdatasync", |host, call| sync(host, call)),
    ("sync", |_, _| Ok(Returned::Nothing)),
    ("access", access),
    ("unlink", |host, call| by_name(host, call, |system, name| system.unlink(name))),
    ("rmdir", |host, call| by_name(host, call, |system, name| system.remove_directory(name))),
    ("mkdir", |host, call| by_name(host, call, |system, name| system.make_directory(name))),
    ("chdir", |host, call| by_name(host, call, |system, name| system.change_directory(name))),
    ("chmod", |host, call| by_name(host, call, |system, name| system.status(name).map(|_| ()))),
    ("utimes", |host, call| by_name(host, call, |system, name| system.status(name).map(|_| ()))),
    ("utime", |host, call| by_name(host, call, |system, name| system.status(name).map(|_| ()))),
    ("fchmod", |host, call| sync(host, call)),
    ("fchown", |host, call| sync(host, call)),
    ("umask", |_, _| Ok(Returned::Bits(0o022))),
    ("stat", |host, call| stat(host, call)),
    ("stat64", |host, call| stat(host, call)),
    ("lstat", |host, call| stat(host, call)),
    ("lstat64", |host, call| stat(host, call)),
    ("fstat", |host, call| fstat(host, call)),
    ("fstat64", |host, call| fstat(host, call)),
    ("readlink", readlink),
    ("getcwd", getcwd),
    ("mkstemp", |host, call| mkstemp(host, call, 0)),
    ("mkstemp64", |host, call| mkstemp(host, call, 0)),
    ("mkstemps", |host, call| mkstemp(host, call, call.int(1))),
    ("mktemp", mktemp),
    ("mkdtemp", mkdtemp),
    ("mmap", mmap),
    ("mmap64", mmap),
    ("munmap", munmap),
    ("mremap", |host, _| failure(host, libc::ENOMEM)),
    ("mprotect", |_, _| Ok(SUCCESS)),
    ("madvise", |_, _| Ok(SUCCESS)),
    ("posix_fallocate", |_, _| Ok(Returned::signed(libc::EINVAL as i64))),
    ("fallocate", |host, _| failure(host, libc::EOPNOTSUPP)),
];

fn open(host: &mut Host<'_>, name: Address, flags: i32) -> Result<Returned, Stop> {
    let name = string(host, name)?;
    let mode = flags & libc::O_ACCMODE;
    let access =
        Access { read: mode != libc::O_WRONLY, write: mode != libc::O_RDONLY, append: flags & libc::O_APPEND != 0 };
    let creation = Creation {
        create: flags & libc::O_CREAT != 0,
        exclusive: flags & libc::O_EXCL != 0,
        truncate: flags & libc::O_TRUNC != 0,
    };
    let result = host.world.library.open.open(&name, access, creation);
    outcome(host, result.map(i64::from))
}

fn read(host: &mut Host<'_>, call: &Arguments, position: Option<u64>) -> Result<Returned, Stop> {
    let (descriptor, buffer, count) = (call.signed(0) as i32, call.pointer(1), call.int(2).min(i32::MAX as u64));
    let open = &mut host.world.library.open;
    let result = match position {
        Some(position) => open.read_at(descriptor, count, position),
        None => open.read(descriptor, count),
    };
    match result.map(<[u8]>::to_vec) {
        Ok(bytes) => {
            host.memory().write(buffer, &bytes)?;
            Ok(Returned::Bits(bytes.len() as u64))
        }
        Err(error) => failure(host, error),
    }
}

fn write(host: &mut Host<'_>, call: &Arguments, position: Option<u64>) -> Result<Returned, Stop> {
    let (descriptor, count) = (call.signed(0) as i32, call.int(2));
    let bytes = host.memory().read(call.pointer(1), count)?.to_vec();
    let open = &mut host.world.library.open;
    let result = match position {
        Some(position) => open.write_at(descriptor, &bytes, position),
        None => open.write(descriptor, &bytes),
    };
    match result {
        Ok(Written::Console(output)) => host.write(output, &bytes)?,
        Ok(Written::Stored) => {}
        Err(error) => return failure(host, error),
    }
    Ok(Returned::Bits(count))
}

fn lseek(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let Some(whence) = Whence::from_c(call.signed(2)) else { return failure(host, libc::EINVAL) };
    let result = host.world.library.open.seek(call.signed(0) as i32, call.signed(1), whence);
    outcome(host, result.map(|position| position as i64))
}

fn ftruncate(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let result = match u64::try_from(call.signed(1)) {
        Ok(size) => host.world.library.open.truncate(call.signed(0) as i32, size),
        Err(_) => Err(libc::EINVAL),
    };
    outcome(host, result.map(|()| 0))
}

fn truncate(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    let open = &mut host.world.library.open;
    let access = Access { write: true, ..Access::default() };
    let result = open.open(&name, access, Creation::default()).and_then(|descriptor| {
        let result =
            u64::try_from(call.signed(1)).map_err(|_| libc::EINVAL).and_then(|size| open.truncate(descriptor, size));
        open.close(descriptor).and(result)
    });
    outcome(host, result.map(|()| 0))
}

/// Duplicating and asking for flags; locks always succeed, since nobody else is there.
fn fcntl(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let descriptor = call.signed(0) as i32;
    let open = &mut host.world.library.open;
    let result = match call.signed(1) as i32 {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => open.duplicate(descriptor, call.signed(2) as i32).map(i64::from),
        libc::F_GETFL => open.access(descriptor).map(|access| match (access.read, access.write) {
            (true, true) => i64::from(libc::O_RDWR),
            (_, true) => i64::from(libc::O_WRONLY),
            _ => i64::from(libc::O_RDONLY),
        }),
        libc::F_GETLK => {
            // l_type is the first member: nothing is locked.
            host.memory().write_u16(call.pointer(2), libc::F_UNLCK as u16)?;
            Ok(0)
        }
        _ => open.access(descriptor).map(|_| 0),
    };
    outcome(host, result)
}

fn isatty(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let open = host.world.library.open.is_open(call.signed(0) as i32);
    statics::set_errno(host, if open { libc::ENOTTY } else { libc::EBADF })?;
    Ok(SUCCESS)
}

/// What only needs an open descriptor.
fn sync(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let result = host.world.library.open.access(call.signed(0) as i32);
    outcome(host, result.map(|_| 0))
}

fn access(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    let result = host.world.library.open.system.status(&name);
    let executable = call.signed(1) & i64::from(libc::X_OK) != 0;
    outcome(host, result.and_then(|status| if executable && !status.directory { Err(libc::EACCES) } else { Ok(0) }))
}

fn by_name(
    host: &mut Host<'_>,
    call: &Arguments,
    action: impl Fn(&mut super::files::FileSystem, &[u8]) -> Result<(), Errno>,
) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    let result = action(&mut host.world.library.open.system, &name);
    outcome(host, result.map(|()| 0))
}

fn stat(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    match host.world.library.open.system.status(&name) {
        Ok(status) => store_status(host, call.pointer(1), Some(status)),
        Err(error) => failure(host, error),
    }
}

fn fstat(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    match host.world.library.open.status(call.signed(0) as i32) {
        Ok(status) => store_status(host, call.pointer(1), status),
        Err(error) => failure(host, error),
    }
}

/// Fills x86-64's `struct stat`: 144 bytes. What is no file is a pipe.
fn store_status(host: &mut Host<'_>, address: Address, status: Option<Status>) -> Result<Returned, Stop> {
    let mode = match status {
        None => libc::S_IFIFO | 0o600,
        Some(Status { directory: true, .. }) => libc::S_IFDIR | 0o755,
        Some(_) => libc::S_IFREG | 0o644,
    };
    let size = status.map_or(0, |status| status.size);
    let now = super::time::EPOCH as u64;
    let words = [
        1,
        status.map_or(0, |status| status.number),
        1,
        u64::from(mode) | 1000 << 32,
        1000,
        0,
        size,
        4096,
        size.div_ceil(512),
        now,
        0,
        now,
        0,
        now,
        0,
        0,
        0,
        0,
    ];
    let bytes: Vec<u8> = words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
    host.memory().write(address, &bytes)?;
    Ok(SUCCESS)
}

/// There are no links.
fn readlink(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    let result = host.world.library.open.system.status(&name);
    outcome(host, result.and(Err(libc::EINVAL)))
}

fn getcwd(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = host.world.library.open.system.working_directory().to_vec();
    if call.int(0) == 0 {
        return statics::heap_string(host, &name).map(Returned::pointer);
    }
    if call.int(1) <= name.len() as u64 {
        return null_failure(host, if call.int(1) == 0 { libc::EINVAL } else { libc::ERANGE });
    }
    host.memory().write_c_string(call.pointer(0), &name)?;
    Ok(Returned::pointer(call.pointer(0)))
}

/// Fills the `XXXXXX` of a template in; `None` if it has none.
fn fill_template(host: &mut Host<'_>, template: Address, after: u64) -> Result<Option<Vec<u8>>, Stop> {
    let mut name = string(host, template)?;
    let end = name.len().checked_sub(after as usize).filter(|&end| name[..end].ends_with(b"XXXXXX"));
    let Some(end) = end else { return Ok(None) };
    let suffix = host.world.library.open.system.temporary_suffix();
    name[end - 6..end].copy_from_slice(&suffix);
    host.memory().write_c_string(template, &name)?;
    Ok(Some(name))
}

fn mkstemp(host: &mut Host<'_>, call: &Arguments, after: u64) -> Result<Returned, Stop> {
    let Some(name) = fill_template(host, call.pointer(0), after)? else { return failure(host, libc::EINVAL) };
    let access = Access { read: true, write: true, append: false };
    let creation = Creation { create: true, exclusive: true, truncate: false };
    let result = host.world.library.open.open(&name, access, creation);
    outcome(host, result.map(i64::from))
}

fn mktemp(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if fill_template(host, call.pointer(0), 0)?.is_none() {
        host.memory().write_c_string(call.pointer(0), b"")?;
        statics::set_errno(host, libc::EINVAL)?;
    }
    Ok(Returned::pointer(call.pointer(0)))
}

fn mkdtemp(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let Some(name) = fill_template(host, call.pointer(0), 0)? else { return null_failure(host, libc::EINVAL) };
    match host.world.library.open.system.make_directory(&name) {
        Ok(()) => Ok(Returned::pointer(call.pointer(0))),
        Err(error) => null_failure(host, error),
    }
}

/// Anonymous memory, or a private copy of a file. Shared files would need writes to reach them.
fn mmap(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let (length, flags, descriptor) = (call.int(1), call.signed(3) as i32, call.signed(4) as i32);
    if length == 0 {
        return failure(host, libc::EINVAL);
    }
    let anonymous = flags & libc::MAP_ANONYMOUS != 0;
    if !anonymous && flags & libc::MAP_SHARED != 0 && call.signed(2) as i32 & libc::PROT_WRITE != 0 {
        return Err(Stop::Unsupported("a writable shared mapping of a file".to_owned()));
    }
    let contents = match anonymous {
        true => Ok(Vec::new()),
        false => host.world.library.open.read_at(descriptor, length, call.int(5)).map(<[u8]>::to_vec),
    };
    let contents = match contents {
        Ok(contents) => contents,
        Err(error) => return failure(host, error),
    };
    let site = host.world.site;
    let kind = ObjectKind::Library("mapping");
    let Ok(address) = host.memory().allocate_zeroed(kind, length, site) else { return failure(host, libc::ENOMEM) };
    host.memory().write(address, &contents)?;
    Ok(Returned::pointer(address))
}

fn munmap(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let info = host.memory().info(call.pointer(0));
    let mapping = info.filter(|info| info.kind == ObjectKind::Library("mapping") && info.offset == 0);
    // A part that is unmapped stays: the rest of the object is still in use.
    if let Some(info) = mapping.filter(|info| call.int(1) >= info.size) {
        let site = host.world.site;
        host.memory().end(info.id, Life::Freed, site);
    }
    Ok(SUCCESS)
}
