//! What library models see of a run: the [`Host`].
//!
//! A model is a function `fn(&mut Host<'_>, &Arguments) -> Result<Returned, Stop>`. It reads its
//! arguments, works on the [`World`] (memory, streams, inputs, notes), may call back into the
//! program, and returns its result or the reason why the run ends. A [`MemoryFault`] ends it as a
//! violation, so `?` is all that a model needs for the checks of its accesses.
//!
//! The library module answers three questions: `find` a model by name; `initialize_global`, for
//! objects such as `stdout` that no unit defines; and `finish`, when `main` has returned.
//!
//! Not here: `setjmp` and `longjmp`, which are the machine's own, and the machine itself.

use super::inputs::{NoValue, Nondet};
use super::libc;
use super::memory::{Address, Memory, MemoryFault, ObjectKind, OutOfMemory};
use super::outcome::{LimitKind, Limits, Note};
use super::violation::{Fault, ViolationKind};
use crate::{Site, Type, UnsupportedId};

/// A library function.
pub type Model = fn(&mut Host<'_>, &Arguments) -> Result<Returned, Stop>;

/// Why a run ends inside a call.
#[derive(Debug)]
pub enum Stop {
    Violation(Box<Fault>),
    Exit(i32),
    Abort,
    /// An assumption does not hold.
    Assumption,
    Limit(LimitKind),
    /// Something that the model does not do.
    Unsupported(String),
    /// A construct without a meaning was reached.
    Construct(UnsupportedId),
    /// More values were asked for than were given.
    InputExhausted,
    /// On its way to the frame that called `setjmp`.
    Jump(Jump),
}

/// A `longjmp` under way.
#[derive(Debug)]
pub struct Jump {
    /// The number that `setjmp` wrote into the buffer.
    pub mark: u64,
    pub value: i32,
}

impl Stop {
    pub fn violation(kind: ViolationKind, message: impl Into<String>) -> Stop {
        Stop::Violation(Fault::message(kind, message))
    }
}

impl From<Box<MemoryFault>> for Stop {
    fn from(fault: Box<MemoryFault>) -> Stop {
        Stop::Violation(fault.into())
    }
}

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Stop {
        Stop::Violation(fault)
    }
}

impl From<OutOfMemory> for Stop {
    /// For what must not fail. `malloc` returns null instead.
    fn from(_: OutOfMemory) -> Stop {
        Stop::Limit(LimitKind::Memory)
    }
}

impl From<NoValue> for Stop {
    fn from(why: NoValue) -> Stop {
        match why {
            NoValue::NoneLeft => Stop::InputExhausted,
            NoValue::NoMemory => Stop::Limit(LimitKind::Values),
        }
    }
}

/// The state of a run that is not the machine's own.
#[derive(Debug)]
pub struct World {
    pub memory: Memory,
    /// Streams, files, the random generator, `errno`: what the library keeps.
    pub library: libc::State,
    pub nondet: Nondet,
    /// The call that is being executed.
    pub site: Site,
    /// Steps so far: the only clock there is.
    pub steps: u64,
    pub limits: Limits,
    pub notes: Vec<Note>,
    /// Bytes written to the output so far.
    pub output_bytes: u64,
}

impl World {
    /// Remembers a note once.
    pub fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Where a program's output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    Standard,
    Error,
}

/// Takes what the program prints.
pub trait Output {
    fn write(&mut self, stream: OutputStream, bytes: &[u8]);
}

/// Takes it and forgets it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Output for Discard {
    fn write(&mut self, _: OutputStream, _: &[u8]) {}
}

/// Keeps both streams apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    pub standard: Vec<u8>,
    pub error: Vec<u8>,
}

impl Output for Captured {
    fn write(&mut self, stream: OutputStream, bytes: &[u8]) {
        match stream {
            OutputStream::Standard => self.standard.extend_from_slice(bytes),
            OutputStream::Error => self.error.extend_from_slice(bytes),
        }
    }
}

/// Runs functions of the program for a model.
pub(super) trait Engine {
    fn call_back(
        &mut self,
        world: &mut World,
        output: &mut dyn Output,
        function: Address,
        arguments: &[u64],
    ) -> Result<u64, Stop>;
}

/// A run as a library model sees it.
pub struct Host<'a> {
    pub world: &'a mut World,
    pub(super) output: &'a mut dyn Output,
    pub(super) engine: &'a mut dyn Engine,
}

impl Host<'_> {
    /// Calls a function of the program with integers and pointers, and returns what it returns.
    pub fn call_back(&mut self, function: Address, arguments: &[u64]) -> Result<u64, Stop> {
        let site = self.world.site;
        let result = self.engine.call_back(self.world, self.output, function, arguments);
        self.world.site = site;
        result
    }

    /// Prints.
    pub fn write(&mut self, stream: OutputStream, bytes: &[u8]) -> Result<(), Stop> {
        self.world.output_bytes += bytes.len() as u64;
        if self.world.output_bytes > self.world.limits.output {
            return Err(Stop::Limit(LimitKind::Output));
        }
        self.output.write(stream, bytes);
        Ok(())
    }

    pub fn memory(&mut self) -> &mut Memory {
        &mut self.world.memory
    }

    /// A heap object as `malloc` makes it; null when the memory limit is reached.
    pub fn malloc(&mut self, size: u64) -> Address {
        let site = self.world.site;
        self.world.memory.allocate_open(ObjectKind::Heap, size, site).unwrap_or(Address::NULL)
    }

    /// A value that the program leaves open.
    pub fn nondet(&mut self, source: &str, ty: Type) -> Result<u128, Stop> {
        let site = self.world.site;
        Ok(self.world.nondet.next(source, ty, site)?)
    }
}

/// An argument of a call: a scalar, or the callee's own copy of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentValue {
    /// The scalar, or the copy's address.
    pub bits: u128,
    pub ty: Type,
    /// The bits of it that were written: not all of them for a struct on the move.
    pub written: u128,
    /// Size and alignment of the copied object.
    pub copied: Option<(u64, u32)>,
}

impl ArgumentValue {
    pub fn scalar(bits: u128, ty: Type) -> ArgumentValue {
        ArgumentValue { bits: bits & ty.mask(), ty, written: u128::MAX, copied: None }
    }
}

/// The arguments of a call, named and unnamed alike. What was not passed reads as zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    pub values: Vec<ArgumentValue>,
}

impl Arguments {
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn ty(&self, index: usize) -> Option<Type> {
        self.values.get(index).map(|value| value.ty)
    }

    pub fn bits(&self, index: usize) -> u128 {
        self.values.get(index).map_or(0, |value| value.bits)
    }

    /// An integer or pointer, zero-extended.
    pub fn int(&self, index: usize) -> u64 {
        self.bits(index) as u64
    }

    /// An integer, sign-extended from its own width.
    pub fn signed(&self, index: usize) -> i64 {
        let Some(value) = self.values.get(index) else { return 0 };
        let unused = 128 - value.ty.bits();
        ((value.bits << unused) as i128 >> unused) as i64
    }

    pub fn pointer(&self, index: usize) -> Address {
        Address(self.int(index))
    }

    pub fn double(&self, index: usize) -> f64 {
        f64::from_bits(self.int(index))
    }

    pub fn float(&self, index: usize) -> f32 {
        f32::from_bits(self.int(index) as u32)
    }
}

/// What a model returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    Nothing,
    /// Cut to the width of the function's type.
    Bits(u64),
    /// A 128-bit integer, or the 80 bits of a `long double`.
    Wide(u128),
    /// Two scalars: a small struct.
    Pair(u64, u64),
}

impl Returned {
    pub fn signed(value: i64) -> Returned {
        Returned::Bits(value as u64)
    }

    pub fn double(value: f64) -> Returned {
        Returned::Bits(value.to_bits())
    }

    pub fn float(value: f32) -> Returned {
        Returned::Bits(u64::from(value.to_bits()))
    }

    pub fn pointer(address: Address) -> Returned {
        Returned::Bits(address.0)
    }
}
