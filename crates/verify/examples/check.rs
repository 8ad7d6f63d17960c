//! Checks C files, each by itself, for asserts and error calls: one line with verdict, bound and times.
//! `--all` turns the usual checks on; `--time SECONDS` limits each file.

use std::time::{Duration, Instant};

use program::exec::{Checks, ViolationKind};
use verify::bmc::{Options, check};

fn main() {
    let mut options = Options {
        checks: Checks::NONE.with(ViolationKind::Assert).with(ViolationKind::ErrorCall),
        time: Some(Duration::from_secs(60)),
        ..Options::default()
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" => options.checks = Checks::default(),
            "--time" => options.time = arguments.next().and_then(|it| it.parse().ok()).map(Duration::from_secs),
            file => one(file, &options),
        }
    }
}

fn one(file: &str, options: &Options) {
    let started = Instant::now();
    // Verification tasks use `inline` as GNU C did before C99.
    let flags = vec!["-fgnu89-inline".to_owned()];
    let reading = frontend::Options { files: vec![file.into()], flags, ..frontend::Options::default() };
    let program = match frontend::read(&reading) {
        Ok(program) if options.checks.has(ViolationKind::Uninitialized) => program,
        Ok(program) => verify::indeterminate::open(&program),
        Err(error) => return println!("{file}: {error}"),
    };
    let read = started.elapsed();
    let report = check(&program, options);
    let statistics = report.statistics;
    println!(
        "{file}\t{:?}\tbound {}\t{:.2} s\tread {:.2}\tsolver {:.2} ({})\tterms {}\tsteps {}\tinputs {}",
        report.verdict,
        statistics.bound,
        started.elapsed().as_secs_f64(),
        read.as_secs_f64(),
        statistics.solver_time.as_secs_f64(),
        statistics.solver_checks,
        statistics.terms,
        statistics.steps,
        report.failures.first().map_or(0, |failure| failure.inputs.len()),
    );
    for note in &report.notes {
        println!("  note: {note}");
    }
    for place in &report.unsupported {
        println!("  unsupported: {} at {:?}", place.what, program.place(place.site));
    }
}
