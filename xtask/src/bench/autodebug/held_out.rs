//! A faulty program, tests to repair it with, and tests to judge the repair by.
//!
//! `faultline repair` is given the program and the first tests alone. What it proposes first is compiled natively and run
//! on the tests that were held out: the judge knows nothing of the repairer.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::process::{self, Ending, Limits};

/// For one native run.
const TIME: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub struct Test {
    pub arguments: Vec<String>,
    pub input: Vec<u8>,
    pub output: Vec<u8>,
}

pub struct Fault {
    pub name: String,
    pub program: String,
    /// The dialect, for both compilers.
    pub standard: &'static str,
    pub training: Vec<Test>,
    pub held_out: Vec<Test>,
}

/// What became of a fault.
pub struct Outcome {
    /// What is written in which line, if anything was found.
    pub change: Option<String>,
    pub is_right: bool,
    pub seconds: f64,
}

/// What became of all faults so far.
#[derive(Default)]
pub struct Tally {
    pub repaired: usize,
    pub right: usize,
    pub seconds: Vec<f64>,
}

impl Tally {
    /// Counts one more, tells how it stands, and says in a word how the change was judged.
    pub fn add(&mut self, outcome: &Outcome) -> &'static str {
        self.repaired += usize::from(outcome.change.is_some());
        self.right += usize::from(outcome.is_right);
        self.seconds.push(outcome.seconds);
        eprintln!("{} of {} repaired, {} right", self.repaired, self.seconds.len(), self.right);
        match (&outcome.change, outcome.is_right) {
            (None, _) => "",
            (Some(_), true) => "right",
            (Some(_), false) => "wrong",
        }
    }
}

/// Repairs a fault by its tests and judges the first proposal.
pub fn repair(faultline: &Path, fault: &Fault, seconds: u64) -> Result<Outcome> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let program = folder.path().join("program.c");
    std::fs::write(&program, &fault.program).context("cannot write a program")?;
    let tests = folder.path().join("tests");
    std::fs::create_dir(&tests).context("cannot make a folder")?;
    for (number, test) in fault.training.iter().enumerate() {
        let write = |ending: &str, bytes: &[u8]| {
            std::fs::write(tests.join(format!("{number:04}.{ending}")), bytes).context("cannot write a test")
        };
        write("in", &test.input)?;
        write("out", &test.output)?;
        if !test.arguments.is_empty() {
            write("args", test.arguments.join(" ").as_bytes())?;
        }
    }
    let standard = format!("-std={} -w", fault.standard);
    let time = format!("{seconds}s");
    let line = ["repair", "program.c", "--tests", "tests", "--changes", "1", "--timeout", &time, "--apply"];
    let line = [&line[..], &["--format", "json", "--cflags", &standard]].concat();
    let limits = Limits { time: Duration::from_secs(2 * seconds + 30), memory: 16 << 30 };
    let finished = process::run(folder.path(), faultline, &line, limits)?;
    let report: Value = serde_json::from_slice(&finished.stdout).unwrap_or_default();
    let seconds = finished.time.as_secs_f64();
    let first = &report["diagnosis"]["suspects"][0];
    let Some(diff) = first["fix"]["diff"].as_str() else {
        return Ok(Outcome { change: None, is_right: false, seconds });
    };
    let change = super::told(first, diff);
    let patched = std::fs::read_to_string(&program).context("cannot read a program")?;
    let native = Native::compile(&patched, fault.standard)?;
    let is_right = native.is_some_and(|it| fault.held_out.iter().all(|test| it.passes(test)));
    Ok(Outcome { change: Some(change), is_right, seconds })
}

/// A compiled program.
pub struct Native {
    folder: tempfile::TempDir,
    binary: PathBuf,
}

impl Native {
    /// Nothing if the compiler refuses it.
    pub fn compile(text: &str, standard: &str) -> Result<Option<Native>> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let (source, binary) = (folder.path().join("program.c"), folder.path().join("program"));
        std::fs::write(&source, text).context("cannot write a program")?;
        let standard = format!("-std={standard}");
        let mut command = Command::new("cc");
        command.args(["-w", "-O1", &standard, "-o"]).arg(&binary).arg(&source).arg("-lm");
        let compiled = command.output().context("cannot start cc")?;
        Ok(compiled.status.success().then_some(Native { folder, binary }))
    }

    /// What it prints; nothing if it does not end by itself.
    pub fn output(&self, arguments: &[String], input: &[u8]) -> Option<Vec<u8>> {
        let file = self.folder.path().join("input");
        std::fs::write(&file, input).ok()?;
        let limits = Limits { time: TIME, memory: 2 << 30 };
        let finished = process::run_with(self.folder.path(), &self.binary, arguments, Some(&file), limits).ok()?;
        matches!(finished.ending, Ending::Exit(_)).then_some(finished.stdout)
    }

    pub fn passes(&self, test: &Test) -> bool {
        self.output(&test.arguments, &test.input).is_some_and(|found| same(&found, &test.output))
    }
}

/// Blanks at the ends of lines and of the whole do not count.
pub fn same(found: &[u8], expected: &[u8]) -> bool {
    let lines = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).trim_end().to_owned();
        text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
    };
    lines(found) == lines(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_judged_by_what_they_print() {
        let text =
            "#include <stdio.h>\nint main(void) { int a; scanf(\"%d\", &a); printf(\"%d \\n\", a + 1); return 3; }\n";
        let native = Native::compile(text, "gnu99").unwrap().unwrap();
        let test = |input: &str, output: &str| Test {
            arguments: Vec::new(),
            input: input.as_bytes().to_vec(),
            output: output.as_bytes().to_vec(),
        };
        assert!(native.passes(&test("4", "5")));
        assert!(!native.passes(&test("4", "6")));
        assert!(Native::compile("int main( {", "gnu99").unwrap().is_none());
    }
}
