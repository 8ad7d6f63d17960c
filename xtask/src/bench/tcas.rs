//! The engines on the faulty versions of the Siemens suite's TCAS: is the true line among the suspects?
//!
//! Input: a folder with `diff version/tcas.c` (the reference), `tcas1.c` to `tcas20.c`, and `testplans.alt/universe`,
//! the arguments of a test a line. A version fails a test where it prints something else than the reference; then it
//! is run with an assertion that demands the reference's output. The true lines are those that differ. Output: a row
//! per version and engine: suspects, the rank of the true line, seconds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use super::difference::different_lines;
use super::process::{self, Limits};
use super::table::Table;

const ENGINES: [&str; 4] = ["relevance", "error-invariants", "flow-sensitive", "max-sat"];
const VERSIONS: u32 = 20;

#[derive(Args)]
pub struct Options {
    /// The folder of the suite, or of its `tcas`
    #[arg(long, value_name = "DIR")]
    suite: PathBuf,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Tests that are tried to find a failing one
    #[arg(long, default_value_t = 1700)]
    tests: usize,
}

/// A version with a test that it fails.
pub(super) struct Failing {
    pub version: u32,
    /// The true lines.
    pub lines: Vec<u32>,
    /// The number of the test.
    pub test: usize,
    pub arguments: Vec<String>,
    /// The version with an assertion that demands the reference's output.
    pub file: PathBuf,
}

/// How the versions want to be read.
pub(super) const FLAGS: &str = "-std=gnu89 -w";

/// The versions that fail one of so many tests, in a folder for the programs that are made.
pub(super) fn failing_versions(suite: &Path, folder: &Path, tests: usize) -> Result<Vec<Failing>> {
    let suite = suite.canonicalize().with_context(|| format!("cannot read {}", suite.display()))?;
    let suite = if suite.join("tcas").is_dir() { suite.join("tcas") } else { suite };
    let sources = suite.join("diff version");
    let plan = std::fs::read(suite.join("testplans.alt/universe")).context("cannot read testplans.alt/universe")?;
    let plan = String::from_utf8_lossy(&plan).into_owned();
    let reference = compile(&sources.join("tcas.c"), folder, "reference")?;
    let original = text(&sources.join("tcas.c"))?;
    let mut failing = Vec::new();
    for version in 1..=VERSIONS {
        let file = sources.join(format!("tcas{version}.c"));
        let faulty = text(&file)?;
        let lines = different_lines(&original, &faulty);
        let native = compile(&file, folder, &format!("version{version}"))?;
        let Some((test, arguments, expected)) = failing_test(&reference, &native, &plan, tests) else {
            eprintln!("version {version}: no test fails");
            continue;
        };
        let file = folder.join(format!("tcas{version}.c"));
        std::fs::write(&file, with_assertion(&faulty, &expected)?).context("cannot write a program")?;
        failing.push(Failing { version, lines, test, arguments, file });
    }
    Ok(failing)
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let failing = failing_versions(&options.suite, folder.path(), options.tests)?;
    let mut table = Table::new(&["version", "true lines", "test", "engine", "suspects", "rank", "seconds"]);
    let mut ranked = [0; ENGINES.len()];
    let mut seconds: Vec<Vec<f64>> = vec![Vec::new(); ENGINES.len()];
    for case in &failing {
        for (index, engine) in ENGINES.into_iter().enumerate() {
            let (suspects, time) = ask(&faultline, case, engine)?;
            let rank = suspects.iter().position(|line| case.lines.contains(line)).map(|rank| rank + 1);
            ranked[index] += usize::from(rank.is_some());
            seconds[index].push(time);
            table.row([
                case.version.to_string(),
                case.lines.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
                case.test.to_string(),
                engine.to_owned(),
                suspects.len().to_string(),
                rank.map_or_else(String::new, |rank| rank.to_string()),
                format!("{time:.3}"),
            ]);
        }
    }
    print!("{table}");
    for (index, engine) in ENGINES.into_iter().enumerate() {
        seconds[index].sort_by(f64::total_cmp);
        let median = seconds[index].get(seconds[index].len() / 2).copied().unwrap_or(0.0);
        let executed = failing.len();
        println!("{engine}: true line among the suspects in {} of {executed}, median {median:.3} s", ranked[index]);
    }
    table.write_tsv(&results.join("tcas.tsv"))?;
    Ok(!failing.is_empty())
}

fn text(file: &Path) -> Result<String> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).replace('\r', ""))
}

fn compile(file: &Path, folder: &Path, name: &str) -> Result<PathBuf> {
    let binary = folder.join(name);
    let status = Command::new("cc").args(["-w", "-std=gnu89", "-o"]).arg(&binary).arg(file).status();
    match status.context("cannot start cc")?.success() {
        true => Ok(binary),
        false => bail!("{} does not compile", file.display()),
    }
}

/// The first test on which the outputs differ: its number, its arguments, what the reference prints.
fn failing_test(reference: &Path, native: &Path, tests: &str, most: usize) -> Option<(usize, Vec<String>, String)> {
    let limits = Limits { time: Duration::from_secs(5), memory: 1 << 30 };
    for (number, line) in tests.lines().take(most).enumerate() {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let print = |binary: &Path| {
            let finished = process::run(Path::new("."), binary, &arguments, limits).ok()?;
            Some(String::from_utf8_lossy(&finished.stdout).into_owned())
        };
        let (expected, found) = (print(reference)?, print(native)?);
        if expected != found {
            return Some((number + 1, arguments, expected));
        }
    }
    None
}

/// The program with its output replaced by an assertion, on the same line.
fn with_assertion(text: &str, expected: &str) -> Result<String> {
    let expected: i64 = expected.trim().parse().with_context(|| format!("the output {expected:?} is no number"))?;
    let printing = "fprintf(stdout, \"%d\\n\", alt_sep_test());";
    if !text.contains(printing) {
        bail!("the program does not print the result of alt_sep_test");
    }
    let asserting = format!("__VERIFIER_assert(alt_sep_test() == {expected});");
    let helper =
        "extern void reach_error(void); static void __VERIFIER_assert(int held) { if (!held) reach_error(); } ";
    Ok(format!("{helper}{}", text.replace(printing, &asserting)))
}

/// The lines of the suspects, the best first, and how long it took.
fn ask(faultline: &Path, case: &Failing, engine: &str) -> Result<(Vec<u32>, f64)> {
    let mut line: Vec<OsString> = vec!["localize".into(), case.file.clone().into()];
    line.extend(["--engine", engine, "--format", "json", "--cflags", FLAGS, "--"].map(OsString::from));
    line.extend(case.arguments.iter().map(OsString::from));
    let limits = Limits { time: Duration::from_secs(120), memory: 8 << 30 };
    let finished = process::run(Path::new("."), faultline, &line, limits)?;
    let report: Value = serde_json::from_slice(&finished.stdout).unwrap_or_default();
    let suspects = report["diagnosis"]["suspects"].as_array().cloned().unwrap_or_default();
    if suspects.is_empty() {
        eprintln!(
            "{engine} {}: {}",
            case.file.display(),
            String::from_utf8_lossy(&finished.stderr).lines().last().unwrap_or_default()
        );
    }
    let lines = suspects.iter().filter_map(|it| it["line"].as_u64()).map(|line| line as u32).collect();
    Ok((lines, finished.time.as_secs_f64()))
}
