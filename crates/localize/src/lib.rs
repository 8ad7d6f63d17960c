//! Finds the statements that are to blame for a failure: one engine a file, all over the same traces.
//!
//! An [`ErrorTrace`](logic::control_flow::ErrorTrace) goes in, over terms; which statements are to blame, with
//! the values that show it, comes out, by the statements' numbers. [`engines`] does the same for a recorded run
//! of a C program and answers in the words of its source. Nothing here knows files or terminals.

pub mod engines;
pub mod error;
pub mod error_invariants;
pub mod flow;
pub mod flow_sensitive;
pub mod likely_invariants;
pub mod many_traces;
pub mod max_sat;
pub mod observed;
pub mod ped;
pub mod relevance;
pub mod spectrum;
pub mod suspects;
pub mod triangulate;
pub mod unfolded;
