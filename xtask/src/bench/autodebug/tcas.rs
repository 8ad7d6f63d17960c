//! TCAS of the Siemens suite: faulty versions, repaired by a sample of the suite's tests and judged by all others.
//!
//! Input: as for `bench tcas`: `diff version/tcas.c` (the reference), `tcas1.c` to `tcas20.c`, and
//! `testplans.alt/universe`, the arguments of a test a line. What the reference prints is expected. The sample has some
//! of the tests that a version fails, and tests that it passes; all tests that are not in it are held out.

use std::path::Path;

use anyhow::{Context, Result};

use super::super::difference::different_lines;
use super::held_out::{self, Fault, Native, Tally, Test};
use super::{Options, Table, median, shuffle};

const VERSIONS: u32 = 20;
const STANDARD: &str = "gnu89";
/// Failing tests of a sample.
const FAILING: usize = 10;

pub fn run(faultline: &Path, results: &Path, suite: &Path, options: &Options) -> Result<bool> {
    let suite = if suite.join("tcas").is_dir() { suite.join("tcas") } else { suite.to_owned() };
    let text = |name: &str| -> Result<String> {
        let file = suite.join(name);
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(String::from_utf8_lossy(&bytes).replace('\r', ""))
    };
    let (reference, universe) = (text("diff version/tcas.c")?, text("testplans.alt/universe")?);
    let native = Native::compile(&reference, STANDARD)?.context("the reference does not compile")?;
    let mut all: Vec<Test> = Vec::new();
    for line in universe.lines() {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        if let Some(output) = native.output(&arguments, b"") {
            all.push(Test { arguments, input: Vec::new(), output });
        }
    }
    let mut table = Table::new(&["version", "true lines", "failing", "change", "held-out tests", "seconds"]);
    let mut tally = Tally::default();
    for version in 1..=VERSIONS {
        let program = text(&format!("diff version/tcas{version}.c"))?;
        let Some(faulty) = Native::compile(&program, STANDARD)? else { continue };
        let (mut passing, mut failing): (Vec<Test>, Vec<Test>) = all.iter().cloned().partition(|it| faulty.passes(it));
        let count = failing.len();
        if count == 0 {
            eprintln!("version {version}: no test fails");
            continue;
        }
        shuffle(&mut failing, options.seed);
        shuffle(&mut passing, options.seed);
        let mut held_out = failing.split_off(FAILING.min(count));
        held_out.extend(passing.split_off(options.sample.saturating_sub(failing.len()).min(passing.len())));
        let mut training = failing;
        training.extend(passing);
        let lines = different_lines(&reference, &program);
        let fault = Fault { name: version.to_string(), program, standard: STANDARD, training, held_out };
        let outcome = held_out::repair(faultline, &fault, options.timeout)?;
        let judged = tally.add(&outcome);
        table.row([
            fault.name,
            lines.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
            count.to_string(),
            outcome.change.unwrap_or_default(),
            judged.to_owned(),
            format!("{:.2}", outcome.seconds),
        ]);
    }
    print!("{table}");
    let Tally { repaired, right, mut seconds } = tally;
    let count = seconds.len();
    println!(
        "{repaired} of {count} repaired by {} tests, {right} of {count} right on all others; median {:.2} s",
        options.sample,
        median(&mut seconds)
    );
    table.write_tsv(&results.join("autodebug-tcas.tsv"))?;
    Ok(count > 0)
}
