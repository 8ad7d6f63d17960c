//! Any bytes as the table of an observed binary: the reader answers without a panic, and what it accepts hangs together:
//! sites, branches and blocks refer to what is there.

#![no_main]

use libfuzzer_sys::fuzz_target;
use observe::recording::Sites;

fuzz_target!(|bytes: &[u8]| {
    let Ok(sites) = Sites::from_section(bytes) else { return };
    for site in &sites.sites {
        sites.block(site.block);
        let function = &sites.units[site.unit as usize].functions[site.function_index as usize];
        assert!(function.nodes[site.node as usize].observed.is_some());
    }
    for branch in &sites.branches {
        sites.block(branch.block);
    }
});
