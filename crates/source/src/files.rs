//! The table of source files.
//!
//! Paths as debug info names them → [`FileId`]s, and from those the text, its lines, and the way
//! between byte offsets, positions and spans. A file is interned once, by its absolute path with
//! `.` and `..` taken out. Its text is read when first asked for, from the disk or from memory,
//! and parsed when first asked about; both are kept, and any number of threads may ask.
//!
//! A file that is missing, is no regular file, or is too large has no text: every question about
//! it answers `None`. Nothing here writes files.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use crate::syntax::Tree;
use crate::syntax::casts::TypeNames;
use crate::text::Text;
use crate::tokens::Tokens;
use crate::{FileId, Place, Position, Span};

/// The source files of a program.
#[derive(Debug, Default)]
pub struct Sources {
    /// Relative paths are relative to this folder, and paths under it are shown relative to it.
    base: PathBuf,
    files: Vec<SourceFile>,
    by_path: BTreeMap<PathBuf, FileId>,
}

#[derive(Debug)]
struct SourceFile {
    shown: String,
    absolute: PathBuf,
    text: OnceLock<Option<Text>>,
    tree: OnceLock<Option<Tree>>,
    tokens: OnceLock<Tokens>,
    types: OnceLock<TypeNames>,
}

impl Sources {
    /// An empty table whose base is the current folder.
    pub fn new() -> Self {
        // Without a current folder, paths stay as they are given.
        Sources::with_base(std::env::current_dir().unwrap_or_default())
    }

    /// An empty table whose relative paths start at `base`.
    pub fn with_base(base: impl AsRef<Path>) -> Self {
        Sources { base: normalized(base.as_ref()), ..Sources::default() }
    }

    /// The file at `path`. With a text, the file has that text and the disk is not read;
    /// a file that was known gets the new text, and spans into its old text lose their meaning.
    pub fn add(&mut self, path: impl AsRef<Path>, text: Option<String>) -> FileId {
        let written = self.base.join(path);
        let id = self.intern(written);
        if let Some(text) = text {
            let file = &mut self.files[id.0 as usize];
            file.text = OnceLock::from(Text::from_string(text));
            file.tree = OnceLock::new();
            file.tokens = OnceLock::new();
            file.types = OnceLock::new();
        }
        id
    }

    /// The file that debug info calls `filename` in the compilation folder `directory`, which
    /// may be empty.
    pub fn add_from_debug_info(&mut self, directory: &str, filename: &str) -> FileId {
        self.add(Path::new(directory).join(filename), None)
    }

    fn intern(&mut self, written: PathBuf) -> FileId {
        let key = normalized(&written);
        if let Some(&id) = self.by_path.get(&key) {
            return id;
        }
        let id = FileId(self.files.len() as u32);
        let shown = match key.strip_prefix(&self.base) {
            Ok(below) if !below.as_os_str().is_empty() => below,
            _ => &key,
        };
        self.files.push(SourceFile {
            shown: shown.to_string_lossy().into_owned(),
            // As written: with symbolic links, `a/../b` is not always `b`.
            absolute: written,
            text: OnceLock::new(),
            tree: OnceLock::new(),
            tokens: OnceLock::new(),
            types: OnceLock::new(),
        });
        self.by_path.insert(key, id);
        id
    }

    /// The file at `path`, if it was added.
    pub fn find(&self, path: impl AsRef<Path>) -> Option<FileId> {
        self.by_path.get(&normalized(&self.base.join(path))).copied()
    }

    /// All files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// The path to show to people: relative to the base where the file is under it.
    pub fn path(&self, file: FileId) -> &str {
        self.get(file).map_or("<unknown file>", |file| &file.shown)
    }

    /// The path to read the file at.
    pub fn absolute_path(&self, file: FileId) -> Option<&Path> {
        self.get(file).map(|file| file.absolute.as_path())
    }

    /// The text of a file, with `?` for each byte that is not UTF-8.
    pub fn text(&self, file: FileId) -> Option<&str> {
        self.decoded(file).map(Text::as_str)
    }

    /// The bytes of a file; offsets in them and in the text are the same.
    pub fn bytes(&self, file: FileId) -> Option<&[u8]> {
        self.decoded(file).map(Text::bytes)
    }

    /// Line `number`, from 1, without its terminator.
    pub fn line(&self, file: FileId, number: u32) -> Option<&str> {
        self.decoded(file)?.line(number)
    }

    /// Where a text stands in the line of a place, as a word of its own.
    pub fn word_in_line(&self, place: Place, word: &str) -> Option<Span> {
        let line = self.line(place.file, place.position.line)?;
        let is_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
        let alone = |at: usize| {
            let (before, after) = (&line[..at], &line[at + word.len()..]);
            !is_word(before.chars().next_back()) && !is_word(after.chars().next())
        };
        let (at, _) = line.match_indices(word).find(|(at, _)| !word.is_empty() && alone(*at))?;
        let mut span = Span { file: place.file, start: place.position, end: place.position };
        span.start.column = at as u32 + 1;
        span.end.column = (at + word.len()) as u32 + 1;
        Some(span)
    }

    /// How many lines a file has; 0 if it has no text.
    pub fn line_count(&self, file: FileId) -> u32 {
        self.decoded(file).map_or(0, Text::line_count)
    }

    /// The text in a span, if all of it exists.
    pub fn text_of(&self, span: Span) -> Option<&str> {
        self.text(span.file)?.get(self.range(span)?)
    }

    /// The byte offset of a place. `None` for line or column 0, which the compiler gives to what
    /// it made up, and beyond the line's end.
    pub fn offset(&self, place: Place) -> Option<usize> {
        self.decoded(place.file)?.offset(place.position)
    }

    /// The position of a byte offset; beyond the file's end it is the end's.
    pub fn position(&self, file: FileId, offset: usize) -> Option<Position> {
        Some(self.decoded(file)?.position(offset))
    }

    /// The byte offsets of a span, if it exists and does not end before it starts.
    pub fn range(&self, span: Span) -> Option<Range<usize>> {
        let text = self.decoded(span.file)?;
        let range = text.offset(span.start)?..text.offset(span.end)?;
        (range.start <= range.end).then_some(range)
    }

    /// The span of a range of byte offsets.
    pub fn span(&self, file: FileId, range: Range<usize>) -> Option<Span> {
        let text = self.decoded(file)?;
        Some(Span { file, start: text.position(range.start), end: text.position(range.end) })
    }

    /// The nearest span that the file has, for showing a place that may be off.
    pub fn clamp(&self, span: Span) -> Option<Span> {
        let text = self.decoded(span.file)?;
        let start = text.clamp(span.start)?;
        let end = text.clamp(span.end)?.max(start);
        Some(Span { file: span.file, start, end })
    }

    fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    pub(crate) fn decoded(&self, file: FileId) -> Option<&Text> {
        let file = self.get(file)?;
        file.text.get_or_init(|| read(&file.absolute)).as_ref()
    }

    /// The syntax tree of a file, parsed once.
    pub(crate) fn tree(&self, id: FileId) -> Option<&Tree> {
        let (text, tokens, types) = (self.text(id)?, self.tokens(id)?, self.type_names(id)?);
        self.get(id)?.tree.get_or_init(|| Tree::parse(text, tokens, types)).as_ref()
    }

    /// The names that are types in a file, collected once.
    pub(crate) fn type_names(&self, id: FileId) -> Option<&TypeNames> {
        let (text, tokens) = (self.text(id)?, self.tokens(id)?);
        Some(self.get(id)?.types.get_or_init(|| TypeNames::of(text, tokens)))
    }

    /// The tokens of a file, lexed once.
    pub(crate) fn tokens(&self, id: FileId) -> Option<&Tokens> {
        let text = self.text(id)?;
        Some(self.get(id)?.tokens.get_or_init(|| Tokens::lex(text)))
    }
}

/// Reads a regular file; a pipe or a terminal, which debug info may name too, would block.
fn read(path: &Path) -> Option<Text> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    Text::from_bytes(std::fs::read(path).ok()?)
}

/// The path without `.` and, as far as names show it, without `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match result.components().next_back() {
                Some(Component::Normal(_)) => drop(result.pop()),
                Some(Component::RootDir) => {}
                _ => result.push(".."),
            },
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How debug info's directory and file name are shown, with the base `/p/me/project`.
    #[track_caller]
    fn check(directory: &str, filename: &str, shown: &str) {
        let mut sources = Sources::with_base("/p/me/project");
        let file = sources.add_from_debug_info(directory, filename);
        assert_eq!(sources.path(file), shown);
        assert_eq!(sources.find(shown), Some(file));
        assert_eq!(sources.add_from_debug_info(directory, filename), file);
    }

    #[test]
    fn paths_are_normalized_and_shown_relative_to_the_base() {
        check("/p/me/project", "a.c", "a.c");
        check("/p/me/project", "./sub/../a.c", "a.c");
        check("/p/me/project/sub", "../a.c", "a.c");
        check("/p/me/project/sub", "b.c", "sub/b.c");
        check("/p/me/project", "/p/me/project/a.c", "a.c");
        check("/p/me/other", "a.c", "/p/me/other/a.c");
        check("/", "../../a.c", "/a.c");
        check("", "a.c", "a.c");
        check("", "<stdin>", "<stdin>");
        check("/p/me/project", "..", "/p/me");
        check("/p/me/project", "", "/p/me/project");
    }

    #[test]
    fn a_word_is_not_a_part_of_another() {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some("static int counter, count;\n".to_owned()));
        let place = Place { file, position: Position { line: 1, column: 1 } };
        let found = sources.word_in_line(place, "count").expect("it is there");
        assert_eq!((found.start.column, found.end.column), (21, 26));
        assert_eq!(sources.word_in_line(place, "tic"), None);
        assert_eq!(sources.word_in_line(place, ""), None);
    }

    #[test]
    fn names_for_one_file_give_one_id() {
        let mut sources = Sources::with_base("/p");
        let first = sources.add("src/a.c", Some("x".into()));
        assert_eq!(sources.add("/p/src/./a.c", None), first);
        assert_eq!(sources.add_from_debug_info("/p/build", "../src/a.c"), first);
        let second = sources.add("b.c", None);
        assert_eq!(sources.files().collect::<Vec<_>>(), [first, second]);
        assert_eq!(sources.find("c.c"), None);
        assert_eq!(sources.text(first), Some("x"));
    }

    #[test]
    fn a_file_without_text_answers_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut sources = Sources::with_base(folder.path());
        for path in ["missing.c", "."] {
            let file = sources.add(path, None);
            let place = Place::new(file, 1, 1);
            assert_eq!(sources.text(file), None);
            assert_eq!(sources.line_count(file), 0);
            assert_eq!(sources.line(file, 1), None);
            assert_eq!(sources.offset(place), None);
            assert!(sources.operator_at(place).is_none());
        }
        assert_eq!(sources.text(FileId(77)), None);
        assert_eq!(sources.path(FileId(77)), "<unknown file>");
    }

    #[test]
    fn text_comes_from_the_disk_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, b"int caf\xe9;\r\nint x;").unwrap();
        let mut sources = Sources::with_base(folder.path());
        let file = sources.add("a.c", None);
        assert_eq!(sources.line(file, 1), Some("int caf?;"));
        std::fs::write(&path, "changed").unwrap();
        assert_eq!(sources.line(file, 2), Some("int x;"));
        assert_eq!(sources.bytes(file), Some(&b"int caf\xe9;\r\nint x;"[..]));
    }

    #[test]
    fn a_new_text_replaces_the_old_one_and_what_was_known_of_it() {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some("int x = a + b;".into()));
        assert!(sources.operator_at(Place::new(file, 1, 11)).is_some());
        sources.add("a.c", Some("int x = ab + b;".into()));
        assert!(sources.operator_at(Place::new(file, 1, 11)).is_none());
        assert!(sources.operator_at(Place::new(file, 1, 12)).is_some());
    }

    #[test]
    fn spans_give_their_text_only_where_they_exist() {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some("ab\ncé\n".into()));
        let text = |start: (u32, u32), end: (u32, u32)| {
            let position = |(line, column)| Position { line, column };
            let span = Span { file, start: position(start), end: position(end) };
            sources.text_of(span).map(str::to_owned)
        };
        assert_eq!(text((1, 1), (1, 3)).as_deref(), Some("ab"));
        assert_eq!(text((1, 2), (2, 2)).as_deref(), Some("b\nc"));
        assert_eq!(text((2, 1), (3, 1)).as_deref(), Some("cé\n"));
        assert_eq!(text((2, 1), (2, 3)), None, "inside a character");
        assert_eq!(text((1, 3), (1, 1)), None, "backwards");
        assert_eq!(text((1, 1), (1, 9)), None, "beyond the line");
        assert_eq!(text((0, 0), (1, 1)), None, "made up by the compiler");
    }

    #[test]
    fn threads_may_share_the_table() {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some("int f(void) { return a + b; }\n".repeat(100)));
        std::thread::scope(|scope| {
            for line in 1..=8 {
                let sources = &sources;
                scope.spawn(move || {
                    let operator = sources.operator_at(Place::new(file, line, 24));
                    assert_eq!(operator.map(|found| found.text).as_deref(), Some("+"));
                });
            }
        });
    }
}
