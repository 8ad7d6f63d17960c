//! Calls of glibc's functions on `long double`, which Rust's calling conventions do not know.
//!
//! The x86-64 ABI passes an 80-bit value in 16 bytes on the stack and returns it in the x87
//! register `st(0)`. Values are the 80 bits of the format in the low part of a `u128`.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
compile_error!("the libc models call glibc's long double functions, which exist on x86-64 Linux only");

use std::arch::asm;
use std::ffi::{CStr, c_char};

/// A glibc function whose C type takes or returns a `long double`; never called through this type.
pub type Symbol = unsafe extern "C" fn();

unsafe extern "C" {
    #[link_name = "strtold"]
    fn glibc_strtold();
}

/// The bits of the value.
const MASK: u128 = (1 << 80) - 1;

/// What a function gets beside its `long double`s, in the order of the ABI's registers.
pub type Registers = [u64; 3];

/// `long double f(...)`.
///
/// # Safety
/// The function must return a `long double`, take at most three of them, and otherwise only the
/// integers and valid pointers that are given.
pub unsafe fn call(function: Symbol, registers: Registers, floats: [u128; 3]) -> u128 {
    let mut result = 0u128;
    // SAFETY: the stack is aligned on entry, 48 bytes keep it so, and the result is popped.
    unsafe {
        asm!(
            "sub rsp, 48",
            "movups xmm0, [r12]",
            "movups [rsp], xmm0",
            "movups xmm0, [r12 + 16]",
            "movups [rsp + 16], xmm0",
            "movups xmm0, [r12 + 32]",
            "movups [rsp + 32], xmm0",
            "call r13",
            "add rsp, 48",
            "fstp tbyte ptr [r14]",
            in("r12") &raw const floats,
            in("r13") function,
            in("r14") &raw mut result,
            inout("rdi") registers[0] => _,
            inout("rsi") registers[1] => _,
            inout("rdx") registers[2] => _,
            inout("rax") 0u64 => _,
            clobber_abi("C"),
        );
    }
    result & MASK
}

/// An integer function `long f(long double, ...)`, or a variadic one that is given one `long double`.
///
/// # Safety
/// As for [`call`], but the function must return an integer.
pub unsafe fn call_integer(function: Symbol, registers: Registers, floats: [u128; 3]) -> u64 {
    let result: u64;
    // SAFETY: as in `call`; the x87 stack is empty after the call.
    unsafe {
        asm!(
            "sub rsp, 48",
            "movups xmm0, [r12]",
            "movups [rsp], xmm0",
            "movups xmm0, [r12 + 16]",
            "movups [rsp + 16], xmm0",
            "movups xmm0, [r12 + 32]",
            "movups [rsp + 32], xmm0",
            "call r13",
            "add rsp, 48",
            in("r12") &raw const floats,
            in("r13") function,
            inout("rdi") registers[0] => _,
            inout("rsi") registers[1] => _,
            inout("rdx") registers[2] => _,
            inout("rax") 0u64 => result,
            clobber_abi("C"),
        );
    }
    result
}

/// `strtold` on a terminated text.
pub fn strtold(start: *const c_char, end: *mut *mut c_char) -> u128 {
    // SAFETY: this is strtold's type; the caller vouches for the pointers as for any strtod.
    unsafe { call(glibc_strtold, [start as u64, end as u64, 0], [0; 3]) }
}

/// `snprintf` of one `long double`; the format must have exactly one conversion, for it.
pub fn snprintf(format: &CStr, value: u128) -> Vec<u8> {
    // SAFETY: a function pointer of any type may be called through the assembly above.
    let function: Symbol = unsafe { std::mem::transmute(libc::snprintf as *const ()) };
    let mut buffer = vec![0u8; 64];
    loop {
        let registers = [buffer.as_mut_ptr() as u64, buffer.len() as u64, format.as_ptr() as u64];
        // SAFETY: the buffer has the stated length, and the format matches the argument.
        let length = unsafe { call_integer(function, registers, [value, 0, 0]) } as i32;
        let length = usize::try_from(length).unwrap_or_default();
        if length < buffer.len() {
            buffer.truncate(length);
            return buffer;
        }
        buffer.resize(length + 1, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn sqrtl();
        fn powl();
        fn lroundl();
    }

    fn parse(text: &CStr) -> u128 {
        let mut end = std::ptr::null_mut();
        strtold(text.as_ptr(), &raw mut end)
    }

    #[test]
    fn values_pass_both_ways() {
        assert_eq!(parse(c"1"), 0x3fff_8000_0000_0000_0000);
        assert_eq!(snprintf(c"%.20Lf", parse(c"0.1")), b"0.10000000000000000000");
        assert_eq!(snprintf(c"%.25Lf", parse(c"0.1")), b"0.1000000000000000000013553");
        assert_eq!(snprintf(c"%.200Lf", parse(c"1")).len(), 202);
    }

    #[test]
    fn functions_of_one_and_two_values() {
        // SAFETY: the types are those of math.h.
        unsafe {
            assert_eq!(call(sqrtl, [0; 3], [parse(c"2"), 0, 0]), parse(c"1.41421356237309504880168872420969807857"));
            assert_eq!(call(powl, [0; 3], [parse(c"2"), parse(c"-10"), 0]), parse(c"0x1p-10"));
            assert_eq!(call_integer(lroundl, [0; 3], [parse(c"-2.5"), 0, 0]) as i64, -3);
        }
    }
}
