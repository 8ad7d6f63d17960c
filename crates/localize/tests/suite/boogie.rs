//! Relevance on the papers' examples in Boogie, over unbounded integers: the statements that must be relevant.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use frontend::boogie::{self, Role, Translation};
use localize::relevance::{self, Finding, Options};
use logic::control_flow::{ErrorTrace, LocationId, Statement};
use verify::automata::{self, Budget};
use verify::graph_check;

/// Line and text of the relevant statements of each trace that is found.
fn relevant(name: &str) -> Vec<BTreeSet<String>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/boogie").join(name);
    let text = std::fs::read_to_string(file).unwrap();
    let mut translation = boogie::translate(&text, &boogie::Options::default()).unwrap();
    let stops: Vec<LocationId> = translation.stops.iter().map(|it| it.location).collect();
    let options = graph_check::Options { all_violations: true, ..graph_check::Options::default() };
    let found = graph_check::check(&mut translation.terms, &translation.graph, &stops, &options);
    found.traces.iter().map(|trace| of_trace(&mut translation, trace.statements.clone(), &text)).collect()
}

/// The same for each trace that trace abstraction finds; all there are.
fn relevant_in_all(name: &str) -> Vec<BTreeSet<String>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/boogie").join(name);
    let text = std::fs::read_to_string(file).unwrap();
    let mut translation = boogie::translate(&text, &boogie::Options::default()).unwrap();
    let budget = Budget::of_time(Duration::from_secs(60));
    let (found, _) = automata::error_traces(&mut translation.terms, &translation.graph, &budget, 20);
    assert!(found.complete, "{:?}", found.stopped);
    assert!(found.traces.iter().all(|it| it.replayed));
    let statements: Vec<Vec<Statement>> = found.traces.iter().map(|it| it.statements(&translation.graph)).collect();
    statements.into_iter().map(|it| of_trace(&mut translation, it, &text)).collect()
}

fn of_trace(translation: &mut Translation, statements: Vec<Statement>, text: &str) -> BTreeSet<String> {
    let trace = ErrorTrace { statements, checks: Vec::new(), axioms: translation.graph.axioms.clone() };
    let role = |statement: &usize| translation.origin(trace.statements[*statement].origin).role;
    let written = |statement: &usize| matches!(role(statement), Role::Assign | Role::Havoc);
    let candidates: Vec<usize> = relevance::assigning(&trace).into_iter().filter(written).collect();
    let findings = relevance::judge(&mut translation.terms, &trace, &candidates, &Options::default()).unwrap();
    let mut relevant = BTreeSet::new();
    for (statement, finding) in findings {
        let extent = translation.origin(trace.statements[statement].origin).extent;
        let line = text[..extent.start as usize].lines().count();
        let shown = format!("{line}: {}", text[extent.start as usize..extent.end as usize].trim_end_matches(';'));
        match finding {
            Finding::Relevant(_) => {
                relevant.insert(shown);
            }
            Finding::Irrelevant(_) => {}
            Finding::Unknown(why) => panic!("{shown}: {why}"),
        }
    }
    relevant
}

#[track_caller]
fn check(name: &str, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(relevant(name), [expected], "{name}");
}

#[test]
fn examples_of_the_draft() {
    check("draft_havoc_after_assignments.bpl", &["8: havoc z"]);
    check("draft_conjunction.bpl", &["6: havoc x"]);
    check("draft_assigned_twice.bpl", &["6: x := 7"]);
    check("draft_sums.bpl", &["5: x := x + y", "6: x := x + z"]);
    check("draft_flow.bpl", &["6: y := input - 42", "8: x := 0"]);
    check("draft_last_assignment.bpl", &["7: z := 3"]);
    check("draft_assumed_pair.bpl", &["5: y := 42", "6: havoc x"]);
    check("draft_unrelated_assignment.bpl", &["6: havoc x"]);
}

#[test]
fn figure_1() {
    check("pointers_shield.bpl", &["11: i := 1"]);
}

#[test]
fn figure_2() {
    let mut traces = relevant_in_all("stop_on_request.bpl");
    traces.sort_by_key(BTreeSet::len);
    let set = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<BTreeSet<String>>();
    let not_requested = set(&["12: i := 1", "19: havoc stopRequested"]);
    let requested = set(&["12: i := 1", "18: stopOnRequest := false", "19: havoc stopRequested"]);
    assert_eq!(traces, [not_requested, requested]);
}
