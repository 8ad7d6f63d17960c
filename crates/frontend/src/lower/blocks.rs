//! Which blocks a function has, in which order, and which of them can run again.

use std::collections::{HashMap, HashSet};

use crate::llvm::{Block, Value};

/// The blocks that control can reach, in the order of the function's text.
pub fn reachable(function: Value) -> Vec<Block> {
    let blocks = function.blocks();
    let mut seen = HashSet::new();
    let mut open: Vec<Block> = blocks.first().copied().into_iter().collect();
    while let Some(block) = open.pop() {
        if seen.insert(block) {
            open.extend(block.terminator().map(Value::successors).unwrap_or_default());
        }
    }
    blocks.into_iter().filter(|block| seen.contains(block)).collect()
}

/// The blocks that lie on a cycle, among those given (the entry first).
pub fn repeated(blocks: &[Block]) -> HashSet<Block> {
    let number: HashMap<Block, usize> = blocks.iter().enumerate().map(|(index, &block)| (block, index)).collect();
    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| {
            block.terminator().map(Value::successors).unwrap_or_default().iter().map(|next| number[next]).collect()
        })
        .collect();
    let components = graph::components(&successors);
    let cyclic = components.into_iter().filter(|component| graph::is_cyclic(component, &successors));
    cyclic.flatten().map(|index| blocks[index]).collect()
}
