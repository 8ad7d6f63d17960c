//! Replay: executes guarded commands with concrete values, along the path that a model chose.
//!
//! The model says what choices and `havoc` yield and where variables begin; everything else is computed. The
//! execution must come to an error location with every assumption true, or there is no trace. A condition
//! with quantifiers over infinitely many values has no computable value: it is counted, and believed.

use logic::commands::Command;
use logic::control_flow::{Graph, LocationId, Statement};
use logic::evaluate::{Evaluator, Model, NoValue};
use logic::terms::{TermId, Terms};
use logic::value::Value;

use super::unroll::{Unrolling, needs_choice};
use super::{ErrorTrace, Step, assumed};

struct Replay<'a> {
    terms: &'a mut Terms,
    graph: &'a Graph,
    unrolling: &'a Unrolling,
    model: &'a Model,
    state: Model,
    steps: Vec<Step>,
    unevaluated: usize,
}

pub fn replay(terms: &mut Terms, graph: &Graph, unrolling: &Unrolling, model: Model) -> Result<ErrorTrace, String> {
    let mut replay =
        Replay { terms, graph, unrolling, model: &model, state: model.clone(), steps: Vec::new(), unevaluated: 0 };
    let error = replay.run()?;
    let (state, steps, unevaluated) = (replay.state, replay.steps, replay.unevaluated);
    Ok(ErrorTrace {
        statements: steps.iter().map(|it| it.statement).collect(),
        steps,
        axioms: graph.axioms.clone(),
        last: state,
        initial: model,
        error,
        unevaluated,
    })
}

fn unconfirmed(what: &str) -> String {
    format!("the solver found an execution that cannot be repeated: {what}")
}

impl Replay<'_> {
    fn run(&mut self) -> Result<LocationId, String> {
        let (mut level, mut location) = (0, Graph::ENTRY);
        while !self.unrolling.is_error(location) {
            let (number, statement, to) = self.choose(level, location)?;
            self.execute(level, number, statement)?;
            if self.unrolling.goes_back(location, to) {
                level += 1;
            }
            location = to;
        }
        Ok(location)
    }

    /// The edge that the model takes.
    fn choose(&mut self, level: u32, location: LocationId) -> Result<(u32, Statement, LocationId), String> {
        let edges: Vec<(u32, Statement, LocationId)> =
            self.graph.outgoing(location).map(|(number, edge)| (number, edge.statement, edge.to)).collect();
        let statements: Vec<Statement> = edges.iter().map(|it| it.1).collect();
        if needs_choice(self.terms, &statements) {
            let choices = self.unrolling.choices.get(&(level, location));
            let choices = choices.ok_or_else(|| unconfirmed("it leaves the part that was explored"))?;
            let chosen = choices.iter().position(|it| self.model.get(*it) == Some(&Value::Bool(true)));
            return Ok(edges[chosen.unwrap_or(choices.len())]);
        }
        for &edge in &edges {
            let taken = match assumed(&edge.1) {
                Some(condition) => edges.len() == 1 || self.holds(condition)?,
                None => true,
            };
            if taken {
                return Ok(edge);
            }
        }
        Err(unconfirmed("it ends before an error"))
    }

    fn holds(&mut self, condition: TermId) -> Result<bool, String> {
        match Evaluator::new(self.terms, &self.state).holds(condition) {
            Ok(value) => Ok(value),
            Err(NoValue::Quantifier) => {
                self.unevaluated += 1;
                Ok(true)
            }
            Err(error) => Err(unconfirmed(&error.to_string())),
        }
    }

    fn value(&self, term: TermId) -> Result<Value, String> {
        Evaluator::new(self.terms, &self.state).value(term).map_err(|error| unconfirmed(&error.to_string()))
    }

    fn execute(&mut self, level: u32, number: u32, statement: Statement) -> Result<(), String> {
        let written = match statement.command {
            Command::Assign { variable, value } => {
                let whole = self.value(value)?;
                let written = match statement.part {
                    Some(part) => self.value(part.written)?,
                    None => whole.clone(),
                };
                self.state.assign(variable, whole);
                Some(written)
            }
            Command::Havoc { variable } => {
                let symbol = self.unrolling.havocs.get(&(level, number));
                let given = symbol.and_then(|symbol| self.model.get(*symbol)).cloned();
                let value = given.unwrap_or_else(|| Value::default_of(self.terms.sort(variable), self.terms));
                self.state.assign(variable, value.clone());
                Some(value)
            }
            Command::Assume { condition } => {
                if !self.holds(condition)? {
                    return Err(unconfirmed("an assumption does not hold"));
                }
                None
            }
        };
        self.steps.push(Step { statement, written });
        Ok(())
    }
}
