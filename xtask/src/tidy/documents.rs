//! Paths that ARCHITECTURE.md names exist: a map of places long gone is worse than none.

use super::{Finding, Tree};

const DOCUMENT: &str = "ARCHITECTURE.md";
const ROOTS: [&str; 6] = ["crates/", "xtask/", "tests/", "docs/", "scripts/", "examples/"];

pub fn check(tree: &Tree) -> Vec<Finding> {
    let Some(text) = tree.text(DOCUMENT) else {
        let message = "there is no such file: newcomers find their way by it".to_owned();
        return vec![Finding { file: DOCUMENT.to_owned(), line: 1, message }];
    };
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // Between backticks stands every second piece.
        for quoted in line.split('`').skip(1).step_by(2) {
            let is_path = ROOTS.iter().any(|root| quoted.starts_with(root));
            if is_path && !tree.contains(quoted) {
                let message = format!("`{quoted}` does not exist: the map must match the code");
                findings.push(Finding { file: DOCUMENT.to_owned(), line: index + 1, message });
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::expect;
    use super::check;

    #[test]
    fn named_paths_exist() {
        let document = "See `crates/a/` and `crates/a/src/lib.rs`.\n\
                        `cargo`, `gone.rs` and crates/gone are no paths of ours.\n\
                        But `crates/gone` is, and so is `docs/gone.md`.\n";
        let files = [("ARCHITECTURE.md", document), ("crates/a/src/lib.rs", "")];
        expect(check, &files, &["ARCHITECTURE.md:3", "ARCHITECTURE.md:3"]);
    }

    #[test]
    fn the_map_itself_exists() {
        expect(check, &[("README.md", "")], &["ARCHITECTURE.md:1"]);
    }
}
