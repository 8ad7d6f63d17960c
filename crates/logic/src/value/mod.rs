//! Values of terms: what a solver's model assigns and what evaluation computes.

mod bit_vector;
mod float;
mod float_arithmetic;

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

pub use bit_vector::BitVector;
pub use float::Float;

use crate::sort::Sort;
use crate::terms::Terms;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Bool(bool),
    BitVector(BitVector),
    Float(Float),
    Int(BigInt),
    Real(BigRational),
    Array(Box<ArrayValue>),
    /// One of the elements of an uninterpreted sort, by number.
    Element(u64),
}

impl Value {
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_bit_vector(&self) -> Option<&BitVector> {
        match self {
            Value::BitVector(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_float(&self) -> Option<&Float> {
        match self {
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_real(&self) -> Option<&BigRational> {
        match self {
            Value::Real(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(value) => Some(value),
            _ => None,
        }
    }

    /// The unsigned value of a bit-vector that fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.as_bit_vector().and_then(BitVector::to_u64)
    }

    /// The value that stands for "nobody cares": false, zero, an array of it.
    pub fn default_of(sort: Sort, terms: &Terms) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVector(width) => Value::BitVector(BitVector::zero(width)),
            Sort::Float(format) => Value::Float(Float::zero(format, false)),
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(BigRational::zero()),
            Sort::Array(_) => {
                let element = terms.array_parts(sort).1;
                Value::Array(Box::new(ArrayValue::constant(Value::default_of(element, terms))))
            }
            Sort::Uninterpreted(_) => Value::Element(0),
        }
    }
}

/// An array: a default and where it differs.
///
/// Invariant: no entry has the default as its element, so that equal arrays are equal in memory, but for those
/// over a finite sort whose every index has an entry: see [`ArrayValue::same_elements`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    default: Value,
    entries: BTreeMap<Value, Value>,
}

impl ArrayValue {
    pub fn constant(default: Value) -> ArrayValue {
        ArrayValue { default, entries: BTreeMap::new() }
    }

    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    pub fn store(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }

    /// Whether the arrays agree everywhere, where `indices` is the number of indices if it is finite.
    pub fn same_elements(&self, other: &ArrayValue, indices: Option<u128>) -> bool {
        let written: BTreeSet<&Value> = self.entries.keys().chain(other.entries.keys()).collect();
        let default_is_seen = indices.is_none_or(|count| count > written.len() as u128);
        (!default_is_seen || self.default == other.default)
            && written.into_iter().all(|index| self.select(index) == other.select(index))
    }

    pub fn default_element(&self) -> &Value {
        &self.default
    }

    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }
}
