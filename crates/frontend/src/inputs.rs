//! Input files: what kind they are, and what is wrong with those that are none.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// C that the preprocessor must see.
    Source,
    /// C that it has seen.
    Preprocessed,
    /// LLVM bitcode or IR text.
    Ir,
}

/// Tells a file's kind by its ending, after a look at its first bytes.
pub fn kind_of(path: &Path) -> Result<Kind, Error> {
    let start = first_bytes(path)?;
    let is_bitcode = start.starts_with(b"BC\xC0\xDE") || start.starts_with(&[0xDE, 0xC0, 0x17, 0x0B]);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let not_source = |what| Err(Error::NotSource { path: path.into(), what });
    if is_bitcode {
        return Ok(Kind::Ir);
    }
    if start.starts_with(b"\x7fELF") {
        return not_source("an ELF binary");
    }
    if start.starts_with(b"!<arch>") {
        return not_source("a library archive");
    }
    match ending {
        "bc" => not_source("no LLVM bitcode"),
        _ if start.contains(&0) => not_source("a binary file"),
        "c" | "h" => Ok(Kind::Source),
        "i" => Ok(Kind::Preprocessed),
        "ll" => Ok(Kind::Ir),
        _ => Err(Error::UnknownKind(path.into())),
    }
}

fn first_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let unreadable = |error: std::io::Error| Error::Unreadable { path: path.into(), reason: error.to_string() };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(Error::Directory(path.into()));
    }
    let mut start = Vec::new();
    fs::File::open(path).map_err(unreadable)?.take(4096).read_to_end(&mut start).map_err(unreadable)?;
    if start.is_empty() {
        return Err(Error::Empty(path.into()));
    }
    Ok(start)
}

/// The LLVM version that a bitcode file says it was written by.
pub fn bitcode_producer(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    // The identification block stores the producer as 8- or 6-bit characters; clang's own files have
    // it as plain text in the string table as well.
    let text = String::from_utf8_lossy(&bytes);
    let at = text.find("clang version ")?;
    let version: String =
        text[at..].chars().skip("clang version ".len()).take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    Some(version)
}
