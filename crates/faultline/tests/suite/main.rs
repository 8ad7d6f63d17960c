//! Tests of the binary from outside, as a user runs it.
//!
//! One test program with a module for each concern, so that it is linked once; `flood` is apart.

mod browser;
mod build_systems;
mod check;
mod cli;
mod csmith;
mod documents;
mod editing;
mod expectations;
mod explaining;
mod formats;
mod gallery;
mod golden;
mod inside;
mod localizing;
mod many_traces;
mod misbehaving;
mod native;
mod process;
mod programs;
mod repair_function;
mod repairing;
mod schema;
mod symptoms;
mod witness;
