//! From a run to a report: the verdict, what ended the run, and what weakens the verdict.

use std::collections::HashMap;

use program::exec::memory::Given;
use program::exec::{Consumed, LimitKind, Limits, Note, Outcome, Run, UnsupportedReason, Value};
use program::{Program, Sign, Site, Type};

use crate::finding::{Finding, Input, Mark, Place, Report, Severity, Unsupported, Verdict};
use crate::numbers::{self, count};
use crate::{names, places, violation};

pub fn report(program: &Program, run: &Run, limits: &Limits) -> Report {
    let mut findings: Vec<Finding> = ending(program, run, limits).into_iter().collect();
    findings.extend(run.notes.iter().map(|it| note(program, it)));
    if let Some(mismatch) = &run.mismatch {
        let title = format!(
            "given value number {} was made for `{}`, but `{}` took it",
            mismatch.position + 1,
            mismatch.expected,
            mismatch.found
        );
        findings.push(Finding::new(Severity::Note, "inputs", title));
    }
    let weakened = findings.iter().any(|finding| finding.severity == Severity::Inconclusive);
    let verdict = match run.outcome {
        Outcome::Violated(_) => Verdict::Fault,
        _ if weakened => Verdict::Inconclusive,
        _ => Verdict::NoFault,
    };
    Report {
        verdict,
        findings,
        exit_status: run.exit_status(),
        inputs: inputs(program, run, verdict),
        unsupported: unsupported(program),
        steps: run.steps,
    }
}

/// What the front end could not translate.
pub fn unsupported(program: &Program) -> Vec<Unsupported> {
    let entry =
        |it: &program::Unsupported| Unsupported { what: it.what.clone(), place: places::place(program, it.site) };
    program.unsupported.iter().map(entry).collect()
}

fn ending(program: &Program, run: &Run, limits: &Limits) -> Option<Finding> {
    let inconclusive = |kind, title: String| Finding::new(Severity::Inconclusive, kind, title);
    match &run.outcome {
        Outcome::Violated(it) => Some(violation::finding(program, it)),
        Outcome::Exited(0) => None,
        Outcome::Exited(_) => {
            let status = run.exit_status().unwrap_or_default();
            Some(Finding::new(Severity::Note, "exit", format!("the program exited with status {status}")))
        }
        Outcome::Aborted => Some(Finding::new(Severity::Note, "exit", "the program aborted")),
        Outcome::Undefined(it) => {
            let mut finding = violation::finding(program, it);
            finding.severity = Severity::Inconclusive;
            finding.notes.push("what happens from here on is undefined, and its check is off".to_owned());
            Some(finding)
        }
        Outcome::AssumptionFailed { site, .. } => {
            let title = "an assumption does not hold: these inputs do not count";
            Some(marked(program, Finding::new(Severity::Note, "assumption", title), *site, "false here"))
        }
        Outcome::Limit(kind) => Some(marked(program, limit(*kind, run, limits), run.ended_at, "the run was here")),
        Outcome::Unsupported { site, what, .. } => {
            let what = match what {
                UnsupportedReason::Construct(id) => &program.unsupported(*id).what,
                UnsupportedReason::Library(what) => what,
            };
            let finding = inconclusive("unsupported", format!("the run reached what is not supported: {what}"));
            Some(marked(program, finding, *site, "the run ends here"))
        }
        Outcome::InputExhausted { site, .. } => {
            let mut finding = inconclusive("inputs", "the program asks for more values than were given".to_owned());
            finding.help = Some("give more with --nondet, or a --seed".to_owned());
            Some(marked(program, finding, *site, "the next value is asked for here"))
        }
        Outcome::NoMain => Some(inconclusive("no-main", "the program has no `main` that could be run".to_owned())),
    }
}

fn limit(kind: LimitKind, run: &Run, limits: &Limits) -> Finding {
    let (title, help) = match kind {
        LimitKind::Steps => {
            (format!("the run was stopped after {}", count(limits.steps, "step")), Some("allow more with --max-steps"))
        }
        LimitKind::Memory => {
            let bytes = count(limits.memory, "byte");
            (format!("the program needs more than {bytes} of memory"), Some("allow more with --memory"))
        }
        LimitKind::Values => {
            let values = count(run.consumed.len() as u64, "value");
            (format!("the program asks for more than {values}"), Some("allow more with --memory"))
        }
        LimitKind::Output => {
            let bytes = count(limits.output, "byte");
            (format!("the program prints more than {bytes}"), Some("allow more with --max-output"))
        }
        LimitKind::Depth => (format!("the program goes deeper than {}", count(u64::from(limits.depth), "call")), None),
        LimitKind::Time => {
            let seconds = limits.time.unwrap_or_default().as_secs_f64();
            (format!("the run was stopped after {seconds} s"), Some("allow more with --timeout"))
        }
        LimitKind::Interrupted => ("the run was interrupted".to_owned(), None),
    };
    let mut finding = Finding::new(Severity::Inconclusive, "limit", title);
    if kind != LimitKind::Steps {
        finding.notes.push(format!("no fault in the {} before", count(run.steps, "step")));
    }
    finding.help = help.map(str::to_owned);
    finding
}

fn note(program: &Program, note: &Note) -> Finding {
    match note {
        Note::UnmodelledFunction { name, site } => {
            let title = format!("`{name}` is defined nowhere, and what it does is not known");
            let mut finding = Finding::new(Severity::Inconclusive, "unknown-function", title);
            finding.help = Some(format!("name the C file that defines `{name}`, too"));
            marked(program, finding, *site, "its result was taken from the inputs")
        }
        Note::UnknownObject { name } => {
            let title = format!("the object `{name}` is defined nowhere; it was taken as zero");
            let mut finding = Finding::new(Severity::Inconclusive, "unknown-object", title);
            finding.help = Some(format!("name the C file that defines `{name}`, too"));
            finding
        }
        Note::Imprecise { what, site } => {
            marked(program, Finding::new(Severity::Note, "imprecise", what.clone()), *site, "")
        }
    }
}

fn marked(program: &Program, mut finding: Finding, site: Site, label: &str) -> Finding {
    finding.primary = places::place(program, site).map(|place| Mark { place, label: label.to_owned() });
    finding
}

/// A run that did not fail may have taken millions; these show how it began.
const MOST_HARMLESS: usize = 1000;

fn inputs(program: &Program, run: &Run, verdict: Verdict) -> Vec<Input> {
    let most = if verdict == Verdict::Fault { usize::MAX } else { MOST_HARMLESS };
    let mut places = HashMap::new();
    let consumed = run.consumed.iter().take(most).map(|consumed| {
        let place = places.entry(consumed.site).or_insert_with(|| places::place(program, consumed.site));
        input(consumed, *place)
    });
    consumed.chain(run.unwritten.iter().take(most).map(|given| unwritten(program, given))).collect()
}

fn input(consumed: &Consumed, place: Option<Place>) -> Input {
    let value = Value::new(consumed.bits, consumed.ty);
    let unsigned = ["_u", "size_t", "bool", "unsigned", "pointer"].iter().any(|it| consumed.source.contains(it));
    let text = match consumed.ty {
        Type::Pointer => consumed.bits.to_string(),
        _ => numbers::value(value, if unsigned { Sign::Unsigned } else { Sign::Signed }),
    };
    Input { function: consumed.source.to_string(), value: text, indeterminate: false, place }
}

/// What memory held before it was written.
fn unwritten(program: &Program, given: &Given) -> Input {
    let name = names::declared_name(program, &given.object).map_or_else(|| "heap".to_owned(), str::to_owned);
    let (first, last) = (given.bytes.offset, given.bytes.offset + given.bytes.bytes.len() as u64 - 1);
    let function = match first == last {
        true => format!("{name}, byte {first}"),
        false => format!("{name}, bytes {first} to {last}"),
    };
    let value = given.bytes.bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    Input { function, value, indeterminate: true, place: places::place(program, given.object.allocated) }
}
