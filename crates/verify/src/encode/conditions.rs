//! Conditions with `&&` and `||`: one test in the source, several branches in the program.
//!
//! A run decides `a && b` by the first operand that is false. Taken as branches, another value of that operand
//! would leave the trace although the condition stays false. So the branches of one condition are put together
//! again: a *region* is a branch with the blocks behind it that only evaluate further operands. What the region
//! decides is one assumption, and a value that it computes one assignment.
//!
//! What is evaluated on a way that the run did not take counts only where that way is taken.

use std::collections::{BTreeMap, BTreeSet};

use logic::terms::{TermId, Terms};
use program::exec::Step;
use program::{BlockId, Body, CommandKind, ExprId, Role, TerminatorKind, VarId};

use super::expressions;
use super::origins::What;
use super::walk::{Cause, EncodeError, Machine, Walk};

/// The blocks that decide one condition.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Each before those that it leads to; the first is the branch itself.
    order: Vec<BlockId>,
}

/// A condition whose outcome is not yet known, with the steps so far.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub region: Region,
    pub steps: Vec<Step>,
}

/// What holds on the way to a block: the condition, and temporaries.
type Way = (TermId, BTreeMap<VarId, TermId>);

impl Region {
    /// The region that begins with this block's branch; nothing if its condition has one operand only.
    pub fn of(body: &Body, start: BlockId) -> Option<Region> {
        if !matches!(body.block(start).terminator.kind, TerminatorKind::Branch { .. }) {
            return None;
        }
        let mut order = Vec::new();
        visit(body, start, start, &mut BTreeSet::new(), &mut order);
        order.reverse();
        (order.len() > 1).then_some(Region { order })
    }

    pub fn contains(&self, block: BlockId) -> bool {
        self.order[1..].contains(&block)
    }
}

/// Depth first; a block is put down after all that follow it.
fn visit(body: &Body, start: BlockId, block: BlockId, seen: &mut BTreeSet<BlockId>, order: &mut Vec<BlockId>) {
    if !seen.insert(block) {
        return;
    }
    body.block(block).terminator.kind.successors(|next| {
        if next != start && evaluates_only(body, next) {
            visit(body, start, next, seen, order);
        }
    });
    order.push(block);
}

/// Whether a block only evaluates an operand of `&&` or `||`.
fn evaluates_only(body: &Body, id: BlockId) -> bool {
    let block = body.block(id);
    let is_operand = (block.name.starts_with("land.") || block.name.starts_with("lor."))
        && (block.name.ends_with(".in") || !block.name.contains(".end"));
    let is_temporary = |target: &VarId| body.variable(*target).role == Role::Temporary;
    is_operand
        && matches!(block.terminator.kind, TerminatorKind::Branch { .. } | TerminatorKind::Goto(_))
        && block
            .commands
            .iter()
            .all(|command| matches!(&command.kind, CommandKind::Assign { target, .. } if is_temporary(target)))
}

impl<M: Machine> Walk<'_, M> {
    /// The run has left the region for this block.
    pub(super) fn decide(&mut self, pending: &Pending, exit: BlockId) -> Result<(), EncodeError> {
        let Some(first) = pending.steps.first() else { return Ok(()) };
        let body = self.body(first.at.function)?;
        let mut ways: BTreeMap<BlockId, Way> = BTreeMap::new();
        let start = pending.region.order[0];
        ways.insert(start, (self.terms.true_term(), BTreeMap::new()));
        let (mut tests, mut last): (Vec<ExprId>, _) = (Vec::new(), None);
        let site = body.block(start).terminator.site;
        let cause = self.cause(What::Guard(None), first.at, site, None);
        for &id in &pending.region.order {
            let Some(way) = ways.get(&id).cloned() else { continue };
            let block = body.block(id);
            let (condition, mut temporaries) = way;
            if id != start {
                for command in &block.commands {
                    let CommandKind::Assign { target, value } = &command.kind else { continue };
                    tests.push(*value);
                    let value = self.operand(*value, condition, &temporaries, cause)?;
                    temporaries.insert(*target, value);
                }
            }
            match &block.terminator.kind {
                TerminatorKind::Goto(next) => merge(self.terms, &mut ways, *next, condition, temporaries),
                TerminatorKind::Branch { condition: test, then, otherwise } => {
                    tests.push(*test);
                    last = Some((*then, *otherwise));
                    let held = self.operand(*test, condition, &temporaries, cause)?;
                    let failed = self.terms.not(held);
                    let (yes, no) = (self.terms.and2(condition, held), self.terms.and2(condition, failed));
                    merge(self.terms, &mut ways, *then, yes, temporaries.clone());
                    merge(self.terms, &mut ways, *otherwise, no, temporaries);
                }
                _ => {}
            }
        }
        let Some((condition, temporaries)) = ways.remove(&exit) else {
            return Err(EncodeError::Unsupported { what: "the way through a condition".to_owned(), site });
        };
        let written = Cause { what: What::Bookkeeping, ..cause };
        for (temporary, value) in temporaries {
            self.assign(temporary, value, written);
        }
        let held = last.and_then(|(then, otherwise)| match (then == exit, otherwise == exit) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        });
        let cause = Cause {
            what: What::Guard(held),
            expr: tests.first().copied(),
            until: tests.last().copied().filter(|_| tests.len() > 1),
            ..cause
        };
        // A test that always holds, as `n >= 0 || n < 12` does, is one nonetheless: that it does may be the fault.
        if condition != self.terms.true_term() || held.is_some() {
            self.machine.assume(self.terms, condition, cause);
        }
        Ok(())
    }

    /// The value of an operand on a way; what it demands is demanded on this way only.
    fn operand(
        &mut self,
        id: ExprId,
        way: TermId,
        temporaries: &BTreeMap<VarId, TermId>,
        cause: Cause,
    ) -> Result<TermId, EncodeError> {
        self.machine.under(Some(way));
        let (value, _) = self.view(cause, None, |terms, body, view| {
            view.temporaries = temporaries.clone();
            expressions::value(terms, body, id, view)
        });
        self.machine.under(None);
        value.map_err(|error| EncodeError::Unsupported { what: error.what, site: cause.site })
    }
}

/// Another way to a block.
fn merge(
    terms: &mut Terms,
    ways: &mut BTreeMap<BlockId, Way>,
    block: BlockId,
    condition: TermId,
    temporaries: BTreeMap<VarId, TermId>,
) {
    let Some((other, mut merged)) = ways.remove(&block) else {
        ways.insert(block, (condition, temporaries));
        return;
    };
    for (variable, value) in temporaries {
        let merged_value = match merged.get(&variable) {
            Some(&old) => terms.ite(condition, value, old),
            None => value,
        };
        merged.insert(variable, merged_value);
    }
    ways.insert(block, (terms.or2(other, condition), merged));
}
