//! The project's own chores, run as `cargo xtask …`.
//!
//! `tidy` checks the conventions, `bless` renews golden files, `bench` measures. Nothing here links
//! LLVM or a solver: `tidy` must answer in seconds on a fresh checkout.

mod bench;
mod bless;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's own chores")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Check the conventions that ARCHITECTURE.md states
    Tidy {
        /// Also list files that have grown past the size we aim at
        #[arg(long, short)]
        verbose: bool,
    },
    /// Run the tests and take today's output as the expected one
    Bless {
        /// Passed on to `cargo test`, e.g. `-p report` or a test's name
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Measure; tables and plots go into bench-results/
    Bench {
        #[command(subcommand)]
        bench: bench::Bench,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// `Ok(false)`: the chore ran, and found something wrong.
fn run(arguments: Arguments) -> Result<bool> {
    let root = project_root()?;
    match arguments.chore {
        Chore::Tidy { verbose } => tidy::run(&root, verbose),
        Chore::Bless { arguments } => bless::run(&root, &arguments),
        Chore::Bench { bench } => bench::run(&root, bench),
    }
}

/// The folder above this crate's.
fn project_root() -> Result<PathBuf> {
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").context("CARGO_MANIFEST_DIR is not set; run this as `cargo xtask`")?;
    let root = Path::new(&manifest).parent().context("xtask has no parent folder")?;
    Ok(root.to_owned())
}
