//! Abstract interpretation of programs.

pub mod numeric;
