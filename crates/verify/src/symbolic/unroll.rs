//! Unrolling: the order in which the blocks of a call are explored, so that paths meet before they go on.
//!
//! Every block has a place in the unrolled function: its position in the weak topological order, preceded
//! by the loops around it with their iteration numbers. Places are compared lexicographically, and the least
//! one that a path has reached comes next: then all paths to it have arrived and become one state.
//!
//! Iterations that constants decide cost nothing of the bound: a loop to 1,000 is followed to its end. Others,
//! where the path parted or nothing in the loop was asked, count. What goes beyond is cut and recorded.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::terms::TermId;
use program::exec::{CommandRef, ViolationKind};
use program::{BlockId, Body, FunctionId, Object, TerminatorKind};
use rustc_hash::FxHashMap;

use super::memory::{address as address_of_byte, static_object};
use super::state::{Scalar, State};
use super::{Engine, Flow, Frame, Place, Stop};

/// A block's place in the unrolled function.
type Key = Vec<(u32, u32)>;

/// Iterations that constants decide may be this often the square of the bound.
const FREE_ITERATIONS: u64 = 64;

/// The loops of a function.
#[derive(Default)]
pub struct Shape {
    position: Vec<u32>,
    /// The heads of the loops around each block, the outermost first.
    loops: Vec<Vec<u32>>,
    /// The heads of the loops that some way out of the block leaves.
    exits: Vec<Vec<u32>>,
}

/// How far a loop has got.
struct Progress {
    guard: TermId,
    /// A constant kept the last iteration inside.
    decided: bool,
    counted: u32,
    free: u64,
}

/// What is under way in one call.
#[derive(Default)]
struct Worklist {
    waiting: BTreeMap<Key, (BlockId, Vec<State>)>,
    loops: FxHashMap<u32, Progress>,
    returned: Vec<State>,
}

impl<'p> Engine<'p> {
    fn shape(&mut self, function: FunctionId) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&function) {
            return shape.clone();
        }
        let shape = Rc::new(self.program.function(function).body.as_ref().map(Shape::of).unwrap_or_default());
        self.shapes.insert(function, shape.clone());
        shape
    }

    /// Runs a function whose parameters are set; the state in which it returns, if it does.
    pub(super) fn run_body(&mut self, frame: &Frame<'p>, state: State) -> Flow<Option<State>> {
        let shape = self.shape(frame.function);
        let mut work = Worklist::default();
        work.waiting.insert(shape.key(BlockId(0), &[], &[]), (BlockId(0), vec![state]));
        while let Some((key, (block, states))) = work.waiting.pop_first() {
            let Some(state) = self.merge_all(states) else { continue };
            if self.go_on(&shape, &mut work.loops, block, &key, &state) {
                match self.run_block(frame, &shape, &mut work, (block, key), state) {
                    Err(Stop::Path) | Ok(()) => {}
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(self.merge_all(work.returned))
    }

    /// Counts iterations; false if the bound is reached.
    fn go_on(
        &mut self,
        shape: &Shape,
        loops: &mut FxHashMap<u32, Progress>,
        block: BlockId,
        key: &Key,
        state: &State,
    ) -> bool {
        if shape.loops[block.index()].last() != Some(&block.0) {
            return true;
        }
        let iteration = key[key.len() - 2].1;
        let fresh = Progress { guard: state.guard, decided: false, counted: 0, free: 0 };
        let Some(progress) = loops.get_mut(&block.0).filter(|_| iteration > 0) else {
            loops.insert(block.0, fresh);
            return true;
        };
        if progress.decided && progress.guard == state.guard {
            progress.free += 1;
        } else {
            progress.counted += 1;
        }
        progress.guard = state.guard;
        progress.decided = false;
        let bound = u64::from(self.bound);
        if progress.counted > self.bound || progress.free > FREE_ITERATIONS * bound * bound {
            self.findings.cuts.push(state.guard);
            return false;
        }
        true
    }

    fn run_block(
        &mut self,
        frame: &Frame<'p>,
        shape: &Shape,
        work: &mut Worklist,
        (id, key): (BlockId, Key),
        mut state: State,
    ) -> Flow<()> {
        let block = frame.body.block(id);
        let context = self.block_context(frame.context, &key);
        for (index, command) in block.commands.iter().enumerate() {
            if !self.needed.has(CommandRef { function: frame.function, block: id, index: index as u32 }) {
                continue;
            }
            self.step()?;
            let place = Place { context, command: index as u32, site: command.site };
            self.command(&mut state, frame, command, place)?;
        }
        self.step()?;
        if let Some(target) = self.needed.passes_to(frame.function, id) {
            shape.arrive(work, id, &key, target, state);
            return Ok(());
        }
        let place = Place { context, command: block.commands.len() as u32, site: block.terminator.site };
        self.terminate(frame, shape, work, (id, &key), state, place)
    }

    fn terminate(
        &mut self,
        frame: &Frame<'p>,
        shape: &Shape,
        work: &mut Worklist,
        (id, key): (BlockId, &Key),
        mut state: State,
        place: Place,
    ) -> Flow<()> {
        match &frame.body.block(id).terminator.kind {
            TerminatorKind::Goto(target) => shape.arrive(work, id, key, *target, state),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = self.value(&mut state, frame, *condition, place)?;
                if let Some(rest) = self.send(shape, work, (id, key), state, condition, *then) {
                    shape.arrive(work, id, key, *otherwise, rest);
                }
            }
            TerminatorKind::Switch { value, cases, default } => {
                let ty = frame.body.expr(*value).ty;
                let value = self.value(&mut state, frame, *value, place)?;
                let mut groups: Vec<(BlockId, Vec<TermId>)> = Vec::new();
                for (case, target) in cases {
                    let case = self.literal(*case, ty);
                    let equal = self.terms.eq(value, case);
                    match groups.iter_mut().find(|(known, _)| known == target) {
                        Some((_, conditions)) => conditions.push(equal),
                        None => groups.push((*target, vec![equal])),
                    }
                }
                for (target, conditions) in groups {
                    let condition = self.terms.or(&conditions);
                    match self.send(shape, work, (id, key), state, condition, target) {
                        Some(rest) => state = rest,
                        None => return Ok(()),
                    }
                }
                shape.arrive(work, id, key, *default, state);
            }
            TerminatorKind::IndirectGoto { address, targets } => {
                let value = self.value(&mut state, frame, *address, place)?;
                for target in targets {
                    let label = Object::Label(frame.function, *target);
                    let (number, offset) = static_object(self.program, label).unwrap_or((0, 0));
                    let label = self.terms.bv(64, address_of_byte(number, offset));
                    let here = self.terms.eq(value, label);
                    match self.send(shape, work, (id, key), state, here, *target) {
                        Some(rest) => state = rest,
                        None => return Ok(()),
                    }
                }
                return self.stop_unsupported(&mut state, "a jump to no label of the function", place.site);
            }
            TerminatorKind::Return(values) => {
                let needed = self.needed.has(CommandRef { function: frame.function, block: id, index: place.command });
                let mut results: Vec<Scalar> = Vec::with_capacity(values.len());
                for value in values {
                    results.push(match needed {
                        true => self.scalar(&mut state, frame, *value, place)?,
                        false => {
                            let anything = self.literal(0, frame.body.expr(*value).ty);
                            self.written(anything)
                        }
                    });
                }
                for (index, scalar) in results.into_iter().enumerate() {
                    state.variables.insert((frame.context, u32::MAX - index as u32), scalar);
                }
                work.returned.push(state);
            }
            TerminatorKind::Unreachable => {
                let always = self.terms.true_term();
                self.forbid(&mut state, ViolationKind::Unreachable, always, place.site)?;
            }
        }
        Ok(())
    }

    /// Sends the part of a state in which the condition holds to a block; the other part goes on.
    fn send(
        &mut self,
        shape: &Shape,
        work: &mut Worklist,
        (id, key): (BlockId, &Key),
        state: State,
        condition: TermId,
        target: BlockId,
    ) -> Option<State> {
        let negation = self.terms.not(condition);
        let then = self.guards.child(&mut self.terms, state.guard, condition);
        let otherwise = self.guards.child(&mut self.terms, state.guard, negation);
        let none = self.terms.false_term();
        let decided = match self.guards.decided(&mut self.terms, state.guard, condition) {
            None if then == none => Some(false),
            None if otherwise == none => Some(true),
            decided => decided,
        };
        match decided {
            Some(holds) => {
                for head in &shape.exits[id.index()] {
                    if let Some(progress) = work.loops.get_mut(head) {
                        progress.decided = true;
                    }
                }
                if !holds {
                    return Some(state);
                }
                shape.arrive(work, id, key, target, state);
                None
            }
            None => {
                self.findings.branches.push(then);
                let rest = State { guard: otherwise, ..state.clone() };
                shape.arrive(work, id, key, target, State { guard: then, ..state });
                Some(rest)
            }
        }
    }
}

impl Shape {
    fn of(body: &Body) -> Shape {
        let successors = body.successors();
        let nesting = graph::nesting(&successors);
        let loops: Vec<Vec<u32>> =
            nesting.loops.iter().map(|heads| heads.iter().map(|&head| head as u32).collect()).collect();
        let exits = successors.iter().enumerate().map(|(block, targets)| {
            let left = |head: &&u32| targets.iter().any(|&target| !loops[target].contains(head));
            loops[block].iter().filter(left).copied().collect()
        });
        let exits = exits.collect();
        Shape { position: nesting.position.iter().map(|&it| it as u32).collect(), loops, exits }
    }

    /// The place of a block, coming from a block with these loops and that place.
    fn key(&self, block: BlockId, from: &[u32], key: &[(u32, u32)]) -> Key {
        let heads = &self.loops[block.index()];
        let mut result = Vec::with_capacity(heads.len() + 1);
        let mut common = true;
        for (depth, &head) in heads.iter().enumerate() {
            common = common && from.get(depth) == Some(&head);
            let mut iteration = if common { key[depth].1 } else { 0 };
            if common && head == block.0 {
                iteration += 1;
            }
            result.push((self.position[head as usize], iteration));
        }
        result.push((self.position[block.index()], 0));
        result
    }

    fn arrive(&self, work: &mut Worklist, from: BlockId, key: &Key, target: BlockId, state: State) {
        let place = self.key(target, &self.loops[from.index()], key);
        work.waiting.entry(place).or_insert_with(|| (target, Vec::new())).1.push(state);
    }
}
