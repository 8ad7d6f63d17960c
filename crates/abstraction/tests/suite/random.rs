//! Soundness against the executor on random programs: what is called proved is never violated, and every
//! value that a run assigns is in the range that the analysis has for it.

use std::collections::BTreeSet;

use abstraction::{Analysis, Options, Place, analyse};
use program::exec::{Checks, Discard, Effect, Exhausted, Inputs, Limits, Observer, Outcome, Step, run};
use program::generate::{self, Choices};
use program::text::{Style, to_text};
use program::{BlockId, FunctionId, Program, Type, VarId};
use proptest::prelude::*;

/// A program that shows itself as text.
struct Generated(Program);

impl std::fmt::Debug for Generated {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&to_text(&self.0, Style::Full))
    }
}

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

/// The variables of each call under way, and what was found wrong with them.
struct Watcher<'a> {
    program: &'a Program,
    analysis: &'a Analysis,
    /// Per call: the function and the variables that have a known value.
    frames: Vec<(FunctionId, Vec<Option<u128>>)>,
    reached: BTreeSet<(FunctionId, BlockId)>,
    wrong: Vec<String>,
}

impl Watcher<'_> {
    /// The values at a block's start must be in the ranges of some context.
    fn compare(&mut self, block: BlockId) {
        let Some((function, values)) = self.frames.last() else { return };
        if !self.reached.insert((*function, block)) && self.reached.len() > 1000 {
            return;
        }
        if self.analysis.given_up().is_some() {
            return;
        }
        let contexts = self.analysis.contexts(*function);
        let fits = contexts.iter().any(|context| {
            self.analysis.is_block_reached(*context, block)
                && values.iter().enumerate().all(|(index, value)| {
                    let Some(bits) = value else { return true };
                    self.contains(*context, *function, block, VarId(index as u32), *bits)
                })
        });
        if !fits {
            self.wrong.push(format!("{} {block:?} has {values:?}", self.program.function(*function).name));
        }
    }

    fn contains(
        &self,
        context: abstraction::ContextId,
        function: FunctionId,
        block: BlockId,
        variable: VarId,
        bits: u128,
    ) -> bool {
        let body = self.program.function(function).body.as_ref().unwrap();
        let ty = body.variable(variable).ty;
        if !matches!(ty, Type::Int(width) if width <= 64) {
            return true;
        }
        let reading = self.analysis.places().variable_reading(self.program, context, variable);
        let unused = 128 - ty.bits();
        let value = if reading.signed { (bits << unused) as i128 >> unused } else { bits as i128 };
        self.analysis
            .range(context, block, Place::Variable(context, variable))
            .is_none_or(|range| range.contains(value))
    }
}

impl Observer for Watcher<'_> {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        let function = self.program.function(step.at.function);
        let body = function.body.as_ref().unwrap();
        self.frames.truncate(step.depth as usize + 1);
        if self.frames.len() <= step.depth as usize {
            self.frames.push((step.at.function, vec![None; body.variables.len()]));
        }
        let block = body.block(step.at.block);
        if step.at.index == 0 {
            let fresh = !matches!(step.effect, Effect::Assigned(_) | Effect::Returned(_)) || block.commands.is_empty();
            if fresh {
                self.compare(step.at.block);
            }
        }
        let Some(command) = block.commands.get(step.at.index as usize) else { return };
        let frame = &mut self.frames.last_mut().unwrap().1;
        use program::CommandKind;
        match (&command.kind, step.effect) {
            (CommandKind::Assign { target, .. } | CommandKind::Havoc { target, .. }, Effect::Assigned(bits)) => {
                frame[target.index()] = Some(bits);
            }
            (CommandKind::Assign { target, .. } | CommandKind::Havoc { target, .. }, _) => frame[target.index()] = None,
            (CommandKind::Allocate { target, .. } | CommandKind::StackMark { target }, _) => {
                frame[target.index()] = None
            }
            (CommandKind::Declare(variable), _) => frame[variable.index()] = None,
            (CommandKind::Call(call), _) => call.targets.iter().for_each(|target| frame[target.index()] = None),
            _ => {}
        }
    }
}

fn check(program: &Program, options: &Options, seed: u64) -> Result<(), TestCaseError> {
    let analysis = analyse(program, options);
    let limits = Limits { steps: 3000, memory: 1 << 24, ..Limits::default() };
    for exhausted in [Exhausted::Zero, Exhausted::Random { seed }] {
        let inputs = Inputs { exhausted, ..Inputs::default() };
        let mut watcher =
            Watcher { program, analysis: &analysis, frames: Vec::new(), reached: BTreeSet::new(), wrong: Vec::new() };
        let end = run(program, &inputs, &limits, options.checks, &mut Discard, &mut watcher);
        prop_assert!(watcher.wrong.is_empty(), "{:?}", watcher.wrong);
        if let Outcome::Violated(violation) = end.outcome {
            prop_assert!(
                !analysis.is_proved(violation.at, violation.kind),
                "{:?} at {:?} is called proved: {violation:?}",
                violation.kind,
                violation.at
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_violate_nothing_that_is_proved(Generated(program) in programs(), seed in any::<u64>(), all in any::<bool>()) {
        let checks = if all { Checks::default() } else { Checks::NONE };
        check(&program, &Options { checks, ..Options::default() }, seed)?;
    }

    #[test]
    fn polyhedra_are_sound_on_random_programs(Generated(program) in programs(), seed in any::<u64>()) {
        check(&program, &Options { polyhedra: true, ..Options::default() }, seed)?;
    }
}
