//! What the csmith bench shows: a progress line, a table, plots and a summary.

use std::collections::BTreeMap;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use super::{Comparison, Outcome};
use crate::bench::plot::{Labels, Scale, Series, bars, lines};
use crate::bench::table::Table;

fn count(comparisons: &[Comparison]) -> BTreeMap<Outcome, usize> {
    let mut counts: BTreeMap<Outcome, usize> = Outcome::ALL.map(|it| (it, 0)).into();
    for comparison in comparisons {
        *counts.entry(comparison.outcome).or_default() += 1;
    }
    counts
}

pub fn show_progress(comparisons: &[Comparison], total: u64) {
    let mut stderr = std::io::stderr();
    if !stderr.is_terminal() {
        return;
    }
    let counts = count(comparisons);
    let counts = counts.iter().filter(|(_, count)| **count > 0);
    let counts: Vec<String> = counts.map(|(it, count)| format!("{count} {}", it.name())).collect();
    // Progress is no result: whether it can be shown does not matter.
    let _ = write!(stderr, "\r\x1b[K{}/{total}: {}", comparisons.len(), counts.join(", "));
    if comparisons.len() as u64 == total {
        let _ = write!(stderr, "\r\x1b[K");
    }
    let _ = stderr.flush();
}

pub fn write(folder: &Path, comparisons: &[Comparison]) -> Result<()> {
    let mut table = Table::new(&["seed", "outcome", "native_s", "faultline_s", "detail"]);
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    for it in comparisons {
        table.row([
            it.seed.to_string(),
            it.outcome.name().to_owned(),
            seconds(it.native),
            seconds(it.ours),
            it.detail.clone(),
        ]);
    }
    table.write_tsv(&folder.join("csmith.tsv"))?;
    let write =
        |name: &str, svg: String| fs::write(folder.join(name), svg).with_context(|| format!("cannot write {name}"));
    write("csmith-outcomes.svg", outcome_chart(comparisons))?;
    write("csmith-time.svg", time_chart(comparisons))
}

fn outcome_chart(comparisons: &[Comparison]) -> String {
    let labels = Labels { title: "csmith: what became of the programs", x: "", y: "programs" };
    let counts = count(comparisons).into_iter();
    let values: Vec<_> = counts.map(|(it, count)| (it.name().to_owned(), count as f64)).collect();
    bars(&labels, Scale::Linear, &values)
}

/// How many programs end within how much time.
fn time_chart(comparisons: &[Comparison]) -> String {
    let labels = Labels {
        title: "csmith: time for a run",
        x: "programs, the quickest first",
        y: "seconds (clang and start-up included in faultline's)",
    };
    let series = |name: &str, time: fn(&Comparison) -> Duration| {
        let agreeing = comparisons.iter().filter(|it| it.outcome == Outcome::Agree);
        let mut times: Vec<f64> = agreeing.map(|it| time(it).as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        let points = times.into_iter().enumerate().map(|(at, time)| ((at + 1) as f64, time));
        Series { name: name.to_owned(), points: points.collect() }
    };
    let series = [series("native", |it| it.native), series("faultline run", |it| it.ours)];
    lines(&labels, Scale::Logarithmic, &series)
}

pub fn print_summary(comparisons: &[Comparison], kept: &Path) {
    let mut table = Table::new(&["outcome", "programs"]);
    for (outcome, count) in count(comparisons) {
        table.row([outcome.name().to_owned(), count.to_string()]);
    }
    print!("{table}");
    let to_show = comparisons.iter().filter(|it| it.outcome.is_wrong());
    for it in to_show.take(10) {
        println!("seed {}: {}: {}", it.seed, it.outcome.name(), it.detail);
    }
    if kept.exists() {
        let shown = kept.file_name().unwrap_or(kept.as_os_str()).to_string_lossy();
        println!("programs to look at: bench-results/{shown}/");
    }
}
