//! `faultline explain`: finds the failure, asks every engine that applies, and gives one answer.
//!
//! The failure is told as soon as it is known. The engines that need nothing but the run come first; patches, which are
//! checked on the whole program, last, with the time that is left. What an engine cannot do is a note, not an end.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use diagnosis::{Checked, Diagnosis, ErrorTrace};
use localize::engines::{self, Engine};
use localize::ped;
use localize::triangulate::{self, Known};
use logic::solver::Interrupter;
use program::Program;
use program::exec::{Checks, Outcome, Violation, ViolationKind};
use report::document::build::Surroundings;
use report::{Severity, formats, suspects, terminal};
use source::{Patch, Sources};
use verify::encode::encode;
use verify::indeterminate;

use crate::arguments::{self, Explain, Format, Localize, Traces};
use crate::localizing::{self, Failing};
use crate::repairing::{self, Setting};
use crate::run::{has_main, limits, need_main};
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{
    Ending, explaining_observed, explaining_otherwise, interrupt, localizing_boogie, output, reading, witness,
};

/// Without `--timeout`, for all of it.
const TIME: Duration = Duration::from_secs(20);
/// The share of the time in which a failure must be found, for patches, for native runs, for one engine, and for one of
/// its questions.
const SEARCH_SHARE: f64 = 0.5;
const PATCHES_SHARE: f64 = 0.25;
const OBSERVED_SHARE: f64 = 0.4;
const ENGINE_SHARE: f64 = 1.0 / 20.0;
const QUESTION_SHARE: f64 = 1.0 / 40.0;
/// Suspects that are shown without `--verbose`.
const SHOWN: usize = 3;
/// In the order of what they cost.
const ENGINES: [Engine; 4] = [Engine::Relevance, Engine::MaxSat, Engine::ErrorInvariants, Engine::FlowSensitive];

/// What is known at the end.
struct Explanation {
    report: report::Report,
    trace: Option<ErrorTrace>,
    diagnosis: Diagnosis,
    patch: Option<Patch>,
}

pub fn run(arguments: Explain, flags: Vec<String>, screen: Screen) -> Result<Ending> {
    if arguments.limits.timeout.is_some_and(|time| time.is_zero()) {
        bail!("a timeout of 0 leaves no time to explain anything");
    }
    let started = Instant::now();
    if let Some(program) = explaining_otherwise::build(&arguments) {
        return explaining_otherwise::explain_build(program, &arguments, arguments.limits.timeout, screen);
    }
    let time = arguments.limits.timeout.unwrap_or(TIME);
    let deadline = started + time;
    if arguments.tests.is_some() || arguments.function.is_some() {
        let names = explaining_otherwise::functions(&arguments)?;
        let ending = explaining_otherwise::explain_functions(&names, &arguments, &flags, time, screen)?;
        return Ok(ending.unwrap_or(Ending::NothingWrong));
    }
    let asked = asked(&arguments, time);
    if asked.reading.files.iter().any(|file| frontend::boogie::is_boogie(file)) {
        return localizing_boogie::run(&asked, screen);
    }
    localizing::sensible(&asked)?;
    let witness = witness::read(&asked.following, &asked.reading.files)?;
    let checks = localizing::checks(&asked, witness.as_ref())?;
    let interrupted = interrupt::catch();
    let mut program = reading::read(&asked.reading, flags.clone(), screen, &interrupted)?;
    let names = explaining_otherwise::functions(&arguments)?;
    let silent = Localize { format: Format::Text, ..asked.clone() };
    let searching = if names.is_empty() { &asked } else { &silent };
    let contracts = Contracts { names, arguments: &arguments, asked: &asked, flags: flags.clone(), deadline, screen };
    if !has_main(&program) && !contracts.names.is_empty() {
        return contracts.instead_of(Ending::NothingWrong, &program.sources);
    }
    need_main(&program)?;
    if !checks.has(ViolationKind::Uninitialized) {
        program = indeterminate::open(&program);
    }
    let failing = match localizing::find(&program, searching, witness.as_ref(), checks, screen, &interrupted)? {
        Ok(failing) => failing,
        Err(ending) => return contracts.instead_of(ending, &program.sources),
    };
    let report = report::report(&program, &failing.run, &limits(&asked.limits, interrupted.clone()));
    if failing.run.outcome == Outcome::Aborted && arguments.inputs.stdin.is_some() && contracts.names.is_empty() {
        return observe(&arguments, &asked, flags, deadline, &interrupted, screen);
    }
    let Some(violation) = failing.run.violation() else {
        let ending = localizing::tell_no_failure(&program, &report, searching, screen)?;
        return contracts.instead_of(ending, &program.sources);
    };
    let is_told = arguments.format == Format::Text && arguments.output.is_none();
    if is_told {
        screen.write(&terminal::report(&program.sources, &report, screen.look, arguments.showing.quiet));
    }
    let setting = Setting { reading: reading::options(&asked.reading, flags)?, checks, interrupted };
    let asking = Asking { program: &program, failing: &failing, violation, time, deadline, screen };
    let (diagnosis, patch) = asking.all(&asked, setting);
    let trace = localizing::told(&program, &failing, checks, &asked);
    let explanation = Explanation { report, trace, diagnosis, patch };
    write(&program, &explanation, &arguments, is_told, screen)?;
    mend(&program, &explanation, &arguments, screen)?;
    Ok(if explanation.diagnosis.suspects.is_empty() { Ending::Inconclusive } else { Ending::Fault })
}

/// Functions with a contract, which say what is wrong where no run does.
struct Contracts<'a> {
    names: Vec<String>,
    arguments: &'a Explain,
    asked: &'a Localize,
    flags: Vec<String>,
    deadline: Instant,
    screen: Screen,
}

impl Contracts<'_> {
    /// Explains the first that is broken; without one, it stays at the ending, which has been told unless for machines.
    fn instead_of(&self, ending: Ending, sources: &Sources) -> Result<Ending> {
        let Contracts { names, arguments, asked, flags, deadline, screen } = self;
        if names.is_empty() {
            return Ok(ending);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if let Some(found) = explaining_otherwise::explain_functions(names, arguments, flags, left, *screen)? {
            return Ok(found);
        }
        if arguments.format.machine().is_some() {
            let words = "no run fails, and all contracts hold as far as they were checked";
            localizing::tell_nothing(sources, words, ending, asked, *screen)?;
        }
        Ok(ending)
    }
}

/// A program that gives up on its input breaks no rule of C: only inputs on which it does not say what is different.
fn observe(
    arguments: &Explain,
    asked: &Localize,
    flags: Vec<String>,
    deadline: Instant,
    interrupted: &AtomicBool,
    screen: Screen,
) -> Result<Ending> {
    if !explaining_observed::is_source(&asked.reading) {
        bail!("the program aborted; without its C files it cannot be built and compared with other inputs");
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let flags = reading::options(&asked.reading, flags)?.flags;
    let built = explaining_observed::build(&asked.reading, &flags, folder.path(), deadline, interrupted)?;
    let left = deadline.saturating_duration_since(Instant::now());
    explaining_otherwise::explain_build(&built, arguments, Some(left.mul_f64(OBSERVED_SHARE)), screen)
}

/// The same as a question to `localize`.
fn asked(arguments: &Explain, time: Duration) -> Localize {
    let Explain { reading, inputs, following, limits, property, no_property, .. } = arguments.clone();
    let Explain { annotations, format, output, jobs, showing, .. } = arguments.clone();
    Localize {
        reading,
        inputs,
        following,
        limits: arguments::Limits { timeout: Some(time.mul_f64(SEARCH_SHARE)), ..limits },
        engine: arguments::Engine::Ped,
        traces: Traces::Single,
        ped: ped::Options::new(ped::Configuration::Correlated),
        annotations,
        apply: false,
        // Who is cleared counts as well.
        why_not: vec![0],
        question_timeout: Some(time.mul_f64(QUESTION_SHARE)),
        jobs,
        property,
        no_property,
        format,
        output,
        showing,
    }
}

/// A failing run, and the time to ask about it.
struct Asking<'a> {
    program: &'a Program,
    failing: &'a Failing,
    violation: &'a Violation,
    /// For all of it, and its end.
    time: Duration,
    deadline: Instant,
    screen: Screen,
}

impl Asking<'_> {
    /// What all engines say together, and the best patch that passed its check.
    fn all(&self, asked: &Localize, setting: Setting) -> (Diagnosis, Option<Patch>) {
        let mut notes = Vec::new();
        let mut answers = self.engines(asked, setting.checks, &setting.interrupted, &mut notes);
        let (flags, interrupted) = (setting.reading.flags.clone(), setting.interrupted.clone());
        let mut patch = None;
        let left = self.deadline.saturating_duration_since(Instant::now());
        if !left.is_zero() && !setting.interrupted.load(Ordering::Relaxed) {
            let status = StatusLine::show(self.screen, self.so_far(&answers));
            let most = left.min(self.time.mul_f64(PATCHES_SHARE));
            let limits = arguments::Limits { timeout: Some(most), ..asked.limits.clone() };
            let asked = Localize { limits, ..asked.clone() };
            match repairing::repairs(self.program, self.failing, self.violation, &asked, setting) {
                Ok(found) => {
                    answers.push(ped::diagnosis(self.program, &found, &asked.why_not));
                    patch = found.fixes.iter().find_map(|fix| fix.checked()).map(|best| best.patch.clone());
                }
                Err(error) => notes.push(format!("no patch was looked for: {error:#}")),
            }
            drop(status);
        } else {
            notes.push("no time was left to look for a patch: allow more with --timeout".to_owned());
        }
        answers.extend(self.observed(asked, &flags, &interrupted, &mut notes));
        let mut merged = triangulate::merge(&answers, &self.known());
        merged.notes.extend(notes);
        (merged, patch)
    }

    /// What native runs on the given input and on others near it tell.
    fn observed(
        &self,
        asked: &Localize,
        flags: &[String],
        interrupted: &AtomicBool,
        notes: &mut Vec<String>,
    ) -> Option<Diagnosis> {
        let left = self.deadline.saturating_duration_since(Instant::now()).min(self.time.mul_f64(OBSERVED_SHARE));
        if asked.inputs.stdin.is_none() || left.is_zero() || interrupted.load(Ordering::Relaxed) {
            return None;
        }
        let _status = StatusLine::show(self.screen, "comparing with inputs near the failing one".to_owned());
        let answer = explaining_observed::ask(self.program, asked, flags, left, interrupted);
        answer.unwrap_or_else(|error| {
            notes.push(format!("likely invariants were not asked: {error:#}"));
            None
        })
    }

    fn engines(
        &self,
        asked: &Localize,
        checks: Checks,
        interrupted: &Arc<AtomicBool>,
        notes: &mut Vec<String>,
    ) -> Vec<Diagnosis> {
        let _status = StatusLine::show(self.screen, "localizing".to_owned());
        let (recording, arguments) = (&self.failing.recording, self.failing.arguments);
        let mut encoded = match encode(self.program, checks, recording, arguments, self.violation) {
            Ok(encoded) => encoded,
            Err(error) => {
                notes.push(localizing::words(self.program, &error));
                return Vec::new();
            }
        };
        let mut answers = Vec::new();
        for engine in ENGINES {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || interrupted.load(Ordering::Relaxed) {
                notes.push(format!("the engine {} was not asked: no time was left", engine.name()));
                continue;
            }
            let mut options = localizing::options(asked, interrupted, Instant::now());
            options.time = options.time.min(left);
            // Engines ask many questions; no one may take the time of all others.
            let until = self.deadline.min(Instant::now() + self.time.mul_f64(ENGINE_SHARE));
            options.interrupter = Interrupter::from(interrupted.clone()).until(Some(until));
            match engines::diagnose(self.program, &mut encoded, engine, &options) {
                Ok(answer) => answers.push(answer),
                Err(error) => notes.push(format!("{}: {error}", engine.name())),
            }
        }
        answers
    }

    /// What can be said while patches are looked for.
    fn so_far(&self, answers: &[Diagnosis]) -> String {
        let best = triangulate::merge(answers, &self.known()).suspects.into_iter().find_map(|it| it.place);
        let best = best.map(|span| format!("line {} is suspected; ", span.start.line));
        format!("{}looking for a patch", best.unwrap_or_default())
    }

    /// The assertion that failed, if it is one, and the lines that take inputs.
    fn known(&self) -> Known {
        let is_assertion = matches!(self.violation.kind, ViolationKind::Assert | ViolationKind::ErrorCall);
        let place = report::place(self.program, self.violation.site).filter(|_| is_assertion);
        Known::of(self.program, place.map(|place| place.span))
    }
}

fn write(
    program: &Program,
    explanation: &Explanation,
    arguments: &Explain,
    is_told: bool,
    screen: Screen,
) -> Result<()> {
    let sources = &program.sources;
    let Explanation { report, trace, diagnosis, .. } = explanation;
    let text = match arguments.format.machine() {
        None => {
            let most = if arguments.showing.verbose { usize::MAX } else { SHOWN };
            let look = match arguments.output {
                Some(_) => screen.look_in_file(arguments.showing.color),
                None => screen.look,
            };
            let failure = match is_told {
                true => String::new(),
                false => terminal::report(sources, report, look, arguments.showing.quiet),
            };
            // What engines left open matters to whoever asks for more, or has nothing else.
            let is_short = !arguments.showing.verbose && !diagnosis.suspects.is_empty();
            let shown = match is_short {
                true => &Diagnosis { notes: Vec::new(), ..diagnosis.clone() },
                false => diagnosis,
            };
            format!("{failure}{}", suspects::text(sources, shown, most, look))
        }
        Some(format) => {
            let files = arguments.reading.files.iter().map(|it| it.display().to_string()).collect();
            let surroundings = Surroundings { version: env!("CARGO_PKG_VERSION"), files, stdout: b"", stderr: b"" };
            formats::diagnosed(format, sources, report, trace.as_ref(), Some(diagnosis), &surroundings)
        }
    };
    output::deliver(&text, arguments.output.as_deref(), arguments.format, screen)
}

/// Writes the patch, asks whether to, or says how.
fn mend(program: &Program, explanation: &Explanation, arguments: &Explain, screen: Screen) -> Result<()> {
    let Some(patch) = &explanation.patch else {
        if arguments.apply || arguments.interactive {
            screen.message(Severity::Note, "no patch passed its check: nothing was written");
        }
        return Ok(());
    };
    if arguments.apply || (arguments.interactive && is_wanted(explanation)?) {
        return repairing::apply(&program.sources, patch, screen);
    }
    if !arguments.interactive && arguments.format == Format::Text && !arguments.showing.quiet {
        screen.message(Severity::Note, "to write the patch into the source, add --apply");
    }
    Ok(())
}

fn is_wanted(explanation: &Explanation) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    let fixes = explanation.diagnosis.suspects.iter().filter_map(|it| it.fix.as_ref());
    let is_proved = fixes.map(|fix| fix.checked).max() == Some(Checked::Proved);
    let checked = if is_proved { "proved" } else { "checked within a bound" };
    let mut stderr = std::io::stderr().lock();
    write!(stderr, "write the patch ({checked}) into the source? [y/N] ")?;
    stderr.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("cannot read the answer")?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
