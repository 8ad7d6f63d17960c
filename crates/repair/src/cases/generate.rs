//! Tests from the specification: small inputs, all of them or a sample.
//!
//! For each shape of the function's inputs, elements and other scalars range over a few small values and the
//! constants of the function; what the contract does not allow is left out. Where there are too many combinations,
//! a fixed pseudo-random sample of them is taken, each also in ascending order, since many contracts want that. A few
//! cases are larger than what can be verified: they tell changes apart that are right for small arrays only.

use std::time::Duration;

use program::exec::{Checks, Discard, Executor, Inputs, Limits, Outcome, Unobserved};

use super::coverage::{self, flat};
use super::{Bits, Case, Value};
use crate::driver::Slot;
use crate::error::Error;
use crate::subject::Subject;
use crate::verification::{Shape, Verifier};

/// Combinations that are tried for one shape, and cases that are kept in all.
const TRIED: usize = 2000;
const KEPT: usize = 4000;
/// Elements of larger cases, and how many of them there are.
const LARGE: u32 = 10;
const LARGE_SHAPES: usize = 40;
const LARGE_EACH: usize = 12;
/// For solver models of branches that are not taken.
const COVERAGE_TIME: Duration = Duration::from_millis(700);
/// Steps after which a run counts as endless.
const STEPS: u64 = 20_000;

/// Small cases for all shapes of a verifier, and some larger ones.
pub fn generate(subject: &Subject, verifier: &Verifier<'_>, checks: Checks) -> Result<Vec<Case>, Error> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let constants = constants(subject);
    let each = KEPT / verifier.shapes.len().max(1) + 8;
    let mut cases = of_shapes(verifier, &verifier.shapes, checks, &constants, each, &mut random)?;
    let name = &subject.function.name;
    cases.extend(coverage::missing(verifier, name, &cases, COVERAGE_TIME)?);
    if cases.is_empty() {
        let Some(case) = coverage::entering(verifier, name, COVERAGE_TIME)? else {
            return Err(Error::NoInputs { function: name.clone(), size: verifier.size() });
        };
        cases.push(case);
    }
    if !verifier.driver.slots.iter().any(|it| it.is_shape) {
        return Ok(cases);
    }
    let larger = Verifier::new(subject, LARGE, checks, None)?;
    let known = verifier.shapes.len();
    let shapes: Vec<Shape> = larger.shapes.iter().skip(known).cloned().collect();
    let step = shapes.len().div_ceil(LARGE_SHAPES).max(1);
    let shapes: Vec<Shape> = shapes.into_iter().rev().step_by(step).collect();
    let varied: Vec<i64> = (-4..=9).chain(constants.iter().copied()).collect();
    cases.extend(of_shapes(&larger, &shapes, checks, &varied, LARGE_EACH, &mut random)?);
    Ok(cases)
}

/// At most so many cases for each shape that the contract allows.
fn of_shapes(
    verifier: &Verifier<'_>,
    shapes: &[Shape],
    checks: Checks,
    constants: &[i64],
    each: usize,
    random: &mut u64,
) -> Result<Vec<Case>, Error> {
    let program = verifier.compile(&[])?;
    let executor = Executor::new(&program, checks);
    let mut cases: Vec<Case> = Vec::new();
    for shape in shapes {
        let allowed = cases.len() + each;
        for values in combinations(&verifier.driver.slots, shape, constants, random) {
            if cases.len() >= allowed {
                break;
            }
            let inputs = Inputs { nondet: flat(&values), ..Inputs::default() };
            let limits = Limits { steps: STEPS, memory: 16 << 20, depth: 1000, ..Limits::default() };
            let run = executor.run(&inputs, &limits, &mut Discard, &mut Unobserved);
            if !matches!(run.outcome, Outcome::AssumptionFailed { .. }) {
                cases.push(Case::call("generated".to_owned(), values));
            }
        }
    }
    Ok(cases)
}

/// Numbers of the function and of its neighbours.
fn constants(subject: &Subject) -> Vec<i64> {
    let mut found = vec![0, 1, -1, 2, 3];
    for expr in subject.function.places.iter().flat_map(|place| place.expr.all()) {
        let value = match &expr.kind {
            crate::c::ExprKind::Number(text) => text.parse::<i64>().ok(),
            crate::c::ExprKind::Literal => match subject.text()[expr.range.clone()].as_bytes() {
                [b'\'', character, b'\''] => Some(i64::from(*character)),
                _ => None,
            },
            _ => None,
        };
        if let Some(value) = value.filter(|it| !found.contains(it)) {
            found.push(value);
        }
    }
    found.truncate(9);
    found
}

fn domain(slot: &Slot, constants: &[i64]) -> Vec<Bits> {
    match (slot.is_real, slot.words.as_str()) {
        (true, "float") => [0.0_f32, 1.0, -1.0, 0.5, 2.0].iter().map(|it| Bits::from(it.to_bits())).collect(),
        (true, _) => [0.0_f64, 1.0, -1.0, 0.5, 2.0].iter().map(|it| Bits::from(it.to_bits())).collect(),
        _ => {
            let unsigned = super::is_unsigned(&slot.words);
            let fits = |it: &&i64| !unsigned || **it >= 0;
            constants.iter().filter(fits).map(|it| *it as i128 as Bits).collect()
        }
    }
}

/// How many numbers a slot needs, in how many rows, unless it has one already.
struct Planned {
    fixed: Option<Bits>,
    count: usize,
    rows: usize,
}

/// Values for all slots: all combinations, or a sample.
fn combinations(slots: &[Slot], shape: &Shape, constants: &[i64], random: &mut u64) -> Vec<Vec<Value>> {
    let mut lengths = shape.lengths.iter().zip(&shape.rows);
    // The domain of each free number, in the order of the slots.
    let mut free: Vec<Vec<Bits>> = Vec::new();
    let mut plan: Vec<Planned> = Vec::new();
    for slot in slots {
        let symbol = slot.symbol();
        let fixed = shape.fixed.iter().find(|(name, _)| *name == symbol).map(|(_, value)| *value as i128 as Bits);
        let (count, rows) = match (slot.is_array, fixed) {
            (true, _) => lengths.next().map_or((0, 0), |(length, rows)| (*length, *rows)),
            (false, Some(_)) => (0, 0),
            (false, None) => (1, 0),
        };
        plan.push(Planned { fixed, count, rows });
        free.extend(std::iter::repeat_n(domain(slot, constants), count));
    }
    let total = free.iter().try_fold(1_usize, |total, domain| total.checked_mul(domain.len()));
    let exhaustive = total.is_some_and(|it| it <= TRIED);
    let count = if exhaustive { total.unwrap_or(1) } else { TRIED };
    let mut found = Vec::new();
    for number in 0..count {
        let mut rest = number;
        let mut pick = |domain: &Vec<Bits>| {
            if exhaustive {
                let chosen = domain[rest % domain.len()];
                rest /= domain.len();
                return chosen;
            }
            *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            domain[(*random >> 33) as usize % domain.len()]
        };
        let numbers: Vec<Bits> = free.iter().map(&mut pick).collect();
        found.push(assembled(slots, &plan, &numbers, false));
        if !exhaustive {
            found.push(assembled(slots, &plan, &numbers, true));
        }
    }
    found
}

fn assembled(slots: &[Slot], plan: &[Planned], numbers: &[Bits], ascending: bool) -> Vec<Value> {
    let mut at = 0;
    let mut values = Vec::new();
    for (slot, Planned { fixed, count, rows }) in slots.iter().zip(plan) {
        let mut taken = numbers[at..at + count].to_vec();
        at += count;
        if ascending {
            taken.sort_unstable_by_key(|it| *it as i128);
        }
        values.push(match (slot.is_array, fixed) {
            (true, _) if slot.is_rows => {
                Value::Rows { columns: taken.len().checked_div(*rows).unwrap_or(0), elements: taken }
            }
            (true, _) => Value::Array(taken),
            (false, Some(bits)) => Value::Scalar(*bits),
            (false, None) => Value::Scalar(taken.first().copied().unwrap_or(0)),
        });
    }
    values
}
