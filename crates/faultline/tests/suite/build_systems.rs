//! `faultline cc` and `faultline c++` where CMake and Meson look for compilers: a small project of both languages with a static
//! and a shared library is configured and built, and what all of its parts did is recorded. And a build that is interrupted.

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::process::{faultline, finish};

const CMAKE: &str = "cmake_minimum_required(VERSION 3.10)
project(both C CXX)
add_library(still STATIC still.c)
add_library(shared SHARED shared.cpp)
add_executable(both main.c)
target_link_libraries(both still shared)
";

const MESON: &str = "project('both', 'c', 'cpp')
still = static_library('still', 'still.c')
shared = shared_library('shared', 'shared.cpp')
executable('both', 'main.c', link_with: [still, shared])
";

const SOURCES: [(&str, &str); 5] = [
    ("CMakeLists.txt", CMAKE),
    ("meson.build", MESON),
    ("still.c", "int half(int number) { return number / 2; }\n"),
    (
        "shared.cpp",
        "#include <vector>\nextern \"C\" int last(int number) {\n  return std::vector<int>{1, number}.back();\n}\n",
    ),
    (
        "main.c",
        "#include <stdio.h>\nint half(int), last(int);\nint main(void) { printf(\"%d\\n\", last(half(84))); return 0; }\n",
    ),
];

fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in SOURCES {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// A command of a build system in a folder, with our compilers in its environment.
#[track_caller]
fn build(folder: &Path, line: &str) {
    let compiler = env!("CARGO_BIN_EXE_faultline");
    let mut words = line.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).current_dir(folder);
    command.env("CC", format!("{compiler} cc")).env("CXX", format!("{compiler} c++"));
    let run = finish(&mut command, b"");
    assert_eq!(run.status, 0, "{line}\n{}{}", run.stdout_text(), run.stderr_text());
}

/// The program runs, and each of its parts says that it is there.
#[track_caller]
fn all_is_recorded(folder: &Path, program: &Path) {
    let recorded = folder.join("recorded");
    fs::create_dir(&recorded).unwrap();
    let mut command = Command::new(program);
    command.env("FAULTLINE_OBSERVE", "coverage").env("FAULTLINE_OBSERVE_DIR", &recorded);
    let run = finish(&mut command, b"");
    assert_eq!((run.status, run.stdout_text().as_str()), (0, "42\n"), "{}", run.stderr_text());
    let processes = fs::read_dir(&recorded).unwrap().map(|it| it.unwrap().path());
    let said: String = processes
        .filter(|it| it.extension().is_some_and(|it| it == "process"))
        .map(|it| fs::read_to_string(it).unwrap())
        .collect();
    let units = said.lines().filter(|it| it.starts_with("unit ")).count();
    assert_eq!(units, 3, "main.c, still.c and shared.cpp:\n{said}");
    assert!(said.contains("libshared.so"), "{said}");
}

#[test]
fn cmake_takes_our_compilers() {
    let folder = project();
    build(folder.path(), "cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug");
    build(folder.path(), "cmake --build build");
    all_is_recorded(folder.path(), &folder.path().join("build/both"));
}

#[test]
fn meson_takes_our_compilers() {
    let folder = project();
    build(folder.path(), "meson setup build");
    build(folder.path(), "meson compile -C build");
    all_is_recorded(folder.path(), &folder.path().join("build/both"));
}

/// The compiler that it waits for goes, its files go, and it dies as `make` expects it.
#[test]
fn an_interrupted_compiler_leaves_nothing_behind() {
    let folder = project();
    let (temporary, source) = (folder.path().join("temporary"), folder.path().join("endless.c"));
    fs::create_dir(&temporary).unwrap();
    assert!(Command::new("mkfifo").arg(&source).status().unwrap().success());
    let mut command = faultline(["cc", "-c", "endless.c"]);
    let mut compiler = command.current_dir(folder.path()).env("TMPDIR", &temporary).spawn().unwrap();
    // As soon as clang reads it.
    let mut text = fs::OpenOptions::new().write(true).open(&source).unwrap();
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 1);
    // SAFETY: plain system call, on a child that was not waited for.
    unsafe { libc::kill(compiler.id() as i32, libc::SIGTERM) };
    assert_eq!(compiler.wait().unwrap().signal(), Some(libc::SIGTERM));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    assert_eq!(text.write(b" ").unwrap_err().kind(), ErrorKind::BrokenPipe, "nobody reads any more");
}
