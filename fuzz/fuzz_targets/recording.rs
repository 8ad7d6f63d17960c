//! Any bytes as the files of a run: a process's text, counters, globals, a trace and its window, beside the table of a small
//! program. The readers answer without a panic, and so does the slicer.
//!
//! The first bytes say how long each file is; what is left is the window.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use observe::recording::{Sites, read_inner, read_invariants};
use observe::slicing::{Criterion, slice};

/// The table of `seeds/recording/table`, and a folder that all runs write to.
fn surroundings() -> &'static (Sites, PathBuf) {
    static ONCE: OnceLock<(Sites, PathBuf)> = OnceLock::new();
    ONCE.get_or_init(|| {
        let sites = Sites::from_section(include_bytes!("../tables/loop.table")).expect("the table is one of ours");
        let folder = std::env::temp_dir().join(format!("faultline-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder can be made");
        (sites, folder)
    })
}

const FILES: [&str; 5] = ["7-0.process", "7-0.counters", "7-0.globals", "7-0.7.0.trace", "7-0.7.window"];

fuzz_target!(|bytes: &[u8]| {
    let (sites, folder) = surroundings();
    let Some((lengths, mut rest)) = bytes.split_first_chunk::<8>() else { return };
    for (index, name) in FILES.iter().enumerate() {
        let length = match lengths.get(2 * index..2 * index + 2) {
            Some(length) => usize::from(u16::from_le_bytes([length[0], length[1]])).min(rest.len()),
            None => rest.len(),
        };
        let (content, behind) = rest.split_at(length);
        rest = behind;
        fs::write(folder.join(name), content).expect("a file can be written");
    }
    let _ = read_invariants(folder, sites);
    let _ = read_inner(folder, sites);
    let _ = slice(folder, sites, &Criterion::Last);
});
