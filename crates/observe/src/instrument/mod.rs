//! The pass: a file of bitcode in, the same with hooks and a table of them out.
//!
//! It is C++, LLVM's own language, since what it needs (cloning functions, promoting variables, debug places) is not
//! in LLVM's C interface; `plan.h` says how its files belong together. Clang has written the input, so a message from
//! here is a bug of the pass or of LLVM.

use std::ffi::{CStr, CString, c_char};
use std::path::Path;

use crate::Error;

// The pass calls LLVM, which this crate links.
use llvm_sys as _;

unsafe extern "C" {
    fn faultline_instrument(input: *const c_char, output: *const c_char) -> *mut c_char;
}

/// Instruments `input` and writes `output`.
pub fn instrument(input: &Path, output: &Path) -> Result<(), Error> {
    let text = |path: &Path| {
        CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| Error::Usage("a file's name contains a zero byte".into()))
    };
    let (from, to) = (text(input)?, text(output)?);
    // SAFETY: both are strings that outlive the call; the message is ours to free.
    let message = unsafe {
        let message = faultline_instrument(from.as_ptr(), to.as_ptr());
        if message.is_null() {
            return Ok(());
        }
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        libc::free(message.cast());
        text
    };
    Err(Error::Instrument { path: input.to_path_buf(), message })
}
