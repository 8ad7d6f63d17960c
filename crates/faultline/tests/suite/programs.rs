//! All programs under `tests/programs`: what they print, and which violation is found where.

use serde_json::Value;
use similar::TextDiff;

use crate::expectations::{Case, Expected, Native, with_output, with_violations};
use crate::process::{Finished, faultline, finish, in_parallel, report_all, root};

/// Lines of a difference that are shown.
const SHOWN: usize = 30;

#[test]
fn programs_do_what_their_native_binaries_do() {
    let root = root();
    let mut cases = with_output(&root, "tests/programs/io");
    cases.extend(with_output(&root, "tests/programs/fine"));
    let complaints = in_parallel(&cases, |(case, native)| {
        let line = case.command_line();
        let options = ["--exit-status", "--quiet", "--timeout", "120s"].map(str::to_owned);
        let line = [&line[..1], &options[..], &line[1..]].concat();
        compare(case, native, &finish(&mut faultline(line), &case.stdin))
    });
    report_all("programs", cases.len(), complaints.into_iter().flatten().collect());
}

fn compare(case: &Case, native: &Native, ours: &Finished) -> Option<String> {
    let mut complaint = String::new();
    let stderr = ours.stderr_text();
    let findings: Vec<&str> =
        stderr.lines().filter(|line| line.starts_with("error") || line.starts_with("inconclusive")).collect();
    if !findings.is_empty() {
        complaint.push_str(&format!("{}\n", findings.join("\n")));
    }
    if ours.status != native.status {
        complaint.push_str(&format!("exit status {}, expected {}\n", ours.status, native.status));
    }
    if native.stdout.as_ref().is_some_and(|expected| *expected != ours.stdout) {
        let expected = String::from_utf8_lossy(native.stdout.as_deref().unwrap_or_default()).into_owned();
        let difference = TextDiff::from_lines(&expected, &ours.stdout_text()).unified_diff().to_string();
        complaint.extend(difference.lines().skip(1).take(SHOWN).map(|line| format!("{line}\n")));
    }
    (!complaint.is_empty()).then(|| format!("== {}\n{complaint}", case.name))
}

#[test]
fn violations_are_found_on_their_lines_and_no_others() {
    let cases = with_violations(&root(), "tests/programs/fail");
    let complaints = in_parallel(&cases, |(case, expected)| {
        let line = case.command_line();
        let options = ["--format", "json", "--timeout", "120s"].map(str::to_owned);
        let line = [&line[..1], &options[..], &line[1..]].concat();
        judge(case, expected, &finish(&mut faultline(line), &case.stdin))
    });
    report_all("programs", cases.len(), complaints.into_iter().flatten().collect());
}

/// What fails without any input is never called proved, whatever proves it.
#[test]
fn no_failing_program_is_proved() {
    let mut cases = with_violations(&root(), "tests/programs/fail");
    cases.retain(|(case, _)| case.stdin.is_empty() && case.arguments.is_empty() && case.options.is_empty());
    let complaints = in_parallel(&cases, |(case, _)| {
        let ours = finish(&mut faultline(case.check_line(&["--quiet", "--timeout", "700ms"])), b"");
        let words = || format!("== {}\n{}{}", case.name, ours.stdout_text(), ours.stderr_text());
        (ours.status != 1 && ours.status != 3).then(words)
    });
    report_all("programs", cases.len(), complaints.into_iter().flatten().collect());
}

/// A run ends at its first violation, so one of the announced ones is enough; another one is one too many.
fn judge(case: &Case, expected: &[Expected], ours: &Finished) -> Option<String> {
    let complain = |words: String| Some(format!("== {}\n{words}\n", case.name));
    let Ok(document) = serde_json::from_slice::<Value>(&ours.stdout) else {
        return complain(format!("exit status {}\n{}", ours.status, ours.stderr_text()));
    };
    let failures = document["failures"].as_array().cloned().unwrap_or_default();
    let found: Vec<Expected> = failures.iter().map(found_at).collect();
    if ours.status == 1 && found.len() == 1 && expected.contains(&found[0]) {
        return None;
    }
    let reasons = &document["reasons"];
    let message = failures.first().map_or(reasons, |failure| &failure["message"]);
    complain(format!("expected {expected:?}\nfound    {found:?} {message}"))
}

fn found_at(failure: &Value) -> Expected {
    Expected {
        line: failure["place"]["line"].as_u64().unwrap_or(0),
        kind: failure["kind"].as_str().unwrap_or_default().to_owned(),
    }
}
