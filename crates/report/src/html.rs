//! Reports as one page for a browser: the source with its suspects, the trace to step through, patches and reasons.
//!
//! A [`Document`] and its sources → an HTML file that needs nothing else, no network and no other file. The page's
//! own text, style and script are files in `html/`; the report is put into it as JSON, of which nothing can end the
//! element that it is in. Of large files the lines around what is spoken of are put in, and of very long lines the
//! beginning.

use std::collections::{BTreeMap, BTreeSet};

use diagnosis::{Diagnosis, ErrorTrace};
use serde::Serialize;
use source::Sources;

use crate::checked::Checked;
use crate::document::build::{self, Surroundings};
use crate::document::{Document, Range};
use crate::finding::Report;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// A file with at most so many lines is put in as a whole.
const WHOLE_LINES: u32 = 3_000;
/// Of a larger one, so many lines around each place.
const AROUND: u32 = 60;
/// Bytes of a line that are shown.
const LONGEST_LINE: usize = 2_000;

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

#[derive(Serialize)]
struct Data<'a> {
    document: &'a Document,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: String,
    /// Lines of the whole file.
    total: u32,
    chunks: Vec<Chunk<'a>>,
}

#[derive(Serialize)]
struct Chunk<'a> {
    /// Its first line's number.
    first: u32,
    lines: Vec<&'a str>,
}

/// The sources are those that the document names.
pub fn document(sources: &Sources, document: &Document) -> String {
    let mut named: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    document.places(|place: &Range| {
        named.entry(place.file.clone()).or_default().extend([place.line, place.end_line]);
    });
    for file in document.program.files.iter().filter_map(|file| sources.find(file)) {
        named.entry(sources.path(file).to_owned()).or_default();
    }
    let files = named.iter().filter_map(|(path, lines)| file(sources, path, lines)).collect();
    let data = serde_json::to_string(&Data { document, files }).expect("strings and numbers can always be written");
    let title = document.failures.first().map_or("Faultline", |failure| failure.message.as_str());
    let parts = [
        ("{{title}}", escaped(title)),
        ("{{style}}", STYLE.to_owned()),
        ("{{data}}", harmless(&data)),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    filled(PAGE, &parts)
}

/// Puts each part where its name stands. What was put in is not looked at again, whatever it says.
fn filled(page: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some(start) = rest.find("{{") {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        match parts.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, part)) => {
                text.push_str(part);
                rest = &rest[name.len()..];
            }
            None => {
                text.push_str("{{");
                rest = &rest[2..];
            }
        }
    }
    text.push_str(rest);
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON in which no `</script>` and no `<!--` can be.
fn harmless(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn file<'a>(sources: &'a Sources, path: &str, lines: &BTreeSet<u32>) -> Option<File<'a>> {
    let id = sources.find(path)?;
    let total = sources.line_count(id);
    let mut chunks: Vec<Chunk<'a>> = Vec::new();
    let around = |line: &u32| (line.saturating_sub(AROUND).max(1), (line + AROUND).min(total));
    let ranges: Vec<(u32, u32)> =
        if total <= WHOLE_LINES { vec![(1, total)] } else { lines.iter().map(around).collect() };
    let mut next = 1;
    for (first, last) in ranges {
        let shown = (first.max(next)..=last).filter_map(|number| sources.line(id, number)).map(cut);
        match chunks.last_mut() {
            Some(chunk) if first <= next => chunk.lines.extend(shown),
            _ => chunks.push(Chunk { first: first.max(next), lines: shown.collect() }),
        }
        next = next.max(last + 1);
    }
    (total > 0).then(|| File { path: path.to_owned(), total, chunks })
}

/// The beginning of a line, up to the longest that is shown.
fn cut(line: &str) -> &str {
    let mut end = line.len().min(LONGEST_LINE);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::sample;

    #[test]
    fn nothing_in_the_data_ends_the_script() {
        let mut it = sample::document();
        it.failures[0].message = "</script><!-- {{script}} & \u{2028}".to_owned();
        let page = document(&sample::sources(), &it);
        assert_eq!(page.matches("</script>").count(), 2, "the data's own and the script's own");
        assert!(!page.contains("<!--"));
        assert!(page.contains("<title>&lt;/script&gt;&lt;!-- {{script}} &amp; "));
        assert!(!page.contains("http://") && !page.contains("https://"), "a page needs no network");
    }

    #[test]
    fn of_large_files_only_what_is_spoken_of_is_there() {
        let mut sources = Sources::with_base("/p");
        sources.add("a.c", Some("x\n".repeat(10_000)));
        let lines = BTreeSet::from([5, 100, 9_999]);
        let file = file(&sources, "a.c", &lines).unwrap();
        let chunks: Vec<(u32, usize)> = file.chunks.iter().map(|it| (it.first, it.lines.len())).collect();
        assert_eq!(chunks, [(1, 160), (9_939, (file.total - 9_938) as usize)]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        assert_eq!(cut(&"é".repeat(1_500)).len(), 2_000);
        assert_eq!(cut(&format!("x{}", "é".repeat(1_500))).len(), 1_999);
    }
}
