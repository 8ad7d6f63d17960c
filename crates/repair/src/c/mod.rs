//! The C of a function as it is written: expressions with their ranges, the places where something could be changed,
//! and the variables in scope.
//!
//! The syntax tree of a file → [`Function`]. Only the text counts: macros are not expanded, and types are words with
//! stars. What is built on a guess about types is compiled before anyone believes it.

mod expressions;
mod functions;
mod structures;

pub use expressions::{Expr, ExprKind, precedence};
pub use functions::{Declared, Function, Outline, Place, PlaceKind, Variable, parameters_of};
pub use structures::Structure;
