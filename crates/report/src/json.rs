//! Reports for machines: JSON after the schema `faultline/1`, which is in `docs/schema/`.
//!
//! Keys are in a fixed order, and nothing depends on the time or the machine: the same run gives the
//! same bytes. Lines and columns count from 1; columns count bytes; ends are exclusive.

use serde::Serialize;
use source::Sources;

use crate::finding::{Finding, Place, Report, Severity};

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
    /// Why the verdict is not a definite one.
    reasons: Vec<Remark<'a>>,
    failures: Vec<Failure<'a>>,
    notes: Vec<Remark<'a>>,
    program: ProgramEnd<'a>,
    inputs: Vec<InputValue<'a>>,
    unsupported: Vec<Construct<'a>>,
    stats: Stats,
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
}

/// The report as a JSON document, ending in a newline.
pub fn report(sources: &Sources, report: &Report, surroundings: &Surroundings<'_>) -> String {
    let of = |severity| report.findings.iter().filter(move |it| it.severity == severity);
    let document = Document {
        schema: SCHEMA,
        version: surroundings.version,
        verdict: report.verdict.name(),
        reasons: of(Severity::Inconclusive).map(|it| remark(sources, it)).collect(),
        failures: of(Severity::Fault).map(|it| failure(sources, it)).collect(),
        notes: of(Severity::Note).map(|it| remark(sources, it)).collect(),
        program: ProgramEnd {
            files: &surroundings.files,
            exit_status: report.exit_status,
            stdout: String::from_utf8_lossy(surroundings.stdout).into_owned(),
            stderr: String::from_utf8_lossy(surroundings.stderr).into_owned(),
        },
        inputs: (report.inputs.iter())
            .map(|it| InputValue { function: &it.function, value: &it.value, place: optional(sources, it.place) })
            .collect(),
        unsupported: (report.unsupported.iter())
            .map(|it| Construct { what: &it.what, place: optional(sources, it.place) })
            .collect(),
        stats: Stats { steps: report.steps },
    };
    let mut text = serde_json::to_string_pretty(&document).expect("strings and numbers can always be written");
    text.push('\n');
    text
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
