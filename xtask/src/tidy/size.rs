//! Files that have grown too long, and names that say nothing about what is inside.

use super::{Finding, Tree};

/// What we aim at; beyond it a file is listed with `--verbose`.
const AIM: usize = 400;
/// What nobody reads in one go.
const LIMIT: usize = 1000;
/// Rooms where everything ends up.
const SHAPELESS: [&str; 4] = ["utils.rs", "util.rs", "common.rs", "helpers.rs"];

pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust_files() {
        let lines = text.lines().count();
        if lines > LIMIT {
            let message = format!("{lines} lines, over {LIMIT}: two things live in one place");
            findings.push(Finding { file: path.to_owned(), line: LIMIT + 1, message });
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        if SHAPELESS.contains(&name) {
            let message = format!("a file named `{name}` collects anything: name it by what it does");
            findings.push(Finding { file: path.to_owned(), line: 1, message });
        }
    }
    findings
}

/// Files past the size we aim at: worth a look, no fault.
pub fn grown(tree: &Tree) -> Vec<String> {
    let sizes = tree.rust_files().map(|(path, text)| (path, text.lines().count()));
    let grown = sizes.filter(|(_, lines)| *lines > AIM);
    grown.map(|(path, lines)| format!("{path}: {lines} lines, we aim at {AIM}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Tree, expect};
    use super::{AIM, LIMIT, check, grown};

    #[test]
    fn long_files() {
        let short = "//\n".repeat(LIMIT);
        let long = "//\n".repeat(LIMIT + 1);
        let data = ("tests/programs/long.c", long.as_str());
        expect(check, &[("a.rs", &short), data], &[]);
        expect(check, &[("a.rs", &long)], &["a.rs:1001"]);
    }

    #[test]
    fn grown_files_are_listed() {
        let text = "//\n".repeat(AIM + 1);
        let tree = Tree::from_files(&[("a.rs", &text), ("b.rs", "//\n")]);
        assert_eq!(grown(&tree), ["a.rs: 401 lines, we aim at 400"]);
    }

    #[test]
    fn shapeless_names() {
        expect(check, &[("crates/a/src/utils.rs", "")], &["crates/a/src/utils.rs:1"]);
        expect(check, &[("crates/a/src/common_subexpression.rs", "")], &[]);
    }
}
