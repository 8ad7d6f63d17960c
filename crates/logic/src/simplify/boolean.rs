//! Boolean connectives, equality and `ite`.
//!
//! Conjunctions and disjunctions are flat up to [`FLAT`] arguments, sorted, without duplicates; an argument
//! beside its negation decides them, and of the bounds of one term the one that says all is kept.

use crate::sort::{FunctionId, Sort};
use crate::terms::{Op, TermId, Terms};

/// A nested conjunction is taken apart while the whole has at most so many arguments: beyond that, copying
/// arguments would cost more than it finds, and a chain of n conjunctions would take n² time.
const FLAT: usize = 16;

impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::True => self.false_term(),
            Op::False => self.true_term(),
            Op::Not => self.argument(a, 0),
            _ => self.raw(Op::Not, &[a]),
        }
    }

    /// Whether one is the other's negation, as far as it shows.
    fn complementary(&self, a: TermId, b: TermId) -> bool {
        (self.op(a) == Op::Not && self.argument(a, 0) == b) || (self.op(b) == Op::Not && self.argument(b, 0) == a)
    }

    /// True if there are no arguments.
    pub fn and(&mut self, arguments: &[TermId]) -> TermId {
        self.connective(Op::And, arguments)
    }

    /// False if there are no arguments.
    pub fn or(&mut self, arguments: &[TermId]) -> TermId {
        self.connective(Op::Or, arguments)
    }

    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        self.connective(Op::And, &[a, b])
    }

    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        self.connective(Op::Or, &[a, b])
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or2(not_a, b)
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn connective(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        let (neutral, absorbing) =
            if op == Op::And { (self.true_term(), self.false_term()) } else { (self.false_term(), self.true_term()) };
        let mut parts: Vec<TermId> = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let nested = self.arguments(argument);
            if self.op(argument) == op && parts.len() + nested.len() < FLAT.max(arguments.len()) {
                parts.extend_from_slice(nested);
            } else if argument != neutral {
                parts.push(argument);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let contradicts = |&it: &TermId| self.op(it) == Op::Not && parts.binary_search(&self.argument(it, 0)).is_ok();
        if parts.contains(&absorbing) || parts.iter().any(contradicts) {
            return absorbing;
        }
        if parts.len() <= FLAT && self.drop_implied(op, &mut parts) {
            return absorbing;
        }
        match parts[..] {
            [] => neutral,
            [single] => single,
            _ => self.raw(op, &parts),
        }
    }

    /// Identity of two terms of one sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.sort(a), self.sort(b), "an equation of two sorts");
        if a == b {
            return self.true_term();
        }
        let (a, b) = self.ordered(a, b);
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::BitVector(_) => self.bv_eq(a, b),
            Sort::Int | Sort::Real => self.arith_eq(a, b),
            _ if self.is_constant(a) && self.is_constant(b) => self.false_term(),
            _ => self.raw(Op::Equal, &[a, b]),
        }
    }

    pub fn distinct(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        if self.complementary(a, b) {
            return self.false_term();
        }
        match (self.op(a), self.op(b)) {
            (_, Op::True) => a,
            (_, Op::False) => self.not(a),
            // One of the two signs is enough, and it goes outside.
            (Op::Not, Op::Not) => {
                let (a, b) = (self.argument(a, 0), self.argument(b, 0));
                self.eq(a, b)
            }
            (Op::Not, _) => {
                let equal = self.eq(self.argument(a, 0), b);
                self.not(equal)
            }
            (_, Op::Not) => {
                let equal = self.eq(a, self.argument(b, 0));
                self.not(equal)
            }
            _ => self.raw(Op::Equal, &[a, b]),
        }
    }

    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        assert_eq!(self.sort(then), self.sort(otherwise), "the branches of an ite have one sort");
        match self.op(condition) {
            Op::True => return then,
            Op::False => return otherwise,
            Op::Not => return self.ite(self.argument(condition, 0), otherwise, then),
            _ => {}
        }
        if then == otherwise {
            return then;
        }
        if self.sort(then) == Sort::Bool {
            return self.bool_ite(condition, then, otherwise);
        }
        let then = self.under_assumption(then, condition, true);
        let otherwise = self.under_assumption(otherwise, condition, false);
        if then == otherwise {
            return then;
        }
        // `c ? x : (d ? x : y)` is `(c || d) ? x : y`, and its mirror images.
        if self.op(otherwise) == Op::Ite {
            let &[inner, inner_then, inner_otherwise] = self.arguments(otherwise) else {
                unreachable!("ite has three")
            };
            if inner_then == then {
                let either = self.or2(condition, inner);
                return self.ite(either, then, inner_otherwise);
            }
        }
        self.raw(Op::Ite, &[condition, then, otherwise])
    }

    /// What remains of an `ite` when its condition is known; other terms as they are.
    fn under_assumption(&self, term: TermId, condition: TermId, holds: bool) -> TermId {
        if self.op(term) == Op::Ite && self.argument(term, 0) == condition {
            return self.argument(term, if holds { 1 } else { 2 });
        }
        term
    }

    fn bool_ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        let not_condition = self.not(condition);
        match (self.op(then), self.op(otherwise)) {
            (Op::True, Op::False) => return condition,
            (Op::False, Op::True) => return not_condition,
            (Op::True, _) => return self.or2(condition, otherwise),
            (Op::False, _) => return self.and2(not_condition, otherwise),
            (_, Op::True) => return self.or2(not_condition, then),
            (_, Op::False) => return self.and2(condition, then),
            _ => {}
        }
        if condition == then {
            return self.or2(condition, otherwise);
        }
        if condition == otherwise {
            return self.and2(condition, then);
        }
        if not_condition == then {
            return self.and2(not_condition, otherwise);
        }
        if not_condition == otherwise {
            return self.or2(not_condition, then);
        }
        if self.complementary(then, otherwise) {
            return self.eq(condition, then);
        }
        self.raw(Op::Ite, &[condition, then, otherwise])
    }

    /// An uninterpreted function of arguments.
    pub fn apply(&mut self, function: FunctionId, arguments: &[TermId]) -> TermId {
        self.raw(Op::Apply(function), arguments)
    }
}
