//! Debug-information nodes.

use std::ffi::c_char;

use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::Value;

/// A node of debug information; never null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Metadata(pub(super) LLVMMetadataRef);

unsafe extern "C" {
    fn fl_type_encoding(ty: LLVMMetadataRef) -> u32;
    fn fl_base_type(ty: LLVMMetadataRef) -> LLVMMetadataRef;
    fn fl_elements(ty: LLVMMetadataRef) -> LLVMMetadataRef;
    fn fl_operand_count(list: LLVMMetadataRef) -> u32;
    fn fl_operand(list: LLVMMetadataRef, index: u32) -> LLVMMetadataRef;
    fn fl_name(node: LLVMMetadataRef, length: *mut usize) -> *const c_char;
    fn fl_enumerator_value(node: LLVMMetadataRef, low: *mut u64, high: *mut u64, unsigned: *mut bool);
    fn fl_subrange_count(node: LLVMMetadataRef, count: *mut i64) -> bool;
    fn fl_is_bit_field(node: LLVMMetadataRef) -> bool;
    fn fl_variable_type(node: LLVMMetadataRef) -> LLVMMetadataRef;
    fn fl_function_type(node: LLVMMetadataRef) -> LLVMMetadataRef;
    fn fl_function_line(node: LLVMMetadataRef) -> u32;
    fn fl_parent_scope(node: LLVMMetadataRef) -> LLVMMetadataRef;
    fn fl_global_variable(node: LLVMMetadataRef) -> LLVMMetadataRef;
    fn fl_declare(
        instruction: LLVMValueRef,
        address: *mut LLVMValueRef,
        variable: *mut LLVMMetadataRef,
        location: *mut LLVMMetadataRef,
    ) -> bool;
}

/// A variable's declaration: where it lives and what the source calls it.
pub struct Declaration {
    pub address: Value,
    pub variable: Metadata,
    pub location: Option<Metadata>,
}

impl Metadata {
    pub(super) fn new(raw: LLVMMetadataRef) -> Option<Metadata> {
        (!raw.is_null()).then_some(Metadata(raw))
    }

    /// The DWARF tag of a type.
    pub fn tag(self) -> u16 {
        // SAFETY: this and all below read immutable nodes; the shim checks their class.
        unsafe { LLVMGetDINodeTag(self.0) }
    }

    /// The DWARF encoding of a basic type.
    pub fn encoding(self) -> u32 {
        unsafe { fl_type_encoding(self.0) }
    }

    pub fn base_type(self) -> Option<Metadata> {
        Metadata::new(unsafe { fl_base_type(self.0) })
    }

    /// Members, enumerators, ranges, or a function type's result and parameters (`None`: void).
    pub fn elements(self) -> Vec<Option<Metadata>> {
        unsafe {
            let list = fl_elements(self.0);
            if list.is_null() {
                return Vec::new();
            }
            (0..fl_operand_count(list)).map(|index| Metadata::new(fl_operand(list, index))).collect()
        }
    }

    pub fn name(self) -> String {
        unsafe {
            let mut length = 0;
            let start = fl_name(self.0, &mut length);
            if start.is_null() {
                return String::new();
            }
            String::from_utf8_lossy(std::slice::from_raw_parts(start as *const u8, length)).into_owned()
        }
    }

    pub fn size_bits(self) -> u64 {
        unsafe { LLVMDITypeGetSizeInBits(self.0) }
    }

    pub fn offset_bits(self) -> u64 {
        unsafe { LLVMDITypeGetOffsetInBits(self.0) }
    }

    pub fn is_bit_field(self) -> bool {
        unsafe { fl_is_bit_field(self.0) }
    }

    pub fn enumerator_value(self) -> i128 {
        let (mut low, mut high, mut unsigned) = (0, 0, false);
        unsafe { fl_enumerator_value(self.0, &mut low, &mut high, &mut unsigned) };
        (u128::from(high) << 64 | u128::from(low)) as i128
    }

    pub fn subrange_count(self) -> Option<u64> {
        let mut count = 0;
        let known = unsafe { fl_subrange_count(self.0, &mut count) };
        if known { u64::try_from(count).ok() } else { None }
    }

    pub fn variable_type(self) -> Option<Metadata> {
        Metadata::new(unsafe { fl_variable_type(self.0) })
    }

    pub fn variable_line(self) -> u32 {
        unsafe { LLVMDIVariableGetLine(self.0) }
    }

    pub fn variable_file(self) -> Option<Metadata> {
        Metadata::new(unsafe { LLVMDIVariableGetFile(self.0) })
    }

    pub fn variable_scope(self) -> Option<Metadata> {
        Metadata::new(unsafe { LLVMDIVariableGetScope(self.0) })
    }

    pub fn function_type(self) -> Option<Metadata> {
        Metadata::new(unsafe { fl_function_type(self.0) })
    }

    pub fn function_line(self) -> u32 {
        unsafe { fl_function_line(self.0) }
    }

    pub fn parent_scope(self) -> Option<Metadata> {
        Metadata::new(unsafe { fl_parent_scope(self.0) })
    }

    pub fn global_variable(self) -> Option<Metadata> {
        Metadata::new(unsafe { fl_global_variable(self.0) })
    }

    /// Line, column and scope of a location node.
    pub fn location(self) -> (u32, u32, Option<Metadata>) {
        unsafe {
            (
                LLVMDILocationGetLine(self.0),
                LLVMDILocationGetColumn(self.0),
                Metadata::new(LLVMDILocationGetScope(self.0)),
            )
        }
    }

    pub fn scope_file(self) -> Option<Metadata> {
        Metadata::new(unsafe { LLVMDIScopeGetFile(self.0) })
    }

    /// Directory and name of a file node.
    pub fn file_path(self) -> (String, String) {
        unsafe {
            let mut length = 0;
            let directory = text(LLVMDIFileGetDirectory(self.0, &mut length), length);
            let name = text(LLVMDIFileGetFilename(self.0, &mut length), length);
            (directory, name)
        }
    }
}

impl Value {
    pub fn declaration(self) -> Option<Declaration> {
        let (mut address, mut variable, mut location) =
            (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        let found = unsafe { fl_declare(self.0, &mut address, &mut variable, &mut location) };
        let variable = Metadata::new(variable)?;
        found.then_some(Declaration { address: Value(address), variable, location: Metadata::new(location) })
    }
}

unsafe fn text(start: *const c_char, length: u32) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: LLVM gives start and length of a string it owns.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(start as *const u8, length as usize) }).into_owned()
}
