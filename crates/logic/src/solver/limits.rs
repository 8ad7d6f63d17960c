//! Limits of a check, and stopping it from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Why;

/// How often the process's memory is looked at: reading it costs some microseconds.
const MEMORY_INTERVAL: Duration = Duration::from_millis(20);

/// Limits of one check; none by default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory of the whole process, in bytes: a solver's own share cannot be told apart.
    pub memory: Option<u64>,
}

impl Limits {
    pub fn of_time(time: Duration) -> Limits {
        Limits { time: Some(time), memory: None }
    }
}

/// Stops solvers from any thread. Stays raised until it is cleared, so that no later check slips through. Beside
/// the limits of single checks it may have a time of its own, at which everything ends.
#[derive(Clone, Default, Debug)]
pub struct Interrupter {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl From<Arc<AtomicBool>> for Interrupter {
    /// A flag that someone else raises.
    fn from(flag: Arc<AtomicBool>) -> Interrupter {
        Interrupter { flag, deadline: None }
    }
}

impl Interrupter {
    pub fn new() -> Interrupter {
        Interrupter::default()
    }

    pub fn interrupt(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    pub fn clear(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// The same, and everything ends at this time; not at all if it is none.
    pub fn until(self, deadline: Option<Instant>) -> Interrupter {
        Interrupter { deadline, ..self }
    }

    pub fn is_interrupted(&self) -> bool {
        self.why().is_some()
    }

    /// Why everything has to end, if it has to.
    pub fn why(&self) -> Option<Why> {
        if self.flag.load(Ordering::Relaxed) {
            return Some(Why::Interrupted);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Why::Timeout)
    }
}

/// Says whether a running check has to end, and why it had to.
#[derive(Debug)]
pub(super) struct Watch {
    pub interrupter: Interrupter,
    pub limits: Limits,
    deadline: Option<Instant>,
    next_memory_check: Option<Instant>,
    reason: Option<Why>,
}

impl Watch {
    pub fn new() -> Watch {
        Watch {
            interrupter: Interrupter::new(),
            limits: Limits::default(),
            deadline: None,
            next_memory_check: None,
            reason: None,
        }
    }

    /// Starts the clock of a check.
    pub fn start(&mut self) {
        let now = Instant::now();
        self.deadline = self.limits.time.map(|time| now + time);
        self.next_memory_check = self.limits.memory.map(|_| now);
        self.reason = None;
    }

    /// Whether the check has to end. Once it has to, it stays so.
    pub fn must_stop(&mut self) -> bool {
        if self.reason.is_none() {
            self.reason = self.look();
        }
        self.reason.is_some()
    }

    fn look(&mut self) -> Option<Why> {
        if let Some(why) = self.interrupter.why() {
            return Some(why);
        }
        if self.deadline.is_none() && self.next_memory_check.is_none() {
            return None;
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Why::Timeout);
        }
        if let (Some(next), Some(limit)) = (self.next_memory_check, self.limits.memory)
            && now >= next
        {
            self.next_memory_check = Some(now + MEMORY_INTERVAL);
            return resident_memory().is_some_and(|used| used > limit).then_some(Why::Memory);
        }
        None
    }

    /// Why the check had to end, if it had to.
    pub fn reason(&self) -> Option<Why> {
        self.reason.clone()
    }
}

/// The resident memory of this process in bytes, where the system tells it.
fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // Linux counts pages here; on the platforms that we build for they have 4 KiB.
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::{Duration, Limits, Watch, Why};

    #[test]
    fn a_watch_tells_why() {
        let mut watch = Watch::new();
        watch.start();
        assert!(!watch.must_stop());
        watch.limits = Limits::of_time(Duration::ZERO);
        watch.start();
        assert!(watch.must_stop());
        assert_eq!(watch.reason(), Some(Why::Timeout));
        watch.limits = Limits { time: None, memory: Some(1) };
        watch.start();
        assert!(watch.must_stop());
        assert_eq!(watch.reason(), Some(Why::Memory));
        watch.interrupter.interrupt();
        watch.start();
        assert!(watch.must_stop());
        assert_eq!(watch.reason(), Some(Why::Interrupted));
        watch.limits = Limits::default();
        watch.interrupter.clear();
        watch.interrupter = watch.interrupter.clone().until(Some(super::Instant::now()));
        watch.start();
        assert!(watch.must_stop());
        assert_eq!(watch.reason(), Some(Why::Timeout));
    }
}
