//! Each check: what it reports, what it lets pass, and what happens with it off.

use super::{check, check_with, in_main, program, run_text};
use crate::exec::{Checks, Detail, Inputs, Limits, Outcome, ViolationKind};

/// Runs the body with one check off.
#[track_caller]
fn without(kind: ViolationKind, body: &str, expect: &str) {
    check_with("", body, Checks::default().without(kind), expect);
}

#[test]
fn signed_overflow() {
    check("x := 2147483647\n y := x + 1\n return 0", "violated overflow");
    check("x := 2147483647\n y := x +% 1\n return 0", "exited 0");
    check("x := -2147483647\n y := x - 2\n return 0", "violated overflow");
    check("x := 65536\n y := x * x\n return 0", "violated overflow");
    check("x := 65536\n y := x * 32768\n return 0", "violated overflow");
    check("l := 9223372036854775807\n l := l + 1\n return 0", "violated overflow");
    check("x := -2147483648\n y := -x\n return 0", "violated overflow");
    check("x := -2147483648\n y := x / -1\n return 0", "violated overflow");
    check("x := -2147483648\n y := -1\n y := x % y\n return 0", "violated overflow");
    check("c := 127\n c := c + 1\n return 0", "violated overflow");
    check("w := 1\n w := w << 126\n w := w * 2\n return 0", "violated overflow");
    without(ViolationKind::Overflow, "x := 2147483647\n y := x + 1\n return y == -2147483648 ? 7 : 0", "exited 7");
    without(ViolationKind::Overflow, "x := -2147483648\n y := -1\n y := x / y\n return 0", "undefined overflow");
}

#[test]
fn division_and_shifts() {
    check("x := 0\n y := 7 / x\n return 0", "violated division-by-zero");
    check("x := 0\n y := 7 %u x\n return 0", "violated division-by-zero");
    check("y := 7 / 0\n return 0", "violated division-by-zero");
    check("x := 32\n y := 1 << x\n return 0", "violated shift");
    check("x := -1\n y := 1 >> x\n return 0", "violated shift");
    check("y := 1 << 32\n return 0", "violated shift");
    check("x := 31\n y := 1 << x\n return y == -2147483648 ? 1 : 0", "exited 1");
    check("c := 8\n c := 1i8 << c\n return 0", "violated shift");
    without(ViolationKind::Shift, "x := 33\n y := 1 << x\n return y", "exited 2");
    without(ViolationKind::DivisionByZero, "x := 0\n y := 7 / x\n return 0", "undefined division-by-zero");
}

#[test]
fn conversions_and_bit_counts() {
    check("d := 2147483648.0\n x := ftosi.i32(d)\n return 0", "violated float-conversion");
    check("d := -2147483648.5\n x := ftosi.i32(d)\n return x == -2147483648 ? 1 : 0", "exited 1");
    check("d := -1.0\n x := ftoui.i32(d)\n return 0", "violated float-conversion");
    check("e := 1e20\n l := ftosi.i64(e)\n return 0", "violated float-conversion");
    without(
        ViolationKind::FloatConversion,
        "d := 1e10\n x := ftosi.i32(d)\n return x == -2147483648 ? 1 : 0",
        "exited 1",
    );
    let narrow = "x := 300\n c := trunc.i8(x)\n return 0";
    check(narrow, "exited 0");
    check_with("", narrow, Checks::ALL, "violated conversion-overflow");
    for fitting in ["255", "127", "-128"] {
        check_with("", &format!("x := {fitting}\n c := trunc.i8(x)\n return 0"), Checks::ALL, "exited 0");
    }
    check("x := 0\n y := clz(x)\n return y", "violated bit-count-of-zero");
    check("x := 0\n y := ctz.total(x)\n return y", "exited 32");
    without(ViolationKind::BitCountOfZero, "x := 0\n y := clz(x)\n return y", "exited 32");
}

#[test]
fn bad_pointers() {
    check("p := null\n x := *p\n return 0", "violated null-dereference");
    check("p := null\n x := p->f#8\n return 0", "violated null-dereference");
    check("p := reinterpret.ptr(1311768467463790320i64)\n x := *p\n return 0", "violated wild-pointer");
    check("p := &a\n x := p[10]\n return 0", "violated out-of-bounds-above");
    check("p := &a\n l := 9\n x := 0\n p[l]:i32 := x\n return p[l]", "exited 0");
    check("p := &a\n l := -1\n p[l]:i32 := 1\n return 0", "violated out-of-bounds-below");
    check("p := &a\n p := &p[100000000 by 4]\n p[0]:i32 := 1\n return 0", "violated out-of-bounds-above");
    check("p := &text\n *p:i8 := 0\n return 0", "violated write-to-constant");
    check("p := &main\n x := *p\n return 0", "violated wild-pointer");
}

#[test]
fn indices_outside_their_array() {
    check("l := 10\n table[l of 10]:i32 := 1\n return 0", "violated array-index");
    check("l := -1\n x := table[l of 10]\n return 0", "violated array-index");
    check("x := table[10 of 10]\n return 0", "violated array-index");
    check("l := 10\n p := &table[l of 10 by 4]\n return 0", "exited 0");
    check("p := &table[10 of 10 by 4]\n return 0", "exited 0");
    check("l := 11\n p := &table[l of 10 by 4]\n return 0", "violated array-index");
    check("p := &table[11 of 10 by 4]\n return 0", "violated array-index");
    // A row past the end is not a row whose member one may take.
    check("l := 5\n p := &table[l of 5 by 8].f#4\n return 0", "violated array-index");
    check("l := 2\n x := table[l of 5 by 8].f#4[1 of 3 by 4]\n return x", "exited 0");
    without(ViolationKind::ArrayIndex, "l := 2\n x := table[1 of 1 by 4]\n return x", "exited 2");
}

#[test]
fn heap_objects() {
    let allocated = "p := call malloc(8)\n";
    let check_heap = |rest: &str, expect: &str| check(&format!("{allocated}{rest}"), expect);
    check_heap("*p:i32 := 1\n call free(p)\n return 0", "exited 0");
    check_heap("call free(p)\n x := *p\n return 0", "violated use-after-free");
    check_heap("call free(p)\n call free(p)\n return 0", "violated double-free");
    check_heap("call free(&p[1 by 1])\n return 0", "violated invalid-free");
    check_heap("call free(&a)\n return 0", "violated invalid-free");
    check_heap("x := *p\n return 0", "violated uninitialized");
    check_heap("*p:i16 := 1\n x := *p\n return 0", "violated uninitialized");
    check_heap("return 0", "exited 0");
    check_with("", &format!("{allocated}return 0"), Checks::ALL, "violated leak");
    check_with("", &format!("{allocated}call free(p)\n return 0"), Checks::ALL, "exited 0");
    check_with("", &format!("{allocated}call exit(2)\n return 0"), Checks::ALL, "violated leak");
}

#[test]
fn objects_out_of_scope() {
    check("begin s\n p := &s\n *p:i32 := 1\n end s\n x := *p\n return 0", "violated use-after-scope");
    check("begin s\n p := &s\n *p:i32 := 1\n begin s\n x := s:i32\n return 0", "violated uninitialized");
    check("begin s\n p := &s\n begin s\n *p:i32 := 1\n return 0", "violated use-after-scope");
    check("s:i32 := 1\n return s", "exited 1");
    let local = "fn dangling() -> ptr {\n object o: 4 bytes align 4\nentry:\n o:i32 := 3\n return &o\n}";
    check_with(local, "p := call dangling()\n x := *p\n return 0", Checks::default(), "violated use-after-scope");
}

#[test]
fn indeterminate_variables() {
    check("return x", "violated uninitialized");
    check("x := 1\n declare x\n return x", "violated uninitialized");
    check("if argc > 5 then yes else no\nyes:\n x := 1\n goto no\nno:\n return x", "violated uninitialized");
    check("if argc > 0 then yes else no\nyes:\n x := 1\n goto no\nno:\n return x", "exited 1");
    check(
        "x := 0\n goto loop\nloop:\n if x < 3 then body else done\nbody:\n declare y\n y := x\n x := y + 1\n goto loop\ndone:\n return x",
        "exited 3",
    );
    without(ViolationKind::Uninitialized, "p := call malloc(8)\n x := *p\n return x + y", "exited 0");
}

#[test]
fn unwritten_bits_travel_through_registers() {
    let callee = "fn pass(v: i64) -> i64 {\n object o: 8 bytes align 8\nentry:\n o:i64 := v\n return o:i64{copy}\n}";
    let half_written = "fill(&a, 0, 40)\n p := call malloc(8)\n *p:i32 := 5\n l := call pass(*p:i64{copy})\n r := call malloc(8)\n *r:i64 := l\n";
    let check_pass = |rest: &str, expect: &str| {
        check_with(callee, &format!("{half_written}{rest}"), Checks::default(), expect);
    };
    check_pass("return *r", "exited 5");
    check_pass("return r[1]:i32", "violated uninitialized");
    check_pass("return trunc.i32(l)", "violated uninitialized");
    check("p := call malloc(8)\n l := *p:i64\n return 0", "violated uninitialized");
}

#[test]
fn bit_fields() {
    check("a:i32{3+5} := -1\n a:i32{8+2} := 2\n return a:i32{3+5 signed} + a:i32{8+2}", "exited 1");
    check("a:i32{3+5} := -1\n return a:i32{2+5}", "violated uninitialized");
    check("fill(&a, 0, 40)\n a:i32{3+5} := -1\n return a:i32", "exited 248");
}

#[test]
fn failures_of_the_program() {
    check("assert argc > 5, \"more arguments\"\n return 0", "violated assert");
    without(ViolationKind::Assert, "assert argc > 5, \"more arguments\"\n return 0", "exited 0");
    check("fail assertion \"x\"\n return 0", "violated assert");
    without(ViolationKind::Assert, "fail assertion \"x\"\n return 0", "aborted");
    check("fail error \"reach_error\"\n return 0", "violated error-call");
    check("assume argc > 5\n return 0", "assumption failed");
    check("call abort()\n return 0", "aborted");
    check("unreachable", "violated unreachable");
    without(ViolationKind::Unreachable, "unreachable", "undefined unreachable");
}

#[test]
fn bad_calls() {
    check("p := null\n call (p)()\n return 0", "violated bad-call");
    check("p := &a\n call (p)()\n return 0", "violated bad-call");
    check("p := &main\n p := &p[1 by 1]\n call (p)()\n return 0", "violated bad-call");
    let takes_double = "fn half(v: f64) -> f64 {\nentry:\n return v /. 2.0\n}";
    check_with(takes_double, "p := &half\n call (p)(1)\n return 0", Checks::default(), "violated bad-call");
    check_with(takes_double, "p := &half\n d := call (p)(3.0)\n return ftosi.i32(d)", Checks::default(), "exited 1");
    let old_style = "fn first(v: i64) -> i64 {\nentry:\n return v\n}";
    check_with(old_style, "p := &first\n x := call (p)(3, 4)\n return x", Checks::default(), "exited 3");
}

#[test]
fn overlapping_copies() {
    check("fill(&a, 7, 40)\n copy(&a[1 by 1], &a, 8)\n return 0", "violated string-function");
    check("fill(&a, 7, 40)\n move(&a[1 by 1], &a, 8)\n return a:i8 == 7 ? 1 : 0", "exited 1");
    check("copy(&a, &a, 8)\n return 0", "exited 0");
}

#[test]
fn recursion_without_end() {
    let endless = "fn f(n: i32) -> i32 {\n temp %r: i32\nentry:\n %r := call f(n +% 1)\n return %r\n}";
    check_with(endless, "x := call f(0)\n return x", Checks::default(), "violated stack-overflow");
    let off = Checks::default().without(ViolationKind::StackOverflow);
    check_with(endless, "x := call f(0)\n return x", off, "limit Depth");
}

#[test]
fn limits() {
    let text = in_main("", "goto loop\nloop:\n goto loop");
    let limits = Limits { steps: 1000, ..Limits::default() };
    let (run, _) = run_text(&text, &Inputs::default(), &limits, Checks::default());
    assert_eq!(run.outcome, Outcome::Limit(crate::exec::LimitKind::Steps));
    assert!((1000..1010).contains(&run.steps), "{}", run.steps);
    let interrupted = Limits { interrupt: Some(std::sync::Arc::new(true.into())), ..Limits::default() };
    let (run, _) = run_text(&text, &Inputs::default(), &interrupted, Checks::default());
    assert_eq!(run.outcome, Outcome::Limit(crate::exec::LimitKind::Interrupted));
    check("p := call malloc(4000000000)\n return p == null ? 1 : 0", "exited 1");
}

/// All values are kept, so that a run that fails can be repeated.
#[test]
fn values_without_end() {
    let text = in_main("", "goto loop\nloop:\n havoc x from \"__VERIFIER_nondet_int\"\n goto loop");
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let (run, _) = run_text(&text, &Inputs::default(), &limits, Checks::default());
    assert_eq!(run.outcome, Outcome::Limit(crate::exec::LimitKind::Values));
    assert!((1000..100_000).contains(&run.consumed.len()), "{}", run.consumed.len());
}

#[test]
fn a_violation_shows_its_values_and_its_place() {
    let callee =
        "fn add(v: i32, n: i32) -> i32 {\n temp %r: i32\nentry:\n goto next\nnext:\n %r := v + n\n return %r\n}";
    let text = in_main(callee, "x := call add(2147483647, 2)\n return x");
    let (run, _) = run_text(&text, &Inputs::default(), &Limits::default(), Checks::default());
    let violation = run.violation().expect("an overflow");
    let Detail::Binary { left, right, .. } = &violation.detail else { panic!("{violation:?}") };
    assert_eq!((left.signed(), right.signed()), (2147483647, 2));
    let names: Vec<_> =
        violation.stack.iter().map(|entry| program(&text).function(entry.function).name.clone()).collect();
    assert_eq!(names, ["main", "add"]);
    assert_eq!((violation.at.block.0, violation.at.index), (1, 0));
    assert!(violation.expr.is_some());
    // Of main: the call. Of add: the goto and the assignment.
    assert_eq!(run.steps, 3);
}

#[test]
fn kinds_have_distinct_names() {
    for kind in ViolationKind::ALL {
        assert_eq!(ViolationKind::from_name(kind.name()), Some(*kind));
    }
}
