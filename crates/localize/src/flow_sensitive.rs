//! Flow-sensitive localization: the assignments and the branches that the failure needs.
//!
//! Christ, Ermis, Schäf, Wies: *Flow-sensitive fault localization* (VMCAI 2013). The flow-sensitive formula of the
//! run (`flow`), with the run's inputs and the demand that it does not fail, is unsatisfiable; the statements of a
//! minimal unsatisfiable core explain the failure, the branches among them why the failing code was reached.
//!
//! Deviations: the core stands for the interpolants of the paper, so no invariants between the statements are
//! computed. It is minimal as far as the number of checks allows, but there may be others: unlike relevance, the
//! answer depends on the order in which statements are left out, which is the order of the trace. It misses what
//! would have been executed on other branches.

use logic::control_flow::ErrorTrace;
use logic::exists_forall::Budget;
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::{Cores, Interruptible, Limited, Outcome, Solver, cores};
use logic::terms::{TermId, Terms};

use crate::error::Error;
use crate::flow::{self, Run};

/// Checks that making the core smaller may cost.
const CORE_CHECKS: usize = 300;

/// The numbers of the statements that the failure needs, ascending; the second part says why there may be too many.
pub fn needed(
    terms: &mut Terms,
    trace: &ErrorTrace,
    run: &Run<'_>,
    budget: &Budget,
) -> Result<(Vec<usize>, Option<String>), Error> {
    let formula = flow::formula(terms, trace, run, flow::failing(trace));
    let mut solver = Bitwuzla::new();
    solver.set_limits(budget.limits);
    solver.attach(budget.interrupter.clone());
    solver.assert(terms, formula.demand)?;
    let says: Vec<TermId> = formula.elements.iter().map(|it| it.says).collect();
    match solver.check(terms, &says)? {
        Outcome::Sat => return Err(Error::Undecided("the formula of the run does not say that it fails".to_owned())),
        Outcome::Unknown(why) => return Err(Error::Undecided(crate::relevance::in_words(&why))),
        Outcome::Unsat => {}
    }
    let core = solver.failed_assumptions();
    let core = cores::minimize(&mut solver, terms, core, CORE_CHECKS)?;
    let needed = formula.elements.iter().filter(|it| core.contains(&it.says)).map(|it| it.statement);
    let needed = needed.collect();
    Ok((needed, budget.interrupter.why().map(|why| crate::relevance::in_words(&why))))
}
