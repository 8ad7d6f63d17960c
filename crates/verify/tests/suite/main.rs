//! The tests of `verify` from outside, as one binary: linked once.

mod boogie;
mod encoding;
mod exhaustive;
mod guarded;
mod needed;
mod programs;
mod running;
mod slicing;
mod straight;
mod trace_abstraction;
