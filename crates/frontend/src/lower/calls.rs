//! Calls: functions, the conventions of verifiers and of `assert`, inline assembly.

use program::{
    Argument, BinaryOp, Call, Callee, CommandKind, Comparison, ExprId, ExprKind, Failure, FailureKind, FunctionId,
    Site, Type, VarId,
};

use super::function::FunctionLowering;
use super::homes::Home;
use crate::llvm::{Opcode, Ty, Value, ValueKind};

impl FunctionLowering<'_, '_> {
    pub fn lower_call(&mut self, call: Value) -> Result<(), String> {
        let called = call.called();
        match called.kind() {
            ValueKind::InlineAsm if called.asm_text().trim().is_empty() => self.lower_empty_asm(call),
            ValueKind::InlineAsm => Err(format!("inline assembly `{}`", called.asm_text().trim())),
            ValueKind::Function => {
                let name = called.name();
                if let Some(intrinsic) = name.strip_prefix("llvm.") {
                    return self.lower_intrinsic(call, intrinsic);
                }
                let is_defined = !called.is_declaration();
                if self.lower_convention(call, &name, is_defined)? {
                    return Ok(());
                }
                let id = self.unit.function_ids[&called];
                self.lower_plain_call(call, Callee::Direct(id))
            }
            ValueKind::Alias => {
                let id = self.aliased(called)?;
                self.lower_plain_call(call, Callee::Direct(id))
            }
            _ => {
                let address = self.build(called, 0)?;
                self.lower_plain_call(call, Callee::Indirect(address))
            }
        }
    }

    fn aliased(&self, alias: Value) -> Result<FunctionId, String> {
        let target = alias.alias_target();
        self.unit.function_ids.get(&target).copied().ok_or_else(|| format!("alias `{}`", alias.name()))
    }

    /// An empty `asm` is a barrier for the compiler; an operand it returns is the one it was given.
    fn lower_empty_asm(&mut self, call: Value) -> Result<(), String> {
        let types = self.unit.scalars(call.ty())?;
        if types.is_empty() {
            return Ok(());
        }
        let arguments = call.arguments();
        let [argument] = arguments.as_slice() else { return Err("inline assembly with several operands".into()) };
        let site = self.site(call);
        let values = self.build_all(*argument)?;
        let targets = self.temporaries(&types, site);
        for (&target, value) in targets.iter().zip(values) {
            self.emit(CommandKind::Assign { target, value }, site);
        }
        self.held.insert(call, targets);
        Ok(())
    }

    fn lower_plain_call(&mut self, call: Value, callee: Callee) -> Result<(), String> {
        let site = self.site(call);
        let mut arguments = Vec::new();
        for (index, argument) in call.arguments().into_iter().enumerate() {
            match call.argument_byval(index as u32) {
                Some(ty) => arguments.push(self.copied_argument(argument, ty)?),
                None => arguments.extend(self.build_moved(argument)?.into_iter().map(Argument::Scalar)),
            }
        }
        let types = self.unit.scalars(call.ty())?;
        let targets = self.targets(call, &types, site);
        self.emit(CommandKind::Call(Call { targets, callee, arguments }), site);
        Ok(())
    }

    fn copied_argument(&mut self, argument: Value, ty: Ty) -> Result<Argument, String> {
        let address = self.build(argument, 0)?;
        let align = self.unit.layout.align(ty).max(8);
        Ok(Argument::Copied { address, size: self.unit.layout.size(ty), align })
    }

    /// The variables that take a call's result: the one that the next instruction stores it to, or
    /// temporaries; none if nobody looks at it.
    pub fn targets(&mut self, call: Value, types: &[Type], site: Site) -> Vec<VarId> {
        let users = call.users();
        if types.is_empty() || users.is_empty() {
            return Vec::new();
        }
        if let [store] = users.as_slice()
            && next_instruction(call) == Some(*store)
            && store.opcode() == Opcode::LLVMStore
            && store.operand(0) == call
            && let Some(&Home::Variable(target)) = self.homes.get(&store.operand(1))
        {
            self.done.insert(*store);
            return vec![target];
        }
        let targets = self.temporaries(types, site);
        self.held.insert(call, targets.clone());
        targets
    }

    /// Functions that have a meaning of their own here: SV-COMP's, CBMC's `nondet_int` and its kin, and what
    /// `assert` expands to.
    fn lower_convention(&mut self, call: Value, name: &str, is_defined: bool) -> Result<bool, String> {
        let site = self.site(call);
        match name {
            "__VERIFIER_error" | "reach_error" => self.fail(FailureKind::ErrorCall, name, site),
            "__assert_fail" | "__assert" if !is_defined => {
                let message = self.string_argument(call, 0).unwrap_or_else(|| "assertion".into());
                self.fail(FailureKind::Assertion, &message, site);
            }
            "__VERIFIER_assume" if !is_defined => {
                let condition = self.build(call.operand(0), 0)?;
                let condition = self.as_condition(condition);
                self.emit(CommandKind::Assume(condition), site);
            }
            _ if !is_defined && (name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")) => {
                let types = self.unit.scalars(call.ty())?;
                let targets = match types.as_slice() {
                    [_] => self.targets(call, &types, site),
                    _ => return Err(format!("`{name}` with a result of type `{}`", call.ty())),
                };
                let target = match targets.first() {
                    Some(&target) => target,
                    None => self.temporaries(&types, site)[0],
                };
                self.emit(CommandKind::Havoc { target, source: name.into() }, site);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// C's truth of a value that was just built, as an `i1`.
    fn as_condition(&mut self, value: ExprId) -> ExprId {
        let node = self.body.expr(value);
        let (ty, site) = (node.ty, node.site);
        if ty == Type::BOOL {
            return value;
        }
        if let Some(condition) = self.condition_inside(value) {
            return condition;
        }
        let zero = self.constant(0, ty);
        self.binary(BinaryOp::Compare(Comparison::NotEqual), value, zero, Type::BOOL, site)
    }

    pub fn fail(&mut self, kind: FailureKind, message: &str, site: Site) {
        self.emit(CommandKind::Fail(Failure { kind, message: message.into() }), site);
    }

    /// The text of a string literal that is passed as an argument.
    fn string_argument(&self, call: Value, index: u32) -> Option<String> {
        let literal = call.operand(index);
        if literal.kind() != ValueKind::Global {
            return None;
        }
        let bytes = literal.initializer().filter(|value| value.kind() == ValueKind::Data)?.raw_bytes();
        let text = bytes.split(|&byte| byte == 0).next()?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// Repeats a scalar argument as a 64-bit integer.
    pub fn build_size(&mut self, value: Value, site: Site) -> Result<ExprId, String> {
        let size = self.build(value, 0)?;
        if let ExprKind::Constant(bits) = self.body.expr(size).kind {
            return Ok(self.constant(bits, Type::I64));
        }
        Ok(match self.body.expr(size).ty.bits() {
            64 => size,
            _ => self.cast(program::CastOp::ZeroExtend, size, Type::I64, site),
        })
    }
}

fn next_instruction(instruction: Value) -> Option<Value> {
    instruction.following().find(|one| !one.is_debug_instruction())
}
