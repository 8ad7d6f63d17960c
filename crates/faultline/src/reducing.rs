//! `faultline reduce`: a smaller input that fails in the same way.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result};
use observe::inputs::oracle::{Oracle, Progress, Runs};
use observe::inputs::reduction::{self, Grain};
use report::Severity;

use crate::arguments_native::Reduce;
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, again, native, output};

pub fn run(arguments: &Reduce, screen: Screen) -> Result<Ending> {
    let specification = arguments.tokens.as_deref().map(native::specification).transpose()?;
    let (case, failure) = native::case(&arguments.subject, &arguments.search, false)?;
    if !arguments.showing.quiet {
        native::announce(&failure, &arguments.search, case.jobs, screen);
    }
    let status = StatusLine::show(screen, "reducing".to_owned());
    let started = Instant::now();
    let progress = |it: Progress| status.set(format!("reducing: {} runs, {} of them fail", it.runs, it.bad));
    let runs = Runs { judge: &case.judge, failure: &failure };
    let oracle = Oracle::new(&runs, case.jobs, native::budget(&arguments.search), &progress);
    let grain = specification.as_ref().map_or(Grain::Characters, Grain::Tokens);
    let reduced = reduction::reduce(&case.input, grain, &oracle)?;
    let asked = oracle.runs();
    drop(status);
    match &arguments.output {
        Some(file) => output::write_file(file, &reduced.input)?,
        None => {
            let mut stdout = std::io::stdout().lock();
            stdout.write_all(&reduced.input).and_then(|()| stdout.flush()).context("cannot write the smaller input")?;
        }
    }
    if !arguments.showing.quiet {
        let least = if specification.is_some() { "token" } else { "character" };
        let words = format!(
            "{} bytes became {} in {} runs and {:.1} s{}",
            case.input.len(),
            reduced.input.len(),
            asked,
            started.elapsed().as_secs_f64(),
            if reduced.is_minimal { format!("; no single {least} of them can go") } else { String::new() }
        );
        screen.message(Severity::Note, &words);
    }
    if reduced.is_minimal {
        return Ok(Ending::NothingWrong);
    }
    let mut options = vec![
        ("--timeout", again::seconds(2 * arguments.search.timeout)),
        ("--runs", arguments.search.runs.saturating_mul(2).to_string()),
    ];
    // What was written is smaller already.
    options.extend(arguments.output.iter().map(|it| ("--failing", it.display().to_string())));
    let words = format!(
        "time or runs ended before it was as small as can be: allow more with --timeout and --runs, as in\n{}",
        again::command(&options)
    );
    screen.message(Severity::Inconclusive, &words);
    Ok(Ending::Inconclusive)
}
