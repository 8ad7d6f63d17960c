//! Floyd-Hoare automata: what the assertions of an infeasible trace say about other traces.
//!
//! Predicates → an automaton that accepts only infeasible traces (Heizmann, Hoenicke, Podelski, "Software
//! model checking for people who love automata", CAV 2013; §4.1 of "Simple bugs"). Its states are sets of
//! predicates that hold together; a letter leads to the set of all predicates that hold after it, so the
//! automaton is deterministic and is as general as its predicates allow. It accepts where nothing is
//! possible any more. Transitions are computed when they are asked for.
//!
//! Not all valid triples are found: a predicate that a letter does not leave alone is asked for only at the
//! locations where the proof has it, and only if it has a variable in common with what is known, with the guard
//! or with the updates. So fewer words may be accepted, never a wrong one.

use std::collections::{BTreeMap, BTreeSet};

use logic::control_flow::LocationId;
use logic::terms::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::blocks::{Block, Blocks, LetterId};
use super::prover::{Prover, Stop};
use super::remaining::{StateId, Subtrahend};

/// What holds, as numbers of predicates in ascending order; nothing at all if no execution gets here.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Facts {
    Holding(Vec<u32>),
    Impossible,
}

pub struct FloydHoare<'a> {
    prover: &'a mut Prover,
    blocks: &'a Blocks,
    predicates: Vec<TermId>,
    /// Where the proof has each predicate.
    locations: Vec<BTreeSet<LocationId>>,
    /// The free variables of each predicate, in ascending order.
    variables: Vec<Vec<TermId>>,
    successors: FxHashMap<(Vec<u32>, LetterId), Facts>,
}

impl<'a> FloydHoare<'a> {
    /// An automaton over the predicates that a proof has at locations.
    pub fn new(
        terms: &Terms,
        prover: &'a mut Prover,
        blocks: &'a Blocks,
        proof: &[(LocationId, TermId)],
    ) -> FloydHoare<'a> {
        let mut located: BTreeMap<TermId, BTreeSet<LocationId>> = BTreeMap::new();
        for &(location, predicate) in proof {
            if predicate != terms.true_term() && predicate != terms.false_term() {
                located.entry(predicate).or_default().insert(location);
            }
        }
        let predicates: Vec<TermId> = located.keys().copied().collect();
        let variables = predicates.iter().map(|&it| terms.free_variables(&[it])).collect();
        let locations = located.into_values().collect();
        FloydHoare { prover, blocks, predicates, locations, variables, successors: FxHashMap::default() }
    }

    /// Whether a trace is accepted.
    pub fn accepts_word(&mut self, terms: &mut Terms, word: &[LetterId]) -> Result<bool, Stop> {
        let mut state = self.initial();
        for &letter in word {
            state = self.post(terms, &state, letter)?;
        }
        Ok(state == Facts::Impossible)
    }

    /// What holds after a letter.
    pub fn post(&mut self, terms: &mut Terms, state: &Facts, letter: LetterId) -> Result<Facts, Stop> {
        let Facts::Holding(holding) = state else { return Ok(Facts::Impossible) };
        if let Some(known) = self.successors.get(&(holding.clone(), letter)) {
            return Ok(known.clone());
        }
        let facts = self.compute(terms, holding, letter)?;
        self.successors.insert((holding.clone(), letter), facts.clone());
        Ok(facts)
    }

    fn compute(&mut self, terms: &mut Terms, holding: &[u32], letter: LetterId) -> Result<Facts, Stop> {
        let block = self.blocks.block(letter);
        let before: Vec<TermId> = holding.iter().map(|&it| self.predicates[it as usize]).collect();
        let before = terms.and(&before);
        let mentioned: Vec<TermId> = terms.free_variables(&[before]);
        let constrains = block.guarded.iter().any(|it| mentioned.binary_search(it).is_ok());
        // A guard that has nothing to do with what is known is asked for by itself, once.
        let asked = if constrains { before } else { terms.true_term() };
        if !self.prover.possible(terms, asked, letter, block)? {
            return Ok(Facts::Impossible);
        }
        let mut after = Vec::new();
        for number in 0..self.predicates.len() as u32 {
            let held = holding.binary_search(&number).is_ok();
            if self.holds_after(terms, before, &mentioned, held, letter, block, number)? {
                after.push(number);
            }
        }
        Ok(Facts::Holding(after))
    }

    #[expect(clippy::too_many_arguments, reason = "one question, asked in one place")]
    fn holds_after(
        &mut self,
        terms: &mut Terms,
        before: TermId,
        mentioned: &[TermId],
        held: bool,
        letter: LetterId,
        block: &Block,
        number: u32,
    ) -> Result<bool, Stop> {
        let predicate = self.predicates[number as usize];
        let variables = &self.variables[number as usize];
        let touched = variables.iter().any(|it| block.changed.binary_search(it).is_ok());
        if !touched && held {
            return Ok(true);
        }
        if !self.locations[number as usize].contains(&block.to) {
            return Ok(false);
        }
        let related = touched
            || variables
                .iter()
                .any(|it| mentioned.binary_search(it).is_ok() || block.guarded.binary_search(it).is_ok());
        if !related {
            return Ok(false);
        }
        self.prover.triple(terms, before, letter, block, predicate)
    }
}

impl Subtrahend for FloydHoare<'_> {
    type State = Facts;
    type Stop = Stop;

    fn initial(&mut self) -> Facts {
        Facts::Holding(Vec::new())
    }

    fn successor(
        &mut self,
        terms: &mut Terms,
        _: StateId,
        state: &Facts,
        letter: LetterId,
        _: StateId,
    ) -> Result<Facts, Stop> {
        self.post(terms, state, letter)
    }

    fn accepts_all(&self, state: &Facts) -> bool {
        *state == Facts::Impossible
    }

    fn accepts(&self, state: &Facts) -> bool {
        *state == Facts::Impossible
    }

    fn assertion(&self, terms: &mut Terms, state: &Facts) -> TermId {
        match state {
            Facts::Impossible => terms.false_term(),
            Facts::Holding(holding) => {
                let holding: Vec<TermId> = holding.iter().map(|&it| self.predicates[it as usize]).collect();
                terms.and(&holding)
            }
        }
    }
}
