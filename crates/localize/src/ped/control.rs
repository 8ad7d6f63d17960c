//! Control dependence inside of functions: which branch decides whether a block is reached.
//!
//! A block depends on a branch if it is on all ways from one of the branch's successors to the function's end,
//! and not on all ways from the branch itself (Ferrante, Ottenstein and Warren, 1987). Found over
//! postdominators, which are computed as by Cooper, Harvey and Kennedy on the reversed graph. A loop from which no
//! way leads to a return, as one that only a failed assertion ends, could also go on for ever: it counts as if its
//! first block led to the end, or else all of its ways would lead to the failure and none would decide about it.

use std::collections::{BTreeMap, BTreeSet};

use program::graph;
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
    let mut successors: Vec<Vec<usize>> = Vec::with_capacity(body.blocks.len());
    for block in &body.blocks {
        let mut next = Vec::new();
        block.terminator.kind.successors(|target| next.push(target.index()));
        successors.push(next);
    }
    let nesting = graph::nesting(&successors);
    let in_loop = nesting.loops.iter().map(|heads| !heads.is_empty()).collect();
    let returns = |block: &program::Block| matches!(block.terminator.kind, TerminatorKind::Return(_));
    let returning: Vec<bool> = body.blocks.iter().map(returns).collect();
    Dependences { deciding: deciding(&successors, &returning), in_loop }
}

fn deciding(successors: &[Vec<usize>], returning: &[bool]) -> Vec<BTreeSet<usize>> {
    let above = postdominators(successors, returning);
    let mut deciding = vec![BTreeSet::new(); successors.len()];
    for (branch, targets) in successors.iter().enumerate() {
        if targets.len() < 2 {
            continue;
        }
        for &target in targets {
            let mut block = target;
            while block != above[branch] && block < successors.len() {
                deciding[block].insert(branch);
                block = above[block];
            }
        }
    }
    deciding
}

/// The immediate postdominator of each block; the virtual exit is the number behind the last block.
fn postdominators(successors: &[Vec<usize>], returning: &[bool]) -> Vec<usize> {
    let exit = successors.len();
    let mut forward: Vec<Vec<usize>> = successors.to_vec();
    let mut returns = forward.clone();
    for block in (0..exit).filter(|&block| successors[block].is_empty()) {
        forward[block].push(exit);
        if returning[block] {
            returns[block].push(exit);
        }
    }
    // Components come before those that lead to them.
    let mut ending = backward_order(&returns, exit);
    for component in graph::components(successors) {
        let first = component.iter().copied().min().unwrap_or(0);
        let is_loop = component.len() > 1 || successors[first].contains(&first);
        if is_loop && !ending.contains(&first) {
            forward[first].push(exit);
            returns[first].push(exit);
            ending = backward_order(&returns, exit);
        }
    }
    let order = backward_order(&forward, exit);
    let mut rank = vec![0; exit + 1];
    for (position, &block) in order.iter().enumerate() {
        rank[block] = position;
    }
    let mut above: Vec<Option<usize>> = vec![None; exit + 1];
    above[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().skip(1) {
            let mut meet: Option<usize> = None;
            for &next in forward[block].iter().filter(|&&next| above[next].is_some()) {
                meet = Some(meet.map_or(next, |one| intersect(&above, &rank, one, next)));
            }
            if meet.is_some() && above[block] != meet {
                above[block] = meet;
                changed = true;
            }
        }
    }
    above.into_iter().map(|it| it.unwrap_or(exit)).collect()
}

fn intersect(above: &[Option<usize>], rank: &[usize], mut one: usize, mut other: usize) -> usize {
    while one != other {
        let lower = if rank[one] > rank[other] { &mut one } else { &mut other };
        let Some(next) = above[*lower] else { return other.min(one) };
        *lower = next;
    }
    one
}

/// Reverse postorder of the reversed graph from the exit.
fn backward_order(forward: &[Vec<usize>], exit: usize) -> Vec<usize> {
    let mut backward = vec![Vec::new(); exit + 1];
    for (block, next) in forward.iter().enumerate() {
        next.iter().for_each(|&target| backward[target].push(block));
    }
    let mut seen = vec![false; exit + 1];
    seen[exit] = true;
    let (mut order, mut path) = (Vec::new(), vec![(exit, 0)]);
    while let Some((block, next)) = path.last_mut() {
        match backward[*block].get(*next) {
            Some(&before) => {
                *next += 1;
                if !std::mem::replace(&mut seen[before], true) {
                    path.push((before, 0));
                }
            }
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order.reverse();
    order
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
