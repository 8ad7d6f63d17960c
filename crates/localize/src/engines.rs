//! The engines on a failing run of a C program: which to ask, and its answer as a diagnosis.

use std::time::Duration;

use diagnosis::{Diagnosis, Evidence};
use logic::exists_forall::Budget;
use logic::solver::{Interrupter, Limits};
use logic::sort::Sort;
use logic::value::{BitVector, Value};
use program::Program;
use verify::encode::EncodedTrace;
use verify::encode::origins::What;
use verify::encode::scopes::scopes;

use crate::error::Error;
use crate::flow::Run;
use crate::max_sat::Search;
use crate::relevance::{self, Finding, Reason, WhyNot};
use crate::suspects::{Remark, Words};
use crate::{error_invariants, flow_sensitive, max_sat};

/// A way to find who is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    Relevance,
    ErrorInvariants,
    FlowSensitive,
    MaxSat,
}

impl Engine {
    pub const ALL: &'static [Engine] =
        &[Engine::Relevance, Engine::ErrorInvariants, Engine::FlowSensitive, Engine::MaxSat];

    pub fn name(self) -> &'static str {
        match self {
            Engine::Relevance => "relevance",
            Engine::ErrorInvariants => "error-invariants",
            Engine::FlowSensitive => "flow-sensitive",
            Engine::MaxSat => "max-sat",
        }
    }

    pub fn from_name(name: &str) -> Option<Engine> {
        Engine::ALL.iter().copied().find(|engine| engine.name() == name)
    }
}

/// What an engine may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// For one question.
    pub time: Duration,
    pub jobs: usize,
    pub interrupter: Interrupter,
    /// Also say of statements in these lines why they are not to blame; all of them if it holds 0.
    pub why_not: Vec<u32>,
}

impl Default for Options {
    fn default() -> Options {
        let relevance::Options { time, jobs, interrupter, .. } = relevance::Options::default();
        Options { time, jobs, interrupter, why_not: Vec::new() }
    }
}

/// What a solver may use, and who stops it.
fn budget(options: &Options) -> Budget {
    Budget { limits: Limits::of_time(options.time), interrupter: options.interrupter.clone() }
}

/// Asks an engine about a run.
pub fn diagnose(
    program: &Program,
    encoded: &mut EncodedTrace,
    engine: Engine,
    options: &Options,
) -> Result<Diagnosis, Error> {
    let mut diagnosis = match engine {
        Engine::Relevance => relevant(program, encoded, options)?,
        Engine::ErrorInvariants => invariants(program, encoded, options)?,
        Engine::FlowSensitive => flow(program, encoded, options)?,
        Engine::MaxSat => corrections(program, encoded, options)?,
    };
    diagnosis.engines = vec![engine.name().to_owned()];
    diagnosis.statements = encoded.trace.statements.len();
    diagnosis.notes.extend(encoded.notes.iter().cloned());
    diagnosis.rank();
    Ok(diagnosis)
}

/// What the run chose, as values of the statements' sorts.
pub fn known_inputs(encoded: &EncodedTrace) -> Vec<(usize, Value)> {
    let value = |&(statement, bits): &(usize, u128)| {
        let variable = encoded.trace.statements[statement].command.changed()?;
        let value = match encoded.terms.sort(variable) {
            Sort::Bool => Value::Bool(bits & 1 == 1),
            Sort::BitVector(width) => Value::BitVector(BitVector::new(width, bits)),
            _ => return None,
        };
        Some((statement, value))
    };
    encoded.inputs.iter().filter_map(value).collect()
}

fn relevant(program: &Program, encoded: &mut EncodedTrace, options: &Options) -> Result<Diagnosis, Error> {
    let replaceable = |statement: &usize| {
        let origin = encoded.trace.statements[*statement].origin;
        encoded.places.get(origin).is_some_and(|place| place.what.is_replaceable())
    };
    let candidates: Vec<usize> = relevance::assigning(&encoded.trace).into_iter().filter(replaceable).collect();
    let asked = relevance::Options {
        time: options.time,
        jobs: options.jobs,
        interrupter: options.interrupter.clone(),
        known: known_inputs(encoded),
    };
    let findings = relevance::judge(&mut encoded.terms, &encoded.trace, &candidates, &asked)?;
    let words = Words::new(program, encoded);
    let blamed = findings.iter().filter_map(|(statement, finding)| match finding {
        Finding::Relevant(reason) => Some([*statement, reason.blocks]),
        Finding::Irrelevant(_) | Finding::Unknown(_) => None,
    });
    words.locate(&blamed.flatten().collect::<Vec<_>>(), options.jobs);
    let mut diagnosis = Diagnosis::default();
    let mut remarks = Vec::new();
    let mut unknown = None;
    for (statement, finding) in findings {
        match finding {
            Finding::Relevant(reason) => remarks.push(remark(&words, encoded, statement, &reason)),
            Finding::Irrelevant(why) => diagnosis.cleared.extend(cleared(&words, statement, &why, options)),
            Finding::Unknown(why) => {
                diagnosis.undecided += 1;
                unknown = Some(why);
            }
        }
    }
    if remarks.is_empty() && diagnosis.undecided == 0 {
        diagnosis
            .notes
            .push("no simple fix exists on this trace: no single other value would have saved the run".to_owned());
    }
    if let Some(why) = unknown {
        diagnosis.notes.push(format!("{} statements are undecided: {why}", diagnosis.undecided));
    }
    diagnosis.blamed = remarks.len();
    diagnosis.suspects = words.suspects(Engine::Relevance.name(), remarks);
    Ok(diagnosis)
}

/// Assignments first; what comes from outside can seldom be mended there. The nearer to the failure, the better.
fn weight(what: What) -> f64 {
    match what {
        What::Assignment | What::Store | What::Return => 0.8,
        What::Initial => 0.7,
        What::Argument(_) => 0.5,
        What::Result => 0.4,
        _ => 0.2,
    }
}

fn remark(words: &Words<'_>, encoded: &EncodedTrace, statement: usize, reason: &Reason) -> Remark {
    let place = words.place(statement);
    let nearness = statement as f64 / encoded.trace.statements.len().max(1) as f64;
    let score = place.map_or(0.0, |place| weight(place.what)) + 0.2 * nearness;
    let target = place.and_then(|place| place.target.as_ref());
    let name = place.map_or_else(|| "the value".to_owned(), |place| words.target(place));
    let value = words.value(target, &reason.value);
    let here = match (name.strip_prefix('`').and_then(|name| name.strip_suffix('`')), value.as_str()) {
        (Some(name), "another address") => format!("with another address in `{name}` here"),
        (Some(name), value) => format!("with `{name} = {value}` here"),
        (None, value) => format!("if {name} were {value} here"),
    };
    let was = target.map(|target| words.bits(Some(target), target.value)).filter(|was| was != "another address");
    let was = was.map_or_else(String::new, |was| format!(" instead of {was}"));
    let state = state(words, reason);
    let why = format!("{here}{was}, {} {}{state}", words.test(reason.blocks), words.outcome(reason.blocks));
    Remark {
        statement,
        score,
        why,
        related: vec![(reason.blocks, words.outcome(reason.blocks).replace("would", "this would then"))],
    }
}

/// The inputs of another execution, where the known one does not show it.
fn state(words: &Words<'_>, reason: &Reason) -> String {
    const SHOWN: usize = 3;
    if reason.in_known_execution {
        return String::new();
    }
    let input = |(statement, value): &(usize, Value)| {
        let target = words.place(*statement).and_then(|place| place.target.as_ref());
        let line = words.place(*statement).and_then(|place| words.line(place));
        let line = line.map_or_else(String::new, |line| format!(" of line {line}"));
        format!("{} for the input{line}", words.value(target, value))
    };
    let inputs: Vec<String> = reason.state.iter().take(SHOWN).map(input).collect();
    let more = if reason.state.len() > SHOWN { " and others" } else { "" };
    format!(", in an execution with {}{more}", inputs.join(", "))
}

fn cleared(words: &Words<'_>, statement: usize, why: &WhyNot, options: &Options) -> Option<Evidence> {
    if options.why_not.is_empty() {
        return None;
    }
    let place = words.place(statement)?;
    let span = words.span(place)?;
    let wanted = options.why_not.contains(&0) || options.why_not.contains(&span.start.line);
    if !wanted {
        return None;
    }
    let name = words.target(place);
    let message = match why {
        WhyNot::NeverTested => format!("{name} has no influence on the way to the failure from here"),
        WhyNot::AlwaysHolds(1) => {
            format!("no other value of {name} makes the one test that depends on it go another way")
        }
        WhyNot::AlwaysHolds(count) => {
            format!("no other value of {name} makes one of the {count} tests that depend on it go another way")
        }
        WhyNot::Repaired(choices) => {
            let lines: Vec<u32> = choices.iter().filter_map(|it| words.line(words.place(*it)?)).collect();
            let line = lines.first().map_or_else(String::new, |line| format!(" in line {line}"));
            format!("whatever {name} is, a later input{line} can lead to the failure again")
        }
    };
    Some(Evidence { engine: Engine::Relevance.name().to_owned(), message, place: Some(span) })
}

/// The heaviest set of changes that is looked for, and how many sets.
const MOST_WEIGHT: u64 = 2;
const MOST_SETS: usize = 50;

fn invariants(program: &Program, encoded: &mut EncodedTrace, options: &Options) -> Result<Diagnosis, Error> {
    let inputs = known_inputs(encoded);
    let (slice, more) = error_invariants::slice(&mut encoded.terms, &encoded.trace, &inputs, &budget(options))?;
    let words = Words::new(program, encoded);
    let count = slice.len().max(1) as f64;
    let mut remarks = Vec::new();
    for (index, needed) in slice.iter().enumerate() {
        let Some(place) = words.place(needed.statement).filter(|place| place.what.is_replaceable()) else { continue };
        let score = 0.5 * weight(place.what) + 0.5 * (index + 1) as f64 / count;
        let value = place.target.as_ref().map(|target| words.bits(Some(target), target.value)).unwrap_or_default();
        let why =
            format!("the failure needs that {} is {value} from here on, or something like it", words.target(place));
        remarks.push(Remark { statement: needed.statement, score, why, related: Vec::new() });
    }
    let blamed = remarks.len();
    let suspects = words.suspects(Engine::ErrorInvariants.name(), remarks);
    let notes = more.into_iter().map(|why| format!("there may be more before these: {why}")).collect();
    Ok(Diagnosis { suspects, notes, blamed, ..Diagnosis::default() })
}

fn is_element(encoded: &EncodedTrace, statement: usize) -> bool {
    let place = encoded.places.get(encoded.trace.statements[statement].origin);
    place.is_some_and(|place| place.what.is_replaceable() || matches!(place.what, What::Guard(_)))
}

fn flow(program: &Program, encoded: &mut EncodedTrace, options: &Options) -> Result<Diagnosis, Error> {
    let (inputs, scopes) = (known_inputs(encoded), scopes(program, encoded));
    let element: Vec<bool> = (0..encoded.trace.statements.len()).map(|it| is_element(encoded, it)).collect();
    let run = Run { inputs: &inputs, scopes: &scopes, is_element: &|statement| element[statement] };
    let (needed, fewer) = flow_sensitive::needed(&mut encoded.terms, &encoded.trace, &run, &budget(options))?;
    let words = Words::new(program, encoded);
    let count = needed.len().max(1) as f64;
    let mut remarks = Vec::new();
    for (index, &statement) in needed.iter().enumerate() {
        let Some(place) = words.place(statement) else { continue };
        let near = (index + 1) as f64 / count;
        let (score, why) = match place.what {
            What::Guard(held) => {
                let held = match held {
                    Some(true) => "holds",
                    Some(false) => "does not hold",
                    None => "goes this way",
                };
                (0.4 + 0.4 * near, format!("the failure is reached because this {held}"))
            }
            _ => {
                let value = place.target.as_ref().map(|target| words.bits(Some(target), target.value));
                let value = value.unwrap_or_default();
                (
                    0.5 * weight(place.what) + 0.5 * near,
                    format!("the failure needs that {} is {value} here", words.target(place)),
                )
            }
        };
        remarks.push(Remark { statement, score, why, related: Vec::new() });
    }
    let blamed = remarks.len();
    let suspects = words.suspects(Engine::FlowSensitive.name(), remarks);
    let notes = fewer.into_iter().map(|why| format!("fewer may be enough: {why}")).collect();
    Ok(Diagnosis { suspects, notes, blamed, ..Diagnosis::default() })
}

fn corrections(program: &Program, encoded: &mut EncodedTrace, options: &Options) -> Result<Diagnosis, Error> {
    let (inputs, scopes) = (known_inputs(encoded), scopes(program, encoded));
    let count = encoded.trace.statements.len();
    let element: Vec<bool> = (0..count).map(|it| is_element(encoded, it)).collect();
    let mut groups: std::collections::BTreeMap<_, usize> = std::collections::BTreeMap::new();
    let mut group_of = vec![0; count];
    let (mut weights, mut members): (Vec<u64>, Vec<usize>) = (Vec::new(), Vec::new());
    for statement in (0..count).filter(|&it| element[it]) {
        let Some(place) = encoded.places.get(encoded.trace.statements[statement].origin) else { continue };
        let kind = match place.what {
            What::Argument(number) => 1 + number,
            _ => 0,
        };
        let key = (place.at.map(|at| (at.function, at.block, at.index)), place.site, kind);
        let next = weights.len();
        let group = *groups.entry(key).or_insert(next);
        if group == next {
            // Where a value only arrives, a change is less likely.
            weights.push(if matches!(place.what, What::Argument(_) | What::Result) { 2 } else { 1 });
            members.push(statement);
        }
        members[group] = statement;
        group_of[statement] = group;
    }
    let run = Run { inputs: &inputs, scopes: &scopes, is_element: &|statement| element[statement] };
    let search = Search { most_weight: MOST_WEIGHT, most_sets: MOST_SETS, budget: budget(options) };
    let (sets, more) = max_sat::correction_sets(
        &mut encoded.terms,
        &encoded.trace,
        &run,
        &|statement| group_of[statement],
        &weights,
        search,
    )?;
    let words = Words::new(program, encoded);
    let mut remarks = Vec::new();
    for set in &sets {
        for &group in &set.groups {
            let statement = members[group];
            let near = statement as f64 / count.max(1) as f64;
            let score = 1.0 / (1.0 + set.groups.len() as f64) + 0.3 / set.weight as f64 + 0.1 * near;
            let others: Vec<(usize, String)> = (set.groups.iter().filter(|&&it| it != group))
                .map(|&it| (members[it], "together with this".to_owned()))
                .collect();
            let what = match words.place(statement).map(|place| place.what) {
                Some(What::Guard(_)) => "condition",
                _ => "statement",
            };
            let why = match others.is_empty() {
                true => format!("a change of this {what} alone could keep the run from failing"),
                false => format!("a change of this {what} and one more could keep the run from failing"),
            };
            remarks.push(Remark { statement, score, why, related: others });
        }
    }
    // A statement that can do it alone is not told again with others.
    remarks.sort_by(|one, other| one.score.total_cmp(&other.score));
    let mut best: std::collections::BTreeMap<usize, Remark> = std::collections::BTreeMap::new();
    for remark in remarks {
        best.insert(remark.statement, remark);
    }
    let blamed = best.len();
    let suspects = words.suspects(Engine::MaxSat.name(), best.into_values().collect());
    let notes = more.into_iter().map(|why| format!("there may be more: {why}")).collect();
    Ok(Diagnosis { suspects, notes, blamed, ..Diagnosis::default() })
}
