//! The command line of what runs native programs: `reduce`, `inputs`, `diagnose`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use observe::detect::Statuses;

use crate::arguments::{Format, Showing};
use crate::quantities::{parse_bytes, parse_duration, parse_number};

const DETECTORS: &str = "\
The input is given where @@ stands in the command, as a file, or else on standard input; where
@args stands, the words of its first line are arguments, and the rest is standard input. The
program fails if a sanitizer reports something, if an assertion fails, if a signal kills it or
if it exits with a bad status, whatever it does on the failing input; other failures do not
count. Without one of these, say how the failure shows: --expected, --bad-output, --status,
--reference, --script, --hang.

A script is a shell command that finds the run's input, output and status in FAULTLINE_INPUT,
FAULTLINE_STDOUT, FAULTLINE_STDERR (files) and FAULTLINE_STATUS. It exits with 0 if the run
shows the failure, with 1 if not, and with 125 if the input is invalid.";

const REDUCE_EXAMPLES: &str = "\
Examples:
  faultline reduce --failing crash.json -- ./parse @@ > small.json
  faultline reduce --failing crash.txt -- ./calculator            by standard input
  faultline reduce --failing q.sql --tokens sql --bad-output 'nan' -- ./sql
  faultline reduce --failing q.sql --reference './sql-fixed' -- ./sql

Exit status:
  0  it is as small as can be      2  faultline or its use failed, or the program does not fail
  3  smaller, but time or runs ended before";

const INPUTS_EXAMPLES: &str = "\
Examples:
  faultline inputs --failing crash.json --tokens json -- ./parse @@
  faultline inputs --failing q.sql --tokens sql --output near -- ./sql
  faultline inputs --failing req.txt --tokens http --server-ready tcp:127.0.0.1:8080 \\
      --client 'nc -N 127.0.0.1 8080' -- ./server -p 8080

Exit status:
  0  enough good inputs            2  faultline or its use failed, or the program does not fail
  3  too few good inputs were found";

#[derive(Args)]
#[command(mut_arg("failing", |it| it.required(true)))]
#[command(after_long_help = format!("{DETECTORS}\n\n{REDUCE_EXAMPLES}"), after_help = REDUCE_EXAMPLES)]
pub struct Reduce {
    #[command(flatten)]
    pub subject: Subject,
    #[command(flatten)]
    pub search: Search,
    /// Leave tokens whole, so that what is left can be read: words, json, http, sql, c, or a file in the form of
    /// docs/diagnose.md; without it, single characters are taken out
    #[arg(long, value_name = "SPECIFICATION", help_heading = "Inputs")]
    pub tokens: Option<String>,
    /// Write the smaller input to this file instead of to standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub showing: Showing,
}

#[derive(Args)]
#[command(mut_arg("failing", |it| it.required(true)))]
#[command(after_long_help = format!("{DETECTORS}\n\n{INPUTS_EXAMPLES}"), after_help = INPUTS_EXAMPLES)]
pub struct Generate {
    #[command(flatten)]
    pub subject: Subject,
    #[command(flatten)]
    pub search: Search,
    #[command(flatten)]
    pub near: Near,
    /// The folder for the inputs; without it, the failing input's name with `.inputs`
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub showing: Showing,
}

const DIAGNOSE_EXAMPLES: &str = "\
The program must have been built with `faultline cc`: make CC=\"faultline cc\", or cmake
-DCMAKE_C_COMPILER=…; sanitizers may be on, too.

Examples:
  faultline diagnose --failing crash.json --tokens json -- ./parse @@
  faultline diagnose --failing crash.txt --format html --output crash.html -- ./calculator
  faultline diagnose --failing q.sql --reference ./sql-old -- ./sql
  faultline diagnose --failing bad/1 --good good --bad bad -- ./program @@
  faultline diagnose --failing q.sql --expected q.out --good good -- ./sql
  faultline diagnose --tests tests -- ./program                   1.in, 1.out, 2.in, …

Exit status:
  1  suspects were found           2  faultline or its use failed, or the program does not fail
  3  inconclusive: no good inputs, or nothing differs from them";

#[derive(Args, Clone)]
#[command(mut_arg("failing", |it| it.required_unless_present("tests")))]
#[command(after_long_help = format!("{DETECTORS}\n\n{DIAGNOSE_EXAMPLES}"), after_help = DIAGNOSE_EXAMPLES)]
pub struct Diagnose {
    #[command(flatten)]
    pub subject: Subject,
    #[command(flatten)]
    pub search: Search,
    #[command(flatten)]
    pub near: Near,
    /// Compare tests that fail with tests that pass: pairs NAME.in and NAME.out, with NAME.args if there are arguments; the smallest
    /// that fails is explained, or the one of --failing
    #[arg(long, value_name = "DIR", group = "detector", conflicts_with_all = ["good", "inputs"], help_heading = "The failure")]
    pub tests: Option<PathBuf>,
    /// Take all files of this folder as good inputs instead of making some
    #[arg(long, value_name = "DIR", help_heading = "Inputs")]
    pub good: Option<PathBuf>,
    /// Take all files of this folder as further failing inputs
    #[arg(long, value_name = "DIR", requires = "good", help_heading = "Inputs")]
    pub bad: Option<PathBuf>,
    /// Keep the inputs that are made in this folder, and go on from what is there
    #[arg(long, value_name = "DIR", conflicts_with = "good", help_heading = "Inputs")]
    pub inputs: Option<PathBuf>,

    /// Where the failure shows: the last time that this line is executed; without it, where the run ends or last prints
    #[arg(long, value_name = "FILE:LINE", help_heading = "The failure")]
    pub symptom: Option<String>,

    /// How to write the report
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,
    /// Write the report to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Also write which run executed which line to this file, as a test coverage matrix (docs/engines/spectrum.md)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub tcm: Option<PathBuf>,
    #[command(flatten)]
    pub showing: Showing,
}

/// What to run, and what its failure is.
#[derive(Args, Clone)]
pub struct Subject {
    /// The input on which the program fails
    #[arg(long, value_name = "FILE")]
    pub failing: Option<PathBuf>,
    /// The program with its arguments; @@ stands for the path of the input, @args for the words of its first line
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// It fails if it does not print what is in this file, which says nothing about other inputs
    #[arg(long, value_name = "FILE", group = "detector", help_heading = "The failure")]
    pub expected: Option<PathBuf>,
    /// It fails if what it prints matches this regular expression
    #[arg(long, value_name = "REGEX", group = "detector", help_heading = "The failure")]
    pub bad_output: Option<String>,
    /// It fails if it exits with one of these
    #[arg(long, value_name = "LIST", group = "detector", help_heading = "The failure")]
    pub status: Option<Statuses>,
    /// It fails if it prints something else than this shell command, which gets the same input; what that refuses is
    /// invalid
    #[arg(long, value_name = "COMMAND", group = "detector", help_heading = "The failure")]
    pub reference: Option<OsString>,
    /// This shell command says whether it fails
    #[arg(long, value_name = "COMMAND", group = "detector", help_heading = "The failure")]
    pub script: Option<OsString>,
    /// It fails if it does not end in time
    #[arg(long, group = "detector", help_heading = "The failure")]
    pub hang: bool,
    /// Exit statuses on inputs that are fine: 0,2 or 0-3 or any; with others it refuses its input
    #[arg(long, value_name = "LIST", default_value = "0", help_heading = "The failure")]
    pub good_status: Statuses,
    /// An input is invalid if what it prints matches this regular expression
    #[arg(long, value_name = "REGEX", help_heading = "The failure")]
    pub invalid_output: Option<String>,
    /// Frames of the stack by which two failures are the same
    #[arg(long, value_name = "NUMBER", default_value_t = 3, help_heading = "The failure")]
    pub frames: usize,
    /// How often the failing input is run, to see whether it always fails
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000), default_value_t = 3, help_heading = "The failure")]
    pub repeat: u32,

    /// The program is a server: this shell command sends it the input (@@, or on standard input)
    #[arg(long, value_name = "COMMAND", requires = "server_ready", help_heading = "Servers")]
    pub client: Option<OsString>,
    /// It is ready when this is so: tcp:HOST:PORT, unix:PATH, output:REGEX, or a shell command that succeeds
    #[arg(long, value_name = "CHECK", requires = "client", help_heading = "Servers")]
    pub server_ready: Option<String>,
    /// A shell command that stops it; without it, SIGTERM does
    #[arg(long, value_name = "COMMAND", requires = "client", help_heading = "Servers")]
    pub server_stop: Option<OsString>,

    /// Run it in this folder; without it, in a new one each time
    #[arg(long, value_name = "DIR", help_heading = "Surroundings")]
    pub folder: Option<PathBuf>,
    /// A variable of its environment, over ours
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Surroundings")]
    pub env: Vec<String>,

    /// Time for one run: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "5s", help_heading = "Limits")]
    pub run_timeout: Duration,
    /// Memory for one run: 512M, 4G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "2G", help_heading = "Limits")]
    pub memory: u64,
    /// What one run may print
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "16M", help_heading = "Limits")]
    pub max_output: u64,
    /// The largest file that one run may write
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "128M", help_heading = "Limits")]
    pub max_file: u64,
    /// What one run may write in all
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "512M", help_heading = "Limits")]
    pub max_written: u64,
    /// Processes that one run may have at a time
    #[arg(long, value_name = "NUMBER", default_value_t = 64, help_heading = "Limits")]
    pub max_processes: u32,
}

impl Subject {
    pub fn failing(&self) -> &Path {
        self.failing.as_deref().expect("an input is required or chosen among the tests")
    }
}

/// What the search may spend.
#[derive(Args, Clone)]
pub struct Search {
    /// Stop after this time: 30s, 10m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "2m", help_heading = "Limits")]
    pub timeout: Duration,
    /// Stop after so many runs
    #[arg(long, value_name = "NUMBER", value_parser = parse_number, default_value = "5000", help_heading = "Limits")]
    pub runs: u64,
    /// Runs at a time; without it, as many as there are processors
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub jobs: Option<usize>,
}

/// Which inputs are made.
#[derive(Args, Clone)]
pub struct Near {
    /// How many good inputs
    #[arg(long, value_name = "NUMBER", default_value_t = 8, help_heading = "Inputs")]
    pub good_inputs: usize,
    /// How many further failing inputs
    #[arg(long, value_name = "NUMBER", default_value_t = 8, help_heading = "Inputs")]
    pub bad_inputs: usize,
    /// What inputs consist of: words, json, http, sql, c, or a file in the form of docs/diagnose.md
    #[arg(long, value_name = "SPECIFICATION", default_value = "words", help_heading = "Inputs")]
    pub tokens: String,
    /// Inputs near the failing one as it is, not near a smaller one
    #[arg(long, help_heading = "Inputs")]
    pub no_reduce: bool,
    /// Other numbers give other inputs
    #[arg(long, value_name = "NUMBER", default_value_t = 1, help_heading = "Inputs")]
    pub seed: u64,
}
