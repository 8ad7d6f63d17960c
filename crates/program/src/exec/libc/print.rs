//! The engine of the `printf` family: a format and its arguments become text.
//!
//! Where arguments come from and how memory is read is the [`Arguments`] trait's business, so that
//! this file can be tested against glibc without a program. The text is complete before anything is
//! written anywhere.

use super::format::{self, Conversion, Count, Length, Piece, Wanted};
use super::render::{self, Resolved};

/// Output beyond this is given up; no real program prints as much in one call.
const OUTPUT_LIMIT: usize = 1 << 28;

/// The arguments of a call, and the memory that they point to.
pub trait Arguments {
    type Error;

    /// The next argument, of this type.
    fn next(&mut self, wanted: Wanted, conversion: &str) -> Result<Value, Self::Error>;
    /// The string's bytes, at most `most`; the terminator is needed only if there are fewer.
    fn string(&mut self, address: u64, most: Option<u64>) -> Result<Vec<u8>, Self::Error>;
    /// The wide string's characters, at most `most`.
    fn wide_string(&mut self, address: u64, most: Option<u64>) -> Result<Vec<u32>, Self::Error>;
    /// Stores what `%n` asks for.
    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Self::Error>;
    /// What `%m` prints.
    fn error_text(&mut self) -> Result<Vec<u8>, Self::Error>;
    /// The error for a call that C leaves undefined.
    fn misuse(&mut self, message: String) -> Self::Error;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// An integer or a pointer; bits beyond the wanted type do not count.
    Integer(u64),
    Double(f64),
    LongDouble(u128),
}

/// The text, and the `errno` if printing stopped there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    pub text: Vec<u8>,
    pub error: Option<i32>,
}

/// Prints.
pub fn print<A: Arguments>(format: &[u8], arguments: &mut A) -> Result<Printed, A::Error> {
    let pieces = format::parse(format).map_err(|message| arguments.misuse(message))?;
    let numbered = fetch_numbered(format, &pieces, arguments)?;
    let mut printer = Printer { format, arguments, numbered, printed: Printed::default() };
    for piece in &pieces {
        match piece {
            Piece::Text(range) => printer.printed.text.extend_from_slice(&format[range.clone()]),
            Piece::Conversion(conversion) => printer.convert(conversion)?,
        }
        if printer.printed.text.len() > OUTPUT_LIMIT {
            printer.printed.error = Some(libc::EOVERFLOW);
        }
        if printer.printed.error.is_some() {
            break;
        }
    }
    Ok(printer.printed)
}

/// All arguments of a format with numbers (`%2$d`), in the order of the call.
fn fetch_numbered<A: Arguments>(format: &[u8], pieces: &[Piece], arguments: &mut A) -> Result<Vec<Value>, A::Error> {
    let mut types: Vec<Option<(Wanted, &Conversion)>> = Vec::new();
    for piece in pieces {
        let Piece::Conversion(conversion) = piece else { continue };
        for (position, wanted) in conversion.positions() {
            let index = position as usize - 1;
            if index > 4096 {
                return Err(arguments.misuse(format!("there is no argument number {position}")));
            }
            if types.len() <= index {
                types.resize(index + 1, None);
            }
            types[index] = Some((wanted, conversion));
        }
    }
    let mut values = Vec::with_capacity(types.len());
    for (index, wanted) in types.iter().enumerate() {
        let Some((wanted, conversion)) = wanted else {
            return Err(arguments.misuse(format!("argument number {} is skipped by the format", index + 1)));
        };
        let shown = String::from_utf8_lossy(&format[conversion.text.clone()]).into_owned();
        values.push(arguments.next(*wanted, &shown)?);
    }
    Ok(values)
}

struct Printer<'a, A> {
    format: &'a [u8],
    arguments: &'a mut A,
    /// Empty if the format has no numbers.
    numbered: Vec<Value>,
    printed: Printed,
}

impl<A: Arguments> Printer<'_, A> {
    fn argument(&mut self, wanted: Wanted, position: Option<u32>, conversion: &Conversion) -> Result<Value, A::Error> {
        if let Some(&value) = position.and_then(|position| self.numbered.get(position as usize - 1)) {
            return Ok(value);
        }
        let shown = String::from_utf8_lossy(&self.format[conversion.text.clone()]);
        self.arguments.next(wanted, &shown)
    }

    fn integer(&mut self, bytes: u32, position: Option<u32>, conversion: &Conversion) -> Result<u64, A::Error> {
        let wanted = if bytes == 8 { conversion.wanted() } else { Wanted::Integer(bytes) };
        match self.argument(wanted, position, conversion)? {
            Value::Integer(value) => Ok(value),
            _ => Err(self.arguments.misuse("an argument is used as two different types".to_owned())),
        }
    }

    fn count(&mut self, count: Count, conversion: &Conversion) -> Result<Option<i32>, A::Error> {
        match count {
            Count::Absent => Ok(None),
            Count::Fixed(number) => Ok(Some(number as i32)),
            Count::Argument(position) => Ok(Some(self.integer(4, position, conversion)? as i32)),
        }
    }

    fn convert(&mut self, conversion: &Conversion) -> Result<(), A::Error> {
        let width = self.count(conversion.width, conversion)?;
        let precision = self.count(conversion.precision, conversion)?;
        let spec = Resolved::new(conversion, width, precision);
        if spec.width as usize > OUTPUT_LIMIT
            || spec.precision.is_some_and(|count| count as usize > OUTPUT_LIMIT) && spec.letter != b's'
        {
            self.printed.error = Some(libc::EOVERFLOW);
            return Ok(());
        }
        let text = match conversion.letter {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let bytes = conversion.length.bytes();
                let value = self.integer(bytes, conversion.position, conversion)?;
                render::integer(&spec, value, bytes)
            }
            b'c' => self.character(conversion, &spec)?,
            b's' => self.string(conversion, &spec)?,
            b'p' => render::pointer(&spec, self.integer(8, conversion.position, conversion)?),
            b'n' => self.store_count(conversion)?,
            b'm' => render::text(&spec, cut(&self.arguments.error_text()?, &spec)),
            _ => self.float(conversion, &spec)?,
        };
        self.printed.text.extend_from_slice(&text);
        Ok(())
    }

    fn float(&mut self, conversion: &Conversion, spec: &Resolved) -> Result<Vec<u8>, A::Error> {
        match self.argument(conversion.wanted(), conversion.position, conversion)? {
            Value::Double(value) => Ok(render::double(spec, value)),
            Value::LongDouble(bits) => Ok(render::long_double(spec, bits)),
            Value::Integer(_) => Err(self.arguments.misuse("an argument is used as two different types".to_owned())),
        }
    }

    fn character(&mut self, conversion: &Conversion, spec: &Resolved) -> Result<Vec<u8>, A::Error> {
        let value = self.integer(4, conversion.position, conversion)? as u32;
        if conversion.length != Length::Long {
            return Ok(render::text(spec, &[value as u8]));
        }
        Ok(self.narrow(&[value], usize::MAX).map_or_else(Vec::new, |text| render::text(spec, &text)))
    }

    fn string(&mut self, conversion: &Conversion, spec: &Resolved) -> Result<Vec<u8>, A::Error> {
        let address = self.integer(8, conversion.position, conversion)?;
        let most = spec.precision.map(u64::from);
        if address == 0 {
            // glibc's courtesy, all or nothing.
            let text: &[u8] = if most.is_none_or(|most| most >= 6) { b"(null)" } else { b"" };
            return Ok(render::text(spec, text));
        }
        if conversion.length != Length::Long {
            let text = self.arguments.string(address, most)?;
            return Ok(render::text(spec, &text));
        }
        let characters = self.arguments.wide_string(address, most)?;
        let limit = most.map_or(usize::MAX, |most| most as usize);
        Ok(self.narrow(&characters, limit).map_or_else(Vec::new, |text| render::text(spec, &text)))
    }

    /// Wide characters as bytes of the C locale, which has only ASCII.
    fn narrow(&mut self, characters: &[u32], limit: usize) -> Option<Vec<u8>> {
        let narrow = |&one: &u32| u8::try_from(one).ok().filter(u8::is_ascii);
        let text: Option<Vec<u8>> = characters.iter().take(limit).map(narrow).collect();
        if text.is_none() {
            self.printed.error = Some(libc::EILSEQ);
        }
        text
    }

    fn store_count(&mut self, conversion: &Conversion) -> Result<Vec<u8>, A::Error> {
        let address = self.integer(8, conversion.position, conversion)?;
        let count = (self.printed.text.len() as u64).to_le_bytes();
        self.arguments.store(address, &count[..conversion.length.bytes() as usize])?;
        Ok(Vec::new())
    }
}

fn cut<'a>(text: &'a [u8], spec: &Resolved) -> &'a [u8] {
    let most = spec.precision.map_or(usize::MAX, |precision| precision as usize);
    &text[..text.len().min(most)]
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use proptest::prelude::*;

    use super::*;

    /// Arguments from a list; strings are numbered from 1000.
    struct Listed {
        values: Vec<Value>,
        text: Vec<u8>,
        stored: Vec<(u64, Vec<u8>)>,
    }

    impl Arguments for Listed {
        type Error = String;

        fn next(&mut self, _: Wanted, conversion: &str) -> Result<Value, String> {
            if self.values.is_empty() {
                Err(format!("no argument for {conversion}"))
            } else {
                Ok(self.values.remove(0))
            }
        }
        fn string(&mut self, _: u64, most: Option<u64>) -> Result<Vec<u8>, String> {
            let most = most.map_or(usize::MAX, |most| most as usize).min(self.text.len());
            Ok(self.text[..most].to_vec())
        }
        fn wide_string(&mut self, _: u64, _: Option<u64>) -> Result<Vec<u32>, String> {
            Ok(self.text.iter().map(|&byte| u32::from(byte)).collect())
        }
        fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
            self.stored.push((address, bytes.to_vec()));
            Ok(())
        }
        fn error_text(&mut self) -> Result<Vec<u8>, String> {
            Ok(b"Success".to_vec())
        }
        fn misuse(&mut self, message: String) -> String {
            message
        }
    }

    fn run(format: &str, values: Vec<Value>, text: &str) -> Result<String, String> {
        let mut listed = Listed { values, text: text.as_bytes().to_vec(), stored: Vec::new() };
        print(format.as_bytes(), &mut listed).map(|printed| String::from_utf8_lossy(&printed.text).into_owned())
    }

    fn expected(call: impl Fn(*mut libc::c_char, usize) -> libc::c_int) -> String {
        let mut buffer = vec![0u8; 4096];
        let length = call(buffer.as_mut_ptr().cast(), 4096);
        String::from_utf8_lossy(&buffer[..length as usize]).into_owned()
    }

    #[test]
    fn numbered_and_starred_arguments() {
        let values = vec![Value::Integer(7), Value::Integer(5), Value::Double(2.5)];
        assert_eq!(run("%2$d %1$d %3$.1f", values.clone(), ""), Ok("5 7 2.5".into()));
        assert_eq!(run("[%*d]", values.clone(), ""), Ok("[      5]".into()));
        assert_eq!(run("[%*d]", vec![Value::Integer(-4i64 as u64), Value::Integer(5)], ""), Ok("[5   ]".into()));
        assert_eq!(run("%s", vec![Value::Integer(0)], ""), Ok("(null)".into()));
        assert_eq!(run("%.3s|", vec![Value::Integer(0)], ""), Ok("|".into()));
        assert_eq!(run("%d%d", vec![Value::Integer(0)], ""), Err("no argument for %d".into()));
    }

    #[test]
    fn counts_are_stored_and_bad_characters_stop() {
        let mut listed = Listed { values: vec![Value::Integer(9)], text: Vec::new(), stored: Vec::new() };
        print(b"abc%hn!", &mut listed).unwrap();
        assert_eq!(listed.stored, [(9, vec![3, 0])]);
        let mut listed = Listed { values: vec![Value::Integer(0xe4)], text: Vec::new(), stored: Vec::new() };
        let printed = print(b"abc%lc!", &mut listed).unwrap();
        assert_eq!(printed, Printed { text: b"abc".to_vec(), error: Some(libc::EILSEQ) });
    }

    const SHAPE: &str = "[-+ #0]{0,3}([1-9][0-9]?)?([.][0-9]{0,2})?";

    proptest! {
        #[test]
        fn integers_as_glibc(
            shape in SHAPE,
            length in "(hh|h|l|ll|j|z|t)?",
            letter in "[diuoxX]",
            value in prop_oneof![Just(0u64), any::<u64>(), 0u64..300],
        ) {
            let format = format!("<%{shape}{length}{letter}>");
            let native = CString::new(format.clone()).unwrap();
            let expected = expected(|buffer, size| unsafe { libc::snprintf(buffer, size, native.as_ptr(), value) });
            prop_assert_eq!(run(&format, vec![Value::Integer(value)], ""), Ok(expected));
        }

        #[test]
        fn doubles_as_glibc(
            shape in SHAPE,
            letter in "[eEfFgGaA]",
            value in prop_oneof![any::<f64>(), -1e6..1e6, Just(0.0)],
        ) {
            let format = format!("<%{shape}{letter}>");
            let native = CString::new(format.clone()).unwrap();
            let expected = expected(|buffer, size| unsafe { libc::snprintf(buffer, size, native.as_ptr(), value) });
            prop_assert_eq!(run(&format, vec![Value::Double(value)], ""), Ok(expected));
        }

        #[test]
        fn strings_and_characters_as_glibc(shape in SHAPE, letter in "[sc]", text in "[a-z]{0,20}") {
            let format = format!("<%{shape}{letter}>");
            let native = CString::new(format.clone()).unwrap();
            let argument = CString::new(text.clone()).unwrap();
            let value = if letter == "s" { argument.as_ptr() as u64 } else { 65 };
            let expected = expected(|buffer, size| unsafe { libc::snprintf(buffer, size, native.as_ptr(), value) });
            prop_assert_eq!(run(&format, vec![Value::Integer(value)], &text), Ok(expected));
        }
    }
}
