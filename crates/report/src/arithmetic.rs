//! Words for operations on values that C leaves undefined: overflow, division, shifts, conversions.

use program::exec::{Value, ViolationKind};
use program::{BinaryOp, Sign, Type};
use source::ExpressionKind;

use crate::finding::NamedValue;
use crate::numbers::{integer_type, value};
use crate::violation::{Subject, Words};

pub fn binary(subject: &Subject<'_>, operation: BinaryOp, left: Value, right: Value, sign: Sign) -> Words {
    // A negative amount of a shift was meant as such, whatever is shifted.
    let is_shift = subject.violation.kind == ViolationKind::Shift;
    let right_sign = if is_shift { Sign::Signed } else { sign };
    let (shown_left, shown_right) = (value(left, sign), value(right, right_sign));
    let mut words = match subject.violation.kind {
        ViolationKind::DivisionByZero => {
            let what = match operation {
                BinaryOp::Rem(_) => "remainder of a division",
                _ => "division",
            };
            let divisor = divisor(subject).map_or_else(|| "the divisor".to_owned(), |text| format!("`{text}`"));
            Words::new(format!("{what} by zero in {}", subject.quoted_or("an expression")), format!("{divisor} is 0"))
        }
        ViolationKind::Shift => shift(subject, left, &shown_right),
        _ => {
            let computed = format!("{shown_left} {} {shown_right}", symbol(operation));
            let fits = format!("{computed} does not fit in `{}`", integer_type(left.ty, sign));
            Words::new(format!("signed overflow in {}", subject.quoted_or("an expression")), fits)
        }
    };
    words.values = operand_values(subject, &[shown_left, shown_right]);
    words
}

pub fn unary(subject: &Subject<'_>, operand: Value) -> Words {
    let shown = value(operand, Sign::Signed);
    let title = format!("signed overflow in {}", subject.quoted_or("an expression"));
    let label = match subject.violation.kind {
        ViolationKind::BitCountOfZero => {
            let title = format!("{} has no meaning for 0", subject.quoted_or("counting zero bits"));
            return Words::new(title, "the argument is 0");
        }
        _ => format!("the opposite of {shown} does not fit in `{}`", integer_type(operand.ty, Sign::Signed)),
    };
    let mut words = Words::new(title, label);
    words.values = operand_values(subject, &[shown]);
    words
}

pub fn conversion(subject: &Subject<'_>, operand: Value, target: Type, sign: Sign) -> Words {
    let shown = value(operand, Sign::Signed);
    let target = integer_type(target, sign);
    let title = match subject.quoted() {
        Some(text) => format!("the value of {text} does not fit in `{target}`"),
        None => format!("a converted number does not fit in `{target}`"),
    };
    let mut words = Words::new(title, format!("{shown} is converted to `{target}`"));
    words.values = operand_values(subject, &[shown]);
    words
}

fn shift(subject: &Subject<'_>, left: Value, amount: &str) -> Words {
    let title = format!("shift by {amount} in {}", subject.quoted_or("an expression"));
    let bits = left.ty.bits();
    Words::new(title, format!("a value of {bits} bits can be shifted by 0 to {}", bits - 1))
}

fn divisor(subject: &Subject<'_>) -> Option<String> {
    let text = subject.operand(1)?;
    // A literal zero speaks for itself.
    (!text.starts_with(|first: char| first.is_ascii_digit())).then_some(text)
}

fn symbol(operation: BinaryOp) -> &'static str {
    match operation {
        BinaryOp::Add(_) => "+",
        BinaryOp::Sub(_) => "-",
        BinaryOp::Mul(_) => "*",
        BinaryOp::Div(_) => "/",
        BinaryOp::Rem(_) => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight(_) => ">>",
        _ => "and",
    }
}

/// The operands in the source with their values; literals have no need of it.
fn operand_values(subject: &Subject<'_>, values: &[String]) -> Vec<NamedValue> {
    let Some(kind) = subject.located.and_then(|located| located.kind()) else { return Vec::new() };
    let fits = match kind {
        ExpressionKind::Binary | ExpressionKind::Assignment => values.len() == 2,
        ExpressionKind::Update | ExpressionKind::Unary | ExpressionKind::Cast => true,
        _ => false,
    };
    if !fits {
        return Vec::new();
    }
    let named = |(index, value): (usize, &String)| {
        let expression = subject.operand(index)?;
        let is_literal = expression.starts_with(|first: char| first.is_ascii_digit() || first == '\'');
        (!is_literal && expression != *value).then(|| NamedValue { expression, value: value.clone() })
    };
    values.iter().enumerate().filter_map(named).collect()
}
