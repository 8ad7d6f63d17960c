//! What a file declares, resolved: constants, global variables, functions, procedures, axioms.
//!
//! A file → an [`Environment`] with an arena of terms, in which each constant and global variable is a term.
//! Mistakes are collected; what is not supported is remembered where it was declared and matters only where
//! it is used. A function with a body is replaced by it where it is applied; a recursive one is an
//! uninterpreted function with its definition as an axiom.

use std::collections::{BTreeMap, BTreeSet};

use logic::sort::{FunctionId, Sort};
use logic::terms::{TermId, Terms};

use super::diagnostic::{Diagnostic, Extent, Kind};
use super::expressions::{Failed, Scope};
use super::syntax::{self, Binding, Body, Declaration, File, Implementation, Procedure};
use super::types::{Type, TypeTable, polymorphic};

/// Uniqueness of so many constants is said in pairs; of more by numbering them.
const PAIRS: usize = 16;

/// A constant, a variable or a parameter.
#[derive(Clone, Debug)]
pub struct Variable {
    pub ty: Type,
    pub term: TermId,
    pub kind: VariableKind,
    /// The `where` clause.
    pub condition: Option<syntax::ExpressionId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    Constant,
    Global,
    Parameter,
    /// A result or a local variable.
    Local,
}

/// What an application of a function means.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// The body has not been looked at.
    Open,
    /// The body is being looked at; who meets this has found a recursive function.
    UnderWay,
    Uninterpreted,
    /// The body, over these variables.
    Defined {
        parameters: Vec<TermId>,
        body: TermId,
    },
    /// A solver's operator, in SMT-LIB's words, with numbers that belong to it.
    BuiltIn {
        name: String,
    },
    Unsupported(Diagnostic),
    /// A mistake has been told.
    Wrong,
}

#[derive(Clone, Debug)]
pub struct FunctionEntry<'f> {
    pub declaration: &'f syntax::Function,
    pub parameters: Vec<Type>,
    pub result: Option<Type>,
    pub meaning: Meaning,
    /// Applied in its own definition.
    pub recursive: bool,
}

/// A procedure with its bodies.
#[derive(Clone, Debug)]
pub struct ProcedureEntry<'f> {
    pub declaration: &'f Procedure,
    pub bodies: Vec<Implemented<'f>>,
}

/// A body, with the names that parameters and results have in it.
#[derive(Clone, Copy, Debug)]
pub struct Implemented<'f> {
    pub parameters: &'f [Binding],
    pub results: &'f [Binding],
    pub body: &'f Body,
}

pub struct Environment<'f> {
    pub file: &'f File,
    pub terms: Terms,
    pub types: TypeTable,
    pub diagnostics: Vec<Diagnostic>,
    /// Constants and global variables.
    pub variables: BTreeMap<String, Variable>,
    /// Those whose type is not supported.
    pub unusable: BTreeMap<String, Diagnostic>,
    pub functions: BTreeMap<String, FunctionEntry<'f>>,
    pub procedures: BTreeMap<String, ProcedureEntry<'f>>,
    pub axioms: Vec<TermId>,
    /// Axioms and orders that could not be taken over.
    pub left_out: Vec<Diagnostic>,
    /// What is taken in another way than it stands there.
    pub remarks: BTreeSet<Diagnostic>,
    /// The procedures in the order of the file.
    pub order: Vec<String>,
}

impl<'f> Environment<'f> {
    pub fn new(file: &'f File) -> Environment<'f> {
        let mut diagnostics = Vec::new();
        let types = TypeTable::collect(file, &mut diagnostics);
        let mut environment = Environment {
            file,
            terms: Terms::new(),
            types,
            diagnostics,
            variables: BTreeMap::new(),
            unusable: BTreeMap::new(),
            functions: BTreeMap::new(),
            procedures: BTreeMap::new(),
            axioms: Vec::new(),
            left_out: Vec::new(),
            remarks: BTreeSet::new(),
            order: Vec::new(),
        };
        environment.declare();
        environment
    }

    fn declare(&mut self) {
        let file = self.file;
        let mut unique: BTreeMap<Type, Vec<TermId>> = BTreeMap::new();
        for declaration in &file.declarations {
            match declaration {
                Declaration::Constant { unique: is_unique, bindings } => {
                    for binding in bindings {
                        if let Some((ty, term)) = self.variable(binding, VariableKind::Constant)
                            && *is_unique
                        {
                            unique.entry(ty).or_default().push(term);
                        }
                    }
                }
                Declaration::Variable(bindings) => {
                    bindings.iter().for_each(|it| drop(self.variable(it, VariableKind::Global)));
                }
                Declaration::Function(function) => self.function(function),
                Declaration::Procedure(procedure) => self.procedure(procedure),
                Declaration::Unsupported { what, extent, .. } => {
                    let message = format!("{what} is not supported");
                    self.left_out.push(Diagnostic::new(Kind::Unsupported, *extent, message));
                }
                // Types are known; implementations and axioms need the rest.
                Declaration::Type { .. } | Declaration::Axiom(_) | Declaration::Implementation(_) => {}
            }
        }
        self.make_unique(unique);
        for declaration in &file.declarations {
            match declaration {
                Declaration::Implementation(implementation) => self.implementation(implementation),
                Declaration::Axiom(formula) => self.axiom(*formula),
                _ => {}
            }
        }
        let names: Vec<String> = self.functions.keys().cloned().collect();
        names.iter().for_each(|it| self.define(it));
    }

    pub fn tell(&mut self, kind: Kind, extent: Extent, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(kind, extent, message));
    }

    fn twice(&mut self, what: &str, name: &syntax::Name) {
        let message = format!("{what} `{}` is declared twice", name.text);
        self.diagnostics.push(Diagnostic::new(Kind::Name, name.extent, message).with_help("give it another name"));
    }

    /// Notes a type that cannot be used; a mistake is told at once.
    pub fn resolve(&mut self, ty: &syntax::Type) -> Result<Type, Failed> {
        self.types.resolve(ty).map_err(|diagnostic| self.failed(diagnostic))
    }

    pub fn failed(&mut self, diagnostic: Diagnostic) -> Failed {
        if diagnostic.kind == Kind::Unsupported {
            return Failed::Unsupported(diagnostic);
        }
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
        Failed::Told
    }

    fn variable(&mut self, binding: &Binding, kind: VariableKind) -> Option<(Type, TermId)> {
        let name = &binding.name.text;
        if self.variables.contains_key(name) || self.unusable.contains_key(name) {
            self.twice("the variable or constant", &binding.name);
            return None;
        }
        match self.resolve(&binding.ty) {
            Ok(ty) => {
                let sort = ty.sort(&mut self.terms);
                let term = self.terms.variable(name, sort);
                let variable = Variable { ty: ty.clone(), term, kind, condition: binding.condition };
                self.variables.insert(name.clone(), variable);
                Some((ty, term))
            }
            Err(Failed::Unsupported(diagnostic)) => {
                self.unusable.insert(name.clone(), diagnostic);
                None
            }
            Err(Failed::Told) => None,
        }
    }

    fn make_unique(&mut self, unique: BTreeMap<Type, Vec<TermId>>) {
        for (ty, constants) in unique {
            if constants.len() <= PAIRS {
                for (index, &one) in constants.iter().enumerate() {
                    for &other in &constants[index + 1..] {
                        let distinct = self.terms.distinct(one, other);
                        self.axioms.push(distinct);
                    }
                }
                continue;
            }
            let sort = ty.sort(&mut self.terms);
            let number = self.terms.function(&format!("number of {ty}"), &[sort], Sort::Int);
            for (index, &constant) in constants.iter().enumerate() {
                let application = self.terms.apply(number, &[constant]);
                let index = self.terms.int(index);
                let numbered = self.terms.eq(application, index);
                self.axioms.push(numbered);
            }
        }
    }

    fn function(&mut self, declaration: &'f syntax::Function) {
        if self.functions.contains_key(&declaration.name.text) {
            self.twice("the function", &declaration.name);
            return;
        }
        let mut meaning = built_in(declaration).unwrap_or(Meaning::Open);
        let mut parameters = Vec::new();
        for (_, ty) in &declaration.parameters {
            match self.signature_type(declaration, ty) {
                Ok(ty) => parameters.push(ty),
                Err(unusable) => meaning = unusable,
            }
        }
        let result = match self.signature_type(declaration, &declaration.result) {
            Ok(ty) => Some(ty),
            Err(unusable) => {
                meaning = unusable;
                None
            }
        };
        let entry = FunctionEntry { declaration, parameters, result, meaning, recursive: false };
        self.functions.insert(declaration.name.text.clone(), entry);
    }

    fn signature_type(&mut self, declaration: &syntax::Function, ty: &syntax::Type) -> Result<Type, Meaning> {
        if !declaration.type_parameters.is_empty() {
            let diagnostic = polymorphic(declaration.name.extent, "a polymorphic function");
            return Err(Meaning::Unsupported(diagnostic));
        }
        self.resolve(ty).map_err(|failed| match failed {
            Failed::Unsupported(diagnostic) => Meaning::Unsupported(diagnostic),
            Failed::Told => Meaning::Wrong,
        })
    }

    /// Looks at a function's body, once.
    pub fn define(&mut self, name: &str) {
        let Some(entry) = self.functions.get_mut(name) else { return };
        if !matches!(entry.meaning, Meaning::Open) {
            return;
        }
        let declaration = entry.declaration;
        let Some(body) = declaration.body else {
            entry.meaning = Meaning::Uninterpreted;
            return;
        };
        entry.meaning = Meaning::UnderWay;
        let (types, result) = (entry.parameters.clone(), entry.result.clone());
        let mut locals = BTreeMap::new();
        let mut parameters = Vec::new();
        for ((parameter, _), ty) in declaration.parameters.iter().zip(&types) {
            let sort = ty.sort(&mut self.terms);
            let text = parameter.as_ref().map_or("unnamed", |it| &it.text);
            let term = self.terms.fresh(text, sort);
            parameters.push(term);
            let variable = Variable { ty: ty.clone(), term, kind: VariableKind::Parameter, condition: None };
            if let Some(parameter) = parameter
                && locals.insert(parameter.text.clone(), variable).is_some()
            {
                self.twice("the parameter", parameter);
            }
        }
        let mut scope = Scope::of_declarations(&locals);
        let elaborated = self.expect_type(body, result.as_ref(), &mut scope);
        let recursive = self.functions.get(name).is_some_and(|it| it.recursive);
        let meaning = match elaborated {
            Ok(body) if !recursive => Meaning::Defined { parameters, body },
            Ok(body) => {
                let application = self.application(name, &parameters);
                let equal = self.terms.eq(application, body);
                let axiom = if parameters.is_empty() { equal } else { self.terms.forall(&parameters, equal) };
                self.axioms.push(axiom);
                Meaning::Uninterpreted
            }
            Err(Failed::Unsupported(diagnostic)) => Meaning::Unsupported(diagnostic),
            Err(Failed::Told) => Meaning::Wrong,
        };
        if let Some(entry) = self.functions.get_mut(name) {
            entry.meaning = meaning;
        }
    }

    /// An uninterpreted application; one without arguments is a constant.
    pub fn application(&mut self, name: &str, arguments: &[TermId]) -> TermId {
        let entry = &self.functions[name];
        let (parameters, result) = (entry.parameters.clone(), entry.result.clone());
        let result = result.unwrap_or(Type::Bool).sort(&mut self.terms);
        if arguments.is_empty() {
            return self.terms.variable(&format!("{name}()"), result);
        }
        let sorts: Vec<Sort> = parameters.iter().map(|it| it.sort(&mut self.terms)).collect();
        let function: FunctionId = self.terms.function(name, &sorts, result);
        self.terms.apply(function, arguments)
    }

    fn axiom(&mut self, formula: syntax::ExpressionId) {
        let locals = BTreeMap::new();
        let mut scope = Scope::of_declarations(&locals);
        match self.expect_type(formula, Some(&Type::Bool), &mut scope) {
            Ok(term) => self.axioms.push(term),
            Err(Failed::Unsupported(mut diagnostic)) => {
                diagnostic.message += ", so that the axiom is left out";
                self.left_out.push(diagnostic);
            }
            Err(Failed::Told) => {}
        }
    }

    fn procedure(&mut self, declaration: &'f Procedure) {
        let name = &declaration.name;
        let body = declaration.body.as_ref();
        let implemented =
            body.map(|body| Implemented { parameters: &declaration.parameters, results: &declaration.results, body });
        let entry = ProcedureEntry { declaration, bodies: implemented.into_iter().collect() };
        if self.procedures.contains_key(&name.text) {
            self.twice("the procedure", name);
            return;
        }
        self.procedures.insert(name.text.clone(), entry);
        self.order.push(name.text.clone());
    }

    fn implementation(&mut self, implementation: &'f Implementation) {
        let name = &implementation.name;
        let Some(entry) = self.procedures.get(&name.text) else {
            let diagnostic =
                Diagnostic::new(Kind::Name, name.extent, format!("the procedure `{}` is not declared", name.text))
                    .with_help(format!("declare it with `procedure {}(…);`", name.text));
            self.diagnostics.push(diagnostic);
            return;
        };
        let declared = entry.declaration;
        let pairs = [(&declared.parameters, &implementation.parameters), (&declared.results, &implementation.results)];
        for (one, other) in pairs {
            if one.len() != other.len() {
                let message = format!(
                    "the implementation has {} here, but the procedure `{}` has {}",
                    other.len(),
                    name.text,
                    one.len()
                );
                self.tell(Kind::Type, name.extent, message);
                return;
            }
            for (one, other) in one.iter().zip(other) {
                if let (Ok(one), Ok(found)) = (self.types.resolve(&one.ty), self.types.resolve(&other.ty))
                    && one != found
                {
                    let message = format!("`{}` has the type {found}, but {one} in the procedure", other.name.text);
                    self.tell(Kind::Type, other.name.extent, message);
                    return;
                }
            }
        }
        let implemented = Implemented {
            parameters: &implementation.parameters,
            results: &implementation.results,
            body: &implementation.body,
        };
        if let Some(entry) = self.procedures.get_mut(&name.text) {
            entry.bodies.push(implemented);
        }
    }
}

/// The operator that an attribute says the function is.
fn built_in(declaration: &syntax::Function) -> Option<Meaning> {
    let attribute = |name: &str| declaration.attributes.iter().find(|it| it.name == name);
    let mut name = attribute("bvbuiltin").or_else(|| attribute("builtin"))?.texts.first()?.clone();
    for index in attribute("indices").into_iter().flat_map(|it| &it.numbers) {
        name += " ";
        name += index;
    }
    Some(Meaning::BuiltIn { name })
}
