//! What can go wrong while programs are built, run and read about: user's errors and the machine's, with the remedy in the message.

use std::path::PathBuf;

/// Why something could not be observed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such program.
    #[error("there is no program `{name}`{}", remedy(name))]
    NoProgram { name: String },
    /// It is there, but is a folder, a source or the like.
    #[error("{} cannot be executed: name the program that was built, and its arguments behind it", path.display())]
    NotExecutable { path: PathBuf },
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
    /// The binary has no table of sites.
    #[error(
        "{} was not built with `faultline cc`: it has no table of what to observe\n\
         build it again, for example with: make clean && make CC=\"faultline cc\"", path.display()
    )]
    NotObserved { path: PathBuf },
    /// The file is no ELF binary.
    #[error("{} is no program that can be observed: {reason}", path.display())]
    NoBinary { path: PathBuf, reason: String },
    /// A file of ours is not as it was written.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// A program or a recording is of another version than this.
    #[error("{} was made by another version of faultline: build the program again, and record it again", path.display())]
    OtherVersion { path: PathBuf },
    /// A run left nothing.
    #[error("nothing was recorded in {}: {reason}", path.display())]
    Empty { path: PathBuf, reason: String },
    /// The compiler could not be started.
    #[error("cannot run {program}: {reason}; install clang 19, or set FAULTLINE_CLANG")]
    NoClang { program: String, reason: String },
    /// A response file or an option cannot be understood.
    #[error("{0}")]
    Usage(String),
    /// LLVM refused what clang wrote.
    #[error("cannot instrument {}: {message}", path.display())]
    Instrument { path: PathBuf, message: String },
    /// Slicing has nothing to begin with.
    #[error("{0}")]
    NoSymptom(String),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

fn remedy(name: &str) -> String {
    match name.contains('/') {
        true => ": was it built, and is this the right folder?".to_owned(),
        false => format!(": name it with its path, such as ./{name}, or with a name that is in PATH"),
    }
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
