//! The tests of `localize` from outside, as one binary: linked once.

mod boogie;
mod definition;
mod long_traces;
mod papers;
mod ped;
mod programs;
