//! Expressions: a tree → operations that leave its value in a slot.

use super::{Compiler, static_address};
use crate::exec::bytecode::{Op, Slot, slots_of};
use crate::exec::float;
use crate::exec::violation::ViolationKind;
use crate::{BinaryOp, CastOp, ExprId, ExprKind, Float, FloatOp, Object, Overflow, Sign, Type, UnaryOp, VarId};

/// Integers and pointers of 32 or 64 bits: what the fast operations are made for.
fn machine_width(ty: Type) -> Option<u32> {
    match ty {
        Type::Int(32) => Some(32),
        Type::Int(64) | Type::Pointer => Some(64),
        _ => None,
    }
}

impl Compiler<'_> {
    /// The value's slot: the variable's own, or a new temporary.
    pub(super) fn value(&mut self, id: ExprId) -> Slot {
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Variable(variable) => {
                self.check_read(id, *variable);
                return self.variable(*variable);
            }
            ExprKind::Address(Object::Local(local)) => {
                self.ensure_begun(*local);
                return self.local(*local);
            }
            // The same bits: zero-extension is how slots hold values anyway.
            ExprKind::Cast(CastOp::ZeroExtend | CastOp::Reinterpret, operand)
                if slots_of(expr.ty) == slots_of(self.ty(*operand)) =>
            {
                return self.value(*operand);
            }
            _ => {}
        }
        let to = self.temporary(slots_of(expr.ty));
        self.value_into(id, to);
        to
    }

    /// Evaluates into this slot; its temporaries are free afterwards.
    pub(super) fn value_into(&mut self, id: ExprId, to: Slot) {
        let mark = self.next;
        self.evaluate(id, to);
        self.next = mark;
    }

    fn evaluate(&mut self, id: ExprId, to: Slot) {
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Constant(bits) => self.immediate(to, *bits, slots_of(expr.ty)),
            ExprKind::Variable(_) | ExprKind::Address(Object::Local(_)) => {
                let from = self.value(id);
                self.move_slots(to, from, slots_of(expr.ty));
            }
            ExprKind::Address(object) => {
                let address = static_address(self.context.program, *object).unwrap_or_default();
                self.emit_for(id, Op::Immediate { to, value: address.0 });
            }
            ExprKind::Load(load) => self.load(id, *load, to),
            ExprKind::Unary(op, operand) => self.unary(id, *op, *operand, to),
            ExprKind::Binary(op, left, right) => self.binary(id, *op, *left, *right, to),
            ExprKind::Cast(op, operand) => self.cast(id, *op, *operand, to),
            ExprKind::Select { condition, then, otherwise } => self.select(id, *condition, *then, *otherwise, to),
            ExprKind::Index(_) | ExprKind::Field(_) => {
                let place = self.place(id, false);
                self.place_into(id, place, to);
            }
            ExprKind::Apply(_, arguments) => self.evaluate_any(id, arguments, to),
        }
    }

    pub(super) fn immediate(&mut self, to: Slot, bits: u128, slots: u32) {
        self.emit(Op::Immediate { to, value: bits as u64 });
        if slots == 2 {
            self.emit(Op::Immediate { to: to.plus(1), value: (bits >> 64) as u64 });
        }
    }

    pub(super) fn move_slots(&mut self, to: Slot, from: Slot, slots: u32) {
        if to != from {
            (0..slots).for_each(|part| self.emit(Op::Move { to: to.plus(part), from: from.plus(part) }));
        }
    }

    /// The bits, if they are known now.
    pub(super) fn constant(&self, id: ExprId) -> Option<u128> {
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Constant(bits) => Some(*bits),
            ExprKind::Address(object) => {
                static_address(self.context.program, *object).map(|address| u128::from(address.0))
            }
            ExprKind::Cast(CastOp::ZeroExtend | CastOp::Reinterpret | CastOp::Truncate, operand) => {
                self.constant(*operand).map(|bits| bits & expr.ty.mask())
            }
            ExprKind::Cast(CastOp::SignExtend, operand) => {
                let bits = self.constant(*operand)?;
                Some(crate::exec::arithmetic::signed(bits, self.ty(*operand).bits()) as u128 & expr.ty.mask())
            }
            _ => None,
        }
    }

    /// Guards a read of a variable that may be indeterminate, or on a journey.
    fn check_read(&mut self, id: ExprId, variable: VarId) {
        self.check_assigned(id, variable);
        if let Some(written) = self.masks[variable.index()] {
            self.emit_for(id, Op::CheckWritten { written, variable });
        }
    }

    pub(super) fn check_assigned(&mut self, id: ExprId, variable: VarId) {
        if let Some(flag) = self.flags[variable.index()].filter(|_| self.state.variable(variable)) {
            self.emit_for(id, Op::CheckAssigned { flag, variable });
        }
    }

    fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId, to: Slot) {
        let ty = self.ty(operand);
        if op == UnaryOp::Not && ty.bits() <= 32 {
            let left = self.value(operand);
            return self.emit_for(id, Op::XorImm { to, left, value: ty.mask() as u32 });
        }
        let (UnaryOp::Negate(overflow), Some(width)) = (op, machine_width(ty)) else {
            return self.evaluate_any(id, &[operand], to);
        };
        let right = self.value(operand);
        let left = self.temporary(1);
        self.emit(Op::Immediate { to: left, value: 0 });
        let checked = overflow == Overflow::Violates && self.checks(ViolationKind::Overflow);
        let op = match (checked, width) {
            (true, 32) => Op::CheckedSub32 { to, left, right },
            (true, _) => Op::CheckedSub64 { to, left, right },
            (false, 32) => Op::Sub32 { to, left, right },
            (false, _) => Op::Sub64 { to, left, right },
        };
        self.emit_for(id, op);
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId, to: Slot) {
        if let BinaryOp::Compare(_) = op {
            let test = self.test(id);
            return self.test_into(id, test, to);
        }
        if self.binary_immediate(id, op, left, right, to) || self.binary_fast(id, op, left, right, to) {
            return;
        }
        self.evaluate_any(id, &[left, right], to);
    }

    /// With a constant on the right (or on the left of what commutes). False: not for this operator.
    fn binary_immediate(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId, to: Slot) -> bool {
        let commutes = matches!(op, BinaryOp::Add(_) | BinaryOp::Mul(_) | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        let ty = self.ty(left);
        let (left, bits, swapped) = match (self.constant(right), self.constant(left)) {
            (Some(bits), _) => (left, bits, false),
            (None, Some(bits)) if commutes => (right, bits, true),
            _ => return false,
        };
        // The message of a checked operation shows the operands in their order.
        if swapped && matches!(op, BinaryOp::Add(Overflow::Violates) | BinaryOp::Mul(Overflow::Violates)) {
            return false;
        }
        let Some(make) = immediate_op(op, ty, bits, self.checks(ViolationKind::Overflow)) else { return false };
        let left = self.value(left);
        self.emit_for(id, make(to, left));
        true
    }

    fn binary_fast(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId, to: Slot) -> bool {
        let Some(make) = fast_op(op, self.ty(left), self.context.checks) else { return false };
        let left = self.value(left);
        let right = self.value(right);
        self.emit_for(id, make(to, left, right));
        true
    }

    fn cast(&mut self, id: ExprId, op: CastOp, operand: ExprId, to: Slot) {
        let (from_ty, to_ty) = (self.ty(operand), self.ty(id));
        let narrow = slots_of(from_ty) == 1 && slots_of(to_ty) == 1;
        match op {
            CastOp::Truncate if to_ty.bits() <= 32 => {
                let left = self.value(operand);
                if narrow && to_ty != Type::BOOL && self.checks(ViolationKind::ConversionOverflow) {
                    let (from_bits, to_bits) = (from_ty.bits() as u8, to_ty.bits() as u8);
                    self.emit_for(id, Op::CheckFits { from_bits, to_bits, from: left });
                }
                self.emit_for(id, Op::AndImm { to, left, value: to_ty.mask() as u32 });
            }
            CastOp::ZeroExtend | CastOp::Reinterpret if slots_of(from_ty) == slots_of(to_ty) => {
                self.value_into(operand, to);
            }
            CastOp::SignExtend if narrow => {
                let from = self.value(operand);
                let (from_bits, to_bits) = (from_ty.bits() as u8, to_ty.bits() as u8);
                self.emit_for(id, Op::SignExtend { from_bits, to_bits, to, from });
            }
            _ => match self.float_cast(op, from_ty, to_ty) {
                Some(make) => {
                    let from = self.value(operand);
                    self.emit_for(id, make(to, from));
                }
                None => self.evaluate_any(id, &[operand], to),
            },
        }
    }

    fn float_cast(&self, op: CastOp, from: Type, to: Type) -> Option<Unary> {
        let bits = from.bits() as u8;
        match (op, from, to) {
            (CastOp::IntToFloat(Sign::Signed), Type::Int(..=64), Type::F64) => {
                Some(Box::new(move |to, from| Op::SignedToF64 { bits, to, from }))
            }
            (CastOp::FloatConvert, Type::F32, Type::F64) => Some(Box::new(|to, from| Op::F32ToF64 { to, from })),
            (CastOp::FloatConvert, Type::F64, Type::F32) => Some(Box::new(|to, from| Op::F64ToF32 { to, from })),
            (CastOp::FloatToInt(Sign::Signed), Type::F64, Type::I32) => {
                Some(Box::new(|to, from| Op::F64ToS32 { to, from }))
            }
            _ => None,
        }
    }

    fn select(&mut self, id: ExprId, condition: ExprId, then: ExprId, otherwise: ExprId, to: Slot) {
        let slots = slots_of(self.ty(id));
        let condition = self.value(condition);
        let then = self.value(then);
        let otherwise = self.value(otherwise);
        // Into a temporary first: `to` may be a variable that is also an operand.
        let chosen = self.temporary(slots);
        for part in 0..slots {
            let to = chosen.plus(part);
            self.emit_for(id, Op::Move { to, from: otherwise.plus(part) });
            self.emit_for(id, Op::MoveIf { to, condition, from: then.plus(part) });
        }
        self.move_slots(to, chosen, slots);
    }

    /// The way for all types and operators: operands in cells of two slots.
    pub(super) fn evaluate_any(&mut self, id: ExprId, operands: &[ExprId], to: Slot) {
        let cells = self.cells(operands);
        self.emit_for(id, Op::Evaluate { to, operands: cells });
    }

    /// Evaluates the expressions into cells of two slots each, one after the other.
    pub(super) fn cells(&mut self, operands: &[ExprId]) -> Slot {
        let first = self.temporary(2 * operands.len() as u32);
        for (position, operand) in operands.iter().enumerate() {
            self.value_into(*operand, first.plus(2 * position as u32));
        }
        first
    }
}

/// Makes an operation of its target and its operand.
type Unary = Box<dyn Fn(Slot, Slot) -> Op>;
/// Makes an operation of its target and its operands.
type Binary = Box<dyn Fn(Slot, Slot, Slot) -> Op>;

/// The operation with the constant built in.
fn immediate_op(op: BinaryOp, ty: Type, bits: u128, check_overflow: bool) -> Option<Unary> {
    macro_rules! make {
        ($name:ident, $value:expr) => {{
            let value = $value;
            Some(Box::new(move |to, left| Op::$name { to, left, value }) as Unary)
        }};
    }
    let narrow = u32::try_from(bits).ok().filter(|_| ty.bits() <= 64);
    match op {
        BinaryOp::And => return make!(AndImm, narrow?),
        BinaryOp::Or => return make!(OrImm, narrow?),
        BinaryOp::Xor => return make!(XorImm, narrow?),
        BinaryOp::ShiftRight(Sign::Unsigned) if bits < u128::from(ty.bits()) && ty.bits() <= 64 => {
            return make!(ShrUImm, bits as u32);
        }
        _ => {}
    }
    let width = machine_width(ty)?;
    let value = match width {
        32 => bits as u32 as i32,
        _ => i32::try_from(bits as u64 as i64).ok()?,
    };
    let shift = bits < u128::from(width);
    let checks = |overflow| overflow == Overflow::Violates && check_overflow;
    match (op, width) {
        (BinaryOp::Add(overflow), 32) if checks(overflow) => make!(CheckedAdd32Imm, value),
        (BinaryOp::Sub(overflow), 32) if checks(overflow) => make!(CheckedSub32Imm, value),
        (BinaryOp::Mul(overflow), 32) if checks(overflow) => make!(CheckedMul32Imm, value),
        (BinaryOp::Add(overflow), 64) if checks(overflow) => make!(CheckedAdd64Imm, value),
        (BinaryOp::Sub(overflow), 64) if checks(overflow) => make!(CheckedSub64Imm, value),
        (BinaryOp::Mul(overflow), 64) if checks(overflow) => make!(CheckedMul64Imm, value),
        (BinaryOp::Add(_), 32) => make!(Add32Imm, value),
        (BinaryOp::Sub(_), 32) => make!(Add32Imm, value.wrapping_neg()),
        (BinaryOp::Mul(_), 32) => make!(Mul32Imm, value),
        (BinaryOp::Add(_), 64) => make!(Add64Imm, value),
        (BinaryOp::Sub(_), 64) => make!(Add64Imm, value.checked_neg()?),
        (BinaryOp::Mul(_), 64) => make!(Mul64Imm, value),
        (BinaryOp::Div(Sign::Signed), 32) if value != 0 && value != -1 => make!(DivS32Imm, value),
        (BinaryOp::Rem(Sign::Signed), 32) if value != 0 && value != -1 => make!(RemS32Imm, value),
        (BinaryOp::ShiftLeft, 32) if shift => make!(Shl32Imm, bits as u32),
        (BinaryOp::ShiftLeft, 64) if shift => make!(Shl64Imm, bits as u32),
        (BinaryOp::ShiftRight(Sign::Signed), 32) if shift => make!(ShrS32Imm, bits as u32),
        (BinaryOp::ShiftRight(Sign::Signed), 64) if shift => make!(ShrS64Imm, bits as u32),
        _ => None,
    }
}

/// The operation on two slots, where there is one for this type.
fn fast_op(op: BinaryOp, ty: Type, checks: crate::exec::violation::Checks) -> Option<Binary> {
    macro_rules! make {
        ($name:ident) => {
            Some(Box::new(|to, left, right| Op::$name { to, left, right }) as Binary)
        };
    }
    let one_slot = slots_of(ty) == 1;
    match op {
        BinaryOp::And if one_slot => return make!(And),
        BinaryOp::Or if one_slot => return make!(Or),
        BinaryOp::Xor if one_slot => return make!(Xor),
        BinaryOp::Div(Sign::Unsigned) if one_slot => return make!(DivU),
        BinaryOp::Rem(Sign::Unsigned) if one_slot => return make!(RemU),
        BinaryOp::Float(op) => return fast_float(op, ty),
        BinaryOp::FloatCompare(comparison) => {
            let relations = float::relations(comparison);
            return match float::format(ty) {
                Float::F64 => Some(Box::new(move |to, left, right| Op::CompareF64 { relations, to, left, right })),
                Float::F32 => Some(Box::new(move |to, left, right| Op::CompareF32 { relations, to, left, right })),
                _ => None,
            };
        }
        _ => {}
    }
    let check = |overflow| overflow == Overflow::Violates && checks.has(ViolationKind::Overflow);
    // Without the check, the general way answers as the machine does.
    let shifts = checks.has(ViolationKind::Shift);
    match (op, machine_width(ty)?) {
        (BinaryOp::Add(overflow), 32) if check(overflow) => make!(CheckedAdd32),
        (BinaryOp::Sub(overflow), 32) if check(overflow) => make!(CheckedSub32),
        (BinaryOp::Mul(overflow), 32) if check(overflow) => make!(CheckedMul32),
        (BinaryOp::Add(overflow), 64) if check(overflow) => make!(CheckedAdd64),
        (BinaryOp::Sub(overflow), 64) if check(overflow) => make!(CheckedSub64),
        (BinaryOp::Mul(overflow), 64) if check(overflow) => make!(CheckedMul64),
        (BinaryOp::Add(_), 32) => make!(Add32),
        (BinaryOp::Sub(_), 32) => make!(Sub32),
        (BinaryOp::Mul(_), 32) => make!(Mul32),
        (BinaryOp::Add(_), 64) => make!(Add64),
        (BinaryOp::Sub(_), 64) => make!(Sub64),
        (BinaryOp::Mul(_), 64) => make!(Mul64),
        (BinaryOp::Div(Sign::Signed), 32) => make!(DivS32),
        (BinaryOp::Rem(Sign::Signed), 32) => make!(RemS32),
        (BinaryOp::Div(Sign::Signed), 64) => make!(DivS64),
        (BinaryOp::Rem(Sign::Signed), 64) => make!(RemS64),
        (BinaryOp::ShiftLeft, 32) if shifts => make!(Shl32),
        (BinaryOp::ShiftLeft, 64) if shifts => make!(Shl64),
        (BinaryOp::ShiftRight(Sign::Unsigned), 32) if shifts => make!(ShrU32),
        (BinaryOp::ShiftRight(Sign::Unsigned), 64) if shifts => make!(ShrU64),
        (BinaryOp::ShiftRight(Sign::Signed), 32) if shifts => make!(ShrS32),
        (BinaryOp::ShiftRight(Sign::Signed), 64) if shifts => make!(ShrS64),
        _ => None,
    }
}

fn fast_float(op: FloatOp, ty: Type) -> Option<Binary> {
    macro_rules! make {
        ($name:ident) => {
            Some(Box::new(|to, left, right| Op::$name { to, left, right }) as Binary)
        };
    }
    match (op, ty) {
        (FloatOp::Add, Type::F64) => make!(AddF64),
        (FloatOp::Sub, Type::F64) => make!(SubF64),
        (FloatOp::Mul, Type::F64) => make!(MulF64),
        (FloatOp::Div, Type::F64) => make!(DivF64),
        (FloatOp::Add, Type::F32) => make!(AddF32),
        (FloatOp::Sub, Type::F32) => make!(SubF32),
        (FloatOp::Mul, Type::F32) => make!(MulF32),
        (FloatOp::Div, Type::F32) => make!(DivF32),
        _ => None,
    }
}
