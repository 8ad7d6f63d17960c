//! Repairs: what to write instead, checked on whole programs.
//!
//! [`search`] implements He and Gupta, *Automated Debugging using Path-Based Weakest Preconditions* (FASE 2004), and
//! goes past it: a function with a contract, or with tests, and the changes of one or two of its statements that
//! meet them, each with what was checked. On the way: [`subject`] is the function, [`driver`] calls and checks it,
//! [`cases`] are its inputs, [`pwp`] the paper's evidence, [`candidates`] what could stand there, [`instrument`] and [`trial`] try thousands of
//! them in one program, [`verification`] decides about those that pass, or, where tests are all there is, [`ranking`].
//!
//! [`validation`] checks a patch of a whole program, [`conduct`] says how much of what it did is left. How results are shown is for reports to know.

pub mod c;
pub mod candidates;
pub mod cases;
mod command;
pub mod conduct;
pub mod driver;
pub mod error;
mod instrument;
pub mod pwp;
mod ranking;
pub mod search;
pub mod subject;
mod trial;
pub mod validation;
pub mod verification;

pub use error::Error;
