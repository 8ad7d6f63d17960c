//! math.h: values pass unchanged in all three formats, and errors are told.

use proptest::prelude::*;

use super::Bench;
use super::Given::{At, Double, Float, Int, LongDouble};
use crate::exec::host::Returned;

/// The bits of 2.0 and of the square root of 2 as `long double`s.
const TWO: u128 = 0x4000_8000_0000_0000_0000;
const ROOT_OF_TWO: u128 = 0x3fff_b504_f333_f9de_6484;

fn double(bench: &mut Bench, name: &str, given: &[super::Given]) -> f64 {
    f64::from_bits(bench.call(name, given) as u64)
}

proptest! {
    #[test]
    fn doubles_as_rusts(x in -100.0..100.0f64, y in -10.0..10.0f64) {
        let mut bench = Bench::new();
        prop_assert_eq!(double(&mut bench, "sin", &[Double(x)]), x.sin());
        prop_assert_eq!(double(&mut bench, "pow", &[Double(x.abs()), Double(y)]), x.abs().powf(y));
        prop_assert_eq!(double(&mut bench, "floor", &[Double(x)]), x.floor());
        prop_assert_eq!(double(&mut bench, "fmod", &[Double(x), Double(y)]), x % y);
        prop_assert_eq!(double(&mut bench, "fma", &[Double(x), Double(y), Double(1.0)]), x.mul_add(y, 1.0));
        let root = bench.call("sqrtf", &[Float(x.abs() as f32)]);
        prop_assert_eq!(f32::from_bits(root as u32), (x.abs() as f32).sqrt());
        prop_assert_eq!(bench.call("lround", &[Double(x)]), x.round() as i64);
    }
}

#[test]
fn long_doubles_keep_all_their_bits() {
    let mut bench = Bench::new();
    assert_eq!(bench.returned("sqrtl", &[LongDouble(TWO)]), Returned::Wide(ROOT_OF_TWO));
    assert_eq!(bench.returned("fmaxl", &[LongDouble(TWO), LongDouble(ROOT_OF_TWO)]), Returned::Wide(TWO));
    assert_eq!(bench.returned("ldexpl", &[LongDouble(TWO), Int(3)]), Returned::Wide(TWO + (3 << 64)));
    assert_eq!(bench.call("lroundl", &[LongDouble(ROOT_OF_TWO)]), 1);
    let exponent = bench.buffer(4);
    assert_eq!(bench.returned("frexpl", &[LongDouble(TWO), At(exponent)]), Returned::Wide(0x3ffe_8000_0000_0000_0000));
    assert_eq!(bench.world.memory.load_u32(exponent).unwrap(), 2);
    assert_eq!(bench.int("__isnanl", &[LongDouble(TWO)]), 0);
}

#[test]
fn parts_and_neighbours() {
    let mut bench = Bench::new();
    let place = bench.buffer(8);
    assert_eq!(double(&mut bench, "modf", &[Double(-2.75), At(place)]), -0.75);
    assert_eq!(f64::from_bits(bench.world.memory.load_u64(place).unwrap()), -2.0);
    assert_eq!(double(&mut bench, "frexp", &[Double(12.0), At(place)]), 0.75);
    assert_eq!(bench.world.memory.load_u32(place).unwrap(), 4);
    let next = double(&mut bench, "nexttoward", &[Double(1.0), LongDouble(TWO)]);
    assert_eq!(next, 1.0 + f64::EPSILON);
    assert_eq!(double(&mut bench, "nexttoward", &[Double(2.0), LongDouble(TWO)]), 2.0);
}

#[test]
fn complex_numbers_are_pairs() {
    let mut bench = Bench::new();
    let product = bench.returned("__muldc3", &[Double(1.0), Double(2.0), Double(3.0), Double(4.0)]);
    assert_eq!(product, Returned::Pair((-5.0f64).to_bits(), 10.0f64.to_bits()));
    assert_eq!(double(&mut bench, "cabs", &[Double(3.0), Double(4.0)]), 5.0);
}

#[test]
fn errors_are_told() {
    let mut bench = Bench::new();
    assert!(double(&mut bench, "sqrt", &[Double(-1.0)]).is_nan());
    assert_eq!(bench.errno(), libc::EDOM);
    assert_eq!(double(&mut bench, "exp", &[Double(1000.0)]), f64::INFINITY);
    assert_eq!(bench.errno(), libc::ERANGE);
}

#[test]
fn every_function_is_in_this_machines_library() {
    let tables = [
        super::super::math::UNARY,
        super::super::math::UNARY_FLOAT,
        super::super::math::BINARY,
        super::super::math::BINARY_FLOAT,
        super::super::math::SCALE,
        super::super::math::SCALE_FLOAT,
        super::super::math::SCALE_LONG,
        super::super::math::SCALE_LONG_FLOAT,
        super::super::math::TO_INT,
        super::super::math::TO_INT_FLOAT,
        super::super::math::TO_LONG,
        super::super::math::TO_LONG_FLOAT,
        super::super::math::LONG,
        super::super::math::LONG_TO_INT,
        super::super::math::BESSEL,
    ];
    let mut bench = Bench::new();
    for (name, _) in tables.iter().flat_map(|table| table.iter()) {
        let result = bench.try_call(name, &[]);
        assert!(result.is_ok(), "{name}: {result:?}");
    }
}
