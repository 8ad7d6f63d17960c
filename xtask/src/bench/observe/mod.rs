//! What observing a program costs, against the same program at plain `-O1`, beside what one would do otherwise.
//!
//! Input: the programs of `tests/programs/observe/bench`, or a folder with a `programs.tsv` of the same form. Each is built
//! plain, with `faultline cc`, and with clang's `--coverage`; all are run in turns, and the medians of processor time
//! count. Where valgrind is installed, its `lackey` traces the same program with fewer rounds, and counts instructions.
//! Output: a row per program (times plain, bytes per instruction, slicing), a plot, and with `--growth` how slicing grows
//! with the trace. True if invariants take at most twice the time and traces at most twelve times, on four programs each,
//! and every slice is computed at 20 million records a second.

mod measure;
mod program;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::plot::{self, Labels, Scale, Series};
use super::table::Table;
use measure::{Slicing, cpu_seconds, lackey, median, size_of, slicing};
use program::{Built, Program, programs};

const OWN: &str = "tests/programs/observe/bench";
/// Rounds of a program under `lackey` are fewer by this.
const FEWER: u64 = 8;

#[derive(Args)]
pub struct Options {
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// A folder with `programs.tsv`; our own programs by default
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Only programs whose name contains one of these
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    program: Vec<String>,
    /// Runs of each program in each way; the median counts
    #[arg(long, default_value_t = 7)]
    runs: usize,
    /// Also slice traces of one, two, four and eight times a quarter of the rounds
    #[arg(long)]
    growth: bool,
    /// Leave out what one would do otherwise
    #[arg(long)]
    alone: bool,
}

/// How a program is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    /// Built with hooks, nothing asked for.
    Idle,
    Invariants,
    Exact,
    Trace,
    Gcov,
}

const WAYS: [Way; 6] = [Way::Plain, Way::Idle, Way::Invariants, Way::Exact, Way::Trace, Way::Gcov];

struct Row {
    name: String,
    /// Median seconds of each way.
    seconds: Vec<f64>,
    trace_bytes: u64,
    slicing: Slicing,
    lackey: Option<measure::Lackey>,
    instructions: Option<f64>,
}

impl Row {
    fn times(&self, way: Way) -> f64 {
        let of = |way: Way| self.seconds[WAYS.iter().position(|it| *it == way).expect("all ways are listed")];
        of(way) / of(Way::Plain)
    }

    fn rate(&self) -> f64 {
        self.slicing.records as f64 / self.slicing.seconds / 1e6
    }
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let slicer = faultline.with_file_name("examples").join("slicing_rate");
    ensure!(
        slicer.exists(),
        "there is no {}; build it with `cargo build -p observe --example slicing_rate`, and --release if faultline was",
        slicer.display()
    );
    let suite = options.suite.clone().unwrap_or_else(|| root.join(OWN));
    let mut chosen = programs(&suite)?;
    chosen.retain(|it| options.program.is_empty() || options.program.iter().any(|part| it.name.contains(part)));
    if chosen.is_empty() {
        bail!("{} lists no such program", suite.display());
    }
    let folder = results.join("observe");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut rows = Vec::new();
    let mut growths = Vec::new();
    for program in &chosen {
        let built = program.build(&faultline, &folder)?;
        let row = measure_one(program, &built, &slicer, options)?;
        eprintln!("{}: trace {:.1} times, slicing {:.1} M/s", row.name, row.times(Way::Trace), row.rate());
        rows.push(row);
        if options.growth {
            growths.push((program.name.clone(), growth(program, &built, &slicer)?));
        }
    }
    report(&rows, results)?;
    if options.growth {
        report_growth(&growths, results)?;
    }
    let at_most = |way: Way, limit: f64| rows.iter().filter(|it| it.times(way) <= limit).count();
    let enough = rows.len().min(4);
    Ok(at_most(Way::Invariants, 2.0) >= enough
        && at_most(Way::Trace, 12.0) >= enough
        && rows.iter().all(|it| it.rate() >= 20.0))
}

/// All ways in turns, so that what else the machine does meets all of them.
fn measure_one(program: &Program, built: &Built, slicer: &Path, options: &Options) -> Result<Row> {
    let mut seconds = vec![Vec::new(); WAYS.len()];
    let mut row = Row {
        name: program.name.clone(),
        seconds: Vec::new(),
        trace_bytes: 0,
        slicing: Slicing::default(),
        lackey: None,
        instructions: None,
    };
    for turn in 0..options.runs.max(1) {
        for (way, seconds) in WAYS.iter().zip(&mut seconds) {
            let folder = tempfile::tempdir().context("cannot create a folder for recordings")?;
            seconds.push(cpu_seconds(program.command(built, *way, folder.path(), program.rounds), program.input())?);
            if *way == Way::Trace && turn == 0 {
                row.trace_bytes = size_of(folder.path())?;
                row.slicing = slicing(slicer, folder.path(), &built.observed)?;
            }
        }
    }
    row.seconds = seconds.into_iter().map(median).collect();
    if !options.alone && program.scales() {
        let rounds = (program.rounds / FEWER).max(1);
        row.lackey = lackey(program, built, rounds)?;
        let scale = program.rounds as f64 / rounds as f64;
        row.instructions = row.lackey.as_ref().map(|it| it.instructions as f64 * scale);
        if let Some(lackey) = &mut row.lackey {
            lackey.seconds *= scale;
        }
    }
    Ok(row)
}

fn report(rows: &[Row], results: &Path) -> Result<()> {
    let mut table = Table::new(&[
        "program",
        "plain s",
        "idle",
        "invariants",
        "exact",
        "trace",
        "gcov",
        "lackey",
        "trace MB",
        "bytes/instr",
        "lackey bytes/instr",
        "M records",
        "M records/s",
        "needed MB",
        "slicer MB",
    ]);
    for row in rows {
        let times = |way: Way| format!("{:.2}", row.times(way));
        let per = |bytes: u64| row.instructions.map_or_else(String::new, |it| format!("{:.3}", bytes as f64 / it));
        let lackey = row.lackey.as_ref();
        table.row([
            row.name.clone(),
            format!("{:.3}", row.seconds[0]),
            times(Way::Idle),
            times(Way::Invariants),
            times(Way::Exact),
            times(Way::Trace),
            times(Way::Gcov),
            lackey.map_or_else(String::new, |it| format!("{:.0}", it.seconds / row.seconds[0])),
            format!("{:.1}", row.trace_bytes as f64 / 1e6),
            per(row.trace_bytes),
            lackey.map_or_else(String::new, |it| format!("{:.1}", it.bytes as f64 / it.instructions as f64)),
            format!("{:.1}", row.slicing.records as f64 / 1e6),
            format!("{:.1}", row.rate()),
            format!("{:.1}", row.slicing.needed as f64 / 1e6),
            format!("{:.0}", row.slicing.resident as f64 / 1e6),
        ]);
    }
    print!("{table}");
    table.write_tsv(&results.join("observe.tsv"))?;
    let labels = Labels { title: "Processor time of observed programs", x: "", y: "times plain -O1" };
    let bars = |row: &Row| {
        let of = |word: &str, way: Way| (format!("{} {word}", row.name), row.times(way));
        [of("i", Way::Invariants), of("t", Way::Trace)]
    };
    let values: Vec<(String, f64)> = rows.iter().flat_map(bars).collect();
    write(&results.join("observe.svg"), &plot::bars(&labels, Scale::Logarithmic, &values))
}

/// Rounds, and what slicing took.
type Growth = Vec<(u64, Slicing)>;

fn growth(program: &Program, built: &Built, slicer: &Path) -> Result<Growth> {
    let mut found = Vec::new();
    for times in [1, 2, 4, 8] {
        let rounds = (program.rounds * times / 4).max(1);
        let folder = tempfile::tempdir().context("cannot create a folder for recordings")?;
        cpu_seconds(program.command(built, Way::Trace, folder.path(), rounds), program.input())?;
        found.push((rounds, slicing(slicer, folder.path(), &built.observed)?));
    }
    Ok(found)
}

fn report_growth(growths: &[(String, Growth)], results: &Path) -> Result<()> {
    let mut table = Table::new(&["program", "rounds", "M records", "M records/s", "needed MB", "slicer MB"]);
    let mut series = Vec::new();
    for (name, found) in growths {
        for (rounds, slicing) in found {
            table.row([
                name.clone(),
                rounds.to_string(),
                format!("{:.1}", slicing.records as f64 / 1e6),
                format!("{:.1}", slicing.records as f64 / slicing.seconds / 1e6),
                format!("{:.1}", slicing.needed as f64 / 1e6),
                format!("{:.0}", slicing.resident as f64 / 1e6),
            ]);
        }
        let points = found.iter().map(|(_, it)| (it.records as f64 / 1e6, it.resident as f64 / 1e6)).collect();
        series.push(Series { name: name.clone(), points });
    }
    print!("{table}");
    table.write_tsv(&results.join("observe-growth.tsv"))?;
    let labels = Labels { title: "Memory of slicing", x: "million records", y: "MB" };
    write(&results.join("observe-growth.svg"), &plot::lines(&labels, Scale::Linear, &series))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
