//! What can go wrong with places and patches.

use crate::Position;

/// Why a question about source text, or a change of it, has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A patch or a question concerns a file whose text is missing.
    #[error("{path} cannot be read")]
    NoText { path: String },
    /// An edit's span is not in the file.
    #[error("{path}:{position}: the file has no such place; was it changed after compilation?")]
    OutOfRange { path: String, position: Position },
    /// Two edits of a patch change the same text.
    #[error("two edits overlap at {position}")]
    Overlap { position: Position },
    /// An expression was to be replaced, but the span does not hold exactly one.
    #[error("{path}:{position}: no single expression stands here")]
    NotAnExpression { path: String, position: Position },
    /// The replacement changes the meaning of what surrounds it, even in parentheses.
    #[error("{path}:{position}: `{replacement}` does not fit here")]
    DoesNotFit { path: String, position: Position, replacement: String },
}
