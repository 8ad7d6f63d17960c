//! The text of one file with its line index.
//!
//! Bytes → text. Lines end as clang counts them: at `\n`, `\r\n` or a lone `\r`. A byte that is
//! not UTF-8 becomes one `?`, so that every column stays where the compiler saw it; the bytes
//! as they were are kept beside the text for patches. A line's text never has its terminator.
//!
//! Not here: which files there are ([`crate::Sources`]), and what the text means.

use std::ops::Range;

use crate::Position;

/// A file's text, decoded once.
#[derive(Debug)]
pub(crate) struct Text {
    text: String,
    /// The file's bytes, where they differ from `text`.
    undecoded: Option<Vec<u8>>,
    /// The offset at which each line begins; the first is 0.
    line_starts: Vec<u32>,
}

impl Text {
    /// `None` if the file is larger than offsets can say.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Option<Text> {
        match String::from_utf8(bytes) {
            Ok(text) => Text::new(text, None),
            Err(error) => {
                let bytes = error.into_bytes();
                Text::new(decode(&bytes), Some(bytes))
            }
        }
    }

    pub(crate) fn from_string(text: String) -> Option<Text> {
        Text::new(text, None)
    }

    fn new(text: String, undecoded: Option<Vec<u8>>) -> Option<Text> {
        u32::try_from(text.len()).ok()?;
        let line_starts = line_starts(text.as_bytes());
        Some(Text { text, undecoded, line_starts })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The bytes of the file itself, equal in length to the text.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.undecoded.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// How many lines an editor would show: text after the last terminator counts as one.
    pub(crate) fn line_count(&self) -> u32 {
        let begun = self.line_starts.len();
        let last_is_empty = self.line_starts[begun - 1] as usize == self.text.len();
        (begun - usize::from(last_is_empty)) as u32
    }

    /// Line `number`, from 1, without its terminator.
    pub(crate) fn line(&self, number: u32) -> Option<&str> {
        if number > self.line_count() {
            return None;
        }
        self.text.get(self.line_range(number)?)
    }

    /// Where line `number` stands, without its terminator. The empty line after a final
    /// terminator has a range too, because a span may end there.
    fn line_range(&self, number: u32) -> Option<Range<usize>> {
        let index = number.checked_sub(1)? as usize;
        let start = *self.line_starts.get(index)? as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let kept = length_without_terminator(&self.text.as_bytes()[start..end]);
        Some(start..start + kept)
    }

    /// The offset of a position; `None` beyond the line's end and for line or column 0, which
    /// the compiler gives to what it made up itself.
    pub(crate) fn offset(&self, position: Position) -> Option<usize> {
        let line = self.line_range(position.line)?;
        let offset = line.start + position.column.checked_sub(1)? as usize;
        (offset <= line.end).then_some(offset)
    }

    /// The position of an offset; past the end it is the end's.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start as usize <= offset);
        let start = self.line_starts[line - 1] as usize;
        Position { line: line as u32, column: (offset - start) as u32 + 1 }
    }

    /// The nearest position that the text has: columns are cut at the line's end, lines at the
    /// text's end. `None` for line 0, which is near nothing.
    pub(crate) fn clamp(&self, position: Position) -> Option<Position> {
        if position.line == 0 {
            return None;
        }
        let Some(line) = self.line_range(position.line) else {
            return Some(self.position(self.text.len()));
        };
        let longest = line.len() as u32 + 1;
        Some(Position { line: position.line, column: position.column.clamp(1, longest) })
    }
}

/// The length of a line's bytes without its terminator.
fn length_without_terminator(line: &[u8]) -> usize {
    match line {
        [kept @ .., b'\r', b'\n'] | [kept @ .., b'\n' | b'\r'] => kept.len(),
        all => all.len(),
    }
}

fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let mut starts = vec![0];
    for (index, &byte) in bytes.iter().enumerate() {
        let ends_line = match byte {
            b'\n' => true,
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends_line {
            starts.push(index as u32 + 1);
        }
    }
    starts
}

/// UTF-8 with one `?` for each byte that is none.
fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a text, and that offsets and positions are each other's inverse.
    #[track_caller]
    fn check(bytes: &[u8], lines: &[&str]) {
        let text = Text::from_bytes(bytes.to_vec()).expect("small enough");
        let found: Vec<_> = (1..=text.line_count()).filter_map(|n| text.line(n)).collect();
        assert_eq!(found, lines);
        assert_eq!(text.line(0), None);
        assert_eq!(text.line(text.line_count() + 1), None);
        assert_eq!(text.bytes(), bytes);
        assert_eq!(text.as_str().len(), bytes.len());
        for offset in 0..=bytes.len() {
            let position = text.position(offset);
            match text.offset(position) {
                Some(back) => assert_eq!(back, offset, "at {position}"),
                // Only the second byte of a `\r\n` has no position of its own.
                None => assert_eq!(&bytes[offset - 1..offset + 1], b"\r\n", "at {position}"),
            }
        }
    }

    #[test]
    fn lines_end_as_clang_counts_them() {
        check(b"", &[]);
        check(b"\n", &[""]);
        check(b"a", &["a"]);
        check(b"a\nb\n", &["a", "b"]);
        check(b"a\r\n\r\nb", &["a", "", "b"]);
        check(b"a\rb\r", &["a", "b"]);
        check(b"\ta\n\n", &["\ta", ""]);
    }

    #[test]
    fn bytes_that_are_not_utf8_keep_their_columns() {
        check(b"/* caf\xe9 */ x;\n", &["/* caf? */ x;"]);
        check(b"\xff\xfe\n\xf0\x9f\n", &["??", "??"]);
        check("/* é */\n".as_bytes(), &["/* é */"]);
    }

    #[test]
    fn positions_that_do_not_exist_have_no_offset() {
        let text = Text::from_string("ab\r\ncd".into()).unwrap();
        let at = |line, column| text.offset(Position { line, column });
        assert_eq!(at(0, 0), None);
        assert_eq!(at(0, 1), None);
        assert_eq!(at(1, 0), None);
        assert_eq!(at(1, 3), Some(2));
        assert_eq!(at(1, 4), None);
        assert_eq!(at(2, 3), Some(6));
        assert_eq!(at(2, 4), None);
        assert_eq!(at(3, 1), None);
        assert_eq!(at(u32::MAX, u32::MAX), None);
    }

    #[test]
    fn clamping_gives_the_nearest_position() {
        let text = Text::from_string("ab\ncd".into()).unwrap();
        let clamp = |line, column| text.clamp(Position { line, column }).map(|p| p.to_string());
        assert_eq!(clamp(0, 3), None);
        assert_eq!(clamp(1, 0).as_deref(), Some("1:1"));
        assert_eq!(clamp(1, 99).as_deref(), Some("1:3"));
        assert_eq!(clamp(9, 1).as_deref(), Some("2:3"));
    }
}
