//! A proof that no error can be reached: assertions at locations, and its check.
//!
//! The refinement loop collects [`Proof`] nodes: a location, an assertion, and for each letter the nodes that
//! it leads to. [`Proof::check`] believes none of it. It looks at the graph alone: the entry must have a
//! node that holds always; from every node every path of statements to the next locations with nodes must
//! end in the disjunction of some nodes there; no path may end in an error. Together that is an inductive
//! invariant without errors. The nodes' own claims about where letters lead are only hints which disjunction
//! to try.
//!
//! Locations that lead to no error need no nodes.

use std::collections::{BTreeMap, BTreeSet};

use logic::commands::{Command, single_assignment};
use logic::control_flow::{Graph, LocationId};
use logic::terms::{TermId, Terms};

use super::blocks::{Blocks, LetterId};
use super::prover::{Prover, Stop};

/// A node of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// Letters that lead to no error, each with the nodes that stand for where it leads; none if it cannot be
/// taken.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Closed(BTreeMap<LetterId, Vec<NodeId>>);

impl Closed {
    pub fn close(&mut self, letter: LetterId, target: Option<NodeId>) {
        let targets = self.0.entry(letter).or_default();
        if let Some(node) = target
            && let Err(place) = targets.binary_search(&node)
        {
            targets.insert(place, node);
        }
    }

    pub fn merge(&mut self, other: &Closed) {
        for (&letter, targets) in &other.0 {
            self.close(letter, None);
            for &target in targets {
                self.close(letter, Some(target));
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Node {
    location: LocationId,
    assertion: TermId,
    closed: Closed,
}

/// Assertions that exclude every error.
#[derive(Clone, Default, Debug)]
pub struct Proof {
    nodes: Vec<Node>,
}

/// What is wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Invalid {
    #[error("no assertion covers the initial states")]
    Entry,
    #[error("a loop at location {0} has no assertion")]
    Loop(u32),
    #[error("the assertions at location {0} are not enough for a path to location {1}")]
    Path(u32, u32),
    #[error("{0}")]
    Stopped(String),
}

impl From<Stop> for Invalid {
    fn from(stop: Stop) -> Invalid {
        Invalid::Stopped(stop.0)
    }
}

impl Proof {
    pub(super) fn add(&mut self, location: LocationId, assertion: TermId) -> NodeId {
        self.nodes.push(Node { location, assertion, closed: Closed::default() });
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(super) fn explain(&mut self, node: NodeId, closed: Closed) {
        self.nodes[node.0 as usize].closed = closed;
    }

    /// How many assertions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The assertions of a location: one of them holds whenever an execution is there.
    pub fn assertions(&self, location: LocationId) -> impl Iterator<Item = TermId> {
        self.nodes.iter().filter(move |it| it.location == location).map(|it| it.assertion)
    }

    /// Whether the assertions exclude every error of the graph.
    pub fn check(&self, terms: &mut Terms, graph: &Graph, blocks: &Blocks, prover: &mut Prover) -> Result<(), Invalid> {
        let errors: BTreeSet<LocationId> = graph.errors.iter().copied().collect();
        let leading = leading_to_errors(graph, &errors);
        if !leading[Graph::ENTRY.0 as usize] {
            return Ok(());
        }
        let mut at: BTreeMap<LocationId, Vec<NodeId>> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            at.entry(node.location).or_default().push(NodeId(number as u32));
        }
        let entry = self.any(terms, at.get(&Graph::ENTRY).map(Vec::as_slice).unwrap_or_default());
        if !prover.entails(terms, terms.true_term(), entry)? {
            return Err(Invalid::Entry);
        }
        let mut ends: BTreeSet<LocationId> = errors.clone();
        ends.extend(at.keys());
        ends.extend((0..blocks.len()).map(|it| blocks.block(LetterId(it as u32)).to));
        for (&location, nodes) in &at {
            for path in paths(graph, &leading, &ends, location)? {
                let commands: Vec<Command> =
                    path.iter().map(|&it| graph.edges()[it as usize].statement.command).collect();
                let to = path.last().map_or(location, |&it| graph.edges()[it as usize].to);
                let targets =
                    if errors.contains(&to) { &[] } else { at.get(&to).map(Vec::as_slice).unwrap_or_default() };
                let letter = blocks.outgoing(location).iter().copied().find(|&it| blocks.block(it).edges == path);
                self.check_path(terms, prover, nodes, &commands, letter, targets)
                    .map_err(|stopped| stopped.unwrap_or(Invalid::Path(location.0, to.0)))?;
            }
        }
        Ok(())
    }

    /// Checks one path from all nodes of a location. An error without words is an invalid triple.
    fn check_path(
        &self,
        terms: &mut Terms,
        prover: &mut Prover,
        nodes: &[NodeId],
        commands: &[Command],
        letter: Option<LetterId>,
        targets: &[NodeId],
    ) -> Result<(), Option<Invalid>> {
        let ssa = single_assignment(terms, commands);
        let path = terms.and(&ssa.formulas);
        let mut seen: BTreeSet<(TermId, TermId)> = BTreeSet::new();
        let mut holds = |terms: &mut Terms, before: TermId, after: TermId| -> Result<bool, Option<Invalid>> {
            let after = ssa.at(terms, after, commands.len());
            let wrong = terms.not(after);
            if !seen.insert((before, wrong)) {
                return Ok(true);
            }
            let valid = !prover.satisfiable(terms, &[before, path, wrong]).map_err(|it| Some(it.into()))?;
            if !valid {
                seen.remove(&(before, wrong));
            }
            Ok(valid)
        };
        for node in nodes.iter().map(|it| &self.nodes[it.0 as usize]) {
            let hinted: Vec<NodeId> = letter.and_then(|it| node.closed.0.get(&it)).cloned().unwrap_or_default();
            let hinted: Vec<NodeId> = hinted.into_iter().filter(|it| targets.contains(it)).collect();
            let hint = self.any(terms, &hinted);
            if holds(terms, node.assertion, hint)? {
                continue;
            }
            let all = self.any(terms, targets);
            if !holds(terms, node.assertion, all)? {
                return Err(None);
            }
        }
        Ok(())
    }

    fn any(&self, terms: &mut Terms, nodes: &[NodeId]) -> TermId {
        let assertions: Vec<TermId> = nodes.iter().map(|it| self.nodes[it.0 as usize].assertion).collect();
        terms.or(&assertions)
    }
}

/// From which locations an error can be reached along edges.
fn leading_to_errors(graph: &Graph, errors: &BTreeSet<LocationId>) -> Vec<bool> {
    let mut leading: Vec<bool> =
        (0..graph.location_count()).map(|it| errors.contains(&LocationId(it as u32))).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for edge in graph.edges().iter().rev() {
            if leading[edge.to.0 as usize] && !leading[edge.from.0 as usize] {
                leading[edge.from.0 as usize] = true;
                changed = true;
            }
        }
    }
    leading
}

/// All paths from a location to the next ends.
fn paths(
    graph: &Graph,
    leading: &[bool],
    ends: &BTreeSet<LocationId>,
    from: LocationId,
) -> Result<Vec<Vec<u32>>, Invalid> {
    let mut found = Vec::new();
    let mut open: Vec<(LocationId, Vec<u32>)> = vec![(from, Vec::new())];
    while let Some((at, path)) = open.pop() {
        if !path.is_empty() && ends.contains(&at) {
            found.push(path);
            continue;
        }
        if path.iter().any(|&it| graph.edges()[it as usize].from == at) {
            return Err(Invalid::Loop(at.0));
        }
        for (number, edge) in graph.outgoing(at).filter(|it| leading[it.1.to.0 as usize]) {
            let mut longer = path.clone();
            longer.push(number);
            open.push((edge.to, longer));
        }
    }
    Ok(found)
}
