//! Checks a patch: the patched source is compiled and model checked as a whole, within the same bound.
//!
//! Patch → [`Outcome`]. First the run that failed is repeated with the patch: it must come to an end. If its inputs were
//! given from outside and not searched for, nothing is known about others, and that is all. The user's files are not touched: patched copies are compiled from a temporary folder, with
//! the original's folder for its includes. A patch of a file that is not compiled by itself, such as a header, is
//! not checked.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use program::Program;
use program::exec::{self, Checks, Discard, Limits, ViolationKind};
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
    /// The run that failed does not fail any more; others were not looked at.
    Passes,
    /// It fails as well, and how.
    Fails(String),
    /// The patched source is no program, in the compiler's words.
    DoesNotCompile(String),
    /// It was not found out, and why.
    Unknown(String),
}

/// The run that a patch is to mend.
#[derive(Clone, Debug)]
pub struct FailingRun {
    inputs: exec::Inputs,
    steps: u64,
    /// Nothing came from outside but what is searched for, so that the model checker sees this run among others.
    is_among_all: bool,
}

impl FailingRun {
    pub fn new(inputs: exec::Inputs, steps: u64) -> FailingRun {
        let is_given = inputs.arguments.len() > 1 || !inputs.stdin.is_empty() || !inputs.files.is_empty();
        FailingRun { is_among_all: !is_given && inputs.environment.is_empty(), inputs, steps }
    }
}

/// A patched run may take this many times the steps of the failing one, and some more.
const STEPS_FACTOR: u64 = 20;
const MORE_STEPS: u64 = 1_000_000;

/// How the original was read and checked.
#[derive(Clone, Debug)]
pub struct Setting {
    pub reading: frontend::Options,
    pub checks: Checks,
    /// The run that failed.
    pub failing: FailingRun,
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
    match repeat(program, setting) {
        None if !setting.failing.is_among_all => return Outcome::Passes,
        None => {}
        Some(outcome) => return outcome,
    }
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

/// Repeats the run that failed; nothing if it does not fail and comes to an end, or to new inputs.
fn repeat(program: &Program, setting: &Setting) -> Option<Outcome> {
    let FailingRun { inputs, steps, .. } = &setting.failing;
    let limits = Limits {
        steps: steps.saturating_mul(STEPS_FACTOR).saturating_add(MORE_STEPS),
        time: Some(setting.time),
        interrupt: setting.interrupt.clone(),
        ..Limits::default()
    };
    let inputs = exec::Inputs { exhausted: exec::Exhausted::Stop, ..inputs.clone() };
    let run = exec::run(program, &inputs, &limits, setting.checks, &mut Discard, &mut exec::Unobserved);
    match run.outcome {
        exec::Outcome::Violated(violation) => Some(Outcome::Fails(violation.kind.name().to_owned())),
        exec::Outcome::Limit(_) => Some(Outcome::Unknown("the patched program does not come to an end".to_owned())),
        exec::Outcome::Unsupported { .. } | exec::Outcome::Undefined(_) => {
            Some(Outcome::Unknown("the patched program reaches what is not supported".to_owned()))
        }
        _ => None,
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
