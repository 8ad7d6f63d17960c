//! Places in nasty C. A text carries its place as `@`, which is taken out before parsing;
//! clang 19 gives these places for the instructions named in each test.

use super::expression::{Expression, ExpressionKind, Hint};
use super::operator::OperatorKind;
use crate::{Place, Sources, Span};

/// The text without its `@`, and the place where that was.
fn marked(text: &str) -> (Sources, Place) {
    let offset = text.find('@').expect("a marked place");
    let mut sources = Sources::with_base("/p");
    let file = sources.add("a.c", Some(text.replacen('@', "", 1)));
    let position = sources.position(file, offset).expect("the file has a text");
    (sources, Place { file, position })
}

/// A statement inside a function.
fn in_function(statement: &str) -> String {
    format!("int f(int *p) {{\n  {statement}\n}}\n")
}

fn text(sources: &Sources, span: Span) -> &str {
    sources.text_of(span).expect("spans that are given exist")
}

/// `whole: left | right` of the operator at the mark in a statement, or `none`.
#[track_caller]
fn check(statement: &str, expected: &str) {
    check_file(&in_function(statement), expected);
}

#[track_caller]
fn check_file(file: &str, expected: &str) {
    let (sources, place) = marked(file);
    let shown = sources.operator_at(place).map(|operator| {
        assert_eq!(text(&sources, operator.token), operator.text);
        let bare = operator.operands.iter().map(|operand| text(&sources, operand.bare));
        let operands: Vec<_> = bare.collect();
        format!("{}: {}", text(&sources, operator.whole), operands.join(" | "))
    });
    assert_eq!(shown.as_deref().unwrap_or("none"), expected);
}

#[track_caller]
fn check_expression(statement: &str, hint: Hint, expected: &str) {
    let (sources, place) = marked(&in_function(statement));
    let found = sources.expression_at(place, hint);
    let shown = found.as_ref().map(|found| text(&sources, found.span));
    assert_eq!(shown.unwrap_or("none"), expected);
}

#[test]
fn binary_operators_are_found_at_their_token() {
    check("x = a @+ b;", "a + b: a | b");
    check("x = a + b @* c;", "b * c: b | c");
    check("x = a @+ b * c;", "a + b * c: a | b * c");
    check("x = (a @< b) || c;", "a < b: a | b");
    check("x = (a < b) @|| ((c));", "(a < b) || ((c)): a < b | c");
    check("if (a @&& !b) x = 1;", "a && !b: a | !b");
    check("x = a @<< 2 >> 1;", "a << 2: a | 2");
    check("x = a << 2 @>> 1;", "a << 2 >> 1: a << 2 | 1");
    check("x = a @- -1;", "a - -1: a | -1");
    check("x = a@-1;", "a-1: a | 1");
}

#[test]
fn assignments_and_updates_are_found_at_their_token() {
    check("x @= a + b;", "x = a + b: x | a + b");
    check("*p @+= 1;", "*p += 1: *p | 1");
    check("s->f @= p[i] = y;", "s->f = p[i] = y: s->f | p[i] = y");
    check("s->f = p[i] @= y;", "p[i] = y: p[i] | y");
    check("for (i = 0; i < n; i@++) x @<<= i;".replacen("@<<=", "<<=", 1).as_str(), "i++: i");
    check("@--i;", "--i: i");
    check("(*p)@++;", "(*p)++: *p");
    check("x = *p@++;", "p++: p");
    check("x = @*p++;", "*p++: p++");
    check("x = *@++p;", "++p: p");
}

#[test]
fn unary_operators_are_found_at_their_token() {
    check("x = @-y;", "-y: y");
    check("x = @!(a == b);", "!(a == b): a == b");
    check("x = @~y & z;", "~y: y");
    check("x = @*(p + 1);", "*(p + 1): p + 1");
    check("g(@&p[2]);", "&p[2]: p[2]");
    check("x = @-1;", "-1: 1");
    check("x = !@!y;", "!y: y");
}

#[test]
fn conditionals_and_commas_are_found_at_their_token() {
    check("x = a @? b : c ? d : e;", "a ? b : c ? d : e: a | b | c ? d : e");
    check("x = a ? b : c @? d : e;", "c ? d : e: c | d | e");
    check("x = a ? b @? 1 : 2 : 3;", "b ? 1 : 2: b | 1 | 2");
    check("x = a @?: c;", "a ?: c: a | c");
    check("x = (y@, n);", "y, n: y | n");
    check("g(y@, n);", "none");
}

#[test]
fn nothing_is_found_off_an_operators_first_byte() {
    check("x @ = 1;", "none");
    check("x <@<= 1;", "none");
    check("x = @a + b;", "none");
    check("x = a + b@;", "none");
    check("s = \"a @+ b\";", "none");
    check("x = a /* @+ */ + b;", "none");
    check("x = '@+';", "none");
    check("@", "none");
}

#[test]
fn expressions_may_span_lines_and_comments() {
    check(
        "x = a /* one + */\n      @+ // two\n      (/* in */ b /* out */);",
        "a /* one + */\n      + // two\n      (/* in */ b /* out */): a | b",
    );
    check("x =\r\n\ta\r\n\t@<= b;", "a\r\n\t<= b: a | b");
    check("x = a \\\n @+ b;", "a \\\n + b: a | b");
}

#[test]
fn casts_and_sizeof_do_not_confuse_operators() {
    check("x = (char)a @+ (unsigned long)b;", "(char)a + (unsigned long)b: (char)a | (unsigned long)b");
    check("x = sizeof(int) @* n;", "sizeof(int) * n: sizeof(int) | n");
    check("x = sizeof(struct s *) @+ 1;", "sizeof(struct s *) + 1: sizeof(struct s *) | 1");
    check("x = sizeof x @+ 1;", "sizeof x + 1: sizeof x | 1");
    check("x = sizeof(x) @* n;", "sizeof(x) * n: sizeof(x) | n");
    check("x = *(int *)q @- 1;", "*(int *)q - 1: *(int *)q | 1");
    check("x = (int)@-y;", "-y: y");
    check("x = (uint8_t)@*q;", "*q: q");
}

#[test]
fn a_parenthesized_typedef_before_an_operator_is_a_cast() {
    let file = |statement| format!("typedef unsigned T, word; typedef int (*F)(int);\n{}", in_function(statement));
    check_file(&file("x = (T) @- y;"), "- y: y");
    check_file(&file("x = (T)@*q;"), "*q: q");
    check_file(&file("x = (F)@&g;"), "&g: g");
    check_file(&file("x = (word)@-y * z;"), "-y: y");
    check_file(&file("x = (T) @* q[1] * z;"), "* q[1]: q[1]");
    check_file(&file("x = (U) @- y;"), "(U) - y: U | y");
    check_file(&file("x = (U) @- y * z;"), "(U) - y * z: U | y * z");
    check_file(&file("x = ((U) + (V) @* (W) - 1);"), "(V) * (W): V | W");
    check_file(&file("x = (a) @* y;"), "(a) * y: a | y");
    let (sources, place) = marked(&file("x = @(T)(y + 1);"));
    let cast = sources.expression_at(place, Hint::Cast).expect("a cast");
    assert_eq!(text(&sources, cast.span), "(T)(y + 1)");
    assert_eq!(cast.operands.len(), 1);
    assert_eq!(text(&sources, cast.operands[0].bare), "y + 1");
    let (sources, place) = marked(&in_function("x = @(T)(y + 1);"));
    assert_eq!(sources.expression_at(place, Hint::Cast), None);
}

#[test]
fn gnu_extensions_are_read_where_the_parser_can() {
    check("x = ({ int t = a @+ b; t; }) * 2;", "a + b: a | b");
    check("x = ({ int t = a; t; }) @* 2;", "({ int t = a; t; }) * 2: ({ int t = a; t; }) | 2");
    check("x = __extension__ (a @+ b);", "a + b: a | b");
    check("x = __builtin_expect(!!(a @< b), 0);", "a < b: a | b");
    check("void *q = &&label; x = a @+ b;", "a + b: a | b");
    check("switch (x) { case 1 ... 5: y = a @+ b; }", "a + b: a | b");
    check("__asm__ volatile(\"nop\"); x = a @+ b;", "a + b: a | b");
}

#[test]
fn damaged_text_gives_nothing_or_the_best_subtree() {
    check("x = a @+ ;", "none");
    check("x = ) @+ b;", "+ b: b");
    check("@@@ ?? x = a + b", "none");
    check_file("int f( { x = 1 @+", "none");
    check_file("@", "none");
    check("x = = = ; y = a @+ b;", "a + b: a | b");
}

#[test]
fn declarations_of_any_shape_are_passed_through() {
    check_file("int (*handlers[4])(int, char *) = { f, g };\nint x = 1 @+ 2;", "1 + 2: 1 | 2");
    check_file("int (*pick(int k))(double) { return k @> 0 ? a : b; }", "k > 0: k | 0");
    check_file("int add(a, b)\n  int a, b;\n{ return a @- b; }\n", "a - b: a | b");
    check_file("enum { A = 1 @<< 3 };", "1 << 3: 1 | 3");
    check_file("struct s { unsigned f : 2 @+ 1; };", "2 + 1: 2 | 1");
    check_file("char buffer[N @+ 1];", "N + 1: N | 1");
    check("int x @= 1;", "none");
}

#[test]
fn hints_choose_among_expressions_at_one_place() {
    check_expression("x = @a[i][j];", Hint::Variable, "a");
    check_expression("x = @a[i][j];", Hint::Subscript, "a[i]");
    check_expression("x = @a[i][j];", Hint::Any, "a");
    check_expression("x = @s->n->arr[i + 1];", Hint::Subscript, "s->n->arr[i + 1]");
    check_expression("x = s->@n->f;", Hint::Member, "s->n");
    check_expression("x = s->n->@f;", Hint::Member, "s->n->f");
    check_expression("x = @g(a, b) + 1;", Hint::Call, "g(a, b)");
    check_expression("x = @(*fp)(1, 2);", Hint::Call, "(*fp)(1, 2)");
    check_expression("@s->fn(x)(y);", Hint::Call, "s->fn(x)");
    check_expression("x = @*p++;", Hint::Dereference, "*p++");
    check_expression("x = @&*p;", Hint::Dereference, "none");
    check_expression("x = @(char)(a + b);", Hint::Cast, "(char)(a + b)");
    check_expression("x = @a < b ? c : d;", Hint::Conditional, "a < b ? c : d");
    check_expression("x = a < b @? c : d;", Hint::Conditional, "a < b ? c : d");
    check_expression("x = a @+ b;", Hint::Operator(&["+", "-"]), "a + b");
    check_expression("x = @a + b;", Hint::Operator(&["+"]), "a + b");
    check_expression("x = @a + b;", Hint::Operator(&["*"]), "none");
    check_expression("@i++;", Hint::Operator(&["++"]), "i++");
    check_expression("x = @42;", Hint::Literal, "42");
    check_expression("g(@\"a\" \"b\");", Hint::Literal, "\"a\"");
    check_expression("int @x = 1;", Hint::Variable, "none");
    check_expression("int x = @y;", Hint::Variable, "y");
}

#[test]
fn all_expressions_at_a_place_come_smallest_first() {
    let (sources, place) = marked(&in_function("x = @a[i][j] + 1;"));
    let found = sources.expressions_at(place);
    let shown: Vec<_> = found.iter().map(|found| text(&sources, found.span)).collect();
    assert_eq!(shown, ["a", "a[i]", "a[i][j]", "a[i][j] + 1"]);
    let Expression { kind, anchor, operands, .. } = &found[3];
    assert_eq!(*kind, ExpressionKind::Binary);
    assert_eq!(anchor.position.column, place.position.column + 8);
    assert_eq!(operands.len(), 2);
}

#[test]
fn operands_are_given_with_and_without_parentheses() {
    let (sources, place) = marked(&in_function("x = ((a + 1)) @* g(2, (3));"));
    let operator = sources.operator_at(place).expect("an operator");
    assert_eq!(operator.kind, OperatorKind::Binary);
    assert_eq!(text(&sources, operator.operands[0].whole), "((a + 1))");
    assert_eq!(text(&sources, operator.operands[0].bare), "a + 1");
    let call = sources.expression_in(operator.operands[1].whole).expect("a call");
    let parts: Vec<_> = call.operands.iter().map(|part| text(&sources, part.whole)).collect();
    assert_eq!(parts, ["g", "2", "(3)"]);
}

#[test]
fn statements_are_the_smallest_around_a_place() {
    let check = |statement: &str, expected: &str| {
        let (sources, place) = marked(&in_function(statement));
        let found = sources.statement_at(place).map(|span| text(&sources, span).to_owned());
        assert_eq!(found.as_deref().unwrap_or("none"), expected);
    };
    check("if (a) x @= 1; else y = 2;", "x = 1;");
    check("if (@a) x = 1;", "if (a) x = 1;");
    check("int x @= 1, y;", "int x = 1, y;");
    check("while (1) @{ x = 1; }", "{ x = 1; }");
    check("do x++; while (@x < 3);", "do x++; while (x < 3);");
    check("x = ({ y @= 1; y; });", "y = 1;");
    check("return @a;", "return a;");
    let (sources, place) = marked("int @f(void) { return 1; }");
    assert_eq!(sources.statement_at(place), None);
}

#[test]
fn functions_have_their_name_whatever_their_declarator() {
    let check = |file: &str, name: &str, body: &str| {
        let (sources, place) = marked(file);
        let found = sources.function_at(place).expect("a function");
        assert_eq!(found.name, name);
        assert_eq!(text(&sources, found.body), body);
        assert!(found.whole.contains(place));
    };
    check("int f(void) { @x; }", "f", "{ x; }");
    check("static char **@f(int a) {}", "f", "{}");
    check("int (*pick(int k))(double) { @k; }", "pick", "{ k; }");
    check("int add(a, b)\n  int a, b;\n{ @a; }", "add", "{ a; }");
    check("int (f)(int a) { @a; }", "f", "{ a; }");
    let (sources, place) = marked("int f(void) {}\nint @x;");
    assert_eq!(sources.function_at(place), None);
}

#[test]
fn values_are_found_from_names_keywords_and_conditions() {
    let check = |statement: &str, expected: [&str; 3]| {
        let (sources, place) = marked(&in_function(statement));
        let found = [sources.initializer_at(place), sources.returned_at(place), sources.condition_at(place)];
        let shown = found.map(|operand| operand.map_or("none", |part| text(&sources, part.bare)));
        assert_eq!(shown, expected);
    };
    check("int *@q = (p + 1), r = 2;", ["p + 1", "none", "none"]);
    check("int *q = p + 1, @r = 2;", ["2", "none", "none"]);
    check("int @a[2] = { 1, 2 };", ["{ 1, 2 }", "none", "none"]);
    check("int (*@g)(int) = h;", ["h", "none", "none"]);
    check("int x = @y;", ["none", "none", "none"]);
    check("int a[@n] = { 0 };", ["none", "none", "none"]);
    check("@return (x) + y;", ["none", "(x) + y", "none"]);
    check("@return;", ["none", "none", "none"]);
    check("if (@a > b) x = 1;", ["none", "none", "a > b"]);
    check("@if ((a) && b) x = 1;", ["none", "none", "(a) && b"]);
    check("if (@(a) && b) x = 1;", ["none", "none", "(a) && b"]);
    check("if (a > @b) x = 1;", ["none", "none", "none"]);
    check("@while (x--) y--;", ["none", "none", "x--"]);
    check("@for (int k = 0; k < n; k++) ;", ["none", "none", "k < n"]);
    check("for (int k = 0; @k < n; k++) ;", ["none", "none", "k < n"]);
    check("do { x++; @} while (x < 10);", ["none", "none", "x < 10"]);
    check("do @x++; while (x < 10);", ["none", "none", "x < 10"]);
    check("@switch (x) { case 1: ; }", ["none", "none", "x"]);
    check("x = @y;", ["none", "none", "none"]);
}

#[test]
fn tokens_are_whole_also_from_their_middle() {
    let check = |statement: &str, expected: &str| {
        let (sources, place) = marked(&in_function(statement));
        let found = sources.token_at(place).map(|token| token.text);
        assert_eq!(found.as_deref().unwrap_or("none"), expected);
    };
    check("long@er = 1;", "longer");
    check("x = \"a @+ b\";", "\"a + b\"");
    check("x @<<= 1;", "<<=");
    check("x = @'\\n';", "'\\n'");
    check("x =@ 1;", "none");
}

#[test]
fn places_that_do_not_exist_have_no_syntax() {
    let (sources, Place { file, .. }) = marked("int x;@\n");
    for (line, column) in [(0, 0), (1, 0), (1, 7), (1, 99), (2, 1), (9, 9), (u32::MAX, u32::MAX)] {
        let place = Place::new(file, line, column);
        assert_eq!(sources.operator_at(place), None);
        assert_eq!(sources.token_at(place), None);
        assert_eq!(sources.function_at(place), None);
        assert!(sources.expressions_at(place).is_empty());
    }
}

/// Questions cost the tree's depth: on a text of the size of SQLite's preprocessed source,
/// thousands of them take a moment once the text is parsed.
#[test]
fn a_large_file_is_parsed_once_and_answers_quickly() {
    let function = "static int f(int *p, int n) {\n  for (int i = 0; i < n; i++) p[i] = p[i] + n;\n  \
                    return n;\n}\n";
    let count = 20_000;
    let mut sources = Sources::with_base("/p");
    let file = sources.add("large.c", Some(function.repeat(count)));
    assert!(sources.operator_at(Place::new(file, 2, 43)).is_some());
    let start = std::time::Instant::now();
    for index in (0..count as u32).step_by(10) {
        let place = Place::new(file, index * 4 + 2, 43);
        assert_eq!(sources.operator_at(place).expect("an operator").text, "+");
        assert_eq!(sources.function_at(place).expect("a function").name, "f");
    }
    assert!(start.elapsed().as_secs() < 10, "took {:?}", start.elapsed());
}
