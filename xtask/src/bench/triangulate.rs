//! One answer against the answers of single engines: where does the faulty line stand?
//!
//! Input: the programs of `examples/` and `tests/programs/ped/`, which mark their faulty line; with `--tcas`, the versions
//! of the Siemens suite's TCAS that fail a test; with `--verisec`, the bad variants of PED's vulnerabilities. Each is
//! given to every engine of `localize` and to `explain`. A line's rank is its place among the different lines of an
//! answer; one that is missing counts as if it came after all lines that any engine named. Output: a row per suite and
//! engine: the faulty line first, among the first three and five, its mean rank, the median seconds. True if in all
//! together no single engine is better than `explain` in any of the four.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use super::process::{self, Limits};
use super::table::Table;
use super::{ped, tcas};

/// What is compared; the last one is the merged answer.
const ASKED: [&str; 6] = ["relevance", "error-invariants", "flow-sensitive", "max-sat", "ped", EXPLAIN];
const EXPLAIN: &str = "explain";
/// How programs of ours mark the faulty line.
const MARKS: [(&str, &str); 2] = [("examples", "// fault: "), ("tests/programs/ped", "// fix: ")];

#[derive(Args)]
pub struct Options {
    /// The folder of the Siemens suite, or of its `tcas`
    #[arg(long, value_name = "DIR")]
    tcas: Option<PathBuf>,
    /// The folder of the Verisec suite
    #[arg(long, value_name = "DIR")]
    verisec: Option<PathBuf>,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Seconds for one question
    #[arg(long, default_value_t = 60)]
    timeout: u64,
}

/// A program with a known faulty line.
pub struct Fault {
    suite: &'static str,
    pub name: String,
    /// Files and options, before the program's own arguments.
    pub options: Vec<OsString>,
    pub arguments: Vec<String>,
    /// Any of these will do.
    lines: Vec<u32>,
}

/// What was answered about a fault.
struct Answer {
    suite: &'static str,
    asked: usize,
    rank: f64,
    seconds: f64,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut table = Table::new(&["suite", "fault", "lines", "asked", "suspects", "rank", "seconds"]);
    let mut answers: Vec<Answer> = Vec::new();
    for fault in faults(root, folder.path(), options)? {
        let asked = ASKED.map(|name| ask(&faultline, &fault, name, options.timeout));
        let mut named: BTreeSet<u32> = BTreeSet::new();
        let mut found = Vec::new();
        for answer in asked {
            let (lines, seconds) = answer?;
            named.extend(&lines);
            found.push((lines, seconds));
        }
        for (asked, (lines, seconds)) in found.into_iter().enumerate() {
            let rank = lines.iter().position(|line| fault.lines.contains(line)).map(|rank| rank + 1);
            table.row([
                fault.suite.to_owned(),
                fault.name.clone(),
                fault.lines.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
                ASKED[asked].to_owned(),
                lines.len().to_string(),
                rank.map_or_else(String::new, |rank| rank.to_string()),
                format!("{seconds:.2}"),
            ]);
            let rank = rank.unwrap_or(named.len() + 1) as f64;
            answers.push(Answer { suite: fault.suite, asked, rank, seconds });
        }
    }
    print!("{table}");
    table.write_tsv(&results.join("triangulate.tsv"))?;
    Ok(summarize(&answers))
}

fn faults(root: &Path, folder: &Path, options: &Options) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for (suite, mark) in MARKS {
        faults.extend(marked(root, suite, mark)?);
    }
    if let Some(suite) = &options.tcas {
        for case in tcas::failing_versions(suite, folder, usize::MAX)? {
            let options = [case.file.into(), "--cflags".into(), tcas::FLAGS.into()];
            faults.push(Fault {
                suite: "TCAS",
                name: format!("version {}", case.version),
                options: options.to_vec(),
                arguments: case.arguments,
                lines: case.lines,
            });
        }
    }
    if let Some(suite) = &options.verisec {
        let suite = suite.canonicalize().with_context(|| format!("cannot read {}", suite.display()))?;
        let library = folder.join("library.c");
        std::fs::write(&library, ped::LIBRARY).context("cannot write a program")?;
        for variant in ped::variants(&suite)? {
            let mut options = ped::files(&variant.file, &library);
            options.extend(["--property", ped::PROPERTIES, "--cflags", ped::FLAGS].map(OsString::from));
            let (name, lines) = (variant.name, variant.lines);
            faults.push(Fault { suite: "Verisec", name, options, arguments: Vec::new(), lines });
        }
    }
    Ok(faults)
}

/// The programs of `examples/`.
pub fn examples(root: &Path) -> Result<Vec<Fault>> {
    let (folder, mark) = MARKS[0];
    marked(root, folder, mark)
}

/// Programs of the repository: the marked line is the faulty one, and a comment may say with which arguments it fails.
fn marked(root: &Path, suite: &'static str, mark: &str) -> Result<Vec<Fault>> {
    let entries = std::fs::read_dir(root.join(suite)).with_context(|| format!("cannot read {suite}"))?;
    let mut files: Vec<PathBuf> = entries.map(|it| Ok(it?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|it| it == "c"));
    files.sort();
    let mut faults = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let lines: Vec<u32> = (1..).zip(text.lines()).filter(|it| it.1.contains(mark)).map(|it| it.0).collect();
        if lines.is_empty() {
            bail!("no line of {} is marked by `{mark}`", file.display());
        }
        let command = text.lines().find_map(|line| Some(line.split_once("faultline explain ")?.1)).unwrap_or_default();
        let mut words = command.split_whitespace().skip(1).map(str::to_owned);
        let options = words.by_ref().take_while(|word| word != "--").map(OsString::from);
        let mut all: Vec<OsString> = vec![file.clone().into()];
        all.extend(options);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        faults.push(Fault { suite, name, options: all, arguments: words.collect(), lines });
    }
    Ok(faults)
}

/// The different lines of an answer, the best first, and the seconds that it took.
fn ask(faultline: &Path, fault: &Fault, asked: &str, timeout: u64) -> Result<(Vec<u32>, f64)> {
    let mut line: Vec<OsString> = match asked {
        EXPLAIN => vec![EXPLAIN.into()],
        engine => vec!["localize".into(), "--engine".into(), engine.into()],
    };
    line.extend(fault.options.iter().cloned());
    line.extend(["--format", "json"].map(OsString::from));
    if !fault.arguments.is_empty() {
        line.push("--".into());
        line.extend(fault.arguments.iter().map(OsString::from));
    }
    let limits = Limits { time: Duration::from_secs(timeout), memory: 8 << 30 };
    let finished = process::run(Path::new("."), faultline, &line, limits)?;
    let report: Value = serde_json::from_slice(&finished.stdout).unwrap_or_default();
    let suspects = report["diagnosis"]["suspects"].as_array().cloned().unwrap_or_default();
    if suspects.is_empty() {
        let words = String::from_utf8_lossy(&finished.stderr);
        eprintln!("{asked} {}: {}", fault.name, words.lines().last().unwrap_or("no answer"));
    }
    let mut lines: Vec<u32> = Vec::new();
    for line in suspects.iter().filter_map(|it| it["line"].as_u64()) {
        if !lines.contains(&(line as u32)) {
            lines.push(line as u32);
        }
    }
    Ok((lines, finished.time.as_secs_f64()))
}

/// How often the faulty line is among the first, and its mean rank.
#[derive(Clone, Copy)]
struct Summary {
    faults: usize,
    first: [usize; 3],
    mean: f64,
    median_seconds: f64,
}

impl Summary {
    fn of(answers: &[&Answer]) -> Summary {
        let within = |most: f64| answers.iter().filter(|it| it.rank <= most).count();
        let mut seconds: Vec<f64> = answers.iter().map(|it| it.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        Summary {
            faults: answers.len(),
            first: [1.0, 3.0, 5.0].map(within),
            mean: answers.iter().map(|it| it.rank).sum::<f64>() / answers.len().max(1) as f64,
            median_seconds: seconds.get(seconds.len() / 2).copied().unwrap_or(0.0),
        }
    }

    fn is_at_least_as_good_as(&self, other: &Summary) -> bool {
        self.first.iter().zip(&other.first).all(|(one, other)| one >= other) && self.mean <= other.mean
    }
}

fn summarize(answers: &[Answer]) -> bool {
    let mut suites: Vec<&str> = answers.iter().map(|it| it.suite).collect();
    suites.dedup();
    let mut table = Table::new(&["suite", "faults", "asked", "first", "first 3", "first 5", "mean rank", "seconds"]);
    let mut is_best = true;
    for suite in suites.into_iter().map(Some).chain([None]) {
        let summaries: Vec<Summary> = (0..ASKED.len())
            .map(|asked| {
                let here = |it: &&Answer| it.asked == asked && suite.is_none_or(|suite| suite == it.suite);
                Summary::of(&answers.iter().filter(here).collect::<Vec<_>>())
            })
            .collect();
        for (summary, asked) in summaries.iter().zip(ASKED) {
            table.row([
                suite.unwrap_or("all").to_owned(),
                summary.faults.to_string(),
                asked.to_owned(),
                summary.first[0].to_string(),
                summary.first[1].to_string(),
                summary.first[2].to_string(),
                format!("{:.2}", summary.mean),
                format!("{:.2}", summary.median_seconds),
            ]);
        }
        if let (None, Some((merged, single))) = (suite, summaries.split_last()) {
            is_best = single.iter().all(|it| merged.is_at_least_as_good_as(it));
        }
    }
    print!("{table}");
    println!("explain is at least as good as every single engine on all together: {is_best}");
    is_best
}
