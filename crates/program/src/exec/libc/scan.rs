//! The engine of the `scanf` family: a format, input, and the places to store what was read.
//!
//! Follows glibc 2.36's `vfscanf` step by step, since what programs see of it (how much input is
//! consumed when a match fails, when the result is `EOF`) is its order of reading and pushing back
//! single characters. Locale's digits and thousands separators are left out: the C locale has none.
//! A malformed conversion is undefined in C and an error here.

use super::ctype;

/// Where characters come from and where values go.
pub trait Scan {
    type Error;

    /// The next character; `None` at the end of the input.
    fn get(&mut self) -> Result<Option<u8>, Self::Error>;
    /// Puts the character that was read last back.
    fn unget(&mut self, byte: u8) -> Result<(), Self::Error>;
    /// The next argument, or the one with this number (`%2$d`): a pointer.
    fn pointer(&mut self, position: Option<u32>, conversion: &str) -> Result<u64, Self::Error>;
    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Self::Error>;
    /// A new heap object with these contents, for the modifier `m`.
    fn allocate(&mut self, bytes: &[u8]) -> Result<u64, Self::Error>;
    /// The error for a call that C leaves undefined.
    fn misuse(&mut self, message: String) -> Self::Error;
}

/// What the call returns, and the `errno` that it sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// Values stored, or -1.
    pub result: i32,
    pub error: Option<i32>,
}

/// Reads input as the format says.
pub fn scan<S: Scan>(format: &[u8], host: &mut S) -> Result<Scanned, S::Error> {
    let mut scanner = Scanner { host, format, at: 0, current: Some(0), read: 0, stored: 0, skip_space: false };
    let end = scanner.run();
    let stored = scanner.stored;
    match end {
        Ok(()) | Err(Halt::Mismatch) => Ok(Scanned { result: stored, error: None }),
        Err(Halt::EndOfInput) => Ok(Scanned { result: if stored == 0 { -1 } else { stored }, error: None }),
        Err(Halt::BadCharacter) => Ok(Scanned { result: -1, error: Some(libc::EILSEQ) }),
        Err(Halt::Stop(stop)) => Err(stop),
    }
}

/// Why scanning ends before the format does.
pub enum Halt<E> {
    Mismatch,
    EndOfInput,
    BadCharacter,
    Stop(E),
}

impl<E> From<E> for Halt<E> {
    fn from(stop: E) -> Self {
        Halt::Stop(stop)
    }
}

/// One conversion.
#[derive(Clone, Debug)]
pub struct Directive {
    pub text: String,
    pub position: Option<u32>,
    pub suppress: bool,
    pub allocate: bool,
    /// Characters that may still be read.
    pub width: Option<u32>,
    pub size: Size,
    pub letter: u8,
}

/// The length modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Char,
    Short,
    Default,
    Long,
    /// `ll`, `q` and `L`: a `long long` or a `long double`.
    LongLong,
}

impl Directive {
    /// Counts one character against the width.
    pub fn spend(&mut self) {
        if let Some(width) = &mut self.width {
            *width = width.saturating_sub(1);
        }
    }

    pub fn exhausted(&self) -> bool {
        self.width == Some(0)
    }
}

pub struct Scanner<'a, S> {
    pub host: &'a mut S,
    format: &'a [u8],
    at: usize,
    /// The character that was read last; `None` at the end of input, which lasts.
    pub current: Option<u8>,
    read: u64,
    stored: i32,
    skip_space: bool,
}

type Step<S> = Result<(), Halt<<S as Scan>::Error>>;

impl<S: Scan> Scanner<'_, S> {
    fn run(&mut self) -> Step<S> {
        while let Some(&byte) = self.format.get(self.at) {
            self.at += 1;
            match byte {
                b'%' => {
                    let directive = self.directive()?;
                    self.convert(directive)?;
                }
                byte if ctype::is_space(byte) => self.skip_space = true,
                byte => self.literal(byte)?,
            }
        }
        if self.skip_space {
            self.eat_space()?;
        }
        Ok(())
    }

    /// Reads one character into `current`.
    pub fn get(&mut self) -> Result<Option<u8>, S::Error> {
        if self.current.is_some() {
            self.current = self.host.get()?;
            self.read += u64::from(self.current.is_some());
        }
        Ok(self.current)
    }

    /// Puts `current` back, unless the input has ended.
    pub fn unget(&mut self) -> Result<(), S::Error> {
        if let Some(byte) = self.current {
            self.read -= 1;
            self.host.unget(byte)?;
        }
        Ok(())
    }

    fn eat_space(&mut self) -> Step<S> {
        while self.get()?.is_some_and(ctype::is_space) {}
        self.unget()?;
        self.skip_space = false;
        Ok(())
    }

    fn literal(&mut self, expected: u8) -> Step<S> {
        self.get()?.ok_or(Halt::EndOfInput)?;
        if self.skip_space {
            while self.current.is_some_and(ctype::is_space) {
                self.get()?.ok_or(Halt::EndOfInput)?;
            }
            self.skip_space = false;
        }
        if self.current != Some(expected) {
            self.unget()?;
            return Err(Halt::Mismatch);
        }
        Ok(())
    }

    fn peek_format(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    fn take_format(&mut self, wanted: u8) -> bool {
        let found = self.format.get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        while self.peek_format().is_ascii_digit() {
            self.at += 1;
        }
        if self.at == start {
            return None;
        }
        let digits = std::str::from_utf8(&self.format[start..self.at]).unwrap_or_default();
        Some(digits.parse().unwrap_or(u32::MAX).min(i32::MAX as u32))
    }

    fn directive(&mut self) -> Result<Directive, Halt<S::Error>> {
        let start = self.at - 1;
        let mut width = self.number();
        let mut position = None;
        let mut suppress = false;
        if width.is_none() || self.take_format(b'$') {
            position = width;
            loop {
                match self.peek_format() {
                    b'*' => suppress = true,
                    b'\'' | b'I' => {}
                    _ => break,
                }
                self.at += 1;
            }
            width = self.number();
        }
        let allocate = self.take_format(b'm');
        let size = self.size();
        let letter = self.peek_format();
        self.at += 1;
        let text = String::from_utf8_lossy(&self.format[start..self.at.min(self.format.len())]).into_owned();
        if self.at > self.format.len() {
            return Err(Halt::Stop(self.host.misuse(format!("the format ends inside the conversion {text}"))));
        }
        Ok(Directive { text, position, suppress, allocate, width: width.filter(|&width| width > 0), size, letter })
    }

    fn size(&mut self) -> Size {
        if self.take_format(b'h') {
            return if self.take_format(b'h') { Size::Char } else { Size::Short };
        }
        if self.take_format(b'l') {
            return if self.take_format(b'l') { Size::LongLong } else { Size::Long };
        }
        let size = match self.peek_format() {
            b'q' | b'L' => Size::LongLong,
            b'z' | b'j' | b't' => Size::Long,
            _ => return Size::Default,
        };
        self.at += 1;
        size
    }

    fn convert(&mut self, mut directive: Directive) -> Step<S> {
        if self.skip_space || !matches!(directive.letter, b'[' | b'c' | b'C' | b'n') {
            self.eat_space()?;
        }
        if matches!(directive.letter, b'C' | b'S') {
            directive.letter = directive.letter.to_ascii_lowercase();
            directive.size = Size::Long;
        }
        match directive.letter {
            b'%' => self.literal(b'%'),
            b'n' => self.store_integer(&directive, self.read),
            b'c' => self.characters(directive),
            b's' => self.word(directive),
            b'[' => self.class(directive),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'p' => self.integer(directive),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.float(directive),
            _ => Err(Halt::Stop(self.host.misuse(format!("there is no conversion {}", directive.text)))),
        }
    }

    fn pointer(&mut self, directive: &Directive) -> Result<u64, S::Error> {
        self.host.pointer(directive.position, &directive.text)
    }

    /// Stores without counting it as a value that was read: that is right for `%n`.
    pub fn store_integer(&mut self, directive: &Directive, value: u64) -> Step<S> {
        if directive.suppress {
            return Ok(());
        }
        let bytes = match directive.size {
            _ if directive.letter == b'p' => 8,
            Size::Char => 1,
            Size::Short => 2,
            Size::Default => 4,
            Size::Long | Size::LongLong => 8,
        };
        let address = self.pointer(directive)?;
        self.host.store(address, &value.to_le_bytes()[..bytes])?;
        Ok(())
    }

    pub fn store_bytes(&mut self, directive: &Directive, bytes: &[u8]) -> Step<S> {
        if directive.suppress {
            return Ok(());
        }
        let address = self.pointer(directive)?;
        self.host.store(address, bytes)?;
        self.count(directive);
        Ok(())
    }

    /// Counts a value that was stored.
    pub fn count(&mut self, directive: &Directive) {
        self.stored += i32::from(!directive.suppress);
    }

    /// Stores text: widened for `%ls`, in a new object for `%ms`.
    fn store_text(&mut self, directive: &Directive, mut text: Vec<u8>) -> Step<S> {
        if directive.size == Size::Long {
            if !text.is_ascii() {
                return Err(Halt::BadCharacter);
            }
            text = text.iter().flat_map(|&byte| u32::from(byte).to_le_bytes()).collect();
        }
        if directive.allocate && !directive.suppress {
            let object = self.host.allocate(&text)?;
            return self.store_bytes(directive, &object.to_le_bytes());
        }
        self.store_bytes(directive, &text)
    }

    fn characters(&mut self, directive: Directive) -> Step<S> {
        let width = directive.width.unwrap_or(1);
        let mut text = vec![self.get()?.ok_or(Halt::EndOfInput)?];
        while (text.len() as u64) < u64::from(width) {
            match self.get()? {
                Some(byte) => text.push(byte),
                None => break,
            }
        }
        self.store_text(&directive, text)
    }

    fn word(&mut self, directive: Directive) -> Step<S> {
        let text = self.take_while(&directive, |byte| !ctype::is_space(byte))?;
        self.store_terminated(&directive, text)
    }

    fn class(&mut self, directive: Directive) -> Step<S> {
        let (members, negated) = self.members(&directive)?;
        let text = self.take_while(&directive, |byte| members[usize::from(byte)] != negated)?;
        if text.is_empty() {
            return Err(Halt::Mismatch);
        }
        self.store_terminated(&directive, text)
    }

    fn store_terminated(&mut self, directive: &Directive, mut text: Vec<u8>) -> Step<S> {
        text.push(0);
        self.store_text(directive, text)
    }

    fn take_while(&mut self, directive: &Directive, wanted: impl Fn(u8) -> bool) -> Result<Vec<u8>, Halt<S::Error>> {
        let mut byte = self.get()?.ok_or(Halt::EndOfInput)?;
        let mut text = Vec::new();
        loop {
            if !wanted(byte) {
                self.unget()?;
                return Ok(text);
            }
            text.push(byte);
            if directive.width.is_some_and(|width| text.len() as u64 >= u64::from(width)) {
                return Ok(text);
            }
            match self.get()? {
                Some(next) => byte = next,
                None => return Ok(text),
            }
        }
    }

    /// The characters between the brackets, and whether they are excluded.
    fn members(&mut self, directive: &Directive) -> Result<([bool; 256], bool), Halt<S::Error>> {
        let mut members = [false; 256];
        let negated = self.take_format(b'^');
        let first = self.peek_format();
        if first == b']' || first == b'-' {
            members[usize::from(first)] = true;
            self.at += 1;
        }
        loop {
            let Some(&byte) = self.format.get(self.at) else {
                return Err(Halt::Stop(self.host.misuse(format!("conversion {} has no closing ]", directive.text))));
            };
            self.at += 1;
            let (before, next) = (self.format[self.at - 2], self.peek_format());
            match byte {
                b']' => return Ok((members, negated)),
                b'-' if next != 0 && next != b']' && before <= next => {
                    members[usize::from(before)..usize::from(next)].fill(true);
                }
                _ => members[usize::from(byte)] = true,
            }
        }
    }
}
