//! What every solver must do. A new back end is one more line at the end of this file.

use std::time::{Duration, Instant};

use logic::evaluate::Evaluator;
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::z3::Z3;
use logic::solver::{FullSolver, Limits, Outcome, Solver, Why, cores};
use logic::sort::{FloatFormat, Rounding, Sort};
use logic::terms::{TermId, Terms};
use logic::value::{BitVector, Float, Value};

type Backend = Box<dyn FullSolver>;

const WORD: Sort = Sort::BitVector(32);

/// No solver takes longer than this to notice that it should stop, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

fn expect(solver: &mut Backend, terms: &Terms, assumptions: &[TermId], expected: Outcome) {
    assert_eq!(solver.check(terms, assumptions), Ok(expected), "{}", solver.name());
}

fn assert_all(solver: &mut Backend, terms: &Terms, formulas: &[TermId]) {
    for &formula in formulas {
        assert_eq!(solver.assert(terms, formula), Ok(()));
    }
}

/// Checks satisfiability and that the model makes all formulas true.
fn expect_model(solver: &mut Backend, terms: &Terms, formulas: &[TermId]) {
    expect(solver, terms, &[], Outcome::Sat);
    let model = solver.model(terms, &terms.free_variables(formulas)).expect("variables have values");
    let mut evaluator = Evaluator::new(terms, &model);
    for &formula in formulas {
        let shown = || logic::smtlib::term(terms, formula);
        assert_eq!(evaluator.holds(formula), Ok(true), "{} under {:?}", shown(), model.assignments());
        assert_eq!(solver.value(terms, formula), Ok(Value::Bool(true)), "{}", shown());
    }
}

fn sat_and_unsat(mut solver: Backend) {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", WORD), terms.variable("y", WORD));
    let below = terms.bv_ult(x, y);
    let seven = terms.bv(32, 7);
    let product = terms.bv_mul(x, y);
    let is_seven = terms.eq(product, seven);
    assert_all(&mut solver, &terms, &[below, is_seven]);
    expect_model(&mut solver, &terms, &[below, is_seven]);
    let above = terms.bv_ult(y, x);
    assert_all(&mut solver, &terms, &[above]);
    expect(&mut solver, &terms, &[], Outcome::Unsat);
    assert_eq!(solver.failed_assumptions(), []);
}

fn constants_decide(mut solver: Backend) {
    let terms = Terms::new();
    expect(&mut solver, &terms, &[], Outcome::Sat);
    expect(&mut solver, &terms, &[terms.true_term()], Outcome::Sat);
    expect(&mut solver, &terms, &[terms.true_term(), terms.false_term()], Outcome::Unsat);
    assert_eq!(solver.failed_assumptions(), [terms.false_term()]);
    expect(&mut solver, &terms, &[], Outcome::Sat);
    assert_all(&mut solver, &terms, &[terms.false_term()]);
    expect(&mut solver, &terms, &[], Outcome::Unsat);
}

fn assumptions_and_cores(mut solver: Backend) {
    let mut terms = Terms::new();
    let x = terms.variable("x", WORD);
    let mut assumptions = Vec::new();
    for bit in 0..20 {
        let part = terms.bv_extract(bit, bit, x);
        let one = terms.bv(1, 1);
        assumptions.push(terms.eq(part, one));
    }
    let limit = terms.bv(32, 1 << 12);
    let small = terms.bv_ult(x, limit);
    let bit_five = terms.bv(32, 32);
    let without_five = terms.bv_and(x, bit_five);
    let zero = terms.bv(32, 0);
    let no_five = terms.eq(without_five, zero);
    assert_all(&mut solver, &terms, &[small]);
    expect(&mut solver, &terms, &assumptions[..12], Outcome::Sat);
    let mut all = assumptions[..12].to_vec();
    all.push(no_five);
    expect(&mut solver, &terms, &all, Outcome::Unsat);
    let core = solver.failed_assumptions();
    expect(&mut solver, &terms, &core, Outcome::Unsat);
    let core = cores::minimize(solver.as_mut(), &terms, core, 100).expect("all is supported");
    assert_eq!(core, [assumptions[5], no_five]);
    // Assumptions are forgotten.
    expect(&mut solver, &terms, &assumptions[..12], Outcome::Sat);
    expect(&mut solver, &terms, &[no_five], Outcome::Sat);
}

fn levels(mut solver: Backend) {
    let mut terms = Terms::new();
    let (a, b) = (terms.variable("a", Sort::Bool), terms.variable("b", Sort::Bool));
    let (not_a, not_b) = (terms.not(a), terms.not(b));
    let either = terms.or2(a, b);
    assert_all(&mut solver, &terms, &[either]);
    solver.push();
    assert_all(&mut solver, &terms, &[not_a]);
    expect_model(&mut solver, &terms, &[either, not_a]);
    solver.push();
    assert_all(&mut solver, &terms, &[not_b]);
    expect(&mut solver, &terms, &[], Outcome::Unsat);
    solver.pop();
    expect(&mut solver, &terms, &[], Outcome::Sat);
    assert_eq!(solver.value(&terms, b), Ok(Value::Bool(true)));
    solver.pop();
    expect(&mut solver, &terms, &[not_b], Outcome::Sat);
    assert_eq!(solver.value(&terms, a), Ok(Value::Bool(true)));
}

fn arrays(mut solver: Backend) {
    let mut terms = Terms::new();
    let (address, byte) = (Sort::BitVector(16), Sort::BitVector(8));
    let memory_sort = terms.array_sort(address, byte);
    let memory = terms.variable("memory", memory_sort);
    let (i, j) = (terms.variable("i", address), terms.variable("j", address));
    let (seven, nine) = (terms.bv(8, 7), terms.bv(8, 9));
    let written = terms.store(memory, i, seven);
    let read = terms.select(written, j);
    let is_nine = terms.eq(read, nine);
    assert_all(&mut solver, &terms, &[is_nine]);
    expect_model(&mut solver, &terms, &[is_nine]);
    let same = terms.eq(i, j);
    expect(&mut solver, &terms, &[same], Outcome::Unsat);
    assert_eq!(solver.failed_assumptions(), [same]);
    // Extensionality.
    let same_arrays = terms.eq(written, memory);
    expect(&mut solver, &terms, &[same_arrays], Outcome::Sat);
    let held = terms.select(memory, i);
    let other = terms.distinct(held, seven);
    expect(&mut solver, &terms, &[same_arrays, other], Outcome::Unsat);
}

fn constant_arrays(mut solver: Backend) {
    let mut terms = Terms::new();
    let sort = terms.array_sort(Sort::BitVector(16), Sort::BitVector(8));
    let (zero, nine) = (terms.bv(8, 0), terms.bv(8, 9));
    let (i, j) = (terms.variable("i", Sort::BitVector(16)), terms.variable("j", Sort::BitVector(16)));
    let memory = terms.variable("memory", sort);
    let empty = terms.const_array(sort, zero);
    let one_entry = terms.store(empty, i, nine);
    let is_that = terms.eq(memory, one_entry);
    let read = terms.select(memory, j);
    let is_nine = terms.eq(read, nine);
    assert_all(&mut solver, &terms, &[is_that, is_nine]);
    expect_model(&mut solver, &terms, &[is_that, is_nine]);
    let elsewhere = terms.distinct(i, j);
    expect(&mut solver, &terms, &[elsewhere], Outcome::Unsat);
}

fn floats(mut solver: Backend) {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Float(FloatFormat::SINGLE));
    let one = terms.float(&Float::from_f32(1.0));
    let sum = terms.fp_add(Rounding::NearestEven, x, one);
    let absorbed = terms.fp_eq(sum, x);
    let infinite = terms.fp_is_infinite(x);
    let finite = terms.not(infinite);
    assert_all(&mut solver, &terms, &[absorbed, finite]);
    expect_model(&mut solver, &terms, &[absorbed, finite]);
    let nan = terms.fp_is_nan(x);
    expect(&mut solver, &terms, &[nan], Outcome::Unsat);
    let thousand = terms.float(&Float::from_f32(1000.0));
    let magnitude = terms.fp_abs(x);
    let small = terms.fp_lt(magnitude, thousand);
    expect(&mut solver, &terms, &[small], Outcome::Unsat);
}

/// The bits of a float survive levels: they are named by definitions inside some back ends.
fn float_bits(mut solver: Backend) {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Float(FloatFormat::DOUBLE));
    let bits = terms.fp_to_bits(x);
    let pattern = terms.bv(64, 1.5f64.to_bits());
    let is_pattern = terms.eq(bits, pattern);
    solver.push();
    assert_all(&mut solver, &terms, &[is_pattern]);
    expect_model(&mut solver, &terms, &[is_pattern]);
    assert_eq!(solver.value(&terms, x), Ok(Value::Float(Float::from_f64(1.5))));
    solver.pop();
    let two = terms.float(&Float::from_f64(2.0));
    let is_two = terms.eq(x, two);
    expect(&mut solver, &terms, &[is_pattern, is_two], Outcome::Unsat);
    let is_nan = terms.fp_is_nan(x);
    expect(&mut solver, &terms, &[is_nan], Outcome::Sat);
    let canonical = Value::BitVector(BitVector::new(64, 0x7ff8_0000_0000_0000));
    assert_eq!(solver.value(&terms, bits), Ok(canonical));
}

/// x87's format, of which no IEEE name is known.
fn extended_floats(mut solver: Backend) {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Float(FloatFormat::EXTENDED));
    let narrow = terms.fp_convert(FloatFormat::DOUBLE, Rounding::NearestEven, x);
    let wide = terms.fp_convert(FloatFormat::EXTENDED, Rounding::NearestEven, narrow);
    let lost = terms.fp_lt(wide, x);
    let normal = terms.fp_is_normal(narrow);
    assert_all(&mut solver, &terms, &[lost, normal]);
    expect_model(&mut solver, &terms, &[lost, normal]);
}

fn functions(mut solver: Backend) {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", WORD), terms.variable("y", WORD));
    let hash = terms.function("hash", &[WORD, WORD], WORD);
    let (one_way, other_way) = (terms.apply(hash, &[x, y]), terms.apply(hash, &[y, x]));
    let differs = terms.distinct(one_way, other_way);
    let same = terms.eq(x, y);
    assert_all(&mut solver, &terms, &[differs]);
    expect(&mut solver, &terms, &[], Outcome::Sat);
    assert_ne!(solver.value(&terms, one_way), solver.value(&terms, other_way));
    expect(&mut solver, &terms, &[same], Outcome::Unsat);
}

fn uninterpreted_sorts(mut solver: Backend) {
    let mut terms = Terms::new();
    let sort = terms.uninterpreted_sort("Ref");
    let (a, b) = (terms.variable("a", sort), terms.variable("b", sort));
    let differ = terms.distinct(a, b);
    assert_all(&mut solver, &terms, &[differ]);
    expect(&mut solver, &terms, &[], Outcome::Sat);
    assert_ne!(solver.value(&terms, a), solver.value(&terms, b));
    let same = terms.eq(a, b);
    expect(&mut solver, &terms, &[same], Outcome::Unsat);
}

fn integers_and_reals(mut solver: Backend) {
    let mut terms = Terms::new();
    let (n, m) = (terms.variable("n", Sort::Int), terms.variable("m", Sort::Int));
    let (three, minus_seven) = (terms.int(3), terms.int(-7));
    let quotient = terms.int_div(minus_seven, n);
    let remainder = terms.int_mod(m, three);
    let two = terms.int(2);
    let zero = terms.int(0);
    let formulas = [
        terms.eq(quotient, minus_seven),
        terms.eq(remainder, two),
        terms.arith_lt(m, minus_seven),
        terms.arith_lt(zero, n),
    ];
    assert_all(&mut solver, &terms, &formulas);
    expect_model(&mut solver, &terms, &formulas);
    let x = terms.variable("x", Sort::Real);
    let (half, real_m) = (terms.real(num_rational::BigRational::new(1.into(), 2.into())), terms.int_to_real(m));
    let shifted = terms.arith_add(real_m, half);
    let is_shifted = terms.eq(x, shifted);
    let floor = terms.real_to_int(x);
    let is_floor = terms.distinct(floor, m);
    expect(&mut solver, &terms, &[is_shifted, is_floor], Outcome::Unsat);
    assert_all(&mut solver, &terms, &[is_shifted]);
    expect_model(&mut solver, &terms, &[formulas[0], formulas[3], is_shifted]);
}

/// Z3 answers with a `lambda` here, which is no array with finitely many exceptions.
fn infinite_arrays(mut solver: Backend) {
    let mut terms = Terms::new();
    let sort = terms.array_sort(Sort::Int, Sort::Bool);
    let (array, index) = (terms.variable("a", sort), terms.variable("i", Sort::Int));
    let (element, five) = (terms.select(array, index), terms.int(5));
    let below = terms.arith_lt(index, five);
    let same = terms.eq(element, below);
    let all = terms.forall(&[index], same);
    assert_all(&mut solver, &terms, &[all]);
    expect(&mut solver, &terms, &[], Outcome::Sat);
    let value = solver.value(&terms, array);
    assert!(value.as_ref().is_err_and(|error| error.to_string().contains("no finite array")), "{value:?}");
}

/// A heap as Boogie models it.
fn maps_of_maps(mut solver: Backend) {
    let mut terms = Terms::new();
    let reference = terms.uninterpreted_sort("Ref");
    let row = terms.array_sort(Sort::Int, Sort::Int);
    let heap_sort = terms.array_sort(reference, row);
    let heap = terms.variable("heap", heap_sort);
    let (a, b) = (terms.variable("a", reference), terms.variable("b", reference));
    let (zero, one) = (terms.int(0), terms.int(1));
    let row_of_a = terms.select(heap, a);
    let changed = terms.store(row_of_a, zero, one);
    let changed = terms.store(heap, a, changed);
    let row_of_b = terms.select(changed, b);
    let read = terms.select(row_of_b, zero);
    let is_one = terms.distinct(read, one);
    let same = terms.eq(a, b);
    assert_all(&mut solver, &terms, &[is_one]);
    expect(&mut solver, &terms, &[], Outcome::Sat);
    expect(&mut solver, &terms, &[same], Outcome::Unsat);
}

fn quantifiers(mut solver: Backend) {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::BitVector(8)), terms.variable("y", Sort::BitVector(8)));
    let below = terms.bv_ule(x, y);
    let least = terms.forall(&[y], below);
    assert_all(&mut solver, &terms, &[least]);
    expect(&mut solver, &terms, &[], Outcome::Sat);
    assert_eq!(solver.value(&terms, x), Ok(Value::BitVector(BitVector::zero(8))));
    // The same name free and bound.
    let above = terms.bv_ult(y, x);
    expect(&mut solver, &terms, &[above], Outcome::Unsat);
    let some_above = terms.exists(&[y], above);
    expect(&mut solver, &terms, &[some_above], Outcome::Unsat);
    let all = terms.forall(&[x], some_above);
    let not_all = terms.not(all);
    expect(&mut solver, &terms, &[not_all], Outcome::Sat);
}

/// Two prime factors of 62 bits: nobody finds them in a minute.
fn hard_formulas(terms: &mut Terms) -> Vec<TermId> {
    let (p, q) = (terms.variable("p", Sort::BitVector(64)), terms.variable("q", Sort::BitVector(64)));
    let (p, q) = (terms.bv_zero_extend(64, p), terms.bv_zero_extend(64, q));
    let product = terms.bv_mul(p, q);
    let number = BitVector::new(128, 4_611_686_018_427_387_847 * 3_074_457_345_618_258_599);
    let number = terms.bv_value(&number);
    let one = terms.bv(128, 1);
    vec![terms.eq(product, number), terms.bv_ult(one, p), terms.bv_ult(one, q), terms.bv_ult(q, p)]
}

fn expect_stop(solver: &mut Backend, why: Why) {
    let mut terms = Terms::new();
    let formulas = hard_formulas(&mut terms);
    assert_all(solver, &terms, &formulas);
    let started = Instant::now();
    expect(solver, &terms, &[], Outcome::Unknown(why));
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

fn time_limit(mut solver: Backend) {
    solver.set_limits(Limits::of_time(Duration::from_millis(100)));
    expect_stop(&mut solver, Why::Timeout);
}

fn memory_limit(mut solver: Backend) {
    solver.set_limits(Limits { time: None, memory: Some(1 << 20) });
    expect_stop(&mut solver, Why::Memory);
}

fn interrupt_before(mut solver: Backend) {
    let interrupter = solver.interrupter();
    interrupter.interrupt();
    expect_stop(&mut solver, Why::Interrupted);
}

fn interrupt_from_another_thread(mut solver: Backend) {
    let interrupter = solver.interrupter();
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        interrupter.interrupt();
    });
    expect_stop(&mut solver, Why::Interrupted);
    other.join().expect("the other thread ends");
}

/// After giving up, the solver answers what it can.
fn goes_on_after_a_limit(mut solver: Backend) {
    let mut terms = Terms::new();
    let formulas = hard_formulas(&mut terms);
    solver.push();
    assert_all(&mut solver, &terms, &formulas);
    solver.set_limits(Limits::of_time(Duration::from_millis(100)));
    expect(&mut solver, &terms, &[], Outcome::Unknown(Why::Timeout));
    solver.set_limits(Limits::default());
    let p = terms.variable("p", Sort::BitVector(64));
    let value = terms.bv(64, 4_611_686_018_427_387_847);
    let is_value = terms.eq(p, value);
    expect(&mut solver, &terms, &[is_value], Outcome::Sat);
    let q = terms.variable("q", Sort::BitVector(64));
    assert_eq!(solver.value(&terms, q), Ok(Value::BitVector(BitVector::new(64, 3_074_457_345_618_258_599))));
    solver.pop();
    let zero = terms.bv(64, 0);
    let is_zero = terms.eq(p, zero);
    assert_all(&mut solver, &terms, &[is_zero]);
    expect_model(&mut solver, &terms, &[is_zero]);
}

/// Terms that come after checks, and many checks.
fn incremental(mut solver: Backend) {
    let mut terms = Terms::new();
    let mut sum = terms.variable("start", WORD);
    let start = sum;
    for step in 0..10 {
        let next = terms.variable(&format!("step{step}"), WORD);
        let ten = terms.bv(32, 10);
        let bounded = terms.bv_ult(next, ten);
        assert_all(&mut solver, &terms, &[bounded]);
        sum = terms.bv_add(sum, next);
        let target = terms.bv(32, 9 * (step + 1));
        let reached = terms.eq(sum, target);
        let zero = terms.bv(32, 0);
        let from_zero = terms.eq(start, zero);
        expect(&mut solver, &terms, &[reached, from_zero], Outcome::Sat);
        let beyond = terms.bv(32, 9 * (step + 1) + 1);
        let beyond = terms.eq(sum, beyond);
        expect(&mut solver, &terms, &[beyond, from_zero], Outcome::Unsat);
    }
    let statistics = solver.statistics();
    assert_eq!((statistics.checks, statistics.assertions), (20, 10));
    assert!(statistics.translated_terms > 30);
}

/// A term twenty thousand levels deep overflows no stack.
fn deep_terms(mut solver: Backend) {
    let mut terms = Terms::new();
    let switches: Vec<TermId> = (0..7).map(|it| terms.variable(&format!("s{it}"), Sort::Bool)).collect();
    let mut deep = terms.variable("deepest", Sort::Bool);
    for number in 0..20_000 {
        let switch = switches[number % 7];
        deep = if number % 2 == 0 { terms.and2(deep, switch) } else { terms.or2(deep, switch) };
    }
    assert_eq!(terms.size(&[deep]), 20_008);
    assert_all(&mut solver, &terms, &[deep]);
    expect_model(&mut solver, &terms, &[deep]);
}

fn wide_values(mut solver: Backend) {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::BitVector(300));
    let value = terms.bv_value(&BitVector::min_signed(300));
    let one = terms.bv(300, 1);
    let sum = terms.bv_add(x, one);
    let is_value = terms.eq(sum, value);
    assert_all(&mut solver, &terms, &[is_value]);
    expect_model(&mut solver, &terms, &[is_value]);
    assert_eq!(solver.value(&terms, x), Ok(Value::BitVector(BitVector::max_signed(300))));
}

macro_rules! suite {
    ($module:ident, $backend:expr; $($test:ident)*) => {
        mod $module {
            use super::*;
            $(#[test]
            fn $test() {
                super::$test(Box::new($backend));
            })*
        }
    };
}

macro_rules! conformance {
    ($module:ident, $backend:expr) => {
        suite! { $module, $backend;
            sat_and_unsat constants_decide assumptions_and_cores levels arrays constant_arrays floats float_bits extended_floats
            functions quantifiers time_limit memory_limit interrupt_before
            interrupt_from_another_thread goes_on_after_a_limit incremental deep_terms wide_values
        }
    };
}

conformance!(bitwuzla, Bitwuzla::new());
conformance!(z3, Z3::new());

/// What only Z3 knows.
mod z3_only {
    use super::*;

    #[test]
    fn uninterpreted_sorts() {
        super::uninterpreted_sorts(Box::new(Z3::new()));
    }

    #[test]
    fn integers_and_reals() {
        super::integers_and_reals(Box::new(Z3::new()));
    }

    #[test]
    fn infinite_arrays() {
        super::infinite_arrays(Box::new(Z3::new()));
    }

    #[test]
    fn maps_of_maps() {
        super::maps_of_maps(Box::new(Z3::new()));
    }

    #[test]
    fn others_say_so() {
        let mut terms = Terms::new();
        let n = terms.variable("n", Sort::Int);
        let zero = terms.int(0);
        let negative = terms.arith_lt(n, zero);
        let error = Bitwuzla::new().check(&terms, &[negative]).expect_err("there are no integers");
        assert_eq!(error.to_string(), "Bitwuzla does not support unbounded integers");
    }
}
