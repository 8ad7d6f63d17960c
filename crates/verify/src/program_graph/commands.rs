//! The commands and branches of a function as edges.

use logic::control_flow::{LocationId, Statement};
use logic::terms::TermId;
use program::exec::{CommandRef, ViolationKind};
use program::{
    BitField, BlockId, Command, CommandKind, ExprId, FailureKind, LocalId, Terminator, TerminatorKind, Type, VarId,
};

use super::layout::{Keeping, Owner};
use super::view::View;
use super::{Cause, Encoder, Ending, Frame};
use crate::encode::expressions::{Access, offset_by, to_bytes};
use crate::encode::operators::{literal, sort_of};
use crate::encode::origins::What;

/// Longer copies are not written out.
const LONGEST_COPY: u64 = 1024;

impl<'p> Encoder<'p> {
    /// Writes a function's body between two locations.
    pub(super) fn body(&mut self, frame: &Frame<'p>, entry: LocationId, exit: LocationId) {
        let mut starts: Vec<LocationId> = Vec::with_capacity(frame.body.blocks.len());
        for _ in &frame.body.blocks {
            starts.push(self.graph.add_location());
        }
        let cause = Cause { at: None, site: self.program.function(frame.function).site, frame: frame.number };
        let mut at = entry;
        for number in 0..frame.body.locals.len() as u32 {
            if !frame.body.locals[number as usize].scoped {
                self.begin(&mut at, frame, LocalId(number), cause);
            }
        }
        match starts.first() {
            Some(&first) => self.go(at, first, cause),
            None => return self.go(at, exit, cause),
        }
        for (number, block) in frame.body.blocks.iter().enumerate() {
            let mut at = Some(starts[number]);
            let place = |index: usize| CommandRef {
                function: frame.function,
                block: BlockId(number as u32),
                index: index as u32,
            };
            for (index, command) in block.commands.iter().enumerate() {
                let cause = Cause { at: Some(place(index)), site: command.site, frame: frame.number };
                at = at.and_then(|at| self.command(at, frame, command, cause));
            }
            let Some(at) = at else { continue };
            let site = block.terminator.site;
            let cause = Cause { at: Some(place(block.commands.len())), site, frame: frame.number };
            self.terminator(at, frame, &block.terminator, &starts, exit, cause);
        }
    }

    /// Writes a command; where it leads, unless nothing follows it.
    fn command(&mut self, at: LocationId, frame: &Frame<'p>, command: &'p Command, cause: Cause) -> Option<LocationId> {
        let mut at = at;
        match &command.kind {
            CommandKind::Assign { target, value } => {
                let term = self.value(&mut at, frame, *value, cause)?;
                let variable = self.variable(frame, *target);
                self.assign(&mut at, variable, term, What::Assignment, Some(*value), cause);
            }
            CommandKind::Store { address, value, bits } => {
                self.store(&mut at, frame, *address, *value, *bits, cause)?;
            }
            CommandKind::Havoc { target, source } => self.input(&mut at, frame, *target, source, cause),
            CommandKind::Assume(condition) => {
                let condition = self.value(&mut at, frame, *condition, cause)?;
                let origin = self.origin(What::Assumption, None, cause);
                self.emit(&mut at, Statement::assume(condition, origin));
            }
            CommandKind::Assert { condition, .. } => {
                let holds = self.value(&mut at, frame, *condition, cause)?;
                if self.checks.has(ViolationKind::Assert) {
                    let bad = self.terms.not(holds);
                    let ending = Ending::Violation(ViolationKind::Assert, cause.site);
                    self.fail_where(at, bad, ending, Some(*condition), cause);
                    let origin = self.origin(What::Passed(ViolationKind::Assert), Some(*condition), cause);
                    self.emit(&mut at, Statement::assume(holds, origin));
                }
            }
            CommandKind::Fail(failure) => {
                let kind = match failure.kind {
                    FailureKind::Assertion => ViolationKind::Assert,
                    FailureKind::ErrorCall => ViolationKind::ErrorCall,
                };
                if self.checks.has(kind) {
                    self.fail_as(at, Ending::Violation(kind, cause.site), cause);
                }
                return None;
            }
            CommandKind::Call(call) => return self.call(at, frame, call, cause),
            CommandKind::Copy { destination, source, size, .. } => {
                let size = self.constant_size(at, frame, *size, cause)?;
                let to = self.address(&mut at, frame, *destination, false, cause)?.0;
                let from = self.address(&mut at, frame, *source, false, cause)?.0;
                self.copy(&mut at, to, from, size, cause);
            }
            CommandKind::Fill { destination, byte, size } => {
                let size = self.constant_size(at, frame, *size, cause)?;
                let to = self.address(&mut at, frame, *destination, false, cause)?.0;
                let byte = self.value(&mut at, frame, *byte, cause)?;
                self.fill(&mut at, to, byte, size, cause);
            }
            CommandKind::StackMark { .. } | CommandKind::StackRelease { .. } => {}
            CommandKind::Declare(variable) => self.declare(&mut at, frame, *variable, cause),
            CommandKind::Begin(local) => self.begin(&mut at, frame, *local, cause),
            CommandKind::End(local) => self.end(&mut at, frame, *local, cause),
            CommandKind::Allocate { .. } => return self.unknown(at, "an object of computed size on the stack", cause),
            CommandKind::VaStart { .. } => return self.unknown(at, "variable arguments", cause),
            CommandKind::Unsupported(id) => {
                let what = self.program.unsupported(*id).what.clone();
                return self.unknown(at, &what, cause);
            }
        }
        Some(at)
    }

    /// Ends the path at something that cannot be followed.
    pub(super) fn unknown(&mut self, at: LocationId, what: &str, cause: Cause) -> Option<LocationId> {
        self.fail_as(at, Ending::Inconclusive(what.to_owned(), cause.site), cause);
        None
    }

    /// A value from outside.
    pub(super) fn input(&mut self, at: &mut LocationId, frame: &Frame<'p>, target: VarId, source: &str, cause: Cause) {
        let variable = self.variable(frame, target);
        let origin = self.origin(What::Input, None, cause);
        let edge = self.emit(at, Statement::havoc(variable, origin));
        self.inputs.insert(edge, source.into());
        let stem = source.strip_prefix("__VERIFIER_nondet_");
        if matches!(stem, Some("bool" | "_Bool"))
            && let Some(width) = self.terms.sort(variable).width()
        {
            let one = self.terms.bv(width, 1);
            let small = self.terms.bv_ule(variable, one);
            let origin = self.origin(What::Bookkeeping, None, cause);
            self.emit(at, Statement::assume(small, origin));
        }
    }

    /// A variable's scope begins. Its value matters only where it may be read before it is assigned.
    fn declare(&mut self, at: &mut LocationId, frame: &Frame<'p>, variable: VarId, cause: Cause) {
        let early = crate::indeterminate::read_early(self.program.function(frame.function));
        if !early.contains(&variable) {
            return;
        }
        if self.checks.has(ViolationKind::Uninitialized) {
            let name = &frame.body.variable(variable).name;
            self.notes.insert(format!("whether `{name}` is read before it is assigned is not looked at"));
        }
        let term = self.variable(frame, variable);
        let origin = self.origin(What::Bookkeeping, None, cause);
        self.emit(at, Statement::havoc(term, origin));
    }

    fn begin(&mut self, at: &mut LocationId, frame: &Frame<'p>, local: LocalId, cause: Cause) {
        let instance = (Owner::Local(frame.function, local), frame.depth);
        let declared = &frame.body.locals[local.index()];
        let Some(keeping) = self.memory.keeping(instance.0).cloned() else { return };
        if self.checks.has(ViolationKind::Uninitialized) {
            self.notes.insert(format!("whether `{}` is read before it is written is not looked at", declared.name));
        }
        match keeping {
            Keeping::Shared => self.set_size(at, instance, declared.size, cause),
            Keeping::Array(width) => {
                let array = self.memory.array(&mut self.terms, self.program, instance, width);
                let origin = self.origin(What::Bookkeeping, None, cause);
                self.emit(at, Statement::havoc(array, origin));
            }
            Keeping::Cells(cells) => {
                for (offset, bytes) in cells {
                    let cell = self.memory.cell(&mut self.terms, self.program, instance, offset, bytes);
                    let origin = self.origin(What::Bookkeeping, None, cause);
                    self.emit(at, Statement::havoc(cell, origin));
                }
            }
        }
    }

    pub(super) fn end(&mut self, at: &mut LocationId, frame: &Frame<'p>, local: LocalId, cause: Cause) {
        let instance = (Owner::Local(frame.function, local), frame.depth);
        if self.memory.keeping(instance.0) == Some(&Keeping::Shared) {
            self.set_size(at, instance, 0, cause);
        }
    }

    fn store(
        &mut self,
        at: &mut LocationId,
        frame: &Frame<'p>,
        address: ExprId,
        value: ExprId,
        bits: Option<BitField>,
        cause: Cause,
    ) -> Option<()> {
        let (target, base) = self.address(at, frame, address, true, cause)?;
        let term = self.value(at, frame, value, cause)?;
        let ty = frame.body.expr(value).ty;
        let Some(field) = bits else {
            let access = Access { address: target, base, bytes: ty.bytes(), expr: address, site: cause.site };
            let written = to_bytes(&mut self.terms, term, ty);
            return self.store_bytes(at, frame, access, written, Some(value), cause);
        };
        let shift = u32::from(field.offset % 8);
        let width = u32::from(field.width).max(1);
        let target = offset_by(&mut self.terms, target, u64::from(field.offset / 8));
        let bytes = (shift + width).div_ceil(8);
        let access = Access { address: target, base, bytes, expr: address, site: cause.site };
        let mut view = View::new(self.program, self.checks, &mut self.memory, frame);
        let old = crate::encode::expressions::Surroundings::load(&mut view, &mut self.terms, access).ok()?;
        let written = to_bytes(&mut self.terms, term, ty);
        let mut pieces = Vec::new();
        if 8 * bytes > shift + width {
            pieces.push(self.terms.bv_extract(8 * bytes - 1, shift + width, old));
        }
        let resized = self.terms.bv_resize(width, false, written);
        pieces.push(resized);
        if shift > 0 {
            pieces.push(self.terms.bv_extract(shift - 1, 0, old));
        }
        let whole = pieces.into_iter().reduce(|high, low| self.terms.bv_concat(high, low))?;
        self.store_bytes(at, frame, access, whole, Some(value), cause)
    }

    fn store_bytes(
        &mut self,
        at: &mut LocationId,
        frame: &Frame<'p>,
        access: Access,
        written: TermId,
        value: Option<ExprId>,
        cause: Cause,
    ) -> Option<()> {
        let mut view = View::new(self.program, self.checks, &mut self.memory, frame);
        let write = view.store(&mut self.terms, access);
        let forbidden = view.forbidden;
        self.settle(at, forbidden, cause);
        self.write(at, write?, written, What::Store, value, cause);
        Some(())
    }

    /// The number of bytes of a copy, if it is a constant.
    fn constant_size(&mut self, at: LocationId, frame: &Frame<'p>, size: ExprId, cause: Cause) -> Option<u64> {
        let mut here = at;
        let size = self.value(&mut here, frame, size, cause)?;
        self.small_constant(at, size, cause)
    }

    pub(super) fn small_constant(&mut self, at: LocationId, size: TermId, cause: Cause) -> Option<u64> {
        let constant = self.terms.as_bv(size).and_then(|it| it.to_u64()).filter(|&it| it <= LONGEST_COPY);
        if constant.is_none() {
            self.unknown(at, "a copy of many or of a computed number of bytes", cause);
        }
        constant
    }

    /// A range of shared memory must be valid.
    fn demand(&mut self, at: &mut LocationId, address: TermId, size: u64, cause: Cause) {
        let valid = self.memory.is_valid(&mut self.terms, address, size);
        let bad = self.terms.not(valid);
        let ending = match self.checks.has(ViolationKind::OutOfBoundsAbove) {
            true => Ending::Violation(ViolationKind::OutOfBoundsAbove, cause.site),
            false => Ending::Inconclusive("an access outside of its object".to_owned(), cause.site),
        };
        self.settle(at, vec![super::Forbidden { bad, ending, expr: None, site: cause.site }], cause);
    }

    pub(super) fn copy(&mut self, at: &mut LocationId, to: TermId, from: TermId, size: u64, cause: Cause) {
        if size == 0 {
            return;
        }
        self.demand(at, from, size, cause);
        self.demand(at, to, size, cause);
        let old = self.memory.shared;
        let mut new = old;
        for offset in 0..size {
            let source = offset_by(&mut self.terms, from, offset);
            let byte = self.terms.select(old, source);
            let target = offset_by(&mut self.terms, to, offset);
            new = self.terms.store(new, target, byte);
        }
        self.assign(at, old, new, What::Store, None, cause);
    }

    pub(super) fn fill(&mut self, at: &mut LocationId, to: TermId, byte: TermId, size: u64, cause: Cause) {
        if size == 0 {
            return;
        }
        self.demand(at, to, size, cause);
        let byte = match self.terms.sort(byte).width() {
            Some(_) => self.terms.bv_resize(8, false, byte),
            None => self.terms.bv_from_bool(8, byte),
        };
        let old = self.memory.shared;
        let mut new = old;
        for offset in 0..size {
            let target = offset_by(&mut self.terms, to, offset);
            new = self.terms.store(new, target, byte);
        }
        self.assign(at, old, new, What::Store, None, cause);
    }

    fn terminator(
        &mut self,
        at: LocationId,
        frame: &Frame<'p>,
        terminator: &'p Terminator,
        starts: &[LocationId],
        exit: LocationId,
        cause: Cause,
    ) {
        let mut at = at;
        match &terminator.kind {
            TerminatorKind::Goto(target) => self.go(at, starts[target.index()], cause),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let Some(condition) = self.value(&mut at, frame, *condition, cause) else { return };
                let negated = self.terms.not(condition);
                self.assume(at, starts[then.index()], condition, What::Guard(Some(true)), cause);
                self.assume(at, starts[otherwise.index()], negated, What::Guard(Some(false)), cause);
            }
            TerminatorKind::Switch { value, cases, default } => {
                let ty = frame.body.expr(*value).ty;
                let Some(value) = self.value(&mut at, frame, *value, cause) else { return };
                let mut others = Vec::new();
                for (case, target) in cases {
                    let case = literal(&mut self.terms, *case, ty);
                    let equal = self.terms.eq(value, case);
                    self.assume(at, starts[target.index()], equal, What::Guard(None), cause);
                    others.push(self.terms.not(equal));
                }
                let other = self.terms.and(&others);
                self.assume(at, starts[default.index()], other, What::Guard(None), cause);
            }
            TerminatorKind::IndirectGoto { .. } => {
                self.unknown(at, "a computed `goto`", cause);
            }
            TerminatorKind::Return(values) => self.give_back(at, frame, values, exit, cause),
            TerminatorKind::Unreachable => {
                if self.checks.has(ViolationKind::Unreachable) {
                    self.fail_as(at, Ending::Violation(ViolationKind::Unreachable, cause.site), cause);
                }
            }
        }
    }

    fn give_back(&mut self, at: LocationId, frame: &Frame<'p>, values: &[ExprId], exit: LocationId, cause: Cause) {
        let mut at = at;
        let mut results = Vec::new();
        for &value in values {
            let Some(term) = self.value(&mut at, frame, value, cause) else { return };
            results.push((term, value));
        }
        for (position, (term, value)) in results.into_iter().enumerate() {
            let ty = frame.body.expr(value).ty;
            let variable = self.result(frame, position, ty);
            self.assign(&mut at, variable, term, What::Return, Some(value), cause);
        }
        for number in 0..frame.body.locals.len() as u32 {
            self.end(&mut at, frame, LocalId(number), cause);
        }
        self.go(at, exit, cause);
    }

    /// The variable of a function's result.
    pub(super) fn result(&mut self, frame: &Frame<'p>, position: usize, ty: Type) -> TermId {
        let name = format!("{}.return{position}#{}", self.program.function(frame.function).name, frame.depth);
        self.terms.variable(&name, sort_of(ty))
    }
}
