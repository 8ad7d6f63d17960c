//! Directed execution: looks for a feasible word of the remaining automaton without refining it.
//!
//! A shortest error trace is often infeasible for a reason that does not matter, such as two tests of one input
//! that disagree; and subtracting many such reasons makes the automaton remember every one of them. So before
//! that, the automaton is walked depth first, nearest to acceptance first, along paths whose condition the
//! solver finds satisfiable. The walk ends at an accepting state or when its checks are used up; then nothing
//! is known, and refinement goes on.

use logic::terms::{Substitution, TermId, Terms};

use super::blocks::{Blocks, LetterId};
use super::prover::{Prover, Stop};
use super::remaining::{Remaining, StateId};

/// Letters that may be taken for each check.
const STEPS_A_CHECK: usize = 8;

/// A place on the walk.
struct Step {
    state: StateId,
    /// Successors still to try, the best one last.
    open: Vec<(LetterId, StateId)>,
    /// The values of variables over the initial state and inputs.
    store: Substitution,
    letter: Option<LetterId>,
}

/// An accepted word that can be executed, found with at most so many checks.
pub fn feasible_word(
    terms: &mut Terms,
    prover: &mut Prover,
    blocks: &Blocks,
    remaining: &Remaining,
    checks: usize,
) -> Result<Option<Vec<LetterId>>, Stop> {
    if remaining.is_empty() {
        return Ok(None);
    }
    let distance = distances(remaining, blocks);
    let mut conditions: Vec<TermId> = Vec::new();
    let start = Step {
        state: StateId::INITIAL,
        open: ordered(remaining, blocks, &distance, StateId::INITIAL),
        store: Substitution::default(),
        letter: None,
    };
    let mut path = vec![start];
    let mut left = checks;
    // A loop without conditions costs no checks.
    let mut steps = STEPS_A_CHECK * checks;
    while let Some(step) = path.last_mut() {
        if remaining.state(step.state).accepting {
            return Ok(Some(path.iter().filter_map(|it| it.letter).collect()));
        }
        let Some((letter, to)) = step.open.pop() else {
            path.pop();
            conditions.truncate(path.len().saturating_sub(1));
            continue;
        };
        if steps == 0 {
            return Ok(None);
        }
        steps -= 1;
        let (condition, store) = execute(terms, blocks, letter, &step.store);
        if condition == terms.false_term() {
            continue;
        }
        conditions.push(condition);
        if condition != terms.true_term() {
            if left == 0 {
                return Ok(None);
            }
            left -= 1;
            if !prover.satisfiable(terms, &conditions)? {
                conditions.pop();
                continue;
            }
        }
        path.push(Step { state: to, open: ordered(remaining, blocks, &distance, to), store, letter: Some(letter) });
    }
    Ok(None)
}

/// What a letter demands in a store, and the store after it.
fn execute(terms: &mut Terms, blocks: &Blocks, letter: LetterId, store: &Substitution) -> (TermId, Substitution) {
    let block = blocks.block(letter);
    let mut now = store.clone();
    for &input in &block.inputs {
        let name = terms.name(input).unwrap_or("input").to_owned();
        let fresh = terms.fresh(&name, terms.sort(input));
        now.insert(input, fresh);
    }
    let condition = terms.substitute(block.guard, &now);
    let mut after = store.clone();
    for &variable in &block.changed {
        let value = terms.substitute(block.updates[&variable], &now);
        after.insert(variable, value);
    }
    (condition, after)
}

/// The statements from each state to acceptance, at least.
fn distances(remaining: &Remaining, blocks: &Blocks) -> Vec<u64> {
    let states = remaining.states();
    let mut predecessors: Vec<Vec<(usize, u64)>> = vec![Vec::new(); states.len()];
    for (from, state) in states.iter().enumerate() {
        for &(letter, to) in &state.successors {
            predecessors[to.index()].push((from, blocks.block(letter).edges.len() as u64));
        }
    }
    let mut distance = vec![u64::MAX; states.len()];
    let mut open = std::collections::BTreeSet::new();
    for (index, _) in states.iter().enumerate().filter(|it| it.1.accepting) {
        distance[index] = 0;
        open.insert((0, index));
    }
    while let Some((known, at)) = open.pop_first() {
        if known > distance[at] {
            continue;
        }
        for &(from, length) in &predecessors[at] {
            if known + length < distance[from] {
                distance[from] = known + length;
                open.insert((known + length, from));
            }
        }
    }
    distance
}

/// The successors of a state, the nearest to acceptance last.
fn ordered(remaining: &Remaining, blocks: &Blocks, distance: &[u64], state: StateId) -> Vec<(LetterId, StateId)> {
    let mut successors = remaining.state(state).successors.clone();
    let cost = |it: &(LetterId, StateId)| {
        let length = blocks.block(it.0).edges.len() as u64;
        (distance[it.1.index()].saturating_add(length), it.0)
    };
    successors.sort_by_key(|it| std::cmp::Reverse(cost(it)));
    successors
}
