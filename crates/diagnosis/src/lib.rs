//! What the engines find out and the reports show, as plain data.
//!
//! Nothing here knows how it was found, nor how it is shown: strings are in terms of the source, with C's
//! names, C's types and values as C writes them.

pub mod input;
pub mod suspect;
pub mod trace;

pub use input::ExplainedInput;
pub use suspect::{Checked, Diagnosis, EXPRESSION, Evidence, Fix, INNER_VALUES, Narrowing, SLICE, Score, Suspect};
pub use trace::{Change, ErrorTrace, Happening, TraceStep};
