//! Verifies a function against its contract: for all inputs with arrays of up to some elements.
//!
//! Text of the file → [`Verified`]. The driver is compiled with the text; for each *shape*, that is, values of the
//! scalars on which lengths depend, the program is model checked with all other inputs open. Shapes go from small to
//! large until the time is up; the answer says up to which length all were proved. With sizes fixed, loops
//! over arrays end by themselves, so that within a size the answer is a proof.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use program::exec::{Checks, Discard, Executor, Inputs, Limits, NondetValue, Outcome, Unobserved};
use program::{CommandKind, ExprKind, Program, Site};
use verify::bmc::{self, Verdict};

use crate::cases::{self, Bits, Case};
use crate::driver::{Driver, INPUT, Purpose, ROW, Slot};
use crate::error::Error;
use crate::instrument::assertions;
use crate::subject::{Subject, edited};

/// Loops that no size bounds are followed so far.
const BOUND: u32 = 64;
/// Shapes that are looked at.
const MOST_SHAPES: usize = 600;

/// Values of the scalars that lengths depend on, and the lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub fixed: Vec<(String, i64)>,
    /// Elements of each array.
    pub lengths: Vec<usize>,
    /// In how many rows they are; none of a plain array.
    pub rows: Vec<usize>,
}

impl Shape {
    fn size(&self) -> usize {
        let longest = |(length, rows): (&usize, &usize)| length.checked_div(*rows).map_or(*length, |it| it.max(*rows));
        self.lengths.iter().zip(&self.rows).map(longest).max().unwrap_or(0)
    }
}

/// What is known about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verified {
    /// For all inputs; where lengths are open (`arrays`), with arrays of up to `size` elements. `complete` if no size
    /// that was asked for is left.
    Proved {
        size: usize,
        arrays: bool,
        complete: bool,
    },
    /// The same while no loop goes back more than so often.
    Bounded {
        size: usize,
        bound: u32,
    },
    Fails(Box<Case>),
    Unknown(String),
}

pub struct Verifier<'s> {
    subject: &'s Subject,
    pub driver: Driver,
    pub shapes: Vec<Shape>,
    checks: Checks,
    interrupt: Option<Arc<AtomicBool>>,
    largest: usize,
}

impl<'s> Verifier<'s> {
    /// Finds the shapes, by running the driver with the text as it is.
    pub fn new(
        subject: &'s Subject,
        size: u32,
        checks: Checks,
        interrupt: Option<Arc<AtomicBool>>,
    ) -> Result<Verifier<'s>, Error> {
        let driver = Driver::new(subject, Purpose::Verification { size })?;
        let mut verifier = Verifier { subject, driver, shapes: Vec::new(), checks, interrupt, largest: size as usize };
        let program = verifier.compile(&[])?;
        verifier.shapes = verifier.find_shapes(&program, i64::from(size));
        match verifier.shapes.is_empty() {
            true => Err(Error::NoInputs { function: subject.function.name.clone(), size }),
            false => Ok(verifier),
        }
    }

    /// Elements of the largest arrays.
    pub fn size(&self) -> u32 {
        self.largest as u32
    }

    /// The text with changes, assertions and the driver.
    pub fn compile(&self, changes: &[(std::ops::Range<usize>, String)]) -> Result<Program, Error> {
        let mut edits = assertions(self.subject)?;
        edits.extend(changes.iter().cloned());
        let text = edited(self.subject.text(), &edits) + &self.driver.text;
        let folder = tempfile::tempdir()?;
        let reading = self.subject.placed(&text, folder.path())?;
        Ok(frontend::read(&reading)?)
    }

    fn find_shapes(&self, program: &Program, size: i64) -> Vec<Shape> {
        let names: Vec<String> = self.driver.slots.iter().filter(|it| it.is_shape).map(Slot::symbol).collect();
        let values: Vec<i64> = (-1..=size + 1).collect();
        let total = values.len().pow(names.len() as u32).min(MOST_SHAPES);
        let executor = Executor::new(program, self.checks);
        let mut shapes = Vec::new();
        for number in 0..total {
            let mut rest = number;
            let mut fixed = Vec::new();
            for name in &names {
                fixed.push((name.clone(), values[rest % values.len()]));
                rest /= values.len();
            }
            shapes.extend(self.lengths(program, &executor, fixed));
        }
        shapes.sort_by_key(|it| (it.size(), it.lengths.iter().sum::<usize>(), it.fixed.clone()));
        shapes
    }

    /// A shape with its lengths, unless it is not allowed.
    fn lengths(&self, program: &Program, executor: &Executor<'_>, fixed: Vec<(String, i64)>) -> Option<Shape> {
        let value = |name: &str| fixed.iter().find(|it| it.0 == name).map_or(0, |it| it.1 as i128 as Bits);
        let scalars = self.driver.slots.iter().filter(|it| !it.is_array);
        let nondet = scalars.map(|it| NondetValue { source: None, bits: value(&it.symbol()) }).collect();
        let inputs = Inputs { nondet, ..Inputs::default() };
        let limits = Limits { steps: 1_000_000, depth: 10_000, ..Limits::default() };
        let run = executor.run(&inputs, &limits, &mut Discard, &mut Unobserved);
        if let Outcome::AssumptionFailed { site, .. } = run.outcome {
            let lines_before = self.subject.text().matches('\n').count();
            let line = program.place(site).map_or(0, |it| it.position.line as usize);
            if line <= lines_before + self.driver.sized_at {
                return None;
            }
        }
        let count = |name: &str| run.consumed.iter().filter(|it| it.source.strip_prefix(INPUT) == Some(name)).count();
        let arrays: Vec<String> = self.driver.slots.iter().filter(|it| it.is_array).map(Slot::symbol).collect();
        let rows: Vec<usize> = arrays.iter().map(|it| count(&format!("{it}{ROW}"))).collect();
        let lengths = arrays.iter().zip(&rows).map(|(it, rows)| count(it) + rows).collect();
        Some(Shape { fixed, lengths, rows })
    }

    /// Verifies the text with changes.
    pub fn verify(&self, changes: &[(std::ops::Range<usize>, String)], time: Duration) -> Verified {
        let program = match self.compile(changes) {
            Ok(program) => program,
            Err(error) => return Verified::Unknown(error.to_string()),
        };
        let deadline = Instant::now() + time;
        let arrays = self.driver.slots.iter().any(|it| it.is_shape);
        let (mut proved, mut bound) = (None, None);
        let done = |proved: Option<usize>, bound: Option<u32>, complete: bool| match (proved, bound) {
            (None, _) => Verified::Unknown("the time is up".to_owned()),
            (Some(size), Some(bound)) => Verified::Bounded { size, bound },
            (Some(size), None) => Verified::Proved { size, arrays, complete },
        };
        let mut position = 0;
        while position < self.shapes.len() {
            let size = self.shapes[position].size();
            while let Some(shape) = self.shapes.get(position).filter(|it| it.size() == size) {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return done(proved, bound, false);
                }
                let report = bmc::check(&fixed(&program, shape), &self.options(left));
                match report.verdict {
                    Verdict::Proved => {}
                    Verdict::Bounded(reached) => bound = Some(bound.unwrap_or(reached).min(reached)),
                    Verdict::Violated => {
                        let Some(failure) = report.failures.first() else { continue };
                        let origin = "found by the model checker".to_owned();
                        let case = cases::of_consumed(&self.driver.slots, &shape.fixed, &failure.inputs, origin);
                        return Verified::Fails(Box::new(case));
                    }
                    Verdict::Unknown(_) if Instant::now() >= deadline => return done(proved, bound, false),
                    Verdict::Unknown(why) => return Verified::Unknown(why),
                }
                position += 1;
            }
            proved = Some(size);
        }
        done(proved.map(|_| self.largest), bound, true)
    }

    fn options(&self, time: Duration) -> bmc::Options {
        bmc::Options {
            checks: self.checks,
            max_bound: BOUND,
            time: Some(time),
            interrupt: self.interrupt.clone(),
            ..bmc::Options::default()
        }
    }
}

/// The program with the shape's values in the place of inputs.
pub fn fixed(program: &Program, shape: &Shape) -> Program {
    let mut program = program.clone();
    let Some(main) = program.find_function("main") else { return program };
    let Some(body) = program.functions[main.index()].body.as_mut() else { return program };
    for block in 0..body.blocks.len() {
        for index in 0..body.blocks[block].commands.len() {
            let CommandKind::Havoc { target, source } = &body.blocks[block].commands[index].kind else { continue };
            let named = |it: &&(String, i64)| source.strip_prefix(INPUT) == Some(it.0.as_str());
            let Some((_, value)) = shape.fixed.iter().find(named) else { continue };
            let (target, ty) = (*target, body.variable(*target).ty);
            let bits = *value as i128 as Bits & ty.mask();
            let value = body.add_expr(ExprKind::Constant(bits), ty, Site::NONE);
            body.blocks[block].commands[index].kind = CommandKind::Assign { target, value };
        }
    }
    program
}
