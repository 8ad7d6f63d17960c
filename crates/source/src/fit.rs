//! Replacements that keep the structure around them.
//!
//! A span that holds an expression, and the text of another → an [`Edit`], with parentheses
//! around the new expression where precedence needs them. Whether it does is not computed from a
//! table of precedences but seen: the text with the edit is parsed again, and there the
//! replacement must be one expression, at the same path from the enclosing statement or
//! declaration, between the same siblings. That also catches tokens that grow together, as `-`
//! and `-x` do. If parentheses do not help either, the replacement is refused.
//!
//! Only the syntax is looked at: not types, nor whether the left side of an assignment is still
//! something to assign to.

use std::ops::Range;

use tree_sitter::Node;

use crate::edit::{no_text, out_of_range};
use crate::syntax::Tree;
use crate::syntax::casts::TypeNames;
use crate::tokens::Tokens;
use crate::{Edit, FileId, Operator, OperatorKind, SourceError, Sources, Span};

/// The edit that puts `replacement` where the expression in `span` is, in parentheses if the
/// surroundings need them.
pub fn replace_expression(sources: &Sources, span: Span, replacement: &str) -> Result<Edit, SourceError> {
    let site = Site::around(sources, span)?;
    let replacement = replacement.trim();
    let in_parentheses = format!("({replacement})");
    if site.accepts(replacement, 0) {
        Ok(Edit { span, replacement: replacement.to_owned() })
    } else if site.accepts(&in_parentheses, 1) {
        Ok(Edit { span, replacement: in_parentheses })
    } else {
        Err(does_not_fit(sources, span, replacement))
    }
}

/// The edit that spells an operator differently and keeps its operands, with parentheses around
/// those operands and around the whole where the new precedence needs them.
pub fn replace_operator(sources: &Sources, operator: &Operator, spelling: &str) -> Result<Edit, SourceError> {
    let site = Site::around(sources, operator.whole)?;
    let part = |span: Span| sources.text_of(span).ok_or_else(|| out_of_range(sources, span));
    let [left, right] = operator.operands[..] else {
        return replace_unary(sources, operator, spelling);
    };
    if !matches!(operator.kind, OperatorKind::Binary | OperatorKind::Assignment) {
        return Err(does_not_fit(sources, operator.token, spelling));
    }
    let between = |start, end| part(Span { file: operator.token.file, start, end });
    let before = between(left.whole.end, operator.token.start)?;
    let after = between(operator.token.end, right.whole.start)?;
    for (left_form, right_form) in [("$", "$"), ("($)", "$"), ("$", "($)"), ("($)", "($)")] {
        let left_text = left_form.replace('$', part(left.whole)?);
        let right_text = right_form.replace('$', part(right.whole)?);
        let text = format!("{left_text}{before}{spelling}{after}{right_text}");
        let parts = [0..left_text.len(), text.len() - right_text.len()..text.len()];
        if !site.splits(&text, &parts) {
            continue;
        }
        if left_form == "$" && right_form == "$" && site.accepts(&text, 0) {
            return Ok(Edit { span: operator.token, replacement: spelling.to_owned() });
        }
        return replace_expression(sources, operator.whole, &text);
    }
    Err(does_not_fit(sources, operator.token, spelling))
}

/// An operator of one operand is replaced in its place or not at all; the empty spelling takes
/// it away.
fn replace_unary(sources: &Sources, operator: &Operator, spelling: &str) -> Result<Edit, SourceError> {
    let [operand] = operator.operands[..] else {
        return Err(does_not_fit(sources, operator.token, spelling));
    };
    let text = sources.text_of(operand.whole).ok_or_else(|| out_of_range(sources, operand.whole))?;
    let postfix = operand.whole.start < operator.token.start;
    let whole = if postfix { format!("{text}{spelling}") } else { format!("{spelling}{text}") };
    replace_expression(sources, operator.whole, &whole)
}

/// The expression to replace, and the statement or declaration that it is part of, apart from the
/// rest of the file: parsing again costs what that part costs.
struct Site<'s> {
    item: String,
    types: &'s TypeNames,
    tree: Tree,
    /// The expression's range in `item`.
    range: Range<usize>,
}

impl<'s> Site<'s> {
    fn around(sources: &'s Sources, span: Span) -> Result<Site<'s>, SourceError> {
        let FileParts { text, types, tree } = file_parts(sources, span.file)?;
        let range = sources.range(span).ok_or_else(|| out_of_range(sources, span))?;
        let not_an_expression =
            || SourceError::NotAnExpression { path: sources.path(span.file).to_owned(), position: span.start };
        let node = tree.expression_in(&range).ok_or_else(not_an_expression)?;
        let path: Vec<Node> = tree.ancestors(node).collect();
        let mut items = statement_around(&path, &range).into_iter().chain([item_around(&path)]);
        items.find_map(|item| Site::in_item(text, types, &item, &range)).ok_or_else(not_an_expression)
    }

    /// `None` if the item reads differently out of its context: then nothing can be compared.
    fn in_item(text: &str, types: &'s TypeNames, item: &Item, range: &Range<usize>) -> Option<Site<'s>> {
        let start = item.range.start;
        let range = range.start - start + item.before.len()..range.end - start + item.before.len();
        let item = [item.before, text.get(item.range.clone())?, item.after].concat();
        let tree = Tree::parse(&item, &Tokens::lex(&item), types)?;
        tree.expression_in(&range)?;
        Some(Site { item, types, tree, range })
    }

    /// The item with the expression replaced.
    fn with(&self, replacement: &str) -> Option<Tree> {
        let text = [&self.item[..self.range.start], replacement, &self.item[self.range.end..]].concat();
        Tree::parse(&text, &Tokens::lex(&text), self.types)
    }

    /// Whether the replacement, within its `parentheses`, is one expression where the old one
    /// was, and all else is the same.
    fn accepts(&self, replacement: &str, parentheses: usize) -> bool {
        let Some(tree) = self.with(replacement) else { return false };
        let range = self.range.start..self.range.start + replacement.len();
        // `b)+(c` is one expression in parentheses, and yet is none.
        let inner = range.start + parentheses..range.end - parentheses;
        let (Some(old), Some(new)) = (self.tree.expression_in(&self.range), tree.expression_in(&range)) else {
            return false;
        };
        let shift = Shift { after: self.range.end, by: range.end as isize - self.range.end as isize };
        tree.expression_in(&inner).is_some()
            && !new.has_error()
            && self.keeps_tokens(replacement)
            && shift.same_surroundings((&self.tree, old), (&tree, new))
    }

    /// Whether the replacement's first and last tokens stay apart from what is next to them; the
    /// parser, eager to recover, overlooks a comment that begins there and never ends.
    fn keeps_tokens(&self, replacement: &str) -> bool {
        let (before, after) = (&self.item[..self.range.start], &self.item[self.range.end..]);
        let apart = [before, replacement, after].map(|part| Tokens::lex(part).len());
        let together = Tokens::lex(&[before, replacement, after].concat());
        let end = before.len() + replacement.len();
        together.len() == apart.iter().sum::<usize>() && together.within(&(before.len()..end)).is_some()
    }

    /// Whether the parser sees exactly these parts of the text as the operands of one expression.
    fn splits(&self, text: &str, parts: &[Range<usize>]) -> bool {
        let bracketed = format!("({text})");
        let Some(tree) = self.with(&bracketed) else { return false };
        let start = self.range.start + 1;
        let Some(node) = tree.expression_in(&(start..start + text.len())) else { return false };
        let mut cursor = node.walk();
        let children = node.named_children(&mut cursor).filter(|child| child.kind() != "comment");
        let ranges = children.map(|child| child.start_byte() - start..child.end_byte() - start);
        ranges.eq(parts.iter().cloned())
    }
}

struct FileParts<'s> {
    text: &'s str,
    types: &'s TypeNames,
    tree: &'s Tree,
}

fn file_parts(sources: &Sources, file: FileId) -> Result<FileParts<'_>, SourceError> {
    let parts =
        || Some(FileParts { text: sources.text(file)?, types: sources.type_names(file)?, tree: sources.tree(file)? });
    parts().ok_or_else(|| no_text(sources, file))
}

/// How places behind an edit move.
struct Shift {
    after: usize,
    by: isize,
}

impl Shift {
    /// Whether the two nodes are reached by the same path, between siblings that are the same.
    fn same_surroundings(&self, old: (&Tree, Node), new: (&Tree, Node)) -> bool {
        let (old, new) = (outer_path(old.0, old.1), outer_path(new.0, new.1));
        let mut steps = old.windows(2).zip(new.windows(2));
        old.len() == new.len() && steps.all(|(old, new)| self.same_children(old[1], old[0], new[1], new[0]))
    }

    fn same_children(&self, old: Node, old_child: Node, new: Node, new_child: Node) -> bool {
        if old.kind() != new.kind() || old.child_count() != new.child_count() {
            return false;
        }
        let (mut old_cursor, mut new_cursor) = (old.walk(), new.walk());
        let mut pairs = old.children(&mut old_cursor).zip(new.children(&mut new_cursor));
        pairs.all(|(old_sibling, new_sibling)| {
            if old_sibling == old_child || new_sibling == new_child {
                return old_sibling == old_child && new_sibling == new_child;
            }
            old_sibling.kind() == new_sibling.kind()
                && self.moved(old_sibling.start_byte()) == new_sibling.start_byte()
                && self.moved(old_sibling.end_byte()) == new_sibling.end_byte()
        })
    }

    fn moved(&self, offset: usize) -> usize {
        if offset < self.after { offset } else { offset.wrapping_add_signed(self.by) }
    }
}

/// The way from a node to the root, without smaller nodes of the same range: a wrapper with no token of its own says
/// nothing.
fn outer_path<'t>(tree: &'t Tree, node: Node<'t>) -> Vec<Node<'t>> {
    let path: Vec<Node<'t>> = tree.ancestors(node).collect();
    let same = path.iter().take_while(|it| it.byte_range() == node.byte_range()).count();
    path[same.saturating_sub(1)..].to_vec()
}

/// A part of a file, and what must stand around it so that it can be parsed alone.
struct Item {
    before: &'static str,
    range: Range<usize>,
    after: &'static str,
}

/// The statement around an expression, which the path begins with. Of a statement with others inside, only what stands
/// before them: `while (…) ;`.
fn statement_around(path: &[Node], range: &Range<usize>) -> Option<Item> {
    let is_statement = |node: &&Node| node.kind().ends_with("_statement") || node.kind() == "declaration";
    let number = path.iter().position(|node| is_statement(&node))?;
    let is_in_function = path[number..].iter().any(|node| node.kind() == "function_definition");
    let statement = path[number];
    let whole = Item { before: "void f(void) {", range: statement.byte_range(), after: "}" };
    let cut = match statement.kind() {
        "do_statement" => {
            let condition = statement.child_by_field_name("condition")?;
            Item { before: "void f(void) { while", range: condition.byte_range(), after: ";}" }
        }
        "case_statement" => {
            let value = statement.child_by_field_name("value")?;
            let range = statement.start_byte()..value.end_byte();
            Item { before: "void f(void) { switch (0) {", range, after: ":;}}" }
        }
        _ => match ["body", "consequence"].into_iter().find_map(|name| statement.child_by_field_name(name)) {
            Some(inside) => Item { range: statement.start_byte()..inside.start_byte(), after: ";}", ..whole },
            None => whole,
        },
    };
    let is_inside = cut.range.start <= range.start && range.end <= cut.range.end;
    (is_in_function && is_inside).then_some(cut)
}

/// The function around an expression, which the path begins with, or what stands directly in the file.
fn item_around(path: &[Node]) -> Item {
    let is_directly_in_file = |parent: &Node| {
        matches!(parent.kind(), "translation_unit" | "declaration_list") || parent.kind().starts_with("preproc_")
    };
    let is_item = |&number: &usize| {
        path[number].kind() == "function_definition" || path.get(number + 1).is_some_and(is_directly_in_file)
    };
    let number = (0..path.len()).find(is_item).unwrap_or(0);
    Item { before: "", range: path[number].byte_range(), after: "" }
}

fn does_not_fit(sources: &Sources, span: Span, replacement: &str) -> SourceError {
    SourceError::DoesNotFit {
        path: sources.path(span.file).to_owned(),
        position: span.start,
        replacement: replacement.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Patch, Place};

    /// A function with the statement, and the range of what is between `«` and `»` in it.
    fn marked(statement: &str) -> (Sources, Span) {
        let text = format!("typedef long word;\nint f(int *p) {{\n  {statement}\n}}\n");
        let (before, rest) = text.split_once('«').expect("a marked range");
        let (inside, after) = rest.split_once('»').expect("the range's end");
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some([before, inside, after].concat()));
        let span = sources.span(file, before.len()..before.len() + inside.len());
        (sources, span.unwrap())
    }

    fn third_line(sources: &Sources, edit: Result<Edit, SourceError>) -> String {
        match edit {
            Ok(edit) => {
                let file = edit.span.file;
                let new = Patch::new(vec![edit]).unwrap().apply(sources, file).unwrap();
                new.lines().nth(2).unwrap().trim().to_owned()
            }
            Err(error) => error.to_string(),
        }
    }

    /// The statement after what is marked in it was replaced.
    #[track_caller]
    fn check(statement: &str, replacement: &str, expected: &str) {
        let (sources, span) = marked(statement);
        assert_eq!(third_line(&sources, replace_expression(&sources, span, replacement)), expected);
    }

    /// The statement after the operator that is marked in it was replaced.
    #[track_caller]
    fn check_operator(statement: &str, spelling: &str, expected: &str) {
        let (sources, span) = marked(statement);
        let operator = sources.operator_at(Place { file: span.file, position: span.start }).unwrap();
        assert_eq!(third_line(&sources, replace_operator(&sources, &operator, spelling)), expected);
    }

    #[test]
    fn parentheses_come_where_precedence_needs_them() {
        check("x = a * «b»;", "x + y", "x = a * (x + y);");
        check("x = a + «b»;", "x * y", "x = a + x * y;");
        check("x = a - «b»;", "c - d", "x = a - (c - d);");
        check("x = «a» - b;", "c - d", "x = c - d - b;");
        check("x = !«a»;", "b == c", "x = !(b == c);");
        check("x = (long)«a»;", "b + c", "x = (long)(b + c);");
        check("x = «a» ? b : c;", "d = e", "x = (d = e) ? b : c;");
        check("x = a ? «b» : c;", "d ? e : f", "x = a ? d ? e : f : c;");
        check("x = «a» ? b : c;", "d ? e : f", "x = (d ? e : f) ? b : c;");
        check("x = «a»[i];", "p + 1", "x = (p + 1)[i];");
        check("x = a[«i»];", "i + 1", "x = a[i + 1];");
        check("x = «p»->f;", "q + 1", "x = (q + 1)->f;");
        check("x = *«p»++;", "q + 1", "x = *(q + 1)++;");
    }

    #[test]
    fn existing_parentheses_are_enough() {
        check("x = a * («b + c»);", "x - y", "x = a * (x - y);");
        check("if («a < b») x = 1;", "a < b && c", "if (a < b && c) x = 1;");
        check("while («a») b;", "c, d", "while (c, d) b;");
        check("return «a»;", "a + 1", "return a + 1;");
        check("int x = «a»;", "b ? c : d", "int x = b ? c : d;");
        check("g(«a», b);", "c + d", "g(c + d, b);");
        check("x = «a + b» * c;", "d", "a.c:3:7: no single expression stands here");
    }

    #[test]
    fn commas_and_glued_tokens_are_seen() {
        check("g(«a», b);", "c, d", "g((c, d), b);");
        check("x = a -«b»;", "-c", "x = a -(-c);");
        check("x = a - «b»;", "-c", "x = a - -c;");
        check("x = a /«b»;", "*p", "x = a /(*p);");
        check("x = a &«b»;", "&c", "x = a &(&c);");
        check("return«(a)»;", "b", "return(b);");
        check("x = sizeof «a»;", "b + c", "x = sizeof (b + c);");
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        check("x = «a»;", "b; c", "a.c:3:7: `b; c` does not fit here");
        check("x = «a»;", "b)+(c", "a.c:3:7: `b)+(c` does not fit here");
        check("x = «a»;", "", "a.c:3:7: `` does not fit here");
        check("x = «a»;", "return 1", "a.c:3:7: `return 1` does not fit here");
        check("x = «a»;", "b /*", "a.c:3:7: `b /*` does not fit here");
        check("«x = a;»", "b", "a.c:3:3: no single expression stands here");
        check("x = a «+» b;", "-", "a.c:3:9: no single expression stands here");
        check("«int» x;", "long", "a.c:3:3: no single expression stands here");
        check("int «x»;", "y", "a.c:3:7: no single expression stands here");
    }

    #[test]
    fn the_rest_of_the_function_may_hold_anything() {
        check("x = ({ int t = «a»; t; }) * (word) - y;", "b, c", "x = ({ int t = (b, c); t; }) * (word) - y;");
        check("switch (x) { case 1: return a ? «b» : c; }", "d, e", "switch (x) { case 1: return a ? d, e : c; }");
        check("for (i = 0; i < «n»; i++) ;", "n - 1", "for (i = 0; i < n - 1; i++) ;");
        check("x = a * («b»);", "c + d", "x = a * (c + d);");
        check("x = a * «(b)»;", "c + d", "x = a * (c + d);");
    }

    #[test]
    fn operators_keep_their_operands() {
        check_operator("if (i «<=» n) x = 1;", "<", "if (i < n) x = 1;");
        check_operator("x = a «+» b;", "*", "x = a * b;");
        check_operator("x = a + b «*» c;", "+", "x = a + (b + c);");
        check_operator("x = a «+» b * c;", "*", "x = a * (b * c);");
        check_operator("x = a * b «+» c;", "/", "x = a * b / c;");
        check_operator("x = a + b «<» c + d;", "*", "x = (a + b) * (c + d);");
        check_operator("x = a «&&» b || c;", "||", "x = a || b || c;");
        check_operator("x = a || b «&&» c;", "||", "x = a || (b || c);");
        check_operator("x «+=» 1;", "-=", "x -= 1;");
        check_operator("if (x «=» 1) y;", "==", "if (x == 1) y;");
        check_operator("if (x «==» 1) y;", "=", "if (x = 1) y;");
        check_operator("x = a /* why */ «-» /* so */ b;", "+", "x = a /* why */ + /* so */ b;");
    }

    #[test]
    fn operators_of_one_operand_are_replaced_or_dropped() {
        check_operator("x = «!»a;", "~", "x = ~a;");
        check_operator("x = «!»a;", "", "x = a;");
        check_operator("i«++»;", "--", "i--;");
        check_operator("«++»i;", "--", "--i;");
        check_operator("x = - «-»y;", "", "x = - y;");
        check_operator("x = a «?» b : c;", "+", "a.c:3:9: `+` does not fit here");
        check_operator("x = a «+» b;", "= =", "a.c:3:9: `= =` does not fit here");
    }
}
