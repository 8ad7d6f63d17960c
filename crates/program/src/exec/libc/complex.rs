//! Complex arithmetic: the functions that compilers call for it, and the simple ones of complex.h.
//!
//! A `double complex` is two doubles, as arguments and as a result; a `float complex` is one register
//! of 64 bits, except for the compiler's own functions, which take its parts. Multiplication and
//! division are libgcc's, which a native build on this system calls.

use super::glibc::function;
use crate::exec::host::{Arguments, Model, Returned, Stop};

/// As the ABI returns it: both parts in registers.
#[repr(C)]
struct Complex {
    real: f64,
    imaginary: f64,
}

/// As the ABI passes and returns it: in one register.
#[repr(C)]
struct FloatComplex {
    real: f32,
    imaginary: f32,
}

type OfTwoFloats = unsafe extern "C" fn(f32, f32, f32, f32) -> FloatComplex;
type FloatToReal = unsafe extern "C" fn(FloatComplex) -> f32;
type OfTwo = unsafe extern "C" fn(f64, f64, f64, f64) -> Complex;
type OfOne = unsafe extern "C" fn(f64, f64) -> Complex;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("__muldc3", |_, call| of_two(call, function!("__muldc3" => OfTwo)?)),
    ("__divdc3", |_, call| of_two(call, function!("__divdc3" => OfTwo)?)),
    ("__mulsc3", |_, call| of_two_floats(call, function!("__mulsc3" => OfTwoFloats)?)),
    ("__divsc3", |_, call| of_two_floats(call, function!("__divsc3" => OfTwoFloats)?)),
    ("cabsf", |_, call| float_to_real(call, function!("cabsf" => FloatToReal)?)),
    ("cargf", |_, call| float_to_real(call, function!("cargf" => FloatToReal)?)),
    ("cpow", |_, call| of_two(call, function!("cpow" => OfTwo)?)),
    ("csqrt", |_, call| of_one(call, function!("csqrt" => OfOne)?)),
    ("cexp", |_, call| of_one(call, function!("cexp" => OfOne)?)),
    ("clog", |_, call| of_one(call, function!("clog" => OfOne)?)),
    ("csin", |_, call| of_one(call, function!("csin" => OfOne)?)),
    ("ccos", |_, call| of_one(call, function!("ccos" => OfOne)?)),
    ("conj", |_, call| Ok(pair(Complex { real: call.double(0), imaginary: -call.double(1) }))),
    ("creal", |_, call| Ok(Returned::double(call.double(0)))),
    ("cimag", |_, call| Ok(Returned::double(call.double(1)))),
    ("cabs", |_, call| to_real(call, function!("cabs" => unsafe extern "C" fn(f64, f64) -> f64)?)),
    ("carg", |_, call| to_real(call, function!("carg" => unsafe extern "C" fn(f64, f64) -> f64)?)),
];

fn pair(value: Complex) -> Returned {
    Returned::Pair(value.real.to_bits(), value.imaginary.to_bits())
}

// SAFETY of the calls below: pure functions of complex.h with these C types.

fn of_two(call: &Arguments, function: OfTwo) -> Result<Returned, Stop> {
    Ok(pair(unsafe { function(call.double(0), call.double(1), call.double(2), call.double(3)) }))
}

fn of_two_floats(call: &Arguments, function: OfTwoFloats) -> Result<Returned, Stop> {
    let value = unsafe { function(call.float(0), call.float(1), call.float(2), call.float(3)) };
    Ok(Returned::Bits(u64::from(value.real.to_bits()) | u64::from(value.imaginary.to_bits()) << 32))
}

fn float_to_real(call: &Arguments, function: FloatToReal) -> Result<Returned, Stop> {
    let bits = call.int(0);
    let (real, imaginary) = (f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32));
    Ok(Returned::float(unsafe { function(FloatComplex { real, imaginary }) }))
}

fn of_one(call: &Arguments, function: OfOne) -> Result<Returned, Stop> {
    Ok(pair(unsafe { function(call.double(0), call.double(1)) }))
}

fn to_real(call: &Arguments, function: unsafe extern "C" fn(f64, f64) -> f64) -> Result<Returned, Stop> {
    Ok(Returned::double(unsafe { function(call.double(0), call.double(1)) }))
}
