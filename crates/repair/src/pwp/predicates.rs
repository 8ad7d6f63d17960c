//! Atomic predicates in the paper's form: a linear expression compared with zero (§2.1).
//!
//! A *cell* is a variable or one array element. An element is known by its array and by the value of its index in
//! the run; the index as it is written is kept beside it, as in the paper's `a[i=1]`.

use std::collections::BTreeMap;
use std::fmt;

/// Deeper indices of indices are told by their values alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    Name(String),
    Element(String, i64),
}

/// A sum of cells with coefficients, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Linear {
    pub cells: BTreeMap<Cell, i64>,
    pub constant: i64,
    /// How the indices of elements are written.
    indices: BTreeMap<Cell, Box<Linear>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// `left relation 0`
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Atom {
    pub left: Linear,
    pub relation: Relation,
}

impl Relation {
    pub fn of(operator: &str) -> Option<Relation> {
        Some(match operator {
            "<" => Relation::Less,
            "<=" => Relation::LessEqual,
            ">" => Relation::Greater,
            ">=" => Relation::GreaterEqual,
            "==" => Relation::Equal,
            "!=" => Relation::NotEqual,
            _ => return None,
        })
    }

    pub fn opposite(self) -> Relation {
        match self {
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Greater => Relation::LessEqual,
            Relation::GreaterEqual => Relation::Less,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
        }
    }

    /// Of the same with both sides negated.
    pub fn mirrored(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterEqual => Relation::LessEqual,
            other => other,
        }
    }

    pub fn holds(self, value: i64) -> bool {
        match self {
            Relation::Less => value < 0,
            Relation::LessEqual => value <= 0,
            Relation::Greater => value > 0,
            Relation::GreaterEqual => value >= 0,
            Relation::Equal => value == 0,
            Relation::NotEqual => value != 0,
        }
    }

    /// As C writes it.
    pub fn spelled(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        }
    }
}

impl Linear {
    pub fn number(constant: i64) -> Linear {
        Linear { constant, ..Linear::default() }
    }

    pub fn cell(cell: Cell) -> Linear {
        Linear { cells: BTreeMap::from([(cell, 1)]), ..Linear::default() }
    }

    pub fn element(array: &str, value: i64, index: Linear) -> Linear {
        let cell = Cell::Element(array.to_owned(), value);
        Linear { indices: BTreeMap::from([(cell.clone(), Box::new(index))]), ..Linear::cell(cell) }
    }

    pub fn plus(&self, other: &Linear, factor: i64) -> Linear {
        let mut sum = self.clone();
        for (cell, coefficient) in &other.cells {
            *sum.cells.entry(cell.clone()).or_insert(0) += coefficient * factor;
        }
        sum.cells.retain(|_, coefficient| *coefficient != 0);
        sum.constant += other.constant * factor;
        sum.indices.extend(other.indices.iter().map(|(cell, index)| (cell.clone(), index.clone())));
        sum.indices.retain(|cell, _| sum.cells.contains_key(cell));
        sum
    }

    pub fn times(&self, factor: i64) -> Linear {
        Linear::default().plus(self, factor)
    }

    /// With another expression in the place of a cell.
    pub fn replaced(&self, cell: &Cell, by: &Linear) -> Linear {
        let mut result = self.clone();
        if let Some(coefficient) = result.cells.remove(cell) {
            result.indices.remove(cell);
            result = result.plus(by, coefficient);
        }
        for index in result.indices.values_mut() {
            **index = index.replaced(cell, by);
        }
        result
    }

    /// The paper's left side: without the constant, and with a first coefficient that is positive; whether it was
    /// negated for that.
    pub fn direction(&self) -> (BTreeMap<Cell, i64>, bool) {
        let negated = self.cells.values().next().is_some_and(|it| *it < 0);
        let sign = if negated { -1 } else { 1 };
        (self.cells.iter().map(|(cell, it)| (cell.clone(), it * sign)).collect(), negated)
    }

    pub fn value(&self, of: &impl Fn(&Cell) -> Option<i64>) -> Option<i64> {
        let mut total = self.constant;
        for (cell, coefficient) in &self.cells {
            total = total.checked_add(coefficient.checked_mul(of(cell)?)?)?;
        }
        Some(total)
    }
}

impl Atom {
    pub fn new(left: Linear, relation: Relation) -> Atom {
        Atom { left, relation }
    }

    pub fn replaced(&self, cell: &Cell, by: &Linear) -> Atom {
        Atom { left: self.left.replaced(cell, by), relation: self.relation }
    }

    pub fn mentions(&self, cell: &Cell) -> bool {
        self.left.cells.contains_key(cell)
    }

    pub fn is_ground(&self) -> bool {
        self.left.cells.is_empty()
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        // Positive first, so that it reads as people write it.
        let ordered = self.cells.iter().filter(|it| *it.1 > 0).chain(self.cells.iter().filter(|it| *it.1 < 0));
        for (cell, coefficient) in ordered {
            let sign = if *coefficient < 0 { "-" } else { "+" };
            if !is_first || sign == "-" {
                write!(out, "{sign}")?;
            }
            is_first = false;
            if coefficient.abs() != 1 {
                write!(out, "{}*", coefficient.abs())?;
            }
            match (cell, self.indices.get(cell)) {
                (Cell::Name(name), _) => write!(out, "{name}")?,
                (Cell::Element(array, value), Some(index)) if !index.cells.is_empty() => {
                    write!(out, "{array}[{index}={value}]")?;
                }
                (Cell::Element(array, value), _) => write!(out, "{array}[{value}]")?,
            }
        }
        match (self.constant, is_first) {
            (0, false) => Ok(()),
            (constant, true) => write!(out, "{constant}"),
            (constant, false) => write!(out, "{constant:+}"),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = if self.relation == Relation::Equal { "=" } else { self.relation.spelled() };
        write!(out, "{}{relation}0", self.left)
    }
}
