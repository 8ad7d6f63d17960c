//! A second pass inside large expressions: which value inside first left the range that it had in good runs.
//!
//! The paper names it as what is missing (§6, §8: "a second pass of invariants and filtering that evaluates individual intermediate
//! values within expressions"). Input: candidates after the last stage, and what good runs and the failing one computed
//! inside ([`InnerValues`]). Output: [`Inside`] for candidates whose expression has several operators.
//!
//! The expression is what the candidate is computed from in its function, through variables, up to loads, calls and arguments;
//! for an argument, what callers gave; only what the symptom depends on, if there is a slice. What is inside and outside its
//! range stays if nothing before it in the expression is as far out, operands included: it is the filter of §5.1 again.
//! What the candidate itself is said to be, the last operation of its line, is not said a second time.

use std::collections::{BTreeMap, BTreeSet};

use observe::recording::{Inner, InnerValues, NodeKind, Order, Sites, Value, ValueType};
use observe::slicing::{Dependence, NodeId, Slice};

use super::candidates::{Candidates, FailingRun, Stage, distance};
use super::expression::{line_of, node_of};
use super::filtering::{Status, explained_by};
use super::training::Training;

/// Operators of an expression that is looked into, as the compiler's pass has it.
const SEVERAL: usize = 3;
/// Values that are told of one expression.
const TOLD: usize = 2;

/// A value inside of an expression that is outside the range of good runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    pub node: NodeId,
    pub ty: ValueType,
    /// The least and the greatest value in good runs, and here.
    pub good: (Value, Value),
    pub here: (Value, Value),
}

impl Inside {
    /// What is outside, in words: `24 to 4096 in good runs, 4294967300 here`.
    pub fn told(&self) -> String {
        let shown = |value: Value| match (self.ty.bits, value.0) {
            (1, 0) => "false".to_owned(),
            (1, _) => "true".to_owned(),
            _ => value.shown(self.ty).to_string(),
        };
        let range = |(min, max): (Value, Value)| match min == max {
            true => shown(min),
            false => format!("{} to {}", shown(min), shown(max)),
        };
        let here = match (self.here.0 < self.good.0, self.good.1 < self.here.1) {
            _ if self.here.0 == self.here.1 => shown(self.here.0),
            (true, false) => format!("down to {}", shown(self.here.0)),
            (false, true) => format!("up to {}", shown(self.here.1)),
            _ => range(self.here),
        };
        format!("{} in good runs, {here} here", range(self.good))
    }
}

/// What runs have computed: in the first round, and inside of expressions in the second.
pub struct Seen<'a> {
    pub sites: &'a Sites,
    pub training: &'a Training,
    pub run: &'a FailingRun<'a>,
    /// Inside, of good runs.
    pub good: &'a [InnerValues],
    /// Inside, of the failing run, several times: what differs between them says nothing.
    pub failing: &'a [InnerValues],
}

/// The expression of a candidate.
#[derive(Clone, Debug)]
struct Tree {
    /// By the number in the list of candidates.
    candidate: usize,
    /// The candidate's own first.
    nodes: Vec<NodeId>,
    /// What each is computed from, by the numbers of nodes.
    producers: Vec<Vec<u32>>,
    /// Of the nodes that are the candidate's value, in its line.
    own: BTreeSet<u32>,
}

/// Large expressions of candidates.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    trees: Vec<Tree>,
}

/// The large expressions of the candidates from a stage on, in as many lines as are shown.
pub fn large_expressions(
    sites: &Sites,
    candidates: &Candidates,
    slice: Option<&Slice>,
    least: Stage,
    most: usize,
) -> Expressions {
    let mut lines = BTreeSet::new();
    let mut trees = Vec::new();
    for (candidate, it) in candidates.list.iter().enumerate().filter(|(_, it)| it.stage >= least) {
        lines.insert(line_of(sites, it.node));
        if lines.len() > most {
            break;
        }
        let tree = Tree::new(sites, slice, it.node, candidate);
        if tree.nodes.iter().filter(|it| node_of(sites, **it).inner.is_some()).count() >= SEVERAL {
            trees.push(tree);
        }
    }
    Expressions { trees }
}

impl Expressions {
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Says for each candidate what inside its expression first left the range of good runs.
    pub fn look_inside(&self, seen: &Seen<'_>, candidates: &mut Candidates) {
        for tree in &self.trees {
            candidates.list[tree.candidate].inside = tree.outside(seen);
        }
    }
}

impl Tree {
    fn new(sites: &Sites, slice: Option<&Slice>, root: NodeId, candidate: usize) -> Tree {
        // Where nothing depends on the candidate, the slice says nothing about it.
        let slice = slice.filter(|it| it.contains(root));
        let mut tree = Tree { candidate, nodes: vec![root], producers: Vec::new(), own: BTreeSet::new() };
        let mut numbers = BTreeMap::from([(root, 0)]);
        while let Some(&id) = tree.nodes.get(tree.producers.len()) {
            let mut producers = Vec::new();
            for before in computed_from(sites, slice, id, id == root) {
                let number = *numbers.entry(before).or_insert_with(|| {
                    tree.nodes.push(before);
                    tree.nodes.len() as u32 - 1
                });
                producers.push(number);
            }
            tree.producers.push(producers);
        }
        tree.own = tree.own_value(sites);
        tree
    }

    /// The last operations of the candidate's line, if their values are the candidate's.
    fn own_value(&self, sites: &Sites) -> BTreeSet<u32> {
        let root = self.nodes[0];
        let value = match &node_of(sites, root).kind {
            NodeKind::Store { value, .. } => *value,
            NodeKind::Return => node_of(sites, root).operands.first().copied(),
            _ => None,
        };
        let mut own = BTreeSet::new();
        let mut open = value.map(|node| NodeId { node, ..root });
        while let Some(id) = open.take() {
            let node = node_of(sites, id);
            let Some(number) = self.nodes.iter().position(|it| *it == id) else { break };
            if line_of(sites, id) == line_of(sites, root) {
                own.insert(number as u32);
            }
            // A conversion of it is the same value.
            if let (NodeKind::Pure, [operand]) = (&node.kind, &node.operands[..])
                && node.inner.is_none()
            {
                open = Some(NodeId { node: *operand, ..id });
            }
        }
        own
    }

    fn outside(&self, seen: &Seen<'_>) -> Vec<Inside> {
        let mut status = vec![Status::Open; self.nodes.len()];
        let mut surprise = vec![0; self.nodes.len()];
        let mut found = BTreeMap::new();
        for (index, &id) in self.nodes.iter().enumerate() {
            let inner = node_of(seen.sites, id).inner;
            let known = match inner {
                Some(inner) => seen.inside(id, inner),
                None if index == 0 => None,
                None => seen.operand(id),
            };
            let Some((good, here, ty)) = known else { continue };
            let holds = good.0 <= here.0 && here.1 <= good.1;
            status[index] = if holds { Status::Holds } else { Status::Fails };
            surprise[index] = distance(good, here);
            if inner.is_some() && !holds {
                found.insert(index as u32, Inside { node: id, ty, good, here });
            }
        }
        let explained = explained_by(&self.producers, &status, &surprise);
        let is_first = |it: &u32| explained[*it as usize].is_none() && !self.own.contains(it);
        let mut first: Vec<u32> = found.keys().copied().filter(is_first).collect();
        // What follows from something inside, and is only further out, comes behind.
        let earlier = explained_by(&self.producers, &status, &vec![0; self.nodes.len()]);
        let key = |it: usize| (earlier[it].is_some(), std::cmp::Reverse(surprise[it]), self.nodes[it]);
        first.sort_by_key(|it| key(*it as usize));
        first.truncate(TOLD);
        first.iter().map(|it| found[it]).collect()
    }
}

/// What a node is computed from in its function. A candidate's argument comes from the callers.
fn computed_from(sites: &Sites, slice: Option<&Slice>, id: NodeId, is_root: bool) -> Vec<NodeId> {
    let node = node_of(sites, id);
    let is_in_slice = |it: &NodeId| slice.is_none_or(|slice| slice.contains(*it));
    match (&node.kind, slice) {
        (NodeKind::Argument(_), Some(slice)) if is_root => {
            let index = slice.index(id);
            let edges = slice.edges.iter().filter(|it| Some(it.0) == index && it.2 == Dependence::Data);
            edges.map(|it| slice.nodes[it.1 as usize]).collect()
        }
        (NodeKind::Pure | NodeKind::Phi { .. }, _) => {
            node.operands.iter().map(|node| NodeId { node: *node, ..id }).filter(is_in_slice).collect()
        }
        _ if is_root => node.operands.iter().map(|node| NodeId { node: *node, ..id }).filter(is_in_slice).collect(),
        _ => Vec::new(),
    }
}

type Bounds = (Value, Value);

/// The range of good runs, and that of the failing one, if it is the same each time.
fn ranges(good: impl Iterator<Item = Bounds>, failing: &[Option<Bounds>]) -> Option<(Bounds, Bounds)> {
    let good = good.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
    let here = failing.first().copied().flatten()?;
    failing.iter().all(|it| *it == Some(here)).then_some((good, here))
}

impl Seen<'_> {
    /// The values inside of an expression.
    fn inside(&self, id: NodeId, inner: Inner) -> Option<(Bounds, Bounds, ValueType)> {
        let range = |it: &InnerValues| it.range(id.unit, inner);
        let failing: Vec<Option<Bounds>> = self.failing.iter().map(range).collect();
        let (good, here) = ranges(self.good.iter().filter_map(range), &failing)?;
        Some((good, here, inner.ty))
    }

    /// The values of a load, an argument or a call, as the first round has them.
    fn operand(&self, id: NodeId) -> Option<(Bounds, Bounds, ValueType)> {
        let site = self.sites.site_of_node(id.unit, id.function, id.node)?;
        let ty = self.sites.site(site).ty;
        if ty.order == Order::Pointer {
            return None;
        }
        let here = self.run.observed.range(site)?;
        Some((self.training.range(site)?, (here.min, here.max), ty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(bits: u32, good: (i64, i64), here: (i64, i64)) -> String {
        let range = |(min, max)| (Value(min), Value(max));
        let node = NodeId { unit: 0, function: 0, node: 0 };
        Inside { node, ty: ValueType { order: Order::Signed, bits }, good: range(good), here: range(here) }.told()
    }

    #[test]
    fn what_is_outside_in_words() {
        assert_eq!(inside(64, (24, 4096), (9999, 9999)), "24 to 4096 in good runs, 9999 here");
        assert_eq!(inside(32, (1, 5), (2, 8)), "1 to 5 in good runs, up to 8 here");
        assert_eq!(inside(32, (1, 1), (-3, 1)), "1 in good runs, down to -3 here");
        assert_eq!(inside(32, (1, 5), (-3, 7)), "1 to 5 in good runs, -3 to 7 here");
        assert_eq!(inside(1, (0, 0), (1, 1)), "false in good runs, true here");
    }

    #[test]
    fn what_differs_by_itself_says_nothing() {
        let range = |it: i64| (Value(it), Value(it));
        let good = [range(3), range(1)];
        let all = Some(((Value(1), Value(3)), range(7)));
        assert_eq!(ranges(good.into_iter(), &[Some(range(7)), Some(range(7))]), all);
        assert_eq!(ranges(good.into_iter(), &[Some(range(7)), Some(range(8))]), None);
        assert_eq!(ranges(good.into_iter(), &[Some(range(7)), None]), None);
        assert_eq!(ranges([].into_iter(), &[Some(range(7))]), None);
    }
}
