//! C types as text: `struct "node" 16 bytes {value: $1 at 0, next: $2 at 64}`.
//!
//! Offsets of members are in bits, as bit-fields need it.

use std::fmt::{self, Write};

use crate::{CType, CTypeId, Encoding, Member, Program};

use super::ReadError;
use super::cursor::Cursor;
use super::names::{write_name, write_text};

type Result<T> = std::result::Result<T, ReadError>;

const ENCODINGS: &[(&str, Encoding)] = &[
    ("signed", Encoding::Signed),
    ("unsigned", Encoding::Unsigned),
    ("signed_char", Encoding::SignedChar),
    ("unsigned_char", Encoding::UnsignedChar),
    ("boolean", Encoding::Boolean),
];

/// Writes an entry of the table of types.
pub(super) fn write_c_type(out: &mut String, ctype: &CType) -> fmt::Result {
    match ctype {
        CType::Void => out.push_str("void"),
        CType::Integer { name, bytes, encoding } => {
            write_named(out, "integer", name);
            let found = ENCODINGS.iter().find(|(_, known)| known == encoding);
            let word = found.expect("an encoding is in ENCODINGS").0;
            write!(out, " {bytes} bytes {word}")?;
        }
        CType::Float { name, bytes } => {
            write_named(out, "float", name);
            write!(out, " {bytes} bytes")?;
        }
        CType::Pointer(target) => write!(out, "pointer ${}", target.0)?,
        CType::Array { element, count: None } => write!(out, "array ${}", element.0)?,
        CType::Array { element, count: Some(count) } => write!(out, "array ${} of {count}", element.0)?,
        CType::Record { name, bytes, union, members } => {
            write_named(out, if *union { "union" } else { "struct" }, name);
            write!(out, " {bytes} bytes {{")?;
            write_list(out, members, |out, member| {
                write_name(out, &member.name);
                write!(out, ": ${} at {}", member.ctype.0, member.offset_bits)?;
                member.bits.map_or(Ok(()), |bits| write!(out, " bits {bits}"))
            })?;
            out.push('}');
        }
        CType::Enum { name, bytes, signed, values } => {
            write_named(out, "enum", name);
            write!(out, " {bytes} bytes {} {{", if *signed { "signed" } else { "unsigned" })?;
            write_list(out, values, |out, (name, value)| {
                write_name(out, name);
                write!(out, " = {value}")
            })?;
            out.push('}');
        }
        CType::Alias { name, of } => {
            write_named(out, "alias", name);
            write!(out, " ${}", of.0)?;
        }
        CType::Function { returns, parameters, variadic } => {
            write!(out, "function ${} (", returns.0)?;
            write_list(out, parameters, |out, parameter| write!(out, "${}", parameter.0))?;
            out.push_str(match (variadic, parameters.is_empty()) {
                (false, _) => "",
                (true, true) => "...",
                (true, false) => ", ...",
            });
            out.push(')');
        }
        CType::Other(description) => write_named(out, "other", description),
    }
    Ok(())
}

fn write_named(out: &mut String, word: &str, name: &str) {
    out.push_str(word);
    out.push(' ');
    write_text(out, name);
}

fn write_list<T>(
    out: &mut String,
    entries: &[T],
    mut write: impl FnMut(&mut String, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(out, entry)?;
    }
    Ok(())
}

/// Reads what [`write_c_type`] writes.
pub(super) fn c_type(cursor: &mut Cursor) -> Result<CType> {
    let token = cursor.peek();
    let word = cursor.text_of(token);
    const WORDS: &[&str] =
        &["void", "integer", "float", "pointer", "array", "struct", "union", "enum", "alias", "function", "other"];
    if !WORDS.contains(&word) {
        return Err(cursor.expected(&format!("a C type: one of {}", WORDS.join(", "))));
    }
    cursor.bump();
    let ctype = match word {
        "void" => CType::Void,
        "integer" => {
            let (name, bytes) = (type_name(cursor)?, bytes(cursor, u32::MAX.into())? as u32);
            CType::Integer { name, bytes, encoding: encoding(cursor)? }
        }
        "float" => CType::Float { name: type_name(cursor)?, bytes: bytes(cursor, u32::MAX.into())? as u32 },
        "pointer" => CType::Pointer(reference(cursor)?),
        "array" => {
            let element = reference(cursor)?;
            let count =
                if cursor.accept_word("of") { Some(cursor.number_u64("the number of elements")?) } else { None };
            CType::Array { element, count }
        }
        "struct" | "union" => {
            let (name, bytes) = (type_name(cursor)?, bytes(cursor, u64::MAX.into())? as u64);
            CType::Record { name, bytes, union: word == "union", members: braced(cursor, member)? }
        }
        "enum" => enumeration(cursor)?,
        "alias" => CType::Alias { name: type_name(cursor)?, of: reference(cursor)? },
        "function" => function(cursor)?,
        _ => CType::Other(type_name(cursor)?),
    };
    Ok(ctype)
}

fn type_name(cursor: &mut Cursor) -> Result<String> {
    cursor.quoted_text("the type's name in double quotes")
}

fn reference(cursor: &mut Cursor) -> Result<CTypeId> {
    cursor.expect("$")?;
    cursor.number_u32("the number of a type").map(CTypeId)
}

fn bytes(cursor: &mut Cursor, max: u128) -> Result<u128> {
    let bytes = cursor.number("a size in bytes", max)?;
    cursor.expect_word("bytes")?;
    Ok(bytes)
}

fn encoding(cursor: &mut Cursor) -> Result<Encoding> {
    for (word, encoding) in ENCODINGS {
        if cursor.accept_word(word) {
            return Ok(*encoding);
        }
    }
    Err(cursor.expected("`signed`, `unsigned`, `signed_char`, `unsigned_char` or `boolean`"))
}

/// Entries in braces, with commas between them.
fn braced<T>(cursor: &mut Cursor, mut entry: impl FnMut(&mut Cursor) -> Result<T>) -> Result<Vec<T>> {
    cursor.expect("{")?;
    let mut entries = Vec::new();
    if cursor.accept("}") {
        return Ok(entries);
    }
    loop {
        entries.push(entry(cursor)?);
        if cursor.accept("}") {
            return Ok(entries);
        }
        if !cursor.accept(",") {
            return Err(cursor.expected("`,` or `}`"));
        }
    }
}

fn member(cursor: &mut Cursor) -> Result<Member> {
    let name = cursor.name("the name of a member")?;
    cursor.expect(":")?;
    let ctype = reference(cursor)?;
    cursor.expect_word("at")?;
    let offset_bits = cursor.number_u64("an offset in bits")?;
    let bits = if cursor.accept_word("bits") { Some(cursor.number_u32("the width of a bit-field")?) } else { None };
    Ok(Member { name, ctype, offset_bits, bits })
}

fn enumeration(cursor: &mut Cursor) -> Result<CType> {
    let (name, bytes) = (type_name(cursor)?, bytes(cursor, u32::MAX.into())? as u32);
    let signed = cursor.accept_word("signed");
    if !signed {
        cursor.expect_word("unsigned")?;
    }
    let values = braced(cursor, |cursor| {
        let name = cursor.name("the name of an enumerator")?;
        cursor.expect("=")?;
        let limit = i128::MAX as u128 + u128::from(cursor.at("-"));
        let (negative, magnitude) = cursor.signed_number("the value of an enumerator", limit)?;
        let value = if negative { magnitude.wrapping_neg() } else { magnitude } as i128;
        Ok((name, value))
    })?;
    Ok(CType::Enum { name, bytes, signed, values })
}

fn function(cursor: &mut Cursor) -> Result<CType> {
    let returns = reference(cursor)?;
    cursor.expect("(")?;
    let mut parameters = Vec::new();
    loop {
        if cursor.accept(")") {
            return Ok(CType::Function { returns, parameters, variadic: false });
        }
        if cursor.accept("...") {
            cursor.expect(")")?;
            return Ok(CType::Function { returns, parameters, variadic: true });
        }
        parameters.push(reference(cursor)?);
        if !cursor.at(")") {
            cursor.expect(",")?;
        }
    }
}

/// How deep a type is spelled out; beyond, it is cut off.
const SPELLING_DEPTH: usize = 8;

/// The type as C writes it without a name: `char *[10]`.
pub(super) fn spell(program: &Program, id: CTypeId) -> String {
    spell_to_depth(program, id, SPELLING_DEPTH)
}

fn spell_to_depth(program: &Program, id: CTypeId, depth: usize) -> String {
    let mut declarator = String::new();
    let mut at = id;
    for _ in 0..depth {
        let parenthesize = declarator.starts_with('*');
        let open = |declarator: &str| if parenthesize { format!("({declarator})") } else { declarator.to_owned() };
        match program.ctypes.get(at.0 as usize) {
            Some(CType::Pointer(target)) => {
                declarator.insert(0, '*');
                at = *target;
            }
            Some(CType::Array { element, count }) => {
                let count = count.map_or(String::new(), |count| count.to_string());
                declarator = format!("{}[{count}]", open(&declarator));
                at = *element;
            }
            Some(CType::Function { returns, parameters, variadic }) => {
                let mut shown: Vec<_> = parameters.iter().map(|id| spell_to_depth(program, *id, depth / 2)).collect();
                if *variadic {
                    shown.push("...".to_owned());
                }
                declarator = format!("{}({})", open(&declarator), shown.join(", "));
                at = *returns;
            }
            Some(named) => {
                return format!("{}{}{declarator}", base_name(named), if declarator.is_empty() { "" } else { " " });
            }
            None => break,
        }
    }
    format!("…{declarator}")
}

fn base_name(ctype: &CType) -> String {
    match ctype {
        CType::Integer { name, .. } | CType::Float { name, .. } | CType::Alias { name, .. } | CType::Other(name) => {
            name.clone()
        }
        CType::Record { name, union: false, .. } => format!("struct {name}"),
        CType::Record { name, union: true, .. } => format!("union {name}"),
        CType::Enum { name, .. } => format!("enum {name}"),
        CType::Void | CType::Pointer(_) | CType::Array { .. } | CType::Function { .. } => "void".to_owned(),
    }
}
