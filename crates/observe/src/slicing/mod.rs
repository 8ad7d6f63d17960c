//! Dynamic backward slices: which executed instructions a symptom depends on, through data and control.
//!
//! *Using Likely Invariants for Automated Software Fault Localization*, §4. Input: a trace and the table of the
//! program; output: static nodes, and the dependences that were followed between them. Deviations from the paper: the
//! trace is walked once from its end, chunk by chunk, with what is needed kept aside (Zhang and Gupta's demand-driven
//! slicing without a precomputed graph), so that memory grows with what is needed and not with the trace; arguments,
//! results, indirect calls and callbacks through library functions are followed.
//!
//! Imprecise where: threads are interleaved by the times of their chunks, not of their accesses; a library function
//! that is not in `instrument/library.cpp` is taken to touch no memory; a forked child's slice begins at the fork.

mod bits;
mod decisions;
mod effects;
mod flat;
mod frames;
mod learned;
mod libraries;
mod marks;
mod memory;
mod postdominators;
mod reading;
mod segment;
mod sets;
mod states;
mod symptom;
mod walk;

use std::path::Path;

use crate::Error;
use crate::recording::{Process, Sites, globals, traced_processes};

use flat::Flat;
use reading::Reading;
pub use symptom::{Criterion, MissingOutput, OutputByte, OutputPlace, SourceLine, WrongOutput};
use walk::{Taken, Walk};

/// A node of the program: an instruction or a function's argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId {
    pub unit: u32,
    pub function: u32,
    pub node: u32,
}

/// Why one node depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dependence {
    /// It uses the value, from a register or from memory.
    Data,
    /// It runs because of it.
    Control,
}

/// What a symptom depends on.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// The nodes, in order, each once.
    pub nodes: Vec<NodeId>,
    /// Indices of `nodes`: the dependent one, what it depends on, and how. In order, each once.
    pub edges: Vec<(u32, u32, Dependence)>,
    /// Where the slice began, as indices of `nodes`.
    pub symptom: Vec<u32>,
    /// Where it began, too, if what it used was freed before: what freed it.
    pub freed: Vec<u32>,
    /// What it began with are decisions not to do something, and none of them need be wrong.
    pub is_of_decisions: bool,
    /// Units and counters of the blocks that calls were in when the run ended, as far as the slice goes back.
    pub unfinished: Vec<(u32, u32)>,
    pub stats: Stats,
}

/// What it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Records in the trace: a segment's name or an access.
    pub records: u64,
    pub segments: u64,
    /// The most bytes of memory that were needed at a time.
    pub most_memory: usize,
    /// The beginning of the trace was lost, and so what the slice has there.
    pub lost_beginning: bool,
}

impl Slice {
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    pub fn index(&self, node: NodeId) -> Option<u32> {
        self.nodes.binary_search(&node).ok().map(|it| it as u32)
    }

    /// The lines of a file that are in the slice, in order.
    pub fn lines(&self, sites: &Sites, file: &str) -> Vec<u32> {
        let mut lines: Vec<u32> = Vec::new();
        for id in &self.nodes {
            let function = &sites.units[id.unit as usize].functions[id.function as usize];
            let node = &function.nodes[id.node as usize];
            if node.line != 0 && **node.file.as_ref().unwrap_or(&function.file) == *file {
                lines.push(node.line);
            }
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

/// The slice of what was traced into a folder. With several processes, of the one that died, or the first.
pub fn slice(folder: &Path, sites: &Sites, criterion: &Criterion) -> Result<Slice, Error> {
    let processes = traced_processes(folder)?;
    let process = processes.iter().find(|it| it.death.is_some()).unwrap_or(&processes[0]);
    slice_of_process(process, sites, criterion)
}

/// The slice of one process.
pub fn slice_of_process(process: &Process, sites: &Sites, criterion: &Criterion) -> Result<Slice, Error> {
    let flat = Flat::new(sites, &globals(process, sites)?);
    let reading = Reading::new(process, sites, &flat)?;
    let (address, recipes) = (process.death.and_then(|it| it.address), &reading.recipes);
    let mut walk = Walk::new(&flat, criterion, address, reading.threads.len(), recipes.count());
    reading.each(|chunk| {
        let (thread, mut reached) = (chunk.thread, chunk.reached);
        let may_be_symptom = reading.is_symptoms(thread);
        for record in chunk.executed.records.iter().rev() {
            let (path, written) = (record.path, chunk.executed.words(record));
            let (recipe, reached) = (recipes.get(path), reached.take());
            walk.record(Taken { thread, path, recipe, written, reached, may_be_symptom });
        }
        walk.is_done()
    })?;
    let lost_beginning = reading.threads.iter().any(|it| it.lost_beginning);
    let found = walk.finish(lost_beginning).map(|it| libraries::outside_libraries(it, sites));
    found.ok_or_else(|| {
        let text = match criterion {
            Criterion::Last => "the process has executed nothing that was observed".into(),
            Criterion::Call(names) => format!("the run never called {}", names.join(", ")),
            Criterion::Output(byte) => format!("no call that is known printed byte {} of its output", byte.at),
            Criterion::Missing(_) => "no branch that is known decided about the missing output".into(),
            Criterion::Line(place) | Criterion::Freed { used: place, .. } => {
                format!("the run never came to {}:{}", place.file, place.line)
            }
        };
        Error::NoSymptom(text)
    })
}
