//! Program-level relevance from the command line: what all error traces blame ("Simple bugs", Figure 2).

use crate::process::{faultline, finish};

const PROGRAM: &str = "tests/programs/localize/stop_requested.c";
const BOOGIE: &str = "tests/programs/boogie/stop_on_request.bpl";

/// The source of each suspect, and the notes.
fn suspects(program: &str, options: &[&str]) -> (Vec<String>, Vec<String>) {
    let run = finish(&mut faultline([&["localize", program, "--format", "json"], options].concat()), b"");
    let document: serde_json::Value =
        serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr_text()));
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let diagnosis = if document["diagnosis"].is_object() { &document["diagnosis"] } else { &document };
    let found = list(&diagnosis["suspects"]).iter().map(|it| text(&it["text"])).collect();
    (found, list(&diagnosis["notes"]).iter().map(text).collect())
}

#[test]
fn only_what_every_trace_blames_is_relevant_in_the_program() {
    let has = |found: &[String], what: &str| found.iter().any(|it| it.contains(what));
    let (requested, _) = suspects(PROGRAM, &["--nondet", "1"]);
    assert!(has(&requested, "stop_on_request = 0") && has(&requested, "__VERIFIER_nondet_int()"), "{requested:?}");
    let (program, notes) = suspects(PROGRAM, &["--traces", "multi"]);
    assert!(!has(&program, "stop_on_request = 0"), "{program:?}");
    assert!(has(&program, "i = 1") && has(&program, "__VERIFIER_nondet_int()"), "{program:?} {notes:?}");
    assert!(notes.iter().any(|it| it.contains("error traces; every other failing run")), "{notes:?}");
}

#[test]
fn the_same_for_boogie() {
    let (mut program, notes) = suspects(BOOGIE, &["--traces", "multi"]);
    program.sort();
    assert_eq!(program, ["havoc stopRequested;", "i := 1;"]);
    assert_eq!(notes[0], "this rests on 2 error traces; every other failing run resembles one of them");
}

#[test]
fn contradictions_are_refused() {
    for options in [&["--nondet", "1"][..], &["--engine", "ped"]] {
        let run = finish(&mut faultline([&["localize", PROGRAM, "--traces", "multi"], options].concat()), b"");
        assert_eq!(run.status, 2, "{}", run.stderr_text());
        assert!(run.stderr_text().contains("--traces multi"), "{}", run.stderr_text());
    }
}
