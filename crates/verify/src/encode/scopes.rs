//! Which branch let a statement of a trace be executed: control dependence along a run.
//!
//! A branch decides about everything until control comes to a block that it would have come to anyway, the
//! nearest postdominator in the same call. Loops nest: each round lies in the scope of the rounds before.
//! Imprecise: two calls with no statement of the caller between them count as one scope.

use std::collections::{BTreeMap, BTreeSet};

use program::{BlockId, Body, FunctionId, Program};

use super::origins::{Place, What};
use super::trace::EncodedTrace;

/// For each statement of the trace the number of the guard that decided about it, and last the guard that
/// decided about the failure.
pub fn scopes(program: &Program, encoded: &EncodedTrace) -> Vec<Option<usize>> {
    let mut finder = Finder { program, postdominators: BTreeMap::new(), open: Vec::new() };
    let mut found = Vec::with_capacity(encoded.trace.statements.len() + 1);
    for (number, statement) in encoded.trace.statements.iter().enumerate() {
        let place = encoded.places.get(statement.origin);
        if let Some((function, block, frame)) = place.and_then(location) {
            finder.close(function, block, frame);
        }
        found.push(finder.open.last().map(|scope| scope.guard));
        if let Some(place) = place
            && let (What::Guard(_) | What::Assumption, Some((function, block, frame))) = (place.what, location(place))
        {
            finder.open.push(Scope { function, block, frame, guard: number });
        }
    }
    let (at, frame) = encoded.failure;
    finder.close(at.function, at.block, frame);
    found.push(finder.open.last().map(|scope| scope.guard));
    found
}

fn location(place: &Place) -> Option<(FunctionId, BlockId, u32)> {
    place.at.map(|at| (at.function, at.block, place.frame))
}

#[derive(Clone, Copy)]
struct Scope {
    function: FunctionId,
    block: BlockId,
    frame: u32,
    guard: usize,
}

struct Finder<'p> {
    program: &'p Program,
    postdominators: BTreeMap<FunctionId, Vec<BTreeSet<BlockId>>>,
    open: Vec<Scope>,
}

impl Finder<'_> {
    /// Ends the scopes that a statement in this block is not in.
    fn close(&mut self, function: FunctionId, block: BlockId, frame: u32) {
        while let Some(&scope) = self.open.last() {
            let returned = frame < scope.frame;
            let joined = frame == scope.frame
                && scope.block != block
                && self.postdominators(function)[scope.block.index()].contains(&block);
            if !returned && !joined || scope.function != function && frame == scope.frame {
                return;
            }
            self.open.pop();
        }
    }

    fn postdominators(&mut self, function: FunctionId) -> &[BTreeSet<BlockId>] {
        let program = self.program;
        self.postdominators.entry(function).or_insert_with(|| {
            let body = program.function(function).body.as_ref();
            body.map_or_else(Vec::new, postdominators)
        })
    }
}

/// For each block all that lie on every way from it to an end, itself included. Blocks from which no end can
/// be reached have none but themselves.
fn postdominators(body: &Body) -> Vec<BTreeSet<BlockId>> {
    let count = body.blocks.len();
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, block) in body.blocks.iter().enumerate() {
        block.terminator.kind.successors(|next| successors[index].push(next.index()));
    }
    // Immediate postdominators over a postorder of the reversed graph, as Cooper, Harvey and Kennedy do.
    let exit = count;
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    for (from, targets) in successors.iter().enumerate() {
        match targets.is_empty() {
            true => predecessors[exit].push(from),
            false => targets.iter().for_each(|&to| predecessors[to].push(from)),
        }
    }
    let order = reverse_postorder(exit, &predecessors);
    let mut rank = vec![usize::MAX; count + 1];
    order.iter().enumerate().for_each(|(position, &node)| rank[node] = position);
    let mut immediate: Vec<Option<usize>> = vec![None; count + 1];
    immediate[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().skip(1) {
            let ends = successors[node].is_empty();
            let next = successors[node].iter().copied().chain(ends.then_some(exit));
            let mut best: Option<usize> = None;
            for target in next.filter(|&target| immediate[target].is_some()) {
                best = Some(best.map_or(target, |other| meet(&immediate, &rank, other, target)));
            }
            if best.is_some() && immediate[node] != best {
                immediate[node] = best;
                changed = true;
            }
        }
    }
    let chain = |start: usize| {
        let mut found = BTreeSet::from([BlockId(start as u32)]);
        let mut node = start;
        while let Some(next) = immediate[node].filter(|&next| next != exit && next != node) {
            found.insert(BlockId(next as u32));
            node = next;
        }
        found
    };
    (0..count).map(chain).collect()
}

fn meet(immediate: &[Option<usize>], rank: &[usize], mut one: usize, mut other: usize) -> usize {
    while one != other {
        let deeper = if rank[one] > rank[other] { &mut one } else { &mut other };
        *deeper = immediate[*deeper].unwrap_or(*deeper);
    }
    one
}

fn reverse_postorder(start: usize, successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut path = vec![(start, 0)];
    seen[start] = true;
    while let Some((node, child)) = path.last_mut() {
        match successors[*node].get(*child) {
            Some(&next) => {
                *child += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            }
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}
