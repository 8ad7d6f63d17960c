//! Which variables may be read before they are assigned, and which local objects may be used before
//! their `Begin`.
//!
//! A forward data-flow analysis over the blocks, one bit per variable and per scoped object: set
//! means "may be indeterminate here". Function → [`Indeterminate`] states at block entries. Reads
//! whose bit is clear need no check at run time; in most functions that is all of them.

use crate::{Body, Command, CommandKind, Function, LocalId, VarId};

/// What may be indeterminate at one point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indeterminate {
    bits: Vec<u64>,
    variables: usize,
}

impl Indeterminate {
    /// At the function's entry: all but the parameters.
    fn at_entry(function: &Function, body: &Body) -> Indeterminate {
        let mut state = Indeterminate::nothing(body);
        for variable in function.parameters.len()..body.variables.len() {
            state.set(variable, true);
        }
        for (local, object) in body.locals.iter().enumerate() {
            state.set(body.variables.len() + local, object.scoped);
        }
        state
    }

    fn nothing(body: &Body) -> Indeterminate {
        let bits = body.variables.len() + body.locals.len();
        Indeterminate { bits: vec![0; bits.div_ceil(64)], variables: body.variables.len() }
    }

    fn set(&mut self, bit: usize, value: bool) {
        let mask = 1 << (bit % 64);
        if value {
            self.bits[bit / 64] |= mask;
        } else {
            self.bits[bit / 64] &= !mask;
        }
    }

    fn get(&self, bit: usize) -> bool {
        self.bits[bit / 64] >> (bit % 64) & 1 != 0
    }

    pub fn variable(&self, variable: VarId) -> bool {
        self.get(variable.index())
    }

    pub fn local(&self, local: LocalId) -> bool {
        self.get(self.variables + local.index())
    }

    /// After the command.
    pub fn step(&mut self, command: &Command) {
        match &command.kind {
            CommandKind::Assign { target, .. }
            | CommandKind::Havoc { target, .. }
            | CommandKind::Allocate { target, .. }
            | CommandKind::StackMark { target } => self.set(target.index(), false),
            CommandKind::Call(call) => call.targets.iter().for_each(|target| self.set(target.index(), false)),
            CommandKind::Declare(variable) => self.set(variable.index(), true),
            CommandKind::Begin(local) => self.set(self.variables + local.index(), false),
            _ => {}
        }
    }

    /// The union of both; whether it grew.
    fn join(&mut self, other: &Indeterminate) -> bool {
        let mut grew = false;
        for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
            grew |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        grew
    }
}

/// The states at the blocks' entries; nothing is indeterminate where control never comes.
pub fn at_block_entries(function: &Function, body: &Body) -> Vec<Indeterminate> {
    let nothing = Indeterminate::nothing(body);
    let mut entries = vec![nothing; body.blocks.len()];
    let mut visited = vec![false; body.blocks.len()];
    if body.blocks.is_empty() {
        return entries;
    }
    entries[0] = Indeterminate::at_entry(function, body);
    visited[0] = true;
    let mut waiting = vec![0];
    while let Some(index) = waiting.pop() {
        let block = &body.blocks[index];
        let mut state = entries[index].clone();
        block.commands.iter().for_each(|command| state.step(command));
        block.terminator.kind.successors(|next| {
            let next = next.index();
            let grew = entries[next].join(&state);
            if grew || !visited[next] {
                visited[next] = true;
                waiting.push(next);
            }
        });
    }
    entries
}
