//! Expressions: the value that each has in a set of states, and the checks on the way.
//!
//! Integers are mathematical here. Each operation says whether its exact result fits its type: where it must,
//! the relation to its operands is kept; else the result is reduced modulo 2^width, and forgotten where
//! that is not one shift. After a check, the states that fail it are gone: the run ends there. But operands
//! are evaluated in an order that is the executor's affair, so what a check teaches holds from the next
//! command on, and within the command only for operations on its own result.

use program::exec::ViolationKind;
use program::{
    Arithmetic, BinaryOp, Builtin, CastOp, Comparison, ExprId, ExprKind, Index, Object as Named, Overflow, Sign, Type,
    UnaryOp,
};

use crate::analyzer::{Analyzer, Frame};
use crate::numeric::{Congruence, Interval, Linear, Numeric, Range};
use crate::places::{Object, Place, Reading, is_number};
use crate::state::{State, Targets};
use crate::value::{Number, OFFSET, Pointer, SLOT, Value};

/// The reading that a type has when nobody declares one.
fn plain(ty: Type) -> Reading {
    Reading::signed(ty.bits())
}

impl Analyzer<'_> {
    pub(crate) fn evaluate(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId) -> Value {
        let expr = frame.body.expr(id);
        match &expr.kind {
            ExprKind::Constant(bits) => constant(*bits, expr.ty),
            ExprKind::Variable(variable) => {
                let dimension = self.variable(frame, *variable);
                let settled = !state.indeterminate.contains(&dimension);
                self.check(frame, Some(id), ViolationKind::Uninitialized, settled);
                let reading = self.places.variable_reading(self.program, frame.context, *variable);
                self.read_dimension(state, dimension, expr.ty, reading)
            }
            ExprKind::Address(object) => self.address(state, frame, *object),
            ExprKind::Load(load) => self.load(state, frame, id, *load, expr.ty),
            ExprKind::Unary(op, operand) => {
                let value = self.evaluate(state, frame, *operand);
                self.unary(state, frame, id, *op, expr.ty, value)
            }
            ExprKind::Binary(op, left, right) => {
                let first = self.evaluate(state, frame, *left);
                let second = self.evaluate(state, frame, *right);
                let ty = frame.body.expr(*left).ty;
                self.binary(state, frame, id, *op, ty, first, second)
            }
            ExprKind::Cast(op, operand) => {
                let from = frame.body.expr(*operand).ty;
                let value = self.evaluate(state, frame, *operand);
                self.cast(state, frame, id, *op, from, expr.ty, value)
            }
            ExprKind::Select { condition, then, otherwise } => {
                let chosen = self.evaluate(state, frame, *condition);
                let first = self.evaluate(state, frame, *then);
                let second = self.evaluate(state, frame, *otherwise);
                match number_constant(&chosen) {
                    Some(0) => second,
                    Some(_) => first,
                    None => join_values(first, second),
                }
            }
            ExprKind::Index(index) => self.index(state, frame, id, *index),
            ExprKind::Field(field) => {
                let base = self.evaluate(state, frame, field.base);
                self.moved(state, base, Number::constant(field.offset.into(), OFFSET))
            }
            ExprKind::Apply(builtin, arguments) => {
                let values: Vec<Value> = arguments.iter().map(|it| self.evaluate(state, frame, *it)).collect();
                let of = arguments.first().map_or(expr.ty, |first| frame.body.expr(*first).ty);
                self.apply(frame, id, *builtin, of, expr.ty, &values)
            }
        }
    }

    /// Evaluates an expression of integer type as a number of some reading.
    pub(crate) fn number(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId) -> Number {
        let value = self.evaluate(state, frame, id);
        self.as_number(state, value, frame.body.expr(id).ty)
    }

    pub(crate) fn pointer(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId) -> Pointer {
        match self.evaluate(state, frame, id) {
            Value::Pointer(pointer) => pointer,
            _ => Pointer::wild(),
        }
    }

    /// A value that is used as an integer; an address is its object's address and the offset.
    pub(crate) fn as_number(&mut self, state: &mut State, value: Value, ty: Type) -> Number {
        match value {
            Value::Number(number) => number,
            Value::Pointer(pointer) => self.pointer_number(state, &pointer),
            Value::Other => Number::any(plain(if ty.bits() <= 64 { ty } else { Type::I64 })),
        }
    }

    fn pointer_number(&mut self, state: &mut State, pointer: &Pointer) -> Number {
        let reading = Reading::unsigned(64);
        if pointer.targets == Targets::null() {
            return Number::constant(0, reading);
        }
        match pointer.targets.objects[..] {
            [object] if !pointer.targets.null && !pointer.targets.wild => {
                let many = state.objects.get(&object).is_none_or(|object| object.many);
                if many || !pointer.offset.range.interval.is_within(SLOT) {
                    return Number::any(reading);
                }
                let address = self.places.dimension(Place::Address(object));
                state.numbers.restrict(address, Range::of(Interval::new(1 << 32, 1 << 62)));
                let linear = pointer.offset.linear.as_ref().and_then(|it| it.plus(&Linear::dimension(address)));
                let range = Range::of(Interval::new(1 << 32, 1 << 62)).plus(pointer.offset.range);
                Number { reading, range, linear }
            }
            _ => Number::any(reading),
        }
    }

    /// The pointer that an integer was once.
    fn number_pointer(&mut self, state: &State, number: &Number) -> Pointer {
        if number.as_constant() == Some(0) {
            return Pointer::null();
        }
        let Some(linear) = &number.linear else { return Pointer::wild() };
        let mut base = None;
        for (dimension, factor) in &linear.terms {
            if let Place::Address(object) = self.places.place(*dimension) {
                if *factor != 1 || base.is_some() {
                    return Pointer::wild();
                }
                base = Some((*dimension, object));
            }
        }
        let Some((dimension, object)) = base else { return Pointer::wild() };
        let offset = linear.without(dimension);
        let range = state.numbers.range(&offset);
        if !range.interval.is_within(SLOT) {
            return Pointer::wild();
        }
        Pointer { targets: Targets::one(object), offset: Number { reading: OFFSET, range, linear: Some(offset) } }
    }

    /// The value that a variable or a cell holds.
    pub(crate) fn read_dimension(
        &mut self,
        state: &State,
        dimension: crate::numeric::Dimension,
        ty: Type,
        reading: Reading,
    ) -> Value {
        let linear = Linear::dimension(dimension);
        let range = state.numbers.range(&linear);
        match ty {
            Type::Pointer => {
                let targets = state.targets(dimension);
                if targets.wild {
                    return Value::Pointer(Pointer::wild());
                }
                let offset = Number { reading: OFFSET, range, linear: Some(linear) };
                Value::Pointer(Pointer { targets, offset })
            }
            ty if is_number(ty) => {
                let range = range.meet(Range::of(reading.interval()));
                Value::Number(Number { reading, range, linear: Some(linear) })
            }
            _ => Value::Other,
        }
    }

    fn address(&mut self, state: &mut State, frame: &Frame<'_>, object: Named) -> Value {
        let object = match object {
            Named::Global(global) => Object::Global(global),
            Named::Local(local) => Object::Local(frame.context, local),
            Named::Function(function) => Object::Function(function),
            Named::Label(..) => return Value::Pointer(Pointer::wild()),
        };
        let id = self.places.object_number(object);
        state.touch(self.program, &mut self.places, id);
        if matches!(object, Object::Local(..)) && !state.objects.contains_key(&id) {
            // Its scope was left, or never entered.
            return Value::Pointer(Pointer::wild());
        }
        Value::Pointer(Pointer { targets: Targets::one(id), offset: Number::constant(0, OFFSET) })
    }

    fn index(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId, index: Index) -> Value {
        let base = self.evaluate(state, frame, index.base);
        let mut number = self.number(state, frame, index.index).read_as(Reading::signed(64));
        if let Some(count) = index.count {
            let inside = number.range.interval.is_within(Interval::new(0, i128::from(count) - 1));
            let inside = inside || self.entails_between(state, &number, i128::from(count));
            self.check(frame, Some(id), ViolationKind::ArrayIndex, inside);
            let valid = Interval::new(0, i128::from(count) - 1);
            self.tell(frame, Some(id), ViolationKind::ArrayIndex, &between(number.linear.as_ref(), valid));
            if self.options.checks.has(ViolationKind::ArrayIndex) {
                if let Some(linear) = &number.linear {
                    self.assume_between(state, linear, 0, count.into());
                }
                number.range = number.range.meet(Range::of(Interval::new(0, count.into())));
            }
        }
        let stride = i128::from(index.stride);
        let number = self.refreshed(state, &number);
        let distance = Number {
            reading: OFFSET,
            range: number.range.scaled(stride),
            linear: number.linear.as_ref().and_then(|linear| linear.scaled(stride)),
        };
        self.moved(state, base, distance)
    }

    fn entails_between(&self, state: &State, number: &Number, count: i128) -> bool {
        let Some(linear) = &number.linear else { return false };
        state.numbers.bounds(linear).is_within(Interval::new(0, count - 1))
    }

    /// From the next command on, `low <= linear <= high`.
    pub(crate) fn assume_between(&mut self, state: &State, linear: &Linear, low: i128, high: i128) {
        if state.numbers.bounds(linear).is_within(Interval::new(low, high)) {
            return;
        }
        self.learned.extend(linear.plus_constant(-high));
        self.learned.extend(linear.scaled(-1).and_then(|negated| negated.plus_constant(low)));
    }

    /// The number with what the state has learned since.
    pub(crate) fn refreshed(&self, state: &State, number: &Number) -> Number {
        let Some(linear) = &number.linear else { return number.clone() };
        Number { range: number.range.meet(state.numbers.range(linear)), ..number.clone() }
    }

    /// A pointer so many bytes further on.
    fn moved(&mut self, state: &State, base: Value, distance: Number) -> Value {
        let Value::Pointer(mut pointer) = base else { return Value::Pointer(Pointer::wild()) };
        if pointer.targets.wild || pointer.targets.null {
            let stays = distance.as_constant() == Some(0);
            return Value::Pointer(if stays { pointer } else { Pointer::wild() });
        }
        let linear = pointer.offset.linear.as_ref().zip(distance.linear.as_ref()).and_then(|(a, b)| a.plus(b));
        let mut range = pointer.offset.range.plus(distance.range);
        if let Some(linear) = &linear {
            range = range.meet(state.numbers.range(linear));
        }
        if !range.interval.is_within(SLOT) {
            return Value::Pointer(Pointer::wild());
        }
        pointer.offset = Number { reading: OFFSET, range, linear };
        Value::Pointer(pointer)
    }

    fn unary(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        id: ExprId,
        op: UnaryOp,
        ty: Type,
        value: Value,
    ) -> Value {
        if !is_number(ty) {
            if op == UnaryOp::Negate(Overflow::Violates) {
                self.check(frame, Some(id), ViolationKind::Overflow, false);
            }
            return Value::Other;
        }
        let number = self.as_number(state, value, ty);
        match op {
            UnaryOp::Negate(overflow) => {
                let zero = Number::constant(0, number.reading);
                self.arithmetic(state, frame, id, (Arithmetic::Sub, overflow), ty, zero, number)
            }
            // !x = -x - 1 in two's complement; on one bit, 1 - x.
            UnaryOp::Not if ty.bits() == 1 => {
                let one = Number::constant(1, number.reading);
                self.arithmetic(state, frame, id, (Arithmetic::Sub, Overflow::Wraps), ty, one, number)
            }
            UnaryOp::Not => {
                let signed = number.read_as(plain(ty));
                let linear = signed.linear.as_ref().and_then(|linear| linear.scaled(-1)?.plus_constant(-1));
                let range = signed.range.scaled(-1).plus(Range::constant(-1));
                Value::Number(Number { reading: plain(ty), range, linear })
            }
            UnaryOp::FloatNegate => Value::Other,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn binary(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        id: ExprId,
        op: BinaryOp,
        ty: Type,
        left: Value,
        right: Value,
    ) -> Value {
        if let BinaryOp::Compare(comparison) = op {
            let truth = self.compare(state, comparison, ty, left, right);
            return Value::Number(Number::of(truth, Reading::unsigned(1)));
        }
        if matches!(op, BinaryOp::FloatCompare(_)) {
            return Value::Number(Number::any(Reading::unsigned(1)));
        }
        if !is_number(ty) && ty != Type::Pointer {
            self.unfollowed_checks(frame, id, op);
            return match op {
                BinaryOp::Overflows(..) => Value::Number(Number::any(Reading::unsigned(1))),
                _ => Value::Other,
            };
        }
        let (left, right) = (self.as_number(state, left, ty), self.as_number(state, right, ty));
        match op {
            BinaryOp::Add(overflow) => self.arithmetic(state, frame, id, (Arithmetic::Add, overflow), ty, left, right),
            BinaryOp::Sub(overflow) => self.arithmetic(state, frame, id, (Arithmetic::Sub, overflow), ty, left, right),
            BinaryOp::Mul(overflow) => self.arithmetic(state, frame, id, (Arithmetic::Mul, overflow), ty, left, right),
            BinaryOp::Div(sign) | BinaryOp::Rem(sign) => {
                let remainder = matches!(op, BinaryOp::Rem(_));
                self.divide(state, frame, id, (sign, remainder), ty, left, right)
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight(_) => self.shift(frame, id, op, ty, left, right),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Value::Number(bitwise(op, ty, &left, &right)),
            BinaryOp::Overflows(operation, sign) => {
                let reading = reading_of(ty, sign);
                let (range, _) = exact(operation, &left.read_as(reading), &right.read_as(reading));
                let fits = range.interval.is_within(reading.interval());
                let truth = if fits { Range::constant(0) } else { Range::of(Interval::new(0, 1)) };
                Value::Number(Number::of(truth, Reading::unsigned(1)))
            }
            BinaryOp::Compare(_) | BinaryOp::FloatCompare(_) | BinaryOp::Float(_) => Value::Other,
        }
    }

    /// What could be wrong with an operation on values that are not followed.
    fn unfollowed_checks(&mut self, frame: &Frame<'_>, id: ExprId, op: BinaryOp) {
        let kinds: &[ViolationKind] = match op {
            BinaryOp::Add(Overflow::Violates)
            | BinaryOp::Sub(Overflow::Violates)
            | BinaryOp::Mul(Overflow::Violates) => &[ViolationKind::Overflow],
            BinaryOp::Div(Sign::Signed) | BinaryOp::Rem(Sign::Signed) => {
                &[ViolationKind::DivisionByZero, ViolationKind::Overflow]
            }
            BinaryOp::Div(_) | BinaryOp::Rem(_) => &[ViolationKind::DivisionByZero],
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight(_) => &[ViolationKind::Shift],
            _ => &[],
        };
        for kind in kinds {
            self.check(frame, Some(id), *kind, false);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn arithmetic(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        id: ExprId,
        (operation, overflow): (Arithmetic, Overflow),
        ty: Type,
        left: Number,
        right: Number,
    ) -> Value {
        let checked = overflow == Overflow::Violates;
        let (left, right) = match checked {
            true => (left.read_as(plain(ty)), right.read_as(plain(ty))),
            false => (left, right),
        };
        let (mut range, linear) = exact(operation, &left, &right);
        if let Some(linear) = &linear {
            range = range.meet(state.numbers.range(linear));
        }
        if checked {
            let reading = plain(ty);
            let fits = range.interval.is_within(reading.interval());
            self.check(frame, Some(id), ViolationKind::Overflow, fits);
            self.tell(frame, Some(id), ViolationKind::Overflow, &between(linear.as_ref(), reading.interval()));
            if fits || self.options.checks.has(ViolationKind::Overflow) {
                let all = reading.interval();
                if let (Some(linear), Some(low), Some(high), false) = (&linear, all.low, all.high, fits) {
                    self.assume_between(state, linear, low, high);
                }
                return Value::Number(Number { reading, range: range.meet(Range::of(all)), linear });
            }
            return Value::Number(Number::wrapped(range, linear, reading));
        }
        let declared = |number: &Number| !number.reading.signed && number.as_constant().is_none();
        let unsigned = declared(&left) || declared(&right);
        let (first, second) = match unsigned || ty.bits() == 1 {
            true => (Reading::unsigned(ty.bits()), plain(ty)),
            false => (plain(ty), Reading::unsigned(ty.bits())),
        };
        let fits = |reading: Reading| range.interval.is_within(reading.interval());
        let reading = if !fits(first) && fits(second) { second } else { first };
        Value::Number(Number::wrapped(range, linear, reading))
    }

    #[allow(clippy::too_many_arguments)]
    fn divide(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        id: ExprId,
        (sign, remainder): (Sign, bool),
        ty: Type,
        left: Number,
        right: Number,
    ) -> Value {
        let reading = reading_of(ty, sign);
        let (left, right) = (left.read_as(reading), right.read_as(reading));
        self.check(frame, Some(id), ViolationKind::DivisionByZero, !right.range.contains(0));
        if sign == Sign::Signed {
            let least = reading.interval().low.unwrap_or(0);
            let safe = !left.range.contains(least) || !right.range.contains(-1);
            self.check(frame, Some(id), ViolationKind::Overflow, safe);
        }
        if let Some(linear) = &right.linear {
            self.exclude_zero(state, linear);
        }
        let mut right = self.refreshed(state, &right);
        match (right.range.interval.low, right.range.interval.high) {
            (Some(0), _) => right.range = right.range.meet(Range::of(Interval { low: Some(1), high: None })),
            (_, Some(0)) => right.range = right.range.meet(Range::of(Interval { low: None, high: Some(-1) })),
            _ => {}
        }
        let range = if remainder { remainders(left.range, right.range) } else { quotients(left.range, right.range) };
        // An exact division keeps the relation: pointer differences are divided by the element's size.
        let linear = (!remainder).then(|| exact_quotient(&left, &right)).flatten();
        Value::Number(Number { linear, ..Number::of(range, reading) })
    }

    fn exclude_zero(&mut self, state: &State, linear: &Linear) {
        let bounds = state.numbers.bounds(linear);
        if bounds.low == Some(0) {
            self.learned.extend(linear.scaled(-1).and_then(|negated| negated.plus_constant(1)));
        } else if bounds.high == Some(0) {
            self.learned.extend(linear.plus_constant(1));
        }
    }

    fn shift(&mut self, frame: &Frame<'_>, id: ExprId, op: BinaryOp, ty: Type, left: Number, right: Number) -> Value {
        let bits = i128::from(ty.bits());
        let amount = right.read_as(Reading::unsigned(ty.bits()));
        let valid = amount.range.interval.is_within(Interval::new(0, bits - 1));
        self.check(frame, Some(id), ViolationKind::Shift, valid);
        if !valid && !self.options.checks.has(ViolationKind::Shift) {
            return Value::Number(Number::any(plain(ty)));
        }
        let interval = amount.range.interval.meet(Interval::new(0, bits - 1));
        if interval.is_empty() {
            self.learned.push(Linear::constant(1));
            return Value::Number(Number::any(plain(ty)));
        }
        let (least, most) = (interval.low.unwrap_or(0) as u32, interval.high.unwrap_or(bits - 1) as u32);
        match op {
            BinaryOp::ShiftLeft => {
                let factors = Interval::new(1 << least, 1i128 << most);
                if least == most {
                    let linear = left.linear.as_ref().and_then(|linear| linear.scaled(1 << least));
                    let reading = left.reading;
                    return Value::Number(Number::wrapped(left.range.scaled(1 << least), linear, reading));
                }
                Value::Number(Number::wrapped(Range::of(left.range.interval.times(factors)), None, left.reading))
            }
            BinaryOp::ShiftRight(sign) => {
                let reading = reading_of(ty, sign);
                let interval = left.read_as(reading).range.interval;
                let bound = |bound: Option<i128>, amount: u32| bound.map(|bound| bound >> amount);
                let low = if interval.low < Some(0) { bound(interval.low, least) } else { bound(interval.low, most) };
                let high =
                    if interval.high < Some(0) { bound(interval.high, most) } else { bound(interval.high, least) };
                Value::Number(Number::of(Range::of(Interval { low, high }), reading))
            }
            _ => Value::Other,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn cast(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        id: ExprId,
        op: CastOp,
        from: Type,
        to: Type,
        value: Value,
    ) -> Value {
        if op == CastOp::Reinterpret && from == to {
            return value;
        }
        if matches!(op, CastOp::FloatToInt(_)) {
            self.check(frame, Some(id), ViolationKind::FloatConversion, false);
        }
        if to == Type::Pointer {
            return match value {
                Value::Pointer(pointer) => Value::Pointer(pointer),
                Value::Number(number) if op == CastOp::Reinterpret => {
                    Value::Pointer(self.number_pointer(state, &number))
                }
                _ => Value::Pointer(Pointer::wild()),
            };
        }
        if !is_number(to) {
            return Value::Other;
        }
        if !(is_number(from) || from == Type::Pointer) {
            return Value::Number(Number::any(plain(to)));
        }
        let number = self.as_number(state, value, from);
        match op {
            CastOp::ZeroExtend => {
                let unsigned = number.read_as(Reading::unsigned(from.bits()));
                Value::Number(Number { reading: Reading::unsigned(to.bits()), ..unsigned })
            }
            CastOp::SignExtend => {
                // One bit reads as 0 and 1 here, and extends to 0 and -1.
                let signed = match from.bits() {
                    1 => Number {
                        reading: plain(to),
                        range: number.range.scaled(-1),
                        linear: number.linear.as_ref().and_then(|linear| linear.scaled(-1)),
                    },
                    _ => number.read_as(plain(from)),
                };
                Value::Number(Number { reading: plain(to), ..signed })
            }
            CastOp::Truncate => {
                let signed = Reading { bits: to.bits(), signed: number.reading.signed && to.bits() > 1 };
                let other = Reading { bits: to.bits(), signed: !signed.signed && to.bits() > 1 };
                let reading = if !number.fits(signed) && number.fits(other) { other } else { signed };
                Value::Number(number.read_as(reading))
            }
            CastOp::Reinterpret => Value::Number(number),
            _ => Value::Number(Number::any(plain(to))),
        }
    }

    /// The range of a comparison's result: 0, 1, or both.
    pub(crate) fn compare(&mut self, state: &mut State, op: Comparison, ty: Type, left: Value, right: Value) -> Range {
        let open = Range::of(Interval::new(0, 1));
        if !is_number(ty) && ty != Type::Pointer {
            return open;
        }
        if let Some(truth) = self.compare_pointers(state, op, &left, &right) {
            return Range::constant(i128::from(truth));
        }
        let (left, right) = (self.as_number(state, left, ty), self.as_number(state, right, ty));
        let (left, right) = common_reading(op, ty, &left, &right);
        let difference = self.difference(state, &left, &right);
        match decide(op, difference) {
            Some(truth) => Range::constant(i128::from(truth)),
            None if matches!(op, Comparison::Equal | Comparison::NotEqual)
                && left.range.meet(right.range).is_empty() =>
            {
                Range::constant(i128::from(op == Comparison::NotEqual))
            }
            None => open,
        }
    }

    pub(crate) fn difference(&self, state: &State, left: &Number, right: &Number) -> Interval {
        let plain = left.range.interval.minus(right.range.interval);
        match left.linear.as_ref().zip(right.linear.as_ref()).and_then(|(left, right)| left.minus(right)) {
            Some(linear) => plain.meet(state.numbers.bounds(&linear)),
            None => plain,
        }
    }

    /// Pointers whose objects decide the comparison.
    fn compare_pointers(&mut self, state: &State, op: Comparison, left: &Value, right: &Value) -> Option<bool> {
        let (Value::Pointer(left), Value::Pointer(right)) = (left, right) else { return None };
        if left.targets.wild || right.targets.wild {
            return None;
        }
        let equal = match op {
            Comparison::Equal => true,
            Comparison::NotEqual => false,
            _ => return None,
        };
        let in_slot = |pointer: &Pointer| pointer.offset.range.interval.is_within(SLOT);
        let shared = left.targets.objects.iter().any(|object| right.targets.objects.contains(object));
        let apart = !(shared || left.targets.null && right.targets.null);
        if apart && in_slot(left) && in_slot(right) {
            return Some(!equal);
        }
        let same = left.targets == right.targets
            && left.targets.objects.len() <= 1
            && (left.targets.objects.is_empty() || !left.targets.null);
        if !same {
            return None;
        }
        if left.targets == Targets::null() {
            return Some(equal);
        }
        if state.objects.get(&left.targets.objects[0]).is_none_or(|object| object.many) {
            return None;
        }
        decide(op, self.difference(state, &left.offset, &right.offset))
    }

    fn apply(
        &mut self,
        frame: &Frame<'_>,
        id: ExprId,
        builtin: Builtin,
        of: Type,
        to: Type,
        values: &[Value],
    ) -> Value {
        if let Builtin::LeadingZeros { zero_violates: true } | Builtin::TrailingZeros { zero_violates: true } = builtin
        {
            let safe = matches!(values.first(), Some(Value::Number(number)) if !number.range.contains(0));
            self.check(frame, Some(id), ViolationKind::BitCountOfZero, safe);
        }
        if !is_number(to) {
            return Value::Other;
        }
        let bits = i128::from(of.bits());
        let number = |position: usize| match values.get(position) {
            Some(Value::Number(number)) => Some(number.clone()),
            _ => None,
        };
        let range = match (builtin, number(0), number(1)) {
            (Builtin::PopCount | Builtin::LeadingZeros { .. } | Builtin::TrailingZeros { .. }, ..) => {
                Range::of(Interval::new(0, bits))
            }
            (Builtin::Min(sign) | Builtin::Max(sign), Some(left), Some(right)) => {
                let reading = reading_of(of, sign);
                let (left, right) = (left.read_as(reading), right.read_as(reading));
                return Value::Number(Number::of(left.range.join(right.range), reading));
            }
            (Builtin::Absolute, Some(operand), _) => {
                let interval = operand.read_as(plain(of)).range.interval;
                let least = plain(of).interval().low;
                if interval.low == least {
                    return Value::Number(Number::any(plain(to)));
                }
                let both = interval.join(interval.negated());
                Range::of(both.meet(Interval { low: Some(0), high: None }))
            }
            (Builtin::IsClass(_), ..) => return Value::Number(Number::any(Reading::unsigned(to.bits()))),
            _ => return Value::Number(Number::any(plain(to))),
        };
        let reading = plain(to);
        // A count need not fit a narrow type as a signed number.
        Value::Number(if range.interval.is_within(reading.interval()) {
            Number::of(range, reading)
        } else {
            Number::any(reading)
        })
    }
}

/// What must be at most 0 for an expression to be in an interval.
fn between(linear: Option<&Linear>, interval: Interval) -> [Option<Linear>; 2] {
    let above = linear.zip(interval.high).and_then(|(linear, high)| linear.plus_constant(high.checked_neg()?));
    let below = linear.zip(interval.low).and_then(|(linear, low)| linear.scaled(-1)?.plus_constant(low));
    [above, below]
}

pub(crate) fn reading_of(ty: Type, sign: Sign) -> Reading {
    match sign {
        Sign::Signed => plain(ty),
        Sign::Unsigned => Reading::unsigned(ty.bits()),
    }
}

fn constant(bits: u128, ty: Type) -> Value {
    match ty {
        Type::Pointer if bits == 0 => Value::Pointer(Pointer::null()),
        Type::Pointer => Value::Pointer(Pointer::wild()),
        ty if is_number(ty) => {
            let unused = 128 - ty.bits();
            let signed = if ty.bits() == 1 { bits as i128 } else { (bits << unused) as i128 >> unused };
            Value::Number(Number::constant(signed, plain(ty)))
        }
        _ => Value::Other,
    }
}

pub(crate) fn number_constant(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => number.as_constant(),
        _ => None,
    }
}

fn join_values(left: Value, right: Value) -> Value {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let right = right.read_as(left.reading);
            let linear = left.linear.filter(|linear| right.linear.as_ref() == Some(linear));
            Value::Number(Number { reading: left.reading, range: left.range.join(right.range), linear })
        }
        (Value::Pointer(left), Value::Pointer(right)) => {
            let offset = match (left.targets == Targets::null(), right.targets == Targets::null()) {
                (true, _) => right.offset,
                (_, true) => left.offset,
                _ => {
                    let linear = left.offset.linear.filter(|linear| right.offset.linear.as_ref() == Some(linear));
                    Number { reading: OFFSET, range: left.offset.range.join(right.offset.range), linear }
                }
            };
            Value::Pointer(Pointer { targets: left.targets.join(&right.targets), offset })
        }
        _ => Value::Other,
    }
}

/// The exact result, not reduced.
fn exact(operation: Arithmetic, left: &Number, right: &Number) -> (Range, Option<Linear>) {
    let both = left.linear.as_ref().zip(right.linear.as_ref());
    match operation {
        Arithmetic::Add => (left.range.plus(right.range), both.and_then(|(left, right)| left.plus(right))),
        Arithmetic::Sub => (left.range.plus(right.range.scaled(-1)), both.and_then(|(left, right)| left.minus(right))),
        Arithmetic::Mul => {
            let linear = match (left.as_constant(), right.as_constant()) {
                (_, Some(factor)) => left.linear.as_ref().and_then(|linear| linear.scaled(factor)),
                (Some(factor), _) => right.linear.as_ref().and_then(|linear| linear.scaled(factor)),
                _ => None,
            };
            (left.range.times(right.range), linear)
        }
    }
}

/// Both as the comparison reads them.
pub(crate) fn common_reading(op: Comparison, ty: Type, left: &Number, right: &Number) -> (Number, Number) {
    let reading = match op {
        Comparison::Less(sign)
        | Comparison::LessEqual(sign)
        | Comparison::Greater(sign)
        | Comparison::GreaterEqual(sign) => reading_of(ty, sign),
        // Any reading will do for equality: the one that loses least.
        Comparison::Equal | Comparison::NotEqual => {
            let unsigned = Reading::unsigned(ty.bits());
            if left.fits(unsigned) && right.fits(unsigned) { unsigned } else { plain(ty) }
        }
    };
    (left.read_as(reading), right.read_as(reading))
}

/// Whether a comparison is decided by the difference of its sides.
fn decide(op: Comparison, difference: Interval) -> Option<bool> {
    let (negative, positive) = (difference.high < Some(0) && difference.high.is_some(), difference.low > Some(0));
    let (not_positive, not_negative) =
        (difference.high.is_some_and(|high| high <= 0), difference.low.is_some_and(|low| low >= 0));
    let zero = difference.as_constant() == Some(0);
    let either = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match op {
        Comparison::Equal => either(zero, negative || positive),
        Comparison::NotEqual => either(negative || positive, zero),
        Comparison::Less(_) => either(negative, not_negative),
        Comparison::LessEqual(_) => either(not_positive, positive),
        Comparison::Greater(_) => either(positive, not_positive),
        Comparison::GreaterEqual(_) => either(not_negative, negative),
    }
}

fn bitwise(op: BinaryOp, ty: Type, left: &Number, right: &Number) -> Number {
    let unsigned = Reading::unsigned(ty.bits());
    let (left, right) = (left.read_as(unsigned), right.read_as(unsigned));
    if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
        let value = match op {
            BinaryOp::And => left & right,
            BinaryOp::Or => left | right,
            _ => left ^ right,
        };
        return Number::constant(value, unsigned);
    }
    let (first, second) = (left.range.interval, right.range.interval);
    let (Some(most), Some(other)) = (first.high, second.high) else { return Number::any(unsigned) };
    let filled = |value: i128| if value <= 0 { 0 } else { (1i128 << (128 - value.leading_zeros())) - 1 };
    let interval = match op {
        BinaryOp::And => Interval::new(0, most.min(other)),
        BinaryOp::Or => Interval::new(first.low.unwrap_or(0).max(second.low.unwrap_or(0)), filled(most | other)),
        _ => Interval::new(0, filled(most | other)),
    };
    // A mask of low bits that are all ones keeps what fits under it.
    let mask = |mask: &Number, value: &Number| {
        let constant = mask.as_constant().filter(|constant| op == BinaryOp::And && (constant + 1) & constant == 0)?;
        value.range.interval.is_within(Interval::new(0, constant)).then(|| value.clone())
    };
    if let Some(kept) = mask(&right, &left).or_else(|| mask(&left, &right)) {
        return kept;
    }
    let congruence = match (op, right.as_constant()) {
        (BinaryOp::And, Some(mask)) if mask > 0 => Congruence::new(1 << mask.trailing_zeros().min(62), 0),
        _ => Congruence::TOP,
    };
    Number { reading: unsigned, range: Range::new(interval, congruence), linear: None }
}

fn quotients(left: Range, right: Range) -> Range {
    let (Some(a), Some(b), Some(c), Some(d)) =
        (left.interval.low, left.interval.high, right.interval.low, right.interval.high)
    else {
        return Range::TOP;
    };
    let divisors: Vec<i128> = [c, d, -1, 1].into_iter().filter(|&it| it != 0 && right.interval.contains(it)).collect();
    let mut interval = Interval::EMPTY;
    for dividend in [a, b] {
        for divisor in &divisors {
            interval = interval.join(Interval::constant(dividend / divisor));
        }
    }
    if left.interval.contains(0) {
        interval = interval.join(Interval::constant(0));
    }
    Range::of(interval)
}

fn remainders(left: Range, right: Range) -> Range {
    let (Some(c), Some(d)) = (right.interval.low, right.interval.high) else { return Range::TOP };
    let most = c.abs().max(d.abs()) - 1;
    let least = c.abs().min(d.abs());
    // A dividend that is smaller than every divisor stays.
    if left.interval.is_within(Interval::new(0, least - 1)) && !(c <= 0 && d >= 0) {
        return left;
    }
    let low = if left.interval.low.is_some_and(|low| low >= 0) { 0 } else { -most };
    let high = if left.interval.high.is_some_and(|high| high <= 0) { 0 } else { most };
    let bounded = Interval::new(low, high.max(low));
    let sign = Interval {
        low: left.interval.low.filter(|low| *low < 0).or(Some(0)),
        high: left.interval.high.filter(|high| *high > 0).or(Some(0)),
    };
    Range::of(bounded.meet(Interval {
        low: if left.interval.low.is_some() { sign.low } else { None },
        high: if left.interval.high.is_some() { sign.high } else { None },
    }))
}

/// `left / constant` where the division has no remainder.
fn exact_quotient(left: &Number, right: &Number) -> Option<Linear> {
    let divisor = right.as_constant().filter(|divisor| *divisor > 0)?;
    let linear = left.linear.as_ref()?;
    let divides = linear.constant % divisor == 0 && linear.terms.iter().all(|term| term.1 % divisor == 0);
    divides.then(|| Linear {
        terms: linear.terms.iter().map(|(dimension, factor)| (*dimension, factor / divisor)).collect(),
        constant: linear.constant / divisor,
    })
}
