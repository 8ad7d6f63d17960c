//! The engine `ped` on the Verisec suite, beside the table of its paper; with `--scale`, what proofs cost.
//!
//! Input: a folder with `programs/apps`, where `…bad.c` is a program with a buffer overflow and `…ok.c` the same without
//! it. The root cause is what differs between the two. For each bad variant of the paper's five vulnerabilities and each
//! configuration: the fixes (#F), those that change the root cause (#U), the rank of the first of these, seconds. For
//! each ok variant: what `check` says about it. A variant without a counterpart takes the nearest of its folder.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use super::difference::different_lines;
use super::process::{self, Ending, Limits};
use super::table::Table;

/// The five vulnerabilities, by their folders.
const VULNERABILITIES: [(&str, &str); 5] = [
    ("NetBSD-libc", "CVE-2006-6652"),
    ("apache", "CVE-2004-0940"),
    ("sendmail", "CVE-1999-0047"),
    ("sendmail", "CVE-1999-0206"),
    ("SpamAssassin", "BID-6679"),
];
const CONFIGURATIONS: [&str; 4] = ["default", "correlated", "invariants", "trusted"];
/// The configurations' columns in the paper's table.
const PUBLISHED: [&str; 4] = ["default", "noinv", "inv", "relv"];
/// The suite's inputs by our names. Its own stubs of the library are written for another compiler.
pub(super) const FLAGS: &str = "-w -std=gnu89 -DNONDET=nondet_int";
/// What of the suite's library is no function of ours.
pub(super) const LIBRARY: &str = "int isascii(int c)\n{\n    return c >= 0 && c < 128;\n}\n";
/// Buffer overflows, not what the programs read before they write it.
pub(super) const PROPERTIES: &str = "none,valid-deref";
/// What a correct variant is called that is none: the compiled program fails in the same line.
const TRULY_FAULTY: &str = "violated natively, too";
/// The aims: the root cause among so many fixes, in so many of a hundred; seconds.
const FIRST: usize = 5;
const OFTEN: f64 = 0.9;
const MOST_SECONDS: f64 = 10.0;

#[derive(Args)]
pub struct Options {
    /// The folder of the suite
    #[arg(long, value_name = "DIR", required_unless_present = "scale")]
    suite: Option<PathBuf>,
    /// The published table, to be shown beside
    #[arg(long, value_name = "TSV")]
    figures: Option<PathBuf>,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Only variants whose path contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Instead, prove programs of more and more lines
    #[arg(long)]
    scale: bool,
}

/// A bad variant, its correct relative, and the lines that differ.
pub(super) struct Variant {
    vulnerability: usize,
    pub name: String,
    pub file: PathBuf,
    ok: PathBuf,
    pub lines: Vec<u32>,
}

/// What one configuration said about a variant.
#[derive(Default)]
struct Answer {
    found: bool,
    fixes: usize,
    useful: usize,
    rank: Option<usize>,
    seconds: f64,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let Some(suite) = options.suite.as_ref().filter(|_| !options.scale) else {
        return super::proofs::run(results, &faultline);
    };
    let suite = suite.canonicalize().with_context(|| format!("cannot read {}", suite.display()))?;
    let only = options.only.as_deref().unwrap_or_default();
    let variants: Vec<Variant> = variants(&suite)?.into_iter().filter(|it| it.name.contains(only)).collect();
    if variants.is_empty() {
        bail!("{} has no bad variants of the five vulnerabilities", suite.display());
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let library = folder.path().join("library.c");
    std::fs::write(&library, LIBRARY).context("cannot write a program")?;
    let mut table = Table::new(&["variant", "root cause", "configuration", "found", "#F", "#U", "rank", "seconds"]);
    let mut answers: Vec<(usize, usize, Answer)> = Vec::new();
    for variant in &variants {
        for (index, configuration) in CONFIGURATIONS.into_iter().enumerate() {
            let answer = localize(&faultline, variant, &library, configuration)?;
            table.row([
                variant.name.clone(),
                variant.lines.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
                configuration.to_owned(),
                if answer.found { "yes" } else { "no" }.to_owned(),
                answer.fixes.to_string(),
                answer.useful.to_string(),
                answer.rank.map_or_else(String::new, |rank| rank.to_string()),
                format!("{:.2}", answer.seconds),
            ]);
            answers.push((variant.vulnerability, index, answer));
        }
    }
    print!("{table}");
    table.write_tsv(&results.join("ped.tsv"))?;
    let published = options.figures.as_deref().map(published).transpose()?;
    summarize(&answers, published.as_ref());
    let correct = check_correct(&faultline, &variants, &library, results)?;
    Ok(aims(&answers) && correct)
}

/// Every bad variant of the five vulnerabilities.
pub(super) fn variants(suite: &Path) -> Result<Vec<Variant>> {
    let mut variants = Vec::new();
    for (vulnerability, (program, number)) in VULNERABILITIES.into_iter().enumerate() {
        let folder = suite.join("programs/apps").join(program).join(number);
        let mut files = Vec::new();
        collect(&folder, &mut files)?;
        files.sort();
        let (bad, ok): (Vec<_>, Vec<_>) = files.iter().partition(|it| it.to_string_lossy().ends_with("bad.c"));
        for file in bad {
            let text = read(file)?;
            let name = file.strip_prefix(&folder).unwrap_or(file).display().to_string();
            let twin = PathBuf::from(file.to_string_lossy().replace("bad.c", "ok.c"));
            let near: Vec<&PathBuf> = match ok.contains(&&twin) {
                true => vec![&twin],
                false => ok.iter().copied().filter(|it| it.parent() == file.parent()).collect(),
            };
            let mut nearest: Option<(Vec<u32>, &PathBuf)> = None;
            for candidate in near.into_iter().filter(|it| it.to_string_lossy().ends_with("ok.c")) {
                let lines = different_lines(&read(candidate)?, &text);
                if nearest.as_ref().is_none_or(|(known, _)| lines.len() < known.len()) {
                    nearest = Some((lines, candidate));
                }
            }
            let Some((lines, ok)) = nearest else {
                eprintln!("{name} has no correct counterpart");
                continue;
            };
            let name = format!("{number}/{name}");
            variants.push(Variant { vulnerability, name, file: file.clone(), ok: ok.clone(), lines });
        }
    }
    Ok(variants)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.context("cannot read a folder")?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|it| it == "c") {
            files.push(path);
        }
    }
    Ok(())
}

fn read(file: &Path) -> Result<String> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).replace('\r', ""))
}

/// The files of a program: the variant, and what its vulnerability has in common for all.
pub(super) fn files(variant: &Path, library: &Path) -> Vec<OsString> {
    let mut files: Vec<OsString> = vec![variant.into(), library.into()];
    let above = variant.parent().and_then(Path::parent);
    let entries = above.and_then(|folder| std::fs::read_dir(folder).ok());
    let mut shared: Vec<PathBuf> = entries.into_iter().flatten().flatten().map(|it| it.path()).collect();
    shared.retain(|it| it.extension().is_some_and(|extension| extension == "c"));
    shared.sort();
    files.extend(shared.into_iter().map(OsString::from));
    files
}

fn ask(faultline: &Path, arguments: Vec<OsString>) -> Result<(Value, process::Finished)> {
    let limits = Limits { time: Duration::from_secs(120), memory: 8 << 30 };
    let finished = process::run(Path::new("."), faultline, &arguments, limits)?;
    Ok((serde_json::from_slice(&finished.stdout).unwrap_or_default(), finished))
}

fn localize(faultline: &Path, variant: &Variant, library: &Path, configuration: &str) -> Result<Answer> {
    let mut line: Vec<OsString> = vec!["localize".into()];
    line.extend(files(&variant.file, library));
    let options =
        ["--engine", "ped", "--ped", configuration, "--property", PROPERTIES, "--format", "json", "--cflags", FLAGS];
    line.extend(options.map(OsString::from));
    let (report, finished) = ask(faultline, line)?;
    let suspects = report["diagnosis"]["suspects"].as_array().cloned().unwrap_or_default();
    let found = report["failures"].as_array().is_some_and(|it| !it.is_empty());
    if !found || suspects.is_empty() {
        let words = String::from_utf8_lossy(&finished.stderr);
        let ending = if finished.ending == Ending::Timeout { "out of time" } else { "" };
        eprintln!("{} {configuration}: {}{ending}", variant.name, words.lines().last().unwrap_or_default());
    }
    let here = |it: &Value| it["line"].as_u64().is_some_and(|line| variant.lines.contains(&(line as u32)));
    let touches =
        |suspect: &Value| here(suspect) || suspect["evidence"].as_array().is_some_and(|it| it.iter().any(here));
    Ok(Answer {
        found,
        fixes: suspects.len(),
        useful: suspects.iter().filter(|it| touches(it)).count(),
        rank: suspects.iter().position(touches).map(|rank| rank + 1),
        seconds: finished.time.as_secs_f64(),
    })
}

/// The published averages of #F, #U and seconds, by vulnerability and configuration.
type Published = BTreeMap<(String, usize), [f64; 3]>;

fn published(file: &Path) -> Result<Published> {
    let text = read(file)?;
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let mut sums: BTreeMap<(String, usize), ([f64; 3], f64)> = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |name: &str| columns.iter().position(|it| *it == name).and_then(|index| cells.get(index)).copied();
        let number = |name: String| {
            let text = cell(&name).with_context(|| format!("{} has no column {name}", file.display()))?;
            text.trim_start_matches('<').parse::<f64>().with_context(|| format!("`{text}` is no number"))
        };
        let cve = cell("cve").with_context(|| format!("{} has no column cve", file.display()))?;
        for (index, column) in PUBLISHED.into_iter().enumerate() {
            let (sum, count) = sums.entry((cve.to_owned(), index)).or_default();
            for (place, part) in ["F", "U", "s"].into_iter().enumerate() {
                sum[place] += number(format!("{column}_{part}"))?;
            }
            *count += 1.0;
        }
    }
    Ok(sums.into_iter().map(|(key, (sum, count))| (key, sum.map(|it| it / count))).collect())
}

/// Averages by vulnerability and configuration, beside the published ones.
fn summarize(answers: &[(usize, usize, Answer)], published: Option<&Published>) {
    let mut table = Table::new(&[
        "vulnerability",
        "configuration",
        "variants",
        "#F",
        "#U",
        "seconds",
        "paper #F",
        "paper #U",
        "paper s",
    ]);
    for (vulnerability, (program, number)) in VULNERABILITIES.into_iter().enumerate() {
        for (index, configuration) in CONFIGURATIONS.into_iter().enumerate() {
            let ours: Vec<&Answer> =
                answers.iter().filter(|it| (it.0, it.1) == (vulnerability, index)).map(|it| &it.2).collect();
            if ours.is_empty() {
                continue;
            }
            let mean = |of: fn(&Answer) -> f64| ours.iter().map(|it| of(it)).sum::<f64>() / ours.len() as f64;
            let theirs = published.and_then(|it| it.get(&(number.to_owned(), index)));
            let theirs = |place: usize| theirs.map_or_else(String::new, |it| format!("{:.1}", it[place]));
            table.row([
                format!("{program} {number}"),
                configuration.to_owned(),
                ours.len().to_string(),
                format!("{:.1}", mean(|it| it.fixes as f64)),
                format!("{:.1}", mean(|it| it.useful as f64)),
                format!("{:.2}", mean(|it| it.seconds)),
                theirs(0),
                theirs(1),
                theirs(2),
            ]);
        }
    }
    print!("{table}");
}

fn aims(answers: &[(usize, usize, Answer)]) -> bool {
    let mut reached = true;
    for (index, configuration) in CONFIGURATIONS.into_iter().enumerate() {
        let ours: Vec<&Answer> = answers.iter().filter(|it| it.1 == index).map(|it| &it.2).collect();
        let count = |holds: &dyn Fn(&Answer) -> bool| ours.iter().filter(|it| holds(it)).count();
        let (found, early) = (count(&|it| it.found), count(&|it| it.rank.is_some_and(|rank| rank <= FIRST)));
        let slow = count(&|it| it.seconds > MOST_SECONDS);
        let slowest = ours.iter().map(|it| it.seconds).fold(0.0, f64::max);
        let fixes = ours.iter().map(|it| it.fixes as f64).sum::<f64>() / ours.len().max(1) as f64;
        println!(
            "{configuration}: error found in {found} of {}, root cause among the first {FIRST} fixes in {early}, \
             {fixes:.1} fixes on average, slowest {slowest:.1} s",
            ours.len()
        );
        reached &= found == ours.len() && slow == 0;
        if configuration == "trusted" {
            reached &= early as f64 >= OFTEN * ours.len() as f64;
        }
    }
    reached
}

/// What `check` says about the correct variants.
fn check_correct(faultline: &Path, variants: &[Variant], library: &Path, results: &Path) -> Result<bool> {
    let mut table = Table::new(&["correct variant", "verdict", "bound", "proved", "checks", "seconds"]);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut files: Vec<&PathBuf> = variants.iter().map(|it| &it.ok).collect();
    files.sort();
    files.dedup();
    for file in files {
        let mut line: Vec<OsString> = vec!["check".into()];
        line.extend(self::files(file, library));
        let options = ["--property", PROPERTIES, "--timeout", "5s", "--format", "json", "--cflags", FLAGS];
        line.extend(options.map(OsString::from));
        let (report, finished) = ask(faultline, line)?;
        let mut verdict = report["verdict"].as_str().unwrap_or("none").to_owned();
        if verdict == "violated" && fails_natively(faultline, file, library, &report)? {
            verdict = TRULY_FAULTY.to_owned();
        }
        table.row([
            file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            verdict.clone(),
            report["bound"].as_u64().map_or_else(String::new, |it| it.to_string()),
            report["proved"]["checks"].as_array().map_or(0, Vec::len).to_string(),
            report["proved"]["of"].as_u64().unwrap_or(0).to_string(),
            format!("{:.2}", finished.time.as_secs_f64()),
        ]);
        *counts.entry(verdict).or_default() += 1;
    }
    print!("{table}");
    table.write_tsv(&results.join("ped-correct.tsv"))?;
    let words: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    println!("correct variants: {}", words.join(", "));
    Ok(counts.keys().all(|verdict| ["proved", "bounded", TRULY_FAULTY].contains(&verdict.as_str())))
}

/// Whether the compiled program, given the values that `check` found, is stopped by AddressSanitizer in the same line.
fn fails_natively(faultline: &Path, file: &Path, library: &Path, report: &Value) -> Result<bool> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (harness, binary) = (folder.path().join("harness.c"), folder.path().join("program"));
    let mut check: Vec<OsString> = vec!["check".into()];
    check.extend(files(file, library));
    let options = ["--property", PROPERTIES, "--timeout", "5s", "--cflags", FLAGS, "--harness"];
    check.extend(options.map(OsString::from));
    check.push(harness.clone().into());
    ask(faultline, check)?;
    let limits = Limits { time: Duration::from_secs(60), memory: 1 << 50 };
    let mut compile: Vec<OsString> = ["-g", "-fsanitize=address"].map(OsString::from).to_vec();
    compile.extend(FLAGS.split(' ').map(OsString::from));
    compile.extend(files(file, library));
    compile.extend([harness.into(), "-o".into(), binary.clone().into()]);
    process::run(Path::new("."), "cc", &compile, limits)?;
    if !binary.exists() {
        return Ok(false);
    }
    let finished = process::run(Path::new("."), &binary, &[] as &[OsString], limits)?;
    let words = String::from_utf8_lossy(&finished.stderr);
    let line = report["failures"][0]["place"]["line"].as_u64().unwrap_or(0);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok(words.contains("AddressSanitizer") && words.contains(&format!("{name}:{line}")))
}
