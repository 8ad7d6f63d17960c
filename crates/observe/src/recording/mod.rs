//! What observed programs carry and leave: the table of sites in the binary, and the files of a run.
//!
//! [`sites_of`] reads a binary's table, [`read_coverage`] and [`read_invariants`] read what processes counted in a
//! folder, merged over all of them, and [`read_inner`] the ranges inside of expressions. Units (object files) are known by a
//! hash of their table, so that one recording may hold programs and shared libraries that were built at different times;
//! what is not in the given table is passed over. Files are those of a program that may have crashed or been killed:
//! whatever is in them gives an answer or an [`Error`](crate::Error), never a panic.

mod branches;
mod counters;
mod cursor;
mod follow;
mod inner;
mod paths;
mod process;
mod sites;
mod table;
mod trace;
mod value;
mod words;

pub use branches::{Branch, BranchId, Label, Way, Ways};
pub use counters::{Coverage, Invariants, Range, read_coverage, read_invariants};
pub use inner::{InnerValues, read_inner};
pub use paths::{Recipe, Source, Words};
pub use process::{Death, Process, loaded_modules, processes};
pub use sites::{Block, BlockId, Site, SiteId, SiteKind, Sites, sites_of};
pub use table::{Access, Function, Inner, Node, NodeKind, Observed, Place, Segment, Unit};
pub use trace::{Executed, Recipes, Record, ThreadTrace, globals, traced_processes, traces};
pub use value::{Order, Value, ValueType};
