//! Finds the statements that are to blame for a failure: one engine a file, all over the same traces.
//!
//! An [`ErrorTrace`](logic::control_flow::ErrorTrace) goes in, over terms; which statements are to blame, with
//! the values that show it, comes out, by the statements' numbers. Where they stand in a source, the trace's
//! producer knows. Nothing here knows files or terminals.

pub mod error;
pub mod relevance;
pub mod unfolded;
