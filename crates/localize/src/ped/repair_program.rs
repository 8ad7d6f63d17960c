//! The repair program of a trace (§3.2): what the trace would do if untrusted statements did something else.
//!
//! An untrusted assignment `x := e` is `x := selected ? result : e` with a free result, an untrusted condition goes
//! the trace's way unless it is selected and its free outcome says otherwise; an alternative of the annotation
//! library has a selector of its own and its own value in the place of the result (§4.2). Inputs are those of the
//! trace. The trace is left early at a branch that goes the other way, or runs to its end without violating what
//! the original violates. Each of these [`Exit`]s is a way to be repaired, as in Figure 5: where the other path
//! leads is not followed, which is why a fix that is shown as a patch is checked on the whole program later.
//!
//! Branches outside of the slice are left out, like all statements outside of it that nothing reads: their sides
//! meet again before anything that matters.
//!
//! What holds: with no selector set, no exit can be taken. Checks that the original passed are demanded only if
//! the options say so; they are the paper's proved properties along the trace.

use std::collections::{BTreeMap, BTreeSet};

use logic::commands::Command;
use logic::control_flow::Part;
use logic::sort::Sort;
use logic::terms::{Substitution, TermId, Terms};
use logic::value::BitVector;
use rustc_hash::FxHashMap;
use verify::encode::EncodedTrace;
use verify::encode::origins::What;

use super::spots::Spot;
use super::variations::{Replacement, Variation, checks};

/// What a selector selects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Selected {
    /// Any value or outcome.
    Free,
    /// An alternative, by its number.
    Alternative(usize),
}

/// A selector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub selector: TermId,
    /// By its number.
    pub spot: usize,
    pub selected: Selected,
    pub weight: u32,
}

/// A way out of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The branch; for the end, the statement that fails.
    pub statement: usize,
    /// Statements of the slice that are executed before.
    pub steps: usize,
    pub taken: TermId,
    pub is_end: bool,
}

/// The formula of a repair program.
#[derive(Clone, Default, Debug)]
pub struct RepairProgram {
    pub choices: Vec<Choice>,
    /// In the order of the trace.
    pub exits: Vec<Exit>,
    pub demands: Vec<TermId>,
    /// Free results: the statement, and what it writes or whether it goes the trace's way.
    pub results: BTreeMap<usize, TermId>,
    /// The spots of statements with a free result.
    pub spot_of_result: BTreeMap<usize, usize>,
    /// Pairs of spots of which the second uses what the first defines.
    pub use_def: BTreeSet<(usize, usize)>,
}

/// What goes into a repair program beside the trace.
pub struct Ingredients<'a> {
    pub slice: &'a [usize],
    pub spots: &'a [Spot],
    pub choices: Vec<Choice>,
    /// For each alternative.
    pub variations: &'a [Variation],
    /// Constraints on what a statement may write, over its variable: safety projections.
    pub limits: &'a BTreeMap<usize, TermId>,
    pub demand_checks: bool,
}

/// Builds the formula.
pub fn build(encoded: &EncodedTrace, terms: &mut Terms, ingredients: Ingredients<'_>) -> RepairProgram {
    let inputs = encoded.inputs.iter().copied().collect();
    let original_checks = match ingredients.demand_checks {
        true => checks(terms, &encoded.trace, &Substitution::default()),
        false => BTreeMap::new(),
    };
    let mut by_spot: Vec<Vec<usize>> = vec![Vec::new(); ingredients.spots.len()];
    for (index, choice) in ingredients.choices.iter().enumerate() {
        by_spot[choice.spot].push(index);
    }
    let mut spot_of: BTreeMap<usize, usize> = BTreeMap::new();
    for (spot, it) in ingredients.spots.iter().enumerate() {
        spot_of.extend(it.statements.iter().map(|&statement| (statement, spot)));
    }
    let path = terms.true_term();
    let mut builder = Builder {
        encoded,
        ingredients,
        by_spot,
        spot_of,
        inputs,
        original_checks,
        values: FxHashMap::default(),
        definers: FxHashMap::default(),
        reads: FxHashMap::default(),
        path,
        program: RepairProgram::default(),
    };
    builder.run(terms);
    let mut program = builder.program;
    program.spot_of_result = builder.spot_of;
    program.choices = builder.ingredients.choices;
    program.demands.extend(encoded.trace.axioms.iter().copied());
    program
}

struct Builder<'a> {
    encoded: &'a EncodedTrace,
    ingredients: Ingredients<'a>,
    by_spot: Vec<Vec<usize>>,
    spot_of: BTreeMap<usize, usize>,
    inputs: BTreeMap<usize, u128>,
    original_checks: BTreeMap<usize, TermId>,
    /// What variables hold.
    values: FxHashMap<TermId, TermId>,
    /// The spot that defined a variable last.
    definers: FxHashMap<TermId, usize>,
    reads: FxHashMap<TermId, Vec<TermId>>,
    /// The trace has not been left yet.
    path: TermId,
    program: RepairProgram,
}

impl Builder<'_> {
    fn run(&mut self, terms: &mut Terms) {
        let mut sliced = self.ingredients.slice.iter().copied().peekable();
        let mut steps = 0;
        for number in 0..self.encoded.trace.statements.len() {
            let in_slice = sliced.next_if_eq(&number).is_some();
            self.check(terms, number);
            self.statement(terms, number, in_slice, steps);
            steps += usize::from(in_slice && is_step(self.encoded, number));
        }
    }

    fn now(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        let reads = self.reads.entry(term).or_insert_with(|| terms.free_variables(&[term]));
        let values = &self.values;
        let current: Substitution =
            reads.iter().filter_map(|variable| values.get(variable).map(|&value| (*variable, value))).collect();
        terms.substitute(term, &current)
    }

    /// What must hold before a statement, for an execution that gets there.
    fn check(&mut self, terms: &mut Terms, number: usize) {
        if !self.ingredients.demand_checks {
            return;
        }
        let mut holds = self.original_checks.get(&number).copied().map(|term| self.now(terms, term));
        for index in 0..self.ingredients.choices.len() {
            let choice = self.ingredients.choices[index];
            let Selected::Alternative(alternative) = choice.selected else { continue };
            let Some(&varied) = self.ingredients.variations[alternative].checks.get(&number) else { continue };
            let varied = self.now(terms, varied);
            let otherwise = holds.unwrap_or(terms.true_term());
            holds = Some(terms.ite(choice.selector, varied, otherwise));
        }
        if let Some(holds) = holds {
            let demand = terms.implies(self.path, holds);
            self.demand(terms, demand);
        }
    }

    fn demand(&mut self, terms: &Terms, demand: TermId) {
        if demand != terms.true_term() {
            self.program.demands.push(demand);
        }
    }

    fn statement(&mut self, terms: &mut Terms, number: usize, in_slice: bool, steps: usize) {
        let statement = self.encoded.trace.statements[number];
        let what = self.encoded.places.get(statement.origin).map_or(What::Bookkeeping, |place| place.what);
        match statement.command {
            Command::Havoc { variable } => {
                let bits = self.inputs.get(&number).copied().unwrap_or(0);
                let value = constant(terms, terms.sort(variable), bits);
                self.values.insert(variable, value);
                self.definers.remove(&variable);
            }
            Command::Assign { variable, value } => {
                if in_slice {
                    self.uses(terms, number, value);
                }
                let value = self.assigned(terms, number, value, statement.part);
                self.values.insert(variable, value);
                if let Some(&spot) = self.spot_of.get(&number) {
                    self.definers.insert(variable, spot);
                } else if statement.part.is_none() {
                    self.definers.remove(&variable);
                }
                self.limit(terms, number, variable);
            }
            Command::Assume { condition } => {
                if in_slice && matches!(what, What::Assumption) {
                    let holds = self.now(terms, condition);
                    let demand = terms.implies(self.path, holds);
                    self.demand(terms, demand);
                } else if in_slice {
                    self.uses(terms, number, condition);
                    self.branch(terms, number, condition, steps, matches!(what, What::Failure(_)));
                }
            }
        }
    }

    /// Notes which spots' definitions a statement of a spot reads.
    fn uses(&mut self, terms: &Terms, number: usize, term: TermId) {
        let Some(&spot) = self.spot_of.get(&number) else { return };
        let reads = self.reads.entry(term).or_insert_with(|| terms.free_variables(&[term]));
        let definers = reads.iter().filter_map(|variable| self.definers.get(variable).copied());
        self.program.use_def.extend(definers.filter(|&definer| definer != spot).map(|definer| (definer, spot)));
    }

    /// The choices for a statement: those of its spot, and alternatives that change it from elsewhere in its command.
    fn choices(&self, number: usize) -> Vec<(Choice, Option<Replacement>)> {
        let own = self.spot_of.get(&number);
        let mut found = Vec::new();
        for (index, choice) in self.ingredients.choices.iter().enumerate() {
            let replacement = match choice.selected {
                Selected::Free if own.is_some_and(|spot| self.by_spot[*spot].contains(&index)) => None,
                Selected::Free => continue,
                Selected::Alternative(alternative) => {
                    let varied = self.ingredients.variations[alternative].statements.get(&number);
                    let of_copy = self.ingredients.spots[choice.spot].copy.is_none_or(|copy| copy == number);
                    match varied.filter(|_| of_copy) {
                        Some(replacement) => Some(*replacement),
                        None => continue,
                    }
                }
            };
            found.push((*choice, replacement));
        }
        found
    }

    fn assigned(&mut self, terms: &mut Terms, number: usize, value: TermId, part: Option<Part>) -> TermId {
        let choices = self.choices(number);
        if choices.is_empty() {
            return self.now(terms, value);
        }
        let mut written = self.now(terms, part.map_or(value, |part| part.written));
        for (choice, replacement) in &choices {
            let other = match replacement {
                Some(Replacement::Written(term)) => self.now(terms, *term),
                Some(Replacement::Whole(_)) => continue,
                None => {
                    let result = terms.fresh("result", terms.sort(written));
                    self.program.results.insert(number, result);
                    result
                }
            };
            written = terms.ite(choice.selector, other, written);
        }
        let mut whole = match part {
            None => written,
            Some(part) => {
                let whole = self.now(terms, part.whole);
                terms.substitute(whole, &[(part.hole, written)].into_iter().collect())
            }
        };
        for (choice, replacement) in &choices {
            if let Some(Replacement::Whole(term)) = replacement {
                let other = self.now(terms, *term);
                whole = terms.ite(choice.selector, other, whole);
            }
        }
        whole
    }

    fn limit(&mut self, terms: &mut Terms, number: usize, variable: TermId) {
        let (Some(&limit), Some(&spot)) = (self.ingredients.limits.get(&number), self.spot_of.get(&number)) else {
            return;
        };
        let Some(&value) = self.values.get(&variable) else { return };
        let limit = terms.substitute(limit, &[(variable, value)].into_iter().collect());
        let limit = self.now(terms, limit);
        for index in self.by_spot[spot].clone() {
            let selector = self.ingredients.choices[index].selector;
            let selected = terms.and2(selector, self.path);
            let demand = terms.implies(selected, limit);
            self.demand(terms, demand);
        }
    }

    /// Stays on the trace, or leaves it here.
    fn branch(&mut self, terms: &mut Terms, number: usize, condition: TermId, steps: usize, is_end: bool) {
        let mut stays = self.now(terms, condition);
        for (choice, replacement) in self.choices(number) {
            let other = match replacement {
                Some(Replacement::Written(term) | Replacement::Whole(term)) => self.now(terms, term),
                None => {
                    let outcome = terms.fresh("outcome", Sort::Bool);
                    self.program.results.insert(number, outcome);
                    outcome
                }
            };
            stays = terms.ite(choice.selector, other, stays);
        }
        if stays == terms.true_term() {
            return;
        }
        let leaves = terms.not(stays);
        let taken = terms.and2(self.path, leaves);
        self.program.exits.push(Exit { statement: number, steps, taken, is_end });
        // A name of its own keeps the path's formula from growing with its square.
        let path = terms.fresh("path", Sort::Bool);
        let both = terms.and2(self.path, stays);
        let definition = terms.eq(path, both);
        self.program.demands.push(definition);
        self.path = path;
    }
}

/// Whether a statement is a step of the trace as the paper counts: an assignment, a condition or the violation. What
/// is passed to functions is none.
pub fn is_step(encoded: &EncodedTrace, number: usize) -> bool {
    let place = encoded.places.get(encoded.trace.statements[number].origin);
    place.is_some_and(|place| !matches!(place.what, What::Bookkeeping | What::Argument(_)))
}

fn constant(terms: &mut Terms, sort: Sort, bits: u128) -> TermId {
    match sort {
        Sort::BitVector(width) => terms.bv_value(&BitVector::new(width, bits)),
        _ => terms.bool(bits & 1 == 1),
    }
}
