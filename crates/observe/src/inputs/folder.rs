//! The folder in which inputs are kept, made to be read by people and to go on from.
//!
//! `failing` is the input as given, `small` the smaller one; `good/` and `bad/` have the inputs near it, the nearest first;
//! `inputs.tsv` lists them, `runs.tsv` has what every run has shown, by the hash of its input, `README.txt` says so. The
//! files of inputs keep the extension of the failing one. A folder belongs to one command and one failure: runs of another
//! are never taken for its own.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::detect::Verdict;

use super::oracle::Content;
use super::{Generated, Near};

/// A folder with inputs.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// With its dot, or empty.
    extension: String,
}

/// The name of the smaller failing input.
pub const SMALL: &str = "small";

const RUNS: &str = "runs.tsv";
const TABLE: &str = "inputs.tsv";
const README: &str = "README.txt";

impl Folder {
    /// Opens a folder for the runs of one command and failure, told in one line, or makes it; with the runs in it.
    pub fn open(path: &Path, key: &str, failing: &Path) -> Result<(Folder, BTreeMap<Content, Verdict>, File), Error> {
        fs::create_dir_all(path).map_err(Error::file("make", path))?;
        let runs = path.join(RUNS);
        let first = format!("# {}", key.replace(['\n', '\r'], " "));
        let known = match fs::read_to_string(&runs) {
            Ok(text) => {
                if text.lines().next() != Some(&first) {
                    return Err(Error::Failure(format!(
                        "{} has inputs for another command or failure: remove it, or name another folder",
                        path.display()
                    )));
                }
                text.lines().skip(1).filter_map(read_line).collect()
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let is_empty = fs::read_dir(path).map_err(Error::file("read", path))?.next().is_none();
                if !is_empty {
                    return Err(Error::Failure(format!(
                        "{} has other files in it: name a new folder for the inputs",
                        path.display()
                    )));
                }
                fs::write(&runs, format!("{first}\n")).map_err(Error::file("write", &runs))?;
                BTreeMap::new()
            }
            Err(source) => return Err(Error::File { doing: "read", path: runs, source }),
        };
        let log = File::options().append(true).open(&runs).map_err(Error::file("write", &runs))?;
        let extension = failing.extension().map_or(String::new(), |it| format!(".{}", it.to_string_lossy()));
        Ok((Folder { path: path.to_owned(), extension }, known, log))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the input of this name is.
    pub fn input(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}{}", self.extension))
    }

    /// Writes one input, and says where.
    pub fn write_input(&self, name: &str, input: &[u8]) -> Result<PathBuf, Error> {
        let path = self.input(name);
        fs::write(&path, input).map_err(Error::file("write", &path))?;
        Ok(path)
    }

    /// Writes all that was made; what was there of an earlier call is replaced.
    pub fn write(&self, failing: &[u8], generated: &Generated) -> Result<(), Error> {
        self.write_input("failing", failing)?;
        self.write_input(SMALL, &generated.small.input)?;
        let mut table = String::from("file\tverdict\tdistance\tbytes\tmade by\n");
        for (verdict, inputs) in [("good", &generated.good), ("bad", &generated.bad)] {
            let folder = self.path.join(verdict);
            if folder.exists() {
                fs::remove_dir_all(&folder).map_err(Error::file("remove", &folder))?;
            }
            fs::create_dir(&folder).map_err(Error::file("make", &folder))?;
            for (index, Near { input, distance, made_by }) in inputs.iter().enumerate() {
                let name = format!("{verdict}/{:02}-distance-{distance}", index + 1);
                self.write_input(&name, input)?;
                table.push_str(&format!(
                    "{name}{}\t{verdict}\t{distance}\t{}\t{made_by}\n",
                    self.extension,
                    input.len()
                ));
            }
        }
        let write = |name: &str, text: &str| {
            let path = self.path.join(name);
            fs::write(&path, text).map_err(Error::file("write", &path))
        };
        write(TABLE, &table)?;
        write(README, &self.readme(if generated.centre == generated.small.input { "small" } else { "failing" }))
    }

    /// What is here, with the name of the failing input that the others are near to.
    fn readme(&self, centre: &str) -> String {
        let it = &self.extension;
        format!(
            "Inputs near a failing one, made by faultline.\n\n\
             failing{it}  the failing input as it was given\n\
             small{it}    a smaller one that fails in the same way\n\
             good/    inputs near {centre}{it} on which the program does not fail, the nearest first\n\
             bad/     further inputs on which it fails in the same way\n\
             {TABLE}   what is in good/ and bad/: bytes to change from {centre}{it}, and how they were made\n\
             {RUNS}     what each run has shown, by the SHA-256 of its input; a later call goes on from here\n"
        )
    }
}

fn read_line(line: &str) -> Option<(Content, Verdict)> {
    let mut cells = line.split('\t');
    let (hash, verdict) = (cells.next()?, Verdict::from_name(cells.next()?)?);
    let mut content = Content::default();
    if hash.len() != 2 * content.len() || !hash.is_ascii() {
        return None;
    }
    for (index, byte) in content.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hash[2 * index..2 * index + 2], 16).ok()?;
    }
    Some((content, verdict))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::oracle::{content, hexadecimal};
    use super::*;

    #[test]
    fn runs_are_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inputs");
        let open = |key: &str| Folder::open(&path, key, Path::new("crash.json"));
        let (kept, known, mut log) = open("./x @@: segv").unwrap();
        assert!(known.is_empty());
        writeln!(log, "{}\tbad\t3\treduction\nbroken", hexadecimal(&content(b"abc"))).unwrap();
        let (_, known, _) = open("./x @@: segv").unwrap();
        assert_eq!(known, BTreeMap::from([(content(b"abc"), Verdict::Bad)]));
        assert!(open("./y @@: segv").unwrap_err().to_string().contains("another command"));
        assert!(kept.write_input("small", b"{}").unwrap().ends_with("small.json"));
        let other = Folder::open(folder.path(), "", Path::new("x"));
        assert!(other.unwrap_err().to_string().contains("other files"));
    }
}
