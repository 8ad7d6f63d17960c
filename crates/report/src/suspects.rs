//! A diagnosis for people and for machines: the suspects, the best first.

use diagnosis::{Checked, Diagnosis, Fix, Suspect};
use serde::Serialize;
use source::{Sources, Span};

use crate::finding::{Finding, Mark, Place, Severity};
use crate::terminal::{self, Look};

/// Suspects as text; at most so many of them. The best patch is shown, the others where all suspects are.
pub fn text(sources: &Sources, diagnosis: &Diagnosis, most: usize, look: Look) -> String {
    let mut text = String::new();
    let count = diagnosis.suspects.len();
    for (index, suspect) in diagnosis.suspects.iter().take(most).enumerate() {
        text.push('\n');
        text.push_str(&terminal::finding(sources, &finding(suspect, index + 1, count), &[], look));
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
        let rest: Vec<String> = (diagnosis.suspects[most..].iter())
            .filter_map(|it| it.place)
            .map(|span| format!("{}:{}", sources.path(span.file), span.start.line))
            .collect();
        text.push('\n');
        text.push_str(&terminal::message(
            Severity::Note,
            &format!("{} more suspects: {}", count - most, rest.join(", ")),
            look,
        ));
    }
    for note in &diagnosis.notes {
        text.push_str(&terminal::message(Severity::Note, note, look));
    }
    text
}

/// The patch under its suspect, with what was checked.
fn patch(fix: &Fix, look: Look) -> String {
    let checked = match fix.checked {
        Checked::Proved => "proved: no input makes the patched program fail",
        Checked::Bounded => "the patched program was checked within a bound",
        Checked::Tests => "the tests pass with it",
        Checked::None => "not checked",
    };
    let mut text = terminal::message(Severity::Note, &format!("write instead ({checked})"), look);
    for line in fix.diff.lines() {
        let colour = match line.as_bytes().first() {
            Some(b'+') => "32",
            Some(b'-') => "31",
            Some(b'@') => "36",
            _ => "",
        };
        match look.colour && !colour.is_empty() {
            true => text.push_str(&format!("    \x1b[{colour}m{line}\x1b[0m\n")),
            false => text.push_str(&format!("    {line}\n")),
        }
    }
    text
}

fn finding(suspect: &Suspect, rank: usize, count: usize) -> Finding {
    let of = if count > 1 { format!(" of {count}") } else { String::new() };
    let title = match suspect.text.is_empty() {
        true => format!("suspect {rank}{of}"),
        false => format!("suspect {rank}{of}: `{}`", suspect.text),
    };
    let mut finding = Finding::new(Severity::Note, "suspect", title);
    finding.primary = suspect.place.map(|span| Mark { place: Place { span }, label: suspect.why.clone() });
    finding.related = (suspect.evidence.iter())
        .filter_map(|it| Some(Mark { place: Place { span: it.place? }, label: it.message.clone() }))
        .filter(|mark| Some(mark.place.span) != suspect.place)
        .collect();
    if suspect.place.is_none() {
        finding.notes.push(suspect.why.clone());
    }
    finding
}

/// Suspects as the schema has them.
#[derive(Serialize)]
pub struct JsonDiagnosis<'a> {
    pub engines: &'a [String],
    pub statements: usize,
    pub blamed: usize,
    pub undecided: usize,
    pub suspects: Vec<JsonSuspect<'a>>,
    pub cleared: Vec<JsonEvidence<'a>>,
    pub notes: &'a [String],
}

#[derive(Serialize)]
pub struct JsonSuspect<'a> {
    rank: usize,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    function: &'a str,
    text: &'a str,
    score: f64,
    engines: &'a [String],
    why: &'a str,
    evidence: Vec<JsonEvidence<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<JsonFix<'a>>,
}

#[derive(Serialize)]
pub struct JsonEvidence<'a> {
    engine: &'a str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    diff: &'a str,
    checked: &'a str,
}

/// The diagnosis in the order of its ranks.
pub fn json<'a>(sources: &'a Sources, diagnosis: &'a Diagnosis) -> JsonDiagnosis<'a> {
    let file = |span: Option<Span>| span.map(|span| sources.path(span.file));
    let evidence = |it: &'a diagnosis::Evidence| JsonEvidence {
        engine: &it.engine,
        message: &it.message,
        file: file(it.place),
        line: it.place.map(|span| span.start.line),
    };
    let suspect = |(index, it): (usize, &'a Suspect)| JsonSuspect {
        rank: index + 1,
        file: file(it.place),
        line: it.place.map(|span| span.start.line),
        column: it.place.map(|span| span.start.column),
        end_line: it.place.map(|span| span.end.line),
        end_column: it.place.map(|span| span.end.column),
        function: &it.function,
        text: &it.text,
        score: it.score.value(),
        engines: &it.engines,
        why: &it.why,
        evidence: it.evidence.iter().map(evidence).collect(),
        fix: it.fix.as_ref().map(|fix| JsonFix { diff: &fix.diff, checked: fix.checked.name() }),
    };
    JsonDiagnosis {
        engines: &diagnosis.engines,
        statements: diagnosis.statements,
        blamed: diagnosis.blamed,
        undecided: diagnosis.undecided,
        suspects: diagnosis.suspects.iter().enumerate().map(suspect).collect(),
        cleared: diagnosis.cleared.iter().map(evidence).collect(),
        notes: &diagnosis.notes,
    }
}
