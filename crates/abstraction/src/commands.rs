//! Commands: from one state to those after it.
//!
//! A command can split a state where keeping the parts together would lose what matters: the outcome of a
//! comparison that is stored, a byte of a string that is zero or not.

use program::exec::ViolationKind;
use program::{
    Argument, CastOp, Command, CommandKind, Comparison, ExprId, ExprKind, FailureKind, Sign, TerminatorKind, Type,
    VarId,
};

use crate::analyzer::{Analyzer, Frame};
use crate::memory::Extent;
use crate::numeric::{Linear, Numbers, Numeric, Range};
use crate::places::{Object, Place, Reading, is_number};
use crate::state::{Life, State};
use crate::value::{Number, OFFSET, Pointer, Value};

impl<'p> Analyzer<'p> {
    pub(crate) fn command(&mut self, mut state: State, frame: &Frame<'p>, command: &'p Command) -> Vec<State> {
        if !self.go_on() {
            return Vec::new();
        }
        match &command.kind {
            CommandKind::Assign { target, value } => return self.assign(state, frame, *target, *value),
            CommandKind::Store { address, value, bits } => {
                let pointer = self.pointer(&mut state, frame, *address);
                let stored = self.evaluate(&mut state, frame, *value);
                let ty = frame.body.expr(*value).ty;
                return match bits {
                    None => self.store(state, frame, &pointer, &stored, ty),
                    Some(field) => {
                        let first = i128::from(field.offset / 8);
                        let end = (u64::from(field.offset) + u64::from(field.width)).div_ceil(8);
                        let extent = Extent::Bytes((end - first as u64).max(1));
                        let moved = self.shifted(&state, &pointer, first);
                        let valid = self.access(&mut state, frame, None, &moved, &extent, true);
                        self.settle(&mut state);
                        self.scribble(&mut state, &valid);
                        vec![state]
                    }
                };
            }
            CommandKind::Havoc { target, source } => self.havoc(&mut state, frame, *target, source),
            CommandKind::Assume(condition) => {
                self.evaluate(&mut state, frame, *condition);
                self.settle(&mut state);
                self.assume(&mut state, frame, *condition, true);
                self.settle(&mut state);
            }
            CommandKind::Assert { condition, .. } => {
                self.evaluate(&mut state, frame, *condition);
                self.settle(&mut state);
                let mut failing = state.clone();
                self.assume(&mut failing, frame, *condition, false);
                self.settle(&mut failing);
                self.check(frame, None, ViolationKind::Assert, failing.is_bottom());
                let holds = self.comparison_linear(&mut state, frame, *condition);
                self.tell(frame, None, ViolationKind::Assert, &[holds]);
                if self.options.checks.has(ViolationKind::Assert) {
                    self.assume(&mut state, frame, *condition, true);
                    self.settle(&mut state);
                }
            }
            CommandKind::Fail(failure) => {
                let kind = match failure.kind {
                    FailureKind::Assertion => ViolationKind::Assert,
                    FailureKind::ErrorCall => ViolationKind::ErrorCall,
                };
                self.check(frame, None, kind, false);
                return Vec::new();
            }
            CommandKind::Call(call) => return self.call(state, frame, call),
            CommandKind::Copy { destination, source, size, may_overlap } => {
                let to = self.pointer(&mut state, frame, *destination);
                let from = self.pointer(&mut state, frame, *source);
                let size = self.number(&mut state, frame, *size);
                self.copy(&mut state, frame, &to, &from, &size, *may_overlap);
            }
            CommandKind::Fill { destination, byte, size } => {
                let to = self.pointer(&mut state, frame, *destination);
                let byte = self.number(&mut state, frame, *byte);
                let size = self.number(&mut state, frame, *size);
                self.fill(&mut state, frame, &to, &byte, &size);
            }
            CommandKind::Allocate { target, size, .. } => {
                let size = self.number(&mut state, frame, *size).read_as(Reading::unsigned(64));
                self.settle(&mut state);
                self.check(frame, None, ViolationKind::StackOverflow, false);
                let id = self.places.object_number(Object::Computed(frame.context, frame.at));
                self.create(&mut state, id, Some(&size), false);
                let targets = crate::state::Targets::one(id);
                let pointer = Pointer { targets, offset: Number::constant(0, OFFSET) };
                self.set_variable(&mut state, frame, *target, &Value::Pointer(pointer));
            }
            CommandKind::StackMark { target } => {
                let dimension = self.variable(frame, *target);
                state.forget(dimension);
                state.indeterminate.remove(&dimension);
            }
            CommandKind::StackRelease { mark } => {
                self.evaluate(&mut state, frame, *mark);
                self.settle(&mut state);
                let computed: Vec<_> = state.objects.keys().copied().filter(|id| {
                    matches!(self.places.object(*id), Object::Computed(context, _) if context == frame.context)
                }).collect();
                for id in computed {
                    if let Some(object) = state.objects.get_mut(&id) {
                        object.life = Life::Either;
                    }
                }
            }
            CommandKind::Declare(variable) => {
                let dimension = self.variable(frame, *variable);
                state.forget(dimension);
                state.indeterminate.insert(dimension);
            }
            CommandKind::Begin(local) => {
                let id = self.places.object_number(Object::Local(frame.context, *local));
                self.create(&mut state, id, None, false);
            }
            CommandKind::End(local) => {
                let id = self.places.object_number(Object::Local(frame.context, *local));
                self.end(&mut state, id);
            }
            CommandKind::VaStart { list } => {
                let list = self.pointer(&mut state, frame, *list);
                let valid = self.access(&mut state, frame, None, &list, &Extent::Bytes(24), true);
                self.settle(&mut state);
                self.scribble(&mut state, &valid);
            }
            CommandKind::Unsupported(id) => {
                let program = self.program;
                self.meet_obstacle(|| format!("{} is not supported", program.unsupported(*id).what));
                return Vec::new();
            }
        }
        vec![state]
    }

    /// Ends an object whose identity may come again.
    pub(crate) fn end(&mut self, state: &mut State, id: crate::places::ObjectId) {
        match state.objects.get_mut(&id) {
            Some(object) if object.many => object.life = Life::Either,
            _ => self.remove(state, id),
        }
    }

    /// Something is written to the objects of a valid pointer.
    pub(crate) fn scribble(&mut self, state: &mut State, valid: &Pointer) {
        if valid.targets.wild {
            return self.havoc_memory(state);
        }
        for object in valid.targets.objects.clone() {
            self.forget_contents(state, object);
        }
    }

    pub(crate) fn set_variable(&mut self, state: &mut State, frame: &Frame<'_>, target: VarId, value: &Value) {
        let dimension = self.variable(frame, target);
        state.indeterminate.remove(&dimension);
        let ty = frame.body.variable(target).ty;
        let fitted = match value {
            Value::Number(number) if is_number(ty) && number.reading.bits == ty.bits() => {
                let reading = self.places.variable_reading(self.program, frame.context, target);
                Value::Number(number.read_as(reading))
            }
            Value::Pointer(_) if ty == Type::Pointer => value.clone(),
            _ => Value::Other,
        };
        self.set_dimension(state, dimension, &fitted);
    }

    fn assign(&mut self, mut state: State, frame: &Frame<'_>, target: VarId, id: ExprId) -> Vec<State> {
        let value = self.evaluate(&mut state, frame, id);
        let travels = self.may_be_unwritten(&mut state, frame, id);
        self.settle(&mut state);
        let mut states = self.split(state, frame, id, &value);
        let last = states.len() == 1;
        for state in &mut states {
            let value = if last { value.clone() } else { self.silently(|this| this.evaluate(state, frame, id)) };
            self.settle(state);
            self.set_variable(state, frame, target, &value);
            if travels {
                let dimension = self.variable(frame, target);
                state.indeterminate.insert(dimension);
            }
        }
        states
    }

    /// Whether a value on the move may have unwritten bits.
    fn may_be_unwritten(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId) -> bool {
        match &frame.body.expr(id).kind {
            ExprKind::Variable(variable) => {
                let dimension = self.variable(frame, *variable);
                state.indeterminate.contains(&dimension)
            }
            ExprKind::Load(load) if load.copy => {
                let pointer = self.silently(|this| this.pointer(state, frame, load.address));
                !self.is_written(state, &pointer, u64::from(frame.body.expr(id).ty.bytes()))
            }
            _ => false,
        }
    }

    /// Parts that are worth keeping apart when this expression's value is kept.
    fn split(&mut self, state: State, frame: &Frame<'_>, id: ExprId, value: &Value) -> Vec<State> {
        if self.options.partitions < 2 || state.is_bottom() {
            return vec![state];
        }
        let mut inner = id;
        while let ExprKind::Cast(CastOp::ZeroExtend | CastOp::SignExtend, operand) = frame.body.expr(inner).kind {
            inner = operand;
        }
        let expr = frame.body.expr(inner);
        let Value::Number(number) = value else { return vec![state] };
        if number.as_constant().is_some() {
            return vec![state];
        }
        match &expr.kind {
            ExprKind::Unary(..) | ExprKind::Binary(..) if expr.ty == Type::BOOL => {
                let parts = [true, false].into_iter().map(|truth| {
                    let mut part = state.clone();
                    self.assume(&mut part, frame, inner, truth);
                    self.settle(&mut part);
                    part.history.push(frame.at.block.0 << 2 | u32::from(truth));
                    part
                });
                parts.filter(|part| !part.is_bottom()).collect()
            }
            ExprKind::Load(load) if expr.ty == Type::I8 && load.bits.is_none() => {
                let mut probe = state;
                let pointer = self.silently(|this| this.pointer(&mut probe, frame, load.address));
                if pointer.targets.wild || pointer.targets.objects.len() != 1 || pointer.offset.linear.is_none() {
                    return vec![probe];
                }
                let byte = self.silently(|this| this.number(&mut probe, frame, inner));
                self.learned.clear();
                self.split_byte(&probe, frame, &byte, |this, part, zero| this.learn_byte(part, &pointer, zero))
            }
            _ => vec![state],
        }
    }

    /// The states where a byte is zero, above, and below.
    fn split_byte(
        &mut self,
        state: &State,
        frame: &Frame<'_>,
        byte: &Number,
        learn: impl Fn(&mut Self, &mut State, bool),
    ) -> Vec<State> {
        let zero = Number::constant(0, byte.reading);
        let ways = [Comparison::Equal, Comparison::Greater(Sign::Signed), Comparison::Less(Sign::Signed)];
        let mut parts = Vec::new();
        for (index, comparison) in ways.into_iter().enumerate() {
            let mut part = state.clone();
            self.assume_numbers(&mut part, comparison, byte, &zero);
            if part.is_bottom() {
                continue;
            }
            learn(self, &mut part, index == 0);
            if !part.is_bottom() {
                part.history.push(frame.at.block.0 << 2 | index as u32);
                parts.push(part);
            }
        }
        parts
    }

    fn store(&mut self, mut state: State, frame: &Frame<'_>, pointer: &Pointer, value: &Value, ty: Type) -> Vec<State> {
        let valid = self.access(&mut state, frame, None, pointer, &Extent::Bytes(ty.bytes().into()), true);
        self.settle(&mut state);
        if state.is_bottom() {
            return Vec::new();
        }
        let valid = Pointer { offset: self.refreshed(&state, &valid.offset), ..valid };
        let mut states = match value {
            // Whether it ends a string is worth telling apart.
            Value::Number(number)
                if ty == Type::I8
                    && number.linear.is_some()
                    && number.range.contains(0)
                    && number.as_constant().is_none()
                    && self.options.partitions > 1 =>
            {
                self.split_byte(&state, frame, &number.read_as(Reading::signed(8)), |_, _, _| {})
            }
            _ => vec![state],
        };
        for state in &mut states {
            let value = match value {
                Value::Number(number) => Value::Number(self.refreshed(
                    state,
                    &number.read_as(Reading { bits: number.reading.bits, signed: number.reading.signed }),
                )),
                other => other.clone(),
            };
            self.write(state, &valid, &value, ty);
        }
        states
    }

    fn havoc(&mut self, state: &mut State, frame: &Frame<'_>, target: VarId, source: &str) {
        let dimension = self.variable(frame, target);
        state.indeterminate.remove(&dimension);
        state.forget(dimension);
        if is_number(frame.body.variable(target).ty) {
            let reading = self.places.variable_reading(self.program, frame.context, target);
            let boolean = matches!(source.rsplit_once("nondet_").map_or(source, |(_, stem)| stem), "bool" | "_Bool");
            let interval = if boolean { Reading::unsigned(1).interval() } else { reading.interval() };
            state.numbers.restrict(dimension, Range::of(interval));
        }
    }

    /// The states on each way out of a block. Returns have none.
    pub(crate) fn finish_block(&mut self, mut state: State, frame: &Frame<'_>) -> Vec<State> {
        self.work += 1;
        let block = frame.body.block(frame.at.block);
        match &block.terminator.kind {
            TerminatorKind::Goto(_) => vec![state],
            TerminatorKind::Branch { condition, .. } => {
                self.evaluate(&mut state, frame, *condition);
                self.settle(&mut state);
                [true, false]
                    .into_iter()
                    .map(|truth| {
                        let mut way = state.clone();
                        self.assume(&mut way, frame, *condition, truth);
                        self.settle(&mut way);
                        way.history.push(frame.at.block.0 << 2 | u32::from(truth));
                        way
                    })
                    .collect()
            }
            TerminatorKind::Switch { value, cases, .. } => self.switch(state, frame, *value, cases),
            TerminatorKind::IndirectGoto { address, targets } => {
                self.evaluate(&mut state, frame, *address);
                self.settle(&mut state);
                self.check(frame, None, ViolationKind::BadCall, false);
                vec![state; targets.len()]
            }
            TerminatorKind::Return(values) => {
                let values: Vec<(Value, bool)> = values
                    .iter()
                    .map(|id| (self.evaluate(&mut state, frame, *id), self.may_be_unwritten(&mut state, frame, *id)))
                    .collect();
                self.settle(&mut state);
                for (position, (value, travels)) in values.iter().enumerate() {
                    let dimension = self.returned(frame, position);
                    self.set_dimension(&mut state, dimension, value);
                    if *travels {
                        state.indeterminate.insert(dimension);
                    }
                }
                vec![state]
            }
            TerminatorKind::Unreachable => {
                self.check(frame, None, ViolationKind::Unreachable, false);
                Vec::new()
            }
        }
    }

    /// Where a returned scalar is kept until the caller takes it.
    pub(crate) fn returned(&mut self, frame: &Frame<'_>, position: usize) -> crate::numeric::Dimension {
        self.places.dimension(Place::Variable(frame.context, VarId(u32::MAX - position as u32)))
    }

    fn switch(
        &mut self,
        mut state: State,
        frame: &Frame<'_>,
        value: ExprId,
        cases: &[(u128, program::BlockId)],
    ) -> Vec<State> {
        let ty = frame.body.expr(value).ty;
        let number = self.evaluate(&mut state, frame, value);
        self.settle(&mut state);
        let Value::Number(number) = number else { return vec![state; cases.len() + 1] };
        let mut ways = Vec::with_capacity(cases.len() + 1);
        for (index, (bits, _)) in cases.iter().enumerate() {
            let mut way = state.clone();
            let constant = signed_constant(*bits, ty, number.reading);
            self.assume_numbers(&mut way, Comparison::Equal, &number, &constant);
            way.history.push(frame.at.block.0 << 2 | (index as u32 & 3));
            ways.push(way);
            let left = self.refreshed(&state, &number);
            if !state.is_bottom() {
                self.assume_numbers(&mut state, Comparison::NotEqual, &left, &constant);
            }
        }
        ways.push(state);
        ways
    }

    /// The arguments of a call, with their types; copied ones are pointers to the original.
    pub(crate) fn arguments(&mut self, state: &mut State, frame: &Frame<'_>, arguments: &[Argument]) -> Vec<Passed> {
        let mut passed = Vec::with_capacity(arguments.len());
        for argument in arguments {
            passed.push(match argument {
                Argument::Scalar(id) => {
                    let value = self.evaluate(state, frame, *id);
                    let unwritten = self.may_be_unwritten(state, frame, *id);
                    Passed { value, ty: frame.body.expr(*id).ty, copied: None, unwritten }
                }
                Argument::Copied { address, size, .. } => {
                    let pointer = self.pointer(state, frame, *address);
                    Passed { value: Value::Pointer(pointer), ty: Type::Pointer, copied: Some(*size), unwritten: false }
                }
            });
        }
        passed
    }
}

/// An argument on its way.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    pub value: Value,
    pub ty: Type,
    pub copied: Option<u64>,
    pub unwritten: bool,
}

fn signed_constant(bits: u128, ty: Type, reading: Reading) -> Number {
    let unused = 128 - ty.bits();
    let signed = if reading.signed { (bits << unused) as i128 >> unused } else { bits as i128 };
    Number { reading, range: Range::constant(signed), linear: Some(Linear::constant(signed)) }
}

/// A state that nothing reaches.
pub(crate) fn dead(state: &State) -> State {
    State { numbers: Numbers::bottom(), ..state.clone() }
}
