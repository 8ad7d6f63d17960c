//! Runs a subject on inputs and judges each run against the one failure that is looked for.
//!
//! [`Judge::confirm`] establishes that failure on the failing input, several times: it may be there always, now and then,
//! never, or differ each time. Where it comes now and then, every later input is run as often, is bad if one run is, and good
//! only if all are.
//!
//! Two runs fail in the same way if their symptoms are the same and, where both come to an end, so are their exit statuses: what
//! goes on after a report and then refuses its input is not the same. What is valid: where the failure is an exit status, all other bad statuses are other failures; otherwise a program that
//! exits with a status that is not among the good ones refuses its input.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use regex::bytes::Regex;

use super::{Detector, Frame, Observation, Reference, Statuses, Symptom, Variable, Verdict, sanitizer};
use crate::Error;
use crate::run::server::Subject;
use crate::run::{End, Limit, Outcome};
use crate::slicing::{OutputByte, WrongOutput};

/// How failures are told apart.
#[derive(Debug)]
pub struct Judge {
    pub subject: Subject,
    pub detector: Detector,
    /// How many frames of the stack belong to what a failure is.
    pub frames: usize,
    /// Exit statuses of inputs that are fine.
    pub good_statuses: Statuses,
    /// An input is invalid if this is printed.
    pub invalid: Option<Regex>,
    /// How often the failing input is run to see that it fails.
    pub repetitions: u32,
}

/// The failure that is looked for.
#[derive(Clone, Debug)]
pub struct Confirmed {
    pub symptom: Symptom,
    pub outcome: Outcome,
    /// What one run costs whoever asks for it, with starting it and looking at what it left.
    pub cost: Duration,
    /// It comes now and then: every input is run so often.
    pub repetitions: u32,
    /// In how many of how many runs it came.
    pub seen: (u32, u32),
}

/// What a sanitizer tells.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Where it failed, the innermost first.
    pub stack: Vec<Frame>,
    /// Where the memory was freed that it is about, if it was.
    pub freed: Vec<Frame>,
    /// Where the memory was made that it is about, or else the variable that this is.
    pub allocated: Vec<Frame>,
    pub variable: Option<Variable>,
}

/// Without symbols a report is quicker by far, and places in the program's file are as good to compare.
pub const PLAIN_REPORTS: &str = "symbolize=0";

/// With places in the source, and the run ends at the first report: what is executed last is what it is about.
pub const PLACED_REPORTS: &str = "symbolize=1:halt_on_error=1";

/// Options for all sanitizers, after those of the user.
pub fn sanitizers(option: &str) -> Vec<(OsString, OsString)> {
    let names = ["ASAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"];
    let value = |name: &str| {
        let mut value = std::env::var_os(name).unwrap_or_default();
        if !value.is_empty() {
            value.push(":");
        }
        value.push(option);
        value
    };
    names.into_iter().map(|name| (OsString::from(name), value(name))).collect()
}

impl Judge {
    /// Runs the input once.
    pub fn look(&self, input: &[u8]) -> Result<(Outcome, Observation), Error> {
        let outcome = self.subject.run(input, &sanitizers(PLAIN_REPORTS))?;
        let observation = self.observe(input, &outcome)?;
        Ok((outcome, observation))
    }

    fn observe(&self, input: &[u8], outcome: &Outcome) -> Result<Observation, Error> {
        let refused =
            self.invalid.as_ref().is_some_and(|it| it.is_match(&outcome.stdout) || it.is_match(&outcome.stderr));
        if refused && outcome.end != End::Interrupted {
            return Ok(Observation::Invalid);
        }
        let is_good = matches!(outcome.end, End::Exited(status) if self.good_statuses.contains(status));
        Ok(match self.detector.observe(input, outcome)? {
            Observation::Failed(symptom) if is_good && symptom.is_exit() && !self.is_meant(outcome.end) => {
                Observation::Passed
            }
            Observation::Invalid if is_good && matches!(self.detector, Detector::Status(_)) => Observation::Passed,
            other => other,
        })
    }

    /// Whether the user says that this very status is the failure.
    fn is_meant(&self, end: End) -> bool {
        matches!((&self.detector, end), (Detector::Status(bad), End::Exited(status)) if bad.contains(status))
    }

    /// What the failing input does, in several runs.
    pub fn confirm(&self, input: &[u8]) -> Result<Confirmed, Error> {
        let mut failed: Vec<(Symptom, Outcome)> = Vec::new();
        let mut other = None;
        let mut costs = Vec::new();
        let runs = self.repetitions.max(1);
        for _ in 0..runs {
            let started = Instant::now();
            let run = self.look(input)?;
            costs.push(started.elapsed());
            match run {
                (outcome, Observation::Failed(symptom)) => failed.push((symptom, outcome)),
                (outcome, observation) => other = Some((outcome, observation)),
            }
        }
        let seen = (failed.len() as u32, runs);
        let differs = failed.iter().find(|(it, _)| !it.is_same(&failed[0].0, self.frames));
        if let Some((symptom, _)) = differs {
            return Err(self.differs(&failed[0].0, symptom));
        }
        let Some((symptom, outcome)) = failed.into_iter().next() else {
            let (outcome, observation) = other.unwrap_or_else(|| unreachable!("there was at least one run"));
            return Err(self.never(input, &outcome, &observation)?);
        };
        let repetitions = if seen.0 == seen.1 { 1 } else { 2 * runs };
        costs.sort_unstable();
        let cost = costs[costs.len() / 2];
        Ok(Confirmed { symptom, outcome, cost, repetitions, seen })
    }

    /// The same failure as another input shows it; as it is known if this one does not.
    pub fn shown_by(&self, input: &[u8], failure: &Confirmed) -> Result<Confirmed, Error> {
        for _ in 0..failure.repetitions.max(1) {
            let (outcome, observation) = self.look(input)?;
            let is_same = self.verdict(&observation, outcome.end, failure) == Verdict::Bad;
            if let (true, Observation::Failed(symptom)) = (is_same, observation) {
                return Ok(Confirmed { symptom, outcome, ..failure.clone() });
            }
        }
        Ok(failure.clone())
    }

    fn differs(&self, one: &Symptom, other: &Symptom) -> Error {
        let show = |it: &Symptom| {
            let place = it.frames.first().map_or(String::new(), |frame| format!(" at {frame}"));
            format!("{}{place}", it.message)
        };
        let remedy = match one.kind == other.kind && self.frames > 0 {
            true => "if it is the same failure nevertheless, compare less of the stack with --frames 0 or 1",
            false => "say which failure is meant with --bad-output, --status or --script",
        };
        Error::Failure(format!(
            "the program fails differently each time: {}; then {}: {remedy}",
            show(one),
            show(other)
        ))
    }

    /// What is wrong with a failing input that does not fail.
    fn never(&self, input: &[u8], outcome: &Outcome, observation: &Observation) -> Result<Error, Error> {
        Ok(Error::Failure(match (observation, &self.detector) {
            (Observation::Stopped(limit), _) => stopped(*limit),
            (Observation::Invalid, Detector::Reference(reference)) => {
                refused(reference, &reference.program.run(input)?)
            }
            (Observation::Invalid, Detector::Script(_)) => {
                "the failing input counts as invalid: --script exits with 125 on it".to_owned()
            }
            (Observation::Invalid, _) if self.invalid.is_some() => {
                "the failing input counts as invalid: check --invalid-output".to_owned()
            }
            (_, Detector::Crash) => format!(
                "the program does not fail on this input: it {}; if the failure shows in another way, say so with --expected, \
                 --bad-output, --status, --reference, --script or --hang",
                outcome.end.words()
            ),
            _ => format!("the program does not fail on this input as it was said to: it {}", outcome.end.words()),
        }))
    }

    /// What a run is that somebody else has made, against the failure.
    pub fn verdict_of(&self, input: &[u8], outcome: &Outcome, failure: &Confirmed) -> Result<Verdict, Error> {
        Ok(self.verdict(&self.observe(input, outcome)?, outcome.end, failure))
    }

    /// A sanitizer's report in words of the source: from a run of its own, since symbols take time. Without `llvm-symbolizer`
    /// there are no places in it.
    pub fn symbolized(&self, input: &[u8]) -> Result<Report, Error> {
        let outcome = self.subject.run(input, &sanitizers("symbolize=1:fast_unwind_on_malloc=0"))?;
        let stderr = String::from_utf8_lossy(&outcome.stderr);
        let stack = sanitizer::read(&stderr).map_or_else(Vec::new, |it| it.frames);
        let (freed, allocated) = (sanitizer::freed(&stderr), sanitizer::allocation(&stderr));
        Ok(Report { stack, freed, allocated, variable: sanitizer::variable(&stderr) })
    }

    /// Where a run's output is first not as it should be, where it is known what it should be.
    pub fn first_wrong(&self, input: &[u8], outcome: &Outcome) -> Result<Option<WrongOutput>, Error> {
        if let Detector::Matches(pattern) = &self.detector {
            let found = pattern.find(&outcome.stdout).and_then(|it| OutputByte::new(&outcome.stdout, it.start()));
            return Ok(found.map(WrongOutput::Byte));
        }
        Ok(self.expected(input)?.and_then(|it| WrongOutput::first(&outcome.stdout, &it)))
    }

    /// What should be printed, where it is known.
    pub fn expected(&self, input: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        Ok(match &self.detector {
            Detector::Expected(expected) => expected.on(input).map(<[u8]>::to_vec),
            Detector::Reference(reference) => Some(reference.program.run(input)?.stdout),
            _ => None,
        })
    }

    /// What a run did, in words, of one that does not show the failure.
    pub fn told(&self, input: &[u8], outcome: &Outcome) -> Result<String, Error> {
        Ok(match self.observe(input, outcome)? {
            Observation::Failed(symptom) => {
                let place = symptom.frames.first().map_or(String::new(), |frame| format!(" at {frame}"));
                format!("{}{place}", symptom.message)
            }
            _ => format!("the program {}", outcome.end.words()),
        })
    }

    /// Whether a run shows the failure as far as its kind says. All ways to be killed are one.
    pub fn fails_alike(&self, input: &[u8], outcome: &Outcome, failure: &Confirmed) -> Result<bool, Error> {
        let Observation::Failed(symptom) = self.observe(input, outcome)? else { return Ok(false) };
        let is_crash = |outcome: &Outcome| super::crash(outcome).is_some();
        Ok(symptom.kind == failure.symptom.kind || is_crash(outcome) && is_crash(&failure.outcome))
    }

    /// What an input is, against the failure.
    pub fn judge(&self, input: &[u8], failure: &Confirmed) -> Result<Verdict, Error> {
        let mut verdict = None;
        for _ in 0..failure.repetitions.max(1) {
            let (outcome, observation) = self.look(input)?;
            let seen = self.verdict(&observation, outcome.end, failure);
            if seen == Verdict::Bad {
                return Ok(seen);
            }
            // Good only if all runs are.
            verdict = match verdict {
                None | Some(Verdict::Good) => Some(seen),
                before => before,
            };
        }
        Ok(verdict.unwrap_or(Verdict::Other))
    }

    fn verdict(&self, observation: &Observation, end: End, failure: &Confirmed) -> Verdict {
        // A script has looked at the status itself.
        let ends_alike = match (end, failure.outcome.end) {
            (End::Exited(one), End::Exited(other)) => one == other || matches!(self.detector, Detector::Script(_)),
            _ => true,
        };
        match observation {
            Observation::Failed(symptom) if symptom.is_same(&failure.symptom, self.frames) && ends_alike => {
                Verdict::Bad
            }
            Observation::Failed(symptom) if symptom.is_exit() && !failure.symptom.is_exit() => Verdict::Invalid,
            Observation::Failed(_) | Observation::Stopped(_) => Verdict::Other,
            Observation::Invalid => Verdict::Invalid,
            Observation::Passed => Verdict::Good,
        }
    }
}

/// Whether a sanitizer's report is the failure, and not only something that is printed beside it.
pub fn is_report(failure: &Confirmed) -> bool {
    let report = sanitizer::read(&String::from_utf8_lossy(&failure.outcome.stderr));
    report.is_some_and(|it| it.kind == failure.symptom.kind)
}

/// The stack of a sanitizer's report on what a run did when it ended, and where it had freed the memory that it used. That of a leak is
/// about something else.
pub fn reported(outcome: &Outcome) -> [Vec<Frame>; 2] {
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let report = sanitizer::read(&stderr).filter(|it| !matches!(it.kind.as_str(), "leak" | "assertion"));
    report.map_or_else(Default::default, |it| [it.frames, sanitizer::freed(&stderr)])
}

/// What the program of --reference does with an input that it should take.
fn refused(reference: &Reference, outcome: &Outcome) -> String {
    let said = String::from_utf8_lossy(&outcome.stderr);
    let said = said.lines().next().map_or_else(String::new, |it| format!(" and says: {it}"));
    match outcome.end {
        // A shell's words for a command that it cannot start.
        End::Exited(126 | 127) => {
            format!("the command of --reference cannot be run{}", said.replacen(" and says", "", 1))
        }
        End::Exited(status) if reference.good.contains(status) => {
            "the command of --reference prints something else each time, such as addresses or the time, and so does not say what \
             is right"
                .to_owned()
        }
        end => format!(
            "the failing input counts as invalid, since the command of --reference {} on it{said}; only status {} is fine: check \
             the command, or allow more with --good-status",
            end.words(),
            reference.good
        ),
    }
}

fn stopped(limit: Limit) -> String {
    let (what, option) = limit.words();
    let hang = if limit == Limit::Time { ", or say that this is the failure with --hang" } else { "" };
    format!("the program {what} on the failing input, and was stopped: allow more with {option}{hang}")
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::sync::Arc;

    use super::*;
    use crate::run::{Command, Limits, Runner};

    fn judge(line: &str) -> Judge {
        let limits = Limits { time: std::time::Duration::from_millis(300), processes: 20, ..Limits::default() };
        let runner = Runner::new(Command::shell(OsStr::new(line)), limits, Arc::default()).unwrap();
        Judge {
            subject: Subject::Program(Box::new(runner)),
            detector: Detector::Crash,
            frames: 3,
            good_statuses: 0.into(),
            invalid: None,
            repetitions: 3,
        }
    }

    #[track_caller]
    fn refuses(line: &str, words: &str) {
        let error = judge(line).confirm(b"").unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn failures_that_cannot_be_used() {
        refuses("exit 0", "does not fail on this input: it exits with status 0");
        refuses("sleep 5", "does not end in time");
        refuses(
            "exit $(head -c 1 /dev/urandom | od -An -tu1 | awk '{print 1 + $1 % 120}')",
            "fails differently each time",
        );
    }

    #[test]
    fn references_that_cannot_be_used() {
        let with = |line: &str| {
            let program = Runner::new(Command::shell(OsStr::new(line)), Limits::default(), Arc::default()).unwrap();
            let reference = Reference { program, good: 0.into() };
            let judge = Judge { detector: Detector::Reference(reference), ..judge("echo 4") };
            judge.confirm(b"2 2").map(|it| it.symptom.message).map_err(|it| it.to_string())
        };
        let refuses = |line: &str, words: &[&str]| {
            let error = with(line).unwrap_err();
            assert!(words.iter().all(|it| error.contains(it)), "{error}");
        };
        refuses("./no-such", &["the command of --reference cannot be run: ", "not found"]);
        refuses("echo refused >&2; exit 3", &["exits with status 3 on it and says: refused", "--good-status"]);
        refuses("od -An -tx8 -N8 /dev/urandom", &["prints something else each time"]);
        assert_eq!(with("echo 5").unwrap(), "line 1 of its output is `4` instead of `5`");
        // Nothing is wrong with the lines that are there.
        assert_eq!(with("echo 3; echo 4").unwrap(), "line 1 of its output is missing: `3`");
        assert_eq!(with("echo 4; echo 5").unwrap(), "line 2 of its output is missing: `5`");
    }

    #[test]
    fn verdicts() {
        let judge =
            judge("read x; case $x in bad) kill -SEGV $$;; no) exit 1;; other) kill -ABRT $$;; slow) sleep 5;; esac");
        let failure = judge.confirm(b"bad\n").unwrap();
        assert_eq!((failure.symptom.kind.as_str(), failure.seen), ("sigsegv", (3, 3)));
        for (input, expected) in [
            ("bad\n", Verdict::Bad),
            ("good\n", Verdict::Good),
            ("no\n", Verdict::Invalid),
            ("other\n", Verdict::Other),
            ("slow\n", Verdict::Other),
        ] {
            assert_eq!(judge.judge(input.as_bytes(), &failure).unwrap(), expected, "{input}");
        }
    }

    #[test]
    fn a_report_with_another_status_is_another_failure() {
        let report = "echo 'a.c:1:2: runtime error: shift exponent 40 is too large' >&2";
        let judge = judge(&format!("read x; {report}; exit $x"));
        let failure = judge.confirm(b"0\n").unwrap();
        assert_eq!(judge.judge(b"0 \n", &failure).unwrap(), Verdict::Bad);
        assert_eq!(judge.judge(b"1\n", &failure).unwrap(), Verdict::Other);
    }

    #[test]
    fn what_comes_now_and_then() {
        let folder = tempfile::tempdir().unwrap();
        let count = folder.path().join("count");
        let line = format!("echo >> {0}; test $(($(wc -l < {0}) % 2)) = 0 || kill -SEGV $$", count.display());
        let judge = judge(&line);
        let failure = judge.confirm(b"").unwrap();
        assert_eq!((failure.seen, failure.repetitions), ((2, 3), 6));
        assert_eq!(judge.judge(b"", &failure).unwrap(), Verdict::Bad);
    }
}
