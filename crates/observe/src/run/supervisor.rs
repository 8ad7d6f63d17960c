//! A process between us and the program: it adopts what the program leaves behind, and ends all of it.
//!
//! [`start`] forks twice. The first child becomes the supervisor: the leader of a new session and the one to whom
//! orphans below it are given (`PR_SET_CHILD_SUBREAPER`). The second becomes the program. When the program has ended, when
//! we ask, or when we have died, the supervisor kills whatever is left below it, also what has left the program's
//! process group, and tells how the program ended.
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
}

/// A program under its supervisor.
pub struct Supervised {
    supervisor: libc::pid_t,
    program: libc::pid_t,
    reports: File,
    read: Vec<u8>,
    reaped: bool,
}

/// How the program ended, as `waitpid` has it.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub status: i32,
}

/// A message from below: what it is about, and a number.
const STARTED: u8 = 1;
const ENDED: u8 = 2;
const REFUSED: u8 = 3;
const MESSAGE: usize = 5;

impl Supervised {
    pub fn supervisor(&self) -> i32 {
        self.supervisor
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
                Ok(Some(Ended { status }))
            }
            Some((REFUSED, error)) => Err(io::Error::from_raw_os_error(error)),
            Some(_) => Ok(None),
            // The supervisor itself was killed.
            None => {
                self.reap();
                Ok(Some(Ended { status: libc::SIGKILL }))
            }
        }
    }

    /// Asks the supervisor to end everything; [`Supervised::wait`] then tells that it has.
    pub fn stop(&self) {
        // SAFETY: the supervisor was not waited for, so its number is still its own.
        unsafe { libc::kill(self.supervisor, libc::SIGTERM) };
    }

    /// Sends a signal to the program itself, so that it can end in its own way.
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
}

/// Starts the program; an error if it cannot be executed.
pub fn start(start: &Start<'_>) -> io::Result<Supervised> {
    let mut pipe = [0; 2];
    // SAFETY: the array has room for both ends.
    if unsafe { libc::pipe2(pipe.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: both were just opened and belong to nobody else.
    let (reports, writer) = unsafe { (File::from_raw_fd(pipe[0]), File::from_raw_fd(pipe[1])) };
    let ready = Ready {
        path: CString::new(start.path.as_os_str().as_bytes())?,
        folder: CString::new(start.folder.as_os_str().as_bytes())?,
        arguments: pointers(start.arguments),
        environment: pointers(start.environment),
        streams: [start.stdin.as_raw_fd(), start.stdout.as_raw_fd(), start.stderr.as_raw_fd()],
        file: start.file,
        processor: start.processor,
        reports: writer.as_raw_fd(),
        parent: std::process::id() as libc::pid_t,
    };
    // SAFETY: the child calls `supervise`, which does not return and is safe after a fork.
    let supervisor = unsafe { libc::fork() };
    match supervisor {
        -1 => return Err(io::Error::last_os_error()),
        0 => supervise(&ready),
        _ => drop(writer),
    }
    let mut supervised = Supervised { supervisor, program: 0, reports, read: Vec::new(), reaped: false };
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

fn errno() -> i32 {
    // SAFETY: always valid.
    unsafe { *libc::__errno_location() }
}

fn supervise(ready: &Ready) -> ! {
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
        let program = libc::fork();
        match program {
            -1 => {
                tell(ready.reports, REFUSED, errno());
                libc::_exit(0);
            }
            0 => execute(ready),
            _ => {}
        }
        libc::setpgid(program, program);
        // An end of a pipe that stays open here would keep others waiting.
        let reports = ready.reports as libc::c_uint;
        if reports > 0 {
            libc::syscall(libc::SYS_close_range, 0, reports - 1, 0);
        }
        libc::syscall(libc::SYS_close_range, reports + 1, libc::c_uint::MAX, 0);
        let status = watch(program, &signals);
        tell(ready.reports, ENDED, status);
        libc::_exit(0);
    }
}

/// Until the program ends or somebody asks; then until nothing is left. The program's status.
unsafe fn watch(program: libc::pid_t, signals: &libc::sigset_t) -> i32 {
    let mut ended = None;
    // SAFETY: system calls on local memory.
    unsafe {
        while ended.is_none() {
            if libc::sigwaitinfo(signals, ptr::null_mut()) != libc::SIGCHLD {
                break;
            }
            reap(program, &mut ended);
        }
        // Atomic for the group: even what multiplies cannot run away.
        libc::kill(-program, libc::SIGKILL);
        while reap(program, &mut ended) {
            kill_children();
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

/// What lost its parent has become a child of ours.
unsafe fn kill_children() {
    // SAFETY: the name ends with a zero, and no more is read than there is room for.
    unsafe {
        let file = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if file < 0 {
            return;
        }
        let mut buffer = [0u8; 4096];
        let mut number: libc::pid_t = 0;
        loop {
            let count = libc::read(file, buffer.as_mut_ptr().cast(), buffer.len());
            if count <= 0 {
                break;
            }
            for &byte in buffer.iter().take(count as usize) {
                if byte.is_ascii_digit() {
                    number = number * 10 + libc::pid_t::from(byte - b'0');
                } else if number > 1 {
                    libc::kill(number, libc::SIGKILL);
                    number = 0;
                }
            }
        }
        if number > 1 {
            libc::kill(number, libc::SIGKILL);
        }
        libc::close(file);
    }
}

fn execute(ready: &Ready) -> ! {
    // SAFETY: as in `supervise`.
    unsafe {
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
