//! The slice as it grows: nodes of the program that are in it, and the dependences between them.

use rustc_hash::FxHashSet;

use super::Dependence;

/// The static result.
pub struct Marks {
    /// A bit for each node.
    nodes: Vec<u64>,
    /// A bit for each node whose edges to all its operands are there.
    operands: Vec<u64>,
    edges: FxHashSet<u64>,
    /// Edges of late, since loops give the same ones again and again.
    recent: Vec<u64>,
}

pub type Edge = (u32, u32, Dependence);

const RECENT: usize = 1 << 14;

impl Marks {
    pub fn new(nodes: u32) -> Marks {
        let (words, edges) = (nodes as usize / 64 + 1, FxHashSet::default());
        Marks { nodes: vec![0; words], operands: vec![0; words], edges, recent: vec![u64::MAX; RECENT] }
    }

    pub fn node(&mut self, node: u32) {
        self.nodes[node as usize / 64] |= 1 << (node % 64);
    }

    /// Whether this is the first time that the operands of a node are needed.
    pub fn needs_operands(&mut self, node: u32) -> bool {
        let (word, bit) = (&mut self.operands[node as usize / 64], 1 << (node % 64));
        let first = *word & bit == 0;
        *word |= bit;
        first
    }

    /// There are fewer than two billion nodes, so that a bit is left for the kind.
    pub fn edge(&mut self, (from, to, kind): Edge) {
        let edge = u64::from(from) << 32 | u64::from(to) << 1 | u64::from(kind == Dependence::Control);
        let slot = (edge.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        let recent = &mut self.recent[slot % RECENT];
        if *recent != edge {
            *recent = edge;
            self.edges.insert(edge);
        }
    }

    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.edges.iter().map(|edge| {
            let kind = if edge & 1 != 0 { Dependence::Control } else { Dependence::Data };
            ((edge >> 32) as u32, (*edge as u32) >> 1, kind)
        })
    }

    /// The nodes in order.
    pub fn numbers(&self) -> Vec<u32> {
        let bits = |(index, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| index as u32 * 64 + bit)
        };
        self.nodes.iter().enumerate().flat_map(bits).collect()
    }
}
