//! Pre- and postconditions without quantifiers, in disjunctive normal form, with the run's values (§2.1).
//!
//! A term of the specification and a call's values → conjunctions of atoms. Quantifiers and sums range over the values
//! that their bounds have in the call. What is not linear over cells has no such form.

use std::collections::BTreeMap;

use frontend::acsl::syntax::{Fold, Term, TermKind};

use super::predicates::{Atom, Cell, Linear, Relation};

pub type Conjunction = Vec<Atom>;

/// Conjunctions of a formula at most, and values of a quantifier.
const MOST: usize = 128;

/// The values of a call before it begins.
pub struct Given<'g> {
    pub names: &'g BTreeMap<String, i64>,
    pub arrays: &'g BTreeMap<String, Vec<i64>>,
    /// What `\result` is, in terms of the variables at the end.
    pub returned: Option<&'g Linear>,
    /// Parameters keep their names, outside of quantifiers: for a precondition.
    pub symbolic: bool,
    /// Arrays that the call changes: their elements before it have other names.
    pub changed: &'g [String],
}

/// Nothing if the term is outside what the paper treats.
pub fn normal_form(term: &Term, given: &Given<'_>) -> Option<Vec<Conjunction>> {
    Translation { given, bound: BTreeMap::new(), before: false }.formula(term, true)
}

struct Translation<'t> {
    given: &'t Given<'t>,
    bound: BTreeMap<String, i64>,
    before: bool,
}

impl Translation<'_> {
    fn with(&self, name: &str, value: i64) -> Translation<'_> {
        let mut bound = self.bound.clone();
        bound.insert(name.to_owned(), value);
        Translation { given: self.given, bound, before: self.before }
    }

    fn formula(&self, term: &Term, positive: bool) -> Option<Vec<Conjunction>> {
        match &term.kind {
            TermKind::True => Some(truth(positive)),
            TermKind::False => Some(truth(!positive)),
            TermKind::Valid { .. } | TermKind::Separated(_) => Some(truth(positive)),
            TermKind::Unary("!", inside) => self.formula(inside, !positive),
            TermKind::Binary("&&", one, other) => {
                join(self.formula(one, positive)?, self.formula(other, positive)?, positive)
            }
            TermKind::Binary("||", one, other) => {
                join(self.formula(one, positive)?, self.formula(other, positive)?, !positive)
            }
            TermKind::Binary("==>", one, other) => {
                join(self.formula(one, !positive)?, self.formula(other, positive)?, !positive)
            }
            TermKind::Binary(operator, one, other) if Relation::of(operator).is_some() => {
                let relation = Relation::of(operator)?;
                let left = self.linear(one)?.plus(&self.linear(other)?, -1);
                let relation = if positive { relation } else { relation.opposite() };
                let atom = Atom::new(left, relation);
                // What is known without a state, such as a bound of a quantifier, is no predicate.
                match atom.is_ground() {
                    true => Some(truth(relation.holds(atom.left.constant))),
                    false => Some(vec![vec![atom]]),
                }
            }
            TermKind::Quantified { universal, binders, body } => {
                self.expanded(*universal == positive, *universal, binders, body, positive)
            }
            TermKind::Old(inside) => {
                Translation { given: self.given, bound: self.bound.clone(), before: true }.formula(inside, positive)
            }
            _ => None,
        }
    }

    /// A conjunction or disjunction over the values of the variables.
    fn expanded(
        &self,
        conjoined: bool,
        universal: bool,
        binders: &[String],
        body: &Term,
        positive: bool,
    ) -> Option<Vec<Conjunction>> {
        let Some((first, others)) = binders.split_first() else { return self.formula(body, positive) };
        let longest = self.given.arrays.values().map(Vec::len).max().unwrap_or(0) as i64;
        let largest = self.given.names.values().copied().filter(|it| it.abs() < MOST as i64).max().unwrap_or(0);
        let mut whole = truth(conjoined);
        for value in -1..=longest.max(largest) + 1 {
            let inner = self.with(first, value);
            let part = inner.expanded(conjoined, universal, others, body, positive);
            // Outside its bounds the body may not mean anything.
            let part = match part {
                Some(part) => part,
                None if inner.excluded(universal, body) => continue,
                None => return None,
            };
            whole = join(whole, part, conjoined)?;
        }
        Some(whole)
    }

    /// Whether the guard of a quantifier's body is false whatever the state is.
    fn excluded(&self, universal: bool, body: &Term) -> bool {
        let guard = match (&body.kind, universal) {
            (TermKind::Binary("==>", guard, _), true) => guard.conjuncts(),
            (_, false) => body.conjuncts(),
            _ => return false,
        };
        guard.iter().any(|it| self.formula(it, true).is_some_and(|it| it.is_empty()))
    }

    /// The value of a term that speaks of parameters only.
    fn number(&self, term: &Term) -> Option<i64> {
        let value = |cell: &Cell| match cell {
            Cell::Name(name) => self.given.names.get(name).copied(),
            Cell::Element(..) => None,
        };
        self.linear(term)?.value(&value)
    }

    fn linear(&self, term: &Term) -> Option<Linear> {
        match &term.kind {
            TermKind::Number(text) => text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok().map(Linear::number),
            TermKind::Result => self.given.returned.cloned(),
            TermKind::Name(name) => match self.bound.get(name) {
                Some(value) => Some(Linear::number(*value)),
                None if self.given.symbolic && self.bound.is_empty() => Some(Linear::cell(Cell::Name(name.clone()))),
                // Parameters in a postcondition are those of the call, and do not change.
                None => self.given.names.get(name).map(|value| Linear::number(*value)),
            },
            TermKind::Old(inside) => {
                Translation { given: self.given, bound: self.bound.clone(), before: true }.linear(inside)
            }
            TermKind::Member(..) => {
                let name = spelled(term)?;
                match self.before {
                    // What it was is known; what it is at the end, a cell.
                    true => self.given.names.get(&name).map(|value| Linear::number(*value)),
                    false => self.given.names.contains_key(&name).then(|| Linear::cell(Cell::Name(name))),
                }
            }
            TermKind::Unary("*", inside) => {
                let array = Term::new(TermKind::Number("0".to_owned()), inside.extent);
                self.linear(&Term::new(TermKind::Index(inside.clone(), Box::new(array)), term.extent))
            }
            TermKind::Index(base, index) => {
                let array = &spelled(base)?;
                let index = self.number(index)?;
                let length = self.given.arrays.get(array)?.len();
                usize::try_from(index).ok().filter(|it| *it < length)?;
                let name = match self.before && self.given.changed.contains(array) {
                    true => format!("\\old({array})"),
                    false => array.clone(),
                };
                Some(Linear::cell(Cell::Element(name, index)))
            }
            TermKind::Unary("-", inside) => Some(self.linear(inside)?.times(-1)),
            TermKind::Binary("+", one, other) => Some(self.linear(one)?.plus(&self.linear(other)?, 1)),
            TermKind::Binary("-", one, other) => Some(self.linear(one)?.plus(&self.linear(other)?, -1)),
            TermKind::Binary("*", one, other) => {
                let (one, other) = (self.linear(one)?, self.linear(other)?);
                match (one.cells.is_empty(), other.cells.is_empty()) {
                    (true, _) => Some(other.times(one.constant)),
                    (_, true) => Some(one.times(other.constant)),
                    _ => None,
                }
            }
            TermKind::Folded { fold: Fold::Sum, from, to, binder, body } => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                let mut sum = Linear::default();
                for value in from..=to.min(from + MOST as i64) {
                    sum = sum.plus(&self.with(binder, value).linear(body)?, 1);
                }
                Some(sum)
            }
            _ => None,
        }
    }
}

/// A name or a member as C has it.
fn spelled(term: &Term) -> Option<String> {
    match &term.kind {
        TermKind::Name(name) => Some(name.clone()),
        TermKind::Member(base, arrow, name) => {
            Some(format!("{}{}{name}", spelled(base)?, if *arrow { "->" } else { "." }))
        }
        _ => None,
    }
}

fn truth(holds: bool) -> Vec<Conjunction> {
    if holds { vec![Vec::new()] } else { Vec::new() }
}

/// Both or one of two formulas.
fn join(one: Vec<Conjunction>, other: Vec<Conjunction>, conjoined: bool) -> Option<Vec<Conjunction>> {
    let mut joined: Vec<Conjunction> = match conjoined {
        false => one.into_iter().chain(other).collect(),
        true => one
            .iter()
            .flat_map(|left| {
                other.iter().map(move |right| {
                    let mut both = left.clone();
                    both.extend(right.iter().filter(|it| !left.contains(it)).cloned());
                    both
                })
            })
            .collect(),
    };
    if joined.iter().any(|it| it.is_empty()) && !conjoined {
        joined = truth(true);
    }
    (joined.len() <= MOST).then_some(joined)
}
