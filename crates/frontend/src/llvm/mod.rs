//! A thin, `Copy`-handle view of LLVM 19 modules: what the lowering needs and nothing else.
//!
//! All `unsafe` of the crate is in this folder. Handles are valid as long as their [`Module`] is;
//! the module is never changed while handles are used.

mod debug;
mod module;
mod types;
mod value;

pub use debug::Metadata;
pub use module::{Module, ModuleError};
pub use types::{Layout, Ty, TyKind};
pub use value::{Block, Opcode, Value, ValueKind};

/// Walks one of LLVM's linked lists, which end in a null pointer.
fn chain<T>(first: *mut T, next: impl Fn(&*mut T) -> *mut T) -> impl Iterator<Item = *mut T> {
    let some = |pointer: *mut T| (!pointer.is_null()).then_some(pointer);
    std::iter::successors(some(first), move |pointer| some(next(pointer)))
}
