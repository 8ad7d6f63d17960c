//! `faultline explain` where no run of the sources says what is wrong: contracts and tests, which `repair` knows how to
//! use, and programs that are built already, which `diagnose` can observe.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use diagnosis::Diagnosis;
use repair::search::Answer;
use repair::subject;
use report::Severity;
use source::{Edit, Patch, Sources, Span};

use crate::arguments::{Action, CommandLine, Explain, Repair};
use crate::screen::Screen;
use crate::until::Until;
use crate::{Ending, diagnosing, repair_function};

/// As `repair` has them where nothing is said.
const SIZE: u32 = 4;
const CHANGES: u32 = 2;
/// The share of the time for the search; reading the program and telling what was found take the rest.
const SEARCH_SHARE: f64 = 0.85;
/// Patches that are shown at most.
const FIXES: u32 = 3;

/// The program that is to be explained, if it is no source but a build.
pub fn build(arguments: &Explain) -> Option<&Path> {
    let [file] = &arguments.reading.files[..] else { return None };
    let mut magic = [0; 4];
    File::open(file).ok()?.read_exact(&mut magic).ok()?;
    (magic == *b"\x7fELF" && file.extension().is_none_or(|it| it != "o")).then_some(file)
}

/// Observes a build on its failing input and on others near it.
pub fn explain_build(program: &Path, arguments: &Explain, time: Option<Duration>, screen: Screen) -> Result<Ending> {
    let Some(failing) = &arguments.inputs.stdin else {
        bail!(
            "{} is a program and no source: name the input on which it fails with --stdin FILE (and give it @@ as an \
             argument where it wants the name of a file)",
            program.display()
        );
    };
    if arguments.apply || arguments.interactive {
        bail!("{} is a program and no source: there is nothing to write a patch into", program.display());
    }
    let mut line: Vec<OsString> = ["faultline", "diagnose", "--failing"].map(OsString::from).to_vec();
    line.push(failing.into());
    let format = arguments.writing.format.to_possible_value().map(|it| it.get_name().to_owned());
    for (name, value) in [
        ("--format", format),
        ("--timeout", time.map(|time| format!("{}ms", time.as_millis()))),
        ("--jobs", arguments.jobs.map(|jobs| jobs.to_string())),
    ] {
        line.extend(value.into_iter().flat_map(|value| [OsString::from(name), value.into()]));
    }
    if let Some(output) = &arguments.writing.output {
        line.extend(["--output".into(), output.into()]);
    }
    for (is_set, name) in [(arguments.showing.verbose, "--verbose"), (arguments.showing.quiet, "--quiet")] {
        line.extend(is_set.then(|| OsString::from(name)));
    }
    line.push("--".into());
    line.push(std::path::absolute(program).context("cannot find the current folder")?.into());
    line.extend(arguments.inputs.arguments.iter().cloned());
    match CommandLine::try_parse_from(line).context("the options do not fit a program that is built already")?.action {
        Action::Diagnose(diagnose) => diagnosing::run(&diagnose, screen),
        _ => unreachable!("the command is `diagnose`"),
    }
}

/// Which functions have something to meet: the named one, or all with a contract.
pub fn functions(arguments: &Explain) -> Result<Vec<String>> {
    if let Some(name) = &arguments.function {
        return Ok(vec![name.clone()]);
    }
    let is_source = |file: &PathBuf| file.extension().is_some_and(|it| it == "c");
    let files: Vec<PathBuf> = arguments.reading.files.iter().filter(|file| is_source(file)).cloned().collect();
    let names = subject::specified(&files).unwrap_or_default();
    match (&arguments.tests, &names[..]) {
        (Some(path), []) if path.is_dir() => Ok(vec!["main".to_owned()]),
        (Some(_), [] | [_, _, ..]) => bail!("--tests is about one function: name it with --function"),
        _ => Ok(names),
    }
}

/// Explains the first function that does not do what it should. Nothing if all do.
pub fn explain_functions(
    names: &[String],
    arguments: &Explain,
    flags: &[String],
    until: Until<'_>,
    screen: Screen,
) -> Result<Option<Ending>> {
    let mut undecided = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let left = until.deadline.saturating_duration_since(Instant::now()).mul_f64(SEARCH_SHARE);
        let asked = repair(name, arguments, left / (names.len() - number) as u32);
        let (wanted, given) = (asked.clone(), flags.to_vec());
        let Some(answer) = until.done(move || repair_function::find(&wanted, given, screen))? else {
            undecided.push(name.as_str());
            continue;
        };
        match answer? {
            Err(diagnostic) => {
                return Ok(Some(repair_function::refuse(&arguments.reading.files, &diagnostic, screen)));
            }
            Ok((_, found)) if matches!(found.answer, Answer::Met { certain: true, .. }) => {
                let words = format!("`{name}` does what is specified, as far as it was checked");
                screen.message(Severity::Note, &words);
            }
            Ok((_, found)) if matches!(found.answer, Answer::Met { .. }) => undecided.push(name.as_str()),
            Ok((subject, found)) => return repair_function::tell(&subject, &found, &asked, screen).map(Some),
        }
    }
    if undecided.is_empty() {
        return Ok(None);
    }
    let words =
        format!("whether {} does what is specified is open: allow more time with --timeout", undecided.join(", "));
    screen.message(Severity::Inconclusive, &words);
    Ok(Some(Ending::Inconclusive))
}

/// What to blame if a function breaks its contract, and the patch, as parts of these sources.
pub fn broken(
    asked: &Repair,
    flags: &[String],
    sources: &Sources,
    screen: Screen,
) -> Result<Option<(Diagnosis, Option<Patch>)>> {
    let (subject, found) = match repair_function::find(asked, flags.to_vec(), screen)? {
        Ok(found) => found,
        Err(diagnostic) => bail!("{}", diagnostic.message),
    };
    if matches!(found.answer, Answer::Met { .. }) {
        return Ok(None);
    }
    let Some(file) = subject.sources.absolute_path(subject.file).and_then(|path| sources.find(path)) else {
        return Ok(None);
    };
    let here = |span: Span| Span { file, ..span };
    let mut diagnosis = repair_function::diagnosis(&subject, &found, asked.changes);
    for suspect in &mut diagnosis.suspects {
        suspect.place = suspect.place.map(here);
        suspect.evidence.iter_mut().for_each(|it| it.place = it.place.map(here));
    }
    let edits = found.fixes.first().map(|best| best.patch.edits().iter());
    let edits = edits.map(|edits| edits.map(|edit| Edit { span: here(edit.span), ..edit.clone() }).collect());
    Ok(Some((diagnosis, edits.map(Patch::new).transpose()?)))
}

/// The question to `repair` about a function.
pub fn repair(name: &str, arguments: &Explain, time: Duration) -> Repair {
    let Explain { reading, checks, tests, annotations, writing, showing, .. } = arguments.clone();
    Repair {
        reading,
        function: Some(name.to_owned()),
        tests,
        test_command: None,
        size: SIZE,
        changes: CHANGES,
        fixes: FIXES,
        annotations,
        apply: arguments.apply,
        checks,
        timeout: Some(time),
        writing,
        showing,
    }
}
