//! The formats for editors and other programs, as files beside the programs.
//!
//! With `FAULTLINE_BLESS=1` in the environment the files are written instead of compared.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use similar::TextDiff;

use crate::golden::blessing;
use crate::process::{faultline, finish, in_parallel, report_all, root};
use crate::schema::RUNS;

/// Golden files with the command lines that write them.
const GOLDEN: &[(&str, &[&str])] = &[
    (
        "tests/programs/check/two_faults.gcc",
        &["check", "tests/programs/check/two_faults.c", "--all", "--format", "gcc"],
    ),
    (
        "tests/programs/check/two_faults.sarif",
        &["check", "tests/programs/check/two_faults.c", "--all", "--format", "sarif"],
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

/// SARIF's own schema, from the crate whose types we write.
fn sarif_schema() -> Value {
    let cargo = finish(Command::new("cargo").args(["metadata", "--format-version", "1"]).current_dir(root()), b"");
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("cargo knows its packages");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let package = packages.iter().find(|it| it["name"] == "serde-sarif").expect("the crate is one of them");
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("it has a manifest"));
    let schema = fs::read_to_string(manifest.with_file_name("src/schema.json")).expect("the crate has the schema");
    let mut schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    // Their pattern has a bracket that closes nothing, which strict readers of regular expressions refuse.
    for definition in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][definition]["properties"]["language"];
        language.as_object_mut().expect("it is described").remove("pattern");
    }
    schema
}

#[test]
fn sarif_follows_its_schema() {
    let validator = jsonschema::validator_for(&sarif_schema()).expect("the schema is a schema");
    let complaints = in_parallel(RUNS, |(name, arguments)| {
        let arguments: Vec<&str> = arguments.iter().map(|it| if *it == "json" { "sarif" } else { *it }).collect();
        let format: &[&str] = if arguments.contains(&"--format") { &[] } else { &["--format", "sarif"] };
        let run = finish(&mut faultline(arguments.iter().chain(format)), b"");
        let log: Value = match serde_json::from_slice(&run.stdout) {
            Ok(log) => log,
            Err(error) => return Some(format!("== {name}\nno JSON: {error}\n{}", run.stderr_text())),
        };
        let mut errors: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        if log["runs"][0]["invocations"][0]["exitCode"] != run.status {
            errors.push(format!("the exit status is {}", run.status));
        }
        (!errors.is_empty()).then(|| format!("== {name}\n{}", errors.join("\n")))
    });
    report_all("logs", RUNS.len(), complaints.into_iter().flatten().collect());
}

/// A saved document gives the same bytes as the run that saved it.
#[test]
fn saved_reports_are_shown_again() {
    let folder = tempfile::tempdir().expect("there is a folder for files");
    let saved = folder.path().join("saved.json").display().to_string();
    let check = ["check", "tests/programs/check/two_faults.c", "--all", "--format"];
    let direct = |format: &str| finish(&mut faultline(check.iter().copied().chain([format])), b"");
    fs::write(&saved, direct("json").stdout).expect("the report can be written");
    for format in ["json", "sarif", "html", "gcc", "text"] {
        let again = finish(&mut faultline(["report", &saved, &format!("--{format}")]), b"");
        assert_eq!(again.status, 1, "{}", again.stderr_text());
        let run = direct(format);
        match format {
            // Where nobody runs a program, there is no output of one that the report must not be mixed with.
            "text" => assert_eq!(again.stdout_text(), format!("{}{}", run.stderr_text(), run.stdout_text())),
            _ => assert!(again.stdout == run.stdout, "{format} differs"),
        }
    }
    let text = fs::read_to_string(&saved).expect("the report is there");
    let refuse = |text: String, words: &str| {
        fs::write(&saved, text).expect("the report can be written");
        let run = finish(&mut faultline(["report", &saved, "--html"]), b"");
        assert_eq!((run.status, run.stderr_text().contains(words)), (2, true), "{}", run.stderr_text());
    };
    refuse(text.replace("\"sha256\": \"", "\"sha256\": \"0"), "has changed since the report was made");
    refuse(text.replace("faultline/1", "faultline/2"), "follows the schema `faultline/2`");
    refuse("int main(void) {}".to_owned(), "this is no report");
    fs::write(&saved, &text).expect("the report can be written");
    let base = folder.path().display().to_string();
    let run = finish(&mut faultline(["report", &saved, "--base", &base]), b"");
    assert!(run.status == 1 && run.stderr_text().contains("two_faults.c cannot be read"), "{}", run.stderr_text());
}

#[test]
fn shells_and_man_know_the_command_line() {
    for shell in ["bash", "zsh", "fish"] {
        let run = finish(&mut faultline(["completions", shell]), b"");
        assert!(run.status == 0 && run.stdout_text().contains("why-not"), "{shell}: {}", run.stderr_text());
    }
    let script = finish(&mut faultline(["completions", "bash"]), b"");
    let bash = finish(Command::new("bash").args(["-n"]), &script.stdout);
    assert_eq!((bash.status, bash.stderr_text()), (0, String::new()));
    let page = finish(&mut faultline(["man"]), b"").stdout_text();
    assert!(page.contains(".TH faultline 1") && page.contains("localize"), "{page}");
    let page = finish(&mut faultline(["man", "check"]), b"").stdout_text();
    assert!(page.contains("bound") && page.contains("Boogie"), "{page}");
    let run = finish(&mut faultline(["man", "nothing"]), b"");
    assert!(run.status == 2 && run.stderr_text().contains("name one of"), "{}", run.stderr_text());
}
