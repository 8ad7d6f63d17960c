//! The letters of the automata: statements of a graph, put together between the places where paths meet.
//!
//! Graph → [`Blocks`]. Only locations on a path from the entry to an error count. Where nothing branches or
//! meets, statements are put together; with [`Grain::Paths`] branches too, so that a letter is a whole path
//! from one meeting point to the next. What a letter does is one guard and simultaneous updates. The
//! statements stay with it: traces consist of statements. A trace ends at the first error location; edges
//! that leave one are not followed.
//!
//! A letter belongs to one place: two equal commands at different edges are different letters.

use std::collections::BTreeMap;

use logic::commands::Command;
use logic::control_flow::{Graph, LocationId};
use logic::project;
use logic::terms::{Substitution, TermId, Terms};

/// A letter: a path through the graph between two places where paths meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LetterId(pub u32);

/// Paths are cut at this length, lest a long tree of branches repeats its trunk too often.
const LONGEST: usize = 400;

/// How much a letter holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// Whole paths between meeting points: fewest states.
    Paths,
    /// Straight lines: there is a state before every branch, with a predicate of its own. Danger automata need
    /// that to tell the branches of a nondeterministic choice apart.
    Lines,
}

/// What a letter does.
#[derive(Clone, Debug)]
pub struct Block {
    pub from: LocationId,
    pub to: LocationId,
    /// The numbers of the graph's edges.
    pub edges: Vec<u32>,
    /// Over the state before and the inputs: whether the path can be taken.
    pub guard: TermId,
    /// The new value of each changed variable, over the state before and the inputs.
    pub updates: Substitution,
    /// The changed variables, in ascending order.
    pub changed: Vec<TermId>,
    /// The values that havocs choose, each a symbol of this letter's own.
    pub inputs: Vec<TermId>,
    /// The free variables of the guard, in ascending order.
    pub guarded: Vec<TermId>,
    /// What the branch that the path begins with demands.
    pub lead: TermId,
}

impl Block {
    /// A formula about the state after, as one about the state before and the inputs.
    pub fn before(&self, terms: &mut Terms, after: TermId) -> TermId {
        terms.substitute(after, &self.updates)
    }

    /// The states from which the path leads to `after`: `∃ inputs. guard ∧ after`.
    pub fn pre(&self, terms: &mut Terms, after: TermId) -> TermId {
        let before = self.before(terms, after);
        let body = terms.and2(self.guard, before);
        project::exists(terms, &self.inputs, body)
    }
}

/// A graph in letters.
#[derive(Clone, Debug)]
pub struct Blocks {
    blocks: Vec<Block>,
    outgoing: BTreeMap<LocationId, Vec<LetterId>>,
    errors: Vec<LocationId>,
}

impl Blocks {
    pub fn new(terms: &mut Terms, graph: &Graph, grain: Grain) -> Blocks {
        let useful = useful_locations(graph);
        let cut = cut_locations(graph, &useful, grain);
        let mut blocks = Blocks { blocks: Vec::new(), outgoing: BTreeMap::new(), errors: graph.errors.clone() };
        blocks.errors.sort_unstable();
        blocks.errors.dedup();
        for number in 0..graph.location_count() {
            let location = LocationId(number as u32);
            if cut[number] && useful[number] && !blocks.is_error(location) {
                blocks.add_paths(terms, graph, &useful, &cut, location);
            }
        }
        blocks
    }

    /// Follows every path from a location to the next cut ones.
    fn add_paths(&mut self, terms: &mut Terms, graph: &Graph, useful: &[bool], cut: &[bool], from: LocationId) {
        let mut open = vec![(from, Path::new(terms))];
        while let Some((at, path)) = open.pop() {
            if !path.edges.is_empty() && cut[at.0 as usize] {
                self.add(terms, from, at, path);
                continue;
            }
            let leaving: Vec<(u32, _)> = graph.outgoing(at).filter(|it| useful[it.1.to.0 as usize]).collect();
            for &(number, edge) in leaving.iter().rev() {
                let mut path = path.clone();
                path.append(terms, number, edge.statement.command);
                if path.guard != terms.false_term() {
                    open.push((edge.to, path));
                }
            }
        }
    }

    fn add(&mut self, terms: &Terms, from: LocationId, to: LocationId, path: Path) {
        let mut changed: Vec<TermId> = path.updates.keys().copied().collect();
        changed.sort_unstable();
        let guarded = terms.free_variables(&[path.guard]);
        let Path { edges, guard, updates, inputs, lead } = path;
        self.outgoing.entry(from).or_default().push(LetterId(self.blocks.len() as u32));
        self.blocks.push(Block { from, to, edges, guard, updates, changed, inputs, guarded, lead });
    }

    pub fn block(&self, letter: LetterId) -> &Block {
        &self.blocks[letter.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn outgoing(&self, location: LocationId) -> &[LetterId] {
        self.outgoing.get(&location).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn is_error(&self, location: LocationId) -> bool {
        self.errors.binary_search(&location).is_ok()
    }

    /// The graph's edges along a word.
    pub fn edges(&self, word: &[LetterId]) -> Vec<u32> {
        word.iter().flat_map(|&letter| self.block(letter).edges.iter().copied()).collect()
    }
}

/// What a path has done so far.
#[derive(Clone)]
struct Path {
    edges: Vec<u32>,
    guard: TermId,
    updates: Substitution,
    inputs: Vec<TermId>,
    lead: TermId,
}

impl Path {
    fn new(terms: &Terms) -> Path {
        let (guard, lead) = (terms.true_term(), terms.true_term());
        Path { edges: Vec::new(), guard, updates: Substitution::default(), inputs: Vec::new(), lead }
    }

    fn append(&mut self, terms: &mut Terms, edge: u32, command: Command) {
        self.edges.push(edge);
        match command {
            Command::Assign { variable, value } => {
                let value = terms.substitute(value, &self.updates);
                self.updates.insert(variable, value);
            }
            Command::Havoc { variable } => {
                let name = format!("{}:in", terms.name(variable).unwrap_or_default());
                let input = terms.fresh(&name, terms.sort(variable));
                self.inputs.push(input);
                self.updates.insert(variable, input);
            }
            Command::Assume { condition } => {
                let condition = terms.substitute(condition, &self.updates);
                self.guard = terms.and2(self.guard, condition);
                if self.edges.len() == 1 {
                    self.lead = condition;
                }
            }
        }
    }
}

/// Which locations lie on a path from the entry to an error.
pub(super) fn useful_locations(graph: &Graph) -> Vec<bool> {
    let count = graph.location_count();
    let is_error: Vec<bool> = marked(count, &graph.errors);
    let mut predecessors: Vec<Vec<LocationId>> = vec![Vec::new(); count];
    for edge in graph.edges().iter().filter(|it| !is_error[it.from.0 as usize]) {
        predecessors[edge.to.0 as usize].push(edge.from);
    }
    let coreachable = closure(count, &graph.errors, |at| predecessors[at.0 as usize].clone());
    let reachable = closure(count, &[Graph::ENTRY], |at| match is_error[at.0 as usize] {
        true => Vec::new(),
        false => graph.outgoing(at).map(|(_, edge)| edge.to).collect(),
    });
    coreachable.iter().zip(&reachable).map(|(&one, &other)| one && other).collect()
}

fn marked(count: usize, locations: &[LocationId]) -> Vec<bool> {
    let mut marks = vec![false; count];
    for location in locations {
        marks[location.0 as usize] = true;
    }
    marks
}

fn closure(count: usize, from: &[LocationId], next: impl Fn(LocationId) -> Vec<LocationId>) -> Vec<bool> {
    let mut seen = marked(count, from);
    let mut open = from.to_vec();
    while let Some(at) = open.pop() {
        for to in next(at) {
            if !std::mem::replace(&mut seen[to.0 as usize], true) {
                open.push(to);
            }
        }
    }
    seen
}

/// Where letters begin and end: the entry, errors, where paths meet, and for lines where they branch.
fn cut_locations(graph: &Graph, useful: &[bool], grain: Grain) -> Vec<bool> {
    let count = graph.location_count();
    let (mut entering, mut leaving) = (vec![0u32; count], vec![0u32; count]);
    let is_error = marked(count, &graph.errors);
    for edge in graph.edges() {
        let (from, to) = (edge.from.0 as usize, edge.to.0 as usize);
        if useful[from] && useful[to] && !is_error[from] {
            entering[to] += 1;
            leaving[from] += 1;
        }
    }
    let branches = |it: usize| grain == Grain::Lines && leaving[it] > 1;
    let mut cut: Vec<bool> = (0..count).map(|it| is_error[it] || entering[it] != 1 || branches(it)).collect();
    cut[Graph::ENTRY.0 as usize] = true;
    // A long trunk is cut in pieces, so that its branches do not all repeat it.
    let mut open: Vec<(LocationId, usize)> =
        (0..count).filter(|&it| cut[it]).map(|it| (LocationId(it as u32), 0)).collect();
    while let Some((at, length)) = open.pop() {
        for (_, edge) in graph.outgoing(at) {
            let to = edge.to.0 as usize;
            if cut[to] || !useful[to] {
                continue;
            }
            let long = length + 1 >= LONGEST;
            cut[to] = long;
            open.push((edge.to, if long { 0 } else { length + 1 }));
        }
    }
    cut
}
