//! Commands: what they do to a state.

use logic::terms::TermId;
use program::exec::ViolationKind;
use program::{BitField, Command, CommandKind, ExprId, FailureKind, Type, VarId};

use super::expressions::local_key;
use super::log::Log;
use super::memory::address;
use super::state::{Cell, Initial, ObjectKind, Scalar, State};
use super::{Engine, Flow, Frame, Input, Place, Stop};

impl<'p> Engine<'p> {
    pub(super) fn command(
        &mut self,
        state: &mut State,
        frame: &Frame<'p>,
        command: &'p Command,
        place: Place,
    ) -> Flow<()> {
        match &command.kind {
            CommandKind::Assign { target, value } => {
                let scalar = self.scalar(state, frame, *value, place)?;
                state.variables.insert((frame.context, target.0), scalar);
            }
            CommandKind::Store { address, value, bits } => {
                self.store_command(state, frame, *address, *value, *bits, place)?;
            }
            CommandKind::Havoc { target, source } => {
                let ty = frame.body.variable(*target).ty;
                let term = self.input(state, source, ty, place, 0);
                self.assign(state, frame, *target, term);
            }
            CommandKind::Assume(condition) => {
                let condition = self.value(state, frame, *condition, place)?;
                self.assume(state, condition)?;
            }
            CommandKind::Assert { condition, .. } => {
                let condition = self.value(state, frame, *condition, place)?;
                if self.checks.has(ViolationKind::Assert) {
                    let bad = self.terms.not(condition);
                    self.forbid(state, ViolationKind::Assert, bad, place.site)?;
                }
            }
            CommandKind::Fail(failure) => {
                let kind = match failure.kind {
                    FailureKind::Assertion => ViolationKind::Assert,
                    FailureKind::ErrorCall => ViolationKind::ErrorCall,
                };
                let always = self.terms.true_term();
                if self.checks.has(kind) {
                    self.forbid(state, kind, always, place.site)?;
                }
                return Err(Stop::Path);
            }
            CommandKind::Call(call) => self.call(state, frame, call, place)?,
            CommandKind::Copy { destination, source, size, may_overlap } => {
                let destination = self.address_of(state, frame, *destination, false, place)?;
                let source = self.address_of(state, frame, *source, false, place)?;
                let size = self.value(state, frame, *size, place)?;
                self.copy_bytes(state, destination, source, size, *may_overlap, place)?;
            }
            CommandKind::Fill { destination, byte, size } => {
                let destination = self.address_of(state, frame, *destination, false, place)?;
                let byte = self.value(state, frame, *byte, place)?;
                let size = self.value(state, frame, *size, place)?;
                self.fill_bytes(state, destination, byte, size, place)?;
            }
            CommandKind::Allocate { target, size, .. } => {
                let size = self.value(state, frame, *size, place)?;
                let size = self.terms.bv_resize(64, false, size);
                self.fit_stack(state, size, place)?;
                let object = self.allocate_sized(state, place, ObjectKind::Local, size, Initial::Unwritten)?;
                self.own(frame.context, object);
                self.objects[object as usize].on_stack = true;
                let pointer = self.terms.bv(64, address(object, 0));
                self.assign(state, frame, *target, pointer);
            }
            CommandKind::StackMark { target } => {
                let ty = frame.body.variable(*target).ty;
                let mark = self.literal(u128::from(self.stamps), ty);
                self.assign(state, frame, *target, mark);
            }
            CommandKind::StackRelease { mark } => {
                let mark = self.value(state, frame, *mark, place)?;
                self.release(state, frame, mark, place)?;
            }
            CommandKind::Declare(variable) => {
                state.variables.remove(&(frame.context, variable.0));
            }
            CommandKind::Begin(local) => {
                self.begin(state, frame, *local, place);
            }
            CommandKind::End(local) => {
                let known = state.variables.get(&(frame.context, local_key(frame, *local))).copied();
                if let Some(pointer) = known {
                    self.end_object(state, pointer.term);
                }
            }
            CommandKind::VaStart { .. } => {
                return self.stop_unsupported(state, "unnamed arguments of a function (`va_start`)", place.site);
            }
            CommandKind::Unsupported(id) => {
                let what = self.program.unsupported(*id).what.clone();
                return self.stop_unsupported(state, &what, place.site);
            }
        }
        Ok(())
    }

    pub(super) fn assign(&mut self, state: &mut State, frame: &Frame<'p>, target: VarId, term: TermId) {
        let scalar = self.written(term);
        state.variables.insert((frame.context, target.0), scalar);
    }

    /// An open value that the executor asks for at the same place.
    pub(super) fn input(&mut self, state: &State, source: &str, ty: Type, place: Place, part: u32) -> TermId {
        let mut term = self.open_value("input", place, part, ty);
        let stem = source.rsplit_once("nondet_").map_or(source, |(_, stem)| stem);
        if matches!(stem, "bool" | "_Bool") && ty != Type::BOOL {
            let one = self.literal(1, ty);
            term = self.terms.bv_and(term, one);
        }
        self.findings.inputs.push(Input { guard: state.guard, term, source: source.into() });
        term
    }

    fn store_command(
        &mut self,
        state: &mut State,
        frame: &Frame<'p>,
        target: ExprId,
        value: ExprId,
        bits: Option<BitField>,
        place: Place,
    ) -> Flow<()> {
        let ty = frame.body.expr(value).ty;
        let scalar = self.scalar(state, frame, value, place)?;
        let pointer = self.address_of(state, frame, target, true, place)?;
        let Some(field) = bits else {
            let value = self.to_bytes(scalar, ty);
            return self.store(state, pointer, Cell { bytes: ty.bytes(), value }, place.site);
        };
        let shift = u32::from(field.offset % 8);
        let width = u32::from(field.width).max(1);
        let bytes = (shift + width).div_ceil(8);
        let at = self.offset_pointer(pointer, u64::from(field.offset / 8));
        let new = self.to_bytes(scalar, ty);
        let old = self.load(state, at, bytes, place.site)?;
        let term = self.insert_bits(old.term, new.term, shift, width);
        let unwritten = self.insert_bits(old.unwritten, new.unwritten, shift, width);
        self.store(state, at, Cell { bytes, value: Scalar { term, unwritten } }, place.site)
    }

    /// Replaces some bits of a unit.
    fn insert_bits(&mut self, unit: TermId, value: TermId, shift: u32, width: u32) -> TermId {
        let terms = &mut self.terms;
        let whole = terms.width(unit);
        let value = terms.bv_resize(width.max(terms.width(value)), false, value);
        let mut result = terms.bv_extract(width - 1, 0, value);
        if shift > 0 {
            let low = terms.bv_extract(shift - 1, 0, unit);
            result = terms.bv_concat(result, low);
        }
        if shift + width < whole {
            let high = terms.bv_extract(whole - 1, shift + width, unit);
            result = terms.bv_concat(high, result);
        }
        result
    }

    pub(super) fn copy_bytes(
        &mut self,
        state: &mut State,
        destination: TermId,
        source: TermId,
        size: TermId,
        may_overlap: bool,
        place: Place,
    ) -> Flow<()> {
        let size = self.terms.bv_resize(64, false, size);
        if self.constant(size) == Some(0) {
            return Ok(());
        }
        if !may_overlap {
            // To itself is allowed here.
            let mut copying = state.clone();
            let apart = self.terms.distinct(destination, source);
            if self.assume(&mut copying, apart).is_ok() {
                self.forbid_overlap(&mut copying, (destination, size), (source, size), place)?;
            }
        }
        match self.constant(size) {
            Some(length) => self.copy(state, destination, source, length, place.site),
            None => self.copy_range(state, destination, source, size, place),
        }
    }

    /// Demands that two ranges of bytes, by their beginnings and sizes, have none in common.
    pub(super) fn forbid_overlap(
        &mut self,
        state: &mut State,
        (destination, size): (TermId, TermId),
        (source, source_size): (TermId, TermId),
        place: Place,
    ) -> Flow<()> {
        if !self.checks.has(ViolationKind::StringFunction) {
            return Ok(());
        }
        let terms = &mut self.terms;
        let distance = terms.bv_sub(destination, source);
        let back = terms.bv_neg(distance);
        let (near, near_back) = (terms.bv_ult(distance, source_size), terms.bv_ult(back, size));
        let bad = terms.or2(near, near_back);
        self.forbid(state, ViolationKind::StringFunction, bad, place.site)
    }

    pub(super) fn fill_bytes(
        &mut self,
        state: &mut State,
        destination: TermId,
        byte: TermId,
        size: TermId,
        place: Place,
    ) -> Flow<()> {
        let size = self.terms.bv_resize(64, false, size);
        let Some(length) = self.constant(size) else { return self.fill_range(state, destination, byte, size, place) };
        if length == 0 {
            return Ok(());
        }
        self.access(state, destination, length, true, place.site)?;
        let byte = self.terms.bv_extract(7, 0, byte);
        let mut at = 0;
        while at < length {
            let bytes = [8u64, 4, 2, 1].into_iter().find(|&word| at + word <= length).unwrap_or(1);
            let mut term = byte;
            for _ in 1..bytes {
                term = self.terms.bv_concat(term, byte);
            }
            let value = self.written(term);
            let pointer = self.offset_pointer(destination, at);
            self.store(state, pointer, Cell { bytes: bytes as u32, value }, place.site)?;
            at += bytes;
        }
        Ok(())
    }

    /// Makes an object end with its call.
    pub(super) fn own(&mut self, frame: u32, object: u32) {
        self.objects[object as usize].computed = Some((frame, self.stamps));
        self.owned.push((frame, object));
        self.stamps += 1;
    }

    /// Ends the object that a pointer points to.
    fn end_object(&mut self, state: &mut State, pointer: TermId) {
        let Some(targets) = self.resolve(pointer) else { return };
        for target in targets.iter() {
            self.end_where(state, target.object, target.condition);
        }
    }

    /// Ends an object where the condition holds.
    pub(super) fn end_where(&mut self, state: &mut State, object: u32, condition: TermId) {
        let Some(mut contents) = state.objects.get(&object).cloned() else { return };
        let lives = self.terms.not(condition);
        contents.alive = self.terms.and2(contents.alive, lives);
        if contents.alive == self.terms.false_term() {
            contents.cells.clear();
            contents.log = Log::default();
        }
        state.objects.insert(object, contents);
    }

    fn release(&mut self, state: &mut State, frame: &Frame<'p>, mark: TermId, place: Place) -> Flow<()> {
        let Some(mark) = self.constant(mark) else {
            return self.stop_unsupported(state, "a release of variable-length arrays on several paths", place.site);
        };
        let always = self.terms.true_term();
        let younger: Vec<u32> = self
            .owned
            .iter()
            .filter(|(owner, _)| *owner == frame.context)
            .map(|&(_, object)| object)
            .filter(|&object| self.objects[object as usize].computed.is_some_and(|(_, stamp)| stamp >= mark))
            .collect();
        for object in younger {
            self.end_where(state, object, always);
        }
        Ok(())
    }
}
