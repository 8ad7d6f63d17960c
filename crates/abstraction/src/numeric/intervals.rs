//! Intervals with congruences: a range for each dimension, nothing between them.
//!
//! The map is persistent and joins walk over differences only, so a state with many dimensions costs what
//! changes in it.

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::{Congruence, Constraint, Dimension, Interval, Linear, Numeric, Range, Thresholds, gcd};

/// Dimensions that are not in the map are unconstrained.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    ranges: OrdMap<Dimension, Range>,
    bottom: bool,
}

impl Intervals {
    pub fn range(&self, dimension: Dimension) -> Range {
        self.ranges.get(&dimension).copied().unwrap_or(Range::TOP)
    }

    /// The range of an expression.
    pub fn range_of(&self, linear: &Linear) -> Range {
        let constant = Range::constant(linear.constant);
        linear.terms.iter().fold(constant, |sum, (dimension, factor)| sum.plus(self.range(*dimension).scaled(*factor)))
    }

    pub fn set(&mut self, dimension: Dimension, range: Range) {
        if range.is_empty() {
            *self = Intervals::bottom();
        } else if range == Range::TOP {
            self.ranges.remove(&dimension);
        } else if self.ranges.get(&dimension) != Some(&range) {
            self.ranges.insert(dimension, range);
        }
    }

    pub fn restrict(&mut self, dimension: Dimension, range: Range) {
        if !self.bottom {
            self.set(dimension, self.range(dimension).meet(range));
        }
    }

    /// All constrained dimensions, in order.
    pub fn known(&self) -> impl Iterator<Item = (Dimension, Range)> + '_ {
        self.ranges.iter().map(|(dimension, range)| (*dimension, *range))
    }

    /// The dimensions that both sides constrain, but not alike.
    pub fn changed(&self, other: &Intervals) -> Vec<Dimension> {
        let update = |difference| match difference {
            DiffItem::Update { old: (dimension, _), .. } => Some(*dimension),
            _ => None,
        };
        self.ranges.diff(&other.ranges).filter_map(update).collect()
    }

    /// Combines the ranges that differ; those that only one side constrains are given up.
    fn merge(&self, other: &Intervals, combine: impl Fn(Range, Range) -> Range) -> Intervals {
        if self.bottom {
            return other.clone();
        }
        if other.bottom {
            return self.clone();
        }
        let mut merged = self.clone();
        for difference in self.ranges.diff(&other.ranges) {
            match difference {
                DiffItem::Add(..) => {}
                DiffItem::Remove(dimension, _) => {
                    merged.ranges.remove(dimension);
                }
                DiffItem::Update { old: (dimension, old), new: (_, new) } => {
                    merged.set(*dimension, combine(*old, *new))
                }
            }
        }
        merged
    }
}

impl Numeric for Intervals {
    fn top() -> Intervals {
        Intervals { ranges: OrdMap::new(), bottom: false }
    }

    fn bottom() -> Intervals {
        Intervals { ranges: OrdMap::new(), bottom: true }
    }

    fn is_bottom(&self) -> bool {
        self.bottom
    }

    fn bounds(&self, linear: &Linear) -> Interval {
        if self.bottom { Interval::EMPTY } else { self.range_of(linear).interval }
    }

    fn assume(&mut self, linear: &Linear) {
        if self.bottom {
            return;
        }
        if linear.terms.is_empty() {
            if linear.constant > 0 {
                *self = Intervals::bottom();
            }
            return;
        }
        for (dimension, factor) in &linear.terms {
            // factor · dimension <= -rest
            let rest = self.range_of(&linear.without(*dimension)).interval;
            let Some(most) = rest.low.and_then(i128::checked_neg) else { continue };
            let interval = if *factor > 0 {
                Interval { low: None, high: Some(most.div_euclid(*factor)) }
            } else {
                Interval { low: Some(-most.div_euclid(factor.unsigned_abs() as i128)), high: None }
            };
            self.restrict(*dimension, Range::of(interval));
            if self.bottom {
                return;
            }
        }
    }

    fn assume_zero(&mut self, linear: &Linear) {
        self.assume(linear);
        if let Some(negated) = linear.scaled(-1) {
            self.assume(&negated);
        }
        if self.bottom {
            return;
        }
        // ±x = -rest: x has the rest's congruence. And a sum of multiples of a number is one.
        for (dimension, factor) in &linear.terms {
            let rest = self.range_of(&linear.without(*dimension));
            if factor.unsigned_abs() == 1 {
                self.restrict(*dimension, Range::new(Interval::TOP, rest.scaled(-*factor).congruence));
            }
        }
        let divisor = linear.terms.iter().fold(0, |divisor, term| gcd(divisor, term.1));
        if divisor > 1 && linear.constant % divisor != 0 {
            *self = Intervals::bottom();
        }
    }

    fn assign(&mut self, dimension: Dimension, linear: &Linear) {
        if !self.bottom {
            self.set(dimension, self.range_of(linear));
        }
    }

    fn forget(&mut self, dimension: Dimension) {
        self.ranges.remove(&dimension);
    }

    fn join(&self, other: &Intervals) -> Intervals {
        self.merge(other, Range::join)
    }

    fn meet(&self, other: &Intervals) -> Intervals {
        let mut both = self.clone();
        if other.bottom {
            return Intervals::bottom();
        }
        for (dimension, range) in other.known() {
            both.restrict(dimension, range);
        }
        both
    }

    fn widen(&self, next: &Intervals, thresholds: &Thresholds) -> Intervals {
        self.merge(next, |old, new| {
            let interval = Interval {
                low: thresholds.lower(old.interval.low, new.interval.low),
                high: thresholds.upper(old.interval.high, new.interval.high),
            };
            let congruence = old.congruence.join(new.congruence);
            // Tightening to the congruence could undo the widening again and again, but the moduli only fall.
            if congruence.modulus == 0 { old } else { Range { interval, congruence } }
        })
    }

    fn is_within(&self, other: &Intervals) -> bool {
        if self.bottom {
            return true;
        }
        !other.bottom
            && self.ranges.diff(&other.ranges).all(|difference| match difference {
                DiffItem::Add(..) => false,
                DiffItem::Remove(..) => true,
                DiffItem::Update { old: (_, old), new: (_, new) } => old.is_within(*new),
            })
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.bottom {
            return vec![Constraint::AtMostZero(Linear::constant(1))];
        }
        let mut constraints = Vec::new();
        for (dimension, range) in self.known() {
            let linear = Linear::dimension(dimension);
            if let Some(value) = range.interval.as_constant() {
                constraints.extend(linear.plus_constant(-value).map(Constraint::Zero));
                continue;
            }
            if let Some(high) = range.interval.high {
                constraints.extend(linear.plus_constant(-high).map(Constraint::AtMostZero));
            }
            let negated = linear.scaled(-1);
            if let Some((low, negated)) = range.interval.low.zip(negated) {
                constraints.extend(negated.plus_constant(low).map(Constraint::AtMostZero));
            }
        }
        constraints
    }
}

impl Intervals {
    /// The congruence of an expression.
    pub fn congruence(&self, linear: &Linear) -> Congruence {
        self.range_of(linear).congruence
    }
}
