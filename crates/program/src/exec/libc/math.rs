//! math.h, by calling glibc's own functions: results are those of a native run, bit by bit, and so is
//! what they do to `errno`.
//!
//! `long double` functions are called through `x87`. Not here: complex numbers and the
//! floating-point environment beyond its defaults.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert};

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
        pub(super) const $table: &[(&str, Model)] = {
            unsafe extern "C" { $(fn $name(a: $a) -> $result;)* }
            // SAFETY: a pure function of math.h with this C type.
            &[$((stringify!($name), |host, call| native(host, || unsafe { $name(<$a>::argument(call, 0)) }))),*]
        };
    };
    ($table:ident($a:ty, $b:ty) -> $result:ty: $($name:ident)*) => {
        pub(super) const $table: &[(&str, Model)] = {
            unsafe extern "C" { $(fn $name(a: $a, b: $b) -> $result;)* }
            // SAFETY: as above.
            &[$((stringify!($name), |host, call| {
                native(host, || unsafe { $name(<$a>::argument(call, 0), <$b>::argument(call, 1)) })
            })),*]
        };
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

/// Functions on `long double` that return one.
macro_rules! long_models {
    ($table:ident -> $call:ident: $($name:ident)*) => {
        pub(super) const $table: &[(&str, Model)] = {
            unsafe extern "C" { $(fn $name();)* }
            &[$((stringify!($name), |host, call| $call(host, $name, call))),*]
        };
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

unsafe extern "C" {
    fn fma(a: f64, b: f64, c: f64) -> f64;
    fn fmaf(a: f32, b: f32, c: f32) -> f32;
    fn frexp(value: f64, exponent: *mut i32) -> f64;
    fn frexpf(value: f32, exponent: *mut i32) -> f32;
    fn frexpl();
    fn modf(value: f64, whole: *mut f64) -> f64;
    fn modff(value: f32, whole: *mut f32) -> f32;
    fn modfl();
    fn remquo(a: f64, b: f64, quotient: *mut i32) -> f64;
    fn remquof(a: f32, b: f32, quotient: *mut i32) -> f32;
    fn remquol();
    fn lgamma_r(value: f64, sign: *mut i32) -> f64;
    fn nan(tag: *const libc::c_char) -> f64;
    fn sin(value: f64) -> f64;
    fn cos(value: f64) -> f64;
    fn sinf(value: f32) -> f32;
    fn cosf(value: f32) -> f32;
    fn nextafter(from: f64, to: f64) -> f64;
    fn nextafterf(from: f32, to: f32) -> f32;
}

/// Functions with pointers, or with arguments of several kinds.
// SAFETY of all calls here: pointers are to locals, and the types are those of math.h.
pub(super) const MODELS: &[(&str, Model)] = &[
    ("fma", |host, call| native(host, || unsafe { fma(call.double(0), call.double(1), call.double(2)) })),
    ("fmaf", |host, call| native(host, || unsafe { fmaf(call.float(0), call.float(1), call.float(2)) })),
    ("frexp", |host, call| with_int(host, call, 1, |out| unsafe { frexp(call.double(0), out) }.returned())),
    ("frexpf", |host, call| with_int(host, call, 1, |out| unsafe { frexpf(call.float(0), out) }.returned())),
    ("frexpl", |host, call| {
        with_int(host, call, 1, |out| Returned::Wide(unsafe { x87::call(frexpl, [out as u64, 0, 0], [call.bits(0), 0, 0]) }))
    }),
    ("remquo", |host, call| {
        with_int(host, call, 2, |out| unsafe { remquo(call.double(0), call.double(1), out) }.returned())
    }),
    ("remquof", |host, call| {
        with_int(host, call, 2, |out| unsafe { remquof(call.float(0), call.float(1), out) }.returned())
    }),
    ("remquol", |host, call| {
        with_int(host, call, 2, |out| {
            Returned::Wide(unsafe { x87::call(remquol, [out as u64, 0, 0], [call.bits(0), call.bits(1), 0]) })
        })
    }),
    ("lgamma_r", |host, call| with_int(host, call, 1, |out| unsafe { lgamma_r(call.double(0), out) }.returned())),
    ("modf", |host, call| {
        let mut whole = 0.0;
        let fraction = unsafe { modf(call.double(0), &raw mut whole) };
        host.memory().write(call.pointer(1), &whole.to_le_bytes())?;
        Ok(Returned::double(fraction))
    }),
    ("modff", |host, call| {
        let mut whole = 0.0;
        let fraction = unsafe { modff(call.float(0), &raw mut whole) };
        host.memory().write(call.pointer(1), &whole.to_le_bytes())?;
        Ok(Returned::float(fraction))
    }),
    ("modfl", |host, call| {
        let mut whole = 0u128;
        let out = &raw mut whole as u64;
        let fraction = unsafe { x87::call(modfl, [out, 0, 0], [call.bits(0), 0, 0]) };
        host.memory().write(call.pointer(1), &whole.to_le_bytes()[..10])?;
        Ok(Returned::Wide(fraction))
    }),
    ("sincos", |host, call| {
        let angle = call.double(0);
        host.memory().write(call.pointer(1), &unsafe { sin(angle) }.to_le_bytes())?;
        host.memory().write(call.pointer(2), &unsafe { cos(angle) }.to_le_bytes())?;
        Ok(Returned::Nothing)
    }),
    ("sincosf", |host, call| {
        let angle = call.float(0);
        host.memory().write(call.pointer(1), &unsafe { sinf(angle) }.to_le_bytes())?;
        host.memory().write(call.pointer(2), &unsafe { cosf(angle) }.to_le_bytes())?;
        Ok(Returned::Nothing)
    }),
    ("nan", |host, call| Ok(Returned::double(tagged_nan(host, call)?))),
    ("nanf", |host, call| Ok(Returned::float(tagged_nan(host, call)? as f32))),
    ("nexttoward", |host, call| match direction(call.double(0), call.bits(1)) {
        Some(to) => native(host, || unsafe { nextafter(call.double(0), to) }),
        None => Ok(Returned::double(call.double(0))),
    }),
    ("nexttowardf", |host, call| match direction(f64::from(call.float(0)), call.bits(1)) {
        Some(to) => native(host, || unsafe { nextafterf(call.float(0), to as f32) }),
        None => Ok(Returned::float(call.float(0))),
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

fn tagged_nan(host: &mut Host<'_>, call: &Arguments) -> Result<f64, Stop> {
    let tag = std::ffi::CString::new(string(host, call.pointer(0))?).unwrap_or_default();
    // SAFETY: the tag is a terminated string.
    Ok(unsafe { nan(tag.as_ptr()) })
}
