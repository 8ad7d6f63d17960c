//! What functions that print read: strings must have an end, and formats must fit their arguments.
//!
//! Nothing is printed. What is checked does not change the state: a function that prints changes nothing that the
//! program sees. Where it is not known what is read, nothing is proved.

use program::Type;
use program::exec::ViolationKind;

use super::calls::Passed;
use super::state::State;
use super::{Engine, Flow, Place, Stop};

impl Engine<'_> {
    /// Checks the arguments of a function that prints.
    pub(super) fn printed(&mut self, state: &State, name: &str, arguments: &[Passed], place: Place) -> Flow<()> {
        let mut checking = state.clone();
        let known = match (name, arguments) {
            ("puts" | "fputs", [text, ..]) => self.read_string(&mut checking, text, None, place)?,
            ("printf", [format, values @ ..]) | ("fprintf", [_, format, values @ ..]) => {
                self.read_format(&mut checking, format, values, place)?
            }
            ("putchar" | "fputc" | "putc" | "fflush" | "setbuf" | "setvbuf", _) => true,
            _ => false,
        };
        if !known {
            self.doubt(state, &format!("what `{name}` reads"), place.site);
        }
        Ok(())
    }

    /// Reads a string up to its end or to a number of bytes. True: what it reads is known, and checked.
    fn read_string(&mut self, state: &mut State, text: &Passed, most: Option<u64>, place: Place) -> Flow<bool> {
        if !self.checks.has(ViolationKind::StringFunction) {
            return Ok(true);
        }
        let most = most.map(|most| self.terms.bv(64, most));
        match self.string_bytes(state, text.value.term, most, place) {
            Ok(_) | Err(Stop::Path) => Ok(true),
            Err(stop) => Err(stop),
        }
    }

    /// Compares a format with its arguments and reads the strings among them.
    fn read_format(&mut self, state: &mut State, format: &Passed, values: &[Passed], place: Place) -> Flow<bool> {
        let bytes = match self.string_bytes(state, format.value.term, None, place) {
            Ok(bytes) => bytes,
            Err(Stop::Path) => return Ok(true),
            Err(stop) => return Err(stop),
        };
        let text: Option<Vec<u8>> = bytes.iter().map(|&byte| Some(self.constant(byte)? as u8)).collect();
        let Some(conversions) = text.as_deref().and_then(conversions) else { return Ok(false) };
        if conversions.len() > values.len() {
            return Ok(false);
        }
        let mut known = true;
        for (conversion, value) in conversions.iter().zip(values) {
            known &= match conversion {
                Conversion::Text(most) => value.ty == Type::Pointer && self.read_string(state, value, *most, place)?,
                Conversion::Value(ty) => value.ty == *ty,
            };
        }
        Ok(known)
    }
}

/// What a conversion of a format takes.
#[derive(Debug, PartialEq, Eq)]
enum Conversion {
    /// A string, of which at most so many bytes are read.
    Text(Option<u64>),
    Value(Type),
}

/// The conversions of a format; nothing if it has some that are not known here.
fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().take_while(|&byte| byte != 0).peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        while rest.next_if(|byte| b"-+ #0123456789".contains(byte)).is_some() {}
        let mut most = None;
        if rest.next_if_eq(&b'.').is_some() {
            let mut digits = 0u64;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                digits = digits.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            }
            most = Some(digits);
        }
        let mut length = Vec::new();
        while let Some(byte) = rest.next_if(|byte| b"hlzjtL".contains(byte)) {
            length.push(byte);
        }
        let wide = matches!(length[..], [b'l'] | [b'l', b'l'] | [b'z'] | [b'j'] | [b't']);
        let plain = length.is_empty();
        found.push(match rest.next()? {
            b'%' if plain => continue,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if wide => Conversion::Value(Type::Int(64)),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if !length.contains(&b'L') => Conversion::Value(Type::Int(32)),
            b'c' if plain => Conversion::Value(Type::Int(32)),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if plain || length == [b'l'] => {
                Conversion::Value(Type::Float(program::Float::F64))
            }
            b'p' if plain => Conversion::Value(Type::Pointer),
            b's' if plain => Conversion::Text(most),
            _ => return None,
        });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_say_what_they_take() {
        let int = || Conversion::Value(Type::Int(32));
        assert_eq!(conversions(b"100%% of %d, %.3s\n\0%d"), Some(vec![int(), Conversion::Text(Some(3))]));
        assert_eq!(conversions(b"%-5ld"), Some(vec![Conversion::Value(Type::Int(64))]));
        assert_eq!(conversions(b"%hhx%c"), Some(vec![int(), int()]));
        assert_eq!(conversions(b"%*d"), None);
        assert_eq!(conversions(b"%n"), None);
        assert_eq!(conversions(b"%"), None);
    }
}
