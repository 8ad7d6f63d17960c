//! What can be wrong with a witness, with its place in the witness and what to do about it.

use super::model::Mark;

/// A witness that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WitnessError {
    /// There is nothing in the file.
    #[error("the witness is empty: give the file that a verifier wrote (GraphML 1.0 or YAML 2.0)")]
    Empty,
    /// The file is larger than any witness that could be followed.
    #[error("the witness has {bytes} bytes, more than the {most} that are read")]
    TooLarge { bytes: usize, most: usize },
    /// Bytes that are no text.
    #[error("the witness is no text: byte {at} is not UTF-8; give a GraphML 1.0 or YAML 2.0 file")]
    Binary { at: usize },
    /// Text, but of another kind.
    #[error("this is no witness: it is neither GraphML (XML) nor a YAML list of entries\n{}", snippet(*at, line))]
    Foreign { at: Mark, line: String },
    /// Not well-formed XML or YAML, or it ends too early.
    #[error("the witness is not well-formed: {message}{}\n{}", cut(*truncated), snippet(*at, line))]
    Syntax { at: Mark, message: String, line: String, truncated: bool },
    /// Well-formed, but not what the format says.
    #[error("{message}\n{}\n{remedy}", snippet(*at, line))]
    Malformed { at: Mark, message: String, remedy: String, line: String },
    /// It says that the program is correct.
    #[error(
        "this is a correctness witness: it claims that the program has no violation, so there is nothing to follow; \
         give a violation witness\n{}",
        snippet(*at, line)
    )]
    Correctness { at: Mark, line: String },
    /// It is about another program.
    #[error("the witness is for another program: {message}")]
    OtherProgram { message: String },
}

fn cut(truncated: bool) -> &'static str {
    if truncated { " (the file seems to be cut off)" } else { "" }
}

/// The line of the witness with a mark below it.
pub(super) fn snippet(at: Mark, line: &str) -> String {
    if at.line == 0 {
        return String::new();
    }
    let number = at.line.to_string();
    let margin = " ".repeat(number.len());
    // Long lines are shown around the mark.
    const SHOWN: usize = 100;
    let column = (at.column.max(1) as usize - 1).min(line.chars().count());
    let first = column.saturating_sub(SHOWN / 2);
    let shown: String = line.chars().skip(first).take(SHOWN).map(|it| if it == '\t' { ' ' } else { it }).collect();
    let blanks = " ".repeat(column - first);
    format!("{margin} |\n{number} | {}\n{margin} | {blanks}^ {}:{}", shown.trim_end(), at.line, at.column)
}

/// The text of a witness, to make errors of.
#[derive(Clone, Copy)]
pub(super) struct Text<'t>(pub &'t str);

impl Text<'_> {
    pub fn line(self, at: Mark) -> String {
        self.0.lines().nth((at.line.max(1) - 1) as usize).unwrap_or_default().to_owned()
    }

    pub fn malformed(self, at: Mark, message: impl Into<String>, remedy: impl Into<String>) -> WitnessError {
        WitnessError::Malformed { at, message: message.into(), remedy: remedy.into(), line: self.line(at) }
    }

    pub fn syntax(self, at: Mark, message: impl Into<String>) -> WitnessError {
        // The last line, or after it: nothing is missing but the rest.
        let truncated = at.line as usize >= self.0.lines().count();
        WitnessError::Syntax { at, message: message.into(), line: self.line(at), truncated }
    }

    pub fn correctness(self, at: Mark) -> WitnessError {
        WitnessError::Correctness { at, line: self.line(at) }
    }
}
