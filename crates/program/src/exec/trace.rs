//! Recording a run: the exact sequence of its steps, with their effects, in little space.
//!
//! [`TraceRecorder`] is an observer; [`Trace::steps`] gives back what it saw. A step takes a byte when
//! it follows the one before in its block, and a few more for a jump and for its values: about 3 to
//! 5 bytes in all. Addresses are stored as differences. When the bound is reached, later steps are
//! dropped and the trace says so: what it has is a prefix of the run.

use super::memory::Address;
use super::observe::{Effect, Observer, Step};
use super::violation::CommandRef;
use crate::{BlockId, FunctionId};

/// Bytes that a recorder takes unless it is told otherwise.
pub const DEFAULT_BOUND: usize = 256 << 20;

const EFFECT: u8 = 0b0000_0111;
/// The next command of the same block, at the same depth.
const FOLLOWS: u8 = 0b0000_1000;
const SAME_DEPTH: u8 = 0b0001_0000;
const SAME_FUNCTION: u8 = 0b0010_0000;

/// Records the steps of one run.
#[derive(Clone, Debug)]
pub struct TraceRecorder {
    trace: Trace,
    bound: usize,
    state: State,
}

/// The steps of one run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    bytes: Vec<u8>,
    count: u64,
    truncated: bool,
}

/// What the next step is stored relative to.
#[derive(Clone, Copy, Debug)]
struct State {
    at: CommandRef,
    depth: u32,
    address: u64,
}

const START: State =
    State { at: CommandRef { function: FunctionId(0), block: BlockId(0), index: u32::MAX }, depth: 0, address: 0 };

impl Default for TraceRecorder {
    fn default() -> TraceRecorder {
        TraceRecorder::bounded(DEFAULT_BOUND)
    }
}

impl TraceRecorder {
    /// Takes at most about this many bytes.
    pub fn bounded(bound: usize) -> TraceRecorder {
        TraceRecorder { trace: Trace::default(), bound, state: START }
    }

    pub fn finish(self) -> Trace {
        self.trace
    }

    fn place(&mut self, step: &Step, effect: u8) {
        let State { at, depth, .. } = self.state;
        let bytes = &mut self.trace.bytes;
        let follows = step.depth == depth
            && (step.at.function, step.at.block) == (at.function, at.block)
            && step.at.index == at.index.wrapping_add(1);
        if follows {
            bytes.push(effect | FOLLOWS);
            return;
        }
        let same_depth = step.depth == depth;
        let same_function = step.at.function == at.function;
        let depth_flag = if same_depth { SAME_DEPTH } else { 0 };
        let function_flag = if same_function { SAME_FUNCTION } else { 0 };
        bytes.push(effect | depth_flag | function_flag);
        if !same_depth {
            write_signed(bytes, i64::from(step.depth) - i64::from(depth));
        }
        if same_function {
            write_signed(bytes, i64::from(step.at.block.0) - i64::from(at.block.0));
        } else {
            write(bytes, u128::from(step.at.function.0));
            write(bytes, u128::from(step.at.block.0));
        }
        write(bytes, u128::from(step.at.index));
    }

    fn address(&mut self, address: Address) {
        write_signed(&mut self.trace.bytes, address.0.wrapping_sub(self.state.address) as i64);
        self.state.address = address.0;
    }
}

impl Observer for TraceRecorder {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        if self.trace.bytes.len() >= self.bound {
            self.trace.truncated = true;
            return;
        }
        let (tag, value) = match step.effect {
            Effect::None => (0, None),
            Effect::Assigned(value) => (1, Some(value)),
            Effect::Stored { value, .. } => (2, Some(value)),
            Effect::Wrote { length, .. } => (3, Some(u128::from(length))),
            Effect::Guard(way) => (4, Some(u128::from(way))),
            Effect::Called => (5, None),
            Effect::Returned(value) => (6, Some(value)),
        };
        self.place(&step, tag);
        if let Effect::Stored { address, .. } | Effect::Wrote { address, .. } = step.effect {
            self.address(address);
        }
        if let Some(value) = value {
            write(&mut self.trace.bytes, value);
        }
        self.state.at = step.at;
        self.state.depth = step.depth;
        self.trace.count += 1;
    }
}

impl Trace {
    pub fn steps(&self) -> Steps<'_> {
        Steps { bytes: &self.bytes, state: START }
    }

    /// How many steps were recorded.
    pub fn len(&self) -> u64 {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The bound was reached: the end of the run is missing.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// Iterates over recorded steps, the first one first.
#[derive(Clone, Debug)]
pub struct Steps<'t> {
    bytes: &'t [u8],
    state: State,
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let header = self.byte()?;
        self.place(header)?;
        let address = match header & EFFECT {
            2 | 3 => self.address()?,
            _ => Address::NULL,
        };
        let effect = match header & EFFECT {
            1 => Effect::Assigned(self.number()?),
            2 => Effect::Stored { address, value: self.number()? },
            3 => Effect::Wrote { address, length: self.number()? as u64 },
            4 => Effect::Guard(self.number()? as u32),
            5 => Effect::Called,
            6 => Effect::Returned(self.number()?),
            _ => Effect::None,
        };
        Some(Step { at: self.state.at, depth: self.state.depth, effect })
    }
}

impl Steps<'_> {
    fn place(&mut self, header: u8) -> Option<()> {
        if header & FOLLOWS != 0 {
            self.state.at.index = self.state.at.index.wrapping_add(1);
            return Some(());
        }
        if header & SAME_DEPTH == 0 {
            self.state.depth = (i64::from(self.state.depth) + self.signed()?) as u32;
        }
        if header & SAME_FUNCTION != 0 {
            let block = i64::from(self.state.at.block.0) + self.signed()?;
            self.state.at.block = BlockId(block as u32);
        } else {
            self.state.at.function = FunctionId(self.number()? as u32);
            self.state.at.block = BlockId(self.number()? as u32);
        }
        self.state.at.index = self.number()? as u32;
        Some(())
    }

    fn address(&mut self) -> Option<Address> {
        self.state.address = self.state.address.wrapping_add(self.signed()? as u64);
        Some(Address(self.state.address))
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u128> {
        let mut number = 0;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn signed(&mut self) -> Option<i64> {
        let folded = self.number()? as u64;
        Some((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }
}

/// Seven bits a byte, the low ones first.
fn write(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Small numbers of either sign become small numbers.
fn write_signed(bytes: &mut Vec<u8>, number: i64) {
    write(bytes, u128::from((number << 1 ^ number >> 63) as u64));
}
