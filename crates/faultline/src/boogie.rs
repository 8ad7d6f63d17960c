//! `faultline check` on a Boogie program: reads it, checks its graph, tells what was found.
//!
//! Recursion is inlined further and further, as long as an execution goes on beyond and time is left.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use frontend::boogie::{self, Diagnostic, Extent, Kind, Options, Stop, StopReason, Translation};
use logic::control_flow::LocationId;
use report::{Finding, Look, Mark, Place, Report, Severity, formats, json, terminal};
use source::{FileId, Sources};
use verify::graph_check::{self, Verdict};

use crate::arguments::Check;
use crate::boogie_trace::{self, Shown};
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, interrupt, output};

/// Recursion is inlined at first so often, and at most so often.
const FIRST_RECURSION: u32 = 1;
const LAST_RECURSION: u32 = 1 << 10;
/// Remarks that are shown.
const SHOWN_REMARKS: usize = 5;

pub fn run(arguments: &Check, screen: Screen) -> Result<Ending> {
    let file = only_file(arguments)?;
    let mut sources = Sources::new();
    let id = boogie::open(&file, &mut sources)?;
    let text = sources.text(id).unwrap_or_default().to_owned();
    let status = StatusLine::show(screen, "checking".to_owned());
    let found = deepen(arguments, &text);
    drop(status);
    match found {
        Err(boogie::Error::Wrong(diagnostics)) => Ok(tell(&sources, id, &diagnostics, screen)),
        Err(error) => Err(error.into()),
        Ok((translation, found)) => show(arguments, &sources, id, &translation, &found, screen),
    }
}

fn only_file(arguments: &Check) -> Result<PathBuf> {
    let [file] = arguments.reading.files.as_slice() else {
        bail!("a Boogie program is one .bpl file: name it alone");
    };
    if !arguments.property.is_empty() || !arguments.no_property.is_empty() {
        bail!("--property and --no-property are for C: a Boogie program says itself what is checked");
    }
    if arguments.bound == Some(0) {
        bail!("a bound of 0 leaves nothing to follow: the least is 1");
    }
    Ok(file.clone())
}

/// Translates and checks, with more and more recursion.
fn deepen(arguments: &Check, text: &str) -> Result<(Translation, graph_check::Report), boogie::Error> {
    let started = Instant::now();
    let interrupt = interrupt::catch();
    let bound = arguments.bound.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    let mut recursion = FIRST_RECURSION;
    loop {
        let options = Options { procedure: arguments.procedure.clone(), recursion, ..Options::default() };
        let mut translation = boogie::translate(text, &options)?;
        let usual = graph_check::Options::default();
        let options = graph_check::Options {
            max_bound: bound.unwrap_or(usual.max_bound),
            time: arguments.timeout.map(|time| time.saturating_sub(started.elapsed())),
            memory: arguments.memory,
            all_violations: arguments.all,
            interrupt: Some(interrupt.clone()),
        };
        let stops: Vec<LocationId> = translation.stops.iter().map(|it| it.location).collect();
        let found = graph_check::check(&mut translation.terms, &translation.graph, &stops, &options);
        let deeper = found.traces.is_empty()
            && !found.reached_stops.is_empty()
            && reached(&translation, &found).all(|it| matches!(it.reason, StopReason::Recursion { .. }));
        if !deeper || recursion >= bound.unwrap_or(LAST_RECURSION) {
            return Ok((translation, found));
        }
        recursion = recursion.saturating_mul(2).min(bound.unwrap_or(LAST_RECURSION));
    }
}

fn reached<'a>(translation: &'a Translation, found: &'a graph_check::Report) -> impl Iterator<Item = &'a Stop> {
    found.reached_stops.iter().map(|&index| &translation.stops[index])
}

fn place(sources: &Sources, file: FileId, extent: Extent) -> Option<Place> {
    boogie::span(sources, file, extent).map(|span| Place { span })
}

/// What is wrong in the text.
fn tell(sources: &Sources, file: FileId, diagnostics: &[Diagnostic], screen: Screen) -> Ending {
    for diagnostic in diagnostics {
        let finding = diagnosed(sources, file, diagnostic, Severity::Fault);
        screen.write(&terminal::finding(sources, &finding, &[], screen.look));
    }
    match diagnostics.iter().all(|it| it.kind == Kind::Unsupported) {
        true => Ending::Inconclusive,
        false => Ending::Failed,
    }
}

fn diagnosed(sources: &Sources, file: FileId, diagnostic: &Diagnostic, severity: Severity) -> Finding {
    let mut finding = Finding::new(severity, diagnostic.kind.name(), diagnostic.message.clone());
    let mark = |place| Mark { place, label: String::new() };
    // A message without a place is about the whole file.
    let known = diagnostic.extent != Extent::default();
    finding.primary = place(sources, file, diagnostic.extent).filter(|_| known).map(mark);
    finding.help = diagnostic.help.clone();
    finding
}

fn show(
    arguments: &Check,
    sources: &Sources,
    file: FileId,
    translation: &Translation,
    found: &graph_check::Report,
    screen: Screen,
) -> Result<Ending> {
    let (verdict, words) = verdict(translation, found);
    let shown: Vec<Shown> =
        found.traces.iter().map(|trace| boogie_trace::show(sources, file, translation, trace)).collect();
    let mut report = Report {
        verdict,
        findings: shown.iter().map(|it| it.finding.clone()).collect(),
        exit_status: None,
        inputs: shown.first().map_or_else(Vec::new, |it| it.inputs.clone()),
        unsupported: Vec::new(),
        steps: found.traces.iter().map(|it| it.steps.len() as u64).sum(),
    };
    report.findings.extend(weaknesses(sources, file, translation, found));
    let quiet = arguments.showing.quiet;
    match (arguments.writing.format.machine(), &arguments.writing.output) {
        (Some(format), None) => output::print(&document(format, arguments, sources, &report, &shown))?,
        (Some(format), Some(path)) => {
            output::write_file(path, document(format, arguments, sources, &report, &shown).as_bytes())?;
        }
        (None, Some(path)) => {
            let look = screen.look_in_file(arguments.showing.color);
            let text = format!("{}{words}\n", written(sources, &report, &shown, quiet, look));
            output::write_file(path, text.as_bytes())?;
        }
        (None, None) => {
            screen.write(&written(sources, &report, &shown, quiet, screen.look));
            output::print(&format!("{words}\n"))?;
        }
    }
    Ok(match verdict {
        report::Verdict::NoFault => Ending::NothingWrong,
        report::Verdict::Fault => Ending::Fault,
        report::Verdict::Inconclusive => Ending::Inconclusive,
    })
}

/// For a machine, the steps are places that belong to the finding.
fn document(format: formats::Format, arguments: &Check, sources: &Sources, report: &Report, shown: &[Shown]) -> String {
    let mut report = report.clone();
    for (finding, shown) in report.findings.iter_mut().zip(shown) {
        finding.related.extend(shown.marks());
    }
    let files = arguments.reading.files.iter().map(|it| it.display().to_string()).collect();
    let surroundings = json::Surroundings { version: env!("CARGO_PKG_VERSION"), files, ..Default::default() };
    formats::diagnosed(format, sources, &report, None, None, &surroundings)
}

fn written(sources: &Sources, report: &Report, shown: &[Shown], quiet: bool, look: Look) -> String {
    let mut text = String::new();
    for (index, finding) in report.findings.iter().enumerate() {
        if quiet && finding.severity == Severity::Note {
            continue;
        }
        text += &terminal::finding(sources, finding, &[], look);
        if let Some(shown) = shown.get(index).filter(|_| !quiet) {
            text += &shown.steps_text(sources);
        }
        text.push('\n');
    }
    text
}

/// The verdict in one word and in one sentence.
fn verdict(translation: &Translation, found: &graph_check::Report) -> (report::Verdict, String) {
    let entry = &translation.entry;
    match &found.verdict {
        Verdict::Proved => {
            (report::Verdict::NoFault, format!("proved: no execution of `{entry}` violates what is checked"))
        }
        Verdict::Violated if !translation.left_out.is_empty() => {
            let words = "unknown: the violation may contradict what could not be taken over";
            (report::Verdict::Inconclusive, words.to_owned())
        }
        Verdict::Violated => (report::Verdict::Fault, "violated".to_owned()),
        Verdict::Bounded(bound) => {
            let times = if *bound == 1 { "once" } else { &format!("{bound} times") };
            let words = format!("bounded: no execution fails that goes back at most {times} in its loops");
            (report::Verdict::Inconclusive, words)
        }
        Verdict::Unknown(why) => {
            let only_recursion = !found.reached_stops.is_empty()
                && reached(translation, found).all(|it| !matches!(it.reason, StopReason::Unsupported(_)));
            let words = match only_recursion {
                true => "bounded: no execution fails as far as calls were followed".to_owned(),
                false => format!("unknown: {why}"),
            };
            (report::Verdict::Inconclusive, words)
        }
    }
}

/// What keeps the verdict from being a better one, and what else is good to know.
fn weaknesses(sources: &Sources, file: FileId, translation: &Translation, found: &graph_check::Report) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for stop in reached(translation, found).filter(|_| found.traces.is_empty()) {
        findings.push(match &stop.reason {
            StopReason::Unsupported(diagnostic) => diagnosed(sources, file, diagnostic, Severity::Inconclusive),
            StopReason::Recursion { procedure, extent } | StopReason::Size { procedure, extent } => {
                let title = match stop.reason {
                    StopReason::Size { .. } => {
                        format!("this call of `{procedure}` was not followed: the program is large")
                    }
                    _ => format!("`{procedure}` calls itself more often than was followed"),
                };
                let mut finding = Finding::new(Severity::Inconclusive, "limit", title);
                finding.primary = place(sources, file, *extent).map(|place| Mark { place, label: String::new() });
                finding
            }
        });
    }
    if found.verdict != Verdict::Proved {
        let left_out = translation.left_out.iter();
        findings.extend(left_out.map(|it| diagnosed(sources, file, it, Severity::Inconclusive)));
    }
    let remarks = translation.remarks.iter().take(SHOWN_REMARKS);
    findings.extend(remarks.map(|it| diagnosed(sources, file, it, Severity::Note)));
    findings
}
