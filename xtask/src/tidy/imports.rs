//! No glob imports of modules: a reader must see where a name comes from.
//!
//! Four globs tell that anyway and are allowed: a type's variants (`use Kind::*`), another crate's
//! `prelude::*`, `llvm_sys`, whose names all begin with `LLVM`, and `use super::*` in a test module,
//! which is about nothing but its parent.
//! Works on the text, not on the syntax: an import written by a macro is not seen.

use super::{Finding, Tree};

pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust_files() {
        let ours = imports(text).into_iter().filter(|(_, import)| !import.contains("llvm_sys::"));
        for (line, import) in ours {
            let in_tests = is_test_file(path) || text_before(text, line).contains("#[cfg(test)]");
            for module in globs(&import) {
                if !is_allowed(&module, in_tests) {
                    let message = format!(
                        "glob import of `{module}`: name what is used, so that a reader sees where it comes from"
                    );
                    findings.push(Finding { file: path.to_owned(), line, message });
                }
            }
        }
    }
    findings
}

fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|part| part == "tests")
}

fn text_before(text: &str, line: usize) -> String {
    text.lines().take(line - 1).collect::<Vec<_>>().join("\n")
}

/// The `use` items of a file, each with its line and as one string without line breaks.
fn imports(text: &str) -> Vec<(usize, String)> {
    let mut imports = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let mut import = match line.trim_start() {
            it if it.starts_with("use ") => it.to_owned(),
            it if it.starts_with("pub") && it.contains(" use ") => it.to_owned(),
            _ => continue,
        };
        while !import.contains(';') {
            let Some((_, more)) = lines.next() else { break };
            import.push_str(more.trim());
        }
        imports.push((index + 1, import));
    }
    imports
}

/// What stands before each `*` of an import: `b` for both `a::b::*` and `a::b::{c, *}`.
fn globs(import: &str) -> Vec<String> {
    import.match_indices('*').map(|(at, _)| last_segment(owner(&import[..at]))).collect()
}

/// Cuts the text before a `*` back to the `::` that the `*` hangs on.
fn owner(before: &str) -> &str {
    if before.ends_with("::") {
        return before;
    }
    let mut depth = 0;
    for (at, character) in before.char_indices().rev() {
        match character {
            '}' => depth += 1,
            '{' if depth == 0 => return &before[..at],
            '{' => depth -= 1,
            _ => {}
        }
    }
    before
}

fn last_segment(path: &str) -> String {
    let path = path.trim_end_matches("::");
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    path.rsplit(|it| !is_name(it)).next().unwrap_or(path).to_owned()
}

fn is_allowed(module: &str, in_tests: bool) -> bool {
    let is_type = module.starts_with(char::is_uppercase);
    is_type || module == "prelude" || (module == "super" && in_tests)
}

#[cfg(test)]
mod tests {
    use super::super::expect;
    use super::check;

    fn expect_lines(text: &str, lines: &[usize]) {
        let expected: Vec<String> = lines.iter().map(|it| format!("crates/a/src/b.rs:{it}")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        expect(check, &[("crates/a/src/b.rs", text)], &expected);
    }

    #[test]
    fn names_are_fine() {
        expect_lines("use crate::ir::{Guard, Location};\nlet x = a * b;\n", &[]);
        expect_lines("use proptest::prelude::*;\nuse crate::ir::Operator::*;\n", &[]);
        expect_lines("use inkwell::llvm_sys::core::*;\n", &[]);
    }

    #[test]
    fn modules_are_not() {
        expect_lines("use crate::ir::*;\n", &[1]);
        expect_lines("pub(crate) use program::*;\n", &[1]);
        expect_lines("//! x\nuse crate::ir::{\n    Guard,\n    text::{A, B},\n    *,\n};\n", &[2]);
    }

    #[test]
    fn the_parent_in_tests_only() {
        expect_lines("use super::*;\n", &[1]);
        expect_lines("#[cfg(test)]\nmod tests {\n    use super::*;\n}\n", &[]);
        expect(check, &[("crates/a/src/b/tests.rs", "use super::*;\n")], &[]);
    }
}
