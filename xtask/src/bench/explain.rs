//! How long people wait for `explain`.
//!
//! Input: the programs of `examples/`, each explained as its comment says; with `--suite`, also C files of a folder, which
//! have `--timeout` to be explained in, whatever they are. Output: a row per program with the seconds to the first words
//! and to the end, and `explain.tsv`. True if on each example the first words come within `FIRST` and the end within
//! `WHOLE`, and if nothing takes more than `MOST` times the time that it was given.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use super::process::{self, Finished, Limits};
use super::table::Table;
use super::triangulate;

const FIRST: Duration = Duration::from_secs(1);
const WHOLE: Duration = Duration::from_secs(10);
const MOST: f64 = 1.1;
/// Enough for any program here; one that takes more fails anyway.
const PATIENCE: f64 = 5.0;
const MEMORY: u64 = 12 << 30;

#[derive(Args)]
pub struct Options {
    /// A folder of C files, whatever they are
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Explain so many of them, spread over the folder
    #[arg(long, default_value_t = 40)]
    files: usize,
    /// Seconds for each of them
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let mut table = Table::new(&["program", "ending", "first words s", "all s", "of its time"]);
    let (mut is_prompt, mut worst) = (true, 0.0_f64);
    for fault in triangulate::examples(root)? {
        let finished = explain(&faultline, &fault.options, &fault.arguments, WHOLE.as_secs_f64())?;
        is_prompt &= finished.first.is_some_and(|first| first <= FIRST) && finished.time <= WHOLE;
        table.row(row(&fault.name, &finished, None));
    }
    for file in options.suite.iter().map(|suite| files(suite, options.files)).collect::<Result<Vec<_>>>()?.concat() {
        let given = [file.clone().into(), "--timeout".into(), format!("{}ms", options.timeout * 1e3).into()];
        let finished = explain(&faultline, &given, &[], options.timeout)?;
        let share = finished.time.as_secs_f64() / options.timeout;
        worst = worst.max(share);
        table.row(row(&file.display().to_string(), &finished, Some(share)));
    }
    print!("{table}");
    table.write_tsv(&results.join("explain.tsv"))?;
    println!("examples: first words within {FIRST:?}, all within {WHOLE:?}: {is_prompt}");
    if options.suite.is_some() {
        println!("the longest took {worst:.2} times the time that it was given");
    }
    Ok(is_prompt && worst <= MOST)
}

fn explain(faultline: &Path, options: &[OsString], arguments: &[String], seconds: f64) -> Result<Finished> {
    let mut line: Vec<OsString> = vec!["explain".into()];
    line.extend_from_slice(options);
    if !arguments.is_empty() {
        line.push("--".into());
        line.extend(arguments.iter().map(OsString::from));
    }
    let limits = Limits { time: Duration::from_secs_f64(PATIENCE * seconds), memory: MEMORY };
    process::run(Path::new("."), faultline, &line, limits)
}

fn row(name: &str, finished: &Finished, share: Option<f64>) -> [String; 5] {
    [
        name.to_owned(),
        format!("{:?}", finished.ending),
        finished.first.map_or_else(String::new, |first| format!("{:.2}", first.as_secs_f64())),
        format!("{:.2}", finished.time.as_secs_f64()),
        share.map_or_else(String::new, |share| format!("{share:.2}")),
    ]
}

/// So many C files below a folder, evenly spread.
fn files(folder: &Path, most: usize) -> Result<Vec<PathBuf>> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.retain(|file| file.extension().is_some_and(|it| it == "c" || it == "i"));
    found.sort();
    let step = found.len().div_ceil(most.max(1)).max(1);
    Ok(found.into_iter().step_by(step).collect())
}
