//! Relevance on the programs of *Static fault localization for simple bugs*, beside the paper's Table 1.
//!
//! Input: a folder with SV-COMP's categories, and the paper's figures as tab-separated values, whose first columns
//! are an id, a program without its verdict, relevant statements, statements, and seconds for localization. Output:
//! a row per program. True if localization costs less than finding the trace, from the source on, on most of them and
//! never much. With `--scale`, loops of ever more statements instead.

mod scale;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use super::process::{self, Limits};
use super::table::Table;

const RUNS: usize = 5;
/// No trace may take longer to localize, in seconds.
const MOST_SECONDS: f64 = 5.0;
/// The share of programs on which localization must be the cheaper part.
const CHEAPER: f64 = 35.0 / 41.0;

#[derive(Args)]
pub struct Options {
    /// The folder of SV-COMP's categories: locks, loops, systemc and so on
    #[arg(long, value_name = "DIR", required_unless_present = "scale")]
    suite: Option<PathBuf>,
    /// The paper's figures
    #[arg(long, value_name = "FILE", required_unless_present = "scale")]
    figures: Option<PathBuf>,
    /// Loops with 100 to 10,000 statements on the way, for every engine
    #[arg(long)]
    scale: bool,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Seconds for one program
    #[arg(long, default_value_t = 120)]
    timeout: u64,
}

/// What the paper says about a program.
struct Published {
    id: String,
    program: String,
    relevant: String,
    statements: String,
    seconds: String,
}

/// What we say.
#[derive(Default)]
struct Measured {
    statements: Option<f64>,
    relevant: Option<f64>,
    places: Option<f64>,
    undecided: Option<f64>,
    read: Option<f64>,
    found: Option<f64>,
    localized: Option<f64>,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let (Some(suite), Some(figures), false) = (&options.suite, &options.figures, options.scale) else {
        return scale::run(results, &faultline, options.timeout);
    };
    let suite = suite.canonicalize().with_context(|| format!("cannot read {}", suite.display()))?;
    let mut table = Table::new(&[
        "id",
        "paper relevant",
        "paper statements",
        "paper s",
        "relevant",
        "statements",
        "places",
        "undecided",
        "read s",
        "found s",
        "localized s",
    ]);
    let (mut programs, mut cheaper, mut cheaper_than_search, mut within) = (0, 0, 0, true);
    for published in read(figures)? {
        let Some(file) = find(&suite, &published.program) else {
            eprintln!("{}: no file for {}", published.id, published.program);
            continue;
        };
        let measured = often(&faultline, &file, options.timeout)?;
        programs += 1;
        let localized = measured.localized.unwrap_or(f64::INFINITY);
        let finding = measured.read.unwrap_or(0.0) + measured.found.unwrap_or(0.0);
        cheaper += usize::from(localized < finding);
        cheaper_than_search += usize::from(localized < measured.found.unwrap_or(0.0));
        within &= localized <= MOST_SECONDS;
        let cell = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        table.row([
            published.id,
            published.relevant,
            published.statements,
            published.seconds,
            cell(measured.relevant),
            cell(measured.statements),
            cell(measured.places),
            cell(measured.undecided),
            cell(measured.read),
            cell(measured.found),
            cell(measured.localized),
        ]);
    }
    print!("{table}");
    println!(
        "localization cheaper than reading and finding on {cheaper} of {programs}, than the search alone on \
         {cheaper_than_search}; all within 5 s: {within}"
    );
    table.write_tsv(&results.join("relevance.tsv"))?;
    Ok(within && programs > 0 && cheaper as f64 >= CHEAPER * programs as f64)
}

fn read(figures: &Path) -> Result<Vec<Published>> {
    let text = std::fs::read_to_string(figures).with_context(|| format!("cannot read {}", figures.display()))?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |index: usize| cells.get(index).copied().unwrap_or_default().to_owned();
        Published { id: cell(0), program: cell(1), relevant: cell(2), statements: cell(3), seconds: cell(4) }
    };
    Ok(text.lines().skip(1).map(row).collect())
}

/// The faulty variant: `loops/sum04` is `loops/sum04_false-unreach-call….i`, `…/toy_1` may be `…/toy_false-…call1.c`.
fn find(suite: &Path, program: &str) -> Option<PathBuf> {
    let (folder, name) = program.split_once('/')?;
    let (stem, number) = match name.rsplit_once('_') {
        Some((stem, number)) if number.bytes().all(|it| it.is_ascii_digit()) => (stem, number),
        _ => (name, ""),
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(suite.join(folder)).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let starts = |file: &PathBuf, start: &str| {
        file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(start))
    };
    let is_program = |file: &&PathBuf| matches!(file.extension().and_then(|it| it.to_str()), Some("c" | "i"));
    let named = |start: String| {
        let mut fitting: Vec<&PathBuf> = files.iter().filter(|file| starts(file, &start)).filter(is_program).collect();
        // The preprocessed one, where there are both.
        fitting.sort_by_key(|file| file.extension().is_some_and(|it| it == "c"));
        fitting.first().map(|file| (*file).clone())
    };
    named(format!("{name}_false-unreach-call")).or_else(|| named(format!("{stem}_false-unreach-call{number}")))
}

/// Measures a program several times: a few milliseconds are not the same twice. Times are medians.
fn often(faultline: &Path, file: &Path, timeout: u64) -> Result<Measured> {
    let once = |_| measure(faultline, file, &["--property", "none,unreach-call"], timeout);
    let mut all: Vec<Measured> = (0..RUNS).map(once).collect::<Result<_>>()?;
    let median = |time: fn(&Measured) -> Option<f64>| {
        let mut times: Vec<f64> = all.iter().filter_map(time).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let (read, found, localized) = (median(|it| it.read), median(|it| it.found), median(|it| it.localized));
    Ok(Measured { read, found, localized, ..all.pop().unwrap_or_default() })
}

fn measure(faultline: &Path, file: &Path, options: &[&str], timeout: u64) -> Result<Measured> {
    let mut arguments: Vec<OsString> = vec!["localize".into(), file.into()];
    arguments.extend(options.iter().map(OsString::from));
    arguments.extend(["--verbose".into(), "--timeout".into(), format!("{timeout}s").into()]);
    let limits = Limits { time: Duration::from_secs(timeout + 60), memory: 8 << 30 };
    let finished = process::run(file.parent().unwrap_or(Path::new(".")), faultline, &arguments, limits)?;
    let text = String::from_utf8_lossy(&finished.stderr).into_owned();
    let Some(line) = text.lines().find(|line| line.contains("localized in")) else {
        eprintln!("{}: {:?}", file.display(), finished.ending);
        return Ok(Measured::default());
    };
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let number = |index: usize| numbers.get(index).copied();
    Ok(Measured {
        statements: number(0),
        relevant: number(1),
        places: number(2),
        undecided: number(3),
        read: number(4),
        found: number(5),
        localized: number(6),
    })
}
