//! Trace abstraction on small graphs: the paper's figures, loops, and random graphs against enumeration of
//! all states and all words.

use std::collections::BTreeSet;
use std::time::Duration;

use logic::commands::Command;
use logic::control_flow::{Graph, LocationId, Origin, Statement};
use logic::evaluate::{Evaluator, Model};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::{BitVector, Value};

use super::blocks::{Grain, LetterId};
use super::danger::{Danger, Fixpoint};
use super::remaining::{Remaining, StateId, Subtrahend};
use super::replay::{Replay, replay};
use super::search::Search;
use super::{Budget, Outcome, error_traces, prove_or_find};

/// A graph under construction; an edge's number is its origin.
struct Sketch {
    terms: Terms,
    graph: Graph,
}

impl Sketch {
    /// A graph with so many locations beside the entry.
    fn new(locations: u32, errors: &[u32]) -> Sketch {
        let mut graph = Graph::new();
        for _ in 0..locations {
            graph.add_location();
        }
        graph.errors = errors.iter().map(|&it| LocationId(it)).collect();
        Sketch { terms: Terms::new(), graph }
    }

    fn variable(&mut self, name: &str, width: u32) -> TermId {
        self.terms.variable(name, Sort::BitVector(width))
    }

    fn origin(&self) -> Origin {
        Origin(self.graph.edges().len() as u32)
    }

    fn assign(&mut self, from: u32, to: u32, variable: TermId, value: TermId) {
        let statement = Statement::assign(variable, value, self.origin());
        self.graph.add_edge(LocationId(from), statement, LocationId(to));
    }

    fn assign_number(&mut self, from: u32, to: u32, variable: TermId, value: u64) {
        let value = self.terms.bv(self.terms.width(variable), value);
        self.assign(from, to, variable, value);
    }

    fn add(&mut self, from: u32, to: u32, variable: TermId, value: u64) {
        let value = self.terms.bv(self.terms.width(variable), value);
        let sum = self.terms.bv_add(variable, value);
        self.assign(from, to, variable, sum);
    }

    fn havoc(&mut self, from: u32, to: u32, variable: TermId) {
        let statement = Statement::havoc(variable, self.origin());
        self.graph.add_edge(LocationId(from), statement, LocationId(to));
    }

    fn assume(&mut self, from: u32, to: u32, condition: TermId) {
        let statement = Statement::assume(condition, self.origin());
        self.graph.add_edge(LocationId(from), statement, LocationId(to));
    }

    /// Two edges: where the condition holds, and where not.
    fn branch(&mut self, from: u32, then: u32, otherwise: u32, condition: TermId) {
        self.assume(from, then, condition);
        let negated = self.terms.not(condition);
        self.assume(from, otherwise, negated);
    }

    fn equals(&mut self, variable: TermId, value: u64) -> TermId {
        let value = self.terms.bv(self.terms.width(variable), value);
        self.terms.eq(variable, value)
    }

    fn below(&mut self, variable: TermId, value: u64) -> TermId {
        let value = self.terms.bv(self.terms.width(variable), value);
        self.terms.bv_ult(variable, value)
    }

    fn decide(&mut self) -> Outcome {
        prove_or_find(&mut self.terms, &self.graph, &budget()).0
    }

    fn commands(&self, edges: &[u32]) -> Vec<Command> {
        edges.iter().map(|&it| self.graph.edges()[it as usize].statement.command).collect()
    }
}

fn budget() -> Budget {
    Budget::of_time(Duration::from_secs(60))
}

/// Figure 1 of "Simple bugs", with its bug or with the right start of the loop.
fn figure_1(start: u64) -> Sketch {
    let mut sketch = Sketch::new(9, &[9]);
    let [p1, p2, i] = ["p1", "p2", "i"].map(|it| sketch.variable(it, 32));
    sketch.assign_number(0, 1, p1, 0);
    sketch.assign_number(1, 2, p2, 0);
    sketch.assign_number(2, 3, i, start);
    let small = sketch.below(i, 10);
    sketch.branch(3, 4, 8, small);
    let first = sketch.equals(i, 0);
    sketch.branch(4, 5, 7, first);
    // malloc is taken not to fail.
    sketch.assign_number(5, 6, p1, 64);
    sketch.assign_number(6, 7, p2, 128);
    let (null1, null2) = (sketch.equals(p1, 0), sketch.equals(p2, 0));
    let bad = sketch.terms.or2(null1, null2);
    let good = sketch.terms.not(bad);
    let next = sketch.graph.add_location();
    sketch.assume(7, 9, bad);
    sketch.assume(7, next.0, good);
    sketch.add(next.0, 3, i, 1);
    sketch
}

#[test]
fn figure_1_fails_and_its_fix_is_proved() {
    let mut wrong = figure_1(1);
    let Outcome::ErrorTrace(trace) = wrong.decide() else { panic!("the bug is not found") };
    assert_eq!(trace.edges, [0, 1, 2, 3, 6, 9]);
    assert!(trace.replayed);
    let (traces, _) = error_traces(&mut wrong.terms, &wrong.graph, &budget(), 10);
    assert_eq!((traces.traces.len(), traces.complete), (1, true));
    let Outcome::Proved(proof) = figure_1(0).decide() else { panic!("the fix is not proved") };
    assert!(!proof.is_empty());
}

/// Figure 2: the flag decides in one of the two error traces only.
#[test]
fn figure_2_has_two_traces() {
    let mut sketch = Sketch::new(7, &[7]);
    let [stop_on_request, stop_requested, p] = ["onRequest", "requested", "p"].map(|it| sketch.variable(it, 1));
    sketch.assign_number(0, 1, p, 0);
    sketch.assign_number(1, 2, stop_on_request, 0);
    sketch.havoc(2, 3, stop_requested);
    let requested = sketch.equals(stop_requested, 1);
    sketch.branch(3, 4, 5, requested);
    let respected = sketch.equals(stop_on_request, 1);
    sketch.branch(4, 6, 5, respected);
    let null = sketch.equals(p, 0);
    sketch.assume(5, 7, null);
    let (traces, _) = error_traces(&mut sketch.terms, &sketch.graph, &budget(), 10);
    let mut edges: Vec<Vec<u32>> = traces.traces.into_iter().map(|it| it.edges).collect();
    edges.sort();
    assert!(traces.complete, "{:?}", traces.stopped);
    assert_eq!(edges, [vec![0, 1, 2, 3, 6, 7], vec![0, 1, 2, 4, 7]]);
}

/// `x := 0; while (*) { x += 2 }; assert x != 7` needs an invariant over all iterations.
#[test]
fn an_unbounded_loop_is_proved() {
    let mut sketch = Sketch::new(4, &[3]);
    let [x, low] = ["x", "low"].map(|it| sketch.variable(it, 8));
    sketch.assign_number(0, 1, x, 0);
    sketch.add(1, 1, x, 2);
    let one = sketch.terms.bv(8, 1);
    let bit = sketch.terms.bv_and(x, one);
    sketch.assign(1, 2, low, bit);
    let odd = sketch.equals(low, 1);
    sketch.assume(2, 3, odd);
    assert!(matches!(sketch.decide(), Outcome::Proved(_)));
}

/// Without any path to an error there is nothing to show, and the proof is checked all the same.
#[test]
fn no_path_is_a_proof() {
    let mut sketch = Sketch::new(2, &[2]);
    let x = sketch.variable("x", 8);
    sketch.havoc(0, 1, x);
    assert!(matches!(sketch.decide(), Outcome::Proved(_)));
}

/// A proof with an assertion that is too strong or missing is not confirmed.
#[test]
fn a_wrong_proof_is_refused() {
    let mut sketch = figure_1(0);
    let graph = sketch.graph.clone();
    let mut search = Search::new(&mut sketch.terms, &graph, Grain::Lines, &budget()).expect("a solver");
    let blocks = search.blocks.clone();
    let mut proof = super::Proof::default();
    proof.add(Graph::ENTRY, sketch.terms.true_term());
    let refused = proof.check(&mut sketch.terms, &graph, &blocks, &mut search.prover);
    assert!(matches!(refused, Err(super::proof::Invalid::Path(..))), "{refused:?}");
    let mut proof = super::Proof::default();
    let x = sketch.variable("p1", 32);
    let strong = sketch.equals(x, 0);
    proof.add(Graph::ENTRY, strong);
    let refused = proof.check(&mut sketch.terms, &graph, &blocks, &mut search.prover);
    assert_eq!(refused, Err(super::proof::Invalid::Entry));
}

/// A small generator of its own, so that a failing number can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }
}

const LOCATIONS: u32 = 6;
const ERROR: u32 = LOCATIONS - 1;

/// A random graph over two variables of two bits.
fn random_graph(seed: u64) -> (Sketch, [TermId; 2]) {
    let mut random = Random(seed);
    let mut sketch = Sketch::new(LOCATIONS - 1, &[ERROR]);
    let variables = ["x", "y"].map(|it| sketch.variable(it, 2));
    let edges = 6 + random.below(6);
    for number in 0..edges {
        let from = if number < 2 { 0 } else { random.below(u64::from(ERROR)) as u32 };
        let to = if number == 2 { ERROR } else { random.below(u64::from(LOCATIONS)) as u32 };
        let [variable, other] = if random.below(2) == 0 { variables } else { [variables[1], variables[0]] };
        let constant = random.below(4);
        match random.below(6) {
            0 => sketch.assign_number(from, to, variable, constant),
            1 => sketch.add(from, to, variable, constant),
            2 => sketch.havoc(from, to, variable),
            3 => {
                let condition = sketch.equals(variable, constant);
                sketch.assume(from, to, condition);
            }
            4 => {
                let condition = sketch.terms.bv_ult(variable, other);
                sketch.assume(from, to, condition);
            }
            _ => {
                let sum = sketch.terms.bv_add(variable, other);
                sketch.assign(from, to, variable, sum);
            }
        }
    }
    (sketch, variables)
}

fn model(variables: [TermId; 2], state: [u64; 2]) -> Model {
    let mut model = Model::new();
    for (variable, value) in variables.into_iter().zip(state) {
        model.assign(variable, Value::BitVector(BitVector::new(2, value.into())));
    }
    model
}

const ALL: [u64; 4] = [0, 1, 2, 3];

fn all_states() -> impl Iterator<Item = [u64; 2]> {
    ALL.into_iter().flat_map(|x| ALL.into_iter().map(move |y| [x, y]))
}

/// The states after a command, by evaluation.
fn step(terms: &Terms, variables: [TermId; 2], state: [u64; 2], command: Command) -> Vec<[u64; 2]> {
    let model = model(variables, state);
    let mut evaluator = Evaluator::new(terms, &model);
    let with = |variable: TermId, value: u64| {
        let mut after = state;
        after[usize::from(variable == variables[1])] = value;
        after
    };
    match command {
        Command::Havoc { variable } => ALL.into_iter().map(|value| with(variable, value)).collect(),
        Command::Assume { condition } => {
            if evaluator.holds(condition).expect("a closed term") {
                vec![state]
            } else {
                Vec::new()
            }
        }
        Command::Assign { variable, value } => {
            let value = evaluator.value(value).expect("a closed term");
            let bits = value.as_bit_vector().and_then(BitVector::to_u64).expect("two bits");
            vec![with(variable, bits)]
        }
    }
}

/// Whether an error can be reached, by going through all states.
fn fails(sketch: &Sketch, variables: [TermId; 2]) -> bool {
    let mut seen: BTreeSet<(u32, [u64; 2])> = all_states().map(|state| (0, state)).collect();
    let mut open: Vec<(u32, [u64; 2])> = seen.iter().copied().collect();
    while let Some((at, state)) = open.pop() {
        if at == ERROR {
            return true;
        }
        for (_, edge) in sketch.graph.outgoing(LocationId(at)) {
            for after in step(&sketch.terms, variables, state, edge.statement.command) {
                if seen.insert((edge.to.0, after)) {
                    open.push((edge.to.0, after));
                }
            }
        }
    }
    false
}

#[test]
fn proofs_and_traces_agree_with_enumeration() {
    let (mut proved, mut failed) = (0, 0);
    for seed in 0..300 {
        let (mut sketch, variables) = random_graph(seed);
        let expected = fails(&sketch, variables);
        match sketch.decide() {
            Outcome::Proved(_) => {
                assert!(!expected, "graph {seed} fails, but was proved");
                proved += 1;
            }
            Outcome::ErrorTrace(trace) => {
                assert!(expected, "graph {seed} does not fail");
                let commands = sketch.commands(&trace.edges);
                assert_eq!(replay(&sketch.terms, &commands, &trace), Replay::Confirmed, "graph {seed}");
                failed += 1;
            }
            Outcome::Unknown(why) => panic!("graph {seed}: {why}"),
        }
    }
    assert!(proved > 30 && failed > 30, "{proved} proved, {failed} failed");
}

/// All words up to so many letters that the automaton accepts.
fn words(remaining: &Remaining, longest: usize) -> BTreeSet<Vec<LetterId>> {
    let mut accepted = BTreeSet::new();
    if remaining.is_empty() {
        return accepted;
    }
    let mut open = vec![(StateId::INITIAL, Vec::new())];
    while let Some((at, word)) = open.pop() {
        let state = remaining.state(at);
        if state.accepting {
            accepted.insert(word.clone());
        }
        for &(letter, to) in state.successors.iter().filter(|_| word.len() < longest) {
            let mut longer = word.clone();
            longer.push(letter);
            open.push((to, longer));
        }
    }
    accepted
}

/// Whether the danger automaton accepts a word, one predicate at a time and with each step tried on all
/// states: the definition of §4.5 rather than the construction.
fn accepted_by_enumeration(
    sketch: &Sketch,
    variables: [TermId; 2],
    search_edges: &dyn Fn(LetterId) -> Vec<u32>,
    annotation: &[Vec<TermId>],
    run: &[StateId],
    word: &[LetterId],
) -> bool {
    let holds = |predicate: TermId, state: [u64; 2]| {
        Evaluator::new(&sketch.terms, &model(variables, state)).holds(predicate).expect("a closed term")
    };
    let mut current: BTreeSet<TermId> = annotation[run[0].index()].iter().copied().collect();
    for (index, &letter) in word.iter().enumerate() {
        let mut next = BTreeSet::new();
        for &from in &current {
            let mut states: BTreeSet<[u64; 2]> = all_states().filter(|&it| holds(from, it)).collect();
            for command in sketch.commands(&search_edges(letter)) {
                states = states.iter().flat_map(|&it| step(&sketch.terms, variables, it, command)).collect();
            }
            let reached = |to: TermId| states.iter().any(|&state| holds(to, state));
            next.extend(annotation[run[index + 1].index()].iter().copied().filter(|&to| reached(to)));
        }
        current = next;
    }
    !current.is_empty()
}

/// Both properties of Definition 4.2 by going through all states.
fn assert_danger(sketch: &Sketch, variables: [TermId; 2], search: &Search<'_>, annotation: &[Vec<TermId>], seed: u64) {
    let holds = |predicate: TermId, state: [u64; 2]| {
        Evaluator::new(&sketch.terms, &model(variables, state)).holds(predicate).expect("a closed term")
    };
    let initial = &annotation[StateId::INITIAL.index()];
    assert!(all_states().any(|state| initial.iter().any(|&it| holds(it, state))), "graph {seed}: property (4)");
    for (index, state) in search.remaining.states().iter().enumerate().filter(|it| !it.1.accepting) {
        for &predicate in &annotation[index] {
            for program_state in all_states().filter(|&it| holds(predicate, it)) {
                let leads = state.successors.iter().any(|&(letter, to)| {
                    let mut states = vec![program_state];
                    for command in sketch.commands(&search.blocks.block(letter).edges) {
                        states = states.iter().flat_map(|&it| step(&sketch.terms, variables, it, command)).collect();
                    }
                    states.iter().any(|&it| annotation[to.index()].iter().any(|&next| holds(next, it)))
                });
                assert!(leads, "graph {seed}: {program_state:?} is stuck at state {index}: property (5)");
            }
        }
    }
}

const LONGEST: usize = 5;

#[test]
fn danger_automata_keep_their_promises() {
    let mut rounds = 0;
    for seed in 0..150 {
        let (mut sketch, variables) = random_graph(seed);
        let graph = sketch.graph.clone();
        let mut search = Search::new(&mut sketch.terms, &graph, Grain::Lines, &budget()).expect("a solver");
        for _ in 0..4 {
            let Some((trace, word)) = search.next_trace(&mut sketch.terms).expect("an answer") else { break };
            assert!(trace.replayed, "graph {seed}");
            let before = search.remaining.clone();
            let blocks = search.blocks.clone();
            let fixpoint = if seed % 2 == 0 { Fixpoint::Least } else { Fixpoint::Greatest };
            let mut danger = Danger::new(&mut sketch.terms, &mut search.prover, &blocks, &before, &word, fixpoint)
                .expect("an automaton");
            let wrong = danger.violated_property(&mut sketch.terms, &before).expect("an answer");
            assert_eq!(wrong, None, "graph {seed}");
            let annotation: Vec<Vec<TermId>> =
                (0..before.states().len()).map(|it| danger.predicates_at(StateId(it as u32))).collect();
            let mut accepted = BTreeSet::new();
            let all = words(&before, LONGEST);
            for candidate in &all {
                let run = before.run(candidate).expect("an accepted word has a run");
                let mut state = danger.initial();
                for (index, &letter) in candidate.iter().enumerate() {
                    let (from, to) = (run[index], run[index + 1]);
                    state = danger.successor(&mut sketch.terms, from, &state, letter, to).expect("an answer");
                }
                let edges = |letter: LetterId| blocks.block(letter).edges.clone();
                let expected = accepted_by_enumeration(&sketch, variables, &edges, &annotation, &run, candidate);
                assert_eq!(danger.accepts(&state), expected, "graph {seed}, {candidate:?}");
                if danger.accepts(&state) {
                    accepted.insert(candidate.clone());
                }
            }
            let nowhere = &mut super::Proof::default();
            let rest = before.minus(&mut sketch.terms, &mut danger, nowhere).unwrap_or_else(|stop| panic!("{stop:?}"));
            assert_danger(&sketch, variables, &search, &annotation, seed);
            search.remaining = rest;
            let rest = words(&search.remaining, LONGEST);
            assert!(!search.remaining.accepts(&word), "graph {seed}: the trace that was found remains");
            assert!(rest.is_disjoint(&accepted), "graph {seed}");
            assert_eq!(rest.union(&accepted).cloned().collect::<BTreeSet<_>>(), all, "graph {seed}");
            rounds += 1;
        }
    }
    assert!(rounds > 100, "{rounds} rounds");
}
