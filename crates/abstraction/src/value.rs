//! Values of expressions: numbers with their reading, pointers, and what is not followed.

use crate::numeric::{Congruence, Interval, Linear, Range, gcd};
use crate::places::Reading;
use crate::state::Targets;

/// An integer of a machine type. `range` and `linear` speak about it as the reading reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    pub reading: Reading,
    pub range: Range,
    /// The very value, as an expression of dimensions.
    pub linear: Option<Linear>,
}

/// An address.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    pub targets: Targets,
    /// From the start of whichever object it is; says nothing about null and wild pointers.
    pub offset: Number,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(Number),
    Pointer(Pointer),
    /// Floats and integers of more than 64 bits.
    Other,
}

/// Offsets that stay in an object's slot.
pub const SLOT: Interval = Interval { low: Some(-(1 << 31)), high: Some((1 << 31) - 1) };
/// How offsets are read: as integers of any size.
pub const OFFSET: Reading = Reading { bits: 64, signed: true };

impl Number {
    pub fn constant(value: i128, reading: Reading) -> Number {
        Number { reading, range: Range::constant(value), linear: Some(Linear::constant(value)) }
    }

    pub fn any(reading: Reading) -> Number {
        Number { reading, range: Range::of(reading.interval()), linear: None }
    }

    pub fn of(range: Range, reading: Reading) -> Number {
        Number { reading, range: range.meet(Range::of(reading.interval())), linear: None }
    }

    pub fn as_constant(&self) -> Option<i128> {
        self.range.interval.as_constant()
    }

    /// An exact result reduced to what the machine keeps of it.
    pub fn wrapped(range: Range, linear: Option<Linear>, reading: Reading) -> Number {
        let all = reading.interval();
        if range.interval.is_within(all) {
            return Number { reading, range, linear };
        }
        let modulus = reading.modulus();
        let low = all.low.unwrap_or(0);
        if let (Some(least), Some(most)) = (range.interval.low, range.interval.high) {
            let window = |value: i128| value.checked_sub(low).map(|distance| distance.div_euclid(modulus));
            if let (Some(first), Some(last)) = (window(least), window(most)) {
                if first == last {
                    if let Some(shift) = first.checked_mul(-modulus) {
                        let linear = linear.and_then(|linear| linear.plus_constant(shift));
                        return Number { reading, range: range.plus(Range::constant(shift)), linear };
                    }
                }
            }
        }
        let kept = Congruence::new(gcd(range.congruence.modulus, modulus), range.congruence.residue);
        Number { reading, range: Range::new(all, kept), linear: None }
    }

    /// The same bits, read in another way.
    #[must_use]
    pub fn read_as(&self, reading: Reading) -> Number {
        if self.reading == reading {
            return self.clone();
        }
        Number::wrapped(self.range, self.linear.clone(), reading)
    }

    /// Whether reading it in this way loses nothing.
    pub fn fits(&self, reading: Reading) -> bool {
        self.range.interval.is_within(reading.interval())
    }
}

impl Pointer {
    pub fn null() -> Pointer {
        Pointer { targets: Targets::null(), offset: Number::constant(0, OFFSET) }
    }

    pub fn wild() -> Pointer {
        Pointer { targets: Targets::wild(), offset: Number::any(OFFSET) }
    }
}
