//! Programs as guarded commands over terms.
//!
//! `operators` and `expressions` turn expression trees into terms, for whoever knows what variables and memory
//! hold. [`trace::encode`] turns one recorded failing run into an error trace: `walk` follows it twice, over
//! constants in `concrete` and over variables in `trace`.

mod builtins;
mod concrete;
mod conditions;
pub mod expressions;
mod library;
pub mod operators;
pub mod origins;
pub mod recording;
pub mod scopes;
mod strings;
pub mod trace;
mod walk;

pub use trace::{EncodedTrace, Outline, encode};
pub use walk::EncodeError;
