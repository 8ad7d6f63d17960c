//! `faultline localize --engine ped`: fixes for a failing run, their check on the whole program, and `--apply`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use diagnosis::ErrorTrace;
use localize::ped::fixes::WHOLE;
use localize::ped::{self, Judgement, Options, Proposal, Repairs, Run, Specification, Validator, proofs, traces};
use program::Program;
use program::exec::{Checks, CommandRef, Violation};
use repair::validation::{self, FailingRun, Outcome, Trials};
use report::Severity;
use source::{Patch, Sources};
use verify::bmc;
use verify::encode::recording::{Entry, Recording};

use crate::arguments::{Format, Localize};
use crate::localizing::{self, Failing};
use crate::screen::Screen;
use crate::{Ending, output};

/// Patches that are checked.
const TRIES: usize = 12;
/// Without `--timeout`, for everything after the failure was found.
const TIME: Duration = Duration::from_secs(7);
/// The parts of that time in which other failing runs and repairs are looked for, and for the check of one patch; the
/// rest is for the other patches.
const OTHERS_SHARE: u32 = 6;
const REPAIRS_SHARE: u32 = 2;
const PATCH_SHARE: u32 = 3;
/// A patch is checked for so many rounds of loops.
const LEAST_BOUND: u32 = 8;
/// Other failing runs that are looked for, and branches that are closed for it.
const OTHERS: (usize, usize) = (2, 6);
/// A project's own alternatives, beside its sources.
const PROJECT_FILE: &str = "faultline.toml";

/// How the program was read and checked.
#[derive(Clone)]
pub struct Setting {
    pub reading: frontend::Options,
    pub checks: Checks,
    pub interrupted: Arc<AtomicBool>,
}

/// Checks patches until the time is up.
struct Recheck<'p> {
    program: &'p Program,
    trials: Trials<'p>,
    time_each: Duration,
    deadline: Instant,
}

impl Recheck<'_> {
    fn restrict(&mut self) {
        self.trials.setting.time = self.time_each.min(self.deadline.saturating_duration_since(Instant::now()));
    }
}

impl Validator for Recheck<'_> {
    fn try_out(&mut self, proposal: &Proposal) -> Result<u64, Judgement> {
        self.restrict();
        let conduct = match proposal.applied(self.program) {
            Some(changed) => self.trials.try_changed(&changed),
            None => self.trials.try_out(&proposal.patch),
        };
        Ok((conduct.map_err(judgement)?.value() * WHOLE as f64).round() as u64)
    }

    fn judge(&mut self, patch: &Patch) -> Judgement {
        self.restrict();
        judgement(self.trials.verify(patch))
    }

    fn is_exhausted(&self) -> bool {
        let stopped = self.trials.setting.interrupt.as_ref().is_some_and(|it| it.load(Ordering::Relaxed));
        stopped || Instant::now() >= self.deadline
    }
}

fn judgement(outcome: Outcome) -> Judgement {
    match outcome {
        Outcome::Proved => Judgement::Proved,
        Outcome::Bounded(bound) => Judgement::Bounded(bound),
        Outcome::Passes => Judgement::Passes,
        Outcome::Fails(why) | Outcome::DoesNotCompile(why) => Judgement::Broken(why),
        Outcome::Unknown(why) => Judgement::Unknown(why),
    }
}

/// Looks for fixes and checks them.
pub fn repairs(
    program: &Program,
    failing: &Failing,
    violation: &Violation,
    arguments: &Localize,
    setting: Setting,
) -> Result<Repairs> {
    let started = Instant::now();
    let budget = arguments.limits.timeout.unwrap_or(TIME);
    let mut options = Options { time: budget / REPAIRS_SHARE, ..arguments.ped.clone() };
    annotate(&mut options, arguments)?;
    let search = bmc::Options {
        checks: setting.checks,
        time: Some(budget / OTHERS_SHARE),
        interrupt: Some(setting.interrupted.clone()),
        ..bmc::Options::default()
    };
    let others = match options.intersection && failing.is_searched {
        true => traces::others(program, setting.checks, &failing.recording, violation, &search, OTHERS.0, OTHERS.1),
        false => Vec::new(),
    };
    let first = Run { recording: &failing.recording, violation, arguments: failing.arguments };
    let others = others.iter().map(|it| Run { recording: &it.recording, violation: &it.violation, arguments: 1 });
    let runs: Vec<Run<'_>> = std::iter::once(first).chain(others).collect();
    let (specification, note) = match options.invariants {
        true => proofs::specification(program, setting.checks, &commands(&failing.recording)),
        false => (Specification::default(), None),
    };
    let mut found = ped::repairs(program, setting.checks, &runs, &specification, &options)?;
    found.notes.extend(note);
    let validated = validation::Setting {
        reading: setting.reading,
        checks: setting.checks,
        failing: FailingRun::new(failing.inputs.clone(), failing.run.steps),
        bound: LEAST_BOUND,
        time: budget / PATCH_SHARE,
        interrupt: Some(setting.interrupted),
    };
    let deadline = started + budget;
    ped::validate(
        &mut found.fixes,
        &mut Recheck { program, trials: Trials::new(program, validated), time_each: budget / PATCH_SHARE, deadline },
        TRIES,
        options.ranking,
    );
    Ok(found)
}

/// Lays the project's alternatives over the built-in ones, and the named file over those.
fn annotate(options: &mut Options, arguments: &Localize) -> Result<()> {
    let beside = arguments.reading.files.first().and_then(|file| file.parent());
    let project = beside.map(|folder| folder.join(PROJECT_FILE)).filter(|file| file.is_file());
    for file in project.iter().chain(&arguments.annotations) {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        options.annotations.add(&file.display().to_string(), &text)?;
    }
    Ok(())
}

/// The commands that a run executes.
fn commands(recording: &Recording) -> BTreeSet<CommandRef> {
    let steps = recording.entries.iter().filter_map(|entry| match entry {
        Entry::Step(step) => Some(step.at),
        Entry::Changed(_) => None,
    });
    steps.collect()
}

/// Reports the fixes, and writes the best one if that is asked for.
pub fn tell(
    program: &Program,
    report: &report::Report,
    trace: Option<&ErrorTrace>,
    found: &Repairs,
    arguments: &Localize,
    screen: Screen,
) -> Result<Ending> {
    let diagnosis = ped::diagnosis(program, found, &arguments.why_not);
    localizing::write(&program.sources, report, trace, &diagnosis, arguments, screen)?;
    let best = found.fixes.iter().find_map(|fix| fix.checked());
    match (best, arguments.apply) {
        (Some(best), true) => apply(&program.sources, &best.patch, screen)?,
        (None, true) => bail!("no patch passed its check: nothing was written"),
        (Some(_), false) if arguments.writing.format == Format::Text => {
            screen.message(Severity::Note, "to write the first patch into the source, add --apply");
        }
        _ => {}
    }
    Ok(Ending::Fault)
}

/// Writes a patch into the files, unless they have changed since they were read.
pub fn apply(sources: &Sources, patch: &Patch, screen: Screen) -> Result<()> {
    let path_of = |file| sources.absolute_path(file).unwrap_or(Path::new(sources.path(file)));
    for file in patch.files() {
        let path = path_of(file);
        let on_disk = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        if Some(on_disk.as_slice()) != sources.bytes(file) {
            bail!("{} has changed since it was read: nothing was written", path.display());
        }
    }
    for file in patch.files() {
        output::write_file(path_of(file), &patch.apply_to_bytes(sources, file)?)?;
        screen.message(Severity::Note, &format!("wrote the patch into {}", sources.path(file)));
    }
    Ok(())
}
