//! Further failing runs of the same program, for the intersection of fixes (§4.4).
//!
//! For each branch that the failing run took in one direction only, that direction is closed, and bounded model
//! checking looks for another failure of the same command. So the runs differ from the first in what they do, not
//! only in their inputs. What is found is replayed in the original program.

use std::collections::BTreeMap;
use std::time::Instant;

use program::exec::{Checks, CommandRef, Discard, Effect, Limits, Violation};
use program::{Block, BlockId, Command, CommandKind, ExprKind, Program, Site, Terminator, TerminatorKind, Type};
use verify::bmc;
use verify::encode::recording::{Entry, Recording, record};

/// A failing run that was found.
pub struct FoundRun {
    pub recording: Recording,
    pub violation: Violation,
}

/// Other failing runs, at most so many; `tries` bounds how many branches are closed. The time of the search is for all
/// of them together.
pub fn others(
    program: &Program,
    checks: Checks,
    recording: &Recording,
    violation: &Violation,
    search: &bmc::Options,
    most: usize,
    tries: usize,
) -> Vec<FoundRun> {
    let mut found: Vec<FoundRun> = Vec::new();
    let started = Instant::now();
    for (at, way) in one_way(program, recording).into_iter().rev().take(tries) {
        if found.len() >= most || found.iter().any(|run| !takes(&run.recording, at, way)) {
            continue;
        }
        let Some(closed) = close(program, at, way) else { continue };
        let time = search.time.map(|time| time.saturating_sub(started.elapsed()));
        if time.is_some_and(|time| time.is_zero()) {
            break;
        }
        let report = bmc::check(&closed, &bmc::Options { time, ..search.clone() });
        let Some(failure) = report.failures.into_iter().find(|it| it.violation.at == violation.at) else { continue };
        let inputs = failure.run.replay();
        let (run, recording) = record(program, &inputs, &Limits::default(), checks, &mut Discard);
        if let Some(again) = run.violation().filter(|it| it.at == violation.at) {
            found.push(FoundRun { violation: again.clone(), recording });
        }
    }
    found
}

/// The branches of a run that always went the same way, in the order in which they were first met.
fn one_way(program: &Program, recording: &Recording) -> Vec<(CommandRef, u32)> {
    let mut ways: BTreeMap<CommandRef, Option<u32>> = BTreeMap::new();
    let mut order = Vec::new();
    for (at, way) in guards(recording) {
        let body = program.function(at.function).body.as_ref();
        let branches =
            body.is_some_and(|it| matches!(it.block(at.block).terminator.kind, TerminatorKind::Branch { .. }));
        if !branches {
            continue;
        }
        ways.entry(at).and_modify(|it| *it = it.filter(|&old| old == way)).or_insert_with(|| {
            order.push(at);
            Some(way)
        });
    }
    order.into_iter().filter_map(|at| Some((at, ways[&at]?))).collect()
}

fn guards(recording: &Recording) -> impl Iterator<Item = (CommandRef, u32)> {
    recording.entries.iter().filter_map(|entry| match entry {
        Entry::Step(step) => match step.effect {
            Effect::Guard(way) => Some((step.at, way)),
            _ => None,
        },
        Entry::Changed(_) => None,
    })
}

/// Branches of a run after which another failing run goes the other way, having gone the same way up to there: by
/// the command, and how often it was met before. Leaving the trace there does not avoid the failure.
pub fn divergence(run: &Recording, other: &Recording) -> Option<(CommandRef, usize)> {
    let mut met: BTreeMap<CommandRef, usize> = BTreeMap::new();
    for (one, another) in guards(run).zip(guards(other)) {
        if one != another {
            return (one.0 == another.0).then(|| (one.0, met.get(&one.0).copied().unwrap_or(0)));
        }
        *met.entry(one.0).or_default() += 1;
    }
    None
}

fn takes(recording: &Recording, at: CommandRef, way: u32) -> bool {
    guards(recording).any(|it| it == (at, way))
}

/// The program in which no execution that goes this way counts.
fn close(program: &Program, at: CommandRef, way: u32) -> Option<Program> {
    let mut closed = program.clone();
    let body = closed.functions[at.function.index()].body.as_mut()?;
    let end = BlockId(body.blocks.len() as u32);
    let never = body.add_expr(ExprKind::Constant(0), Type::BOOL, Site::NONE);
    let commands = vec![Command { kind: CommandKind::Assume(never), site: Site::NONE }];
    let terminator = Terminator { kind: TerminatorKind::Unreachable, site: Site::NONE };
    body.blocks.push(Block { name: "closed".to_owned(), commands, terminator });
    match &mut body.blocks[at.block.index()].terminator.kind {
        TerminatorKind::Branch { then, otherwise, .. } => *(if way == 0 { then } else { otherwise }) = end,
        _ => return None,
    }
    Some(closed)
}
