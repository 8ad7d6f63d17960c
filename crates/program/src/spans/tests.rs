//! Ranges of a sample program that clang compiled, with and without preprocessed text.

use source::{Place, Sources, Span};

use super::{NodeRef, OperatorToken, SpanIndex};
use crate::text::{Style, read, to_text};
use crate::{Body, ExprId, FunctionId, Program};
