//! The refinement loops of Figures 5 and 6.

use std::collections::BTreeSet;
use std::time::Instant;

use logic::commands::Command;
use logic::control_flow::{Graph, LocationId};
use logic::terms::{TermId, Terms};

use super::blocks::{Blocks, Grain, LetterId};
use super::danger::{Danger, Fixpoint};
use super::explore;
use super::floyd_hoare::FloydHoare;
use super::infeasible::{self, Care, Direction, Feasibility};
use super::proof::Proof;
use super::prover::{Prover, Stop};
use super::remaining::Remaining;
use super::replay::{self, ErrorTrace};
use super::scout;
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
    let mut known: BTreeSet<Vec<LetterId>> = BTreeSet::new();
    loop {
        match search.next_trace(terms) {
            Ok(Some((trace, word))) => {
                let is_first = known.is_empty();
                if known.insert(word.clone()) {
                    found.traces.push(trace);
                }
                if is_first && found.traces.len() < most {
                    match search.scout(terms, &word) {
                        Ok(others) => {
                            for (trace, word) in others {
                                found.traces.push(trace);
                                known.insert(word);
                            }
                        }
                        Err(stop) => {
                            found.stopped = Some(stop.0);
                            break;
                        }
                    }
                }
                if found.traces.len() >= most {
                    found.traces.truncate(most);
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

/// The checks that a directed walk may cost.
const WALK: usize = 300;
/// The part of the time that is for scouting.
const SCOUTING: u32 = 5;
/// The traces to which the search comes back late.
const FIRST_WORDS: usize = 3;

/// The state of a refinement loop.
pub(super) struct Search<'a> {
    graph: &'a Graph,
    started: Instant,
    pub blocks: Blocks,
    pub prover: Prover,
    pub remaining: Remaining,
    proof: Proof,
    statistics: Statistics,
    /// Directed walks without success since the last one with.
    failed_walks: u32,
    /// Infeasible traces until the next directed walk.
    until_walk: u32,
    /// The first words that could be executed: their reasons are the simplest.
    first_words: Vec<Vec<LetterId>>,
    is_late: bool,
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
        Ok(Search {
            graph,
            started,
            blocks,
            prover,
            remaining,
            proof,
            statistics,
            failed_walks: 0,
            until_walk: 0,
            first_words: Vec::new(),
            is_late: false,
        })
    }

    /// The next trace that can be executed, with its word; nothing if none remains.
    pub fn next_trace(&mut self, terms: &mut Terms) -> Result<Option<(ErrorTrace, Vec<LetterId>)>, Stop> {
        while let Some(mut word) = self.remaining.shortest_word(&self.blocks) {
            self.statistics.rounds += 1;
            if let Some(better) = self.walk(terms)? {
                word = better;
            }
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

    /// Other traces beside the first one, found in a share of the time.
    fn scout(&mut self, terms: &mut Terms, first: &[LetterId]) -> Result<Vec<(ErrorTrace, Vec<LetterId>)>, Stop> {
        let Some(left) = self.prover.time_left() else { return Ok(Vec::new()) };
        let words = scout::words(terms, &mut self.prover, &self.blocks, &self.remaining, first, left / SCOUTING)?;
        let mut found = Vec::new();
        for word in words {
            let edges = self.blocks.edges(&word);
            let commands: Vec<Command> =
                edges.iter().map(|&it| self.graph.edges()[it as usize].statement.command).collect();
            if let Feasibility::Feasible(ssa, model) = infeasible::feasibility(terms, &mut self.prover, &commands)?
                && let Ok(trace) = replay::trace(terms, self.graph, edges, &ssa, &model)
            {
                found.push((trace, word));
            }
        }
        Ok(found)
    }

    /// Now and then, a word that can be executed, found without refinement; the rarer, the less it has helped.
    fn walk(&mut self, terms: &mut Terms) -> Result<Option<Vec<LetterId>>, Stop> {
        if self.until_walk > 0 {
            self.until_walk -= 1;
            return Ok(None);
        }
        self.prover.renew(terms)?;
        let word = explore::feasible_word(terms, &mut self.prover, &self.blocks, &self.remaining, WALK)?;
        self.prover.renew(terms)?;
        if word.is_some() {
            self.failed_walks = 0;
        } else {
            self.failed_walks += 1;
            self.until_walk = (1 << self.failed_walks.min(6)) - 1;
        }
        Ok(word)
    }

    /// The location after so many letters.
    fn location(&self, word: &[LetterId], letters: usize) -> LocationId {
        letters.checked_sub(1).map_or(Graph::ENTRY, |last| self.blocks.block(word[last]).to)
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
            let mut sets: Vec<Vec<(usize, TermId)>> = [Direction::Forward, Direction::Backward]
                .into_iter()
                .map(|it| infeasible::predicates(terms, commands, needed, &places, it, care))
                .collect();
            // Fewer predicates are less to ask, and forget more.
            sets.sort_by_key(|it| it.iter().map(|it| it.1).collect::<BTreeSet<TermId>>().len());
            sets.push(sets.concat());
            for set in sets {
                let located: Vec<(LocationId, TermId)> =
                    set.into_iter().map(|(place, it)| (self.location(word, place), it)).collect();
                let mut automaton = FloydHoare::new(terms, &mut self.prover, &self.blocks, &located);
                if automaton.accepts_word(terms, word)? {
                    self.remaining = self.remaining.minus(terms, &mut automaton, &mut self.proof)?;
                    self.statistics.states = self.statistics.states.max(self.remaining.states().len());
                    return Ok(());
                }
            }
        }
        Err(Stop("no assertions were found for a trace that cannot be executed".to_owned()))
    }

    /// Takes away what resembles a feasible trace.
    ///
    /// In the second half of the time larger automata are taken, first of all for the first traces again, so
    /// that the search may come to an end.
    pub fn subtract_danger(&mut self, terms: &mut Terms, word: &[LetterId]) -> Result<(), Stop> {
        let started = Instant::now();
        let late = self.prover.time_left().is_some_and(|left| left < self.started.elapsed());
        if self.first_words.len() < FIRST_WORDS {
            self.first_words.push(word.to_vec());
        }
        if late && !std::mem::replace(&mut self.is_late, true) {
            for first in self.first_words.clone() {
                self.subtract_one(terms, &first, Fixpoint::Greatest)?;
            }
        }
        if self.remaining.accepts(word) {
            self.subtract_one(terms, word, if late { Fixpoint::Greatest } else { Fixpoint::Least })?;
        }
        self.statistics.danger += started.elapsed();
        Ok(())
    }

    fn subtract_one(&mut self, terms: &mut Terms, word: &[LetterId], fixpoint: Fixpoint) -> Result<(), Stop> {
        let mut danger = Danger::new(terms, &mut self.prover, &self.blocks, &self.remaining, word, fixpoint)?;
        self.remaining = self.remaining.minus(terms, &mut danger, &mut self.proof)?;
        self.statistics.states = self.statistics.states.max(self.remaining.states().len());
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
