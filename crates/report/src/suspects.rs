//! A diagnosis for people: the suspects, the best first.

use std::collections::BTreeMap;

use diagnosis::{Checked, Diagnosis, EXPRESSION, Evidence, ExplainedInput, Fix, INNER_VALUES, SLICE, Suspect};
use source::{FileId, Sources, Span};

use crate::finding::{Finding, Mark, Place, Severity};
use crate::terminal::{self, Look};

/// Suspects as text; at most so many of them. The best patch is shown, the others where all suspects are.
pub fn text(sources: &Sources, diagnosis: &Diagnosis, most: usize, look: Look) -> String {
    let mut text = diagnosis.input.as_ref().map_or_else(String::new, |it| format!("\n{}", input(it, look)));
    let count = diagnosis.suspects.len();
    let mut steps = Steps::default();
    for (index, suspect) in diagnosis.suspects.iter().take(most).enumerate() {
        text.push('\n');
        text.push_str(&terminal::finding(sources, &finding(suspect, index + 1, count, &mut steps, look), &[], look));
        if index == 0 || most == usize::MAX {
            text.push_str(&suspect.fix.as_ref().map_or_else(String::new, |fix| patch(fix, look)));
        }
    }
    for cleared in &diagnosis.cleared {
        let mut finding = Finding::new(Severity::Note, "cleared", "not to blame");
        finding.primary = cleared.place.map(|span| Mark { place: Place { span }, label: cleared.message.clone() });
        text.push('\n');
        text.push_str(&terminal::finding(sources, &finding, &[], look));
    }
    if count > most {
        let places = diagnosis.suspects[most..].iter().filter_map(|it| it.place);
        let places: Vec<String> =
            places.map(|span| format!("{}:{}", sources.path(span.file), span.start.line)).collect();
        text.push('\n');
        text.push_str(&terminal::message(Severity::Note, &rest(count - most, &places, look.width), look));
    }
    for note in &diagnosis.notes {
        text.push_str(&terminal::message(Severity::Note, note, look));
    }
    text
}

/// The input of the run that is explained: what it is, and its lines.
fn input(input: &ExplainedInput, look: Look) -> String {
    let mut text = terminal::message(Severity::Note, &format!("{}:", input.words()), look);
    for line in input.text.lines() {
        text.push_str(&format!("    {line}\n"));
    }
    text
}

/// The suspects that are not shown, in one line: as many of their places as it has room for.
fn rest(count: usize, places: &[String], width: usize) -> String {
    const MORE: &str = ", … (--verbose)";
    let mut line = format!("{} more suspect{}", count, if count == 1 { "" } else { "s" });
    // `note: ` stands before it.
    let room = width.saturating_sub("note: ".len());
    for (index, place) in places.iter().enumerate() {
        let end = if index + 1 == places.len() { 0 } else { MORE.chars().count() };
        let separator = if index == 0 { ": " } else { ", " };
        if index > 0 && line.chars().count() + separator.len() + place.chars().count() + end > room {
            line.push_str(MORE);
            break;
        }
        line.push_str(separator);
        line.push_str(place);
    }
    line
}

/// The patch under its suspect, with what was checked.
fn patch(fix: &Fix, look: Look) -> String {
    let checked = match fix.checked {
        Checked::Proved => "proved: no input makes the patched program fail",
        Checked::Bounded => "the patched program was checked within a bound",
        Checked::Tests => "what was run does not fail with it; nothing else was looked at",
        Checked::None => "not checked",
    };
    let mut text = terminal::message(Severity::Note, &format!("write instead ({checked})"), look);
    for line in fix.diff.lines() {
        let colour = match line.as_bytes().first() {
            // Not in the colours of what changes.
            _ if line.starts_with("--- ") || line.starts_with("+++ ") => "1",
            Some(b'+') => "32",
            Some(b'-') => "31",
            Some(b'@') => "36",
            _ => "",
        };
        match look.colour && !colour.is_empty() {
            true => text.push_str(&format!("    \x1b[{colour}m{line}\x1b[0m\n")),
            false => text.push_str(&format!("{}\n", format!("    {line}").trim_end())),
        }
    }
    text
}

/// Columns before the source in a snippet.
const GUTTER: usize = 6;

/// The lines of steps to the failure that were shown, and with which suspect: where the way of another one comes to such a line,
/// the rest of it is the same.
type Steps = BTreeMap<(FileId, u32), usize>;

fn line_of(span: Span) -> (FileId, u32) {
    (span.file, span.start.line)
}

fn finding(suspect: &Suspect, rank: usize, count: usize, steps: &mut Steps, look: Look) -> Finding {
    let of = if count > 1 { format!(" of {count}") } else { String::new() };
    let title = match suspect.text.is_empty() {
        true => format!("suspect {rank}{of}"),
        false => format!("suspect {rank}{of}: `{}`", suspect.text),
    };
    let mut finding = Finding::new(Severity::Note, terminal::SUSPECT, title);
    // Beside the mark, if that fits; or else below, where it can be wrapped.
    let end = suspect.place.map_or(usize::MAX, |span| GUTTER + span.end.column as usize);
    let fits = end.saturating_add(suspect.why.chars().count()) <= look.width;
    let label = if fits { suspect.why.clone() } else { String::new() };
    finding.primary = suspect.place.map(|span| Mark { place: Place { span }, label });
    if !fits {
        finding.notes.push(suspect.why.clone());
    }
    let from = |engine: &'static str| suspect.evidence.iter().filter(move |it| it.engine == engine);
    finding.notes.extend(from(EXPRESSION).map(|it| it.message.clone()));
    finding.notes.extend(from(INNER_VALUES).map(|it| match it.place {
        Some(span) => format!("{} ({})", it.message, columns(span)),
        None => it.message.clone(),
    }));
    let mark = |it: &Evidence| Some(Mark { place: Place { span: it.place? }, label: it.message.clone() });
    let others = suspect.evidence.iter().filter(|it| ![EXPRESSION, INNER_VALUES, SLICE].contains(&&*it.engine));
    // What other engines say about the same line is told by their names.
    finding.related =
        others.filter_map(mark).filter(|it| Some(line_of(it.place.span)) != suspect.place.map(line_of)).collect();
    finding.notes.extend(from(SLICE).filter(|it| it.place.is_none()).map(|it| it.message.clone()));
    for step in from(SLICE).filter_map(mark) {
        if let Some(before) = steps.get(&line_of(step.place.span)).filter(|it| **it != rank) {
            finding.notes.push(format!("from there on, it is the way of suspect {before} to the failure"));
            break;
        }
        steps.insert(line_of(step.place.span), rank);
        finding.related.push(step);
    }
    if let [others @ .., last] = &suspect.engines[..]
        && !others.is_empty()
    {
        finding.notes.push(format!("{} and {last} agree on this line", others.join(", ")));
    }
    finding
}

/// Where a part of a line is.
fn columns(span: Span) -> String {
    let (start, end) = (span.start, span.end);
    match start.line == end.line {
        true => {
            format!("line {}, columns {}–{}", start.line, start.column, end.column.saturating_sub(1).max(start.column))
        }
        false => format!("lines {}–{}", start.line, end.line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_comes_first() {
        let input = ExplainedInput::new(b"1\n2\n", Some(40), Some("near/small".to_owned()));
        let diagnosis = Diagnosis { input: Some(input), notes: vec!["and so on".to_owned()], ..Diagnosis::default() };
        let shown = text(&Sources::new(), &diagnosis, 5, Look::default());
        let words = "here, the program runs on an input of 4 bytes, made smaller from 40 (near/small)";
        assert_eq!(shown, format!("\nnote: {words}:\n    1\n    2\nnote: and so on\n"));
    }

    #[test]
    fn the_rest_fits_a_line() {
        let places: Vec<String> = (10..40).map(|line| format!("rpn.c:{line}")).collect();
        assert_eq!(rest(1, &places[..1], 80), "1 more suspect: rpn.c:10");
        assert_eq!(rest(2, &places[..2], 80), "2 more suspects: rpn.c:10, rpn.c:11");
        let cut = rest(30, &places, 80);
        assert_eq!(cut, "30 more suspects: rpn.c:10, rpn.c:11, rpn.c:12, rpn.c:13, … (--verbose)");
        assert!(cut.chars().count() + "note: ".len() <= 80);
        assert_eq!(rest(3, &[], 80), "3 more suspects");
    }
}
