//! Renews golden files: runs the tests with the variables set that make them write, not compare.
//!
//! Our own golden tests look at `FAULTLINE_BLESS`, the `insta` crate at `INSTA_UPDATE`. Whether the
//! new text is right is for the reader of the diff to say.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

pub fn run(root: &Path, arguments: &[String]) -> Result<bool> {
    let scope: &[&str] = if arguments.is_empty() { &["--workspace"] } else { &[] };
    let status = Command::new("cargo")
        .current_dir(root)
        .arg("test")
        .args(scope)
        .args(arguments)
        .env("FAULTLINE_BLESS", "1")
        .env("INSTA_UPDATE", "always")
        .status()
        .context("cannot start cargo")?;
    if status.success() {
        println!("blessed; review with `git diff`");
    }
    Ok(status.success())
}
