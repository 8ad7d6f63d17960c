//! `faultline localize` on a Boogie program: finds a failing execution and asks relevance about it.
//!
//! With `--traces multi` trace abstraction looks for others, and what all of them blame remains. Recursion is
//! followed once. The other engines know C's runs only.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use diagnosis::{Diagnosis, Evidence, Score, Suspect};
use frontend::boogie::{self, Role, Translation};
use localize::many_traces;
use localize::relevance::{self, Finding, Reason};
use logic::control_flow::{ErrorTrace, LocationId};
use logic::solver::Interrupter;
use report::{Report, Severity};
use source::{FileId, Sources, Span};
use verify::automata::{self, Budget};
use verify::graph_check;

use crate::arguments::{Engine, Localize, Traces};
use crate::screen::Screen;
use crate::{Ending, boogie_trace, interrupt, localizing, localizing_many};

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
    let interrupted = interrupt::catch();
    let started = Instant::now();
    let options = graph_check::Options {
        time: arguments.limits.timeout,
        interrupt: Some(interrupted.clone()),
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
    let usual = relevance::Options::default();
    let deadline = arguments.limits.timeout.map(|time| started + time);
    let options = relevance::Options {
        time: arguments.question_timeout.unwrap_or(usual.time),
        jobs: arguments.jobs.unwrap_or(usual.jobs),
        interrupter: Interrupter::from(interrupted).until(deadline),
        ..usual
    };
    let asking = Asking { sources: &sources, file: id, options };
    let diagnosis = match arguments.traces {
        Traces::Single => asking.diagnose(&mut translation, &trace)?,
        Traces::Multi => asking.many(&mut translation, &trace, localizing_many::search_time(arguments))?,
    };
    localizing::write(&sources, &report, None, &diagnosis, arguments, screen)?;
    Ok(if diagnosis.suspects.is_empty() && diagnosis.undecided > 0 { Ending::Inconclusive } else { Ending::Fault })
}

/// Whom to ask about which program.
struct Asking<'s> {
    sources: &'s Sources,
    file: FileId,
    options: relevance::Options,
}

impl Asking<'_> {
    /// What all error traces blame that trace abstraction finds in this time, or the known one if it finds none.
    fn many(&self, translation: &mut Translation, known: &ErrorTrace, time: Duration) -> Result<Diagnosis> {
        let budget = Budget { time: Some(time), interrupter: self.options.interrupter.clone(), ..Budget::default() };
        let graph = &translation.graph;
        let (found, _) = automata::error_traces(&mut translation.terms, graph, &budget, localizing_many::MOST);
        let replayed = found.traces.iter().filter(|it| it.replayed);
        let mut traces: Vec<ErrorTrace> = replayed
            .map(|it| ErrorTrace { statements: it.statements(graph), checks: Vec::new(), axioms: graph.axioms.clone() })
            .collect();
        let is_whole = found.complete && traces.len() == found.traces.len() && translation.stops.is_empty();
        if traces.is_empty() {
            traces.push(known.clone());
        }
        let mut diagnoses = Vec::new();
        for trace in &traces {
            diagnoses.push(self.diagnose(translation, trace)?);
        }
        let mut diagnosis = many_traces::intersect(diagnoses, is_whole);
        diagnosis.notes.extend(found.stopped);
        Ok(diagnosis)
    }

    fn diagnose(&self, translation: &mut Translation, trace: &ErrorTrace) -> Result<Diagnosis> {
        let role = |statement: &usize| translation.origin(trace.statements[*statement].origin).role;
        let written = |it: &usize| {
            matches!(role(it), Role::Assign | Role::Havoc | Role::Argument | Role::Result | Role::Modifies)
        };
        let candidates: Vec<usize> = relevance::assigning(trace).into_iter().filter(written).collect();
        let findings = relevance::judge(&mut translation.terms, trace, &candidates, &self.options)?;
        let mut diagnosis = Diagnosis { engines: vec!["relevance".to_owned()], ..Diagnosis::default() };
        diagnosis.statements = trace.statements.len();
        for (statement, finding) in findings {
            match finding {
                Finding::Relevant(reason) => {
                    diagnosis.blamed += 1;
                    let found = suspect(self.sources, self.file, translation, trace, statement, &reason);
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
            message: "this would then go another way".to_owned(),
            place: tested,
        }],
        step: None,
        lines: Vec::new(),
        fix: None,
    }
}
