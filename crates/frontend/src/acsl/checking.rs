//! What a specification means: predicates as expressions of C that can be executed and verified.
//!
//! Term and [`Scope`] → C. Quantifiers become loops in statement expressions (GNU C, which clang takes), sums and
//! counts likewise; `\old` reads names in the state before the call, of which the surroundings keep copies. Every
//! integer is widened to `long long` where it is read.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::quantifiers;
use super::syntax::{Definition, Fold, LogicType, Term, TermKind};
use crate::boogie::{Diagnostic, Extent, Kind};

/// What is known about a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Integer,
    Real,
    Pointer(Box<Type>),
    /// A structure and the like: its members can be read.
    Other,
}

impl Type {
    /// Of a type of C, by its words and its stars.
    pub fn of(words: &str, stars: usize) -> Type {
        let base = match words {
            _ if words.split_whitespace().any(|it| it == "struct" || it == "union") => Type::Other,
            _ if words.split_whitespace().any(|it| it == "float" || it == "double") => Type::Real,
            _ => Type::Integer,
        };
        (0..stars).fold(base, |ty, _| Type::Pointer(Box::new(ty)))
    }

    fn of_logic(ty: &LogicType) -> Type {
        match ty {
            LogicType::Integer | LogicType::Boolean => Type::Integer,
            LogicType::Real => Type::Real,
            LogicType::C(words, stars) => Type::of(words, *stars),
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub struct Meaning {
    pub now: String,
    /// In the state before the function.
    pub before: String,
    pub ty: Type,
}

/// The names that a predicate may use.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub names: BTreeMap<String, Meaning>,
    pub result: Option<(String, Type)>,
    /// Members of structures, where a name has one type.
    pub members: BTreeMap<String, Type>,
    /// Predicates and logic functions with the types of their results.
    functions: BTreeMap<String, Type>,
    before: bool,
    fresh: Cell<u32>,
}

type Translated = Result<(String, Type), Diagnostic>;

impl Scope {
    pub fn bind(&mut self, name: &str, now: &str, before: &str, ty: Type) {
        self.names.insert(name.to_owned(), Meaning { now: now.to_owned(), before: before.to_owned(), ty });
    }

    /// Definitions as C functions; predicates may use them from then on.
    pub fn define(&mut self, definitions: &[Definition]) -> Result<String, Diagnostic> {
        let (mut heads, mut bodies) = (String::new(), String::new());
        for definition in definitions {
            let ty = definition.result.as_ref().map_or(Type::Integer, Type::of_logic);
            self.functions.insert(definition.name.clone(), ty);
        }
        for definition in definitions {
            let mut scope =
                Scope { functions: self.functions.clone(), members: self.members.clone(), ..Scope::default() };
            let mut parameters = Vec::new();
            for (name, ty) in &definition.parameters {
                let inside = format!("faultline_p_{name}");
                parameters.push(declared(ty, &inside));
                scope.bind(name, &inside, &inside, Type::of_logic(ty));
            }
            let result = definition.result.as_ref().map_or("int".to_owned(), |ty| declared(ty, "").trim().to_owned());
            let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
            let head = format!("static {result} faultline_l_{}({parameters})", definition.name);
            let (body, _) = scope.term(&definition.body)?;
            heads.push_str(&format!("{head};\n"));
            bodies.push_str(&format!("{head} {{ return {body}; }}\n"));
        }
        Ok(heads + &bodies)
    }

    /// A predicate as a condition of C.
    pub fn predicate(&self, term: &Term) -> Result<String, Diagnostic> {
        Ok(self.term(term)?.0)
    }

    /// The same names, with one more for a number.
    fn with_number(&self, name: &str, text: &str) -> Scope {
        let mut inner = self.clone();
        inner.bind(name, text, text, Type::Integer);
        inner
    }

    fn fresh(&self, stem: &str) -> String {
        let number = self.fresh.get();
        self.fresh.set(number + 1);
        format!("faultline_{stem}{number}")
    }

    pub fn term(&self, term: &Term) -> Translated {
        match &term.kind {
            TermKind::Number(text) => Ok((number(text, term.extent)?, Type::Integer)),
            TermKind::Real(text) => Ok((text.clone(), Type::Real)),
            TermKind::True => Ok(("1".to_owned(), Type::Integer)),
            TermKind::False => Ok(("0".to_owned(), Type::Integer)),
            TermKind::Null => Ok(("((void *)0)".to_owned(), Type::Pointer(Box::new(Type::Other)))),
            TermKind::Result => {
                let known = self.result.clone();
                let (text, ty) = known.ok_or_else(|| {
                    wrong(term.extent, "there is no result here")
                        .with_help("\\result belongs into `ensures` of a function that returns something")
                })?;
                Ok((widened(&text, &ty), ty))
            }
            TermKind::Name(name) => self.name(name, term.extent),
            TermKind::Unary(operator, operand) => self.unary(operator, operand),
            TermKind::Binary(operator, left, right) => self.binary(operator, left, right),
            TermKind::Conditional(condition, then, otherwise) => {
                let (condition, _) = self.term(condition)?;
                let ((then, ty), (otherwise, _)) = (self.term(then)?, self.term(otherwise)?);
                Ok((format!("({condition} ? {then} : {otherwise})"), ty))
            }
            TermKind::Index(base, index) => {
                let (base_text, ty) = self.term(base)?;
                let Type::Pointer(inner) = ty else {
                    return Err(wrong(base.extent, "this is neither an array nor a pointer"));
                };
                let (index, _) = self.term(index)?;
                Ok((widened(&format!("{base_text}[{index}]"), &inner), *inner))
            }
            TermKind::Member(base, arrow, name) => {
                let (base, _) = self.term(base)?;
                let sign = if *arrow { "->" } else { "." };
                let ty = self.members.get(name).cloned().unwrap_or(Type::Other);
                Ok((widened(&format!("{base}{sign}{name}"), &ty), ty))
            }
            TermKind::Old(inside) => Scope { before: true, ..self.clone() }.term(inside),
            TermKind::Separated(_) => Ok(("1".to_owned(), Type::Integer)),
            TermKind::Valid { .. } => Err(unsupported(term.extent, "\\valid here")
                .with_help("say what is valid in a conjunct of `requires`: \\valid(a + (0 .. n - 1))")),
            TermKind::Range(..) => Err(unsupported(term.extent, "a range here").with_help(
                "ranges say what is valid or assigned: \\valid(a + (0 .. n - 1)); else quantify over the index",
            )),
            TermKind::Nothing => Err(unsupported(term.extent, "\\nothing here").with_help("it belongs into `assigns`")),
            TermKind::Quantified { universal, binders, body } => self.quantified(*universal, binders, body),
            TermKind::Folded { fold, from, to, binder, body } => self.folded(*fold, from, to, binder, body),
            TermKind::Call(name, arguments) => {
                let Some(ty) = self.functions.get(name) else {
                    let message = format!("there is no predicate or logic function `{name}`");
                    return Err(Diagnostic::new(Kind::Name, term.extent, message)
                        .with_help("define it: /*@ predicate name(integer n) = …; */"));
                };
                let arguments: Result<Vec<String>, _> = arguments.iter().map(|it| Ok(self.term(it)?.0)).collect();
                Ok((format!("faultline_l_{name}({})", arguments?.join(", ")), ty.clone()))
            }
            TermKind::Cast(ty, inside) => {
                let (text, _) = self.term(inside)?;
                let known = Type::of(ty.trim_end_matches('*'), ty.matches('*').count());
                Ok((widened(&format!("(({ty}){text})"), &known), known))
            }
            TermKind::Let(name, value, body) => {
                let (value, ty) = self.term(value)?;
                let mut inner = self.clone();
                inner.bind(name, &value, &value, ty);
                inner.term(body)
            }
        }
    }

    fn name(&self, name: &str, extent: Extent) -> Translated {
        let Some(meaning) = self.names.get(name) else {
            if let Some(ty) = self.functions.get(name) {
                return Ok((format!("faultline_l_{name}()"), ty.clone()));
            }
            return Err(Diagnostic::new(Kind::Name, extent, format!("nothing here is called `{name}`")));
        };
        let text = if self.before { &meaning.before } else { &meaning.now };
        Ok((widened(text, &meaning.ty), meaning.ty.clone()))
    }

    fn unary(&self, operator: &str, operand: &Term) -> Translated {
        let (text, ty) = self.term(operand)?;
        match (operator, ty) {
            ("*", Type::Pointer(inner)) => Ok((widened(&format!("(*{text})"), &inner), *inner)),
            ("*", _) => Err(wrong(operand.extent, "this is no pointer")),
            ("&", _) => Err(unsupported(operand.extent, "an address").with_help("use the pointer itself, or p + i")),
            (operator, ty) => Ok((format!("({operator}{text})"), if operator == "!" { Type::Integer } else { ty })),
        }
    }

    fn binary(&self, operator: &str, left: &Term, right: &Term) -> Translated {
        let ((one, first), (other, second)) = (self.term(left)?, self.term(right)?);
        let is_pointer = |ty: &Type| matches!(ty, Type::Pointer(_));
        if self.before && is_pointer(&first) && is_pointer(&second) && matches!(operator, "==" | "!=") {
            // Where pointers point to has not changed; only what is there has a copy.
            return Scope { before: false, ..self.clone() }.binary(operator, left, right);
        }
        let text = match operator {
            "==>" => format!("(!{one} || {other})"),
            "<==>" => format!("(!{one} == !{other})"),
            "^^" => format!("(!{one} != !{other})"),
            _ => format!("({one} {operator} {other})"),
        };
        let ty = match operator {
            "+" | "-" | "*" | "/" | "%" => match (&first, &second) {
                (Type::Pointer(_), Type::Pointer(_)) => Type::Integer,
                (Type::Pointer(_), _) => first,
                (_, Type::Pointer(_)) | (_, Type::Real) => second,
                _ => first,
            },
            _ => Type::Integer,
        };
        Ok((text, ty))
    }

    fn quantified(&self, universal: bool, binders: &[String], body: &Term) -> Translated {
        let ranges = quantifiers::bounds(universal, binders, body)?;
        let flag = self.fresh(if universal { "all" } else { "some" });
        let stop = if universal { flag.clone() } else { format!("!{flag}") };
        let mut scope = self.clone();
        let mut loops = String::new();
        for range in &ranges {
            let (from, to) = (scope.predicate(&range.from)?, scope.predicate(&range.to)?);
            let (index, last) = (self.fresh("i"), self.fresh("last"));
            loops.push_str(&format!(
                "for (long long {index} = {from}, {last} = {to}; {stop} && {index} <= {last}; {index}++) "
            ));
            scope = scope.with_number(&range.name, &index);
            scope.fresh.set(self.fresh.get());
        }
        let inside = scope.predicate(body)?;
        self.fresh.set(scope.fresh.get());
        let start = u8::from(universal);
        Ok((format!("({{ int {flag} = {start}; {loops}{flag} = !!{inside}; {flag}; }})"), Type::Integer))
    }

    fn folded(&self, fold: Fold, from: &Term, to: &Term, binder: &str, body: &Term) -> Translated {
        let (from, to) = (self.predicate(from)?, self.predicate(to)?);
        let (total, index, last) = (self.fresh("fold"), self.fresh("i"), self.fresh("last"));
        let scope = self.with_number(binder, &index);
        scope.fresh.set(self.fresh.get());
        let (inside, ty) = scope.term(body)?;
        self.fresh.set(scope.fresh.get());
        let c_type = if ty == Type::Real { "double" } else { "long long" };
        let (start, step) = match fold {
            Fold::Sum => ("0", format!("{total} += {inside};")),
            Fold::Product => ("1", format!("{total} *= {inside};")),
            Fold::Count => ("0", format!("{total} += {inside} != 0;")),
            Fold::Min | Fold::Max => {
                let relation = if fold == Fold::Min { "<" } else { ">" };
                let first = format!("{index} == ({from}) || {inside} {relation} {total}");
                ("0", format!("if ({first}) {total} = {inside};"))
            }
        };
        let text = format!(
            "({{ {c_type} {total} = {start}; for (long long {index} = {from}, {last} = {to}; {index} <= {last}; {index}++) {{ {step} }} {total}; }})"
        );
        Ok((text, ty))
    }
}

fn declared(ty: &LogicType, name: &str) -> String {
    match ty {
        LogicType::Integer => format!("long long {name}"),
        LogicType::Boolean => format!("int {name}"),
        LogicType::Real => format!("double {name}"),
        LogicType::C(words, stars) => format!("{words} {}{name}", "*".repeat(*stars)),
    }
}

/// Reads an integer as a number that is far from its limits.
fn widened(text: &str, ty: &Type) -> String {
    match ty {
        Type::Integer => format!("((long long){text})"),
        _ => text.to_owned(),
    }
}

/// A number without the suffix that would make it narrow or unsigned.
fn number(text: &str, extent: Extent) -> Result<String, Diagnostic> {
    if text.starts_with('\'') {
        return Ok(format!("((long long){text})"));
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        None => digits.parse::<i64>(),
    };
    match value {
        Ok(value) => Ok(format!("{value}LL")),
        Err(_) => Err(Diagnostic::new(Kind::Unsupported, extent, format!("`{text}` is no number of 64 bits"))),
    }
}

fn wrong(extent: Extent, message: &str) -> Diagnostic {
    Diagnostic::new(Kind::Type, extent, message)
}

fn unsupported(extent: Extent, what: &str) -> Diagnostic {
    Diagnostic::new(Kind::Unsupported, extent, format!("{what} is outside the subset of ACSL"))
}
