//! Changes that would remove an evidence (§2.6, §3): from the difference between what is and what is needed.
//!
//! - A branch whose predicate is opposed to a needed one gets the relation, or the bound, that agrees with it.
//! - An assignment `x = e` after which the needed equality speaks of `x` gets the value that makes it true.
//! - A needed predicate is matched with a true one that differs in one cell: that cell is replaced in assignments on
//!   which the needed one depends, on the right side, or on the left if it is a single variable.
//! - Elements that are needed and that a loop would touch next mean missing iterations: the bound of the loop moves,
//!   or its variable begins earlier.
//!
//! Cells become text by a variable that has the index's value at that step, or by the value.

use std::ops::Range;

use super::calls::spelled;
use super::evidence::Evidence;
use super::predicates::{Atom, Cell, Linear, Relation};
use super::states::{States, traced};
use super::trace::{Happened, Step, Trace};
use crate::c::{Expr, ExprKind, Function, PlaceKind};

/// A change of a place, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modification {
    pub place: usize,
    pub range: Range<usize>,
    pub replacement: String,
    pub why: String,
}

pub struct Modifier<'m> {
    pub function: &'m Function,
    pub text: &'m str,
    pub trace: &'m Trace,
    pub states: &'m States,
}

impl Modifier<'_> {
    /// All changes for an evidence, in the order in which they are tried.
    pub fn remove(&self, evidence: &Evidence) -> Vec<Modification> {
        let mut found = Vec::new();
        let why = evidence.told();
        match evidence {
            Evidence::Ground { point, wrong } => {
                self.assignments(*point, wrong, &why, &mut found);
            }
            Evidence::Opposed { point, known, wrong } => {
                self.branches(known, wrong, &why, &mut found);
                self.assignments(*point, wrong, &why, &mut found);
            }
            Evidence::Implicit { wrong } => {
                self.iterations(wrong, &why, &mut found);
                self.assignments(0, wrong, &why, &mut found);
            }
        }
        found
    }

    fn push(&self, found: &mut Vec<Modification>, place: usize, range: &Range<usize>, replacement: String, why: &str) {
        let change = Modification { place, range: range.clone(), replacement, why: why.to_owned() };
        if !found.contains(&change) && self.text[range.clone()] != change.replacement {
            found.push(change);
        }
    }

    /// Branches from which a true predicate comes, changed so that they agree with the needed one.
    fn branches(&self, known: &Atom, wrong: &Atom, why: &str, found: &mut Vec<Modification>) {
        let (direction, _) = known.left.direction();
        for step in self.trace.steps.iter().rev() {
            let (Happened::Decided { held, outcome }, Some(at)) = (&step.happened, step.place) else { continue };
            let place = &self.function.places[at];
            let ExprKind::Binary(operator, left, right) = &place.expr.kind else { continue };
            let (Some(relation), [atom]) = (Relation::of(operator), held.as_slice()) else { continue };
            if atom.left.direction().0 != direction {
                continue;
            }
            // Needed, in the direction of the condition as it is written.
            let mirrored = atom.left.direction().1 != wrong.left.direction().1;
            let needed = if mirrored { wrong.relation.mirrored() } else { wrong.relation };
            let written = if *outcome { needed } else { needed.opposite() };
            let (one, other) = (&self.text[left.range.clone()], &self.text[right.range.clone()]);
            if written != relation {
                self.push(found, at, &place.expr.range, format!("{one} {} {other}", written.spelled()), why);
            }
            let offset = wrong.left.constant * if mirrored { -1 } else { 1 } - atom.left.constant;
            for offset in [offset, -offset] {
                if offset != 0 && offset.abs() <= 4 {
                    let moved = format!("{other} {} {}", if offset < 0 { '-' } else { '+' }, offset.abs());
                    self.push(found, at, &right.range, moved, why);
                }
            }
        }
    }

    /// Assignments between a point and the end that can change a needed predicate.
    fn assignments(&self, point: usize, wrong: &Atom, why: &str, found: &mut Vec<Modification>) {
        // The predicates of the postcondition that become the wrong one at the point.
        let ends = self.states.hypothesized.last().into_iter().flatten();
        let courses: Vec<Vec<Atom>> =
            ends.map(|it| traced(self.trace, it)).filter(|it| it.get(point).is_some_and(|at| at == wrong)).collect();
        for course in &courses {
            for index in point..self.trace.steps.len() {
                let Happened::Assigned { target, .. } = &self.trace.steps[index].happened else { continue };
                self.solved(index, target, &course[index + 1], why, found);
            }
            for known in self.states.actual(point).iter().filter(|it| it.relation == wrong.relation) {
                self.matched(point, course, known, why, found);
            }
        }
    }

    /// `x = e` with the value that makes the predicate after it an identity.
    fn solved(&self, index: usize, target: &Cell, needed: &Atom, why: &str, found: &mut Vec<Modification>) {
        let Some(place) = self.trace.steps[index].place else { return };
        let Some((left, right)) = self.sides(place) else { return };
        if needed.relation != Relation::Equal {
            return;
        }
        if let Some(coefficient) = needed.left.cells.get(target).filter(|it| it.abs() == 1) {
            let rest = needed.left.plus(&Linear::cell(target.clone()), -coefficient).times(-coefficient);
            for text in self.spelled(index, &rest) {
                self.push(found, place, &right.range, text, why);
            }
        }
        for other in needed.left.cells.keys().filter(|it| *it != target) {
            for text in self.cell_texts(index, other) {
                self.push(found, place, &left.range, text, why);
            }
        }
    }

    /// A needed predicate and a true one that differ in at most one cell each.
    fn matched(&self, point: usize, course: &[Atom], known: &Atom, why: &str, found: &mut Vec<Modification>) {
        let wrong = &course[point];
        let missing = |one: &Atom, other: &Atom| -> Vec<Cell> {
            one.left.cells.keys().filter(|it| !other.mentions(it)).cloned().collect()
        };
        let (error, correct) = (missing(wrong, known), missing(known, wrong));
        let ([error], [correct]) = (error.as_slice(), correct.as_slice()) else { return };
        for index in point..self.trace.steps.len() {
            let Happened::Assigned { target, value } = &self.trace.steps[index].happened else { continue };
            let in_slice = course[index + 1].mentions(target);
            let Some(place) = self.trace.steps[index].place else { continue };
            let Some((left, right)) = self.sides(place) else { continue };
            if in_slice && value.cells.contains_key(error) {
                for part in right.all() {
                    if self.is_cell(index, part, error) {
                        for text in self.cell_texts(index, correct) {
                            self.push(found, place, &part.range, text, why);
                        }
                    }
                }
            }
            if target == error && matches!(correct, Cell::Name(_)) {
                for text in self.cell_texts(index, correct) {
                    self.push(found, place, &left.range, text, why);
                }
            }
        }
    }

    /// Elements that a loop would have touched in further rounds.
    fn iterations(&self, wrong: &Atom, why: &str, found: &mut Vec<Modification>) {
        let touched = |array: &str| -> Vec<i64> {
            let values = self.trace.steps.iter().flat_map(|step| match &step.happened {
                Happened::Assigned { target, value } => value.cells.keys().chain([target]).cloned().collect::<Vec<_>>(),
                Happened::Decided { held, .. } => held.iter().flat_map(|it| it.left.cells.keys().cloned()).collect(),
            });
            values
                .filter_map(|cell| match cell {
                    Cell::Element(name, value) if name == array => Some(value),
                    _ => None,
                })
                .collect()
        };
        for cell in wrong.left.cells.keys() {
            let Cell::Element(array, needed) = cell else { continue };
            let seen = touched(array);
            let (least, most) = (seen.iter().min(), seen.iter().max());
            if most.is_none_or(|most| needed > most) {
                self.longer(needed - most.copied().unwrap_or(-1), why, found);
            }
            if least.is_none_or(|least| needed < least) {
                self.earlier(*needed, why, found);
            }
        }
    }

    /// Loops that go on for more rounds.
    fn longer(&self, rounds: i64, why: &str, found: &mut Vec<Modification>) {
        for (index, place) in self.function.places.iter().enumerate() {
            let ExprKind::Binary(operator, left, right) = &place.expr.kind else { continue };
            if place.kind != (PlaceKind::Condition { of_loop: true }) {
                continue;
            }
            let (one, other) = (&self.text[left.range.clone()], &self.text[right.range.clone()]);
            let wider = match operator.as_str() {
                "<" => "<=",
                ">" => ">=",
                _ => operator,
            };
            self.push(found, index, &place.expr.range, format!("{one} {wider} {other}"), why);
            if let ExprKind::Binary(_, kept, _) = &right.kind {
                self.push(found, index, &right.range, self.text[kept.range.clone()].to_owned(), why);
            }
            let sign = if operator.starts_with('>') { '-' } else { '+' };
            self.push(found, index, &right.range, format!("{other} {sign} {rounds}"), why);
        }
    }

    /// Variables that begin with another number.
    fn earlier(&self, value: i64, why: &str, found: &mut Vec<Modification>) {
        for place in self.trace.steps.iter().filter_map(|it| it.place) {
            let Some((_, right)) = self.sides(place) else { continue };
            if matches!(right.kind, ExprKind::Number(_)) {
                self.push(found, place, &right.range, value.to_string(), why);
            }
        }
    }

    /// The sides of an assignment; an initializer has only its value.
    fn sides(&self, place: usize) -> Option<(&Expr, &Expr)> {
        let place = &self.function.places[place];
        match (&place.kind, &place.expr.kind) {
            (PlaceKind::Initializer(_), _) => Some((&place.expr, &place.expr)),
            (_, ExprKind::Assign(operator, left, right)) if operator == "=" => Some((left, right)),
            _ => None,
        }
    }

    fn is_cell(&self, index: usize, expr: &Expr, cell: &Cell) -> bool {
        match (&expr.kind, cell) {
            (ExprKind::Name(name), Cell::Name(wanted)) => {
                spelled(wanted, &self.trace.steps[index].prefix).is_some_and(|it| it == name)
            }
            (ExprKind::Index(base, at), Cell::Element(array, value)) => {
                let named = matches!(&base.kind, ExprKind::Name(name) if name == array);
                named && self.value_of(index, at) == Some(*value)
            }
            _ => false,
        }
    }

    fn value_of(&self, index: usize, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let step = &self.trace.steps[index];
                step.before.get(&format!("{}{name}", step.prefix)).or(step.before.get(name)).copied()
            }
            ExprKind::Number(text) => text.parse().ok(),
            ExprKind::Binary(operator, one, other) => {
                let (one, other) = (self.value_of(index, one)?, self.value_of(index, other)?);
                match operator.as_str() {
                    "+" => one.checked_add(other),
                    "-" => one.checked_sub(other),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// How a cell can be written at a step.
    fn cell_texts(&self, index: usize, cell: &Cell) -> Vec<String> {
        let Step { before, prefix, .. } = &self.trace.steps[index];
        match cell {
            Cell::Name(name) => spelled(name, prefix).map(str::to_owned).into_iter().collect(),
            Cell::Element(array, _) if array.starts_with('\\') => Vec::new(),
            Cell::Element(array, value) => {
                let indices = before.iter().filter(|it| it.1 == value).filter_map(|it| spelled(it.0, prefix));
                let mut texts: Vec<String> = indices.map(|it| format!("{array}[{it}]")).collect();
                texts.push(format!("{array}[{value}]"));
                texts
            }
        }
    }

    /// How an expression can be written at a step.
    fn spelled(&self, index: usize, linear: &Linear) -> Vec<String> {
        if linear.cells.len() > 3 {
            return Vec::new();
        }
        let mut texts = vec![String::new()];
        let ordered = linear.cells.iter().filter(|it| *it.1 > 0).chain(linear.cells.iter().filter(|it| *it.1 < 0));
        for (cell, coefficient) in ordered {
            let factor = if coefficient.abs() == 1 { String::new() } else { format!("{} * ", coefficient.abs()) };
            let cells = self.cell_texts(index, cell);
            let joined = |(before, cell): (&String, &String)| match (before.is_empty(), *coefficient < 0) {
                (true, false) => format!("{factor}{cell}"),
                (true, true) => format!("-{factor}{cell}"),
                (false, false) => format!("{before} + {factor}{cell}"),
                (false, true) => format!("{before} - {factor}{cell}"),
            };
            texts = texts.iter().flat_map(|before| cells.iter().map(move |cell| (before, cell))).map(joined).collect();
        }
        let constant = linear.constant;
        let with_constant = |text: String| match (text.is_empty(), constant) {
            (true, constant) => constant.to_string(),
            (false, 0) => text,
            (false, constant) if constant < 0 => format!("{text} - {}", -constant),
            (false, constant) => format!("{text} + {constant}"),
        };
        texts.into_iter().map(with_constant).take(8).collect()
    }
}
