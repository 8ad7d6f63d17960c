//! What can go wrong while programs are run: user's errors and the machine's, with the remedy in the message.

use std::path::PathBuf;

/// Why something could not be observed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such program.
    #[error("there is no program `{name}`: name it with its path, such as ./{name}, or with a name that is in PATH")]
    NoProgram { name: String },
    /// The system refused to execute it.
    #[error("cannot execute {}: {source}", path.display())]
    CannotExecute { path: PathBuf, source: std::io::Error },
    /// The system refused something else.
    #[error("cannot {doing}: {source}")]
    System { doing: &'static str, source: std::io::Error },
    /// A file or folder of the user, or one of ours beside it.
    #[error("cannot {doing} {}: {source}", path.display())]
    File { doing: &'static str, path: PathBuf, source: std::io::Error },
    /// A token specification, a regular expression or the like, with its place.
    #[error("{place}: {message}")]
    Malformed { place: String, message: String },
    /// The server is not as the user says.
    #[error("{0}")]
    Server(String),
    /// The failure is not there, or not always the same.
    #[error("{0}")]
    Failure(String),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// For `map_err` on what the system says.
    pub(crate) fn system(doing: &'static str) -> impl FnOnce(std::io::Error) -> Error {
        move |source| Error::System { doing, source }
    }

    /// For `map_err` on what happens to a file.
    pub(crate) fn file(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::File { doing, path, source }
    }
}
