//! A process between us and the program: it adopts what the program leaves behind, and ends all of it.
//!
//! [`start`] forks twice. The first child becomes the supervisor: the leader of a new session and the one to whom
//! orphans below it are given (`PR_SET_CHILD_SUBREAPER`). The second becomes the program. When the program has ended, when
//! we ask, or when we have died, the supervisor kills whatever is left below it, also what has left the program's
//! process group, and tells how the program ended.
//!
//! Processes are limited by a [gate](super::gate): the program cannot start one more than it may have, so that a
//! program that forks without end is stopped by its first fork too many. Where the system has no such gate, [`start`]
//! tells nobody, and the number of processes is only looked at from time to time (`super::usage`).
//!
//! What is guaranteed at the end, as long as nobody kills the supervisor with SIGKILL: nothing is left of what the
//! program has started, also of what began a session or lost its parent. With the gate, that takes as long as so many
//! processes take to die. Without it, what forks in one process group dies with the group at once, and what
//! leaves its group at every fork is killed as fast as it can be found, which may not be fast enough.
//!
//! Between fork and exec only calls are made that are safe after a fork of a process with threads: no memory is
//! allocated, all strings are made before.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::census::{self, errno};
use super::gate::{Asked, Gate, PASS};

/// What to execute, with everything that is needed after the fork.
pub struct Start<'a> {
    pub path: &'a Path,
    pub arguments: &'a [CString],
    /// `NAME=value`.
    pub environment: &'a [CString],
    pub folder: &'a Path,
    pub stdin: &'a File,
    pub stdout: &'a File,
    pub stderr: &'a File,
    /// Bytes of the largest file.
    pub file: u64,
    /// Seconds of processor time for each process.
    pub processor: u64,
    /// How many processes there may be, if they have to ask.
    pub processes: Option<u32>,
}

/// A program under its supervisor.
pub struct Supervised {
    supervisor: libc::pid_t,
    program: libc::pid_t,
    reports: File,
    read: Vec<u8>,
    reaped: bool,
    is_full: bool,
    is_disturbed: bool,
}

/// How the program ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// As `waitpid` has it.
    pub status: i32,
    /// It wanted more processes than it may have.
    pub is_full: bool,
}

/// A message from below: what it is about, and a number.
const STARTED: u8 = 1;
const ENDED: u8 = 2;
const REFUSED: u8 = 3;
const FULL: u8 = 4;
const DISTURBED: u8 = 5;
const MESSAGE: usize = 5;

impl Supervised {
    pub fn supervisor(&self) -> i32 {
        self.supervisor
    }

    /// Whether a `fork` may have failed that would not have without us: then the run tells nothing.
    pub fn is_disturbed(&self) -> bool {
        self.is_disturbed
    }

    /// Waits so many milliseconds for the end.
    pub fn wait(&mut self, milliseconds: i32) -> io::Result<Option<Ended>> {
        let mut poll = libc::pollfd { fd: self.reports.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one valid structure.
        let ready = unsafe { libc::poll(&raw mut poll, 1, milliseconds) };
        if ready <= 0 {
            return Ok(None);
        }
        match self.message()? {
            Some((ENDED, status)) => {
                self.reap();
                Ok(Some(Ended { status, is_full: self.is_full }))
            }
            Some((REFUSED, error)) => Err(io::Error::from_raw_os_error(error)),
            Some((tag, _)) => {
                self.is_full |= tag == FULL;
                self.is_disturbed |= tag == DISTURBED;
                Ok(None)
            }
            // The supervisor itself was killed.
            None => {
                self.reap();
                Ok(Some(Ended { status: libc::SIGKILL, is_full: self.is_full }))
            }
        }
    }

    /// Asks the supervisor to end everything; [`Supervised::wait`] then tells that it has.
    pub fn stop(&self) {
        // SAFETY: the supervisor was not waited for, so its number is still its own.
        unsafe { libc::kill(self.supervisor, libc::SIGTERM) };
    }

    /// Sends a signal to the program itself, so that it can end in its own way.
    pub fn program(&self) -> libc::pid_t {
        self.program
    }

    pub fn signal(&self, signal: i32) {
        // SAFETY: plain system call; the supervisor reaps the program only when all ends.
        unsafe { libc::kill(self.program, signal) };
    }

    fn message(&mut self) -> io::Result<Option<(u8, i32)>> {
        while self.read.len() < MESSAGE {
            let mut bytes = [0; MESSAGE];
            let wanted = MESSAGE - self.read.len();
            match self.reports.read(&mut bytes[..wanted]) {
                Ok(0) => return Ok(None),
                Ok(count) => self.read.extend_from_slice(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let value = i32::from_ne_bytes([self.read[1], self.read[2], self.read[3], self.read[4]]);
        let tag = self.read[0];
        self.read.clear();
        Ok(Some((tag, value)))
    }

    fn reap(&mut self) {
        if !std::mem::replace(&mut self.reaped, true) {
            // SAFETY: our own child.
            unsafe { libc::waitpid(self.supervisor, ptr::null_mut(), 0) };
        }
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        if !self.reaped {
            self.stop();
            self.reap();
        }
    }
}

/// Pointers to strings, with a null at the end.
fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|it| it.as_ptr()).chain([ptr::null()]).collect()
}

/// Everything that the processes below need, ready to be used without allocating.
struct Ready {
    path: CString,
    folder: CString,
    arguments: Vec<*const libc::c_char>,
    environment: Vec<*const libc::c_char>,
    streams: [RawFd; 3],
    file: u64,
    processor: u64,
    reports: RawFd,
    parent: libc::pid_t,
    processes: Option<u32>,
    /// For numbers of processes.
    room: Vec<libc::pid_t>,
    /// For what happens between fork and exec, in memory that is the supervisor's.
    stack: Vec<u128>,
}

/// Where there is a limit for more, numbers of processes are seen in several goes.
const MOST_ROOM: u32 = 1 << 16;
const STACK: usize = 64 << 10;
/// How often it is tried again if the system has no process to give, and how long that takes at first.
const TRIES: u32 = 8;
const PAUSE: Duration = Duration::from_millis(10);

/// Starts the program; an error if it cannot be executed.
pub fn start(start: &Start<'_>) -> io::Result<Supervised> {
    let mut tries = 0;
    loop {
        match start_once(start) {
            Err(error) if error.raw_os_error() == Some(libc::EAGAIN) && tries < TRIES => {
                std::thread::sleep(PAUSE * (1 << tries));
                tries += 1;
            }
            result => return result,
        }
    }
}

fn start_once(start: &Start<'_>) -> io::Result<Supervised> {
    let mut pipe = [0; 2];
    // SAFETY: the array has room for both ends.
    if unsafe { libc::pipe2(pipe.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: both were just opened and belong to nobody else.
    let (reports, writer) = unsafe { (File::from_raw_fd(pipe[0]), File::from_raw_fd(pipe[1])) };
    let room = start.processes.unwrap_or(0).clamp(1 << 10, MOST_ROOM) as usize + 1;
    let mut ready = Ready {
        path: CString::new(start.path.as_os_str().as_bytes())?,
        folder: CString::new(start.folder.as_os_str().as_bytes())?,
        arguments: pointers(start.arguments),
        environment: pointers(start.environment),
        streams: [start.stdin.as_raw_fd(), start.stdout.as_raw_fd(), start.stderr.as_raw_fd()],
        file: start.file,
        processor: start.processor,
        reports: writer.as_raw_fd(),
        parent: std::process::id() as libc::pid_t,
        processes: start.processes,
        room: vec![0; room],
        stack: vec![0; STACK / size_of::<u128>()],
    };
    // SAFETY: the child calls `supervise`, which does not return and is safe after a fork.
    let supervisor = unsafe { libc::fork() };
    match supervisor {
        -1 => return Err(io::Error::last_os_error()),
        0 => supervise(&mut ready),
        _ => drop(writer),
    }
    let (reaped, is_full, is_disturbed) = (false, false, false);
    let mut supervised =
        Supervised { supervisor, program: 0, reports, read: Vec::new(), reaped, is_full, is_disturbed };
    match supervised.message()? {
        Some((STARTED, program)) => {
            supervised.program = program;
            Ok(supervised)
        }
        Some((REFUSED, error)) => Err(io::Error::from_raw_os_error(error)),
        _ => Err(io::Error::other("the supervisor ended at once")),
    }
}

fn tell(fd: RawFd, tag: u8, value: i32) {
    let number = value.to_ne_bytes();
    let message = [tag, number[0], number[1], number[2], number[3]];
    // SAFETY: the buffer is as long as said. Shorter than a pipe's atomic size: whole or not at all.
    unsafe { libc::write(fd, message.as_ptr().cast(), MESSAGE) };
}

fn supervise(ready: &mut Ready) -> ! {
    // SAFETY: only system calls and calls that are safe in signal handlers, on memory made before the fork.
    unsafe {
        libc::setsid();
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        for signal in [libc::SIGCHLD, libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
            libc::signal(signal, libc::SIG_DFL);
            libc::sigaddset(&raw mut signals, signal);
        }
        libc::sigprocmask(libc::SIG_BLOCK, &raw const signals, ptr::null_mut());
        if libc::getppid() != ready.parent {
            libc::_exit(0);
        }
        let mut gate = ready.processes.and_then(|limit| Gate::install(limit as usize));
        let program = begin(ready);
        if program < 0 {
            tell(ready.reports, REFUSED, errno());
            libc::_exit(0);
        }
        // An end of a pipe that stays open here would keep others waiting.
        close_all_but(ready.reports, gate.as_ref().map_or(ready.reports, Gate::listener));
        take_signals(&signals);
        let status = watch(program, &mut gate, ready);
        tell(ready.reports, ENDED, status);
        libc::_exit(0);
    }
}

/// Signals that have come to the supervisor: that a child has ended, and that it is to end.
static CHILD: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);

extern "C" fn note(signal: libc::c_int) {
    match signal {
        libc::SIGALRM => return,
        libc::SIGCHLD => CHILD.store(true, Ordering::Relaxed),
        _ => STOP.store(true, Ordering::Relaxed),
    }
    // Should it have come just before the supervisor began to wait, it is woken again.
    wake_every(1000);
}

fn wake_every(microseconds: libc::suseconds_t) {
    let time = libc::timeval { tv_sec: 0, tv_usec: microseconds };
    let timer = libc::itimerval { it_interval: time, it_value: time };
    // SAFETY: a structure of ours.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, ptr::null_mut()) };
}

/// Only now, as the program's process had our memory before.
unsafe fn take_signals(signals: &libc::sigset_t) {
    // SAFETY: the handler makes nothing but system calls.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = note as *const () as libc::sighandler_t;
        action.sa_mask = *signals;
        for signal in [libc::SIGCHLD, libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGALRM] {
            libc::sigaction(signal, &raw const action, ptr::null_mut());
        }
        libc::sigprocmask(libc::SIG_UNBLOCK, signals, ptr::null_mut());
    }
}

/// Starts the program, without copying our memory: it has been copied once to come here, and is given up at once.
unsafe fn begin(ready: &mut Ready) -> libc::pid_t {
    // SAFETY: this process waits until the other one, on a stack of its own, has come to `execve` or `_exit`.
    unsafe {
        let top = ready.stack.as_mut_ptr().add(ready.stack.len());
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let ready: *mut Ready = ready;
        libc::clone(execute, top.cast(), flags, ready.cast(), PASS as usize, 0usize, 0usize)
    }
}

unsafe fn close_all_but(one: RawFd, other: RawFd) {
    let (first, second) = (one.min(other) as libc::c_uint, one.max(other) as libc::c_uint);
    for (from, to) in [(0, first), (first + 1, second), (second + 1, libc::c_uint::MAX)] {
        if from < to {
            // SAFETY: plain system call; whoever had these is in another process.
            unsafe { libc::syscall(libc::SYS_close_range, from, to - 1, 0) };
        }
    }
}

/// Until the program ends or somebody asks; then until nothing is left. The program's status.
unsafe fn watch(program: libc::pid_t, gate: &mut Option<Gate>, ready: &mut Ready) -> i32 {
    let mut ended = None;
    // SAFETY: system calls on local memory.
    unsafe {
        loop {
            let asked = match gate {
                Some(gate) => gate.listen(),
                None => {
                    libc::pause();
                    Asked::Nobody
                }
            };
            if STOP.load(Ordering::Relaxed) {
                break;
            }
            match (asked, gate.as_mut()) {
                // When all has been told, what has ended is looked at; before, it might not have ended well.
                (Asked::Nobody, _) => {
                    wake_every(0);
                    if CHILD.swap(false, Ordering::Relaxed) {
                        reap(program, &mut ended);
                    }
                    if ended.is_some() {
                        break;
                    }
                }
                (Asked::Question(question), Some(gate)) => {
                    if !gate.has_room(&mut ready.room) {
                        tell(ready.reports, FULL, 0);
                        break;
                    }
                    if !gate.allow(question) {
                        tell(ready.reports, DISTURBED, 0);
                    }
                }
                _ => tell(ready.reports, DISTURBED, 0),
            }
        }
        // Atomic for the group: even what multiplies cannot run away.
        libc::kill(-program, libc::SIGKILL);
        while reap(program, &mut ended) {
            census::below(&mut ready.room, |process| {
                libc::kill(process, libc::SIGKILL);
            });
            let pause = libc::timespec { tv_sec: 0, tv_nsec: 200_000 };
            libc::nanosleep(&raw const pause, ptr::null_mut());
        }
    }
    ended.unwrap_or(libc::SIGKILL)
}

/// Takes leave of all children that have ended; whether there are others.
unsafe fn reap(program: libc::pid_t, ended: &mut Option<i32>) -> bool {
    loop {
        let mut status = 0;
        // SAFETY: the status is ours.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
        match pid {
            0 => return true,
            -1 => return errno() == libc::EINTR,
            pid if pid == program => *ended = Some(status),
            _ => {}
        }
    }
}

/// The program's process, until it becomes the program.
extern "C" fn execute(ready: *mut libc::c_void) -> libc::c_int {
    // SAFETY: as in `supervise`; it is what `begin` has given, and the supervisor waits.
    unsafe {
        let ready = &*ready.cast::<Ready>();
        libc::setpgid(0, 0);
        tell(ready.reports, STARTED, libc::getpid());
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const signals, ptr::null_mut());
        // Rust's runtime ignores it, and what is ignored stays so.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        limit(libc::RLIMIT_CORE, 0, 0);
        limit(libc::RLIMIT_FSIZE, ready.file, ready.file);
        // The second limit kills what takes no notice of the first.
        limit(libc::RLIMIT_CPU, ready.processor, ready.processor.saturating_add(1));
        let mut placed = true;
        for (target, &stream) in ready.streams.iter().enumerate() {
            placed &= libc::dup2(stream, target as RawFd) >= 0;
        }
        if placed && libc::chdir(ready.folder.as_ptr()) == 0 {
            libc::execve(ready.path.as_ptr(), ready.arguments.as_ptr(), ready.environment.as_ptr());
        }
        tell(ready.reports, REFUSED, errno());
        libc::_exit(127);
    }
}

/// A limit that the system refuses is left as it is: ours never exceed what the user may set.
unsafe fn limit(resource: libc::__rlimit_resource_t, soft: u64, hard: u64) {
    let mut old = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both structures are ours.
    unsafe {
        libc::getrlimit(resource, &raw mut old);
        let new = libc::rlimit { rlim_cur: soft.min(old.rlim_max), rlim_max: hard.min(old.rlim_max) };
        libc::setrlimit(resource, &raw const new);
    }
}
