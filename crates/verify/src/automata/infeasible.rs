//! Whether a trace can be executed, and if not, predicates that say why.
//!
//! Commands → a model, or predicates at the places between letters. The trace is generalized by an
//! unsatisfiable core: an assignment outside of it becomes `havoc`, an assumption nothing (Dietsch et al.,
//! "Craig vs. Newton in software model checking", FSE 2017). Predicates are then the conjuncts of strongest
//! postconditions, forgetting variables that the rest does not read, and weakest preconditions. Unlike
//! `logic::interpolate` nothing is asked of the solver here after the core: the automaton that is built from
//! the predicates checks every triple, and must accept the trace.
//!
//! Quantifiers are avoided: forwards a conjunct that would need one is dropped, backwards the predicate is.
//! [`Care::Exact`] keeps them, for the traces whose proof needs them.

use std::collections::BTreeSet;

use logic::commands::{Command, SingleAssignment, backward_states, single_assignment};
use logic::evaluate::Model;
use logic::project;
use logic::solver::{Limits, Outcome, cores};
use logic::terms::{Substitution, TermId, Terms};

use super::prover::{Prover, Stop, words};

/// How many checks a smaller core may cost.
const CORE_CHECKS: usize = 24;

/// What to do about quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Care {
    /// Without quantifiers, even if the predicates may then be too weak.
    Free,
    Exact,
}

pub enum Feasibility {
    /// Values of the variables' versions.
    Feasible(SingleAssignment, Model),
    /// Which commands the contradiction needs.
    Infeasible(Vec<bool>),
}

/// Decides whether the commands can be executed one after the other.
pub fn feasibility(terms: &mut Terms, prover: &mut Prover, trace: &[Command]) -> Result<Feasibility, Stop> {
    prover.keep_going()?;
    prover.renew(terms)?;
    let ssa = single_assignment(terms, trace);
    let demands: Vec<TermId> = ssa.formulas.iter().copied().filter(|&it| it != terms.true_term()).collect();
    prover.solver.set_limits(Limits { time: prover.time_left(), memory: None });
    match prover.solver.check(terms, &demands)? {
        Outcome::Sat => {
            let variables = terms.free_variables(&demands);
            let model = prover.solver.model(terms, &variables)?;
            prover.renew(terms)?;
            return Ok(Feasibility::Feasible(ssa, model));
        }
        Outcome::Unknown(why) => return Err(Stop(words(&why))),
        Outcome::Unsat => {}
    }
    let core = prover.solver.failed_assumptions();
    let core = cores::minimize(prover.solver.as_mut(), terms, core, CORE_CHECKS)?;
    prover.renew(terms)?;
    Ok(Feasibility::Infeasible(ssa.formulas.iter().map(|it| core.contains(it)).collect()))
}

/// From which end predicates are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Forward,
    Backward,
}

/// Predicates that prove the trace infeasible, each with the number of the place where it stands; `places` are
/// positions in the trace.
pub fn predicates(
    terms: &mut Terms,
    trace: &[Command],
    needed: &[bool],
    places: &[usize],
    direction: Direction,
    care: Care,
) -> Vec<(usize, TermId)> {
    let general = generalize(terms, trace, needed);
    let mut found = Vec::new();
    match direction {
        Direction::Forward => {
            let forward = forward(terms, &general, care);
            for (number, &place) in places.iter().enumerate() {
                found.extend(forward[place].iter().map(|&it| (number, it)));
            }
        }
        Direction::Backward => {
            let after = terms.false_term();
            let backward = backward_states(terms, &general, after);
            for (number, &place) in places.iter().enumerate() {
                for conjunct in project::conjuncts(terms, backward[place]) {
                    if care == Care::Exact || !terms.has_quantifier(conjunct) {
                        found.push((number, conjunct));
                    }
                }
            }
        }
    }
    found
}

/// The trace with everything forgotten that the core does not need.
fn generalize(terms: &Terms, trace: &[Command], needed: &[bool]) -> Vec<Command> {
    let forget = |(&command, &needed): (&Command, &bool)| match command {
        _ if needed => command,
        Command::Assign { variable, .. } => Command::Havoc { variable },
        Command::Havoc { .. } => command,
        Command::Assume { .. } => Command::Assume { condition: terms.true_term() },
    };
    trace.iter().zip(needed).map(forget).collect()
}

/// The variables that the rest of the trace reads, before each command and after the last.
fn live(terms: &Terms, trace: &[Command]) -> Vec<BTreeSet<TermId>> {
    let mut live = vec![BTreeSet::new()];
    for command in trace.iter().rev() {
        let mut before = live.last().cloned().unwrap_or_default();
        let written = command.changed().is_none_or(|it| before.remove(&it));
        if let (true, Some(read)) = (written, command.read()) {
            before.extend(terms.free_variables(&[read]));
        }
        live.push(before);
    }
    live.reverse();
    live
}

/// The conjuncts of strongest postconditions of `true`.
fn forward(terms: &mut Terms, trace: &[Command], care: Care) -> Vec<Vec<TermId>> {
    let live = live(terms, trace);
    let mut states: Vec<Vec<TermId>> = vec![Vec::new()];
    let mut state: Vec<TermId> = Vec::new();
    for (index, &command) in trace.iter().enumerate() {
        state = postcondition(terms, &state, command, &live[index + 1], care);
        state = forget(terms, state, &live[index + 1]);
        states.push(state.clone());
    }
    states
}

fn postcondition(
    terms: &mut Terms,
    state: &[TermId],
    command: Command,
    live: &BTreeSet<TermId>,
    care: Care,
) -> Vec<TermId> {
    let before = terms.and(state);
    let Some(variable) = command.changed() else {
        let after = terms.and2(before, command.read().unwrap_or(before));
        return project::conjuncts(terms, after);
    };
    let mut after = before;
    let name = terms.name(variable).unwrap_or("old").to_owned();
    let old = terms.fresh(&name, terms.sort(variable));
    let renaming: Substitution = [(variable, old)].into_iter().collect();
    after = terms.substitute(after, &renaming);
    if let (Command::Assign { value, .. }, true) = (command, live.contains(&variable)) {
        let value = terms.substitute(value, &renaming);
        let assigned = terms.eq(variable, value);
        after = terms.and2(after, assigned);
    }
    let projected = project::exists(terms, &[old], after);
    let conjuncts = project::conjuncts(terms, projected);
    match care {
        Care::Exact => conjuncts,
        Care::Free => conjuncts.into_iter().filter(|&it| !terms.has_quantifier(it)).collect(),
    }
}

/// Eliminates variables that are not read any more where an equation allows it, and drops what is only
/// about such variables.
fn forget(terms: &mut Terms, state: Vec<TermId>, live: &BTreeSet<TermId>) -> Vec<TermId> {
    let mut state = state;
    let dead: Vec<TermId> = terms.free_variables(&state).into_iter().filter(|it| !live.contains(it)).collect();
    for variable in dead {
        let formula = terms.and(&state);
        let without = project::exists(terms, &[variable], formula);
        if !terms.has_quantifier(without) {
            state = project::conjuncts(terms, without);
        }
    }
    state.retain(|&it| {
        let variables = terms.free_variables(&[it]);
        variables.is_empty() || variables.iter().any(|it| live.contains(it))
    });
    state
}
