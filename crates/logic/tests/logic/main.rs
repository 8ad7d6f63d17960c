//! The tests of `logic` that go through its public interface, in one binary: linking a solver takes time.

mod agreement;
mod conformance;
mod random;
mod simplification;
