//! Why a trace cannot be executed: assertions between its commands that prove it.
//!
//! Input: an infeasible trace. Output: assertions `I0 = true, …, In = false` over the program's variables such
//! that every Hoare triple `{Ii} ci {Ii+1}` is valid; each was checked. It stands in for interpolants, which
//! the solver does not have, and follows Dietsch et al., "Craig vs. Newton in software model checking" (FSE
//! 2017): the trace is first generalized by an unsatisfiable core (an assignment outside of the core becomes
//! `havoc`, an assumption nothing), then assertions are computed with strongest postconditions or weakest
//! preconditions.
//!
//! Forwards, each assertion is a conjunction, and a conjunct stays only if the rest of the trace needs it: so
//! dead variables go. Backwards, an assertion is the weakest precondition itself. Quantifiers come only from
//! variables that are overwritten or havocked while an assertion still speaks of them and that cannot be
//! eliminated by an equation ([`crate::project`]).

use crate::commands::{Command, SingleAssignment, backward_states, single_assignment};
use crate::error::Error;
use crate::project;
use crate::solver::{Cores, Outcome, Why, cores};
use crate::terms::{Substitution, TermId, Terms};

/// From which end assertions are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Strongest postconditions, weakened by cores.
    Forward,
    /// Weakest preconditions.
    Backward,
}

/// What was found out about a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The trace is infeasible.
    Proof(Proof),
    /// The trace can be executed; the solver has the model, over versions of variables.
    Feasible,
    Unknown(Why),
}

/// Assertions that prove a trace infeasible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// One more than there are commands.
    pub assertions: Vec<TermId>,
    /// For each command, whether the proof needs it as it is.
    pub needed: Vec<bool>,
}

/// How many checks the core of the trace may cost.
const CORE_CHECKS: usize = 40;

/// Proves a trace infeasible, if it is. Uses the solver above its current level.
pub fn prove<S: Cores + ?Sized>(
    solver: &mut S,
    terms: &mut Terms,
    trace: &[Command],
    direction: Direction,
) -> Result<Answer, Error> {
    let ssa = single_assignment(terms, trace);
    let demands: Vec<TermId> = ssa.formulas.iter().copied().filter(|&it| it != terms.true_term()).collect();
    match solver.check(terms, &demands)? {
        Outcome::Sat => return Ok(Answer::Feasible),
        Outcome::Unknown(why) => return Ok(Answer::Unknown(why)),
        Outcome::Unsat => {}
    }
    let core = solver.failed_assumptions();
    let core = cores::minimize(solver, terms, core, CORE_CHECKS)?;
    let needed: Vec<bool> = ssa.formulas.iter().map(|it| core.contains(it)).collect();
    let general = generalize(terms, trace, &needed);
    let assertions = match direction {
        Direction::Forward => forward(solver, terms, &general)?,
        Direction::Backward => Ok(backward(terms, &general)),
    };
    let assertions = match assertions {
        Ok(assertions) => assertions,
        Err(why) => return Ok(Answer::Unknown(why)),
    };
    for (index, &command) in trace.iter().enumerate() {
        if let Some(why) = refutation(solver, terms, assertions[index], command, assertions[index + 1])? {
            return Ok(Answer::Unknown(why));
        }
    }
    Ok(Answer::Proof(Proof { assertions, needed }))
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

/// Weakest preconditions of `false`, from the end. The first is valid, and `true` stands for it.
fn backward(terms: &mut Terms, trace: &[Command]) -> Vec<TermId> {
    let after = terms.false_term();
    let mut assertions = backward_states(terms, trace, after);
    assertions[0] = terms.true_term();
    assertions
}

/// Strongest postconditions of `true`, each reduced to the conjuncts that the rest of the trace needs.
fn forward<S: Cores + ?Sized>(
    solver: &mut S,
    terms: &mut Terms,
    trace: &[Command],
) -> Result<Result<Vec<TermId>, Why>, Error> {
    let ssa = single_assignment(terms, trace);
    let mut assertions = vec![terms.true_term()];
    let mut state: Vec<TermId> = Vec::new();
    for (index, &command) in trace.iter().enumerate() {
        state = postcondition(terms, &state, command);
        match reduce(solver, terms, &ssa, &state, index + 1)? {
            Ok(reduced) => state = reduced,
            Err(why) => return Ok(Err(why)),
        }
        assertions.push(terms.and(&state));
    }
    *assertions.last_mut().expect("there is one for the beginning") = terms.false_term();
    Ok(Ok(assertions))
}

/// The strongest postcondition of conjuncts, with the old value eliminated where an equation allows it.
fn postcondition(terms: &mut Terms, state: &[TermId], command: Command) -> Vec<TermId> {
    let before = terms.and(state);
    let Some(variable) = command.changed() else {
        let after = terms.and2(before, command.read().expect("an assumption has a condition"));
        return project::conjuncts(terms, after);
    };
    let name = terms.name(variable).unwrap_or("old").to_owned();
    let old = terms.fresh(&name, terms.sort(variable));
    let renaming: Substitution = [(variable, old)].into_iter().collect();
    let mut after = terms.substitute(before, &renaming);
    if let Command::Assign { value, .. } = command {
        let value = terms.substitute(value, &renaming);
        let assigned = terms.eq(variable, value);
        after = terms.and2(after, assigned);
    }
    let after = project::exists(terms, &[old], after);
    project::conjuncts(terms, after)
}

/// The conjuncts about the state at a position that contradict the rest of the trace.
fn reduce<S: Cores + ?Sized>(
    solver: &mut S,
    terms: &mut Terms,
    ssa: &SingleAssignment,
    state: &[TermId],
    position: usize,
) -> Result<Result<Vec<TermId>, Why>, Error> {
    let versioned: Vec<TermId> = state.iter().map(|&it| ssa.at(terms, it, position)).collect();
    solver.push();
    for &formula in &ssa.formulas[position..] {
        solver.assert(terms, formula)?;
    }
    let outcome = solver.check(terms, &versioned)?;
    let result = match outcome {
        Outcome::Unsat => {
            let core = solver.failed_assumptions();
            let core = cores::minimize(solver, terms, core, state.len().min(CORE_CHECKS))?;
            let needed = state.iter().zip(&versioned).filter(|(_, version)| core.contains(version));
            Ok(needed.map(|(&conjunct, _)| conjunct).collect())
        }
        Outcome::Unknown(why) => Err(why),
        Outcome::Sat => unreachable!("postconditions of an infeasible trace contradict its rest"),
    };
    solver.pop();
    Ok(result)
}

/// Checks `{before} command {after}`: nothing if it is valid, otherwise why it is not known to be.
pub fn refutation<S: Cores + ?Sized>(
    solver: &mut S,
    terms: &mut Terms,
    before: TermId,
    command: Command,
    after: TermId,
) -> Result<Option<Why>, Error> {
    let ssa = single_assignment(terms, &[command]);
    let after = ssa.at(terms, after, 1);
    let wrong = terms.not(after);
    Ok(match solver.check(terms, &[before, ssa.formulas[0], wrong])? {
        Outcome::Unsat => None,
        Outcome::Unknown(why) => Some(why),
        Outcome::Sat => Some(Why::Incomplete("an assertion does not follow from the one before".to_owned())),
    })
}
