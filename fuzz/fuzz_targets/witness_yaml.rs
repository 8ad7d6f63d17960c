//! Any bytes as a witness in YAML: the reader answers without a panic, and what it accepts can be written and
//! read back to the same steps.

#![no_main]

use frontend::witness::{Format, read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let witness = match read(bytes) {
        Ok(witness) => witness,
        Err(error) => return drop(error.to_string()),
    };
    let Some(text) = write(&witness, Format::Yaml) else { return };
    // A text that the format cannot say (a blank name, a control character) may become another one.
    if let Ok(again) = read(text.as_bytes()) {
        assert_eq!(witness.states.len(), again.states.len(), "{text}");
    }
});
