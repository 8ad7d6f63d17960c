//! Fixes from the command line: the patch is shown, can be applied, and mends the program.

use std::fs;

use tempfile::TempDir;

use crate::process::{Finished, faultline, finish, root};

const FAULTY: &str =
    "int main(void)\n{\n    int a[4], i;\n    for (i = 0; i <= 4; i++)\n        a[i] = i;\n    return a[0];\n}\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    fs::write(folder.path().join("fill.c"), FAULTY).expect("a file can be written");
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Finished {
    finish(faultline(arguments).current_dir(folder.path()), b"")
}

#[track_caller]
fn expect(run: &Finished, status: i32, parts: &[&str]) {
    let stderr = run.stderr_text();
    assert_eq!(run.status, status, "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
    }
}

#[test]
fn the_patch_is_shown_and_applied() {
    let folder = folder();
    let localize = ["localize", "fill.c", "--engine", "ped"];
    let shown = run(&folder, &localize);
    expect(&shown, 1, &["suspect 1 of", "`<=` becomes `<`", "proved", "+    for (i = 0; i < 4; i++)", "--apply"]);
    assert_eq!(fs::read_to_string(folder.path().join("fill.c")).unwrap(), FAULTY);

    let applied = run(&folder, &[&localize[..], &["--apply"]].concat());
    expect(&applied, 1, &["wrote the patch into fill.c"]);
    assert_eq!(fs::read_to_string(folder.path().join("fill.c")).unwrap(), FAULTY.replace("<=", "<"));
    expect(&run(&folder, &["run", "fill.c"]), 0, &[]);
    expect(&run(&folder, &localize), 0, &["did not fail"]);
}

/// Without the comparison's alternatives another patch is the first.
#[test]
fn a_project_has_its_own_alternatives() {
    let folder = folder();
    let localize = ["localize", "fill.c", "--engine", "ped", "--annotations", "own.toml"];
    let own = "[operators]\n\"<=\" = { \"<\" = 0, \">\" = 0, \">=\" = 0, \"==\" = 0, \"!=\" = 0 }\n";
    fs::write(folder.path().join("own.toml"), own).unwrap();
    let other = run(&folder, &localize);
    expect(&other, 1, &["suspect 1 of"]);
    assert!(!other.stderr_text().contains("`<=` becomes `<`"), "{}", other.stderr_text());

    fs::write(folder.path().join("own.toml"), "[operators]\n\"<=\" = { \"<\" = 1000 }\n").unwrap();
    expect(&run(&folder, &localize), 2, &["own.toml:2:"]);
    expect(&run(&folder, &["localize", "fill.c", "--engine", "ped", "--annotations", "none.toml"]), 2, &["none.toml"]);
    expect(&run(&folder, &["localize", "fill.c", "--apply"]), 2, &["--engine ped"]);
}

/// Each part of a configuration can be taken out and put in by itself.
#[test]
fn parts_are_switched_one_by_one() {
    let folder = folder();
    let file = root().join("tests/programs/ped/sum_of_array.c").display().to_string();
    let places = |parts: &str| {
        let found = run(&folder, &["localize", &file, "--engine", "ped", "--ped", parts, "--format", "json"]);
        assert_eq!(found.status, 1, "{}", found.stderr_text());
        let report: serde_json::Value = serde_json::from_slice(&found.stdout).expect("the report is JSON");
        let suspects = report["diagnosis"]["suspects"].as_array().cloned().unwrap_or_default();
        let place = |it: &serde_json::Value| (it["line"].as_u64(), it["column"].as_u64());
        suspects.iter().map(place).collect::<Vec<_>>()
    };
    let (trusted, untrusted) = (places("trusted"), places("trusted,no-trust"));
    assert!(trusted.len() < untrusted.len(), "{trusted:?} {untrusted:?}");
    assert_eq!(untrusted, places("invariants"));
    assert_eq!(places("trusted,fixes=1").len(), 1);
    for wrong in ["trused", "trusted,correlations", "trusted,changes=0", "trusted,no-invariants"] {
        let last = wrong.rsplit(',').next().unwrap_or(wrong).trim_start_matches("no-");
        let last = last.split('=').next().unwrap_or(last);
        expect(&run(&folder, &["localize", "fill.c", "--engine", "ped", "--ped", wrong]), 2, &["--ped", last]);
    }
}
