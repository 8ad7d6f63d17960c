//! Loads and stores, and the addresses that merge with them.

use super::Compiler;
use crate::exec::bytecode::{Op, Slot, slots_of};
use crate::exec::memory::{Address, OBJECT_SIZE_LIMIT};
use crate::exec::violation::ViolationKind;
use crate::{ExprId, ExprKind, Index, Load, LocalId, Object, Type};

/// An address that is not computed yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Register {
        base: Slot,
        offset: i32,
    },
    Indexed {
        base: Slot,
        index: Slot,
        stride: u16,
    },
    /// In an object that exists throughout the run.
    Global {
        object: u32,
        offset: u32,
    },
    GlobalIndexed {
        object: u32,
        index: Slot,
        stride: u16,
    },
}

/// Sizes that the fast loads and stores are made for.
#[derive(Clone, Copy, Debug)]
enum Size {
    Byte,
    Half,
    Word,
    Double,
}

fn size(ty: Type) -> Option<Size> {
    match ty.bits() {
        8 => Some(Size::Byte),
        16 => Some(Size::Half),
        32 => Some(Size::Word),
        64 => Some(Size::Double),
        _ => None,
    }
}

impl Compiler<'_> {
    /// Where the expression points to. `dereferenced`: it is accessed right away, so the address past
    /// an array's end is no good.
    pub(super) fn place(&mut self, id: ExprId, dereferenced: bool) -> Place {
        let mut offset = 0i64;
        let mut current = id;
        let mut accessed = dereferenced;
        loop {
            match &self.body.expr(current).kind {
                ExprKind::Field(field) => match checked_offset(offset, 1, field.offset as i64) {
                    Some(sum) => {
                        offset = sum;
                        current = field.base;
                        // A member is part of an element that must exist.
                        accessed = true;
                    }
                    None => break,
                },
                ExprKind::Index(index) => {
                    let index = *index;
                    let known = self.constant(index.index).map(|bits| bits as i64);
                    match known.and_then(|element| checked_offset(offset, element, index.stride as i64)) {
                        Some(sum) => {
                            self.check_constant_index(current, index, accessed);
                            offset = sum;
                            current = index.base;
                        }
                        None => return self.indexed(current, index, accessed, offset),
                    }
                }
                _ => break,
            }
        }
        self.based(current, id, offset)
    }

    /// The base is no index and no member.
    fn based(&mut self, base: ExprId, whole: ExprId, offset: i64) -> Place {
        if let ExprKind::Address(Object::Global(_)) = self.body.expr(base).kind {
            let address = Address(self.constant(base).unwrap_or(0) as u64);
            if let Some(offset) = u32::try_from(offset).ok().filter(|&offset| u64::from(offset) < OBJECT_SIZE_LIMIT) {
                return Place::Global { object: address.object().0, offset };
            }
        }
        let slot = match self.body.expr(base).kind {
            // Too large an offset for one step.
            ExprKind::Field(_) | ExprKind::Index(_) => {
                let to = self.temporary(1);
                self.far(base, to);
                to
            }
            _ => self.value(base),
        };
        match i32::try_from(offset) {
            Ok(offset) => Place::Register { base: slot, offset },
            Err(_) => {
                let base = self.sum(whole, slot, offset);
                Place::Register { base, offset: 0 }
            }
        }
    }

    /// A member whose offset is beyond all reason.
    fn far(&mut self, id: ExprId, to: Slot) {
        if let ExprKind::Field(field) = &self.body.expr(id).kind {
            let (base, offset) = (field.base, field.offset);
            let base = self.value(base);
            let sum = self.sum(id, base, offset as i64);
            self.emit_for(id, Op::Move { to, from: sum });
        } else {
            self.value_into(id, to);
        }
    }

    fn sum(&mut self, id: ExprId, left: Slot, offset: i64) -> Slot {
        let to = self.temporary(1);
        self.emit_for(id, Op::Immediate { to, value: offset as u64 });
        self.emit_for(id, Op::Add64 { to, left, right: to });
        to
    }

    fn indexed(&mut self, id: ExprId, index: Index, accessed: bool, offset: i64) -> Place {
        let element = self.value(index.index);
        if let Some(count) = index.count.filter(|_| self.checks(ViolationKind::ArrayIndex)) {
            self.emit_for(id, Op::CheckIndex { past_end: !accessed, index: element, count });
        }
        let base = self.place(index.base, accessed);
        let stride = u16::try_from(index.stride).ok();
        match (base, stride, offset) {
            (Place::Register { base, offset: 0 }, Some(stride), 0) => Place::Indexed { base, index: element, stride },
            (Place::Global { object, offset: 0 }, Some(stride), 0) => {
                Place::GlobalIndexed { object, index: element, stride }
            }
            _ => {
                let base = self.place_slot(id, base);
                let to = self.scaled(id, base, element, index.stride);
                match i32::try_from(offset) {
                    Ok(offset) => Place::Register { base: to, offset },
                    Err(_) => Place::Register { base: self.sum(id, to, offset), offset: 0 },
                }
            }
        }
    }

    fn scaled(&mut self, id: ExprId, base: Slot, index: Slot, stride: u64) -> Slot {
        let to = self.temporary(1);
        match u16::try_from(stride) {
            Ok(stride) => self.emit_for(id, Op::Scale { stride, to, base, index }),
            Err(_) => {
                self.emit_for(id, Op::Immediate { to, value: stride });
                self.emit_for(id, Op::ScaleBy { to, base, index });
            }
        }
        to
    }

    fn check_constant_index(&mut self, id: ExprId, index: Index, accessed: bool) {
        let Some(count) = index.count.filter(|_| self.checks(ViolationKind::ArrayIndex)) else { return };
        let element = self.constant(index.index).unwrap_or(0) as u64;
        if element < count || (element == count && !accessed) {
            return;
        }
        let slot = self.temporary(1);
        self.emit_for(id, Op::Immediate { to: slot, value: element });
        self.emit_for(id, Op::CheckIndex { past_end: !accessed, index: slot, count });
    }

    /// The address itself.
    pub(super) fn place_into(&mut self, id: ExprId, place: Place, to: Slot) {
        match place {
            Place::Register { base, offset } => self.emit_for(id, Op::Add64Imm { to, left: base, value: offset }),
            Place::Indexed { base, index, stride } => self.emit_for(id, Op::Scale { stride, to, base, index }),
            Place::Global { object, offset } => {
                self.emit_for(id, Op::Immediate { to, value: u64::from(object) << 32 | u64::from(offset) });
            }
            Place::GlobalIndexed { object, index, stride } => {
                let base = self.temporary(1);
                self.emit_for(id, Op::Immediate { to: base, value: u64::from(object) << 32 });
                self.emit_for(id, Op::Scale { stride, to, base, index });
            }
        }
    }

    pub(super) fn place_slot(&mut self, id: ExprId, place: Place) -> Slot {
        match place {
            Place::Register { base, offset: 0 } => base,
            _ => {
                let to = self.temporary(1);
                self.place_into(id, place, to);
                to
            }
        }
    }

    pub(super) fn load(&mut self, id: ExprId, load: Load, to: Slot) {
        let place = self.place(load.address, true);
        let size = size(self.ty(id)).filter(|_| load.bits.is_none());
        match size {
            Some(size) => self.emit_for(id, load_op(size, place, to)),
            None => {
                let address = self.place_slot(load.address, place);
                self.emit_for(id, Op::LoadAny { to, address });
            }
        }
    }

    /// Evaluates a value on a journey together with its written-mask; `None` if all was written.
    pub(super) fn journey(&mut self, id: ExprId) -> (Slot, Option<Slot>) {
        let slots = slots_of(self.ty(id));
        match &self.body.expr(id).kind {
            ExprKind::Load(load) if load.copy && self.checks(ViolationKind::Uninitialized) => {
                let place = self.place(load.address, true);
                let address = self.place_slot(load.address, place);
                let (to, written) = (self.temporary(slots), self.temporary(slots));
                self.emit_for(id, Op::LoadCopy { to, address, written });
                (to, Some(written))
            }
            ExprKind::Variable(variable) if self.masks[variable.index()].is_some() => {
                self.check_assigned(id, *variable);
                (self.variable(*variable), self.masks[variable.index()])
            }
            _ => (self.value(id), None),
        }
    }

    /// Stores without bits or masks; `value` has the type `ty`.
    pub(super) fn store(&mut self, address: ExprId, place: Place, value: Slot, ty: Type) {
        match size(ty) {
            Some(size) => self.emit(store_op(size, place, value)),
            None => {
                let address = self.place_slot(address, place);
                self.emit(Op::StoreAny { value, address });
            }
        }
    }

    /// Jumping past a declaration does not keep an object from existing.
    pub(super) fn ensure_begun(&mut self, local: LocalId) {
        if self.state.local(local) {
            let slot = self.local(local);
            self.emit(Op::Ensure { slot, local });
        }
    }
}

fn checked_offset(offset: i64, count: i64, stride: i64) -> Option<i64> {
    let sum = offset.checked_add(count.checked_mul(stride)?)?;
    (stride >= 0 && sum.unsigned_abs() < OBJECT_SIZE_LIMIT).then_some(sum)
}

fn load_op(size: Size, place: Place, to: Slot) -> Op {
    macro_rules! sized {
        ($plain:ident, $at:ident, $global:ident, $global_at:ident) => {
            match place {
                Place::Register { base, offset } => Op::$plain { to, address: base, offset },
                Place::Indexed { base, index, stride } => Op::$at { stride, to, base, index },
                Place::Global { object, offset } => Op::$global { to, object, offset },
                Place::GlobalIndexed { object, index, stride } => Op::$global_at { stride, to, object, index },
            }
        };
    }
    match size {
        Size::Byte => sized!(Load8, Load8At, Load8Global, Load8GlobalAt),
        Size::Half => sized!(Load16, Load16At, Load16Global, Load16GlobalAt),
        Size::Word => sized!(Load32, Load32At, Load32Global, Load32GlobalAt),
        Size::Double => sized!(Load64, Load64At, Load64Global, Load64GlobalAt),
    }
}

fn store_op(size: Size, place: Place, value: Slot) -> Op {
    macro_rules! sized {
        ($plain:ident, $at:ident, $global:ident, $global_at:ident) => {
            match place {
                Place::Register { base, offset } => Op::$plain { value, address: base, offset },
                Place::Indexed { base, index, stride } => Op::$at { stride, value, base, index },
                Place::Global { object, offset } => Op::$global { value, object, offset },
                Place::GlobalIndexed { object, index, stride } => Op::$global_at { stride, value, object, index },
            }
        };
    }
    match size {
        Size::Byte => sized!(Store8, Store8At, Store8Global, Store8GlobalAt),
        Size::Half => sized!(Store16, Store16At, Store16Global, Store16GlobalAt),
        Size::Word => sized!(Store32, Store32At, Store32Global, Store32GlobalAt),
        Size::Double => sized!(Store64, Store64At, Store64Global, Store64GlobalAt),
    }
}
