//! Bounds: comparisons of one term with values, of which the strongest says all.
//!
//! A literal such as `3 < n`, `not (n < 7)` or `n = 0` → the least or the greatest value that it allows. Unrolled loops
//! compare one term with ever more values; dropping what is implied keeps the conditions of their paths small.

use crate::terms::{Op, TermId, Terms};

/// The subject is at least the value, or at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub subject: TermId,
    signed: bool,
    is_lower: bool,
    value: i128,
}

impl Terms {
    /// The bound that a literal is, if it is one.
    pub(super) fn bound(&self, literal: TermId) -> Option<Bound> {
        let is_negated = self.op(literal) == Op::Not;
        let atom = if is_negated { self.argument(literal, 0) } else { literal };
        let signed = match self.op(atom) {
            Op::BvUlt => false,
            Op::BvSlt => true,
            Op::Equal => return self.zero_bound(atom, is_negated),
            _ => return None,
        };
        let (left, right) = (self.argument(atom, 0), self.argument(atom, 1));
        let (subject, is_lower, value) = match (self.small_value(left, signed), self.small_value(right, signed)) {
            (Some(value), None) => (right, true, value + 1),
            (None, Some(value)) => (left, false, value - 1),
            _ => return None,
        };
        Some(match (is_negated, is_lower) {
            (false, _) => Bound { subject, signed, is_lower, value },
            (true, true) => Bound { subject, signed, is_lower: false, value: value - 1 },
            (true, false) => Bound { subject, signed, is_lower: true, value: value + 1 },
        })
    }

    /// `n < 1` is kept as `n = 0`, and `0 < n` as its negation.
    fn zero_bound(&self, equation: TermId, is_negated: bool) -> Option<Bound> {
        let (subject, value) = (self.argument(equation, 0), self.argument(equation, 1));
        let is_bound = self.small_value(value, false) == Some(0) && self.small_value(subject, false).is_none();
        is_bound.then_some(Bound { subject, signed: false, is_lower: is_negated, value: i128::from(is_negated) })
    }

    fn small_value(&self, term: TermId, signed: bool) -> Option<i128> {
        let Op::BitVector(value) = self.op(term) else { return None };
        let width = self.sort(term).width().filter(|&width| width <= 64)?;
        let unused = 64 - width;
        Some(if signed { i128::from((value << unused) as i64 >> unused) } else { i128::from(value) })
    }

    /// Drops the arguments of a conjunction or a disjunction that others make superfluous; true if they decide it.
    pub(super) fn drop_implied(&self, op: Op, parts: &mut Vec<TermId>) -> bool {
        let is_and = op == Op::And;
        let mut kept: Vec<(Bound, TermId)> = Vec::new();
        let mut is_implied = false;
        for &part in parts.iter() {
            let Some(bound) = self.bound(part) else { continue };
            let alike = |it: &&mut (Bound, TermId)| Bound { value: bound.value, ..it.0 } == bound;
            match kept.iter_mut().find(alike) {
                Some(known) => {
                    is_implied = true;
                    let is_stronger = (bound.value > known.0.value) == bound.is_lower;
                    if is_stronger == is_and {
                        *known = (bound, part);
                    }
                }
                None => kept.push((bound, part)),
            }
        }
        let decides = |lower: Bound, upper: Bound| {
            let is_pair = lower.is_lower && !upper.is_lower;
            let same = (lower.subject, lower.signed) == (upper.subject, upper.signed);
            is_pair && same && if is_and { lower.value > upper.value } else { lower.value <= upper.value + 1 }
        };
        if kept.iter().any(|(lower, _)| kept.iter().any(|(upper, _)| decides(*lower, *upper))) {
            return true;
        }
        if is_implied {
            parts.retain(|&part| self.bound(part).is_none() || kept.iter().any(|&(_, it)| it == part));
        }
        false
    }
}
