//! What analyses ask of a solver: a small core trait, one trait for each further ability, and the back ends.
//!
//! A solver is used with one arena of terms all its life; it translates terms as they come and remembers
//! them. Running out of time or memory and being interrupted are outcomes, not errors. Every back end passes
//! the suite in `tests/logic/conformance.rs`.

pub mod bitwuzla;
pub mod cores;
mod limits;
pub mod z3;

use std::time::Duration;

pub use limits::{Interrupter, Limits};

use crate::error::Error;
use crate::evaluate::Model;
use crate::terms::{TermId, Terms};
use crate::value::Value;

/// What a solver found out about its assertions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Sat,
    Unsat,
    /// No answer, and why.
    Unknown(Why),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    Timeout,
    Memory,
    Interrupted,
    /// The solver gave up, in its own words.
    Incomplete(String),
}

/// Decides whether assertions can hold together.
pub trait Solver {
    /// The solver's name, for messages.
    fn name(&self) -> &'static str;

    /// Demands a Boolean term until the matching [`Solver::pop`].
    fn assert(&mut self, terms: &Terms, formula: TermId) -> Result<(), Error>;

    /// Opens a level of assertions.
    fn push(&mut self);

    /// Forgets the assertions since the last open [`Solver::push`]; a bug if there is none.
    fn pop(&mut self);

    /// Whether the assertions can hold together with the assumptions, which count for this call only.
    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<Outcome, Error>;

    /// A term's value in the model that the last [`Solver::check`] found; a bug if it found none.
    fn value(&mut self, terms: &Terms, term: TermId) -> Result<Value, Error>;

    /// The values of variables in the model that the last [`Solver::check`] found.
    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Result<Model, Error> {
        let mut model = Model::new();
        for &variable in variables {
            model.assign(variable, self.value(terms, variable)?);
        }
        Ok(model)
    }
}

/// Tells which assumptions were to blame.
pub trait Cores: Solver {
    /// Assumptions that cannot hold together with the assertions, in the order in which they were given; a
    /// bug if the last check was not [`Outcome::Unsat`]. Not necessarily a smallest such set.
    fn failed_assumptions(&mut self) -> Vec<TermId>;
}

/// Can be stopped from outside.
pub trait Interruptible {
    /// The handle that stops this solver, from any thread.
    fn interrupter(&self) -> Interrupter;

    /// Makes another handle stop this solver, so that one can stop many.
    fn attach(&mut self, interrupter: Interrupter);
}

/// Keeps to limits.
pub trait Limited {
    /// Limits for each later check.
    fn set_limits(&mut self, limits: Limits);
}

/// Counts what it does.
pub trait Measured {
    fn statistics(&self) -> Statistics;
}

/// What a solver has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    pub checks: u64,
    /// Time spent in checks.
    pub time: Duration,
    pub assertions: u64,
    /// Terms given to the solver, each counted once.
    pub translated_terms: u64,
}

/// Everything that the engines need.
pub trait FullSolver: Cores + Interruptible + Limited + Measured + Send {}

impl<S: Cores + Interruptible + Limited + Measured + Send> FullSolver for S {}
