//! Expressions: trees of the program become terms, and what C forbids in them becomes obligations.

use logic::terms::TermId;
use program::exec::ViolationKind;
use program::{
    Arithmetic, BinaryOp, CastOp, Comparison, Expr, ExprId, ExprKind, Index, Load, LocalId, Object, Overflow, Role,
    Sign, Type, UnaryOp,
};

use super::memory::{address, static_object};
use super::numbers::is_number_of_address;
use super::state::{Initial, ObjectKind, Scalar, State};
use super::{Engine, Flow, Frame, Place, Reached, sort_of};

impl<'p> Engine<'p> {
    /// The value of an expression; all its bits must have been written.
    pub(super) fn value(&mut self, state: &mut State, frame: &Frame<'p>, id: ExprId, place: Place) -> Flow<TermId> {
        let expr = frame.body.expr(id);
        let site = if expr.site.0 == 0 { place.site } else { expr.site };
        let place = Place { site, ..place };
        match &expr.kind {
            ExprKind::Constant(bits) => Ok(self.literal(*bits, expr.ty)),
            ExprKind::Variable(_) | ExprKind::Load(_) => {
                let scalar = self.scalar(state, frame, id, place)?;
                self.forbid_unwritten(state, scalar, place)?;
                Ok(scalar.term)
            }
            ExprKind::Address(_) | ExprKind::Index(_) | ExprKind::Field(_) => {
                self.address_of(state, frame, id, false, place)
            }
            ExprKind::Unary(op, operand) => {
                let value = self.value(state, frame, *operand, place)?;
                self.unary(state, *op, frame.body.expr(*operand).ty, value, place)
            }
            ExprKind::Binary(op, left, right) => {
                let first = self.operand(state, frame, *left, place)?;
                let second = self.operand(state, frame, *right, place)?;
                self.note_numbers(state, frame, (*op, *left, *right), (first, second), place);
                self.binary(state, *op, frame.body.expr(*left).ty, first, second, place)
            }
            ExprKind::Cast(op, operand) => {
                let value = match expr.ty {
                    Type::Pointer => self.moved_address(state, frame, *operand, place)?,
                    _ => self.value(state, frame, *operand, place)?,
                };
                if is_number_of_address(frame, id) {
                    self.note_number(state, value, place);
                }
                self.cast(state, *op, (frame.body.expr(*operand).ty, expr.ty), value, place)
            }
            ExprKind::Select { condition, then, otherwise } => {
                let condition = self.value(state, frame, *condition, place)?;
                let then = self.value(state, frame, *then, place)?;
                let otherwise = self.value(state, frame, *otherwise, place)?;
                Ok(self.terms.ite(condition, then, otherwise))
            }
            ExprKind::Apply(builtin, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push((self.value(state, frame, *argument, place)?, frame.body.expr(*argument).ty));
                }
                self.apply(state, *builtin, &values, place)
            }
        }
    }

    pub(super) fn forbid_unwritten(&mut self, state: &mut State, scalar: Scalar, place: Place) -> Flow<()> {
        let none = self.no_bits(self.terms.sort(scalar.unwritten));
        let bad = self.terms.distinct(scalar.unwritten, none);
        if !self.checks.has(ViolationKind::Uninitialized) {
            // The executor goes on with zero; on a machine it could be anything.
            let guard = self.terms.and2(state.guard, bad);
            if guard != self.terms.false_term() {
                let what = "a value that was never written".to_owned();
                self.findings.unsupported.push(Reached { guard, what, site: place.site });
            }
            return Ok(());
        }
        self.forbid(state, ViolationKind::Uninitialized, bad, place.site)
    }

    /// The value of an expression on the move: bits that were never written travel on as such.
    pub(super) fn scalar(&mut self, state: &mut State, frame: &Frame<'p>, id: ExprId, place: Place) -> Flow<Scalar> {
        let expr = frame.body.expr(id);
        match &expr.kind {
            ExprKind::Variable(variable) => {
                let key = (frame.context, variable.0);
                let declared = frame.body.variable(*variable);
                let scalar = match state.variables.get(&key) {
                    Some(scalar) => *scalar,
                    None => self.unassigned(sort_of(declared.ty)),
                };
                if declared.role == Role::Local {
                    let site = if expr.site.0 == 0 { place.site } else { expr.site };
                    self.forbid_unwritten(state, scalar, Place { site, ..place })?;
                }
                Ok(scalar)
            }
            ExprKind::Load(load) => {
                let site = if expr.site.0 == 0 { place.site } else { expr.site };
                let place = Place { site, ..place };
                let scalar = self.load_value(state, frame, expr, *load, place)?;
                if !load.copy {
                    self.forbid_unwritten(state, scalar, place)?;
                }
                Ok(scalar)
            }
            _ => {
                let term = self.value(state, frame, id, place)?;
                Ok(self.written(term))
            }
        }
    }

    /// A value all of whose bits were written.
    pub(super) fn written(&mut self, term: TermId) -> Scalar {
        Scalar { term, unwritten: self.no_bits(self.terms.sort(term)) }
    }

    pub(super) fn literal(&mut self, bits: u128, ty: Type) -> TermId {
        match ty {
            Type::Int(1) => self.terms.bool(bits & 1 == 1),
            ty => self.terms.bv_value(&logic::value::BitVector::new(ty.bits(), bits)),
        }
    }

    fn load_value(
        &mut self,
        state: &mut State,
        frame: &Frame<'p>,
        expr: &Expr,
        load: Load,
        place: Place,
    ) -> Flow<Scalar> {
        let pointer = self.address_of(state, frame, load.address, true, place)?;
        let Some(field) = load.bits else {
            let bytes = self.load(state, pointer, expr.ty.bytes(), place.site)?;
            return Ok(self.from_bytes(bytes, expr.ty));
        };
        let first = field.offset / 8;
        let shift = u32::from(field.offset % 8);
        let width = u32::from(field.width).max(1);
        let at = self.offset_pointer(pointer, u64::from(first));
        let unit = self.load(state, at, (shift + width).div_ceil(8), place.site)?;
        let part = |terms: &mut logic::terms::Terms, term| terms.bv_extract(shift + width - 1, shift, term);
        let (bits, unwritten) = (part(&mut self.terms, unit.term), part(&mut self.terms, unit.unwritten));
        let bits = self.terms.bv_resize(expr.ty.bits(), field.signed, bits);
        let unwritten = self.terms.bv_resize(expr.ty.bits(), false, unwritten);
        let scalar = Scalar { term: bits, unwritten };
        Ok(if expr.ty == Type::BOOL { self.from_bits1(scalar) } else { scalar })
    }

    /// Makes a value of a type from its bytes in memory.
    pub(super) fn from_bytes(&mut self, bytes: Scalar, ty: Type) -> Scalar {
        let high = ty.bits() - 1;
        let term = self.terms.bv_extract(high, 0, bytes.term);
        let unwritten = self.terms.bv_extract(high, 0, bytes.unwritten);
        let scalar = Scalar { term, unwritten };
        if ty == Type::BOOL { self.from_bits1(scalar) } else { scalar }
    }

    fn from_bits1(&mut self, scalar: Scalar) -> Scalar {
        let one = self.terms.bv(1, 1);
        Scalar { term: self.terms.eq(scalar.term, one), unwritten: self.terms.eq(scalar.unwritten, one) }
    }

    /// The bytes of a value in memory.
    pub(super) fn to_bytes(&mut self, scalar: Scalar, ty: Type) -> Scalar {
        let width = 8 * ty.bytes();
        if ty == Type::BOOL {
            let term = self.terms.bv_from_bool(width, scalar.term);
            return Scalar { term, unwritten: self.terms.bv_from_bool(width, scalar.unwritten) };
        }
        let term = self.terms.bv_resize(width, false, scalar.term);
        Scalar { term, unwritten: self.terms.bv_resize(width, false, scalar.unwritten) }
    }

    /// The address that an expression computes; `accessed` if it is dereferenced at once.
    pub(super) fn address_of(
        &mut self,
        state: &mut State,
        frame: &Frame<'p>,
        id: ExprId,
        accessed: bool,
        place: Place,
    ) -> Flow<TermId> {
        let expr = frame.body.expr(id);
        match &expr.kind {
            ExprKind::Address(Object::Local(local)) => Ok(self.local_address(state, frame, *local, place)),
            ExprKind::Address(object) => {
                let (number, offset) = static_object(self.program, *object).unwrap_or((0, 0));
                Ok(self.terms.bv(64, address(number, offset)))
            }
            ExprKind::Field(field) => {
                let base = self.address_of(state, frame, field.base, accessed, place)?;
                Ok(self.offset_pointer(base, field.offset))
            }
            ExprKind::Index(Index { base, index, stride, count }) => {
                let element = self.value(state, frame, *index, place)?;
                let checked = count.filter(|_| self.checks.has(ViolationKind::ArrayIndex));
                if let Some(count) = checked {
                    let count = self.terms.bv(64, count);
                    let bad = match accessed {
                        true => self.terms.bv_uge(element, count),
                        false => self.terms.bv_ugt(element, count),
                    };
                    let site = if expr.site.0 == 0 { place.site } else { expr.site };
                    self.forbid(state, ViolationKind::ArrayIndex, bad, site)?;
                }
                let base = self.address_of(state, frame, *base, accessed, place)?;
                Ok(self.element(base, element, *stride))
            }
            _ => self.value(state, frame, id, place),
        }
    }

    /// Jumping past a declaration does not keep an object from existing.
    fn local_address(&mut self, state: &mut State, frame: &Frame<'p>, local: LocalId, place: Place) -> TermId {
        let key = (frame.context, local_key(frame, local));
        match state.variables.get(&key) {
            Some(scalar) => scalar.term,
            None => self.begin(state, frame, local, place),
        }
    }

    /// Starts a local object's life.
    pub(super) fn begin(&mut self, state: &mut State, frame: &Frame<'p>, local: LocalId, place: Place) -> TermId {
        let size = frame.body.locals[local.index()].size;
        let part = 0x1000 + local.0;
        let number = self.allocate(state, place, part, ObjectKind::Local, size, Initial::Unwritten);
        let pointer = self.terms.bv(64, address(number, 0));
        let scalar = self.written(pointer);
        state.variables.insert((frame.context, local_key(frame, local)), scalar);
        pointer
    }

    fn unary(&mut self, state: &mut State, op: UnaryOp, ty: Type, value: TermId, place: Place) -> Flow<TermId> {
        match op {
            UnaryOp::Negate(overflow) => {
                let zero = self.literal(0, ty);
                self.arithmetic(state, Arithmetic::Sub, overflow, ty, (zero, value), place)
            }
            UnaryOp::Not if ty == Type::BOOL => Ok(self.terms.not(value)),
            UnaryOp::Not => Ok(self.terms.bv_not(value)),
            UnaryOp::FloatNegate => {
                let sign = self.literal(1 << (ty.bits() - 1), ty);
                Ok(self.terms.bv_xor(value, sign))
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        ty: Type,
        left: TermId,
        right: TermId,
        place: Place,
    ) -> Flow<TermId> {
        if ty == Type::BOOL {
            return self.binary_bool(state, op, left, right, place);
        }
        Ok(match op {
            BinaryOp::Add(overflow) => {
                return self.arithmetic(state, Arithmetic::Add, overflow, ty, (left, right), place);
            }
            BinaryOp::Sub(overflow) => {
                return self.arithmetic(state, Arithmetic::Sub, overflow, ty, (left, right), place);
            }
            BinaryOp::Mul(overflow) => {
                return self.arithmetic(state, Arithmetic::Mul, overflow, ty, (left, right), place);
            }
            BinaryOp::Div(sign) => {
                self.forbid_division(state, sign, ty, left, right, place)?;
                match sign {
                    Sign::Signed => self.terms.bv_sdiv(left, right),
                    Sign::Unsigned => self.terms.bv_udiv(left, right),
                }
            }
            BinaryOp::Rem(sign) => {
                self.forbid_division(state, sign, ty, left, right, place)?;
                match sign {
                    Sign::Signed => self.terms.bv_srem(left, right),
                    Sign::Unsigned => self.terms.bv_urem(left, right),
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight(_) => return self.shift(state, op, ty, left, right, place),
            BinaryOp::And => self.terms.bv_and(left, right),
            BinaryOp::Or => self.terms.bv_or(left, right),
            BinaryOp::Xor => self.terms.bv_xor(left, right),
            BinaryOp::Compare(comparison) => self.compare(comparison, left, right),
            BinaryOp::Float(op) => return self.float_arithmetic(state, op, ty, left, right, place),
            BinaryOp::FloatCompare(comparison) => {
                return self.float_compare(state, comparison, ty, left, right, place);
            }
            BinaryOp::Overflows(operation, sign) => self.overflows(operation, sign, left, right),
        })
    }

    /// Operators on conditions, which are truth values here and one bit in the machine.
    fn binary_bool(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        left: TermId,
        right: TermId,
        place: Place,
    ) -> Flow<TermId> {
        Ok(match op {
            BinaryOp::And => self.terms.and2(left, right),
            BinaryOp::Or => self.terms.or2(left, right),
            BinaryOp::Xor | BinaryOp::Compare(Comparison::NotEqual) => self.terms.xor(left, right),
            BinaryOp::Compare(Comparison::Equal) => self.terms.eq(left, right),
            BinaryOp::Compare(comparison) => {
                let (left, right) = (self.terms.bv_from_bool(1, left), self.terms.bv_from_bool(1, right));
                self.compare(comparison, left, right)
            }
            _ => return self.stop_unsupported(state, "arithmetic on single bits", place.site),
        })
    }

    fn arithmetic(
        &mut self,
        state: &mut State,
        operation: Arithmetic,
        overflow: Overflow,
        ty: Type,
        (left, right): (TermId, TermId),
        place: Place,
    ) -> Flow<TermId> {
        if ty == Type::BOOL {
            return self.stop_unsupported(state, "arithmetic on single bits", place.site);
        }
        if overflow == Overflow::Violates && self.checks.has(ViolationKind::Overflow) {
            let bad = self.overflows(operation, Sign::Signed, left, right);
            self.forbid(state, ViolationKind::Overflow, bad, place.site)?;
        }
        Ok(match operation {
            Arithmetic::Add => self.terms.bv_add(left, right),
            Arithmetic::Sub => self.terms.bv_sub(left, right),
            Arithmetic::Mul => self.terms.bv_mul(left, right),
        })
    }

    fn overflows(&mut self, operation: Arithmetic, sign: Sign, left: TermId, right: TermId) -> TermId {
        let terms = &mut self.terms;
        match (operation, sign) {
            (Arithmetic::Add, Sign::Signed) => terms.bv_sadd_overflow(left, right),
            (Arithmetic::Sub, Sign::Signed) => terms.bv_ssub_overflow(left, right),
            (Arithmetic::Mul, Sign::Signed) => terms.bv_smul_overflow(left, right),
            (Arithmetic::Add, Sign::Unsigned) => terms.bv_uadd_overflow(left, right),
            (Arithmetic::Sub, Sign::Unsigned) => terms.bv_usub_overflow(left, right),
            (Arithmetic::Mul, Sign::Unsigned) => terms.bv_umul_overflow(left, right),
        }
    }

    fn forbid_division(
        &mut self,
        state: &mut State,
        sign: Sign,
        ty: Type,
        left: TermId,
        right: TermId,
        place: Place,
    ) -> Flow<()> {
        let zero = self.literal(0, ty);
        let bad = self.terms.eq(right, zero);
        self.forbid(state, ViolationKind::DivisionByZero, bad, place.site)?;
        if sign == Sign::Signed {
            let bad = self.terms.bv_sdiv_overflow(left, right);
            self.forbid(state, ViolationKind::Overflow, bad, place.site)?;
        }
        Ok(())
    }

    /// With its check off, the machine takes a shift amount modulo the register's width.
    fn shift(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        ty: Type,
        left: TermId,
        right: TermId,
        place: Place,
    ) -> Flow<TermId> {
        let width = ty.bits();
        let mut amount = right;
        if self.checks.has(ViolationKind::Shift) {
            let limit = self.literal(u128::from(width), ty);
            let fits = 1u128.checked_shl(width).is_none_or(|range| u128::from(width) < range);
            if fits {
                let bad = self.terms.bv_uge(right, limit);
                self.forbid(state, ViolationKind::Shift, bad, place.site)?;
            }
        } else {
            let register = width.next_power_of_two().max(32);
            let mask = self.literal(u128::from(register - 1), ty);
            amount = self.terms.bv_and(right, mask);
        }
        Ok(match op {
            BinaryOp::ShiftLeft => self.terms.bv_shl(left, amount),
            BinaryOp::ShiftRight(Sign::Unsigned) => self.terms.bv_lshr(left, amount),
            _ => self.terms.bv_ashr(left, amount),
        })
    }

    pub(super) fn compare(&mut self, comparison: Comparison, left: TermId, right: TermId) -> TermId {
        let terms = &mut self.terms;
        match comparison {
            Comparison::Equal => terms.eq(left, right),
            Comparison::NotEqual => terms.distinct(left, right),
            Comparison::Less(Sign::Signed) => terms.bv_slt(left, right),
            Comparison::Less(Sign::Unsigned) => terms.bv_ult(left, right),
            Comparison::LessEqual(Sign::Signed) => terms.bv_sle(left, right),
            Comparison::LessEqual(Sign::Unsigned) => terms.bv_ule(left, right),
            Comparison::Greater(Sign::Signed) => terms.bv_sgt(left, right),
            Comparison::Greater(Sign::Unsigned) => terms.bv_ugt(left, right),
            Comparison::GreaterEqual(Sign::Signed) => terms.bv_sge(left, right),
            Comparison::GreaterEqual(Sign::Unsigned) => terms.bv_uge(left, right),
        }
    }

    /// A narrower type must hold the number, signed or unsigned.
    fn check_fits(&mut self, state: &mut State, (from, to): (Type, Type), value: TermId, place: Place) -> Flow<()> {
        if !self.checks.has(ViolationKind::ConversionOverflow) {
            return Ok(());
        }
        let low = self.terms.bv_extract(to.bits() - 1, 0, value);
        let (unsigned, signed) =
            (self.terms.bv_resize(from.bits(), false, low), self.terms.bv_resize(from.bits(), true, low));
        let (unsigned, signed) = (self.terms.distinct(unsigned, value), self.terms.distinct(signed, value));
        let bad = self.terms.and2(unsigned, signed);
        self.forbid(state, ViolationKind::ConversionOverflow, bad, place.site)
    }

    fn cast(
        &mut self,
        state: &mut State,
        op: CastOp,
        (from, to): (Type, Type),
        value: TermId,
        place: Place,
    ) -> Flow<TermId> {
        let bits = |engine: &mut Self| match from {
            Type::Int(1) => engine.terms.bv_from_bool(1, value),
            _ => value,
        };
        if op == CastOp::Truncate && to != Type::BOOL && from.bits() <= 64 && to.bits() <= 32 {
            self.check_fits(state, (from, to), value, place)?;
        }
        Ok(match op {
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::Reinterpret if to == Type::BOOL => {
                let operand = bits(self);
                let low = self.terms.bv_extract(0, 0, operand);
                let one = self.terms.bv(1, 1);
                self.terms.eq(low, one)
            }
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::Reinterpret if from == Type::BOOL => {
                self.terms.bv_from_bool(to.bits(), value)
            }
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::Reinterpret => {
                self.terms.bv_resize(to.bits(), false, value)
            }
            CastOp::SignExtend => {
                let operand = bits(self);
                self.terms.bv_resize(to.bits(), true, operand)
            }
            CastOp::FloatToInt(sign) => return self.float_to_int(state, sign, (from, to), value, place),
            CastOp::IntToFloat(sign) => {
                let operand = bits(self);
                return self.int_to_float(state, sign, to, operand, place);
            }
            CastOp::FloatConvert => return self.float_convert(state, (from, to), value, place),
        })
    }
}

/// Local objects' addresses stand behind the variables.
pub(super) fn local_key(frame: &Frame<'_>, local: LocalId) -> u32 {
    frame.body.variables.len() as u32 + local.0
}
