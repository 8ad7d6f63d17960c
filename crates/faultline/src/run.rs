//! `faultline run`: reads a program, runs it in the executor, reports.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use diagnosis::ErrorTrace;
use program::Program;
use program::exec::{self, Checks, Inputs, Limits, Observer, Step, Unobserved, ViolationKind};
use report::formats;
use report::json::Surroundings;
use report::trace::Trace;
use report::{Report, Severity, Verdict, terminal};

use crate::arguments::Run;
use crate::output::{Sink, Through};
use crate::screen::Screen;
use crate::{Ending, arguments, check, inputs, interrupt, output, properties, reading};

/// Functions that are named in a message about a missing `main`.
const NAMED_FUNCTIONS: usize = 5;

pub fn run(arguments: Run, flags: Vec<String>, screen: Screen) -> Result<Ending> {
    let checks = properties::select(&arguments.checks.property, &arguments.checks.no_property)?.checks;
    if arguments.inputs.indeterminate && checks.has(ViolationKind::Uninitialized) {
        bail!("--indeterminate needs --no-property uninitialized: else reading such a variable is a fault");
    }
    if arguments.inputs.unwritten.is_some() && checks.has(ViolationKind::Uninitialized) {
        bail!("--unwritten needs --no-property uninitialized: else reading such memory is a fault");
    }
    let interrupted = interrupt::catch();
    let mut program = reading::read(&arguments.reading, flags, screen, &interrupted)?;
    need_main(&program)?;
    if arguments.inputs.indeterminate {
        program = verify::indeterminate::open(&program);
    }
    let inputs = inputs::collect(&arguments.inputs, &arguments.reading.files, &program, &interrupted)?;
    let limits = limits(&arguments.limits, interrupted.clone());
    let mut sink = match arguments.format.machine() {
        None => Sink::Through(Box::new(Through::new(std::io::stdout().is_terminal(), interrupted))),
        Some(_) => Sink::Kept(exec::Captured::default()),
    };
    let run = execute(&program, &inputs, &limits, checks, &mut sink, arguments.trace.as_deref())?;
    let report = report::report(&program, &run, &limits);
    if let Sink::Through(through) = &mut sink {
        through.flush();
        if through.closed() {
            return Ok(closed(&report, &program, &arguments, screen));
        }
        if let Some(error) = through.failure.take() {
            return Err(error).context("cannot write the program's output to standard output");
        }
    }
    if let Some(folder) = &arguments.inputs.save_files {
        save_files(folder, &run.files)?;
    }
    let trace = arguments.format.machine().and_then(|_| check::told(&program, &inputs, checks, &run));
    write_report(&report, trace.as_ref(), &program, &arguments, &sink, screen)?;
    Ok(ending(&report, arguments.exit_status))
}

fn ending(report: &Report, exit_status: bool) -> Ending {
    match report.verdict {
        Verdict::Fault => Ending::Fault,
        Verdict::Inconclusive => Ending::Inconclusive,
        Verdict::NoFault => match report.exit_status {
            Some(status) if exit_status => Ending::Program(status as u8),
            _ => Ending::NothingWrong,
        },
    }
}

/// `faultline run … | head`: the run was stopped because nobody reads on, which is nothing to explain.
fn closed(report: &Report, program: &Program, arguments: &Run, screen: Screen) -> Ending {
    match report.verdict {
        Verdict::Fault => {
            screen.write(&terminal::report(&program.sources, report, screen.look, arguments.showing.quiet));
            Ending::Fault
        }
        _ => Ending::Inconclusive,
    }
}

fn execute(
    program: &Program,
    inputs: &Inputs,
    limits: &Limits,
    checks: Checks,
    sink: &mut Sink,
    trace: Option<&Path>,
) -> Result<exec::Run> {
    let Some(file) = trace else {
        return Ok(exec::run(program, inputs, limits, checks, sink, &mut Unobserved));
    };
    let out: Box<dyn Write> = match file.as_os_str() == "-" {
        true => Box::new(std::io::stderr()),
        false => Box::new(File::create(file).with_context(|| format!("cannot write {}", file.display()))?),
    };
    let mut tracer = Tracer { trace: Trace::new(program), out: BufWriter::new(out), failure: None };
    let run = exec::run(program, inputs, limits, checks, sink, &mut tracer);
    let result = tracer.failure.take().map_or_else(|| tracer.out.flush(), Err);
    result.with_context(|| format!("cannot write the trace to {}", file.display()))?;
    Ok(run)
}

/// Writes steps down as they come.
struct Tracer<'p> {
    trace: Trace<'p>,
    out: BufWriter<Box<dyn Write>>,
    failure: Option<std::io::Error>,
}

impl Observer for Tracer<'_> {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        if self.failure.is_none() {
            self.failure = self.out.write_all(self.trace.line(step).as_bytes()).err();
        }
    }
}

fn write_report(
    report: &Report,
    trace: Option<&ErrorTrace>,
    program: &Program,
    arguments: &Run,
    sink: &Sink,
    screen: Screen,
) -> Result<()> {
    let sources = &program.sources;
    let showing = &arguments.showing;
    match (arguments.format.machine(), &arguments.output) {
        (None, None) => {
            screen.write(&terminal::report(sources, report, screen.look, showing.quiet));
            summary(report, arguments, screen);
            Ok(())
        }
        (None, Some(file)) => {
            let text = terminal::report(sources, report, screen.look_in_file(showing.color), showing.quiet);
            output::write_file(file, text.as_bytes())
        }
        (Some(format), file) => {
            let (stdout, stderr) = match sink {
                Sink::Kept(captured) => (captured.standard.as_slice(), captured.error.as_slice()),
                Sink::Through(_) => Default::default(),
            };
            let files = arguments.reading.files.iter().map(|it| it.display().to_string()).collect();
            let surroundings = Surroundings { version: env!("CARGO_PKG_VERSION"), files, stdout, stderr };
            let text = formats::diagnosed(format, sources, report, trace, None, &surroundings);
            match file {
                Some(file) => output::write_file(file, text.as_bytes()),
                None => output::print(&text),
            }
        }
    }
}

/// On a terminal, or where it is asked for, silence is no answer.
fn summary(report: &Report, arguments: &Run, screen: Screen) {
    let wanted = arguments.showing.verbose || screen.is_terminal && !arguments.showing.quiet;
    if wanted && report.verdict == Verdict::NoFault {
        let words = format!("no fault in this run of {}", terminal::steps(report));
        screen.message(Severity::Note, &words);
    }
}

pub fn has_main(program: &Program) -> bool {
    program.functions.iter().any(|function| function.body.is_some() && function.name == "main")
}

pub fn need_main(program: &Program) -> Result<()> {
    if has_main(program) {
        return Ok(());
    }
    let defined = || program.functions.iter().filter(|function| function.body.is_some());
    let names: Vec<String> = defined().take(NAMED_FUNCTIONS).map(|function| format!("`{}`", function.name)).collect();
    let more = if defined().count() > NAMED_FUNCTIONS { " and others" } else { "" };
    let found = match names.is_empty() {
        true => "no function at all".to_owned(),
        false => format!("only {}{more}", names.join(", ")),
    };
    bail!("the program has no `main`, {found}: name the file that has it, too")
}

pub fn limits(given: &arguments::Limits, interrupt: Arc<AtomicBool>) -> Limits {
    let usual = Limits::default();
    Limits {
        steps: given.max_steps.unwrap_or(usual.steps),
        memory: given.memory.unwrap_or(usual.memory),
        output: given.max_output.unwrap_or(usual.output),
        time: given.timeout,
        interrupt: Some(interrupt),
        ..usual
    }
}

/// Puts the files that the program left into a real folder; names that lead out of it are refused.
fn save_files(folder: &Path, files: &std::collections::BTreeMap<Vec<u8>, Vec<u8>>) -> Result<()> {
    use std::os::unix::ffi::OsStrExt;
    for (name, contents) in files {
        let name = PathBuf::from(std::ffi::OsStr::from_bytes(name));
        let relative = name.strip_prefix("/").unwrap_or(&name);
        if relative.components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
            bail!("the program's file {name:?} is not saved: its name leads out of {}", folder.display());
        }
        let path = folder.join(relative);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        output::write_file(&path, contents)?;
    }
    Ok(())
}
