//! `faultline check`: the programs under `tests/programs/check`, its options, its mistakes, what it exports.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use similar::TextDiff;
use tempfile::TempDir;

use crate::expectations::{Case, Expected, checked};
use crate::process::{Finished, faultline, finish, in_parallel, report_all, root};

/// Programs whose traces are compared word by word.
const GOLDEN: &[&str] =
    &["average", "list_end", "overflow_sum", "use_after_free", "indeterminate", "two_faults", "unwritten_memory"];

/// Both ways: what is announced is found, and nothing else.
#[test]
fn programs_get_their_verdicts() {
    let cases = checked(&root());
    let complaints = in_parallel(&cases, |(case, verdict, expected)| {
        let line = case.check_line(&["--format", "json", "--timeout", "120s"]);
        judge(case, verdict, expected, &finish(&mut faultline(line), b""))
    });
    report_all("programs", cases.len(), complaints.into_iter().flatten().collect());
}

fn judge(case: &Case, verdict: &str, expected: &[Expected], ours: &Finished) -> Option<String> {
    let complain = |words: String| Some(format!("== {}\n{words}\n", case.name));
    let Ok(document) = serde_json::from_slice::<Value>(&ours.stdout) else {
        return complain(format!("exit status {}\n{}", ours.status, ours.stderr_text()));
    };
    let mut found: Vec<Expected> = document["failures"].as_array().into_iter().flatten().map(found_at).collect();
    found.sort();
    let status = match verdict {
        "violated" => 1,
        "proved" => 0,
        _ => 3,
    };
    let fits = document["verdict"] == *verdict && found == expected && ours.status == status;
    (!fits).then(|| complain(format!("expected {verdict} {expected:?}\nfound    {} {found:?}", document["verdict"])))?
}

fn found_at(failure: &Value) -> Expected {
    Expected {
        line: failure["place"]["line"].as_u64().unwrap_or(0),
        kind: failure["kind"].as_str().unwrap_or_default().to_owned(),
    }
}

#[test]
fn traces_are_the_expected_ones() {
    let root = root();
    let complaints = in_parallel(GOLDEN, |name| {
        let (case, _, _) = checked(&root).into_iter().find(|(case, ..)| case.name.ends_with(&format!("/{name}")))?;
        let run = finish(&mut faultline(case.check_line(&[])), b"");
        // Solvers may choose other inputs; these programs leave them no choice that is shown.
        let found = format!("{}{}", run.stderr_text(), run.stdout_text());
        let golden = root.join("tests/programs/check").join(name).with_extension("trace");
        if std::env::var_os("FAULTLINE_BLESS").is_some_and(|value| value == "1") {
            fs::write(&golden, found).expect("the golden file can be written");
            return None;
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        let difference = TextDiff::from_lines(&expected, &found).unified_diff().to_string();
        (found != expected).then(|| format!("== {name}\n{difference}"))
    });
    report_all("traces", GOLDEN.len(), complaints.into_iter().flatten().collect());
}

/// The steps of Figure 3 of the paper on proof-guided error diagnosis: eleven assignments to `i`, eleven
/// conditions, and the failure; before them the call, which the paper's program does not have.
#[test]
fn the_trace_of_the_paper() {
    let run = finish(&mut faultline(["check", "tests/programs/check/average.c", "--format", "json"]), b"");
    let document: Value = serde_json::from_slice(&run.stdout).expect("the report is JSON");
    let steps = document["failures"][0]["trace"]["steps"].as_array().expect("there is a trace");
    let kinds: Vec<&str> = steps.iter().filter_map(|step| step["kind"].as_str()).collect();
    let mut expected = vec!["call"];
    for _ in 0..11 {
        expected.extend(["statement", "condition"]);
    }
    expected.push("failure");
    assert_eq!(kinds, expected);
    assert_eq!(steps.len() - 1, 23);
    assert!(steps.iter().all(|step| !step["text"].as_str().is_some_and(|text| text.starts_with("s = "))));
}

/// The command that is shown makes the program fail again, at the same place.
#[test]
fn failures_can_be_repeated() {
    let cases: Vec<_> = checked(&root()).into_iter().filter(|(_, verdict, _)| verdict == "violated").collect();
    let complaints = in_parallel(&cases, |(case, _, expected)| {
        let run = finish(&mut faultline(case.check_line(&["--format", "json"])), b"");
        let document: Value = serde_json::from_slice(&run.stdout).ok()?;
        for failure in document["failures"].as_array()? {
            let command = failure["repeat"].as_str()?;
            let words = shell_words(command);
            let again = finish(&mut faultline(words[1..].iter().chain(["--format".into(), "json".into()].iter())), b"");
            let again: Value = serde_json::from_slice(&again.stdout).unwrap_or_default();
            let found = found_at(&again["failures"][0]);
            if !expected.contains(&found) || found != found_at(failure) {
                return Some(format!("== {}\n{command}\nfound {found:?}", case.name));
            }
        }
        None
    });
    report_all("failures", cases.len(), complaints.into_iter().flatten().collect());
}

fn shell_words(command: &str) -> Vec<String> {
    let script = format!("for word in {command}; do printf '%s\\n' \"$word\"; done");
    let output = Command::new("sh").arg("-c").arg(script).output().expect("a shell can be started");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// What `--harness` writes makes the compiled program fail, with both compilers.
#[test]
fn harnesses_fail_natively() {
    let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let programs: &[(&str, &[&str], &str)] = &[
        ("reach_error", &[], "reach_error is called"),
        ("average", &sanitizers, "stack-buffer-overflow"),
        ("overflow_sum", &sanitizers, "signed integer overflow"),
        ("use_after_free", &sanitizers, "heap-use-after-free"),
    ];
    let complaints = in_parallel(programs, |(name, flags, words)| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let program = format!("tests/programs/check/{name}.c");
        let harness = folder.path().join("harness.c").display().to_string();
        finish(&mut faultline(["check", &program, "--harness", &harness]), b"");
        for compiler in ["gcc", "clang-19"] {
            let binary = folder.path().join(compiler);
            let mut command = Command::new(compiler);
            command.args(*flags).args(["-g", "-w", "-o"]).arg(&binary).arg(root().join(&program)).arg(&harness);
            let compiled = finish(&mut command, b"");
            if compiled.status != 0 {
                return Some(format!("== {name}: {compiler} fails\n{}", compiled.stderr_text()));
            }
            let run = finish(&mut Command::new(&binary), b"");
            if run.status == 0 || !run.stderr_text().contains(words) {
                return Some(format!("== {name} by {compiler}: status {}\n{}", run.status, run.stderr_text()));
            }
        }
        None
    });
    report_all("harnesses", programs.len(), complaints.into_iter().flatten().collect());
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

fn check_in(folder: &Path, arguments: &[&str]) -> Finished {
    finish(faultline(["check"].iter().chain(arguments)).current_dir(folder), b"")
}

/// The exit status, and a part of what is said.
#[track_caller]
fn expect(run: &Finished, status: i32, part: &str) {
    let said = format!("{}{}", run.stderr_text(), run.stdout_text());
    assert_eq!(run.status, status, "{said}");
    assert!(said.contains(part), "`{part}` is not in:\n{said}");
    assert!(!said.contains("panicked") && !said.contains("bug in faultline"), "{said}");
}

const FINE: &[u8] = b"int main(void) { return 0; }\n";
/// Nothing ends this search but a limit.
const ENDLESS: &[u8] = b"extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), n = 0;
    while (a != 1) { a = a % 2 ? 3 * a + 1 : a / 2; n++; if (n == 4000000000u) return 1 / (n - 4000000000u); }
    return 0;
}
";

#[test]
fn mistakes() {
    let here = folder(&[
        ("fine.c", FINE),
        ("broken.c", b"int main(void) { return x; }\n"),
        ("binary.c", b"\x7fELF\x02\x01\x01\0\0\0\xff\xfe"),
        ("other.prp", b"this is no property\n"),
        ("empty.prp", b"\n"),
        ("termination.prp", b"CHECK( init(main()), LTL(F end) )\n"),
        ("library.c", b"int f(void) { return 0; }\n"),
    ]);
    let check = |arguments: &[&str]| check_in(here.path(), arguments);
    expect(&check(&["none.c"]), 2, "none.c");
    expect(&check(&["broken.c"]), 2, "broken.c:1");
    expect(&check(&["binary.c"]), 2, "binary.c");
    expect(&check(&["library.c"]), 2, "has no `main`");
    expect(&check(&["fine.c", "--timeout", "0"]), 2, "no time");
    expect(&check(&["fine.c", "--memory", "0"]), 2, "no room");
    expect(&check(&["fine.c", "--bound", "0"]), 2, "the least is 1");
    expect(&check(&["fine.c", "--traces", "0"]), 2, "the least is 1");
    expect(&check(&["fine.c", "--quiet", "--verbose"]), 2, "cannot be used with");
    expect(&check(&["fine.c", "--property", "none"]), 2, "all checks are off");
    expect(&check(&["fine.c", "--property", "termination"]), 2, "cannot be checked");
    expect(&check(&["fine.c", "--property", "beauty"]), 2, "there is no check `beauty`");
    expect(&check(&["fine.c", "--property", "none.prp"]), 2, "cannot read none.prp");
    expect(&check(&["fine.c", "--property", "other.prp"]), 2, "other.prp:1");
    expect(&check(&["fine.c", "--property", "empty.prp"]), 2, "has no property");
    expect(&check(&["fine.c", "--property", "termination.prp"]), 2, "nothing that can be checked");
    expect(&check(&["fine.c", "--output", "no/such/folder.json", "--format", "json"]), 2, "no/such/folder.json");
}

#[test]
fn properties_are_answered_one_by_one() {
    let arguments = |options: &[&str]| {
        ["check", "tests/programs/check/two_faults.c"]
            .iter()
            .chain(options)
            .map(|it| (*it).to_owned())
            .collect::<Vec<_>>()
    };
    let run = |options: &[&str]| finish(&mut faultline(arguments(options)), b"");
    let all = run(&["--all"]);
    expect(&all, 1, "unreach-call");
    let lines = all.stdout_text();
    let answer = |property: &str| {
        let line = lines.lines().find(|line| line.starts_with(&format!("{property} ")));
        line.and_then(|line| line.split_whitespace().nth(1)).map(str::to_owned)
    };
    assert_eq!(answer("unreach-call").as_deref(), Some("violated"), "{lines}");
    assert_eq!(answer("valid-deref").as_deref(), Some("violated"), "{lines}");
    assert_eq!(answer("no-overflow").as_deref(), Some("proved"), "{lines}");
    let one = run(&["--property", "none,valid-deref,no-overflow"]);
    expect(&one, 1, "no-overflow  unknown: the search ended at the first violation");
}

#[test]
fn property_files_say_what_is_checked() {
    let here = folder(&[
        ("leak.c", b"#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (p) *p = 1; return 0; }\n"),
        ("cleanup.prp", b"CHECK( init(main()), LTL(G valid-memcleanup) )\n"),
        ("memsafety.prp", b"CHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n"),
        ("unreach.prp", b"CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
    ]);
    expect(&check_in(here.path(), &["leak.c", "--property", "cleanup.prp"]), 1, "never freed");
    expect(&check_in(here.path(), &["leak.c", "--property", "unreach.prp"]), 0, "proved");
    expect(&check_in(here.path(), &["leak.c", "--property", "memsafety.prp"]), 3, "`valid-memtrack` is not checked");
}

/// Three inputs lead to the same division on different ways.
#[test]
fn several_traces_take_different_paths() {
    let program: &[u8] = b"extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), d = 1;
    if (x == 1) d = 0;
    if (x == 7) d = 0;
    if (x == 9) d = 0;
    return 10 / d;
}
";
    let here = folder(&[("ways.c", program)]);
    for (wanted, found) in [("1", 1), ("2", 2), ("3", 3), ("5", 3)] {
        let run = check_in(here.path(), &["ways.c", "--traces", wanted, "--format", "json"]);
        let document: Value = serde_json::from_slice(&run.stdout).expect("the report is JSON");
        let failures = document["failures"].as_array().cloned().unwrap_or_default();
        let mut inputs: Vec<&str> = failures.iter().filter_map(|it| it["inputs"][0]["value"].as_str()).collect();
        inputs.sort_unstable();
        inputs.dedup();
        assert_eq!((failures.len(), inputs.len()), (found, found), "{wanted}: {inputs:?}");
    }
}

#[test]
fn limits_give_what_is_known() {
    let here = folder(&[("endless.c", ENDLESS)]);
    expect(&check_in(here.path(), &["endless.c", "--timeout", "1s"]), 3, "");
    let bounded = check_in(here.path(), &["endless.c", "--bound", "2"]);
    expect(&bounded, 3, "bounded: no input makes the program fail while no loop goes back more than 2 times");
}

/// Ctrl-C ends the search with what is known, not without a word.
#[test]
fn interrupts_give_what_is_known() {
    let here = folder(&[("endless.c", ENDLESS)]);
    let mut command = faultline(["check", "endless.c"]);
    command.current_dir(here.path()).stdin(std::process::Stdio::null());
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn();
    let child = child.expect("faultline can be started");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("the child can be waited for");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.starts_with("bounded") || said.starts_with("unknown"), "{said}");
}

#[test]
fn reports_go_to_a_file_as_a_whole() {
    let here = folder(&[("fine.c", FINE)]);
    let run = check_in(here.path(), &["fine.c", "--format", "json", "--output", "report.json"]);
    expect(&run, 0, "");
    assert_eq!(run.stdout_text(), "");
    let document: Value = serde_json::from_slice(&fs::read(here.path().join("report.json")).unwrap()).unwrap();
    assert_eq!(document["verdict"], "proved");
    let run = check_in(here.path(), &["fine.c", "--output", "report.txt"]);
    expect(&run, 0, "");
    assert_eq!(
        fs::read_to_string(here.path().join("report.txt")).unwrap(),
        "proved: no input makes the program fail\nby abstract interpretation, whatever loops do\n"
    );
    let left: Vec<_> = fs::read_dir(here.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// No number of rounds is enough for the search; the index stays in bounds whatever the loop does.
const ANY_ROUNDS: &str = "unsigned __VERIFIER_nondet_uint(void);\nint main(void)\n{\n    int a[8] = {0}, s = 0;\n    \
                          unsigned n = __VERIFIER_nondet_uint();\n    for (unsigned i = 0; i < n; i++)\n        \
                          s ^= a[i % 8];\n    return s & 1;\n}\n";

/// The same, and an index that leaves the array after some rounds.
const ONE_OPEN: &str = "unsigned __VERIFIER_nondet_uint(void);\nint main(void)\n{\n    int a[8] = {0}, s = 0;\n    \
                        unsigned n = __VERIFIER_nondet_uint();\n    for (unsigned i = 0; i < n; i++)\n        \
                        s ^= a[i % 8] + a[i % 16 / 2 + 1];\n    return s & 1;\n}\n";

#[test]
fn what_is_proved_is_not_searched_for() {
    let here = folder(&[("any.c", ANY_ROUNDS.as_bytes()), ("open.c", ONE_OPEN.as_bytes())]);
    let run = check_in(here.path(), &["any.c"]);
    assert_eq!(run.status, 0, "{}", run.stderr_text());
    assert_eq!(
        run.stdout_text(),
        "proved: no input makes the program fail\nby abstract interpretation, whatever loops do\n"
    );
    let run = check_in(here.path(), &["any.c", "--no-analysis", "--bound", "4"]);
    assert_eq!(run.status, 3);
    assert!(run.stdout_text().starts_with("bounded"), "{}", run.stdout_text());

    let listed = |file: &str| {
        let run = check_in(here.path(), &[file, "--format", "json"]);
        let document: Value = serde_json::from_slice(&run.stdout).unwrap();
        let checks = document["proved"]["checks"].as_array().cloned().unwrap_or_default();
        let line_7 = |it: &&Value| it["place"]["line"] == 7 && it["kind"] == "array-index";
        let columns: Vec<Value> = checks.iter().filter(line_7).map(|it| it["place"]["column"].clone()).collect();
        (document["verdict"].clone(), document["proved"]["everything"].clone(), columns)
    };
    assert_eq!(listed("any.c"), ("proved".into(), true.into(), vec![14.into()]));
    // The second access of the line fails, and is not called proved.
    assert_eq!(listed("open.c"), ("violated".into(), false.into(), vec![14.into()]));
    let verbose = check_in(here.path(), &["any.c", "--verbose"]);
    assert!(verbose.stdout_text().contains("any.c:7:14: array-index is proved\n"), "{}", verbose.stdout_text());
}

/// A proof says nothing about what is defined nowhere, about recursion, or about leaks.
#[test]
fn what_cannot_be_proved_is_left_to_the_search() {
    let cases = [
        ("int f(void);\nint main(void) { int i; for (i = 0; i < 3; i++) f(); return 0; }\n", "unknown"),
        ("int f(unsigned n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(5); }\n", "proved"),
    ];
    for (text, verdict) in cases {
        let here = folder(&[("a.c", text.as_bytes())]);
        let run = check_in(here.path(), &["a.c", "--format", "json", "--timeout", "60s"]);
        let document: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(document["verdict"], verdict, "{text}{document:#}");
        assert_eq!(document["proved"]["everything"], false, "{text}");
    }
    let leak = "#include <stdlib.h>\nint main(void) { char *p = malloc(2); return p == 0; }\n";
    let here = folder(&[("leak.c", leak.as_bytes())]);
    assert_eq!(check_in(here.path(), &["leak.c"]).status, 0);
    assert_eq!(check_in(here.path(), &["leak.c", "--property", "leak"]).status, 1);
}
