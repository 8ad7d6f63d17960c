//! What a place belongs to: its statement and its function; and which value a declaration, a
//! `return` or a branch at the place uses.
//!
//! A place → the range around it. clang points at the declared name for an initializer, at the
//! keyword or at the condition's start for a branch, and at the body's closing brace, or
//! the start of a body without braces, for the branch of a `do`.

use tree_sitter::Node;

use super::expression::{Operand, is_expression};
use super::{Syntax, Tree, named_children};
use crate::{Place, Sources, Span};

/// A function definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    /// From the return type to the closing brace.
    pub whole: Span,
    /// With its braces.
    pub body: Span,
}

impl Sources {
    /// The smallest statement or declaration around the place; a block only if the place is one
    /// of its braces.
    pub fn statement_at(&self, place: Place) -> Option<Span> {
        let syntax = Syntax::of(self, place.file)?;
        let leaf = syntax.leaf_over(place)?;
        let brace = matches!(leaf.kind(), "{" | "}");
        let is_wanted = |node: &Node| match node.kind() {
            "compound_statement" => brace,
            "declaration" => true,
            kind => node.is_named() && kind.ends_with("_statement"),
        };
        let statement =
            syntax.tree.ancestors(leaf).take_while(|node| node.kind() != "function_definition").find(is_wanted)?;
        Some(syntax.span_of(statement.byte_range()))
    }

    /// The function whose definition contains the place; of nested ones the innermost.
    pub fn function_at(&self, place: Place) -> Option<Function> {
        let syntax = Syntax::of(self, place.file)?;
        let leaf = syntax.leaf_over(place)?;
        let definition = syntax.tree.ancestors(leaf).find(|node| node.kind() == "function_definition")?;
        let body = definition.child_by_field_name("body")?;
        let name = declared_name(definition.child_by_field_name("declarator")?)?;
        Some(Function {
            name: syntax.text_of(name).to_owned(),
            whole: syntax.span_of(definition.byte_range()),
            body: syntax.span_of(body.byte_range()),
        })
    }

    /// The value that initializes the variable whose declared name is at the place. A list in
    /// braces is given as it stands.
    pub fn initializer_at(&self, place: Place) -> Option<Operand> {
        let syntax = Syntax::of(self, place.file)?;
        let name = syntax.leaf_at(place)?;
        let declarator = (syntax.tree.ancestors(name))
            .take_while(|node| *node == name || is_declarator(*node))
            .find(|node| node.kind() == "init_declarator")?;
        if declared_name(declarator)? != name {
            return None;
        }
        Some(syntax.operand(declarator.child_by_field_name("value")?))
    }

    /// The value that the `return` at the place returns.
    pub fn returned_at(&self, place: Place) -> Option<Operand> {
        let syntax = Syntax::of(self, place.file)?;
        let keyword = syntax.leaf_at(place).filter(|leaf| leaf.kind() == "return")?;
        let statement = keyword.parent()?;
        let value = named_children(statement).into_iter().find(|&node| is_expression(node, Some(statement)));
        Some(syntax.operand(value?))
    }

    /// The condition that decides the branch at the place: of an `if`, a loop or a `switch`.
    /// Its `whole` has the parentheses that belong to the statement, its `bare` has none.
    pub fn condition_at(&self, place: Place) -> Option<Operand> {
        let syntax = Syntax::of(self, place.file)?;
        let leaf = syntax.leaf_at(place)?;
        let statement = branching_statement(syntax.tree, leaf)?;
        Some(syntax.operand(statement.child_by_field_name("condition")?))
    }
}

/// The branch that a token stands for: by its keyword, by the brace before a `do`'s `while` or, without
/// braces, the start of the body, or by being the first token of the condition.
fn branching_statement<'t>(tree: &'t Tree, leaf: Node<'t>) -> Option<Node<'t>> {
    let path: Vec<Node<'t>> = tree.ancestors(leaf).collect();
    let at = |number: usize| path.get(number).copied();
    match leaf.kind() {
        "if" | "while" | "for" | "do" | "switch" => return at(1),
        "}" => return at(2).filter(|node| node.kind() == "do_statement"),
        _ => {}
    }
    let start = leaf.start_byte();
    let count = path.iter().take_while(|node| node.start_byte() == start).count();
    let (largest, around) = (at(count.checked_sub(1)?)?, at(count)?);
    if around.kind() == "do_statement" && around.child_by_field_name("body") == Some(largest) {
        return Some(around);
    }
    if is_condition(largest, around) {
        return Some(around);
    }
    let statement = at(count + 1)?;
    (around.kind() == "parenthesized_expression" && is_condition(around, statement)).then_some(statement)
}

fn is_condition(node: Node, statement: Node) -> bool {
    statement.kind().ends_with("_statement") && statement.child_by_field_name("condition") == Some(node)
}

fn is_declarator(node: Node) -> bool {
    node.kind().ends_with("declarator")
}

/// The name inside a declarator: what remains when pointers, arrays, parameters and parentheses
/// are taken off.
fn declared_name(mut declarator: Node<'_>) -> Option<Node<'_>> {
    loop {
        if matches!(declarator.kind(), "identifier" | "type_identifier") {
            return Some(declarator);
        }
        declarator = declarator.child_by_field_name("declarator").or_else(|| {
            let inside = named_children(declarator);
            inside.into_iter().find(|&node| is_declarator(node) || is_name(node))
        })?;
    }
}

fn is_name(node: Node) -> bool {
    matches!(node.kind(), "identifier" | "type_identifier")
}
