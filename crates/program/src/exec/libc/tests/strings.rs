//! string.h, ctype.h and the heap.

use proptest::prelude::*;

use super::Bench;
use super::Given::{At, Int, Long};
use crate::exec::memory::Address;
use crate::exec::violation::ViolationKind;

fn native(text: &str) -> std::ffi::CString {
    std::ffi::CString::new(text).unwrap()
}

proptest! {
    #[test]
    fn comparisons_as_glibc(left in "[a-cA-C]{0,6}", right in "[a-cA-C]{0,6}", most in 0usize..8) {
        let mut bench = Bench::new();
        let (a, b) = (At(bench.text(&left)), At(bench.text(&right)));
        let (x, y) = (native(&left), native(&right));
        let shared = left.len().min(right.len());
        let ours = [
            bench.int("strcmp", &[a, b]),
            bench.int("strncmp", &[a, b, Long(most as i64)]),
            bench.int("strcasecmp", &[a, b]),
            bench.int("memcmp", &[a, b, Long(shared as i64)]),
        ];
        // SAFETY: both strings are terminated.
        let theirs = unsafe {
            [
                libc::strcmp(x.as_ptr(), y.as_ptr()),
                libc::strncmp(x.as_ptr(), y.as_ptr(), most),
                libc::strcasecmp(x.as_ptr(), y.as_ptr()),
                libc::memcmp(x.as_ptr().cast(), y.as_ptr().cast(), shared),
            ]
        };
        // How far from nought they are depends on the processor, for which glibc has one of several functions.
        prop_assert_eq!(ours.map(i32::signum), theirs.map(i32::signum));
    }

    #[test]
    fn searches_as_glibc(text in "[a-c]{0,8}", other in "[a-c]{0,3}", byte in prop_oneof![Just(0u8), b'a'..=b'd']) {
        let mut bench = Bench::new();
        let (address, set) = (bench.text(&text), bench.text(&other));
        let (x, y) = (native(&text), native(&other));
        let start = x.as_ptr();
        let offset = |found: *const libc::c_char| (!found.is_null()).then(|| found as usize - start as usize);
        let mut ours = |name: &str, argument| {
            let found = bench.pointer(name, &[At(address), argument]);
            (!found.is_null()).then(|| (found.0 - address.0) as usize)
        };
        // SAFETY: both strings are terminated.
        unsafe {
            prop_assert_eq!(ours("strchr", Int(byte.into())), offset(libc::strchr(start, byte.into())));
            prop_assert_eq!(ours("strrchr", Int(byte.into())), offset(libc::strrchr(start, byte.into())));
            prop_assert_eq!(ours("strstr", At(set)), offset(libc::strstr(start, y.as_ptr())));
            prop_assert_eq!(ours("strpbrk", At(set)), offset(libc::strpbrk(start, y.as_ptr())));
            prop_assert_eq!(bench.call("strspn", &[At(address), At(set)]) as usize, libc::strspn(start, y.as_ptr()));
            prop_assert_eq!(bench.call("strcspn", &[At(address), At(set)]) as usize, libc::strcspn(start, y.as_ptr()));
        }
    }
}

#[test]
fn copies_and_what_is_wrong_with_them() {
    let mut bench = Bench::new();
    let (small, text) = (bench.buffer(4), bench.text("hello"));
    assert_eq!(bench.violation("strcpy", &[At(small), At(text)]).0, ViolationKind::OutOfBoundsAbove);
    assert_eq!(bench.violation("memcpy", &[At(small), At(text), Long(5)]).0, ViolationKind::OutOfBoundsAbove);
    assert_eq!(bench.violation("strlen", &[At(small)]).0, ViolationKind::Uninitialized);
    assert_eq!(bench.violation("strlen", &[At(Address::NULL)]).0, ViolationKind::NullDereference);
    bench.call("strncpy", &[At(small), At(text), Long(4)]);
    assert_eq!(bench.violation("strlen", &[At(small)]).0, ViolationKind::StringFunction);
    assert_eq!(bench.violation("strcmp", &[At(small), At(text)]).0, ViolationKind::StringFunction);
    assert_eq!(bench.call("strnlen", &[At(small), Long(4)]), 4);
    let (kind, words) = bench.violation("memcpy", &[At(text), At(text.plus(1)), Long(3)]);
    assert_eq!(kind, ViolationKind::StringFunction);
    assert!(words.contains("memcpy got overlapping buffers: they are 1 bytes apart"), "{words}");
    bench.call("memmove", &[At(text), At(text.plus(1)), Long(3)]);
    assert_eq!(bench.violation("strcat", &[At(text), At(text)]).0, ViolationKind::OutOfBoundsAbove);
    let room = bench.buffer(32);
    bench.call("strcpy", &[At(room), At(text)]);
    assert_eq!(bench.violation("strcat", &[At(room), At(room)]).0, ViolationKind::StringFunction);
}

#[test]
fn copies_carry_what_was_not_written() {
    let mut bench = Bench::new();
    let (from, to) = (bench.buffer(8), bench.buffer(8));
    bench.call("memset", &[At(from), Int(7), Long(4)]);
    bench.call("memcpy", &[At(to), At(from), Long(8)]);
    assert_eq!(bench.int("memcmp", &[At(to), At(from), Long(4)]), 0);
    assert_eq!(bench.violation("memcmp", &[At(to), At(from), Long(5)]).0, ViolationKind::Uninitialized);
    let found = bench.pointer("memchr", &[At(to), Int(7), Long(1000)]);
    assert_eq!(found, to, "a byte that is found early needs no more of the object");
}

#[test]
fn texts_are_split() {
    let mut bench = Bench::new();
    let (text, delimiters, place) = (bench.text("a,b,,c"), bench.text(","), bench.buffer(8));
    let null = At(Address::NULL);
    let mut tokens = Vec::new();
    let mut token = bench.pointer("strtok", &[At(text), At(delimiters)]);
    while !token.is_null() {
        tokens.push(bench.read(token));
        token = bench.pointer("strtok", &[null, At(delimiters)]);
    }
    assert_eq!(tokens, ["a", "b", "c"]);
    let text = bench.text("x,,y");
    bench.world.memory.store_u64(place, text.0).unwrap();
    let parts: Vec<String> = (0..3)
        .map(|_| {
            let part = bench.pointer("strsep", &[At(place), At(delimiters)]);
            bench.read(part)
        })
        .collect();
    assert_eq!(parts, ["x", "", "y"]);
    assert!(bench.pointer("strsep", &[At(place), At(delimiters)]).is_null());
}

#[test]
fn the_heap() {
    let mut bench = Bench::new();
    let block = bench.pointer("calloc", &[Long(3), Long(4)]);
    assert_eq!(bench.world.memory.load_u32(block.plus(8)).unwrap(), 0);
    let larger = bench.pointer("realloc", &[At(block), Long(100)]);
    assert_eq!(bench.violation("free", &[At(block)]).0, ViolationKind::DoubleFree);
    assert_eq!(bench.violation("free", &[At(larger.plus(4))]).0, ViolationKind::InvalidFree);
    bench.returned("free", &[At(larger)]);
    bench.returned("free", &[At(Address::NULL)]);
    assert!(bench.pointer("malloc", &[Long(1 << 40)]).is_null());
    assert_eq!(bench.errno(), libc::ENOMEM);
    assert!(bench.pointer("calloc", &[Long(1 << 40), Long(1 << 40)]).is_null());
}

#[test]
fn characters_and_their_tables() {
    let mut bench = Bench::new();
    assert_eq!(bench.int("isalpha", &[Int(b'x'.into())]), 1024);
    assert_eq!(bench.int("toupper", &[Int(b'x'.into())]), b'X'.into());
    assert_eq!(bench.int("tolower", &[Int(-1)]), -1);
    assert_eq!(bench.violation("isdigit", &[Int(1000)]).0, ViolationKind::StringFunction);
    let location = bench.pointer("__ctype_b_loc", &[]);
    let table = Address(bench.world.memory.load_u64(location).unwrap());
    assert_eq!(bench.world.memory.load_u16(table.plus(2 * i64::from(b' '))).unwrap() & 0x2000, 0x2000);
    assert_eq!(bench.world.memory.load_u16(table.plus(-256)).unwrap(), 0);
    assert!(bench.world.memory.load_u16(table.plus(512)).is_err());
    assert_eq!(bench.pointer("__ctype_b_loc", &[]), location);
}

#[test]
fn errors_have_words() {
    let mut bench = Bench::new();
    let text = bench.pointer("strerror", &[Int(libc::ENOENT)]);
    assert_eq!(bench.read(text), "No such file or directory");
    let text = bench.pointer("strerror", &[Int(12345)]);
    assert_eq!(bench.read(text), "Unknown error 12345");
}
