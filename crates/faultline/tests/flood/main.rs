//! A program that forks without end.
//!
//! A test program of its own, since such programs run one after the other: for a moment there are many processes, and
//! other tests may have a time to keep to. For the same reason it has one test.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_faultline"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("faultline can be started")
}

#[test]
fn a_program_that_forks_without_end_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/observe/misbehaving.c");
    fs::copy(source, folder.path().join("misbehaving.c")).unwrap();
    fs::write(folder.path().join("input"), "one\ntwo\nthree\n").unwrap();
    let made = run(folder.path(), &["cc", "-g", "-O1", "-w", "misbehaving.c", "-o", "misbehaving"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let options = ["diagnose", "--failing", "input", "--runs", "40", "--max-processes", "20"];
    let found = run(folder.path(), &[&options[..], &["--", "./misbehaving", "forks"]].concat());
    let stderr = String::from_utf8_lossy(&found.stderr);
    assert_eq!(found.status.code(), Some(2), "{stderr}");
    for part in ["starts too many processes", "--max-processes"] {
        assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
    }
    // Nothing that was started there is left.
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let executable = fs::read_link(entry.path().join("exe")).unwrap_or_default();
        assert!(!executable.starts_with(folder.path()), "{} still runs", executable.display());
    }
}
