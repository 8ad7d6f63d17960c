//! A report as one document that can be kept: the model of the schema `faultline/1`, which is in `docs/schema/`.
//!
//! [`build`] makes it from what the stages found, [`restore`] makes that again from a document that was saved.
//! JSON is this and nothing else; the other formats for machines are written from it, so that a saved document
//! gives the same bytes as the run that saved it. Lines and columns count from 1, columns count bytes, ends are
//! exclusive. Keys are in a fixed order, and nothing depends on the time or the machine.

pub mod build;
pub mod restore;
#[cfg(test)]
pub(crate) mod sample;

use serde::{Deserialize, Serialize};

/// Names the schema, in every document.
pub const SCHEMA: &str = "faultline/1";

/// Everything that is known after a run, a check or a localization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    pub schema: String,
    pub version: String,
    pub verdict: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyVerdict>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedChecks>,
    /// Why the verdict is not a definite one.
    pub reasons: Vec<Remark>,
    pub failures: Vec<Failure>,
    pub notes: Vec<Remark>,
    pub program: ProgramEnd,
    pub inputs: Vec<InputValue>,
    pub unsupported: Vec<Construct>,
    pub stats: Stats,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<DiagnosisPart>,
    /// The files that are named above, as they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceFile>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceFile {
    pub file: String,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    pub property: String,
    pub kind: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    pub place: Option<Range>,
    pub related: Vec<Related>,
    pub stack: Vec<StackFrame>,
    pub values: Vec<ExpressionValue>,
    pub notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<InputValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyVerdict {
    pub property: String,
    pub verdict: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What holds in all executions, and by which means that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvedChecks {
    pub by: String,
    pub everything: bool,
    pub of: usize,
    pub checks: Vec<ProvedPlace>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvedPlace {
    pub property: String,
    pub kind: String,
    pub place: Option<Range>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    pub total_steps: u64,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub number: u64,
    pub depth: u32,
    pub function: String,
    pub kind: StepKind,
    pub text: String,
    pub place: Option<Range>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    pub values: Vec<ExpressionValue>,
    pub inputs: Vec<ExpressionValue>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    Statement,
    Condition,
    Switch,
    Call,
    Return,
    Failure,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remark {
    pub kind: String,
    pub message: String,
    pub place: Option<Range>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Related {
    pub message: String,
    pub place: Range,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StackFrame {
    pub function: String,
    pub place: Option<Range>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExpressionValue {
    pub expression: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramEnd {
    pub files: Vec<String>,
    pub exit_status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputValue {
    pub function: String,
    pub value: String,
    pub place: Option<Range>,
    /// It is no function's result but what a variable holds before its first assignment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub indeterminate: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Construct {
    pub what: String,
    pub place: Option<Range>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    pub steps: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver_checks: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
}

/// Who is to blame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiagnosisPart {
    pub engines: Vec<String>,
    pub statements: usize,
    pub blamed: usize,
    pub undecided: usize,
    /// The best first.
    pub suspects: Vec<Suspect>,
    pub cleared: Vec<Evidence>,
    /// The input of the run that is explained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<ExplainedInput>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub narrowing: Vec<Narrowing>,
    pub notes: Vec<String>,
}

/// What a step of a comparison of runs has left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Narrowing {
    pub step: String,
    pub lines: usize,
    pub invariants: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainedInput {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub bytes: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_bytes: Option<usize>,
    pub text: String,
    pub is_cut: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    pub rank: usize,
    #[serde(flatten)]
    pub at: At,
    pub function: String,
    pub text: String,
    pub score: f64,
    pub engines: Vec<String>,
    pub why: String,
    pub evidence: Vec<Evidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// A line that belongs to a suspect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub file: String,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub engine: String,
    pub message: String,
    #[serde(flatten)]
    pub at: At,
}

/// A place that may be unknown, its parts beside what stands there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct At {
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
}

impl At {
    /// What is missing of a place is taken to be the start of its line.
    pub fn range(&self) -> Option<Range> {
        let (file, line) = (self.file.clone()?, self.line?);
        let column = self.column.unwrap_or(1);
        let (end_line, end_column) = (self.end_line.unwrap_or(line), self.end_column.unwrap_or(column));
        Some(Range { file, line, column, end_line, end_column, text: None })
    }
}

impl Line {
    pub fn range(&self) -> Range {
        Range { file: self.file.clone(), line: self.line, column: 1, end_line: self.line, end_column: 1, text: None }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    pub diff: String,
    pub checked: String,
}

impl Document {
    /// What the verdict means for a shell.
    pub fn exit_status(&self) -> i32 {
        match self.verdict.as_str() {
            "fault" | "violated" => 1,
            "no-fault" | "proved" => 0,
            _ => 3,
        }
    }

    pub fn suspects(&self) -> &[Suspect] {
        self.diagnosis.as_ref().map_or(&[], |it| &it.suspects)
    }

    /// Every place that it speaks of.
    pub fn places(&self, mut visit: impl FnMut(&Range)) {
        for failure in &self.failures {
            failure.place.iter().for_each(&mut visit);
            failure.related.iter().for_each(|it| visit(&it.place));
            failure.stack.iter().filter_map(|it| it.place.as_ref()).for_each(&mut visit);
            failure.inputs.iter().flatten().filter_map(|it| it.place.as_ref()).for_each(&mut visit);
            failure.trace.iter().flat_map(|it| &it.steps).filter_map(|it| it.place.as_ref()).for_each(&mut visit);
        }
        self.inputs.iter().filter_map(|it| it.place.as_ref()).for_each(&mut visit);
        self.unsupported.iter().filter_map(|it| it.place.as_ref()).for_each(&mut visit);
        let proved = self.proved.iter().flat_map(|it| &it.checks);
        proved.filter_map(|it| it.place.as_ref()).for_each(&mut visit);
        self.reasons.iter().chain(&self.notes).filter_map(|it| it.place.as_ref()).for_each(&mut visit);
        for suspect in self.suspects() {
            suspect.at.range().iter().for_each(&mut visit);
            suspect.evidence.iter().filter_map(|it| it.at.range()).for_each(|it| visit(&it));
            suspect.lines.iter().for_each(|it| visit(&it.range()));
        }
        let cleared = self.diagnosis.iter().flat_map(|it| &it.cleared);
        cleared.filter_map(|it| it.at.range()).for_each(|it| visit(&it));
    }
}
