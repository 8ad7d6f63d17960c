//! The tests of `logic` that go through its public interface, in one binary: linking a solver takes time.

mod agreement;
mod conformance;
mod exists_forall;
mod maxsat;
mod random;
mod simplification;
mod traces;
