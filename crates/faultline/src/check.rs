//! `faultline check`: looks for inputs that make a program fail, or proves that there are none.

use std::path::Path;

use anyhow::{Context, Result, bail};
use diagnosis::ErrorTrace;
use program::exec::{self, Checks, Limits, ViolationKind};
use program::{Program, Site};
use report::json::Surroundings;
use report::{
    Answer, Checked, CheckedFailure, Proofs, PropertyAnswer, ProvedCheck, Report, Severity, formats, terminal,
    terminal_trace,
};
use verify::bmc::{self, Failure, Options, Verdict};
use verify::pruning::{self, Proved};
use verify::trace_abstraction::{self, Runs};
use verify::{indeterminate, slice};

use crate::arguments::{Check, CheckEngine, Format};
use crate::properties::{self, Selected};
use crate::run::need_main;
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, boogie, harness, interrupt, output, reading, repeat, witness};

/// Lines of a trace that leave room for the rest on a screen.
const SHOWN_STEPS: usize = 26;
/// Runs that are longer are not told step by step.
const LONGEST_TRACE: u64 = 4_000_000;

pub fn run(arguments: Check, flags: Vec<String>, screen: Screen) -> Result<Ending> {
    if arguments.reading.files.iter().any(|it| frontend::boogie::is_boogie(it)) {
        if arguments.following.witness.is_some() || arguments.witness_out.is_some() {
            bail!("witnesses are for C programs, not for Boogie programs (.bpl)");
        }
        return boogie::run(&arguments, screen);
    }
    if arguments.procedure.is_some() {
        bail!("--procedure is for Boogie programs (.bpl)");
    }
    let mut selected = properties::select(&arguments.property, &arguments.no_property)?;
    if selected.properties().is_empty() {
        bail!("all checks are off: name one, as in --property none,unreach-call");
    }
    sensible(&arguments)?;
    if let Some(file) = &arguments.witness_out {
        witness::format(file, arguments.witness_format)?;
    }
    let given = witness::read(&arguments.following, &arguments.reading.files)?;
    if let (Some(given), true, true) = (&given, arguments.property.is_empty(), arguments.no_property.is_empty()) {
        selected.checks = given.checks(selected.checks);
    }
    let interrupted = interrupt::catch();
    let mut program = reading::read(&arguments.reading, flags.clone(), screen, &interrupted)?;
    need_main(&program)?;
    if !selected.checks.has(ViolationKind::Uninitialized) {
        program = indeterminate::open(&program);
    }
    let usual = Options::default();
    let options = Options {
        checks: selected.checks,
        max_bound: arguments.bound.map_or(usual.max_bound, |bound| u32::try_from(bound).unwrap_or(u32::MAX)),
        time: arguments.timeout,
        memory: arguments.memory,
        all_violations: arguments.all,
        traces: arguments.traces.unwrap_or(1) as u32,
        interrupt: Some(interrupted),
        ..usual
    };
    let status = StatusLine::show(screen, "checking".to_owned());
    let mut proved = Proved::default();
    let (found, runs) = match (&given, arguments.engine) {
        (Some(given), _) => (witness::follow(&program, given, &options, &arguments.showing, screen)?, None),
        (_, CheckEngine::Bounded) if arguments.no_analysis => (bmc::check(&program, &options), None),
        (_, CheckEngine::Bounded) => {
            let (found, known) = pruning::check(&program, &options);
            proved = known;
            (found, None)
        }
        (_, CheckEngine::TraceAbstraction) if !arguments.all => (trace_abstraction::check(&program, &options), None),
        (_, CheckEngine::TraceAbstraction) => {
            let most = arguments.traces.map_or(usize::MAX, |it| it as usize);
            let runs = trace_abstraction::failing_runs(&program, &options, most);
            (runs.report(), Some(runs))
        }
    };
    let checked =
        Checked { proved: proofs(&program, &proved), ..checked(&program, &found, &selected, &arguments, &flags) };
    drop(status);
    if let (Some(file), Some(failure)) = (&arguments.witness_out, found.failures.first()) {
        witness::write(&program, failure, file, &arguments)?;
    }
    if let Some(file) = &arguments.harness {
        write_harness(&program, &found, &checked, &arguments, file, screen)?;
    }
    write(&program, &checked, &arguments, screen)?;
    if let Some(runs) = &runs {
        tell(runs, &arguments, screen)?;
    }
    Ok(match checked.answer {
        Answer::Proved => Ending::NothingWrong,
        Answer::Violated => Ending::Fault,
        Answer::Bounded(_) | Answer::Unknown(_) => Ending::Inconclusive,
    })
}

/// How many traces trace abstraction found, and whether they are all.
fn tell(runs: &Runs, arguments: &Check, screen: Screen) -> Result<()> {
    if arguments.writing.format != Format::Text || runs.failures.is_empty() {
        return Ok(());
    }
    output::print(&format!("{}\n", runs.words()))?;
    let cost = runs.statistics;
    if arguments.showing.verbose {
        let words = format!(
            "{} rounds, {} states, {} checks, {:.1} s, of which {:.1} s for danger automata",
            cost.rounds,
            cost.states,
            cost.checks,
            cost.time.as_secs_f64(),
            cost.danger.as_secs_f64()
        );
        screen.message(Severity::Note, &words);
    }
    Ok(())
}

/// Limits that leave nothing to do are a mistake.
fn sensible(arguments: &Check) -> Result<()> {
    if arguments.bound == Some(0) {
        bail!("a bound of 0 leaves nothing to follow: the least is 1");
    }
    if arguments.timeout.is_some_and(|time| time.is_zero()) {
        bail!("a timeout of 0 leaves no time to check anything");
    }
    if arguments.memory == Some(0) {
        bail!("a memory limit of 0 leaves no room to check anything");
    }
    if arguments.following.witness.is_some() && arguments.all {
        bail!("--witness leads to one violation, so --all makes no sense with it");
    }
    if arguments.traces == Some(0) {
        bail!("--traces 0 asks for no trace: the least is 1");
    }
    Ok(())
}

/// What was found, as the report shows it.
fn checked(
    program: &Program,
    found: &bmc::Report,
    selected: &Selected,
    arguments: &Check,
    flags: &[String],
) -> Checked {
    let mut answer = answer(&found.verdict);
    if let (Answer::Proved, Some((name, why))) = (&answer, selected.unchecked.first()) {
        answer = Answer::Unknown(format!("nothing is wrong with the rest, but `{name}` is not checked: {why}"));
    }
    let several = arguments.all || !arguments.property.is_empty();
    let properties = if several { per_property(found, selected) } else { Vec::new() };
    let place = |site: Site| report::place(program, site);
    Checked {
        answer,
        properties: if properties.len() > 1 { properties } else { Vec::new() },
        failures: found.failures.iter().map(|it| failure(program, it, selected, arguments, flags)).collect(),
        unsupported: (found.unsupported.iter())
            .map(|it| report::Unsupported { what: it.what.clone(), place: place(it.site) })
            .collect(),
        proved: Proofs::default(),
        notes: found.notes.iter().cloned().chain(without_arguments(program, &found.verdict)).collect(),
        bound: found.statistics.bound,
        steps: found.statistics.steps,
        terms: found.statistics.terms as u64,
        solver_checks: found.statistics.solver_checks,
        left_out: found.statistics.left_out as u64,
    }
}

/// A program that takes arguments was looked at without any: no failure was found says less than it seems to.
fn without_arguments(program: &Program, verdict: &Verdict) -> Option<String> {
    let takes_some = program.functions.iter().any(|it| it.name == "main" && !it.parameters.is_empty());
    let holds = matches!(verdict, Verdict::Proved | Verdict::Bounded(_));
    (takes_some && holds).then(|| {
        "the program was started without arguments; to look at a run with some: faultline explain FILE -- ARGUMENTS"
            .to_owned()
    })
}

/// What was proved before the search, as the report shows it.
fn proofs(program: &Program, proved: &Proved) -> Proofs {
    let check = |it: &pruning::ProvedCheck| ProvedCheck {
        kind: it.kind.name(),
        property: it.kind.property(),
        place: report::place(program, it.site),
    };
    Proofs { checks: proved.checks.iter().map(check).collect(), of: proved.of, everything: proved.everything }
}

fn answer(verdict: &Verdict) -> Answer {
    match verdict {
        Verdict::Proved => Answer::Proved,
        Verdict::Violated => Answer::Violated,
        Verdict::Bounded(bound) => Answer::Bounded(*bound),
        Verdict::Unknown(why) => Answer::Unknown(why.clone()),
    }
}

fn per_property(found: &bmc::Report, selected: &Selected) -> Vec<PropertyAnswer> {
    let of = |property: &'static str| {
        let violated = found.failures.iter().any(|it| it.violation.kind.property() == property);
        let answer = if violated { Answer::Violated } else { answer(&found.others) };
        PropertyAnswer { property: property.to_owned(), answer }
    };
    let unchecked = selected
        .unchecked
        .iter()
        .map(|(name, why)| PropertyAnswer { property: name.clone(), answer: Answer::Unknown((*why).to_owned()) });
    selected.properties().into_iter().map(of).chain(unchecked).collect()
}

/// One failure with its trace and the command that shows it again.
fn failure(
    program: &Program,
    failure: &Failure,
    selected: &Selected,
    arguments: &Check,
    flags: &[String],
) -> CheckedFailure {
    let mut report = report::report(program, &failure.run, &Limits::default());
    for (input, shown) in failure.inputs.iter().zip(&mut report.inputs) {
        shown.indeterminate = repeat::is_indeterminate(program, input);
    }
    CheckedFailure {
        report,
        trace: trace(program, failure, selected),
        repeat: repeat::command(program, &failure.run, arguments, flags),
    }
}

/// The steps that matter, by running the program once more and slicing.
fn trace(program: &Program, failure: &Failure, selected: &Selected) -> Option<ErrorTrace> {
    told(program, &failure.run.replay(), selected.checks, &failure.run)
}

/// The trace of a run that failed, unless it is too long to be told.
pub fn told(program: &Program, inputs: &exec::Inputs, checks: Checks, run: &exec::Run) -> Option<ErrorTrace> {
    if run.steps > LONGEST_TRACE || run.violation().is_none() {
        return None;
    }
    let limits = Limits::default();
    let slice = slice::slice(program, inputs, &limits, checks)?;
    Some(report::steps::error_trace(program, inputs, &limits, checks, &|step| slice.contains(step)))
}

fn write(program: &Program, checked: &Checked, arguments: &Check, screen: Screen) -> Result<()> {
    let sources = &program.sources;
    let showing = &arguments.showing;
    if let Some(format) = arguments.writing.format.machine() {
        let files = arguments.reading.files.iter().map(|it| it.display().to_string()).collect();
        let surroundings = Surroundings { version: env!("CARGO_PKG_VERSION"), files, stdout: &[], stderr: &[] };
        let text = formats::checked(format, sources, checked, &surroundings);
        return match &arguments.writing.output {
            Some(file) => output::write_file(file, text.as_bytes()),
            None => output::print(&text),
        };
    }
    let most = if showing.verbose { usize::MAX } else { SHOWN_STEPS };
    let details = |look| {
        let mut text = String::new();
        for failure in &checked.failures {
            // The trace tells the inputs that matter, the command below it all of them.
            let told = failure.trace.is_some() && !showing.quiet;
            let inputs = if told { Vec::new() } else { failure.report.inputs.clone() };
            let shown = Report { inputs, ..failure.report.clone() };
            text.push_str(&terminal::report(sources, &shown, look, showing.quiet));
            if showing.quiet {
                continue;
            }
            match &failure.trace {
                Some(trace) => text.push_str(&terminal_trace::trace(sources, trace, look, most)),
                None => text.push_str(&terminal::message(Severity::Note, "the run is too long to be told", look)),
            }
            let words = format!("to see it again: {}", failure.repeat);
            text.push_str(&terminal::message(Severity::Note, &words, look));
        }
        text
    };
    let proved = if showing.verbose { terminal::proved(sources, &checked.proved) } else { String::new() };
    match &arguments.writing.output {
        Some(file) => {
            let details = details(screen.look_in_file(showing.color));
            let text = format!("{details}{proved}{}", terminal::answers(checked));
            output::write_file(file, text.as_bytes())
        }
        None => {
            screen.write(&details(screen.look));
            output::print(&format!("{proved}{}", terminal::answers(checked)))?;
            weaknesses(sources, checked, arguments, screen);
            Ok(())
        }
    }
}

/// What keeps the verdict from being a better one.
fn weaknesses(sources: &source::Sources, checked: &Checked, arguments: &Check, screen: Screen) {
    if checked.answer == Answer::Violated || arguments.showing.quiet {
        return;
    }
    // What is proved does not depend on what is not supported.
    for it in checked.unsupported.iter().filter(|_| checked.answer != Answer::Proved) {
        let place = it.place.map_or_else(String::new, |place| format!(" ({})", terminal::point(sources, place)));
        screen.message(Severity::Note, &format!("not supported: {}{place}", it.what));
    }
    for note in &checked.notes {
        screen.message(Severity::Note, note);
    }
}

fn write_harness(
    program: &Program,
    found: &bmc::Report,
    checked: &Checked,
    arguments: &Check,
    file: &Path,
    screen: Screen,
) -> Result<()> {
    let (Some(failure), Some(shown)) = (found.failures.first(), checked.failures.first()) else {
        screen.message(Severity::Note, &format!("{} is not written: no violation was found", file.display()));
        return Ok(());
    };
    let files: Vec<String> = arguments.reading.files.iter().map(|it| it.display().to_string()).collect();
    let title = shown.report.findings.first().map_or("it fails", |finding| finding.title.as_str());
    let (files, name) = (files.join(" "), file.display().to_string());
    let text = harness::text(program, failure, title, &files, &name);
    output::write_file(file, text.as_bytes()).context("the harness is not written")?;
    if !arguments.showing.quiet && arguments.writing.format == Format::Text {
        let words = format!("to see it natively: {}", harness::command(failure.violation.kind, &files, &name));
        screen.message(Severity::Note, &words);
    }
    Ok(())
}
