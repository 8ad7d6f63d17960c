//! What `diagnose` says about sources with a failing input: they are built with `faultline cc` in a temporary folder, with
//! sanitizers, and observed on that input and on others near it.
//!
//! Both are started as programs of their own, as a user would: a compiler has its own way to end, and whatever the
//! observed program does stays outside.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use diagnosis::Diagnosis;
use program::Program;
use report::document::restore::{self, Restored};

use crate::arguments::{Localize, Reading};
use crate::captured::Captured;

/// What is compiled with it, so that what goes wrong shows natively, too.
const BUILD: [&str; 6] = ["cc", "-g", "-O1", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
/// The share of the time for making inputs; recording and slicing take the rest.
const INPUTS_SHARE: f64 = 0.5;
const POLL: Duration = Duration::from_millis(5);

/// Asks within the time. Nothing if no input was given as a file.
pub fn ask(
    program: &Program,
    asked: &Localize,
    flags: &[String],
    time: Duration,
    interrupted: &AtomicBool,
) -> Result<Option<Diagnosis>> {
    let Some(failing) = asked.inputs.stdin.as_ref().filter(|_| is_source(&asked.reading)) else {
        return Ok(None);
    };
    let deadline = Instant::now() + time;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let built = build(&asked.reading, flags, folder.path(), deadline, interrupted)?;
    let left = deadline.saturating_duration_since(Instant::now()).mul_f64(INPUTS_SHARE);
    let mut diagnose: Vec<OsString> =
        ["diagnose", "--quiet", "--format", "json", "--failing"].map(OsString::from).to_vec();
    diagnose.push(failing.into());
    diagnose.extend(["--timeout".into(), format!("{}ms", left.as_millis()).into(), "--".into(), built.into()]);
    diagnose.extend(asked.inputs.arguments.iter().cloned());
    let json = start(&diagnose, deadline, interrupted).context("it could not be observed")?;
    let document = restore::read(&json).context("the observation could not be read")?;
    Ok(Restored { sources: &program.sources, document: &document }.diagnosis())
}

/// Whether all files are C, which can be built.
pub fn is_source(reading: &Reading) -> bool {
    reading.files.iter().all(|file| file.extension().is_some_and(|it| it == "c" || it == "i"))
}

/// Builds the program in the folder, to be observed.
pub fn build(
    reading: &Reading,
    flags: &[String],
    folder: &Path,
    deadline: Instant,
    interrupted: &AtomicBool,
) -> Result<PathBuf> {
    let built = folder.join("program");
    let mut arguments: Vec<OsString> = BUILD.map(OsString::from).to_vec();
    arguments.extend(["-o".into(), built.clone().into()]);
    arguments.extend(reading.files.iter().map(OsString::from));
    arguments.extend(flags.iter().map(OsString::from));
    arguments.push("-lm".into());
    start(&arguments, deadline, interrupted).context("it could not be built to be observed")?;
    Ok(built)
}

/// Starts Faultline itself: what it prints, if it comes to an answer.
fn start(arguments: &[OsString], deadline: Instant, interrupted: &AtomicBool) -> Result<String> {
    let this = std::env::current_exe().context("cannot find the program itself")?;
    let mut command = Command::new(this);
    command.args(arguments);
    let ((printed, stdout), (messages, stderr)) = (Captured::new()?, Captured::new()?);
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    // SAFETY: `prctl` may be called between fork and exec. Who asked is gone then, and so is the question.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            Ok(())
        })
    };
    let mut child = command.spawn().context("cannot start the program itself")?;
    match wait(&mut child, deadline, interrupted)? {
        Some(0 | 1) => Ok(printed.text()),
        Some(_) => {
            bail!("{}", messages.text().lines().next_back().unwrap_or("it said nothing").trim_start_matches("error: "))
        }
        None => bail!("there was no time left"),
    }
}

/// The exit status; nothing if it had to be stopped.
fn wait(child: &mut Child, deadline: Instant, interrupted: &AtomicBool) -> Result<Option<i32>> {
    let mut is_asked_to_stop = false;
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a process")? {
            return Ok(status.code().filter(|_| !is_asked_to_stop));
        }
        if !is_asked_to_stop && (Instant::now() >= deadline || interrupted.load(Ordering::Relaxed)) {
            is_asked_to_stop = true;
            // SAFETY: the process has not been waited for, so its number is still its own. It ends what it started.
            unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
        }
        std::thread::sleep(POLL);
    }
}
