//! signal.h: handlers are remembered and run when the program raises a signal itself. No signal
//! comes from outside, and faults never become signals: they are violations.

use super::statics::failure;
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;

const DEFAULT: u64 = libc::SIG_DFL as u64;
const IGNORE: u64 = libc::SIG_IGN as u64;
/// Bytes of glibc's `struct sigaction`: handler, 128 bytes of mask, flags, restorer.
const ACTION_SIZE: usize = 152;
const SET_SIZE: u64 = 128;
const LAST_SIGNAL: i64 = 64;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("signal", signal),
    ("__sysv_signal", signal),
    ("bsd_signal", signal),
    ("sigaction", sigaction),
    ("raise", |host, call| deliver(host, call.signed(0) as i32)),
    ("kill", kill),
    ("sigemptyset", |host, call| fill_set(host, call, 0)),
    ("sigfillset", |host, call| fill_set(host, call, 0xff)),
    ("sigaddset", |host, call| change_set(host, call, true)),
    ("sigdelset", |host, call| change_set(host, call, false)),
    ("sigismember", sigismember),
    ("sigprocmask", sigprocmask),
    ("pthread_sigmask", sigprocmask),
    ("alarm", |_, _| Ok(Returned::Bits(0))),
    ("setitimer", |_, _| Ok(Returned::Bits(0))),
    ("sigaltstack", |_, _| Ok(Returned::Bits(0))),
    ("siginterrupt", |_, _| Ok(Returned::Bits(0))),
];

fn is_signal(number: i64) -> bool {
    (1..=LAST_SIGNAL).contains(&number)
}

fn can_be_caught(number: i64) -> bool {
    is_signal(number) && number != i64::from(libc::SIGKILL) && number != i64::from(libc::SIGSTOP)
}

fn signal(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let number = call.signed(0);
    if !can_be_caught(number) {
        // SIG_ERR is -1 too.
        return failure(host, libc::EINVAL);
    }
    let old = host.world.library.signals.insert(number as i32, call.int(1));
    Ok(Returned::Bits(old.unwrap_or(DEFAULT)))
}

fn sigaction(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let number = call.signed(0);
    if !is_signal(number) || call.int(1) != 0 && !can_be_caught(number) {
        return failure(host, libc::EINVAL);
    }
    let old = host.world.library.signals.get(&(number as i32)).copied().unwrap_or(DEFAULT);
    if call.int(1) != 0 {
        let handler = host.memory().load_u64(call.pointer(1))?;
        host.world.library.signals.insert(number as i32, handler);
    }
    if call.int(2) != 0 {
        let mut action = [0u8; ACTION_SIZE];
        action[..8].copy_from_slice(&old.to_le_bytes());
        host.memory().write(call.pointer(2), &action)?;
    }
    Ok(Returned::signed(0))
}

/// What a raised signal does: its handler runs, or the process dies, or nothing happens.
pub fn deliver(host: &mut Host<'_>, number: i32) -> Result<Returned, Stop> {
    if !is_signal(i64::from(number)) {
        return failure(host, libc::EINVAL);
    }
    match host.world.library.signals.get(&number).copied().unwrap_or(DEFAULT) {
        IGNORE => {}
        DEFAULT if ignored_by_default(number) => {}
        DEFAULT => return Err(Stop::Abort),
        handler => {
            host.call_back(Address(handler), &[number as u64])?;
        }
    }
    Ok(Returned::signed(0))
}

fn ignored_by_default(number: i32) -> bool {
    matches!(number, libc::SIGCHLD | libc::SIGURG | libc::SIGWINCH | libc::SIGCONT)
}

fn kill(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    match call.signed(1) {
        0 => Ok(Returned::signed(0)),
        number => deliver(host, number as i32),
    }
}

fn fill_set(host: &mut Host<'_>, call: &Arguments, byte: u8) -> Result<Returned, Stop> {
    host.memory().fill(call.pointer(0), byte, SET_SIZE)?;
    Ok(Returned::signed(0))
}

/// The byte of a signal set that has this signal's bit, and the bit.
fn set_bit(call: &Arguments) -> (Address, u8) {
    let bit = call.signed(1) - 1;
    (call.pointer(0).plus(bit / 8), 1 << (bit % 8))
}

fn change_set(host: &mut Host<'_>, call: &Arguments, add: bool) -> Result<Returned, Stop> {
    if !is_signal(call.signed(1)) {
        return failure(host, libc::EINVAL);
    }
    let (place, bit) = set_bit(call);
    let old = host.memory().load_u8(place)?;
    host.memory().write_u8(place, if add { old | bit } else { old & !bit })?;
    Ok(Returned::signed(0))
}

fn sigismember(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if !is_signal(call.signed(1)) {
        return failure(host, libc::EINVAL);
    }
    let (place, bit) = set_bit(call);
    Ok(Returned::signed(i64::from(host.memory().load_u8(place)? & bit != 0)))
}

/// Masks have no effect: nothing arrives that they could hold back.
fn sigprocmask(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if call.int(2) != 0 {
        host.memory().fill(call.pointer(2), 0, SET_SIZE)?;
    }
    Ok(Returned::signed(0))
}

/// What `strsignal` says.
pub fn name(number: i32) -> String {
    // SAFETY: glibc returns a terminated text for every number.
    let text = unsafe { std::ffi::CStr::from_ptr(libc::strsignal(number)) };
    text.to_string_lossy().into_owned()
}
