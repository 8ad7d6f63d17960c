//! Runs a program that is not to be trusted.
//!
//! A command line and the bytes of an input → an [`Outcome`]: how it ended, what it printed, which limit it hit. The input
//! is a file whose path stands for `@@` in the arguments, or standard input; where `@args` stands in them, the words of its
//! first line do, and standard input is the rest. Each run has a temporary folder, which is
//! its current folder (unless the user names one), its `TMPDIR` and its `HOME`; limits on time, processor time, memory, the
//! size of files, what is written and the number of processes; and a supervisor that leaves none of its
//! processes behind.
//!
//! Whether a run shows a failure is not decided here: see [`crate::detect`].

mod arguments;
mod census;
mod gate;
pub mod server;
mod supervisor;
mod usage;

use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Error;
use supervisor::{Ended, Start, Supervised};

use arguments::{contains, replaced, with_arguments};

/// Stands for the input's path in arguments.
pub const INPUT: &str = "@@";

/// Stands for the words of the input's first line in arguments.
pub const ARGUMENTS: &str = "@args";

/// What one run may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    /// Processor time of each process.
    pub processor: Duration,
    /// Bytes in memory of all its processes.
    pub memory: u64,
    /// Bytes that it prints, on each stream.
    pub output: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Bytes that all its processes write.
    pub written: u64,
    pub processes: u32,
    /// Whether processes are counted before they are started, not only from time to time. Now and then this takes a
    /// second run, which does not go where something of the first is kept.
    pub gated: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(5),
            processor: Duration::from_secs(10),
            memory: 2 << 30,
            output: 16 << 20,
            file: 128 << 20,
            written: 512 << 20,
            processes: 64,
            gated: true,
        }
    }
}

/// A limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    Time,
    Processor,
    Memory,
    Output,
    File,
    Written,
    Processes,
}

impl Limit {
    /// In one word, for files.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::Processor => "processor-time",
            Limit::Memory => "memory",
            Limit::Output => "output",
            Limit::File => "file-size",
            Limit::Written => "written",
            Limit::Processes => "processes",
        }
    }

    /// What the program did, and the option that allows more.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Limit::Time => ("does not end in time", "--run-timeout"),
            Limit::Processor => ("uses too much processor time", "--run-timeout"),
            Limit::Memory => ("uses too much memory", "--memory"),
            Limit::Output => ("prints too much", "--max-output"),
            Limit::File => ("writes too large a file", "--max-file"),
            Limit::Written => ("writes too much", "--max-written"),
            Limit::Processes => ("starts too many processes", "--max-processes"),
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signalled(i32),
    Stopped(Limit),
    Interrupted,
}

impl End {
    /// What the program does.
    pub(crate) fn words(self) -> String {
        match self {
            End::Exited(status) => format!("exits with status {status}"),
            End::Signalled(signal) => format!("is killed by {}", signal_name(signal)),
            End::Stopped(limit) => limit.words().0.to_owned(),
            End::Interrupted => "was interrupted".to_owned(),
        }
    }
}

pub(crate) fn signal_name(signal: i32) -> String {
    let known = match signal {
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGABRT => "SIGABRT",
        libc::SIGFPE => "SIGFPE",
        libc::SIGBUS => "SIGBUS",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGSYS => "SIGSYS",
        libc::SIGKILL => "SIGKILL",
        libc::SIGTERM => "SIGTERM",
        libc::SIGPIPE => "SIGPIPE",
        _ => return format!("signal {signal}"),
    };
    known.to_owned()
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
    /// The most that was seen; short runs are not looked at.
    pub memory: u64,
}

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<OsString>,
    /// The folder that it runs in, instead of a new one each time.
    pub folder: Option<PathBuf>,
    /// Variables over those that we have ourselves.
    pub environment: Vec<(OsString, OsString)>,
    /// What the file with the input is called, where that matters.
    pub input_name: OsString,
}

impl Command {
    pub fn new(words: Vec<OsString>) -> Command {
        Command { words, folder: None, environment: Vec::new(), input_name: "input".into() }
    }

    /// A command line for the shell.
    pub fn shell(line: &OsStr) -> Command {
        Command::new(vec!["/bin/sh".into(), "-c".into(), line.to_owned()])
    }

    /// A command line that runs where the user is, so that it finds what it names there.
    pub fn shell_here(line: &OsStr) -> Result<Command, Error> {
        let here = std::env::current_dir().map_err(Error::file("find", "."))?;
        Ok(Command { folder: Some(here), ..Command::shell(line) })
    }

    /// Whether the input is a file that is named in the arguments.
    fn takes_file(&self) -> bool {
        self.words.iter().any(|word| contains(word, INPUT))
    }

    /// Whether the first line of the input has arguments.
    pub fn takes_arguments(&self) -> bool {
        self.words.iter().any(|word| contains(word, ARGUMENTS))
    }
}

/// Runs one command on many inputs, from any number of threads.
#[derive(Debug)]
pub struct Runner {
    pub command: Command,
    pub limits: Limits,
    /// The program, as an absolute path.
    path: PathBuf,
    /// The folders of all runs are in it; it goes when the runner does.
    root: TempDir,
    interrupt: Arc<AtomicBool>,
    runs: AtomicU64,
}

impl Runner {
    pub fn new(mut command: Command, limits: Limits, interrupt: Arc<AtomicBool>) -> Result<Runner, Error> {
        let name = command.words.first().cloned().unwrap_or_default();
        let path = find(&name)?;
        if command.folder.is_none() {
            // Where it runs, paths relative to here would lead nowhere.
            command.words.iter_mut().skip(1).for_each(make_absolute);
        }
        let root = tempfile::Builder::new().prefix("faultline-").tempdir();
        let root = root.map_err(Error::system("make a temporary folder"))?;
        Ok(Runner { command, limits, path, root, interrupt, runs: AtomicU64::new(0) })
    }

    /// Another command under the same limits.
    pub fn beside(&self, command: Command) -> Result<Runner, Error> {
        Runner::new(command, self.limits.clone(), self.interrupt.clone())
    }

    /// The same command under other limits.
    pub fn with_limits(&self, change: impl Fn(&mut Limits)) -> Result<Runner, Error> {
        let mut limits = self.limits.clone();
        change(&mut limits);
        Runner::new(self.command.clone(), limits, self.interrupt.clone())
    }

    /// The program's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder for whoever asks, which goes with the runner.
    pub fn folder(&self) -> Result<PathBuf, Error> {
        let folder = self.root.path().join(self.runs.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&folder).map_err(Error::file("make", &folder))?;
        Ok(folder)
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    pub fn run(&self, input: &[u8]) -> Result<Outcome, Error> {
        self.run_with(input, &[])
    }

    /// With more variables in the environment.
    pub fn run_with(&self, input: &[u8], environment: &[(OsString, OsString)]) -> Result<Outcome, Error> {
        let mut gated = self.limits.gated;
        loop {
            let run = Run::prepare(self, input, environment)?;
            let supervised = run.start(self, gated)?;
            let outcome = self.attend(supervised, &run);
            // A folder that cannot be removed now goes with the runner.
            let _ = fs::remove_dir_all(&run.folder);
            match outcome? {
                Some(outcome) => return Ok(outcome),
                None => gated = false,
            }
        }
    }

    /// Waits for the end, and brings it about where a limit is hit. Nothing if the run was disturbed.
    fn attend(&self, mut supervised: Supervised, run: &Run) -> Result<Option<Outcome>, Error> {
        let started = Instant::now();
        let (mut stopped, mut memory) = (None, 0);
        let refused = |source| Error::CannotExecute { path: self.path.clone(), source };
        let ended = loop {
            let wait = match started.elapsed().as_millis() {
                0..=49 => 3,
                50..=999 => 8,
                _ => 25,
            };
            if let Some(ended) = supervised.wait(wait).map_err(refused)? {
                break ended;
            }
            if stopped.is_some() {
                continue;
            }
            let usage = usage::below(supervised.supervisor(), self.limits.processes);
            memory = memory.max(usage.memory);
            let end = match self.exceeded(started, usage, run) {
                _ if self.is_interrupted() => Some(End::Interrupted),
                limit => limit.map(End::Stopped),
            };
            if end.is_some() {
                stopped = end;
                supervised.stop();
            }
        };
        if supervised.is_disturbed() && stopped != Some(End::Interrupted) {
            return Ok(None);
        }
        let limit = self.limits.output;
        // A short run may end before anybody has looked.
        let printed = || run.has_printed(limit).then_some(End::Stopped(Limit::Output));
        Ok(Some(Outcome {
            end: stopped.or_else(printed).unwrap_or_else(|| end(ended)),
            stdout: beginning(&run.folder.join(STDOUT), limit)?,
            stderr: beginning(&run.folder.join(STDERR), limit)?,
            time: started.elapsed(),
            memory,
        }))
    }

    fn exceeded(&self, started: Instant, usage: usage::Usage, run: &Run) -> Option<Limit> {
        let limits = &self.limits;
        match () {
            () if usage.processes > limits.processes => Some(Limit::Processes),
            () if started.elapsed() >= limits.time => Some(Limit::Time),
            () if usage.memory > limits.memory => Some(Limit::Memory),
            () if run.has_printed(limits.output) => Some(Limit::Output),
            () if usage.written > limits.written => Some(Limit::Written),
            () => None,
        }
    }
}

const STDOUT: &str = ".stdout";
const STDERR: &str = ".stderr";

fn end(ended: Ended) -> End {
    let status = ended.status;
    match status {
        _ if ended.is_full => End::Stopped(Limit::Processes),
        _ if libc::WIFEXITED(status) => End::Exited(libc::WEXITSTATUS(status)),
        _ => match libc::WTERMSIG(status) {
            libc::SIGXCPU => End::Stopped(Limit::Processor),
            libc::SIGXFSZ => End::Stopped(Limit::File),
            signal => End::Signalled(signal),
        },
    }
}

fn beginning(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Error::file("read", path))?;
    file.take(most).read_to_end(&mut bytes).map_err(Error::file("read", path))?;
    Ok(bytes)
}

/// One run, with its folder and streams.
struct Run {
    folder: PathBuf,
    works_in: PathBuf,
    stdin: File,
    stdout: File,
    stderr: File,
    arguments: Vec<CString>,
    environment: Vec<CString>,
}

impl Run {
    fn prepare(runner: &Runner, input: &[u8], environment: &[(OsString, OsString)]) -> Result<Run, Error> {
        let folder = runner.folder()?;
        let path = folder.join(&runner.command.input_name);
        let (words, input) = with_arguments(&runner.command, input);
        fs::write(&path, input).map_err(Error::file("write", &path))?;
        let append = |name: &str| {
            let path = folder.join(name);
            File::options().create(true).append(true).open(&path).map_err(Error::file("write", &path))
        };
        let stdin = if runner.command.takes_file() { Path::new("/dev/null") } else { path.as_path() };
        let arguments = words.iter().map(|word| text(replaced(word, INPUT, path.as_os_str())));
        let arguments = arguments.collect::<Result<_, _>>()?;
        // Where the user names the folder, the surroundings are the user's.
        let names: &[&str] = if runner.command.folder.is_some() { &["TMPDIR"] } else { &["TMPDIR", "HOME"] };
        let own = names.iter().map(|name| (OsString::from(name), folder.as_os_str().to_owned()));
        let given = runner.command.environment.iter().chain(environment).cloned();
        let path_variable = given.map(|(name, value)| (name, replaced(&value, INPUT, path.as_os_str())));
        Ok(Run {
            works_in: runner.command.folder.clone().unwrap_or_else(|| folder.clone()),
            stdin: File::open(stdin).map_err(Error::file("read", stdin))?,
            stdout: append(STDOUT)?,
            stderr: append(STDERR)?,
            arguments,
            environment: variables(own.chain(path_variable))?,
            folder,
        })
    }

    /// Whether there is more than so much on a stream.
    fn has_printed(&self, most: u64) -> bool {
        [&self.stdout, &self.stderr].iter().any(|it| it.metadata().is_ok_and(|it| it.len() > most))
    }

    fn start(&self, runner: &Runner, gated: bool) -> Result<Supervised, Error> {
        supervisor::start(&Start {
            path: &runner.path,
            arguments: &self.arguments,
            environment: &self.environment,
            folder: &self.works_in,
            stdin: &self.stdin,
            stdout: &self.stdout,
            stderr: &self.stderr,
            file: runner.limits.file,
            processor: runner.limits.processor.as_secs().max(1),
            processes: gated.then_some(runner.limits.processes),
        })
        .map_err(|source| Error::CannotExecute { path: runner.path.clone(), source })
    }
}

fn text(word: OsString) -> Result<CString, Error> {
    CString::new(word.into_vec())
        .map_err(|error| Error::System { doing: "pass on the arguments", source: error.into() })
}

/// Ours, with those over them.
fn variables(over: impl Iterator<Item = (OsString, OsString)>) -> Result<Vec<CString>, Error> {
    let mut all: std::collections::BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    all.extend(over);
    all.into_iter().map(|(name, value)| text([name, value].join(OsStr::new("=")))).collect()
}

/// Finds a program as a shell does.
fn find(name: &OsStr) -> Result<PathBuf, Error> {
    let is_program =
        |path: &Path| fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0);
    let candidates: Vec<PathBuf> = match name.as_bytes().contains(&b'/') {
        true => vec![PathBuf::from(name)],
        false => std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).map(|it| it.join(name)).collect(),
    };
    if let Some(found) = candidates.iter().find(|it| is_program(it)) {
        return std::path::absolute(found).map_err(Error::file("find", found));
    }
    Err(match candidates.into_iter().find(|it| it.exists()) {
        Some(path) => Error::NotExecutable { path },
        None => Error::NoProgram { name: name.to_string_lossy().into_owned() },
    })
}

/// A file that is there is named so that it is found from anywhere.
fn make_absolute(word: &mut OsString) {
    let path = Path::new(&*word);
    if path.is_relative() && path.is_file() {
        if let Ok(absolute) = std::path::absolute(path) {
            *word = absolute.into_os_string();
        }
    }
}

#[cfg(test)]
mod tests;
