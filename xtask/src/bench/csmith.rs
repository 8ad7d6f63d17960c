//! Differential test of the frontend and the concrete executor against native code.
//!
//! Csmith writes C programs without undefined behaviour that print checksums of their globals (Yang,
//! Chen, Eide, Regehr: *Finding and understanding bugs in C compilers*, PLDI 2011). Each is run
//! natively, from clang and from gcc, and by `faultline run`; all three must print the same, byte for
//! byte. Where the two natives disagree or do not end, nobody knows the right answer and the seed is
//! skipped. A seed determines its program, given csmith's version.

mod results;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use super::faultline;
use super::process::{self, Ending, Finished, Limits};

const PROGRAM: &str = "program.c";
const INCLUDE: &str = "-I/usr/include/csmith";

/// Small programs that mostly end soon; bit-fields, unions, packed structs, volatiles, jumps and
/// pointers are on by default.
const GENERATOR: [&str; 11] = [
    "--concise",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "6",
    "--max-array-len-per-dim",
    "6",
];
/// Every so many seeds there is floating-point arithmetic too; csmith has little else with it.
const FLOAT_EVERY: u64 = 4;

/// What Csmith does not keep its programs from doing; machines agree on the result all the same.
const UNGUARDED: &str = "float-conversion,bit-count-of-zero";
/// Makes a csmith program print the checksum after each global, so that the first line that differs
/// names the variable.
const VERBOSE_CHECKSUMS: &str = "1";

const GENERATE: Limits = Limits { time: Duration::from_secs(20), memory: 2 << 30 };
const COMPILE: Limits = Limits { time: Duration::from_secs(60), memory: 4 << 30 };
const NATIVE: Limits = Limits { time: Duration::from_secs(5), memory: 1 << 30 };

#[derive(Args)]
pub struct Options {
    /// The first seed
    #[arg(long, default_value_t = 1)]
    from: u64,
    /// How many seeds
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// The binary to test; without it, the release build
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// How many programs at a time; without it, one for each core
    #[arg(long)]
    jobs: Option<usize>,
    /// Seconds that `faultline run` may take for a program
    #[arg(long, default_value_t = 60)]
    timeout: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Agree,
    /// It printed something else.
    Mismatch,
    /// It reported a fault in a program that has none.
    Fault,
    /// It died or gave up with an error of its own.
    Crash,
    /// It met a construct that it does not support.
    Inconclusive,
    /// It took longer than allowed; nothing is known.
    Slow,
    /// Nothing to compare with: the natives disagree, do not end, or there is no program.
    Skipped,
}

impl Outcome {
    const ALL: [Outcome; 7] = [
        Outcome::Agree,
        Outcome::Mismatch,
        Outcome::Fault,
        Outcome::Crash,
        Outcome::Inconclusive,
        Outcome::Slow,
        Outcome::Skipped,
    ];

    fn name(self) -> &'static str {
        match self {
            Outcome::Agree => "agree",
            Outcome::Mismatch => "mismatch",
            Outcome::Fault => "fault",
            Outcome::Crash => "crash",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Slow => "slow",
            Outcome::Skipped => "skipped",
        }
    }

    /// A wrong answer. To be slow or to lack a feature is a shortcoming, but an honest one.
    fn is_wrong(self) -> bool {
        matches!(self, Outcome::Mismatch | Outcome::Fault | Outcome::Crash)
    }
}

/// What became of one seed.
struct Comparison {
    seed: u64,
    outcome: Outcome,
    /// The first line that differs, the last line of an error, or why it was skipped.
    detail: String,
    native: Duration,
    ours: Duration,
}

/// Everything that a job needs to know.
struct Setting {
    faultline: PathBuf,
    limits: Limits,
    /// Where programs go that need a look.
    kept: PathBuf,
}

pub fn run(root: &Path, folder: &Path, options: &Options) -> Result<bool> {
    let setting = Setting {
        faultline: faultline(root, options.faultline.as_deref())?,
        limits: Limits { time: Duration::from_secs(options.timeout), memory: 6 << 30 },
        kept: folder.join("csmith"),
    };
    if setting.kept.exists() {
        fs::remove_dir_all(&setting.kept).context("cannot remove the last run's programs")?;
    }
    let comparisons = compare_all(&setting, options)?;
    results::write(folder, &comparisons)?;
    results::print_summary(&comparisons, &setting.kept);
    Ok(!comparisons.iter().any(|it| it.outcome.is_wrong()))
}

/// Works through the seeds with a few threads; the result is in the order of seeds.
fn compare_all(setting: &Setting, options: &Options) -> Result<Vec<Comparison>> {
    let cores = thread::available_parallelism().map_or(1, |it| it.get());
    let jobs = options.jobs.unwrap_or(cores).max(1);
    let end = options.from.saturating_add(options.count);
    let next = AtomicU64::new(options.from);
    let (sender, receiver) = mpsc::channel();
    let mut comparisons = Vec::new();
    thread::scope(|scope| -> Result<()> {
        for _ in 0..jobs {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    // The receiver is gone after an error; then there is nothing more to do.
                    if seed >= end || sender.send(compare(setting, seed)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for comparison in receiver {
            comparisons.push(comparison?);
            results::show_progress(&comparisons, options.count);
        }
        Ok(())
    })?;
    comparisons.sort_by_key(|it| it.seed);
    Ok(comparisons)
}

fn compare(setting: &Setting, seed: u64) -> Result<Comparison> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let skipped = |detail: String| Comparison {
        seed,
        outcome: Outcome::Skipped,
        detail,
        native: Duration::ZERO,
        ours: Duration::ZERO,
    };
    let folder = folder.path();
    if generate(seed, folder)?.ending != Ending::Exit(0) {
        return Ok(skipped("csmith wrote no program".to_owned()));
    }
    let native = match run_natively(folder)? {
        Ok(native) => native,
        Err(reason) => return Ok(skipped(reason)),
    };
    let arguments = ["run", "--no-property", UNGUARDED, PROGRAM, INCLUDE, "--", VERBOSE_CHECKSUMS];
    let ours = process::run(folder, &setting.faultline, &arguments, setting.limits)?;
    let (outcome, detail) = judge(&native.stdout, &ours);
    if !matches!(outcome, Outcome::Agree | Outcome::Skipped) {
        keep(&setting.kept.join(format!("{seed}-{}", outcome.name())), folder, &native, &ours)?;
    }
    Ok(Comparison { seed, outcome, detail, native: native.time, ours: ours.time })
}

/// Csmith also leaves a `platform.info` in the folder where it runs.
fn generate(seed: u64, folder: &Path) -> Result<Finished> {
    let mut arguments: Vec<String> = GENERATOR.map(str::to_owned).into();
    arguments.extend(["--seed".to_owned(), seed.to_string()]);
    arguments.extend(["--output".to_owned(), PROGRAM.to_owned()]);
    if seed.is_multiple_of(FLOAT_EVERY) {
        arguments.push("--float".to_owned());
    }
    process::run(folder, "csmith", &arguments, GENERATE).context("csmith comes with `scripts/setup test`")
}

/// The run of clang's binary, if gcc's prints the same; else why there is nothing to compare with.
fn run_natively(folder: &Path) -> Result<Result<Finished, String>> {
    let mut runs = Vec::new();
    for compiler in ["clang-19", "gcc"] {
        let binary = format!("./{compiler}.out");
        let arguments = ["-w", "-O0", "-ffp-contract=off", INCLUDE, PROGRAM, "-o", &binary, "-lm"];
        if process::run(folder, compiler, &arguments, COMPILE)?.ending != Ending::Exit(0) {
            return Ok(Err(format!("{compiler} does not compile it")));
        }
        let run = process::run(folder, folder.join(&binary), &[VERBOSE_CHECKSUMS], NATIVE)?;
        if run.ending != Ending::Exit(0) {
            return Ok(Err(format!("the native run ended with {:?}", run.ending)));
        }
        runs.push(run);
    }
    let [clang, gcc] = <[Finished; 2]>::try_from(runs).ok().context("two compilers, two runs")?;
    if clang.stdout != gcc.stdout {
        return Ok(Err("clang's and gcc's binaries disagree".to_owned()));
    }
    Ok(Ok(clang))
}

fn judge(native: &[u8], ours: &Finished) -> (Outcome, String) {
    let last_words = || {
        let stderr = String::from_utf8_lossy(&ours.stderr);
        stderr.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("").trim().to_owned()
    };
    match ours.ending {
        Ending::Timeout => (Outcome::Slow, String::new()),
        Ending::Signal(signal) => (Outcome::Crash, format!("signal {signal}")),
        Ending::Exit(0) if ours.stdout == native => (Outcome::Agree, String::new()),
        Ending::Exit(0) => (Outcome::Mismatch, first_difference(native, &ours.stdout)),
        Ending::Exit(1) => (Outcome::Fault, last_words()),
        Ending::Exit(3) => (Outcome::Inconclusive, last_words()),
        Ending::Exit(_) => (Outcome::Crash, last_words()),
    }
}

fn first_difference(native: &[u8], ours: &[u8]) -> String {
    let (native, ours) = (String::from_utf8_lossy(native), String::from_utf8_lossy(ours));
    let (mut native, mut ours) = (native.lines(), ours.lines());
    loop {
        match (native.next(), ours.next()) {
            (None, None) => return "line ends differ".to_owned(),
            (native, ours) if native == ours => {}
            (native, ours) => {
                let or_end = |line: Option<&str>| line.unwrap_or("the end").to_owned();
                return format!("native: {}, ours: {}", or_end(native), or_end(ours));
            }
        }
    }
}

/// Puts a program that needs a look where it stays, with all that was printed.
fn keep(to: &Path, from: &Path, native: &Finished, ours: &Finished) -> Result<()> {
    let copy = || -> std::io::Result<()> {
        fs::create_dir_all(to)?;
        fs::copy(from.join(PROGRAM), to.join(PROGRAM))?;
        fs::write(to.join("native.stdout"), &native.stdout)?;
        fs::write(to.join("faultline.stdout"), &ours.stdout)?;
        fs::write(to.join("faultline.stderr"), &ours.stderr)
    };
    copy().with_context(|| format!("cannot write {}", to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ending: Ending, stdout: &str, stderr: &str, expected: (Outcome, &str)) {
        let ours = Finished { ending, stdout: stdout.into(), stderr: stderr.into(), time: Duration::ZERO, first: None };
        let (outcome, detail) = judge(b"a : 1\nchecksum = 2\n", &ours);
        assert_eq!((outcome, detail.as_str()), expected);
    }

    #[test]
    fn judgements() {
        let right = "a : 1\nchecksum = 2\n";
        check(Ending::Exit(0), right, "a note\n", (Outcome::Agree, ""));
        check(
            Ending::Exit(0),
            "a : 1\nchecksum = 3\n",
            "",
            (Outcome::Mismatch, "native: checksum = 2, ours: checksum = 3"),
        );
        check(Ending::Exit(0), "a : 1\n", "", (Outcome::Mismatch, "native: checksum = 2, ours: the end"));
        check(Ending::Exit(1), "", "error: overflow\n\n", (Outcome::Fault, "error: overflow"));
        check(Ending::Exit(2), "", "error: no\n", (Outcome::Crash, "error: no"));
        check(Ending::Exit(101), "", "panicked\n", (Outcome::Crash, "panicked"));
        check(Ending::Exit(3), "", "unsupported: asm\n", (Outcome::Inconclusive, "unsupported: asm"));
        check(Ending::Signal(11), right, "", (Outcome::Crash, "signal 11"));
        check(Ending::Timeout, right, "", (Outcome::Slow, ""));
    }

    #[test]
    fn only_wrong_answers_fail() {
        let wrong: Vec<Outcome> = Outcome::ALL.into_iter().filter(|it| it.is_wrong()).collect();
        assert_eq!(wrong, [Outcome::Mismatch, Outcome::Fault, Outcome::Crash]);
    }
}
