//! A slice in terms of the user's code alone. What runs in headers of the system, such as templates of C++'s library, leads from
//! one place of the user's to another, and is left out: the two depend on each other.
//!
//! A function of a header serves many callers, and a slice has its nodes once for all of them. What a call gives depends on what was
//! handed over there, not by other callers; imprecise where the two are in one function, or where a value went through memory.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::{Dependence, NodeId, Slice};
use crate::recording::{NodeKind, Sites};

/// The slice without nodes of such functions. Where nothing of the user's leads to its symptom, it stays as it is.
pub fn outside_libraries(slice: Slice, sites: &Sites) -> Slice {
    let inside: Vec<bool> = slice.nodes.iter().map(|it| function(sites, *it).is_library).collect();
    if !inside.contains(&true) {
        return slice;
    }
    let mut producers = vec![Vec::new(); slice.nodes.len()];
    for &(consumer, producer, kind) in &slice.edges {
        producers[consumer as usize].push((producer, kind));
    }
    let whole = Whole { slice: &slice, sites, inside, producers };
    let (symptom, freed) = (whole.led_to(&slice.symptom), whole.led_to(&slice.freed));
    if symptom.is_empty() {
        return slice;
    }
    let (users, edges) = whole.behind(symptom.union(&freed).copied().collect());
    let number = |node: u32| users.binary_search(&node).expect("what leads to the symptom has a number") as u32;
    Slice {
        nodes: users.iter().map(|it| slice.nodes[*it as usize]).collect(),
        edges: edges.into_iter().map(|(one, other, kind)| (number(one), number(other), kind)).collect(),
        symptom: symptom.into_iter().map(number).collect(),
        freed: freed.into_iter().map(number).collect(),
        is_of_decisions: slice.is_of_decisions,
        unfinished: slice.unfinished,
        stats: slice.stats,
    }
}

fn function(sites: &Sites, id: NodeId) -> &crate::recording::Function {
    &sites.units[id.unit as usize].functions[id.function as usize]
}

/// A slice with what its nodes depend on, and which of these are in libraries.
struct Whole<'a> {
    slice: &'a Slice,
    sites: &'a Sites,
    inside: Vec<bool>,
    producers: Vec<Vec<(u32, Dependence)>>,
}

impl Whole<'_> {
    fn kind(&self, node: u32) -> &NodeKind {
        let id = self.slice.nodes[node as usize];
        &function(self.sites, id).nodes[id.node as usize].kind
    }

    fn is_same_function(&self, one: u32, other: u32) -> bool {
        let (one, other) = (self.slice.nodes[one as usize], self.slice.nodes[other as usize]);
        (one.unit, one.function) == (other.unit, other.function)
    }

    /// All of the user's that these depend on, in order, and the dependences between them.
    fn behind(&self, begin: BTreeSet<u32>) -> (Vec<u32>, BTreeSet<(u32, u32, Dependence)>) {
        let mut open: Vec<u32> = begin.iter().copied().collect();
        let mut seen = begin;
        let mut edges = BTreeSet::new();
        while let Some(consumer) = open.pop() {
            for (producer, kind) in self.before(consumer).into_iter().filter(|it| it.0 != consumer) {
                edges.insert((consumer, producer, kind));
                if seen.insert(producer) {
                    open.push(producer);
                }
            }
        }
        (seen.into_iter().collect(), edges)
    }

    /// What a node of the user's depends on, directly or through libraries. It is for control if a step of the way there is.
    fn before(&self, node: u32) -> BTreeSet<(u32, Dependence)> {
        let mut found = BTreeSet::new();
        let mut seen = FxHashSet::default();
        // Whether the way began with what a call gave back, and has not led through memory since.
        let mut open = vec![(node, Dependence::Data, false)];
        while let Some((at, way, is_result)) = open.pop() {
            let is_handed = matches!(self.kind(at), NodeKind::Argument(_));
            for &(producer, kind) in &self.producers[at as usize] {
                let way = if kind == Dependence::Control { kind } else { way };
                if self.inside[producer as usize] {
                    let is_result = match self.kind(producer) {
                        NodeKind::Return if at == node => true,
                        _ => is_result && !self.writes(producer),
                    };
                    if seen.insert((producer, way, is_result)) {
                        open.push((producer, way, is_result));
                    }
                    continue;
                }
                let is_from_caller = is_handed || kind == Dependence::Control;
                if !(is_result && is_from_caller) || self.is_same_function(node, producer) {
                    found.insert((producer, way));
                }
            }
        }
        found
    }

    fn writes(&self, node: u32) -> bool {
        match self.kind(node) {
            NodeKind::Store { .. } => true,
            NodeKind::Call { accesses, .. } | NodeKind::Effect { accesses, .. } => accesses.iter().any(|it| it.write),
            _ => false,
        }
    }

    /// In place of what is in libraries, the calls that led there; of several, those that the run never came back from, and of these the
    /// innermost.
    fn led_to(&self, nodes: &[u32]) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        for &node in nodes {
            if !self.inside[node as usize] {
                found.insert(node);
                continue;
            }
            let calls = self.calls(node);
            let innermost = calls.iter().copied().filter_map(|it| Some((self.depth(it)?, it))).min();
            match innermost {
                Some((_, call)) => found.extend([call]),
                None => found.extend(calls),
            }
        }
        found
    }

    /// The calls of the user's because of which a node of a library ran.
    fn calls(&self, node: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            for &(producer, kind) in &self.producers[at as usize] {
                if kind != Dependence::Control {
                    continue;
                }
                if !self.inside[producer as usize] {
                    found.insert(producer);
                } else if seen.insert(producer) {
                    open.push(producer);
                }
            }
        }
        found
    }

    /// How far out the call is of those that the run never came back from.
    fn depth(&self, node: u32) -> Option<usize> {
        let id = self.slice.nodes[node as usize];
        let function = function(self.sites, id);
        let counter = function.segments[function.segment_of(id.node)?].counter;
        self.slice.unfinished.iter().position(|it| *it == (id.unit, counter))
    }
}
