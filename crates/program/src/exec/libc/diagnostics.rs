//! err.h and error.h: messages on standard error with the program's name in front.

use super::printf::{Source, print_text};
use super::process::run_handlers;
use super::statics::{errno, string};
use super::streams::{Standard, put, standard};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("warn", |host, call| {
        let error = errno(host)?;
        message(host, call, 0, Source::after(call, 0), Some(error))
    }),
    ("warnx", |host, call| message(host, call, 0, Source::after(call, 0), None)),
    ("vwarn", |host, call| {
        let error = errno(host)?;
        message(host, call, 0, Source::list(call, 1), Some(error))
    }),
    ("vwarnx", |host, call| message(host, call, 0, Source::list(call, 1), None)),
    ("err", |host, call| {
        let error = errno(host)?;
        message(host, call, 1, Source::after(call, 1), Some(error))?;
        end(host, call)
    }),
    ("errx", |host, call| {
        message(host, call, 1, Source::after(call, 1), None)?;
        end(host, call)
    }),
    ("verr", |host, call| {
        let error = errno(host)?;
        message(host, call, 1, Source::list(call, 2), Some(error))?;
        end(host, call)
    }),
    ("verrx", |host, call| {
        message(host, call, 1, Source::list(call, 2), None)?;
        end(host, call)
    }),
    ("error", |host, call| {
        let error = (call.signed(1) != 0).then_some(call.signed(1) as i32);
        message(host, call, 2, Source::after(call, 2), error)?;
        if call.signed(0) != 0 { end(host, call) } else { Ok(Returned::Nothing) }
    }),
];

/// `error` prints the whole name, the others what stands after its last slash.
fn message(
    host: &mut Host<'_>,
    call: &Arguments,
    format: usize,
    source: Source<'_>,
    error: Option<i32>,
) -> Result<Returned, Stop> {
    let mut line = host.world.library.program_name.clone();
    if format < 2 {
        line = line.rsplit(|&byte| byte == b'/').next().unwrap_or_default().to_vec();
    }
    if call.int(format) != 0 {
        let format = string(host, call.pointer(format))?;
        line.extend_from_slice(b": ");
        line.extend_from_slice(&print_text(host, &format, source)?.0.text);
    }
    if let Some(error) = error {
        line.extend_from_slice(b": ");
        line.extend_from_slice(&super::string::error_text(error));
    }
    line.push(b'\n');
    let file = standard(host.world, Standard::Error)?;
    put(host, file, &line)?;
    Ok(Returned::Nothing)
}

fn end(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let status = call.signed(0) as i32;
    run_handlers(host, status)?;
    Err(Stop::Exit(status))
}
