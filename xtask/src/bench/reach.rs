//! Reads every C file below a folder and counts what could not be read.
//!
//! Output: a row per folder: files, those that no compiler accepts, unsupported constructs, operators
//! found at their token, seconds. True if nothing readable has an unsupported construct or crashes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use super::process::{self, Ending, Limits};
use super::table::Table;

#[derive(Args)]
pub struct Options {
    /// The folder to read: every .c and .i file below it is a program
    #[arg(long, value_name = "DIR")]
    suite: PathBuf,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Seconds for one program
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Programs read at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Options for the compiler
    #[arg(last = true)]
    flags: Vec<OsString>,
}

/// What became of the programs of one folder.
#[derive(Default)]
struct Row {
    files: usize,
    refused: usize,
    failed: usize,
    unsupported: usize,
    found: usize,
    missing: usize,
    seconds: f64,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let suite = options.suite.canonicalize().with_context(|| format!("cannot read {}", options.suite.display()))?;
    let mut files = Vec::new();
    collect(&suite, &mut files)?;
    files.sort();
    let rows = Mutex::new(BTreeMap::<PathBuf, Row>::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let folder =
                        file.strip_prefix(&suite).ok().and_then(Path::parent).unwrap_or(Path::new(".")).to_owned();
                    let finished = read(&faultline, file, options);
                    let mut rows = rows.lock().expect("no thread panics");
                    add(rows.entry(folder).or_default(), file, finished);
                }
            });
        }
    });
    report(&rows.into_inner().expect("no thread panics"), results)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        match path.extension().and_then(|ending| ending.to_str()) {
            _ if path.is_dir() => collect(&path, files)?,
            Some("c" | "i") => files.push(path),
            _ => {}
        }
    }
    Ok(())
}

fn read(faultline: &Path, file: &Path, options: &Options) -> Result<process::Finished> {
    let mut arguments: Vec<OsString> = vec!["ir".into(), "--summary".into(), file.into()];
    arguments.extend(options.flags.iter().cloned());
    let limits = Limits { time: Duration::from_secs(options.timeout), memory: 8 << 30 };
    process::run(file.parent().unwrap_or(Path::new(".")), faultline, &arguments, limits)
}

fn add(row: &mut Row, file: &Path, finished: Result<process::Finished>) {
    row.files += 1;
    let Ok(finished) = finished else {
        row.failed += 1;
        return;
    };
    row.seconds += finished.time.as_secs_f64();
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    let count = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'));
        line.and_then(|number| number.parse::<usize>().ok()).unwrap_or(0)
    };
    match finished.ending {
        Ending::Exit(0) => {
            row.unsupported += count("unsupported");
            row.found += count("operators at their token");
            row.missing += count("operators not found");
        }
        Ending::Exit(2) if String::from_utf8_lossy(&finished.stderr).contains("does not compile") => row.refused += 1,
        ending => {
            eprintln!("{}: {ending:?}", file.display());
            row.failed += 1;
        }
    }
}

fn report(rows: &BTreeMap<PathBuf, Row>, results: &Path) -> Result<bool> {
    let mut table = Table::new(&[
        "folder",
        "files",
        "do not compile",
        "failed",
        "unsupported",
        "operators",
        "at token %",
        "seconds",
    ]);
    for (folder, row) in rows {
        let operators = row.found + row.missing;
        let share = if operators == 0 { 100.0 } else { 100.0 * row.found as f64 / operators as f64 };
        table.row([
            folder.display().to_string(),
            row.files.to_string(),
            row.refused.to_string(),
            row.failed.to_string(),
            row.unsupported.to_string(),
            operators.to_string(),
            format!("{share:.1}"),
            format!("{:.1}", row.seconds),
        ]);
    }
    print!("{table}");
    table.write_tsv(&results.join("reach.tsv"))?;
    Ok(rows.values().all(|row| row.failed == 0 && row.unsupported == 0))
}
