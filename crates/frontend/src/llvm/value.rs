//! Values: instructions, constants, globals, functions and blocks.

use std::ffi::{CStr, c_char};

pub use llvm_sys::LLVMOpcode as Opcode;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMGetSubprogram, LLVMInstructionGetDebugLoc};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMRealPredicate, LLVMValueKind};

use super::{Metadata, Ty, chain};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub(super) LLVMValueRef);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(pub(super) LLVMBasicBlockRef);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Instruction,
    Argument,
    Function,
    Global,
    Alias,
    Int,
    Float,
    Null,
    /// Undefined or poison.
    Undef,
    /// A zero of any aggregate type.
    Zero,
    /// A struct, array or vector of constants.
    Aggregate,
    /// An array or vector of plain numbers.
    Data,
    Expression,
    BlockAddress,
    InlineAsm,
    Other,
}

unsafe extern "C" {
    fn fl_int_bits(value: LLVMValueRef, low: *mut u64, high: *mut u64);
    fn fl_int_words(value: LLVMValueRef, count: *mut usize) -> *const u64;
    fn fl_float_bits(value: LLVMValueRef, low: *mut u64, high: *mut u64);
    fn fl_raw_bytes(value: LLVMValueRef, length: *mut usize) -> *const c_char;
    fn fl_is_debug_instruction(value: LLVMValueRef) -> bool;
}

// SAFETY of all below: handles come from a live module, and each call is made only on the kinds of
// values that its doc comment names; LLVM's C interface reads immutable data.
impl Value {
    pub fn kind(self) -> ValueKind {
        use LLVMValueKind::*;
        match unsafe { LLVMGetValueKind(self.0) } {
            LLVMInstructionValueKind => ValueKind::Instruction,
            LLVMArgumentValueKind => ValueKind::Argument,
            LLVMFunctionValueKind => ValueKind::Function,
            LLVMGlobalVariableValueKind => ValueKind::Global,
            LLVMGlobalAliasValueKind => ValueKind::Alias,
            LLVMConstantIntValueKind => ValueKind::Int,
            LLVMConstantFPValueKind => ValueKind::Float,
            LLVMConstantPointerNullValueKind => ValueKind::Null,
            LLVMUndefValueValueKind | LLVMPoisonValueKind => ValueKind::Undef,
            LLVMConstantAggregateZeroValueKind => ValueKind::Zero,
            LLVMConstantStructValueKind | LLVMConstantArrayValueKind | LLVMConstantVectorValueKind => {
                ValueKind::Aggregate
            }
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => ValueKind::Data,
            LLVMConstantExprValueKind => ValueKind::Expression,
            LLVMBlockAddressValueKind => ValueKind::BlockAddress,
            LLVMInlineAsmValueKind => ValueKind::InlineAsm,
            _ => ValueKind::Other,
        }
    }

    pub fn ty(self) -> Ty {
        Ty(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        unsafe {
            let mut length = 0;
            let start = LLVMGetValueName2(self.0, &mut length);
            if start.is_null() {
                return String::new();
            }
            String::from_utf8_lossy(std::slice::from_raw_parts(start as *const u8, length)).into_owned()
        }
    }

    /// Of an instruction or a constant expression.
    pub fn opcode(self) -> Opcode {
        match self.kind() {
            ValueKind::Expression => unsafe { LLVMGetConstOpcode(self.0) },
            _ => unsafe { LLVMGetInstructionOpcode(self.0) },
        }
    }

    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0).max(0) as u32 }
    }

    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    /// The instructions that use this value, with repetition.
    pub fn users(self) -> Vec<Value> {
        unsafe {
            let uses = chain(LLVMGetFirstUse(self.0), |&one| LLVMGetNextUse(one));
            uses.map(|one| Value(LLVMGetUser(one))).collect()
        }
    }

    /// The instructions behind this one in its block.
    pub fn following(self) -> impl Iterator<Item = Value> {
        chain(unsafe { LLVMGetNextInstruction(self.0) }, |&value| unsafe { LLVMGetNextInstruction(value) }).map(Value)
    }

    /// The block of an instruction.
    pub fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub fn is_debug_instruction(self) -> bool {
        unsafe { fl_is_debug_instruction(self.0) }
    }

    pub fn debug_location(self) -> Option<Metadata> {
        Metadata::new(unsafe { LLVMInstructionGetDebugLoc(self.0) })
    }

    /// The bits of an integer constant.
    pub fn int_bits(self) -> u128 {
        let (mut low, mut high) = (0, 0);
        unsafe { fl_int_bits(self.0, &mut low, &mut high) };
        u128::from(high) << 64 | u128::from(low)
    }

    /// All 64-bit words of an integer constant, the least significant first.
    pub fn int_words(self) -> Vec<u64> {
        unsafe {
            let mut count = 0;
            let words = fl_int_words(self.0, &mut count);
            std::slice::from_raw_parts(words, count).to_vec()
        }
    }

    /// The bits of a float constant.
    pub fn float_bits(self) -> u128 {
        let (mut low, mut high) = (0, 0);
        unsafe { fl_float_bits(self.0, &mut low, &mut high) };
        u128::from(high) << 64 | u128::from(low)
    }

    /// The bytes of a [`ValueKind::Data`] constant.
    pub fn raw_bytes(self) -> &'static [u8] {
        unsafe {
            let mut length = 0;
            let start = fl_raw_bytes(self.0, &mut length);
            std::slice::from_raw_parts(start as *const u8, length)
        }
    }

    /// An element of a [`ValueKind::Data`] constant.
    pub fn data_element(self, index: u32) -> Value {
        Value(unsafe { LLVMGetAggregateElement(self.0, index) })
    }

    pub fn alias_target(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    pub fn block_address(self) -> (Value, Block) {
        unsafe { (Value(LLVMGetBlockAddressFunction(self.0)), Block(LLVMGetBlockAddressBasicBlock(self.0))) }
    }

    // Globals.

    /// A global's type of contents, or a function's type.
    pub fn value_type(self) -> Ty {
        Ty(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub fn initializer(self) -> Option<Value> {
        let raw = unsafe { LLVMGetInitializer(self.0) };
        (!raw.is_null()).then_some(Value(raw))
    }

    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether it may be missing at link time; its address is null then.
    pub fn is_weak_declaration(self) -> bool {
        self.is_declaration() && unsafe { LLVMGetLinkage(self.0) } == LLVMLinkage::LLVMExternalWeakLinkage
    }

    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }

    /// The variable that a global's debug information describes.
    pub fn global_debug(self) -> Option<Metadata> {
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let found = (0..count as u32)
                .filter_map(|index| Metadata::new(LLVMValueMetadataEntriesGetMetadata(entries, index)))
                .find_map(Metadata::global_variable);
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    // Functions.

    pub fn parameters(self) -> Vec<Value> {
        unsafe { (0..LLVMCountParams(self.0)).map(|index| Value(LLVMGetParam(self.0, index))).collect() }
    }

    pub fn blocks(self) -> Vec<Block> {
        unsafe { chain(LLVMGetFirstBasicBlock(self.0), |&block| LLVMGetNextBasicBlock(block)).map(Block).collect() }
    }

    pub fn subprogram(self) -> Option<Metadata> {
        Metadata::new(unsafe { LLVMGetSubprogram(self.0) })
    }

    /// The type behind a parameter's `byval`, if it has one (`index` from 0).
    pub fn parameter_byval(self, index: u32) -> Option<Ty> {
        unsafe {
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute_kind("byval"));
            (!attribute.is_null()).then(|| Ty(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    // Instructions.

    pub fn argument_byval(self, index: u32) -> Option<Ty> {
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, index + 1, attribute_kind("byval"));
            (!attribute.is_null()).then(|| Ty(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    pub fn called(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value> {
        unsafe { (0..LLVMGetNumArgOperands(self.0)).map(|index| self.operand(index)).collect() }
    }

    pub fn asm_text(self) -> String {
        unsafe {
            let mut length = 0;
            let start = LLVMGetInlineAsmAsmString(self.0, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(start as *const u8, length)).into_owned()
        }
    }

    pub fn has_nsw(self) -> bool {
        unsafe { LLVMGetNSW(self.0) != 0 }
    }

    pub fn allocated_type(self) -> Ty {
        Ty(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub fn gep_source_type(self) -> Ty {
        Ty(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub fn float_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    pub fn atomic_operation(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// Constant indices of `extractvalue` and `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        unsafe { std::slice::from_raw_parts(LLVMGetIndices(self.0), LLVMGetNumIndices(self.0) as usize).to_vec() }
    }

    /// Mask of `shufflevector`; `None` for an undefined lane.
    pub fn shuffle_mask(self) -> Vec<Option<usize>> {
        unsafe {
            (0..LLVMGetNumMaskElements(self.0)).map(|i| usize::try_from(LLVMGetMaskValue(self.0, i)).ok()).collect()
        }
    }

    pub fn incoming(self) -> Vec<(Value, Block)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))))
                .collect()
        }
    }

    /// Successor blocks of a terminator: for a conditional branch (then, else), for a switch the
    /// default first.
    pub fn successors(self) -> Vec<Block> {
        unsafe { (0..LLVMGetNumSuccessors(self.0)).map(|index| Block(LLVMGetSuccessor(self.0, index))).collect() }
    }

    pub fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    pub fn condition(self) -> Value {
        Value(unsafe { LLVMGetCondition(self.0) })
    }

    /// The two numbers that [`super::Module::annotate`] attached.
    pub fn annotation(self, kind: u32) -> Option<[u32; 2]> {
        unsafe {
            let node = LLVMGetMetadata(self.0, kind);
            if node.is_null() || LLVMGetMDNodeNumOperands(node) != 2 {
                return None;
            }
            let mut operands = [std::ptr::null_mut(); 2];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            Some(operands.map(|operand| LLVMConstIntGetZExtValue(operand) as u32))
        }
    }
}

impl Block {
    pub fn name(self) -> String {
        unsafe {
            let start = LLVMGetBasicBlockName(self.0);
            if start.is_null() { String::new() } else { CStr::from_ptr(start).to_string_lossy().into_owned() }
        }
    }

    pub fn instructions(self) -> Vec<Value> {
        unsafe { chain(LLVMGetFirstInstruction(self.0), |&value| LLVMGetNextInstruction(value)).map(Value).collect() }
    }

    pub fn terminator(self) -> Option<Value> {
        let raw = unsafe { LLVMGetBasicBlockTerminator(self.0) };
        (!raw.is_null()).then_some(Value(raw))
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        unsafe {
            let text = LLVMPrintValueToString(self.0);
            let result = write!(out, "{}", CStr::from_ptr(text).to_string_lossy().trim());
            LLVMDisposeMessage(text);
            result
        }
    }
}

unsafe fn attribute_kind(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr() as *const c_char, name.len()) }
}
