//! `faultline reduce`: a smaller input that fails in the same way.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result};
use observe::inputs::oracle::{Oracle, Progress, Runs};
use observe::inputs::reduction;
use report::Severity;

use crate::arguments_native::Reduce;
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, interrupt, native, output};

pub fn run(arguments: &Reduce, screen: Screen) -> Result<Ending> {
    let case = native::case(&arguments.subject, &arguments.search, interrupt::catch())?;
    let failure = case.judge.confirm(&case.input)?;
    if !arguments.showing.quiet {
        native::announce(&failure, &arguments.search, case.jobs, screen);
    }
    let status = StatusLine::show(screen, "reducing".to_owned());
    let started = Instant::now();
    let progress = |it: Progress| status.set(format!("reducing: {} runs, {} of them fail", it.runs, it.bad));
    let runs = Runs { judge: &case.judge, failure: &failure };
    let oracle = Oracle::new(&runs, case.jobs, native::budget(&arguments.search), &progress);
    let reduced = reduction::reduce(&case.input, &oracle)?;
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
        let words = format!(
            "{} bytes became {} in {} runs and {:.1} s{}",
            case.input.len(),
            reduced.input.len(),
            asked,
            started.elapsed().as_secs_f64(),
            if reduced.is_minimal { "; no single character of them can go" } else { "" }
        );
        screen.message(Severity::Note, &words);
    }
    if reduced.is_minimal {
        return Ok(Ending::NothingWrong);
    }
    let words = "time or runs ended before it was as small as can be: allow more with --timeout and --runs";
    screen.message(Severity::Inconclusive, words);
    Ok(Ending::Inconclusive)
}
