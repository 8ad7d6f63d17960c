//! Running programs and learning from their runs.
//!
//! `faultline cc` is [`compiler`]: a drop-in for clang whose pass ([`instrument`]) adds counters, ranges of values and
//! traces to every function, and a table of what is observed to the binary. [`recording`] reads that table and the
//! files that a run leaves; [`slicing`] says which executed instructions a symptom depends on. What is linked into the program is the crate `runtime`.
//!
//! A command line and an input → what became of the run ([`run`]), whether that is the failure that is looked for
//! ([`detect`]), and which inputs nearby fail or do not ([`inputs`]).
//!
//! Programs are untrusted: every run has limits on time, memory, processes and what it writes, a session and a
//! temporary folder of its own, and nothing of it is left when it ends. Who is to blame is not decided here.

pub mod compiler;
pub mod detect;
mod error;
pub mod inputs;
pub mod instrument;
pub mod record;
pub mod recording;
pub mod run;
pub mod slicing;
mod symbols;

pub use error::Error;
