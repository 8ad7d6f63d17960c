//! Which branch let a statement of a trace be executed: control dependence along a run.
//!
//! A branch decides about everything until control comes to a block that it would have come to anyway, the
//! nearest postdominator in the same call. Loops nest: each round lies in the scope of the rounds before.
//! Imprecise: two calls with no statement of the caller between them count as one scope.

use std::collections::BTreeMap;

use graph::until;
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
    postdominators: BTreeMap<FunctionId, Vec<Option<usize>>>,
    open: Vec<Scope>,
}

impl Finder<'_> {
    /// Ends the scopes that a statement in this block is not in.
    fn close(&mut self, function: FunctionId, block: BlockId, frame: u32) {
        while let Some(&scope) = self.open.last() {
            let returned = frame < scope.frame;
            let joined = frame == scope.frame
                && scope.block != block
                && until(None, scope.block.index(), self.postdominators(function)).any(|it| it == block.index());
            if !returned && !joined || scope.function != function && frame == scope.frame {
                return;
            }
            self.open.pop();
        }
    }

    fn postdominators(&mut self, function: FunctionId) -> &[Option<usize>] {
        let program = self.program;
        self.postdominators.entry(function).or_insert_with(|| {
            let body = program.function(function).body.as_ref();
            body.map_or_else(Vec::new, postdominators)
        })
    }
}

/// For each block the next one that is on all ways from it to an end; nothing where there is none, and behind the last
/// block.
fn postdominators(body: &Body) -> Vec<Option<usize>> {
    let mut successors = body.successors();
    let end = successors.len();
    successors.iter_mut().filter(|it| it.is_empty()).for_each(|it| it.push(end));
    successors.push(Vec::new());
    graph::postdominators(&successors, end)
}
