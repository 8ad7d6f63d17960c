//! Cases for branches that no case takes yet, from solver models.
//!
//! Cases are run with an eye on the branches of the function. For each way out of a branch that none of them takes, the
//! model checker is asked for inputs that do, by a failure that is put there; what it finds becomes a case. A way for
//! which there is nothing to find, or not in time, stays uncovered.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use program::exec::{Checks, Discard, Effect, Executor, Inputs, Limits, NondetValue, Observer, Step, ViolationKind};
use program::{
    Block, BlockId, Command, CommandKind, Failure, FailureKind, FunctionId, Program, Site, Terminator, TerminatorKind,
};
use verify::bmc;

use super::{Case, Given, Value, of_consumed};
use crate::error::Error;
use crate::verification::{Verifier, fixed};

/// Cases that are watched.
const WATCHED: usize = 300;
/// Loops are followed so far.
const BOUND: u32 = 16;

/// A branch's block and the number of its successor.
type Way = (BlockId, u32);

struct Branches {
    function: FunctionId,
    seen: BTreeSet<Way>,
}

impl Observer for Branches {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        if let (true, Effect::Guard(way)) = (step.at.function == self.function, step.effect) {
            self.seen.insert((step.at.block, way));
        }
    }
}

/// Cases that take ways which the given ones do not take.
pub fn missing(verifier: &Verifier<'_>, name: &str, cases: &[Case], time: Duration) -> Result<Vec<Case>, Error> {
    let deadline = Instant::now() + time;
    let program = verifier.compile(&[])?;
    let Some(function) = program.find_function(name) else { return Ok(Vec::new()) };
    let seen = covered(&program, function, cases);
    let mut found = Vec::new();
    for way in ways(&program, function).into_iter().filter(|it| !seen.contains(it)) {
        let marked = marked(&program, function, way);
        for shape in &verifier.shapes {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(found);
            }
            let report = bmc::check(&fixed(&marked, shape), &options(left));
            if let Some(failure) = report.failures.first() {
                let origin = "made for a branch".to_owned();
                found.push(of_consumed(&verifier.driver.slots, &shape.fixed, &failure.inputs, origin));
                break;
            }
        }
    }
    Ok(found)
}

/// A case with which the function is called at all, where there is one.
pub fn entering(verifier: &Verifier<'_>, name: &str, time: Duration) -> Result<Option<Case>, Error> {
    let mut program = verifier.compile(&[])?;
    let Some(function) = program.find_function(name) else { return Ok(None) };
    let Some(body) = program.functions[function.index()].body.as_mut() else { return Ok(None) };
    let Some(entry) = body.blocks.first_mut() else { return Ok(None) };
    entry.commands = vec![failing()];
    entry.terminator = Terminator { kind: TerminatorKind::Unreachable, site: Site::NONE };
    for shape in &verifier.shapes {
        let report = bmc::check(&fixed(&program, shape), &options(time));
        if let Some(failure) = report.failures.first() {
            let origin = "made from what is required".to_owned();
            return Ok(Some(of_consumed(&verifier.driver.slots, &shape.fixed, &failure.inputs, origin)));
        }
    }
    Ok(None)
}

fn options(time: Duration) -> bmc::Options {
    let checks = Checks::NONE.with(ViolationKind::ErrorCall);
    bmc::Options { checks, max_bound: BOUND, time: Some(time), ..bmc::Options::default() }
}

fn failing() -> Command {
    let failure = Failure { kind: FailureKind::ErrorCall, message: "it is reached".into() };
    Command { kind: CommandKind::Fail(failure), site: Site::NONE }
}

fn covered(program: &Program, function: FunctionId, cases: &[Case]) -> BTreeSet<Way> {
    let executor = Executor::new(program, Checks::default());
    let limits = Limits { steps: 20_000, memory: 16 << 20, depth: 1000, ..Limits::default() };
    let mut branches = Branches { function, seen: BTreeSet::new() };
    let step = cases.len().div_ceil(WATCHED).max(1);
    for case in cases.iter().step_by(step) {
        let Given::Call { values, .. } = &case.given else { continue };
        let nondet = flat(values);
        executor.run(&Inputs { nondet, ..Inputs::default() }, &limits, &mut Discard, &mut branches);
    }
    branches.seen
}

/// Values as the driver for verification reads them.
pub fn flat(values: &[Value]) -> Vec<NondetValue> {
    let bits = values.iter().flat_map(Value::numbers);
    bits.map(|bits| NondetValue { source: None, bits: *bits }).collect()
}

/// All ways out of the function's branches.
fn ways(program: &Program, function: FunctionId) -> Vec<Way> {
    let Some(body) = &program.function(function).body else { return Vec::new() };
    let branches =
        body.blocks.iter().enumerate().filter(|(_, it)| matches!(it.terminator.kind, TerminatorKind::Branch { .. }));
    branches.flat_map(|(index, _)| [0, 1].map(|way| (BlockId(index as u32), way))).collect()
}

/// The program with a failure on a way.
fn marked(program: &Program, function: FunctionId, (block, way): Way) -> Program {
    let mut program = program.clone();
    let Some(body) = program.functions[function.index()].body.as_mut() else { return program };
    let target = BlockId(body.blocks.len() as u32);
    body.blocks.push(Block {
        name: "faultline.taken".to_owned(),
        commands: vec![failing()],
        terminator: Terminator { kind: TerminatorKind::Unreachable, site: Site::NONE },
    });
    if let TerminatorKind::Branch { then, otherwise, .. } = &mut body.blocks[block.index()].terminator.kind {
        *(if way == 0 { then } else { otherwise }) = target;
    }
    program
}
