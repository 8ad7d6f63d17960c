//! Pointers: which objects a term can point to, read off its structure.
//!
//! A constant is an object and an offset, an `ite` is either side, a sum is its one summand that points
//! somewhere, moved by the rest. Whatever is not of this shape is unresolved, and an access through it is
//! not supported.

use std::rc::Rc;

use logic::terms::{Op, TermId};
use program::Site;
use program::exec::ViolationKind;
use program::exec::memory::Address;

use super::state::{ObjectKind, State};
use super::{Engine, Flow, Stop};

/// A pointer with more places to point to is given up.
const MOST_TARGETS: usize = 256;
/// A computed offset that is one of at most so many constants is taken as these.
const MOST_CHOICES: usize = 64;

/// Bytes that lead out of every object.
const FAR: i64 = 1 << 40;

/// A place that a pointer may point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub condition: TermId,
    pub object: u32,
    /// A 64-bit term.
    pub offset: TermId,
}

impl Engine<'_> {
    /// Where the pointer may point to; the conditions exclude each other. `None` if it cannot be told.
    pub(super) fn resolve(&mut self, pointer: TermId) -> Option<Rc<Vec<Target>>> {
        if let Some(known) = self.resolved.get(&pointer) {
            return known.clone();
        }
        let targets = self.resolve_new(pointer).filter(|it| it.len() <= MOST_TARGETS).map(Rc::new);
        self.resolved.insert(pointer, targets.clone());
        targets
    }

    fn resolve_new(&mut self, pointer: TermId) -> Option<Vec<Target>> {
        if let Some(value) = self.constant(pointer) {
            let address = Address(value);
            let offset = self.terms.bv_signed(64, address.offset());
            return Some(vec![Target { condition: self.terms.true_term(), object: address.object().0, offset }]);
        }
        let arguments = self.terms.arguments(pointer).to_vec();
        match (self.terms.op(pointer), &arguments[..]) {
            (Op::Ite, &[condition, then, otherwise]) => self.either(condition, then, otherwise),
            (Op::BvAdd, &[first, second]) => match self.points(first) {
                Some(targets) => Some(self.moved(&targets, second, false)),
                None => self.points(second).map(|targets| self.moved(&targets, first, false)),
            },
            (Op::BvSub, &[first, second]) => self.points(first).map(|targets| self.moved(&targets, second, true)),
            _ => None,
        }
    }

    /// The targets of a term that points to some object.
    fn points(&mut self, term: TermId) -> Option<Rc<Vec<Target>>> {
        self.resolve(term).filter(|targets| targets.iter().any(|target| target.object != 0))
    }

    fn either(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Option<Vec<Target>> {
        let (then, otherwise) = (self.resolve(then)?, self.resolve(otherwise)?);
        let negation = self.terms.not(condition);
        let mut targets: Vec<Target> = Vec::with_capacity(then.len() + otherwise.len());
        let sides = then.iter().map(|it| (condition, it)).chain(otherwise.iter().map(|it| (negation, it)));
        for (side, target) in sides {
            let condition = self.terms.and2(side, target.condition);
            if condition == self.terms.false_term() {
                continue;
            }
            let same = targets.iter_mut().find(|it| it.object == target.object && it.offset == target.offset);
            match same {
                Some(known) => known.condition = self.terms.or2(known.condition, condition),
                None => targets.push(Target { condition, ..target.clone() }),
            }
        }
        Some(targets)
    }

    fn moved(&mut self, targets: &[Target], by: TermId, backwards: bool) -> Vec<Target> {
        let terms = &mut self.terms;
        let moved = targets.iter().map(|target| {
            let offset = match backwards {
                true => terms.bv_sub(target.offset, by),
                false => terms.bv_add(target.offset, by),
            };
            Target { offset, ..target.clone() }
        });
        moved.collect()
    }

    /// The address of an array's element. As in the executor, no distance is so large that it leads back.
    pub(super) fn element(&mut self, base: TermId, index: TermId, stride: u64) -> TermId {
        if let (Some(base), Some(index)) = (self.constant(base), self.constant(index)) {
            let address = Address(base).element(index as i64, stride);
            return self.terms.bv(64, address.0);
        }
        let factor = self.terms.bv(64, stride);
        let mut distance = self.terms.bv_mul(index, factor);
        if stride > 1 && !(stride < 1 << 24 && self.is_near(index, 8)) {
            let overflow = self.terms.bv_smul_overflow(index, factor);
            let zero = self.terms.bv(64, 0);
            let back = self.terms.bv_slt(index, zero);
            let (below, beyond) = (self.terms.bv_signed(64, -FAR), self.terms.bv_signed(64, FAR));
            let edge = self.terms.ite(back, below, beyond);
            distance = self.terms.ite(overflow, edge, distance);
        }
        self.terms.bv_add(base, distance)
    }

    /// Whether the term's value is surely small, so that no product with a stride overflows.
    fn is_near(&self, term: TermId, depth: u32) -> bool {
        if let Some(value) = self.constant(term) {
            return (value as i64).unsigned_abs() < 1 << 33;
        }
        let arguments = self.terms.arguments(term);
        match self.terms.op(term) {
            Op::BvZeroExtend(by) | Op::BvSignExtend(by) => by >= 31,
            Op::Ite if depth > 0 => arguments[1..].iter().all(|&side| self.is_near(side, depth - 1)),
            Op::BvAdd | Op::BvSub if depth > 0 => arguments.iter().all(|&side| self.is_near(side, depth - 1)),
            // Zeros in front, where an extension was taken apart.
            Op::BvConcat => self.constant(arguments[0]) == Some(0) && self.terms.width(arguments[0]) >= 31,
            _ => false,
        }
    }

    /// Checks an access and returns where it can go.
    pub(super) fn access(
        &mut self,
        state: &mut State,
        pointer: TermId,
        length: u64,
        write: bool,
        site: Site,
    ) -> Flow<Vec<Target>> {
        let always = self.terms.true_term();
        let bytes = self.terms.bv(64, length);
        self.access_range(state, (pointer, bytes), always, write, site)
    }

    /// Checks an access of a computed number of bytes where the condition holds, and returns where it can go.
    pub(super) fn access_range(
        &mut self,
        state: &mut State,
        (pointer, bytes): (TermId, TermId),
        condition: TermId,
        write: bool,
        site: Site,
    ) -> Flow<Vec<Target>> {
        let Some(targets) = self.resolve(pointer) else {
            self.unsupported(state, condition, "an access through a pointer whose origin is not known", site)?;
            return Ok(Vec::new());
        };
        let mut good = Vec::with_capacity(targets.len());
        for target in targets.iter() {
            let taken = self.terms.and2(target.condition, condition);
            let taken = Target { condition: taken, ..target.clone() };
            if self.check_target(state, &taken, bytes, write, site)? {
                good.push(target.clone());
            }
        }
        if good.is_empty() && condition == self.terms.true_term() { Err(Stop::Path) } else { Ok(good) }
    }

    /// Whether the target can be accessed at all.
    fn check_target(
        &mut self,
        state: &mut State,
        target: &Target,
        bytes: TermId,
        write: bool,
        site: Site,
    ) -> Flow<bool> {
        let condition = target.condition;
        let meta = self.objects.get(target.object as usize).cloned();
        let refused = match meta.as_ref().map(|meta| meta.kind) {
            Some(ObjectKind::Null) => Some(ViolationKind::NullDereference),
            Some(ObjectKind::Function(_)) | None => Some(ViolationKind::WildPointer),
            _ => None,
        };
        let Some(meta) = meta.filter(|_| refused.is_none()) else {
            self.forbid(state, refused.unwrap_or(ViolationKind::WildPointer), condition, site)?;
            return Ok(false);
        };
        let ended = match meta.kind {
            ObjectKind::Heap => ViolationKind::UseAfterFree,
            _ => ViolationKind::UseAfterScope,
        };
        let Some(alive) = state.objects.get(&target.object).map(|contents| contents.alive) else {
            self.forbid(state, ended, condition, site)?;
            return Ok(false);
        };
        let dead = self.terms.not(alive);
        let dead = self.terms.and2(condition, dead);
        self.forbid(state, ended, dead, site)?;
        self.check_bounds(state, target, (meta.size, meta.most), bytes, site)?;
        if write && meta.constant {
            self.forbid(state, ViolationKind::WriteToConstant, condition, site)?;
            return Ok(false);
        }
        let (Some(offset), Some(length)) = (self.constant(target.offset), self.constant(bytes)) else {
            return Ok(true);
        };
        Ok(offset.checked_add(length).is_some_and(|end| end <= meta.most))
    }

    fn check_bounds(
        &mut self,
        state: &mut State,
        target: &Target,
        (size, most): (TermId, u64),
        bytes: TermId,
        site: Site,
    ) -> Flow<()> {
        let exact = self.constant(size).is_some();
        if let (Some(offset), Some(length), true) = (self.constant(target.offset), self.constant(bytes), exact) {
            if (offset as i64) >= 0 && offset.checked_add(length).is_some_and(|end| end <= most) {
                return Ok(());
            }
        }
        let zero = self.terms.bv(64, 0);
        let below = self.terms.bv_slt(target.offset, zero);
        let not_below = self.terms.not(below);
        let below = self.terms.and2(target.condition, below);
        self.forbid(state, ViolationKind::OutOfBoundsBelow, below, site)?;
        let last = self.terms.bv_sub(size, bytes);
        let short = self.terms.bv_ugt(bytes, size);
        let beyond = self.terms.bv_sgt(target.offset, last);
        let above = self.terms.or2(short, beyond);
        let above = self.terms.and(&[target.condition, not_below, above]);
        let kind = match self.inside_string {
            true => ViolationKind::StringFunction,
            false => ViolationKind::OutOfBoundsAbove,
        };
        self.forbid(state, kind, above, site)
    }

    /// The constants that a term can be, if it is an `ite` of few of them.
    pub(super) fn constant_choices(&self, term: TermId) -> Option<Vec<u64>> {
        let (mut open, mut found) = (vec![term], Vec::new());
        let mut seen = 0;
        while let Some(term) = open.pop() {
            seen += 1;
            if seen > 4 * MOST_CHOICES {
                return None;
            }
            if let Some(value) = self.constant(term) {
                if !found.contains(&value) {
                    found.push(value);
                }
            } else if self.terms.op(term) == Op::Ite {
                open.extend_from_slice(&self.terms.arguments(term)[1..]);
            } else {
                return None;
            }
        }
        found.sort_unstable();
        (found.len() <= MOST_CHOICES).then_some(found)
    }

    /// A modulus and a residue that the term's value has; modulus 0 for a constant.
    pub(super) fn congruence(&self, term: TermId) -> (u64, u64) {
        self.congruence_within(term, 12)
    }

    fn congruence_within(&self, term: TermId, depth: u32) -> (u64, u64) {
        if let Some(value) = self.constant(term) {
            return (0, value);
        }
        if depth == 0 {
            return (1, 0);
        }
        let arguments = self.terms.arguments(term);
        let argument = |index: usize| self.congruence_within(arguments[index], depth - 1);
        let (modulus, residue) = match self.terms.op(term) {
            Op::BvAdd => sum(argument(0), argument(1)),
            Op::BvSub => {
                let (modulus, residue) = argument(1);
                sum(argument(0), (modulus, residue.wrapping_neg()))
            }
            Op::BvMul => self.product(arguments[0], arguments[1], depth),
            Op::BvShl => match self.constant(arguments[1]) {
                Some(amount) if amount < 63 => (1 << amount, 0),
                _ => (1, 0),
            },
            Op::Ite => {
                let (first, second) = (argument(1), argument(2));
                let apart = (first.1 as i64).abs_diff(second.1 as i64);
                let modulus = gcd(gcd(first.0, second.0), apart);
                (modulus, if modulus == 0 { first.1 } else { signed_residue(first.1, modulus) })
            }
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) => power_of_two(argument(0)),
            Op::BvConcat => power_of_two(argument(1)),
            _ => (1, 0),
        };
        if modulus == 0 { (0, residue) } else { (modulus, residue % modulus) }
    }

    /// A constant times a number that is small enough for the product not to wrap around keeps the factor.
    fn product(&self, first: TermId, second: TermId, depth: u32) -> (u64, u64) {
        let (factor, other) = match (self.constant(first), self.constant(second)) {
            (Some(factor), _) => (factor, second),
            (_, Some(factor)) => (factor, first),
            _ => return (1, 0),
        };
        let extended = match self.terms.op(other) {
            Op::BvZeroExtend(by) | Op::BvSignExtend(by) => by >= 32,
            _ => false,
        };
        let power = 1u64.checked_shl(factor.trailing_zeros()).unwrap_or(0).max(1);
        let own = if extended && factor < 1 << 30 { factor } else { power };
        let (modulus, residue) = power_of_two(self.congruence_within(other, depth - 1));
        if residue == 0 && modulus.is_power_of_two() && modulus > 1 {
            return (own.saturating_mul(modulus), 0);
        }
        (own, 0)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn sum((first, left): (u64, u64), (second, right): (u64, u64)) -> (u64, u64) {
    let modulus = gcd(first, second);
    let residue = match modulus {
        0 => left.wrapping_add(right),
        // Negative constants stand as large numbers: their residue is that of the signed value.
        _ => signed_residue(left, modulus).wrapping_add(signed_residue(right, modulus)) % modulus,
    };
    (modulus, residue)
}

fn signed_residue(value: u64, modulus: u64) -> u64 {
    (i128::from(value as i64).rem_euclid(i128::from(modulus))) as u64
}

/// What remains of a congruence modulo powers of two, which wrap-around respects.
fn power_of_two((modulus, residue): (u64, u64)) -> (u64, u64) {
    match modulus {
        0 => (0, residue),
        _ => {
            let power = 1 << modulus.trailing_zeros();
            (power, residue % power)
        }
    }
}
