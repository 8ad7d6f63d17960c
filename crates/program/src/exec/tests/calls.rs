//! Calls, struct arguments, variable arguments, `setjmp`.

use super::{check, check_with, in_main, program, run_text, summary};
use crate::exec::{Checks, Inputs, Limits};

#[test]
fn recursion() {
    let fib = "fn fib(n: i32) -> i32 {\n temp %a: i32\n temp %b: i32\nentry:\n if n < 2 then small else large\nsmall:\n return n\nlarge:\n %a := call fib(n - 1)\n %b := call fib(n - 2)\n return %a + %b\n}";
    check_with(fib, "x := call fib(10)\n return x", Checks::default(), "exited 55");
    check_with(fib, "p := &fib\n x := call (p)(10)\n return x", Checks::default(), "exited 55");
}

#[test]
fn several_results() {
    let divide = "fn divide(a: i32, b: i64) -> i64, i32 {\nentry:\n return b, a\n}";
    check_with(divide, "l, x := call divide(3, 4i64)\n return x * 10 + trunc.i32(l)", Checks::default(), "exited 34");
    let swap = "fn swap(a: i64, b: i128) -> i128, i64 {\nentry:\n return b, a\n}";
    check_with(
        swap,
        "w, l := call swap(3, 4i128)\n return trunc.i32(w) * 10 + trunc.i32(l)",
        Checks::default(),
        "exited 43",
    );
}

#[test]
fn copied_arguments_are_the_callees_own() {
    let callee = "fn change(o: ptr copied 40) -> i32 {\nentry:\n *o:i32 := *o + 1\n return *o\n}";
    let body = "a:i32 := 5\n x := call change(copied(&a, 40 align 8))\n return x * 10 + a";
    check_with(callee, body, Checks::default(), "exited 65");
}

#[test]
fn computed_size_objects() {
    check("p := allocate(16 align 16)\n p[3]:i32 := 4\n return p[3]", "exited 4");
    check("p := allocate(16 align 16)\n p[4]:i32 := 4\n return 0", "violated out-of-bounds-above");
    check(
        "r := stack_mark()\n p := allocate(16 align 16)\n stack_release(r)\n p[0]:i32 := 4\n return 0",
        "violated use-after-scope",
    );
}

/// Calls `f` with 4 named and the given unnamed arguments, and returns what the body makes of them.
#[track_caller]
fn check_variadic(unnamed: &str, body: &str, expect: &str) {
    let callee = format!(
        "fn f(n: i32, d: f64, m: i64, q: x87, ...) -> i64 {{\n object list: 24 bytes align 16\n var p: ptr\n var o: ptr\nentry:\n va_start(&list)\n p := list.#16:ptr\n o := list.#8:ptr\n{body}\n}}"
    );
    let call = format!("l := call f(1, 2.0, 3i64, bits.x87(0x4000c000000000000000), {unnamed})\n return trunc.i32(l)");
    check_with(&callee, &call, Checks::default(), expect);
}

#[test]
fn variable_arguments_lie_where_the_abi_says() {
    // Two general registers and one vector register are taken by named parameters.
    check_variadic("7", "return zext.i64(list:i32) * 1000 + zext.i64(list.#4:i32)", "exited 16064");
    check_variadic("7, 8i64", "return p[16 by 1]:i64{copy} & 255 | p[24 by 1]:i64 << 8", "exited 2055");
    check_variadic("1.5, 2.5", "return ftosi.i64(p[64 by 1]:f64 *. p[80 by 1]:f64 *. 100.0)", "exited 375");
    // Four more fit in registers, the fifth goes to the overflow area.
    check_variadic(
        "1, 2, 3, 4, 5, 6",
        "return o[0 by 8]:i64{copy} & 15 | o[1 by 8]:i64{copy} << 4 & 240",
        "exited 101",
    );
    // A long double is always on the stack, aligned to 16 bytes.
    check_variadic(
        "1, 2, 3, 4, 5, bits.x87(0x4000c000000000000000)",
        "return ftosi.i64(o[16 by 1]:x87) * 10 + (o[0 by 1]:i64{copy} & 15)",
        "exited 35",
    );
    check_variadic("copied(&table, 24 align 8), 9", "return zext.i64(o[1]:i32) + p[16 by 1]:i64", "exited 11");
    check_variadic("7", "return p[24 by 1]:i64", "violated uninitialized");
    check_variadic("7", "return o[0 by 1]:i64", "violated out-of-bounds-above");
}

#[test]
fn long_jumps() {
    let thrower = "fn throw(b: ptr, n: i32) -> i32 {\n object o: 4 bytes align 4\n temp %r: i32\nentry:\n if n == 0 then jump else deeper\njump:\n call longjmp(b, 3)\n unreachable\ndeeper:\n %r := call throw(b, n - 1)\n return %r\n}";
    let body = "y := 1\n x := call setjmp(&buffer)\n if x == 0 then try else caught\ntry:\n y := 10\n x := call throw(&buffer, 5)\n return 99\ncaught:\n return x + y";
    check_with(thrower, body, Checks::default(), "exited 13");
    let saver = "fn save(b: ptr) {\n temp %r: i32\nentry:\n %r := call setjmp(b)\n return\n}";
    check_with(
        saver,
        "call save(&buffer)\n call longjmp(&buffer, 1)\n return 0",
        Checks::default(),
        "violated bad-call",
    );
    check("call longjmp(&buffer, 1)\n return 0", "violated uninitialized");
}

#[test]
fn callbacks() {
    let compare =
        "extern fn qsort(ptr, i64, i64, ptr)\nfn compare(a: ptr, b: ptr) -> i32 {\nentry:\n return *a - *b\n}";
    let body = "table:i32 := 9\n call qsort(&table, 10i64, 4i64, &compare)\n return table[9] * 10 + table[8]";
    check_with(compare, body, Checks::default(), "exited 92");
    let thrower = "extern fn qsort(ptr, i64, i64, ptr)\nglobal jump: 200 bytes align 16\nfn compare(a: ptr, b: ptr) -> i32 {\nentry:\n call longjmp(&jump, 4)\n unreachable\n}";
    let body = "x := call setjmp(&jump)\n if x != 0 then caught else try\ntry:\n call qsort(&table, 10i64, 4i64, &compare)\n return 0\ncaught:\n return x";
    check_with(thrower, body, Checks::default(), "exited 4");
}

#[test]
fn functions_of_the_program_win_over_models() {
    let own = in_main("", "p := call malloc(8)\n return p == null ? 1 : 0")
        .replace("extern fn malloc(i64) -> ptr", "fn malloc(n: i64) -> ptr {\nentry:\n return null\n}");
    let (run, _) = run_text(&own, &Inputs::default(), &Limits::default(), Checks::default());
    assert_eq!(summary(&run.outcome), "exited 1");
    assert!(program(&own).find_function("malloc").is_some());
}
