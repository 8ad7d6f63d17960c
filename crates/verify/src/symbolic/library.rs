//! The C library, as far as it is followed: allocation, memory functions, the ends of a program. Strings are in
//! `strings`.
//!
//! Functions that only print have no effect here; what they read is checked in `printing`. Functions that nobody knows yield open values, as in the
//! executor. Everything else that the executor has a model of is not supported where it is reached.

use logic::terms::TermId;
use program::Type;
use program::exec::{ViolationKind, libc};

use super::calls::Passed;
use super::memory::address;
use super::state::{Initial, ObjectKind, Scalar, State};
use super::{Engine, Flow, Place, Stop};

/// Functions whose only effect is on streams that the program does not read.
const PRINTING: &[&str] = &[
    "printf", "puts", "putchar", "fprintf", "vprintf", "vfprintf", "fputs", "fputc", "putc", "fflush", "perror",
    "fwrite", "setbuf", "setvbuf",
];

/// Whether a function of the library has no effect that the program could notice.
pub fn only_prints(name: &str) -> bool {
    PRINTING.contains(&name)
}

impl Engine<'_> {
    pub(super) fn external(
        &mut self,
        state: &mut State,
        name: &str,
        arguments: &[Passed],
        types: &[Type],
        place: Place,
    ) -> Flow<Vec<Scalar>> {
        if let Some(results) = self.modelled(state, name, arguments, place)? {
            return Ok(results.into_iter().map(|term| self.written(term)).collect());
        }
        if only_prints(name) {
            self.printed(state, name, arguments, place)?;
            let mut results = Vec::new();
            for (index, ty) in types.iter().enumerate() {
                self.note(format!("the result of `{name}` is taken to be anything"));
                let term = self.open_value("result", place, 0x800 + index as u32, *ty);
                results.push(self.written(term));
            }
            return Ok(results);
        }
        if libc::find(name).is_some() || matches!(name, "setjmp" | "_setjmp" | "longjmp" | "__sigsetjmp") {
            let what = format!("the library function `{name}`");
            return self.stop_unsupported(state, &what, place.site);
        }
        self.note(format!("`{name}` is defined nowhere; its results are taken to be anything"));
        let mut results = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            let term = self.input(state, name, *ty, place, 0x800 + index as u32);
            results.push(self.written(term));
        }
        Ok(results)
    }

    /// The results of a function that is known here.
    fn modelled(
        &mut self,
        state: &mut State,
        name: &str,
        arguments: &[Passed],
        place: Place,
    ) -> Flow<Option<Vec<TermId>>> {
        // Programs may declare these functions with parameters of any width.
        let passed = arguments.iter().map(|argument| argument.value.term);
        let terms: Vec<TermId> = match name {
            "abs" | "labs" | "llabs" => passed.collect(),
            _ => passed.map(|term| self.word(term)).collect(),
        };
        let result = match (name, &terms[..]) {
            ("malloc" | "valloc", &[size]) => self.heap(state, size, Initial::Unwritten, place)?,
            ("calloc", &[count, size]) => {
                let overflow = self.terms.bv_umul_overflow(count, size);
                self.unsupported(state, overflow, "an allocation of 2 GiB or more", place.site)?;
                let total = self.terms.bv_mul(count, size);
                self.heap(state, total, Initial::Zero, place)?
            }
            ("realloc", &[old, size]) => self.reallocate(state, old, size, place)?,
            ("free" | "cfree", &[pointer]) => {
                self.free(state, pointer, place)?;
                return Ok(Some(Vec::new()));
            }
            ("exit" | "_exit" | "_Exit", _) => {
                self.finish(state, place.site)?;
                return Err(Stop::Path);
            }
            ("abort", _) => return Err(Stop::Path),
            ("memcpy", &[to, from, size]) => {
                self.copy_bytes(state, to, from, size, false, place)?;
                to
            }
            ("memmove", &[to, from, size]) => {
                self.copy_bytes(state, to, from, size, true, place)?;
                to
            }
            ("memset", &[to, byte, size]) => {
                self.fill_bytes(state, to, byte, size, place)?;
                to
            }
            ("memcmp" | "bcmp", &[first, second, size]) => self.compare_ranges(state, (first, second), size, place)?,
            ("abs" | "labs" | "llabs", &[value]) => {
                let zero = self.terms.bv(self.terms.width(value), 0);
                let bad = self.terms.bv_neg_overflow(value);
                if self.checks.has(ViolationKind::Overflow) {
                    self.forbid(state, ViolationKind::Overflow, bad, place.site)?;
                }
                let (negative, negated) = (self.terms.bv_slt(value, zero), self.terms.bv_neg(value));
                self.terms.ite(negative, negated, value)
            }
            _ => return self.string_function(state, name, &terms, place),
        };
        Ok(Some(vec![result]))
    }

    fn word(&mut self, term: TermId) -> TermId {
        match self.terms.sort(term).width() {
            Some(_) => self.terms.bv_resize(64, false, term),
            None => self.terms.bv_from_bool(64, term),
        }
    }

    pub(super) fn heap(&mut self, state: &mut State, size: TermId, initial: Initial, place: Place) -> Flow<TermId> {
        let object = self.allocate_sized(state, place, ObjectKind::Heap, size, initial)?;
        Ok(self.terms.bv(64, address(object, 0)))
    }

    /// Checks what `free` checks, and ends the object.
    fn free(&mut self, state: &mut State, pointer: TermId, place: Place) -> Flow<()> {
        let Some(targets) = self.resolve(pointer) else {
            return self.stop_unsupported(state, "freeing a pointer whose origin is not known", place.site);
        };
        for target in targets.iter() {
            let zero = self.terms.bv(64, 0);
            let inside = self.terms.distinct(target.offset, zero);
            let inside = self.terms.and2(target.condition, inside);
            let kind = self.objects.get(target.object as usize).map(|meta| meta.kind);
            match kind {
                Some(ObjectKind::Null) => {
                    self.forbid(state, ViolationKind::InvalidFree, inside, place.site)?;
                    continue;
                }
                Some(ObjectKind::Heap) => self.forbid(state, ViolationKind::InvalidFree, inside, place.site)?,
                _ => {
                    self.forbid(state, ViolationKind::InvalidFree, target.condition, place.site)?;
                    continue;
                }
            }
            let Some(alive) = state.objects.get(&target.object).map(|contents| contents.alive) else { continue };
            let dead = self.terms.not(alive);
            let dead = self.terms.and2(target.condition, dead);
            self.forbid(state, ViolationKind::DoubleFree, dead, place.site)?;
            self.end_where(state, target.object, target.condition);
        }
        Ok(())
    }

    fn reallocate(&mut self, state: &mut State, old: TermId, size: TermId, place: Place) -> Flow<TermId> {
        let Some(new_size) = self.constant(size).filter(|&size| size > 0) else {
            return self.stop_unsupported(state, "`realloc` to a computed size", place.site);
        };
        let single = self.resolve(old).filter(|targets| targets.len() == 1);
        let Some(target) = single.as_ref().map(|targets| targets[0].clone()) else {
            return self.stop_unsupported(state, "`realloc` of one of several objects", place.site);
        };
        let new = self.heap(state, size, Initial::Unwritten, place)?;
        if target.object == 0 {
            return Ok(new);
        }
        let Some(meta) = self.objects.get(target.object as usize).cloned() else {
            return self.stop_unsupported(state, "`realloc` of no object", place.site);
        };
        let Some(old_size) = self.constant(meta.size) else {
            return self.stop_unsupported(state, "`realloc` of an object of computed size", place.site);
        };
        if state.objects.get(&target.object).is_some_and(|contents| contents.alive == self.terms.true_term()) {
            self.copy(state, new, old, old_size.min(new_size), place.site)?;
        }
        self.free(state, old, place)?;
        Ok(new)
    }
}
