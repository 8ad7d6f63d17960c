//! Trying values: the rest of a trace executed with another value in one place, in the execution that is known.
//!
//! A value that makes an assumption fail, with all that was checked before it intact, shows that a statement is
//! relevant, without a solver and without large terms. This is for differences that are checked very often before an
//! assumption notices them, such as a sum in a long loop: their formula grows with the rest of the trace, and all of
//! them together with its square. A trial that depends on a later choice is given up.
//!
//! Where a trial comes by another assignment and only what that one writes is different, it is a trial of that
//! assignment as well. So one trial answers for all the rounds of a sum; what is added to the sum is tried with the value
//! that makes the sum what it was then. Many statements cost what one does.

use logic::control_flow::ErrorTrace;
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::{BitVector, Value};
use rustc_hash::FxHashMap;

use super::alternative::Alternative;
use crate::unfolded::{Action, Unfolded};

/// What a trial has shown about an item that it came by.
#[derive(Clone)]
pub struct Shown {
    /// The value with which the item leaves the trace.
    value: Value,
    /// The item whose assumption fails then.
    blocks: usize,
    /// The item where the trial began: it depends on no choice behind that.
    since: usize,
}

/// Says of an item and a variable whether what it holds there in the known execution is the same whatever is chosen behind
/// the statement.
pub type MayRead<'r> = &'r mut dyn FnMut(&Terms, usize, TermId) -> bool;

/// The known execution, to be tried with other values of a statement.
pub struct Trial<'t> {
    pub trace: &'t ErrorTrace,
    pub execution: &'t Unfolded,
    pub statement: usize,
    /// By item, what earlier trials have shown.
    pub shown: &'t mut FxHashMap<usize, Shown>,
}

/// How a trial ended.
enum End {
    /// An assumption of this item fails.
    Blocked(usize),
    /// It came by an item that wrote one value, where another one is shown to leave the trace.
    Beside {
        met: Value,
        shown: Value,
    },
    Nothing,
}

impl Trial<'_> {
    /// A value that leaves the trace, and the item where.
    pub fn run(&mut self, terms: &mut Terms, may_read: MayRead<'_>) -> Option<(Value, usize)> {
        if let Some(shown) = self.shown.get(&self.execution.of_statement[self.statement]) {
            return Some((shown.value.clone(), shown.blocks));
        }
        for value in far_values(self.trace.statements[self.statement].written_sort(terms)?) {
            let tried = match self.follow(terms, &value, true, may_read) {
                End::Blocked(item) => return Some((value, item)),
                End::Nothing => continue,
                // Most often what it met is the value and something.
                End::Beside { met, shown } => [(shifted(&value, &met, &shown), true), (Some(value), false)],
            };
            for (value, looks) in tried {
                let Some(value) = value else { continue };
                if let End::Blocked(item) = self.follow(terms, &value, looks, may_read) {
                    return Some((value, item));
                }
            }
        }
        None
    }

    /// Learns what it can from a value that is known to leave the trace.
    pub fn show(&mut self, terms: &mut Terms, value: &Value, may_read: MayRead<'_>) {
        self.follow(terms, value, false, may_read);
    }

    /// Executes the rest with the value. If it `looks`, it ends where another trial came by with another value.
    fn follow(&mut self, terms: &mut Terms, value: &Value, looks: bool, may_read: MayRead<'_>) -> End {
        let statement = &self.trace.statements[self.statement];
        let Some(sort) = statement.written_sort(terms) else { return End::Nothing };
        let written = terms.constant(value, sort);
        let since = self.execution.of_statement[self.statement];
        let mut way: Vec<(usize, Value)> = Vec::new();
        let mut alternative = Alternative::new(terms, self.trace, self.execution, self.statement, written);
        if statement.part.is_none() {
            way.push((since, value.clone()));
        }
        while let Some(number) = alternative.next_reading() {
            let item = &self.execution.items[number];
            let is_array = |it: TermId| matches!(terms.sort(it), Sort::Array(_));
            let same = item.reads.iter().filter(|it| is_array(**it) || !alternative.is_different(**it));
            if !same.into_iter().all(|&it| may_read(terms, number, it)) {
                return End::Nothing;
            }
            if let Some(dependent) = alternative.execute(terms, number) {
                if dependent.condition != terms.false_term() || dependent.is_check {
                    return End::Nothing;
                }
                return self.blocked(way, since, number);
            }
            let Action::Assign { variable, .. } = item.action else { continue };
            let Some(value) = alternative.only(variable, number).and_then(|it| terms.as_value(it)) else { continue };
            match self.shown.get(&number).filter(|it| it.since <= since) {
                Some(shown) if shown.value == value => return self.blocked(way, since, shown.blocks),
                Some(shown) if looks => return End::Beside { met: value, shown: shown.value.clone() },
                _ => {}
            }
            way.push((number, value));
        }
        End::Nothing
    }

    fn blocked(&mut self, way: Vec<(usize, Value)>, since: usize, blocks: usize) -> End {
        self.shown.extend(way.into_iter().map(|(item, value)| (item, Shown { value, blocks, since })));
        End::Blocked(blocks)
    }
}

/// The value with which it would have met what is shown, if that is the value plus something.
fn shifted(value: &Value, met: &Value, shown: &Value) -> Option<Value> {
    let (value, met, shown) = (value.as_bit_vector()?, met.as_bit_vector()?, shown.as_bit_vector()?);
    let is_same = value.width() == met.width() && met.width() == shown.width();
    is_same.then(|| Value::BitVector(value.add(&shown.sub(met))))
}

/// Values that are far from most others, and yet from where a number can grow or shrink.
fn far_values(sort: Sort) -> Vec<Value> {
    let Sort::BitVector(width) = sort else { return Vec::new() };
    let half = BitVector::ones(width).lshr(&BitVector::new(width, 2));
    vec![Value::BitVector(half.not()), Value::BitVector(half)]
}
