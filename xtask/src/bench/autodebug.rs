//! The 51 faults of He and Gupta's Table 1: is each corrected by a change that verifies, and how fast?
//!
//! Input: `tests/programs/repair/faults.tsv`, edits of the correct programs beside it. Each faulty program is made in a
//! temporary folder and given to `faultline repair` with nothing but its contract. Output: a row per fault with the
//! change that was found, what was checked, and the seconds.
//!
//! With `--suite`, a folder of Codeflaws (one folder per fault, with the faulty `.c` file, `input-pos1` and
//! `output-pos1` and the like, and `heldout-…` tests): how many of its single-line faults are repaired by their tests
//! alone, and are still right on the tests that were held out.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use super::process::{self, Limits};
use super::table::Table;

const PROGRAMS: &str = "tests/programs/repair";

#[derive(Args)]
pub struct Options {
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Rows whose name begins like this
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    /// A folder of Codeflaws, instead of the table
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Faults of the suite that are taken, evenly spread
    #[arg(long, default_value_t = 60)]
    sample: usize,
    /// Seconds for one fault
    #[arg(long, default_value_t = 60)]
    timeout: u64,
}

/// What `faultline repair` found.
struct Repaired {
    change: String,
    checked: String,
    seconds: f64,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    if let Some(suite) = &options.suite {
        return run_suite(&faultline, results, suite, options);
    }
    let folder = root.join(PROGRAMS);
    let list = std::fs::read_to_string(folder.join("faults.tsv")).context("cannot read faults.tsv")?;
    let mut table = Table::new(&["fault", "faulty", "change", "checked", "paper", "seconds"]);
    let (mut verified, mut paper, mut seconds) = (0, 0, Vec::new());
    for line in list.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [row, file, function, number, correct, faulty, published] = cells[..] else {
            bail!("a row of faults.tsv has not seven cells: {line}");
        };
        if !row.starts_with(&options.only) {
            continue;
        }
        let program = faulty_program(&folder.join(file), number.parse()?, correct, faulty)?;
        let made = tempfile::tempdir().context("cannot make a temporary folder")?;
        std::fs::write(made.path().join(file), program).context("cannot write a program")?;
        let arguments = ["repair", file, "--function", function, "--format", "json"].map(str::to_owned);
        let found = repair(&faultline, made.path(), &arguments, options.timeout)?;
        verified += usize::from(matches!(found.checked.as_str(), "proved" | "bounded"));
        paper += usize::from(!published.starts_with("no"));
        seconds.push(found.seconds);
        table.row([
            row.to_owned(),
            faulty.to_owned(),
            found.change,
            found.checked,
            published.to_owned(),
            format!("{:.2}", found.seconds),
        ]);
    }
    let count = seconds.len();
    print!("{table}");
    println!("verified {verified} of {count}, the paper corrected {paper}; median {:.2} s", median(&mut seconds));
    table.write_tsv(&results.join("autodebug.tsv"))?;
    Ok(verified == count && count > 0)
}

fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(0.0)
}

/// The program with one edit in a line.
fn faulty_program(file: &Path, line: usize, correct: &str, faulty: &str) -> Result<String> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let Some(found) = lines.get_mut(line - 1).filter(|it| it.contains(correct)) else {
        bail!("{}:{line} has no `{correct}`", file.display());
    };
    *found = found.replacen(correct, faulty, 1);
    Ok(lines.join("\n") + "\n")
}

fn repair(faultline: &Path, folder: &Path, arguments: &[String], timeout: u64) -> Result<Repaired> {
    let limits = Limits { time: Duration::from_secs(timeout), memory: 16 << 30 };
    let finished = process::run(folder, faultline, arguments, limits)?;
    let report: Value = serde_json::from_slice(&finished.stdout).unwrap_or_default();
    let first = &report["diagnosis"]["suspects"][0];
    let diff = first["fix"]["diff"].as_str().unwrap_or_default();
    let is_new = |line: &&str| line.starts_with('+') && !line.starts_with("+++");
    let change: Vec<&str> = diff.lines().filter(is_new).map(|line| line[1..].trim()).collect();
    let line = first["line"].as_u64().map_or(String::new(), |line| format!("{line}: "));
    let checked = first["fix"]["checked"].as_str().unwrap_or("no").to_owned();
    Ok(Repaired { change: format!("{line}{}", change.join(" ")), checked, seconds: finished.time.as_secs_f64() })
}

/// Codeflaws: tests only, and the tests that were held out.
fn run_suite(faultline: &Path, results: &Path, suite: &Path, options: &Options) -> Result<bool> {
    let entries = std::fs::read_dir(suite).with_context(|| format!("cannot read {}", suite.display()))?;
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|it| it.ok()).map(|it| it.path()).filter(|it| it.is_dir()).collect();
    folders.retain(|folder| is_single_line(folder));
    folders.sort();
    let count = folders.len();
    let wanted = options.sample.min(count);
    let is_chosen = |index: usize| index * wanted / count.max(1) != (index + 1) * wanted / count.max(1);
    let chosen: Vec<PathBuf> =
        folders.into_iter().enumerate().filter(|(index, _)| is_chosen(*index)).map(|it| it.1).collect();
    let mut table = Table::new(&["fault", "function", "change", "held out", "seconds"]);
    let (mut repaired, mut right, mut seconds) = (0, 0, Vec::new());
    for folder in &chosen {
        let Some(file) = faulty_file(folder) else { continue };
        let (training, held_out) = split_tests(folder)?;
        let text = String::from_utf8_lossy(&std::fs::read(&file).context("cannot read a program")?).into_owned();
        let made = tempfile::tempdir().context("cannot make a temporary folder")?;
        let program = made.path().join("program.c");
        std::fs::write(&program, &text).context("cannot write a program")?;
        let arguments = |function: &str, tests: &Path, more: &[&str]| -> Vec<String> {
            let tests = tests.display().to_string();
            let fixed = [
                "repair",
                "program.c",
                "--function",
                function,
                "--tests",
                &tests,
                "--changes",
                "1",
                "--format",
                "json",
            ];
            fixed.iter().chain(more).map(|it| (*it).to_owned()).collect()
        };
        let mut total = 0.0;
        let mut found = None;
        for function in functions(&text) {
            let answer =
                repair(faultline, made.path(), &arguments(&function, training.path(), &["--apply"]), options.timeout)?;
            total += answer.seconds;
            if answer.checked == "tests" {
                found = Some((function, answer.change));
                break;
            }
        }
        seconds.push(total);
        let mut held = String::new();
        if let Some((function, _)) = &found {
            repaired += 1;
            let limits = Limits { time: Duration::from_secs(options.timeout), memory: 16 << 30 };
            let again = process::run(made.path(), faultline, &arguments(function, held_out.path(), &[]), limits)?;
            let passes = matches!(again.ending, process::Ending::Exit(0));
            right += usize::from(passes);
            held = if passes { "right".to_owned() } else { "wrong".to_owned() };
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (function, change) = found.unwrap_or_default();
        table.row([name, function, change, held, format!("{total:.2}")]);
    }
    print!("{table}");
    let count = seconds.len();
    println!(
        "{repaired} of {count} repaired by their tests, {right} right on held-out tests; median {:.2} s",
        median(&mut seconds)
    );
    table.write_tsv(&results.join("codeflaws.tsv"))?;
    Ok(count > 0)
}

/// `1-A-bug-2-3` holds the faulty `1-A-2.c` and the accepted `1-A-3.c`.
fn faulty_file(folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name()?.to_string_lossy().into_owned();
    let (problem, versions) = name.split_once("-bug-")?;
    let faulty = versions.split('-').next()?;
    Some(folder.join(format!("{problem}-{faulty}.c"))).filter(|it| it.is_file())
}

/// Whether the accepted version differs from the faulty one in one line.
fn is_single_line(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((problem, versions)) = name.split_once("-bug-") else { return false };
    let lines = |version: &str| -> Option<Vec<String>> {
        let bytes = std::fs::read(folder.join(format!("{problem}-{version}.c"))).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let squeezed = text.lines().map(|line| line.split_whitespace().collect::<String>());
        Some(squeezed.filter(|line| !line.is_empty()).collect())
    };
    let Some((faulty, accepted)) = versions.split_once('-') else { return false };
    let (Some(old), Some(new)) = (lines(faulty), lines(accepted)) else { return false };
    old.len() == new.len() && old.iter().zip(&new).filter(|(one, other)| one != other).count() == 1
}

/// The tests to repair with, and those to judge by, each in a folder.
fn split_tests(folder: &Path) -> Result<(tempfile::TempDir, tempfile::TempDir)> {
    let training = tempfile::tempdir().context("cannot make a temporary folder")?;
    let held_out = tempfile::tempdir().context("cannot make a temporary folder")?;
    for entry in std::fs::read_dir(folder)?.filter_map(|it| it.ok()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (target, kept) = match name.strip_prefix("heldout-") {
            Some(rest) => (held_out.path(), rest.to_owned()),
            None => (training.path(), name.clone()),
        };
        if kept.starts_with("input-") || kept.starts_with("output-") {
            std::fs::copy(entry.path(), target.join(kept)).context("cannot copy a test")?;
        }
    }
    Ok((training, held_out))
}

/// Names of functions that are defined, by a `{` after the parameters; the longest body first would be nicer, but
/// most of these programs are `main` alone.
fn functions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(')') {
        if !text[at + 1..].trim_start().starts_with('{') {
            continue;
        }
        let Some(open) = text[..at].rfind('(') else { continue };
        let name: String =
            text[..open].trim_end().chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let name: String = name.chars().rev().collect();
        let is_keyword = matches!(name.as_str(), "if" | "while" | "for" | "switch" | "");
        if !is_keyword && !found.contains(&name) {
            found.push(name);
        }
    }
    found.sort_by_key(|it| it != "main");
    found.truncate(3);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found() {
        let text = "int f(int n)\n{ if (n) { } while (g(n)) { } }\nvoid g(void) { }\nint main() {}\n";
        assert_eq!(functions(text), ["main", "f", "g"]);
    }

    #[test]
    fn every_fault_of_the_list_can_be_made() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(PROGRAMS);
        let list = std::fs::read_to_string(folder.join("faults.tsv")).unwrap();
        let mut count = 0;
        for line in list.lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let made = faulty_program(&folder.join(cells[1]), cells[3].parse().unwrap(), cells[4], cells[5]).unwrap();
            assert!(made.contains(cells[5]), "{line}");
            count += 1;
        }
        assert_eq!(count, 51);
    }
}
