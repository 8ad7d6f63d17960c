//! Any bytes as a C file with ACSL annotations: the reader answers without a panic, and mistakes lie within the text.

#![no_main]

use frontend::acsl;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match acsl::read(text) {
        Ok(found) => {
            for (_, extent) in &found.contracts {
                assert!(text.get(extent.start as usize..extent.end as usize).is_some());
            }
        }
        Err(it) => assert!(text.get(it.extent.start as usize..it.extent.end as usize).is_some(), "{it:?}"),
    }
});
