//! Control dependence inside of functions: which branch decides whether a block is reached.
//!
//! A block depends on a branch if it is on all ways from one of the branch's successors to the function's end,
//! and not on all ways from the branch itself (Ferrante, Ottenstein and Warren, 1987). Found over
//! postdominators. A loop from which no
//! way leads to a return, as one that only a failed assertion ends, could also go on for ever: it counts as if its
//! first block led to the end, or else all of its ways would lead to the failure and none would decide about it.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Visits, reversed};
use program::{BlockId, Body, FunctionId, Program, TerminatorKind};

/// The control dependences of functions, computed when first asked for.
pub struct Control<'p> {
    program: &'p Program,
    functions: BTreeMap<FunctionId, Dependences>,
}

struct Dependences {
    /// The branches that decide about each block.
    deciding: Vec<BTreeSet<usize>>,
    in_loop: Vec<bool>,
}

impl<'p> Control<'p> {
    pub fn new(program: &'p Program) -> Control<'p> {
        Control { program, functions: BTreeMap::new() }
    }

    /// Whether the branch at the end of a block decides whether another is reached.
    pub fn decides(&mut self, function: FunctionId, branch: BlockId, block: BlockId) -> bool {
        let found = self.of(function);
        found.is_some_and(|it| it.deciding.get(block.index()).is_some_and(|set| set.contains(&branch.index())))
    }

    pub fn is_in_loop(&mut self, function: FunctionId, block: BlockId) -> bool {
        self.of(function).is_some_and(|it| it.in_loop.get(block.index()).copied().unwrap_or(false))
    }

    fn of(&mut self, function: FunctionId) -> Option<&Dependences> {
        let body = self.program.functions.get(function.index())?.body.as_ref()?;
        Some(self.functions.entry(function).or_insert_with(|| dependences(body)))
    }
}

fn dependences(body: &Body) -> Dependences {
    let successors = body.successors();
    let nesting = graph::nesting(&successors);
    let in_loop = nesting.loops.iter().map(|heads| !heads.is_empty()).collect();
    let returns = |block: &program::Block| matches!(block.terminator.kind, TerminatorKind::Return(_));
    let returning: Vec<bool> = body.blocks.iter().map(returns).collect();
    Dependences { deciding: deciding(&successors, &returning), in_loop }
}

fn deciding(successors: &[Vec<usize>], returning: &[bool]) -> Vec<BTreeSet<usize>> {
    let above = postdominators(successors, returning);
    let mut deciding = vec![BTreeSet::new(); successors.len()];
    for (branch, targets) in successors.iter().enumerate().filter(|(_, targets)| targets.len() > 1) {
        for block in targets.iter().flat_map(|&target| graph::until(above[branch], target, &above)) {
            deciding[block].insert(branch);
        }
    }
    deciding
}

/// The immediate postdominator of each block; the end is the number behind the last block.
fn postdominators(successors: &[Vec<usize>], returning: &[bool]) -> Vec<Option<usize>> {
    let end = successors.len();
    let predecessors = reversed(successors);
    let mut ending = Visits::new(&predecessors);
    (0..end).filter(|&block| returning[block]).for_each(|block| ending.visit(block));
    let mut forward: Vec<Vec<usize>> = successors.to_vec();
    forward.iter_mut().filter(|it| it.is_empty()).for_each(|it| it.push(end));
    // Components come before those that lead to them.
    for component in graph::components(successors) {
        let first = component.iter().copied().min().unwrap_or(0);
        if graph::is_cyclic(&component, successors) && !ending.has_seen(first) {
            forward[first].push(end);
            ending.visit(first);
        }
    }
    forward.push(Vec::new());
    graph::postdominators(&forward, end)
}

#[cfg(test)]
mod tests {
    use super::deciding;

    #[track_caller]
    fn check(successors: &[&[usize]], expected: &[&[usize]]) {
        check_failing(successors, &[], expected);
    }

    /// Some of the blocks without successors fail; the others return.
    #[track_caller]
    fn check_failing(successors: &[&[usize]], failing: &[usize], expected: &[&[usize]]) {
        let successors: Vec<Vec<usize>> = successors.iter().map(|next| next.to_vec()).collect();
        let returning: Vec<bool> =
            (0..successors.len()).map(|block| successors[block].is_empty() && !failing.contains(&block)).collect();
        let found: Vec<Vec<usize>> =
            deciding(&successors, &returning).into_iter().map(|set| set.into_iter().collect()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn branches_decide_until_they_meet() {
        check(&[&[1, 2], &[3], &[3], &[]], &[&[], &[0], &[0], &[]]);
        check(&[&[1, 2], &[2], &[]], &[&[], &[0], &[]]);
    }

    #[test]
    fn a_loop_decides_about_its_next_round() {
        check(&[&[1], &[2, 3], &[1], &[]], &[&[], &[1], &[1], &[]]);
        // Without an end.
        check(&[&[1], &[2, 1], &[2]], &[&[], &[1], &[]]);
    }

    #[test]
    fn an_assertion_decides_whether_an_endless_loop_fails() {
        check_failing(&[&[1], &[2], &[3, 1], &[]], &[3], &[&[], &[2], &[], &[2]]);
    }
}
