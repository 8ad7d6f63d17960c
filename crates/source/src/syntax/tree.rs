//! The syntax tree of a file as owned data, for those who walk whole functions.
//!
//! A file → [`SyntaxNode`]s with the parser's names for kinds and fields, without comments. What the parser could not
//! read has the kind `ERROR`. Ranges are byte offsets in the file's text.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::Syntax;
use crate::{FileId, Sources};

/// A node with its children; tokens such as `+` are nodes that are not named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxNode {
    pub kind: &'static str,
    /// What it is to its parent.
    pub field: Option<&'static str>,
    pub is_named: bool,
    pub range: Range<usize>,
    pub children: Vec<SyntaxNode>,
}

impl SyntaxNode {
    pub fn child(&self, field: &str) -> Option<&SyntaxNode> {
        self.children.iter().find(|it| it.field == Some(field))
    }

    pub fn named(&self) -> impl Iterator<Item = &SyntaxNode> {
        self.children.iter().filter(|it| it.is_named)
    }

    /// The node and all below, in the order of the text.
    pub fn all(&self) -> Vec<&SyntaxNode> {
        let mut found = vec![self];
        found.extend(self.children.iter().flat_map(SyntaxNode::all));
        found
    }
}

impl Sources {
    /// The whole tree of a file.
    pub fn syntax_tree(&self, file: FileId) -> Option<SyntaxNode> {
        let syntax = Syntax::of(self, file)?;
        let mut cursor = syntax.tree.root().walk();
        Some(owned(&mut cursor))
    }
}

fn owned(cursor: &mut TreeCursor<'_>) -> SyntaxNode {
    let node: Node<'_> = cursor.node();
    let field = cursor.field_name();
    let mut children = Vec::new();
    if cursor.goto_first_child() {
        loop {
            if cursor.node().kind() != "comment" {
                children.push(owned(cursor));
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }
    SyntaxNode { kind: node.kind(), field, is_named: node.is_named(), range: node.byte_range(), children }
}

#[cfg(test)]
mod tests {
    use crate::Sources;

    #[test]
    fn fields_and_ranges() {
        let text = "int f(int n) { /* no */ return n + 1; }\n";
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some(text.into()));
        let tree = sources.syntax_tree(file).unwrap();
        let all = tree.all();
        let sum = all.iter().find(|it| it.kind == "binary_expression").unwrap();
        assert_eq!(&text[sum.range.clone()], "n + 1");
        assert_eq!(sum.child("operator").map(|it| &text[it.range.clone()]), Some("+"));
        assert!(all.iter().all(|it| it.kind != "comment"));
    }
}
