//! What a run is given: arguments, environment, files, and values for what the program leaves open.
//!
//! [`Inputs`] → [`Nondet`], which hands out the values in order and records them, so that a run can
//! be repeated exactly: the record of one run is the list for the next.

use std::collections::BTreeMap;

use crate::{Float, Site, Type};

/// Everything that a run can read.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// `argv`, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// `NAME=value` each.
    pub environment: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    /// Files that the program can open, by their path.
    pub files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Values for `Havoc`, in the order of the run.
    pub nondet: Vec<NondetValue>,
    /// What comes after the last of them.
    pub exhausted: Exhausted,
    /// What memory holds before it is written, in ascending order; zeros elsewhere. It counts only with the check
    /// for uninitialized memory off.
    pub unwritten: Vec<Unwritten>,
}

/// Bytes of an object that begins without any, such as a local array or what `malloc` returns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unwritten {
    /// The position of the object among all that begin so, from 0.
    pub object: u64,
    pub offset: u64,
    pub bytes: Vec<u8>,
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs {
            arguments: vec![b"program".to_vec()],
            environment: Vec::new(),
            stdin: Vec::new(),
            files: BTreeMap::new(),
            nondet: Vec::new(),
            exhausted: Exhausted::Zero,
            unwritten: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NondetValue {
    /// The C function that is to return it. A list may leave it out.
    pub source: Option<Box<str>>,
    /// Extra bits are cut off.
    pub bits: u128,
}

/// What happens when more values are asked for than were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    Zero,
    /// Half of the values uniformly distributed, the rest small numbers and the ends of the range.
    Random {
        seed: u64,
    },
    /// The run ends as [`Outcome::InputExhausted`](super::Outcome::InputExhausted).
    Stop,
}

/// A value that was handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumed {
    pub source: Box<str>,
    pub ty: Type,
    pub bits: u128,
    pub site: Site,
}

impl Consumed {
    /// As an input of another run.
    pub fn replay(&self) -> NondetValue {
        NondetValue { source: Some(self.source.clone()), bits: self.bits }
    }
}

/// The source of all values that the program leaves open.
#[derive(Debug)]
pub struct Nondet {
    given: std::vec::IntoIter<NondetValue>,
    exhausted: Exhausted,
    random: SplitMix,
    consumed: Vec<Consumed>,
    /// How many may be consumed.
    most: usize,
    mismatch: Option<Mismatch>,
}

/// Bytes of memory for a value that was handed out, with its name.
const EACH: u64 = 96;

/// The first value whose given name is not that of the function that asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub position: usize,
    pub expected: Box<str>,
    pub found: Box<str>,
}

/// Why there is no further value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// None is left, and the policy is to stop.
    NoneLeft,
    /// All that were handed out are kept, and there is no memory for more.
    NoMemory,
}

impl Nondet {
    /// `memory` is that for the program's objects: what is kept of its values may take as much.
    pub fn new(inputs: &Inputs, memory: u64) -> Nondet {
        let seed = match inputs.exhausted {
            Exhausted::Random { seed } => seed,
            _ => 0,
        };
        Nondet {
            given: inputs.nondet.clone().into_iter(),
            exhausted: inputs.exhausted,
            random: SplitMix(seed),
            consumed: Vec::new(),
            most: usize::try_from(memory / EACH).unwrap_or(usize::MAX).max(inputs.nondet.len()),
            mismatch: None,
        }
    }

    /// The next value of this type, for the C function `source`.
    pub fn next(&mut self, source: &str, ty: Type, site: Site) -> Result<u128, NoValue> {
        if self.consumed.len() >= self.most {
            return Err(NoValue::NoMemory);
        }
        let bits = match self.given.next() {
            Some(value) => {
                self.compare(source, &value);
                value.bits
            }
            None => match self.exhausted {
                Exhausted::Zero => 0,
                Exhausted::Random { .. } => self.random.value(ty),
                Exhausted::Stop => return Err(NoValue::NoneLeft),
            },
        };
        let mask = if is_boolean(source) { 1 } else { ty.mask() };
        let bits = bits & mask;
        self.consumed.push(Consumed { source: source.into(), ty, bits, site });
        Ok(bits)
    }

    pub fn consumed(&self) -> &[Consumed] {
        &self.consumed
    }

    pub fn into_record(self) -> (Vec<Consumed>, Option<Mismatch>) {
        (self.consumed, self.mismatch)
    }

    fn compare(&mut self, source: &str, value: &NondetValue) {
        let Some(expected) = &value.source else { return };
        if self.mismatch.is_none() && stem(expected) != stem(source) {
            let position = self.consumed.len();
            self.mismatch = Some(Mismatch { position, expected: expected.clone(), found: source.into() });
        }
    }
}

/// The part of the name that says the type: witnesses write `int` or `__VERIFIER_nondet_int`.
fn stem(name: &str) -> &str {
    name.rsplit_once("nondet_").map_or(name, |(_, stem)| stem)
}

/// A `_Bool` in memory is 0 or 1, whatever its machine type.
fn is_boolean(source: &str) -> bool {
    matches!(stem(source), "bool" | "_Bool")
}

/// Steele, Lea and Flood's generator: one word of state, and good enough for inputs.
#[derive(Clone, Copy, Debug)]
struct SplitMix(u64);

impl SplitMix {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn value(&mut self, ty: Type) -> u128 {
        let choice = self.word();
        let small = i128::from(choice >> 32 & 0xf) - 8;
        match ty {
            Type::Float(Float::F64) if choice & 1 == 0 => u128::from((small as f64).to_bits()),
            Type::Float(Float::F32) if choice & 1 == 0 => u128::from((small as f32).to_bits()),
            Type::Int(width) if choice & 3 == 0 => {
                let ends = [0, 1, u128::MAX, 1 << (width - 1), (1 << (width - 1)) - 1];
                ends[(choice >> 32) as usize % ends.len()] & ty.mask()
            }
            Type::Int(_) if choice & 3 == 1 => small as u128 & ty.mask(),
            // A random pointer would only ever be wild.
            Type::Pointer => 0,
            _ => (u128::from(self.word()) << 64 | u128::from(self.word())) & ty.mask(),
        }
    }
}
