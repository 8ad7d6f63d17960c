//! stdio.h: characters, lines and blocks through streams.
//!
//! Opening, closing and positions are in `stdio_files`, formatted output and input in `printf` and
//! `scanf`.

use super::statics::{self, check_room, errno, failure, misuse, string};
use super::streams::{self, Standard, get, put, standard, stream};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::Address;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("fgetc", |host, call| read_character(host, call.pointer(0))),
    ("getc", |host, call| read_character(host, call.pointer(0))),
    ("_IO_getc", |host, call| read_character(host, call.pointer(0))),
    ("getc_unlocked", |host, call| read_character(host, call.pointer(0))),
    ("fgetc_unlocked", |host, call| read_character(host, call.pointer(0))),
    ("getchar", |host, _| read_from_input(host)),
    ("getchar_unlocked", |host, _| read_from_input(host)),
    ("ungetc", ungetc),
    ("_IO_ungetc", ungetc),
    ("fputc", |host, call| write_character(host, call, call.pointer(1))),
    ("putc", |host, call| write_character(host, call, call.pointer(1))),
    ("_IO_putc", |host, call| write_character(host, call, call.pointer(1))),
    ("putc_unlocked", |host, call| write_character(host, call, call.pointer(1))),
    ("fputc_unlocked", |host, call| write_character(host, call, call.pointer(1))),
    ("putchar", write_to_output),
    ("putchar_unlocked", write_to_output),
    ("puts", puts),
    ("fputs", fputs),
    ("fputs_unlocked", fputs),
    ("fgets", |host, call| fgets(host, call.pointer(0), call.signed(1), call.pointer(2))),
    ("fgets_unlocked", |host, call| fgets(host, call.pointer(0), call.signed(1), call.pointer(2))),
    ("__fgets_chk", |host, call| {
        check_room("fgets", call.signed(2).max(0) as u64, call.int(1))?;
        fgets(host, call.pointer(0), call.signed(2), call.pointer(3))
    }),
    ("gets", gets),
    ("__gets_chk", gets),
    ("getline", |host, call| getdelim(host, call, b'\n', call.pointer(2))),
    ("getdelim", |host, call| getdelim(host, call, call.int(2) as u8, call.pointer(3))),
    ("__getdelim", |host, call| getdelim(host, call, call.int(2) as u8, call.pointer(3))),
    ("fread", |host, call| fread(host, call.pointer(0), call.int(1), call.int(2), call.pointer(3))),
    ("fread_unlocked", |host, call| fread(host, call.pointer(0), call.int(1), call.int(2), call.pointer(3))),
    ("__fread_chk", |host, call| {
        check_room("fread", call.int(2).saturating_mul(call.int(3)), call.int(1))?;
        fread(host, call.pointer(0), call.int(2), call.int(3), call.pointer(4))
    }),
    ("fwrite", fwrite),
    ("fwrite_unlocked", fwrite),
    ("perror", perror),
    ("getw", getw),
    ("putw", putw),
];

/// C's `EOF`.
const END: Returned = Returned::Bits(u64::MAX);

fn character(byte: Option<u8>) -> Returned {
    byte.map_or(END, |byte| Returned::Bits(u64::from(byte)))
}

fn read_character(host: &mut Host<'_>, file: Address) -> Result<Returned, Stop> {
    get(host, file).map(character)
}

fn read_from_input(host: &mut Host<'_>) -> Result<Returned, Stop> {
    let file = standard(host.world, Standard::Input)?;
    read_character(host, file)
}

fn ungetc(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    stream(host, call.pointer(1))?;
    if call.signed(0) == -1 {
        return Ok(END);
    }
    let byte = call.int(0) as u8;
    streams::unget(host, call.pointer(1), byte)?;
    Ok(character(Some(byte)))
}

fn write_character(host: &mut Host<'_>, call: &Arguments, file: Address) -> Result<Returned, Stop> {
    let byte = call.int(0) as u8;
    let taken = put(host, file, &[byte])?;
    Ok(character(taken.then_some(byte)))
}

fn write_to_output(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let file = standard(host.world, Standard::Output)?;
    write_character(host, call, file)
}

fn puts(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let file = standard(host.world, Standard::Output)?;
    let mut line = string(host, call.pointer(0))?;
    line.push(b'\n');
    let taken = put(host, file, &line)?;
    Ok(if taken { Returned::Bits(line.len() as u64) } else { END })
}

fn fputs(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(0))?;
    let taken = put(host, call.pointer(1), &text)?;
    Ok(if taken { Returned::Bits(1) } else { END })
}

/// Bytes up to a delimiter, with it, and at most `most`.
fn read_until(host: &mut Host<'_>, file: Address, delimiter: u8, most: usize) -> Result<Vec<u8>, Stop> {
    let mut line = Vec::new();
    while line.len() < most {
        let Some(byte) = get(host, file)? else { break };
        line.push(byte);
        if byte == delimiter {
            break;
        }
    }
    Ok(line)
}

fn fgets(host: &mut Host<'_>, buffer: Address, size: i64, file: Address) -> Result<Returned, Stop> {
    stream(host, file)?;
    if size <= 0 {
        return Ok(Returned::pointer(Address::NULL));
    }
    let before = std::mem::take(&mut stream(host, file)?.error);
    let line = read_until(host, file, b'\n', size as usize - 1)?;
    let failed = stream(host, file)?.error;
    stream(host, file)?.error |= before;
    if line.is_empty() && size > 1 || failed {
        return Ok(Returned::pointer(Address::NULL));
    }
    host.memory().write_c_string(buffer, &line)?;
    Ok(Returned::pointer(buffer))
}

/// There is no limit but the object's: where the line does not fit, that is the violation.
fn gets(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let file = standard(host.world, Standard::Input)?;
    let mut line = read_until(host, file, b'\n', usize::MAX)?;
    if line.is_empty() {
        return Ok(Returned::pointer(Address::NULL));
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    host.memory().write_c_string(call.pointer(0), &line)?;
    Ok(Returned::pointer(call.pointer(0)))
}

fn getdelim(host: &mut Host<'_>, call: &Arguments, delimiter: u8, file: Address) -> Result<Returned, Stop> {
    const FIRST_SIZE: u64 = 120;
    let (pointer, size) = (call.pointer(0), call.pointer(1));
    if pointer.is_null() || size.is_null() {
        return failure(host, libc::EINVAL);
    }
    let mut buffer = Address(host.memory().load_u64(pointer)?);
    // Only a null pointer makes the size meaningless, so only then it need not be written.
    let mut capacity = if buffer.is_null() { 0 } else { host.memory().load_u64(size)? };
    let line = read_until(host, file, delimiter, usize::MAX)?;
    let needed = line.len() as u64 + 1;
    if buffer.is_null() || capacity < needed {
        capacity = needed.max(2 * capacity).max(FIRST_SIZE);
        let grown = host.malloc(capacity);
        if grown.is_null() {
            return failure(host, libc::ENOMEM);
        }
        let site = host.world.site;
        host.memory().free(buffer, site)?;
        buffer = grown;
        host.memory().write_u64(pointer, buffer.0)?;
        host.memory().write_u64(size, capacity)?;
    }
    if line.is_empty() {
        return Ok(END);
    }
    host.memory().write_c_string(buffer, &line)?;
    Ok(Returned::Bits(line.len() as u64))
}

fn fread(host: &mut Host<'_>, buffer: Address, size: u64, count: u64, file: Address) -> Result<Returned, Stop> {
    stream(host, file)?;
    let Some(total) = size.checked_mul(count) else {
        return Err(misuse(format!("fread is to read {count} elements of {size} bytes")));
    };
    if total == 0 {
        return Ok(Returned::Bits(0));
    }
    let bytes = streams::read(host, file, total)?;
    host.memory().write(buffer, &bytes)?;
    Ok(Returned::Bits(bytes.len() as u64 / size))
}

/// Bytes that nothing wrote are let pass: they may be a struct's padding.
fn fwrite(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let (size, count, file) = (call.int(1), call.int(2), call.pointer(3));
    stream(host, file)?;
    let Some(total) = size.checked_mul(count) else {
        return Err(misuse(format!("fwrite is to write {count} elements of {size} bytes")));
    };
    if total == 0 {
        return Ok(Returned::Bits(0));
    }
    let bytes = host.memory().read(call.pointer(0), total)?.to_vec();
    let taken = put(host, file, &bytes)?;
    Ok(Returned::Bits(if taken { count } else { 0 }))
}

fn perror(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let file = standard(host.world, Standard::Error)?;
    let mut line = Vec::new();
    if call.int(0) != 0 {
        line = string(host, call.pointer(0))?;
        if !line.is_empty() {
            line.extend_from_slice(b": ");
        }
    }
    line.extend_from_slice(&super::string::error_text(errno(host)?));
    line.push(b'\n');
    put(host, file, &line)?;
    Ok(Returned::Nothing)
}

fn getw(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let bytes = streams::read(host, call.pointer(0), 4)?;
    let word = <[u8; 4]>::try_from(bytes.as_slice()).map(i32::from_le_bytes);
    Ok(word.map_or(END, |word| Returned::signed(i64::from(word))))
}

fn putw(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let taken = put(host, call.pointer(1), &(call.int(0) as u32).to_le_bytes())?;
    Ok(if taken { statics::SUCCESS } else { END })
}
