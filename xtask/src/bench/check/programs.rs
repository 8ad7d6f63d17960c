//! Programs of a suite in SV-COMP's manner: which files a list of names means, and their correct relatives.
//!
//! SV-COMP wrote the expected verdict into a file's name: `token_ring.01_false-unreach-call.cil.c`. A name of a
//! list, `systemc/token_ring.01`, is that file name without verdicts and endings. Underscores do not count, since
//! `multivar_false-unreach-call1.i` is called `multivar_1`. Of a program and its preprocessed form, the latter is
//! taken. Output: paths, sorted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

const ENDINGS: [&str; 4] = [".cil.c", ".c.i", ".i", ".c"];
pub const BAD: &str = "_false-unreach-call";
const GOOD: &str = "_true-unreach-call";

/// A program of a list.
pub struct Listed {
    /// As it is called in the list.
    pub name: String,
    pub path: PathBuf,
}

/// The programs that a list names: one a line, the last column counts, `#` begins a comment.
pub fn listed(suite: &Path, list: &Path) -> Result<Vec<Listed>> {
    let text = std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| find(suite, line.rsplit('\t').next().unwrap_or(line).trim())).collect()
}

fn find(suite: &Path, name: &str) -> Result<Listed> {
    let (folder, wanted) = name.rsplit_once('/').unwrap_or(("", name));
    let files = files(&suite.join(folder))?;
    let found = files.into_iter().filter(|(file, _)| file.contains(BAD) && plain(file) == simple(wanted));
    match found.map(|(_, path)| path).min_by_key(|path| rank(path)) {
        Some(path) => Ok(Listed { name: name.to_owned(), path }),
        None => bail!("there is no buggy `{wanted}` in {}", suite.join(folder).display()),
    }
}

/// The correct programs in the same folders whose names differ from a listed one in their number only.
pub fn relatives(listed: &[Listed]) -> Result<Vec<PathBuf>> {
    let mut families = BTreeMap::<PathBuf, BTreeSet<String>>::new();
    for program in listed {
        let folder = program.path.parent().unwrap_or(Path::new(".")).to_owned();
        families.entry(folder).or_default().insert(family(&plain(&file_name(&program.path))));
    }
    let mut chosen = BTreeMap::<(PathBuf, String), PathBuf>::new();
    for (folder, families) in families {
        for (file, path) in files(&folder)? {
            if file.contains(GOOD) && families.contains(&family(&plain(&file))) {
                let best = chosen.entry((folder.clone(), plain(&file))).or_insert_with(|| path.clone());
                if rank(&path) < rank(best) {
                    *best = path;
                }
            }
        }
    }
    Ok(chosen.into_values().collect())
}

fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if ENDINGS.iter().any(|ending| file_name(&path).ends_with(ending)) {
            files.push((file_name(&path), path));
        }
    }
    files.sort();
    Ok(files)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Preprocessed files come first.
fn rank(path: &Path) -> (usize, PathBuf) {
    let name = file_name(path);
    let ending = ["i", "cil.c", "c"].iter().position(|ending| name.ends_with(&format!(".{ending}")));
    (ending.unwrap_or(usize::MAX), path.to_owned())
}

/// A file's name without verdicts, endings and underscores.
fn plain(file: &str) -> String {
    let ending = ENDINGS.iter().find(|ending| file.ends_with(**ending)).map_or(0, |ending| ending.len());
    let mut rest = &file[..file.len() - ending];
    let mut name = String::new();
    while let Some(start) = rest.find("_true-").into_iter().chain(rest.find("_false-")).min() {
        name.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic() && letter != '-').unwrap_or(rest.len());
        rest = &rest[end..];
    }
    name.push_str(rest);
    simple(&name)
}

fn simple(name: &str) -> String {
    name.replace('_', "")
}

/// What programs with different numbers have in common.
fn family(plain: &str) -> String {
    plain.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_verdicts() {
        let check = |file: &str, expected: &str| assert_eq!(plain(file), expected);
        check("multivar_false-unreach-call1.i", "multivar1");
        check("token_ring.01_false-unreach-call_false-termination.cil.c", "tokenring.01");
        check("gcnr2008_false-unreach-call.c.i", "gcnr2008");
        check("plain.c", "plain");
        assert_eq!(family("tokenring.01"), "tokenring");
    }

    #[test]
    fn preprocessed_files_and_relatives_are_found() {
        let folder = tempfile::tempdir().unwrap();
        for file in
            ["a_1_false-unreach-call.c", "a_1_false-unreach-call.i", "a_2_true-unreach-call.c", "b_true-unreach-call.c"]
        {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let list = folder.path().join("list");
        std::fs::write(&list, "# names\nx1\ta_1\n").unwrap();
        let found = listed(folder.path(), &list).unwrap();
        assert_eq!(file_name(&found[0].path), "a_1_false-unreach-call.i");
        let good: Vec<String> = relatives(&found).unwrap().iter().map(|path| file_name(path)).collect();
        assert_eq!(good, ["a_2_true-unreach-call.c"]);
        std::fs::write(&list, "c_1\n").unwrap();
        assert!(listed(folder.path(), &list).is_err());
    }
}
