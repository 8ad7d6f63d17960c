//! The machine: frames and registers, and everything that its operations need.
//!
//! [`Machine::start`] runs `main`. The loop over operations is in [`dispatch`], calls and returns in
//! [`calls`], the operations that look up their expression or command in [`general`], non-local jumps
//! in [`jumps`], and how faults become violations in [`report`].
//!
//! What holds: the frames are a plain stack, so nothing here recurses except a library model that
//! calls back; every object of a frame ends with the frame; `steps` is exact between operations of
//! different blocks, and inside a block the origin of the current operation says the rest.

mod calls;
mod dispatch;
mod general;
mod jumps;
mod report;

use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::bytecode::{CallSite, Code, Slot, slots_of};
use super::compile::{Context, compile};
use super::host::{ArgumentValue, Engine, Host, Model, Output, Stop, World};
use super::libc;
use super::memory::{Address, ObjectId};
use super::observe::Observer;
use super::outcome::LimitKind;
use super::va_list::Areas;
use super::violation::CommandRef;
use crate::{FunctionId, Program, Site, Type};

/// Steps between two looks at the clock and the interrupt.
const PAUSE: u64 = 1 << 16;
/// Calls of library models between two such looks: one of them can take long.
const PAUSE_CALLS: u64 = 256;

/// A call under way.
struct Frame<'p> {
    code: &'p Code,
    /// The next operation.
    pc: u32,
    /// Its first register.
    base: usize,
    /// Objects beside its locals that end with it begin here in `owned`.
    owned: usize,
    /// Tells this frame from others at the same depth.
    serial: u64,
    /// How it was called, if results may have to be converted.
    call: Option<&'p CallSite>,
    areas: Option<Areas>,
}

/// A written-mask on its way to the frame at `depth`, or back from it.
struct PassedMask {
    depth: usize,
    position: u32,
    written: u128,
}

/// The functions' code, compiled when it is first needed. Runs can share it, also at the same time.
pub struct Library<'p> {
    pub context: Context<'p>,
    codes: Vec<OnceLock<Code>>,
    models: Vec<Option<Model>>,
}

impl<'p> Library<'p> {
    pub fn new(context: Context<'p>) -> Library<'p> {
        let functions = &context.program.functions;
        let codes = functions.iter().map(|_| OnceLock::new()).collect();
        let find = |function: &crate::Function| function.body.is_none().then(|| libc::find(&function.name)).flatten();
        let models = functions.iter().map(find).collect();
        Library { context, codes, models }
    }

    fn code(&self, function: FunctionId) -> &Code {
        self.codes[function.index()].get_or_init(|| compile(&self.context, function))
    }
}

pub struct Machine<'p, O> {
    library: &'p Library<'p>,
    program: &'p Program,
    observer: &'p mut O,
    frames: Vec<Frame<'p>>,
    registers: Vec<u64>,
    /// Computed-size objects, copied arguments, argument areas.
    owned: Vec<ObjectId>,
    arguments: Vec<PassedMask>,
    results: Vec<PassedMask>,
    jumps: Vec<jumps::JumpPoint>,
    next_mark: u64,
    next_serial: u64,
    stack_bytes: u64,
    external_calls: u64,
    steps: u64,
    /// When to look at limits next.
    check_at: u64,
    deadline: Option<Instant>,
    /// Where `main` returned.
    left: Option<(CommandRef, Site)>,
}

impl<'p, O: Observer> Machine<'p, O> {
    pub fn new(library: &'p Library<'p>, observer: &'p mut O, world: &World) -> Machine<'p, O> {
        Machine {
            library,
            program: library.context.program,
            observer,
            frames: Vec::new(),
            registers: Vec::new(),
            owned: Vec::new(),
            arguments: Vec::new(),
            results: Vec::new(),
            jumps: Vec::new(),
            next_mark: 1,
            next_serial: 1,
            stack_bytes: 0,
            external_calls: 0,
            steps: 0,
            check_at: PAUSE.min(world.limits.steps),
            deadline: world.limits.time.map(|time| Instant::now() + time),
            left: None,
        }
    }

    /// Runs a function to its end and what the library does at the end of a program.
    pub fn start(
        &mut self,
        world: &mut World,
        output: &mut dyn Output,
        main: FunctionId,
        arguments: Vec<ArgumentValue>,
    ) -> Result<i32, Stop> {
        let status = self.run_function(world, output, main, arguments)?;
        libc::finish(&mut Host { world, output, engine: self })?;
        Ok(status as i32)
    }

    /// Runs a function with a body and returns its first result.
    fn run_function(
        &mut self,
        world: &mut World,
        output: &mut dyn Output,
        function: FunctionId,
        arguments: Vec<ArgumentValue>,
    ) -> Result<u64, Stop> {
        let floor = self.frames.len();
        let mut registers = std::mem::take(&mut self.registers);
        let entered = self.enter_with(world, &mut registers, function, arguments, None);
        let result = entered.and_then(|()| self.dispatch(world, output, &mut registers, floor));
        let top = self.top();
        let value = registers.get(top).copied().unwrap_or(0);
        self.registers = registers;
        result?;
        let returns = &self.program.function(function).returns;
        Ok(returns.first().map_or(0, |ty| value & ty.mask() as u64))
    }

    /// Where the next frame begins.
    fn top(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.base + frame.code.temporaries as usize)
    }

    /// Steps, counting the started commands of all frames.
    pub fn steps(&self) -> u64 {
        let started = |frame: &Frame<'_>| {
            let origin = frame.code.origin(frame.pc.saturating_sub(1));
            u64::from(origin.before + origin.index + 1)
        };
        self.steps + self.frames.iter().map(started).sum::<u64>()
    }

    /// Looks at the limits that are not looked at on every step.
    #[cold]
    #[inline(never)]
    fn pause(&mut self, world: &World, steps: u64) -> Result<(), Stop> {
        self.steps = steps;
        if steps >= world.limits.steps {
            return Err(Stop::Limit(LimitKind::Steps));
        }
        if world.limits.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
            return Err(Stop::Limit(LimitKind::Interrupted));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Limit(LimitKind::Time));
        }
        self.check_at = (steps + PAUSE).min(world.limits.steps);
        Ok(())
    }
}

impl<O: Observer> Engine for Machine<'_, O> {
    fn call_back(
        &mut self,
        world: &mut World,
        output: &mut dyn Output,
        function: Address,
        arguments: &[u64],
    ) -> Result<u64, Stop> {
        let function = self.function_at(world, function)?;
        if O::ACTIVE {
            self.tell_between(world);
        }
        let parameters = &self.program.function(function).parameters;
        let ty = |position: usize| parameters.get(position).map_or(Type::I64, |parameter| parameter.ty);
        let values = arguments.iter().enumerate();
        let values = values.map(|(position, bits)| ArgumentValue::scalar(u128::from(*bits), ty(position))).collect();
        if self.program.function(function).body.is_some() {
            return self.run_function(world, output, function, values);
        }
        let returned = self.call_external(world, output, function, super::host::Arguments { values }, &[Type::I64])?;
        Ok(returned[0] as u64)
    }
}

/// A value of this type in registers.
fn read_value(registers: &[u64], slot: Slot, ty: Type) -> u128 {
    let low = u128::from(registers[slot.0 as usize]);
    if slots_of(ty) == 2 { low | u128::from(registers[slot.0 as usize + 1]) << 64 } else { low }
}

fn write_value(registers: &mut [u64], slot: Slot, ty: Type, bits: u128) {
    registers[slot.0 as usize] = bits as u64;
    if slots_of(ty) == 2 {
        registers[slot.0 as usize + 1] = (bits >> 64) as u64;
    }
}
