//! Builtins: operations that C spells as functions, as terms.
//!
//! Functions of the mathematical library have no term.

use logic::sort::Rounding;
use logic::terms::TermId;
use program::exec::ViolationKind;
use program::{Builtin, Comparison, Sign, Type};

use super::operators::{NoTerm, Operators, float_format};
use crate::floats;

impl Operators<'_> {
    pub fn apply(&mut self, builtin: Builtin, arguments: &[(TermId, Type)]) -> Result<TermId, NoTerm> {
        let Some(&(first, ty)) = arguments.first() else {
            return Err(NoTerm::new("a builtin without arguments"));
        };
        let second = arguments.get(1).map_or(first, |it| it.0);
        let width = ty.bits();
        if ty == Type::BOOL {
            return Err(NoTerm::new("a builtin on single bits"));
        }
        Ok(match builtin {
            Builtin::ByteSwap if width % 8 == 0 => self.swapped(first, width),
            Builtin::PopCount => self.bit_count(first, width),
            Builtin::LeadingZeros { zero_violates } => {
                self.forbid_zero(zero_violates, first, ty);
                self.count_zeros(first, width, 0..width)
            }
            Builtin::TrailingZeros { zero_violates } => {
                self.forbid_zero(zero_violates, first, ty);
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
            Builtin::SaturatingSub(Sign::Unsigned) => {
                let less = self.terms.bv_ult(first, second);
                let (zero, difference) = (self.literal(0, ty), self.terms.bv_sub(first, second));
                self.terms.ite(less, zero, difference)
            }
            _ => return self.apply_float(builtin, arguments),
        })
    }

    fn apply_float(&mut self, builtin: Builtin, arguments: &[(TermId, Type)]) -> Result<TermId, NoTerm> {
        let (first, ty) = arguments[0];
        let second = arguments.get(1).map_or(first, |it| it.0);
        Ok(match builtin {
            Builtin::FloatAbsolute => {
                let mask = self.literal(ty.mask() >> 1, ty);
                self.terms.bv_and(first, mask)
            }
            Builtin::CopySign => {
                let (mask, sign) = (self.literal(ty.mask() >> 1, ty), self.literal(1 << (ty.bits() - 1), ty));
                let (magnitude, sign) = (self.terms.bv_and(first, mask), self.terms.bv_and(second, sign));
                self.terms.bv_or(magnitude, sign)
            }
            Builtin::SquareRoot | Builtin::FusedMultiplyAdd => {
                let format = float_format(ty)?;
                let float = self.terms.fp_from_bits(format, first);
                let nearest = Rounding::NearestEven;
                let result = match (builtin, arguments) {
                    (Builtin::FusedMultiplyAdd, &[_, (factor, _), (summand, _)]) => {
                        let factor = self.terms.fp_from_bits(format, factor);
                        let summand = self.terms.fp_from_bits(format, summand);
                        self.terms.fp_fma(nearest, float, factor, summand)
                    }
                    _ => self.terms.fp_sqrt(nearest, float),
                };
                floats::bits(self.terms, result)
            }
            Builtin::Floor => self.rounded(Rounding::TowardNegative, first, ty)?,
            Builtin::Ceiling => self.rounded(Rounding::TowardPositive, first, ty)?,
            Builtin::Truncate => self.rounded(Rounding::TowardZero, first, ty)?,
            Builtin::Round => self.rounded(Rounding::NearestAway, first, ty)?,
            Builtin::RoundEven | Builtin::NearbyInt => self.rounded(Rounding::NearestEven, first, ty)?,
            Builtin::IsClass(mask) => floats::is_class(self.terms, mask, float_format(ty)?, first)
                .ok_or_else(|| NoTerm::new("a test for signaling NaNs"))?,
            _ => return Err(NoTerm::new(format!("the builtin {builtin:?}"))),
        })
    }

    fn swapped(&mut self, value: TermId, width: u32) -> TermId {
        let bytes: Vec<TermId> =
            (0..width / 8).map(|byte| self.terms.bv_extract(8 * byte + 7, 8 * byte, value)).collect();
        bytes[1..].iter().fold(bytes[0], |high, &low| self.terms.bv_concat(high, low))
    }

    fn bit_count(&mut self, value: TermId, width: u32) -> TermId {
        let zero = self.terms.bv(width, 0);
        (0..width).fold(zero, |count, bit| {
            let bit = self.terms.bv_extract(bit, bit, value);
            let bit = self.terms.bv_resize(width, false, bit);
            self.terms.bv_add(count, bit)
        })
    }

    fn rounded(&mut self, rounding: Rounding, value: TermId, ty: Type) -> Result<TermId, NoTerm> {
        let float = self.terms.fp_from_bits(float_format(ty)?, value);
        let whole = self.terms.fp_round_to_integral(rounding, float);
        Ok(floats::bits(self.terms, whole))
    }

    fn forbid_zero(&mut self, violates: bool, operand: TermId, ty: Type) {
        if violates {
            let zero = self.literal(0, ty);
            let bad = self.terms.eq(operand, zero);
            self.forbid(ViolationKind::BitCountOfZero, bad);
        }
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
}
