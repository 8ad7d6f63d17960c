//! Which expressions begin at a place, or have their characteristic token there.
//!
//! A place and a [`Hint`] of what the instruction does → an [`Expression`] with its range and
//! its operands. clang 19 gives these places: the operator of binary, unary and update
//! expressions and assignments; the member's name for `p->f`; the start of everything else,
//! with `a[i][j]` and `a[i]` and `a` at one place, which is why there are hints and
//! [`Sources::expressions_at`].

use tree_sitter::Node;

use super::{Syntax, is_damaged, named_children};
use crate::tokens::is_name;
use crate::{Place, Sources, Span};

/// What sort of expression to look for at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint<'h> {
    /// An operator spelled as one of these: its token is at the place or, failing that, the
    /// expression begins there.
    Operator(&'h [&'h str]),
    /// A variable's or function's name.
    Variable,
    /// A number, character, string or other constant.
    Literal,
    /// `a[i]`; of `a[i][j]` the inner one.
    Subscript,
    /// `s.f` or `p->f`; the place is the member's name.
    Member,
    /// A call; the place is where the callee begins.
    Call,
    /// `*p`.
    Dereference,
    /// `(T)x`.
    Cast,
    /// `c ? x : y`; the place is where the condition begins, or the `?`.
    Conditional,
    /// The smallest of all.
    Any,
}

/// What sort of expression was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    Variable,
    Literal,
    Subscript,
    Member,
    /// The first operand is the callee.
    Call,
    Cast,
    Dereference,
    AddressOf,
    /// `-`, `+`, `!` or `~`.
    Unary,
    /// `++` or `--`, before or after.
    Update,
    Binary,
    /// `=` or an operator with it.
    Assignment,
    Conditional,
    Comma,
    Parenthesized,
    /// `sizeof`, statement expressions, compound literals, `_Generic` and the like.
    Other,
}

/// An expression of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
    /// Where debug info points for this expression: its operator, its member or its first token.
    pub anchor: Place,
    /// The expressions directly inside, from left to right.
    pub operands: Vec<Operand>,
}

/// An expression inside another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// All of it, with the parentheses around it.
    pub whole: Span,
    /// Without any parentheses around it.
    pub bare: Span,
}

impl Sources {
    /// All expressions that begin at the place or have their operator or member name there,
    /// from the smallest to the largest.
    pub fn expressions_at(&self, place: Place) -> Vec<Expression> {
        let Some(syntax) = Syntax::of(self, place.file) else { return Vec::new() };
        let nodes = syntax.expression_nodes_at(place);
        nodes.into_iter().map(|node| syntax.expression(node)).collect()
    }

    /// The smallest expression at the place that fits the hint. One that has its operator or
    /// member name at the place goes before one that only begins there.
    pub fn expression_at(&self, place: Place, hint: Hint) -> Option<Expression> {
        let syntax = Syntax::of(self, place.file)?;
        let offset = syntax.text.offset(place.position)?;
        let fitting: Vec<_> =
            syntax.expression_nodes_at(place).into_iter().filter(|&node| syntax.fits(node, hint)).collect();
        let anchored = fitting.iter().find(|&&node| anchor(node).start_byte() == offset);
        anchored.or(fitting.first()).map(|&node| syntax.expression(node))
    }

    /// The smallest expression that has exactly this range.
    pub fn expression_in(&self, span: Span) -> Option<Expression> {
        let range = self.range(span)?;
        let syntax = Syntax::of(self, span.file)?;
        Some(syntax.expression(syntax.tree.expression_in(&range)?))
    }
}

impl<'s> Syntax<'s> {
    pub(super) fn expression_nodes_at(&self, place: Place) -> Vec<Node<'s>> {
        let Some(leaf) = self.leaf_at(place) else { return Vec::new() };
        let offset = leaf.start_byte();
        let around = self.tree.with_parents(leaf);
        let around = around.take_while(|&(node, _)| node.start_byte() == offset || has_token(node, offset));
        let fitting = around.filter(|&(node, parent)| is_expression(node, parent) && !is_damaged(node));
        fitting.map(|(node, _)| node).collect()
    }

    fn fits(&self, node: Node, hint: Hint) -> bool {
        let kind = self.kind(node);
        match hint {
            Hint::Operator(spellings) => {
                operator_token(node).is_some_and(|token| spellings.contains(&self.text_of(token)))
            }
            Hint::Variable => kind == ExpressionKind::Variable,
            Hint::Literal => kind == ExpressionKind::Literal,
            Hint::Subscript => kind == ExpressionKind::Subscript,
            Hint::Member => kind == ExpressionKind::Member,
            Hint::Call => kind == ExpressionKind::Call,
            Hint::Dereference => kind == ExpressionKind::Dereference,
            Hint::Cast => kind == ExpressionKind::Cast,
            Hint::Conditional => kind == ExpressionKind::Conditional,
            Hint::Any => true,
        }
    }

    pub(super) fn expression(&self, node: Node<'s>) -> Expression {
        let position = self.text.position(anchor(node).start_byte());
        let mut operands = self.operands(node);
        let kind = self.kind(node);
        if kind == ExpressionKind::Cast && node.kind() != "cast_expression" {
            // The parser took the type for an operand.
            operands.remove(0);
        }
        Expression {
            kind,
            span: self.span_of(node.byte_range()),
            anchor: Place { file: self.file, position },
            operands,
        }
    }

    /// The expressions directly inside a node; a call's arguments count as its own.
    pub(super) fn operands(&self, node: Node<'s>) -> Vec<Operand> {
        let mut operands = Vec::new();
        for child in named_children(node) {
            if child.kind() == "argument_list" {
                operands.extend(self.operands(child));
            } else if is_expression(child, Some(node)) {
                operands.push(self.operand(child));
            }
        }
        operands
    }

    pub(super) fn operand(&self, node: Node<'s>) -> Operand {
        Operand { whole: self.span_of(node.byte_range()), bare: self.span_of(without_parentheses(node).byte_range()) }
    }

    fn kind(&self, node: Node<'s>) -> ExpressionKind {
        match node.kind() {
            "identifier" => ExpressionKind::Variable,
            // A number to the parser, see `casts`.
            "number_literal" if is_name(self.text_of(node)) => ExpressionKind::Variable,
            "number_literal"
            | "char_literal"
            | "string_literal"
            | "concatenated_string"
            | "true"
            | "false"
            | "null" => ExpressionKind::Literal,
            "subscript_expression" => ExpressionKind::Subscript,
            "field_expression" => ExpressionKind::Member,
            "call_expression" if self.casts(node) => ExpressionKind::Cast,
            "call_expression" => ExpressionKind::Call,
            "cast_expression" => ExpressionKind::Cast,
            "pointer_expression" => match operator_token(node).map(|token| token.kind()) {
                Some("&") => ExpressionKind::AddressOf,
                _ => ExpressionKind::Dereference,
            },
            "unary_expression" => ExpressionKind::Unary,
            "update_expression" => ExpressionKind::Update,
            "binary_expression" if self.casts(node) => ExpressionKind::Cast,
            "binary_expression" => ExpressionKind::Binary,
            "assignment_expression" => ExpressionKind::Assignment,
            "conditional_expression" => ExpressionKind::Conditional,
            "comma_expression" => ExpressionKind::Comma,
            "parenthesized_expression" => ExpressionKind::Parenthesized,
            _ => ExpressionKind::Other,
        }
    }

    /// Whether what the parser took for a call or a binary operator begins with `(T)` where `T`
    /// is a type of this file.
    pub(super) fn casts(&self, node: Node<'s>) -> bool {
        let first = node.child_by_field_name("function").or(node.child_by_field_name("left"));
        let Some(first) = first.filter(|first| first.kind() == "parenthesized_expression") else {
            return false;
        };
        let inner = without_parentheses(first);
        inner.kind() == "identifier" && self.types.contains(self.text_of(inner))
    }
}

/// The node inside all parentheses. A statement expression keeps its own, without which it
/// would be none.
pub(super) fn without_parentheses(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression" {
        match named_children(node)[..] {
            [inner] if is_expression(inner, Some(node)) => node = inner,
            _ => break,
        }
    }
    node
}

/// Whether a node is an expression, as opposed to a name that is being declared, a type, a
/// statement or a token.
pub(crate) fn is_expression(node: Node, parent: Option<Node>) -> bool {
    match node.kind() {
        "identifier" => parent.is_some_and(|parent| !is_declared_name(node, parent)),
        "number_literal" | "char_literal" | "string_literal" | "concatenated_string" | "true" | "false" | "null" => {
            true
        }
        kind => node.is_named() && kind.ends_with("_expression") && !kind.starts_with("preproc_"),
    }
}

fn is_declared_name(identifier: Node, parent: Node) -> bool {
    let named = |field| parent.child_by_field_name(field) == Some(identifier);
    match parent.kind() {
        // A K&R parameter list names its parameters only.
        "parameter_list" | "parenthesized_declarator" | "attributed_declarator" => true,
        _ => named("declarator") || named("name") || named("parameters"),
    }
}

/// The operator's token, for the expressions that have one.
pub(super) fn operator_token(node: Node<'_>) -> Option<Node<'_>> {
    let spelling = match node.kind() {
        "comma_expression" => ",",
        "conditional_expression" => "?",
        "binary_expression"
        | "assignment_expression"
        | "unary_expression"
        | "update_expression"
        | "pointer_expression" => {
            return node.child_by_field_name("operator");
        }
        _ => return None,
    };
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|child| child.kind() == spelling)
}

/// The node where debug info points for an expression.
fn anchor(node: Node<'_>) -> Node<'_> {
    let token = match node.kind() {
        "conditional_expression" => None,
        "field_expression" => node.child_by_field_name("field"),
        _ => operator_token(node),
    };
    token.unwrap_or(node)
}

fn has_token(node: Node, offset: usize) -> bool {
    anchor(node).start_byte() == offset || operator_token(node).is_some_and(|token| token.start_byte() == offset)
}
