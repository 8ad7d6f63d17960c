//! Any bytes as the choices that make a valid program: it is valid, and its text reads back to it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use program::generate::{self, Choices};
use program::text::{Style, read, same, to_text};

fuzz_target!(|bytes: &[u8]| {
    let program = generate::program(&mut Choices::new(bytes));
    program::validate(&program).expect("generated programs are valid");
    let full = to_text(&program, Style::Full);
    let again = read(&full).expect("full text is read back");
    assert!(same(&program, &again), "full text reads back to another program:\n{full}");
});
