//! `faultline check`: looks for inputs that make a program fail, or proves that there are none.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use program::exec::{Limits, ViolationKind};
use program::{Program, Site};
use report::{Report, Severity, terminal};
use verify::bmc::{self, Failure, Options, Verdict};
use verify::indeterminate;

use crate::arguments::{Check, Format};
use crate::run::{checks, need_main};
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, boogie, interrupt, output, reading};

pub fn run(arguments: Check, flags: Vec<String>, screen: Screen) -> Result<Ending> {
    if arguments.reading.files.iter().any(|it| frontend::boogie::is_boogie(it)) {
        return boogie::run(&arguments, screen);
    }
    if arguments.procedure.is_some() || arguments.format != Format::Text || arguments.output.is_some() {
        bail!("--procedure, --format and --output of `check` are for Boogie programs (.bpl)");
    }
    let checks = checks(&arguments.property, &arguments.no_property)?;
    if arguments.bound == Some(0) {
        bail!("a bound of 0 leaves nothing to follow: the least is 1");
    }
    let interrupted = interrupt::catch();
    let mut program = reading::read(&arguments.reading, flags, screen, &interrupted)?;
    need_main(&program)?;
    if !checks.has(ViolationKind::Uninitialized) {
        program = indeterminate::open(&program);
    }
    let usual = Options::default();
    let options = Options {
        checks,
        max_bound: arguments.bound.map_or(usual.max_bound, |bound| u32::try_from(bound).unwrap_or(u32::MAX)),
        time: arguments.timeout,
        memory: arguments.memory,
        all_violations: arguments.all,
        interrupt: Some(interrupted),
        ..usual
    };
    let status = StatusLine::show(screen, "checking".to_owned());
    let found = bmc::check(&program, &options);
    drop(status);
    for failure in &found.failures {
        show(&program, failure, &arguments, screen);
    }
    output::print(&format!("{}\n", verdict(&found.verdict)))?;
    weaknesses(&program, &found, &arguments, screen);
    Ok(match found.verdict {
        Verdict::Proved => Ending::NothingWrong,
        Verdict::Violated => Ending::Fault,
        Verdict::Bounded(_) | Verdict::Unknown(_) => Ending::Inconclusive,
    })
}

fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proved => "proved: no input makes the program fail".to_owned(),
        Verdict::Violated => "violated".to_owned(),
        Verdict::Bounded(bound) => {
            let times = if *bound == 1 { "once" } else { &format!("{bound} times") };
            format!("bounded: no input makes the program fail while no loop goes back more than {times}")
        }
        Verdict::Unknown(why) => format!("unknown: {why}"),
    }
}

/// The violation as `faultline run` shows it, and how to see it again.
fn show(program: &Program, failure: &Failure, arguments: &Check, screen: Screen) {
    let report = report::report(program, &failure.run, &Limits::default());
    screen.write(&terminal::report(&program.sources, &report, screen.look, arguments.showing.quiet));
    if arguments.showing.quiet {
        return;
    }
    let indeterminate: Vec<String> = failure
        .inputs
        .iter()
        .zip(&report.inputs)
        .filter(|(input, _)| !input.source.contains("nondet") && program.find_function(&input.source).is_none())
        .map(|(input, shown)| format!("`{}` has no value yet and happens to be {}", input.source, shown.value))
        .collect();
    match indeterminate.as_slice() {
        [] => {
            let files = &arguments.reading.files;
            screen.message(Severity::Note, &format!("to repeat it: {}", repeat(&report, files, arguments)));
        }
        // `faultline run` has no inputs for these.
        words => screen.message(Severity::Note, &words.join(", ")),
    }
}

fn repeat(report: &Report, files: &[impl AsRef<Path>], arguments: &Check) -> String {
    let mut command = "faultline run".to_owned();
    for file in files {
        let name = file.as_ref().display().to_string();
        let _ = write!(command, " {}", shlex::try_quote(&name).map_or(name.clone(), |it| it.into_owned()));
    }
    for (option, values) in [("--property", &arguments.property), ("--no-property", &arguments.no_property)] {
        if !values.is_empty() {
            let _ = write!(command, " {option} {}", values.join(","));
        }
    }
    if !report.inputs.is_empty() {
        let values: Vec<&str> = report.inputs.iter().map(|input| input.value.as_str()).collect();
        let _ = write!(command, " --nondet {}", values.join(","));
    }
    command
}

/// What keeps the verdict from being a better one.
fn weaknesses(program: &Program, found: &bmc::Report, arguments: &Check, screen: Screen) {
    if found.verdict == Verdict::Proved || found.verdict == Verdict::Violated || arguments.showing.quiet {
        return;
    }
    for place in &found.unsupported {
        screen.message(Severity::Note, &format!("not supported: {}{}", place.what, point(program, place.site)));
    }
    for note in &found.notes {
        screen.message(Severity::Note, note);
    }
}

fn point(program: &Program, site: Site) -> String {
    let place = program.place(site);
    place.map_or_else(String::new, |place| format!(" ({}:{})", program.sources.path(place.file), place.position))
}
