//! The concrete executor: what commands and expressions mean.
//!
//! A [`Program`](crate::Program) and [`Inputs`] → a [`Run`].

pub mod host;
pub mod inputs;
pub mod libc;
pub mod memory;
pub mod outcome;
pub mod va_list;
pub mod violation;

pub use host::{Arguments, ArgumentValue, Captured, Discard, Host, Model, Output, OutputStream, Returned, Stop, World};
pub use inputs::{Consumed, Exhausted, Inputs, NondetValue};
pub use outcome::{LimitKind, Limits, Note, Outcome, Run, UnsupportedReason};
pub use va_list::VaList;
pub use violation::{Checks, CommandRef, Detail, Fault, StackEntry, Value, Violation, ViolationKind};
