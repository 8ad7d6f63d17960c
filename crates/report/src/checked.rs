//! What a check of all inputs has found, as data: every format shows this and nothing else.

use diagnosis::ErrorTrace;

use crate::finding::{Place, Report, Unsupported};

/// What is known after a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    pub answer: Answer,
    /// For each property, where several were asked for.
    pub properties: Vec<PropertyAnswer>,
    pub failures: Vec<CheckedFailure>,
    /// Only those that matter for the answer.
    pub unsupported: Vec<Unsupported>,
    /// What holds in all executions, whatever the search found.
    pub proved: Proofs,
    pub notes: Vec<String>,
    /// The last bound that was explored.
    pub bound: u32,
    pub steps: u64,
    pub terms: u64,
    pub solver_checks: u64,
    /// Commands on which no check depends.
    pub left_out: u64,
}

/// The answer for a program or for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No input makes the program fail.
    Proved,
    Violated,
    /// No input makes it fail while no loop goes back more often than this.
    Bounded(u32),
    /// And why.
    Unknown(String),
}

impl Answer {
    pub fn name(&self) -> &'static str {
        match self {
            Answer::Proved => "proved",
            Answer::Violated => "violated",
            Answer::Bounded(_) => "bounded",
            Answer::Unknown(_) => "unknown",
        }
    }
}

/// What abstract interpretation has proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proofs {
    /// In the order of the source.
    pub checks: Vec<ProvedCheck>,
    /// How many checks can be reached in all; 0 if there was no analysis.
    pub of: usize,
    /// Nothing was left to search.
    pub everything: bool,
}

/// A check that holds in all executions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedCheck {
    pub kind: &'static str,
    pub property: &'static str,
    pub place: Option<Place>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyAnswer {
    /// SV-COMP's name, where it has one.
    pub property: String,
    pub answer: Answer,
}

/// A way in which the program fails.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFailure {
    /// Of the run that shows it.
    pub report: Report,
    /// `None` if the run is too long to be told.
    pub trace: Option<ErrorTrace>,
    /// The command that shows it again.
    pub repeat: String,
}
