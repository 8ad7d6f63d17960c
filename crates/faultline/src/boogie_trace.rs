//! An error trace of a Boogie program in terms of its text: what fails, with values, and the steps before.

use std::fmt::Write;

use frontend::boogie::{self, OriginEntry, Role, Translation};
use logic::evaluate::{Evaluator, Model};
use logic::terms::TermId;
use logic::value::Value;
use report::{Finding, Input, Mark, NamedValue, Place, Severity};
use source::{FileId, Sources};
use verify::graph_check::{ErrorTrace, Step};

/// Steps at the beginning and at the end that are shown of a long execution.
const FIRST_STEPS: usize = 20;
const LAST_STEPS: usize = 30;
/// Columns for the text of a statement.
const TEXT_WIDTH: usize = 40;

/// A trace as it is shown.
pub struct Shown {
    pub finding: Finding,
    pub inputs: Vec<Input>,
    lines: Vec<Line>,
}

struct Line {
    place: Option<Place>,
    depth: usize,
    text: String,
    outcome: String,
}

impl Shown {
    /// The steps, each with its place.
    pub fn marks(&self) -> impl Iterator<Item = Mark> {
        self.lines.iter().filter_map(|line| {
            let label = if line.outcome.is_empty() { line.text.clone() } else { line.outcome.clone() };
            line.place.map(|place| Mark { place, label })
        })
    }

    pub fn steps_text(&self, sources: &Sources) -> String {
        let path = self.lines.iter().find_map(|line| line.place).map_or("", |place| sources.path(place.span.file));
        let mut text = format!("the execution, step by step, by lines of {path}:\n");
        let skipped = self.lines.len().saturating_sub(FIRST_STEPS + LAST_STEPS);
        for (index, line) in self.lines.iter().enumerate() {
            if skipped > 1 && (FIRST_STEPS..FIRST_STEPS + skipped).contains(&index) {
                if index == FIRST_STEPS {
                    let _ = writeln!(text, "  … {skipped} steps …");
                }
                continue;
            }
            let number = line.place.map_or(0, |place| place.span.start.line);
            let statement = format!("{}{}", "  ".repeat(line.depth), shortened(&line.text));
            let _ = writeln!(text, "{}", format!("{number:6}  {statement:<TEXT_WIDTH$}  {}", line.outcome).trim_end());
        }
        text
    }
}

fn shortened(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(TEXT_WIDTH) {
        Some((at, _)) => format!("{}…", &one_line[..at]),
        None => one_line,
    }
}

pub fn show(sources: &Sources, file: FileId, translation: &Translation, trace: &ErrorTrace) -> Shown {
    let teller = Teller { sources, file, translation };
    let mut lines = Vec::new();
    let mut inputs = Vec::new();
    let mut depth: usize = 0;
    for (index, step) in trace.steps.iter().enumerate() {
        let origin = translation.origin(step.statement.origin);
        let is_last = index + 1 == trace.steps.len();
        if origin.role == Role::Return {
            depth = depth.saturating_sub(1);
        }
        if let Some((text, outcome)) = teller.line(origin, step, is_last) {
            lines.push(Line { place: teller.place(origin), depth, text, outcome });
        }
        if origin.role == Role::Call {
            depth += 1;
        }
        if let (Role::Havoc, Some(value)) = (origin.role, &step.written) {
            let variable = step.statement.command.changed().map_or_else(String::new, |it| teller.name(it));
            let (value, place) = (boogie::shown(value), teller.place(origin));
            inputs.push(Input { function: variable, value, indeterminate: false, place });
        }
    }
    Shown { finding: teller.finding(trace), inputs, lines }
}

struct Teller<'a> {
    sources: &'a Sources,
    file: FileId,
    translation: &'a Translation,
}

impl Teller<'_> {
    fn place(&self, origin: &OriginEntry) -> Option<Place> {
        boogie::span(self.sources, self.file, origin.extent).map(|span| Place { span })
    }

    fn text(&self, extent: boogie::Extent) -> String {
        let span = boogie::span(self.sources, self.file, extent);
        span.and_then(|span| self.sources.text_of(span)).unwrap_or_default().to_owned()
    }

    fn name(&self, variable: TermId) -> String {
        match self.translation.variables.get(&variable) {
            Some(variable) => variable.name.clone(),
            None => self.translation.terms.name(variable).unwrap_or("it").to_owned(),
        }
    }

    /// The words of a step and what it did; nothing for what a reader does not need.
    fn line(&self, origin: &OriginEntry, step: &Step, is_last: bool) -> Option<(String, String)> {
        let text = self.text(origin.extent);
        let wrote = || {
            let variable = step.statement.command.changed().map_or_else(String::new, |it| self.name(it));
            let value = step.written.as_ref().map_or_else(String::new, boogie::shown);
            match (step.statement.part, text.split_once(":=")) {
                // A cell has no name of its own but what the text calls it.
                (Some(_), Some((target, _))) if !target.contains("],") => format!("{} = {value}", target.trim()),
                (Some(_), _) => format!("in {variable}: {value}"),
                _ => format!("{variable} = {value}"),
            }
        };
        match origin.role {
            _ if is_last => Some((text, "fails".to_owned())),
            Role::Assign | Role::Havoc | Role::Argument | Role::Result | Role::Modifies => {
                let outcome = wrote();
                Some((text, outcome))
            }
            Role::Assume => Some((text, String::new())),
            Role::Branch if text != "*" => Some((text, "holds".to_owned())),
            Role::OtherBranch if text != "*" => Some((text, "does not hold".to_owned())),
            Role::Call => Some((text, String::new())),
            _ => None,
        }
    }

    fn finding(&self, trace: &ErrorTrace) -> Finding {
        let Some(step) = trace.steps.last() else {
            return Finding::new(Severity::Fault, "assertion", "the program fails at once");
        };
        let origin = self.translation.origin(step.statement.origin);
        let procedure = &origin.procedure;
        let (kind, title) = match origin.role {
            Role::Requires => ("precondition", format!("a precondition of `{procedure}` can fail")),
            Role::Ensures => ("postcondition", format!("a postcondition of `{procedure}` can fail")),
            Role::Invariant => ("invariant", "the loop invariant can fail".to_owned()),
            _ => ("assertion", "the assertion can fail".to_owned()),
        };
        let mut finding = Finding::new(Severity::Fault, kind, title);
        finding.property = Some(kind.into());
        let label = if origin.clause.is_some() { "it fails here" } else { "" };
        finding.primary = self.place(origin).map(|place| Mark { place, label: label.to_owned() });
        let clause = origin.clause.and_then(|it| boogie::span(self.sources, self.file, it));
        finding.related.extend(clause.map(|span| Mark { place: Place { span }, label: "what has to hold".to_owned() }));
        finding.values = self.values(step, &trace.last);
        if trace.unevaluated > 0 {
            let count = trace.unevaluated;
            let conditions = if count == 1 { "condition" } else { "conditions" };
            finding.notes.push(format!(
                "the execution was repeated step by step, but for {count} {conditions} with quantifiers, on which the \
                 solver is believed"
            ));
        }
        finding
    }

    /// The variables in what fails.
    fn values(&self, step: &Step, state: &Model) -> Vec<NamedValue> {
        let terms = &self.translation.terms;
        let Some(condition) = step.statement.command.read() else { return Vec::new() };
        let value = |variable: TermId| -> Option<Value> { Evaluator::new(terms, state).value(variable).ok() };
        (terms.free_variables(&[condition]).into_iter())
            .filter_map(|variable| {
                let value = boogie::shown(&value(variable)?);
                Some(NamedValue { expression: self.name(variable), value })
            })
            .collect()
    }
}
