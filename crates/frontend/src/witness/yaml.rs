//! Witnesses in YAML 2.0, read: the first `violation_sequence` of the file.
//!
//! Text → [`Witness`]. A segment is a state; its waypoint to follow leads to the next segment, its waypoints
//! to avoid lead to a sink. Keys that the format does not define are ignored.

use super::error::{Text, WitnessError};
use super::model::{
    Assumption, Edge, Event, Format, Location, Mark, Metadata, ProgramFile, Role, State, StateId, Way, Witness,
};
use super::yaml_tree::{self, Kind, Value};

/// Entries of correctness witnesses, of all versions.
const CORRECTNESS: &[&str] = &[
    "invariant_set",
    "loop_invariant",
    "location_invariant",
    "loop_invariant_certificate",
    "flow_insensitive_invariant",
];

pub fn read(text: &str) -> Result<Witness, WitnessError> {
    let documents = yaml_tree::parse(text)?;
    let reader = Reader { text: Text(text) };
    let Some(document) = documents.first() else { return Err(WitnessError::Empty) };
    let entries = match &document.kind {
        Kind::List(entries) => entries.as_slice(),
        Kind::Map(_) => std::slice::from_ref(document),
        Kind::Scalar(_) => {
            return Err(WitnessError::Foreign { at: document.at, line: Text(text).line(document.at) });
        }
    };
    let mut correctness = None;
    for entry in entries {
        let kind = entry.get("entry_type");
        match kind.and_then(Value::text) {
            Some("violation_sequence") => return reader.sequence(entry),
            Some(other) if CORRECTNESS.contains(&other) => correctness = kind,
            _ => {}
        }
    }
    match (correctness, entries.first()) {
        (Some(kind), _) => Err(Text(text).correctness(kind.at)),
        (None, Some(entry)) => {
            let remedy = "a violation witness is a list with an entry `entry_type: violation_sequence`";
            Err(Text(text).malformed(entry.at, "this entry is no violation sequence", remedy))
        }
        (None, None) => Err(WitnessError::Empty),
    }
}

struct Reader<'t> {
    text: Text<'t>,
}

impl Reader<'_> {
    fn need<'v>(&self, value: &'v Value, name: &str) -> Result<&'v Value, WitnessError> {
        value.get(name).ok_or_else(|| {
            let message = format!("`{name}` is missing in {}", value.what());
            self.text.malformed(value.at, message, format!("add `{name}:` here"))
        })
    }

    fn string(&self, value: &Value) -> Result<String, WitnessError> {
        value.text().map(str::to_owned).ok_or_else(|| {
            self.text.malformed(value.at, format!("here is {}, but a text is needed", value.what()), "write a text")
        })
    }

    fn list<'v>(&self, value: &'v Value) -> Result<&'v [Value], WitnessError> {
        match &value.kind {
            Kind::List(items) => Ok(items),
            // `content:` with nothing below it.
            Kind::Scalar(text) if text.is_empty() || text == "~" => Ok(&[]),
            _ => {
                let message = format!("here is {}, but a list is needed", value.what());
                Err(self.text.malformed(value.at, message, "write a list, each item after a `-`"))
            }
        }
    }

    fn number(&self, value: &Value) -> Result<u32, WitnessError> {
        value.text().and_then(|text| text.parse().ok()).ok_or_else(|| {
            let message = format!("`{}` is no number", value.text().unwrap_or(value.what()));
            self.text.malformed(value.at, message, "lines and columns are counted from 1")
        })
    }

    fn sequence(&self, entry: &Value) -> Result<Witness, WitnessError> {
        let metadata = self.metadata(self.need(entry, "metadata")?)?;
        let content = self.need(entry, "content")?;
        let segments = self.list(content)?;
        if segments.is_empty() {
            let remedy = "the last segment has a waypoint of type `target`";
            return Err(self.text.malformed(content.at, "the sequence has no segments", remedy));
        }
        let mut states = Vec::new();
        for (index, segment) in segments.iter().enumerate() {
            states.push(State { name: format!("segment {}", index + 1), role: Role::Path, at: segment.at });
        }
        states.push(State { name: "the target".to_owned(), role: Role::Violation, at: content.at });
        let sink = StateId(states.len() as u32);
        let mut edges = Vec::new();
        for (index, segment) in segments.iter().enumerate() {
            self.segment(segment, (index, segments.len()), sink, &mut edges)?;
        }
        if edges.iter().any(|edge| edge.target == sink) {
            states.push(State { name: "sink".to_owned(), role: Role::Sink, at: content.at });
        }
        Ok(Witness { format: Format::Yaml, metadata, states, edges })
    }

    fn segment(
        &self,
        segment: &Value,
        (index, count): (usize, usize),
        sink: StateId,
        edges: &mut Vec<Edge>,
    ) -> Result<(), WitnessError> {
        let waypoints = self.list(self.need(segment, "segment")?)?;
        let source = StateId(index as u32);
        let mut followed = false;
        for item in waypoints {
            let waypoint = self.need(item, "waypoint")?;
            let action = self.need(waypoint, "action")?;
            let target = match action.text() {
                Some("follow") if followed => {
                    let remedy = "begin a new segment with it";
                    return Err(self.text.malformed(action.at, "this segment follows two waypoints", remedy));
                }
                Some("follow") => {
                    followed = true;
                    StateId(index as u32 + 1)
                }
                Some("avoid") => sink,
                _ => {
                    let message = format!("`{}` is no action", action.text().unwrap_or(action.what()));
                    return Err(self.text.malformed(action.at, message, "it must be `follow` or `avoid`"));
                }
            };
            let edge = self.waypoint(waypoint, source, target)?;
            let last = target != sink && index + 1 == count;
            let remedy = "the target is followed in the last segment, and only there";
            if edge.event == Event::Target && !last {
                let message = "this target is not the end of the sequence";
                return Err(self.text.malformed(waypoint.at, message, remedy));
            }
            if edge.event != Event::Target && last {
                return Err(self.text.malformed(waypoint.at, "the sequence does not end at a target", remedy));
            }
            edges.push(edge);
        }
        if !followed {
            let remedy = "each segment follows exactly one waypoint";
            return Err(self.text.malformed(segment.at, "this segment follows no waypoint", remedy));
        }
        Ok(())
    }

    fn waypoint(&self, waypoint: &Value, source: StateId, target: StateId) -> Result<Edge, WitnessError> {
        let kind = self.need(waypoint, "type")?;
        let constraint = waypoint.get("constraint");
        let value = match constraint {
            Some(constraint) => Some(self.need(constraint, "value")?),
            None => None,
        };
        let (event, wants_condition) = match kind.text() {
            Some("assumption") => (Event::Statement, true),
            Some("branching") => {
                let value = value.map_or_else(|| self.need(waypoint, "constraint"), Ok)?;
                (Event::Branch(self.way(value)?), false)
            }
            Some("function_enter") => (Event::Enter(None), false),
            Some("function_return") => (Event::Return(None), true),
            Some("target") => (Event::Target, false),
            _ => {
                let message = format!("`{}` is no type of waypoints", kind.text().unwrap_or(kind.what()));
                let remedy = "there are assumption, branching, function_enter, function_return and target";
                return Err(self.text.malformed(kind.at, message, remedy));
            }
        };
        if let Some(format) = constraint.and_then(|it| it.get("format")) {
            if !matches!(format.text(), Some("c_expression" | "acsl_expression" | "ext_c_expression")) {
                let message = format!("`{}` is no format of constraints", format.text().unwrap_or(format.what()));
                return Err(self.text.malformed(format.at, message, "it must be c_expression or acsl_expression"));
            }
        }
        let assumption = match value.filter(|_| wants_condition) {
            Some(value) => Some(Assumption { text: self.string(value)?, scope: None, result_of: None, at: value.at }),
            None if event == Event::Statement => {
                let remedy = "add `constraint:` with a `value:`";
                return Err(self.text.malformed(waypoint.at, "this assumption assumes nothing", remedy));
            }
            None => None,
        };
        let location = self.location(self.need(waypoint, "location")?)?;
        Ok(Edge { source, target, event, location, assumption, at: waypoint.at })
    }

    fn way(&self, value: &Value) -> Result<Way, WitnessError> {
        let text = value.text().unwrap_or_default();
        match text {
            "true" => Ok(Way::True),
            "false" => Ok(Way::False),
            "default" => Ok(Way::Default),
            number => number.parse().map(Way::Case).map_err(|_| {
                let message = format!("`{text}` is no way that a branch can go");
                self.text.malformed(value.at, message, "it must be true, false, default or the number of a case")
            }),
        }
    }

    fn location(&self, value: &Value) -> Result<Location, WitnessError> {
        let number = |name: &str| value.get(name).map(|it| self.number(it)).transpose();
        let string = |name: &str| value.get(name).map(|it| self.string(it)).transpose();
        self.need(value, "line")?;
        Ok(Location {
            file: string("file_name")?,
            line: number("line")?,
            column: number("column")?,
            function: string("function")?,
            ..Location::default()
        })
    }

    fn metadata(&self, value: &Value) -> Result<Metadata, WitnessError> {
        let text = |value: &Value, name: &str| match value.get(name) {
            Some(found) => self.string(found),
            None => Ok(String::new()),
        };
        let version = self.need(value, "format_version")?;
        if !version.text().is_some_and(|it| it.starts_with("2.")) {
            let message = format!("format version `{}` is not known", version.text().unwrap_or(version.what()));
            return Err(self.text.malformed(version.at, message, "violation sequences are of version 2.0"));
        }
        let nothing = Value { at: Mark::default(), kind: Kind::Map(Vec::new()) };
        let producer = value.get("producer").unwrap_or(&nothing);
        let task = value.get("task").unwrap_or(&nothing);
        if let Some(language) = task.get("language").filter(|it| it.text() != Some("C")) {
            let message = format!("the witness is for a program in {}", language.text().unwrap_or("another language"));
            return Err(self.text.malformed(language.at, message, "only witnesses for C can be followed"));
        }
        Ok(Metadata {
            producer: text(producer, "name")?,
            producer_version: text(producer, "version")?,
            creation_time: text(value, "creation_time")?,
            uuid: text(value, "uuid")?,
            specification: text(task, "specification")?,
            files: self.files(task)?,
            architecture: text(task, "data_model")?,
        })
    }

    fn files(&self, task: &Value) -> Result<Vec<ProgramFile>, WitnessError> {
        let names = match task.get("input_files") {
            None => Vec::new(),
            Some(value) if value.text().is_some() => vec![self.string(value)?],
            Some(value) => self.list(value)?.iter().map(|it| self.string(it)).collect::<Result<_, _>>()?,
        };
        let hashes = task.get("input_file_hashes");
        let hash = |name: &str| match hashes.and_then(|it| it.get(name)) {
            Some(value) => self.string(value),
            None => Ok(String::new()),
        };
        names.into_iter().map(|name| Ok(ProgramFile { hash: hash(&name)?, name })).collect()
    }
}
