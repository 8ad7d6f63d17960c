//! Proof-guided error diagnosis: what to change in a program so that a failing run does not fail.
//!
//! Balakrishnan and Ganai, *PED: Proof-guided Error Diagnosis by Triangulation of Program Error Causes*, 2008.
//! A program, a recorded failing run and perhaps others → [`Fix`]es, the best first. `slice` says what is
//! untrusted (§3.2), `spots` what can be changed, `alternatives` and `annotations` with what (§4.2), `variations`
//! what that means on the trace; `repair_program` is the formula, `search` solves it (Figure 5), `fixes` puts
//! solutions together and ranks them (§5).
//!
//! Deviations. A repair that is a patch is checked on the whole program before it is shown ([`validate`]); those
//! that pass come first, the preferred ones before others. Alternatives are offered beside free results, not instead
//! of them: where the library has nothing fitting, the place is still found. A condition may also be joined with a
//! test of the failing index.
//!
//! Not here: how patches are compiled and checked, and where traces come from.

pub mod alternatives;
mod changes;
pub mod configuration;
mod control;
pub mod fixes;
pub mod proofs;
mod repair_program;
mod search;
mod slice;
pub mod specification;
pub mod spots;
mod telling;
pub mod traces;
mod variations;

use std::collections::{BTreeMap, BTreeSet};

use logic::commands::Command;
use logic::sort::Sort;
use logic::terms::Terms;
use program::exec::{Checks, CommandRef, Effect, Violation};
use program::{Program, SpanIndex};
pub use source::annotations;
use verify::encode::recording::{Entry, Recording};
use verify::encode::{EncodedTrace, Outline, encode};

use crate::error::Error;
pub use configuration::{Configuration, Options};
pub use fixes::{Fix, Judgement, Proposal, Validator, validate};
use repair_program::{Choice, Ingredients, RepairProgram, Selected};
pub use specification::Specification;
use spots::{Key, Spot};
pub use telling::diagnosis;
use variations::Variation;

/// What the engine is called.
pub const NAME: &str = "ped";

/// A failing run.
#[derive(Clone, Copy)]
pub struct Run<'r> {
    pub recording: &'r Recording,
    pub violation: &'r Violation,
    /// How many arguments `main` got.
    pub arguments: usize,
}

/// What was found.
pub struct Repairs {
    /// The best first.
    pub fixes: Vec<Fix>,
    /// The first run as a trace.
    pub encoded: EncodedTrace,
    /// The statements on which the failure depends, with the failing one.
    pub slice: Vec<usize>,
    /// How many of them are steps of the trace as the paper counts.
    pub steps: usize,
    /// What proofs say, as far as it was used.
    pub specification: Specification,
    pub notes: Vec<String>,
}

/// Finds fixes for the first run; the others narrow them down.
pub fn repairs(
    program: &Program,
    checks: Checks,
    runs: &[Run<'_>],
    specification: &Specification,
    options: &Options,
) -> Result<Repairs, Error> {
    let [first, others @ ..] = runs else { return Err(Error::NoRun) };
    let spans = SpanIndex::new(program);
    let mut trace = Trace::new(program, checks, *first, specification, options)?;
    let alternatives = trace.alternatives(program, &spans, *first, options);
    let outline = Outline::new(program, checks, first.recording, first.arguments, first.violation)?;
    let EncodedTrace { trace: error_trace, places, .. } = &trace.encoded;
    let variations = variations::vary(program, &outline, &mut trace.terms, error_trace, places, &alternatives);
    let choices = trace.choices(&alternatives, &variations, options);
    let open = trace.build(choices, &variations, specification, options);
    let mut formula = open.clone();
    if options.intersection {
        trace.close_exits(&mut formula, *first, others);
    }
    let limit = limit(options);
    let mut found = search::solve(&mut trace.terms, &formula, &limit)?;
    if found.solutions.is_empty() && formula.exits.len() < open.exits.len() {
        // Both ways of a branch fail and nothing else helps: the branch itself is the only suspect left.
        formula = open;
        found = search::solve(&mut trace.terms, &formula, &limit)?;
    }
    let mut notes: Vec<String> = found.incomplete.into_iter().collect();
    let length = trace.slice.iter().filter(|&&it| repair_program::is_step(&trace.encoded, it)).count();
    let outside = trace.outside(program, &spans, *first, specification, options);
    let whole = fixes::Whole { steps: length, encoded: &trace.encoded, outside: &outside };
    let mut fixes = fixes::collect(&found.solutions, &formula, &trace.spots, &alternatives, whole);
    fixes::rank(&mut fixes, options.ranking);
    if options.intersection {
        for run in others {
            narrow(program, checks, *run, runs, specification, options, &mut fixes, &mut notes)?;
        }
    }
    fixes.truncate(options.fixes);
    notes.extend(trace.encoded.notes.iter().cloned());
    let mut used = if options.invariants { specification.clone() } else { Specification::default() };
    if !options.trust {
        (used.trusted, used.reasons) = Default::default();
    }
    Ok(Repairs { fixes, slice: trace.slice, steps: length, encoded: trace.encoded, specification: used, notes })
}

fn limit(options: &Options) -> search::Limit {
    search::Limit {
        changes: options.changes,
        // Several alternatives may make one fix.
        solutions: 4 * options.fixes,
        time: options.time,
        interrupter: options.interrupter.clone(),
        use_def: options.use_def,
    }
}

/// Drops the fixes that do not help in another run; if none does, it is another fault, and all stay.
#[allow(clippy::too_many_arguments, reason = "it is a part of `repairs`")]
fn narrow(
    program: &Program,
    checks: Checks,
    run: Run<'_>,
    all: &[Run<'_>],
    specification: &Specification,
    options: &Options,
    fixes: &mut Vec<Fix>,
    notes: &mut Vec<String>,
) -> Result<(), Error> {
    let mut trace = match Trace::new(program, checks, run, specification, options) {
        Ok(trace) => trace,
        Err(error) => {
            notes.push(format!("another failing run is left out: {error}"));
            return Ok(());
        }
    };
    let choices = trace.choices(&[], &[], options);
    let mut formula = trace.build(choices, &[], specification, options);
    trace.close_exits(&mut formula, run, all);
    let mut kept = Vec::new();
    for fix in fixes.iter().filter(|fix| !fix.is_tentative) {
        let spots: Vec<usize> = (0..trace.spots.len()).filter(|&it| fix.keys.contains(&trace.spots[it].key)).collect();
        let helps = match spots.is_empty() {
            true => Some(false),
            false => search::can_repair(&mut trace.terms, &formula, &spots, &limit(options))?,
        };
        if helps != Some(false) {
            kept.push(fix.clone());
        }
    }
    match kept.is_empty() {
        true => notes.push("no fix helps in all failing runs: there may be more than one fault".to_owned()),
        // Tentative ones are tried out and checked with all runs.
        false => fixes.retain(|fix| fix.is_tentative || kept.contains(fix)),
    }
    Ok(())
}

/// A run as a trace, with what can be changed in it.
struct Trace {
    encoded: EncodedTrace,
    terms: Terms,
    slice: Vec<usize>,
    spots: Vec<Spot>,
}

impl Trace {
    fn new(
        program: &Program,
        checks: Checks,
        run: Run<'_>,
        specification: &Specification,
        options: &Options,
    ) -> Result<Trace, Error> {
        let encoded = encode(program, checks, run.recording, run.arguments, run.violation)?;
        let slice = slice::slice(program, &encoded, run.recording, run.violation);
        let nothing = BTreeSet::new();
        let trusted = if options.trust { &specification.trusted } else { &nothing };
        let spots = spots::spots(program, &encoded, &slice, options.correlation, trusted);
        let terms = encoded.terms.clone();
        Ok(Trace { encoded, terms, slice, spots })
    }

    fn alternatives(
        &self,
        program: &Program,
        spans: &SpanIndex<'_>,
        run: Run<'_>,
        options: &Options,
    ) -> Vec<alternatives::Alternative> {
        let mut commands: BTreeSet<_> = self
            .spots
            .iter()
            .filter_map(|spot| match spot.key {
                Key::Command(at, _) => Some(at),
                Key::Initial(_) => None,
            })
            .collect();
        commands.insert(run.violation.at);
        alternatives::find(program, spans, &options.annotations, &commands, run.violation)
    }

    /// Alternatives for the conditions that the run tests and that are not in the slice, all or some of the times: of a
    /// loop that ends too early, the last test is not. With one of them, the run may do what it left out.
    fn outside(
        &self,
        program: &Program,
        spans: &SpanIndex<'_>,
        run: Run<'_>,
        specification: &Specification,
        options: &Options,
    ) -> Vec<alternatives::Alternative> {
        let mut tested: BTreeMap<CommandRef, usize> = BTreeMap::new();
        for entry in &run.recording.entries {
            if let Entry::Step(step) = entry
                && matches!(step.effect, Effect::Guard(_))
            {
                *tested.entry(step.at).or_default() += 1;
            }
        }
        let is_known = |at: CommandRef, times: usize| {
            let key = Key::Command(at, None);
            let is_trusted = options.trust && specification.trusted.contains(&key);
            let sliced: usize = self.spots.iter().filter(|spot| spot.key == key).map(|it| it.statements.len()).sum();
            is_trusted || sliced >= times
        };
        let commands = tested.into_iter().filter(|&(at, times)| !is_known(at, times)).map(|(at, _)| at).collect();
        let mut found = alternatives::find(program, spans, &options.annotations, &commands, run.violation);
        found.retain(|it| it.at != run.violation.at);
        found
    }

    /// A selector for each way to change a spot. The failing command is a spot if there are alternatives for it.
    fn choices(
        &mut self,
        alternatives: &[alternatives::Alternative],
        variations: &[Variation],
        options: &Options,
    ) -> Vec<Choice> {
        let mut choices = Vec::new();
        for (number, spot) in self.spots.iter().enumerate() {
            let annotations = &options.annotations;
            let weight = if spot.is_condition { annotations.free_outcome } else { annotations.free_value };
            if weight > 0 {
                let selector = self.terms.fresh("selector", Sort::Bool);
                choices.push(Choice { selector, spot: number, selected: Selected::Free, weight });
            }
        }
        for (number, alternative) in alternatives.iter().enumerate() {
            if variations[number].statements.is_empty() {
                continue;
            }
            let key = Key::Command(alternative.at, alternative.argument);
            let mut spots: Vec<usize> = (0..self.spots.len()).filter(|&it| self.spots[it].key == key).collect();
            if spots.is_empty() {
                let changed = variations[number].statements.keys().copied().filter(|it| self.slice.contains(it));
                let statements: Vec<usize> = changed.collect();
                if statements.is_empty() {
                    continue;
                }
                self.spots.push(Spot { key, copy: None, statements, is_condition: false, in_loop: false });
                spots.push(self.spots.len() - 1);
            }
            for spot in spots {
                let selector = self.terms.fresh("selector", Sort::Bool);
                let selected = Selected::Alternative(number);
                choices.push(Choice { selector, spot, selected, weight: alternative.weight });
            }
        }
        choices
    }

    /// Removes exits by which other failing runs left this one.
    fn close_exits(&self, formula: &mut RepairProgram, run: Run<'_>, others: &[Run<'_>]) {
        for other in others {
            let Some((at, met)) = traces::divergence(run.recording, other.recording) else { continue };
            let is_there = |number: &usize| {
                let statement = &self.encoded.trace.statements[*number];
                let assumes = matches!(statement.command, Command::Assume { .. });
                assumes && self.encoded.places.get(statement.origin).is_some_and(|place| place.at == Some(at))
            };
            let closed = (0..self.encoded.trace.statements.len()).filter(is_there).nth(met);
            formula.exits.retain(|exit| Some(exit.statement) != closed || exit.is_end);
        }
    }

    fn build(
        &mut self,
        choices: Vec<Choice>,
        variations: &[Variation],
        specification: &Specification,
        options: &Options,
    ) -> RepairProgram {
        let limits = match options.invariants {
            true => specification.limits(&mut self.terms, &self.encoded),
            false => Default::default(),
        };
        let ingredients = Ingredients {
            slice: &self.slice,
            spots: &self.spots,
            choices,
            variations,
            limits: &limits,
            demand_checks: options.invariants,
        };
        repair_program::build(&self.encoded, &mut self.terms, ingredients)
    }
}
