//! Bit-vectors of any width with SMT-LIB's operations on them: division by zero has a value, shifts may be
//! longer than the operand.
//!
//! Invariant: bits above the width are zero; widths up to 128 are a machine integer, so that equal values are
//! equal in memory. Operands of one operation have the same width; anything else is a bug of the caller.

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

/// Widths up to this one are computed with machine arithmetic.
const SMALL: u32 = 128;

/// An immutable bit-vector value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVector {
    width: u32,
    bits: Bits,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Bits {
    Small(u128),
    Large(BigUint),
}

fn mask(width: u32) -> u128 {
    if width >= SMALL { u128::MAX } else { (1 << width) - 1 }
}

impl BitVector {
    /// The value modulo two to the width.
    pub fn new(width: u32, value: u128) -> BitVector {
        assert!(width > 0, "a bit-vector has at least one bit");
        let bits = if width <= SMALL { Bits::Small(value & mask(width)) } else { Bits::Large(BigUint::from(value)) };
        BitVector { width, bits }
    }

    /// The two's complement of the value at this width.
    pub fn from_signed(width: u32, value: i128) -> BitVector {
        if width <= SMALL { BitVector::new(width, value as u128) } else { Self::from_bigint(width, &value.into()) }
    }

    pub fn from_biguint(width: u32, value: &BigUint) -> BitVector {
        if width > SMALL {
            let value = if value.bits() > u64::from(width) { value % (BigUint::one() << width) } else { value.clone() };
            return BitVector { width, bits: Bits::Large(value) };
        }
        let mut digits = value.iter_u64_digits();
        let low = u128::from(digits.next().unwrap_or(0));
        let high = u128::from(digits.next().unwrap_or(0));
        BitVector::new(width, low | high << 64)
    }

    pub fn from_bigint(width: u32, value: &BigInt) -> BitVector {
        let magnitude = Self::from_biguint(width, value.magnitude());
        if value.sign() == Sign::Minus { magnitude.neg() } else { magnitude }
    }

    /// Reads binary digits, the most significant first, as solvers print them.
    pub fn from_binary(digits: &str) -> Option<BitVector> {
        let width = u32::try_from(digits.len()).ok().filter(|&it| it > 0)?;
        Some(Self::from_biguint(width, &BigUint::parse_bytes(digits.as_bytes(), 2)?))
    }

    pub fn zero(width: u32) -> BitVector {
        BitVector::new(width, 0)
    }

    pub fn one(width: u32) -> BitVector {
        BitVector::new(width, 1)
    }

    pub fn ones(width: u32) -> BitVector {
        BitVector::zero(width).not()
    }

    pub fn min_signed(width: u32) -> BitVector {
        BitVector::one(width).shl_by(width - 1)
    }

    pub fn max_signed(width: u32) -> BitVector {
        BitVector::min_signed(width).not()
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == 0,
            Bits::Large(value) => value.is_zero(),
        }
    }

    pub fn is_one(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == 1,
            Bits::Large(value) => value.is_one(),
        }
    }

    pub fn is_ones(&self) -> bool {
        self.significant_bits() == self.width && self.not().is_zero()
    }

    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(value) => index < SMALL && value >> index & 1 == 1,
            Bits::Large(value) => value.bit(index.into()),
        }
    }

    /// Whether the value is negative in two's complement.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// How many bits the unsigned value needs; none for zero.
    pub fn significant_bits(&self) -> u32 {
        match &self.bits {
            Bits::Small(value) => SMALL - value.leading_zeros(),
            Bits::Large(value) => value.bits() as u32,
        }
    }

    /// How many bits the value needs in two's complement, at least one.
    pub fn signed_bits(&self) -> u32 {
        if self.sign() { self.not().significant_bits() + 1 } else { self.significant_bits() + 1 }
    }

    /// The exponent when the value is a power of two.
    pub fn power_of_two(&self) -> Option<u32> {
        let exponent = self.significant_bits().checked_sub(1)?;
        (BitVector::one(self.width).shl_by(exponent) == *self).then_some(exponent)
    }

    pub fn to_biguint(&self) -> BigUint {
        match &self.bits {
            Bits::Small(value) => BigUint::from(*value),
            Bits::Large(value) => value.clone(),
        }
    }

    /// The value read as two's complement.
    pub fn to_signed(&self) -> BigInt {
        let value = BigInt::from(self.to_biguint());
        if self.sign() { value - (BigInt::one() << self.width) } else { value }
    }

    /// The unsigned value, when it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.bits {
            Bits::Small(value) => Some(*value),
            Bits::Large(value) => u128::try_from(value).ok(),
        }
    }

    /// The unsigned value, when it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|it| u64::try_from(it).ok())
    }

    /// The value read as two's complement, when it fits.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.bits {
            Bits::Small(value) => {
                let unused = SMALL - self.width;
                Some((value << unused) as i128 >> unused)
            }
            Bits::Large(_) => i128::try_from(self.to_signed()).ok(),
        }
    }

    /// The value read as two's complement, when it fits.
    pub fn to_i64(&self) -> Option<i64> {
        self.to_i128().and_then(|it| i64::try_from(it).ok())
    }

    fn combine(
        &self,
        other: &BitVector,
        small: impl FnOnce(u128, u128) -> u128,
        large: impl FnOnce(&BigUint, &BigUint) -> BigUint,
    ) -> BitVector {
        assert_eq!(self.width, other.width, "operands of one operation have one width");
        match (&self.bits, &other.bits) {
            (Bits::Small(left), Bits::Small(right)) => BitVector::new(self.width, small(*left, *right)),
            (Bits::Large(left), Bits::Large(right)) => Self::from_biguint(self.width, &large(left, right)),
            _ => unreachable!("values of one width have one representation"),
        }
    }

    pub fn not(&self) -> BitVector {
        match &self.bits {
            Bits::Small(value) => BitVector::new(self.width, !value),
            Bits::Large(value) => Self::from_biguint(self.width, &((BigUint::one() << self.width) - 1u32 - value)),
        }
    }

    pub fn neg(&self) -> BitVector {
        BitVector::zero(self.width).sub(self)
    }

    pub fn add(&self, other: &BitVector) -> BitVector {
        self.combine(other, u128::wrapping_add, |left, right| left + right)
    }

    pub fn sub(&self, other: &BitVector) -> BitVector {
        let modulus = |left: &BigUint, right: &BigUint| (BigUint::one() << self.width) + left - right;
        self.combine(other, u128::wrapping_sub, modulus)
    }

    pub fn mul(&self, other: &BitVector) -> BitVector {
        self.combine(other, u128::wrapping_mul, |left, right| left * right)
    }

    pub fn udiv(&self, other: &BitVector) -> BitVector {
        if other.is_zero() {
            return BitVector::ones(self.width);
        }
        self.combine(other, |left, right| left / right, |left, right| left / right)
    }

    pub fn urem(&self, other: &BitVector) -> BitVector {
        if other.is_zero() {
            return self.clone();
        }
        self.combine(other, |left, right| left % right, |left, right| left % right)
    }

    pub fn magnitude(&self) -> BitVector {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// Signed division, truncating as C does.
    pub fn sdiv(&self, other: &BitVector) -> BitVector {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.sign() == other.sign() { quotient } else { quotient.neg() }
    }

    /// Signed remainder with the sign of the dividend, as in C.
    pub fn srem(&self, other: &BitVector) -> BitVector {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.sign() { remainder.neg() } else { remainder }
    }

    /// Signed remainder with the sign of the divisor.
    pub fn smod(&self, other: &BitVector) -> BitVector {
        let remainder = self.srem(other);
        if remainder.is_zero() || self.sign() == other.sign() || other.is_zero() {
            remainder
        } else {
            remainder.add(other)
        }
    }

    pub fn and(&self, other: &BitVector) -> BitVector {
        self.combine(other, |left, right| left & right, |left, right| left & right)
    }

    pub fn or(&self, other: &BitVector) -> BitVector {
        self.combine(other, |left, right| left | right, |left, right| left | right)
    }

    pub fn xor(&self, other: &BitVector) -> BitVector {
        self.combine(other, |left, right| left ^ right, |left, right| left ^ right)
    }

    /// The shift amount as a number of bits below the width, if it is one.
    fn shift_amount(&self, amount: &BitVector) -> Option<u32> {
        assert_eq!(self.width, amount.width, "operands of one operation have one width");
        amount.to_u64().and_then(|it| u32::try_from(it).ok()).filter(|&it| it < self.width)
    }

    fn shl_by(&self, amount: u32) -> BitVector {
        match &self.bits {
            Bits::Small(value) => BitVector::new(self.width, value << amount),
            Bits::Large(value) => Self::from_biguint(self.width, &(value << amount)),
        }
    }

    fn lshr_by(&self, amount: u32) -> BitVector {
        match &self.bits {
            Bits::Small(value) => BitVector::new(self.width, value >> amount),
            Bits::Large(value) => Self::from_biguint(self.width, &(value >> amount)),
        }
    }

    pub fn shl(&self, amount: &BitVector) -> BitVector {
        self.shift_amount(amount).map_or_else(|| BitVector::zero(self.width), |it| self.shl_by(it))
    }

    pub fn lshr(&self, amount: &BitVector) -> BitVector {
        self.shift_amount(amount).map_or_else(|| BitVector::zero(self.width), |it| self.lshr_by(it))
    }

    pub fn ashr(&self, amount: &BitVector) -> BitVector {
        if self.sign() { self.not().lshr(amount).not() } else { self.lshr(amount) }
    }

    /// `self` as the upper part, `low` as the lower part.
    pub fn concat(&self, low: &BitVector) -> BitVector {
        let width = self.width + low.width;
        self.zero_extend(low.width).shl_by(low.width).or(&low.zero_extend(width - low.width))
    }

    /// The bits from `low` to `high`, both included.
    pub fn extract(&self, high: u32, low: u32) -> BitVector {
        assert!(low <= high && high < self.width, "bits {high} to {low} of {} bits", self.width);
        self.lshr_by(low).resize(high - low + 1)
    }

    fn resize(&self, width: u32) -> BitVector {
        match &self.bits {
            Bits::Small(value) if width <= SMALL => BitVector::new(width, *value),
            _ => Self::from_biguint(width, &self.to_biguint()),
        }
    }

    pub fn zero_extend(&self, by: u32) -> BitVector {
        self.resize(self.width + by)
    }

    pub fn sign_extend(&self, by: u32) -> BitVector {
        let width = self.width + by;
        if self.sign() { self.not().resize(width).not() } else { self.resize(width) }
    }

    pub fn ult(&self, other: &BitVector) -> bool {
        assert_eq!(self.width, other.width, "operands of one operation have one width");
        self.bits < other.bits
    }

    pub fn slt(&self, other: &BitVector) -> bool {
        if self.sign() == other.sign() { self.ult(other) } else { self.sign() }
    }

    fn signed_fits(&self, value: &BigInt) -> bool {
        let value = if value.sign() == Sign::Minus { -(value + 1u32) } else { value.clone() };
        value.bits() < u64::from(self.width)
    }

    pub fn uadd_overflow(&self, other: &BitVector) -> bool {
        (self.to_biguint() + other.to_biguint()).bits() > self.width.into()
    }

    pub fn umul_overflow(&self, other: &BitVector) -> bool {
        (self.to_biguint() * other.to_biguint()).bits() > self.width.into()
    }

    pub fn sadd_overflow(&self, other: &BitVector) -> bool {
        !self.signed_fits(&(self.to_signed() + other.to_signed()))
    }

    pub fn ssub_overflow(&self, other: &BitVector) -> bool {
        !self.signed_fits(&(self.to_signed() - other.to_signed()))
    }

    pub fn smul_overflow(&self, other: &BitVector) -> bool {
        !self.signed_fits(&(self.to_signed() * other.to_signed()))
    }
}

impl fmt::Display for BitVector {
    /// As SMT-LIB writes it: hexadecimal where the width allows, binary otherwise.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_biguint();
        if self.width.is_multiple_of(4) {
            write!(formatter, "#x{:0>1$}", value.to_str_radix(16), (self.width / 4) as usize)
        } else {
            write!(formatter, "#b{:0>1$}", value.to_str_radix(2), self.width as usize)
        }
    }
}

impl fmt::Debug for BitVector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::BitVector;

    fn bits(width: u32, value: i128) -> BitVector {
        BitVector::from_signed(width, value)
    }

    #[test]
    fn division_follows_smtlib() {
        assert_eq!(bits(8, 7).udiv(&bits(8, 0)), BitVector::ones(8));
        assert_eq!(bits(8, -7).urem(&bits(8, 0)), bits(8, -7));
        assert_eq!(bits(8, -7).sdiv(&bits(8, 2)), bits(8, -3));
        assert_eq!(bits(8, -7).srem(&bits(8, 2)), bits(8, -1));
        assert_eq!(bits(8, -7).smod(&bits(8, 2)), bits(8, 1));
        assert_eq!(bits(8, 7).smod(&bits(8, -2)), bits(8, -1));
        assert_eq!(bits(8, -128).sdiv(&bits(8, -1)), bits(8, -128));
    }

    #[test]
    fn shifts_beyond_the_width() {
        assert_eq!(bits(8, -2).ashr(&bits(8, 100)), BitVector::ones(8));
        assert_eq!(bits(8, -2).lshr(&bits(8, 100)), bits(8, 0));
        assert_eq!(bits(200, 1).shl(&bits(200, 199)), BitVector::min_signed(200));
    }

    /// The wide representation computes what the narrow one does.
    #[test]
    fn wide_agrees_with_narrow() {
        let values = [-128i128, -127, -7, -2, -1, 0, 1, 2, 3, 100, 127];
        for left in values {
            for right in values {
                let (narrow, other) = (bits(64, left), bits(64, right));
                let (wide, wider) = (narrow.sign_extend(136), other.sign_extend(136));
                let low = |it: BitVector| it.extract(63, 0);
                assert_eq!(low(wide.add(&wider)), narrow.add(&other));
                assert_eq!(low(wide.sub(&wider)), narrow.sub(&other));
                assert_eq!(low(wide.mul(&wider)), narrow.mul(&other));
                assert_eq!(low(wide.xor(&wider)), narrow.xor(&other));
                assert_eq!(wide.slt(&wider), narrow.slt(&other));
                assert_eq!(wide.ult(&wider), narrow.ult(&other));
                if right != 0 {
                    assert_eq!(low(wide.sdiv(&wider)), narrow.sdiv(&other));
                    assert_eq!(low(wide.smod(&wider)), narrow.smod(&other));
                }
                assert!(!wide.smul_overflow(&wider) && !wide.sadd_overflow(&wider));
            }
        }
    }

    #[test]
    fn parts() {
        let value = bits(12, 0xabc);
        assert_eq!(value.extract(11, 4).concat(&value.extract(3, 0)), value);
        assert_eq!(value.to_string(), "#xabc");
        assert_eq!(bits(3, 5).to_string(), "#b101");
        assert_eq!(value.signed_bits(), 12);
        assert_eq!(bits(12, -1).signed_bits(), 1);
        assert_eq!(bits(140, 8).power_of_two(), Some(3));
        assert_eq!(BitVector::from_binary("00101"), Some(bits(5, 5)));
        assert!(bits(8, 127).sadd_overflow(&bits(8, 1)) && !bits(8, -127).sadd_overflow(&bits(8, -1)));
        assert!(bits(8, -128).smul_overflow(&bits(8, -1)) && bits(8, 16).umul_overflow(&bits(8, 16)));
    }
}
