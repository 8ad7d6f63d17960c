//! The tests of `repair` from outside, as one binary: linked once.

mod conduct;
mod meanings;
