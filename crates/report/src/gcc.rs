//! Reports for editors: lines as GCC writes them, `file:line:column: error: message`, which vim's and emacs' usual
//! settings take apart.
//!
//! The failure is an error, suspects are warnings with their ranks, what belongs to either follows as notes. A
//! message is one line; what has no place in a file is left out, since an editor could not go there.

use diagnosis::{Diagnosis, ErrorTrace};
use source::Sources;

use crate::checked::Checked;
use crate::document::build::{self, Surroundings};
use crate::document::{Document, Failure, Range, Suspect};
use crate::finding::Report;

/// More would hide the failure in an editor's list; JSON has them all.
const MOST_SUSPECTS: usize = 5;

pub fn diagnosed(
    sources: &Sources,
    report: &Report,
    trace: Option<&ErrorTrace>,
    diagnosis: Option<&Diagnosis>,
    surroundings: &Surroundings<'_>,
) -> String {
    document(&build::diagnosed(sources, report, trace, diagnosis, surroundings))
}

pub fn checked(sources: &Sources, checked: &Checked, surroundings: &Surroundings<'_>) -> String {
    document(&build::checked(sources, checked, surroundings))
}

pub fn document(document: &Document) -> String {
    let mut lines = Lines(String::new());
    for failure in &document.failures {
        lines.failure(failure);
    }
    for suspect in document.suspects().iter().take(MOST_SUSPECTS) {
        lines.suspect(suspect);
    }
    for remark in &document.reasons {
        let help = remark.help.as_ref().map_or_else(String::new, |help| format!(": {help}"));
        lines.add(remark.place.as_ref(), "warning", &format!("inconclusive: {}{help}", remark.message));
    }
    for remark in &document.notes {
        lines.add(remark.place.as_ref(), "note", &remark.message);
    }
    for construct in &document.unsupported {
        lines.add(construct.place.as_ref(), "note", &format!("not supported: {}", construct.what));
    }
    lines.0
}

struct Lines(String);

impl Lines {
    fn add(&mut self, place: Option<&Range>, severity: &str, message: &str) {
        let Some(place) = place else { return };
        // Compilers know no column 0, and some editors no empty message.
        let (line, column) = (place.line.max(1), place.column.max(1));
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        self.0.push_str(&format!("{}:{line}:{column}: {severity}: {message}\n", place.file));
    }

    fn failure(&mut self, failure: &Failure) {
        let label = failure.label.as_ref().map_or_else(String::new, |label| format!(": {label}"));
        let place = failure.place.as_ref();
        self.add(place, "error", &format!("{}{label} [{}]", failure.message, failure.kind));
        for related in &failure.related {
            self.add(Some(&related.place), "note", &related.message);
        }
        for frame in failure.stack.iter().skip(1) {
            self.add(frame.place.as_ref(), "note", &format!("called from `{}` here", frame.function));
        }
        for note in &failure.notes {
            self.add(place, "note", note);
        }
        if let Some(repeat) = &failure.repeat {
            self.add(place, "note", &format!("to see it again: {repeat}"));
        }
    }

    fn suspect(&mut self, suspect: &Suspect) {
        let place = suspect.at.range();
        let is_told = suspect.text.is_empty() || suspect.why.contains('`');
        let text = if is_told { String::new() } else { format!("`{}`: ", suspect.text) };
        let message = format!("suspect {}: {text}{} [{}]", suspect.rank, suspect.why, suspect.engines.join(", "));
        self.add(place.as_ref(), "warning", &message);
        for evidence in suspect.evidence.iter().filter(|it| it.at.range().is_some() && it.at.range() != place) {
            self.add(evidence.at.range().as_ref(), "note", &evidence.message);
        }
        for line in replacements(suspect) {
            self.add(place.as_ref(), "note", &format!("write instead: {line}"));
        }
    }
}

/// The lines that a patch adds.
fn replacements(suspect: &Suspect) -> Vec<&str> {
    let diff = suspect.fix.as_ref().map_or("", |fix| fix.diff.as_str());
    diff.lines().filter(|line| !line.starts_with("+++")).filter_map(|line| line.strip_prefix('+')).collect()
}

#[cfg(test)]
mod tests {
    use super::document;
    use crate::document::{Document, Evidence, Fix, sample};

    #[test]
    fn lines_that_editors_take_apart() {
        let expected = "\
a.c:5:12: error: index out of bounds in `a[i + 1]`: index 3, but `a` has 3 elements [array-index]
a.c:1:5: note: `a` is declared here
a.c:9:12: note: called from `main` here
a.c:5:12: note: to see it again: faultline run a.c
a.c:8:18: warning: suspect 1: `i` is 2, and with 1 it does not fail [relevance, ped]
a.c:5:14: note: read here
a.c:8:18: note: write instead: int main(void) { int i = 1;
";
        assert_eq!(document(&sample::document()), expected);
    }

    #[test]
    fn a_message_is_one_line_and_has_a_place() {
        let mut it: Document = sample::document();
        it.failures[0].message = "two\nlines".to_owned();
        it.failures[0].related.clear();
        it.failures[0].stack.clear();
        it.failures[0].repeat = None;
        let suspect = &mut it.diagnosis.as_mut().unwrap().suspects[0];
        suspect.at.file = None;
        suspect.evidence = vec![Evidence { engine: "ped".into(), message: "nowhere".into(), at: Default::default() }];
        suspect.fix = Some(Fix { diff: String::new(), checked: "none".into() });
        assert_eq!(document(&it), "a.c:5:12: error: two lines: index 3, but `a` has 3 elements [array-index]\n");
    }
}
