//! Floats. Little is simplified: most laws of arithmetic do not hold for them.

use crate::sort::{FloatFormat, Rounding, Sort};
use crate::terms::{Op, TermId, Terms};
use crate::value::Value;

use super::fold::fold;

impl Terms {
    fn float_build(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        let values: Option<Vec<Value>> = arguments.iter().map(|&it| self.as_value(it)).collect();
        let folded = values.and_then(|values| fold(op, &values.iter().collect::<Vec<_>>()));
        match folded {
            Some(value) => {
                let sort = self.result_sort(op, arguments);
                self.constant(&value, sort)
            }
            None => self.raw(op, arguments),
        }
    }

    pub(super) fn float_unary(&mut self, op: Op, a: TermId) -> TermId {
        match (op, self.op(a)) {
            (Op::FpNeg, Op::FpNeg) => self.argument(a, 0),
            (Op::FpAbs, Op::FpAbs) => a,
            (Op::FpAbs, Op::FpNeg) => self.fp_abs(self.argument(a, 0)),
            // The other way round would change the bits of a NaN.
            (Op::FpFromBits(_), Op::FpToBits) => self.argument(a, 0),
            (Op::FpConvert(format, _), _) if self.sort(a) == Sort::Float(format) => a,
            (
                Op::FpIsNan | Op::FpIsInfinite | Op::FpIsZero | Op::FpIsNormal | Op::FpIsSubnormal,
                Op::FpNeg | Op::FpAbs,
            ) => self.float_unary(op, self.argument(a, 0)),
            _ => self.float_build(op, &[a]),
        }
    }

    pub(super) fn float_binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        if a == b {
            match op {
                Op::FpLt => return self.false_term(),
                Op::FpEqual | Op::FpLe => {
                    let is_nan = self.fp_is_nan(a);
                    return self.not(is_nan);
                }
                Op::FpMin | Op::FpMax => return a,
                _ => {}
            }
        }
        let (a, b) = if op.is_commutative() { self.ordered(a, b) } else { (a, b) };
        self.float_build(op, &[a, b])
    }

    pub fn fp_neg(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpNeg, a)
    }

    pub fn fp_abs(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpAbs, a)
    }

    pub fn fp_add(&mut self, rounding: Rounding, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpAdd(rounding), a, b)
    }

    pub fn fp_sub(&mut self, rounding: Rounding, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpSub(rounding), a, b)
    }

    pub fn fp_mul(&mut self, rounding: Rounding, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpMul(rounding), a, b)
    }

    pub fn fp_div(&mut self, rounding: Rounding, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpDiv(rounding), a, b)
    }

    /// `a * b + c`, rounded once.
    pub fn fp_fma(&mut self, rounding: Rounding, a: TermId, b: TermId, c: TermId) -> TermId {
        self.float_build(Op::FpFma(rounding), &[a, b, c])
    }

    pub fn fp_sqrt(&mut self, rounding: Rounding, a: TermId) -> TermId {
        self.float_unary(Op::FpSqrt(rounding), a)
    }

    /// IEEE's remainder, not C's `fmod`.
    pub fn fp_rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpRem, a, b)
    }

    pub fn fp_round_to_integral(&mut self, rounding: Rounding, a: TermId) -> TermId {
        self.float_unary(Op::FpRoundToIntegral(rounding), a)
    }

    pub fn fp_min(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpMin, a, b)
    }

    pub fn fp_max(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpMax, a, b)
    }

    pub fn fp_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpLe, a, b)
    }

    pub fn fp_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpLt, a, b)
    }

    /// IEEE's equality; [`Terms::eq`] is identity.
    pub fn fp_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FpEqual, a, b)
    }

    pub fn fp_is_nan(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpIsNan, a)
    }

    pub fn fp_is_infinite(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpIsInfinite, a)
    }

    pub fn fp_is_zero(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpIsZero, a)
    }

    pub fn fp_is_normal(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpIsNormal, a)
    }

    pub fn fp_is_subnormal(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpIsSubnormal, a)
    }

    pub fn fp_is_negative(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpIsNegative, a)
    }

    pub fn fp_is_positive(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpIsPositive, a)
    }

    /// The float that has these bits.
    pub fn fp_from_bits(&mut self, format: FloatFormat, bits: TermId) -> TermId {
        self.float_unary(Op::FpFromBits(format), bits)
    }

    /// The bits of a float; every NaN has the same.
    pub fn fp_to_bits(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FpToBits, a)
    }

    pub fn fp_convert(&mut self, format: FloatFormat, rounding: Rounding, a: TermId) -> TermId {
        self.float_unary(Op::FpConvert(format, rounding), a)
    }

    pub fn fp_from_signed(&mut self, format: FloatFormat, rounding: Rounding, bits: TermId) -> TermId {
        self.float_unary(Op::FpFromSigned(format, rounding), bits)
    }

    pub fn fp_from_unsigned(&mut self, format: FloatFormat, rounding: Rounding, bits: TermId) -> TermId {
        self.float_unary(Op::FpFromUnsigned(format, rounding), bits)
    }

    /// Not specified where the integer does not fit.
    pub fn fp_to_signed(&mut self, width: u32, rounding: Rounding, a: TermId) -> TermId {
        self.float_unary(Op::FpToSigned(width, rounding), a)
    }

    /// Not specified where the integer does not fit.
    pub fn fp_to_unsigned(&mut self, width: u32, rounding: Rounding, a: TermId) -> TermId {
        self.float_unary(Op::FpToUnsigned(width, rounding), a)
    }
}
