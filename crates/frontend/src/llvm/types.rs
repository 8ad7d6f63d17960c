//! LLVM types and their layout.

use std::ffi::CStr;

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ty(pub(super) LLVMTypeRef);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TyKind {
    Void,
    Int(u32),
    Half,
    Float,
    Double,
    X87,
    Quad,
    Pointer,
    Struct,
    Array,
    Vector,
    Function,
    /// Labels, tokens, metadata, scalable vectors and the types of other machines.
    Other,
}

impl Ty {
    pub fn kind(self) -> TyKind {
        // SAFETY: reads an immutable type.
        match unsafe { LLVMGetTypeKind(self.0) } {
            LLVMTypeKind::LLVMVoidTypeKind => TyKind::Void,
            LLVMTypeKind::LLVMIntegerTypeKind => TyKind::Int(unsafe { LLVMGetIntTypeWidth(self.0) }),
            LLVMTypeKind::LLVMHalfTypeKind => TyKind::Half,
            LLVMTypeKind::LLVMFloatTypeKind => TyKind::Float,
            LLVMTypeKind::LLVMDoubleTypeKind => TyKind::Double,
            LLVMTypeKind::LLVMX86_FP80TypeKind => TyKind::X87,
            LLVMTypeKind::LLVMFP128TypeKind => TyKind::Quad,
            LLVMTypeKind::LLVMPointerTypeKind => TyKind::Pointer,
            LLVMTypeKind::LLVMStructTypeKind => TyKind::Struct,
            LLVMTypeKind::LLVMArrayTypeKind => TyKind::Array,
            LLVMTypeKind::LLVMVectorTypeKind => TyKind::Vector,
            LLVMTypeKind::LLVMFunctionTypeKind => TyKind::Function,
            _ => TyKind::Other,
        }
    }

    /// Members of a struct.
    pub fn members(self) -> Vec<Ty> {
        // SAFETY: the buffer has room for all of them.
        unsafe {
            let count = LLVMCountStructElementTypes(self.0);
            let mut members = vec![std::ptr::null_mut(); count as usize];
            LLVMGetStructElementTypes(self.0, members.as_mut_ptr());
            members.into_iter().map(Ty).collect()
        }
    }

    /// The element of an array or a vector.
    pub fn element(self) -> Ty {
        // SAFETY: called on arrays and vectors.
        Ty(unsafe { LLVMGetElementType(self.0) })
    }

    /// Elements of an array or a vector.
    pub fn count(self) -> u64 {
        // SAFETY: as above.
        match self.kind() {
            TyKind::Vector => u64::from(unsafe { LLVMGetVectorSize(self.0) }),
            _ => unsafe { LLVMGetArrayLength2(self.0) },
        }
    }

    /// A struct type that has no name in the source: clang makes them for values in registers.
    pub fn is_literal_struct(self) -> bool {
        // SAFETY: reads an immutable type.
        self.kind() == TyKind::Struct && unsafe { LLVMIsLiteralStruct(self.0) != 0 }
    }

    pub fn is_sized(self) -> bool {
        // SAFETY: reads an immutable type.
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    pub fn returns(self) -> Ty {
        // SAFETY: called on function types.
        Ty(unsafe { LLVMGetReturnType(self.0) })
    }

    pub fn parameters(self) -> Vec<Ty> {
        // SAFETY: the buffer has room for all of them.
        unsafe {
            let mut types = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, types.as_mut_ptr());
            types.into_iter().map(Ty).collect()
        }
    }

    pub fn is_variadic(self) -> bool {
        // SAFETY: called on function types.
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: LLVM hands out a string that we free.
        unsafe {
            let text = LLVMPrintTypeToString(self.0);
            let result = write!(out, "{}", CStr::from_ptr(text).to_string_lossy());
            LLVMDisposeMessage(text);
            result
        }
    }
}

/// Sizes and offsets on the module's machine.
#[derive(Clone, Copy)]
pub struct Layout(pub(super) LLVMTargetDataRef);

impl Layout {
    /// Bytes from one array element to the next; 0 for a type without a size.
    pub fn size(self, ty: Ty) -> u64 {
        // SAFETY: asked only of sized types.
        if ty.is_sized() { unsafe { LLVMABISizeOfType(self.0, ty.0) } } else { 0 }
    }

    pub fn align(self, ty: Ty) -> u32 {
        // SAFETY: as above.
        if ty.is_sized() { unsafe { LLVMABIAlignmentOfType(self.0, ty.0) } } else { 1 }
    }

    pub fn offset(self, record: Ty, member: usize) -> u64 {
        // SAFETY: asked only of sized structs and their members.
        unsafe { LLVMOffsetOfElement(self.0, record.0, member as u32) }
    }
}
