//! Sorts of terms: what values a term may have.
//!
//! A sort is small and copied; the parts of an array's sort are kept in the arena of terms, which is asked
//! for them (`Terms::array_parts`).

/// Wider bit-vectors than this are refused: no program has them, and a solver would not come back.
pub const MAX_WIDTH: u32 = 1 << 20;

/// The set that a term's values come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Bool,
    /// Bit-vectors of this width.
    BitVector(u32),
    Float(FloatFormat),
    /// Unbounded integers.
    Int,
    Real,
    Array(ArraySort),
    /// A set of which nothing is known but equality.
    Uninterpreted(SymbolId),
}

impl Sort {
    /// The width of a bit-vector's sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVector(width) => Some(width),
            _ => None,
        }
    }
}

/// The format of an IEEE-754 float in SMT-LIB's way: the significand counts the hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatFormat {
    pub exponent: u16,
    pub significand: u16,
}

impl FloatFormat {
    pub const HALF: FloatFormat = FloatFormat { exponent: 5, significand: 11 };
    /// C's `float`.
    pub const SINGLE: FloatFormat = FloatFormat { exponent: 8, significand: 24 };
    /// C's `double`.
    pub const DOUBLE: FloatFormat = FloatFormat { exponent: 11, significand: 53 };
    /// The values of x87's `long double`, without its redundant integer bit.
    pub const EXTENDED: FloatFormat = FloatFormat { exponent: 15, significand: 64 };
    pub const QUADRUPLE: FloatFormat = FloatFormat { exponent: 15, significand: 113 };

    /// The width of the format's bit pattern.
    pub fn width(self) -> u32 {
        u32::from(self.exponent) + u32::from(self.significand)
    }
}

/// How an inexact float result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

/// An array's sort; the arena of terms knows its index and element sorts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArraySort(pub(crate) u32);

/// A name in the arena of terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(pub(crate) u32);

/// An uninterpreted function in the arena of terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub(crate) u32);
