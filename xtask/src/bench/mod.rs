//! Benches: each measures one thing, prints a table and leaves files in `bench-results/`.
//!
//! A bench is a file here with an `Options` (its command line) and a `run` that is true when what it
//! watches over holds. They share [`table`] for numbers, [`plot`] for pictures and [`process`] for
//! running programs that nobody trusts. Benches run the built binary from outside, as a user does.

mod autodebug;
mod check;
mod csmith;
mod diagnose;
mod difference;
mod explain;
mod observe;
mod ped;
mod plot;
mod process;
mod proofs;
mod reach;
mod reduce;
mod relevance;
mod speed;
mod table;
mod tcas;
mod traces;
mod triangulate;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Bench {
    /// Are the 51 faults of the AutoDebug paper corrected by changes that verify, and how fast?
    Autodebug(autodebug::Options),
    /// Does `faultline check` find known bugs, how fast beside CBMC, and does it leave correct programs alone?
    Check(check::Options),
    /// Does `faultline run` print what random C programs print natively?
    Csmith(csmith::Options),
    /// Does `faultline diagnose` find the line that was fixed in real programs, and in what time?
    Diagnose(diagnose::Options),
    /// Does `explain` say something at once, and end in time on whatever it is given?
    Explain(explain::Options),
    /// What does observing native programs cost, and how fast are traces sliced, beside valgrind and gcov?
    Observe(observe::Options),
    /// Does the engine `ped` find and mend the overflows of Verisec, beside its paper's table? With `--scale`: what do
    /// proofs cost in large programs?
    Ped(ped::Options),
    /// Is every program of a folder read whole, and are its operators found in its text?
    Reach(reach::Options),
    /// Are failing inputs made as small as by afl-tmin and picire, and in how many runs?
    Reduce(reduce::Options),
    /// How does relevance do on the programs of its paper, and at what cost beside finding the trace?
    Relevance(relevance::Options),
    /// How many steps a second does the executor make, and how much slower than native is that?
    Speed(speed::Options),
    /// Do the engines suspect the true line of TCAS's faulty versions, and how fast?
    Tcas(tcas::Options),
    /// How many different error traces are found, beside a published table?
    Traces(traces::Options),
    /// Is the merged answer of `explain` at least as good as those of single engines?
    Triangulate(triangulate::Options),
}

pub fn run(root: &Path, bench: Bench) -> Result<bool> {
    let results = root.join("bench-results");
    std::fs::create_dir_all(&results).context("cannot create bench-results")?;
    match bench {
        Bench::Autodebug(options) => autodebug::run(root, &results, &options),
        Bench::Check(options) => check::run(root, &results, &options),
        Bench::Csmith(options) => csmith::run(root, &results, &options),
        Bench::Diagnose(options) => diagnose::run(root, &results, &options),
        Bench::Explain(options) => explain::run(root, &results, &options),
        Bench::Observe(options) => observe::run(root, &results, &options),
        Bench::Ped(options) => ped::run(root, &results, &options),
        Bench::Reach(options) => reach::run(root, &results, &options),
        Bench::Reduce(options) => reduce::run(root, &results, &options),
        Bench::Relevance(options) => relevance::run(root, &results, &options),
        Bench::Speed(options) => speed::run(root, &results, &options),
        Bench::Tcas(options) => tcas::run(root, &results, &options),
        Bench::Traces(options) => traces::run(root, &results, &options),
        Bench::Triangulate(options) => triangulate::run(root, &results, &options),
    }
}

/// The binary to measure: the one given, or else the release build.
fn faultline(root: &Path, given: Option<&Path>) -> Result<PathBuf> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => {
            let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
            root.join(target.unwrap_or_else(|| "target".into())).join("release/faultline")
        }
    };
    match path.canonicalize() {
        Ok(path) => Ok(path),
        Err(_) => bail!("there is no {}; build it with `make build`", path.display()),
    }
}
