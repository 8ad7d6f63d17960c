//! The way that a failing execution takes, to tell it from others that fail at the same place.
//!
//! A model and what a pass found → a [`Path`]: which way each branch before the failure goes that the inputs
//! decide. [`Path::left`] is a formula that is true of the inputs that leave it somewhere.

use logic::evaluate::Evaluator;
use logic::terms::{TermId, Terms};
use program::exec::{CommandRef, Effect, Trace, Violation};

use crate::symbolic::Findings;

#[derive(Clone, Debug, Default)]
pub struct Path {
    /// For each branch, when it is reached and goes the first way, and whether that is so.
    branches: Vec<(TermId, bool)>,
    /// The branches of the executor's run.
    guards: Vec<(CommandRef, u32)>,
}

impl Path {
    pub fn of(findings: &Findings, evaluator: &mut Evaluator<'_>, violation: &Violation, trace: &Trace) -> Path {
        let here = findings.obligations.iter().filter(|it| (it.kind, it.site) == (violation.kind, violation.site));
        let failing: Vec<usize> =
            here.filter(|it| evaluator.holds(it.formula) == Ok(true)).map(|it| it.branches).collect();
        let count = failing.into_iter().max().unwrap_or(findings.branches.len());
        let branches = findings.branches[..count].iter();
        // Where the model says nothing, either way leads to the failure.
        let branches = branches.filter_map(|&branch| Some((branch, evaluator.holds(branch).ok()?))).collect();
        let guards = trace.steps().filter_map(|step| match step.effect {
            Effect::Guard(way) => Some((step.at, way)),
            _ => None,
        });
        Path { branches, guards: guards.collect() }
    }

    /// Whether the executor takes the same way.
    pub fn repeats(&self, other: &Path) -> bool {
        self.guards == other.guards
    }

    /// That some branch goes another way.
    pub fn left(&self, terms: &mut Terms) -> TermId {
        let literals: Vec<TermId> =
            self.branches.iter().map(|&(branch, taken)| if taken { terms.not(branch) } else { branch }).collect();
        terms.or(&literals)
    }
}
