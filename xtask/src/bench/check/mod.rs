//! `faultline check` on buggy programs of SV-COMP, beside CBMC, and on their correct relatives.
//!
//! Each buggy program must be found violated in time; `faultline check` replays what it finds. CBMC runs with
//! iterative deepening (1, 2, 4, … unwindings until it finds the bug), its standard checks off: like ours, its
//! property is only whether the error function is reached. Of the correct programs none may be called violated.
//! Output: a table with a row per program, totals, `check.tsv` and a plot of the sorted times. With `--scale`, loops
//! that fail after ever more steps instead.

mod programs;
mod scale;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::plot::{self, Labels, Scale, Series};
use super::process::{self, Ending, Limits};
use super::table::Table;

const MEMORY: u64 = 8 << 30;

#[derive(Args)]
pub struct Options {
    /// The folder of the programs, with SV-COMP's categories as folders in it
    #[arg(long, value_name = "DIR", required_unless_present = "scale")]
    suite: Option<PathBuf>,
    /// The buggy programs, as `folder/name`, one a line
    #[arg(long, value_name = "FILE")]
    programs: Option<PathBuf>,
    /// The CBMC to compare with
    #[arg(long, value_name = "PATH")]
    cbmc: Option<PathBuf>,
    /// Seconds for one buggy program
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Seconds for one correct program; 0 leaves them out
    #[arg(long, default_value_t = 10)]
    correct: u64,
    /// Measure how time and memory grow with the length of a failing loop
    #[arg(long, conflicts_with_all = ["suite", "cbmc", "programs"])]
    scale: bool,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
}

/// What a tool said about a program.
struct Answer {
    verdict: String,
    time: Duration,
    /// Of the trace, where there is one.
    steps: Option<u64>,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let Some(suite) = &options.suite else { return scale::run(results, &faultline, options.timeout) };
    let usual = root.join("xtask/data/simple-bugs.tsv");
    let buggy = programs::listed(suite, options.programs.as_deref().unwrap_or(&usual))?;
    if buggy.is_empty() {
        bail!("the list of programs is empty");
    }
    let found = compare(results, &faultline, &buggy, options)?;
    let correct = match options.correct {
        0 => true,
        seconds => confirm(results, &faultline, &programs::relatives(&buggy)?, Duration::from_secs(seconds))?,
    };
    Ok(found && correct)
}

/// The buggy programs, with both tools.
fn compare(results: &Path, faultline: &Path, buggy: &[programs::Listed], options: &Options) -> Result<bool> {
    let limit = Duration::from_secs(options.timeout);
    let mut table = Table::new(&["program", "verdict", "trace steps", "seconds", "CBMC", "CBMC seconds"]);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut missed = 0;
    for program in buggy {
        let answer = ask(faultline, &program.path, limit)?;
        missed += u32::from(answer.verdict != "violated");
        let other = options.cbmc.as_ref().map(|cbmc| deepen(cbmc, &program.path, limit)).transpose()?;
        ours.push(answer.time.as_secs_f64());
        theirs.extend(other.as_ref().map(|other| other.time.as_secs_f64()));
        eprintln!("{} {} {:.2} s", program.name, answer.verdict, answer.time.as_secs_f64());
        table.row(row(program.name.clone(), &answer, other.as_ref()));
    }
    let (sum, other): (f64, f64) = (ours.iter().sum(), theirs.iter().sum());
    let shown = if theirs.is_empty() { String::new() } else { format!("{other:.2}") };
    table.row(["total".into(), String::new(), String::new(), format!("{sum:.2}"), String::new(), shown]);
    print!("{table}");
    println!("\n{} of {} found", buggy.len() as u32 - missed, buggy.len());
    if !theirs.is_empty() {
        println!("{:.2} times CBMC's time", sum / other);
    }
    table.write_tsv(&results.join("check.tsv"))?;
    draw(results, ours, theirs)?;
    Ok(missed == 0)
}

fn row(name: String, answer: &Answer, other: Option<&Answer>) -> [String; 6] {
    let seconds = |answer: &Answer| format!("{:.2}", answer.time.as_secs_f64());
    [
        name,
        answer.verdict.clone(),
        answer.steps.map(|steps| steps.to_string()).unwrap_or_default(),
        seconds(answer),
        other.map(|other| other.verdict.clone()).unwrap_or_default(),
        other.map(seconds).unwrap_or_default(),
    ]
}

/// The correct programs, with ours only: CBMC could never prove them by deepening.
fn confirm(results: &Path, faultline: &Path, correct: &[PathBuf], limit: Duration) -> Result<bool> {
    let mut table = Table::new(&["correct program", "verdict", "seconds"]);
    let mut counts = std::collections::BTreeMap::<String, u32>::new();
    for path in correct {
        let answer = ask(faultline, path, limit)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        *counts.entry(answer.verdict.clone()).or_default() += 1;
        if answer.verdict == "violated" {
            println!("wrong: {name} is correct");
        }
        table.row([name, answer.verdict, format!("{:.2}", answer.time.as_secs_f64())]);
    }
    let counted: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    println!("{} correct programs: {}", correct.len(), counted.join(", "));
    table.write_tsv(&results.join("check-correct.tsv"))?;
    Ok(!counts.contains_key("violated"))
}

/// Asks Faultline whether the error function can be reached.
fn ask(faultline: &Path, program: &Path, limit: Duration) -> Result<Answer> {
    let seconds = format!("{}s", limit.as_secs());
    let mut arguments: Vec<OsString> =
        ["check", "--property", "none,unreach-call", "--timeout"].iter().map(Into::into).collect();
    arguments.extend([seconds.into(), program.into()]);
    // It ends by itself; what does not is killed.
    let limits = Limits { time: limit + Duration::from_secs(10), memory: MEMORY };
    let finished = process::run(program.parent().unwrap_or(Path::new(".")), faultline, &arguments, limits)?;
    let text = String::from_utf8_lossy(&finished.stdout);
    let words = ["proved", "violated", "bounded", "unknown"];
    let said = text.lines().find_map(|line| words.into_iter().find(|word| line.starts_with(word)));
    let verdict = match (finished.ending, said) {
        (Ending::Exit(_), Some(verdict)) => verdict.to_owned(),
        (ending, _) => format!("{ending:?}"),
    };
    Ok(Answer { verdict, time: finished.time, steps: None })
}

/// Runs CBMC with 1, 2, 4, … unwindings until it finds the error or the time is up.
fn deepen(cbmc: &Path, program: &Path, limit: Duration) -> Result<Answer> {
    let cbmc = cbmc.canonicalize().with_context(|| format!("there is no {}", cbmc.display()))?;
    let start = Instant::now();
    let mut bound = 1u64;
    loop {
        let arguments: Vec<OsString> = vec![
            "--no-standard-checks".into(),
            "--no-unwinding-assertions".into(),
            "--unwind".into(),
            bound.to_string().into(),
            program.into(),
        ];
        let left = limit.saturating_sub(start.elapsed());
        let folder = program.parent().unwrap_or(Path::new("."));
        let finished = process::run(folder, &cbmc, &arguments, Limits { time: left, memory: MEMORY })?;
        let verdict = match finished.ending {
            Ending::Exit(10) => "violated".to_owned(),
            Ending::Exit(0) if start.elapsed() < limit => {
                bound *= 2;
                continue;
            }
            Ending::Exit(0) | Ending::Timeout => "timeout".to_owned(),
            ending => format!("{ending:?}"),
        };
        return Ok(Answer { verdict, time: start.elapsed(), steps: None });
    }
}

/// How many programs are found within so many seconds each.
fn draw(results: &Path, ours: Vec<f64>, theirs: Vec<f64>) -> Result<()> {
    let sorted = |name: &str, mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        let points = times.into_iter().zip(1..).map(|(time, rank)| (f64::from(rank), time)).collect();
        Series { name: name.into(), points }
    };
    let mut series = vec![sorted("faultline check", ours)];
    if !theirs.is_empty() {
        series.push(sorted("CBMC, 1, 2, 4, … unwindings", theirs));
    }
    let labels = Labels { title: "Buggy programs, by time to the bug", x: "programs", y: "seconds" };
    let svg = plot::lines(&labels, Scale::Logarithmic, &series);
    std::fs::write(results.join("check.svg"), svg).context("cannot write the plot")
}
