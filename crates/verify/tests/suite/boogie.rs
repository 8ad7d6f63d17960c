//! Boogie programs with the verdict and the failing lines that they say themselves, see
//! `tests/programs/boogie/README.md`; and random ones, on which bounded model checking and exhaustive
//! execution must agree.

use std::collections::BTreeSet;
use std::path::Path;

use frontend::boogie::{self, Role, StopReason, Translation};
use logic::control_flow::LocationId;
use verify::graph_check::{self, Options, Report, Verdict};

fn check(translation: &mut Translation, max_bound: u32) -> Report {
    let stops: Vec<LocationId> = translation.stops.iter().map(|it| it.location).collect();
    let options = Options { max_bound, all_violations: true, ..Options::default() };
    graph_check::check(&mut translation.terms, &translation.graph, &stops, &options)
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Requires => "precondition",
        Role::Ensures => "postcondition",
        Role::Invariant => "invariant",
        _ => "assertion",
    }
}

/// The verdict's word, and each failing line with what fails there.
fn outcome(text: &str, max_bound: u32) -> (String, BTreeSet<(usize, String)>) {
    let options = boogie::Options { recursion: 8, ..boogie::Options::default() };
    let mut translation = boogie::translate(text, &options).unwrap_or_else(|error| panic!("{error}"));
    let report = check(&mut translation, max_bound);
    let verdict = match report.verdict {
        Verdict::Proved => "proved",
        Verdict::Violated => "violated",
        Verdict::Bounded(_) => "bounded",
        Verdict::Unknown(_) => "unknown",
    };
    let line = |offset: u32| text[..offset as usize].matches('\n').count() + 1;
    let failing = report.traces.iter().map(|trace| {
        let origin = translation.origin(trace.statements.last().expect("a trace has steps").origin);
        (line(origin.extent.start), role_name(origin.role).to_owned())
    });
    (verdict.to_owned(), failing.collect())
}

#[test]
fn programs_do_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/boogie");
    let mut problems = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none_or(|it| it != "bpl") {
            continue;
        }
        count += 1;
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut words = text.lines().next().unwrap_or_default().trim_start_matches("// verdict:").split_whitespace();
        let expected = words.next().unwrap_or_default();
        let bound = words.next().and_then(|it| it.parse().ok()).unwrap_or(1000);
        let lines: BTreeSet<(usize, String)> = (text.lines().enumerate())
            .filter_map(|(index, line)| line.split_once("//~").map(|(_, what)| (index + 1, what.trim().to_owned())))
            .collect();
        let (verdict, failing) = outcome(&text, bound);
        if verdict != expected || failing != lines {
            problems.push(format!("{name}: expected {expected} {lines:?}, found {verdict} {failing:?}"));
        }
    }
    assert!(count > 20, "only {count} programs");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_stop_is_told_where_it_is_reached() {
    let text = "procedure p(x: int) { if (x == 1) { call p(x); } assert x != 1; }";
    let options = boogie::Options { recursion: 1, ..boogie::Options::default() };
    let mut translation = boogie::translate(text, &options).expect("it is a program");
    let report = check(&mut translation, 10);
    assert_eq!(report.reached_stops.len(), 1);
    let reason = &translation.stops[report.reached_stops[0]].reason;
    assert!(matches!(reason, StopReason::Recursion { procedure, .. } if procedure == "p"));
}

#[test]
fn random_programs() {
    let mut failing = 0;
    for seed in 0..150 {
        let text = crate::guarded::program(seed);
        let mut translation = boogie::translate(&text, &boogie::Options::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let reachable = crate::guarded::reachable_errors(&translation.terms, &translation.graph);
        let report = check(&mut translation, 40);
        let found: BTreeSet<LocationId> = report.traces.iter().map(|it| it.error).collect();
        assert_eq!(found, reachable, "seed {seed}: {:?}\n{text}", report.verdict);
        assert!(!matches!(report.verdict, Verdict::Unknown(_)), "seed {seed}: {:?}", report.verdict);
        failing += usize::from(!found.is_empty());
    }
    // Neither kind may be missing, or the test says nothing.
    assert!((20..145).contains(&failing), "{failing} programs fail");
}
