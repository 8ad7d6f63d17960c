//! placeholder
mod llvm;
