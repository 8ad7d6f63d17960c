//! Expressions: [`Node`]s → the IR, with names looked up and left-out types filled in.
//!
//! Types flow down: `expected` is what the context says (the assigned variable's type, the left
//! operand's type). It fills in constants and reads that do not tell their own; it never overrides
//! one. Whether the types then agree is the validator's business. Nodes are numbered in the order
//! of [`super::canonical`]: children first, left to right.

use std::collections::HashMap;

use crate::validate::{binary_result, builtin_argument, builtin_result, memory_size};
use crate::{
    BinaryOp, BlockId, Body, CastOp, ExprId, ExprKind, Field, FunctionId, GlobalId, Index, Load, LocalId, Object, Site,
    Type, VarId,
};

use super::cursor::Cursor;
use super::numbers::{BadLiteral, constant};
use super::syntax::{Form, Node, NodeId, Scope};
use super::{Problem, ReadError};

type Result<T> = std::result::Result<T, ReadError>;

/// What the whole program declares.
#[derive(Debug, Default)]
pub(super) struct ProgramNames {
    pub(super) functions: HashMap<String, FunctionId>,
    pub(super) globals: HashMap<String, GlobalId>,
    /// The blocks of each function.
    pub(super) blocks: Vec<HashMap<String, BlockId>>,
}

/// What a function declares.
#[derive(Debug, Default)]
pub(super) struct FunctionNames {
    pub(super) variables: HashMap<String, VarId>,
    pub(super) locals: HashMap<String, LocalId>,
}

enum Meaning {
    Variable(VarId),
    Object(Object),
}

pub(super) struct Elaborator<'a, 't> {
    pub(super) cursor: &'a Cursor<'t>,
    pub(super) text: &'t str,
    pub(super) nodes: &'a [Node],
    pub(super) program: &'a ProgramNames,
    pub(super) names: &'a FunctionNames,
    pub(super) function: FunctionId,
    pub(super) body: &'a mut Body,
}

impl Elaborator<'_, '_> {
    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn fail<T>(&self, id: NodeId, problem: Problem) -> Result<T> {
        Err(self.cursor.error_at(self.node(id).start, problem))
    }

    fn add(&mut self, kind: ExprKind, ty: Type, site: Site) -> ExprId {
        self.body.add_expr(kind, ty, site)
    }

    pub(super) fn type_of(&self, id: ExprId) -> Type {
        self.body.expr(id).ty
    }

    /// The value of an expression. Chains of infix operators can be long: their left operands are
    /// taken in a loop.
    pub(super) fn value(&mut self, id: NodeId, expected: Option<Type>) -> Result<ExprId> {
        let (mut leftmost, mut expected) = (id, expected);
        let mut pending: Vec<(BinaryOp, NodeId, Site)> = Vec::new();
        while let Form::Binary(op, left, right) = self.node(leftmost).form {
            pending.push((op, right, self.node(leftmost).site));
            expected = left_expectation(op, expected);
            leftmost = left;
        }
        let mut left = self.operand(leftmost, expected)?;
        while let Some((op, right, site)) = pending.pop() {
            let ty = self.type_of(left);
            let right = self.value(right, Some(ty))?;
            left = self.add(ExprKind::Binary(op, left, right), binary_result(op, ty), site);
        }
        Ok(left)
    }

    fn operand(&mut self, id: NodeId, expected: Option<Type>) -> Result<ExprId> {
        let nodes = self.nodes;
        let node = &nodes[id.0 as usize];
        let site = node.site;
        match &node.form {
            Form::Number { start, end, negative } => {
                let text = &self.text[*start as usize..*end as usize];
                match constant(text, *negative, expected) {
                    Ok((bits, ty)) => Ok(self.add(ExprKind::Constant(bits), ty, site)),
                    Err(bad) => self.fail(id, literal_problem(bad, text)),
                }
            }
            Form::Constant { bits, ty } => Ok(self.add(ExprKind::Constant(*bits), *ty, site)),
            Form::Name { scope, name } => match self.look_up(id, *scope, name)? {
                Meaning::Variable(variable) => {
                    let ty = self.body.variable(variable).ty;
                    Ok(self.add(ExprKind::Variable(variable), ty, site))
                }
                Meaning::Object(_) => self.implicit_load(id, expected),
            },
            Form::Label { function, block } => self.label(id, function.as_deref(), block),
            Form::Load { place, ty, bits, copy } => {
                let address = self.address(*place, Some(*ty))?;
                Ok(self.add(ExprKind::Load(Load { address, bits: *bits, copy: *copy }), *ty, site))
            }
            Form::Deref(_) | Form::Index { .. } | Form::Member { .. } => self.implicit_load(id, expected),
            Form::AddressOf(place) => self.address(*place, None),
            Form::Unary(op, operand) => {
                let operand = self.value(*operand, expected)?;
                Ok(self.add(ExprKind::Unary(*op, operand), self.type_of(operand), site))
            }
            Form::Binary(..) => self.value(id, expected),
            Form::Cast(op, ty, operand) => {
                let operand = self.value(*operand, None)?;
                Ok(self.add(ExprKind::Cast(*op, operand), *ty, site))
            }
            Form::Select(condition, then, otherwise) => {
                let condition = self.value(*condition, Some(Type::BOOL))?;
                let then = self.value(*then, expected)?;
                let ty = self.type_of(then);
                let otherwise = self.value(*otherwise, Some(ty))?;
                Ok(self.add(ExprKind::Select { condition, then, otherwise }, ty, site))
            }
            Form::Apply(builtin, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for (index, argument) in arguments.iter().enumerate() {
                    let first = values.first().map(|first| self.type_of(*first));
                    let context = builtin_argument(*builtin, index, first.or(expected));
                    values.push(self.value(*argument, context)?);
                }
                let ty = builtin_result(*builtin, self.type_of(values[0]));
                Ok(self.add(ExprKind::Apply(*builtin, values.into()), ty, site))
            }
        }
    }

    /// A read whose type the context tells.
    fn implicit_load(&mut self, id: NodeId, expected: Option<Type>) -> Result<ExprId> {
        let Some(ty) = expected else { return self.fail(id, Problem::LoadType) };
        let address = self.address(id, Some(ty))?;
        Ok(self.add(ExprKind::Load(Load { address, bits: None, copy: false }), ty, Site::NONE))
    }

    fn label(&mut self, id: NodeId, function: Option<&str>, block: &str) -> Result<ExprId> {
        let owner = match function {
            None => self.function,
            Some(name) => match self.program.functions.get(name) {
                Some(function) => *function,
                None => return self.fail(id, Problem::Unknown { what: "function", name: name.to_owned() }),
            },
        };
        let Some(target) = self.program.blocks[owner.index()].get(block).copied() else {
            return self.fail(id, Problem::Unknown { what: "block", name: block.to_owned() });
        };
        let site = self.node(id).site;
        Ok(self.add(ExprKind::Address(Object::Label(owner, target)), Type::Pointer, site))
    }

    /// The address of memory. `accessed` is the type that is read or written there, if it is.
    pub(super) fn address(&mut self, id: NodeId, accessed: Option<Type>) -> Result<ExprId> {
        let nodes = self.nodes;
        let node = &nodes[id.0 as usize];
        match &node.form {
            Form::Name { scope, name } => match self.look_up(id, *scope, name)? {
                Meaning::Object(object) => Ok(self.add(ExprKind::Address(object), Type::Pointer, node.site)),
                Meaning::Variable(_) => self.fail(id, Problem::NotMemory),
            },
            Form::Deref(pointer) => self.value(*pointer, Some(Type::Pointer)),
            Form::Index { base, index, count, stride } => {
                let Some(stride) = stride.or(accessed.map(memory_size)) else { return self.fail(id, Problem::Stride) };
                let base = self.base(*base, false)?;
                let index = self.index(*index)?;
                let index = Index { base, index, stride, count: *count };
                Ok(self.add(ExprKind::Index(index), Type::Pointer, node.site))
            }
            Form::Member { base, dot, name, offset } => {
                if *dot && !self.is_memory(*base)? {
                    return self.fail(id, Problem::Dot);
                }
                let base = self.base(*base, !dot)?;
                let field = Field { base, offset: *offset, name: name.as_deref().map(Into::into) };
                Ok(self.add(ExprKind::Field(field), Type::Pointer, node.site))
            }
            _ => self.fail(id, Problem::NotMemory),
        }
    }

    /// What is indexed or has members: a pointer's value, or the memory itself. With `arrow`, the
    /// memory holds the pointer.
    fn base(&mut self, id: NodeId, arrow: bool) -> Result<ExprId> {
        if !arrow && self.is_memory(id)? {
            return self.address(id, None);
        }
        self.value(id, Some(Type::Pointer))
    }

    /// An index is 64 bits wide; a narrower one is extended as C does it.
    fn index(&mut self, id: NodeId) -> Result<ExprId> {
        let value = self.value(id, Some(Type::I64))?;
        match self.type_of(value) {
            Type::Int(width) if width < 64 => {
                Ok(self.add(ExprKind::Cast(CastOp::SignExtend, value), Type::I64, Site::NONE))
            }
            _ => Ok(value),
        }
    }

    fn is_memory(&self, id: NodeId) -> Result<bool> {
        match &self.node(id).form {
            Form::Deref(_) | Form::Index { .. } | Form::Member { .. } => Ok(true),
            Form::Name { scope, name } => Ok(matches!(self.look_up(id, *scope, name)?, Meaning::Object(_))),
            _ => Ok(false),
        }
    }

    /// The variable that a node names, if it names one.
    pub(super) fn variable(&self, id: NodeId) -> Option<VarId> {
        match &self.node(id).form {
            Form::Name { scope: Scope::Nearest, name } => self.names.variables.get(name).copied(),
            _ => None,
        }
    }

    fn look_up(&self, id: NodeId, scope: Scope, name: &str) -> Result<Meaning> {
        let variable = || self.names.variables.get(name).copied().map(Meaning::Variable);
        let local = || self.names.locals.get(name).copied().map(|local| Meaning::Object(Object::Local(local)));
        let global = || {
            let global = self.program.globals.get(name).copied().map(Object::Global);
            let function = || self.program.functions.get(name).copied().map(Object::Function);
            global.or_else(function).map(Meaning::Object)
        };
        let (found, what) = match scope {
            Scope::Nearest => (variable().or_else(local).or_else(global), "variable or object"),
            Scope::Local => (local(), "local object"),
            Scope::Global => (global(), "global or function"),
        };
        match found {
            Some(meaning) => Ok(meaning),
            None => self.fail(id, Problem::Unknown { what, name: name.to_owned() }),
        }
    }
}

/// What the left operand can be expected to be, from what the result is.
pub(super) fn left_expectation(op: BinaryOp, expected: Option<Type>) -> Option<Type> {
    match op {
        BinaryOp::Compare(_) | BinaryOp::FloatCompare(_) | BinaryOp::Overflows(..) => None,
        _ => expected,
    }
}

fn literal_problem(bad: BadLiteral, text: &str) -> Problem {
    match bad {
        BadLiteral::Malformed => Problem::Number,
        BadLiteral::Suffix => {
            let digits = super::numbers::decimal_length(text);
            Problem::Type(text[digits..].to_owned())
        }
        BadLiteral::TooLarge(ty) => Problem::ConstantRange(ty),
        BadLiteral::Kind(ty) => Problem::ConstantKind(ty),
    }
}
