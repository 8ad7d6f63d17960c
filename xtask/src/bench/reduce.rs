//! Does `faultline reduce` make failing inputs as small as afl-tmin and picire, in fewer runs?
//!
//! Input: the programs of `tests/programs/observe/reduce`, each with an input on which it crashes, or a folder with a
//! `programs.tsv` of the same form. All tools get the same binary and the same input, and ask the same question: does it
//! end by SIGSEGV? Output: a row per program and tool, with the bytes that are left, the runs of the program (which it
//! counts itself, in the file that RUNS names) and seconds. A tool that is not installed is said to be missing. True if ours is
//! nowhere larger than another's and the result still fails.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::table::Table;

const OWN: &str = "tests/programs/observe/reduce";
/// As a shell has it.
const CRASH: i32 = 128 + libc::SIGSEGV;

#[derive(Args)]
pub struct Options {
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// A folder with `programs.tsv`; our own programs by default
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
}

struct Program {
    name: String,
    source: PathBuf,
    input: PathBuf,
}

/// A program that makes inputs smaller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Ours,
    AflTmin,
    /// By characters, as ddmin was published, or by lines and then characters.
    Picire(&'static str),
}

const TOOLS: [Tool; 4] = [Tool::Ours, Tool::AflTmin, Tool::Picire("char"), Tool::Picire("both")];

struct Outcome {
    bytes: usize,
    runs: u64,
    seconds: f64,
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Tool::Ours => "faultline reduce",
            Tool::AflTmin => "afl-tmin",
            Tool::Picire("char") => "picire, characters",
            Tool::Picire(_) => "picire, lines and characters",
        }
    }

    /// The command, and where it leaves what is left of the input.
    fn command(self, faultline: &Path, program: &Path, input: &Path, folder: &Path) -> Result<(Command, PathBuf)> {
        let output = folder.join("smaller");
        let mut command;
        match self {
            Tool::Ours => {
                command = Command::new(faultline);
                command.args(["reduce", "--failing"]).arg(input).arg("--output").arg(&output).arg("--").arg(program);
            }
            Tool::AflTmin => {
                command = Command::new("afl-tmin");
                // The binary is not afl's; on crashes it asks for no coverage.
                command.env("AFL_NO_FORKSRV", "1");
                command.arg("-i").arg(input).arg("-o").arg(&output).arg("--").arg(program);
            }
            Tool::Picire(atom) => {
                let test = folder.join("test");
                let text =
                    format!("#!/bin/sh\n'{}' < \"$1\" > /dev/null 2>&1\n[ $? -eq {CRASH} ]\n", program.display());
                write_script(&test, &text)?;
                let results = folder.join("picire");
                command = Command::new("picire");
                command.args(["--atom", atom, "--quiet", "--out"]).arg(&results);
                command.arg("--test").arg(&test).arg("--input").arg(input);
                return Ok((command, results.join(input.file_name().unwrap_or_default())));
            }
        }
        Ok((command, output))
    }

    /// `None` where it is not installed.
    fn run(self, faultline: &Path, program: &Path, input: &Path) -> Result<Option<Outcome>> {
        let folder = tempfile::tempdir().context("cannot create a folder for results")?;
        let (mut command, output) = self.command(faultline, program, input, folder.path())?;
        let runs = folder.path().join("runs");
        command.env("RUNS", &runs).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let status = match command.status() {
            Ok(status) => status,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && self != Tool::Ours => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot start {}", self.name())),
        };
        let seconds = start.elapsed().as_secs_f64();
        ensure!(status.success(), "{} ends with {status}", self.name());
        let left = std::fs::read(&output).with_context(|| format!("{} left no input", self.name()))?;
        ensure!(crashes(program, &output)?, "what {} left does not crash", self.name());
        let runs = std::fs::metadata(&runs).context("the program counts no runs")?.len();
        Ok(Some(Outcome { bytes: left.len(), runs, seconds }))
    }
}

fn write_script(path: &Path, text: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).context("cannot write a script")?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).context("cannot write a script")
}

fn crashes(program: &Path, input: &Path) -> Result<bool> {
    use std::os::unix::process::ExitStatusExt;
    let input = std::fs::File::open(input).context("cannot open an input")?;
    let status = Command::new(program).stdin(input).stdout(Stdio::null()).stderr(Stdio::null()).status();
    Ok(status.with_context(|| format!("cannot start {}", program.display()))?.signal() == Some(libc::SIGSEGV))
}

fn programs(folder: &Path) -> Result<Vec<Program>> {
    let path = folder.join("programs.tsv");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut found = Vec::new();
    for line in text.lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let [name, source, input] = line.split('\t').collect::<Vec<_>>()[..] else {
            bail!("{}: `{line}` is no program", path.display());
        };
        found.push(Program { name: name.into(), source: folder.join(source), input: folder.join(input) });
    }
    Ok(found)
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let suite = options.suite.clone().unwrap_or_else(|| root.join(OWN));
    let folder = results.join("reduce");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut table = Table::new(&["program", "bytes", "tool", "left", "runs", "seconds"]);
    let mut holds = true;
    for program in programs(&suite)? {
        let binary = folder.join(&program.name);
        let compiler =
            Command::new("clang-19").args(["-O1", "-g", "-w"]).arg(&program.source).arg("-o").arg(&binary).status();
        ensure!(compiler.context("cannot start clang-19")?.success(), "{} does not compile", program.name);
        ensure!(crashes(&binary, &program.input)?, "{} does not crash on its input", program.name);
        let size = std::fs::metadata(&program.input).context("cannot read an input")?.len().to_string();
        let mut ours = usize::MAX;
        for tool in TOOLS {
            let cells = match tool.run(&faultline, &binary, &program.input)? {
                Some(Outcome { bytes, runs, seconds }) => {
                    ours = if tool == Tool::Ours { bytes } else { ours };
                    holds &= ours <= bytes;
                    [bytes.to_string(), runs.to_string(), format!("{seconds:.1}")]
                }
                None => ["not installed".into(), String::new(), String::new()],
            };
            let [left, runs, seconds] = cells;
            table.row([program.name.clone(), size.clone(), tool.name().into(), left, runs, seconds]);
        }
    }
    print!("{table}");
    table.write_tsv(&results.join("reduce.tsv"))?;
    Ok(holds)
}
