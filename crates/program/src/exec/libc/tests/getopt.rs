//! `getopt`, compared with glibc's on the same command lines.

use std::ffi::{CString, c_char, c_int};
use std::sync::Mutex;

use super::Bench;
use super::Given::{At, Int};
use crate::exec::memory::Address;

unsafe extern "C" {
    static mut optind: c_int;
    static mut opterr: c_int;
    static mut optarg: *mut c_char;
    fn getopt(count: c_int, arguments: *const *mut c_char, letters: *const c_char) -> c_int;
}

/// glibc's variables are the process's: one command line at a time.
static GLIBC: Mutex<()> = Mutex::new(());

/// What each call returned, with its argument; then the operands.
type Seen = (Vec<(i32, String)>, Vec<String>);

fn natively(words: &[&str], letters: &str) -> Seen {
    let _guard = GLIBC.lock();
    let texts: Vec<CString> = words.iter().map(|word| CString::new(*word).unwrap()).collect();
    let mut arguments: Vec<*mut c_char> = texts.iter().map(|text| text.as_ptr().cast_mut()).collect();
    arguments.push(std::ptr::null_mut());
    let letters = CString::new(letters).unwrap();
    let show = |text: *const c_char| match text.is_null() {
        true => String::new(),
        // SAFETY: not null, so one of the words.
        false => unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy().into_owned(),
    };
    let mut calls = Vec::new();
    // SAFETY: the lock keeps other tests from these variables.
    unsafe {
        (optind, opterr) = (0, 0);
        loop {
            let result = getopt(words.len() as c_int, arguments.as_ptr(), letters.as_ptr());
            if result == -1 {
                break;
            }
            calls.push((result, show(optarg)));
        }
        let operands = arguments[optind as usize..words.len()].iter().map(|word| show(*word)).collect();
        (calls, operands)
    }
}

fn modelled(words: &[&str], letters: &str) -> Seen {
    let mut bench = Bench::new();
    let mut variable = |name| {
        let address = bench.buffer(8);
        assert!(super::super::initialize_global(&mut bench.world, name, address, 8).unwrap());
        address
    };
    let (index, argument, errors) = (variable("optind"), variable("optarg"), variable("opterr"));
    bench.world.memory.store_u32(errors, 0).unwrap();
    let texts: Vec<u8> = words.iter().flat_map(|word| bench.text(word).0.to_le_bytes()).collect();
    let (arguments, letters) = (bench.bytes(&texts), bench.text(letters));
    let mut calls = Vec::new();
    loop {
        let result = bench.int("getopt", &[Int(words.len() as i32), At(arguments), At(letters)]);
        if result == -1 {
            break;
        }
        let text = Address(bench.world.memory.load_u64(argument).unwrap());
        let text = if text.is_null() { String::new() } else { bench.read(text) };
        calls.push((result, text));
    }
    let first = bench.world.memory.load_u32(index).unwrap() as usize;
    let operands = (first..words.len()).map(|index| {
        let word = Address(bench.world.memory.load_u64(arguments.plus(8 * index as i64)).unwrap());
        bench.read(word)
    });
    let operands = operands.collect();
    (calls, operands)
}

#[test]
fn short_options_as_glibc() {
    for (line, letters) in [
        ("p -a -b x file", "ab:"),
        ("p file -abx other -c", "ab:c"),
        ("p -a -- -b", "ab"),
        ("p one -a two -b three", "ab"),
        ("p one -a two", "+a"),
        ("p -x -b", "ab:"),
        ("p -b", ":b:"),
        ("p -ofile -o rest", "o::"),
        ("p - -a", "a"),
        ("p", "a"),
        ("p a b -c d -e -- f", "ce"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(modelled(&words, letters), natively(&words, letters), "{line} with {letters}");
    }
}

#[test]
fn long_options() {
    let mut bench = Bench::new();
    let words = ["p", "--verbose", "x", "--out=file", "--ve", "--none"];
    let texts: Vec<u8> = words.iter().flat_map(|word| bench.text(word).0.to_le_bytes()).collect();
    let (arguments, letters) = (bench.bytes(&texts), bench.text("vo:"));
    let (verbose, out) = (bench.text("verbose"), bench.text("out"));
    let mut table = Vec::new();
    for (name, needs, value) in [(verbose.0, 0u64, u64::from(b'v')), (out.0, 1, u64::from(b'o')), (0, 0, 0)] {
        table.extend([name, needs, 0, value].iter().flat_map(|word| word.to_le_bytes()));
    }
    let table = bench.bytes(&table);
    let given = [Int(6), At(arguments), At(letters), At(table), At(Address::NULL)];
    let results: Vec<i32> = (0..5).map(|_| bench.int("getopt_long", &given)).collect();
    assert_eq!(results, [b'v', b'o', b'v', b'?', 0xff].map(|byte| i32::from(byte as i8)));
    assert_eq!(bench.output.error, b"p: unrecognized option '--none'\n");
}
