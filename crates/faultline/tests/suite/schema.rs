//! JSON reports are what their schema says.

use std::fs;

use serde_json::Value;

use crate::process::{faultline, finish, in_parallel, report_all, root};

/// Command lines whose reports together have every part of the schema.
pub const RUNS: &[(&str, &[&str])] = &[
    ("fault", &["run", "tests/programs/fail/double_free_simple.c"]),
    ("inputs", &["run", "tests/programs/fail/div_zero_nondet.c", "--nondet", "10,3"]),
    ("arguments", &["run", "examples/average.c", "--format", "json", "--", "71", "64", "88"]),
    ("no fault", &["run", "tests/programs/io/ackermann.c"]),
    ("exit status", &["run", "examples/average.c"]),
    ("limit", &["run", "tests/programs/io/ackermann.c", "--max-steps", "10"]),
    ("violated", &["check", "tests/programs/check/average.c"]),
    ("several properties", &["check", "tests/programs/check/two_faults.c", "--all", "--traces", "2"]),
    ("proved", &["check", "tests/programs/check/proved_clamp.c"]),
    ("bounded", &["check", "tests/programs/check/open_loop.c", "--bound", "4"]),
    ("unknown", &["check", "tests/programs/check/proved_clamp.c", "--property", "tests/programs/check/memsafety.prp"]),
    ("suspects", &["localize", "examples/average.c", "--format", "json", "--why-not", "all", "--", "71", "64", "88"]),
    ("repair", &["repair", "tests/programs/repair/figure1.c", "--function", "max", "--size", "2"]),
    ("met", &["repair", "tests/programs/repair/sum.c", "--function", "sum", "--size", "1"]),
    ("fixes", &["localize", "tests/programs/ped/sum_of_array.c", "--engine", "ped"]),
];

#[test]
fn reports_follow_their_schema() {
    let text = fs::read_to_string(root().join("docs/schema/faultline-1.schema.json")).expect("the schema is there");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let complaints = in_parallel(RUNS, |(name, arguments)| {
        let format: &[&str] = if arguments.contains(&"--format") { &[] } else { &["--format", "json"] };
        let arguments = arguments.iter().chain(format);
        let run = finish(&mut faultline(arguments), b"");
        let document: Value = match serde_json::from_slice(&run.stdout) {
            Ok(document) => document,
            Err(error) => return Some(format!("== {name}\nno JSON: {error}\n{}", run.stderr_text())),
        };
        let errors: Vec<String> =
            validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
        (!errors.is_empty()).then(|| format!("== {name}\n{}", errors.join("\n")))
    });
    report_all("reports", RUNS.len(), complaints.into_iter().flatten().collect());
}
