//! C text in, verdict out: what the tests of this crate share.

pub mod generator;

use std::time::Duration;

use program::Program;
use verify::bmc::{Options, Report, Verdict};

/// The verdict that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    Proved,
    /// With this kind of violation, replayed.
    Violated(&'static str),
    Bounded,
    Unknown,
}

pub const PRELUDE: &str = "
#include <stdlib.h>
#include <string.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
#define nondet __VERIFIER_nondet_int
#define nondet_float __VERIFIER_nondet_float
#define assume __VERIFIER_assume
#define error __VERIFIER_error
";

/// Compiles a program that may use the prelude's short names.
pub fn compile(text: &str) -> Program {
    compile_alone(&format!("{PRELUDE}{text}\n"))
}

/// Compiles a program as it stands.
pub fn compile_alone(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("a file can be written there");
    let options = frontend::Options { files: vec![file], ..frontend::Options::default() };
    frontend::read(&options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn check(text: &str, expect: Expect) {
    let program = compile(text);
    let options = Options { max_bound: 16, time: Some(Duration::from_secs(60)), ..Options::default() };
    let report = verify::bmc::check(&program, &options);
    let found = outcome(&report);
    assert_eq!(found, expect, "{:?} {:?} {:?}\n{text}", report.verdict, report.unsupported, report.notes);
}

pub fn outcome(report: &Report) -> Expect {
    match &report.verdict {
        Verdict::Proved => Expect::Proved,
        Verdict::Violated => Expect::Violated(report.failures[0].violation.kind.name()),
        Verdict::Bounded(_) => Expect::Bounded,
        Verdict::Unknown(_) => Expect::Unknown,
    }
}
