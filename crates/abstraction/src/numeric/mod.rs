//! Numeric domains: what is known about a set of integers at one place.
//!
//! One trait, one domain a file: [`Intervals`] with congruences, [`Octagons`], convex [`Polyhedra`], and their
//! [`Product`]. An element stands for a set of points, one integer for each dimension; a dimension that
//! nobody constrained can have any value.
//!
//! What holds for each: operations lose nothing. `join`, `widen` contain both operands, `meet` contains all
//! common points, `assign` and `assume` contain the image of every point. All may contain more.
//!
//! Not here: machine integers. Whether an addition wraps around is decided before it gets here.

mod cone;
mod interval;
mod intervals;
mod linear;
mod octagons;
mod polyhedra;
mod product;
#[cfg(test)]
mod tests;

pub(crate) use interval::gcd;
pub use interval::{Congruence, Interval, Range};
pub use intervals::Intervals;
pub use linear::{Constraint, Dimension, Linear};
pub use octagons::Octagons;
pub use polyhedra::Polyhedra;
pub use product::{Numbers, Product};

/// Bounds at which widening stops on its way to infinity, in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Thresholds(Vec<i128>, bool);

impl Thresholds {
    pub fn new(mut values: Vec<i128>) -> Thresholds {
        values.sort_unstable();
        values.dedup();
        Thresholds(values, true)
    }

    /// For the last rounds: relations that are new are not looked at any more, so that the chain ends.
    pub fn last(self) -> Thresholds {
        Thresholds(self.0, false)
    }

    pub(crate) fn takes_new_relations(&self) -> bool {
        self.1
    }

    /// The least threshold that is at least `value`.
    pub fn above(&self, value: i128) -> Option<i128> {
        self.0.get(self.0.partition_point(|&threshold| threshold < value)).copied()
    }

    /// The greatest threshold that is at most `value`.
    pub fn below(&self, value: i128) -> Option<i128> {
        self.0[..self.0.partition_point(|&threshold| threshold <= value)].last().copied()
    }

    /// The bound for an expression whose bound has grown from `old` to `new`.
    pub(crate) fn upper(&self, old: Option<i128>, new: Option<i128>) -> Option<i128> {
        match (old, new) {
            (Some(old), Some(new)) if new <= old => Some(old),
            (Some(_), Some(new)) => self.above(new),
            _ => None,
        }
    }

    pub(crate) fn lower(&self, old: Option<i128>, new: Option<i128>) -> Option<i128> {
        match (old, new) {
            (Some(old), Some(new)) if new >= old => Some(old),
            (Some(_), Some(new)) => self.below(new),
            _ => None,
        }
    }
}

/// A numeric domain.
pub trait Numeric: Clone + std::fmt::Debug {
    fn top() -> Self;

    fn bottom() -> Self;

    /// True only if there is no point.
    fn is_bottom(&self) -> bool;

    /// Bounds of the expression over all points.
    fn bounds(&self, linear: &Linear) -> Interval;

    /// Keeps the points where `linear <= 0`.
    fn assume(&mut self, linear: &Linear);

    fn assume_zero(&mut self, linear: &Linear) {
        self.assume(linear);
        if let Some(negated) = linear.scaled(-1) {
            self.assume(&negated);
        }
    }

    /// `dimension := linear`, which may mention the dimension itself.
    fn assign(&mut self, dimension: Dimension, linear: &Linear);

    /// `dimension :=` any number.
    fn forget(&mut self, dimension: Dimension);

    #[must_use]
    fn join(&self, other: &Self) -> Self;

    #[must_use]
    fn meet(&self, other: &Self) -> Self {
        let mut both = self.clone();
        if other.is_bottom() {
            return Self::bottom();
        }
        for constraint in other.constraints() {
            both.require(&constraint);
        }
        both
    }

    /// An upper bound of both such that every chain of widenings ends.
    #[must_use]
    fn widen(&self, next: &Self, thresholds: &Thresholds) -> Self;

    /// True only if every point of `self` is one of `other`.
    fn is_within(&self, other: &Self) -> bool;

    /// A conjunction that all points satisfy, as tight as the domain can say it, in a fixed order.
    fn constraints(&self) -> Vec<Constraint>;

    fn require(&mut self, constraint: &Constraint) {
        match constraint {
            Constraint::AtMostZero(linear) => self.assume(linear),
            Constraint::Zero(linear) => self.assume_zero(linear),
        }
    }
}
