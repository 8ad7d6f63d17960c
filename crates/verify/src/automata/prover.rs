//! Questions to the solver: satisfiability within the budget, and which facts hold after a letter.
//!
//! One kind of solver serves the whole search, chosen by the sorts of the graph: Bitwuzla for bit-vectors, Z3 where
//! there are unbounded integers, reals or unknown sorts. Hoare triples are asked for together: all
//! postconditions of one precondition and one letter share an asserted prefix, and a state that refuted one
//! is tried on the others first. What was answered is kept for the whole search.
//!
//! A solver grows slower with everything that it was ever asked, since it assigns the variables of old questions,
//! too. So it is replaced by a new one now and then, and before and after questions about whole traces.

use std::time::{Duration, Instant};

use logic::commands::Command;
use logic::control_flow::Graph;
use logic::evaluate::{Evaluator, Model};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::z3::Z3;
use logic::solver::{FullSolver, Interrupter, Limits, Outcome, Why};
use logic::sort::Sort;
use logic::terms::{Op, TermId, Terms};
use rustc_hash::FxHashMap;

use super::Budget;
use super::blocks::{Block, LetterId};

/// Why the search cannot go on, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop(pub String);

impl From<logic::error::Error> for Stop {
    fn from(error: logic::error::Error) -> Stop {
        Stop(error.to_string())
    }
}

pub fn words(why: &Why) -> String {
    match why {
        Why::Timeout => "the time is up".to_owned(),
        Why::Memory => "the memory is used up".to_owned(),
        Why::Interrupted => "it was interrupted".to_owned(),
        Why::Incomplete(words) => words.clone(),
    }
}

/// What is known about one precondition and one letter.
#[derive(Default)]
struct Known {
    /// Whether the letter can be taken.
    possible: Option<bool>,
    /// States and inputs in which it is taken.
    witnesses: Vec<Model>,
    triples: FxHashMap<TermId, bool>,
}

pub struct Prover {
    pub solver: Box<dyn FullSolver>,
    needs_integers: bool,
    axioms: Vec<TermId>,
    /// The terms that the first question after the last renewal has brought.
    first_terms: Option<u64>,
    deadline: Option<Instant>,
    memory: Option<u64>,
    interrupter: Interrupter,
    known: FxHashMap<(TermId, LetterId), Known>,
    entailed: FxHashMap<(TermId, TermId), bool>,
    /// Triples that were asked for, and those that the solver had to answer.
    pub asked: u64,
    pub solved: u64,
}

/// The time for a question whose answer can be done without.
const SOON: Duration = Duration::from_secs(1);
/// Witnesses beyond these refute little more.
const WITNESSES: usize = 12;

/// A solver is worn when it knows so many terms, beside those of questions as large as its first one.
const WORN: u64 = 3000;
const WORN_QUESTIONS: u64 = 6;

impl Prover {
    pub fn new(terms: &Terms, graph: &Graph, budget: &Budget) -> Result<Prover, Stop> {
        let needs_integers = needs_integers(terms, graph);
        Ok(Prover {
            solver: solver(terms, needs_integers, &graph.axioms, &budget.interrupter)?,
            needs_integers,
            axioms: graph.axioms.clone(),
            first_terms: None,
            deadline: budget.time.map(|time| Instant::now() + time),
            memory: budget.memory,
            interrupter: budget.interrupter.clone(),
            known: FxHashMap::default(),
            entailed: FxHashMap::default(),
            asked: 0,
            solved: 0,
        })
    }

    /// Takes a new solver. Models and cores of the old one are gone.
    pub fn renew(&mut self, terms: &Terms) -> Result<(), Stop> {
        self.solver = solver(terms, self.needs_integers, &self.axioms, &self.interrupter)?;
        self.first_terms = None;
        Ok(())
    }

    fn renew_if_worn(&mut self, terms: &Terms) -> Result<(), Stop> {
        let known = self.solver.statistics().translated_terms;
        if self.solver.statistics().checks == 0 {
            return Ok(());
        }
        let first = *self.first_terms.get_or_insert(known);
        if known > WORN + WORN_QUESTIONS * first { self.renew(terms) } else { Ok(()) }
    }

    /// Ends the search when the budget does.
    pub fn keep_going(&self) -> Result<(), Stop> {
        if self.interrupter.is_interrupted() {
            return Err(Stop(words(&Why::Interrupted)));
        }
        if self.time_left() == Some(Duration::ZERO) {
            return Err(Stop(words(&Why::Timeout)));
        }
        Ok(())
    }

    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|it| it.saturating_duration_since(Instant::now()))
    }

    /// Whether the formulas can hold together.
    pub fn satisfiable(&mut self, terms: &Terms, formulas: &[TermId]) -> Result<bool, Stop> {
        if formulas.contains(&terms.false_term()) {
            return Ok(false);
        }
        self.keep_going()?;
        self.renew_if_worn(terms)?;
        self.solved += 1;
        self.solver.set_limits(Limits { time: self.time_left(), memory: self.memory });
        match self.solver.check(terms, formulas)? {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Unknown(why) => Err(Stop(words(&why))),
        }
    }

    /// The same, if it is found out soon.
    pub fn satisfiable_soon(&mut self, terms: &Terms, formulas: &[TermId]) -> Result<Option<bool>, Stop> {
        if formulas.contains(&terms.false_term()) {
            return Ok(Some(false));
        }
        self.keep_going()?;
        self.renew_if_worn(terms)?;
        self.solved += 1;
        let time = Some(self.time_left().map_or(SOON, |left| left.min(SOON)));
        self.solver.set_limits(Limits { time, memory: self.memory });
        match self.solver.check(terms, formulas)? {
            Outcome::Sat => Ok(Some(true)),
            Outcome::Unsat => Ok(Some(false)),
            Outcome::Unknown(Why::Timeout) => self.renew(terms).map(|()| None),
            Outcome::Unknown(why) => Err(Stop(words(&why))),
        }
    }

    /// Whether one formula follows from another.
    pub fn entails(&mut self, terms: &mut Terms, from: TermId, to: TermId) -> Result<bool, Stop> {
        if from == to || to == terms.true_term() || from == terms.false_term() {
            return Ok(true);
        }
        if let Some(&known) = self.entailed.get(&(from, to)) {
            return Ok(known);
        }
        let wrong = terms.not(to);
        let entailed = !self.satisfiable(terms, &[from, wrong])?;
        self.entailed.insert((from, to), entailed);
        Ok(entailed)
    }

    /// Whether one formula was soon found to follow from another; if not, a state that shows it, where one was found.
    pub fn entails_soon(&mut self, terms: &mut Terms, from: TermId, to: TermId) -> Result<(bool, Option<Model>), Stop> {
        if from == to || to == terms.true_term() || from == terms.false_term() {
            return Ok((true, None));
        }
        if let Some(&known) = self.entailed.get(&(from, to)) {
            return Ok((known, None));
        }
        let wrong = terms.not(to);
        let refuted = self.satisfiable_soon(terms, &[from, wrong])?;
        let state = if refuted == Some(true) { Some(self.witness(terms, &[from, wrong])?) } else { None };
        self.entailed.insert((from, to), refuted == Some(false));
        Ok((refuted == Some(false), state))
    }

    /// Whether the letter can be taken from a state in `before`.
    pub fn possible(
        &mut self,
        terms: &mut Terms,
        before: TermId,
        letter: LetterId,
        block: &Block,
    ) -> Result<bool, Stop> {
        if let Some(known) = self.known.get(&(before, letter)).and_then(|it| it.possible) {
            return Ok(known);
        }
        let both = terms.and2(before, block.guard);
        let possible = self.satisfiable(terms, &[both])?;
        let witness = if possible { Some(self.witness(terms, &[both])?) } else { None };
        let known = self.known.entry((before, letter)).or_default();
        known.possible = Some(possible);
        known.witnesses.extend(witness);
        Ok(possible)
    }

    /// Whether `{before} letter {after}` is valid, for a letter that can be taken.
    pub fn triple(
        &mut self,
        terms: &mut Terms,
        before: TermId,
        letter: LetterId,
        block: &Block,
        after: TermId,
    ) -> Result<bool, Stop> {
        self.asked += 1;
        let goal = block.before(terms, after);
        if goal == terms.true_term() || goal == before {
            return Ok(true);
        }
        if goal == terms.false_term() {
            return Ok(false);
        }
        let known = self.known.entry((before, letter)).or_default();
        if let Some(&valid) = known.triples.get(&after) {
            return Ok(valid);
        }
        if known.witnesses.iter().any(|it| Evaluator::new(terms, it).holds(goal) == Ok(false)) {
            known.triples.insert(after, false);
            return Ok(false);
        }
        let wrong = terms.not(goal);
        let question = [before, block.guard, wrong];
        let refuted = self.satisfiable(terms, &question)?;
        let witness = if refuted { Some(self.witness(terms, &question)?) } else { None };
        let known = self.known.entry((before, letter)).or_default();
        known.triples.insert(after, !refuted);
        if known.witnesses.len() < WITNESSES {
            known.witnesses.extend(witness);
        }
        Ok(!refuted)
    }

    /// The values of the formulas' variables in the model that was just found.
    pub fn witness(&mut self, terms: &Terms, formulas: &[TermId]) -> Result<Model, Stop> {
        let variables = terms.free_variables(formulas);
        Ok(self.solver.model(terms, &variables)?)
    }
}

fn solver(
    terms: &Terms,
    needs_integers: bool,
    axioms: &[TermId],
    interrupter: &Interrupter,
) -> Result<Box<dyn FullSolver>, Stop> {
    let mut solver: Box<dyn FullSolver> = if needs_integers { Box::new(Z3::new()) } else { Box::new(Bitwuzla::new()) };
    solver.attach(interrupter.clone());
    for &axiom in axioms {
        solver.assert(terms, axiom)?;
    }
    Ok(solver)
}

/// Whether the graph has sorts that only Z3 has.
fn needs_integers(terms: &Terms, graph: &Graph) -> bool {
    let mut roots: Vec<TermId> = graph.axioms.clone();
    for edge in graph.edges() {
        let command: Command = edge.statement.command;
        roots.extend(command.changed());
        roots.extend(command.read());
    }
    terms.reachable(&roots).into_iter().any(|it| {
        is_unbounded(terms, terms.sort(it)) || matches!(terms.op(it), Op::Apply(_)) || terms.op(it).is_quantifier()
    })
}

fn is_unbounded(terms: &Terms, sort: Sort) -> bool {
    match sort {
        Sort::Int | Sort::Real | Sort::Uninterpreted(_) => true,
        Sort::Array(_) => {
            let (index, element) = terms.array_parts(sort);
            is_unbounded(terms, index) || is_unbounded(terms, element)
        }
        _ => false,
    }
}
