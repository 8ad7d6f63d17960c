//! Reasons on long traces, where values are tried instead of asked for: each is executed again.
//!
//! A sum grows for some hundred rounds and is checked in each, so that many tests notice another value before the
//! assumption at the end does. What is added comes from an array that was filled before. In some rounds a second variable
//! keeps what the sum was, and is tested, too.

use localize::relevance::{self, Finding, Options};
use logic::control_flow::{Check, ErrorTrace, Origin, Statement};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};

const WIDTH: u32 = 16;
const ROUNDS: usize = 150;
/// Checked before each round: the sum is below it.
const LIMIT: u64 = 60_000;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// The variable becomes another one plus a number.
    Add { to: usize, from: usize, more: u64 },
    /// A cell of the array gets a number.
    Put { cell: usize, number: u64 },
    /// The next sum is the sum and a cell.
    Take { cell: usize },
    /// The variable has this value.
    Is { variable: usize, value: u64 },
}

const SUM: usize = 0;
const NEXT: usize = 1;
const KEPT: usize = 2;
/// Fewer than rounds, so that they are read more than once.
const CELLS: usize = 100;

/// All variables begin with zero. Before each step that adds to the sum it is checked.
fn steps(seed: u64) -> Vec<Step> {
    let mut steps: Vec<Step> = (0..3).map(|to| Step::Add { to, from: 3, more: 0 }).collect();
    let number = |cell: usize| (cell as u64 * cell as u64 + seed) % 7;
    steps.extend((0..CELLS).map(|cell| Step::Put { cell, number: number(cell) }));
    let (mut sum, mut kept) = (0, 0);
    for round in 0..ROUNDS as u64 {
        let cell = (round * (seed + 1)) as usize % CELLS;
        let more = number(cell);
        steps.push(Step::Take { cell });
        steps.push(Step::Add { to: SUM, from: NEXT, more: 0 });
        sum += more;
        if (round + seed) % 40 == 39 {
            steps.push(Step::Add { to: KEPT, from: SUM, more: 1 });
            kept = sum + 1;
        }
        if (round + seed) % 50 == 49 {
            steps.push(Step::Is { variable: KEPT, value: kept });
        }
    }
    steps.push(Step::Is { variable: SUM, value: sum });
    steps
}

fn trace(terms: &mut Terms, steps: &[Step]) -> ErrorTrace {
    let names = ["sum", "next", "kept", "zero"];
    let variables: Vec<TermId> = names.iter().map(|it| terms.variable(it, Sort::BitVector(WIDTH))).collect();
    let sort = terms.array_sort(Sort::BitVector(WIDTH), Sort::BitVector(WIDTH));
    let array = terms.variable("array", sort);
    let zero = terms.bv(WIDTH, 0);
    let mut trace = ErrorTrace::default();
    trace.statements.push(Statement::assign(variables[3], zero, Origin(0)));
    for step in steps {
        let origin = Origin(trace.statements.len() as u32);
        match *step {
            Step::Put { cell, number } => {
                let (index, number) = (terms.bv(WIDTH, cell as u64), terms.bv(WIDTH, number));
                trace.statements.push(Statement::assign_cell(terms, array, index, number, origin));
            }
            Step::Take { cell } => {
                let limit = terms.bv(WIDTH, LIMIT);
                let holds = terms.bv_ult(variables[SUM], limit);
                trace.checks.push(Check { before: trace.statements.len(), holds, origin });
                let index = terms.bv(WIDTH, cell as u64);
                let element = terms.select(array, index);
                let value = terms.bv_add(variables[SUM], element);
                trace.statements.push(Statement::assign(variables[NEXT], value, origin));
            }
            Step::Add { to, from, more } => {
                let more = terms.bv(WIDTH, more);
                let value = terms.bv_add(variables[from], more);
                trace.statements.push(Statement::assign(variables[to], value, origin));
            }
            Step::Is { variable, value } => {
                let value = terms.bv(WIDTH, value);
                let condition = terms.eq(variables[variable], value);
                trace.statements.push(Statement::assume(condition, origin));
            }
        }
    }
    trace
}

/// The first assumption that fails if a statement writes this value; nothing if a check fails before, or none does.
fn executed(steps: &[Step], statement: usize, value: u64) -> Option<usize> {
    let mut state = [0; 4];
    let mut array = [0; CELLS];
    for (number, step) in steps.iter().enumerate().map(|(number, step)| (number + 1, step)) {
        match *step {
            Step::Take { .. } if state[SUM] >= LIMIT => return None,
            Step::Take { .. } if number == statement => state[NEXT] = value,
            Step::Take { cell } => state[NEXT] = (state[SUM] + array[cell]) % (1 << WIDTH),
            Step::Put { cell, number: put } => array[cell] = if number == statement { value } else { put },
            Step::Add { to, .. } if number == statement => state[to] = value,
            Step::Add { to, from, more } => state[to] = (state[from] + more) % (1 << WIDTH),
            Step::Is { variable, value } if state[variable] != value => return Some(number),
            Step::Is { .. } => {}
        }
    }
    None
}

/// Whether what a statement writes is read before it is written again.
fn is_used(steps: &[Step], statement: usize) -> bool {
    let behind = &steps[statement..];
    let written = match steps[statement - 1] {
        Step::Put { cell, .. } => {
            return behind.iter().any(|it| matches!(it, Step::Take { cell: read } if *read == cell));
        }
        Step::Add { to, .. } => to,
        Step::Take { .. } => NEXT,
        Step::Is { .. } => panic!("{statement} writes nothing"),
    };
    let read = |step: &Step| match *step {
        Step::Add { from, .. } if from == written => Some(true),
        Step::Is { variable, .. } if variable == written => Some(true),
        Step::Take { .. } if written == SUM => Some(true),
        Step::Add { to, .. } if to == written => Some(false),
        Step::Take { .. } if written == NEXT => Some(false),
        _ => None,
    };
    behind.iter().find_map(read).unwrap_or(false)
}

#[test]
fn reasons_of_long_sums_hold_when_executed() {
    for seed in 0..4 {
        let steps = steps(seed);
        let mut terms = Terms::new();
        let trace = trace(&mut terms, &steps);
        // The first one writes the zero that is never used otherwise.
        let candidates: Vec<usize> = relevance::assigning(&trace).into_iter().skip(1).collect();
        let findings = relevance::judge(&mut terms, &trace, &candidates, &Options::default()).expect("it is judged");
        for (statement, finding) in findings {
            let is_used = is_used(&steps, statement);
            match finding {
                Finding::Relevant(reason) => {
                    let value = reason.value.to_u64().expect("it has 16 bits");
                    assert_eq!(
                        executed(&steps, statement, value),
                        Some(reason.blocks),
                        "seed {seed}, {statement}: {value}"
                    );
                    assert!(reason.in_known_execution);
                }
                other => assert!(!is_used, "seed {seed}, {statement}: {other:?}"),
            }
        }
    }
}
