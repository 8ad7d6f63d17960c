//! Compiles the C++ shim against LLVM 19's headers, found through `llvm-config-19`.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/llvm/shim.cpp");
    let flags = llvm_config("--cxxflags");
    let mut build = cc::Build::new();
    build.cpp(true).compiler("clang++-19").file("src/llvm/shim.cpp").warnings(false);
    for flag in flags.split_whitespace().filter(|flag| !flag.starts_with("-O")) {
        build.flag(flag);
    }
    build.opt_level(2).compile("faultline_llvm_shim");
}

fn llvm_config(argument: &str) -> String {
    let output = Command::new("llvm-config-19").arg(argument).output().unwrap_or_else(|error| {
        panic!("cannot run llvm-config-19 ({error}); install LLVM 19's development files, or run `scripts/setup`")
    });
    String::from_utf8(output.stdout).expect("llvm-config prints text")
}
