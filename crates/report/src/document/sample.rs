//! A document with something of everything, for the tests of the formats.

use source::Sources;

use super::{
    At, DiagnosisPart, Document, Evidence, ExplainedInput, ExpressionValue, Failure, Fix, InputValue, Line, Narrowing,
    ProgramEnd, Range, Related, SCHEMA, StackFrame, Stats, Step, StepKind, Suspect, Trace,
};

pub const TEXT: &str = "\
int a[3];

int f(int i)
{
    return a[i + 1]; /* é */
}

int main(void) { int i = 2;
    return f(i);
}
";

pub fn sources() -> Sources {
    let mut sources = Sources::with_base("/p");
    sources.add("a.c", Some(TEXT.to_owned()));
    sources
}

fn range(line: u32, columns: std::ops::Range<u32>) -> Range {
    let (column, end_column) = (columns.start, columns.end);
    Range { file: "a.c".into(), line, column, end_line: line, end_column, text: None }
}

fn at(line: u32, columns: std::ops::Range<u32>) -> At {
    At {
        file: Some("a.c".into()),
        line: Some(line),
        column: Some(columns.start),
        end_line: Some(line),
        end_column: Some(columns.end),
    }
}

fn value(expression: &str, value: &str) -> ExpressionValue {
    ExpressionValue { expression: expression.into(), value: value.into() }
}

fn step(number: u64, depth: u32, kind: StepKind, text: &str, place: Range, values: &[(&str, &str)]) -> Step {
    Step {
        number,
        depth,
        function: if depth == 0 { "main" } else { "f" }.into(),
        kind,
        text: text.into(),
        place: Some(place),
        outcome: (kind == StepKind::Failure).then(|| "index 3, but `a` has 3 elements".into()),
        values: values.iter().map(|(one, other)| value(one, other)).collect(),
        inputs: Vec::new(),
    }
}

fn suspect() -> Suspect {
    let diff = "--- a/a.c\n+++ b/a.c\n@@ -5,6 +5,6 @@\n     return a[i + 1]; /* é */\n }\n \n\
                -int main(void) { int i = 2;\n+int main(void) { int i = 1;\n     return f(i);\n }\n";
    Suspect {
        rank: 1,
        at: at(8, 18..27),
        function: "main".into(),
        text: "int i = 2".into(),
        score: 0.75,
        engines: vec!["relevance".into(), "ped".into()],
        why: "`i` is 2, and with 1 it does not fail".into(),
        evidence: vec![Evidence { engine: "relevance".into(), message: "read here".into(), at: at(5, 14..15) }],
        step: Some("in-all-inputs".into()),
        lines: vec![Line { file: "a.c".into(), line: 8 }, Line { file: "a.c".into(), line: 1 }],
        fix: Some(Fix { diff: diff.into(), checked: "bounded".into() }),
    }
}

pub fn document() -> Document {
    let steps = vec![
        step(1, 0, StepKind::Statement, "int i = 2", range(8, 18..27), &[("i", "2")]),
        step(2, 1, StepKind::Call, "f(i)", range(9, 12..16), &[("i", "2")]),
        step(4, 1, StepKind::Failure, "a[i + 1]", range(5, 12..20), &[]),
    ];
    let failure = Failure {
        property: "valid-deref".into(),
        kind: "array-index".into(),
        message: "index out of bounds in `a[i + 1]`".into(),
        label: Some("index 3, but `a` has 3 elements".into()),
        place: Some(range(5, 12..20)),
        related: vec![Related { message: "`a` is declared here".into(), place: range(1, 5..6) }],
        stack: vec![
            StackFrame { function: "f".into(), place: Some(range(5, 12..20)) },
            StackFrame { function: "main".into(), place: Some(range(9, 12..16)) },
        ],
        values: vec![value("i + 1", "3")],
        notes: Vec::new(),
        inputs: None,
        trace: Some(Trace { total_steps: 4, steps }),
        repeat: Some("faultline run a.c".into()),
    };
    Document {
        schema: SCHEMA.into(),
        version: "0.1.0".into(),
        verdict: "fault".into(),
        bound: None,
        properties: Vec::new(),
        proved: None,
        reasons: Vec::new(),
        failures: vec![failure],
        notes: Vec::new(),
        program: ProgramEnd {
            files: vec!["a.c".into()],
            exit_status: None,
            stdout: String::new(),
            stderr: String::new(),
        },
        inputs: vec![InputValue { function: "read".into(), value: "2".into(), place: None, indeterminate: true }],
        unsupported: Vec::new(),
        stats: Stats { steps: 4, ..Stats::default() },
        diagnosis: Some(DiagnosisPart {
            engines: vec!["relevance".into(), "ped".into()],
            statements: 3,
            blamed: 1,
            undecided: 0,
            suspects: vec![suspect()],
            cleared: Vec::new(),
            input: Some(ExplainedInput {
                path: Some("near/small".into()),
                bytes: 2,
                given_bytes: Some(30),
                text: "x2".into(),
                is_cut: false,
            }),
            narrowing: vec![Narrowing { step: "observed".into(), lines: 7, invariants: 12 }],
            notes: Vec::new(),
        }),
        sources: Vec::new(),
    }
}
