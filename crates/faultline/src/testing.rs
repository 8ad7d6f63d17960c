//! `diagnose --tests`: which tests of a folder fail, and with which of them to compare.
//!
//! A test is `NAME.in` with `NAME.out`, and with the arguments in `NAME.args` if there are any, as `repair` has it. All are run;
//! the smallest that fails is explained, unless the user names another one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use observe::detect::judge::Confirmed;
use observe::detect::{Detector, Expected, Observation, Verdict};
use observe::inputs::distance::distance;
use observe::run::ARGUMENTS;
use repair::cases::{Given, folder};
use report::Severity;

use crate::arguments_native::Diagnose;
use crate::interrupt;
use crate::native::{self, Case};
use crate::observing::Inputs;
use crate::screen::Screen;
use crate::status_line::StatusLine;

/// Good tests that are recorded, for each that is compared with.
const CANDIDATES: usize = 5;

struct Test {
    file: PathBuf,
    input: Vec<u8>,
    expected: Vec<u8>,
}

/// What is to be explained.
pub struct Tested {
    pub case: Case,
    pub failure: Confirmed,
    pub inputs: Inputs,
}

/// Runs the tests of a folder. What the user has said about the command and the failing input becomes complete.
pub fn run(arguments: &mut Diagnose, tests: &Path, screen: Screen) -> Result<Tested> {
    let (tests, have_arguments) = read(tests)?;
    let subject = &mut arguments.subject;
    if have_arguments && !subject.command.iter().any(|it| it == ARGUMENTS) {
        subject.command.push(ARGUMENTS.into());
    }
    let outputs: BTreeMap<Vec<u8>, Vec<u8>> = tests.iter().map(|it| (it.input.clone(), it.expected.clone())).collect();
    let detector = Detector::Expected(Expected::ByInput(outputs));
    let (judge, jobs) = native::judge(subject, &arguments.search, interrupt::catch(), Some(detector))?;
    let status = StatusLine::show(screen, "running tests".to_owned());
    let look = |index: usize| {
        status.set(format!("running tests: {} of {}", index + 1, tests.len()));
        judge.look(&tests[index].input)
    };
    let seen = workers::each(tests.len(), jobs, look).into_iter().collect::<Result<Vec<_>, _>>()?;
    drop(status);
    let fails = |index: &usize| matches!(seen[*index].1, Observation::Failed(_));
    let failing: Vec<usize> = (0..tests.len()).filter(fails).collect();
    let explained = match &subject.failing {
        Some(file) => named(file, &tests, &failing)?,
        None => {
            let smallest = failing.iter().copied().min_by_key(|it| (tests[*it].input.len(), *it));
            smallest.with_context(|| format!("none of the {} tests fails", tests.len()))?
        }
    };
    subject.failing = Some(tests[explained].file.clone());
    let failure = judge.confirm(&tests[explained].input)?;
    let mut near: Vec<usize> = (0..tests.len()).filter(|it| *it != explained).collect();
    near.sort_by_cached_key(|it| (distance(&tests[*it].input, &tests[explained].input), *it));
    let (mut good, mut bad) = (Vec::new(), vec![tests[explained].input.clone()]);
    for index in near {
        let (outcome, _) = &seen[index];
        match judge.verdict_of(&tests[index].input, outcome, &failure)? {
            Verdict::Good => good.push(tests[index].input.clone()),
            Verdict::Bad => bad.push(tests[index].input.clone()),
            Verdict::Invalid | Verdict::Other => {}
        }
    }
    if good.is_empty() {
        bail!("all of the {} tests fail: without one that passes, nothing can be compared", tests.len());
    }
    let wanted = arguments.near.good_inputs;
    let passed = good.len();
    good.truncate(CANDIDATES * wanted);
    bad.truncate(1 + arguments.near.bad_inputs);
    if !arguments.showing.quiet {
        let words = format!(
            "{passed} of {} tests pass, {} fail; what is explained is {}, beside {} others that fail alike",
            tests.len(),
            failing.len(),
            tests[explained].file.display(),
            bad.len() - 1
        );
        screen.message(Severity::Note, &words);
    }
    let case = Case { input: tests[explained].input.clone(), judge, jobs };
    Ok(Tested { case, failure, inputs: Inputs { good, wanted, bad, small: None } })
}

/// The tests, and whether they have arguments.
fn read(path: &Path) -> Result<(Vec<Test>, bool)> {
    let cases = folder::read(path)?;
    let has_arguments = |given: &Given| matches!(given, Given::Run { arguments, .. } if !arguments.is_empty());
    let have_arguments = cases.iter().any(|it| has_arguments(&it.given));
    let mut tests = Vec::new();
    for case in cases {
        let Given::Run { arguments, stdin, stdout } = case.given else { continue };
        let mut input = Vec::new();
        if have_arguments {
            let words = arguments.iter().map(Vec::as_slice);
            input = shlex::bytes::try_join(words)
                .with_context(|| format!("{}: a zero byte in an argument", case.origin))?;
            input.push(b'\n');
        }
        input.extend(stdin);
        tests.push(Test { file: case.origin.into(), input, expected: stdout });
    }
    Ok((tests, have_arguments))
}

/// The failing test that the user names.
fn named(file: &Path, tests: &[Test], failing: &[usize]) -> Result<usize> {
    let is_it = |test: &Test| match (test.file.canonicalize(), file.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    let found = tests.iter().position(is_it);
    let index =
        found.with_context(|| format!("{} is none of the tests: name the file with its input", file.display()))?;
    match failing.contains(&index) {
        true => Ok(index),
        false => bail!("the test {} does not fail", file.display()),
    }
}
