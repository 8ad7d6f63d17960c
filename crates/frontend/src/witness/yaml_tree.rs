//! YAML as a tree with places: text → [`Value`].
//!
//! What holds: aliases are refused and the depth is limited, so a small file cannot become a large tree.
//! Scalars stay text; what they mean, the reader knows.

use saphyr_parser::{Event, Parser, ScanError, Span};

use super::error::{Text, WitnessError};
use super::model::Mark;

/// No witness is nested deeper.
const MOST_DEPTH: usize = 32;

#[derive(Clone, Debug)]
pub struct Value {
    pub at: Mark,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Scalar(String),
    List(Vec<Value>),
    /// In the order of the file.
    Map(Vec<(Value, Value)>),
}

impl Value {
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(text) => Some(text),
            _ => None,
        }
    }

    pub fn entries(&self) -> &[(Value, Value)] {
        match &self.kind {
            Kind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a key.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries().iter().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
    }

    pub fn what(&self) -> &'static str {
        match self.kind {
            Kind::Scalar(_) => "a single value",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a mapping",
        }
    }
}

/// The documents of a file.
pub fn parse(text: &str) -> Result<Vec<Value>, WitnessError> {
    let mut reader = Reader { text: Text(text), parser: Parser::new_from_str(text) };
    let mut documents = Vec::new();
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => return Ok(documents),
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
            event => documents.push(reader.value(event, span, 0)?),
        }
    }
}

struct Reader<'t> {
    text: Text<'t>,
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), WitnessError> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(self.scan_error(&error)),
            None => Err(self.text.syntax(Mark { line: u32::MAX, column: 1 }, "the file ends too early")),
        }
    }

    fn scan_error(&self, error: &ScanError) -> WitnessError {
        self.text.syntax(mark(error.marker()), error.info().to_owned())
    }

    fn value(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Value, WitnessError> {
        let at = mark(&span.start);
        if depth > MOST_DEPTH {
            return Err(self.text.malformed(at, "values are nested too deep", "no witness needs that"));
        }
        let kind = match event {
            Event::Scalar(text, ..) => Kind::Scalar(text.into_owned()),
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => break Kind::List(items),
                        (event, span) => items.push(self.value(event, span, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut entries = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if matches!(event, Event::MappingEnd) {
                        break Kind::Map(entries);
                    }
                    let key = self.value(event, span, depth + 1)?;
                    let (event, span) = self.next()?;
                    entries.push((key, self.value(event, span, depth + 1)?));
                }
            }
            Event::Alias(_) => {
                return Err(self.text.malformed(at, "aliases are not read", "write the value out"));
            }
            _ => return Err(self.text.syntax(at, "a value is missing")),
        };
        Ok(Value { at, kind })
    }
}

fn mark(marker: &saphyr_parser::Marker) -> Mark {
    Mark { line: u32::try_from(marker.line()).unwrap_or(u32::MAX), column: marker.col() as u32 + 1 }
}
