//! From what the stages found to a document.

use std::collections::BTreeSet;

use diagnosis::{Change, Diagnosis, ErrorTrace, Happening, TraceStep};
use sha2::{Digest, Sha256};
use source::{Sources, Span};

use super::{
    At, Construct, DiagnosisPart, Document, Evidence, ExplainedInput, ExpressionValue, Failure, Fix, InputValue, Line,
    Narrowing, ProgramEnd, PropertyVerdict, ProvedChecks, ProvedPlace, Range, Related, Remark, SCHEMA, SourceFile,
    StackFrame, Stats, Step, StepKind, Suspect, Trace,
};
use crate::checked::{Answer, Checked, CheckedFailure, Proofs, ProvedCheck};
use crate::finding::{Finding, Input, Place, Report, Severity, Unsupported};

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

/// A run, with the trace of its fault, if it has one, and who is to blame, if that is known.
pub fn diagnosed(
    sources: &Sources,
    report: &Report,
    trace: Option<&ErrorTrace>,
    diagnosis: Option<&Diagnosis>,
    surroundings: &Surroundings<'_>,
) -> Document {
    let of = |severity| report.findings.iter().filter(move |it| it.severity == severity);
    let document = Document {
        schema: SCHEMA.to_owned(),
        version: surroundings.version.to_owned(),
        verdict: report.verdict.name().to_owned(),
        bound: None,
        properties: Vec::new(),
        proved: None,
        reasons: of(Severity::Inconclusive).map(|it| remark(sources, it)).collect(),
        failures: of(Severity::Fault)
            .map(|it| Failure { trace: trace.map(|it| told(sources, it)), ..failure(sources, it) })
            .collect(),
        notes: of(Severity::Note).map(|it| remark(sources, it)).collect(),
        program: ProgramEnd {
            files: surroundings.files.clone(),
            exit_status: report.exit_status,
            stdout: String::from_utf8_lossy(surroundings.stdout).into_owned(),
            stderr: String::from_utf8_lossy(surroundings.stderr).into_owned(),
        },
        inputs: inputs(sources, &report.inputs),
        unsupported: constructs(sources, &report.unsupported),
        stats: Stats { steps: report.steps, ..Stats::default() },
        diagnosis: diagnosis.map(|it| blame(sources, it)),
        sources: Vec::new(),
    };
    with_sources(sources, document)
}

/// What a check has found.
pub fn checked(sources: &Sources, checked: &Checked, surroundings: &Surroundings<'_>) -> Document {
    let plain = |kind: &str, message: &str| Remark {
        kind: kind.to_owned(),
        message: message.to_owned(),
        place: None,
        help: None,
    };
    let reason = |answer: &Answer| if let Answer::Unknown(why) = answer { Some(why.clone()) } else { None };
    let document = Document {
        schema: SCHEMA.to_owned(),
        version: surroundings.version.to_owned(),
        verdict: checked.answer.name().to_owned(),
        bound: if let Answer::Bounded(bound) = checked.answer { Some(bound) } else { None },
        properties: (checked.properties.iter())
            .map(|it| PropertyVerdict {
                property: it.property.clone(),
                verdict: it.answer.name().to_owned(),
                reason: reason(&it.answer),
            })
            .collect(),
        proved: (checked.proved.of > 0).then(|| proofs(sources, &checked.proved)),
        reasons: reason(&checked.answer).iter().map(|why| plain("unknown", why)).collect(),
        failures: checked.failures.iter().flat_map(|it| checked_failure(sources, it)).collect(),
        notes: checked.notes.iter().map(|note| plain("note", note)).collect(),
        program: ProgramEnd {
            files: surroundings.files.clone(),
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
            left_out: Some(checked.left_out),
        },
        diagnosis: None,
        sources: Vec::new(),
    };
    with_sources(sources, document)
}

fn proofs(sources: &Sources, proofs: &Proofs) -> ProvedChecks {
    let check = |it: &ProvedCheck| ProvedPlace {
        property: it.property.to_owned(),
        kind: it.kind.to_owned(),
        place: it.place.map(|place| range(sources, place.span)),
    };
    ProvedChecks {
        by: "abstract-interpretation".to_owned(),
        everything: proofs.everything,
        of: proofs.of,
        checks: proofs.checks.iter().map(check).collect(),
    }
}

fn checked_failure<'a>(sources: &'a Sources, it: &'a CheckedFailure) -> impl Iterator<Item = Failure> + 'a {
    let faults = it.report.findings.iter().filter(|finding| finding.severity == Severity::Fault);
    faults.map(|finding| Failure {
        inputs: Some(inputs(sources, &it.report.inputs)),
        trace: it.trace.as_ref().map(|it| told(sources, it)),
        repeat: Some(it.repeat.clone()),
        ..failure(sources, finding)
    })
}

fn told(sources: &Sources, trace: &ErrorTrace) -> Trace {
    Trace { total_steps: trace.total, steps: trace.steps.iter().map(|it| step(sources, it)).collect() }
}

fn step(sources: &Sources, step: &TraceStep) -> Step {
    let values = |changes: &[Change]| {
        changes.iter().map(|it| ExpressionValue { expression: it.place.clone(), value: it.value.clone() }).collect()
    };
    let (kind, outcome) = match &step.happening {
        Happening::Statement => (StepKind::Statement, None),
        Happening::Condition(outcome) => (StepKind::Condition, Some(outcome.to_string())),
        Happening::Switch(value) => (StepKind::Switch, Some(value.clone())),
        Happening::Call => (StepKind::Call, None),
        Happening::Return(value) => (StepKind::Return, Some(value.clone())),
        Happening::Failure(words) => (StepKind::Failure, Some(words.clone())),
    };
    Step {
        number: step.number,
        depth: step.depth,
        function: step.function.clone(),
        kind,
        text: step.text.clone(),
        place: step.place.map(|span| range(sources, span)),
        outcome,
        values: values(&step.changes),
        inputs: values(&step.inputs),
    }
}

fn inputs(sources: &Sources, inputs: &[Input]) -> Vec<InputValue> {
    let value = |it: &Input| InputValue {
        function: it.function.clone(),
        value: it.value.clone(),
        place: optional(sources, it.place),
        indeterminate: it.indeterminate,
    };
    inputs.iter().map(value).collect()
}

fn constructs(sources: &Sources, constructs: &[Unsupported]) -> Vec<Construct> {
    constructs.iter().map(|it| Construct { what: it.what.clone(), place: optional(sources, it.place) }).collect()
}

fn failure(sources: &Sources, finding: &Finding) -> Failure {
    let label = finding.primary.as_ref().map(|mark| mark.label.clone());
    Failure {
        property: finding.property.as_ref().unwrap_or(&finding.kind).to_string(),
        kind: finding.kind.to_string(),
        message: finding.title.clone(),
        label: label.filter(|label| !label.is_empty()),
        place: optional(sources, finding.primary.as_ref().map(|mark| mark.place)),
        related: (finding.related.iter())
            .map(|mark| Related { message: mark.label.clone(), place: range(sources, mark.place.span) })
            .collect(),
        stack: (finding.stack.iter())
            .map(|frame| StackFrame { function: frame.function.clone(), place: optional(sources, frame.place) })
            .collect(),
        values: (finding.values.iter())
            .map(|it| ExpressionValue { expression: it.expression.clone(), value: it.value.clone() })
            .collect(),
        notes: finding.notes.clone(),
        inputs: None,
        trace: None,
        repeat: None,
    }
}

fn remark(sources: &Sources, finding: &Finding) -> Remark {
    Remark {
        kind: finding.kind.to_string(),
        message: finding.title.clone(),
        place: optional(sources, finding.primary.as_ref().map(|mark| mark.place)),
        help: finding.help.clone(),
    }
}

fn blame(sources: &Sources, diagnosis: &Diagnosis) -> DiagnosisPart {
    let evidence = |it: &diagnosis::Evidence| Evidence {
        engine: it.engine.clone(),
        message: it.message.clone(),
        at: at(sources, it.place),
    };
    let suspect = |(index, it): (usize, &diagnosis::Suspect)| Suspect {
        rank: index + 1,
        at: at(sources, it.place),
        function: it.function.clone(),
        text: it.text.clone(),
        score: it.score.value(),
        engines: it.engines.clone(),
        why: it.why.clone(),
        evidence: it.evidence.iter().map(evidence).collect(),
        step: it.step.clone(),
        lines: it.lines.iter().map(|it| Line { file: sources.path(it.file).to_owned(), line: it.start.line }).collect(),
        fix: it.fix.as_ref().map(|fix| Fix { diff: fix.diff.clone(), checked: fix.checked.name().to_owned() }),
    };
    DiagnosisPart {
        engines: diagnosis.engines.clone(),
        statements: diagnosis.statements,
        blamed: diagnosis.blamed,
        undecided: diagnosis.undecided,
        suspects: diagnosis.suspects.iter().enumerate().map(suspect).collect(),
        cleared: diagnosis.cleared.iter().map(evidence).collect(),
        input: diagnosis.input.as_ref().map(explained),
        narrowing: diagnosis.narrowing.iter().map(narrowing).collect(),
        notes: diagnosis.notes.clone(),
    }
}

fn narrowing(it: &diagnosis::Narrowing) -> Narrowing {
    Narrowing { step: it.step.clone(), lines: it.lines, invariants: it.invariants }
}

fn explained(input: &diagnosis::ExplainedInput) -> ExplainedInput {
    let diagnosis::ExplainedInput { path, bytes, given_bytes, text, is_cut } = input.clone();
    ExplainedInput { path, bytes, given_bytes, text, is_cut }
}

fn at(sources: &Sources, span: Option<Span>) -> At {
    At {
        file: span.map(|span| sources.path(span.file).to_owned()),
        line: span.map(|span| span.start.line),
        column: span.map(|span| span.start.column),
        end_line: span.map(|span| span.end.line),
        end_column: span.map(|span| span.end.column),
    }
}

fn optional(sources: &Sources, place: Option<Place>) -> Option<Range> {
    place.map(|place| range(sources, place.span))
}

fn range(sources: &Sources, span: Span) -> Range {
    Range {
        file: sources.path(span.file).to_owned(),
        line: span.start.line,
        column: span.start.column,
        end_line: span.end.line,
        end_column: span.end.column,
        text: sources.text_of(span).filter(|text| !text.is_empty()).map(str::to_owned),
    }
}

/// Adds the hashes of the files that the document speaks of.
fn with_sources(sources: &Sources, mut document: Document) -> Document {
    let hash = |file: String| {
        let bytes = sources.bytes(sources.find(&file)?)?;
        Some(SourceFile { sha256: hexadecimal(&Sha256::digest(bytes)), file })
    };
    let mut files = BTreeSet::new();
    document.places(|place| {
        files.insert(place.file.clone());
    });
    document.sources = files.into_iter().filter_map(hash).collect();
    document
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
