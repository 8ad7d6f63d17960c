//! Places: what commands read and write, as far as slicing tells it apart.
//!
//! Program → [`Places`]. A variable is a place; so is an object whose address is only used to read and write it, and
//! the result of a function. Everything else in memory is one place.

use program::exec::CommandRef;
use program::{
    Argument, Body, Callee, CommandKind, ExprId, ExprKind, FunctionId, Initializer, Object, Program, TerminatorKind,
    VarId,
};

use super::all_blocks;

pub type PlaceId = usize;

/// Memory that pointers may reach.
const MEMORY: PlaceId = 0;

#[derive(Debug)]
pub struct Places {
    /// By global.
    globals: Vec<PlaceId>,
    /// By function and local object.
    locals: Vec<Vec<PlaceId>>,
    /// By function: its first variable.
    variables: Vec<PlaceId>,
    /// By function: what it returns.
    results: Vec<PlaceId>,
    /// The results of functions that others than direct calls may call.
    called_back: Vec<PlaceId>,
    writers: Vec<Vec<CommandRef>>,
}

impl Places {
    pub fn of(program: &Program) -> Places {
        let mut next = MEMORY + 1;
        let mut take = |count: usize| {
            next += count;
            next - count
        };
        let bodies = || program.functions.iter().map(|function| function.body.as_ref());
        let first = take(program.globals.len());
        let globals = (first..first + program.globals.len()).collect();
        let locals = bodies().map(|body| {
            let count = body.map_or(0, |body| body.locals.len());
            let first = take(count);
            (first..first + count).collect()
        });
        let locals = locals.collect();
        let variables = bodies().map(|body| take(body.map_or(0, |body| body.variables.len()))).collect();
        let results = bodies().map(|_| take(1)).collect();
        let writers = vec![Vec::new(); next];
        let mut places = Places { globals, locals, variables, results, called_back: Vec::new(), writers };
        places.join_escaping(program);
        places.called_back.sort_unstable();
        places.called_back.dedup();
        places.note_writers(program);
        places
    }

    pub fn count(&self) -> usize {
        self.writers.len()
    }

    pub fn writers(&self, place: PlaceId) -> &[CommandRef] {
        &self.writers[place]
    }

    /// Objects whose address goes anywhere but into an access are memory like any other.
    fn join_escaping(&mut self, program: &Program) {
        for global in &program.globals {
            if let Initializer::Bytes { addresses, .. } = &global.init {
                addresses.iter().for_each(|address| self.join(FunctionId(0), address.object));
            }
        }
        for (at, block) in all_blocks(program) {
            let Some(body) = &program.function(at.function).body else { continue };
            for command in &block.commands {
                let accessed = accessed(&command.kind);
                command.kind.operands(|operand| match accessed.contains(operand) {
                    true => self.escape_from_address(body, at.function, *operand),
                    false => self.escape(body, at.function, *operand),
                });
            }
            block.terminator.kind.operands(|operand| self.escape(body, at.function, *operand));
        }
    }

    fn escape(&mut self, body: &Body, function: FunctionId, id: ExprId) {
        match &body.expr(id).kind {
            ExprKind::Address(object) => self.join(function, *object),
            ExprKind::Load(load) => self.escape_from_address(body, function, load.address),
            kind => kind.operands(|operand| self.escape(body, function, *operand)),
        }
    }

    /// The object at the root of an address that is accessed does not escape; what else is in the address may.
    fn escape_from_address(&mut self, body: &Body, function: FunctionId, id: ExprId) {
        match &body.expr(id).kind {
            ExprKind::Address(_) => {}
            ExprKind::Index(index) => {
                self.escape(body, function, index.index);
                self.escape_from_address(body, function, index.base);
            }
            ExprKind::Field(field) => self.escape_from_address(body, function, field.base),
            _ => self.escape(body, function, id),
        }
    }

    fn join(&mut self, function: FunctionId, object: Object) {
        match object {
            Object::Global(global) => self.globals[global.index()] = MEMORY,
            Object::Local(local) => self.locals[function.index()][local.index()] = MEMORY,
            Object::Function(function) => self.called_back.push(self.results[function.index()]),
            Object::Label(..) => {}
        }
    }

    fn note_writers(&mut self, program: &Program) {
        for (at, block) in all_blocks(program) {
            let Some(body) = &program.function(at.function).body else { continue };
            for (index, command) in (0..).zip(&block.commands) {
                let at = CommandRef { index, ..at };
                for place in self.written_by(program, body, at.function, &command.kind) {
                    self.writers[place].push(at);
                }
            }
            if matches!(block.terminator.kind, TerminatorKind::Return(_)) {
                let at = CommandRef { index: block.commands.len() as u32, ..at };
                self.writers[self.results[at.function.index()]].push(at);
            }
        }
    }

    fn written_by(&self, program: &Program, body: &Body, function: FunctionId, kind: &CommandKind) -> Vec<PlaceId> {
        match kind {
            CommandKind::Assign { target, .. }
            | CommandKind::Havoc { target, .. }
            | CommandKind::StackMark { target }
            | CommandKind::Declare(target) => vec![self.variable(function, *target)],
            CommandKind::Allocate { target, .. } => vec![self.variable(function, *target), MEMORY],
            CommandKind::Store { address, .. }
            | CommandKind::Copy { destination: address, .. }
            | CommandKind::Fill { destination: address, .. } => vec![self.accessed_at(body, function, *address)],
            CommandKind::Begin(local) | CommandKind::End(local) => vec![self.locals[function.index()][local.index()]],
            CommandKind::Call(call) => {
                let mut written: Vec<PlaceId> =
                    call.targets.iter().map(|target| self.variable(function, *target)).collect();
                let outside = match call.callee {
                    Callee::Direct(callee) => program.function(callee).body.is_none(),
                    Callee::Indirect(_) => true,
                };
                if outside {
                    written.push(MEMORY);
                }
                written
            }
            CommandKind::StackRelease { .. } | CommandKind::VaStart { .. } => vec![MEMORY],
            CommandKind::Assume(_)
            | CommandKind::Assert { .. }
            | CommandKind::Fail(_)
            | CommandKind::Unsupported(_) => Vec::new(),
        }
    }

    fn variable(&self, function: FunctionId, variable: VarId) -> PlaceId {
        self.variables[function.index()] + variable.index()
    }

    /// The place of an access through this address.
    fn accessed_at(&self, body: &Body, function: FunctionId, address: ExprId) -> PlaceId {
        match &body.expr(address).kind {
            ExprKind::Address(Object::Global(global)) => self.globals[global.index()],
            ExprKind::Address(Object::Local(local)) => self.locals[function.index()][local.index()],
            ExprKind::Index(index) => self.accessed_at(body, function, index.base),
            ExprKind::Field(field) => self.accessed_at(body, function, field.base),
            _ => MEMORY,
        }
    }

    /// What a command or a terminator reads.
    pub fn read_by(&self, program: &Program, at: CommandRef) -> Vec<PlaceId> {
        let mut read = Vec::new();
        let Some(body) = &program.function(at.function).body else { return read };
        let block = body.block(at.block);
        let Some(command) = block.commands.get(at.index as usize) else {
            block.terminator.kind.operands(|operand| self.reads(body, at.function, *operand, &mut read));
            return read;
        };
        command.kind.operands(|operand| self.reads(body, at.function, *operand, &mut read));
        match &command.kind {
            // Some bits of a unit stay as they were.
            CommandKind::Store { address, bits: Some(_), .. } => {
                read.push(self.accessed_at(body, at.function, *address));
            }
            CommandKind::Copy { source, .. } => read.push(self.accessed_at(body, at.function, *source)),
            CommandKind::Call(call) => {
                for argument in &call.arguments {
                    if let Argument::Copied { address, .. } = argument {
                        read.push(self.accessed_at(body, at.function, *address));
                    }
                }
                match call.callee {
                    Callee::Direct(callee) if program.function(callee).body.is_some() => {}
                    _ => read.extend([MEMORY].iter().chain(&self.called_back)),
                }
            }
            CommandKind::StackRelease { .. } | CommandKind::VaStart { .. } => read.push(MEMORY),
            _ => {}
        }
        read
    }

    fn reads(&self, body: &Body, function: FunctionId, id: ExprId, read: &mut Vec<PlaceId>) {
        match &body.expr(id).kind {
            ExprKind::Variable(variable) => read.push(self.variable(function, *variable)),
            ExprKind::Load(load) => read.push(self.accessed_at(body, function, load.address)),
            _ => {}
        }
        body.expr(id).kind.operands(|operand| self.reads(body, function, *operand, read));
    }

    /// The result that a call takes over, if the command is one of a function with a body.
    pub fn result_read_by(&self, program: &Program, at: CommandRef) -> Option<PlaceId> {
        let body = program.function(at.function).body.as_ref()?;
        let command = body.block(at.block).commands.get(at.index as usize)?;
        match &command.kind {
            CommandKind::Call(program::Call { callee: Callee::Direct(callee), .. }) => {
                Some(self.results[callee.index()])
            }
            _ => None,
        }
    }
}

/// The operands of a command that are addresses of what it accesses.
fn accessed(kind: &CommandKind) -> Vec<ExprId> {
    match kind {
        CommandKind::Store { address, .. } | CommandKind::Fill { destination: address, .. } => vec![*address],
        CommandKind::Copy { destination, source, .. } => vec![*destination, *source],
        CommandKind::Call(call) => {
            let copied = |argument: &Argument| match argument {
                Argument::Copied { address, .. } => Some(*address),
                Argument::Scalar(_) => None,
            };
            call.arguments.iter().filter_map(copied).collect()
        }
        _ => Vec::new(),
    }
}
