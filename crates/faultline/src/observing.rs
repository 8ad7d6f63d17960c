//! The recorded runs of `diagnose`: which good ones are compared with, what failing ones have left, several at a time.
//!
//! Good inputs near the failing one are many; compared with are those whose runs are most alike (§3.1.2 of *Using Likely
//! Invariants for Automated Software Fault Localization*: "control flow … as close to that of the failing run as possible"),
//! and not all of them shorter or all longer, since then the length of the input is all that differs.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use observe::Error;
use observe::detect::Verdict;
use observe::record::{Mode, Recorded, Recorder};
use observe::recording::{InnerValues, Invariants, Sites, read_inner, read_invariants};
use observe::slicing::{Criterion, MissingOutput, OutputByte, OutputPlace, Slice, WrongOutput, slice};

use crate::quantities::counted;
use crate::rehearsing;
use crate::status_line::StatusLine;

/// How often the failing input is run again, to see which values differ by themselves.
pub const AGAIN: usize = 3;

/// What goes in: inputs by what they are, the nearest first. The failing one comes first among the bad.
pub struct Inputs {
    pub good: Vec<Vec<u8>>,
    /// How many of the good ones are compared with.
    pub wanted: usize,
    pub bad: Vec<Vec<u8>>,
    /// Where the failing one is kept, if it was made smaller.
    pub small: Option<std::path::PathBuf>,
}

/// What runs have left.
#[derive(Default)]
pub struct Runs {
    pub sites: Sites,
    pub good: Vec<Invariants>,
    /// Further good ones, which leave out more of what the failing run executed.
    pub others: Vec<Invariants>,
    pub bad: Vec<(Invariants, Option<Slice>)>,
    /// Where the output of the failing one is wrong, if that is known.
    pub wrong: Option<OutputPlace>,
    /// What the outputs of good ones depend on, at the place where that of the failing one is wrong.
    pub good_slices: Vec<Slice>,
    /// The inputs of the good runs, and that of the first failing one.
    pub good_inputs: Vec<Vec<u8>>,
    pub failing_input: Vec<u8>,
    /// What could not be recorded.
    pub notes: Vec<String>,
}

/// Makes more good inputs, near a good one: some as long as this, and so many in all.
pub type More<'a> = dyn Fn(&[u8], usize, usize) -> Result<Vec<Vec<u8>>> + Sync + 'a;

pub struct Observing<'a> {
    pub recorder: &'a Recorder<'a>,
    pub criterion: &'a Criterion,
    /// The failure, in words.
    pub failure: &'a str,
    pub jobs: usize,
    pub status: &'a StatusLine,
    pub more: &'a More<'a>,
}

/// A good run with its input.
struct Good {
    input: Vec<u8>,
    observed: Invariants,
    /// How many lines it printed.
    lines: usize,
}

struct Bad {
    observed: Invariants,
    slice: Option<Slice>,
    note: Option<String>,
    /// Where its output is wrong, if it is.
    wrong: Option<OutputPlace>,
}

/// What a failing run has left, or why it has nothing.
enum Failing {
    Bad(Box<Bad>),
    /// What it did instead.
    Otherwise(String),
}

impl Runs {
    /// The first of them is the one that is explained.
    fn add_failing(&mut self, input: &[u8], bad: Bad) {
        if self.bad.is_empty() {
            self.failing_input = input.to_vec();
            self.wrong = bad.wrong;
        }
        self.notes.extend(bad.note.filter(|it| !self.notes.contains(it)));
        self.bad.push((bad.observed, bad.slice));
    }
}

impl Observing<'_> {
    /// Runs everything again, recorded.
    pub fn record(&self, sites: Sites, inputs: &Inputs) -> Result<Runs> {
        let good = self.all(&inputs.good, "good", |input| self.good(&sites, input))?;
        let mut otherwise = good.iter().filter(|it| it.is_err()).count();
        if let (true, Some(Err(did))) = (otherwise == good.len(), good.first()) {
            bail!(
                "none of the good inputs is good while the program is recorded; on the first of them: {did}\n\
                 does it depend on time or threads, or does another exit status belong to --good-status?"
            );
        }
        let mut good: Vec<Good> = good.into_iter().flatten().collect();
        let executed = executed(&good, sites.blocks.len());
        let bad = self.all(&inputs.bad, "failing", |input| self.failing(&sites, &executed, input))?;
        let again = self.all(&vec![inputs.bad[0].clone(); AGAIN], "repeated", |input| {
            let recorded = self.recorder.record_failing(input, Mode::Exact)?;
            read_invariants(&recorded.folder, &sites)
        })?;
        let mut runs = Runs { sites, ..Runs::default() };
        let mut did = None;
        for (input, failing) in inputs.bad.iter().zip(bad) {
            match failing {
                Failing::Bad(bad) => runs.add_failing(input, *bad),
                Failing::Otherwise(told) => {
                    otherwise += 1;
                    did.get_or_insert(told);
                }
            }
        }
        let Some((failing, _)) = runs.bad.first() else {
            bail!(rehearsing::otherwise(self.failure, &did.unwrap_or_default()));
        };
        let failed = Failed {
            observed: failing,
            length: inputs.bad[0].len(),
            lines: self.lines_missed(runs.failing_input.as_slice(), &runs.bad)?,
        };
        self.add_alike(&runs.sites, &failed, inputs.wanted, &mut good)?;
        let (chosen, others) = choose(good, &failed, inputs.wanted);
        (runs.good_inputs, runs.good) = chosen.into_iter().map(|it| (it.input, it.observed)).unzip();
        runs.others = others.into_iter().map(|it| it.observed).collect();
        if let Some(wrong) = runs.wrong {
            let found =
                self.all(&runs.good_inputs, "traced good", |input| self.good_slice(&runs.sites, input, wrong))?;
            runs.good_slices = found.into_iter().flatten().collect();
        }
        leave_out_unstable(&again, &mut runs);
        if otherwise > 0 {
            let words =
                format!("{otherwise} inputs were left out: while it is recorded, the program does otherwise on them");
            runs.notes.push(words);
        }
        Ok(runs)
    }

    /// Or what it did instead.
    fn good(&self, sites: &Sites, input: &[u8]) -> Result<Result<Good, String>, Error> {
        let mut recorded = self.recorder.record(input, Mode::Invariants)?;
        // Good for who asked, though a child may have crashed: what led to that is whole only if all is observed where it happens.
        if recorded.has_crashed()? {
            recorded = self.recorder.record(input, Mode::Exact)?;
        }
        if recorded.verdict != Verdict::Good {
            return Ok(Err(self.recorder.told(input, &recorded)?));
        }
        let observed = read_invariants(&recorded.folder, sites)?;
        Ok(Ok(Good { input: input.to_vec(), observed, lines: line_count(&recorded.outcome.stdout) }))
    }

    /// If few good runs do what the failing one did, more are made near those that do.
    fn add_alike(&self, sites: &Sites, failed: &Failed<'_>, wanted: usize, good: &mut Vec<Good>) -> Result<()> {
        let alike = failed.alike(good);
        if alike.len() >= wanted || alike.is_empty() {
            return Ok(());
        }
        let each = (FURTHER * (wanted - alike.len())).div_ceil(alike.len().min(SEEDS));
        for index in alike.into_iter().take(SEEDS) {
            let mut made = (self.more)(&good[index].input, failed.length, each)?;
            made.retain(|input| good.iter().all(|it| it.input != *input));
            let found = self.all(&made, "further good", |input| self.good(sites, input))?;
            good.extend(found.into_iter().flatten());
        }
        Ok(())
    }

    fn failing(&self, sites: &Sites, executed: &[bool], input: &[u8]) -> Result<Failing, Error> {
        let recorded = self.recorder.record_failing(input, Mode::Exact)?;
        if !recorded.fails_alike {
            return Ok(Failing::Otherwise(self.recorder.told(input, &recorded)?));
        }
        let mut observed = read_invariants(&recorded.folder, sites)?;
        let traced = self.recorder.record_failing(input, Mode::Trace)?;
        if !traced.fails_alike {
            return Ok(Failing::Otherwise(self.recorder.told(input, &traced)?));
        }
        let (slice, note) = match self.slice(sites, executed, input, &traced) {
            Ok(slice) => (Some(slice), None),
            Err(error @ Error::NoSymptom(_)) => {
                let words = format!("a failing run is not sliced: {error}; --symptom FILE:LINE says where to begin");
                (None, Some(words))
            }
            Err(error) => return Err(error),
        };
        if let Some(slice) = &slice {
            observed.leave_unfinished(sites, &slice.unfinished);
        }
        let wrong = self.recorder.first_wrong(input, &traced)?.map(|it| it.place(&traced.outcome.stdout));
        Ok(Failing::Bad(Box::new(Bad { observed, slice, note, wrong })))
    }

    /// What a good run's output depends on at a place, or as near to it as there is something.
    fn good_slice(&self, sites: &Sites, input: &[u8], place: OutputPlace) -> Result<Option<Slice>, Error> {
        let traced = self.recorder.record(input, Mode::Trace)?;
        let byte = OutputByte::nearest(&traced.outcome.stdout, place).filter(|_| traced.verdict == Verdict::Good);
        match byte.map(|it| slice(&traced.folder, sites, &Criterion::Output(it))) {
            None | Some(Err(Error::NoSymptom(_))) => Ok(None),
            Some(found) => found.map(Some),
        }
    }

    /// A second round on the same inputs: values inside of expressions, in good runs, and in the failing one as often as it is
    /// repeated. `None` if runs no longer do as they did.
    pub fn look_inside(&self, runs: &Runs) -> Result<Option<(Vec<InnerValues>, Vec<InnerValues>)>> {
        let record = |input: &[u8], fails: bool| {
            let recorded = match fails {
                true => self.recorder.record_failing(input, Mode::Exact)?,
                false => self.recorder.record(input, Mode::Exact)?,
            };
            let is_same = if fails { recorded.fails_alike } else { recorded.verdict == Verdict::Good };
            is_same.then(|| read_inner(&recorded.folder, &runs.sites)).transpose()
        };
        let failing = vec![runs.failing_input.clone(); AGAIN];
        let failing = self.all(&failing, "inner values of failing", |input| record(input, true))?;
        let good = self.all(&runs.good_inputs, "inner values of good", |input| record(input, false))?;
        // Of good runs, some are enough; a failing one that does not fail has nothing to say.
        let good: Vec<InnerValues> = good.into_iter().flatten().collect();
        Ok(failing.into_iter().collect::<Option<_>>().filter(|_| !good.is_empty()).map(|failing| (good, failing)))
    }

    /// From where it is known to begin in this run: where the output is first wrong, or where a sanitizer saw the failure; if
    /// that is not in the trace, from where it begins otherwise.
    fn slice(&self, sites: &Sites, executed: &[bool], input: &[u8], traced: &Recorded) -> Result<Slice, Error> {
        let exact = match self.criterion {
            Criterion::Call(_) => self.recorder.first_wrong(input, traced)?.map(|it| match it {
                WrongOutput::Byte(byte) => Criterion::Output(byte),
                WrongOutput::Missing { at, all } => {
                    Criterion::Missing(MissingOutput { at, all, executed: executed.to_vec() })
                }
            }),
            Criterion::Last => traced.reported(sites)?,
            Criterion::Output(_) | Criterion::Missing(_) | Criterion::Line(_) | Criterion::Freed { .. } => None,
        };
        match exact.map(|it| slice(&traced.folder, sites, &it)) {
            None | Some(Err(Error::NoSymptom(_))) => slice(&traced.folder, sites, self.criterion),
            Some(found) => found,
        }
    }

    /// How many lines the failing run should have printed, if some are missing.
    fn lines_missed(&self, input: &[u8], bad: &[(Invariants, Option<Slice>)]) -> Result<Option<usize>, Error> {
        let is_missing = bad[0].1.as_ref().is_some_and(|it| it.is_of_decisions);
        Ok(if is_missing { self.recorder.expected(input)?.map(|it| line_count(&it)) } else { None })
    }

    /// Does something with each input, several at a time; the answers in their order.
    fn all<T: Send>(
        &self,
        inputs: &[Vec<u8>],
        sort: &str,
        work: impl Fn(&[u8]) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let one = |index: usize| {
            self.status.set(format!("recording {sort} runs: {} of {}", index + 1, inputs.len()));
            work(&inputs[index])
        };
        workers::each(inputs.len(), self.jobs, one).into_iter().collect()
    }
}

/// Good runs that are compared with at least, if there are so many, however much they differ.
const FEWEST: usize = 3;
/// So many blocks that are left out are no difference.
const ALIKE: usize = 8;
/// Near so many good inputs further ones are made, and so many times as many as are missing.
const SEEDS: usize = 4;
const FURTHER: usize = 3;

fn line_count(output: &[u8]) -> usize {
    output.split_inclusive(|it| *it == b'\n').count()
}

/// By the number of the block, whether a good run executes it.
fn executed(good: &[Good], blocks: usize) -> Vec<bool> {
    (0..blocks).map(|block| good.iter().any(|it| it.observed.coverage.blocks[block] > 0)).collect()
}

/// The failing run that good ones are compared with.
struct Failed<'a> {
    observed: &'a Invariants,
    /// Of its input.
    length: usize,
    /// How many lines it should have printed, if some are missing.
    lines: Option<usize>,
}

impl Failed<'_> {
    /// How much a run leaves out of what the failing run executed.
    fn left_out(&self, good: &Good) -> usize {
        let blocks = self.observed.coverage.blocks.iter().zip(&good.observed.coverage.blocks);
        blocks.filter(|(failing, good)| **failing > 0 && **good == 0).count()
    }

    /// Good runs that leave out not much more than the best, the best first. Where lines are missing from the output, only those
    /// of them that come nearest to printing as many as should have been.
    fn alike(&self, good: &[Good]) -> Vec<usize> {
        let left_out: Vec<usize> = good.iter().map(|it| self.left_out(it)).collect();
        let best = left_out.iter().min().copied().unwrap_or(0);
        let mut alike: Vec<usize> = (0..good.len()).filter(|it| left_out[*it] <= 2 * best + ALIKE).collect();
        if let Some(lines) = self.lines {
            let differs = |it: &usize| good[*it].lines.abs_diff(lines);
            let nearest = alike.iter().map(differs).min();
            alike.retain(|it| Some(differs(it)) == nearest);
        }
        alike.sort_by_key(|it| left_out[*it]);
        alike
    }
}

/// Of good runs, the nearest first, those that are alike. If the inputs of all are shorter than the failing one or all longer,
/// though others are alike, too, the best of these takes the place of the last. Then those that are not chosen.
fn choose(good: Vec<Good>, failed: &Failed<'_>, wanted: usize) -> (Vec<Good>, Vec<Good>) {
    let mut order = failed.alike(&good);
    let alike = order.len();
    let mut others: Vec<usize> = (0..good.len()).filter(|it| !order.contains(it)).collect();
    others.sort_by_key(|it| failed.left_out(&good[*it]));
    order.extend(others);
    let mut chosen = order[..order.len().min(wanted).min(alike.max(FEWEST))].to_vec();
    let length = failed.length;
    for side in [&|it: usize| it >= length, &|it: usize| it <= length] as [&dyn Fn(usize) -> bool; 2] {
        let is_on_it = |it: &usize| side(good[*it].input.len());
        let other = order[..alike].iter().copied().find(is_on_it);
        if let Some(other) = other.filter(|_| wanted > 1 && !chosen.iter().any(is_on_it)) {
            if chosen.len() == wanted {
                chosen.pop();
            }
            chosen.push(other);
        }
    }
    let mut good: Vec<Option<Good>> = good.into_iter().map(Some).collect();
    let chosen = chosen.into_iter().filter_map(|it| good[it].take()).collect();
    (chosen, good.into_iter().flatten().collect())
}

/// Values that differ when the same input is run again, such as addresses and random seeds, say nothing about inputs.
fn leave_out_unstable(again: &[Invariants], runs: &mut Runs) {
    let mut unstable = BTreeSet::new();
    for (site, range) in again[0].ranges.iter().enumerate() {
        // The first run of it was longest ago: what follows the clock differs there.
        let first = runs.bad[0].0.ranges.get(site).copied().flatten();
        let differs = first.zip(*range).is_some_and(|(one, other)| one != other);
        if differs || again[1..].iter().any(|other| other.ranges.get(site) != Some(range)) {
            unstable.insert(site);
        }
    }
    let good = runs.good.iter_mut().chain(&mut runs.others);
    for observed in good.chain(runs.bad.iter_mut().map(|(it, _)| it)) {
        for &site in &unstable {
            if let Some(range) = observed.ranges.get_mut(site) {
                *range = None;
            }
        }
    }
    if !unstable.is_empty() {
        let words = format!(
            "what differs from run to run on the same input is left out: the values at {}",
            counted(unstable.len(), "place")
        );
        runs.notes.push(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::recording::{Coverage, Ways};

    fn run(blocks: &[u64]) -> Invariants {
        Invariants { ranges: Vec::new(), coverage: Coverage { blocks: blocks.to_vec(), ways: Ways::default() } }
    }

    fn good(length: usize, blocks: &[u64], lines: usize) -> Good {
        Good { input: vec![b'x'; length], observed: run(blocks), lines }
    }

    /// The chosen of good runs on inputs of these lengths.
    fn check(found: &[(usize, &[u64])], failing: &[u64], wanted: usize) -> Vec<Invariants> {
        let found = found.iter().map(|(length, blocks)| good(*length, blocks, 1)).collect();
        let failed = Failed { observed: &run(failing), length: 9, lines: None };
        choose(found, &failed, wanted).0.into_iter().map(|it| it.observed).collect()
    }

    #[test]
    fn where_lines_are_missing_those_that_print_them() {
        let failing = run(&[1, 1, 1]);
        let failed = Failed { observed: &failing, length: 9, lines: Some(2) };
        let found = vec![good(9, &[1, 1, 1], 1), good(9, &[1, 1, 0], 2), good(9, &[1, 0, 0], 2)];
        let chosen: Vec<usize> = choose(found, &failed, 2).0.into_iter().map(|it| it.lines).collect();
        assert_eq!(chosen, [2, 2]);
    }

    #[test]
    fn runs_that_are_alike_are_chosen() {
        let found: [(usize, &[u64]); 3] = [(9, &[1, 0, 0, 0]), (9, &[1, 1, 0, 0]), (9, &[2, 3, 1, 1])];
        assert_eq!(check(&found, &[1, 1, 1, 0], 2), [run(&[2, 3, 1, 1]), run(&[1, 1, 0, 0])]);
        assert_eq!(check(&found, &[1, 1, 1, 0], 5).len(), 3);
        // Others do something else.
        let mut found: Vec<(usize, &[u64])> = vec![(9, &[1; 20]); 4];
        found.extend([(9, &[0; 20][..]); 4]);
        assert_eq!(check(&found, &[1; 20], 8).len(), 4);
    }

    #[test]
    fn not_all_are_shorter() {
        let mut found: Vec<(usize, &[u64])> = vec![(8, &[1, 1]); 8];
        found.push((11, &[1, 0]));
        let chosen = check(&found, &[1, 1], 8);
        assert_eq!(chosen.len(), 8);
        assert!(chosen.contains(&run(&[1, 0])));
    }
}
