//! stdlib.h: numbers out of strings, small arithmetic, random numbers.

use super::numbers::{self, Converted, IntegerForm};
use super::random::{self, AdditiveFeedback, Congruential48};
use super::statics::{self, misuse, set_errno};
use super::string::string_byte;
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, MemoryResult};
use crate::exec::violation::ViolationKind;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("atoi", |host, call| ascii_to_integer(host, call, 32)),
    ("atol", |host, call| ascii_to_integer(host, call, 64)),
    ("atoll", |host, call| ascii_to_integer(host, call, 64)),
    ("strtol", |host, call| to_integer(host, call, true, false)),
    ("strtoll", |host, call| to_integer(host, call, true, false)),
    ("strtoimax", |host, call| to_integer(host, call, true, false)),
    ("strtoq", |host, call| to_integer(host, call, true, false)),
    ("__strtol_internal", |host, call| to_integer(host, call, true, false)),
    ("strtoul", |host, call| to_integer(host, call, false, false)),
    ("strtoull", |host, call| to_integer(host, call, false, false)),
    ("strtoumax", |host, call| to_integer(host, call, false, false)),
    ("strtouq", |host, call| to_integer(host, call, false, false)),
    ("__strtoul_internal", |host, call| to_integer(host, call, false, false)),
    ("__isoc23_strtol", |host, call| to_integer(host, call, true, true)),
    ("__isoc23_strtoll", |host, call| to_integer(host, call, true, true)),
    ("__isoc23_strtoimax", |host, call| to_integer(host, call, true, true)),
    ("__isoc23_strtoul", |host, call| to_integer(host, call, false, true)),
    ("__isoc23_strtoull", |host, call| to_integer(host, call, false, true)),
    ("__isoc23_strtoumax", |host, call| to_integer(host, call, false, true)),
    ("atof", |host, call| {
        let text = number_text(host, call.pointer(0))?;
        Ok(Returned::double(numbers::to_f64(&text).value))
    }),
    ("strtod", |host, call| to_float(host, call, |text| numbers::to_f64(text).map(Returned::double))),
    ("strtof", |host, call| to_float(host, call, |text| numbers::to_f32(text).map(Returned::float))),
    ("strtold", |host, call| to_float(host, call, |text| numbers::to_x87(text).map(Returned::Wide))),
    ("abs", |_, call| absolute(call, 32)),
    ("labs", |_, call| absolute(call, 64)),
    ("llabs", |_, call| absolute(call, 64)),
    ("imaxabs", |_, call| absolute(call, 64)),
    ("div", |_, call| divide(call, 32)),
    ("ldiv", |_, call| divide(call, 64)),
    ("lldiv", |_, call| divide(call, 64)),
    ("imaxdiv", |_, call| divide(call, 64)),
    ("rand", |host, _| Ok(Returned::Bits(u64::from(host.world.library.random.next())))),
    ("random", |host, _| Ok(Returned::Bits(u64::from(host.world.library.random.next())))),
    ("srand", seed),
    ("srandom", seed),
    ("rand_r", rand_r),
    ("drand48", |host, _| Ok(Returned::double(random::unit_interval(host.world.library.random48.next())))),
    ("lrand48", |host, _| Ok(Returned::signed(random::nonnegative(host.world.library.random48.next())))),
    ("mrand48", |host, _| Ok(Returned::signed(random::signed(host.world.library.random48.next())))),
    ("erand48", |host, call| Ok(Returned::double(random::unit_interval(step48(host, call)?)))),
    ("nrand48", |host, call| Ok(Returned::signed(random::nonnegative(step48(host, call)?)))),
    ("jrand48", |host, call| Ok(Returned::signed(random::signed(step48(host, call)?)))),
    ("srand48", |host, call| {
        host.world.library.random48 = Congruential48::seeded(call.int(0) as u32);
        Ok(Returned::Nothing)
    }),
    ("seed48", seed48),
    ("lcong48", lcong48),
    ("getrandom", getrandom),
    ("arc4random", |host, _| Ok(Returned::Bits(u64::from(host.world.library.random.next())))),
];

fn ascii_to_integer(host: &mut Host<'_>, call: &Arguments, bits: u32) -> Result<Returned, Stop> {
    let text = call.pointer(0);
    let memory = host.memory();
    let number = numbers::parse_integer(|index| string_byte(memory, text, index as u64), IntegerForm::signed(10))?;
    // C leaves this undefined for atoi; glibc's answer is strtol's, cut.
    let unused = 64 - bits;
    Ok(Returned::Bits(((number.value << unused) as i64 >> unused) as u64))
}

fn to_integer(host: &mut Host<'_>, call: &Arguments, signed: bool, binary_prefix: bool) -> Result<Returned, Stop> {
    let (text, base) = (call.pointer(0), call.signed(2));
    if base != 0 && !(2..=36).contains(&base) {
        set_errno(host, libc::EINVAL)?;
        return Ok(Returned::Bits(0));
    }
    let form = IntegerForm { base: base as u32, signed, binary_prefix };
    let memory = host.memory();
    let number = numbers::parse_integer(|index| string_byte(memory, text, index as u64), form)?;
    store_end(host, call, number.length)?;
    if number.overflow {
        set_errno(host, libc::ERANGE)?;
    }
    Ok(Returned::Bits(number.value))
}

fn store_end(host: &mut Host<'_>, call: &Arguments, length: usize) -> Result<(), Stop> {
    if call.int(1) != 0 {
        host.memory().write_u64(call.pointer(1), call.pointer(0).plus(length as i64).0)?;
    }
    Ok(())
}

fn number_text(host: &mut Host<'_>, text: Address) -> MemoryResult<Vec<u8>> {
    let memory = host.memory();
    numbers::float_text(|index| string_byte(memory, text, index as u64))
}

fn to_float(
    host: &mut Host<'_>,
    call: &Arguments,
    convert: impl Fn(&[u8]) -> Converted<Returned>,
) -> Result<Returned, Stop> {
    let number = convert(&number_text(host, call.pointer(0))?);
    store_end(host, call, number.length)?;
    if let Some(error) = number.error {
        set_errno(host, error)?;
    }
    Ok(number.value)
}

fn absolute(call: &Arguments, bits: u32) -> Result<Returned, Stop> {
    let value = call.signed(0);
    if value == i64::MIN >> (64 - bits) {
        return Err(Stop::violation(
            ViolationKind::Overflow,
            format!("the absolute value of {value} does not fit its type"),
        ));
    }
    Ok(Returned::signed(value.abs()))
}

/// Quotient and remainder: in one register for `div`, in two for the others.
fn divide(call: &Arguments, bits: u32) -> Result<Returned, Stop> {
    let (dividend, divisor) = (call.signed(0), call.signed(1));
    if divisor == 0 {
        return Err(Stop::violation(ViolationKind::DivisionByZero, format!("{dividend} divided by zero")));
    }
    if dividend == i64::MIN >> (64 - bits) && divisor == -1 {
        return Err(Stop::violation(ViolationKind::Overflow, format!("{dividend} / -1 does not fit its type")));
    }
    let (quotient, remainder) = ((dividend / divisor) as u64, (dividend % divisor) as u64);
    if bits == 32 {
        return Ok(Returned::Bits(quotient & 0xffff_ffff | remainder << 32));
    }
    Ok(Returned::Pair(quotient, remainder))
}

fn seed(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    host.world.library.random = AdditiveFeedback::new(call.int(0) as u32);
    Ok(Returned::Nothing)
}

fn rand_r(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let (result, next) = random::rand_r(host.memory().load_u32(call.pointer(0))?);
    host.memory().write_u32(call.pointer(0), next)?;
    Ok(Returned::Bits(u64::from(result)))
}

/// Three shorts of the program, lowest first, as one number.
fn load48(host: &mut Host<'_>, address: Address) -> MemoryResult<u64> {
    let mut number = [0; 8];
    number[..6].copy_from_slice(&host.memory().load::<6>(address)?);
    Ok(u64::from_le_bytes(number))
}

fn step48(host: &mut Host<'_>, call: &Arguments) -> Result<u64, Stop> {
    let before = load48(host, call.pointer(0))?;
    let next = host.world.library.random48.step(before);
    host.memory().write(call.pointer(0), &next.to_le_bytes()[..6])?;
    Ok(next)
}

fn seed48(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let next = load48(host, call.pointer(0))?;
    let old =
        std::mem::replace(&mut host.world.library.random48, Congruential48 { x: next, ..Congruential48::default() });
    let address = statics::object(host, "seed48", || vec![0; 6])?;
    host.memory().write(address, &old.x.to_le_bytes()[..6])?;
    Ok(Returned::pointer(address))
}

fn lcong48(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let x = load48(host, call.pointer(0))?;
    let multiplier = load48(host, call.pointer(0).plus(6))?;
    let increment = host.memory().load_u16(call.pointer(0).plus(12))?;
    host.world.library.random48 = Congruential48 { x, multiplier, increment };
    Ok(Returned::Nothing)
}

/// The same "random" bytes in every run.
fn getrandom(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let length = call.int(1);
    if length > 1 << 25 {
        return Err(misuse("getrandom gives at most 32 MiB at once"));
    }
    let bytes: Vec<u8> = (0..length).map(|_| host.world.library.random.next() as u8).collect();
    host.memory().write(call.pointer(0), &bytes)?;
    Ok(Returned::Bits(length))
}
