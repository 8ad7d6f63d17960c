//! What `diagnose` says about its own work: before, what it may cost; after, what to do next.

use std::time::Duration;

use diagnosis::Diagnosis;
use localize::likely_invariants::Stages;
use source::Sources;

use crate::again;
use crate::arguments_native::Diagnose;
use crate::observing::AGAIN;

/// How much longer a run takes that records values or all that happens, about.
pub const SLOWER: (f64, f64) = (2.0, 12.0);

/// How many runs will be recorded.
pub struct Planned {
    /// Good inputs to choose from, and how many of them are compared with.
    pub good: usize,
    pub compared: usize,
    pub failing: usize,
}

/// The cost of recorded runs, before they are made; each costs `start` beside the time of the program's own.
pub fn cost(planned: &Planned, own: Duration, start: Duration, jobs: usize) -> String {
    // The second round has those again that are compared with.
    let ranges = planned.good + planned.failing + planned.compared + 2 * AGAIN;
    let (own, start) = (own.as_secs_f64(), start.as_secs_f64());
    let all = ranges as f64 * (start + SLOWER.0 * own) + planned.failing as f64 * (start + SLOWER.1 * own);
    format!(
        "then up to {ranges} runs that record values and {} that record everything: about {:.0} s",
        planned.failing,
        (all / jobs as f64).ceil().max(1.0)
    )
}

/// What is known after a diagnosis.
pub struct Known<'a> {
    pub stages: Stages,
    /// Whether the failing run could be followed back from its symptom.
    pub is_sliced: bool,
    /// Whether the first suspect is what failing runs do more often, and not what no good run does.
    pub tends: bool,
    pub good_runs: usize,
    pub diagnosis: &'a Diagnosis,
}

/// What to do next.
pub fn next(arguments: &Diagnose, known: &Known<'_>, sources: &Sources) -> String {
    let first = known.diagnosis.suspects.first().and_then(|it| it.place);
    let first = first.map(|it| format!("{}:{}", sources.path(it.file), it.start.line));
    let wider = if arguments.showing.verbose { "" } else { " see the wider sets with --verbose, or" };
    let more = more(arguments, known.good_runs);
    if let (true, Some(first)) = (known.tends, &first) {
        let refused = match arguments.subject.invalid_output {
            None => " if good inputs are only refused, say how with --invalid-output;",
            Some(_) => "",
        };
        return format!(
            "nearly all that the failure depends on is as in some good run; look first at {first}, which is so in more of the \
             failing runs;{refused} if it is not there,{wider} {more}"
        );
    }
    advice(&known.stages, known.is_sliced, first.as_deref(), wider, &more)
}

fn advice(stages: &Stages, is_sliced: bool, first: Option<&str>, wider: &str, more: &str) -> String {
    let Some(first) = first else {
        return format!(
            "no value and no way of a branch differs from the good runs, so there is nothing to look at: {more}"
        );
    };
    let otherwise = format!("if it is not there,{wider} {more}");
    if stages.in_all_inputs > 0 {
        return format!("look at {first} first; {otherwise}");
    }
    if stages.in_slice > 0 {
        return format!("none of the suspects is left after all steps, but {first} comes nearest; {otherwise}");
    }
    let symptom = match is_sliced {
        true => {
            "the failure does not depend on any of the suspects, as far as is known: if it shows elsewhere than \
                 where the run ends or prints, name that place with --symptom FILE:LINE; otherwise"
        }
        false => {
            "it is not known which of the suspects the failure depends on: name the place where it shows with \
                  --symptom FILE:LINE; or"
        }
    };
    format!("{symptom} {more}")
}

/// How to compare with more.
fn more(arguments: &Diagnose, good_runs: usize) -> String {
    if let Some(folder) = &arguments.tests {
        return format!("add tests to {} that are like those that fail, and pass", folder.display());
    }
    if let Some(folder) = &arguments.good {
        let made = if arguments.subject.expected.is_none() { ", and without --good, some are made" } else { "" };
        return format!("compare with more good inputs: there are {good_runs} in {}{made}", folder.display());
    }
    let near = &arguments.near;
    let command = again::command(&[
        ("--good-inputs", (2 * near.good_inputs).to_string()),
        ("--seed", (near.seed + 1).to_string()),
    ]);
    let tokens = match near.tokens.as_str() {
        "words" => " (and --tokens, if the input is json, http, sql, c or has a form of its own)",
        _ => "",
    };
    format!("compare with more inputs{tokens}:\n{command}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stages: [usize; 4], first: Option<&str>, part: &str) {
        let [failed, in_slice, independent, in_all_inputs] = stages;
        let stages = Stages { invariants: 30, failed, in_slice, independent, in_all_inputs };
        let words = advice(&stages, true, first, "", "compare with more");
        assert!(words.contains(part) && words.ends_with("compare with more"), "{words}");
        assert_eq!(words.starts_with("look at"), in_all_inputs > 0, "{words}");
    }

    #[test]
    fn starting_costs_time_too() {
        let planned = Planned { good: 40, compared: 8, failing: 9 };
        let words = |own: u64, start: u64| cost(&planned, Duration::from_millis(own), Duration::from_millis(start), 2);
        assert!(words(0, 50).ends_with("63 runs that record values and 9 that record everything: about 2 s"));
        assert!(words(1000, 0).ends_with("about 117 s"), "{}", words(1000, 0));
    }

    #[test]
    fn a_place_is_named_only_where_there_is_one() {
        check([9, 5, 3, 2], Some("a.c:7"), "look at a.c:7 first");
        check([9, 5, 3, 0], Some("a.c:7"), "but a.c:7 comes nearest");
        check([9, 0, 0, 0], Some("a.c:7"), "--symptom FILE:LINE");
        check([0, 0, 0, 0], None, "nothing to look at");
    }
}
