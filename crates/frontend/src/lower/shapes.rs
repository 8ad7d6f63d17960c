//! How LLVM's types fall apart into scalars.
//!
//! Structs and arrays that clang keeps in registers, and vectors, become one scalar per element. A
//! vector of two floats is the exception: it is how the calling convention passes a small struct, in
//! one register, and so it stays one 64-bit scalar.

use program::{Float, Type};

use super::{Lowering, Piece};
use crate::llvm::{Ty, TyKind};

/// More scalars than this in one value would only be unrolled loops.
const MOST_SCALARS: u64 = 256;

impl Lowering<'_> {
    /// The scalars that a value of this type consists of.
    pub fn scalars(&self, ty: Ty) -> Result<Vec<Type>, String> {
        Ok(self.pieces(ty)?.into_iter().map(|piece| piece.ty).collect())
    }

    pub fn pieces(&self, ty: Ty) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        self.collect(ty, 0, &mut pieces)?;
        Ok(pieces)
    }

    fn collect(&self, ty: Ty, offset: u64, pieces: &mut Vec<Piece>) -> Result<(), String> {
        if let Some(ty) = scalar(ty) {
            pieces.push(Piece { offset, ty });
            return Ok(());
        }
        match ty.kind() {
            TyKind::Void => Ok(()),
            TyKind::Struct => {
                for (index, member) in ty.members().into_iter().enumerate() {
                    self.collect(member, offset + self.layout.offset(ty, index), pieces)?;
                }
                Ok(())
            }
            TyKind::Array | TyKind::Vector if ty.count() <= MOST_SCALARS => {
                let stride = match ty.kind() {
                    TyKind::Vector => self.lane_bytes(ty)?,
                    _ => self.layout.size(ty.element()),
                };
                (0..ty.count()).try_for_each(|index| self.collect(ty.element(), offset + index * stride, pieces))
            }
            _ => Err(format!("values of type `{ty}`")),
        }
    }

    fn lane_bytes(&self, vector: Ty) -> Result<u64, String> {
        match vector.element().kind() {
            // Lanes of conditions are packed in memory; in registers the stride does not matter.
            TyKind::Int(1) => Ok(1),
            TyKind::Int(width) if width % 8 != 0 => Err(format!("values of type `{vector}`")),
            TyKind::X87 => Err(format!("values of type `{vector}`")),
            _ => Ok(self.layout.size(vector.element())),
        }
    }
}

/// The type as one scalar, if it is one.
pub fn scalar(ty: Ty) -> Option<Type> {
    match ty.kind() {
        TyKind::Int(width @ 1..=128) => Some(Type::Int(width as u16)),
        TyKind::Half => Some(Type::Float(Float::F16)),
        TyKind::Float => Some(Type::F32),
        TyKind::Double => Some(Type::F64),
        TyKind::X87 => Some(Type::Float(Float::X87)),
        TyKind::Quad => Some(Type::Float(Float::F128)),
        TyKind::Pointer => Some(Type::Pointer),
        TyKind::Vector if is_packed(ty) => Some(Type::F64),
        _ => None,
    }
}

/// A vector of two floats, which is kept in one scalar.
pub fn is_packed(ty: Ty) -> bool {
    ty.kind() == TyKind::Vector && ty.count() == 2 && ty.element().kind() == TyKind::Float
}
