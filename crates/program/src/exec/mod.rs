//! The concrete executor: what commands and expressions mean.
//!
//! A [`Program`] and [`Inputs`] → a [`Run`]: how it ended, what it consumed, what it printed. It runs
//! a program as the x86-64 machine runs clang's unoptimized code, and stops at the first behaviour
//! that C leaves undefined, with the values that show it. Same inputs, same run.
//!
//! On the way: [`load`] builds the world, [`compile`] makes bytecode of a function when it is first
//! called, [`machine`] executes it on [`memory`], models in [`libc`] stand for external functions, and
//! an [`Observer`] can watch every command.
//!
//! Not here: threads and signals, real files, real time. A run touches nothing outside itself.

mod arithmetic;
mod builtin;
mod bytecode;
mod compile;
pub mod evaluate;
mod float;
pub mod host;
pub mod inputs;
pub mod libc;
mod load;
mod machine;
pub mod memory;
pub mod observe;
pub mod outcome;
#[cfg(test)]
mod tests;
pub mod trace;
pub mod va_list;
pub mod violation;

pub use host::{ArgumentValue, Arguments, Captured, Discard, Host, Model, Output, OutputStream, Returned, Stop, World};
pub use inputs::{Consumed, Exhausted, Inputs, NondetValue, Unwritten};
pub use observe::{Effect, Observer, Step, Unobserved};
pub use outcome::{LimitKind, Limits, Note, Outcome, Run, UnsupportedReason};
pub use trace::{Trace, TraceRecorder};
pub use va_list::VaList;
pub use violation::{Checks, CommandRef, Detail, Fault, StackEntry, Value, Violation, ViolationKind};

use std::sync::OnceLock;

use crate::Program;
use compile::{Context, Copies};
use machine::{Library, Machine};
use observe::{Observed, Told};

/// Runs the program's `main` once.
pub fn run<O: Observer>(
    program: &Program,
    inputs: &Inputs,
    limits: &Limits,
    checks: Checks,
    output: &mut dyn Output,
    observer: &mut O,
) -> Run {
    Executor::new(program, checks).run(inputs, limits, output, observer)
}

/// A program ready for many runs: they share the compiled functions, also from several threads.
pub struct Executor<'p> {
    program: &'p Program,
    checks: Checks,
    plain: OnceLock<Library<'p>>,
    observed: OnceLock<Library<'p>>,
}

impl<'p> Executor<'p> {
    pub fn new(program: &'p Program, checks: Checks) -> Executor<'p> {
        Executor { program, checks, plain: OnceLock::new(), observed: OnceLock::new() }
    }

    /// Runs the program's `main`.
    pub fn run<O: Observer>(&self, inputs: &Inputs, limits: &Limits, output: &mut dyn Output, observer: &mut O) -> Run {
        if !O::ACTIVE {
            return self.run_with(inputs, limits, output, &mut Unobserved, false);
        }
        let tell = &mut |told: Told<'_>| match told {
            Told::Step(step, memory, accesses) => observer.watch(step, memory, accesses),
            Told::Changed(change) => observer.changed(change),
            Told::Between(memory, accesses) => observer.between(memory, accesses),
            Told::Ended(memory, accesses) => observer.ended(memory, accesses),
        };
        self.run_with(inputs, limits, output, &mut Observed { tell, accesses: O::ACCESSES }, O::MEMORY)
    }

    fn library(&self, observed: bool) -> &Library<'p> {
        let library = if observed { &self.observed } else { &self.plain };
        library.get_or_init(|| {
            let (program, checks) = (self.program, self.checks);
            Library::new(Context { program, copies: Copies::of(program), checks, observed })
        })
    }

    fn run_with<O: Observer>(
        &self,
        inputs: &Inputs,
        limits: &Limits,
        output: &mut dyn Output,
        observer: &mut O,
        journal: bool,
    ) -> Run {
        let (program, checks) = (self.program, self.checks);
        let main = program.find_function("main").filter(|main| program.function(*main).body.is_some());
        let Some(main) = main else { return Run::without_steps(Outcome::NoMain) };
        let prepared = load::world(program, inputs, limits, checks, journal).and_then(|mut world| {
            let arguments = load::main_arguments(&mut world, program, main, inputs)?;
            Ok((world, arguments))
        });
        let Ok((mut world, arguments)) = prepared else { return Run::without_steps(Outcome::Limit(LimitKind::Memory)) };
        if observer.wants_accesses() {
            world.memory.watch();
        }
        let mut machine = Machine::new(self.library(O::ACTIVE), observer, &world);
        let result = machine.start(&mut world, output, main, arguments);
        if O::ACTIVE {
            machine.tell_end(&world);
        }
        let outcome = outcome(&machine, &world, checks, result);
        let steps = machine.steps();
        let (_, ended_at) = machine.place();
        let files = world.library.files().into_iter().map(|(name, contents)| (name, contents.to_vec())).collect();
        let (consumed, mismatch) = world.nondet.into_record();
        let unwritten = world.memory.into_given();
        Run { outcome, steps, consumed, unwritten, mismatch, notes: world.notes, ended_at, files }
    }
}

fn outcome<O: Observer>(machine: &Machine<'_, O>, world: &World, checks: Checks, result: Result<i32, Stop>) -> Outcome {
    let (at, site) = machine.place();
    match result {
        Ok(status) | Err(Stop::Exit(status)) => match leaks(world, checks) {
            Some(fault) => Outcome::Violated(machine.violation(fault)),
            None => Outcome::Exited(status),
        },
        Err(Stop::Violation(fault)) => {
            let violation = machine.violation(fault);
            match checks.has(violation.kind) {
                true => Outcome::Violated(violation),
                false => Outcome::Undefined(violation),
            }
        }
        Err(Stop::Abort) => Outcome::Aborted,
        Err(Stop::Assumption) => Outcome::AssumptionFailed { at, site },
        Err(Stop::Limit(kind)) => Outcome::Limit(kind),
        Err(Stop::Unsupported(what)) => Outcome::Unsupported { at, site, what: UnsupportedReason::Library(what) },
        Err(Stop::Construct(id)) => Outcome::Unsupported { at, site, what: UnsupportedReason::Construct(id) },
        Err(Stop::InputExhausted) => Outcome::InputExhausted { at, site },
        Err(Stop::Jump(_)) => unreachable!("a jump whose frame is gone is a violation"),
    }
}

/// The heap objects that were not freed, if that is to be checked.
fn leaks(world: &World, checks: Checks) -> Option<Box<Fault>> {
    let objects: Vec<_> = match checks.has(ViolationKind::Leak) {
        true => world.memory.live_heap().collect(),
        false => Vec::new(),
    };
    (!objects.is_empty()).then(|| Fault::new(ViolationKind::Leak, Detail::Leaked { objects }))
}
