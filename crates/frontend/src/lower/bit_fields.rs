//! Bit-fields: from clang's shifts and masks back to reads and writes of some bits.
//!
//! clang names the instructions of such an access `bf.…`; code that came without names keeps its
//! shifts and masks, which mean the same but show more than the source does.

use program::{BinaryOp, BitField, CastOp, CommandKind, ExprId, ExprKind, Load, Sign, Site, Type};

use super::function::FunctionLowering;
use crate::llvm::{Opcode, TyKind, Value, ValueKind};

/// Some bits of the storage unit that clang loads or stores whole.
#[derive(Clone, Copy)]
struct Part {
    offset: u32,
    width: u32,
    signed: bool,
    /// Bits of the unit; in packed structs this can be more than any scalar has.
    storage: u32,
}

impl Part {
    /// The unit's type, the bits in it, and how many bytes behind the original unit it begins. A unit
    /// too wide for a scalar is narrowed to the bytes that the field touches.
    fn located(self) -> (Type, BitField, u64) {
        let field = |offset: u32| BitField { offset: offset as u8, width: self.width as u8, signed: self.signed };
        if self.storage <= 128 {
            return (Type::Int(self.storage as u16), field(self.offset), 0);
        }
        let within = self.offset % 8;
        let bytes = (within + self.width).div_ceil(8);
        (Type::Int(8 * bytes as u16), field(within), u64::from(self.offset / 8))
    }
}

impl FunctionLowering<'_, '_> {
    /// The read of a bit-field that this instruction completes.
    pub fn build_bit_field(&mut self, value: Value) -> Result<Option<ExprId>, String> {
        let Some((load, part)) = read_pattern(value) else { return Ok(None) };
        // A load that had to be kept in a temporary was read whole.
        if self.held.contains_key(&load) {
            return Ok(None);
        }
        let site = self.site(value);
        let (ty, bits, skipped) = part.located();
        let base = self.build(load.operand(0), 0)?;
        let address = self.member(base, skipped, None, site);
        let load = Load { address, bits: Some(bits), copy: false };
        Ok(Some(self.node(ExprKind::Load(load), ty, site)))
    }

    /// A conversion of a bit-field whose unit was too wide for a scalar: from the narrowed unit.
    pub fn build_narrowed(&mut self, operand: ExprId, ty: Type, site: Site) -> ExprId {
        let from = self.body.expr(operand);
        let signed = matches!(from.kind, ExprKind::Load(Load { bits: Some(BitField { signed: true, .. }), .. }));
        let op = match from.ty.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Equal => return operand,
            std::cmp::Ordering::Greater => CastOp::Truncate,
            std::cmp::Ordering::Less if signed => CastOp::SignExtend,
            std::cmp::Ordering::Less => CastOp::ZeroExtend,
        };
        self.cast(op, operand, ty, site)
    }

    /// Emits the write of a bit-field, if the store is one.
    pub fn lower_bit_field_store(&mut self, store: Value) -> Result<bool, String> {
        let Some(write) = write_pattern(store) else { return Ok(false) };
        if self.held.contains_key(&store.operand(0)) {
            return Ok(false);
        }
        let site = self.site(store);
        let (ty, bits, skipped) = write.part.located();
        let value = self.field_value(&write, ty)?;
        let base = self.build(store.operand(1), 0)?;
        let address = self.member(base, skipped, None, site);
        self.emit(CommandKind::Store { address, value, bits: Some(bits) }, site);
        Ok(true)
    }

    /// The value that goes into the field, before it was shifted into place.
    fn field_value(&mut self, write: &Write, ty: Type) -> Result<ExprId, String> {
        let offset = write.part.offset;
        let Some(placed) = write.placed else { return Ok(self.constant(0, ty)) };
        if placed.kind() == ValueKind::Int {
            return Ok(self.constant(bits_from(&placed.int_words(), offset), ty));
        }
        if !self.held.contains_key(&placed) {
            let mut inner = placed;
            if offset > 0 && is(inner, Opcode::LLVMShl, "bf.shl") {
                inner = inner.operand(0);
            }
            if inner != placed || offset == 0 {
                return self.field_source(inner, write.part.storage, ty);
            }
        }
        let placed = self.build(placed, 0)?;
        let by = self.constant(u128::from(offset), ty);
        Ok(self.binary(BinaryOp::ShiftRight(Sign::Unsigned), placed, by, ty, Site::NONE))
    }

    /// What was masked to the field's width, and extended before that to a very wide unit.
    fn field_source(&mut self, value: Value, storage: u32, ty: Type) -> Result<ExprId, String> {
        let mut inner = value;
        if !self.held.contains_key(&inner) && is(inner, Opcode::LLVMAnd, "bf.value") {
            inner = inner.operand(0);
        }
        if storage <= 128 {
            return self.build(inner, 0);
        }
        if inner.kind() == ValueKind::Int {
            return Ok(self.constant(inner.int_bits(), ty));
        }
        if matches!(inner.opcode(), Opcode::LLVMZExt | Opcode::LLVMSExt) {
            inner = inner.operand(0);
        }
        let source = self.build(inner, 0)?;
        let op = match self.body.expr(source).ty.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Equal => return Ok(source),
            std::cmp::Ordering::Greater => CastOp::Truncate,
            std::cmp::Ordering::Less => CastOp::ZeroExtend,
        };
        Ok(self.cast(op, source, ty, Site::NONE))
    }
}

struct Write {
    part: Part,
    /// The new bits, already at their place in the storage unit; all zero if `None`.
    placed: Option<Value>,
}

fn is(value: Value, opcode: Opcode, name: &str) -> bool {
    value.kind() == ValueKind::Instruction && value.opcode() == opcode && value.name().starts_with(name)
}

fn constant(value: Value) -> Option<u128> {
    (value.kind() == ValueKind::Int).then(|| value.int_bits())
}

/// 128 bits of a wide number, from a bit offset on.
fn bits_from(words: &[u64], offset: u32) -> u128 {
    let word = |index: usize| u128::from(words.get(index).copied().unwrap_or(0));
    let (first, shift) = ((offset / 64) as usize, offset % 64);
    let low = word(first) | word(first + 1) << 64;
    if shift == 0 { low } else { low >> shift | word(first + 2) << (128 - shift) }
}

/// `bf.ashr(bf.shl(load, left), right)`, `bf.clear(bf.lshr(load, offset), mask)` and their short forms.
fn read_pattern(value: Value) -> Option<(Value, Part)> {
    let TyKind::Int(storage) = value.ty().kind() else { return None };
    let is_load = |value| is(value, Opcode::LLVMLoad, "bf.load");
    if is(value, Opcode::LLVMAShr, "bf.ashr") {
        let right = constant(value.operand(1))? as u32;
        let (load, left) = match value.operand(0) {
            inner if is(inner, Opcode::LLVMShl, "bf.shl") => (inner.operand(0), constant(inner.operand(1))? as u32),
            inner => (inner, 0),
        };
        let part = Part { offset: right.checked_sub(left)?, width: storage - right, signed: true, storage };
        return is_load(load).then_some((load, part));
    }
    let unsigned = |offset: u128, width: u32| Part { offset: offset as u32, width, signed: false, storage };
    if is(value, Opcode::LLVMAnd, "bf.clear") {
        let mask = constant(value.operand(1))?;
        let (load, offset) = match value.operand(0) {
            inner if is(inner, Opcode::LLVMLShr, "bf.lshr") => (inner.operand(0), constant(inner.operand(1))?),
            inner => (inner, 0),
        };
        // The mask of a write has its ones outside the field.
        let is_low_mask = mask != 0 && (mask & mask.wrapping_add(1)) == 0;
        let is_write =
            value.users().iter().any(|&user| is(user, Opcode::LLVMOr, "bf.set") || clears(user, value, load));
        return (is_load(load) && is_low_mask && !is_write).then(|| (load, unsigned(offset, mask.count_ones())));
    }
    if is(value, Opcode::LLVMLShr, "bf.lshr") && is_load(value.operand(0)) {
        let offset = constant(value.operand(1))?;
        return Some((value.operand(0), unsigned(offset, storage - offset as u32)));
    }
    None
}

/// Whether the store writes back the storage unit with a field cleared: C's `s.f = 0`.
fn clears(store: Value, clear: Value, load: Value) -> bool {
    store.opcode() == Opcode::LLVMStore && store.operand(0) == clear && store.operand(1) == load.operand(0)
}

/// `store(bf.set(bf.clear(load, mask), placed))`, or `store(bf.clear(load, mask))` for a zero.
fn write_pattern(store: Value) -> Option<Write> {
    let set = store.operand(0);
    let (clear, placed) = match set {
        set if is(set, Opcode::LLVMOr, "bf.set") => (set.operand(0), Some(set.operand(1))),
        clear => (clear, None),
    };
    if !is(clear, Opcode::LLVMAnd, "bf.clear") || !is(clear.operand(0), Opcode::LLVMLoad, "bf.load") {
        return None;
    }
    if placed.is_none() && !clears(store, clear, clear.operand(0)) {
        return None;
    }
    let TyKind::Int(storage) = set.ty().kind() else { return None };
    constant(clear.operand(1))?;
    let kept = clear.operand(1).int_words();
    let is_kept = |bit: u32| kept[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
    let offset = (0..storage).find(|&bit| !is_kept(bit))?;
    let width = (offset..storage).take_while(|&bit| !is_kept(bit)).count() as u32;
    Some(Write { part: Part { offset, width, signed: false, storage }, placed })
}
