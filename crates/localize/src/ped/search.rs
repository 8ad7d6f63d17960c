//! Solves a repair program: which sets of changes avoid the failure (Figure 5), the preferred ones first.
//!
//! Single changes are asked for one by one, in the order of their weights. Sets of changes are given by weighted
//! MaxSAT in order of their cost (§4.2), for each exit from the last to the first, because a repair that skips less
//! of the run ranks higher (§5); what was found at one exit is not looked for at an earlier one. A found set and its
//! supersets are blocked, not its values: else the enumeration would never end. Where the number of changes is
//! bounded, it is also kept to the least: sets are looked for only if no single change helps.

use std::time::{Duration, Instant};

use logic::maxsat::{Answer, MaxSat, Soft};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::{Interrupter, Interruptible, Limited, Limits, Outcome, Solver, Why};
use logic::terms::{TermId, Terms};
use logic::value::Value;

use super::repair_program::{RepairProgram, Selected};
use crate::error::Error;
use source::annotations::MOST;

/// What a change costs at least; more than any difference in weights, so that fewer changes come first.
const CHANGE: u64 = 1000;

/// How far to search.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Changes in one repair; nothing for any number.
    pub changes: Option<usize>,
    /// Sets of selectors in all.
    pub solutions: usize,
    pub time: Duration,
    pub interrupter: Interrupter,
    /// A use and its definition are not both changed.
    pub use_def: bool,
}

/// A set of changes that avoids the failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The numbers of the choices, ascending.
    pub choices: Vec<usize>,
    /// The number of the exit.
    pub exit: usize,
    /// What the changed statements would write or decide, where that is free and they are executed.
    pub values: Vec<(usize, Value)>,
}

/// What was found, and whether that is all.
#[derive(Clone, Default, Debug)]
pub struct Found {
    pub solutions: Vec<Solution>,
    /// Why there may be more.
    pub incomplete: Option<String>,
}

/// Enumerates the repairs.
pub fn solve(terms: &mut Terms, program: &RepairProgram, limit: &Limit) -> Result<Found, Error> {
    let mut search = Search {
        solver: prepare(terms, program, limit)?,
        program,
        limit,
        deadline: Instant::now() + limit.time,
        found: Found::default(),
    };
    let ended = search.single(terms)?;
    let enough = limit.changes.is_some_and(|changes| changes <= 1 || !search.found.solutions.is_empty());
    if !ended && !enough {
        search.sets(terms)?;
    }
    Ok(search.found)
}

struct Search<'a> {
    solver: Bitwuzla,
    program: &'a RepairProgram,
    limit: &'a Limit,
    deadline: Instant,
    found: Found,
}

impl Search<'_> {
    /// All single changes, each with the last exit that it can take. True if the search must end.
    fn single(&mut self, terms: &mut Terms) -> Result<bool, Error> {
        let exits = &self.program.exits;
        let mut from = vec![terms.false_term(); exits.len() + 1];
        for number in (0..exits.len()).rev() {
            from[number] = terms.or2(exits[number].taken, from[number + 1]);
        }
        let unchanged: Vec<TermId> = self.program.choices.iter().map(|it| terms.not(it.selector)).collect();
        let mut assumptions = unchanged.clone();
        assumptions.push(from[0]);
        if self.check(terms, &assumptions)? == Outcome::Sat {
            return Err(Error::NoFormula);
        }
        let mut order: Vec<usize> = (0..self.program.choices.len()).collect();
        order.sort_by_key(|&it| std::cmp::Reverse(self.program.choices[it].weight));
        for index in order {
            let mut best: Option<Solution> = None;
            loop {
                let least = best.as_ref().map_or(0, |it| it.exit + 1);
                let mut assumptions = unchanged.clone();
                assumptions[index] = self.program.choices[index].selector;
                assumptions.push(from[least]);
                match self.check(terms, &assumptions)? {
                    Outcome::Unsat => break,
                    Outcome::Unknown(_) => return Ok(self.give_up()),
                    Outcome::Sat => {}
                }
                let Some(exit) = self.last_exit(terms, least)? else { break };
                let values = self.values(terms, &[index], exit)?;
                best = Some(Solution { choices: vec![index], exit, values });
            }
            self.found.solutions.extend(best);
            if self.is_full() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sets of changes, exit by exit.
    fn sets(&mut self, terms: &mut Terms) -> Result<(), Error> {
        let soft: Vec<Soft> =
            self.program.choices.iter().map(|choice| wish(terms, choice.selector, choice.weight)).collect();
        let known: Vec<Vec<usize>> = self.found.solutions.iter().map(|it| it.choices.clone()).collect();
        self.block(terms, &soft, &known)?;
        let most = self.limit.changes.map_or(u64::MAX, |changes| changes as u64 * (CHANGE + u64::from(MOST) + 1));
        for number in (0..self.program.exits.len()).rev() {
            let left: Vec<TermId> = self.program.exits[..=number].iter().map(|exit| exit.taken).collect();
            let some_exit = terms.or(&left);
            match self.check(terms, &[some_exit])? {
                Outcome::Sat => {}
                Outcome::Unsat => return Ok(()),
                Outcome::Unknown(_) => {
                    self.give_up();
                    return Ok(());
                }
            }
            self.solver.push();
            self.solver.assert(terms, self.program.exits[number].taken)?;
            let mut search = MaxSat::new(soft.clone());
            let mut blocked = Vec::new();
            loop {
                self.restrict();
                match search.next(&mut self.solver, terms, most)? {
                    Answer::Optimum(optimum) => {
                        let values = self.values(terms, &optimum.violated, number)?;
                        search.exclude(&mut self.solver, terms, &optimum)?;
                        blocked.push(optimum.violated.clone());
                        self.found.solutions.push(Solution { choices: optimum.violated, exit: number, values });
                        if self.is_full() {
                            return Ok(());
                        }
                    }
                    Answer::Exhausted | Answer::TooExpensive(_) => break,
                    Answer::Unknown(..) => {
                        self.give_up();
                        return Ok(());
                    }
                }
            }
            self.solver.pop();
            self.block(terms, &soft, &blocked)?;
        }
        Ok(())
    }

    fn block(&mut self, terms: &mut Terms, soft: &[Soft], sets: &[Vec<usize>]) -> Result<(), Error> {
        for choices in sets {
            let wishes: Vec<TermId> = choices.iter().map(|&index| soft[index].wish).collect();
            let some_wish = terms.or(&wishes);
            self.solver.assert(terms, some_wish)?;
        }
        Ok(())
    }

    fn is_full(&mut self) -> bool {
        let full = self.found.solutions.len() >= self.limit.solutions;
        if full {
            self.found.incomplete = Some(format!("the search ended after {} sets of changes", self.limit.solutions));
        }
        full
    }

    fn give_up(&mut self) -> bool {
        let why = format!("the search for repairs ended after {} s", self.limit.time.as_secs_f64());
        self.found.incomplete = Some(why);
        true
    }

    fn restrict(&mut self) {
        let time = Some(self.deadline.saturating_duration_since(Instant::now()));
        self.solver.set_limits(Limits { time, ..Limits::default() });
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<Outcome, Error> {
        if Instant::now() >= self.deadline {
            return Ok(Outcome::Unknown(Why::Timeout));
        }
        self.restrict();
        Ok(self.solver.check(terms, assumptions)?)
    }

    /// The last exit that the model takes.
    fn last_exit(&mut self, terms: &Terms, least: usize) -> Result<Option<usize>, Error> {
        for number in (least..self.program.exits.len()).rev() {
            if self.solver.value(terms, self.program.exits[number].taken)?.as_bool() == Some(true) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    fn values(&mut self, terms: &Terms, chosen: &[usize], exit: usize) -> Result<Vec<(usize, Value)>, Error> {
        let choices = chosen.iter().map(|&it| self.program.choices[it]);
        let free: Vec<usize> = choices.filter(|it| it.selected == Selected::Free).map(|it| it.spot).collect();
        let mut values = Vec::new();
        for (&statement, &result) in self.program.results.range(..=self.program.exits[exit].statement) {
            if self.program.spot_of_result.get(&statement).is_some_and(|spot| free.contains(spot)) {
                values.push((statement, self.solver.value(terms, result)?));
            }
        }
        Ok(values)
    }
}

fn wish(terms: &mut Terms, selector: TermId, weight: u32) -> Soft {
    Soft { wish: terms.not(selector), weight: CHANGE + u64::from(MOST + 1 - weight.min(MOST)) }
}

/// Whether changes of these spots alone avoid the failure; nothing if that was not found out.
pub fn can_repair(
    terms: &mut Terms,
    program: &RepairProgram,
    spots: &[usize],
    limit: &Limit,
) -> Result<Option<bool>, Error> {
    let mut solver = prepare(terms, program, &Limit { changes: None, ..limit.clone() })?;
    let exits: Vec<TermId> = program.exits.iter().map(|exit| exit.taken).collect();
    let some_exit = terms.or(&exits);
    let mut assumptions = vec![some_exit];
    for choice in program.choices.iter().filter(|choice| !spots.contains(&choice.spot)) {
        assumptions.push(terms.not(choice.selector));
    }
    solver.set_limits(Limits { time: Some(limit.time), ..Limits::default() });
    Ok(match solver.check(terms, &assumptions)? {
        Outcome::Sat => Some(true),
        Outcome::Unsat => Some(false),
        Outcome::Unknown(_) => None,
    })
}

/// A solver with everything that holds for all exits.
fn prepare(terms: &mut Terms, program: &RepairProgram, limit: &Limit) -> Result<Bitwuzla, Error> {
    let mut solver = Bitwuzla::new();
    solver.attach(limit.interrupter.clone());
    for &demand in &program.demands {
        solver.assert(terms, demand)?;
    }
    let mut by_spot: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
    for (index, choice) in program.choices.iter().enumerate() {
        by_spot.entry(choice.spot).or_default().push(index);
    }
    // One spot is changed in one way.
    for choices in by_spot.values() {
        let selectors: Vec<TermId> = choices.iter().map(|&index| program.choices[index].selector).collect();
        at_most(terms, &mut solver, &selectors, 1)?;
    }
    if let Some(changes) = limit.changes {
        let all: Vec<TermId> = program.choices.iter().map(|choice| choice.selector).collect();
        at_most(terms, &mut solver, &all, changes)?;
    }
    if limit.use_def {
        for &(definition, used) in &program.use_def {
            let selected = |spot: usize, only_free: bool| {
                let choices = by_spot.get(&spot).map(Vec::as_slice).unwrap_or_default();
                let choices = choices.iter().map(|&index| program.choices[index]);
                choices.filter(move |it| !only_free || it.selected == Selected::Free).map(|it| it.selector)
            };
            // An alternative still uses what it did, a free result does not.
            let (defines, uses): (Vec<_>, Vec<_>) =
                (selected(definition, false).collect(), selected(used, true).collect());
            let (defines, uses) = (terms.or(&defines), terms.or(&uses));
            let both = terms.and2(defines, uses);
            let never = terms.not(both);
            solver.assert(terms, never)?;
        }
    }
    Ok(solver)
}

/// At most so many of these hold: a sum in binary.
fn at_most(terms: &mut Terms, solver: &mut Bitwuzla, selectors: &[TermId], most: usize) -> Result<(), Error> {
    if selectors.len() <= most {
        return Ok(());
    }
    const WIDTH: u32 = 16;
    let mut sum = terms.bv(WIDTH, 0);
    for &selector in selectors {
        let one = terms.bv_from_bool(WIDTH, selector);
        sum = terms.bv_add(sum, one);
    }
    let most = terms.bv(WIDTH, most as u64);
    let few = terms.bv_ule(sum, most);
    Ok(solver.assert(terms, few)?)
}
