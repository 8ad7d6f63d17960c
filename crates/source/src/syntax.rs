//! The C syntax around a place.
//!
//! The compiler's debug info gives a point for each instruction: an operator's own token, the
//! start of a variable, a call or a subscript, a member's name. From that point these files find
//! the range of the expression, its operands, its statement and its function:
//!
//! - [`expression`]: which expressions begin or have their token at a place;
//! - [`operator`]: the operator whose token is at a place, and its operands;
//! - [`scope`]: the statement, function, condition, initializer or returned value there;
//! - [`casts`]: casts told apart from operators, which the parser cannot do alone.
//!
//! A file is parsed once, whole, by tree-sitter; each question then descends from the root to
//! the place, so it costs the tree's depth and not the file's size. The parser knows neither
//! macros nor types, and recovers from what it cannot read: where the recovery touches an
//! expression directly there is no answer, elsewhere the answer is the best subtree.

pub(crate) mod casts;
pub(crate) mod expression;
pub(crate) mod operator;
pub(crate) mod scope;
pub(crate) mod tree;

use std::ops::Range;

use tree_sitter::{Node, Parser};

use self::casts::TypeNames;
use self::expression::is_expression;
use crate::text::Text;
use crate::tokens::Tokens;
use crate::{FileId, Place, Sources, Span};

/// A parsed text.
#[derive(Debug)]
pub(crate) struct Tree {
    tree: tree_sitter::Tree,
}

impl Tree {
    /// `None` only if the parser does not fit its grammar, which the tests rule out.
    pub(crate) fn parse(text: &str, tokens: &Tokens, types: &TypeNames) -> Option<Tree> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
        let text = casts::disambiguated(text, tokens, types);
        let tree = parser.parse(text.as_ref(), None)?;
        Some(Tree { tree })
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The smallest node that covers the range.
    pub(crate) fn covering(&self, range: &Range<usize>) -> Option<Node<'_>> {
        self.root().descendant_for_byte_range(range.start, range.end)
    }

    /// The node and all that contain it, the smallest first. One descent from the root finds them all; to ask each
    /// for its parent would descend every time.
    pub(crate) fn ancestors<'t>(&'t self, node: Node<'t>) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let mut path = vec![self.root()];
        while let Some(child) = path.last().filter(|&&last| last != node).and_then(|it| it.child_with_descendant(node))
        {
            path.push(child);
        }
        path.into_iter().rev()
    }

    /// The node and all that contain it, each with what contains it.
    pub(crate) fn with_parents<'t>(&'t self, node: Node<'t>) -> impl Iterator<Item = (Node<'t>, Option<Node<'t>>)> {
        let mut nodes = self.ancestors(node).peekable();
        std::iter::from_fn(move || Some((nodes.next()?, nodes.peek().copied())))
    }

    /// The smallest expression that has exactly this range.
    pub(crate) fn expression_in(&self, range: &Range<usize>) -> Option<Node<'_>> {
        let around = self.with_parents(self.covering(range)?);
        let mut around = around.take_while(|(node, _)| node.byte_range() == *range);
        around.find(|&(node, parent)| is_expression(node, parent)).map(|(node, _)| node)
    }
}

/// A token as the parser sees it; a string or character literal is one token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub span: Span,
    pub text: String,
}

/// One file's text and tree, for the length of a question.
#[derive(Clone, Copy)]
pub(crate) struct Syntax<'s> {
    file: FileId,
    text: &'s Text,
    types: &'s TypeNames,
    tree: &'s Tree,
}

impl<'s> Syntax<'s> {
    pub(crate) fn of(sources: &'s Sources, file: FileId) -> Option<Self> {
        Some(Syntax { file, text: sources.decoded(file)?, types: sources.type_names(file)?, tree: sources.tree(file)? })
    }

    /// The smallest node at a place, where that node is a token.
    fn leaf_over(&self, place: Place) -> Option<Node<'s>> {
        let offset = self.text.offset(place.position)?;
        // One byte wide: an empty range would also find tokens the parser only imagined.
        let leaf = self.tree.covering(&(offset..offset + 1))?;
        if leaf.start_byte() > offset || leaf.end_byte() <= offset {
            return None;
        }
        // To ask for a parent costs as much as the way here.
        let literal = Some(leaf).filter(|&leaf| may_be_quoted(leaf)).and_then(|leaf| leaf.parent());
        let literal = literal.filter(|&literal| is_quoted(literal));
        literal.or_else(|| (leaf.child_count() == 0 || is_quoted(leaf)).then_some(leaf))
    }

    /// The token that starts at a place.
    fn leaf_at(&self, place: Place) -> Option<Node<'s>> {
        let leaf = self.leaf_over(place)?;
        (Some(leaf.start_byte()) == self.text.offset(place.position)).then_some(leaf)
    }

    fn text_of(&self, node: Node) -> &'s str {
        self.text.as_str().get(node.byte_range()).unwrap_or_default()
    }

    fn span_of(&self, range: Range<usize>) -> Span {
        let (start, end) = (self.text.position(range.start), self.text.position(range.end));
        Span { file: self.file, start, end }
    }
}

impl Sources {
    /// The token at a place, also if the place is in the token's middle. `None` on blanks; a
    /// `#define`'s body is one token.
    pub fn token_at(&self, place: Place) -> Option<Token> {
        let syntax = Syntax::of(self, place.file)?;
        let leaf = syntax.leaf_over(place)?;
        Some(Token { span: syntax.span_of(leaf.byte_range()), text: syntax.text_of(leaf).to_owned() })
    }
}

/// Literals, whose parts the grammar sees as tokens of their own.
fn is_quoted(node: Node) -> bool {
    matches!(node.kind(), "string_literal" | "char_literal" | "system_lib_string")
}

/// Whether a token can be a part of a literal.
fn may_be_quoted(token: Node) -> bool {
    let kind = token.kind();
    matches!(kind, "string_content" | "character" | "escape_sequence") || kind.ends_with(['"', '\''])
}

/// The children that are code, not comments.
fn named_children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// Whether the parser made a part of this node up, or could not read it. Parts of parts do not
/// count: an unreadable statement in a block says nothing about the block's range.
fn is_damaged(node: Node) -> bool {
    let mut cursor = node.walk();
    node.is_error()
        || node.is_missing()
        || node.children(&mut cursor).any(|child| child.is_error() || child.is_missing())
}

#[cfg(test)]
mod tests;
