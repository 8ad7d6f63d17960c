//! Where a function's local variables live: in a variable of their own, or in a memory object.
//!
//! An `alloca` becomes a variable if it holds one scalar and is only ever loaded and stored whole.

use std::collections::HashMap;

use program::{LocalId, LocalObject, Role, Site, Type, VarId, Variable};

use super::function::FunctionLowering;
use super::shapes;
use crate::llvm::{Metadata, Opcode, TyKind, Value, ValueKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Variable(VarId),
    Object(LocalId),
}

/// What debug information says about an `alloca`.
pub struct Declared {
    pub variable: Metadata,
    pub location: Option<Metadata>,
}

impl FunctionLowering<'_, '_> {
    /// Finds a home for every parameter and every `alloca` of fixed size.
    pub fn settle(&mut self) {
        self.declared = self.declarations();
        let parameters = self.function.parameters();
        let spilled: HashMap<Value, Value> =
            parameters.iter().filter_map(|&parameter| Some((spill(parameter)?, parameter))).collect();
        self.enter_parameters(&parameters, &spilled);
        // clang puts all locals of fixed size into the entry block; an `alloca` elsewhere may run again.
        for instruction in self.blocks[0].instructions() {
            if instruction.opcode() == Opcode::LLVMAlloca {
                self.settle_alloca(instruction);
            }
        }
    }

    fn declarations(&self) -> HashMap<Value, Declared> {
        let instructions = self.blocks.iter().flat_map(|block| block.instructions());
        let found = instructions.filter(|one| one.is_debug_instruction()).filter_map(Value::declaration);
        found.map(|d| (d.address, Declared { variable: d.variable, location: d.location })).collect()
    }

    /// Parameters are the first variables. One that is stored to a variable at once is that variable.
    fn enter_parameters(&mut self, parameters: &[Value], spilled: &HashMap<Value, Value>) {
        let homes: HashMap<Value, Value> = spilled.iter().map(|(&alloca, &parameter)| (parameter, alloca)).collect();
        for &parameter in parameters {
            let alloca = homes.get(&parameter).copied().filter(|&alloca| promoted_type(alloca).is_some());
            let declared = alloca.or(Some(parameter)).and_then(|value| self.declared.get(&value));
            let (name, ctype, site) = match declared {
                Some(declared) => {
                    let (variable, location) = (declared.variable, declared.location);
                    self.describe(variable, location)
                }
                None => (format!("{}.arg", parameter.name()), None, Site::NONE),
            };
            let types = self.unit.scalars(parameter.ty()).unwrap_or_default();
            let mut ids = Vec::new();
            for ty in types {
                let name = self.unique_name(&name);
                ids.push(self.add_variable(Variable { name, ty, role: Role::Parameter, ctype, site }));
            }
            if let (Some(alloca), [id]) = (alloca, ids.as_slice()) {
                self.homes.insert(alloca, Home::Variable(*id));
                self.spills.insert(parameter);
            }
            self.held.insert(parameter, ids);
        }
    }

    fn settle_alloca(&mut self, alloca: Value) {
        if self.homes.contains_key(&alloca) || alloca.operand(0).kind() != ValueKind::Int {
            return;
        }
        let (name, ctype, site) = match self.declared.get(&alloca) {
            Some(declared) => {
                let (variable, location) = (declared.variable, declared.location);
                self.describe(variable, location)
            }
            None => (temporary_name(alloca), None, Site::NONE),
        };
        let role = if self.declared.contains_key(&alloca) { Role::Local } else { Role::Temporary };
        let name = self.unique_name(&name);
        let home = match promoted_type(alloca) {
            Some(ty) => Home::Variable(self.add_variable(Variable { name, ty, role, ctype, site })),
            None => {
                let count = alloca.operand(0).int_bits() as u64;
                let size = self.unit.layout.size(alloca.allocated_type()).saturating_mul(count);
                self.body.locals.push(LocalObject {
                    name,
                    size,
                    align: alloca.alignment().max(1),
                    ctype,
                    site,
                    scoped: false,
                });
                Home::Object(LocalId(self.body.locals.len() as u32 - 1))
            }
        };
        self.homes.insert(alloca, home);
    }

    fn describe(&mut self, variable: Metadata, location: Option<Metadata>) -> (String, Option<program::CTypeId>, Site) {
        let ctype = self.unit.ctypes.of(variable.variable_type());
        let site = location.map_or(Site::NONE, |location| self.unit.sites.of_location(location, None));
        (variable.name(), Some(ctype), site)
    }
}

/// The `alloca` that holds a parameter, if all that happens to the parameter is being stored there.
fn spill(parameter: Value) -> Option<Value> {
    match parameter.users().as_slice() {
        [store] if store.opcode() == Opcode::LLVMStore && store.operand(0) == parameter => {
            let alloca = store.operand(1);
            let is_alloca = alloca.kind() == ValueKind::Instruction && alloca.opcode() == Opcode::LLVMAlloca;
            (is_alloca && alloca.allocated_type() == parameter.ty()).then_some(alloca)
        }
        _ => None,
    }
}

/// The scalar type of an `alloca` that is only loaded and stored whole.
fn promoted_type(alloca: Value) -> Option<Type> {
    let ty = alloca.allocated_type();
    if alloca.operand(0).int_bits() != 1 || ty.kind() == TyKind::Vector {
        return None;
    }
    let scalar = shapes::scalar(ty)?;
    let whole = alloca.users().into_iter().all(|user| match user.opcode() {
        Opcode::LLVMLoad => user.ty() == ty,
        Opcode::LLVMStore => user.operand(1) == alloca && user.operand(0) != alloca && user.operand(0).ty() == ty,
        Opcode::LLVMCall => user.called().name().starts_with("llvm.lifetime."),
        _ => false,
    });
    whole.then_some(scalar)
}

/// A name for a variable that the source does not name; `%` keeps it apart from all that do.
fn temporary_name(alloca: Value) -> String {
    let name = alloca.name();
    match name.trim_start_matches('.') {
        "" => "%local".into(),
        "retval" => "%result".into(),
        name => format!("%{name}"),
    }
}
