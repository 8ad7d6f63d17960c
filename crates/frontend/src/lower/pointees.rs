//! What C type an address points to, as far as debug information tells: for members' names.

use program::{CType, CTypeId};

use super::Lowering;
use super::function::FunctionLowering;
use super::homes::Home;
use crate::llvm::{Opcode, TyKind, Value, ValueKind};

/// How far a chain of instructions is followed.
const MOST_STEPS: u32 = 24;

impl FunctionLowering<'_, '_> {
    /// The type of the object at an address.
    pub fn pointee(&self, address: Value) -> Option<CTypeId> {
        self.pointee_within(address, MOST_STEPS)
    }

    fn pointee_within(&self, address: Value, steps: u32) -> Option<CTypeId> {
        let steps = steps.checked_sub(1)?;
        match address.kind() {
            ValueKind::Global => self.unit.globals[self.unit.global_ids[&address].index()].ctype,
            ValueKind::Argument => {
                // A struct passed by copy is described at the parameter itself.
                let variable = *self.held.get(&address)?.first()?;
                let ctype = self.body.variable(variable).ctype?;
                match self.unit.ctype(ctype) {
                    CType::Pointer(to) => Some(*to),
                    _ => Some(ctype),
                }
            }
            ValueKind::Instruction => match address.opcode() {
                Opcode::LLVMAlloca => self.declared_type(address),
                Opcode::LLVMLoad => {
                    let holder = self.pointee_within(address.operand(0), steps)?;
                    self.unit.target_of(holder)
                }
                Opcode::LLVMGetElementPtr => self.pointee_of_gep(address, steps),
                Opcode::LLVMCall => self.pointee_of_call(address),
                _ => None,
            },
            _ => None,
        }
    }

    fn declared_type(&self, alloca: Value) -> Option<CTypeId> {
        match *self.homes.get(&alloca)? {
            Home::Variable(variable) => self.body.variable(variable).ctype,
            Home::Object(local) => self.body.locals[local.index()].ctype,
        }
    }

    fn pointee_of_gep(&self, gep: Value, steps: u32) -> Option<CTypeId> {
        let mut described = self.pointee_within(gep.operand(0), steps)?;
        let mut ty = gep.gep_source_type();
        for operand in 2..gep.operand_count() {
            if ty.kind() == TyKind::Struct {
                let number = gep.operand(operand).int_bits() as usize;
                described = self.unit.member_at(described, self.unit.layout.offset(ty, number))?.1;
                ty = ty.members()[number];
            } else {
                ty = ty.element();
                described = self.unit.element_of(described)?;
            }
        }
        Some(described)
    }

    fn pointee_of_call(&self, call: Value) -> Option<CTypeId> {
        let called = call.called();
        let function = self.unit.function_ids.get(&called)?;
        let ctype = self.unit.functions[function.index()].ctype?;
        match self.unit.ctype(ctype) {
            CType::Function { returns, .. } => self.unit.target_of(*returns),
            _ => None,
        }
    }
}

impl Lowering<'_> {
    fn target_of(&self, pointer: CTypeId) -> Option<CTypeId> {
        match self.ctype(pointer) {
            CType::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub fn element_of(&self, array: CTypeId) -> Option<CTypeId> {
        match self.ctype(array) {
            CType::Array { element, .. } => Some(*element),
            // A parameter declared as an array is a pointer.
            CType::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The member of a record that begins at a byte offset.
    pub fn member_at(&self, record: CTypeId, offset: u64) -> Option<(String, CTypeId)> {
        let CType::Record { members, union: false, .. } = self.ctype(record) else { return None };
        let member = members.iter().find(|member| member.offset_bits == offset * 8)?;
        (!member.name.is_empty()).then(|| (member.name.clone(), member.ctype))
    }

    /// The name of the member that a constant address inside a global means.
    pub fn member_of_constant(&self, value: Value, offset: u64) -> Option<Box<str>> {
        let base = value.operand(0);
        if value.kind() != ValueKind::Expression || base.kind() != ValueKind::Global {
            return None;
        }
        let record = self.globals[self.global_ids[&base].index()].ctype?;
        self.member_at(record, offset).map(|(name, _)| name.into())
    }
}
