//! Compiles the pass, and what reads debug information, against LLVM 19's headers, found through `llvm-config-19`.

use std::process::Command;

const SOURCES: [&str; 25] = [
    "aliasing.cpp",
    "callers.cpp",
    "cleanups.cpp",
    "conditions.cpp",
    "copying.cpp",
    "counting.cpp",
    "entry.cpp",
    "exact.cpp",
    "fields.cpp",
    "flow.cpp",
    "hooks.cpp",
    "inlining.cpp",
    "inner.cpp",
    "library.cpp",
    "marks.cpp",
    "packing.cpp",
    "plan.cpp",
    "prepare.cpp",
    "ranges.cpp",
    "records.cpp",
    "sinking.cpp",
    "strings.cpp",
    "sums.cpp",
    "table.cpp",
    "words.cpp",
];

fn main() {
    println!("cargo:rerun-if-changed=src/instrument");
    println!("cargo:rerun-if-changed=src/symbols");
    let flags = llvm_config("--cxxflags");
    let mut build = cc::Build::new();
    build.cpp(true).compiler("clang++-19").warnings(false);
    build.files(SOURCES.map(|source| format!("src/instrument/{source}")));
    build.file("src/symbols/symbolize.cpp");
    for flag in flags.split_whitespace().filter(|flag| !flag.starts_with("-O")) {
        build.flag(flag);
    }
    build.opt_level(1).compile("faultline_instrument");
}

fn llvm_config(argument: &str) -> String {
    let output = Command::new("llvm-config-19").arg(argument).output().unwrap_or_else(|error| {
        panic!("cannot run llvm-config-19 ({error}); install LLVM 19's development files, or run `scripts/setup`")
    });
    String::from_utf8(output.stdout).expect("llvm-config prints text")
}
