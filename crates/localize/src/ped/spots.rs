//! Spots: what of a program can be changed to repair a trace, with the statements that come from it.
//!
//! With correlation (§4.3) all copies of a statement in an unrolled loop are one spot; without, each is its own. What
//! only takes an input is no spot: inputs are those of the trace (§3.2), and another one would be another run.

use std::collections::{BTreeMap, BTreeSet};

use logic::commands::Command;
use program::exec::CommandRef;
use program::{CommandKind, ExprKind, Program, Role, Site};
use verify::encode::EncodedTrace;
use verify::encode::origins::{Place, What};

use super::control::Control;

/// A place in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// A command, or one of the arguments of a call.
    Command(CommandRef, Option<u32>),
    /// What a global is initialized with, by its declaration.
    Initial(u32),
}

/// Something that can be changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    pub key: Key,
    /// Without correlation, the one statement that is changed.
    pub copy: Option<usize>,
    pub statements: Vec<usize>,
    pub is_condition: bool,
    pub in_loop: bool,
}

/// The key of a statement, if a programmer could have written something else there.
pub fn key(place: &Place) -> Option<Key> {
    match place.what {
        What::Initial => (place.site != Site::NONE).then_some(Key::Initial(place.site.0)),
        What::Argument(position) => Some(Key::Command(place.at?, Some(position))),
        What::Assignment | What::Store | What::Return | What::Result => Some(Key::Command(place.at?, None)),
        What::Input | What::Library | What::Assumption | What::Passed(_) | What::Failure(_) | What::Bookkeeping => None,
        _ => Some(Key::Command(place.at?, None)),
    }
}

/// Whether a command does nothing but write an input down, as `x = input();` does.
pub fn takes_input(program: &Program, at: CommandRef) -> bool {
    let Some(body) = program.function(at.function).body.as_ref() else { return false };
    let command = body.block(at.block).commands.get(at.index as usize).map(|it| &it.kind);
    let Some(CommandKind::Assign { value, .. } | CommandKind::Store { value, .. }) = command else { return false };
    let mut node = *value;
    while let ExprKind::Cast(_, inner) = body.expr(node).kind {
        node = inner;
    }
    let ExprKind::Variable(variable) = body.expr(node).kind else { return false };
    let is_it = |kind: &CommandKind| matches!(kind, CommandKind::Havoc { target, .. } if *target == variable);
    let mut commands = body.blocks.iter().flat_map(|block| &block.commands);
    body.variable(variable).role == Role::Temporary && commands.any(|command| is_it(&command.kind))
}

/// The spots of a slice, in the order of the trace.
pub fn spots(
    program: &Program,
    encoded: &EncodedTrace,
    slice: &[usize],
    correlated: bool,
    trusted: &BTreeSet<Key>,
) -> Vec<Spot> {
    let mut control = Control::new(program);
    let mut known: BTreeMap<(Key, Option<usize>), usize> = BTreeMap::new();
    let mut spots: Vec<Spot> = Vec::new();
    for &number in slice {
        let statement = &encoded.trace.statements[number];
        let Some(place) = encoded.places.get(statement.origin) else { continue };
        let Some(key) = key(place).filter(|key| !trusted.contains(key)) else { continue };
        if place.at.is_some_and(|at| takes_input(program, at)) {
            continue;
        }
        let copy = (!correlated).then_some(number);
        let index = *known.entry((key, copy)).or_insert_with(|| {
            let in_loop = place.at.is_some_and(|at| control.is_in_loop(at.function, at.block));
            let is_condition = matches!(statement.command, Command::Assume { .. });
            spots.push(Spot { key, copy, statements: Vec::new(), is_condition, in_loop });
            spots.len() - 1
        });
        spots[index].statements.push(number);
    }
    spots
}
