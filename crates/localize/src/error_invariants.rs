//! Error invariants: what is true between the statements of a failing run and is enough for it to fail.
//!
//! Ermis, Schäf, Wies: *Error invariants* (FM 2012). With the run's inputs fixed and the demand that it does not
//! fail, the trace cannot be executed, and assertions between its statements prove that. An assertion is an
//! *error invariant* at a position if the run's state there satisfies it and the rest of the trace fails from every
//! state that does. Where one assertion is an error invariant over a stretch of positions, the statements of that
//! stretch do not matter; what remains between the stretches is the slice.
//!
//! Deviations: assertions come from `logic::interpolate`, strongest postconditions with cores instead of Craig
//! interpolants. Stretches are grown from the failure towards the beginning, each as far as it goes. Traces with
//! more than [`WHOLE`] statements are first cut to what the failing test depends on. The answer depends on the
//! assertions found; it tells what the failure needs, not what could be changed, and says nothing of branches,
//! since with fixed inputs the run takes none but its own.

use logic::commands::{Command, single_assignment};
use logic::control_flow::{ErrorTrace, Origin, Statement};
use logic::evaluate::{Evaluator, Model};
use logic::exists_forall::Budget;
use logic::interpolate::{self, Answer, Direction};
use logic::solver::bitwuzla::Bitwuzla;
use logic::solver::{Interruptible, Limited, Outcome, Solver};
use logic::terms::{Substitution, TermId, Terms};
use logic::value::Value;
use rustc_hash::FxHashSet;

use crate::error::Error;
use crate::unfolded::Unfolded;

/// Longer traces are cut before they are looked at.
pub const WHOLE: usize = 250;

/// A statement of the slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    pub statement: usize,
    /// What is true behind it, as far as the failure needs it, over the variables of the trace.
    pub invariant: TermId,
}

/// The slice of a run, in the order of the trace; the second part says why its beginning may be missing.
pub fn slice(
    terms: &mut Terms,
    trace: &ErrorTrace,
    inputs: &[(usize, Value)],
    budget: &Budget,
) -> Result<(Vec<Needed>, Option<String>), Error> {
    let Some(fails) = trace.statements.iter().rposition(|it| matches!(it.command, Command::Assume { .. })) else {
        return Ok((Vec::new(), None));
    };
    let Command::Assume { condition } = trace.statements[fails].command else { return Ok((Vec::new(), None)) };
    let (numbers, mut commands) = cut(terms, trace, inputs, fails, condition);
    let statement =
        |(number, &command): (usize, &Command)| Statement { command, part: None, origin: Origin(number as u32) };
    let statements: Vec<Statement> = commands.iter().enumerate().map(statement).collect();
    let run = Unfolded::new(terms, &ErrorTrace::from(statements));
    let negated = terms.not(condition);
    commands.push(Command::Assume { condition: negated });
    let fresh = || {
        let mut solver = Bitwuzla::new();
        solver.set_limits(budget.limits);
        solver.attach(budget.interrupter.clone());
        solver
    };
    let mut solver = fresh();
    let mut answer = interpolate::prove(&mut solver, terms, &commands, Direction::Forward)?;
    if matches!(answer, Answer::Unknown(_)) {
        // Overwritten arrays leave quantifiers behind; backwards they do not arise.
        answer = interpolate::prove(&mut solver, terms, &commands, Direction::Backward)?;
    }
    let proof = match answer {
        Answer::Proof(proof) => proof,
        Answer::Feasible => {
            return Err(Error::Undecided("the formula of the run does not say that it fails".to_owned()));
        }
        Answer::Unknown(why) => return Err(Error::Undecided(crate::relevance::in_words(&why))),
    };
    let mut needed = Vec::new();
    let mut position = numbers.len();
    while position > 0 && proof.assertions[position] != terms.true_term() {
        let invariant = proof.assertions[position];
        // A solver that was asked about the whole run is slow with a part of it.
        let start = earliest(&mut fresh(), terms, &commands, &run, invariant, position)?;
        if let Some(why) = budget.interrupter.why() {
            needed.reverse();
            return Ok((needed, Some(crate::relevance::in_words(&why))));
        }
        if start == 0 {
            break;
        }
        needed.push(Needed { statement: numbers[start - 1], invariant });
        position = start - 1;
    }
    needed.reverse();
    Ok((needed, None))
}

/// The statements that matter, with the inputs as constants, and their numbers.
fn cut(
    terms: &mut Terms,
    trace: &ErrorTrace,
    inputs: &[(usize, Value)],
    fails: usize,
    condition: TermId,
) -> (Vec<usize>, Vec<Command>) {
    let mut wanted: FxHashSet<TermId> = terms.free_variables(&[condition]).into_iter().collect();
    let mut kept = Vec::new();
    for number in (0..fails).rev() {
        let mut command = trace.statements[number].command;
        if let Command::Havoc { variable } = command {
            let sort = terms.sort(variable);
            if let Some((_, value)) = inputs.iter().find(|it| it.0 == number) {
                command = Command::Assign { variable, value: terms.constant(value, sort) };
            }
        }
        let Some(variable) = command.changed() else { continue };
        if fails > WHOLE && !wanted.contains(&variable) {
            continue;
        }
        if wanted.remove(&variable)
            && let Some(read) = command.read()
        {
            wanted.extend(terms.free_variables(&[read]));
        }
        kept.push((number, command));
    }
    kept.reverse();
    kept.into_iter().unzip()
}

/// The first position up to which the invariant can be kept going back from this one, by bisection as in the paper.
fn earliest(
    solver: &mut Bitwuzla,
    terms: &mut Terms,
    commands: &[Command],
    run: &Unfolded,
    invariant: TermId,
    position: usize,
) -> Result<usize, Error> {
    let (mut low, mut high) = (0, position);
    while low < high {
        let middle = (low + high) / 2;
        if is_error_invariant(solver, terms, commands, run, invariant, middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(high)
}

fn is_error_invariant(
    solver: &mut Bitwuzla,
    terms: &mut Terms,
    commands: &[Command],
    run: &Unfolded,
    invariant: TermId,
    position: usize,
) -> Result<bool, Error> {
    let variables = terms.free_variables(&[invariant]);
    let state: Substitution = variables.into_iter().map(|it| (it, run.before(it, position))).collect();
    let here = terms.substitute(invariant, &state);
    // What was never written is not known.
    let is_known = terms.free_variables(&[here]).is_empty();
    if !is_known || Evaluator::new(terms, &Model::new()).holds(here) != Ok(true) {
        return Ok(false);
    }
    let rest = single_assignment(terms, &commands[position..]);
    let mut demands = rest.formulas;
    demands.push(invariant);
    demands.retain(|&it| it != terms.true_term());
    Ok(solver.check(terms, &demands)? == Outcome::Unsat)
}
