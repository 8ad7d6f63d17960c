//! Patches as unified diffs.
//!
//! A [`Patch`] → a text that `patch -p1` and `git apply` accept in the base folder of the
//! [`Sources`]; for a file outside it, in `/`. Hunks have three lines of context. Lines are what
//! stands between `\n`s, so carriage returns are kept, and a missing final newline is said.
//!
//! The diff is made from bytes: a file that is not all UTF-8 still gets a diff that applies.

use similar::algorithms::{Capture, Replace, diff_slices};
use similar::{Algorithm, DiffOp, DiffTag, group_diff_ops};

use crate::{Patch, SourceError, Sources};

/// How many unchanged lines surround a change.
const CONTEXT: usize = 3;

impl Patch {
    /// The diff as text, for people; exact unless a line in it is not UTF-8.
    pub fn unified_diff(&self, sources: &Sources) -> Result<String, SourceError> {
        let bytes = self.unified_diff_bytes(sources)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The diff as it must be written to a file that `patch` reads.
    pub fn unified_diff_bytes(&self, sources: &Sources) -> Result<Vec<u8>, SourceError> {
        let mut diff = Vec::new();
        for file in self.files() {
            let new = self.apply_to_bytes(sources, file)?;
            let old = sources.bytes(file).unwrap_or_default();
            write_file_diff(&mut diff, sources.path(file), old, &new);
        }
        Ok(diff)
    }
}

fn write_file_diff(diff: &mut Vec<u8>, path: &str, old: &[u8], new: &[u8]) {
    let (old, new) = (lines(old), lines(new));
    let hunks = group_diff_ops(changes(&old, &new), CONTEXT);
    if hunks.iter().flatten().all(|change| change.tag() == DiffTag::Equal) {
        return;
    }
    let path = path.trim_start_matches('/');
    diff.extend_from_slice(format!("--- {}\n", header_name("a", path)).as_bytes());
    diff.extend_from_slice(format!("+++ {}\n", header_name("b", path)).as_bytes());
    for hunk in &hunks {
        write_hunk(diff, hunk, &old, &new);
    }
}

fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    // Not `capture_diff_slices`: it also moves changes to nicer places, and in similar 2.7 the
    // lines of a change that was moved are off.
    let mut hook = Replace::new(Capture::new());
    match diff_slices(Algorithm::Myers, &mut hook, old, new) {
        Ok(()) => hook.into_inner().into_ops(),
        Err(never) => match never {},
    }
}

fn write_hunk(diff: &mut Vec<u8>, hunk: &[DiffOp], old: &[&[u8]], new: &[&[u8]]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let removed = header_range(first.old_range().start, last.old_range().end);
    let added = header_range(first.new_range().start, last.new_range().end);
    diff.extend_from_slice(format!("@@ -{removed} +{added} @@\n").as_bytes());
    for change in hunk {
        match change.tag() {
            DiffTag::Equal => write_lines(diff, b' ', &old[change.old_range()]),
            _ => {
                write_lines(diff, b'-', &old[change.old_range()]);
                write_lines(diff, b'+', &new[change.new_range()]);
            }
        }
    }
}

fn write_lines(diff: &mut Vec<u8>, sign: u8, lines: &[&[u8]]) {
    for line in lines {
        diff.push(sign);
        diff.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            diff.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// `start,length` with lines from 1; an empty range is after the line that it names.
fn header_range(start: usize, end: usize) -> String {
    let first = if start == end { start } else { start + 1 };
    format!("{first},{}", end - start)
}

/// The name of a file in a header, in the form that git gives to unusual names.
fn header_name(side: &str, path: &str) -> String {
    let needs_quotes = path.chars().any(|c| c.is_ascii_control() || matches!(c, '"' | '\\'));
    if needs_quotes {
        let escape = |c: char| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_ascii_control() => format!("\\{:03o}", u32::from(c)),
            c => c.to_string(),
        };
        return format!("\"{side}/{}\"", path.chars().map(escape).collect::<String>());
    }
    // Without the tab, what follows a blank would pass for a time.
    let end = if path.contains(' ') { "\t" } else { "" };
    format!("{side}/{path}{end}")
}

/// The lines of a text, each with its `\n`.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;
    use crate::{Edit, FileId};

    /// Writes the file to a folder, makes the diff of the edits, and lets `patch` and git apply
    /// it: both must give the edited text. Returns the diff.
    #[track_caller]
    fn check(name: &str, old: &[u8], edits: &[(usize, usize, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(name), old).unwrap();
        let mut sources = Sources::with_base(folder.path());
        let file = sources.add(name, None);
        let patch = patch_of(&sources, file, edits);
        let new = patch.apply_to_bytes(&sources, file).unwrap();
        let diff = patch.unified_diff_bytes(&sources).unwrap();
        assert_eq!(diff.is_empty(), old == new);
        if !diff.is_empty() {
            apply(&["git", "apply", "--check", "-"], folder.path(), &diff);
            apply(&["patch", "-p1", "--quiet", "--fuzz=0"], folder.path(), &diff);
            assert!(!folder.path().join(format!("{name}.orig")).exists(), "the hunks were off");
        }
        // `patch` takes an empty file to be a deleted one.
        let applied = std::fs::read(folder.path().join(name)).unwrap_or_default();
        assert_eq!(applied, new, "by the diff\n{}", String::from_utf8_lossy(&diff));
        String::from_utf8_lossy(&diff).into_owned()
    }

    fn patch_of(sources: &Sources, file: FileId, edits: &[(usize, usize, &str)]) -> Patch {
        let edit = |&(start, end, replacement): &(usize, usize, &str)| Edit {
            span: sources.span(file, start..end).unwrap(),
            replacement: replacement.into(),
        };
        Patch::new(edits.iter().map(edit).collect()).unwrap()
    }

    #[track_caller]
    fn apply(command: &[&str], folder: &Path, diff: &[u8]) {
        // As a file in the folder above, so that nothing but the patched file is in the folder.
        let input = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(input.path(), diff).unwrap();
        let run = Command::new(command[0])
            .args(&command[1..])
            .current_dir(folder)
            .env("GIT_DIR", folder.join("no-repository"))
            .stdin(input.reopen().unwrap())
            .output()
            .expect("the tests need `patch` and `git`");
        let (out, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{command:?}: {out}{errors}\n{}", String::from_utf8_lossy(diff));
    }

    #[test]
    fn a_hunk_has_three_lines_of_context() {
        let old = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let diff = check("src/a.c", old, &[(8, 9, "five")]);
        let expected = "--- a/src/a.c\n+++ b/src/a.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(diff, expected);
    }

    #[test]
    fn changes_beside_equal_lines_keep_their_place() {
        let diff = check("a.c", b"a\n\n", &[(0, 1, "")]);
        assert!(diff.contains("@@ -1,2 +1,2 @@\n-a\n"), "{diff}");
    }

    #[test]
    fn distant_changes_are_separate_hunks() {
        let old: String = (1..=30).map(|n| format!("{n:02}\n")).collect();
        let diff = check("a.c", old.as_bytes(), &[(0, 2, "one"), (87, 89, "")]);
        assert_eq!(diff.matches("@@ -").count(), 2);
    }

    #[test]
    fn missing_final_newlines_are_said() {
        let diff = check("a.c", b"x\ny", &[(2, 3, "z")]);
        assert!(diff.ends_with("-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n"), "{diff}");
        check("a.c", b"x\ny", &[(3, 3, "\n")]);
        check("a.c", b"x\ny\n", &[(3, 4, "")]);
        check("a.c", b"x\ny\nz\nu\nv", &[(0, 1, "q")]);
    }

    #[test]
    fn carriage_returns_are_kept() {
        let diff = check("a.c", b"a\r\nb\r\nc\r\n", &[(3, 4, "x")]);
        assert!(diff.contains("-b\r\n+x\r\n"), "{diff}");
        check("a.c", b"a\rb\rc", &[(2, 3, "x")]);
        check("a.c", b"a\r\nb\nc\r\n", &[(0, 1, "x")]);
    }

    #[test]
    fn files_can_be_empty_before_or_after() {
        let diff = check("a.c", b"", &[(0, 0, "x\ny\n")]);
        assert!(diff.contains("@@ -0,0 +1,2 @@"), "{diff}");
        check("a.c", b"x\n", &[(0, 2, "")]);
        check("a.c", b"x\n", &[(0, 1, "x")]);
    }

    #[test]
    fn bytes_that_are_not_utf8_survive() {
        check("a.c", b"/* caf\xe9 */\nint x;\n/* \xff */\n", &[(15, 16, "y")]);
    }

    #[test]
    fn unusual_names_are_accepted() {
        check("my dir/a file.c", b"x\n", &[(0, 1, "y")]);
        check("qu\"ote.c", b"x\n", &[(0, 1, "y")]);
        check("caf\u{e9}.c", b"x\n", &[(0, 1, "y")]);
    }

    #[test]
    fn a_patch_of_two_files_has_two_parts() {
        let mut sources = Sources::with_base("/p");
        let first = sources.add("a.c", Some("x\n".into()));
        let second = sources.add("/q/b.c", Some("x\n".into()));
        let edit = |file| Edit { span: sources.span(file, 0..1).unwrap(), replacement: "y".into() };
        let patch = Patch::new(vec![edit(second), edit(first)]).unwrap();
        let diff = patch.unified_diff(&sources).unwrap();
        let hunk = "@@ -1,1 +1,1 @@\n-x\n+y\n";
        assert_eq!(diff, format!("--- a/a.c\n+++ b/a.c\n{hunk}--- a/q/b.c\n+++ b/q/b.c\n{hunk}"));
    }

    /// Texts with every sort of line end, and ranges in them to replace.
    fn texts_and_edits() -> impl Strategy<Value = (String, Vec<(usize, usize, String)>)> {
        let line = prop_oneof!["[a-c]{0,3}\n", "[a-c -]{0,4}\n", "x\r\n", Just("\n".to_owned())];
        let text = (prop::collection::vec(line, 0..40), "[a-c]{0,2}").prop_map(|(lines, rest)| lines.concat() + &rest);
        let edits = prop::collection::vec((0..200usize, 0..6usize, "[x\n]{0,3}"), 1..5);
        (text, edits).prop_map(|(text, edits)| {
            let mut sorted = edits;
            sorted.sort();
            let mut free = 0;
            let mut kept = Vec::new();
            for (start, length, replacement) in sorted {
                let (start, end) = (start.max(free), (start.max(free) + length).min(text.len()));
                let cuts_line_end = |at: usize| text.get(..at).is_some_and(|before| before.ends_with('\r'));
                if start <= end && !cuts_line_end(start) && !cuts_line_end(end) {
                    kept.push((start, end, replacement));
                    free = end + 1;
                }
            }
            (text, kept)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn any_edit_gives_a_diff_that_applies((text, edits) in texts_and_edits()) {
            let edits: Vec<_> = edits.iter().map(|(start, end, new)| (*start, *end, new.as_str())).collect();
            check("a.c", text.as_bytes(), &edits);
        }
    }
}
