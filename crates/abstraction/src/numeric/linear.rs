//! Linear expressions and constraints over dimensions.
//!
//! Coefficients are integers. An operation whose coefficients do not fit 128 bits has no result.

use std::fmt;

use super::interval::gcd;

/// A number that a domain knows something about; what it stands for is the caller's affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dimension(pub u32);

/// `constant + Σ coefficient · dimension`; terms are sorted and none is zero.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Linear {
    pub terms: Vec<(Dimension, i128)>,
    pub constant: i128,
}

/// What must hold of a linear expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constraint {
    /// It is at most 0.
    AtMostZero(Linear),
    /// It is 0.
    Zero(Linear),
}

impl Linear {
    pub fn constant(value: i128) -> Linear {
        Linear { terms: Vec::new(), constant: value }
    }

    pub fn dimension(dimension: Dimension) -> Linear {
        Linear { terms: vec![(dimension, 1)], constant: 0 }
    }

    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The dimension, if it is nothing else.
    pub fn as_dimension(&self) -> Option<Dimension> {
        match self.terms[..] {
            [(dimension, 1)] if self.constant == 0 => Some(dimension),
            _ => None,
        }
    }

    pub fn coefficient(&self, dimension: Dimension) -> i128 {
        self.terms.binary_search_by_key(&dimension, |term| term.0).map_or(0, |index| self.terms[index].1)
    }

    pub fn plus(&self, other: &Linear) -> Option<Linear> {
        self.plus_scaled(other, 1)
    }

    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.plus_scaled(other, -1)
    }

    pub fn plus_constant(&self, constant: i128) -> Option<Linear> {
        Some(Linear { terms: self.terms.clone(), constant: self.constant.checked_add(constant)? })
    }

    pub fn scaled(&self, factor: i128) -> Option<Linear> {
        Linear::default().plus_scaled(self, factor)
    }

    /// `self + factor * other`
    pub fn plus_scaled(&self, other: &Linear, factor: i128) -> Option<Linear> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let dimension = match (left.peek(), right.peek()) {
                (Some(one), Some(two)) => one.0.min(two.0),
                (Some(one), None) => one.0,
                (None, Some(two)) => two.0,
                (None, None) => break,
            };
            let mut coefficient: i128 = 0;
            if let Some(term) = left.next_if(|term| term.0 == dimension) {
                coefficient = term.1;
            }
            if let Some(term) = right.next_if(|term| term.0 == dimension) {
                coefficient = coefficient.checked_add(term.1.checked_mul(factor)?)?;
            }
            if coefficient != 0 {
                terms.push((dimension, coefficient));
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(Linear { terms, constant })
    }

    /// Without the term of this dimension.
    pub fn without(&self, dimension: Dimension) -> Linear {
        let terms = self.terms.iter().copied().filter(|term| term.0 != dimension).collect();
        Linear { terms, constant: self.constant }
    }

    /// With the dimension replaced by an expression.
    pub fn substitute(&self, dimension: Dimension, by: &Linear) -> Option<Linear> {
        match self.coefficient(dimension) {
            0 => Some(self.clone()),
            coefficient => self.without(dimension).plus_scaled(by, coefficient),
        }
    }

    /// The same set of integer points `self <= 0`, with coprime coefficients.
    pub fn tightened(mut self) -> Linear {
        let divisor = self.terms.iter().fold(0, |divisor, term| gcd(divisor, term.1));
        if divisor > 1 {
            for term in &mut self.terms {
                term.1 /= divisor;
            }
            // c + d·e <= 0  iff  e <= floor(-c / d)
            self.constant = -(-self.constant).div_euclid(divisor);
        }
        self
    }

    pub fn evaluate(&self, value: impl Fn(Dimension) -> i128) -> Option<i128> {
        self.terms
            .iter()
            .try_fold(self.constant, |sum, (dimension, factor)| sum.checked_add(factor.checked_mul(value(*dimension))?))
    }

    /// As text, with names for dimensions.
    pub fn show(&self, name: &dyn Fn(Dimension) -> String) -> String {
        let mut text = String::new();
        for (dimension, coefficient) in &self.terms {
            let sign = match (*coefficient < 0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            text.push_str(sign);
            if coefficient.unsigned_abs() != 1 {
                text.push_str(&format!("{}*", coefficient.unsigned_abs()));
            }
            text.push_str(&name(*dimension));
        }
        match self.constant {
            constant if text.is_empty() => constant.to_string(),
            0 => text,
            constant if constant < 0 => format!("{text} - {}", constant.unsigned_abs()),
            constant => format!("{text} + {constant}"),
        }
    }
}

impl Constraint {
    pub fn linear(&self) -> &Linear {
        match self {
            Constraint::AtMostZero(linear) | Constraint::Zero(linear) => linear,
        }
    }

    pub fn holds(&self, value: impl Fn(Dimension) -> i128) -> bool {
        let number = self.linear().evaluate(value);
        match self {
            Constraint::AtMostZero(_) => number.is_some_and(|number| number <= 0),
            Constraint::Zero(_) => number == Some(0),
        }
    }

    pub fn substitute(&self, dimension: Dimension, by: &Linear) -> Option<Constraint> {
        let linear = self.linear().substitute(dimension, by)?;
        Some(match self {
            Constraint::AtMostZero(_) => Constraint::AtMostZero(linear),
            Constraint::Zero(_) => Constraint::Zero(linear),
        })
    }

    /// As people write it: `e <= 5`, `i - n <= -1`, `e = 4`.
    pub fn show(&self, name: &dyn Fn(Dimension) -> String) -> String {
        let linear = self.linear();
        let (mut left, right) = (linear.without_constant(), linear.constant.checked_neg().unwrap_or(i128::MAX));
        let relation = match self {
            Constraint::Zero(_) => "=",
            Constraint::AtMostZero(_) if left.terms.iter().all(|term| term.1 < 0) => {
                left = left.scaled(-1).unwrap_or(left);
                return format!("{} >= {}", left.show(name), -right);
            }
            Constraint::AtMostZero(_) => "<=",
        };
        format!("{} {relation} {right}", left.show(name))
    }
}

impl Linear {
    fn without_constant(&self) -> Linear {
        Linear { terms: self.terms.clone(), constant: 0 }
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.show(&|dimension| format!("x{}", dimension.0)))
    }
}
