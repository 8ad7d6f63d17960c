//! Ranges of integers: an interval with a congruence.
//!
//! Bounds are mathematical integers; `None` is infinite. An operation whose bound does not fit 128 bits
//! answers with an infinite one. What holds: a result contains every result of the operation on members.

/// `low ..= high`; empty if `low > high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub low: Option<i128>,
    pub high: Option<i128>,
}

/// All numbers `x` with `x mod modulus == residue`; modulus 0 is the constant `residue`, 1 is any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Congruence {
    pub modulus: i128,
    pub residue: i128,
}

/// Both at once: what is known about one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub interval: Interval,
    pub congruence: Congruence,
}

/// Congruences with a larger modulus than this are given up: products of them would not fit.
const MOST_MODULUS: i128 = 1 << 62;

impl Interval {
    pub const TOP: Interval = Interval { low: None, high: None };
    pub const EMPTY: Interval = Interval { low: Some(1), high: Some(0) };

    pub fn new(low: i128, high: i128) -> Interval {
        Interval { low: Some(low), high: Some(high) }
    }

    pub fn constant(value: i128) -> Interval {
        Interval::new(value, value)
    }

    pub fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }

    pub fn as_constant(self) -> Option<i128> {
        self.low.filter(|_| self.low == self.high)
    }

    pub fn contains(self, value: i128) -> bool {
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }

    pub fn is_within(self, other: Interval) -> bool {
        self.is_empty()
            || (other.low.is_none_or(|limit| self.low.is_some_and(|low| low >= limit))
                && other.high.is_none_or(|limit| self.high.is_some_and(|high| high <= limit)))
    }

    #[must_use]
    pub fn join(self, other: Interval) -> Interval {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Interval {
            low: self.low.zip(other.low).map(|(left, right)| left.min(right)),
            high: self.high.zip(other.high).map(|(left, right)| left.max(right)),
        }
    }

    #[must_use]
    pub fn meet(self, other: Interval) -> Interval {
        let tighter = |left: Option<i128>, right: Option<i128>, pick: fn(i128, i128) -> i128| match (left, right) {
            (Some(left), Some(right)) => Some(pick(left, right)),
            (one, other) => one.or(other),
        };
        Interval { low: tighter(self.low, other.low, i128::max), high: tighter(self.high, other.high, i128::min) }
    }

    #[must_use]
    pub fn plus(self, other: Interval) -> Interval {
        let add = |left: Option<i128>, right: Option<i128>| left.zip(right).and_then(|(l, r)| l.checked_add(r));
        Interval { low: add(self.low, other.low), high: add(self.high, other.high) }
    }

    #[must_use]
    pub fn negated(self) -> Interval {
        let negate = |bound: Option<i128>| bound.and_then(i128::checked_neg);
        Interval { low: negate(self.high), high: negate(self.low) }
    }

    #[must_use]
    pub fn minus(self, other: Interval) -> Interval {
        self.plus(other.negated())
    }

    #[must_use]
    pub fn scaled(self, factor: i128) -> Interval {
        match factor {
            0 => Interval::constant(0),
            _ => self.times(Interval::constant(factor)),
        }
    }

    #[must_use]
    pub fn times(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) else {
            return self.times_open(other);
        };
        let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
        let Some(products) = products.into_iter().collect::<Option<Vec<i128>>>() else { return Interval::TOP };
        Interval { low: products.iter().min().copied(), high: products.iter().max().copied() }
    }

    /// With an infinite bound somewhere: only signs are followed.
    fn times_open(self, other: Interval) -> Interval {
        if self.as_constant() == Some(0) || other.as_constant() == Some(0) {
            return Interval::constant(0);
        }
        let scale = |interval: Interval, factor: i128| {
            let bound = |bound: Option<i128>| bound.and_then(|bound| bound.checked_mul(factor));
            if factor > 0 {
                Interval { low: bound(interval.low), high: bound(interval.high) }
            } else {
                Interval { low: bound(interval.high), high: bound(interval.low) }
            }
        };
        match (self.as_constant(), other.as_constant()) {
            (Some(factor), _) => scale(other, factor),
            (_, Some(factor)) => scale(self, factor),
            _ if self.low >= Some(0) && other.low >= Some(0) => Interval { low: Some(0), high: None },
            _ => Interval::TOP,
        }
    }

    /// Number of members, if finite.
    pub fn count(self) -> Option<i128> {
        self.high.zip(self.low).and_then(|(high, low)| high.checked_sub(low)?.checked_add(1))
    }
}

impl Congruence {
    pub const TOP: Congruence = Congruence { modulus: 1, residue: 0 };

    pub fn constant(value: i128) -> Congruence {
        Congruence { modulus: 0, residue: value }
    }

    pub fn new(modulus: i128, residue: i128) -> Congruence {
        let modulus = modulus.checked_abs().unwrap_or(1);
        if modulus > MOST_MODULUS || modulus == 1 {
            return Congruence::TOP;
        }
        Congruence { modulus, residue: if modulus == 0 { residue } else { residue.rem_euclid(modulus) } }
    }

    pub fn contains(self, value: i128) -> bool {
        match self.modulus {
            0 => value == self.residue,
            modulus => value.rem_euclid(modulus) == self.residue,
        }
    }

    pub fn is_within(self, other: Congruence) -> bool {
        match (self.modulus, other.modulus) {
            (_, 1) => true,
            (0, _) => other.contains(self.residue),
            (_, 0) => false,
            (mine, theirs) => mine % theirs == 0 && other.contains(self.residue),
        }
    }

    #[must_use]
    pub fn join(self, other: Congruence) -> Congruence {
        if self == other {
            return self;
        }
        let Some(distance) = self.residue.checked_sub(other.residue) else { return Congruence::TOP };
        Congruence::new(gcd(gcd(self.modulus, other.modulus), distance), self.residue)
    }

    /// A congruence that contains the common members: the finer of the two.
    #[must_use]
    pub fn meet(self, other: Congruence) -> Congruence {
        match (self.modulus, other.modulus) {
            (0, _) => self,
            (_, 0) => other,
            (mine, theirs) if mine >= theirs => self,
            _ => other,
        }
    }

    #[must_use]
    pub fn plus(self, other: Congruence) -> Congruence {
        match self.residue.checked_add(other.residue) {
            Some(residue) => Congruence::new(gcd(self.modulus, other.modulus), residue),
            None => Congruence::TOP,
        }
    }

    #[must_use]
    pub fn scaled(self, factor: i128) -> Congruence {
        match (self.modulus.checked_mul(factor), self.residue.checked_mul(factor)) {
            (Some(modulus), Some(residue)) => Congruence::new(modulus, residue),
            _ => Congruence::TOP,
        }
    }

    #[must_use]
    pub fn times(self, other: Congruence) -> Congruence {
        let product = |left: i128, right: i128| left.checked_mul(right);
        let parts = (
            product(self.modulus, other.modulus),
            product(self.modulus, other.residue),
            product(other.modulus, self.residue),
            product(self.residue, other.residue),
        );
        match parts {
            (Some(a), Some(b), Some(c), Some(residue)) => Congruence::new(gcd(gcd(a, b), c), residue),
            _ => Congruence::TOP,
        }
    }
}

impl Range {
    pub const TOP: Range = Range { interval: Interval::TOP, congruence: Congruence::TOP };

    pub fn constant(value: i128) -> Range {
        Range { interval: Interval::constant(value), congruence: Congruence::constant(value) }
    }

    /// Bounds moved inwards to members of the congruence.
    pub fn new(interval: Interval, congruence: Congruence) -> Range {
        if interval.is_empty() {
            return Range { interval: Interval::EMPTY, congruence: Congruence::TOP };
        }
        if let Some(value) = interval.as_constant() {
            return match congruence.contains(value) {
                true => Range::constant(value),
                false => Range { interval: Interval::EMPTY, congruence: Congruence::TOP },
            };
        }
        match congruence.modulus {
            0 if interval.contains(congruence.residue) => Range::constant(congruence.residue),
            0 => Range { interval: Interval::EMPTY, congruence: Congruence::TOP },
            1 => Range { interval, congruence },
            modulus => {
                let up =
                    |low: i128| low.checked_add((congruence.residue - low.rem_euclid(modulus)).rem_euclid(modulus));
                let down =
                    |high: i128| high.checked_sub((high.rem_euclid(modulus) - congruence.residue).rem_euclid(modulus));
                let tight = Interval { low: interval.low.and_then(up), high: interval.high.and_then(down) };
                if tight.is_empty() || tight.as_constant().is_some() {
                    return Range::new(tight, Congruence::TOP);
                }
                Range { interval: tight, congruence }
            }
        }
    }

    pub fn of(interval: Interval) -> Range {
        Range::new(interval, Congruence::TOP)
    }

    pub fn is_empty(self) -> bool {
        self.interval.is_empty()
    }

    pub fn contains(self, value: i128) -> bool {
        self.interval.contains(value) && self.congruence.contains(value)
    }

    pub fn is_within(self, other: Range) -> bool {
        self.is_empty() || (self.interval.is_within(other.interval) && self.congruence.is_within(other.congruence))
    }

    #[must_use]
    pub fn join(self, other: Range) -> Range {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Range::new(self.interval.join(other.interval), self.congruence.join(other.congruence))
    }

    #[must_use]
    pub fn meet(self, other: Range) -> Range {
        Range::new(self.interval.meet(other.interval), self.congruence.meet(other.congruence))
    }

    #[must_use]
    pub fn plus(self, other: Range) -> Range {
        Range::new(self.interval.plus(other.interval), self.congruence.plus(other.congruence))
    }

    #[must_use]
    pub fn scaled(self, factor: i128) -> Range {
        Range::new(self.interval.scaled(factor), self.congruence.scaled(factor))
    }

    #[must_use]
    pub fn times(self, other: Range) -> Range {
        Range::new(self.interval.times(other.interval), self.congruence.times(other.congruence))
    }
}

pub(crate) fn gcd(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.unsigned_abs(), right.unsigned_abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    i128::try_from(left).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A range and one of its members.
    fn ranges() -> impl Strategy<Value = (Range, i128)> {
        (-20i128..20, 0i128..15, 0i128..15, 1i128..6).prop_map(|(member, below, above, modulus)| {
            let interval = Interval::new(member - below, member + above);
            (Range::new(interval, Congruence::new(modulus, member)), member)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn operations_contain_the_results_of_members((left, x) in ranges(), (right, y) in ranges(), factor in -5i128..5) {
            prop_assert!(left.contains(x));
            prop_assert!(left.plus(right).contains(x + y));
            prop_assert!(left.times(right).contains(x * y));
            prop_assert!(left.scaled(factor).contains(x * factor));
            prop_assert!(left.join(right).contains(x) && left.join(right).contains(y));
            prop_assert!(left.is_within(left.join(right)));
            if right.contains(x) {
                prop_assert!(left.meet(right).contains(x));
            }
        }
    }

    #[test]
    fn bounds_move_to_members_of_the_congruence() {
        let range = Range::new(Interval::new(1, 11), Congruence::new(4, 0));
        assert_eq!(range.interval, Interval::new(4, 8));
    }
}
