//! Witnesses: following one that was given, for `check` and `localize`, and writing one for what was found.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use frontend::witness::{
    self, Event, Following, Format, Goal, Identity, Metadata, ProgramFile, Role, Source, StateId, Way, Witness,
};
use program::Program;
use program::exec::Checks;
use report::Severity;
use verify::bmc::{self, Failure, Options};
use verify::guided::{self, Carrier, Lost, Product};

use crate::arguments::{Check, Following as FollowingArguments, Showing, WitnessFormat};
use crate::output;
use crate::screen::Screen;

/// The files of the program, which witnesses name by their hashes.
fn identities(files: &[impl AsRef<Path>]) -> Result<Vec<Identity>> {
    let identity = |file: &Path| {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Identity { name: file.display().to_string(), sha256: witness::sha256(&bytes) })
    };
    files.iter().map(|file| identity(file.as_ref())).collect()
}

/// A witness that was given, and for what.
pub struct Given {
    witness: Witness,
    file: PathBuf,
    /// The files of the program.
    files: Vec<PathBuf>,
}

/// Reads the witness that was given, if one was, and sees that it is for this program.
pub fn read(following: &FollowingArguments, files: &[PathBuf]) -> Result<Option<Given>> {
    let Some(file) = &following.witness else { return Ok(None) };
    let bytes = std::fs::read(file).with_context(|| format!("cannot read the witness {}", file.display()))?;
    let witness = witness::read(&bytes).with_context(|| format!("cannot use the witness {}", file.display()))?;
    if !following.witness_any_program {
        let given = identities(files)?;
        witness::same_program(&witness, &given)
            .with_context(|| format!("cannot use the witness {}", file.display()))?;
    }
    Ok(Some(Given { witness, file: file.clone(), files: files.to_vec() }))
}

impl Given {
    /// The checks of the witness's specification, or the usual ones if it does not say.
    pub fn checks(&self, usual: Checks) -> Checks {
        let kinds = self.witness.kinds();
        kinds.map_or(usual, |kinds| kinds.into_iter().fold(Checks::NONE, Checks::with))
    }
}

struct Carried<'f, 'p>(&'f Following<'p>);

impl Carrier for Carried<'_, '_> {
    fn to_violation(&self) -> Product {
        let product = self.0.product(Goal::Violation);
        Product { program: product.program, flag: product.flag }
    }

    fn to_state(&self, state: u32) -> Product {
        let product = self.0.product(Goal::State(StateId(state)));
        Product { program: product.program, flag: product.flag }
    }

    fn states(&self) -> Vec<u32> {
        self.0.order().into_iter().map(|state| state.0).collect()
    }
}

/// Follows the witness; what it leads to, or where it goes wrong.
pub fn follow(
    program: &Program,
    given: &Given,
    options: &Options,
    showing: &Showing,
    screen: Screen,
) -> Result<bmc::Report> {
    let Given { witness: found, file, files } = given;
    let text = match files.as_slice() {
        [only] => std::fs::read(only).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    };
    let following = |lenient| {
        Following::new(program, found, text.as_deref(), lenient)
            .with_context(|| format!("cannot use the witness {}", file.display()))
    };
    let started = Instant::now();
    let within = |share: u32| Options {
        time: options.time.map(|time| time.saturating_sub(started.elapsed()) * share / 100),
        ..options.clone()
    };
    let strict = following(false)?;
    if !showing.quiet {
        for note in &strict.notes {
            screen.message(Severity::Note, note);
        }
    }
    let mut result = guided::follow(program, &Carried(&strict), &within(50));
    if result.failure.is_none() && found.format == Format::GraphMl {
        // Verifiers differ in what they call an operation: perhaps a step was made too early.
        let lenient = following(true)?;
        let second = guided::follow(program, &Carried(&lenient), &within(60));
        if second.failure.is_some() {
            result = second;
        }
    }
    let mut report = result.report;
    // Only what the witness describes was looked at.
    report.others = bmc::Verdict::Unknown("only the witness was followed".to_owned());
    if let Some(failure) = result.failure {
        report.verdict = bmc::Verdict::Violated;
        report.failures = vec![failure];
        return Ok(report);
    }
    let bound = report.statistics.bound;
    let place = guided::furthest(&Carried(&strict), &within(100), bound);
    screen.message(Severity::Inconclusive, &lost(found, file, place));
    let why = result.why.unwrap_or_else(|| "no execution goes on as the witness says".to_owned());
    report.verdict = bmc::Verdict::Unknown(format!("the witness could not be followed to a violation: {why}"));
    Ok(report)
}

/// Where a witness goes wrong, and what was expected there.
fn lost(found: &Witness, file: &Path, place: Lost) -> String {
    let reached = StateId(place.reached);
    let at = found.state(reached).at;
    let name = file.display();
    let Some(missed) = place.missed.map(StateId) else {
        return format!("every step of the witness {name} can be followed, but no violation comes after the last one");
    };
    let mut words = format!(
        "the witness goes wrong at {} ({name}:{}:{}): an execution gets there, but none goes on to {}",
        found.describe(reached),
        at.line,
        at.column,
        found.describe(missed),
    );
    let steps: Vec<String> =
        found.edges_from(reached).filter(|it| found.state(it.target).role != Role::Sink).map(step).collect();
    if !steps.is_empty() {
        words.push_str(&format!("; expected was {}", steps.join(", or ")));
    }
    words
}

/// A step in words.
fn step(edge: &witness::Edge) -> String {
    let mut words = match &edge.event {
        Event::Operation | Event::Statement => "an operation".to_owned(),
        Event::Branch(Way::True) => "a branch whose condition is true".to_owned(),
        Event::Branch(Way::False) => "a branch whose condition is false".to_owned(),
        Event::Branch(Way::Case(number)) => format!("a switch to case {number}"),
        Event::Branch(Way::Default) => "a switch to the default".to_owned(),
        Event::Enter(Some(function)) => format!("a call of `{function}`"),
        Event::Enter(None) => "a call".to_owned(),
        Event::Return(Some(function)) => format!("a return from `{function}`"),
        Event::Return(None) => "a return from a call".to_owned(),
        Event::Target => "a violation".to_owned(),
    };
    if let Some(line) = edge.location.line {
        words.push_str(&format!(" at line {line}"));
    }
    if let Some(column) = edge.location.column {
        words.push_str(&format!(", column {column}"));
    }
    if let Some(assumption) = &edge.assumption {
        words.push_str(&format!(" with `{}`", assumption.text));
    }
    format!("{words} (line {} of the witness)", edge.at.line)
}

/// The format that the command line asks for, by name or by the file's ending.
pub fn format(file: &Path, chosen: Option<WitnessFormat>) -> Result<Format> {
    let ending = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
    match (chosen, ending) {
        (Some(WitnessFormat::Graphml), _) | (None, "graphml" | "xml") => Ok(Format::GraphMl),
        (Some(WitnessFormat::Yaml), _) | (None, "yml" | "yaml") => Ok(Format::Yaml),
        (None, _) => bail!(
            "the ending of {} is none of .graphml, .yml, .yaml: choose with --witness-format graphml or yaml",
            file.display()
        ),
    }
}

/// Writes the witness of a violation that was found.
pub fn write(program: &Program, failure: &Failure, file: &Path, arguments: &Check) -> Result<()> {
    let format = format(file, arguments.witness_format)?;
    let files = identities(&arguments.reading.files)?;
    let files = files.into_iter().map(|it| ProgramFile { name: it.name, hash: it.sha256 }).collect();
    let metadata = Metadata {
        producer: "faultline".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        creation_time: creation_time()?,
        files,
        architecture: "64bit".to_owned(),
        ..Metadata::default()
    };
    let source = Source { program, metadata };
    let mut found = witness::of_trace(source, &failure.trace, &failure.violation);
    let text = |found: &Witness| witness::write(found, format).context("the witness branches, which YAML cannot say");
    found.metadata.uuid = witness::uuid(&text(&found)?);
    output::write_file(file, text(&found)?.as_bytes())
}

/// Now, or what SOURCE_DATE_EPOCH says, in UTC.
fn creation_time() -> Result<String> {
    let seconds = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text.parse().with_context(|| format!("SOURCE_DATE_EPOCH is `{text}`, which is no number"))?,
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs(),
    };
    Ok(date_and_time(seconds))
}

/// Seconds since 1970 as ISO 8601 writes them; the calendar repeats every 400 years.
fn date_and_time(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that the leap day is the last one.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + later;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::date_and_time;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date_and_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(date_and_time(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date_and_time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date_and_time(1_700_000_000), "2023-11-14T22:13:20Z");
    }
}
