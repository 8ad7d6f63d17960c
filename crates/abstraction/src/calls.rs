//! Calls: followed into the callee, each in its own context, as long as the effort allows.
//!
//! Beyond that, and for recursion and unknown pointers, a call does whatever the callee's code may do to
//! memory, and the callee is analysed once for any call: nothing is known at its entry.

use program::exec::{CommandRef, ViolationKind};
use program::{BlockId, Call, Callee, FunctionId, LocalId, Type};

use crate::analyzer::{Analyzer, Frame, Remembered};
use crate::commands::{Passed, dead};
use crate::memory::Extent;
use crate::numeric::{Interval, Linear, Numeric, Range};
use crate::places::{Context, ContextId, Object, ObjectId, Reading, is_number};
use crate::state::{Life, Rest, State, Targets};
use crate::value::{Number, OFFSET, Pointer, Value};

impl<'p> Analyzer<'p> {
    /// Analyses the program from `main`, then what is called in ways that were not followed.
    pub(crate) fn run_program(&mut self, main: FunctionId) {
        self.recording = true;
        let context = Context { function: main, caller: None, any_call: false };
        let context = self.places.context_number(context);
        if let Some(frame) = self.frame(main, context) {
            let mut state = State::new(self.options.polyhedra);
            self.main_arguments(&mut state, &frame);
            self.enter_locals(&mut state, &frame);
            self.stack.push(main);
            self.run_body(frame, vec![state]);
            self.stack.pop();
        }
        while let Some(function) = self.pending.pop_first() {
            if self.analysed.insert(function) {
                self.run_for_any_call(function);
            }
        }
    }

    fn run_for_any_call(&mut self, function: FunctionId) {
        let context = Context { function, caller: None, any_call: true };
        let context = self.places.context_number(context);
        let Some(frame) = self.frame(function, context) else { return };
        let mut state = self.unknown(&frame);
        self.enter_locals(&mut state, &frame);
        self.recording = true;
        self.stack.push(function);
        self.run_body(frame, vec![state]);
        self.stack.pop();
    }

    fn frame(&self, function: FunctionId, context: ContextId) -> Option<Frame<'p>> {
        let body = self.program.function(function).body.as_ref()?;
        let at = CommandRef { function, block: BlockId(0), index: 0 };
        Some(Frame { context, function, body, at })
    }

    /// Everything is possible: the variables' types are all that holds, and all are perhaps indeterminate.
    pub(crate) fn unknown(&mut self, frame: &Frame<'_>) -> State {
        let mut state = State::new(self.options.polyhedra);
        state.unknown_globals = true;
        let parameters = self.program.function(frame.function).parameters.len();
        for index in 0..frame.body.variables.len() {
            let variable = program::VarId(index as u32);
            let dimension = self.variable(frame, variable);
            if is_number(frame.body.variable(variable).ty) {
                let reading = self.places.variable_reading(self.program, frame.context, variable);
                state.numbers.restrict(dimension, Range::of(reading.interval()));
            }
            // Arguments can be on the move with unwritten bits only if something is.
            if self.effects.copies || index >= parameters {
                state.indeterminate.insert(dimension);
            }
        }
        state
    }

    fn main_arguments(&mut self, state: &mut State, frame: &Frame<'p>) {
        let parameters = &self.program.function(frame.function).parameters;
        let count = frame.body.variables.first().filter(|_| !parameters.is_empty());
        if count.is_some_and(|count| is_number(count.ty) && count.ty.bits() >= 32) {
            let dimension = self.variable(frame, program::VarId(0));
            state.numbers.restrict(dimension, Range::of(Interval::new(0, 1 << 27)));
        }
        let (array, texts) =
            (self.places.object_number(Object::Arguments), self.places.object_number(Object::ArgumentTexts));
        if parameters.len() != 2
            || parameters[1].ty != Type::Pointer
            || !is_number(parameters[0].ty)
            || parameters[0].ty.bits() < 32
        {
            return;
        }
        let count = self.variable(frame, program::VarId(0));
        let size = Linear::dimension(count).scaled(8).and_then(|bytes| bytes.plus_constant(8));
        let size = Number { reading: OFFSET, range: Range::of(Interval::new(8, 1 << 30)), linear: size };
        self.create(state, array, Some(&size), true);
        let length = Number::of(Range::of(Interval::new(1, (1 << 31) - 1)), OFFSET);
        self.create(state, texts, Some(&length), true);
        self.forget_contents(state, texts);
        if let Some(object) = state.objects.get_mut(&texts) {
            object.many = true;
        }
        let pointer = Some((Targets { null: true, ..Targets::one(texts) }, Interval::constant(0)));
        if let Some(object) = state.objects.get_mut(&array) {
            object.rest = Rest::Elements { bytes: 8, range: Range::TOP, pointer };
        }
        self.blur_terminator(state, array, Some(0));
        let (end, room) = (self.terminator(texts), self.size(texts));
        if let Some(inside) = end.minus(&room).and_then(|excess| excess.plus_constant(1)) {
            state.numbers.assume(&inside);
        }
        let argv = Pointer { targets: Targets::one(array), offset: Number::constant(0, OFFSET) };
        self.set_variable(state, frame, program::VarId(1), &Value::Pointer(argv));
    }

    fn enter_locals(&mut self, state: &mut State, frame: &Frame<'p>) {
        for (index, local) in frame.body.locals.iter().enumerate() {
            if !local.scoped {
                let id = self.places.object_number(Object::Local(frame.context, LocalId(index as u32)));
                self.create(state, id, None, false);
            }
        }
        let parameters = self.program.function(frame.function).parameters.len();
        for index in parameters..frame.body.variables.len() {
            let dimension = self.variable(frame, program::VarId(index as u32));
            state.indeterminate.insert(dimension);
        }
    }

    pub(crate) fn call(&mut self, mut state: State, frame: &Frame<'p>, call: &'p Call) -> Vec<State> {
        let arguments = self.arguments(&mut state, frame, &call.arguments);
        let functions = match call.callee {
            Callee::Direct(function) => Some(vec![function]),
            Callee::Indirect(callee) => {
                let pointer = self.pointer(&mut state, frame, callee);
                let known = self.called(&pointer);
                self.check(frame, None, ViolationKind::BadCall, known.is_some() && !pointer.targets.null);
                known
            }
        };
        self.settle(&mut state);
        let Some(functions) = functions else { return self.call_anything(state, frame, call) };
        let mut after = Vec::new();
        for function in &functions {
            let part =
                if functions.len() == 1 { std::mem::replace(&mut state, dead_placeholder()) } else { state.clone() };
            after.extend(self.call_function(part, frame, call, *function, &arguments));
        }
        self.partition(after)
    }

    /// The functions that a pointer may lead to; `None` if it may lead to others too.
    fn called(&self, pointer: &Pointer) -> Option<Vec<FunctionId>> {
        if pointer.targets.wild || pointer.offset.as_constant() != Some(0) && !pointer.targets.objects.is_empty() {
            return None;
        }
        pointer
            .targets
            .objects
            .iter()
            .map(|object| match self.places.object(*object) {
                Object::Function(function) => Some(function),
                _ => None,
            })
            .collect()
    }

    /// A call through a pointer that nothing is known about.
    fn call_anything(&mut self, mut state: State, frame: &Frame<'p>, call: &Call) -> Vec<State> {
        self.check(frame, None, ViolationKind::BadCall, false);
        self.unmodelled_checks(frame);
        self.call_back(&mut state);
        self.forget_results(&mut state, frame, call);
        vec![state]
    }

    /// Any function whose address is taken may run.
    pub(crate) fn call_back(&mut self, state: &mut State) {
        let taken: Vec<FunctionId> = self.effects.address_taken.iter().copied().collect();
        self.pending.extend(taken.into_iter().filter(|function| self.program.function(*function).body.is_some()));
        self.havoc_memory(state);
        self.blur_lives(state);
    }

    /// Any heap object may have been freed.
    pub(crate) fn blur_lives(&mut self, state: &mut State) {
        let heap: Vec<ObjectId> =
            state.objects.keys().copied().filter(|id| matches!(self.places.object(*id), Object::Heap(..))).collect();
        for id in heap {
            if let Some(object) = state.objects.get_mut(&id) {
                object.life = Life::Either;
            }
        }
    }

    pub(crate) fn forget_results(&mut self, state: &mut State, frame: &Frame<'_>, call: &Call) {
        for target in &call.targets {
            let dimension = self.variable(frame, *target);
            state.forget(dimension);
            state.indeterminate.remove(&dimension);
            if is_number(frame.body.variable(*target).ty) {
                let reading = self.places.variable_reading(self.program, frame.context, *target);
                state.numbers.restrict(dimension, Range::of(reading.interval()));
            }
        }
    }

    fn call_function(
        &mut self,
        mut state: State,
        frame: &Frame<'p>,
        call: &'p Call,
        function: FunctionId,
        arguments: &[Passed],
    ) -> Vec<State> {
        let callee = self.program.function(function);
        if callee.body.is_none() {
            return self.external(state, frame, call, &callee.name, arguments);
        }
        let enough = match callee.variadic {
            true => arguments.len() >= callee.parameters.len(),
            false => arguments.len() == callee.parameters.len(),
        };
        let fits = enough
            && arguments
                .iter()
                .zip(&callee.parameters)
                .all(|(argument, parameter)| argument.ty == parameter.ty && argument.copied == parameter.copied);
        self.check(frame, None, ViolationKind::BadCall, fits);
        // Structs are copied at the call.
        for argument in arguments {
            if let (Some(size), Value::Pointer(pointer)) = (argument.copied.filter(|size| *size > 0), &argument.value) {
                self.access(&mut state, frame, None, pointer, &Extent::Bytes(size), false);
                self.settle(&mut state);
            }
        }
        let any_call = self.places.context(frame.context).any_call;
        let deep = self.stack.len() as u32 > self.options.depth || self.stack.contains(&function);
        if any_call || deep || self.work > self.budget {
            self.pending.insert(function);
            if self.effects.writes(function) {
                self.havoc_memory(&mut state);
            }
            if self.effects.frees(function) {
                self.blur_lives(&mut state);
            }
            self.forget_results(&mut state, frame, call);
            if self.effects.copies {
                self.mark_results(&mut state, frame, call);
            }
            return vec![state];
        }
        self.follow(state, frame, call, function, arguments)
    }

    /// Results of a call that was not followed may travel with unwritten bits.
    fn mark_results(&mut self, state: &mut State, frame: &Frame<'_>, call: &Call) {
        for target in &call.targets {
            let dimension = self.variable(frame, *target);
            state.indeterminate.insert(dimension);
        }
    }

    fn follow(
        &mut self,
        mut state: State,
        frame: &Frame<'p>,
        call: &'p Call,
        function: FunctionId,
        arguments: &[Passed],
    ) -> Vec<State> {
        let context = Context { function, caller: Some((frame.context, frame.at)), any_call: false };
        let context = self.places.context_number(context);
        let Some(inner) = self.frame(function, context) else { return vec![state] };
        self.pass(&mut state, &inner, arguments);
        self.enter_locals(&mut state, &inner);
        state.history.clear();
        let exits = match self.recall(context, &state) {
            Some(exits) => exits,
            None => {
                self.stack.push(function);
                let recorded = self.recording;
                let exits = self.run_body(inner, vec![state.clone()]);
                self.stack.pop();
                self.remembered.insert(context, Remembered { entry: state, exits: exits.clone(), recorded });
                exits
            }
        };
        exits.into_iter().map(|exit| self.leave(exit, frame, &inner, call)).collect()
    }

    /// The exits of a call that was analysed before with such an entry.
    fn recall(&mut self, context: ContextId, entry: &State) -> Option<Vec<State>> {
        let remembered = self.remembered.get(&context)?;
        if self.recording && !remembered.recorded {
            return None;
        }
        let before = remembered.entry.clone();
        if !entry.is_within(&before, self.program, &mut self.places) {
            return None;
        }
        if (self.recording || self.fresh) && !before.is_within(entry, self.program, &mut self.places) {
            return None;
        }
        self.remembered.get(&context).map(|remembered| remembered.exits.clone())
    }

    /// Gives the callee its parameters.
    fn pass(&mut self, state: &mut State, inner: &Frame<'p>, arguments: &[Passed]) {
        let parameters = &self.program.function(inner.function).parameters;
        for (index, parameter) in parameters.iter().enumerate() {
            let variable = program::VarId(index as u32);
            match arguments.get(index) {
                Some(Passed { value: Value::Pointer(source), copied: Some(size), .. }) => {
                    let id = self.places.object_number(Object::Copied(inner.context, index as u32));
                    let size = Number::constant((*size).into(), OFFSET);
                    self.create(state, id, Some(&size), false);
                    let to = Pointer { targets: Targets::one(id), offset: Number::constant(0, OFFSET) };
                    self.transfer(state, &to, source, &size);
                    self.set_variable(state, inner, variable, &Value::Pointer(to));
                }
                Some(passed) if passed.ty == parameter.ty => {
                    self.set_variable(state, inner, variable, &passed.value);
                    if passed.unwritten {
                        let dimension = self.variable(inner, variable);
                        state.indeterminate.insert(dimension);
                    }
                }
                _ => {
                    let dimension = self.variable(inner, variable);
                    state.forget(dimension);
                    if is_number(parameter.ty) {
                        let reading = self.places.variable_reading(self.program, inner.context, variable);
                        state.numbers.restrict(dimension, Range::of(reading.interval()));
                    }
                }
            }
        }
    }

    /// Ends the callee's frame and hands its results to the caller.
    fn leave(&mut self, mut state: State, frame: &Frame<'p>, inner: &Frame<'p>, call: &Call) -> State {
        let returns = &self.program.function(inner.function).returns;
        for (position, target) in call.targets.iter().enumerate() {
            let dimension = self.returned(inner, position);
            let ty = frame.body.variable(*target).ty;
            let value = match returns.get(position) {
                Some(from) if *from == ty => {
                    // Returned numbers keep whatever reading they had.
                    self.read_returned(&state, dimension, ty)
                }
                _ => Value::Other,
            };
            let unwritten = state.indeterminate.contains(&dimension) || returns.get(position).is_none();
            self.set_variable(&mut state, frame, *target, &value);
            if matches!(value, Value::Other) && is_number(ty) {
                let reading = self.places.variable_reading(self.program, frame.context, *target);
                let own = self.variable(frame, *target);
                state.numbers.restrict(own, Range::of(reading.interval()));
            }
            if unwritten {
                let own = self.variable(frame, *target);
                state.indeterminate.insert(own);
            }
        }
        for position in 0..returns.len() {
            let dimension = self.returned(inner, position);
            state.forget(dimension);
            state.indeterminate.remove(&dimension);
        }
        for index in 0..inner.body.variables.len() {
            let dimension = self.variable(inner, program::VarId(index as u32));
            state.forget(dimension);
            state.indeterminate.remove(&dimension);
        }
        let owned: Vec<ObjectId> = state
            .objects
            .keys()
            .copied()
            .filter(|id| match self.places.object(*id) {
                Object::Local(context, _) | Object::Computed(context, _) | Object::Copied(context, _) => {
                    context == inner.context
                }
                _ => false,
            })
            .collect();
        for id in owned {
            self.end(&mut state, id);
        }
        state.history.clear();
        state
    }

    /// A returned number was kept as it was computed, signed or not.
    fn read_returned(&mut self, state: &State, dimension: crate::numeric::Dimension, ty: Type) -> Value {
        let range = state.numbers.range(&Linear::dimension(dimension));
        let (signed, unsigned) = (Reading::signed(ty.bits().min(64)), Reading::unsigned(ty.bits().min(64)));
        let reading = match range.interval.is_within(signed.interval()) {
            true => signed,
            false if range.interval.is_within(unsigned.interval()) => unsigned,
            false if is_number(ty) => return Value::Number(Number::any(signed)),
            false => signed,
        };
        self.read_dimension(state, dimension, ty, reading)
    }
}

fn dead_placeholder() -> State {
    dead(&State::new(false))
}
