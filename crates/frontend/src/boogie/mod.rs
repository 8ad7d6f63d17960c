//! Boogie: the intermediate verification language, in its own dialect and in Ultimate's.
//!
//! The text of a `.bpl` file → a [`Translation`]: a graph of guarded commands over terms
//! ([`logic::control_flow::Graph`]), with a table that tells for each origin what stands there in the text.
//! Boogie's unbounded integers, reals and maps are no types of C, so it does not become a
//! [`program::Program`].
//!
//! On the way: tokens (`lex`), declarations and statements as written (`parse`, `syntax`), names and types
//! (`environment`, `types`, `expressions`), the graph (`lower`). Calls of procedures with a body are inlined;
//! other calls are their contract. What is not supported, and recursion beyond a bound, is a [`Stop`] in the
//! graph: a location from which nothing goes on, with its reason.

mod builtin;
mod diagnostic;
mod environment;
mod expressions;
mod lex;
mod lower;
mod parse;
mod syntax;
mod types;
mod values;

use std::path::Path;

use source::{FileId, Sources, Span};

pub use diagnostic::{Diagnostic, Extent, Kind};
pub use lower::{Options, OriginEntry, Role, Stop, StopReason, Translation, VariableName};
pub use values::shown;

/// A file could not be taken over.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be opened, or is no text.
    #[error("cannot read {path}: {reason}")]
    Unreadable { path: std::path::PathBuf, reason: String },
    /// What is wrong in the text, in its order; at least one.
    #[error("{} in the Boogie program: {}", counted(.0.len()), .0[0].message)]
    Wrong(Vec<Diagnostic>),
}

fn counted(count: usize) -> String {
    if count == 1 { "one mistake".to_owned() } else { format!("{count} mistakes") }
}

/// Whether a file is Boogie by its ending.
pub fn is_boogie(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "bpl")
}

/// Adds a Boogie file to the sources.
pub fn open(path: &Path, sources: &mut Sources) -> Result<FileId, Error> {
    let unreadable = |reason: String| Error::Unreadable { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not text in UTF-8".to_owned()))?;
    if text.len() > u32::MAX as usize {
        return Err(unreadable("it is larger than 4 GiB".to_owned()));
    }
    Ok(sources.add(path, Some(text)))
}

/// Translates a Boogie program.
pub fn translate(text: &str, options: &Options) -> Result<Translation, Error> {
    let (file, diagnostics) = parse::parse(text);
    if !diagnostics.is_empty() {
        return Err(Error::Wrong(diagnostics));
    }
    lower::lower(&file, options).map_err(Error::Wrong)
}

/// Where an extent is in the sources.
pub fn span(sources: &Sources, file: FileId, extent: Extent) -> Option<Span> {
    sources.span(file, extent.start as usize..extent.end as usize)
}
