//! Starting programs and looking at what they did.

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A process that has ended.
#[derive(Debug)]
pub struct Finished {
    /// The exit status, or 128 and the signal that killed it, as shells have it.
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Finished {
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// The project's folder. Commands start there, so that paths in messages are the same everywhere.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).expect("the crate is two folders below the root").to_owned()
}

/// Our binary, with nothing of the tester's environment that changes what it prints.
pub fn faultline<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_faultline"));
    command.args(arguments).current_dir(root()).env_remove("NO_COLOR").env_remove("FAULTLINE_CLANG");
    command
}

/// Runs a command to its end with this standard input.
pub fn finish(command: &mut Command, stdin: &[u8]) -> Finished {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let mut pipe = child.stdin.take().expect("standard input is piped");
    let stdin = stdin.to_owned();
    // In a thread of its own: a program may print much before it reads.
    let feeder = std::thread::spawn(move || {
        // A program that does not read all of it is fine.
        let _ = pipe.write_all(&stdin);
    });
    let output = child.wait_with_output().expect("the child can be waited for");
    feeder.join().expect("the feeder does not panic");
    let status = output.status.code().or(output.status.signal().map(|signal| 128 + signal)).unwrap_or(-1);
    Finished { status, stdout: output.stdout, stderr: output.stderr }
}

/// Applies a function to all items, one thread for each core; results in the items' order.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    let result = work(item);
                    results.lock().expect("no worker panics").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Fails with all complaints at once.
pub fn report_all(what: &str, tried: usize, complaints: Vec<String>) {
    assert!(tried > 0, "there are no {what}");
    assert!(complaints.is_empty(), "{} of {tried} {what} fail\n\n{}", complaints.len(), complaints.join("\n"));
}
