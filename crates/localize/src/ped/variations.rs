//! What the statements of a trace would be if the program said something else.
//!
//! Alternatives of expressions → for each, the statements that change, over the trace's own variables. The run is
//! written down again for a variant of the program, along the same path; what differs is the alternative's doing,
//! because values are over the variables before each statement. One variant has at most one alternative for each
//! command, so few walks serve many alternatives. An alternative that makes the run access memory in another way
//! has no variation.

use std::collections::BTreeMap;

use logic::commands::Command;
use logic::control_flow::{ErrorTrace, Statement};
use logic::terms::{Substitution, TermId, Terms};
use program::Program;
use program::exec::CommandRef;
use verify::encode::Outline;
use verify::encode::origins::Places;

use super::alternatives::Alternative;

/// A statement's new meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// Something else is written into the same place, or assumed.
    Written(TermId),
    /// The variable has this value afterwards: another place is written.
    Whole(TermId),
}

/// What an alternative does to a trace.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Variation {
    pub statements: BTreeMap<usize, Replacement>,
    /// What must hold before a statement, where that changes.
    pub checks: BTreeMap<usize, TermId>,
}

/// The variations, one for each alternative.
pub fn vary(
    program: &Program,
    outline: &Outline<'_>,
    terms: &mut Terms,
    trace: &ErrorTrace,
    places: &Places,
    alternatives: &[Alternative],
) -> Vec<Variation> {
    let mut variations = vec![Variation::default(); alternatives.len()];
    let mut by_command: BTreeMap<CommandRef, Vec<usize>> = BTreeMap::new();
    for (index, alternative) in alternatives.iter().enumerate().filter(|it| it.1.has_formula()) {
        by_command.entry(alternative.at).or_default().push(index);
    }
    let rounds = by_command.values().map(Vec::len).max().unwrap_or(0);
    let mut variant = program.clone();
    for round in 0..rounds {
        let chosen: Vec<usize> = by_command.values().filter_map(|it| it.get(round).copied()).collect();
        let together = attempt(program, &mut variant, &chosen, outline, terms, trace, places, alternatives);
        let found = together.unwrap_or_else(|| {
            // One of them cannot be followed: each by itself.
            let alone =
                |&it: &usize| attempt(program, &mut variant, &[it], outline, terms, trace, places, alternatives);
            chosen.iter().filter_map(alone).flatten().collect()
        });
        for (index, variation) in found {
            variations[index] = variation;
        }
    }
    variations
}

/// Writes the run down with these alternatives; nothing if that gives another sequence of statements.
#[allow(clippy::too_many_arguments, reason = "it is a part of `vary`")]
fn attempt(
    program: &Program,
    variant: &mut Program,
    chosen: &[usize],
    outline: &Outline<'_>,
    terms: &mut Terms,
    trace: &ErrorTrace,
    places: &Places,
    alternatives: &[Alternative],
) -> Option<Vec<(usize, Variation)>> {
    for &index in chosen {
        alternatives[index].apply(variant);
    }
    let varied = outline.variant(variant, terms);
    for &index in chosen {
        let function = alternatives[index].at.function;
        variant.functions[function.index()].body.clone_from(&program.functions[function.index()].body);
    }
    let difference = difference(terms, trace, &varied.ok()?)?;
    let owner: BTreeMap<CommandRef, usize> = chosen.iter().map(|&index| (alternatives[index].at, index)).collect();
    let mut found: BTreeMap<usize, Variation> = BTreeMap::new();
    let owner_of = |statement: usize| {
        let at = places.get(trace.statements[statement].origin)?.at?;
        owner.get(&at).copied()
    };
    for (statement, replacement) in difference.statements {
        if let Some(index) = owner_of(statement) {
            found.entry(index).or_default().statements.insert(statement, replacement);
        }
    }
    for (statement, holds) in difference.checks {
        if let Some(index) = owner_of(statement) {
            found.entry(index).or_default().checks.insert(statement, holds);
        }
    }
    Some(found.into_iter().collect())
}

fn difference(terms: &mut Terms, original: &ErrorTrace, varied: &ErrorTrace) -> Option<Variation> {
    if original.statements.len() != varied.statements.len() {
        return None;
    }
    let mut names = Substitution::default();
    let mut variation = Variation::default();
    for (number, (one, other)) in original.statements.iter().zip(&varied.statements).enumerate() {
        if let Some(replacement) = compare(terms, one, other, &mut names)? {
            variation.statements.insert(number, replacement);
        }
    }
    let (before, after) = (checks(terms, original, &names), checks(terms, varied, &names));
    for number in before.keys().chain(after.keys()) {
        let holds = |terms: &Terms, it: &BTreeMap<usize, TermId>| it.get(number).copied().unwrap_or(terms.true_term());
        let (old, new) = (holds(terms, &before), holds(terms, &after));
        if old != new {
            variation.checks.insert(*number, new);
        }
    }
    Some(variation)
}

/// What must hold before each statement, all together.
pub fn checks(terms: &mut Terms, trace: &ErrorTrace, names: &Substitution) -> BTreeMap<usize, TermId> {
    let mut together: BTreeMap<usize, Vec<TermId>> = BTreeMap::new();
    for check in &trace.checks {
        together.entry(check.before).or_default().push(check.holds);
    }
    let join = |(number, holds): (usize, Vec<TermId>)| {
        let holds = terms.and(&holds);
        (number, if names.is_empty() { holds } else { terms.substitute(holds, names) })
    };
    together.into_iter().map(join).collect()
}

/// Nothing outside if the two do not correspond, nothing inside if they are the same.
fn compare(
    terms: &mut Terms,
    one: &Statement,
    other: &Statement,
    names: &mut Substitution,
) -> Option<Option<Replacement>> {
    let renamed = |terms: &mut Terms, term: TermId, names: &Substitution| match names.is_empty() {
        true => term,
        false => terms.substitute(term, names),
    };
    let (old, new) = match (one.command, other.command) {
        (Command::Havoc { variable: old }, Command::Havoc { variable: new }) => {
            return same_variable(terms, old, new, names).then_some(None);
        }
        (Command::Assume { condition: old }, Command::Assume { condition: new }) => (old, new),
        (Command::Assign { variable: old, value }, Command::Assign { variable: new, value: other_value }) => {
            if let (Some(one), Some(other)) = (one.part, other.part) {
                names.insert(other.hole, one.hole);
                let whole = renamed(terms, other.whole, names);
                let written = renamed(terms, other.written, names);
                if !same_variable(terms, old, new, names) {
                    return None;
                }
                if whole != one.whole {
                    return Some(Some(Replacement::Whole(renamed(terms, other_value, names))));
                }
                return Some((written != one.written).then_some(Replacement::Written(written)));
            }
            let value_now = renamed(terms, other_value, names);
            if !same_variable(terms, old, new, names) {
                return None;
            }
            (value, value_now)
        }
        _ => return None,
    };
    let new = renamed(terms, new, names);
    Some((old != new).then_some(Replacement::Written(new)))
}

/// The same variable, or symbols that each walk makes anew.
fn same_variable(terms: &Terms, old: TermId, new: TermId, names: &mut Substitution) -> bool {
    const FRESH: [&str; 3] = ["moved", "allocated", "choice"];
    let is_fresh = |term: TermId| terms.name(term).is_some_and(|name| FRESH.iter().any(|it| name.starts_with(it)));
    if old != new && is_fresh(old) && is_fresh(new) {
        names.insert(new, old);
        return true;
    }
    old == new
}
