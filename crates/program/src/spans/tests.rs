//! Ranges of programs that clang compiled: `faultline ir --full sample.c`.
//!
//! The golden file lists each command and terminator with its range, and under it each node with its
//! range and, for operations, what the source shows of the operator.

use std::fmt::Write;
use std::path::Path;

use source::{Place, Sources, Span};

use super::{NodeRef, OperatorToken, SpanIndex};
use crate::text::read;
use crate::{BlockId, Body, ExprId, ExprKind, FunctionId, Object, Program};

/// A program, with the texts of its files in order.
fn program(printed: &str, texts: &[&str]) -> Program {
    let mut program = read(printed).unwrap();
    let mut sources = Sources::default();
    for (file, text) in program.sources.files().zip(texts) {
        sources.add(program.sources.path(file), Some((*text).to_owned()));
    }
    program.sources = sources.into();
    program
}

fn sample() -> Program {
    program(include_str!("../../tests/spans/sample.fir"), &[include_str!("../../tests/spans/sample.c")])
}

/// What a node is, in a word.
fn word(program: &Program, body: &Body, id: ExprId) -> String {
    let expr = body.expr(id);
    match &expr.kind {
        ExprKind::Constant(bits) if expr.ty.is_float() => format!("{}", f64::from_bits(*bits as u64)),
        ExprKind::Constant(bits) => format!("{bits}"),
        ExprKind::Variable(variable) => body.variable(*variable).name.clone(),
        ExprKind::Address(Object::Global(global)) => format!("&{}", program.global(*global).name),
        ExprKind::Address(Object::Local(local)) => format!("&{}", body.locals[local.index()].name),
        ExprKind::Address(Object::Function(function)) => format!("&{}", program.function(*function).name),
        ExprKind::Address(Object::Label(..)) => "label".into(),
        ExprKind::Load(_) => "load".into(),
        ExprKind::Unary(op, _) => format!("{op:?}"),
        ExprKind::Binary(op, ..) => format!("{op:?}"),
        ExprKind::Cast(op, _) => format!("{op:?}"),
        ExprKind::Select { .. } => "select".into(),
        ExprKind::Index(_) => "index".into(),
        ExprKind::Field(field) => format!("member {}", field.name.as_deref().unwrap_or_default()),
        ExprKind::Apply(builtin, _) => format!("{builtin:?}"),
    }
}

fn shown(program: &Program, span: Option<Span>) -> String {
    match span {
        None => "-".into(),
        Some(span) => {
            let text =
                program.sources.text_of(span).unwrap_or("<not there>").split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{}:{} `{text}`", span.file.0, span.start)
        }
    }
}

/// All ranges of a program.
fn listing(program: &Program) -> String {
    let index = SpanIndex::new(program);
    let mut out = String::new();
    for (number, function) in program.functions.iter().enumerate() {
        let (id, Some(body)) = (FunctionId(number as u32), &function.body) else { continue };
        writeln!(out, "{}", function.name).unwrap();
        for (number, block) in body.blocks.iter().enumerate() {
            let block_id = BlockId(number as u32);
            writeln!(out, "  {}", block.name).unwrap();
            for (number, command) in block.commands.iter().enumerate() {
                let span = index.span(NodeRef::Command(id, block_id, number as u32));
                let mut roots = Vec::new();
                command.kind.operands(|root| roots.push(*root));
                let kind = format!("{:?}", command.kind);
                let kind = kind.split([' ', '(']).next().unwrap_or_default();
                writeln!(out, "    {kind}: {}", shown(program, span)).unwrap();
                roots.into_iter().for_each(|root| list_tree(program, &index, id, root, 3, &mut out));
            }
            let span = index.span(NodeRef::Terminator(id, block_id));
            let mut roots = Vec::new();
            block.terminator.kind.operands(|root| roots.push(*root));
            writeln!(out, "    end: {}", shown(program, span)).unwrap();
            roots.into_iter().for_each(|root| list_tree(program, &index, id, root, 3, &mut out));
        }
    }
    out
}

fn list_tree(program: &Program, index: &SpanIndex, function: FunctionId, id: ExprId, depth: usize, out: &mut String) {
    let body = program.function(function).body.as_ref().unwrap();
    let operator = match (&body.expr(id).kind, index.operator_token(function, id)) {
        (ExprKind::Binary(..) | ExprKind::Unary(..), OperatorToken::Found { token, text }) => {
            assert_eq!(program.sources.text_of(token), Some(text.as_str()));
            format!(" [{text} {}]", token.start)
        }
        (ExprKind::Binary(..) | ExprKind::Unary(..), token) => format!(" [{token:?}]"),
        _ => String::new(),
    };
    let span = shown(program, index.expr(function, id));
    writeln!(out, "{}{}: {span}{operator}", "  ".repeat(depth), word(program, body, id)).unwrap();
    body.expr(id).kind.operands(|operand| list_tree(program, index, function, *operand, depth + 1, out));
}

#[test]
fn ranges_of_the_sample() {
    let listed = listing(&sample());
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spans/sample.spans");
    if std::env::var_os("FAULTLINE_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(golden, listed).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(golden).unwrap();
    assert!(listed == expected, "the ranges changed; see with `cargo xtask bless` and `git diff`");
}

/// A comparison with a macro, and its preprocessed text.
fn with_macro() -> Program {
    program(
        concat!(
            "file 0 \"m.c\"\n",
            "file 1 \"m.i\"\n",
            "site 1 = 0:3:3 exact 1:2:3\n",
            "site 2 = 0:3:16 exact 1:2:16\n",
            "site 3 = 0:3:10 exact 1:2:10\n",
            "fn f(total: i32) -> i32 {\n",
            "entry:\n",
            "    return zext.i32@2(total@3 <@2 10)  @1\n",
            "}\n",
        ),
        &[
            "#define LIMIT 10\nint f(int total) {\n  return total < LIMIT;\n}\n",
            "int f(int total) {\n  return total < 10;\n}\n",
        ],
    )
}

/// The node whose word this is.
#[track_caller]
fn find(program: &Program, function: FunctionId, wanted: &str) -> ExprId {
    let body = program.function(function).body.as_ref().unwrap();
    let found = (0..body.exprs.len() as u32).map(ExprId).find(|id| word(program, body, *id) == wanted);
    found.unwrap_or_else(|| panic!("no node `{wanted}`"))
}

#[test]
fn preprocessed_text_is_used_and_leads_back() {
    let program = with_macro();
    let index = SpanIndex::new(&program);
    let function = FunctionId(0);
    let check = |wanted: &str, exact: &str, original: Result<&str, &str>| {
        let node = NodeRef::Expr(function, find(&program, function, wanted));
        assert_eq!(shown(&program, index.span(node)), exact);
        let found = index.original(node).unwrap().map(|span| shown(&program, Some(span)));
        assert_eq!(found.map_err(|refusal| refusal.to_string()), original.map(Into::into).map_err(Into::into));
    };
    let refusal = "`LIMIT` is a macro: change its definition at m.c:1:9 instead";
    check("total", "1:2:10 `total`", Ok("0:3:10 `total`"));
    check("Compare(Less(Signed))", "1:2:10 `total < 10`", Err(refusal));
    check("10", "1:2:18 `10`", Err(refusal));
    let compare = find(&program, function, "Compare(Less(Signed))");
    let OperatorToken::Found { token, .. } = index.operator_token(function, compare) else { panic!("a token") };
    let site = program.function(function).body.as_ref().unwrap().expr(compare).site;
    let original = index.original_part(site, token).unwrap();
    assert_eq!(shown(&program, Some(original)), "0:3:16 `<`");
}

#[test]
fn places_lead_to_nodes() {
    let program = with_macro();
    let index = SpanIndex::new(&program);
    let words = |nodes: Vec<NodeRef>| -> Vec<String> {
        let body = program.functions[0].body.as_ref().unwrap();
        let word = |node| match node {
            NodeRef::Expr(_, id) => word(&program, body, id),
            NodeRef::Command(..) => "command".into(),
            NodeRef::Terminator(..) => "terminator".into(),
        };
        nodes.into_iter().map(word).collect()
    };
    let file = program.sources.files().collect::<Vec<_>>();
    let all = ["total", "Compare(Less(Signed))", "ZeroExtend", "terminator"];
    assert_eq!(words(index.nodes_at(Place::new(file[1], 2, 12))), all);
    assert_eq!(words(index.nodes_at(Place::new(file[0], 3, 12))), ["total"]);
    assert!(index.nodes_at(Place::new(file[0], 1, 1)).is_empty());
    let line =
        Span { file: file[1], start: Place::new(file[1], 2, 10).position, end: Place::new(file[1], 2, 20).position };
    assert_eq!(words(index.nodes_in(line)), ["10", "total", "Compare(Less(Signed))", "ZeroExtend"]);
}

#[test]
fn without_text_nothing_is_found() {
    let mut program = sample();
    let mut sources = Sources::default();
    sources.add("no such file.c", None);
    program.sources = sources.into();
    let index = SpanIndex::new(&program);
    let function = FunctionId(0);
    let body = program.function(function).body.as_ref().unwrap();
    assert!((0..body.exprs.len() as u32).all(|id| index.expr(function, ExprId(id)).is_none()));
    assert_eq!(index.operator_token(function, find(&program, function, "Add(Violates)")), OperatorToken::NotFound);
    assert_eq!(index.expr(FunctionId(99), ExprId(0)), None);
}
