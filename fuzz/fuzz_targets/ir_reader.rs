//! Any bytes as the text of a program: the reader answers without a panic, and what it accepts
//! can be printed and read back to the same program.

#![no_main]

use libfuzzer_sys::fuzz_target;
use program::text::{Style, read, same, to_text};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(program) = read(text) else { return };
    let full = to_text(&program, Style::Full);
    let again = read(&full).expect("full text is read back");
    assert!(same(&program, &again), "full text reads back to another program:\n{full}");
    let readable = to_text(&program, Style::Readable);
    let again = read(&readable).expect("readable text is read back");
    assert_eq!(readable, to_text(&again, Style::Readable));
});
