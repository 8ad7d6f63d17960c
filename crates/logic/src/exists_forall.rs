//! Is there a choice of some variables such that a formula holds for all values of the others?
//!
//! Input: the universal variables and a quantifier-free formula; its other free variables are existential.
//! Output: values for those, or that there are none. Two methods, of about the same speed on our formulas:
//! Bitwuzla's own quantifiers, and CEGIS (Solar-Lezama 2008) on quantifier-free checks: guess a choice, look
//! for values that refute it, demand the formula for those values too, and guess again. The first runs for
//! half of the time; where it gives up or lacks an operator under quantifiers, the second takes the rest.
//!
//! CEGIS ends for bit-vectors, but may need a refutation for every value; the time limit ends it.

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::evaluate::Model;
use crate::solver::bitwuzla::Bitwuzla;
use crate::solver::{Interrupter, Interruptible, Limited, Limits, Outcome, Solver, Why};
use crate::terms::{Substitution, TermId, Terms};

/// What is known about `∃x ∀y. φ`.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Values of the existential variables for which the formula holds for all universal ones.
    Witness(Model),
    /// For all existential values some universal ones refute the formula.
    None,
    Unknown(Why),
}

/// How to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The solver's quantifiers.
    Native,
    /// Guesses and refutations.
    Cegis,
    /// One after the other.
    Both,
}

/// How long to try, and who may stop it.
#[derive(Clone, Default, Debug)]
pub struct Budget {
    pub limits: Limits,
    pub interrupter: Interrupter,
}

/// Decides `∃x ∀y. φ` with both methods.
pub fn solve(terms: &mut Terms, universal: &[TermId], formula: TermId, budget: &Budget) -> Result<Answer, Error> {
    solve_by(Method::Both, terms, universal, formula, budget)
}

/// Decides `∃x ∀y. φ` with the given method.
pub fn solve_by(
    method: Method,
    terms: &mut Terms,
    universal: &[TermId],
    formula: TermId,
    budget: &Budget,
) -> Result<Answer, Error> {
    let free = terms.free_variables(&[formula]);
    let (universal, existential): (Vec<TermId>, Vec<TermId>) = free.into_iter().partition(|it| universal.contains(it));
    let deadline = budget.limits.time.map(|time| Instant::now() + time);
    let question = Question { universal, existential, formula, budget, deadline };
    match method {
        Method::Native => question.native(terms, budget.limits.time),
        Method::Cegis => question.cegis(terms),
        Method::Both => match question.native(terms, budget.limits.time.map(|it| it / 2)) {
            Ok(Answer::Unknown(Why::Interrupted)) => Ok(Answer::Unknown(Why::Interrupted)),
            Ok(Answer::Unknown(_)) | Err(Error::Unsupported { .. }) => question.cegis(terms),
            decided => decided,
        },
    }
}

struct Question<'a> {
    universal: Vec<TermId>,
    existential: Vec<TermId>,
    formula: TermId,
    budget: &'a Budget,
    deadline: Option<Instant>,
}

impl Question<'_> {
    fn solver(&self, time: Option<Duration>) -> Bitwuzla {
        let mut solver = Bitwuzla::new();
        solver.attach(self.budget.interrupter.clone());
        solver.set_limits(Limits { time, memory: self.budget.limits.memory });
        solver
    }

    fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|it| it.saturating_duration_since(Instant::now()))
    }

    fn native(&self, terms: &mut Terms, time: Option<Duration>) -> Result<Answer, Error> {
        let quantified = terms.forall(&self.universal, self.formula);
        let mut solver = self.solver(time);
        solver.assert(terms, quantified)?;
        Ok(match solver.check(terms, &[])? {
            Outcome::Sat => Answer::Witness(solver.model(terms, &self.existential)?),
            Outcome::Unsat => Answer::None,
            Outcome::Unknown(why) => Answer::Unknown(why),
        })
    }

    fn cegis(&self, terms: &mut Terms) -> Result<Answer, Error> {
        let mut guesses = self.solver(None);
        let mut refutations = self.solver(None);
        // A first demand, so that the first guess is not blind.
        self.demand(terms, &mut guesses, &Model::new())?;
        loop {
            let limits = Limits { time: self.time_left(), memory: self.budget.limits.memory };
            guesses.set_limits(limits);
            match guesses.check(terms, &[])? {
                Outcome::Unsat => return Ok(Answer::None),
                Outcome::Unknown(why) => return Ok(Answer::Unknown(why)),
                Outcome::Sat => {}
            }
            let guess = guesses.model(terms, &self.existential)?;
            let instance = self.instance(terms, &self.existential, &guess);
            let refuted = terms.not(instance);
            refutations.set_limits(Limits { time: self.time_left(), ..limits });
            match refutations.check(terms, &[refuted])? {
                Outcome::Unsat => return Ok(Answer::Witness(guess)),
                Outcome::Unknown(why) => return Ok(Answer::Unknown(why)),
                Outcome::Sat => {}
            }
            let values = refutations.model(terms, &self.universal)?;
            self.demand(terms, &mut guesses, &values)?;
        }
    }

    /// Demands the formula for these values of the universal variables.
    fn demand(&self, terms: &mut Terms, guesses: &mut Bitwuzla, values: &Model) -> Result<(), Error> {
        let instance = self.instance(terms, &self.universal, values);
        guesses.assert(terms, instance)
    }

    /// The formula with values for some of its variables; what the model does not assign becomes default.
    fn instance(&self, terms: &mut Terms, variables: &[TermId], model: &Model) -> TermId {
        let mut values = Substitution::default();
        for &variable in variables {
            let sort = terms.sort(variable);
            let value = model.get(variable).cloned();
            let value = value.unwrap_or_else(|| crate::value::Value::default_of(sort, terms));
            values.insert(variable, terms.constant(&value, sort));
        }
        terms.substitute(self.formula, &values)
    }
}
