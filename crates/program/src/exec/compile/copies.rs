//! Where object representations travel in registers.
//!
//! A struct in registers may have bytes that nobody wrote: padding, members not yet set. `Load`s
//! marked `copy` begin such a journey; it leads through assignments, arguments and returns to a store.
//! This finds, for the whole program, which variables, parameters and returned values can be on such
//! a journey: only these carry a written-mask beside their value.
//!
//! Program → [`Copies`]. A journey ends where a value is used by an operator: there all bits must
//! have been written. Indirect calls may reach every function whose address is taken.

use std::collections::BTreeSet;

use crate::{
    AddressIn, Argument, Body, Call, Callee, CommandKind, ExprId, ExprKind, Function, FunctionId, Initializer, Load,
    Object, Program, TerminatorKind, VarId,
};

/// The parameters and results that may carry unwritten bits.
#[derive(Debug, Default)]
pub struct Copies {
    parameters: BTreeSet<(FunctionId, usize)>,
    results: BTreeSet<(FunctionId, usize)>,
    address_taken: BTreeSet<FunctionId>,
    /// No `copy` load anywhere.
    none: bool,
}

impl Copies {
    pub fn of(program: &Program) -> Copies {
        let mut copies = Copies { none: !has_copy_loads(program), ..Copies::default() };
        if copies.none {
            return copies;
        }
        copies.address_taken = address_taken(program);
        while copies.propagate(program) {}
        copies
    }

    pub fn parameter(&self, function: FunctionId, position: usize) -> bool {
        self.parameters.contains(&(function, position))
    }

    pub fn result(&self, function: FunctionId, position: usize) -> bool {
        self.results.contains(&(function, position))
    }

    /// Whether this result's mask must be taken over.
    pub fn returned(&self, callee: Callee, position: usize) -> bool {
        match callee {
            Callee::Direct(function) => self.result(function, position),
            Callee::Indirect(_) => self.address_taken.iter().any(|&function| self.result(function, position)),
        }
    }

    /// The variables of the function that may carry unwritten bits.
    pub fn variables(&self, id: FunctionId, function: &Function) -> BTreeSet<VarId> {
        let mut variables = BTreeSet::new();
        let Some(body) = function.body.as_ref().filter(|_| !self.none) else { return variables };
        let parameters = (0..function.parameters.len()).filter(|&position| self.parameter(id, position));
        variables.extend(parameters.map(|position| VarId(position as u32)));
        loop {
            let before = variables.len();
            for command in body.blocks.iter().flat_map(|block| &block.commands) {
                match &command.kind {
                    CommandKind::Assign { target, value } if is_copy(body, *value, &variables) => {
                        variables.insert(*target);
                    }
                    CommandKind::Call(Call { targets, callee, .. }) => {
                        let taken =
                            targets.iter().enumerate().filter(|(position, _)| self.returned(*callee, *position));
                        variables.extend(taken.map(|(_, target)| *target));
                    }
                    _ => {}
                }
            }
            if variables.len() == before {
                return variables;
            }
        }
    }

    /// One round over all functions; whether anything new was found.
    fn propagate(&mut self, program: &Program) -> bool {
        let before = self.parameters.len() + self.results.len();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            let Some(body) = &function.body else { continue };
            let variables = self.variables(id, function);
            for block in &body.blocks {
                for command in &block.commands {
                    if let CommandKind::Call(call) = &command.kind {
                        self.pass(program, body, call, &variables);
                    }
                }
                if let TerminatorKind::Return(values) = &block.terminator.kind {
                    let copied = values.iter().enumerate().filter(|(_, value)| is_copy(body, **value, &variables));
                    self.results.extend(copied.map(|(position, _)| (id, position)));
                }
            }
        }
        self.parameters.len() + self.results.len() > before
    }

    fn pass(&mut self, program: &Program, body: &Body, call: &Call, variables: &BTreeSet<VarId>) {
        for (position, argument) in call.arguments.iter().enumerate() {
            let Argument::Scalar(value) = *argument else { continue };
            if !is_copy(body, value, variables) {
                continue;
            }
            let fits = |function: FunctionId| position < program.function(function).parameters.len();
            match call.callee {
                Callee::Direct(function) if fits(function) => {
                    self.parameters.insert((function, position));
                }
                Callee::Direct(_) => {}
                Callee::Indirect(_) => {
                    let reached = self.address_taken.iter().copied().filter(|&function| fits(function));
                    self.parameters.extend(reached.map(|function| (function, position)));
                }
            }
        }
    }
}

/// Whether the expression hands on a value that may have unwritten bits.
pub fn is_copy(body: &Body, value: ExprId, variables: &BTreeSet<VarId>) -> bool {
    match &body.expr(value).kind {
        ExprKind::Load(Load { copy, .. }) => *copy,
        ExprKind::Variable(variable) => variables.contains(variable),
        _ => false,
    }
}

fn has_copy_loads(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| &body.exprs).any(|expr| matches!(expr.kind, ExprKind::Load(Load { copy: true, .. })))
}

fn address_taken(program: &Program) -> BTreeSet<FunctionId> {
    let mut taken = BTreeSet::new();
    let mut see = |object: &Object| {
        if let Object::Function(function) = object {
            taken.insert(*function);
        }
    };
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for expr in &body.exprs {
            if let ExprKind::Address(object) = &expr.kind {
                see(object);
            }
        }
    }
    for global in &program.globals {
        if let Initializer::Bytes { addresses, .. } = &global.init {
            addresses.iter().for_each(|AddressIn { object, .. }| see(object));
        }
    }
    taken
}
