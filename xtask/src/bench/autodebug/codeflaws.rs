//! Codeflaws: single-line faults of programs from a contest, with tests to repair by and tests that are held out.
//!
//! Input: a folder with a folder for each fault, `1-A-bug-2-3`, with the faulty `1-A-2.c`, the accepted `1-A-3.c`, tests to
//! repair with (`input-pos1` and `output-pos1`, `input-neg1` and so on) and tests to judge by (`heldout-input-pos1` and so on).
//! Faults whose accepted version differs in one line are shuffled by a seed and taken in that order. A test counts if the
//! accepted version passes it natively: many inputs of the suite were cut off when it was collected. A fault without a
//! failing test that counts, or with fewer than three held out, is passed over.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::held_out::{self, Fault, Native, Tally, Test};
use super::{Options, Table, median, shuffle};

const STANDARD: &str = "gnu99";
/// Tests that are held out, at least.
const HELD_OUT: usize = 3;

pub fn run(faultline: &Path, results: &Path, suite: &Path, options: &Options) -> Result<bool> {
    let entries = std::fs::read_dir(suite).with_context(|| format!("cannot read {}", suite.display()))?;
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|it| it.ok()).map(|it| it.path()).filter(|it| it.is_dir() && is_single_line(it)).collect();
    folders.sort();
    let all = folders.len();
    shuffle(&mut folders, options.seed);
    let mut table = Table::new(&["fault", "tests", "held out", "change", "held-out tests", "seconds"]);
    let (mut tally, mut passed_over) = (Tally::default(), 0);
    for folder in folders {
        if tally.seconds.len() >= options.sample {
            break;
        }
        let Some(fault) = fault(&folder)? else {
            passed_over += 1;
            continue;
        };
        if !fault.name.starts_with(&options.only) {
            continue;
        }
        let outcome = held_out::repair(faultline, &fault, options.timeout)?;
        let judged = tally.add(&outcome);
        table.row([
            fault.name,
            fault.training.len().to_string(),
            fault.held_out.len().to_string(),
            outcome.change.unwrap_or_default(),
            judged.to_owned(),
            format!("{:.2}", outcome.seconds),
        ]);
    }
    print!("{table}");
    let Tally { repaired, right, mut seconds } = tally;
    let count = seconds.len();
    println!(
        "{all} single-line faults, {passed_over} passed over for their tests, {count} taken (seed {})",
        options.seed
    );
    println!(
        "{repaired} of {count} repaired by their tests, {right} of {count} right on the held-out tests; median {:.2} s",
        median(&mut seconds)
    );
    table.write_tsv(&results.join("codeflaws.tsv"))?;
    Ok(count > 0)
}

/// The faulty and the accepted text of a folder.
fn versions(folder: &Path) -> Option<(String, String)> {
    let name = folder.file_name()?.to_string_lossy().into_owned();
    let (problem, versions) = name.split_once("-bug-")?;
    let (faulty, accepted) = versions.split_once('-')?;
    let text = |version: &str| -> Option<String> {
        let bytes = std::fs::read(folder.join(format!("{problem}-{version}.c"))).ok()?;
        Some(String::from_utf8_lossy(&bytes).replace('\r', ""))
    };
    Some((text(faulty)?, text(accepted)?))
}

/// Whether the accepted version differs from the faulty one in one line.
fn is_single_line(folder: &Path) -> bool {
    let Some((faulty, accepted)) = versions(folder) else { return false };
    let lines = |text: &str| -> Vec<String> {
        let squeezed = text.lines().map(|line| line.split_whitespace().collect::<String>());
        squeezed.filter(|line| !line.is_empty()).collect()
    };
    let (old, new) = (lines(&faulty), lines(&accepted));
    old.len() == new.len() && old.iter().zip(&new).filter(|(one, other)| one != other).count() == 1
}

/// A fault with the tests that count.
fn fault(folder: &Path) -> Result<Option<Fault>> {
    let Some((program, accepted)) = versions(folder) else { return Ok(None) };
    let (Some(faulty), Some(accepted)) = (Native::compile(&program, STANDARD)?, Native::compile(&accepted, STANDARD)?)
    else {
        return Ok(None);
    };
    let counting = |prefix: &str| -> Result<Vec<Test>> {
        Ok(tests(folder, prefix)?.into_iter().filter(|test| accepted.passes(test)).collect())
    };
    let training = counting("")?;
    if training.iter().all(|test| faulty.passes(test)) {
        return Ok(None);
    }
    let held_out = counting("heldout-")?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let enough = held_out.len() >= HELD_OUT;
    Ok(enough.then_some(Fault { name, program, standard: STANDARD, training, held_out }))
}

fn tests(folder: &Path, prefix: &str) -> Result<Vec<Test>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names: Vec<String> =
        entries.filter_map(|it| it.ok()).map(|it| it.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let mut found = Vec::new();
    for name in names {
        let Some(rest) = name.strip_prefix(prefix).and_then(|it| it.strip_prefix("input-")) else { continue };
        let output = folder.join(format!("{prefix}output-{rest}"));
        let (Ok(input), Ok(output)) = (std::fs::read(folder.join(&name)), std::fs::read(output)) else { continue };
        found.push(Test { arguments: Vec::new(), input, output });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_the_tests_that_count() {
        let suite = tempfile::tempdir().unwrap();
        let folder = suite.path().join("1-A-bug-2-3");
        std::fs::create_dir(&folder).unwrap();
        let program = |operator: &str| {
            format!(
                "#include <stdio.h>\nint main(void) {{ int a; scanf(\"%d\", &a);\nprintf(\"%d\\n\", a {operator} 1);\nreturn 0; }}\n"
            )
        };
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("1-A-2.c", &program("-"));
        write("1-A-3.c", &program("+"));
        for (name, output) in [("pos1", "2"), ("neg1", "7")] {
            write(&format!("input-{name}"), "1");
            write(&format!("output-{name}"), output);
        }
        for number in 1..5 {
            write(&format!("heldout-input-pos{number}"), &number.to_string());
            write(&format!("heldout-output-pos{number}"), &(number + 1).to_string());
        }
        assert!(is_single_line(&folder));
        let fault = fault(&folder).unwrap().unwrap();
        assert_eq!((fault.training.len(), fault.held_out.len()), (1, 4));
    }
}
