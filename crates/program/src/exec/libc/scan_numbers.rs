//! The number conversions of `scanf`: which characters of the input belong to a number.
//!
//! The rules are glibc's own and narrower than `strtod`'s: one character of look-ahead, so that
//! `1e+x` consumes `1e+` and then fails or not as the characters collected so far read.

use std::convert::Infallible;

use super::numbers::{self, IntegerForm};
use super::scan::{Directive, Halt, Scan, Scanner, Size};

type Step<S> = Result<(), Halt<<S as Scan>::Error>>;

impl<S: Scan> Scanner<'_, S> {
    pub(super) fn integer(&mut self, mut directive: Directive) -> Step<S> {
        let mut base = match directive.letter {
            b'x' | b'X' | b'p' => 16,
            b'o' => 8,
            b'i' => 0,
            _ => 10,
        };
        let mut digits = Vec::new();
        self.get()?.ok_or(Halt::EndOfInput)?;
        if let Some(sign @ (b'-' | b'+')) = self.current {
            digits.push(sign);
            directive.spend();
            self.get()?;
        }
        if !directive.exhausted() && self.current == Some(b'0') {
            directive.spend();
            digits.push(b'0');
            self.get()?;
            if !directive.exhausted() && self.current_lower() == Some(b'x') {
                base = if base == 0 { 16 } else { base };
                if base == 16 {
                    directive.spend();
                    self.get()?;
                }
            } else if base == 0 {
                base = 8;
            }
        }
        base = if base == 0 { 10 } else { base };
        while let Some(byte) = self.current {
            if directive.exhausted() || !char::from(byte).is_digit(base) {
                break;
            }
            digits.push(byte);
            directive.spend();
            self.get()?;
        }
        self.finish_integer(&directive, digits, base)
    }

    fn finish_integer(&mut self, directive: &Directive, mut digits: Vec<u8>, base: u32) -> Step<S> {
        if matches!(digits.as_slice(), [] | [b'+' | b'-']) {
            if !(digits.is_empty() && directive.letter == b'p' && self.null_word(directive)?) {
                self.unget()?;
                return Err(Halt::Mismatch);
            }
            digits.push(b'0');
        } else {
            self.unget()?;
        }
        let signed = matches!(directive.letter, b'd' | b'i');
        let at = |index: usize| Ok::<u8, Infallible>(digits.get(index).copied().unwrap_or(0));
        let Ok(number) = numbers::parse_integer(at, IntegerForm { base, signed, binary_prefix: false });
        self.store_integer(directive, number.value)?;
        self.count(directive);
        Ok(())
    }

    /// `(nil)`, which is how glibc prints a null pointer.
    fn null_word(&mut self, directive: &Directive) -> Result<bool, S::Error> {
        if directive.width.is_some_and(|width| width < 5) || self.current != Some(b'(') {
            return Ok(false);
        }
        for expected in *b"nil" {
            if self.get()?.map(|byte| byte.to_ascii_lowercase()) != Some(expected) {
                return Ok(false);
            }
        }
        Ok(self.get()? == Some(b')'))
    }

    fn current_lower(&self) -> Option<u8> {
        self.current.map(|byte| byte.to_ascii_lowercase())
    }

    pub(super) fn float(&mut self, mut directive: Directive) -> Step<S> {
        let mut text = Vec::new();
        self.get()?;
        directive.spend();
        self.current.ok_or(Halt::EndOfInput)?;
        let signed = matches!(self.current, Some(b'-' | b'+'));
        if signed {
            self.keep(&mut text);
            // The end is an end of input only before the first character.
            self.need(&mut directive)?;
        }
        match self.current_lower() {
            Some(b'n') => self.rest_of_word(&mut text, b"an", &mut directive)?,
            Some(b'i') => self.infinity(&mut text, &mut directive)?,
            _ => {
                let hexadecimal = self.mantissa(&mut text, &mut directive)?;
                let prefix = usize::from(signed) + if hexadecimal { 2 } else { 0 };
                if text.len() == usize::from(signed) || hexadecimal && text.len() == prefix {
                    return Err(Halt::Mismatch);
                }
            }
        }
        self.store_float(&directive, &text)
    }

    fn keep(&mut self, text: &mut Vec<u8>) {
        text.extend(self.current);
    }

    /// The next character, without which the number is no number.
    fn need(&mut self, directive: &mut Directive) -> Step<S> {
        if directive.exhausted() || self.get()?.is_none() {
            return Err(Halt::Mismatch);
        }
        directive.spend();
        Ok(())
    }

    fn rest_of_word(&mut self, text: &mut Vec<u8>, rest: &[u8], directive: &mut Directive) -> Step<S> {
        self.keep(text);
        for &expected in rest {
            if directive.exhausted() || self.get()?.is_none() || self.current_lower() != Some(expected) {
                return Err(Halt::Mismatch);
            }
            directive.spend();
            self.keep(text);
        }
        Ok(())
    }

    fn infinity(&mut self, text: &mut Vec<u8>, directive: &mut Directive) -> Step<S> {
        self.rest_of_word(text, b"nf", directive)?;
        if !directive.exhausted() && self.get()?.is_some() {
            if self.current_lower() == Some(b'i') {
                directive.spend();
                self.rest_of_word(text, b"nity", directive)?;
            } else {
                self.unget()?;
            }
        }
        Ok(())
    }

    /// Digits, point and exponent; says whether they are hexadecimal.
    fn mantissa(&mut self, text: &mut Vec<u8>, directive: &mut Directive) -> Result<bool, Halt<S::Error>> {
        let mut hexadecimal = false;
        let (mut digit, mut point, mut exponent) = (false, false, false);
        if !directive.exhausted() && self.current == Some(b'0') {
            self.keep(text);
            self.get()?;
            directive.spend();
            hexadecimal = !directive.exhausted() && self.current_lower() == Some(b'x');
            digit = !hexadecimal;
            if hexadecimal {
                self.keep(text);
                self.get()?;
                directive.spend();
            }
        }
        let exponent_letter = if hexadecimal { b'p' } else { b'e' };
        loop {
            match self.current {
                Some(byte) if byte.is_ascii_digit() || !exponent && hexadecimal && byte.is_ascii_hexdigit() => {
                    text.push(byte);
                    digit = true;
                }
                Some(sign @ (b'-' | b'+')) if exponent && text.last() == Some(&exponent_letter) => text.push(sign),
                Some(byte) if digit && !exponent && byte.to_ascii_lowercase() == exponent_letter => {
                    text.push(exponent_letter);
                    (exponent, point) = (true, true);
                }
                Some(b'.') if !point => {
                    text.push(b'.');
                    point = true;
                }
                _ => {
                    self.unget()?;
                    break;
                }
            }
            if directive.exhausted() || self.get()?.is_none() {
                break;
            }
            directive.spend();
        }
        Ok(hexadecimal)
    }

    fn store_float(&mut self, directive: &Directive, text: &[u8]) -> Step<S> {
        let (bytes, length) = match directive.size {
            Size::LongLong => {
                let number = numbers::to_x87(text);
                (number.value.to_le_bytes()[..10].to_vec(), number.length)
            }
            Size::Long => {
                let number = numbers::to_f64(text);
                (number.value.to_le_bytes().to_vec(), number.length)
            }
            _ => {
                let number = numbers::to_f32(text);
                (number.value.to_le_bytes().to_vec(), number.length)
            }
        };
        if length == 0 {
            return Err(Halt::Mismatch);
        }
        self.store_bytes(directive, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::{CString, c_void};

    use proptest::prelude::*;

    use super::super::scan::{Scan, scan};

    /// Input from a string, four places of 64 bytes each to store in, numbered from 1.
    struct Listed {
        input: Vec<u8>,
        at: usize,
        next: u64,
        places: [[u8; 64]; 4],
    }

    impl Scan for Listed {
        type Error = String;

        fn get(&mut self) -> Result<Option<u8>, String> {
            let byte = self.input.get(self.at).copied();
            self.at += usize::from(byte.is_some());
            Ok(byte)
        }
        fn unget(&mut self, byte: u8) -> Result<(), String> {
            self.at -= 1;
            assert_eq!(self.input[self.at], byte);
            Ok(())
        }
        fn pointer(&mut self, _: Option<u32>, _: &str) -> Result<u64, String> {
            self.next += 1;
            Ok(self.next)
        }
        fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
            self.places[address as usize - 1][..bytes.len()].copy_from_slice(bytes);
            Ok(())
        }
        fn allocate(&mut self, _: &[u8]) -> Result<u64, String> {
            Err("not here".to_owned())
        }
        fn misuse(&mut self, message: String) -> String {
            message
        }
    }

    fn check(input: &str, format: &str) {
        let mut listed = Listed { input: input.as_bytes().to_vec(), at: 0, next: 0, places: [[0; 64]; 4] };
        let Ok(found) = scan(format.as_bytes(), &mut listed) else { return };
        let (text, native) = (CString::new(input).unwrap(), CString::new(format).unwrap());
        let mut places = [[0u8; 64]; 4];
        let [a, b, c, d] = places.each_mut().map(|place| place.as_mut_ptr().cast::<c_void>());
        // SAFETY: formats have at most four conversions, and none stores more than 64 bytes.
        let expected = unsafe { libc::sscanf(text.as_ptr(), native.as_ptr(), a, b, c, d) };
        assert_eq!(found.result, expected, "{input:?} as {format:?}");
        assert_eq!(listed.places, places, "{input:?} as {format:?}");
    }

    #[test]
    fn the_usual_and_the_odd() {
        for (input, format) in [
            ("12 abc", "%d %s"),
            ("", "%d"),
            ("x", "%d"),
            ("   ", "%d"),
            ("12,34", "%d,%d%n"),
            ("0x1fz", "%x%c"),
            ("0xg", "%i%c"),
            ("-08", "%i%n"),
            ("99999999999", "%d"),
            ("99999999999999999999", "%ld"),
            ("-1", "%u"),
            ("300", "%hhd"),
            ("1e+x", "%lf%n"),
            ("infinity", "%4f%s"),
            ("nan(x)", "%f%s"),
            ("-.5e3.", "%f%n"),
            ("0x1.8p1", "%lf"),
            ("0x", "%f"),
            ("3.14159", "%3f%3s"),
            ("1.1", "%Lf"),
            ("abc-]d", "%[]a-c-]%n"),
            ("hello world", "%[^w]%c"),
            ("a%b", "a%%%c"),
            ("  x", "%c%c"),
            ("ab", "%5c"),
            ("(nil)", "%p"),
            ("5 apples", "%*d %s"),
            ("key = value", " %[a-z] = %s"),
            ("a", "a %n"),
        ] {
            check(input, format);
        }
    }

    proptest! {
        #[test]
        fn numbers_as_glibc(
            input in "[ ]{0,1}[-+]?(0x?)?[0-9a-fp.]{0,8}([ep][-+]?[0-9]{0,3})?[ ,a-z]{0,3}[-+]?[0-9.]{0,4}",
            first in "%[*]?[1-9]?(hh|h|l|ll|L)?[diuoxXfegap]",
            between in "( |,|%c|%n)?",
            second in "(%[1-9]?[di]|%2s|%[a-z]?)?",
        ) {
            check(&input, &format!("{first}{between}{second}"));
        }

        #[test]
        fn text_as_glibc(
            input in "[ a-d]{0,12}",
            format in "(%[1-9]?s|%[1-9]?c| |a|%n|%[1-9]?\\[a-b\\]|%\\[\\^ c\\]){0,4}",
        ) {
            check(&input, &format);
        }

        #[test]
        fn words_as_glibc(
            input in "[-+]?([iI][nN]?[fF]?[iI]?[nN]?[iI]?[tT]?[yY]?|[nN][aA]?[nN]?)[(a-z]?",
            format in "%[1-9]?l?f%n",
        ) {
            check(&input, &format);
        }
    }
}
