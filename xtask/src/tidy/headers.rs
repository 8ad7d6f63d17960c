//! Every Rust file opens with `//!`, and a library's root says more than one line.

use super::{Finding, Tree};

/// A crate's header is a paragraph: what comes in, what goes out, what is not there.
const LIBRARY_LINES: usize = 3;

pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust_files() {
        let lines = header_lines(text);
        let message = if !text.starts_with("//!") {
            "the file must open with `//!`: what it does, input and output, what holds".to_owned()
        } else if path.ends_with("src/lib.rs") && lines < LIBRARY_LINES {
            format!(
                "the crate's header has {lines} lines, not {LIBRARY_LINES}: \
                 it is the crate's README, for someone who has not read the code"
            )
        } else {
            continue;
        };
        findings.push(Finding { file: path.to_owned(), line: 1, message });
    }
    findings
}

/// How many lines of the header have words in them.
fn header_lines(text: &str) -> usize {
    let header = text.lines().map_while(|line| line.strip_prefix("//!"));
    header.filter(|line| !line.trim().is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::super::expect;
    use super::check;

    #[test]
    fn every_file_has_a_header() {
        let good = ("crates/a/src/b.rs", "//! Does b.\nfn b() {}\n");
        let bad = ("crates/a/src/c.rs", "use std::fs;\n//! Does c.\n");
        let not_rust = ("README.md", "# A\n");
        expect(check, &[good, bad, not_rust], &["crates/a/src/c.rs:1"]);
    }

    #[test]
    fn a_library_has_a_paragraph() {
        let good = ("crates/a/src/lib.rs", "//! A.\n//!\n//! From b\n//! to c.\nmod x;\n");
        let bad = ("crates/b/src/lib.rs", "//! B.\n//!\nmod x;\n//! One\n//! two\n");
        expect(check, &[good, bad], &["crates/b/src/lib.rs:1"]);
    }
}
