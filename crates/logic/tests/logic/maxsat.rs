//! MaxSAT against trying all assignments.

use std::collections::BTreeSet;

use logic::evaluate::{Evaluator, Model};
use logic::maxsat::{Answer, MaxSat, Soft, correction_sets};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::{Limited, Limits, Solver, Why};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::Value;
use proptest::prelude::*;

const VARIABLES: usize = 6;

/// A clause: which variables, and which of them negated.
type Clause = Vec<(usize, bool)>;

fn clauses(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Clause>> {
    prop::collection::vec(prop::collection::vec((0..VARIABLES, any::<bool>()), 1..4), count)
}

struct Problem {
    terms: Terms,
    variables: Vec<TermId>,
    hard: Vec<TermId>,
    soft: Vec<Soft>,
}

fn problem(hard: &[Clause], soft: &[(Clause, u64)]) -> Problem {
    let mut terms = Terms::new();
    let variables: Vec<TermId> = (0..VARIABLES).map(|it| terms.variable(&format!("x{it}"), Sort::Bool)).collect();
    let mut build = |clause: &Clause| {
        let literals: Vec<TermId> = clause
            .iter()
            .map(|&(at, negated)| if negated { terms.not(variables[at]) } else { variables[at] })
            .collect();
        terms.or(&literals)
    };
    let hard = hard.iter().map(&mut build).collect();
    let soft = soft.iter().map(|(clause, weight)| Soft { wish: build(clause), weight: *weight }).collect();
    Problem { terms, variables, hard, soft }
}

/// The minimal sets of violated wishes, by trying all assignments.
fn brute_force(problem: &Problem) -> BTreeSet<Vec<usize>> {
    let mut sets: BTreeSet<Vec<usize>> = BTreeSet::new();
    for number in 0..1u32 << VARIABLES {
        let mut model = Model::new();
        for (at, &variable) in problem.variables.iter().enumerate() {
            model.assign(variable, Value::Bool(number >> at & 1 == 1));
        }
        let mut evaluator = Evaluator::new(&problem.terms, &model);
        let mut holds = |it: TermId| evaluator.holds(it) == Ok(true);
        if problem.hard.iter().all(|&it| holds(it)) {
            sets.insert((0..problem.soft.len()).filter(|&at| !holds(problem.soft[at].wish)).collect());
        }
    }
    let is_minimal =
        |set: &&Vec<usize>| !sets.iter().any(|it| it.len() < set.len() && it.iter().all(|at| set.contains(at)));
    sets.iter().filter(is_minimal).cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn enumerates_all_minimal_sets_by_cost(
        hard in clauses(0..8),
        soft in prop::collection::vec((prop::collection::vec((0..VARIABLES, any::<bool>()), 1..3), 1u64..6), 0..9),
    ) {
        let mut problem = problem(&hard, &soft);
        let expected = brute_force(&problem);
        let mut solver = Bitwuzla::new();
        for &it in &problem.hard {
            solver.assert(&problem.terms, it).expect("all is supported");
        }
        let mut search = MaxSat::new(problem.soft.clone());
        let mut found = BTreeSet::new();
        let mut last_cost = 0;
        loop {
            match search.next(&mut solver, &mut problem.terms, u64::MAX).expect("all is supported") {
                Answer::Optimum(solution) => {
                    let cost: u64 = solution.violated.iter().map(|&at| problem.soft[at].weight).sum();
                    prop_assert_eq!(solution.cost, cost);
                    prop_assert!(cost >= last_cost, "solutions come in order of their cost");
                    last_cost = cost;
                    search.exclude(&mut solver, &mut problem.terms, &solution).expect("all is supported");
                    prop_assert!(found.insert(solution.violated), "no solution comes twice");
                }
                Answer::Exhausted => break,
                other => prop_assert!(false, "{:?}", other),
            }
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn correction_sets_up_to_a_size(hard in clauses(2..8), wishes in clauses(1..8), size in 0usize..4) {
        let soft: Vec<(Clause, u64)> = wishes.into_iter().map(|it| (it, 1)).collect();
        let mut problem = problem(&hard, &soft);
        let expected: BTreeSet<Vec<usize>> = brute_force(&problem).into_iter().filter(|it| it.len() <= size).collect();
        let mut solver = Bitwuzla::new();
        for &it in &problem.hard {
            solver.assert(&problem.terms, it).expect("all is supported");
        }
        let wishes: Vec<TermId> = problem.soft.iter().map(|it| it.wish).collect();
        // Twice: the search leaves nothing behind.
        for _ in 0..2 {
            let (sets, why) = correction_sets(&mut solver, &mut problem.terms, &wishes, size).expect("supported");
            prop_assert_eq!(why, None);
            prop_assert_eq!(BTreeSet::from_iter(sets), expected.clone());
        }
    }
}

/// Three assignments and an assertion that fails: which assignment to change, the cheapest first.
#[test]
fn weights_decide_the_order() {
    let mut terms = Terms::new();
    let word = Sort::BitVector(32);
    let [a, b, c] = ["a", "b", "c"].map(|it| terms.variable(it, word));
    let (one, two, ten) = (terms.bv(32, 1), terms.bv(32, 2), terms.bv(32, 10));
    let sum = terms.bv_add(a, b);
    let wishes = [terms.eq(a, one), terms.eq(b, two), terms.eq(c, sum)];
    let soft = wishes.into_iter().zip([5, 2, 3]).map(|(wish, weight)| Soft { wish, weight }).collect();
    let required = terms.eq(c, ten);
    let mut solver = Bitwuzla::new();
    solver.assert(&terms, required).expect("supported");
    let mut search = MaxSat::new(soft);
    for (cost, violated) in [(2, vec![1]), (3, vec![2]), (5, vec![0])] {
        let answer = search.next(&mut solver, &mut terms, u64::MAX).expect("supported");
        let Answer::Optimum(solution) = answer else { panic!("{answer:?}") };
        assert_eq!((solution.cost, &solution.violated), (cost, &violated));
        search.exclude(&mut solver, &mut terms, &solution).expect("supported");
    }
    assert_eq!(search.next(&mut solver, &mut terms, u64::MAX), Ok(Answer::Exhausted));
}

#[test]
fn bounds_and_limits_end_the_search() {
    let mut terms = Terms::new();
    let a = terms.variable("a", Sort::Bool);
    let not_a = terms.not(a);
    let soft = vec![Soft { wish: a, weight: 3 }, Soft { wish: not_a, weight: 4 }];
    let mut solver = Bitwuzla::new();
    let mut search = MaxSat::new(soft.clone());
    assert_eq!(search.next(&mut solver, &mut terms, 2), Ok(Answer::TooExpensive(3)));
    solver.set_limits(Limits::of_time(std::time::Duration::ZERO));
    let mut search = MaxSat::new(soft);
    assert_eq!(search.next(&mut solver, &mut terms, 2), Ok(Answer::Unknown(Why::Timeout, None)));
}
