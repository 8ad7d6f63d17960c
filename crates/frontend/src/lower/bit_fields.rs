//! Bit-fields: from clang's shifts and masks back to reads and writes of some bits.
//!
//! clang names the instructions of such an access `bf.…`; code that came without names keeps its
//! shifts and masks, which mean the same but show more than the source does.

use program::{BinaryOp, BitField, CommandKind, ExprId, ExprKind, Load, Sign, Type};

use super::function::FunctionLowering;
use crate::llvm::{Opcode, TyKind, Value, ValueKind};

impl FunctionLowering<'_, '_> {
    /// The read of a bit-field that this instruction completes.
    pub fn build_bit_field(&mut self, value: Value) -> Result<Option<ExprId>, String> {
        let Some((load, bits)) = read_pattern(value) else { return Ok(None) };
        // A load that had to be kept in a temporary was read whole.
        if self.held.contains_key(&load) {
            return Ok(None);
        }
        let site = self.site(value);
        let TyKind::Int(width) = load.ty().kind() else { return Ok(None) };
        let address = self.build(load.operand(0), 0)?;
        let load = Load { address, bits: Some(bits), copy: false };
        Ok(Some(self.node(ExprKind::Load(load), Type::Int(width as u16), site)))
    }

    /// Emits the write of a bit-field, if the store is one.
    pub fn lower_bit_field_store(&mut self, store: Value) -> Result<bool, String> {
        let Some(write) = write_pattern(store) else { return Ok(false) };
        if self.held.contains_key(&store.operand(0)) {
            return Ok(false);
        }
        let site = self.site(store);
        let ty = Type::Int(write.storage as u16);
        let bits = BitField { offset: write.offset as u8, width: write.width as u8, signed: false };
        let value = self.field_value(&write, ty)?;
        let address = self.build(store.operand(1), 0)?;
        self.emit(CommandKind::Store { address, value, bits: Some(bits) }, site);
        Ok(true)
    }

    /// The value that goes into the field, before it was shifted into place.
    fn field_value(&mut self, write: &Write, ty: Type) -> Result<ExprId, String> {
        let Some(placed) = write.placed else { return Ok(self.constant(0, ty)) };
        if placed.kind() == ValueKind::Int {
            return Ok(self.constant(placed.int_bits() >> write.offset, ty));
        }
        if !self.held.contains_key(&placed) {
            let mut inner = placed;
            if write.offset > 0 && is(inner, Opcode::LLVMShl, "bf.shl") {
                inner = inner.operand(0);
            }
            if inner != placed || write.offset == 0 {
                if !self.held.contains_key(&inner) && is(inner, Opcode::LLVMAnd, "bf.value") {
                    inner = inner.operand(0);
                }
                return self.build(inner, 0);
            }
        }
        let placed = self.build(placed, 0)?;
        let by = self.constant(u128::from(write.offset), ty);
        Ok(self.binary(BinaryOp::ShiftRight(Sign::Unsigned), placed, by, ty, program::Site::NONE))
    }
}

struct Write {
    offset: u32,
    width: u32,
    storage: u32,
    /// The new bits, already at their place in the storage unit; all zero if `None`.
    placed: Option<Value>,
}

fn is(value: Value, opcode: Opcode, name: &str) -> bool {
    value.kind() == ValueKind::Instruction && value.opcode() == opcode && value.name().starts_with(name)
}

fn constant(value: Value) -> Option<u128> {
    (value.kind() == ValueKind::Int).then(|| value.int_bits())
}

/// `bf.ashr(bf.shl(load, left), right)`, `bf.clear(bf.lshr(load, offset), mask)` and their short forms.
fn read_pattern(value: Value) -> Option<(Value, BitField)> {
    let TyKind::Int(storage @ 1..=128) = value.ty().kind() else { return None };
    let is_load = |value| is(value, Opcode::LLVMLoad, "bf.load");
    let unsigned = |offset: u128, width: u32| BitField { offset: offset as u8, width: width as u8, signed: false };
    if is(value, Opcode::LLVMAShr, "bf.ashr") {
        let right = constant(value.operand(1))?;
        let (load, left) = match value.operand(0) {
            inner if is(inner, Opcode::LLVMShl, "bf.shl") => (inner.operand(0), constant(inner.operand(1))?),
            inner => (inner, 0),
        };
        let field = BitField {
            offset: right.checked_sub(left)? as u8,
            width: (u128::from(storage) - right) as u8,
            signed: true,
        };
        return is_load(load).then_some((load, field));
    }
    if is(value, Opcode::LLVMAnd, "bf.clear") {
        let mask = constant(value.operand(1))?;
        let (load, offset) = match value.operand(0) {
            inner if is(inner, Opcode::LLVMLShr, "bf.lshr") => (inner.operand(0), constant(inner.operand(1))?),
            inner => (inner, 0),
        };
        // The mask of a write has its ones outside the field.
        let is_low_mask = mask != 0 && (mask & (mask + 1)) == 0;
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
    let TyKind::Int(storage @ 1..=128) = set.ty().kind() else { return None };
    let kept = constant(clear.operand(1))?;
    let field = !kept & (u128::MAX >> (128 - storage));
    if field == 0 {
        return None;
    }
    let (offset, width) = (field.trailing_zeros(), field.count_ones());
    Some(Write { offset, width, storage, placed })
}
