//! Floats: values are their bits, and become floats for the length of an operator.
//!
//! Imprecise: a result that is not a number is x86's default one, whatever its operands carried.

use logic::sort::{FloatFormat, Rounding};
use logic::terms::TermId;
use program::exec::ViolationKind;
use program::{Float, FloatComparison, FloatOp, FloatRelation, Sign, Type};

use super::state::State;
use super::{Engine, Flow, Place};

const NEAREST: Rounding = Rounding::NearestEven;

/// The format of a type that has one here.
pub fn format(ty: Type) -> Option<FloatFormat> {
    match ty {
        Type::Float(Float::F16) => Some(FloatFormat::HALF),
        Type::Float(Float::F32) => Some(FloatFormat::SINGLE),
        Type::Float(Float::F64) => Some(FloatFormat::DOUBLE),
        Type::Float(Float::F128) => Some(FloatFormat::QUADRUPLE),
        _ => None,
    }
}

impl Engine<'_> {
    pub(super) fn need_format(&mut self, state: &mut State, ty: Type, place: Place) -> Flow<FloatFormat> {
        match format(ty) {
            Some(format) => Ok(format),
            None => self.stop_unsupported(state, "arithmetic on `long double`", place.site),
        }
    }

    /// The bits of a result, with x86's default for what is not a number.
    pub(super) fn float_bits(&mut self, float: TermId, ty: Type) -> TermId {
        let format = self.terms.float_format(float);
        let bits = self.terms.fp_to_bits(float);
        let nan = self.terms.fp_is_nan(float);
        let (exponent, fraction) = (u32::from(format.exponent), u32::from(format.significand) - 1);
        let ones = (u128::MAX >> (128 - exponent - 2)) << (fraction - 1);
        let default = self.literal(ones, ty);
        self.terms.ite(nan, default, bits)
    }

    pub(super) fn float_arithmetic(
        &mut self,
        state: &mut State,
        op: FloatOp,
        ty: Type,
        left: TermId,
        right: TermId,
        place: Place,
    ) -> Flow<TermId> {
        let format = self.need_format(state, ty, place)?;
        let terms = &mut self.terms;
        let (left, right) = (terms.fp_from_bits(format, left), terms.fp_from_bits(format, right));
        let result = match op {
            FloatOp::Add => terms.fp_add(NEAREST, left, right),
            FloatOp::Sub => terms.fp_sub(NEAREST, left, right),
            FloatOp::Mul => terms.fp_mul(NEAREST, left, right),
            FloatOp::Div => terms.fp_div(NEAREST, left, right),
            FloatOp::Rem => return self.stop_unsupported(state, "the remainder of floats", place.site),
        };
        Ok(self.float_bits(result, ty))
    }

    pub(super) fn float_compare(
        &mut self,
        state: &mut State,
        comparison: FloatComparison,
        ty: Type,
        left: TermId,
        right: TermId,
        place: Place,
    ) -> Flow<TermId> {
        let format = self.need_format(state, ty, place)?;
        let terms = &mut self.terms;
        let (left, right) = (terms.fp_from_bits(format, left), terms.fp_from_bits(format, right));
        let (left_nan, right_nan) = (terms.fp_is_nan(left), terms.fp_is_nan(right));
        let unordered = terms.or2(left_nan, right_nan);
        let related = match comparison.relation {
            FloatRelation::Never => terms.false_term(),
            FloatRelation::Always => terms.true_term(),
            FloatRelation::Equal => terms.fp_eq(left, right),
            FloatRelation::NotEqual => {
                let equal = terms.fp_eq(left, right);
                terms.not(equal)
            }
            FloatRelation::Less => terms.fp_lt(left, right),
            FloatRelation::LessEqual => terms.fp_le(left, right),
            FloatRelation::Greater => terms.fp_lt(right, left),
            FloatRelation::GreaterEqual => terms.fp_le(right, left),
        };
        if comparison.unordered {
            return Ok(terms.or2(unordered, related));
        }
        let ordered = terms.not(unordered);
        Ok(terms.and2(ordered, related))
    }

    pub(super) fn float_to_int(
        &mut self,
        state: &mut State,
        sign: Sign,
        (from, to): (Type, Type),
        value: TermId,
        place: Place,
    ) -> Flow<TermId> {
        let format = self.need_format(state, from, place)?;
        let width = to.bits();
        let float = self.terms.fp_from_bits(format, value);
        let whole = self.terms.fp_round_to_integral(Rounding::TowardZero, float);
        let magnitude = if sign == Sign::Signed { width - 1 } else { width };
        let end = self.power_of_two(format, magnitude);
        let inside = self.terms.fp_lt(whole, end);
        let start = match sign {
            Sign::Signed => self.terms.fp_neg(end),
            Sign::Unsigned => {
                let zero = self.terms.bv(format.width(), 0);
                self.terms.fp_from_bits(format, zero)
            }
        };
        let above = self.terms.fp_le(start, whole);
        let fits = self.terms.and2(inside, above);
        let bad = self.terms.not(fits);
        if self.checks.has(ViolationKind::FloatConversion) {
            self.forbid(state, ViolationKind::FloatConversion, bad, place.site)?;
        } else {
            self.unsupported(state, bad, "a float that does not fit its integer type", place.site)?;
        }
        let result = match sign {
            Sign::Signed => self.terms.fp_to_signed(width, Rounding::TowardZero, float),
            Sign::Unsigned => self.terms.fp_to_unsigned(width, Rounding::TowardZero, float),
        };
        Ok(result)
    }

    /// Two to this power; infinite if the format does not reach that far.
    fn power_of_two(&mut self, format: FloatFormat, exponent: u32) -> TermId {
        let width = exponent + 2;
        let one = self.terms.bv(width, 1);
        let amount = self.terms.bv(width, u64::from(exponent));
        let value = self.terms.bv_shl(one, amount);
        self.terms.fp_from_unsigned(format, NEAREST, value)
    }

    pub(super) fn int_to_float(
        &mut self,
        state: &mut State,
        sign: Sign,
        to: Type,
        operand: TermId,
        place: Place,
    ) -> Flow<TermId> {
        let format = self.need_format(state, to, place)?;
        let float = match sign {
            Sign::Signed => self.terms.fp_from_signed(format, NEAREST, operand),
            Sign::Unsigned => self.terms.fp_from_unsigned(format, NEAREST, operand),
        };
        Ok(self.float_bits(float, to))
    }

    pub(super) fn float_convert(
        &mut self,
        state: &mut State,
        (from, to): (Type, Type),
        value: TermId,
        place: Place,
    ) -> Flow<TermId> {
        let (source, target) = (self.need_format(state, from, place)?, self.need_format(state, to, place)?);
        let float = self.terms.fp_from_bits(source, value);
        let converted = self.terms.fp_convert(target, NEAREST, float);
        Ok(self.float_bits(converted, to))
    }
}
