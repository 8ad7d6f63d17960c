//! The formats for editors and other programs, as files beside the programs.
//!
//! With `FAULTLINE_BLESS=1` in the environment the files are written instead of compared.

use std::fs;

use similar::TextDiff;

use crate::golden::blessing;
use crate::process::{faultline, finish, in_parallel, report_all, root};

/// Golden files with the command lines that write them.
const GOLDEN: &[(&str, &[&str])] = &[
    (
        "tests/programs/check/two_faults.gcc",
        &["check", "tests/programs/check/two_faults.c", "--all", "--format", "gcc"],
    ),
    ("tests/programs/check/average.gcc", &["run", "examples/average.c", "--format", "gcc", "--", "71", "64", "88"]),
];

#[test]
fn formats_are_the_expected_ones() {
    let complaints = in_parallel(GOLDEN, |(golden, arguments)| {
        let run = finish(&mut faultline(*arguments), b"");
        let (found, file) = (run.stdout_text(), root().join(golden));
        if blessing() {
            fs::write(&file, found).expect("the golden file can be written");
            return None;
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        let difference = TextDiff::from_lines(&expected, &found).unified_diff().to_string();
        (found != expected || run.status != 1)
            .then(|| format!("== {golden}: status {}\n{difference}{}", run.status, run.stderr_text()))
    });
    report_all("golden files", GOLDEN.len(), complaints.into_iter().flatten().collect());
}
