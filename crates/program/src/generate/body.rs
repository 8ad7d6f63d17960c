//! Random bodies: declarations, commands and terminators.

use std::collections::HashSet;

use crate::{
    Argument, BitField, Block, BlockId, Body, Call, Callee, Command, CommandKind, Failure, FailureKind, FunctionId,
    LocalId, LocalObject, Program, Role, Terminator, TerminatorKind, Type, UnsupportedId, VarId, Variable,
};

use super::choices::Names;
use super::exprs::ExprMaker;
use super::{Choices, Signature, any_type, ctype_reference, site};

pub(super) struct BodyMaker<'m, 'b> {
    choices: &'m mut Choices<'b>,
    program: &'m Program,
    functions: &'m [Signature],
    function: FunctionId,
    body: Body,
}

impl<'m, 'b> BodyMaker<'m, 'b> {
    pub(super) fn new(
        choices: &'m mut Choices<'b>,
        program: &'m Program,
        functions: &'m [Signature],
        function: FunctionId,
    ) -> Self {
        BodyMaker { choices, program, functions, function, body: Body::default() }
    }

    pub(super) fn make(mut self) -> Body {
        self.declare();
        let mut names = Names::default();
        let signature = &self.functions[self.function.index()];
        for _ in 0..signature.blocks {
            let name = names.unique(self.choices);
            let commands = (0..self.choices.below(6))
                .map(|_| Command { kind: self.command(), site: site(self.choices, self.program) })
                .collect();
            let kind = self.terminator();
            let terminator = Terminator { kind, site: site(self.choices, self.program) };
            self.body.blocks.push(Block { name, commands, terminator });
        }
        self.body
    }

    fn declare(&mut self) {
        let parameters = &self.functions[self.function.index()].function.parameters;
        let mut names = Names::default();
        let types: Vec<_> = parameters.iter().map(|parameter| (parameter.ty, Role::Parameter)).collect();
        // One pointer and one integer at least, for commands that need them as targets.
        let others = [(Type::Pointer, Role::Temporary), (Type::I32, Role::Local)];
        let more = (0..self.choices.below(4)).map(|_| {
            let role = if self.choices.flag() { Role::Temporary } else { Role::Local };
            (any_type(self.choices), role)
        });
        let all: Vec<_> = types.into_iter().chain(others).chain(more).collect();
        for (ty, role) in all {
            let variable = Variable {
                name: names.unique(self.choices),
                ty,
                role,
                ctype: ctype_reference(self.choices, self.program),
                site: site(self.choices, self.program),
            };
            self.body.variables.push(variable);
        }
        let mut names = Names::default();
        for _ in 0..self.choices.below(4) {
            let local = LocalObject {
                name: names.unique(self.choices),
                size: self.choices.below(64) as u64,
                align: 1 << self.choices.below(5),
                ctype: ctype_reference(self.choices, self.program),
                site: site(self.choices, self.program),
                scoped: self.choices.flag(),
            };
            self.body.locals.push(local);
        }
    }

    fn exprs(&mut self) -> ExprMaker<'_, 'b> {
        ExprMaker {
            choices: self.choices,
            program: self.program,
            functions: self.functions,
            function: self.function,
            body: &mut self.body,
        }
    }

    fn expr(&mut self, ty: Type) -> crate::ExprId {
        self.exprs().expr(ty, 4)
    }

    fn variable(&mut self) -> VarId {
        VarId(self.choices.below(self.body.variables.len()) as u32)
    }

    fn variable_of(&mut self, ty: Type) -> VarId {
        let found: Vec<_> =
            (0..self.body.variables.len() as u32).map(VarId).filter(|id| self.body.variable(*id).ty == ty).collect();
        self.choices.pick(&found)
    }

    fn target(&mut self) -> BlockId {
        BlockId(self.choices.below(self.functions[self.function.index()].blocks) as u32)
    }

    fn local(&mut self, scoped: bool) -> Option<LocalId> {
        let found: Vec<_> = (0..self.body.locals.len())
            .filter(|index| self.body.locals[*index].scoped || !scoped)
            .map(|index| LocalId(index as u32))
            .collect();
        if found.is_empty() { None } else { Some(self.choices.pick(&found)) }
    }

    fn command(&mut self) -> CommandKind {
        match self.choices.below(19) {
            0 | 1 => {
                let target = self.variable();
                let ty = self.body.variable(target).ty;
                CommandKind::Assign { target, value: self.expr(ty) }
            }
            2 | 3 => self.store(),
            4 => CommandKind::Havoc { target: self.variable(), source: self.choices.text().into() },
            5 => CommandKind::Assume(self.expr(Type::BOOL)),
            6 => CommandKind::Assert { condition: self.expr(Type::BOOL), message: self.choices.text().into() },
            7 => {
                let kind = self.choices.pick(&[FailureKind::Assertion, FailureKind::ErrorCall]);
                CommandKind::Fail(Failure { kind, message: self.choices.text().into() })
            }
            8 | 9 => self.call(),
            10 => CommandKind::Copy {
                destination: self.expr(Type::Pointer),
                source: self.expr(Type::Pointer),
                size: self.expr(Type::I64),
                may_overlap: self.choices.flag(),
            },
            11 => CommandKind::Fill {
                destination: self.expr(Type::Pointer),
                byte: self.expr(Type::I8),
                size: self.expr(Type::I64),
            },
            12 => CommandKind::Allocate {
                target: self.variable_of(Type::Pointer),
                size: self.expr(Type::I64),
                align: 1 << self.choices.below(5),
            },
            13 => CommandKind::StackMark { target: self.variable_of(Type::Pointer) },
            14 => CommandKind::StackRelease { mark: self.expr(Type::Pointer) },
            15 => CommandKind::VaStart { list: self.expr(Type::Pointer) },
            16 => match self.program.unsupported.len() {
                0 => CommandKind::Declare(self.variable()),
                count => CommandKind::Unsupported(UnsupportedId(self.choices.below(count) as u32)),
            },
            17 => match self.local(true) {
                Some(local) => CommandKind::Begin(local),
                None => CommandKind::Declare(self.variable()),
            },
            _ => match self.local(false) {
                Some(local) => CommandKind::End(local),
                None => CommandKind::Declare(self.variable()),
            },
        }
    }

    fn store(&mut self) -> CommandKind {
        let ty = any_type(self.choices);
        let bits = self.bits(ty);
        CommandKind::Store { address: self.expr(Type::Pointer), value: self.expr(ty), bits }
    }

    fn bits(&mut self, ty: Type) -> Option<BitField> {
        self.exprs().bits(ty)
    }

    fn call(&mut self) -> CommandKind {
        let targets = (0..self.choices.below(3)).map(|_| self.variable()).collect();
        let (callee, parameters) = if self.choices.flag() {
            (Callee::Indirect(self.expr(Type::Pointer)), Vec::new())
        } else {
            let id = self.choices.below(self.functions.len());
            (Callee::Direct(FunctionId(id as u32)), self.functions[id].function.parameters.clone())
        };
        let arguments = (0..self.choices.below(4))
            .map(|index| match self.choices.below(4) {
                0 => {
                    let (size, align) = (self.choices.below(100) as u64, 1 << self.choices.below(5));
                    Argument::Copied { address: self.expr(Type::Pointer), size, align }
                }
                // C without prototypes passes anything.
                1 => {
                    let ty = any_type(self.choices);
                    Argument::Scalar(self.expr(ty))
                }
                _ => {
                    let ty = parameters.get(index).map_or(Type::I32, |parameter| parameter.ty);
                    Argument::Scalar(self.expr(ty))
                }
            })
            .collect();
        CommandKind::Call(Call { targets, callee, arguments })
    }

    fn terminator(&mut self) -> TerminatorKind {
        match self.choices.below(6) {
            0 => {
                let returns = self.functions[self.function.index()].function.returns.clone();
                TerminatorKind::Return(returns.into_iter().map(|ty| self.expr(ty)).collect())
            }
            1 => TerminatorKind::Goto(self.target()),
            2 => TerminatorKind::Branch {
                condition: self.expr(Type::BOOL),
                then: self.target(),
                otherwise: self.target(),
            },
            3 => {
                let ty = Type::Int(1 + self.choices.below(128) as u16);
                let values: Vec<_> = (0..self.choices.below(4)).map(|_| self.choices.wide() & ty.mask()).collect();
                let mut seen = HashSet::new();
                let cases =
                    values.into_iter().filter(|bits| seen.insert(*bits)).map(|bits| (bits, self.target())).collect();
                TerminatorKind::Switch { value: self.expr(ty), cases, default: self.target() }
            }
            4 => TerminatorKind::IndirectGoto {
                address: self.expr(Type::Pointer),
                targets: (0..self.choices.below(3)).map(|_| self.target()).collect(),
            },
            _ => TerminatorKind::Unreachable,
        }
    }
}
