//! Does `faultline diagnose` find the line that was fixed in real programs, how small is its answer, and in what time?
//!
//! Input: a folder with a folder for each bug, as [`bug`] reads them. Each program is built with `faultline cc` and
//! diagnosed once. Output: a row per bug with what every step has left, the rank of the fixed line and those that coverage
//! alone gives it. True if every bug was built and answered.

mod bug;
mod coverage;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use super::table::Table;
use bug::{Answer, Bug, Ranked};
use coverage::Ranks;

/// As few as somebody would look at.
const FEW: u64 = 10;

#[derive(Args)]
pub struct Options {
    /// A folder with a folder for each bug: `build.sh`, `run.sh`, `fixed.txt`
    #[arg(long, value_name = "DIR")]
    suite: PathBuf,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Only bugs with one of these in their name
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Take the programs as they were built last time
    #[arg(long)]
    built: bool,
    /// The seed of the choices of inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How many bugs there are of a sort.
#[derive(Default)]
struct Counts {
    bugs: usize,
    answered: usize,
    own: usize,
    belongs: usize,
    last: usize,
    last_and_few: usize,
    seconds: Vec<f64>,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let suite = options.suite.canonicalize().with_context(|| format!("cannot read {}", options.suite.display()))?;
    let is_meant = |name: &str| options.only.is_empty() || options.only.iter().any(|it| name.contains(it));
    let bugs = bug::all(&suite, is_meant)?;
    let answers = results.join("diagnose");
    std::fs::create_dir_all(&answers).context("cannot create bench-results/diagnose")?;
    let mut table = Table::new(&[
        "bug",
        "symptom",
        "lines",
        "runs",
        "invariants",
        "broken",
        "slice",
        "filter",
        "all",
        "answer",
        "own",
        "shown",
        "step",
        "tarantula",
        "ochiai",
        "seconds",
    ]);
    let mut counts = Counts::default();
    for bug in &bugs {
        eprintln!("{}", bug.name);
        let built = if options.built { Ok(()) } else { bug.build(&faultline) };
        let answer = built.and_then(|()| bug.diagnose(&faultline, options.seed, &answers));
        if let Err(error) = &answer {
            eprintln!("{}: {error:#}", bug.name);
        }
        counts.add(answer.as_ref().ok());
        table.row(row(bug, answer.as_ref().ok()));
    }
    print!("{table}");
    println!("{}", counts.told());
    table.write_tsv(&results.join("diagnose.tsv"))?;
    Ok(counts.bugs > 0 && counts.answered == counts.bugs)
}

fn row(bug: &Bug, answer: Option<&Answer>) -> [String; 16] {
    let Some(answer) = answer else {
        let mut cells: [String; 16] = Default::default();
        cells[0] = bug.name.clone();
        cells[1] = bug.symptom.clone();
        cells[9] = "none".to_owned();
        return cells;
    };
    let left = |index: usize| answer.steps.get(index).map_or_else(String::new, |it| it.invariants.to_string());
    let rank = |found: &Option<Ranked>| found.as_ref().map_or_else(|| "–".to_owned(), |it| it.rank.to_string());
    let ranks = |it: &Option<Ranks>| it.map_or_else(|| "–".to_owned(), |it| format!("{}–{}", it.best, it.worst));
    [
        bug.name.clone(),
        bug.symptom.clone(),
        answer.lines.to_string(),
        answer.runs.to_string(),
        left(0),
        left(1),
        left(2),
        left(3),
        left(4),
        answer.suspects.to_string(),
        rank(&answer.own),
        rank(&answer.belongs),
        answer.belongs.as_ref().map_or_else(String::new, |it| it.step.clone()),
        ranks(&answer.tarantula),
        ranks(&answer.ochiai),
        format!("{:.1}", answer.seconds),
    ]
}

impl Counts {
    fn add(&mut self, answer: Option<&Answer>) {
        self.bugs += 1;
        let Some(answer) = answer else { return };
        self.answered += 1;
        self.own += usize::from(answer.own.is_some());
        self.belongs += usize::from(answer.belongs.is_some());
        let is_last = answer.is_in_last_set();
        self.last += usize::from(is_last);
        self.last_and_few += usize::from(is_last && answer.last_set() <= FEW);
        self.seconds.push(answer.seconds);
    }

    fn told(&self) -> String {
        let Counts { bugs, answered, own, belongs, last, last_and_few, seconds } = self;
        let mut seconds = seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let median = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
        let most = seconds.last().copied().unwrap_or(0.0);
        format!(
            "of {bugs} bugs, {answered} are answered; the fixed line is a suspect of {own} answers, belongs to one of {belongs}, \
             and to one that came through all steps in {last}, {last_and_few} of them with at most {FEW} invariants; \
             median {median:.1} s, at most {most:.1} s"
        )
    }
}
