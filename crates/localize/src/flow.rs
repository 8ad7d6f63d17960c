//! The flow-sensitive formula of a failing run: a statement takes effect only where its branch was taken.
//!
//! After Christ, Ermis, Schäf and Wies, *Flow-sensitive fault localization* (VMCAI 2013): instead of assuming
//! every guard of the trace, each statement is made conditional on the guards that decided about it. Together
//! with the run's inputs and the demand that it does not fail, the formula contradicts itself; which of its
//! elements it needs for that, `flow_sensitive` and `max_sat` ask.
//!
//! An element is what one statement says: the value that it writes, or where its guard leads. Left out, the
//! value or the way is free. Statements that are no user's (`Bookkeeping`) are always there. Not here: what
//! would have been executed instead; where a guard leads elsewhere, its statements have no effect.

use logic::commands::Command;
use logic::control_flow::ErrorTrace;
use logic::sort::Sort;
use logic::terms::{Substitution, TermId, Terms};
use logic::value::Value;
use rustc_hash::FxHashMap;

/// What one statement contributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    pub statement: usize,
    /// What it says.
    pub says: TermId,
}

/// The formula of a run that fails, under the demand that it does not.
#[derive(Clone, Debug)]
pub struct FlowFormula {
    /// In the order of the trace.
    pub elements: Vec<Element>,
    /// That the failure does not happen.
    pub demand: TermId,
}

/// What is known about the run.
pub struct Run<'r> {
    /// The choices of `havoc` statements.
    pub inputs: &'r [(usize, Value)],
    /// For each statement the guard that decided about it, and last that of the failure.
    pub scopes: &'r [Option<usize>],
    /// Whether a statement can be left out.
    pub is_element: &'r dyn Fn(usize) -> bool,
}

/// The number of the assumption that is the failure itself, if there is one.
pub fn failing(trace: &ErrorTrace) -> Option<usize> {
    let last = trace.statements.len().checked_sub(1)?;
    matches!(trace.statements[last].command, Command::Assume { .. }).then_some(last)
}

/// Writes the formula. `fails` is the number of the assumption that says what went wrong, if there is one.
pub fn formula(terms: &mut Terms, trace: &ErrorTrace, run: &Run<'_>, fails: Option<usize>) -> FlowFormula {
    let inputs: FxHashMap<usize, &Value> = run.inputs.iter().map(|(statement, value)| (*statement, value)).collect();
    let mut current = Substitution::default();
    let mut guards: FxHashMap<usize, TermId> = FxHashMap::default();
    let mut elements = Vec::new();
    let mut demand = None;
    for (number, statement) in trace.statements.iter().enumerate() {
        let scope = run.scopes.get(number).copied().flatten();
        let reached = scope.and_then(|guard| guards.get(&guard).copied()).unwrap_or(terms.true_term());
        match statement.command {
            Command::Assume { condition } => {
                let condition = terms.substitute(condition, &current);
                let taken = terms.and2(reached, condition);
                if fails == Some(number) {
                    demand = Some(terms.not(taken));
                    break;
                }
                let way = match (run.is_element)(number) {
                    true => {
                        let way = terms.fresh("way", Sort::Bool);
                        elements.push(Element { statement: number, says: terms.eq(way, taken) });
                        way
                    }
                    false => taken,
                };
                guards.insert(number, way);
            }
            Command::Havoc { variable } => {
                let sort = terms.sort(variable);
                let value = match inputs.get(&number) {
                    Some(value) => terms.constant(value, sort),
                    None => terms.fresh("input", sort),
                };
                current.insert(variable, value);
            }
            Command::Assign { variable, value } => {
                let written = statement.part.map_or(value, |part| part.written);
                let written = terms.substitute(written, &current);
                let old = current.get(&variable).copied().unwrap_or(variable);
                let new = match (run.is_element)(number) {
                    true => {
                        let symbol = terms.fresh("written", terms.sort(written));
                        elements.push(Element { statement: number, says: terms.eq(symbol, written) });
                        symbol
                    }
                    false => written,
                };
                let whole = match statement.part {
                    Some(part) => {
                        let whole = terms.substitute(part.whole, &current);
                        terms.substitute(whole, &[(part.hole, new)].into_iter().collect())
                    }
                    None => new,
                };
                current.insert(variable, terms.ite(reached, whole, old));
            }
        }
    }
    let demand = demand.unwrap_or_else(|| {
        // The failure is that it is reached.
        let scope = run.scopes.last().copied().flatten();
        let reached = scope.and_then(|guard| guards.get(&guard).copied()).unwrap_or(terms.true_term());
        terms.not(reached)
    });
    FlowFormula { elements, demand }
}
