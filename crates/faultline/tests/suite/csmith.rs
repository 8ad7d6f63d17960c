//! A sample of random programs, compared with native code.
//!
//! Csmith's programs print checksums of their globals and have no undefined behaviour. A seed determines
//! its program, so the sample is fixed. `cargo xtask bench csmith` does the same for any number of seeds
//! and shows where results differ; its `GENERATOR` in xtask/src/bench/csmith.rs and the one here are the
//! same list.

use std::path::Path;
use std::process::Command;

use crate::process::{Finished, faultline, finish, in_parallel, report_all};

const SEEDS: std::ops::RangeInclusive<u64> = 1..=100;
/// Programs that must be left after those that do not end natively.
const LEAST_COMPARED: usize = 80;

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
const FLOAT_EVERY: u64 = 4;
const INCLUDE: &str = "-I/usr/include/csmith";

enum Result {
    Same,
    /// The native program does not end soon, so there is nothing to compare with.
    NoNative,
    Different(String),
}

#[test]
fn random_programs_print_the_same_as_native_ones() {
    let seeds: Vec<u64> = SEEDS.collect();
    let results = in_parallel(&seeds, |&seed| compare(seed));
    let compared = results.iter().filter(|result| !matches!(result, Result::NoNative)).count();
    assert!(compared >= LEAST_COMPARED, "only {compared} of {} programs end natively", seeds.len());
    let complaint = |(seed, result): (&u64, Result)| match result {
        Result::Different(words) => Some(format!("== seed {seed}\n{words}\n")),
        _ => None,
    };
    report_all("random programs", compared, seeds.iter().zip(results).filter_map(complaint).collect());
}

fn compare(seed: u64) -> Result {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    generate(seed, folder);
    let Some(native) = run_natively(folder) else { return Result::NoNative };
    // The argument makes the program print the checksum after each global: the first line that differs
    // names the variable.
    let mut command = faultline(["run", "--timeout", "120s", "program.c", INCLUDE, "--", "1"]);
    let ours = finish(command.current_dir(folder), b"");
    if ours.status == 0 && ours.stdout == native.stdout {
        return Result::Same;
    }
    let line = first_difference(&native.stdout_text(), &ours.stdout_text());
    Result::Different(format!("exit status {}, {line}\n{}", ours.status, ours.stderr_text()))
}

fn generate(seed: u64, folder: &Path) {
    let mut command = Command::new("csmith");
    command.args(GENERATOR).args(["--seed", &seed.to_string(), "--output", "program.c"]).current_dir(folder);
    if seed.is_multiple_of(FLOAT_EVERY) {
        command.arg("--float");
    }
    let generated = finish(&mut command, b"");
    assert_eq!(generated.status, 0, "csmith fails on seed {seed}: {}", generated.stderr_text());
}

fn run_natively(folder: &Path) -> Option<Finished> {
    let mut compiler = Command::new("gcc");
    compiler.args(["-w", "-O1", "-ffp-contract=off", "-fwrapv", INCLUDE, "program.c", "-o", "program", "-lm"]);
    let compiled = finish(compiler.current_dir(folder), b"");
    assert_eq!(compiled.status, 0, "gcc does not compile it: {}", compiled.stderr_text());
    let native = finish(Command::new("timeout").args(["2", "./program", "1"]).current_dir(folder), b"");
    (native.status == 0).then_some(native)
}

fn first_difference(native: &str, ours: &str) -> String {
    let pairs = native.lines().map(Some).chain(std::iter::repeat(None)).zip(ours.lines().map(Some).chain([None]));
    let different = pairs.into_iter().find(|(native, ours)| native != ours);
    different.map_or_else(String::new, |(native, ours)| {
        format!("native: {}, ours: {}", native.unwrap_or("the end"), ours.unwrap_or("the end"))
    })
}
