//! Conditions: the states in which an expression is true, or false.

use program::{BinaryOp, CastOp, Comparison, ExprId, ExprKind, Sign, Type, UnaryOp};

use crate::analyzer::{Analyzer, Frame};
use crate::evaluate::common_reading;
use crate::numeric::{Interval, Linear, Numbers, Numeric, Range};
use crate::places::{Place, Reading, is_number};
use crate::state::{State, Targets};
use crate::value::{Number, Pointer, SLOT, Value};

impl Analyzer<'_> {
    /// Keeps the states where the condition has this truth. Its checks were made before.
    pub(crate) fn assume(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId, truth: bool) {
        if state.is_bottom() {
            return;
        }
        let expr = frame.body.expr(id);
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) if expr.ty == Type::BOOL => {
                self.assume(state, frame, *operand, !truth);
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if expr.ty == Type::BOOL => {
                if (*op == BinaryOp::And) == truth {
                    self.assume(state, frame, *left, truth);
                    self.assume(state, frame, *right, truth);
                } else {
                    let mut other = state.clone();
                    self.assume(state, frame, *left, truth);
                    self.assume(&mut other, frame, *right, truth);
                    *state = state.join(&other, self.program, &mut self.places);
                }
            }
            ExprKind::Binary(BinaryOp::Compare(comparison), left, right) => {
                self.assume_comparison(state, frame, *comparison, *left, *right, truth);
            }
            ExprKind::Cast(CastOp::Truncate | CastOp::ZeroExtend, operand)
                if frame.body.expr(*operand).ty == Type::BOOL =>
            {
                self.assume(state, frame, *operand, truth);
            }
            _ => {
                let value = self.silently(|this| this.number(state, frame, id));
                let wanted = Number::constant(i128::from(truth), value.reading);
                self.assume_numbers(state, Comparison::Equal, &value, &wanted);
            }
        }
    }

    fn assume_comparison(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        comparison: Comparison,
        left: ExprId,
        right: ExprId,
        truth: bool,
    ) {
        let comparison = if truth { comparison } else { negated(comparison) };
        let ty = frame.body.expr(left).ty;
        if self.assume_inner(state, frame, comparison, left, right) || !(is_number(ty) || ty == Type::Pointer) {
            return;
        }
        let (first, second) =
            self.silently(|this| (this.evaluate(state, frame, left), this.evaluate(state, frame, right)));
        if let (Value::Pointer(a), Value::Pointer(b)) = (&first, &second) {
            self.assume_pointers(state, frame, comparison, (left, a), (right, b));
            return;
        }
        let (a, b) = (self.as_number(state, first, ty), self.as_number(state, second, ty));
        self.assume_typed(state, comparison, ty, &a, &b);
        self.learn_from_byte(state, frame, comparison, left, right);
        self.learn_from_byte(state, frame, comparison, right, left);
    }

    /// What is at most 0 exactly where an inequality holds.
    pub(crate) fn comparison_linear(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId) -> Option<Linear> {
        let ExprKind::Binary(BinaryOp::Compare(comparison), left, right) = frame.body.expr(id).kind else {
            return None;
        };
        let ty = frame.body.expr(left).ty;
        let (a, b) = self.silently(|this| (this.number(state, frame, left), this.number(state, frame, right)));
        self.learned.clear();
        let (a, b) = common_reading(comparison, ty, &a, &b);
        let difference = a.linear?.minus(&b.linear?)?;
        match comparison {
            Comparison::Less(_) => difference.plus_constant(1),
            Comparison::LessEqual(_) => Some(difference),
            Comparison::Greater(_) => difference.scaled(-1)?.plus_constant(1),
            Comparison::GreaterEqual(_) => difference.scaled(-1),
            Comparison::Equal | Comparison::NotEqual => None,
        }
    }

    /// `(a < b) != 0` and the like: the comparison inside says it.
    fn assume_inner(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        comparison: Comparison,
        left: ExprId,
        right: ExprId,
    ) -> bool {
        let mut inner = left;
        while let ExprKind::Cast(CastOp::ZeroExtend | CastOp::Truncate, operand) = frame.body.expr(inner).kind {
            inner = operand;
        }
        let zero = matches!(frame.body.expr(right).kind, ExprKind::Constant(0));
        if !zero || frame.body.expr(inner).ty != Type::BOOL {
            return false;
        }
        match comparison {
            Comparison::Equal => self.assume(state, frame, inner, false),
            Comparison::NotEqual => self.assume(state, frame, inner, true),
            _ => return false,
        }
        true
    }

    fn assume_typed(&mut self, state: &mut State, comparison: Comparison, ty: Type, left: &Number, right: &Number) {
        let signed = Reading::signed(ty.bits());
        let bounded = |number: &Number| number.read_as(signed).range.interval.low.is_some_and(|low| low >= 0);
        // Below something that is not negative as a signed number: between 0 and it.
        match comparison {
            Comparison::Less(Sign::Unsigned) | Comparison::LessEqual(Sign::Unsigned) if bounded(right) => {
                let (left, right) = (left.read_as(signed), right.read_as(signed));
                if left.linear.is_some() && left.reading == signed {
                    self.assume_numbers(
                        state,
                        Comparison::GreaterEqual(Sign::Signed),
                        &left,
                        &Number::constant(0, signed),
                    );
                    let left = self.refreshed(state, &left);
                    self.assume_numbers(state, comparison, &left, &right);
                }
            }
            Comparison::Greater(Sign::Unsigned) | Comparison::GreaterEqual(Sign::Unsigned) if bounded(left) => {
                return self.assume_typed(state, mirrored(comparison), ty, right, left);
            }
            _ => {}
        }
        let (left, right) = (self.refreshed(state, left), self.refreshed(state, right));
        let (left, right) = common_reading(comparison, ty, &left, &right);
        self.assume_numbers(state, comparison, &left, &right);
    }

    /// Both numbers have the reading of the comparison.
    pub(crate) fn assume_numbers(&mut self, state: &mut State, comparison: Comparison, left: &Number, right: &Number) {
        let difference = self.difference(state, left, right);
        let allowed = match comparison {
            Comparison::Equal => Interval::constant(0),
            Comparison::NotEqual => match (difference.low, difference.high) {
                (Some(0), Some(0)) => Interval::EMPTY,
                (Some(0), _) => Interval { low: Some(1), high: None },
                (_, Some(0)) => Interval { low: None, high: Some(-1) },
                _ => Interval::TOP,
            },
            Comparison::Less(_) => Interval { low: None, high: Some(-1) },
            Comparison::LessEqual(_) => Interval { low: None, high: Some(0) },
            Comparison::Greater(_) => Interval { low: Some(1), high: None },
            Comparison::GreaterEqual(_) => Interval { low: Some(0), high: None },
        };
        if difference.meet(allowed).is_empty()
            || (comparison == Comparison::Equal && left.range.meet(right.range).is_empty())
        {
            state.numbers = Numbers::bottom();
            return;
        }
        let (Some(a), Some(b)) = (side(left), side(right)) else { return };
        if let (Side::Expression(a), Side::Expression(b)) = (&a, &b) {
            let Some(linear) = a.minus(b) else { return };
            if comparison == Comparison::Equal {
                state.numbers.assume_zero(&linear);
            } else {
                require(state, &linear, allowed);
            }
            return;
        }
        // One side is only a range: a <= b bounds a by the greatest b.
        if let Side::Expression(linear) = &a {
            require(state, linear, right.range.interval.plus(allowed));
        }
        if let Side::Expression(linear) = &b {
            require(state, linear, left.range.interval.minus(allowed));
        }
    }

    fn assume_pointers(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        comparison: Comparison,
        (left, a): (ExprId, &Pointer),
        (right, b): (ExprId, &Pointer),
    ) {
        let null = |pointer: &Pointer| pointer.targets == Targets::null();
        match comparison {
            Comparison::Equal if null(b) => self.keep_targets(state, frame, left, a, Targets::null()),
            Comparison::Equal if null(a) => self.keep_targets(state, frame, right, b, Targets::null()),
            Comparison::NotEqual if null(b) => {
                self.keep_targets(state, frame, left, a, Targets { null: false, ..a.targets.clone() });
            }
            Comparison::NotEqual if null(a) => {
                self.keep_targets(state, frame, right, b, Targets { null: false, ..b.targets.clone() });
            }
            _ => {
                let one = |pointer: &Pointer| {
                    pointer.targets.objects.len() == 1 && !pointer.targets.wild && !pointer.targets.null
                };
                let same = one(a) && one(b) && a.targets == b.targets;
                let single = same && state.objects.get(&a.targets.objects[0]).is_some_and(|object| !object.many);
                let in_slot = |pointer: &Pointer| pointer.offset.range.interval.is_within(SLOT);
                if single && in_slot(a) && in_slot(b) {
                    self.assume_numbers(state, comparison, &a.offset, &b.offset);
                }
            }
        }
    }

    /// A pointer that is read from a variable or a cell has only these targets.
    fn keep_targets(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId, pointer: &Pointer, kept: Targets) {
        if pointer.targets.wild {
            // Any pointer but null is still any pointer; null is one that is known.
            if kept == Targets::null() {
                if let Some(dimension) = self.holder(state, frame, id) {
                    state.forget(dimension);
                    state.set_targets(dimension, kept);
                    state.numbers.restrict(dimension, Range::constant(0));
                }
            }
            return;
        }
        let targets =
            if kept == Targets::null() { Targets { null: pointer.targets.null, ..Targets::default() } } else { kept };
        if targets.is_nothing() {
            state.numbers = Numbers::bottom();
            return;
        }
        if let Some(dimension) = self.holder(state, frame, id) {
            state.set_targets(dimension, targets);
        }
    }

    /// The dimension that an expression reads, if it is just that.
    fn holder(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId) -> Option<crate::numeric::Dimension> {
        match &frame.body.expr(id).kind {
            ExprKind::Variable(variable) => Some(self.variable(frame, *variable)),
            ExprKind::Load(load) if load.bits.is_none() => {
                let pointer = self.silently(|this| this.pointer(state, frame, load.address));
                let [object] = pointer.targets.objects[..] else { return None };
                let info = state.objects.get(&object).filter(|_| !pointer.targets.wild && !pointer.targets.null)?;
                let offset = u64::try_from(pointer.offset.as_constant()?).ok()?;
                let bytes = frame.body.expr(id).ty.bytes() as u8;
                let cell = info.cells.get(&offset).filter(|cell| cell.bytes == bytes && !info.many);
                cell.map(|_| self.places.dimension(Place::Cell { object, offset, bytes }))
            }
            _ => None,
        }
    }

    /// A byte of a string was compared: what is known of it now says where the string ends.
    fn learn_from_byte(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        comparison: Comparison,
        id: ExprId,
        other: ExprId,
    ) {
        let mut inner = id;
        while let ExprKind::Cast(CastOp::ZeroExtend | CastOp::SignExtend, operand) = frame.body.expr(inner).kind {
            inner = operand;
        }
        let expr = frame.body.expr(inner);
        let ExprKind::Load(load) = &expr.kind else { return };
        if expr.ty != Type::I8 || load.bits.is_some() || state.is_bottom() {
            return;
        }
        let Some(constant) = self.silently(|this| this.number(state, frame, other)).as_constant() else { return };
        let zero = match comparison {
            Comparison::Equal => constant == 0,
            Comparison::NotEqual if constant == 0 => false,
            _ => return,
        };
        let pointer = self.silently(|this| this.pointer(state, frame, load.address));
        self.learn_byte(state, &pointer, zero);
    }
}

enum Side {
    Expression(Linear),
    Range,
}

fn side(number: &Number) -> Option<Side> {
    Some(match &number.linear {
        Some(linear) => Side::Expression(linear.clone()),
        None => Side::Range,
    })
}

/// Keeps the states where the expression is in the interval.
fn require(state: &mut State, linear: &Linear, interval: Interval) {
    if let Some(above) = interval.high.and_then(|high| linear.plus_constant(high.checked_neg()?)) {
        state.numbers.assume(&above);
    }
    if let Some(below) = interval.low.and_then(|low| linear.scaled(-1)?.plus_constant(low)) {
        state.numbers.assume(&below);
    }
}

pub(crate) fn negated(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less(sign) => Comparison::GreaterEqual(sign),
        Comparison::LessEqual(sign) => Comparison::Greater(sign),
        Comparison::Greater(sign) => Comparison::LessEqual(sign),
        Comparison::GreaterEqual(sign) => Comparison::Less(sign),
    }
}

fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less(sign) => Comparison::Greater(sign),
        Comparison::LessEqual(sign) => Comparison::GreaterEqual(sign),
        Comparison::Greater(sign) => Comparison::Less(sign),
        Comparison::GreaterEqual(sign) => Comparison::LessEqual(sign),
        same => same,
    }
}
