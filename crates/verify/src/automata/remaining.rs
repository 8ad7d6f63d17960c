//! The remaining error traces: a deterministic automaton over letters, every state of which is reached and
//! leads to acceptance.
//!
//! The graph's automaton and a subtrahend → their difference, built on the fly: only pairs of states that
//! can be reached exist, and what no longer leads to an error is pruned. A state carries an assertion that
//! holds whenever an execution is there; the pruned states with their assertions are the proof that nothing
//! from there leads to an error, so they are handed to it.
//!
//! States with the same language are merged (`minimize`); a merged state's assertion is the disjunction. Without
//! that, every predicate ever tracked would split states for good.

use std::collections::{BTreeMap, VecDeque};

use logic::control_flow::{Graph, LocationId};
use logic::terms::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::blocks::{Blocks, LetterId};
use super::minimize::Partition;
use super::proof::{Closed, NodeId, Proof};

/// A state of the remaining automaton; the initial one is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u32);

impl StateId {
    pub const INITIAL: StateId = StateId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
pub struct State {
    pub location: LocationId,
    /// Holds in every execution that is here.
    pub assertion: TermId,
    /// In ascending order of letters; one successor a letter.
    pub successors: Vec<(LetterId, StateId)>,
    pub accepting: bool,
    /// The letters by which no error is reached any more, and the proof's nodes that they lead to.
    pub closed: Closed,
}

/// The error traces that are left to look at; no states if there are none.
#[derive(Clone, Debug, Default)]
pub struct Remaining {
    states: Vec<State>,
}

/// What can be subtracted: a deterministic automaton that runs beside the remaining one.
pub trait Subtrahend {
    type State: Clone + Eq + std::hash::Hash;
    /// Why a successor could not be computed.
    type Stop;

    fn initial(&mut self) -> Self::State;
    fn successor(
        &mut self,
        terms: &mut Terms,
        from: StateId,
        state: &Self::State,
        letter: LetterId,
        to: StateId,
    ) -> Result<Self::State, Self::Stop>;
    /// Whether every word that gets here is accepted, whatever follows.
    fn accepts_all(&self, state: &Self::State) -> bool;
    /// Whether a word that ends here is accepted.
    fn accepts(&self, state: &Self::State) -> bool;
    /// What holds in every execution that gets here.
    fn assertion(&self, terms: &mut Terms, state: &Self::State) -> TermId;
}

impl Remaining {
    /// All error traces of a graph. What leads to no error goes to the proof.
    pub fn all(terms: &Terms, blocks: &Blocks, proof: &mut Proof) -> Remaining {
        let mut numbers: BTreeMap<LocationId, StateId> = BTreeMap::new();
        let mut order = vec![Graph::ENTRY];
        numbers.insert(Graph::ENTRY, StateId::INITIAL);
        let mut states = Vec::new();
        let mut next = 0;
        while let Some(&location) = order.get(next) {
            next += 1;
            let accepting = blocks.is_error(location);
            let letters = if accepting { &[] } else { blocks.outgoing(location) };
            let mut successors = Vec::new();
            for &letter in letters {
                let to = blocks.block(letter).to;
                let number = *numbers.entry(to).or_insert_with(|| {
                    order.push(to);
                    StateId(order.len() as u32 - 1)
                });
                successors.push((letter, number));
            }
            let closed = Closed::default();
            states.push(State { location, assertion: terms.true_term(), successors, accepting, closed });
        }
        let product = Product { states, cut: Vec::new() };
        product.trim(proof)
    }

    pub fn states(&self) -> &[State] {
        &self.states
    }

    pub fn state(&self, state: StateId) -> &State {
        &self.states[state.index()]
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// A shortest accepted word, by statements; the first of them in the order of letters.
    pub fn shortest_word(&self, blocks: &Blocks) -> Option<Vec<LetterId>> {
        if self.states.is_empty() {
            return None;
        }
        let mut reached: Vec<Option<(u32, StateId, LetterId)>> = vec![None; self.states.len()];
        let mut open = std::collections::BTreeSet::from([(0u32, StateId::INITIAL)]);
        let mut done = vec![false; self.states.len()];
        while let Some((distance, at)) = open.pop_first() {
            if std::mem::replace(&mut done[at.index()], true) {
                continue;
            }
            if self.state(at).accepting {
                return Some(word_to(&reached, at));
            }
            for &(letter, to) in &self.state(at).successors {
                let further = distance + blocks.block(letter).edges.len() as u32;
                let shorter = reached[to.index()].is_none_or(|(known, ..)| further < known);
                if !done[to.index()] && to != StateId::INITIAL && shorter {
                    reached[to.index()] = Some((further, at, letter));
                    open.insert((further, to));
                }
            }
        }
        None
    }

    /// The states that a word passes, the first included; nothing if there is no run.
    pub fn run(&self, word: &[LetterId]) -> Option<Vec<StateId>> {
        let mut at = StateId::INITIAL;
        self.states.first()?;
        let mut passed = vec![at];
        for &letter in word {
            let successors = &self.state(at).successors;
            let index = successors.binary_search_by_key(&letter, |it| it.0).ok()?;
            at = successors[index].1;
            passed.push(at);
        }
        Some(passed)
    }

    pub fn accepts(&self, word: &[LetterId]) -> bool {
        self.run(word).and_then(|run| run.last().copied()).is_some_and(|last| self.state(last).accepting)
    }

    /// The words that the other automaton does not accept. What is pruned goes to the proof.
    pub fn minus<S: Subtrahend>(
        &self,
        terms: &mut Terms,
        other: &mut S,
        proof: &mut Proof,
    ) -> Result<Remaining, S::Stop> {
        if self.states.is_empty() {
            return Ok(Remaining::default());
        }
        let start = other.initial();
        let mut numbers: FxHashMap<(StateId, S::State), StateId> = FxHashMap::default();
        let mut order = vec![(StateId::INITIAL, start.clone())];
        numbers.insert((StateId::INITIAL, start), StateId::INITIAL);
        let mut product = Product { states: Vec::new(), cut: Vec::new() };
        let mut next = 0;
        while let Some((at, beside)) = order.get(next).cloned() {
            next += 1;
            let state = self.state(at);
            let mut successors = Vec::new();
            let mut cut = Vec::new();
            for &(letter, to) in &state.successors {
                let after = other.successor(terms, at, &beside, letter, to)?;
                if other.accepts_all(&after) {
                    cut.push(letter);
                    continue;
                }
                let number = *numbers.entry((to, after)).or_insert_with_key(|key| {
                    order.push(key.clone());
                    StateId(order.len() as u32 - 1)
                });
                successors.push((letter, number));
            }
            let learned = other.assertion(terms, &beside);
            product.states.push(State {
                location: state.location,
                assertion: terms.and2(state.assertion, learned),
                successors,
                accepting: state.accepting && !other.accepts(&beside),
                closed: state.closed.clone(),
            });
            product.cut.push(cut);
        }
        Ok(product.trim(proof).minimize(terms))
    }

    /// Merges states with the same language.
    fn minimize(self, terms: &mut Terms) -> Remaining {
        let class = self.classes();
        let count = class.iter().max().map_or(0, |&it| it as usize + 1);
        if count == self.states.len() {
            return self;
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (state, &class) in class.iter().enumerate() {
            members[class as usize].push(state);
        }
        let states = members
            .iter()
            .map(|members| {
                let first = &self.states[members[0]];
                let assertions: Vec<TermId> = members.iter().map(|&it| self.states[it].assertion).collect();
                let mut closed = first.closed.clone();
                for &other in &members[1..] {
                    closed.merge(&self.states[other].closed);
                }
                State {
                    location: first.location,
                    assertion: terms.or(&assertions),
                    successors: first.successors.iter().map(|&(it, to)| (it, StateId(class[to.index()]))).collect(),
                    accepting: first.accepting,
                    closed,
                }
            })
            .collect();
        Remaining { states }
    }

    /// The number of each state's class; classes are numbered by their first state.
    fn classes(&self) -> Vec<u32> {
        let mut partition = Partition::new(&self.states);
        partition.refine(&self.states);
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let numbered = |class: &u32| {
            let fresh = numbers.len() as u32;
            *numbers.entry(*class).or_insert(fresh)
        };
        partition.class.iter().map(numbered).collect()
    }
}

/// The word by which a search reached a state.
fn word_to(reached: &[Option<(u32, StateId, LetterId)>], end: StateId) -> Vec<LetterId> {
    let mut word = Vec::new();
    let mut at = end;
    while let Some((_, from, letter)) = reached[at.index()] {
        word.push(letter);
        at = from;
    }
    word.reverse();
    word
}

/// A difference before states are pruned.
struct Product {
    states: Vec<State>,
    /// For each state the letters after which the subtrahend accepts everything.
    cut: Vec<Vec<LetterId>>,
}

impl Product {
    /// Keeps what leads to acceptance; the rest becomes nodes of the proof.
    fn trim(mut self, proof: &mut Proof) -> Remaining {
        let alive = self.alive();
        self.cut.resize(self.states.len(), Vec::new());
        let mut renumbered: Vec<Option<StateId>> = vec![None; self.states.len()];
        let mut nodes: Vec<Option<NodeId>> = vec![None; self.states.len()];
        let mut kept = 0;
        for (index, state) in self.states.iter().enumerate() {
            if alive[index] {
                renumbered[index] = Some(StateId(kept));
                kept += 1;
            } else {
                nodes[index] = Some(proof.add(state.location, state.assertion));
            }
        }
        let mut states = Vec::with_capacity(kept as usize);
        for (index, mut state) in self.states.into_iter().enumerate() {
            for &letter in &self.cut[index] {
                state.closed.close(letter, None);
            }
            for &(letter, to) in &state.successors {
                if let Some(node) = nodes[to.index()] {
                    state.closed.close(letter, Some(node));
                }
            }
            match nodes[index] {
                Some(node) => proof.explain(node, state.closed),
                None => {
                    let successors = std::mem::take(&mut state.successors);
                    let alive = successors.into_iter().filter_map(|(it, to)| Some((it, renumbered[to.index()]?)));
                    state.successors = alive.collect();
                    states.push(state);
                }
            }
        }
        Remaining { states }
    }

    /// Which states lead to acceptance. The initial state counts only if it does.
    fn alive(&self) -> Vec<bool> {
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (from, state) in self.states.iter().enumerate() {
            for &(_, to) in &state.successors {
                predecessors[to.index()].push(from);
            }
        }
        let mut alive: Vec<bool> = self.states.iter().map(|it| it.accepting).collect();
        let mut open: VecDeque<usize> = (0..alive.len()).filter(|&it| alive[it]).collect();
        while let Some(at) = open.pop_front() {
            for &from in &predecessors[at] {
                if !std::mem::replace(&mut alive[from], true) {
                    open.push_back(from);
                }
            }
        }
        alive
    }
}
