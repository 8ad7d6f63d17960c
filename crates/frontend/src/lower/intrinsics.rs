//! LLVM's intrinsic functions: the pure ones as expressions, the others as commands.

use program::{Arithmetic, BinaryOp, Builtin, CommandKind, ExprId, ExprKind, FailureKind, Overflow, Sign, Site, Type};

use super::function::FunctionLowering;
use super::homes::Home;
use crate::llvm::{Value, ValueKind};

/// Whether a call of this function only computes a value.
pub fn is_pure(name: &str) -> bool {
    let Some(name) = name.strip_prefix("llvm.") else { return false };
    let base = base_name(name);
    builtin(base).is_some()
        || overflow(base).is_some()
        || matches!(
            base,
            "expect"
                | "expect.with.probability"
                | "is.constant"
                | "is.fpclass"
                | "objectsize"
                | "ctlz"
                | "cttz"
                | "abs"
                | "fmuladd"
                | "launder.invariant.group"
                | "ptr.annotation"
                | "annotation"
                | "threadlocal.address"
                | "ssa.copy"
                | "ptrmask"
        )
        || base.starts_with("vector.reduce.")
}

/// The name without the types behind it: `memcpy` for `memcpy.p0.p0.i64`.
fn base_name(name: &str) -> &str {
    let mut end = name.len();
    while let Some(dot) = name[..end].rfind('.') {
        let suffix = &name[dot + 1..end];
        let is_type = suffix.starts_with(['i', 'f', 'p', 'v']) && suffix[1..].starts_with(|c: char| c.is_ascii_digit());
        if !is_type {
            break;
        }
        end = dot;
    }
    &name[..end]
}

impl FunctionLowering<'_, '_> {
    pub fn build_intrinsic(&mut self, call: Value, lane: usize) -> Result<ExprId, String> {
        let name = call.called().name();
        let base = base_name(name.strip_prefix("llvm.").unwrap_or(&name));
        let site = self.site(call);
        if let Some((operation, sign)) = overflow(base) {
            return self.build_overflow(call, operation, sign, lane, site);
        }
        if let Some(reduction) = base.strip_prefix("vector.reduce.") {
            return self.build_reduction(call, reduction, site);
        }
        let ty = self.unit.scalars(call.ty())?[lane];
        match base {
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "ptr.annotation"
            | "annotation"
            | "threadlocal.address"
            | "ssa.copy" => self.build(call.operand(0), lane),
            // The answer is the compiler's own: nothing is constant at -O0, no size is known.
            "is.constant" => Ok(self.constant(u128::from(call.operand(0).kind() == ValueKind::Int), ty)),
            "objectsize" => {
                let is_minimum = call.operand(1).kind() == ValueKind::Int && call.operand(1).int_bits() == 1;
                Ok(self.constant(if is_minimum { 0 } else { u128::MAX }, ty))
            }
            "is.fpclass" => {
                let operand = self.build(call.operand(0), lane)?;
                let class = Builtin::IsClass(call.operand(1).int_bits() as u16);
                Ok(self.node(ExprKind::Apply(class, Box::new([operand])), Type::BOOL, site))
            }
            "ptrmask" => {
                let pointer = self.build(call.operand(0), 0)?;
                let mask = self.build(call.operand(1), 0)?;
                let bits = self.cast(program::CastOp::Reinterpret, pointer, Type::I64, site);
                let masked = self.binary(BinaryOp::And, bits, mask, Type::I64, site);
                Ok(self.cast(program::CastOp::Reinterpret, masked, Type::Pointer, site))
            }
            "fmuladd" => {
                let (a, b) = (self.build(call.operand(0), lane)?, self.build(call.operand(1), lane)?);
                let c = self.build(call.operand(2), lane)?;
                let product = self.binary(BinaryOp::Float(program::FloatOp::Mul), a, b, ty, site);
                Ok(self.binary(BinaryOp::Float(program::FloatOp::Add), product, c, ty, site))
            }
            "ctlz" | "cttz" | "abs" => {
                let operand = self.build(call.operand(0), lane)?;
                let flag = call.operand(1).int_bits() == 1;
                let builtin = match base {
                    "ctlz" => Builtin::LeadingZeros { zero_violates: flag },
                    "cttz" => Builtin::TrailingZeros { zero_violates: flag },
                    _ => Builtin::Absolute,
                };
                Ok(self.node(ExprKind::Apply(builtin, Box::new([operand])), ty, site))
            }
            _ => {
                let builtin = builtin(base).ok_or_else(|| format!("intrinsic `{name}`"))?;
                let mut arguments = Vec::new();
                for argument in call.arguments() {
                    // `powi` has one exponent for all lanes.
                    let lane = if self.unit.scalars(argument.ty())?.len() > 1 { lane } else { 0 };
                    arguments.push(self.build(argument, lane)?);
                }
                Ok(self.node(ExprKind::Apply(builtin, arguments.into()), ty, site))
            }
        }
    }

    /// `{ result, overflow }`.
    fn build_overflow(
        &mut self,
        call: Value,
        operation: Arithmetic,
        sign: Sign,
        lane: usize,
        site: Site,
    ) -> Result<ExprId, String> {
        let (left, right) = (self.build(call.operand(0), 0)?, self.build(call.operand(1), 0)?);
        if lane == 1 {
            return Ok(self.binary(BinaryOp::Overflows(operation, sign), left, right, Type::BOOL, site));
        }
        let op = match operation {
            Arithmetic::Add => BinaryOp::Add(Overflow::Wraps),
            Arithmetic::Sub => BinaryOp::Sub(Overflow::Wraps),
            Arithmetic::Mul => BinaryOp::Mul(Overflow::Wraps),
        };
        let ty = self.body.expr(left).ty;
        Ok(self.binary(op, left, right, ty, site))
    }

    fn build_reduction(&mut self, call: Value, reduction: &str, site: Site) -> Result<ExprId, String> {
        let op = match reduction {
            "add" => BinaryOp::Add(Overflow::Wraps),
            "mul" => BinaryOp::Mul(Overflow::Wraps),
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "xor" => BinaryOp::Xor,
            other => return Err(format!("intrinsic `llvm.vector.reduce.{other}`")),
        };
        let vector = call.operand(0);
        let ty = self.unit.scalars(vector.ty())?[0];
        let mut result = self.lane_of(vector, 0)?;
        for lane in 1..vector.ty().count() as usize {
            let other = self.lane_of(vector, lane)?;
            result = self.binary(op, result, other, ty, site);
        }
        Ok(result)
    }

    pub fn lower_intrinsic(&mut self, call: Value, name: &str) -> Result<(), String> {
        let site = self.site(call);
        match base_name(name) {
            "memcpy" | "memcpy.inline" => self.lower_copy(call, false, site),
            "memmove" => self.lower_copy(call, true, site),
            "memset" | "memset.inline" => {
                let destination = self.build(call.operand(0), 0)?;
                let byte = self.build(call.operand(1), 0)?;
                let size = self.build_size(call.operand(2), site)?;
                self.emit(CommandKind::Fill { destination, byte, size }, site);
                Ok(())
            }
            "stacksave" => {
                let target = self.targets(call, &[Type::Pointer], site);
                if let [target] = *target.as_slice() {
                    self.emit(CommandKind::StackMark { target }, site);
                }
                Ok(())
            }
            "stackrestore" => {
                let mark = self.build(call.operand(0), 0)?;
                self.emit(CommandKind::StackRelease { mark }, site);
                Ok(())
            }
            "va_start" => {
                let list = self.build(call.operand(0), 0)?;
                self.emit(CommandKind::VaStart { list }, site);
                Ok(())
            }
            "va_end" => Ok(()),
            "va_copy" => {
                // The list is the x86-64 convention's struct of 24 bytes.
                let destination = self.build(call.operand(0), 0)?;
                let source = self.build(call.operand(1), 0)?;
                let size = self.constant(24, Type::I64);
                self.emit(CommandKind::Copy { destination, source, size, may_overlap: true }, site);
                Ok(())
            }
            "lifetime.start" | "lifetime.end" => {
                self.lower_lifetime(call, name.starts_with("lifetime.start"), site);
                Ok(())
            }
            "trap" | "debugtrap" | "ubsantrap" => {
                self.fail(FailureKind::ErrorCall, "__builtin_trap", site);
                Ok(())
            }
            "assume" => {
                let condition = self.build(call.operand(0), 0)?;
                self.emit(CommandKind::Assume(condition), site);
                Ok(())
            }
            "prefetch"
            | "donothing"
            | "experimental.noalias.scope.decl"
            | "invariant.start"
            | "invariant.end"
            | "var.annotation"
            | "sideeffect"
            | "pseudoprobe"
            | "codeview.annotation" => {
                let types = self.unit.scalars(call.ty())?;
                self.targets(call, &types, site);
                Ok(())
            }
            other => Err(format!("intrinsic `llvm.{other}`")),
        }
    }

    fn lower_copy(&mut self, call: Value, may_overlap: bool, site: Site) -> Result<(), String> {
        let destination = self.build(call.operand(0), 0)?;
        let source = self.build(call.operand(1), 0)?;
        let size = self.build_size(call.operand(2), site)?;
        self.emit(CommandKind::Copy { destination, source, size, may_overlap }, site);
        Ok(())
    }

    /// Lifetime markers, in code that came with them.
    fn lower_lifetime(&mut self, call: Value, begins: bool, site: Site) {
        match self.homes.get(&call.operand(1)) {
            Some(&Home::Variable(variable)) if begins => self.emit(CommandKind::Declare(variable), site),
            Some(&Home::Object(local)) => {
                self.body.locals[local.index()].scoped = true;
                self.emit(if begins { CommandKind::Begin(local) } else { CommandKind::End(local) }, site);
            }
            _ => {}
        }
    }
}

fn overflow(base: &str) -> Option<(Arithmetic, Sign)> {
    let operation = base.strip_suffix(".with.overflow")?;
    Some(match operation {
        "sadd" => (Arithmetic::Add, Sign::Signed),
        "uadd" => (Arithmetic::Add, Sign::Unsigned),
        "ssub" => (Arithmetic::Sub, Sign::Signed),
        "usub" => (Arithmetic::Sub, Sign::Unsigned),
        "smul" => (Arithmetic::Mul, Sign::Signed),
        "umul" => (Arithmetic::Mul, Sign::Unsigned),
        _ => return None,
    })
}

/// Intrinsics that are one operation on all their arguments.
fn builtin(base: &str) -> Option<Builtin> {
    Some(match base {
        "bswap" => Builtin::ByteSwap,
        "bitreverse" => Builtin::BitReverse,
        "ctpop" => Builtin::PopCount,
        "fshl" => Builtin::FunnelLeft,
        "fshr" => Builtin::FunnelRight,
        "smin" => Builtin::Min(Sign::Signed),
        "umin" => Builtin::Min(Sign::Unsigned),
        "smax" => Builtin::Max(Sign::Signed),
        "umax" => Builtin::Max(Sign::Unsigned),
        "sadd.sat" => Builtin::SaturatingAdd(Sign::Signed),
        "uadd.sat" => Builtin::SaturatingAdd(Sign::Unsigned),
        "ssub.sat" => Builtin::SaturatingSub(Sign::Signed),
        "usub.sat" => Builtin::SaturatingSub(Sign::Unsigned),
        "fabs" => Builtin::FloatAbsolute,
        "sqrt" => Builtin::SquareRoot,
        "floor" => Builtin::Floor,
        "ceil" => Builtin::Ceiling,
        "trunc" => Builtin::Truncate,
        "round" => Builtin::Round,
        "roundeven" => Builtin::RoundEven,
        "rint" | "nearbyint" => Builtin::NearbyInt,
        "copysign" => Builtin::CopySign,
        "minnum" => Builtin::MinNumber,
        "maxnum" => Builtin::MaxNumber,
        "fma" => Builtin::FusedMultiplyAdd,
        "pow" => Builtin::Power,
        "powi" => Builtin::PowerInt,
        "exp" => Builtin::Exp,
        "exp2" => Builtin::Exp2,
        "log" => Builtin::Log,
        "log2" => Builtin::Log2,
        "log10" => Builtin::Log10,
        "sin" => Builtin::Sin,
        "cos" => Builtin::Cos,
        _ => return None,
    })
}
