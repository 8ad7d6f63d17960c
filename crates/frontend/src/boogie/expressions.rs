//! Expressions: type checking and translation to terms, in one go.
//!
//! An expression and the scope around it → a term and its type. Chains of operators are followed by loops,
//! because they may be long; only nesting, which the parser limits, recurses. What division by zero yields
//! is not specified, but always the same: it is an uninterpreted function of the dividend.

use std::collections::BTreeMap;

use logic::sort::Sort;
use logic::terms::{Substitution, TermId};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::diagnostic::{Diagnostic, Extent, Kind};
use super::environment::{Environment, Meaning, Variable, VariableKind};
use super::syntax::{BinaryOperator, Binding, ExpressionId, ExpressionKind, Name, UnaryOperator};
use super::types::{Type, polymorphic};

/// Numbers of more digits than this are refused: reading one takes time that grows with the square.
const MOST_DIGITS: usize = 10_000;

/// Why there is no term.
#[derive(Clone, Debug)]
pub enum Failed {
    /// A mistake, which has been told.
    Told,
    /// Something without a meaning here, which has not been told yet.
    Unsupported(Diagnostic),
}

/// A term and its type.
#[derive(Clone, Debug)]
pub struct Typed {
    pub term: TermId,
    pub ty: Type,
}

type Elaborated = Result<Typed, Failed>;

/// What names mean at some point.
pub struct Scope<'s> {
    /// Parameters, results and local variables.
    pub locals: &'s BTreeMap<String, Variable>,
    /// The copies of global variables that `old` means; none where `old` may not stand.
    pub old: Option<&'s BTreeMap<TermId, TermId>>,
    pub globals: bool,
    bound: Vec<(String, Typed)>,
    within_old: bool,
}

impl<'s> Scope<'s> {
    /// Of an axiom or a function's body, where no global variable may be mentioned.
    pub fn of_declarations(locals: &'s BTreeMap<String, Variable>) -> Scope<'s> {
        Scope { locals, old: None, globals: false, bound: Vec::new(), within_old: false }
    }

    pub fn of_statements(
        locals: &'s BTreeMap<String, Variable>,
        old: Option<&'s BTreeMap<TermId, TermId>>,
    ) -> Scope<'s> {
        Scope { locals, old, globals: true, bound: Vec::new(), within_old: false }
    }
}

fn wrong(extent: Extent, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Kind::Type, extent, message)
}

fn unsupported(extent: Extent, what: &str) -> Failed {
    Failed::Unsupported(Diagnostic::new(Kind::Unsupported, extent, format!("{what} is not supported")))
}

impl Environment<'_> {
    /// A term of this type, or of any if there is none.
    pub fn expect_type(
        &mut self,
        expression: ExpressionId,
        expected: Option<&Type>,
        scope: &mut Scope<'_>,
    ) -> Result<TermId, Failed> {
        let found = self.expression(expression, scope)?;
        match expected {
            Some(expected) if *expected != found.ty => {
                let extent = self.file.expression(expression).extent;
                let mut diagnostic = wrong(extent, format!("expected {expected}, but this is {}", found.ty));
                diagnostic.help = conversion(&found.ty, expected);
                Err(self.failed(diagnostic))
            }
            _ => Ok(found.term),
        }
    }

    pub fn condition(&mut self, expression: ExpressionId, scope: &mut Scope<'_>) -> Result<TermId, Failed> {
        self.expect_type(expression, Some(&Type::Bool), scope)
    }

    pub fn expression(&mut self, root: ExpressionId, scope: &mut Scope<'_>) -> Elaborated {
        // Down the left side, then up again.
        let (file, mut spine, mut current) = (self.file, Vec::new(), root);
        while let ExpressionKind::Binary { left: first, .. }
        | ExpressionKind::Select { map: first, .. }
        | ExpressionKind::Update { map: first, .. }
        | ExpressionKind::Extract { operand: first, .. } = &file.expression(current).kind
        {
            spine.push(current);
            current = *first;
        }
        let mut value = self.leftmost(current, scope)?;
        while let Some(above) = spine.pop() {
            value = self.above(above, value, scope)?;
        }
        Ok(value)
    }

    /// An expression whose first part has been translated.
    fn above(&mut self, id: ExpressionId, first: Typed, scope: &mut Scope<'_>) -> Elaborated {
        let file = self.file;
        let expression = file.expression(id);
        match &expression.kind {
            ExpressionKind::Binary { operator, at, right, .. } => {
                let right = self.expression(*right, scope)?;
                self.binary(*operator, *at, first, right)
            }
            ExpressionKind::Select { indices, .. } => {
                let (indices, element) = self.indices(expression.extent, &first.ty, indices, scope)?;
                let term = indices.iter().fold(first.term, |map, &index| self.terms.select(map, index));
                Ok(Typed { term, ty: element })
            }
            ExpressionKind::Update { indices, value, .. } => {
                let (indices, element) = self.indices(expression.extent, &first.ty, indices, scope)?;
                let value = self.expect_type(*value, Some(&element), scope)?;
                Ok(Typed { term: self.update(first.term, &indices, value), ty: first.ty })
            }
            ExpressionKind::Extract { high, low, .. } => self.extract(expression.extent, first, high, low),
            _ => Ok(first),
        }
    }

    /// The indices of a map and the type of its elements.
    pub fn indices(
        &mut self,
        extent: Extent,
        map: &Type,
        indices: &[ExpressionId],
        scope: &mut Scope<'_>,
    ) -> Result<(Vec<TermId>, Type), Failed> {
        let Type::Map { indices: types, element } = map else {
            return Err(self.failed(wrong(extent, format!("only maps have elements, but this is {map}"))));
        };
        if types.len() != indices.len() {
            let message = format!("the map {map} takes {} indices, but {} are given", types.len(), indices.len());
            return Err(self.failed(wrong(extent, message)));
        }
        let mut terms = Vec::new();
        for (&index, ty) in indices.iter().zip(types) {
            terms.push(self.expect_type(index, Some(ty), scope)?);
        }
        Ok((terms, element.as_ref().clone()))
    }

    /// A map with one element replaced.
    pub fn update(&mut self, map: TermId, indices: &[TermId], value: TermId) -> TermId {
        let Some((&first, rest)) = indices.split_first() else { return value };
        let inner = self.terms.select(map, first);
        let inner = self.update(inner, rest, value);
        self.terms.store(map, first, inner)
    }

    fn extract(&mut self, extent: Extent, operand: Typed, high: &str, low: &str) -> Elaborated {
        let bounds = (high.parse::<u32>().ok(), low.parse::<u32>().ok());
        match (operand.ty, bounds) {
            (Type::BitVector(width), (Some(high), Some(low))) if low < high && high <= width => {
                let term = self.terms.bv_extract(high - 1, low, operand.term);
                Ok(Typed { term, ty: Type::BitVector(high - low) })
            }
            (Type::BitVector(width), (Some(high), Some(low))) if low == high && high <= width => {
                Err(unsupported(extent, "a bit-vector without bits"))
            }
            (Type::BitVector(width), _) => {
                let message = format!("there are no bits from {low} up to, but not with, {high} in bv{width}");
                Err(self.failed(wrong(extent, message)))
            }
            (other, _) => {
                Err(self.failed(wrong(extent, format!("bits are taken from bit-vectors, but this is {other}"))))
            }
        }
    }

    /// An expression that does not begin with another one.
    fn leftmost(&mut self, id: ExpressionId, scope: &mut Scope<'_>) -> Elaborated {
        let file = self.file;
        let expression = file.expression(id);
        let extent = expression.extent;
        match &expression.kind {
            ExpressionKind::Bool(value) => Ok(Typed { term: self.terms.bool(*value), ty: Type::Bool }),
            ExpressionKind::Integer(digits) => {
                let value = self.integer(extent, digits)?;
                Ok(Typed { term: self.terms.int(value), ty: Type::Int })
            }
            ExpressionKind::Decimal(digits) => self.decimal(extent, digits),
            ExpressionKind::BitVector { digits, width } => self.bit_vector(extent, digits, width),
            ExpressionKind::Name(name) => self.named(extent, name, scope),
            ExpressionKind::Apply { function, arguments } => self.apply(extent, function, arguments, scope),
            ExpressionKind::Unary { operator, operand } => {
                let operand = self.expression(*operand, scope)?;
                self.unary(*operator, extent, operand)
            }
            ExpressionKind::Old(inner) => {
                if scope.old.is_none() {
                    return Err(self.failed(wrong(extent, "`old` has no meaning here: there is no earlier state")));
                }
                let outer = std::mem::replace(&mut scope.within_old, true);
                let value = self.expression(*inner, scope);
                scope.within_old = outer;
                value
            }
            ExpressionKind::IfThenElse { condition, then, otherwise } => {
                let condition = self.condition(*condition, scope)?;
                let then = self.expression(*then, scope)?;
                let otherwise = self.expect_type(*otherwise, Some(&then.ty), scope)?;
                Ok(Typed { term: self.terms.ite(condition, then.term, otherwise), ty: then.ty })
            }
            ExpressionKind::Quantifier { forall, type_parameters, bound, body } => {
                if !type_parameters.is_empty() {
                    return Err(Failed::Unsupported(polymorphic(extent, "a quantifier over types")));
                }
                self.quantifier(*forall, bound, *body, scope)
            }
            ExpressionKind::Coercion { operand, to } => {
                let ty = self.resolve(to)?;
                let term = self.expect_type(*operand, Some(&ty), scope)?;
                Ok(Typed { term, ty })
            }
            ExpressionKind::Unsupported(what) => Err(unsupported(extent, what)),
            _ => self.expression(id, scope),
        }
    }

    fn integer(&mut self, extent: Extent, digits: &str) -> Result<BigInt, Failed> {
        match digits.parse() {
            Ok(value) if digits.len() <= MOST_DIGITS => Ok(value),
            _ => Err(unsupported(extent, "a number of so many digits")),
        }
    }

    fn decimal(&mut self, extent: Extent, text: &str) -> Elaborated {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let value = self.integer(extent, &format!("{whole}{fraction}"))?;
        let exponent = exponent.parse::<i64>().ok().and_then(|it| it.checked_sub(fraction.len() as i64));
        let Some(exponent) = exponent.filter(|it| it.unsigned_abs() <= MOST_DIGITS as u64) else {
            return Err(unsupported(extent, "a number of so many digits"));
        };
        let scale = BigInt::from(10).pow(exponent.unsigned_abs() as u32);
        let value =
            if exponent < 0 { BigRational::new(value, scale) } else { BigRational::from_integer(value * scale) };
        Ok(Typed { term: self.terms.real(value), ty: Type::Real })
    }

    fn bit_vector(&mut self, extent: Extent, digits: &str, width: &str) -> Elaborated {
        let value = self.integer(extent, digits)?;
        let Some(width) = width.parse().ok().filter(|it| (1..=logic::sort::MAX_WIDTH).contains(it)) else {
            return Err(unsupported(extent, &format!("a bit-vector of {width} bits")));
        };
        if value.bits() > u64::from(width) {
            return Err(self.failed(wrong(extent, format!("{digits} does not fit into {width} bits"))));
        }
        let value = logic::value::BitVector::from_bigint(width, &value);
        Ok(Typed { term: self.terms.bv_value(&value), ty: Type::BitVector(width) })
    }

    fn named(&mut self, extent: Extent, name: &str, scope: &Scope<'_>) -> Elaborated {
        if let Some((_, bound)) = scope.bound.iter().rev().find(|(it, _)| it == name) {
            return Ok(bound.clone());
        }
        let variable = scope.locals.get(name).or_else(|| self.variables.get(name)).cloned();
        let Some(variable) = variable else {
            if let Some(diagnostic) = self.unusable.get(name) {
                return Err(Failed::Unsupported(diagnostic.clone()));
            }
            let mut diagnostic = Diagnostic::new(Kind::Name, extent, format!("`{name}` is not declared"));
            if self.functions.contains_key(name) {
                diagnostic.help = Some(format!("`{name}` is a function: write `{name}(…)`"));
            }
            return Err(self.failed(diagnostic));
        };
        if variable.kind != VariableKind::Global {
            return Ok(Typed { term: variable.term, ty: variable.ty });
        }
        if !scope.globals {
            let message = format!("the global variable `{name}` may not be mentioned in an axiom or a function");
            let diagnostic = wrong(extent, message).with_help("give it to the function as a parameter");
            return Err(self.failed(diagnostic));
        }
        let copy = scope.old.filter(|_| scope.within_old).and_then(|old| old.get(&variable.term));
        Ok(Typed { term: copy.copied().unwrap_or(variable.term), ty: variable.ty })
    }

    fn quantifier(&mut self, forall: bool, bound: &[Binding], body: ExpressionId, scope: &mut Scope<'_>) -> Elaborated {
        let before = scope.bound.len();
        let mut variables = Vec::new();
        for binding in bound {
            match self.resolve(&binding.ty) {
                Ok(ty) => {
                    let sort = ty.sort(&mut self.terms);
                    let term = self.terms.fresh(&binding.name.text, sort);
                    variables.push(term);
                    scope.bound.push((binding.name.text.clone(), Typed { term, ty }));
                }
                Err(failed) => {
                    scope.bound.truncate(before);
                    return Err(failed);
                }
            }
        }
        let body = self.condition(body, scope);
        scope.bound.truncate(before);
        let body = body?;
        let term = match (variables.is_empty(), forall) {
            (true, _) => body,
            (_, true) => self.terms.forall(&variables, body),
            (_, false) => self.terms.exists(&variables, body),
        };
        Ok(Typed { term, ty: Type::Bool })
    }

    fn apply(
        &mut self,
        extent: Extent,
        function: &Name,
        arguments: &[ExpressionId],
        scope: &mut Scope<'_>,
    ) -> Elaborated {
        let name = function.text.as_str();
        if let ("int" | "real", [argument]) = (name, arguments) {
            return self.convert(extent, name, *argument, scope);
        }
        self.define(name);
        let incomplete = self.types.incomplete;
        let Some(entry) = self.functions.get_mut(name) else {
            if incomplete {
                return Err(unsupported(
                    function.extent,
                    &format!("the function `{name}`, which nothing supported declares,"),
                ));
            }
            let mut diagnostic =
                Diagnostic::new(Kind::Name, function.extent, format!("the function `{name}` is not declared"));
            if self.procedures.contains_key(name) {
                diagnostic.help = Some(format!("`{name}` is a procedure: write `call x := {name}(…);`"));
            }
            return Err(self.failed(diagnostic));
        };
        entry.recursive |= matches!(entry.meaning, Meaning::UnderWay);
        let (parameters, result, meaning) = (entry.parameters.clone(), entry.result.clone(), entry.meaning.clone());
        let result = match (&meaning, result) {
            (Meaning::Unsupported(diagnostic), _) => return Err(Failed::Unsupported(diagnostic.clone())),
            (Meaning::Wrong, _) | (_, None) => return Err(Failed::Told),
            (_, Some(result)) => result,
        };
        if parameters.len() != arguments.len() {
            let message = format!("`{name}` takes {} arguments, but {} are given", parameters.len(), arguments.len());
            return Err(self.failed(wrong(extent, message)));
        }
        let mut terms = Vec::new();
        for (&argument, ty) in arguments.iter().zip(&parameters) {
            terms.push(self.expect_type(argument, Some(ty), scope)?);
        }
        let term = match meaning {
            Meaning::Defined { parameters, body } => {
                let replacements: Substitution = parameters.into_iter().zip(terms).collect();
                self.terms.substitute(body, &replacements)
            }
            Meaning::BuiltIn { name: operator } => match super::builtin::apply(&mut self.terms, &operator, &terms) {
                Some(term) if self.terms.sort(term) == result.sort(&mut self.terms) => term,
                Some(_) => {
                    let message = format!("`{operator}` yields something else than {result}");
                    return Err(self.failed(wrong(function.extent, message)));
                }
                None => return Err(unsupported(function.extent, &format!("the built-in function `{operator}`"))),
            },
            _ => self.application(name, &terms),
        };
        Ok(Typed { term, ty: result })
    }

    fn convert(&mut self, extent: Extent, to: &str, argument: ExpressionId, scope: &mut Scope<'_>) -> Elaborated {
        let argument = self.expression(argument, scope)?;
        match (to, &argument.ty) {
            ("int", Type::Real) => Ok(Typed { term: self.terms.real_to_int(argument.term), ty: Type::Int }),
            ("real", Type::Int) => Ok(Typed { term: self.terms.int_to_real(argument.term), ty: Type::Real }),
            (_, found) => Err(self.failed(wrong(extent, format!("{found} is not converted to {to}")))),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, extent: Extent, operand: Typed) -> Elaborated {
        let term = match (operator, &operand.ty) {
            (UnaryOperator::Not, Type::Bool) => self.terms.not(operand.term),
            (UnaryOperator::Negate, Type::Int | Type::Real) => self.terms.arith_neg(operand.term),
            (UnaryOperator::Not, other) => {
                return Err(self.failed(wrong(extent, format!("`!` takes bool, but this is {other}"))));
            }
            (UnaryOperator::Negate, other) => {
                return Err(self.failed(wrong(extent, format!("`-` takes int or real, but this is {other}"))));
            }
        };
        Ok(Typed { term, ty: operand.ty })
    }

    fn binary(&mut self, operator: BinaryOperator, at: Extent, left: Typed, right: Typed) -> Elaborated {
        use BinaryOperator::*;
        let (a, b) = (left.term, right.term);
        let same = left.ty == right.ty;
        let number = matches!(left.ty, Type::Int | Type::Real);
        let terms = &mut self.terms;
        let (term, ty) = match operator {
            Iff if same && left.ty == Type::Bool => (terms.eq(a, b), Type::Bool),
            Implies if same && left.ty == Type::Bool => (terms.implies(a, b), Type::Bool),
            Explies if same && left.ty == Type::Bool => (terms.implies(b, a), Type::Bool),
            And if same && left.ty == Type::Bool => (terms.and2(a, b), Type::Bool),
            Or if same && left.ty == Type::Bool => (terms.or2(a, b), Type::Bool),
            Equal if same => (terms.eq(a, b), Type::Bool),
            NotEqual if same => (terms.distinct(a, b), Type::Bool),
            Less if same && number => (terms.arith_lt(a, b), Type::Bool),
            LessEqual if same && number => (terms.arith_le(a, b), Type::Bool),
            Greater if same && number => (terms.arith_lt(b, a), Type::Bool),
            GreaterEqual if same && number => (terms.arith_le(b, a), Type::Bool),
            Add if same && number => (terms.arith_add(a, b), left.ty),
            Subtract if same && number => (terms.arith_sub(a, b), left.ty),
            Multiply if same && number => (terms.arith_mul(a, b), left.ty),
            IntDivide if same && left.ty == Type::Int => (self.division("div", a, b), Type::Int),
            Modulo if same && left.ty == Type::Int => (self.division("mod", a, b), Type::Int),
            RealDivide if number && matches!(right.ty, Type::Int | Type::Real) => {
                let (a, b) = (self.as_real(left), self.as_real(right));
                (self.division("/", a, b), Type::Real)
            }
            Concat => match (&left.ty, &right.ty) {
                (Type::BitVector(one), Type::BitVector(other)) if one + other <= logic::sort::MAX_WIDTH => {
                    (terms.bv_concat(a, b), Type::BitVector(one + other))
                }
                _ => return Err(self.mismatch(operator, at, &left.ty, &right.ty)),
            },
            Extends => return Err(unsupported(at, "the order of constants (`<:`)")),
            Power => return Err(unsupported(at, "the power (`**`)")),
            _ => return Err(self.mismatch(operator, at, &left.ty, &right.ty)),
        };
        Ok(Typed { term, ty })
    }

    fn as_real(&mut self, value: Typed) -> TermId {
        if value.ty == Type::Int { self.terms.int_to_real(value.term) } else { value.term }
    }

    /// What division by zero yields depends on the dividend alone.
    fn division(&mut self, operator: &str, a: TermId, b: TermId) -> TermId {
        let sort: Sort = self.terms.sort(a);
        let zero = match sort {
            Sort::Real => self.terms.real(BigRational::from_integer(0.into())),
            _ => self.terms.int(0),
        };
        let quotient = match operator {
            "div" => self.terms.int_div(a, b),
            "mod" => self.terms.int_mod(a, b),
            _ => self.terms.real_div(a, b),
        };
        let by_zero = self.terms.eq(b, zero);
        if by_zero == self.terms.false_term() {
            return quotient;
        }
        let function = self.terms.function(&format!("{operator} by 0"), &[sort], sort);
        let open = self.terms.apply(function, &[a]);
        self.terms.ite(by_zero, open, quotient)
    }

    fn mismatch(&mut self, operator: BinaryOperator, at: Extent, left: &Type, right: &Type) -> Failed {
        use BinaryOperator::*;
        let expected = match operator {
            Iff | Implies | Explies | And | Or => "two of bool",
            Equal | NotEqual => "two of one type",
            IntDivide | Modulo => "two of int",
            Concat => "two bit-vectors",
            _ => "two of int or two of real",
        };
        let mut diagnostic = wrong(at, format!("this takes {expected}, but there are {left} and {right}"));
        diagnostic.help = conversion(left, right);
        self.failed(diagnostic)
    }
}

/// How to make one type of the other, where there is a way.
fn conversion(found: &Type, expected: &Type) -> Option<String> {
    match (found, expected) {
        (Type::Int, Type::Real) => Some("convert with `real(…)`".to_owned()),
        (Type::Real, Type::Int) => Some("convert with `int(…)`, which rounds down, or `real(…)`".to_owned()),
        (Type::BitVector(_), Type::BitVector(_) | Type::Int) | (Type::Int, Type::BitVector(_)) => {
            Some("bit-vectors have their own functions, declared with {:bvbuiltin \"bvadd\"} and the like".to_owned())
        }
        _ => None,
    }
}
