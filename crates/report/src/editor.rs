//! Reports for editors that speak the Language Server Protocol: diagnostics, hovers and quick fixes.
//!
//! A [`Document`] and its sources → the protocol's data, as `faultline lsp` sends it. The failure is an error where it
//! shows, its most suspect lines are related; suspects are diagnostics of their own, since editors offer a quick fix
//! where its diagnostic is. Positions count UTF-16 code units from 0, as all clients take them. Not here: messages and
//! processes.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Hover, HoverContents,
    Location, MarkupContent, MarkupKind, NumberOrString, Position, Range, TextEdit, Url, WorkspaceEdit,
};
use source::Sources;

use crate::columns::utf16;
use crate::document::{self, Document, Failure, Step, Suspect};
use crate::edits;
use crate::fixes;

/// More would hide the failure; a saved report has them all.
const MOST_SUSPECTS: usize = 3;
/// Steps of the trace that a hover tells for one line.
const MOST_STEPS: usize = 8;
const SOURCE: &str = "faultline";
const SUSPECT: &str = "suspect";

/// What editors are told about one document.
pub struct Editor<'a> {
    pub sources: &'a Sources,
    pub document: &'a Document,
    /// Relative paths are below this folder.
    pub base: &'a Path,
}

impl Editor<'_> {
    /// By file.
    pub fn diagnostics(&self) -> BTreeMap<Url, Vec<Diagnostic>> {
        let mut all: BTreeMap<Url, Vec<Diagnostic>> = BTreeMap::new();
        let failures = self.document.failures.iter().filter_map(|it| self.failure(it));
        for (url, diagnostic) in failures.chain(self.suspects().filter_map(|it| self.suspect(it))) {
            all.entry(url).or_default().push(diagnostic);
        }
        all
    }

    /// What is known about a position.
    pub fn hover(&self, url: &Url, position: Position) -> Option<Hover> {
        let is_here = |place: &document::Range| {
            self.location(place).is_some_and(|it| it.uri == *url && contains(it.range, position))
        };
        let mut parts = Vec::new();
        for failure in self.document.failures.iter().filter(|it| it.place.as_ref().is_some_and(is_here)) {
            let label = failure.label.as_ref().map_or_else(String::new, |it| format!(": {it}"));
            parts.push(format!("**{}**{label}", failure.message));
            parts.extend(failure.notes.iter().cloned());
        }
        for suspect in self.suspects().filter(|it| it.at.range().as_ref().is_some_and(is_here)) {
            parts.push(reasons(suspect));
        }
        parts.extend(self.values(url, position.line));
        let value = parts.join("\n\n---\n\n");
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        (!parts.is_empty()).then_some(Hover { contents, range: None })
    }

    /// The patches of the suspects that a range touches.
    pub fn actions(&self, url: &Url, range: Range) -> Vec<CodeAction> {
        let mut actions = Vec::new();
        for suspect in self.suspects() {
            let Some((at, diagnostic)) = self.suspect(suspect) else { continue };
            let touched =
                diagnostic.range.start.line <= range.end.line && range.start.line <= diagnostic.range.end.line;
            if at == *url && touched {
                actions.extend(self.action(suspect, diagnostic));
            }
        }
        actions
    }

    fn suspects(&self) -> impl Iterator<Item = &Suspect> {
        self.document.suspects().iter().take(MOST_SUSPECTS)
    }

    fn failure(&self, failure: &Failure) -> Option<(Url, Diagnostic)> {
        let Location { uri, range } = self.location(failure.place.as_ref()?)?;
        let mut related: Vec<_> = self.suspects().filter_map(|it| self.blamed(it)).collect();
        let places = failure.related.iter().map(|it| (&it.place, it.message.clone()));
        related.extend(places.filter_map(|(place, message)| self.information(place, message)));
        let label = failure.label.as_ref().map_or_else(String::new, |it| format!(": {it}"));
        let diagnostic = Diagnostic {
            range,
            severity: Some(DiagnosticSeverity::ERROR),
            code: Some(NumberOrString::String(failure.kind.clone())),
            source: Some(SOURCE.to_owned()),
            message: format!("{}{label}", failure.message),
            related_information: Some(related),
            ..Diagnostic::default()
        };
        Some((uri, diagnostic))
    }

    fn suspect(&self, suspect: &Suspect) -> Option<(Url, Diagnostic)> {
        let Location { uri, range } = self.location(&suspect.at.range()?)?;
        let failures = self.document.failures.iter();
        let symptom = failures.filter_map(|it| self.information(it.place.as_ref()?, it.message.clone()));
        let severity = if suspect.rank == 1 { DiagnosticSeverity::WARNING } else { DiagnosticSeverity::INFORMATION };
        let diagnostic = Diagnostic {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(SUSPECT.to_owned())),
            source: Some(SOURCE.to_owned()),
            message: format!("suspect {}: {}", suspect.rank, suspect.why),
            related_information: Some(symptom.collect()),
            ..Diagnostic::default()
        };
        Some((uri, diagnostic))
    }

    fn blamed(&self, suspect: &Suspect) -> Option<DiagnosticRelatedInformation> {
        self.information(&suspect.at.range()?, format!("suspect {}: {}", suspect.rank, suspect.why))
    }

    fn information(&self, place: &document::Range, message: String) -> Option<DiagnosticRelatedInformation> {
        Some(DiagnosticRelatedInformation { location: self.location(place)?, message })
    }

    fn action(&self, suspect: &Suspect, diagnostic: Diagnostic) -> Option<CodeAction> {
        let fix = suspect.fix.as_ref()?;
        let patch = edits::patch(self.sources, &fix.diff)?;
        let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
        for edit in patch.edits() {
            let place = document::Range {
                file: self.sources.path(edit.span.file).to_owned(),
                line: edit.span.start.line,
                column: edit.span.start.column,
                end_line: edit.span.end.line,
                end_column: edit.span.end.column,
                text: None,
            };
            let Location { uri, range } = self.location(&place)?;
            changes.entry(uri).or_default().push(TextEdit { range, new_text: edit.replacement.clone() });
        }
        Some(CodeAction {
            title: fixes::title(fix),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic]),
            edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
            is_preferred: Some(suspect.rank == 1),
            ..CodeAction::default()
        })
    }

    /// What the failing run did in a line.
    fn values(&self, url: &Url, line: u32) -> Option<String> {
        let trace = self.document.failures.first()?.trace.as_ref()?;
        let is_here = |step: &&Step| {
            let place = step.place.as_ref().and_then(|it| self.location(it));
            place.is_some_and(|it| it.uri == *url && it.range.start.line == line)
        };
        let steps: Vec<String> = trace.steps.iter().filter(is_here).map(step).collect();
        let more = steps.len().saturating_sub(MOST_STEPS);
        let mut shown = steps.get(more..)?.join("\n");
        if more > 0 {
            shown = format!("- … {more} earlier\n{shown}");
        }
        (!steps.is_empty()).then(|| format!("In the failing run:\n\n{shown}"))
    }

    fn location(&self, place: &document::Range) -> Option<Location> {
        let uri = Url::from_file_path(self.base.join(&place.file)).ok()?;
        let position = |line: u32, column: u32| {
            let text = self.sources.find(&place.file).and_then(|file| self.sources.line(file, line));
            Position { line: line.saturating_sub(1), character: utf16(text.unwrap_or_default(), column) }
        };
        let start = position(place.line, place.column.max(1));
        let end = position(place.end_line.max(place.line), place.end_column.max(1));
        Some(Location { uri, range: Range { start, end: end.max(start) } })
    }
}

fn contains(range: Range, position: Position) -> bool {
    range.start <= position && position <= range.end
}

fn step(step: &Step) -> String {
    let value = |it: &document::ExpressionValue| format!("`{} = {}`", it.expression, it.value);
    let values: Vec<String> = step.values.iter().chain(&step.inputs).map(value).collect();
    let outcome = step.outcome.as_ref().map_or_else(String::new, |it| format!(" is {it}"));
    let with = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
    format!("- step {}: `{}`{outcome}{with}", step.number, step.text)
}

/// Why a line is suspected, what each engine says, and the patch.
fn reasons(suspect: &Suspect) -> String {
    let mut text = format!("**Suspect {}**: {}", suspect.rank, suspect.why);
    for evidence in &suspect.evidence {
        text.push_str(&format!("\n- {}: {}", evidence.engine, evidence.message));
    }
    if let Some(fix) = &suspect.fix {
        // The window is small: what is around the change is in the editor.
        let (checked, changed) = (fixes::checked(&fix.checked), fixes::changed(fix));
        text.push_str(&format!("\n\nWrite instead ({checked}):\n\n```diff\n{changed}```"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::sample;

    fn with<T>(look: impl FnOnce(&Editor<'_>) -> T) -> T {
        let (sources, document) = (sample::sources(), sample::document());
        look(&Editor { sources: &sources, document: &document, base: Path::new("/project") })
    }

    #[test]
    fn the_failure_and_the_suspects_are_told_where_they_are() {
        let all = with(|editor| editor.diagnostics());
        let (url, diagnostics) = all.iter().next().expect("the sample has a failure in a file");
        assert!(url.path().starts_with("/project/"), "{url}");
        assert_eq!(diagnostics[0].severity, Some(DiagnosticSeverity::ERROR));
        assert!(!diagnostics[0].related_information.as_ref().unwrap().is_empty());
        assert!(diagnostics[1].message.starts_with("suspect 1: "), "{}", diagnostics[1].message);
    }

    #[test]
    fn a_quick_fix_changes_what_its_diff_changes() {
        let (actions, start) = with(|editor| {
            let (url, diagnostics) = editor.diagnostics().pop_first().unwrap();
            let fixed =
                diagnostics.iter().find(|it| !editor.actions(&url, it.range).is_empty()).expect("it has a patch");
            (editor.actions(&url, fixed.range), fixed.range.start.line)
        });
        let changes = actions[0].edit.as_ref().unwrap().changes.as_ref().unwrap();
        let edits = changes.values().next().unwrap();
        assert_eq!(edits[0].range.start.line, start);
    }

    #[test]
    fn a_hover_tells_the_reason_and_nothing_elsewhere() {
        with(|editor| {
            let (url, diagnostics) = editor.diagnostics().pop_first().unwrap();
            let hover = editor.hover(&url, diagnostics[1].range.start).expect("there is a suspect");
            let HoverContents::Markup(text) = hover.contents else { panic!("hovers are markup") };
            assert!(text.value.contains("**Suspect 1**"), "{}", text.value);
            let patch = "```diff\n-int main(void) { int i = 2;\n+int main(void) { int i = 1;\n```";
            assert!(text.value.contains(patch), "{}", text.value);
            assert!(editor.hover(&url, Position { line: 9999, character: 0 }).is_none());
        });
    }
}
