//! Where a slice begins.

use std::path::{Component, Path, PathBuf};

use super::flat::{Flat, FlatAccess, FlatSegment};
use crate::recording::{Function, NodeKind, Sites, Words};

/// What is looked for, from the end of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// What the process executed last: where it crashed, or the call that did not come back.
    Last,
    /// The last call to one of these functions, such as those that write output.
    Call(Vec<String>),
    /// The call that printed a byte of standard output; whether the run printed by functions that are known is not checked.
    Output(OutputByte),
    /// The decisions not to print something.
    Missing(MissingOutput),
    /// The last time that this line was executed.
    Line(SourceLine),
    /// The last time that memory was used here, and the last time before it that memory was freed there.
    Freed { used: SourceLine, freed: SourceLine },
}

/// A line, or only what is at this column of it, if there is anything. Of the file, the end is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

impl SourceLine {
    /// Whether the program has observed code at this line.
    pub fn is_observed(&self, sites: &Sites) -> bool {
        let mut functions = sites.units.iter().flat_map(|it| &it.functions);
        functions.any(|function| (0..function.nodes.len() as u32).any(|node| self.has(function, node)))
    }

    fn has(&self, function: &Function, node: u32) -> bool {
        let node = &function.nodes[node as usize];
        node.line == self.line && is_same_file(node.file.as_ref().unwrap_or(&function.file), &self.file)
    }

    /// What was executed of it in a segment.
    fn executed(&self, flat: &Flat<'_>, segment: &FlatSegment, told: Told<'_>) -> Vec<u32> {
        let function = flat.function(segment.function);
        let executed = segment.first_node..segment.end_node.min(executed_nodes(flat, segment, told));
        self.exact(function, executed.filter(|it| self.has(function, *it)).collect())
    }

    /// The calls of it in a segment that was executed whole.
    pub fn calls(&self, flat: &Flat<'_>, segment: &FlatSegment) -> Vec<u32> {
        let function = flat.function(segment.function);
        let is_call = |node: &u32| matches!(function.nodes[*node as usize].kind, NodeKind::Call { .. });
        let nodes = segment.first_node..segment.end_node;
        self.exact(function, nodes.filter(|it| is_call(it) && self.has(function, *it)).collect())
    }

    fn exact(&self, function: &Function, there: Vec<u32>) -> Vec<u32> {
        let exact = there.iter().copied().filter(|it| Some(function.nodes[*it as usize].column) == self.column);
        let exact: Vec<u32> = exact.collect();
        if exact.is_empty() { there } else { exact }
    }
}

/// Whether one path is the end of the other, by whole names.
fn is_same_file(one: &str, other: &str) -> bool {
    let plain = |path: &str| {
        let skipped = |it: &Component<'_>| matches!(it, Component::CurDir | Component::ParentDir);
        Path::new(path).components().skip_while(skipped).collect::<PathBuf>()
    };
    let (one, other) = (plain(one), plain(other));
    one.ends_with(&other) || other.ends_with(&one)
}

/// A byte of what a run printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputByte {
    /// Which byte, from the beginning.
    pub at: u64,
    /// Where its line ends: a call that printed more than that flushed a buffer, and how much it flushed says nothing about
    /// this byte.
    pub line_end: u64,
    /// How many bytes the run printed in all.
    pub all: u64,
}

/// Output that a run should have printed and did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingOutput {
    /// So many bytes were printed before.
    pub at: u64,
    /// How many in all.
    pub all: u64,
    /// By the number of the block: those that are executed by runs that print what they should.
    pub executed: Vec<bool>,
}

/// What is wrong with an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongOutput {
    Byte(OutputByte),
    /// Lines are missing: after so many bytes, of so many in all.
    Missing {
        at: u64,
        all: u64,
    },
}

impl WrongOutput {
    /// The first difference from what is expected. Where nothing is printed that is not expected, though later, something is
    /// missing. `None` if there is no difference.
    pub fn first(output: &[u8], expected: &[u8]) -> Option<WrongOutput> {
        let same = output.iter().zip(expected).take_while(|(one, other)| one == other).count();
        let all = output.len() as u64;
        if same == output.len() {
            return (same < expected.len()).then_some(WrongOutput::Missing { at: all, all });
        }
        let begins = output[..same].iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
        fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
            text.split_inclusive(|it| *it == b'\n')
        }
        let mut rest = lines(&expected[begins..]);
        match lines(&output[begins..]).all(|printed| rest.any(|it| it == printed)) {
            true => Some(WrongOutput::Missing { at: begins as u64, all }),
            // Where a line ends too early, what comes before should be longer; its end may be printed by itself.
            false if output[same] == b'\n' && same > begins => OutputByte::new(output, same - 1).map(WrongOutput::Byte),
            false => OutputByte::new(output, same).map(WrongOutput::Byte),
        }
    }
}

/// A place in an output, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputPlace {
    pub line: usize,
    pub column: usize,
}

impl WrongOutput {
    /// Where the output is wrong.
    pub fn place(&self, output: &[u8]) -> OutputPlace {
        let at = match self {
            WrongOutput::Byte(byte) => byte.at,
            WrongOutput::Missing { at, .. } => *at,
        };
        let before = &output[..(at as usize).min(output.len())];
        let begins = before.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
        OutputPlace { line: before.iter().filter(|it| **it == b'\n').count(), column: before.len() - begins }
    }
}

impl OutputByte {
    /// The byte at a place of another output, or the nearest before it.
    pub fn nearest(output: &[u8], place: OutputPlace) -> Option<OutputByte> {
        let lines: Vec<&[u8]> = output.split_inclusive(|it| *it == b'\n').collect();
        let line = place.line.min(lines.len().checked_sub(1)?);
        let begins: usize = lines[..line].iter().map(|it| it.len()).sum();
        OutputByte::new(output, begins + place.column.min(lines[line].len() - 1))
    }

    pub fn new(output: &[u8], at: usize) -> Option<OutputByte> {
        let rest = output.get(at..).filter(|it| !it.is_empty())?;
        let line_end = at + rest.iter().position(|it| *it == b'\n').map_or(rest.len(), |it| it + 1);
        Some(OutputByte { at: at as u64, line_end: line_end as u64, all: output.len() as u64 })
    }
}

/// What is needed of the call that printed a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintedByte {
    /// Its effect, a node of the function.
    pub effect: u32,
    /// Which of the bytes that it printed.
    pub offset: u64,
    /// How many it printed matters.
    pub length_matters: bool,
}

/// Finds the call that printed a byte, from the end of a run.
#[derive(Debug)]
pub struct Printing {
    byte: OutputByte,
    /// So much was printed by what is still before.
    before: u64,
}

impl Printing {
    pub fn new(byte: OutputByte) -> Printing {
        Printing { byte, before: byte.all }
    }

    /// Whether one of the calls of a segment, taken from the last, printed it.
    pub fn find(&mut self, accesses: &[FlatAccess], words: Words<'_>) -> Option<PrintedByte> {
        for access in accesses.iter().rev().filter(|it| it.kind.print) {
            let printed = access.printed(words, self.before);
            self.before = printed.start;
            if printed.contains(&self.byte.at) {
                let offset = self.byte.at - printed.start;
                let length_matters = printed.end <= self.byte.line_end;
                return Some(PrintedByte { effect: access.node, offset, length_matters });
            }
        }
        None
    }
}

/// The words of a segment, and whether it is in the last record of a thread, of which not all was reached.
#[derive(Clone, Copy, Debug)]
pub struct Told<'r> {
    pub words: Words<'r>,
    pub is_last: bool,
}

impl Told<'_> {
    /// A word was written for this access when it was reached. Those that follow from others say nothing about how far the
    /// process had come.
    pub fn is_written(&self, access: &FlatAccess) -> bool {
        access.own_word().is_some_and(|it| !self.is_last || self.words.source(it).is_itself)
    }
}

/// Whether a slice can begin in a segment, whatever a record says of it.
pub fn may_begin(criterion: &Criterion, flat: &Flat<'_>, segment: &FlatSegment) -> bool {
    let function = flat.function(segment.function);
    let mut nodes = segment.first_node..segment.end_node;
    match criterion {
        Criterion::Last => true,
        Criterion::Output(_) => flat.accesses(segment).iter().any(|it| it.kind.print),
        Criterion::Missing(_) => false,
        Criterion::Call(names) => nodes.any(|it| is_named(names, function, it)),
        Criterion::Line(line) => nodes.any(|it| line.has(function, it)),
        Criterion::Freed { used, freed } => nodes.any(|it| used.has(function, it) || freed.has(function, it)),
    }
}

/// Whether a node is one of the calls.
fn is_named(names: &[String], function: &Function, node: u32) -> bool {
    match &function.nodes[node as usize].kind {
        NodeKind::Call { callee: Some(name), .. } => names.iter().any(|it| **it == **name),
        _ => false,
    }
}

/// The nodes of the function that the slice begins with, if this record is the symptom.
pub fn symptom(
    criterion: &Criterion,
    address: Option<u64>,
    flat: &Flat<'_>,
    segment: &FlatSegment,
    told: Told<'_>,
) -> Vec<u32> {
    match criterion {
        // Found by counting.
        Criterion::Output(_) | Criterion::Missing(_) => Vec::new(),
        Criterion::Last => last(address, flat, segment, told),
        Criterion::Call(names) => {
            let executed = segment.first_node..segment.end_node.min(executed_nodes(flat, segment, told));
            executed.filter(|it| is_named(names, flat.function(segment.function), *it)).collect()
        }
        Criterion::Line(line) | Criterion::Freed { used: line, .. } => line.executed(flat, segment, told),
    }
}

/// Accesses of address zero are not told from those that were not reached, so the end is that of the last known one
/// or the one behind it.
fn executed_nodes(flat: &Flat<'_>, segment: &FlatSegment, told: Told<'_>) -> u32 {
    let missing = missing(flat.accesses(segment), told);
    missing.map_or(segment.end_node, |it| flat.accesses(segment)[it].node + 1)
}

/// The first access with a word of its own that was not reached, or whose address is zero.
pub fn missing(accesses: &[FlatAccess], told: Told<'_>) -> Option<usize> {
    accesses.iter().position(|it| told.is_written(it) && it.address(told.words) == 0)
}

/// The access that could not be done. Words are written before their accesses, so it is the last one that has a word of its
/// own and was reached, or one behind it that needs none; several of these may have the same address.
pub fn crashed<'f>(address: Option<u64>, accesses: &'f [FlatAccess], told: Told<'_>) -> Option<&'f FlatAccess> {
    let address = address?;
    let end = missing(accesses, told).unwrap_or(accesses.len());
    let begin = accesses[..end].iter().rposition(|it| told.is_written(it)).unwrap_or(0);
    accesses[begin..end].iter().filter(|it| !it.kind.print).find(|it| {
        let first = it.address(told.words);
        first != 0 && address >= first && address - first < it.length(told.words)
    })
}

/// The access that crashed, or the call that did not return, or the last thing done.
fn last(address: Option<u64>, flat: &Flat<'_>, segment: &FlatSegment, told: Told<'_>) -> Vec<u32> {
    let accesses = flat.accesses(segment);
    if let Some(crashed) = crashed(address, accesses, told) {
        return vec![crashed.node];
    }
    if let Some(missing) = missing(accesses, told) {
        let before = accesses[..missing].iter().rev().find(|it| !it.kind.print).map(|it| it.node);
        return before.into_iter().chain([accesses[missing].node]).collect();
    }
    let last = segment.call.or_else(|| accesses.last().map(|it| it.node));
    let last = last.or_else(|| (segment.first_node < segment.end_node).then(|| segment.end_node - 1));
    last.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_place_in_another_output() {
        let place = |at| WrongOutput::Missing { at, all: 9 }.place(b"ab\ncd\nef");
        assert_eq!((place(0), place(4)), (OutputPlace { line: 0, column: 0 }, OutputPlace { line: 1, column: 1 }));
        let nearest = |output: &str| OutputByte::nearest(output.as_bytes(), place(4)).map(|it| it.at);
        assert_eq!((nearest("a\nbcd\n"), nearest("abc\n"), nearest("a\nb")), (Some(3), Some(1), Some(2)));
        assert_eq!(nearest(""), None);
    }

    #[test]
    fn wrong_output() {
        let missing = |at, all| Some(WrongOutput::Missing { at, all });
        let byte = |at, line_end, all| Some(WrongOutput::Byte(OutputByte { at, line_end, all }));
        for (output, expected, wrong) in [
            ("a\nb\n", "a\nb\n", None),
            ("a\nx\nc\n", "a\nb\nc\n", byte(2, 4, 6)),
            ("a\nbc", "a\nbd", byte(3, 4, 4)),
            ("a\nbc\n", "a\nbcd\n", byte(3, 5, 5)),
            // More than expected.
            ("a\nb\n", "a\n", byte(2, 4, 4)),
            ("a\nb\nb\n", "a\nb\n", byte(4, 6, 6)),
            // Less.
            ("", "a\n", missing(0, 0)),
            ("a\n", "a\nb\n", missing(2, 2)),
            ("a\nb", "a\nbc\n", missing(3, 3)),
            ("a\nac\n", "a\nab\nac\n", missing(2, 5)),
        ] {
            assert_eq!(WrongOutput::first(output.as_bytes(), expected.as_bytes()), wrong, "{output:?} {expected:?}");
        }
    }
}
