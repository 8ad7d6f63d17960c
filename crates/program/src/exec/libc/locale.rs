//! locale.h: there is the C locale and no other.

use super::statics::{self, string};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("setlocale", setlocale),
    ("localeconv", localeconv),
    ("newlocale", |host, _| statics::object(host, "locale", || vec![0; 8]).map(Returned::pointer)),
    ("uselocale", |host, _| statics::object(host, "locale", || vec![0; 8]).map(Returned::pointer)),
    ("freelocale", |_, _| Ok(Returned::Nothing)),
    ("nl_langinfo", nl_langinfo),
    ("gettext", |_, call| Ok(Returned::pointer(call.pointer(0)))),
    ("dgettext", |_, call| Ok(Returned::pointer(call.pointer(1)))),
    ("dcgettext", |_, call| Ok(Returned::pointer(call.pointer(1)))),
    ("textdomain", |_, call| Ok(Returned::pointer(call.pointer(0)))),
    ("bindtextdomain", |_, call| Ok(Returned::pointer(call.pointer(1)))),
];

/// Asking for the current locale, `""`, `"C"` and `"POSIX"` succeed.
fn setlocale(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let known = call.int(1) == 0 || matches!(string(host, call.pointer(1))?.as_slice(), b"" | b"C" | b"POSIX");
    if !known {
        return Ok(Returned::pointer(Address::NULL));
    }
    statics::text(host, b"C").map(Returned::pointer)
}

/// `struct lconv`: ten strings, fourteen numbers that are not available (`CHAR_MAX`).
fn localeconv(host: &mut Host<'_>, _: &Arguments) -> Result<Returned, Stop> {
    let point = statics::text(host, b".")?;
    let empty = statics::text(host, b"")?;
    let contents = || {
        let strings = std::iter::once(point).chain(std::iter::repeat_n(empty, 9));
        let mut bytes: Vec<u8> = strings.flat_map(|address| address.0.to_le_bytes()).collect();
        bytes.extend_from_slice(&[127; 14]);
        bytes.extend_from_slice(&[0; 2]);
        bytes
    };
    statics::object(host, "lconv", contents).map(Returned::pointer)
}

fn nl_langinfo(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    // SAFETY: glibc returns a terminated text of the C locale for every number.
    let text = unsafe { std::ffi::CStr::from_ptr(libc::nl_langinfo(call.signed(0) as libc::nl_item)) };
    statics::text(host, text.to_bytes()).map(Returned::pointer)
}
