//! Format strings of the `printf` family: what they ask for, taken apart.
//!
//! Input: the bytes of a format. Output: literal stretches and [`Conversion`]s, or what is wrong
//! with it. C leaves malformed formats undefined, so they are errors here even where glibc prints
//! something. Rendering is `render`'s, fetching arguments `print`'s.

use std::ops::Range;

/// A stretch of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes that are printed as they are; of `%%`, only one `%`.
    Text(Range<usize>),
    Conversion(Conversion),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Where it stands in the format, for messages.
    pub text: Range<usize>,
    pub flags: Flags,
    pub width: Count,
    pub precision: Count,
    pub length: Length,
    /// The letter; `C` and `S` have become `c` and `s` with [`Length::Long`].
    pub letter: u8,
    /// The number in `%2$d`, from 1.
    pub position: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    Absent,
    Fixed(u32),
    /// `*`: an `int` argument, by its number if one is given.
    Argument(Option<u32>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Char,
    Short,
    Default,
    Long,
    /// `ll` and `q` for integers, `L` for both kinds of numbers.
    LongLong,
    Max,
    Size,
    Difference,
}

/// The type of an argument as the conversion reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Bytes of the integer after C's promotions were undone.
    Integer(u32),
    Pointer,
    Double,
    LongDouble,
    /// `%%` and `%m` take none.
    Nothing,
}

impl Length {
    /// The bytes of an integer of this length.
    pub fn bytes(self) -> u32 {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::Default => 4,
            _ => 8,
        }
    }
}

impl Conversion {
    pub fn wanted(&self) -> Wanted {
        match self.letter {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => Wanted::Integer(self.length.bytes()),
            b'c' => Wanted::Integer(4),
            b's' | b'p' | b'n' => Wanted::Pointer,
            b'm' => Wanted::Nothing,
            _ if self.length == Length::LongLong => Wanted::LongDouble,
            _ => Wanted::Double,
        }
    }

    /// The argument numbers and types it takes, in order: width, precision, value.
    pub fn positions(&self) -> impl Iterator<Item = (u32, Wanted)> {
        let count = |count| match count {
            Count::Argument(Some(position)) => Some((position, Wanted::Integer(4))),
            _ => None,
        };
        let value = self.position.map(|position| (position, self.wanted()));
        [count(self.width), count(self.precision), value].into_iter().flatten()
    }
}

/// Takes a format apart.
pub fn parse(format: &[u8]) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let end = find(format, at).unwrap_or(format.len());
        if end > at {
            pieces.push(Piece::Text(at..end));
        }
        if end == format.len() {
            break;
        }
        let mut reader = Reader { format, at: end + 1 };
        let conversion = reader.conversion(end)?;
        at = reader.at;
        pieces.push(match conversion {
            Some(conversion) => Piece::Conversion(conversion),
            None => Piece::Text(at - 1..at),
        });
    }
    check_numbering(&pieces, format)?;
    Ok(pieces)
}

fn find(format: &[u8], from: usize) -> Option<usize> {
    format[from..].iter().position(|&byte| byte == b'%').map(|distance| from + distance)
}

/// Numbered and plain conversions in one format are undefined.
fn check_numbering(pieces: &[Piece], format: &[u8]) -> Result<(), String> {
    let conversions = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Conversion(conversion) if conversion.wanted() != Wanted::Nothing => Some(conversion),
            _ => None,
        })
    };
    match conversions().find(|one| one.position.is_none()) {
        Some(plain) if conversions().any(|one| one.position.is_some()) => {
            let text = String::from_utf8_lossy(&format[plain.text.clone()]);
            Err(format!("conversion {text} has no argument number, others have one"))
        }
        _ => Ok(()),
    }
}

/// Reads one conversion after its `%`.
struct Reader<'a> {
    format: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.at < self.format.len() && self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    /// `None` is `%%`.
    fn conversion(&mut self, start: usize) -> Result<Option<Conversion>, String> {
        let position = self.position(start)?;
        let flags = self.flags();
        let width = self.count(start)?;
        let precision = if self.take(b'.') {
            match self.count(start)? {
                Count::Absent => Count::Fixed(0),
                count => count,
            }
        } else {
            Count::Absent
        };
        let mut length = self.length();
        let mut letter = self.peek();
        self.at += 1;
        if self.at > self.format.len() {
            return Err(format!("the format ends inside the conversion {}", self.shown(start)));
        }
        if matches!(letter, b'C' | b'S') {
            letter = letter.to_ascii_lowercase();
            length = Length::Long;
        }
        match letter {
            b'%' if self.at == start + 2 => return Ok(None),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' | b's' | b'p' | b'n' | b'm' => {}
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {}
            _ => return Err(format!("there is no conversion {}", self.shown(start))),
        }
        Ok(Some(Conversion { text: start..self.at, flags, width, precision, length, letter, position }))
    }

    fn shown(&self, start: usize) -> String {
        String::from_utf8_lossy(&self.format[start..self.at.min(self.format.len())]).into_owned()
    }

    /// `2$`, if the digits here are an argument's number and not a width.
    fn position(&mut self, start: usize) -> Result<Option<u32>, String> {
        let before = self.at;
        let number = self.number(start)?;
        match number {
            Some(number) if number > 0 && self.take(b'$') => Ok(Some(number)),
            _ => {
                self.at = before;
                Ok(None)
            }
        }
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        loop {
            match self.peek() {
                b'-' => flags.left = true,
                b'+' => flags.plus = true,
                b' ' => flags.space = true,
                b'#' => flags.alternate = true,
                b'0' => flags.zero = true,
                // Grouping and other digits: the C locale has none.
                b'\'' | b'I' => {}
                _ => return flags,
            }
            self.at += 1;
        }
    }

    fn count(&mut self, start: usize) -> Result<Count, String> {
        if self.take(b'*') {
            return Ok(Count::Argument(self.position(start)?));
        }
        Ok(self.number(start)?.map_or(Count::Absent, Count::Fixed))
    }

    fn number(&mut self, start: usize) -> Result<Option<u32>, String> {
        let before = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at == before {
            return Ok(None);
        }
        let digits = String::from_utf8_lossy(&self.format[before..self.at]);
        match digits.parse::<u32>() {
            Ok(number) if number < i32::MAX as u32 => Ok(Some(number)),
            _ => Err(format!("the number in conversion {} is too large", self.shown(start))),
        }
    }

    fn length(&mut self) -> Length {
        if self.take(b'h') {
            return if self.take(b'h') { Length::Char } else { Length::Short };
        }
        if self.take(b'l') {
            return if self.take(b'l') { Length::LongLong } else { Length::Long };
        }
        let length = match self.peek() {
            b'q' | b'L' => Length::LongLong,
            b'j' => Length::Max,
            b'z' | b'Z' => Length::Size,
            b't' => Length::Difference,
            _ => return Length::Default,
        };
        self.at += 1;
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, expected: Result<usize, &str>) {
        let found = parse(format.as_bytes()).map(|pieces| pieces.len());
        assert_eq!(found, expected.map_err(str::to_owned), "{format:?}");
    }

    #[test]
    fn formats_are_taken_apart() {
        check("", Ok(0));
        check("plain", Ok(1));
        check("%d%%%5.3lx!", Ok(4));
        check("%-*.*Lf", Ok(1));
        check("%2$s %1$d", Ok(3));
        check("100%", Err("the format ends inside the conversion %"));
        check("%5y", Err("there is no conversion %5y"));
        check("%1$d %s", Err("conversion %s has no argument number, others have one"));
        check("%99999999999d", Err("the number in conversion %99999999999 is too large"));
    }

    #[test]
    fn a_conversion_knows_its_argument() {
        for (format, wanted) in [
            ("%hhd", Wanted::Integer(1)),
            ("%zu", Wanted::Integer(8)),
            ("%C", Wanted::Integer(4)),
            ("%S", Wanted::Pointer),
            ("%lf", Wanted::Double),
            ("%Lg", Wanted::LongDouble),
            ("%m", Wanted::Nothing),
        ] {
            let pieces = parse(format.as_bytes()).unwrap();
            let [Piece::Conversion(conversion)] = pieces.as_slice() else { panic!("one conversion") };
            assert_eq!(conversion.wanted(), wanted, "{format}");
        }
    }
}
