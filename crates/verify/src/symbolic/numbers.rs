//! Addresses as numbers: where a program's behaviour may depend on where objects happen to lie.
//!
//! Objects have other numbers here than in the executor, and others again on a machine. A pointer that becomes
//! an integer is harmless where only its offset matters: compared for equality, subtracted from a pointer to the
//! same object, masked to its low bits, or moved and turned back into a pointer. Everywhere else the place is
//! recorded, and nothing is proved about executions that get there.
//!
//! Imprecise: pointers whose bytes are read as an integer from memory are not seen.

use logic::terms::TermId;
use program::{BinaryOp, CastOp, Comparison, ExprId, ExprKind, Sign, Type};

use super::state::State;
use super::{Engine, Flow, Frame, Place};

/// Addresses of objects are multiples of this.
const ALIGNMENT: u128 = 1 << 32;

impl<'p> Engine<'p> {
    /// The value of an operand; that it is an address's number is for its operator to note.
    pub(super) fn operand(&mut self, state: &mut State, frame: &Frame<'p>, id: ExprId, place: Place) -> Flow<TermId> {
        match &frame.body.expr(id).kind {
            ExprKind::Cast(_, pointer) if is_number_of_address(frame, id) => self.value(state, frame, *pointer, place),
            _ => self.value(state, frame, id, place),
        }
    }

    /// The value of an integer that is about to become a pointer: an address that was moved is one again.
    pub(super) fn moved_address(
        &mut self,
        state: &mut State,
        frame: &Frame<'p>,
        id: ExprId,
        place: Place,
    ) -> Flow<TermId> {
        match &frame.body.expr(id).kind {
            ExprKind::Cast(..) => self.operand(state, frame, id, place),
            ExprKind::Binary(op @ (BinaryOp::Add(_) | BinaryOp::Sub(_)), left, right) => {
                let first = self.operand(state, frame, *left, place)?;
                let second = self.operand(state, frame, *right, place)?;
                self.binary(state, *op, frame.body.expr(*left).ty, first, second, place)
            }
            _ => self.value(state, frame, id, place),
        }
    }

    /// Notes an operator whose result depends on the number of an address.
    pub(super) fn note_numbers(
        &mut self,
        state: &State,
        frame: &Frame<'p>,
        (op, left, right): (BinaryOp, ExprId, ExprId),
        (first, second): (TermId, TermId),
        place: Place,
    ) {
        let ordered = matches!(op, BinaryOp::Compare(comparison)
            if !matches!(comparison, Comparison::Equal | Comparison::NotEqual));
        let pointers = frame.body.expr(left).ty == Type::Pointer;
        let numbers = [left, right].map(|id| is_number_of_address(frame, id));
        match op {
            _ if pointers && ordered || numbers == [true, true] && (ordered || matches!(op, BinaryOp::Sub(_))) => {
                if !self.in_same_object(first, second) {
                    self.doubt(state, "the distance or order of different objects", place.site);
                }
            }
            BinaryOp::Compare(Comparison::Equal | Comparison::NotEqual) => {}
            BinaryOp::And if self.is_low(second) || self.is_low(first) => {}
            BinaryOp::Rem(Sign::Unsigned) if self.is_low(second) && self.is_power_of_two(second) => {}
            _ => {
                for (is_number, term) in numbers.into_iter().zip([first, second]) {
                    if is_number {
                        self.note_number(state, term, place);
                    }
                }
            }
        }
    }

    /// Notes that an address is used as a number; null's is zero everywhere.
    pub(super) fn note_number(&mut self, state: &State, pointer: TermId, place: Place) {
        let targets = self.resolve(pointer);
        if targets.is_none_or(|targets| targets.iter().any(|target| target.object != 0)) {
            self.doubt(state, "an address as a number", place.site);
        }
    }

    fn in_same_object(&mut self, left: TermId, right: TermId) -> bool {
        let (Some(left), Some(right)) = (self.resolve(left), self.resolve(right)) else { return false };
        let mut objects = left.iter().chain(right.iter()).map(|target| target.object);
        let first = objects.next();
        objects.all(|object| Some(object) == first)
    }

    fn is_low(&self, term: TermId) -> bool {
        self.constant(term).is_some_and(|value| u128::from(value) <= ALIGNMENT)
    }

    fn is_power_of_two(&self, term: TermId) -> bool {
        self.constant(term).is_some_and(u64::is_power_of_two)
    }
}

/// Whether the expression turns a pointer into an integer.
pub(super) fn is_number_of_address(frame: &Frame<'_>, id: ExprId) -> bool {
    let expr = frame.body.expr(id);
    match expr.kind {
        ExprKind::Cast(CastOp::Reinterpret, operand) => {
            expr.ty != Type::Pointer && frame.body.expr(operand).ty == Type::Pointer
        }
        _ => false,
    }
}
