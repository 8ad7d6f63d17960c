//! Float operators of the program, with what is unsupported and what is checked; their meaning is in `crate::floats`.

use logic::sort::FloatFormat;
use logic::terms::TermId;
use program::exec::ViolationKind;
use program::{FloatComparison, FloatOp, Sign, Type};

use super::state::State;
use super::{Engine, Flow, Place};
use crate::floats::{self, NEAREST};

impl Engine<'_> {
    pub(super) fn need_format(&mut self, state: &mut State, ty: Type, place: Place) -> Flow<FloatFormat> {
        match floats::format(ty) {
            Some(format) => Ok(format),
            None => self.stop_unsupported(state, "arithmetic on `long double`", place.site),
        }
    }

    pub(super) fn float_bits(&mut self, float: TermId) -> TermId {
        floats::bits(&mut self.terms, float)
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
        match floats::arithmetic(&mut self.terms, op, format, left, right) {
            Some(result) => Ok(result),
            None => self.stop_unsupported(state, "the remainder of floats", place.site),
        }
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
        Ok(floats::compare(&mut self.terms, comparison, format, left, right))
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
        let integer = floats::to_integer(&mut self.terms, sign, format, to.bits(), value);
        if self.checks.has(ViolationKind::FloatConversion) {
            self.forbid(state, ViolationKind::FloatConversion, integer.misfit, place.site)?;
        } else {
            self.unsupported(state, integer.misfit, "a float that does not fit its integer type", place.site)?;
        }
        Ok(integer.value)
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
        Ok(self.float_bits(float))
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
        Ok(self.float_bits(converted))
    }
}
