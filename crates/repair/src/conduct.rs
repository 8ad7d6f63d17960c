//! How much of what a program does is left by a patch.
//!
//! Some inputs and a patched program → [`Conduct`]. A patch that makes a loop do nothing also avoids what failed in it;
//! it passes every check, and is not meant. So the patched program is run on the inputs that failed and on inputs near
//! them that did not, and compared with what the original did there, line by line:
//!
//! - *the failing run*: of each line, how many of its visits are left, on average over the lines; and of the failing
//!   line by itself, whether it is still reached, because what is not reached any more cannot fail.
//! - *passing runs*: the square of the visits that both have in common of those that one of them has, on average over
//!   the runs; half of it where the output or the exit status is another. Inputs that nothing is wrong with should see
//!   no change.
//!
//! Inputs near by on which the original fails in the same way must pass as well, and no passing one may fail: a patch that
//! does not manage that needs no model checker.
//!
//! The idea is that of Xiong et al., *Identifying Patch Correctness in Test-Based Program Repair* (ICSE 2018): a right
//! patch changes passing runs little. They compare whole sequences of statements; visits of lines are enough to see
//! what is skipped, and cost nothing. All limits are counted in steps, so that the result is the same each time.
//!
//! Not here: what is allowed to fail, and what a patch looks like.

use std::collections::BTreeMap;

use program::exec::{
    Captured, Checks, CommandRef, Consumed, Executor, Exhausted, Inputs, Limits, NondetValue, Observer, Outcome, Run,
    Step, ViolationKind,
};
use program::{BlockId, FunctionId, Program, Site};
use source::FileId;

/// Passing runs that are compared, other failing ones that must pass, and inputs that are tried to find them.
const PASSING: usize = 24;
const FAILING: usize = 12;
const TRIES: u64 = 300;
/// Steps of one such run, and of all of them.
const STEPS: u64 = 50_000;
const ALL_STEPS: u64 = 3_000_000;
/// What is left of a patch's conduct if the failing line, which was passed before, is not reached any more; and if
/// the run failed when it got there first.
const NEVER_REACHED: f64 = 0.15;
const NOT_REACHED: f64 = 0.6;
/// What is left of a passing run whose output or status is another.
const OTHER_OUTPUT: f64 = 0.5;

/// A line of the original's source.
pub type Line = (FileId, u32);

/// How often a run comes to each line.
type Visits = BTreeMap<Line, u64>;

/// How alike a patched program and its original are, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conduct {
    pub failing: f64,
    /// The mean of so many passing runs; 1 if there is none.
    pub passing: f64,
    pub runs: usize,
}

impl Conduct {
    pub fn value(self) -> f64 {
        self.failing * self.passing
    }
}

/// A run that passes, and what it did.
#[derive(Clone, Debug)]
struct Passing {
    inputs: Inputs,
    steps: u64,
    seen: Seen,
}

/// What can be seen of a run.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    visits: Visits,
    status: Option<i32>,
    output: Vec<u8>,
}

/// What the original does.
#[derive(Clone, Debug)]
pub struct Original {
    failing: Visits,
    /// Where it failed, and how often it came through there before.
    failed: Option<(Line, u64)>,
    passing: Vec<Passing>,
    /// Other inputs that fail in the same way.
    others: Vec<Inputs>,
}

impl Original {
    /// Runs a program on inputs that fail, and on some near them.
    pub fn of(program: &Program, checks: Checks, inputs: &Inputs, limits: &Limits) -> Original {
        let lines = Lines::of(program, &|file, line| Some((file, line)));
        let executor = Executor::new(program, checks);
        let (run, seen, last) = watch(&executor, inputs, limits, &lines);
        let mut failing = seen.visits;
        let place = run.violation().and_then(|violation| program.place(violation.site));
        let failed = place.map(|place| {
            let line = (place.file, place.position.line);
            let before = failing.remove(&line).unwrap_or(0);
            (line, before.saturating_sub(u64::from(last == Some(line))))
        });
        let mut original = Original { failing, failed, passing: Vec::new(), others: Vec::new() };
        let failure = run.violation().map(|it| (it.kind, it.site));
        original.look_around(&executor, inputs, limits, &lines, failure);
        original
    }

    fn look_around(
        &mut self,
        executor: &Executor<'_>,
        inputs: &Inputs,
        limits: &Limits,
        lines: &Lines,
        failure: Option<(ViolationKind, Site)>,
    ) {
        let limits = Limits { steps: STEPS, ..limits.clone() };
        let mut steps = 0;
        for near in near(inputs) {
            let (run, seen, _) = watch(executor, &near, &limits, lines);
            steps += run.steps;
            let nondet = run.consumed.iter().map(Consumed::replay).collect();
            let again = Inputs { nondet, exhausted: Exhausted::Zero, ..near };
            let fails_so = run.violation().map(|it| (it.kind, it.site)) == failure;
            if matches!(run.outcome, Outcome::Exited(_)) && !self.passing.iter().any(|it| it.seen == seen) {
                if self.passing.len() < PASSING {
                    self.passing.push(Passing { inputs: again, steps: run.steps, seen });
                }
            } else if run.violation().is_some() && fails_so && self.others.len() < FAILING {
                self.others.push(Inputs { exhausted: Exhausted::Stop, ..again });
            }
            if self.passing.len() >= PASSING && self.others.len() >= FAILING || steps >= ALL_STEPS {
                break;
            }
        }
    }

    /// Compares a patched program; `line_of` says which line of the original a line of it is. Nothing if it fails on
    /// other inputs.
    pub fn compare(
        &self,
        patched: &Program,
        checks: Checks,
        failing: &Inputs,
        limits: &Limits,
        line_of: &dyn Fn(FileId, u32) -> Option<Line>,
    ) -> Option<Conduct> {
        let lines = Lines::of(patched, line_of);
        let executor = Executor::new(patched, checks);
        let (_, seen, _) = watch(&executor, failing, limits, &lines);
        let kept = self.kept(&seen.visits);
        let mut sum = 0.0;
        for passing in &self.passing {
            let limits = Limits { steps: 2 * passing.steps + 1000, ..limits.clone() };
            let (run, seen, _) = watch(&executor, &passing.inputs, &limits, &lines);
            if run.violation().is_some() {
                return None;
            }
            sum += likeness(&passing.seen, &seen);
        }
        let limits = Limits { steps: 2 * STEPS, ..limits.clone() };
        let fails = |inputs: &Inputs| watch(&executor, inputs, &limits, &lines).0.violation().is_some();
        if self.others.iter().any(fails) {
            return None;
        }
        let runs = self.passing.len();
        Some(Conduct { failing: kept, passing: if runs == 0 { 1.0 } else { sum / runs as f64 }, runs })
    }

    /// How often the failing run came to the line that it visited most: more than its loops went back.
    pub fn rounds(&self) -> u64 {
        self.failing.values().copied().max().unwrap_or(0)
    }

    fn kept(&self, visits: &Visits) -> f64 {
        let left = |line: &Line, before: u64| {
            let now = visits.get(line).copied().unwrap_or(0);
            now.min(before) as f64 / before as f64
        };
        let sum: f64 = self.failing.iter().map(|(line, &before)| left(line, before)).sum();
        let lines = self.failing.len();
        let mean = if lines == 0 { 1.0 } else { sum / lines as f64 };
        let reached = match &self.failed {
            None => 1.0,
            Some((line, _)) if visits.contains_key(line) => 1.0,
            Some((_, 0)) => NOT_REACHED,
            Some(_) => NEVER_REACHED,
        };
        mean * reached
    }
}

fn likeness(before: &Seen, after: &Seen) -> f64 {
    let (mut common, mut all) = (0, 0);
    for (line, &count) in &before.visits {
        let other = after.visits.get(line).copied().unwrap_or(0);
        common += count.min(other);
        all += count.max(other);
    }
    all +=
        after.visits.iter().filter(|(line, _)| !before.visits.contains_key(line)).map(|(_, count)| count).sum::<u64>();
    let same = before.output == after.output && before.status == after.status;
    let likeness = if all == 0 { 1.0 } else { common as f64 / all as f64 };
    likeness * likeness * if same { 1.0 } else { OTHER_OUTPUT }
}

/// Inputs near given ones: with an argument less, with an open value changed, and with other open values throughout.
fn near(inputs: &Inputs) -> impl Iterator<Item = Inputs> {
    let shorter = (1..inputs.arguments.len()).map(|dropped| {
        let mut near = inputs.clone();
        near.arguments.remove(dropped);
        near.exhausted = Exhausted::Zero;
        near
    });
    let is_open = !inputs.nondet.is_empty();
    let changed = (0..if is_open { TRIES } else { 0 }).map(|seed| {
        let mut near = Inputs { exhausted: Exhausted::Random { seed }, ..inputs.clone() };
        let position = (seed / 4) as usize % near.nondet.len();
        match seed % 4 {
            0 => near.nondet.clear(),
            1 => near.nondet.truncate(position),
            2 => near.nondet[position] = small(&near.nondet[position], u128::from(seed / 4) % 16),
            _ => {
                let bits = near.nondet[position].bits.wrapping_sub(u128::from(seed / 4 % 3) + 1);
                near.nondet[position] = small(&near.nondet[position], bits);
            }
        }
        near
    });
    shorter.collect::<Vec<_>>().into_iter().chain(changed.collect::<Vec<_>>())
}

fn small(value: &NondetValue, bits: u128) -> NondetValue {
    NondetValue { source: value.source.clone(), bits }
}

/// The lines of a program's commands.
struct Lines {
    /// By function, block and index, a block's terminator last.
    functions: Vec<Vec<Vec<Option<Line>>>>,
}

impl Lines {
    fn of(program: &Program, line_of: &dyn Fn(FileId, u32) -> Option<Line>) -> Lines {
        let line = |site| {
            let place = program.place(site)?;
            line_of(place.file, place.position.line)
        };
        let block = |block: &program::Block| {
            let commands = block.commands.iter().map(|command| line(command.site));
            commands.chain([line(block.terminator.site)]).collect()
        };
        let functions = program.functions.iter().map(|function| {
            let blocks = function.body.as_ref().map(|body| body.blocks.iter().map(block).collect());
            blocks.unwrap_or_default()
        });
        Lines { functions: functions.collect() }
    }

    fn at(&self, at: CommandRef) -> Option<Line> {
        let (FunctionId(function), BlockId(block)) = (at.function, at.block);
        *self.functions.get(function as usize)?.get(block as usize)?.get(at.index as usize)?
    }
}

/// Counts how often a run comes to a line from another one.
struct Counter<'l> {
    lines: &'l Lines,
    last: Option<Line>,
    visits: Visits,
}

impl Observer for Counter<'_> {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        let line = self.lines.at(step.at);
        if let Some(here) = line.filter(|_| line != self.last) {
            self.last = line;
            *self.visits.entry(here).or_default() += 1;
        }
    }
}

fn watch(executor: &Executor<'_>, inputs: &Inputs, limits: &Limits, lines: &Lines) -> (Run, Seen, Option<Line>) {
    let mut counter = Counter { lines, last: None, visits: Visits::new() };
    let mut output = Captured::default();
    let run = executor.run(inputs, limits, &mut output, &mut counter);
    let mut written = output.standard;
    written.extend(output.error);
    let seen = Seen { visits: counter.visits, status: run.exit_status(), output: written };
    (run, seen, counter.last)
}
