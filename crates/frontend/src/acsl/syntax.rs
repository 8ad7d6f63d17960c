//! Specifications as they are written: the subset of ACSL that has a meaning here.
//!
//! Terms and predicates are one type, as in C: a predicate is a term that is true or false. Every term knows its
//! place in the file.

use crate::boogie::Extent;

#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub kind: TermKind,
    pub extent: Extent,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// As it is written: a number or a character.
    Number(String),
    Real(String),
    True,
    False,
    Null,
    Result,
    Name(String),
    Unary(&'static str, Box<Term>),
    /// Operators of C, and `==>`, `<==>` and `^^`.
    Binary(&'static str, Box<Term>, Box<Term>),
    Conditional(Box<Term>, Box<Term>, Box<Term>),
    Index(Box<Term>, Box<Term>),
    /// `lo .. hi`, for what is valid or assigned.
    Range(Option<Box<Term>>, Option<Box<Term>>),
    /// With `->` or `.`
    Member(Box<Term>, bool, String),
    /// In the state before the function.
    Old(Box<Term>),
    Valid {
        writable: bool,
        what: Box<Term>,
    },
    /// Different parameters never overlap here.
    Separated(Vec<Term>),
    Quantified {
        universal: bool,
        binders: Vec<String>,
        body: Box<Term>,
    },
    /// `\sum(lo, hi, \lambda integer i; body)` and its like.
    Folded {
        fold: Fold,
        from: Box<Term>,
        to: Box<Term>,
        binder: String,
        body: Box<Term>,
    },
    /// Of a predicate or logic function of the file.
    Call(String, Vec<Term>),
    Cast(String, Box<Term>),
    Let(String, Box<Term>, Box<Term>),
    /// `\nothing`
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Sum,
    Product,
    Count,
    Min,
    Max,
}

/// A clause with the text that it was written as.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub term: Term,
    pub extent: Extent,
}

/// What a function promises.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contract {
    pub requires: Vec<Clause>,
    /// Those of behaviors hold under `\old` of what they assume.
    pub ensures: Vec<Clause>,
    /// Nothing if the contract does not say; an empty list for `\nothing`.
    pub assigns: Option<Vec<Term>>,
}

/// A predicate or a logic function.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub name: String,
    pub parameters: Vec<(String, LogicType)>,
    /// Nothing for a predicate.
    pub result: Option<LogicType>,
    pub body: Term,
    pub extent: Extent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogicType {
    Integer,
    Real,
    Boolean,
    /// A type of C with its stars.
    C(String, usize),
}

/// What an annotation comment says.
#[derive(Clone, Debug, PartialEq)]
pub enum Annotation {
    Contract(Contract),
    Assert(Clause),
    Definitions(Vec<Definition>),
    /// A loop's annotations, which are for provers that need them.
    Loop,
}

impl Term {
    pub fn new(kind: TermKind, extent: Extent) -> Term {
        Term { kind, extent }
    }

    /// The parts, in their order.
    pub fn parts(&self) -> Vec<&Term> {
        match &self.kind {
            TermKind::Number(_)
            | TermKind::Real(_)
            | TermKind::True
            | TermKind::False
            | TermKind::Null
            | TermKind::Result
            | TermKind::Name(_)
            | TermKind::Nothing => Vec::new(),
            TermKind::Unary(_, one)
            | TermKind::Member(one, ..)
            | TermKind::Old(one)
            | TermKind::Cast(_, one)
            | TermKind::Valid { what: one, .. } => vec![one],
            TermKind::Binary(_, one, other) | TermKind::Index(one, other) | TermKind::Let(_, one, other) => {
                vec![one, other]
            }
            TermKind::Conditional(one, two, three) | TermKind::Folded { from: one, to: two, body: three, .. } => {
                vec![one, two, three]
            }
            TermKind::Range(from, to) => from.iter().chain(to).map(|it| it.as_ref()).collect(),
            TermKind::Separated(all) | TermKind::Call(_, all) => all.iter().collect(),
            TermKind::Quantified { body, .. } => vec![body],
        }
    }

    /// The names that stand free in it.
    pub fn names(&self) -> std::collections::BTreeSet<String> {
        let mut names: std::collections::BTreeSet<String> = self.parts().iter().flat_map(|it| it.names()).collect();
        match &self.kind {
            TermKind::Name(name) => {
                names.insert(name.clone());
            }
            TermKind::Quantified { binders, .. } => names.retain(|name| !binders.contains(name)),
            TermKind::Folded { from, to, binder, body, .. } => {
                names = body.names();
                names.remove(binder);
                names.extend(from.names().into_iter().chain(to.names()));
            }
            TermKind::Let(bound, value, body) => {
                names = body.names();
                names.remove(bound);
                names.extend(value.names());
            }
            _ => {}
        }
        names
    }

    /// The conjuncts of a predicate.
    pub fn conjuncts(&self) -> Vec<&Term> {
        match &self.kind {
            TermKind::Binary("&&", one, other) => {
                let mut all = one.conjuncts();
                all.extend(other.conjuncts());
                all
            }
            _ => vec![self],
        }
    }
}
