//! Pairs of texts. The original has its place at `@`; the preprocessed text has the anchor at
//! `@` and the part to change between `«` and `»`.

use super::*;

/// Takes the marks out of a text: the text, and the offsets of `@`, `«` and `»`.
fn unmarked(text: &str) -> (String, [usize; 3]) {
    let (mut plain, mut places) = (String::new(), [0; 3]);
    for c in text.chars() {
        match "@«»".chars().position(|mark| mark == c) {
            Some(mark) => places[mark] = plain.len(),
            None => plain.push(c),
        }
    }
    (plain, places)
}

/// What of the original may be changed, in the form `line:column text`, or why nothing.
#[track_caller]
fn check(original: &str, exact: &str, expected: &str) {
    let (original_text, [original_anchor, ..]) = unmarked(original);
    let (exact_text, [anchor, start, end]) = unmarked(exact);
    let mut sources = Sources::with_base("/p");
    let file = sources.add("a.c", Some(original_text));
    let exact_file = sources.add("a.i", Some(exact_text));
    let place = |file, offset| Place { file, position: sources.position(file, offset).unwrap() };
    let part = sources.span(exact_file, start..end).unwrap();
    let exact = ExactPart { part, anchor: place(exact_file, anchor) };
    let shown = match patchable(&sources, exact, place(file, original_anchor)) {
        Patchability::Patchable { span } => format!("{} {}", span.start, sources.text_of(span).unwrap()),
        Patchability::Refused(refusal) => refusal.to_string(),
    };
    assert_eq!(shown, expected);
}

/// The same inside a function, after definitions.
#[track_caller]
fn check_in_function(definitions: &str, original: &str, exact: &str, expected: &str) {
    let original = format!("{definitions}\nint f(void) {{\n{original}\n}}\n");
    check(&original, &format!("int f(void) {{ {exact} }}\n"), expected);
}

#[test]
fn text_without_macros_is_patchable() {
    check_in_function("", "x = a @+ b;", "x = a «@+» b;", "3:7 +");
    check_in_function("", "x = a @+ b;", "x = «a @+ b»;", "3:5 a + b");
    check_in_function("", "x = a @+ g(2, 3);", "x = a @+ «g(2, 3)»;", "3:9 g(2, 3)");
    check_in_function("", "x = @a + b;", "x = «@a» + b;", "3:5 a");
    check_in_function("", "x = (a /* why */\n\t@+ b);", "x = («a @+ b»);", "3:6 a /* why */\n\t+ b");
    check_in_function("", "@g(1, \"a + b\");", "«@g(1, \"a + b\")»;", "3:1 g(1, \"a + b\")");
}

#[test]
fn macros_beside_the_part_do_no_harm() {
    let n = "#define N 10";
    check_in_function(n, "if (i @< N) x;", "if (i «@<» 10) x;", "3:7 <");
    check_in_function(n, "if (i @< N) x;", "if («i» @< 10) x;", "3:5 i");
    check_in_function(n, "x = N @- (a * b);", "x = 10 @- «(a * b)»;", "3:9 (a * b)");
    check_in_function(n, "x = N * @i;", "x = 10 * «@i»;", "3:9 i");
}

#[test]
fn macros_in_the_part_are_refused_by_name() {
    let n = "#define N 10";
    let refusal = "`N` is a macro: change its definition at a.c:1:9 instead";
    check_in_function(n, "if (i @< N) x;", "if (i @< «10») x;", refusal);
    check_in_function(n, "if (i @< N) x;", "if («i @< 10») x;", refusal);
    check_in_function(n, "x = @N;", "x = «@10»;", refusal);
    check_in_function(
        "",
        "if (i @< N) x;",
        "if («i @< 10») x;",
        "`N` is a macro that is defined elsewhere: change its definition instead",
    );
    let max = "#define MAX(a, b) ((a) > (b) ? (a) : (b))";
    let refusal = "`MAX` is a macro: change its definition at a.c:1:9 instead";
    check_in_function(max, "k = @MAX(x, y);", "k = ((x) «@>» (y) ? (x) : (y));", refusal);
    check_in_function(max, "k = @MAX(x + y, z);", "k = ((x «@+» y) > (z) ? (x + y) : (z));", refusal);
    check_in_function(max, "k @= MAX(x, y);", "«k @= ((x) > (y) ? (x) : (y))»;", refusal);
    check_in_function(max, "k @= MAX(x, y);", "k «@=» ((x) > (y) ? (x) : (y));", "3:3 =");
}

#[test]
fn macros_left_of_the_anchor_are_named_too() {
    let get = "#define GET(a, i) (*at(a, i))";
    let refusal = "`GET` is a macro: change its definition at a.c:1:9 instead";
    check_in_function(get, "x = y[GET(p, 1)] @+ b;", "x = «y[(*at(p, 1))] @+ b»;", refusal);
    check_in_function(get, "x = GET(p, (1)).f @= b;", "x = «(*at(p, (1))).f @= b»;", refusal);
    check_in_function(
        "",
        "x = (EMPTY (y)) @= b;",
        "x = «((y)) @= b»;",
        "`EMPTY` is a macro that is defined elsewhere: change its definition instead",
    );
}

#[test]
fn the_nearest_definition_is_named() {
    let text = "#define N 1\nint a;\n#undef N\n#define N 2\nint f(void) { return x @+ N; }\n#define N 3\n";
    let exact = "int a;\nint f(void) { return x @+ «2»; }\n";
    check(text, exact, "`N` is a macro: change its definition at a.c:4:9 instead");
}

#[test]
fn names_that_expand_to_themselves_and_more_are_refused() {
    let refusal = "`v` is a macro: change its definition at a.c:1:9 instead";
    check_in_function("#define v (v + 1)", "k = @v;", "k = («@v» + 1);", refusal);
    check_in_function("#include \"v.h\"", "k = @v;", "k = («@v» + 1);", "`v` may come from a macro");
    let elsewhere = "`g` is a macro that is defined elsewhere: change its definition instead";
    check_in_function("", "k = 1 @+ g(y);", "k = 1 @+ «g»;", elsewhere);
    check_in_function("", "k = @g(y);", "k = «@g(y + 1)»;", elsewhere);
}

#[test]
fn directives_are_left_alone() {
    let refusal = "the place is part of a preprocessor directive, and a change may have effects elsewhere";
    check("#define M(x) x @+ 1\nint y = M(2);\n", "int y = 2 «@+» 1;\n", refusal);
    let inside = "a preprocessor directive stands inside the expression";
    check_in_function("", "x = a @+\n#ifdef B\n b;\n#else\n c;\n#endif", "x = «a @+ b»;", inside);
    check_in_function("", "x = a @+\n#ifdef B\n b;\n#else\n c;\n#endif", "x = a «@+» b;", "3:7 +");
}

#[test]
fn an_argument_that_is_used_once_is_patchable() {
    let unlikely = "#define unlikely(x) __builtin_expect(!!(x), 0)";
    let refusal = "`unlikely` is a macro: change its definition at a.c:1:9 instead";
    let exact = |marked| format!("if (__builtin_expect({marked}, 0)) k++;");
    check_in_function(unlikely, "if (@unlikely(x < y)) k++;", &exact("!!(x «@<» y)"), "3:16 <");
    check_in_function(unlikely, "if (@unlikely(x < y)) k++;", &exact("!!(x @< «y»)"), "3:18 y");
    check_in_function(unlikely, "if (@unlikely(x < y)) k++;", &exact("!!(«x @< y»)"), "3:14 x < y");
    check_in_function(unlikely, "if (@unlikely(x < y)) k++;", &exact("!«@!(x < y)»"), refusal);
    let twice = "if (@unlikely(x < y)) k = x < y;";
    check_in_function(unlikely, twice, "if (__builtin_expect(!!(x «@<» y), 0)) k = x < y;", refusal);
    check_in_function(
        "",
        "k = @ID(p[x * 2]) + @ID(1);".replacen("+ @", "+ ", 1).as_str(),
        "k = p[x «@*» 2] + 1;",
        "3:12 *",
    );
}

#[test]
fn an_argument_that_changes_is_refused() {
    let text = "#define N 3\n#define ID(x) x";
    let refusal = "`ID` is a macro: change its definition at a.c:2:9 instead";
    let original = format!("{text}\nint f(void) {{ return @ID(a + N); }}\n");
    check(&original, "int f(void) { return a «@+» 3; }\n", refusal);
    check_in_function(
        "#define DBL(x) x * 2",
        "k = @DBL(a + b);",
        "k = «a @+ b * 2»;",
        "`DBL` is a macro: change its definition at a.c:1:9 instead",
    );
}

#[test]
fn places_that_are_no_tokens_are_refused() {
    let refusal = "the source at this place is not what was compiled";
    check_in_function("", "x =@ a + b;", "x = a «@+» b;", refusal);
    check_in_function("", "x = a @+ b;", "x = a «@ +» b;", refusal);
    check_in_function("", "x = a @+ b;", "x = a «@+ » b;", refusal);
    check_in_function("", "x = a @- b;", "x = a «@+» b;", "`-` was compiled as `+`");
    let mut sources = Sources::with_base("/p");
    let (file, missing) = (sources.add("a.c", Some("x".into())), sources.add("b.c", None));
    let part = sources.span(file, 0..1).unwrap();
    let exact = ExactPart { part, anchor: Place::new(file, 1, 1) };
    for place in [Place::new(missing, 1, 1), Place::new(file, 0, 0), Place::new(file, 9, 9)] {
        assert_eq!(patchable(&sources, exact, place), Patchability::Refused(Refusal::NotThere));
    }
}
