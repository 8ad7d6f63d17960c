//! The forward fixpoint: blocks in Bourdoncle's weak topological order, loops until they are stable.
//!
//! A loop's head is widened after a delay, then narrowed by going through the loop again, as long as the
//! result is stable too. Checks are recorded in a last pass over what is stable. States that different
//! branches lead to are kept apart up to a number, and never across a loop's head.

use std::rc::Rc;

use program::exec::CommandRef;
use program::{BlockId, TerminatorKind};
use rustc_hash::FxHashMap;

use crate::analyzer::{Analyzer, Frame, Shape};
use crate::state::State;

/// Descending rounds through a loop.
const NARROWING: u32 = 2;
/// Rounds in which widening stops at the function's constants.
const FINE_ROUNDS: u32 = 8;
/// A loop that is not stable by then never will be, which is a bug of ours: nothing is called proved then.
const MOST_ROUNDS: u32 = 300;
/// Latest branches that tell states apart.
const HISTORY: usize = 3;

/// One analysis of one body.
struct Run<'p> {
    frame: Frame<'p>,
    shape: Rc<Shape>,
    entry: Vec<State>,
    /// What flows along each way out of a block.
    flows: FxHashMap<(usize, usize), Vec<State>>,
    heads: FxHashMap<usize, State>,
    exits: FxHashMap<usize, Vec<State>>,
}

impl<'p> Analyzer<'p> {
    /// Analyses a body from its entry; the states in which it returns.
    pub(crate) fn run_body(&mut self, frame: Frame<'p>, entry: Vec<State>) -> Vec<State> {
        if frame.body.blocks.is_empty() {
            return Vec::new();
        }
        let shape = self.shape(frame.function, frame.body);
        let order = shape.order.clone();
        let mut run = Run {
            frame,
            shape,
            entry,
            flows: FxHashMap::default(),
            heads: FxHashMap::default(),
            exits: FxHashMap::default(),
        };
        self.process(&mut run, &order);
        let mut blocks: Vec<usize> = run.exits.keys().copied().collect();
        blocks.sort_unstable();
        let exits = blocks.into_iter().flat_map(|block| run.exits.remove(&block).unwrap_or_default()).collect();
        self.partition(exits)
    }

    fn process(&mut self, run: &mut Run<'p>, nodes: &[usize]) {
        let mut index = 0;
        while index < nodes.len() {
            let node = nodes[index];
            let inside = |other: &&usize| run.shape.nesting.loops[**other].contains(&node);
            let length = nodes[index + 1..].iter().take_while(inside).count();
            if run.shape.nesting.loops[node].last() == Some(&node) {
                let members = &nodes[index + 1..index + 1 + length];
                self.process_loop(run, node, members);
                index += 1 + length;
            } else {
                let states = self.incoming(run, node, |_| true);
                self.process_block(run, node, states);
                index += 1;
            }
        }
    }

    /// What flows into a block from the blocks that the filter takes.
    fn incoming(&mut self, run: &Run<'p>, node: usize, filter: impl Fn(usize) -> bool) -> Vec<State> {
        let mut states = Vec::new();
        if node == 0 && filter(usize::MAX) {
            states.extend(run.entry.iter().cloned());
        }
        for (from, way) in &run.shape.predecessors[node] {
            if filter(*from) {
                states.extend(run.flows.get(&(*from, *way)).into_iter().flatten().cloned());
            }
        }
        self.partition(states)
    }

    fn merged(&mut self, states: Vec<State>) -> Option<State> {
        let mut states = states.into_iter().filter(|state| !state.is_bottom());
        let mut joined = states.next()?;
        for state in states {
            joined = joined.join(&state, self.program, &mut self.places);
        }
        joined.history.clear();
        Some(joined)
    }

    fn process_loop(&mut self, run: &mut Run<'p>, head: usize, members: &[usize]) {
        let inside = |node: usize| node == head || members.contains(&node);
        let outside = self.incoming(run, head, |from| !inside(from));
        let Some(outside) = self.merged(outside) else {
            self.clear(run, head, members);
            return;
        };
        let recording = std::mem::replace(&mut self.recording, false);
        let mut state = outside.clone();
        if let Some(before) = run.heads.get(&head).filter(|_| !self.fresh) {
            let before = before.clone();
            state = before.join(&outside, self.program, &mut self.places);
        }
        let shape = run.shape.clone();
        let mut round: u32 = 0;
        loop {
            let next = self.go_round(run, head, members, &state, &outside);
            if next.is_within(&state, self.program, &mut self.places) {
                state = self.narrow(run, head, members, state, next, &outside);
                break;
            }
            let joined = state.join(&next, self.program, &mut self.places);
            state = match round.checked_sub(self.options.delay) {
                None => joined,
                Some(late) => {
                    let thresholds = if late < FINE_ROUNDS { &shape.thresholds } else { &shape.coarse };
                    state.widen(&joined, thresholds, self.program, &mut self.places)
                }
            };
            round += 1;
            if round > MOST_ROUNDS {
                self.unstable = true;
                break;
            }
        }
        run.heads.insert(head, state.clone());
        self.recording = recording;
        if recording {
            self.go_round(run, head, members, &state, &outside);
        }
    }

    /// Nothing flows out of these blocks.
    fn clear(&mut self, run: &mut Run<'p>, head: usize, members: &[usize]) {
        for &node in members.iter().chain([&head]) {
            run.flows.retain(|(from, _), _| *from != node);
            run.exits.remove(&node);
        }
    }

    /// One round from a state at the head; what then flows into the head.
    fn go_round(&mut self, run: &mut Run<'p>, head: usize, members: &[usize], state: &State, outside: &State) -> State {
        self.process_block(run, head, vec![state.clone()]);
        self.process(run, members);
        let back = self.incoming(run, head, |from| from == head || members.contains(&from));
        match self.merged(back) {
            Some(back) => outside.join(&back, self.program, &mut self.places),
            None => outside.clone(),
        }
    }

    /// Goes down from a stable state as long as it stays stable.
    fn narrow(
        &mut self,
        run: &mut Run<'p>,
        head: usize,
        members: &[usize],
        stable: State,
        next: State,
        outside: &State,
    ) -> State {
        let (mut stable, mut next) = (stable, next);
        let fresh = std::mem::replace(&mut self.fresh, true);
        for _ in 0..NARROWING {
            if stable.is_within(&next, self.program, &mut self.places) {
                break;
            }
            let after = self.go_round(run, head, members, &next, outside);
            if !after.is_within(&next, self.program, &mut self.places) {
                break;
            }
            stable = next;
            next = after;
        }
        // The flows of the loop must be those of the state that is kept.
        self.go_round(run, head, members, &stable, outside);
        self.fresh = fresh;
        stable
    }

    fn process_block(&mut self, run: &mut Run<'p>, node: usize, states: Vec<State>) {
        let body = run.frame.body;
        let ways = crate::analyzer::successors(body, node).len();
        let id = BlockId(node as u32);
        let states: Vec<State> = states.into_iter().filter(|state| !state.is_bottom()).collect();
        if self.recording && !states.is_empty() {
            self.invariants.insert((run.frame.context, id), states.clone());
        }
        let block = body.block(id);
        let mut frame = run.frame;
        let mut states = states;
        for (index, command) in block.commands.iter().enumerate() {
            frame.at = CommandRef { function: frame.function, block: id, index: index as u32 };
            let mut after = Vec::new();
            for state in states {
                after.extend(self.command(state, &frame, command).into_iter().filter(|state| !state.is_bottom()));
            }
            states = self.partition(after);
        }
        frame.at = CommandRef { function: frame.function, block: id, index: block.commands.len() as u32 };
        let returns = matches!(block.terminator.kind, TerminatorKind::Return(_));
        let mut flows = vec![Vec::new(); ways];
        let mut exits = Vec::new();
        for state in states {
            for (way, after) in self.finish_block(state, &frame).into_iter().enumerate() {
                if after.is_bottom() {
                    continue;
                }
                match returns {
                    true => exits.push(after),
                    false => flows[way].push(after),
                }
            }
        }
        for (way, states) in flows.into_iter().enumerate() {
            let states = self.partition(states);
            run.flows.insert((node, way), states);
        }
        run.exits.insert(node, exits);
    }

    /// Joins states until there are few: first those whose latest branches agree.
    pub(crate) fn partition(&mut self, states: Vec<State>) -> Vec<State> {
        let mut parts: Vec<State> = Vec::new();
        for keep in (0..=HISTORY).rev() {
            let pool = if keep == HISTORY { states.clone() } else { std::mem::take(&mut parts) };
            for mut state in pool {
                if state.is_bottom() {
                    continue;
                }
                let excess = state.history.len().saturating_sub(keep);
                state.history.drain(..excess);
                match parts.iter_mut().find(|part| part.history == state.history) {
                    Some(part) => *part = part.join(&state, self.program, &mut self.places),
                    None => parts.push(state),
                }
            }
            if parts.len() <= self.options.partitions.max(1) {
                break;
            }
        }
        parts
    }
}
