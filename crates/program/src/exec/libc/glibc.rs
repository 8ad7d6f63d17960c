//! Functions of the real C library, found by name in the running process.
//!
//! Linking against them does not do: Rust's own runtime brings functions under the same names
//! (`sqrt`, `cbrt`, `fma`, …) whose results or whose `errno` differ from glibc's.

use std::ffi::CStr;

use super::x87::Symbol;
use crate::exec::host::Stop;

/// The function of glibc's libm, or of the compiler's own library.
pub fn symbol(name: &CStr) -> Option<Symbol> {
    [c"libm.so.6", c"libgcc_s.so.1"].into_iter().find_map(|library| symbol_of(library, name))
}

fn symbol_of(library: &CStr, name: &CStr) -> Option<Symbol> {
    // SAFETY: loading these libraries runs nothing of ours, and the address of a function may be kept
    // under any function type until it is called.
    unsafe {
        let library = libc::dlopen(library.as_ptr(), libc::RTLD_NOW);
        if library.is_null() {
            return None;
        }
        let address = libc::dlsym(library, name.as_ptr());
        (!address.is_null()).then(|| std::mem::transmute::<*mut libc::c_void, Symbol>(address))
    }
}

/// Why a model cannot run on this machine.
pub fn missing(name: &str) -> Stop {
    Stop::Unsupported(format!("{name}: this machine's C library does not have it"))
}

/// The function of this name, as a pointer of this type. Looked up once.
macro_rules! function {
    ($name:expr => $ty:ty) => {{
        static FUNCTION: std::sync::LazyLock<Option<$ty>> = std::sync::LazyLock::new(|| {
            let name = std::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()).ok()?;
            // SAFETY: the type is the one that math.h declares for this name.
            #[allow(clippy::useless_transmute)]
            $crate::exec::libc::glibc::symbol(name)
                .map(|symbol| unsafe { std::mem::transmute::<$crate::exec::libc::x87::Symbol, $ty>(symbol) })
        });
        FUNCTION.ok_or_else(|| $crate::exec::libc::glibc::missing($name))
    }};
}

pub(super) use function;
