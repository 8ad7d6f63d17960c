//! Ctrl-C and `kill`: the first one asks the run to stop and tell what is known, the second one kills.

use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, OnceLock};

/// What the handler sets; it may touch nothing but atomics.
static FLAG: AtomicPtr<AtomicBool> = AtomicPtr::new(std::ptr::null_mut());
static OWNER: OnceLock<Arc<AtomicBool>> = OnceLock::new();

extern "C" fn on_signal(_: libc::c_int) {
    let flag = FLAG.load(Ordering::Acquire);
    if !flag.is_null() {
        // SAFETY: `OWNER` keeps the flag alive until the process ends.
        unsafe { (*flag).store(true, Ordering::Relaxed) };
    }
}

/// Catches the signals from now on; the flag is set when one has come.
pub fn catch() -> Arc<AtomicBool> {
    let flag = OWNER.get_or_init(|| Arc::new(AtomicBool::new(false)));
    FLAG.store(Arc::as_ptr(flag).cast_mut(), Ordering::Release);
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler is async-signal-safe. Without SA_RESTART a blocked read returns, and
        // with SA_RESETHAND the next signal has its usual effect.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            action.sa_flags = libc::SA_RESETHAND;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
    flag.clone()
}
