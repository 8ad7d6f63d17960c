//! `faultline repair`: changes of a function that meet its specification, as patches with what was checked.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use diagnosis::{Diagnosis, Evidence, Score, Suspect};
use frontend::acsl::Diagnostic;
use repair::Error;
use repair::search::{self, Answer, Fix, Found, Options, Tests};
use repair::subject::Subject;
use report::json::Surroundings;
use report::{Finding, Mark, Place, Report, Severity, Verdict, formats, suspects, terminal};
use source::annotations::Annotations;
use source::{Sources, Span};

use crate::arguments::{Format, Repair};
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, interrupt, output, properties, reading, repairing};

/// Without `--timeout`.
const TIME: Duration = Duration::from_secs(30);
const ENGINE: &str = "autodebug";

pub fn run(arguments: Repair, flags: Vec<String>, screen: Screen) -> Result<Ending> {
    if arguments.reading.compile_commands.is_some() {
        bail!("--compile-commands is not for `repair`: name the files, with the compiler's options");
    }
    match find(&arguments, flags, screen)? {
        Ok((subject, found)) => tell(&subject, &found, &arguments, screen),
        Err(diagnostic) => Ok(refuse(&arguments.reading.files, &diagnostic, screen)),
    }
}

/// Looks for changes; or says why the specification cannot be used.
pub fn find(arguments: &Repair, flags: Vec<String>, screen: Screen) -> Result<Result<(Subject, Found), Diagnostic>> {
    let checks = properties::select(&arguments.checks.property, &arguments.checks.no_property)?.checks;
    let mut annotations = Annotations::default();
    if let Some(file) = &arguments.annotations {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        annotations.add(&file.display().to_string(), &text)?;
    }
    let interrupted = interrupt::catch();
    let options = Options {
        tests: tests(arguments),
        annotations,
        checks,
        size: arguments.size,
        time: arguments.timeout.unwrap_or(TIME),
        changes: arguments.changes as usize,
        fixes: arguments.fixes as usize,
        interrupt: Some(interrupted),
    };
    let read = reading::options(&arguments.reading, flags)?;
    if arguments.function.is_none() && !matches!(options.tests, Some(Tests::Folder(_) | Tests::Command(_))) {
        if let Some(Tests::Table(path)) = &options.tests
            && !path.exists()
        {
            bail!("cannot read {}: there is no such file or folder", path.display());
        }
        bail!("--function is needed: only tests of the whole program, a folder or a command, do without it");
    }
    let subject = match Subject::open(read, arguments.function.as_deref()) {
        Ok(subject) => subject,
        Err(Error::Specification(diagnostic)) => return Ok(Err(diagnostic)),
        Err(error) => return Err(error.into()),
    };
    let status =
        StatusLine::show(screen, format!("repairing {}", arguments.function.as_deref().unwrap_or("the program")));
    let found = search::search(&subject, &options);
    drop(status);
    match found {
        Ok(found) => Ok(Ok((subject, found))),
        Err(Error::Specification(diagnostic)) => Ok(Err(diagnostic)),
        Err(error) => Err(error.into()),
    }
}

fn tests(arguments: &Repair) -> Option<Tests> {
    match (&arguments.tests, &arguments.test_command) {
        (Some(path), _) if path.is_dir() => Some(Tests::Folder(path.clone())),
        (Some(path), _) => Some(Tests::Table(path.clone())),
        (None, command) => command.clone().map(Tests::Command),
    }
}

/// A specification that cannot be used, with its place.
pub fn refuse(files: &[PathBuf], diagnostic: &Diagnostic, screen: Screen) -> Ending {
    let mut finding = Finding::new(Severity::Fault, diagnostic.kind.name(), diagnostic.message.clone());
    finding.help = diagnostic.help.clone();
    let mut sources = Sources::new();
    for path in files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let file = sources.add(path, Some(text));
        let span = sources.span(file, diagnostic.extent.start as usize..diagnostic.extent.end as usize);
        finding.primary = span.map(|span| Mark { place: Place { span }, label: String::new() });
        break;
    }
    screen.write(&terminal::finding(&sources, &finding, &[], screen.look));
    Ending::Failed
}

pub fn tell(subject: &Subject, found: &Found, arguments: &Repair, screen: Screen) -> Result<Ending> {
    let name = &subject.function.name;
    let (ending, verdict) = match &found.answer {
        Answer::Met { certain: true, .. } => (Ending::NothingWrong, Verdict::NoFault),
        Answer::Met { certain: false, .. } => (Ending::Inconclusive, Verdict::Inconclusive),
        Answer::Repaired | Answer::NotRepaired => (Ending::Fault, Verdict::Fault),
    };
    let mut findings = Vec::new();
    if let Some((inputs, why)) = &found.failing {
        let mut finding = Finding::new(Severity::Fault, "specification", format!("`{name}` fails: {why}"));
        finding.property = Some("specification".into());
        finding.notes.push(format!("with {inputs}"));
        let count = found.failing_cases;
        finding.notes.push(format!("{count} of {} tests fail", found.cases));
        let head = subject.function.whole.start..subject.function.body.start;
        let head = head.start..head.start + subject.text()[head].trim_end().len();
        let is_known = subject.outline.function(name).is_some();
        let span = subject.sources.span(subject.file, head).filter(|_| is_known);
        finding.primary = span.map(|span| Mark { place: Place { span }, label: why.clone() });
        findings.push(finding);
    }
    if let Answer::Met { words, .. } = &found.answer {
        let title = format!("nothing to repair in `{name}`: {words}");
        findings.push(Finding::new(Severity::Note, "specification", title));
    }
    let report = Report { verdict, findings, exit_status: None, inputs: Vec::new(), unsupported: Vec::new(), steps: 0 };
    let diagnosis = diagnosis(subject, found, arguments.changes);
    write(&subject.sources, &report, &diagnosis, arguments, screen)?;
    match (found.fixes.first(), arguments.apply) {
        (Some(best), true) => repairing::apply(&subject.sources, &best.patch, screen)?,
        (None, true) if ending == Ending::Fault => bail!("no change was found: nothing was written"),
        (Some(_), false) if arguments.writing.format == Format::Text => {
            screen.message(Severity::Note, "to write the first patch into the source, add --apply");
        }
        _ => {}
    }
    Ok(ending)
}

pub fn diagnosis(subject: &Subject, found: &Found, changes: u32) -> Diagnosis {
    let mut notes = found.notes.clone();
    match &found.answer {
        Answer::NotRepaired => {
            let statements = if changes == 1 { "one statement" } else { "one or two statements" };
            let tried = found.candidates;
            notes.insert(0, format!("no change of {statements} was found that helps; {tried} were tried"));
        }
        Answer::Repaired => notes.push(format!("{} changes were tried in {} runs", found.candidates, found.runs)),
        Answer::Met { .. } => {}
    }
    let suspects: Vec<Suspect> =
        found.fixes.iter().enumerate().map(|(index, fix)| suspect(subject, fix, index)).collect();
    Diagnosis {
        engines: vec![ENGINE.to_owned()],
        blamed: suspects.len(),
        suspects,
        notes,
        statements: subject.function.places.len(),
        ..Diagnosis::default()
    }
}

fn suspect(subject: &Subject, fix: &Fix, index: usize) -> Suspect {
    let text = subject.text();
    let span = |place: usize| -> Option<Span> {
        subject.sources.span(subject.file, subject.function.places[place].range.clone())
    };
    let told = |it: &repair::candidates::Candidate| {
        let old = text[it.range.clone()].trim();
        match (old.is_empty(), it.replacement.as_str()) {
            (_, ";") => format!("`{old}` is left out"),
            (true, new) => format!("`{new}` is added"),
            (false, new) => format!("`{old}` becomes `{new}`"),
        }
    };
    let whys: Vec<String> = fix.changes.iter().map(told).collect();
    let mut why = format!("{}: {}", whys.join(", "), fix.words);
    if fix.equivalents > 0 {
        why.push_str(&format!("; {} other changes do the same on all tests", fix.equivalents));
    }
    let first = fix.changes[0].place;
    let mut evidence: Vec<Evidence> = (fix.changes.iter().skip(1))
        .map(|it| Evidence { engine: ENGINE.to_owned(), message: told(it), place: span(it.place) })
        .collect();
    evidence.extend(fix.changes.iter().filter_map(|it| {
        Some(Evidence { engine: ENGINE.to_owned(), message: it.evidence.clone()?, place: span(it.place) })
    }));
    Suspect {
        place: span(first),
        text: repair::candidates::one_line(&text[subject.function.places[first].range.clone()]),
        function: subject
            .outline
            .around(subject.function.places[first].range.start)
            .map_or(String::new(), |it| it.name.clone()),
        score: Score::new(1.0 / (1.0 + index as f64)),
        engines: vec![ENGINE.to_owned()],
        why,
        evidence,
        step: None,
        lines: Vec::new(),
        fix: fix.patch.unified_diff(&subject.sources).ok().map(|diff| diagnosis::Fix { diff, checked: fix.checked }),
    }
}

fn write(sources: &Sources, report: &Report, diagnosis: &Diagnosis, arguments: &Repair, screen: Screen) -> Result<()> {
    let text = match arguments.writing.format.machine() {
        None => {
            let look = match arguments.writing.output {
                Some(_) => screen.look_in_file(arguments.showing.color),
                None => screen.look,
            };
            let most = if arguments.showing.verbose { usize::MAX } else { 1 };
            let failure = terminal::report(sources, report, look, arguments.showing.quiet);
            format!("{failure}{}", suspects::text(sources, diagnosis, most, look))
        }
        Some(format) => {
            let files = arguments.reading.files.iter().map(|it| it.display().to_string()).collect();
            let surroundings = Surroundings { version: env!("CARGO_PKG_VERSION"), files, stdout: b"", stderr: b"" };
            formats::diagnosed(format, sources, report, None, Some(diagnosis), &surroundings)
        }
    };
    output::deliver(&text, arguments.writing.output.as_deref(), arguments.writing.format, screen)
}
