//! Numbers out of text (`atoi`, `atol`), and the tables behind the macros of ctype.h.
//!
//! Imprecise: text with more digits than surely fit the number is not supported.

use logic::terms::TermId;
use program::exec::libc::ctype;

use super::memory::address;
use super::state::{Cell, Initial, ObjectKind, State};
use super::{Engine, Flow, Place};

/// Parts of a command under which the tables' objects are known.
const TABLE: u32 = 0x4000;

/// How far reading a number has got, as conditions and values.
struct Reading {
    /// Blanks are still skipped.
    before: TermId,
    /// Digits are read.
    inside: TermId,
    negative: TermId,
    value: TermId,
    digits: TermId,
}

impl Engine<'_> {
    pub(super) fn text_to_number(&mut self, state: &mut State, text: TermId, width: u32, place: Place) -> Flow<TermId> {
        let bytes = self.string_bytes(state, text, None, place)?;
        let terms = &mut self.terms;
        let (no, zero, none) = (terms.false_term(), terms.bv(width, 0), terms.bv(64, 0));
        let mut reading = Reading { before: terms.true_term(), inside: no, negative: no, value: zero, digits: none };
        for byte in bytes {
            self.read_character(&mut reading, byte, width);
        }
        let most = self.terms.bv(64, if width == 32 { 9 } else { 18 });
        let long = self.terms.bv_ugt(reading.digits, most);
        self.unsupported(state, long, "a number of many digits", place.site)?;
        let negated = self.terms.bv_neg(reading.value);
        Ok(self.terms.ite(reading.negative, negated, reading.value))
    }

    fn read_character(&mut self, reading: &mut Reading, byte: TermId, width: u32) {
        let is = |engine: &mut Self, wanted: u8| {
            let wanted = engine.terms.bv(8, u64::from(wanted));
            engine.terms.eq(byte, wanted)
        };
        let blanks: Vec<TermId> = (0..=u8::MAX).filter(|&it| ctype::is_space(it)).map(|it| is(self, it)).collect();
        let (plus, minus) = (is(self, b'+'), is(self, b'-'));
        let terms = &mut self.terms;
        let blank = terms.or(&blanks);
        let sign = terms.or2(plus, minus);
        let (first, last) = (terms.bv(8, u64::from(b'0')), terms.bv(8, u64::from(b'9')));
        let (from, to) = (terms.bv_uge(byte, first), terms.bv_ule(byte, last));
        let digit = terms.and2(from, to);
        let signed = terms.and2(reading.before, sign);
        let negative = terms.and2(signed, minus);
        let either = terms.or2(reading.before, reading.inside);
        let counts = terms.and2(either, digit);
        let value = terms.bv_sub(byte, first);
        let value = terms.bv_resize(width, false, value);
        let ten = terms.bv(width, 10);
        let shifted = terms.bv_mul(reading.value, ten);
        let value = terms.bv_add(shifted, value);
        let one = terms.bv(64, 1);
        let more = terms.bv_add(reading.digits, one);
        *reading = Reading {
            before: terms.and2(reading.before, blank),
            inside: terms.or2(signed, counts),
            negative: terms.or2(reading.negative, negative),
            value: terms.ite(counts, value, reading.value),
            digits: terms.ite(counts, more, reading.digits),
        };
    }

    /// The address of a pointer to a table's entry for character 0.
    pub(super) fn character_table(
        &mut self,
        state: &mut State,
        contents: Vec<u8>,
        entry_size: u64,
        place: Place,
    ) -> Flow<TermId> {
        let size = contents.len() as u64;
        let table = self.allocate(state, place, TABLE, ObjectKind::Library, size, Initial::Bytes(contents.into()));
        let pointer = self.allocate(state, place, TABLE + 1, ObjectKind::Library, 8, Initial::Zero);
        self.objects[table as usize].constant = true;
        let zero = self.terms.bv(64, address(table, ctype::zero_offset(entry_size) as i64));
        let value = self.written(zero);
        let location = self.terms.bv(64, address(pointer, 0));
        self.store(state, location, Cell { bytes: 8, value }, place.site)?;
        Ok(location)
    }
}
