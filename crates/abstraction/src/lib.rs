//! Abstract interpretation: what holds at each place of a program, in all of its runs.
//!
//! A [`Program`](program::Program) → an [`Analysis`]: for each block in each chain of calls a set of states that
//! contains every state of every run; for each check of the executor whether it is proved; and, backward from a
//! condition, from which states it can be reached (PED's projections). Numeric domains are behind one trait in
//! [`numeric`]; memory is followed by objects, pointers, sizes, and positions of strings' ends.
//!
//! What holds: the analysis is sound against the concrete executor. Integers wrap where the machine's do.
//! What is not followed (floats, integers over 64 bits, the library's less common functions) can be anything.
//! A program that uses `setjmp` is not analysed at all, and nothing in it is called proved.
//!
//! Not here: solvers. Results are linear constraints over places, which later stages make formulas of.

mod analysis;
mod analyzer;
mod calls;
mod checks;
mod commands;
mod conditions;
mod effects;
mod engine;
mod evaluate;
mod library;
mod memory;
pub mod numeric;
mod places;
mod projection;
mod sites;
mod stack;
mod state;
mod value;

pub use analysis::{Analysis, analyse, analyse_in_stages};
pub use analyzer::Options;
pub use checks::{Check, Checked, Verdict};
pub use places::{Context, ContextId, Object, ObjectId, Place, Places, Reading};
pub use projection::{Edge, Location, Projections, Property};
pub use sites::ProvedSites;
