//! Slices of failing runs: the lines that small programs are expected to need, and for random programs that
//! the slice alone, laid out as one straight line, makes the same operation fail on the same values.

use std::collections::BTreeSet;

use crate::running::generator::{Random, generate};
use crate::running::{PRELUDE, compile};
use program::exec::{
    Checks, Detail, Discard, Executor, Exhausted, Inputs, Limits, NondetValue, Observer, Step, Violation,
};
use program::{CommandKind, Program};
use verify::slice::slice;

const USUAL_PROGRAMS: u64 = 100;

#[derive(Default)]
pub struct Steps(pub Vec<Step>);

impl Observer for Steps {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        self.0.push(step);
    }
}

/// A failing run with its steps; `None` if it does not fail.
fn failing(program: &Program, inputs: &Inputs, checks: Checks) -> Option<(Vec<Step>, Violation, Vec<u128>)> {
    let mut steps = Steps::default();
    let run = Executor::new(program, checks).run(inputs, &Limits::default(), &mut Discard, &mut steps);
    let values = run.consumed.iter().map(|it| it.bits).collect();
    Some((steps.0, run.violation()?.clone(), values))
}

fn given(values: &[i64]) -> Inputs {
    let nondet = values.iter().map(|&value| NondetValue { source: None, bits: value as u128 }).collect();
    Inputs { nondet, exhausted: Exhausted::Zero, ..Inputs::default() }
}

/// Lines marked with `//+` and no others are in the slice; scopes and jumps do not count.
fn check(text: &str, values: &[i64]) {
    let program = compile(text);
    let inputs = given(values);
    let (steps, ..) = failing(&program, &inputs, Checks::default()).expect("the program fails");
    let slice = slice(&program, &inputs, &Limits::default(), Checks::default()).expect("the program fails");
    assert_eq!(slice.steps(), steps.len());
    let mut found = BTreeSet::new();
    for (_, step) in steps.iter().enumerate().filter(|(index, _)| slice.contains(*index)) {
        let block = program.function(step.at.function).body.as_ref().unwrap().block(step.at.block);
        let site = match block.commands.get(step.at.index as usize) {
            Some(command) if matches!(command.kind, CommandKind::Declare(_) | CommandKind::Begin(_)) => continue,
            Some(command) => command.site,
            None => block.terminator.site,
        };
        let Some(place) = program.place(site) else { continue };
        let line = place.position.line as usize - 1 - PRELUDE.lines().count();
        found.insert(text.lines().nth(line).unwrap_or_default().trim().to_owned());
    }
    let expected: BTreeSet<String> =
        text.lines().filter(|line| line.contains("//+")).map(|line| line.trim().to_owned()).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn data() {
    check(
        "int main(void) {
            int x = 1; //+
            int y = 2;
            int z = x + 1; //+
            y = z;
            x = 5;
            assert(z != 2); //+
            return x + y;
        }",
        &[],
    );
}

#[test]
fn memory_by_bytes() {
    check(
        "struct pair { int first, second; };
        int main(void) {
            struct pair one, two;
            one.first = 1;
            one.second = 2; //+
            two = one; //+
            two.first = 7;
            int *p = &two.second; //+
            assert(*p == 3); //+
            return 0;
        }",
        &[],
    );
}

#[test]
fn arguments_and_results() {
    check(
        "static int choose(int a, int b) {
            return b; //+
        }
        int main(void) {
            int x = 1; int y =
                nondet(); //+
            int z = choose(x, y); //+
            assert(z == 3); //+
            return 0;
        }",
        &[4],
    );
}

#[test]
fn control() {
    check(
        "int main(void) {
            int x = nondet(); //+
            int y = nondet();
            int z = 0;
            if (y > 0)
                z = 1;
            if (x > 3) //+
                z = 2; //+
            assert(z == 0); //+
            return 0;
        }",
        &[4, 1],
    );
}

#[test]
fn loops() {
    check(
        "int main(void) {
            int n = 0, s = 0; //+
            for (int i = 0; i < 3; i++) { //+
                s += i;
                n++; //+
            }
            assert(n != 3); //+
            return s;
        }",
        &[],
    );
}

#[test]
fn library_functions() {
    check(
        "int main(void) {
            char a[8], b[8], c[8];
            strcpy(a, \"one\"); //+
            strcpy(b, \"two\");
            memcpy(c, a, 4); //+
            assert(strcmp(c, \"one\") != 0); //+
            return b[0];
        }",
        &[],
    );
}

#[test]
fn lives_of_objects() {
    check(
        "int main(void) {
            int *p = malloc(4); //+
            int *q = malloc(4); //+
            if (!p || !q) return 1; //+
            *p = 1;
            *q = 2;
            free(p); //+
            free(q);
            return *p;
        }",
        &[],
    );
}

/// Two ways to fail are the same if they do not differ in their values; numbers of objects may.
fn same(one: &Violation, other: &Violation) -> bool {
    let details = match (&one.detail, &other.detail) {
        (Detail::Memory(one), Detail::Memory(other)) => {
            let object = |fault: &program::exec::memory::MemoryFault| fault.object.map(|it| (it.size, it.offset));
            (one.kind, one.length, one.write, object(one)) == (other.kind, other.length, other.write, object(other))
        }
        // Variables have other numbers there.
        (Detail::Variable(_), Detail::Variable(_)) => true,
        (one, other) => one == other,
    };
    one.kind == other.kind && details
}

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn a_slice_fails_by_itself() {
    let (first, count) = (number("FAULTLINE_SEED", 1), number("FAULTLINE_PROGRAMS", USUAL_PROGRAMS));
    let (mut tried, mut kept, mut all) = (0, 0, 0);
    for seed in first..first + count {
        let generated = generate(seed);
        let program = compile(&generated.text);
        let mut random = Random::new(seed);
        let value =
            |random: &mut Random, range: &(i64, i64)| range.0 + random.below((range.1 - range.0 + 1) as u64) as i64;
        let values: Vec<i64> = generated.ranges.iter().map(|range| value(&mut random, range)).collect();
        let inputs = given(&values);
        let Some((steps, violation, consumed)) = failing(&program, &inputs, Checks::default()) else { continue };
        let slice = slice(&program, &inputs, &Limits::default(), Checks::default()).expect("it fails again");
        let (straight, nondet) =
            crate::straight::program(&program, &steps, &violation, &consumed, &|step| slice.contains(step));
        let inputs = Inputs { nondet, exhausted: Exhausted::Stop, ..Inputs::default() };
        let run = Executor::new(&straight, Checks::default()).run(
            &inputs,
            &Limits::default(),
            &mut Discard,
            &mut Steps::default(),
        );
        let again = run.violation();
        assert!(
            again.is_some_and(|again| same(again, &violation)),
            "seed {seed}, inputs {values:?}: {:?} instead of {violation:?}\n{}",
            run.outcome,
            generated.text
        );
        (tried, kept, all) = (tried + 1, kept + slice.len(), all + slice.steps());
    }
    assert!(count < 20 || tried > count / 8, "only {tried} of {count} programs fail");
    assert!(count < 20 || kept * 10 < all * 9, "{kept} of {all} steps are kept: nothing is sliced away");
}
