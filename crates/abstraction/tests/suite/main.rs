//! The tests of `abstraction` from outside, as one binary: linked once.

mod programs;
mod projections;
mod random;
