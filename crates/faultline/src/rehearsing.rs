//! Before the long part of `diagnose`: does the failing input fail while the program is recorded, too, and what does that cost?
//!
//! What is recorded is the same program, but its stack, its heap and its time are others. A failure that depends on these may be
//! gone or another one, which nothing that comes later can mend.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use observe::detect::judge::Confirmed;
use observe::record::{Mode, Recorder};
use observe::recording::Sites;

use crate::advising::SLOWER;

/// A trace that takes longer than this is not made only to see whether the run fails.
const PATIENCE: Duration = Duration::from_secs(5);

/// What was learnt.
pub struct Rehearsed {
    pub sites: Sites,
    /// What a run costs that is recorded, whatever it does.
    pub cost: Duration,
}

pub fn rehearse(recorder: &Recorder<'_>, failure: &Confirmed, input: &[u8]) -> Result<Rehearsed> {
    let started = Instant::now();
    let first = recorder.record_failing(input, Mode::Coverage)?;
    let cost = started.elapsed();
    let sites = recorder.sites(&first)?;
    check(recorder, failure, input, Mode::Exact)?;
    if failure.outcome.time.mul_f64(SLOWER.1) < PATIENCE {
        check(recorder, failure, input, Mode::Trace)?;
    }
    Ok(Rehearsed { sites, cost })
}

/// One of as many runs as are needed to see the failure without recording must show it.
fn check(recorder: &Recorder<'_>, failure: &Confirmed, input: &[u8], mode: Mode) -> Result<()> {
    let mut told = String::new();
    for _ in 0..failure.repetitions.max(1) {
        let recorded = recorder.record_failing(input, mode)?;
        if recorded.fails_alike {
            return Ok(());
        }
        told = recorder.told(input, &recorded)?;
    }
    bail!(otherwise(&failure.symptom.message, &told))
}

/// Says that a failure is another one while the program is recorded, and what to do.
pub fn otherwise(failure: &str, told: &str) -> String {
    let instead = match failure == told {
        true => format!("{told}, but elsewhere"),
        false => told.to_owned(),
    };
    format!(
        "the failure is another one while the program is recorded: {instead}, instead of: {failure}\n\
         it seems to depend on memory that was never written, on addresses, on threads or on time; build with\n  \
         faultline cc -ftrivial-auto-var-init=pattern   so that variables without a value have the same one in every run\n  \
         faultline cc -fsanitize=memory                 to have the use of such a value reported, which then is the failure\n\
         or, if any of these failures is meant, say so with --frames 0, --bad-output or --script"
    )
}
