//! What a process that was started writes, kept in a file without a name: nobody has to read along, which would take a thread.

use std::fs::File;
use std::io::{Read, Seek};
use std::process::Stdio;

use anyhow::{Context, Result};

/// A stream of a process.
pub struct Captured(File);

impl Captured {
    /// And what is handed to the process.
    pub fn new() -> Result<(Captured, Stdio)> {
        let file = tempfile::tempfile().context("cannot make a temporary file")?;
        let handed = file.try_clone().context("cannot make a temporary file")?;
        Ok((Captured(file), handed.into()))
    }

    /// When the process has ended.
    pub fn text(mut self) -> String {
        let _ = self.0.rewind();
        text(self.0)
    }
}

/// All that can be read: what was read before an error is better than nothing.
pub fn text(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
