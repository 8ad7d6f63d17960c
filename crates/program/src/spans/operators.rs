//! Which tokens of C can mean an operator of the program.

use source::{Place, Span};

use crate::{BinaryOp, Body, Comparison, Expr, ExprId, ExprKind, FloatOp, FloatRelation, Program, UnaryOp};

use super::compiled_place;

/// What the source shows of a node's operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperatorToken {
    /// The token, and how it is spelled: `+`, `+=`, `++`, `!` for a comparison with zero.
    Found { token: Span, text: String },
    /// The source has no operator here: a truth test such as `if (x)`, the division in a difference
    /// of pointers, the node of something that is no operator.
    Implicit,
    /// The node has no place, its file has no text, or the token there means something else.
    NotFound,
}

/// The spellings that can mean an operation; empty if C has none.
pub(super) fn spellings(kind: &ExprKind) -> &'static [&'static str] {
    match kind {
        ExprKind::Binary(op, ..) => binary_spellings(*op),
        ExprKind::Unary(UnaryOp::Negate(_) | UnaryOp::FloatNegate, _) => &["-"],
        ExprKind::Unary(UnaryOp::Not, _) => &["~", "!"],
        _ => &[],
    }
}

fn binary_spellings(op: BinaryOp) -> &'static [&'static str] {
    match op {
        BinaryOp::Add(_) | BinaryOp::Float(FloatOp::Add) => &["+", "+=", "++"],
        // Clang subtracts by adding -1 in `x--`, see `is_operator`.
        BinaryOp::Sub(_) | BinaryOp::Float(FloatOp::Sub) => &["-", "-=", "--"],
        BinaryOp::Mul(_) | BinaryOp::Float(FloatOp::Mul) => &["*", "*="],
        BinaryOp::Div(_) | BinaryOp::Float(FloatOp::Div) => &["/", "/="],
        BinaryOp::Rem(_) | BinaryOp::Float(FloatOp::Rem) => &["%", "%="],
        BinaryOp::ShiftLeft => &["<<", "<<="],
        BinaryOp::ShiftRight(_) => &[">>", ">>="],
        BinaryOp::And => &["&", "&="],
        BinaryOp::Or => &["|", "|="],
        BinaryOp::Xor => &["^", "^="],
        BinaryOp::Compare(comparison) => match comparison {
            Comparison::Equal => &["==", "!"],
            Comparison::NotEqual => &["!="],
            Comparison::Less(_) => &["<"],
            Comparison::LessEqual(_) => &["<="],
            Comparison::Greater(_) => &[">"],
            Comparison::GreaterEqual(_) => &[">="],
        },
        BinaryOp::FloatCompare(comparison) => match comparison.relation {
            FloatRelation::Equal => &["==", "!"],
            FloatRelation::NotEqual => &["!="],
            FloatRelation::Less => &["<"],
            FloatRelation::LessEqual => &["<="],
            FloatRelation::Greater => &[">"],
            FloatRelation::GreaterEqual => &[">="],
            FloatRelation::Never | FloatRelation::Always => &[],
        },
        BinaryOp::Overflows(..) => &[],
    }
}

/// Whether a token can mean the node's operation.
pub(super) fn is_operator(kind: &ExprKind, text: &str) -> bool {
    let decrement =
        text == "--" && matches!(kind, ExprKind::Binary(BinaryOp::Add(_) | BinaryOp::Float(FloatOp::Add), ..));
    decrement || spellings(kind).contains(&text)
}

/// The token of a node's operator.
pub(super) fn token_of(program: &Program, body: &Body, node: &Expr) -> OperatorToken {
    if !matches!(node.kind, ExprKind::Binary(..) | ExprKind::Unary(..)) {
        return OperatorToken::Implicit;
    }
    let place = compiled_place(program, node.site);
    if place.is_none_or(|place| program.sources.text(place.file).is_none()) {
        return OperatorToken::NotFound;
    }
    match place.and_then(|place| program.sources.operator_at(place)) {
        Some(operator) if is_operator(&node.kind, &operator.text) => {
            OperatorToken::Found { token: operator.token, text: operator.text }
        }
        _ if is_implicit(program, body, &node.kind, place) => OperatorToken::Implicit,
        _ => OperatorToken::NotFound,
    }
}

/// Whether C does this without an operator, as far as the text at the node's place shows.
pub(super) fn is_implicit(program: &Program, body: &Body, kind: &ExprKind, place: Option<Place>) -> bool {
    let is_zero = |id: ExprId| matches!(body.expr(id).kind, ExprKind::Constant(0));
    let subtracts = || {
        let operator = place.and_then(|place| program.sources.operator_at(place));
        operator.is_some_and(|operator| matches!(operator.text.as_str(), "-" | "-=" | "--"))
    };
    match kind {
        // `if (x)`.
        ExprKind::Binary(BinaryOp::Compare(Comparison::Equal | Comparison::NotEqual), _, right) => is_zero(*right),
        ExprKind::Binary(BinaryOp::FloatCompare(comparison), _, right) => {
            matches!(comparison.relation, FloatRelation::Equal | FloatRelation::NotEqual) && is_zero(*right)
        }
        // The scaling of `p - q`, and `p - i` as `p + -i`.
        ExprKind::Binary(BinaryOp::Div(_), ..) | ExprKind::Unary(UnaryOp::Negate(_), _) => subtracts(),
        ExprKind::Binary(BinaryOp::Sub(_), left, _) => is_zero(*left) && subtracts(),
        _ => false,
    }
}
