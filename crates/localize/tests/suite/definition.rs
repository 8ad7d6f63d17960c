//! Relevance against the definition itself: random traces over a few bits, and every state, value and choice tried.
//!
//! The traces have assignments, writes to array cells, `havoc` and assumptions. Coreachable and reachable states
//! are computed as sets, by running statements on each state; a statement is relevant by Definition 3.1 iff from
//! some state in both sets some value leads out of the coreachable ones. `RELEVANCE_TRACES` says how many traces
//! to try.

use std::time::Duration;

use localize::error::Error;
use localize::relevance::{self, Finding, Options};
use logic::control_flow::{ErrorTrace, Origin, Statement};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};

/// How many traces are tried by default.
const TRACES: u64 = 600;

/// Variables and their widths; the array has two cells of two bits, which are the last two here.
const WIDTHS: [u32; 5] = [2, 2, 3, 2, 2];
const SCALARS: usize = 3;
const BITS: u32 = 11;

#[derive(Clone, Debug)]
enum Expr {
    Constant(u32),
    Variable(usize),
    /// The cell that the lowest bit of a variable chooses.
    Cell(usize),
    Add(Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Test {
    Equal(Expr, Expr),
    Less(Expr, Expr),
    Not(Box<Test>),
    Or(Box<Test>, Box<Test>),
}

#[derive(Clone, Debug)]
enum Step {
    Assign(usize, Expr),
    /// The cell that the lowest bit of a variable chooses gets a value.
    AssignCell(usize, Expr),
    Havoc(usize),
    Assume(Test),
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn expr(&mut self, depth: u32) -> Expr {
        let two = |random: &mut Random| (Box::new(random.expr(depth - 1)), Box::new(random.expr(depth - 1)));
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 | 1 => Expr::Constant(self.below(8) as u32),
            2 | 3 => Expr::Variable(self.below(SCALARS as u64) as usize),
            4 => Expr::Cell(self.below(SCALARS as u64) as usize),
            5 | 6 => {
                let (left, right) = two(self);
                Expr::Add(left, right)
            }
            7 => {
                let (left, right) = two(self);
                Expr::And(left, right)
            }
            _ => {
                let (left, right) = two(self);
                Expr::Mul(left, right)
            }
        }
    }

    fn test(&mut self, depth: u32) -> Test {
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => Test::Equal(self.expr(1), self.expr(1)),
            2 | 3 => Test::Less(self.expr(1), self.expr(1)),
            4 => Test::Not(Box::new(self.test(depth - 1))),
            _ => Test::Or(Box::new(self.test(depth - 1)), Box::new(self.test(depth - 1))),
        }
    }

    fn step(&mut self) -> Step {
        match self.below(10) {
            0..=2 => Step::Assign(self.below(SCALARS as u64) as usize, self.expr(2)),
            3 | 4 => Step::AssignCell(self.below(SCALARS as u64) as usize, self.expr(1)),
            5 | 6 => Step::Havoc(self.below(SCALARS as u64) as usize),
            _ => Step::Assume(self.test(1)),
        }
    }
}

/// All expressions are computed in three bits.
const WORD: u32 = 3;

fn get(state: u32, place: usize) -> u32 {
    let shift: u32 = WIDTHS[..place].iter().sum();
    state >> shift & ((1 << WIDTHS[place]) - 1)
}

fn set(state: u32, place: usize, value: u32) -> u32 {
    let shift: u32 = WIDTHS[..place].iter().sum();
    let mask = (1 << WIDTHS[place]) - 1;
    state & !(mask << shift) | (value & mask) << shift
}

fn cell(state: u32, index: usize) -> usize {
    SCALARS + (get(state, index) & 1) as usize
}

fn evaluate(expr: &Expr, state: u32) -> u32 {
    let word = match expr {
        Expr::Constant(value) => *value,
        Expr::Variable(variable) => get(state, *variable),
        Expr::Cell(index) => get(state, cell(state, *index)),
        Expr::Add(left, right) => evaluate(left, state) + evaluate(right, state),
        Expr::And(left, right) => evaluate(left, state) & evaluate(right, state),
        Expr::Mul(left, right) => evaluate(left, state) * evaluate(right, state),
    };
    word & ((1 << WORD) - 1)
}

fn holds(test: &Test, state: u32) -> bool {
    match test {
        Test::Equal(left, right) => evaluate(left, state) == evaluate(right, state),
        Test::Less(left, right) => evaluate(left, state) < evaluate(right, state),
        Test::Not(test) => !holds(test, state),
        Test::Or(left, right) => holds(left, state) || holds(right, state),
    }
}

/// The place that a step writes from a state, and the states after it.
fn place(step: &Step, state: u32) -> Option<usize> {
    match step {
        Step::Assign(variable, _) | Step::Havoc(variable) => Some(*variable),
        Step::AssignCell(index, _) => Some(cell(state, *index)),
        Step::Assume(_) => None,
    }
}

fn successors(step: &Step, state: u32) -> Vec<u32> {
    match step {
        Step::Assign(variable, value) => vec![set(state, *variable, evaluate(value, state))],
        Step::AssignCell(index, value) => vec![set(state, cell(state, *index), evaluate(value, state))],
        Step::Havoc(variable) => (0..1 << WIDTHS[*variable]).map(|value| set(state, *variable, value)).collect(),
        Step::Assume(test) => {
            if holds(test, state) {
                vec![state]
            } else {
                Vec::new()
            }
        }
    }
}

/// The relevant steps by the definition; nothing if the trace cannot be executed.
fn by_definition(steps: &[Step]) -> Option<Vec<usize>> {
    let all = 1 << BITS;
    let mut coreachable = vec![vec![true; all]; steps.len() + 1];
    for (number, step) in steps.iter().enumerate().rev() {
        for state in 0..all {
            let after = successors(step, state as u32);
            coreachable[number][state] = after.iter().any(|&it| coreachable[number + 1][it as usize]);
        }
    }
    if !coreachable[0].contains(&true) {
        return None;
    }
    let mut reachable = vec![true; all];
    let mut relevant = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let mut next = vec![false; all];
        let mut saved = false;
        for state in (0..all as u32).filter(|&it| reachable[it as usize]) {
            if let Some(place) = place(step, state)
                && coreachable[number][state as usize]
            {
                saved |= (0..1 << WIDTHS[place]).any(|it| !coreachable[number + 1][set(state, place, it) as usize]);
            }
            for after in successors(step, state) {
                next[after as usize] = true;
            }
        }
        if saved {
            relevant.push(number);
        }
        reachable = next;
    }
    Some(relevant)
}

struct Written {
    terms: Terms,
    scalars: Vec<TermId>,
    array: TermId,
}

impl Written {
    fn new() -> Written {
        let mut terms = Terms::new();
        let names = ["x", "y", "z"];
        let scalars = (0..SCALARS).map(|it| terms.variable(names[it], Sort::BitVector(WIDTHS[it]))).collect();
        let sort = terms.array_sort(Sort::BitVector(1), Sort::BitVector(2));
        let array = terms.variable("a", sort);
        Written { terms, scalars, array }
    }

    fn index(&mut self, variable: usize) -> TermId {
        self.terms.bv_extract(0, 0, self.scalars[variable])
    }

    fn expr(&mut self, expr: &Expr) -> TermId {
        match expr {
            Expr::Constant(value) => self.terms.bv(WORD, u64::from(*value)),
            Expr::Variable(variable) => self.terms.bv_resize(WORD, false, self.scalars[*variable]),
            Expr::Cell(index) => {
                let index = self.index(*index);
                let element = self.terms.select(self.array, index);
                self.terms.bv_resize(WORD, false, element)
            }
            Expr::Add(left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.terms.bv_add(left, right)
            }
            Expr::And(left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.terms.bv_and(left, right)
            }
            Expr::Mul(left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.terms.bv_mul(left, right)
            }
        }
    }

    fn test(&mut self, test: &Test) -> TermId {
        match test {
            Test::Equal(left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.terms.eq(left, right)
            }
            Test::Less(left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.terms.bv_ult(left, right)
            }
            Test::Not(test) => {
                let test = self.test(test);
                self.terms.not(test)
            }
            Test::Or(left, right) => {
                let (left, right) = (self.test(left), self.test(right));
                self.terms.or2(left, right)
            }
        }
    }

    fn step(&mut self, step: &Step, origin: Origin) -> Statement {
        match step {
            Step::Assign(variable, value) => {
                let value = self.expr(value);
                let value = self.terms.bv_resize(WIDTHS[*variable], false, value);
                Statement::assign(self.scalars[*variable], value, origin)
            }
            Step::AssignCell(index, value) => {
                let (index, value) = (self.index(*index), self.expr(value));
                let value = self.terms.bv_resize(2, false, value);
                Statement::assign_cell(&mut self.terms, self.array, index, value, origin)
            }
            Step::Havoc(variable) => Statement::havoc(self.scalars[*variable], origin),
            Step::Assume(test) => Statement::assume(self.test(test), origin),
        }
    }
}

fn found(steps: &[Step]) -> Option<Vec<usize>> {
    let mut written = Written::new();
    let statements: Vec<Statement> =
        steps.iter().enumerate().map(|(number, step)| written.step(step, Origin(number as u32))).collect();
    let trace = ErrorTrace::from(statements);
    let options = Options { jobs: 1, time: Duration::from_secs(60), ..Options::default() };
    let candidates = relevance::assigning(&trace);
    let findings = match relevance::judge(&mut written.terms, &trace, &candidates, &options) {
        Ok(findings) => findings,
        Err(Error::Infeasible) => return None,
        Err(error) => panic!("{error}\n{steps:#?}"),
    };
    let relevant = findings.into_iter().filter_map(|(number, finding)| match finding {
        Finding::Relevant(_) => Some(number),
        Finding::Irrelevant(_) => None,
        Finding::Unknown(why) => panic!("undecided: {why}\n{steps:#?}"),
    });
    Some(relevant.collect())
}

#[test]
fn relevance_is_what_the_definition_says() {
    let traces = std::env::var("RELEVANCE_TRACES").ok().and_then(|it| it.parse().ok()).unwrap_or(TRACES);
    let (mut feasible, mut seed) = (0, 1);
    let mut relevant = 0;
    while feasible < traces {
        let mut random = Random(seed);
        seed += 1;
        let length = 2 + random.below(9);
        let steps: Vec<Step> = (0..length).map(|_| random.step()).collect();
        let expected = by_definition(&steps);
        assert_eq!(found(&steps), expected, "seed {}\n{steps:#?}", seed - 1);
        feasible += u64::from(expected.is_some());
        relevant += expected.map_or(0, |it| it.len());
    }
    // The test would be empty if nothing were relevant, or everything.
    assert!(relevant > traces as usize / 4, "only {relevant} relevant statements in {traces} traces");
}
