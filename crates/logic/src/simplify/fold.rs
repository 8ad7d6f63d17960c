//! Constant folding: an operator on values, as in [`crate::evaluate`], which also uses it.
//!
//! `None` where SMT-LIB leaves the result open: division by zero of integers and reals, floats that do not
//! fit an integer, the minimum of two zeros. Two terms that are equal must not get different results there,
//! so nothing is folded.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Euclid, Zero};

use crate::terms::Op;
use crate::value::{BitVector, Float, Value};

/// The value of an operator on values, for all but Boolean connectives, `ite`, arrays, functions and
/// quantifiers, which need not know all arguments.
pub(crate) fn fold(op: Op, arguments: &[&Value]) -> Option<Value> {
    match arguments {
        [Value::BitVector(a)] => fold_bits(op, a),
        [Value::BitVector(a), Value::BitVector(b)] => Some(fold_bit_pair(op, a, b)),
        [Value::Float(a)] => fold_float(op, a),
        [Value::Float(a), Value::Float(b)] => fold_float_pair(op, a, b),
        [Value::Float(a), Value::Float(b), Value::Float(c)] => match op {
            Op::FpFma(rounding) => Some(Value::Float(a.fma(b, c, rounding))),
            _ => None,
        },
        [Value::Int(a)] => Some(fold_int(op, a)),
        [Value::Int(a), Value::Int(b)] => fold_int_pair(op, a, b),
        [Value::Real(a)] => Some(match op {
            Op::ArithNeg => Value::Real(-a),
            Op::RealToInt => Value::Int(a.floor().to_integer()),
            _ => panic!("{op:?} of a real"),
        }),
        [Value::Real(a), Value::Real(b)] => fold_real_pair(op, a, b),
        [Value::Bool(a), Value::Bool(b)] if op == Op::Equal => Some(Value::Bool(a == b)),
        [Value::Element(a), Value::Element(b)] if op == Op::Equal => Some(Value::Bool(a == b)),
        [Value::Array(a), Value::Array(b)] if op == Op::Equal => Some(Value::Bool(a == b)),
        _ => panic!("{op:?} of {arguments:?}"),
    }
}

fn fold_bits(op: Op, a: &BitVector) -> Option<Value> {
    Some(match op {
        Op::BvNot => Value::BitVector(a.not()),
        Op::BvNeg => Value::BitVector(a.neg()),
        Op::BvExtract { high, low } => Value::BitVector(a.extract(high, low)),
        Op::BvZeroExtend(by) => Value::BitVector(a.zero_extend(by)),
        Op::BvSignExtend(by) => Value::BitVector(a.sign_extend(by)),
        Op::BvToInt => Value::Int(a.to_biguint().into()),
        Op::FpFromBits(format) => Value::Float(Float::from_bits(format, a.clone())),
        Op::FpFromSigned(format, rounding) => Value::Float(Float::from_integer(format, &a.to_signed(), rounding)),
        Op::FpFromUnsigned(format, rounding) => {
            Value::Float(Float::from_integer(format, &a.to_biguint().into(), rounding))
        }
        _ => panic!("{op:?} of a bit-vector"),
    })
}

fn fold_bit_pair(op: Op, a: &BitVector, b: &BitVector) -> Value {
    let bits = match op {
        Op::BvAdd => a.add(b),
        Op::BvSub => a.sub(b),
        Op::BvMul => a.mul(b),
        Op::BvUdiv => a.udiv(b),
        Op::BvUrem => a.urem(b),
        Op::BvSdiv => a.sdiv(b),
        Op::BvSrem => a.srem(b),
        Op::BvSmod => a.smod(b),
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::BvShl => a.shl(b),
        Op::BvLshr => a.lshr(b),
        Op::BvAshr => a.ashr(b),
        Op::BvConcat => a.concat(b),
        _ => return Value::Bool(bit_relation(op, a, b)),
    };
    Value::BitVector(bits)
}

fn bit_relation(op: Op, a: &BitVector, b: &BitVector) -> bool {
    match op {
        Op::Equal => a == b,
        Op::BvUlt => a.ult(b),
        Op::BvSlt => a.slt(b),
        Op::BvUaddOverflow => a.uadd_overflow(b),
        Op::BvSaddOverflow => a.sadd_overflow(b),
        Op::BvSsubOverflow => a.ssub_overflow(b),
        Op::BvUmulOverflow => a.umul_overflow(b),
        Op::BvSmulOverflow => a.smul_overflow(b),
        _ => panic!("{op:?} of two bit-vectors"),
    }
}

fn fold_float(op: Op, a: &Float) -> Option<Value> {
    Some(match op {
        Op::FpAbs => Value::Float(a.abs()),
        Op::FpNeg => Value::Float(a.neg()),
        Op::FpSqrt(rounding) => Value::Float(a.sqrt(rounding)),
        Op::FpRoundToIntegral(rounding) => Value::Float(a.round_to_integral(rounding)),
        Op::FpIsNormal => Value::Bool(a.is_normal()),
        Op::FpIsSubnormal => Value::Bool(a.is_subnormal()),
        Op::FpIsZero => Value::Bool(a.is_zero()),
        Op::FpIsInfinite => Value::Bool(a.is_infinite()),
        Op::FpIsNan => Value::Bool(a.is_nan()),
        Op::FpIsNegative => Value::Bool(a.is_negative()),
        Op::FpIsPositive => Value::Bool(a.is_positive()),
        Op::FpToBits => Value::BitVector(a.bits().clone()),
        Op::FpConvert(format, rounding) => Value::Float(a.convert(format, rounding)),
        Op::FpToSigned(width, rounding) => Value::BitVector(a.to_signed(width, rounding)?),
        Op::FpToUnsigned(width, rounding) => Value::BitVector(a.to_unsigned(width, rounding)?),
        _ => panic!("{op:?} of a float"),
    })
}

fn fold_float_pair(op: Op, a: &Float, b: &Float) -> Option<Value> {
    Some(match op {
        Op::Equal => Value::Bool(a == b),
        Op::FpAdd(rounding) => Value::Float(a.add(b, rounding)),
        Op::FpSub(rounding) => Value::Float(a.sub(b, rounding)),
        Op::FpMul(rounding) => Value::Float(a.mul(b, rounding)),
        Op::FpDiv(rounding) => Value::Float(a.div(b, rounding)),
        Op::FpRem => Value::Float(a.rem(b)),
        Op::FpMin => Value::Float(a.min(b)?),
        Op::FpMax => Value::Float(a.max(b)?),
        Op::FpLe => Value::Bool(a.compare(b).is_some_and(|it| it.is_le())),
        Op::FpLt => Value::Bool(a.compare(b).is_some_and(|it| it.is_lt())),
        Op::FpEqual => Value::Bool(a.compare(b).is_some_and(|it| it.is_eq())),
        _ => panic!("{op:?} of two floats"),
    })
}

fn fold_int(op: Op, a: &BigInt) -> Value {
    match op {
        Op::ArithNeg => Value::Int(-a),
        Op::IntToReal => Value::Real(BigRational::from_integer(a.clone())),
        Op::IntToBv(width) => Value::BitVector(BitVector::from_bigint(width, a)),
        _ => panic!("{op:?} of an integer"),
    }
}

fn fold_int_pair(op: Op, a: &BigInt, b: &BigInt) -> Option<Value> {
    Some(match op {
        Op::Equal => Value::Bool(a == b),
        Op::ArithAdd => Value::Int(a + b),
        Op::ArithSub => Value::Int(a - b),
        Op::ArithMul => Value::Int(a * b),
        Op::ArithLt => Value::Bool(a < b),
        Op::IntDiv | Op::IntMod if b.is_zero() => return None,
        Op::IntDiv => Value::Int(a.div_euclid(b)),
        Op::IntMod => Value::Int(a.rem_euclid(b)),
        _ => panic!("{op:?} of two integers"),
    })
}

fn fold_real_pair(op: Op, a: &BigRational, b: &BigRational) -> Option<Value> {
    Some(match op {
        Op::Equal => Value::Bool(a == b),
        Op::ArithAdd => Value::Real(a + b),
        Op::ArithSub => Value::Real(a - b),
        Op::ArithMul => Value::Real(a * b),
        Op::ArithLt => Value::Bool(a < b),
        Op::RealDiv if b.is_zero() => return None,
        Op::RealDiv => Value::Real(a / b),
        _ => panic!("{op:?} of two reals"),
    })
}
