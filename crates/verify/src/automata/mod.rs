//! Trace abstraction: proves that a graph's errors cannot be reached, or finds traces that reach them.
//!
//! Follows "Simple bugs", §4. The error traces that are left to look at are a finite automaton. A shortest
//! of them is taken. If it cannot be executed, the reason is generalized to a Floyd-Hoare automaton, which
//! accepts only infeasible traces and is subtracted (Figure 5). If it can, it is reported, and on demand the
//! search goes on after its canonical danger automaton has been subtracted (Figure 6), until nothing is left
//! or the budget ends.
//!
//! Before a reason is generalized, a directed walk looks whether some other remaining trace can be executed. Where
//! many traces are wanted, such walks find others beside the first one, too (`scout`).
//!
//! A proof is checked against the graph alone before it is returned, and an error trace is executed by
//! evaluation. Both directions are imprecise in the same way: the search may not end, and then the budget
//! ends it.

pub mod blocks;
pub mod danger;
mod explore;
pub mod floyd_hoare;
mod infeasible;
mod minimize;
pub mod proof;
pub mod prover;
pub mod remaining;
pub mod replay;
mod scout;
mod search;
#[cfg(test)]
mod tests;

use std::time::Duration;

use logic::control_flow::Graph;
use logic::solver::Interrupter;
use logic::terms::Terms;

pub use proof::Proof;
pub use replay::ErrorTrace;

/// How long to search, and who may stop it.
#[derive(Clone, Default, Debug)]
pub struct Budget {
    pub time: Option<Duration>,
    /// Of the whole process, in bytes.
    pub memory: Option<u64>,
    pub interrupter: Interrupter,
}

impl Budget {
    pub fn of_time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::default() }
    }
}

/// What is known about a graph.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No error can be reached; the proof was checked.
    Proved(Proof),
    ErrorTrace(ErrorTrace),
    /// Why it is not known.
    Unknown(String),
}

/// Error traces, found one after the other.
#[derive(Clone, Default, Debug)]
pub struct Traces {
    pub traces: Vec<ErrorTrace>,
    /// Every error trace is infeasible, or was found, or resembles one that was found.
    pub complete: bool,
    /// Why the search ended early.
    pub stopped: Option<String>,
}

/// What a search cost.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Traces that were looked at.
    pub rounds: u32,
    pub letters: usize,
    /// The most states that the remaining automaton had.
    pub states: usize,
    /// Hoare triples that were asked for, and checks that the solver made.
    pub triples: u64,
    pub checks: u64,
    /// Time for danger automata.
    pub danger: Duration,
    pub time: Duration,
}

/// Proves that no error can be reached, or finds a trace to one.
pub fn prove_or_find(terms: &mut Terms, graph: &Graph, budget: &Budget) -> (Outcome, Statistics) {
    search::one(terms, graph, budget)
}

/// Finds error traces that do not resemble each other, at most so many.
pub fn error_traces(terms: &mut Terms, graph: &Graph, budget: &Budget, most: usize) -> (Traces, Statistics) {
    search::many(terms, graph, budget, most)
}
