//! The search where tests are all there is: every change that passes them is kept, and [`ranking`] says which is meant.
//!
//! Tests of whole programs are runs: what failing ones print, expect and violate are hints for candidates. Where
//! passing tests get as well, a change is less likely (Ochiai's measure, as a part of its cost).

use program::exec::{Checks, ViolationKind};

use super::{Fix, PAIRED, STEPS, Search, Survivor};
use crate::candidates::{self, Candidate, Hints};
use crate::cases::{Case, Given};
use crate::error::Error;
use crate::instrument::{self, Instrumented, STOP};
use crate::ranking::{self, Passing};
use crate::trial::{Ended, Trial};

/// Passing cases that say which places are suspicious.
const SPECTRUM: usize = 30;
/// What a place costs more that passing cases reach as well.
const SUSPICION: f64 = 12.0;
/// What a change costs more with which tests print what they should and break a rule of C that failing ones broke before.
const BREAKING: u32 = 25;
/// Words of expected outputs that are tried as literals.
const EXPECTED: usize = 16;
/// Changes that are compiled together.
const BATCH: usize = 4000;

impl Search<'_> {
    /// A given test that prints what it should passes: the rules of C that it breaks on the way count for no test.
    pub(super) fn take_off(&mut self, base: &Instrumented, given: &[Case]) {
        let runs = |case: &&Case| matches!(case.given, Given::Run { .. });
        let mut lenient = Trial::new(&base.program, &self.driver.slots, Checks::NONE, self.first_limit());
        for case in given.iter().filter(runs) {
            for _ in 0..4 {
                let mut strict = Trial::new(&base.program, &self.driver.slots, self.checks, self.first_limit());
                let (Ended::Failed(_), Some(kind)) = (strict.run(case, [(0, 0); 2]), strict.broken) else { break };
                if !matches!(lenient.run(case, [(0, 0); 2]), Ended::Passed(_)) {
                    break;
                }
                self.checks = self.checks.without(kind);
                let words = format!("`{}` is not checked: {} passes in spite of it", kind.name(), case.origin);
                self.found.notes.push(words);
            }
        }
    }

    /// How much more a change of each place costs: nothing where only failing cases get (Ochiai).
    fn suspicion(&mut self, base: &Instrumented) -> Vec<u32> {
        let passing = &self.cases[self.failing..self.selected];
        let step = passing.len().div_ceil(SPECTRUM).max(1);
        let mut trial = Trial::new(&base.program, &self.driver.slots, self.checks, STEPS);
        let failing = self.failing.max(1) as f64;
        let mut costs = Vec::new();
        for (index, place) in self.subject.function.places.iter().enumerate() {
            let stop = (index as u32 + 1, STOP);
            let is_reached = |case: &&Case| trial.run(case, [stop, (0, 0)]) == Ended::Reached;
            let count = match place.is_declaration() {
                true => passing.len(),
                false => passing.iter().step_by(step).filter(is_reached).count() * step,
            };
            let score = failing / (failing * (failing + count as f64)).sqrt();
            costs.push((SUSPICION * (1.0 - score)).round() as u32);
        }
        self.found.runs += trial.runs;
        costs
    }

    /// Tests are all there is: all changes that pass them, ranked by what they do on other inputs.
    pub(super) fn by_tests(
        &mut self,
        base: &Instrumented,
        [near, far, added]: [Vec<Candidate>; 3],
        partial: &mut Vec<Candidate>,
    ) -> Result<(), Error> {
        let probes = ranking::probes(&self.cases[..self.selected]);
        let suspicion = self.suspicion(base);
        let (function, text) = (&self.subject.function, self.subject.text());
        let alone = candidates::alone(function, text, &self.hints);
        let (likely, other): (Vec<Candidate>, Vec<Candidate>) = alone.into_iter().partition(|it| it.cost < 70);
        let near = [candidates::constant(function), near].concat();
        let mut passing: Vec<Passing> = Vec::new();
        // What is compiled by itself takes as long as a thousand of those that are compiled together.
        self.pass_batches(near, &probes, partial, &mut passing)?;
        self.pass_alone(likely, &probes, &mut passing)?;
        self.pass_batches(far, &probes, partial, &mut passing)?;
        if passing.is_empty() {
            self.pass_batches(added, &probes, partial, &mut passing)?;
        }
        self.pass_alone(other, &probes, &mut passing)?;
        for it in &mut passing {
            it.change.cost += suspicion[it.change.place] + if it.is_strict { 0 } else { BREAKING };
        }
        for group in ranking::groups(passing).into_iter().take(self.options.fixes) {
            if !group.is_strict {
                let words = "a rule of C is broken on the way, with the change and without it".to_owned();
                self.found.notes.push(words);
            }
            let survivor = Survivor { changes: vec![(group.change, (0, 0))], outputs: Vec::new() };
            if let Some(fix) = self.fix(&survivor, None) {
                self.found.fixes.push(Fix { equivalents: group.others, ..fix });
            }
        }
        Ok(())
    }

    /// Changes that are compiled one by one.
    fn pass_alone(&mut self, all: Vec<Candidate>, probes: &[Case], passing: &mut Vec<Passing>) -> Result<(), Error> {
        self.one_by_one(all, |search, change, _, trial| {
            let probed = probes.iter().map(|it| trial.seen(it, [(0, 0); 2])).collect();
            passing.push(search.passing(change, probed, true));
        })
    }

    fn passing(&self, change: Candidate, probed: Vec<u64>, is_strict: bool) -> Passing {
        let is_idle = ranking::is_constant(&self.subject.function.places[change.place], &change);
        Passing { change, probed, is_idle, is_strict }
    }

    /// Changes that are chosen at run time, in parts that are compiled together.
    fn pass_batches(
        &mut self,
        all: Vec<Candidate>,
        probes: &[Case],
        partial: &mut Vec<Candidate>,
        passing: &mut Vec<Passing>,
    ) -> Result<(), Error> {
        for part in all.chunks(BATCH) {
            if self.is_over() {
                break;
            }
            self.pass_batch(part.to_vec(), probes, partial, passing)?;
        }
        Ok(())
    }

    /// One such part.
    fn pass_batch(
        &mut self,
        batch: Vec<Candidate>,
        probes: &[Case],
        partial: &mut Vec<Candidate>,
        passing: &mut Vec<Passing>,
    ) -> Result<(), Error> {
        let compiled = instrument::instrument(self.subject, &self.driver, batch)?;
        self.found.candidates += compiled.candidates.len();
        let slots = self.driver.slots.clone();
        let mut trial = Trial::new(&compiled.program, &slots, self.lenient, 20_000);
        trial.steps = self.step_limit(&mut trial);
        let mut strict = Trial::new(&compiled.program, &slots, self.checks, trial.steps);
        for (candidate, number) in &compiled.candidates {
            if self.is_over() {
                break;
            }
            let choices = [*number, (0, 0)];
            let selected = &self.cases[..self.selected];
            if trial.passes(selected, choices, self.deadline).is_some() {
                let probed = probes.iter().map(|it| trial.seen(it, choices)).collect();
                let is_strict =
                    self.lenient == self.checks || strict.passes(selected, choices, self.deadline).is_some();
                passing.push(self.passing(candidate.clone(), probed, is_strict));
            } else if self.options.changes > 1 && partial.len() < 4 * PAIRED && self.failing > 1 {
                let helped = |case: &Case| matches!(trial.run(case, choices), Ended::Passed(_));
                if self.cases[..self.failing].iter().take(6).any(helped) {
                    partial.push(candidate.clone());
                }
            }
        }
        self.found.runs += strict.runs;
        self.found.runs += trial.runs;
        Ok(())
    }
}

impl Hints {
    /// What a failing case says.
    pub(super) fn add(&mut self, case: &Case, broken: Option<ViolationKind>) {
        match broken {
            Some(ViolationKind::OutOfBoundsAbove | ViolationKind::ArrayIndex | ViolationKind::StringFunction) => {
                self.out_of_bounds = true;
            }
            Some(ViolationKind::Overflow | ViolationKind::ConversionOverflow | ViolationKind::FloatConversion) => {
                self.overflow = true;
            }
            Some(ViolationKind::Uninitialized) => self.uninitialized = true,
            _ => {}
        }
        let Given::Run { stdout, .. } = &case.given else { return };
        let text = String::from_utf8_lossy(stdout).into_owned();
        let plain = |it: &&str| !it.is_empty() && it.len() <= 40 && !it.contains(['"', '\\', '%']);
        for word in text.lines().chain(text.split_whitespace()).map(str::trim).filter(plain) {
            if self.expected.len() < EXPECTED && !self.expected.iter().any(|it| it == word) {
                self.expected.push(word.to_owned());
            }
        }
    }
}
