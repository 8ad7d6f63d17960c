//! Changes of how statements are arranged: a missing or superfluous `else`, a missing `break` or `return`, a semicolon
//! that ends a loop before its body, a statement that should not be there, two in the wrong order.
//!
//! Each is compiled by itself. Whether it compiles, the compiler says.

use std::ops::Range;

use source::SyntaxNode;

use super::{Candidate, one_line};
use crate::c::{Function, PlaceKind};

const LOOPS: [&str; 3] = ["for_statement", "while_statement", "do_statement"];

pub fn all(function: &Function, text: &str) -> Vec<Candidate> {
    let mut walk = Walk { function, text, found: Vec::new() };
    walk.node(&function.syntax, false);
    walk.found
}

struct Walk<'s> {
    function: &'s Function,
    text: &'s str,
    found: Vec<Candidate>,
}

impl Walk<'_> {
    /// `around` is the node that changes: the place that a report shows is the first one in it.
    fn push(&mut self, around: &Range<usize>, range: Range<usize>, replacement: String, cost: u32) {
        let inside = |range: &Range<usize>| around.start <= range.start && range.end <= around.end;
        let places = self.function.places.iter();
        let Some(place) = places.clone().position(|it| !it.is_declaration() && inside(&it.range)) else { return };
        let whole =
            format!("{}{replacement}{}", &self.text[around.start..range.start], &self.text[range.end..around.end]);
        let text = one_line(&whole);
        self.found.push(Candidate { place, range, replacement, text, cost, evidence: None, is_alone: true });
    }

    fn node(&mut self, node: &SyntaxNode, in_loop: bool) {
        let is_loop = LOOPS.contains(&node.kind);
        match node.kind {
            "compound_statement" => self.sequence(node),
            "if_statement" => self.branch(node, in_loop),
            _ => {}
        }
        let empty = |it: &SyntaxNode| it.kind == "expression_statement" && it.named().next().is_none();
        let body = match node.kind {
            "if_statement" => node.child("consequence"),
            "for_statement" | "while_statement" => node.child("body"),
            _ => None,
        };
        if let Some(body) = body.filter(|it| empty(it)) {
            self.push(&node.range, body.range.clone(), String::new(), 82);
        }
        let breaks = node.kind != "switch_statement" && (in_loop || is_loop);
        for child in node.named() {
            self.node(child, breaks);
        }
    }

    /// Neighbours in a block.
    fn sequence(&mut self, node: &SyntaxNode) {
        let statements: Vec<&SyntaxNode> = node.named().filter(|it| it.kind != "comment").collect();
        for pair in statements.windows(2) {
            let both = pair[0].range.start..pair[1].range.end;
            let follows = matches!(pair[1].kind, "if_statement" | "expression_statement" | "for_statement");
            if pair[0].kind == "if_statement" && pair[0].child("alternative").is_none() && follows {
                let at = pair[1].range.start;
                self.push(&both, at..at, "else ".to_owned(), 97);
            }
            if pair.iter().all(|it| it.kind == "expression_statement") {
                let spelled = |it: &SyntaxNode| &self.text[it.range.clone()];
                let between = &self.text[pair[0].range.end..pair[1].range.start];
                let swapped = format!("{}{between}{}", spelled(pair[1]), spelled(pair[0]));
                self.push(&both, both.clone(), swapped, 104);
            }
        }
        for statement in statements {
            if LOOPS.contains(&statement.kind) || statement.kind == "if_statement" {
                self.push(&statement.range, statement.range.clone(), ";".to_owned(), 108);
            }
        }
    }

    fn branch(&mut self, node: &SyntaxNode, in_loop: bool) {
        let alternative = node.child("alternative");
        if let Some(inner) = alternative.and_then(|it| it.named().next()) {
            let start = alternative.map_or(inner.range.start, |it| it.range.start);
            self.push(&node.range, start..inner.range.start, String::new(), 99);
        }
        let bodies = [node.child("consequence"), alternative.and_then(|it| it.named().next())];
        for body in bodies.into_iter().flatten() {
            if in_loop {
                self.at_end(node, body, "break;", 99);
                self.at_end(node, body, "continue;", 103);
            }
            let at = node.range.start;
            let known = self.function.places.iter();
            let results = known.filter(|it| it.kind == PlaceKind::Return && !it.expr.range.is_empty());
            let mut results: Vec<String> = results.map(|it| self.text[it.range.clone()].to_owned()).collect();
            if self.function.name == "main" && self.function.body.contains(&at) {
                results.push("return 0;".to_owned());
            }
            results.push("return;".to_owned());
            results.sort();
            results.dedup();
            for result in results.iter().take(3) {
                self.at_end(node, body, result, 101);
            }
        }
    }

    /// A statement more at the end of a branch that does not end with a jump already.
    fn at_end(&mut self, node: &SyntaxNode, body: &SyntaxNode, statement: &str, cost: u32) {
        let last = if body.kind == "compound_statement" { body.named().last() } else { Some(body) };
        if last.is_some_and(|it| matches!(it.kind, "break_statement" | "return_statement" | "continue_statement")) {
            return;
        }
        if body.kind == "compound_statement" {
            let at = body.range.end - 1;
            self.push(&node.range, at..at, format!("{statement} "), cost);
        } else if body.kind == "expression_statement" {
            let spelled = &self.text[body.range.clone()];
            self.push(&node.range, body.range.clone(), format!("{{ {spelled} {statement} }}"), cost);
        }
    }
}
