//! Casts, told apart from operators for a parser that knows no types.
//!
//! `(a) - b * c` is a subtraction if `a` is a variable, and a product with a cast if it is a
//! type; the grammar has to guess, and guesses both wrongly at times. Expanded macros are full of
//! such parentheses. So the names that are types are collected from a text's tokens, and the
//! parser gets a text in which the doubtful names are replaced, byte for byte: a type by `int`, a
//! variable by a number. All ranges stay true, and texts are always taken from the original.
//!
//! A name is a type if a typedef defines it, if another name follows it (`T x`), if it stands
//! in `(T *)`, or if it looks like one of the standard headers'. Any other type passes for a
//! variable. A type's name that is too short for `int` is left to the parser, and
//! [`super::Syntax::casts`] looks at what came of it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::tokens::{Tokens, is_keyword, is_name};

/// The names that are types in a text.
#[derive(Debug)]
pub(crate) struct TypeNames(BTreeSet<String>);

impl TypeNames {
    pub(crate) fn of(text: &str, tokens: &Tokens) -> TypeNames {
        let mut names = BTreeSet::new();
        let spell = |index| tokens.spelling(text, index);
        let mut index = 0;
        while index < tokens.len() {
            match spell(index) {
                "typedef" => index = typedef(text, tokens, index, &mut names),
                name if is_name(name) && is_used_as_type(name, index, &spell) => {
                    names.insert(name.to_owned());
                }
                _ => {}
            }
            index += 1;
        }
        TypeNames(names)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.contains(name) || name.ends_with("_t") || matches!(name, "bool" | "FILE" | "va_list")
    }
}

fn is_used_as_type<'t>(name: &str, index: usize, spell: &impl Fn(usize) -> &'t str) -> bool {
    if is_keyword(name) {
        return false;
    }
    let next = spell(index + 1);
    let names_something = is_name(next) && (!is_keyword(next) || matches!(next, "const" | "volatile"));
    let before = index.checked_sub(1).map_or("", spell);
    names_something || (before == "(" && next == "*" && matches!(spell(index + 2), ")" | "*"))
}

/// Collects what the typedef at `start` defines; gives the index of its semicolon.
fn typedef(text: &str, tokens: &Tokens, start: usize, names: &mut BTreeSet<String>) -> usize {
    let spell = |index| tokens.spelling(text, index);
    let (mut braces, mut parentheses) = (0usize, 0usize);
    for index in start + 1..tokens.len() {
        match spell(index) {
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            "(" => parentheses += 1,
            ")" => parentheses = parentheses.saturating_sub(1),
            ";" if braces == 0 => return index,
            name if braces == 0 && is_name(name) && !is_keyword(name) => {
                let is_declared = match parentheses {
                    0 => matches!(spell(index + 1), ";" | "," | "[" | "("),
                    // The `f` of `(*f)(…)`.
                    _ => spell(index - 1) == "*" && spell(index + 1) == ")" && spell(index + 2) == "(",
                };
                if is_declared {
                    names.insert(name.to_owned());
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// The text as the parser should see it.
pub(super) fn disambiguated<'t>(text: &'t str, tokens: &Tokens, types: &TypeNames) -> Cow<'t, str> {
    let mut changed: Option<Vec<u8>> = None;
    let spell = |index| tokens.spelling(text, index);
    for index in 1..tokens.len().saturating_sub(2) {
        if spell(index - 1) != "(" || spell(index + 1) != ")" {
            continue;
        }
        let (name, after) = (spell(index), spell(index + 2));
        if !is_name(name) || is_keyword(name) || !begins_operand(index, &spell) {
            continue;
        }
        let length = name.len();
        let replacement = match (types.contains(name), after) {
            (true, "-" | "+" | "*" | "&" | "(") if length >= 3 => format!("{:length$}", "int"),
            (false, "-" | "+" | "*" | "&") => "0".repeat(length),
            _ => continue,
        };
        let Some(token) = tokens.get(index).filter(|token| !token.in_directive) else { continue };
        let bytes = changed.get_or_insert_with(|| text.as_bytes().to_vec());
        bytes[token.range()].copy_from_slice(replacement.as_bytes());
    }
    match changed.map(String::from_utf8) {
        // Whole names were replaced by ASCII, so the text is still UTF-8.
        Some(Ok(text)) => Cow::Owned(text),
        _ => Cow::Borrowed(text),
    }
}

/// Whether the parenthesis before the name at `index` can begin an operand, rather than the
/// arguments of a call or the condition of an `if`.
fn begins_operand<'t>(index: usize, spell: &impl Fn(usize) -> &'t str) -> bool {
    match index.checked_sub(2).map_or("", spell) {
        "]" => false,
        word if is_name(word) => matches!(word, "return" | "case" | "else" | "do"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the parser sees of a text.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let tokens = Tokens::lex(text);
        let types = TypeNames::of(text, &tokens);
        assert_eq!(disambiguated(text, &tokens, &types), expected);
    }

    #[test]
    fn variables_before_operators_become_numbers() {
        check("x = (abc) - b * c;", "x = (000) - b * c;");
        check("return (a) * b;", "return (0) * b;");
        check("x = (int)(a) & b;", "x = (int)(0) & b;");
        check("x = (a)(b);", "x = (a)(b);");
        check("x = (é) + b;", "x = (00) + b;");
    }

    #[test]
    fn types_before_operators_become_a_type() {
        check("typedef long word; x = (word) - b;", "typedef long word; x = (int ) - b;");
        check("word w; x = (word)(b);", "word w; x = (int )(b);");
        check("y = (word *)q; x = (word)*b;", "y = (word *)q; x = (int )*b;");
        check("T t; x = (T)*b;", "T t; x = (T)*b;");
    }

    #[test]
    fn what_is_no_operand_stays() {
        check("f(a) - b; t[i](a) - b;", "f(a) - b; t[i](a) - b;");
        check("if (a) *p = 1; while (a) -b;", "if (a) *p = 1; while (a) -b;");
        check("x = sizeof (a) * b;", "x = sizeof (a) * b;");
        check("#define M(x) ((x) * 2)\n", "#define M(x) ((x) * 2)\n");
        check("(", "(");
        check("(a)", "(a)");
    }

    #[test]
    fn typedefs_of_every_shape_define_their_names() {
        let text = "typedef struct s { int a; } s_t, *s_p; typedef int (*fn)(int x), row[3];\n\
                    typedef int call(int y); typedef enum { A, B } e_t; typedef";
        let types = TypeNames::of(text, &Tokens::lex(text));
        let names: Vec<_> = types.0.iter().map(String::as_str).collect();
        assert_eq!(names, ["call", "e_t", "fn", "row", "s_p", "s_t"]);
    }
}
