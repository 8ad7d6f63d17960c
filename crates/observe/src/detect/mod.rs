//! Whether a run shows a failure, and whether it is the one that is looked for.
//!
//! An [`Outcome`] → an [`Observation`], by what the user says a failure is: a crash (a sanitizer's report, a failed
//! assertion, a signal) or a bad exit status; a hang; output that is not as expected, that matches a pattern, or that
//! differs from another program's; or what a script of the user says. Against the failure that is looked for it becomes a
//! [`Verdict`]: *bad* shows the same failure, which is the same kind at the same place on top of the stack; *good* shows
//! none; *invalid* is an input that the program refuses; *other* is another failure, or a limit, and counts for nothing.
//!
//! Who runs the program, how often and on what, is not decided here: see [`judge`].

mod expected;
pub mod judge;
mod sanitizer;
mod statuses;

use std::fmt;

use regex::bytes::Regex;

pub use expected::{Expected, same_output};
pub use sanitizer::Variable;
pub use statuses::Statuses;

use crate::Error;
use crate::run::{Command, End, Limit, Outcome, Runner, signal_name};
use crate::slicing::WrongOutput;

/// One call on the stack when a program failed, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// The file of the program or library, and the place in it.
    pub module: Option<String>,
}

/// Functions that call `main`, or what a thread is to do.
const STARTS: [&str; 10] = [
    "_start",
    "__libc_start_main",
    "__libc_start_main_impl",
    "__libc_start_call_main",
    "__libc_init_first",
    "start_thread",
    "clone",
    "__clone",
    "clone3",
    "__clone3",
];

impl Frame {
    /// It is of the C library, before the program's own code: the same in every stack, and of no use to who reads one.
    pub fn is_start(&self) -> bool {
        let name = self.function.as_deref().map(|it| it.split(['@', '(']).next().unwrap_or(it));
        name.is_some_and(|it| STARTS.contains(&it) || it == "asan_thread_start")
    }

    /// It is in a file of the system, such as a header of C++'s library.
    pub fn is_of_system(&self) -> bool {
        let folders = ["/usr/include/", "/usr/lib/", "/usr/local/include/", "/usr/local/lib/"];
        self.file.as_deref().is_some_and(|it| folders.iter().any(|folder| it.starts_with(folder)))
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.function.clone());
        if let Some(file) = &self.file {
            let line = self.line.map_or(String::new(), |it| format!(":{it}"));
            let column = self.column.map_or(String::new(), |it| format!(":{it}"));
            parts.push(format!("{file}{line}{column}"));
        }
        match parts.is_empty() {
            true => f.write_str(self.module.as_deref().unwrap_or("unknown")),
            false => f.write_str(&parts.join(" ")),
        }
    }
}

/// How a failure shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// In one word.
    pub kind: String,
    /// In one sentence.
    pub message: String,
    /// The innermost first.
    pub frames: Vec<Frame>,
}

impl Symptom {
    fn plain(kind: &str, message: String) -> Symptom {
        Symptom { kind: kind.to_owned(), message, frames: Vec::new() }
    }

    /// Whether it is the same failure, by its kind and so many frames.
    pub fn is_same(&self, other: &Symptom, frames: usize) -> bool {
        let top = |it: &Symptom| it.frames.iter().take(frames).map(Frame::to_string).collect::<Vec<_>>();
        self.kind == other.kind && top(self) == top(other)
    }

    /// It is nothing but a bad exit status.
    pub fn is_exit(&self) -> bool {
        self.kind.starts_with(EXIT)
    }
}

const EXIT: &str = "exit-status-";

/// What a failure is.
#[derive(Debug)]
pub enum Detector {
    /// A sanitizer's report, a failed assertion, a signal, or else a bad exit status.
    Crash,
    /// It does not end in time.
    Hang,
    /// It exits with one of these.
    Status(Statuses),
    /// What it prints is not this.
    Expected(Expected),
    /// What it prints matches this.
    Matches(Regex),
    /// It prints something else, or exits otherwise, than another program does.
    Reference(Reference),
    /// This command says so: see [`script`].
    Script(Runner),
}

/// A program that is right.
#[derive(Debug)]
pub struct Reference {
    pub program: Runner,
    /// Exit statuses of inputs that are fine: with others it refuses its input.
    pub good: Statuses,
}

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    Failed(Symptom),
    Passed,
    Invalid,
    /// It hit a limit.
    Stopped(Limit),
}

/// What a run shows, against the failure that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Bad,
    Good,
    Invalid,
    Other,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Bad => "bad",
            Verdict::Good => "good",
            Verdict::Invalid => "invalid",
            Verdict::Other => "other",
        }
    }

    pub fn from_name(name: &str) -> Option<Verdict> {
        [Verdict::Bad, Verdict::Good, Verdict::Invalid, Verdict::Other].into_iter().find(|it| it.name() == name)
    }
}

/// The status with which a user's script calls an input invalid; `git bisect` has the same for what cannot be tested.
pub const INVALID: i32 = 125;

impl Detector {
    pub fn observe(&self, input: &[u8], outcome: &Outcome) -> Result<Observation, Error> {
        let crash = crash(outcome);
        if outcome.end == End::Interrupted {
            return Err(Error::Interrupted);
        }
        Ok(match (self, outcome.end) {
            (Detector::Hang, End::Stopped(Limit::Time | Limit::Processor)) => {
                Observation::Failed(Symptom::plain("hang", "the program does not end in time".to_owned()))
            }
            (_, End::Stopped(limit)) => Observation::Stopped(limit),
            (Detector::Script(script), _) => by_script(script, input, outcome)?,
            (Detector::Matches(pattern), _) => {
                let found = pattern.find(&outcome.stdout).or_else(|| pattern.find(&outcome.stderr));
                let shown = found.map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned());
                match (shown, crash) {
                    (Some(text), _) => Observation::Failed(Symptom::plain("output", format!("it prints `{text}`"))),
                    (None, crash) => crash.map_or_else(|| ended(outcome.end), Observation::Failed),
                }
            }
            (_, _) if crash.is_some() => crash.map_or(Observation::Passed, Observation::Failed),
            (Detector::Status(failing), End::Exited(status)) if failing.contains(status) => failed_exit(status),
            (Detector::Status(_), End::Exited(1..)) => Observation::Invalid,
            (Detector::Expected(expected), _) => match expected.instead_of(&outcome.stdout, input) {
                Some(instead) => Observation::Failed(wrong_output(instead, &outcome.stdout)),
                // Tests say nothing about it.
                None if matches!(expected, Expected::ByInput(_)) => Observation::Passed,
                None => ended(outcome.end),
            },
            (Detector::Reference(reference), end) => by_reference(reference, input, outcome, end)?,
            (_, end) => ended(end),
        })
    }
}

/// What an exit status says where nothing else does.
fn ended(end: End) -> Observation {
    match end {
        End::Exited(0) => Observation::Passed,
        End::Exited(status) => failed_exit(status),
        _ => Observation::Passed,
    }
}

fn failed_exit(status: i32) -> Observation {
    let message = format!("the program exits with status {status}");
    Observation::Failed(Symptom::plain(&format!("{EXIT}{status}"), message))
}

/// A sanitizer's report, a failed assertion, or a signal.
fn crash(outcome: &Outcome) -> Option<Symptom> {
    if let Some(report) = sanitizer::read(&String::from_utf8_lossy(&outcome.stderr)) {
        return Some(report);
    }
    let End::Signalled(signal) = outcome.end else { return None };
    let name = signal_name(signal);
    let hint = match signal {
        libc::SIGILL | libc::SIGTRAP => ", as by a check of the compiler that fails, or by `__builtin_trap`",
        _ => "",
    };
    Some(Symptom::plain(&name.to_lowercase(), format!("the program is killed by {name}{hint}")))
}

/// Characters of a wrong line that are shown.
const SHOWN: usize = 60;

fn wrong_output(expected: &[u8], found: &[u8]) -> Symptom {
    let line = |text: &[u8], number: usize| {
        let line = text.split(|&it| it == b'\n').nth(number).unwrap_or_default();
        String::from_utf8_lossy(line).chars().collect::<Vec<char>>()
    };
    let differs = expected.split(|&it| it == b'\n').zip(found.split(|&it| it == b'\n')).position(|(a, b)| a != b);
    let at = differs
        .unwrap_or_else(|| expected.split(|&it| it == b'\n').count().min(found.split(|&it| it == b'\n').count()));
    let lines = found.split_inclusive(|&it| it == b'\n').count();
    let is_inside = matches!(WrongOutput::first(found, expected), Some(WrongOutput::Missing { at, all }) if at < all);
    let (expected, found) = (line(expected, at), line(found, at));
    // Of a long line, what is around the first difference.
    let same = expected.iter().zip(&found).take_while(|(one, other)| one == other).count();
    let skipped = if same < SHOWN - SHOWN / 4 { 0 } else { same - SHOWN / 2 };
    let shown = |line: &[char]| {
        let begins = if skipped > 0 { "…" } else { "" };
        let ends = if line.len() > skipped + SHOWN { "…" } else { "" };
        format!("{begins}{}{ends}", line.iter().skip(skipped).take(SHOWN).collect::<String>())
    };
    let (expected, instead) = (shown(&expected), shown(&found));
    let message = match is_inside || found.is_empty() && at >= lines {
        true => format!("line {} of its output is missing: `{expected}`", at + 1),
        false => format!("line {} of its output is `{instead}` instead of `{expected}`", at + 1),
    };
    Symptom::plain("wrong-output", message)
}

/// What the other program refuses is invalid.
fn by_reference(reference: &Reference, input: &[u8], outcome: &Outcome, end: End) -> Result<Observation, Error> {
    let other = reference.program.run(input)?;
    Ok(match (other.end, end) {
        (End::Interrupted, _) => return Err(Error::Interrupted),
        (End::Exited(expected), End::Exited(status)) if reference.good.contains(expected) => {
            match (reference.good.contains(status), other.stdout == outcome.stdout) {
                (false, _) => failed_exit(status),
                // Where it says something else each time, as with addresses, nothing is known of what is right.
                (true, false) if reference.program.run(input)?.stdout != other.stdout => Observation::Invalid,
                (true, false) => Observation::Failed(wrong_output(&other.stdout, &outcome.stdout)),
                (true, true) if status != expected => Observation::Failed(wrong_status(expected, status)),
                (true, true) => Observation::Passed,
            }
        }
        _ => Observation::Invalid,
    })
}

/// Both are statuses of inputs that are fine.
fn wrong_status(expected: i32, found: i32) -> Symptom {
    Symptom::plain("wrong-status", format!("the program exits with status {found} instead of {expected}"))
}

/// A command that judges runs. Its environment tells about the run: `FAULTLINE_INPUT`, `FAULTLINE_STDOUT` and
/// `FAULTLINE_STDERR` are files, `FAULTLINE_STATUS` is the exit status, or 128 and the signal. It exits with 0 if the run
/// shows the failure, with 1 if not, and with [`INVALID`] if the input is invalid.
pub fn script(line: &std::ffi::OsStr, like: &Runner) -> Result<Runner, Error> {
    like.beside(Command::shell_here(line)?)
}

fn by_script(script: &Runner, input: &[u8], outcome: &Outcome) -> Result<Observation, Error> {
    let folder = script.folder()?;
    let mut environment = Vec::new();
    for (name, bytes) in [("INPUT", input), ("STDOUT", &outcome.stdout), ("STDERR", &outcome.stderr)] {
        let path = folder.join(name.to_lowercase());
        std::fs::write(&path, bytes).map_err(Error::file("write", &path))?;
        environment.push((format!("FAULTLINE_{name}").into(), path.into_os_string()));
    }
    let status = match outcome.end {
        End::Exited(status) => status,
        End::Signalled(signal) => 128 + signal,
        _ => 0,
    };
    environment.push(("FAULTLINE_STATUS".into(), status.to_string().into()));
    let judged = script.run_with(input, &environment)?;
    // What is left of it goes with the runner.
    let _ = std::fs::remove_dir_all(&folder);
    match judged.end {
        End::Exited(0) => Ok(Observation::Failed(Symptom::plain("script", "the script sees the failure".to_owned()))),
        End::Exited(1) => Ok(Observation::Passed),
        End::Exited(INVALID) => Ok(Observation::Invalid),
        End::Interrupted => Err(Error::Interrupted),
        end => {
            let how = match end {
                End::Exited(status) => format!("exited with status {status}"),
                End::Stopped(limit) => limit.words().0.to_owned(),
                _ => "was killed".to_owned(),
            };
            let said = String::from_utf8_lossy(&judged.stderr);
            let said = said.lines().next().map_or(String::new(), |line| format!(" ({line})"));
            Err(Error::Failure(format!(
                "the script {how}{said}: it must exit with 0 if the run shows the failure, with 1 if not, and with {INVALID} if \
                 the input is invalid"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::run::Limits;

    fn shell(line: &str) -> Runner {
        Runner::new(Command::shell(OsStr::new(line)), Limits::default(), Arc::default()).unwrap()
    }

    fn outcome(end: End, stdout: &str, stderr: &str) -> Outcome {
        let (stdout, stderr) = (stdout.as_bytes().to_vec(), stderr.as_bytes().to_vec());
        Outcome { end, stdout, stderr, time: Duration::ZERO, memory: 0 }
    }

    #[track_caller]
    fn check(detector: &Detector, outcome: &Outcome, expected: &str) {
        let found = match detector.observe(b"input", outcome).unwrap() {
            Observation::Failed(symptom) => symptom.kind,
            Observation::Passed => "passed".to_owned(),
            Observation::Invalid => "invalid".to_owned(),
            Observation::Stopped(limit) => limit.name().to_owned(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn frames_before_main() {
        let frame = |name: &str| Frame { function: Some(name.to_owned()), ..Frame::default() };
        for name in ["_start", "__libc_start_main@@GLIBC_2.34", "__libc_start_call_main", "asan_thread_start(void*)"] {
            assert!(frame(name).is_start(), "{name}");
        }
        for name in ["main", "start", "clone_tree(node*)"] {
            assert!(!frame(name).is_start(), "{name}");
        }
        assert!(!Frame::default().is_start());
    }

    #[test]
    fn what_detectors_see() {
        let (fine, bad) = (outcome(End::Exited(0), "4\n", ""), outcome(End::Exited(3), "5\n", "error"));
        let killed = outcome(End::Signalled(libc::SIGSEGV), "", "");
        let slow = outcome(End::Stopped(Limit::Time), "", "");
        let reported = outcome(End::Exited(1), "", "==1==ERROR: AddressSanitizer: heap-use-after-free on address\n");
        for (detector, expected) in [
            (Detector::Crash, ["passed", "exit-status-3", "sigsegv", "time", "heap-use-after-free"]),
            (Detector::Hang, ["passed", "exit-status-3", "sigsegv", "hang", "heap-use-after-free"]),
            (Detector::Status(3.into()), ["passed", "exit-status-3", "sigsegv", "time", "heap-use-after-free"]),
            (
                Detector::Expected(Expected::Always(b"4\n".to_vec())),
                ["passed", "wrong-output", "sigsegv", "time", "heap-use-after-free"],
            ),
            (
                Detector::Matches(Regex::new("5|rror$").unwrap()),
                ["passed", "output", "sigsegv", "time", "heap-use-after-free"],
            ),
        ] {
            for (run, expected) in [&fine, &bad, &killed, &slow, &reported].into_iter().zip(expected) {
                check(&detector, run, expected);
            }
        }
    }

    #[test]
    fn another_program_knows() {
        let detector = |line: &str, good: &str| {
            Detector::Reference(Reference { program: shell(line), good: good.parse().unwrap() })
        };
        let copy = detector("cat; echo", "0");
        check(&copy, &outcome(End::Exited(0), "input\n", ""), "passed");
        check(&copy, &outcome(End::Exited(0), "other\n", ""), "wrong-output");
        check(&copy, &outcome(End::Exited(1), "input\n", ""), "exit-status-1");
        check(&detector("exit 1", "0"), &outcome(End::Exited(0), "", ""), "invalid");
        let none = detector("exit 1", "0,1");
        check(&none, &outcome(End::Exited(1), "", ""), "passed");
        check(&none, &outcome(End::Exited(0), "", ""), "wrong-status");
        check(&none, &outcome(End::Exited(0), "other", ""), "wrong-output");
        check(&none, &outcome(End::Exited(2), "", ""), "exit-status-2");
    }

    #[test]
    fn a_script_knows() {
        let detector = Detector::Script(shell("grep -q 5 $FAULTLINE_STDOUT || exit $FAULTLINE_STATUS"));
        check(&detector, &outcome(End::Exited(1), "5", ""), "script");
        check(&detector, &outcome(End::Exited(1), "4", ""), "passed");
        check(&detector, &outcome(End::Exited(125), "4", ""), "invalid");
        let wrong = detector.observe(b"", &outcome(End::Exited(9), "4", ""));
        assert!(wrong.unwrap_err().to_string().starts_with("the script exited with status 9"));
    }

    #[test]
    fn the_same_failure() {
        let frame = |name: &str| Frame { function: Some(name.to_owned()), ..Frame::default() };
        let symptom = |names: &[&str]| Symptom {
            kind: "segv".into(),
            message: String::new(),
            frames: names.iter().map(|it| frame(it)).collect(),
        };
        assert!(symptom(&["f", "g", "main"]).is_same(&symptom(&["f", "g", "other"]), 2));
        assert!(!symptom(&["f", "g"]).is_same(&symptom(&["f", "h"]), 2));
        assert!(!symptom(&["f"]).is_same(&Symptom { kind: "leak".into(), ..symptom(&["f"]) }, 1));
    }
}
