//! Values as Boogie writes them.

use logic::value::{ArrayValue, Value};

/// Elements of a map that are listed.
const LISTED: usize = 8;

/// A value in Boogie's notation, as far as it has one: maps are lists of their elements and what the rest is.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Real(value) if value.is_integer() => format!("{}.0", value.numer()),
        Value::Real(value) => format!("{}.0 / {}.0", value.numer(), value.denom()),
        Value::BitVector(value) => format!("{}bv{}", value.to_biguint(), value.width()),
        Value::Float(_) => "a floating-point number".to_owned(),
        Value::Element(number) => format!("element {number}"),
        Value::Array(array) => map(array),
    }
}

fn map(array: &ArrayValue) -> String {
    let mut parts: Vec<String> = (array.entries().take(LISTED))
        .map(|(index, element)| format!("{} := {}", shown(index), shown(element)))
        .collect();
    if array.entries().nth(LISTED).is_some() {
        parts.push("…".to_owned());
    }
    parts.push(format!("else {}", shown(array.default_element())));
    format!("[{}]", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use logic::value::{ArrayValue, BitVector, Value};

    use super::shown;

    #[test]
    fn maps_are_lists() {
        let mut array = ArrayValue::constant(Value::Int(7.into()));
        array.store(Value::BitVector(BitVector::new(8, 3)), Value::Int((-1).into()));
        assert_eq!(shown(&Value::Array(Box::new(array))), "[3bv8 := -1, else 7]");
    }
}
