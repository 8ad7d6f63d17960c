//! The `scanf` family: input from a stream or a string, and the pointers to store through.

use super::allocation::heap_bytes;
use super::printf::{Source, list_fault};
use super::scan::{self, Scan};
use super::statics::{misuse, set_errno, string};
use super::streams::{self, Standard, standard, stream};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("scanf", |host, call| from_standard(host, call, Source::after(call, 0))),
    ("__isoc99_scanf", |host, call| from_standard(host, call, Source::after(call, 0))),
    ("__isoc23_scanf", |host, call| from_standard(host, call, Source::after(call, 0))),
    ("vscanf", |host, call| from_standard(host, call, Source::list(call, 1))),
    ("__isoc99_vscanf", |host, call| from_standard(host, call, Source::list(call, 1))),
    ("__isoc23_vscanf", |host, call| from_standard(host, call, Source::list(call, 1))),
    ("fscanf", |host, call| from_stream(host, call, call.pointer(0), 1, Source::after(call, 1))),
    ("__isoc99_fscanf", |host, call| from_stream(host, call, call.pointer(0), 1, Source::after(call, 1))),
    ("__isoc23_fscanf", |host, call| from_stream(host, call, call.pointer(0), 1, Source::after(call, 1))),
    ("vfscanf", |host, call| from_stream(host, call, call.pointer(0), 1, Source::list(call, 2))),
    ("__isoc99_vfscanf", |host, call| from_stream(host, call, call.pointer(0), 1, Source::list(call, 2))),
    ("__isoc23_vfscanf", |host, call| from_stream(host, call, call.pointer(0), 1, Source::list(call, 2))),
    ("sscanf", |host, call| from_string(host, call, Source::after(call, 1))),
    ("__isoc99_sscanf", |host, call| from_string(host, call, Source::after(call, 1))),
    ("__isoc23_sscanf", |host, call| from_string(host, call, Source::after(call, 1))),
    ("vsscanf", |host, call| from_string(host, call, Source::list(call, 2))),
    ("__isoc99_vsscanf", |host, call| from_string(host, call, Source::list(call, 2))),
    ("__isoc23_vsscanf", |host, call| from_string(host, call, Source::list(call, 2))),
];

enum Input {
    Stream(Address),
    Text { text: Vec<u8>, at: usize },
}

/// A call of the family while it reads.
struct Reader<'h, 'w, 'a> {
    host: &'h mut Host<'w>,
    input: Input,
    source: Source<'a>,
}

impl Scan for Reader<'_, '_, '_> {
    type Error = Stop;

    fn get(&mut self) -> Result<Option<u8>, Stop> {
        match &mut self.input {
            Input::Stream(file) => streams::get(self.host, *file),
            Input::Text { text, at } => {
                let byte = text.get(*at).copied();
                *at += usize::from(byte.is_some());
                Ok(byte)
            }
        }
    }

    fn unget(&mut self, byte: u8) -> Result<(), Stop> {
        match &mut self.input {
            Input::Stream(file) => streams::unget(self.host, *file, byte),
            Input::Text { at, .. } => {
                *at -= 1;
                Ok(())
            }
        }
    }

    fn pointer(&mut self, position: Option<u32>, conversion: &str) -> Result<u64, Stop> {
        match (&mut self.source, position) {
            (Source::Call { call, next }, None) => {
                *next += 1;
                pointer_at(call, *next - 1, conversion)
            }
            // `next` does not move in a format with numbers.
            (Source::Call { call, next }, Some(position)) => {
                pointer_at(call, *next + position as usize - 1, conversion)
            }
            (Source::List(list), None) => {
                list.next_int(&mut self.host.world.memory).map_err(|fault| list_fault(fault, conversion))
            }
            (Source::List(_), Some(_)) => Err(Stop::Unsupported("numbered conversions in vscanf".to_owned())),
        }
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        Ok(self.host.memory().write(Address(address), bytes)?)
    }

    fn allocate(&mut self, bytes: &[u8]) -> Result<u64, Stop> {
        heap_bytes(self.host, bytes).map(|address| address.0)
    }

    fn misuse(&mut self, message: String) -> Stop {
        misuse(message)
    }
}

fn pointer_at(call: &Arguments, index: usize, conversion: &str) -> Result<u64, Stop> {
    match call.ty(index) {
        None => Err(misuse(format!("there is no argument for the conversion {conversion}"))),
        Some(ty) if ty.bits() < 64 || ty.is_float() => {
            Err(misuse(format!("the conversion {conversion} needs a pointer, and its argument is a {ty}")))
        }
        Some(_) => Ok(call.int(index)),
    }
}

fn run(host: &mut Host<'_>, format: Address, input: Input, source: Source<'_>) -> Result<Returned, Stop> {
    let format = string(host, format)?;
    let scanned = scan::scan(&format, &mut Reader { host, input, source })?;
    if let Some(error) = scanned.error {
        set_errno(host, error)?;
    }
    Ok(Returned::signed(i64::from(scanned.result)))
}

fn from_standard(host: &mut Host<'_>, call: &Arguments, source: Source<'_>) -> Result<Returned, Stop> {
    let file = standard(host.world, Standard::Input)?;
    run(host, call.pointer(0), Input::Stream(file), source)
}

fn from_stream(
    host: &mut Host<'_>,
    call: &Arguments,
    file: Address,
    format: usize,
    source: Source<'_>,
) -> Result<Returned, Stop> {
    stream(host, file)?;
    run(host, call.pointer(format), Input::Stream(file), source)
}

fn from_string(host: &mut Host<'_>, call: &Arguments, source: Source<'_>) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(0))?;
    run(host, call.pointer(1), Input::Text { text, at: 0 }, source)
}
