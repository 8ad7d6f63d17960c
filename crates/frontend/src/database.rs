//! `compile_commands.json`: how a project compiles each of its files.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Error;

/// One file of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub file: PathBuf,
    pub directory: PathBuf,
    /// What matters for reading the file: include paths, definitions, the language standard.
    pub flags: Vec<String>,
}

#[derive(Deserialize)]
struct Raw {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Reads a database; `path` may name the file or the folder it is in.
pub fn read(path: &Path) -> Result<Vec<Entry>, Error> {
    let path = if path.is_dir() { path.join("compile_commands.json") } else { path.into() };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Error::Unreadable { path: path.clone(), reason: error.to_string() })?;
    parse(&text).map_err(|message| Error::Database { path, message })
}

fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let raw: Vec<Raw> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    raw.into_iter().map(entry).collect()
}

fn entry(raw: Raw) -> Result<Entry, String> {
    let words = match (raw.arguments, raw.command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => split(&command),
        (None, None) => return Err(format!("{} has neither a command nor arguments", raw.file.display())),
    };
    Ok(Entry { file: raw.directory.join(raw.file), flags: relevant(&words), directory: raw.directory })
}

/// The flags that change what the source means.
fn relevant(words: &[String]) -> Vec<String> {
    /// Flags whose value may be the next word.
    const WITH_VALUE: &[&str] = &["-I", "-D", "-U", "-isystem", "-iquote", "-include", "-idirafter", "-imacros"];
    const PREFIXES: &[&str] = &[
        "-I",
        "-D",
        "-U",
        "-std=",
        "-isystem",
        "-iquote",
        "-include",
        "-idirafter",
        "-imacros",
        "-fsigned-char",
        "-funsigned-char",
        "-fno-strict",
        "-fms-extensions",
        "-fwrapv",
        "-fshort-enums",
        "-ansi",
        "-nostdinc",
    ];
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            flags.push(word.clone());
            flags.extend(words.next().cloned());
        } else if PREFIXES.iter().any(|prefix| word.starts_with(prefix)) {
            flags.push(word.clone());
        }
    }
    flags
}

/// Splits a shell command into words: spaces, quotes and backslashes.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let entries = parse(text).expect("the database parses");
        assert_eq!(entries[0].flags, expected);
    }

    #[test]
    fn keeps_what_changes_the_meaning() {
        check(
            r#"[{"directory":"/p","file":"a.c","command":"cc -O2 -g -Iinclude -D 'NAME=\"x y\"' -std=c99 -Wall -c a.c -o a.o"}]"#,
            &["-Iinclude", "-D", "NAME=\"x y\"", "-std=c99"],
        );
        check(
            r#"[{"directory":"/p","file":"a.c","arguments":["cc","-isystem","sys","-DX=1","-c","a.c"]}]"#,
            &["-isystem", "sys", "-DX=1"],
        );
    }

    #[test]
    fn says_what_is_wrong() {
        assert!(parse("{").is_err());
        assert!(parse(r#"[{"directory":"/p","file":"a.c"}]"#).unwrap_err().contains("neither"));
    }
}
