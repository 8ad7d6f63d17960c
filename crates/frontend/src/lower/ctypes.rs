//! From debug-information types to the program's table of C types.

use std::collections::HashMap;

use program::{CType, CTypeId, Encoding, Member};

use crate::llvm::Metadata;

/// DWARF tags of types, as clang writes them for C.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUM: u16 = 0x04;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCT: u16 = 0x13;
    pub const FUNCTION: u16 = 0x15;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const BASE: u16 = 0x24;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

#[derive(Default)]
pub struct CTypes {
    pub table: Vec<CType>,
    known: HashMap<Option<Metadata>, CTypeId>,
}

impl CTypes {
    /// The entry for a type; `None` is `void`.
    pub fn of(&mut self, node: Option<Metadata>) -> CTypeId {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let Some(metadata) = node else { return self.enter(node, CType::Void) };
        match metadata.tag() {
            tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {
                let id = self.of(metadata.base_type());
                self.known.insert(node, id);
                id
            }
            // Records and functions can contain themselves: their entry comes before their parts.
            _ => {
                let id = self.enter(node, CType::Other(metadata.name()));
                let ctype = self.translate(metadata);
                self.table[id.0 as usize] = ctype;
                id
            }
        }
    }

    fn enter(&mut self, node: Option<Metadata>, ctype: CType) -> CTypeId {
        let id = CTypeId(self.table.len() as u32);
        self.table.push(ctype);
        self.known.insert(node, id);
        id
    }

    fn translate(&mut self, node: Metadata) -> CType {
        let name = node.name();
        let bytes = node.size_bits().div_ceil(8);
        match node.tag() {
            tag::BASE => basic(node, name),
            tag::POINTER => CType::Pointer(self.of(node.base_type())),
            tag::ARRAY => self.array(node),
            tag::STRUCT | tag::UNION => {
                let union = node.tag() == tag::UNION;
                CType::Record { name, bytes, union, members: self.members(node) }
            }
            tag::ENUM => CType::Enum {
                name,
                bytes: bytes as u32,
                signed: node.base_type().is_none_or(|base| is_signed(base.encoding())),
                values: node.elements().into_iter().flatten().map(|one| (one.name(), one.enumerator_value())).collect(),
            },
            tag::TYPEDEF => CType::Alias { name, of: self.of(node.base_type()) },
            tag::FUNCTION => self.function(node),
            _ => CType::Other(name),
        }
    }

    fn members(&mut self, node: Metadata) -> Vec<Member> {
        let members = node.elements().into_iter().flatten();
        members
            .map(|member| Member {
                name: member.name(),
                ctype: self.of(member.base_type()),
                offset_bits: member.offset_bits(),
                bits: member.is_bit_field().then(|| member.size_bits() as u32),
            })
            .collect()
    }

    /// C's arrays of arrays are one node with several ranges.
    fn array(&mut self, node: Metadata) -> CType {
        let ranges: Vec<_> = node.elements().into_iter().flatten().map(Metadata::subrange_count).collect();
        let mut element = self.of(node.base_type());
        for &count in ranges.iter().skip(1).rev() {
            self.table.push(CType::Array { element, count });
            element = CTypeId(self.table.len() as u32 - 1);
        }
        CType::Array { element, count: ranges.first().copied().flatten() }
    }

    fn function(&mut self, node: Metadata) -> CType {
        let mut parts = node.elements();
        // A trailing void stands for "...".
        let variadic = parts.len() > 1 && parts.last() == Some(&None);
        if variadic {
            parts.pop();
        }
        let mut ids = parts.into_iter().map(|part| self.of(part)).collect::<Vec<_>>().into_iter();
        let returns = ids.next().unwrap_or_else(|| self.of(None));
        CType::Function { returns, parameters: ids.collect(), variadic }
    }
}

fn is_signed(encoding: u32) -> bool {
    matches!(encoding, 0x05 | 0x06 | 0x0d)
}

fn basic(node: Metadata, name: String) -> CType {
    let bytes = node.size_bits().div_ceil(8) as u32;
    let encoding = match node.encoding() {
        0x02 => Encoding::Boolean,
        0x05 | 0x0d => Encoding::Signed,
        0x06 => Encoding::SignedChar,
        0x07 | 0x0e => Encoding::Unsigned,
        0x08 | 0x10 => Encoding::UnsignedChar,
        0x04 => return CType::Float { name, bytes },
        _ => return CType::Other(name),
    };
    CType::Integer { name, bytes, encoding }
}
