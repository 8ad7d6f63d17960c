//! The test programs and what is expected of them.
//!
//! Under `io` and `fine`, a program is `NAME.c`, or a folder `NAME` with all of its C files. Beside it, as
//! `NAME.suffix` or in the folder as `suffix`, stand `out` (standard output), `exit` (the status if it is
//! not 0), `in` (standard input) and `args` (one argument a line).
//!
//! Under `fail`, a program carries its expectation: `//~ KIND` on the line of the violation. Comments in
//! front say how to run it: `// args: a b`, `// stdin: text\n`, `// nondet: 1 2`, `// flags: --property leaks`.

use std::fs;
use std::path::{Path, PathBuf};

/// A program with its inputs.
pub struct Case {
    /// The path from the project's folder, without `.c`.
    pub name: String,
    /// Paths from the project's folder.
    pub files: Vec<String>,
    pub arguments: Vec<String>,
    pub stdin: Vec<u8>,
    /// Options of ours.
    pub options: Vec<String>,
}

impl Case {
    pub fn command_line(&self) -> Vec<String> {
        let mut line = vec!["run".to_owned()];
        line.extend(self.files.iter().cloned());
        line.extend(self.options.iter().cloned());
        line.push("--".to_owned());
        line.extend(self.arguments.iter().cloned());
        line
    }

    /// The same for `faultline check`, with further options.
    pub fn check_line(&self, more: &[&str]) -> Vec<String> {
        let mut line = vec!["check".to_owned()];
        line.extend(self.files.iter().cloned());
        line.extend(self.options.iter().cloned());
        line.extend(more.iter().map(|it| (*it).to_owned()));
        line
    }
}

/// What a native run of the program does.
pub struct Native {
    pub stdout: Option<Vec<u8>>,
    pub status: i32,
}

/// The programs of a folder with the run that is expected of them.
pub fn with_output(root: &Path, folder: &str) -> Vec<(Case, Native)> {
    let mut cases = Vec::new();
    for entry in entries(&root.join(folder)) {
        let beside: Box<dyn Fn(&str) -> PathBuf> = if entry.is_dir() {
            let folder = entry.clone();
            Box::new(move |suffix| folder.join(suffix))
        } else if entry.extension().is_some_and(|it| it == "c") {
            let file = entry.clone();
            Box::new(move |suffix| file.with_extension(suffix))
        } else {
            continue;
        };
        let files = if entry.is_dir() { c_files(&entry) } else { vec![entry.clone()] };
        let case = Case {
            name: relative(root, &entry.with_extension("")),
            files: files.iter().map(|file| relative(root, file)).collect(),
            arguments: lines(&beside("args")),
            stdin: fs::read(beside("in")).unwrap_or_default(),
            options: Vec::new(),
        };
        let status = fs::read_to_string(beside("exit")).map_or(0, |text| {
            text.trim().parse().unwrap_or_else(|_| panic!("{} has no number in its exit file", case.name))
        });
        cases.push((case, Native { stdout: fs::read(beside("out")).ok(), status }));
    }
    cases
}

/// A violation on a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expected {
    pub line: u64,
    pub kind: String,
}

/// The programs of a folder with the violations that they announce.
pub fn with_violations(root: &Path, folder: &str) -> Vec<(Case, Vec<Expected>)> {
    let files = entries(&root.join(folder)).into_iter().filter(|it| it.extension().is_some_and(|it| it == "c"));
    files.map(|file| violating(root, &file)).collect()
}

/// The programs for `faultline check`, with the verdict and the violations that they announce.
pub fn checked(root: &Path) -> Vec<(Case, String, Vec<Expected>)> {
    let files = entries(&root.join("tests/programs/check"));
    let files = files.into_iter().filter(|it| it.extension().is_some_and(|it| it == "c"));
    let case = |file: PathBuf| {
        let (case, expected) = announced(root, &file);
        let text = fs::read_to_string(&file).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default().trim_start_matches("// ").to_owned();
        let verdict =
            if ["proved", "bounded", "unknown"].contains(&first.as_str()) { first } else { "violated".into() };
        assert_eq!(verdict == "violated", !expected.is_empty(), "{} announces both or nothing", case.name);
        (case, verdict, expected)
    };
    files.map(case).collect()
}

pub fn violating(root: &Path, file: &Path) -> (Case, Vec<Expected>) {
    let (case, expected) = announced(root, file);
    assert!(!expected.is_empty(), "{} announces no violation", case.name);
    (case, expected)
}

fn announced(root: &Path, file: &Path) -> (Case, Vec<Expected>) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display()));
    let header = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut options = header("flags").map(words).unwrap_or_default();
    if let Some(values) = header("nondet") {
        options.extend(["--nondet".to_owned(), words(values).join(",")]);
    }
    let case = Case {
        name: relative(root, &file.with_extension("")),
        files: vec![relative(root, file)],
        arguments: header("args").map(words).unwrap_or_default(),
        stdin: header("stdin").map(unescaped).unwrap_or_default(),
        options,
    };
    let expected = text.lines().zip(1..).filter_map(|(line, number)| {
        let (_, kind) = line.split_once("//~ ")?;
        Some(Expected { line: number, kind: kind.trim().to_owned() })
    });
    (case, expected.collect())
}

fn unescaped(text: &str) -> Vec<u8> {
    text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\").into_bytes()
}

/// What is in a folder, in the order of names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = listed.map(|entry| entry.expect("the folder can be listed").path()).collect();
    entries.sort();
    entries
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|file| file.extension().is_some_and(|it| it == "c")).collect()
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).map(|text| text.lines().map(str::to_owned).collect()).unwrap_or_default()
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}
