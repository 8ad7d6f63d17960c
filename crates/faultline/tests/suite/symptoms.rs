//! `faultline diagnose` on failures of several sorts: where the run ends, as far as it is known, is where the slice begins.

use std::fs;

use tempfile::TempDir;

use crate::process::{Finished, faultline, finish, root};

/// A program of `tests/programs/observe` built for observation, in a folder with an input on which it fails.
fn observed(name: &str, flags: &[&str], input: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = format!("{name}.c");
    fs::copy(root().join("tests/programs/observe").join(&source), folder.path().join(&source)).unwrap();
    fs::write(folder.path().join("input"), input).unwrap();
    let arguments = [&["cc", "-g", "-O1", source.as_str(), "-o", name], flags].concat();
    let built = finish(faultline(arguments).current_dir(folder.path()), b"");
    assert_eq!(built.status, 0, "{}", built.stderr_text());
    folder
}

fn diagnose(folder: &TempDir, options: &[&str], program: &str) -> Finished {
    let arguments = [&["diagnose", "--failing", "input"], options, &["--", program]].concat();
    finish(faultline(arguments).current_dir(folder.path()), b"")
}

#[track_caller]
fn ends_at(found: &Finished, place: &str, parts: &[&str]) {
    let stderr = found.stderr_text();
    assert_eq!(found.status, 1, "{stderr}");
    let lines: Vec<&str> = stderr.lines().collect();
    let ended = lines.iter().position(|line| line.ends_with("the run ends here")).unwrap_or_else(|| panic!("{stderr}"));
    let shown = lines[..ended].iter().rfind(|line| line.trim_start().starts_with("-->")).copied().unwrap_or_default();
    assert!(shown.contains(place), "{place} is not where the run ends:\n{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
    }
}

/// What is behind the copy is in the same record of the trace, though it was not reached.
#[test]
fn a_report_from_within_a_library_function() {
    let folder = observed("labels", &["-fsanitize=address"], "fragile glass\nthis side up, please\n");
    let found = diagnose(&folder, &[], "./labels");
    ends_at(&found, "labels.c:15:9", &["heap-buffer-overflow", "here the run failed", "malloc(24)"]);
}

/// What led to the free is on the way to the failure, and where it was freed, ways count that are on none.
#[test]
fn memory_that_was_freed() {
    let input = "use red\nuse blue\nuse red\nrelease blue\nrelease red\nrelease red\nuse green\n";
    let folder = observed("shared", &["-fsanitize=address"], input);
    let found = diagnose(&folder, &["--inputs", "runs"], "./shared");
    let parts =
        ["heap-use-after-free: reads 8 bytes of 24 that were freed", "freed here", "allocated here", "`free(item)`"];
    ends_at(&found, "shared.c:18:20", &parts);
    let stderr = found.stderr_text();
    assert!(stderr.contains("`item->next`\n  --> shared.c:36:17"), "{stderr}");

    fs::write(folder.path().join("input"), "use yellow\nuse lavender\ndrop yellow\ndrop lavender\n").unwrap();
    let found = diagnose(&folder, &["--inputs", "others"], "./shared");
    let parts = [
        "attempting double-free\n",
        "`free(it->name)`\n  --> shared.c:63:13",
        "here the memory was freed",
        // A part of a condition.
        "`strlen(name) > 6`\n  --> shared.c:64:33",
    ];
    ends_at(&found, "shared.c:65:17", &parts);
}

/// A division is no access, and nothing else in its line is one, either: the signal says where it was.
#[test]
fn a_division_by_zero() {
    let folder = observed("shares", &[], "3 of 7\n12 of 49\n5 of 1\n9 of 2\n");
    let found = diagnose(&folder, &[], "./shares");
    ends_at(&found, "shares.c:10:14", &["killed by SIGFPE", "`part * 100 / total`"]);
}

#[test]
fn a_program_that_does_not_end() {
    let folder = observed("steps", &[], "30 6\n7 9\n12 4\n");
    let options = ["--hang", "--run-timeout", "500ms", "--runs", "80", "--good-inputs", "4", "--bad-inputs", "1"];
    let found = diagnose(&folder, &options, "./steps");
    ends_at(&found, "steps.c:1", &["does not end in time", ", here 0", "steps.c:7"]);
}
