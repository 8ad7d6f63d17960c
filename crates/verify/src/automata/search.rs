//! The refinement loops of Figures 5 and 6.

use std::time::Instant;

use logic::commands::Command;
use logic::control_flow::Graph;
use logic::terms::Terms;

use super::blocks::{Blocks, Grain, LetterId};
use super::danger::Danger;
use super::floyd_hoare::FloydHoare;
use super::infeasible::{self, Care, Feasibility};
use super::proof::Proof;
use super::prover::{Prover, Stop};
use super::remaining::Remaining;
use super::replay::{self, ErrorTrace};
use super::{Budget, Outcome, Statistics, Traces};

pub fn one(terms: &mut Terms, graph: &Graph, budget: &Budget) -> (Outcome, Statistics) {
    let mut search = match Search::new(terms, graph, Grain::Paths, budget) {
        Ok(search) => search,
        Err(stop) => return (Outcome::Unknown(stop.0), Statistics::default()),
    };
    let outcome = match search.next_trace(terms) {
        Ok(Some((trace, _))) => Outcome::ErrorTrace(trace),
        Ok(None) => match search.proof.check(terms, graph, &search.blocks, &mut search.prover) {
            Ok(()) => Outcome::Proved(std::mem::take(&mut search.proof)),
            Err(invalid) => Outcome::Unknown(format!("the proof was not confirmed: {invalid}")),
        },
        Err(stop) => Outcome::Unknown(stop.0),
    };
    (outcome, search.statistics())
}

pub fn many(terms: &mut Terms, graph: &Graph, budget: &Budget, most: usize) -> (Traces, Statistics) {
    let mut found = Traces::default();
    let mut search = match Search::new(terms, graph, Grain::Lines, budget) {
        Ok(search) => search,
        Err(stop) => {
            found.stopped = Some(stop.0);
            return (found, Statistics::default());
        }
    };
    loop {
        match search.next_trace(terms) {
            Ok(Some((trace, word))) => {
                found.traces.push(trace);
                if found.traces.len() >= most {
                    found.stopped = Some(format!("{most} traces are enough"));
                    break;
                }
                if let Err(stop) = search.subtract_danger(terms, &word) {
                    found.stopped = Some(stop.0);
                    break;
                }
            }
            Ok(None) => {
                found.complete = true;
                break;
            }
            Err(stop) => {
                found.stopped = Some(stop.0);
                break;
            }
        }
    }
    (found, search.statistics())
}

/// The state of a refinement loop.
pub(super) struct Search<'a> {
    graph: &'a Graph,
    started: Instant,
    pub blocks: Blocks,
    pub prover: Prover,
    pub remaining: Remaining,
    proof: Proof,
    statistics: Statistics,
}

impl<'a> Search<'a> {
    pub fn new(terms: &mut Terms, graph: &'a Graph, grain: Grain, budget: &Budget) -> Result<Search<'a>, Stop> {
        let started = Instant::now();
        let prover = Prover::new(terms, graph, budget)?;
        let blocks = Blocks::new(terms, graph, grain);
        let mut proof = Proof::default();
        let remaining = Remaining::all(terms, &blocks, &mut proof);
        let statistics =
            Statistics { letters: blocks.len(), states: remaining.states().len(), ..Statistics::default() };
        Ok(Search { graph, started, blocks, prover, remaining, proof, statistics })
    }

    /// The next trace that can be executed, with its word; nothing if none remains.
    pub fn next_trace(&mut self, terms: &mut Terms) -> Result<Option<(ErrorTrace, Vec<LetterId>)>, Stop> {
        while let Some(word) = self.remaining.shortest_word(&self.blocks) {
            self.statistics.rounds += 1;
            let edges = self.blocks.edges(&word);
            let commands: Vec<Command> =
                edges.iter().map(|&it| self.graph.edges()[it as usize].statement.command).collect();
            match infeasible::feasibility(terms, &mut self.prover, &commands)? {
                Feasibility::Feasible(ssa, model) => {
                    let trace = replay::trace(terms, self.graph, edges, &ssa, &model);
                    let blocked = |position| Stop(format!("a trace was found that blocks at statement {position}"));
                    return trace.map(|trace| Some((trace, word))).map_err(blocked);
                }
                Feasibility::Infeasible(needed) => self.subtract_infeasible(terms, &word, &commands, &needed)?,
            }
        }
        Ok(None)
    }

    fn subtract_infeasible(
        &mut self,
        terms: &mut Terms,
        word: &[LetterId],
        commands: &[Command],
        needed: &[bool],
    ) -> Result<(), Stop> {
        let mut places = vec![0];
        for &letter in word {
            places.push(places[places.len() - 1] + self.blocks.block(letter).edges.len());
        }
        for care in [Care::Free, Care::Exact] {
            let predicates = infeasible::predicates(terms, commands, needed, &places, care);
            let mut automaton = FloydHoare::new(terms, &mut self.prover, &self.blocks, &predicates);
            if automaton.accepts_word(terms, word)? {
                self.remaining = self.remaining.minus(terms, &mut automaton, &mut self.proof)?;
                self.statistics.states = self.statistics.states.max(self.remaining.states().len());
                return Ok(());
            }
        }
        Err(Stop("no assertions were found for a trace that cannot be executed".to_owned()))
    }

    /// Takes away what resembles a feasible trace.
    pub fn subtract_danger(&mut self, terms: &mut Terms, word: &[LetterId]) -> Result<(), Stop> {
        let started = Instant::now();
        let mut danger = Danger::new(terms, &mut self.prover, &self.blocks, &self.remaining, word)?;
        self.remaining = self.remaining.minus(terms, &mut danger, &mut self.proof)?;
        self.statistics.states = self.statistics.states.max(self.remaining.states().len());
        self.statistics.danger += started.elapsed();
        Ok(())
    }

    pub fn statistics(&self) -> Statistics {
        Statistics {
            triples: self.prover.asked,
            checks: self.prover.solved,
            time: self.started.elapsed(),
            ..self.statistics
        }
    }
}
