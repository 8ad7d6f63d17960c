//! The trace of a failing run is true to it: with the run's inputs, every assumption and check of the trace
//! holds, and every statement writes what the run wrote.
//!
//! On all programs of `tests/programs/fail`, and on random programs that fail.

use std::path::Path;

use logic::commands::Command;
use logic::evaluate::{Evaluator, Model};
use logic::smtlib;
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::{BitVector, Value};
use program::Program;
use program::exec::{Checks, Discard, Inputs, Limits, NondetValue, ViolationKind};
use program::generate::{self, Choices};
use proptest::prelude::*;
use verify::encode::origins::What;
use verify::encode::recording::record;
use verify::encode::{EncodeError, EncodedTrace, encode};

/// What the header comments of a test program say.
fn inputs(text: &str) -> (Inputs, Checks) {
    let header = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or_default().to_owned()
    };
    let mut inputs = Inputs::default();
    inputs.arguments.extend(header("args").split_whitespace().map(|it| it.as_bytes().to_vec()));
    inputs.stdin = header("stdin").replace("\\n", "\n").into_bytes();
    for value in header("nondet").split_whitespace() {
        let bits = value.parse::<i128>().unwrap_or(0) as u128;
        inputs.nondet.push(NondetValue { source: None, bits });
    }
    let leaks = header("flags").contains("leaks");
    let checks = if leaks { Checks::default().with(ViolationKind::Leak) } else { Checks::default() };
    (inputs, checks)
}

fn bits(value: &Value) -> Option<u128> {
    match value {
        Value::Bool(value) => Some(u128::from(*value)),
        value => value.as_bit_vector().and_then(|it| it.to_u128()),
    }
}

fn of_sort(sort: Sort, bits: u128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(bits & 1 == 1),
        Sort::BitVector(width) => Value::BitVector(BitVector::new(width, bits)),
        other => panic!("an input of sort {other:?}"),
    }
}

/// Executes the trace; the number of assumptions and checks that were met, or what is wrong.
fn execute(encoded: &EncodedTrace) -> Result<usize, String> {
    let EncodedTrace { terms, trace, places, inputs, .. } = encoded;
    let mut state = Model::new();
    let mut met = 0;
    let value_of = |state: &Model, term: TermId| Evaluator::new(terms, state).value(term);
    let mut checks = trace.checks.iter().peekable();
    for (number, statement) in trace.statements.iter().enumerate() {
        while let Some(check) = checks.next_if(|check| check.before <= number) {
            let place = places.get(check.origin);
            holds(terms, &state, check.holds).map_err(|why| format!("check {place:?}: {why}"))?;
            met += 1;
        }
        let place = places.get(statement.origin);
        match statement.command {
            Command::Assume { condition } => {
                holds(terms, &state, condition).map_err(|why| format!("statement {number} {place:?}: {why}"))?;
                met += 1;
            }
            Command::Havoc { variable } => {
                let given = inputs.iter().find(|it| it.0 == number).ok_or("an input without a value")?;
                state.assign(variable, of_sort(terms.sort(variable), given.1));
            }
            Command::Assign { variable, value } => {
                let written = statement.part.map_or(value, |part| part.written);
                let observed = place.and_then(|it| it.target.as_ref().map(|target| target.value));
                if let (Some(observed), Ok(found)) = (observed, value_of(&state, written))
                    && place.is_some_and(|it| it.what != What::Initial)
                    && bits(&found) != Some(observed)
                {
                    return Err(format!("statement {number} {place:?} writes {found:?}"));
                }
                let value =
                    value_of(&state, value).map_err(|error| format!("statement {number} {place:?}: {error}"))?;
                state.assign(variable, value);
            }
        }
    }
    Ok(met)
}

fn holds(terms: &Terms, state: &Model, condition: TermId) -> Result<(), String> {
    match Evaluator::new(terms, state).holds(condition) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("{} is false", smtlib::term(terms, condition))),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs, records, encodes and executes; what the encoder does not follow is no mistake.
fn check(program: &Program, inputs: &Inputs, checks: Checks, limits: &Limits) -> Result<Option<usize>, String> {
    let (run, recording) = record(program, inputs, limits, checks, &mut Discard);
    let Some(violation) = run.violation() else { return Ok(None) };
    match encode(program, checks, &recording, inputs.arguments.len(), violation) {
        Ok(encoded) => execute(&encoded).map(Some),
        Err(EncodeError::Unsupported { .. } | EncodeError::TooLong(_)) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn traces_of_failing_programs_are_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/fail");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "c"));
    files.sort();
    let (mut wrong, mut encoded) = (Vec::new(), 0);
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let (inputs, checks) = inputs(&text);
        let options = frontend::Options { files: vec![file.clone()], ..frontend::Options::default() };
        let program = frontend::read(&options).unwrap();
        match check(&program, &inputs, checks, &Limits::default()) {
            Ok(Some(_)) => encoded += 1,
            Ok(None) => println!("not followed: {}", file.display()),
            Err(why) => wrong.push(format!("{}: {why}", file.display())),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
    assert!(encoded * 20 >= files.len() * 19, "only {encoded} of {} were followed", files.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn traces_of_random_programs_are_true(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut program = generate::program(&mut Choices::new(&bytes));
        for function in &mut program.functions {
            if function.name == "main" {
                function.name = "other".into();
            }
        }
        if let Some(main) = program.functions.iter_mut().find(|function| function.body.is_some()) {
            main.name = "main".into();
        }
        let limits = Limits { steps: 3000, memory: 1 << 24, ..Limits::default() };
        let checked = check(&program, &Inputs::default(), Checks::ALL, &limits);
        prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
    }
}
