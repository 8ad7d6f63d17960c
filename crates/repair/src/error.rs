//! What can go wrong before there is anything to repair: all of it is something the user can mend.

use std::path::PathBuf;

use frontend::acsl::Diagnostic;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read as text.
    #[error("cannot read {path}: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    /// No file defines the function.
    #[error("{files} defines no function `{name}`{}", listed(.known))]
    NoFunction { name: String, files: String, known: Vec<String> },
    /// A specification that is outside the subset, or wrong; with its place.
    #[error("{}", .0.message)]
    Specification(Diagnostic),
    /// Inputs for a parameter cannot be made.
    #[error("inputs for `{parameter}` of `{function}` cannot be made: {reason}")]
    Parameter { function: String, parameter: String, reason: String },
    /// Neither a specification nor tests.
    #[error(
        "nothing says what `{0}` is to do: write a contract before it (/*@ requires …; ensures …; */), or give --tests"
    )]
    NothingToMeet(String),
    /// A file of tests that cannot be used.
    #[error("{path}:{line}: {message}")]
    Tests { path: PathBuf, line: usize, message: String },
    /// A folder without tests.
    #[error("{path}: {message}")]
    Folder { path: PathBuf, message: String },
    /// Two tests that no program can pass.
    #[error("the tests contradict each other: {one} and {other} have the same inputs and expect different results")]
    Contradiction { one: String, other: String },
    /// The specification asks for nothing that can happen.
    #[error(
        "no input with arrays of at most {size} elements meets what `{function}` requires: give more with --size, or look at `requires`"
    )]
    NoInputs { function: String, size: u32 },
    #[error(transparent)]
    Frontend(#[from] frontend::Error),
    #[error(transparent)]
    Source(#[from] source::SourceError),
    /// The tests' command cannot be run.
    #[error(transparent)]
    Run(#[from] observe::Error),
    #[error("cannot write temporary files: {0}")]
    Temporary(#[from] std::io::Error),
}

fn listed(known: &[String]) -> String {
    match known {
        [] => String::new(),
        known => format!(": there are {}", known.join(", ")),
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Error {
        Error::Specification(diagnostic)
    }
}
