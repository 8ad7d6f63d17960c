//! Where a slice begins: what the failing operation itself depends on.
//!
//! A watched run and its violation → nodes. Of an expression that failed, only its own operands count, not
//! the rest of the statement; of a fault in memory, also who began or ended the object's life.

use program::exec::{Detail, Violation};
use program::{CommandKind, ExprId};

use super::dependence::{Node, Recorder};

/// The nodes that the violation depends on.
pub fn nodes(recorder: &Recorder<'_>, violation: &Violation) -> Vec<Node> {
    let mut nodes = lives(recorder, &violation.detail);
    let Some(frame) = recorder.frames.last().filter(|frame| frame.function == violation.at.function) else {
        return nodes;
    };
    if matches!(violation.detail, Detail::Leaked { .. }) {
        return nodes;
    }
    nodes.push(recorder.control());
    let Some(body) = recorder.body(violation.at.function) else { return nodes };
    if let Some(pending) = &frame.pending {
        // A library function failed.
        nodes.extend(&pending.arguments);
        recorder.other_reads(&recorder.rest, &mut nodes);
        return nodes;
    }
    for expr in operands(recorder, violation) {
        recorder.reads(body, expr, &recorder.rest, &mut nodes);
    }
    recorder.other_reads(&recorder.rest, &mut nodes);
    nodes
}

/// Who began or ended the objects that the violation is about.
fn lives(recorder: &Recorder<'_>, detail: &Detail) -> Vec<Node> {
    match detail {
        Detail::Memory(fault) => fault.object.iter().map(|object| recorder.life(object.id)).collect(),
        Detail::Leaked { objects } => objects.iter().map(|object| recorder.life(object.id)).collect(),
        _ => Vec::new(),
    }
}

/// The expressions whose values decided that it is a violation.
fn operands(recorder: &Recorder<'_>, violation: &Violation) -> Vec<ExprId> {
    if let Some(expr) = violation.expr {
        return vec![expr];
    }
    let mut all = Vec::new();
    let Some(body) = recorder.body(violation.at.function) else { return all };
    let Some(block) = body.blocks.get(violation.at.block.index()) else { return all };
    match block.commands.get(violation.at.index as usize).map(|command| &command.kind) {
        Some(CommandKind::Store { address, .. }) if matches!(violation.detail, Detail::Memory(_)) => {
            all.push(*address);
        }
        Some(kind) => kind.operands(|operand| all.push(*operand)),
        None => block.terminator.kind.operands(|operand| all.push(*operand)),
    }
    all
}
