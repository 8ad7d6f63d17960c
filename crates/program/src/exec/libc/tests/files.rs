//! Streams and files.

use std::collections::BTreeMap;

use super::Given::{At, Int, Long};
use super::{Bench, State};
use crate::exec::inputs::Inputs;
use crate::exec::memory::Address;
use crate::exec::violation::ViolationKind;

fn bench() -> Bench {
    let files = BTreeMap::from([(b"in.txt".to_vec(), b"one\ntwo\n".to_vec())]);
    Bench::with(Inputs { files, stdin: b"standard input".to_vec(), ..Inputs::default() })
}

fn open(bench: &mut Bench, name: &str, mode: &str) -> Address {
    let (name, mode) = (bench.text(name), bench.text(mode));
    bench.pointer("fopen", &[At(name), At(mode)])
}

#[test]
fn lines_and_the_end() {
    let mut bench = bench();
    let (file, buffer) = (open(&mut bench, "in.txt", "r"), bench.buffer(16));
    let mut lines = Vec::new();
    while !bench.pointer("fgets", &[At(buffer), Int(16), At(file)]).is_null() {
        lines.push(bench.read(buffer));
    }
    assert_eq!(lines, ["one\n", "two\n"]);
    assert_eq!(bench.int("feof", &[At(file)]), 1);
    assert_eq!(bench.int("ungetc", &[Int(b'!'.into()), At(file)]), b'!'.into());
    assert_eq!(bench.int("feof", &[At(file)]), 0);
    assert_eq!(bench.call("ftell", &[At(file)]), 7);
    assert_eq!(bench.int("fgetc", &[At(file)]), b'!'.into());
    bench.returned("rewind", &[At(file)]);
    assert_eq!(bench.int("fgetc", &[At(file)]), b'o'.into());
    assert_eq!(bench.int("fputc", &[Int(b'x'.into()), At(file)]), -1, "it was opened for reading");
    assert_eq!((bench.int("ferror", &[At(file)]), bench.errno()), (1, libc::EBADF));
}

#[test]
fn writing_appending_and_what_remains() {
    let mut bench = bench();
    let (file, text) = (open(&mut bench, "out.txt", "w+"), bench.text("0123456789"));
    assert_eq!(bench.call("fwrite", &[At(text), Long(5), Long(2), At(file)]), 2);
    assert_eq!(bench.int("fseek", &[At(file), Long(-3), Int(libc::SEEK_END)]), 0);
    let buffer = bench.buffer(16);
    assert_eq!(bench.call("fread", &[At(buffer), Long(2), Long(8), At(file)]), 1);
    assert_eq!(bench.int("fclose", &[At(file)]), 0);
    assert_eq!(bench.violation("fputc", &[Int(1), At(file)]).0, ViolationKind::UseAfterFree);
    assert_eq!(bench.violation("fclose", &[At(file)]).0, ViolationKind::UseAfterFree);
    let file = open(&mut bench, "out.txt", "a");
    assert_eq!(bench.call("ftell", &[At(file)]), 10);
    bench.call("fputs", &[At(text), At(file)]);
    let files: BTreeMap<Vec<u8>, &[u8]> = State::files(&bench.world.library);
    assert_eq!(files[b"out.txt".as_slice()], b"01234567890123456789");
    assert_eq!(files[b"in.txt".as_slice()], b"one\ntwo\n");
}

#[test]
fn what_cannot_be_opened() {
    let mut bench = bench();
    assert!(open(&mut bench, "none.txt", "r").is_null());
    assert_eq!(bench.errno(), libc::ENOENT);
    assert!(open(&mut bench, "in.txt", "q").is_null());
    assert_eq!(bench.errno(), libc::EINVAL);
    let buffer = bench.buffer(8);
    assert_eq!(bench.violation("fgets", &[At(buffer), Int(8), At(Address::NULL)]).0, ViolationKind::NullDereference);
    assert_eq!(bench.violation("fclose", &[At(buffer)]).0, ViolationKind::StringFunction);
}

#[test]
fn lines_of_any_length() {
    let mut bench = bench();
    let (file, line, size) = (open(&mut bench, "in.txt", "r"), bench.buffer(8), bench.buffer(8));
    bench.world.memory.store_u64(line, 0).unwrap();
    assert_eq!(bench.call("getline", &[At(line), At(size), At(file)]), 4);
    let text = Address(bench.world.memory.load_u64(line).unwrap());
    assert_eq!(bench.read(text), "one\n");
    assert_eq!(bench.world.memory.load_u64(size).unwrap(), 120);
    assert_eq!(bench.call("getline", &[At(line), At(size), At(file)]), 4);
    assert_eq!(bench.call("getline", &[At(line), At(size), At(file)]), -1);
    bench.returned("free", &[At(text)]);
}

#[test]
fn descriptors_and_names() {
    let mut bench = bench();
    let name = bench.text("in.txt");
    let file = bench.int("open", &[At(name), Int(libc::O_RDWR)]);
    assert_eq!(file, 3);
    let buffer = bench.buffer(144);
    assert_eq!(bench.int("fstat", &[Int(file), At(buffer)]), 0);
    assert_eq!(bench.world.memory.load_u64(buffer.plus(48)).unwrap(), 8);
    assert_eq!(bench.call("pread", &[Int(file), At(buffer), Long(3), Long(4)]), 3);
    assert_eq!(bench.int("unlink", &[At(name)]), 0);
    assert_eq!(bench.int("access", &[At(name), Int(0)]), -1);
    assert_eq!(bench.call("read", &[Int(file), At(buffer), Long(3)]), 3, "it stays open");
    assert_eq!(bench.call("lseek", &[Int(0), Long(0), Int(0)]), -1);
    assert_eq!(bench.errno(), libc::ESPIPE);
    let template = bench.text("/tmp/x-XXXXXX");
    assert_eq!(bench.int("mkstemp", &[At(template)]), 4);
    assert_ne!(bench.read(template), "/tmp/x-XXXXXX");
    assert_eq!(bench.pointer("getcwd", &[At(buffer), Long(144)]), buffer);
    assert_eq!(bench.read(buffer), "/program");
}

#[test]
fn directories_are_listed() {
    let mut bench = bench();
    let (here, sub, buffer) = (bench.text("."), bench.text("sub"), bench.buffer(64));
    assert_eq!(bench.int("mkdir", &[At(sub), Int(0o755)]), 0);
    let directory = bench.pointer("opendir", &[At(here)]);
    let mut names = Vec::new();
    loop {
        let entry = bench.pointer("readdir", &[At(directory)]);
        if entry.is_null() {
            break;
        }
        names.push(bench.read(entry.plus(19)));
    }
    assert_eq!(names, [".", "..", "in.txt", "sub"]);
    assert_eq!(bench.int("closedir", &[At(directory)]), 0);
    assert_eq!(bench.violation("readdir", &[At(directory)]).0, ViolationKind::UseAfterFree);
    let name = bench.text("sub/../in.txt");
    bench.call("realpath", &[At(name), At(buffer)]);
    assert_eq!(bench.read(buffer), "/program/in.txt");
}

#[test]
fn names_have_parts_as_glibc_has_them() {
    unsafe extern "C" {
        fn dirname(path: *mut libc::c_char) -> *mut libc::c_char;
        fn __xpg_basename(path: *mut libc::c_char) -> *mut libc::c_char;
    }
    type Native = unsafe extern "C" fn(*mut libc::c_char) -> *mut libc::c_char;
    let functions: [(&str, Native); 2] = [("dirname", dirname), ("__xpg_basename", __xpg_basename)];
    for path in ["", "/", "//", "///", "a", "a/", "a//", "/a", "//a", "/a/", "a/b", "a//b//", "/a/b/c", "//a/b", "./x"]
    {
        for (name, native) in functions {
            let mut bench = bench();
            let mut copy = std::ffi::CString::new(path).unwrap().into_bytes_with_nul();
            // SAFETY: the functions change the copy at most, and return a terminated string.
            let expected = unsafe { std::ffi::CStr::from_ptr(native(copy.as_mut_ptr().cast())) };
            let address = bench.text(path);
            let found = bench.pointer(name, &[At(address)]);
            assert_eq!(bench.read(found), expected.to_string_lossy(), "{name} of {path:?}");
        }
    }
}

#[test]
fn a_stream_into_memory() {
    let mut bench = bench();
    let (place, size, text) = (bench.buffer(8), bench.buffer(8), bench.text("hello"));
    let file = bench.pointer("open_memstream", &[At(place), At(size)]);
    bench.call("fputs", &[At(text), At(file)]);
    bench.call("fflush", &[At(file)]);
    bench.call("fputs", &[At(text), At(file)]);
    bench.call("fclose", &[At(file)]);
    let shown = Address(bench.world.memory.load_u64(place).unwrap());
    assert_eq!(bench.read(shown), "hellohello");
    assert_eq!(bench.world.memory.load_u64(size).unwrap(), 10);
}

#[test]
fn standard_streams_are_objects() {
    let mut bench = bench();
    let global = bench.buffer(8);
    assert!(super::super::initialize_global(&mut bench.world, "stdout", global, 8).unwrap());
    let file = Address(bench.world.memory.load_u64(global).unwrap());
    let text = bench.text("hi");
    bench.call("fputs", &[At(text), At(file)]);
    assert_eq!(bench.output(), "hi");
    let (name, mode) = (bench.text("log"), bench.text("w"));
    assert_eq!(bench.pointer("freopen", &[At(name), At(mode), At(file)]), file);
    bench.call("puts", &[At(text)]);
    assert_eq!(bench.output(), "hi");
    assert_eq!(bench.world.library.files()[b"log".as_slice()], b"hi\n");
    assert!(!super::super::initialize_global(&mut bench.world, "unknown", global, 8).unwrap());
}
