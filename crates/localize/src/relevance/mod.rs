//! Relevance: the assigning statements of a trace that another value could have saved.
//!
//! *Static fault localization for simple bugs* (2017), Definition 3.1. Statement `i` that assigns the place `x`
//! is relevant iff there is an execution `s0..sn` of the trace and a value `v` such that every execution of
//! `x := v` and the rest of the trace from `s(i-1)` blocks; by Theorem 3.2, iff `{B(i-1)} havoc x {C(i)}` is
//! invalid. The answer depends on this definition alone, not on a solver's choice.
//!
//! How it is found, one statement at a time: a symbol stands for `v`, and only what depends on it is computed
//! again (`alternative`). An assumption that does not depend on it holds as in the original. A later `havoc`
//! is chosen anew, for all choices; so assumptions fall into groups that share choices, and one group that
//! cannot be met is enough. Groups without a choice need no quantifier. The state `s(i-1)` is one of an
//! execution of the whole trace, so all its assumptions are demanded. The nearest assumptions are asked first.
//!
//! Deviations: what was checked on the way (`Check`) is no assumption. A value that breaks a check before it
//! leaves the trace makes the program fail elsewhere, so it saves nothing. A check that does not depend on the
//! value only limits later choices; where checks of two groups stand in each other's way, only those of the
//! group itself count. A question that the solver does not decide in time is `Unknown`.

mod alternative;
mod question;
mod trial;

use std::time::Duration;

use logic::commands::Command;
use logic::control_flow::ErrorTrace;
use logic::evaluate::Model;
use logic::solver::Interrupter;
use logic::terms::{TermId, Terms};
use logic::value::Value;

pub use question::in_words;

use crate::error::Error;
use crate::unfolded::Unfolded;
use question::Asker;

/// Statements are dealt out into parts, each with a solver of its own. How many depends on the trace alone, so
/// that the answers do not depend on how many cores there are.
const MOST_PARTS: usize = 8;
const STATEMENTS_PER_PART: usize = 100;

/// What may be asked, and for how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// For one statement.
    pub time: Duration,
    /// Threads; at least one.
    pub jobs: usize,
    pub interrupter: Interrupter,
    /// The choices of an execution that is known, by the number of the `havoc` statement. Its values are shown
    /// rather than others.
    pub known: Vec<(usize, Value)>,
}

impl Default for Options {
    fn default() -> Options {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        Options { time: Duration::from_secs(4), jobs, interrupter: Interrupter::new(), known: Vec::new() }
    }
}

/// What is known about a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    Relevant(Reason),
    Irrelevant(WhyNot),
    /// Not decided, and why.
    Unknown(String),
}

/// Why a statement is relevant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The value that saves the run.
    pub value: Value,
    /// The number of the statement whose assumption would not hold.
    pub blocks: usize,
    /// What the known execution chose is what was found; else `state` has other choices.
    pub in_known_execution: bool,
    /// The choices before the statement, by the number of the `havoc` statement, where they are others than
    /// those of the known execution.
    pub state: Vec<(usize, Value)>,
}

/// Why no value saves the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyNot {
    /// What is written never reaches an assumption.
    NeverTested,
    /// So many assumptions depend on it, and none can be made false by another value, unless the program fails
    /// before.
    AlwaysHolds(usize),
    /// Later choices, by the numbers of their statements, can make up for every value.
    Repaired(Vec<usize>),
}

/// Judges the statements of these numbers, which must be assigning ones, in that order.
pub fn judge(
    terms: &mut Terms,
    trace: &ErrorTrace,
    candidates: &[usize],
    options: &Options,
) -> Result<Vec<(usize, Finding)>, Error> {
    let unfolded = Unfolded::new(terms, trace);
    let live = unfolded.live();
    let known = known_execution(terms, trace, &unfolded, options)?;
    let parts = (candidates.len() / STATEMENTS_PER_PART + 1).min(MOST_PARTS);
    let shared: &Terms = terms;
    let judge_part = |part: usize| -> Result<Vec<(usize, Finding)>, Error> {
        let mut found = Vec::new();
        let mut asker: Option<(Terms, Asker<'_>)> = None;
        for (index, &statement) in candidates.iter().enumerate().skip(part).step_by(parts) {
            if !live[unfolded.of_statement[statement]] {
                found.push((index, Finding::Irrelevant(WhyNot::NeverTested)));
                continue;
            }
            let (terms, asker) = match &mut asker {
                Some(asker) => asker,
                None => asker.insert((shared.clone(), Asker::new(trace, &unfolded, &known, options))),
            };
            if let Some(why) = options.interrupter.why() {
                found.push((index, Finding::Unknown(in_words(&why))));
                continue;
            }
            found.push((index, asker.judge(terms, statement)?));
        }
        Ok(found)
    };
    let mut found = Vec::with_capacity(candidates.len());
    for part in workers::each(parts, options.jobs, judge_part) {
        found.extend(part?);
    }
    found.sort_by_key(|it| it.0);
    Ok(found.into_iter().map(|(index, finding)| (candidates[index], finding)).collect())
}

/// The assigning statements of a trace.
pub fn assigning(trace: &ErrorTrace) -> Vec<usize> {
    let assigns = |it: &Command| it.changed().is_some();
    (0..trace.statements.len()).filter(|&it| assigns(&trace.statements[it].command)).collect()
}

/// The symbols of an execution: the caller's, or one that a solver finds.
fn known_execution(
    terms: &mut Terms,
    trace: &ErrorTrace,
    unfolded: &Unfolded,
    options: &Options,
) -> Result<Model, Error> {
    let mut given = Model::new();
    for (statement, value) in &options.known {
        given.assign(unfolded.items[unfolded.of_statement[*statement]].value, value.clone());
    }
    let assumed: Vec<TermId> = unfolded.assumptions().map(|it| it.1).chain(trace.axioms.iter().copied()).collect();
    question::model(terms, &assumed, given, options)
}
