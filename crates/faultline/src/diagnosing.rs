//! `faultline diagnose`: from one failing input of an observed program to a handful of its expressions.
//!
//! The order of the paper: inputs near the failing one; good runs give invariants; the failing run breaks some; the slice of
//! its symptom, the dependence filter and further failing inputs leave few. Spectra come from the same runs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use diagnosis::{Diagnosis, ExplainedInput};
use localize::likely_invariants::{self, Candidates, FailingRun, Memory, Reason, Seen, Stage};
use localize::observed::{self, Findings, Spectra};
use localize::spectrum::{lines, tcm};
use observe::detect::Frame as Called;
use observe::detect::judge::{self, Confirmed};
use observe::inputs::folder::{Folder, SMALL};
use observe::record::Recorder;
use observe::recording::Invariants;
use observe::slicing::{Criterion, SourceLine};
use report::json::Surroundings;
use report::{Finding, Frame, Mark, Place, Report, Severity, formats, suspects, terminal};
use source::Sources;

use crate::advising::{self, Known, Planned};
use crate::arguments_native::Diagnose;
use crate::generating::{self, Work};
use crate::native::{self, Case};
use crate::observing::{self, Inputs, Runs};
use crate::rehearsing::{Rehearsed, rehearse};
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, output, testing};

/// Lines in the answer without `--verbose`.
const ANSWER: usize = 10;
/// For each good input that is compared with, so many more are made to choose from.
const SPARE: usize = 4;
/// Calls that may have made memory, with those of a program's own functions for that.
const MAKERS: usize = 3;

pub fn run(arguments: &Diagnose, screen: Screen) -> Result<Ending> {
    let started = Instant::now();
    let criterion = arguments.symptom.as_deref().map(parse_symptom).transpose()?;
    let mut arguments = arguments.clone();
    let (case, failure, tests) = match arguments.tests.clone() {
        Some(tests) => {
            let testing::Tested { case, failure, inputs } = testing::run(&mut arguments, &tests, screen)?;
            (case, failure, Some(inputs))
        }
        None => {
            if let (Some(bad), Some(expected)) = (&arguments.bad, &arguments.subject.expected) {
                bail!(
                    "{} tells what the program should print on the failing input, and nothing about those of {}: leave out --bad, \
                     or give tests with what should be printed on each (--tests DIR)",
                    expected.display(),
                    bad.display()
                );
            }
            let (case, failure) = native::case(&arguments.subject, &arguments.search, arguments.good.is_some())?;
            (case, failure, None)
        }
    };
    let arguments = &arguments;
    let recorder = Recorder::new(&case.judge, &failure)?;
    // Before anything that takes long: is there something to observe, and is it still the same failure?
    let Rehearsed { sites, cost } = rehearse(&recorder, &failure, &case.input)?;
    let given = tests.map_or_else(|| given(arguments, &case), |it| Ok(Some(it)))?;
    if !arguments.showing.quiet {
        announce(arguments, &failure, &case, given.as_ref(), cost, screen);
    }
    let work = Work { case: &case, failure: &failure, search: &arguments.search, near: &arguments.near, screen };
    let inputs = match given.map_or_else(|| inputs(arguments, &work), |it| Ok(Ok(it)))? {
        Ok(inputs) => inputs,
        Err(why) => {
            screen.message(Severity::Inconclusive, &why);
            return Ok(Ending::Inconclusive);
        }
    };
    let criterion = criterion.unwrap_or_else(|| symptom(&failure));
    let status = StatusLine::show(screen, "recording".to_owned());
    let is_given = arguments.good.is_some() || arguments.tests.is_some();
    let more = |good: &[u8], length: usize, wanted: usize| match is_given {
        false => work.near_good(good, length, wanted),
        true => Ok(Vec::new()),
    };
    let observing = observing::Observing {
        recorder: &recorder,
        criterion: &criterion,
        failure: &failure.symptom.message,
        jobs: case.jobs,
        status: &status,
        more: &more,
    };
    let recorded = observing.record(sites, &inputs);
    status.set("comparing".to_owned());
    let runs = recorded?;
    // The answer is about the run that is explained.
    let shown = match runs.failing_input == case.input {
        true => failure.clone(),
        false => case.judge.shown_by(&runs.failing_input, &failure)?,
    };
    let training = likely_invariants::train(&runs.good);
    let ends_there = !matches!(criterion, Criterion::Call(_));
    let mut told = match shown.symptom.message.contains("Sanitizer") {
        true => case.judge.symbolized(&runs.failing_input)?,
        false => Default::default(),
    };
    if told.stack.is_empty() {
        told.stack = shown.symptom.frames.clone();
    }
    let memory = memory(&told);
    let failing = runs.bad.iter().map(|(observed, slice)| FailingRun {
        observed,
        slice: slice.as_ref(),
        ends_there,
        memory: &memory,
    });
    let failing: Vec<FailingRun<'_>> = failing.collect();
    let mut candidates = likely_invariants::diagnose(&runs.sites, &training, &failing);
    // Where a run crashed, what is left after all steps is near enough; but where memory was freed, neither that nor its use need be
    // wrong.
    let only_freed = runs.bad.first().and_then(|it| it.1.as_ref()).is_some_and(|it| !it.freed.is_empty())
        && !candidates.have_invariants_left();
    if !ends_there || candidates.stages.in_all_inputs == 0 || only_freed || arguments.showing.verbose {
        let good: Vec<&Invariants> = runs.good.iter().chain(&runs.others).collect();
        candidates.add_tendencies(&likely_invariants::Runs {
            sites: &runs.sites,
            failing: &failing,
            good: &good,
            good_slices: &runs.good_slices,
        });
    }
    let spectra = spectra(&runs, arguments.tcm.as_deref())?;
    let (least, most) = match arguments.showing.verbose {
        true => (Stage::Failed, usize::MAX),
        // Filters may drop the cause; where few are left, those that one dropped come after the others.
        false => (observed::first_shown(&candidates.stages).min(Stage::InSlice), ANSWER),
    };
    let slice = failing.first().and_then(|it| it.slice);
    let expressions = likely_invariants::large_expressions(&runs.sites, &candidates, slice, least, most);
    let mut notes = runs.notes.clone();
    if !expressions.is_empty() {
        match observing.look_inside(&runs)? {
            Some((good, bad)) => {
                let seen =
                    Seen { sites: &runs.sites, training: &training, run: &failing[0], good: &good, failing: &bad };
                expressions.look_inside(&seen, &mut candidates);
            }
            None => notes.push("expressions were not looked into: the runs of a second round do otherwise".to_owned()),
        }
    }
    let findings = Findings {
        sites: &runs.sites,
        failing: runs.bad.first().map(|(observed, _)| observed),
        candidates: &candidates,
        spectra: &spectra,
        least,
        most,
        good_runs: runs.good.len(),
        other_good_runs: runs.others.len(),
        failing_runs: runs.bad.len(),
    };
    let mut sources = Sources::new();
    let mut diagnosis = observed::diagnosis(&findings, &mut sources);
    drop(status);
    diagnosis.notes.extend(notes);
    diagnosis.input = Some(explained(arguments, &case.input, &inputs, &runs.failing_input));
    let (stages, is_sliced, good_runs) = (candidates.stages, slice.is_some(), runs.good.len());
    let tends = candidates.list.first().is_some_and(|it| matches!(it.reason, Reason::Tends { .. }));
    let known = Known { stages, is_sliced, tends, good_runs, diagnosis: &diagnosis };
    let advice = advising::next(arguments, &known, &sources);
    diagnosis.notes.push(advice);
    let report = report(&shown, &told, &runs, &candidates, ends_there, &mut sources);
    write(arguments, &sources, &report, &diagnosis, &shown, screen)?;
    if arguments.showing.verbose {
        let words = format!(
            "{} lines executed, {} runs recorded, {:.1} s in all",
            spectra.lines.len(),
            runs.good.len() + 2 * runs.bad.len(),
            started.elapsed().as_secs_f64()
        );
        screen.message(Severity::Note, &words);
    }
    Ok(if diagnosis.suspects.is_empty() { Ending::Inconclusive } else { Ending::Fault })
}

fn parse_symptom(text: &str) -> Result<Criterion> {
    let found = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line) = found.with_context(|| format!("--symptom {text} is not FILE:LINE"))?;
    Ok(Criterion::Line(SourceLine { file: file.to_owned(), line, column: None }))
}

/// Functions that write what a program prints.
const PRINTING: [&str; 14] = [
    "printf", "puts", "putchar", "fputs", "fputc", "putc", "fprintf", "vprintf", "vfprintf", "fwrite", "write",
    "writev", "send", "sendto",
];

/// Where a slice begins, if a run does not tell more: where the program ended, or where it printed last.
fn symptom(failure: &Confirmed) -> Criterion {
    match failure.symptom.kind.as_str() {
        "wrong-output" | "output" | "script" => Criterion::Call(PRINTING.map(str::to_owned).to_vec()),
        _ => Criterion::Last,
    }
}

fn announce(
    arguments: &Diagnose,
    failure: &Confirmed,
    case: &Case,
    given: Option<&Inputs>,
    cost: Duration,
    screen: Screen,
) {
    let planned = match given {
        Some(inputs) => {
            native::announce_failure(failure, screen);
            Planned { good: inputs.good.len(), compared: inputs.good.len(), failing: inputs.bad.len() }
        }
        None => {
            native::announce(failure, &arguments.search, case.jobs, screen);
            let compared = arguments.near.good_inputs;
            Planned { good: (1 + SPARE) * compared, compared, failing: arguments.near.bad_inputs + 1 }
        }
    };
    screen.message(Severity::Note, &advising::cost(&planned, failure.outcome.time, cost, case.jobs));
}

/// The inputs that the user has, if they are to be compared with.
fn given(arguments: &Diagnose, case: &Case) -> Result<Option<Inputs>> {
    let Some(good) = &arguments.good else { return Ok(None) };
    let good = read_folder(good)?;
    let mut bad = vec![case.input.clone()];
    bad.extend(arguments.bad.as_deref().map(read_folder).transpose()?.unwrap_or_default());
    Ok(Some(Inputs { wanted: good.len(), good, bad, small: None }))
}

/// Makes them; or says why there are too few.
fn inputs(arguments: &Diagnose, work: &Work<'_>) -> Result<Result<Inputs, String>> {
    let Work { case, failure, screen, .. } = work;
    let kept = match &arguments.inputs {
        Some(path) => Some(Folder::open(path, &native::key(&arguments.subject, failure), arguments.subject.failing())?),
        None => None,
    };
    let (folder, known) = kept.map_or((None, None), |(folder, known, log)| (Some(folder), Some((known, log))));
    let generated = work.generate(known, SPARE * arguments.near.good_inputs)?;
    if let Some(folder) = &folder {
        folder.write(&case.input, &generated)?;
    }
    let small = folder.map(|it| it.input(SMALL));
    if !arguments.showing.quiet {
        generating::tell(&generated, *screen);
    }
    if generated.good.is_empty() {
        return Ok(Err(generating::always(&generated, &arguments.subject, &case.judge)));
    }
    let bytes = |near: Vec<observe::inputs::Near>| near.into_iter().map(|it| it.input);
    let bad = std::iter::once(generated.centre).chain(bytes(generated.bad)).collect();
    Ok(Ok(Inputs { good: bytes(generated.good).collect(), wanted: arguments.near.good_inputs, bad, small }))
}

/// The input of the run that is explained, with the file that has it.
fn explained(arguments: &Diagnose, given: &[u8], inputs: &Inputs, explained: &[u8]) -> ExplainedInput {
    let is_small = explained != given;
    let path = match is_small {
        false => Some(arguments.subject.failing()),
        true => inputs.small.as_deref().filter(|_| inputs.bad.first().is_some_and(|it| it == explained)),
    };
    ExplainedInput::new(explained, is_small.then_some(given.len()), path.map(|it| it.display().to_string()))
}

/// All files of a folder, by their names.
fn read_folder(folder: &Path) -> Result<Vec<Vec<u8>>> {
    let failed = || format!("cannot read {}", folder.display());
    let entries = std::fs::read_dir(folder).with_context(failed)?;
    let paths = entries.map(|it| it.map(|it| it.path())).collect::<Result<Vec<PathBuf>, _>>().with_context(failed)?;
    let mut files: Vec<PathBuf> = paths.into_iter().filter(|it| it.is_file()).collect();
    files.sort();
    if files.is_empty() {
        bail!("there are no files in {}", folder.display());
    }
    files.iter().map(|it| std::fs::read(it).with_context(|| format!("cannot read {}", it.display()))).collect()
}

fn spectra(runs: &Runs, file: Option<&Path>) -> Result<Spectra> {
    let named = |sort: &str, index: usize| format!("{sort}-{:02}", index + 1);
    let good = runs.good.iter().enumerate();
    let good = good.map(|(index, it)| lines::Run { name: named("good", index), fails: false, coverage: &it.coverage });
    let bad = runs.bad.iter().enumerate();
    let bad = bad.map(|(index, (it, _))| lines::Run { name: named("bad", index), fails: true, coverage: &it.coverage });
    let rows: Vec<lines::Run<'_>> = good.chain(bad).collect();
    let (lines, matrix) = lines::matrix(&runs.sites, &rows);
    if let Some(file) = file {
        let names: Vec<String> = lines.iter().map(|it| format!("{}:{}", it.file, it.line)).collect();
        output::write_file(file, tcm::text(&matrix, &names).as_bytes())?;
    }
    Ok(Spectra::new(lines, &matrix))
}

/// Files and lines of the innermost frames that have them.
fn memory(told: &judge::Report) -> Memory {
    // As the table of the program has their names: without parameters and scopes.
    let name = |it: &Called| {
        let words = it.function.as_deref()?.split(['(', '<']).next()?;
        Some(words.rsplit("::").next()?.to_owned())
    };
    let using: Vec<String> = told.stack.iter().filter_map(name).collect();
    let freeing = told.freed.iter().filter_map(name).filter(|it| !using.contains(it)).collect();
    let allocated = if told.freed.is_empty() { lines_of(&told.allocated) } else { Vec::new() };
    Memory { variable: told.variable.clone(), allocated, freeing }
}

fn lines_of(frames: &[Called]) -> Vec<(String, u32)> {
    let name = |file: &str| file.trim_start_matches("./").to_owned();
    let own = frames.iter().filter(|it| !it.is_of_system());
    own.filter_map(|it| Some((name(it.file.as_deref()?), it.line?))).take(MAKERS).collect()
}

/// Calls of which the file is known, for who reads a stack.
fn calls<'a>(frames: impl Iterator<Item = &'a Called>, sources: &mut Sources) -> Vec<Frame> {
    let mut shown = Vec::new();
    for frame in frames.filter(|it| !it.is_start()) {
        let (Some(file), Some(line)) = (&frame.file, frame.line) else { continue };
        let span = observed::span(sources, file, line, frame.column.unwrap_or(0));
        let function = frame.function.clone().unwrap_or_default();
        shown.push(Frame { function, place: span.map(|span| Place { span }) });
    }
    shown
}

fn report(
    failure: &Confirmed,
    told: &judge::Report,
    runs: &Runs,
    candidates: &Candidates,
    ends_there: bool,
    sources: &mut Sources,
) -> Report {
    let symptom = &failure.symptom;
    let mut finding = Finding::new(Severity::Fault, symptom.kind.clone(), symptom.message.clone());
    finding.property = Some("failing-run".into());
    let slice = runs.bad.first().and_then(|(_, slice)| slice.as_ref());
    // Of several decisions, the one that the first suspect leads to.
    let led_to = candidates.list.first().and_then(|it| it.chain.last());
    let ended = slice.and_then(|it| {
        let mut symptoms = it.symptom.iter().map(|&index| it.nodes[index as usize]);
        symptoms.clone().find(|it| Some(it) == led_to).or_else(|| symptoms.next())
    });
    if let Some(node) = ended {
        let span = observed::span_of(&runs.sites, sources, node);
        let label = match () {
            () if slice.is_some_and(|it| it.is_of_decisions) => {
                "this is one of the decisions not to print what is missing"
            }
            () if ends_there => "the run ends here",
            () if runs.wrong.is_some() => "this prints what is wrong",
            () => "this prints last",
        };
        finding.primary = span.map(|span| Mark { place: Place { span }, label: label.to_owned() });
    }
    finding.stack = calls(told.stack.iter(), sources);
    for (frames, done) in [(&told.freed, "freed"), (&told.allocated, "allocated")] {
        let own = frames.iter().filter(|it| !it.is_of_system());
        let place = calls(own, sources).iter().find_map(|it| it.place);
        finding.related.extend(place.map(|place| Mark { place, label: format!("{done} here") }));
    }
    Report {
        verdict: report::Verdict::Fault,
        findings: vec![finding],
        exit_status: None,
        inputs: Vec::new(),
        unsupported: Vec::new(),
        steps: 0,
    }
}

fn write(
    arguments: &Diagnose,
    sources: &Sources,
    report: &Report,
    diagnosis: &Diagnosis,
    failure: &Confirmed,
    screen: Screen,
) -> Result<()> {
    let text = match arguments.format.machine() {
        None => {
            let look = match arguments.output {
                Some(_) => screen.look_in_file(arguments.showing.color),
                None => screen.look,
            };
            let most = usize::MAX;
            let shown = terminal::report(sources, report, look, arguments.showing.quiet);
            format!("{shown}{}", suspects::text(sources, diagnosis, most, look))
        }
        Some(format) => {
            let files = arguments.subject.command.iter().take(1).map(|it| it.to_string_lossy().into_owned()).collect();
            let (stdout, stderr) = (&failure.outcome.stdout[..], &failure.outcome.stderr[..]);
            let surroundings = Surroundings { version: env!("CARGO_PKG_VERSION"), files, stdout, stderr };
            formats::diagnosed(format, sources, report, None, Some(diagnosis), &surroundings)
        }
    };
    output::deliver(&text, arguments.output.as_deref(), arguments.format, screen)
}
