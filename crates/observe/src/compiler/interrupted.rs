//! Ctrl-C and `kill` while we compile: clang is told, our files are removed, and then we die by the same signal, so that
//! `make` and shells see what they would see of a compiler.

use std::io::{self, Read};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicI32, Ordering};

/// The signal that has come, and the process that it is handed on to. There is one at a time.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static CHILD: AtomicI32 = AtomicI32::new(0);

extern "C" fn hand_on(signal: libc::c_int) {
    SIGNAL.store(signal, Ordering::SeqCst);
    let child = CHILD.load(Ordering::SeqCst);
    if child > 0 {
        // SAFETY: plain system call.
        unsafe { libc::kill(child, signal) };
    }
}

/// Takes the signals from now on; a second one of a kind has its usual effect. What is ignored stays so, as under `nohup`.
pub fn take() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: structures of ours, and a handler that touches nothing but atomics.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0 && action.sa_sigaction == libc::SIG_IGN {
                continue;
            }
            action.sa_sigaction = hand_on as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_RESETHAND | libc::SA_RESTART;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Runs a command to its end, or until a signal has come.
pub fn status_of(command: &mut Command) -> io::Result<ExitStatus> {
    Ok(output_of(command)?.0)
}

/// Also tells what it says, if it may not say so itself.
pub fn output_of(command: &mut Command) -> io::Result<(ExitStatus, Vec<u8>)> {
    let mut child = command.spawn()?;
    CHILD.store(child.id() as i32, Ordering::SeqCst);
    let signal = has_come();
    if signal != 0 {
        // SAFETY: the child was not waited for, so its number is its own.
        unsafe { libc::kill(child.id() as i32, signal) };
    }
    let mut said = Vec::new();
    let read = child.stderr.take().map_or(Ok(0), |mut it| it.read_to_end(&mut said));
    let status = child.wait();
    CHILD.store(0, Ordering::SeqCst);
    read.and(status).map(|it| (it, said))
}

/// The signal that has come, or nought.
pub fn has_come() -> i32 {
    SIGNAL.load(Ordering::SeqCst)
}

/// Dies by the signal that has come, if one has, now that nothing is left behind.
pub fn go_on() {
    let signal = has_come();
    if signal != 0 {
        // SAFETY: plain system calls.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}
