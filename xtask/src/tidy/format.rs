//! The code is formatted as `cargo fmt` does it, so that nobody discusses it.
//!
//! Where rustfmt is not installed, that is said and nothing is found: a user who builds and tests
//! from source needs no formatter, and the build machine has one.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Finding;

pub fn check(root: &Path) -> Result<Vec<Finding>> {
    if !has_rustfmt() {
        println!("tidy: format not checked, there is no rustfmt (`rustup component add rustfmt`)");
        return Ok(Vec::new());
    }
    let output = Command::new("cargo")
        .args(["fmt", "--all", "--check", "--", "-l"])
        .current_dir(root)
        .output()
        .context("cannot start cargo fmt")?;
    let files = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() && files.trim().is_empty() {
        bail!("cargo fmt failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(files.lines().map(|file| unformatted(root, file)).collect())
}

fn has_rustfmt() -> bool {
    let version = Command::new("cargo").args(["fmt", "--version"]).output();
    version.is_ok_and(|output| output.status.success())
}

fn unformatted(root: &Path, file: &str) -> Finding {
    let path = Path::new(file);
    let path = path.strip_prefix(root).unwrap_or(path);
    let message = "not formatted: run `cargo fmt`, so that nobody discusses layout".to_owned();
    Finding { file: path.to_string_lossy().into_owned(), line: 1, message }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{check, has_rustfmt};

    fn expect(main: &str, expected: &[&str]) {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        fs::create_dir(root.join("src")).unwrap();
        let manifest = "[package]\nname = \"a\"\nedition = \"2024\"\n[workspace]\n";
        fs::write(root.join("Cargo.toml"), manifest).unwrap();
        fs::write(root.join("src/main.rs"), main).unwrap();
        let found: Vec<String> = check(&root).unwrap().into_iter().map(|it| it.file).collect();
        assert_eq!(found, if has_rustfmt() { expected } else { &[] });
    }

    #[test]
    fn formatted() {
        expect("fn main() {}\n", &[]);
    }

    #[test]
    fn not_formatted() {
        expect("fn main( ){}\n", &["src/main.rs"]);
    }
}
