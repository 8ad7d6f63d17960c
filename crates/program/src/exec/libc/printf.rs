//! The `printf` family: fetching arguments from a call or a `va_list`, and where the text goes.
//!
//! An argument whose value the conversion cannot show (a double for `%d`, a negative `int` for
//! `%lu`, too few arguments) is a violation that names the conversion. A mismatch of width alone is
//! let pass where the value comes out right on this machine: `%d` of a small `size_t`.

use super::descriptors::Written;
use super::format::Wanted;
use super::print::{self, Printed, Value};
use super::statics::{self, check_apart, check_room, errno, failure, misuse, set_errno, string};
use super::streams::{Standard, put, standard, stream};
use crate::exec::host::{ArgumentValue, Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, MemoryFault, ObjectKind};
use crate::exec::va_list::VaList;
use crate::{Float, Type};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("printf", |host, call| to_standard(host, call, 0, Source::after(call, 0))),
    ("__printf_chk", |host, call| to_standard(host, call, 1, Source::after(call, 1))),
    ("vprintf", |host, call| to_standard(host, call, 0, Source::list(call, 1))),
    ("__vprintf_chk", |host, call| to_standard(host, call, 1, Source::list(call, 2))),
    ("fprintf", |host, call| to_stream(host, call.pointer(0), call, 1, Source::after(call, 1))),
    ("__fprintf_chk", |host, call| to_stream(host, call.pointer(0), call, 2, Source::after(call, 2))),
    ("vfprintf", |host, call| to_stream(host, call.pointer(0), call, 1, Source::list(call, 2))),
    ("__vfprintf_chk", |host, call| to_stream(host, call.pointer(0), call, 2, Source::list(call, 3))),
    ("dprintf", |host, call| to_descriptor(host, call, Source::after(call, 1))),
    ("vdprintf", |host, call| to_descriptor(host, call, Source::list(call, 2))),
    ("sprintf", |host, call| to_buffer(host, call, u64::MAX, 1, Source::after(call, 1))),
    ("vsprintf", |host, call| to_buffer(host, call, u64::MAX, 1, Source::list(call, 2))),
    ("__sprintf_chk", |host, call| fortified(host, call, 2, 3, Source::after(call, 3))),
    ("__vsprintf_chk", |host, call| fortified(host, call, 2, 3, Source::list(call, 4))),
    ("snprintf", |host, call| to_buffer(host, call, call.int(1), 2, Source::after(call, 2))),
    ("vsnprintf", |host, call| to_buffer(host, call, call.int(1), 2, Source::list(call, 3))),
    ("__snprintf_chk", |host, call| {
        check_room("snprintf", call.int(1), call.int(3))?;
        to_buffer(host, call, call.int(1), 4, Source::after(call, 4))
    }),
    ("__vsnprintf_chk", |host, call| {
        check_room("vsnprintf", call.int(1), call.int(3))?;
        to_buffer(host, call, call.int(1), 4, Source::list(call, 5))
    }),
    ("asprintf", |host, call| to_heap(host, call, 1, Source::after(call, 1))),
    ("__asprintf_chk", |host, call| to_heap(host, call, 2, Source::after(call, 2))),
    ("vasprintf", |host, call| to_heap(host, call, 1, Source::list(call, 2))),
    ("__vasprintf_chk", |host, call| to_heap(host, call, 2, Source::list(call, 3))),
];

/// Where the arguments of a format come from.
pub enum Source<'a> {
    Call { call: &'a Arguments, next: usize },
    List(VaList),
}

impl<'a> Source<'a> {
    /// The arguments after the format, which is number `format`.
    pub fn after(call: &'a Arguments, format: usize) -> Self {
        Source::Call { call, next: format + 1 }
    }

    /// The `va_list` that is argument number `index`.
    pub fn list(call: &Arguments, index: usize) -> Self {
        Source::List(VaList::at(call.pointer(index)))
    }
}

/// A call of the family while it prints.
struct Caller<'h, 'w, 'a> {
    host: &'h mut Host<'w>,
    source: Source<'a>,
    /// The strings that were read, to see whether the result overwrites them.
    read: Vec<(Address, u64)>,
}

impl print::Arguments for Caller<'_, '_, '_> {
    type Error = Stop;

    fn next(&mut self, wanted: Wanted, conversion: &str) -> Result<Value, Stop> {
        match &mut self.source {
            Source::Call { call, next } => {
                let argument = call.values.get(*next);
                *next += 1;
                let argument = argument.ok_or_else(|| missing(conversion))?;
                checked(argument, wanted, conversion)
            }
            Source::List(list) => {
                let memory = &mut self.host.world.memory;
                let value = match wanted {
                    Wanted::Double => list.next_double(memory).map(Value::Double),
                    Wanted::LongDouble => list.next_x87(memory).map(Value::LongDouble),
                    _ => list.next_int(memory).map(Value::Integer),
                };
                value.map_err(|fault| list_fault(fault, conversion))
            }
        }
    }

    fn string(&mut self, address: u64, most: Option<u64>) -> Result<Vec<u8>, Stop> {
        let memory = self.host.memory();
        let text = match most {
            Some(most) => memory.c_string_bounded(Address(address), most)?,
            None => memory.c_string(Address(address))?,
        };
        self.read.push((Address(address), text.len() as u64));
        Ok(text.to_vec())
    }

    fn wide_string(&mut self, address: u64, most: Option<u64>) -> Result<Vec<u32>, Stop> {
        super::wide::read_wide(self.host, Address(address), most.unwrap_or(u64::MAX))
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        Ok(self.host.memory().write(Address(address), bytes)?)
    }

    fn error_text(&mut self) -> Result<Vec<u8>, Stop> {
        Ok(super::string::error_text(errno(self.host)?))
    }

    fn misuse(&mut self, message: String) -> Stop {
        misuse(message)
    }
}

fn missing(conversion: &str) -> Stop {
    misuse(format!("there is no argument for the conversion {conversion}"))
}

/// Past the last argument, the areas behind a list have nothing.
pub fn list_fault(fault: Box<MemoryFault>, conversion: &str) -> Stop {
    match fault.object.map(|object| object.kind) {
        Some(ObjectKind::VariableArguments(_)) => missing(conversion),
        _ => fault.into(),
    }
}

/// The argument's value, if the conversion shows it as it is.
fn checked(argument: &ArgumentValue, wanted: Wanted, conversion: &str) -> Result<Value, Stop> {
    let mismatch = |needs: &str| {
        let given = type_name(argument.ty);
        Err(misuse(format!("the conversion {conversion} needs {needs}, and its argument is {given}")))
    };
    let bits = argument.bits;
    match (wanted, argument.ty) {
        (Wanted::Double, Type::Float(Float::F64)) => Ok(Value::Double(f64::from_bits(bits as u64))),
        (Wanted::Double, _) => mismatch("a double"),
        (Wanted::LongDouble, Type::Float(Float::X87)) => Ok(Value::LongDouble(bits)),
        (Wanted::LongDouble, _) => mismatch("a long double"),
        (_, Type::Float(_)) => mismatch("an integer or a pointer"),
        (Wanted::Pointer, ty) if ty.bits() < 64 && bits != 0 => mismatch("a pointer"),
        (Wanted::Integer(8), ty) if ty.bits() < 64 && bits >> (ty.bits() - 1) != 0 => mismatch("a long"),
        (Wanted::Integer(bytes), ty) if bytes < 8 && ty.bits() > 32 && !fits_int(bits as u64) => mismatch("an int"),
        _ => Ok(Value::Integer(bits as u64)),
    }
}

/// As an `int` or as an `unsigned`.
fn fits_int(value: u64) -> bool {
    u32::try_from(value).is_ok() || i32::try_from(value as i64).is_ok()
}

fn type_name(ty: Type) -> String {
    match ty {
        Type::Float(Float::X87) => "a long double".to_owned(),
        Type::Float(_) => "a double".to_owned(),
        Type::Pointer => "a pointer".to_owned(),
        Type::Int(bits) => format!("an integer of {bits} bits"),
    }
}

/// Prints with a format that is given as bytes; also returns the strings that were read.
pub fn print_text(
    host: &mut Host<'_>,
    format: &[u8],
    source: Source<'_>,
) -> Result<(Printed, Vec<(Address, u64)>), Stop> {
    let mut caller = Caller { host, source, read: Vec::new() };
    let printed = print::print(format, &mut caller)?;
    Ok((printed, caller.read))
}

/// Prints with the format that is argument number `format`.
fn printed(host: &mut Host<'_>, call: &Arguments, format: usize, source: Source<'_>) -> Result<Printed, Stop> {
    let format = string(host, call.pointer(format))?;
    print_text(host, &format, source).map(|(printed, _)| printed)
}

/// The number of bytes, or -1 and `errno`.
pub fn result(host: &mut Host<'_>, printed: &Printed) -> Result<Returned, Stop> {
    match printed.error {
        Some(error) => failure(host, error),
        None => Ok(Returned::Bits(printed.text.len() as u64)),
    }
}

fn to_standard(host: &mut Host<'_>, call: &Arguments, format: usize, source: Source<'_>) -> Result<Returned, Stop> {
    let file = standard(host.world, Standard::Output)?;
    to_stream(host, file, call, format, source)
}

fn to_stream(
    host: &mut Host<'_>,
    file: Address,
    call: &Arguments,
    format: usize,
    source: Source<'_>,
) -> Result<Returned, Stop> {
    stream(host, file)?;
    let printed = printed(host, call, format, source)?;
    if !put(host, file, &printed.text)? {
        return Ok(Returned::signed(-1));
    }
    result(host, &printed)
}

fn to_descriptor(host: &mut Host<'_>, call: &Arguments, source: Source<'_>) -> Result<Returned, Stop> {
    let printed = printed(host, call, 1, source)?;
    match host.world.library.open.write(call.signed(0) as i32, &printed.text) {
        Ok(Written::Console(output)) => host.write(output, &printed.text)?,
        Ok(Written::Stored) => {}
        Err(error) => return failure(host, error),
    }
    result(host, &printed)
}

/// Writes at most `size` bytes with the terminator, and returns how long the whole text is.
fn to_buffer(
    host: &mut Host<'_>,
    call: &Arguments,
    size: u64,
    format: usize,
    source: Source<'_>,
) -> Result<Returned, Stop> {
    let format = string(host, call.pointer(format))?;
    let (printed, read) = print_text(host, &format, source)?;
    let Some(most) = size.checked_sub(1) else { return result(host, &printed) };
    let kept = (printed.text.len() as u64).min(most) as usize;
    host.memory().write_c_string(call.pointer(0), &printed.text[..kept])?;
    for text in read {
        check_apart("a printf function", (call.pointer(0), kept as u64 + 1), text)?;
    }
    result(host, &printed)
}

/// `sprintf` into an object whose size the compiler knew.
fn fortified(
    host: &mut Host<'_>,
    call: &Arguments,
    room: usize,
    format: usize,
    source: Source<'_>,
) -> Result<Returned, Stop> {
    let returned = to_buffer(host, call, u64::MAX, format, source)?;
    if let Returned::Bits(length @ 0..=0x7fff_ffff) = returned {
        check_room("sprintf", length + 1, call.int(room))?;
    }
    Ok(returned)
}

fn to_heap(host: &mut Host<'_>, call: &Arguments, format: usize, source: Source<'_>) -> Result<Returned, Stop> {
    let printed = printed(host, call, format, source)?;
    if printed.error.is_some() {
        return result(host, &printed);
    }
    let address = statics::heap_string(host, &printed.text)?;
    if address.is_null() {
        set_errno(host, libc::ENOMEM)?;
        return Ok(Returned::signed(-1));
    }
    host.memory().write_u64(call.pointer(0), address.0)?;
    result(host, &printed)
}
