//! The expressions that a node, a command or a terminator is made of, in the order of the text form.
//!
//! Every pass that follows expressions goes through these, so that a new kind of node cannot be
//! forgotten in one of them.

use crate::{Argument, Call, Callee, CommandKind, ExprId, ExprKind, Field, Index, Load, TerminatorKind};

/// Defines the visitor for shared and for exclusive access; patterns bind as the access needs it.
macro_rules! visitors {
    ($kind:ty, |$this:ident, $visit:ident| $body:expr) => {
        impl $kind {
            /// Visits the direct operands, left to right.
            pub fn operands<'a>(&'a self, mut $visit: impl FnMut(&'a ExprId)) {
                let $this = self;
                $body
            }

            /// Visits the direct operands, left to right, to change them.
            pub fn operands_mut(&mut self, mut $visit: impl FnMut(&mut ExprId)) {
                let $this = self;
                $body
            }
        }
    };
}

visitors!(ExprKind, |this, visit| match this {
    ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Address(_) => {}
    ExprKind::Load(Load { address: operand, .. })
    | ExprKind::Unary(_, operand)
    | ExprKind::Cast(_, operand)
    | ExprKind::Field(Field { base: operand, .. }) => visit(operand),
    ExprKind::Binary(_, left, right) | ExprKind::Index(Index { base: left, index: right, .. }) => {
        visit(left);
        visit(right);
    }
    ExprKind::Select { condition, then, otherwise } => {
        visit(condition);
        visit(then);
        visit(otherwise);
    }
    ExprKind::Apply(_, arguments) => {
        for argument in arguments {
            visit(argument);
        }
    }
});

visitors!(CommandKind, |this, visit| match this {
    CommandKind::Assign { value: operand, .. }
    | CommandKind::Assume(operand)
    | CommandKind::Assert { condition: operand, .. }
    | CommandKind::Allocate { size: operand, .. }
    | CommandKind::StackRelease { mark: operand }
    | CommandKind::VaStart { list: operand } => visit(operand),
    CommandKind::Store { address, value, .. } => {
        visit(address);
        visit(value);
    }
    CommandKind::Call(Call { callee, arguments, .. }) => {
        if let Callee::Indirect(callee) = callee {
            visit(callee);
        }
        for argument in arguments {
            match argument {
                Argument::Scalar(operand) | Argument::Copied { address: operand, .. } => visit(operand),
            }
        }
    }
    CommandKind::Copy { destination: first, source: second, size, .. }
    | CommandKind::Fill { destination: first, byte: second, size } => {
        visit(first);
        visit(second);
        visit(size);
    }
    CommandKind::Havoc { .. }
    | CommandKind::Fail(_)
    | CommandKind::StackMark { .. }
    | CommandKind::Declare(_)
    | CommandKind::Begin(_)
    | CommandKind::End(_)
    | CommandKind::Unsupported(_) => {}
});

visitors!(TerminatorKind, |this, visit| match this {
    TerminatorKind::Goto(_) | TerminatorKind::Unreachable => {}
    TerminatorKind::Branch { condition: operand, .. }
    | TerminatorKind::Switch { value: operand, .. }
    | TerminatorKind::IndirectGoto { address: operand, .. } => visit(operand),
    TerminatorKind::Return(values) => {
        for value in values {
            visit(value);
        }
    }
});

impl TerminatorKind {
    /// Visits the blocks that may follow, in the order of the text form.
    pub fn successors(&self, mut visit: impl FnMut(crate::BlockId)) {
        match self {
            TerminatorKind::Goto(target) => visit(*target),
            TerminatorKind::Branch { then, otherwise, .. } => {
                visit(*then);
                visit(*otherwise);
            }
            TerminatorKind::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, target)| visit(*target));
                visit(*default);
            }
            TerminatorKind::IndirectGoto { targets, .. } => targets.iter().copied().for_each(visit),
            TerminatorKind::Return(_) | TerminatorKind::Unreachable => {}
        }
    }
}
