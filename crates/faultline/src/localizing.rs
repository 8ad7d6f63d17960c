//! `faultline localize`: takes or finds a failing run, asks an engine who is to blame, and reports.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use diagnosis::{Diagnosis, ErrorTrace};
use localize::engines::{self, Engine};
use logic::solver::Interrupter;
use program::exec::{Checks, Discard, Inputs, Run, ViolationKind};
use program::{CommandKind, Program};
use report::json::Surroundings;
use report::{Finding, Severity, formats, suspects, terminal};
use source::Sources;
use verify::bmc::{self, Verdict};
use verify::encode::recording::{Recording, record};
use verify::encode::{EncodeError, encode};
use verify::indeterminate;

use crate::arguments::{self, Localize, Traces};
use crate::run::{limits, need_main};
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::witness::{self, Given};
use crate::{
    Ending, check, inputs, interrupt, localizing_boogie, localizing_many, output, properties, reading, repairing,
};

/// Suspects that are shown without `--verbose`.
const SHOWN: usize = 5;

/// A run that may have failed, and how long it took to find.
pub struct Failing {
    pub run: Run,
    pub recording: Recording,
    /// With what it was run.
    pub inputs: Inputs,
    /// How many arguments `main` got.
    pub arguments: usize,
    /// The inputs were not given but searched for.
    pub is_searched: bool,
    /// How long it took to find and to run it.
    pub searched: Duration,
}

pub fn run(arguments: Localize, flags: Vec<String>, screen: Screen) -> Result<Ending> {
    let is_boogie = arguments.reading.files.iter().any(|file| frontend::boogie::is_boogie(file));
    if is_boogie {
        return localizing_boogie::run(&arguments, screen);
    }
    localizing_many::sensible(&arguments)?;
    sensible(&arguments)?;
    if arguments.apply && arguments.engine != arguments::Engine::Ped {
        bail!("--apply needs an engine that proposes patches: --engine ped");
    }
    let witness = witness::read(&arguments.following, &arguments.reading.files)?;
    let checks = checks(&arguments, witness.as_ref())?;
    let interrupted = interrupt::catch();
    let started = Instant::now();
    let mut program = reading::read(&arguments.reading, flags.clone(), screen, &interrupted)?;
    need_main(&program)?;
    if !checks.has(ViolationKind::Uninitialized) {
        program = indeterminate::open(&program);
    }
    if arguments.traces == Traces::Multi {
        return localizing_many::run(&program, &arguments, checks, screen, interrupted);
    }
    let read = started.elapsed();
    let failing = match find(&program, &arguments, witness.as_ref(), checks, screen, &interrupted)? {
        Ok(failing) => failing,
        Err(ending) => return Ok(ending),
    };
    let report = report::report(&program, &failing.run, &limits(&arguments.limits, interrupted.clone()));
    let Some(violation) = failing.run.violation() else {
        return tell_no_failure(&program, &report, &arguments, screen);
    };
    let localizing = Instant::now();
    let status = StatusLine::show(screen, "localizing".to_owned());
    let Some(engine) = engine(arguments.engine) else {
        let setting = repairing::Setting { reading: reading::options(&arguments.reading, flags)?, checks, interrupted };
        let found = repairing::repairs(&program, &failing, violation, &arguments, setting)?;
        drop(status);
        let trace = told(&program, &failing, checks, &arguments);
        return repairing::tell(&program, &report, trace.as_ref(), &found, &arguments, screen);
    };
    let mut encoded = match encode(&program, checks, &failing.recording, failing.arguments, violation) {
        Ok(encoded) => encoded,
        Err(error) => {
            drop(status);
            screen.write(&terminal::report(&program.sources, &report, screen.look, arguments.showing.quiet));
            screen.message(Severity::Inconclusive, &words(&program, &error));
            return Ok(Ending::Inconclusive);
        }
    };
    let options = options(&arguments, &interrupted, started);
    let diagnosis = engines::diagnose(&program, &mut encoded, engine, &options);
    drop(status);
    let diagnosis = match diagnosis {
        Ok(diagnosis) => diagnosis,
        Err(error) => {
            screen.write(&terminal::report(&program.sources, &report, screen.look, arguments.showing.quiet));
            screen.message(Severity::Inconclusive, &error.to_string());
            return Ok(Ending::Inconclusive);
        }
    };
    let spent = localizing.elapsed();
    let trace = told(&program, &failing, checks, &arguments);
    write(&program.sources, &report, trace.as_ref(), &diagnosis, &arguments, screen)?;
    if arguments.showing.verbose {
        let words = format!(
            "{} statements, {} of them to blame in {} places, {} undecided; read in {:.4} s, failure found in {:.4} s, localized in {:.4} s",
            diagnosis.statements,
            diagnosis.blamed,
            diagnosis.suspects.len(),
            diagnosis.undecided,
            read.as_secs_f64(),
            failing.searched.as_secs_f64(),
            spent.as_secs_f64(),
        );
        screen.message(Severity::Note, &words);
    }
    Ok(if diagnosis.suspects.is_empty() && diagnosis.undecided > 0 { Ending::Inconclusive } else { Ending::Fault })
}

/// How it failed, step by step, for the formats that show it.
pub fn told(program: &Program, failing: &Failing, checks: Checks, arguments: &Localize) -> Option<ErrorTrace> {
    arguments.writing.format.machine()?;
    check::told(program, &failing.inputs, checks, &failing.run)
}

/// Says that there is nothing to localize in a run.
pub fn tell_no_failure(
    program: &Program,
    report: &report::Report,
    arguments: &Localize,
    screen: Screen,
) -> Result<Ending> {
    let words = "the run did not fail: give it the arguments or inputs with which it does";
    match arguments.writing.format.machine() {
        None => {
            screen.write(&terminal::report(&program.sources, report, screen.look, arguments.showing.quiet));
            screen.message(Severity::Note, &format!("{words}{}", ways(arguments)));
        }
        Some(_) => {
            let mut report = report.clone();
            report.findings.push(Finding::new(Severity::Note, "no-failure", words));
            write(&program.sources, &report, None, &Diagnosis::default(), arguments, screen)?;
        }
    }
    Ok(match report.verdict {
        report::Verdict::Inconclusive => Ending::Inconclusive,
        _ => Ending::NothingWrong,
    })
}

/// How to give a program what it needs, if it was given nothing.
fn ways(arguments: &Localize) -> String {
    if are_given(&arguments.inputs) || arguments.showing.quiet {
        return String::new();
    }
    let files: Vec<String> = arguments.reading.files.iter().map(|it| it.display().to_string()).collect();
    let files = files.join(" ");
    format!("\n      faultline explain {files} -- ARGUMENTS\n      faultline explain {files} --stdin FILE")
}

/// Says that no run was found in which there is something to localize.
pub fn tell_nothing(
    sources: &Sources,
    words: &str,
    ending: Ending,
    arguments: &Localize,
    screen: Screen,
) -> Result<()> {
    let (severity, verdict) = match ending {
        Ending::NothingWrong => (Severity::Note, report::Verdict::NoFault),
        _ => (Severity::Inconclusive, report::Verdict::Inconclusive),
    };
    screen.message(severity, words);
    if arguments.writing.format.machine().is_none() {
        return Ok(());
    }
    let findings = vec![Finding::new(severity, "no-failure", words)];
    let report =
        report::Report { verdict, findings, exit_status: None, inputs: Vec::new(), unsupported: Vec::new(), steps: 0 };
    write(sources, &report, None, &Diagnosis::default(), arguments, screen)
}

pub fn words(program: &Program, error: &EncodeError) -> String {
    let EncodeError::Unsupported { what, site } = error else { return error.to_string() };
    let place = program.place(*site);
    let place = place.map(|place| format!(" ({}:{})", program.sources.path(place.file), place.position));
    format!("{what} cannot be followed{}", place.unwrap_or_default())
}

/// The engine of that name, if it needs nothing but the trace.
pub fn engine(named: arguments::Engine) -> Option<Engine> {
    match named {
        arguments::Engine::Relevance => Some(Engine::Relevance),
        arguments::Engine::ErrorInvariants => Some(Engine::ErrorInvariants),
        arguments::Engine::FlowSensitive => Some(Engine::FlowSensitive),
        arguments::Engine::MaxSat => Some(Engine::MaxSat),
        arguments::Engine::Ped => None,
    }
}

pub fn options(arguments: &Localize, interrupted: &Arc<AtomicBool>, started: Instant) -> engines::Options {
    let deadline = arguments.limits.timeout.map(|time| started + time);
    let usual = engines::Options::default();
    engines::Options {
        time: arguments.question_timeout.unwrap_or(usual.time),
        jobs: arguments.jobs.unwrap_or(usual.jobs),
        interrupter: Interrupter::from(interrupted.clone()).until(deadline),
        why_not: arguments.why_not.clone(),
    }
}

/// What is looked for: what was asked for, or else what the witness is about.
pub fn checks(arguments: &Localize, witness: Option<&Given>) -> Result<Checks> {
    let checks = properties::select(&arguments.checks.property, &arguments.checks.no_property)?.checks;
    let is_open = arguments.checks.property.is_empty() && arguments.checks.no_property.is_empty();
    Ok(witness.filter(|_| is_open).map_or(checks, |witness| witness.checks(checks)))
}

/// Refuses what contradicts a witness, which says itself how the program runs.
pub fn sensible(arguments: &Localize) -> Result<()> {
    if arguments.following.witness.is_none() {
        return Ok(());
    }
    if arguments.traces == Traces::Multi {
        bail!("--witness leads to one failing run, so --traces multi makes no sense with it");
    }
    if are_given(&arguments.inputs) {
        bail!("--witness says how the program fails: give no inputs and no arguments with it");
    }
    Ok(())
}

/// Whether the command line says what the program gets to see.
pub fn are_given(inputs: &arguments::Inputs) -> bool {
    let named = !inputs.arguments.is_empty() || !inputs.env.is_empty() || !inputs.file.is_empty();
    let chosen = inputs.nondet.is_some() || inputs.nondet_file.is_some() || inputs.seed.is_some();
    let chosen = chosen || inputs.unwritten.is_some();
    named || chosen || inputs.stdin.is_some() || inputs.files_from.is_some()
}

/// The failing run: the one that a witness tells, the given one, or one that is searched for.
pub fn find(
    program: &Program,
    arguments: &Localize,
    witness: Option<&Given>,
    checks: Checks,
    screen: Screen,
    interrupted: &Arc<AtomicBool>,
) -> Result<Result<Failing, Ending>> {
    let limits = limits(&arguments.limits, interrupted.clone());
    let started = Instant::now();
    let repeat = |inputs: Inputs, is_searched: bool| {
        let (run, recording) = record(program, &inputs, &limits, checks, &mut Discard);
        let searched = started.elapsed();
        let arguments = inputs.arguments.len();
        Failing { run, recording, inputs, arguments, is_searched, searched }
    };
    let is_chosen = arguments.inputs.nondet.is_some() || arguments.inputs.nondet_file.is_some();
    if witness.is_none() {
        let given = inputs::collect(&arguments.inputs, &arguments.reading.files, program, interrupted)?;
        let is_open = is_open(program) && !is_chosen;
        let is_memory_open = !checks.has(ViolationKind::Uninitialized) && !are_given(&arguments.inputs);
        // What was given may be enough to fail, even if the program asks for more.
        if !is_open || are_given(&arguments.inputs) {
            let failing = repeat(given, false);
            if !is_open && !is_memory_open || failing.run.violation().is_some() {
                return Ok(Ok(failing));
            }
        }
    }
    let options = bmc::Options {
        checks,
        time: arguments.limits.timeout,
        interrupt: Some(interrupted.clone()),
        ..bmc::Options::default()
    };
    let status = StatusLine::show(screen, "checking".to_owned());
    let found = match witness {
        Some(witness) => witness::follow(program, witness, &options, &arguments.showing, screen)?,
        None => bmc::check(program, &options),
    };
    drop(status);
    let Some(failure) = found.failures.first() else {
        let (words, ending) = match found.verdict {
            Verdict::Proved => {
                ("nothing to localize: no input makes the program fail".to_owned(), Ending::NothingWrong)
            }
            Verdict::Bounded(bound) => {
                (format!("no failure was found while no loop goes back more than {bound} times"), Ending::Inconclusive)
            }
            Verdict::Unknown(why) => (format!("no failure was found: {why}"), Ending::Inconclusive),
            Verdict::Violated => ("the failure was lost".to_owned(), Ending::Inconclusive),
        };
        tell_nothing(&program.sources, &words, ending, arguments, screen)?;
        return Ok(Err(ending));
    };
    Ok(Ok(repeat(failure.run.replay(), true)))
}

/// Whether the program asks for values from outside.
fn is_open(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let mut commands = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.commands);
    commands.any(|command| matches!(command.kind, CommandKind::Havoc { .. }))
}

pub fn write(
    sources: &Sources,
    report: &report::Report,
    trace: Option<&ErrorTrace>,
    diagnosis: &Diagnosis,
    arguments: &Localize,
    screen: Screen,
) -> Result<()> {
    let most = if arguments.showing.verbose { usize::MAX } else { SHOWN };
    let text = match arguments.writing.format.machine() {
        None => {
            let look = match arguments.writing.output {
                Some(_) => screen.look_in_file(arguments.showing.color),
                None => screen.look,
            };
            let failure = terminal::report(sources, report, look, arguments.showing.quiet);
            format!("{failure}{}", suspects::text(sources, diagnosis, most, look))
        }
        Some(format) => {
            let files = arguments.reading.files.iter().map(|it| it.display().to_string()).collect();
            let surroundings = Surroundings { version: env!("CARGO_PKG_VERSION"), files, stdout: b"", stderr: b"" };
            formats::diagnosed(format, sources, report, trace, Some(diagnosis), &surroundings)
        }
    };
    output::deliver(&text, arguments.writing.output.as_deref(), arguments.writing.format, screen)
}
