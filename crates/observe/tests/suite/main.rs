//! The tests of `observe` from outside, as one binary: C programs are built, run and read about.

mod agreement;
mod behaviour;
mod building;
mod generator;
mod headers;
mod inner;
mod quick;
mod ranges;
mod recording;
mod slicing;
