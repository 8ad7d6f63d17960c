//! Any bytes as a token specification: the reader answers without a panic; what it accepts cuts any text into tokens that lie
//! in it, in order.

#![no_main]

use libfuzzer_sys::fuzz_target;
use observe::inputs::tokens::Specification;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(specification) = Specification::parse("fuzzed", text) else { return };
    let mut end = 0;
    for token in specification.tokens(bytes) {
        assert!(end <= token.range.start && token.range.end <= bytes.len());
        end = token.range.end;
    }
});
