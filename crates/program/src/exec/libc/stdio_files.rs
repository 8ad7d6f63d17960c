//! stdio.h: streams come and go; positions, flags, names of files.

use super::descriptors::{Access, Whence};
use super::files::Creation;
use super::statics::{self, SUCCESS, failure, null_failure, set_errno, string};
use super::streams::{self, Stream, stream};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;
use crate::exec::outcome::Note;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("fopen", fopen),
    ("fopen64", fopen),
    ("freopen", freopen),
    ("freopen64", freopen),
    ("fdopen", fdopen),
    ("fclose", fclose),
    ("fcloseall", |_, _| Ok(SUCCESS)),
    ("fflush", fflush),
    ("fflush_unlocked", fflush),
    ("feof", |host, call| Ok(flag(stream(host, call.pointer(0))?.at_end))),
    ("feof_unlocked", |host, call| Ok(flag(stream(host, call.pointer(0))?.at_end))),
    ("ferror", |host, call| Ok(flag(stream(host, call.pointer(0))?.error))),
    ("ferror_unlocked", |host, call| Ok(flag(stream(host, call.pointer(0))?.error))),
    ("clearerr", clearerr),
    ("clearerr_unlocked", clearerr),
    ("fileno", |host, call| Ok(Returned::signed(i64::from(stream(host, call.pointer(0))?.descriptor)))),
    ("fileno_unlocked", |host, call| Ok(Returned::signed(i64::from(stream(host, call.pointer(0))?.descriptor)))),
    ("fseek", fseek),
    ("fseeko", fseek),
    ("fseeko64", fseek),
    ("ftell", ftell),
    ("ftello", ftell),
    ("ftello64", ftell),
    ("rewind", rewind),
    ("fgetpos", fgetpos),
    ("fgetpos64", fgetpos),
    ("fsetpos", fsetpos),
    ("fsetpos64", fsetpos),
    ("setbuf", |host, call| stream(host, call.pointer(0)).map(|_| Returned::Nothing)),
    ("setbuffer", |host, call| stream(host, call.pointer(0)).map(|_| Returned::Nothing)),
    ("setlinebuf", |host, call| stream(host, call.pointer(0)).map(|_| Returned::Nothing)),
    ("setvbuf", setvbuf),
    ("flockfile", |host, call| stream(host, call.pointer(0)).map(|_| Returned::Nothing)),
    ("funlockfile", |host, call| stream(host, call.pointer(0)).map(|_| Returned::Nothing)),
    ("ftrylockfile", |host, call| stream(host, call.pointer(0)).map(|_| SUCCESS)),
    ("remove", remove),
    ("rename", rename),
    ("tmpfile", tmpfile),
    ("tmpfile64", tmpfile),
    ("tmpnam", tmpnam),
    ("tempnam", tempnam),
    ("open_memstream", open_memstream),
    ("fmemopen", fmemopen),
    ("popen", popen),
    ("pclose", |host, _| failure(host, libc::ECHILD)),
];

fn flag(set: bool) -> Returned {
    Returned::Bits(u64::from(set))
}

/// `r`, `w` or `a` with what may follow it.
fn mode(text: &[u8]) -> Option<(Access, Creation)> {
    let (first, rest) = text.split_first()?;
    let mut access = Access { read: *first == b'r', write: *first != b'r', append: *first == b'a' };
    let mut creation = match first {
        b'r' => Creation::default(),
        b'w' => Creation { create: true, exclusive: false, truncate: true },
        b'a' => Creation { create: true, exclusive: false, truncate: false },
        _ => return None,
    };
    for byte in rest.iter().take_while(|byte| **byte != b',') {
        match byte {
            b'+' => (access.read, access.write) = (true, true),
            b'x' => creation.exclusive = true,
            _ => {}
        }
    }
    Some((access, creation))
}

/// Opens a file as `fopen` does.
fn open_stream(host: &mut Host<'_>, name: Address, mode_text: Address) -> Result<Result<Stream, i32>, Stop> {
    let (name, text) = (string(host, name)?, string(host, mode_text)?);
    let Some((access, creation)) = mode(&text) else { return Ok(Err(libc::EINVAL)) };
    let open = &mut host.world.library.open;
    let descriptor = match open.open(&name, access, creation) {
        Ok(descriptor) => descriptor,
        Err(error) => return Ok(Err(error)),
    };
    if access.append && !access.read {
        // A stream that only appends begins at the end; one that also reads, at the start.
        let _ = open.seek(descriptor, 0, Whence::End);
    }
    Ok(Ok(Stream::new(descriptor, access)))
}

fn fopen(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    match open_stream(host, call.pointer(0), call.pointer(1))? {
        Ok(stream) => streams::open(host, stream).map(Returned::pointer),
        Err(error) => null_failure(host, error),
    }
}

fn freopen(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let file = call.pointer(2);
    let old = stream(host, file)?.descriptor;
    if call.int(0) == 0 {
        // The same file under another mode: the mode is not changed here.
        return Ok(Returned::pointer(file));
    }
    let _ = host.world.library.open.close(old);
    match open_stream(host, call.pointer(0), call.pointer(1))? {
        Ok(opened) => {
            *stream(host, file)? = opened;
            Ok(Returned::pointer(file))
        }
        Err(error) => {
            streams::close(host, file)?;
            null_failure(host, error)
        }
    }
}

fn fdopen(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(1))?;
    let descriptor = call.signed(0) as i32;
    let Some((access, _)) = mode(&text) else { return null_failure(host, libc::EINVAL) };
    match host.world.library.open.access(descriptor) {
        Err(error) => null_failure(host, error),
        Ok(allowed) if access.read && !allowed.read || access.write && !allowed.write => {
            null_failure(host, libc::EINVAL)
        }
        Ok(_) => streams::open(host, Stream::new(descriptor, access)).map(Returned::pointer),
    }
}

fn fclose(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    show(host, call.pointer(0))?;
    let closed = streams::close(host, call.pointer(0))?;
    match host.world.library.open.close(closed.descriptor) {
        Ok(()) => Ok(SUCCESS),
        Err(error) => failure(host, error),
    }
}

fn fflush(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if call.int(0) != 0 {
        show(host, call.pointer(0))?;
        return Ok(SUCCESS);
    }
    for file in host.world.library.streams.addresses() {
        show(host, file)?;
    }
    Ok(SUCCESS)
}

/// Puts the contents of an `open_memstream` where the program looks for them.
fn show(host: &mut Host<'_>, file: Address) -> Result<(), Stop> {
    let stream = stream(host, file)?;
    let (descriptor, Some((pointer, size))) = (stream.descriptor, stream.shown_at) else { return Ok(()) };
    let contents = host.world.library.open.read_at(descriptor, u64::MAX, 0).map(<[u8]>::to_vec).unwrap_or_default();
    let old = Address(host.memory().load_u64(pointer)?);
    let site = host.world.site;
    host.memory().free(old, site)?;
    let new = statics::heap_string(host, &contents)?;
    host.memory().write_u64(pointer, new.0)?;
    host.memory().write_u64(size, contents.len() as u64)?;
    Ok(())
}

fn clearerr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let stream = stream(host, call.pointer(0))?;
    (stream.at_end, stream.error) = (false, false);
    Ok(Returned::Nothing)
}

fn fseek(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let Some(whence) = Whence::from_c(call.signed(2)) else { return failure(host, libc::EINVAL) };
    match streams::seek(host, call.pointer(0), call.signed(1), whence)? {
        Ok(_) => Ok(SUCCESS),
        Err(error) => failure(host, error),
    }
}

fn ftell(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let position = streams::tell(host, call.pointer(0))?;
    statics::outcome(host, position.map(|position| position as i64))
}

fn rewind(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if let Err(error) = streams::seek(host, call.pointer(0), 0, Whence::Start)? {
        set_errno(host, error)?;
    }
    clearerr(host, call)
}

/// `fpos_t` is a position and 8 bytes of conversion state.
fn fgetpos(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    match streams::tell(host, call.pointer(0))? {
        Ok(position) => {
            host.memory().write_u64(call.pointer(1), position)?;
            host.memory().write_u64(call.pointer(1).plus(8), 0)?;
            Ok(SUCCESS)
        }
        Err(error) => failure(host, error),
    }
}

fn fsetpos(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let position = host.memory().load_u64(call.pointer(1))?;
    match streams::seek(host, call.pointer(0), position as i64, Whence::Start)? {
        Ok(_) => Ok(SUCCESS),
        Err(error) => failure(host, error),
    }
}

fn setvbuf(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    stream(host, call.pointer(0))?;
    Ok(if (0..=2).contains(&call.signed(2)) { SUCCESS } else { Returned::signed(-1) })
}

fn remove(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    let system = &mut host.world.library.open.system;
    let result = match system.unlink(&name) {
        Err(libc::EISDIR) => system.remove_directory(&name),
        result => result,
    };
    statics::outcome(host, result.map(|()| 0))
}

fn rename(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let (old, new) = (string(host, call.pointer(0))?, string(host, call.pointer(1))?);
    let result = host.world.library.open.system.rename(&old, &new);
    statics::outcome(host, result.map(|()| 0))
}

const BOTH: Access = Access { read: true, write: true, append: false };

fn tmpfile(host: &mut Host<'_>, _: &Arguments) -> Result<Returned, Stop> {
    match host.world.library.open.open_anonymous() {
        Ok(descriptor) => streams::open(host, Stream::new(descriptor, BOTH)).map(Returned::pointer),
        Err(error) => null_failure(host, error),
    }
}

fn temporary_name(host: &mut Host<'_>) -> Vec<u8> {
    let suffix = host.world.library.open.system.temporary_suffix();
    [b"/tmp/file".as_slice(), &suffix].concat()
}

fn tmpnam(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = temporary_name(host);
    let buffer = if call.int(0) == 0 { statics::object(host, "tmpnam", || vec![0; 20])? } else { call.pointer(0) };
    host.memory().write_c_string(buffer, &name)?;
    Ok(Returned::pointer(buffer))
}

fn tempnam(host: &mut Host<'_>, _: &Arguments) -> Result<Returned, Stop> {
    let name = temporary_name(host);
    statics::heap_string(host, &name).map(Returned::pointer)
}

fn open_memstream(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let descriptor = match host.world.library.open.open_anonymous() {
        Ok(descriptor) => descriptor,
        Err(error) => return null_failure(host, error),
    };
    let mut stream = Stream::new(descriptor, BOTH);
    stream.shown_at = Some((call.pointer(0), call.pointer(1)));
    host.memory().write_u64(call.pointer(0), 0)?;
    host.memory().write_u64(call.pointer(1), 0)?;
    let file = streams::open(host, stream)?;
    show(host, file)?;
    Ok(Returned::pointer(file))
}

/// Only for reading: writes would have to appear in the program's buffer.
fn fmemopen(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(2))?;
    if mode(&text).is_none_or(|(access, _)| access.write) {
        return Err(Stop::Unsupported("fmemopen of a buffer to write to".to_owned()));
    }
    let contents = host.memory().read_initialized(call.pointer(0), call.int(1))?.to_vec();
    let open = &mut host.world.library.open;
    let descriptor = match open.open_anonymous() {
        Ok(descriptor) => descriptor,
        Err(error) => return null_failure(host, error),
    };
    let filled = open.write(descriptor, &contents).and_then(|_| open.seek(descriptor, 0, Whence::Start));
    if let Err(error) = filled {
        return null_failure(host, error);
    }
    let access = Access { read: true, ..Access::default() };
    streams::open(host, Stream::new(descriptor, access)).map(Returned::pointer)
}

fn popen(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let command = string(host, call.pointer(0))?;
    let site = host.world.site;
    let what = format!("popen(\"{}\") was not run", String::from_utf8_lossy(&command));
    host.world.note(Note::Imprecise { what, site });
    null_failure(host, libc::EAGAIN)
}
