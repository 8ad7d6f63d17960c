//! Walks over terms: what is reachable, which variables are free, replacing some terms by others.
//!
//! Nothing here recurses into a term's depth, which may be millions: a term's id is greater than those of
//! its arguments, so ascending ids are an order in which everything comes after its parts. Only nested
//! quantifiers recurse, once a level.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Op, TermId, Terms};

/// What to replace by what.
pub type Substitution = FxHashMap<TermId, TermId>;

impl Terms {
    /// All terms within these, themselves included, parts before wholes.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        self.reachable_until(roots, |_| false)
    }

    /// As [`Terms::reachable`], but does not look into terms that `stop` says.
    fn reachable_until(&self, roots: &[TermId], stop: impl Fn(TermId) -> bool) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut open: Vec<TermId> = roots.to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term) && !stop(term) {
                open.extend(self.arguments(term));
            }
        }
        let mut reached: Vec<TermId> = seen.into_iter().collect();
        reached.sort_unstable();
        reached
    }

    /// How many different terms these consist of.
    pub fn size(&self, roots: &[TermId]) -> usize {
        self.reachable(roots).len()
    }

    /// Whether a quantifier stands in the term.
    pub fn has_quantifier(&self, root: TermId) -> bool {
        self.reachable(&[root]).into_iter().any(|it| self.op(it).is_quantifier())
    }

    /// The variables that no quantifier in the terms binds, in ascending order.
    pub fn free_variables(&self, roots: &[TermId]) -> Vec<TermId> {
        let is_quantifier = |term| self.op(term).is_quantifier();
        let mut free: Vec<TermId> = Vec::new();
        for term in self.reachable_until(roots, is_quantifier) {
            if self.name(term).is_some() {
                free.push(term);
            } else if is_quantifier(term) {
                let (bound, body) = self.quantifier_parts(term);
                free.extend(self.free_variables(&[body]).into_iter().filter(|it| !bound.contains(it)));
            }
        }
        free.sort_unstable();
        free.dedup();
        free
    }

    /// Bound variables and body of a quantified term.
    pub fn quantifier_parts(&self, term: TermId) -> (&[TermId], TermId) {
        let (body, bound) = self.arguments(term).split_last().expect("a quantifier has a body");
        (bound, *body)
    }

    /// Replaces terms by others of the same sort, all at once, and simplifies what changes.
    ///
    /// Variables that a quantifier binds are left alone, and renamed where a replacement would be caught.
    pub fn substitute(&mut self, root: TermId, replacements: &Substitution) -> TermId {
        if replacements.is_empty() {
            return root;
        }
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let stop = |term| replacements.contains_key(&term) || self.op(term).is_quantifier();
        for term in self.reachable_until(&[root], stop) {
            let new = if let Some(&replacement) = replacements.get(&term) {
                replacement
            } else if self.op(term).is_quantifier() {
                self.substitute_in_quantifier(term, replacements)
            } else {
                let arguments: Vec<TermId> = self.arguments(term).iter().map(|it| done[it]).collect();
                if arguments == self.arguments(term) { term } else { self.rebuild(term, &arguments) }
            };
            done.insert(term, new);
        }
        done[&root]
    }

    fn substitute_in_quantifier(&mut self, term: TermId, replacements: &Substitution) -> TermId {
        let op = self.op(term);
        let (bound, body) = self.quantifier_parts(term);
        let bound = bound.to_vec();
        let free = self.free_variables(&[term]);
        let mut inner: Substitution = replacements.iter().map(|(&from, &to)| (from, to)).collect();
        // Only what occurs matters; a replaced compound term may always occur.
        inner.retain(|from, _| !bound.contains(from) && (self.name(*from).is_none() || free.contains(from)));
        if inner.is_empty() {
            return term;
        }
        let targets: Vec<TermId> = inner.values().copied().collect();
        let caught = self.free_variables(&targets);
        let mut renamed = Vec::with_capacity(bound.len());
        for variable in bound {
            if caught.contains(&variable) {
                let name = self.name(variable).unwrap_or("bound").to_owned();
                let fresh = self.fresh(&name, self.sort(variable));
                inner.insert(variable, fresh);
                renamed.push(fresh);
            } else {
                renamed.push(variable);
            }
        }
        let body = self.substitute(body, &inner);
        if op == Op::Forall { self.forall(&renamed, body) } else { self.exists(&renamed, body) }
    }

    /// The term with other arguments, simplified.
    fn rebuild(&mut self, term: TermId, arguments: &[TermId]) -> TermId {
        match self.op(term) {
            Op::ConstArray => self.const_array(self.sort(term), arguments[0]),
            op => self.build(op, arguments),
        }
    }
}
