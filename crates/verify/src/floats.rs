//! What C's float operators mean as terms, for all who encode programs.
//!
//! Values are their bits, and become floats for the length of an operator. Bits in, bits out. What is done where
//! a format or an operator has no term here, and where a check fails, is for the encoders to say.
//!
//! Imprecise: a result that is not a number is x86's default one, whatever its operands carried.

use logic::sort::{FloatFormat, Rounding};
use logic::terms::{TermId, Terms};
use logic::value::BitVector;
use program::{Float, FloatComparison, FloatOp, FloatRelation, Sign, Type};

pub const NEAREST: Rounding = Rounding::NearestEven;

/// The format of a type that has one here; `long double` has none.
pub fn format(ty: Type) -> Option<FloatFormat> {
    match ty {
        Type::Float(Float::F16) => Some(FloatFormat::HALF),
        Type::Float(Float::F32) => Some(FloatFormat::SINGLE),
        Type::Float(Float::F64) => Some(FloatFormat::DOUBLE),
        Type::Float(Float::F128) => Some(FloatFormat::QUADRUPLE),
        _ => None,
    }
}

/// The bits of a result, with x86's default for what is not a number.
pub fn bits(terms: &mut Terms, float: TermId) -> TermId {
    let format = terms.float_format(float);
    let bits = terms.fp_to_bits(float);
    let nan = terms.fp_is_nan(float);
    let (exponent, fraction) = (u32::from(format.exponent), u32::from(format.significand) - 1);
    let ones = (u128::MAX >> (128 - exponent - 2)) << (fraction - 1);
    let default = terms.bv_value(&BitVector::new(format.width(), ones));
    terms.ite(nan, default, bits)
}

/// Nothing for the remainder, which has no term.
pub fn arithmetic(terms: &mut Terms, op: FloatOp, format: FloatFormat, left: TermId, right: TermId) -> Option<TermId> {
    let (left, right) = (terms.fp_from_bits(format, left), terms.fp_from_bits(format, right));
    let result = match op {
        FloatOp::Add => terms.fp_add(NEAREST, left, right),
        FloatOp::Sub => terms.fp_sub(NEAREST, left, right),
        FloatOp::Mul => terms.fp_mul(NEAREST, left, right),
        FloatOp::Div => terms.fp_div(NEAREST, left, right),
        FloatOp::Rem => return None,
    };
    Some(bits(terms, result))
}

pub fn compare(
    terms: &mut Terms,
    comparison: FloatComparison,
    format: FloatFormat,
    left: TermId,
    right: TermId,
) -> TermId {
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
        return terms.or2(unordered, related);
    }
    let ordered = terms.not(unordered);
    terms.and2(ordered, related)
}

/// A float as an integer.
pub struct Integer {
    /// It does not fit: then the value means nothing.
    pub misfit: TermId,
    pub value: TermId,
}

pub fn to_integer(terms: &mut Terms, sign: Sign, format: FloatFormat, width: u32, value: TermId) -> Integer {
    let float = terms.fp_from_bits(format, value);
    let whole = terms.fp_round_to_integral(Rounding::TowardZero, float);
    let magnitude = if sign == Sign::Signed { width - 1 } else { width };
    let end = power_of_two(terms, format, magnitude);
    let inside = terms.fp_lt(whole, end);
    let start = match sign {
        Sign::Signed => terms.fp_neg(end),
        Sign::Unsigned => {
            let zero = terms.bv(format.width(), 0);
            terms.fp_from_bits(format, zero)
        }
    };
    let above = terms.fp_le(start, whole);
    let fits = terms.and2(inside, above);
    let misfit = terms.not(fits);
    let value = match sign {
        Sign::Signed => terms.fp_to_signed(width, Rounding::TowardZero, float),
        Sign::Unsigned => terms.fp_to_unsigned(width, Rounding::TowardZero, float),
    };
    Integer { misfit, value }
}

/// Two to this power; infinite if the format does not reach that far.
fn power_of_two(terms: &mut Terms, format: FloatFormat, exponent: u32) -> TermId {
    let width = exponent + 2;
    let one = terms.bv(width, 1);
    let amount = terms.bv(width, u64::from(exponent));
    let value = terms.bv_shl(one, amount);
    terms.fp_from_unsigned(format, NEAREST, value)
}

/// LLVM's classes, from bit 0: signaling and quiet NaN, negative infinity, normal, subnormal, zero, and the positive
/// ones from zero up. Nothing where the two kinds of NaN are told apart.
pub fn is_class(terms: &mut Terms, mask: u16, format: FloatFormat, value: TermId) -> Option<TermId> {
    if !matches!(mask & 3, 0 | 3) {
        return None;
    }
    let float = terms.fp_from_bits(format, value);
    let top = format.width() - 1;
    let one = terms.bv(1, 1);
    let sign = terms.bv_extract(top, top, value);
    let negative = terms.eq(sign, one);
    let positive = terms.not(negative);
    let mut found = Vec::new();
    if mask & 3 == 3 {
        found.push(terms.fp_is_nan(float));
    }
    let shapes = [terms.fp_is_infinite(float), terms.fp_is_normal(float), terms.fp_is_subnormal(float)];
    let zero = terms.fp_is_zero(float);
    for (distance, shape) in shapes.into_iter().chain([zero]).enumerate() {
        if mask >> (2 + distance) & 1 == 1 {
            found.push(terms.and2(negative, shape));
        }
        if mask >> (9 - distance) & 1 == 1 {
            found.push(terms.and2(positive, shape));
        }
    }
    Some(terms.or(&found))
}
