//! Random small Boogie programs over three variables of two bits, and what they can reach, by trying all
//! executions.

use std::collections::BTreeSet;
use std::fmt::Write;

use logic::commands::Command;
use logic::control_flow::{Graph, LocationId};
use logic::evaluate::{Evaluator, Model};
use logic::terms::{TermId, Terms};
use logic::value::{BitVector, Value};

const VARIABLES: [&str; 3] = ["x", "y", "z"];

struct Generator {
    state: u64,
    text: String,
    labels: u32,
}

impl Generator {
    fn below(&mut self, limit: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % limit
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.below(3) as usize]
    }

    fn value(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => format!("{}bv2", self.below(4)),
            1 => self.variable().to_owned(),
            2 => format!("add({}, {})", self.value(depth - 1), self.value(depth - 1)),
            3 => format!("{}[1:0] ++ {}[2:1]", self.variable(), self.variable()),
            4 => format!("(if {} then {} else {})", self.condition(0), self.value(depth - 1), self.value(depth - 1)),
            _ => format!("mul({}, {})", self.value(depth - 1), self.value(depth - 1)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 => format!("{} == {}", self.variable(), self.value(0)),
            1 => format!("less({}, {})", self.variable(), self.value(0)),
            2 => format!("!({})", self.condition(depth - 1)),
            3 => format!("(({}) && ({}))", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("(({}) ==> ({}))", self.condition(depth - 1), self.condition(depth - 1)),
        }
    }

    fn guard(&mut self) -> String {
        if self.below(4) == 0 { "*".to_owned() } else { self.condition(1) }
    }

    fn block(&mut self, depth: u32, in_loop: bool) {
        for _ in 0..1 + self.below(4) {
            self.statement(depth, in_loop);
        }
    }

    fn statement(&mut self, depth: u32, in_loop: bool) {
        let kind = self.below(if depth == 0 { 7 } else { 12 });
        let line = match kind {
            0 | 1 => format!("{} := {};", self.variable(), self.value(2)),
            2 => format!("havoc {};", self.variable()),
            3 => format!("assume {};", self.condition(1)),
            4 => format!("assert {};", self.condition(2)),
            5 => format!("x, y := {}, {};", self.value(1), self.value(1)),
            6 if in_loop => "break;".to_owned(),
            6 => format!("call {} := step({});", self.variable(), self.value(1)),
            7 | 8 => {
                let guard = self.guard();
                let _ = writeln!(self.text, "if ({guard}) {{");
                self.block(depth - 1, in_loop);
                self.text += "} else {\n";
                self.block(depth - 1, in_loop);
                "}".to_owned()
            }
            9 | 10 => {
                let guard = self.guard();
                let _ = writeln!(self.text, "while ({guard}) {{");
                self.block(depth - 1, true);
                "}".to_owned()
            }
            _ => {
                self.labels += 1;
                let label = format!("L{}", self.labels);
                let _ = writeln!(self.text, "goto {label}, {label}b;\n{label}:");
                self.block(depth - 1, in_loop);
                // Sometimes back to the first label, which makes a loop that no `while` shows.
                let back = if self.below(3) == 0 { format!("goto {label}, {label}b;\n") } else { String::new() };
                format!("{back}{label}b:")
            }
        };
        self.text += &line;
        self.text.push('\n');
    }
}

/// A program that depends on the seed only.
pub fn program(seed: u64) -> String {
    let mut generator = Generator { state: seed.wrapping_mul(0x9e3779b97f4a7c15) + 1, text: String::new(), labels: 0 };
    generator.block(2, false);
    generator.statement(0, false);
    let text = generator.text;
    format!(
        "function {{:bvbuiltin \"bvadd\"}} add(a: bv2, b: bv2): bv2;
function {{:bvbuiltin \"bvmul\"}} mul(a: bv2, b: bv2): bv2;
function {{:bvbuiltin \"bvult\"}} less(a: bv2, b: bv2): bool;
var x, y, z: bv2;
procedure step(a: bv2) returns (r: bv2)
  modifies z;
{{ if (less(a, z)) {{ r := add(a, 1bv2); }} else {{ z := a; r := z; }} }}
procedure main()
  modifies x, y, z;
{{
{text}assert less(x, 3bv2) || y != z;
}}
"
    )
}

type State = (LocationId, Vec<u8>);

/// The error locations that some execution reaches.
pub fn reachable_errors(terms: &Terms, graph: &Graph) -> BTreeSet<LocationId> {
    let mut variables: BTreeSet<TermId> = BTreeSet::new();
    for edge in graph.edges() {
        variables.extend(edge.statement.command.changed());
        variables.extend(terms.free_variables(&edge.statement.command.read().into_iter().collect::<Vec<_>>()));
    }
    let variables: Vec<TermId> = variables.into_iter().collect();
    let globals = variables.iter().filter(|it| terms.name(**it).is_some_and(|name| VARIABLES.contains(&name)));
    let mut open: Vec<State> = vec![(Graph::ENTRY, vec![0; variables.len()])];
    // Variables of calls are set before they are read; only the global ones begin with any value.
    for global in globals {
        let index = variables.iter().position(|it| it == global).expect("it is one of them");
        open = open.into_iter().flat_map(|state| any(&state, index)).collect();
    }
    let mut seen: BTreeSet<State> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for next in successors(terms, graph, &variables, &state) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    graph.errors.iter().copied().filter(|it| seen.iter().any(|(location, _)| location == it)).collect()
}

fn any(state: &State, index: usize) -> Vec<State> {
    let with = |value: u8| {
        let mut state = state.clone();
        state.1[index] = value;
        state
    };
    (0..4).map(with).collect()
}

fn successors(terms: &Terms, graph: &Graph, variables: &[TermId], state: &State) -> Vec<State> {
    let mut model = Model::new();
    for (&variable, &value) in variables.iter().zip(&state.1) {
        model.assign(variable, Value::BitVector(BitVector::new(2, value.into())));
    }
    let mut results = Vec::new();
    for (_, edge) in graph.outgoing(state.0) {
        let mut evaluator = Evaluator::new(terms, &model);
        let moved = (edge.to, state.1.clone());
        let index = |variable| variables.iter().position(|it| *it == variable).expect("it is one of them");
        match edge.statement.command {
            Command::Assign { variable, value } => {
                let value = evaluator.value(value).expect("it has a value").to_u64().expect("it is a bit-vector");
                let mut moved = moved;
                moved.1[index(variable)] = value as u8;
                results.push(moved);
            }
            Command::Havoc { variable } => results.extend(any(&moved, index(variable))),
            Command::Assume { condition } => {
                if evaluator.holds(condition).expect("it has a value") {
                    results.push(moved);
                }
            }
        }
    }
    results
}
