//! Numbers out of text, as glibc's `strtol` and `strtod` families read them in the C locale.
//!
//! The text is given by a function from an offset to a byte, and no byte is asked for that glibc
//! would not look at: a number that ends before an unwritten byte is read without complaint.
//! Integers are parsed here; decimal and hexadecimal floats are delimited here and converted by
//! glibc itself, so that rounding is its own.

use std::ffi::{CString, c_char};

use super::ctype;
use super::x87;

/// What `strtol` and its relatives found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// The 64-bit result, two's complement.
    pub value: u64,
    /// Bytes up to the end of the number; 0 if there is none.
    pub length: usize,
    /// The number does not fit (`ERANGE`); `value` is the nearest that does.
    pub overflow: bool,
}

/// The family of an integer conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerForm {
    /// 0, or 2 to 36.
    pub base: u32,
    pub signed: bool,
    /// C23: `0b` is a prefix.
    pub binary_prefix: bool,
}

impl IntegerForm {
    pub fn signed(base: u32) -> Self {
        IntegerForm { base, signed: true, binary_prefix: false }
    }
}

/// Text that is read from the front, byte by byte.
pub struct Text<F> {
    at: F,
    taken: Vec<u8>,
}

impl<E, F: FnMut(usize) -> Result<u8, E>> Text<F> {
    pub fn new(at: F) -> Self {
        Text { at, taken: Vec::new() }
    }

    fn peek(&mut self) -> Result<u8, E> {
        self.peek_at(0)
    }

    fn peek_at(&mut self, ahead: usize) -> Result<u8, E> {
        (self.at)(self.taken.len() + ahead)
    }

    fn take(&mut self, count: usize) -> Result<(), E> {
        for _ in 0..count {
            let byte = self.peek()?;
            self.taken.push(byte);
        }
        Ok(())
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> Result<usize, E> {
        let before = self.taken.len();
        loop {
            let byte = self.peek()?;
            if !wanted(byte) {
                return Ok(self.taken.len() - before);
            }
            self.taken.push(byte);
        }
    }

    /// Takes the word if it stands next, in either case.
    fn take_word(&mut self, word: &[u8]) -> Result<bool, E> {
        for (index, &expected) in word.iter().enumerate() {
            if self.peek_at(index)?.to_ascii_lowercase() != expected {
                return Ok(false);
            }
        }
        self.take(word.len())?;
        Ok(true)
    }

    fn take_sign(&mut self) -> Result<bool, E> {
        self.take_while(ctype::is_space)?;
        let sign = self.peek()?;
        if sign == b'+' || sign == b'-' {
            self.take(1)?;
        }
        Ok(sign == b'-')
    }
}

/// Reads an integer from the start of the text. The base must be valid.
pub fn parse_integer<E>(at: impl FnMut(usize) -> Result<u8, E>, form: IntegerForm) -> Result<Integer, E> {
    let mut text = Text::new(at);
    let negative = text.take_sign()?;
    let base = take_prefix(&mut text, form)?;
    let mut magnitude: u64 = 0;
    let mut overflow = false;
    let mut digits = 0;
    while let Some(digit) = char::from(text.peek()?).to_digit(base) {
        text.take(1)?;
        digits += 1;
        match magnitude.checked_mul(u64::from(base)).and_then(|shifted| shifted.checked_add(u64::from(digit))) {
            Some(value) => magnitude = value,
            None => overflow = true,
        }
    }
    if digits == 0 {
        return Ok(Integer { value: 0, length: 0, overflow: false });
    }
    let (value, overflow) = apply_sign(magnitude, negative, overflow, form.signed);
    Ok(Integer { value, length: text.taken.len(), overflow })
}

/// Takes `0x` (or `0b`) where a digit follows, and says what the base is.
fn take_prefix<E, F: FnMut(usize) -> Result<u8, E>>(text: &mut Text<F>, form: IntegerForm) -> Result<u32, E> {
    if !matches!(form.base, 0 | 2 | 16) || text.peek()? != b'0' {
        return Ok(if form.base == 0 { 10 } else { form.base });
    }
    let letter = text.peek_at(1)?.to_ascii_lowercase();
    let prefixed = match letter {
        b'x' if form.base != 2 => 16,
        b'b' if form.base != 16 && form.binary_prefix => 2,
        _ => return Ok(if form.base == 0 { 8 } else { form.base }),
    };
    if char::from(text.peek_at(2)?).is_digit(prefixed) {
        text.take(2)?;
    }
    Ok(prefixed)
}

fn apply_sign(magnitude: u64, negative: bool, overflow: bool, signed: bool) -> (u64, bool) {
    if !signed {
        let value = if negative { magnitude.wrapping_neg() } else { magnitude };
        return if overflow { (u64::MAX, true) } else { (value, false) };
    }
    let limit = if negative { 1u64 << 63 } else { i64::MAX as u64 };
    let clamped = if overflow { limit } else { magnitude.min(limit) };
    let value = if negative { clamped.wrapping_neg() } else { clamped };
    (value, overflow || magnitude > limit)
}

/// The bytes from the start of the text that `strtod` would look at as its number, with leading
/// space and sign.
pub fn float_text<E>(at: impl FnMut(usize) -> Result<u8, E>) -> Result<Vec<u8>, E> {
    let mut text = Text::new(at);
    text.take_sign()?;
    match text.peek()?.to_ascii_lowercase() {
        b'i' => {
            if text.take_word(b"inf")? {
                text.take_word(b"inity")?;
            }
        }
        b'n' => {
            if text.take_word(b"nan")? && text.peek()? == b'(' {
                text.take(1)?;
                text.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_')?;
                if text.peek()? == b')' {
                    text.take(1)?;
                }
            }
        }
        _ => take_digits(&mut text)?,
    }
    Ok(text.taken)
}

fn take_digits<E, F: FnMut(usize) -> Result<u8, E>>(text: &mut Text<F>) -> Result<(), E> {
    let hexadecimal = text.peek()? == b'0' && text.peek_at(1)?.eq_ignore_ascii_case(&b'x');
    let (digit, exponent): (fn(u8) -> bool, u8) =
        if hexadecimal { (|byte| byte.is_ascii_hexdigit(), b'p') } else { (|byte| byte.is_ascii_digit(), b'e') };
    if hexadecimal {
        text.take(2)?;
    }
    let mut digits = text.take_while(digit)?;
    if text.peek()? == b'.' {
        text.take(1)?;
        digits += text.take_while(digit)?;
    }
    if digits > 0 && text.peek()?.to_ascii_lowercase() == exponent {
        let signed = matches!(text.peek_at(1)?, b'+' | b'-');
        if text.peek_at(1 + usize::from(signed))?.is_ascii_digit() {
            text.take(1 + usize::from(signed))?;
            text.take_while(|byte| byte.is_ascii_digit())?;
        }
    }
    Ok(())
}

/// A float's bits as glibc converts them, with the number's length and the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Converted<T> {
    pub value: T,
    pub length: usize,
    /// The value of `errno`, if glibc set one.
    pub error: Option<i32>,
}

impl<T> Converted<T> {
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Converted<U> {
        Converted { value: convert(self.value), length: self.length, error: self.error }
    }
}

pub fn to_f64(text: &[u8]) -> Converted<f64> {
    // SAFETY: both pointers are valid for the call, and the text ends with a zero.
    convert(text, |start, end| unsafe { libc::strtod(start, end) })
}

pub fn to_f32(text: &[u8]) -> Converted<f32> {
    // SAFETY: as above.
    convert(text, |start, end| unsafe { libc::strtof(start, end) })
}

/// The bits of a `long double`.
pub fn to_x87(text: &[u8]) -> Converted<u128> {
    convert(text, x87::strtold)
}

fn convert<T>(text: &[u8], conversion: impl Fn(*const c_char, *mut *mut c_char) -> T) -> Converted<T> {
    let until_zero = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let terminated = CString::new(until_zero).unwrap_or_default();
    let start = terminated.as_ptr();
    let mut end = start.cast_mut();
    clear_errno();
    let value = conversion(start, &raw mut end);
    let error = errno();
    Converted { value, length: end as usize - start as usize, error }
}

/// The calling thread's own `errno`, if it is set.
pub fn errno() -> Option<i32> {
    // SAFETY: glibc returns the address of a thread-local integer.
    let value = unsafe { *libc::__errno_location() };
    (value != 0).then_some(value)
}

pub fn clear_errno() {
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = 0 }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    fn reader(text: &[u8]) -> impl FnMut(usize) -> Result<u8, Infallible> {
        |index| Ok(text.get(index).copied().unwrap_or(0))
    }

    fn check_integer(text: &[u8], base: u32) {
        let terminated = CString::new(text).unwrap();
        let mut end = std::ptr::null_mut();
        for signed in [true, false] {
            clear_errno();
            // SAFETY: the text is terminated.
            let expected = unsafe {
                if signed {
                    libc::strtol(terminated.as_ptr(), &raw mut end, base as i32) as u64
                } else {
                    libc::strtoul(terminated.as_ptr(), &raw mut end, base as i32)
                }
            };
            let overflow = errno() == Some(libc::ERANGE);
            let length = end as usize - terminated.as_ptr() as usize;
            let form = IntegerForm { base, signed, binary_prefix: false };
            let Ok(found) = parse_integer(reader(text), form);
            assert_eq!(found, Integer { value: expected, length, overflow }, "{terminated:?} base {base} {signed}");
        }
    }

    fn check_float(text: &[u8]) {
        let Ok(delimited) = float_text(reader(text));
        let whole = to_f64(text);
        let part = to_f64(&delimited);
        assert_eq!((whole.value.to_bits(), whole.length, whole.error), (part.value.to_bits(), part.length, part.error));
        assert_eq!(to_x87(text), to_x87(&delimited));
    }

    #[test]
    fn integers_at_the_edges() {
        for text in ["", "0", "0x", "0xg", "-0x1F", " \t+12z", "9223372036854775807", "9223372036854775808"] {
            for base in [0, 2, 8, 10, 16, 36] {
                check_integer(text.as_bytes(), base);
            }
        }
        for text in
            ["-9223372036854775808", "-9223372036854775809", "18446744073709551615", "-18446744073709551616", "0b1"]
        {
            check_integer(text.as_bytes(), 0);
            check_integer(text.as_bytes(), 10);
        }
    }

    #[test]
    fn floats_at_the_edges() {
        for text in [
            "",
            ".",
            "-",
            "1e",
            "1e+",
            "0x",
            "0x.p1",
            "0x1p",
            "nan(12",
            "nan(ab)c",
            "infinit",
            "+INFINITY",
            "1e999",
            "4.9e-324",
            "1e-400",
        ] {
            check_float(text.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn integers_as_glibc(
            text in "[ \t]{0,2}[-+]?(0[xX]?)?[0-9a-fxzZ]{0,22}",
            base in prop_oneof![Just(0u32), 2u32..=36],
        ) {
            check_integer(text.as_bytes(), base);
        }

        #[test]
        fn floats_as_glibc(
            start in "[ \t]{0,2}[-+]?(0[xX])?[0-9a-f]{0,20}[.]?[0-9a-f]{0,10}",
            end in "([eEpP][-+]?[0-9]{0,4})?[a-z(]{0,3}",
        ) {
            let text = format!("{start}{end}");
            check_float(text.as_bytes());
        }
    }
}
