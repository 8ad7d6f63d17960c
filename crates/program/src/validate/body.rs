//! The validator's checks of one function's body.

use std::collections::HashSet;

use crate::{
    Argument, Block, BlockId, Body, Call, Callee, CommandKind, ExprId, Function, LocalId, Program, TerminatorKind,
    Type, VarId,
};

use super::exprs::{Uses, check_bits, check_expr};
use super::{Check, Fault, check_align, check_ctype, check_site, check_type, has_type, in_range, is_integer, unique};

/// The fault, and the block and command it is in, in words.
type Found = (String, Fault);

pub(super) fn check(program: &Program, function: &Function, body: &Body) -> Result<(), Found> {
    let checker = Checker { program, function, body };
    let nowhere = |fault| (String::new(), fault);
    checker.declarations().map_err(nowhere)?;
    for (index, expr) in body.exprs.iter().enumerate() {
        check_expr(program, body, expr).map_err(|fault| (format!(", expression {index}"), fault))?;
    }
    let mut uses = Uses::of_operands(body).map_err(nowhere)?;
    for block in &body.blocks {
        checker.block(block, &mut uses)?;
    }
    uses.check_acyclic().map_err(nowhere)
}

struct Checker<'p> {
    program: &'p Program,
    function: &'p Function,
    body: &'p Body,
}

impl Checker<'_> {
    fn declarations(&self) -> Check {
        let body = self.body;
        if body.blocks.is_empty() {
            return Err(Fault::NoEntry);
        }
        unique("variables", body.variables.iter().map(|variable| variable.name.as_str()))?;
        unique("local objects", body.locals.iter().map(|local| local.name.as_str()))?;
        unique("blocks", body.blocks.iter().map(|block| block.name.as_str()))?;
        for variable in &body.variables {
            check_type(variable.ty)?;
            check_ctype(self.program, variable.ctype)?;
            check_site(self.program, variable.site)?;
        }
        for local in &body.locals {
            check_align(local.align)?;
            check_ctype(self.program, local.ctype)?;
            check_site(self.program, local.site)?;
        }
        Ok(())
    }

    fn block(&self, block: &Block, uses: &mut Uses) -> Result<(), Found> {
        for (index, command) in block.commands.iter().enumerate() {
            let place = |fault| (format!(", block `{}`, command {index}", block.name), fault);
            uses.check_roots(|visit| command.kind.operands(visit)).map_err(place)?;
            check_site(self.program, command.site).map_err(place)?;
            self.command(&command.kind).map_err(place)?;
        }
        let place = |fault| (format!(", block `{}`, terminator", block.name), fault);
        uses.check_roots(|visit| block.terminator.kind.operands(visit)).map_err(place)?;
        check_site(self.program, block.terminator.site).map_err(place)?;
        self.terminator(&block.terminator.kind).map_err(place)
    }

    fn type_of(&self, id: ExprId) -> Type {
        self.body.expr(id).ty
    }

    fn expr_is(&self, what: &'static str, id: ExprId, expected: Type) -> Check {
        has_type(what, self.type_of(id), expected)
    }

    fn variable(&self, id: VarId) -> Result<Type, Fault> {
        in_range("variable", id.0, self.body.variables.len())?;
        Ok(self.body.variable(id).ty)
    }

    fn local(&self, id: LocalId) -> Check {
        in_range("local object", id.0, self.body.locals.len())
    }

    fn command(&self, kind: &CommandKind) -> Check {
        match kind {
            CommandKind::Assign { target, value } => {
                self.expr_is("the assigned value", *value, self.variable(*target)?)
            }
            CommandKind::Store { address, value, bits } => {
                self.expr_is("the address", *address, Type::Pointer)?;
                bits.map_or(Ok(()), |bits| check_bits(bits, self.type_of(*value)))
            }
            CommandKind::Havoc { target, .. } | CommandKind::Declare(target) | CommandKind::StackMark { target } => {
                self.variable(*target).map(|_| ())
            }
            CommandKind::Assume(condition) | CommandKind::Assert { condition, .. } => {
                self.expr_is("the condition", *condition, Type::BOOL)
            }
            CommandKind::Fail(_) | CommandKind::StackRelease { .. } => Ok(()),
            CommandKind::Call(call) => self.call(call),
            CommandKind::Copy { destination, source, size, .. } => {
                self.expr_is("the destination", *destination, Type::Pointer)?;
                self.expr_is("the source", *source, Type::Pointer)?;
                is_integer("the size", self.type_of(*size))
            }
            CommandKind::Fill { destination, byte, size } => {
                self.expr_is("the destination", *destination, Type::Pointer)?;
                self.expr_is("the byte", *byte, Type::I8)?;
                is_integer("the size", self.type_of(*size))
            }
            CommandKind::Allocate { target, size, align } => {
                has_type("the variable for the address", self.variable(*target)?, Type::Pointer)?;
                is_integer("the size", self.type_of(*size))?;
                check_align(*align)
            }
            CommandKind::Begin(local) => {
                self.local(*local)?;
                let object = &self.body.locals[local.index()];
                if object.scoped { Ok(()) } else { Err(Fault::NotScoped(object.name.clone())) }
            }
            CommandKind::End(local) => self.local(*local),
            CommandKind::VaStart { list } => self.expr_is("the address of the list", *list, Type::Pointer),
            CommandKind::Unsupported(id) => in_range("unsupported construct", id.0, self.program.unsupported.len()),
        }
    }

    fn call(&self, call: &Call) -> Check {
        for target in &call.targets {
            self.variable(*target)?;
        }
        match call.callee {
            Callee::Direct(function) => in_range("function", function.0, self.program.functions.len())?,
            Callee::Indirect(address) => self.expr_is("the called address", address, Type::Pointer)?,
        }
        for argument in &call.arguments {
            if let Argument::Copied { address, align, .. } = argument {
                self.expr_is("the address of a copied argument", *address, Type::Pointer)?;
                check_align(*align)?;
            }
        }
        Ok(())
    }

    fn terminator(&self, kind: &TerminatorKind) -> Check {
        let mut targets = Ok(());
        kind.successors(|target: BlockId| {
            if targets.is_ok() {
                targets = in_range("block", target.0, self.body.blocks.len());
            }
        });
        targets?;
        match kind {
            TerminatorKind::Goto(_) | TerminatorKind::Unreachable => Ok(()),
            TerminatorKind::Branch { condition, .. } => self.expr_is("the condition", *condition, Type::BOOL),
            TerminatorKind::Switch { value, cases, .. } => self.switch(self.type_of(*value), cases),
            TerminatorKind::IndirectGoto { address, .. } => self.expr_is("the address", *address, Type::Pointer),
            TerminatorKind::Return(values) => {
                let (expected, found) = (self.function.returns.len(), values.len());
                if expected != found {
                    return Err(Fault::Count { what: "returned values", expected, found });
                }
                let mut pairs = values.iter().zip(&self.function.returns);
                pairs.try_for_each(|(value, ty)| self.expr_is("the returned value", *value, *ty))
            }
        }
    }

    fn switch(&self, ty: Type, cases: &[(u128, BlockId)]) -> Check {
        is_integer("the value of a switch", ty)?;
        let mut seen = HashSet::new();
        for (bits, _) in cases {
            if *bits > ty.mask() {
                return Err(Fault::Constant { bits: *bits, ty });
            }
            if !seen.insert(*bits) {
                return Err(Fault::DuplicateCase(*bits));
            }
        }
        Ok(())
    }
}
