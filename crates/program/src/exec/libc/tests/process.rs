//! The end of a run, sorting, the environment, time, random numbers.

use super::Bench;
use super::Given::{At, Int, Long};
use crate::exec::host::{Returned, Stop, World};
use crate::exec::inputs::Inputs;
use crate::exec::memory::Address;

/// Compares two ints of the program; a wrong order is the test's own business.
fn compare(world: &mut World, arguments: &[u64]) -> u64 {
    let load = |index: usize| world.memory.load_u32(Address(arguments[index])).unwrap() as i32;
    let (left, right) = (load(0) / 10, load(1) / 10);
    left.cmp(&right) as i64 as u64
}

#[test]
fn sorting_is_stable() {
    let mut bench = Bench::new();
    bench.callback = Some(compare);
    let numbers = [31, 12, 30, 11, 10, 99, 5];
    let bytes: Vec<u8> = numbers.iter().flat_map(|number: &i32| number.to_le_bytes()).collect();
    let array = bench.bytes(&bytes);
    bench.returned("qsort", &[At(array), Long(7), Long(4), At(Address(1 << 32))]);
    let sorted: Vec<u32> = (0..7).map(|index| bench.world.memory.load_u32(array.plus(4 * index)).unwrap()).collect();
    assert_eq!(sorted, [5, 12, 11, 10, 31, 30, 99]);
    let key = bench.bytes(&30i32.to_le_bytes());
    let found = bench.pointer("bsearch", &[At(key), At(array), Long(7), Long(4), At(Address(1 << 32))]);
    assert!(found == array.plus(16) || found == array.plus(20));
}

#[test]
fn sorting_asks_as_glibc_asks() {
    use std::cell::RefCell;
    thread_local!(static ASKED: RefCell<Vec<(i32, i32)>> = const { RefCell::new(Vec::new()) });
    extern "C" fn native(left: *const libc::c_void, right: *const libc::c_void) -> libc::c_int {
        // SAFETY: qsort hands out pointers into the array of ints.
        let (left, right) = unsafe { (*left.cast::<i32>(), *right.cast::<i32>()) };
        ASKED.with_borrow_mut(|asked| asked.push((left, right)));
        left.cmp(&right) as libc::c_int
    }
    fn modelled(world: &mut World, arguments: &[u64]) -> u64 {
        let load = |index: usize| world.memory.load_u32(Address(arguments[index])).unwrap() as i32;
        let (left, right) = (load(0), load(1));
        ASKED.with_borrow_mut(|asked| asked.push((left, right)));
        left.cmp(&right) as i64 as u64
    }
    let mut numbers: Vec<i32> = (0..57).map(|number| number * 37 % 57).collect();
    let mut bench = Bench::new();
    bench.callback = Some(modelled);
    let array = bench.bytes(&numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>());
    bench.returned("qsort", &[At(array), Long(57), Long(4), At(Address(1 << 32))]);
    let ours = ASKED.take();
    // SAFETY: the array has 57 elements of 4 bytes.
    unsafe { libc::qsort(numbers.as_mut_ptr().cast(), 57, 4, Some(native)) };
    assert_eq!(ours, ASKED.take());
}

#[test]
fn handlers_run_in_reverse() {
    fn note(world: &mut World, arguments: &[u64]) -> u64 {
        let line = format!("{arguments:?}");
        world.note(crate::exec::Note::UnknownObject { name: line });
        0
    }
    let mut bench = Bench::new();
    bench.callback = Some(note);
    let function = At(Address(1 << 32));
    bench.call("atexit", &[function]);
    bench.call("on_exit", &[function, Long(7)]);
    bench.call("__cxa_atexit", &[function, Long(9), Long(0)]);
    assert!(matches!(bench.try_call("exit", &[Int(3)]), Err(Stop::Exit(3))));
    let names: Vec<String> = bench.world.notes.iter().map(|note| format!("{note:?}")).collect();
    assert_eq!(names, ["[9]", "[3, 7]", "[]"].map(|name| format!("UnknownObject {{ name: \"{name}\" }}")));
}

#[test]
fn signals_run_handlers_or_end_the_run() {
    let mut bench = Bench::new();
    bench.callback = Some(|_, arguments| arguments[0]);
    assert!(matches!(bench.try_call("abort", &[]), Err(Stop::Abort)));
    assert_eq!(bench.call("signal", &[Int(libc::SIGUSR1), At(Address(1 << 32))]), 0);
    assert_eq!(bench.call("raise", &[Int(libc::SIGUSR1)]), 0);
    assert!(matches!(bench.try_call("raise", &[Int(libc::SIGTERM)]), Err(Stop::Abort)));
    assert_eq!(bench.call("signal", &[Int(libc::SIGTERM), Long(1)]), 0);
    assert_eq!(bench.call("raise", &[Int(libc::SIGTERM)]), 0);
}

#[test]
fn the_environment_changes() {
    let mut bench = Bench::with(Inputs { environment: vec![b"A=1".to_vec(), b"B=2".to_vec()], ..Inputs::default() });
    let (a, value) = (bench.text("A"), bench.text("new"));
    let found = bench.pointer("getenv", &[At(a)]);
    assert_eq!(bench.read(found), "1");
    let environ = bench.buffer(8);
    assert!(super::super::initialize_global(&mut bench.world, "environ", environ, 8).unwrap());
    assert_eq!(bench.call("setenv", &[At(a), At(value), Int(1)]), 0);
    let array = Address(bench.world.memory.load_u64(environ).unwrap());
    let first = Address(bench.world.memory.load_u64(array).unwrap());
    assert_eq!(bench.read(first), "A=new");
    bench.call("unsetenv", &[At(a)]);
    assert!(bench.pointer("getenv", &[At(a)]).is_null());
}

#[test]
fn time_moves_only_with_the_program() {
    let mut bench = Bench::new();
    let null = At(Address::NULL);
    assert_eq!(bench.call("time", &[null]), 1_700_000_000);
    bench.call("sleep", &[Int(5)]);
    assert_eq!(bench.call("time", &[null]), 1_700_000_005);
    let place = bench.bytes(&86_400i64.to_le_bytes());
    let date = bench.pointer("gmtime", &[At(place)]);
    let text = bench.pointer("asctime", &[At(date)]);
    assert_eq!(bench.read(text), "Fri Jan  2 00:00:00 1970\n");
    assert_eq!(bench.call("mktime", &[At(date)]), 86_400);
    let (buffer, format) = (bench.buffer(64), bench.text("%Y-%m-%d %H:%M:%S %Z %s %%s"));
    let length = bench.call("strftime", &[At(buffer), Long(64), At(format), At(date)]);
    assert_eq!(bench.read(buffer), "1970-01-02 00:00:00 UTC 86400 %s");
    assert_eq!(length, 32);
    assert_eq!(bench.call("strftime", &[At(buffer), Long(5), At(format), At(date)]), 0);
}

#[test]
fn dates_may_be_partly_written() {
    let mut bench = Bench::new();
    let date = bench.buffer(56);
    for (index, number) in [0, 30, 12, 29, 1, 120].into_iter().enumerate() {
        bench.world.memory.store_u32(date.plus(4 * index as i64), number).unwrap();
    }
    let (buffer, time, day) = (bench.buffer(64), bench.text("%H:%M"), bench.text("%-j"));
    assert_eq!(bench.call("strftime", &[At(buffer), Long(64), At(time), At(date)]), 5);
    assert_eq!(bench.read(buffer), "12:30");
    let (kind, _) = bench.violation("strftime", &[At(buffer), Long(64), At(day), At(date)]);
    assert_eq!(kind.name(), "uninitialized");
    bench.world.memory.store_u32(date.plus(32), -1i32 as u32).unwrap();
    assert_eq!(bench.call("mktime", &[At(date)]), 1_582_979_400);
    assert_eq!(bench.call("strftime", &[At(buffer), Long(64), At(day), At(date)]), 2);
    assert_eq!(bench.read(buffer), "60");
}

#[test]
fn small_arithmetic() {
    let mut bench = Bench::new();
    assert_eq!(bench.call("rand", &[]), 1_804_289_383);
    bench.returned("srand", &[Int(42)]);
    assert_eq!(bench.call("rand", &[]), 71_876_166);
    assert_eq!(bench.returned("ldiv", &[Long(-7), Long(2)]), Returned::Pair(-3i64 as u64, -1i64 as u64));
    assert_eq!(bench.call("div", &[Int(-7), Int(2)]) as u64, 0xffff_ffff_ffff_fffd);
    assert_eq!(bench.violation("abs", &[Int(i32::MIN)]).0.name(), "overflow");
    assert_eq!(bench.violation("div", &[Int(1), Int(0)]).0.name(), "division-by-zero");
}
