//! What `explain` asks about a failing run. Each answer is told as soon as it is there, so that there is one when the
//! time is over.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use diagnosis::{Diagnosis, ErrorTrace};
use localize::engines::{self, Engine};
use localize::ped;
use localize::triangulate::{self, Known};
use logic::solver::Interrupter;
use program::Program;
use program::exec::{Violation, ViolationKind};
use source::Patch;
use verify::encode::encode;

use crate::arguments::{self, Localize, Repair};
use crate::localizing::{self, Failing};
use crate::repairing::{self, Setting};
use crate::screen::Screen;
use crate::{explaining_observed, explaining_otherwise};

/// The share of the time for patches if others are asked after them, and if not; for contracts, for native runs, for
/// one engine, and for one of its questions.
const PATCHES_SHARE: (f64, f64) = (0.25, 0.45);
const CONTRACTS_SHARE: f64 = 0.2;
pub const OBSERVED_SHARE: f64 = 0.4;
const ENGINE_SHARE: f64 = 1.0 / 20.0;
pub const QUESTION_SHARE: f64 = 1.0 / 40.0;
/// In the order of what they cost.
const ENGINES: [Engine; 4] = [Engine::Relevance, Engine::MaxSat, Engine::ErrorInvariants, Engine::FlowSensitive];

/// A failing run, and the time to ask about it.
pub struct Asking {
    pub program: Arc<Program>,
    pub failing: Failing,
    pub asked: Localize,
    pub setting: Setting,
    /// Options of the compiler from the command line.
    pub flags: Vec<String>,
    /// How to repair functions that the run was in and that have a contract.
    pub contracts: Vec<Repair>,
    /// For all of it, and its end.
    pub time: Duration,
    pub deadline: Instant,
    /// Others draw there.
    pub screen: Screen,
}

/// What is told on the way.
pub enum Word {
    /// How it failed, step by step, for the formats that show it.
    Trace(ErrorTrace),
    Answer(Diagnosis),
    /// One that passed its check.
    Patch(Patch),
    Note(String),
}

/// What was told.
#[derive(Default)]
pub struct Heard {
    pub notes: Vec<String>,
    answers: Vec<Diagnosis>,
    trace: Option<ErrorTrace>,
    patch: Option<Patch>,
}

impl Heard {
    pub fn hear(&mut self, word: Word) {
        match word {
            Word::Trace(trace) => self.trace = Some(trace),
            Word::Answer(answer) => self.answers.push(answer),
            Word::Patch(patch) => self.patch = self.patch.take().or(Some(patch)),
            Word::Note(note) => self.notes.push(note),
        }
    }

    /// What can be said while more is asked.
    pub fn so_far(&self, known: &Known) -> String {
        let best = triangulate::merge(&self.answers, known).suspects.into_iter().find_map(|it| it.place);
        let best = best.map(|span| format!("line {} is suspected; ", span.start.line));
        format!("{}looking for more, and for a patch", best.unwrap_or_default())
    }

    /// What all engines say together, how the run failed, and the patch.
    pub fn answer(self, known: &Known) -> (Diagnosis, Option<ErrorTrace>, Option<Patch>) {
        let mut merged = triangulate::merge(&self.answers, known);
        merged.notes.extend(self.notes);
        (merged, self.trace, self.patch)
    }
}

impl Asking {
    /// Asks all, the cheap ones first.
    pub fn all(&self, tell: &Sender<Word>) {
        let Some(violation) = self.failing.run.violation() else { return };
        let say = |word: Word| {
            // Whoever does not listen any more has an answer.
            let _ = tell.send(word);
        };
        let trace = localizing::told(&self.program, &self.failing, self.setting.checks, &self.asked);
        trace.into_iter().for_each(|trace| say(Word::Trace(trace)));
        self.engines(violation, &say);
        self.patches(violation, &say);
        self.contracts(&say);
        self.observed(&say);
    }

    /// The assertion that failed, if it is one, and the lines that take inputs.
    pub fn known(&self) -> Known {
        let is_assertion = |it: &&Violation| matches!(it.kind, ViolationKind::Assert | ViolationKind::ErrorCall);
        let violation = self.failing.run.violation().filter(is_assertion);
        let place = violation.and_then(|violation| report::place(&self.program, violation.site));
        Known::of(&self.program, place.map(|place| place.span))
    }

    /// The time that is left, at most the share of all of it; nothing if there is none.
    fn left(&self, share: f64) -> Option<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now()).min(self.time.mul_f64(share));
        let is_stopped = self.setting.interrupted.load(Ordering::Relaxed);
        (!left.is_zero() && !is_stopped).then_some(left)
    }

    fn engines(&self, violation: &Violation, say: &impl Fn(Word)) {
        let (program, recording) = (&self.program, &self.failing.recording);
        let mut encoded = match encode(program, self.setting.checks, recording, self.failing.arguments, violation) {
            Ok(encoded) => encoded,
            Err(error) => return say(Word::Note(localizing::words(program, &error))),
        };
        for engine in ENGINES {
            // Engines ask many questions; no one may take the time of all others.
            let Some(left) = self.left(ENGINE_SHARE) else {
                say(Word::Note(format!("the engine {} was not asked: no time was left", engine.name())));
                continue;
            };
            let interrupted = &self.setting.interrupted;
            let mut options = localizing::options(&self.asked, interrupted, Instant::now());
            options.time = options.time.min(left);
            options.interrupter = Interrupter::from(interrupted.clone()).until(Some(Instant::now() + left));
            say(match engines::diagnose(program, &mut encoded, engine, &options) {
                Ok(answer) => Word::Answer(answer),
                Err(error) => Word::Note(format!("{}: {error}", engine.name())),
            });
        }
    }

    fn patches(&self, violation: &Violation, say: &impl Fn(Word)) {
        let is_last = self.contracts.is_empty() && self.asked.inputs.stdin.is_none();
        let Some(left) = self.left(if is_last { PATCHES_SHARE.1 } else { PATCHES_SHARE.0 }) else {
            return say(Word::Note("no time was left to look for a patch: allow more with --timeout".to_owned()));
        };
        let limits = arguments::Limits { timeout: Some(left), ..self.asked.limits.clone() };
        let asked = Localize { limits, ..self.asked.clone() };
        match repairing::repairs(&self.program, &self.failing, violation, &asked, self.setting.clone()) {
            Ok(found) => {
                let best = found.fixes.iter().find_map(|fix| fix.checked());
                best.into_iter().for_each(|best| say(Word::Patch(best.patch.clone())));
                say(Word::Answer(ped::diagnosis(&self.program, &found, &asked.why_not)));
            }
            Err(error) => say(Word::Note(format!("no patch was looked for: {error:#}"))),
        }
    }

    /// What contracts of the functions tell that the run was in.
    fn contracts(&self, say: &impl Fn(Word)) {
        for (number, asked) in self.contracts.iter().enumerate() {
            let Some(left) = self.left(CONTRACTS_SHARE / (self.contracts.len() - number) as f64) else { return };
            let asked = Repair { timeout: Some(left), ..asked.clone() };
            match explaining_otherwise::broken(&asked, &self.flags, &self.program.sources, self.screen) {
                Ok(None) => {}
                Ok(Some((diagnosis, patch))) => {
                    patch.into_iter().for_each(|patch| say(Word::Patch(patch)));
                    say(Word::Answer(diagnosis));
                }
                Err(error) => {
                    let name = asked.function.as_deref().unwrap_or_default();
                    say(Word::Note(format!("the contract of `{name}` was not used: {error:#}")));
                }
            }
        }
    }

    /// What native runs on the given input and on others near it tell.
    fn observed(&self, say: &impl Fn(Word)) {
        let Some(left) = self.left(OBSERVED_SHARE).filter(|_| self.asked.inputs.stdin.is_some()) else { return };
        let Setting { reading, interrupted, .. } = &self.setting;
        match explaining_observed::ask(&self.program, &self.asked, &reading.flags, left, interrupted) {
            Ok(answer) => answer.into_iter().for_each(|answer| say(Word::Answer(answer))),
            Err(error) => say(Word::Note(format!("likely invariants were not asked: {error:#}"))),
        }
    }
}
