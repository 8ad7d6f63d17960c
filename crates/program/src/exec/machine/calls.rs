//! Calls, returns, and the frames between them.

use super::{Frame, Machine, PAUSE_CALLS, PassedMask, read_value, write_value};
use crate::exec::bytecode::{CallSite, CallTarget, Code, PassedArgument, Slot, slots_of};
use crate::exec::host::{ArgumentValue, Arguments, Host, Output, Returned, Stop, World};
use crate::exec::memory::{Address, FaultKind, Life, ObjectInfo, ObjectKind};
use crate::exec::observe::Observer;
use crate::exec::outcome::{LimitKind, Note};
use crate::exec::va_list;
use crate::exec::violation::{CommandRef, Detail, Fault, ViolationKind};
use crate::{FunctionId, Parameter, Site, Type};

/// Arguments that are passed without a detour.
const FEW: usize = 8;

impl<'p, O: Observer> Machine<'p, O> {
    /// Pushes a frame whose parameters are in their slots.
    #[inline]
    pub(super) fn push_frame(
        &mut self,
        world: &World,
        registers: &mut Vec<u64>,
        code: &'p Code,
        base: usize,
    ) -> Result<(), Stop> {
        self.stack_bytes += code.stack_bytes;
        if self.stack_bytes > world.limits.stack || self.frames.len() >= world.limits.depth as usize {
            return Err(self.too_deep(code));
        }
        let end = base + code.frame as usize;
        if registers.len() < end {
            registers.resize(end.next_power_of_two().max(1024), 0);
        }
        if !self.results.is_empty() {
            // Nobody has asked for them.
            self.results.clear();
        }
        let serial = self.next_serial;
        self.next_serial += 1;
        self.frames.push(Frame { code, pc: 0, base, owned: self.owned.len(), serial, call: None, areas: None });
        Ok(())
    }

    #[cold]
    fn too_deep(&mut self, code: &Code) -> Stop {
        self.stack_bytes -= code.stack_bytes;
        if !self.library.context.checks.has(ViolationKind::StackOverflow) {
            return Stop::Limit(LimitKind::Depth);
        }
        let detail = Detail::StackOverflow { depth: self.frames.len() as u32, bytes: self.stack_bytes };
        Stop::Violation(Fault::new(ViolationKind::StackOverflow, detail))
    }

    /// Pops the frame and ends what it owns. Its registers must still be there.
    pub(super) fn pop_frame(&mut self, world: &mut World, registers: &mut [u64]) {
        let Some(frame) = self.frames.pop() else { return };
        self.stack_bytes -= frame.code.stack_bytes;
        let depth = self.frames.len();
        if !frame.code.locals.is_empty() || self.owned.len() > frame.owned {
            let site = self.site_of(&frame);
            for slot in frame.code.locals.clone().map(Slot) {
                let register = |slot: Slot| registers[frame.base + slot.0 as usize];
                if register(frame.code.alive(slot)) != 0 {
                    world.memory.end(Address(register(slot)).object(), Life::OutOfScope, site);
                }
            }
            self.end_owned(world, frame.owned, site);
        }
        if !self.arguments.is_empty() {
            self.arguments.retain(|mask| mask.depth < depth);
        }
        if let Some(call) = frame.call {
            self.convert_results(&mut registers[frame.base..], frame.code.function, call);
        }
        if depth == 0 {
            self.left = Some((self.command_of(&frame), self.site_of(&frame)));
        }
    }

    /// Ends the objects that were added to `owned` after the first `kept`.
    pub(super) fn end_owned(&mut self, world: &mut World, kept: usize, site: Site) {
        for object in self.owned.drain(kept..) {
            let info = world.memory.info(Address::new(object, 0));
            if let Some(ObjectInfo { kind: ObjectKind::Computed(_), size, .. }) = info {
                self.stack_bytes -= size;
            }
            world.memory.end(object, Life::OutOfScope, site);
        }
    }

    /// A function that was called as if it had another type may return other scalars.
    fn convert_results(&self, window: &mut [u64], function: FunctionId, call: &CallSite) {
        let returns = &self.program.function(function).returns;
        if *returns == call.results {
            return;
        }
        let mut from = Slot(0);
        let mut values = Vec::new();
        for ty in returns {
            values.push(read_value(window, from, *ty));
            from = from.plus(slots_of(*ty));
        }
        write_results(window, &call.results, &values);
    }

    /// Executes a call that is described by its site. True if a new frame is to run now.
    pub(super) fn call_any(
        &mut self,
        world: &mut World,
        output: &mut dyn Output,
        registers: &mut Vec<u64>,
        call: &'p CallSite,
    ) -> Result<bool, Stop> {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        let top = self.top();
        world.site = call.site;
        let function = match call.target {
            CallTarget::Direct(function) => function,
            CallTarget::Indirect(slot) => {
                let address = Address(registers[base + slot.0 as usize]);
                self.function_at(world, address)?
            }
            CallTarget::SetJump => {
                let values = Arguments { values: self.passed(&registers[base..], call) };
                self.set_jump(world, values.pointer(0))?;
                write_results(&mut registers[top..], &call.results, &[0]);
                return Ok(false);
            }
            CallTarget::LongJump => {
                let values = Arguments { values: self.passed(&registers[base..], call) };
                return Err(self.long_jump(world, values.pointer(0), values.signed(1) as i32));
            }
        };
        if self.fits(function, call) {
            self.enter_fitting(world, registers, function, call)?;
            return Ok(true);
        }
        let values = self.passed(&registers[base..], call);
        if self.program.function(function).body.is_some() {
            self.enter_with(world, registers, function, values, Some(call))?;
            if O::ACTIVE {
                self.tell_between(world);
            }
            return Ok(true);
        }
        self.external_calls += 1;
        if self.external_calls.is_multiple_of(PAUSE_CALLS) {
            self.pause(world, self.steps)?;
        }
        std::mem::swap(&mut self.registers, registers);
        let result = self.call_external(world, output, function, Arguments { values }, &call.results);
        std::mem::swap(&mut self.registers, registers);
        write_results(&mut registers[top..], &call.results, &result?);
        Ok(false)
    }

    /// Whether the function takes a few scalars, just these, and returns what is expected: the usual
    /// call through a pointer.
    fn fits(&self, function: FunctionId, call: &CallSite) -> bool {
        let callee = self.program.function(function);
        let same = |(argument, parameter): (&PassedArgument, &Parameter)| {
            argument.ty == parameter.ty
                && slots_of(argument.ty) == 1
                && argument.written.is_none()
                && argument.copied.is_none()
                && parameter.copied.is_none()
        };
        callee.body.is_some()
            && !callee.variadic
            && call.arguments.len() == callee.parameters.len()
            && call.arguments.len() <= FEW
            && call.arguments.iter().zip(&callee.parameters).all(same)
            && (call.results.is_empty() || call.results == callee.returns)
    }

    fn enter_fitting(
        &mut self,
        world: &World,
        registers: &mut Vec<u64>,
        function: FunctionId,
        call: &CallSite,
    ) -> Result<(), Stop> {
        let (base, top) = (self.frames.last().map_or(0, |frame| frame.base), self.top());
        // The arguments lie where the callee's frame will be.
        let mut values = [0; FEW];
        for (value, argument) in values.iter_mut().zip(&call.arguments) {
            *value = registers[base + argument.slot.0 as usize];
        }
        let library = self.library;
        self.push_frame(world, registers, library.code(function), top)?;
        registers[top..top + call.arguments.len()].copy_from_slice(&values[..call.arguments.len()]);
        Ok(())
    }

    fn passed(&self, frame: &[u64], call: &CallSite) -> Vec<ArgumentValue> {
        let value = |argument: &PassedArgument| ArgumentValue {
            bits: read_value(frame, argument.slot, argument.ty),
            ty: argument.ty,
            written: argument.written.map_or(u128::MAX, |slot| read_value(frame, slot, argument.ty)),
            copied: argument.copied,
        };
        call.arguments.iter().map(value).collect()
    }

    /// The function that an address is of.
    pub(super) fn function_at(&self, world: &World, address: Address) -> Result<FunctionId, Stop> {
        match world.memory.info(address) {
            Some(info) if info.offset == 0 => match info.kind {
                ObjectKind::Function(function) => Ok(function),
                _ => Err(self.no_function(world, address)),
            },
            _ => Err(self.no_function(world, address)),
        }
    }

    fn no_function(&self, world: &World, address: Address) -> Stop {
        Stop::from(world.memory.fault(FaultKind::NotAFunction, address, 0, false))
    }

    /// Pushes a frame for a function with a body and puts the arguments where it expects them.
    pub(super) fn enter_with(
        &mut self,
        world: &mut World,
        registers: &mut Vec<u64>,
        function: FunctionId,
        arguments: Vec<ArgumentValue>,
        call: Option<&'p CallSite>,
    ) -> Result<(), Stop> {
        let callee = self.program.function(function);
        if let Some(problem) = misfit(&callee.parameters, &arguments) {
            let detail = Detail::Call { function: Some(function), problem };
            return Err(Fault::new(ViolationKind::BadCall, detail).into());
        }
        let site = world.site;
        let base = self.top();
        let owned = self.owned.len();
        let mut values = Vec::with_capacity(callee.parameters.len());
        for (position, parameter) in callee.parameters.iter().enumerate() {
            values.push(self.parameter(world, function, parameter, arguments.get(position), site)?);
        }
        let mut areas = None;
        if callee.variadic {
            let unnamed = arguments.get(callee.parameters.len()..).unwrap_or_default();
            let laid = va_list::lay_out(&mut world.memory, function, &callee.parameters, unnamed, site)?;
            self.owned.extend([laid.registers, laid.overflow]);
            areas = Some(laid);
        }
        let library = self.library;
        let code = library.code(function);
        self.push_frame(world, registers, code, base)?;
        for ((value, parameter), slot) in values.iter().zip(&callee.parameters).zip(&code.variables) {
            write_value(&mut registers[base..], *slot, parameter.ty, *value);
        }
        self.hand_over_masks(&arguments);
        if let Some(frame) = self.frames.last_mut() {
            frame.owned = owned;
            frame.call = call;
            frame.areas = areas;
        }
        Ok(())
    }

    fn parameter(
        &mut self,
        world: &mut World,
        function: FunctionId,
        parameter: &Parameter,
        argument: Option<&ArgumentValue>,
        site: Site,
    ) -> Result<u128, Stop> {
        // What was not passed is whatever the register holds: zero here.
        let Some(argument) = argument else { return Ok(0) };
        let Some((size, _)) = argument.copied else { return Ok(argument.bits & parameter.ty.mask()) };
        let copy = world.memory.allocate(ObjectKind::CopiedArgument(function), size, site)?;
        self.owned.push(copy.object());
        world.memory.copy(copy, Address(argument.bits as u64), size)?;
        Ok(u128::from(copy.0))
    }

    fn hand_over_masks(&mut self, arguments: &[ArgumentValue]) {
        let depth = self.frames.len() - 1;
        for (position, argument) in arguments.iter().enumerate() {
            if argument.written & argument.ty.mask() != argument.ty.mask() {
                self.arguments.push(PassedMask { depth, position: position as u32, written: argument.written });
            }
        }
    }

    /// Runs a library model, or makes up the result of a function that has none.
    pub(super) fn call_external(
        &mut self,
        world: &mut World,
        output: &mut dyn Output,
        function: FunctionId,
        arguments: Arguments,
        results: &[Type],
    ) -> Result<Vec<u128>, Stop> {
        world.steps = self.steps;
        let site = world.site;
        if let Some(model) = self.library.models[function.index()] {
            let mut host = Host { world, output, engine: self };
            return Ok(match model(&mut host, &arguments)? {
                Returned::Nothing => vec![0],
                Returned::Bits(bits) => vec![u128::from(bits)],
                Returned::Wide(bits) => vec![bits],
                Returned::Pair(first, second) => vec![u128::from(first), u128::from(second)],
            });
        }
        let name = &self.program.function(function).name;
        world.note(Note::UnmodelledFunction { name: name.clone(), site });
        let mut values = Vec::with_capacity(results.len());
        for ty in results {
            values.push(world.nondet.next(name, *ty, site)?);
        }
        values.resize(values.len().max(1), 0);
        Ok(values)
    }

    /// Hands a mask over to the frame that is called next, or back to the caller.
    pub(super) fn pass_written(&mut self, returned: bool, position: u32, written: u128) {
        let depth = self.frames.len();
        if returned {
            self.results.push(PassedMask { depth: depth - 1, position, written });
        } else {
            self.arguments.push(PassedMask { depth, position, written });
        }
    }

    pub(super) fn take_written(&mut self, returned: bool, position: u32) -> u128 {
        let depth = self.frames.len();
        let (masks, depth) = match returned {
            true => (&mut self.results, depth),
            false => (&mut self.arguments, depth - 1),
        };
        match masks.iter().position(|mask| mask.depth == depth && mask.position == position) {
            Some(found) => masks.swap_remove(found).written,
            None => u128::MAX,
        }
    }

    pub(super) fn command_of(&self, frame: &Frame<'_>) -> CommandRef {
        let origin = frame.code.origin(frame.pc.saturating_sub(1));
        CommandRef { function: frame.code.function, block: origin.block, index: origin.index }
    }

    pub(super) fn site_of(&self, frame: &Frame<'_>) -> Site {
        self.command_site(self.command_of(frame))
    }
}

/// Puts scalars where the caller looks for results.
fn write_results(window: &mut [u64], types: &[Type], values: &[u128]) {
    let mut slot = Slot(0);
    for (position, ty) in types.iter().enumerate() {
        let bits = values.get(position).copied().unwrap_or(0);
        write_value(window, slot, *ty, bits & ty.mask());
        slot = slot.plus(slots_of(*ty));
    }
}

/// What the callee cannot make sense of. Too many or too few arguments are common in old C, as are
/// integers for pointers; both work on the machine.
fn misfit(parameters: &[Parameter], arguments: &[ArgumentValue]) -> Option<String> {
    for (position, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
        let number = position + 1;
        match (parameter.copied, argument.copied) {
            (Some(_), None) => return Some(format!("argument {number} is a scalar, the parameter is a struct")),
            (None, Some(_)) => return Some(format!("argument {number} is a struct, the parameter is a scalar")),
            (Some(expected), Some((passed, _))) if expected != passed => {
                return Some(format!("argument {number} has {passed} bytes, the parameter has {expected}"));
            }
            (Some(_), Some(_)) => {}
            (None, None) if parameter.ty == argument.ty => {}
            (None, None) if parameter.ty.is_float() || argument.ty.is_float() => {
                return Some(format!(
                    "argument {number} has type {}, the parameter has type {}",
                    argument.ty, parameter.ty
                ));
            }
            (None, None) => {}
        }
    }
    None
}
