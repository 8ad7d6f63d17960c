//! The trace as a code flow: one thread, a location for each step, with the values in its state.

use std::collections::BTreeMap;

use serde_json::json;
use serde_sarif::sarif::{CodeFlow, Location, ThreadFlow, ThreadFlowLocation};

use super::places::{self, Places};
use super::{rules, text};
use crate::document::{ExpressionValue, Range, Step, StepKind, Suspect, Trace};
use crate::numbers;

/// More steps than GitHub shows; of a longer trace, the middle is left out.
const MOST_STEPS: usize = 5_000;

pub fn code_flow(places: &Places<'_>, trace: &Trace, suspects: &[Suspect]) -> CodeFlow {
    let lines: Vec<(String, u32)> =
        suspects.iter().filter_map(|it| it.at.range()).map(|place| (place.file, place.line)).collect();
    let is_suspect = |place: &Range| lines.iter().any(|(file, line)| *file == place.file && *line == place.line);
    let kept = kept(trace.steps.len());
    let locations: Vec<ThreadFlowLocation> = (trace.steps.iter().enumerate())
        .filter(|(index, _)| kept.iter().any(|range| range.contains(index)))
        .map(|(_, step)| location(places, step, step.place.as_ref().is_some_and(is_suspect)))
        .collect();
    let hidden = trace.steps.len() - locations.len();
    let words = format!(
        "How it gets there: the {} that matter, of {}{}.",
        numbers::count(trace.steps.len() as u64, "step"),
        numbers::grouped(trace.total_steps),
        if hidden > 0 {
            format!("; {} in the middle are left out", numbers::grouped(hidden as u64))
        } else {
            String::new()
        }
    );
    CodeFlow {
        message: Some(text(&words)),
        ..CodeFlow::builder().thread_flows(vec![ThreadFlow::builder().locations(locations).build()]).build()
    }
}

/// The steps that are shown: all, or the first and the last ones. The end is nearer to the failure than the beginning.
fn kept(steps: usize) -> [std::ops::Range<usize>; 2] {
    if steps <= MOST_STEPS {
        return [0..steps, steps..steps];
    }
    let first = MOST_STEPS / 3;
    [0..first, steps - (MOST_STEPS - first)..steps]
}

fn location(places: &Places<'_>, step: &Step, is_suspect: bool) -> ThreadFlowLocation {
    let location = Location {
        message: Some(text(&places::unlinked(&words(step)))),
        ..places.place(step.place.as_ref(), &step.function)
    };
    let values = step.values.iter().chain(&step.inputs);
    let state: BTreeMap<_, _> = values.map(|it| (it.expression.clone(), rules::multiformat(&it.value))).collect();
    let essential = is_suspect || step.kind == StepKind::Failure || !step.inputs.is_empty();
    ThreadFlowLocation {
        location: Some(location),
        // From 1: VS Code's viewer indents by one level less, and cuts off what is at level 0.
        nesting_level: Some(i64::from(step.depth) + 1),
        execution_order: Some(i64::try_from(step.number).unwrap_or(i64::MAX)),
        importance: Some(json!(if essential { "essential" } else { "important" })),
        kinds: Some(kinds(step).into_iter().map(str::to_owned).collect()),
        state: (!state.is_empty()).then_some(state),
        ..ThreadFlowLocation::default()
    }
}

/// The words that the standard proposes.
fn kinds(step: &Step) -> Vec<&'static str> {
    match step.kind {
        StepKind::Statement if !step.inputs.is_empty() => vec!["acquire", "value"],
        StepKind::Statement => vec!["value"],
        StepKind::Condition if step.outcome.as_deref() == Some("true") => vec!["branch", "true"],
        StepKind::Condition => vec!["branch", "false"],
        StepKind::Switch => vec!["branch", "case"],
        StepKind::Call => vec!["call", "function"],
        StepKind::Return => vec!["return", "function"],
        StepKind::Failure => vec!["danger"],
    }
}

/// The source of a step and what it did: `i < n is true: i = 0`.
fn words(step: &Step) -> String {
    let list = |values: &[ExpressionValue]| -> String {
        values.iter().map(|it| format!("{} = {}", it.expression, it.value)).collect::<Vec<_>>().join(", ")
    };
    let outcome = step.outcome.as_deref().unwrap_or_default();
    let text = &step.text;
    let (mut words, mut parts) = match step.kind {
        StepKind::Condition => (format!("{text} is {outcome}"), Vec::new()),
        StepKind::Return => (text.clone(), vec![format!("returns {outcome}")]),
        StepKind::Switch => (text.clone(), vec![format!("looks for {outcome}")]),
        StepKind::Failure => (text.clone(), vec![outcome.to_owned()]),
        StepKind::Statement | StepKind::Call => (text.clone(), Vec::new()),
    };
    parts.push(list(&step.values));
    // An input that is the whole step has been named.
    let is_told = |it: &ExpressionValue| step.kind == StepKind::Condition && it.expression == *text;
    match step.inputs.as_slice() {
        [] => {}
        inputs if inputs.iter().all(is_told) => words.push_str(" (input)"),
        inputs => parts.push(format!("input: {}", list(inputs))),
    }
    parts.retain(|part| !part.trim().is_empty());
    match parts.is_empty() {
        true => words,
        false => format!("{words}: {}", parts.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: StepKind, text: &str, outcome: &str, values: &[(&str, &str)], inputs: &[(&str, &str)], told: &str) {
        let named = |list: &[(&str, &str)]| {
            let one = |&(name, value): &(&str, &str)| ExpressionValue { expression: name.into(), value: value.into() };
            list.iter().map(one).collect()
        };
        let step = Step {
            number: 1,
            depth: 0,
            function: "main".to_owned(),
            kind,
            text: text.to_owned(),
            place: None,
            outcome: (!outcome.is_empty()).then(|| outcome.to_owned()),
            values: named(values),
            inputs: named(inputs),
        };
        assert_eq!(words(&step), told);
    }

    #[test]
    fn a_step_is_told_in_one_line() {
        check(StepKind::Condition, "i < n", "true", &[("i", "0")], &[], "i < n is true: i = 0");
        check(StepKind::Condition, "more()", "true", &[], &[("more()", "1")], "more() is true (input)");
        check(StepKind::Statement, "i++", "", &[("i", "1")], &[], "i++: i = 1");
        check(StepKind::Statement, "x = get()", "", &[], &[("get()", "3")], "x = get(): input: get() = 3");
        check(StepKind::Return, "return x", "3", &[], &[], "return x: returns 3");
    }
}
