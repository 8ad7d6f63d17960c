//! Addresses, loads, stores and atomic updates.
//!
//! Atomic operations are plain ones here: there is only one thread.

use llvm_sys::LLVMAtomicRMWBinOp;
use program::{
    BinaryOp, Builtin, CType, CommandKind, Comparison, ExprId, ExprKind, Field, FloatOp, Index, Load, Overflow, Sign,
    Site, Type, UnaryOp,
};

use super::function::FunctionLowering;
use super::globals::sign_extend;
use super::homes::Home;
use super::shapes;
use crate::llvm::{Opcode, TyKind, Value, ValueKind};

impl FunctionLowering<'_, '_> {
    /// One scalar of a load.
    pub fn build_load(&mut self, load: Value, lane: usize, copy: bool) -> Result<ExprId, String> {
        let site = self.site(load);
        let address = load.operand(0);
        if let Some(&Home::Variable(variable)) = self.homes.get(&address) {
            return Ok(self.variable(variable, site));
        }
        let pieces = self.unit.pieces(load.ty())?;
        // A struct that is loaded whole is being moved, padding and all.
        let copy = copy || load.ty().kind() == TyKind::Struct || load.ty().kind() == TyKind::Array;
        let base = self.build(address, 0)?;
        let piece = pieces[lane];
        let address = self.member(base, piece.offset, None, site);
        Ok(self.node(ExprKind::Load(Load { address, bits: None, copy }), piece.ty, site))
    }

    /// The scalars of a value that is handed on as it is: an argument or a result. If it was loaded
    /// from a struct for that, the bytes of the struct travel, written or not.
    pub fn build_moved(&mut self, value: Value) -> Result<Vec<ExprId>, String> {
        match self.is_read_here(value) && self.is_struct_address(value.operand(0)) {
            true => self.build_copied(value),
            false => self.build_all(value),
        }
    }

    /// The scalars of a value that goes from memory to memory: that they were never written matters
    /// only to whoever uses them.
    fn build_stored(&mut self, value: Value) -> Result<Vec<ExprId>, String> {
        match self.is_read_here(value) {
            true => self.build_copied(value),
            false => self.build_all(value),
        }
    }

    /// Whether the value is a load that becomes part of the command being emitted.
    fn is_read_here(&self, value: Value) -> bool {
        let is_load = value.kind() == ValueKind::Instruction && value.opcode() == Opcode::LLVMLoad;
        is_load && !self.held.contains_key(&value)
    }

    fn build_copied(&mut self, value: Value) -> Result<Vec<ExprId>, String> {
        let count = self.unit.scalars(value.ty())?.len();
        (0..count).map(|lane| self.build_load(value, lane, true)).collect()
    }

    /// Whether an address is that of a struct (or a part of one) that clang moves through registers.
    fn is_struct_address(&self, address: Value) -> bool {
        let is_instruction = address.kind() == ValueKind::Instruction;
        if is_instruction && address.opcode() == Opcode::LLVMGetElementPtr {
            let is_coerced = address.name().starts_with("coerce") || address.gep_source_type().is_literal_struct();
            if is_coerced {
                return true;
            }
        }
        match self.pointee(address) {
            Some(ctype) => matches!(self.unit.ctype(ctype), CType::Record { .. }),
            None => {
                is_instruction
                    && address.opcode() == Opcode::LLVMAlloca
                    && matches!(address.allocated_type().kind(), TyKind::Struct | TyKind::Array)
            }
        }
    }

    /// An address some bytes behind another; the very address for offset 0 without a name.
    pub fn member(&mut self, base: ExprId, offset: u64, name: Option<Box<str>>, site: Site) -> ExprId {
        if offset == 0 && name.is_none() {
            return base;
        }
        self.node(ExprKind::Field(Field { base, offset, name }), Type::Pointer, site)
    }

    pub fn build_gep(&mut self, gep: Value) -> Result<ExprId, String> {
        if gep.ty().kind() != TyKind::Pointer {
            return Err(format!("values of type `{}`", gep.ty()));
        }
        let site = self.site(gep);
        let mut address = self.build(gep.operand(0), 0)?;
        let mut ty = gep.gep_source_type();
        let mut described = self.pointee(gep.operand(0));
        let is_decay = gep.name().starts_with("arraydecay");
        for operand in 1..gep.operand_count() {
            let index = gep.operand(operand);
            if operand == 1 {
                let stride = self.unit.layout.size(ty);
                address = self.build_index(address, index, stride, None, site)?;
            } else if ty.kind() == TyKind::Struct {
                let number = index.int_bits() as usize;
                let offset = self.unit.layout.offset(ty, number);
                let member = described.and_then(|record| self.unit.member_at(record, offset));
                let name = member.as_ref().map(|(name, _)| name.as_str().into());
                described = member.map(|(_, ctype)| ctype);
                address = self.member(address, offset, name, site);
                ty = ty.members()[number];
            } else {
                let count = (!is_open_array(gep)).then_some(ty.count());
                ty = ty.element();
                described = described.and_then(|array| self.unit.element_of(array));
                if !is_decay {
                    let stride = self.unit.layout.size(ty);
                    address = self.element(address, index, stride, count, site)?;
                }
            }
        }
        Ok(address)
    }

    /// `base + index * stride`; nothing for a constant 0.
    fn build_index(
        &mut self,
        base: ExprId,
        index: Value,
        stride: u64,
        count: Option<u64>,
        site: Site,
    ) -> Result<ExprId, String> {
        if index.kind() == ValueKind::Int && sign_extend(index) == 0 {
            return Ok(base);
        }
        self.element(base, index, stride, count, site)
    }

    fn element(
        &mut self,
        base: ExprId,
        index: Value,
        stride: u64,
        count: Option<u64>,
        site: Site,
    ) -> Result<ExprId, String> {
        let index = self.build(index, 0)?;
        let index = self.extend_to_64(index, site);
        Ok(self.node(ExprKind::Index(Index { base, index, stride, count }), Type::Pointer, site))
    }

    pub fn lower_store(&mut self, store: Value) -> Result<(), String> {
        if self.done.contains(&store) || self.spills.contains(&store.operand(0)) {
            return Ok(());
        }
        let site = self.site(store);
        let (value, address) = (store.operand(0), store.operand(1));
        if let Some(&Home::Variable(target)) = self.homes.get(&address) {
            let value = self.build(value, 0)?;
            self.emit(CommandKind::Assign { target, value }, site);
            return Ok(());
        }
        if self.lower_bit_field_store(store)? {
            return Ok(());
        }
        let pieces = self.unit.pieces(value.ty())?;
        let values = self.build_stored(value)?;
        for (piece, value) in pieces.into_iter().zip(values) {
            let base = self.build(address, 0)?;
            let address = self.member(base, piece.offset, None, site);
            self.emit(CommandKind::Store { address, value, bits: None }, site);
        }
        Ok(())
    }

    pub fn lower_atomic_update(&mut self, update: Value) -> Result<(), String> {
        let site = self.site(update);
        let ty = shapes::scalar(update.ty()).ok_or_else(|| format!("values of type `{}`", update.ty()))?;
        let old = self.load_into_temporary(update.operand(0), ty, site)?;
        let left = self.variable(old, site);
        let operand = self.build(update.operand(1), 0)?;
        let value = self.updated(update.atomic_operation(), left, operand, ty, site)?;
        let address = self.build(update.operand(0), 0)?;
        self.emit(CommandKind::Store { address, value, bits: None }, site);
        self.held.insert(update, vec![old]);
        Ok(())
    }

    fn load_into_temporary(&mut self, address: Value, ty: Type, site: Site) -> Result<program::VarId, String> {
        let address = self.build(address, 0)?;
        let value = self.node(ExprKind::Load(Load { address, bits: None, copy: false }), ty, site);
        let target = self.temporaries(&[ty], site)[0];
        self.emit(CommandKind::Assign { target, value }, site);
        Ok(target)
    }

    fn updated(
        &mut self,
        op: LLVMAtomicRMWBinOp,
        old: ExprId,
        operand: ExprId,
        ty: Type,
        site: Site,
    ) -> Result<ExprId, String> {
        use LLVMAtomicRMWBinOp::*;
        let op = match op {
            LLVMAtomicRMWBinOpXchg => return Ok(operand),
            LLVMAtomicRMWBinOpAdd => BinaryOp::Add(Overflow::Wraps),
            LLVMAtomicRMWBinOpSub => BinaryOp::Sub(Overflow::Wraps),
            LLVMAtomicRMWBinOpAnd => BinaryOp::And,
            LLVMAtomicRMWBinOpOr => BinaryOp::Or,
            LLVMAtomicRMWBinOpXor => BinaryOp::Xor,
            LLVMAtomicRMWBinOpFAdd => BinaryOp::Float(FloatOp::Add),
            LLVMAtomicRMWBinOpFSub => BinaryOp::Float(FloatOp::Sub),
            LLVMAtomicRMWBinOpNand => {
                let both = self.binary(BinaryOp::And, old, operand, ty, site);
                return Ok(self.node(ExprKind::Unary(UnaryOp::Not, both), ty, site));
            }
            LLVMAtomicRMWBinOpMax | LLVMAtomicRMWBinOpMin | LLVMAtomicRMWBinOpUMax | LLVMAtomicRMWBinOpUMin => {
                let builtin = match op {
                    LLVMAtomicRMWBinOpMax => Builtin::Max(Sign::Signed),
                    LLVMAtomicRMWBinOpMin => Builtin::Min(Sign::Signed),
                    LLVMAtomicRMWBinOpUMax => Builtin::Max(Sign::Unsigned),
                    _ => Builtin::Min(Sign::Unsigned),
                };
                return Ok(self.node(ExprKind::Apply(builtin, Box::new([old, operand])), ty, site));
            }
            other => return Err(format!("atomic operation `{other:?}`")),
        };
        Ok(self.binary(op, old, operand, ty, site))
    }

    /// `{ old, old == expected }`, and the new value in memory if they were equal.
    pub fn lower_compare_exchange(&mut self, exchange: Value) -> Result<(), String> {
        let site = self.site(exchange);
        let value_type = exchange.operand(1).ty();
        let ty = shapes::scalar(value_type).ok_or_else(|| format!("values of type `{value_type}`"))?;
        let old = self.load_into_temporary(exchange.operand(0), ty, site)?;
        let left = self.variable(old, site);
        let expected = self.build(exchange.operand(1), 0)?;
        let equal = self.temporaries(&[Type::BOOL], site)[0];
        let value = self.binary(BinaryOp::Compare(Comparison::Equal), left, expected, Type::BOOL, site);
        self.emit(CommandKind::Assign { target: equal, value }, site);
        let condition = self.variable(equal, site);
        let then = self.build(exchange.operand(2), 0)?;
        let otherwise = self.variable(old, site);
        let value = self.node(ExprKind::Select { condition, then, otherwise }, ty, site);
        let address = self.build(exchange.operand(0), 0)?;
        self.emit(CommandKind::Store { address, value, bits: None }, site);
        self.held.insert(exchange, vec![old, equal]);
        Ok(())
    }
}

/// Whether the array that is indexed ends a struct: programs use such arrays beyond their bound.
fn is_open_array(gep: Value) -> bool {
    let base = gep.operand(0);
    let source = gep.gep_source_type();
    if source.kind() == TyKind::Array && source.count() <= 1 {
        return true;
    }
    if base.kind() != ValueKind::Instruction || base.opcode() != Opcode::LLVMGetElementPtr {
        return false;
    }
    let record = base.gep_source_type();
    let last = base.operand(base.operand_count() - 1);
    record.kind() == TyKind::Struct
        && base.operand_count() == 3
        && last.kind() == ValueKind::Int
        && last.int_bits() as usize + 1 == record.members().len()
}
