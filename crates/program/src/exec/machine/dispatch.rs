//! The loop over operations.
//!
//! It is one function, though a long one: the state that every operation touches (registers, position,
//! steps) stays in the processor's registers only if nothing but rare cases leaves the loop. Each arm
//! is a line or two; what takes more is a method.

use super::Machine;
use crate::Type;
use crate::exec::bytecode::slots_of;
use crate::exec::bytecode::{Code, JumpTable, Op, Pc};
use crate::exec::float;
use crate::exec::host::{Output, Stop, World};
use crate::exec::memory::Address;
use crate::exec::observe::Observer;
use crate::exec::violation::{Detail, Fault, ViolationKind};

impl<'p, O: Observer> Machine<'p, O> {
    /// Runs until the frames are down to the floor. On an error, the innermost frame's `pc` is behind
    /// the operation that failed.
    pub(super) fn dispatch(
        &mut self,
        world: &mut World,
        output: &mut dyn Output,
        registers: &mut Vec<u64>,
        floor: usize,
    ) -> Result<(), Stop> {
        loop {
            match self.run(world, output, registers, floor) {
                Err(Stop::Jump(jump)) if self.land(world, registers, &jump, floor) => {}
                result => return result,
            }
        }
    }

    fn run(
        &mut self,
        world: &mut World,
        output: &mut dyn Output,
        registers: &mut Vec<u64>,
        floor: usize,
    ) -> Result<(), Stop> {
        let mut code: &'p Code;
        let mut pc: usize;
        let mut base: usize;
        let mut frame: &mut [u64];
        let mut steps = self.steps;

        /// Takes over the innermost frame.
        macro_rules! switch_frame {
            () => {{
                let Some(top) = self.frames.last() else { return Ok(()) };
                code = top.code;
                pc = top.pc as usize;
                base = top.base;
                frame = &mut registers[base..base + code.frame as usize];
            }};
        }
        macro_rules! get {
            ($slot:expr) => {
                frame[$slot.0 as usize]
            };
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {{
                let value: u64 = $value;
                frame[$slot.0 as usize] = value;
            }};
        }
        /// Remembers where we are.
        macro_rules! save {
            () => {{
                self.steps = steps;
                if let Some(top) = self.frames.last_mut() {
                    top.pc = pc as u32;
                }
            }};
        }
        macro_rules! stop {
            ($stop:expr) => {{
                let stop: Stop = $stop;
                save!();
                return Err(stop);
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(error) => stop!(Stop::from(error)),
                }
            };
        }
        macro_rules! jump {
            ($target:expr) => {{
                pc = $target.0 as usize;
                if steps >= self.check_at {
                    attempt!(self.pause(world, steps));
                }
            }};
        }
        macro_rules! jump_if {
            ($steps:expr, $condition:expr, $target:expr) => {{
                steps += u64::from($steps);
                if $condition {
                    jump!($target);
                }
            }};
        }
        macro_rules! wrapping {
            ($to:expr, $left:expr, $right:expr, $ty:ty, $operation:ident) => {
                set!($to, ($left as $ty).$operation($right as $ty) as u64)
            };
        }
        macro_rules! checked {
            ($to:expr, $left:expr, $right:expr, $signed:ty, $unsigned:ty, $operation:ident) => {{
                let (left, right) = ($left as $signed, $right as $signed);
                match left.$operation(right) {
                    Some(result) => set!($to, result as $unsigned as u64),
                    None => {
                        let (left, right) = (left as $unsigned as u64, right as $unsigned as u64);
                        stop!(self.integer_trouble(code, pc as u32, left, right))
                    }
                }
            }};
        }
        macro_rules! shift {
            ($to:expr, $left:expr, $right:expr, $ty:ty, $unsigned:ty, $operation:ident) => {{
                let (left, right) = (get!($left), get!($right));
                if right >= u64::from(<$ty>::BITS) {
                    stop!(self.integer_trouble(code, pc as u32, left, right));
                }
                set!($to, (left as $ty).$operation(right as u32) as $unsigned as u64)
            }};
        }
        macro_rules! float {
            ($to:expr, $left:expr, $right:expr, $ty:ty, $bits:ty, $operator:tt) => {{
                let (left, right) = (<$ty>::from_bits(get!($left) as $bits), <$ty>::from_bits(get!($right) as $bits));
                set!($to, (left $operator right).to_bits() as u64)
            }};
        }
        macro_rules! load {
            ($to:expr, $address:expr, $load:ident) => {{
                let address = Address($address);
                let value = attempt!(world.memory.$load(address));
                if O::ACTIVE {
                    world.memory.attribute(code.origin(pc as u32 - 1).expr);
                }
                set!($to, value as u64)
            }};
        }
        macro_rules! store {
            ($value:expr, $address:expr, $ty:ty, $store:ident) => {{
                let address = Address($address);
                attempt!(world.memory.$store(address, get!($value) as $ty))
            }};
        }
        macro_rules! offset {
            ($base:expr, $offset:expr) => {
                get!($base).wrapping_add($offset as i64 as u64)
            };
        }
        macro_rules! element {
            ($base:expr, $index:expr, $stride:expr) => {
                Address($base).element(get!($index) as i64, u64::from($stride)).0
            };
        }
        macro_rules! global {
            ($object:expr, $offset:expr) => {
                u64::from($object) << 32 | u64::from($offset)
            };
        }

        switch_frame!();
        loop {
            let op = code.ops[pc];
            pc += 1;
            match op {
                Op::Immediate { to, value } => set!(to, value),
                Op::Move { to, from } => set!(to, get!(from)),
                Op::MoveIf { to, condition, from } => {
                    if get!(condition) != 0 {
                        set!(to, get!(from));
                    }
                }

                Op::Add32 { to, left, right } => wrapping!(to, get!(left), get!(right), u32, wrapping_add),
                Op::Sub32 { to, left, right } => wrapping!(to, get!(left), get!(right), u32, wrapping_sub),
                Op::Mul32 { to, left, right } => wrapping!(to, get!(left), get!(right), u32, wrapping_mul),
                Op::Add64 { to, left, right } => wrapping!(to, get!(left), get!(right), u64, wrapping_add),
                Op::Sub64 { to, left, right } => wrapping!(to, get!(left), get!(right), u64, wrapping_sub),
                Op::Mul64 { to, left, right } => wrapping!(to, get!(left), get!(right), u64, wrapping_mul),
                Op::Add32Imm { to, left, value } => wrapping!(to, get!(left), value, u32, wrapping_add),
                Op::Mul32Imm { to, left, value } => wrapping!(to, get!(left), value, u32, wrapping_mul),
                Op::Add64Imm { to, left, value } => wrapping!(to, get!(left), i64::from(value), u64, wrapping_add),
                Op::Mul64Imm { to, left, value } => wrapping!(to, get!(left), i64::from(value), u64, wrapping_mul),
                Op::CheckedAdd32 { to, left, right } => checked!(to, get!(left), get!(right), i32, u32, checked_add),
                Op::CheckedSub32 { to, left, right } => checked!(to, get!(left), get!(right), i32, u32, checked_sub),
                Op::CheckedMul32 { to, left, right } => checked!(to, get!(left), get!(right), i32, u32, checked_mul),
                Op::CheckedAdd64 { to, left, right } => checked!(to, get!(left), get!(right), i64, u64, checked_add),
                Op::CheckedSub64 { to, left, right } => checked!(to, get!(left), get!(right), i64, u64, checked_sub),
                Op::CheckedMul64 { to, left, right } => checked!(to, get!(left), get!(right), i64, u64, checked_mul),
                Op::CheckedAdd32Imm { to, left, value } => checked!(to, get!(left), value, i32, u32, checked_add),
                Op::CheckedSub32Imm { to, left, value } => checked!(to, get!(left), value, i32, u32, checked_sub),
                Op::CheckedMul32Imm { to, left, value } => checked!(to, get!(left), value, i32, u32, checked_mul),
                Op::CheckedAdd64Imm { to, left, value } => checked!(to, get!(left), value, i64, u64, checked_add),
                Op::CheckedSub64Imm { to, left, value } => checked!(to, get!(left), value, i64, u64, checked_sub),
                Op::CheckedMul64Imm { to, left, value } => checked!(to, get!(left), value, i64, u64, checked_mul),

                Op::DivU { to, left, right } => checked!(to, get!(left), get!(right), u64, u64, checked_div),
                Op::RemU { to, left, right } => checked!(to, get!(left), get!(right), u64, u64, checked_rem),
                Op::DivS32 { to, left, right } => checked!(to, get!(left), get!(right), i32, u32, checked_div),
                Op::RemS32 { to, left, right } => checked!(to, get!(left), get!(right), i32, u32, checked_rem),
                Op::DivS64 { to, left, right } => checked!(to, get!(left), get!(right), i64, u64, checked_div),
                Op::RemS64 { to, left, right } => checked!(to, get!(left), get!(right), i64, u64, checked_rem),
                Op::DivS32Imm { to, left, value } => set!(to, (get!(left) as i32).wrapping_div(value) as u32 as u64),
                Op::RemS32Imm { to, left, value } => set!(to, (get!(left) as i32).wrapping_rem(value) as u32 as u64),

                Op::And { to, left, right } => set!(to, get!(left) & get!(right)),
                Op::Or { to, left, right } => set!(to, get!(left) | get!(right)),
                Op::Xor { to, left, right } => set!(to, get!(left) ^ get!(right)),
                Op::AndImm { to, left, value } => set!(to, get!(left) & u64::from(value)),
                Op::OrImm { to, left, value } => set!(to, get!(left) | u64::from(value)),
                Op::XorImm { to, left, value } => set!(to, get!(left) ^ u64::from(value)),
                Op::Shl32 { to, left, right } => shift!(to, left, right, u32, u32, wrapping_shl),
                Op::Shl64 { to, left, right } => shift!(to, left, right, u64, u64, wrapping_shl),
                Op::ShrU32 { to, left, right } => shift!(to, left, right, u32, u32, wrapping_shr),
                Op::ShrU64 { to, left, right } => shift!(to, left, right, u64, u64, wrapping_shr),
                Op::ShrS32 { to, left, right } => shift!(to, left, right, i32, u32, wrapping_shr),
                Op::ShrS64 { to, left, right } => shift!(to, left, right, i64, u64, wrapping_shr),
                Op::Shl32Imm { to, left, value } => wrapping!(to, get!(left), value, u32, wrapping_shl),
                Op::Shl64Imm { to, left, value } => set!(to, get!(left).wrapping_shl(value)),
                Op::ShrUImm { to, left, value } => set!(to, get!(left).wrapping_shr(value)),
                Op::ShrS32Imm { to, left, value } => set!(to, (get!(left) as i32).wrapping_shr(value) as u32 as u64),
                Op::ShrS64Imm { to, left, value } => set!(to, (get!(left) as i64).wrapping_shr(value) as u64),
                Op::SignExtend { from_bits, to_bits, to, from } => {
                    let unused = 64 - u32::from(from_bits);
                    let extended = (get!(from) << unused) as i64 >> unused;
                    set!(to, extended as u64 & u64::MAX >> (64 - u32::from(to_bits)))
                }

                Op::Equal { to, left, right } => set!(to, u64::from(get!(left) == get!(right))),
                Op::NotEqual { to, left, right } => set!(to, u64::from(get!(left) != get!(right))),
                Op::LessU { to, left, right } => set!(to, u64::from(get!(left) < get!(right))),
                Op::LessEqualU { to, left, right } => set!(to, u64::from(get!(left) <= get!(right))),
                Op::LessS32 { to, left, right } => set!(to, u64::from((get!(left) as i32) < get!(right) as i32)),
                Op::LessEqualS32 { to, left, right } => set!(to, u64::from(get!(left) as i32 <= get!(right) as i32)),
                Op::LessS64 { to, left, right } => set!(to, u64::from((get!(left) as i64) < get!(right) as i64)),
                Op::LessEqualS64 { to, left, right } => set!(to, u64::from(get!(left) as i64 <= get!(right) as i64)),
                Op::EqualImm { to, left, value } => set!(to, u64::from(get!(left) == u64::from(value))),
                Op::NotEqualImm { to, left, value } => set!(to, u64::from(get!(left) != u64::from(value))),
                Op::LessUImm { to, left, value } => set!(to, u64::from(get!(left) < u64::from(value))),
                Op::GreaterEqualUImm { to, left, value } => set!(to, u64::from(get!(left) >= u64::from(value))),
                Op::LessS32Imm { to, left, value } => set!(to, u64::from((get!(left) as i32) < value)),
                Op::GreaterEqualS32Imm { to, left, value } => set!(to, u64::from(get!(left) as i32 >= value)),
                Op::LessS64Imm { to, left, value } => set!(to, u64::from((get!(left) as i64) < i64::from(value))),
                Op::GreaterEqualS64Imm { to, left, value } => {
                    set!(to, u64::from(get!(left) as i64 >= i64::from(value)))
                }

                Op::AddF64 { to, left, right } => float!(to, left, right, f64, u64, +),
                Op::SubF64 { to, left, right } => float!(to, left, right, f64, u64, -),
                Op::MulF64 { to, left, right } => float!(to, left, right, f64, u64, *),
                Op::DivF64 { to, left, right } => float!(to, left, right, f64, u64, /),
                Op::AddF32 { to, left, right } => float!(to, left, right, f32, u32, +),
                Op::SubF32 { to, left, right } => float!(to, left, right, f32, u32, -),
                Op::MulF32 { to, left, right } => float!(to, left, right, f32, u32, *),
                Op::DivF32 { to, left, right } => float!(to, left, right, f32, u32, /),
                Op::CompareF64 { relations, to, left, right } => {
                    let order = f64::from_bits(get!(left)).partial_cmp(&f64::from_bits(get!(right)));
                    set!(to, u64::from(float::holds(relations, order)))
                }
                Op::CompareF32 { relations, to, left, right } => {
                    let order = f32::from_bits(get!(left) as u32).partial_cmp(&f32::from_bits(get!(right) as u32));
                    set!(to, u64::from(float::holds(relations, order)))
                }
                Op::CheckFits { from_bits, to_bits, from } => {
                    let value = get!(from);
                    let (unused, extra) = (64 - u32::from(to_bits), 64 - u32::from(from_bits));
                    let low = value << unused >> unused;
                    let signed = ((value << unused) as i64 >> unused) as u64;
                    if low != value && signed << extra >> extra != value {
                        stop!(self.integer_trouble(code, pc as u32, value, 0))
                    }
                }
                Op::SignedToF64 { bits, to, from } => {
                    let unused = 64 - u32::from(bits);
                    set!(to, (((get!(from) << unused) as i64 >> unused) as f64).to_bits())
                }
                Op::F32ToF64 { to, from } => set!(to, f64::from(f32::from_bits(get!(from) as u32)).to_bits()),
                Op::F64ToF32 { to, from } => set!(to, u64::from((f64::from_bits(get!(from)) as f32).to_bits())),
                Op::F64ToS32 { to, from } => {
                    let value = f64::from_bits(get!(from));
                    if value > -2147483649.0 && value < 2147483648.0 {
                        set!(to, value as i32 as u32 as u64)
                    } else if self.library.context.checks.has(ViolationKind::FloatConversion) {
                        stop!(self.integer_trouble(code, pc as u32, value.to_bits(), 0))
                    } else {
                        set!(to, 0x8000_0000)
                    }
                }
                Op::Evaluate { to, operands } => attempt!(self.evaluate(code, pc as u32, frame, to, operands)),

                Op::Scale { stride, to, base, index } => set!(to, element!(get!(base), index, stride)),
                Op::ScaleBy { to, base, index } => set!(to, element!(get!(base), index, get!(to))),
                Op::CheckIndex { past_end, index, count } => {
                    let index = get!(index);
                    if index >= count && !(past_end && index == count) {
                        stop!(self.index_trouble(code, pc as u32, index, past_end))
                    }
                }

                Op::Load8 { to, address, offset } => load!(to, offset!(address, offset), load_u8),
                Op::Load16 { to, address, offset } => load!(to, offset!(address, offset), load_u16),
                Op::Load32 { to, address, offset } => load!(to, offset!(address, offset), load_u32),
                Op::Load64 { to, address, offset } => load!(to, offset!(address, offset), load_u64),
                Op::Load8At { stride, to, base, index } => load!(to, element!(get!(base), index, stride), load_u8),
                Op::Load16At { stride, to, base, index } => load!(to, element!(get!(base), index, stride), load_u16),
                Op::Load32At { stride, to, base, index } => load!(to, element!(get!(base), index, stride), load_u32),
                Op::Load64At { stride, to, base, index } => load!(to, element!(get!(base), index, stride), load_u64),
                Op::Load8Global { to, object, offset } => load!(to, global!(object, offset), load_u8),
                Op::Load16Global { to, object, offset } => load!(to, global!(object, offset), load_u16),
                Op::Load32Global { to, object, offset } => load!(to, global!(object, offset), load_u32),
                Op::Load64Global { to, object, offset } => load!(to, global!(object, offset), load_u64),
                Op::Load8GlobalAt { stride, to, object, index } => {
                    load!(to, element!(global!(object, 0u32), index, stride), load_u8)
                }
                Op::Load16GlobalAt { stride, to, object, index } => {
                    load!(to, element!(global!(object, 0u32), index, stride), load_u16)
                }
                Op::Load32GlobalAt { stride, to, object, index } => {
                    load!(to, element!(global!(object, 0u32), index, stride), load_u32)
                }
                Op::Load64GlobalAt { stride, to, object, index } => {
                    load!(to, element!(global!(object, 0u32), index, stride), load_u64)
                }
                Op::LoadAny { to, address } => {
                    let (bits, ty) = attempt!(self.load_any(world, code, pc as u32, Address(get!(address))));
                    if O::ACTIVE {
                        world.memory.attribute(code.origin(pc as u32 - 1).expr);
                    }
                    super::write_value(frame, to, ty, bits);
                }
                Op::LoadCopy { to, address, written } => {
                    let (bits, mask, ty) = attempt!(self.load_copy(world, code, pc as u32, Address(get!(address))));
                    super::write_value(frame, to, ty, bits);
                    super::write_value(frame, written, ty, mask);
                }

                Op::Store8 { value, address, offset } => store!(value, offset!(address, offset), u8, store_u8),
                Op::Store16 { value, address, offset } => store!(value, offset!(address, offset), u16, store_u16),
                Op::Store32 { value, address, offset } => store!(value, offset!(address, offset), u32, store_u32),
                Op::Store64 { value, address, offset } => store!(value, offset!(address, offset), u64, store_u64),
                Op::Store8At { stride, value, base, index } => {
                    store!(value, element!(get!(base), index, stride), u8, store_u8)
                }
                Op::Store16At { stride, value, base, index } => {
                    store!(value, element!(get!(base), index, stride), u16, store_u16)
                }
                Op::Store32At { stride, value, base, index } => {
                    store!(value, element!(get!(base), index, stride), u32, store_u32)
                }
                Op::Store64At { stride, value, base, index } => {
                    store!(value, element!(get!(base), index, stride), u64, store_u64)
                }
                Op::Store8Global { value, object, offset } => store!(value, global!(object, offset), u8, store_u8),
                Op::Store16Global { value, object, offset } => store!(value, global!(object, offset), u16, store_u16),
                Op::Store32Global { value, object, offset } => store!(value, global!(object, offset), u32, store_u32),
                Op::Store64Global { value, object, offset } => store!(value, global!(object, offset), u64, store_u64),
                Op::Store8GlobalAt { stride, value, object, index } => {
                    store!(value, element!(global!(object, 0u32), index, stride), u8, store_u8)
                }
                Op::Store16GlobalAt { stride, value, object, index } => {
                    store!(value, element!(global!(object, 0u32), index, stride), u16, store_u16)
                }
                Op::Store32GlobalAt { stride, value, object, index } => {
                    store!(value, element!(global!(object, 0u32), index, stride), u32, store_u32)
                }
                Op::Store64GlobalAt { stride, value, object, index } => {
                    store!(value, element!(global!(object, 0u32), index, stride), u64, store_u64)
                }
                Op::StoreAny { value, address } => {
                    let address = Address(get!(address));
                    attempt!(self.store_any(world, code, pc as u32, frame, value, address));
                }
                Op::StoreCopy { value, address, written } => {
                    let address = Address(get!(address));
                    attempt!(self.store_copy(world, code, pc as u32, frame, [value, written], address));
                }

                Op::CheckAssigned { flag, variable } => {
                    if get!(flag) == 0 {
                        stop!(Fault::new(ViolationKind::Uninitialized, Detail::Variable(variable)).into())
                    }
                }
                Op::CheckWritten { written, variable } => {
                    let ty = self.body(code.function).variable(variable).ty;
                    let mask = super::read_value(frame, written, ty);
                    if mask & ty.mask() != ty.mask() {
                        stop!(Fault::new(ViolationKind::Uninitialized, Detail::Variable(variable)).into())
                    }
                }

                Op::Jump { steps: count, target } => {
                    steps += u64::from(count);
                    jump!(target);
                }
                Op::JumpEqual { steps, left, right, target } => {
                    jump_if!(steps, get!(left) == get!(right), target)
                }
                Op::JumpNotEqual { steps, left, right, target } => {
                    jump_if!(steps, get!(left) != get!(right), target)
                }
                Op::JumpLessU { steps, left, right, target } => jump_if!(steps, get!(left) < get!(right), target),
                Op::JumpLessEqualU { steps, left, right, target } => jump_if!(steps, get!(left) <= get!(right), target),
                Op::JumpLessS32 { steps, left, right, target } => {
                    jump_if!(steps, (get!(left) as i32) < get!(right) as i32, target)
                }
                Op::JumpLessEqualS32 { steps, left, right, target } => {
                    jump_if!(steps, get!(left) as i32 <= get!(right) as i32, target)
                }
                Op::JumpLessS64 { steps, left, right, target } => {
                    jump_if!(steps, (get!(left) as i64) < get!(right) as i64, target)
                }
                Op::JumpLessEqualS64 { steps, left, right, target } => {
                    jump_if!(steps, get!(left) as i64 <= get!(right) as i64, target)
                }
                Op::JumpEqualImm { steps, left, value, target } => {
                    jump_if!(steps, get!(left) == u64::from(value), target)
                }
                Op::JumpNotEqualImm { steps, left, value, target } => {
                    jump_if!(steps, get!(left) != u64::from(value), target)
                }
                Op::JumpLessUImm { steps, left, value, target } => {
                    jump_if!(steps, get!(left) < u64::from(value), target)
                }
                Op::JumpGreaterEqualUImm { steps, left, value, target } => {
                    jump_if!(steps, get!(left) >= u64::from(value), target)
                }
                Op::JumpLessS32Imm { steps, left, value, target } => {
                    jump_if!(steps, (get!(left) as i32) < value, target)
                }
                Op::JumpGreaterEqualS32Imm { steps, left, value, target } => {
                    jump_if!(steps, get!(left) as i32 >= value, target)
                }
                Op::JumpLessS64Imm { steps, left, value, target } => {
                    jump_if!(steps, (get!(left) as i64) < i64::from(value), target)
                }
                Op::JumpGreaterEqualS64Imm { steps, left, value, target } => {
                    jump_if!(steps, get!(left) as i64 >= i64::from(value), target)
                }
                Op::Switch { steps: count, value, table } => {
                    steps += u64::from(count);
                    let table = &code.tables[table.0 as usize];
                    let bits = match table {
                        JumpTable::Sparse { wide: true, .. } => super::read_value(frame, value, Type::Int(128)),
                        _ => u128::from(get!(value)),
                    };
                    if O::ACTIVE {
                        self.observe_switch(world, code, pc as u32, bits);
                    }
                    jump!(case(table, bits));
                }
                Op::IndirectGoto { steps: count, address, table } => {
                    steps += u64::from(count);
                    let (way, target) = attempt!(self.label(code, table, Address(get!(address))));
                    if O::ACTIVE {
                        self.observe_goto(world, code, pc as u32, way);
                    }
                    jump!(target);
                }
                Op::Count { steps: count } => steps += u64::from(count),

                Op::Call { function } => {
                    save!();
                    let library = self.library;
                    let callee = library.code(function);
                    attempt!(self.push_frame(world, registers, callee, base + code.temporaries as usize));
                    switch_frame!();
                    if steps >= self.check_at {
                        attempt!(self.pause(world, steps));
                    }
                }
                Op::CallAny { call } => {
                    save!();
                    let call = &code.calls[call.0 as usize];
                    let entered = self.call_any(world, output, registers, call);
                    steps = self.steps;
                    entered?;
                    switch_frame!();
                }
                Op::Return { steps: count } => {
                    steps += u64::from(count);
                    save!();
                    self.pop_frame(world, registers);
                    if self.frames.len() == floor {
                        return Ok(());
                    }
                    switch_frame!();
                }
                Op::PassWritten { wide, returned, position, written } => {
                    let ty = if wide { Type::Int(128) } else { Type::I64 };
                    let mask = super::read_value(frame, written, ty);
                    let unused = if wide { 0 } else { u128::MAX << 64 };
                    self.pass_written(returned, position, mask | unused);
                }
                Op::TakeWritten { wide, returned, position, written } => {
                    let mask = self.take_written(returned, position);
                    let ty = if wide { Type::Int(128) } else { Type::I64 };
                    debug_assert_eq!(slots_of(ty) == 2, wide);
                    super::write_value(frame, written, ty, mask);
                }

                Op::Begin { slot, local } => {
                    let alive = code.alive(slot);
                    if get!(alive) != 0 {
                        // A loop has come round.
                        self.end_local(world, code, pc as u32, get!(slot));
                    }
                    set!(slot, attempt!(self.begin(world, code, local)));
                    set!(alive, 1);
                }
                Op::Ensure { slot, local } => {
                    if get!(slot) == 0 {
                        set!(slot, attempt!(self.begin(world, code, local)));
                        set!(code.alive(slot), 1);
                    }
                }
                Op::End { slot, .. } => {
                    let alive = code.alive(slot);
                    if get!(alive) != 0 {
                        self.end_local(world, code, pc as u32, get!(slot));
                        set!(alive, 0);
                    }
                }
                Op::Require { condition } => {
                    if get!(condition) == 0 {
                        attempt!(self.required(code, pc as u32));
                    }
                }
                Op::Command { operands } => {
                    save!();
                    attempt!(self.general_command(world, code, pc as u32, frame, operands));
                }
                Op::Unreachable => {
                    stop!(Fault::new(ViolationKind::Unreachable, Detail::None).into())
                }
                Op::Observe { effect, value, address } => {
                    self.observe(world, code, pc as u32, frame, effect, value, address);
                }
            }
        }
    }

    /// The target that the address is the label of.
    fn label(&self, code: &Code, table: crate::exec::bytecode::TableId, address: Address) -> Result<(usize, Pc), Stop> {
        let JumpTable::Labels(targets) = &code.tables[table.0 as usize] else {
            unreachable!("an indirect goto has a table of labels");
        };
        let block = address.offset() - 1;
        let own = address.object() == crate::exec::compile::function_object(code.function);
        let found = targets.iter().enumerate().find(|(_, (target, _))| own && i64::from(target.0) == block);
        match found {
            Some((way, (_, pc))) => Ok((way, *pc)),
            None => {
                let problem = format!("goto to {address}, which is no label of this function");
                Err(Fault::new(ViolationKind::BadCall, Detail::Call { function: None, problem }).into())
            }
        }
    }
}

fn case(table: &JumpTable, value: u128) -> Pc {
    match table {
        JumpTable::Dense { first, targets, default } => {
            let position = (value as u64).wrapping_sub(*first);
            usize::try_from(position).ok().and_then(|position| targets.get(position)).copied().unwrap_or(*default)
        }
        JumpTable::Sparse { cases, default, .. } => {
            cases.binary_search_by_key(&value, |(case, _)| *case).map_or(*default, |found| cases[found].1)
        }
        JumpTable::Labels(_) => unreachable!("a switch has no table of labels"),
    }
}
