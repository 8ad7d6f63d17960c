//! `faultline localize` on a Boogie program: finds a failing execution and asks relevance about it.
//!
//! Recursion is followed once. The other engines know C's runs only.

use anyhow::{Result, bail};
use diagnosis::{Diagnosis, Evidence, Score, Suspect};
use frontend::boogie::{self, Role, Translation};
use localize::relevance::{self, Finding, Reason};
use logic::control_flow::{ErrorTrace, LocationId};
use report::{Report, Severity};
use source::{FileId, Sources, Span};
use verify::graph_check;

use crate::arguments::{Engine, Localize};
use crate::screen::Screen;
use crate::{Ending, boogie_trace, interrupt, localizing};

pub fn run(arguments: &Localize, screen: Screen) -> Result<Ending> {
    let [file] = arguments.reading.files.as_slice() else {
        bail!("a Boogie program is one .bpl file: name it alone");
    };
    if arguments.following.witness.is_some() {
        bail!("witnesses are for C programs, not for Boogie programs (.bpl)");
    }
    if arguments.engine != Engine::Relevance {
        bail!("on a Boogie program, only --engine relevance can be asked");
    }
    let mut sources = Sources::new();
    let id = boogie::open(file, &mut sources)?;
    let text = sources.text(id).unwrap_or_default().to_owned();
    let mut translation = boogie::translate(&text, &boogie::Options::default())?;
    let stops: Vec<LocationId> = translation.stops.iter().map(|it| it.location).collect();
    let options = graph_check::Options {
        time: arguments.limits.timeout,
        interrupt: Some(interrupt::catch()),
        ..graph_check::Options::default()
    };
    let found = graph_check::check(&mut translation.terms, &translation.graph, &stops, &options);
    let Some(failing) = found.traces.first() else {
        screen.message(Severity::Note, "no failing execution was found: `faultline check` says more");
        return Ok(match found.verdict {
            graph_check::Verdict::Proved => Ending::NothingWrong,
            _ => Ending::Inconclusive,
        });
    };
    let shown = boogie_trace::show(&sources, id, &translation, failing);
    let report = Report {
        verdict: report::Verdict::Fault,
        findings: vec![shown.finding.clone()],
        exit_status: None,
        inputs: shown.inputs.clone(),
        unsupported: Vec::new(),
        steps: failing.steps.len() as u64,
    };
    let statements = failing.statements.clone();
    let trace = ErrorTrace { statements, checks: Vec::new(), axioms: failing.axioms.clone() };
    let diagnosis = diagnose(&sources, id, &mut translation, &trace, arguments)?;
    localizing::write(&sources, &report, None, &diagnosis, arguments, screen)?;
    Ok(if diagnosis.suspects.is_empty() && diagnosis.undecided > 0 { Ending::Inconclusive } else { Ending::Fault })
}

fn diagnose(
    sources: &Sources,
    file: FileId,
    translation: &mut Translation,
    trace: &ErrorTrace,
    arguments: &Localize,
) -> Result<Diagnosis> {
    let role = |statement: &usize| translation.origin(trace.statements[*statement].origin).role;
    let written =
        |it: &usize| matches!(role(it), Role::Assign | Role::Havoc | Role::Argument | Role::Result | Role::Modifies);
    let candidates: Vec<usize> = relevance::assigning(trace).into_iter().filter(written).collect();
    let usual = relevance::Options::default();
    let options = relevance::Options {
        time: arguments.question_timeout.unwrap_or(usual.time),
        jobs: arguments.jobs.unwrap_or(usual.jobs),
        ..usual
    };
    let findings = relevance::judge(&mut translation.terms, trace, &candidates, &options)?;
    let mut diagnosis = Diagnosis { engines: vec!["relevance".to_owned()], ..Diagnosis::default() };
    diagnosis.statements = trace.statements.len();
    for (statement, finding) in findings {
        match finding {
            Finding::Relevant(reason) => {
                diagnosis.blamed += 1;
                let found = suspect(sources, file, translation, trace, statement, &reason);
                match diagnosis.suspects.iter_mut().find(|it| it.place == found.place) {
                    Some(known) => *known = found,
                    None => diagnosis.suspects.push(found),
                }
            }
            Finding::Irrelevant(_) => {}
            Finding::Unknown(_) => diagnosis.undecided += 1,
        }
    }
    if diagnosis.suspects.is_empty() && diagnosis.undecided == 0 {
        diagnosis
            .notes
            .push("no simple fix exists on this trace: no single other value would have saved it".to_owned());
    }
    diagnosis.rank();
    Ok(diagnosis)
}

fn suspect(
    sources: &Sources,
    file: FileId,
    translation: &Translation,
    trace: &ErrorTrace,
    statement: usize,
    reason: &Reason,
) -> Suspect {
    let span = |statement: usize| -> Option<Span> {
        boogie::span(sources, file, translation.origin(trace.statements[statement].origin).extent)
    };
    let text = |span: Option<Span>| span.and_then(|span| sources.text_of(span)).unwrap_or_default().to_owned();
    let changed = trace.statements[statement].command.changed();
    let name = changed.and_then(|it| translation.variables.get(&it)).map_or("the value", |it| it.name.as_str());
    let tested = span(reason.blocks);
    let line = tested.map_or(0, |span| span.start.line);
    let value = boogie::shown(&reason.value);
    let why = format!("with `{name} = {value}` here, `{}` in line {line} would go another way", text(tested));
    let near = statement as f64 / trace.statements.len().max(1) as f64;
    Suspect {
        place: span(statement),
        text: text(span(statement)),
        function: translation.origin(trace.statements[statement].origin).procedure.clone(),
        score: Score::new(0.5 + 0.5 * near),
        engines: vec!["relevance".to_owned()],
        why,
        evidence: vec![Evidence {
            engine: "relevance".to_owned(),
            message: "then would go another way".to_owned(),
            place: tested,
        }],
        fix: None,
    }
}
