//! Prints how fast terms, solvers and the searches on top of them are: `cargo run --release -p logic --example
//! figures`. Compare runs on one machine only.

use logic::evaluate::{Evaluator, Model};
use logic::exists_forall::{self, Budget, Method};
use logic::maxsat::{Answer, MaxSat, Soft};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::z3::Z3;
use logic::solver::{FullSolver, Outcome};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};

const WORD: Sort = Sort::BitVector(32);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let run = |name: &str, measure: &dyn Fn() -> String| {
        if wanted.is_empty() || wanted.iter().any(|it| name.contains(it.as_str())) {
            let started = processor_time();
            let result = measure();
            println!("{name:32} {:8.3} s  {result}", processor_time() - started);
        }
    };
    run("new terms", &new_terms);
    run("known terms", &known_terms);
    run("reads through writes", &reads_through_writes);
    run("evaluation", &evaluation);
    run("substitution", &substitution);
    for (name, make) in solvers() {
        run(&format!("{name}: unrolled loop"), &|| unrolled_loop(make()));
        run(&format!("{name}: symbolic stores"), &|| symbolic_stores(make()));
        run(&format!("{name}: 50 repairs of 200"), &|| repairs(make()));
    }
    for method in [Method::Native, Method::Cegis] {
        run(&format!("exists-forall: {method:?}"), &|| exists_forall_queries(method));
    }
}

/// Seconds that this thread has computed: other people's work on the machine does not count.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split_whitespace().next().and_then(|it| it.parse().ok()).unwrap_or(f64::NAN);
    nanoseconds / 1e9
}

type Make = fn() -> Box<dyn FullSolver>;

fn solvers() -> [(&'static str, Make); 2] {
    [("Bitwuzla", || Box::new(Bitwuzla::new())), ("Z3", || Box::new(Z3::new()))]
}

/// Arithmetic, comparisons and choices, none of which was there before.
fn build_many(terms: &mut Terms, rounds: usize) -> TermId {
    let variables: Vec<TermId> = (0..64).map(|it| terms.variable(&format!("v{it}"), WORD)).collect();
    let mut state = variables[0];
    for round in 0..rounds {
        let other = variables[1 + round % 63];
        let product = terms.bv_mul(state, other);
        let constant = terms.bv(32, round as u64);
        let sum = terms.bv_add(product, constant);
        let below = terms.bv_ult(sum, other);
        state = terms.ite(below, sum, state);
    }
    state
}

fn new_terms() -> String {
    let mut terms = Terms::new();
    let started = processor_time();
    build_many(&mut terms, 500_000);
    format!("{:.1} million a second", terms.len() as f64 / (processor_time() - started) / 1e6)
}

fn known_terms() -> String {
    let mut terms = Terms::new();
    build_many(&mut terms, 100_000);
    let started = processor_time();
    for _ in 0..5 {
        build_many(&mut terms, 100_000);
    }
    format!("{:.1} million a second", 2.5 / (processor_time() - started))
}

fn reads_through_writes() -> String {
    let mut terms = Terms::new();
    let sort = terms.array_sort(Sort::BitVector(64), Sort::BitVector(8));
    let mut memory = terms.variable("memory", sort);
    let base = terms.variable("base", Sort::BitVector(64));
    let mut reads = 0u64;
    let started = processor_time();
    for round in 0..20_000u64 {
        let offset = terms.bv(64, round % 200);
        let address = terms.bv_add(base, offset);
        let value = terms.select(memory, address);
        let one = terms.bv(8, 1);
        let next = terms.bv_add(value, one);
        memory = terms.store(memory, address, next);
        reads += 1;
    }
    format!("{:.2} million a second over 200 cells", reads as f64 / (processor_time() - started) / 1e6)
}

fn evaluation() -> String {
    let mut terms = Terms::new();
    let root = build_many(&mut terms, 200_000);
    let model = Model::new();
    let started = processor_time();
    let value = Evaluator::new(&terms, &model).value(root).expect("bit-vectors have values");
    format!("{:.1} million terms a second ({value:?})", terms.len() as f64 / (processor_time() - started) / 1e6)
}

fn substitution() -> String {
    let mut terms = Terms::new();
    let root = build_many(&mut terms, 200_000);
    let (from, to) = (terms.variable("v1", WORD), terms.variable("w1", WORD));
    let size = terms.len();
    let started = processor_time();
    terms.substitute(root, &[(from, to)].into_iter().collect());
    format!("{:.1} million terms a second", size as f64 / (processor_time() - started) / 1e6)
}

/// A loop with an array, unrolled step by step, with a check after each step, as in bounded model checking.
fn unrolled_loop(mut solver: Box<dyn FullSolver>) -> String {
    let mut terms = Terms::new();
    let sort = terms.array_sort(WORD, Sort::BitVector(32));
    let mut memory = terms.variable("memory", sort);
    let length = terms.variable("length", WORD);
    let mut sum = terms.bv(32, 0);
    let mut guard = terms.true_term();
    let most = terms.bv(32, 1000);
    let mut satisfiable = 0;
    for step in 0..60 {
        let index = terms.bv(32, step);
        let inside = terms.bv_slt(index, length);
        guard = terms.and2(guard, inside);
        let element = terms.select(memory, index);
        let bounded = terms.bv_ult(element, most);
        solver.assert(&terms, bounded).expect("supported");
        let next = terms.bv_add(sum, element);
        sum = terms.ite(guard, next, sum);
        let three = terms.bv(32, 3);
        let target = terms.bv_urem(sum, most);
        let target = terms.bv_mul(target, three);
        memory = terms.store(memory, target, sum);
        let wanted = terms.bv(32, step * 700);
        let reached = terms.bv_ult(wanted, sum);
        let overflow = terms.bv_sadd_overflow(sum, element);
        satisfiable += u32::from(solver.check(&terms, &[guard, reached]) == Ok(Outcome::Sat));
        satisfiable += u32::from(solver.check(&terms, &[guard, overflow]) == Ok(Outcome::Sat));
    }
    format!("120 checks, {satisfiable} satisfiable")
}

/// Writes to unknown places, then a read that must not see another value.
fn symbolic_stores(mut solver: Box<dyn FullSolver>) -> String {
    let mut terms = Terms::new();
    let sort = terms.array_sort(WORD, Sort::BitVector(8));
    let mut memory = terms.variable("memory", sort);
    let place = terms.variable("place", WORD);
    let seven = terms.bv(8, 7);
    memory = terms.store(memory, place, seven);
    for number in 0..100 {
        let other = terms.variable(&format!("p{number}"), WORD);
        let apart = terms.distinct(other, place);
        solver.assert(&terms, apart).expect("supported");
        let value = terms.bv(8, number);
        memory = terms.store(memory, other, value);
    }
    let read = terms.select(memory, place);
    let wrong = terms.distinct(read, seven);
    format!("{:?}", solver.check(&terms, &[wrong]))
}

/// A trace of 200 assignments of which each may be given up; the 50 cheapest ways to repair its end.
fn repairs(mut solver: Box<dyn FullSolver>) -> String {
    let mut terms = Terms::new();
    let mut soft = Vec::new();
    let mut state: Vec<TermId> = (0..8).map(|it| terms.bv(32, 3 * it)).collect();
    for step in 0..200usize {
        let (to, left, right) = (step % 8, (step * 3 + 1) % 8, (step * 5 + 2) % 8);
        let constant = terms.bv(32, (step % 11) as u64);
        let value = match step % 4 {
            0 => terms.bv_add(state[left], state[right]),
            1 => terms.bv_add(state[left], constant),
            2 => terms.bv_xor(state[left], state[right]),
            _ => terms.bv_sub(state[left], constant),
        };
        let free = terms.variable(&format!("free{step}"), WORD);
        let keep = terms.variable(&format!("keep{step}"), Sort::Bool);
        soft.push(Soft { wish: keep, weight: 1 + (step % 5) as u64 });
        state[to] = terms.ite(keep, value, free);
    }
    let (limit, difference) = (terms.bv(32, 1000), terms.bv_sub(state[0], state[5]));
    let demands = [terms.bv_ult(limit, difference), terms.eq(state[1], limit), terms.distinct(state[2], state[3])];
    for demand in demands {
        solver.assert(&terms, demand).expect("supported");
    }
    let mut search = MaxSat::new(soft);
    let mut costs = Vec::new();
    while costs.len() < 50 {
        let Ok(Answer::Optimum(solution)) = search.next(solver.as_mut(), &mut terms, u64::MAX) else { break };
        search.exclude(solver.as_mut(), &mut terms, &solution).expect("supported");
        costs.push(solution.cost);
    }
    let checks = solver.statistics().checks;
    format!("{} found, costs {:?} to {:?}, {checks} checks", costs.len(), costs.first(), costs.last())
}

/// For each position of a trace with inputs: is there a value that no later input repairs?
fn exists_forall_queries(method: Method) -> String {
    let mut terms = Terms::new();
    let mut witnesses = 0;
    for query in 0..20u64 {
        let value = terms.variable(&format!("value{query}"), WORD);
        let inputs: Vec<TermId> = (0..4).map(|it| terms.variable(&format!("in{query}.{it}"), WORD)).collect();
        let mut state = value;
        let mut blocked = terms.false_term();
        for (step, &input) in inputs.iter().enumerate() {
            let constant = terms.bv(32, query * 3 + step as u64);
            let narrow = terms.bv(32, 0xff);
            let small = terms.bv_and(input, narrow);
            let sum = terms.bv_add(state, small);
            state = terms.bv_xor(sum, constant);
            let limit = terms.bv(32, 1 << (10 + query % 20));
            let stops = terms.bv_ult(limit, state);
            blocked = terms.or2(blocked, stops);
        }
        let answer = exists_forall::solve_by(method, &mut terms, &inputs, blocked, &Budget::default());
        witnesses += u32::from(matches!(answer, Ok(exists_forall::Answer::Witness(_))));
    }
    format!("20 queries, {witnesses} witnesses")
}
