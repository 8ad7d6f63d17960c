//! Random valid programs, however senseless: no panic, and the same run watched and unwatched.

use proptest::prelude::*;

use crate::Program;
use crate::exec::{Checks, Discard, Inputs, Limits, Observer, Outcome, Step, Unobserved, run};
use crate::generate::{self, Choices};
use crate::text::{Style, to_text};

/// Watches, and makes nothing of it.
struct Watcher;

impl Observer for Watcher {
    const ACTIVE: bool = true;

    fn step(&mut self, _: Step) {}
}

/// A program that shows itself as text.
struct Generated(Program);

impl std::fmt::Debug for Generated {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&to_text(&self.0, Style::Full))
    }
}

/// A generated program whose first function with a body is `main`.
fn programs() -> impl Strategy<Value = Generated> {
    prop::collection::vec(any::<u8>(), 0..3000).prop_map(|bytes| {
        let mut program = generate::program(&mut Choices::new(&bytes));
        for function in &mut program.functions {
            if function.name == "main" {
                function.name = "other".into();
            }
        }
        if let Some(main) = program.functions.iter_mut().find(|function| function.body.is_some()) {
            main.name = "main".into();
        }
        Generated(program)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_runs_to_some_end(Generated(program) in programs(), all in any::<bool>()) {
        let limits = Limits { steps: 5000, memory: 1 << 24, ..Limits::default() };
        let checks = if all { Checks::ALL } else { Checks::NONE };
        let inputs = Inputs::default();
        let plain = run(&program, &inputs, &limits, checks, &mut Discard, &mut Unobserved);
        let observed = run(&program, &inputs, &limits, checks, &mut Discard, &mut Watcher);
        // Steps are counted in blocks, so a limit is not met at the same command, and what ends a run
        // inside a block ends it at a count that is not exact.
        if !matches!(plain.outcome, Outcome::Limit(_)) {
            prop_assert_eq!(&plain.outcome, &observed.outcome);
        }
        if matches!(plain.outcome, Outcome::Exited(_)) {
            prop_assert_eq!(plain.steps, observed.steps);
        }
    }
}
