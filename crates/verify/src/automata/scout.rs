//! Scouting: many different traces quickly, before what resembles each of them is subtracted.
//!
//! The remaining automaton → words of it that can be executed. A directed walk finds one after the other, and of a
//! copy of the automaton only the word itself is taken away each time. (A trace's own automaton with its pre-images
//! satisfies Definition 4.2, too.) The remaining automaton stays as it is: canonical danger automata cover most of
//! what was found here at once, and it is them that bring the search to an end.

use std::time::{Duration, Instant};

use logic::terms::{TermId, Terms};

use super::blocks::{Blocks, LetterId};
use super::explore;
use super::proof::Proof;
use super::prover::{Prover, Stop};
use super::remaining::{Remaining, StateId, Subtrahend};

/// Traces beyond these tell little more about who is to blame.
const MOST: usize = 100;
/// The checks that one walk may cost.
const WALK: usize = 1000;

/// Words that can be executed, other than the known one, found within this time.
pub fn words(
    terms: &mut Terms,
    prover: &mut Prover,
    blocks: &Blocks,
    remaining: &Remaining,
    known: &[LetterId],
    time: Duration,
) -> Result<Vec<Vec<LetterId>>, Stop> {
    let deadline = Instant::now() + time;
    let mut found: Vec<Vec<LetterId>> = Vec::new();
    let mut rest = remaining.minus(terms, &mut Single(known), &mut Proof::default())?;
    while found.len() < MOST && Instant::now() < deadline {
        prover.renew(terms)?;
        let Some(word) = explore::feasible_word(terms, prover, blocks, &rest, WALK)? else { break };
        rest = rest.minus(terms, &mut Single(&word), &mut Proof::default())?;
        found.push(word);
    }
    prover.renew(terms)?;
    Ok(found)
}

/// The automaton of one word.
struct Single<'w>(&'w [LetterId]);

impl Subtrahend for Single<'_> {
    /// The letters of the word that were read, if no others were.
    type State = Option<usize>;
    type Stop = Stop;

    fn initial(&mut self) -> Option<usize> {
        Some(0)
    }

    fn successor(
        &mut self,
        _: &mut Terms,
        _: StateId,
        state: &Option<usize>,
        letter: LetterId,
        _: StateId,
    ) -> Result<Option<usize>, Stop> {
        Ok(state.filter(|&read| self.0.get(read) == Some(&letter)).map(|read| read + 1))
    }

    fn accepts_all(&self, _: &Option<usize>) -> bool {
        false
    }

    fn accepts(&self, state: &Option<usize>) -> bool {
        *state == Some(self.0.len())
    }

    fn assertion(&self, terms: &mut Terms, _: &Option<usize>) -> TermId {
        terms.true_term()
    }
}
