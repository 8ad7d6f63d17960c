//! A command as the judge: it is run on a copy of the file's folder, with a change made, and its status counts.
//!
//! The command is the user's own, but what it runs is changed code: each run has limits, a session of its own of which nothing
//! is left, and a folder that is removed at the end. Every change costs a run of the command, so that
//! far fewer are tried than with tests that the executor can run.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use observe::run::{Command, End, Limits, Runner};

use crate::error::Error;
use crate::subject::{Subject, edited};

/// Files and bytes that are copied at most.
const FILES: usize = 5000;
const BYTES: u64 = 200 << 20;
/// Bytes of memory and of one file that a run may use, of all that it writes, and its processes: compilers need much.
const MEMORY: u64 = 4 << 30;
const FILE: u64 = 1 << 30;
const WRITTEN: u64 = 16 << 30;
const PROCESSES: u32 = 1000;

pub struct Judge<'s> {
    subject: &'s Subject,
    runner: Runner,
    folder: tempfile::TempDir,
}

impl<'s> Judge<'s> {
    pub fn new(
        subject: &'s Subject,
        line: &str,
        time: Duration,
        interrupt: Option<Arc<AtomicBool>>,
    ) -> Result<Judge<'s>, Error> {
        let folder = tempfile::tempdir()?;
        let file = &subject.reading.files[subject.position];
        let near = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        copy(near, folder.path(), &mut 0, &mut 0)?;
        let mut command = Command::shell(OsStr::new(line));
        command.folder = Some(folder.path().to_owned());
        let limits = Limits {
            time,
            processor: time + Duration::from_secs(1),
            memory: MEMORY,
            file: FILE,
            written: WRITTEN,
            processes: PROCESSES,
            ..Limits::default()
        };
        let runner = Runner::new(command, limits, interrupt.unwrap_or_default())?;
        Ok(Judge { subject, runner, folder })
    }

    /// Whether the command succeeds with changes made.
    pub fn passes(&self, changes: &[(std::ops::Range<usize>, String)]) -> Result<bool, Error> {
        let file = &self.subject.reading.files[self.subject.position];
        let copy = self.folder.path().join(file.file_name().unwrap_or("program.c".as_ref()));
        std::fs::write(copy, edited(self.subject.text(), changes))?;
        Ok(self.runner.run(b"")?.end == End::Exited(0))
    }
}

fn copy(from: &Path, to: &Path, files: &mut usize, bytes: &mut u64) -> Result<(), Error> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        *files += 1;
        *bytes += entry.metadata()?.len();
        if *files > FILES || *bytes > BYTES {
            let message = "the folder is too large to be copied for a command: use --tests".to_owned();
            return Err(Error::Folder { path: from.to_owned(), message });
        }
        if kind.is_dir() && entry.file_name() != ".git" {
            std::fs::create_dir(&target)?;
            copy(&entry.path(), &target, files, bytes)?;
        } else if kind.is_file() {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
