//! What is to be repaired: a function in a C file with its specification.
//!
//! The files and the name → [`Subject`]. The user's files are read once and never written.

use std::path::{Path, PathBuf};

use frontend::acsl::{self, Specifications, syntax::Contract};
use source::{Edit, FileId, Patch, Sources};

use crate::c::{Function, Outline};
use crate::error::Error;

/// In copies for compilation, the user's `main` is called this.
pub const RENAMED_MAIN: &str = "faultline_users_main";

pub struct Subject {
    pub sources: Sources,
    pub file: FileId,
    /// Which of the files it is.
    pub position: usize,
    pub reading: frontend::Options,
    pub outline: Outline,
    pub function: Function,
    pub contract: Option<Contract>,
    pub specifications: Specifications,
}

impl Subject {
    /// Finds the function in the files; without a name, all functions of the file with `main`.
    pub fn open(reading: frontend::Options, wanted: Option<&str>) -> Result<Subject, Error> {
        let name = wanted.unwrap_or("main");
        let mut known = Vec::new();
        for (position, path) in reading.files.iter().enumerate() {
            let mut sources = Sources::new();
            let file = sources.add(path, Some(read(path)?));
            let Some(tree) = sources.syntax_tree(file) else { continue };
            let text = sources.text(file).unwrap_or_default();
            let outline = Outline::read(&tree, text);
            let function = if wanted.is_some() { outline.function(name).cloned() } else { outline.whole(text) };
            let Some(function) = function else {
                known.extend(outline.functions.iter().map(|it| format!("`{}`", it.name)));
                continue;
            };
            let specifications = acsl::read(text)?;
            let contract = specifications.contract_in(function.before.clone());
            return Ok(Subject { sources, file, position, reading, outline, function, contract, specifications });
        }
        let files: Vec<String> = reading.files.iter().map(|it| it.display().to_string()).collect();
        Err(Error::NoFunction { name: name.to_owned(), files: files.join(", "), known })
    }

    pub fn text(&self) -> &str {
        self.sources.text(self.file).unwrap_or_default()
    }

    /// One change of the text as a patch.
    pub fn patch(&self, edits: &[(std::ops::Range<usize>, String)]) -> Result<Patch, Error> {
        let edit = |(range, replacement): &(std::ops::Range<usize>, String)| {
            let span = self.sources.span(self.file, range.clone());
            let span = span.expect("ranges are of this text");
            Edit { span, replacement: replacement.clone() }
        };
        Ok(Patch::new(edits.iter().map(edit).collect())?)
    }

    /// How to read the program with another text in the place of the file, written into a folder.
    pub fn placed(&self, text: &str, folder: &Path) -> Result<frontend::Options, Error> {
        let original = &self.reading.files[self.position];
        let copy = folder.join(original.file_name().unwrap_or("program.c".as_ref()));
        std::fs::write(&copy, text)?;
        let mut reading = frontend::Options { exact_places: false, ..self.reading.clone() };
        reading.files[self.position] = copy;
        let near = original.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let near = std::path::absolute(near)?;
        reading.flags.extend(["-iquote".to_owned(), near.to_string_lossy().into_owned()]);
        reading.flags.push(format!("-Dmain={RENAMED_MAIN}"));
        Ok(reading)
    }

    /// The copy of the file in the folder.
    pub fn copy_in(&self, reading: &frontend::Options) -> PathBuf {
        reading.files[self.position].clone()
    }
}

/// The functions of the files that have a contract.
pub fn specified(files: &[PathBuf]) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for path in files {
        let text = read(path)?;
        if !text.contains("/*@") && !text.contains("//@") {
            continue;
        }
        let mut sources = Sources::new();
        let file = sources.add(path, Some(text.clone()));
        let Some(tree) = sources.syntax_tree(file) else { continue };
        let specifications = acsl::read(&text)?;
        let outline = Outline::read(&tree, &text);
        let has_contract = |it: &&Function| specifications.contract_in(it.before.clone()).is_some();
        names.extend(outline.functions.iter().filter(has_contract).map(|it| it.name.clone()));
    }
    Ok(names)
}

fn read(path: &Path) -> Result<String, Error> {
    let unreadable = |reason: String| Error::Unreadable { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| unreadable("it is not text in UTF-8".to_owned()))
}

/// The text with ranges replaced; ranges do not overlap.
pub fn edited(text: &str, edits: &[(std::ops::Range<usize>, String)]) -> String {
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|(range, _)| range.start);
    let (mut new, mut copied) = (String::with_capacity(text.len() * 2), 0);
    for (range, replacement) in edits {
        new.push_str(&text[copied..range.start]);
        new.push_str(replacement);
        copied = range.end;
    }
    new.push_str(&text[copied..]);
    new
}
