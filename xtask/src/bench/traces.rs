//! How many different error traces trace abstraction finds in a time, beside what "Simple bugs" published.
//!
//! Input: a folder with SV-COMP's categories. For each of the paper's 41 programs it runs `faultline check
//! --engine trace-abstraction --all`. Output: a row per program with the number of traces, whether the rest
//! became empty, and the paper's figures (Table 2). True if the rest became empty wherever the paper's did,
//! and more traces than the paper's were found on at least half of the others.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use super::process::{self, Ending, Limits};
use super::table::Table;

#[derive(Args)]
pub struct Options {
    /// The folder with the categories `locks`, `loops`, `ssh-simplified` and so on
    #[arg(long, value_name = "DIR")]
    suite: PathBuf,
    /// The binary to measure; the release build by default
    #[arg(long, value_name = "PATH")]
    faultline: Option<PathBuf>,
    /// Seconds for one program; the paper's were 120
    #[arg(long, default_value_t = 120)]
    timeout: u64,
    /// Programs at once
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only programs whose name contains one of these
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
}

/// The paper's name, the category, how the file begins and goes on, the traces found, and whether none was left.
type Published = (&'static str, &'static str, &'static str, &'static str, u32, bool);

const PUBLISHED: &[Published] = &[
    ("locks1", "locks", "test_locks_14", "", 29, true),
    ("locks2", "locks", "test_locks_15", "", 9, false),
    ("loop-ac5", "loop-acceleration", "multivar", "1", 2, true),
    ("loop-ac11", "loop-acceleration", "underapprox", "1", 1, true),
    ("loop-ac12", "loop-acceleration", "underapprox", "2", 1, true),
    ("loop-lit1", "loop-lit", "gcnr2008", "", 51, false),
    ("loops3", "loops", "count_up_down", "", 17, false),
    ("loops5", "loops", "for_bounded_loop1", "", 15, false),
    ("loops10", "loops", "sum04", "", 1, true),
    ("loops12", "loops", "terminator_03", "", 2, true),
    ("ntdrivers1", "ntdrivers-simplified", "cdaudio_simpl1", "", 4, true),
    ("ntdrivers2", "ntdrivers-simplified", "floppy_simpl3", "", 8, true),
    ("ntdrivers3", "ntdrivers-simplified", "floppy_simpl4", "", 8, true),
    ("ntdrivers4", "ntdrivers-simplified", "kbfiltr_simpl2", "", 1, true),
    ("plines9", "product-lines", "minepump_spec3_product03", "", 76, false),
    ("plines10", "product-lines", "minepump_spec3_product10", "", 51, false),
    ("plines11", "product-lines", "minepump_spec3_product29", "", 48, false),
    ("plines12", "product-lines", "minepump_spec3_product40", "", 47, false),
    ("ssh1", "ssh-simplified", "s3_clnt_1", "", 6, false),
    ("ssh2", "ssh-simplified", "s3_clnt_2", "", 5, false),
    ("ssh3", "ssh-simplified", "s3_clnt_3", "", 3, false),
    ("ssh4", "ssh-simplified", "s3_clnt_4", "", 4, false),
    ("ssh5", "ssh-simplified", "s3_srvr_10", "", 1, true),
    ("ssh6", "ssh-simplified", "s3_srvr_11", "", 3, false),
    ("ssh7", "ssh-simplified", "s3_srvr_12", "", 4, false),
    ("ssh8", "ssh-simplified", "s3_srvr_13", "", 6, false),
    ("ssh9", "ssh-simplified", "s3_srvr_14", "", 6, true),
    ("ssh10", "ssh-simplified", "s3_srvr_1", "", 8, false),
    ("ssh11", "ssh-simplified", "s3_srvr_2", "", 8, false),
    ("systemc1", "systemc", "kundu1", "", 3, true),
    ("systemc2", "systemc", "kundu2", "", 4, false),
    ("systemc3", "systemc", "pc_sfifo_2", "", 5, true),
    ("systemc4", "systemc", "pipeline", "", 1, false),
    ("systemc5", "systemc", "token_ring.01", "", 24, false),
    ("systemc6", "systemc", "token_ring.02", "", 12, false),
    ("systemc7", "systemc", "token_ring.03", "", 5, false),
    ("systemc8", "systemc", "toy1", "", 10, false),
    ("systemc9", "systemc", "toy2", "", 9, false),
    ("systemc10", "systemc", "transmitter.01", "", 6, true),
    ("systemc11", "systemc", "transmitter.02", "", 14, false),
    ("systemc12", "systemc", "transmitter.03", "", 5, false),
];

/// What became of a program.
struct Row {
    traces: Option<u32>,
    empty: bool,
    seconds: f64,
    words: String,
}

pub fn run(root: &Path, results: &Path, options: &Options) -> Result<bool> {
    let faultline = super::faultline(root, options.faultline.as_deref())?;
    let suite = options.suite.canonicalize().with_context(|| format!("cannot read {}", options.suite.display()))?;
    let wanted = |it: &&Published| options.only.is_empty() || options.only.iter().any(|part| it.2.contains(part));
    let programs: Vec<&Published> = PUBLISHED.iter().filter(wanted).collect();
    let rows: Vec<Mutex<Option<Row>>> = programs.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(number) else { break };
                    let row = measure(&faultline, &suite, program, options);
                    eprintln!("{}: {} ({:.1} s)", program.2, row.words, row.seconds);
                    *rows[number].lock().expect("no thread panics") = Some(row);
                }
            });
        }
    });
    let rows: Vec<Row> = rows.into_iter().filter_map(|row| row.into_inner().expect("no thread panics")).collect();
    report(&programs, &rows, results)
}

/// The program's file: in later years names got longer, and a preprocessed one is preferred.
fn find(suite: &Path, (_, category, begin, rest, ..): &Published) -> Option<PathBuf> {
    let start = format!("{begin}_false-unreach-call{rest}");
    let mut files: Vec<PathBuf> = std::fs::read_dir(suite.join(category))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
            let after = name.strip_prefix(&start).unwrap_or("0");
            !after.starts_with(|it: char| it.is_ascii_digit()) && (name.ends_with(".c") || name.ends_with(".i"))
        })
        .collect();
    files.sort();
    files.pop()
}

fn measure(faultline: &Path, suite: &Path, program: &Published, options: &Options) -> Row {
    let nothing = |words: &str| Row { traces: None, empty: false, seconds: 0.0, words: words.to_owned() };
    let Some(file) = find(suite, program) else { return nothing("there is no such file") };
    let time = format!("{}s", options.timeout);
    let arguments: Vec<OsString> = vec![
        "check".into(),
        file.clone().into(),
        "--engine=trace-abstraction".into(),
        "--all".into(),
        "--property=none,error-call,assert".into(),
        "--timeout".into(),
        time.into(),
    ];
    let limits = Limits { time: Duration::from_secs(options.timeout + 60), memory: 8 << 30 };
    let finished = process::run(file.parent().unwrap_or(Path::new(".")), faultline, &arguments, limits);
    let Ok(finished) = finished else { return nothing("it could not be run") };
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    let line = text.lines().last().unwrap_or_default();
    let count = line.strip_prefix("violated by ").and_then(|it| it.split(' ').next()).and_then(|it| it.parse().ok());
    let words = match finished.ending {
        Ending::Exit(0 | 1 | 3) => line.to_owned(),
        ending => format!("{ending:?}"),
    };
    Row { traces: count, empty: line.contains("every other"), seconds: finished.time.as_secs_f64(), words }
}

fn report(programs: &[&Published], rows: &[Row], results: &Path) -> Result<bool> {
    let mut table =
        Table::new(&["program", "traces", "rest empty", "seconds", "paper", "paper's rest empty", "verdict"]);
    let (mut emptied, mut more, mut others) = (true, 0, 0);
    for (&&(name, _, _, _, paper, empty), row) in programs.iter().zip(rows) {
        if empty {
            emptied &= row.empty;
        } else {
            others += 1;
            more += usize::from(row.traces.is_some_and(|it| it > paper));
        }
        let yes = |it: bool| if it { "yes" } else { "no" }.to_owned();
        table.row([
            name.to_owned(),
            row.traces.map_or_else(String::new, |it| it.to_string()),
            yes(row.empty),
            format!("{:.1}", row.seconds),
            paper.to_string(),
            yes(empty),
            row.words.clone(),
        ]);
    }
    print!("{table}");
    println!("more traces than the paper on {more} of the {others} programs where its rest did not become empty");
    table.write_tsv(&results.join("traces.tsv"))?;
    Ok(emptied && 2 * more >= others)
}
