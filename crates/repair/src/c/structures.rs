//! The structures that a file defines, and its macros that are numbers.

use std::collections::BTreeMap;

use source::SyntaxNode;

use super::Variable;
use super::functions::Shape;

/// A structure with its members, as the text defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The words of its type: `struct point`, and what `typedef` calls it; `*list` where that is a pointer to it.
    pub names: Vec<String>,
    pub members: Vec<Variable>,
}

/// All structures of a file.
pub fn all(tree: &SyntaxNode, text: &str) -> Vec<Structure> {
    let nodes = tree.all();
    let spelled = |it: &SyntaxNode| text[it.range.clone()].split_whitespace().collect::<String>();
    let tag = |it: &SyntaxNode| it.child("name").map(|name| format!("struct {}", spelled(name)));
    let definitions = || nodes.iter().filter(|it| it.kind == "type_definition");
    let mut found: Vec<Structure> = Vec::new();
    for node in nodes.iter().filter(|it| it.kind == "struct_specifier") {
        let Some(body) = node.child("body") else { continue };
        let mut members = Vec::new();
        for field in body.named().filter(|it| it.kind == "field_declaration") {
            let declarators = field.children.iter().filter(|it| it.field == Some("declarator"));
            let shapes = declarators.filter_map(|it| Shape::of(it, text));
            members.extend(shapes.map(|it| it.variable(field, text, &(0..text.len()))));
        }
        // What `typedef` calls it is known by its tag, or by where its body stands.
        let names_it = |it: &&&SyntaxNode| {
            let ty = it.child("type").filter(|ty| ty.kind == "struct_specifier");
            ty.is_some_and(|ty| ty.range == node.range || (tag(ty).is_some() && tag(ty) == tag(node)))
        };
        let aliases = definitions().filter(names_it).filter_map(|it| it.child("declarator")).map(spelled);
        found.push(Structure { names: tag(node).into_iter().chain(aliases).collect(), members });
    }
    found
}

/// Macros that stand for a number.
pub fn constants(tree: &SyntaxNode, text: &str) -> BTreeMap<String, i64> {
    let macros = tree.all().into_iter().filter(|it| it.kind == "preproc_def");
    let numbers = macros.filter_map(|it| {
        let (name, value) = (it.child("name")?, it.child("value")?);
        Some((text[name.range.clone()].to_owned(), text[value.range.clone()].trim().parse().ok()?))
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use source::Sources;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&[&str], &[&str])]) {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some(text.to_owned()));
        let found = all(&sources.syntax_tree(file).unwrap(), text);
        let shown: Vec<(Vec<&str>, Vec<&str>)> = found
            .iter()
            .map(|it| {
                let names = it.names.iter().map(String::as_str).collect();
                (names, it.members.iter().map(|member| member.name.as_str()).collect())
            })
            .collect();
        let expected: Vec<(Vec<&str>, Vec<&str>)> =
            expected.iter().map(|(names, members)| (names.to_vec(), members.to_vec())).collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn structures_are_known_by_all_their_names() {
        check("struct point { int x, y; };", &[(&["struct point"], &["x", "y"])]);
        check("typedef struct { int x; } point;", &[(&["point"], &["x"])]);
        check(
            "typedef struct node node;\nstruct node { int value; node *next; };\ntypedef struct node *list;",
            &[(&["struct node", "node", "*list"], &["value", "next"])],
        );
        check(
            "struct s { int a[4], *p; void (*call)(int); unsigned bit : 1; };",
            &[(&["struct s"], &["a", "p", "call", "bit"])],
        );
    }
}
