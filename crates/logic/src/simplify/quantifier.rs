//! Quantifiers over variables.

use crate::terms::{Op, TermId, Terms};

impl Terms {
    /// The body holds for all values of the variables.
    pub fn forall(&mut self, bound: &[TermId], body: TermId) -> TermId {
        self.quantify(Op::Forall, bound, body)
    }

    /// The body holds for some values of the variables.
    pub fn exists(&mut self, bound: &[TermId], body: TermId) -> TermId {
        self.quantify(Op::Exists, bound, body)
    }

    /// Binds only variables that occur: the rest says nothing, and no sort is empty.
    fn quantify(&mut self, op: Op, bound: &[TermId], body: TermId) -> TermId {
        assert!(bound.iter().all(|&it| self.name(it).is_some()), "only variables are bound");
        if bound.is_empty() || self.is_constant(body) {
            return body;
        }
        let free = self.free_variables(&[body]);
        let mut used: Vec<TermId> = bound.iter().copied().filter(|it| free.binary_search(it).is_ok()).collect();
        used.sort_unstable();
        used.dedup();
        if used.is_empty() {
            return body;
        }
        if self.op(body) == op {
            let (inner, inner_body) = self.quantifier_parts(body);
            used.extend_from_slice(inner);
            used.sort_unstable();
            used.push(inner_body);
            return self.raw(op, &used);
        }
        used.push(body);
        self.raw(op, &used)
    }
}
