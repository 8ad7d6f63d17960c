//! SV-COMP's violation witnesses: how a verifier says which path of a program fails.
//!
//! [`read`] takes GraphML 1.0 or YAML 2.0 and gives a [`Witness`]; [`write`] does the reverse. [`Following`]
//! makes one program of a program and a witness, whose executions are those that the witness allows, so that
//! any engine can follow it. [`of_trace()`] makes the witness of an execution that was recorded.
//!
//! What holds: reading never panics, and what it refuses it names with its line in the witness. Not here:
//! correctness witnesses, threads, and the search for an execution, which is `verify`'s.

mod error;
mod expression;
mod graphml;
mod graphml_write;
mod hash;
mod lines;
mod model;
mod of_trace;
mod points;
mod product;
pub mod specification;
mod typing;
mod yaml;
mod yaml_tree;
mod yaml_write;

pub use error::WitnessError;
pub use hash::{Identity, same_program, sha256, uuid};
pub use model::{
    Assumption, Edge, Event, Format, Location, Mark, Metadata, ProgramFile, Role, State, StateId, Way, Witness,
};

pub use of_trace::{Source, of_trace};
pub use product::{Following, Goal, Product};

use error::Text;

/// Larger files are refused.
const MOST_BYTES: usize = 256 << 20;

/// Reads a witness; its format shows in its first character.
pub fn read(bytes: &[u8]) -> Result<Witness, WitnessError> {
    if bytes.len() > MOST_BYTES {
        return Err(WitnessError::TooLarge { bytes: bytes.len(), most: MOST_BYTES });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| WitnessError::Binary { at: error.valid_up_to() })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(at) = text.find('\0') {
        return Err(WitnessError::Binary { at });
    }
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let Some(first) = first.map(str::trim_start) else { return Err(WitnessError::Empty) };
    match first.chars().next() {
        Some('<') => graphml::read(text),
        Some('-' | '[' | '%') => yaml::read(text),
        _ if first.starts_with("entry_type") => yaml::read(text),
        _ => {
            let line = text.lines().take_while(|line| line.trim_start() != first).count() as u32 + 1;
            let at = Mark { line, column: 1 };
            Err(WitnessError::Foreign { at, line: Text(text).line(at) })
        }
    }
}

/// The witness as a file; `None` for a witness that branches as YAML.
pub fn write(witness: &Witness, format: Format) -> Option<String> {
    match format {
        Format::GraphMl => Some(graphml_write::write(witness)),
        Format::Yaml => yaml_write::write(witness),
    }
}

#[cfg(test)]
mod tests;
