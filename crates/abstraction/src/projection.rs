//! Backward analysis: safety and error projections, and relevant edges (PED, Balakrishnan and Ganai 2008, §4.1).
//!
//! A property of the program, proved or not → for each place before a command, in the property's own call and in
//! its callers, two sets of states: those from which some path reaches the property's place with the property
//! true (χ, the safety projection) and with it false (ψ, the error projection). Both contain more than the exact
//! sets: they are joined over paths and widened. An edge is relevant (Eqn. 1) if no state that reaches its end
//! is in ψ there, but some state that reaches its start would be.
//!
//! Deviations. Commands are inverted over linear constraints: an assignment substitutes, what has no linear
//! form is forgotten. A call on the way forgets its results and all that is known about memory. §4.1 writes
//! `¬φ` for the initial condition of χ once; it is `φ`.

use std::collections::BTreeMap;

use program::exec::{CommandRef, ViolationKind};
use program::{Argument, BlockId, CommandKind, Program, TerminatorKind};

use crate::analysis::Analysis;
use crate::analyzer::{Analyzer, Frame, Options, successors};
use crate::checks::Check;
use crate::numeric::{Constraint, Dimension, Linear, Numbers, Numeric};
use crate::places::{ContextId, Place};
use crate::state::State;
use crate::value::{Number, Value};

/// A place before a command or, past the last one, before the terminator, in a chain of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    pub context: ContextId,
    pub block: BlockId,
    pub index: u32,
}

/// A condition at a location. Each list is a disjunction of conjunctions over places.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub at: Location,
    pub holds: Vec<Vec<Constraint>>,
    pub fails: Vec<Vec<Constraint>>,
}

/// An edge of the control-flow graph: the command or the way out of a block that leads from one location on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: Location,
    /// The number of the successor, for a terminator.
    pub way: Option<u32>,
}

/// Where nothing is entered, no state leads to the property.
#[derive(Clone, Debug, Default)]
pub struct Projections {
    /// χ: conjunctions of linear constraints.
    pub safety: BTreeMap<Location, Vec<Constraint>>,
    /// ψ.
    pub error: BTreeMap<Location, Vec<Constraint>>,
    /// Edges that the proof needs, if the property is proved.
    pub relevant: Vec<Edge>,
}

/// Where a backward analysis starts.
struct Goal {
    at: Location,
    start: Numbers,
    /// What holds of states that go on from there.
    passes: Vec<Constraint>,
}

/// Rounds before bounds are given up.
const DELAY: u32 = 3;
const MOST_ROUNDS: u32 = 60;

type Sets = BTreeMap<Location, Numbers>;
type Invariants = BTreeMap<(ContextId, BlockId), Vec<State>>;

impl Analysis {
    /// The properties that a check stands for: one for each chain of calls that reaches it.
    pub fn properties(&mut self, program: &Program, check: &Check) -> Vec<Property> {
        let contexts = self.contexts(check.at.function);
        let mut analyzer = self.lend(program);
        analyzer.capture = Some((*check, Vec::new()));
        let mut properties = Vec::new();
        for context in contexts {
            let at = Location { context, block: check.at.block, index: check.at.index };
            properties.extend(analyzer.property(at, check, &self.invariants));
        }
        self.take_back(analyzer);
        properties
    }

    /// The projections of a property onto all locations from which it can be reached.
    pub fn project(&mut self, program: &Program, property: &Property) -> Projections {
        let mut analyzer = self.lend(program);
        let mut forward = BTreeMap::new();
        let safety = analyzer.backward(property, &property.holds, &self.invariants, &mut forward);
        let error = analyzer.backward(property, &property.fails, &self.invariants, &mut forward);
        let relevant = analyzer.relevant(&error, &forward);
        self.take_back(analyzer);
        let constraints = |sets: Sets| sets.into_iter().map(|(at, numbers)| (at, numbers.constraints())).collect();
        Projections { safety: constraints(safety), error: constraints(error), relevant }
    }

    fn lend<'p>(&mut self, program: &'p Program) -> Analyzer<'p> {
        let mut analyzer = Analyzer::new(program, Options { polyhedra: true, partitions: 1, ..self.options.clone() });
        analyzer.places = std::mem::take(&mut self.places);
        analyzer
    }

    fn take_back(&mut self, analyzer: Analyzer<'_>) {
        self.places = analyzer.places;
    }
}

impl<'p> Analyzer<'p> {
    /// Runs the command of a check and sees what it must not be.
    fn property(&mut self, at: Location, check: &Check, invariants: &Invariants) -> Option<Property> {
        let states = invariants.get(&(at.context, at.block))?;
        let frame = self.frame_in(at)?;
        if matches!(check.kind, ViolationKind::Assert | ViolationKind::ErrorCall) && self.is_failure(&frame) {
            return self.guard_property(&frame, at.context, invariants).or_else(|| {
                // It fails wherever it is reached; there is no state in which it holds.
                Some(Property { at, holds: Vec::new(), fails: vec![Vec::new()] })
            });
        }
        let before = self.states_before(at, states);
        self.recording = true;
        let state = before.get(at.index as usize)?.clone();
        match frame.body.block(at.block).commands.get(at.index as usize) {
            Some(command) => drop(self.command(state, &frame, command)),
            None => drop(self.finish_block(state, &frame)),
        }
        self.recording = false;
        let holds = std::mem::take(&mut self.capture.as_mut()?.1);
        if holds.is_empty() {
            return None;
        }
        let fails = holds.iter().filter_map(|linear| linear.scaled(-1)?.plus_constant(1));
        let fails = fails.map(|linear| vec![Constraint::AtMostZero(linear)]).collect();
        Some(Property { at, holds: vec![holds.into_iter().map(Constraint::AtMostZero).collect()], fails })
    }

    fn is_failure(&self, frame: &Frame<'_>) -> bool {
        let command = frame.body.block(frame.at.block).commands.get(frame.at.index as usize);
        command.is_some_and(|command| matches!(command.kind, CommandKind::Fail(_)))
    }

    /// The condition of the branch that leads to a failure: `assert(c)` is `if (!c) fail`.
    fn guard_property(&mut self, frame: &Frame<'p>, context: ContextId, invariants: &Invariants) -> Option<Property> {
        let shape = self.shape(frame.function, frame.body);
        let [(from, way)] = shape.predecessors[frame.at.block.index()][..] else { return None };
        let block = BlockId(from as u32);
        let TerminatorKind::Branch { condition, .. } = &frame.body.block(block).terminator.kind else { return None };
        let at = Location { context, block, index: frame.body.block(block).commands.len() as u32 };
        let states = invariants.get(&(context, block))?;
        let mut state = self.states_before(at, states).pop()?;
        let branch = self.frame_in(at)?;
        let taken = self.comparison_linear(&mut state, &branch, *condition)?;
        let other = taken.scaled(-1)?.plus_constant(1)?;
        let (fails, holds) = if way == 0 { (taken, other) } else { (other, taken) };
        let alone = |linear| vec![vec![Constraint::AtMostZero(linear)]];
        Some(Property { at, holds: alone(holds), fails: alone(fails) })
    }

    /// One state before each command of a block and before its terminator.
    fn states_before(&mut self, at: Location, states: &[State]) -> Vec<State> {
        let Some(frame) = self.frame_in(at) else { return Vec::new() };
        let mut before = Vec::new();
        let mut current = self.partition(states.to_vec());
        for (index, command) in frame.body.block(at.block).commands.iter().enumerate() {
            let frame = Frame { at: CommandRef { index: index as u32, ..frame.at }, ..frame };
            before.extend(current.first().cloned());
            let mut after = Vec::new();
            for state in current {
                let capture = self.capture.take();
                after.extend(self.silently(|this| this.command(state, &frame, command)));
                self.capture = capture;
            }
            current = self.partition(after);
        }
        before.extend(current.first().cloned());
        before
    }

    /// The states from which the property's place is reached in one of the given ways.
    fn backward(
        &mut self,
        property: &Property,
        goal: &[Vec<Constraint>],
        invariants: &Invariants,
        forward: &mut BTreeMap<Location, State>,
    ) -> Sets {
        let mut start = Numbers::bottom();
        for conjunction in goal {
            let mut numbers = Numbers::unconstrained(true);
            for constraint in conjunction {
                numbers.require(constraint);
            }
            start = start.join(&numbers);
        }
        let mut sets = Sets::new();
        let passes = match &property.holds[..] {
            [conjunction] => conjunction.clone(),
            _ => Vec::new(),
        };
        let mut goal = Goal { at: property.at, start, passes };
        loop {
            let context = goal.at.context;
            self.forward_states(context, invariants, forward);
            self.backward_in(&goal, forward, &mut sets);
            let entry = Location { context, block: BlockId(0), index: 0 };
            let Some((caller, call)) = self.places.context(context).caller else { return sets };
            let Some(numbers) = sets.get(&entry).cloned() else { return sets };
            let from = Location { context: caller, block: call.block, index: call.index };
            self.forward_states(caller, invariants, forward);
            let start = self.through_call(context, from, &numbers, forward);
            goal = Goal { at: from, start, passes: Vec::new() };
        }
    }

    fn forward_states(&mut self, context: ContextId, invariants: &Invariants, forward: &mut BTreeMap<Location, State>) {
        let first = Location { context, block: BlockId(0), index: 0 };
        if forward.range(first..).next().is_some_and(|(location, _)| location.context == context) {
            return;
        }
        for ((_, block), states) in invariants.range((context, BlockId(0))..=(context, BlockId(u32::MAX))) {
            let at = Location { context, block: *block, index: 0 };
            for (index, state) in self.states_before(at, states).into_iter().enumerate() {
                forward.insert(Location { index: index as u32, ..at }, state);
            }
        }
    }

    /// Goes backward in one body until nothing changes.
    fn backward_in(&mut self, goal: &Goal, forward: &BTreeMap<Location, State>, sets: &mut Sets) {
        let function = self.places.context(goal.at.context).function;
        let Some(body) = self.program.function(function).body.as_ref() else { return };
        let shape = self.shape(function, body);
        for round in 0..MOST_ROUNDS {
            let mut changed = false;
            for &block in shape.order.iter().rev() {
                for (location, numbers) in self.backward_block(goal, block, forward, sets) {
                    let old = sets.get(&location).cloned().unwrap_or_else(Numbers::bottom);
                    if numbers.is_within(&old) {
                        continue;
                    }
                    let joined = old.join(&numbers);
                    let thresholds = if round < DELAY + 5 { &shape.thresholds } else { &shape.coarse };
                    let new = if round < DELAY { joined } else { old.widen(&joined, thresholds) };
                    sets.insert(location, new);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            if round + 1 == MOST_ROUNDS {
                // Everything may lead there.
                let all = sets.keys().copied().filter(|at| at.context == goal.at.context).collect::<Vec<_>>();
                sets.extend(all.into_iter().map(|at| (at, Numbers::unconstrained(false))));
            }
        }
        self.descend(goal, forward, sets);
    }

    /// One round down again: what widening lost and the next step regains.
    fn descend(&mut self, goal: &Goal, forward: &BTreeMap<Location, State>, sets: &mut Sets) {
        let function = self.places.context(goal.at.context).function;
        let Some(body) = self.program.function(function).body.as_ref() else { return };
        let shape = self.shape(function, body);
        for &block in shape.order.iter().rev() {
            for (location, numbers) in self.backward_block(goal, block, forward, sets) {
                if sets.get(&location).is_some_and(|old| numbers.is_within(old)) {
                    sets.insert(location, numbers);
                }
            }
        }
    }

    /// The sets before each command of a block, from those of its successors.
    fn backward_block(
        &mut self,
        goal: &Goal,
        block: usize,
        forward: &BTreeMap<Location, State>,
        sets: &Sets,
    ) -> Vec<(Location, Numbers)> {
        let id = BlockId(block as u32);
        let first = Location { block: id, index: 0, ..goal.at };
        let Some(frame) = self.frame_in(first) else { return Vec::new() };
        let commands = &frame.body.block(id).commands;
        let end = Location { index: commands.len() as u32, ..first };
        let mut numbers = self.before_terminator(end, &frame, forward, sets);
        let mut found = Vec::new();
        for index in (0..=commands.len()).rev() {
            let at = Location { index: index as u32, ..first };
            if let Some(command) = commands.get(index) {
                let Some(state) = forward.get(&at) else { return found };
                let frame = Frame { at: CommandRef { index: index as u32, ..frame.at }, ..frame };
                numbers = self.before_command(&numbers, &frame, &command.kind, state);
            }
            if at == goal.at {
                // Who goes on from here has passed the check.
                for constraint in &goal.passes {
                    numbers.require(constraint);
                }
                numbers = numbers.join(&goal.start);
            }
            if !numbers.is_bottom() && forward.contains_key(&at) {
                found.push((at, numbers.clone()));
            }
        }
        found
    }

    fn frame_in(&self, at: Location) -> Option<Frame<'p>> {
        let function = self.places.context(at.context).function;
        let body = self.program.function(function).body.as_ref()?;
        let command = CommandRef { function, block: at.block, index: at.index };
        Some(Frame { context: at.context, function, body, at: command })
    }

    fn before_terminator(
        &mut self,
        end: Location,
        frame: &Frame<'p>,
        forward: &BTreeMap<Location, State>,
        sets: &Sets,
    ) -> Numbers {
        let mut numbers = Numbers::bottom();
        let Some(state) = forward.get(&end) else { return numbers };
        let frame = Frame { at: CommandRef { index: end.index, ..frame.at }, ..*frame };
        let terminator = &frame.body.block(end.block).terminator.kind;
        for (way, to) in successors(frame.body, end.block.index()).into_iter().enumerate() {
            let next = Location { block: BlockId(to as u32), index: 0, ..end };
            let Some(after) = sets.get(&next) else { continue };
            let mut here = State { numbers: after.clone(), ..state.clone() };
            match terminator {
                TerminatorKind::Branch { condition, .. } => {
                    self.silently(|this| this.assume(&mut here, &frame, *condition, way == 0));
                    self.learned.clear();
                }
                TerminatorKind::Switch { .. } => {
                    let ways = self.silently(|this| this.finish_block(here.clone(), &frame));
                    self.learned.clear();
                    here = ways.into_iter().nth(way).unwrap_or(here);
                }
                _ => {}
            }
            numbers = numbers.join(&here.numbers);
        }
        numbers
    }

    /// The states from which a command can lead into the set.
    fn before_command(
        &mut self,
        after: &Numbers,
        frame: &Frame<'p>,
        command: &'p CommandKind,
        state: &State,
    ) -> Numbers {
        if after.is_bottom() {
            return Numbers::bottom();
        }
        match command {
            CommandKind::Assign { target, value } => {
                let mut probe = state.clone();
                let value = self.silently(|this| this.evaluate(&mut probe, frame, *value));
                self.learned.clear();
                let reading = self.places.variable_reading(self.program, frame.context, *target);
                let linear = match value {
                    Value::Number(number) if number.reading.bits == reading.bits => number.read_as(reading).linear,
                    Value::Pointer(pointer) if !pointer.targets.wild => pointer.offset.linear,
                    _ => None,
                };
                let dimension = self.variable(frame, *target);
                substitute(after, dimension, linear.as_ref())
            }
            CommandKind::Havoc { target, .. } | CommandKind::Declare(target) | CommandKind::StackMark { target } => {
                let dimension = self.variable(frame, *target);
                substitute(after, dimension, None)
            }
            CommandKind::Assume(condition) | CommandKind::Assert { condition, .. } => {
                let mut here = State { numbers: after.clone(), ..state.clone() };
                self.silently(|this| this.assume(&mut here, frame, *condition, true));
                self.learned.clear();
                here.numbers
            }
            CommandKind::Fail(_) | CommandKind::Unsupported(_) => Numbers::bottom(),
            CommandKind::Call(call) => {
                let mut numbers = self.without_memory(after);
                for target in &call.targets {
                    let dimension = self.variable(frame, *target);
                    numbers = substitute(&numbers, dimension, None);
                }
                numbers
            }
            CommandKind::Allocate { target, .. } => {
                let dimension = self.variable(frame, *target);
                substitute(&self.without_memory(after), dimension, None)
            }
            _ => self.without_memory(after),
        }
    }

    /// Forgets everything about objects.
    fn without_memory(&self, numbers: &Numbers) -> Numbers {
        let mut kept = Numbers::unconstrained(true);
        let of_memory = |dimension: &Dimension| !matches!(self.places.place(*dimension), Place::Variable(..));
        let mut known = numbers.clone();
        let constraints = numbers.constraints();
        for (dimension, _) in constraints.iter().flat_map(|constraint| &constraint.linear().terms) {
            if of_memory(dimension) {
                known.forget(*dimension);
            }
        }
        for constraint in known.constraints() {
            kept.require(&constraint);
        }
        kept
    }

    /// From a callee's entry to the call: parameters become arguments.
    fn through_call(
        &mut self,
        context: ContextId,
        from: Location,
        entry: &Numbers,
        forward: &BTreeMap<Location, State>,
    ) -> Numbers {
        let mut numbers = entry.clone();
        let (Some(frame), Some(state)) = (self.frame_in(from), forward.get(&from)) else { return numbers };
        let command = frame.body.block(from.block).commands.get(from.index as usize);
        let Some(CommandKind::Call(call)) = command.map(|command| &command.kind) else { return numbers };
        let mut probe = state.clone();
        let function = self.places.context(context).function;
        let Some(body) = self.program.function(function).body.as_ref() else { return numbers };
        for index in 0..body.variables.len() {
            let variable = program::VarId(index as u32);
            let dimension = self.places.dimension(Place::Variable(context, variable));
            let reading = self.places.variable_reading(self.program, context, variable);
            let linear = match call.arguments.get(index) {
                Some(Argument::Scalar(id)) => {
                    let value = self.silently(|this| this.evaluate(&mut probe, &frame, *id));
                    self.learned.clear();
                    argument(value).and_then(|number| match number.reading.bits == reading.bits {
                        true if body.variable(variable).ty != program::Type::Pointer => number.read_as(reading).linear,
                        _ => number.linear,
                    })
                }
                _ => None,
            };
            numbers = substitute(&numbers, dimension, linear.as_ref());
        }
        numbers
    }

    /// Edges whose removal would let an error state through (Eqn. 1).
    fn relevant(&mut self, error: &Sets, forward: &BTreeMap<Location, State>) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (from, before) in forward {
            let Some(frame) = self.frame_in(*from) else { continue };
            let block = frame.body.block(from.block);
            let nexts: Vec<(Option<u32>, Location)> = if (from.index as usize) < block.commands.len() {
                vec![(None, Location { index: from.index + 1, ..*from })]
            } else {
                let ways = successors(frame.body, from.block.index()).into_iter().enumerate();
                ways.map(|(way, to)| (Some(way as u32), Location { block: BlockId(to as u32), index: 0, ..*from }))
                    .collect()
            };
            for (way, to) in nexts {
                let Some(bad) = error.get(&to) else { continue };
                let reached = forward.get(&to).is_some_and(|after| !after.numbers.meet(bad).is_bottom());
                if !reached && !before.numbers.meet(bad).is_bottom() {
                    edges.push(Edge { from: *from, way });
                }
            }
        }
        edges
    }
}

fn argument(value: Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number),
        Value::Pointer(pointer) if !pointer.targets.wild => Some(pointer.offset),
        _ => None,
    }
}

/// The points that are in the set once the dimension has the expression's value; without one, some value.
fn substitute(numbers: &Numbers, dimension: Dimension, by: Option<&Linear>) -> Numbers {
    if numbers.is_bottom() {
        return Numbers::bottom();
    }
    let Some(by) = by else {
        let mut forgotten = numbers.clone();
        forgotten.forget(dimension);
        return forgotten;
    };
    let mut before = Numbers::unconstrained(true);
    for constraint in numbers.constraints() {
        if let Some(constraint) = constraint.substitute(dimension, by) {
            before.require(&constraint);
        }
    }
    before
}
