//! Boogie's types after resolution, and their sorts.
//!
//! Synonyms are expanded. A map of several indices is an array of arrays, one level an index: `m[i, j]` is
//! `m[i][j]` to a solver, though not to the type checker. A declared type is an uninterpreted sort, each
//! instance of a type constructor one of its own. Polymorphic maps have no sort.

use std::collections::BTreeMap;
use std::fmt;

use logic::sort::{MAX_WIDTH, Sort};
use logic::terms::Terms;

use super::diagnostic::{Diagnostic, Kind};
use super::syntax::{self, Declaration, File, TypeKind};

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    Bool,
    Int,
    Real,
    BitVector(u32),
    Map { indices: Vec<Type>, element: Box<Type> },
    Named { name: String, arguments: Vec<Type> },
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => write!(out, "bool"),
            Type::Int => write!(out, "int"),
            Type::Real => write!(out, "real"),
            Type::BitVector(width) => write!(out, "bv{width}"),
            Type::Map { indices, element } => {
                let indices: Vec<String> = indices.iter().map(Type::to_string).collect();
                write!(out, "[{}]{element}", indices.join(", "))
            }
            Type::Named { name, arguments } => {
                write!(out, "{name}")?;
                arguments.iter().try_for_each(|it| match it {
                    Type::Named { arguments, .. } if !arguments.is_empty() => write!(out, " ({it})"),
                    Type::Map { .. } => write!(out, " ({it})"),
                    _ => write!(out, " {it}"),
                })
            }
        }
    }
}

impl Type {
    pub fn sort(&self, terms: &mut Terms) -> Sort {
        match self {
            Type::Bool => Sort::Bool,
            Type::Int => Sort::Int,
            Type::Real => Sort::Real,
            Type::BitVector(width) => Sort::BitVector(*width),
            Type::Map { indices, element } => {
                let mut sort = element.sort(terms);
                for index in indices.iter().rev() {
                    let index = index.sort(terms);
                    sort = terms.array_sort(index, sort);
                }
                sort
            }
            Type::Named { .. } => terms.uninterpreted_sort(&self.to_string()),
        }
    }
}

#[derive(Clone, Debug)]
struct Declared {
    parameters: Vec<String>,
    synonym: Option<syntax::Type>,
}

/// The types that a file declares.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    declared: BTreeMap<String, Declared>,
    /// Declarations were met that are not supported: an unknown name may come from them.
    pub incomplete: bool,
}

/// Synonyms of synonyms are followed so far; beyond, they go round in circles or might as well.
const DEEPEST_SYNONYM: u32 = 100;
/// A type that consists of more parts is refused: synonyms can double its size at each step.
const LARGEST: u32 = 10_000;

/// The names of type parameters and what stands for them; and how much may still be built.
struct Expansion<'a> {
    parameters: &'a BTreeMap<String, Type>,
    depth: u32,
}

impl TypeTable {
    pub fn collect(file: &File, diagnostics: &mut Vec<Diagnostic>) -> TypeTable {
        let mut table = TypeTable::default();
        for declaration in &file.declarations {
            table.incomplete |= matches!(declaration, Declaration::Unsupported { declares: true, .. });
            let Declaration::Type { name, parameters, synonym } = declaration else { continue };
            let parameters = parameters.iter().map(|it| it.text.clone()).collect();
            let declared = Declared { parameters, synonym: synonym.clone() };
            let built_in = basic(&name.text).is_some();
            if built_in || table.declared.insert(name.text.clone(), declared).is_some() {
                let message = match built_in {
                    true => format!("the type `{}` is built in", name.text),
                    false => format!("the type `{}` is declared twice", name.text),
                };
                diagnostics.push(Diagnostic::new(Kind::Name, name.extent, message).with_help("give it another name"));
            }
        }
        table
    }

    /// What a written type means.
    pub fn resolve(&self, ty: &syntax::Type) -> Result<Type, Diagnostic> {
        let mut budget = LARGEST;
        self.expand(ty, &Expansion { parameters: &BTreeMap::new(), depth: 0 }, &mut budget)
    }

    fn expand(&self, ty: &syntax::Type, context: &Expansion<'_>, budget: &mut u32) -> Result<Type, Diagnostic> {
        if context.depth > DEEPEST_SYNONYM || *budget == 0 {
            let message = "the type is too large, or its synonym refers to itself";
            return Err(Diagnostic::new(Kind::Type, ty.extent, message));
        }
        *budget -= 1;
        match &ty.kind {
            TypeKind::Map { type_parameters, indices, element } => {
                if !type_parameters.is_empty() {
                    return Err(polymorphic(ty.extent, "a polymorphic map type"));
                }
                if indices.is_empty() {
                    return Err(Diagnostic::new(Kind::Unsupported, ty.extent, "a map without index is not supported"));
                }
                let indices = indices.iter().map(|it| self.expand(it, context, budget)).collect::<Result<_, _>>()?;
                let element = Box::new(self.expand(element, context, budget)?);
                Ok(Type::Map { indices, element })
            }
            TypeKind::Named { name, arguments } => {
                let arguments: Vec<Type> =
                    arguments.iter().map(|it| self.expand(it, context, budget)).collect::<Result<_, _>>()?;
                self.named(ty, name, arguments, context, budget)
            }
        }
    }

    fn named(
        &self,
        ty: &syntax::Type,
        name: &str,
        arguments: Vec<Type>,
        context: &Expansion<'_>,
        budget: &mut u32,
    ) -> Result<Type, Diagnostic> {
        let count = |expected: usize| match arguments.len() == expected {
            true => Ok(()),
            false => {
                let message = format!("the type `{name}` has {expected} arguments, but {} are given", arguments.len());
                Err(Diagnostic::new(Kind::Type, ty.extent, message))
            }
        };
        if let Some(found) = context.parameters.get(name) {
            count(0)?;
            return Ok(found.clone());
        }
        if let Some(found) = basic(name) {
            count(0)?;
            return found.map_err(|message| Diagnostic::new(Kind::Unsupported, ty.extent, message));
        }
        let Some(declared) = self.declared.get(name) else {
            let message = format!("the type `{name}` is not declared");
            if self.incomplete {
                return Err(Diagnostic::new(Kind::Unsupported, ty.extent, format!("{message} in a supported way")));
            }
            let diagnostic = Diagnostic::new(Kind::Name, ty.extent, message);
            return Err(diagnostic.with_help(format!("declare it with `type {name};`")));
        };
        count(declared.parameters.len())?;
        match &declared.synonym {
            None => Ok(Type::Named { name: name.to_owned(), arguments }),
            Some(synonym) => {
                let parameters = declared.parameters.iter().cloned().zip(arguments).collect();
                let inner = Expansion { parameters: &parameters, depth: context.depth + 1 };
                self.expand(synonym, &inner, budget)
            }
        }
    }
}

pub fn polymorphic(extent: super::diagnostic::Extent, what: &str) -> Diagnostic {
    Diagnostic::new(Kind::Unsupported, extent, format!("{what} is not supported"))
        .with_help("declare it for the types that are used")
}

/// The built-in type of this name; an error if it has no meaning here.
fn basic(name: &str) -> Option<Result<Type, String>> {
    match name {
        "bool" => return Some(Ok(Type::Bool)),
        "int" => return Some(Ok(Type::Int)),
        "real" => return Some(Ok(Type::Real)),
        "rmode" | "string" | "regex" => return Some(Err(format!("the type `{name}` is not supported"))),
        _ => {}
    }
    let is_float = name.strip_prefix("float").and_then(|rest| rest.split_once('e')).is_some_and(|(one, other)| {
        [one, other].iter().all(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    });
    if is_float {
        return Some(Err("floating-point types are not supported".to_owned()));
    }
    let digits = name.strip_prefix("bv").filter(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(match digits.parse() {
        Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(Type::BitVector(width)),
        _ => Err(format!("bit-vectors of {digits} bits are not supported: they have from 1 to {MAX_WIDTH} bits")),
    })
}
