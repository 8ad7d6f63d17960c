//! Guarded commands over terms: assignments, havoc, assumptions, and what they do to sets of states.
//!
//! A set of states is a formula over the variables that commands assign. Definitions as in Dijkstra's
//! calculus and in "Simple bugs" (§3), for traces, that is, sequences without branches:
//!
//! | command      | `sp(φ, c)`               | `wp(c, φ)` | `pre(c, φ)` |
//! |--------------|--------------------------|------------|-------------|
//! | `x := e`     | `∃o. φ[o/x] ∧ x = e[o/x]` | `φ[e/x]`   | `φ[e/x]`    |
//! | `havoc x`    | `∃o. φ[o/x]`             | `∀x. φ`    | `∃x. φ`     |
//! | `assume ψ`   | `φ ∧ ψ`                  | `ψ → φ`    | `ψ ∧ φ`     |
//!
//! `sp` leaves the old values `o` as fresh free symbols, which means the same wherever the formula is asked
//! to be satisfiable. The quantifiers of `wp` and `pre` over a trace all stand in front, so [`PreImage`] and
//! [`WeakestPrecondition`] keep them apart from a quantifier-free body.

use std::collections::BTreeMap;

use crate::terms::{Substitution, TermId, Terms};

/// One step of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Command {
    /// The variable gets the term's value.
    Assign { variable: TermId, value: TermId },
    /// The variable gets any value.
    Havoc { variable: TermId },
    /// The execution goes on only where the condition holds.
    Assume { condition: TermId },
}

impl Command {
    /// The variable that the command changes.
    pub fn changed(&self) -> Option<TermId> {
        match *self {
            Command::Assign { variable, .. } | Command::Havoc { variable } => Some(variable),
            Command::Assume { .. } => None,
        }
    }

    /// The term that the command reads.
    pub fn read(&self) -> Option<TermId> {
        match *self {
            Command::Assign { value, .. } => Some(value),
            Command::Assume { condition } => Some(condition),
            Command::Havoc { .. } => None,
        }
    }
}

/// States after a command from states in `before`: the strongest postcondition. Old values are fresh symbols.
pub fn strongest_postcondition(terms: &mut Terms, before: TermId, command: Command) -> TermId {
    let Some(variable) = command.changed() else {
        return terms.and2(before, command.read().expect("an assumption has a condition"));
    };
    let mut old = Substitution::default();
    let mentioned = terms.free_variables(&[before, command.read().unwrap_or(before)]);
    if mentioned.binary_search(&variable).is_ok() {
        let name = terms.name(variable).unwrap_or("old").to_owned();
        let value = terms.fresh(&name, terms.sort(variable));
        old.insert(variable, value);
    }
    let before = terms.substitute(before, &old);
    match command {
        Command::Assign { value, .. } => {
            let value = terms.substitute(value, &old);
            let assigned = terms.eq(variable, value);
            terms.and2(before, assigned)
        }
        _ => before,
    }
}

/// States from which every execution of the trace ends in `after`: the weakest liberal precondition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeakestPrecondition {
    /// The universally quantified choices of `havoc`, each fresh.
    pub choices: Vec<TermId>,
    /// Quantifier-free if the postcondition and the commands are.
    pub body: TermId,
}

impl WeakestPrecondition {
    /// As one formula; only choices that matter are bound.
    pub fn formula(&self, terms: &mut Terms) -> TermId {
        crate::project::forall(terms, &self.choices, self.body)
    }
}

/// States from which some execution of the trace ends in `after`: the pre-image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreImage {
    /// The existentially quantified choices of `havoc`, each fresh.
    pub choices: Vec<TermId>,
    /// Quantifier-free if the postcondition and the commands are.
    pub body: TermId,
}

impl PreImage {
    /// As one formula; only choices that matter are bound.
    pub fn formula(&self, terms: &mut Terms) -> TermId {
        crate::project::exists(terms, &self.choices, self.body)
    }
}

/// What a condition means backwards: an alternative to block, or a demand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assumptions {
    Imply,
    Conjoin,
}

/// The formula before one command; a havoc's choice is pushed to the list.
fn backward(
    terms: &mut Terms,
    command: Command,
    after: TermId,
    assumptions: Assumptions,
    choices: &mut Vec<TermId>,
) -> TermId {
    match command {
        Command::Assign { variable, value } => terms.substitute(after, &[(variable, value)].into_iter().collect()),
        Command::Havoc { variable } => {
            if terms.free_variables(&[after]).binary_search(&variable).is_err() {
                return after;
            }
            let name = terms.name(variable).unwrap_or("choice").to_owned();
            let choice = terms.fresh(&name, terms.sort(variable));
            choices.push(choice);
            terms.substitute(after, &[(variable, choice)].into_iter().collect())
        }
        Command::Assume { condition } if assumptions == Assumptions::Conjoin => terms.and2(condition, after),
        Command::Assume { condition } => terms.implies(condition, after),
    }
}

/// The weakest preconditions before each command and after the last, of `after` behind the whole trace.
pub fn weakest_preconditions(terms: &mut Terms, trace: &[Command], after: TermId) -> Vec<WeakestPrecondition> {
    let states = backward_sequence(terms, trace, after, Assumptions::Imply);
    states.into_iter().map(|(choices, body)| WeakestPrecondition { choices, body }).collect()
}

/// The pre-images before each command and after the last, of `after` behind the whole trace.
pub fn pre_images(terms: &mut Terms, trace: &[Command], after: TermId) -> Vec<PreImage> {
    let states = backward_sequence(terms, trace, after, Assumptions::Conjoin);
    states.into_iter().map(|(choices, body)| PreImage { choices, body }).collect()
}

/// The weakest precondition of a whole trace.
pub fn weakest_precondition(terms: &mut Terms, trace: &[Command], after: TermId) -> WeakestPrecondition {
    let (choices, body) = backward_whole(terms, trace, after, Assumptions::Imply);
    WeakestPrecondition { choices, body }
}

/// The pre-image of a whole trace.
pub fn pre_image(terms: &mut Terms, trace: &[Command], after: TermId) -> PreImage {
    let (choices, body) = backward_whole(terms, trace, after, Assumptions::Conjoin);
    PreImage { choices, body }
}

fn backward_whole(terms: &mut Terms, trace: &[Command], after: TermId, how: Assumptions) -> (Vec<TermId>, TermId) {
    let mut choices = Vec::new();
    let body = trace.iter().rev().fold(after, |state, &command| backward(terms, command, state, how, &mut choices));
    (choices, body)
}

fn backward_sequence(
    terms: &mut Terms,
    trace: &[Command],
    after: TermId,
    how: Assumptions,
) -> Vec<(Vec<TermId>, TermId)> {
    let mut choices = Vec::new();
    let mut state = after;
    let mut states = vec![(Vec::new(), after)];
    for &command in trace.iter().rev() {
        state = backward(terms, command, state, how, &mut choices);
        states.push((choices.clone(), state));
    }
    states.reverse();
    states
}

/// The weakest preconditions as formulas over the variables alone, each computed from the one behind it.
///
/// Unlike [`weakest_preconditions`], a havoc's variable is bound at once, so that a formula is no larger than
/// what remains of it.
pub fn backward_states(terms: &mut Terms, trace: &[Command], after: TermId) -> Vec<TermId> {
    let mut states = vec![after];
    let mut state = after;
    for &command in trace.iter().rev() {
        let mut choices = Vec::new();
        let before = backward(terms, command, state, Assumptions::Imply, &mut choices);
        state = crate::project::forall(terms, &choices, before);
        states.push(state);
    }
    states.reverse();
    states
}

/// The strongest postconditions before the first command and after each, from states in `before`.
pub fn strongest_postconditions(terms: &mut Terms, before: TermId, trace: &[Command]) -> Vec<TermId> {
    let mut states = vec![before];
    let mut state = before;
    for &command in trace {
        state = strongest_postcondition(terms, state, command);
        states.push(state);
    }
    states
}

/// A trace in static single assignment form: every assignment makes a new version of its variable.
#[derive(Clone, Debug)]
pub struct SingleAssignment {
    /// What each command demands, over versions: an equation, a condition, or nothing for `havoc`.
    pub formulas: Vec<TermId>,
    /// Each changed variable's versions, with the number of commands before it that were executed.
    versions: BTreeMap<TermId, Vec<(usize, TermId)>>,
    /// The version of each changed variable that is current before each command and after the last is found
    /// in `versions`; this is the number of commands.
    length: usize,
}

impl SingleAssignment {
    /// The version of a variable that is current when `position` commands were executed.
    pub fn version(&self, variable: TermId, position: usize) -> TermId {
        let versions = self.versions.get(&variable).map(Vec::as_slice).unwrap_or_default();
        let count = versions.partition_point(|&(made, _)| made <= position);
        if count == 0 { variable } else { versions[count - 1].1 }
    }

    /// All changed variables with their versions at a position.
    pub fn versions(&self, position: usize) -> Substitution {
        self.versions.keys().map(|&variable| (variable, self.version(variable, position))).collect()
    }

    /// A formula about the state at a position, over versions.
    pub fn at(&self, terms: &mut Terms, formula: TermId, position: usize) -> TermId {
        assert!(position <= self.length, "a trace of {} commands has no position {position}", self.length);
        let versions = self.versions(position);
        terms.substitute(formula, &versions)
    }
}

/// Renames every assigned or havocked variable. Version zero of a variable is the variable itself.
pub fn single_assignment(terms: &mut Terms, trace: &[Command]) -> SingleAssignment {
    let mut current = Substitution::default();
    let mut versions: BTreeMap<TermId, Vec<(usize, TermId)>> = BTreeMap::new();
    let mut formulas = Vec::with_capacity(trace.len());
    for (position, command) in trace.iter().enumerate() {
        let read = command.read().map(|it| terms.substitute(it, &current));
        let Some(variable) = command.changed() else {
            formulas.push(read.expect("an assumption has a condition"));
            continue;
        };
        let made = versions.entry(variable).or_default();
        let name = format!("{}@{}", terms.name(variable).unwrap_or_default(), made.len() + 1);
        let version = terms.variable(&name, terms.sort(variable));
        made.push((position + 1, version));
        current.insert(variable, version);
        formulas.push(match read {
            Some(value) => terms.eq(version, value),
            None => terms.true_term(),
        });
    }
    SingleAssignment { formulas, versions, length: trace.len() }
}

#[cfg(test)]
mod tests {
    use super::{Command, pre_image, single_assignment, strongest_postcondition, weakest_precondition};
    use crate::smtlib;
    use crate::sort::Sort;
    use crate::terms::Terms;

    /// `havoc y; x := x + y; assume x < 10` and the states before or after it.
    #[test]
    fn a_trace_both_ways() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::BitVector(8)), terms.variable("y", Sort::BitVector(8)));
        let sum = terms.bv_add(x, y);
        let ten = terms.bv(8, 10);
        let small = terms.bv_ult(x, ten);
        let trace = [
            Command::Havoc { variable: y },
            Command::Assign { variable: x, value: sum },
            Command::Assume { condition: small },
        ];
        let show = |terms: &Terms, it| smtlib::term(terms, it);

        let zero = terms.bv(8, 0);
        let x_is_zero = terms.eq(x, zero);
        let pre = pre_image(&mut terms, &trace, x_is_zero);
        assert_eq!(show(&terms, pre.body), "(= (bvadd x y!1) #x00)");
        let pre = pre.formula(&mut terms);
        assert!(terms.has_quantifier(pre));
        let false_term = terms.false_term();
        let wp = weakest_precondition(&mut terms, &trace, false_term);
        assert_eq!(show(&terms, wp.body), "(not (bvult (bvadd x y!2) #x0a))");
        assert_eq!(wp.choices.len(), 1);

        let after = trace.iter().fold(x_is_zero, |state, &command| strongest_postcondition(&mut terms, state, command));
        assert_eq!(show(&terms, after), "(and (bvult x #x0a) (= x!1 #x00) (= x (bvadd y x!1)))");

        let ssa = single_assignment(&mut terms, &trace);
        let shown: Vec<String> = ssa.formulas.iter().map(|&it| show(&terms, it)).collect();
        assert_eq!(shown, ["true", "(= (bvadd x y@1) x@1)", "(bvult x@1 #x0a)"]);
        assert_eq!(ssa.version(x, 1), x);
        let at_end = ssa.at(&mut terms, small, 3);
        assert_eq!(show(&terms, at_end), "(bvult x@1 #x0a)");
    }
}
