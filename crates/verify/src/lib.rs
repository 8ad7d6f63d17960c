//! Finds how a program fails: bounded model checking of whole programs.
//!
//! A [`program::Program`] goes in; it comes out proved, violated with inputs that the concrete executor
//! has replayed, or open within a bound. [`pruning`] first has proved what can be proved for every bound. Nothing here
//! knows reports or terminals.

pub mod automata;
pub mod bmc;
pub mod encode;
mod floats;
pub mod graph_check;
pub mod guided;
pub mod indeterminate;
pub mod needed;
mod paths;
pub mod program_graph;
pub mod pruning;
pub mod slice;
mod symbolic;
pub mod trace_abstraction;
