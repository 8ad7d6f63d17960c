//! The engines on C programs: what relevance must suspect stands in the programs of `tests/programs/localize`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use diagnosis::Diagnosis;
use localize::engines::{self, Engine, Options};
use logic::solver::Interrupter;
use program::exec::{Checks, Discard, Inputs, Limits, NondetValue};
use verify::encode::encode;
use verify::encode::recording::record;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/localize")
}

/// Runs the program as its header says and asks an engine.
fn diagnose(file: &Path, engine: Engine) -> Diagnosis {
    diagnose_with(file, engine, &Options { why_not: vec![0], ..Options::default() })
}

fn diagnose_with(file: &Path, engine: Engine, options: &Options) -> Diagnosis {
    let text = std::fs::read_to_string(file).unwrap();
    let reading = frontend::Options { files: vec![file.to_owned()], ..frontend::Options::default() };
    let program = frontend::read(&reading).unwrap();
    let mut inputs = Inputs::default();
    let given = text.lines().find_map(|line| line.strip_prefix("// nondet: ")).unwrap_or_default();
    for value in given.split_whitespace() {
        let bits = value.parse::<i128>().unwrap() as u128;
        inputs.nondet.push(NondetValue { source: None, bits });
    }
    let checks = Checks::default();
    let (run, recording) = record(&program, &inputs, &Limits::default(), checks, &mut Discard);
    let violation = run.violation().unwrap_or_else(|| panic!("{} does not fail", file.display()));
    let mut encoded = encode(&program, checks, &recording, inputs.arguments.len(), violation).unwrap();
    engines::diagnose(&program, &mut encoded, engine, options).unwrap()
}

fn lines(diagnosis: &Diagnosis) -> BTreeSet<u32> {
    diagnosis.suspects.iter().filter_map(|suspect| suspect.place).map(|span| span.start.line).collect()
}

#[test]
fn relevance_suspects_what_it_must() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "c"));
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let marked = |(number, line): (usize, &str)| line.contains("//~ relevant").then_some(number as u32 + 1);
        let expected: BTreeSet<u32> = text.lines().enumerate().filter_map(marked).collect();
        let diagnosis = diagnose(file, Engine::Relevance);
        let found = lines(&diagnosis);
        if found != expected || diagnosis.undecided > 0 {
            let reasons: Vec<&str> = diagnosis.suspects.iter().map(|it| it.why.as_str()).collect();
            wrong.push(format!("{}: found {found:?}, expected {expected:?}\n{reasons:#?}", file.display()));
        }
    }
    assert!(files.len() >= 15, "the programs are missing");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reason_names_values_and_the_test() {
    let diagnosis = diagnose(&folder().join("assigned_twice.c"), Engine::Relevance);
    assert_eq!(
        diagnosis.suspects[0].why,
        "with `x = 100` here instead of 7, the test `assert(x > 10)` in line 8 would hold"
    );
    let cleared: Vec<&str> = diagnosis.cleared.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(cleared, ["`x` has no influence on the way to the failure from here"]);
}

#[test]
fn that_there_is_no_simple_fix_is_said() {
    let diagnosis = diagnose(&folder().join("no_simple_fix.c"), Engine::Relevance);
    assert!(diagnosis.suspects.is_empty());
    assert!(diagnosis.notes.iter().any(|note| note.starts_with("no simple fix exists on this trace")), "{diagnosis:?}");
}

#[test]
fn a_repaired_value_says_by_what() {
    let diagnosis = diagnose(&folder().join("repaired_by_a_choice.c"), Engine::Relevance);
    let cleared: Vec<&str> = diagnosis.cleared.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(cleared, ["whatever `first` is, a later input in line 9 can lead to the failure again"]);
}

#[test]
fn the_other_engines_on_the_branch() {
    let file = folder().join("branch.c");
    // `y = input - 42`, the branch, `x = 0`.
    assert_eq!(lines(&diagnose(&file, Engine::FlowSensitive)), [11, 12, 13].into());
    assert_eq!(lines(&diagnose(&file, Engine::MaxSat)), [11, 12, 13].into());
    assert_eq!(lines(&diagnose(&file, Engine::ErrorInvariants)), [13].into());
}

#[test]
fn error_invariants_take_the_first_of_two() {
    // As the draft says in section 3.1: the second assignment does not change the invariant.
    assert_eq!(lines(&diagnose(&folder().join("assigned_twice.c"), Engine::ErrorInvariants)), [6].into());
}

#[test]
fn error_invariants_go_through_all_rounds() {
    let diagnosis = diagnose(&folder().join("rounds.c"), Engine::ErrorInvariants);
    assert_eq!(lines(&diagnosis), [6, 7, 8, 10, 11].into());
    assert_eq!(diagnosis.notes, Vec::<String>::new());
}

#[test]
fn error_invariants_end_in_time_with_what_they_have() {
    let interrupter = Interrupter::new().until(Some(Instant::now()));
    let options = Options { interrupter, ..Options::default() };
    let diagnosis = diagnose_with(&folder().join("rounds.c"), Engine::ErrorInvariants, &options);
    assert_eq!(diagnosis.notes, ["there may be more before these: the time for one question is up"]);
}
