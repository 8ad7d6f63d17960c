//! Files, ranges and links as SARIF has them: URIs, UTF-16 columns, regions.

use serde_sarif::sarif::{ArtifactContent, ArtifactLocation, Location, LogicalLocation, PhysicalLocation, Region};
use source::{Sources, Span};

use crate::columns::utf16;
use crate::document::{Document, Range};

/// What relative paths are relative to; GitHub knows this name.
pub const BASE: &str = "%SRCROOT%";

pub struct Places<'a> {
    pub sources: &'a Sources,
    document: &'a Document,
}

impl<'a> Places<'a> {
    pub fn new(sources: &'a Sources, document: &'a Document) -> Places<'a> {
        Places { sources, document }
    }

    /// A file, with its number in the list of artifacts.
    pub fn file(&self, path: &str) -> ArtifactLocation {
        let is_absolute = path.starts_with('/');
        let uri = if is_absolute { format!("file://{}", encoded(path)) } else { encoded(path) };
        let index = self.document.sources.iter().position(|it| it.file == path);
        ArtifactLocation {
            uri: Some(uri),
            uri_base_id: (!is_absolute).then(|| BASE.to_owned()),
            index: index.map(|it| it as i64),
            ..ArtifactLocation::default()
        }
    }

    pub fn location(&self, place: &Range) -> Location {
        let physical = PhysicalLocation {
            artifact_location: Some(self.file(&place.file)),
            region: Some(self.region(place)),
            ..PhysicalLocation::default()
        };
        Location { physical_location: Some(physical), ..Location::default() }
    }

    /// With the function. What has no place is said to be in the first file: GitHub takes no result without one.
    pub fn place(&self, place: Option<&Range>, function: &str) -> Location {
        let first = || {
            let file = self.document.program.files.first().map(|file| self.file(file));
            let physical = PhysicalLocation { artifact_location: file, ..PhysicalLocation::default() };
            Location { physical_location: Some(physical), ..Location::default() }
        };
        let name = LogicalLocation {
            name: Some(function.to_owned()),
            kind: Some("function".to_owned()),
            ..LogicalLocation::default()
        };
        Location {
            logical_locations: (!function.is_empty()).then(|| vec![name]),
            ..place.map_or_else(first, |place| self.location(place))
        }
    }

    fn region(&self, place: &Range) -> Region {
        let known = place.column > 0;
        let snippet =
            place.text.as_ref().map(|text| ArtifactContent { text: Some(text.clone()), ..Default::default() });
        Region {
            start_line: Some(i64::from(place.line.max(1))),
            start_column: known.then(|| self.column(&place.file, place.line, place.column)),
            end_line: Some(i64::from(place.end_line.max(place.line).max(1))),
            end_column: known.then(|| self.column(&place.file, place.end_line, place.end_column.max(1))),
            snippet,
            ..Region::default()
        }
    }

    /// What a fix takes out; it may be empty.
    pub fn deleted(&self, span: Span) -> Region {
        let path = self.sources.path(span.file);
        Region {
            start_line: Some(i64::from(span.start.line)),
            start_column: Some(self.column(path, span.start.line, span.start.column)),
            end_line: Some(i64::from(span.end.line)),
            end_column: Some(self.column(path, span.end.line, span.end.column)),
            ..Region::default()
        }
    }

    /// The text of the line of a place.
    pub fn line(&self, place: &Range) -> &'a str {
        let file = self.sources.find(&place.file);
        file.and_then(|file| self.sources.line(file, place.line)).unwrap_or_default()
    }

    /// From a column in bytes to one in UTF-16 code units, both from 1.
    fn column(&self, path: &str, line: u32, column: u32) -> i64 {
        let text = self.sources.find(path).and_then(|file| self.sources.line(file, line)).unwrap_or_default();
        i64::from(utf16(text, column)) + 1
    }
}

/// A path in a URI: everything but letters, digits and a few signs is percent-encoded.
fn encoded(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Words of a program in a message, where `a[i](x)` would pass for a link.
pub fn unlinked(words: &str) -> String {
    match words.contains("](") {
        true => link_text(words),
        false => words.to_owned(),
    }
}

/// Words in the brackets of a link.
pub fn link_text(words: &str) -> String {
    words.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::sample;

    #[test]
    fn paths_become_uris() {
        assert_eq!(encoded("src/a b%.c"), "src/a%20b%25.c");
        assert_eq!(encoded("é:c"), "%C3%A9%3Ac");
        let (sources, document) = (sample::sources(), sample::document());
        let places = Places::new(&sources, &document);
        assert_eq!(places.file("/usr/x.h").uri.as_deref(), Some("file:///usr/x.h"));
        assert_eq!(places.file("/usr/x.h").uri_base_id, None);
        assert_eq!(places.file("a.c").uri_base_id.as_deref(), Some(BASE));
    }

    #[test]
    fn columns_count_utf16_units() {
        let mut sources = Sources::with_base("/p");
        sources.add("a.c", Some("/* é😀 */ x".to_owned()));
        let document = sample::document();
        let places = Places::new(&sources, &document);
        // Bytes: é is 2, 😀 is 4. Units: 1 and 2.
        assert_eq!(places.column("a.c", 1, 4), 4);
        assert_eq!(places.column("a.c", 1, 6), 5);
        assert_eq!(places.column("a.c", 1, 10), 7);
        assert_eq!(places.column("a.c", 1, 14), 11);
        assert_eq!(places.column("gone.c", 1, 14), 14);
    }

    #[test]
    fn brackets_do_not_become_links() {
        assert_eq!(unlinked("`a[i]` (3)"), "`a[i]` (3)");
        assert_eq!(unlinked("`f[i](3)`"), "`f\\[i\\](3)`");
    }
}
