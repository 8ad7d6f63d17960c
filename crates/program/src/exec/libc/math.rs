//! math.h, by calling glibc's own functions: results are those of a native run, bit by bit, and so is
//! what they do to `errno`.
//!
//! `long double` functions are called through `x87`. Not here: complex numbers and the
//! floating-point environment beyond its defaults.

use std::cmp::Ordering;
use std::ffi::CString;

use rustc_apfloat::ieee::{Double, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert};

use super::glibc::function;
use super::numbers::{clear_errno, errno};
use super::statics::{set_errno, string};
use super::x87::{self, Symbol};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::{Float, Type};

/// A C type of a parameter or result.
trait Native: Copy {
    fn argument(call: &Arguments, index: usize) -> Self;
    fn returned(self) -> Returned;
}

impl Native for f64 {
    fn argument(call: &Arguments, index: usize) -> Self {
        call.double(index)
    }
    fn returned(self) -> Returned {
        Returned::double(self)
    }
}

impl Native for f32 {
    fn argument(call: &Arguments, index: usize) -> Self {
        call.float(index)
    }
    fn returned(self) -> Returned {
        Returned::float(self)
    }
}

impl Native for i32 {
    fn argument(call: &Arguments, index: usize) -> Self {
        call.signed(index) as i32
    }
    fn returned(self) -> Returned {
        Returned::signed(i64::from(self))
    }
}

impl Native for i64 {
    fn argument(call: &Arguments, index: usize) -> Self {
        call.signed(index)
    }
    fn returned(self) -> Returned {
        Returned::signed(self)
    }
}

/// Calls glibc and hands its `errno` on.
fn native<T: Native>(host: &mut Host<'_>, function: impl FnOnce() -> T) -> Result<Returned, Stop> {
    clear_errno();
    let result = function();
    forward_errno(host)?;
    Ok(result.returned())
}

fn forward_errno(host: &mut Host<'_>) -> Result<(), Stop> {
    errno().map_or(Ok(()), |error| set_errno(host, error))
}

/// A table of functions of the same C type.
macro_rules! models {
    ($table:ident($a:ty) -> $result:ty: $($name:ident)*) => {
        pub(super) const $table: &[(&str, Model)] = &[$((stringify!($name), |host, call| {
            let function = function!(stringify!($name) => unsafe extern "C" fn($a) -> $result)?;
            // SAFETY: a pure function of math.h with this C type.
            native(host, || unsafe { function(<$a>::argument(call, 0)) })
        })),*];
    };
    ($table:ident($a:ty, $b:ty) -> $result:ty: $($name:ident)*) => {
        pub(super) const $table: &[(&str, Model)] = &[$((stringify!($name), |host, call| {
            let function = function!(stringify!($name) => unsafe extern "C" fn($a, $b) -> $result)?;
            // SAFETY: as above.
            native(host, || unsafe { function(<$a>::argument(call, 0), <$b>::argument(call, 1)) })
        })),*];
    };
}

models!(UNARY(f64) -> f64: acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1
    fabs floor gamma j0 j1 y0 y1 lgamma log log10 log1p log2 logb nearbyint rint round roundeven significand sin
    sinh sqrt tan tanh tgamma trunc);
models!(UNARY_FLOAT(f32) -> f32: acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp10f
    exp2f expm1f fabsf floorf lgammaf logf log10f log1pf log2f logbf nearbyintf rintf roundf roundevenf sinf sinhf
    sqrtf tanf tanhf tgammaf truncf);
models!(BINARY(f64, f64) -> f64: atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder scalb);
models!(BINARY_FLOAT(f32, f32) -> f32: atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf);
models!(SCALE(f64, i32) -> f64: ldexp scalbn);
models!(SCALE_FLOAT(f32, i32) -> f32: ldexpf scalbnf);
models!(SCALE_LONG(f64, i64) -> f64: scalbln);
models!(SCALE_LONG_FLOAT(f32, i64) -> f32: scalblnf);
models!(TO_INT(f64) -> i32: ilogb __isnan isnan __isinf isinf __finite finite __fpclassify __signbit);
models!(TO_INT_FLOAT(f32) -> i32: ilogbf __isnanf isnanf __isinff isinff __finitef finitef __fpclassifyf __signbitf);
models!(TO_LONG(f64) -> i64: lround llround lrint llrint);
models!(TO_LONG_FLOAT(f32) -> i64: lroundf llroundf lrintf llrintf);
models!(BESSEL(i32, f64) -> f64: jn yn);

/// A table of functions on `long double`.
macro_rules! long_models {
    ($table:ident -> $call:ident: $($name:ident)*) => {
        pub(super) const $table: &[(&str, Model)] =
            &[$((stringify!($name), |host, call| $call(host, function!(stringify!($name) => Symbol)?, call))),*];
    };
}

long_models!(LONG -> long_double: acosl acoshl asinl asinhl atanl atanhl cbrtl ceill cosl coshl erfl erfcl expl exp10l
    exp2l expm1l fabsl floorl lgammal logl log10l log1pl log2l logbl nearbyintl rintl roundl roundevenl sinl sinhl
    sqrtl tanl tanhl tgammal truncl atan2l copysignl fdiml fmaxl fminl fmodl hypotl nextafterl nexttowardl powl
    remainderl ldexpl scalbnl scalblnl fmal);
long_models!(LONG_TO_INT -> long_integer: ilogbl __isnanl isnanl __isinfl isinfl __finitel finitel __fpclassifyl
    __signbitl lroundl llroundl lrintl llrintl);

/// The arguments as the ABI passes them: `long double`s on the stack, integers in registers.
fn passed(call: &Arguments) -> (x87::Registers, [u128; 3]) {
    let (mut registers, mut floats) = ([0; 3], [0; 3]);
    let (mut register, mut float) = (registers.iter_mut(), floats.iter_mut());
    for (index, value) in call.values.iter().enumerate() {
        if value.ty == Type::Float(Float::X87) {
            float.next().into_iter().for_each(|place| *place = value.bits);
        } else {
            register.next().into_iter().for_each(|place| *place = call.signed(index) as u64);
        }
    }
    (registers, floats)
}

fn long_double(host: &mut Host<'_>, function: Symbol, call: &Arguments) -> Result<Returned, Stop> {
    let (registers, floats) = passed(call);
    clear_errno();
    // SAFETY: the function returns a long double and takes no pointers.
    let result = unsafe { x87::call(function, registers, floats) };
    forward_errno(host)?;
    Ok(Returned::Wide(result))
}

fn long_integer(host: &mut Host<'_>, function: Symbol, call: &Arguments) -> Result<Returned, Stop> {
    let (registers, floats) = passed(call);
    clear_errno();
    // SAFETY: the function returns an integer and takes no pointers.
    let result = unsafe { x87::call_integer(function, registers, floats) };
    forward_errno(host)?;
    Ok(Returned::Bits(result))
}

type WithDouble<T> = unsafe extern "C" fn(f64, *mut T) -> f64;
type WithFloat<T> = unsafe extern "C" fn(f32, *mut T) -> f32;

/// Functions with pointers, or with arguments of several kinds.
// SAFETY of all calls here: pointers are to locals, and the types are those of math.h.
pub(super) const MODELS: &[(&str, Model)] = &[
    ("fma", |host, call| {
        let function = function!("fma" => unsafe extern "C" fn(f64, f64, f64) -> f64)?;
        native(host, || unsafe { function(call.double(0), call.double(1), call.double(2)) })
    }),
    ("fmaf", |host, call| {
        let function = function!("fmaf" => unsafe extern "C" fn(f32, f32, f32) -> f32)?;
        native(host, || unsafe { function(call.float(0), call.float(1), call.float(2)) })
    }),
    ("frexp", |host, call| {
        let function = function!("frexp" => WithDouble<i32>)?;
        with_int(host, call, 1, |out| unsafe { function(call.double(0), out) }.returned())
    }),
    ("frexpf", |host, call| {
        let function = function!("frexpf" => WithFloat<i32>)?;
        with_int(host, call, 1, |out| unsafe { function(call.float(0), out) }.returned())
    }),
    ("frexpl", |host, call| {
        let function = function!("frexpl" => Symbol)?;
        let pass = |out| unsafe { x87::call(function, [out as u64, 0, 0], [call.bits(0), 0, 0]) };
        with_int(host, call, 1, |out| Returned::Wide(pass(out)))
    }),
    ("remquo", |host, call| {
        let function = function!("remquo" => unsafe extern "C" fn(f64, f64, *mut i32) -> f64)?;
        with_int(host, call, 2, |out| unsafe { function(call.double(0), call.double(1), out) }.returned())
    }),
    ("remquof", |host, call| {
        let function = function!("remquof" => unsafe extern "C" fn(f32, f32, *mut i32) -> f32)?;
        with_int(host, call, 2, |out| unsafe { function(call.float(0), call.float(1), out) }.returned())
    }),
    ("remquol", |host, call| {
        let function = function!("remquol" => Symbol)?;
        let pass = |out| unsafe { x87::call(function, [out as u64, 0, 0], [call.bits(0), call.bits(1), 0]) };
        with_int(host, call, 2, |out| Returned::Wide(pass(out)))
    }),
    ("lgamma_r", |host, call| {
        let function = function!("lgamma_r" => WithDouble<i32>)?;
        with_int(host, call, 1, |out| unsafe { function(call.double(0), out) }.returned())
    }),
    ("modf", |host, call| {
        let function = function!("modf" => WithDouble<f64>)?;
        let mut whole = 0.0;
        let fraction = unsafe { function(call.double(0), &raw mut whole) };
        host.memory().write(call.pointer(1), &whole.to_le_bytes())?;
        Ok(Returned::double(fraction))
    }),
    ("modff", |host, call| {
        let function = function!("modff" => WithFloat<f32>)?;
        let mut whole = 0.0;
        let fraction = unsafe { function(call.float(0), &raw mut whole) };
        host.memory().write(call.pointer(1), &whole.to_le_bytes())?;
        Ok(Returned::float(fraction))
    }),
    ("modfl", |host, call| {
        let function = function!("modfl" => Symbol)?;
        let mut whole = 0u128;
        let out = &raw mut whole as u64;
        let fraction = unsafe { x87::call(function, [out, 0, 0], [call.bits(0), 0, 0]) };
        host.memory().write(call.pointer(1), &whole.to_le_bytes()[..10])?;
        Ok(Returned::Wide(fraction))
    }),
    ("sincos", |host, call| {
        let function = function!("sincos" => unsafe extern "C" fn(f64, *mut f64, *mut f64))?;
        let (mut sine, mut cosine) = (0.0, 0.0);
        unsafe { function(call.double(0), &raw mut sine, &raw mut cosine) };
        host.memory().write(call.pointer(1), &f64::to_le_bytes(sine))?;
        host.memory().write(call.pointer(2), &f64::to_le_bytes(cosine))?;
        Ok(Returned::Nothing)
    }),
    ("sincosf", |host, call| {
        let function = function!("sincosf" => unsafe extern "C" fn(f32, *mut f32, *mut f32))?;
        let (mut sine, mut cosine) = (0.0, 0.0);
        unsafe { function(call.float(0), &raw mut sine, &raw mut cosine) };
        host.memory().write(call.pointer(1), &f32::to_le_bytes(sine))?;
        host.memory().write(call.pointer(2), &f32::to_le_bytes(cosine))?;
        Ok(Returned::Nothing)
    }),
    ("nan", |host, call| {
        let tag = tag(host, call)?;
        let function = function!("nan" => unsafe extern "C" fn(*const libc::c_char) -> f64)?;
        native(host, || unsafe { function(tag.as_ptr()) })
    }),
    ("nanf", |host, call| {
        let tag = tag(host, call)?;
        let function = function!("nanf" => unsafe extern "C" fn(*const libc::c_char) -> f32)?;
        native(host, || unsafe { function(tag.as_ptr()) })
    }),
    ("nexttoward", |host, call| {
        let Some(to) = direction(call.double(0), call.bits(1)) else { return Ok(Returned::double(call.double(0))) };
        let function = function!("nextafter" => unsafe extern "C" fn(f64, f64) -> f64)?;
        native(host, || unsafe { function(call.double(0), to) })
    }),
    ("nexttowardf", |host, call| {
        let from = call.float(0);
        let Some(to) = direction(f64::from(from), call.bits(1)) else { return Ok(Returned::float(from)) };
        let function = function!("nextafterf" => unsafe extern "C" fn(f32, f32) -> f32)?;
        native(host, || unsafe { function(from, to as f32) })
    }),
    ("fegetround", |_, _| Ok(Returned::Bits(0))),
    ("fesetround", |_, call| Ok(Returned::Bits(u64::from(call.int(0) != 0)))),
    ("feclearexcept", |_, _| Ok(Returned::Bits(0))),
];

fn with_int(
    host: &mut Host<'_>,
    call: &Arguments,
    pointer: usize,
    function: impl FnOnce(*mut i32) -> Returned,
) -> Result<Returned, Stop> {
    let mut out = 0i32;
    clear_errno();
    let result = function(&raw mut out);
    forward_errno(host)?;
    host.memory().write(call.pointer(pointer), &out.to_le_bytes())?;
    Ok(result)
}

/// An infinity (or NaN) on the side where the `long double` lies; `None` if it equals the value.
fn direction(from: f64, to: u128) -> Option<f64> {
    let mut inexact = false;
    let from: X87DoubleExtended = Double::from_bits(u128::from(from.to_bits())).convert(&mut inexact).value;
    match from.partial_cmp(&X87DoubleExtended::from_bits(to)) {
        Some(Ordering::Equal) => None,
        Some(Ordering::Less) => Some(f64::INFINITY),
        Some(Ordering::Greater) => Some(f64::NEG_INFINITY),
        None => Some(f64::NAN),
    }
}

fn tag(host: &mut Host<'_>, call: &Arguments) -> Result<CString, Stop> {
    Ok(CString::new(string(host, call.pointer(0))?).unwrap_or_default())
}
