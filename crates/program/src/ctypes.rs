//! Types as the C source declares them, for showing values and members by their names.
//!
//! Semantics never depend on them: machine types and operators carry all of it.

/// An entry of the program's table of C types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CTypeId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CType {
    Void,
    /// `_Bool`, the character types and all integers.
    Integer {
        name: String,
        bytes: u32,
        encoding: Encoding,
    },
    Float {
        name: String,
        bytes: u32,
    },
    Pointer(CTypeId),
    Array {
        element: CTypeId,
        count: Option<u64>,
    },
    Record {
        name: String,
        bytes: u64,
        union: bool,
        members: Vec<Member>,
    },
    Enum {
        name: String,
        bytes: u32,
        signed: bool,
        values: Vec<(String, i128)>,
    },
    Alias {
        name: String,
        of: CTypeId,
    },
    Function {
        returns: CTypeId,
        parameters: Vec<CTypeId>,
        variadic: bool,
    },
    /// A type that debug information describes in no way that is known here.
    Other(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Signed,
    Unsigned,
    SignedChar,
    UnsignedChar,
    Boolean,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Empty for an anonymous member.
    pub name: String,
    pub ctype: CTypeId,
    pub offset_bits: u64,
    /// The width, for a bit-field.
    pub bits: Option<u32>,
}
