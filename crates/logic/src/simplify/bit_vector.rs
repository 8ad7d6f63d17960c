//! Bit-vector arithmetic, bitwise operations and shifts.
//!
//! Values stand on the right of commutative operators; nested ones with values are merged.

use crate::terms::{Op, TermId, Terms};
use crate::value::BitVector;

use super::fold::fold;

impl Terms {
    /// The folded value if both arguments are values.
    fn folded(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let (left, right) = (self.as_value(a)?, self.as_value(b)?);
        let value = fold(op, &[&left, &right])?;
        Some(self.constant(&value, self.sort(a)))
    }

    fn folded_unary(&mut self, op: Op, a: TermId) -> Option<TermId> {
        let argument = self.as_value(a)?;
        let value = fold(op, &[&argument])?;
        Some(self.constant(&value, self.sort(a)))
    }

    pub fn bv_not(&mut self, a: TermId) -> TermId {
        if self.op(a) == Op::BvNot {
            return self.argument(a, 0);
        }
        self.folded_unary(Op::BvNot, a).unwrap_or_else(|| self.raw(Op::BvNot, &[a]))
    }

    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::BvNeg => self.argument(a, 0),
            Op::BvSub => self.bv_sub(self.argument(a, 1), self.argument(a, 0)),
            _ => self.folded_unary(Op::BvNeg, a).unwrap_or_else(|| self.raw(Op::BvNeg, &[a])),
        }
    }

    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Op::BvAdd, a, b) {
            return folded;
        }
        let ((base, offset), (other_base, other_offset)) = (self.base_and_offset(a), self.base_and_offset(b));
        let offset = offset.add(&other_offset);
        match (base, other_base) {
            (Some(base), None) | (None, Some(base)) => self.with_offset(base, &offset),
            (Some(base), Some(other)) => {
                let sum = self.bv_add_bases(base, other);
                // The sum of the bases may have an offset again.
                let (base, more) = self.base_and_offset(sum);
                let offset = offset.add(&more);
                match base {
                    Some(base) => self.with_offset(base, &offset),
                    None => self.bv_value(&offset),
                }
            }
            (None, None) => unreachable!("two values were folded"),
        }
    }

    fn with_offset(&mut self, base: TermId, offset: &BitVector) -> TermId {
        if offset.is_zero() {
            return base;
        }
        let offset = self.bv_value(offset);
        self.raw(Op::BvAdd, &[base, offset])
    }

    fn bv_add_bases(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        for (x, y) in [(a, b), (b, a)] {
            match self.op(x) {
                Op::BvNeg if self.argument(x, 0) == y => return self.bv(width, 0),
                Op::BvNot if self.argument(x, 0) == y => return self.bv_value(&BitVector::ones(width)),
                // `(p - q) + q`
                Op::BvSub if self.argument(x, 1) == y => return self.argument(x, 0),
                _ => {}
            }
        }
        match (self.op(a), self.op(b)) {
            (_, Op::BvNeg) => self.bv_sub(a, self.argument(b, 0)),
            (Op::BvNeg, _) => self.bv_sub(b, self.argument(a, 0)),
            _ => self.bv_add_multiples(a, b),
        }
    }

    /// Sums of multiples of one term are one multiple: `x + … + x` is `k * x`, also beside another summand.
    fn bv_add_multiples(&mut self, a: TermId, b: TermId) -> TermId {
        let ((rest, factor), (other_rest, other_factor)) = (self.rest_and_factor(a), self.rest_and_factor(b));
        if rest == other_rest {
            let factor = self.bv_value(&factor.add(&other_factor));
            return self.bv_mul(rest, factor);
        }
        for (sum, single) in [(a, b), (b, a)] {
            if self.op(sum) != Op::BvAdd {
                continue;
            }
            let (first, second) = (self.argument(sum, 0), self.argument(sum, 1));
            let wanted = self.rest_and_factor(single).0;
            for (part, remaining) in [(first, second), (second, first)] {
                if self.rest_and_factor(part).0 == wanted {
                    let multiple = self.bv_add_multiples(part, single);
                    return self.bv_add(remaining, multiple);
                }
            }
        }
        let (a, b) = self.ordered(a, b);
        self.raw(Op::BvAdd, &[a, b])
    }

    /// A term as `rest * factor`.
    fn rest_and_factor(&self, term: TermId) -> (TermId, BitVector) {
        if self.op(term) == Op::BvMul
            && let Some(factor) = self.as_bv(self.argument(term, 1))
        {
            return (self.argument(term, 0), factor);
        }
        (term, BitVector::one(self.width(term)))
    }

    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let ((base, offset), (other_base, other_offset)) = (self.base_and_offset(a), self.base_and_offset(b));
        let offset = offset.sub(&other_offset);
        match (base, other_base) {
            (_, None) => {
                let offset = self.bv_value(&other_offset.neg());
                self.bv_add(a, offset)
            }
            (Some(base), Some(other)) if base == other => self.bv_value(&offset),
            (Some(base), Some(other)) => {
                let difference = self.bv_sub_bases(base, other);
                let offset = self.bv_value(&offset);
                self.bv_add(difference, offset)
            }
            (None, Some(other)) => {
                let negated = self.bv_neg(other);
                self.with_offset(negated, &offset)
            }
        }
    }

    fn bv_sub_bases(&mut self, a: TermId, b: TermId) -> TermId {
        // `(p + q) - q`, `(p - q) - p`, `p - (p - q)`
        match self.op(a) {
            Op::BvAdd if self.argument(a, 0) == b => return self.argument(a, 1),
            Op::BvAdd if self.argument(a, 1) == b => return self.argument(a, 0),
            Op::BvSub if self.argument(a, 0) == b => return self.bv_neg(self.argument(a, 1)),
            _ => {}
        }
        match self.op(b) {
            Op::BvSub if self.argument(b, 0) == a => self.argument(b, 1),
            Op::BvNeg => self.bv_add(a, self.argument(b, 0)),
            _ => self.raw(Op::BvSub, &[a, b]),
        }
    }

    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Op::BvMul, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let Some(factor) = self.as_bv(b) else {
            return self.raw(Op::BvMul, &[a, b]);
        };
        if factor.is_zero() {
            return b;
        }
        if factor.is_one() {
            return a;
        }
        if factor.is_ones() {
            return self.bv_neg(a);
        }
        if self.op(a) == Op::BvMul
            && let Some(inner) = self.as_bv(self.argument(a, 1))
        {
            let product = self.bv_value(&inner.mul(&factor));
            return self.bv_mul(self.argument(a, 0), product);
        }
        self.raw(Op::BvMul, &[a, b])
    }

    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Op::BvUdiv, a, b) {
            return folded;
        }
        match self.as_bv(b).and_then(|it| it.power_of_two()) {
            Some(0) => a,
            Some(exponent) => {
                let amount = self.bv(self.width(a), exponent.into());
                self.bv_lshr(a, amount)
            }
            None => self.raw(Op::BvUdiv, &[a, b]),
        }
    }

    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Op::BvUrem, a, b) {
            return folded;
        }
        let width = self.width(a);
        match self.as_bv(b).and_then(|it| it.power_of_two()) {
            Some(0) => self.bv(width, 0),
            Some(exponent) => {
                let low = self.bv_extract(exponent - 1, 0, a);
                self.bv_zero_extend(width - exponent, low)
            }
            None if a == b => self.bv(width, 0),
            None => self.raw(Op::BvUrem, &[a, b]),
        }
    }

    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Op::BvSdiv, a, b) {
            return folded;
        }
        match self.as_bv(b) {
            Some(value) if value.is_one() && value.width() > 1 => a,
            Some(value) if value.is_ones() => self.bv_neg(a),
            Some(value) if !value.sign() && self.unsigned_bits(a) < value.width() => self.bv_udiv(a, b),
            _ => self.raw(Op::BvSdiv, &[a, b]),
        }
    }

    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Op::BvSrem, a, b) {
            return folded;
        }
        match self.as_bv(b) {
            Some(value) if value.is_ones() || value.is_one() => self.bv(value.width(), 0),
            Some(value) if !value.sign() && self.unsigned_bits(a) < value.width() => self.bv_urem(a, b),
            None if a == b => self.bv(self.width(a), 0),
            _ => self.raw(Op::BvSrem, &[a, b]),
        }
    }

    pub fn bv_smod(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Op::BvSmod, a, b) {
            return folded;
        }
        match self.as_bv(b) {
            Some(value) if value.is_ones() || value.is_one() => self.bv(value.width(), 0),
            _ => self.raw(Op::BvSmod, &[a, b]),
        }
    }

    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitwise(Op::BvAnd, a, b)
    }

    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitwise(Op::BvOr, a, b)
    }

    fn bitwise(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(op, a, b) {
            return folded;
        }
        if a == b {
            return a;
        }
        let width = self.width(a);
        let (zero, ones) = (BitVector::zero(width), BitVector::ones(width));
        let (neutral, absorbing) = if op == Op::BvAnd { (ones, zero) } else { (zero, ones) };
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.as_bv(b) {
            if value == neutral {
                return a;
            }
            if value == absorbing {
                return b;
            }
            if self.op(a) == op
                && let Some(inner) = self.as_bv(self.argument(a, 1))
            {
                let merged = if op == Op::BvAnd { inner.and(&value) } else { inner.or(&value) };
                let merged = self.bv_value(&merged);
                return self.bitwise(op, self.argument(a, 0), merged);
            }
        }
        let negates = |x: TermId, y: TermId| self.op(x) == Op::BvNot && self.argument(x, 0) == y;
        if negates(a, b) || negates(b, a) {
            return self.bv_value(&absorbing);
        }
        self.raw(op, &[a, b])
    }

    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Op::BvXor, a, b) {
            return folded;
        }
        if a == b {
            return self.bv(self.width(a), 0);
        }
        let (a, b) = self.ordered(a, b);
        match self.as_bv(b) {
            Some(value) if value.is_zero() => a,
            Some(value) if value.is_ones() => self.bv_not(a),
            Some(value) if self.op(a) == Op::BvXor => match self.as_bv(self.argument(a, 1)) {
                Some(inner) => {
                    let merged = self.bv_value(&inner.xor(&value));
                    self.bv_xor(self.argument(a, 0), merged)
                }
                None => self.raw(Op::BvXor, &[a, b]),
            },
            _ => self.raw(Op::BvXor, &[a, b]),
        }
    }

    pub fn bv_shl(&mut self, a: TermId, amount: TermId) -> TermId {
        self.shift(Op::BvShl, a, amount)
    }

    pub fn bv_lshr(&mut self, a: TermId, amount: TermId) -> TermId {
        self.shift(Op::BvLshr, a, amount)
    }

    pub fn bv_ashr(&mut self, a: TermId, amount: TermId) -> TermId {
        self.shift(Op::BvAshr, a, amount)
    }

    fn shift(&mut self, op: Op, a: TermId, amount: TermId) -> TermId {
        if let Some(folded) = self.folded(op, a, amount) {
            return folded;
        }
        if self.as_bv(a).is_some_and(|it| it.is_zero()) {
            return a;
        }
        let width = self.width(a);
        let Some(value) = self.as_bv(amount) else {
            return self.raw(op, &[a, amount]);
        };
        if value.is_zero() {
            return a;
        }
        let by = value.to_u64().filter(|&it| it < width.into());
        match (op, by) {
            (Op::BvAshr, Some(by)) => {
                let high = self.bv_extract(width - 1, by as u32, a);
                self.bv_sign_extend(by as u32, high)
            }
            (Op::BvAshr, None) => {
                let sign = self.bv_extract(width - 1, width - 1, a);
                self.bv_sign_extend(width - 1, sign)
            }
            (_, None) => self.bv(width, 0),
            (Op::BvShl, Some(by)) => {
                let low = self.bv_extract(width - 1 - by as u32, 0, a);
                let zeros = self.bv(by as u32, 0);
                self.bv_concat(low, zeros)
            }
            (_, Some(by)) => {
                let high = self.bv_extract(width - 1, by as u32, a);
                self.bv_zero_extend(by as u32, high)
            }
        }
    }
}
