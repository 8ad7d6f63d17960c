//! Exists-forall against trying all values, for each method.

use std::time::Duration;

use logic::evaluate::{Evaluator, Model};
use logic::exists_forall::{Answer, Budget, Method, solve, solve_by};
use logic::solver::{Limits, Why};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::{BitVector, Value};
use proptest::prelude::*;

use crate::random::{Step, build, steps, value_of};

const SORT: Sort = Sort::BitVector(3);

fn holds_for_all(terms: &Terms, universal: [TermId; 2], formula: TermId, existential: &Model) -> bool {
    (0..64u128).all(|number| {
        let mut model = existential.clone();
        model.assign(universal[0], Value::BitVector(BitVector::new(3, number & 7)));
        model.assign(universal[1], Value::BitVector(BitVector::new(3, number >> 3)));
        Evaluator::new(terms, &model).holds(formula) == Ok(true)
    })
}

fn check(method: Method, steps: &[Step], seeds: &[u64]) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|it| terms.variable(it, SORT));
    let constants: Vec<TermId> = seeds
        .iter()
        .map(|&seed| {
            let value = value_of(&terms, SORT, seed);
            terms.constant(&value, SORT)
        })
        .collect();
    let pairs = build(&mut terms, &[x, y, z], &constants, steps);
    let formulas: Vec<TermId> =
        pairs.iter().rev().map(|it| it.simple).filter(|&it| terms.sort(it) == Sort::Bool).take(2).collect();
    let formula = terms.or(&formulas);
    let assigned = |value: u128| {
        let mut model = Model::new();
        model.assign(x, Value::BitVector(BitVector::new(3, value)));
        model
    };
    let expected = (0..8).any(|value| holds_for_all(&terms, [y, z], formula, &assigned(value)));
    match solve_by(method, &mut terms, &[y, z], formula, &Budget::default()).expect("all is supported") {
        Answer::Witness(model) => {
            prop_assert!(expected);
            prop_assert!(holds_for_all(&terms, [y, z], formula, &model), "{:?} is no witness", model);
        }
        Answer::None => prop_assert!(!expected),
        Answer::Unknown(why) => prop_assert!(false, "{:?}", why),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn native(steps in steps(20), seeds in prop::collection::vec(any::<u64>(), 3)) {
        check(Method::Native, &steps, &seeds)?;
    }

    #[test]
    fn cegis(steps in steps(20), seeds in prop::collection::vec(any::<u64>(), 3)) {
        check(Method::Cegis, &steps, &seeds)?;
    }
}

/// A memory cell for which no index can spoil the sum, and an array as the universal choice.
#[test]
fn arrays() {
    let mut terms = Terms::new();
    let index = Sort::BitVector(4);
    let sort = terms.array_sort(index, Sort::BitVector(8));
    let (memory, i) = (terms.variable("memory", sort), terms.variable("i", index));
    let limit = terms.bv(8, 200);
    let read = terms.select(memory, i);
    let below = terms.bv_ult(read, limit);
    for method in [Method::Native, Method::Cegis, Method::Both] {
        let budget = Budget { limits: Limits::of_time(Duration::from_secs(60)), ..Budget::default() };
        let some_memory = solve_by(method, &mut terms, &[i], below, &budget).expect("supported");
        assert!(matches!(some_memory, Answer::Witness(_)), "{method:?}: {some_memory:?}");
        let some_index = solve_by(method, &mut terms, &[memory], below, &budget).expect("supported");
        assert!(matches!(some_index, Answer::None), "{method:?}: {some_index:?}");
    }
}

/// Bits of floats are not there under the solver's quantifiers; guesses and refutations do without.
#[test]
fn falls_back() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::BitVector(32)), terms.variable("y", Sort::BitVector(32)));
    let format = logic::sort::FloatFormat::SINGLE;
    let (float_x, float_y) = (terms.fp_from_bits(format, x), terms.fp_from_bits(format, y));
    let least = terms.fp_min(float_x, float_y);
    let bits = terms.fp_to_bits(least);
    let infinity = terms.bv(32, 0xff80_0000);
    let formula = terms.eq(bits, infinity);
    let answer = solve(&mut terms, &[y], formula, &Budget::default()).expect("supported");
    let Answer::Witness(model) = answer else { panic!("{answer:?}") };
    assert_eq!(model.get(x).and_then(Value::to_u64), Some(0xff80_0000));
}

#[test]
fn limits_end_it() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|it| terms.variable(it, Sort::BitVector(64)));
    let product = terms.bv_mul(x, y);
    let square = terms.bv_mul(y, y);
    let differs = terms.distinct(product, square);
    let budget = Budget { limits: Limits::of_time(Duration::ZERO), ..Budget::default() };
    let answer = solve(&mut terms, &[y], differs, &budget).expect("supported");
    assert!(matches!(answer, Answer::Unknown(Why::Timeout)), "{answer:?}");
    budget.interrupter.interrupt();
    let answer = solve(&mut terms, &[y], differs, &budget).expect("supported");
    assert!(matches!(answer, Answer::Unknown(Why::Interrupted)), "{answer:?}");
}
