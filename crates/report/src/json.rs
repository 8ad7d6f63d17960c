//! Reports for machines: JSON after the schema `faultline/1`, which is in `docs/schema/`.
//!
//! Keys are in a fixed order, and nothing depends on the time or the machine: the same run gives the
//! same bytes. Lines and columns count from 1; columns count bytes; ends are exclusive.

use diagnosis::{Change, Diagnosis, ErrorTrace, Happening, TraceStep};
use serde::Serialize;
use source::Sources;

use crate::checked::{Answer, Checked, CheckedFailure};
use crate::finding::{Finding, Input, Place, Report, Severity, Unsupported};
use crate::suspects::{self, JsonDiagnosis};

/// Names the schema, in every document.
pub const SCHEMA: &str = "faultline/1";

/// What a report does not know.
#[derive(Clone, Debug, Default)]
pub struct Surroundings<'a> {
    pub version: &'a str,
    /// What was analysed, as the user named it.
    pub files: Vec<String>,
    /// What the program printed.
    pub stdout: &'a [u8],
    pub stderr: &'a [u8],
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    version: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<PropertyVerdict<'a>>,
    /// Why the verdict is not a definite one.
    reasons: Vec<Remark<'a>>,
    failures: Vec<Failure<'a>>,
    notes: Vec<Remark<'a>>,
    program: ProgramEnd<'a>,
    inputs: Vec<InputValue<'a>>,
    unsupported: Vec<Construct<'a>>,
    stats: Stats,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<JsonDiagnosis<'a>>,
}

#[derive(Serialize)]
struct Failure<'a> {
    property: &'a str,
    kind: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    place: Option<Range<'a>>,
    related: Vec<Related<'a>>,
    stack: Vec<StackFrame<'a>>,
    values: Vec<ExpressionValue<'a>>,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<Vec<InputValue<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Trace<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeat: Option<&'a str>,
}

#[derive(Serialize)]
struct PropertyVerdict<'a> {
    property: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct Trace<'a> {
    total_steps: u64,
    steps: Vec<StepEntry<'a>>,
}

#[derive(Serialize)]
struct StepEntry<'a> {
    number: u64,
    depth: u32,
    function: &'a str,
    kind: &'static str,
    text: &'a str,
    place: Option<Range<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    values: Vec<ExpressionValue<'a>>,
    inputs: Vec<ExpressionValue<'a>>,
}

#[derive(Serialize)]
struct Remark<'a> {
    kind: &'a str,
    message: &'a str,
    place: Option<Range<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Range<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    place: Range<'a>,
}

#[derive(Serialize)]
struct StackFrame<'a> {
    function: &'a str,
    place: Option<Range<'a>>,
}

#[derive(Serialize)]
struct ExpressionValue<'a> {
    expression: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct ProgramEnd<'a> {
    files: &'a [String],
    exit_status: Option<i32>,
    stdout: String,
    stderr: String,
}

#[derive(Serialize)]
struct InputValue<'a> {
    function: &'a str,
    value: &'a str,
    place: Option<Range<'a>>,
}

#[derive(Serialize)]
struct Construct<'a> {
    what: &'a str,
    place: Option<Range<'a>>,
}

#[derive(Serialize)]
struct Stats {
    steps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solver_checks: Option<u64>,
}

impl Stats {
    fn of_run(steps: u64) -> Stats {
        Stats { steps, bound: None, terms: None, solver_checks: None }
    }
}

/// The report of a run as a JSON document, ending in a newline; with the trace of its fault, if it has one.
pub fn report(
    sources: &Sources,
    report: &Report,
    trace: Option<&ErrorTrace>,
    surroundings: &Surroundings<'_>,
) -> String {
    diagnosed(sources, report, trace, None, surroundings)
}

/// The same, with who is to blame.
pub fn diagnosed(
    sources: &Sources,
    report: &Report,
    trace: Option<&ErrorTrace>,
    diagnosis: Option<&Diagnosis>,
    surroundings: &Surroundings<'_>,
) -> String {
    let of = |severity| report.findings.iter().filter(move |it| it.severity == severity);
    let document = Document {
        schema: SCHEMA,
        version: surroundings.version,
        verdict: report.verdict.name(),
        bound: None,
        properties: Vec::new(),
        reasons: of(Severity::Inconclusive).map(|it| remark(sources, it)).collect(),
        failures: of(Severity::Fault)
            .map(|it| Failure { trace: told(sources, trace), ..failure(sources, it) })
            .collect(),
        notes: of(Severity::Note).map(|it| remark(sources, it)).collect(),
        program: ProgramEnd {
            files: &surroundings.files,
            exit_status: report.exit_status,
            stdout: String::from_utf8_lossy(surroundings.stdout).into_owned(),
            stderr: String::from_utf8_lossy(surroundings.stderr).into_owned(),
        },
        inputs: inputs(sources, &report.inputs),
        unsupported: constructs(sources, &report.unsupported),
        stats: Stats::of_run(report.steps),
        diagnosis: diagnosis.map(|diagnosis| suspects::json(sources, diagnosis)),
    };
    written(&document)
}

/// What a check has found as a JSON document, ending in a newline.
pub fn checked(sources: &Sources, checked: &Checked, surroundings: &Surroundings<'_>) -> String {
    let plain = |kind, message| Remark { kind, message, place: None, help: None };
    let reason = match &checked.answer {
        Answer::Unknown(why) => vec![plain("unknown", why.as_str())],
        _ => Vec::new(),
    };
    let document = Document {
        schema: SCHEMA,
        version: surroundings.version,
        verdict: checked.answer.name(),
        bound: bound(&checked.answer),
        properties: (checked.properties.iter())
            .map(|it| PropertyVerdict {
                property: &it.property,
                verdict: it.answer.name(),
                reason: if let Answer::Unknown(why) = &it.answer { Some(why.as_str()) } else { None },
            })
            .collect(),
        reasons: reason,
        failures: checked.failures.iter().flat_map(|it| checked_failure(sources, it)).collect(),
        notes: checked.notes.iter().map(|note| plain("note", note.as_str())).collect(),
        program: ProgramEnd {
            files: &surroundings.files,
            exit_status: None,
            stdout: String::new(),
            stderr: String::new(),
        },
        inputs: checked.failures.first().map_or_else(Vec::new, |it| inputs(sources, &it.report.inputs)),
        unsupported: constructs(sources, &checked.unsupported),
        stats: Stats {
            steps: checked.steps,
            bound: Some(checked.bound),
            terms: Some(checked.terms),
            solver_checks: Some(checked.solver_checks),
        },
        diagnosis: None,
    };
    written(&document)
}

fn bound(answer: &Answer) -> Option<u32> {
    match answer {
        Answer::Bounded(bound) => Some(*bound),
        _ => None,
    }
}

fn written(document: &Document<'_>) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("strings and numbers can always be written");
    text.push('\n');
    text
}

fn checked_failure<'a>(sources: &'a Sources, it: &'a CheckedFailure) -> impl Iterator<Item = Failure<'a>> {
    let faults = it.report.findings.iter().filter(|finding| finding.severity == Severity::Fault);
    faults.map(|finding| Failure {
        inputs: Some(inputs(sources, &it.report.inputs)),
        trace: told(sources, it.trace.as_ref()),
        repeat: Some(&it.repeat),
        ..failure(sources, finding)
    })
}

fn told<'a>(sources: &'a Sources, trace: Option<&'a ErrorTrace>) -> Option<Trace<'a>> {
    let trace = trace?;
    Some(Trace { total_steps: trace.total, steps: trace.steps.iter().map(|it| step(sources, it)).collect() })
}

fn step<'a>(sources: &'a Sources, step: &'a TraceStep) -> StepEntry<'a> {
    let values = |changes: &'a [Change]| {
        changes.iter().map(|it| ExpressionValue { expression: &it.place, value: &it.value }).collect()
    };
    let (kind, outcome) = match &step.happening {
        Happening::Statement => ("statement", None),
        Happening::Condition(outcome) => ("condition", Some(outcome.to_string())),
        Happening::Switch(value) => ("switch", Some(value.clone())),
        Happening::Call => ("call", None),
        Happening::Return(value) => ("return", Some(value.clone())),
        Happening::Failure(words) => ("failure", Some(words.clone())),
    };
    StepEntry {
        number: step.number,
        depth: step.depth,
        function: &step.function,
        kind,
        text: &step.text,
        place: optional(sources, step.place.map(|span| Place { span })),
        outcome,
        values: values(&step.changes),
        inputs: values(&step.inputs),
    }
}

fn inputs<'a>(sources: &'a Sources, inputs: &'a [Input]) -> Vec<InputValue<'a>> {
    let value =
        |it: &'a Input| InputValue { function: &it.function, value: &it.value, place: optional(sources, it.place) };
    inputs.iter().map(value).collect()
}

fn constructs<'a>(sources: &'a Sources, constructs: &'a [Unsupported]) -> Vec<Construct<'a>> {
    constructs.iter().map(|it| Construct { what: &it.what, place: optional(sources, it.place) }).collect()
}

fn failure<'a>(sources: &'a Sources, finding: &'a Finding) -> Failure<'a> {
    let label = finding.primary.as_ref().map(|mark| mark.label.as_str());
    Failure {
        property: finding.property.unwrap_or(finding.kind),
        kind: finding.kind,
        message: &finding.title,
        label: label.filter(|label| !label.is_empty()),
        place: optional(sources, finding.primary.as_ref().map(|mark| mark.place)),
        related: (finding.related.iter())
            .map(|mark| Related { message: &mark.label, place: range(sources, mark.place) })
            .collect(),
        stack: (finding.stack.iter())
            .map(|frame| StackFrame { function: &frame.function, place: optional(sources, frame.place) })
            .collect(),
        values: (finding.values.iter())
            .map(|it| ExpressionValue { expression: &it.expression, value: &it.value })
            .collect(),
        notes: &finding.notes,
        inputs: None,
        trace: None,
        repeat: None,
    }
}

fn remark<'a>(sources: &'a Sources, finding: &'a Finding) -> Remark<'a> {
    Remark {
        kind: finding.kind,
        message: &finding.title,
        place: optional(sources, finding.primary.as_ref().map(|mark| mark.place)),
        help: finding.help.as_deref(),
    }
}

fn optional(sources: &Sources, place: Option<Place>) -> Option<Range<'_>> {
    place.map(|place| range(sources, place))
}

fn range(sources: &Sources, place: Place) -> Range<'_> {
    let span = place.span;
    Range {
        file: sources.path(span.file),
        line: span.start.line,
        column: span.start.column,
        end_line: span.end.line,
        end_column: span.end.column,
        text: sources.text_of(span).filter(|text| !text.is_empty()),
    }
}
