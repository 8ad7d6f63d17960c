//! Quantifiers only where they are needed: removing variables from a formula as far as cheap laws go.
//!
//! `∃x (x = e ∧ φ)` is `φ[e/x]`, and conjuncts without `x` stay outside of the quantifier. What remains is
//! bound. No quantifier elimination of any theory is done here.

use rustc_hash::FxHashSet;

use crate::terms::{Op, Substitution, TermId, Terms};

/// A formula that is equivalent to `∃ variables. formula`.
pub fn exists(terms: &mut Terms, variables: &[TermId], formula: TermId) -> TermId {
    if variables.is_empty() {
        return formula;
    }
    let mut conjuncts = conjuncts(terms, formula);
    let mut bound: Vec<TermId> = Vec::new();
    for &variable in variables {
        let mentions = |terms: &Terms, it: TermId| terms.free_variables(&[it]).binary_search(&variable).is_ok();
        if !conjuncts.iter().any(|&it| mentions(terms, it)) {
            continue;
        }
        let Some((at, value)) = definition(terms, &conjuncts, variable) else {
            bound.push(variable);
            continue;
        };
        conjuncts.swap_remove(at);
        let replacement: Substitution = [(variable, value)].into_iter().collect();
        conjuncts = conjuncts.iter().map(|&it| terms.substitute(it, &replacement)).collect();
    }
    // A substitution may have merged conjuncts or brought in nothing that is bound.
    let (inside, outside): (Vec<TermId>, Vec<TermId>) = conjuncts
        .into_iter()
        .partition(|&it| terms.free_variables(&[it]).iter().any(|variable| bound.contains(variable)));
    let inside = terms.and(&inside);
    let quantified = terms.exists(&bound, inside);
    let outside = terms.and(&outside);
    terms.and2(outside, quantified)
}

/// A formula that is equivalent to `∀ variables. formula`.
pub fn forall(terms: &mut Terms, variables: &[TermId], formula: TermId) -> TermId {
    if variables.is_empty() {
        return formula;
    }
    let negated = terms.not(formula);
    let projected = exists(terms, variables, negated);
    negate(terms, projected)
}

/// The negation, with a quantifier turned round rather than negated.
fn negate(terms: &mut Terms, formula: TermId) -> TermId {
    match terms.op(formula) {
        Op::Exists => {
            let (bound, body) = terms.quantifier_parts(formula);
            let bound = bound.to_vec();
            let body = terms.not(body);
            terms.forall(&bound, body)
        }
        Op::And if terms.arguments(formula).iter().any(|&it| terms.op(it) == Op::Exists) => {
            let parts = terms.arguments(formula).to_vec();
            let parts: Vec<TermId> = parts.into_iter().map(|it| negate(terms, it)).collect();
            terms.or(&parts)
        }
        _ => terms.not(formula),
    }
}

/// The conjuncts of a formula, in the order in which they are found; nested conjunctions taken apart.
pub fn conjuncts(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        if term == terms.true_term() || !seen.insert(term) {
            continue;
        }
        let negated = (terms.op(term) == Op::Not).then(|| terms.arguments(term)[0]);
        if terms.op(term) == Op::And {
            open.extend(terms.arguments(term).iter().rev());
        } else if let Some(negated) = negated.filter(|&it| terms.op(it) == Op::Or) {
            let parts = terms.arguments(negated).to_vec();
            open.extend(parts.into_iter().rev().map(|it| terms.not(it)));
        } else {
            found.push(term);
        }
    }
    found
}

/// A conjunct that says what a variable is, and what.
fn definition(terms: &mut Terms, conjuncts: &[TermId], variable: TermId) -> Option<(usize, TermId)> {
    for (at, &conjunct) in conjuncts.iter().enumerate() {
        if conjunct == variable {
            return Some((at, terms.true_term()));
        }
        if terms.op(conjunct) == Op::Not && terms.arguments(conjunct)[0] == variable {
            return Some((at, terms.false_term()));
        }
        if terms.op(conjunct) != Op::Equal {
            continue;
        }
        let (left, right) = (terms.arguments(conjunct)[0], terms.arguments(conjunct)[1]);
        for (side, other) in [(left, right), (right, left)] {
            let Some(value) = solve(terms, side, other, variable) else { continue };
            if terms.free_variables(&[value]).binary_search(&variable).is_err() {
                return Some((at, value));
            }
        }
    }
    None
}

/// What the variable must be for the side to equal the other, where the side is it plus a value.
fn solve(terms: &mut Terms, side: TermId, other: TermId, variable: TermId) -> Option<TermId> {
    if side == variable {
        return Some(other);
    }
    let is_sum = matches!(terms.op(side), Op::BvAdd | Op::ArithAdd) && terms.arguments(side)[0] == variable;
    let offset = is_sum.then(|| terms.arguments(side)[1]).filter(|&it| terms.is_constant(it))?;
    Some(if terms.op(side) == Op::BvAdd { terms.bv_sub(other, offset) } else { terms.arith_sub(other, offset) })
}

#[cfg(test)]
mod tests {
    use super::{exists, forall};
    use crate::smtlib;
    use crate::sort::Sort;
    use crate::terms::{TermId, Terms};

    /// Builds a formula over bytes x, y, z and shows what is left of it without x.
    fn check(build: impl Fn(&mut Terms, [TermId; 3]) -> TermId, expected_exists: &str, expected_forall: &str) {
        let mut terms = Terms::new();
        let variables = ["x", "y", "z"].map(|it| terms.variable(it, Sort::BitVector(8)));
        let formula = build(&mut terms, variables);
        let without = exists(&mut terms, &variables[..1], formula);
        assert_eq!(smtlib::term(&terms, without), expected_exists);
        let without = forall(&mut terms, &variables[..1], formula);
        assert_eq!(smtlib::term(&terms, without), expected_forall);
    }

    #[test]
    fn definitions_are_substituted() {
        check(
            |terms, [x, y, z]| {
                let one = terms.bv(8, 1);
                let next = terms.bv_add(x, one);
                let (is_next, below) = (terms.eq(y, next), terms.bv_ult(x, z));
                terms.and2(is_next, below)
            },
            "(bvult (bvadd y #xff) z)",
            "(forall ((x (_ BitVec 8))) (and (= y (bvadd x #x01)) (bvult x z)))",
        );
    }

    #[test]
    fn what_does_not_mention_it_stays_outside() {
        check(
            |terms, [x, y, z]| {
                let (below, other) = (terms.bv_ult(x, y), terms.bv_ult(y, z));
                terms.and2(below, other)
            },
            "(and (bvult y z) (exists ((x (_ BitVec 8))) (bvult x y)))",
            "(forall ((x (_ BitVec 8))) (and (bvult x y) (bvult y z)))",
        );
    }

    #[test]
    fn implications_under_forall() {
        check(
            |terms, [x, y, z]| {
                let (is_y, below) = (terms.eq(x, y), terms.bv_ult(x, z));
                terms.implies(is_y, below)
            },
            "(exists ((x (_ BitVec 8))) (or (bvult x z) (not (= x y))))",
            "(bvult y z)",
        );
    }
}
