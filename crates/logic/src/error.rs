//! What can go wrong when a solver is used. That it does not find an answer is no error but an
//! [`Outcome`](crate::solver::Outcome).

/// Why a solver cannot take a formula or tell a value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The solver has no such sort or operator; another back end may have it.
    #[error("{solver} does not support {what}")]
    Unsupported {
        solver: &'static str,
        /// The construct, as the object of the sentence.
        what: String,
    },
    /// The solver itself reports that it failed: a bug, here or there.
    #[error("{solver} failed: {message}")]
    Failed { solver: &'static str, message: String },
}
