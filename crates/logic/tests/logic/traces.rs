//! What commands do to sets of states, and proofs that traces are infeasible, against executing them.

use logic::commands::{
    Command, backward_states, pre_images, single_assignment, strongest_postconditions, weakest_preconditions,
};
use logic::evaluate::{Evaluator, Model};
use logic::interpolate::{Answer, Direction, prove};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::{Outcome, Solver};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::{BitVector, Value};
use proptest::prelude::*;

/// Two variables of three bits: 64 states.
const BITS: u32 = 3;
const STATES: u32 = 64;

type Recipe = Vec<(u8, u8, u8)>;

fn recipes(length: usize) -> impl Strategy<Value = Recipe> {
    prop::collection::vec(any::<(u8, u8, u8)>(), 1..length)
}

fn command(terms: &mut Terms, [x, y]: [TermId; 2], (kind, which, number): (u8, u8, u8)) -> Command {
    let (variable, other) = if which % 2 == 0 { (x, y) } else { (y, x) };
    let constant = terms.bv(BITS, number.into());
    let value = match number / 8 % 4 {
        0 => constant,
        1 => terms.bv_add(variable, constant),
        2 => terms.bv_add(variable, other),
        _ => terms.bv_mul(other, constant),
    };
    match kind % 6 {
        0 | 1 => Command::Assign { variable, value },
        2 => Command::Havoc { variable },
        3 => Command::Assume { condition: terms.eq(variable, value) },
        4 => Command::Assume { condition: terms.bv_ult(variable, constant) },
        _ => Command::Assume { condition: terms.bv_ult(value, other) },
    }
}

fn model(variables: [TermId; 2], state: u32) -> Model {
    let mut model = Model::new();
    model.assign(variables[0], Value::BitVector(BitVector::new(BITS, (state % 8).into())));
    model.assign(variables[1], Value::BitVector(BitVector::new(BITS, (state / 8).into())));
    model
}

fn holds(terms: &Terms, variables: [TermId; 2], formula: TermId, state: u32) -> bool {
    Evaluator::new(terms, &model(variables, state)).holds(formula) == Ok(true)
}

/// The states after one command.
fn successors(terms: &Terms, variables: [TermId; 2], command: Command, state: u32) -> Vec<u32> {
    let with = |variable: TermId, value: u32| {
        if variable == variables[0] { state / 8 * 8 + value } else { state % 8 + 8 * value }
    };
    match command {
        Command::Assign { variable, value } => {
            let model = model(variables, state);
            let value = Evaluator::new(terms, &model).value(value).expect("bit-vectors have values");
            vec![with(variable, value.to_u64().expect("three bits fit") as u32)]
        }
        Command::Havoc { variable } => (0..8).map(|value| with(variable, value)).collect(),
        Command::Assume { condition } => {
            if holds(terms, variables, condition, state) {
                vec![state]
            } else {
                Vec::new()
            }
        }
    }
}

fn image(terms: &Terms, variables: [TermId; 2], trace: &[Command], states: Vec<u32>) -> Vec<u32> {
    trace.iter().fold(states, |states, &command| {
        let mut after: Vec<u32> =
            states.into_iter().flat_map(|state| successors(terms, variables, command, state)).collect();
        after.sort_unstable();
        after.dedup();
        after
    })
}

struct Example {
    terms: Terms,
    variables: [TermId; 2],
    trace: Vec<Command>,
}

fn example(recipe: &Recipe) -> Example {
    let mut terms = Terms::new();
    let variables = ["x", "y"].map(|it| terms.variable(it, Sort::BitVector(BITS)));
    let trace = recipe.iter().map(|&it| command(&mut terms, variables, it)).collect();
    Example { terms, variables, trace }
}

fn proof_is_valid(recipe: &Recipe, direction: Direction) -> Result<(), TestCaseError> {
    let Example { mut terms, variables, trace } = example(recipe);
    let infeasible = image(&terms, variables, &trace, (0..STATES).collect()).is_empty();
    let mut solver = Bitwuzla::new();
    match prove(&mut solver, &mut terms, &trace, direction).expect("all is supported") {
        Answer::Feasible => prop_assert!(!infeasible),
        Answer::Unknown(why) => prop_assert!(false, "{:?}", why),
        Answer::Proof(proof) => {
            prop_assert!(infeasible);
            prop_assert_eq!(proof.assertions[0], terms.true_term());
            prop_assert_eq!(proof.assertions[trace.len()], terms.false_term());
            for (index, &command) in trace.iter().enumerate() {
                let free = terms.free_variables(&[proof.assertions[index]]);
                prop_assert!(free.iter().all(|it| variables.contains(it)), "only the program's variables");
                for state in (0..STATES).filter(|&it| holds(&terms, variables, proof.assertions[index], it)) {
                    for after in successors(&terms, variables, command, state) {
                        prop_assert!(holds(&terms, variables, proof.assertions[index + 1], after));
                    }
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn backward_sets(recipe in recipes(7), goal in any::<u8>()) {
        let Example { mut terms, variables, trace } = example(&recipe);
        let limit = terms.bv(BITS, goal.into());
        let after = terms.bv_ult(variables[0], limit);
        let pre = pre_images(&mut terms, &trace, after);
        let wp = weakest_preconditions(&mut terms, &trace, after);
        let states = backward_states(&mut terms, &trace, after);
        for position in 0..=trace.len() {
            let pre = pre[position].formula(&mut terms);
            let wp = wp[position].formula(&mut terms);
            for state in 0..STATES {
                let ends = image(&terms, variables, &trace[position..], vec![state]);
                let mut good = ends.iter().map(|&it| holds(&terms, variables, after, it));
                let all = ends.iter().all(|&it| holds(&terms, variables, after, it));
                prop_assert_eq!(holds(&terms, variables, pre, state), good.any(|it| it));
                prop_assert_eq!(holds(&terms, variables, wp, state), all);
                prop_assert_eq!(holds(&terms, variables, states[position], state), all);
            }
        }
    }

    #[test]
    fn forward_sets(recipe in recipes(7), start in any::<u8>()) {
        let Example { mut terms, variables, trace } = example(&recipe);
        let limit = terms.bv(BITS, start.into());
        let before = terms.bv_ult(variables[0], limit);
        let beginnings: Vec<u32> = (0..STATES).filter(|&it| holds(&terms, variables, before, it)).collect();
        let after = strongest_postconditions(&mut terms, before, &trace)[trace.len()];
        let ssa = single_assignment(&mut terms, &trace);
        let reached = image(&terms, variables, &trace, beginnings);
        let mut solver = Bitwuzla::new();
        let mut by_ssa = Bitwuzla::new();
        for &formula in ssa.formulas.iter().chain([&before]) {
            by_ssa.assert(&terms, formula).expect("supported");
        }
        solver.assert(&terms, after).expect("supported");
        for state in 0..STATES {
            let is_state: Vec<TermId> = [(variables[0], state % 8), (variables[1], state / 8)]
                .into_iter()
                .map(|(variable, value)| {
                    let value = terms.bv(BITS, value.into());
                    terms.eq(variable, value)
                })
                .collect();
            let expected = if reached.contains(&state) { Outcome::Sat } else { Outcome::Unsat };
            prop_assert_eq!(solver.check(&terms, &is_state), Ok(expected.clone()));
            let at_end: Vec<TermId> = is_state.iter().map(|&it| ssa.at(&mut terms, it, trace.len())).collect();
            prop_assert_eq!(by_ssa.check(&terms, &at_end), Ok(expected));
        }
    }

    #[test]
    fn forward_proofs(recipe in recipes(9)) {
        proof_is_valid(&recipe, Direction::Forward)?;
    }

    #[test]
    fn backward_proofs(recipe in recipes(9)) {
        proof_is_valid(&recipe, Direction::Backward)?;
    }
}

/// `i := 0; z := 7; i := i + 1; assume i > 1`: what is shown does not speak of `z`.
#[test]
fn proofs_leave_out_what_does_not_matter() {
    let mut terms = Terms::new();
    let [i, z] = ["i", "z"].map(|it| terms.variable(it, Sort::BitVector(8)));
    let (zero, one, seven) = (terms.bv(8, 0), terms.bv(8, 1), terms.bv(8, 7));
    let next = terms.bv_add(i, one);
    let trace = [
        Command::Assign { variable: i, value: zero },
        Command::Assign { variable: z, value: seven },
        Command::Assign { variable: i, value: next },
        Command::Assume { condition: terms.bv_ult(one, i) },
    ];
    for (direction, expected) in [
        (Direction::Forward, ["true", "(= i #x00)", "(= i #x00)", "(= i #x01)", "false"]),
        (
            Direction::Backward,
            [
                "true",
                "(not (bvult #x01 (bvadd i #x01)))",
                "(not (bvult #x01 (bvadd i #x01)))",
                "(not (bvult #x01 i))",
                "false",
            ],
        ),
    ] {
        let answer = prove(&mut Bitwuzla::new(), &mut terms, &trace, direction).expect("supported");
        let Answer::Proof(proof) = answer else { panic!("{answer:?}") };
        let shown: Vec<String> = proof.assertions.iter().map(|&it| logic::smtlib::term(&terms, it)).collect();
        assert_eq!(shown, expected);
        assert_eq!(proof.needed, [true, false, true, true]);
    }
}
