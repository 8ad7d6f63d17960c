//! Over which values a quantifier ranges: the bounds that its guard gives to each variable.
//!
//! `\forall integer i, j; 0 <= i < j < n ==> …` → `i` from `0` to `n - 2`, then `j` from `i + 1` to `n - 1`. A bound that
//! speaks of a variable that is bound later is followed to that variable's own bound. Ranges may be too wide, since
//! the guard is evaluated as well; they are never too narrow. A variable without bounds is refused: such a
//! quantifier cannot be executed.

use super::syntax::{Term, TermKind};
use crate::boogie::{Diagnostic, Kind};

/// A variable with its least and greatest value.
pub struct Bounded {
    pub name: String,
    pub from: Term,
    pub to: Term,
}

/// `small <= large + slack`, as it was found in a guard.
struct Relation<'t> {
    small: &'t Term,
    large: &'t Term,
    strict: bool,
}

/// The bounds of each variable, in an order in which they can be computed.
pub fn bounds(universal: bool, binders: &[String], body: &Term) -> Result<Vec<Bounded>, Diagnostic> {
    let relations = relations(guard(universal, body));
    let find = |index: usize| {
        let later = &binders[index..];
        let from = bound(&binders[index], later, &relations, false, 0);
        let to = bound(&binders[index], later, &relations, true, 0);
        match (from, to) {
            (Some(from), Some(to)) => Ok(Bounded { name: binders[index].clone(), from, to }),
            _ => Err(unbounded(&binders[index], universal, body)),
        }
    };
    (0..binders.len()).map(find).collect()
}

fn unbounded(name: &str, universal: bool, body: &Term) -> Diagnostic {
    let message = format!("`{name}` has no bounds, so that this cannot be executed");
    let help = match universal {
        true => format!("write its range first: \\forall integer {name}; 0 <= {name} < n ==> …"),
        false => format!("write its range first: \\exists integer {name}; 0 <= {name} < n && …"),
    };
    Diagnostic::new(Kind::Unsupported, body.extent, message).with_help(help)
}

fn guard(universal: bool, body: &Term) -> Vec<&Term> {
    match &body.kind {
        TermKind::Binary("==>", left, right) if universal => {
            let mut all = left.conjuncts();
            all.extend(guard(true, right));
            all
        }
        _ if universal => Vec::new(),
        _ => body.conjuncts(),
    }
}

fn relations(guard: Vec<&Term>) -> Vec<Relation<'_>> {
    let mut found = Vec::new();
    for term in guard {
        let TermKind::Binary(operator, left, right) = &term.kind else { continue };
        match *operator {
            "<" | "<=" => found.push(Relation { small: left, large: right, strict: *operator == "<" }),
            ">" | ">=" => found.push(Relation { small: right, large: left, strict: *operator == ">" }),
            "==" => {
                found.push(Relation { small: left, large: right, strict: false });
                found.push(Relation { small: right, large: left, strict: false });
            }
            _ => {}
        }
    }
    found
}

/// The greatest or least value of a variable without those that are bound later.
fn bound(name: &str, later: &[String], relations: &[Relation<'_>], upper: bool, depth: usize) -> Option<Term> {
    if depth > later.len() {
        return None;
    }
    let is_it = |term: &Term| matches!(&term.kind, TermKind::Name(found) if found == name);
    for relation in relations {
        let (mine, other) = if upper { (relation.small, relation.large) } else { (relation.large, relation.small) };
        if !is_it(mine) {
            continue;
        }
        let reached = match &other.kind {
            TermKind::Name(next) if later.contains(next) => bound(next, later, relations, upper, depth + 1),
            _ => other.names().iter().all(|it| !later.contains(it)).then(|| other.clone()),
        };
        let Some(reached) = reached else { continue };
        if !relation.strict {
            return Some(reached);
        }
        let extent = reached.extent;
        let one = Term::new(TermKind::Number("1".to_owned()), extent);
        let operator = if upper { "-" } else { "+" };
        return Some(Term::new(TermKind::Binary(operator, Box::new(reached), Box::new(one)), extent));
    }
    None
}
