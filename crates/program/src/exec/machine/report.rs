//! From faults to violations: the place, the operands, the call stack.

use super::{Frame, Machine};
use crate::exec::arithmetic::Trouble;
use crate::exec::bytecode::{Code, NO_EXPR};
use crate::exec::host::Stop;
use crate::exec::observe::Observer;
use crate::exec::violation::{CommandRef, Detail, Fault, StackEntry, Value, Violation, ViolationKind};
use crate::{Arithmetic, BinaryOp, BlockId, Body, CastOp, Expr, ExprId, ExprKind, FunctionId, Index, Sign, Site};

impl<'p, O: Observer> Machine<'p, O> {
    pub(super) fn body(&self, function: FunctionId) -> &'p Body {
        self.program.function(function).body.as_ref().expect("a function with a frame has a body")
    }

    /// The expression that the operation before `pc` computes.
    pub(super) fn expr_before(&self, code: &Code, pc: u32) -> (&'p Expr, &'p Body) {
        let body = self.body(code.function);
        (body.expr(code.origin(pc - 1).expr), body)
    }

    /// The site of a command or terminator.
    pub(super) fn command_site(&self, at: CommandRef) -> Site {
        let Some(body) = &self.program.function(at.function).body else { return Site::NONE };
        let block = body.block(at.block);
        match block.commands.get(at.index as usize) {
            Some(command) => command.site,
            None => block.terminator.site,
        }
    }

    /// Where the innermost frame is.
    pub fn place(&self) -> (CommandRef, Site) {
        match (self.frames.last(), self.left) {
            (Some(frame), _) => (self.command_of(frame), self.site_of(frame)),
            (None, Some(left)) => left,
            (None, None) => (CommandRef { function: FunctionId(0), block: BlockId(0), index: 0 }, Site::NONE),
        }
    }

    #[expect(clippy::boxed_local, reason = "a fault is boxed where it arises, and taken apart here")]
    pub fn violation(&self, fault: Box<Fault>) -> Box<Violation> {
        let (at, site) = self.place();
        let mut violation =
            Violation { kind: fault.kind, detail: fault.detail, at, expr: None, site, stack: self.stack() };
        if let Some(frame) = self.frames.last() {
            let expr = frame.code.origin(frame.pc.saturating_sub(1)).expr;
            if expr != NO_EXPR {
                violation.expr = Some(expr);
                let own = self.body(frame.code.function).expr(expr).site;
                violation.site = if own == Site::NONE { site } else { own };
            }
        }
        Box::new(violation)
    }

    fn stack(&self) -> Vec<StackEntry> {
        let entry = |frame: &Frame<'_>| {
            let at = self.command_of(frame);
            StackEntry { function: frame.code.function, at, site: self.command_site(at) }
        };
        self.frames.iter().map(entry).collect()
    }

    /// An integer operation on two operands failed; the operation before `pc` says which.
    #[cold]
    #[inline(never)]
    pub(super) fn integer_trouble(&self, code: &Code, pc: u32, left: u64, right: u64) -> Stop {
        let (expr, body) = self.expr_before(code, pc);
        let operands = [u128::from(left), u128::from(right)];
        match &expr.kind {
            ExprKind::Unary(..) => {
                let operand = Value::new(operands[1], expr.ty);
                Fault::new(ViolationKind::Overflow, Detail::Unary { operand }).into()
            }
            ExprKind::Binary(op, left, _) => {
                let ty = body.expr(*left).ty;
                let kind = match op {
                    BinaryOp::ShiftLeft | BinaryOp::ShiftRight(_) => ViolationKind::Shift,
                    BinaryOp::Div(_) | BinaryOp::Rem(_) if right == 0 => ViolationKind::DivisionByZero,
                    _ => ViolationKind::Overflow,
                };
                binary_fault(kind, *op, Value::new(operands[0], ty), Value::new(operands[1], ty)).into()
            }
            ExprKind::Cast(CastOp::FloatToInt(sign), operand) => {
                let operand = Value::new(operands[0], body.expr(*operand).ty);
                let detail = Detail::Conversion { operand, target: expr.ty, sign: *sign };
                Fault::new(ViolationKind::FloatConversion, detail).into()
            }
            ExprKind::Cast(CastOp::Truncate, operand) => {
                let operand = Value::new(operands[0], body.expr(*operand).ty);
                let detail = Detail::Conversion { operand, target: expr.ty, sign: Sign::Signed };
                Fault::new(ViolationKind::ConversionOverflow, detail).into()
            }
            kind => unreachable!("{kind:?} cannot fail as an integer operation"),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn index_trouble(&self, code: &Code, pc: u32, index: u64, past_end: bool) -> Stop {
        let (expr, _) = self.expr_before(code, pc);
        let ExprKind::Index(Index { count: Some(count), .. }) = expr.kind else {
            unreachable!("only indexes with a count are checked");
        };
        let detail = Detail::Index { index: index as i64, count, dereferenced: !past_end };
        Fault::new(ViolationKind::ArrayIndex, detail).into()
    }

    /// What the operator's trouble amounts to: the machine's answer, if the check is off.
    #[cold]
    pub(super) fn operator_trouble(
        &self,
        trouble: Trouble,
        expr: &Expr,
        body: &Body,
        operands: &[u128],
    ) -> Result<u128, Stop> {
        let unchecked = !self.library.context.checks.has(trouble.kind);
        if let Some(bits) = trouble.machine.filter(|_| unchecked) {
            return Ok(bits);
        }
        let value = |position: usize, operand: ExprId| Value::new(operands[position], body.expr(operand).ty);
        Err(match &expr.kind {
            ExprKind::Binary(op, left, right) => {
                binary_fault(trouble.kind, *op, value(0, *left), value(1, *right)).into()
            }
            ExprKind::Cast(CastOp::FloatToInt(sign), operand) => {
                let detail = Detail::Conversion { operand: value(0, *operand), target: expr.ty, sign: *sign };
                Fault::new(trouble.kind, detail).into()
            }
            ExprKind::Unary(_, operand) => {
                Fault::new(trouble.kind, Detail::Unary { operand: value(0, *operand) }).into()
            }
            _ => Fault::new(trouble.kind, Detail::None).into(),
        })
    }
}

fn binary_fault(kind: ViolationKind, operation: BinaryOp, left: Value, right: Value) -> Box<Fault> {
    let sign = match operation {
        BinaryOp::Div(sign) | BinaryOp::Rem(sign) | BinaryOp::ShiftRight(sign) => sign,
        BinaryOp::Overflows(Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul, sign) => sign,
        _ => Sign::Signed,
    };
    Fault::new(kind, Detail::Binary { operation, left, right, sign })
}
