//! Lifetimes of block-scoped objects, from the scopes that debug information gives every instruction.
//!
//! At `-O0` clang keeps all locals of a function alive from its entry on. In C, an object lives while
//! control is in its block: its contents are indeterminate when its declaration is reached, and
//! pointers to it dangle when the block is left. `Begin` stands at the declaration; `End` stands
//! where control has come to an instruction outside the scope.
//!
//! An object whose block can be entered behind its declaration (a `goto` or a `case` into it) and
//! used there is left alone: it lives as long as its frame.

use std::collections::{HashMap, HashSet};

use program::{CommandKind, LocalId};

use super::blocks;
use super::function::FunctionLowering;
use super::homes::Home;
use crate::llvm::{Block, Metadata, Opcode, Value};

#[derive(Default)]
pub struct Scopes {
    /// Objects that live in a nested block, by that block's scope.
    scoped: Vec<(LocalId, Metadata)>,
    /// The scope of each block's first instruction.
    entry: HashMap<Block, Metadata>,
    /// The scopes from which control comes to each block.
    origins: HashMap<Block, HashSet<Metadata>>,
    /// Blocks that can run again.
    repeated: HashSet<Block>,
    current: Option<Metadata>,
}

impl FunctionLowering<'_, '_> {
    pub fn find_scopes(&mut self) {
        self.scopes.repeated = blocks::repeated(&self.blocks);
        let mut candidates = Vec::new();
        for (&alloca, declared) in &self.declared {
            let (Some(&Home::Object(local)), Some(scope)) =
                (self.homes.get(&alloca), declared.variable.variable_scope())
            else {
                continue;
            };
            if scope.parent_scope().is_some() {
                candidates.push((local, scope, alloca));
            }
        }
        if candidates.is_empty() {
            return;
        }
        candidates.sort_by_key(|candidate| candidate.0);
        self.scopes.entry = self.entry_scopes();
        self.scopes.origins = self.origins();
        for (local, scope, alloca) in candidates {
            if self.is_always_declared_first(scope, alloca) {
                self.body.locals[local.index()].scoped = true;
                self.scopes.scoped.push((local, scope));
            }
        }
    }

    /// The scope in which each block begins. A block without places (a bare jump) has its target's.
    fn entry_scopes(&self) -> HashMap<Block, Metadata> {
        let mut entry = HashMap::new();
        for &block in self.blocks.iter().rev() {
            let own = block.instructions().into_iter().find_map(scope_of);
            let next = || block.terminator().and_then(|end| entry.get(end.successors().first()?).copied());
            if let Some(scope) = own.or_else(next) {
                entry.insert(block, scope);
            }
        }
        entry
    }

    fn origins(&self) -> HashMap<Block, HashSet<Metadata>> {
        let mut origins: HashMap<Block, HashSet<Metadata>> = HashMap::new();
        for &block in &self.blocks {
            let last = block.instructions().into_iter().rev().find_map(scope_of);
            let Some(scope) = last.or_else(|| self.scopes.entry.get(&block).copied()) else { continue };
            for next in block.terminator().map(Value::successors).unwrap_or_default() {
                origins.entry(next).or_default().insert(scope);
            }
        }
        origins
    }

    /// Whether every way into the scope passes the declaration before it touches the object, and
    /// nothing outside the scope names it (as a cleanup function does).
    fn is_always_declared_first(&self, scope: Metadata, alloca: Value) -> bool {
        let is_outside = |user: Value| scope_of(user).is_some_and(|place| !is_within(place, scope));
        if alloca.users().into_iter().any(is_outside) {
            return false;
        }
        let inside = |block: &Block| self.scopes.entry.get(block).is_some_and(|&s| is_within(s, scope));
        let mut open: Vec<Block> = Vec::new();
        for block in self.blocks.iter().filter(|block| !inside(block)) {
            open.extend(
                block.terminator().map(Value::successors).unwrap_or_default().iter().filter(|next| inside(next)),
            );
        }
        let users: HashSet<Block> = alloca.users().into_iter().map(Value::block).collect();
        let mut seen = HashSet::new();
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            if declares(block, alloca) {
                continue;
            }
            if users.contains(&block) {
                return false;
            }
            let successors = block.terminator().map(Value::successors).unwrap_or_default();
            open.extend(successors.into_iter().filter(|next| inside(next)));
        }
        true
    }

    pub fn enter_block_scope(&mut self, block: Block) {
        self.scopes.current = self.scopes.entry.get(&block).copied();
        if let Some(scope) = self.scopes.current {
            let origins = self.scopes.origins.remove(&block).unwrap_or_default();
            self.end_objects(scope, |home| origins.iter().any(|&from| is_within(from, home)));
        }
    }

    /// Ends what the step from the last instruction to this one leaves behind.
    pub fn enter_instruction_scope(&mut self, instruction: Value) {
        let Some(scope) = scope_of(instruction) else { return };
        if let Some(from) = self.scopes.current
            && from != scope
        {
            self.end_objects(scope, |home| is_within(from, home));
        }
        self.scopes.current = Some(scope);
    }

    /// Ends the objects whose scope `came_from` was inside and `scope` is not.
    fn end_objects(&mut self, scope: Metadata, came_from: impl Fn(Metadata) -> bool) {
        let left = |&&(_, home): &&(LocalId, Metadata)| !is_within(scope, home) && came_from(home);
        let ended: Vec<LocalId> = self.scopes.scoped.iter().filter(left).map(|&(local, _)| local).collect();
        for local in ended {
            self.emit(CommandKind::End(local), program::Site::NONE);
        }
    }

    /// A declaration is reached: what it declares is indeterminate from here on.
    pub fn declare(&mut self, declaration: Value, address: Value) {
        let site = self.site(declaration);
        match self.homes.get(&address) {
            Some(&Home::Object(local)) if self.body.locals[local.index()].scoped => {
                self.emit(CommandKind::Begin(local), site);
            }
            Some(&Home::Variable(variable)) => {
                let is_parameter = self.body.variable(variable).role == program::Role::Parameter;
                let is_repeated = self.scopes.repeated.contains(&declaration.block());
                if !is_parameter && is_repeated && !is_assigned_next(declaration, address) {
                    self.emit(CommandKind::Declare(variable), site);
                }
            }
            _ => {}
        }
    }
}

/// Whether the variable is assigned behind its declaration before anything reads it.
fn is_assigned_next(declaration: Value, address: Value) -> bool {
    for instruction in declaration.following() {
        match instruction.opcode() {
            Opcode::LLVMStore if instruction.operand(1) == address => return true,
            Opcode::LLVMLoad if instruction.operand(0) == address => return false,
            _ => {}
        }
    }
    false
}

fn scope_of(instruction: Value) -> Option<Metadata> {
    if instruction.is_debug_instruction() || instruction.opcode() == Opcode::LLVMAlloca {
        return None;
    }
    instruction.debug_location()?.location().2
}

fn is_within(scope: Metadata, outer: Metadata) -> bool {
    std::iter::successors(Some(scope), |scope| scope.parent_scope()).any(|scope| scope == outer)
}

fn declares(block: Block, alloca: Value) -> bool {
    block.instructions().into_iter().any(|one| one.declaration().is_some_and(|found| found.address == alloca))
}
