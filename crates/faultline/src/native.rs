//! What `reduce`, `inputs` and `diagnose` have in common: from the command line to a judge of runs.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use observe::detect::judge::{Confirmed, Judge};
use observe::detect::{Detector, Expected, Reference, Verdict, script};
use observe::inputs::oracle::Budget;
use observe::inputs::tokens::Specification;
use observe::run::server::{Ready, Service};
use observe::run::{Command, Limits, Runner, server};
use regex::bytes::Regex;
use report::Severity;

use crate::arguments_native::{Search, Subject};
use crate::interrupt;
use crate::screen::Screen;

/// The failing input, and who tells whether another one fails, too.
pub struct Case {
    pub input: Vec<u8>,
    pub judge: Judge,
    pub jobs: usize,
}

/// What fails, as it shows in several runs, and who tells whether other inputs do. The user may have inputs on which it does not.
pub fn case(arguments: &Subject, search: &Search, has_good: bool) -> Result<(Case, Confirmed)> {
    let failing = arguments.failing();
    let input =
        std::fs::read(failing).with_context(|| format!("cannot read the failing input {}", failing.display()))?;
    let known = match &arguments.expected {
        Some(file) if has_good => {
            Some(Detector::Expected(Expected::On { input: input.clone(), output: expected(file)? }))
        }
        _ => None,
    };
    let (judge, jobs) = judge(arguments, search, interrupt::catch(), known)?;
    let failure = judge.confirm(&input)?;
    let is_of_any = matches!(judge.detector, Detector::Expected(Expected::Always(_)));
    if is_of_any && !input.is_empty() && judge.judge(&[], &failure)? != Verdict::Good {
        bail!("{}", of_one_input(arguments));
    }
    Ok((Case { input, judge, jobs }, failure))
}

/// What should be printed on the failing input is right on all others only if it is on none at all.
fn of_one_input(arguments: &Subject) -> String {
    format!(
        "--expected tells what the program should print on {}, and nothing about other inputs: say what is right on them, too, with \
         --reference, --bad-output or --script; or let `faultline diagnose` compare with inputs on which the program does right \
         (--good DIR), or with tests (--tests DIR)",
        arguments.failing().display()
    )
}

fn expected(file: &Path) -> Result<Vec<u8>> {
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Who tells failing inputs, by the options or by what is known otherwise; and how many run at a time.
pub fn judge(
    arguments: &Subject,
    search: &Search,
    interrupt: Arc<AtomicBool>,
    known: Option<Detector>,
) -> Result<(Judge, usize)> {
    let limits = Limits {
        time: arguments.run_timeout,
        // A second of processor time more than of time: the clock decides first, but not for what has many processes.
        processor: arguments.run_timeout + Duration::from_secs(1),
        memory: arguments.memory,
        output: arguments.max_output,
        file: arguments.max_file,
        written: arguments.max_written,
        processes: arguments.max_processes,
        gated: true,
    };
    let mut command = Command::new(arguments.command.clone());
    command.folder =
        arguments.folder.as_ref().map(std::path::absolute).transpose().context("cannot find the folder")?;
    if let Some(folder) = command.folder.as_ref().filter(|it| !it.is_dir()) {
        bail!("there is no folder {}", folder.display());
    }
    let name = arguments.failing.as_deref().and_then(Path::file_name);
    command.input_name = name.map_or_else(|| "input".into(), ToOwned::to_owned);
    for variable in &arguments.env {
        let (name, value) = variable.split_once('=').with_context(|| format!("--env {variable} is not NAME=VALUE"))?;
        command.environment.push((name.into(), value.into()));
    }
    let runner = Runner::new(command, limits, interrupt)?;
    let detector = known.map_or_else(|| detector(arguments, &runner), Ok)?;
    let subject = subject(arguments, runner)?;
    let jobs = search.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get()));
    let jobs = if subject.is_single() || arguments.folder.is_some() { 1 } else { jobs.max(1) };
    let judge = Judge {
        subject,
        detector,
        frames: arguments.frames,
        good_statuses: arguments.good_status.clone(),
        invalid: arguments.invalid_output.as_deref().map(|it| pattern("--invalid-output", it)).transpose()?,
        repetitions: arguments.repeat,
    };
    Ok((judge, jobs))
}

fn pattern(option: &str, text: &str) -> Result<Regex> {
    Regex::new(text).with_context(|| format!("{option} is no regular expression"))
}

fn subject(arguments: &Subject, runner: Runner) -> Result<server::Subject> {
    let (Some(client), Some(ready)) = (&arguments.client, &arguments.server_ready) else {
        return Ok(server::Subject::Program(Box::new(runner)));
    };
    let mut command = Command::shell_here(client)?;
    command.input_name = runner.command.input_name.clone();
    let stop = arguments.server_stop.as_ref().map(|line| runner.beside(Command::shell_here(line)?));
    Ok(server::Subject::Service(Box::new(Service {
        client: runner.beside(command)?,
        ready: Ready::parse(ready).map_err(anyhow::Error::msg).context("--server-ready")?,
        stop: stop.transpose()?,
        server: runner,
    })))
}

fn detector(arguments: &Subject, runner: &Runner) -> Result<Detector> {
    Ok(if let Some(file) = &arguments.expected {
        Detector::Expected(Expected::Always(expected(file)?))
    } else if let Some(text) = &arguments.bad_output {
        Detector::Matches(pattern("--bad-output", text)?)
    } else if let Some(line) = &arguments.reference {
        let mut command = Command::shell_here(line)?;
        command.input_name = runner.command.input_name.clone();
        Detector::Reference(Reference { program: runner.beside(command)?, good: arguments.good_status.clone() })
    } else if let Some(line) = &arguments.script {
        Detector::Script(script(line, runner)?)
    } else if arguments.hang {
        Detector::Hang
    } else if let Some(statuses) = &arguments.status {
        Detector::Status(statuses.clone())
    } else {
        Detector::Crash
    })
}

pub fn budget(search: &Search) -> Budget {
    Budget { runs: search.runs, time: search.timeout }
}

/// The specification of that name, or in that file.
pub fn specification(named: &str) -> Result<Specification> {
    if let Some(found) = Specification::built_in(named) {
        return Ok(found);
    }
    let names: Vec<&str> = observe::inputs::tokens::BUILT_IN.iter().map(|(name, _)| *name).collect();
    let text = std::fs::read_to_string(named)
        .with_context(|| format!("--tokens {named} is neither {} nor a file that can be read", names.join(", ")))?;
    Ok(Specification::parse(named, &text)?)
}

/// One line that says which runs belong together.
pub fn key(arguments: &Subject, failure: &Confirmed) -> String {
    let words: Vec<String> = arguments.command.iter().map(|it| it.to_string_lossy().into_owned()).collect();
    let detector = [
        arguments.expected.as_ref().map(|it| format!(" expected {}", it.display())),
        arguments.bad_output.as_ref().map(|it| format!(" bad output {it}")),
        arguments.reference.as_ref().map(|it| format!(" reference {}", it.display())),
        arguments.script.as_ref().map(|it| format!(" script {}", it.display())),
        arguments.invalid_output.as_ref().map(|it| format!(" invalid output {it}")),
    ];
    let top: Vec<String> = failure.symptom.frames.iter().take(arguments.frames).map(ToString::to_string).collect();
    format!(
        "{}: {} {}{}",
        words.join(" "),
        failure.symptom.kind,
        top.join(" < "),
        detector.map(Option::unwrap_or_default).concat()
    )
}

/// Says what the failure is.
pub fn announce_failure(failure: &Confirmed, screen: Screen) {
    let innermost = failure.symptom.frames.first().filter(|it| it.function.is_some() || it.file.is_some());
    let place = innermost.map_or(String::new(), |it| format!(" at {it}"));
    screen.message(Severity::Note, &format!("the failure: {}{place}", failure.symptom.message));
    if failure.repetitions > 1 {
        let (seen, of) = failure.seen;
        let words = format!(
            "it fails in {seen} of {of} runs: each input is run up to {} times, and is good only if it never fails",
            failure.repetitions
        );
        screen.message(Severity::Note, &words);
    }
}

/// Says what the failure is, and what the search may cost.
pub fn announce(failure: &Confirmed, search: &Search, jobs: usize, screen: Screen) {
    announce_failure(failure, screen);
    let once = failure.cost.as_secs_f64();
    let each = once * f64::from(failure.repetitions);
    let (all, limit) = (each * search.runs as f64 / jobs as f64, search.timeout.as_secs_f64());
    let words = format!(
        "a run takes {} ms with its start, {jobs} at a time: at most {} runs, or {:.0} s{}",
        if once < 0.01 { format!("{:.1}", 1000.0 * once) } else { format!("{:.0}", 1000.0 * once) },
        search.runs,
        all.min(limit).ceil().max(1.0),
        if all > limit { " (--timeout)" } else { "" }
    );
    screen.message(Severity::Note, &words);
}
