//! What can go wrong in an engine. That it finds no answer in time is an answer, not an error.

/// Why an engine cannot work on a trace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// No execution takes this path, so nothing on it can be to blame.
    #[error("the trace cannot be executed, so that nothing on it can be to blame")]
    Infeasible,
    /// Whether the trace can be executed was not found out.
    #[error("whether the trace can be executed was not found out: {0}")]
    Undecided(String),
    /// Why the run failed is not in the trace.
    #[error("why the run failed has no formula, so that no repair can be computed")]
    NoFormula,
    /// There is nothing to explain.
    #[error("there is no failing run")]
    NoRun,
    /// The run has no trace.
    #[error(transparent)]
    Encode(#[from] verify::encode::EncodeError),
    /// The solver cannot take a formula of the trace.
    #[error(transparent)]
    Solver(#[from] logic::error::Error),
}
