//! Indeterminate values as inputs: for checks that are not about uninitialized variables.
//!
//! C says nothing about the value of a variable before its first assignment. Where reading one is not itself
//! what is looked for, every value must be considered, as SV-COMP does. [`open`] gives a program in which such
//! variables get an input where their scope begins; checking, replaying and reporting then go by that program.
//!
//! Only variables that may be read before they are assigned are concerned. Not here: memory. What an object holds
//! before it is written is not asked for by a command; it is part of a run's inputs (`program::exec::Unwritten`),
//! which the symbolic engine leaves open byte by byte.

use std::collections::BTreeSet;

use program::{Block, Body, Command, CommandKind, ExprId, ExprKind, Function, Program, Role, VarId};

/// The program with inputs for what it reads before assigning it.
pub fn open(program: &Program) -> Program {
    let mut opened = program.clone();
    for (function, original) in opened.functions.iter_mut().zip(&program.functions) {
        let variables = read_early(original);
        if let Some(body) = function.body.as_mut().filter(|_| !variables.is_empty()) {
            open_body(body, &variables);
        }
    }
    opened
}

fn open_body(body: &mut Body, variables: &BTreeSet<VarId>) {
    let mut declared = BTreeSet::new();
    let names: Vec<Box<str>> = body.variables.iter().map(|variable| variable.name.as_str().into()).collect();
    let input = |target: VarId| CommandKind::Havoc { target, source: names[target.index()].clone() };
    for command in body.blocks.iter_mut().flat_map(|block| &mut block.commands) {
        if let CommandKind::Declare(variable) = command.kind {
            if variables.contains(&variable) {
                declared.insert(variable);
                command.kind = input(variable);
            }
        }
    }
    let undeclared = variables.difference(&declared);
    let inputs: Vec<Command> =
        undeclared.map(|&target| Command { kind: input(target), site: body.variable(target).site }).collect();
    if let Some(entry) = body.blocks.first_mut() {
        entry.commands.splice(0..0, inputs);
    }
}

/// The declared variables that may be read before they are assigned: a forward analysis over the blocks.
pub(crate) fn read_early(function: &Function) -> BTreeSet<VarId> {
    let Some(body) = &function.body else { return BTreeSet::new() };
    let locals = (0..body.variables.len() as u32).map(VarId);
    let at_entry: BTreeSet<VarId> = locals.filter(|&it| body.variable(it).role == Role::Local).collect();
    let mut entries: Vec<Option<BTreeSet<VarId>>> = vec![None; body.blocks.len()];
    let mut waiting = Vec::new();
    if let Some(first) = entries.first_mut() {
        *first = Some(at_entry);
        waiting.push(0);
    }
    let mut early = BTreeSet::new();
    while let Some(index) = waiting.pop() {
        let block = &body.blocks[index];
        let mut unassigned = entries[index].clone().unwrap_or_default();
        pass(body, block, &mut unassigned, &mut early);
        block.terminator.kind.successors(|next| {
            let known = &mut entries[next.index()];
            let grown = known.as_ref().is_none_or(|known| !unassigned.is_subset(known));
            if grown {
                known.get_or_insert_default().extend(&unassigned);
                waiting.push(next.index());
            }
        });
    }
    early
}

/// Follows a block, and collects what it reads early.
fn pass(body: &Body, block: &Block, unassigned: &mut BTreeSet<VarId>, early: &mut BTreeSet<VarId>) {
    for command in &block.commands {
        command.kind.operands(|id| reads(body, *id, unassigned, early));
        match &command.kind {
            CommandKind::Assign { target, .. }
            | CommandKind::Havoc { target, .. }
            | CommandKind::Allocate { target, .. }
            | CommandKind::StackMark { target } => {
                unassigned.remove(target);
            }
            CommandKind::Call(call) => {
                for target in &call.targets {
                    unassigned.remove(target);
                }
            }
            CommandKind::Declare(variable) if body.variable(*variable).role == Role::Local => {
                unassigned.insert(*variable);
            }
            _ => {}
        }
    }
    block.terminator.kind.operands(|id| reads(body, *id, unassigned, early));
}

fn reads(body: &Body, root: ExprId, unassigned: &BTreeSet<VarId>, early: &mut BTreeSet<VarId>) {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let kind = &body.expr(id).kind;
        if let ExprKind::Variable(variable) = kind {
            if unassigned.contains(variable) {
                early.insert(*variable);
            }
        }
        kind.operands(|operand| open.push(*operand));
    }
}
