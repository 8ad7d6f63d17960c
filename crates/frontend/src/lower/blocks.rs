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
    let mut search = Components::new(&successors);
    for start in 0..blocks.len() {
        search.visit(start);
    }
    search.cyclic.into_iter().map(|index| blocks[index]).collect()
}

/// Tarjan's search for strongly connected components, without recursion.
struct Components<'a> {
    successors: &'a [Vec<usize>],
    order: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    visited: usize,
    cyclic: Vec<usize>,
}

impl<'a> Components<'a> {
    fn new(successors: &'a [Vec<usize>]) -> Self {
        let count = successors.len();
        Components {
            successors,
            order: vec![None; count],
            low: vec![0; count],
            on_stack: vec![false; count],
            stack: Vec::new(),
            visited: 0,
            cyclic: Vec::new(),
        }
    }

    fn visit(&mut self, start: usize) {
        if self.order[start].is_some() {
            return;
        }
        self.open(start);
        let mut path = vec![(start, 0)];
        while let Some((block, next)) = path.last_mut() {
            let block = *block;
            if let Some(&successor) = self.successors[block].get(*next) {
                *next += 1;
                match self.order[successor] {
                    None => {
                        self.open(successor);
                        path.push((successor, 0));
                    }
                    Some(order) if self.on_stack[successor] => self.low[block] = self.low[block].min(order),
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[block]);
            }
            self.close(block);
        }
    }

    fn open(&mut self, block: usize) {
        self.order[block] = Some(self.visited);
        self.low[block] = self.visited;
        self.visited += 1;
        self.stack.push(block);
        self.on_stack[block] = true;
    }

    /// Takes the component off the stack if this block is the first of it.
    fn close(&mut self, block: usize) {
        if Some(self.low[block]) != self.order[block] {
            return;
        }
        let first = self.stack.iter().rposition(|&one| one == block).expect("an open block is on the stack");
        let component = self.stack.split_off(first);
        for &member in &component {
            self.on_stack[member] = false;
        }
        if component.len() > 1 || self.successors[block].contains(&block) {
            self.cyclic.extend(component);
        }
    }
}
