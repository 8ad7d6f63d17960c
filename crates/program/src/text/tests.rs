//! Round trips of the text form, and what it looks like.

use proptest::prelude::*;

use super::expressions::MAX_DEPTH;
use super::{Layout, ReadError, Style, canonical, print, read, same, to_text, without_node_sites};
use crate::generate::{self, Choices};
use crate::{BinaryOp, CommandKind, ExprId, ExprKind, Overflow, Program, Site, Type, UnaryOp, validate};

/// A random program that shows itself as text.
struct Generated(Program);

impl std::fmt::Debug for Generated {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&to_text(&self.0, Style::Full))
    }
}

fn programs() -> impl Strategy<Value = Generated> {
    let bytes = prop::collection::vec(any::<u8>(), 0..3000);
    bytes.prop_map(|bytes| Generated(generate::program(&mut Choices::new(&bytes))))
}

/// Where two texts differ first, for failure messages.
fn first_difference(left: &str, right: &str) -> String {
    let pair = left.lines().zip(right.lines()).find(|(left, right)| left != right);
    pair.map_or("one is longer".to_owned(), |(left, right)| format!("{left}\n{right}"))
}

#[track_caller]
fn read_again(text: &str) -> Program {
    match read(text) {
        Ok(program) => program,
        Err(error) => {
            let line = match &error {
                ReadError::Text { at, .. } => text.lines().nth(at.line as usize - 1).unwrap_or_default(),
                _ => text,
            };
            panic!("{error}\n{line}")
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_programs_are_valid(Generated(program) in programs()) {
        prop_assert_eq!(validate(&program), Ok(()));
    }

    #[test]
    fn full_text_reads_back_to_the_same_program(Generated(program) in programs()) {
        let text = to_text(&program, Style::Full);
        let again = read_again(&text);
        prop_assert!(same(&program, &again), "{}", first_difference(&text, &to_text(&again, Style::Full)));
    }

    #[test]
    fn readable_text_loses_nothing_but_the_sites_of_nodes(Generated(mut program) in programs()) {
        let text = to_text(&program, Style::Readable);
        let again = read_again(&text);
        let text_again = to_text(&again, Style::Readable);
        prop_assert!(text == text_again, "{}", first_difference(&text, &text_again));
        without_node_sites(&mut program);
        prop_assert!(same(&program, &again), "{text}");
    }

    #[test]
    fn canonical_programs_are_numbered_as_they_are_read(Generated(mut program) in programs()) {
        let again = read_again(&to_text(&program, Style::Full));
        canonical(&mut program);
        prop_assert_eq!(program.functions, again.functions);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = read(&text);
    }
}

/// Text that is printed as it was read.
#[track_caller]
fn check(text: &str) {
    let printed = to_text(&read_again(text), Style::Readable);
    assert!(printed == text, "{printed}\n{}", first_difference(text, &printed));
}

/// A line in a function with an assortment of variables, printed as it was read.
#[track_caller]
fn check_line(line: &str) {
    let text = in_function(line);
    let printed = to_text(&read_again(&text), Style::Readable);
    let shown = printed.lines().find(|shown| !text.lines().any(|line| line == *shown));
    assert_eq!(printed, text, "{}", shown.unwrap_or_default());
}

fn in_function(line: &str) -> String {
    let declarations = [
        "extern global stream: 8 bytes align 8",
        "extern fn printf(ptr, ...) -> i32",
        "extern fn divide(i32, i32) -> i32, i32",
        "",
        "fn f(p: ptr, i: i32, n: i64) -> i32 {",
        "  var x: i32",
        "  var y: i32",
        "  var u: i64",
        "  var d: f64",
        "  var c: i8",
        "  var end: i32",
        "  temp %ok: i1",
        "  temp %call.result: ptr",
        "  object a: 40 bytes align 16",
        "  object s: 24 bytes align 8",
        "  object x: 4 bytes align 4",
        "  object stream: 4 bytes align 4",
        "entry:",
    ];
    format!("{}\n    {line}\n    return 0\n}}\n", declarations.join("\n"))
}

#[test]
fn a_function_beside_its_source() {
    check(concat!(
        "file 0 \"average.c\"\n",
        "file 1 \"list.h\"\n",
        "type 0 = integer \"int\" 4 bytes signed\n",
        "type 1 = pointer $0\n",
        "type 2 = struct \"node\" 16 bytes {value: $0 at 0, next: $3 at 64}\n",
        "type 3 = pointer $2\n",
        "type 4 = array $3 of 4\n",
        "type 5 = pointer $6\n",
        "type 6 = function $0 ($1, $0, ...)\n",
        "type 7 = enum \"color\" 4 bytes unsigned {RED = 0, BLUE = -3}\n",
        "type 8 = alias \"handler\" $5\n",
        "unsupported 0 = \"inline assembly\"                               @ 0:9:3\n",
        "global .str.1: 6 bytes align 1 const = \"%d %d\\0\"\n",
        "global heads: 32 bytes align 16 $4 {8: &.str.1 + 2, 16: &average}  @ 1:4:14  // struct node *[4]\n",
        "extern global stderr: 8 bytes align 8\n",
        "extern fn printf(ptr, ...) -> i32\n",
        "\n",
        "fn average(a: ptr, n: i32) -> i32 {                             @ 0:3:5\n",
        "  param a $1                                                    @ 3:17  // int *\n",
        "  var s: i32 $0                                                 @ 4:7  // int\n",
        "  var i: i32 $0                                                 @ 4:14  // int\n",
        "  var handler: ptr $5                                           // int (*)(int *, int, ...)\n",
        "  var again: ptr $8                                             // handler\n",
        "  temp %more: i1\n",
        "  object buffer: 16 bytes align 16 scoped\n",
        "entry:\n",
        "    s := 0                                                      @ 4:7\n",
        "    begin buffer\n",
        "    goto while.cond                                             @ 5:3\n",
        "while.cond:\n",
        "    if i < n then while.body else while.end                     @ 5:12\n",
        "while.body:\n",
        "    s := s + a[i]                                               @ 6:9\n",
        "    i := i + 1                                                  @ 1:2:1\n",
        "    call printf(&.str.1, s / i, zext.i64(n))\n",
        "    goto while.cond\n",
        "while.end:\n",
        "    unsupported 0                                               // inline assembly\n",
        "    switch n\n",
        "      case -1: while.cond\n",
        "      case 7: entry\n",
        "      else while.end\n",
        "}\n",
    ));
}

#[test]
fn operators_and_precedence() {
    check_line("x := x + y * 2 - -3");
    check_line("x := (x + y) * (2 - x)");
    check_line("x := x - (y - x) - y");
    check_line("x := x +% y *% 2 -% x");
    check_line("x := x /u y %u 3 % y >> 1 >>u 2 << 3");
    check_line("x := x & y | x ^ ~y");
    check_line("x := (x & y) << 1");
    check_line("x := -x + -% y - -(5)");
    check_line("x := -*%call.result");
    check_line("d := d +. -. d *. 1.5 /. d %. 2e300 -. d");
    check_line("%ok := x < y");
    check_line("%ok := x <u 7 & !%ok");
    check_line("%ok := u >= 7 | d <=. 0.5 ^ fcmp.ult(d, d)");
    check_line("%ok := p == null");
    check_line("%ok := overflows.smul(x, y)");
    check_line("x := %ok ? y : x > 3 ? 1 : 2");
    check_line("x := (%ok ? y : x) + 1");
    check_line("u := zext.i64(x) + sext.i64(trunc.i8(n)) + 5");
    check_line("x := ftosi.i32(d) + min(x, 3) + popcount(y)");
    check_line("d := fma(d, 0.5, sitof.f64(x)) +. powi(d, 3)");
    check_line("d := bits.f64(0x7ff8000000000000)");
    check_line("%ok := isclass.3(1.5f32)");
    check_line("c := trunc.i8(x + 1)");
}

#[test]
fn memory() {
    check_line("x := a[i]");
    check_line("x := a[n]");
    check_line("x := a[i + 1] + a[3]");
    check_line("x := a[i of 10 by 24]");
    check_line("x := a[i by 24].f#8[i of 3 by 4].#4");
    check_line("u := sext.i64(a[i]:i32)");
    check_line("x := p->next#8->next#8->value");
    check_line("x := p[i]->value");
    check_line("x := s.data#16:ptr[i]");
    check_line("x := *p + *(p->next#8)");
    check_line("x := (*p)->value + *(*p)");
    check_line("x := (*p:ptr)[i]");
    check_line("%ok := *p:i8 == c");
    check_line("x := s.flags:i32{3+2} + s.flags:i32{5+1 signed, copy}");
    check_line("x := y + local::x + stream");
    check_line("%call.result := ::stream");
    check_line("%call.result := %ok ? &a : &p->f#4");
    check_line("%call.result := &a[i by 4]");
    check_line("%call.result := &s");
    check_line("%call.result := &printf");
    check_line("%call.result := &&entry");
    check_line("%call.result := reinterpret.ptr(n)");
    check_line("x := reinterpret.ptr(n)->f#4");
    check_line("x := (%ok ? p : null)[0]");
}

#[test]
fn commands() {
    check_line("*p:i32 := 5");
    check_line("a[i]:i8 := c");
    check_line("s.next#8:ptr := &s");
    check_line("p->flags:i32{3+2} := x");
    check_line("end := end + 1");
    check_line("end, x := call divide(x, 2)");
    check_line("x := call printf(p, copied(&s, 24 align 8), 2)");
    check_line("call (p)(x)");
    check_line("x := call (p->handler#16)(1, 2i64, a[i]:i32)");
    check_line("havoc x from \"__VERIFIER_nondet_int\"");
    check_line("assume x > 0");
    check_line("assert x > 0 & y > 0, \"both \\\"positive\\\"\"");
    check_line("fail assertion \"x\"");
    check_line("fail error \"reach_error\"");
    check_line("copy(&s, p, 24)");
    check_line("move(&s, p, n * 4)");
    check_line("fill(&a, 0, 40)");
    check_line("%call.result := allocate(n * 4 align 16)");
    check_line("%call.result := stack_mark()");
    check_line("stack_release(%call.result)");
    check_line("declare x");
    check_line("end s");
    check_line("va_start(&s)");
}

#[track_caller]
fn check_error(line: &str, expected: &str) {
    let error = match read(&in_function(line)) {
        Ok(_) => panic!("no error in `{line}`"),
        Err(error) => error.to_string(),
    };
    // The line is the 19th.
    let shown = error.strip_prefix("19:").or(error.strip_prefix("the program is not well-formed: "));
    assert_eq!(shown, Some(expected));
}

#[test]
fn errors_say_where_and_what() {
    check_error("x := ", "10: expected an expression, found the end of the line");
    check_error("x := y +", "13: expected an expression, found the end of the line");
    check_error("x := y z", "12: expected the end of the line, found `z`");
    check_error("x := zz", "10: no variable or object is named `zz`");
    check_error("zz := 1", "5: no variable or object is named `zz`");
    check_error("x + y := 1", "5: only a variable, or memory with a type (`*p:i32`), can be assigned");
    check_error("a := 1", "5: only a variable, or memory with a type (`*p:i32`), can be assigned");
    check_error("goto there", "10: no block is named `there`");
    check_error("call g()", "10: no function is named `g`");
    check_error("x := a[i]:i33x", "15: unknown type `i33x`; types are i1 to i128, f16, f32, f64, f128, x87 and ptr");
    check_error(
        "u := sext.i64(a[i])",
        "19: the type that is read here is not known from the context; add it, as in `x:i32`",
    );
    check_error(
        "%call.result := &a[i]",
        "22: the size of the elements is not known from the context; add it, as in `a[i by 4]`",
    );
    check_error("x := p.f", "10: `.` needs memory on its left; write `->` behind a pointer");
    check_error(
        "%call.result := &x",
        "22: this is a value and has no address; memory is an object, `*p`, `p[i]`, `p->f` or `s.f`",
    );
    check_error("c := 300", "10: the constant does not fit i8");
    check_error("x := 1.5", "10: a constant of type i32 has no point and no exponent");
    check_error("d := 1", "10: a constant of type f64 needs a point or an exponent, as in `1.0`");
    check_error("x := min(1)", "10: `min` takes 2 argument(s)");
    check_error("x := foo.i8(1)", "10: no cast, builtin or operator is named `foo.i8`");
    check_error("call printf(\"text\")", "17: expected an expression, found `\"text\"`");
    check_error("x := 1 @ 4:7", "14: the file is not known from the context; write `file:line:column`");
    check_error("x := n", "function `f`, block `entry`, command 0: the assigned value must be i32, not i64");
    check_error("there:", "5: expected a command or a terminator, found `there`");
}

#[test]
fn nesting_is_limited_but_chains_are_not() {
    let nested = |depth: usize| format!("x := {}y{}", "~(".repeat(depth), ")".repeat(depth));
    let limit = MAX_DEPTH as usize;
    assert!(read(&in_function(&nested(limit / 3))).is_ok());
    for bomb in [nested(100_000), "(".repeat(100_000), format!("x := {}", "-".repeat(100_000)), "p->".repeat(100_000)] {
        assert!(matches!(read(&in_function(&bomb)), Err(ReadError::Text { .. })));
    }
    let spine = "a[0]:ptr".to_owned() + &"[0]:ptr".repeat(100_000);
    assert!(read(&in_function(&format!("%call.result := {spine}"))).is_err());
    check_line(&format!("x := y{}", " + 1".repeat(100_000)));
    check_line(&format!("%ok := {}x < y", "x < y | ".repeat(20_000)));
}

#[test]
fn any_depth_can_be_printed() {
    let mut program = read_again(&in_function("x := y"));
    let body = program.functions[2].body.as_mut().unwrap();
    let mut tree = ExprId(0);
    for _ in 0..200_000 {
        tree = body.add_expr(ExprKind::Unary(UnaryOp::Not, tree), Type::I32, Site::NONE);
        let one = body.add_expr(ExprKind::Constant(1), Type::I32, Site::NONE);
        let sum = ExprKind::Binary(BinaryOp::Add(Overflow::Wraps), one, tree);
        tree = body.add_expr(sum, Type::I32, Site::NONE);
    }
    let CommandKind::Assign { value, .. } = &mut body.blocks[0].commands[0].kind else { panic!("an assignment") };
    *value = tree;
    assert_eq!(validate(&program), Ok(()));
    let text = to_text(&program, Style::Full);
    assert!(text.len() > 1_000_000);
    assert!(matches!(read(&text), Err(ReadError::Text { .. })));
}

#[test]
fn source_lines_stand_above_their_commands() {
    let mut program = read_again(concat!(
        "file 0 \"average.c\"\n",
        "fn f() {                  @ 0:1:5\n",
        "entry:\n",
        "    call f()              @ 2:3\n",
        "    call f()              @ 2:8\n",
        "    return                @ 3:1\n",
        "}\n",
    ));
    let mut sources = source::Sources::default();
    sources.add("average.c", Some("void f() {\n  f(); f();\n}\n".into()));
    program.sources = sources.into();
    let mut text = String::new();
    print(&program, Layout { source_lines: true, ..Layout::default() }, &mut text).unwrap();
    let lines: Vec<_> =
        text.lines().skip(4).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines, [";; 2 | f(); f();", "call f() @ 2:3", "call f() @ 2:8", ";; 3 | }", "return @ 3:1", "}"]);
    assert!(same(&program, &read_again(&text)));
}

#[test]
fn printing_an_invalid_program_shows_what_is_missing() {
    let mut program = read_again(&in_function("x := y"));
    let body = program.functions[2].body.as_mut().unwrap();
    let CommandKind::Assign { value, .. } = &mut body.blocks[0].commands[0].kind else { panic!("an assignment") };
    *value = ExprId(77);
    assert!(to_text(&program, Style::Readable).contains("x := <no expression 77>"));
}

/// Random damage to valid text: the reader answers, and what it accepts it can print.
#[test]
fn damaged_text_is_read_without_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    let splices: [&[u8]; 16] = [
        b"(",
        b")",
        b"&",
        b"*",
        b":i8",
        b"[",
        b"\n",
        b"\"",
        b"`",
        b"@9",
        b"%u",
        b"99999999999999999999",
        b"\0",
        b"->",
        b"{",
        b"1e9",
    ];
    let mut accepted = 0;
    for _ in 0..3000 {
        let choices: Vec<u8> = (0..1500).map(|_| random(256) as u8).collect();
        let style = if random(2) == 0 { Style::Full } else { Style::Readable };
        let mut bytes = to_text(&generate::program(&mut Choices::new(&choices)), style).into_bytes();
        for _ in 0..1 + random(3) {
            let at = random(bytes.len() + 1);
            let until = (at + random(8)).min(bytes.len());
            let splice = match random(3) {
                0 => splices[random(splices.len())].to_vec(),
                1 => Vec::new(),
                _ => {
                    let from = random(bytes.len());
                    bytes[from..(from + random(20)).min(bytes.len())].to_vec()
                }
            };
            bytes.splice(at..until, splice);
        }
        let Ok(program) = read(&String::from_utf8_lossy(&bytes)) else { continue };
        accepted += 1;
        let text = to_text(&program, Style::Full);
        assert!(same(&program, &read_again(&text)), "{text}");
    }
    assert!(accepted > 100, "damage that leaves nothing to read tests little: {accepted}");
}
