//! Equality and order of bit-vectors, and the predicates for overflow.
//!
//! Order is `<` only; `a <= b` is `not (b < a)`. Offsets, extensions and values are moved out of the way,
//! so that C's promotions (`(int)c < 10` with a `char c`) compare the narrow values.

use crate::terms::{Op, TermId, Terms};
use crate::value::BitVector;

use super::fold::fold;

/// Concatenations are split up to this width where that recurses into the parts.
pub(super) const SPLIT: u32 = 512;

/// How many operations are moved from one side of an equation to the other.
const MOVED: usize = 64;

impl Terms {
    /// Two bit-vectors that are not the same term, a value being the second.
    pub(super) fn bv_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let ((base, offset), (other_base, other_offset)) = (self.base_and_offset(a), self.base_and_offset(b));
        if base == other_base {
            return self.bool(offset == other_offset);
        }
        if let Some(value) = self.as_bv(b) {
            return self.bv_eq_value(a, &value);
        }
        if let (Some(base), Some(other_base)) = (base, other_base)
            && !offset.is_zero()
            && !other_offset.is_zero()
        {
            let difference = self.bv_value(&other_offset.sub(&offset));
            let other = self.bv_add(other_base, difference);
            return self.eq(base, other);
        }
        match (self.op(a), self.op(b)) {
            (Op::BvZeroExtend(by), Op::BvZeroExtend(other)) if by == other => {
                self.eq(self.argument(a, 0), self.argument(b, 0))
            }
            (Op::BvSignExtend(by), Op::BvSignExtend(other)) if by == other => {
                self.eq(self.argument(a, 0), self.argument(b, 0))
            }
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => self.eq(self.argument(a, 0), self.argument(b, 0)),
            _ => self.raw(Op::Equal, &[a, b]),
        }
    }

    /// Moves operations with a value over to the other side, as long as there are some.
    fn bv_eq_value(&mut self, a: TermId, value: &BitVector) -> TermId {
        let (mut a, mut value) = (a, value.clone());
        for _ in 0..MOVED {
            let (first, second) = (self.argument_or(a, 0), self.argument_or(a, 1));
            (a, value) = match (self.op(a), self.as_bv(second)) {
                (Op::BvAdd, Some(known)) => (first, value.sub(&known)),
                (Op::BvXor, Some(known)) => (first, value.xor(&known)),
                (Op::BvNot, _) => (first, value.not()),
                (Op::BvNeg, _) => (first, value.neg()),
                (Op::BvZeroExtend(by) | Op::BvSignExtend(by), _) => {
                    let low = value.extract(value.width() - by - 1, 0);
                    let signed = matches!(self.op(a), Op::BvSignExtend(_));
                    let extended = if signed { low.sign_extend(by) } else { low.zero_extend(by) };
                    if extended != value {
                        return self.false_term();
                    }
                    (first, low)
                }
                _ => break,
            };
        }
        if let Some(known) = self.as_bv(a) {
            return self.bool(known == value);
        }
        self.bv_eq_moved(a, &value)
    }

    /// An argument, or the term itself where it has none such.
    fn argument_or(&self, term: TermId, index: usize) -> TermId {
        self.arguments(term).get(index).copied().unwrap_or(term)
    }

    fn bv_eq_moved(&mut self, a: TermId, value: &BitVector) -> TermId {
        match self.op(a) {
            Op::BvSub if value.is_zero() => return self.eq(self.argument(a, 0), self.argument(a, 1)),
            Op::BvConcat if value.width() <= SPLIT => {
                let (high, low) = (self.argument(a, 0), self.argument(a, 1));
                let split = self.width(low);
                let high_value = self.bv_value(&value.extract(value.width() - 1, split));
                let low_value = self.bv_value(&value.extract(split - 1, 0));
                let (high, low) = (self.eq(high, high_value), self.eq(low, low_value));
                return self.and2(high, low);
            }
            Op::Ite => {
                if let Some(result) = self.through_ite(a, |branch| branch == value) {
                    return result;
                }
            }
            _ => {}
        }
        let value = self.bv_value(value);
        self.raw(Op::Equal, &[a, value])
    }

    /// A predicate of a choice of values. Longer chains of choices must be by bounds of one term, as what a loop has
    /// counted: then the conditions of all that is alike become one.
    fn through_ite(&mut self, term: TermId, decide: impl Fn(&BitVector) -> bool) -> Option<TermId> {
        let mut choices: Vec<(TermId, bool, bool)> = Vec::new();
        let mut at = term;
        let last = loop {
            if let Some(value) = self.as_bv(at) {
                break decide(&value);
            }
            let (Op::Ite, &[condition, then, otherwise]) = (self.op(at), self.arguments(at)) else { return None };
            let (side, value, rest) = match (self.as_bv(then), self.as_bv(otherwise)) {
                (Some(value), _) => (true, value, otherwise),
                (None, Some(value)) => (false, value, then),
                (None, None) => return None,
            };
            let is_last = choices.is_empty() && self.is_constant(rest);
            if !is_last {
                let subject = self.bound(condition)?.subject;
                let before = choices.first().and_then(|first| self.bound(first.0));
                if before.is_some_and(|before| before.subject != subject) {
                    return None;
                }
            }
            choices.push((condition, side, decide(&value)));
            at = rest;
        };
        let mut result = self.bool(last);
        for (condition, side, decided) in choices.into_iter().rev() {
            let decided = self.bool(decided);
            result = if side { self.ite(condition, decided, result) } else { self.ite(condition, result, decided) };
        }
        Some(result)
    }

    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.bv_ult(b, a);
        self.not(above)
    }

    pub fn bv_ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ult(b, a)
    }

    pub fn bv_uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ule(b, a)
    }

    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.bv_slt(b, a);
        self.not(above)
    }

    pub fn bv_sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_slt(b, a)
    }

    pub fn bv_sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_sle(b, a)
    }

    pub fn bv_ult(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.false_term();
        }
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(left), Some(right)) => self.bool(left.ult(&right)),
            (None, Some(right)) => self.bv_ult_value(a, b, &right),
            (Some(left), None) => self.value_bv_ult(a, b, &left),
            (None, None) => match (self.op(a), self.op(b)) {
                (Op::BvZeroExtend(by), Op::BvZeroExtend(other)) if by == other => {
                    self.bv_ult(self.argument(a, 0), self.argument(b, 0))
                }
                _ => self.raw(Op::BvUlt, &[a, b]),
            },
        }
    }

    fn bv_ult_value(&mut self, a: TermId, b: TermId, value: &BitVector) -> TermId {
        let width = value.width();
        if value.is_zero() {
            return self.false_term();
        }
        if value.is_one() {
            let zero = self.bv(width, 0);
            return self.eq(a, zero);
        }
        if value.is_ones() {
            return self.distinct(a, b);
        }
        match self.op(a) {
            Op::BvZeroExtend(by) if value.significant_bits() > width - by => self.true_term(),
            Op::BvZeroExtend(by) => {
                let low = self.bv_value(&value.extract(width - by - 1, 0));
                self.bv_ult(self.argument(a, 0), low)
            }
            Op::Ite => {
                let decided = self.through_ite(a, |branch| branch.ult(value));
                decided.unwrap_or_else(|| self.raw(Op::BvUlt, &[a, b]))
            }
            _ => self.raw(Op::BvUlt, &[a, b]),
        }
    }

    fn value_bv_ult(&mut self, a: TermId, b: TermId, value: &BitVector) -> TermId {
        let width = value.width();
        if value.is_zero() {
            return self.distinct(b, a);
        }
        if value.is_ones() {
            return self.false_term();
        }
        if value.add(&BitVector::one(width)).is_ones() {
            let ones = self.bv_value(&BitVector::ones(width));
            return self.eq(b, ones);
        }
        match self.op(b) {
            Op::BvZeroExtend(by) if value.significant_bits() > width - by => self.false_term(),
            Op::BvZeroExtend(by) => {
                let low = self.bv_value(&value.extract(width - by - 1, 0));
                self.bv_ult(low, self.argument(b, 0))
            }
            Op::Ite => {
                let decided = self.through_ite(b, |branch| value.ult(branch));
                decided.unwrap_or_else(|| self.raw(Op::BvUlt, &[a, b]))
            }
            _ => self.raw(Op::BvUlt, &[a, b]),
        }
    }

    pub fn bv_slt(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.false_term();
        }
        if let (Some(left), Some(right)) = (self.as_bv(a), self.as_bv(b)) {
            return self.bool(left.slt(&right));
        }
        // Where both are known not to be negative, the signs do not matter.
        let width = self.width(a);
        let a_not_negative = self.unsigned_bits(a) < width;
        let b_not_negative = self.unsigned_bits(b) < width;
        if a_not_negative && b_not_negative {
            return self.bv_ult(a, b);
        }
        // Both extended by a sign, or one of them and a value: compare what was extended.
        if let Some(narrow) = self.narrow_signed(a, b) {
            return narrow;
        }
        if let Some(value) = self.as_bv(b) {
            if value == BitVector::min_signed(width) {
                return self.false_term();
            }
            if value == BitVector::max_signed(width) {
                return self.distinct(a, b);
            }
            if a_not_negative {
                return self.false_term();
            }
        }
        if let Some(value) = self.as_bv(a) {
            if value == BitVector::max_signed(width) {
                return self.false_term();
            }
            if value == BitVector::min_signed(width) {
                return self.distinct(b, a);
            }
            if b_not_negative {
                return self.true_term();
            }
        }
        self.bv_slt_ite(a, b).unwrap_or_else(|| self.raw(Op::BvSlt, &[a, b]))
    }

    fn bv_slt_ite(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let (Op::Ite, Some(value)) = (self.op(a), self.as_bv(b)) {
            return self.through_ite(a, |branch| branch.slt(&value));
        }
        if let (Some(value), Op::Ite) = (self.as_bv(a), self.op(b)) {
            return self.through_ite(b, |branch| value.slt(branch));
        }
        None
    }

    fn narrow_signed(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let extension = |it: TermId| match self.op(it) {
            Op::BvSignExtend(by) => Some(by),
            _ => None,
        };
        let by = extension(a).or(extension(b))?;
        let inner_width = self.width(a) - by;
        let (left, right) = match (extension(a), extension(b)) {
            (Some(left), Some(right)) if left == right => (self.argument(a, 0), self.argument(b, 0)),
            (Some(_), None) => {
                let value = self.as_bv(b)?;
                if value.signed_bits() > inner_width {
                    return Some(self.bool(!value.sign()));
                }
                (self.argument(a, 0), self.bv_value(&value.extract(inner_width - 1, 0)))
            }
            (None, Some(_)) => {
                let value = self.as_bv(a)?;
                if value.signed_bits() > inner_width {
                    return Some(self.bool(value.sign()));
                }
                (self.bv_value(&value.extract(inner_width - 1, 0)), self.argument(b, 0))
            }
            _ => return None,
        };
        Some(self.bv_slt(left, right))
    }

    /// Whether the unsigned sum does not fit.
    pub fn bv_uadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let fits = self.unsigned_bits(a).max(self.unsigned_bits(b)) < self.width(a);
        self.overflow(Op::BvUaddOverflow, a, b, fits)
    }

    /// Whether the unsigned difference is negative.
    pub fn bv_usub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ult(a, b)
    }

    /// Whether the unsigned product does not fit.
    pub fn bv_umul_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let fits = self.unsigned_bits(a) + self.unsigned_bits(b) <= self.width(a);
        self.overflow(Op::BvUmulOverflow, a, b, fits)
    }

    /// Whether the signed sum does not fit.
    pub fn bv_sadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let fits = self.signed_bits(a).max(self.signed_bits(b)) < self.width(a);
        self.overflow(Op::BvSaddOverflow, a, b, fits)
    }

    /// Whether the signed difference does not fit.
    pub fn bv_ssub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let fits = a == b || self.signed_bits(a).max(self.signed_bits(b)) < self.width(a);
        self.overflow(Op::BvSsubOverflow, a, b, fits)
    }

    /// Whether the signed product does not fit.
    pub fn bv_smul_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let fits = self.signed_bits(a) + self.signed_bits(b) <= self.width(a);
        self.overflow(Op::BvSmulOverflow, a, b, fits)
    }

    /// Whether the signed quotient does not fit: the least value divided by minus one.
    pub fn bv_sdiv_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let least = self.bv_neg_overflow(a);
        let minus_one = self.bv_value(&BitVector::ones(width));
        let by_minus_one = self.eq(b, minus_one);
        self.and2(least, by_minus_one)
    }

    /// Whether the negation does not fit: of the least value.
    pub fn bv_neg_overflow(&mut self, a: TermId) -> TermId {
        let least = self.bv_value(&BitVector::min_signed(self.width(a)));
        self.eq(a, least)
    }

    fn overflow(&mut self, op: Op, a: TermId, b: TermId, fits: bool) -> TermId {
        if fits {
            return self.false_term();
        }
        if let (Some(left), Some(right)) = (self.as_value(a), self.as_value(b)) {
            let overflows = fold(op, &[&left, &right]).and_then(|it| it.as_bool());
            return self.bool(overflows.expect("bit-vector predicates fold"));
        }
        let is_neutral = |value: Option<BitVector>| value.is_some_and(|it| it.is_zero());
        let by_one = |value: Option<BitVector>| value.is_some_and(|it| it.is_one() && it.width() > 1);
        let product = matches!(op, Op::BvUmulOverflow | Op::BvSmulOverflow);
        let (left, right) = (self.as_bv(a), self.as_bv(b));
        if is_neutral(right.clone()) || (op != Op::BvSsubOverflow && is_neutral(left.clone())) {
            return self.false_term();
        }
        if product && (by_one(left) || by_one(right)) {
            return self.false_term();
        }
        let (a, b) = if op.is_commutative() { self.ordered(a, b) } else { (a, b) };
        self.raw(op, &[a, b])
    }
}
