//! Simplified terms mean what the plain ones mean.

use logic::evaluate::Evaluator;
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::BitVector;
use proptest::prelude::*;

use crate::random::{Step, TINY_FLOAT, assignment, build, steps, value_of};

/// Builds random terms over these sorts and compares the two forms of each under random assignments.
fn check(sorts: &[Sort], arrays: bool, steps: &[Step], seeds: &[u64]) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let mut sorts = sorts.to_vec();
    if arrays {
        sorts.push(terms.array_sort(Sort::BitVector(3), Sort::BitVector(8)));
    }
    let variables: Vec<TermId> =
        (0..2 * sorts.len()).map(|number| terms.variable(&format!("v{number}"), sorts[number % sorts.len()])).collect();
    let mut constants = Vec::new();
    for (number, &sort) in sorts.iter().cycle().take(3 * sorts.len()).enumerate() {
        let value = value_of(&terms, sort, seeds[number % seeds.len()].wrapping_add(number as u64));
        constants.push(terms.constant(&value, sort));
        if let Sort::BitVector(width) = sort {
            constants.push(terms.bv_value(&BitVector::one(width)));
        }
    }
    let pairs = build(&mut terms, &variables, &constants, steps);
    for round in 0..6 {
        let model = assignment(&terms, &variables, &seeds[round % seeds.len()..]);
        let mut evaluator = Evaluator::new(&terms, &model);
        for pair in &pairs {
            // Where the plain term has no specified value, the simplified one may have any.
            if let Ok(expected) = evaluator.value(pair.plain) {
                let found = evaluator.value(pair.simple);
                prop_assert_eq!(
                    found,
                    Ok(expected),
                    "{} became {} under {:?}",
                    logic::smtlib::term(&terms, pair.plain),
                    logic::smtlib::term(&terms, pair.simple),
                    model.assignments()
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bit_vectors(steps in steps(40), seeds in prop::collection::vec(any::<u64>(), 8)) {
        check(&[Sort::Bool, Sort::BitVector(1), Sort::BitVector(4), Sort::BitVector(8)], false, &steps, &seeds)?;
    }

    #[test]
    fn wide_bit_vectors(steps in steps(40), seeds in prop::collection::vec(any::<u64>(), 8)) {
        check(&[Sort::BitVector(64), Sort::BitVector(65), Sort::BitVector(140)], false, &steps, &seeds)?;
    }

    #[test]
    fn arrays(steps in steps(40), seeds in prop::collection::vec(any::<u64>(), 8)) {
        check(&[Sort::Bool, Sort::BitVector(3), Sort::BitVector(8)], true, &steps, &seeds)?;
    }

    #[test]
    fn floats(steps in steps(30), seeds in prop::collection::vec(any::<u64>(), 8)) {
        check(&[Sort::Float(TINY_FLOAT), Sort::BitVector(8), Sort::Bool], false, &steps, &seeds)?;
    }

    #[test]
    fn numbers(steps in steps(30), seeds in prop::collection::vec(any::<u64>(), 8)) {
        check(&[Sort::Int, Sort::Real, Sort::Bool], false, &steps, &seeds)?;
    }
}

/// A million levels: no walk over terms recurses.
#[test]
fn deep_terms() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::BitVector(32)), terms.variable("y", Sort::BitVector(32)));
    let mut deep = x;
    for _ in 0..500_000 {
        deep = terms.bv_mul(deep, y);
        deep = terms.bv_not(deep);
    }
    assert_eq!(terms.size(&[deep]), 1_000_002);
    assert_eq!(terms.free_variables(&[deep]), [x, y]);
    let one = terms.bv(32, 1);
    let zero = terms.bv(32, 0);
    let replaced = terms.substitute(deep, &[(y, one), (x, zero)].into_iter().collect());
    assert_eq!(replaced, zero);
    let model = assignment(&terms, &[x, y], &[0, 4]);
    assert!(Evaluator::new(&terms, &model).value(deep).is_ok());
    assert!(logic::smtlib::term(&terms, deep).len() > 5_000_000);
}

/// What a loop of unknown length leaves: the conditions of its paths, the value of its counter.
#[test]
fn bounds_of_one_term() {
    let mut terms = Terms::new();
    let (n, zero) = (terms.variable("n", Sort::BitVector(32)), terms.bv(32, 0));
    for signed in [false, true] {
        let less = |terms: &mut Terms, value: u64| {
            let value = terms.bv(32, value);
            if signed { terms.bv_slt(value, n) } else { terms.bv_ult(value, n) }
        };
        let (first, last, beyond) = (less(&mut terms, 3), less(&mut terms, 8), less(&mut terms, 9));
        let not_beyond = terms.not(beyond);
        assert_eq!(terms.and(&[first, last]), last);
        assert_eq!(terms.or(&[first, last]), first);
        let not_first = terms.not(first);
        assert_eq!(terms.and(&[not_first, last]), terms.false_term());
        assert_eq!(terms.or(&[first, not_beyond]), terms.true_term());
        let mut counter = terms.bv(32, 100_000);
        for value in (0..100_000).rev() {
            let (more, value) = (less(&mut terms, value), terms.bv(32, value));
            counter = terms.ite(more, counter, value);
        }
        let nine = terms.bv(32, 9);
        let (found, expected) = (terms.eq(counter, nine), terms.and(&[last, not_beyond]));
        assert_eq!(found, expected);
        let positive = terms.bv_ult(zero, counter);
        assert_eq!(positive, less(&mut terms, 0));
    }
}

#[test]
fn multiples_of_one_term() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::BitVector(32)), terms.variable("y", Sort::BitVector(32)));
    let mut sum = terms.bv_add(x, y);
    for _ in 0..9 {
        sum = terms.bv_add(sum, x);
        let one = terms.bv(32, 1);
        sum = terms.bv_add(sum, one);
    }
    let (ten, nine) = (terms.bv(32, 10), terms.bv(32, 9));
    let multiple = terms.bv_mul(x, ten);
    let expected = terms.bv_add(y, multiple);
    assert_eq!(sum, terms.bv_add(expected, nine));
}
