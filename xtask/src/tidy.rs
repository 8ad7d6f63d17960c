//! `cargo xtask tidy`: the conventions that a program can check.
//!
//! A check is a function from the [`Tree`] of the project's files to [`Finding`]s; each stands in a
//! file of its own, beside its tests. A finding carries its rule and the reason for it, so that
//! whoever meets it need not look anything up.

mod dependencies;
mod documents;
mod format;
mod headers;
mod imports;
mod size;
mod text;
mod tree;

use std::fmt;
use std::path::Path;

use anyhow::Result;

use tree::Tree;

/// A place that breaks a convention.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// Relative to the project's root.
    file: String,
    /// From 1.
    line: usize,
    /// What is wrong, and after a colon or semicolon why that matters.
    message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// Prints what is wrong; true when nothing is.
pub fn run(root: &Path, verbose: bool) -> Result<bool> {
    let tree = Tree::read(root)?;
    let mut findings = dependencies::check(&dependencies::read(root)?);
    findings.extend(headers::check(&tree));
    findings.extend(documents::check(&tree));
    findings.extend(imports::check(&tree));
    findings.extend(size::check(&tree));
    findings.extend(text::check(&tree));
    findings.extend(format::check(root)?);
    findings.sort();

    for finding in &findings {
        println!("{finding}");
    }
    if verbose {
        for note in size::grown(&tree) {
            println!("{note}");
        }
    }
    match findings.len() {
        0 => println!("tidy: {} files in order", tree.len()),
        count => println!("tidy: {count} findings"),
    }
    Ok(findings.is_empty())
}

/// Runs a check on a tree of (path, text) and compares the findings' `file:line`.
#[cfg(test)]
fn expect(check: impl Fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)], expected: &[&str]) {
    let tree = Tree::from_files(files);
    let found = check(&tree);
    let places: Vec<String> = found.iter().map(|it| format!("{}:{}", it.file, it.line)).collect();
    assert_eq!(places, expected, "{found:#?}");
}
