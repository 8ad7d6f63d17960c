//! The value of an expression at a point of a run, for whoever watches it.
//!
//! Variables' values, the frame's objects and the memory → bits, or nothing where the expression reads what
//! is not known or would be a violation. The machine does not use this: its bytecode computes the same
//! with the same arithmetic.

use super::compile::static_address;
use super::memory::{Address, Memory};
use super::{arithmetic, builtin};
use crate::{Body, ExprId, ExprKind, LocalId, Object, Program, VarId};

/// A point of a run, as one frame sees it.
pub struct View<'a> {
    pub program: &'a Program,
    pub body: &'a Body,
    pub variables: &'a dyn Fn(VarId) -> Option<u128>,
    pub locals: &'a dyn Fn(LocalId) -> Option<Address>,
    pub memory: &'a Memory,
}

impl View<'_> {
    /// The bits of the expression's value.
    pub fn value(&self, expr: ExprId) -> Option<u128> {
        let node = self.body.expr(expr);
        let ty = |operand: ExprId| self.body.expr(operand).ty;
        match &node.kind {
            ExprKind::Constant(bits) => Some(*bits),
            ExprKind::Variable(variable) => (self.variables)(*variable),
            ExprKind::Address(Object::Local(local)) => (self.locals)(*local).map(|address| u128::from(address.0)),
            ExprKind::Address(object) => static_address(self.program, *object).map(|address| u128::from(address.0)),
            ExprKind::Load(load) => {
                let address = Address(self.value(load.address)? as u64);
                let bytes = self.memory.read(address, u64::from(node.ty.bytes())).ok()?;
                let mut padded = [0; 16];
                padded.get_mut(..bytes.len())?.copy_from_slice(bytes);
                let bits = u128::from_le_bytes(padded);
                let Some(field) = load.bits else { return Some(bits & node.ty.mask()) };
                let width = u32::from(field.width).clamp(1, 128);
                let value = (bits >> field.offset) & (u128::MAX >> (128 - width));
                let value = if field.signed { arithmetic::signed(value, width) as u128 } else { value };
                Some(value & node.ty.mask())
            }
            ExprKind::Unary(op, operand) => arithmetic::unary(*op, ty(*operand), self.value(*operand)?).ok(),
            ExprKind::Binary(op, left, right) => {
                arithmetic::binary(*op, ty(*left), self.value(*left)?, self.value(*right)?).ok()
            }
            ExprKind::Cast(op, operand) => arithmetic::cast(*op, ty(*operand), node.ty, self.value(*operand)?).ok(),
            ExprKind::Select { condition, then, otherwise } => {
                self.value(if self.value(*condition)? != 0 { *then } else { *otherwise })
            }
            ExprKind::Index(index) => {
                let base = Address(self.value(index.base)? as u64);
                Some(u128::from(base.element(self.value(index.index)? as i64, index.stride).0))
            }
            ExprKind::Field(field) => {
                let base = Address(self.value(field.base)? as u64);
                Some(u128::from(base.plus(field.offset as i64).0))
            }
            ExprKind::Apply(op, arguments) => {
                let values: Option<Vec<u128>> = arguments.iter().map(|argument| self.value(*argument)).collect();
                let first = arguments.first().map_or(node.ty, |argument| ty(*argument));
                builtin::apply(*op, first, node.ty, &values?).ok()
            }
        }
    }
}
