//! Random small programs: bounded model checking and execution on all inputs must agree on whether a
//! program can fail. `FAULTLINE_PROGRAMS` says how many programs; `FAULTLINE_SEED` where they begin.

use std::time::Duration;

use crate::running::generator::generate;
use crate::running::{Expect, compile, outcome};
use program::exec::{
    Checks, Discard, Executor, Exhausted, Inputs, Limits, NondetValue, Outcome, Unobserved, Violation, ViolationKind,
};
use verify::bmc::{Options, Verdict};

const USUAL_PROGRAMS: u64 = 150;

/// Whether some input makes the program fail.
fn can_fail(executor: &Executor<'_>, ranges: &[(i64, i64)]) -> bool {
    failures(executor, ranges, true).next().is_some()
}

/// The violations of all inputs, or only the first one.
fn failures(executor: &Executor<'_>, ranges: &[(i64, i64)], only_first: bool) -> impl Iterator<Item = Violation> {
    let mut found = Vec::new();
    let mut values: Vec<i64> = ranges.iter().map(|range| range.0).collect();
    loop {
        let nondet = values.iter().map(|&value| NondetValue { source: None, bits: value as u128 }).collect();
        let inputs = Inputs { nondet, exhausted: Exhausted::Stop, ..Inputs::default() };
        let run = executor.run(&inputs, &Limits::default(), &mut Discard, &mut Unobserved);
        match run.outcome {
            Outcome::Violated(violation) => {
                found.push(*violation);
                if only_first {
                    return found.into_iter();
                }
            }
            Outcome::Exited(_) | Outcome::Aborted | Outcome::Undefined(_) => {}
            other => panic!("a random program ended with {other:?}"),
        }
        let Some(next) = (0..values.len()).find(|&index| values[index] < ranges[index].1) else {
            return found.into_iter();
        };
        values[next] += 1;
        for index in 0..next {
            values[index] = ranges[index].0;
        }
    }
}

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn agrees_with_execution_on_all_inputs() {
    let (first, count) = (number("FAULTLINE_SEED", 1), number("FAULTLINE_PROGRAMS", USUAL_PROGRAMS));
    for seed in first..first + count {
        let generated = generate(seed);
        let program = compile(&generated.text);
        let executor = Executor::new(&program, Checks::default());
        let expected = can_fail(&executor, &generated.ranges);
        let options = Options { time: Some(Duration::from_secs(60)), ..Options::default() };
        let report = verify::bmc::check(&program, &options);
        let found = outcome(&report);
        let agrees = match found {
            Expect::Proved => !expected,
            Expect::Violated(_) => expected,
            Expect::Bounded | Expect::Unknown => false,
        };
        assert!(agrees, "seed {seed}: {found:?} {:?} but can fail: {expected}\n{}", report.verdict, generated.text);
    }
}

/// Looking for one kind of violation alone leaves much of a program out.
#[test]
fn slices_agree_with_execution_on_all_inputs() {
    let (first, count) = (number("FAULTLINE_SEED", 1), number("FAULTLINE_PROGRAMS", USUAL_PROGRAMS));
    let (mut left_out, mut commands) = (0, 0);
    for seed in first..first + count {
        let generated = generate(seed);
        let program = compile(&generated.text);
        let kinds =
            [ViolationKind::Assert, ViolationKind::Overflow, ViolationKind::ArrayIndex, ViolationKind::DivisionByZero];
        let only = Checks::NONE.with(kinds[seed as usize % kinds.len()]);
        let checks = if seed % 2 == 0 { only } else { only.with(ViolationKind::Uninitialized) };
        let expected = can_fail(&Executor::new(&program, checks), &generated.ranges);
        let options = Options { checks, time: Some(Duration::from_secs(60)), ..Options::default() };
        let report = verify::bmc::check(&program, &options);
        let agrees = match &report.verdict {
            Verdict::Proved => !expected,
            Verdict::Violated => expected,
            Verdict::Bounded(_) | Verdict::Unknown(_) => false,
        };
        assert!(agrees, "seed {seed}: {:?} but can fail: {expected}\n{}", report.verdict, generated.text);
        left_out += report.statistics.left_out;
        commands += report.statistics.commands;
    }
    assert!(4 * left_out >= commands, "{left_out} of {commands} commands were left out");
}

/// Trace abstraction may give up on a program, but what it says must be so.
#[test]
fn trace_abstraction_agrees_with_execution_on_all_inputs() {
    let (first, count) = (number("FAULTLINE_SEED", 1), number("FAULTLINE_PROGRAMS", USUAL_PROGRAMS / 5));
    let checks = Checks::default().without(ViolationKind::Uninitialized);
    let mut decided = 0;
    for seed in first..first + count {
        let generated = generate(seed);
        let program = compile(&generated.text);
        let expected = can_fail(&Executor::new(&program, checks), &generated.ranges);
        let options = Options { checks, time: Some(Duration::from_secs(1)), ..Options::default() };
        let report = verify::trace_abstraction::check(&program, &options);
        let agrees = match &report.verdict {
            Verdict::Proved => !expected,
            Verdict::Violated => expected,
            Verdict::Unknown(why) => !why.contains("does not confirm"),
            Verdict::Bounded(_) => false,
        };
        decided += u64::from(!matches!(report.verdict, Verdict::Unknown(_)));
        assert!(agrees, "seed {seed}: {:?} but can fail: {expected}\n{}", report.verdict, generated.text);
    }
    assert!(2 * decided >= count, "{decided} of {count} programs were decided");
}

/// Proofs are real: nothing that abstract interpretation calls proved fails on any input.
#[test]
fn what_is_proved_fails_on_no_input() {
    let (first, count) = (number("FAULTLINE_SEED", 1), number("FAULTLINE_PROGRAMS", USUAL_PROGRAMS));
    let (mut wholly, mut partly) = (0, 0);
    for seed in first..first + count {
        let generated = generate(seed);
        let program = compile(&generated.text);
        let executor = Executor::new(&program, Checks::default());
        let failures: Vec<Violation> = failures(&executor, &generated.ranges, false).collect();
        let options = Options { time: Some(Duration::from_secs(60)), ..Options::default() };
        let (report, proved) = verify::pruning::check(&program, &options);
        let agrees = match &report.verdict {
            Verdict::Proved => failures.is_empty(),
            Verdict::Violated => !failures.is_empty(),
            Verdict::Bounded(_) | Verdict::Unknown(_) => false,
        };
        assert!(agrees, "seed {seed}: {:?} but {} inputs fail\n{}", report.verdict, failures.len(), generated.text);
        for violation in &failures {
            let key = (violation.kind, program.place(violation.site));
            let called_proved = proved.checks.iter().any(|it| (it.kind, program.place(it.site)) == key);
            assert!(!called_proved, "seed {seed}: {key:?} is called proved\n{}", generated.text);
        }
        wholly += u64::from(proved.everything);
        partly += u64::from(!proved.checks.is_empty());
    }
    assert!(10 * partly >= 9 * count, "something is proved in {partly} of {count} programs only");
    assert!(20 * wholly >= count, "{wholly} of {count} programs are proved as a whole");
}
