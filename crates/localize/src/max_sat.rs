//! MaxSAT localization: the smallest sets of source statements that could be changed so that the run does not fail.
//!
//! After Jose and Majumdar, *Cause clue clauses* (BugAssist, PLDI 2011): the run's inputs and the demand that it does
//! not fail are hard, what each source statement says is soft; every minimal set of statements without which the
//! demand can be met is a diagnosis. All copies of a statement in loops and calls share one selector, so that one
//! change counts once. Sets come in the order of their weight, up to a limit.
//!
//! Deviations: the formula is the flow-sensitive one (`flow`), so conditions can be changed, too. It misses what
//! other branches would have done. A set says where a change could help, not that one value helps in all copies.

use logic::control_flow::ErrorTrace;
use logic::exists_forall::Budget;
use logic::maxsat::{Answer, MaxSat, Soft};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::{Interruptible, Limited, Solver};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};

use crate::error::Error;
use crate::flow::{self, Run};

/// A set of groups of statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorrectionSet {
    /// Ascending.
    pub groups: Vec<usize>,
    pub weight: u64,
}

/// How far to look.
#[derive(Clone, Debug)]
pub struct Search {
    /// Of a set.
    pub most_weight: u64,
    pub most_sets: usize,
    pub budget: Budget,
}

/// All correction sets within the limits, the lightest first; the second part says why there may be more.
///
/// `group_of` says which source statement a statement of the trace is a copy of, and `weights` what it costs to
/// change one.
pub fn correction_sets(
    terms: &mut Terms,
    trace: &ErrorTrace,
    run: &Run<'_>,
    group_of: &dyn Fn(usize) -> usize,
    weights: &[u64],
    search: Search,
) -> Result<(Vec<CorrectionSet>, Option<String>), Error> {
    let formula = flow::formula(terms, trace, run, flow::failing(trace));
    let mut solver = Bitwuzla::new();
    solver.set_limits(search.budget.limits);
    solver.attach(search.budget.interrupter.clone());
    solver.assert(terms, formula.demand)?;
    let selectors: Vec<TermId> = weights.iter().map(|_| terms.fresh("unchanged", Sort::Bool)).collect();
    for element in &formula.elements {
        let selected = terms.implies(selectors[group_of(element.statement)], element.says);
        solver.assert(terms, selected)?;
    }
    let soft = selectors.iter().zip(weights).map(|(&wish, &weight)| Soft { wish, weight: weight.max(1) }).collect();
    let mut maxsat = MaxSat::new(soft);
    let mut sets = Vec::new();
    let why = loop {
        if sets.len() >= search.most_sets {
            break Some(format!("only the first {} sets were looked for", search.most_sets));
        }
        match maxsat.next(&mut solver, terms, search.most_weight)? {
            Answer::Optimum(solution) if solution.cost > search.most_weight => break None,
            Answer::Optimum(solution) => {
                maxsat.exclude(&mut solver, terms, &solution)?;
                sets.push(CorrectionSet { groups: solution.violated, weight: solution.cost });
            }
            Answer::Exhausted | Answer::TooExpensive(_) => break None,
            Answer::Unknown(why, _) => break Some(crate::relevance::in_words(&why)),
        }
    };
    Ok((sets, why))
}
