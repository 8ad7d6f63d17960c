//! time.h: a clock that only the program's own steps and sleeps move, and the calendar.
//!
//! A run starts at [`EPOCH`]; a step takes [`NANOS_PER_STEP`]. The time zone is UTC. Dates are
//! computed by glibc's `timegm`, `gmtime_r` and `strftime`, which depend on nothing else.

use std::ffi::CString;

use super::statics::{self, SUCCESS, null_failure, set_errno, string};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;

/// 14 November 2023, 22:13:20 UTC: when every run starts.
pub const EPOCH: i64 = 1_700_000_000;

const NANOS_PER_STEP: u64 = 10;
/// A call of the clock takes this long, so that a loop that waits for it ends.
const NANOS_PER_CALL: u64 = 1_000;

const TM_SIZE: usize = std::mem::size_of::<libc::tm>();
/// Where `tm_zone`, a pointer, stands in it.
const ZONE_OFFSET: i64 = 48;

/// The numbers of a `struct tm` that `asctime` reads: all but the day of the year and summer time.
const AS_TEXT: &[usize] = &[0, 1, 2, 3, 4, 5, 6];
/// Those that `mktime` reads: it computes the days of the week and of the year.
const FOR_SECONDS: &[usize] = &[0, 1, 2, 3, 4, 5, 8];

pub(super) const MODELS: &[(&str, Model)] = &[
    ("time", time),
    ("clock", |host, _| Ok(Returned::Bits(tick(host) / 1000))),
    ("times", |host, _| Ok(Returned::Bits(tick(host) / 10_000_000))),
    ("gettimeofday", gettimeofday),
    ("clock_gettime", clock_gettime),
    ("clock_getres", |host, call| store_pair(host, call.pointer(1), 0, 1)),
    ("timespec_get", timespec_get),
    ("difftime", |_, call| Ok(Returned::double(call.signed(0) as f64 - call.signed(1) as f64))),
    ("mktime", mktime),
    ("timelocal", mktime),
    ("timegm", mktime),
    ("gmtime", |host, call| calendar(host, call, None, b"GMT")),
    ("gmtime_r", |host, call| calendar(host, call, Some(call.pointer(1)), b"GMT")),
    ("localtime", |host, call| calendar(host, call, None, b"UTC")),
    ("localtime_r", |host, call| calendar(host, call, Some(call.pointer(1)), b"UTC")),
    ("strftime", strftime),
    ("asctime", |host, call| {
        let date = load(host, call.pointer(0), AS_TEXT)?;
        as_text(host, None, date)
    }),
    ("asctime_r", |host, call| {
        let date = load(host, call.pointer(0), AS_TEXT)?;
        as_text(host, Some(call.pointer(1)), date)
    }),
    ("ctime", |host, call| ctime(host, call, None)),
    ("ctime_r", |host, call| ctime(host, call, Some(call.pointer(1)))),
    ("tzset", |_, _| Ok(Returned::Nothing)),
    ("sleep", |host, call| pause(host, call.int(0).saturating_mul(1_000_000_000))),
    ("usleep", |host, call| pause(host, call.int(0).saturating_mul(1_000))),
    ("nanosleep", |host, call| sleep_for(host, call.pointer(0))),
    ("clock_nanosleep", |host, call| sleep_for(host, call.pointer(2))),
    ("sched_yield", |_, _| Ok(SUCCESS)),
];

/// Nanoseconds that the process has run.
pub fn process_nanos(host: &mut Host<'_>) -> u64 {
    host.world.steps.wrapping_mul(NANOS_PER_STEP).wrapping_add(host.world.library.slept)
}

/// The clock, moved on by the call itself.
fn tick(host: &mut Host<'_>) -> u64 {
    host.world.library.slept = host.world.library.slept.wrapping_add(NANOS_PER_CALL);
    process_nanos(host)
}

fn pause(host: &mut Host<'_>, nanos: u64) -> Result<Returned, Stop> {
    host.world.library.slept = host.world.library.slept.wrapping_add(nanos);
    Ok(SUCCESS)
}

fn sleep_for(host: &mut Host<'_>, request: Address) -> Result<Returned, Stop> {
    let seconds = host.memory().load_u64(request)?;
    let nanos = host.memory().load_u64(request.plus(8))?;
    pause(host, seconds.wrapping_mul(1_000_000_000).wrapping_add(nanos))
}

fn time(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let now = EPOCH as u64 + tick(host) / 1_000_000_000;
    if call.int(0) != 0 {
        host.memory().write_u64(call.pointer(0), now)?;
    }
    Ok(Returned::Bits(now))
}

fn store_pair(host: &mut Host<'_>, address: Address, first: u64, second: u64) -> Result<Returned, Stop> {
    if !address.is_null() {
        host.memory().write_u64(address, first)?;
        host.memory().write_u64(address.plus(8), second)?;
    }
    Ok(SUCCESS)
}

fn gettimeofday(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let nanos = tick(host);
    store_pair(host, call.pointer(0), EPOCH as u64 + nanos / 1_000_000_000, nanos % 1_000_000_000 / 1000)
}

fn clock_gettime(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let nanos = tick(host);
    let real = call.signed(0) == i64::from(libc::CLOCK_REALTIME);
    let start = if real { EPOCH as u64 } else { 0 };
    store_pair(host, call.pointer(1), start + nanos / 1_000_000_000, nanos % 1_000_000_000)
}

fn timespec_get(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let nanos = tick(host);
    store_pair(host, call.pointer(0), EPOCH as u64 + nanos / 1_000_000_000, nanos % 1_000_000_000)?;
    Ok(Returned::Bits(call.int(1)))
}

/// A `struct tm` of the program; only these of its nine numbers must have been written. Its zone is
/// not looked at.
fn load(host: &mut Host<'_>, address: Address, needed: &[usize]) -> Result<libc::tm, Stop> {
    for &field in needed {
        host.memory().load_u32(address.plus(4 * field as i64))?;
    }
    let bytes = host.memory().read(address, 36)?;
    let field = |index: usize| i32::from_le_bytes(bytes[4 * index..][..4].try_into().expect("four bytes"));
    Ok(libc::tm {
        tm_sec: field(0),
        tm_min: field(1),
        tm_hour: field(2),
        tm_mday: field(3),
        tm_mon: field(4),
        tm_year: field(5),
        tm_wday: field(6),
        tm_yday: field(7),
        tm_isdst: field(8),
        tm_gmtoff: 0,
        tm_zone: std::ptr::null(),
    })
}

fn store(host: &mut Host<'_>, address: Address, date: &libc::tm, zone: &[u8]) -> Result<(), Stop> {
    let fields = [
        date.tm_sec,
        date.tm_min,
        date.tm_hour,
        date.tm_mday,
        date.tm_mon,
        date.tm_year,
        date.tm_wday,
        date.tm_yday,
        date.tm_isdst,
    ];
    for (index, field) in fields.into_iter().enumerate() {
        host.memory().write_u32(address.plus(4 * index as i64), field as u32)?;
    }
    host.memory().write_u64(address.plus(40), 0)?;
    let zone = statics::text(host, zone)?;
    Ok(host.memory().write_u64(address.plus(ZONE_OFFSET), zone.0)?)
}

fn broken_down(seconds: i64) -> Option<libc::tm> {
    // SAFETY: a tm of zeros is valid, and both pointers are to locals.
    unsafe {
        let mut date: libc::tm = std::mem::zeroed();
        (!libc::gmtime_r(&raw const seconds, &raw mut date).is_null()).then_some(date)
    }
}

/// Normalises the date in place.
fn mktime(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let mut date = load(host, call.pointer(0), FOR_SECONDS)?;
    date.tm_isdst = 0;
    // SAFETY: the pointer is to a local.
    let seconds = unsafe { libc::timegm(&raw mut date) };
    match broken_down(seconds) {
        Some(date) if seconds != -1 || date.tm_year == 69 => {
            store(host, call.pointer(0), &date, b"UTC")?;
            Ok(Returned::signed(seconds))
        }
        _ => {
            set_errno(host, libc::EOVERFLOW)?;
            Ok(Returned::signed(-1))
        }
    }
}

fn calendar(host: &mut Host<'_>, call: &Arguments, place: Option<Address>, zone: &[u8]) -> Result<Returned, Stop> {
    let seconds = host.memory().load_u64(call.pointer(0))? as i64;
    let Some(date) = broken_down(seconds) else { return null_failure(host, libc::EOVERFLOW) };
    let place = match place {
        Some(place) => place,
        None => statics::object(host, "broken-down time", || vec![0; TM_SIZE])?,
    };
    store(host, place, &date, zone)?;
    Ok(Returned::pointer(place))
}

fn strftime(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let format = string(host, call.pointer(2))?;
    let mut date = load(host, call.pointer(3), &needed_by(&format))?;
    let zone = zone_of(host, call.pointer(3))?;
    date.tm_zone = zone.as_ptr();
    let size = call.int(1).min(1 << 20) as usize;
    let mut buffer = vec![0u8; size.max(1)];
    let native = CString::new(with_seconds(&format, &date)).unwrap_or_default();
    // SAFETY: the buffer has the stated size, and all strings are terminated.
    let length = unsafe { libc::strftime(buffer.as_mut_ptr().cast(), size, native.as_ptr(), &raw const date) };
    if length > 0 || native.is_empty() && size > 0 {
        host.memory().write_c_string(call.pointer(0), &buffer[..length])?;
    }
    Ok(Returned::Bits(length as u64))
}

/// The numbers of a `struct tm` that the conversions of a format show.
fn needed_by(format: &[u8]) -> Vec<usize> {
    let mut letters = format.iter();
    let mut needed = Vec::new();
    while letters.by_ref().any(|&byte| byte == b'%') {
        // Flags, a width and the modifiers E and O come before the letter.
        let letter = letters.find(|byte| !matches!(byte, b'_' | b'-' | b'0'..=b'9' | b'^' | b'#' | b'+' | b'E' | b'O'));
        needed.extend_from_slice(match letter {
            Some(b'S') => &[0],
            Some(b'M') => &[1],
            Some(b'H' | b'I' | b'k' | b'l' | b'p' | b'P') => &[2],
            Some(b'R') => &[1, 2],
            Some(b'T' | b'X' | b'r') => &[0, 1, 2],
            Some(b'd' | b'e') => &[3],
            Some(b'm' | b'b' | b'B' | b'h') => &[4],
            Some(b'y' | b'Y' | b'C') => &[5],
            Some(b'D' | b'F' | b'x') => &[3, 4, 5],
            Some(b'a' | b'A' | b'u' | b'w') => &[6],
            Some(b'j') => &[7],
            Some(b'U' | b'W') => &[6, 7],
            Some(b'G' | b'g' | b'V') => &[5, 6, 7],
            Some(b'c') => AS_TEXT,
            Some(b's') => FOR_SECONDS,
            _ => &[],
        });
    }
    needed
}

/// The zone's name, if the program's `tm` has one that can be read.
fn zone_of(host: &mut Host<'_>, date: Address) -> Result<CString, Stop> {
    let memory = host.memory();
    let zone = memory.load_u64(date.plus(ZONE_OFFSET)).ok().filter(|&zone| zone != 0);
    let name = zone.and_then(|zone| memory.c_string(Address(zone)).ok()).unwrap_or(b"UTC");
    Ok(CString::new(name).unwrap_or_default())
}

/// `%s` depends on the machine's time zone, so it is filled in here.
fn with_seconds(format: &[u8], date: &libc::tm) -> Vec<u8> {
    let mut date = *date;
    let mut text = Vec::with_capacity(format.len());
    let mut bytes = format.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'%', Some(b's')) => {
                bytes.next();
                // SAFETY: the pointer is to a local.
                text.extend_from_slice(unsafe { libc::timegm(&raw mut date) }.to_string().as_bytes());
            }
            (b'%', Some(&next)) => {
                bytes.next();
                text.extend_from_slice(&[b'%', next]);
            }
            _ => text.push(byte),
        }
    }
    text
}

fn ctime(host: &mut Host<'_>, call: &Arguments, place: Option<Address>) -> Result<Returned, Stop> {
    let seconds = host.memory().load_u64(call.pointer(0))? as i64;
    match broken_down(seconds) {
        Some(date) => as_text(host, place, date),
        None => null_failure(host, libc::EOVERFLOW),
    }
}

/// `Wed Jun 30 21:49:08 1993` and a line feed.
fn as_text(host: &mut Host<'_>, place: Option<Address>, date: libc::tm) -> Result<Returned, Stop> {
    let mut buffer = [0u8; 128];
    // SAFETY: glibc writes at most 114 bytes for any date.
    if unsafe { libc_asctime_r(&raw const date, buffer.as_mut_ptr().cast()) }.is_null() {
        return null_failure(host, libc::EOVERFLOW);
    }
    let text = buffer.split(|&byte| byte == 0).next().unwrap_or_default();
    let place = match place {
        Some(place) => place,
        None => statics::object(host, "asctime", || vec![0; 128])?,
    };
    host.memory().write_c_string(place, text)?;
    Ok(Returned::pointer(place))
}

unsafe extern "C" {
    #[link_name = "asctime_r"]
    fn libc_asctime_r(date: *const libc::tm, buffer: *mut libc::c_char) -> *mut libc::c_char;
}
