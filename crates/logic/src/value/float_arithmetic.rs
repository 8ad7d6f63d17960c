//! Arithmetic of floats: exact on the parts, rounded once.

use num_bigint::BigInt;
use num_traits::Zero;

use crate::sort::Rounding;

use super::BitVector;
use super::float::Parts::{Finite, Infinite, Nan};
use super::float::{Float, scaled};

impl Float {
    pub fn neg(&self) -> Float {
        if self.is_nan() {
            return self.clone();
        }
        Float { format: self.format, bits: self.bits.xor(&BitVector::min_signed(self.bits.width())) }
    }

    pub fn abs(&self) -> Float {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    pub fn add(&self, other: &Float, rounding: Rounding) -> Float {
        let format = self.format;
        match (self.parts(), other.parts()) {
            (Nan, _) | (_, Nan) => Float::nan(format),
            (Infinite { negative: left }, Infinite { negative: right }) if left != right => Float::nan(format),
            (Infinite { .. }, _) => self.clone(),
            (_, Infinite { .. }) => other.clone(),
            (
                Finite { negative, magnitude, exponent },
                Finite { negative: other_negative, magnitude: other_magnitude, exponent: other_exponent },
            ) => {
                let unit = exponent.min(other_exponent);
                let sum = scaled(negative, &magnitude, exponent - unit)
                    + scaled(other_negative, &other_magnitude, other_exponent - unit);
                let zero_negative =
                    if negative == other_negative { negative } else { rounding == Rounding::TowardNegative };
                self.round_signed(rounding, &sum, unit, zero_negative)
            }
        }
    }

    pub fn sub(&self, other: &Float, rounding: Rounding) -> Float {
        self.add(&other.neg(), rounding)
    }

    pub fn mul(&self, other: &Float, rounding: Rounding) -> Float {
        let format = self.format;
        match (self.parts(), other.parts()) {
            (Nan, _) | (_, Nan) => Float::nan(format),
            (Infinite { .. }, _) if other.is_zero() => Float::nan(format),
            (_, Infinite { .. }) if self.is_zero() => Float::nan(format),
            (Infinite { .. }, _) | (_, Infinite { .. }) => {
                Float::infinity(format, self.bits.sign() != other.bits.sign())
            }
            (
                Finite { negative, magnitude, exponent },
                Finite { negative: other_negative, magnitude: other_magnitude, exponent: other_exponent },
            ) => {
                let product = (magnitude * other_magnitude, exponent + other_exponent);
                Float::round(format, rounding, negative != other_negative, product, false)
            }
        }
    }

    pub fn div(&self, other: &Float, rounding: Rounding) -> Float {
        let format = self.format;
        let negative = self.bits.sign() != other.bits.sign();
        match (self.parts(), other.parts()) {
            (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => Float::nan(format),
            (Infinite { .. }, _) => Float::infinity(format, negative),
            (_, Infinite { .. }) => Float::zero(format, negative),
            (Finite { magnitude, exponent, .. }, Finite { magnitude: divisor, exponent: divisor_exponent, .. }) => {
                if divisor.is_zero() {
                    let zero_by_zero = magnitude.is_zero();
                    return if zero_by_zero { Float::nan(format) } else { Float::infinity(format, negative) };
                }
                let shift = u64::from(format.significand) + 2 + divisor.bits();
                let dividend = magnitude << shift;
                let (quotient, remainder) = (&dividend / &divisor, &dividend % &divisor);
                let exponent = exponent - divisor_exponent - shift as i64;
                Float::round(format, rounding, negative, (quotient, exponent), !remainder.is_zero())
            }
        }
    }

    /// `self * factor + summand`, rounded once.
    pub fn fma(&self, factor: &Float, summand: &Float, rounding: Rounding) -> Float {
        let Finite { negative, magnitude, exponent } = summand.parts() else {
            // The product's sign and finiteness decide, not its rounding.
            return self.mul(factor, rounding).add(summand, rounding).with_nan_of(self, factor, summand);
        };
        let (
            Finite { negative: left_negative, magnitude: left, exponent: left_exponent },
            Finite { negative: right_negative, magnitude: right, exponent: right_exponent },
        ) = (self.parts(), factor.parts())
        else {
            return self.mul(factor, rounding);
        };
        let (product, product_exponent) = (left * right, left_exponent + right_exponent);
        let product_negative = left_negative != right_negative;
        let unit = exponent.min(product_exponent);
        let sum =
            scaled(product_negative, &product, product_exponent - unit) + scaled(negative, &magnitude, exponent - unit);
        let zero_negative = if negative == product_negative { negative } else { rounding == Rounding::TowardNegative };
        self.round_signed(rounding, &sum, unit, zero_negative)
    }

    /// Repairs a fused result with an infinite summand: a finite product that overflowed when it was rounded
    /// is no infinity.
    fn with_nan_of(self, left: &Float, right: &Float, summand: &Float) -> Float {
        let finite = |it: &Float| !it.is_nan() && !it.is_infinite();
        if finite(left) && finite(right) && summand.is_infinite() { summand.clone() } else { self }
    }

    pub fn sqrt(&self, rounding: Rounding) -> Float {
        match self.parts() {
            Finite { magnitude, .. } if magnitude.is_zero() => self.clone(),
            Infinite { negative: false } => self.clone(),
            Finite { negative: false, magnitude, exponent } => {
                let mut shift = 2 * (i64::from(self.format.significand) + 2);
                if (exponent - shift) % 2 != 0 {
                    shift += 1;
                }
                let radicand = magnitude << shift as u64;
                let root = radicand.sqrt();
                let sticky = &root * &root != radicand;
                Float::round(self.format, rounding, false, (root, (exponent - shift) / 2), sticky)
            }
            _ => Float::nan(self.format),
        }
    }

    /// IEEE's remainder: `self - other * n` with `n` the integer nearest to the quotient, even on a tie.
    pub fn rem(&self, other: &Float) -> Float {
        match (self.parts(), other.parts()) {
            (Nan | Infinite { .. }, _) | (_, Nan) => Float::nan(self.format),
            (Finite { .. }, Infinite { .. }) => self.clone(),
            (
                Finite { negative, magnitude, exponent },
                Finite { magnitude: divisor, exponent: divisor_exponent, .. },
            ) => {
                if divisor.is_zero() {
                    return Float::nan(self.format);
                }
                let unit = exponent.min(divisor_exponent);
                let dividend = magnitude << (exponent - unit) as u64;
                let divisor = divisor << (divisor_exponent - unit) as u64;
                let (quotient, remainder) = (&dividend / &divisor, &dividend % &divisor);
                let twice = &remainder << 1u32;
                let nearer_above = twice > divisor || (twice == divisor && quotient.bit(0));
                let remainder =
                    BigInt::from(remainder) - if nearer_above { BigInt::from(divisor) } else { BigInt::zero() };
                let remainder = if negative { -remainder } else { remainder };
                self.round_signed(Rounding::NearestEven, &remainder, unit, negative)
            }
        }
    }
}
