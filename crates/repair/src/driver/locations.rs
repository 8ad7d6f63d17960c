//! Where a contract says that there is something: `\valid` and `assigns`.
//!
//! Terms → paths of slots with first and last index. `\valid` may stand as a conjunct of `requires`, and for the rows of
//! a pointer to pointers under `\forall`.

use frontend::acsl::syntax::{Contract, Term, TermKind};

use super::inputs::path;

/// Greatest indices that are valid, by what they belong to.
#[derive(Default)]
pub struct Valid {
    pub arrays: Vec<(String, Term)>,
    /// Of each row.
    pub rows: Vec<(String, Term)>,
}

impl Valid {
    pub fn of(contract: Option<&Contract>) -> Valid {
        let clauses = contract.into_iter().flat_map(|it| &it.requires);
        let mut valid = Valid::default();
        for conjunct in clauses.flat_map(|clause| clause.term.conjuncts()) {
            let Some(what) = valid_in(conjunct) else { continue };
            match row_of(what) {
                Some(row) => valid.rows.push(row),
                None => valid.arrays.extend(greatest(what)),
            }
        }
        valid
    }

    /// Whether there is more than one at a pointer.
    pub fn is_many(&self, name: &str) -> bool {
        let is_first = |term: &Term| matches!(&term.kind, TermKind::Number(number) if number == "0");
        self.arrays.iter().any(|(array, last)| array == name && !is_first(last))
    }
}

/// What a conjunct says to be valid, for each index or not.
pub fn valid_in(conjunct: &Term) -> Option<&Term> {
    match &conjunct.kind {
        TermKind::Valid { what, .. } => Some(what),
        TermKind::Quantified { universal: true, body, .. } => match &body.kind {
            TermKind::Binary("==>", _, consequence) => valid_in(consequence),
            _ => None,
        },
        _ => None,
    }
}

/// The array of `\valid(a + (lo .. hi))` and the like, with its greatest index.
fn greatest(what: &Term) -> Option<(String, Term)> {
    let (name, _, to) = location_of(&Term::new(TermKind::Unary("*", Box::new(what.clone())), what.extent))?;
    Some((name, to?))
}

/// `m[i] + (lo .. hi)`, `*m + (lo .. hi)`, `m[i]` and `*m`: a row of `m` with its greatest index.
fn row_of(what: &Term) -> Option<(String, Term)> {
    let rows = |term: &Term| match &term.kind {
        TermKind::Index(base, _) => path(base),
        TermKind::Unary("*", inside) => match &inside.kind {
            TermKind::Binary("+", base, _) => path(base),
            _ => path(inside),
        },
        _ => None,
    };
    match &what.kind {
        TermKind::Binary("+", base, index) => Some((rows(base)?, ends(index).1?)),
        _ => Some((rows(what)?, Term::new(TermKind::Number("0".to_owned()), what.extent))),
    }
}

fn ends(index: &Term) -> (Option<Term>, Option<Term>) {
    match &index.kind {
        TermKind::Range(from, to) => (from.as_deref().cloned(), to.as_deref().cloned()),
        _ => (Some(index.clone()), Some(index.clone())),
    }
}

/// `a[i]`, `a[lo .. hi]`, `*a`, `*(a + i)` and `*(a + (lo .. hi))`: the array and its first and last index.
pub fn location_of(term: &Term) -> Option<(String, Option<Term>, Option<Term>)> {
    let zero = |term: &Term| Term::new(TermKind::Number("0".to_owned()), term.extent);
    match &term.kind {
        TermKind::Index(base, index) => {
            let (from, to) = ends(index);
            Some((path(base)?, from, to))
        }
        TermKind::Unary("*", pointer) => match &pointer.kind {
            TermKind::Name(_) | TermKind::Member(..) => {
                Some((path(pointer)?, Some(zero(pointer)), Some(zero(pointer))))
            }
            TermKind::Binary("+", base, index) => {
                let (from, to) = ends(index);
                Some((path(base)?, from, to))
            }
            TermKind::Unary("&", inside) => location_of(inside),
            _ => None,
        },
        _ => None,
    }
}

/// Arrays with all that is said of each.
pub fn grouped(valid: Vec<(String, Term)>) -> Vec<(String, Vec<Term>)> {
    let mut groups: Vec<(String, Vec<Term>)> = Vec::new();
    for (name, term) in valid {
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, terms)) => terms.push(term),
            None => groups.push((name, vec![term])),
        }
    }
    groups
}
