//! Questions with later choices: assumptions that share them form groups, and one group that no choice can meet is enough.

use std::collections::{BTreeMap, BTreeSet};

use logic::evaluate::Model;
use logic::exists_forall::{self, Budget};
use logic::solver::z3::Z3;
use logic::solver::{Limited, Outcome, Solver};
use logic::sort::Sort;
use logic::terms::{Substitution, TermId, Terms};
use logic::value::BitVector;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Asker, Question, Verdict, in_words, is_finite, solver_for};
use crate::error::Error;
use crate::relevance::alternative::Dependent;
use crate::unfolded::Action;

/// Later choices that are tried one by one to make up for a value.
const COMPENSATING: usize = 4;
/// Formulas with more terms than this are tried with fewer choices.
const LARGE: usize = 4000;

/// Dependents that share later choices.
#[derive(Default)]
struct Group {
    /// Indices of dependents.
    members: BTreeSet<usize>,
    /// Items of the original trace whose conditions mention a choice of the group.
    original: BTreeSet<usize>,
    /// The choices, with the numbers of their statements.
    choices: BTreeMap<TermId, usize>,
}

impl Asker<'_> {
    /// The original assumptions and checks that mention each choice.
    fn mentions(&mut self, terms: &Terms) -> &FxHashMap<TermId, Vec<usize>> {
        let unfolded = self.unfolded;
        self.mentions.get_or_insert_with(|| {
            let mut mentions: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
            for (number, item) in unfolded.items.iter().enumerate() {
                if matches!(item.action, Action::Assume { .. } | Action::Check { .. }) {
                    for variable in terms.free_variables(&[item.value]) {
                        mentions.entry(variable).or_default().push(number);
                    }
                }
            }
            mentions
        })
    }

    /// Asks about the groups of assumptions that share later choices. Also returns the choices that were found
    /// to make up for every value. With `all`, every group; else only the first.
    pub(super) fn ask_choices(
        &mut self,
        terms: &mut Terms,
        question: &Question<'_>,
        all: bool,
    ) -> Result<(Verdict, BTreeSet<usize>), Error> {
        let mut repairing = BTreeSet::new();
        let mut unknown = None;
        for group in self.groups(terms, question) {
            match self.ask_group(terms, question, &group)? {
                Verdict::Blocked(model) => return Ok((Verdict::Blocked(model), repairing)),
                Verdict::Unknown(reason) => unknown = Some(reason),
                Verdict::NotBlocked => repairing.extend(group.choices.values()),
            }
            if !all {
                break;
            }
        }
        let verdict = unknown.map_or(Verdict::NotBlocked, Verdict::Unknown);
        Ok((verdict, repairing))
    }

    fn groups(&mut self, terms: &mut Terms, question: &Question<'_>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (index, dependent) in question.dependents.iter().enumerate() {
            if !self.is_later(terms, question, dependent.condition) {
                continue;
            }
            let mut group = Group::default();
            group.members.insert(index);
            self.close(terms, question, &mut group, dependent.condition);
            let (mut joined, apart): (Vec<Group>, Vec<Group>) =
                groups.into_iter().partition(|other| other.choices.keys().any(|it| group.choices.contains_key(it)));
            groups = apart;
            for other in joined.drain(..) {
                group.members.extend(other.members);
                group.original.extend(other.original);
                group.choices.extend(other.choices);
            }
            groups.push(group);
        }
        groups.retain(|group| group.members.iter().any(|&it| !question.dependents[it].is_check));
        groups.sort_by_key(|group| group.members.first().copied());
        groups
    }

    /// Adds what shares choices with a term, and what shares choices with that.
    fn close(&mut self, terms: &Terms, question: &Question<'_>, group: &mut Group, condition: TermId) {
        let replaced: FxHashSet<usize> = question.dependents.iter().map(|it| it.item).collect();
        let mut open = vec![condition];
        while let Some(term) = open.pop() {
            for variable in terms.free_variables(&[term]) {
                let Some(&item) = self.unfolded.choices.get(&variable) else { continue };
                if item as usize <= question.item || group.choices.contains_key(&variable) {
                    continue;
                }
                let statement = self.unfolded.items[item as usize].statement;
                group.choices.insert(variable, statement);
                let mentioned = self.mentions(terms).get(&variable).cloned().unwrap_or_default();
                for other in mentioned {
                    if other <= question.walked && !replaced.contains(&other) && group.original.insert(other) {
                        let other = &self.unfolded.items[other];
                        // A check limits choices but does not tie them together.
                        if matches!(other.action, Action::Assume { .. }) {
                            open.push(other.value);
                        }
                    }
                }
            }
        }
    }

    fn ask_group(&mut self, terms: &mut Terms, question: &Question<'_>, group: &Group) -> Result<Verdict, Error> {
        let members: Vec<Dependent> = question
            .dependents
            .iter()
            .enumerate()
            .filter(|(index, it)| {
                group.members.contains(index) || it.is_check && !self.is_later(terms, question, it.condition)
            })
            .map(|it| *it.1)
            .collect();
        let narrowed = Question { dependents: &members, ..*question };
        let fails = self.blocked(terms, &narrowed, &|_| true);
        let original: Vec<TermId> = group.original.iter().map(|&it| self.unfolded.items[it].value).collect();
        let held = terms.and(&original);
        let anew: Substitution = group
            .choices
            .keys()
            .map(|&choice| {
                let name = format!("{} anew", terms.name(choice).unwrap_or("choice"));
                let sort = terms.sort(choice);
                (choice, terms.variable(&name, sort))
            })
            .collect();
        // If some of these can be chosen for every value, nothing is blocked.
        let unheld = terms.not(held);
        let blocked = terms.or2(unheld, fails);
        let instances = self.instances(terms, question, group, blocked);
        let found = match self.satisfy(terms, question, instances)? {
            Verdict::Blocked(found) => found,
            other => return Ok(other),
        };
        let guessed = self.guess(terms, question, fails);
        let blocked = terms.substitute(blocked, &anew);
        let mut universal: Vec<TermId> = anew.values().copied().collect();
        universal.sort_unstable();
        for model in guessed.into_iter().chain([found]) {
            if self.blocks_all(terms, question, &universal, blocked, &model)? {
                return Ok(Verdict::Blocked(model));
            }
        }
        self.for_all(terms, question, &universal, blocked)
    }

    /// The formula for a few choices that often make up for a value. Without them, all choices of a wide variable
    /// would have to be tried: the original ones, those that keep a sum or an exclusive or as it was, and the ends
    /// of the range.
    fn instances(&self, terms: &mut Terms, question: &Question<'_>, group: &Group, blocked: TermId) -> TermId {
        let original = self.unfolded.items[question.item].value;
        let is_same = terms.sort(original) == terms.sort(question.value);
        let choices: Vec<TermId> = group.choices.keys().copied().take(COMPENSATING).collect();
        let mut tried: Vec<Substitution> = vec![Substitution::default()];
        for &choice in &choices {
            let Sort::BitVector(_) = terms.sort(choice) else { continue };
            if !is_same || terms.sort(choice) != terms.sort(original) {
                continue;
            }
            let lost = terms.bv_sub(original, question.value);
            let xored = terms.bv_xor(original, question.value);
            let ways = [terms.bv_add(choice, lost), terms.bv_sub(choice, lost), terms.bv_xor(choice, xored)];
            tried.extend(ways.map(|way| [(choice, way)].into_iter().collect()));
        }
        // The first two together, the others as they were.
        let of_first = choices.first().map_or_else(Vec::new, |&it| ends(terms, it));
        let of_second = choices.get(1).map_or_else(Vec::new, |&it| ends(terms, it));
        for &first in &of_first {
            tried.push([(choices[0], first)].into_iter().collect());
            for &second in &of_second {
                tried.push([(choices[0], first), (choices[1], second)].into_iter().collect());
            }
        }
        for &second in &of_second {
            tried.push([(choices[1], second)].into_iter().collect());
        }
        let most = if terms.size(&[blocked]) > LARGE { 1 + COMPENSATING } else { tried.len() };
        let instances: Vec<TermId> = tried.iter().take(most).map(|it| terms.substitute(blocked, it)).collect();
        terms.and(&instances)
    }

    /// Whether the formula holds for all universal symbols where the model gives the others their values.
    fn blocks_all(
        &mut self,
        terms: &mut Terms,
        question: &Question<'_>,
        universal: &[TermId],
        formula: TermId,
        model: &Model,
    ) -> Result<bool, Error> {
        let mut values = Substitution::default();
        for symbol in terms.free_variables(&[formula]) {
            if universal.contains(&symbol) {
                continue;
            }
            let Some(value) = model.get(symbol).cloned() else { return Ok(false) };
            values.insert(symbol, terms.constant(&value, terms.sort(symbol)));
        }
        let instance = terms.substitute(formula, &values);
        let refuted = terms.not(instance);
        let mut solver = solver_for(terms, &[refuted], self.options);
        solver.set_limits(self.time_left(question));
        Ok(solver.check(terms, &[refuted])? == Outcome::Unsat)
    }

    /// Whether some execution meets the formula for all values of the universal symbols.
    fn for_all(
        &mut self,
        terms: &mut Terms,
        question: &Question<'_>,
        universal: &[TermId],
        formula: TermId,
    ) -> Result<Verdict, Error> {
        let mut demands = self.connected(terms, universal, formula);
        demands.extend(&self.trace.axioms);
        if !is_finite(terms, &[formula]) || !is_finite(terms, &demands) {
            return self.for_all_by_quantifier(terms, question, universal, formula, &demands);
        }
        demands.push(formula);
        let whole = terms.and(&demands);
        let budget = Budget { limits: self.time_left(question), interrupter: self.options.interrupter.clone() };
        Ok(match exists_forall::solve(terms, universal, whole, &budget)? {
            exists_forall::Answer::Witness(model) => Verdict::Blocked(model),
            exists_forall::Answer::None => Verdict::NotBlocked,
            exists_forall::Answer::Unknown(reason) => Verdict::Unknown(in_words(&reason)),
        })
    }

    fn for_all_by_quantifier(
        &mut self,
        terms: &mut Terms,
        question: &Question<'_>,
        universal: &[TermId],
        formula: TermId,
        demands: &[TermId],
    ) -> Result<Verdict, Error> {
        let quantified = terms.forall(universal, formula);
        let mut solver = Z3::new();
        solver.set_limits(self.time_left(question));
        for &demand in demands {
            solver.assert(terms, demand)?;
        }
        let outcome = solver.check(terms, &[quantified])?;
        Ok(match outcome {
            Outcome::Unsat => Verdict::NotBlocked,
            Outcome::Unknown(reason) => Verdict::Unknown(in_words(&reason)),
            Outcome::Sat => {
                let symbols = terms.free_variables(&[quantified]);
                Verdict::Blocked(solver.model(terms, &symbols)?)
            }
        })
    }

    /// The original assumptions that have to do with the symbols of a formula; all others can hold anyway.
    fn connected(&mut self, terms: &Terms, universal: &[TermId], formula: TermId) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = universal.iter().copied().collect();
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        let mut open = vec![formula];
        while let Some(term) = open.pop() {
            for variable in terms.free_variables(&[term]) {
                if !seen.insert(variable) {
                    continue;
                }
                let mentioned = self.mentions(terms).get(&variable).cloned().unwrap_or_default();
                for number in mentioned {
                    let item = &self.unfolded.items[number];
                    if matches!(item.action, Action::Assume { .. }) && taken.insert(number) {
                        open.push(item.value);
                    }
                }
            }
        }
        taken.into_iter().map(|number| self.unfolded.items[number].value).collect()
    }
}

/// Zero and the ends of a choice's range.
fn ends(terms: &mut Terms, choice: TermId) -> Vec<TermId> {
    match terms.sort(choice) {
        Sort::Bool => vec![terms.false_term(), terms.true_term()],
        Sort::BitVector(width) => {
            let least = BitVector::ones(width).lshr(&BitVector::new(width, 1)).not();
            let values = [BitVector::new(width, 0), least.clone(), least.not()];
            values.iter().map(|value| terms.bv_value(value)).collect()
        }
        _ => Vec::new(),
    }
}
