//! Steps a second of the executor on small programs of different kinds, beside the native binary.
//!
//! Output: a row per program: steps, seconds, million steps a second, and how many times longer than
//! clang's `-O0` binary it takes. True if the integer loop makes at least 10 million steps a second.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::process::{self, Limits};
use super::table::Table;

#[derive(Args)]
pub struct Options {
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Runs of each program; the fastest counts
    #[arg(long, default_value_t = 3)]
    runs: u32,
}

/// What a program measures, and its text.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "integer loop",
        "int main(void) { unsigned s = 0; for (int i = 0; i < 20000000; i++) { s = s * 31 + i; if (s % 7 == 3) s ^= i; } return s & 1; }",
    ),
    (
        "array",
        "int a[1000]; int main(void) { int s = 0; for (int k = 0; k < 20000; k++) for (int i = 0; i < 1000; i++) { a[i] += k; s ^= a[i]; } return s & 1; }",
    ),
    ("calls", "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { return f(31) & 1; }"),
    (
        "heap list",
        "#include <stdlib.h>\nstruct n { struct n *next; int v; }; int main(void) { int s = 0; for (int k = 0; k < 200; k++) { struct n *h = 0; \
         for (int i = 0; i < 2000; i++) { struct n *x = malloc(sizeof *x); x->v = i; x->next = h; h = x; } \
         while (h) { struct n *x = h; s += x->v; h = x->next; free(x); } } return s & 1; }",
    ),
    ("floats", "int main(void) { double x = 0; for (int i = 1; i < 10000000; i++) x += 1.0 / i; return x > 16; }"),
];

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let folder = results.join("speed");
    std::fs::create_dir_all(&folder).context("cannot create the folder of the programs")?;
    let mut table = Table::new(&["program", "steps", "seconds", "M steps/s", "times native -O0"]);
    let mut loop_speed = 0.0;
    for (index, (name, text)) in PROGRAMS.iter().enumerate() {
        let source = folder.join(format!("{index}.c"));
        std::fs::write(&source, text).context("cannot write a program")?;
        let binary = folder.join(format!("{index}.bin"));
        let compiled = Command::new("clang-19").args(["-O0", "-w"]).arg(&source).arg("-o").arg(&binary).status();
        ensure!(compiled.is_ok_and(|status| status.success()), "clang-19 does not compile {}", source.display());
        let (steps, ours) = executor(&faultline, &folder, &source, options.runs)?;
        let native = fastest(&folder, binary.as_os_str().into(), &[], options.runs)?;
        let speed = steps as f64 / ours.as_secs_f64() / 1e6;
        if index == 0 {
            loop_speed = speed;
        }
        table.row([
            name.to_string(),
            steps.to_string(),
            format!("{:.2}", ours.as_secs_f64()),
            format!("{speed:.1}"),
            format!("{:.0}", ours.as_secs_f64() / native.as_secs_f64()),
        ]);
    }
    print!("{table}");
    table.write_tsv(&results.join("speed.tsv"))?;
    Ok(loop_speed >= 10.0)
}

/// The steps of the run, and its time without the time to read the program.
fn executor(faultline: &Path, folder: &Path, source: &Path, runs: u32) -> Result<(u64, Duration)> {
    let read = fastest(folder, faultline.into(), &["ir".into(), "--summary".into(), source.into()], runs)?;
    let arguments = ["run".into(), "--format".into(), "json".into(), source.into()];
    let whole = fastest(folder, faultline.into(), &arguments, runs)?;
    let finished = process::run(folder, faultline, &arguments, limits())?;
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    let steps = text.split("\"steps\":").nth(1).map(|rest| rest.trim_start());
    let digits: String = steps.unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
    let steps = digits.parse().with_context(|| format!("no steps in the report on {}", source.display()))?;
    Ok((steps, whole.saturating_sub(read)))
}

fn fastest(folder: &Path, program: OsString, arguments: &[OsString], runs: u32) -> Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..runs.max(1) {
        best = best.min(process::run(folder, &program, arguments, limits())?.time);
    }
    Ok(best)
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(120), memory: 8 << 30 }
}
