//! The project's files, read once for all checks.
//!
//! Build output, version control and hidden folders are not part of it, `.ci` and `.cargo` excepted.
//! Files that are not UTF-8 or very large are known by path only: their text is empty.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Past this, a file is data and not ours to check.
const LARGEST_TEXT: u64 = 1 << 20;

/// Files by their path from the root, with `/` between the parts.
pub struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    pub fn read(root: &Path) -> Result<Tree> {
        let mut tree = Tree { files: BTreeMap::new() };
        tree.read_folder(root, "")?;
        Ok(tree)
    }

    #[cfg(test)]
    pub fn from_files(files: &[(&str, &str)]) -> Tree {
        let own = |(path, text): &(&str, &str)| (path.to_string(), text.to_string());
        Tree { files: files.iter().map(own).collect() }
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// (path, text) in the order of paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    pub fn rust_files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| path.ends_with(".rs"))
    }

    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether there is such a file, or a folder with a file in it.
    pub fn contains(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let folder = format!("{path}/");
        let first_inside = self.files.range(folder.clone()..).next();
        self.files.contains_key(path) || first_inside.is_some_and(|(inside, _)| inside.starts_with(&folder))
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            // A name that is not UTF-8 is none of ours.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = format!("{prefix}{name}");
            let kind = entry.file_type()?;
            if kind.is_dir() && !is_foreign(&path) {
                self.read_folder(&entry.path(), &format!("{path}/"))?;
            } else if kind.is_file() {
                let small = entry.metadata()?.len() <= LARGEST_TEXT;
                let text = if small { fs::read(entry.path())? } else { Vec::new() };
                self.files.insert(path, String::from_utf8(text).unwrap_or_default());
            }
        }
        Ok(())
    }
}

fn is_foreign(folder: &str) -> bool {
    let ours_though_hidden = [".ci", ".cargo", ".github"].contains(&folder);
    let name = folder.rsplit('/').next().unwrap_or(folder);
    folder == "bench-results" || name == "target" || (name.starts_with('.') && !ours_though_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_ours() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &[u8]| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("crates/a/src/lib.rs", b"//! a\n");
        write("crates/a/data.bin", &[0xff, 0xfe]);
        write(".ci/run", b"make\n");
        write(".git/config", b"x");
        write("target/debug/out.rs", b"x");
        write("bench-results/a.tsv", b"x");

        let tree = Tree::read(root.path()).unwrap();
        let paths: Vec<&str> = tree.files().map(|(path, _)| path).collect();
        assert_eq!(paths, [".ci/run", "crates/a/data.bin", "crates/a/src/lib.rs"]);
        assert_eq!(tree.text("crates/a/src/lib.rs"), Some("//! a\n"));
        assert_eq!(tree.text("crates/a/data.bin"), Some(""));
    }

    #[test]
    fn contains_files_and_folders() {
        let tree = Tree::from_files(&[("crates/a/src/lib.rs", ""), ("crates/a-b/x", "")]);
        for path in ["crates/a/src/lib.rs", "crates", "crates/", "crates/a", "crates/a/src/"] {
            assert!(tree.contains(path), "{path}");
        }
        for path in ["crates/b", "crates/a/s", "crate"] {
            assert!(!tree.contains(path), "{path}");
        }
    }
}
