//! What can be said on the command line, and the help for it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use localize::ped;

use crate::arguments_native::{Diagnose, Generate, Reduce};
use crate::quantities::{parse_bytes, parse_duration, parse_number};

const EXAMPLES: &str = "\
Examples:
  faultline explain queue.c                which line is at fault, why, and what to write instead
  faultline run average.c -- 71 64 88      run it, with arguments for the program
  faultline run main.c list.c -Iinclude    several files, with compiler options
  faultline ir average.c                   the program as Faultline sees it

Exit status:
  0  nothing wrong found      2  faultline or its use failed
  1  fault found              3  inconclusive";

const RUN_EXAMPLES: &str = "\
Compiler options (-I -D -U -std= -include -isystem -f… -m… -W… and the like) may stand
between the files; --cflags takes others.

Examples:
  faultline run average.c -- 71 64 88
  faultline run sort.c < numbers.txt
  faultline run parse.c --file config=tests/config.txt -- config
  faultline run search.c --nondet 7,-1     values for __VERIFIER_nondet_int() and the like
  faultline run tree.c --property leak     also look for memory that is never freed
  faultline run loop.c --timeout 10s --trace steps.txt

Exit status:
  0  nothing wrong found      2  faultline or its use failed
  1  fault found              3  inconclusive: unsupported construct, unknown function, limit";

const CHECK_EXAMPLES: &str = "\
What __VERIFIER_nondet_int() and the like return is searched for; a violation is shown only
after the program has been run with the values that were found.

Examples:
  faultline check search.c
  faultline check search.c --property none,unreach-call --timeout 60s
  faultline check search.c --property unreach-call.prp --format json
  faultline check search.c --bound 8 --all --traces 3
  faultline check search.c --harness failing.c    then: cc search.c failing.c && ./a.out
  faultline check queue.bpl --procedure enqueue    a Boogie program
  faultline check search.c --witness-out search.yml     write down how it fails
  faultline check search.c --witness other.graphml      follow what another verifier found

Exit status:
  0  proved                   2  faultline or its use failed
  1  violated                 3  nothing found within the bound, or unknown";

const LSP_EXAMPLES: &str = "\
Editors start this by themselves; `docs/editors.md` says how to set them up.

Examples:
  faultline lsp
  faultline lsp -Iinclude -DNDEBUG --timeout 10s";

const EXPLAIN_EXAMPLES: &str = "\
The failing run is the one with the given arguments and inputs; where the program asks for
values that are not given, they are searched for. All engines that apply are asked, the quick
ones first, and what they say is brought together. If no run fails, or there is no main, the
contracts of functions are checked; with --tests, those are what must hold. A program that was
built with `faultline cc` is compared on the failing input and on others near it.

Examples:
  faultline explain queue.c
  faultline explain average.c -- 71 64 88
  faultline explain parse.c --stdin crash.txt
  faultline explain max.c --function max --tests max.tsv
  faultline explain ./parse --stdin crash.txt
  faultline explain queue.c --apply                 write the best checked patch
  faultline explain queue.c --format json --output queue.json

Exit status:
  0  nothing wrong found      2  faultline or its use failed
  1  fault found              3  inconclusive";

const LOCALIZE_EXAMPLES: &str = "\
The failing run is the one with the given arguments and inputs. Where the program asks for
values that are not given (__VERIFIER_nondet_int() and the like), they are searched for, as
`faultline check` does. With --witness, the failing run is the one that another verifier has
found.

Examples:
  faultline localize average.c -- 71 64 88
  faultline localize parse.c --stdin crash.txt
  faultline localize search.c --nondet 7,-1 --why-not 12
  faultline localize search.c --witness other.graphml --engine flow-sensitive
  faultline localize search.c --format json --output suspects.json

Exit status:
  0  nothing wrong found      2  faultline or its use failed
  1  fault found              3  inconclusive";

const REPAIR_EXAMPLES: &str = "\
What the function is to do is said by an ACSL contract before it, or by tests:

  /*@ requires n > 0 && \\valid_read(a + (0 .. n - 1));
      ensures \\forall integer i; 0 <= i < n ==> \\result >= a[i];
      ensures \\exists integer i; 0 <= i < n && \\result == a[i]; */
  int max(int a[], int n)

A table of tests names its columns in the first line: parameters, `result`, and a' for the
array a after the call. A folder has pairs of files for the whole program: NAME.in and NAME.out.

Examples:
  faultline repair max.c --function max
  faultline repair max.c --function max --tests max.tsv --apply
  faultline repair wc.c --function count --tests tests/
  faultline repair wc.c --function count --test-command 'make test'

Exit status:
  0  nothing wrong found      2  faultline or its use failed
  1  fault found              3  inconclusive";

/// Tells which line of a C program is at fault, and why.
#[derive(Parser)]
#[command(name = "faultline", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub struct CommandLine {
    #[command(subcommand)]
    pub action: Action,
}

impl CommandLine {
    pub fn color(&self) -> Color {
        match &self.action {
            Action::Explain(explain) => explain.showing.color,
            Action::Run(run) => run.showing.color,
            Action::Check(check) => check.showing.color,
            Action::Localize(localize) => localize.showing.color,
            Action::Repair(repair) => repair.showing.color,
            Action::Diagnose(diagnose) => diagnose.showing.color,
            Action::Inputs(inputs) => inputs.showing.color,
            Action::Reduce(reduce) => reduce.showing.color,
            Action::Ir(ir) => ir.showing.color,
            Action::Report(report) => report.showing.color,
            Action::Cc(_) | Action::Cxx(_) | Action::Lsp(_) | Action::Completions(_) | Action::Man(_) => Color::Auto,
        }
    }
}

#[derive(Subcommand)]
pub enum Action {
    /// Find the failure, say which line is to blame and why, and propose a checked patch
    Explain(Box<Explain>),
    /// Run a C program with exact C semantics and report the first fault
    Run(Box<Run>),
    /// Look for inputs that make a C program fail, or prove that there are none
    Check(Box<Check>),
    /// Say which statements of a failing run are to blame, and why
    Localize(Box<Localize>),
    /// Change a function so that it meets its specification or passes its tests
    Repair(Box<Repair>),
    /// Say which expressions of an observed program are to blame for a failing run
    Diagnose(Box<Diagnose>),
    /// Make good and bad inputs near a failing one, for a native program
    Inputs(Box<Generate>),
    /// Make a failing input smaller, for a native program
    Reduce(Box<Reduce>),
    /// Show the program as Faultline sees it: guarded commands with their places in the source
    Ir(Ir),
    /// Compile C for observation: a drop-in for clang (`CC="faultline cc"`)
    #[command(disable_help_flag = true)]
    Cc(Compile),
    /// Compile C++ for observation: a drop-in for clang++ (`CXX="faultline c++"`)
    #[command(name = "c++", disable_help_flag = true)]
    Cxx(Compile),
    /// Show a report again that `--format json` wrote, in any format
    Report(Render),
    /// Serve editors: show failures and suspects in the source, and offer patches (Language Server Protocol)
    Lsp(Lsp),
    /// Print a script that completes command lines in a shell
    Completions(Completions),
    /// Print the manual page, in the form that `man` reads
    Man(Man),
}

#[derive(Args, Clone)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub struct Explain {
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub following: Following,
    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub checks: Checks,

    /// What this function must do is said by its contract (ACSL) or by --tests
    #[arg(long, value_name = "NAME", help_heading = "Specification")]
    pub function: Option<String>,
    /// Tests that it must pass: a table (.tsv) of arguments and results, or a folder of inputs and outputs
    #[arg(long, value_name = "PATH", help_heading = "Specification")]
    pub tests: Option<PathBuf>,

    /// Write the best checked patch into the sources
    #[arg(long, help_heading = "Patches")]
    pub apply: bool,
    /// Ask before a patch is written
    #[arg(long, short, conflicts_with = "apply", help_heading = "Patches")]
    pub interactive: bool,
    /// Alternatives for patches, over the built-in ones (TOML)
    #[arg(long, value_name = "FILE", help_heading = "Patches")]
    pub annotations: Option<PathBuf>,

    #[command(flatten)]
    pub writing: Writing,
    /// Threads; without it, as many as there are processors
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub showing: Showing,
}

#[derive(Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct Run {
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub checks: Checks,

    /// How to write the report; unless as text, the program's output becomes part of it or is left out
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,
    /// Write the report to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write every step with its values to this file; `-` is standard error
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace: Option<PathBuf>,
    /// Exit with the program's own status where nothing wrong was found
    #[arg(long, help_heading = "Output")]
    pub exit_status: bool,
    #[command(flatten)]
    pub showing: Showing,
}

#[derive(Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    #[command(flatten)]
    pub reading: Reading,

    /// Checks to add to the usual ones; `none` first takes all off, `all` puts all on; or a property file of
    /// SV-COMP (.prp), which says all that is checked
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Checks")]
    pub property: Vec<String>,
    /// Checks to leave out
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Checks")]
    pub no_property: Vec<String>,
    /// Do not stop at the first violation; with trace abstraction, go on to all paths that fail in their own way
    #[arg(long, help_heading = "Checks")]
    pub all: bool,
    /// Show so many traces for a violation, each on another path through the program
    #[arg(long, value_name = "NUMBER", value_parser = parse_number, help_heading = "Checks")]
    pub traces: Option<u64>,
    /// Where executions of a Boogie program begin; by default in `main`, `ULTIMATE.start`, or the only one
    #[arg(long, value_name = "NAME", help_heading = "Checks")]
    pub procedure: Option<String>,
    /// How to search: by unrolling loops, or by trace abstraction, which can prove loops without a bound
    #[arg(long, value_enum, default_value_t = CheckEngine::Bounded, help_heading = "Checks")]
    pub engine: CheckEngine,
    /// Search for all violations, also for those that abstract interpretation can rule out before
    #[arg(long, help_heading = "Checks")]
    pub no_analysis: bool,

    /// Follow loops and recursion at most so many times; without it, as far as the time allows
    #[arg(long, value_name = "NUMBER", value_parser = parse_number, help_heading = "Limits")]
    pub bound: Option<u64>,
    /// Stop after this time: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub timeout: Option<Duration>,
    /// Memory for the search: 512M, 4G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub memory: Option<u64>,

    #[command(flatten)]
    pub writing: Writing,
    /// Write a C file that makes the compiled program fail in the same way
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub harness: Option<PathBuf>,
    #[command(flatten)]
    pub following: Following,
    /// Write a witness of the violation to this file; .graphml or .yml says the format
    #[arg(long, value_name = "FILE", help_heading = "Witnesses")]
    pub witness_out: Option<PathBuf>,
    /// The format of that witness
    #[arg(long, value_enum, value_name = "FORMAT", requires = "witness_out", help_heading = "Witnesses")]
    pub witness_format: Option<WitnessFormat>,
    #[command(flatten)]
    pub showing: Showing,
}

/// How `check` searches.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CheckEngine {
    /// Bounded model checking
    Bounded,
    TraceAbstraction,
}

#[derive(Args, Clone)]
#[command(after_help = LOCALIZE_EXAMPLES)]
pub struct Localize {
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub inputs: Inputs,
    #[command(flatten)]
    pub following: Following,
    #[command(flatten)]
    pub limits: Limits,

    /// How to find who is to blame
    #[arg(long, value_enum, default_value_t = Engine::Relevance, help_heading = "Localization")]
    pub engine: Engine,
    /// On how many failing runs the answer rests
    #[arg(long, value_enum, default_value_t = Traces::Single, help_heading = "Localization")]
    pub traces: Traces,
    /// What the engine `ped` uses: default, correlated, invariants or trusted; then single parts, as in
    /// `trusted,no-traces,changes=3`
    #[arg(long, value_parser = parse_ped, default_value = "correlated", value_name = "LIST", help_heading = "Localization")]
    pub ped: ped::Options,
    /// Alternatives for the engine `ped`, over the built-in ones (TOML)
    #[arg(long, value_name = "FILE", help_heading = "Localization")]
    pub annotations: Option<PathBuf>,
    /// Write the best checked patch of the engine `ped` into the sources
    #[arg(long, help_heading = "Localization")]
    pub apply: bool,
    /// Also say why the statements in this line are not to blame; `all` for every line
    #[arg(long, value_name = "LINE", value_parser = parse_line, help_heading = "Localization")]
    pub why_not: Vec<u32>,
    /// Time for one question
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Localization")]
    pub question_timeout: Option<Duration>,
    /// Threads; without it, as many as there are processors
    #[arg(long, value_name = "NUMBER", help_heading = "Localization")]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub checks: Checks,

    #[command(flatten)]
    pub writing: Writing,
    #[command(flatten)]
    pub showing: Showing,
}

#[derive(Args, Clone)]
#[command(after_help = REPAIR_EXAMPLES)]
pub struct Repair {
    #[command(flatten)]
    pub reading: Reading,

    /// The function to repair; without it, any of the file with `main`, by --tests of the whole program
    #[arg(long, value_name = "NAME", help_heading = "Repair")]
    pub function: Option<String>,
    /// Tests: a table (.tsv) of arguments and results, or a folder of inputs and outputs; without them, tests are
    /// made from the contract
    #[arg(long, value_name = "PATH", help_heading = "Repair")]
    pub tests: Option<PathBuf>,
    /// Test by this shell command instead, in a copy of the file's folder with a change made; it succeeds if all is well
    #[arg(long, value_name = "COMMAND", conflicts_with = "tests", help_heading = "Repair")]
    pub test_command: Option<String>,
    /// Elements of the largest arrays in tests that are made, and in verification
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=64), default_value_t = 4, help_heading = "Repair")]
    pub size: u32,
    /// Statements that may be changed at once
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=2), default_value_t = 2, help_heading = "Repair")]
    pub changes: u32,
    /// Patches that are shown at most; those of tests alone are ranked by what they do on other inputs
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000), default_value_t = 3, help_heading = "Repair")]
    pub fixes: u32,
    /// Alternatives over the built-in ones (TOML)
    #[arg(long, value_name = "FILE", help_heading = "Repair")]
    pub annotations: Option<PathBuf>,
    /// Write the first patch into the source
    #[arg(long, help_heading = "Repair")]
    pub apply: bool,

    #[command(flatten)]
    pub checks: Checks,

    /// Stop after this time: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    #[command(flatten)]
    pub writing: Writing,
    #[command(flatten)]
    pub showing: Showing,
}

/// How to find who is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Assignments that another value could have saved
    Relevance,
    /// A slice of the run with what must be true between its statements
    ErrorInvariants,
    /// Assignments and branches that the failure needs
    FlowSensitive,
    /// Smallest sets of statements whose change could keep the run from failing
    MaxSat,
    /// Changes that avoid the failure, with patches that were checked on the whole program
    Ped,
}

/// On how many failing runs an answer rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Traces {
    /// One: the given one, or the first that is found
    Single,
    /// All that trace abstraction finds: to blame is what each of them blames
    Multi,
}

fn parse_ped(text: &str) -> Result<ped::Options, String> {
    ped::Options::from_words(text.split(','))
}

fn parse_line(text: &str) -> Result<u32, String> {
    match text {
        "all" => Ok(0),
        text => text.parse().ok().filter(|&line| line > 0).ok_or_else(|| "expected a line number or `all`".to_owned()),
    }
}

#[derive(Args)]
pub struct Ir {
    #[command(flatten)]
    pub reading: Reading,
    /// Everything, so that it can be read back, with the places of all nodes
    #[arg(long)]
    pub full: bool,
    /// The source line above each command
    #[arg(long, conflicts_with = "full")]
    pub source: bool,
    /// Only count: functions, commands, nodes, operators with their token, unsupported constructs
    #[arg(long, conflicts_with_all = ["full", "source"])]
    pub summary: bool,
    /// The file is a printed program: check it and print it again
    #[arg(long)]
    pub parse: bool,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub showing: Showing,
}

const REPORT_EXAMPLES: &str = "\
The files that the report names are read again: for text, HTML and SARIF they must not have changed.

Examples:
  faultline check queue.c --format json --output queue.json
  faultline report queue.json                              as text
  faultline report queue.json --html --output queue.html
  faultline report build/queue.json --sarif --base project

Exit status: that of the report.";

#[derive(Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub struct Render {
    /// A report in JSON
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// As text for people, which is the default
    #[arg(long, group = "form", help_heading = "Output")]
    pub text: bool,
    /// As one page for a browser
    #[arg(long, group = "form", help_heading = "Output")]
    pub html: bool,
    /// As SARIF 2.1.0
    #[arg(long, group = "form", help_heading = "Output")]
    pub sarif: bool,
    /// As lines for editors
    #[arg(long, group = "form", help_heading = "Output")]
    pub gcc: bool,
    /// As JSON again
    #[arg(long, group = "form", help_heading = "Output")]
    pub json: bool,
    /// The folder that the paths in the report are relative to; by default the current one
    #[arg(long, value_name = "DIR")]
    pub base: Option<PathBuf>,
    /// Write it to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub showing: Showing,
}

impl Render {
    pub fn format(&self) -> Format {
        match self {
            Render { html: true, .. } => Format::Html,
            Render { sarif: true, .. } => Format::Sarif,
            Render { gcc: true, .. } => Format::Gcc,
            Render { json: true, .. } => Format::Json,
            _ => Format::Text,
        }
    }
}

#[derive(Args)]
pub struct Compile {
    /// The compiler's arguments, all as for clang
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

#[derive(Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
#[command(after_help = LSP_EXAMPLES)]
pub struct Lsp {
    /// Options of `faultline explain` and of the compiler, for every file
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    pub options: Vec<String>,
}

#[derive(Args)]
pub struct Man {
    /// The page of this command; by default of faultline as a whole
    pub command: Option<String>,
}

/// What to read.
#[derive(Args, Clone)]
pub struct Reading {
    /// C files of one program (.c, .i), LLVM 19 files (.bc, .ll), one printed program (.fir), or for
    /// `check` one Boogie program (.bpl)
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,
    /// Also find the exact place of what macros expand to, by a second compilation
    #[arg(long)]
    pub exact: bool,
    /// More options for the compiler, separated as in a shell
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub cflags: Vec<String>,
    /// Take the compiler's options, and the files if none are named, from this compile_commands.json
    #[arg(long, value_name = "PATH")]
    pub compile_commands: Option<PathBuf>,
}

/// Which failure to look for.
#[derive(Args, Clone)]
pub struct Following {
    /// Follow this violation witness (GraphML 1.0 or YAML 2.0) instead of searching everywhere
    #[arg(long, value_name = "FILE", help_heading = "Witnesses")]
    pub witness: Option<PathBuf>,
    /// Follow the witness even if its hash is that of another program
    #[arg(long, requires = "witness", help_heading = "Witnesses")]
    pub witness_any_program: bool,
}

/// What the program gets to see.
#[derive(Args, Clone)]
pub struct Inputs {
    /// Standard input; without it, our own, unless that is a terminal
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub stdin: Option<PathBuf>,
    /// Values for what the program leaves open: numbers, or `double=0.5`, separated by commas
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true, help_heading = "Inputs")]
    pub nondet: Option<String>,
    /// The same from a file; blanks and new lines separate, too, and `#` begins a comment
    #[arg(long, value_name = "FILE", conflicts_with = "nondet", help_heading = "Inputs")]
    pub nondet_file: Option<PathBuf>,
    /// Variables that are read before they are assigned take their values from these, too
    #[arg(long, help_heading = "Inputs")]
    pub indeterminate: bool,
    /// What memory holds before it is written: 2+8=ff00 are two bytes at offset 8 of the third object that begins
    /// without contents; zeros elsewhere
    #[arg(long, value_name = "BYTES", help_heading = "Inputs")]
    pub unwritten: Option<String>,
    /// After those, random values that depend on this number; without it, zeros
    #[arg(long, value_name = "NUMBER", help_heading = "Inputs")]
    pub seed: Option<u64>,
    /// A file that the program can open as NAME, with the contents of PATH
    #[arg(long, value_name = "NAME=PATH", help_heading = "Inputs")]
    pub file: Vec<OsString>,
    /// All files of this folder, under their names in it
    #[arg(long = "files", value_name = "DIR", help_heading = "Inputs")]
    pub files_from: Option<PathBuf>,
    /// Write the program's files to this folder at the end
    #[arg(long, value_name = "DIR", help_heading = "Inputs")]
    pub save_files: Option<PathBuf>,
    /// A variable of the program's environment, which is empty otherwise
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Inputs")]
    pub env: Vec<OsString>,
    /// Arguments for the program
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// What the program may use.
#[derive(Args, Clone)]
pub struct Limits {
    /// Stop after this time: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub timeout: Option<Duration>,
    /// Stop after this many steps
    #[arg(long, value_name = "NUMBER", value_parser = parse_number, help_heading = "Limits")]
    pub max_steps: Option<u64>,
    /// Memory for the program's objects: 64M, 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub memory: Option<u64>,
    /// What the program may print
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub max_output: Option<u64>,
}

/// Which checks count.
#[derive(Args, Clone)]
pub struct Checks {
    /// Checks to add to the usual ones; `none` first takes all off, `all` puts all on
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Checks")]
    pub property: Vec<String>,
    /// Checks to leave out
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Checks")]
    pub no_property: Vec<String>,
}

/// How the report is written, and where.
#[derive(Args, Clone)]
pub struct Writing {
    /// How to write the report
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,
    /// Write the report to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

/// How to look.
#[derive(Args, Clone)]
pub struct Showing {
    /// Colours in messages
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
    /// Say nothing but what is wrong
    #[arg(long, short, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Say more
    #[arg(long, short, help_heading = "Output")]
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// All that is known, after the schema faultline/1
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// One page for a browser
    Html,
    /// A line for each message, as compilers write them, for editors
    Gcc,
}

impl Format {
    /// The format to write as a whole, if it is not text.
    pub fn machine(self) -> Option<report::formats::Format> {
        match self {
            Format::Text => None,
            Format::Json => Some(report::formats::Format::Json),
            Format::Sarif => Some(report::formats::Format::Sarif),
            Format::Html => Some(report::formats::Format::Html),
            Format::Gcc => Some(report::formats::Format::Gcc),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WitnessFormat {
    /// Version 1.0
    Graphml,
    /// Version 2.0
    Yaml,
}
