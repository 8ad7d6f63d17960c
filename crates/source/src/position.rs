//! Where something stands in a source file.
//!
//! Lines and columns are 1-based; columns count bytes, as clang counts them.
//! A `Place` is a point, a `Span` is a half-open range inside one file.

use serde::{Deserialize, Serialize};

/// A file of the program, by its index in [`crate::Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A line and a column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A point in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    pub file: FileId,
    pub position: Position,
}

/// A range of text in a file; `end` is the position after its last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    pub start: Position,
    pub end: Position,
}

impl Place {
    pub fn new(file: FileId, line: u32, column: u32) -> Self {
        Place { file, position: Position { line, column } }
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

impl Span {
    /// The place where the span begins.
    pub fn start_place(self) -> Place {
        Place { file: self.file, position: self.start }
    }

    /// Whether a place is inside; the end is not.
    pub fn contains(self, place: Place) -> bool {
        self.file == place.file && self.start <= place.position && place.position < self.end
    }
}
