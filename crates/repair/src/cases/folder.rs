//! Tests as a folder: inputs of the whole program and the outputs that are expected.
//!
//! A test is a pair of files: `NAME.in` with `NAME.out` (or `.expected`, `.ans`), or `…input…` with `…output…`. What
//! is in `NAME.args` are the program's arguments; a test may have these alone, without an input.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Case, Given};
use crate::error::Error;

const INPUTS: [&str; 2] = [".in", ".args"];
const OUTPUTS: [&str; 3] = [".out", ".expected", ".ans"];

/// All tests of a folder, by name.
pub fn read(folder: &Path) -> Result<Vec<Case>, Error> {
    let unreadable = |reason: String| Error::Unreadable { path: folder.to_owned(), reason };
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(error.to_string()))?;
    let names: BTreeSet<String> =
        entries.filter_map(|entry| entry.ok()).map(|it| it.file_name().to_string_lossy().into_owned()).collect();
    let mut cases: Vec<Case> = Vec::new();
    for name in &names {
        let Some(expected) = output_of(name, &names) else { continue };
        let stem = INPUTS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
        if name.ends_with(".args") && names.contains(&format!("{stem}.in")) {
            continue;
        }
        let bytes =
            |name: &str| std::fs::read(folder.join(name)).map_err(|error| unreadable(format!("{name}: {error}")));
        let arguments = format!("{stem}.args");
        let arguments = match names.contains(&arguments) {
            true => words(&String::from_utf8_lossy(&bytes(&arguments)?)),
            false => Vec::new(),
        };
        let stdin = if name.ends_with(".args") { Vec::new() } else { bytes(name)? };
        let origin = format!("{}/{name}", folder.display());
        cases.push(Case { origin, given: Given::Run { arguments, stdin, stdout: bytes(&expected)? } });
    }
    match cases.is_empty() {
        true => Err(Error::Folder {
            path: folder.to_owned(),
            message: "no tests are here: a test is NAME.in with NAME.out, or input… with output…".to_owned(),
        }),
        false => Ok(cases),
    }
}

fn output_of(name: &str, names: &BTreeSet<String>) -> Option<String> {
    for ending in INPUTS {
        if let Some(stem) = name.strip_suffix(ending) {
            return OUTPUTS.iter().map(|it| format!("{stem}{it}")).find(|it| names.contains(it));
        }
    }
    let other = name.replacen("input", "output", 1);
    (other != name && names.contains(&other)).then_some(other)
}

/// Arguments are separated by blanks.
fn words(text: &str) -> Vec<Vec<u8>> {
    text.split_whitespace().map(|it| it.as_bytes().to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("one.in", "1"),
            ("one.out", "2"),
            ("two.args", "-x 3"),
            ("two.expected", "4"),
            ("input-1", "5"),
            ("output-1", "6"),
            ("alone.in", "7"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let cases = read(folder.path()).unwrap();
        let shown: Vec<String> = cases
            .iter()
            .map(|it| match &it.given {
                Given::Run { arguments, stdin, stdout } => format!(
                    "{} {} {}",
                    arguments.len(),
                    String::from_utf8_lossy(stdin),
                    String::from_utf8_lossy(stdout)
                ),
                Given::Call { .. } => "call".to_owned(),
            })
            .collect();
        assert_eq!(shown, ["0 5 6", "0 1 2", "2  4"]);
    }
}
