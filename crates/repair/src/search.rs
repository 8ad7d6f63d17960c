//! The search for a repair: from a failing test to a change that meets the specification.
//!
//! Cases are collected or generated; places that all failing cases reach are where one change can help; candidates for
//! them, those with evidence first, are compiled together and run on the cases. Who passes is verified against the
//! contract; a counterexample becomes a case, and the search goes on with those who pass it as well. Where no single
//! change helps, two are tried. Changes with the same outputs on all cases are one, told by the smallest.

mod by_tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use diagnosis::Checked;
use program::exec::Checks;
use source::Patch;
use source::annotations::Annotations;

use crate::c::PlaceKind;
use crate::candidates::{self, Candidate, Hints, NEAR, insertions, squeezed};
use crate::cases::{self, Case, Given, folder, generate, table};
use crate::command::Judge;
use crate::driver::{Driver, INPUT, Purpose, Slot};
use crate::error::Error;
use crate::instrument::{self, Instrumented, STOP};
use crate::pwp;
use crate::subject::Subject;
use crate::trial::{Ended, Trial};
use crate::verification::{Verified, Verifier};

/// Where tests come from.
#[derive(Clone, Debug)]
pub enum Tests {
    Table(PathBuf),
    Folder(PathBuf),
    /// Of a shell; it succeeds if all is well.
    Command(String),
}

#[derive(Clone, Debug)]
pub struct Options {
    pub tests: Option<Tests>,
    pub annotations: Annotations,
    pub checks: Checks,
    /// Elements of arrays in generated cases and in verification.
    pub size: u32,
    pub time: Duration,
    /// Statements that may be changed at once.
    pub changes: usize,
    /// Verified fixes after which the search ends.
    pub fixes: usize,
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// A change that helps.
#[derive(Clone, Debug)]
pub struct Fix {
    pub changes: Vec<Candidate>,
    pub patch: Patch,
    pub checked: Checked,
    /// What was checked, in words.
    pub words: String,
    /// Other changes that do the same on all cases.
    pub equivalents: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing fails, as far as these words say; for all inputs or not.
    Met {
        words: String,
        certain: bool,
    },
    Repaired,
    #[default]
    NotRepaired,
}

#[derive(Clone, Debug, Default)]
pub struct Found {
    pub answer: Answer,
    /// The failing case and how it fails.
    pub failing: Option<(String, String)>,
    pub fixes: Vec<Fix>,
    pub cases: usize,
    pub failing_cases: usize,
    pub candidates: usize,
    pub runs: u64,
    pub notes: Vec<String>,
}

/// A change with where it is in the instrumented program, and what came out.
struct Survivor {
    changes: Vec<(Candidate, (u32, u32))>,
    outputs: Vec<i32>,
}

impl Survivor {
    fn choices(&self) -> [(u32, u32); 2] {
        [self.changes[0].1, self.changes.get(1).map_or((0, 0), |it| it.1)]
    }

    fn edits(&self) -> Vec<(std::ops::Range<usize>, String)> {
        self.changes.iter().map(|(it, _)| (it.range.clone(), it.replacement.clone())).collect()
    }

    fn cost(&self) -> (u32, usize) {
        let cost = self.changes.iter().map(|(it, _)| it.cost).sum();
        (cost, self.changes.iter().map(|(it, _)| it.range.len().abs_diff(it.replacement.len())).sum())
    }
}

/// Cases: failing ones first, the selected before the rest.
const SELECTED_FAILING: usize = 24;
const SELECTED: usize = 160;
/// Steps of a run, before anything is known about the program.
const STEPS: u64 = 2_000_000;
/// Of a run of a whole program on a given test.
const PROGRAM_STEPS: u64 = 20_000_000;
/// For one run of a command.
const COMMAND_TIME: Duration = Duration::from_secs(10);
/// Failing cases whose traces are looked at for evidence.
const TRACES: usize = 3;
/// Survivors of one batch that are looked at.
const SURVIVORS: usize = 80;
/// Single changes that are combined to pairs.
const PAIRED: usize = 200;
/// For the verification of one change.
const VERIFY_EACH: Duration = Duration::from_millis(2500);

pub struct Search<'s> {
    subject: &'s Subject,
    options: &'s Options,
    verifier: Option<Verifier<'s>>,
    driver: Driver,
    cases: Vec<Case>,
    /// How many of the cases are selected; the others are for survivors only.
    selected: usize,
    failing: usize,
    deadline: Instant,
    found: Found,
    refuted: usize,
    /// Rules that count: those of the options, but for what tests break that pass.
    checks: Checks,
    /// The same but for what failing runs of the program break: a program may be wrong in more than one way.
    lenient: Checks,
    hints: Hints,
}

/// Looks for a repair.
pub fn search(subject: &Subject, options: &Options) -> Result<Found, Error> {
    search_in(subject, options).map_err(|error| blamed(error, subject))
}

/// A driver that does not compile is due to a parameter whose type is from elsewhere.
fn blamed(error: Error, subject: &Subject) -> Error {
    let Error::Frontend(frontend::Error::Compile { message, .. }) = &error else { return error };
    let is_it = |it: &&crate::c::Variable| message.contains(&format!("{INPUT}{}", it.name));
    match subject.function.parameters.iter().find(is_it) {
        Some(parameter) => Error::Parameter {
            function: subject.function.name.clone(),
            parameter: parameter.name.clone(),
            reason: format!("`{}` is neither a number nor a structure of this file", parameter.words),
        },
        None => error,
    }
}

fn search_in(subject: &Subject, options: &Options) -> Result<Found, Error> {
    let of_program = matches!(options.tests, Some(Tests::Folder(_)));
    if !of_program && options.tests.is_none() && subject.contract.is_none() {
        return Err(Error::NothingToMeet(subject.function.name.clone()));
    }
    if let Some(Tests::Command(command)) = &options.tests {
        return by_command(subject, options, command);
    }
    let driver = if of_program { Driver::of_program(subject) } else { Driver::new(subject, Purpose::Tests)? };
    let has_promise = subject.contract.as_ref().is_some_and(|it| !it.ensures.is_empty() || it.assigns.is_some());
    let verifier = match has_promise && !of_program {
        true => match Verifier::new(subject, options.size, options.checks, options.interrupt.clone()) {
            Ok(verifier) => Some(verifier),
            Err(error) if options.tests.is_none() => return Err(error),
            Err(_) => None,
        },
        false => None,
    };
    let found = Found::default();
    let deadline = Instant::now() + options.time;
    let search = Search {
        subject,
        options,
        verifier,
        driver,
        cases: Vec::new(),
        selected: 0,
        failing: 0,
        deadline,
        found,
        refuted: 0,
        checks: options.checks,
        lenient: options.checks,
        hints: Hints::default(),
    };
    search.run()
}

/// Changes one by one, judged by a command.
fn by_command(subject: &Subject, options: &Options, command: &str) -> Result<Found, Error> {
    let deadline = Instant::now() + options.time;
    let judge = Judge::new(subject, command, COMMAND_TIME.min(options.time), options.interrupt.clone())?;
    let mut found = Found { cases: 1, ..Found::default() };
    if judge.passes(&[])? {
        let words = format!("`{command}` succeeds");
        return Ok(Found { answer: Answer::Met { words, certain: true }, ..found });
    }
    found.failing = Some((format!("`{command}`"), "the command does not succeed".to_owned()));
    found.failing_cases = 1;
    let stopped = || options.interrupt.as_ref().is_some_and(|it| it.load(Ordering::Relaxed));
    let mut all = candidates::all(&subject.function, subject.text(), &options.annotations, &Hints::default());
    all.extend(candidates::alone(&subject.function, subject.text(), &Hints::default()));
    all.extend(insertions::all(&subject.function, subject.text()));
    all.sort_by_key(|it| it.cost);
    for candidate in all {
        if stopped() || Instant::now() >= deadline {
            found.notes.push("the time is up: there may be more, see --timeout".to_owned());
            break;
        }
        let edits = vec![(candidate.range.clone(), candidate.replacement.clone())];
        found.candidates += 1;
        found.runs += 1;
        if judge.passes(&edits)? {
            let (patch, words) = (subject.patch(&edits)?, format!("`{command}` succeeds"));
            found.fixes.push(Fix { changes: vec![candidate], patch, checked: Checked::Tests, words, equivalents: 0 });
            found.answer = Answer::Repaired;
            break;
        }
    }
    Ok(found)
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        let stopped = self.options.interrupt.as_ref().is_some_and(|it| it.load(Ordering::Relaxed));
        stopped || Instant::now() >= self.deadline
    }

    fn run(mut self) -> Result<Found, Error> {
        let given = self.collect()?;
        let base = instrument::instrument(self.subject, &self.driver, Vec::new())?;
        self.classify(&base, given);
        if self.failing == 0 {
            match self.confirm()? {
                Some(case) => self.add_failing(&base, case),
                None => return Ok(self.found),
            }
        }
        let places = self.reached(&base);
        let (function, text) = (&self.subject.function, self.subject.text());
        let is_reached = |it: &Candidate| places.contains(&it.place);
        let mut all = candidates::all(function, text, &self.options.annotations, &self.hints);
        all.retain(is_reached);
        let all = self.with_evidence(&base, all);
        let mut added = insertions::all(function, text);
        added.retain(is_reached);
        let (near, far): (Vec<Candidate>, Vec<Candidate>) = all.into_iter().partition(|it| it.cost <= NEAR);
        let mut partial: Vec<Candidate> = Vec::new();
        if self.verifier.is_none() {
            self.by_tests(&base, [near, far, added], &mut partial)?;
        } else {
            for batch in [near, far, added] {
                if self.is_over() || self.is_enough() {
                    break;
                }
                self.try_batch(batch, &mut partial)?;
            }
            let alone = candidates::alone(function, text, &self.hints);
            self.one_by_one(alone, |search, candidate, outputs, trial| {
                search.settle(vec![Survivor { changes: vec![(candidate, (0, 0))], outputs }], trial);
            })?;
        }
        if self.found.fixes.is_empty() && self.options.changes > 1 && !self.is_over() {
            self.try_pairs(partial)?;
        }
        if self.is_over() {
            self.found.notes.push("the time is up: there may be more, see --timeout".to_owned());
        }
        self.finish()
    }

    fn is_enough(&self) -> bool {
        self.found.fixes.iter().filter(|it| it.checked > Checked::Tests).count() > 0
            || (self.verifier.is_none() && !self.found.fixes.is_empty())
    }

    /// The given cases, or those that the specification gives.
    fn collect(&mut self) -> Result<Vec<Case>, Error> {
        let slots = &self.driver.slots;
        let cases = match &self.options.tests {
            Some(Tests::Table(path)) => table::read(path, slots, &result_slot(self.subject))?,
            Some(Tests::Folder(path)) => folder::read(path)?,
            Some(Tests::Command(_)) | None => {
                let verifier = self.verifier.as_ref().expect("a contract, or tests");
                generate::generate(self.subject, verifier, self.options.checks)?
            }
        };
        if self.options.tests.is_some() {
            cases::check_consistent(&cases)?;
        }
        Ok(cases)
    }

    /// Sorts cases: some that fail, some that pass, then the rest.
    fn classify(&mut self, base: &Instrumented, given: Vec<Case>) {
        self.take_off(base, &given);
        let mut trial = Trial::new(&base.program, &self.driver.slots, self.checks, self.first_limit());
        let (mut failing, mut passing, mut broken) = (Vec::new(), Vec::new(), Vec::new());
        for case in given {
            match trial.run(&case, [(0, 0); 2]) {
                Ended::Failed(why) => {
                    self.hints.add(&case, trial.broken);
                    broken.extend(trial.broken.filter(|_| matches!(case.given, Given::Run { .. })));
                    failing.push((case, why));
                }
                Ended::Passed(_) => passing.push(case),
                Ended::Void | Ended::Reached => {}
            }
        }
        self.found.runs += trial.runs;
        self.lenient = broken.into_iter().fold(self.checks, Checks::without);
        self.found.cases = failing.len() + passing.len();
        self.found.failing_cases = failing.len();
        if let Some((case, why)) = failing.first() {
            self.found.failing = Some((case.shown(&self.driver.slots), why.clone()));
        }
        let (chosen, others) = spread(failing.into_iter().map(|it| it.0).collect(), SELECTED_FAILING);
        self.failing = chosen.len();
        let wanted = if self.options.tests.is_some() { usize::MAX } else { SELECTED };
        let (passing, rest) = spread(passing, wanted);
        self.cases = chosen;
        self.cases.extend(passing);
        self.selected = self.cases.len();
        self.cases.extend(others);
        self.cases.extend(rest);
        if self.options.tests.is_some() {
            self.selected = self.cases.len();
        }
    }

    /// Steps of a run before anything is known.
    fn first_limit(&self) -> u64 {
        match &self.options.tests {
            Some(Tests::Folder(_)) => PROGRAM_STEPS,
            Some(_) => STEPS,
            None => 20_000,
        }
    }

    /// Nothing fails in the cases: is the contract met? A counterexample if not.
    fn confirm(&mut self) -> Result<Option<Case>, Error> {
        let tests = format!("all {} tests pass", self.found.cases);
        let Some(verifier) = &self.verifier else {
            self.found.answer = Answer::Met { words: tests, certain: true };
            return Ok(None);
        };
        match verifier.verify(&[], self.deadline.saturating_duration_since(Instant::now())) {
            Verified::Fails(case) => Ok(Some(*case)),
            Verified::Unknown(why) => {
                let words = format!("{tests}; it was not verified: {why}");
                self.found.answer = Answer::Met { words, certain: false };
                Ok(None)
            }
            known => {
                let certain = matches!(known, Verified::Proved { .. });
                self.found.answer = Answer::Met { words: words(&known), certain };
                Ok(None)
            }
        }
    }

    /// A new case that counts from now on.
    fn add_failing(&mut self, base: &Instrumented, case: Case) {
        let mut trial = Trial::new(&base.program, &self.driver.slots, self.checks, STEPS);
        if let Ended::Failed(why) = trial.run(&case, [(0, 0); 2]) {
            if self.found.failing.is_none() {
                self.found.failing = Some((case.shown(&self.driver.slots), why));
            }
            self.found.failing_cases += 1;
            self.failing += 1;
        }
        self.found.cases += 1;
        self.selected += 1;
        self.cases.insert(0, case);
    }

    /// Places that every failing case reaches.
    fn reached(&mut self, base: &Instrumented) -> Vec<usize> {
        let mut trial = Trial::new(&base.program, &self.driver.slots, self.checks, 20_000);
        let reaches = |trial: &mut Trial<'_>, place: usize| {
            let stop = (place as u32 + 1, STOP);
            self.cases[..self.failing].iter().all(|case| trial.run(case, [stop, (0, 0)]) == Ended::Reached)
        };
        let places = self.subject.function.places.iter().enumerate();
        let reached = places
            .filter(|(index, place)| place.is_declaration() || reaches(&mut trial, *index))
            .map(|it| it.0)
            .collect();
        self.found.runs += trial.runs;
        reached
    }

    /// Candidates that evidence speaks for come first, in the order of the evidence.
    fn with_evidence(&mut self, base: &Instrumented, mut all: Vec<Candidate>) -> Vec<Candidate> {
        let Some(contract) = &self.subject.contract else { return all };
        let (function, text) = (&self.subject.function, self.subject.text());
        let mut trial = Trial::new(&base.program, &self.driver.slots, self.checks, 20_000);
        let mut suggested: Vec<Candidate> = Vec::new();
        for case in self.cases[..self.failing].iter().take(TRACES) {
            let called = pwp::Called { function, outline: &self.subject.outline, text };
            let Some(failing) = pwp::Failing::new(&called, contract, &self.driver.slots, case) else { continue };
            // The executor says what a program means: the trace must go where its run goes.
            let agrees = |place: usize| {
                let reached = trial.run(case, [(place as u32 + 1, STOP), (0, 0)]) == Ended::Reached;
                reached == failing.trace.steps.iter().any(|it| it.place == Some(place))
            };
            let is_return = |place: &usize| {
                function.places[*place].kind == PlaceKind::Return || function.places[*place].is_declaration()
            };
            if !(0..function.places.len()).filter(|it| !is_return(it)).all(agrees) {
                continue;
            }
            for change in failing.modifications(function, text) {
                let candidate =
                    candidates::suggested(function, change.place, change.range, &change.replacement, text, change.why);
                let is_new =
                    |it: &Candidate| !suggested.iter().any(|known| (known.place, &known.text) == (it.place, &it.text));
                suggested.extend(candidate.filter(is_new));
            }
        }
        for (order, candidate) in suggested.iter_mut().enumerate() {
            let same = |it: &Candidate| it.place == candidate.place && squeezed(&it.text) == squeezed(&candidate.text);
            let known = all.iter().position(same).map(|position| all.remove(position));
            candidate.cost = known.map_or(90, |it| it.cost.saturating_sub(25)) + (order as u32 / 40).min(15);
        }
        all.extend(suggested);
        all.sort_by_key(|it| (it.cost, it.place));
        self.found.runs += trial.runs;
        all
    }

    /// Compiles candidates and tries them all.
    fn try_batch(&mut self, batch: Vec<Candidate>, partial: &mut Vec<Candidate>) -> Result<(), Error> {
        let compiled = instrument::instrument(self.subject, &self.driver, batch)?;
        self.found.candidates += compiled.candidates.len();
        let slots = self.driver.slots.clone();
        let mut trial = Trial::new(&compiled.program, &slots, self.checks, 20_000);
        trial.steps = self.step_limit(&mut trial);
        let mut survivors: Vec<Survivor> = Vec::new();
        for (candidate, number) in &compiled.candidates {
            if self.is_over() || survivors.len() >= SURVIVORS {
                break;
            }
            let choices = [*number, (0, 0)];
            match trial.passes(&self.cases[..self.selected], choices, self.deadline) {
                Some(outputs) => survivors.push(Survivor { changes: vec![(candidate.clone(), *number)], outputs }),
                None => {
                    let helped = |case: &Case| matches!(trial.run(case, choices), Ended::Passed(_));
                    if partial.len() < 4 * PAIRED && self.cases[..self.failing].iter().take(6).any(helped) {
                        partial.push(candidate.clone());
                    }
                }
            }
        }
        self.settle(survivors, &mut trial);
        self.found.runs += trial.runs;
        Ok(())
    }

    /// Changes that are compiled one by one; `passed` is told of each that passes, while its program is at hand.
    fn one_by_one(
        &mut self,
        all: Vec<Candidate>,
        mut passed: impl FnMut(&mut Self, Candidate, Vec<i32>, &mut Trial<'_>),
    ) -> Result<(), Error> {
        let slots = self.driver.slots.clone();
        for candidate in all {
            if self.is_over() || self.is_enough() {
                break;
            }
            let edits = [(candidate.range.clone(), candidate.replacement.clone())];
            let Some(program) = instrument::changed(self.subject, &self.driver, &edits)? else { continue };
            self.found.candidates += 1;
            let mut trial = Trial::new(&program, &slots, self.checks, 20_000);
            trial.steps = self.step_limit(&mut trial);
            if let Some(outputs) = trial.passes(&self.cases[..self.selected], [(0, 0); 2], self.deadline) {
                passed(self, candidate, outputs, &mut trial);
            }
            self.found.runs += trial.runs;
        }
        Ok(())
    }

    fn step_limit(&self, trial: &mut Trial<'_>) -> u64 {
        let sample = &self.cases[..self.selected];
        trial.steps = self.first_limit();
        let longest = trial.longest(sample) * 12;
        let sizes = sample.iter().map(|case| match &case.given {
            Given::Run { stdin, .. } => 300_000 + 300 * stdin.len() as u64,
            Given::Call { .. } => 2_000,
        });
        longest.clamp(sizes.max().unwrap_or(2_000).min(PROGRAM_STEPS), PROGRAM_STEPS)
    }

    /// Two changes at different places.
    fn try_pairs(&mut self, partial: Vec<Candidate>) -> Result<(), Error> {
        // A pair may also change what only some failing cases reach.
        let annotations = &self.options.annotations;
        let all = candidates::all(&self.subject.function, self.subject.text(), annotations, &self.hints);
        let near = all.into_iter().filter(|it| it.cost < 96);
        let mut wanted: Vec<Candidate> = partial.into_iter().take(PAIRED).collect();
        wanted.extend(near.take(PAIRED));
        let compiled = instrument::instrument(self.subject, &self.driver, wanted)?;
        let slots = self.driver.slots.clone();
        let mut trial = Trial::new(&compiled.program, &slots, self.checks, 20_000);
        trial.steps = self.step_limit(&mut trial);
        let mut survivors: Vec<Survivor> = Vec::new();
        let all = &compiled.candidates;
        'all: for (index, one) in all.iter().enumerate() {
            for other in all[..index].iter().filter(|it| it.0.place != one.0.place) {
                if self.is_over() || survivors.len() >= SURVIVORS {
                    break 'all;
                }
                self.found.candidates += 1;
                let choices = [one.1, other.1];
                if let Some(outputs) = trial.passes(&self.cases[..self.selected], choices, self.deadline) {
                    survivors.push(Survivor { changes: vec![one.clone(), other.clone()], outputs });
                }
            }
        }
        self.settle(survivors, &mut trial);
        self.found.runs += trial.runs;
        Ok(())
    }

    /// Verifies who is left, the closest change first; counterexamples are cases for the others.
    fn settle(&mut self, mut survivors: Vec<Survivor>, trial: &mut Trial<'_>) {
        survivors.sort_by_key(Survivor::cost);
        let rest: Vec<Case> = self.cases[self.selected..].to_vec();
        // What came out of verified changes, and which fix they are.
        let mut known: Vec<(Vec<i32>, usize)> = Vec::new();
        let mut refuting: Vec<Case> = Vec::new();
        for mut survivor in survivors {
            if self.is_over() {
                break;
            }
            let Some(more) = trial.passes(&rest, survivor.choices(), self.deadline) else { continue };
            if trial.passes(&refuting, survivor.choices(), self.deadline).is_none() {
                continue;
            }
            survivor.outputs.extend(more);
            if let Some((_, fix)) = known.iter().find(|it| it.0 == survivor.outputs) {
                self.found.fixes[*fix].equivalents += 1;
                continue;
            }
            let enough = self.found.fixes.iter().filter(|it| it.checked > Checked::Tests || self.verifier.is_none());
            if enough.count() >= self.options.fixes {
                continue;
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            let verified = self.verifier.as_ref().map(|it| it.verify(&survivor.edits(), VERIFY_EACH.min(left)));
            if let Some(Verified::Fails(case)) = verified {
                self.refuted += 1;
                refuting.push(*case);
                continue;
            }
            if let Some(fix) = self.fix(&survivor, verified) {
                if fix.checked > Checked::Tests || self.verifier.is_none() {
                    known.push((survivor.outputs, self.found.fixes.len()));
                }
                self.found.fixes.push(fix);
            }
        }
        // They tell the changes of later batches apart as well.
        self.found.cases += refuting.len();
        self.selected += refuting.len();
        self.cases.splice(self.failing..self.failing, refuting);
    }

    fn fix(&self, survivor: &Survivor, verified: Option<Verified>) -> Option<Fix> {
        let patch = self.subject.patch(&survivor.edits()).ok()?;
        let tests = format!("all {} tests pass", self.found.cases);
        let (checked, words) = match &verified {
            Some(known @ Verified::Proved { arrays: false, .. }) => (Checked::Proved, words(known)),
            Some(known @ (Verified::Proved { .. } | Verified::Bounded { .. })) => (Checked::Bounded, words(known)),
            Some(Verified::Unknown(why)) => (Checked::Tests, format!("{tests}; it was not verified: {why}")),
            Some(Verified::Fails(_)) => return None,
            None => (Checked::Tests, tests),
        };
        let changes = survivor.changes.iter().map(|it| it.0.clone()).collect();
        Some(Fix { changes, patch, checked, words, equivalents: 0 })
    }

    fn finish(mut self) -> Result<Found, Error> {
        self.found.fixes.sort_by_key(|it| std::cmp::Reverse(it.checked));
        if self.refuted > 0 {
            let words = format!("{} changes passed the tests and were refuted by the model checker", self.refuted);
            self.found.notes.push(words);
        }
        self.found.answer = if self.found.fixes.is_empty() { Answer::NotRepaired } else { Answer::Repaired };
        Ok(self.found)
    }
}

/// A part of the cases, evenly spread, and the others.
fn spread(cases: Vec<Case>, wanted: usize) -> (Vec<Case>, Vec<Case>) {
    let count = cases.len();
    if count <= wanted {
        return (cases, Vec::new());
    }
    let (mut chosen, mut others) = (Vec::new(), Vec::new());
    for (index, case) in cases.into_iter().enumerate() {
        let is_chosen = index * wanted / count != (index + 1) * wanted / count;
        if is_chosen { chosen.push(case) } else { others.push(case) }
    }
    (chosen, others)
}

fn words(verified: &Verified) -> String {
    match verified {
        Verified::Proved { arrays: false, .. } => "proved for all inputs".to_owned(),
        Verified::Proved { size, .. } => format!("proved for all inputs with arrays of up to {size} elements"),
        Verified::Bounded { size, bound } => {
            format!("no failure for arrays of up to {size} elements while no loop goes back more than {bound} times")
        }
        Verified::Fails(_) => "it fails".to_owned(),
        Verified::Unknown(why) => why.clone(),
    }
}

/// What the function returns, for numbers in tables.
fn result_slot(subject: &Subject) -> Slot {
    Slot::new("result", &subject.function.words, false)
}
