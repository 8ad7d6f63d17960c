//! Where in the source an instruction of a program is.
//!
//! LLVM reads the debug information, which this crate links already: what crashes need not have a symbolizer beside it. Input: a
//! program or shared library, and an address in it as the linker gave it; output: the place of the innermost function, if it
//! is known.

use std::ffi::{CStr, CString, c_char};
use std::path::Path;

use object::{Object, ObjectKind};

unsafe extern "C" {
    fn faultline_symbolize(module: *const c_char, address: u64, line: *mut u32, column: *mut u32) -> *mut c_char;
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// The place of an address in memory, where the module was loaded at `base`.
pub fn place_of(module: &Path, base: u64, address: u64) -> Option<SourcePlace> {
    let bytes = std::fs::read(module).ok()?;
    let is_fixed = object::File::parse(&*bytes).ok()?.kind() == ObjectKind::Executable;
    let address = if is_fixed { address } else { address.checked_sub(base)? };
    let module = CString::new(module.as_os_str().as_encoded_bytes()).ok()?;
    let (mut line, mut column) = (0, 0);
    // SAFETY: the string and both numbers outlive the call; the answer is ours to free.
    let file = unsafe {
        let file = faultline_symbolize(module.as_ptr(), address, &mut line, &mut column);
        if file.is_null() {
            return None;
        }
        let text = CStr::from_ptr(file).to_string_lossy().into_owned();
        libc::free(file.cast());
        text
    };
    Some(SourcePlace { file, line, column })
}
