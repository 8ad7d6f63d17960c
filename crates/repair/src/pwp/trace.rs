//! The error trace of a call: the statement instances that were executed, with linear expressions (§2.1).
//!
//! The function as it is written and the call's values → [`Trace`]. This is for the language of the paper: integers,
//! arrays, assignments, `if`, loops and `return`; with members of structures, and with calls of functions of the file
//! ([`calls`](super::calls)). A function with more, such as pointers that move, has no such trace, and then there is no
//! evidence, only candidates. What is not linear stands with its value in the run.
//!
//! What a program means, the executor says: callers use a trace only if it ends as the executor's run did.

use std::collections::BTreeMap;

use source::SyntaxNode;

use super::calls::{Alias, Frame};
use super::predicates::{Atom, Cell, Linear, Relation};
use crate::c::{Expr, ExprKind, Function, Outline};

/// Statement instances of the longest trace.
const LONGEST: usize = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    Assigned {
        target: Cell,
        value: Linear,
    },
    /// What held at a branch, and whether the condition as it is written did.
    Decided {
        held: Vec<Atom>,
        outcome: bool,
    },
}

/// A statement instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Index of the place in the function; nothing in the functions that it calls.
    pub place: Option<usize>,
    /// What names begin with in the call that it is a part of; nothing outside of calls.
    pub prefix: String,
    pub happened: Happened,
    /// The values of variables before it.
    pub before: BTreeMap<String, i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub steps: Vec<Step>,
    /// What is returned, in terms of the variables at the end.
    pub returned: Option<Linear>,
    /// Values at the end.
    pub names: BTreeMap<String, i64>,
    pub arrays: BTreeMap<String, Vec<i64>>,
    /// It was cut off: it may not end.
    pub is_cut: bool,
}

impl Trace {
    /// The value of a cell at the end.
    pub fn value(&self, cell: &Cell) -> Option<i64> {
        match cell {
            Cell::Name(name) => self.names.get(name).copied(),
            Cell::Element(array, index) => self.arrays.get(array)?.get(usize::try_from(*index).ok()?).copied(),
        }
    }
}

/// Why there is no trace; what it was before is told as far as it goes.
pub(super) struct Unsupported;

pub(super) enum Flow {
    On,
    Break,
    Continue,
    Return,
}

pub(super) struct Run<'f> {
    function: &'f Function,
    pub(super) outline: &'f Outline,
    pub(super) text: &'f str,
    pub(super) trace: Trace,
    /// The functions that are being followed, the innermost last.
    pub(super) frames: Vec<Frame<'f>>,
    /// Calls so far, and the cells of their results by who calls where.
    pub(super) calls: usize,
    pub(super) results: BTreeMap<(String, usize), String>,
}

/// Follows a call; nothing if the function is not in the paper's language.
pub fn follow(
    function: &Function,
    outline: &Outline,
    text: &str,
    names: BTreeMap<String, i64>,
    arrays: BTreeMap<String, Vec<i64>>,
) -> Option<Trace> {
    let trace = Trace { names, arrays, ..Trace::default() };
    let frames = vec![Frame::outermost(function)];
    let mut run = Run { function, outline, text, trace, frames, calls: 0, results: BTreeMap::new() };
    match run.statement(&function.syntax) {
        Ok(_) => Some(run.trace),
        Err(Unsupported) if run.trace.is_cut => Some(run.trace),
        Err(Unsupported) => None,
    }
}

impl Run<'_> {
    pub(super) fn statement(&mut self, node: &SyntaxNode) -> Result<Flow, Unsupported> {
        match node.kind {
            "compound_statement" => {
                for child in node.named() {
                    match self.statement(child)? {
                        Flow::On => {}
                        other => return Ok(other),
                    }
                }
                Ok(Flow::On)
            }
            "expression_statement" => match node.named().next() {
                Some(expr) => self.effect(expr).map(|()| Flow::On),
                None => Ok(Flow::On),
            },
            "declaration" => {
                for declarator in node.named().filter(|it| it.kind == "init_declarator") {
                    let name =
                        declarator.child("declarator").filter(|it| it.kind == "identifier").ok_or(Unsupported)?;
                    let value = declarator.child("value").ok_or(Unsupported)?;
                    let target = Cell::Name(self.frame().scoped(&self.text[name.range.clone()]));
                    let value = self.read(value);
                    self.calls(&value)?;
                    self.assign(&value, target, &value.clone())?;
                }
                Ok(Flow::On)
            }
            "if_statement" => {
                let condition = node.child("condition").ok_or(Unsupported)?;
                if self.decide(condition)? {
                    return self.statement(node.child("consequence").ok_or(Unsupported)?);
                }
                match node.child("alternative") {
                    Some(alternative) => self.statement(alternative),
                    None => Ok(Flow::On),
                }
            }
            "else_clause" => self.statement(node.named().next().ok_or(Unsupported)?),
            "while_statement" | "for_statement" | "do_statement" => self.repeat(node),
            "return_statement" => {
                let Some(value) = node.named().next().map(|it| self.read(it)) else { return Ok(Flow::Return) };
                self.calls(&value)?;
                match self.frames.len() {
                    1 => self.trace.returned = Some(self.linear(&value)?),
                    _ => self.returned(&value)?,
                }
                Ok(Flow::Return)
            }
            "break_statement" => Ok(Flow::Break),
            "continue_statement" => Ok(Flow::Continue),
            _ => Err(Unsupported),
        }
    }

    fn repeat(&mut self, node: &SyntaxNode) -> Result<Flow, Unsupported> {
        let body = node.child("body").ok_or(Unsupported)?;
        match node.child("initializer") {
            Some(first) if first.kind == "declaration" => {
                self.statement(first)?;
            }
            Some(first) => self.effect(first)?,
            None => {}
        }
        let mut is_first = node.kind == "do_statement";
        loop {
            let goes_on = match node.child("condition") {
                _ if is_first => true,
                Some(condition) => self.decide(condition)?,
                None => true,
            };
            is_first = false;
            if !goes_on {
                return Ok(Flow::On);
            }
            match self.statement(body)? {
                Flow::Break => return Ok(Flow::On),
                Flow::Return => return Ok(Flow::Return),
                Flow::On | Flow::Continue => {}
            }
            if let Some(update) = node.child("update") {
                self.effect(update)?;
            }
        }
    }

    fn read(&self, node: &SyntaxNode) -> Expr {
        Expr::read(node, self.text)
    }

    /// The place of the function, where it is in that and not in one that it calls.
    fn place_at(&self, expr: &Expr) -> Result<Option<usize>, Unsupported> {
        if self.frame().function.whole != self.function.whole {
            return Ok(None);
        }
        let found = self.function.places.iter().position(|it| it.expr.range == expr.range);
        found.map(Some).ok_or(Unsupported)
    }

    pub(super) fn push(&mut self, place: Option<usize>, happened: Happened) -> Result<(), Unsupported> {
        if self.trace.steps.len() >= LONGEST {
            self.trace.is_cut = true;
            return Err(Unsupported);
        }
        let prefix = self.frame().prefix.clone();
        self.trace.steps.push(Step { place, prefix, happened, before: self.trace.names.clone() });
        Ok(())
    }

    fn effect(&mut self, node: &SyntaxNode) -> Result<(), Unsupported> {
        let expr = self.read(node);
        self.calls(&expr)?;
        match &expr.kind {
            ExprKind::Call(..) => Ok(()),
            ExprKind::Assign(operator, left, right) => {
                let target = self.target(left)?;
                let value = match operator.strip_suffix('=').unwrap_or_default() {
                    "" => right.as_ref().clone(),
                    operator => {
                        let kind = ExprKind::Binary(operator.to_owned(), left.clone(), right.clone());
                        Expr { kind, range: right.range.clone() }
                    }
                };
                self.assign(&expr, target, &value)
            }
            ExprKind::Update(operator, operand) => {
                let target = self.target(operand)?;
                let one = Expr { kind: ExprKind::Number("1".to_owned()), range: expr.range.clone() };
                let kind = ExprKind::Binary(operator[..1].to_owned(), operand.clone(), Box::new(one));
                self.assign(&expr, target, &Expr { kind, range: expr.range.clone() })
            }
            _ => Err(Unsupported),
        }
    }

    fn target(&mut self, expr: &Expr) -> Result<Cell, Unsupported> {
        match &expr.kind {
            ExprKind::Name(name) => Ok(Cell::Name(self.frame().scoped(name))),
            ExprKind::Index(..) | ExprKind::Member(_) | ExprKind::Unary(..) => {
                let element = self.linear(expr)?;
                element.cells.into_keys().next().ok_or(Unsupported)
            }
            _ => Err(Unsupported),
        }
    }

    fn assign(&mut self, whole: &Expr, target: Cell, value: &Expr) -> Result<(), Unsupported> {
        let place = self.place_at(whole)?;
        let linear = self.linear(value)?;
        let number = self.evaluate(value)?;
        self.push(place, Happened::Assigned { target: target.clone(), value: linear })?;
        match target {
            Cell::Name(name) => {
                self.trace.names.insert(name, number);
            }
            Cell::Element(array, index) => {
                let index = usize::try_from(index).map_err(|_| Unsupported)?;
                let element = self.trace.arrays.get_mut(&array).and_then(|it| it.get_mut(index));
                *element.ok_or(Unsupported)? = number;
            }
        }
        Ok(())
    }

    fn decide(&mut self, condition: &SyntaxNode) -> Result<bool, Unsupported> {
        let inner = match condition.kind {
            "parenthesized_expression" => condition.named().next().ok_or(Unsupported)?,
            _ => condition,
        };
        let expr = self.read(inner);
        self.calls(&expr)?;
        let place = self.place_at(&expr)?;
        let outcome = self.evaluate(&expr)? != 0;
        let held = self.held(&expr, outcome)?;
        self.push(place, Happened::Decided { held, outcome })?;
        Ok(outcome)
    }

    /// Atoms that held when a condition had this outcome.
    fn held(&self, expr: &Expr, outcome: bool) -> Result<Vec<Atom>, Unsupported> {
        match &expr.kind {
            ExprKind::Binary(operator, left, right) if operator == "&&" || operator == "||" => {
                let is_left_decisive = (self.evaluate(left)? != 0) == (operator == "||");
                if is_left_decisive {
                    return self.held(left, operator == "||");
                }
                let mut held = self.held(left, operator == "&&")?;
                held.extend(self.held(right, outcome)?);
                Ok(held)
            }
            ExprKind::Unary(operator, inside) if operator == "!" => self.held(inside, !outcome),
            ExprKind::Binary(operator, left, right) if Relation::of(operator).is_some() => {
                let relation = Relation::of(operator).ok_or(Unsupported)?;
                let left = self.linear(left)?.plus(&self.linear(right)?, -1);
                Ok(vec![Atom::new(left, if outcome { relation } else { relation.opposite() })])
            }
            _ => {
                let relation = if outcome { Relation::NotEqual } else { Relation::Equal };
                Ok(vec![Atom::new(self.linear(expr)?, relation)])
            }
        }
    }

    /// The expression over cells; what is not linear becomes its value.
    pub(super) fn linear(&self, expr: &Expr) -> Result<Linear, Unsupported> {
        match &expr.kind {
            ExprKind::Name(name) => Ok(Linear::cell(Cell::Name(self.frame().scoped(name)))),
            ExprKind::Member(_) => Ok(Linear::cell(Cell::Name(self.member(expr)?))),
            ExprKind::Call(..) => Ok(Linear::cell(self.result(expr)?)),
            ExprKind::Index(base, index) => {
                let Alias::Array(array, first) = self.base(base)? else { return Err(Unsupported) };
                let value = self.evaluate(index)?;
                let index = self.linear(index)?.plus(&Linear::number(first), 1);
                Ok(Linear::element(&array, first + value, index))
            }
            ExprKind::Unary(operator, inside) if operator == "*" => match self.base(inside)? {
                Alias::Array(array, first) => Ok(Linear::element(&array, first, Linear::number(first))),
                Alias::Variable(name) => Ok(Linear::cell(Cell::Name(name))),
                Alias::Structure(_) => Err(Unsupported),
            },
            ExprKind::Binary(operator, left, right) if operator == "+" || operator == "-" => {
                let factor = if operator == "+" { 1 } else { -1 };
                Ok(self.linear(left)?.plus(&self.linear(right)?, factor))
            }
            ExprKind::Binary(operator, left, right) if operator == "*" => {
                let (one, other) = (self.linear(left)?, self.linear(right)?);
                match (one.cells.is_empty(), other.cells.is_empty()) {
                    (true, _) => Ok(other.times(one.constant)),
                    (_, true) => Ok(one.times(other.constant)),
                    _ => Ok(Linear::number(self.evaluate(expr)?)),
                }
            }
            ExprKind::Unary(operator, inside) if operator == "-" => Ok(self.linear(inside)?.times(-1)),
            _ => Ok(Linear::number(self.evaluate(expr)?)),
        }
    }

    /// Where an array or a pointer is.
    fn base(&self, expr: &Expr) -> Result<Alias, Unsupported> {
        match &expr.kind {
            ExprKind::Name(name) => self.alias(name).ok_or(Unsupported),
            ExprKind::Member(_) => Ok(Alias::Array(self.member(expr)?, 0)),
            _ => Err(Unsupported),
        }
    }

    fn element(&self, array: &str, index: i64) -> Result<i64, Unsupported> {
        let index = usize::try_from(index).map_err(|_| Unsupported)?;
        self.trace.arrays.get(array).and_then(|it| it.get(index)).copied().ok_or(Unsupported)
    }

    pub(super) fn evaluate(&self, expr: &Expr) -> Result<i64, Unsupported> {
        let named = |name: &str| self.trace.names.get(name).copied().ok_or(Unsupported);
        let value = match &expr.kind {
            ExprKind::Name(name) => named(&self.frame().scoped(name))?,
            ExprKind::Member(_) => named(&self.member(expr)?)?,
            ExprKind::Call(..) => match self.result(expr)? {
                Cell::Name(name) => named(&name)?,
                Cell::Element(..) => return Err(Unsupported),
            },
            ExprKind::Number(text) => text.parse().map_err(|_| Unsupported)?,
            ExprKind::Index(base, index) => {
                let Alias::Array(array, first) = self.base(base)? else { return Err(Unsupported) };
                self.element(&array, first + self.evaluate(index)?)?
            }
            ExprKind::Unary(operator, inside) if operator == "*" => match self.base(inside)? {
                Alias::Array(array, first) => self.element(&array, first)?,
                Alias::Variable(name) => named(&name)?,
                Alias::Structure(_) => return Err(Unsupported),
            },
            ExprKind::Unary(operator, inside) => match (operator.as_str(), self.evaluate(inside)?) {
                ("-", value) => -value,
                ("+", value) => value,
                ("!", value) => i64::from(value == 0),
                ("~", value) => !value,
                _ => return Err(Unsupported),
            },
            ExprKind::Binary(operator, left, right) => {
                let left = self.evaluate(left)?;
                match operator.as_str() {
                    "&&" => i64::from(left != 0 && self.evaluate(right)? != 0),
                    "||" => i64::from(left != 0 || self.evaluate(right)? != 0),
                    operator => binary(operator, left, self.evaluate(right)?)?,
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => match self.evaluate(condition)? {
                0 => self.evaluate(otherwise)?,
                _ => self.evaluate(then)?,
            },
            _ => return Err(Unsupported),
        };
        // Numbers that an `int` does not hold are for the executor.
        i32::try_from(value).map(i64::from).map_err(|_| Unsupported)
    }
}

fn binary(operator: &str, left: i64, right: i64) -> Result<i64, Unsupported> {
    if let Some(relation) = Relation::of(operator) {
        return Ok(i64::from(relation.holds(left - right)));
    }
    let value = match operator {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left.checked_div(right).ok_or(Unsupported)?,
        "%" => left.checked_rem(right).ok_or(Unsupported)?,
        "&" => left & right,
        "|" => left | right,
        "^" => left ^ right,
        _ => return Err(Unsupported),
    };
    Ok(value)
}
