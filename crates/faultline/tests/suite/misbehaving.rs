//! `faultline diagnose` on programs that do not behave: a message that says what to do, limits that hold, nothing left
//! running. And on a server, which is started, asked over TCP and stopped. Those that fork without end have a test program
//! of their own, `flood`.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::process::{Finished, faultline, finish, root};

/// A folder with one of the programs, built for observation, and an input.
fn built(program: &str, input: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("tests/programs/observe").join(program).with_extension("c");
    fs::copy(&source, folder.path().join(source.file_name().unwrap())).unwrap();
    fs::write(folder.path().join("input"), input).unwrap();
    let source = format!("{program}.c");
    let made = run(folder.path(), &["cc", "-g", "-O1", "-w", &source, "-o", program]);
    assert_eq!(made.status, 0, "{}", made.stderr_text());
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Finished {
    finish(faultline(arguments).current_dir(folder), b"")
}

/// No process runs a program of the folder.
#[track_caller]
fn nothing_is_left(folder: &Path) {
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let executable = fs::read_link(entry.path().join("exe")).unwrap_or_default();
        assert!(!executable.starts_with(folder), "{} still runs", executable.display());
    }
}

#[track_caller]
fn check(how: &str, options: &[&str], status: i32, parts: &[&str]) {
    let folder = built("misbehaving", "one\ntwo\nthree\n");
    let diagnose = ["diagnose", "--failing", "input", "--runs", "40"];
    let found = run(folder.path(), &[&diagnose[..], options, &["--", "./misbehaving", how]].concat());
    let stderr = found.stderr_text();
    assert_eq!(found.status, status, "{how}: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{how}: `{part}` is not in:\n{stderr}");
    }
    nothing_is_left(folder.path());
    // What a run writes goes into its own folder, and with it.
    assert!(fs::read_dir(folder.path()).unwrap().count() <= 4, "{how}: files are left");
}

#[test]
fn one_that_never_fails() {
    check("never", &[], 2, &["the program does not fail on this input: it exits with status 0", "--bad-output"]);
}

#[test]
fn one_that_always_fails() {
    check("always", &[], 3, &["the program fails on all", "without an input on which it does not"]);
}

#[test]
fn one_that_hangs() {
    let short = ["--run-timeout", "700ms"];
    check("hangs", &short, 2, &["does not end in time", "--run-timeout", "--hang"]);
}

#[test]
fn one_that_fills_the_disk() {
    check("fills", &["--max-written", "20M"], 2, &["writes too much", "--max-written"]);
}

#[test]
fn one_that_fails_differently_each_time() {
    check("varies", &["--repeat", "8"], 2, &["the program fails differently each time", "--script"]);
}

#[test]
fn one_that_is_not_built_for_it() {
    let folder = built("misbehaving", "one\n");
    let mut plain = Command::new("clang-19");
    plain.args(["-w", "misbehaving.c", "-o", "plain"]).current_dir(folder.path());
    assert_eq!(finish(&mut plain, b"").status, 0);
    let found = run(folder.path(), &["diagnose", "--failing", "input", "--", "./plain", "always"]);
    assert_eq!(found.status, 2);
    assert!(found.stderr_text().contains("was not built with `faultline cc`"), "{}", found.stderr_text());
}

#[test]
fn a_server() {
    let folder = built("levels", "level 99999999\n");
    // Free now, and most likely in a moment.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let (client, ready) = (format!("{}/levels ask {port}", folder.path().display()), format!("tcp:127.0.0.1:{port}"));
    let options = ["--client", &client, "--server-ready", &ready, "--good-inputs", "3", "--bad-inputs", "1"];
    let command = ["--runs", "60", "--", "./levels", "serve", &port];
    let found = run(folder.path(), &[&["diagnose", "--failing", "input"][..], &options, &command].concat());
    let stderr = found.stderr_text();
    assert_eq!(found.status, 1, "{stderr}");
    for part in ["killed by SIGSEGV", "levels.c:19", "the run ends here"] {
        assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
    }
    nothing_is_left(folder.path());
}
