//! Commands.

use super::Compiler;
use super::copies::is_copy;
use crate::exec::bytecode::{ObservedEffect, Op, Slot, slots_of};
use crate::{BitField, Command, CommandKind, ExprId, VarId};

impl Compiler<'_> {
    pub(super) fn command(&mut self, command: &Command) {
        match &command.kind {
            CommandKind::Assign { target, value } => self.assign(*target, *value),
            CommandKind::Store { address, value, bits } => self.store_command(*address, *value, *bits),
            CommandKind::Assume(condition) | CommandKind::Assert { condition, .. } => {
                let condition = self.value(*condition);
                self.emit(Op::Require { condition });
                self.observe(ObservedEffect::None, Slot(0), Slot(0));
            }
            CommandKind::Call(call) => self.call(call, command.site),
            CommandKind::Declare(variable) => {
                if let Some(flag) = self.flags[variable.index()] {
                    self.emit(Op::Immediate { to: flag, value: 0 });
                }
                self.observe(ObservedEffect::None, Slot(0), Slot(0));
            }
            CommandKind::Begin(local) => {
                let slot = self.local(*local);
                self.emit(Op::Begin { slot, local: *local });
                self.observe(ObservedEffect::Assigned, slot, Slot(0));
            }
            CommandKind::End(local) => {
                let slot = self.local(*local);
                self.emit(Op::End { slot, local: *local });
                self.observe(ObservedEffect::None, Slot(0), Slot(0));
            }
            _ => self.general_command(command),
        }
    }

    fn assign(&mut self, target: VarId, value: ExprId) {
        let to = self.variable(target);
        let slots = slots_of(self.ty(value));
        if let Some(mask) = self.masks[target.index()] {
            let (from, written) = self.journey(value);
            self.move_slots(to, from, slots);
            match written {
                Some(written) => self.move_slots(mask, written, slots),
                None => self.all_written(target),
            }
        } else {
            self.value_into(value, to);
        }
        self.assigned(target);
        self.observe_assigned(target);
    }

    /// The variable has a value from here on.
    pub(super) fn assigned(&mut self, target: VarId) {
        if let Some(flag) = self.flags[target.index()] {
            self.emit(Op::Immediate { to: flag, value: 1 });
        }
    }

    /// Every bit of the variable counts as written.
    pub(super) fn all_written(&mut self, target: VarId) {
        if let Some(mask) = self.masks[target.index()] {
            let slots = slots_of(self.body.variable(target).ty);
            self.immediate(mask, u128::MAX, slots);
        }
    }

    fn store_command(&mut self, address: ExprId, value: ExprId, bits: Option<BitField>) {
        let ty = self.ty(value);
        let (slot, written) = match is_copy(self.body, value, &self.copied) {
            true => self.journey(value),
            false => (self.value(value), None),
        };
        let mut place = self.place(address, true);
        if self.context.observed {
            let base = self.place_slot(address, place);
            place = super::address::Place::Register { base, offset: 0 };
        }
        match (bits, written) {
            (None, None) => self.store(address, place, slot, ty),
            (Some(_), _) => {
                let address = self.place_slot(address, place);
                self.emit(Op::StoreAny { value: slot, address });
            }
            (None, Some(written)) => {
                let address = self.place_slot(address, place);
                self.emit(Op::StoreCopy { value: slot, address, written });
            }
        }
        if let super::address::Place::Register { base, offset: 0 } = place {
            let effect = if slots_of(ty) == 2 { ObservedEffect::StoredWide } else { ObservedEffect::Stored };
            self.observe(effect, slot, base);
        }
    }

    /// The commands that the machine looks up: operands in cells.
    fn general_command(&mut self, command: &Command) {
        let mut list = Vec::new();
        command.kind.operands(|operand| list.push(*operand));
        let cells = self.cells(&list);
        self.emit(Op::Command { operands: cells });
        match &command.kind {
            CommandKind::Havoc { target, .. }
            | CommandKind::Allocate { target, .. }
            | CommandKind::StackMark { target } => {
                self.all_written(*target);
                self.assigned(*target);
                self.observe_assigned(*target);
            }
            CommandKind::Copy { .. } | CommandKind::Fill { .. } => {
                self.observe(ObservedEffect::Wrote, cells.plus(4), cells);
            }
            _ => self.observe(ObservedEffect::None, Slot(0), Slot(0)),
        }
    }

    pub(super) fn observe(&mut self, effect: ObservedEffect, value: Slot, address: Slot) {
        if self.context.observed {
            self.emit(Op::Observe { effect, value, address });
        }
    }

    pub(super) fn observe_assigned(&mut self, target: VarId) {
        let effect = match slots_of(self.body.variable(target).ty) {
            2 => ObservedEffect::AssignedWide,
            _ => ObservedEffect::Assigned,
        };
        let value = self.variable(target);
        self.observe(effect, value, Slot(0));
    }
}
