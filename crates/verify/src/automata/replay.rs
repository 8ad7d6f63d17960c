//! An error trace as an execution: the values of a model, run through the guarded commands.
//!
//! A solver's model → an [`ErrorTrace`] whose every assumption was seen to hold by evaluation. Where a term
//! has no value by evaluation alone (uninterpreted functions, quantifiers), the trace says that it was not
//! replayed.

use logic::commands::{Command, SingleAssignment};
use logic::control_flow::{Graph, Statement};
use logic::evaluate::{Evaluator, Model};
use logic::terms::{Op, TermId, Terms};
use logic::value::Value;

/// A path to an error that can be executed.
#[derive(Clone, Debug)]
pub struct ErrorTrace {
    /// The numbers of the graph's edges.
    pub edges: Vec<u32>,
    /// The values that variables have at the beginning; others do not matter.
    pub initial: Vec<(TermId, Value)>,
    /// What each havoc chose, with its position in the trace.
    pub chosen: Vec<(usize, Value)>,
    /// Whether evaluation has confirmed it.
    pub replayed: bool,
}

impl ErrorTrace {
    /// The statements along the trace.
    pub fn statements(&self, graph: &Graph) -> Vec<Statement> {
        self.edges.iter().map(|&it| graph.edges()[it as usize].statement).collect()
    }
}

/// What evaluation says about a trace and its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replay {
    Confirmed,
    /// The command at this position blocks.
    Blocked(usize),
    /// The command at this position has no value by evaluation.
    Open(usize),
}

/// The trace that a model of its formula stands for.
pub fn trace(
    terms: &Terms,
    graph: &Graph,
    edges: Vec<u32>,
    ssa: &SingleAssignment,
    model: &Model,
) -> Result<ErrorTrace, usize> {
    let commands: Vec<Command> = edges.iter().map(|&it| graph.edges()[it as usize].statement.command).collect();
    let mut mentioned: Vec<TermId> = commands.iter().filter_map(Command::read).collect();
    mentioned.extend(commands.iter().filter_map(Command::changed));
    let variables = terms.free_variables(&mentioned);
    let initial = variables.iter().filter_map(|&it| Some((it, model.get(it)?.clone()))).collect();
    let mut chosen = Vec::new();
    for (position, command) in commands.iter().enumerate() {
        if let Command::Havoc { variable } = *command {
            let version = ssa.version(variable, position + 1);
            let value = model.get(version).cloned();
            chosen.push((position, value.unwrap_or_else(|| Value::default_of(terms.sort(variable), terms))));
        }
    }
    let mut trace = ErrorTrace { edges, initial, chosen, replayed: false };
    match replay(terms, &commands, &trace) {
        Replay::Confirmed => trace.replayed = true,
        Replay::Blocked(position) if !is_open(terms, &mentioned) => return Err(position),
        Replay::Blocked(_) | Replay::Open(_) => {}
    }
    Ok(trace)
}

/// Whether the terms have functions of which only the solver knows the values.
fn is_open(terms: &Terms, roots: &[TermId]) -> bool {
    terms.reachable(roots).into_iter().any(|it| matches!(terms.op(it), Op::Apply(_)) || terms.op(it).is_quantifier())
}

/// Executes the commands from the trace's initial values with its choices.
pub fn replay(terms: &Terms, commands: &[Command], trace: &ErrorTrace) -> Replay {
    let mut state = Model::new();
    for (variable, value) in &trace.initial {
        state.assign(*variable, value.clone());
    }
    let mut chosen = trace.chosen.iter();
    for (position, &command) in commands.iter().enumerate() {
        match command {
            Command::Havoc { variable } => {
                let Some((_, value)) = chosen.next().filter(|it| it.0 == position) else {
                    return Replay::Open(position);
                };
                state.assign(variable, value.clone());
            }
            Command::Assign { variable, value } => match Evaluator::new(terms, &state).value(value) {
                Ok(value) => state.assign(variable, value),
                Err(_) => return Replay::Open(position),
            },
            Command::Assume { condition } => match Evaluator::new(terms, &state).holds(condition) {
                Ok(true) => {}
                Ok(false) => return Replay::Blocked(position),
                Err(_) => return Replay::Open(position),
            },
        }
    }
    Replay::Confirmed
}
