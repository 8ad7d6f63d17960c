//! Convex polyhedra (Cousot and Halbwachs 1978), in the double description of [`super::cone`].
//!
//! A point `x` is the ray `(1, x)` of a cone; constraints and generators are both kept. Only few dimensions
//! are followed, those that relations beyond octagons mention: at most [`MOST_DIMENSIONS`]. A polyhedron
//! that grows too large, or whose numbers do, becomes the whole space.
//!
//! Why our own: Apron is in no Debian release that we build on, and PPL's licence does not fit ours.
//! Widening keeps the constraints that stay true (1978), without later refinements.

use super::cone::{self, Cone, Vector, product};
use super::{Constraint, Dimension, Interval, Linear, Numeric, Octagons, Range, Thresholds};

/// Dimensions that one polyhedron relates.
pub const MOST_DIMENSIONS: usize = 9;

/// The whole space, when `dimensions` is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedra {
    on: bool,
    bottom: bool,
    dimensions: Vec<Dimension>,
    /// Rows over `(1, x)` that are at least 0.
    inequalities: Vec<Vector>,
    /// Rows that are 0.
    equalities: Vec<Vector>,
    generators: Cone,
}

impl Polyhedra {
    /// Follows nothing, ever.
    pub fn off() -> Polyhedra {
        Polyhedra { on: false, ..Polyhedra::top() }
    }

    pub fn is_on(&self) -> bool {
        self.on
    }

    fn space(dimensions: Vec<Dimension>) -> Polyhedra {
        let width = dimensions.len() + 1;
        let unit = |index: usize| (0..width).map(|column| i128::from(column == index)).collect::<Vector>();
        let generators = Cone { rays: vec![unit(0)], lines: (1..width).map(unit).collect() };
        Polyhedra { on: true, bottom: false, dimensions, inequalities: Vec::new(), equalities: Vec::new(), generators }
    }

    fn column(&self, dimension: Dimension) -> Option<usize> {
        self.dimensions.binary_search(&dimension).ok().map(|index| index + 1)
    }

    /// The expression as a row; `None` if it mentions another dimension.
    fn row(&self, linear: &Linear) -> Option<Vector> {
        let mut row = vec![0; self.dimensions.len() + 1];
        row[0] = linear.constant;
        for (dimension, factor) in &linear.terms {
            row[self.column(*dimension)?] = *factor;
        }
        Some(row)
    }

    fn linear(&self, row: &[i128]) -> Linear {
        let terms = self.dimensions.iter().copied().zip(row[1..].iter().copied());
        Linear { terms: terms.filter(|term| term.1 != 0).collect(), constant: row[0] }
    }

    /// Makes the generators from the constraints, or gives up.
    fn from_constraints(mut self) -> Polyhedra {
        let width = self.dimensions.len() + 1;
        let mut rows = vec![(0..width).map(|column| i128::from(column == 0)).collect::<Vector>()];
        rows.extend(self.inequalities.iter().cloned());
        match cone::generators(width, &rows, &self.equalities) {
            Some(generators) if generators.rays.iter().any(|ray| ray[0] > 0) => {
                self.generators = generators;
                self.minimized()
            }
            Some(_) => Polyhedra::bottom(),
            None => Polyhedra::top(),
        }
    }

    /// Makes the constraints from the generators, or gives up.
    fn minimized(mut self) -> Polyhedra {
        let width = self.dimensions.len() + 1;
        match cone::generators(width, &self.generators.rays, &self.generators.lines) {
            Some(dual) => {
                self.inequalities = dual.rays.into_iter().filter(|row| row[1..].iter().any(|&it| it != 0)).collect();
                self.equalities = dual.lines;
                self
            }
            None => Polyhedra::top(),
        }
    }

    fn add_dimension(&mut self, dimension: Dimension) -> bool {
        if self.column(dimension).is_some() {
            return true;
        }
        if self.dimensions.len() >= MOST_DIMENSIONS && !self.make_room() {
            return false;
        }
        let Err(index) = self.dimensions.binary_search(&dimension) else { return true };
        self.dimensions.insert(index, dimension);
        let rows =
            [&mut self.inequalities, &mut self.equalities, &mut self.generators.rays, &mut self.generators.lines];
        for row in rows.into_iter().flatten() {
            row.insert(index + 1, 0);
        }
        let width = self.dimensions.len() + 1;
        self.generators.lines.push((0..width).map(|column| i128::from(column == index + 1)).collect());
        true
    }

    /// Drops a dimension that is related to no other: octagons know its range as well.
    fn make_room(&mut self) -> bool {
        let related = |column: usize| {
            let rows = self.inequalities.iter().chain(&self.equalities);
            rows.filter(|row| row[column] != 0).any(|row| row[1..].iter().filter(|entry| **entry != 0).count() > 1)
        };
        let alone = (1..=self.dimensions.len()).find(|column| !related(*column));
        match alone {
            Some(column) => self.forget(self.dimensions[column - 1]),
            None => return false,
        }
        self.dimensions.len() < MOST_DIMENSIONS
    }

    /// Adds a dimension with what the octagons know about it.
    fn admit(&mut self, dimension: Dimension, octagons: &Octagons) -> bool {
        if self.column(dimension).is_some() {
            return true;
        }
        if !self.add_dimension(dimension) {
            return false;
        }
        self.restrict(dimension, octagons.range(dimension).interval);
        self.column(dimension).is_some()
    }

    /// Whether dimensions that are not followed yet are worth it: octagons cannot say this.
    fn is_worthwhile(&self, linear: &Linear) -> bool {
        linear.terms.len() > 2
            || linear.terms.iter().any(|term| term.1.unsigned_abs() != 1)
            || linear.terms.iter().any(|term| self.column(term.0).is_some())
    }

    /// `linear <= 0`, where octagons know about dimensions that are not followed.
    pub fn assume_with(&mut self, linear: &Linear, octagons: &Octagons) {
        if !self.on || self.bottom {
            return;
        }
        let multiple = linear.terms.len() > 1;
        let worthwhile = multiple && self.is_worthwhile(linear);
        let mut rest = linear.clone();
        for (dimension, factor) in &linear.terms {
            if self.column(*dimension).is_some() || (worthwhile && self.admit(*dimension, octagons)) {
                continue;
            }
            let least = octagons.range(*dimension).interval.scaled(*factor).low;
            let Some(constant) = least.and_then(|least| rest.constant.checked_add(least)) else { return };
            rest = rest.without(*dimension);
            rest.constant = constant;
        }
        self.assume(&rest);
    }

    pub fn assign_with(&mut self, dimension: Dimension, linear: &Linear, octagons: &Octagons) {
        if !self.on || self.bottom {
            return;
        }
        let followed = self.column(dimension).is_some();
        let worthwhile = !linear.terms.is_empty() && self.is_worthwhile(linear);
        if !followed && !worthwhile {
            return;
        }
        let known = |polyhedra: &mut Polyhedra, dimension| {
            polyhedra.column(dimension).is_some() || polyhedra.admit(dimension, octagons)
        };
        let all = linear.terms.iter().all(|term| known(self, term.0));
        if all && self.add_dimension(dimension) {
            self.assign(dimension, linear);
        } else {
            self.forget(dimension);
        }
    }

    /// Bounds where octagons know about the dimensions that are not followed.
    pub fn bounds_with(&self, linear: &Linear, octagons: &Octagons) -> Interval {
        if !self.on || self.dimensions.is_empty() || self.bottom {
            return if self.bottom { Interval::EMPTY } else { Interval::TOP };
        }
        let (mine, theirs): (Vec<_>, Vec<_>) =
            linear.terms.iter().copied().partition(|term| self.column(term.0).is_some());
        if mine.is_empty() {
            return Interval::TOP;
        }
        let rest = octagons.bounds(&Linear { terms: theirs, constant: linear.constant });
        self.bounds(&Linear { terms: mine, constant: 0 }).plus(rest)
    }

    /// The hull; a dimension that one side does not follow is taken from its octagons.
    pub fn join_with(&self, other: &Polyhedra, mine: &Octagons, theirs: &Octagons) -> Polyhedra {
        if !self.on || self.bottom || other.bottom || self == other {
            return self.join(other);
        }
        self.admitting(other, mine).join(&other.admitting(self, theirs))
    }

    /// The same set, with the dimensions that another polyhedron follows.
    pub fn admitting(&self, other: &Polyhedra, octagons: &Octagons) -> Polyhedra {
        let mut wider = self.clone();
        if self.on && !self.bottom {
            for dimension in &other.dimensions {
                wider.admit(*dimension, octagons);
            }
        }
        wider
    }

    pub fn restrict(&mut self, dimension: Dimension, interval: Interval) {
        if self.column(dimension).is_none() {
            return;
        }
        let linear = Linear::dimension(dimension);
        if let Some(upper) = interval.high.and_then(|high| linear.plus_constant(high.checked_neg()?)) {
            self.assume(&upper);
        }
        if let Some(lower) = interval.low.and_then(|low| linear.scaled(-1)?.plus_constant(low)) {
            self.assume(&lower);
        }
    }

    /// The same set over these dimensions only, which are some of its own.
    fn project(&self, dimensions: &[Dimension]) -> Polyhedra {
        if self.bottom || dimensions == self.dimensions {
            return self.clone();
        }
        let columns: Vec<usize> =
            std::iter::once(0).chain(dimensions.iter().filter_map(|dimension| self.column(*dimension))).collect();
        let shrink = |rows: &[Vector]| -> Vec<Vector> {
            let mut shrunk: Vec<Vector> = rows
                .iter()
                .map(|row| columns.iter().map(|&column| row[column]).collect::<Vector>())
                .filter(|row| row.iter().any(|&entry| entry != 0))
                .collect();
            shrunk.iter_mut().for_each(|row| cone::normalize(row));
            shrunk.sort();
            shrunk.dedup();
            shrunk
        };
        let generators = Cone { rays: shrink(&self.generators.rays), lines: shrink(&self.generators.lines) };
        Polyhedra { dimensions: dimensions.to_vec(), generators, ..Polyhedra::top() }.minimized()
    }

    fn common(&self, other: &Polyhedra) -> Vec<Dimension> {
        self.dimensions.iter().copied().filter(|dimension| other.column(*dimension).is_some()).collect()
    }

    /// Whether all generators satisfy the row.
    fn satisfies(&self, row: &[i128], equality: bool) -> bool {
        let fits = |vector: &Vector, exact: bool| match product(row, vector) {
            Some(value) => value == 0 || (value > 0 && !exact),
            None => false,
        };
        self.generators.rays.iter().all(|ray| fits(ray, equality))
            && self.generators.lines.iter().all(|line| fits(line, true))
    }
}

impl Numeric for Polyhedra {
    fn top() -> Polyhedra {
        Polyhedra::space(Vec::new())
    }

    fn bottom() -> Polyhedra {
        Polyhedra { bottom: true, ..Polyhedra::top() }
    }

    fn is_bottom(&self) -> bool {
        self.bottom
    }

    fn bounds(&self, linear: &Linear) -> Interval {
        if self.bottom {
            return Interval::EMPTY;
        }
        let Some(row) = self.row(linear) else {
            return linear.as_constant().map_or(Interval::TOP, Interval::constant);
        };
        let mut direction = row.clone();
        direction[0] = 0;
        let is_flat = |line: &Vector| product(&direction, line) == Some(0);
        if !self.generators.lines.iter().all(is_flat) {
            return Interval::TOP;
        }
        // Points between integers: the integers inside are between the rounded ends.
        let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
        let (mut down, mut up) = (false, false);
        for ray in &self.generators.rays {
            let Some(value) = product(&row, ray) else { return Interval::TOP };
            if ray[0] > 0 {
                let (least, most) = (-(-value).div_euclid(ray[0]), value.div_euclid(ray[0]));
                low = Some(low.map_or(least, |bound| bound.min(least)));
                high = Some(high.map_or(most, |bound| bound.max(most)));
            } else {
                down |= value < 0;
                up |= value > 0;
            }
        }
        Interval { low: low.filter(|_| !down), high: high.filter(|_| !up) }
    }

    fn assume(&mut self, linear: &Linear) {
        if self.bottom {
            return;
        }
        if let Some(constant) = linear.as_constant() {
            if constant > 0 {
                *self = Polyhedra::bottom();
            }
            return;
        }
        for (dimension, _) in &linear.terms {
            if !self.add_dimension(*dimension) {
                return;
            }
        }
        let Some(row) = linear.clone().tightened().scaled(-1).and_then(|linear| self.row(&linear)) else { return };
        if self.satisfies(&row, false) {
            return;
        }
        let mut narrowed = self.clone();
        narrowed.inequalities.push(row);
        *self = narrowed.from_constraints();
    }

    fn assign(&mut self, dimension: Dimension, linear: &Linear) {
        if self.bottom {
            return;
        }
        let fits = linear.terms.iter().all(|term| self.add_dimension(term.0)) && self.add_dimension(dimension);
        let row = fits.then(|| self.row(linear)).flatten();
        let (Some(row), Some(column)) = (row, self.column(dimension)) else { return self.forget(dimension) };
        for vector in self.generators.rays.iter_mut().chain(&mut self.generators.lines) {
            let Some(value) = product(&row, vector) else {
                *self = Polyhedra::top();
                return;
            };
            vector[column] = value;
            cone::normalize(vector);
        }
        self.generators.lines.retain(|line| line.iter().any(|&entry| entry != 0));
        *self = std::mem::replace(self, Polyhedra::top()).minimized();
    }

    fn forget(&mut self, dimension: Dimension) {
        if self.column(dimension).is_some() {
            let rest: Vec<Dimension> = self.dimensions.iter().copied().filter(|it| *it != dimension).collect();
            *self = self.project(&rest);
        }
    }

    fn join(&self, other: &Polyhedra) -> Polyhedra {
        if !self.on || !other.on {
            return if self.on { other.clone() } else { self.clone() };
        }
        if self.bottom || self == other {
            return other.clone();
        }
        if other.bottom {
            return self.clone();
        }
        let dimensions = self.common(other);
        let (mut left, right) = (self.project(&dimensions), other.project(&dimensions));
        if left.dimensions != right.dimensions {
            return Polyhedra::top();
        }
        left.generators.rays.extend(right.generators.rays);
        left.generators.lines.extend(right.generators.lines);
        left.generators.rays.sort();
        left.generators.rays.dedup();
        // Once for the constraints, and once more for few generators.
        left.minimized().from_constraints()
    }

    fn widen(&self, next: &Polyhedra, thresholds: &Thresholds) -> Polyhedra {
        if !self.on || !next.on || self.bottom || next.bottom {
            return self.join(next);
        }
        let dimensions = self.common(next);
        let (left, right) = (self.project(&dimensions), next.project(&dimensions));
        if left.dimensions != right.dimensions {
            return Polyhedra::top();
        }
        let mut widened = Polyhedra::space(left.dimensions.clone());
        let halves = left.equalities.iter().flat_map(|row| [row.clone(), row.iter().map(|entry| -entry).collect()]);
        for row in left.inequalities.iter().cloned().chain(halves) {
            if right.satisfies(&row, false) && left.satisfies(&row, false) {
                widened.inequalities.push(row);
            }
        }
        if thresholds.takes_new_relations() {
            // A relation that holds on both sides, though only the second shows it.
            widened.equalities.extend(right.equalities.into_iter().filter(|row| left.satisfies(row, true)));
        }
        widened.from_constraints()
    }

    fn is_within(&self, other: &Polyhedra) -> bool {
        if self.bottom || other.dimensions.is_empty() {
            return self.bottom || !other.bottom;
        }
        if other.bottom || self.common(other) != other.dimensions {
            // A dimension that the other side constrains may have any value here.
            return false;
        }
        let mine = self.project(&other.dimensions);
        mine.dimensions == other.dimensions
            && other.inequalities.iter().all(|row| mine.satisfies(row, false))
            && other.equalities.iter().all(|row| mine.satisfies(row, true))
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.bottom {
            return vec![Constraint::AtMostZero(Linear::constant(1))];
        }
        let equalities = self.equalities.iter().map(|row| Constraint::Zero(self.linear(row)));
        let negated = |row: &Vector| row.iter().map(|entry| -entry).collect::<Vector>();
        let inequalities =
            self.inequalities.iter().map(|row| Constraint::AtMostZero(self.linear(&negated(row)).tightened()));
        equalities.chain(inequalities).collect()
    }
}

impl Polyhedra {
    /// The range of one dimension.
    pub fn range(&self, dimension: Dimension) -> Range {
        Range::of(self.bounds(&Linear::dimension(dimension)))
    }
}
