//! The 51 faults of He and Gupta's Table 1: is each corrected by a change that verifies, and how fast?
//!
//! Input: `tests/programs/repair/faults.tsv`, edits of the correct programs beside it. Each faulty program is made in a
//! temporary folder and given to `faultline repair` with nothing but its contract. Output: a row per fault with the
//! change that was found, what was checked, and the seconds.
//!
//! With `--suite`, a folder of faulty programs with tests instead: [`codeflaws`], or [`tcas`] of the Siemens suite. How many
//! of a sample are repaired by some of their tests alone, and are still right on the tests that were held out?

mod codeflaws;
mod held_out;
mod tcas;

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
    /// A folder of Codeflaws, or of the Siemens suite with its `tcas`, instead of the table
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Faults of Codeflaws that are taken; tests of TCAS to repair with
    #[arg(long, default_value_t = 60)]
    sample: usize,
    /// For the choice of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
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
        let suite = suite.canonicalize().with_context(|| format!("cannot read {}", suite.display()))?;
        let is_tcas = suite.join("tcas").is_dir() || suite.join("diff version/tcas.c").is_file();
        return match is_tcas {
            true => tcas::run(&faultline, results, &suite, options),
            false => codeflaws::run(&faultline, results, &suite, options),
        };
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

/// Puts things into an order that depends on the seed alone.
fn shuffle<T>(things: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for last in (1..things.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        things.swap(last, (state >> 11) as usize % (last + 1));
    }
}

fn repair(faultline: &Path, folder: &Path, arguments: &[String], timeout: u64) -> Result<Repaired> {
    let limits = Limits { time: Duration::from_secs(timeout), memory: 16 << 30 };
    let finished = process::run(folder, faultline, arguments, limits)?;
    let report: Value = serde_json::from_slice(&finished.stdout).unwrap_or_default();
    let first = &report["diagnosis"]["suspects"][0];
    let diff = first["fix"]["diff"].as_str().unwrap_or_default();
    let checked = first["fix"]["checked"].as_str().unwrap_or("no").to_owned();
    Ok(Repaired { change: told(first, diff), checked, seconds: finished.time.as_secs_f64() })
}

/// The line of a suspect with what is written instead.
fn told(suspect: &Value, diff: &str) -> String {
    let is_new = |line: &&str| line.starts_with('+') && !line.starts_with("+++");
    let change: Vec<&str> = diff.lines().filter(is_new).map(|line| line[1..].trim()).collect();
    let line = suspect["line"].as_u64().map_or(String::new(), |line| format!("{line}: "));
    format!("{line}{}", change.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_depend_on_their_seed() {
        let order = |seed: u64| {
            let mut all: Vec<u32> = (0..100).collect();
            shuffle(&mut all, seed);
            all
        };
        assert_eq!(order(3), order(3));
        assert_ne!(order(3), order(4));
        let mut sorted = order(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
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
