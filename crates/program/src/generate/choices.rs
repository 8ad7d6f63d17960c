//! Choices that bytes make.

use std::collections::HashSet;

/// A source of choices.
pub struct Choices<'b> {
    bytes: &'b [u8],
}

/// Names that text could confuse with something else, and some that it could not.
const NAMES: &[&str] = &[
    "x",
    "i.2",
    "%t",
    "end",
    "call",
    "ptr",
    "%u",
    ".str.1",
    "while.body",
    "null",
    "local",
    "größe",
    "",
    "a b",
    "%",
    "copy",
    "of",
    "`q`",
    "i32",
    "sext.i64",
    "return",
    "x.y.2",
    "%a.b",
    "1x",
    "$",
    "line\nend",
    "s",
    "f",
    "if",
    "%.",
    "...",
    "bits.i8",
    "\u{2028}",
    "case",
    "else",
    "declare",
    "copied",
    "allocate",
    "}",
];

const TEXTS: &[&str] =
    &["int", "", "a \"quoted\" text", "tab\tnew\nline", "ünïcode", "\\", "\u{0}\u{7f}", "// no comment", "`"];

impl<'b> Choices<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Choices { bytes }
    }

    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => 0,
        }
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        let value = if count <= 256 {
            usize::from(self.byte())
        } else {
            usize::from(self.byte()) << 8 | usize::from(self.byte())
        };
        value % count
    }

    pub fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A number of any size, small ones being likelier.
    pub fn wide(&mut self) -> u128 {
        match self.below(4) {
            0 => u128::from(self.byte()),
            1 => u128::from(self.byte()).wrapping_neg(),
            2 => 1u128.rotate_left(u32::from(self.byte())),
            _ => (0..16).fold(0, |value, _| value << 8 | u128::from(self.byte())),
        }
    }

    pub fn name(&mut self) -> String {
        self.pick(NAMES).to_owned()
    }

    pub fn text(&mut self) -> String {
        self.pick(TEXTS).to_owned()
    }
}

/// Names that were given away.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    pub(super) fn unique(&mut self, choices: &mut Choices) -> String {
        let wished = choices.name();
        let mut name = wished.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wished}.{number}");
        }
        name
    }
}
