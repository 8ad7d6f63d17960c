//! Two domains side by side, each asked for what the other does not know.
//!
//! Octagons follow every dimension; polyhedra beside them only a few, where relations of more than two
//! dimensions or other factors than ±1 matter. After each assumption the polyhedra's bounds tighten the
//! ranges of the octagons.

use super::{Constraint, Dimension, Interval, Linear, Numeric, Octagons, Polyhedra, Range, Thresholds};

/// A reduced product.
#[derive(Clone, Debug, PartialEq)]
pub struct Product<A, B> {
    pub first: A,
    pub second: B,
}

/// What states of a program know about numbers.
pub type Numbers = Product<Octagons, Polyhedra>;

impl Numbers {
    /// Nothing known; polyhedra are followed or not from here on.
    pub fn unconstrained(polyhedra: bool) -> Numbers {
        Product { first: Octagons::top(), second: if polyhedra { Polyhedra::top() } else { Polyhedra::off() } }
    }

    pub fn range(&self, linear: &Linear) -> Range {
        if self.is_bottom() {
            return Range::of(Interval::EMPTY);
        }
        Range::new(self.bounds(linear), self.first.ranges().congruence(linear))
    }

    /// Keeps the points where the dimension is in the range.
    pub fn restrict(&mut self, dimension: Dimension, range: Range) {
        self.first.restrict(dimension, range);
        if self.second.is_on() {
            self.second.restrict(dimension, range.interval);
        }
    }

    /// `dimension :=` any number of the range.
    pub fn assign_range(&mut self, dimension: Dimension, range: Range) {
        self.forget(dimension);
        self.restrict(dimension, range);
    }
}

impl Numeric for Numbers {
    fn top() -> Numbers {
        Numbers::unconstrained(true)
    }

    fn bottom() -> Numbers {
        Product { first: Octagons::bottom(), second: Polyhedra::bottom() }
    }

    fn is_bottom(&self) -> bool {
        self.first.is_bottom() || self.second.is_bottom()
    }

    fn bounds(&self, linear: &Linear) -> Interval {
        let first = self.first.bounds(linear);
        if linear.terms.is_empty() { first } else { first.meet(self.second.bounds_with(linear, &self.first)) }
    }

    fn assume(&mut self, linear: &Linear) {
        self.first.assume(linear);
        if self.second.is_on() && !self.first.is_bottom() {
            self.second.assume_with(linear, &self.first);
            for (dimension, _) in &linear.terms {
                let interval = self.second.bounds(&Linear::dimension(*dimension));
                self.first.restrict(*dimension, Range::of(interval));
            }
        }
    }

    fn assume_zero(&mut self, linear: &Linear) {
        self.first.assume_zero(linear);
        if self.second.is_on() && !self.first.is_bottom() {
            self.second.assume_with(linear, &self.first);
            if let Some(negated) = linear.scaled(-1) {
                self.second.assume_with(&negated, &self.first);
            }
        }
    }

    fn assign(&mut self, dimension: Dimension, linear: &Linear) {
        let range = self.bounds(linear);
        if self.second.is_on() {
            self.second.assign_with(dimension, linear, &self.first);
        }
        self.first.assign(dimension, linear);
        self.first.restrict(dimension, Range::of(range));
    }

    fn forget(&mut self, dimension: Dimension) {
        self.first.forget(dimension);
        self.second.forget(dimension);
    }

    fn join(&self, other: &Numbers) -> Numbers {
        if self.is_bottom() {
            return other.clone();
        }
        if other.is_bottom() {
            return self.clone();
        }
        let second = self.second.join_with(&other.second, &self.first, &other.first);
        Product { first: self.first.join(&other.first), second }
    }

    fn widen(&self, next: &Numbers, thresholds: &Thresholds) -> Numbers {
        if self.is_bottom() {
            return next.clone();
        }
        if next.is_bottom() {
            return self.clone();
        }
        let second = match thresholds.takes_new_relations() {
            true => self.second.admitting(&next.second, &self.first).widen(&next.second, thresholds),
            false => self.second.widen(&next.second, thresholds),
        };
        Product { first: self.first.widen(&next.first, thresholds), second }
    }

    fn is_within(&self, other: &Numbers) -> bool {
        // Both sides need not follow the same dimensions in their polyhedra: the bounds decide.
        let entails = |constraint: &Constraint| {
            let bounds = self.bounds(constraint.linear());
            match constraint {
                Constraint::AtMostZero(_) => bounds.high.is_some_and(|high| high <= 0),
                Constraint::Zero(_) => bounds.as_constant() == Some(0),
            }
        };
        self.is_bottom()
            || (!other.is_bottom()
                && self.first.is_within(&other.first)
                && (self.second.is_within(&other.second) || other.second.constraints().iter().all(entails)))
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.is_bottom() {
            return vec![Constraint::AtMostZero(Linear::constant(1))];
        }
        let mut constraints = self.first.constraints();
        for constraint in self.second.constraints() {
            if constraint.linear().terms.len() > 1 && !constraints.contains(&constraint) {
                constraints.push(constraint);
            }
        }
        constraints
    }
}
