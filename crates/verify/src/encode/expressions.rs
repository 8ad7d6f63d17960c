//! Expressions of a program as terms, over variables and memory that the caller knows.
//!
//! [`value`] walks an expression tree and asks its [`Surroundings`] for what variables, addresses and memory
//! hold; everything else is in `operators`. What C forbids on the way is told to the surroundings as it comes,
//! in the order of evaluation. So the same walk serves one path of a recorded run, a whole control-flow graph,
//! and concrete evaluation, where all that the surroundings hold are constants.
//!
//! What holds: a value of type `i1` is a truth value, all others are bit-vectors of their type's width;
//! addresses are 64 bits, laid out as in the executor. Not here: commands, and whether an access is valid,
//! which only the surroundings can know.

use logic::terms::{TermId, Terms};
use program::exec::{Checks, ViolationKind};
use program::{Body, Expr, ExprId, ExprKind, Field, Index, Load, Object, Site, Type, VarId};

use super::operators::{NoTerm, Operators, literal};

/// Where an address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A constant distance from this object's start.
    Fixed(Object),
    /// Counted from this object's start: a valid access is to this object.
    Object(Object),
    /// A pointer's value: any object.
    Pointer,
}

/// A read or a write of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub address: TermId,
    pub base: Base,
    pub bytes: u32,
    /// The operation in its body.
    pub expr: ExprId,
    pub site: Site,
}

/// A condition that an expression's evaluation must not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violating {
    pub kind: ViolationKind,
    /// True where it is violated.
    pub bad: TermId,
    pub expr: ExprId,
    pub site: Site,
}

/// What an expression can see.
pub trait Surroundings {
    fn checks(&self) -> Checks;

    /// What the variable holds.
    fn variable(&mut self, terms: &mut Terms, variable: VarId) -> Result<TermId, NoTerm>;

    /// The address of an object's first byte.
    fn address(&mut self, terms: &mut Terms, object: Object) -> Result<TermId, NoTerm>;

    /// The bytes in memory, the first the least significant.
    fn load(&mut self, terms: &mut Terms, access: Access) -> Result<TermId, NoTerm>;

    /// Something that C forbids, unless the condition is false.
    fn forbid(&mut self, terms: &mut Terms, violating: Violating);
}

/// The value of an expression.
pub fn value(
    terms: &mut Terms,
    body: &Body,
    id: ExprId,
    surroundings: &mut dyn Surroundings,
) -> Result<TermId, NoTerm> {
    Walk { terms, body, surroundings }.value(id)
}

/// The address that an expression computes, and where it comes from; `accessed` if it is dereferenced at once.
pub fn address(
    terms: &mut Terms,
    body: &Body,
    id: ExprId,
    accessed: bool,
    surroundings: &mut dyn Surroundings,
) -> Result<(TermId, Base), NoTerm> {
    Walk { terms, body, surroundings }.address(id, accessed)
}

/// A value of a type from its bytes in memory.
pub fn from_bytes(terms: &mut Terms, bytes: TermId, ty: Type) -> TermId {
    let term = terms.bv_extract(ty.bits() - 1, 0, bytes);
    if ty != Type::BOOL {
        return term;
    }
    let one = terms.bv(1, 1);
    terms.eq(term, one)
}

/// The bytes of a value in memory.
pub fn to_bytes(terms: &mut Terms, value: TermId, ty: Type) -> TermId {
    let width = 8 * ty.bytes();
    match ty {
        Type::BOOL => terms.bv_from_bool(width, value),
        _ => terms.bv_resize(width, false, value),
    }
}

struct Walk<'w> {
    terms: &'w mut Terms,
    body: &'w Body,
    surroundings: &'w mut dyn Surroundings,
}

impl Walk<'_> {
    fn value(&mut self, id: ExprId) -> Result<TermId, NoTerm> {
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Constant(bits) => Ok(literal(self.terms, *bits, expr.ty)),
            ExprKind::Variable(variable) => self.surroundings.variable(self.terms, *variable),
            ExprKind::Load(load) => self.load(id, expr, *load),
            ExprKind::Address(_) | ExprKind::Index(_) | ExprKind::Field(_) => Ok(self.address(id, false)?.0),
            ExprKind::Unary(op, operand) => {
                let (value, ty) = (self.value(*operand)?, self.body.expr(*operand).ty);
                self.operate(id, |operators| operators.unary(*op, ty, value))
            }
            ExprKind::Binary(op, left, right) => {
                let ty = self.body.expr(*left).ty;
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                self.operate(id, |operators| operators.binary(*op, ty, left, right))
            }
            ExprKind::Cast(op, operand) => {
                let (value, from) = (self.value(*operand)?, self.body.expr(*operand).ty);
                self.operate(id, |operators| operators.cast(*op, from, expr.ty, value))
            }
            ExprKind::Select { condition, then, otherwise } => {
                let condition = self.value(*condition)?;
                let (then, otherwise) = (self.value(*then)?, self.value(*otherwise)?);
                Ok(self.terms.ite(condition, then, otherwise))
            }
            ExprKind::Apply(builtin, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push((self.value(*argument)?, self.body.expr(*argument).ty));
                }
                self.operate(id, |operators| operators.apply(*builtin, &values))
            }
        }
    }

    /// Applies an operator and tells what it forbids.
    fn operate(
        &mut self,
        id: ExprId,
        operator: impl FnOnce(&mut Operators<'_>) -> Result<TermId, NoTerm>,
    ) -> Result<TermId, NoTerm> {
        let mut operators = Operators::new(self.terms, self.surroundings.checks());
        let result = operator(&mut operators);
        let forbidden = std::mem::take(&mut operators.forbidden);
        let site = self.body.expr(id).site;
        for it in forbidden {
            self.surroundings.forbid(self.terms, Violating { kind: it.kind, bad: it.bad, expr: id, site });
        }
        result
    }

    fn load(&mut self, id: ExprId, expr: &Expr, load: Load) -> Result<TermId, NoTerm> {
        let (address, base) = self.address(load.address, true)?;
        let Some(field) = load.bits else {
            let access = Access { address, base, bytes: expr.ty.bytes(), expr: id, site: expr.site };
            let bytes = self.surroundings.load(self.terms, access)?;
            return Ok(from_bytes(self.terms, bytes, expr.ty));
        };
        let shift = u32::from(field.offset % 8);
        let width = u32::from(field.width).max(1);
        let address = offset_by(self.terms, address, u64::from(field.offset / 8));
        let access = Access { address, base, bytes: (shift + width).div_ceil(8), expr: id, site: expr.site };
        let unit = self.surroundings.load(self.terms, access)?;
        let bits = self.terms.bv_extract(shift + width - 1, shift, unit);
        let bits = self.terms.bv_resize(expr.ty.bits().max(1), field.signed, bits);
        Ok(if expr.ty == Type::BOOL { from_bytes(self.terms, bits, Type::BOOL) } else { bits })
    }

    fn address(&mut self, id: ExprId, accessed: bool) -> Result<(TermId, Base), NoTerm> {
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Address(object) => Ok((self.surroundings.address(self.terms, *object)?, Base::Fixed(*object))),
            ExprKind::Field(Field { base, offset, .. }) => {
                let (address, base) = self.address(*base, accessed)?;
                Ok((offset_by(self.terms, address, *offset), base))
            }
            ExprKind::Index(Index { base, index, stride, count }) => {
                let element = self.value(*index)?;
                if let Some(count) = count.filter(|_| self.surroundings.checks().has(ViolationKind::ArrayIndex)) {
                    let count = self.terms.bv(64, count);
                    let bad = match accessed {
                        true => self.terms.bv_uge(element, count),
                        false => self.terms.bv_ugt(element, count),
                    };
                    let violating = Violating { kind: ViolationKind::ArrayIndex, bad, expr: id, site: expr.site };
                    self.surroundings.forbid(self.terms, violating);
                }
                let (address, mut origin) = self.address(*base, accessed)?;
                if let Base::Fixed(object) = origin
                    && !is_literal(self.body, *index)
                {
                    origin = Base::Object(object);
                }
                let stride = self.terms.bv(64, *stride);
                let distance = self.terms.bv_mul(element, stride);
                Ok((self.terms.bv_add(address, distance), origin))
            }
            _ => Ok((self.value(id)?, Base::Pointer)),
        }
    }
}

/// Whether an expression has the same value always, by its form.
fn is_literal(body: &Body, id: ExprId) -> bool {
    let kind = &body.expr(id).kind;
    let mut literal = !matches!(kind, ExprKind::Variable(_) | ExprKind::Load(_) | ExprKind::Address(_));
    kind.operands(|operand| literal &= is_literal(body, *operand));
    literal
}

/// The address so many bytes further on.
pub fn offset_by(terms: &mut Terms, address: TermId, bytes: u64) -> TermId {
    let bytes = terms.bv(64, bytes);
    terms.bv_add(address, bytes)
}
