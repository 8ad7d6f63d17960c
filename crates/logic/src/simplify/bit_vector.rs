//! Bit-vector arithmetic, bitwise operations, shifts, and taking apart and putting together.
//!
//! Values stand on the right of commutative operators; nested ones with values are merged. A concatenation
//! of neighbouring parts of one term is that part again, so that a word stored byte by byte is read back
//! as the word.

use crate::sort::MAX_WIDTH;
use crate::terms::{Op, TermId, Terms};
use crate::value::BitVector;

use super::comparison::SPLIT;
use super::fold::fold;

/// How many nested concatenations an extraction looks through.
const CONCATENATIONS: usize = 64;

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
            _ => {
                let (a, b) = self.ordered(a, b);
                self.raw(Op::BvAdd, &[a, b])
            }
        }
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

    /// Rotates towards the most significant bit by a constant.
    pub fn bv_rotate_left(&mut self, by: u32, a: TermId) -> TermId {
        let width = self.width(a);
        let by = by % width;
        if by == 0 {
            return a;
        }
        let high = self.bv_extract(width - 1 - by, 0, a);
        let low = self.bv_extract(width - 1, width - by, a);
        self.bv_concat(high, low)
    }

    /// Rotates towards the least significant bit by a constant.
    pub fn bv_rotate_right(&mut self, by: u32, a: TermId) -> TermId {
        let width = self.width(a);
        self.bv_rotate_left(width - by % width, a)
    }

    /// `high` as the upper part, `low` as the lower part.
    pub fn bv_concat(&mut self, high: TermId, low: TermId) -> TermId {
        assert!(self.width(high) + self.width(low) <= MAX_WIDTH, "a concatenation wider than {MAX_WIDTH}");
        if let Some(merged) = self.merge(high, low) {
            return merged;
        }
        // The neighbour may be the first part of what follows, or the last part of what precedes.
        if self.op(low) == Op::BvConcat
            && let Some(merged) = self.merge(high, self.argument(low, 0))
        {
            return self.bv_concat(merged, self.argument(low, 1));
        }
        if self.op(high) == Op::BvConcat
            && let Some(merged) = self.merge(self.argument(high, 1), low)
        {
            return self.bv_concat(self.argument(high, 0), merged);
        }
        if self.as_bv(high).is_some_and(|it| it.is_zero()) {
            return self.bv_zero_extend(self.width(high), low);
        }
        self.raw(Op::BvConcat, &[high, low])
    }

    /// Two neighbours as one term, where they are values or neighbouring parts of one term.
    fn merge(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if let (Some(upper), Some(lower)) = (self.as_bv(high), self.as_bv(low)) {
            return Some(self.bv_value(&upper.concat(&lower)));
        }
        let (upper, upper_high, upper_low) = self.as_part(high)?;
        let (lower, lower_high, lower_low) = self.as_part(low)?;
        (upper == lower && upper_low == lower_high + 1).then(|| self.bv_extract(upper_high, lower_low, upper))
    }

    /// A term as bits of another; none for values and for whole terms, which have no neighbour.
    fn as_part(&self, term: TermId) -> Option<(TermId, u32, u32)> {
        match self.op(term) {
            Op::BvExtract { high, low } => Some((self.argument(term, 0), high, low)),
            _ => None,
        }
    }

    /// The bits from `low` to `high`, both included.
    pub fn bv_extract(&mut self, high: u32, low: u32, term: TermId) -> TermId {
        let (mut high, mut low, mut term) = (high, low, term);
        for _ in 0..CONCATENATIONS {
            if low == 0 && high == self.width(term) - 1 {
                return term;
            }
            match self.op(term) {
                Op::BvExtract { low: inner, .. } => {
                    (high, low, term) = (high + inner, low + inner, self.argument(term, 0));
                }
                Op::BvConcat => {
                    let (upper, lower) = (self.argument(term, 0), self.argument(term, 1));
                    let split = self.width(lower);
                    if high < split {
                        term = lower;
                    } else if low >= split {
                        (high, low, term) = (high - split, low - split, upper);
                    } else if high - low >= SPLIT {
                        break;
                    } else {
                        let upper = self.bv_extract(high - split, 0, upper);
                        let lower = self.bv_extract(split - 1, low, lower);
                        return self.bv_concat(upper, lower);
                    }
                }
                Op::BvZeroExtend(_) | Op::BvSignExtend(_) => {
                    let inner = self.argument(term, 0);
                    if high >= self.width(inner) {
                        return self.extract_extension(high, low, term);
                    }
                    term = inner;
                }
                _ => break,
            }
        }
        self.extract_rest(high, low, term)
    }

    /// Bits of an extension that reach beyond what was extended.
    fn extract_extension(&mut self, high: u32, low: u32, term: TermId) -> TermId {
        let inner = self.argument(term, 0);
        let width = self.width(inner);
        let signed = matches!(self.op(term), Op::BvSignExtend(_));
        if low >= width && !signed {
            return self.bv(high - low + 1, 0);
        }
        let from = low.min(width - 1);
        let part = self.bv_extract(width - 1, from, inner);
        let by = high - low + 1 - self.width(part);
        if signed { self.bv_sign_extend(by, part) } else { self.bv_zero_extend(by, part) }
    }

    fn extract_rest(&mut self, high: u32, low: u32, term: TermId) -> TermId {
        if low == 0 && high == self.width(term) - 1 {
            return term;
        }
        let op = Op::BvExtract { high, low };
        if let Some(value) = self.as_bv(term) {
            return self.bv_value(&value.extract(high, low));
        }
        match self.op(term) {
            Op::Ite => {
                let &[condition, then, otherwise] = self.arguments(term) else { unreachable!("ite has three") };
                if self.is_constant(then) && self.is_constant(otherwise) {
                    let then = self.bv_extract(high, low, then);
                    let otherwise = self.bv_extract(high, low, otherwise);
                    return self.ite(condition, then, otherwise);
                }
            }
            // The low bits of a result depend on the low bits of the operands only: C computes with
            // promoted operands and truncates.
            Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor if low == 0 => {
                let (a, b) = (self.argument(term, 0), self.argument(term, 1));
                let narrows = |it: TermId| {
                    self.is_constant(it) || matches!(self.op(it), Op::BvZeroExtend(_) | Op::BvSignExtend(_))
                };
                if narrows(a) && narrows(b) {
                    let (operator, a, b) = (self.op(term), self.bv_extract(high, 0, a), self.bv_extract(high, 0, b));
                    return self.build(operator, &[a, b]);
                }
            }
            _ => {}
        }
        self.raw(op, &[term])
    }

    /// Puts zeros in front.
    pub fn bv_zero_extend(&mut self, by: u32, a: TermId) -> TermId {
        if by == 0 {
            return a;
        }
        assert!(self.width(a) + by <= MAX_WIDTH, "an extension wider than {MAX_WIDTH}");
        if let Some(value) = self.as_bv(a) {
            return self.bv_value(&value.zero_extend(by));
        }
        match self.op(a) {
            Op::BvZeroExtend(inner) => self.bv_zero_extend(by + inner, self.argument(a, 0)),
            _ => self.raw(Op::BvZeroExtend(by), &[a]),
        }
    }

    /// Puts copies of the sign in front.
    pub fn bv_sign_extend(&mut self, by: u32, a: TermId) -> TermId {
        if by == 0 {
            return a;
        }
        assert!(self.width(a) + by <= MAX_WIDTH, "an extension wider than {MAX_WIDTH}");
        if let Some(value) = self.as_bv(a) {
            return self.bv_value(&value.sign_extend(by));
        }
        match self.op(a) {
            Op::BvSignExtend(inner) => self.bv_sign_extend(by + inner, self.argument(a, 0)),
            Op::BvZeroExtend(inner) => self.bv_zero_extend(by + inner, self.argument(a, 0)),
            _ => self.raw(Op::BvSignExtend(by), &[a]),
        }
    }

    /// The value at another width: extended by its sign or by zeros, or cut.
    pub fn bv_resize(&mut self, width: u32, signed: bool, a: TermId) -> TermId {
        let old = self.width(a);
        if width <= old {
            self.bv_extract(width - 1, 0, a)
        } else if signed {
            self.bv_sign_extend(width - old, a)
        } else {
            self.bv_zero_extend(width - old, a)
        }
    }

    /// One bit (or more) that is one iff the condition holds.
    pub fn bv_from_bool(&mut self, width: u32, condition: TermId) -> TermId {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(condition, one, zero)
    }
}
