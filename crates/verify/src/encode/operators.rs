//! The operators of expressions as terms, and what C forbids their operands.
//!
//! A value of type `i1` is a truth value, every other one a bit-vector of its type's width; floats are their
//! bits and become floats for the length of an operator. An operand that C forbids is told as a condition
//! beside the result, in the order of evaluation; the result is what the machine computes where it does not
//! hold. Imprecise: a result that is not a number is x86's default one, whatever its operands carried.
//!
//! Not here: variables and memory, which `expressions` asks its surroundings for.

use logic::sort::{FloatFormat, Sort};
use logic::terms::{TermId, Terms};
use logic::value::BitVector;
use program::exec::{Checks, ViolationKind};
use program::{Arithmetic, BinaryOp, CastOp, Comparison, FloatOp, Overflow, Sign, Type, UnaryOp};

use crate::floats::{self, NEAREST};

/// Something that has no term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} cannot be written as a formula")]
pub struct NoTerm {
    pub what: String,
}

impl NoTerm {
    pub fn new(what: impl Into<String>) -> NoTerm {
        NoTerm { what: what.into() }
    }
}

/// What the operands must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forbidden {
    pub kind: ViolationKind,
    /// True where it is violated.
    pub bad: TermId,
}

/// The sort of a type's values.
pub fn sort_of(ty: Type) -> Sort {
    match ty {
        Type::Int(1) => Sort::Bool,
        ty => Sort::BitVector(ty.bits()),
    }
}

/// The term of a type's value.
pub fn literal(terms: &mut Terms, bits: u128, ty: Type) -> TermId {
    match ty {
        Type::Int(1) => terms.bool(bits & 1 == 1),
        ty => terms.bv_value(&BitVector::new(ty.bits(), bits & ty.mask())),
    }
}

/// The format of a type that has one here.
pub fn float_format(ty: Type) -> Result<FloatFormat, NoTerm> {
    floats::format(ty).ok_or_else(|| NoTerm::new("arithmetic on `long double`"))
}

/// Builds operators.
pub struct Operators<'t> {
    pub terms: &'t mut Terms,
    /// The checks that are on: where one is off, the machine's answer counts.
    pub checks: Checks,
    /// In the order of evaluation.
    pub forbidden: Vec<Forbidden>,
}

impl<'t> Operators<'t> {
    pub fn new(terms: &'t mut Terms, checks: Checks) -> Operators<'t> {
        Operators { terms, checks, forbidden: Vec::new() }
    }

    pub(super) fn forbid(&mut self, kind: ViolationKind, bad: TermId) {
        if self.checks.has(kind) && bad != self.terms.false_term() {
            self.forbidden.push(Forbidden { kind, bad });
        }
    }

    pub(super) fn literal(&mut self, bits: u128, ty: Type) -> TermId {
        literal(self.terms, bits, ty)
    }

    pub fn unary(&mut self, op: UnaryOp, ty: Type, value: TermId) -> Result<TermId, NoTerm> {
        match op {
            UnaryOp::Negate(overflow) => {
                let zero = self.literal(0, ty);
                self.arithmetic(Arithmetic::Sub, overflow, ty, zero, value)
            }
            UnaryOp::Not if ty == Type::BOOL => Ok(self.terms.not(value)),
            UnaryOp::Not => Ok(self.terms.bv_not(value)),
            UnaryOp::FloatNegate => {
                let sign = self.literal(1 << (ty.bits() - 1), ty);
                Ok(self.terms.bv_xor(value, sign))
            }
        }
    }

    /// `ty` is the operands' type.
    pub fn binary(&mut self, op: BinaryOp, ty: Type, left: TermId, right: TermId) -> Result<TermId, NoTerm> {
        if ty == Type::BOOL {
            return self.binary_bool(op, left, right);
        }
        Ok(match op {
            BinaryOp::Add(overflow) => self.arithmetic(Arithmetic::Add, overflow, ty, left, right)?,
            BinaryOp::Sub(overflow) => self.arithmetic(Arithmetic::Sub, overflow, ty, left, right)?,
            BinaryOp::Mul(overflow) => self.arithmetic(Arithmetic::Mul, overflow, ty, left, right)?,
            BinaryOp::Div(sign) => {
                self.forbid_division(sign, ty, left, right);
                match sign {
                    Sign::Signed => self.terms.bv_sdiv(left, right),
                    Sign::Unsigned => self.terms.bv_udiv(left, right),
                }
            }
            BinaryOp::Rem(sign) => {
                self.forbid_division(sign, ty, left, right);
                match sign {
                    Sign::Signed => self.terms.bv_srem(left, right),
                    Sign::Unsigned => self.terms.bv_urem(left, right),
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight(_) => self.shift(op, ty, left, right),
            BinaryOp::And => self.terms.bv_and(left, right),
            BinaryOp::Or => self.terms.bv_or(left, right),
            BinaryOp::Xor => self.terms.bv_xor(left, right),
            BinaryOp::Compare(comparison) => self.compare(comparison, left, right),
            BinaryOp::Float(op) => self.float_arithmetic(op, ty, left, right)?,
            BinaryOp::FloatCompare(comparison) => {
                floats::compare(self.terms, comparison, float_format(ty)?, left, right)
            }
            BinaryOp::Overflows(operation, sign) => self.overflows(operation, sign, left, right),
        })
    }

    /// Operators on conditions, which are truth values here and one bit in the machine.
    fn binary_bool(&mut self, op: BinaryOp, left: TermId, right: TermId) -> Result<TermId, NoTerm> {
        Ok(match op {
            BinaryOp::And => self.terms.and2(left, right),
            BinaryOp::Or => self.terms.or2(left, right),
            BinaryOp::Xor | BinaryOp::Compare(Comparison::NotEqual) => self.terms.xor(left, right),
            BinaryOp::Compare(Comparison::Equal) => self.terms.eq(left, right),
            BinaryOp::Compare(comparison) => {
                let (left, right) = (self.terms.bv_from_bool(1, left), self.terms.bv_from_bool(1, right));
                self.compare(comparison, left, right)
            }
            _ => return Err(NoTerm::new("arithmetic on single bits")),
        })
    }

    fn arithmetic(
        &mut self,
        operation: Arithmetic,
        overflow: Overflow,
        ty: Type,
        left: TermId,
        right: TermId,
    ) -> Result<TermId, NoTerm> {
        if ty == Type::BOOL {
            return Err(NoTerm::new("arithmetic on single bits"));
        }
        if overflow == Overflow::Violates && self.checks.has(ViolationKind::Overflow) {
            let bad = self.overflows(operation, Sign::Signed, left, right);
            self.forbid(ViolationKind::Overflow, bad);
        }
        Ok(match operation {
            Arithmetic::Add => self.terms.bv_add(left, right),
            Arithmetic::Sub => self.terms.bv_sub(left, right),
            Arithmetic::Mul => self.terms.bv_mul(left, right),
        })
    }

    fn overflows(&mut self, operation: Arithmetic, sign: Sign, left: TermId, right: TermId) -> TermId {
        match (operation, sign) {
            (Arithmetic::Add, Sign::Signed) => self.terms.bv_sadd_overflow(left, right),
            (Arithmetic::Sub, Sign::Signed) => self.terms.bv_ssub_overflow(left, right),
            (Arithmetic::Mul, Sign::Signed) => self.terms.bv_smul_overflow(left, right),
            (Arithmetic::Add, Sign::Unsigned) => self.terms.bv_uadd_overflow(left, right),
            (Arithmetic::Sub, Sign::Unsigned) => self.terms.bv_usub_overflow(left, right),
            (Arithmetic::Mul, Sign::Unsigned) => self.terms.bv_umul_overflow(left, right),
        }
    }

    fn forbid_division(&mut self, sign: Sign, ty: Type, left: TermId, right: TermId) {
        let zero = self.literal(0, ty);
        let bad = self.terms.eq(right, zero);
        self.forbid(ViolationKind::DivisionByZero, bad);
        if sign == Sign::Signed {
            let bad = self.terms.bv_sdiv_overflow(left, right);
            self.forbid(ViolationKind::Overflow, bad);
        }
    }

    /// With its check off, the machine takes a shift amount modulo the register's width.
    fn shift(&mut self, op: BinaryOp, ty: Type, left: TermId, right: TermId) -> TermId {
        let width = ty.bits();
        let mut amount = right;
        if self.checks.has(ViolationKind::Shift) {
            let fits = 1u128.checked_shl(width).is_none_or(|range| u128::from(width) < range);
            if fits {
                let limit = self.literal(u128::from(width), ty);
                let bad = self.terms.bv_uge(right, limit);
                self.forbid(ViolationKind::Shift, bad);
            }
        } else {
            let register = width.next_power_of_two().max(32);
            let mask = self.literal(u128::from(register - 1), ty);
            amount = self.terms.bv_and(right, mask);
        }
        match op {
            BinaryOp::ShiftLeft => self.terms.bv_shl(left, amount),
            BinaryOp::ShiftRight(Sign::Unsigned) => self.terms.bv_lshr(left, amount),
            _ => self.terms.bv_ashr(left, amount),
        }
    }

    pub fn compare(&mut self, comparison: Comparison, left: TermId, right: TermId) -> TermId {
        match comparison {
            Comparison::Equal => self.terms.eq(left, right),
            Comparison::NotEqual => self.terms.distinct(left, right),
            Comparison::Less(Sign::Signed) => self.terms.bv_slt(left, right),
            Comparison::Less(Sign::Unsigned) => self.terms.bv_ult(left, right),
            Comparison::LessEqual(Sign::Signed) => self.terms.bv_sle(left, right),
            Comparison::LessEqual(Sign::Unsigned) => self.terms.bv_ule(left, right),
            Comparison::Greater(Sign::Signed) => self.terms.bv_sgt(left, right),
            Comparison::Greater(Sign::Unsigned) => self.terms.bv_ugt(left, right),
            Comparison::GreaterEqual(Sign::Signed) => self.terms.bv_sge(left, right),
            Comparison::GreaterEqual(Sign::Unsigned) => self.terms.bv_uge(left, right),
        }
    }

    pub fn cast(&mut self, op: CastOp, from: Type, to: Type, value: TermId) -> Result<TermId, NoTerm> {
        let result = self.cast_bits(op, from, to, value)?;
        if to == Type::BOOL && self.terms.sort(result) != Sort::Bool {
            let one = self.terms.bv(1, 1);
            return Ok(self.terms.eq(result, one));
        }
        Ok(result)
    }

    /// As a bit-vector, if that is easier.
    fn cast_bits(&mut self, op: CastOp, from: Type, to: Type, value: TermId) -> Result<TermId, NoTerm> {
        let bits = match from {
            Type::Int(1) => self.terms.bv_from_bool(1, value),
            _ => value,
        };
        Ok(match op {
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::Reinterpret if to == Type::BOOL => {
                self.terms.bv_extract(0, 0, bits)
            }
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::Reinterpret if from == Type::BOOL => {
                self.terms.bv_from_bool(to.bits(), value)
            }
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::Reinterpret => {
                self.terms.bv_resize(to.bits(), false, value)
            }
            CastOp::SignExtend => self.terms.bv_resize(to.bits(), true, bits),
            CastOp::FloatToInt(sign) => self.float_to_int(sign, from, to, value)?,
            CastOp::IntToFloat(sign) => {
                let format = float_format(to)?;
                let float = match sign {
                    Sign::Signed => self.terms.fp_from_signed(format, NEAREST, bits),
                    Sign::Unsigned => self.terms.fp_from_unsigned(format, NEAREST, bits),
                };
                floats::bits(self.terms, float)
            }
            CastOp::FloatConvert => {
                let (source, target) = (float_format(from)?, float_format(to)?);
                let float = self.terms.fp_from_bits(source, value);
                let converted = self.terms.fp_convert(target, NEAREST, float);
                floats::bits(self.terms, converted)
            }
        })
    }

    fn float_arithmetic(&mut self, op: FloatOp, ty: Type, left: TermId, right: TermId) -> Result<TermId, NoTerm> {
        let result = floats::arithmetic(self.terms, op, float_format(ty)?, left, right);
        result.ok_or_else(|| NoTerm::new("the remainder of floats"))
    }

    fn float_to_int(&mut self, sign: Sign, from: Type, to: Type, value: TermId) -> Result<TermId, NoTerm> {
        let integer = floats::to_integer(self.terms, sign, float_format(from)?, to.bits(), value);
        self.forbid(ViolationKind::FloatConversion, integer.misfit);
        Ok(integer.value)
    }
}

/// As the machine passes it: integers of other widths, pointers and integers.
pub fn convert(terms: &mut Terms, value: TermId, from: Type, to: Type) -> TermId {
    match (from, to) {
        (from, to) if from == to => value,
        (Type::Int(1), _) => terms.bv_from_bool(to.bits(), value),
        (_, Type::Int(1)) => {
            let low = terms.bv_extract(0, 0, value);
            let one = terms.bv(1, 1);
            terms.eq(low, one)
        }
        _ => terms.bv_resize(to.bits(), false, value),
    }
}
