//! IEEE-754 floats of any format: their bits, their parts, rounding, conversion and order. Arithmetic is in
//! `float_arithmetic`.
//!
//! A finite float is an integer times a power of two. Every operation is done on those without loss (with a
//! sticky bit where the result has no end) and then rounded. That is slow and obviously right, which suits
//! constant folding and the evaluation of models; libraries of soft floats fix the formats at compile time.
//!
//! Invariant: NaN has one bit pattern (positive, quiet, no payload), as SMT-LIB has one NaN, so that equal
//! floats are equal in memory.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

use crate::sort::{FloatFormat, Rounding};

use super::BitVector;

/// An immutable float value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Float {
    pub(super) format: FloatFormat,
    pub(super) bits: BitVector,
}

/// A float taken apart.
pub(super) enum Parts {
    Nan,
    Infinite {
        negative: bool,
    },
    /// `magnitude * 2^exponent`; zero has magnitude zero.
    Finite {
        negative: bool,
        magnitude: BigUint,
        exponent: i64,
    },
}

use Parts::{Finite, Infinite, Nan};

impl FloatFormat {
    pub(crate) fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The number of fraction bits in the pattern.
    fn fraction(self) -> u32 {
        u32::from(self.significand) - 1
    }

    /// The exponent field of infinities and NaN.
    fn special(self) -> u64 {
        (1 << self.exponent) - 1
    }
}

impl Float {
    /// The float with these bits; all NaNs become one.
    pub fn from_bits(format: FloatFormat, bits: BitVector) -> Float {
        assert_eq!(bits.width(), format.width(), "the bits of a float of {format:?}");
        assert!(format.exponent <= 20 && format.exponent > 1 && format.significand > 1, "no float format: {format:?}");
        let float = Float { format, bits };
        if float.is_nan() { Float::nan(format) } else { float }
    }

    pub fn from_f32(value: f32) -> Float {
        Float::from_bits(FloatFormat::SINGLE, BitVector::new(32, value.to_bits().into()))
    }

    pub fn from_f64(value: f64) -> Float {
        Float::from_bits(FloatFormat::DOUBLE, BitVector::new(64, value.to_bits().into()))
    }

    /// The value as `f64` if that is the format.
    pub fn to_f64(&self) -> Option<f64> {
        (self.format == FloatFormat::DOUBLE).then(|| self.bits.to_u64().map(f64::from_bits)).flatten()
    }

    fn encode(format: FloatFormat, negative: bool, exponent_field: u64, fraction: &BigUint) -> Float {
        let value = (BigUint::from(exponent_field) << format.fraction()) + fraction;
        let value = if negative { value + (BigUint::one() << (format.width() - 1)) } else { value };
        Float { format, bits: BitVector::from_biguint(format.width(), &value) }
    }

    pub fn zero(format: FloatFormat, negative: bool) -> Float {
        Float::encode(format, negative, 0, &BigUint::zero())
    }

    pub fn infinity(format: FloatFormat, negative: bool) -> Float {
        Float::encode(format, negative, format.special(), &BigUint::zero())
    }

    pub fn nan(format: FloatFormat) -> Float {
        Float::encode(format, false, format.special(), &(BigUint::one() << (format.fraction() - 1)))
    }

    fn largest(format: FloatFormat, negative: bool) -> Float {
        Float::encode(format, negative, format.special() - 1, &((BigUint::one() << format.fraction()) - 1u32))
    }

    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// The bit pattern.
    pub fn bits(&self) -> &BitVector {
        &self.bits
    }

    fn exponent_field(&self) -> u64 {
        let width = self.format.width();
        self.bits.extract(width - 2, self.format.fraction()).to_u64().unwrap_or(0)
    }

    fn fraction_field(&self) -> BitVector {
        self.bits.extract(self.format.fraction() - 1, 0)
    }

    pub fn is_nan(&self) -> bool {
        self.exponent_field() == self.format.special() && !self.fraction_field().is_zero()
    }

    pub fn is_infinite(&self) -> bool {
        self.exponent_field() == self.format.special() && self.fraction_field().is_zero()
    }

    pub fn is_zero(&self) -> bool {
        self.exponent_field() == 0 && self.fraction_field().is_zero()
    }

    pub fn is_subnormal(&self) -> bool {
        self.exponent_field() == 0 && !self.fraction_field().is_zero()
    }

    pub fn is_normal(&self) -> bool {
        self.exponent_field() != 0 && self.exponent_field() != self.format.special()
    }

    pub fn is_negative(&self) -> bool {
        !self.is_nan() && self.bits.sign()
    }

    pub fn is_positive(&self) -> bool {
        !self.is_nan() && !self.bits.sign()
    }

    pub(super) fn parts(&self) -> Parts {
        let negative = self.bits.sign();
        if self.is_nan() {
            return Nan;
        }
        if self.is_infinite() {
            return Infinite { negative };
        }
        let (field, fraction) = (self.exponent_field(), self.fraction_field().to_biguint());
        let hidden = if field == 0 { BigUint::zero() } else { BigUint::one() << self.format.fraction() };
        let exponent = field.max(1) as i64 - self.format.bias() - i64::from(self.format.fraction());
        Finite { negative, magnitude: fraction + hidden, exponent }
    }

    /// The float nearest to `magnitude * 2^exponent`, where `sticky` says that a little more is meant.
    ///
    /// With `sticky` the magnitude must have at least two bits more than the significand.
    pub(super) fn round(
        format: FloatFormat,
        rounding: Rounding,
        negative: bool,
        (magnitude, exponent): (BigUint, i64),
        sticky: bool,
    ) -> Float {
        if magnitude.is_zero() {
            return Float::zero(format, negative);
        }
        let precision = i64::from(format.significand);
        let leading = exponent + magnitude.bits() as i64 - 1;
        let mut unit = leading.max(1 - format.bias()) - (precision - 1);
        let mut kept = if exponent >= unit {
            magnitude << (exponent - unit) as u64
        } else {
            let dropped = (unit - exponent) as u64;
            let kept = &magnitude >> dropped;
            let half = magnitude.bit(dropped - 1);
            let beyond_half = sticky || magnitude.trailing_zeros().is_some_and(|zeros| zeros < dropped - 1);
            let inexact = half || beyond_half;
            let up = match rounding {
                Rounding::NearestEven => half && (beyond_half || kept.bit(0)),
                Rounding::NearestAway => half,
                Rounding::TowardPositive => inexact && !negative,
                Rounding::TowardNegative => inexact && negative,
                Rounding::TowardZero => false,
            };
            if up { kept + 1u32 } else { kept }
        };
        if kept.bits() as i64 > precision {
            kept >>= 1u32;
            unit += 1;
        }
        if kept.bits() as i64 == precision {
            let field = unit + precision - 1 + format.bias();
            if field >= format.special() as i64 {
                return Float::overflow(format, rounding, negative);
            }
            let fraction = kept - (BigUint::one() << format.fraction());
            return Float::encode(format, negative, field as u64, &fraction);
        }
        Float::encode(format, negative, 0, &kept)
    }

    fn overflow(format: FloatFormat, rounding: Rounding, negative: bool) -> Float {
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::TowardPositive => !negative,
            Rounding::TowardNegative => negative,
            Rounding::TowardZero => false,
        };
        if to_infinity { Float::infinity(format, negative) } else { Float::largest(format, negative) }
    }

    /// Rounds a signed integer times a power of two; `zero_negative` is the sign of a zero result.
    pub(super) fn round_signed(&self, rounding: Rounding, value: &BigInt, exponent: i64, zero_negative: bool) -> Float {
        if value.is_zero() {
            return Float::zero(self.format, zero_negative);
        }
        let negative = value.sign() == Sign::Minus;
        Float::round(self.format, rounding, negative, (value.magnitude().clone(), exponent), false)
    }

    /// The integer that this float is rounded to, if it is finite.
    fn to_integer(&self, rounding: Rounding) -> Option<BigInt> {
        let Finite { negative, magnitude, exponent } = self.parts() else { return None };
        if exponent >= 0 {
            return Some(scaled(negative, &magnitude, exponent));
        }
        let dropped = exponent.unsigned_abs();
        let kept = &magnitude >> dropped;
        let rest = &magnitude - (&kept << dropped);
        let half = BigUint::one() << (dropped - 1);
        let up = match (rounding, rest.cmp(&half)) {
            (Rounding::NearestEven, Ordering::Equal) => kept.bit(0),
            (Rounding::NearestAway, Ordering::Equal) => true,
            (Rounding::NearestEven | Rounding::NearestAway, order) => order == Ordering::Greater,
            (Rounding::TowardPositive, _) => !negative && !rest.is_zero(),
            (Rounding::TowardNegative, _) => negative && !rest.is_zero(),
            (Rounding::TowardZero, _) => false,
        };
        Some(scaled(negative, &if up { kept + 1u32 } else { kept }, 0))
    }

    pub fn round_to_integral(&self, rounding: Rounding) -> Float {
        match self.to_integer(rounding) {
            Some(integer) => self.round_signed(rounding, &integer, 0, self.bits.sign()),
            None => self.clone(),
        }
    }

    /// The rounded value in two's complement, if it fits.
    pub fn to_signed(&self, width: u32, rounding: Rounding) -> Option<BitVector> {
        let integer = self.to_integer(rounding)?;
        let bits = BitVector::from_bigint(width, &integer);
        (bits.to_signed() == integer).then_some(bits)
    }

    /// The rounded value, if it fits.
    pub fn to_unsigned(&self, width: u32, rounding: Rounding) -> Option<BitVector> {
        let integer = self.to_integer(rounding)?.to_biguint()?;
        (integer.bits() <= width.into()).then(|| BitVector::from_biguint(width, &integer))
    }

    pub fn from_integer(format: FloatFormat, value: &BigInt, rounding: Rounding) -> Float {
        Float::zero(format, false).round_signed(rounding, value, 0, false)
    }

    pub fn convert(&self, format: FloatFormat, rounding: Rounding) -> Float {
        match self.parts() {
            Nan => Float::nan(format),
            Infinite { negative } => Float::infinity(format, negative),
            Finite { negative, magnitude, exponent } => {
                Float::round(format, rounding, negative, (magnitude, exponent), false)
            }
        }
    }

    /// The order of the values; none if one is NaN.
    pub fn compare(&self, other: &Float) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        // The patterns of one sign are ordered as their magnitudes.
        let order = |it: &Float| {
            let magnitude = BigInt::from(it.abs().bits.to_biguint());
            if it.bits.sign() { -magnitude } else { magnitude }
        };
        Some(order(self).cmp(&order(other)))
    }

    /// The smaller value; none where SMT-LIB does not say which, for zeros of two signs.
    pub fn min(&self, other: &Float) -> Option<Float> {
        self.choose(other, Ordering::Less)
    }

    /// The greater value; none where SMT-LIB does not say which, for zeros of two signs.
    pub fn max(&self, other: &Float) -> Option<Float> {
        self.choose(other, Ordering::Greater)
    }

    fn choose(&self, other: &Float, wanted: Ordering) -> Option<Float> {
        match self.compare(other) {
            None => Some(if self.is_nan() { other.clone() } else { self.clone() }),
            Some(Ordering::Equal) => (self == other).then(|| self.clone()),
            Some(order) => Some(if order == wanted { self.clone() } else { other.clone() }),
        }
    }
}

pub(super) fn scaled(negative: bool, magnitude: &BigUint, exponent: i64) -> BigInt {
    debug_assert!(exponent >= 0, "only a common unit is scaled to");
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, magnitude << exponent as u64)
}

impl fmt::Debug for Float {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_f64() {
            Some(value) => write!(formatter, "{value:?}"),
            None => write!(formatter, "float({:?})", self.bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BitVector, Float};
    use crate::sort::{FloatFormat, Rounding};

    const NEAREST: Rounding = Rounding::NearestEven;

    /// Any bit pattern, with zeros, infinities, NaN and numbers near each other more often than by chance.
    fn any_f32() -> impl Strategy<Value = f32> {
        let special = prop_oneof![
            Just(0.0),
            Just(-0.0),
            Just(f32::INFINITY),
            Just(f32::NEG_INFINITY),
            Just(f32::NAN),
            Just(f32::MIN_POSITIVE),
            Just(f32::MAX),
            Just(1.0),
            Just(-1.5),
            Just(f32::from_bits(1)),
        ];
        prop_oneof![1 => special, 2 => any::<u32>().prop_map(f32::from_bits), 1 => -100f32..100f32]
    }

    fn same(computed: Float, expected: f32) -> Result<(), TestCaseError> {
        prop_assert_eq!(computed, Float::from_f32(expected));
        Ok(())
    }

    proptest! {
        #[test]
        fn agrees_with_the_machine(a in any_f32(), b in any_f32(), c in any_f32()) {
            let (x, y, z) = (Float::from_f32(a), Float::from_f32(b), Float::from_f32(c));
            same(x.add(&y, NEAREST), a + b)?;
            same(x.sub(&y, NEAREST), a - b)?;
            same(x.mul(&y, NEAREST), a * b)?;
            same(x.div(&y, NEAREST), a / b)?;
            same(x.fma(&y, &z, NEAREST), a.mul_add(b, c))?;
            same(x.sqrt(NEAREST), a.sqrt())?;
            same(x.round_to_integral(NEAREST), a.round_ties_even())?;
            same(x.round_to_integral(Rounding::NearestAway), a.round())?;
            same(x.round_to_integral(Rounding::TowardZero), a.trunc())?;
            same(x.round_to_integral(Rounding::TowardPositive), a.ceil())?;
            same(x.round_to_integral(Rounding::TowardNegative), a.floor())?;
            prop_assert_eq!(x.compare(&y), a.partial_cmp(&b));
            prop_assert_eq!(x.convert(FloatFormat::DOUBLE, NEAREST), Float::from_f64(a.into()));
            if a.abs() < 1e9 {
                prop_assert_eq!(x.to_signed(32, Rounding::TowardZero), Some(BitVector::from_signed(32, (a as i32).into())));
            }
        }

        #[test]
        fn doubles_narrow_as_the_machine_does(bits in any::<u64>(), small in any_f32()) {
            for value in [f64::from_bits(bits), f64::from(small) * 1.000_000_01, f64::from(small) / 3.0] {
                let narrow = Float::from_f64(value).convert(FloatFormat::SINGLE, NEAREST);
                prop_assert_eq!(narrow, Float::from_f32(value as f32));
            }
        }

        #[test]
        fn integers_become_floats_as_the_machine_does(value in any::<i64>()) {
            let float = Float::from_integer(FloatFormat::SINGLE, &value.into(), NEAREST);
            prop_assert_eq!(float, Float::from_f32(value as f32));
        }
    }

    #[test]
    fn remainder_is_of_the_nearest_quotient() {
        let rem = |a: f32, b: f32| Float::from_f32(a).rem(&Float::from_f32(b));
        assert_eq!(rem(5.0, 3.0), Float::from_f32(-1.0));
        assert_eq!(rem(7.5, 5.0), Float::from_f32(-2.5));
        assert_eq!(rem(-5.0, 3.0), Float::from_f32(1.0));
        assert_eq!(rem(-6.0, 3.0), Float::from_f32(-0.0));
        assert!(rem(1.0, 0.0).is_nan());
    }
}
