//! Macros that the lines of a suspect use: debug places know only the use.
//!
//! They are looked for in the text: in the file itself, before the use, and in the headers beside it that it includes. Of several
//! definitions, all count, since it is not known here which the preprocessor took; the last one is shown.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use source::{FileId, Position, Sources, Span};

/// Macros that are told of one suspect.
const MOST: usize = 3;
/// Headers that are looked into, and lines of a definition that are shown.
const MOST_HEADERS: usize = 32;
const MOST_LINES: u32 = 8;

/// A macro that is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    pub file: FileId,
    /// From `#` on.
    pub name: Span,
    /// The lines of its definition.
    pub first: u32,
    pub last: u32,
    word: String,
    /// The lines of other definitions of it.
    others: Vec<u32>,
}

impl Used {
    pub fn told(&self) -> String {
        let others: Vec<String> = self.others.iter().map(u32::to_string).collect();
        match others.is_empty() {
            true => format!("the macro `{}`", self.word),
            false => format!("the macro `{}`, or as in line {}", self.word, others.join(", ")),
        }
    }
}

/// A line that defines a macro, and those that continue it.
#[derive(Clone, Debug)]
struct Definition {
    /// It has parameters, and so computes; a constant does not.
    computes: bool,
    is_empty: bool,
    column: u32,
    first: u32,
    last: u32,
}

/// What a file says of macros.
#[derive(Default)]
struct Known {
    definitions: BTreeMap<String, Vec<Definition>>,
    headers: Vec<FileId>,
}

/// The macros of files, each read once.
#[derive(Default)]
pub struct Macros {
    files: BTreeMap<FileId, Known>,
}

impl Macros {
    /// What some lines use, those of the first line first. What computes is of interest wherever it is used; a constant, or a word
    /// for nothing, in the first line itself.
    pub fn used(&mut self, sources: &mut Sources, first: (&Arc<str>, u32), lines: &[(Arc<str>, u32)]) -> Vec<Used> {
        let mut found: Vec<Used> = Vec::new();
        let others = lines.iter().map(|it| (&it.0, it.1)).filter(|it| *it != first);
        for at in std::iter::once(first).chain(others) {
            let file = sources.add(&**at.0, None);
            let files = self.with_headers(sources, file);
            let Some(text) = sources.line(file, at.1) else { continue };
            for word in words(text) {
                if found.len() >= MOST || found.iter().any(|it| it.word == word) {
                    continue;
                }
                let counts = |it: &&Definition| it.computes || at == first && !it.is_empty;
                let before = |it: FileId| if it == file { at.1 } else { u32::MAX };
                found.extend(files.iter().find_map(|it| self.defined(*it, word, before(*it), counts)));
            }
        }
        found
    }

    /// A macro as one file defines it, before a line.
    fn defined(&self, file: FileId, word: &str, before: u32, counts: impl Fn(&&Definition) -> bool) -> Option<Used> {
        let all = self.files.get(&file)?.definitions.get(word)?;
        let all: Vec<&Definition> = all.iter().filter(|it| it.first < before).filter(counts).collect();
        let (taken, others) = all.split_last()?;
        let start = Position { line: taken.first, column: taken.column };
        Some(Used {
            file,
            name: Span { file, start, end: start },
            first: taken.first,
            last: taken.last.min(taken.first + MOST_LINES - 1),
            word: word.to_owned(),
            others: others.iter().map(|it| it.first).collect(),
        })
    }

    /// A file and the headers that it includes by name, and these, where they are beside it.
    fn with_headers(&mut self, sources: &mut Sources, file: FileId) -> Vec<FileId> {
        let mut files = vec![file];
        let mut at = 0;
        while at < files.len() && files.len() < MOST_HEADERS {
            let known = self.files.entry(files[at]).or_insert_with_key(|it| read(sources, *it));
            let new: Vec<FileId> = known.headers.iter().filter(|it| !files.contains(it)).copied().collect();
            files.extend(new);
            at += 1;
        }
        files
    }
}

fn read(sources: &mut Sources, file: FileId) -> Known {
    let Some(text) = sources.text(file) else { return Known::default() };
    let mut definitions: BTreeMap<String, Vec<Definition>> = BTreeMap::new();
    let mut names = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((first, line)) = lines.next() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        if let Some(name) = directive.strip_prefix("include").and_then(|it| it.trim_start().strip_prefix('"')) {
            names.extend(name.split('"').next().map(str::to_owned));
        }
        let Some(rest) = directive.strip_prefix("define").map(str::trim_start) else { continue };
        let (word, body) = rest.split_at(rest.find(|it: char| !is_word(it)).unwrap_or(rest.len()));
        let (mut last, mut end) = (first, line);
        while let Some(next) = end.ends_with('\\').then(|| lines.next()).flatten() {
            (last, end) = next;
        }
        let column = (line.len() - line.trim_start().len()) as u32 + 1;
        let (computes, is_empty) = (body.starts_with('('), body.trim().is_empty());
        let definition = Definition { computes, is_empty, column, first, last };
        definitions.entry(word.to_owned()).or_default().push(definition);
    }
    let folder = Path::new(sources.path(file)).parent().map(Path::to_path_buf).unwrap_or_default();
    let headers: Vec<FileId> = names.into_iter().map(|it| sources.add(folder.join(it), None)).collect();
    Known { definitions, headers: headers.into_iter().filter(|it| sources.text(*it).is_some()).collect() }
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|it: char| !is_word(it)).filter(|it| it.starts_with(|it: char| !it.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_macros_are_defined() {
        let folder = tempfile::tempdir().unwrap();
        let code = "#include \"b.h\"\n#ifdef W\n# define T(x) L##x\n#else\n# define T(x) x\n#endif\n#define NONE\n\
                    int f(int n)\n{\n    NONE\n    return T(n) + LIMIT + SUM(n) + SUM(n);\n}\n#define LIMIT 7\n";
        let path = folder.path().join("a.c");
        std::fs::write(&path, code).unwrap();
        std::fs::write(folder.path().join("b.h"), "#define LIMIT 9\n#define SUM(n) \\\n    (n + \\\n     LIMIT)\n")
            .unwrap();
        let mut sources = Sources::with_base(folder.path());
        let path: Arc<str> = path.to_str().unwrap().into();
        let mut macros = Macros::default();
        let mut told = |lines: &[u32]| -> Vec<(String, u32, u32)> {
            let lines: Vec<(Arc<str>, u32)> = lines.iter().map(|it| (path.clone(), *it)).collect();
            let found = macros.used(&mut sources, (&lines[0].0, lines[0].1), &lines);
            found.iter().map(|it| (it.told(), it.first, it.last)).collect()
        };
        let sum = ("the macro `SUM`".to_owned(), 2, 4);
        let text = ("the macro `T`, or as in line 3".to_owned(), 5, 5);
        assert_eq!(told(&[11]), [text.clone(), ("the macro `LIMIT`".to_owned(), 1, 1), sum.clone()]);
        // Constants only where they are used in the first line, and words for nothing not at all.
        assert_eq!(told(&[10, 11]), [text, sum]);
    }
}
