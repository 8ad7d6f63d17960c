//! `faultline explain`: finds the failure, asks every engine that applies, and gives one answer.
//!
//! The failure is told as soon as it is known. The engines that need nothing but the run come first; patches, which are
//! checked on the whole program, last, with the time that is left. What an engine cannot do is a note, not an end.

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use diagnosis::{Checked, Diagnosis, ErrorTrace};
use localize::ped;
use program::Program;
use program::exec::{Outcome, ViolationKind};
use report::document::build::Surroundings;
use report::{Severity, formats, suspects, terminal};
use source::{Patch, Sources};
use verify::encode::recording::Entry;
use verify::indeterminate;

use crate::arguments::{self, Explain, Format, Localize, Repair, Traces};
use crate::asking::{Asking, Heard, OBSERVED_SHARE, QUESTION_SHARE};
use crate::localizing::Failing;
use crate::repairing::{self, Setting};
use crate::run::{has_main, limits, need_main};
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::until::{self, Until};
use crate::{
    Ending, explaining_observed, explaining_otherwise, interrupt, localizing, localizing_boogie, output, reading,
    witness,
};

/// Without `--timeout`, for all of it.
const TIME: Duration = Duration::from_secs(20);
/// The share of the time in which a failure must be found, and the share in which what is late may still stop.
const SEARCH_SHARE: f64 = 0.5;
const GRACE_SHARE: f64 = 0.03;
/// Suspects that are shown without `--verbose`.
const SHOWN: usize = 3;

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
    let time = arguments.limits.timeout.unwrap_or(TIME);
    let deadline = Instant::now() + time;
    let _temporary = until::keep_temporary_files_together()?;
    let interrupted = interrupt::catch();
    let until = Until { deadline, grace: time.mul_f64(GRACE_SHARE), stop: &interrupted };
    if let Some(program) = explaining_otherwise::build(&arguments) {
        return match arguments.limits.timeout {
            Some(_) => observe_build(program, &arguments, until, screen),
            None => explaining_otherwise::explain_build(program, &arguments, None, screen),
        };
    }
    if arguments.tests.is_some() || arguments.function.is_some() {
        let names = explaining_otherwise::functions(&arguments)?;
        let ending = explaining_otherwise::explain_functions(&names, &arguments, &flags, until, screen)?;
        return Ok(ending.unwrap_or(Ending::NothingWrong));
    }
    let asked = asked(&arguments, time);
    if asked.reading.files.iter().any(|file| frontend::boogie::is_boogie(file)) {
        let found = until.done(move || localizing_boogie::run(&asked, screen))?;
        return found.unwrap_or_else(|| Ok(tell_late(screen)));
    }
    localizing::sensible(&asked)?;
    explain(&arguments, &asked, flags, time, until, &interrupted, screen)
}

/// Reads the sources, finds a failing run of theirs, and asks all engines about it.
fn explain(
    arguments: &Explain,
    asked: &Localize,
    flags: Vec<String>,
    time: Duration,
    until: Until<'_>,
    interrupted: &Arc<AtomicBool>,
    screen: Screen,
) -> Result<Ending> {
    let witness = witness::read(&asked.following, &asked.reading.files)?;
    let checks = localizing::checks(asked, witness.as_ref())?;
    let (reading, given, stop) = (asked.reading.clone(), flags.clone(), interrupted.clone());
    let Some(program) = until.done(move || reading::read(&reading, given, screen, &stop))? else {
        bail!("the program was not read in time: allow more with --timeout");
    };
    let mut program = program?;
    let names = explaining_otherwise::functions(arguments)?;
    let mut silent = asked.clone();
    silent.writing.format = Format::Text;
    let searching = if names.is_empty() { asked } else { &silent };
    let contracts = Contracts { names, arguments, asked, flags: flags.clone(), until, screen };
    if !has_main(&program) && !contracts.names.is_empty() {
        return contracts.instead_of(Ending::NothingWrong, &program.sources);
    }
    need_main(&program)?;
    if !checks.has(ViolationKind::Uninitialized) {
        program = indeterminate::open(&program);
    }
    let program = Arc::new(program);
    let (searched, wanted, stop) = (program.clone(), searching.clone(), interrupted.clone());
    let find = move || localizing::find(&searched, &wanted, witness.as_ref(), checks, screen, &stop);
    let Some(found) = until.done(find)? else {
        let words = "no failure was found in time: allow more with --timeout";
        localizing::tell_nothing(&program.sources, words, Ending::Inconclusive, asked, screen)?;
        return Ok(Ending::Inconclusive);
    };
    let failing = match found? {
        Ok(failing) => failing,
        Err(ending) => return contracts.instead_of(ending, &program.sources),
    };
    let report = report::report(&program, &failing.run, &limits(&asked.limits, interrupted.clone()));
    if failing.run.outcome == Outcome::Aborted && arguments.inputs.stdin.is_some() && contracts.names.is_empty() {
        return observe(arguments, asked, flags, until, screen);
    }
    if failing.run.violation().is_none() {
        let ending = localizing::tell_no_failure(&program, &report, searching, screen)?;
        return contracts.instead_of(ending, &program.sources);
    }
    let is_told = arguments.writing.format == Format::Text && arguments.writing.output.is_none();
    if is_told {
        screen.write(&terminal::report(&program.sources, &report, screen.look, arguments.showing.quiet));
    }
    let reading = reading::options(&asked.reading, flags.clone())?;
    let asking = Asking {
        contracts: contracts.of_the_run(&program, &failing),
        program: program.clone(),
        failing,
        asked: asked.clone(),
        setting: Setting { reading, checks, interrupted: interrupted.clone() },
        flags,
        time,
        deadline: until.deadline,
        screen: Screen { is_terminal: false, ..screen },
    };
    let (diagnosis, trace, patch) = ask(asking, until, screen)?;
    let explanation = Explanation { report, trace, diagnosis, patch };
    write(&program, &explanation, arguments, is_told, screen)?;
    mend(&program, &explanation, arguments, screen)?;
    Ok(if explanation.diagnosis.suspects.is_empty() { Ending::Inconclusive } else { Ending::Fault })
}

/// What was answered until the time was over.
fn ask(asking: Asking, until: Until<'_>, screen: Screen) -> Result<(Diagnosis, Option<ErrorTrace>, Option<Patch>)> {
    let known = asking.known();
    let (mut heard, status) = (Heard::default(), StatusLine::show(screen, "localizing".to_owned()));
    let hear = |word| {
        heard.hear(word);
        status.set(heard.so_far(&known));
    };
    let is_done = until.take(move |sender| asking.all(sender), hear)?;
    if !is_done {
        heard.notes.push("the time was over before all engines had answered: allow more with --timeout".to_owned());
    }
    Ok(heard.answer(&known))
}

/// Functions with a contract, which say what is wrong where no run does.
struct Contracts<'a> {
    names: Vec<String>,
    arguments: &'a Explain,
    asked: &'a Localize,
    flags: Vec<String>,
    until: Until<'a>,
    screen: Screen,
}

impl Contracts<'_> {
    /// The questions about those functions in which the run failed, and which it had called.
    fn of_the_run(&self, program: &Program, failing: &Failing) -> Vec<Repair> {
        let steps = failing.recording.entries.iter().filter_map(|entry| match entry {
            Entry::Step(step) => Some(step.at.function),
            Entry::Changed(_) => None,
        });
        let called: BTreeSet<&str> = steps.map(|function| program.function(function).name.as_str()).collect();
        let names = self.names.iter().filter(|name| called.contains(name.as_str()));
        names.map(|name| explaining_otherwise::repair(name, self.arguments, TIME)).collect()
    }

    /// Explains the first that is broken; without one, it stays at the ending, which has been told unless for machines.
    fn instead_of(&self, ending: Ending, sources: &Sources) -> Result<Ending> {
        let Contracts { names, arguments, asked, flags, until, screen } = self;
        if names.is_empty() {
            return Ok(ending);
        }
        if let Some(found) = explaining_otherwise::explain_functions(names, arguments, flags, *until, *screen)? {
            return Ok(found);
        }
        if arguments.writing.format.machine().is_some() {
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
    until: Until<'_>,
    screen: Screen,
) -> Result<Ending> {
    if !explaining_observed::is_source(&asked.reading) {
        bail!("the program aborted; without its C files it cannot be built and compared with other inputs");
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let flags = reading::options(&asked.reading, flags)?.flags;
    let built = explaining_observed::build(&asked.reading, &flags, folder.path(), until.deadline, until.stop)?;
    observe_build(&built, arguments, until, screen)
}

/// Observes a build as long as there is time.
fn observe_build(program: &Path, arguments: &Explain, until: Until<'_>, screen: Screen) -> Result<Ending> {
    let left = until.deadline.saturating_duration_since(Instant::now()).mul_f64(OBSERVED_SHARE);
    let (program, arguments) = (program.to_owned(), arguments.clone());
    let found = until.done(move || explaining_otherwise::explain_build(&program, &arguments, Some(left), screen))?;
    found.unwrap_or_else(|| Ok(tell_late(screen)))
}

fn tell_late(screen: Screen) -> Ending {
    let words = "the time was over before there was an answer: allow more with --timeout";
    screen.message(Severity::Inconclusive, words);
    Ending::Inconclusive
}

/// The same as a question to `localize`.
fn asked(arguments: &Explain, time: Duration) -> Localize {
    let Explain { reading, inputs, following, limits, checks, annotations, writing, jobs, showing, .. } =
        arguments.clone();
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
        checks,
        writing,
        showing,
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
    let text = match arguments.writing.format.machine() {
        None => {
            let most = if arguments.showing.verbose { usize::MAX } else { SHOWN };
            let look = match arguments.writing.output {
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
    output::deliver(&text, arguments.writing.output.as_deref(), arguments.writing.format, screen)
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
    if !arguments.interactive && arguments.writing.format == Format::Text && !arguments.showing.quiet {
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
