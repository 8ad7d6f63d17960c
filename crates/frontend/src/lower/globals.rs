//! Global objects: their bytes and the addresses inside them.

use program::{AddressIn, FunctionId, Global, GlobalId, Initializer, Object, Site};

use super::Lowering;
use crate::llvm::{Opcode, Ty, TyKind, Value, ValueKind};

impl Lowering<'_> {
    /// All globals but LLVM's own tables.
    fn ordinary_globals(&self) -> Vec<Value> {
        let globals = self.module.globals().into_iter();
        globals.filter(|global| !global.name().starts_with("llvm.")).collect()
    }

    /// The functions in LLVM's table of constructors or destructors, in the order they are to run.
    pub fn functions_in_table(&self, name: &str) -> Vec<FunctionId> {
        let table = self.module.globals().into_iter().find(|global| global.name() == name);
        let Some(entries) = table.and_then(Value::initializer) else { return Vec::new() };
        if entries.kind() != ValueKind::Aggregate {
            return Vec::new();
        }
        let entries = (0..entries.operand_count()).map(|index| entries.operand(index));
        let mut functions: Vec<(u128, FunctionId)> = entries
            .filter_map(|entry| Some((entry.operand(0).int_bits(), *self.function_ids.get(&entry.operand(1))?)))
            .collect();
        functions.sort_by_key(|&(priority, _)| priority);
        functions.into_iter().map(|(_, function)| function).collect()
    }

    /// Declares all globals, so that initializers can point to any of them.
    pub fn declare_globals(&mut self) {
        for value in self.ordinary_globals() {
            let ty = value.value_type();
            let debug = value.global_debug();
            let site = match debug {
                Some(variable) => self.sites.of_line(variable.variable_file(), variable.variable_line()),
                None => Site::NONE,
            };
            let id = GlobalId(self.globals.len() as u32);
            self.global_ids.insert(value, id);
            self.globals.push(Global {
                name: value.name(),
                size: self.layout.size(ty),
                align: value.alignment().max(1),
                constant: value.is_constant_global(),
                init: Initializer::External,
                ctype: debug.map(|variable| self.ctypes.of(variable.variable_type())),
                site,
            });
        }
    }

    pub fn fill_globals(&mut self) {
        for value in self.ordinary_globals() {
            let Some(initializer) = value.initializer() else { continue };
            let id = self.global_ids[&value];
            let mut contents = Contents { bytes: Vec::new(), addresses: Vec::new() };
            if let Err(what) = self.constant_bytes(initializer, 0, &mut contents) {
                let site = self.globals[id.index()].site;
                self.note_unsupported(what, site);
            }
            contents.addresses.sort_by_key(|address| address.at);
            let trimmed = contents.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            contents.bytes.truncate(trimmed);
            self.globals[id.index()].init = Initializer::Bytes { bytes: contents.bytes, addresses: contents.addresses };
        }
    }

    fn constant_bytes(&mut self, value: Value, at: u64, contents: &mut Contents) -> Result<(), String> {
        let ty = value.ty();
        match value.kind() {
            ValueKind::Zero | ValueKind::Null | ValueKind::Undef => {}
            ValueKind::Int => contents.put(at, value.int_bits(), self.store_bytes(ty)),
            ValueKind::Float => contents.put(at, value.float_bits(), self.store_bytes(ty)),
            ValueKind::Data => contents.put_bytes(at, value.raw_bytes()),
            ValueKind::Aggregate => {
                for index in 0..value.operand_count() {
                    let offset = match ty.kind() {
                        TyKind::Struct => self.layout.offset(ty, index as usize),
                        _ => u64::from(index) * self.layout.size(ty.element()),
                    };
                    self.constant_bytes(value.operand(index), at + offset, contents)?;
                }
            }
            _ => {
                let (object, addend) = self.constant_address(value)?;
                match object {
                    Some(object) => contents.addresses.push(AddressIn { at, object, addend }),
                    None => contents.put(at, addend as u64 as u128, self.store_bytes(ty)),
                }
            }
        }
        Ok(())
    }

    fn store_bytes(&self, ty: Ty) -> u64 {
        match ty.kind() {
            TyKind::Int(width) => u64::from(width.div_ceil(8)),
            TyKind::X87 => 10,
            _ => self.layout.size(ty),
        }
    }

    /// A constant as an object's address plus an offset, or as a plain number.
    pub fn constant_address(&mut self, value: Value) -> Result<(Option<Object>, i64), String> {
        match value.kind() {
            ValueKind::Int => Ok((None, value.int_bits() as i64)),
            ValueKind::Null => Ok((None, 0)),
            ValueKind::Global | ValueKind::Function if value.is_weak_declaration() => Ok((None, 0)),
            ValueKind::Global => Ok((Some(Object::Global(self.global_ids[&value])), 0)),
            ValueKind::Function => Ok((Some(Object::Function(self.function_ids[&value])), 0)),
            ValueKind::Alias => self.constant_address(value.alias_target()),
            ValueKind::BlockAddress => {
                let (function, block) = value.block_address();
                let label = self.label(function, block);
                Ok((Some(label), 0))
            }
            ValueKind::Expression => self.constant_expression_address(value),
            _ => Err(format!("constant `{value}`")),
        }
    }

    fn constant_expression_address(&mut self, value: Value) -> Result<(Option<Object>, i64), String> {
        match value.opcode() {
            Opcode::LLVMGetElementPtr => {
                let (object, base) = self.constant_address(value.operand(0))?;
                Ok((object, base + self.constant_offset(value)?))
            }
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMBitCast | Opcode::LLVMTrunc => {
                self.constant_address(value.operand(0))
            }
            opcode @ (Opcode::LLVMAdd | Opcode::LLVMSub) => {
                let (left, a) = self.constant_address(value.operand(0))?;
                let (right, b) = self.constant_address(value.operand(1))?;
                match (opcode, left, right) {
                    (Opcode::LLVMAdd, object, None) | (Opcode::LLVMAdd, None, object) => {
                        Ok((object, a.wrapping_add(b)))
                    }
                    (_, object, None) => Ok((object, a.wrapping_sub(b))),
                    (_, left, right) if left == right => Ok((None, a.wrapping_sub(b))),
                    // The distance of two labels of one function: both are encoded as its address
                    // plus one plus the block's number.
                    (_, Some(Object::Label(f, x)), Some(Object::Label(g, y))) if f == g => {
                        Ok((None, a.wrapping_sub(b).wrapping_add(i64::from(x.0) - i64::from(y.0))))
                    }
                    _ => Err(format!("constant `{value}`")),
                }
            }
            _ => Err(format!("constant `{value}`")),
        }
    }

    /// The byte offset of a constant `getelementptr`.
    fn constant_offset(&mut self, value: Value) -> Result<i64, String> {
        let mut ty = value.gep_source_type();
        let mut offset = 0i64;
        for operand in 1..value.operand_count() {
            let index = value.operand(operand);
            if index.kind() != ValueKind::Int {
                return Err(format!("constant `{value}`"));
            }
            let index = sign_extend(index);
            if operand == 1 {
                offset += index * self.layout.size(ty) as i64;
            } else if ty.kind() == TyKind::Struct {
                offset += self.layout.offset(ty, index as usize) as i64;
                ty = ty.members()[index as usize];
            } else {
                ty = ty.element();
                offset += index * self.layout.size(ty) as i64;
            }
        }
        Ok(offset)
    }
}

/// The value of an integer constant of at most 64 bits.
pub fn sign_extend(constant: Value) -> i64 {
    let TyKind::Int(width) = constant.ty().kind() else { return 0 };
    let shift = 64u32.saturating_sub(width);
    ((constant.int_bits() as u64) << shift) as i64 >> shift
}

struct Contents {
    bytes: Vec<u8>,
    addresses: Vec<AddressIn>,
}

impl Contents {
    fn put(&mut self, at: u64, bits: u128, size: u64) {
        self.put_bytes(at, &bits.to_le_bytes()[..size.min(16) as usize]);
    }

    fn put_bytes(&mut self, at: u64, bytes: &[u8]) {
        let start = at as usize;
        if self.bytes.len() < start + bytes.len() {
            self.bytes.resize(start + bytes.len(), 0);
        }
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
    }
}
