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

mod flat;
mod frames;
mod memory;
mod postdominators;
mod symptom;
mod walk;

use std::path::Path;

use crate::Error;
use crate::recording::{Process, Sites, ThreadTrace, traced_processes, traces};

use flat::Flat;
pub use symptom::Criterion;
use walk::Walk;

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
    pub stats: Stats,
}

/// What it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Records in the trace: a segment's name or an access.
    pub records: u64,
    pub segments: u64,
    /// The most granules of eight bytes that were needed at a time.
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
    let threads = traces(process, sites)?;
    let last = process.death.map(|it| it.thread).filter(|thread| threads.iter().any(|it| it.thread == *thread));
    let last = last.or_else(|| threads.iter().map(|it| it.thread).find(|it| *it == process.number));
    let last = last.or_else(|| threads.first().map(|it| it.thread));
    let last = last.ok_or_else(|| Error::NoSymptom("the process has executed nothing that was observed".into()))?;
    let flat = Flat::new(sites);
    let mut walk = Walk::new(&flat, criterion, process.death.and_then(|it| it.address), threads.len());
    let mut left: Vec<usize> = threads.iter().map(ThreadTrace::chunk_count).collect();
    while let Some(thread) = latest(&threads, &left, last) {
        left[thread] -= 1;
        let (words, records) = threads[thread].read(left[thread], sites)?;
        let is_symptom_thread = threads[thread].thread == last;
        for record in records.iter().rev() {
            let range = record.first_word as usize..(record.first_word + record.words) as usize;
            walk.step(thread, flat.segment(record.unit, record.segment), &words[range], is_symptom_thread);
        }
        if walk.is_done() {
            break;
        }
    }
    let lost_beginning = threads.iter().any(|it| it.lost_beginning);
    walk.finish(lost_beginning).ok_or_else(|| {
        let text = match criterion {
            Criterion::Last => "the process has executed nothing that was observed".into(),
            Criterion::Call(names) => format!("the run never called {}", names.join(", ")),
            Criterion::Line { file, line } => format!("the run never came to {file}:{line}"),
        };
        Error::NoSymptom(text)
    })
}

/// The thread whose next chunk, from the end, began last; the symptom's thread before others.
fn latest(threads: &[ThreadTrace], left: &[usize], symptom: u64) -> Option<usize> {
    let open = (0..threads.len()).filter(|it| left[*it] > 0);
    open.max_by_key(|it| {
        let trace = &threads[*it];
        // The last chunk of the symptom's thread has the symptom.
        let is_first = trace.thread == symptom && left[*it] == trace.chunk_count();
        (is_first, trace.begin_of(left[*it] - 1))
    })
}
