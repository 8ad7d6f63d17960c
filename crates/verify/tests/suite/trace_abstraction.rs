//! Small C programs, each with what trace abstraction must say: proofs of loops without a bound, failing runs
//! that were replayed, and many traces of one program.

use std::time::Duration;

use crate::running::{Expect, compile, outcome};
use program::exec::{Checks, ViolationKind};
use verify::bmc::Options;
use verify::trace_abstraction::{self, Runs};

fn options() -> Options {
    // Whether memory was written before it is read is not looked at by this engine.
    let checks = Checks::default().without(ViolationKind::Uninitialized);
    Options { checks, time: Some(Duration::from_secs(60)), ..Options::default() }
}

fn check(text: &str, expect: Expect) {
    let report = trace_abstraction::check(&compile(text), &options());
    let found = outcome(&report);
    assert_eq!(found, expect, "{:?} {:?} {:?}\n{text}", report.verdict, report.unsupported, report.notes);
}

fn runs(text: &str) -> Runs {
    trace_abstraction::failing_runs(&compile(text), &options(), 20)
}

#[test]
fn loops_without_a_bound() {
    check("int main(void) { while (nondet()) { } return 0; }", Expect::Proved);
    check(
        "int main(void) { int locked = 0;
         while (nondet()) { if (locked) error(); locked = 1; if (nondet()) { } locked = 0; } return 0; }",
        Expect::Proved,
    );
    check(
        "int main(void) { int locked = 0;
         while (nondet()) { if (locked) error(); locked = 1; if (nondet()) continue; locked = 0; } return 0; }",
        Expect::Violated("error-call"),
    );
    check(
        "int main(void) { unsigned state = 1;
         while (nondet()) { if (state == 1) state = 2; else if (state == 2) state = 4; else state = 1;
         if (state == 3) error(); } return 0; }",
        Expect::Proved,
    );
}

#[test]
fn calls_and_memory() {
    check(
        "int twice(int x) { return 2 * x; } int main(void) { int a = nondet(); assume(a > 0 && a < 9);
         assert(twice(twice(a)) == 4 * a); return 0; }",
        Expect::Proved,
    );
    check(
        "int a[4]; int main(void) { int i = 0; while (nondet()) { a[i] = 1; i = (i + 1) % 5; } return a[i]; }",
        Expect::Violated("array-index"),
    );
    check(
        "int a[4]; int main(void) { unsigned i = 0; while (nondet()) { a[i] = 1; i = (i + 1) % 4; } return a[i]; }",
        Expect::Proved,
    );
    check(
        "void set(int *p, int v) { *p = v; } int main(void) { int x, y; set(&x, 1); set(&y, 2);
         assert(x == 1 && y == 2); return 0; }",
        Expect::Proved,
    );
    check(
        "int main(void) { int *p = malloc(sizeof(int)); *p = 3; free(p); return *p; }",
        Expect::Violated("use-after-free"),
    );
    check("int main(void) { int *p = 0; if (nondet()) return 0; return *p; }", Expect::Violated("null-dereference"));
    check(
        "static int up(int x) { return x + 1; } static int down(int x) { return x - 1; }
         int main(void) { int (*f)(int) = nondet() ? up : down; assert(f(5) != 4); return 0; }",
        Expect::Violated("assert"),
    );
    check("int f(int n) { return n == 0 ? 0 : f(n - 1); } int main(void) { return f(9); }", Expect::Unknown);
}

/// Figure 2 of "Simple bugs": the flag decides in one of the two traces only.
#[test]
fn figure_2_has_two_runs() {
    let found = runs(
        "int main(void) { int p1 = 0, p2 = 0, i = 1;
         while (i < 10) {
           if (i == 0) { p1 = 64; p2 = 64; }
           int stopOnRequest = 0; int stopRequested = nondet();
           if (stopRequested) { if (stopOnRequest) return 0; }
           assert(p1 != 0 && p2 != 0);
           i = i + 1;
         } return 0; }",
    );
    assert!(found.complete, "{:?}", found.notes);
    let chosen: Vec<bool> = found.failures.iter().map(|it| it.inputs[0].bits != 0).collect();
    assert!(chosen.contains(&true) && chosen.contains(&false), "{chosen:?}");
    // The assertion fails for either pointer, which is one more choice on each of the ways.
    assert!(found.failures.len() >= 2 && found.failures.len() == found.traces, "{found:?}");
}
