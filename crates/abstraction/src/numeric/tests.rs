//! One suite for all domains: lattice laws, and transfer against concrete points.
//!
//! A case is a list of operations that is applied to an element and to a set of points alike; every point
//! must stay in the element.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Constraint, Dimension, Intervals, Linear, Numbers, Numeric, Octagons, Polyhedra, Thresholds};

const DIMENSIONS: usize = 3;

type Point = [i128; DIMENSIONS];

#[derive(Clone, Debug)]
enum Operation {
    Assign(usize, Linear),
    Assume(Linear),
    AssumeZero(Linear),
    Forget(usize),
}

fn linears() -> impl Strategy<Value = Linear> {
    (prop::collection::vec(-2i128..=2, DIMENSIONS), -6i128..=6).prop_map(|(factors, constant)| Linear {
        terms: factors
            .into_iter()
            .enumerate()
            .filter(|(_, factor)| *factor != 0)
            .map(|(index, factor)| (Dimension(index as u32), factor))
            .collect(),
        constant,
    })
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let one = prop_oneof![
        4 => (0..DIMENSIONS, linears()).prop_map(|(index, linear)| Operation::Assign(index, linear)),
        5 => linears().prop_map(Operation::Assume),
        1 => linears().prop_map(Operation::AssumeZero),
        1 => (0..DIMENSIONS).prop_map(Operation::Forget),
    ];
    prop::collection::vec(one, 0..8)
}

fn evaluate(linear: &Linear, point: &Point) -> i128 {
    linear.evaluate(|dimension| point[dimension.0 as usize]).unwrap_or(0)
}

/// All points of a small cube, and the element after each dimension is bounded by it.
fn start<D: Numeric>() -> (D, BTreeSet<Point>) {
    let mut element = D::top();
    for index in 0..DIMENSIONS {
        let dimension = Linear::dimension(Dimension(index as u32));
        element.assume(&dimension.plus_constant(-2).unwrap());
        element.assume(&dimension.scaled(-1).unwrap().plus_constant(-2).unwrap());
    }
    let side = -2..=2i128;
    let points = side.clone().flat_map(|x| {
        let side = side.clone();
        side.clone().flat_map(move |y| side.clone().map(move |z| [x, y, z]))
    });
    (element, points.collect())
}

fn apply<D: Numeric>(element: &mut D, points: &mut BTreeSet<Point>, operation: &Operation) {
    match operation {
        Operation::Assign(index, linear) => {
            element.assign(Dimension(*index as u32), linear);
            let moved = points.iter().map(|point| {
                let mut next = *point;
                next[*index] = evaluate(linear, point);
                next
            });
            *points = moved.collect();
        }
        Operation::Assume(linear) => {
            element.assume(linear);
            points.retain(|point| evaluate(linear, point) <= 0);
        }
        Operation::AssumeZero(linear) => {
            element.assume_zero(linear);
            points.retain(|point| evaluate(linear, point) == 0);
        }
        Operation::Forget(index) => {
            element.forget(Dimension(*index as u32));
            let (old, index) = (points.clone(), *index);
            for value in [-100, 7] {
                points.extend(old.iter().map(|point| {
                    let mut next = *point;
                    next[index] = value;
                    next
                }));
            }
        }
    }
}

fn build<D: Numeric>(operations: &[Operation]) -> (D, BTreeSet<Point>) {
    let (mut element, mut points) = start();
    for operation in operations {
        apply(&mut element, &mut points, operation);
    }
    (element, points)
}

fn holds(constraints: &[Constraint], point: &Point) -> bool {
    constraints.iter().all(|constraint| constraint.holds(|dimension| point[dimension.0 as usize]))
}

fn contains<D: Numeric>(element: &D, points: &BTreeSet<Point>, what: &str) -> Result<(), TestCaseError> {
    let constraints = element.constraints();
    for point in points {
        prop_assert!(!element.is_bottom(), "{what}: {element:?} is empty");
        prop_assert!(holds(&constraints, point), "{what}: {point:?} is not in {element:?}");
    }
    Ok(())
}

/// Everything that must hold of a domain for two elements and an expression.
fn laws<D: Numeric>(left: &[Operation], right: &[Operation], linear: &Linear) -> Result<(), TestCaseError> {
    let ((a, left), (b, right)) = (build::<D>(left), build::<D>(right));
    contains(&a, &left, "transfer")?;
    contains(&b, &right, "transfer")?;
    let bounds = a.bounds(linear);
    for point in &left {
        prop_assert!(bounds.contains(evaluate(linear, point)), "bounds {bounds:?} of {linear} in {a:?}");
    }
    let all: BTreeSet<Point> = left.union(&right).copied().collect();
    let both: BTreeSet<Point> = left.intersection(&right).copied().collect();
    let join = a.join(&b);
    contains(&join, &all, "join")?;
    contains(&a.meet(&b), &both, "meet")?;
    prop_assert!(a.is_within(&a), "{a:?} is not within itself");
    prop_assert!(D::bottom().is_within(&a) && a.is_within(&D::top()));
    prop_assert!(a.join(&D::bottom()).is_within(&a) && a.is_within(&a.join(&D::bottom())));
    if a.is_within(&b) {
        contains(&b, &left, "order")?;
    }
    let thresholds = Thresholds::new(vec![-10, 0, 10]);
    contains(&a.widen(&b, &thresholds), &all, "widening")?;
    chain(&a, &b, &thresholds)
}

/// A chain of widenings ends.
fn chain<D: Numeric>(a: &D, b: &D, thresholds: &Thresholds) -> Result<(), TestCaseError> {
    let mut widened = a.clone();
    let mut next = b.clone();
    for _ in 0..60 {
        for index in 0..DIMENSIONS {
            let dimension = Dimension(index as u32);
            next.assign(dimension, &Linear::dimension(dimension).plus_constant(1).unwrap());
        }
        let joined = widened.join(&next);
        if joined.is_within(&widened) {
            return Ok(());
        }
        widened = widened.widen(&joined, thresholds);
        next = widened.clone();
    }
    Err(TestCaseError::fail(format!("{widened:?} grows for ever")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn intervals(left in operations(), right in operations(), linear in linears()) {
        laws::<Intervals>(&left, &right, &linear)?;
    }

    #[test]
    fn octagons(left in operations(), right in operations(), linear in linears()) {
        laws::<Octagons>(&left, &right, &linear)?;
    }

    #[test]
    fn polyhedra(left in operations(), right in operations(), linear in linears()) {
        laws::<Polyhedra>(&left, &right, &linear)?;
    }

    #[test]
    fn products(left in operations(), right in operations(), linear in linears()) {
        laws::<Numbers>(&left, &right, &linear)?;
    }
}

fn linear(terms: &[(u32, i128)], constant: i128) -> Linear {
    Linear { terms: terms.iter().map(|(dimension, factor)| (Dimension(*dimension), *factor)).collect(), constant }
}

#[test]
fn octagons_close_over_three_dimensions() {
    let mut octagons = Octagons::top();
    octagons.assume(&linear(&[(0, 1), (1, -1)], 1));
    octagons.assume(&linear(&[(1, 1), (2, -1)], 1));
    assert_eq!(octagons.bounds(&linear(&[(0, 1), (2, -1)], 0)).high, Some(-2));
}

#[test]
fn polyhedra_relate_more_than_two_dimensions() {
    let mut polyhedra = Polyhedra::top();
    polyhedra.assign(Dimension(2), &linear(&[(0, 2), (1, 3)], 1));
    polyhedra.assume(&linear(&[(0, 1)], -4));
    polyhedra.assume(&linear(&[(1, 1)], -5));
    assert_eq!(polyhedra.bounds(&linear(&[(2, 1)], 0)).high, Some(24));
    polyhedra.forget(Dimension(0));
    assert_eq!(polyhedra.bounds(&linear(&[(2, 1), (1, -3)], 0)).high, Some(9));
}

#[test]
fn a_hull_of_two_points_is_their_line() {
    let point = |x: i128, y: i128| {
        let mut polyhedra = Polyhedra::top();
        polyhedra.assign(Dimension(0), &Linear::constant(x));
        polyhedra.assign(Dimension(1), &Linear::constant(y));
        polyhedra
    };
    let hull = point(0, 0).join(&point(1, 4));
    assert_eq!(hull.bounds(&linear(&[(0, 4), (1, -1)], 0)).as_constant(), Some(0));
}

#[test]
fn a_product_finds_that_two_counters_move_together() {
    let (counter, bytes) = (Dimension(0), Dimension(1));
    let mut entry = Numbers::unconstrained(true);
    entry.assign(counter, &Linear::constant(0));
    entry.assign(bytes, &Linear::constant(0));
    let mut back = entry.clone();
    back.assume(&linear(&[(0, 1)], -9));
    back.assign(bytes, &linear(&[(0, 4)], 4));
    back.assign(counter, &linear(&[(0, 1)], 1));
    let joined = entry.join(&back);
    assert_eq!(joined.bounds(&linear(&[(0, 4), (1, -1)], 0)).as_constant(), Some(0), "{joined:?}");
    let widened = entry.widen(&joined, &Thresholds::new(vec![0]));
    assert_eq!(widened.bounds(&linear(&[(0, 4), (1, -1)], 0)).as_constant(), Some(0), "{widened:?}");
}
