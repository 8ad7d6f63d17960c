//! The questions about one statement: evaluations first, then the solver, then the solver with quantifiers.

mod choices;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use logic::control_flow::ErrorTrace;
use logic::evaluate::{Evaluator, Model};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::z3::Z3;
use logic::solver::{FullSolver, Limits, Outcome, Why};
use logic::sort::Sort;
use logic::terms::{Op, TermId, Terms};
use logic::value::{BitVector, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alternative::{Alternative, Dependent};
use super::trial::{MayRead, Shown, Trial};
use super::{Finding, Options, Reason, WhyNot};
use crate::error::Error;
use crate::unfolded::Unfolded;

/// Assumptions with a later choice that are asked about before the walk is over.
const EARLY_CHOICES: usize = 2;

/// Values that are tried since the symbol is compared with them.
const MOST_COMPARED: usize = 12;

/// Whether Bitwuzla knows all sorts of the terms.
fn is_finite(terms: &Terms, roots: &[TermId]) -> bool {
    terms.reachable(roots).into_iter().all(|it| is_finite_sort(terms, terms.sort(it)))
}

fn is_finite_sort(terms: &Terms, sort: Sort) -> bool {
    match sort {
        Sort::Bool | Sort::BitVector(_) | Sort::Float(_) => true,
        Sort::Array(_) => {
            let (index, element) = terms.array_parts(sort);
            is_finite_sort(terms, index) && is_finite_sort(terms, element)
        }
        _ => false,
    }
}

fn solver_for(terms: &Terms, roots: &[TermId], options: &Options) -> Box<dyn FullSolver> {
    let mut solver: Box<dyn FullSolver> = match is_finite(terms, roots) {
        true => Box::new(Bitwuzla::new()),
        false => Box::new(Z3::new()),
    };
    solver.attach(options.interrupter.clone());
    solver
}

/// In words.
pub fn in_words(why: &Why) -> String {
    match why {
        Why::Timeout => "the time for one question is up".to_owned(),
        Why::Memory => "the memory is used up".to_owned(),
        Why::Interrupted => "it was interrupted".to_owned(),
        Why::Incomplete(words) => words.clone(),
    }
}

/// The given values if they meet all demands, else others that do.
pub fn model(terms: &Terms, demands: &[TermId], given: Model, options: &Options) -> Result<Model, Error> {
    let mut evaluator = Evaluator::new(terms, &given);
    if demands.iter().all(|&it| evaluator.holds(it) == Ok(true)) {
        return Ok(given);
    }
    drop(evaluator);
    let mut solver = solver_for(terms, demands, options);
    solver.set_limits(Limits::of_time(options.time.saturating_mul(6)));
    for &demand in demands {
        solver.assert(terms, demand)?;
    }
    match solver.check(terms, &[])? {
        Outcome::Sat => Ok(solver.model(terms, &terms.free_variables(demands))?),
        Outcome::Unsat => Err(Error::Infeasible),
        Outcome::Unknown(reason) => Err(Error::Undecided(in_words(&reason))),
    }
}

/// A difference that so many tests notice before it is decided is tried with values first.
const MANY_TESTS: usize = 64;
/// A solver assigns the variables of all questions that it was ever asked. With so many terms, beside so many times
/// those that it began with, a new one is faster.
const WORN: u64 = 3000;
const WORN_QUESTIONS: u64 = 6;

/// Asks about statements of one trace, with one solver at a time.
pub struct Asker<'t> {
    trace: &'t ErrorTrace,
    unfolded: &'t Unfolded,
    known: &'t Model,
    options: &'t Options,
    /// Has all assumptions of the original trace asserted; made when first needed.
    solver: Option<Box<dyn FullSolver>>,
    /// The terms that it knew when it was made.
    first_terms: u64,
    /// For each term, the last item whose choice it depends on, plus one; 0 if on none.
    latest: FxHashMap<TermId, u32>,
    /// The known execution, and what trials of it have shown; made when first needed.
    execution: Option<(Unfolded, FxHashMap<usize, Shown>)>,
    /// The original assumptions and checks that mention a choice.
    mentions: Option<FxHashMap<TermId, Vec<usize>>>,
}

/// One question about the statement that is looked at.
struct Question<'q> {
    statement: usize,
    item: usize,
    value: TermId,
    dependents: &'q [Dependent],
    /// The walk has come so far: items behind it may depend on the value, too.
    walked: usize,
    deadline: Instant,
}

enum Verdict {
    Blocked(Model),
    NotBlocked,
    Unknown(String),
}

impl<'t> Asker<'t> {
    pub fn new(trace: &'t ErrorTrace, unfolded: &'t Unfolded, known: &'t Model, options: &'t Options) -> Asker<'t> {
        Asker {
            trace,
            unfolded,
            known,
            options,
            solver: None,
            first_terms: 0,
            latest: FxHashMap::default(),
            execution: None,
            mentions: None,
        }
    }

    /// Judges one assigning statement.
    pub fn judge(&mut self, terms: &mut Terms, statement: usize) -> Result<Finding, Error> {
        let Some(sort) = self.trace.statements[statement].written_sort(terms) else {
            return Ok(Finding::Irrelevant(WhyNot::NeverTested));
        };
        let value = self.symbol(terms, sort);
        let item = self.unfolded.of_statement[statement];
        let deadline = Instant::now() + self.options.time;
        let mut alternative = Alternative::new(terms, self.trace, self.unfolded, statement, value);
        let mut dependents: Vec<Dependent> = Vec::new();
        let (mut asked, mut ask_at) = (0, 1);
        let mut tried_choices = false;
        loop {
            let dependent = alternative.advance(terms);
            let is_end = dependent.is_none();
            dependents.extend(dependent);
            let assumed = dependents.iter().filter(|it| !it.is_check).count();
            if !is_end && assumed < ask_at {
                if dependents.len() == MANY_TESTS
                    && let Some(found) = self.try_values(terms, statement)
                {
                    return Ok(found);
                }
                continue;
            }
            ask_at = assumed.max(1) * 2;
            let walked = dependents.last().filter(|_| !is_end).map_or(usize::MAX, |it| it.item);
            let question = Question { statement, item, value, dependents: &dependents, walked, deadline };
            match self.ask_plain(terms, &question, asked)? {
                Verdict::Blocked(model) => return Ok(self.found(terms, &question, &model)),
                Verdict::Unknown(reason) => return Ok(Finding::Unknown(reason)),
                Verdict::NotBlocked => {}
            }
            asked = dependents.len();
            if is_end || !tried_choices && assumed <= EARLY_CHOICES {
                tried_choices = !is_end;
                let (verdict, repairing) = self.ask_choices(terms, &question, is_end)?;
                match verdict {
                    Verdict::Blocked(model) => return Ok(self.found(terms, &question, &model)),
                    Verdict::Unknown(reason) if is_end => return Ok(Finding::Unknown(reason)),
                    _ if is_end => return Ok(irrelevant(assumed, repairing)),
                    _ => {}
                }
            }
        }
    }

    /// Tries values in the known execution, step by step.
    fn try_values(&mut self, terms: &mut Terms, statement: usize) -> Option<Finding> {
        if !self.trace.axioms.is_empty() {
            return None;
        }
        let (value, blocking) =
            self.with_trial(terms, statement, |trial, terms, may_read| trial.run(terms, may_read))?;
        let blocks = self.unfolded.items[blocking].statement;
        Some(Finding::Relevant(Reason { value, blocks, in_known_execution: true, state: Vec::new() }))
    }

    /// What the solver found for one round of a long loop is shown to the trials of the others.
    fn found(&mut self, terms: &mut Terms, question: &Question<'_>, model: &Model) -> Finding {
        let finding = self.relevant(terms, question, model);
        if let Finding::Relevant(reason) = &finding
            && reason.in_known_execution
            && self.execution.is_some()
        {
            let value = &reason.value;
            self.with_trial(terms, question.statement, |trial, terms, may_read| trial.show(terms, value, may_read));
        }
        finding
    }

    fn with_trial<T>(
        &mut self,
        terms: &mut Terms,
        statement: usize,
        what: impl FnOnce(&mut Trial<'_>, &mut Terms, MayRead<'_>) -> T,
    ) -> T {
        let (trace, unfolded, item) = (self.trace, self.unfolded, self.unfolded.of_statement[statement]);
        let (execution, mut shown) = self
            .execution
            .take()
            .unwrap_or_else(|| (unfolded.execution(terms, trace, self.known), FxHashMap::default()));
        let mut may_read = |terms: &Terms, number: usize, variable: TermId| {
            self.latest(terms, unfolded.before(variable, number)) as usize <= item + 1
        };
        let mut trial = Trial { trace, execution: &execution, statement, shown: &mut shown };
        let result = what(&mut trial, terms, &mut may_read);
        self.execution = Some((execution, shown));
        result
    }

    /// The symbol for the replaced value, the same for all statements that write this sort.
    fn symbol(&self, terms: &mut Terms, sort: Sort) -> TermId {
        let name = format!("another {}", logic::smtlib::sort(terms, sort));
        terms.variable(&name, sort)
    }

    /// The last item whose choice the term depends on, plus one.
    fn latest(&mut self, terms: &Terms, root: TermId) -> u32 {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.latest.contains_key(&term) {
                open.pop();
                continue;
            }
            let arguments = terms.arguments(term);
            let waiting = open.len();
            open.extend(arguments.iter().filter(|it| !self.latest.contains_key(it)));
            if open.len() > waiting {
                continue;
            }
            let own = self.unfolded.choices.get(&term).map_or(0, |&it| it + 1);
            let latest = arguments.iter().map(|it| self.latest[it]).max().unwrap_or(0).max(own);
            self.latest.insert(term, latest);
            open.pop();
        }
        self.latest[&root]
    }

    fn is_later(&mut self, terms: &Terms, question: &Question<'_>, term: TermId) -> bool {
        self.latest(terms, term) as usize > question.item + 1
    }

    /// Some assumption fails, and nothing that was checked before it does.
    fn blocked(&mut self, terms: &mut Terms, question: &Question<'_>, wanted: &dyn Fn(usize) -> bool) -> TermId {
        let mut checks: Vec<TermId> = Vec::new();
        let mut ways = Vec::new();
        for (index, dependent) in question.dependents.iter().enumerate() {
            if dependent.is_check {
                checks.push(dependent.condition);
                continue;
            }
            if !wanted(index) {
                continue;
            }
            let fails = terms.not(dependent.condition);
            let passed = terms.and(&checks);
            ways.push(terms.and2(fails, passed));
        }
        terms.or(&ways)
    }

    /// Asks about assumptions that no later choice has a part in, from number `from` on.
    fn ask_plain(&mut self, terms: &mut Terms, question: &Question<'_>, from: usize) -> Result<Verdict, Error> {
        let mut plain: FxHashSet<usize> = FxHashSet::default();
        let mut later_checks: FxHashSet<TermId> = FxHashSet::default();
        for (index, dependent) in question.dependents.iter().enumerate() {
            let later = self.is_later(terms, question, dependent.condition);
            if dependent.is_check && later {
                later_checks.insert(dependent.condition);
            } else if !dependent.is_check && index >= from && !later {
                plain.insert(index);
            }
        }
        if plain.is_empty() {
            return Ok(Verdict::NotBlocked);
        }
        // Checks that depend on later choices belong to other groups.
        let kept: Vec<Dependent> =
            question.dependents.iter().copied().filter(|it| !later_checks.contains(&it.condition)).collect();
        let kept_wanted: FxHashSet<usize> = kept
            .iter()
            .enumerate()
            .filter(|(_, it)| plain.iter().any(|&index| question.dependents[index].item == it.item))
            .map(|it| it.0)
            .collect();
        let narrowed = Question { dependents: &kept, ..*question };
        let formula = self.blocked(terms, &narrowed, &|index| kept_wanted.contains(&index));
        if formula == terms.false_term() {
            return Ok(Verdict::NotBlocked);
        }
        if let Some(model) = self.guess(terms, question, formula) {
            return Ok(Verdict::Blocked(model));
        }
        self.satisfy(terms, question, formula)
    }

    /// Tries a few values in the known execution, which also are the ones that people understand.
    fn guess(&self, terms: &mut Terms, question: &Question<'_>, formula: TermId) -> Option<Model> {
        if !self.trace.axioms.is_empty() {
            return None;
        }
        let original = self.original_value(terms, question);
        let compared = self.compared(terms, question.value, formula);
        for value in candidates(terms, terms.sort(question.value), original.as_ref()).into_iter().chain(compared) {
            let mut model = self.known.clone();
            model.assign(question.value, value);
            if Evaluator::new(terms, &model).holds(formula) == Ok(true) {
                return Some(model);
            }
        }
        None
    }

    /// The values that a symbol is compared with in the known execution, and those beside them.
    fn compared(&self, terms: &Terms, symbol: TermId, formula: TermId) -> Vec<Value> {
        let Sort::BitVector(width) = terms.sort(symbol) else { return Vec::new() };
        let (one, mut evaluator) = (BitVector::new(width, 1), Evaluator::new(terms, self.known));
        let mut values: Vec<Value> = Vec::new();
        for term in terms.reachable(&[formula]) {
            let other = match (terms.op(term), terms.arguments(term)) {
                (Op::Equal | Op::BvUlt | Op::BvSlt, &[left, right]) if left == symbol => right,
                (Op::Equal | Op::BvUlt | Op::BvSlt, &[left, right]) if right == symbol => left,
                _ => continue,
            };
            let Ok(Value::BitVector(limit)) = evaluator.value(other) else { continue };
            for value in [limit.clone(), limit.add(&one), limit.sub(&one)].map(Value::BitVector) {
                if values.len() < MOST_COMPARED && !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        values
    }

    /// What the known execution wrote.
    fn original_value(&self, terms: &Terms, question: &Question<'_>) -> Option<Value> {
        let statement = &self.trace.statements[question.statement];
        let value = &self.unfolded.items[question.item].value;
        match statement.part {
            None => Evaluator::new(terms, self.known).value(*value).ok(),
            Some(_) => None,
        }
    }

    fn time_left(&self, question: &Question<'_>) -> Limits {
        Limits::of_time(question.deadline.saturating_duration_since(Instant::now()))
    }

    /// Asks the solver whether some execution of the trace meets the formula.
    fn satisfy(&mut self, terms: &mut Terms, question: &Question<'_>, formula: TermId) -> Result<Verdict, Error> {
        let known = self.solver.as_ref().map_or(0, |it| it.statistics().translated_terms);
        if known > WORN + WORN_QUESTIONS * self.first_terms {
            self.solver = None;
        }
        if self.solver.is_none() {
            let demands: Vec<TermId> = self
                .unfolded
                .assumptions()
                .map(|it| it.1)
                .filter(|&it| it != terms.true_term())
                .chain(self.trace.axioms.iter().copied())
                .collect();
            let mut roots = demands.clone();
            roots.push(formula);
            let mut solver = solver_for(terms, &roots, self.options);
            for &demand in &demands {
                solver.assert(terms, demand)?;
            }
            self.first_terms = solver.statistics().translated_terms;
            self.solver = Some(solver);
        }
        let limits = self.time_left(question);
        let solver = self.solver.as_mut().unwrap_or_else(|| unreachable!("the solver was just made"));
        solver.set_limits(limits);
        Ok(match solver.check(terms, &[formula])? {
            Outcome::Unsat => Verdict::NotBlocked,
            Outcome::Unknown(reason) => Verdict::Unknown(in_words(&reason)),
            Outcome::Sat => {
                let mut symbols = terms.free_variables(&[formula]);
                symbols.extend(self.unfolded.choices.keys().filter(|it| self.known.get(**it).is_some()));
                symbols.sort_unstable();
                symbols.dedup();
                Verdict::Blocked(solver.model(terms, &symbols)?)
            }
        })
    }

    /// Says what the model shows.
    fn relevant(&self, terms: &Terms, question: &Question<'_>, model: &Model) -> Finding {
        let mut complete = self.known.clone();
        for (symbol, value) in model.assignments() {
            complete.assign(symbol, value.clone());
        }
        let mut evaluator = Evaluator::new(terms, &complete);
        let fails = |it: &&Dependent| !it.is_check && evaluator.holds(it.condition) == Ok(false);
        let failing = question.dependents.iter().find(fails);
        let failing = failing.or_else(|| question.dependents.iter().find(|it| !it.is_check));
        let blocks = failing.map_or(question.statement, |it| self.unfolded.items[it.item].statement);
        let value = complete.get(question.value).cloned();
        let value = value.unwrap_or_else(|| Value::default_of(terms.sort(question.value), terms));
        let mut others: BTreeMap<usize, Value> = BTreeMap::new();
        for (symbol, found) in complete.assignments() {
            let Some(&item) = self.unfolded.choices.get(&symbol) else { continue };
            if (item as usize) < question.item && self.known.get(symbol) != Some(found) {
                others.insert(self.unfolded.items[item as usize].statement, found.clone());
            }
        }
        let in_known_execution = others.is_empty();
        Finding::Relevant(Reason { value, blocks, in_known_execution, state: others.into_iter().collect() })
    }
}

fn irrelevant(assumed: usize, repairing: BTreeSet<usize>) -> Finding {
    Finding::Irrelevant(match (assumed, repairing.is_empty()) {
        (0, _) => WhyNot::NeverTested,
        (_, false) => WhyNot::Repaired(repairing.into_iter().collect()),
        (count, true) => WhyNot::AlwaysHolds(count),
    })
}

/// Values that people would try.
fn candidates(terms: &Terms, sort: Sort, original: Option<&Value>) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVector(width) => {
            let number = |value: u128| BitVector::new(width, value);
            let mut values = vec![number(0), number(1)];
            if let Some(original) = original.and_then(Value::as_bit_vector) {
                values.extend([original.add(&number(1)), original.sub(&number(1))]);
            }
            values.extend([BitVector::ones(width), number(2), number(10), number(100)]);
            values.into_iter().map(Value::BitVector).collect()
        }
        sort => vec![Value::default_of(sort, terms)],
    }
}
