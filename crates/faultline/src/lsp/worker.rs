//! A process that explains one file for the language server, and what it found.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use report::document::{Document, restore};
use report::editor::Editor;
use source::Sources;

use crate::captured::{self, Captured};

/// Editors want an answer while the change is still on one's mind.
const TIME: &str = "30s";
/// The statuses with which `explain` has said something about the program.
const NOTHING_WRONG: i32 = 0;
const FAULT: i32 = 1;
const INCONCLUSIVE: i32 = 3;

/// What is known about a program.
pub struct Explained {
    sources: Sources,
    document: Document,
    base: PathBuf,
}

impl Explained {
    pub fn editor(&self) -> Editor<'_> {
        Editor { sources: &self.sources, document: &self.document, base: &self.base }
    }
}

/// A process under way; it ends with this.
pub struct Worker {
    child: Arc<Mutex<Child>>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(None) = child.try_wait() {
            // SAFETY: the process has not been waited for, so its number is still its own. It puts away its files.
            unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
        }
    }
}

impl Worker {
    /// Explains a file; `done` is told what was found, nothing if there is no fault.
    pub fn start(
        file: PathBuf,
        options: &[String],
        done: impl FnOnce(Result<Option<Explained>>) + Send + 'static,
    ) -> Result<Worker> {
        let base = file.parent().unwrap_or(Path::new("/")).to_owned();
        let this = std::env::current_exe().context("cannot find the program itself")?;
        let mut command = Command::new(this);
        command.args(["explain", "--format", "json"]).args(options).arg(&file).current_dir(&base);
        if !options.iter().any(|option| option.starts_with("--timeout")) {
            command.args(["--timeout", TIME]);
        }
        let (messages, stderr) = Captured::new()?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn().with_context(|| format!("cannot explain {}", file.display()))?;
        let stdout = child.stdout.take();
        let worker = Worker { child: Arc::new(Mutex::new(child)) };
        let waiting = worker.child.clone();
        let wait = move || {
            let json = stdout.map(captured::text).unwrap_or_default();
            let status = waiting.lock().unwrap_or_else(PoisonError::into_inner).wait();
            let status = status.ok().and_then(|status| status.code());
            done(explained(status, &json, &messages.text(), base).with_context(|| file.display().to_string()));
        };
        std::thread::Builder::new().spawn(wait).context("cannot wait for an answer")?;
        Ok(worker)
    }
}

fn explained(status: Option<i32>, json: &str, messages: &str, base: PathBuf) -> Result<Option<Explained>> {
    match status {
        Some(NOTHING_WRONG | INCONCLUSIVE) if json.trim().is_empty() => return Ok(None),
        Some(NOTHING_WRONG | FAULT | INCONCLUSIVE) => {}
        _ => bail!("{}", messages.trim()),
    }
    let document = restore::read(json)?;
    if document.failures.is_empty() {
        return Ok(None);
    }
    let (sources, _) = restore::sources(&document, &base)?;
    Ok(Some(Explained { sources, document, base }))
}
