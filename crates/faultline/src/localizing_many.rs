//! `faultline localize --traces multi`: failing runs on different paths, and what all of them blame.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use localize::relevance::in_words;
use localize::{engines, many_traces};
use program::Program;
use program::exec::{Checks, Discard};
use report::Severity;
use verify::bmc::Options;
use verify::encode::encode;
use verify::encode::recording::record;
use verify::trace_abstraction;

use crate::arguments::{Engine, Localize, Traces};
use crate::localizing::{are_given, engine, options, words, write};
use crate::run::limits;
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, check};

/// Without `--timeout`, for the search; the paper's.
const TIME: Duration = Duration::from_secs(120);
/// Traces that are looked for at most.
pub const MOST: usize = 1000;

/// The time for the search. With a limit for everything, a quarter is left for localization.
pub fn search_time(arguments: &Localize) -> Duration {
    arguments.limits.timeout.map_or(TIME, |time| time * 3 / 4)
}

/// Refuses what contradicts a search for all runs.
pub fn sensible(arguments: &Localize) -> Result<()> {
    if arguments.traces == Traces::Single {
        return Ok(());
    }
    if arguments.engine == Engine::Ped {
        bail!("--traces multi is not for the engine ped, which looks for other failing runs by itself");
    }
    if are_given(&arguments.inputs) {
        bail!("--traces multi looks for all failing runs: give no inputs and no arguments");
    }
    Ok(())
}

pub fn run(
    program: &Program,
    arguments: &Localize,
    checks: Checks,
    screen: Screen,
    interrupted: Arc<AtomicBool>,
) -> Result<Ending> {
    let Some(engine) = engine(arguments.engine) else { bail!("this engine takes one failing run") };
    let started = Instant::now();
    let search = Options {
        checks,
        time: Some(search_time(arguments)),
        interrupt: Some(interrupted.clone()),
        ..Options::default()
    };
    let status = StatusLine::show(screen, "looking for error traces".to_owned());
    let found = trace_abstraction::failing_runs(program, &search, MOST);
    drop(status);
    let options = options(arguments, &interrupted, started);
    let limits = limits(&arguments.limits, interrupted);
    let status = StatusLine::show(screen, format!("localizing on {} error traces", found.failures.len()));
    let (mut diagnoses, mut first, mut notes) = (Vec::new(), None, found.notes.clone());
    for failure in &found.failures {
        if let (Some(why), false) = (options.interrupter.why(), diagnoses.is_empty()) {
            notes.push(format!(
                "{} of the traces were not looked at: {}",
                found.failures.len() - diagnoses.len(),
                in_words(&why)
            ));
            break;
        }
        let inputs = failure.run.replay();
        let (run, recording) = record(program, &inputs, &limits, checks, &mut Discard);
        let Some(violation) = run.violation() else { continue };
        let mut encoded = match encode(program, checks, &recording, inputs.arguments.len(), violation) {
            Ok(encoded) => encoded,
            Err(error) => {
                notes.push(format!("a trace is left out: {}", words(program, &error)));
                continue;
            }
        };
        match engines::diagnose(program, &mut encoded, engine, &options) {
            Ok(diagnosis) => diagnoses.push(diagnosis),
            Err(error) => notes.push(format!("a trace is left out: {error}")),
        }
        first.get_or_insert_with(|| {
            let trace = arguments.writing.format.machine().and_then(|_| check::told(program, &inputs, checks, &run));
            (report::report(program, &run, &limits), trace)
        });
    }
    drop(status);
    let (Some((report, trace)), false) = (first, diagnoses.is_empty()) else {
        let why = notes.first().cloned().unwrap_or_else(|| "trace abstraction found none".to_owned());
        screen.message(Severity::Inconclusive, &format!("no failing run to localize: {why}"));
        return Ok(Ending::Inconclusive);
    };
    let is_whole = found.complete && diagnoses.len() == found.traces;
    let mut diagnosis = many_traces::intersect(diagnoses, is_whole);
    diagnosis.notes.extend(notes);
    write(&program.sources, &report, trace.as_ref(), &diagnosis, arguments, screen)?;
    Ok(Ending::Fault)
}
