//! The environment of the process: `getenv` and what changes it, and the object `environ`.
//!
//! Strings are the library's until `putenv` gives it one of the program's own. `environ` is written
//! anew after each change, as long as the program does not point it elsewhere.

use super::statics::{failure, string};
use crate::Site;
use crate::exec::host::{Arguments, Host, Model, Returned, Stop, World};
use crate::exec::memory::{Address, Memory, ObjectKind, OutOfMemory};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("getenv", getenv),
    ("secure_getenv", getenv),
    ("__secure_getenv", getenv),
    ("setenv", setenv),
    ("unsetenv", unsetenv),
    ("putenv", putenv),
    ("clearenv", clearenv),
];

/// The variables, as addresses of `NAME=value` strings.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// What the run was given; moved to `variables` when the program first looks.
    given: Vec<Vec<u8>>,
    variables: Vec<Address>,
    /// The program's object `environ`, if it has one.
    pointer: Option<Address>,
}

impl Environment {
    pub fn new(given: Vec<Vec<u8>>) -> Self {
        Environment { given, ..Environment::default() }
    }

    fn prepare(&mut self, memory: &mut Memory) -> Result<(), OutOfMemory> {
        for variable in std::mem::take(&mut self.given) {
            let address = library_text(memory, &variable)?;
            self.variables.push(address);
        }
        Ok(())
    }
}

fn library_text(memory: &mut Memory, text: &[u8]) -> Result<Address, OutOfMemory> {
    let size = text.len() as u64 + 1;
    let address = memory.allocate_zeroed(ObjectKind::Library("environment"), size, Site::NONE)?;
    memory.write_c_string(address, text).expect("the object was made for the text");
    Ok(address)
}

/// Points `environ` at the array of variables.
pub fn initialize(world: &mut World, pointer: Address) -> Result<(), OutOfMemory> {
    world.library.environment.prepare(&mut world.memory)?;
    world.library.environment.pointer = Some(pointer);
    publish(world)
}

fn publish(world: &mut World) -> Result<(), OutOfMemory> {
    let environment = &world.library.environment;
    let Some(pointer) = environment.pointer else { return Ok(()) };
    let mut array: Vec<u8> = environment.variables.iter().flat_map(|variable| variable.0.to_le_bytes()).collect();
    array.extend_from_slice(&[0; 8]);
    let kind = ObjectKind::Library("environ");
    let address = world.memory.allocate_zeroed(kind, array.len() as u64, Site::NONE)?;
    world.memory.write(address, &array).expect("the object was made for the array");
    world.memory.write(pointer, &address.0.to_le_bytes()).expect("environ has room for a pointer");
    Ok(())
}

/// The index of a variable, and where its value starts in the string.
fn find(host: &mut Host<'_>, name: &[u8]) -> Result<Option<(usize, Address)>, Stop> {
    let World { memory, library, .. } = &mut *host.world;
    library.environment.prepare(memory)?;
    for (index, &variable) in library.environment.variables.iter().enumerate() {
        let text = memory.c_string(variable)?;
        if text.starts_with(name) && text.get(name.len()) == Some(&b'=') {
            return Ok(Some((index, variable.plus(name.len() as i64 + 1))));
        }
    }
    Ok(None)
}

fn getenv(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    let value = find(host, &name)?.map_or(Address::NULL, |(_, value)| value);
    Ok(Returned::pointer(value))
}

fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.contains(&b'=')
}

fn put(host: &mut Host<'_>, name: &[u8], variable: Address) -> Result<(), Stop> {
    let found = find(host, name)?;
    let variables = &mut host.world.library.environment.variables;
    match found {
        Some((index, _)) => variables[index] = variable,
        None => variables.push(variable),
    }
    Ok(publish(host.world)?)
}

fn setenv(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    if !is_name(&name) {
        return failure(host, libc::EINVAL);
    }
    let value = string(host, call.pointer(1))?;
    if call.signed(2) != 0 || find(host, &name)?.is_none() {
        let variable = library_text(host.memory(), &[&name, b"=".as_slice(), &value].concat())?;
        put(host, &name, variable)?;
    }
    Ok(Returned::signed(0))
}

fn unsetenv(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let name = string(host, call.pointer(0))?;
    if !is_name(&name) {
        return failure(host, libc::EINVAL);
    }
    while let Some((index, _)) = find(host, &name)? {
        host.world.library.environment.variables.remove(index);
    }
    publish(host.world)?;
    Ok(Returned::signed(0))
}

fn putenv(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let text = string(host, call.pointer(0))?;
    let name = text.split(|&byte| byte == b'=').next().unwrap_or_default().to_vec();
    if name.len() == text.len() {
        return unsetenv(host, call);
    }
    put(host, &name, call.pointer(0))?;
    Ok(Returned::signed(0))
}

fn clearenv(host: &mut Host<'_>, _: &Arguments) -> Result<Returned, Stop> {
    let environment = &mut host.world.library.environment;
    environment.given.clear();
    environment.variables.clear();
    publish(host.world)?;
    Ok(Returned::signed(0))
}
