//! The end of a process and the calls about it: `exit`, `abort`, handlers, ids, the environment's
//! answers that do not depend on the machine.

use super::statics::{self, failure, string};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;
use crate::exec::outcome::Note;
use crate::exec::violation::ViolationKind;

/// The process id that every program sees.
const PROCESS_ID: u64 = 4242;
const PAGE_SIZE: u64 = 4096;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("exit", exit),
    ("_exit", |_, call| Err(Stop::Exit(call.signed(0) as i32))),
    ("_Exit", |_, call| Err(Stop::Exit(call.signed(0) as i32))),
    ("quick_exit", quick_exit),
    ("abort", abort),
    ("atexit", |host, call| register(host, HandlerKind::Plain, call)),
    ("on_exit", |host, call| register(host, HandlerKind::WithStatus, call)),
    ("__cxa_atexit", |host, call| register(host, HandlerKind::WithArgument, call)),
    ("at_quick_exit", at_quick_exit),
    ("__cxa_finalize", |_, _| Ok(Returned::Nothing)),
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
    ("__assert_perror_fail", assert_perror_fail),
    ("__stack_chk_fail", |_, _| Err(Stop::violation(ViolationKind::OutOfBoundsAbove, "the stack was overwritten"))),
    ("__chk_fail", |_, _| Err(statics::misuse("a buffer was overflowed"))),
    ("__fortify_fail", |_, _| Err(statics::misuse("a buffer was overflowed"))),
    ("system", system),
    ("getpid", |_, _| Ok(Returned::Bits(PROCESS_ID))),
    ("getppid", |_, _| Ok(Returned::Bits(1))),
    ("getpgrp", |_, _| Ok(Returned::Bits(PROCESS_ID))),
    ("gettid", |_, _| Ok(Returned::Bits(PROCESS_ID))),
    ("getuid", |_, _| Ok(Returned::Bits(1000))),
    ("geteuid", |_, _| Ok(Returned::Bits(1000))),
    ("getgid", |_, _| Ok(Returned::Bits(1000))),
    ("getegid", |_, _| Ok(Returned::Bits(1000))),
    ("sysconf", sysconf),
    ("getpagesize", |_, _| Ok(Returned::Bits(PAGE_SIZE))),
    ("getrusage", getrusage),
    ("getrlimit", getrlimit),
    ("getrlimit64", getrlimit),
    ("setrlimit", |_, _| Ok(Returned::Bits(0))),
    ("gethostname", gethostname),
    ("fork", |host, _| refuse(host, "fork")),
    ("vfork", |host, _| refuse(host, "vfork")),
    ("execve", |host, _| refuse(host, "execve")),
    ("execv", |host, _| refuse(host, "execv")),
    ("execvp", |host, _| refuse(host, "execvp")),
    ("wait", |host, _| failure(host, libc::ECHILD)),
    ("waitpid", |host, _| failure(host, libc::ECHILD)),
    ("dlopen", |host, _| without_loader(host, "dlopen")),
    ("dlsym", |host, _| without_loader(host, "dlsym")),
    ("dlclose", |_, _| Ok(Returned::Bits(0))),
    ("dlerror", |host, _| statics::text(host, b"dynamic loading is not available").map(Returned::pointer)),
];

/// A function that runs when the process ends.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    kind: HandlerKind,
    function: Address,
    argument: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerKind {
    Plain,
    WithStatus,
    WithArgument,
}

fn register(host: &mut Host<'_>, kind: HandlerKind, call: &Arguments) -> Result<Returned, Stop> {
    host.world.library.handlers.push(Handler { kind, function: call.pointer(0), argument: call.int(1) });
    Ok(Returned::signed(0))
}

fn at_quick_exit(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.world.library.quick_handlers.push(call.pointer(0));
    Ok(Returned::signed(0))
}

/// Runs what `atexit` registered, the youngest first; handlers may register more.
pub fn run_handlers(host: &mut Host<'_>, status: i32) -> Result<(), Stop> {
    while let Some(handler) = host.world.library.handlers.pop() {
        let arguments = match handler.kind {
            HandlerKind::Plain => vec![],
            HandlerKind::WithArgument => vec![handler.argument],
            HandlerKind::WithStatus => vec![status as u32 as u64, handler.argument],
        };
        host.call_back(handler.function, &arguments)?;
    }
    Ok(())
}

fn exit(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let status = call.signed(0) as i32;
    run_handlers(host, status)?;
    Err(Stop::Exit(status))
}

fn quick_exit(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    while let Some(handler) = host.world.library.quick_handlers.pop() {
        host.call_back(handler, &[])?;
    }
    Err(Stop::Exit(call.signed(0) as i32))
}

/// A handler of the signal may run first, but cannot prevent the end.
fn abort(host: &mut Host<'_>, _: &Arguments) -> Result<Returned, Stop> {
    super::signals::deliver(host, libc::SIGABRT)?;
    Err(Stop::Abort)
}

/// Reached only where the front end did not recognise the assertion.
fn assert_fail(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(0))?;
    Err(Stop::violation(ViolationKind::Assert, String::from_utf8_lossy(&text)))
}

fn assert_perror_fail(_: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = super::string::error_text(call.signed(0) as i32);
    Err(Stop::violation(ViolationKind::Assert, String::from_utf8_lossy(&text)))
}

fn imprecise(host: &mut Host<'_>, what: String) {
    let site = host.world.site;
    host.world.note(Note::Imprecise { what, site });
}

/// There is no shell: a command fails as one that cannot be found.
fn system(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if call.int(0) == 0 {
        return Ok(Returned::signed(0));
    }
    let command = string(host, call.pointer(0))?;
    imprecise(host, format!("system(\"{}\") was not run", String::from_utf8_lossy(&command)));
    Ok(Returned::signed(127 << 8))
}

fn refuse(host: &mut Host<'_>, name: &str) -> Result<Returned, Stop> {
    imprecise(host, format!("{name} fails: a run is one process"));
    failure(host, libc::EAGAIN)
}

fn without_loader(host: &mut Host<'_>, name: &str) -> Result<Returned, Stop> {
    imprecise(host, format!("{name} finds nothing: there are no shared libraries"));
    Ok(Returned::pointer(Address::NULL))
}

fn sysconf(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let value = match call.signed(0) as i32 {
        libc::_SC_PAGESIZE => PAGE_SIZE as i64,
        libc::_SC_NPROCESSORS_ONLN | libc::_SC_NPROCESSORS_CONF => 1,
        libc::_SC_CLK_TCK => 100,
        libc::_SC_OPEN_MAX => 1024,
        libc::_SC_PHYS_PAGES | libc::_SC_AVPHYS_PAGES => 1 << 20,
        libc::_SC_ARG_MAX => 2_097_152,
        libc::_SC_HOST_NAME_MAX => 64,
        _ => return failure(host, libc::EINVAL),
    };
    Ok(Returned::signed(value))
}

/// All zero but the time used.
fn getrusage(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let micros = super::time::process_nanos(host) / 1000;
    let mut usage = vec![0u8; std::mem::size_of::<libc::rusage>()];
    usage[..8].copy_from_slice(&(micros / 1_000_000).to_le_bytes());
    usage[8..16].copy_from_slice(&(micros % 1_000_000).to_le_bytes());
    host.memory().write(call.pointer(1), &usage)?;
    Ok(Returned::signed(0))
}

fn getrlimit(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.memory().write_u64(call.pointer(1), libc::RLIM_INFINITY)?;
    host.memory().write_u64(call.pointer(1).plus(8), libc::RLIM_INFINITY)?;
    Ok(Returned::signed(0))
}

fn gethostname(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let mut name = b"localhost\0".to_vec();
    if (call.int(1) as usize) < name.len() {
        name.truncate(call.int(1) as usize);
        host.memory().write(call.pointer(0), &name)?;
        return failure(host, libc::ENAMETOOLONG);
    }
    host.memory().write(call.pointer(0), &name)?;
    Ok(Returned::signed(0))
}
