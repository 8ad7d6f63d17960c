//! Text that must not be committed: unfinished work, traces of one machine, trailing blanks.
//!
//! The forbidden words are put together with `concat!`, or this file would be its own first finding.

use super::{Finding, Tree};

/// (word, reason), looked for in Rust code.
const UNFINISHED: &[(&str, &str)] = &[
    (concat!("todo", "!("), "what is unsupported is reported to the user, never a panic"),
    (concat!("unimplemented", "!("), "what is unsupported is reported to the user, never a panic"),
    (concat!("#[", "ignore"), "a test that does not run guards nothing; assert today's answer"),
    (concat!("FIX", "ME"), "fix it, or say in words what does not hold"),
    (concat!("XX", "X"), "fix it, or say in words what does not hold"),
    (concat!("dbg", "!("), "it was for your terminal, not for the user's"),
];

/// Beginnings of paths that exist on one machine only.
const MACHINE: &[&str] = &[concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/")];

/// Endings of files that are written by hand; golden files may well have blanks at a line's end.
const WRITTEN: [&str; 9] = [".rs", ".toml", ".md", ".c", ".h", ".sh", "Makefile", "scripts/setup", ".ci/run"];

pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.files() {
        for (index, line) in text.lines().enumerate() {
            let mut add = |message: String| {
                findings.push(Finding { file: path.to_owned(), line: index + 1, message });
            };
            if path.ends_with(".rs")
                && let Some((word, reason)) = unfinished(line)
            {
                add(format!("`{word}`: {reason}"));
            }
            if let Some(beginning) = machine_path(line) {
                add(format!("`{beginning}…`: a path of one machine means nothing on another"));
            }
            if WRITTEN.iter().any(|it| path.ends_with(it)) && line.ends_with([' ', '\t']) {
                add("trailing blanks: they make diffs that say nothing".to_owned());
            }
        }
    }
    findings
}

fn unfinished(line: &str) -> Option<(&'static str, &'static str)> {
    UNFINISHED.iter().copied().find(|(word, _)| {
        line.match_indices(word).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + word.len()..]);
            let goes_on = word.ends_with(is_word) && after.starts_with(is_word);
            !before.ends_with(is_word) && !goes_on
        })
    })
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// A path counts only where it begins: `src` before it makes it a relative one, a host's name a URL.
fn machine_path(line: &str) -> Option<&'static str> {
    let continues = |it: char| is_word(it) || it == '.' || it == '-';
    let begins = |beginning: &str| line.match_indices(beginning).any(|(at, _)| !line[..at].ends_with(continues));
    MACHINE.iter().copied().find(|it| begins(it))
}

#[cfg(test)]
mod tests {
    use super::super::expect;
    use super::{MACHINE, UNFINISHED, check};

    #[test]
    fn unfinished_work() {
        for (word, _) in UNFINISHED {
            let text = format!("//! a\nfn a() {{ {word} }}\n");
            expect(check, &[("a.rs", &text)], &["a.rs:2"]);
            expect(check, &[("a.md", &text)], &[]);
            // Part of a longer word it is another word.
            expect(check, &[("a.rs", &format!("a_{word}"))], &[]);
        }
    }

    #[test]
    fn paths_of_one_machine() {
        for beginning in MACHINE {
            expect(check, &[("a.md", &format!("see {beginning}x"))], &["a.md:1"]);
            expect(check, &[("a.c", &format!("\"{beginning}x\""))], &["a.c:1"]);
            expect(check, &[("a.md", &format!("https://a.org{beginning}x"))], &[]);
            expect(check, &[("a.md", &format!("src{beginning}x"))], &[]);
        }
    }

    #[test]
    fn trailing_blanks() {
        expect(check, &[("a.rs", "//! a\nfn a() {} \n\t\n")], &["a.rs:2", "a.rs:3"]);
        expect(check, &[("a.stdout", "a \n"), ("a.rs", "//! a\n")], &[]);
    }
}
