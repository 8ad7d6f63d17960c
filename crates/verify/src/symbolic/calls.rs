//! Calls: arguments, frames, recursion, and what remains when a function has returned.

use logic::terms::TermId;
use program::exec::ViolationKind;
use program::{Argument, Body, Call, Callee, FunctionId, LocalId, Parameter, Site, Type};

use super::expressions::local_key;
use super::memory::address;
use super::state::{Cell, Initial, ObjectKind, Scalar, State};
use super::{Activation, Engine, Flow, Frame, Place, Stop, sort_of};

/// Deeper recursion is cut, since our own stack has to hold it.
const MOST_CALLS: usize = 1 << 17;
/// The executor's usual limit.
pub(super) const STACK_BYTES: u64 = 8 << 20;
/// Recursion that constants decide may be this often the square of the bound.
const FREE_CALLS: u64 = 64;

/// A value that is passed to a function.
#[derive(Clone, Copy)]
pub struct Passed {
    pub value: Scalar,
    /// The value is the address of an object of this size, of which the callee gets a copy.
    pub copied: Option<u64>,
    pub ty: Type,
}

/// Whether the executor refuses to pass these values to such parameters.
fn misfits(parameters: &[Parameter], arguments: &[Passed]) -> bool {
    parameters.iter().zip(arguments).any(|(parameter, argument)| {
        let differ = parameter.ty != argument.ty && (parameter.ty.is_float() || argument.ty.is_float());
        parameter.copied != argument.copied || (parameter.copied.is_none() && differ)
    })
}

impl<'p> Engine<'p> {
    pub(super) fn run_main(&mut self, main: FunctionId, state: &mut State) -> Flow<()> {
        let function = self.program.function(main);
        let place = Place { context: 0, command: 0, site: function.site };
        let vector = self.allocate(state, place, 1, ObjectKind::Library, 16, Initial::Zero);
        let name: std::rc::Rc<[u8]> = (*b"program\0").into();
        let text = self.allocate(state, place, 2, ObjectKind::Library, 8, Initial::Bytes(name));
        let environment = self.allocate(state, place, 3, ObjectKind::Library, 8, Initial::Zero);
        let [vector, text, environment] = [vector, text, environment].map(|it| self.terms.bv(64, address(it, 0)));
        let first = self.written(text);
        self.store(state, vector, Cell { bytes: 8, value: first }, place.site)?;
        let mut arguments = Vec::new();
        for (index, parameter) in function.parameters.iter().enumerate() {
            let term = match index {
                0 => self.literal(1, parameter.ty),
                1 if parameter.ty == Type::Pointer => vector,
                2 if parameter.ty == Type::Pointer => environment,
                _ => self.literal(0, parameter.ty),
            };
            arguments.push(Passed { value: self.written(term), copied: None, ty: parameter.ty });
        }
        match self.enter(state.clone(), main, &arguments, place, 4) {
            Ok(Some((mut state, _))) => self.finish(&mut state, function.site),
            Ok(None) | Err(Stop::Path) => Ok(()),
            Err(stop) => Err(stop),
        }
    }

    /// The program ends: what is still allocated is lost.
    pub(super) fn finish(&mut self, state: &mut State, site: Site) -> Flow<()> {
        if !self.checks.has(ViolationKind::Leak) {
            return Ok(());
        }
        let live: Vec<TermId> = state
            .objects
            .iter()
            .filter(|(object, _)| self.objects[**object as usize].kind == ObjectKind::Heap)
            .map(|(_, contents)| contents.alive)
            .collect();
        let bad = self.terms.or(&live);
        self.forbid(state, ViolationKind::Leak, bad, site)
    }

    pub(super) fn call(&mut self, state: &mut State, frame: &Frame<'p>, call: &'p Call, place: Place) -> Flow<()> {
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(match argument {
                Argument::Scalar(id) => {
                    let ty = frame.body.expr(*id).ty;
                    Passed { value: self.scalar(state, frame, *id, place)?, copied: None, ty }
                }
                Argument::Copied { address, size, .. } => {
                    let pointer = self.address_of(state, frame, *address, false, place)?;
                    Passed { value: self.written(pointer), copied: Some(*size), ty: Type::Pointer }
                }
            });
        }
        let types: Vec<Type> = call.targets.iter().map(|target| frame.body.variable(*target).ty).collect();
        let returned = match call.callee {
            Callee::Direct(function) => self.call_function(state.clone(), function, &arguments, &types, place, 8)?,
            Callee::Indirect(callee) => {
                let pointer = self.value(state, frame, callee, place)?;
                self.call_pointer(state, pointer, &arguments, &types, place)?
            }
        };
        let Some((after, results)) = returned else { return Err(Stop::Path) };
        *state = after;
        for ((target, ty), index) in call.targets.iter().zip(types).zip(0..) {
            let result = match results.get(index) {
                Some(result) => self.fitted(*result, ty),
                None => {
                    let zero = self.literal(0, ty);
                    self.written(zero)
                }
            };
            state.variables.insert((frame.context, target.0), result);
        }
        Ok(())
    }

    /// A value under another type, as the machine's registers pass it.
    fn fitted(&mut self, scalar: Scalar, ty: Type) -> Scalar {
        if self.terms.sort(scalar.term) == sort_of(ty) {
            return scalar;
        }
        let bits = |engine: &mut Self, term| match engine.terms.sort(term).width() {
            Some(_) => term,
            None => engine.terms.bv_from_bool(8, term),
        };
        let (term, unwritten) = (bits(self, scalar.term), bits(self, scalar.unwritten));
        let width = ty.bits().max(8).next_multiple_of(8);
        let term = self.terms.bv_resize(width, false, term);
        let unwritten = self.terms.bv_resize(width, false, unwritten);
        self.from_bytes(Scalar { term, unwritten }, ty)
    }

    /// Calls each function that the pointer may point to.
    fn call_pointer(
        &mut self,
        state: &mut State,
        pointer: TermId,
        arguments: &[Passed],
        types: &[Type],
        place: Place,
    ) -> Flow<Option<(State, Vec<Scalar>)>> {
        let Some(targets) = self.resolve(pointer) else {
            return self.stop_unsupported(state, "a call through a pointer whose origin is not known", place.site);
        };
        let mut returned = Vec::new();
        let mut results = Vec::new();
        let zero = self.terms.bv(64, 0);
        for (index, target) in targets.iter().enumerate() {
            let kind = self.objects.get(target.object as usize).map(|meta| meta.kind);
            let Some(ObjectKind::Function(function)) = kind.filter(|_| target.offset == zero) else {
                self.forbid(state, ViolationKind::BadCall, target.condition, place.site)?;
                continue;
            };
            let mut taken = state.clone();
            if self.assume(&mut taken, target.condition).is_ok() {
                let part = 8 + index as u32;
                match self.call_function(taken, function, arguments, types, place, part) {
                    Ok(Some((mut after, values))) => {
                        results.resize(results.len().max(values.len()), ());
                        for (position, value) in values.into_iter().enumerate() {
                            let key = (0, u32::MAX - position as u32);
                            after.variables.insert(key, value);
                        }
                        returned.push(after);
                    }
                    Ok(None) | Err(Stop::Path) => {}
                    Err(stop) => return Err(stop),
                }
            }
            let other = self.terms.not(target.condition);
            if self.assume(state, other).is_err() {
                break;
            }
        }
        let Some(mut after) = self.merge_all(returned) else { return Ok(None) };
        let values = (0..results.len() as u32).filter_map(|index| after.variables.remove(&(0, u32::MAX - index)));
        let values = values.collect();
        Ok(Some((after, values)))
    }

    fn call_function(
        &mut self,
        mut state: State,
        function: FunctionId,
        arguments: &[Passed],
        types: &[Type],
        place: Place,
        part: u32,
    ) -> Flow<Option<(State, Vec<Scalar>)>> {
        if self.program.function(function).body.is_some() {
            return self.enter(state, function, arguments, place, part);
        }
        let name = &self.program.function(function).name;
        let results = self.external(&mut state, name, arguments, types, place)?;
        Ok(Some((state, results)))
    }

    /// Runs a function with a body.
    fn enter(
        &mut self,
        mut state: State,
        function: FunctionId,
        arguments: &[Passed],
        place: Place,
        part: u32,
    ) -> Flow<Option<(State, Vec<Scalar>)>> {
        let callee = self.program.function(function);
        let Some(body) = callee.body.as_ref() else { return Ok(None) };
        if misfits(&callee.parameters, arguments) {
            let always = self.terms.true_term();
            self.forbid(&mut state, ViolationKind::BadCall, always, place.site)?;
        }
        let activation = self.activation(function, state.guard, body);
        if activation.bytes > STACK_BYTES {
            let always = self.terms.true_term();
            self.stack_overflow(&mut state, always, place)?;
        }
        if self.too_deep(activation) {
            self.findings.cuts.push(state.guard);
            return Ok(None);
        }
        let context = self.command_context(place, part);
        let frame = Frame { context, function, body };
        let inside = Place { context, command: u32::MAX, site: place.site };
        for (index, parameter) in callee.parameters.iter().enumerate() {
            let value = match arguments.get(index) {
                Some(Passed { value, copied: Some(size), .. }) => {
                    self.copied_argument(&mut state, &frame, index as u32, value.term, *size, inside)?
                }
                Some(passed) => self.fitted(passed.value, parameter.ty),
                None => {
                    let zero = self.literal(0, parameter.ty);
                    self.written(zero)
                }
            };
            state.variables.insert((context, index as u32), value);
        }
        for (index, local) in body.locals.iter().enumerate() {
            if !local.scoped {
                self.begin(&mut state, &frame, LocalId(index as u32), inside);
            }
        }
        self.last_activation.insert(function, self.stack.len());
        self.stack.push(activation);
        let returned = self.run_body(&frame, state);
        self.stack.pop();
        match activation.previous {
            Some(previous) => self.last_activation.insert(function, previous),
            None => self.last_activation.remove(&function),
        };
        let Some(mut state) = returned? else { return Ok(None) };
        let returns = callee.returns.len() as u32;
        let results = (0..returns).filter_map(|index| state.variables.remove(&(context, u32::MAX - index))).collect();
        self.leave(&mut state, &frame);
        Ok(Some((state, results)))
    }

    fn copied_argument(
        &mut self,
        state: &mut State,
        frame: &Frame<'p>,
        index: u32,
        source: TermId,
        size: u64,
        place: Place,
    ) -> Flow<Scalar> {
        let part = 0x100 + index;
        let object = self.allocate(state, place, part, ObjectKind::Local, size, Initial::Zero);
        self.own(frame.context, object);
        let pointer = self.terms.bv(64, address(object, 0));
        self.copy(state, pointer, source, size, place.site)?;
        Ok(self.written(pointer))
    }

    fn activation(&self, function: FunctionId, guard: TermId, body: &Body) -> Activation {
        let previous = self.last_activation.get(&function).copied();
        let bytes = self.stack.last().map_or(0, |caller| caller.bytes) + body.stack_bytes();
        let first = Activation { guard, previous, count: 1, parted: 0, bytes };
        let Some(before) = previous.map(|index| self.stack[index]) else { return first };
        let parted = before.parted + u64::from(before.guard != guard);
        Activation { count: before.count + 1, parted, ..first }
    }

    fn too_deep(&self, activation: Activation) -> bool {
        let bound = u64::from(self.bound);
        let free = FREE_CALLS * bound * bound;
        activation.parted > bound || activation.count > free || self.stack.len() >= MOST_CALLS
    }

    /// The machine's stack ends here under the condition; the executor stops at the same place.
    pub(super) fn stack_overflow(&mut self, state: &mut State, condition: TermId, place: Place) -> Flow<()> {
        if !self.checks.has(ViolationKind::StackOverflow) {
            return self.unsupported(state, condition, "more calls or larger objects than the stack holds", place.site);
        }
        self.forbid(state, ViolationKind::StackOverflow, condition, place.site)
    }

    /// An object of computed size must fit the stack beside the frames and the others of its kind.
    pub(super) fn fit_stack(&mut self, state: &mut State, size: TermId, place: Place) -> Flow<()> {
        let frames = self.stack.last().map_or(0, |caller| caller.bytes);
        let zero = self.terms.bv(64, 0);
        let mut room = self.terms.bv(64, STACK_BYTES.saturating_sub(frames));
        for index in 0..self.owned.len() {
            let object = self.owned[index].1;
            let alive = state.objects.get(&object).map(|contents| contents.alive);
            let Some(alive) = alive.filter(|_| self.objects[object as usize].on_stack) else { continue };
            let taken = self.terms.ite(alive, self.objects[object as usize].size, zero);
            room = self.terms.bv_sub(room, taken);
        }
        let too_large = self.terms.bv_ugt(size, room);
        self.stack_overflow(state, too_large, place)
    }

    /// Ends the variables and the objects of a call.
    fn leave(&mut self, state: &mut State, frame: &Frame<'p>) {
        for (index, _) in frame.body.locals.iter().enumerate() {
            let key = (frame.context, local_key(frame, LocalId(index as u32)));
            if let Some(pointer) = state.variables.remove(&key) {
                let targets = self.resolve(pointer.term);
                for target in targets.iter().flat_map(|targets| targets.iter()) {
                    state.objects.remove(&target.object);
                }
            }
        }
        for variable in 0..frame.body.variables.len() as u32 {
            state.variables.remove(&(frame.context, variable));
        }
        let first = self.owned.iter().position(|(owner, _)| *owner == frame.context);
        if let Some(first) = first {
            for (_, object) in self.owned.drain(first..) {
                state.objects.remove(&object);
            }
        }
    }
}
