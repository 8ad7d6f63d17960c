//! The validator's checks of expression nodes, and of who uses them.

use crate::{BinaryOp, BitField, Body, Builtin, CastOp, Expr, ExprId, ExprKind, Program, Type, UnaryOp};

use super::{
    Check, Fault, binary_result, builtin_argument, builtin_arity, builtin_on_floats, builtin_result, check_object,
    check_site, check_type, has_type, in_range, is_integer,
};

/// Checks one node. Its operands need not be valid themselves, but they must exist.
pub(super) fn check_expr(program: &Program, body: &Body, expr: &Expr) -> Check {
    check_type(expr.ty)?;
    check_site(program, expr.site)?;
    let mut exist = Ok(());
    expr.kind.operands(|id| {
        if exist.is_ok() {
            exist = in_range("expression", id.0, body.exprs.len());
        }
    });
    exist?;
    let type_of = |id: ExprId| body.expr(id).ty;
    match &expr.kind {
        ExprKind::Constant(bits) if *bits > expr.ty.mask() => Err(Fault::Constant { bits: *bits, ty: expr.ty }),
        ExprKind::Constant(_) => Ok(()),
        ExprKind::Variable(id) => {
            in_range("variable", id.0, body.variables.len())?;
            has_type("the use of a variable", expr.ty, body.variable(*id).ty)
        }
        ExprKind::Address(object) => {
            has_type("an address", expr.ty, Type::Pointer)?;
            check_object(program, body.locals.len(), *object)
        }
        ExprKind::Load(load) => {
            has_type("the address", type_of(load.address), Type::Pointer)?;
            load.bits.map_or(Ok(()), |bits| check_bits(bits, expr.ty))
        }
        ExprKind::Unary(op, operand) => {
            has_type("the operand", type_of(*operand), expr.ty)?;
            match op {
                UnaryOp::Negate(_) | UnaryOp::Not => is_integer("the operand", expr.ty),
                UnaryOp::FloatNegate => is_float("the operand", expr.ty),
            }
        }
        ExprKind::Binary(op, left, right) => check_binary(*op, type_of(*left), type_of(*right), expr.ty),
        ExprKind::Cast(op, operand) => check_cast(*op, type_of(*operand), expr.ty),
        ExprKind::Select { condition, then, otherwise } => {
            has_type("the condition", type_of(*condition), Type::BOOL)?;
            has_type("the first choice", type_of(*then), expr.ty)?;
            has_type("the second choice", type_of(*otherwise), expr.ty)
        }
        ExprKind::Index(index) => {
            has_type("the base", type_of(index.base), Type::Pointer)?;
            has_type("the index", type_of(index.index), Type::I64)?;
            has_type("the address of an element", expr.ty, Type::Pointer)
        }
        ExprKind::Field(field) => {
            has_type("the base", type_of(field.base), Type::Pointer)?;
            has_type("the address of a member", expr.ty, Type::Pointer)
        }
        ExprKind::Apply(builtin, arguments) => check_builtin(*builtin, arguments, type_of, expr.ty),
    }
}

fn is_float(what: &'static str, found: Type) -> Check {
    match found {
        Type::Float(_) => Ok(()),
        _ => Err(Fault::Type { what, expected: "a float".to_owned(), found }),
    }
}

pub(super) fn check_bits(bits: BitField, ty: Type) -> Check {
    is_integer("a unit with bit-fields", ty)?;
    let end = u32::from(bits.offset) + u32::from(bits.width);
    if bits.width == 0 || end > ty.bits() {
        return Err(Fault::BitField { offset: bits.offset, width: bits.width, ty });
    }
    Ok(())
}

fn check_binary(op: BinaryOp, left: Type, right: Type, result: Type) -> Check {
    has_type("the right operand", right, left)?;
    match op {
        BinaryOp::Compare(_) if left == Type::Pointer => {}
        BinaryOp::Float(_) | BinaryOp::FloatCompare(_) => is_float("the left operand", left)?,
        _ => is_integer("the left operand", left)?,
    }
    has_type("the result", result, binary_result(op, left))
}

fn check_cast(op: CastOp, from: Type, to: Type) -> Check {
    let wrong = |expected: String| Err(Fault::Type { what: "the result of a cast", expected, found: to });
    match op {
        CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend => {
            is_integer("the operand", from)?;
            is_integer("the result", to)?;
            match op {
                CastOp::Truncate if to.bits() >= from.bits() => wrong(format!("narrower than {from}")),
                CastOp::ZeroExtend | CastOp::SignExtend if to.bits() <= from.bits() => {
                    wrong(format!("wider than {from}"))
                }
                _ => Ok(()),
            }
        }
        CastOp::FloatToInt(_) => is_float("the operand", from).and(is_integer("the result", to)),
        CastOp::IntToFloat(_) => is_integer("the operand", from).and(is_float("the result", to)),
        CastOp::FloatConvert => is_float("the operand", from).and(is_float("the result", to)),
        CastOp::Reinterpret if from.bits() != to.bits() => wrong(format!("as wide as {from}")),
        CastOp::Reinterpret => Ok(()),
    }
}

fn check_builtin(builtin: Builtin, arguments: &[ExprId], type_of: impl Fn(ExprId) -> Type, result: Type) -> Check {
    let (expected, found) = (builtin_arity(builtin), arguments.len());
    if expected != found {
        return Err(Fault::Count { what: "arguments of a builtin", expected, found });
    }
    let first = type_of(arguments[0]);
    if builtin_on_floats(builtin) {
        is_float("the argument", first)?;
    } else {
        is_integer("the argument", first)?;
    }
    for (index, argument) in arguments.iter().enumerate().skip(1) {
        let expected = builtin_argument(builtin, index, Some(first)).unwrap_or(first);
        has_type("the argument", type_of(*argument), expected)?;
    }
    has_type("the result", result, builtin_result(builtin, first))
}

/// Who uses each node: nobody yet, another node, or a command.
pub(super) struct Uses {
    users: Vec<User>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    Nobody,
    Node(ExprId),
    Command,
}

impl Uses {
    /// Notes the uses by other nodes. All operands exist.
    pub(super) fn of_operands(body: &Body) -> Result<Uses, Fault> {
        let mut uses = Uses { users: vec![User::Nobody; body.exprs.len()] };
        for (index, expr) in body.exprs.iter().enumerate() {
            uses.note(User::Node(ExprId(index as u32)), |visit| expr.kind.operands(visit))?;
        }
        Ok(uses)
    }

    /// Notes the uses by a command, and that the nodes exist.
    pub(super) fn check_roots<'a>(&mut self, operands: impl FnOnce(&mut dyn FnMut(&'a ExprId))) -> Check {
        self.note(User::Command, operands)
    }

    fn note<'a>(&mut self, user: User, operands: impl FnOnce(&mut dyn FnMut(&'a ExprId))) -> Check {
        let mut result = Ok(());
        operands(&mut |id| {
            let count = self.users.len();
            match self.users.get_mut(id.index()) {
                _ if result.is_err() => {}
                None => result = Err(Fault::Missing { what: "expression", id: id.0, count }),
                Some(known) if *known != User::Nobody => result = Err(Fault::Shared(*id)),
                Some(known) => *known = user,
            }
        });
        result
    }

    /// A node has one user at most, so whoever climbs from user to user either gets out or goes
    /// round in a circle. Each node is climbed from once.
    pub(super) fn check_acyclic(&self) -> Check {
        const UNSEEN: u32 = u32::MAX;
        let mut seen_from = vec![UNSEEN; self.users.len()];
        for start in 0..self.users.len() as u32 {
            let mut at = start;
            loop {
                if seen_from[at as usize] == start {
                    return Err(Fault::Cyclic(ExprId(at)));
                }
                if seen_from[at as usize] != UNSEEN {
                    break;
                }
                seen_from[at as usize] = start;
                match self.users[at as usize] {
                    User::Node(user) => at = user.0,
                    User::Nobody | User::Command => break,
                }
            }
        }
        Ok(())
    }
}
