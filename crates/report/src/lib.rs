//! Findings as text for people and as JSON for machines.
//!
//! A [`program::Program`] and what an engine found out about it → a [`Report`]: the verdict, what is
//! wrong in words and values with the places in the source, and what weakens the verdict. The report is
//! plain data; [`terminal`] writes it down for people. For machines it becomes a [`document::Document`], of which
//! [`json`], [`sarif`], [`html`], [`gcc`] and [`editor`] are forms, one output format per file.
//!
//! Nothing here computes anything about programs, and nothing here writes to a terminal or a file: the
//! formats yield strings, or a protocol's data.

mod access;
mod arithmetic;
pub mod checked;
mod columns;
pub mod document;
pub mod editor;
pub mod edits;
pub mod finding;
mod fixes;
pub mod formats;
pub mod gcc;
pub mod html;
pub mod json;
mod names;
mod numbers;
mod outcome;
mod places;
pub mod sarif;
pub mod steps;
pub mod suspects;
pub mod terminal;
pub mod terminal_trace;
pub mod trace;
mod values;
mod violation;

pub use checked::{Answer, Checked, CheckedFailure, Proofs, PropertyAnswer, ProvedCheck};
pub use finding::{Finding, Frame, Input, Mark, NamedValue, Place, Report, Severity, Unsupported, Verdict};
pub use names::object as object_name;
pub use outcome::{report, unsupported};
pub use places::place;
pub use terminal::Look;
