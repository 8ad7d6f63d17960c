//! The lines of an observed program as elements of a matrix.
//!
//! A line is executed as often as the most executed of its blocks; lines without code are no elements, and neither are those
//! of blocks that no run executed.

use std::collections::BTreeMap;
use std::sync::Arc;

use observe::recording::{Coverage, Sites};

use super::{Matrix, Row};

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    pub file: Arc<str>,
    pub line: u32,
    /// The function that it is in.
    pub function: Arc<str>,
}

/// The function that a line is in, and the numbers of its blocks.
type Blocks = (Arc<str>, Vec<usize>);

/// One run: its name, whether it fails, and what it executed.
pub struct Run<'a> {
    pub name: String,
    pub fails: bool,
    pub coverage: &'a Coverage,
}

/// The matrix over all lines that some run executed, in the order of files and lines.
pub fn matrix(sites: &Sites, runs: &[Run<'_>]) -> (Vec<Line>, Matrix) {
    let mut blocks: BTreeMap<(Arc<str>, u32), Blocks> = BTreeMap::new();
    for (number, block) in sites.blocks.iter().enumerate() {
        if !runs.iter().any(|run| run.coverage.blocks.get(number).is_some_and(|&count| count > 0)) {
            continue;
        }
        for &line in &block.lines {
            let entry =
                blocks.entry((block.file.clone(), line)).or_insert_with(|| (block.function.clone(), Vec::new()));
            entry.1.push(number);
        }
    }
    let row = |run: &Run<'_>| {
        let count = |blocks: &[usize]| blocks.iter().filter_map(|&it| run.coverage.blocks.get(it)).copied().max();
        let counts = blocks.values().map(|(_, blocks)| count(blocks).unwrap_or(0)).collect();
        Row { name: run.name.clone(), fails: run.fails, counts }
    };
    let matrix = Matrix { elements: blocks.len(), runs: runs.iter().map(row).collect() };
    let lines = blocks.into_iter().map(|((file, line), (function, _))| Line { file, line, function });
    (lines.collect(), matrix)
}
