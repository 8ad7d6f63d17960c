//! Weighted MaxSAT: which wishes to give up, of least total weight, so that the rest can be had.
//!
//! Input: a solver with the hard demands asserted, and [`Soft`] wishes with weights. Output: one solution
//! after the other, the cheapest first. A solution is the set of wishes that it violates; once found, it and
//! all its supersets are excluded, so that the solutions are minimal correction sets in order of cost.
//!
//! The algorithm is OLL (Andres et al., "Unsatisfiability-based optimization in clasp", ICLP 2012; weights
//! and stratification as in RC2, Ignatiev et al., JSAT 2019) over the solver's assumptions and cores. Of each
//! core at most one wish may be violated for its weight, and a new wish says so; counting is done by terms
//! ([`totalizer`]). Stratification looks at heavy wishes first. Deviations: cores are trimmed and shrunk with
//! few checks only; heavy wishes are not turned into hard demands, because later, costlier solutions may
//! violate them; lower bounds are kept from one solution to the next.

mod totalizer;

use std::collections::BTreeMap;

use crate::error::Error;
use crate::solver::{Cores, Outcome, Why, cores};
use crate::terms::{TermId, Terms};

use totalizer::Totalizer;

/// A core is asked to be smaller only so many times.
const TRIMS: usize = 2;

/// Cores up to this size are minimized, with as many checks.
const MINIMIZED: usize = 16;

/// A Boolean term that should hold, and what it costs if it does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Soft {
    pub wish: TermId,
    /// Positive.
    pub weight: u64,
}

/// A set of wishes to give up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The weights of the violated wishes together.
    pub cost: u64,
    /// Indices of the violated wishes, ascending.
    pub violated: Vec<usize>,
}

/// What the search for the next solution ends with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The cheapest solution that does not contain an earlier one. The solver has its model.
    Optimum(Solution),
    /// All solutions were found, or the hard demands contradict each other.
    Exhausted,
    /// Every further solution costs more than allowed; the number is a lower bound.
    TooExpensive(u64),
    /// The solver did not decide; the cheapest solution met so far may not be the cheapest there is.
    Unknown(Why, Option<Solution>),
}

/// The search for solutions in order of their cost.
pub struct MaxSat {
    soft: Vec<Soft>,
    /// What is assumed, and what giving it up costs beyond what is already in the lower bound.
    weights: BTreeMap<TermId, u64>,
    /// For assumptions of the form "fewer than `bound` of these are violated": which, and the bound.
    counters: BTreeMap<TermId, (usize, usize)>,
    totalizers: Vec<Totalizer>,
    /// Weight that every further solution costs at least.
    lower_bound: u64,
    /// Only wishes of at least this weight are assumed for now.
    stratum: u64,
    exhausted: bool,
}

impl MaxSat {
    pub fn new(soft: Vec<Soft>) -> MaxSat {
        let mut weights: BTreeMap<TermId, u64> = BTreeMap::new();
        for it in &soft {
            assert!(it.weight > 0, "a wish has a positive weight");
            *weights.entry(it.wish).or_insert(0) += it.weight;
        }
        let stratum = weights.values().copied().max().unwrap_or(0);
        MaxSat {
            soft,
            weights,
            counters: BTreeMap::new(),
            totalizers: Vec::new(),
            lower_bound: 0,
            stratum,
            exhausted: false,
        }
    }

    /// What every further solution costs at least.
    pub fn lower_bound(&self) -> u64 {
        self.lower_bound
    }

    /// The next solution, if it costs at most so much.
    ///
    /// Asserts into the solver, at its current level, that solutions found here do not come again.
    pub fn next<S: Cores + ?Sized>(&mut self, solver: &mut S, terms: &mut Terms, most: u64) -> Result<Answer, Error> {
        let mut best: Option<Solution> = None;
        loop {
            if self.exhausted {
                return Ok(Answer::Exhausted);
            }
            if self.lower_bound > most {
                return Ok(Answer::TooExpensive(self.lower_bound));
            }
            let assumptions: Vec<TermId> =
                self.weights.iter().filter(|it| *it.1 >= self.stratum).map(|it| *it.0).collect();
            match solver.check(terms, &assumptions)? {
                Outcome::Unknown(why) => return Ok(Answer::Unknown(why, best)),
                Outcome::Sat => {
                    let solution = self.read(solver, terms)?;
                    if solution.cost == self.lower_bound || self.next_stratum().is_none() {
                        return Ok(self.finish(solution));
                    }
                    if best.as_ref().is_none_or(|it| solution.cost < it.cost) {
                        best = Some(solution);
                    }
                    self.stratum = self.next_stratum().expect("there is one");
                }
                Outcome::Unsat => {
                    let core = solver.failed_assumptions();
                    let core = shrink(solver, terms, core)?;
                    self.relax(terms, &core);
                }
            }
        }
    }

    /// Excludes a solution and its supersets from now on. Call it before the next [`MaxSat::next`], when the
    /// model is no longer needed.
    pub fn exclude<S: Cores + ?Sized>(
        &mut self,
        solver: &mut S,
        terms: &mut Terms,
        solution: &Solution,
    ) -> Result<(), Error> {
        let wishes: Vec<TermId> = solution.violated.iter().map(|&index| self.soft[index].wish).collect();
        let some_wish = terms.or(&wishes);
        if some_wish == terms.false_term() {
            self.exhausted = true;
        }
        solver.assert(terms, some_wish)
    }

    fn finish(&mut self, solution: Solution) -> Answer {
        debug_assert!(solution.cost >= self.lower_bound, "a lower bound is one");
        Answer::Optimum(solution)
    }

    /// The next lower weight of a wish that is not assumed yet.
    fn next_stratum(&self) -> Option<u64> {
        self.weights.values().copied().filter(|&it| it < self.stratum).max()
    }

    /// The wishes that the solver's model violates.
    fn read<S: Cores + ?Sized>(&self, solver: &mut S, terms: &Terms) -> Result<Solution, Error> {
        let mut solution = Solution { cost: 0, violated: Vec::new() };
        for (index, soft) in self.soft.iter().enumerate() {
            if solver.value(terms, soft.wish)?.as_bool() == Some(false) {
                solution.cost += soft.weight;
                solution.violated.push(index);
            }
        }
        Ok(solution)
    }

    /// Pays for a core: its least weight goes into the lower bound, and only one violation is paid for.
    fn relax(&mut self, terms: &mut Terms, core: &[TermId]) {
        let Some(least) = core.iter().map(|it| self.weights[it]).min() else {
            self.exhausted = true;
            return;
        };
        self.lower_bound += least;
        for assumption in core {
            let rest = self.weights.get_mut(assumption).expect("assumptions have weights");
            *rest -= least;
            if *rest == 0 {
                self.weights.remove(assumption);
            }
            // The next higher bound costs again: more violations are more expensive.
            if let Some(&(totalizer, bound)) = self.counters.get(assumption) {
                self.count(terms, totalizer, bound + 1, least);
            }
        }
        if core.len() > 1 {
            let violations: Vec<TermId> = core.iter().map(|&it| terms.not(it)).collect();
            self.totalizers.push(Totalizer::new(violations));
            self.count(terms, self.totalizers.len() - 1, 2, least);
        }
    }

    /// Wishes that fewer than `bound` of the totalizer's inputs hold.
    fn count(&mut self, terms: &mut Terms, totalizer: usize, bound: usize, weight: u64) {
        if bound > self.totalizers[totalizer].len() {
            return;
        }
        let at_least = self.totalizers[totalizer].at_least(terms, bound);
        let fewer = terms.not(at_least);
        *self.weights.entry(fewer).or_insert(0) += weight;
        self.counters.insert(fewer, (totalizer, bound));
    }
}

/// A smaller core, with few checks.
fn shrink<S: Cores + ?Sized>(solver: &mut S, terms: &Terms, core: Vec<TermId>) -> Result<Vec<TermId>, Error> {
    let mut core = core;
    for _ in 0..TRIMS {
        if core.len() <= 1 || solver.check(terms, &core)? != Outcome::Unsat {
            return Ok(core);
        }
        let smaller = solver.failed_assumptions();
        if smaller.len() == core.len() {
            break;
        }
        core = smaller;
    }
    if core.len() > MINIMIZED {
        return Ok(core);
    }
    let checks = core.len();
    cores::minimize(solver, terms, core, checks)
}

/// All minimal sets of at most `size` wishes without which the others can be had, the smallest first.
///
/// The second part says why there may be more: the solver did not decide.
pub fn correction_sets<S: Cores + ?Sized>(
    solver: &mut S,
    terms: &mut Terms,
    wishes: &[TermId],
    size: usize,
) -> Result<(Vec<Vec<usize>>, Option<Why>), Error> {
    let soft = wishes.iter().map(|&wish| Soft { wish, weight: 1 }).collect();
    let mut search = MaxSat::new(soft);
    let mut sets = Vec::new();
    solver.push();
    let why = loop {
        match search.next(solver, terms, size as u64)? {
            Answer::Optimum(solution) if solution.cost > size as u64 => break None,
            Answer::Optimum(solution) => {
                search.exclude(solver, terms, &solution)?;
                sets.push(solution.violated);
            }
            Answer::Exhausted | Answer::TooExpensive(_) => break None,
            Answer::Unknown(why, _) => break Some(why),
        }
    };
    solver.pop();
    Ok((sets, why))
}
