//! Which branches decide whether a program prints. Output that is missing depends on nothing that ran; it depends on the
//! decisions not to print it, and a slice of it begins with these.
//!
//! A branch decides if a call that prints depends on it for its control, directly or over other branches and calls. Only
//! calls count that runs execute which print what they should: what is printed about an error is not what is missing.
//! Imprecise where: a function that prints and is called through a pointer is not known to be called there.

use rustc_hash::{FxHashMap, FxHashSet};

use super::flat::Flat;
use super::postdominators::Control;
use super::symptom::MissingOutput;
use crate::recording::{NodeKind, Words};

/// The branches, and where in a run they are looked for.
pub struct Decisions {
    /// By the number of the segment that ends with the branch.
    decides: FxHashSet<u32>,
    /// So much is printed before what is missing.
    at: u64,
    /// So much was printed by what is still before.
    before: u64,
}

impl Decisions {
    pub fn new(flat: &Flat<'_>, missing: &MissingOutput) -> Decisions {
        Decisions { decides: branches(flat, &missing.executed), at: missing.at, before: missing.all }
    }

    /// Whether a record, taken from the end of a run, ends with such a branch between what was printed last and what is
    /// printed next.
    pub fn find(&mut self, flat: &Flat<'_>, number: u32, words: Words<'_>) -> bool {
        let segment = &flat.segments[number as usize];
        let found = self.before == self.at && self.decides.contains(&number);
        for access in flat.accesses(segment).iter().filter(|it| it.kind.print) {
            self.before = access.printed(words, self.before).start;
        }
        found
    }

    /// Whether a segment is one that matters here, whatever a record says of it.
    pub fn may_find(&self, flat: &Flat<'_>, number: u32) -> bool {
        let mut accesses = flat.accesses(&flat.segments[number as usize]).iter();
        self.decides.contains(&number) || accesses.any(|it| it.kind.print)
    }

    /// What was printed last has been passed.
    pub fn is_over(&self) -> bool {
        self.before < self.at
    }
}

/// The segments whose branches decide whether something is printed in one of these blocks.
fn branches(flat: &Flat<'_>, executed: &[bool]) -> FxHashSet<u32> {
    let is_executed = |number: usize| {
        let segment = &flat.segments[number];
        let function = flat.function(segment.function);
        let counter = function.segments[segment.index as usize].counter;
        let block = flat.sites.block_of(flat.functions[segment.function as usize].unit, counter);
        block.is_some_and(|it| executed.get(it.0 as usize).copied().unwrap_or(false))
    };
    let mut calls: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    let mut open: Vec<u32> = Vec::new();
    for (number, segment) in flat.segments.iter().enumerate().filter(|(number, _)| is_executed(*number)) {
        if flat.accesses(segment).iter().any(|it| it.kind.print) {
            open.push(number as u32);
        }
        let callee = segment.call.map(|it| &flat.function(segment.function).nodes[it as usize].kind);
        if let Some(NodeKind::Call { callee: Some(name), .. }) = callee {
            calls.entry(name).or_default().push(number as u32);
        }
    }
    let mut control: FxHashMap<u32, Control> = FxHashMap::default();
    let mut reached: FxHashSet<u32> = open.iter().copied().collect();
    let mut decides = FxHashSet::default();
    while let Some(number) = open.pop() {
        let segment = &flat.segments[number as usize];
        let function = flat.function(segment.function);
        let first = number - segment.index;
        let control = control.entry(segment.function).or_insert_with(|| Control::of(function));
        let branches = (0..function.segments.len() as u32).filter(|it| control.decides(*it, segment.index));
        let branches: Vec<u32> = branches.map(|it| first + it).collect();
        decides.extend(&branches);
        let callers = calls.get(&*function.symbol).into_iter().flatten().copied();
        open.extend(branches.into_iter().chain(callers).filter(|it| reached.insert(*it)));
    }
    decides
}
