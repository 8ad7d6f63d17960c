//! Formatted output and input through calls, and what is wrong with their arguments.

use super::Bench;
use super::Given::{At, Double, Int, Long, LongDouble};
use crate::exec::inputs::Inputs;
use crate::exec::memory::Address;
use crate::exec::violation::ViolationKind;

#[test]
fn output_in_the_order_of_calls() {
    let mut bench = Bench::new();
    let (format, text) = (bench.text("%d %s %.2f\n"), bench.text("two"));
    assert_eq!(bench.int("printf", &[At(format), Int(1), At(text), Double(3.0)]), 11);
    bench.call("putchar", &[Int(b'x'.into())]);
    bench.call("puts", &[At(text)]);
    bench.call("write", &[Int(1), At(text), Long(2)]);
    assert_eq!(bench.output(), "1 two 3.00\nxtwo\ntw");
}

#[test]
fn arguments_that_do_not_fit() {
    let mut bench = Bench::new();
    for (format, argument, words) in [
        ("%d", Double(1.0), "the conversion %d needs an integer or a pointer, and its argument is a double"),
        ("%f", Int(1), "the conversion %f needs a double, and its argument is an integer of 32 bits"),
        ("%Lf", Double(1.0), "the conversion %Lf needs a long double"),
        ("%s", Int(5), "the conversion %s needs a pointer"),
        ("%ld", Int(-1), "the conversion %ld needs a long"),
        ("%d", Long(1 << 40), "the conversion %d needs an int"),
        ("%d %d", Int(1), "there is no argument for the conversion %d"),
        ("%q", Int(1), "the format ends inside the conversion %q"),
    ] {
        let address = bench.text(format);
        let (kind, found) = bench.violation("printf", &[At(address), argument]);
        assert_eq!(kind, ViolationKind::StringFunction);
        assert!(found.contains(words), "{found}");
    }
    let lenient = bench.text("%d %ld %s");
    assert_eq!(bench.int("printf", &[At(lenient), Long(-3), Int(7), Int(0)]), 11);
    assert_eq!(bench.output(), "-3 7 (null)");
}

#[test]
fn buffers_are_bounded_by_their_object() {
    let mut bench = Bench::new();
    let (buffer, format, text) = (bench.buffer(4), bench.text("%s"), bench.text("hello"));
    assert_eq!(bench.int("snprintf", &[At(buffer), Long(4), At(format), At(text)]), 5);
    assert_eq!(bench.read(buffer), "hel");
    assert_eq!(bench.violation("sprintf", &[At(buffer), At(format), At(text)]).0, ViolationKind::OutOfBoundsAbove);
    let (kind, words) = bench.violation("sprintf", &[At(buffer), At(format), At(buffer)]);
    assert!(kind == ViolationKind::StringFunction && words.contains("overlapping"), "{words}");
    let unterminated = bench.bytes(b"abc");
    assert_eq!(bench.violation("printf", &[At(format), At(unterminated)]).0, ViolationKind::StringFunction);
    let bounded = bench.text("%.3s");
    assert_eq!(bench.int("printf", &[At(bounded), At(unterminated)]), 3);
}

#[test]
fn long_doubles_and_counts() {
    let mut bench = Bench::new();
    let (format, count) = (bench.text("%.3Lf%n"), bench.buffer(4));
    let one_third = 0x3ffd_aaaa_aaaa_aaaa_aaab;
    bench.call("printf", &[At(format), LongDouble(one_third), At(count)]);
    assert_eq!(bench.output(), "0.333");
    assert_eq!(bench.world.memory.load_u32(count).unwrap(), 5);
}

#[test]
fn heap_text() {
    let mut bench = Bench::new();
    let (place, format) = (bench.buffer(8), bench.text("<%05d>"));
    assert_eq!(bench.int("asprintf", &[At(place), At(format), Int(42)]), 7);
    let text = Address(bench.world.memory.load_u64(place).unwrap());
    assert_eq!(bench.read(text), "<00042>");
    bench.returned("free", &[At(text)]);
}

#[test]
fn input_from_streams_and_strings() {
    let mut bench = Bench::with(Inputs { stdin: b"12 abc 3.5\nrest\n".to_vec(), ..Inputs::default() });
    let (number, word, float) = (bench.buffer(4), bench.buffer(8), bench.buffer(8));
    let format = bench.text("%d %7s %lf");
    assert_eq!(bench.int("__isoc99_scanf", &[At(format), At(number), At(word), At(float)]), 3);
    assert_eq!(bench.world.memory.load_u32(number).unwrap(), 12);
    assert_eq!(bench.read(word), "abc");
    assert_eq!(f64::from_bits(bench.world.memory.load_u64(float).unwrap()), 3.5);
    assert_eq!(bench.int("getchar", &[]), b'\n'.into());
    assert_eq!(bench.int("scanf", &[At(format), At(number), At(word), At(float)]), 0);
    let line = bench.text("%s");
    assert_eq!(bench.int("scanf", &[At(line), At(word)]), 1);
    assert_eq!(bench.int("scanf", &[At(line), At(word)]), -1);
    let text = bench.text("7");
    assert_eq!(bench.int("sscanf", &[At(text), At(format), At(number), At(word), At(float)]), 1);
    let long = bench.text("much too long");
    let small = bench.buffer(3);
    assert_eq!(bench.violation("sscanf", &[At(long), At(line), At(small)]).0, ViolationKind::OutOfBoundsAbove);
    assert_eq!(bench.violation("sscanf", &[At(long), At(line), Int(3)]).0, ViolationKind::StringFunction);
    assert_eq!(bench.violation("sscanf", &[At(long), At(line)]).0, ViolationKind::StringFunction);
}

#[test]
fn numbers_from_strings() {
    let mut bench = Bench::new();
    let (text, end) = (bench.text("-0x1fz"), bench.buffer(8));
    assert_eq!(bench.call("strtol", &[At(text), At(end), Int(0)]), -31);
    assert_eq!(bench.world.memory.load_u64(end).unwrap(), text.plus(5).0);
    let text = bench.text("99999999999999999999");
    assert_eq!(bench.call("strtol", &[At(text), At(Address::NULL), Int(10)]), i64::MAX);
    assert_eq!(bench.errno(), libc::ERANGE);
    let text = bench.text("2.5e1kg");
    assert_eq!(f64::from_bits(bench.call("strtod", &[At(text), At(end)]) as u64), 25.0);
    assert_eq!(bench.world.memory.load_u64(end).unwrap(), text.plus(5).0);
    // The number ends before the bytes that nobody wrote.
    let partly = bench.buffer(8);
    bench.world.memory.write(partly, b"42 ").unwrap();
    assert_eq!(bench.int("atoi", &[At(partly)]), 42);
}
