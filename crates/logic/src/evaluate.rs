//! What a term's value is under an assignment.
//!
//! Input: a term and a [`Model`]. Output: its value, or what stands in the way. Works bottom-up over the
//! distinct terms, without recursion into their depth, and keeps what it computed, so that many terms under
//! one model cost their union. Quantifiers are evaluated by trying all values where there are few.

use rustc_hash::FxHashMap;

use crate::simplify::fold;
use crate::sort::{FunctionId, Sort};
use crate::terms::{Op, TermId, Terms};
use crate::value::{ArrayValue, BitVector, Value};

/// A quantifier is evaluated if its variables have together at most so many values.
const ENUMERATED: u64 = 1 << 16;

/// Values of variables and functions; what is not assigned has its sort's default value.
#[derive(Clone, Default, Debug)]
pub struct Model {
    variables: FxHashMap<TermId, Value>,
    functions: FxHashMap<FunctionId, FxHashMap<Vec<Value>, Value>>,
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    pub fn assign(&mut self, variable: TermId, value: Value) {
        self.variables.insert(variable, value);
    }

    pub fn define(&mut self, function: FunctionId, arguments: Vec<Value>, value: Value) {
        self.functions.entry(function).or_default().insert(arguments, value);
    }

    /// What was assigned to a variable.
    pub fn get(&self, variable: TermId) -> Option<&Value> {
        self.variables.get(&variable)
    }

    /// The assigned variables, in ascending order.
    pub fn assignments(&self) -> Vec<(TermId, &Value)> {
        let mut assignments: Vec<_> = self.variables.iter().map(|(&variable, value)| (variable, value)).collect();
        assignments.sort_unstable_by_key(|it| it.0);
        assignments
    }
}

/// Why a term has no value under a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoValue {
    /// SMT-LIB leaves the result of this operator open for these arguments.
    #[error("the value of {0:?} is not specified for these arguments")]
    Unspecified(Op),
    /// The quantified variables have too many values to try them all.
    #[error("a quantifier over too many values to try them all")]
    Quantifier,
}

/// Evaluates terms under one model.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    /// Values of variables that quantifiers around bind.
    bound: FxHashMap<TermId, Value>,
    done: FxHashMap<TermId, Result<Value, NoValue>>,
}

impl<'a> Evaluator<'a> {
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluator<'a> {
        Evaluator { terms, model, bound: FxHashMap::default(), done: FxHashMap::default() }
    }

    /// The value of a term under the model.
    ///
    /// Only what the value depends on has to have one: the branch that an `ite` does not take may be
    /// unspecified, and so may be a conjunct beside a false one.
    pub fn value(&mut self, root: TermId) -> Result<Value, NoValue> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.done.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            if let Some(value) = self.step(term, &mut open) {
                self.done.insert(term, value);
                open.pop();
            } else {
                debug_assert!(open.len() > before, "a term without value waits for another");
            }
        }
        self.done[&root].clone()
    }

    /// The value of a Boolean term.
    pub fn holds(&mut self, root: TermId) -> Result<bool, NoValue> {
        let value = self.value(root)?;
        Ok(value.as_bool().unwrap_or_else(|| panic!("{value:?} is no truth value")))
    }

    /// The term's value, or `None` after pushing what has to be evaluated before.
    fn step(&mut self, term: TermId, open: &mut Vec<TermId>) -> Option<Result<Value, NoValue>> {
        let op = self.terms.op(term);
        let arguments = self.terms.arguments(term);
        match op {
            Op::Variable(_) => return Some(Ok(self.variable(term))),
            Op::Forall | Op::Exists => return Some(self.quantifier(term).map(Value::Bool)),
            Op::Ite => return self.ite(arguments, open),
            Op::And | Op::Or => return self.connective(op == Op::Or, arguments, open),
            Op::Select => return self.selected(arguments, open),
            _ => {}
        }
        if let Some(value) = self.terms.as_value(term) {
            return Some(Ok(value));
        }
        let before = open.len();
        open.extend(arguments.iter().filter(|it| !self.done.contains_key(it)));
        if open.len() > before {
            return None;
        }
        let values: Result<Vec<&Value>, NoValue> =
            arguments.iter().map(|it| self.done[it].as_ref().map_err(NoValue::clone)).collect();
        Some(values.and_then(|values| self.compute(term, op, &values)))
    }

    fn variable(&self, term: TermId) -> Value {
        let assigned = self.bound.get(&term).or_else(|| self.model.get(term));
        assigned.cloned().unwrap_or_else(|| Value::default_of(self.terms.sort(term), self.terms))
    }

    fn ite(&self, arguments: &[TermId], open: &mut Vec<TermId>) -> Option<Result<Value, NoValue>> {
        let branch = match self.done.get(&arguments[0]) {
            None => {
                open.push(arguments[0]);
                return None;
            }
            Some(Err(error)) => return Some(Err(error.clone())),
            Some(Ok(condition)) => arguments[if *condition == Value::Bool(true) { 1 } else { 2 }],
        };
        let value = self.done.get(&branch);
        if value.is_none() {
            open.push(branch);
        }
        value.cloned()
    }

    /// Goes back over the writes to the one that is read, so that arrays in between need not be made.
    fn selected(&self, arguments: &[TermId], open: &mut Vec<TermId>) -> Option<Result<Value, NoValue>> {
        let index = match self.known(arguments[1]) {
            Some(Ok(index)) => index,
            Some(Err(error)) => return Some(Err(error)),
            None => {
                open.push(arguments[1]);
                return None;
            }
        };
        let before = open.len();
        let mut array = arguments[0];
        while let (None, Op::Store) = (self.done.get(&array), self.terms.op(array)) {
            let &[previous, written, value] = self.terms.arguments(array) else { unreachable!("store has three") };
            match self.known(written) {
                None => open.push(written),
                // It is looked at again when the one in front of it is known.
                Some(_) if open.len() > before => {}
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(written)) if written == index => {
                    let known = self.known(value);
                    if known.is_none() {
                        open.push(value);
                    }
                    return known;
                }
                Some(Ok(_)) => {}
            }
            array = previous;
        }
        if open.len() > before {
            return None;
        }
        let whole = self.done.get(&array);
        if whole.is_none() {
            open.push(array);
        }
        Some(whole?.as_ref().map(|array| as_array(array).select(&index).clone()).map_err(NoValue::clone))
    }

    /// What is known about a term without evaluating others.
    fn known(&self, term: TermId) -> Option<Result<Value, NoValue>> {
        self.done.get(&term).cloned().or_else(|| self.terms.as_value(term).map(Ok))
    }

    /// Stops at the first argument that decides.
    fn connective(
        &self,
        absorbing: bool,
        arguments: &[TermId],
        open: &mut Vec<TermId>,
    ) -> Option<Result<Value, NoValue>> {
        let mut without_value = None;
        for argument in arguments {
            match self.done.get(argument) {
                Some(Ok(value)) if *value == Value::Bool(absorbing) => return Some(Ok(value.clone())),
                Some(Ok(_)) => {}
                Some(Err(error)) => without_value = Some(error.clone()),
                None => {
                    open.push(*argument);
                    return None;
                }
            }
        }
        Some(without_value.map_or(Ok(Value::Bool(!absorbing)), Err))
    }

    fn compute(&self, term: TermId, op: Op, values: &[&Value]) -> Result<Value, NoValue> {
        Ok(match op {
            Op::Not => Value::Bool(*values[0] == Value::Bool(false)),
            Op::ConstArray => Value::Array(Box::new(ArrayValue::constant(values[0].clone()))),
            Op::Store => {
                let mut array = as_array(values[0]).clone();
                array.store(values[1].clone(), values[2].clone());
                Value::Array(Box::new(array))
            }
            Op::Equal if matches!(values[0], Value::Array(_)) => {
                let index = self.terms.array_parts(self.terms.sort(self.terms.arguments(term)[0])).0;
                Value::Bool(as_array(values[0]).same_elements(as_array(values[1]), cardinality(index)))
            }
            Op::Apply(function) => {
                let key: Vec<Value> = values.iter().map(|&it| it.clone()).collect();
                let known = self.model.functions.get(&function).and_then(|table| table.get(&key));
                known.cloned().unwrap_or_else(|| Value::default_of(self.terms.sort(term), self.terms))
            }
            _ => fold(op, values).ok_or(NoValue::Unspecified(op))?,
        })
    }

    fn quantifier(&mut self, term: TermId) -> Result<bool, NoValue> {
        let (bound, body) = self.terms.quantifier_parts(term);
        let wanted = self.terms.op(term) == Op::Exists;
        let domains: Vec<u64> = bound
            .iter()
            .map(|&it| cardinality(self.terms.sort(it)).and_then(|it| u64::try_from(it).ok()))
            .collect::<Option<_>>()
            .ok_or(NoValue::Quantifier)?;
        let total = domains.iter().try_fold(1u64, |product, &it| product.checked_mul(it));
        let total = total.filter(|&it| it <= ENUMERATED).ok_or(NoValue::Quantifier)?;
        for mut number in 0..total {
            let mut inner = Evaluator::new(self.terms, self.model);
            inner.bound = self.bound.clone();
            for (&variable, &size) in bound.iter().zip(&domains) {
                inner.bound.insert(variable, nth_value(self.terms.sort(variable), number % size));
                number /= size;
            }
            if inner.holds(body)? == wanted {
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }
}

fn as_array(value: &Value) -> &ArrayValue {
    value.as_array().unwrap_or_else(|| panic!("{value:?} is no array"))
}

/// How many values a sort has, if they can be counted.
fn cardinality(sort: Sort) -> Option<u128> {
    match sort {
        Sort::Bool => Some(2),
        Sort::BitVector(width) => 1u128.checked_shl(width).filter(|_| width < 128),
        _ => None,
    }
}

fn nth_value(sort: Sort, number: u64) -> Value {
    match sort {
        Sort::BitVector(width) => Value::BitVector(BitVector::new(width, number.into())),
        _ => Value::Bool(number == 1),
    }
}
