//! Test cases: what a function is given, and what is expected of it beyond its contract.
//!
//! A [`Case`] becomes the values that the driver reads, in its order: choices, scalars, the lengths of arrays, their
//! elements; then what is expected. Cases come from a table ([`table`]), a folder ([`folder`]), or from the
//! specification ([`generate`]), to branch coverage ([`coverage`]).

pub mod coverage;
pub mod folder;
pub mod generate;
pub mod table;

use observe::detect::same_output;
use program::exec::{Consumed, Inputs, NondetValue};

use crate::driver::{INPUT, ROW, Slot};
use crate::error::Error;

/// A value as its bits, cut to the type that reads it.
pub type Bits = u128;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Scalar(Bits),
    Array(Vec<Bits>),
    /// Rows of equal length, one after the other.
    Rows {
        columns: usize,
        elements: Vec<Bits>,
    },
}

impl Value {
    /// All its numbers.
    pub fn numbers(&self) -> &[Bits] {
        match self {
            Value::Scalar(bits) => std::slice::from_ref(bits),
            Value::Array(elements) | Value::Rows { elements, .. } => elements,
        }
    }

    pub fn numbers_mut(&mut self) -> &mut [Bits] {
        match self {
            Value::Scalar(bits) => std::slice::from_mut(bits),
            Value::Array(elements) | Value::Rows { elements, .. } => elements,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Where it comes from: `tests.tsv:4`.
    pub origin: String,
    pub given: Given,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A call: a value for each slot of the driver; the result and shared slots after it, where they are expected.
    Call { values: Vec<Value>, result: Option<Bits>, after: Vec<Option<Vec<Bits>>> },
    /// A run of the whole program.
    Run { arguments: Vec<Vec<u8>>, stdin: Vec<u8>, stdout: Vec<u8> },
}

impl Case {
    pub fn call(origin: String, values: Vec<Value>) -> Case {
        Case { origin, given: Given::Call { values, result: None, after: Vec::new() } }
    }

    /// What the executor is given, with up to two changes: places from 1 and their choices.
    pub fn inputs(&self, slots: &[Slot], choices: [(u32, u32); 2]) -> Inputs {
        let mut nondet: Vec<NondetValue> = Vec::new();
        let mut push = |bits: Bits| nondet.push(NondetValue { source: None, bits });
        for (place, choice) in choices {
            push(Bits::from(place));
            push(Bits::from(choice));
        }
        match &self.given {
            Given::Run { arguments, stdin, .. } => {
                let name = std::iter::once(b"program".to_vec());
                let arguments = name.chain(arguments.iter().cloned()).collect();
                Inputs { arguments, stdin: stdin.clone(), nondet, ..Inputs::default() }
            }
            Given::Call { values, result, after } => {
                for (slot, value) in slots.iter().zip(values) {
                    match value {
                        Value::Scalar(bits) => push(*bits),
                        Value::Array(elements) if slot.leads => push(elements.len() as Bits),
                        Value::Array(_) => {}
                        Value::Rows { columns, elements } => {
                            push(elements.len().checked_div(*columns).unwrap_or(0) as Bits);
                            push(*columns as Bits);
                        }
                    }
                }
                for value in values.iter().filter(|it| !matches!(it, Value::Scalar(_))) {
                    value.numbers().iter().for_each(|it| push(*it));
                }
                if let Some(result) = result {
                    push(1);
                    push(*result);
                } else if !after.is_empty() {
                    push(0);
                }
                for expected in after {
                    push(Bits::from(expected.is_some()));
                    expected.iter().flatten().for_each(|it| push(*it));
                }
                Inputs { nondet, ..Inputs::default() }
            }
        }
    }

    /// In words, for people.
    pub fn shown(&self, slots: &[Slot]) -> String {
        match &self.given {
            Given::Run { .. } => self.origin.clone(),
            Given::Call { values, .. } => {
                let one = |(slot, value): (&Slot, &Value)| format!("{} = {}", slot.name, shown(slot, value));
                slots.iter().zip(values).map(one).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

fn shown(slot: &Slot, value: &Value) -> String {
    let row = |elements: &[Bits]| {
        let all: Vec<String> = elements.iter().map(|it| number(slot, *it)).collect();
        format!("[{}]", all.join(","))
    };
    match value {
        Value::Scalar(bits) => number(slot, *bits),
        Value::Array(elements) => row(elements),
        Value::Rows { columns, elements } => {
            let rows: Vec<String> = elements.chunks((*columns).max(1)).map(row).collect();
            format!("[{}]", rows.join(","))
        }
    }
}

fn number(slot: &Slot, bits: Bits) -> String {
    let words = slot.words.as_str();
    match (slot.is_real, is_unsigned(words)) {
        (true, _) if words == "float" => f32::from_bits(bits as u32).to_string(),
        (true, _) => f64::from_bits(bits as u64).to_string(),
        (false, true) if words.contains("char") => (bits as u8).to_string(),
        (false, true) if words.contains("short") => (bits as u16).to_string(),
        (false, true) if words.contains("long") || words == "size_t" => (bits as u64).to_string(),
        (false, true) => (bits as u32).to_string(),
        (false, false) => (bits as i128 as i64).to_string(),
    }
}

/// Whether a type of numbers has no negative ones.
fn is_unsigned(words: &str) -> bool {
    words.contains("unsigned") || words == "size_t"
}

/// The values that a run of the driver for verification consumed, as a case.
pub fn of_consumed(slots: &[Slot], fixed: &[(String, i64)], consumed: &[Consumed], origin: String) -> Case {
    let bits_of = |name: &str| -> Vec<Bits> {
        let named = |it: &&Consumed| {
            let rest = it.source.strip_prefix(INPUT).and_then(|it| it.strip_prefix(name));
            rest.is_some_and(|it| it.is_empty() || it == ROW)
        };
        consumed.iter().filter(named).map(extended).collect()
    };
    let value = |slot: &Slot| {
        let symbol = slot.symbol();
        match (slot.is_rows, slot.is_array) {
            (true, _) => {
                let (elements, first) = (bits_of(&symbol), format!("{INPUT}{symbol}{ROW}"));
                let rows = consumed.iter().filter(|it| *it.source == *first).count();
                Value::Rows { columns: elements.len().checked_div(rows).unwrap_or(0), elements }
            }
            (false, true) => Value::Array(bits_of(&symbol)),
            (false, false) => match fixed.iter().find(|(name, _)| *name == symbol) {
                Some((_, value)) => Value::Scalar(*value as i128 as Bits),
                None => Value::Scalar(bits_of(&symbol).first().copied().unwrap_or(0)),
            },
        }
    };
    Case::call(origin, slots.iter().map(value).collect())
}

/// A number with its sign, so that it is shown right; floats as they are.
fn extended(it: &Consumed) -> Bits {
    match it.ty {
        program::Type::Int(width) if width < 128 => {
            let unused = 128 - u32::from(width);
            (((it.bits << unused) as i128) >> unused) as Bits
        }
        _ => it.bits,
    }
}

/// Two cases with the same inputs must expect the same.
pub fn check_consistent(cases: &[Case]) -> Result<(), Error> {
    for (index, one) in cases.iter().enumerate() {
        for other in &cases[..index] {
            let contradicts = match (&one.given, &other.given) {
                (
                    Given::Call { values, result, after },
                    Given::Call { values: values_2, result: result_2, after: after_2 },
                ) => {
                    let differ = |pair: (&Option<Vec<Bits>>, &Option<Vec<Bits>>)| {
                        pair.0.is_some() && pair.1.is_some() && pair.0 != pair.1
                    };
                    let results = result.is_some() && result_2.is_some() && result != result_2;
                    values == values_2 && (results || after.iter().zip(after_2).any(differ))
                }
                (
                    Given::Run { arguments, stdin, stdout },
                    Given::Run { arguments: arguments_2, stdin: stdin_2, stdout: stdout_2 },
                ) => arguments == arguments_2 && stdin == stdin_2 && !same_output(stdout, stdout_2),
                _ => false,
            };
            if contradicts {
                return Err(Error::Contradiction { one: other.origin.clone(), other: one.origin.clone() });
            }
        }
    }
    Ok(())
}
