//! Library functions that read and copy strings and bytes, as formulas over memory.
//!
//! A call and what the run saw of it → loads of the bytes that it looked at, its result as a term over them, and
//! for `strcpy` and the like a store of each byte. The formula has the bytes that the run looked at: that the string
//! ends, or the comparison is decided, within them is checked beside it, as an access behind an object's end is. So
//! what would have made a string longer is not followed, and long ones are constants of the run.

use logic::terms::TermId;
use program::{ExprId, Type};

use super::expressions::{Access, Base};
use super::origins::What;
use super::walk::{Cause, Machine, Reach, Walk, Written};
use program::exec::ViolationKind;

/// Bytes of one call; more are taken as the run saw them.
const LONGEST: u64 = 256;

impl<M: Machine> Walk<'_, M> {
    /// The result of a function that reads memory, if its meaning is known.
    pub(super) fn reading_result(
        &mut self,
        name: &str,
        arguments: &[(TermId, Type)],
        observed: u128,
        ty: Type,
        cause: Cause,
    ) -> Option<TermId> {
        let pointer = |position: usize| arguments.get(position).filter(|it| it.1.bits() == 64).map(|it| it.0);
        match name {
            "strlen" if observed < u128::from(LONGEST) => {
                let bytes = self.bytes(pointer(0)?, observed as u64 + 1, cause);
                Some(self.length(&bytes, ty, cause))
            }
            "strcpy" => pointer(0),
            "strcmp" => self.compared(pointer(0)?, pointer(1)?, LONGEST, true, ty, cause),
            "strncmp" | "memcmp" => {
                let most = self.fixed(pointer(2)?, cause);
                let ends = name == "strncmp";
                self.compared(pointer(0)?, pointer(1)?, most, ends, ty, cause)
            }
            "strchr" => {
                let (from, (wanted, _)) = (pointer(0)?, *arguments.get(1)?);
                self.found(from, wanted, ty, cause)
            }
            _ => None,
        }
    }

    /// Writes what a copying function has copied, over the constants that the run saw.
    pub(super) fn copied(&mut self, name: &str, arguments: &[(TermId, Type)], cause: Cause) -> bool {
        let pointer = |position: usize| arguments.get(position).filter(|it| it.1.bits() == 64).map(|it| it.0);
        let (Some(to), Some(from)) = (pointer(0), pointer(1)) else { return false };
        if !matches!(name, "strcpy" | "stpcpy") {
            return false;
        }
        let Some(bytes) = self.string(from, cause) else { return false };
        for (index, byte) in bytes.into_iter().enumerate() {
            let access = self.access(to, index as u64, cause);
            let written = Written { value: byte, ty: Type::Int(8), field: None };
            self.machine.store(self.terms, Reach { access, object: None, fixed: false }, written, cause);
        }
        true
    }

    fn access(&mut self, pointer: TermId, index: u64, cause: Cause) -> Access {
        let offset = self.terms.bv(64, index);
        let address = self.terms.bv_add(pointer, offset);
        Access { address, base: Base::Pointer, bytes: 1, expr: cause.expr.unwrap_or(ExprId(0)), site: cause.site }
    }

    fn byte(&mut self, pointer: TermId, index: u64, cause: Cause) -> TermId {
        let access = self.access(pointer, index, cause);
        self.machine.load(self.terms, Reach { access, object: None, fixed: false }, cause)
    }

    fn bytes(&mut self, pointer: TermId, count: u64, cause: Cause) -> Vec<TermId> {
        (0..count).map(|index| self.byte(pointer, index, cause)).collect()
    }

    /// The bytes of a string with its end, as long as it was in the run.
    fn string(&mut self, pointer: TermId, cause: Cause) -> Option<Vec<TermId>> {
        let mut bytes = Vec::new();
        for index in 0..LONGEST {
            let byte = self.byte(pointer, index, cause);
            bytes.push(byte);
            if self.machine.observed(self.terms, byte) == 0 {
                let zeros: Vec<TermId> = bytes.iter().map(|&it| self.is_zero(it)).collect();
                self.decided(&zeros, cause);
                return Some(bytes);
            }
        }
        None
    }

    fn is_zero(&mut self, byte: TermId) -> TermId {
        let zero = self.terms.bv(8, 0);
        self.terms.eq(byte, zero)
    }

    /// A number that the formula does not follow: another one is another run.
    fn fixed(&mut self, number: TermId, cause: Cause) -> u64 {
        let observed = self.machine.observed(self.terms, number) as u64;
        let constant = self.terms.bv(64, observed);
        let same = self.terms.eq(number, constant);
        self.machine.passed(self.terms, same, Cause { what: What::Passed(ViolationKind::OutOfBoundsAbove), ..cause });
        observed
    }

    /// One of these holds, or the function would have looked at more than it has.
    fn decided(&mut self, ends: &[TermId], cause: Cause) {
        let holds = self.terms.or(ends);
        self.machine.passed(self.terms, holds, Cause { what: What::Passed(ViolationKind::OutOfBoundsAbove), ..cause });
    }

    /// The number of the first byte that is zero.
    fn length(&mut self, bytes: &[TermId], ty: Type, cause: Cause) -> TermId {
        let zeros: Vec<TermId> = bytes.iter().map(|&it| self.is_zero(it)).collect();
        self.decided(&zeros, cause);
        let mut length = self.terms.bv(ty.bits(), bytes.len() as u64 - 1);
        for (index, &zero) in zeros.iter().enumerate().rev().skip(1) {
            let here = self.terms.bv(ty.bits(), index as u64);
            length = self.terms.ite(zero, here, length);
        }
        length
    }

    /// The difference of the first two bytes that differ.
    fn compared(
        &mut self,
        one: TermId,
        other: TermId,
        most: u64,
        ends: bool,
        ty: Type,
        cause: Cause,
    ) -> Option<TermId> {
        let mut pairs = Vec::new();
        let mut stops = Vec::new();
        let mut is_whole = true;
        for index in 0..most.min(LONGEST) {
            let (left, right) = (self.byte(one, index, cause), self.byte(other, index, cause));
            let same = self.terms.eq(left, right);
            let end = if ends { self.is_zero(left) } else { self.terms.false_term() };
            pairs.push((left, right, same, end));
            let differ = self.terms.not(same);
            stops.push(self.terms.or(&[differ, end]));
            let (left, right) = (self.machine.observed(self.terms, left), self.machine.observed(self.terms, right));
            if left != right || ends && left == 0 {
                is_whole = false;
                break;
            }
        }
        if is_whole && most > LONGEST {
            return None;
        }
        if !is_whole {
            self.decided(&stops, cause);
        }
        let zero = self.terms.bv(ty.bits(), 0);
        let mut result = zero;
        for (left, right, same, end) in pairs.into_iter().rev() {
            let (left, right) =
                (self.terms.bv_resize(ty.bits(), false, left), self.terms.bv_resize(ty.bits(), false, right));
            let difference = self.terms.bv_sub(left, right);
            let ended = self.terms.ite(end, zero, result);
            result = self.terms.ite(same, ended, difference);
        }
        Some(result)
    }

    /// Where the byte is in the string; null if it is not.
    fn found(&mut self, from: TermId, wanted: TermId, ty: Type, cause: Cause) -> Option<TermId> {
        let wanted = self.terms.bv_extract(7, 0, wanted);
        let mut seen = Vec::new();
        loop {
            let index = seen.len() as u64;
            if index >= LONGEST {
                return None;
            }
            let byte = self.byte(from, index, cause);
            let (is_it, is_end) = (self.terms.eq(byte, wanted), self.is_zero(byte));
            seen.push((is_it, is_end));
            let (byte, wanted) = (self.machine.observed(self.terms, byte), self.machine.observed(self.terms, wanted));
            if byte == wanted || byte == 0 {
                break;
            }
        }
        let stops: Vec<TermId> = seen.iter().map(|&(is_it, is_end)| self.terms.or(&[is_it, is_end])).collect();
        self.decided(&stops, cause);
        let null = self.terms.bv(ty.bits(), 0);
        let mut result = null;
        for (index, (is_it, is_end)) in seen.into_iter().enumerate().rev() {
            let offset = self.terms.bv(64, index as u64);
            let here = self.terms.bv_add(from, offset);
            let otherwise = self.terms.ite(is_end, null, result);
            result = self.terms.ite(is_it, here, otherwise);
        }
        Some(result)
    }
}
