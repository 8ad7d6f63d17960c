//! Operations that look up the expression or the command that they stand for.

use super::{Machine, read_value, write_value};
use crate::exec::bytecode::{Code, ObservedEffect, Slot};
use crate::exec::host::{Stop, World};
use crate::exec::memory::{Address, Life, ObjectKind};
use crate::exec::observe::{Effect, Observer, Step};
use crate::exec::outcome::LimitKind;
use crate::exec::violation::{CommandRef, Detail, Fault, ViolationKind};
use crate::exec::{arithmetic, builtin, va_list};
use crate::{
    BitField, Command, CommandKind, ExprKind, Failure, FailureKind, Load, LocalId, TerminatorKind, Type, VarId,
};

impl<'p, O: Observer> Machine<'p, O> {
    /// The command that the operation before `pc` belongs to.
    pub(super) fn command_before(&self, code: &Code, pc: u32) -> &'p Command {
        let origin = code.origin(pc - 1);
        &self.body(code.function).block(origin.block).commands[origin.index as usize]
    }

    /// Any operator or builtin on any type.
    pub(super) fn evaluate(&self, code: &Code, pc: u32, frame: &mut [u64], to: Slot, cells: Slot) -> Result<(), Stop> {
        let (expr, body) = self.expr_before(code, pc);
        let ty = |operand: crate::ExprId| body.expr(operand).ty;
        let cell = |position: u32, ty: Type| read_value(frame, cells.plus(2 * position), ty);
        let (operands, computed) = match &expr.kind {
            ExprKind::Unary(op, operand) => {
                let bits = cell(0, ty(*operand));
                ([bits, 0], arithmetic::unary(*op, ty(*operand), bits))
            }
            ExprKind::Binary(op, left, right) => {
                let (first, second) = (cell(0, ty(*left)), cell(1, ty(*right)));
                ([first, second], arithmetic::binary(*op, ty(*left), first, second))
            }
            ExprKind::Cast(op, operand) => {
                let bits = cell(0, ty(*operand));
                ([bits, 0], arithmetic::cast(*op, ty(*operand), expr.ty, bits))
            }
            ExprKind::Apply(builtin, arguments) => {
                let values = arguments.iter().enumerate();
                let values: Vec<u128> = values.map(|(position, id)| cell(position as u32, ty(*id))).collect();
                let first = arguments.first().map_or(expr.ty, |id| ty(*id));
                ([0, 0], builtin::apply(*builtin, first, expr.ty, &values))
            }
            kind => unreachable!("{kind:?} is not evaluated in general"),
        };
        let bits = match computed {
            Ok(bits) => bits,
            Err(trouble) => self.operator_trouble(trouble, expr, body, &operands)?,
        };
        write_value(frame, to, expr.ty, bits);
        Ok(())
    }

    pub(super) fn load_any(&self, world: &World, code: &Code, pc: u32, address: Address) -> Result<(u128, Type), Stop> {
        let (expr, _) = self.expr_before(code, pc);
        let ExprKind::Load(Load { bits, .. }) = expr.kind else {
            unreachable!("only loads are compiled to loads");
        };
        let loaded = match bits {
            Some(field) => load_field(world, address, field, expr.ty)?,
            None => {
                let bytes = world.memory.read_initialized(address, u64::from(expr.ty.bytes()))?;
                little_endian(bytes) & expr.ty.mask()
            }
        };
        Ok((loaded, expr.ty))
    }

    /// A value with its written-mask.
    pub(super) fn load_copy(
        &self,
        world: &World,
        code: &Code,
        pc: u32,
        address: Address,
    ) -> Result<(u128, u128, Type), Stop> {
        let (expr, _) = self.expr_before(code, pc);
        let length = u64::from(expr.ty.bytes());
        let value = little_endian(world.memory.read(address, length)?) & expr.ty.mask();
        let written = world.memory.written_masks(address, length).map_or(u128::MAX, little_endian);
        Ok((value, written, expr.ty))
    }

    pub(super) fn store_any(
        &self,
        world: &mut World,
        code: &Code,
        pc: u32,
        frame: &[u64],
        value: Slot,
        address: Address,
    ) -> Result<(), Stop> {
        let CommandKind::Store { value: expr, bits, .. } = &self.command_before(code, pc).kind else {
            unreachable!("only stores are compiled to stores");
        };
        let ty = self.body(code.function).expr(*expr).ty;
        let bytes = read_value(frame, value, ty).to_le_bytes();
        match bits {
            Some(field) => store_field(world, address, *field, u128::from_le_bytes(bytes))?,
            None => world.memory.write(address, &bytes[..ty.bytes() as usize])?,
        }
        Ok(())
    }

    pub(super) fn store_copy(
        &self,
        world: &mut World,
        code: &Code,
        pc: u32,
        frame: &[u64],
        [value, written]: [Slot; 2],
        address: Address,
    ) -> Result<(), Stop> {
        let CommandKind::Store { value: expr, .. } = &self.command_before(code, pc).kind else {
            unreachable!("only stores are compiled to stores");
        };
        let ty = self.body(code.function).expr(*expr).ty;
        let length = ty.bytes() as usize;
        let (bytes, masks) = (read_value(frame, value, ty).to_le_bytes(), read_value(frame, written, ty).to_le_bytes());
        world.memory.write_with_masks(address, &bytes[..length], &masks[..length])?;
        Ok(())
    }

    /// Starts a local object's life.
    pub(super) fn begin(&self, world: &mut World, code: &Code, local: LocalId) -> Result<u64, Stop> {
        let object = &self.body(code.function).locals[local.index()];
        let kind = ObjectKind::Local { function: code.function, local };
        let address = world.memory.allocate_open(kind, object.size, object.site)?;
        Ok(address.0)
    }

    pub(super) fn end_local(&self, world: &mut World, code: &Code, pc: u32, address: u64) {
        let site = self.command_before(code, pc).site;
        world.memory.end(Address(address).object(), Life::OutOfScope, site);
    }

    /// `Assume` or `Assert` found its condition false.
    #[cold]
    pub(super) fn required(&self, code: &Code, pc: u32) -> Result<(), Stop> {
        match &self.command_before(code, pc).kind {
            CommandKind::Assert { message, .. } if self.library.context.checks.has(ViolationKind::Assert) => {
                Err(Stop::violation(ViolationKind::Assert, message.as_ref()))
            }
            CommandKind::Assert { .. } => Ok(()),
            _ => Err(Stop::Assumption),
        }
    }

    /// Commands that are rare or slow anyway.
    pub(super) fn general_command(
        &mut self,
        world: &mut World,
        code: &Code,
        pc: u32,
        frame: &mut [u64],
        cells: Slot,
    ) -> Result<(), Stop> {
        let command = self.command_before(code, pc);
        world.site = command.site;
        let operand = |position: u32| frame[cells.plus(2 * position).0 as usize];
        match &command.kind {
            CommandKind::Havoc { target, source } => {
                let ty = self.body(code.function).variable(*target).ty;
                let bits = world.nondet.next(source, ty, command.site)?;
                self.assign(code, frame, *target, bits);
            }
            CommandKind::Fail(failure) => return Err(self.failure(failure)),
            CommandKind::Copy { may_overlap, .. } => {
                let (to, from, size) = (Address(operand(0)), Address(operand(1)), operand(2));
                if !may_overlap
                    && self.library.context.checks.has(ViolationKind::StringFunction)
                    && overlap(to, from, size)
                {
                    let message = format!("memcpy of {size} bytes between overlapping objects");
                    return Err(Stop::violation(ViolationKind::StringFunction, message));
                }
                world.memory.copy(to, from, size)?;
            }
            CommandKind::Fill { .. } => world.memory.fill(Address(operand(0)), operand(1) as u8, operand(2))?,
            CommandKind::Allocate { target, .. } => {
                let address = self.allocate_computed(world, code, operand(0))?;
                self.assign(code, frame, *target, u128::from(address.0));
            }
            CommandKind::StackMark { target } => {
                let mark = self.owned.len() as u128;
                self.assign(code, frame, *target, mark);
            }
            CommandKind::StackRelease { .. } => self.release(world, operand(0)),
            CommandKind::VaStart { .. } => {
                let areas = self.frames.last().and_then(|frame| frame.areas);
                match areas {
                    Some(areas) => va_list::start(&mut world.memory, Address(operand(0)), areas)?,
                    None => return Err(Stop::Unsupported("va_start in a function without unnamed arguments".into())),
                }
            }
            CommandKind::Unsupported(id) => return Err(Stop::Construct(*id)),
            kind => unreachable!("{kind:?} has operations of its own"),
        }
        Ok(())
    }

    fn assign(&self, code: &Code, frame: &mut [u64], target: VarId, bits: u128) {
        let ty = self.body(code.function).variable(target).ty;
        write_value(frame, code.variables[target.index()], ty, bits & ty.mask());
    }

    fn failure(&self, failure: &Failure) -> Stop {
        let kind = match failure.kind {
            FailureKind::Assertion => ViolationKind::Assert,
            FailureKind::ErrorCall => ViolationKind::ErrorCall,
        };
        if !self.library.context.checks.has(kind) {
            return Stop::Abort;
        }
        Stop::violation(kind, failure.message.as_ref())
    }

    fn allocate_computed(&mut self, world: &mut World, code: &Code, size: u64) -> Result<Address, Stop> {
        let bytes = self.stack_bytes.saturating_add(size);
        if bytes > world.limits.stack {
            let detail = Detail::StackOverflow { depth: self.frames.len() as u32, bytes };
            return Err(match self.library.context.checks.has(ViolationKind::StackOverflow) {
                true => Fault::new(ViolationKind::StackOverflow, detail).into(),
                false => Stop::Limit(LimitKind::Memory),
            });
        }
        let site = world.site;
        let address = world.memory.allocate_open(ObjectKind::Computed(code.function), size, site)?;
        self.owned.push(address.object());
        self.stack_bytes = bytes;
        Ok(address)
    }

    fn release(&mut self, world: &mut World, mark: u64) {
        let oldest = self.frames.last().map_or(0, |frame| frame.owned);
        let mark = (mark as usize).clamp(oldest, self.owned.len().max(oldest));
        let site = world.site;
        self.end_owned(world, mark, site);
    }

    /// Tells the observer what the command of the operation before `pc` did.
    #[allow(clippy::too_many_arguments, reason = "the operands of an operation")]
    pub(super) fn observe(
        &mut self,
        world: &mut World,
        code: &Code,
        pc: u32,
        frame: &[u64],
        effect: ObservedEffect,
        value: Slot,
        address: Slot,
    ) {
        let narrow = |slot: Slot| u128::from(frame[slot.0 as usize]);
        let wide = |slot: Slot| read_value(frame, slot, Type::Int(128));
        let effect = match effect {
            ObservedEffect::None => Effect::None,
            ObservedEffect::Assigned => Effect::Assigned(narrow(value)),
            ObservedEffect::AssignedWide => Effect::Assigned(wide(value)),
            ObservedEffect::Stored => Effect::Stored { address: Address(narrow(address) as u64), value: narrow(value) },
            ObservedEffect::StoredWide => {
                Effect::Stored { address: Address(narrow(address) as u64), value: wide(value) }
            }
            ObservedEffect::Wrote => {
                Effect::Wrote { address: Address(narrow(address) as u64), length: narrow(value) as u64 }
            }
            ObservedEffect::Guard => Effect::Guard(u32::from(narrow(value) == 0)),
            ObservedEffect::Called => Effect::Called,
            ObservedEffect::Returned => Effect::Returned(narrow(value)),
            ObservedEffect::ReturnedWide => Effect::Returned(wide(value)),
        };
        self.tell(world, code, pc, effect);
    }

    fn tell(&mut self, world: &mut World, code: &Code, pc: u32, effect: Effect) {
        for change in world.memory.take_journal() {
            self.observer.changed(change);
        }
        let origin = code.origin(pc - 1);
        let at = CommandRef { function: code.function, block: origin.block, index: origin.index };
        let accesses = world.memory.take_accesses();
        let step = Step { at, depth: self.frames.len() as u32 - 1, effect };
        self.observer.watch(step, &world.memory, &accesses);
        world.memory.reuse(accesses);
    }

    /// Tells the observer what the call under way has accessed so far.
    pub(super) fn tell_between(&mut self, world: &World) {
        let accesses = world.memory.take_accesses();
        if !accesses.is_empty() {
            self.observer.between(&world.memory, &accesses);
        }
        world.memory.reuse(accesses);
    }

    pub fn tell_end(&mut self, world: &World) {
        let accesses = world.memory.take_accesses();
        self.observer.ended(&world.memory, &accesses);
    }

    /// Tells the observer which way a switch goes.
    pub(super) fn observe_switch(&mut self, world: &mut World, code: &Code, pc: u32, value: u128) {
        let block = self.body(code.function).block(code.origin(pc - 1).block);
        let TerminatorKind::Switch { cases, .. } = &block.terminator.kind else { return };
        let way = cases.iter().position(|(case, _)| *case == value).unwrap_or(cases.len());
        self.tell(world, code, pc, Effect::Guard(way as u32));
    }

    pub(super) fn observe_goto(&mut self, world: &mut World, code: &Code, pc: u32, way: usize) {
        self.tell(world, code, pc, Effect::Guard(way as u32));
    }
}

fn little_endian(bytes: &[u8]) -> u128 {
    let mut padded = [0; 16];
    padded[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(padded)
}

/// The bytes that a bit-field touches, and the field's first bit in them.
fn field_bytes(field: BitField) -> (i64, u64, u32) {
    let first = field.offset / 8;
    let end = (u32::from(field.offset) + u32::from(field.width)).div_ceil(8);
    (i64::from(first), u64::from(end - u32::from(first)), u32::from(field.offset % 8))
}

fn field_mask(field: BitField, shift: u32) -> u128 {
    (u128::MAX >> (128 - u32::from(field.width).clamp(1, 128))) << shift
}

fn too_wide() -> Stop {
    Stop::Unsupported("a bit-field that spans more than 16 bytes".into())
}

fn load_field(world: &World, address: Address, field: BitField, ty: Type) -> Result<u128, Stop> {
    let (start, length, shift) = field_bytes(field);
    let at = address.plus(start);
    if length > 16 {
        return Err(too_wide());
    }
    let unit = little_endian(world.memory.read(at, length)?);
    let mask = field_mask(field, shift);
    let written = world.memory.written_masks(at, length).map_or(u128::MAX, little_endian);
    if written & mask != mask {
        // Says which byte it is.
        world.memory.read_initialized(at, length)?;
    }
    let bits = (unit & mask) >> shift;
    let value = if field.signed { arithmetic::signed(bits, u32::from(field.width)) as u128 } else { bits };
    Ok(value & ty.mask())
}

fn store_field(world: &mut World, address: Address, field: BitField, value: u128) -> Result<(), Stop> {
    let (start, length, shift) = field_bytes(field);
    let mask = field_mask(field, shift);
    if length > 16 {
        return Err(too_wide());
    }
    let length = length as usize;
    let (bytes, masks) = ((value << shift).to_le_bytes(), mask.to_le_bytes());
    world.memory.write_bits(address.plus(start), &bytes[..length], &masks[..length])?;
    Ok(())
}

fn overlap(first: Address, second: Address, size: u64) -> bool {
    // A struct may be assigned to itself.
    first != second && first.0.abs_diff(second.0) < size
}
