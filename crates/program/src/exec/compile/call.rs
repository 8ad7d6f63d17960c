//! Calls.
//!
//! The plain call (a known function with a body whose parameters have the arguments' types) finds its
//! arguments in place. All others go through a [`CallSite`], which says what was passed.

use super::Compiler;
use super::copies::is_copy;
use crate::exec::bytecode::{CallSite, CallTarget, ObservedEffect, Op, PassedArgument, Slot, TableId, slots_of};
use crate::exec::violation::ViolationKind;
use crate::{Argument, Call, Callee, ExprId, FunctionId, Site, Type};

const SET_JUMP: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];
const LONG_JUMP: &[&str] = &["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

impl Compiler<'_> {
    pub(super) fn call(&mut self, call: &Call, site: Site) {
        match call.callee {
            Callee::Direct(function) if self.is_plain(function, call) => self.plain_call(function, call),
            _ => self.general_call(call, site),
        }
        let mut from = Slot(self.temporaries);
        for (position, target) in call.targets.iter().enumerate() {
            let slots = slots_of(self.body.variable(*target).ty);
            let to = self.variable(*target);
            self.move_slots(to, from, slots);
            self.take_returned(call.callee, position, *target);
            self.assigned(*target);
            from = from.plus(slots);
        }
        match call.targets.first() {
            Some(target) => {
                let wide = slots_of(self.body.variable(*target).ty) == 2;
                let effect = if wide { ObservedEffect::ReturnedWide } else { ObservedEffect::Returned };
                let value = self.variable(*target);
                self.observe(effect, value, Slot(0));
            }
            None => self.observe(ObservedEffect::None, Slot(0), Slot(0)),
        }
    }

    fn take_returned(&mut self, callee: Callee, position: usize, target: crate::VarId) {
        let Some(written) = self.masks[target.index()] else { return };
        if self.context.copies.returned(callee, position) {
            let wide = slots_of(self.body.variable(target).ty) == 2;
            self.emit(Op::TakeWritten { wide, returned: true, position: position as u32, written });
        } else {
            self.all_written(target);
        }
    }

    fn is_plain(&self, function: FunctionId, call: &Call) -> bool {
        let callee = self.context.program.function(function);
        let same = |(argument, parameter): (&Argument, &crate::Parameter)| match argument {
            Argument::Scalar(value) => self.ty(*value) == parameter.ty && parameter.copied.is_none(),
            Argument::Copied { .. } => false,
        };
        let targets = call.targets.iter().map(|target| self.body.variable(*target).ty);
        callee.body.is_some()
            && !callee.variadic
            && call.arguments.len() == callee.parameters.len()
            && call.arguments.iter().zip(&callee.parameters).all(same)
            && (call.targets.is_empty() || targets.eq(callee.returns.iter().copied()))
    }

    fn plain_call(&mut self, function: FunctionId, call: &Call) {
        let values = call.arguments.iter().filter_map(|argument| match argument {
            Argument::Scalar(value) => Some(*value),
            Argument::Copied { .. } => None,
        });
        let values: Vec<ExprId> = values.collect();
        let sizes: Vec<u32> = values.iter().map(|value| slots_of(self.ty(*value))).collect();
        let results = self.context.program.function(function).returns.iter().map(|ty| slots_of(*ty)).sum();
        let window = self.temporary(sizes.iter().sum::<u32>().max(results));
        let mut to = window;
        for (position, (value, slots)) in values.iter().zip(&sizes).enumerate() {
            if self.context.copies.parameter(function, position) && is_copy(self.body, *value, &self.copied) {
                let (from, written) = self.journey(*value);
                self.move_slots(to, from, *slots);
                if let Some(written) = written {
                    let position = position as u32;
                    self.emit(Op::PassWritten { wide: *slots == 2, returned: false, position, written });
                }
            } else {
                self.value_into(*value, to);
            }
            to = to.plus(*slots);
        }
        self.observe(ObservedEffect::Called, Slot(0), Slot(0));
        self.emit(Op::Call { function });
    }

    fn general_call(&mut self, call: &Call, site: Site) {
        let results: Vec<Type> = call.targets.iter().map(|target| self.body.variable(*target).ty).collect();
        // Results come back where temporaries begin, whatever the callee is.
        self.temporary(results.iter().map(|ty| slots_of(*ty)).sum());
        let target = match call.callee {
            Callee::Indirect(address) => CallTarget::Indirect(self.value(address)),
            Callee::Direct(function) => self.direct_target(function),
        };
        let arguments = call.arguments.iter().map(|argument| self.argument(*argument)).collect();
        self.observe(ObservedEffect::Called, Slot(0), Slot(0));
        let site = CallSite { target, arguments, results, site };
        self.code.calls.push(site);
        self.emit(Op::CallAny { call: TableId(self.code.calls.len() as u32 - 1) });
    }

    /// `setjmp` and `longjmp` are the machine's own, unless the program defines them.
    fn direct_target(&self, function: FunctionId) -> CallTarget {
        let callee = self.context.program.function(function);
        match callee.name.as_str() {
            _ if callee.body.is_some() => CallTarget::Direct(function),
            name if SET_JUMP.contains(&name) => CallTarget::SetJump,
            name if LONG_JUMP.contains(&name) => CallTarget::LongJump,
            _ => CallTarget::Direct(function),
        }
    }

    fn argument(&mut self, argument: Argument) -> PassedArgument {
        match argument {
            Argument::Scalar(value) => {
                let ty = self.ty(value);
                let tracked = self.checks(ViolationKind::Uninitialized) && is_copy(self.body, value, &self.copied);
                let (slot, written) = match tracked {
                    true => self.journey(value),
                    false => (self.value(value), None),
                };
                PassedArgument { slot, ty, copied: None, written }
            }
            Argument::Copied { address, size, align } => {
                let slot = self.value(address);
                PassedArgument { slot, ty: Type::Pointer, copied: Some((size, align)), written: None }
            }
        }
    }
}
