//! `va_list` as the System V ABI for x86-64 lays it out (section 3.5.7), since clang expands
//! `va_arg` inline: 24 bytes { u32 gp_offset; u32 fp_offset; ptr overflow_arg_area; ptr reg_save_area }.
//!
//! Input: a function's named parameters and the unnamed arguments of a call. Output: the areas as
//! objects, and the list in memory; [`VaList`] reads one, for `vprintf` and its like.

use super::host::{ArgumentValue, Stop};
use super::memory::{Address, Memory, MemoryResult, ObjectId, ObjectKind};
use crate::{Float, FunctionId, Parameter, Site, Type};

const GP_END: u32 = 48;
const REGISTER_AREA: u32 = 176;

/// Where the ABI puts an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// So many general registers.
    General(u32),
    /// An SSE register.
    Vector,
    /// The stack, with this size and alignment.
    Stack { size: u64, align: u64 },
}

fn class(ty: Type, copied: Option<(u64, u32)>) -> Class {
    match (copied, ty) {
        (Some((size, align)), _) => Class::Stack { size, align: u64::from(align.clamp(8, 16)) },
        (None, Type::Float(Float::X87)) => Class::Stack { size: 16, align: 16 },
        (None, Type::Float(_)) => Class::Vector,
        (None, Type::Int(width)) if width > 64 => Class::General(2),
        (None, _) => Class::General(1),
    }
}

/// The registers that are taken, as byte offsets into the register area.
struct Registers {
    gp: u32,
    fp: u32,
}

impl Registers {
    /// The offset in the register area, or `None` for the stack.
    fn take(&mut self, class: Class) -> Option<u32> {
        let (next, size, end) = match class {
            Class::General(count) => (&mut self.gp, 8 * count, GP_END),
            Class::Vector => (&mut self.fp, 16, REGISTER_AREA),
            Class::Stack { .. } => return None,
        };
        (*next + size <= end).then(|| std::mem::replace(next, *next + size))
    }
}

/// The two areas behind a list; they live as long as the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    pub registers: ObjectId,
    pub overflow: ObjectId,
    gp_offset: u32,
    fp_offset: u32,
}

/// Lays out the unnamed arguments after the named ones.
pub fn lay_out(
    memory: &mut Memory,
    function: FunctionId,
    parameters: &[Parameter],
    unnamed: &[ArgumentValue],
    site: Site,
) -> Result<Areas, Stop> {
    let mut taken = Registers { gp: 0, fp: GP_END };
    let mut stack = 0u64;
    for parameter in parameters {
        // A copied parameter's alignment is not known here; the stack's start is aligned anyway and
        // the overflow area starts at the first unnamed argument.
        taken.take(class(parameter.ty, parameter.copied.map(|size| (size, 8))));
    }
    let (gp_offset, fp_offset) = (taken.gp, taken.fp);
    let kind = ObjectKind::VariableArguments(function);
    let registers = memory.allocate(kind, u64::from(REGISTER_AREA), site)?;
    let mut overflowing = Vec::new();
    for argument in unnamed {
        let class = class(argument.ty, argument.copied);
        match taken.take(class) {
            Some(offset) => write_argument(memory, registers.plus(i64::from(offset)), argument)?,
            None => {
                let (size, align) = match class {
                    Class::Stack { size, align } => (size, align),
                    Class::General(2) => (16, 16),
                    _ => (8, 8),
                };
                stack = stack.next_multiple_of(align);
                overflowing.push((stack, argument));
                stack = (stack + size).next_multiple_of(8);
            }
        }
    }
    let overflow = memory.allocate(kind, stack, site)?;
    for (offset, argument) in overflowing {
        write_argument(memory, overflow.plus(offset as i64), argument)?;
    }
    Ok(Areas { registers: registers.object(), overflow: overflow.object(), gp_offset, fp_offset })
}

fn write_argument(memory: &mut Memory, at: Address, argument: &ArgumentValue) -> MemoryResult<()> {
    if let Some((size, _)) = argument.copied {
        return memory.copy(at, Address(argument.bits as u64), size);
    }
    // A register holds at least 8 bytes; what is above a narrower value is not looked at.
    let bytes = argument.ty.bytes().max(8) as usize;
    memory.write_with_masks(at, &argument.bits.to_le_bytes()[..bytes], &argument.written.to_le_bytes()[..bytes])
}

/// Writes the 24 bytes that `va_start` writes.
pub fn start(memory: &mut Memory, list: Address, areas: Areas) -> MemoryResult<()> {
    memory.write_u32(list, areas.gp_offset)?;
    memory.write_u32(list.plus(4), areas.fp_offset)?;
    memory.write_u64(list.plus(8), Address::new(areas.overflow, 0).0)?;
    memory.write_u64(list.plus(16), Address::new(areas.registers, 0).0)
}

/// Reads a `va_list` as `va_arg` does, and moves it on.
#[derive(Clone, Copy, Debug)]
pub struct VaList {
    list: Address,
}

impl VaList {
    pub fn at(list: Address) -> VaList {
        VaList { list }
    }

    /// The next integer or pointer; the caller cuts it to its width.
    pub fn next_int(&self, memory: &mut Memory) -> MemoryResult<u64> {
        let at = self.advance(memory, Class::General(1))?;
        memory.load_u64(at)
    }

    pub fn next_pointer(&self, memory: &mut Memory) -> MemoryResult<Address> {
        self.next_int(memory).map(Address)
    }

    pub fn next_double(&self, memory: &mut Memory) -> MemoryResult<f64> {
        let at = self.advance(memory, Class::Vector)?;
        memory.load_u64(at).map(f64::from_bits)
    }

    /// The 80 bits of a `long double`.
    pub fn next_x87(&self, memory: &mut Memory) -> MemoryResult<u128> {
        let at = self.advance(memory, Class::Stack { size: 16, align: 16 })?;
        let mut bytes = [0; 16];
        bytes[..10].copy_from_slice(&memory.load::<10>(at)?);
        Ok(u128::from_le_bytes(bytes))
    }

    /// Where the next argument of this class lies; the list points past it then.
    fn advance(&self, memory: &mut Memory, class: Class) -> MemoryResult<Address> {
        let mut taken = Registers { gp: memory.load_u32(self.list)?, fp: memory.load_u32(self.list.plus(4))? };
        if let Some(offset) = taken.take(class) {
            memory.write_u32(self.list, taken.gp)?;
            memory.write_u32(self.list.plus(4), taken.fp)?;
            let area = memory.load_u64(self.list.plus(16))?;
            return Ok(Address(area).plus(i64::from(offset)));
        }
        let (size, align) = match class {
            Class::Stack { size, align } => (size, align),
            _ => (8, 8),
        };
        let next = memory.load_u64(self.list.plus(8))?;
        let at = next.wrapping_add(align - 1) & !(align - 1);
        memory.write_u64(self.list.plus(8), at.wrapping_add(size))?;
        Ok(Address(at))
    }
}
