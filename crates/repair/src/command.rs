//! A command as the judge: it is run on a copy of the file's folder, with a change made, and its status counts.
//!
//! The command is the user's own, but what it runs is changed code: each run has limits on time, memory and file size,
//! its own process group, and a folder that is removed at the end. Every change costs a run of the command, so that
//! far fewer are tried than with tests that the executor can run.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::subject::{Subject, edited};

/// Files and bytes that are copied at most.
const FILES: usize = 5000;
const BYTES: u64 = 200 << 20;
/// Kilobytes of memory and of one file that a run may use.
const MEMORY: u64 = 4 << 20;
const FILE: u64 = 1 << 20;

pub struct Judge<'s> {
    subject: &'s Subject,
    command: &'s str,
    folder: tempfile::TempDir,
    /// For one run.
    time: Duration,
}

impl<'s> Judge<'s> {
    pub fn new(subject: &'s Subject, command: &'s str, time: Duration) -> Result<Judge<'s>, Error> {
        let folder = tempfile::tempdir()?;
        let file = &subject.reading.files[subject.position];
        let near = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        copy(near, folder.path(), &mut 0, &mut 0)?;
        Ok(Judge { subject, command, folder, time })
    }

    /// Whether the command succeeds with changes made.
    pub fn passes(&self, changes: &[(std::ops::Range<usize>, String)]) -> Result<bool, Error> {
        let file = &self.subject.reading.files[self.subject.position];
        let copy = self.folder.path().join(file.file_name().unwrap_or("program.c".as_ref()));
        std::fs::write(copy, edited(self.subject.text(), changes))?;
        let limited = format!("ulimit -v {MEMORY}; ulimit -f {FILE}; {}", self.command);
        let mut command = Command::new("sh");
        command.args(["-c", &limited]).current_dir(self.folder.path()).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let status = wait(&mut child, Instant::now() + self.time)?;
        // Also what it left behind in its group.
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        if status.is_none() {
            child.wait()?;
        }
        Ok(status == Some(true))
    }
}

fn wait(child: &mut Child, deadline: Instant) -> Result<Option<bool>, Error> {
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(None)
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
