//! The engine `ped` on programs with a known fault.
//!
//! Programs under `tests/programs/ped/` say in a comment on the faulty line how the line should read: the first fix
//! must be that, checked. `PED_PROGRAM=name cargo test` shows what is found in one of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use localize::ped::fixes::WHOLE;
use localize::ped::{
    self, Configuration, Judgement, Options, Proposal, Repairs, Run, Specification, Validator, proofs, traces,
};
use program::Program;
use program::exec::{Checks, CommandRef, Discard, Limits};
use repair::validation::{FailingRun, Outcome, Setting, Trials};
use source::Patch;
use verify::bmc;
use verify::encode::recording::{Entry, Recording, record};

/// Patches that are tried for one program.
const TRIES: usize = 8;

struct Recheck<'p> {
    program: &'p Program,
    trials: Trials<'p>,
}

impl Validator for Recheck<'_> {
    fn try_out(&mut self, proposal: &Proposal) -> Result<u64, Judgement> {
        let conduct = match proposal.applied(self.program) {
            Some(changed) => self.trials.try_changed(&changed),
            None => self.trials.try_out(&proposal.patch),
        };
        Ok((conduct.map_err(judgement)?.value() * WHOLE as f64).round() as u64)
    }

    fn judge(&mut self, patch: &Patch) -> Judgement {
        judgement(self.trials.verify(patch))
    }
}

fn judgement(outcome: Outcome) -> Judgement {
    match outcome {
        Outcome::Proved => Judgement::Proved,
        Outcome::Bounded(bound) => Judgement::Bounded(bound),
        Outcome::Passes => Judgement::Passes,
        Outcome::Fails(why) | Outcome::DoesNotCompile(why) => Judgement::Broken(why),
        Outcome::Unknown(why) => Judgement::Unknown(why),
    }
}

/// What was found in a program.
struct Case {
    program: Program,
    repairs: Repairs,
}

impl Case {
    /// Looks for fixes; `change` adjusts the options of the configuration.
    fn new(file: &Path, configuration: Configuration, tries: usize, change: impl FnOnce(&mut Options)) -> Case {
        let reading = frontend::Options { files: vec![file.to_owned()], ..Default::default() };
        let program = frontend::read(&reading).unwrap_or_else(|error| panic!("{error}"));
        let checks = Checks::default();
        let search = bmc::Options { time: Some(Duration::from_secs(30)), ..Default::default() };
        let report = bmc::check(&program, &search);
        let failure = report.failures.first().unwrap_or_else(|| panic!("{}: {:?}", file.display(), report.verdict));
        let inputs = failure.run.replay();
        let (_, recording) = record(&program, &inputs, &Limits::default(), checks, &mut Discard);
        let mut options = Options { time: Duration::from_secs(60), ..Options::new(configuration) };
        change(&mut options);
        let others = match options.intersection {
            true => traces::others(&program, checks, &recording, &failure.violation, &search, 2, 6),
            false => Vec::new(),
        };
        let first = Run { recording: &recording, violation: &failure.violation, arguments: 1 };
        let others = others.iter().map(|it| Run { recording: &it.recording, violation: &it.violation, arguments: 1 });
        let runs: Vec<Run<'_>> = std::iter::once(first).chain(others).collect();
        let specification = match options.invariants {
            true => proofs::specification(&program, checks, &commands(&recording)).0,
            false => Specification::default(),
        };
        let mut repairs = ped::repairs(&program, checks, &runs, &specification, &options)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let bound = report.statistics.bound.max(8);
        let failing = FailingRun::new(inputs, failure.run.steps);
        let setting = Setting { reading, checks, failing, bound, time: Duration::from_secs(30), interrupt: None };
        ped::validate(
            &mut repairs.fixes,
            &mut Recheck { program: &program, trials: Trials::new(&program, setting) },
            tries,
            options.ranking,
        );
        Case { program, repairs }
    }

    /// The line that a statement comes from.
    fn line(&self, statement: usize) -> u32 {
        let encoded = &self.repairs.encoded;
        let place = encoded.places.get(encoded.trace.statements[statement].origin);
        place.and_then(|place| self.program.place(place.site)).map_or(0, |place| place.position.line)
    }

    /// The lines of each fix.
    fn lines(&self) -> BTreeSet<Vec<u32>> {
        let lines = |fix: &ped::Fix| fix.statements.iter().map(|&it| self.line(it)).collect();
        self.repairs.fixes.iter().map(lines).collect()
    }

    /// What the first fix writes, by its line.
    fn first_patch(&self) -> Option<(u32, String)> {
        let patch = &self.repairs.fixes.first()?.checked()?.patch;
        let edit = patch.edits().first()?;
        let text = patch.apply(&self.program.sources, edit.span.file).ok()?;
        let line = text.lines().nth(edit.span.start.line as usize - 1)?;
        Some((edit.span.start.line, line.split("//").next().unwrap_or_default().trim().to_owned()))
    }

    fn describe(&self) -> String {
        let mut text = format!("{} steps, notes {:?}\n", self.repairs.steps, self.repairs.notes);
        for fix in &self.repairs.fixes {
            let lines: Vec<u32> = fix.statements.iter().map(|&it| self.line(it)).collect();
            text.push_str(&format!("lines {lines:?}, {} of {} steps skipped\n", fix.skipped, fix.steps));
            for it in &fix.proposals {
                let (words, conduct) = (it.words.join(", "), it.conduct);
                text.push_str(&format!("    {words} ({}, conduct {conduct:?}) {:?}\n", it.weight, it.judgement));
            }
        }
        text
    }
}

/// The commands that a run executes.
fn commands(recording: &Recording) -> BTreeSet<CommandRef> {
    let steps = recording.entries.iter().filter_map(|entry| match entry {
        Entry::Step(step) => Some(step.at),
        Entry::Changed(_) => None,
    });
    steps.collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/ped")
}

/// The expected fix: its line, and how that line should read.
fn expected(file: &Path) -> (u32, String) {
    let text = std::fs::read_to_string(file).expect("a test program can be read");
    let fixes = (1..).zip(text.lines()).filter_map(|(line, text)| Some((line, text.split_once("// fix: ")?.1.trim())));
    let [(line, fix)] = fixes.collect::<Vec<_>>()[..] else { panic!("{} has one expected fix", file.display()) };
    (line, fix.to_owned())
}

#[test]
fn the_first_fix_is_the_expected_one() {
    let only = std::env::var("PED_PROGRAM").ok();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|it| only.as_ref().is_none_or(|name| it.file_stem().is_some_and(|stem| stem == name.as_str())));
    files.sort();
    assert!(only.is_some() || files.len() >= 11);
    let mut wrong = Vec::new();
    for file in files {
        let case = Case::new(&file, Configuration::Correlated, TRIES, |_| {});
        let (found, wanted) = (case.first_patch(), expected(&file));
        if only.is_some() {
            println!("{}", case.describe());
        }
        if found.as_ref() != Some(&wanted) {
            wrong.push(format!("{}: {found:?} is not {wanted:?}\n{}", file.display(), case.describe()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Figures 2 and 3: 23 steps; without a specification `i = 0` is among the suspects, with any value.
#[test]
fn the_papers_first_example() {
    let file = folder().join("sum_of_array.c");
    let default = Case::new(&file, Configuration::Default, 0, |_| {});
    assert_eq!(default.repairs.steps, 23, "{}", default.describe());
    assert!(default.lines().contains(&vec![5]), "{}", default.describe());
    // Each of eleven tests and ten increments by itself, `i = 0`, the argument `10`, the pointer, the access.
    assert_eq!(default.repairs.fixes.len(), 25, "{}", default.describe());
    // Each place once, before any of them comes again in another round.
    let places: Vec<_> = default.repairs.fixes.iter().map(|fix| &fix.keys).collect();
    let different = places.iter().collect::<BTreeSet<_>>().len();
    assert_eq!(places[..different].iter().collect::<BTreeSet<_>>().len(), different, "{}", default.describe());
    let correlated = Case::new(&file, Configuration::Correlated, 1, |_| {});
    assert_eq!(correlated.repairs.fixes.len(), 6, "{}", correlated.describe());
    let first = &correlated.repairs.fixes[0].proposals[0];
    assert_eq!((first.words[0].as_str(), first.judgement.clone()), ("`<=` becomes `<`", Some(Judgement::Proved)));
}

fn temporary(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("a file can be written there");
    (folder, file)
}

/// §4.4: each trace alone blames two places, both together only the first.
const TWO_TRACES: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    x = 0;
    if (__VERIFIER_nondet_int() != 0) {
        x = x + 2;
    } else {
        x = x + 3;
    }
    if (x > 1)
        reach_error();
    return 0;
}
";

#[test]
fn several_traces_narrow_the_fixes_down() {
    let (_folder, file) = temporary(TWO_TRACES);
    let assignments = |case: &Case| case.lines().into_iter().filter(|it| it[0] < 12).collect::<Vec<_>>();
    let alone = Case::new(&file, Configuration::Correlated, 0, |options| options.intersection = false);
    let found = assignments(&alone);
    assert!(
        found.contains(&vec![6]) && (found.contains(&vec![8]) || found.contains(&vec![10])),
        "{}",
        alone.describe()
    );
    let together = Case::new(&file, Configuration::Correlated, 0, |_| {});
    assert_eq!(assignments(&together), [vec![6]], "{}", together.describe());
}

/// The lines of the fixes in a program.
fn lines(text: &str, change: &dyn Fn(&mut Options)) -> BTreeSet<Vec<u32>> {
    let (_folder, file) = temporary(text);
    Case::new(&file, Configuration::Default, 0, change).lines()
}

#[test]
fn the_number_of_changes_is_bounded() {
    let text =
        "int main(void)\n{\n    int t[4];\n    int i = 8;\n    int j = 8;\n    t[i | j] = 0;\n    return 0;\n}\n";
    let found = lines(text, &|_| {});
    assert!(found.contains(&vec![4, 5]) && found.iter().all(|it| it.len() == 2), "{found:?}");
    assert!(lines(text, &|options| options.changes = Some(1)).is_empty());
}

#[test]
fn a_use_and_its_definition_are_not_both_changed() {
    let text =
        "int main(void)\n{\n    int t[4];\n    int i = 8;\n    int j = i + 8;\n    t[i | j] = 0;\n    return 0;\n}\n";
    // An alternative in the use still uses the definition: only free results are meant.
    let free = |options: &mut Options| {
        options.annotations.operators.clear();
        options.annotations.constants.clear();
        options.annotations.same_type = 0;
    };
    assert!(lines(text, &free).contains(&vec![4, 5]));
    let apart = |options: &mut Options| {
        free(options);
        options.use_def = true;
    };
    assert!(!lines(text, &apart).contains(&vec![4, 5]));
}

/// What was checked on the way must hold: an index below the array is no repair.
#[test]
fn invariants_exclude_other_failures() {
    let file = folder().join("sum_of_array.c");
    let values = |configuration: Configuration| {
        let case = Case::new(&file, configuration, 0, |_| {});
        let fix =
            case.repairs.fixes.iter().find(|fix| fix.values.len() == 1 && case.line(fix.statements[0]) == 5).cloned();
        let value = fix.and_then(|fix| fix.values[0].1.as_bit_vector().and_then(|it| it.to_u64())).expect("`i = 0`");
        value as u32 as i32
    };
    assert!(values(Configuration::Correlated) < 0);
    assert!(values(Configuration::Invariants) >= 0);
}

/// The proof that no index is negative needs `i = 0`: it is trusted, and the loop's test is not.
#[test]
fn what_a_proof_needs_is_trusted() {
    let case = Case::new(&folder().join("sum_of_array.c"), Configuration::Trusted, 1, |_| {});
    let is_start = |fix: &ped::Fix| fix.values.len() == 1 && case.line(fix.statements[0]) == 5;
    assert!(!case.repairs.specification.trusted.is_empty());
    assert!(!case.repairs.fixes.iter().any(is_start), "{}", case.describe());
    let cleared = ped::diagnosis(&case.program, &case.repairs, &[5]).cleared;
    let trusted = |it: &diagnosis::Evidence| it.message.starts_with("trusted: needed for the proof of the lower bound");
    assert!(cleared.iter().any(trusted), "{cleared:?}");
    assert!(ped::diagnosis(&case.program, &case.repairs, &[]).cleared.is_empty());
    assert_eq!(case.repairs.fixes[0].proposals[0].words, ["`<=` becomes `<`"], "{}", case.describe());
}
