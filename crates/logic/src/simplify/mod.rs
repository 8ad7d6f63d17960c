//! Constructors of terms that simplify on the fly, one file for each theory.
//!
//! Each looks at its arguments and at most a few levels below, never at whole terms, so that building a
//! term takes constant time but for the bounded walks that are named where they stand. What comes out means
//! the same as the plain term for every assignment; `tests/logic/simplification.rs` checks that for every
//! operator.

mod arithmetic;
mod array;
mod bit_vector;
mod boolean;
mod bounds;
mod comparison;
mod float;
mod fold;
mod parts;
mod quantifier;
mod slicing;

pub(crate) use fold::fold;

use crate::terms::{Op, TermId, Terms};

impl Terms {
    /// A simplified term for any operator but variables, values and constant arrays.
    pub fn build(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        match (op, arguments) {
            (Op::Apply(function), _) => self.apply(function, arguments),
            (Op::True, _) => self.true_term(),
            (Op::False, _) => self.false_term(),
            (Op::And, _) => self.and(arguments),
            (Op::Or, _) => self.or(arguments),
            (Op::Forall, [bound @ .., body]) => self.forall(bound, *body),
            (Op::Exists, [bound @ .., body]) => self.exists(bound, *body),
            (_, &[a]) => self.build_unary(op, a),
            (_, &[a, b]) => self.build_binary(op, a, b),
            (Op::Ite, &[condition, then, otherwise]) => self.ite(condition, then, otherwise),
            (Op::Store, &[array, index, value]) => self.store(array, index, value),
            (Op::FpFma(rounding), &[a, b, c]) => self.fp_fma(rounding, a, b, c),
            _ => panic!("{op:?} is not built from {} arguments", arguments.len()),
        }
    }

    fn build_unary(&mut self, op: Op, a: TermId) -> TermId {
        match op {
            Op::Not => self.not(a),
            Op::BvNot => self.bv_not(a),
            Op::BvNeg => self.bv_neg(a),
            Op::BvExtract { high, low } => self.bv_extract(high, low, a),
            Op::BvZeroExtend(by) => self.bv_zero_extend(by, a),
            Op::BvSignExtend(by) => self.bv_sign_extend(by, a),
            Op::ArithNeg => self.arith_neg(a),
            Op::IntToReal => self.int_to_real(a),
            Op::RealToInt => self.real_to_int(a),
            Op::BvToInt => self.bv_to_int(a),
            Op::IntToBv(width) => self.int_to_bv(width, a),
            _ => self.float_unary(op, a),
        }
    }

    fn build_binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        match op {
            Op::Equal => self.eq(a, b),
            Op::BvAdd => self.bv_add(a, b),
            Op::BvSub => self.bv_sub(a, b),
            Op::BvMul => self.bv_mul(a, b),
            Op::BvUdiv => self.bv_udiv(a, b),
            Op::BvUrem => self.bv_urem(a, b),
            Op::BvSdiv => self.bv_sdiv(a, b),
            Op::BvSrem => self.bv_srem(a, b),
            Op::BvSmod => self.bv_smod(a, b),
            Op::BvAnd => self.bv_and(a, b),
            Op::BvOr => self.bv_or(a, b),
            Op::BvXor => self.bv_xor(a, b),
            Op::BvShl => self.bv_shl(a, b),
            Op::BvLshr => self.bv_lshr(a, b),
            Op::BvAshr => self.bv_ashr(a, b),
            Op::BvUlt => self.bv_ult(a, b),
            Op::BvSlt => self.bv_slt(a, b),
            Op::BvUaddOverflow => self.bv_uadd_overflow(a, b),
            Op::BvSaddOverflow => self.bv_sadd_overflow(a, b),
            Op::BvSsubOverflow => self.bv_ssub_overflow(a, b),
            Op::BvUmulOverflow => self.bv_umul_overflow(a, b),
            Op::BvSmulOverflow => self.bv_smul_overflow(a, b),
            Op::BvConcat => self.bv_concat(a, b),
            Op::Select => self.select(a, b),
            Op::ArithAdd => self.arith_add(a, b),
            Op::ArithSub => self.arith_sub(a, b),
            Op::ArithMul => self.arith_mul(a, b),
            Op::ArithLt => self.arith_lt(a, b),
            Op::IntDiv => self.int_div(a, b),
            Op::IntMod => self.int_mod(a, b),
            Op::RealDiv => self.real_div(a, b),
            _ => self.float_binary(op, a, b),
        }
    }

    /// The arguments of a commutative operator in the order in which they are kept: a value comes last.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let rank = |it: TermId| (self.is_constant(it), it);
        if rank(b) < rank(a) { (b, a) } else { (a, b) }
    }
}
