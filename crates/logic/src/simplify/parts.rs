//! What can be seen of a bit-vector term at once: its constant offset, how many bits it really needs.

use crate::terms::{Op, TermId, Terms};
use crate::value::BitVector;

impl Terms {
    /// A term as `base + offset`; a value has no base.
    pub(crate) fn base_and_offset(&self, term: TermId) -> (Option<TermId>, BitVector) {
        if let Some(value) = self.as_bv(term) {
            return (None, value);
        }
        if self.op(term) == Op::BvAdd
            && let Some(offset) = self.as_bv(self.argument(term, 1))
        {
            return (Some(self.argument(term, 0)), offset);
        }
        (Some(term), BitVector::zero(self.width(term)))
    }

    /// As [`Terms::base_and_offset`], for at most 64 bits: reads look through many writes.
    fn small_offset(&self, term: TermId) -> Option<(Option<TermId>, u64)> {
        if self.sort(term).width()? > 64 {
            return None;
        }
        match self.op(term) {
            Op::BitVector(value) => Some((None, value)),
            Op::BvAdd => match (self.argument(term, 0), self.op(self.argument(term, 1))) {
                (base, Op::BitVector(offset)) => Some((Some(base), offset)),
                _ => Some((Some(term), 0)),
            },
            _ => Some((Some(term), 0)),
        }
    }

    /// Whether two terms differ under every assignment, as far as it shows at once.
    pub(crate) fn certainly_distinct(&self, a: TermId, b: TermId) -> bool {
        if a == b {
            return false;
        }
        if self.is_constant(a) && self.is_constant(b) {
            return true;
        }
        if let (Some((base, offset)), Some((other_base, other_offset))) = (self.small_offset(a), self.small_offset(b)) {
            return base == other_base && offset != other_offset;
        }
        if self.sort(a).width().is_none() {
            return false;
        }
        let ((base, offset), (other_base, other_offset)) = (self.base_and_offset(a), self.base_and_offset(b));
        base == other_base && offset != other_offset
    }

    /// A number of bits in which the unsigned value certainly fits.
    pub(crate) fn unsigned_bits(&self, term: TermId) -> u32 {
        match self.op(term) {
            Op::BvZeroExtend(by) => self.width(term) - by,
            _ => self.as_bv(term).map_or(self.width(term), |it| it.significant_bits()),
        }
    }

    /// A number of bits in which the value certainly fits in two's complement.
    pub(crate) fn signed_bits(&self, term: TermId) -> u32 {
        match self.op(term) {
            Op::BvZeroExtend(by) => self.width(term) - by + 1,
            Op::BvSignExtend(by) => self.width(term) - by,
            _ => self.as_bv(term).map_or(self.width(term), |it| it.signed_bits()),
        }
    }
}
