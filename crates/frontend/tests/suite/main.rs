//! The tests of `frontend` from outside, as one binary: linked once.

mod boogie;
mod lowering;
