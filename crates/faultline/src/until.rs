//! Work that must end in time, on a thread of its own.
//!
//! Most of it looks at the clock itself. What does not is asked to stop, and then left behind: [`leave`] ends the process
//! around it, without the ends of libraries that it still uses, and takes the temporary files along.

use std::io::Write;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::{Ending, STACK_BYTES};

static IS_LEFT_BEHIND: AtomicBool = AtomicBool::new(false);
static TEMPORARY: OnceLock<PathBuf> = OnceLock::new();

/// When work has to be done, and how it is told.
#[derive(Clone, Copy)]
pub struct Until<'a> {
    pub deadline: Instant,
    /// How long it may take to stop.
    pub grace: Duration,
    /// Set when it has to.
    pub stop: &'a AtomicBool,
}

impl Until<'_> {
    /// Takes what the work sends, until it is done or has to be; whether it is.
    pub fn take<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Sender<T>) + Send + 'static,
        mut each: impl FnMut(T),
    ) -> Result<bool> {
        let (sender, receiver) = channel();
        let thread = Builder::new().stack_size(STACK_BYTES).spawn(move || work(&sender));
        let thread = thread.context("cannot start a thread")?;
        let mut end = self.deadline;
        loop {
            match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(sent) => each(sent),
                Err(RecvTimeoutError::Disconnected) => {
                    return thread.join().map(|()| true).map_err(|panic| resume_unwind(panic));
                }
                Err(RecvTimeoutError::Timeout) if end == self.deadline => {
                    self.stop.store(true, Ordering::Relaxed);
                    end = self.deadline.max(Instant::now()) + self.grace;
                }
                Err(RecvTimeoutError::Timeout) => {
                    IS_LEFT_BEHIND.store(true, Ordering::Relaxed);
                    return Ok(false);
                }
            }
        }
    }

    /// What the work gives, if it is done in time.
    pub fn done<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<Option<T>> {
        let mut given = None;
        // Who does not listen any more needs no answer.
        self.take(move |sender| drop(sender.send(work())), |it| given = Some(it))?;
        Ok(given)
    }
}

/// From now on temporary files are in one folder, which is deleted when work is left behind.
pub fn keep_temporary_files_together() -> Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("faultline-").tempdir().context("cannot make a temporary folder")?;
    if tempfile::env::override_temp_dir(folder.path()).is_ok() {
        // Set once, with the folder.
        let _ = TEMPORARY.set(folder.path().to_owned());
    }
    Ok(folder)
}

/// Ends the process at once if work was left behind.
pub fn leave(ending: Ending) {
    if !IS_LEFT_BEHIND.load(Ordering::Relaxed) {
        return;
    }
    let _ = std::io::stdout().flush();
    if let Some(folder) = TEMPORARY.get() {
        // What is still written there may keep it; nothing can be done about that.
        let _ = std::fs::remove_dir_all(folder);
    }
    // SAFETY: it only ends the process.
    unsafe { libc::_exit(ending.status().into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon(stop: &AtomicBool) -> Until<'_> {
        Until { deadline: Instant::now() + Duration::from_secs(2), grace: Duration::from_millis(20), stop }
    }

    #[test]
    fn what_is_done_in_time_is_given() {
        let stop = AtomicBool::new(false);
        let until = Until { deadline: Instant::now() + Duration::from_secs(600), ..soon(&stop) };
        assert_eq!(until.done(|| 7).unwrap(), Some(7));
        assert!(!stop.load(Ordering::Relaxed));
    }

    #[test]
    fn what_was_sent_before_the_end_is_heard() {
        let stop = AtomicBool::new(false);
        let mut heard = Vec::new();
        let endless = |sender: &Sender<u32>| {
            sender.send(1).unwrap();
            loop {
                std::thread::park();
            }
        };
        assert!(!soon(&stop).take(endless, |it| heard.push(it)).unwrap());
        assert_eq!((heard, stop.load(Ordering::Relaxed)), (vec![1], true));
    }

    #[test]
    fn a_panic_goes_on() {
        let stop = AtomicBool::new(false);
        let until = Until { deadline: Instant::now() + Duration::from_secs(600), ..soon(&stop) };
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| until.done(|| panic!("oh"))));
        assert!(caught.is_err());
    }
}
