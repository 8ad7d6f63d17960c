//! Machine types of expressions and variables.
//!
//! A type says how many bits a value has and how its bits are read. Signedness is no part of it:
//! operators carry that. Aggregates are not values here: they live in memory objects, or are taken
//! apart into scalars by the front end.

/// The type of a scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// An integer of 1 to 128 bits; `Int(1)` is the type of conditions.
    Int(u16),
    Float(Float),
    /// A 64-bit address; see `exec::memory` for how objects are laid out.
    Pointer,
}

/// Floating-point formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Float {
    F16,
    F32,
    F64,
    /// The 80-bit extended format: 10 bytes of value in 16 bytes of memory.
    X87,
    F128,
}

impl Type {
    pub const BOOL: Type = Type::Int(1);
    pub const I8: Type = Type::Int(8);
    pub const I16: Type = Type::Int(16);
    pub const I32: Type = Type::Int(32);
    pub const I64: Type = Type::Int(64);
    pub const F32: Type = Type::Float(Float::F32);
    pub const F64: Type = Type::Float(Float::F64);

    /// Bits of the value itself.
    pub fn bits(self) -> u32 {
        match self {
            Type::Int(width) => u32::from(width),
            Type::Float(float) => float.bits(),
            Type::Pointer => 64,
        }
    }

    /// Bytes that a load or a store of this type touches.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// All bits of the value set.
    pub fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }

    pub fn is_float(self) -> bool {
        matches!(self, Type::Float(_))
    }
}

impl Float {
    pub fn bits(self) -> u32 {
        match self {
            Float::F16 => 16,
            Float::F32 => 32,
            Float::F64 => 64,
            Float::X87 => 80,
            Float::F128 => 128,
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Int(width) => write!(out, "i{width}"),
            Type::Float(Float::X87) => write!(out, "x87"),
            Type::Float(float) => write!(out, "f{}", float.bits()),
            Type::Pointer => write!(out, "ptr"),
        }
    }
}
