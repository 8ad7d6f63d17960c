//! What a comparison tells as a whole: what each of its steps has left, and what coverage alone would say.

use diagnosis::Narrowing;
use source::Sources;

use super::Findings;
use crate::likely_invariants::Stage;
use crate::spectrum::Formula;

/// So many lines that coverage puts first are no answer.
const TOO_MANY: usize = 20;

/// What each step has left.
pub fn narrowing(findings: &Findings<'_>) -> Vec<Narrowing> {
    let stages = findings.candidates.stages;
    let step = |step: &str, lines: usize, invariants: usize| Narrowing { step: step.to_owned(), lines, invariants };
    vec![
        step("observed", findings.spectra.lines.len(), stages.invariants),
        step("broken", findings.lines(Stage::Failed), stages.failed),
        step("in-slice", findings.lines(Stage::InSlice), stages.in_slice),
        step("unexplained", findings.lines(Stage::Independent), stages.independent),
        step("in-all-inputs", findings.lines(Stage::InAllInputs), stages.in_all_inputs),
    ]
}

pub fn notes(findings: &Findings<'_>, sources: &mut Sources) -> Vec<String> {
    let [observed, broken, in_slice, unexplained, in_all] = &narrowing(findings)[..] else {
        unreachable!("there are five steps")
    };
    let left = |it: &Narrowing| match it.invariants {
        0 => "none".to_owned(),
        count => format!("{count} in {} line{}", it.lines, if it.lines == 1 { "" } else { "s" }),
    };
    let runs = match (findings.good_runs, findings.other_good_runs) {
        (1, 0) => "1 good run has".to_owned(),
        (count, 0) => format!("{count} good runs have"),
        (count, others) => format!("{count} good runs of {} that were recorded have", count + others),
    };
    let mut words = format!("{runs} {} invariants, in {} lines", observed.invariants, observed.lines);
    let steps = [
        (broken, "broken here".to_owned()),
        (in_slice, "of these on the way to the failure".to_owned()),
        (unexplained, "not explained by another".to_owned()),
        (in_all, format!("in all {} failing runs", findings.failing_runs)),
    ];
    // With one failing run, the last step does nothing.
    let taken = if findings.failing_runs == 1 { 3 } else { 4 };
    for (step, name) in steps.into_iter().take(taken) {
        words.push_str(&format!("; {name}: {}", left(step)));
        if step.invariants == 0 {
            break;
        }
    }
    let mut notes = vec![words];
    let best = findings.spectra.best(Formula::Ochiai);
    let first = best.first().map_or(0, |(_, rank)| rank.worst);
    let shown: Vec<String> = (best.iter().take_while(|(_, rank)| rank.best == 1).take(3))
        .map(|(line, _)| {
            let file = sources.add(&*line.file, None);
            format!("{}:{}", sources.path(file), line.line)
        })
        .collect();
    let count = best.len();
    match first {
        _ if shown.is_empty() => {}
        TOO_MANY.. => notes.push(format!("coverage alone (ochiai) does not tell {first} of {count} lines apart")),
        _ => {
            let more = if first > shown.len() { format!(" and {} more", first - shown.len()) } else { String::new() };
            notes.push(format!("by coverage alone (ochiai), first of {count} lines: {}{more}", shown.join(", ")));
        }
    }
    notes
}
