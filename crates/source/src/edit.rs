//! Changes of source text.
//!
//! [`Edit`]s → a [`Patch`] → the new text of each file, or a diff. The edits of a patch never
//! overlap, and all of them speak of the text as it is before the patch. They are kept in the
//! order of their places, so equal patches are equal values.
//!
//! Nothing here writes files, or judges what an edit does to the program: see [`crate::fit`] for
//! precedence and [`crate::macros`] for macros.

use serde::{Deserialize, Serialize};

use crate::{FileId, Place, SourceError, Sources, Span};

/// Text to put in the place of other text; with an empty span, text to insert.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edit {
    pub span: Span,
    pub replacement: String,
}

/// Edits that belong together, in one file or in several.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Edit>", into = "Vec<Edit>")]
pub struct Patch {
    /// In the order of their spans.
    edits: Vec<Edit>,
}

impl Patch {
    /// Edits may touch but not overlap, and only one may insert at a point.
    pub fn new(mut edits: Vec<Edit>) -> Result<Patch, SourceError> {
        edits.sort();
        for pair in edits.windows(2) {
            let (first, second) = (pair[0].span, pair[1].span);
            let both_insert = first == second && first.start == first.end;
            if first.file == second.file && (second.start < first.end || both_insert) {
                return Err(SourceError::Overlap { position: second.start });
            }
        }
        Ok(Patch { edits })
    }

    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The files that the patch changes, each once and in order.
    pub fn files(&self) -> Vec<FileId> {
        let mut files: Vec<_> = self.edits.iter().map(|edit| edit.span.file).collect();
        files.dedup();
        files
    }

    /// The text of a file after the patch, with `?` for each byte that is not UTF-8 before it.
    pub fn apply(&self, sources: &Sources, file: FileId) -> Result<String, SourceError> {
        let text = sources.text(file).ok_or_else(|| no_text(sources, file))?;
        let bytes = self.edited(sources, file, text.as_bytes())?;
        Ok(String::from_utf8(bytes).expect("edits are text and cut no character in two"))
    }

    /// The bytes of a file after the patch; what is not UTF-8 in the file stays as it is.
    pub fn apply_to_bytes(&self, sources: &Sources, file: FileId) -> Result<Vec<u8>, SourceError> {
        let bytes = sources.bytes(file).ok_or_else(|| no_text(sources, file))?;
        self.edited(sources, file, bytes)
    }

    fn edited(&self, sources: &Sources, file: FileId, old: &[u8]) -> Result<Vec<u8>, SourceError> {
        let mut new = Vec::with_capacity(old.len());
        let mut copied = 0;
        for edit in self.edits.iter().filter(|edit| edit.span.file == file) {
            // Text that does not exist as text also cuts a character in two.
            let range = sources.text_of(edit.span).and_then(|_| sources.range(edit.span));
            let range = range.ok_or_else(|| out_of_range(sources, edit.span))?;
            new.extend_from_slice(&old[copied..range.start]);
            new.extend_from_slice(edit.replacement.as_bytes());
            copied = range.end;
        }
        new.extend_from_slice(&old[copied..]);
        Ok(new)
    }
}

impl TryFrom<Vec<Edit>> for Patch {
    type Error = SourceError;

    fn try_from(edits: Vec<Edit>) -> Result<Patch, SourceError> {
        Patch::new(edits)
    }
}

impl From<Patch> for Vec<Edit> {
    fn from(patch: Patch) -> Vec<Edit> {
        patch.edits
    }
}

pub(crate) fn no_text(sources: &Sources, file: FileId) -> SourceError {
    SourceError::NoText { path: sources.path(file).to_owned() }
}

/// The error for a span, at the end of it that does not exist.
pub(crate) fn out_of_range(sources: &Sources, span: Span) -> SourceError {
    let start = Place { file: span.file, position: span.start };
    let position = if sources.offset(start).is_none() { span.start } else { span.end };
    SourceError::OutOfRange { path: sources.path(span.file).to_owned(), position }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    const TEXT: &str = "ab\ncdé\n";

    /// Applies edits, written as the offsets of a range in `TEXT` and a replacement.
    #[track_caller]
    fn check(edits: &[(usize, usize, &str)], expected: Result<&str, &str>) {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some(TEXT.into()));
        let edit = |&(start, end, replacement): &(usize, usize, &str)| Edit {
            span: sources.span(file, start..end).unwrap(),
            replacement: replacement.into(),
        };
        let found = Patch::new(edits.iter().map(edit).collect()).and_then(|patch| patch.apply(&sources, file));
        let found = found.map_err(|error| error.to_string());
        assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned));
    }

    #[test]
    fn edits_apply_together() {
        check(&[], Ok(TEXT));
        check(&[(0, 1, "x")], Ok("xb\ncdé\n"));
        check(&[(3, 4, "Y"), (0, 1, "")], Ok("b\nYdé\n"));
        check(&[(1, 1, "+")], Ok("a+b\ncdé\n"));
        check(&[(0, TEXT.len(), "")], Ok(""));
        check(&[(TEXT.len(), TEXT.len(), "end")], Ok("ab\ncdé\nend"));
        check(&[(0, 1, "x"), (1, 2, "y"), (1, 1, "-")], Ok("x-y\ncdé\n"));
    }

    #[test]
    fn overlaps_are_refused() {
        check(&[(0, 2, "x"), (1, 2, "y")], Err("two edits overlap at 1:2"));
        check(&[(0, 2, "x"), (0, 2, "x")], Err("two edits overlap at 1:1"));
        check(&[(1, 1, "x"), (1, 1, "y")], Err("two edits overlap at 1:2"));
        check(&[(0, 2, "x"), (1, 1, "y")], Err("two edits overlap at 1:2"));
    }

    #[test]
    fn spans_that_do_not_exist_are_refused() {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some(TEXT.into()));
        let missing = sources.add("missing.c", None);
        let apply = |file, (line, column)| {
            let start = Position { line: 1, column: 1 };
            let span = Span { file, start, end: Position { line, column } };
            let patch = Patch::new(vec![Edit { span, replacement: "x".into() }]).unwrap();
            patch.apply(&sources, file).unwrap_err().to_string()
        };
        let remedy = "the file has no such place; was it changed after compilation?";
        assert_eq!(apply(file, (1, 9)), format!("a.c:1:9: {remedy}"));
        assert_eq!(apply(file, (9, 1)), format!("a.c:9:1: {remedy}"));
        assert_eq!(apply(file, (2, 4)), format!("a.c:2:4: {remedy}"), "cuts a character");
        assert_eq!(apply(missing, (1, 1)), "missing.c cannot be read");
    }
}
