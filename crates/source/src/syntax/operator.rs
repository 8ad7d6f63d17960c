//! The operator whose token stands at a place.
//!
//! A place → the operator's spelling, the range of its token and of the whole expression, and
//! its operands, which is how ranges of constants are found: the compiler gives them no place.

use tree_sitter::Node;

use super::expression::{Operand, operator_token};
use super::{Syntax, is_damaged};
use crate::{Place, Sources, Span};

/// How an operator stands to its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorKind {
    Binary,
    /// `=`, and `+=` and its like.
    Assignment,
    /// `-`, `+`, `!` or `~`.
    Unary,
    /// `*` before a pointer.
    Dereference,
    /// `&` before an object.
    AddressOf,
    /// `++` or `--` before its operand.
    PrefixUpdate,
    /// `++` or `--` after its operand.
    PostfixUpdate,
    /// `?:`, with two operands if the middle one is left out; the token is the `?`.
    Conditional,
    Comma,
}

/// An operator of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    pub kind: OperatorKind,
    /// How it is spelled, such as `<=`.
    pub text: String,
    pub token: Span,
    /// The whole expression.
    pub whole: Span,
    /// From left to right.
    pub operands: Vec<Operand>,
}

impl Sources {
    /// The operator whose token starts at the place.
    pub fn operator_at(&self, place: Place) -> Option<Operator> {
        let syntax = Syntax::of(self, place.file)?;
        let leaf = syntax.leaf_at(place)?;
        if leaf.kind() == "number_literal" {
            return syntax.sign(leaf);
        }
        // Names and literals are no operators; to ask for a parent costs as much as the way here.
        if leaf.is_named() {
            return None;
        }
        let node = leaf.parent()?;
        if operator_token(node)? != leaf || is_damaged(node) {
            return None;
        }
        let operator = syntax.operator(node, leaf)?;
        if syntax.casts(node) { syntax.operator_under_cast(node, operator) } else { Some(operator) }
    }
}

impl<'s> Syntax<'s> {
    fn operator(&self, node: Node<'s>, token: Node<'s>) -> Option<Operator> {
        let is_prefix = node.start_byte() == token.start_byte();
        let kind = match node.kind() {
            "binary_expression" => OperatorKind::Binary,
            "assignment_expression" => OperatorKind::Assignment,
            "unary_expression" => OperatorKind::Unary,
            "pointer_expression" if token.kind() == "&" => OperatorKind::AddressOf,
            "pointer_expression" => OperatorKind::Dereference,
            "update_expression" if is_prefix => OperatorKind::PrefixUpdate,
            "update_expression" => OperatorKind::PostfixUpdate,
            "conditional_expression" => OperatorKind::Conditional,
            "comma_expression" => OperatorKind::Comma,
            _ => return None,
        };
        Some(Operator {
            kind,
            text: self.text_of(token).to_owned(),
            token: self.span_of(token.byte_range()),
            whole: self.span_of(node.byte_range()),
            operands: self.operands(node),
        })
    }

    /// The grammar takes the sign of `-1` as part of the number; in C it is an operator.
    fn sign(&self, number: Node<'s>) -> Option<Operator> {
        let text = self.text_of(number).get(..1).filter(|sign| matches!(*sign, "-" | "+"))?;
        let range = number.byte_range();
        let digits = self.span_of(range.start + 1..range.end);
        Some(Operator {
            kind: OperatorKind::Unary,
            text: text.to_owned(),
            token: self.span_of(range.start..range.start + 1),
            whole: self.span_of(range),
            operands: vec![Operand { whole: digits, bare: digits }],
        })
    }

    /// `(T) - x` is no subtraction if `T` is a type. The true operand ends where the parser
    /// says only if it binds at least as tightly as the unary operator; else nobody knows.
    fn operator_under_cast(&self, node: Node<'s>, parsed: Operator) -> Option<Operator> {
        let kind = match parsed.text.as_str() {
            "*" => OperatorKind::Dereference,
            "&" => OperatorKind::AddressOf,
            "-" | "+" => OperatorKind::Unary,
            _ => return None,
        };
        let right = node.child_by_field_name("right")?;
        if right.kind() == "binary_expression" {
            return None;
        }
        let operand = *parsed.operands.get(1)?;
        let whole = Span { start: parsed.token.start, ..parsed.whole };
        Some(Operator { kind, whole, operands: vec![operand], ..parsed })
    }
}
