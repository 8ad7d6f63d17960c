//! Analyses C files and prints what is proved: `analyse [--polyhedra | --stages] [--states] [--quiet] FILE…`.

use std::time::Instant;

use abstraction::{Options, analyse, analyse_in_stages};

fn main() {
    let mut options = Options::default();
    let (mut files, mut states, mut quiet, mut stages) = (Vec::new(), false, false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--polyhedra" => options.polyhedra = true,
            "--states" => states = true,
            "--stages" => stages = true,
            "--quiet" => quiet = true,
            "--one" => options.partitions = 1,
            _ => files.push(argument.into()),
        }
    }
    let program = match frontend::read(&frontend::Options { files, ..frontend::Options::default() }) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let begin = Instant::now();
    let analysis = if stages { analyse_in_stages(&program, &options) } else { analyse(&program, &options) };
    let spent = begin.elapsed();
    for (check, verdict) in analysis.checks().iter().filter(|_| !quiet) {
        let line = program.place(verdict.site).map_or(0, |place| place.position.line);
        let word = if verdict.proved { "proved" } else { "open" };
        println!("{line}: {} {word}", check.kind.name());
    }
    if states {
        for (context, info) in analysis.places().contexts() {
            let function = program.function(info.function);
            let Some(body) = &function.body else { continue };
            for (index, block) in body.blocks.iter().enumerate() {
                let block_id = program::BlockId(index as u32);
                for part in analysis.describe(&program, context, block_id) {
                    println!("{} {}: {}", function.name, block.name, part.join(", "));
                }
            }
        }
    }
    let (proved, all) = (analysis.checks().proved(), analysis.checks().len());
    println!(
        "{proved} of {all} proved in {spent:?}{}",
        analysis.given_up().map_or(String::new(), |why| format!(", given up: {why}"))
    );
}
