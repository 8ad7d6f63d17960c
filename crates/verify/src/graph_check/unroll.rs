//! Unrolling: all executions of a graph at once, over terms, in levels.
//!
//! An edge goes back if its target does not come later in an order of the locations in which every cycle has
//! such an edge. A level has the executions that went back as often as the level's number; within it, paths
//! merge where they meet, with `ite` terms where they differ. So the size grows with the length of executions
//! and not with the number of paths, for any jumps, and loops within loops need no bound of their own.
//!
//! Where several edges can be taken, a fresh Boolean chooses, so that the guards of paths exclude each other
//! and a model tells the path. Two edges with opposite conditions need none.

use std::collections::{BTreeMap, BTreeSet};

use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use logic::commands::Command;
use logic::control_flow::{Graph, LocationId, Statement};
use logic::sort::Sort;
use logic::terms::{Substitution, TermId, Terms};

use super::assumed;
use crate::symbolic::guards::Guards;

/// What all paths have in common that reach a location at a level.
#[derive(Clone)]
struct State {
    guard: TermId,
    /// A variable that is not here has the value that it began with, which is itself.
    values: OrdMap<TermId, TermId>,
}

/// Something that is reached under a condition.
#[derive(Clone, Copy)]
pub struct Reached {
    pub location: LocationId,
    pub guard: TermId,
}

pub struct Unrolling {
    pub level: u32,
    pub obligations: Vec<Reached>,
    pub stops: Vec<Reached>,
    /// By level and location: the Booleans that choose, one for each edge but the last.
    pub choices: BTreeMap<(u32, LocationId), Vec<TermId>>,
    /// By level and edge: what `havoc` yields.
    pub havocs: BTreeMap<(u32, u32), TermId>,
    errors: BTreeSet<LocationId>,
    order: Order,
    guards: Guards,
    /// The states with which the next level begins, by position.
    frontier: BTreeMap<u32, Vec<State>>,
}

/// Positions of locations such that an edge to an earlier one, or to itself, is in every cycle.
struct Order {
    position: Vec<u32>,
    locations: Vec<LocationId>,
}

impl Order {
    /// The reverse of the order in which a search in depth leaves locations.
    fn new(graph: &Graph) -> Order {
        let mut left = Vec::new();
        let mut seen = vec![false; graph.location_count()];
        let mut open: Vec<(LocationId, Vec<LocationId>)> = Vec::new();
        let targets = |location| graph.outgoing(location).map(|(_, edge)| edge.to).collect::<Vec<_>>();
        seen[Graph::ENTRY.0 as usize] = true;
        open.push((Graph::ENTRY, targets(Graph::ENTRY)));
        while let Some((location, rest)) = open.last_mut() {
            match rest.pop() {
                Some(next) if !seen[next.0 as usize] => {
                    seen[next.0 as usize] = true;
                    open.push((next, targets(next)));
                }
                Some(_) => {}
                None => {
                    left.push(*location);
                    open.pop();
                }
            }
        }
        left.reverse();
        let mut position = vec![u32::MAX; graph.location_count()];
        for (index, location) in left.iter().enumerate() {
            position[location.0 as usize] = index as u32;
        }
        Order { position, locations: left }
    }

    fn position(&self, location: LocationId) -> u32 {
        self.position[location.0 as usize]
    }
}

impl Unrolling {
    pub fn new(graph: &Graph) -> Unrolling {
        let always = Terms::new().true_term();
        let begin = State { guard: always, values: OrdMap::new() };
        Unrolling {
            level: 0,
            obligations: Vec::new(),
            stops: Vec::new(),
            choices: BTreeMap::new(),
            havocs: BTreeMap::new(),
            errors: graph.errors.iter().copied().collect(),
            order: Order::new(graph),
            guards: Guards::new(always),
            frontier: [(0, vec![begin])].into_iter().collect(),
        }
    }

    /// Whether no execution goes back any more.
    pub fn is_finished(&self) -> bool {
        self.frontier.is_empty()
    }

    pub fn frontier_guards(&self) -> Vec<TermId> {
        self.frontier.values().flatten().map(|it| it.guard).collect()
    }

    pub fn is_error(&self, location: LocationId) -> bool {
        self.errors.contains(&location)
    }

    /// Whether an edge leads to the next level.
    pub fn goes_back(&self, from: LocationId, to: LocationId) -> bool {
        self.order.position(to) <= self.order.position(from)
    }

    /// Follows all paths of the current level; those that go back wait for the next one.
    pub fn advance(
        &mut self,
        terms: &mut Terms,
        graph: &Graph,
        stops: &[LocationId],
        over: impl Fn(&Terms) -> Option<&'static str>,
    ) -> Result<(), &'static str> {
        let mut waiting = std::mem::take(&mut self.frontier);
        while let Some((position, states)) = waiting.pop_first() {
            if let Some(why) = over(terms) {
                return Err(why);
            }
            let location = self.order.locations[position as usize];
            let Some(state) = self.merge_all(terms, states) else { continue };
            let reached = Reached { location, guard: state.guard };
            if self.errors.contains(&location) {
                self.obligations.push(reached);
            }
            if stops.contains(&location) {
                self.stops.push(reached);
            }
            for (to, state) in self.follow(terms, graph, location, &state) {
                let target = self.order.position(to);
                let queue = if target > position { &mut waiting } else { &mut self.frontier };
                queue.entry(target).or_default().push(state);
            }
        }
        Ok(())
    }

    /// The states behind the edges of a location, without those that nothing reaches.
    fn follow(
        &mut self,
        terms: &mut Terms,
        graph: &Graph,
        location: LocationId,
        state: &State,
    ) -> Vec<(LocationId, State)> {
        let edges: Vec<(u32, Statement, LocationId)> =
            graph.outgoing(location).map(|(number, edge)| (number, edge.statement, edge.to)).collect();
        let statements: Vec<Statement> = edges.iter().map(|it| it.1).collect();
        let choices: Vec<TermId> = match needs_choice(terms, &statements) {
            true => (1..edges.len()).map(|_| terms.fresh("choice", Sort::Bool)).collect(),
            false => Vec::new(),
        };
        let mut results = Vec::new();
        let mut guard = state.guard;
        for (index, &(number, statement, to)) in edges.iter().enumerate() {
            let taken = match choices.get(index) {
                Some(&choice) => {
                    let taken = self.guards.child(terms, guard, choice);
                    let not = terms.not(choice);
                    guard = self.guards.child(terms, guard, not);
                    taken
                }
                None => guard,
            };
            let state = State { guard: taken, values: state.values.clone() };
            let after = self.execute(terms, number, statement, state);
            if after.guard != terms.false_term() {
                results.push((to, after));
            }
        }
        if !choices.is_empty() {
            self.choices.insert((self.level, location), choices);
        }
        results
    }

    fn execute(&mut self, terms: &mut Terms, number: u32, statement: Statement, mut state: State) -> State {
        match statement.command {
            Command::Assign { variable, value } => {
                let value = current(terms, value, &state.values);
                state.values.insert(variable, value);
            }
            Command::Havoc { variable } => {
                let name = terms.name(variable).unwrap_or("any").to_owned();
                let value = terms.fresh(&name, terms.sort(variable));
                self.havocs.insert((self.level, number), value);
                state.values.insert(variable, value);
            }
            Command::Assume { condition } => {
                let condition = current(terms, condition, &state.values);
                state.guard = match self.guards.decided(terms, state.guard, condition) {
                    Some(true) => state.guard,
                    Some(false) => terms.false_term(),
                    None => self.guards.child(terms, state.guard, condition),
                };
            }
        }
        state
    }

    fn merge_all(&mut self, terms: &mut Terms, mut states: Vec<State>) -> Option<State> {
        let mut merged = states.pop()?;
        while let Some(state) = states.pop() {
            merged = self.merge(terms, state, merged);
        }
        Some(merged)
    }

    fn merge(&mut self, terms: &mut Terms, first: State, second: State) -> State {
        let meeting = self.guards.meet(terms, first.guard, second.guard);
        let mut changes = Vec::new();
        for difference in first.values.diff(&second.values) {
            let (variable, one, other) = match difference {
                DiffItem::Add(variable, value) => (*variable, *variable, *value),
                DiffItem::Remove(variable, value) => (*variable, *value, *variable),
                DiffItem::Update { old: (variable, old), new: (_, new) } => (*variable, *old, *new),
            };
            changes.push((variable, terms.ite(meeting.condition, one, other)));
        }
        let mut values = first.values;
        for (variable, value) in changes {
            values.insert(variable, value);
        }
        State { guard: meeting.guard, values }
    }
}

/// A term over the current values of variables.
fn current(terms: &mut Terms, term: TermId, values: &OrdMap<TermId, TermId>) -> TermId {
    let mut replacements = Substitution::default();
    for variable in terms.free_variables(&[term]) {
        if let Some(&value) = values.get(&variable) {
            replacements.insert(variable, value);
        }
    }
    terms.substitute(term, &replacements)
}

/// Whether more than one of the statements can be executed in some state, or cannot be told apart later.
pub fn needs_choice(terms: &mut Terms, statements: &[Statement]) -> bool {
    match statements {
        [] | [_] => false,
        [one, other] => match (assumed(one), assumed(other)) {
            (Some(one), Some(other)) => terms.not(one) != other || terms.has_quantifier(one),
            _ => true,
        },
        _ => true,
    }
}
