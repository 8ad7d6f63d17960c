//! Values under their C types, and places in memory by the names that the source has for them.
//!
//! Bits and a type → `-1`, `'a'`, `GREEN`, `&a[3]`, `&node#2`, `"text"`; an address → `a[3]`, `s.next`.
//! Objects of the heap have no name: they are numbered by the type that they are first seen under.

use std::collections::BTreeMap;

use program::exec::Value;
use program::exec::memory::{Address, Life, Memory, ObjectId, ObjectInfo, ObjectKind};
use program::{Body, CType, CTypeId, Encoding, ExprId, ExprKind, Float, Object, Program, Sign, Type};

use crate::{names, numbers};

/// Characters of a string that are shown.
const SHOWN_TEXT: usize = 24;
/// Types nested deeper have no path.
const DEEPEST: u32 = 12;

/// Names for the heap's objects, as they come up.
#[derive(Debug, Default)]
pub struct HeapNames {
    names: BTreeMap<ObjectId, String>,
    counts: BTreeMap<String, u32>,
}

impl HeapNames {
    fn name(&mut self, object: ObjectId, stem: &str) -> String {
        if let Some(name) = self.names.get(&object) {
            return name.clone();
        }
        let count = self.counts.entry(stem.to_owned()).or_insert(0);
        *count += 1;
        let name = format!("{stem}#{count}");
        self.names.insert(object, name.clone());
        name
    }

    /// The number has a new object.
    pub fn forget(&mut self, object: ObjectId) {
        self.names.remove(&object);
    }
}

/// What is needed to show a value.
pub struct Shower<'a> {
    pub program: &'a Program,
    pub memory: &'a Memory,
    pub heap: &'a mut HeapNames,
}

impl Shower<'_> {
    /// A scalar as C writes it.
    pub fn value(&mut self, bits: u128, ty: Type, ctype: Option<CTypeId>) -> String {
        let resolved = ctype.map(|ctype| self.program.resolve(ctype).clone());
        if ty == Type::Pointer {
            let pointee = match resolved {
                Some(CType::Pointer(to)) => Some(to),
                _ => None,
            };
            return self.pointer(Address(bits as u64), pointee);
        }
        match (ty, resolved) {
            (Type::Int(_), Some(CType::Integer { encoding, bytes, .. })) => integer(bits, ty, encoding, bytes),
            (Type::Int(_), Some(CType::Enum { signed, values, .. })) => {
                let value = Value::new(bits, ty);
                let number = if signed { value.signed() } else { value.bits as i128 };
                let name = values.iter().find(|(_, value)| *value == number).map(|(name, _)| name.clone());
                name.unwrap_or_else(|| number.to_string())
            }
            // A float in an integer's clothes, as small structs travel.
            (Type::Int(64), Some(CType::Float { bytes: 8, .. })) => {
                numbers::value(Value::new(bits, Type::Float(Float::F64)), Sign::Signed)
            }
            (Type::Int(1), _) => (if bits == 0 { "false" } else { "true" }).to_owned(),
            _ => numbers::value(Value::new(bits, ty), Sign::Signed),
        }
    }

    /// Where a pointer points to.
    pub fn pointer(&mut self, address: Address, pointee: Option<CTypeId>) -> String {
        if address.is_null() {
            return "NULL".to_owned();
        }
        let Some(info) = self.memory.info(address) else { return format!("{address}") };
        let dead = match info.life {
            Life::Alive => "",
            Life::Freed => " (freed)",
            Life::OutOfScope => " (gone)",
        };
        if let ObjectKind::Function(function) = info.kind {
            return names::function(self.program, function).to_owned();
        }
        if let Some(literal) = names::literal(self.program, &info).filter(|_| info.offset == 0) {
            return literal;
        }
        format!("&{}{dead}", self.place(&info, pointee))
    }

    /// The place of an address, by the object's name and type.
    pub fn place(&mut self, info: &ObjectInfo, pointee: Option<CTypeId>) -> String {
        let name = match names::declared_name(self.program, info) {
            Some(name) => name.to_owned(),
            None if info.kind == ObjectKind::Heap => {
                let stem = pointee.and_then(|to| stem(self.program, to)).unwrap_or_else(|| "heap".to_owned());
                self.heap.name(info.id, &stem)
            }
            None => names::object(self.program, info),
        };
        let offset = info.offset;
        if let Some(ctype) = names::object_type(self.program, info)
            && offset >= 0
            && let Some(path) = path(self.program, ctype, offset as u64, pointee, 0)
        {
            return format!("{name}{path}");
        }
        let size = pointee.and_then(|to| size_of(self.program, to, 0)).filter(|&size| size > 0);
        match (offset, size) {
            (0, _) => name,
            (_, Some(size)) if offset % size as i64 == 0 && info.size > size => {
                format!("{name}[{}]", offset / size as i64)
            }
            (1.., _) => format!("{name}+{offset}"),
            _ => format!("{name}{offset}"),
        }
    }

    /// A few bytes of an object: the place, and the value under the declared type if they are one.
    pub fn piece(&mut self, info: &ObjectInfo, address: Address, length: u64) -> (String, String) {
        let declared = names::object_type(self.program, info).filter(|_| info.offset >= 0);
        let inside = declared.and_then(|it| type_at(self.program, it, info.offset as u64, length, 0));
        let place = self.place(info, inside);
        let value = match inside {
            Some(ctype) => self.aggregate(address, ctype, 0),
            None => match self.memory.read(address, length) {
                Ok(bytes) if bytes.len() <= 8 => {
                    let bits = bytes.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte));
                    self.value(bits, Type::Int(8 * length as u16), None)
                }
                _ => self.bytes(address, length),
            },
        };
        (place, value)
    }

    /// A whole object of this type, as an initializer writes it.
    pub fn aggregate(&mut self, address: Address, ctype: CTypeId, depth: u32) -> String {
        const SHOWN: usize = 6;
        let program = self.program;
        let parts: Vec<(Option<&str>, u64, CTypeId)> = match program.resolve(ctype) {
            _ if depth > 2 => return "{…}".to_owned(),
            CType::Record { members, .. } if members.iter().all(|member| member.bits.is_none()) => {
                members.iter().map(|it| (Some(it.name.as_str()), it.offset_bits / 8, it.ctype)).collect()
            }
            CType::Array { element, count: Some(count) } => {
                let Some(size) = size_of(program, *element, 0) else { return "{…}".to_owned() };
                if let Some(text) = self.text(address, *count).filter(|_| size == 1) {
                    return text;
                }
                (0..(*count).min(SHOWN as u64 + 1)).map(|index| (None, index * size, *element)).collect()
            }
            other => return self.scalar(address, ctype, other),
        };
        let mut shown = Vec::new();
        for (name, offset, ctype) in parts.iter().take(SHOWN) {
            let value = self.aggregate(address.plus(*offset as i64), *ctype, depth + 1);
            shown.push(name.map_or(value.clone(), |name| format!(".{name} = {value}")));
        }
        let rest = if parts.len() > SHOWN { ", …" } else { "" };
        format!("{{{}{rest}}}", shown.join(", "))
    }

    fn scalar(&mut self, address: Address, ctype: CTypeId, resolved: &CType) -> String {
        let Some(size) = size_of(self.program, ctype, 0).filter(|&size| size <= 16) else { return "…".to_owned() };
        let Ok(bytes) = self.memory.read_initialized(address, size) else { return "?".to_owned() };
        let mut padded = [0; 16];
        padded[..bytes.len()].copy_from_slice(bytes);
        let ty = match (resolved, size) {
            (CType::Pointer(_), _) => Type::Pointer,
            (CType::Float { .. }, 4) => Type::F32,
            (CType::Float { .. }, 8) => Type::F64,
            (CType::Float { .. }, _) => Type::Float(Float::X87),
            _ => Type::Int(size as u16 * 8),
        };
        self.value(u128::from_le_bytes(padded), ty, Some(ctype))
    }

    /// Bytes that something else than an assignment wrote, if they are a short text or a single value.
    pub fn bytes(&mut self, address: Address, length: u64) -> String {
        if let Some(text) = self.text(address, length) {
            return text;
        }
        match self.memory.read(address, length) {
            Ok(bytes) if bytes.iter().all(|&byte| byte == 0) => format!("{} of 0", numbers::count(length, "byte")),
            _ => numbers::count(length, "byte"),
        }
    }

    /// Bytes that are a string and nothing but zeros behind it.
    fn text(&self, address: Address, length: u64) -> Option<String> {
        let bytes = self.memory.read(address, length).ok()?;
        let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        let printable = |byte: &u8| byte.is_ascii_graphic() || matches!(*byte, b' ' | b'\n' | b'\t');
        let zeros = bytes[text.len()..].iter().all(|&byte| byte == 0);
        if text.is_empty() || !zeros || !text.iter().all(printable) {
            return None;
        }
        let shown: String = text.iter().take(SHOWN_TEXT).flat_map(|&byte| char::from(byte).escape_debug()).collect();
        Some(format!("\"{shown}{}\"", if text.len() > SHOWN_TEXT { "…" } else { "" }))
    }
}

fn integer(bits: u128, ty: Type, encoding: Encoding, bytes: u32) -> String {
    let value = Value::new(bits, ty);
    match encoding {
        Encoding::Boolean => (if bits & 1 == 0 { "false" } else { "true" }).to_owned(),
        // Plain `char` is a character; what is called `unsigned char` is mostly a small number.
        Encoding::SignedChar if (0x20..0x7f).contains(&value.bits) => {
            format!("'{}'", char::from(value.bits as u8).escape_default())
        }
        Encoding::SignedChar if bytes == 1 && value.bits == u128::from(b'\n') => "'\\n'".to_owned(),
        Encoding::Unsigned | Encoding::UnsignedChar => numbers::value(value, Sign::Unsigned),
        Encoding::Signed | Encoding::SignedChar => numbers::value(value, Sign::Signed),
    }
}

/// What heap objects of a type are called.
fn stem(program: &Program, ctype: CTypeId) -> Option<String> {
    match &program.ctypes[ctype.0 as usize] {
        CType::Record { name, .. } | CType::Alias { name, .. } if !name.is_empty() => Some(name.clone()),
        CType::Array { element, .. } => stem(program, *element),
        CType::Integer { name, .. } | CType::Float { name, .. } if !name.contains(' ') => Some(name.clone()),
        _ => None,
    }
}

/// `[3]`, `.next`, `[1][2].x`: the way from an object's start to an offset in it. It ends at a value of the
/// wanted type, or at the innermost one.
fn path(program: &Program, ctype: CTypeId, offset: u64, wanted: Option<CTypeId>, depth: u32) -> Option<String> {
    let same = |wanted: CTypeId| wanted == ctype || program.resolve(wanted) == program.resolve(ctype);
    if depth > DEEPEST || offset == 0 && wanted.is_some_and(same) {
        return (offset == 0).then(String::new);
    }
    match program.resolve(ctype) {
        CType::Array { element, .. } => {
            let size = size_of(program, *element, 0).filter(|&size| size > 0)?;
            let rest = path(program, *element, offset % size, wanted, depth + 1)?;
            Some(format!("[{}]{rest}", offset / size))
        }
        CType::Record { members, .. } => {
            let inside = |member: &&program::Member| {
                let start = member.offset_bits / 8;
                let size = size_of(program, member.ctype, 0).unwrap_or(1).max(1);
                start <= offset && offset < start + size
            };
            let member = members.iter().find(inside)?;
            let rest = path(program, member.ctype, offset - member.offset_bits / 8, wanted, depth + 1)?;
            Some(if member.name.is_empty() { rest } else { format!(".{}{rest}", member.name) })
        }
        _ => (offset == 0).then(String::new),
    }
}

/// The type of so many bytes at an offset in an object of a type.
fn type_at(program: &Program, ctype: CTypeId, offset: u64, length: u64, depth: u32) -> Option<CTypeId> {
    if depth > DEEPEST {
        return None;
    }
    if offset == 0 && size_of(program, ctype, 0) == Some(length) {
        return Some(ctype);
    }
    match program.resolve(ctype) {
        CType::Array { element, .. } => {
            let size = size_of(program, *element, 0).filter(|&size| size > 0)?;
            type_at(program, *element, offset % size, length, depth + 1)
        }
        CType::Record { members, .. } => {
            let inside = |member: &&program::Member| {
                let start = member.offset_bits / 8;
                start <= offset && offset < start + size_of(program, member.ctype, 0).unwrap_or(0)
            };
            let member = members.iter().find(inside)?;
            type_at(program, member.ctype, offset - member.offset_bits / 8, length, depth + 1)
        }
        _ => None,
    }
}

/// Bytes of a type.
pub fn size_of(program: &Program, ctype: CTypeId, depth: u32) -> Option<u64> {
    match program.resolve(ctype) {
        CType::Integer { bytes, .. } | CType::Float { bytes, .. } | CType::Enum { bytes, .. } => {
            Some(u64::from(*bytes))
        }
        CType::Record { bytes, .. } => Some(*bytes),
        CType::Pointer(_) => Some(8),
        CType::Array { element, count } if depth < DEEPEST => {
            Some(size_of(program, *element, depth + 1)?.saturating_mul((*count)?))
        }
        _ => None,
    }
}

/// The declared type of what an address expression points to.
pub fn pointee(program: &Program, body: &Body, expr: ExprId) -> Option<CTypeId> {
    let pointed = |ctype: Option<CTypeId>| match ctype.map(|ctype| program.resolve(ctype)) {
        Some(CType::Pointer(to)) => Some(*to),
        _ => None,
    };
    match &body.expr(expr).kind {
        ExprKind::Variable(variable) => pointed(body.variable(*variable).ctype),
        ExprKind::Load(load) => pointed(pointee(program, body, load.address)),
        ExprKind::Address(Object::Global(id)) => program.global(*id).ctype,
        ExprKind::Address(Object::Local(local)) => body.locals.get(local.index())?.ctype,
        ExprKind::Index(index) => {
            let base = pointee(program, body, index.base)?;
            match program.resolve(base) {
                // A row of a matrix, or the step from one element to the next.
                CType::Array { element, .. } if size_of(program, base, 0) != Some(index.stride) => Some(*element),
                _ => Some(base),
            }
        }
        ExprKind::Field(field) => {
            let base = pointee(program, body, field.base)?;
            let CType::Record { members, .. } = program.resolve(base) else { return None };
            let at = |member: &&program::Member| member.offset_bits == field.offset * 8;
            let named = members.iter().find(|it| field.name.as_deref() == Some(it.name.as_str()));
            named.or_else(|| members.iter().find(at)).map(|member| member.ctype)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let integer = |name: &str, encoding| CType::Integer { name: name.to_owned(), bytes: 4, encoding };
        let member = |name: &str, ctype, offset_bits| program::Member {
            name: name.to_owned(),
            ctype: CTypeId(ctype),
            offset_bits,
            bits: None,
        };
        let ctypes = vec![
            integer("int", Encoding::Signed),
            integer("unsigned int", Encoding::Unsigned),
            CType::Integer { name: "char".to_owned(), bytes: 1, encoding: Encoding::SignedChar },
            CType::Enum { name: "color".to_owned(), bytes: 4, signed: false, values: vec![("RED".to_owned(), 0)] },
            CType::Record {
                name: "pair".to_owned(),
                bytes: 12,
                union: false,
                members: vec![member("first", 0, 0), member("rest", 5, 32)],
            },
            CType::Array { element: CTypeId(0), count: Some(2) },
            CType::Array { element: CTypeId(4), count: Some(3) },
        ];
        Program { ctypes, ..Program::default() }
    }

    fn check(bits: u128, ty: Type, ctype: u32, expected: &str) {
        let (program, memory) = (program(), Memory::new(1024, true));
        let mut shower = Shower { program: &program, memory: &memory, heap: &mut HeapNames::default() };
        assert_eq!(shower.value(bits, ty, Some(CTypeId(ctype))), expected);
    }

    #[test]
    fn values() {
        check(0xffff_ffff, Type::I32, 0, "-1");
        check(0xffff_ffff, Type::I32, 1, "4294967295");
        check(0x61, Type::I8, 2, "'a'");
        check(0, Type::I8, 2, "0");
        check(0xff, Type::I8, 2, "-1");
        check(0, Type::I32, 3, "RED");
        check(7, Type::I32, 3, "7");
        check(0, Type::Pointer, 0, "NULL");
    }

    #[test]
    fn paths() {
        let program = program();
        let check = |ctype: u32, offset: u64, expected: &str| {
            assert_eq!(path(&program, CTypeId(ctype), offset, None, 0).as_deref(), Some(expected));
        };
        check(6, 0, "[0].first");
        check(6, 12 + 8, "[1].rest[1]");
        check(5, 4, "[1]");
        check(0, 0, "");
        assert_eq!(path(&program, CTypeId(0), 2, None, 0), None);
        assert_eq!(path(&program, CTypeId(6), 12, Some(CTypeId(4)), 0).as_deref(), Some("[1]"));
    }

    #[test]
    fn heap_objects_are_numbered() {
        let program = program();
        let mut memory = Memory::new(1024, true);
        let one = memory.allocate(ObjectKind::Heap, 24, program::Site::NONE).unwrap();
        let two = memory.allocate(ObjectKind::Heap, 12, program::Site::NONE).unwrap();
        let mut heap = HeapNames::default();
        let mut shower = Shower { program: &program, memory: &memory, heap: &mut heap };
        assert_eq!(shower.pointer(two, Some(CTypeId(4))), "&pair#1");
        assert_eq!(shower.pointer(one, Some(CTypeId(4))), "&pair#2");
        assert_eq!(shower.pointer(one.plus(12), Some(CTypeId(4))), "&pair#2[1]");
        assert_eq!(shower.pointer(one.plus(-4), Some(CTypeId(0))), "&pair#2[-1]");
        assert_eq!(shower.pointer(one.plus(5), Some(CTypeId(4))), "&pair#2+5");
    }
}
