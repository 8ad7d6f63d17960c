//! Slices of native traces agree, line by line, with those of the executor, which sees every read and write.

use std::collections::BTreeSet;

use observe::recording::sites_of;
use observe::slicing::{Criterion, slice};
use program::exec::{Checks, Discard, Executor, Inputs, Limits, Observer, Step};
use program::{CommandKind, Program};

use crate::building::Project;
use crate::generator::generate;

const PROGRAMS: u64 = 60;

#[derive(Default)]
struct Steps(Vec<Step>);

impl Observer for Steps {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        self.0.push(step);
    }
}

/// The lines that the failing assertion depends on, by the executor.
fn expected(program: &Program) -> BTreeSet<u32> {
    let (inputs, limits, checks) = (Inputs::default(), Limits::default(), Checks::default());
    let mut steps = Steps::default();
    Executor::new(program, checks).run(&inputs, &limits, &mut Discard, &mut steps);
    let slice = verify::slice::slice(program, &inputs, &limits, checks).expect("the assertion fails");
    let mut lines = BTreeSet::new();
    for (_, step) in steps.0.iter().enumerate().filter(|(index, _)| slice.contains(*index)) {
        let block = program.function(step.at.function).body.as_ref().unwrap().block(step.at.block);
        let site = match block.commands.get(step.at.index as usize) {
            Some(command) if matches!(command.kind, CommandKind::Declare(_) | CommandKind::Begin(_)) => continue,
            Some(command) => command.site,
            None => block.terminator.site,
        };
        lines.extend(program.place(site).map(|place| place.position.line));
    }
    lines
}

/// Lines of statements: where a function begins and ends is told differently.
fn statements(text: &str, lines: impl IntoIterator<Item = u32>) -> Vec<String> {
    let line = |number: u32| {
        let line = text.lines().nth(number as usize - 1).unwrap_or_default();
        (line.starts_with(' ') && line.trim() != "}" && !line.contains("return")).then(|| format!("{number}: {line}"))
    };
    lines.into_iter().filter_map(line).collect()
}

#[test]
fn slices_agree_with_the_executor() {
    for seed in 0..PROGRAMS {
        let text = generate(seed);
        let project = Project::program(&text, if seed % 2 == 0 { "-O0 -w" } else { "-O2 -w" });
        let options = frontend::Options { files: vec![project.path("main.c")], ..frontend::Options::default() };
        let program = frontend::read(&options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let sites = sites_of(&project.path("main")).unwrap();
        let ran = project.run("trace", &[]);
        let found = slice(&ran.folder, &sites, &Criterion::Last).unwrap();
        let file = project.path("main.c").to_str().unwrap().to_owned();
        let found = statements(&text, found.lines(&sites, &file));
        assert_eq!(found, statements(&text, expected(&program)), "seed {seed}\n{text}");
    }
}
