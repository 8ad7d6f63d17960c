//! Statements that are missing: an assignment or a reset, a step of a counter, a guard that leaves.
//!
//! A statement can be added before any other, and after the last of a block. What is added is copied from elsewhere in
//! the function, or is a small assignment to a variable that the function assigns; guards have the conditions of the
//! function and comparisons of its numbers. There are many, so that they are tried last, and no more than [`MOST`].

use std::collections::BTreeSet;

use source::SyntaxNode;

use super::{Candidate, one_line, squeezed};
use crate::c::{Expr, ExprKind, Function, Place, PlaceKind, Variable};

/// Candidates of this kind for a function.
pub const MOST: usize = 4000;
/// Conditions of guards.
const GUARDS: usize = 40;

/// Where a statement can be added.
struct Spot {
    place: usize,
    /// Where its statement begins and ends.
    start: usize,
    end: usize,
    /// It is not in a block: braces are needed.
    is_bare: bool,
    is_last: bool,
    in_loop: bool,
}

pub fn all(function: &Function, text: &str) -> Vec<Candidate> {
    let mut spots = Vec::new();
    spots_in(&function.syntax, function, true, false, &mut spots);
    let statements = Statements::of(function, text);
    let mut found = Vec::new();
    for spot in &spots {
        let place = &function.places[spot.place];
        for (statement, cost) in statements.at(spot, function, place) {
            found.extend(before(spot, place, text, &statement, cost));
            found.extend(after(spot, place, text, &statement, cost + 1));
        }
    }
    found.sort_by_key(|it| (it.cost, it.place));
    found.truncate(MOST);
    found
}

/// Statements with a place of their own, or whose first part is one.
fn spots_in(node: &SyntaxNode, function: &Function, in_block: bool, in_loop: bool, spots: &mut Vec<Spot>) {
    let find = |range: &std::ops::Range<usize>| function.places.iter().position(|it| it.range == *range);
    let place = match node.kind {
        "expression_statement" | "return_statement" => find(&node.range),
        "if_statement" if in_block => {
            let condition = node.child("condition").and_then(|it| it.named().next());
            condition.and_then(|it| find(&it.range))
        }
        "for_statement" if in_block => node.child("initializer").and_then(|it| find(&it.range)),
        _ => None,
    };
    if let Some(place) = place {
        let (start, end) = (node.range.start, node.range.end);
        spots.push(Spot { place, start, end, is_bare: !in_block, is_last: false, in_loop });
    }
    let is_block = matches!(node.kind, "compound_statement" | "translation_unit" | "case_statement");
    let inside = in_loop || matches!(node.kind, "for_statement" | "while_statement" | "do_statement");
    let first = spots.len();
    for child in node.named() {
        spots_in(child, function, is_block, inside, spots);
    }
    if node.kind == "compound_statement"
        && let Some(last) = node.named().last()
        && let Some(spot) =
            spots[first..].iter_mut().find(|it| it.end == last.range.end && it.start == last.range.start)
    {
        spot.is_last = true;
    }
}

/// The text with the statement before the spot's.
fn before(spot: &Spot, place: &Place, text: &str, statement: &str, cost: u32) -> Option<Candidate> {
    let original = one_line(&text[place.range.clone()]);
    let expression = statement.strip_suffix(';');
    let tried = match &place.kind {
        PlaceKind::Statement | PlaceKind::Return => format!("{{ {statement} {original} }}"),
        PlaceKind::Effect => format!("{}, {original}", expression.filter(|it| !it.starts_with("if "))?),
        PlaceKind::Condition { of_loop: false } => format!("({{ {statement} {original}; }})"),
        _ => return None,
    };
    let (range, replacement) = match spot.is_bare {
        true => (spot.start..spot.end, format!("{{ {statement} {} }}", &text[spot.start..spot.end])),
        false => (spot.start..spot.start, format!("{statement}\n{}", indentation(text, spot.start))),
    };
    Some(Candidate { place: spot.place, range, replacement, text: tried, cost, evidence: None, is_alone: false })
}

fn after(spot: &Spot, place: &Place, text: &str, statement: &str, cost: u32) -> Option<Candidate> {
    if !(spot.is_last || spot.is_bare) || place.kind != PlaceKind::Statement {
        return None;
    }
    let original = one_line(&text[place.range.clone()]);
    let tried = format!("{{ {original} {statement} }}");
    let (range, replacement) = match spot.is_bare {
        true => (spot.start..spot.end, format!("{{ {} {statement} }}", &text[spot.start..spot.end])),
        false => (spot.end..spot.end, format!("\n{}{statement}", indentation(text, spot.start))),
    };
    Some(Candidate { place: spot.place, range, replacement, text: tried, cost, evidence: None, is_alone: false })
}

/// The blanks before a statement on its line.
fn indentation(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let blanks = text[line..at].len() - text[line..at].trim_start().len();
    &text[line..line + blanks]
}

/// What can be added.
struct Statements {
    /// Assignments as they are written.
    copies: Vec<String>,
    /// Variables that are assigned.
    assigned: BTreeSet<String>,
    /// Elements and what pointers point to, as they are written.
    cells: BTreeSet<String>,
    conditions: Vec<String>,
    /// Statements that return.
    returns: Vec<String>,
}

impl Statements {
    fn of(function: &Function, text: &str) -> Statements {
        let (mut copies, mut conditions, mut returns) = (Vec::new(), Vec::new(), Vec::new());
        let (mut assigned, mut cells) = (BTreeSet::new(), BTreeSet::new());
        for place in function.places.iter().filter(|it| !it.is_declaration()) {
            for expr in place.expr.all() {
                let is_cell = match &expr.kind {
                    ExprKind::Index(..) => true,
                    ExprKind::Unary(operator, _) => operator == "*",
                    _ => false,
                };
                if is_cell {
                    cells.insert(one_line(&text[expr.range.clone()]));
                }
                if let ExprKind::Assign(_, target, _) | ExprKind::Update(_, target) = &expr.kind {
                    if let ExprKind::Name(name) = &target.kind {
                        assigned.insert(name.clone());
                    }
                    copies.push(format!("{};", one_line(&text[expr.range.clone()])));
                }
            }
            match &place.kind {
                PlaceKind::Return => returns.push(one_line(&text[place.range.clone()])),
                PlaceKind::Condition { .. } => conditions.extend(comparisons(&place.expr, text)),
                _ => {}
            }
        }
        if function.words == "void" {
            returns.push("return;".to_owned());
        }
        for all in [&mut copies, &mut conditions, &mut returns] {
            let mut seen = BTreeSet::new();
            all.retain(|it| seen.insert(squeezed(it)));
        }
        returns.truncate(4);
        Statements { copies, assigned, cells, conditions, returns }
    }

    fn at(&self, spot: &Spot, function: &Function, place: &Place) -> Vec<(String, u32)> {
        let visible = function.visible(spot.start);
        let is_number = |it: &&&Variable| it.stars == 0 && !it.words.contains("struct") && !it.words.contains("void");
        let numbers: Vec<&str> = visible.iter().filter(is_number).map(|it| it.name.as_str()).collect();
        let mut found: Vec<(String, u32)> = self.copies.iter().map(|it| (it.clone(), 112)).collect();
        for name in self.assigned.iter().filter(|it| numbers.contains(&it.as_str())) {
            found.push((format!("{name} = 0;"), 111));
            found.push((format!("{name} = 1;"), 114));
            found.push((format!("{name}++;"), 114));
            found.push((format!("{name}--;"), 116));
            found.extend(numbers.iter().filter(|it| *it != name).map(|it| (format!("{name} = {it};"), 117)));
        }
        for cell in &self.cells {
            found.extend(numbers.iter().map(|it| (format!("{cell} = {it};"), 115)));
            found.push((format!("{cell} = 0;"), 116));
            found.extend(self.cells.iter().filter(|it| *it != cell).map(|it| (format!("{cell} = {it};"), 117)));
        }
        let mut guards: Vec<String> = self.conditions.clone();
        for name in &numbers {
            for (operator, number) in [("==", "0"), ("<", "0"), ("==", "1"), ("<=", "0"), (">", "0")] {
                guards.push(format!("{name} {operator} {number}"));
            }
        }
        guards.truncate(GUARDS);
        let is_effect = place.kind == PlaceKind::Effect;
        for guard in guards.iter().filter(|_| !is_effect) {
            found.extend(self.returns.iter().map(|it| (format!("if ({guard}) {it}"), 118)));
            if spot.in_loop {
                found.push((format!("if ({guard}) continue;"), 119));
            }
        }
        found
    }
}

/// The comparisons in a condition, and the condition.
fn comparisons(expr: &Expr, text: &str) -> Vec<String> {
    let mut found = vec![one_line(&text[expr.range.clone()])];
    let is_part = |it: &&Expr| matches!(&it.kind, ExprKind::Binary(operator, ..) if ["<", "<=", ">", ">=", "==", "!="].contains(&operator.as_str()));
    found.extend(expr.all().into_iter().filter(is_part).map(|it| one_line(&text[it.range.clone()])));
    found
}
