//! JSON reports are what their schema says.

use std::fs;

use serde_json::Value;

use crate::process::{faultline, finish, in_parallel, report_all, root};

/// Command lines whose reports together have every part of the schema.
const RUNS: &[(&str, &[&str])] = &[
    ("fault", &["tests/programs/fail/double_free_simple.c"]),
    ("inputs", &["tests/programs/fail/div_zero_nondet.c", "--nondet", "10,3"]),
    ("arguments", &["examples/average.c", "--", "71", "64", "88"]),
    ("no fault", &["tests/programs/io/ackermann.c"]),
    ("exit status", &["examples/average.c"]),
    ("limit", &["tests/programs/io/ackermann.c", "--max-steps", "10"]),
];

#[test]
fn reports_follow_their_schema() {
    let text = fs::read_to_string(root().join("docs/schema/faultline-1.schema.json")).expect("the schema is there");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let complaints = in_parallel(RUNS, |(name, arguments)| {
        let arguments = ["run", "--format", "json"].iter().chain(arguments.iter());
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
