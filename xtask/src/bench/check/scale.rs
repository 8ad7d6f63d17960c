//! How time and memory of `faultline check` grow with the number of steps before a failure.
//!
//! Three kinds of loops that fail in their last iteration: one that constants decide, one whose length is an input,
//! and one that reads an input each time. Output: a row per kind and length, and `check-scale.tsv`. True if every
//! failure is found and ten times the steps never take more than thirty times the time, seconds apart. Time is that
//! of the processors, compiler included, so that other work on the machine does not count.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::super::table::Table;

const LENGTHS: [u32; 3] = [1_000, 10_000, 100_000];
/// What counts as about linear: the factor for ten times the steps, beside the time of starting up.
const LARGEST_GROWTH: f64 = 30.0;
const START_UP: f64 = 1.0;

/// The loops: what they are called, and their text, where `N` is the number of iterations.
const KINDS: &[(&str, &str)] = &[
    (
        "constant",
        "int main(void) { unsigned x = nondet(), s = 0; for (int i = 0; i < N; i++) s += x; if (s == N) error(); }",
    ),
    ("input length", "int main(void) { unsigned n = nondet(), i = 0; while (i < n) i++; if (i == N) error(); }"),
    ("input each time", "int main(void) { unsigned i = 0; while (nondet()) { i++; if (i == N) error(); } }"),
];

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
#define nondet __VERIFIER_nondet_int
#define error __VERIFIER_error
";

pub fn run(results: &Path, faultline: &Path, timeout: u64) -> Result<bool> {
    let folder = results.join("check-scale");
    std::fs::create_dir_all(&folder).context("cannot create the folder of the programs")?;
    let mut table = Table::new(&["loop", "iterations", "CPU seconds", "MiB"]);
    let mut good = true;
    for (kind, text) in KINDS {
        let mut before: Option<f64> = None;
        for length in LENGTHS {
            let source = folder.join("program.c");
            std::fs::write(&source, format!("#define N {length}\n{PRELUDE}{text}\n"))
                .context("cannot write a program")?;
            let (found, seconds, bytes) = measure(faultline, &source, timeout)?;
            good &= found && before.is_none_or(|before| seconds <= LARGEST_GROWTH * before + START_UP);
            before = Some(seconds);
            let shown = if found { format!("{seconds:.2}") } else { "not found".to_owned() };
            table.row([kind.to_string(), length.to_string(), shown, (bytes >> 20).to_string()]);
        }
    }
    print!("{table}");
    table.write_tsv(&results.join("check-scale.tsv"))?;
    Ok(good)
}

/// Whether the failure was found, in which time, and the most memory at once.
fn measure(faultline: &Path, source: &Path, timeout: u64) -> Result<(bool, f64, u64)> {
    let seconds = format!("{timeout}s");
    let arguments: Vec<OsString> =
        ["check", "--property", "none,unreach-call", "--quiet", "--timeout", &seconds].iter().map(Into::into).collect();
    let mut command = Command::new(faultline);
    command.args(arguments).arg(source).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.process_group(0);
    let child = command.spawn().context("cannot start the binary")?;
    let (mut status, mut usage) = (0, unsafe { std::mem::zeroed::<libc::rusage>() });
    // SAFETY: both places outlive the call; the child is ours and nobody else waits for it.
    unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
    let found = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 1;
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok((found, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss as u64 * 1024))
}
