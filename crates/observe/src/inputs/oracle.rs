//! Asks what an input is, each only once: with a cache by content, on several threads, within a budget.
//!
//! The answers are written to a file as they come, so that a later call begins where an earlier one stopped. What was asked
//! and the verdicts do not depend on the number of threads, except where the budget ends.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::Error;
use crate::detect::Verdict;
use crate::detect::judge::{Confirmed, Judge};

/// The hash of an input's bytes.
pub type Content = [u8; 32];

pub fn content(input: &[u8]) -> Content {
    Sha256::digest(input).into()
}

/// Says what an input is.
pub trait Answers: Sync {
    fn answer(&self, input: &[u8]) -> Result<Verdict, Error>;
}

/// Runs the program.
pub struct Runs<'a> {
    pub judge: &'a Judge,
    pub failure: &'a Confirmed,
}

impl Answers for Runs<'_> {
    fn answer(&self, input: &[u8]) -> Result<Verdict, Error> {
        self.judge.judge(input, self.failure)
    }
}

/// What may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub runs: u64,
    pub time: Duration,
}

/// An input that was asked about, with the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub input: Vec<u8>,
    pub verdict: Verdict,
    /// Which generator made it.
    pub made_by: &'static str,
}

/// How far the work is, for whoever waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    pub runs: u64,
    pub good: u64,
    pub bad: u64,
    pub invalid: u64,
}

pub struct Oracle<'a> {
    answers: &'a dyn Answers,
    pub jobs: usize,
    budget: Mutex<Budget>,
    started: Instant,
    known: Mutex<BTreeMap<Content, Verdict>>,
    /// Good and bad inputs, in the order in which they were asked for.
    seen: Mutex<Vec<Asked>>,
    /// Of all inputs that were asked for.
    told: Mutex<BTreeSet<Content>>,
    log: Option<Mutex<File>>,
    runs: AtomicU64,
    counts: [AtomicU64; 4],
    exhausted: AtomicBool,
    progress: &'a (dyn Fn(Progress) + Sync),
}

/// Bytes of good and bad inputs that are kept in memory.
const KEPT: usize = 256 << 20;

impl<'a> Oracle<'a> {
    pub fn new(
        answers: &'a dyn Answers,
        jobs: usize,
        budget: Budget,
        progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Oracle<'a> {
        Oracle {
            answers,
            jobs: jobs.max(1),
            budget: Mutex::new(budget),
            started: Instant::now(),
            known: Mutex::default(),
            seen: Mutex::default(),
            told: Mutex::default(),
            log: None,
            runs: AtomicU64::new(0),
            counts: Default::default(),
            exhausted: AtomicBool::new(false),
            progress,
        }
    }

    /// Begins with what an earlier call found out, and writes down what this one does.
    pub fn resume(&mut self, known: BTreeMap<Content, Verdict>, log: File) {
        self.known = Mutex::new(known);
        self.log = Some(Mutex::new(log));
    }

    /// Allows so much from now on.
    pub fn allow(&self, runs: u64, time: Duration) {
        let budget = Budget { runs: self.runs() + runs, time: self.started.elapsed() + time };
        *self.budget.lock().expect("no thread panics") = budget;
        self.exhausted.store(false, Ordering::Relaxed);
    }

    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    pub fn is_exhausted(&self) -> bool {
        self.exhausted.load(Ordering::Relaxed)
    }

    /// Good and bad inputs so far.
    pub fn seen(&self) -> Vec<Asked> {
        self.seen.lock().expect("no thread panics").clone()
    }

    /// What an input is; nothing if the budget is spent. What will probably be asked next is found out in the meantime.
    pub fn ask(&self, input: &[u8], next: &[Vec<u8>], made_by: &'static str) -> Result<Option<Verdict>, Error> {
        let mut all = vec![input.to_vec()];
        all.extend(next.iter().take(self.jobs - 1).cloned());
        Ok(self.ask_all(&all, made_by)?.into_iter().next().flatten())
    }

    /// What each input is, in their order.
    pub fn ask_all(&self, inputs: &[Vec<u8>], made_by: &'static str) -> Result<Vec<Option<Verdict>>, Error> {
        let contents: Vec<Content> = inputs.iter().map(|it| content(it)).collect();
        let mut open: Vec<usize> = Vec::new();
        {
            let known = self.known.lock().expect("no thread panics");
            for (index, it) in contents.iter().enumerate() {
                if !known.contains_key(it) && !contents[..index].contains(it) {
                    open.push(index);
                }
            }
        }
        let next = AtomicU64::new(0);
        let work = || -> Result<Vec<(usize, Verdict)>, Error> {
            let mut done = Vec::new();
            while let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                let Some(verdict) = self.find_out(&inputs[index])? else { break };
                done.push((index, verdict));
            }
            Ok(done)
        };
        let found: Result<Vec<_>, Error> = workers::several(self.jobs.min(open.len()), work).into_iter().collect();
        let mut found: Vec<(usize, Verdict)> = found?.into_iter().flatten().collect();
        found.sort_unstable();
        for (index, verdict) in found {
            self.keep(contents[index], &inputs[index], verdict, made_by)?;
        }
        let answers: Vec<Option<Verdict>> = {
            let known = self.known.lock().expect("no thread panics");
            contents.iter().map(|it| known.get(it).copied()).collect()
        };
        for ((content, input), verdict) in contents.iter().zip(inputs).zip(&answers) {
            verdict.iter().for_each(|verdict| self.note(*content, input, *verdict, made_by));
        }
        Ok(answers)
    }

    fn find_out(&self, input: &[u8]) -> Result<Option<Verdict>, Error> {
        let budget = *self.budget.lock().expect("no thread panics");
        if self.runs.fetch_add(1, Ordering::Relaxed) >= budget.runs || self.started.elapsed() >= budget.time {
            self.runs.fetch_sub(1, Ordering::Relaxed);
            self.exhausted.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        let verdict = self.answers.answer(input)?;
        self.counts[verdict as usize].fetch_add(1, Ordering::Relaxed);
        (self.progress)(self.count());
        Ok(Some(verdict))
    }

    /// How many of which there were.
    pub fn count(&self) -> Progress {
        let of = |verdict: Verdict| self.counts[verdict as usize].load(Ordering::Relaxed);
        Progress {
            runs: self.runs(),
            good: of(Verdict::Good),
            bad: of(Verdict::Bad),
            invalid: of(Verdict::Invalid) + of(Verdict::Other),
        }
    }

    fn keep(&self, content: Content, input: &[u8], verdict: Verdict, made_by: &'static str) -> Result<(), Error> {
        self.known.lock().expect("no thread panics").insert(content, verdict);
        if let Some(log) = &self.log {
            let line = format!("{}\t{}\t{}\t{made_by}\n", hexadecimal(&content), verdict.name(), input.len());
            let written = log.lock().expect("no thread panics").write_all(line.as_bytes());
            written.map_err(Error::system("write down what runs have shown"))?;
        }
        Ok(())
    }

    /// Also what an earlier call has found out is seen when it is asked for.
    fn note(&self, content: Content, input: &[u8], verdict: Verdict, made_by: &'static str) {
        let is_new = self.told.lock().expect("no thread panics").insert(content);
        if is_new && matches!(verdict, Verdict::Good | Verdict::Bad) {
            let mut seen = self.seen.lock().expect("no thread panics");
            if seen.iter().map(|it| it.input.len()).sum::<usize>() < KEPT {
                seen.push(Asked { input: input.to_vec(), verdict, made_by });
            }
        }
    }
}

pub fn hexadecimal(content: &Content) -> String {
    content.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Answers by a function.
    pub struct By<F: Fn(&[u8]) -> Verdict + Sync>(pub F);

    impl<F: Fn(&[u8]) -> Verdict + Sync> Answers for By<F> {
        fn answer(&self, input: &[u8]) -> Result<Verdict, Error> {
            Ok((self.0)(input))
        }
    }

    pub const PLENTY: Budget = Budget { runs: 1_000_000, time: Duration::from_secs(600) };

    #[test]
    fn each_is_asked_once_and_in_order() {
        let asked = AtomicU64::new(0);
        let by = By(|input: &[u8]| {
            asked.fetch_add(1, Ordering::Relaxed);
            if input.len() > 1 { Verdict::Bad } else { Verdict::Good }
        });
        let oracle = Oracle::new(&by, 4, PLENTY, &|_| {});
        let inputs = ["a", "bb", "a", "c", "bb"].map(|it| it.as_bytes().to_vec());
        let verdicts = oracle.ask_all(&inputs, "test").unwrap();
        let bad: Vec<bool> = verdicts.iter().map(|it| *it == Some(Verdict::Bad)).collect();
        assert_eq!(bad, [false, true, false, false, true]);
        assert_eq!(asked.load(Ordering::Relaxed), 3);
        let seen: Vec<Vec<u8>> = oracle.seen().into_iter().map(|it| it.input).collect();
        assert_eq!(seen, [b"a".to_vec(), b"bb".to_vec(), b"c".to_vec()]);
    }

    #[test]
    fn what_was_found_out_before_is_seen_again() {
        let by = By(|_: &[u8]| unreachable!("it is known"));
        let mut oracle = Oracle::new(&by, 1, PLENTY, &|_| {});
        let log = tempfile::tempfile().unwrap();
        oracle.resume(BTreeMap::from([(content(b"a"), Verdict::Good)]), log);
        assert_eq!(oracle.ask(b"a", &[], "test").unwrap(), Some(Verdict::Good));
        assert_eq!((oracle.seen().len(), oracle.runs()), (1, 0));
    }

    #[test]
    fn a_budget_ends() {
        let by = By(|_: &[u8]| Verdict::Good);
        let oracle = Oracle::new(&by, 1, Budget { runs: 2, ..PLENTY }, &|_| {});
        let inputs: Vec<Vec<u8>> = (0..4).map(|it| vec![it]).collect();
        assert_eq!(oracle.ask_all(&inputs, "test").unwrap(), [Some(Verdict::Good), Some(Verdict::Good), None, None]);
        assert!(oracle.is_exhausted());
        oracle.allow(5, Duration::from_secs(60));
        assert_eq!(oracle.ask_all(&inputs, "test").unwrap(), [Some(Verdict::Good); 4]);
        assert_eq!(oracle.runs(), 4);
    }
}
