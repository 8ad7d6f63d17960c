//! The formats for machines, chosen by name: what `--format` takes beside text.

use diagnosis::{Diagnosis, ErrorTrace};
use source::Sources;

use crate::checked::Checked;
use crate::document::Document;
use crate::document::build::{self, Surroundings};
use crate::finding::Report;
use crate::{gcc, html, json, sarif};

/// A format that is written as a whole, for a file or standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Json,
    Sarif,
    Html,
    Gcc,
}

pub fn diagnosed(
    format: Format,
    sources: &Sources,
    report: &Report,
    trace: Option<&ErrorTrace>,
    diagnosis: Option<&Diagnosis>,
    surroundings: &Surroundings<'_>,
) -> String {
    document(format, sources, &build::diagnosed(sources, report, trace, diagnosis, surroundings))
}

pub fn checked(format: Format, sources: &Sources, checked: &Checked, surroundings: &Surroundings<'_>) -> String {
    document(format, sources, &build::checked(sources, checked, surroundings))
}

/// The sources are those that the document names.
pub fn document(format: Format, sources: &Sources, document: &Document) -> String {
    match format {
        Format::Json => json::document(document),
        Format::Sarif => sarif::document(sources, document),
        Format::Html => html::document(sources, document),
        Format::Gcc => gcc::document(document),
    }
}
