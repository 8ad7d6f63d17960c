//! Octagons (Miné 2006): bounds on `±x` and `±x ± y`.
//!
//! Deviations. The matrix is sparse: a pair has a bound only where it is tighter than what the two ranges
//! imply, as in the split normal form of Gange et al. (2016), so unrelated dimensions cost nothing.
//! Closure is incremental: a new bound is combined with the bounds that touch its two dimensions, once.
//! Imprecise: what a second round of combining would find is found only when asked for ([`Numeric::bounds`]
//! combines pairs). A dimension has at most [`MOST_NEIGHBOURS`] derived bounds.

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::{Constraint, Dimension, Interval, Intervals, Linear, Numeric, Range, Thresholds};

/// Derived bounds beyond this number of bounds at one dimension are not kept.
const MOST_NEIGHBOURS: usize = 24;

/// More dimensions that changed in a join are not compared with each other.
const MOST_CHANGED: usize = 16;

/// `own · x + their · y <= bound`, kept at `x`; the mirror image is kept at `y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    other: Dimension,
    own: i8,
    their: i8,
    bound: i128,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Octagons {
    ranges: Intervals,
    edges: OrdMap<Dimension, Vec<Edge>>,
}

impl Octagons {
    pub fn ranges(&self) -> &Intervals {
        &self.ranges
    }

    pub fn range(&self, dimension: Dimension) -> Range {
        self.ranges.range(dimension)
    }

    /// Keeps the points where the dimension is in the range.
    pub fn restrict(&mut self, dimension: Dimension, range: Range) {
        self.ranges.restrict(dimension, range);
    }

    fn neighbours(&self, dimension: Dimension) -> &[Edge] {
        self.edges.get(&dimension).map_or(&[], Vec::as_slice)
    }

    /// The greatest value of `sign · dimension`.
    fn most(&self, sign: i8, dimension: Dimension) -> Option<i128> {
        let interval = self.ranges.range(dimension).interval;
        if sign > 0 { interval.high } else { interval.low.and_then(i128::checked_neg) }
    }

    fn implied(&self, x: (i8, Dimension), y: (i8, Dimension)) -> Option<i128> {
        self.most(x.0, x.1)?.checked_add(self.most(y.0, y.1)?)
    }

    fn explicit(&self, x: (i8, Dimension), y: (i8, Dimension)) -> Option<i128> {
        let is_it = |edge: &&Edge| edge.other == y.1 && edge.own == x.0 && edge.their == y.0;
        self.neighbours(x.1).iter().find(is_it).map(|edge| edge.bound)
    }

    /// The least known bound of `±x ± y`.
    fn bound(&self, x: (i8, Dimension), y: (i8, Dimension)) -> Option<i128> {
        match (self.explicit(x, y), self.implied(x, y)) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        }
    }

    fn set_edge(&mut self, x: (i8, Dimension), y: (i8, Dimension), bound: i128) {
        for ((own, dimension), (their, other)) in [(x, y), (y, x)] {
            let mut edges = self.neighbours(dimension).to_vec();
            match edges.iter_mut().find(|edge| edge.other == other && edge.own == own && edge.their == their) {
                Some(edge) => edge.bound = edge.bound.min(bound),
                None => edges.push(Edge { other, own, their, bound }),
            }
            self.edges.insert(dimension, edges);
        }
    }

    /// Adds `±x ± y <= bound` if it says something new; tells whether it did.
    fn tighten(&mut self, x: (i8, Dimension), y: (i8, Dimension), bound: i128, derived: bool) -> bool {
        if x.1 == y.1 {
            if x.0 == y.0 {
                let half = bound.div_euclid(2);
                let interval = match x.0 > 0 {
                    true => Interval { low: None, high: Some(half) },
                    false => Interval { low: half.checked_neg(), high: None },
                };
                self.ranges.restrict(x.1, Range::of(interval));
            } else if bound < 0 {
                *self = Octagons::bottom();
            }
            return false;
        }
        let full = |dimension| derived && self.neighbours(dimension).len() >= MOST_NEIGHBOURS;
        if self.bound(x, y).is_some_and(|known| known <= bound) || full(x.1) || full(y.1) {
            return false;
        }
        self.set_edge(x, y, bound);
        true
    }

    /// Adds a bound and what follows from it and the bounds beside it.
    fn add(&mut self, x: (i8, Dimension), y: (i8, Dimension), bound: i128) {
        if self.is_bottom() || !self.tighten(x, y, bound, false) {
            return;
        }
        self.propagate(x, y, bound);
        if self.is_bottom() {
            return;
        }
        // -x + u <= d gives y + u <= bound + d, and the same on y's side.
        let at = |octagons: &Octagons, (sign, dimension): (i8, Dimension)| -> Vec<((i8, Dimension), i128)> {
            let opposite = octagons.neighbours(dimension).iter().filter(|edge| edge.own == -sign);
            opposite.map(|edge| ((edge.their, edge.other), edge.bound)).collect()
        };
        let (left, right) = (at(self, x), at(self, y));
        let sum = |parts: &[i128]| parts.iter().try_fold(0i128, |sum, part| sum.checked_add(*part));
        for (u, d) in &left {
            if let Some(total) = sum(&[bound, *d]) {
                self.tighten(y, *u, total, true);
            }
        }
        for (v, e) in &right {
            if let Some(total) = sum(&[bound, *e]) {
                self.tighten(x, *v, total, true);
            }
            for (u, d) in &left {
                if let Some(total) = sum(&[bound, *d, *e]) {
                    self.tighten(*u, *v, total, true);
                }
            }
        }
    }

    /// Ranges from one bound: `±x <= bound - (±y)`.
    fn propagate(&mut self, x: (i8, Dimension), y: (i8, Dimension), bound: i128) {
        for (one, other) in [(x, y), (y, x)] {
            let Some(least) = self.most(-other.0, other.1) else { continue };
            let Some(most) = bound.checked_add(least) else { continue };
            let interval = match one.0 > 0 {
                true => Interval { low: None, high: Some(most) },
                false => Interval { low: most.checked_neg(), high: None },
            };
            self.ranges.restrict(one.1, Range::of(interval));
        }
    }

    /// Ranges from all bounds at a dimension whose own range has changed.
    fn propagate_from(&mut self, dimension: Dimension) {
        for edge in self.neighbours(dimension).to_vec() {
            self.propagate((edge.own, dimension), (edge.their, edge.other), edge.bound);
            if self.is_bottom() {
                return;
            }
        }
    }

    fn drop_edges(&mut self, dimension: Dimension) {
        let Some(edges) = self.edges.remove(&dimension) else { return };
        for edge in edges {
            let mut rest = self.neighbours(edge.other).to_vec();
            rest.retain(|back| back.other != dimension);
            if rest.is_empty() {
                self.edges.remove(&edge.other);
            } else {
                self.edges.insert(edge.other, rest);
            }
        }
    }

    /// Adds a number to a dimension.
    fn shift(&mut self, dimension: Dimension, distance: i128) {
        let range = self.ranges.range(dimension).plus(Range::constant(distance));
        self.ranges.set(dimension, range);
        let edges = self.neighbours(dimension).to_vec();
        self.drop_edges(dimension);
        for edge in edges {
            if let Some(bound) = distance.checked_mul(edge.own.into()).and_then(|moved| edge.bound.checked_add(moved)) {
                self.set_edge((edge.own, dimension), (edge.their, edge.other), bound);
            }
        }
    }

    /// Every bound once.
    fn pairs(&self) -> impl Iterator<Item = ((i8, Dimension), (i8, Dimension), i128)> + '_ {
        self.edges.iter().flat_map(|(dimension, edges)| {
            let once = edges.iter().filter(|edge| *dimension < edge.other);
            once.map(|edge| ((edge.own, *dimension), (edge.their, edge.other), edge.bound))
        })
    }

    /// Sets or removes a bound, whatever it was.
    fn put_edge(&mut self, x: (i8, Dimension), y: (i8, Dimension), bound: Option<i128>) {
        for ((own, dimension), (their, other)) in [(x, y), (y, x)] {
            let mut edges = self.neighbours(dimension).to_vec();
            edges.retain(|edge| !(edge.other == other && edge.own == own && edge.their == their));
            edges.extend(bound.map(|bound| Edge { other, own, their, bound }));
            match edges.is_empty() {
                true => self.edges.remove(&dimension),
                false => self.edges.insert(dimension, edges),
            };
        }
    }

    /// The bounds that the two sides may not have alike, each once.
    fn differing(&self, other: &Octagons) -> Vec<((i8, Dimension), (i8, Dimension))> {
        let mut pairs = Vec::new();
        for difference in self.edges.diff(&other.edges) {
            let (dimension, lists): (_, [Option<&Vec<Edge>>; 2]) = match difference {
                DiffItem::Add(dimension, list) | DiffItem::Remove(dimension, list) => (*dimension, [Some(list), None]),
                DiffItem::Update { old: (dimension, old), new: (_, new) } => (*dimension, [Some(old), Some(new)]),
            };
            for edge in lists.into_iter().flatten().flatten().filter(|edge| dimension < edge.other) {
                pairs.push(((edge.own, dimension), (edge.their, edge.other)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Keeps bounds that both sides have, as `combine` says; a side without one has what its ranges imply.
    fn merge(&self, other: &Octagons, ranges: Intervals, combine: impl Fn(i128, i128) -> Option<i128>) -> Octagons {
        let mut merged = Octagons { ranges, edges: self.edges.clone() };
        for (x, y) in self.differing(other) {
            let bound = self.bound(x, y).zip(other.bound(x, y)).and_then(|(left, right)| combine(left, right));
            let bound = bound.filter(|bound| merged.implied(x, y).is_none_or(|implied| *bound < implied));
            merged.put_edge(x, y, bound);
        }
        merged
    }
}

impl Numeric for Octagons {
    fn top() -> Octagons {
        Octagons { ranges: Intervals::top(), edges: OrdMap::new() }
    }

    fn bottom() -> Octagons {
        Octagons { ranges: Intervals::bottom(), edges: OrdMap::new() }
    }

    fn is_bottom(&self) -> bool {
        self.ranges.is_bottom()
    }

    fn bounds(&self, linear: &Linear) -> Interval {
        let plain = self.ranges.bounds(linear);
        if linear.terms.len() < 2 || self.edges.is_empty() || self.is_bottom() {
            return plain;
        }
        let high = self.paired_high(linear);
        let low = linear.scaled(-1).and_then(|negated| self.paired_high(&negated)).and_then(i128::checked_neg);
        plain.meet(Interval { low, high })
    }

    fn assume(&mut self, linear: &Linear) {
        let linear = linear.clone().tightened();
        self.ranges.assume(&linear);
        if self.is_bottom() {
            return;
        }
        let unit: Vec<(i8, Dimension)> = linear
            .terms
            .iter()
            .filter(|term| term.1.unsigned_abs() == 1)
            .map(|(dimension, factor)| (*factor as i8, *dimension))
            .collect();
        for (index, x) in unit.iter().enumerate() {
            for y in &unit[index + 1..] {
                // x + y <= -rest
                let rest = linear.without(x.1).without(y.1);
                if let Some(bound) = self.bounds(&rest).low.and_then(i128::checked_neg) {
                    self.add(*x, *y, bound);
                }
                if self.is_bottom() {
                    return;
                }
            }
        }
        for (dimension, _) in &linear.terms {
            self.propagate_from(*dimension);
            if self.is_bottom() {
                return;
            }
        }
    }

    fn assume_zero(&mut self, linear: &Linear) {
        self.ranges.assume_zero(linear);
        self.assume(linear);
        if let Some(negated) = linear.scaled(-1) {
            self.assume(&negated);
        }
    }

    fn assign(&mut self, dimension: Dimension, linear: &Linear) {
        if self.is_bottom() {
            return;
        }
        let own = linear.coefficient(dimension);
        if own == 1 && linear.terms.len() == 1 {
            return self.shift(dimension, linear.constant);
        }
        let range = Range::new(self.bounds(linear), self.ranges.congruence(linear));
        let mut relations = Vec::new();
        for (other, factor) in linear.terms.iter().filter(|term| term.0 != dimension && term.1.unsigned_abs() == 1) {
            let sign = *factor as i8;
            let rest = self.bounds(&linear.without(*other));
            // new - (±y) is the rest.
            relations.push(((1, dimension), (-sign, *other), rest.high));
            relations.push(((-1, dimension), (sign, *other), rest.low.and_then(i128::checked_neg)));
        }
        self.forget(dimension);
        self.ranges.set(dimension, range);
        for (x, y, bound) in relations {
            if let Some(bound) = bound {
                self.add(x, y, bound);
            }
        }
    }

    fn forget(&mut self, dimension: Dimension) {
        self.ranges.forget(dimension);
        self.drop_edges(dimension);
    }

    fn join(&self, other: &Octagons) -> Octagons {
        if self.is_bottom() {
            return other.clone();
        }
        if other.is_bottom() {
            return self.clone();
        }
        let mut joined = self.merge(other, self.ranges.join(&other.ranges), |left, right| Some(left.max(right)));
        // Two dimensions whose ranges moved alike have a difference that no bound of either side spells out.
        let changed = self.ranges.changed(&other.ranges);
        for (index, &x) in changed.iter().enumerate().filter(|_| changed.len() <= MOST_CHANGED) {
            for &y in &changed[index + 1..] {
                for (x, y) in [((1, x), (-1, y)), ((-1, x), (1, y))] {
                    let Some(bound) = self.bound(x, y).zip(other.bound(x, y)).map(|(a, b)| a.max(b)) else { continue };
                    if joined.bound(x, y).is_none_or(|known| bound < known) {
                        joined.set_edge(x, y, bound);
                    }
                }
            }
        }
        joined
    }

    fn widen(&self, next: &Octagons, thresholds: &Thresholds) -> Octagons {
        if self.is_bottom() {
            return next.clone();
        }
        if next.is_bottom() {
            return self.clone();
        }
        let ranges = self.ranges.widen(&next.ranges, thresholds);
        let mut widened = Octagons { ranges, edges: self.edges.clone() };
        for (x, y) in self.differing(next) {
            // Only bounds that are there already: new ones could come for ever. Differences stop at the
            // thresholds next to zero only: each has its own way to go.
            let old = self.explicit(x, y);
            let stop = old.and_then(|old| thresholds.upper(Some(old), next.bound(x, y)));
            widened.put_edge(x, y, stop.filter(|stop| Some(*stop) == old || stop.abs() <= 1));
        }
        widened
    }

    fn is_within(&self, other: &Octagons) -> bool {
        self.is_bottom()
            || (self.ranges.is_within(&other.ranges)
                && self.differing(other).into_iter().all(|(x, y)| {
                    other.explicit(x, y).is_none_or(|bound| self.bound(x, y).is_some_and(|mine| mine <= bound))
                }))
    }

    fn constraints(&self) -> Vec<Constraint> {
        let mut constraints = self.ranges.constraints();
        if self.is_bottom() {
            return constraints;
        }
        for (x, y, bound) in self.pairs() {
            let side = |(sign, dimension): (i8, Dimension)| Linear::dimension(dimension).scaled(sign.into());
            let sum = side(x).zip(side(y)).and_then(|(x, y)| x.plus(&y)?.plus_constant(bound.checked_neg()?));
            constraints.extend(sum.map(Constraint::AtMostZero));
        }
        constraints
    }
}

impl Octagons {
    /// The least upper bound of the expression that pairs of its terms and the ranges of the others give.
    fn paired_high(&self, linear: &Linear) -> Option<i128> {
        let mut terms = linear.terms.clone();
        let mut sum = linear.constant;
        while let Some((dimension, factor)) = terms.pop() {
            let sign = factor.signum() as i8;
            let size = factor.checked_abs()?;
            let partner = terms.iter().position(|(other, theirs)| {
                self.explicit((sign, dimension), (theirs.signum() as i8, *other)).is_some()
            });
            let Some(partner) = partner else {
                sum = sum.checked_add(self.most(sign, dimension)?.checked_mul(size)?)?;
                continue;
            };
            let (other, theirs) = terms[partner];
            let their_sign = theirs.signum() as i8;
            let share = size.min(theirs.checked_abs()?);
            let bound = self.bound((sign, dimension), (their_sign, other))?;
            sum = sum.checked_add(bound.checked_mul(share)?)?;
            terms[partner].1 -= i128::from(their_sign) * share;
            if terms[partner].1 == 0 {
                terms.remove(partner);
            }
            if size > share {
                terms.push((dimension, i128::from(sign) * (size - share)));
            }
        }
        Some(sum)
    }
}
