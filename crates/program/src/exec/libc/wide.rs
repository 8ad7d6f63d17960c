//! wchar.h and wctype.h in the C locale, where a wide character is an ASCII byte or has no bytes.

use super::allocation::heap_bytes;
use super::ctype::{self, class};
use super::printf::{Source, print_text};
use super::statics::{SUCCESS, failure, set_errno, string};
use super::streams::{self, Standard, get, put, standard};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("wcslen", |host, call| Ok(Returned::Bits(host.memory().wide_string(call.pointer(0))?.len() as u64))),
    ("wcsnlen", |host, call| Ok(Returned::Bits(read_wide(host, call.pointer(0), call.int(1))?.len() as u64))),
    ("wcscpy", |host, call| copy(host, call, Address::NULL, u64::MAX)),
    ("wcsncpy", wcsncpy),
    ("wcscat", |host, call| copy(host, call, call.pointer(0), u64::MAX)),
    ("wcsncat", |host, call| copy(host, call, call.pointer(0), call.int(2))),
    ("wcscmp", |host, call| compare(host, call, u64::MAX)),
    ("wcscoll", |host, call| compare(host, call, u64::MAX)),
    ("wcsncmp", |host, call| compare(host, call, call.int(2))),
    ("wcschr", |host, call| find(host, call, |text, wanted| text.iter().position(|&unit| unit == wanted))),
    ("wcsrchr", |host, call| find(host, call, |text, wanted| text.iter().rposition(|&unit| unit == wanted))),
    ("wcsstr", wcsstr),
    ("wcsdup", wcsdup),
    ("wmemcpy", |host, call| move_units(host, call)),
    ("wmemmove", |host, call| move_units(host, call)),
    ("wmemset", wmemset),
    ("wmemcmp", wmemcmp),
    ("wcstol", |host, call| wide_integer(host, call, true)),
    ("wcstoul", |host, call| wide_integer(host, call, false)),
    ("mbstowcs", mbstowcs),
    ("wcstombs", wcstombs),
    ("mbtowc", |host, call| mbtowc(host, call, Returned::signed(-1))),
    ("mbrtowc", |host, call| mbtowc(host, call, Returned::signed(-1))),
    ("mblen", mblen),
    ("mbrlen", mblen),
    ("wctomb", wctomb),
    ("wcrtomb", wctomb),
    ("mbsinit", |_, _| Ok(Returned::Bits(1))),
    ("btowc", |_, call| Ok(ascii(call.signed(0)))),
    ("wctob", |_, call| Ok(ascii(call.signed(0)))),
    ("towlower", |_, call| Ok(convert(call, |byte| byte.to_ascii_lowercase()))),
    ("towupper", |_, call| Ok(convert(call, |byte| byte.to_ascii_uppercase()))),
    ("iswalnum", |_, call| Ok(is_in(call, class::ALNUM))),
    ("iswalpha", |_, call| Ok(is_in(call, class::ALPHA))),
    ("iswblank", |_, call| Ok(is_in(call, class::BLANK))),
    ("iswcntrl", |_, call| Ok(is_in(call, class::CNTRL))),
    ("iswdigit", |_, call| Ok(is_in(call, class::DIGIT))),
    ("iswgraph", |_, call| Ok(is_in(call, class::GRAPH))),
    ("iswlower", |_, call| Ok(is_in(call, class::LOWER))),
    ("iswprint", |_, call| Ok(is_in(call, class::PRINT))),
    ("iswpunct", |_, call| Ok(is_in(call, class::PUNCT))),
    ("iswspace", |_, call| Ok(is_in(call, class::SPACE))),
    ("iswupper", |_, call| Ok(is_in(call, class::UPPER))),
    ("iswxdigit", |_, call| Ok(is_in(call, class::XDIGIT))),
    ("putwchar", |host, call| {
        let file = standard(host.world, Standard::Output)?;
        put_wide(host, call, file)
    }),
    ("fputwc", |host, call| put_wide(host, call, call.pointer(1))),
    ("putwc", |host, call| put_wide(host, call, call.pointer(1))),
    ("fputws", fputws),
    ("getwchar", |host, _| {
        let file = standard(host.world, Standard::Input)?;
        get_wide(host, file)
    }),
    ("fgetwc", |host, call| get_wide(host, call.pointer(0))),
    ("getwc", |host, call| get_wide(host, call.pointer(0))),
    ("ungetwc", ungetwc),
    ("fwide", |_, call| Ok(Returned::signed(call.signed(1)))),
    ("wprintf", |host, call| {
        let file = standard(host.world, Standard::Output)?;
        print_wide(host, file, call, 0, Source::after(call, 0))
    }),
    ("vwprintf", |host, call| {
        let file = standard(host.world, Standard::Output)?;
        print_wide(host, file, call, 0, Source::list(call, 1))
    }),
    ("fwprintf", |host, call| print_wide(host, call.pointer(0), call, 1, Source::after(call, 1))),
    ("vfwprintf", |host, call| print_wide(host, call.pointer(0), call, 1, Source::list(call, 2))),
    ("swprintf", |host, call| print_to_buffer(host, call, Source::after(call, 2))),
    ("vswprintf", |host, call| print_to_buffer(host, call, Source::list(call, 3))),
];

/// C's `WEOF`.
const END: Returned = Returned::Bits(0xffff_ffff);

/// At most `most` characters of a wide string.
pub fn read_wide(host: &mut Host<'_>, address: Address, most: u64) -> Result<Vec<u32>, Stop> {
    if most == u64::MAX {
        return Ok(host.memory().wide_string(address)?);
    }
    let mut units = Vec::new();
    while (units.len() as u64) < most {
        match host.memory().load_u32(address.plus(4 * units.len() as i64))? {
            0 => break,
            unit => units.push(unit),
        }
    }
    Ok(units)
}

fn bytes_of(units: &[u32]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
}

fn write_terminated(host: &mut Host<'_>, address: Address, units: &[u32]) -> Result<(), Stop> {
    let mut bytes = bytes_of(units);
    bytes.extend_from_slice(&[0; 4]);
    Ok(host.memory().write(address, &bytes)?)
}

/// `wcscpy`, or `wcscat` if there is a string to append to.
fn copy(host: &mut Host<'_>, call: &Arguments, append_to: Address, most: u64) -> Result<Returned, Stop> {
    let units = read_wide(host, call.pointer(1), most)?;
    let before = if append_to.is_null() { 0 } else { host.memory().wide_string(append_to)?.len() };
    write_terminated(host, call.pointer(0).plus(4 * before as i64), &units)?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn wcsncpy(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let units = read_wide(host, call.pointer(1), call.int(2))?;
    host.memory().write(call.pointer(0), &bytes_of(&units))?;
    let written = units.len() as u64;
    host.memory().fill(call.pointer(0).plus(4 * written as i64), 0, (call.int(2) - written).saturating_mul(4))?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn compare(host: &mut Host<'_>, call: &Arguments, most: u64) -> Result<Returned, Stop> {
    for index in 0..most {
        let at = 4 * index as i64;
        let left = host.memory().load_u32(call.pointer(0).plus(at))? as i32;
        let right = host.memory().load_u32(call.pointer(1).plus(at))? as i32;
        if left != right || left == 0 {
            return Ok(Returned::signed(left.cmp(&right) as i64));
        }
    }
    Ok(SUCCESS)
}

fn find(
    host: &mut Host<'_>,
    call: &Arguments,
    search: impl Fn(&[u32], u32) -> Option<usize>,
) -> Result<Returned, Stop> {
    let mut text = host.memory().wide_string(call.pointer(0))?;
    text.push(0);
    let index = search(&text, call.int(1) as u32);
    Ok(Returned::pointer(index.map_or(Address::NULL, |index| call.pointer(0).plus(4 * index as i64))))
}

fn wcsstr(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let (text, wanted) = (host.memory().wide_string(call.pointer(0))?, host.memory().wide_string(call.pointer(1))?);
    let index = (0..=text.len()).find(|&at| text[at..].starts_with(&wanted));
    Ok(Returned::pointer(index.map_or(Address::NULL, |index| call.pointer(0).plus(4 * index as i64))))
}

fn wcsdup(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let mut units = host.memory().wide_string(call.pointer(0))?;
    units.push(0);
    heap_bytes(host, &bytes_of(&units)).map(Returned::pointer)
}

fn move_units(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.memory().copy(call.pointer(0), call.pointer(1), call.int(2).saturating_mul(4))?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn wmemset(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    for index in 0..call.int(2) {
        host.memory().write_u32(call.pointer(0).plus(4 * index as i64), call.int(1) as u32)?;
    }
    Ok(Returned::pointer(call.pointer(0)))
}

fn wmemcmp(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    for index in 0..call.int(2) {
        let at = 4 * index as i64;
        let left = host.memory().load_u32(call.pointer(0).plus(at))? as i32;
        let right = host.memory().load_u32(call.pointer(1).plus(at))? as i32;
        if left != right {
            return Ok(Returned::signed(left.cmp(&right) as i64));
        }
    }
    Ok(SUCCESS)
}

fn wide_integer(host: &mut Host<'_>, call: &Arguments, signed: bool) -> Result<Returned, Stop> {
    use super::numbers::{IntegerForm, parse_integer};
    let memory = host.memory();
    let at = |index: usize| {
        let unit = memory.load_u32(call.pointer(0).plus(4 * index as i64))?;
        Ok::<u8, Stop>(u8::try_from(unit).unwrap_or(b'?'))
    };
    let form = IntegerForm { base: call.int(2) as u32, signed, binary_prefix: false };
    if form.base == 1 || form.base > 36 {
        set_errno(host, libc::EINVAL)?;
        return Ok(SUCCESS);
    }
    let number = parse_integer(at, form)?;
    if call.int(1) != 0 {
        host.memory().write_u64(call.pointer(1), call.pointer(0).plus(4 * number.length as i64).0)?;
    }
    if number.overflow {
        set_errno(host, libc::ERANGE)?;
    }
    Ok(Returned::Bits(number.value))
}

/// Bytes to wide characters; a byte above ASCII is an error.
fn mbstowcs(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(1))?;
    let most = if call.int(0) == 0 { u64::MAX } else { call.int(2) };
    let taken = &text[..text.len().min(most as usize)];
    if !taken.is_ascii() {
        return failure(host, libc::EILSEQ);
    }
    if call.int(0) != 0 {
        let mut units: Vec<u32> = taken.iter().map(|&byte| u32::from(byte)).collect();
        units.extend((taken.len() as u64 != most).then_some(0));
        host.memory().write(call.pointer(0), &bytes_of(&units))?;
    }
    Ok(Returned::Bits(taken.len() as u64))
}

fn wcstombs(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let most = if call.int(0) == 0 { u64::MAX } else { call.int(2) };
    let units = read_wide(host, call.pointer(1), most)?;
    let Some(mut text) = narrow(&units) else { return failure(host, libc::EILSEQ) };
    let length = text.len() as u64;
    if call.int(0) != 0 {
        text.extend((length != most).then_some(0));
        host.memory().write(call.pointer(0), &text)?;
    }
    Ok(Returned::Bits(length))
}

fn narrow(units: &[u32]) -> Option<Vec<u8>> {
    units.iter().map(|&unit| u8::try_from(unit).ok().filter(u8::is_ascii)).collect()
}

/// One byte to one wide character; the number of bytes taken.
fn mbtowc(host: &mut Host<'_>, call: &Arguments, bad: Returned) -> Result<Returned, Stop> {
    if call.int(1) == 0 {
        return Ok(SUCCESS);
    }
    if call.int(2) == 0 {
        return Ok(bad);
    }
    let byte = host.memory().load_u8(call.pointer(1))?;
    if !byte.is_ascii() {
        set_errno(host, libc::EILSEQ)?;
        return Ok(bad);
    }
    if call.int(0) != 0 {
        host.memory().write_u32(call.pointer(0), u32::from(byte))?;
    }
    Ok(Returned::Bits(u64::from(byte != 0)))
}

fn mblen(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if call.int(0) == 0 {
        return Ok(SUCCESS);
    }
    if call.int(1) == 0 {
        return Ok(Returned::signed(-1));
    }
    match host.memory().load_u8(call.pointer(0))? {
        byte if byte.is_ascii() => Ok(Returned::Bits(u64::from(byte != 0))),
        _ => failure(host, libc::EILSEQ),
    }
}

fn wctomb(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    if call.int(0) == 0 {
        return Ok(SUCCESS);
    }
    match narrow(&[call.int(1) as u32]) {
        Some(text) => {
            host.memory().write(call.pointer(0), &text)?;
            Ok(Returned::Bits(1))
        }
        None => failure(host, libc::EILSEQ),
    }
}

fn ascii(character: i64) -> Returned {
    if (0..128).contains(&character) { Returned::signed(character) } else { Returned::signed(-1) }
}

fn ascii_argument(call: &Arguments) -> Option<u8> {
    u8::try_from(call.int(0)).ok().filter(u8::is_ascii)
}

fn convert(call: &Arguments, change: impl Fn(u8) -> u8) -> Returned {
    ascii_argument(call).map_or(Returned::Bits(call.int(0)), |byte| Returned::Bits(u64::from(change(byte))))
}

/// glibc returns the class's bit of the wide table: it is not the bit of the narrow one.
fn is_in(call: &Arguments, bit: u16) -> Returned {
    Returned::Bits(u64::from(ascii_argument(call).is_some_and(|byte| ctype::classes(byte) & bit != 0)))
}

fn put_wide(host: &mut Host<'_>, call: &Arguments, file: Address) -> Result<Returned, Stop> {
    match narrow(&[call.int(0) as u32]) {
        Some(text) => {
            let taken = put(host, file, &text)?;
            Ok(if taken { Returned::Bits(call.int(0)) } else { END })
        }
        None => {
            set_errno(host, libc::EILSEQ)?;
            Ok(END)
        }
    }
}

fn fputws(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let units = host.memory().wide_string(call.pointer(0))?;
    match narrow(&units) {
        Some(text) => {
            let taken = put(host, call.pointer(1), &text)?;
            Ok(Returned::signed(if taken { 1 } else { -1 }))
        }
        None => failure(host, libc::EILSEQ),
    }
}

fn get_wide(host: &mut Host<'_>, file: Address) -> Result<Returned, Stop> {
    match get(host, file)? {
        Some(byte) if byte.is_ascii() => Ok(Returned::Bits(u64::from(byte))),
        Some(_) => {
            set_errno(host, libc::EILSEQ)?;
            Ok(END)
        }
        None => Ok(END),
    }
}

fn ungetwc(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let Some(byte) = ascii_argument(call) else { return Ok(END) };
    streams::unget(host, call.pointer(1), byte)?;
    Ok(Returned::Bits(u64::from(byte)))
}

fn format(host: &mut Host<'_>, address: Address) -> Result<Vec<u8>, Stop> {
    let units = host.memory().wide_string(address)?;
    narrow(&units).ok_or_else(|| Stop::Unsupported("a wide format with characters beyond ASCII".to_owned()))
}

fn print_wide(
    host: &mut Host<'_>,
    file: Address,
    call: &Arguments,
    index: usize,
    source: Source<'_>,
) -> Result<Returned, Stop> {
    let format = format(host, call.pointer(index))?;
    let (printed, _) = print_text(host, &format, source)?;
    if !put(host, file, &printed.text)? {
        return Ok(Returned::signed(-1));
    }
    super::printf::result(host, &printed)
}

/// Unlike `snprintf`, a text that does not fit is an error.
fn print_to_buffer(host: &mut Host<'_>, call: &Arguments, source: Source<'_>) -> Result<Returned, Stop> {
    let format = format(host, call.pointer(2))?;
    let (printed, _) = print_text(host, &format, source)?;
    let units: Vec<u32> = printed.text.iter().map(|&byte| u32::from(byte)).collect();
    let Some(most) = call.int(1).checked_sub(1) else { return Ok(Returned::signed(-1)) };
    let kept = units.len().min(most as usize);
    write_terminated(host, call.pointer(0), &units[..kept])?;
    if kept < units.len() {
        return Ok(Returned::signed(-1));
    }
    super::printf::result(host, &printed)
}
