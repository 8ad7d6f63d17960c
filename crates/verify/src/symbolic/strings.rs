//! Strings: the functions of string.h and ctype.h over bytes that are terms.
//!
//! A string is read from its pointer to the first zero byte, at most to the end of its object, and at most
//! [`MOST_BYTES`](super::ranges::MOST_BYTES). What the executor forbids on the way is an obligation: bytes outside
//! of the object or never written. Results are those of the executor's models, the numbers of `strcmp` too.

use logic::terms::TermId;
use program::exec::ViolationKind;
use program::exec::libc::ctype;

use super::ranges::MOST_BYTES;
use super::state::{Cell, Initial, Scalar, State};
use super::{Engine, Flow, Place, Stop};

/// Classes of characters, by the function that asks for them.
const CLASSES: &[(&str, u16)] = &[
    ("isalnum", ctype::class::ALNUM),
    ("isalpha", ctype::class::ALPHA),
    ("isblank", ctype::class::BLANK),
    ("iscntrl", ctype::class::CNTRL),
    ("isdigit", ctype::class::DIGIT),
    ("isgraph", ctype::class::GRAPH),
    ("islower", ctype::class::LOWER),
    ("isprint", ctype::class::PRINT),
    ("ispunct", ctype::class::PUNCT),
    ("isspace", ctype::class::SPACE),
    ("isupper", ctype::class::UPPER),
    ("isxdigit", ctype::class::XDIGIT),
];

impl Engine<'_> {
    /// The results of a function on strings or characters; `None` if it is not one of these.
    pub(super) fn string_function(
        &mut self,
        state: &mut State,
        name: &str,
        arguments: &[TermId],
        place: Place,
    ) -> Flow<Option<Vec<TermId>>> {
        let result = match (name, arguments) {
            ("strlen", &[text]) => self.string_length(state, text, None, place)?,
            ("strnlen", &[text, most]) => self.string_length(state, text, Some(most), place)?,
            ("strcpy", &[to, from]) => self.string_copy(state, to, from, None, place)?,
            ("strncpy", &[to, from, most]) => self.padded_copy(state, to, from, most, place)?,
            ("strcat", &[to, from]) => self.string_append(state, to, from, None, place)?,
            ("strncat", &[to, from, most]) => self.string_append(state, to, from, Some(most), place)?,
            ("strcmp", &[first, second]) => self.string_compare(state, (first, second), None, place)?,
            ("strncmp", &[first, second, most]) => self.string_compare(state, (first, second), Some(most), place)?,
            ("strchr" | "index", &[text, wanted]) => self.string_find(state, text, wanted, false, place)?,
            ("strrchr" | "rindex", &[text, wanted]) => self.string_find(state, text, wanted, true, place)?,
            ("strdup" | "__strdup", &[text]) => self.string_duplicate(state, text, place)?,
            ("atoi", &[text]) => self.text_to_number(state, text, 32, place)?,
            ("atol" | "atoll", &[text]) => self.text_to_number(state, text, 64, place)?,
            ("tolower" | "toupper", &[character]) => self.change_case(character, name == "toupper"),
            ("__ctype_b_loc", &[]) => self.character_table(state, ctype::class_table(), 2, place)?,
            ("__ctype_tolower_loc", &[]) => self.character_table(state, ctype::lower_table(), 4, place)?,
            ("__ctype_toupper_loc", &[]) => self.character_table(state, ctype::upper_table(), 4, place)?,
            (_, &[character]) => match CLASSES.iter().find(|(function, _)| *function == name) {
                Some(&(_, class)) => self.is_in_class(state, character, class, place)?,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(vec![result]))
    }

    /// The bytes of a string up to its end, that included, or up to `most` bytes.
    pub(super) fn string_bytes(
        &mut self,
        state: &mut State,
        text: TermId,
        most: Option<TermId>,
        place: Place,
    ) -> Flow<Vec<TermId>> {
        let zero = self.terms.bv(8, 0);
        let mut ended = self.terms.false_term();
        let mut bytes = Vec::new();
        for index in 0..MOST_BYTES {
            if let Some(most) = most {
                let here = self.terms.bv(64, index);
                let beyond = self.terms.bv_uge(here, most);
                ended = self.terms.or2(ended, beyond);
            }
            let Some(byte) = self.string_byte(state, text, index, ended, place)? else { return Ok(bytes) };
            bytes.push(byte);
            let last = self.terms.eq(byte, zero);
            ended = self.terms.or2(ended, last);
        }
        let open = self.terms.not(ended);
        self.unsupported(state, open, "a long string", place.site)?;
        Ok(bytes)
    }

    /// The next byte of a string that may have ended; `None` if it surely has, or nothing is there.
    fn string_byte(
        &mut self,
        state: &mut State,
        text: TermId,
        index: u64,
        ended: TermId,
        place: Place,
    ) -> Flow<Option<TermId>> {
        // The executor reads no further than the end of the string.
        let mut reading = state.clone();
        let open = self.terms.not(ended);
        if self.assume(&mut reading, open).is_err() {
            return Ok(None);
        }
        let at = self.offset_pointer(text, index);
        self.inside_string = index > 0;
        let byte = self.load(&mut reading, at, 1, place.site);
        self.inside_string = false;
        match byte {
            Ok(byte) => {
                self.forbid_unwritten_byte(&mut reading, byte, place)?;
                Ok(Some(byte.term))
            }
            Err(Stop::Path) => {
                // Where the string has not ended, something was wrong with the access.
                self.assume(state, ended)?;
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    }

    fn forbid_unwritten_byte(&mut self, state: &mut State, byte: Scalar, place: Place) -> Flow<()> {
        match self.forbid_unwritten(state, byte, place) {
            Err(Stop::Path) | Ok(()) => Ok(()),
            stop => stop,
        }
    }

    fn string_length(&mut self, state: &mut State, text: TermId, most: Option<TermId>, place: Place) -> Flow<TermId> {
        let bytes = self.string_bytes(state, text, most, place)?;
        Ok(self.length_of(&bytes, most))
    }

    /// The position of the first zero among the bytes of a string, or `most`.
    fn length_of(&mut self, bytes: &[TermId], most: Option<TermId>) -> TermId {
        let zero = self.terms.bv(8, 0);
        let mut length = most.unwrap_or_else(|| self.terms.bv(64, bytes.len() as u64));
        for (index, &byte) in bytes.iter().enumerate().rev() {
            let here = self.terms.bv(64, index as u64);
            let last = self.terms.eq(byte, zero);
            let shorter = match most {
                Some(most) => self.terms.bv_ult(here, most),
                None => self.terms.true_term(),
            };
            let last = self.terms.and2(last, shorter);
            length = self.terms.ite(last, here, length);
        }
        length
    }

    /// Copies a string with its end; at most `most` of its bytes, and then a zero byte.
    fn string_copy(
        &mut self,
        state: &mut State,
        to: TermId,
        from: TermId,
        most: Option<TermId>,
        place: Place,
    ) -> Flow<TermId> {
        let mut bytes = self.string_bytes(state, from, most, place)?;
        let zero = self.terms.bv(8, 0);
        let length = self.length_of(&bytes, most);
        let one = self.terms.bv(64, 1);
        let size = self.terms.bv_add(length, one);
        let read = match most {
            Some(most) => {
                let short = self.terms.bv_ult(size, most);
                self.terms.ite(short, size, most)
            }
            None => size,
        };
        self.forbid_overlap(state, (to, size), (from, read), place)?;
        bytes.extend(most.map(|_| zero));
        let mut writing = state.clone();
        let mut parted = Vec::new();
        for (byte, index) in bytes.into_iter().zip(0..) {
            let mut byte = byte;
            if let Some(most) = most {
                let here = self.terms.bv(64, index);
                let inside = self.terms.bv_ult(here, most);
                byte = self.terms.ite(inside, byte, zero);
            }
            let at = self.offset_pointer(to, index);
            let value = self.written(byte);
            match self.store(&mut writing, at, Cell { bytes: 1, value }, place.site) {
                Err(Stop::Path) => break,
                other => other?,
            }
            let last = self.terms.eq(byte, zero);
            let mut ended = writing.clone();
            if self.assume(&mut ended, last).is_ok() {
                parted.push(ended);
            }
            let more = self.terms.not(last);
            if self.assume(&mut writing, more).is_err() {
                break;
            }
        }
        *state = self.merge_all(parted).ok_or(Stop::Path)?;
        Ok(to)
    }

    /// `strncpy`: exactly `most` bytes are written, zeros behind the string's end.
    fn padded_copy(&mut self, state: &mut State, to: TermId, from: TermId, most: TermId, place: Place) -> Flow<TermId> {
        let Some(count) = self.constant(most).filter(|&count| count <= MOST_BYTES) else {
            return self.stop_unsupported(state, "`strncpy` of a computed or large number of bytes", place.site);
        };
        let bytes = self.string_bytes(state, from, Some(most), place)?;
        let (length, one) = (self.length_of(&bytes, Some(most)), self.terms.bv(64, 1));
        let whole = self.terms.bv_add(length, one);
        let short = self.terms.bv_ult(whole, most);
        let read = self.terms.ite(short, whole, most);
        self.forbid_overlap(state, (to, most), (from, read), place)?;
        let zero = self.terms.bv(8, 0);
        let mut ended = self.terms.false_term();
        for index in 0..count {
            let byte = bytes.get(index as usize).copied().unwrap_or(zero);
            let byte = self.terms.ite(ended, zero, byte);
            let last = self.terms.eq(byte, zero);
            ended = self.terms.or2(ended, last);
            let at = self.offset_pointer(to, index);
            let value = self.written(byte);
            self.store(state, at, Cell { bytes: 1, value }, place.site)?;
        }
        Ok(to)
    }

    fn string_append(
        &mut self,
        state: &mut State,
        to: TermId,
        from: TermId,
        most: Option<TermId>,
        place: Place,
    ) -> Flow<TermId> {
        let length = self.string_length(state, to, None, place)?;
        let end = self.terms.bv_add(to, length);
        self.string_copy(state, end, from, most, place)?;
        Ok(to)
    }

    fn string_compare(
        &mut self,
        state: &mut State,
        (first, second): (TermId, TermId),
        most: Option<TermId>,
        place: Place,
    ) -> Flow<TermId> {
        let (zero, end) = (self.terms.bv(32, 0), self.terms.bv(8, 0));
        let mut ended = self.terms.false_term();
        let mut differences = Vec::new();
        for index in 0..MOST_BYTES {
            if let Some(most) = most {
                let here = self.terms.bv(64, index);
                let beyond = self.terms.bv_uge(here, most);
                ended = self.terms.or2(ended, beyond);
            }
            let Some(left) = self.string_byte(state, first, index, ended, place)? else { break };
            let Some(right) = self.string_byte(state, second, index, ended, place)? else { break };
            let differ = self.terms.distinct(left, right);
            let open = self.terms.not(ended);
            let here = self.terms.and2(open, differ);
            differences.push((here, self.byte_difference(left, right)));
            let last = self.terms.eq(left, end);
            ended = self.terms.or(&[ended, differ, last]);
        }
        let open = self.terms.not(ended);
        self.unsupported(state, open, "a long string", place.site)?;
        let choose = |engine: &mut Self, result, (here, difference)| engine.terms.ite(here, difference, result);
        Ok(differences.into_iter().rev().fold(zero, |result, difference| choose(self, result, difference)))
    }

    /// The first or last place of a character, or null; the end of the string can be looked for too.
    fn string_find(
        &mut self,
        state: &mut State,
        text: TermId,
        wanted: TermId,
        last: bool,
        place: Place,
    ) -> Flow<TermId> {
        let bytes = self.string_bytes(state, text, None, place)?;
        let wanted = self.terms.bv_extract(7, 0, wanted);
        let end = self.terms.bv(8, 0);
        let zero = self.terms.bv(64, 0);
        let (mut found, mut at) = (self.terms.false_term(), zero);
        for (index, byte) in bytes.into_iter().enumerate().rev() {
            let here = self.terms.bv(64, index as u64);
            let matches = self.terms.eq(byte, wanted);
            let ended = self.terms.eq(byte, end);
            let more = self.terms.not(ended);
            let later = self.terms.and2(more, found);
            at = match last {
                true => self.terms.ite(later, at, here),
                false => self.terms.ite(matches, here, at),
            };
            found = self.terms.or2(matches, later);
        }
        let pointer = self.terms.bv_add(text, at);
        Ok(self.terms.ite(found, pointer, zero))
    }

    fn string_duplicate(&mut self, state: &mut State, text: TermId, place: Place) -> Flow<TermId> {
        let length = self.string_length(state, text, None, place)?;
        let one = self.terms.bv(64, 1);
        let size = self.terms.bv_add(length, one);
        let copy = self.heap(state, size, Initial::Unwritten, place)?;
        self.string_copy(state, copy, text, None, place)
    }

    /// glibc's functions return the bit of the class; what is no character is refused.
    fn is_in_class(&mut self, state: &mut State, character: TermId, class: u16, place: Place) -> Flow<TermId> {
        let character = self.terms.bv_resize(32, false, character);
        let (least, most) = (self.terms.bv_signed(32, -128), self.terms.bv(32, 255));
        let (below, above) = (self.terms.bv_slt(character, least), self.terms.bv_sgt(character, most));
        let bad = self.terms.or2(below, above);
        self.forbid(state, ViolationKind::StringFunction, bad, place.site)?;
        let is_in = |byte: u8| ctype::classes(byte) & class != 0;
        let members = self.among(character, is_in);
        let (bit, none) = (self.terms.bv(32, u64::from(class)), self.terms.bv(32, 0));
        Ok(self.terms.ite(members, bit, none))
    }

    fn change_case(&mut self, character: TermId, upper: bool) -> TermId {
        let character = self.terms.bv_resize(32, false, character);
        let changed = move |byte: u8| if upper { byte.is_ascii_lowercase() } else { byte.is_ascii_uppercase() };
        let changes = self.among(character, changed);
        let bit = self.terms.bv(32, 0x20);
        let other = self.terms.bv_xor(character, bit);
        self.terms.ite(changes, other, character)
    }

    /// Whether an `int` is one of the bytes, as few ranges as possible.
    fn among(&mut self, character: TermId, is_in: impl Fn(u8) -> bool) -> TermId {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for byte in (0..=u8::MAX).filter(|&byte| is_in(byte)).map(u64::from) {
            match ranges.last_mut().filter(|(_, last)| *last + 1 == byte) {
                Some((_, last)) => *last = byte,
                None => ranges.push((byte, byte)),
            }
        }
        let mut any = self.terms.false_term();
        for (first, last) in ranges {
            let (first, last) = (self.terms.bv(32, first), self.terms.bv(32, last));
            let (from, to) = (self.terms.bv_uge(character, first), self.terms.bv_ule(character, last));
            let inside = self.terms.and2(from, to);
            any = self.terms.or2(any, inside);
        }
        any
    }
}
