//! Witnesses in YAML 2.0, written.
//!
//! [`Witness`] → text. The witness must be a sequence: from the entry, one step to follow from each state to
//! the next, and steps to a sink, which become waypoints to avoid. Names of functions that are called are left
//! out, since the format finds calls by their place.

use std::fmt::Write;

use super::model::{Edge, Event, Role, StateId, Way, Witness};

/// `None` if the witness branches.
pub fn write(witness: &Witness) -> Option<String> {
    let metadata = &witness.metadata;
    let mut out = String::from("- entry_type: \"violation_sequence\"\n  metadata:\n    format_version: \"2.0\"\n");
    field(&mut out, 4, "uuid", &metadata.uuid);
    field(&mut out, 4, "creation_time", &metadata.creation_time);
    out.push_str("    producer:\n");
    field(&mut out, 6, "name", &metadata.producer);
    field(&mut out, 6, "version", &metadata.producer_version);
    out.push_str("    task:\n      input_files:\n");
    for file in &metadata.files {
        let _ = writeln!(out, "      - {}", quoted(&file.name));
    }
    out.push_str("      input_file_hashes:\n");
    for file in &metadata.files {
        let _ = writeln!(out, "        {}: {}", quoted(&file.name), quoted(&file.hash));
    }
    field(&mut out, 6, "specification", &metadata.specification);
    let model = match metadata.architecture.as_str() {
        "64bit" => "LP64",
        "32bit" => "ILP32",
        other => other,
    };
    field(&mut out, 6, "data_model", model);
    field(&mut out, 6, "language", "C");
    out.push_str("  content:\n");
    let mut state = StateId::ENTRY;
    for _ in &witness.states {
        if witness.state(state).role == Role::Violation {
            return Some(out);
        }
        state = segment(&mut out, witness, state)?;
    }
    None
}

/// Writes the steps from a state; where the one to follow leads.
fn segment(out: &mut String, witness: &Witness, state: StateId) -> Option<StateId> {
    out.push_str("  - segment:\n");
    let (avoided, followed): (Vec<&Edge>, Vec<&Edge>) =
        witness.edges_from(state).partition(|edge| witness.state(edge.target).role == Role::Sink);
    let [follow] = followed.as_slice() else { return None };
    for edge in avoided {
        waypoint(out, edge, "avoid");
    }
    waypoint(out, follow, "follow");
    Some(follow.target)
}

fn waypoint(out: &mut String, edge: &Edge, action: &str) {
    let kind = match edge.event {
        Event::Operation | Event::Statement => "assumption",
        Event::Branch(_) => "branching",
        Event::Enter(_) => "function_enter",
        Event::Return(_) => "function_return",
        Event::Target => "target",
    };
    let _ = writeln!(out, "    - waypoint:\n        type: {}\n        action: {}", quoted(kind), quoted(action));
    let constraint = match (&edge.event, &edge.assumption) {
        (Event::Branch(Way::True), _) => Some(("true".to_owned(), "c_expression")),
        (Event::Branch(Way::False), _) => Some(("false".to_owned(), "c_expression")),
        (Event::Branch(Way::Default), _) => Some(("default".to_owned(), "c_expression")),
        (Event::Branch(Way::Case(number)), _) => Some((number.to_string(), "c_expression")),
        (Event::Return(_), Some(assumption)) => Some((assumption.text.clone(), "acsl_expression")),
        (_, Some(assumption)) => Some((assumption.text.clone(), "c_expression")),
        (_, None) => None,
    };
    if let Some((value, format)) = constraint {
        out.push_str("        constraint:\n");
        field(out, 10, "value", &value);
        field(out, 10, "format", format);
    }
    out.push_str("        location:\n");
    let location = &edge.location;
    field(out, 10, "file_name", location.file.as_deref().unwrap_or_default());
    for (name, number) in [("line", location.line), ("column", location.column)] {
        if let Some(number) = number {
            let _ = writeln!(out, "          {name}: {number}");
        }
    }
    field(out, 10, "function", location.function.as_deref().unwrap_or_default());
}

/// A key with its text; without a text, nothing.
fn field(out: &mut String, indent: usize, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = writeln!(out, "{:indent$}{name}: {}", "", quoted(value));
    }
}

/// A YAML scalar in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            other if other.is_control() || matches!(other, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{:04x}", other as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
