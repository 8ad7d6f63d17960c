//! Small C programs, each with the verdict that bounded model checking must reach.

use std::time::Duration;

use crate::running::{Expect, check, outcome};
use program::exec::{Checks, ViolationKind};
use verify::bmc::Options;

#[test]
fn straight_lines() {
    check("int main(void) { int x = nondet(); assert(x != 42); return 0; }", Expect::Violated("assert"));
    check(
        "int main(void) { int x = nondet(); assume(x > 0 && x < 10); assert(x * x < 100); return 0; }",
        Expect::Proved,
    );
    check("int main(void) { int x = nondet(); return x + 1 > 0; }", Expect::Violated("overflow"));
    check("int main(void) { int x = nondet(); assume(x < 100); return x + 1 > 0; }", Expect::Proved);
    check("int main(void) { int x = nondet(); return 100 / x; }", Expect::Violated("division-by-zero"));
    check("int main(void) { unsigned x = nondet(); return 1u << x; }", Expect::Violated("shift"));
    check("int main(void) { int x; if (nondet()) x = 1; return x; }", Expect::Violated("uninitialized"));
}

#[test]
fn loops() {
    check(
        "int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s += i; assert(s == 499500); return 0; }",
        Expect::Proved,
    );
    check(
        "int main(void) { int n = nondet(); assume(n >= 0 && n < 5); int s = 0;
         for (int i = 0; i < n; i++) s += 2; assert(s == 2 * n); return 0; }",
        Expect::Proved,
    );
    check(
        "int main(void) { int n = nondet(), i = 0; while (i < n) i++; assert(i != 6); return 0; }",
        Expect::Violated("assert"),
    );
    check("int main(void) { while (nondet()) { } return 0; }", Expect::Bounded);
    check(
        "int main(void) { int x = 0; while (1) { if (nondet()) break; x++; if (x == 5) error(); } return 0; }",
        Expect::Violated("error-call"),
    );
}

#[test]
fn arrays() {
    check(
        "int main(void) { int a[5] = {1, 2, 3, 4, 5}; unsigned i = nondet(); return a[i]; }",
        Expect::Violated("array-index"),
    );
    check(
        "int main(void) { int a[5] = {1, 2, 3, 4, 5}; unsigned i = nondet(); assume(i < 5); a[i] = 7;
         assert(a[i] == 7); assert(a[0] == 1 || i == 0); return 0; }",
        Expect::Proved,
    );
    check(
        "char text[4] = \"abc\"; int main(void) { unsigned i = nondet(); assume(i < 4);
         assert(text[i] != 'c'); return 0; }",
        Expect::Violated("assert"),
    );
}

#[test]
fn pointers_and_structs() {
    check(
        "struct pair { int a; char b; long c; }; int main(void) { struct pair p = {1, 2, 3}, q = p;
         struct pair *r = nondet() ? &p : &q; r->c = 5; assert(p.c == 5 || q.c == 5); assert(p.c + q.c == 8); return 0; }",
        Expect::Proved,
    );
    check("int main(void) { int x = 1, *p = nondet() ? &x : 0; return *p; }", Expect::Violated("null-dereference"));
    check(
        "int main(void) { int *p = malloc(4 * sizeof(int)); int i = nondet(); assume(i >= 0 && i <= 4);
         p[i] = 1; free(p); return 0; }",
        Expect::Violated("out-of-bounds-above"),
    );
    check(
        "int main(void) { int *p = malloc(sizeof(int)); *p = 1; if (nondet()) free(p); *p = 2; return 0; }",
        Expect::Violated("use-after-free"),
    );
    check(
        "int main(void) { char *p = malloc(1); if (nondet()) free(p); free(p); return 0; }",
        Expect::Violated("double-free"),
    );
    check(
        "struct node { int value; struct node *next; }; int main(void) { struct node *list = 0;
         for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->value = nondet(); n->next = list; list = n; }
         for (struct node *n = list; n; n = n->next) assert(n->value != 77); return 0; }",
        Expect::Violated("assert"),
    );
    check(
        "int *f(void) { int x = 1; int *volatile p = &x; return p; } int main(void) { return *f(); }",
        Expect::Violated("use-after-scope"),
    );
    check(
        "int twice(int x) { return 2 * x; } int square(int x) { return x * x; }
         int main(void) { int (*f)(int) = nondet() ? twice : square; int x = f(4); assert(x == 8 || x == 16); return 0; }",
        Expect::Proved,
    );
}

#[test]
fn library_functions_may_be_declared_otherwise() {
    let program = crate::running::compile_alone(
        "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned size);
         int main(void) { unsigned n = __VERIFIER_nondet_int(); if (n < 1 || n > 8) return 0;
         char *p = malloc(n); p[n - 1] = 1; return 0; }",
    );
    let report = verify::bmc::check(&program, &verify::bmc::Options::default());
    assert_eq!(report.verdict, verify::bmc::Verdict::Proved, "{:?}", report.unsupported);
}

#[test]
fn recursion() {
    check(
        "int f(int n) { return n == 0 ? 1 : n * f(n - 1); } int main(void) { assert(f(5) == 120); return 0; }",
        Expect::Proved,
    );
    check(
        "int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }
         int main(void) { int n = nondet(); assume(n < 6); assert(f(n) != 4); return 0; }",
        Expect::Violated("assert"),
    );
}

#[test]
fn floats_and_strings() {
    check(
        "int main(void) { float x = nondet_float(); if (x > 1 && x < 2) assert(x * 2 != 3); return 0; }",
        Expect::Violated("assert"),
    );
    check(
        "int main(void) { char a[4]; strcpy(a, nondet() ? \"ab\" : \"xyz\"); assert(strlen(a) <= 3); return 0; }",
        Expect::Proved,
    );
    check(
        "int main(void) { char a[3]; strcpy(a, nondet() ? \"ab\" : \"xyz\"); return 0; }",
        Expect::Violated("out-of-bounds-above"),
    );
}

#[test]
fn what_is_not_known_is_not_proved() {
    check("int unknown(int); int main(void) { return unknown(3) == 5; }", Expect::Unknown);
    check("int main(void) { long double x = nondet(); assert(x + 1 > x); return 0; }", Expect::Unknown);
}

#[test]
fn memory_without_values() {
    use program::exec::{Checks, ViolationKind};
    use verify::bmc::{Options, Verdict};

    let options = Options { checks: Checks::NONE.with(ViolationKind::ErrorCall), ..Options::default() };
    let verdict = |text: &str| verify::bmc::check(&crate::running::compile(text), &options).verdict;
    let read = verdict("int main(void) { int a[4]; if (a[nondet() & 3] == 7) error(); return 0; }");
    assert_eq!(read, Verdict::Violated);
    let large = verdict("int main(void) { int a[100000]; if (a[nondet() & 0xffff] == 7) error(); return 0; }");
    assert!(matches!(large, Verdict::Unknown(_)), "{large:?}");
    let written = verdict("int main(void) { int a[4]; a[2] = 1; if (a[2] == 7) error(); return 0; }");
    assert_eq!(written, Verdict::Proved);
}

#[test]
fn functions_that_give_inputs() {
    check(
        "int nondet_char(void); int main(void) { assert(nondet_char() != 7); return 0; }",
        Expect::Violated("assert"),
    );
    check(
        "int nondet_char(void) { return 6; } int main(void) { assert(nondet_char() != 7); return 0; }",
        Expect::Proved,
    );
}

#[test]
fn indeterminate_values_can_be_inputs() {
    use program::exec::{Checks, ViolationKind};
    use verify::bmc::{Options, Verdict};

    let program =
        crate::running::compile("int main(void) { int x, y; y = 1; if (x == 5 && y == 1) error(); return 0; }");
    let opened = verify::indeterminate::open(&program);
    let options = Options { checks: Checks::NONE.with(ViolationKind::ErrorCall), ..Options::default() };
    let report = verify::bmc::check(&opened, &options);
    assert_eq!(report.verdict, Verdict::Violated);
    let inputs: Vec<_> = report.failures[0].inputs.iter().map(|input| (&*input.source, input.bits)).collect();
    assert_eq!(inputs, [("x", 5)]);
}

#[test]
fn the_stack_has_an_end() {
    check(
        "int f(int n) { char room[100000]; room[n] = n; return n == 0 ? room[0] : f(n - 1); }
         int main(void) { return f(200); }",
        Expect::Violated("stack-overflow"),
    );
    check(
        "int f(int n) { char room[10000]; room[n] = n; return n == 0 ? room[0] : f(n - 1); }
         int main(void) { return f(200); }",
        Expect::Proved,
    );
    check(
        "int main(void) { int n = nondet(); assume(n == 3 || n == 9000000); char room[n]; room[0] = 0; return room[0]; }",
        Expect::Violated("stack-overflow"),
    );
}

#[test]
fn addresses_are_no_numbers() {
    let main = |text: &str| {
        format!(
            "int a[4] = {{1, 2, 3, 4}}, b; int main(void) {{ int i = nondet(); assume(i >= 0 && i < 4); {text} return 0; }}"
        )
    };
    check(&main("assert((unsigned long)&b % 3 != 7);"), Expect::Unknown);
    check(&main("assert(a < &b || &b < a);"), Expect::Unknown);
    check(&main("long n = (long)(nondet() ? a : &b); assert(n != 5);"), Expect::Unknown);
    check(&main("assert((unsigned long)&a[i] % 4 == 0 && ((unsigned long)&b & 3) == 0);"), Expect::Proved);
    check(&main("assert(&a[i] - a == i && a + i <= a + 3 && (long)a != (long)&b);"), Expect::Proved);
    check(&main("assert(*(int *)((char *)a + 4 * i) == a[i]);"), Expect::Proved);
}

#[test]
fn no_index_leads_back() {
    check(
        "int main(void) { int *p = malloc(8); p[0] = 1; long i = (long)nondet() << 32; return p[i]; }",
        Expect::Violated("out-of-bounds-above"),
    );
    check(
        "long any(void) { long i = 1; return nondet() ? i << 62 : 0; }
         int main(void) { int *p = malloc(8); p[0] = 1; return p[any()]; }",
        Expect::Violated("out-of-bounds-above"),
    );
}

#[test]
fn ranges_of_computed_length() {
    let main = |text: &str| {
        format!("int main(void) {{ char a[8] = \"abcdefg\", b[8] = {{0}}; unsigned n = nondet(); {text} return 0; }}")
    };
    check(&main("assume(n <= 8); memcpy(b, a, n); assert(n < 3 || b[2] == 'c'); assert(b[7] == 0);"), Expect::Proved);
    check(&main("assume(n <= 9); memcpy(b, a, n);"), Expect::Violated("out-of-bounds-above"));
    check(&main("memset(b, 'x', n); "), Expect::Violated("out-of-bounds-above"));
    check(&main("assume(n < 8); memset(b, 'x', n); assert(b[n] == 0 && (n == 0 || b[n - 1] == 'x'));"), Expect::Proved);
    check(&main("assume(n < 7); memmove(a + 1, a, n); assert(n < 2 || a[2] == 'b');"), Expect::Proved);
    check(&main("assume(n <= 8); assert(memcmp(a, b, n) != 0);"), Expect::Violated("assert"));
    check(&main("char *p = malloc(n % 100 + 1); p[n % 100] = 1; assert(p[n % 100] == 1);"), Expect::Proved);
}

#[test]
fn string_functions() {
    let main = |text: &str| {
        format!(
            "int main(void) {{ char a[8] = \"abc\", b[4]; int i = nondet(); assume(i >= 0 && i < 3); \
             a[i] = nondet() ? 'x' : 0; {text} return 0; }}"
        )
    };
    check(&main("assert(strlen(a) == 3 || strlen(a) == (unsigned)i);"), Expect::Proved);
    check(&main("strcpy(b, a); strcat(a, b); assert(strlen(a) % 2 == 0);"), Expect::Proved);
    check(&main("strcpy(b, a); strcat(b, \"y\");"), Expect::Violated("out-of-bounds-above"));
    check(&main("strncpy(b, a, 4); assert(b[3] == 0 && strncmp(a, b, 3) == 0);"), Expect::Proved);
    check(&main("strncpy(b, \"abcd\", 4); return strlen(b);"), Expect::Violated("string-function"));
    check(&main("char *x = strchr(a, 'x'); assert(x == 0 || x == a + i); if (x) assert(*x == 'x');"), Expect::Proved);
    check(&main("assert(strcmp(a, \"abx\") != 0);"), Expect::Violated("assert"));
    check(
        &main("assert(strrchr(a, 0) == a + strlen(a)); char *d = strdup(a); assert(strcmp(d, a) == 0);"),
        Expect::Proved,
    );
    check(&main("b[0] = '1' + i; b[1] = '7'; b[2] = 0; assert(atoi(b) == 10 * i + 17);"), Expect::Proved);
}

#[test]
fn characters() {
    let main = |text: &str| {
        format!(
            "#include <ctype.h>\nint main(void) {{ int c = nondet(); assume(c >= 0 && c < 256); {text} return 0; }}"
        )
    };
    check(&main("assert(!isdigit(c) == (c < '0' || c > '9')); assert(toupper(c) == c || islower(c));"), Expect::Proved);
    check(&main("assert(!isspace(c) || c == ' ');"), Expect::Violated("assert"));
}

#[test]
fn computed_jumps() {
    check(
        "int main(void) { static void *to[] = {&&one, &&two, &&out}; int x = 0, n = nondet(); assume(n >= 0 && n < 3);
         goto *to[n]; one: x += 1; two: x += 2; out: assert(x == (n == 0 ? 3 : n == 1 ? 2 : 0)); return 0; }",
        Expect::Proved,
    );
}

#[test]
fn conversions_can_be_checked() {
    use program::exec::{Checks, ViolationKind};
    use verify::bmc::{Options, Verdict};

    let options = Options { checks: Checks::default().with(ViolationKind::ConversionOverflow), ..Options::default() };
    for (range, expected) in [("n >= -128 && n < 256", Verdict::Proved), ("n >= 0 && n <= 256", Verdict::Violated)] {
        let text =
            format!("int main(void) {{ int n = nondet(); assume({range}); unsigned char c = n; return c == 7; }}");
        let report = verify::bmc::check(&crate::running::compile(&text), &options);
        assert_eq!(report.verdict, expected, "{range}");
    }
}

#[test]
fn all_violations_are_found_once() {
    use verify::bmc::{Options, Verdict};

    let text = "int a[4]; int main(void) { int i = nondet(), j = nondet(); assume(j >= 0); if (i == 1) assert(j != 5);
        if (i == 2) return 10 / j; if (i == 3) return a[j]; if (i == 4) { int *p = 0; return *p; }
        for (int k = 0; k < j; k++) assert(k != 3); if (i == 5) assert(j >= 0); return 0; }";
    let options = Options { all_violations: true, max_bound: 8, ..Options::default() };
    let report = verify::bmc::check(&crate::running::compile(text), &options);
    assert_eq!(report.verdict, Verdict::Violated);
    let mut found: Vec<&str> = report.failures.iter().map(|failure| failure.violation.kind.name()).collect();
    found.sort_unstable();
    assert_eq!(found, ["array-index", "assert", "assert", "division-by-zero", "null-dereference"]);
}

#[test]
fn large_objects_at_computed_offsets() {
    let main = |text: &str| {
        format!(
            "int a[100000]; int main(void) {{ int i = nondet(), j = nondet(); \
             assume(i >= 0 && i < 100000 && j >= 0 && j < 100000); {text} return 0; }}"
        )
    };
    check(&main("a[i] = 5; assert(a[j] == 0 || j == i);"), Expect::Proved);
    check(
        &main("a[7] = 1; if (i > j) a[i] = 5; else a[j] = 6; a[9] = 2; assert(a[9] == 2 && a[i] != 6);"),
        Expect::Violated("assert"),
    );
    check(&main("a[i] = 1; a[j] = 2; assert(a[i] == (i == j ? 2 : 1) && a[j] == 2);"), Expect::Proved);
    check(
        "int main(void) { unsigned n = nondet(); assume(n > 5000 && n < 100000); int *p = malloc(n * sizeof *p);
         p[n - 1] = 3; assert(p[n - 1] == 3); return p[n]; }",
        Expect::Violated("out-of-bounds-above"),
    );
}

/// Without the check for it, memory that was never written holds anything, and keeps it.
#[test]
fn unwritten_memory() {
    let check = |text: &str, expect: Expect| {
        let program = verify::indeterminate::open(&crate::running::compile(text));
        let checks = Checks::default().without(ViolationKind::Uninitialized);
        let options = Options { checks, max_bound: 16, time: Some(Duration::from_secs(60)), ..Options::default() };
        let report = verify::bmc::check(&program, &options);
        assert_eq!(outcome(&report), expect, "{:?} {:?}\n{text}", report.verdict, report.unsupported);
    };
    check("int main(void) { int a[3]; assert(a[1] != 5); return 0; }", Expect::Violated("assert"));
    check(
        "int main(void) { int a[3]; unsigned i = nondet() & 1; assert(a[i] != 5); return 0; }",
        Expect::Violated("assert"),
    );
    check("int main(void) { int a[3]; a[1] = 4; assert(a[1] != 5); return 0; }", Expect::Proved);
    check("int main(void) { char a[4], b[4]; memcpy(b, a, 4); assert(!memcmp(a, b, 4)); return 0; }", Expect::Proved);
    check("int main(void) { char a[4]; a[3] = 0; assert(strlen(a) != 2); return 0; }", Expect::Violated("assert"));
    check("int main(void) { char a[4]; return strlen(a); }", Expect::Violated("string-function"));
    check(
        "int main(void) { int *a = malloc(8), *b = malloc(8); assert(a[1] == b[1]); return 0; }",
        Expect::Violated("assert"),
    );
    check(
        "int main(void) { int *a = malloc(4), old = *a; a = realloc(a, 8); assert(*a == old); return 0; }",
        Expect::Proved,
    );
    check(
        "int f(void) { int a[2]; return a[1]; } int main(void) { int sum = 0;
         for (int i = 0; i < 3; i++) { int b[2]; sum += (b[0] == i) + (f() == 10 + i); } assert(sum != 6); return 0; }",
        Expect::Violated("assert"),
    );
    check(
        "int main(void) { unsigned n = (nondet() & 3) + 1; char a[n]; assert(a[n - 1] != 'x'); return 0; }",
        Expect::Violated("assert"),
    );
    check(
        "struct pair { char c; int n; }; int f(struct pair p) { return p.n; }
         int main(void) { struct pair p; if (nondet()) p.n = 1; else p.c = 2; assert(f(p) != 9); return 0; }",
        Expect::Violated("assert"),
    );
}
