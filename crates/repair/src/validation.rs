//! Checks a patch: the patched source is compiled and model checked as a whole, within the same bound.
//!
//! Patch → [`Outcome`]. The user's files are not touched: patched copies are compiled from a temporary folder, with
//! the original's folder for its includes. A patch of a file that is not compiled by itself, such as a header, is
//! not checked.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use program::Program;
use program::exec::{Checks, ViolationKind};
use source::{Patch, Sources};
use verify::bmc::{self, Verdict};
use verify::{indeterminate, pruning};

/// What is known about the patched program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No execution fails.
    Proved,
    /// None fails in which no loop goes back more often than this.
    Bounded(u32),
    /// It fails as well, and how.
    Fails(String),
    /// The patched source is no program, in the compiler's words.
    DoesNotCompile(String),
    /// It was not found out, and why.
    Unknown(String),
}

/// How the original was read and checked.
#[derive(Clone, Debug)]
pub struct Setting {
    pub reading: frontend::Options,
    pub checks: Checks,
    /// How often loops go back at least before a patch counts as checked.
    pub bound: u32,
    /// For one patch.
    pub time: Duration,
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Why the patched text cannot be put in the place of the original.
#[derive(Debug, thiserror::Error)]
enum PlacingError {
    #[error("{0} is compiled only as a part of another file")]
    Included(String),
    #[error(transparent)]
    Source(#[from] source::SourceError),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Compiles and checks the patched program.
pub fn check(sources: &Sources, patch: &Patch, setting: &Setting) -> Outcome {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => return Outcome::Unknown(error.to_string()),
    };
    let reading = match place(sources, patch, &setting.reading, folder.path()) {
        Ok(reading) => reading,
        Err(error) => return Outcome::Unknown(error.to_string()),
    };
    match frontend::read(&reading) {
        Ok(program) => verified(&program, setting),
        Err(error) => Outcome::DoesNotCompile(error.to_string()),
    }
}

fn verified(program: &Program, setting: &Setting) -> Outcome {
    let opened;
    let program = if setting.checks.has(ViolationKind::Uninitialized) {
        program
    } else {
        opened = indeterminate::open(program);
        &opened
    };
    let options = bmc::Options {
        checks: setting.checks,
        max_bound: setting.bound,
        time: Some(setting.time),
        interrupt: setting.interrupt.clone(),
        ..bmc::Options::default()
    };
    let (report, _) = pruning::check(program, &options);
    match report.verdict {
        Verdict::Proved => Outcome::Proved,
        Verdict::Bounded(bound) if bound >= setting.bound => Outcome::Bounded(bound),
        Verdict::Bounded(bound) => {
            Outcome::Unknown(format!("checked only while no loop goes back more than {bound} times"))
        }
        Verdict::Violated => {
            let kind = report.failures.first().map_or("a violation", |it| it.violation.kind.name());
            Outcome::Fails(kind.to_owned())
        }
        Verdict::Unknown(why) => Outcome::Unknown(why),
    }
}

/// Writes patched copies, and says how to read the program with them.
fn place(
    sources: &Sources,
    patch: &Patch,
    reading: &frontend::Options,
    folder: &Path,
) -> Result<frontend::Options, PlacingError> {
    let mut patched = frontend::Options { compile_commands: None, exact_places: false, ..reading.clone() };
    for (number, file) in patch.files().into_iter().enumerate() {
        let is_it = |it: &PathBuf| {
            let path = std::path::absolute(it).ok();
            path.as_deref() == sources.absolute_path(file) || it.as_path() == Path::new(sources.path(file))
        };
        let Some(position) = reading.files.iter().position(is_it).filter(|_| reading.compile_commands.is_none()) else {
            return Err(PlacingError::Included(sources.path(file).to_owned()));
        };
        let original = &reading.files[position];
        let name = original.file_name().unwrap_or("program.c".as_ref());
        let inside = folder.join(number.to_string());
        std::fs::create_dir(&inside)?;
        let copy = inside.join(name);
        std::fs::write(&copy, patch.apply_to_bytes(sources, file)?)?;
        patched.files[position] = copy;
        let near = original.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let near = std::path::absolute(near)?;
        patched.flags.extend(["-iquote".to_owned(), near.to_string_lossy().into_owned()]);
    }
    Ok(patched)
}
