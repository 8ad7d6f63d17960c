//! Which blocks a function has, and in which order.

use std::collections::HashSet;

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
