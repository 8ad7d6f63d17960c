//! The concrete executor.

pub mod memory;
