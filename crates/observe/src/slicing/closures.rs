//! What a segment needs, found once: which nodes of it a node needs through registers alone, and what all that needs from
//! before the segment. Loops give the same sets of nodes again and again, so the answers are kept.
//!
//! Only for segments of up to 64 nodes in which nothing depends on a call of the segment and no call touches memory; in
//! others, nodes are looked at one by one.

use super::flat::{Flat, FlatSegment};
use crate::recording::NodeKind;

/// A set of nodes of one segment: a bit for each, from its first.
pub type Set = u64;

/// What a set of nodes that are included needs, and what has to be done for it each time.
pub struct Consequences {
    set: Set,
    /// Nodes that ran because of something; phi nodes just have values.
    pub run: Set,
    /// Nodes of the function whose values come from before the segment.
    pub outside: Vec<u32>,
    pub phis: Vec<u32>,
    pub arguments: Vec<u32>,
}

pub struct Closures {
    /// Of each node: itself and all that it needs in the segment.
    of: Vec<Set>,
    /// The call at the end.
    calls: Set,
    known: Vec<Consequences>,
    /// Branches, and nodes that are known to have run because of them.
    told: Vec<(u32, Set)>,
}

/// Sets that are kept for a segment.
const MOST: usize = 16;

impl Closures {
    /// `None` if nodes must be looked at one by one.
    pub fn of(flat: &Flat<'_>, segment: &FlatSegment) -> Option<Closures> {
        let (first, end) = (segment.first_node, segment.end_node);
        if end - first > 64 {
            return None;
        }
        let nodes = &flat.function(segment.function).nodes;
        let (mut of, mut calls) = (Vec::new(), 0);
        for node in first..end {
            let mut set = 1 << (node - first);
            match &nodes[node as usize].kind {
                NodeKind::Phi { .. } | NodeKind::Argument(_) => {}
                NodeKind::Effect { .. } => return None,
                NodeKind::Call { accesses, .. } if !accesses.is_empty() => return None,
                NodeKind::Call { .. } => calls |= set,
                _ => {
                    let inside = |it: &&u32| (first..node).contains(*it);
                    for operand in nodes[node as usize].operands.iter().filter(inside) {
                        set |= of[(operand - first) as usize];
                    }
                    if set & calls != 0 {
                        return None;
                    }
                }
            }
            of.push(set);
        }
        Some(Closures { of, calls, known: Vec::new(), told: Vec::new() })
    }

    /// All that these need in the segment; `None` if a call is among them.
    pub fn closure(&self, mut set: Set) -> Option<Set> {
        if set & self.calls != 0 {
            return None;
        }
        let mut all = 0;
        while set != 0 {
            // What the last one needs need not be looked at any more.
            let last = 63 - set.leading_zeros();
            all |= self.of[last as usize];
            set &= !self.of[last as usize];
        }
        Some(all)
    }

    /// By the number of a node in the segment.
    pub fn of_node(&self, node: u32) -> Set {
        self.of[node as usize]
    }

    /// What including these has as consequences, and whether that is new.
    pub fn consequences(&mut self, flat: &Flat<'_>, segment: &FlatSegment, set: Set) -> (&Consequences, bool) {
        if let Some(at) = self.known.iter().position(|it| it.set == set) {
            // What comes often stands at the front.
            let to = at / 2;
            self.known.swap(at, to);
            return (&self.known[to], false);
        }
        let found = find(flat, segment, set);
        if self.known.len() == MOST {
            self.known.pop();
        }
        self.known.push(found);
        (&self.known[self.known.len() - 1], true)
    }

    /// Those that are not yet known to have run because of a branch. They are now.
    pub fn tell(&mut self, branch: u32, set: Set) -> Set {
        match self.told.iter_mut().find(|it| it.0 == branch) {
            Some((_, known)) => {
                let fresh = set & !*known;
                *known |= set;
                fresh
            }
            None => {
                self.told.push((branch, set));
                set
            }
        }
    }
}

fn find(flat: &Flat<'_>, segment: &FlatSegment, set: Set) -> Consequences {
    let (first, end) = (segment.first_node, segment.end_node);
    let nodes = &flat.function(segment.function).nodes;
    let mut found = Consequences { set, run: set, outside: Vec::new(), phis: Vec::new(), arguments: Vec::new() };
    for node in (first..end).filter(|it| set >> (it - first) & 1 != 0) {
        match &nodes[node as usize].kind {
            NodeKind::Phi { .. } => {
                found.run &= !(1 << (node - first));
                found.phis.push(node);
            }
            NodeKind::Argument(_) => found.arguments.push(node),
            _ => {
                let operands = &nodes[node as usize].operands;
                found.outside.extend(operands.iter().filter(|it| !(first..node).contains(*it)));
            }
        }
    }
    found.outside.sort_unstable();
    found.outside.dedup();
    found
}
