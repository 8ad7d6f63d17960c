//! Where things go: the program's output straight through, our files all or nothing.

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use program::exec::{Captured, Output, OutputStream};

use crate::arguments::Format;
use crate::screen::Screen;

/// Bytes of standard output that wait for more.
const BUFFER: usize = 1 << 14;

/// What becomes of the program's output.
pub enum Sink {
    Through(Box<Through>),
    Kept(Captured),
}

impl Output for Sink {
    fn write(&mut self, stream: OutputStream, bytes: &[u8]) {
        match self {
            Sink::Through(through) => through.write(stream, bytes),
            Sink::Kept(captured) => captured.write(stream, bytes),
        }
    }
}

/// Passes output on, byte by byte as it is. When nobody reads it any more, the run is asked to stop.
pub struct Through {
    waiting: Vec<u8>,
    /// A terminal, or another reader that must not wait.
    immediate: bool,
    stop: Arc<AtomicBool>,
    pub failure: Option<std::io::Error>,
}

impl Through {
    pub fn new(immediate: bool, stop: Arc<AtomicBool>) -> Through {
        Through { waiting: Vec::new(), immediate, stop, failure: None }
    }

    fn write(&mut self, stream: OutputStream, bytes: &[u8]) {
        match stream {
            OutputStream::Standard => {
                self.waiting.extend_from_slice(bytes);
                if self.immediate || self.waiting.len() >= BUFFER {
                    self.flush();
                }
            }
            OutputStream::Error => {
                // What was printed first is seen first.
                self.flush();
                let _ = std::io::stderr().lock().write_all(bytes);
            }
        }
    }

    pub fn flush(&mut self) {
        if self.failure.is_none() {
            let mut stdout = std::io::stdout().lock();
            if let Err(error) = stdout.write_all(&self.waiting).and_then(|()| stdout.flush()) {
                self.failure = Some(error);
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        self.waiting.clear();
    }

    /// Whoever read the output has gone, as `head` does.
    pub fn closed(&self) -> bool {
        self.failure.as_ref().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    }
}

/// Writes to standard output; whether somebody took it.
pub fn print(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}

/// Sends a report where it belongs: to the file, or else text to people and other formats to programs.
pub fn deliver(text: &str, file: Option<&Path>, format: Format, screen: Screen) -> Result<()> {
    match (file, format) {
        (Some(file), _) => write_file(file, text.as_bytes()).context("cannot write the report"),
        (None, Format::Text) => {
            screen.write(text);
            Ok(())
        }
        (None, _) => print(text),
    }
}

/// Writes a file so that it is there as a whole or not at all.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<()> {
    let failed = || format!("cannot write {}", path.display());
    // A device or a pipe cannot be replaced.
    if fs::metadata(path).is_ok_and(|it| !it.is_file()) {
        return fs::write(path, contents).with_context(failed);
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".faultline")
        // Less what the user's mask forbids, as for any new file.
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .with_context(failed)?;
    file.write_all(contents).with_context(failed)?;
    file.persist(path).with_context(failed)?;
    Ok(())
}
