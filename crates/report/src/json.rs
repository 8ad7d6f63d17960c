//! Reports for machines: JSON after the schema `faultline/1`, which is in `docs/schema/`.
//!
//! A [`Document`], written down; what is in one, [`crate::document`] says.

use diagnosis::{Diagnosis, ErrorTrace};
use source::Sources;

use crate::checked::Checked;
pub use crate::document::build::Surroundings;
use crate::document::{Document, build};
use crate::finding::Report;

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
    document(&build::diagnosed(sources, report, trace, diagnosis, surroundings))
}

/// What a check has found as a JSON document, ending in a newline.
pub fn checked(sources: &Sources, checked: &Checked, surroundings: &Surroundings<'_>) -> String {
    document(&build::checked(sources, checked, surroundings))
}

pub fn document(document: &Document) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("strings and numbers can always be written");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, sample};

    #[test]
    fn what_is_written_can_be_read_again() {
        let written = sample::document();
        let text = super::document(&written);
        let read: Document = serde_json::from_str(&text).expect("it is such a document");
        assert_eq!(read, written);
        assert_eq!(super::document(&read), text);
    }
}
