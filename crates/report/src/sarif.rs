//! Reports in SARIF 2.1.0, for code scanning on GitHub, for VS Code's viewer and for other tools.
//!
//! A [`Document`] and its sources → a log with one run. What goes where, and why:
//!
//! - A failure is a result of level `error` at the place where it shows, with its trace as code flow. Its message
//!   links the most suspect line: GitHub shows related locations only where the message links to them.
//! - Suspects are results of their own, the first of level `warning` and the others of level `note`, since both
//!   GitHub and VS Code show results in the source where they are, and a fix is offered at its result's place. They
//!   are not of the kind `review`: with it the level must be `none`, and then nothing is shown.
//! - What weakens the verdict is no result but a notification of the invocation.
//! - Paths are relative to `%SRCROOT%`, whose place is not told: the log is the same on every machine, and viewers
//!   find the files in the open folder. The place of a file outside is told.
//! - Fingerprints are made from the rule, the function and the text of the line, not its number.
//! - Columns count UTF-16 code units, as most consumers take them.
//!
//! What a rule says is in [`rules`], places are in [`places`], code flows in [`flow`].

mod flow;
mod places;
mod rules;

use std::collections::BTreeMap;

use diagnosis::{Diagnosis, ErrorTrace};
use serde_json::json;
use serde_sarif::sarif::{
    Artifact, ArtifactChange, ArtifactContent, ArtifactLocation, Fix, Invocation, Location, Message, Notification,
    PropertyBag, Replacement, Result as SarifResult, ResultColumnKind, ResultLevel, Run, Sarif, Stack,
    StackFrame as SarifFrame, Tool, ToolComponent, Version,
};
use sha2::{Digest, Sha256};
use source::Sources;

use crate::checked::Checked;
use crate::document::build::{self, Surroundings, hexadecimal};
use crate::document::{Document, Failure, Remark, StackFrame, Suspect, restore};
use crate::edits;
use crate::finding::Report;
use crate::fixes;
use places::{BASE, Places};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Changes with how fingerprints are made.
const FINGERPRINT: &str = "faultlineText/v1";
/// Suspects that are results: more would hide the failure; JSON has them all.
const MOST_SUSPECTS: usize = 5;
/// Bytes of a hash that tell results of one program apart.
const FINGERPRINT_BYTES: usize = 12;

pub fn diagnosed(
    sources: &Sources,
    report: &Report,
    trace: Option<&ErrorTrace>,
    diagnosis: Option<&Diagnosis>,
    surroundings: &Surroundings<'_>,
) -> String {
    document(sources, &build::diagnosed(sources, report, trace, diagnosis, surroundings))
}

pub fn checked(sources: &Sources, checked: &Checked, surroundings: &Surroundings<'_>) -> String {
    document(sources, &build::checked(sources, checked, surroundings))
}

/// The sources are those that the document names.
pub fn document(sources: &Sources, document: &Document) -> String {
    let log = Sarif {
        schema: Some(SCHEMA.to_owned()),
        version: json!(Version::V2_1_0.to_string()),
        runs: vec![Log { places: Places::new(sources, document), document }.run()],
        inline_external_properties: None,
        properties: None,
    };
    let mut text = serde_json::to_string_pretty(&log).expect("strings and numbers can always be written");
    text.push('\n');
    text
}

struct Log<'a> {
    places: Places<'a>,
    document: &'a Document,
}

impl Log<'_> {
    fn run(&self) -> Run {
        let document = self.document;
        let mut results: Vec<SarifResult> = document.failures.iter().map(|it| self.failure(it)).collect();
        results.extend(document.suspects().iter().take(MOST_SUSPECTS).map(|it| self.suspect(it)));
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut ids: Vec<&str> = document.failures.iter().map(|it| it.kind.as_str()).collect();
        if !document.suspects().is_empty() {
            ids.push(rules::SUSPECT);
        }
        ids.sort_unstable();
        ids.dedup();
        for result in &mut results {
            result.rule_index = ids.iter().position(|id| Some(*id) == result.rule_id.as_deref()).map(|it| it as i64);
            number_equals(result, &mut seen);
        }
        let driver = ToolComponent {
            full_name: Some(format!("Faultline {}", document.version)),
            semantic_version: Some(document.version.clone()),
            short_description: Some(rules::multiformat("Which line of a C program is at fault, and why.")),
            rules: Some(ids.iter().map(|id| rules::descriptor(id)).collect()),
            ..ToolComponent::builder().name("Faultline").build()
        };
        let base = ArtifactLocation {
            description: Some(text("The folder in which Faultline was started.")),
            ..ArtifactLocation::default()
        };
        let tool = Tool { driver, extensions: None, properties: None };
        Run {
            invocations: Some(vec![self.invocation()]),
            original_uri_base_ids: Some(BTreeMap::from([(BASE.to_owned(), base)])),
            artifacts: Some(self.artifacts()),
            column_kind: Some(json!(ResultColumnKind::Utf16CodeUnits.to_string())),
            results: Some(results),
            properties: Some(bag(&[("verdict", json!(document.verdict)), ("bound", json!(document.bound))])),
            ..Run::builder().tool(tool).build()
        }
    }

    fn invocation(&self) -> Invocation {
        let remark = |it: &Remark, level: &str| {
            let help = it.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
            Notification {
                level: Some(json!(level)),
                locations: it.place.as_ref().map(|place| vec![self.places.location(place)]),
                ..notification(&format!("{}{help}", it.message))
            }
        };
        let mut notifications: Vec<Notification> =
            self.document.reasons.iter().map(|it| remark(it, "warning")).collect();
        notifications.extend(self.document.notes.iter().map(|it| remark(it, "note")));
        notifications.extend(self.document.unsupported.iter().map(|it| Notification {
            level: Some(json!("note")),
            locations: it.place.as_ref().map(|place| vec![self.places.location(place)]),
            ..notification(&format!("not supported: {}", it.what))
        }));
        let diagnosis = self.document.diagnosis.as_ref();
        let input = diagnosis.and_then(|it| it.input.as_ref()).map(restore::explained);
        let input = input.map(|it| format!("{}: {}", it.words(), it.text));
        let notes = input.iter().chain(diagnosis.into_iter().flat_map(|it| &it.notes));
        notifications.extend(notes.map(|it| Notification { level: Some(json!("note")), ..notification(it) }));
        let exit = self.document.exit_status();
        let meaning = match exit {
            0 => "nothing wrong found",
            1 => "fault found",
            _ => "inconclusive",
        };
        Invocation {
            exit_code: Some(i64::from(exit)),
            exit_code_description: Some(meaning.to_owned()),
            tool_execution_notifications: Some(notifications),
            ..Invocation::builder().execution_successful(true).build()
        }
    }

    fn artifacts(&self) -> Vec<Artifact> {
        let artifact = |file: &crate::document::SourceFile| Artifact {
            location: Some(self.places.file(&file.file)),
            hashes: Some(BTreeMap::from([("sha-256".to_owned(), file.sha256.clone())])),
            source_language: Some(if file.file.ends_with(".bpl") { "boogie" } else { "c" }.to_owned()),
            ..Artifact::default()
        };
        self.document.sources.iter().map(artifact).collect()
    }

    fn failure(&self, failure: &Failure) -> SarifResult {
        let mut related = Vec::new();
        let add = |words: &str, place: &crate::document::Range, related: &mut Vec<Location>| {
            let id = related.len() as i64 + 1;
            related.push(Location { id: Some(id), message: Some(text(words)), ..self.places.location(place) });
            id
        };
        let label = failure.label.as_ref().map_or_else(String::new, |label| format!(": {label}"));
        let mut words = places::unlinked(&format!("{}{label}.", failure.message));
        for it in &failure.related {
            let id = add(&it.message, &it.place, &mut related);
            words.push_str(&format!(" [Line {}]({id}): {}.", it.place.line, places::unlinked(&it.message)));
        }
        for frame in failure.stack.iter().skip(1) {
            if let Some(place) = &frame.place {
                let id = add(&format!("called from `{}`", frame.function), place, &mut related);
                words.push_str(&format!(" Called from [{}]({id}).", places::link_text(&frame.function)));
            }
        }
        if let Some((best, place)) = self.document.suspects().first().and_then(|it| Some((it, it.at.range()?))) {
            let id = add(&format!("suspect 1: {}", best.why), &place, &mut related);
            let name = places::link_text(&format!("line {}", place.line));
            words.push_str(&format!(" The most suspect is [{name}]({id}): {}.", places::unlinked(&best.why)));
        }
        let values = failure.values.iter().map(|it| format!("{} = {}", it.expression, it.value)).collect::<Vec<_>>();
        let function = failure.stack.first().map_or("", |frame| frame.function.as_str());
        SarifResult {
            rule_id: Some(failure.kind.clone()),
            level: Some(ResultLevel::Error),
            locations: Some(vec![self.places.place(failure.place.as_ref(), function)]),
            related_locations: (!related.is_empty()).then_some(related),
            stacks: self.stack(failure).map(|it| vec![it]),
            code_flows: failure
                .trace
                .as_ref()
                .map(|it| vec![flow::code_flow(&self.places, it, self.document.suspects())]),
            partial_fingerprints: self.fingerprint(&failure.kind, function, failure.place.as_ref()),
            properties: Some(bag(&[
                ("property", json!(failure.property)),
                ("values", json!(values)),
                ("notes", json!(failure.notes)),
                ("repeat", json!(failure.repeat)),
            ])),
            ..SarifResult::builder().message(text(&words)).build()
        }
    }

    /// The calls that were open, the innermost first; of one call alone the place says it all.
    fn stack(&self, failure: &Failure) -> Option<Stack> {
        let frame = |it: &StackFrame| {
            let mut location = self.places.place(it.place.as_ref(), &it.function);
            for name in location.logical_locations.iter_mut().flatten() {
                name.fully_qualified_name = name.name.clone();
            }
            SarifFrame { location: Some(location), ..SarifFrame::default() }
        };
        // One that stands for many has no name.
        let calls = failure.stack.iter().filter(|it| !it.function.starts_with('('));
        let frames: Vec<SarifFrame> = calls.map(frame).collect();
        // VS Code's viewer leaves out a stack without words.
        let message = Some(text("The calls that were open when it failed."));
        (frames.len() > 1).then(|| Stack { message, ..Stack::builder().frames(frames).build() })
    }

    fn suspect(&self, suspect: &Suspect) -> SarifResult {
        let place = suspect.at.range();
        let mut related = Vec::new();
        let mut words = places::unlinked(&format!("Suspect {}: {}.", suspect.rank, suspect.why));
        for it in &suspect.evidence {
            let Some(range) = it.at.range().filter(|range| Some(range) != place.as_ref()) else { continue };
            let id = related.len() as i64 + 1;
            let message = format!("{}: {}", it.engine, it.message);
            related.push(Location { id: Some(id), message: Some(text(&message)), ..self.places.location(&range) });
            words.push_str(&format!(" [Line {}]({id}): {}.", range.line, places::unlinked(&it.message)));
        }
        SarifResult {
            rule_id: Some(rules::SUSPECT.to_owned()),
            level: Some(if suspect.rank == 1 { ResultLevel::Warning } else { ResultLevel::Note }),
            rank: Some((suspect.score * 100.0).clamp(0.0, 100.0)),
            locations: Some(vec![self.places.place(place.as_ref(), &suspect.function)]),
            related_locations: (!related.is_empty()).then_some(related),
            fixes: self.fix(suspect).map(|fix| vec![fix]),
            partial_fingerprints: self.fingerprint(rules::SUSPECT, &suspect.function, place.as_ref()),
            properties: Some(bag(&[("engines", json!(suspect.engines)), ("suspectRank", json!(suspect.rank))])),
            ..SarifResult::builder().message(text(&words)).build()
        }
    }

    /// The patch as replacements of regions, unless the files are not those that it was made for.
    fn fix(&self, suspect: &Suspect) -> Option<Fix> {
        let fix = suspect.fix.as_ref()?;
        let sources = self.places.sources;
        let patch = edits::patch(sources, &fix.diff)?;
        let change = |file| {
            let edits = patch.edits().iter().filter(|edit| edit.span.file == file);
            let replacement = |edit: &source::Edit| Replacement {
                inserted_content: Some(ArtifactContent {
                    text: Some(edit.replacement.clone()),
                    ..ArtifactContent::default()
                }),
                ..Replacement::builder().deleted_region(self.places.deleted(edit.span)).build()
            };
            ArtifactChange::builder()
                .artifact_location(self.places.file(sources.path(file)))
                .replacements(edits.map(replacement).collect::<Vec<_>>())
                .build()
        };
        Some(Fix {
            // VS Code shows it as the title of a quick fix.
            description: Some(text(&fixes::title(fix))),
            ..Fix::builder().artifact_changes(patch.files().into_iter().map(change).collect::<Vec<_>>()).build()
        })
    }

    fn fingerprint(
        &self,
        rule: &str,
        function: &str,
        place: Option<&crate::document::Range>,
    ) -> Option<BTreeMap<String, String>> {
        let place = place?;
        let line: String = self.places.line(place).split_whitespace().collect::<Vec<_>>().join(" ");
        let digest = Sha256::digest([rule, &place.file, function, &line].join("\0"));
        Some(BTreeMap::from([(FINGERPRINT.to_owned(), hexadecimal(&digest[..FINGERPRINT_BYTES]))]))
    }
}

/// Results that nothing else tells apart are counted, in the order of the log.
fn number_equals(result: &mut SarifResult, seen: &mut BTreeMap<String, u32>) {
    for fingerprint in result.partial_fingerprints.iter_mut().flat_map(|it| it.values_mut()) {
        let count = seen.entry(fingerprint.clone()).or_default();
        *count += 1;
        fingerprint.push_str(&format!(":{count}"));
    }
}

fn notification(words: &str) -> Notification {
    Notification::builder().message(text(&places::unlinked(words))).build()
}

fn text(words: &str) -> Message {
    Message { text: Some(words.to_owned()), ..Message::default() }
}

/// Properties that have a value.
fn bag(entries: &[(&str, serde_json::Value)]) -> PropertyBag {
    let kept = entries.iter().filter(|(_, value)| !value.is_null() && value.as_array().is_none_or(|it| !it.is_empty()));
    PropertyBag {
        tags: None,
        additional_properties: kept.map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::document::sample;

    fn written(sources: &Sources, it: &Document) -> Value {
        let text = document(sources, it);
        let log: Sarif = serde_json::from_str(&text).expect("it is SARIF");
        let again = serde_json::to_value(&log).expect("it can be written again");
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(again, value, "a key is not one of SARIF's");
        value
    }

    #[test]
    fn a_failure_with_its_suspect_and_fix() {
        let log = written(&sample::sources(), &sample::document());
        let results = &log["runs"][0]["results"];
        assert_eq!(results[0]["ruleId"], "array-index");
        let words = results[0]["message"]["text"].as_str().unwrap();
        assert!(words.ends_with("The most suspect is [line 8](3): `i` is 2, and with 1 it does not fail."), "{words}");
        let flow = &results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
        assert_eq!(flow[0]["state"]["i"]["text"], "2");
        assert_eq!(flow[0]["importance"], "essential");
        assert_eq!((&flow[2]["nestingLevel"], &flow[2]["executionOrder"]), (&json!(2), &json!(4)));
        let frames = results[0]["stacks"][0]["frames"].as_array().expect("it was called");
        assert_eq!(frames[0]["location"]["physicalLocation"], results[0]["locations"][0]["physicalLocation"]);
        assert_eq!(frames[1]["location"]["logicalLocations"][0]["fullyQualifiedName"], "main");
        let change = &results[1]["fixes"][0]["artifactChanges"][0];
        let region = json!({ "startLine": 8, "startColumn": 26, "endLine": 8, "endColumn": 27 });
        assert_eq!(change["replacements"][0]["deletedRegion"], region);
        assert_eq!(change["replacements"][0]["insertedContent"]["text"], "1");
        assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 1);
    }

    #[test]
    fn fingerprints_survive_lines_above() {
        let prints = |text: String, down: u32| {
            let mut sources = Sources::with_base("/p");
            sources.add("a.c", Some(text));
            let mut it = sample::document();
            let place = it.failures[0].place.as_mut().unwrap();
            (place.line, place.end_line) = (place.line + down, place.end_line + down);
            written(&sources, &it)["runs"][0]["results"][0]["partialFingerprints"].clone()
        };
        let before = prints(sample::TEXT.to_owned(), 0);
        assert!(before[FINGERPRINT].is_string());
        assert_eq!(prints(format!("\n\n{}", sample::TEXT), 2), before);
        assert_ne!(prints(sample::TEXT.replace("i + 1", "i + 2"), 0), before);
    }

    #[test]
    fn equal_results_have_different_fingerprints() {
        let mut it = sample::document();
        it.failures.push(it.failures[0].clone());
        let log = written(&sample::sources(), &it);
        let print = |index: usize| log["runs"][0]["results"][index]["partialFingerprints"][FINGERPRINT].clone();
        assert_ne!(print(0), print(1));
    }

    #[test]
    fn a_program_without_its_files() {
        let mut it = sample::document();
        it.failures[0].place = None;
        it.failures[0].message = "`table[i](x)` calls through a null pointer".to_owned();
        let log = written(&Sources::with_base("/p"), &it);
        let results = &log["runs"][0]["results"];
        assert_eq!(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.c");
        assert!(results[0]["message"]["text"].as_str().unwrap().starts_with("`table\\[i\\](x)`"));
        assert!(results[1]["fixes"].is_null(), "the patch is for another text");
    }
}
