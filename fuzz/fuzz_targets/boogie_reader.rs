//! Any bytes as a Boogie program: the reader answers without a panic, mistakes lie within the text, and
//! every statement of the graph has its origin there.

#![no_main]

use frontend::boogie::{Error, Options, translate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let options = Options { recursion: 1, most_edges: 2_000, ..Options::default() };
    match translate(text, &options) {
        Ok(translation) => {
            for edge in translation.graph.edges() {
                let origin = translation.origin(edge.statement.origin);
                assert!(text.get(origin.extent.start as usize..origin.extent.end as usize).is_some());
            }
        }
        Err(Error::Wrong(diagnostics)) => {
            assert!(!diagnostics.is_empty());
            for it in diagnostics {
                assert!(text.get(it.extent.start as usize..it.extent.end as usize).is_some(), "{it:?}");
            }
        }
        Err(Error::Unreadable { .. }) => unreachable!("nothing is opened"),
    }
});
