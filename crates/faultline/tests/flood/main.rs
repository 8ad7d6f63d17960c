//! Programs that fork without end, each process as often as it can.
//!
//! A test program of its own, with one test: should they not be stopped, other tests are better not beside them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_faultline"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("faultline can be started")
}

/// Processes of programs below this folder.
fn processes(folder: &Path) -> u32 {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let programs = all.filter_map(|entry| fs::read_link(entry.path().join("exe")).ok());
    programs.filter(|it| it.starts_with(folder)).count() as u32
}

/// The most processes that were there at any time while something was done.
fn most_processes<T>(folder: &Path, work: impl FnOnce() -> T) -> (T, u32) {
    let (most, is_done) = (AtomicU32::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                most.fetch_max(processes(folder), Ordering::Relaxed);
            }
        });
        let result = work();
        is_done.store(true, Ordering::Relaxed);
        (result, most.load(Ordering::Relaxed))
    })
}

#[test]
fn a_program_that_forks_without_end_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/observe/misbehaving.c");
    fs::copy(source, folder.path().join("misbehaving.c")).unwrap();
    fs::write(folder.path().join("input"), "one\ntwo\nthree\n").unwrap();
    let made = run(folder.path(), &["cc", "-g", "-O1", "-w", "misbehaving.c", "-o", "misbehaving"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for how in ["forks", "leaves"] {
        let options = ["diagnose", "--failing", "input", "--runs", "40", "--max-processes", "20"];
        let command = [&options[..], &["--", "./misbehaving", how]].concat();
        let started = Instant::now();
        let (found, most) = most_processes(folder.path(), || run(folder.path(), &command));
        let stderr = String::from_utf8_lossy(&found.stderr);
        assert_eq!(found.status.code(), Some(2), "{stderr}");
        for part in ["starts too many processes", "--max-processes"] {
            assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
        }
        assert!(most <= 100, "{how}: there were {most} processes");
        assert!(started.elapsed() < Duration::from_secs(20), "{how}: it took {:?}", started.elapsed());
        // Nothing that was started there is left.
        assert_eq!(processes(folder.path()), 0, "{how}");
    }
}
