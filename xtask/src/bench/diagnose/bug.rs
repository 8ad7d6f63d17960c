//! A bug of the suite: how it is built, how it is diagnosed, and what of the answer is of interest.
//!
//! Its folder has
//!
//! - `build.sh`, which builds the program with the compiler that `CC` names (several words);
//! - `run.sh`, which starts `"$FAULTLINE" diagnose "$@"` with what the failure is, the failing input and the program;
//! - `fixed.txt` with the lines that the fix changes, `FILE:LINE` each. Its first line may be a comment,
//!   `# program | fix | symptom`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::coverage::{self, Ranks};
use crate::bench::process::{self, Ending, Finished, Limits};

/// The programs limit themselves, and sanitizers need more room than there is.
const LIMITS: Limits = Limits { time: Duration::from_secs(1800), memory: u64::MAX };
/// What is shown of a build or a diagnosis that failed.
const TOLD: usize = 2000;

pub struct Bug {
    pub name: String,
    pub symptom: String,
    folder: PathBuf,
    fixed: Vec<(String, u64)>,
}

/// What a step has left.
pub struct Step {
    name: String,
    pub invariants: u64,
}

/// A suspect that the fixed line belongs to.
pub struct Ranked {
    pub rank: u64,
    pub step: String,
}

pub struct Answer {
    /// Those that were executed.
    pub lines: u64,
    /// Of the program, while inputs were made.
    pub runs: usize,
    pub steps: Vec<Step>,
    pub suspects: usize,
    /// The first suspect that is at a fixed line.
    pub own: Option<Ranked>,
    /// The first that has one among the lines that are shown with it.
    pub belongs: Option<Ranked>,
    pub tarantula: Option<Ranks>,
    pub ochiai: Option<Ranks>,
    pub seconds: f64,
}

/// The bugs of a suite whose names are meant, by their names.
pub fn all(suite: &Path, is_meant: impl Fn(&str) -> bool) -> Result<Vec<Bug>> {
    let entries = std::fs::read_dir(suite).with_context(|| format!("cannot read {}", suite.display()))?;
    let folders = entries.map(|it| it.map(|it| it.path())).collect::<Result<Vec<PathBuf>, _>>()?;
    let is_bug = |it: &&PathBuf| it.join("run.sh").is_file() && is_meant(&name_of(it));
    let mut bugs = folders.iter().filter(is_bug).map(|it| read(it)).collect::<Result<Vec<_>>>()?;
    bugs.sort_by(|one, other| one.name.cmp(&other.name));
    ensure!(!bugs.is_empty(), "{} has no folder with a run.sh that is meant", suite.display());
    Ok(bugs)
}

fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(folder: &Path) -> Result<Bug> {
    let file = folder.join("fixed.txt");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let comment = text.lines().next().and_then(|it| it.strip_prefix('#')).unwrap_or_default();
    let mut fixed = Vec::new();
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let place = line.rsplit_once(':').and_then(|(file, line)| Some((file.to_owned(), line.parse().ok()?)));
        fixed.push(place.with_context(|| format!("{}: `{line}` is not FILE:LINE", file.display()))?);
    }
    ensure!(!fixed.is_empty(), "{} names no line", file.display());
    Ok(Bug {
        name: name_of(folder),
        symptom: comment.split('|').nth(2).unwrap_or_default().trim().to_owned(),
        folder: folder.to_owned(),
        fixed,
    })
}

impl Bug {
    pub fn build(&self, faultline: &Path) -> Result<()> {
        let compiler = format!("CC={} cc", faultline.display());
        let finished = process::run(&self.folder, "env", &[compiler.as_str(), "sh", "build.sh"], LIMITS)?;
        match finished.ending {
            Ending::Exit(0) => Ok(()),
            _ => bail!("build.sh fails: {}", last_words(&finished)),
        }
    }

    /// Asks once; the answer as JSON and the matrix of coverage are kept in `results`.
    pub fn diagnose(&self, faultline: &Path, seed: u64, results: &Path) -> Result<Answer> {
        let (answer, matrix) = (self.kept(results, "json"), self.kept(results, "tcm"));
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let inputs = folder.path().join("inputs");
        let text = |path: &Path| path.display().to_string();
        let arguments = [
            format!("FAULTLINE={}", faultline.display()),
            "sh".into(),
            "run.sh".into(),
            "--quiet".into(),
            format!("--seed={seed}"),
            "--format=json".into(),
            format!("--output={}", text(&answer)),
            format!("--tcm={}", text(&matrix)),
            format!("--inputs={}", text(&inputs)),
        ];
        for old in [&answer, &matrix] {
            let _ = std::fs::remove_file(old); // often not there
        }
        let finished = process::run(&self.folder, "env", &arguments, LIMITS)?;
        ensure!(answer.is_file(), "no answer: {}", last_words(&finished));
        let document = std::fs::read_to_string(&answer).context("cannot read an answer")?;
        let document: Value = serde_json::from_str(&document).context("an answer is not JSON")?;
        let runs = std::fs::read_to_string(inputs.join("runs.tsv")).unwrap_or_default();
        let ranks = coverage::ranks(&std::fs::read_to_string(&matrix).context("cannot read a matrix")?, |line| {
            line.rsplit_once(':').is_some_and(|(file, line)| self.is_fixed(file, line.parse().ok()))
        })?;
        let diagnosis = &document["diagnosis"];
        let suspects = diagnosis["suspects"].as_array().context("an answer has no list of suspects")?;
        let first = |is_it: &dyn Fn(&Value) -> bool| {
            let found = suspects.iter().find(|it| is_it(it))?;
            Some(Ranked { rank: found["rank"].as_u64()?, step: found["step"].as_str().unwrap_or_default().to_owned() })
        };
        let is_at = |it: &Value| self.is_fixed(it["file"].as_str().unwrap_or_default(), it["line"].as_u64());
        let own = first(&is_at);
        let belongs = first(&|it| is_at(it) || it["lines"].as_array().is_some_and(|all| all.iter().any(is_at)));
        let steps = diagnosis["narrowing"].as_array().map(Vec::as_slice).unwrap_or_default();
        let step = |it: &Value| Step {
            name: it["step"].as_str().unwrap_or_default().to_owned(),
            invariants: it["invariants"].as_u64().unwrap_or_default(),
        };
        Ok(Answer {
            lines: diagnosis["statements"].as_u64().unwrap_or_default(),
            runs: runs.lines().count().saturating_sub(1),
            steps: steps.iter().map(step).collect(),
            suspects: suspects.len(),
            own,
            belongs,
            tarantula: ranks.tarantula,
            ochiai: ranks.ochiai,
            seconds: finished.time.as_secs_f64(),
        })
    }

    fn kept(&self, results: &Path, extension: &str) -> PathBuf {
        results.join(format!("{}.{extension}", self.name))
    }

    /// Fixed lines name their files as shortly as they like.
    fn is_fixed(&self, file: &str, line: Option<u64>) -> bool {
        self.fixed.iter().any(|(name, number)| Some(*number) == line && Path::new(file).ends_with(name))
    }
}

impl Answer {
    /// The step that is told as the result: the last that has left something.
    fn last(&self) -> Option<&Step> {
        self.steps.iter().rev().find(|it| it.invariants > 0)
    }

    pub fn last_set(&self) -> u64 {
        self.last().map_or(0, |it| it.invariants)
    }

    pub fn is_in_last_set(&self) -> bool {
        let last = self.last().map(|it| it.name.as_str());
        self.belongs.as_ref().is_some_and(|it| Some(it.step.as_str()) == last)
    }
}

fn last_words(finished: &Finished) -> String {
    let text = String::from_utf8_lossy(&finished.stderr);
    let text = text.trim();
    let start = text.char_indices().rev().nth(TOLD).map_or(0, |(at, _)| at);
    format!("{:?}\n{}", finished.ending, &text[start..])
}
