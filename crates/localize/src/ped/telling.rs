//! Fixes as suspects: which place to change, what would have helped there, and the patch that was checked.
//!
//! [`Repairs`] → [`Diagnosis`]. A fix is one suspect, at the first place that it changes; the other places are its
//! evidence. The order of the fixes is kept in the scores: where there is a patch of some preference, the score tells
//! it; else it is below one half, by rank. A patch that passed its check is offered as a fix, else the best one that did
//! not break, marked as not checked.

use std::collections::BTreeSet;

use diagnosis::{Checked, Diagnosis, Evidence, Fix as Patched, Score, Suspect};
use logic::value::Value;
use program::Program;
use source::Span;
use verify::encode::origins::What;

use super::fixes::{Fix, Judgement, Proposal, WHOLE};
use super::spots::Key;
use super::{NAME, Repairs};
use crate::suspects::Words;

/// What was found, for people; with why the statements of some lines are trusted, or of all for line 0.
pub fn diagnosis(program: &Program, repairs: &Repairs, why_not: &[u32]) -> Diagnosis {
    let words = Words::new(program, &repairs.encoded);
    let count = repairs.fixes.len();
    let told = |(index, fix): (usize, &Fix)| {
        let by_rank = 0.5 * (1.0 - index as f64 / (count + 1) as f64);
        // A weight of one, with all of the conduct, gives one half.
        let of_patch = |preference: u64| preference as f64 / (preference + WHOLE) as f64;
        let score = fix.preference().map_or(by_rank, of_patch);
        suspect(program, &words, fix, Score::new(score))
    };
    let mut notes = repairs.notes.clone();
    if count == 0 {
        notes.push("no change of few statements avoids this failure".to_owned());
    }
    Diagnosis {
        engines: vec![NAME.to_owned()],
        suspects: repairs.fixes.iter().enumerate().map(told).collect(),
        cleared: if why_not.is_empty() { Vec::new() } else { specified(&words, repairs, why_not) },
        notes,
        statements: repairs.encoded.trace.statements.len(),
        blamed: repairs.fixes.iter().map(|fix| fix.statements.len()).sum(),
        ..Diagnosis::default()
    }
}

/// Which statements a proof needs, and what it demands of those that may change.
fn specified(words: &Words<'_>, repairs: &Repairs, lines: &[u32]) -> Vec<Evidence> {
    let mut told = BTreeSet::new();
    let mut evidence = Vec::new();
    for &statement in &repairs.slice {
        let Some((place, at)) = words.place(statement).and_then(|place| Some((place, place.at?))) else { continue };
        let span = words.span(place).filter(|span| lines.contains(&0) || lines.contains(&span.start.line));
        if span.is_none() || !told.insert((at, span)) {
            continue;
        }
        let mut messages = Vec::new();
        if let Some(what) = repairs.specification.reasons.get(&Key::Command(at, None)) {
            messages.push(format!("trusted: needed for the proof of {what}"));
        }
        for (range, what) in repairs.specification.projections.get(&at).into_iter().flatten() {
            messages.push(format!("must write {}, for the proof of {what}", range.words()));
        }
        let one = |message| Evidence { engine: NAME.to_owned(), message, place: span };
        evidence.extend(messages.into_iter().map(one));
    }
    evidence
}

fn suspect(program: &Program, words: &Words<'_>, fix: &Fix, score: Score) -> Suspect {
    let place = fix.statements.first().and_then(|&it| words.place(it));
    let checked = fix.checked();
    let span = place.and_then(|place| words.span(place));
    let tried_out = fix.offered().filter(|it| it.conduct.is_some());
    let span = tried_out.and_then(|it| elsewhere(it, span)).or(span);
    let function = place.and_then(|place| place.at).map(|at| program.function(at.function).name.clone());
    let others = fix.statements.iter().skip(1).map(|&statement| Evidence {
        engine: NAME.to_owned(),
        message: "and change this, too".to_owned(),
        place: words.place(statement).and_then(|place| words.mark(place)),
    });
    let is_point = span.is_some_and(|span| span.start == span.end);
    let marked = if is_point { place.and_then(|place| words.mark(place)) } else { span };
    Suspect {
        place: marked,
        text: span.map(|span| words.text(span)).unwrap_or_default(),
        function: function.unwrap_or_default(),
        score,
        engines: vec![NAME.to_owned()],
        why: why(words, fix, checked),
        evidence: others.collect(),
        step: None,
        lines: Vec::new(),
        fix: fix.offered().and_then(|proposal| patched(program, proposal)),
    }
}

/// Where a patch changes the text, if that is in another line than the statement: a declaration, a macro.
fn elsewhere(proposal: &Proposal, span: Option<Span>) -> Option<Span> {
    let [edit] = proposal.patch.edits() else { return None };
    let is_in =
        |span: &Span| span.file == edit.span.file && (span.start.line..=span.end.line).contains(&edit.span.start.line);
    (!span.as_ref().is_some_and(is_in)).then_some(edit.span)
}

fn patched(program: &Program, proposal: &Proposal) -> Option<Patched> {
    let checked = match proposal.judgement {
        Some(Judgement::Proved) => Checked::Proved,
        Some(Judgement::Bounded(_)) => Checked::Bounded,
        Some(Judgement::Passes) => Checked::Tests,
        _ => Checked::None,
    };
    let diff = proposal.patch.unified_diff(&program.sources).ok()?;
    Some(Patched { diff, checked })
}

fn why(words: &Words<'_>, fix: &Fix, checked: Option<&Proposal>) -> String {
    if let Some(proposal) = checked {
        let change = proposal.words.join(" and ");
        return match proposal.judgement {
            Some(Judgement::Bounded(bound)) => {
                format!("if {change}, nothing fails while no loop goes back more than {bound} times")
            }
            Some(Judgement::Passes) => format!("if {change}, this run does not fail"),
            _ => format!("if {change}, no input makes the program fail"),
        };
    }
    if let Some(proposal) = fix.offered() {
        let unchecked = match &proposal.judgement {
            Some(Judgement::Unknown(why)) => format!("not checked further: {why}"),
            _ => "not checked further".to_owned(),
        };
        return format!("if {}, this run would not fail ({unchecked})", proposal.words.join(" and "));
    }
    let changes = changes(words, &fix.values);
    match changes.is_empty() {
        true => "another value or decision here would avoid the failure".to_owned(),
        false => format!("{}, this run would not fail", changes.join(" and ")),
    }
}

/// What free results and outcomes would have to be, in one part for all that come from one place.
fn changes(words: &Words<'_>, values: &[(usize, Value)]) -> Vec<String> {
    let origin = |statement: usize| words.place(statement).map(|place| (place.at, place.expr));
    let parts = values.chunk_by(|one, other| origin(one.0).is_some() && origin(one.0) == origin(other.0));
    let told = |part: &[(usize, Value)]| {
        let (statement, value) = part.iter().find(|(it, value)| differs(words, *it, value)).unwrap_or(&part[0]);
        let first = change(words, *statement, value);
        let is_condition = words.place(*statement).is_some_and(|place| matches!(place.what, What::Guard(_)));
        match part.len() {
            1 => first,
            count if is_condition => format!("{first} all {count} times"),
            2 => format!("{first}, and another value the other time"),
            count => format!("{first}, and other values the {} other times", count - 1),
        }
    };
    parts.map(told).collect()
}

/// Whether it is another value than the run's own.
fn differs(words: &Words<'_>, statement: usize, value: &Value) -> bool {
    let target = words.place(statement).and_then(|place| place.target.as_ref());
    target.is_none_or(|target| words.bits(Some(target), target.value) != words.value(Some(target), value))
}

/// What a free result or outcome would have to be.
fn change(words: &Words<'_>, statement: usize, value: &Value) -> String {
    let Some(place) = words.place(statement) else { return "with another value here".to_owned() };
    if matches!(place.what, What::Guard(_)) {
        return format!("if {} went the other way", words.test(statement));
    }
    let target = place.target.as_ref();
    let was = target.map(|target| words.bits(Some(target), target.value)).filter(|was| was != "another address");
    let was = was.map_or_else(String::new, |was| format!(" instead of {was}"));
    let name = words.target(place);
    match (name.strip_prefix('`').map_or(name.as_str(), |it| it.trim_matches('`')), words.value(target, value).as_str())
    {
        (name, "another address") => format!("with another address in `{name}` here"),
        (inner, value) if inner != name => format!("with `{inner} = {value}` here{was}"),
        (_, value) => format!("if {name} were {value} here{was}"),
    }
}
