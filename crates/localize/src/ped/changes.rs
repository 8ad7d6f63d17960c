//! Changes of expressions in a program: what an alternative does to it.
//!
//! A change keeps the number of memory accesses, so that a recorded run can be followed with it.

use program::{BinaryOp, Body, Comparison, Expr, ExprId, ExprKind, Index, Object, Overflow, Sign, Site, Type, UnaryOp};

/// Another expression in the place of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The node becomes another one with the same operands, or a leaf.
    Node(ExprId, ExprKind),
    /// A number is added.
    Offset(ExprId, i64),
    Negated(ExprId),
    /// The condition also tests an index or a pointer.
    Tested {
        condition: ExprId,
        tested: Tested,
        joined: Joined,
    },
    /// Only the text changes: no formula for one path says what it would do.
    TextOnly,
}

/// What a condition tests in addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tested {
    /// An index, which must be below the count.
    Index(ExprId, u64),
    /// A pointer, which must be before the end of an object with so many bytes.
    Pointer(ExprId, Object, u64),
}

/// How a test is added to a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joined {
    /// `&&` the test
    And,
    /// `||` its opposite
    Or,
}

impl Change {
    pub fn apply(&self, body: &mut Body) {
        match self {
            Change::Node(id, kind) => body.exprs[id.index()].kind = kind.clone(),
            Change::Offset(id, number) => {
                let old = body.expr(*id).clone();
                let bits = *number as i128 as u128 & old.ty.mask();
                let (ty, moved) = (old.ty, add(body, old));
                let constant = body.add_expr(ExprKind::Constant(bits), ty, Site::NONE);
                let kind = ExprKind::Binary(BinaryOp::Add(Overflow::Wraps), moved, constant);
                body.exprs[id.index()].kind = kind;
            }
            Change::Negated(id) => {
                let old = body.expr(*id).clone();
                let moved = add(body, old);
                body.exprs[id.index()].kind = ExprKind::Unary(UnaryOp::Not, moved);
            }
            Change::Tested { condition, tested, joined } => {
                let old = body.expr(*condition).clone();
                let moved = add(body, old);
                let test = tested.build(body, *joined == Joined::Or);
                let known =
                    body.add_expr(ExprKind::Constant(u128::from(*joined == Joined::Or)), Type::BOOL, Site::NONE);
                let (then, otherwise) = if *joined == Joined::And { (test, known) } else { (known, test) };
                body.exprs[condition.index()].kind = ExprKind::Select { condition: moved, then, otherwise };
            }
            Change::TextOnly => {}
        }
    }
}

impl Tested {
    fn build(self, body: &mut Body, opposite: bool) -> ExprId {
        let (left, right, sign) = match self {
            Tested::Index(index, count) => {
                let (left, ty) = (copy(body, index), body.expr(index).ty);
                (left, body.add_expr(ExprKind::Constant(u128::from(count)), ty, Site::NONE), Sign::Signed)
            }
            Tested::Pointer(pointer, object, bytes) => {
                let left = copy(body, pointer);
                let base = body.add_expr(ExprKind::Address(object), Type::Pointer, Site::NONE);
                let index = body.add_expr(ExprKind::Constant(u128::from(bytes)), Type::I64, Site::NONE);
                let end = ExprKind::Index(Index { base, index, stride: 1, count: None });
                (left, body.add_expr(end, Type::Pointer, Site::NONE), Sign::Unsigned)
            }
        };
        let comparison = if opposite { Comparison::GreaterEqual(sign) } else { Comparison::Less(sign) };
        body.add_expr(ExprKind::Binary(BinaryOp::Compare(comparison), left, right), Type::BOOL, Site::NONE)
    }
}

fn add(body: &mut Body, expr: Expr) -> ExprId {
    body.add_expr(expr.kind, expr.ty, expr.site)
}

/// A node has one parent: whoever wants to use it again takes a copy.
fn copy(body: &mut Body, id: ExprId) -> ExprId {
    let mut expr = body.expr(id).clone();
    let mut operands = Vec::new();
    expr.kind.operands(|operand| operands.push(*operand));
    let mut copies = operands.into_iter().map(|operand| copy(body, operand)).collect::<Vec<_>>().into_iter();
    expr.kind.operands_mut(|operand| *operand = copies.next().unwrap_or(*operand));
    add(body, expr)
}

/// The node with another operator, as C spells it; nothing if the operands do not allow that.
pub fn respelled(kind: &ExprKind, to: &str) -> Option<ExprKind> {
    let ExprKind::Binary(op, left, right) = kind else { return None };
    let op = match op {
        BinaryOp::Compare(comparison) => {
            let sign = match comparison {
                Comparison::Less(sign)
                | Comparison::LessEqual(sign)
                | Comparison::Greater(sign)
                | Comparison::GreaterEqual(sign) => *sign,
                // What the operands' types say is gone here; most numbers are signed.
                Comparison::Equal | Comparison::NotEqual => Sign::Signed,
            };
            BinaryOp::Compare(match to {
                "<" => Comparison::Less(sign),
                "<=" => Comparison::LessEqual(sign),
                ">" => Comparison::Greater(sign),
                ">=" => Comparison::GreaterEqual(sign),
                "==" => Comparison::Equal,
                "!=" => Comparison::NotEqual,
                _ => return None,
            })
        }
        BinaryOp::Float(_) | BinaryOp::FloatCompare(_) | BinaryOp::Overflows(..) => return None,
        other => {
            let overflow = match other {
                BinaryOp::Add(overflow) | BinaryOp::Sub(overflow) | BinaryOp::Mul(overflow) => *overflow,
                _ => Overflow::Wraps,
            };
            let sign = match other {
                BinaryOp::Div(sign) | BinaryOp::Rem(sign) | BinaryOp::ShiftRight(sign) => *sign,
                _ => Sign::Signed,
            };
            match to {
                "+" => BinaryOp::Add(overflow),
                "-" => BinaryOp::Sub(overflow),
                "*" => BinaryOp::Mul(overflow),
                "/" => BinaryOp::Div(sign),
                "%" => BinaryOp::Rem(sign),
                "&" => BinaryOp::And,
                "|" => BinaryOp::Or,
                "<<" => BinaryOp::ShiftLeft,
                ">>" => BinaryOp::ShiftRight(sign),
                _ => return None,
            }
        }
    };
    Some(ExprKind::Binary(op, *left, *right))
}
