//! Taking bit-vectors apart and putting them together: concatenation, extraction, extension, rotation.
//!
//! A concatenation of neighbouring parts of one term is that part again, so that a word stored byte by byte
//! is read back as the word.

use crate::sort::MAX_WIDTH;
use crate::terms::{Op, TermId, Terms};

use super::comparison::SPLIT;

/// How many nested concatenations an extraction looks through.
const CONCATENATIONS: usize = 64;

impl Terms {
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
