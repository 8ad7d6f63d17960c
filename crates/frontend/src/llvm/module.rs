//! Loading and linking modules.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;
use std::ptr;

use llvm_sys::core::*;

use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::LLVMGetModuleDataLayout;

use super::{Layout, Value, chain};

/// A module and the context that owns it.
pub struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// Messages of LLVM's linker and reader, in order.
    #[expect(clippy::box_collection, reason = "LLVM keeps the address of the vector")]
    messages: Box<Vec<String>>,
}

/// LLVM could not read or link a module.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ModuleError(pub String);

impl Module {
    /// Reads bitcode or textual IR that this LLVM wrote.
    pub fn read(path: &Path) -> Result<Module, ModuleError> {
        let mut module = Module::empty();
        module.module = module.parse(path)?;
        Ok(module)
    }

    fn empty() -> Module {
        let mut messages = Box::new(Vec::new());
        // SAFETY: the box outlives the context, which alone calls the handler.
        let context = unsafe {
            let context = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(context, Some(collect), &raw mut *messages as *mut c_void);
            context
        };
        Module { context, module: ptr::null_mut(), messages }
    }

    fn parse(&mut self, path: &Path) -> Result<LLVMModuleRef, ModuleError> {
        let name = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| ModuleError("the file's name contains a zero byte".into()))?;
        // SAFETY: on success the reader takes the buffer and hands out a module of this context.
        unsafe {
            let mut buffer = ptr::null_mut();
            let mut message = ptr::null_mut();
            if LLVMCreateMemoryBufferWithContentsOfFile(name.as_ptr(), &mut buffer, &mut message) != 0 {
                return Err(ModuleError(take_message(message)));
            }
            let mut module = ptr::null_mut();
            if LLVMParseIRInContext(self.context, buffer, &mut module, &mut message) != 0 {
                return Err(ModuleError(take_message(message)));
            }
            LLVMSetIsNewDbgInfoFormat(module, 0);
            Ok(module)
        }
    }

    /// Adds another file's definitions to this module.
    pub fn link(&mut self, path: &Path) -> Result<(), ModuleError> {
        let other = self.parse(path)?;
        // SAFETY: both modules are of this context; the linker consumes `other`.
        if unsafe { LLVMLinkModules2(self.module, other) } != 0 {
            return Err(ModuleError(self.messages.join("; ")));
        }
        Ok(())
    }

    pub fn layout(&self) -> Layout {
        // SAFETY: the layout lives as long as the module.
        Layout(unsafe { LLVMGetModuleDataLayout(self.module) })
    }

    pub fn functions(&self) -> Vec<Value> {
        // SAFETY: walks the module's own list.
        unsafe { chain(LLVMGetFirstFunction(self.module), |&value| LLVMGetNextFunction(value)).map(Value).collect() }
    }

    pub fn globals(&self) -> Vec<Value> {
        // SAFETY: as above.
        unsafe { chain(LLVMGetFirstGlobal(self.module), |&value| LLVMGetNextGlobal(value)).map(Value).collect() }
    }

    /// The number under which LLVM knows this kind of instruction metadata.
    pub fn metadata_kind(&self, name: &str) -> u32 {
        // SAFETY: the name is passed with its length.
        unsafe { LLVMGetMDKindIDInContext(self.context, name.as_ptr() as *const c_char, name.len() as u32) }
    }

    /// Attaches two numbers to an instruction.
    pub fn annotate(&self, instruction: Value, kind: u32, numbers: [u32; 2]) {
        // SAFETY: all values are made in the instruction's own context.
        unsafe {
            let i32_type = LLVMInt32TypeInContext(self.context);
            let mut operands = numbers.map(|n| LLVMValueAsMetadata(LLVMConstInt(i32_type, u64::from(n), 0)));
            let node = LLVMMDNodeInContext2(self.context, operands.as_mut_ptr(), 2);
            LLVMSetMetadata(instruction.0, kind, LLVMMetadataAsValue(self.context, node));
        }
    }

    /// Writes the module as bitcode.
    pub fn write(&self, path: &Path) -> Result<(), ModuleError> {
        let name = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| ModuleError("the file's name contains a zero byte".into()))?;
        // SAFETY: the module is whole.
        match unsafe { llvm_sys::bit_writer::LLVMWriteBitcodeToFile(self.module, name.as_ptr()) } {
            0 => Ok(()),
            _ => Err(ModuleError(format!("cannot write {}", path.display()))),
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: the context owns its modules; a null module was never made.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
        }
    }
}

unsafe fn take_message(message: *mut c_char) -> String {
    // SAFETY: LLVM hands out a zero-terminated string that we must free.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    // SAFETY: `messages` is the box that `empty` registered.
    unsafe {
        let text = take_message(LLVMGetDiagInfoDescription(info));
        (*(messages as *mut Vec<String>)).push(text);
    }
}
