//! Where the ways out of a branch meet again: immediate postdominators of a function's blocks.
//!
//! A body → for each block, the block that every way from it to a return passes first, if there is one.
//! Ways that never return (a failed assertion, `abort`, `exit`) are left out: that such a check held is no
//! reason for what comes after it. A loop that nobody leaves counts as if its head could return, or all of
//! its inside would depend on everything before.

use graph::{Visits, reversed};
use program::{Body, TerminatorKind};

/// The immediate postdominator of each block.
pub fn immediate(body: &Body) -> Vec<Option<usize>> {
    meeting(body).0
}

/// The immediate postdominator of each block, and whether any way from it counts.
pub fn meeting(body: &Body) -> (Vec<Option<usize>>, Vec<bool>) {
    let mut successors = body.successors();
    let (returning, live) = returning(body, &successors);
    // All returns lead there.
    let end = successors.len();
    for block in returning {
        successors[block].push(end);
    }
    successors.push(Vec::new());
    let mut found = graph::postdominators(&successors, end);
    found.pop();
    (found.into_iter().map(|it| it.filter(|it| *it != end)).collect(), live)
}

/// Blocks that return, and the heads of loops from which no return can be reached; and which blocks lead to one of them.
fn returning(body: &Body, successors: &[Vec<usize>]) -> (Vec<usize>, Vec<bool>) {
    let returns = |block: &usize| matches!(body.blocks[*block].terminator.kind, TerminatorKind::Return(_));
    let mut returning: Vec<usize> = (0..successors.len()).filter(returns).collect();
    let predecessors = reversed(successors);
    let mut live = Visits::new(&predecessors);
    returning.iter().for_each(|&block| live.visit(block));
    let nesting = graph::nesting(successors);
    let mut heads: Vec<usize> = nesting.loops.iter().filter_map(|heads| heads.first().copied()).collect();
    heads.sort_unstable_by_key(|&head| std::cmp::Reverse(nesting.position[head]));
    heads.dedup();
    // Later loops first: one that leads to another endless loop needs no exit of its own.
    for head in heads {
        if !live.has_seen(head) {
            returning.push(head);
            live.visit(head);
        }
    }
    (returning, (0..successors.len()).map(|block| live.has_seen(block)).collect())
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
