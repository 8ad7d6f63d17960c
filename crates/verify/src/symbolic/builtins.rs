//! Builtins: operations that C spells as functions, as terms. Functions of the mathematical library are not
//! supported.

use logic::sort::Rounding;
use logic::terms::TermId;
use program::exec::ViolationKind;
use program::{Builtin, Comparison, Sign, Type};

use super::state::State;
use super::{Engine, Flow, Place};
use crate::floats;

impl Engine<'_> {
    pub(super) fn apply(
        &mut self,
        state: &mut State,
        builtin: Builtin,
        result: Type,
        arguments: &[(TermId, Type)],
        place: Place,
    ) -> Flow<TermId> {
        let Some(&(first, ty)) = arguments.first() else {
            return self.stop_unsupported(state, "a builtin without arguments", place.site);
        };
        let second = arguments.get(1).map_or(first, |it| it.0);
        let width = ty.bits();
        if ty == Type::BOOL {
            return self.stop_unsupported(state, "a builtin on single bits", place.site);
        }
        Ok(match builtin {
            Builtin::ByteSwap if width % 8 == 0 => {
                let bytes: Vec<TermId> =
                    (0..width / 8).map(|byte| self.terms.bv_extract(8 * byte + 7, 8 * byte, first)).collect();
                let rest = bytes[1..].iter();
                rest.fold(bytes[0], |high, &low| self.terms.bv_concat(high, low))
            }
            Builtin::PopCount => {
                let zero = self.terms.bv(width, 0);
                (0..width).fold(zero, |count, bit| {
                    let bit = self.terms.bv_extract(bit, bit, first);
                    let bit = self.terms.bv_resize(width, false, bit);
                    self.terms.bv_add(count, bit)
                })
            }
            Builtin::LeadingZeros { zero_violates } => {
                self.forbid_zero(state, zero_violates, first, ty, place)?;
                self.count_zeros(first, width, 0..width)
            }
            Builtin::TrailingZeros { zero_violates } => {
                self.forbid_zero(state, zero_violates, first, ty, place)?;
                self.count_zeros(first, width, (0..width).rev())
            }
            Builtin::Absolute => {
                let zero = self.literal(0, ty);
                let negative = self.terms.bv_slt(first, zero);
                let negated = self.terms.bv_neg(first);
                self.terms.ite(negative, negated, first)
            }
            Builtin::Min(sign) => {
                let less = self.compare(Comparison::Less(sign), first, second);
                self.terms.ite(less, first, second)
            }
            Builtin::Max(sign) => {
                let less = self.compare(Comparison::Less(sign), first, second);
                self.terms.ite(less, second, first)
            }
            Builtin::FloatAbsolute => {
                let mask = self.literal(ty.mask() >> 1, ty);
                self.terms.bv_and(first, mask)
            }
            Builtin::CopySign => {
                let (mask, sign) = (self.literal(ty.mask() >> 1, ty), self.literal(1 << (width - 1), ty));
                let (magnitude, sign) = (self.terms.bv_and(first, mask), self.terms.bv_and(second, sign));
                self.terms.bv_or(magnitude, sign)
            }
            Builtin::SquareRoot | Builtin::FusedMultiplyAdd => {
                let format = self.need_format(state, ty, place)?;
                let float = self.terms.fp_from_bits(format, first);
                let nearest = Rounding::NearestEven;
                let root = match (builtin, arguments) {
                    (Builtin::FusedMultiplyAdd, &[_, (factor, _), (summand, _)]) => {
                        let factor = self.terms.fp_from_bits(format, factor);
                        let summand = self.terms.fp_from_bits(format, summand);
                        self.terms.fp_fma(nearest, float, factor, summand)
                    }
                    _ => self.terms.fp_sqrt(nearest, float),
                };
                self.float_bits(root)
            }
            Builtin::Floor => self.rounded(state, Rounding::TowardNegative, first, ty, place)?,
            Builtin::Ceiling => self.rounded(state, Rounding::TowardPositive, first, ty, place)?,
            Builtin::Truncate => self.rounded(state, Rounding::TowardZero, first, ty, place)?,
            Builtin::Round => self.rounded(state, Rounding::NearestAway, first, ty, place)?,
            Builtin::RoundEven | Builtin::NearbyInt => self.rounded(state, Rounding::NearestEven, first, ty, place)?,
            Builtin::IsClass(mask) => return self.is_class(state, mask, first, ty, place),
            Builtin::SaturatingSub(Sign::Unsigned) => {
                let less = self.terms.bv_ult(first, second);
                let (zero, difference) = (self.literal(0, ty), self.terms.bv_sub(first, second));
                self.terms.ite(less, zero, difference)
            }
            _ => {
                let what = format!("the builtin {builtin:?}");
                let _ = result;
                return self.stop_unsupported(state, &what, place.site);
            }
        })
    }

    fn rounded(
        &mut self,
        state: &mut State,
        rounding: Rounding,
        value: TermId,
        ty: Type,
        place: Place,
    ) -> Flow<TermId> {
        let format = self.need_format(state, ty, place)?;
        let float = self.terms.fp_from_bits(format, value);
        let whole = self.terms.fp_round_to_integral(rounding, float);
        Ok(self.float_bits(whole))
    }

    fn forbid_zero(&mut self, state: &mut State, violates: bool, operand: TermId, ty: Type, place: Place) -> Flow<()> {
        if !violates || !self.checks.has(ViolationKind::BitCountOfZero) {
            return Ok(());
        }
        let zero = self.literal(0, ty);
        let bad = self.terms.eq(operand, zero);
        self.forbid(state, ViolationKind::BitCountOfZero, bad, place.site)
    }

    /// Zeros before the first set bit, where `bits` lists them from the last to be looked at to the first.
    fn count_zeros(&mut self, operand: TermId, width: u32, bits: impl Iterator<Item = u32>) -> TermId {
        let mut count = self.terms.bv(width, u64::from(width));
        let one = self.terms.bv(1, 1);
        for (position, bit) in bits.enumerate() {
            let set = self.terms.bv_extract(bit, bit, operand);
            let set = self.terms.eq(set, one);
            let zeros = self.terms.bv(width, u64::from(width - 1 - position as u32));
            count = self.terms.ite(set, zeros, count);
        }
        count
    }

    fn is_class(&mut self, state: &mut State, mask: u16, value: TermId, ty: Type, place: Place) -> Flow<TermId> {
        let format = self.need_format(state, ty, place)?;
        match floats::is_class(&mut self.terms, mask, format, value) {
            Some(found) => Ok(found),
            None => self.stop_unsupported(state, "a test for signaling NaNs", place.site),
        }
    }
}
