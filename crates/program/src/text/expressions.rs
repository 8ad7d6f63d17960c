//! Expressions: tokens → [`Node`]s, by recursive descent with C's precedence.
//!
//! Nothing is looked up here; [`super::elaborate`] does that. Both the nesting of calls and the
//! depth of the tree are limited, so that no text can exhaust the stack.

use crate::{BitField, Site, Type};

use super::cursor::Cursor;
use super::lex::{Token, TokenKind};
use super::operators::{
    Level, builtin_named, called_operator, cast_operator, infix_operator, prefix_operator, type_named,
};
use super::syntax::{Form, Node, NodeId, Scope};
use super::{Problem, ReadError};
use crate::validate::builtin_arity;

type Result<T> = std::result::Result<T, ReadError>;

/// How deep expressions may be nested. Deeper than compilers accept parentheses (256 by clang's
/// default), and small enough for a thread's stack.
pub(super) const MAX_DEPTH: u32 = 500;

pub(super) struct Expressions<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    nodes: &'c mut Vec<Node>,
    nesting: u32,
}

impl<'c, 't> Expressions<'c, 't> {
    pub(super) fn new(cursor: &'c mut Cursor<'t>, nodes: &'c mut Vec<Node>) -> Self {
        Expressions { cursor, nodes, nesting: 0 }
    }

    /// Any expression: `c ? x : y` binds loosest.
    pub(super) fn expression(&mut self) -> Result<NodeId> {
        let start = self.cursor.peek();
        let condition = self.binary(Level::Or)?;
        if !self.cursor.accept("?") {
            return Ok(condition);
        }
        let site = self.cursor.node_site()?;
        let then = self.nested(Self::expression)?;
        self.cursor.expect(":")?;
        let otherwise = self.nested(Self::expression)?;
        self.add(Form::Select(condition, then, otherwise), site, start)
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nesting >= MAX_DEPTH {
            return Err(self.cursor.error(self.cursor.peek(), Problem::Depth(MAX_DEPTH)));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// Operators that bind at least as tightly as `level`.
    fn binary(&mut self, level: Level) -> Result<NodeId> {
        let start = self.cursor.peek();
        let mut left = self.unary()?;
        while let Some((op, found)) = self.infix().filter(|(_, found)| *found >= level) {
            self.cursor.bump();
            let site = self.cursor.node_site()?;
            let right = self.binary(found.tighter())?;
            left = self.add(Form::Binary(op, left, right), site, start)?;
        }
        Ok(left)
    }

    fn infix(&self) -> Option<(crate::BinaryOp, Level)> {
        let token = self.cursor.peek();
        let text = self.cursor.text_of(token);
        let is_operator = token.kind == TokenKind::Symbol || (token.kind == TokenKind::Name && text == "%u");
        if is_operator { infix_operator(text) } else { None }
    }

    fn unary(&mut self) -> Result<NodeId> {
        let start = self.cursor.peek();
        if start.kind != TokenKind::Symbol {
            return self.postfix();
        }
        match self.cursor.text_of(start) {
            "*" => {
                self.cursor.bump();
                let pointer = self.nested(Self::primary)?;
                let place = self.add(Form::Deref(pointer), Site::NONE, start)?;
                if self.cursor.at_glued(":") { self.load(place, start) } else { Ok(place) }
            }
            "&" => {
                self.cursor.bump();
                let place = self.nested(Self::postfix)?;
                self.add(Form::AddressOf(place), Site::NONE, start)
            }
            "&&" => self.label(),
            "-" if self.negative_number() => {
                self.cursor.bump();
                self.number(true, start)
            }
            symbol => match prefix_operator(symbol) {
                Some(op) => {
                    self.cursor.bump();
                    let site = self.cursor.node_site()?;
                    let operand = self.nested(Self::unary)?;
                    self.add(Form::Unary(op, operand), site, start)
                }
                None => self.postfix(),
            },
        }
    }

    /// Whether the minus sign that comes next belongs to the number right behind it.
    fn negative_number(&self) -> bool {
        let digits = self.cursor.peek_after(1);
        digits.kind == TokenKind::Number && !digits.spaced
    }

    fn number(&mut self, negative: bool, start: Token) -> Result<NodeId> {
        let digits = self.cursor.bump();
        let site = self.cursor.node_site()?;
        self.add(Form::Number { start: digits.start, end: digits.end, negative }, site, start)
    }

    /// `&&label` or `&&function::label`.
    fn label(&mut self) -> Result<NodeId> {
        let start = self.cursor.bump();
        let first = self.cursor.dotted_name("the name of a label")?;
        let (function, block) = if self.cursor.accept("::") {
            (Some(first), self.cursor.dotted_name("the name of a label")?)
        } else {
            (None, first)
        };
        let site = self.cursor.node_site()?;
        self.add(Form::Label { function, block }, site, start)
    }

    /// A primary expression with subscripts, members and reads behind it.
    fn postfix(&mut self) -> Result<NodeId> {
        let start = self.cursor.peek();
        let mut base = self.nested(Self::primary)?;
        loop {
            if self.cursor.at_glued("[") {
                base = self.index(base, start)?;
            } else if self.cursor.at_glued("->") || self.cursor.at_glued(".") {
                base = self.member(base, start)?;
            } else if self.cursor.at_glued(":") {
                base = self.load(base, start)?;
            } else {
                return Ok(base);
            }
        }
    }

    /// `[index of count by stride]`.
    fn index(&mut self, base: NodeId, start: Token) -> Result<NodeId> {
        self.cursor.expect("[")?;
        let index = self.nested(Self::expression)?;
        let count = match self.cursor.accept_word("of") {
            true => Some(self.cursor.number_u64("the number of elements")?),
            false => None,
        };
        let stride = match self.cursor.accept_word("by") {
            true => Some(self.cursor.number_u64("the bytes of one element")?),
            false => None,
        };
        self.cursor.expect("]")?;
        let site = self.cursor.node_site()?;
        self.add(Form::Index { base, index, count, stride }, site, start)
    }

    /// `->name#offset`, where the name or the offset may be missing.
    fn member(&mut self, base: NodeId, start: Token) -> Result<NodeId> {
        let dot = self.cursor.accept(".");
        if !dot {
            self.cursor.expect("->")?;
        }
        let name = match self.cursor.at("#") {
            true => None,
            false => Some(self.cursor.name("the name of a member or `#` and its offset")?),
        };
        let offset = match self.cursor.accept("#") {
            true => self.cursor.number_u64("the offset of a member in bytes")?,
            false => 0,
        };
        let site = self.cursor.node_site()?;
        self.add(Form::Member { base, dot, name, offset }, site, start)
    }

    /// `:type{bits}`.
    fn load(&mut self, place: NodeId, start: Token) -> Result<NodeId> {
        self.cursor.expect(":")?;
        let ty = self.cursor.machine_type()?;
        let (bits, copy) = if self.cursor.at_glued("{") { self.load_options()? } else { (None, false) };
        let site = self.cursor.node_site()?;
        self.add(Form::Load { place, ty, bits, copy }, site, start)
    }

    /// `{3+2 signed, copy}`.
    fn load_options(&mut self) -> Result<(Option<BitField>, bool)> {
        self.cursor.expect("{")?;
        let bits = if self.cursor.at_kind(TokenKind::Number) {
            let offset = self.cursor.number_u8("the first bit")?;
            self.cursor.expect("+")?;
            let width = self.cursor.number_u8("the number of bits")?;
            Some(BitField { offset, width, signed: self.cursor.accept_word("signed") })
        } else {
            None
        };
        let copy = if bits.is_none() || self.cursor.accept(",") {
            self.cursor.expect_word("copy")?;
            true
        } else {
            false
        };
        self.cursor.expect("}")?;
        Ok((bits, copy))
    }

    fn primary(&mut self) -> Result<NodeId> {
        let start = self.cursor.peek();
        match start.kind {
            TokenKind::Number => self.number(false, start),
            TokenKind::Name if self.is_application() => self.application(),
            TokenKind::Name | TokenKind::QuotedName => self.name(),
            _ if self.cursor.accept("(") => {
                let inner = self.nested(Self::expression)?;
                self.cursor.expect(")")?;
                Ok(inner)
            }
            _ if self.cursor.accept("::") => {
                let name = self.cursor.name("the name of a global or a function")?;
                let site = self.cursor.node_site()?;
                self.add(Form::Name { scope: Scope::Global, name }, site, start)
            }
            _ => Err(self.cursor.expected("an expression")),
        }
    }

    fn name(&mut self) -> Result<NodeId> {
        let start = self.cursor.peek();
        let bare = if start.kind == TokenKind::Name { self.cursor.text_of(start) } else { "" };
        let separator = self.cursor.peek_after(1);
        let form = match bare {
            "true" => Form::Constant { bits: 1, ty: Type::BOOL },
            "false" => Form::Constant { bits: 0, ty: Type::BOOL },
            "null" => Form::Constant { bits: 0, ty: Type::Pointer },
            "local" if self.cursor.is_symbol(separator, "::") => {
                self.cursor.bump();
                self.cursor.bump();
                let name = self.cursor.name("the name of a local object")?;
                let site = self.cursor.node_site()?;
                return self.add(Form::Name { scope: Scope::Local, name }, site, start);
            }
            _ => {
                let name = self.cursor.name("a name")?;
                let site = self.cursor.node_site()?;
                return self.add(Form::Name { scope: Scope::Nearest, name }, site, start);
            }
        };
        self.cursor.bump();
        let site = self.cursor.node_site()?;
        self.add(form, site, start)
    }

    /// Whether `name.name(` or `name@12(` comes next.
    fn is_application(&self) -> bool {
        let count = self.cursor.dotted_length();
        let behind = self.cursor.peek_after(count);
        let opens = |token: Token| self.cursor.is_symbol(token, "(") && !token.spaced;
        opens(behind)
            || (self.cursor.is_symbol(behind, "@") && !behind.spaced && opens(self.cursor.peek_after(count + 2)))
    }

    /// A cast, a builtin, or an operator without a symbol.
    fn application(&mut self) -> Result<NodeId> {
        let start = self.cursor.peek();
        let name = self.cursor.dotted_name("an operator")?;
        let site = self.cursor.node_site()?;
        self.cursor.expect("(")?;
        if let Some(ty) = name.strip_prefix("bits.").and_then(type_named) {
            let bits = self.cursor.number("the bits of a constant", u128::MAX)?;
            self.cursor.expect(")")?;
            let site = if site == Site::NONE { self.cursor.node_site()? } else { site };
            return self.add(Form::Constant { bits, ty }, site, start);
        }
        let mut arguments = vec![self.nested(Self::expression)?];
        while self.cursor.accept(",") {
            arguments.push(self.nested(Self::expression)?);
        }
        self.cursor.expect(")")?;
        let form = self.applied(name, arguments, start)?;
        self.add(form, site, start)
    }

    fn applied(&mut self, name: String, arguments: Vec<NodeId>, start: Token) -> Result<Form> {
        let wrong_count = |count| Problem::Arguments { name: name.clone(), count };
        let problem = if let Some((op, ty)) = cast_operator(&name) {
            match arguments[..] {
                [operand] => return Ok(Form::Cast(op, ty, operand)),
                _ => wrong_count(1),
            }
        } else if let Some(op) = called_operator(&name) {
            match arguments[..] {
                [left, right] => return Ok(Form::Binary(op, left, right)),
                _ => wrong_count(2),
            }
        } else if let Some(builtin) = builtin_named(&name) {
            let count = builtin_arity(builtin);
            if arguments.len() == count {
                return Ok(Form::Apply(builtin, arguments));
            }
            wrong_count(count)
        } else {
            Problem::Unknown { what: "cast, builtin or operator", name }
        };
        Err(self.cursor.error(start, problem))
    }

    fn add(&mut self, form: Form, site: Site, start: Token) -> Result<NodeId> {
        let depth = self.depth(&form);
        if depth > MAX_DEPTH {
            return Err(self.cursor.error(start, Problem::Depth(MAX_DEPTH)));
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { form, site, start: start.start, depth });
        Ok(id)
    }

    fn depth(&self, form: &Form) -> u32 {
        let depth = |id: &NodeId| self.nodes[id.0 as usize].depth;
        let is_binary = |id: &NodeId| matches!(self.nodes[id.0 as usize].form, Form::Binary(..));
        let children = match form {
            Form::Number { .. } | Form::Constant { .. } | Form::Name { .. } | Form::Label { .. } => 0,
            Form::Binary(_, left, right) if is_binary(left) => return depth(left).max(depth(right) + 1),
            Form::Binary(_, left, right) => depth(left).max(depth(right)),
            Form::Load { place: child, .. }
            | Form::Deref(child)
            | Form::Member { base: child, .. }
            | Form::AddressOf(child)
            | Form::Unary(_, child)
            | Form::Cast(_, _, child) => depth(child),
            Form::Index { base, index, .. } => depth(base).max(depth(index)),
            Form::Select(condition, then, otherwise) => depth(condition).max(depth(then)).max(depth(otherwise)),
            Form::Apply(_, arguments) => arguments.iter().map(depth).max().unwrap_or(0),
        };
        children + 1
    }
}
