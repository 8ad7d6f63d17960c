//! Files, places in them, the C syntax around a place, and patches as text edits.
//!
//! Nothing here knows any program representation: other crates ask "what expression has its
//! operator at 12:9?" and "what does the file look like with this range replaced?".
//!
//! Everything starts at [`Sources`], the table of files: questions about text and syntax are its
//! methods. [`Patch`] changes text, [`replace_expression`] keeps precedence, and
//! [`patchable`] says where a change is safe from macros.

pub mod annotations;
mod diff;
mod edit;
mod error;
mod files;
mod fit;
mod macros;
mod position;
mod syntax;
mod text;
mod tokens;

pub use edit::{Edit, Patch};
pub use error::SourceError;
pub use files::Sources;
pub use fit::{replace_expression, replace_operator};
pub use macros::{ExactPart, Patchability, Refusal, patchable};
pub use position::{FileId, Place, Position, Span};
pub use syntax::Token;
pub use syntax::expression::{Expression, ExpressionKind, Hint, Operand};
pub use syntax::operator::{Operator, OperatorKind};
pub use syntax::scope::Function;
pub use syntax::tree::SyntaxNode;
