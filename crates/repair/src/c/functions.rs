//! A function's parameters, variables and places.
//!
//! A *place* is where one statement computes or decides something: the unit that a repair changes. Its range is what
//! stands in the text for it: a whole statement with its semicolon, or the expression of a condition or initializer.

use std::collections::BTreeMap;
use std::ops::Range;

use source::SyntaxNode;

use super::Expr;
use super::structures::{self, Structure};

/// Something that has a name and a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// The type without qualifiers and stars: `unsigned int`.
    pub words: String,
    /// Pointers and array dimensions.
    pub stars: usize,
    pub is_array: bool,
    /// What is written between the brackets of an array, from left to right.
    pub dimensions: Vec<String>,
    /// A pointer to a function.
    pub is_function: bool,
    pub is_constant: bool,
    pub is_parameter: bool,
    /// Where its name can be used.
    pub scope: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub kind: PlaceKind,
    /// What is replaced when the place changes as a whole.
    pub range: Range<usize>,
    pub expr: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// An expression with its semicolon.
    Statement,
    Return,
    /// Of the variable of this name.
    Initializer(String),
    /// True or false, of an `if` or a loop.
    Condition {
        of_loop: bool,
    },
    /// The first or last part of a `for`.
    Effect,
    /// Variables or a macro: no code, so that each change of it is compiled by itself.
    Declaration(Declared),
}

/// The parts of a declaration that can be wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The type's words, of variables.
    pub ty: Option<Range<usize>>,
    /// Numbers that are lengths of arrays.
    pub lengths: Vec<Range<usize>>,
    /// Where an initial value could be added to a number.
    pub bare: Vec<usize>,
    /// Initial values that no function computes, and the text of a macro, where they are numbers.
    pub values: Vec<Range<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    /// The type of the result without stars.
    pub words: String,
    pub stars: usize,
    pub whole: Range<usize>,
    pub body: Range<usize>,
    /// Between what precedes it and itself: where its contract stands.
    pub before: Range<usize>,
    pub parameters: Vec<Variable>,
    /// Parameters, locals, and those of the file.
    pub variables: Vec<Variable>,
    pub places: Vec<Place>,
    /// The body as it was parsed.
    pub syntax: SyntaxNode,
}

/// All functions and variables of a file.
#[derive(Clone, Debug)]
pub struct Outline {
    pub functions: Vec<Function>,
    pub globals: Vec<Variable>,
    pub structures: Vec<Structure>,
    /// Macros that are numbers.
    pub constants: BTreeMap<String, i64>,
}

impl Outline {
    pub fn read(tree: &SyntaxNode, text: &str) -> Outline {
        let everywhere = 0..text.len();
        let mut globals = Vec::new();
        for declaration in tree.all().into_iter().filter(|it| it.kind == "declaration") {
            if !inside_function(tree, declaration) {
                declared(declaration, text, &everywhere, &mut globals);
            }
        }
        let mut functions = Vec::new();
        let mut end = 0;
        let declarations: Vec<Place> =
            top_level(tree).into_iter().filter_map(|node| declaration(node, text, true)).collect();
        for node in top_level(tree) {
            if node.kind == "function_definition" {
                functions.extend(Function::read(node, text, end, &globals, &declarations));
            }
            end = node.range.end;
        }
        Outline {
            functions,
            globals,
            structures: structures::all(tree, text),
            constants: structures::constants(tree, text),
        }
    }

    /// `main` with the places and variables of all functions, where it does not matter in which of them something changes.
    /// A `main` in the style before ANSI C is not among the functions; what it is called with, [`parameters_of`] tells.
    pub fn whole(&self, text: &str) -> Option<Function> {
        let mut whole = match (self.function("main"), parameters_of("main", text)) {
            (Some(main), _) => main.clone(),
            (None, Some(_)) => Function { name: "main".to_owned(), ..self.functions.first()?.clone() },
            (None, None) => return None,
        };
        let mut bodies = Vec::new();
        for function in &self.functions {
            let is_new = |it: &&Place| !whole.places.iter().any(|known| known.range == it.range);
            let places: Vec<Place> = function.places.iter().filter(is_new).cloned().collect();
            whole.places.extend(places);
            let is_new = |it: &&Variable| !whole.variables.contains(it);
            let variables: Vec<Variable> = function.variables.iter().filter(is_new).cloned().collect();
            whole.variables.extend(variables);
            bodies.push(function.syntax.clone());
        }
        whole.places.sort_by_key(|it| (it.is_declaration(), it.range.start));
        let range = 0..bodies.iter().map(|it| it.range.end).max().unwrap_or(0);
        whole.syntax = SyntaxNode { kind: "translation_unit", field: None, is_named: true, range, children: bodies };
        Some(whole)
    }

    /// The structure that a type's words mean.
    pub fn structure(&self, words: &str) -> Option<&Structure> {
        self.structures.iter().find(|it| it.names.iter().any(|name| name == words))
    }

    /// The function in which an offset is.
    pub fn around(&self, at: usize) -> Option<&Function> {
        self.functions.iter().find(|it| it.whole.contains(&at))
    }

    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|it| it.name == name)
    }
}

/// How many parameters the text names where it defines a function, whatever the style.
pub fn parameters_of(name: &str, text: &str) -> Option<usize> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    for (at, _) in text.match_indices(name) {
        let before = at.checked_sub(1).is_some_and(|it| is_word(text.as_bytes()[it]));
        let Some(rest) = text[at + name.len()..].trim_start().strip_prefix('(') else { continue };
        let Some((list, after)) = rest.split_once(')') else { continue };
        let is_definition = after
            .find(['{', ';'])
            .is_some_and(|end| after.as_bytes()[end] == b'{' || after[..end].split_whitespace().count() > 1);
        if !before && is_definition {
            let list = list.trim();
            return Some(if list.is_empty() || list == "void" { 0 } else { list.split(',').count() });
        }
    }
    None
}

/// What stands outside functions, also inside `#if`.
fn top_level(tree: &SyntaxNode) -> Vec<&SyntaxNode> {
    let mut found = Vec::new();
    for node in tree.named() {
        match node.kind {
            kind if kind.starts_with("preproc_if") || kind.starts_with("preproc_el") => found.extend(top_level(node)),
            "linkage_specification" | "declaration_list" => found.extend(top_level(node)),
            _ => found.push(node),
        }
    }
    found
}

fn inside_function(tree: &SyntaxNode, node: &SyntaxNode) -> bool {
    let contains = |it: &&SyntaxNode| it.range.start <= node.range.start && node.range.end <= it.range.end;
    top_level(tree).into_iter().filter(|it| it.kind == "function_definition").any(|it| contains(&it))
}

impl Place {
    pub fn is_declaration(&self) -> bool {
        matches!(self.kind, PlaceKind::Declaration(_))
    }
}

impl Function {
    fn read(
        node: &SyntaxNode,
        text: &str,
        end: usize,
        globals: &[Variable],
        declarations: &[Place],
    ) -> Option<Function> {
        let body = node.child("body")?;
        let declarator = node.child("declarator")?;
        let shape = Shape::of(declarator, text)?;
        let (words, _) = type_words(node, text);
        let list = declarator.all().into_iter().find(|it| it.kind == "parameter_list")?;
        let mut parameters = Vec::new();
        for parameter in list.named().filter(|it| it.kind == "parameter_declaration") {
            let Some(shape) = parameter.child("declarator").and_then(|it| Shape::of(it, text)) else { continue };
            let mut variable = shape.variable(parameter, text, &body.range);
            variable.is_parameter = true;
            parameters.push(variable);
        }
        let mut variables = parameters.clone();
        let mut places = Vec::new();
        locals(body, text, &body.range, &mut variables);
        find_places(body, text, &mut places);
        places.extend(body.all().into_iter().filter_map(|it| declaration(it, text, false)));
        places.extend(declarations.iter().cloned());
        variables.extend(
            globals
                .iter()
                .filter(|it| !variables.iter().any(|known| known.name == it.name))
                .cloned()
                .collect::<Vec<_>>(),
        );
        Some(Function {
            name: shape.name,
            words,
            stars: shape.stars,
            whole: node.range.clone(),
            body: body.range.clone(),
            before: end..node.range.start,
            parameters,
            variables,
            places,
            syntax: body.clone(),
        })
    }

    pub fn variable(&self, name: &str, at: usize) -> Option<&Variable> {
        let inner = |it: &&Variable| it.name == name && it.scope.contains(&at);
        self.variables.iter().filter(inner).min_by_key(|it| it.scope.len())
    }

    /// Variables whose name means them at an offset.
    pub fn visible(&self, at: usize) -> Vec<&Variable> {
        self.variables.iter().filter(|it| self.variable(&it.name, at) == Some(it)).collect()
    }
}

/// A declarator's name, and what is around it.
#[derive(Default)]
pub(super) struct Shape {
    name: String,
    stars: usize,
    is_array: bool,
    dimensions: Vec<String>,
    is_function: bool,
}

impl Shape {
    pub(super) fn of(declarator: &SyntaxNode, text: &str) -> Option<Shape> {
        let mut shape = Shape::default();
        let mut node = declarator;
        loop {
            match node.kind {
                "identifier" | "field_identifier" | "type_identifier" => {
                    // The declarator that stands furthest inside is the first dimension.
                    shape.dimensions.reverse();
                    shape.name = text[node.range.clone()].to_owned();
                    return Some(shape);
                }
                "pointer_declarator" => shape.stars += 1,
                "array_declarator" => {
                    shape.stars += 1;
                    shape.is_array = true;
                    let size = node.child("size").map(|it| text[it.range.clone()].to_owned());
                    shape.dimensions.push(size.unwrap_or_default());
                }
                "function_declarator" => shape.is_function = true,
                _ => {}
            }
            node = node.child("declarator").or_else(|| {
                node.named().find(|it| it.kind.ends_with("declarator") || it.kind.ends_with("identifier"))
            })?;
        }
    }

    pub(super) fn variable(self, declaration: &SyntaxNode, text: &str, scope: &Range<usize>) -> Variable {
        let (words, is_constant) = type_words(declaration, text);
        Variable {
            name: self.name,
            words,
            stars: self.stars,
            is_array: self.is_array,
            dimensions: self.dimensions,
            is_function: self.is_function,
            is_constant,
            is_parameter: false,
            scope: scope.clone(),
        }
    }
}

/// The type's words without qualifiers and storage, and whether it is constant.
fn type_words(declaration: &SyntaxNode, text: &str) -> (String, bool) {
    let ty = declaration.child("type").map(|it| text[it.range.clone()].to_owned()).unwrap_or("int".to_owned());
    let constant = declaration.named().any(|it| it.kind == "type_qualifier" && &text[it.range.clone()] == "const");
    (ty.split_whitespace().collect::<Vec<_>>().join(" "), constant)
}

fn declared(declaration: &SyntaxNode, text: &str, scope: &Range<usize>, into: &mut Vec<Variable>) {
    for declarator in declaration.children.iter().filter(|it| it.field == Some("declarator")) {
        let is_function = declarator.all().iter().any(|it| it.kind == "function_declarator");
        if let Some(shape) = Shape::of(declarator, text).filter(|_| !is_function) {
            into.push(shape.variable(declaration, text, scope));
        }
    }
}

fn locals(node: &SyntaxNode, text: &str, scope: &Range<usize>, into: &mut Vec<Variable>) {
    for child in node.named() {
        match child.kind {
            "declaration" => declared(child, text, &(child.range.end..scope.end), into),
            "compound_statement" | "for_statement" => locals(child, text, &child.range, into),
            _ => locals(child, text, scope, into),
        }
    }
}

/// A declaration or a macro with what could be wrong in it.
fn declaration(node: &SyntaxNode, text: &str, is_global: bool) -> Option<Place> {
    let mut declared = Declared::default();
    let is_number = |it: &SyntaxNode| it.kind == "number_literal";
    match node.kind {
        "preproc_def" => {
            let value = node.child("value")?;
            let spelled = text[value.range.clone()].trim_end();
            let start = value.range.start + (spelled.len() - spelled.trim_start().len());
            spelled.trim().parse::<i64>().ok()?;
            declared.values.push(start..start + spelled.trim().len());
        }
        "declaration" => {
            declared.ty = node.child("type").filter(|it| !it.kind.ends_with("_specifier")).map(|it| it.range.clone());
            if let Some(ty) = node.child("type").filter(|it| it.kind == "sized_type_specifier") {
                declared.ty = Some(ty.range.clone());
            }
            let declarators = || node.children.iter().filter(|it| it.field == Some("declarator"));
            if declarators().any(|it| it.all().iter().any(|it| it.kind == "function_declarator")) {
                return None;
            }
            for declarator in declarators() {
                let arrays = declarator.all().into_iter().filter(|it| it.kind == "array_declarator");
                let sizes = arrays.filter_map(|it| it.child("size"));
                declared.lengths.extend(sizes.filter(|it| is_number(it)).map(|it| it.range.clone()));
                if declarator.kind == "identifier" {
                    declared.bare.push(declarator.range.end);
                }
                if let (true, Some(value)) = (is_global, declarator.child("value")) {
                    declared.values.extend(Some(value).filter(|it| is_number(it)).map(|it| it.range.clone()));
                }
            }
        }
        _ => return None,
    }
    let range = node.range.start..node.range.start + text[node.range.clone()].trim_end().len();
    let expr = Expr { kind: super::ExprKind::Other(Vec::new()), range: range.clone() };
    Some(Place { kind: PlaceKind::Declaration(declared), range, expr })
}

fn find_places(node: &SyntaxNode, text: &str, into: &mut Vec<Place>) {
    let mut add = |kind: PlaceKind, range: Range<usize>, expr: &SyntaxNode| {
        if !expr.all().iter().any(|it| it.kind == "ERROR") {
            into.push(Place { kind, range, expr: Expr::read(expr, text) });
        }
    };
    match node.kind {
        "expression_statement" => {
            if let Some(expr) = node.named().next() {
                add(PlaceKind::Statement, node.range.clone(), expr);
            }
            return;
        }
        "return_statement" => {
            if let Some(expr) = node.named().next() {
                add(PlaceKind::Return, node.range.clone(), expr);
            }
            return;
        }
        "init_declarator" => {
            let name = Shape::of(node, text).filter(|it| !it.is_array).map(|it| it.name);
            if let (Some(name), Some(value)) = (name, node.child("value"))
                && value.kind != "initializer_list"
            {
                add(PlaceKind::Initializer(name), value.range.clone(), value);
            }
            return;
        }
        "if_statement" | "while_statement" | "do_statement" => {
            if let Some(condition) = node.child("condition") {
                let inner = condition.named().next().unwrap_or(condition);
                let of_loop = node.kind != "if_statement";
                add(PlaceKind::Condition { of_loop }, inner.range.clone(), inner);
            }
        }
        "for_statement" => {
            for field in ["initializer", "condition", "update"] {
                let Some(part) = node.child(field) else { continue };
                match (field, part.kind) {
                    (_, "declaration") => {}
                    ("condition", _) => add(PlaceKind::Condition { of_loop: true }, part.range.clone(), part),
                    _ => add(PlaceKind::Effect, part.range.clone(), part),
                }
            }
        }
        _ => {}
    }
    let is_header =
        |it: &&SyntaxNode| matches!(it.field, Some("condition" | "update")) && node.kind != "switch_statement";
    for child in node.named().filter(|it| !is_header(it)) {
        let effect = node.kind == "for_statement" && child.field == Some("initializer") && child.kind != "declaration";
        if !effect {
            find_places(child, text, into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_of_any_style() {
        for (text, expected) in [
            ("int main(void) { return 0; }", Some(0)),
            ("main(argc, argv)\nint argc;\nchar *argv[];\n{ }", Some(2)),
            ("int main();\nint f() { return domain(1) + main(); }", None),
            ("int main(int argc, char **argv)\n{\n}", Some(2)),
        ] {
            assert_eq!(parameters_of("main", text), expected, "{text}");
        }
    }
}
