//! Calls along a trace: the statement instances of the called function stand in the caller's trace.
//!
//! Before a statement is followed, the calls in it are, from the inside and from left to right, as far as `&&`, `||`
//! and `? :` get to them. Parameters that are numbers are assigned, what is returned is assigned to a cell of its own, and
//! pointers are other names for the caller's cells. Names of a call begin with its function and a number, `max#2.n`,
//! so that no two calls share them. Functions of other files and calls by pointers have no trace.

use std::collections::BTreeMap;

use super::predicates::{Cell, Linear};
use super::trace::{Happened, Run, Unsupported};
use crate::c::{Expr, ExprKind, Function};

/// Calls inside each other.
const DEEPEST: usize = 24;
/// Between the function of a call and its number, as no name of C has it.
const MARK: char = '#';

/// What a pointer stands for.
#[derive(Clone, Debug)]
pub enum Alias {
    /// An array from an index on.
    Array(String, i64),
    /// A variable.
    Variable(String),
    /// A pointer to a structure, as the outermost function calls it.
    Structure(String),
}

/// A function that is being followed.
pub struct Frame<'f> {
    pub function: &'f Function,
    /// What its names begin with; nothing for the outermost.
    pub prefix: String,
    aliases: BTreeMap<String, Alias>,
}

impl<'f> Frame<'f> {
    pub fn outermost(function: &'f Function) -> Frame<'f> {
        Frame { function, prefix: String::new(), aliases: BTreeMap::new() }
    }

    /// Its own variables have its prefix, those of the file do not.
    pub fn scoped(&self, name: &str) -> String {
        let body = &self.function.body;
        let is_own =
            |it: &crate::c::Variable| it.name == name && body.start <= it.scope.start && it.scope.end <= body.end;
        match self.function.variables.iter().any(is_own) {
            true => format!("{}{name}", self.prefix),
            false => name.to_owned(),
        }
    }
}

/// A name as the function of a frame writes it; nothing if it cannot.
pub fn spelled<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    name.strip_prefix(prefix).filter(|it| !it.contains(MARK))
}

impl<'f> Run<'f> {
    pub(super) fn frame(&self) -> &Frame<'f> {
        self.frames.last().expect("there is always a function that is followed")
    }

    /// What a pointer or an array is called in the outermost function.
    pub(super) fn alias(&self, name: &str) -> Option<Alias> {
        let known = self.frame().aliases.get(name).cloned();
        known.or_else(|| self.trace.arrays.contains_key(name).then(|| Alias::Array(name.to_owned(), 0)))
    }

    /// Follows the calls in an expression that are reached.
    pub(super) fn calls(&mut self, expr: &Expr) -> Result<(), Unsupported> {
        match &expr.kind {
            ExprKind::Call(callee, arguments) => {
                for argument in arguments {
                    self.calls(argument)?;
                }
                let ExprKind::Name(name) = &callee.kind else { return Err(Unsupported) };
                self.call(name, expr, arguments)
            }
            ExprKind::Binary(operator, left, right) if operator == "&&" || operator == "||" => {
                self.calls(left)?;
                match (self.evaluate(left)? != 0) == (operator == "&&") {
                    true => self.calls(right),
                    false => Ok(()),
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.calls(condition)?;
                let is_then = self.evaluate(condition)? != 0;
                self.calls(if is_then { then } else { otherwise })
            }
            _ => expr.parts().into_iter().try_for_each(|it| self.calls(it)),
        }
    }

    fn call(&mut self, name: &str, whole: &Expr, arguments: &[Expr]) -> Result<(), Unsupported> {
        let function = self.outline.function(name).ok_or(Unsupported)?;
        if self.frames.len() > DEEPEST || function.parameters.len() != arguments.len() {
            return Err(Unsupported);
        }
        self.calls += 1;
        let prefix = format!("{name}{MARK}{}.", self.calls);
        let mut aliases = BTreeMap::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if parameter.stars == 0 && !parameter.words.starts_with("struct") {
                let (value, number) = (self.linear(argument)?, self.evaluate(argument)?);
                self.bind(format!("{prefix}{}", parameter.name), value, number)?;
            } else {
                aliases.insert(parameter.name.clone(), self.pointer(argument)?);
            }
        }
        self.frames.push(Frame { function, prefix: prefix.clone(), aliases });
        self.statement(&function.syntax)?;
        self.frames.pop();
        let key = (self.frame().prefix.clone(), whole.range.start);
        self.results.insert(key, format!("{prefix}result"));
        Ok(())
    }

    /// What a function returns, for its caller.
    pub(super) fn returned(&mut self, value: &Expr) -> Result<(), Unsupported> {
        let (linear, number) = (self.linear(value)?, self.evaluate(value)?);
        let name = format!("{}result", self.frame().prefix);
        self.bind(name, linear, number)
    }

    /// The cell that has the result of a call.
    pub(super) fn result(&self, call: &Expr) -> Result<Cell, Unsupported> {
        let key = (self.frame().prefix.clone(), call.range.start);
        self.results.get(&key).map(|it| Cell::Name(it.clone())).ok_or(Unsupported)
    }

    fn bind(&mut self, name: String, value: Linear, number: i64) -> Result<(), Unsupported> {
        self.push(None, Happened::Assigned { target: Cell::Name(name.clone()), value })?;
        self.trace.names.insert(name, number);
        Ok(())
    }

    /// What an argument points to.
    fn pointer(&self, argument: &Expr) -> Result<Alias, Unsupported> {
        match &argument.kind {
            ExprKind::Name(name) => match self.alias(name) {
                Some(known) => Ok(known),
                None if self.frames.len() == 1 => Ok(Alias::Structure(name.clone())),
                None => Err(Unsupported),
            },
            ExprKind::Binary(operator, base, offset) if operator == "+" => {
                let Alias::Array(array, first) = self.pointer(base)? else { return Err(Unsupported) };
                Ok(Alias::Array(array, first + self.evaluate(offset)?))
            }
            ExprKind::Unary(operator, inside) if operator == "&" => match &inside.kind {
                ExprKind::Name(name) => Ok(Alias::Variable(self.frame().scoped(name))),
                ExprKind::Index(base, index) => {
                    let Alias::Array(array, first) = self.pointer(base)? else { return Err(Unsupported) };
                    Ok(Alias::Array(array, first + self.evaluate(index)?))
                }
                _ => Err(Unsupported),
            },
            ExprKind::Member(_) => {
                let name = self.member(argument)?;
                self.trace.arrays.contains_key(&name).then_some(Alias::Array(name, 0)).ok_or(Unsupported)
            }
            _ => Err(Unsupported),
        }
    }

    /// A member as the outermost function writes it.
    pub(super) fn member(&self, expr: &Expr) -> Result<String, Unsupported> {
        let text: String = self.text[expr.range.clone()].split_whitespace().collect();
        let ExprKind::Member(inside) = &expr.kind else { return Err(Unsupported) };
        match (&inside.kind, self.frames.len()) {
            (_, 1) => Ok(text),
            (ExprKind::Name(name), _) => match self.frame().aliases.get(name) {
                Some(Alias::Structure(base)) => Ok(format!("{base}{}", &text[name.len()..])),
                _ => Err(Unsupported),
            },
            _ => Err(Unsupported),
        }
    }
}
