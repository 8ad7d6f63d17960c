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
    /// The solver cannot take a formula of the trace.
    #[error(transparent)]
    Solver(#[from] logic::error::Error),
}
