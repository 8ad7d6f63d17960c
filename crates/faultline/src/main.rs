//! The command line: which stages are called in which order, and with which status it ends.
//!
//! Exit status: 0 nothing wrong found, 1 fault found, 2 the tool or its use failed, 3 inconclusive. No
//! algorithm is here, and no message about programs: those are `report`'s.

mod advising;
mod again;
mod arguments;
mod arguments_native;
mod asking;
mod boogie;
mod boogie_trace;
mod captured;
mod check;
mod compiler_flags;
mod compiling;
mod diagnosing;
mod explaining;
mod explaining_observed;
mod explaining_otherwise;
mod generating;
mod harness;
mod inputs;
mod interrupt;
mod ir;
mod localizing;
mod localizing_boogie;
mod localizing_many;
mod lsp;
mod native;
mod nondet;
mod observing;
mod output;
mod properties;
mod quantities;
mod reading;
mod reducing;
mod rehearsing;
mod repair_function;
mod repairing;
mod repeat;
mod reporting;
mod run;
mod screen;
mod shell;
mod status_line;
mod testing;
mod until;
mod unwritten;
mod witness;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use observe::compiler::Language;
use report::Severity;

use arguments::{Action, CommandLine};
use screen::Screen;

/// How a run of the tool ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    NothingWrong,
    Fault,
    Failed,
    Inconclusive,
    /// The program's own status, with `--exit-status`.
    Program(u8),
}

impl Ending {
    fn status(self) -> u8 {
        match self {
            Ending::NothingWrong => 0,
            Ending::Fault => 1,
            Ending::Failed => 2,
            Ending::Inconclusive => 3,
            Ending::Program(status) => status,
        }
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        ExitCode::from(ending.status())
    }
}

/// Expressions of a program may be nested deeply, and some stages follow them by recursion.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    announce_bugs();
    // A compiler has its own grammar of arguments, and is started thousands of times.
    if let Some((language, arguments)) = compiling::asked_for(std::env::args_os()) {
        return catch_unwind(|| compiling::run(language, arguments)).unwrap_or(Ending::Failed).into();
    }
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(guarded);
    let ending = match worker.map(|thread| thread.join()) {
        Ok(Ok(ending)) => ending,
        // Without the memory for such a stack, most programs still work.
        Err(_) => guarded(),
        Ok(Err(_)) => Ending::Failed,
    };
    until::leave(ending);
    ending.into()
}

/// A panic has told about itself by then.
fn guarded() -> Ending {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or(Ending::Failed)
}

fn act() -> Ending {
    let (ours, flags) = compiler_flags::split(std::env::args_os());
    let command_line = match CommandLine::try_parse_from(ours) {
        Ok(command_line) => command_line,
        Err(error) => return usage(error),
    };
    let screen = Screen::new(command_line.color());
    let result = perform(command_line, flags, screen);
    result.unwrap_or_else(|error| {
        screen.message(Severity::Fault, &format!("{error:#}"));
        Ending::Failed
    })
}

/// Help and the version are asked for, everything else is a mistake.
fn usage(mut error: clap::Error) -> Ending {
    // To give it to the program that is run, as clap proposes, helps nobody who means an option of ours.
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested)
        && tips.iter().any(|it| it.to_string().contains("as a value"))
    {
        error.remove(ContextKind::Suggested);
    }
    // Nobody is left to hear of a closed pipe.
    let _ = error.print();
    // A file where a command is expected: most likely it is to be explained.
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
        && std::path::Path::new(name).is_file()
    {
        let words = format!("\nTo know what is wrong with that program: faultline explain {name}\n");
        let _ = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
    }
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ending::NothingWrong,
        _ => Ending::Failed,
    }
}

fn perform(command_line: CommandLine, flags: Vec<std::ffi::OsString>, screen: Screen) -> Result<Ending> {
    let flags = compiler_flags::texts(flags)?;
    match command_line.action {
        Action::Explain(arguments) => explaining::run(*arguments, flags, screen),
        Action::Run(arguments) => run::run(*arguments, flags, screen),
        Action::Check(arguments) => check::run(*arguments, flags, screen),
        Action::Localize(arguments) => localizing::run(*arguments, flags, screen),
        Action::Repair(arguments) => repair_function::run(*arguments, flags, screen),
        Action::Diagnose(arguments) => diagnosing::run(&arguments, screen),
        Action::Inputs(arguments) => generating::run(&arguments, screen),
        Action::Reduce(arguments) => reducing::run(&arguments, screen),
        Action::Ir(arguments) => ir::run(arguments, flags, screen),
        Action::Cc(compile) => Ok(compiling::run(Language::C, compile.arguments)),
        Action::Cxx(compile) => Ok(compiling::run(Language::Cxx, compile.arguments)),
        Action::Report(arguments) => reporting::run(&arguments, screen),
        Action::Lsp(arguments) => lsp::run(flags.into_iter().chain(arguments.options).collect()),
        Action::Completions(arguments) => shell::completions(&arguments),
        Action::Man(arguments) => shell::man(&arguments),
    }
}

/// Says that a panic is our fault, and what to do with it.
fn announce_bugs() {
    std::panic::set_hook(Box::new(|panic| {
        // Formatted into one write, and without a panic if standard error is closed.
        let words = format!(
            "error: this is a bug in faultline {}\n{panic}\n\
             please report it with the program and the command line\n",
            env!("CARGO_PKG_VERSION")
        );
        let _ = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
    }));
}
