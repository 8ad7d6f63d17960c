//! Compiles the runtime with clang 19 into one relocatable object, which the library carries.

use std::path::PathBuf;
use std::process::Command;

const SOURCES: [&str; 6] = ["process.c", "files.c", "counters.c", "lz4.c", "trace.c", "words.c"];

fn main() {
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-env-changed=FAULTLINE_CLANG");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut objects = Vec::new();
    for source in SOURCES {
        let object = folder.join(source).with_extension("o");
        // In a program, the linker makes accesses to what threads have of their own the quick ones.
        let flags = ["-std=c11", "-O2", "-fPIC", "-fno-stack-protector", "-fno-builtin", "-Wall", "-Wextra"];
        clang(Command::new(compiler()).args(flags).arg("-c").arg(format!("src/{source}")).arg("-o").arg(&object));
        objects.push(object);
    }
    let runtime = folder.join("runtime.o");
    clang(Command::new(compiler()).args(["-r", "-nostdlib", "-o"]).arg(&runtime).args(&objects));
    // What its files call of each other is nobody else's: a program may have functions of these names.
    run(Command::new("objcopy").arg("--localize-hidden").arg(&runtime), "install binutils, or run `scripts/setup`");
}

fn compiler() -> std::ffi::OsString {
    std::env::var_os("FAULTLINE_CLANG").unwrap_or_else(|| "clang-19".into())
}

fn clang(command: &mut Command) {
    run(command, "install clang 19, or run `scripts/setup`");
}

fn run(command: &mut Command, remedy: &str) {
    let status = command.status().unwrap_or_else(|error| panic!("cannot run {command:?} ({error}); {remedy}"));
    assert!(status.success(), "{command:?} failed");
}
