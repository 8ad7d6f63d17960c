//! `faultline report`: shows a saved JSON report again, in any format.

use std::path::PathBuf;

use anyhow::{Context, Result};
use report::document::restore::{self, Restored};
use report::{Look, Report, Severity, formats, suspects, terminal, terminal_trace};

use crate::arguments::{Format, Render};
use crate::screen::Screen;
use crate::{Ending, output};

/// As `check` and `localize` have them.
const SHOWN_STEPS: usize = 26;
const SHOWN_SUSPECTS: usize = 5;

pub fn run(arguments: &Render, screen: Screen) -> Result<Ending> {
    let file = &arguments.file;
    let named = || file.display().to_string();
    let json = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", named()))?;
    let document = restore::read(&json).with_context(named)?;
    let base = match &arguments.base {
        Some(base) => base.clone(),
        None => std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
    };
    let (sources, missing) = restore::sources(&document, &base)?;
    let format = arguments.format();
    if matches!(format, Format::Text | Format::Html | Format::Sarif) {
        for file in missing {
            let words = format!("{file} cannot be read: its text is not shown; --base names the folder it is in");
            screen.message(Severity::Note, &words);
        }
    }
    let restored = Restored { sources: &sources, document: &document };
    match (format.machine(), &arguments.output) {
        (Some(format), file) => {
            let text = formats::document(format, &sources, &document);
            match file {
                Some(file) => output::write_file(file, text.as_bytes())?,
                None => output::print(&text)?,
            }
        }
        (None, Some(file)) => {
            let text = text(&restored, arguments.showing.verbose, screen.look_in_file(arguments.showing.color));
            output::write_file(file, text.as_bytes())?;
        }
        (None, None) => output::print(&text(&restored, arguments.showing.verbose, screen.look))?,
    }
    Ok(match document.exit_status() {
        0 => Ending::NothingWrong,
        1 => Ending::Fault,
        _ => Ending::Inconclusive,
    })
}

fn text(restored: &Restored<'_>, verbose: bool, look: Look) -> String {
    let sources = restored.sources;
    let (steps, most) = if verbose { (usize::MAX, usize::MAX) } else { (SHOWN_STEPS, SHOWN_SUSPECTS) };
    let mut text = String::new();
    let Some(checked) = restored.checked() else {
        text.push_str(&terminal::report(sources, &restored.report(), look, false));
        if let Some(trace) = restored.trace() {
            text.push_str(&terminal_trace::trace(sources, &trace, look, steps));
        }
        if let Some(diagnosis) = restored.diagnosis() {
            text.push_str(&suspects::text(sources, &diagnosis, most, look));
        }
        return text;
    };
    for failure in &checked.failures {
        // The trace tells the inputs that matter.
        let inputs = if failure.trace.is_some() { Vec::new() } else { failure.report.inputs.clone() };
        text.push_str(&terminal::report(sources, &Report { inputs, ..failure.report.clone() }, look, false));
        if let Some(trace) = &failure.trace {
            text.push_str(&terminal_trace::trace(sources, trace, look, steps));
        }
        let words = format!("to see it again: {}", failure.repeat);
        text.push_str(&terminal::message(Severity::Note, &words, look));
    }
    text.push_str(&terminal::answers(&checked));
    text
}
