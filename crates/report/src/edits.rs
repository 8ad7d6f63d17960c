//! From a unified diff, as [`source::Patch`] writes it, back to the edits of the texts.
//!
//! An edit is as small as it can be: what the old and the new lines have in common at their ends is left out.
//! A diff that does not fit the texts, or is none, gives nothing.

use source::{Edit, FileId, Patch, Position, Sources, Span};

/// The changes that a diff makes to these sources.
pub fn patch(sources: &Sources, diff: &str) -> Option<Patch> {
    let mut edits = Vec::new();
    let mut file = None;
    let mut change = Change::default();
    for line in diff.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        if change.left == 0 && (bare.starts_with("--- ") || bare.starts_with("+++ ") || bare.starts_with("@@ ")) {
            change.finish(sources, file, &mut edits)?;
            if let Some(name) = bare.strip_prefix("--- ") {
                file = Some(find(sources, name)?);
            } else if let Some(hunk) = bare.strip_prefix("@@ ") {
                change = Change::at(hunk)?;
            }
            continue;
        }
        match line.as_bytes().first() {
            Some(b'-') => change.removed(&line[1..]),
            Some(b'+') => change.added(&line[1..]),
            Some(b'\\') => change.without_newline(),
            _ => {
                change.finish(sources, file, &mut edits)?;
                change.pass();
            }
        }
    }
    change.finish(sources, file, &mut edits)?;
    (!edits.is_empty()).then(|| Patch::new(edits).ok()).flatten()
}

/// The file that a header names.
fn find(sources: &Sources, header: &str) -> Option<FileId> {
    let name = header.split('\t').next()?.trim_matches('"');
    let path = name.strip_prefix("a/")?;
    // A path outside the base lost its first slash.
    sources.find(path).or_else(|| sources.find(format!("/{path}")))
}

/// Lines that are replaced by others.
#[derive(Default)]
struct Change {
    /// The first line that is replaced.
    line: u32,
    old: String,
    new: String,
    old_lines: u32,
    /// Lines of the hunk that are still to come, on both sides together.
    left: u32,
    last_was_old: bool,
}

impl Change {
    /// From `-5,6 +5,7 @@`.
    fn at(hunk: &str) -> Option<Change> {
        let (old, rest) = hunk.strip_prefix('-')?.split_once(" +")?;
        let numbers = |text: &str| -> Option<(u32, u32)> {
            let (line, count) = text.split_once(',').unwrap_or((text, "1"));
            Some((line.parse().ok()?, count.parse().ok()?))
        };
        let (line, count) = numbers(old)?;
        let (_, added) = numbers(rest.split_once(' ')?.0)?;
        // An empty range is after the line that it names.
        Some(Change { line: line + u32::from(count == 0), left: count + added, ..Change::default() })
    }

    fn removed(&mut self, line: &str) {
        self.old.push_str(line);
        self.old_lines += 1;
        self.left = self.left.saturating_sub(1);
        self.last_was_old = true;
    }

    fn added(&mut self, line: &str) {
        self.new.push_str(line);
        self.left = self.left.saturating_sub(1);
        self.last_was_old = false;
    }

    fn pass(&mut self) {
        self.line += 1;
        self.left = self.left.saturating_sub(2);
    }

    fn without_newline(&mut self) {
        let side = if self.last_was_old { &mut self.old } else { &mut self.new };
        if side.ends_with('\n') {
            side.pop();
        }
    }

    /// Adds the edit, if there is one, and goes on behind it.
    fn finish(&mut self, sources: &Sources, file: Option<FileId>, edits: &mut Vec<Edit>) -> Option<()> {
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        let first = self.line;
        self.line += std::mem::take(&mut self.old_lines);
        if old == new {
            return Some(());
        }
        let file = file?;
        let text = sources.text(file)?;
        let start = match first > sources.line_count(file) {
            true => text.len(),
            false => sources.offset(source::Place { file, position: Position { line: first, column: 1 } })?,
        };
        if text.get(start..start + old.len())? != old {
            return None;
        }
        let prefix = common(old.char_indices(), new.char_indices());
        let suffix = common(reversed(&old[prefix..]), reversed(&new[prefix..]));
        let range = start + prefix..start + old.len() - suffix;
        let replacement = new[prefix..new.len() - suffix].to_owned();
        let span: Span = sources.span(file, range)?;
        edits.push(Edit { span, replacement });
        Some(())
    }
}

fn reversed(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    text.chars().rev().scan(0, |at, c| {
        let here = *at;
        *at += c.len_utf8();
        Some((here, c))
    })
}

/// Bytes at the start that two texts have in common.
fn common(one: impl Iterator<Item = (usize, char)>, other: impl Iterator<Item = (usize, char)>) -> usize {
    let same = one.zip(other).take_while(|((_, one), (_, other))| one == other);
    same.last().map_or(0, |((at, c), _)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The edits of a diff from one text to another give that text again.
    fn check(old: &str, edits: &[(usize, usize, &str)]) -> Vec<Edit> {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("dir/a b.c", Some(old.to_owned()));
        let edit = |&(start, end, replacement): &(usize, usize, &str)| Edit {
            span: sources.span(file, start..end).unwrap(),
            replacement: replacement.to_owned(),
        };
        let given = Patch::new(edits.iter().map(edit).collect()).unwrap();
        let expected = given.apply(&sources, file).unwrap();
        let diff = given.unified_diff(&sources).unwrap();
        if expected == old {
            assert!(patch(&sources, &diff).is_none());
            return Vec::new();
        }
        let found = patch(&sources, &diff).unwrap_or_else(|| panic!("no edits from\n{diff}"));
        assert_eq!(found.apply(&sources, file).unwrap(), expected, "by\n{diff}");
        found.edits().to_vec()
    }

    #[test]
    fn only_what_differs_is_replaced() {
        let edits = check("int f(int é) {\n    return é <= 3;\n}\n", &[(30, 32, "<")]);
        assert_eq!(edits.len(), 1);
        assert_eq!((edits[0].span.start.line, edits[0].replacement.as_str()), (2, ""));
    }

    #[test]
    fn lines_come_and_go() {
        check("a\nb\nc\n", &[(2, 2, "new\n")]);
        check("a\nb\nc\n", &[(2, 4, "")]);
        check("a\nb", &[(3, 3, "\nc")]);
        check("", &[(0, 0, "x\n")]);
        check("-- a\n++ b\n", &[(3, 4, "c")]);
    }

    #[test]
    fn what_does_not_fit_gives_nothing() {
        let mut sources = Sources::with_base("/p");
        sources.add("a.c", Some("int x;\n".to_owned()));
        for diff in ["", "nonsense", "--- a/b.c\n+++ b/b.c\n@@ -1,1 +1,1 @@\n-int x;\n+int y;\n"] {
            assert!(patch(&sources, diff).is_none(), "{diff}");
        }
        assert!(patch(&sources, "--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,1 @@\n-int z;\n+int y;\n").is_none());
        assert!(patch(&sources, "--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,1 @@\n-int x;\n+int y;\n").is_some());
    }

    proptest! {
        #[test]
        fn any_edit(lines in prop::collection::vec("[ab-]{0,3}", 0..12), start in 0usize..40, length in 0usize..9, new in "[ab\n+-]{0,6}") {
            let text = lines.join("\n");
            let start = start.min(text.len());
            check(&text, &[(start, (start + length).min(text.len()), &new)]);
        }
    }
}
