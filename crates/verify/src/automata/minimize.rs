//! Which states of the remaining automaton have the same language.
//!
//! Partition refinement: a class is split when a state's successors have come into different classes. Only states
//! before those that changed their class are looked at again, and the largest part of a class keeps its number, so
//! that each state changes it rarely (Hopcroft's idea).

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::blocks::LetterId;
use super::remaining::State;

pub struct Partition {
    /// The number of each state's class.
    pub class: Vec<u32>,
    members: Vec<Vec<u32>>,
    predecessors: Vec<Vec<u32>>,
}

impl Partition {
    /// States with the same letters, and accepting ones, belong together for a start.
    pub fn new(states: &[State]) -> Partition {
        let mut numbers: FxHashMap<(bool, Vec<LetterId>), u32> = FxHashMap::default();
        let mut class = Vec::with_capacity(states.len());
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
        for (index, state) in states.iter().enumerate() {
            let letters = state.successors.iter().map(|it| it.0).collect();
            let number = *numbers.entry((state.accepting, letters)).or_insert(members.len() as u32);
            if number as usize == members.len() {
                members.push(Vec::new());
            }
            members[number as usize].push(index as u32);
            class.push(number);
            for &(_, to) in &state.successors {
                predecessors[to.index()].push(index as u32);
            }
        }
        Partition { class, members, predecessors }
    }

    /// Splits classes until all states of a class have equal successors.
    pub fn refine(&mut self, states: &[State]) {
        let mut open: BTreeSet<u32> = (0..self.members.len() as u32).collect();
        // For each class, the states whose successors have changed their class.
        let mut changed: Vec<Vec<u32>> = self.members.clone();
        while let Some(number) = open.pop_first() {
            let mut again = std::mem::take(&mut changed[number as usize]);
            again.sort_unstable();
            again.dedup();
            for moved in self.split(states, number, &again) {
                for at in 0..self.predecessors[moved as usize].len() {
                    let before = self.predecessors[moved as usize][at];
                    let class = self.class[before as usize];
                    changed.resize(self.members.len(), Vec::new());
                    changed[class as usize].push(before);
                    open.insert(class);
                }
            }
            changed.resize(self.members.len(), Vec::new());
        }
    }

    /// Splits a class in which these states have changed; the states that got a new class.
    fn split(&mut self, states: &[State], number: u32, changed: &[u32]) -> Vec<u32> {
        let mut parts: Vec<Vec<u32>> = Vec::new();
        let mut known: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for &state in changed {
            let classes = states[state as usize].successors.iter().map(|it| self.class[it.1.index()]).collect();
            let part = *known.entry(classes).or_insert(parts.len());
            if part == parts.len() {
                parts.push(Vec::new());
            }
            parts[part].push(state);
        }
        let rest = self.members[number as usize].len() - changed.len();
        if parts.len() + usize::from(rest > 0) < 2 {
            return Vec::new();
        }
        let largest = (0..parts.len()).max_by_key(|&it| (parts[it].len(), std::cmp::Reverse(it)));
        if let Some(largest) = largest.filter(|&it| parts[it].len() > rest) {
            let staying = parts.swap_remove(largest);
            if rest > 0 {
                let unchanged = |it: &u32| changed.binary_search(it).is_err();
                parts.push(self.members[number as usize].iter().copied().filter(unchanged).collect());
            }
            self.members[number as usize] = staying;
        } else {
            self.members[number as usize].retain(|it| changed.binary_search(it).is_err());
        }
        let mut moved = Vec::new();
        for part in parts {
            let fresh = self.members.len() as u32;
            for &state in &part {
                self.class[state as usize] = fresh;
            }
            moved.extend(&part);
            self.members.push(part);
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use logic::control_flow::LocationId;
    use logic::terms::Terms;

    use super::super::blocks::LetterId;
    use super::super::proof::Closed;
    use super::super::remaining::{State, StateId};
    use super::Partition;

    /// Each state's successors by letter, and whether it accepts → the classes, numbered by their first state.
    fn check(automaton: &[(&[(u32, u32)], bool)], expected: &[usize]) {
        let assertion = Terms::new().true_term();
        let state = |&(successors, accepting): &(&[(u32, u32)], bool)| State {
            location: LocationId(0),
            assertion,
            successors: successors.iter().map(|&(letter, to)| (LetterId(letter), StateId(to))).collect(),
            accepting,
            closed: Closed::default(),
        };
        let states: Vec<State> = automaton.iter().map(state).collect();
        let mut partition = Partition::new(&states);
        partition.refine(&states);
        let first = |class: &u32| partition.class.iter().position(|it| it == class);
        let found: Vec<usize> = partition.class.iter().filter_map(first).collect();
        assert_eq!(found, expected, "{automaton:?}");
    }

    #[test]
    fn states_with_the_same_language_are_together() {
        check(
            &[(&[(0, 1), (1, 2)], false), (&[(2, 3)], false), (&[(2, 4)], false), (&[], true), (&[], true)],
            &[0, 1, 1, 3, 3],
        );
        // A chain of loops: how far acceptance is tells them apart, however long it takes to find out.
        check(&[(&[(0, 1)], false), (&[(0, 2)], false), (&[(0, 3)], false), (&[(0, 3)], true)], &[0, 1, 2, 3]);
        check(&[(&[(0, 1)], false), (&[(0, 2)], false), (&[(0, 0)], false)], &[0, 0, 0]);
        check(&[(&[(0, 2), (1, 1)], false), (&[(0, 2), (1, 0)], false), (&[], true)], &[0, 0, 2]);
        check(&[(&[(0, 2), (1, 1)], false), (&[(0, 3), (1, 0)], false), (&[], true), (&[(5, 2)], true)], &[0, 1, 2, 3]);
    }
}
