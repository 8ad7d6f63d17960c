//! What can go wrong before there is a program: all of it is something the user can mend.

use std::path::PathBuf;

/// A file could not be read as a C program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No input files, and no compilation database that names some.
    #[error("no input files: name the program's C files, or give --compile-commands")]
    NoInput,
    /// The file cannot be opened.
    #[error("cannot read {path}: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    /// A directory where a file was expected.
    #[error("{0} is a directory: name the C files in it, or give its compile_commands.json")]
    Directory(PathBuf),
    /// Nothing is in the file.
    #[error("{0} is empty")]
    Empty(PathBuf),
    /// Not text, and not LLVM bitcode either.
    #[error("{path} is {what}, not C source: expected a .c, .i, .bc or .ll file")]
    NotSource { path: PathBuf, what: &'static str },
    /// An ending that says nothing about the contents.
    #[error("{0} has an unknown ending: expected .c, .i, .bc or .ll")]
    UnknownKind(PathBuf),
    /// The compiler is not installed, or `FAULTLINE_CLANG` names something else.
    #[error(
        "cannot run {program}: {reason}\n  install it (Debian: apt-get install clang-19), or set FAULTLINE_CLANG to a clang of version 19"
    )]
    NoClang { program: String, reason: String },
    /// The compiler is of another version, whose output cannot be read.
    #[error("{program} is {found}, but version 19 is needed: set FAULTLINE_CLANG to a clang of version 19")]
    WrongClang { program: String, found: String },
    /// The compiler refused the file; its own words follow.
    #[error("{path} does not compile\n{message}")]
    Compile { path: PathBuf, message: String },
    /// Bitcode or IR text that LLVM 19 does not accept.
    #[error(
        "{path} is not LLVM {version} bitcode or IR that LLVM 19 can read: compile it again with clang 19, or give the C source\n{message}"
    )]
    ForeignBitcode { path: PathBuf, version: String, message: String },
    /// Two files that cannot be one program.
    #[error("cannot link {path} with the other files: {message}")]
    Link { path: PathBuf, message: String },
    /// A compilation database that is none.
    #[error("{path} is not a compilation database: {message}")]
    Database { path: PathBuf, message: String },
    /// A file that the compilation database does not mention.
    #[error("{path} is not in {database}")]
    NotInDatabase { path: PathBuf, database: PathBuf },
    /// A temporary folder or file could not be made.
    #[error("cannot write temporary files: {0}")]
    Temporary(#[from] std::io::Error),
}
