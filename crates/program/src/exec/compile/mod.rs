//! Compilation of a function to bytecode.
//!
//! Function → [`Code`], lazily, when it is first called. Expression trees become rows of operations
//! whose intermediate results live in temporaries; comparisons merge with the branches on them,
//! addresses with the loads and stores through them. A block that only one other reaches, and a
//! short one, is appended to where control comes from.
//!
//! What holds: an operation writes its target after it has read its operands, so a variable may be
//! both. No temporary lives across commands, so a callee's frame begins where the caller's
//! temporaries begin. With a check off, its operations are not emitted.
//!
//! Observed code tells an observer about every command; it is never merged across commands.

mod address;
mod assigned;
mod branch;
mod call;
mod command;
mod copies;
mod expr;

use std::collections::BTreeSet;

pub use copies::Copies;

use super::bytecode::{Code, NO_EXPR, Op, Origin, Pc, Slot, slots_of};
use super::memory::{Address, ObjectId};
use super::violation::{Checks, ViolationKind};
use crate::{
    Block, BlockId, Body, ExprId, ExprKind, Function, FunctionId, Object, Program, TerminatorKind, Type, VarId,
};
use assigned::Indeterminate;

/// What compilation needs to know beside the function.
#[derive(Debug)]
pub struct Context<'p> {
    pub program: &'p Program,
    pub copies: Copies,
    pub checks: Checks,
    pub observed: bool,
}

/// Compiles a function that has a body.
pub fn compile(context: &Context<'_>, id: FunctionId) -> Code {
    let function = context.program.function(id);
    let body = function.body.as_ref().expect("only functions with a body are compiled");
    let mut compiler = Compiler::new(context, id, function, body);
    compiler.enter();
    compiler.blocks();
    compiler.finish()
}

/// The number of the object that stands for a function.
pub fn function_object(function: FunctionId) -> ObjectId {
    ObjectId(1 + function.0)
}

/// The address of an object that exists throughout the run; functions come first, then globals.
pub fn static_address(program: &Program, object: Object) -> Option<Address> {
    match object {
        Object::Function(function) => Some(Address::new(function_object(function), 0)),
        Object::Label(function, block) => Some(Address::new(function_object(function), 1 + i64::from(block.0))),
        Object::Global(global) => Some(Address::new(ObjectId(1 + program.functions.len() as u32 + global.0), 0)),
        Object::Local(_) => None,
    }
}

struct Compiler<'c> {
    context: &'c Context<'c>,
    function: &'c Function,
    body: &'c Body,
    code: Code,
    /// Where blocks begin; `None` until they are emitted.
    starts: Vec<Option<Pc>>,
    /// How many ways lead into each block.
    predecessors: Vec<u32>,
    /// Jumps whose target block was not emitted yet.
    fixups: Vec<(usize, BlockId)>,
    /// Tables of switches, in blocks; resolved at the end.
    pending_tables: Vec<branch::PendingTable>,
    entries: Vec<Indeterminate>,
    /// What may be indeterminate at the current command.
    state: Indeterminate,
    /// One per variable that a check at run time guards.
    flags: Vec<Option<Slot>>,
    /// Variables that carry a written-mask.
    masks: Vec<Option<Slot>>,
    copied: BTreeSet<VarId>,
    temporaries: u32,
    next: u32,
    origin: Origin,
}

/// Blocks of at most this many commands are repeated where control goes to them.
const REPEATED_COMMANDS: usize = 2;
/// Repetitions in a row.
const REPETITIONS: u32 = 2;

impl<'c> Compiler<'c> {
    fn new(context: &'c Context<'c>, id: FunctionId, function: &'c Function, body: &'c Body) -> Compiler<'c> {
        let mut next = 0;
        let mut take = |slots: u32| {
            next += slots;
            Slot(next - slots)
        };
        let variables: Vec<Slot> = body.variables.iter().map(|variable| take(slots_of(variable.ty))).collect();
        // Results go to the first slots while the frame's objects are still to be ended.
        let taken: u32 = body.variables.iter().map(|variable| slots_of(variable.ty)).sum();
        let returned: u32 = function.returns.iter().map(|&ty| slots_of(ty)).sum();
        take(returned.saturating_sub(taken));
        // Their addresses, then whether they are alive.
        let first_local = take(2 * body.locals.len() as u32).0;
        let entries = assigned::at_block_entries(function, body);
        let guarded = guarded_variables(context, body, &entries);
        let flags = guarded.iter().map(|&guarded| guarded.then(|| take(1))).collect();
        let copied = match context.checks.has(ViolationKind::Uninitialized) {
            true => context.copies.variables(id, function),
            false => BTreeSet::new(),
        };
        let mask = |(index, variable): (usize, &crate::Variable)| {
            copied.contains(&VarId(index as u32)).then(|| take(slots_of(variable.ty)))
        };
        let masks = body.variables.iter().enumerate().map(mask).collect();
        Compiler {
            context,
            function,
            body,
            code: Code {
                function: id,
                ops: Vec::new(),
                origins: Vec::new(),
                frame: next,
                temporaries: next,
                locals: first_local..first_local + body.locals.len() as u32,
                calls: Vec::new(),
                tables: Vec::new(),
                variables,
                stack_bytes: body.stack_bytes(),
            },
            starts: vec![None; body.blocks.len()],
            predecessors: count_predecessors(body),
            fixups: Vec::new(),
            pending_tables: Vec::new(),
            state: entries[0].clone(),
            entries,
            flags,
            masks,
            copied,
            temporaries: next,
            next,
            origin: Origin { block: BlockId(0), index: 0, before: 0, expr: NO_EXPR },
        }
    }

    /// The prologue: local objects begin, flags and masks get their first values.
    fn enter(&mut self) {
        for (index, object) in self.body.locals.iter().enumerate() {
            let slot = Slot(self.code.locals.start + index as u32);
            self.emit(Op::Immediate { to: slot, value: 0 });
            self.emit(Op::Immediate { to: self.code.alive(slot), value: 0 });
            if !object.scoped {
                self.emit(Op::Begin { slot, local: crate::LocalId(index as u32) });
            }
        }
        for flag in self.flags.clone().into_iter().flatten() {
            self.emit(Op::Immediate { to: flag, value: 0 });
        }
        for (index, mask) in self.masks.clone().into_iter().enumerate() {
            let Some(written) = mask else { continue };
            let wide = slots_of(self.body.variables[index].ty) == 2;
            if index < self.function.parameters.len() {
                self.emit(Op::TakeWritten { wide, returned: false, position: index as u32, written });
            } else {
                self.all_written(VarId(index as u32));
            }
        }
    }

    fn blocks(&mut self) {
        for index in 0..self.body.blocks.len() {
            if self.starts[index].is_none() {
                self.chain(BlockId(index as u32));
            }
        }
    }

    /// Emits a block and what can be appended to it.
    fn chain(&mut self, first: BlockId) {
        let mut current = first;
        let mut before = 0;
        let mut repetitions = 0;
        self.starts[first.index()] = Some(self.here());
        loop {
            let block = self.body.block(current);
            self.commands(current, block, before);
            let next = match block.terminator.kind {
                TerminatorKind::Goto(next) if self.appendable(next, repetitions) => next,
                TerminatorKind::Branch { condition, then, otherwise } => {
                    let Some(next) = self.branch(condition, then, otherwise) else { return };
                    self.starts[next.index()] = Some(self.here());
                    (current, before, repetitions) = (next, 0, 0);
                    continue;
                }
                _ => return self.terminator(block),
            };
            before += block.commands.len() as u32 + 1;
            if self.is_private(next) {
                self.starts[next.index()] = Some(self.here());
            } else {
                repetitions += 1;
            }
            current = next;
        }
    }

    /// Control comes here from one place only, and that is the one that is being emitted.
    fn is_private(&self, block: BlockId) -> bool {
        self.starts[block.index()].is_none() && self.predecessors[block.index()] == 1
    }

    fn appendable(&self, block: BlockId, repetitions: u32) -> bool {
        let short = self.body.block(block).commands.len() <= REPEATED_COMMANDS && repetitions < REPETITIONS;
        !self.context.observed && (self.is_private(block) || short)
    }

    fn commands(&mut self, id: BlockId, block: &'c Block, before: u32) {
        self.state = self.entries[id.index()].clone();
        self.origin = Origin { block: id, index: 0, before, expr: NO_EXPR };
        for command in &block.commands {
            self.command(command);
            self.state.step(command);
            self.next = self.temporaries;
            self.origin.index += 1;
        }
    }

    fn finish(mut self) -> Code {
        for (at, block) in std::mem::take(&mut self.fixups) {
            let start = self.start_of(block);
            branch::set_target(&mut self.code.ops[at], start);
        }
        for table in std::mem::take(&mut self.pending_tables) {
            let resolved = table.resolve(|block| self.start_of(block));
            self.code.tables.push(resolved);
        }
        self.code
    }

    fn start_of(&self, block: BlockId) -> Pc {
        self.starts[block.index()].expect("every block was emitted")
    }

    fn here(&self) -> Pc {
        Pc(self.code.ops.len() as u32)
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.origins.push(self.origin);
    }

    /// Emits an operation that belongs to an expression.
    fn emit_for(&mut self, expr: ExprId, op: Op) {
        self.code.ops.push(op);
        self.code.origins.push(Origin { expr, ..self.origin });
    }

    /// New temporaries, free until the end of the command or until `self.next` is set back.
    fn temporary(&mut self, slots: u32) -> Slot {
        let slot = Slot(self.next);
        self.next += slots;
        self.code.frame = self.code.frame.max(self.next);
        slot
    }

    fn checks(&self, kind: ViolationKind) -> bool {
        self.context.checks.has(kind)
    }

    fn ty(&self, expr: ExprId) -> Type {
        self.body.expr(expr).ty
    }

    fn variable(&self, variable: VarId) -> Slot {
        self.code.variables[variable.index()]
    }

    fn local(&self, local: crate::LocalId) -> Slot {
        Slot(self.code.locals.start + local.0)
    }
}

/// The variables that some read may find unassigned.
fn guarded_variables(context: &Context<'_>, body: &Body, entries: &[Indeterminate]) -> Vec<bool> {
    let mut guarded = vec![false; body.variables.len()];
    if !context.checks.has(ViolationKind::Uninitialized) {
        return guarded;
    }
    for (block, entry) in body.blocks.iter().zip(entries) {
        let mut state = entry.clone();
        for command in &block.commands {
            command.kind.operands(|expr| see_reads(body, *expr, &state, &mut guarded));
            state.step(command);
        }
        block.terminator.kind.operands(|expr| see_reads(body, *expr, &state, &mut guarded));
    }
    guarded
}

fn see_reads(body: &Body, expr: ExprId, state: &Indeterminate, guarded: &mut [bool]) {
    if let ExprKind::Variable(variable) = body.expr(expr).kind {
        guarded[variable.index()] |= state.variable(variable);
    }
    body.expr(expr).kind.operands(|operand| see_reads(body, *operand, state, guarded));
}

fn count_predecessors(body: &Body) -> Vec<u32> {
    let mut counts = vec![0; body.blocks.len()];
    if let Some(entry) = counts.first_mut() {
        *entry = 1;
    }
    for block in &body.blocks {
        block.terminator.kind.successors(|next| counts[next.index()] += 1);
    }
    counts
}
