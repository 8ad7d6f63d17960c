//! C in, the program's text out: what each construct becomes.
//!
//! A test gives C and the lines that one function must consist of, without their places.

use std::path::PathBuf;

use program::Program;
use program::text::{Style, to_text};

fn read(source: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("test.c");
    std::fs::write(&file, source).expect("the file is written");
    read_files(vec![file])
}

fn read_files(files: Vec<PathBuf>) -> Program {
    let options = frontend::Options { files, ..Default::default() };
    let program = frontend::read(&options).unwrap_or_else(|error| panic!("{error}"));
    program::validate(&program).unwrap_or_else(|error| panic!("{error}\n{}", to_text(&program, Style::Readable)));
    program
}

/// The commands and labels of a function, one a line, without places and declarations.
fn body(program: &Program, function: &str) -> Vec<String> {
    let text = to_text(program, Style::Readable);
    let start = format!("fn {function}(");
    let lines = text.lines().skip_while(|line| !line.starts_with(&start)).skip(1).take_while(|line| *line != "}");
    let strip = |line: &str| line.split("  @ ").next().unwrap_or(line).trim().to_string();
    let is_declaration = |line: &String| {
        ["param ", "var ", "temp ", "object "].iter().any(|word| line.starts_with(word)) || line.is_empty()
    };
    lines.map(strip).filter(|line| !is_declaration(line)).collect()
}

fn check(source: &str, function: &str, expected: &[&str]) {
    let program = read(source);
    assert_eq!(body(&program, function), expected, "\n{}", to_text(&program, Style::Readable));
}

#[test]
fn an_assignment_is_one_command() {
    check("int f(int *a, int i, int s) { s = s + a[i]; return s; }", "f", &["entry:", "s := s + a[i]", "return s"]);
}

#[test]
fn a_compound_assignment_repeats_its_place() {
    check(
        "struct s { int n[4]; int k; }; void f(struct s *p, int i) { p->n[i] += 2; p->k++; --p->k; }",
        "f",
        &[
            "entry:",
            "p->n[i of 4]:i32 := p->n[i of 4] + 2",
            "p->k#16:i32 := p->k#16 + 1",
            "p->k#16:i32 := p->k#16 - 1",
            "return",
        ],
    );
}

#[test]
fn an_old_value_that_is_still_needed_gets_a_temporary() {
    check(
        "int f(int i) { int x = i++; return x + i; }",
        "f",
        &["entry:", "%2 := i", "i := %2 + 1", "x := %2", "return x + i"],
    );
}

#[test]
fn a_load_does_not_move_over_a_store() {
    check(
        "int f(int *p, int *q) { int x = *p + (*q = 3); return x; }",
        "f",
        &["entry:", "%3 := *p", "*q:i32 := 3", "x := %3 + 3", "return x"],
    );
}

#[test]
fn conditions_lose_their_detour_through_int() {
    check(
        "int f(int a, int b) { if (!(a < b)) return 1; return 2; }",
        "f",
        &[
            "entry:",
            "if a < b then if.end else if.then",
            "if.then:",
            "%result := 1",
            "goto return",
            "if.end:",
            "%result := 2",
            "goto return",
            "return:",
            "return %result",
        ],
    );
}

#[test]
fn short_circuits_join_on_edges() {
    check(
        "int f(int a, int *p) { int c = a && *p; return c; }",
        "f",
        &[
            "entry:",
            "if a != 0 then land.rhs else land.end.in",
            "land.rhs:",
            "%3 := *p:i32 != 0",
            "goto land.end",
            "land.end:",
            "c := zext.i32(%3)",
            "return c",
            "land.end.in:",
            "%3 := false",
            "goto land.end",
        ],
    );
}

#[test]
fn bit_fields_are_read_and_written_as_bits() {
    check(
        "struct b { unsigned x : 3; int y : 5; }; int f(struct b *p) { p->x = 5; p->y = 0; return p->y + p->x; }",
        "f",
        &["entry:", "*p:i8{0+3} := 5", "*p:i8{3+5} := 0", "return sext.i32(*p:i8{3+5 signed}) + zext.i32(*p:i8{0+3})"],
    );
}

#[test]
fn objects_of_an_inner_block_begin_and_end() {
    check(
        "int f(void) { int *p; { int z = 3; p = &z; } return *p; }",
        "f",
        &["entry:", "begin z", "z:i32 := 3", "p := &z", "end z", "return *p"],
    );
}

#[test]
fn an_object_that_is_jumped_to_lives_with_its_frame() {
    let program =
        read("void g(int *); int f(int x) { switch (x) { int y; case 1: y = 2; g(&y); return y; } return 0; }");
    let function = program.functions.iter().find(|function| function.name == "f").expect("f is there");
    assert!(function.body.as_ref().is_some_and(|body| body.locals.iter().all(|local| !local.scoped)));
}

#[test]
fn verifier_functions_and_asserts_are_commands() {
    check(
        "#include <assert.h>\nint __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void) {}\n\
         int f(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); assert(x != 7); reach_error(); return x; }",
        "f",
        &[
            "entry:",
            "havoc x from \"__VERIFIER_nondet_int\"",
            "assume x > 0",
            "if x != 7 then if.then else if.else",
            "if.then:",
            "goto if.end",
            "if.else:",
            "fail assertion \"x != 7\"",
            "unreachable",
            "if.end:",
            "fail error \"reach_error\"",
            "return x",
        ],
    );
}

#[test]
fn structs_in_registers_travel_with_their_holes() {
    let program = read("struct s { int a; char b; }; void g(struct s); void f(void) { struct s s; s.a = 1; g(s); }");
    assert!(body(&program, "f").contains(&"call g(s:i64{copy})".to_string()), "{:?}", body(&program, "f"));
}

#[test]
fn assembly_is_unsupported_at_its_place() {
    let program =
        read("int f(int x) {\n  asm(\"bswap %0\" : \"+r\"(x));\n  asm volatile(\"\" ::: \"memory\");\n  return x;\n}");
    let [only] = program.unsupported.as_slice() else { panic!("{:?}", program.unsupported) };
    assert!(only.what.contains("bswap"));
    assert_eq!(program.place(only.site).map(|place| place.position.line), Some(2));
}

#[test]
fn several_files_and_kinds_become_one_program() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the file is written");
        path
    };
    let main = write("main.c", "int twice(int); static int k = 1; int main(void) { return twice(k); }");
    let twice = write("twice.i", "static int k = 2; int twice(int x) { return k * x; }");
    let other = write("other.c", "int other(void) { return 3; }");
    let compile = |output: &str, flag: &str| {
        let output = folder.path().join(output);
        let mut clang = std::process::Command::new("clang-19");
        clang.args(["-g", flag, "-emit-llvm"]).arg(&other).arg("-o").arg(&output);
        assert!(clang.status().expect("clang runs").success());
        output
    };
    for ir in [compile("other.bc", "-c"), compile("other.ll", "-S")] {
        let program = read_files(vec![main.clone(), twice.clone(), ir]);
        let defined: Vec<&str> = program
            .functions
            .iter()
            .filter(|function| function.body.is_some())
            .map(|function| function.name.as_str())
            .collect();
        assert_eq!(defined, ["main", "twice", "other"]);
        assert_eq!(program.globals.iter().filter(|global| global.name.starts_with('k')).count(), 2);
    }
}

#[test]
fn inline_functions_keep_their_bodies() {
    let text = "inline int twice(int x) { return 2 * x; } __inline int thrice(int x) { return 3 * x; }
        extern inline int four(int x) { return 4 * x; } int nowhere(int);
        int main(void) { return twice(1) + thrice(1) + four(1) + nowhere(1); }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["test.c", "test.i"] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("the file is written");
        let program = read_files(vec![file]);
        let is_defined =
            |name: &str| program.find_function(name).is_some_and(|function| program.function(function).body.is_some());
        assert_eq!(["twice", "thrice", "four", "nowhere"].map(is_defined), [true, true, true, false], "{name}");
    }
}

#[test]
fn macros_get_their_exact_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("test.c");
    std::fs::write(&file, "#define ADD(a, b) ((a) + (b))\nint f(int x, int y) {\n  return ADD(x, y) * 2;\n}\n")
        .expect("written");
    let options = frontend::Options { files: vec![file], exact_places: true, ..Default::default() };
    let program = frontend::read(&options).unwrap_or_else(|error| panic!("{error}"));
    let body = program.functions[0].body.as_ref().expect("f has a body");
    let sum = body
        .exprs
        .iter()
        .find(|node| matches!(node.kind, program::ExprKind::Binary(program::BinaryOp::Add(_), ..)))
        .expect("there is a sum");
    let site = program.site(sum.site);
    let exact = site.exact.expect("the sum was paired");
    let line = program.sources.line(exact.file, exact.position.line).expect("the line is there");
    assert_eq!(&line[exact.position.column as usize - 1..][..1], "+");
    // In the user's file, it is where the macro's name stands.
    assert_eq!(site.place.map(|place| (place.position.line, place.position.column)), Some((3, 10)));
}
