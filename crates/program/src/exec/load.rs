//! Before a run: global objects, functions' addresses, `argv`.
//!
//! Program and inputs → a [`World`] and the arguments of `main`. Objects get fixed numbers, functions
//! first, then globals in their order, so that compiled code can name them.

use super::compile::static_address;
use super::host::{ArgumentValue, World};
use super::inputs::{Inputs, Nondet};
use super::libc;
use super::memory::{Address, Memory, ObjectKind, OutOfMemory};
use super::outcome::{Limits, Note};
use super::violation::{Checks, ViolationKind};
use crate::{AddressIn, FunctionId, GlobalId, Initializer, Object, Program, Site, Type};

/// With `journal`, memory writes down what happens to it, from the first object on.
pub fn world(
    program: &Program,
    inputs: &Inputs,
    limits: &Limits,
    checks: Checks,
    journal: bool,
) -> Result<World, OutOfMemory> {
    let mut world = World {
        memory: Memory::new(limits.memory, checks.has(ViolationKind::Uninitialized)),
        library: libc::State::new(inputs),
        nondet: Nondet::new(inputs, limits.memory),
        site: Site::NONE,
        steps: 0,
        limits: limits.clone(),
        notes: Vec::new(),
        output_bytes: 0,
    };
    world.memory.give(&inputs.unwritten);
    if journal {
        world.memory.keep_journal();
    }
    for (index, function) in program.functions.iter().enumerate() {
        let kind = ObjectKind::Function(FunctionId(index as u32));
        world.memory.allocate_zeroed(kind, 0, function.site)?;
    }
    for (index, global) in program.globals.iter().enumerate() {
        let id = GlobalId(index as u32);
        let address = world.memory.allocate_zeroed(ObjectKind::Global(id), global.size, global.site)?;
        debug_assert_eq!(Some(address), static_address(program, Object::Global(id)));
    }
    for index in 0..program.globals.len() {
        initialize(&mut world, program, GlobalId(index as u32))?;
    }
    Ok(world)
}

fn initialize(world: &mut World, program: &Program, id: GlobalId) -> Result<(), OutOfMemory> {
    let global = program.global(id);
    let Some(address) = static_address(program, Object::Global(id)) else { return Ok(()) };
    match &global.init {
        Initializer::External => {
            if !libc::initialize_global(world, &global.name, address, global.size)? {
                world.note(Note::UnknownObject { name: global.name.clone() });
            }
        }
        Initializer::Bytes { bytes, addresses } => {
            let kept = bytes.len().min(global.size as usize);
            write(world, address, &bytes[..kept]);
            for AddressIn { at, object, addend } in addresses {
                let value = static_address(program, *object).unwrap_or_default().plus(*addend);
                write(world, address.plus(*at as i64), &value.0.to_le_bytes());
            }
        }
    }
    if global.constant {
        world.memory.make_constant(address.object());
    }
    Ok(())
}

/// An initializer that does not fit its object is the front end's mistake, not the program's.
fn write(world: &mut World, address: Address, bytes: &[u8]) {
    let written = world.memory.write(address, bytes);
    debug_assert!(written.is_ok(), "an initializer writes outside its object");
}

/// `argc`, `argv` and `envp`, as many as `main` has parameters.
pub fn main_arguments(
    world: &mut World,
    program: &Program,
    main: FunctionId,
    inputs: &Inputs,
) -> Result<Vec<ArgumentValue>, OutOfMemory> {
    let parameters = &program.function(main).parameters;
    let mut arguments = vec![ArgumentValue::scalar(inputs.arguments.len() as u128, Type::I32)];
    for strings in [&inputs.arguments, &inputs.environment] {
        if arguments.len() < parameters.len() {
            let vector = string_vector(world, strings)?;
            arguments.push(ArgumentValue::scalar(u128::from(vector.0), Type::Pointer));
        }
    }
    arguments.truncate(parameters.len());
    // `main` may be declared with any types at all.
    for (argument, parameter) in arguments.iter_mut().zip(parameters) {
        argument.ty = parameter.ty;
    }
    Ok(arguments)
}

/// An array of pointers to strings, with a null at its end.
pub fn string_vector(world: &mut World, strings: &[Vec<u8>]) -> Result<Address, OutOfMemory> {
    let kind = ObjectKind::Library("argv");
    let vector = world.memory.allocate_zeroed(kind, 8 * (strings.len() as u64 + 1), Site::NONE)?;
    for (position, string) in strings.iter().enumerate() {
        let text = world.memory.allocate_zeroed(kind, string.len() as u64 + 1, Site::NONE)?;
        write(world, text, string);
        write(world, vector.plus(8 * position as i64), &text.0.to_le_bytes());
    }
    Ok(vector)
}
