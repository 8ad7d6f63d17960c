//! Values as they are recorded: 64-bit integers in the order of their type.

use std::fmt;

/// How values compare, and so what a range of them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    Signed,
    Unsigned,
    Float,
    /// Of pointers only null is told from the rest: addresses differ from run to run.
    Pointer,
}

/// The type of the values at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueType {
    pub order: Order,
    pub bits: u32,
}

impl ValueType {
    /// The least and the greatest value, as they are recorded.
    pub fn ends(self) -> (i64, i64) {
        match self.order {
            Order::Signed if self.bits < 64 => (-1 << (self.bits.max(1) - 1), (1 << (self.bits.max(1) - 1)) - 1),
            Order::Unsigned if self.bits < 64 => (0, (1 << self.bits) - 1),
            _ => (i64::MIN, i64::MAX),
        }
    }
}

/// An observed value. Values of one type compare as their program's do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub i64);

impl Value {
    /// The value in its type's words: `-3`, `4294967295`, `0.5`, `null`.
    pub fn shown(self, ty: ValueType) -> Shown {
        Shown { value: self, ty }
    }
}

/// A value with its type, for printing.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    value: Value,
    ty: ValueType,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.value.0;
        match self.ty.order {
            Order::Signed => write!(f, "{word}"),
            Order::Unsigned if self.ty.bits == 64 => write!(f, "{}", word as u64 ^ (1 << 63)),
            Order::Unsigned => write!(f, "{word}"),
            Order::Float => {
                let bits = word ^ ((word >> 63) as u64 >> 1) as i64;
                let number = f64::from_bits(bits as u64);
                match number == 0.0 || !number.is_finite() || (1e-4..1e15).contains(&number.abs()) {
                    true => write!(f, "{number}"),
                    false => write!(f, "{number:e}"),
                }
            }
            Order::Pointer if word == 0 => f.write_str("null"),
            Order::Pointer => f.write_str("not null"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(order: Order, bits: u32, word: i64, expected: &str) {
        assert_eq!(Value(word).shown(ValueType { order, bits }).to_string(), expected);
    }

    #[test]
    fn values_in_words() {
        check(Order::Signed, 32, -3, "-3");
        check(Order::Unsigned, 32, 4_294_967_295, "4294967295");
        check(Order::Unsigned, 64, i64::MAX, "18446744073709551615");
        check(Order::Unsigned, 64, i64::MIN, "0");
        check(Order::Pointer, 64, 0, "null");
        check(Order::Float, 64, 0.5f64.to_bits() as i64, "0.5");
        check(Order::Float, 64, 0f64.to_bits() as i64, "0");
        check(Order::Float, 64, 9.25e21f64.to_bits() as i64, "9.25e21");
        check(Order::Float, 64, f64::INFINITY.to_bits() as i64, "inf");
        // What the hook makes of -0.5: all bits but the sign are turned.
        check(Order::Float, 64, (-0.5f64).to_bits() as i64 ^ i64::MAX, "-0.5");
    }
}
