//! The canonical danger automaton of a feasible error trace ("Simple bugs", §4.4 and §4.5).
//!
//! The remaining automaton and a feasible word of it → an automaton that accepts the word and others that
//! fail for the same reasons. Its predicates are the pre-images of `true` along the word; a state of the
//! remaining automaton is annotated with a predicate if from every program state in it some letter leads on
//! to an annotated state. A danger state is a state of the remaining automaton with one of its predicates,
//! so every accepted word is a remaining one. (The paper calls that "inferior" in one place and "superior"
//! in another.)
//!
//! Not every predicate is tried at every state, but those of the trace at the same location and those that a
//! letter carries over unchanged: others seldom fit, and trying them cost most of the time.
//!
//! The annotation is a fixpoint, the least one in the paper. The greatest one satisfies the same definition. For it
//! predicates are also taken from behind the branches that letters begin with, where the paper's letters, single
//! statements, have states: they are weaker, and often hold however often a loop is passed.
//!
//! Pre-images stand between letters, not between statements. A pre-image over a havoc is projected where
//! that needs no quantifier, or a few choices do for all states; otherwise one is taken for all. The predicate is then smaller than the
//! pre-image, and the automaton accepts less; both properties of Definition 4.2 still hold.

use std::collections::BTreeSet;

use logic::control_flow::LocationId;
use logic::evaluate::{Evaluator, Model};
use logic::project;
use logic::terms::{Op, Substitution, TermId, Terms};
use logic::value::Value;
use rustc_hash::FxHashMap;

use super::blocks::{Block, Blocks, LetterId};
use super::prover::{Prover, Stop};
use super::remaining::{Remaining, StateId, Subtrahend};

/// Which annotation to take among those that satisfy the inference rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixpoint {
    /// The canonical one: from every state in a predicate the error can be reached by these predicates.
    Least,
    /// The largest: the way to the error may be as long as one likes, or endless. It accepts more, and a loop
    /// with any number of iterations is covered at once.
    Greatest,
}

/// States of each predicate that were seen to be outside of the annotated ones.
const SAMPLES: usize = 24;

pub struct Danger<'a> {
    prover: &'a mut Prover,
    blocks: &'a Blocks,
    /// No predicate is empty.
    predicates: Vec<TermId>,
    /// The predicates of each state of the remaining automaton, as numbers in ascending order.
    annotation: Vec<Vec<u32>>,
    /// The predicates that each state may get.
    candidates: Vec<Vec<u32>>,
    /// More than one where a choice was made for a havoc, and another time another one.
    pre_images: FxHashMap<(LetterId, u32), Vec<TermId>>,
    /// Whether a letter leads from some state in one predicate into another.
    leads: FxHashMap<(u32, LetterId, u32), bool>,
    samples: Vec<Vec<Model>>,
}

impl<'a> Danger<'a> {
    pub fn new(
        terms: &mut Terms,
        prover: &'a mut Prover,
        blocks: &'a Blocks,
        remaining: &Remaining,
        word: &[LetterId],
        fixpoint: Fixpoint,
    ) -> Result<Danger<'a>, Stop> {
        let mut predicates = vec![terms.true_term()];
        let mut pre_images: FxHashMap<(LetterId, u32), Vec<TermId>> = FxHashMap::default();
        let mut state = 0;
        let mut places: Vec<(LocationId, u32)> = Vec::new();
        let choices = execution(terms, prover, blocks, word)?;
        for (&letter, choice) in word.iter().zip(&choices).rev() {
            let image = pre_image(terms, prover, blocks.block(letter), predicates[state as usize], Some(choice))?;
            let images = pre_images.entry((letter, state)).or_default();
            if !images.contains(&image) {
                images.push(image);
            }
            state = predicates.iter().position(|&it| it == image).unwrap_or(predicates.len()) as u32;
            if state as usize == predicates.len() {
                predicates.push(image);
            }
            places.push((blocks.block(letter).from, state));
            if fixpoint == Fixpoint::Greatest {
                let behind = behind_branch(terms, blocks.block(letter), image);
                let number = predicates.iter().position(|&it| it == behind).unwrap_or(predicates.len());
                if number == predicates.len() {
                    predicates.push(behind);
                }
                places.push((blocks.block(letter).from, number as u32));
            }
        }
        let candidates = candidates(terms, blocks, remaining, &predicates, &places);
        let mut samples = Vec::new();
        for &predicate in &predicates {
            if !prover.satisfiable(terms, &[predicate])? {
                return Err(Stop("a pre-image of a feasible trace is empty".to_owned()));
            }
            samples.push(vec![prover.witness(terms, &[predicate])?]);
        }
        let mut danger = Danger {
            prover,
            blocks,
            predicates,
            annotation: vec![Vec::new(); remaining.states().len()],
            candidates,
            pre_images,
            leads: FxHashMap::default(),
            samples,
        };
        match fixpoint {
            Fixpoint::Least => danger.annotate(terms, remaining)?,
            Fixpoint::Greatest => danger.prune(terms, remaining)?,
        }
        Ok(danger)
    }

    /// The greatest fixpoint of the inference rule of §4.5: everything, without what does not satisfy it.
    fn prune(&mut self, terms: &mut Terms, remaining: &Remaining) -> Result<(), Stop> {
        let predecessors = predecessors(remaining);
        for (index, state) in remaining.states().iter().enumerate() {
            self.annotation[index] = if state.accepting { vec![0] } else { self.candidates[index].clone() };
        }
        let mut open: BTreeSet<StateId> = (0..remaining.states().len() as u32).map(StateId).collect();
        while let Some(at) = open.pop_last() {
            self.prover.keep_going()?;
            if remaining.state(at).accepting {
                continue;
            }
            let allowed = self.allowed(terms, remaining, at)?;
            let any = terms.or(&allowed);
            let mut kept = Vec::new();
            for number in self.annotation[at.index()].clone() {
                if self.within(terms, number, &allowed, any)? {
                    kept.push(number);
                }
            }
            if kept.len() < self.annotation[at.index()].len() {
                self.annotation[at.index()] = kept;
                open.extend(&predecessors[at.index()]);
            }
        }
        Ok(())
    }

    /// The least fixpoint of the inference rule of §4.5.
    fn annotate(&mut self, terms: &mut Terms, remaining: &Remaining) -> Result<(), Stop> {
        let predecessors = predecessors(remaining);
        let mut open: BTreeSet<StateId> = BTreeSet::new();
        for (index, state) in remaining.states().iter().enumerate() {
            if state.accepting {
                self.annotation[index].push(0);
                open.extend(&predecessors[index]);
            }
        }
        while let Some(at) = open.pop_last() {
            self.prover.keep_going()?;
            if self.extend(terms, remaining, at)? {
                open.extend(&predecessors[at.index()]);
            }
        }
        Ok(())
    }

    /// Adds the predicates that a state's successors allow; whether there were new ones.
    fn extend(&mut self, terms: &mut Terms, remaining: &Remaining, at: StateId) -> Result<bool, Stop> {
        if remaining.state(at).accepting {
            return Ok(false);
        }
        let allowed = self.allowed(terms, remaining, at)?;
        let any = terms.or(&allowed);
        let mut grown = false;
        for number in self.candidates[at.index()].clone() {
            if !self.annotation[at.index()].contains(&number) && self.within(terms, number, &allowed, any)? {
                self.annotation[at.index()].push(number);
                grown = true;
            }
        }
        self.annotation[at.index()].sort_unstable();
        Ok(grown)
    }

    /// The pre-images of what a state's successors are annotated with.
    fn allowed(&mut self, terms: &mut Terms, remaining: &Remaining, at: StateId) -> Result<Vec<TermId>, Stop> {
        let mut allowed: Vec<TermId> = Vec::new();
        for &(letter, to) in &remaining.state(at).successors {
            for number in self.annotation[to.index()].clone() {
                allowed.extend(self.pre_images(terms, letter, number)?);
            }
        }
        allowed.sort_unstable();
        allowed.dedup();
        Ok(allowed)
    }

    /// Whether every state of one predicate is in another.
    fn subsumed(&mut self, terms: &mut Terms, smaller: u32, larger: u32) -> Result<bool, Stop> {
        let larger = self.predicates[larger as usize];
        let outside = |sample: &Model| Evaluator::new(terms, sample).holds(larger) == Ok(false);
        if self.samples[smaller as usize].iter().any(outside) {
            return Ok(false);
        }
        Ok(self.prover.entails_soon(terms, self.predicates[smaller as usize], larger)?.0)
    }

    /// The predicates that no other one of them contains: they lead wherever the others do.
    fn largest(&mut self, terms: &mut Terms, numbers: Vec<u32>) -> Result<Vec<u32>, Stop> {
        let mut kept: Vec<u32> = Vec::new();
        for number in numbers {
            let mut covered = false;
            for &other in &kept {
                covered = covered || self.subsumed(terms, number, other)?;
            }
            if covered {
                continue;
            }
            let mut still = Vec::new();
            for other in kept {
                if !self.subsumed(terms, other, number)? {
                    still.push(other);
                }
            }
            kept = still;
            kept.push(number);
        }
        kept.sort_unstable();
        Ok(kept)
    }

    /// Whether every state of a predicate is in one of the pre-images.
    fn within(&mut self, terms: &mut Terms, number: u32, allowed: &[TermId], any: TermId) -> Result<bool, Stop> {
        let predicate = self.predicates[number as usize];
        if allowed.binary_search(&predicate).is_ok() || any == terms.true_term() {
            return Ok(true);
        }
        let samples = &mut self.samples[number as usize];
        if samples.iter().any(|sample| Evaluator::new(terms, sample).holds(any) == Ok(false)) {
            return Ok(false);
        }
        let (within, outside) = self.prover.entails_soon(terms, predicate, any)?;
        if samples.len() < SAMPLES {
            samples.extend(outside);
        }
        Ok(within)
    }

    fn pre_images(&mut self, terms: &mut Terms, letter: LetterId, number: u32) -> Result<Vec<TermId>, Stop> {
        if let Some(known) = self.pre_images.get(&(letter, number)) {
            return Ok(known.clone());
        }
        let image = pre_image(terms, self.prover, self.blocks.block(letter), self.predicates[number as usize], None)?;
        self.pre_images.insert((letter, number), vec![image]);
        Ok(vec![image])
    }

    /// Whether there is a transition between danger states with these predicates.
    fn leads(&mut self, terms: &mut Terms, from: u32, letter: LetterId, to: u32) -> Result<bool, Stop> {
        if let Some(&known) = self.leads.get(&(from, letter, to)) {
            return Ok(known);
        }
        let block = self.blocks.block(letter);
        let after = block.before(terms, self.predicates[to as usize]);
        let step = terms.and(&[self.predicates[from as usize], block.guard, after]);
        // A transition too many does no harm: every accepted word is a remaining one.
        let leads = self.prover.satisfiable_soon(terms, &[step])? != Some(false);
        self.leads.insert((from, letter, to), leads);
        Ok(leads)
    }

    /// Checks both properties of Definition 4.2 on the automaton as it is; what is wrong, in words.
    pub fn violated_property(&mut self, terms: &mut Terms, remaining: &Remaining) -> Result<Option<String>, Stop> {
        let initial = self.annotation[StateId::INITIAL.index()].clone();
        let mut nonempty = false;
        for number in initial {
            nonempty |= self.prover.satisfiable(terms, &[self.predicates[number as usize]])?;
        }
        if !nonempty {
            return Ok(Some("no initial state has a predicate other than false".to_owned()));
        }
        for (index, state) in remaining.states().iter().enumerate().filter(|it| !it.1.accepting) {
            for number in self.annotation[index].clone() {
                let mut step = vec![terms.false_term()];
                for &(letter, to) in &state.successors {
                    for next in self.annotation[to.index()].clone() {
                        if self.leads(terms, number, letter, next)? {
                            let target = self.predicates[next as usize];
                            step.push(self.blocks.block(letter).pre(terms, target));
                        }
                    }
                }
                let any = terms.or(&step);
                if !self.prover.entails(terms, self.predicates[number as usize], any)? {
                    return Ok(Some(format!("a state of predicate {number} at state {index} is stuck")));
                }
            }
        }
        Ok(None)
    }

    /// The predicates of a state of the remaining automaton.
    pub fn predicates_at(&self, state: StateId) -> Vec<TermId> {
        self.annotation[state.index()].iter().map(|&it| self.predicates[it as usize]).collect()
    }

    /// How many states the automaton has.
    pub fn len(&self) -> usize {
        self.annotation.iter().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Subtrahend for Danger<'_> {
    /// The predicates of the danger states that a word reaches, beside one state of the remaining automaton.
    type State = Vec<u32>;
    type Stop = Stop;

    fn initial(&mut self) -> Vec<u32> {
        self.annotation[StateId::INITIAL.index()].clone()
    }

    fn successor(
        &mut self,
        terms: &mut Terms,
        _: StateId,
        state: &Vec<u32>,
        letter: LetterId,
        to: StateId,
    ) -> Result<Vec<u32>, Stop> {
        let mut reached = Vec::new();
        if state.is_empty() {
            return Ok(reached);
        }
        for next in self.annotation[to.index()].clone() {
            for &from in state {
                if self.leads(terms, from, letter, next)? {
                    reached.push(next);
                    break;
                }
            }
        }
        self.largest(terms, reached)
    }

    fn accepts_all(&self, _: &Vec<u32>) -> bool {
        false
    }

    fn accepts(&self, state: &Vec<u32>) -> bool {
        // Only asked for at accepting states, whose one predicate is `true`.
        !state.is_empty()
    }

    fn assertion(&self, terms: &mut Terms, _: &Vec<u32>) -> TermId {
        terms.true_term()
    }
}

/// The predicates that each state may get: those of the trace at its location, and those of its successors that
/// the letter to them leaves alone.
fn candidates(
    terms: &Terms,
    blocks: &Blocks,
    remaining: &Remaining,
    predicates: &[TermId],
    places: &[(LocationId, u32)],
) -> Vec<Vec<u32>> {
    let variables: Vec<Vec<TermId>> = predicates.iter().map(|&it| terms.free_variables(&[it])).collect();
    let predecessors = predecessors(remaining);
    let mut found: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); remaining.states().len()];
    let mut open: BTreeSet<StateId> = BTreeSet::new();
    for (index, state) in remaining.states().iter().enumerate() {
        if state.accepting {
            found[index].insert(0);
        } else {
            found[index].extend(places.iter().filter(|it| it.0 == state.location).map(|it| it.1));
        }
        open.extend(&predecessors[index]);
    }
    while let Some(at) = open.pop_last() {
        let before = found[at.index()].len();
        for &(letter, to) in &remaining.state(at).successors {
            let changed = &blocks.block(letter).changed;
            let untouched = |&&it: &&u32| !variables[it as usize].iter().any(|it| changed.binary_search(it).is_ok());
            let kept: Vec<u32> = found[to.index()].iter().filter(untouched).copied().collect();
            found[at.index()].extend(kept);
        }
        if found[at.index()].len() > before {
            open.extend(&predecessors[at.index()]);
        }
    }
    found.into_iter().map(|it| it.into_iter().collect()).collect()
}

fn predecessors(remaining: &Remaining) -> Vec<BTreeSet<StateId>> {
    let mut predecessors: Vec<BTreeSet<StateId>> = vec![BTreeSet::new(); remaining.states().len()];
    for (from, state) in remaining.states().iter().enumerate() {
        for &(_, to) in &state.successors {
            predecessors[to.index()].insert(StateId(from as u32));
        }
    }
    predecessors
}

/// What an execution of the word chooses for the inputs of each letter. Predicates that keep to it contain the
/// states of that execution, so none of them is empty.
fn execution(terms: &mut Terms, prover: &mut Prover, blocks: &Blocks, word: &[LetterId]) -> Result<Vec<Model>, Stop> {
    let mut store = Substitution::default();
    let mut conditions = Vec::new();
    let mut renamed: Vec<Vec<(TermId, TermId)>> = Vec::new();
    for &letter in word {
        let block = blocks.block(letter);
        let mut now = store.clone();
        let mut inputs = Vec::new();
        for &input in &block.inputs {
            let name = terms.name(input).unwrap_or("input").to_owned();
            let fresh = terms.fresh(&name, terms.sort(input));
            now.insert(input, fresh);
            inputs.push((input, fresh));
        }
        conditions.push(terms.substitute(block.guard, &now));
        for &variable in &block.changed {
            let value = terms.substitute(block.updates[&variable], &now);
            store.insert(variable, value);
        }
        renamed.push(inputs);
    }
    if !prover.satisfiable(terms, &conditions)? {
        return Err(Stop("a danger automaton is asked for a trace that cannot be executed".to_owned()));
    }
    let model = prover.witness(terms, &conditions)?;
    prover.renew(terms)?;
    let choice = |inputs: Vec<(TermId, TermId)>| {
        let mut choice = Model::new();
        for (input, fresh) in inputs {
            let value = model.get(fresh).cloned();
            choice.assign(input, value.unwrap_or_else(|| Value::default_of(terms.sort(input), terms)));
        }
        choice
    };
    Ok(renamed.into_iter().map(choice).collect())
}

/// What a pre-image demands behind the branch that its letter begins with. It may hold before the branch, too,
/// if other letters lead on from where this one does not.
fn behind_branch(terms: &mut Terms, block: &Block, image: TermId) -> TermId {
    let lead = project::conjuncts(terms, block.lead);
    let kept: Vec<TermId> = project::conjuncts(terms, image).into_iter().filter(|it| !lead.contains(it)).collect();
    terms.and(&kept)
}

/// The pre-image of a letter without quantifiers, or the part of it that one choice of inputs leaves: the given
/// one, or any.
fn pre_image(
    terms: &mut Terms,
    prover: &mut Prover,
    block: &Block,
    after: TermId,
    choice: Option<&Model>,
) -> Result<TermId, Stop> {
    let exact = block.pre(terms, after);
    let mut parts = Vec::new();
    for conjunct in project::conjuncts(terms, exact) {
        if terms.op(conjunct) != Op::Exists {
            parts.push(conjunct);
            continue;
        }
        let (bound, body) = terms.quantifier_parts(conjunct);
        let bound = bound.to_vec();
        parts.push(without_quantifier(terms, prover, &bound, body, &parts.clone(), choice)?);
    }
    Ok(terms.and(&parts))
}

/// Choices that are tried together before one is taken for all.
const CHOICES: usize = 3;

/// `∃ bound. body`, exactly if that does not depend on anything else or if a few choices do for all states;
/// otherwise for one choice.
fn without_quantifier(
    terms: &mut Terms,
    prover: &mut Prover,
    bound: &[TermId],
    body: TermId,
    beside: &[TermId],
    choice: Option<&Model>,
) -> Result<TermId, Stop> {
    let mut question = beside.to_vec();
    question.push(body);
    let closed = terms.free_variables(&[body]).iter().all(|it| bound.contains(it));
    if closed {
        let holds = prover.satisfiable(terms, &[body])?;
        return Ok(terms.bool(holds));
    }
    let choice = match choice {
        Some(choice) => choice.clone(),
        None if prover.satisfiable(terms, &question)? => prover.witness(terms, &question)?,
        None => return Ok(terms.false_term()),
    };
    let first = with_choice(terms, bound, body, &choice);
    let mut parts = vec![first];
    for _ in 0..CHOICES {
        let covered = terms.or(&parts);
        let outside = terms.not(covered);
        question.push(outside);
        match prover.satisfiable_soon(terms, &question)? {
            Some(true) => {}
            Some(false) => return Ok(covered),
            None => break,
        }
        let other = prover.witness(terms, &question)?;
        parts.push(with_choice(terms, bound, body, &other));
    }
    Ok(first)
}

fn with_choice(terms: &mut Terms, bound: &[TermId], body: TermId, choice: &Model) -> TermId {
    let mut values = Substitution::default();
    for &variable in bound {
        if let Some(value) = choice.get(variable) {
            let value = terms.constant(value, terms.sort(variable));
            values.insert(variable, value);
        }
    }
    terms.substitute(body, &values)
}
