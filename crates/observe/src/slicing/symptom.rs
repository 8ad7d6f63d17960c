//! Where a slice begins.

use super::flat::{Flat, FlatSegment};
use crate::recording::NodeKind;

/// What is looked for, from the end of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// What the process executed last: where it crashed, or the call that did not come back.
    Last,
    /// The last call to one of these functions, such as those that write output.
    Call(Vec<String>),
    /// The last time that this line was executed. The file is compared by its end.
    Line { file: String, line: u32 },
}

/// The nodes of the function that the slice begins with, if this record is the symptom.
pub fn symptom(
    criterion: &Criterion,
    address: Option<u64>,
    flat: &Flat<'_>,
    segment: &FlatSegment,
    words: &[u64],
) -> Vec<u32> {
    let function = flat.function(segment.function);
    let executed = executed_nodes(flat, segment, words);
    let nodes = segment.first_node..segment.end_node;
    match criterion {
        Criterion::Last => last(address, flat, segment, words),
        Criterion::Call(names) => nodes
            .filter(|it| *it < executed)
            .filter(|it| match &function.nodes[*it as usize].kind {
                NodeKind::Call { callee: Some(name), .. } => names.iter().any(|it| **it == **name),
                _ => false,
            })
            .collect(),
        Criterion::Line { file, line } => nodes
            .filter(|it| *it < executed)
            .filter(|it| {
                let node = &function.nodes[*it as usize];
                let own = node.file.as_ref().unwrap_or(&function.file);
                node.line == *line && own.ends_with(file.as_str())
            })
            .collect(),
    }
}

/// Accesses of address zero are not told from those that were not reached, so the end is that of the last known one
/// or the one behind it.
fn executed_nodes(flat: &Flat<'_>, segment: &FlatSegment, words: &[u64]) -> u32 {
    let accesses = &flat.accesses[segment.first_access as usize..segment.end_access as usize];
    let missing = accesses.iter().find(|it| words[it.word as usize] == 0);
    missing.map_or(segment.end_node, |it| it.node + 1)
}

/// The access that crashed, or the call that did not return, or the last thing done.
fn last(address: Option<u64>, flat: &Flat<'_>, segment: &FlatSegment, words: &[u64]) -> Vec<u32> {
    let accesses = &flat.accesses[segment.first_access as usize..segment.end_access as usize];
    let crashed = accesses.iter().rev().find(|it| {
        let (first, size) = (words[it.word as usize], it.size.unwrap_or(0));
        first != 0 && address.is_some_and(|address| address >= first && address - first < size)
    });
    if let Some(crashed) = crashed {
        return vec![crashed.node];
    }
    if let Some(missing) = accesses.iter().position(|it| words[it.word as usize] == 0) {
        let before = missing.checked_sub(1).map(|it| accesses[it].node);
        return before.into_iter().chain([accesses[missing].node]).collect();
    }
    let last = segment.call.or_else(|| accesses.last().map(|it| it.node));
    let last = last.or_else(|| (segment.first_node < segment.end_node).then(|| segment.end_node - 1));
    last.into_iter().collect()
}
