//! Values as the `printf` family prints them.
//!
//! Numbers are printed by glibc itself, with a format that is rebuilt from the checked parts, so that
//! every flag and every digit is its own. The plain integers that most programs print take a
//! shorter way. Strings and characters are padded here.

use std::ffi::{CString, c_char, c_int};

use super::format::{Conversion, Flags};
use super::x87;

/// A conversion whose width and precision are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    pub flags: Flags,
    pub width: u32,
    pub precision: Option<u32>,
    pub letter: u8,
}

impl Resolved {
    /// Applies the arguments that stand for `*`: a negative width means left, a negative precision
    /// means none.
    pub fn new(conversion: &Conversion, width: Option<i32>, precision: Option<i32>) -> Self {
        let mut flags = conversion.flags;
        flags.left |= width.is_some_and(|width| width < 0);
        Resolved {
            flags,
            width: width.unwrap_or(0).unsigned_abs(),
            precision: precision.and_then(|precision| u32::try_from(precision).ok()),
            letter: conversion.letter,
        }
    }

    fn is_plain(&self) -> bool {
        self.flags == Flags::default() && self.width == 0 && self.precision.is_none()
    }

    /// The conversion as text, with this length modifier.
    fn rebuild(&self, length: &str) -> CString {
        let mut text = String::from("%");
        let flags = [
            (self.flags.left, '-'),
            (self.flags.plus, '+'),
            (self.flags.space, ' '),
            (self.flags.alternate, '#'),
            (self.flags.zero, '0'),
        ];
        text.extend(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag));
        if self.width > 0 {
            text += &self.width.to_string();
        }
        if let Some(precision) = self.precision {
            text += &format!(".{precision}");
        }
        text += length;
        text.push(char::from(self.letter));
        CString::new(text).expect("the parts contain no zero byte")
    }
}

/// `%d` and the like, of an integer with so many bytes.
pub fn integer(spec: &Resolved, value: u64, bytes: u32) -> Vec<u8> {
    let unused = 64 - 8 * bytes;
    let signed = matches!(spec.letter, b'd' | b'i');
    let value = if signed { ((value << unused) as i64 >> unused) as u64 } else { value << unused >> unused };
    if spec.is_plain() {
        match spec.letter {
            b'd' | b'i' => return (value as i64).to_string().into_bytes(),
            b'u' => return value.to_string().into_bytes(),
            b'x' => return format!("{value:x}").into_bytes(),
            _ => {}
        }
    }
    let format = spec.rebuild("ll");
    // SAFETY: the format has one conversion, of a long long.
    native(|buffer, size| unsafe { libc::snprintf(buffer, size, format.as_ptr(), value) })
}

/// `%p`.
pub fn pointer(spec: &Resolved, value: u64) -> Vec<u8> {
    let format = spec.rebuild("");
    // SAFETY: the format has one conversion, of a pointer, which is not followed.
    native(|buffer, size| unsafe { libc::snprintf(buffer, size, format.as_ptr(), value as *const ()) })
}

/// `%f` and the like.
pub fn double(spec: &Resolved, value: f64) -> Vec<u8> {
    let format = spec.rebuild("");
    // SAFETY: the format has one conversion, of a double.
    native(|buffer, size| unsafe { libc::snprintf(buffer, size, format.as_ptr(), value) })
}

/// `%Lf` and the like, of the 80 bits of a `long double`.
pub fn long_double(spec: &Resolved, bits: u128) -> Vec<u8> {
    x87::snprintf(&spec.rebuild("L"), bits)
}

/// Text that was cut to the precision already, padded to the width.
pub fn text(spec: &Resolved, text: &[u8]) -> Vec<u8> {
    let padding = (spec.width as usize).saturating_sub(text.len());
    let mut padded = Vec::with_capacity(text.len() + padding);
    if !spec.flags.left {
        padded.resize(padding, b' ');
    }
    padded.extend_from_slice(text);
    if spec.flags.left {
        padded.resize(text.len() + padding, b' ');
    }
    padded
}

fn native(print: impl Fn(*mut c_char, usize) -> c_int) -> Vec<u8> {
    let mut buffer = vec![0u8; 64];
    loop {
        let length = usize::try_from(print(buffer.as_mut_ptr().cast(), buffer.len())).unwrap_or_default();
        if length < buffer.len() {
            buffer.truncate(length);
            return buffer;
        }
        buffer.resize(length + 1, 0);
    }
}
