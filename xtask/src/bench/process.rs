//! Runs a program that nobody trusts: bounded in time, memory and output, in its own process group.
//!
//! Running out of time is an outcome, not an error; only a program that cannot be started is one.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// More than any honest program here prints; the rest is thrown away.
const LARGEST_OUTPUT: u64 = 4 << 20;

#[derive(Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    /// Bytes of address space.
    pub memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    Signal(i32),
    Timeout,
}

pub struct Finished {
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
    /// When it first printed something.
    pub first: Option<Duration>,
}

/// Starts `program` in `folder`, with no input, and waits for it no longer than allowed.
pub fn run<A: AsRef<OsStr>>(
    folder: &Path,
    program: impl AsRef<OsStr>,
    arguments: &[A],
    limits: Limits,
) -> Result<Finished> {
    run_with(folder, program, arguments, None, limits)
}

/// The same with a file as its input.
pub fn run_with<A: AsRef<OsStr>>(
    folder: &Path,
    program: impl AsRef<OsStr>,
    arguments: &[A],
    input: Option<&Path>,
    limits: Limits,
) -> Result<Finished> {
    let mut command = Command::new(&program);
    let stdin = match input {
        Some(file) => Stdio::from(std::fs::File::open(file).context("cannot open an input")?),
        None => Stdio::null(),
    };
    command.args(arguments).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.current_dir(folder).process_group(0);
    limit_memory(&mut command, limits.memory);

    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {}", program.as_ref().to_string_lossy()))?;
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let status = wait(&mut child, start + limits.time)?;
    let time = start.elapsed();
    // Also what it left behind in its group, which else would hold the pipes open.
    kill_group(&child);
    if status.is_none() {
        child.wait().context("cannot wait for a killed program")?;
    }
    let finish = |reader: thread::JoinHandle<Collected>| reader.join().unwrap_or_default();
    let (stdout, stderr) = (finish(stdout), finish(stderr));
    let first = stdout.first.into_iter().chain(stderr.first).min().map(|first| first.duration_since(start));
    Ok(Finished { ending: ending(status), stdout: stdout.bytes, stderr: stderr.bytes, time, first })
}

fn limit_memory(command: &mut Command, bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    let set = move || match unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    };
    // Sound: between fork and exec, `set` makes one system call and nothing else.
    unsafe { command.pre_exec(set) };
}

/// The beginning of what came through a pipe, and when its first byte did.
#[derive(Default)]
struct Collected {
    bytes: Vec<u8>,
    first: Option<Instant>,
}

/// Reads a pipe to its end, lest the program block on it, and keeps the beginning.
fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Collected> {
    thread::spawn(move || {
        let mut kept = Collected::default();
        if let Some(mut pipe) = pipe {
            // What could be read before an error is what there is.
            let read = pipe.by_ref().take(1).read_to_end(&mut kept.bytes);
            kept.first = read.ok().filter(|&count| count > 0).map(|_| Instant::now());
            let _ = pipe.by_ref().take(LARGEST_OUTPUT - 1).read_to_end(&mut kept.bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        kept
    })
}

/// `None` if it is still running at the deadline.
fn wait(child: &mut Child, deadline: Instant) -> Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a program")? {
            return Ok(Some(status));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

fn kill_group(child: &Child) {
    // The child leads a group of its own (`process_group(0)`), so this reaches nobody else.
    unsafe { libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL) };
}

fn ending(status: Option<ExitStatus>) -> Ending {
    match status {
        None => Ending::Timeout,
        Some(status) => match status.code() {
            Some(code) => Ending::Exit(code),
            None => Ending::Signal(status.signal().unwrap_or_default()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, milliseconds: u64) -> Finished {
        let time = Duration::from_millis(milliseconds);
        run(Path::new("."), "sh", &["-c", script], Limits { time, memory: 1 << 30 }).unwrap()
    }

    #[test]
    fn endings() {
        let good = shell("echo out; echo err >&2; exit 3", 10_000);
        assert_eq!(good.ending, Ending::Exit(3));
        assert_eq!((good.stdout.as_slice(), good.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
        assert_eq!(shell("kill -11 $$", 10_000).ending, Ending::Signal(11));
        assert_eq!(shell("echo early; sleep 60", 200).ending, Ending::Timeout);
    }

    #[test]
    fn what_it_left_behind_does_not_hold_us_up() {
        let finished = shell("sleep 60 & exit 0", 10_000);
        assert_eq!(finished.ending, Ending::Exit(0));
        assert!(finished.time < Duration::from_secs(5));
    }

    #[test]
    fn endless_output_is_cut() {
        let finished = shell("yes", 300);
        assert_eq!(finished.ending, Ending::Timeout);
        assert_eq!(finished.stdout.len() as u64, LARGEST_OUTPUT);
    }

    #[test]
    fn a_program_that_is_not_there() {
        let limits = Limits { time: Duration::from_secs(1), memory: 1 << 30 };
        assert!(run(Path::new("."), "no-such-program", &[""; 0], limits).is_err());
    }
}
