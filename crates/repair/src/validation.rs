//! Checks patches: the patched source is compiled, tried out, and model checked as a whole, within the same bound.
//!
//! Patch → [`Conduct`], which is cheap, and [`Outcome`]. The run that failed is repeated with the patch: it must come to
//! an end. If its inputs were given from outside and not searched for, nothing is known about others, and that is all.
//! The user's files are not touched: patched copies are compiled from a temporary folder, with the original's folder for
//! its includes. A patch of a file that is not compiled by itself, such as a header, is not checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use program::Program;
use program::exec::{self, Checks, Discard, Limits, ViolationKind};
use source::{FileId, Patch, Sources};
use verify::bmc::{self, Verdict};
use verify::{indeterminate, pruning};

use crate::conduct::{Conduct, Line, Original};

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

    /// The inputs, for a run that ends where it would need more of them.
    fn stopping(&self) -> exec::Inputs {
        exec::Inputs { exhausted: exec::Exhausted::Stop, ..self.inputs.clone() }
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
    /// How often loops go back before a patch counts as checked; less if the failing run needed less to fail.
    pub bound: u32,
    /// For one patch.
    pub time: Duration,
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Setting {
    /// For a run with a patch.
    fn limits(&self) -> Limits {
        Limits {
            steps: self.failing.steps.saturating_mul(STEPS_FACTOR).saturating_add(MORE_STEPS),
            time: Some(self.time),
            interrupt: self.interrupt.clone(),
            ..Limits::default()
        }
    }
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

/// Tries and checks patches of one program; what was compiled is kept.
pub struct Trials<'p> {
    program: &'p Program,
    pub setting: Setting,
    original: Original,
    compiled: BTreeMap<Patch, Program>,
}

impl<'p> Trials<'p> {
    pub fn new(program: &'p Program, setting: Setting) -> Trials<'p> {
        let limits = Limits { time: None, ..setting.limits() };
        let original = Original::of(program, setting.checks, &setting.failing.inputs, &limits);
        Trials { program, setting, original, compiled: BTreeMap::new() }
    }

    /// Whether the failing run does not fail any more, and how much of what the program does is left. Of a patch that is
    /// none, the outcome.
    pub fn try_out(&mut self, patch: &Patch) -> Result<Conduct, Outcome> {
        let (program, copies) = compile(&self.program.sources, patch, &self.setting)?;
        let known: BTreeMap<&Path, FileId> = (self.program.sources.files())
            .filter_map(|file| Some((self.program.sources.absolute_path(file)?, file)))
            .collect();
        let line_of = |file: FileId, line: u32| -> Option<Line> {
            let path = program.sources.absolute_path(file)?;
            match copies.iter().find(|(copy, _)| copy == path) {
                Some((_, original)) => Some((*original, original_line(&self.program.sources, patch, *original, line))),
                None => Some((*known.get(path)?, line)),
            }
        };
        let conduct = self.conduct(&program, &line_of)?;
        self.compiled.insert(patch.clone(), program);
        Ok(conduct)
    }

    /// The same for a program that was changed without its text: its lines are the original's.
    pub fn try_changed(&self, program: &Program) -> Result<Conduct, Outcome> {
        self.conduct(program, &|file, line| Some((file, line)))
    }

    fn conduct(&self, program: &Program, line_of: &dyn Fn(FileId, u32) -> Option<Line>) -> Result<Conduct, Outcome> {
        if let Some(outcome) = repeat(program, &self.setting) {
            return Err(outcome);
        }
        let (inputs, limits) = (self.setting.failing.stopping(), Limits { time: None, ..self.setting.limits() });
        let conduct = self.original.compare(program, self.setting.checks, &inputs, &limits, line_of);
        conduct.ok_or_else(|| Outcome::Fails("on other inputs".to_owned()))
    }

    /// Model checks a patch.
    pub fn verify(&mut self, patch: &Patch) -> Outcome {
        if !self.compiled.contains_key(patch) {
            if let Err(outcome) = self.try_out(patch) {
                return outcome;
            }
        }
        let Some(program) = self.compiled.get(patch) else { return Outcome::Unknown("it is gone".to_owned()) };
        if !self.setting.failing.is_among_all {
            return Outcome::Passes;
        }
        let far = u64::from(self.setting.bound).min(self.original.rounds()) as u32;
        verified(program, &self.setting, far)
    }
}

/// The line of the original from which a line of the patched file comes.
fn original_line(sources: &Sources, patch: &Patch, file: FileId, line: u32) -> u32 {
    let lines = |text: &str| text.matches('\n').count() as u32;
    let mut added = 0;
    for edit in patch.edits().iter().filter(|edit| edit.span.file == file) {
        let (old, new) = (lines(sources.text_of(edit.span).unwrap_or_default()), lines(&edit.replacement));
        let first = edit.span.start.line + added;
        if line <= first {
            break;
        }
        if line <= first + new {
            return edit.span.start.line;
        }
        added = (added + new).saturating_sub(old);
    }
    line.saturating_sub(added)
}

/// A compiled patch, and the copies that it was compiled from.
type Compiled = (Program, Vec<(PathBuf, FileId)>);

fn compile(sources: &Sources, patch: &Patch, setting: &Setting) -> Result<Compiled, Outcome> {
    let folder = tempfile::tempdir().map_err(|error| Outcome::Unknown(error.to_string()))?;
    let placed = place(sources, patch, &setting.reading, folder.path());
    let (reading, copies) = placed.map_err(|error| Outcome::Unknown(error.to_string()))?;
    let program = frontend::read(&reading).map_err(|error| Outcome::DoesNotCompile(error.to_string()))?;
    let is_open = !setting.checks.has(ViolationKind::Uninitialized);
    Ok((if is_open { indeterminate::open(&program) } else { program }, copies))
}

/// Model checks up to the bound; it counts if that came as `far` as the failing run went.
fn verified(program: &Program, setting: &Setting, far: u32) -> Outcome {
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
        Verdict::Bounded(bound) if bound >= far => Outcome::Bounded(bound),
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
    let (inputs, limits) = (setting.failing.stopping(), setting.limits());
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

/// Writes patched copies; how to read the program with them, and which file each is a copy of.
fn place(
    sources: &Sources,
    patch: &Patch,
    reading: &frontend::Options,
    folder: &Path,
) -> Result<(frontend::Options, Vec<(PathBuf, FileId)>), PlacingError> {
    let mut copies = Vec::new();
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
        copies.push((copy.clone(), file));
        patched.files[position] = copy;
        let near = original.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let near = std::path::absolute(near)?;
        patched.flags.extend(["-iquote".to_owned(), near.to_string_lossy().into_owned()]);
    }
    Ok((patched, copies))
}
