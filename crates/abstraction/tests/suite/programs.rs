//! C programs that say themselves what must be proved.
//!
//! A comment `// proved: kind, kind; open: kind` speaks about the checks of its line: all of a proved kind
//! are proved or never reached, of an open kind at least one is not. A check that is open on a line
//! that does not expect it fails the test. `never reached` means that no check of the line can be reached.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use abstraction::{Options, analyse_in_stages};
use program::exec::ViolationKind;

/// Per line: the kinds that are proved, the kinds that are open, and whether it is never reached.
#[derive(Default)]
struct Expected {
    proved: BTreeSet<String>,
    open: BTreeSet<String>,
    never: bool,
}

fn expectations(text: &str) -> BTreeMap<u32, Expected> {
    let mut lines = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//") else { continue };
        let mut expected = Expected { never: comment.contains("never reached"), ..Expected::default() };
        for part in comment.split(';') {
            let Some((word, kinds)) = part.split_once(':') else { continue };
            let kinds = kinds.split(',').map(|kind| kind.trim().to_owned());
            match word.trim() {
                "proved" => expected.proved.extend(kinds),
                "open" => expected.open.extend(kinds),
                _ => {}
            }
        }
        lines.insert(index as u32 + 1, expected);
    }
    lines
}

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let reading = frontend::Options { files: vec![path], ..frontend::Options::default() };
    let program = frontend::read(&reading).unwrap_or_else(|error| panic!("{error}"));
    let analysis = analyse_in_stages(&program, &Options::default());
    assert_eq!(analysis.given_up(), None);
    let mut found: BTreeMap<(u32, String), bool> = BTreeMap::new();
    for (check, verdict) in analysis.checks().iter() {
        let line = program.place(verdict.site).map_or(0, |place| place.position.line);
        *found.entry((line, check.kind.name().to_owned())).or_insert(true) &= verdict.proved;
    }
    let expected = expectations(&text);
    let mut wrong = Vec::new();
    for (line, expected) in &expected {
        for kind in &expected.proved {
            assert!(ViolationKind::from_name(kind).is_some(), "{name}:{line}: there is no kind `{kind}`");
            if found.get(&(*line, kind.clone())) == Some(&false) {
                wrong.push(format!("{name}:{line}: {kind} is not proved"));
            }
        }
        for kind in &expected.open {
            if found.get(&(*line, kind.clone())) != Some(&false) {
                wrong.push(format!("{name}:{line}: {kind} is not open"));
            }
        }
        if expected.never && found.keys().any(|(at, _)| at == line) {
            wrong.push(format!("{name}:{line} is reached"));
        }
    }
    for ((line, kind), proved) in &found {
        if !proved && !expected.get(line).is_some_and(|expected| expected.open.contains(kind)) {
            wrong.push(format!("{name}:{line}: {kind} is open, and nothing expects it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sum_with_one_element_too_many() {
    check("sum.c");
}

#[test]
fn loops_over_arrays() {
    check("arrays.c");
}

#[test]
fn loops_over_strings() {
    check("strings.c");
}

#[test]
fn machine_integers() {
    check("machine.c");
}

#[test]
fn pointers_and_calls() {
    check("pointers.c");
}
