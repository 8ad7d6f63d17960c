//! From a document that was saved back to what the text for people is made from.
//!
//! [`read`] takes JSON, [`sources`] finds the files that it names. Places in files that are not there any more
//! still have their lines and columns; places in files that have changed would be wrong, which is an error.

use std::borrow::Cow;
use std::path::Path;

use diagnosis::{Change, ErrorTrace, Happening, Score, TraceStep};
use program::exec::ViolationKind;
use sha2::{Digest, Sha256};
use source::{FileId, Position, Sources, Span};

use super::build::hexadecimal;
use super::{At, Document, ExpressionValue, Failure, Range, Remark, SCHEMA, Step, StepKind, Suspect, Trace};
use crate::checked::{Answer, Checked, CheckedFailure, Proofs, PropertyAnswer, ProvedCheck};
use crate::finding::{Finding, Frame, Input, Mark, NamedValue, Place, Report, Severity, Unsupported, Verdict};

/// Why a saved document cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// No JSON, or no document of ours.
    #[error("this is no report that `--format json` wrote: {0}")]
    NoDocument(#[from] serde_json::Error),
    /// A document of another version.
    #[error("the report follows the schema `{0}`, and this version reads `{SCHEMA}`: make it again")]
    OtherSchema(String),
    /// A source file is not the one that the report is about.
    #[error("{0} has changed since the report was made: make it again, or name the folder with the old files (--base)")]
    Changed(String),
}

/// The document that a JSON text is.
pub fn read(json: &str) -> Result<Document, RestoreError> {
    #[derive(serde::Deserialize)]
    struct Head {
        schema: String,
    }
    let head: Head = serde_json::from_str(json)?;
    if head.schema != SCHEMA {
        return Err(RestoreError::OtherSchema(head.schema));
    }
    Ok(serde_json::from_str(json)?)
}

/// The files that a document names, below this folder, and the names of those that cannot be read.
pub fn sources(document: &Document, base: &Path) -> Result<(Sources, Vec<String>), RestoreError> {
    let mut sources = Sources::with_base(base);
    document.places(|place| {
        sources.add(&place.file, None);
    });
    let mut missing = Vec::new();
    for it in &document.sources {
        let file = sources.add(&it.file, None);
        match sources.bytes(file) {
            Some(bytes) if hexadecimal(&Sha256::digest(bytes)) == it.sha256 => {}
            Some(_) => return Err(RestoreError::Changed(it.file.clone())),
            None => missing.push(it.file.clone()),
        }
    }
    Ok((sources, missing))
}

/// What the document says, as the stages would have said it. The sources are those that it names.
pub struct Restored<'a> {
    pub sources: &'a Sources,
    pub document: &'a Document,
}

impl Restored<'_> {
    /// What was found on one run.
    pub fn report(&self) -> Report {
        let document = self.document;
        let mut findings: Vec<Finding> = document.failures.iter().map(|it| self.failure(it)).collect();
        findings.extend(document.reasons.iter().map(|it| self.remark(it, Severity::Inconclusive)));
        findings.extend(document.notes.iter().map(|it| self.remark(it, Severity::Note)));
        self.with(findings, &document.inputs)
    }

    fn with(&self, findings: Vec<Finding>, inputs: &[super::InputValue]) -> Report {
        let document = self.document;
        let input = |it: &super::InputValue| Input {
            function: it.function.clone(),
            value: it.value.clone(),
            indeterminate: it.indeterminate,
            place: self.optional(it.place.as_ref()),
        };
        Report {
            verdict: match document.exit_status() {
                0 => Verdict::NoFault,
                1 => Verdict::Fault,
                _ => Verdict::Inconclusive,
            },
            findings,
            exit_status: document.program.exit_status,
            inputs: inputs.iter().map(input).collect(),
            unsupported: self.unsupported(),
            steps: document.stats.steps,
        }
    }

    /// How the run got to its failure.
    pub fn trace(&self) -> Option<ErrorTrace> {
        self.document.failures.first()?.trace.as_ref().map(|it| self.error_trace(it))
    }

    /// What a check has found; `None` for the document of a run.
    pub fn checked(&self) -> Option<Checked> {
        let document = self.document;
        let reason = document.reasons.first().map_or_else(String::new, |it| it.message.clone());
        let answer = answered(&document.verdict, document.bound, &reason)?;
        let failure = |it: &Failure| CheckedFailure {
            report: self.with(vec![self.failure(it)], it.inputs.as_deref().unwrap_or_default()),
            trace: it.trace.as_ref().map(|it| self.error_trace(it)),
            repeat: it.repeat.clone().unwrap_or_default(),
        };
        let property = |it: &super::PropertyVerdict| {
            let bound = document.bound.or(document.stats.bound);
            let answer = answered(&it.verdict, bound, it.reason.as_deref().unwrap_or_default())?;
            Some(PropertyAnswer { property: it.property.clone(), answer })
        };
        Some(Checked {
            answer,
            properties: document.properties.iter().filter_map(property).collect(),
            failures: document.failures.iter().map(failure).collect(),
            unsupported: self.unsupported(),
            proved: document.proved.as_ref().map_or_else(Proofs::default, |it| self.proofs(it)),
            notes: document.notes.iter().map(|it| it.message.clone()).collect(),
            bound: document.stats.bound.unwrap_or_default(),
            steps: document.stats.steps,
            terms: document.stats.terms.unwrap_or_default(),
            solver_checks: document.stats.solver_checks.unwrap_or_default(),
            left_out: document.stats.left_out.unwrap_or_default(),
        })
    }

    fn proofs(&self, proved: &super::ProvedChecks) -> Proofs {
        let check = |it: &super::ProvedPlace| {
            let kind = ViolationKind::from_name(&it.kind)?;
            let place = self.optional(it.place.as_ref());
            Some(ProvedCheck { kind: kind.name(), property: kind.property(), place })
        };
        Proofs {
            checks: proved.checks.iter().filter_map(check).collect(),
            of: proved.of,
            everything: proved.everything,
        }
    }

    /// Who is to blame.
    pub fn diagnosis(&self) -> Option<diagnosis::Diagnosis> {
        let part = self.document.diagnosis.as_ref()?;
        let evidence = |it: &super::Evidence| diagnosis::Evidence {
            engine: it.engine.clone(),
            message: it.message.clone(),
            place: self.at(&it.at),
        };
        let suspect = |it: &Suspect| diagnosis::Suspect {
            place: self.at(&it.at),
            text: it.text.clone(),
            function: it.function.clone(),
            score: Score::new(it.score),
            engines: it.engines.clone(),
            why: it.why.clone(),
            evidence: it.evidence.iter().map(evidence).collect(),
            step: it.step.clone(),
            lines: it.lines.iter().filter_map(|it| Some(self.place(&it.range())?.span)).collect(),
            fix: it.fix.as_ref().map(fix),
        };
        Some(diagnosis::Diagnosis {
            engines: part.engines.clone(),
            suspects: part.suspects.iter().map(suspect).collect(),
            cleared: part.cleared.iter().map(evidence).collect(),
            notes: part.notes.clone(),
            input: part.input.as_ref().map(explained),
            statements: part.statements,
            blamed: part.blamed,
            undecided: part.undecided,
            narrowing: part.narrowing.iter().map(narrowing).collect(),
        })
    }

    fn failure(&self, it: &Failure) -> Finding {
        let mark = |place: &Range, label: &str| Some(Mark { place: self.place(place)?, label: label.to_owned() });
        let mut finding = Finding::new(Severity::Fault, it.kind.clone(), it.message.clone());
        finding.property = Some(Cow::Owned(it.property.clone()));
        finding.primary = it.place.as_ref().and_then(|place| mark(place, it.label.as_deref().unwrap_or_default()));
        finding.related = it.related.iter().filter_map(|it| mark(&it.place, &it.message)).collect();
        finding.stack = (it.stack.iter())
            .map(|it| Frame { function: it.function.clone(), place: self.optional(it.place.as_ref()) })
            .collect();
        finding.values = (it.values.iter())
            .map(|it| NamedValue { expression: it.expression.clone(), value: it.value.clone() })
            .collect();
        finding.notes = it.notes.clone();
        finding
    }

    fn remark(&self, it: &Remark, severity: Severity) -> Finding {
        let mut finding = Finding::new(severity, it.kind.clone(), it.message.clone());
        finding.primary = self.optional(it.place.as_ref()).map(|place| Mark { place, label: String::new() });
        finding.help = it.help.clone();
        finding
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let construct =
            |it: &super::Construct| Unsupported { what: it.what.clone(), place: self.optional(it.place.as_ref()) };
        self.document.unsupported.iter().map(construct).collect()
    }

    fn error_trace(&self, trace: &Trace) -> ErrorTrace {
        ErrorTrace { total: trace.total_steps, steps: trace.steps.iter().map(|it| self.step(it)).collect() }
    }

    fn step(&self, step: &Step) -> TraceStep {
        let changes = |values: &[ExpressionValue]| {
            values.iter().map(|it| Change { place: it.expression.clone(), value: it.value.clone() }).collect()
        };
        let outcome = step.outcome.clone().unwrap_or_default();
        TraceStep {
            number: step.number,
            depth: step.depth,
            function: step.function.clone(),
            place: self.optional(step.place.as_ref()).map(|place| place.span),
            text: step.text.clone(),
            happening: match step.kind {
                StepKind::Statement => Happening::Statement,
                StepKind::Condition => Happening::Condition(outcome == "true"),
                StepKind::Switch => Happening::Switch(outcome),
                StepKind::Call => Happening::Call,
                StepKind::Return => Happening::Return(outcome),
                StepKind::Failure => Happening::Failure(outcome),
            },
            changes: changes(&step.values),
            inputs: changes(&step.inputs),
        }
    }

    fn at(&self, at: &At) -> Option<Span> {
        self.optional(at.range().as_ref()).map(|place| place.span)
    }

    fn optional(&self, place: Option<&Range>) -> Option<Place> {
        place.and_then(|place| self.place(place))
    }

    fn place(&self, place: &Range) -> Option<Place> {
        let file: FileId = self.sources.find(&place.file)?;
        let start = Position { line: place.line, column: place.column };
        let end = Position { line: place.end_line, column: place.end_column };
        Some(Place { span: Span { file, start, end } })
    }
}

fn answered(verdict: &str, bound: Option<u32>, reason: &str) -> Option<Answer> {
    match verdict {
        "proved" => Some(Answer::Proved),
        "violated" => Some(Answer::Violated),
        "bounded" => Some(Answer::Bounded(bound.unwrap_or_default())),
        "unknown" => Some(Answer::Unknown(reason.to_owned())),
        _ => None,
    }
}

pub fn explained(input: &super::ExplainedInput) -> diagnosis::ExplainedInput {
    let super::ExplainedInput { path, bytes, given_bytes, text, is_cut } = input.clone();
    diagnosis::ExplainedInput { path, bytes, given_bytes, text, is_cut }
}

fn narrowing(it: &super::Narrowing) -> diagnosis::Narrowing {
    diagnosis::Narrowing { step: it.step.clone(), lines: it.lines, invariants: it.invariants }
}

fn fix(fix: &super::Fix) -> diagnosis::Fix {
    use diagnosis::Checked;
    let checked = [Checked::Tests, Checked::Bounded, Checked::Proved].into_iter().find(|it| it.name() == fix.checked);
    diagnosis::Fix { diff: fix.diff.clone(), checked: checked.unwrap_or(Checked::None) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::build::{self, Surroundings};
    use crate::document::sample;
    use crate::json;

    #[test]
    fn a_document_made_from_what_was_restored_is_the_same() {
        let sources = sample::sources();
        let mut document = sample::document();
        // What one run has.
        document.failures[0].repeat = None;
        let restored = Restored { sources: &sources, document: &document };
        let surroundings = Surroundings { version: "0.1.0", files: vec!["a.c".into()], ..Surroundings::default() };
        let (trace, diagnosis) = (restored.trace(), restored.diagnosis());
        let mut again =
            build::diagnosed(&sources, &restored.report(), trace.as_ref(), diagnosis.as_ref(), &surroundings);
        assert_eq!(again.sources.len(), 1);
        assert_eq!(again.failures[0].place.as_mut().and_then(|it| it.text.take()).as_deref(), Some("a[i + 1]"));
        let strip = |document: &Document| {
            let mut value = serde_json::to_value(document).unwrap();
            value.as_object_mut().unwrap().remove("sources");
            without_texts(value)
        };
        assert_eq!(strip(&again), strip(&document));
    }

    /// The texts of places come from the sources.
    fn without_texts(value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::Object(map) => {
                let is_place = map.contains_key("end_column") && !map.contains_key("rank");
                let kept = map.into_iter().filter(|(key, _)| !(is_place && key == "text"));
                Value::Object(kept.map(|(key, value)| (key, without_texts(value))).collect())
            }
            Value::Array(items) => Value::Array(items.into_iter().map(without_texts).collect()),
            other => other,
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let words = |text: &str| read(text).unwrap_err().to_string();
        assert!(words("no").starts_with("this is no report that `--format json` wrote: "));
        assert!(words("{\"a\": 1}").starts_with("this is no report"));
        assert!(words("{\"schema\": \"faultline/9\"}").contains("`faultline/9`"));
        assert!(read(&json::document(&sample::document())).is_ok());
    }

    #[test]
    fn files_that_changed_are_noticed() {
        let mut document = sample::document();
        let hash = hexadecimal(&Sha256::digest("int x;"));
        document.sources.push(crate::document::SourceFile { file: "gone.c".into(), sha256: hash });
        let (_, missing) = sources(&document, Path::new("/nowhere")).unwrap();
        assert_eq!(missing, ["gone.c"]);
        document.sources[0].file = "Cargo.toml".into();
        let error = sources(&document, Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err();
        assert!(error.to_string().starts_with("Cargo.toml has changed since the report was made"));
    }
}
