//! Single measurements: processor time of a command, sizes, the slicer's own figures, and valgrind's `lackey`.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::program::{Built, Program};

/// Seconds of processor time, the system's for it included. The command must end with status 0.
pub fn cpu_seconds(mut command: Command, input: Option<&Path>) -> Result<f64> {
    command.stdin(open(input)?).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let (mut status, mut usage) = (0, unsafe { std::mem::zeroed::<libc::rusage>() });
    // SAFETY: both places outlive the call; the child is ours and nobody else waits for it.
    unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
    ensure!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{command:?} fails");
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok(seconds(usage.ru_utime) + seconds(usage.ru_stime))
}

fn open(input: Option<&Path>) -> Result<Stdio> {
    match input {
        None => Ok(Stdio::null()),
        Some(path) => Ok(File::open(path).with_context(|| format!("cannot read {}", path.display()))?.into()),
    }
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Bytes of the files in a folder.
pub fn size_of(folder: &Path) -> Result<u64> {
    let mut size = 0;
    for entry in std::fs::read_dir(folder).context("cannot list a recording")? {
        size += entry.and_then(|it| it.metadata()).context("cannot list a recording")?.len();
    }
    Ok(size)
}

/// What the slicer says about one trace.
#[derive(Clone, Copy, Default)]
pub struct Slicing {
    pub records: u64,
    pub seconds: f64,
    /// Bytes of the program's memory that were needed at a time, and bytes that the slicer itself had.
    pub needed: u64,
    pub resident: u64,
}

/// The better of two runs, as the first one reads the files from the disk.
pub fn slicing(slicer: &Path, folder: &Path, binary: &Path) -> Result<Slicing> {
    let once = || -> Result<Slicing> {
        let output = Command::new(slicer).arg(folder).arg(binary).output().context("cannot start the slicer")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(output.status.success(), "the slicer fails: {}", String::from_utf8_lossy(&output.stderr));
        let words: Vec<&str> = text.split_whitespace().collect();
        let [records, _, seconds, needed, resident] = words[..] else { anyhow::bail!("the slicer says `{text}`") };
        Ok(Slicing {
            records: records.parse()?,
            seconds: seconds.parse()?,
            needed: needed.parse()?,
            resident: resident.parse()?,
        })
    };
    let (one, other) = (once()?, once()?);
    Ok(if one.seconds <= other.seconds { one } else { other })
}

/// A run under valgrind's `lackey` that traces memory.
pub struct Lackey {
    pub seconds: f64,
    pub instructions: u64,
    pub bytes: u64,
}

/// `None` where valgrind is not installed.
pub fn lackey(program: &Program, built: &Built, rounds: u64) -> Result<Option<Lackey>> {
    let valgrind = |options: &[&str]| {
        let mut command = Command::new("valgrind");
        command.arg("--tool=lackey").args(options).arg(&built.plain).args(program.arguments(rounds));
        command
    };
    let mut counting = valgrind(&["--basic-counts=yes"]);
    let Ok(output) = counting.stdin(open(program.input())?).output() else { return Ok(None) };
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find_map(|line| line.split_once("guest instrs:"));
    let (_, count) = line.context("valgrind does not say how many instructions there were")?;
    let instructions = count.trim().replace(',', "").parse().context("valgrind counts in other words")?;
    // Its log on a pipe, which costs no disk.
    let mut tracing = valgrind(&["--basic-counts=no", "--trace-mem=yes"]);
    let mut child = tracing
        .stdin(open(program.input())?)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start valgrind")?;
    let mut bytes = 0;
    if let Some(mut log) = child.stderr.take() {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match log.read(&mut buffer).context("cannot read valgrind's log")? {
                0 => break,
                more => bytes += more as u64,
            }
        }
    }
    let (mut status, mut usage) = (0, unsafe { std::mem::zeroed::<libc::rusage>() });
    // SAFETY: both places outlive the call; the child is ours and nobody else waits for it.
    unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
    ensure!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{} fails under valgrind", program.name);
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok(Some(Lackey { seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), instructions, bytes }))
}
