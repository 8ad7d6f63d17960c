//! ctype.h in the C locale: the functions, and glibc's tables behind its macros.
//!
//! The tables have 384 entries: characters -128 to 255. Programs get a pointer to entry 128, so
//! that a `signed char` and `EOF` may index them.

use super::statics::{self, misuse};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("isalnum", |_, call| is_in(call, class::ALNUM)),
    ("isalpha", |_, call| is_in(call, class::ALPHA)),
    ("isblank", |_, call| is_in(call, class::BLANK)),
    ("iscntrl", |_, call| is_in(call, class::CNTRL)),
    ("isdigit", |_, call| is_in(call, class::DIGIT)),
    ("isgraph", |_, call| is_in(call, class::GRAPH)),
    ("islower", |_, call| is_in(call, class::LOWER)),
    ("isprint", |_, call| is_in(call, class::PRINT)),
    ("ispunct", |_, call| is_in(call, class::PUNCT)),
    ("isspace", |_, call| is_in(call, class::SPACE)),
    ("isupper", |_, call| is_in(call, class::UPPER)),
    ("isxdigit", |_, call| is_in(call, class::XDIGIT)),
    ("isascii", |_, call| Ok(Returned::Bits(u64::from((0..128).contains(&call.signed(0)))))),
    ("toascii", |_, call| Ok(Returned::Bits(call.int(0) & 0x7f))),
    ("tolower", |_, call| Ok(change_case(call, |byte| byte.to_ascii_lowercase()))),
    ("toupper", |_, call| Ok(change_case(call, |byte| byte.to_ascii_uppercase()))),
    ("_tolower", |_, call| Ok(change_case(call, |byte| byte.to_ascii_lowercase()))),
    ("_toupper", |_, call| Ok(change_case(call, |byte| byte.to_ascii_uppercase()))),
    ("__ctype_b_loc", |host, _| location(host, ["class table", "__ctype_b"], 2, class_table)),
    ("__ctype_tolower_loc", |host, _| location(host, ["lower table", "__ctype_tolower"], 4, lower_table)),
    ("__ctype_toupper_loc", |host, _| location(host, ["upper table", "__ctype_toupper"], 4, upper_table)),
    ("__ctype_get_mb_cur_max", |_, _| Ok(Returned::Bits(1))),
];

/// The bit itself if the character is in the class, as glibc's functions return it.
fn is_in(call: &Arguments, bit: u16) -> Result<Returned, Stop> {
    match call.signed(0) {
        character @ 0..=255 => Ok(Returned::Bits(u64::from(classes(character as u8) & bit))),
        // A negative char is undefined in C, but in glibc's table.
        -128..=-1 => Ok(Returned::Bits(0)),
        character => Err(misuse(format!("{character} is no character and not EOF"))),
    }
}

fn change_case(call: &Arguments, convert: impl Fn(u8) -> u8) -> Returned {
    match call.signed(0) {
        -1 => Returned::signed(-1),
        character @ -128..=255 => Returned::Bits(u64::from(convert(character as u8))),
        character => Returned::signed(character),
    }
}

/// The address of a pointer to the table's entry for character 0.
fn location(
    host: &mut Host<'_>,
    [table, pointer]: [&'static str; 2],
    entry_size: u64,
    contents: fn() -> Vec<u8>,
) -> Result<Returned, Stop> {
    let table = statics::constant(host, table, contents)?;
    let zero = table.plus(zero_offset(entry_size) as i64);
    statics::object(host, pointer, || zero.0.to_le_bytes().to_vec()).map(Returned::pointer)
}

/// glibc's bits of the class table, as they stand on a little-endian machine.
pub mod class {
    pub const UPPER: u16 = 0x100;
    pub const LOWER: u16 = 0x200;
    pub const ALPHA: u16 = 0x400;
    pub const DIGIT: u16 = 0x800;
    pub const XDIGIT: u16 = 0x1000;
    pub const SPACE: u16 = 0x2000;
    pub const PRINT: u16 = 0x4000;
    pub const GRAPH: u16 = 0x8000;
    pub const BLANK: u16 = 0x1;
    pub const CNTRL: u16 = 0x2;
    pub const PUNCT: u16 = 0x4;
    pub const ALNUM: u16 = 0x8;
}

/// Characters below zero in each table.
const BELOW: i32 = 128;

/// Entries of each table.
pub const ENTRIES: usize = 384;

/// The classes that a character of the C locale is in.
pub fn classes(byte: u8) -> u16 {
    let membership = [
        (byte.is_ascii_uppercase(), class::UPPER),
        (byte.is_ascii_lowercase(), class::LOWER),
        (byte.is_ascii_alphabetic(), class::ALPHA),
        (byte.is_ascii_digit(), class::DIGIT),
        (byte.is_ascii_hexdigit(), class::XDIGIT),
        (is_space(byte), class::SPACE),
        (byte.is_ascii_graphic() || byte == b' ', class::PRINT),
        (byte.is_ascii_graphic(), class::GRAPH),
        (byte == b' ' || byte == b'\t', class::BLANK),
        (byte.is_ascii_control(), class::CNTRL),
        (byte.is_ascii_punctuation(), class::PUNCT),
        (byte.is_ascii_alphanumeric(), class::ALNUM),
    ];
    membership.iter().filter(|(member, _)| *member).map(|(_, bit)| bit).sum()
}

/// White space of the C locale; unlike Rust's, with the vertical tab.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

/// The contents of the table behind `__ctype_b_loc`.
pub fn class_table() -> Vec<u8> {
    table(|character| u8::try_from(character).map_or(0, classes).to_le_bytes())
}

/// The contents of the table behind `__ctype_tolower_loc`.
pub fn lower_table() -> Vec<u8> {
    table(|character| case_entry(character, |byte| byte.to_ascii_lowercase()))
}

/// The contents of the table behind `__ctype_toupper_loc`.
pub fn upper_table() -> Vec<u8> {
    table(|character| case_entry(character, |byte| byte.to_ascii_uppercase()))
}

/// Negative characters map to their unsigned reading, except `EOF`, which maps to itself.
fn case_entry(character: i32, convert: impl Fn(u8) -> u8) -> [u8; 4] {
    match character {
        -1 => (-1i32).to_le_bytes(),
        _ => i32::from(convert(character as u8)).to_le_bytes(),
    }
}

fn table<const SIZE: usize>(entry: impl Fn(i32) -> [u8; SIZE]) -> Vec<u8> {
    (-BELOW..ENTRIES as i32 - BELOW).flat_map(entry).collect()
}

/// Where character 0 stands in a table with entries of this size.
pub fn zero_offset(entry_size: u64) -> u64 {
    BELOW as u64 * entry_size
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn __ctype_b_loc() -> *const *const u8;
        fn __ctype_tolower_loc() -> *const *const u8;
        fn __ctype_toupper_loc() -> *const *const u8;
    }

    fn check(location: unsafe extern "C" fn() -> *const *const u8, entry_size: usize, ours: &[u8]) {
        // SAFETY: glibc's tables have 384 entries around the pointer.
        let theirs =
            unsafe { std::slice::from_raw_parts((*location()).sub(BELOW as usize * entry_size), ENTRIES * entry_size) };
        assert_eq!(ours, theirs);
    }

    #[test]
    fn tables_are_glibcs() {
        check(__ctype_b_loc, 2, &class_table());
        check(__ctype_tolower_loc, 4, &lower_table());
        check(__ctype_toupper_loc, 4, &upper_table());
    }
}
