//! Witnesses in GraphML 1.0, written.
//!
//! [`Witness`] → text, one element a line, keys declared first. What the format has no element for (columns,
//! the function of a location) is left out; a target is an operation there.

use std::fmt::Write;

use super::model::{Edge, Event, Role, StateId, Way, Witness};

/// The keys that are used: name, kind of element, type, default.
const KEYS: &[(&str, &str, &str, Option<&str>)] = &[
    ("witness-type", "graph", "string", None),
    ("witness-format-version", "graph", "string", None),
    ("sourcecodelang", "graph", "string", None),
    ("producer", "graph", "string", None),
    ("specification", "graph", "string", None),
    ("programfile", "graph", "string", None),
    ("programhash", "graph", "string", None),
    ("architecture", "graph", "string", None),
    ("creationtime", "graph", "string", None),
    ("entry", "node", "boolean", Some("false")),
    ("violation", "node", "boolean", Some("false")),
    ("sink", "node", "boolean", Some("false")),
    ("originfile", "edge", "string", None),
    ("startline", "edge", "int", None),
    ("endline", "edge", "int", None),
    ("startoffset", "edge", "int", None),
    ("endoffset", "edge", "int", None),
    ("control", "edge", "string", None),
    ("enterFunction", "edge", "string", None),
    ("returnFromFunction", "edge", "string", None),
    ("assumption", "edge", "string", None),
    ("assumption.scope", "edge", "string", None),
    ("assumption.resultfunction", "edge", "string", None),
];

const HEADER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>
<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">
";

pub fn write(witness: &Witness) -> String {
    let mut out = HEADER.to_owned();
    for (name, element, kind, default) in KEYS {
        let _ = write!(out, "  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{element}\"");
        match default {
            None => out.push_str("/>\n"),
            Some(default) => {
                let _ = writeln!(out, ">\n    <default>{default}</default>\n  </key>");
            }
        }
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    metadata(&mut out, witness);
    for (index, state) in witness.states.iter().enumerate() {
        let _ = write!(out, "    <node id=\"{}\"", escaped(&state.name));
        let mut marks = Vec::new();
        if StateId(index as u32) == StateId::ENTRY {
            marks.push("entry");
        }
        match state.role {
            Role::Path => {}
            Role::Violation => marks.push("violation"),
            Role::Sink => marks.push("sink"),
        }
        if marks.is_empty() {
            out.push_str("/>\n");
            continue;
        }
        out.push_str(">\n");
        for mark in marks {
            data(&mut out, mark, "true");
        }
        out.push_str("    </node>\n");
    }
    for edge in &witness.edges {
        write_edge(&mut out, witness, edge);
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn metadata(out: &mut String, witness: &Witness) {
    let metadata = &witness.metadata;
    let producer = match metadata.producer_version.as_str() {
        "" => metadata.producer.clone(),
        version => format!("{} {version}", metadata.producer),
    };
    let file = metadata.files.first().cloned().unwrap_or_default();
    let architecture = match metadata.architecture.as_str() {
        "LP64" => "64bit",
        "ILP32" => "32bit",
        other => other,
    };
    let values = [
        ("witness-type", "violation_witness"),
        ("witness-format-version", "1.0"),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &metadata.specification),
        ("programfile", &file.name),
        ("programhash", &file.hash),
        ("architecture", architecture),
        ("creationtime", &metadata.creation_time),
    ];
    for (name, value) in values {
        if !value.is_empty() {
            let _ = writeln!(out, "    <data key=\"{name}\">{}</data>", escaped(value));
        }
    }
}

fn write_edge(out: &mut String, witness: &Witness, edge: &Edge) {
    let [source, target] = [edge.source, edge.target].map(|id| escaped(&witness.state(id).name));
    let _ = writeln!(out, "    <edge source=\"{source}\" target=\"{target}\">");
    let location = &edge.location;
    if let Some(file) = &location.file {
        data(out, "originfile", file);
    }
    let numbers = [
        ("startline", location.line),
        ("endline", location.end_line),
        ("startoffset", location.offset),
        ("endoffset", location.end_offset),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            data(out, name, &number.to_string());
        }
    }
    match &edge.event {
        Event::Branch(Way::True) => data(out, "control", "condition-true"),
        Event::Branch(Way::False) => data(out, "control", "condition-false"),
        Event::Enter(name) => data(out, "enterFunction", name.as_deref().unwrap_or_default()),
        Event::Return(name) => data(out, "returnFromFunction", name.as_deref().unwrap_or_default()),
        // The format has no word for the ways of a `switch`.
        Event::Branch(_) | Event::Operation | Event::Statement | Event::Target => {}
    }
    if let Some(assumption) = &edge.assumption {
        data(out, "assumption", &assumption.text);
        let names = [("assumption.scope", &assumption.scope), ("assumption.resultfunction", &assumption.result_of)];
        for (key, name) in names {
            if let Some(name) = name {
                data(out, key, name);
            }
        }
    }
    out.push_str("    </edge>\n");
}

fn data(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "      <data key=\"{key}\">{}</data>", escaped(value));
}

/// Text as XML allows it; what XML cannot say becomes a question mark.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' | '\r' => {
                let _ = write!(out, "&#{};", character as u32);
            }
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('?'),
            other => out.push(other),
        }
    }
    out
}
