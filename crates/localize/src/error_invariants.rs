//! Error invariants: what is true between the statements of a failing run and is enough for it to fail.
//!
//! Ermis, Schäf, Wies: *Error invariants* (FM 2012). With the run's inputs fixed and the demand that it does not
//! fail, the trace cannot be executed. An assertion is an *error invariant* at a position if the run's state there
//! satisfies it and the rest of the trace fails from every state that does. Where one assertion is an error invariant
//! over a stretch of positions, the statements of that stretch do not matter; what remains between the stretches is
//! the slice.
//!
//! Deviations: an assertion says what some variables and cells of arrays hold in the run, in place of a Craig
//! interpolant: so it is short, and most questions about it fold to an answer before a solver sees them. Stretches are
//! grown from the failure towards the beginning, each as far as it goes. Before the statement that ends a stretch, what
//! it reads takes the place of what it writes; of that, only what is needed. The answer tells what the failure needs,
//! not what could be changed, and says nothing of branches, since with fixed inputs the run takes none but its own.

use logic::commands::Command;
use logic::control_flow::{ErrorTrace, Origin, Statement};
use logic::exists_forall::Budget;
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::{Interruptible, Limited, Outcome, Solver};
use logic::sort::Sort;
use logic::terms::{Substitution, TermId, Terms};
use logic::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;
use crate::unfolded::{Action, Unfolded};

/// Longer traces are cut to what the failing test depends on before they are looked at.
const WHOLE: usize = 250;

/// A statement of the slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    pub statement: usize,
    /// What is true behind it, as far as the failure needs it, over the variables of the trace.
    pub invariant: TermId,
}

/// The slice of a run, in the order of the trace; the second part says why its beginning may be missing.
pub fn slice(
    terms: &mut Terms,
    trace: &ErrorTrace,
    inputs: &[(usize, Value)],
    budget: &Budget,
) -> Result<(Vec<Needed>, Option<String>), Error> {
    let Some(fails) = trace.statements.iter().rposition(|it| matches!(it.command, Command::Assume { .. })) else {
        return Ok((Vec::new(), None));
    };
    let Command::Assume { condition } = trace.statements[fails].command else { return Ok((Vec::new(), None)) };
    let (numbers, commands) = cut(terms, trace, inputs, fails, condition);
    let statement =
        |(number, &command): (usize, &Command)| Statement { command, part: None, origin: Origin(number as u32) };
    let assume = Command::Assume { condition };
    let statements: Vec<Statement> = commands.iter().chain([&assume]).enumerate().map(statement).collect();
    let run = Unfolded::new(terms, &ErrorTrace::from(statements));
    let demand = terms.not(condition);
    let mut rest = Rest { terms, run: &run, demand, budget, forgotten: FxHashMap::default() };
    match rest.outcome(0, &[])? {
        Outcome::Unsat => {}
        Outcome::Sat => return Err(Error::Undecided("the formula of the run does not say that it fails".to_owned())),
        Outcome::Unknown(why) => return Err(Error::Undecided(crate::relevance::in_words(&why))),
    }
    let mut needed = Vec::new();
    let mut position = commands.len();
    let read = rest.read_for(position, &[]);
    let mut facts = rest.without_needless(position, Vec::new(), read)?;
    while !facts.is_empty() {
        let start = rest.earliest(&facts, position)?;
        if let Some(why) = budget.interrupter.why() {
            needed.reverse();
            return Ok((needed, Some(crate::relevance::in_words(&why))));
        }
        if start == 0 {
            break;
        }
        position = start - 1;
        needed.push(Needed { statement: numbers[position], invariant: rest.conjunction(&facts) });
        let (written, kept): (Vec<Fact>, Vec<Fact>) = facts.into_iter().partition(|it| rest.writes(position, it));
        let read = rest.read_for(position, &written);
        facts = rest.without_needless(position, kept, read)?;
    }
    needed.reverse();
    Ok((needed, None))
}

/// The statements that may matter, with the inputs as constants, and their numbers.
fn cut(
    terms: &mut Terms,
    trace: &ErrorTrace,
    inputs: &[(usize, Value)],
    fails: usize,
    condition: TermId,
) -> (Vec<usize>, Vec<Command>) {
    let mut wanted: FxHashSet<TermId> = terms.free_variables(&[condition]).into_iter().collect();
    let mut kept = Vec::new();
    for number in (0..fails).rev() {
        let mut command = trace.statements[number].command;
        if let Command::Havoc { variable } = command {
            let sort = terms.sort(variable);
            if let Some((_, value)) = inputs.iter().find(|it| it.0 == number) {
                command = Command::Assign { variable, value: terms.constant(value, sort) };
            }
        }
        let Some(variable) = command.changed() else { continue };
        let is_wanted = wanted.remove(&variable);
        if is_wanted {
            wanted.extend(command.read().into_iter().flat_map(|read| terms.free_variables(&[read])));
        }
        if !is_wanted && fails > WHOLE {
            continue;
        }
        kept.push((number, command));
    }
    kept.reverse();
    kept.into_iter().unzip()
}

/// What a variable holds in the run, or a cell of one that is an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fact {
    variable: TermId,
    index: Option<TermId>,
    value: TermId,
}

/// The rest of the trace from any position, and whether it fails.
struct Rest<'a> {
    terms: &'a mut Terms,
    /// The statements, and at last the test that fails.
    run: &'a Unfolded,
    /// What the run does not do: the negation of the failing test.
    demand: TermId,
    budget: &'a Budget,
    /// What stands for variables of which nothing is known.
    forgotten: FxHashMap<TermId, TermId>,
}

impl Rest<'_> {
    /// Whether the rest from this position can do without the failure if nothing but these facts is known there.
    fn outcome(&mut self, position: usize, facts: &[Fact]) -> Result<Outcome, Error> {
        let mut state = Substitution::default();
        for fact in facts {
            let value = match fact.index {
                None => fact.value,
                Some(index) => {
                    let array = self.in_state(&mut state, fact.variable);
                    self.terms.store(array, index, fact.value)
                }
            };
            state.insert(fact.variable, value);
        }
        for item in &self.run.items[position..] {
            for &variable in &item.reads {
                self.in_state(&mut state, variable);
            }
            match item.action {
                Action::Assign { variable, value } => state.insert(variable, self.terms.substitute(value, &state)),
                Action::Havoc { variable } => state.insert(variable, item.value),
                Action::Assume { .. } | Action::Check { .. } => None,
            };
        }
        let demand = self.terms.substitute(self.demand, &state);
        match self.terms.as_value(demand).and_then(|it| it.as_bool()) {
            Some(false) => return Ok(Outcome::Unsat),
            Some(true) => return Ok(Outcome::Sat),
            None => {}
        }
        // One that was asked other questions before is slower.
        let mut solver = Bitwuzla::new();
        solver.set_limits(self.budget.limits);
        solver.attach(self.budget.interrupter.clone());
        Ok(solver.check(self.terms, &[demand])?)
    }

    fn in_state(&mut self, state: &mut Substitution, variable: TermId) -> TermId {
        *state.entry(variable).or_insert_with(|| {
            *self.forgotten.entry(variable).or_insert_with(|| {
                let name = self.terms.name(variable).unwrap_or("forgotten").to_owned();
                self.terms.fresh(&name, self.terms.sort(variable))
            })
        })
    }

    fn fails(&mut self, position: usize, facts: &[Fact]) -> Result<bool, Error> {
        Ok(self.outcome(position, facts)? == Outcome::Unsat)
    }

    /// The first position up to which the facts can be kept going back from this one, by bisection as in the paper.
    fn earliest(&mut self, facts: &[Fact], position: usize) -> Result<usize, Error> {
        let (mut low, mut high) = (0, position);
        while low < high {
            let middle = (low + high) / 2;
            let is_invariant = facts.iter().all(|it| self.holds(middle, it)) && self.fails(middle, facts)?;
            (low, high) = if is_invariant { (low, middle) } else { (middle + 1, high) };
        }
        Ok(high)
    }

    /// Whether the run's state at a position is as a fact says.
    fn holds(&mut self, position: usize, fact: &Fact) -> bool {
        self.fact(position, fact.variable, fact.index) == *fact
    }

    fn fact(&mut self, position: usize, variable: TermId, index: Option<TermId>) -> Fact {
        let value = match index {
            Some(index) => self.run.cell_before(self.terms, variable, index, position),
            None => self.run.before(variable, position),
        };
        Fact { variable, index, value }
    }

    /// Whether the statement behind a position writes what a fact is about.
    fn writes(&self, position: usize, fact: &Fact) -> bool {
        let item = &self.run.items[position];
        let is_other_cell = item.written.is_some_and(|(index, _)| fact.index.is_some_and(|it| it != index));
        item.action.changed() == Some(fact.variable) && !is_other_cell
    }

    /// What the statement behind a position reads to write what these facts are about.
    fn read_for(&mut self, position: usize, written: &[Fact]) -> Vec<Fact> {
        let item = &self.run.items[position];
        let is_array = |terms: &Terms, it: TermId| matches!(terms.sort(it), Sort::Array(_));
        let scalars = item.reads.iter().filter(|it| !is_array(self.terms, **it)).map(|it| (*it, None));
        let cells = item.cells.iter().map(|it| (it.array, it.index));
        // Where one cell is written, the others come from before.
        let whole =
            written.iter().filter(|it| it.index.is_none() && item.written.is_some()).map(|it| (it.variable, None));
        let read: Vec<(TermId, Option<TermId>)> = scalars.chain(cells).chain(whole).collect();
        read.into_iter().map(|(variable, index)| self.fact(position, variable, index)).collect()
    }

    /// Facts, of which the second may be more than the rest from this position needs to fail.
    fn without_needless(&mut self, position: usize, kept: Vec<Fact>, more: Vec<Fact>) -> Result<Vec<Fact>, Error> {
        let mut facts = kept;
        let mut at = facts.len();
        for fact in more {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        while at < facts.len() {
            let fact = facts.remove(at);
            if !self.fails(position, &facts)? {
                facts.insert(at, fact);
                at += 1;
            }
        }
        Ok(facts)
    }

    fn conjunction(&mut self, facts: &[Fact]) -> TermId {
        let mut conjuncts = Vec::with_capacity(facts.len());
        for fact in facts {
            let place = fact.index.map_or(fact.variable, |index| self.terms.select(fact.variable, index));
            conjuncts.push(self.terms.eq(place, fact.value));
        }
        self.terms.and(&conjuncts)
    }
}
