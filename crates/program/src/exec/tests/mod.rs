//! Runs of small programs in text form: every check, control flow, calls, memory, and agreement with
//! the reference arithmetic.

mod agreement;
mod calls;
mod checks;
mod control;
mod memory;
mod observed;
mod random;

use super::{Captured, Checks, Inputs, Limits, Outcome, Run, Unobserved, run};
use crate::Program;

/// A program from text; the text is part of the test, so it must be right.
#[track_caller]
fn program(text: &str) -> Program {
    match crate::text::read(text) {
        Ok(program) => program,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// `main` with this body, an assortment of things to use in it, and other functions.
fn in_main(others: &str, body: &str) -> String {
    format!(
        "extern fn malloc(i64) -> ptr\nextern fn calloc(i64, i64) -> ptr\nextern fn free(ptr)\nextern fn abort()\n\
         extern fn exit(i32)\nextern fn unknown(i32) -> i32\nextern fn setjmp(ptr) -> i32\nextern fn longjmp(ptr, i32)\n\
         global text: 4 bytes align 1 const = \"abc\"\nglobal table: 40 bytes align 16 = \"\\x01\\0\\0\\0\\x02\"\n\
         {others}\n\
         fn main(argc: i32, argv: ptr) -> i32 {{\n  var x: i32\n  var y: i32\n  var l: i64\n  var c: i8\n  var w: i128\n\
           var d: f64\n  var e: f32\n  var q: x87\n  var p: ptr\n  var r: ptr\n  temp %b: i1\n\
           object a: 40 bytes align 16\n  object s: 24 bytes align 8 scoped\n  object buffer: 200 bytes align 16\n\
         entry:\n{body}\n}}\n"
    )
}

fn run_text(text: &str, inputs: &Inputs, limits: &Limits, checks: Checks) -> (Run, Captured) {
    let mut output = Captured::default();
    let run = run(&program(text), inputs, limits, checks, &mut output, &mut Unobserved);
    (run, output)
}

/// The outcome in a few words.
fn summary(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Exited(status) => format!("exited {status}"),
        Outcome::Aborted => "aborted".into(),
        Outcome::Violated(violation) => format!("violated {}", violation.kind.name()),
        Outcome::Undefined(violation) => format!("undefined {}", violation.kind.name()),
        Outcome::AssumptionFailed { .. } => "assumption failed".into(),
        Outcome::Limit(kind) => format!("limit {kind:?}"),
        Outcome::Unsupported { .. } => "unsupported".into(),
        Outcome::InputExhausted { .. } => "input exhausted".into(),
        Outcome::NoMain => "no main".into(),
    }
}

/// Runs `main` with this body and compares how it ends.
#[track_caller]
fn check(body: &str, expect: &str) {
    check_with("", body, Checks::default(), expect);
}

#[track_caller]
fn check_with(others: &str, body: &str, checks: Checks, expect: &str) {
    let text = in_main(others, body);
    let (run, _) = run_text(&text, &Inputs::default(), &Limits::default(), checks);
    assert_eq!(summary(&run.outcome), expect, "{body}\n{:?}", run.outcome);
}
