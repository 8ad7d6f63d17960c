//! The program that all engines look at: a control-flow graph of guarded commands over typed
//! expressions, with memory objects that have identity, size, lifetime and byte contents; a text
//! form that people can read beside their source; and the concrete executor.
//!
//! Nothing here knows LLVM, Boogie or a solver. What a command *means* is defined by [`exec`]:
//! every symbolic engine is tested against it.

mod command;
mod ctypes;
pub mod exec;
mod expr;
mod function;
#[cfg(any(test, feature = "generate"))]
pub mod generate;
mod operands;
mod program;
mod spans;
pub mod text;
mod types;
mod validate;

pub use command::{Argument, Call, Callee, Command, CommandKind, Failure, FailureKind, Terminator, TerminatorKind};
pub use ctypes::{CType, CTypeId, Encoding, Member};
pub use expr::{
    Arithmetic, BinaryOp, BitField, Builtin, CastOp, Comparison, Expr, ExprId, ExprKind, Field, FloatComparison,
    FloatOp, FloatRelation, Index, Load, Object, Overflow, Sign, UnaryOp,
};
pub use function::{
    Block, BlockId, Body, Function, FunctionId, GlobalId, LocalId, LocalObject, Parameter, Role, UnsupportedId, VarId,
    Variable,
};
pub use program::{AddressIn, Global, Initializer, Program, Site, SiteInfo, Unsupported};
pub use spans::{NodeRef, OperatorToken, SpanIndex};
pub use types::{Float, Type};
pub use validate::{Fault, Invalid, validate};
