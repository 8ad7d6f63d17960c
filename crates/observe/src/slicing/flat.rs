//! The program as the walk over a trace wants it: segments and nodes of all units in one numbering.

use std::ops::Range;

use crate::recording::{Access, Function, NodeKind, Place, Sites, Source, Words};

/// A segment among all.
#[derive(Clone, Copy, Debug)]
pub struct FlatSegment {
    pub function: u32,
    /// Its number in the function.
    pub index: u32,
    /// Nodes of the function.
    pub first_node: u32,
    pub end_node: u32,
    pub returns: bool,
    /// The call that ends it.
    pub call: Option<u32>,
    /// The call that it goes on behind.
    pub call_before: Option<u32>,
    /// Its accesses among all.
    pub first_access: u32,
    pub end_access: u32,
    /// What can come next, among all successors.
    first_successor: u32,
    end_successor: u32,
}

/// An access of a segment.
#[derive(Clone, Copy, Debug)]
pub struct FlatAccess {
    pub node: u32,
    /// Which word of the segment has the address; none if it is known without.
    word: u32,
    /// The word is for this access.
    owns_word: bool,
    /// From what the word says, or from zero.
    distance: u64,
    /// In bytes; `None` if the next word has it.
    size: Option<u64>,
    pub kind: Access,
}

/// What the hook of a print writes for it.
const STANDARD_OUTPUT: u64 = 1;
/// Or, of streams that tell how much had been printed before, that and so much.
const POSITION: u64 = 3;
const NO_WORD: u32 = u32::MAX;

/// How a number is found in the words of a record: from one of them, by its distance, or without.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    word: u32,
    distance: u64,
}

impl Operand {
    /// So far from what a source says.
    fn of(source: Source, distance: u64) -> Operand {
        match (source.word, source.distance as u64) {
            (Some(word), from) => Operand { word, distance: from.wrapping_add(distance) },
            (None, 0) => Operand { word: NO_WORD, distance: 0 },
            (None, constant) => Operand { word: NO_WORD, distance: constant.wrapping_add(distance) },
        }
    }

    /// Zero if the word is.
    pub fn value(&self, written: &[u64]) -> u64 {
        match self.word {
            NO_WORD => self.distance,
            word => match written[word as usize] {
                0 => 0,
                number => number.wrapping_add(self.distance),
            },
        }
    }
}

/// An access of a path: its address and length are found in the words of a record.
#[derive(Clone, Copy, Debug)]
pub struct PathAccess {
    address: Operand,
    length: Operand,
    pub kind: Access,
}

impl PathAccess {
    /// Of so many bytes at the address that a word has.
    #[cfg(test)]
    pub fn of_word(word: u32, length: u64, write: bool) -> PathAccess {
        let length = Operand { word: NO_WORD, distance: length };
        PathAccess { address: Operand { word, distance: 0 }, length, kind: Access { write, ..Access::default() } }
    }

    /// Zero where it was not reached.
    pub fn address(&self, written: &[u64]) -> u64 {
        self.address.value(written)
    }

    pub fn length(&self, written: &[u64]) -> u64 {
        let length = self.length.value(written);
        // A result below zero is a call that has failed.
        if (length as i64) < 0 { 0 } else { length }
    }

    /// Reads memory.
    pub fn reads(&self) -> bool {
        !self.kind.write && !self.kind.print
    }
}

impl FlatAccess {
    /// In the path of a record with these words.
    pub fn of_path(&self, words: Words<'_>) -> PathAccess {
        let address = match self.word {
            NO_WORD => Operand { word: NO_WORD, distance: self.distance },
            word => Operand::of(words.source(word), self.distance),
        };
        let length = match self.size {
            Some(size) => Operand { word: NO_WORD, distance: size },
            None => Operand::of(words.source(self.word + 1), 0),
        };
        PathAccess { address, length, kind: self.kind }
    }

    /// Zero where it was not reached.
    pub fn address(&self, words: Words<'_>) -> u64 {
        self.of_path(words).address(words.written)
    }

    /// The word that is for this access and not for another one of the segment.
    pub fn own_word(&self) -> Option<u32> {
        self.owns_word.then_some(self.word)
    }

    /// Reads memory.
    pub fn reads(&self) -> bool {
        !self.kind.write && !self.kind.print
    }

    /// What went to standard output, if so much had been printed behind the call, unless it tells that itself.
    pub fn printed(&self, words: Words<'_>, behind: u64) -> Range<u64> {
        let (address, length) = (self.address(words), self.length(words));
        match address {
            STANDARD_OUTPUT if !self.kind.is_positioned => behind.saturating_sub(length)..behind,
            POSITION.. if self.kind.is_positioned => address - POSITION..(address - POSITION).saturating_add(length),
            _ => behind..behind,
        }
    }

    pub fn length(&self, words: Words<'_>) -> u64 {
        self.of_path(words).length(words.written)
    }
}

pub struct FlatFunction {
    pub unit: u32,
    pub index: u32,
    pub first_node: u32,
}

pub struct Flat<'a> {
    pub sites: &'a Sites,
    pub functions: Vec<FlatFunction>,
    pub segments: Vec<FlatSegment>,
    accesses: Vec<FlatAccess>,
    /// Numbers of segments in their functions.
    successors: Vec<u32>,
    pub node_count: u32,
}

impl<'a> Flat<'a> {
    /// With the addresses of each unit's globals.
    pub fn new(sites: &'a Sites, globals: &[Vec<u64>]) -> Flat<'a> {
        let mut flat = Flat {
            sites,
            functions: Vec::new(),
            segments: Vec::new(),
            accesses: Vec::new(),
            successors: Vec::new(),
            node_count: 0,
        };
        for (unit, table) in sites.units.iter().enumerate() {
            for (index, function) in table.functions.iter().enumerate() {
                flat.add(unit as u32, index as u32, function, &globals[unit]);
            }
        }
        flat
    }

    fn add(&mut self, unit: u32, index: u32, function: &Function, globals: &[u64]) {
        let number = self.functions.len() as u32;
        let first_segment = self.segments.len() as u32;
        self.functions.push(FlatFunction { unit, index, first_node: self.node_count });
        self.node_count += function.nodes.len() as u32;
        for (index, segment) in function.segments.iter().enumerate() {
            let first_access = self.accesses.len() as u32;
            let mut word = 1;
            let mut call = None;
            for node in segment.first_node..segment.end_node {
                let kind = &function.nodes[node as usize].kind;
                self.add_accesses(node, kind, first_access as usize, globals, &mut word);
                if segment.calls && matches!(kind, NodeKind::Call { .. }) {
                    call = Some(node);
                }
            }
            let first_successor = self.successors.len() as u32;
            self.successors.extend(&segment.successors);
            let last = function.nodes[segment.first_node as usize..segment.end_node as usize].last();
            self.segments.push(FlatSegment {
                function: number,
                index: index as u32,
                first_node: segment.first_node,
                end_node: segment.end_node,
                returns: last.is_some_and(|it| it.kind == NodeKind::Return),
                call,
                call_before: None,
                first_access,
                end_access: self.accesses.len() as u32,
                first_successor,
                end_successor: self.successors.len() as u32,
            });
        }
        self.find_continuations(first_segment, function);
    }

    /// A segment with one way in, from a call, goes on behind that call.
    fn find_continuations(&mut self, first_segment: u32, function: &Function) {
        let mut ways_in = vec![0; function.segments.len()];
        for &to in function.segments.iter().flat_map(|it| &it.successors) {
            ways_in[to as usize] += 1;
        }
        for (from, segment) in function.segments.iter().enumerate() {
            let call = self.segments[first_segment as usize + from].call;
            for &to in segment.successors.iter().filter(|it| ways_in[**it as usize] == 1) {
                self.segments[(first_segment + to) as usize].call_before = call;
            }
        }
    }

    fn add_accesses(&mut self, node: u32, kind: &NodeKind, first: usize, globals: &[u64], word: &mut u32) {
        match kind {
            NodeKind::Load { size, place, .. } | NodeKind::Store { size, place, .. } => {
                let kind = Access { write: matches!(kind, NodeKind::Store { .. }), ..Access::default() };
                let (word, distance) = match *place {
                    Place::Own => {
                        *word += 1;
                        (*word - 1, 0)
                    }
                    Place::Shared { node, distance } => {
                        let leader = self.accesses[first..].iter().find(|it| it.node == node);
                        (leader.expect("the table was checked").word, distance as u64)
                    }
                    Place::Global { number, distance } => match globals.get(number as usize) {
                        Some(address) => (NO_WORD, address.wrapping_add(distance as u64)),
                        None => (NO_WORD, 0),
                    },
                };
                let owns_word = *place == Place::Own;
                self.accesses.push(FlatAccess { node, word, owns_word, distance, size: Some(*size), kind });
            }
            NodeKind::Call { accesses, .. } | NodeKind::Effect { accesses, .. } => {
                for &kind in accesses {
                    let (size, distance) = (None, 0);
                    self.accesses.push(FlatAccess { node, word: *word, owns_word: true, distance, size, kind });
                    *word += 2;
                }
            }
            _ => {}
        }
    }

    pub fn accesses(&self, segment: &FlatSegment) -> &[FlatAccess] {
        &self.accesses[segment.first_access as usize..segment.end_access as usize]
    }

    /// The segments of its function that can come next.
    pub fn successors(&self, segment: &FlatSegment) -> &[u32] {
        &self.successors[segment.first_successor as usize..segment.end_successor as usize]
    }

    pub fn function(&self, index: u32) -> &'a Function {
        let function = &self.functions[index as usize];
        &self.sites.units[function.unit as usize].functions[function.index as usize]
    }

    pub fn node_count_of(&self, function: u32) -> u32 {
        self.function(function).nodes.len() as u32
    }

    /// The number among all of a function's node.
    pub fn node(&self, function: u32, node: u32) -> u32 {
        self.functions[function as usize].first_node + node
    }

    /// The function and its node of a number among all.
    pub fn place(&self, node: u32) -> (u32, u32) {
        let function = self.functions.partition_point(|it| it.first_node <= node) - 1;
        (function as u32, node - self.functions[function].first_node)
    }
}
