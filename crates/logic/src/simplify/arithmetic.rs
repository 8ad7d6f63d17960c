//! Integers and reals.

use crate::terms::{Op, TermId, Terms};
use crate::value::Value;

use super::fold::fold;

impl Terms {
    fn arith_folded(&mut self, op: Op, arguments: &[TermId]) -> Option<TermId> {
        let values: Vec<Value> = arguments.iter().map(|&it| self.as_value(it)).collect::<Option<_>>()?;
        let value = fold(op, &values.iter().collect::<Vec<_>>())?;
        let sort = self.result_sort(op, arguments);
        Some(self.constant(&value, sort))
    }

    fn arith_build(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        self.arith_folded(op, arguments).unwrap_or_else(|| self.raw(op, arguments))
    }

    fn is_number(&self, term: TermId, number: i32) -> bool {
        match self.as_value(term) {
            Some(Value::Int(value)) => value == number.into(),
            Some(Value::Real(value)) => value.is_integer() && value.to_integer() == number.into(),
            _ => false,
        }
    }

    pub fn arith_neg(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::ArithNeg => self.argument(a, 0),
            Op::ArithSub => self.arith_sub(self.argument(a, 1), self.argument(a, 0)),
            _ => self.arith_build(Op::ArithNeg, &[a]),
        }
    }

    /// A sum's value as its second summand, if it has one.
    fn summand(&self, term: TermId) -> Option<(TermId, TermId)> {
        (self.op(term) == Op::ArithAdd && self.is_constant(self.argument(term, 1)))
            .then(|| (self.argument(term, 0), self.argument(term, 1)))
    }

    pub fn arith_add(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        if self.is_number(b, 0) {
            return a;
        }
        if let Some(folded) = self.arith_folded(Op::ArithAdd, &[a, b]) {
            return folded;
        }
        if let Some((base, offset)) = self.summand(a) {
            if self.is_constant(b) {
                let offset = self.arith_add(offset, b);
                return self.arith_add(base, offset);
            }
            return self.sum_with(base, b, offset);
        }
        if let Some((base, offset)) = self.summand(b) {
            return self.sum_with(a, base, offset);
        }
        self.raw(Op::ArithAdd, &[a, b])
    }

    /// Moves a value to the end of the sum, where the next one finds it.
    fn sum_with(&mut self, a: TermId, b: TermId, offset: TermId) -> TermId {
        let sum = self.arith_add(a, b);
        self.arith_add(sum, offset)
    }

    pub fn arith_sub(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_constant(b) {
            let negated = self.arith_neg(b);
            return self.arith_add(a, negated);
        }
        if a == b {
            return self.arith_zero(a);
        }
        if let (Some((base, offset)), Some((other, other_offset))) = (self.summand(a), self.summand(b))
            && base == other
        {
            return self.arith_sub(offset, other_offset);
        }
        match (self.summand(a), self.summand(b)) {
            (Some((base, offset)), _) if base == b => offset,
            (_, Some((other, offset))) if other == a => self.arith_neg(offset),
            _ => self.arith_build(Op::ArithSub, &[a, b]),
        }
    }

    fn arith_zero(&mut self, like: TermId) -> TermId {
        let sort = self.sort(like);
        let zero = Value::default_of(sort, self);
        self.constant(&zero, sort)
    }

    pub fn arith_mul(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        if self.is_number(b, 1) {
            return a;
        }
        if self.is_number(b, 0) {
            return b;
        }
        if self.is_number(b, -1) {
            return self.arith_neg(a);
        }
        self.arith_build(Op::ArithMul, &[a, b])
    }

    pub fn arith_lt(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.false_term();
        }
        self.arith_build(Op::ArithLt, &[a, b])
    }

    pub fn arith_le(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.arith_lt(b, a);
        self.not(above)
    }

    /// Two different terms, a value being the second.
    pub(super) fn arith_eq(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_constant(a) && self.is_constant(b) {
            return self.false_term();
        }
        if let Some((base, offset)) = self.summand(a)
            && self.is_constant(b)
        {
            let rest = self.arith_sub(b, offset);
            return self.eq(base, rest);
        }
        let apart = match (self.summand(a), self.summand(b)) {
            (Some((base, _)), Some((other, _))) => base == other,
            (Some((base, _)), None) => base == b,
            (None, Some((other, _))) => other == a,
            (None, None) => false,
        };
        if apart { self.false_term() } else { self.raw(Op::Equal, &[a, b]) }
    }

    /// SMT-LIB's integer division.
    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_number(b, 1) { a } else { self.arith_build(Op::IntDiv, &[a, b]) }
    }

    /// SMT-LIB's integer remainder.
    pub fn int_mod(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_number(b, 1) { self.arith_zero(a) } else { self.arith_build(Op::IntMod, &[a, b]) }
    }

    pub fn real_div(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_number(b, 1) { a } else { self.arith_build(Op::RealDiv, &[a, b]) }
    }

    pub fn int_to_real(&mut self, a: TermId) -> TermId {
        self.arith_build(Op::IntToReal, &[a])
    }

    /// The greatest integer that is not above.
    pub fn real_to_int(&mut self, a: TermId) -> TermId {
        if self.op(a) == Op::IntToReal { self.argument(a, 0) } else { self.arith_build(Op::RealToInt, &[a]) }
    }

    /// The unsigned value.
    pub fn bv_to_int(&mut self, a: TermId) -> TermId {
        self.arith_build(Op::BvToInt, &[a])
    }

    /// The value modulo two to the width.
    pub fn int_to_bv(&mut self, width: u32, a: TermId) -> TermId {
        if self.op(a) == Op::BvToInt && self.width(self.argument(a, 0)) == width {
            return self.argument(a, 0);
        }
        self.arith_build(Op::IntToBv(width), &[a])
    }
}
