//! From an instruction back to the source: the expression that computes it, and the way from there to the symptom.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use observe::recording::{BlockId, Node, NodeKind, Segment, Sites};
use observe::slicing::{Dependence, NodeId, Slice};

/// A line of the source.
pub type Line = (Arc<str>, u32);

pub fn node_of(sites: &Sites, id: NodeId) -> &Node {
    &sites.units[id.unit as usize].functions[id.function as usize].nodes[id.node as usize]
}

/// Where a node stands in the source, if it does.
pub fn line_of(sites: &Sites, id: NodeId) -> Option<Line> {
    let function = &sites.units[id.unit as usize].functions[id.function as usize];
    let node = node_of(sites, id);
    let file = node.file.as_ref().unwrap_or(&function.file);
    (node.line != 0).then(|| (file.clone(), node.line))
}

/// A slice with what each node depends on.
#[derive(Clone, Copy)]
pub struct Dependences<'a> {
    pub slice: &'a Slice,
    pub producers: &'a [Vec<u32>],
}

/// Whose expression it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Below {
    Value,
    /// A branch that leads where it never led: what runs there belongs to it.
    Way,
    /// An access that could not be done: where its address comes from, through all arguments.
    Access,
}

/// The lines of the largest pure, local expression below a node of a slice (§2.5, §6): all that it was computed from in
/// this run and the branches between, up to loads and calls, which are its operands and included. The expression of a
/// function's argument is what callers gave.
pub fn expression(sites: &Sites, dependences: &Dependences<'_>, node: u32, below: Below) -> Vec<Line> {
    let Dependences { slice, producers } = dependences;
    let root = slice.nodes[node as usize];
    let mut lines: BTreeSet<Line> = line_of(sites, root).into_iter().collect();
    let mut seen = BTreeSet::from([node]);
    let mut open = vec![node];
    let is_near = |one: NodeId, other: NodeId| (one.unit, one.function) == (other.unit, other.function);
    while let Some(at) = open.pop() {
        let id = slice.nodes[at as usize];
        let enters = (at == node || below == Below::Access) && is_argument(sites, id);
        for &before in &producers[at as usize] {
            let other = slice.nodes[before as usize];
            // In other functions, what decided about their calls is too much.
            let counts = is_near(root, id) || slice.edges.binary_search(&(at, before, Dependence::Data)).is_ok();
            if (enters || is_near(id, other)) && counts && seen.insert(before) {
                lines.extend(line_of(sites, other));
                if is_pure(sites, other) || below == Below::Access && is_argument(sites, other) {
                    open.push(before);
                }
            }
        }
    }
    if below == Below::Way {
        let ran = slice.edges.iter().filter(|(_, before, kind)| *before == node && *kind == Dependence::Control);
        lines.extend(ran.filter_map(|(after, _, _)| line_of(sites, slice.nodes[*after as usize])));
    }
    lines.into_iter().collect()
}

/// The lines of what ran behind a branch and is new.
pub fn new_behind(sites: &Sites, branch: NodeId, is_new: impl Fn(BlockId) -> bool) -> BTreeSet<Line> {
    let segments = segments_behind(sites, branch, is_new);
    let nodes = segments.into_iter().flat_map(|it| it.first_node..it.end_node);
    nodes.filter_map(|node| line_of(sites, NodeId { node, ..branch })).collect()
}

/// All that can be reached from a branch in its function through new code.
pub fn segments_behind(sites: &Sites, branch: NodeId, is_new: impl Fn(BlockId) -> bool) -> Vec<&Segment> {
    let function = &sites.units[branch.unit as usize].functions[branch.function as usize];
    let mut open: Vec<usize> = function.segment_of(branch.node).into_iter().collect();
    let mut seen: BTreeSet<usize> = open.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(at) = open.pop() {
        for next in function.segments[at].successors.iter().map(|it| *it as usize) {
            let segment = &function.segments[next];
            if sites.block_of(branch.unit, segment.counter).is_some_and(&is_new) && seen.insert(next) {
                found.push(segment);
                open.push(next);
            }
        }
    }
    found
}

/// The lines that the arguments of a call are computed in, whatever ran: up to loads, calls and the function's arguments.
pub fn operands(sites: &Sites, call: NodeId) -> Vec<Line> {
    let mut lines: BTreeSet<Line> = line_of(sites, call).into_iter().collect();
    let mut seen = BTreeSet::from([call.node]);
    let mut open: Vec<u32> = node_of(sites, call).operands.clone();
    while let Some(node) = open.pop() {
        let id = NodeId { node, ..call };
        if !seen.insert(node) || is_argument(sites, id) {
            continue;
        }
        lines.extend(line_of(sites, id));
        if is_pure(sites, id) {
            open.extend(&node_of(sites, id).operands);
        }
    }
    lines.into_iter().collect()
}

fn is_argument(sites: &Sites, id: NodeId) -> bool {
    matches!(node_of(sites, id).kind, NodeKind::Argument(_))
}

fn is_pure(sites: &Sites, id: NodeId) -> bool {
    matches!(
        node_of(sites, id).kind,
        NodeKind::Pure | NodeKind::Phi { .. } | NodeKind::Branch | NodeKind::Switch { .. }
    )
}

/// For each node of a slice, the next one on a shortest way to the symptom; the symptom's own are `None`, like those
/// that no way leads from.
pub fn towards_symptom(producers: &[Vec<u32>], symptom: &[u32]) -> Vec<Option<u32>> {
    let mut next = vec![None; producers.len()];
    let mut seen = vec![false; producers.len()];
    let mut open: VecDeque<u32> = symptom.iter().copied().collect();
    for &start in symptom {
        seen[start as usize] = true;
    }
    while let Some(at) = open.pop_front() {
        for &before in &producers[at as usize] {
            if !std::mem::replace(&mut seen[before as usize], true) {
                next[before as usize] = Some(at);
                open.push_back(before);
            }
        }
    }
    next
}

/// The nodes from one to the symptom, both included.
pub fn chain(next: &[Option<u32>], from: u32) -> Vec<u32> {
    std::iter::successors(Some(from), |at| next[*at as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortest_chain() {
        // 0 is the symptom; 3 reaches it through 1, and through 2 and 1.
        let producers = vec![vec![1], vec![2, 3], vec![3], vec![]];
        let next = towards_symptom(&producers, &[0]);
        assert_eq!(chain(&next, 3), [3, 1, 0]);
        assert_eq!(chain(&next, 0), [0]);
    }
}
