//! Comparisons and terminators: a comparison merges with the branch on it.

use super::Compiler;
use crate::exec::bytecode::{JumpTable, ObservedEffect, Op, Pc, Slot, TableId, slots_of};
use crate::{BinaryOp, Block, BlockId, CastOp, Comparison, ExprId, ExprKind, Sign, TerminatorKind, Type, UnaryOp};

/// A condition that one operation can decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    Equal(Slot, Slot),
    NotEqual(Slot, Slot),
    Less(Form, Slot, Slot),
    LessEqual(Form, Slot, Slot),
    EqualImm(Slot, u32),
    NotEqualImm(Slot, u32),
    LessImm(Form, Slot, i32),
    GreaterEqualImm(Form, Slot, i32),
}

/// How operands are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    Unsigned,
    Signed32,
    Signed64,
}

impl Test {
    fn negated(self) -> Test {
        match self {
            Test::Equal(left, right) => Test::NotEqual(left, right),
            Test::NotEqual(left, right) => Test::Equal(left, right),
            Test::Less(form, left, right) => Test::LessEqual(form, right, left),
            Test::LessEqual(form, left, right) => Test::Less(form, right, left),
            Test::EqualImm(left, value) => Test::NotEqualImm(left, value),
            Test::NotEqualImm(left, value) => Test::EqualImm(left, value),
            Test::LessImm(form, left, value) => Test::GreaterEqualImm(form, left, value),
            Test::GreaterEqualImm(form, left, value) => Test::LessImm(form, left, value),
        }
    }
}

impl Compiler<'_> {
    /// The condition as a test; its operands are evaluated.
    pub(super) fn test(&mut self, condition: ExprId) -> Test {
        let expr = self.body.expr(condition);
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) if expr.ty == Type::BOOL => self.test(*operand).negated(),
            ExprKind::Binary(BinaryOp::Compare(comparison), left, right) => {
                self.comparison(condition, *comparison, *left, *right)
            }
            ExprKind::Binary(BinaryOp::Xor, left, right)
                if expr.ty == Type::BOOL && self.constant(*right) == Some(1) =>
            {
                self.test(*left).negated()
            }
            _ => Test::NotEqualImm(self.value(condition), 0),
        }
    }

    fn comparison(&mut self, id: ExprId, comparison: Comparison, left: ExprId, right: ExprId) -> Test {
        if let Some(test) = self.of_condition(comparison, left, right) {
            return test;
        }
        let ty = self.ty(left);
        let form = match comparison {
            Comparison::Less(Sign::Signed)
            | Comparison::LessEqual(Sign::Signed)
            | Comparison::Greater(Sign::Signed)
            | Comparison::GreaterEqual(Sign::Signed) => match ty {
                Type::Int(32) => Some(Form::Signed32),
                Type::Int(64) | Type::Pointer => Some(Form::Signed64),
                _ => None,
            },
            _ => (ty.bits() <= 64).then_some(Form::Unsigned),
        };
        let Some(form) = form else {
            let to = self.temporary(1);
            self.evaluate_any(id, &[left, right], to);
            return Test::NotEqualImm(to, 0);
        };
        if let Some(test) = self.comparison_with_constant(comparison, form, left, right) {
            return test;
        }
        let left = self.value(left);
        let right = self.value(right);
        match comparison {
            Comparison::Equal => Test::Equal(left, right),
            Comparison::NotEqual => Test::NotEqual(left, right),
            Comparison::Less(_) => Test::Less(form, left, right),
            Comparison::LessEqual(_) => Test::LessEqual(form, left, right),
            Comparison::Greater(_) => Test::Less(form, right, left),
            Comparison::GreaterEqual(_) => Test::LessEqual(form, right, left),
        }
    }

    /// `(int)condition != 0` is the condition.
    fn of_condition(&mut self, comparison: Comparison, left: ExprId, right: ExprId) -> Option<Test> {
        if self.constant(right) != Some(0) {
            return None;
        }
        let condition = match &self.body.expr(left).kind {
            ExprKind::Cast(CastOp::ZeroExtend, operand) if self.ty(*operand) == Type::BOOL => *operand,
            _ if self.ty(left) == Type::BOOL => left,
            _ => return None,
        };
        match comparison {
            Comparison::NotEqual => Some(self.test(condition)),
            Comparison::Equal => Some(self.test(condition).negated()),
            _ => None,
        }
    }

    fn comparison_with_constant(
        &mut self,
        comparison: Comparison,
        form: Form,
        left: ExprId,
        right: ExprId,
    ) -> Option<Test> {
        let bits = self.constant(right)? as u64;
        if let Comparison::Equal | Comparison::NotEqual = comparison {
            let value = u32::try_from(bits).ok()?;
            let left = self.value(left);
            return Some(match comparison {
                Comparison::Equal => Test::EqualImm(left, value),
                _ => Test::NotEqualImm(left, value),
            });
        }
        let value = match form {
            // Kept below 2^31, so that it reads the same with a sign.
            Form::Unsigned => i32::try_from(bits).ok()?,
            Form::Signed32 => bits as u32 as i32,
            Form::Signed64 => i32::try_from(bits as i64).ok()?,
        };
        let next = value.checked_add(1);
        match comparison {
            Comparison::Less(_) => Some(Test::LessImm(form, self.value(left), value)),
            Comparison::GreaterEqual(_) => Some(Test::GreaterEqualImm(form, self.value(left), value)),
            Comparison::LessEqual(_) => next.map(|next| Test::LessImm(form, self.value(left), next)),
            _ => next.map(|next| Test::GreaterEqualImm(form, self.value(left), next)),
        }
    }

    pub(super) fn test_into(&mut self, id: ExprId, test: Test, to: Slot) {
        let op = match test {
            Test::Equal(left, right) => Op::Equal { to, left, right },
            Test::NotEqual(left, right) => Op::NotEqual { to, left, right },
            Test::Less(Form::Unsigned, left, right) => Op::LessU { to, left, right },
            Test::Less(Form::Signed32, left, right) => Op::LessS32 { to, left, right },
            Test::Less(Form::Signed64, left, right) => Op::LessS64 { to, left, right },
            Test::LessEqual(Form::Unsigned, left, right) => Op::LessEqualU { to, left, right },
            Test::LessEqual(Form::Signed32, left, right) => Op::LessEqualS32 { to, left, right },
            Test::LessEqual(Form::Signed64, left, right) => Op::LessEqualS64 { to, left, right },
            Test::EqualImm(left, value) => Op::EqualImm { to, left, value },
            Test::NotEqualImm(left, value) => Op::NotEqualImm { to, left, value },
            Test::LessImm(Form::Unsigned, left, value) => Op::LessUImm { to, left, value: value as u32 },
            Test::LessImm(Form::Signed32, left, value) => Op::LessS32Imm { to, left, value },
            Test::LessImm(Form::Signed64, left, value) => Op::LessS64Imm { to, left, value },
            Test::GreaterEqualImm(Form::Unsigned, left, value) => {
                Op::GreaterEqualUImm { to, left, value: value as u32 }
            }
            Test::GreaterEqualImm(Form::Signed32, left, value) => Op::GreaterEqualS32Imm { to, left, value },
            Test::GreaterEqualImm(Form::Signed64, left, value) => Op::GreaterEqualS64Imm { to, left, value },
        };
        self.emit_for(id, op);
    }

    /// Ends the chain that `self.origin` is in.
    pub(super) fn terminator(&mut self, block: &Block) {
        let steps = self.counted(self.origin.before + block.commands.len() as u32 + 1);
        match &block.terminator.kind {
            TerminatorKind::Goto(next) => {
                self.observe(ObservedEffect::None, Slot(0), Slot(0));
                self.jump(Op::Jump { steps, target: Pc(0) }, *next);
            }
            TerminatorKind::Branch { .. } => unreachable!("branches are emitted by their chain"),
            TerminatorKind::Switch { value, cases, default } => self.switch(*value, cases, *default, steps),
            TerminatorKind::IndirectGoto { address, targets } => {
                let address = self.value(*address);
                let table = self.table(PendingTable::Labels(targets.clone()));
                self.emit(Op::IndirectGoto { steps, address, table });
            }
            TerminatorKind::Return(values) => self.returns(values, steps),
            TerminatorKind::Unreachable => self.emit(Op::Unreachable),
        }
        self.next = self.temporaries;
    }

    /// What fits a jump; the rest is counted before it.
    fn counted(&mut self, steps: u32) -> u16 {
        match u16::try_from(steps) {
            Ok(steps) => steps,
            Err(_) => {
                self.emit(Op::Count { steps });
                0
            }
        }
    }

    /// Jumps to one successor and goes on with the other; returns the one to append here.
    pub(super) fn branch(&mut self, condition: ExprId, then: BlockId, otherwise: BlockId) -> Option<BlockId> {
        let commands = self.body.block(self.origin.block).commands.len() as u32;
        let steps = self.counted(self.origin.before + commands + 1);
        let test = if self.context.observed {
            let value = self.value(condition);
            self.observe(ObservedEffect::Guard, value, Slot(0));
            Test::NotEqualImm(value, 0)
        } else {
            self.test(condition)
        };
        self.next = self.temporaries;
        let fresh = |block: BlockId| self.starts[block.index()].is_none();
        if fresh(then) && then != otherwise {
            self.jump(jump_op(test.negated(), steps), otherwise);
            return Some(then);
        }
        let appended = fresh(otherwise);
        self.jump(jump_op(test, steps), then);
        if appended {
            return Some(otherwise);
        }
        // The conditional jump has counted the steps already.
        self.jump(Op::Jump { steps: 0, target: Pc(0) }, otherwise);
        None
    }

    fn jump(&mut self, op: Op, target: BlockId) {
        let at = self.code.ops.len();
        self.emit(op);
        match self.starts[target.index()] {
            Some(start) => set_target(&mut self.code.ops[at], start),
            None => self.fixups.push((at, target)),
        }
    }

    fn switch(&mut self, value: ExprId, cases: &[(u128, BlockId)], default: BlockId, steps: u16) {
        let wide = slots_of(self.ty(value)) == 2;
        let value = self.value(value);
        let table = self.table(PendingTable::Switch { cases: cases.to_vec(), wide, default });
        self.emit(Op::Switch { steps, value, table });
    }

    fn table(&mut self, table: PendingTable) -> TableId {
        self.pending_tables.push(table);
        TableId(self.pending_tables.len() as u32 - 1)
    }

    /// Values go to the frame's first slots, where the caller finds them.
    fn returns(&mut self, values: &[ExprId], steps: u16) {
        let evaluated: Vec<_> = values.iter().map(|value| (self.journey(*value), slots_of(self.ty(*value)))).collect();
        for (position, ((_, written), slots)) in evaluated.iter().enumerate() {
            if let Some(written) = *written {
                let position = position as u32;
                self.emit(Op::PassWritten { wide: *slots == 2, returned: true, position, written });
            }
        }
        // A value may be a variable in a slot that another value is to go to.
        let mut to = Slot(0);
        let direct = evaluated.len() == 1;
        let staged: Vec<_> =
            evaluated.iter().map(|((slot, _), slots)| (self.staged(*slot, *slots, direct), *slots)).collect();
        for (slot, slots) in staged {
            self.move_slots(to, slot, slots);
            to = to.plus(slots);
        }
        self.code.frame = self.code.frame.max(to.0);
        let effect = match evaluated.first() {
            Some((_, 1)) => ObservedEffect::Returned,
            Some(_) => ObservedEffect::ReturnedWide,
            None => ObservedEffect::None,
        };
        self.observe(effect, Slot(0), Slot(0));
        self.emit(Op::Return { steps });
    }

    fn staged(&mut self, slot: Slot, slots: u32, direct: bool) -> Slot {
        if direct {
            return slot;
        }
        let temporary = self.temporary(slots);
        self.move_slots(temporary, slot, slots);
        temporary
    }
}

/// A table whose targets are blocks still.
#[derive(Debug)]
pub(super) enum PendingTable {
    Switch { cases: Vec<(u128, BlockId)>, wide: bool, default: BlockId },
    Labels(Vec<BlockId>),
}

impl PendingTable {
    pub(super) fn resolve(self, start: impl Fn(BlockId) -> Pc) -> JumpTable {
        match self {
            PendingTable::Labels(blocks) => {
                JumpTable::Labels(blocks.into_iter().map(|block| (block, start(block))).collect())
            }
            PendingTable::Switch { cases, wide, default } => {
                let mut cases: Vec<_> = cases.into_iter().map(|(value, block)| (value, start(block))).collect();
                cases.sort_by_key(|(value, _)| *value);
                let default = start(default);
                dense(&cases, default).unwrap_or(JumpTable::Sparse { cases, wide, default })
            }
        }
    }
}

/// A plain array, where the values lie close together.
fn dense(cases: &[(u128, Pc)], default: Pc) -> Option<JumpTable> {
    let first = u64::try_from(cases.first()?.0).ok()?;
    let last = u64::try_from(cases.last()?.0).ok()?;
    let span = last - first;
    if span > 4 * cases.len() as u64 + 16 {
        return None;
    }
    let mut targets = vec![default; span as usize + 1];
    for (value, target) in cases {
        targets[(*value as u64 - first) as usize] = *target;
    }
    Some(JumpTable::Dense { first, targets, default })
}

fn jump_op(test: Test, steps: u16) -> Op {
    let target = Pc(0);
    match test {
        Test::Equal(left, right) => Op::JumpEqual { steps, left, right, target },
        Test::NotEqual(left, right) => Op::JumpNotEqual { steps, left, right, target },
        Test::Less(Form::Unsigned, left, right) => Op::JumpLessU { steps, left, right, target },
        Test::Less(Form::Signed32, left, right) => Op::JumpLessS32 { steps, left, right, target },
        Test::Less(Form::Signed64, left, right) => Op::JumpLessS64 { steps, left, right, target },
        Test::LessEqual(Form::Unsigned, left, right) => Op::JumpLessEqualU { steps, left, right, target },
        Test::LessEqual(Form::Signed32, left, right) => Op::JumpLessEqualS32 { steps, left, right, target },
        Test::LessEqual(Form::Signed64, left, right) => Op::JumpLessEqualS64 { steps, left, right, target },
        Test::EqualImm(left, value) => Op::JumpEqualImm { steps, left, value, target },
        Test::NotEqualImm(left, value) => Op::JumpNotEqualImm { steps, left, value, target },
        Test::LessImm(Form::Unsigned, left, value) => Op::JumpLessUImm { steps, left, value: value as u32, target },
        Test::LessImm(Form::Signed32, left, value) => Op::JumpLessS32Imm { steps, left, value, target },
        Test::LessImm(Form::Signed64, left, value) => Op::JumpLessS64Imm { steps, left, value, target },
        Test::GreaterEqualImm(Form::Unsigned, left, value) => {
            Op::JumpGreaterEqualUImm { steps, left, value: value as u32, target }
        }
        Test::GreaterEqualImm(Form::Signed32, left, value) => Op::JumpGreaterEqualS32Imm { steps, left, value, target },
        Test::GreaterEqualImm(Form::Signed64, left, value) => Op::JumpGreaterEqualS64Imm { steps, left, value, target },
    }
}

/// Fills in where a jump goes.
pub(super) fn set_target(op: &mut Op, start: Pc) {
    match op {
        Op::Jump { target, .. }
        | Op::JumpEqual { target, .. }
        | Op::JumpNotEqual { target, .. }
        | Op::JumpLessU { target, .. }
        | Op::JumpLessEqualU { target, .. }
        | Op::JumpLessS32 { target, .. }
        | Op::JumpLessEqualS32 { target, .. }
        | Op::JumpLessS64 { target, .. }
        | Op::JumpLessEqualS64 { target, .. }
        | Op::JumpEqualImm { target, .. }
        | Op::JumpNotEqualImm { target, .. }
        | Op::JumpLessUImm { target, .. }
        | Op::JumpGreaterEqualUImm { target, .. }
        | Op::JumpLessS32Imm { target, .. }
        | Op::JumpGreaterEqualS32Imm { target, .. }
        | Op::JumpLessS64Imm { target, .. }
        | Op::JumpGreaterEqualS64Imm { target, .. } => *target = start,
        _ => unreachable!("only jumps have targets to fill in"),
    }
}
