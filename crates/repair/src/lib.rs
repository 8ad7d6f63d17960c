//! Candidates for a repair, checked on whole programs.
//!
//! A patch of the source goes in; whether the patched program still fails comes out, by compiling and model checking
//! it. Where candidates come from is for engines to know, how they are shown for reports.

pub mod validation;
