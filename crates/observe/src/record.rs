//! Runs an observed program on an input so that it leaves a recording.
//!
//! An input and what to record → the folder with the recording, and what the run has shown. Recording takes longer and writes
//! files of its own, so limits on time, processor time and file size are wider here; they are still limits. The program's
//! table of sites is read from whatever observed code the processes had loaded: the program may be started by a script, and
//! may have shared libraries.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::Error;
use crate::detect::judge::{self, Confirmed, Judge, PLACED_REPORTS, PLAIN_REPORTS, sanitizers};
use crate::detect::{Detector, Frame, Verdict};
use crate::recording::{Sites, loaded_modules, processes};
use crate::run::server::Subject;
use crate::run::{Limits, Outcome};
use crate::slicing::{Criterion, SourceLine, WrongOutput};

/// What a run leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Coverage,
    /// Ranges, and coverage, in runs that do not crash.
    Invariants,
    Trace,
    /// Ranges and coverage up to a crash, and ranges inside of large expressions.
    Exact,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Coverage => "coverage",
            Mode::Invariants => "invariants",
            Mode::Trace => "trace",
            Mode::Exact => "exact",
        }
    }
}

/// A run with its recording, which goes when this does.
#[derive(Debug)]
pub struct Recorded {
    pub folder: PathBuf,
    pub outcome: Outcome,
    pub verdict: Verdict,
    /// It fails in the same way as far as the kind says, or is killed where the other one was: what is traced is other code, at
    /// other addresses, and what is undefined may do otherwise in it.
    pub fails_alike: bool,
}

impl Recorded {
    /// Where a sanitizer says that this run failed, and where the memory was freed, the innermost calls that are observed; or where it
    /// was interrupted, if that is not told by what it could not access.
    pub fn reported(&self, sites: &Sites) -> Result<Option<Criterion>, Error> {
        let line = |file: String, line: u32, column: Option<u32>| SourceLine {
            file,
            line,
            column: column.filter(|it| *it != 0),
        };
        let innermost = |frames: Vec<Frame>| {
            let mut lines = frames.into_iter().filter_map(|it| Some(line(it.file?, it.line?, it.column)));
            lines.find(|it| it.is_observed(sites))
        };
        let [used, freed] = judge::reported(&self.outcome).map(innermost);
        if let Some(used) = used {
            return Ok(Some(match freed {
                Some(freed) => Criterion::Freed { used, freed },
                None => Criterion::Line(used),
            }));
        }
        let processes = processes(&self.folder)?;
        let died = processes.iter().find(|it| it.death.is_some_and(|it| it.address.is_none()));
        let place = died.and_then(|it| it.interrupted_at());
        let found = place.map(|it| line(it.file, it.line, Some(it.column)));
        Ok(found.filter(|it| it.is_observed(sites)).map(Criterion::Line))
    }

    /// Whether one of its processes was ended by an error.
    pub fn has_crashed(&self) -> Result<bool, Error> {
        Ok(processes(&self.folder)?.iter().any(|it| it.death.is_some()))
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // What stays now goes with the runner's folder.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Records runs of a judge's subject.
#[derive(Debug)]
pub struct Recorder<'a> {
    judge: &'a Judge,
    failure: &'a Confirmed,
    subject: Subject,
    /// For inputs that are known to fail, where the failure is that the program does not end: a slow one does not end, either.
    hanging: Option<Subject>,
}

/// How much longer a recorded run may take.
const LONGER: u32 = 20;
/// Bytes that may be written to the files of a trace, most of them over older ones.
const TRACE: u64 = 32 << 30;

impl<'a> Recorder<'a> {
    pub fn new(judge: &'a Judge, failure: &'a Confirmed) -> Result<Recorder<'a>, Error> {
        let wider = |limits: &mut Limits| {
            limits.file = TRACE;
            // What the program itself writes has had its limit in the run that was not recorded.
            limits.written = limits.written.saturating_add(TRACE);
            // So has what it starts; and a run that is made a second time would be recorded twice.
            limits.gated = false;
        };
        let subject = judge.subject.with_limits(|limits| {
            wider(limits);
            limits.time *= LONGER;
            limits.processor *= LONGER;
        })?;
        let is_hang = matches!(judge.detector, Detector::Hang);
        let hanging = is_hang.then(|| judge.subject.with_limits(wider)).transpose()?;
        Ok(Recorder { judge, failure, subject, hanging })
    }

    /// Records a run on any input.
    pub fn record(&self, input: &[u8], mode: Mode) -> Result<Recorded, Error> {
        self.run(&self.subject, input, mode)
    }

    /// Records a run on an input that is known to fail.
    pub fn record_failing(&self, input: &[u8], mode: Mode) -> Result<Recorded, Error> {
        self.run(self.hanging.as_ref().unwrap_or(&self.subject), input, mode)
    }

    fn run(&self, subject: &Subject, input: &[u8], mode: Mode) -> Result<Recorded, Error> {
        let folder = subject.runner().folder()?;
        let is_placed = mode == Mode::Trace && judge::is_report(self.failure);
        let mut environment = sanitizers(if is_placed { PLACED_REPORTS } else { PLAIN_REPORTS });
        environment.push(("FAULTLINE_OBSERVE".into(), mode.name().into()));
        environment.push(("FAULTLINE_OBSERVE_DIR".into(), OsString::from(&folder)));
        let outcome = subject.run(input, &environment)?;
        let verdict = self.judge.verdict_of(input, &outcome, self.failure)?;
        let fails_alike = verdict == Verdict::Bad || self.judge.fails_alike(input, &outcome, self.failure)?;
        Ok(Recorded { folder, outcome, verdict, fails_alike })
    }

    /// What a recorded run did, in words, if it does not show the failure.
    pub fn told(&self, input: &[u8], recorded: &Recorded) -> Result<String, Error> {
        self.judge.told(input, &recorded.outcome)
    }

    /// Where a recorded run's output is first not as it should be, if that is known.
    pub fn first_wrong(&self, input: &[u8], recorded: &Recorded) -> Result<Option<WrongOutput>, Error> {
        self.judge.first_wrong(input, &recorded.outcome)
    }

    /// What a run on an input should print, if that is known.
    pub fn expected(&self, input: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        self.judge.expected(input)
    }

    /// The table of what was loaded in a run.
    pub fn sites(&self, recorded: &Recorded) -> Result<Sites, Error> {
        let mut sites = Sites::default();
        for module in loaded_modules(&recorded.folder)? {
            sites.add(&module)?;
        }
        match sites.blocks.is_empty() {
            true => Err(Error::NotObserved { path: self.subject.runner().path().to_owned() }),
            false => Ok(sites),
        }
    }
}
