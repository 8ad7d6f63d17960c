//! What a call may do to memory, looking at the code alone: for calls that are not followed.

use std::collections::BTreeSet;

use program::exec::libc;
use program::{AddressIn, Body, Callee, CommandKind, ExprId, ExprKind, FunctionId, Initializer, Object, Program};

use crate::library;

/// For each function, transitively.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    writes: Vec<bool>,
    frees: Vec<bool>,
    /// Functions that a pointer may lead to.
    pub address_taken: BTreeSet<FunctionId>,
    /// Control may come back to a place by `longjmp`.
    pub jumps: bool,
    /// Some values are on the move with bits that may be unwritten.
    pub copies: bool,
}

impl Effects {
    pub fn of(program: &Program) -> Effects {
        let count = program.functions.len();
        let mut effects = Effects {
            writes: vec![false; count],
            frees: vec![false; count],
            address_taken: address_taken(program),
            jumps: program.functions.iter().any(|function| {
                function.body.is_none()
                    && matches!(
                        function.name.as_str(),
                        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" | "_longjmp"
                    )
            }),
            copies: false,
        };
        effects.copies = has_copies(program);
        loop {
            let mut changed = false;
            for (index, function) in program.functions.iter().enumerate() {
                let (writes, frees) = match &function.body {
                    Some(body) => effects.of_body(program, body),
                    None => (library::may_write(&function.name), library::may_free(&function.name)),
                };
                changed |= writes && !effects.writes[index] || frees && !effects.frees[index];
                effects.writes[index] |= writes;
                effects.frees[index] |= frees;
            }
            if !changed {
                return effects;
            }
        }
    }

    pub fn writes(&self, function: FunctionId) -> bool {
        self.writes[function.index()]
    }

    pub fn frees(&self, function: FunctionId) -> bool {
        self.frees[function.index()]
    }

    fn of_body(&self, program: &Program, body: &Body) -> (bool, bool) {
        let (mut writes, mut frees) = (false, false);
        for command in body.blocks.iter().flat_map(|block| &block.commands) {
            match &command.kind {
                CommandKind::Store { address, .. }
                | CommandKind::Copy { destination: address, .. }
                | CommandKind::Fill { destination: address, .. } => writes |= !is_own(body, *address),
                CommandKind::VaStart { .. } => writes = true,
                CommandKind::Call(call) => match call.callee {
                    Callee::Direct(function) => {
                        writes |= self.writes[function.index()];
                        frees |= self.frees[function.index()];
                        let external = program.function(function).body.is_none();
                        let calls_back = external && libc::find(&program.function(function).name).is_some();
                        if calls_back && library::may_call_back(&program.function(function).name) {
                            (writes, frees) = (true, true);
                        }
                    }
                    Callee::Indirect(_) => (writes, frees) = (true, true),
                },
                _ => {}
            }
        }
        (writes, frees)
    }
}

/// Whether the address is in a local object of the function itself.
fn is_own(body: &Body, address: ExprId) -> bool {
    match &body.expr(address).kind {
        ExprKind::Address(Object::Local(_)) => true,
        ExprKind::Index(index) => is_own(body, index.base),
        ExprKind::Field(field) => is_own(body, field.base),
        _ => false,
    }
}

fn has_copies(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| &body.exprs).any(|expr| matches!(&expr.kind, ExprKind::Load(load) if load.copy))
}

fn address_taken(program: &Program) -> BTreeSet<FunctionId> {
    let mut taken = BTreeSet::new();
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        taken.extend(body.exprs.iter().filter_map(|expr| match expr.kind {
            ExprKind::Address(Object::Function(function)) => Some(function),
            _ => None,
        }));
    }
    for global in &program.globals {
        if let Initializer::Bytes { addresses, .. } = &global.init {
            taken.extend(addresses.iter().filter_map(|AddressIn { object, .. }| match object {
                Object::Function(function) => Some(*function),
                _ => None,
            }));
        }
    }
    taken
}
