//! Where a slice begins.

use super::flat::{Flat, FlatAccess, FlatSegment};
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
    let missing = missing(flat.accesses(segment), words);
    missing.map_or(segment.end_node, |it| flat.accesses(segment)[it].node + 1)
}

/// The first access with a word of its own that was not reached, or whose address is zero.
pub fn missing(accesses: &[FlatAccess], words: &[u64]) -> Option<usize> {
    accesses.iter().position(|it| it.owns_word && it.address(words) == 0)
}

/// The access that could not be done. Words are written before their accesses, so it is the last one that has a word of its
/// own and was reached, or one behind it that needs none; several of these may have the same address.
pub fn crashed<'f>(address: Option<u64>, accesses: &'f [FlatAccess], words: &[u64]) -> Option<&'f FlatAccess> {
    let address = address?;
    let end = missing(accesses, words).unwrap_or(accesses.len());
    let begin = accesses[..end].iter().rposition(|it| it.owns_word).unwrap_or(0);
    accesses[begin..end].iter().find(|it| {
        let first = it.address(words);
        first != 0 && address >= first && address - first < it.length(words)
    })
}

/// The access that crashed, or the call that did not return, or the last thing done.
fn last(address: Option<u64>, flat: &Flat<'_>, segment: &FlatSegment, words: &[u64]) -> Vec<u32> {
    let accesses = flat.accesses(segment);
    if let Some(crashed) = crashed(address, accesses, words) {
        return vec![crashed.node];
    }
    if let Some(missing) = missing(accesses, words) {
        let before = missing.checked_sub(1).map(|it| accesses[it].node);
        return before.into_iter().chain([accesses[missing].node]).collect();
    }
    let last = segment.call.or_else(|| accesses.last().map(|it| it.node));
    let last = last.or_else(|| (segment.first_node < segment.end_node).then(|| segment.end_node - 1));
    last.into_iter().collect()
}
