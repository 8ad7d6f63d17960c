//! Where the ways out of a branch meet again: immediate postdominators of a function's blocks.
//!
//! A body → for each block, the block that every way from it to a return passes first, if there is one.
//! Ways that never return (a failed assertion, `abort`, `exit`) are left out: that such a check held is no
//! reason for what comes after it. A loop that nobody leaves counts as if its head could return, or all of
//! its inside would depend on everything before.
//!
//! Cooper, Harvey and Kennedy: *A Simple, Fast Dominance Algorithm*, on the reversed graph.

use program::graph;
use program::{Body, TerminatorKind};

const NONE: usize = usize::MAX;

/// The immediate postdominator of each block.
pub fn immediate(body: &Body) -> Vec<Option<usize>> {
    meeting(body).0
}

/// The immediate postdominator of each block, and whether any way from it counts.
pub fn meeting(body: &Body) -> (Vec<Option<usize>>, Vec<bool>) {
    let successors = successors(body);
    let returning = returning(body, &successors);
    let count = successors.len();
    // Node `count` is where all returns lead.
    let exit = count;
    let mut forward: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    let mut backward: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    let live = coreachable(&successors, &returning);
    let edge = |from: usize, to: usize, forward: &mut Vec<Vec<usize>>, backward: &mut Vec<Vec<usize>>| {
        forward[from].push(to);
        backward[to].push(from);
    };
    for block in (0..count).filter(|&block| live[block]) {
        if returning[block] {
            edge(block, exit, &mut forward, &mut backward);
        }
        for &to in successors[block].iter().filter(|&&to| live[to]) {
            edge(block, to, &mut forward, &mut backward);
        }
    }
    let dominator = dominators(exit, &backward, &forward);
    let immediate = |block: usize| Some(dominator[block]).filter(|&it| it != NONE && it != exit);
    ((0..count).map(immediate).collect(), live)
}

pub fn successors(body: &Body) -> Vec<Vec<usize>> {
    let of = |block: &program::Block| {
        let mut targets = Vec::new();
        block.terminator.kind.successors(|target| targets.push(target.index()));
        targets
    };
    body.blocks.iter().map(of).collect()
}

/// Blocks that return, and the heads of loops from which no return can be reached.
fn returning(body: &Body, successors: &[Vec<usize>]) -> Vec<bool> {
    let mut returning: Vec<bool> =
        body.blocks.iter().map(|block| matches!(block.terminator.kind, TerminatorKind::Return(_))).collect();
    let mut live = coreachable(successors, &returning);
    let nesting = graph::nesting(successors);
    let mut heads: Vec<usize> = nesting.loops.iter().filter_map(|heads| heads.first().copied()).collect();
    heads.sort_unstable_by_key(|&head| std::cmp::Reverse(nesting.position[head]));
    heads.dedup();
    // Later loops first: one that leads to another endless loop needs no exit of its own.
    for head in heads {
        if !live[head] {
            returning[head] = true;
            live = coreachable(successors, &returning);
        }
    }
    returning
}

/// Blocks from which one of the given blocks can be reached.
fn coreachable(successors: &[Vec<usize>], targets: &[bool]) -> Vec<bool> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, tos) in successors.iter().enumerate() {
        for &to in tos {
            predecessors[to].push(from);
        }
    }
    let mut reached = targets.to_vec();
    let mut open: Vec<usize> = (0..targets.len()).filter(|&block| targets[block]).collect();
    while let Some(block) = open.pop() {
        for &from in &predecessors[block] {
            if !std::mem::replace(&mut reached[from], true) {
                open.push(from);
            }
        }
    }
    reached
}

/// Immediate dominators from a root; [`NONE`] for what it does not reach.
fn dominators(root: usize, successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<usize> {
    let order = postorder(root, successors);
    let mut rank = vec![NONE; successors.len()];
    for (position, &node) in order.iter().enumerate() {
        rank[node] = position;
    }
    let mut dominator = vec![NONE; successors.len()];
    dominator[root] = root;
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|&&node| node != root) {
            let known = predecessors[node].iter().copied().filter(|&it| dominator[it] != NONE);
            let Some(best) = known.reduce(|one, other| meet(one, other, &dominator, &rank)) else { continue };
            changed |= std::mem::replace(&mut dominator[node], best) != best;
        }
    }
    dominator
}

fn meet(mut one: usize, mut other: usize, dominator: &[usize], rank: &[usize]) -> usize {
    while one != other {
        while rank[one] < rank[other] {
            one = dominator[one];
        }
        while rank[other] < rank[one] {
            other = dominator[other];
        }
    }
    one
}

fn postorder(root: usize, successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    seen[root] = true;
    let (mut path, mut order) = (vec![(root, 0)], Vec::new());
    while let Some((node, next)) = path.last_mut() {
        let node = *node;
        match successors[node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                order.push(node);
                path.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Block, BlockId, ExprId, Site, Terminator};

    /// Each block as its successors; an empty list returns, `[0, 0, 0]` never does.
    fn check(blocks: &[&[u32]], expected: &[Option<usize>]) {
        let kind = |targets: &&[u32]| match targets {
            [] => TerminatorKind::Return(Vec::new()),
            [0, 0, 0] => TerminatorKind::Unreachable,
            [to] => TerminatorKind::Goto(BlockId(*to)),
            [then, otherwise, ..] => {
                let (then, otherwise) = (BlockId(*then), BlockId(*otherwise));
                TerminatorKind::Branch { condition: ExprId(0), then, otherwise }
            }
        };
        let block = |targets: &&[u32]| Block {
            name: String::new(),
            commands: Vec::new(),
            terminator: Terminator { kind: kind(targets), site: Site::NONE },
        };
        let body = Body { blocks: blocks.iter().map(block).collect(), ..Body::default() };
        assert_eq!(immediate(&body), expected);
    }

    #[test]
    fn ways_meet() {
        check(&[&[1, 2], &[3], &[3], &[]], &[Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn a_return_inside_keeps_them_apart() {
        check(&[&[1, 2], &[], &[3], &[]], &[None, None, Some(3), None]);
    }

    #[test]
    fn a_failing_way_does_not_count() {
        check(&[&[1, 2], &[0, 0, 0], &[3], &[]], &[Some(2), None, Some(3), None]);
    }

    #[test]
    fn loops() {
        check(&[&[1], &[2, 3], &[1], &[]], &[Some(1), Some(3), Some(1), None]);
    }

    #[test]
    fn an_endless_loop() {
        check(&[&[1], &[2, 3], &[4], &[4], &[1]], &[Some(1), None, Some(4), Some(4), Some(1)]);
    }
}
