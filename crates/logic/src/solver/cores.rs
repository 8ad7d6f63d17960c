//! Smaller unsatisfiable cores, by leaving out one assumption after the other.
//!
//! Deletion with clause-set refinement: when the rest is still unsatisfiable, the core of that answer is
//! taken, so that several assumptions go at once. Ends with a core in which every assumption is needed, if
//! the budget lasts.

use crate::error::Error;
use crate::terms::{TermId, Terms};

use super::{Cores, Outcome};

/// Shrinks a core with at most so many checks. The result is a core in any case.
pub fn minimize<S: Cores + ?Sized>(
    solver: &mut S,
    terms: &Terms,
    core: Vec<TermId>,
    checks: usize,
) -> Result<Vec<TermId>, Error> {
    let mut core = core;
    let mut needed = 0;
    for _ in 0..checks {
        if needed >= core.len() {
            break;
        }
        let rest: Vec<TermId> = core.iter().enumerate().filter(|&(at, _)| at != needed).map(|(_, &it)| it).collect();
        match solver.check(terms, &rest)? {
            // What was found to be needed stands first, and stays: a smaller core still needs it.
            Outcome::Unsat => {
                let smaller = solver.failed_assumptions();
                core.retain(|it| smaller.contains(it));
            }
            Outcome::Sat | Outcome::Unknown(_) => needed += 1,
        }
    }
    Ok(core)
}
